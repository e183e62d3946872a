/* export_answers.c: what the model says, as objects of one form (lens/answer_rows.h), and the
 * vectors of sentences; and what --ask asks it for. */
#include "headlight/export/export_members.h"

#include "headlight/base/json.h"
#include "headlight/lens/answer_rows.h"
#include "headlight/session/derive.h"
#include "headlight/view/words.h"

#include <math.h>

struct answer_source answers_source(const struct sheet *sheet)
{
    return (struct answer_source){.checkpoint = sheet->checkpoint,
                                  .encoded = sheet->encoded,
                                  .trace = sheet->trace,
                                  .before = sheet->before,
                                  .task = sheet->task,
                                  .alike = sheet->alike,
                                  .top = export_top(sheet->output, sheet->trace),
                                  .labels = SIZE_MAX,
                                  .asks = sheet->asks,
                                  .on = sheet->on,
                                  .token = sheet->token};
}

/* ---- Rows ---- */

struct written {
    const struct sheet *sheet;
    FILE *stream;
    size_t count;
};

/* Members that a row doesn't have are left out, but for its name. */
static void write_answer(void *to, const struct answer_row *row)
{
    struct written *written = to;
    FILE *stream = written->stream;
    fprintf(stream, "%s{\"kind\":\"%s\"", written->count++ > 0 ? "," : "", row->kind);
    if (row->layer != NO_TOKEN)
        fprintf(stream, ",\"layer\":%zu", row->layer);
    if (row->encoded)
        fprintf(stream, ",\"token\":%zu", row->token);
    if (row->rank > 0)
        fprintf(stream, ",\"rank\":%zu", row->rank);
    if (row->id != NO_TOKEN)
        fprintf(stream, ",\"id\":%zu", row->id);
    fputs(",\"name\":", stream);
    json_write_text(stream, row->name);
    export_write_number(stream, ",\"value\":", row->number);
    if (!isnan(row->before))
        export_write_number(stream, ",\"before\":", row->before);
    if (target_is_word(row->on.output) || row->on.output == OUTPUT_START)
        export_write_number(stream, ",\"logprob\":", row->logprob);
    fputs(row->asked ? ",\"asked\":true" : "", stream);
    fputs(row->next ? ",\"next\":true" : "", stream);
    if (row->on.output == OUTPUT_CLASSES)
        fprintf(stream, ",\"function\":\"%s\"",
                labels_function_name(written->sheet->task->labels->function));
    if (row->passage) {
        fputs(",\"text\":", stream);
        json_write_string(stream, row->text.bytes, row->text.length);
        fprintf(stream, ",\"start\":%zu,\"end\":%zu", row->passage->start, row->passage->end);
        if (written->sheet->encoded->text_count > 1)
            fprintf(stream, ",\"sentence\":%zu", row->passage->sentence);
    }
    fputc('}', stream);
}

/* ---- Vectors of sentences ---- */

static void write_vector(FILE *stream, const struct encoded *encoded, const struct trace *trace)
{
    fputs("{\"tokens\":[", stream);
    encoded_write_pieces(stream, encoded, SIDE_LEFT);
    fprintf(stream, "],\"cut\":%s,\"embedding\":", encoded->cut ? "true" : "false");
    export_write_row(stream, trace->outputs[OUTPUT_SENTENCE], trace->sentence);
    fputc('}', stream);
}

/* Of one text, or of two, each read by itself; and how they are made, which a recording doesn't
 * tell. */
static void write_vectors(const struct sheet *sheet, FILE *stream)
{
    const struct sentence_pair *alike = sheet->alike;
    const struct sentence_model *sentence =
        sheet->checkpoint ? model_config(sheet->checkpoint->model)->sentence : NULL;
    char pooling[128];
    fputs("\"sentences\":{", stream);
    if (sentence) {
        const bool there[] = {true, true, sentence->dense.outputs > 0, sentence->normalized};
        sentence_pooling_name(sentence, pooling, sizeof pooling);
        fprintf(stream, "\"pooling\":\"%s\",\"assumed\":%s,\"modules\":[", pooling,
                sentence->given ? "false" : "true");
        for (size_t i = 0; i < SENTENCE_MODULES; i++)
            if (there[i])
                fprintf(stream, "%s\"%s\"", i > 0 ? "," : "",
                        sentence_module_name((enum sentence_module)i));
        fputs("],", stream);
    }
    if (alike && alike->why_no_parts)
        export_write_name(stream, "unparted", alike->why_no_parts);
    fputs("\"vectors\":[", stream);
    if (!alike)
        write_vector(stream, sheet->encoded, sheet->trace);
    for (size_t i = 0; alike && i < 2; i++) {
        fputs(i > 0 ? "," : "", stream);
        write_vector(stream, alike->encoded[i], alike->encoded[i]->trace);
    }
    fputs("]},", stream);
}

/* ---- All of it ---- */

enum status answers_write(const struct sheet *sheet, char **text, struct error *error)
{
    const struct answer_source source = answers_source(sheet);
    const char *note = sheet->session->data.note;
    const bool vectors =
        sheet->alike || (sheet->trace->outputs[OUTPUT_SENTENCE] && sheet->encoded->text_count < 2);
    struct buffer buffer;
    if (!buffer_open(&buffer))
        return error_memory(error, "the answers", BUFSIZ);
    struct written written = {sheet, buffer.stream, 0};
    fputs("\"answers\":[", buffer.stream);
    const enum status status = answer_rows(&source, OUTPUT_COUNT, write_answer, &written, error);
    fputs("],", buffer.stream);
    if (vectors)
        write_vectors(sheet, buffer.stream);
    if (written.count == 0 && !vectors)
        export_write_name(buffer.stream, "silent",
                          sheet->task && sheet->task->kind == ANSWER_SPAN
                              ? "expected a question and a text that answers it, found one text"
                          : *sheet->speechless
                              ? sheet->speechless
                              : "no token is masked: expected one for the model to guess");
    if (note && *note && sheet->encoded == sheet->session->data.encoded)
        export_write_name(buffer.stream, "note", note);
    const size_t length = buffer.length;
    *text = buffer_close(&buffer);
    return status != STATUS_OK || *text ? status : error_memory(error, "the answers", length);
}

/* ---- --ask ---- */

/* The message shows how pieces are spelt, with one of the text. */
static enum status find_asked(struct sheet *sheet, struct error *error)
{
    const char *answer = sheet->output->answer;
    size_t shown = sheet->token < sheet->trace->tokens ? sheet->token : sheet->trace->tokens / 2;
    if (target_find(sheet->checkpoint, sheet->encoded, answer, &sheet->on, error) == STATUS_OK) {
        sheet->asks = true;
        return STATUS_OK;
    }
    const struct error inner = *error;
    if (!target_is_word(sheet->on.output))
        return error_set(error, inner.status, "--ask: %s", inner.message);
    return error_set(error, STATUS_USAGE,
                     "--ask: expected a word piece as the vocabulary has it, such as \"%s\", "
                     "found \"%s\"",
                     encoded_pieces(sheet->encoded, SIDE_LEFT)[shown], answer);
}

enum status export_check_answer(const struct session *session, const char *answer,
                                struct error *error)
{
    const struct encoded *encoded = session->data.encoded;
    struct sheet sheet = {.output = &(struct output){.answer = answer},
                          .checkpoint = session->checkpoint,
                          .encoded = encoded,
                          .trace = encoded->trace,
                          .token = NO_TOKEN,
                          .on = {.output = target_output(session->checkpoint->model)}};
    return sheet.on.output == OUTPUT_START ? STATUS_OK : find_asked(&sheet, error);
}

/* How alike two sentences are is computed here, as no screen may have asked for it. */
enum status answers_ask(struct sheet *sheet, struct error *error)
{
    const struct session *session = sheet->session;
    const struct data *data = &session->data;
    sheet->before = data->before;
    sheet->on = (struct target){.output = derive_output(&session->state.look, data),
                                .id = TARGET_LIKELIEST};
    if (answer_of(sheet->checkpoint, sheet->encoded, sheet->trace, &sheet->task, error) !=
            STATUS_OK ||
        (derive_has_alike(data) &&
         (derive_alike_new(data, session->state.source.special, &sheet->alike, error) !=
              STATUS_OK ||
          derive_alike_run(data, NULL, sheet->alike, error) != STATUS_OK)))
        return error->status;
    if (!sheet->output->answer)
        return STATUS_OK;
    if (*data_silence(data))
        return error_set(error, STATUS_UNSUPPORTED, "--ask: %s", data_silence(data));
    if (find_asked(sheet, error) != STATUS_OK)
        return error->status;
    if (!target_has_token(sheet->on.output) || sheet->token != NO_TOKEN ||
        (target_is_word(sheet->on.output) && (data->next || words_masked(data) != NO_TOKEN)))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--ask: expected a token at which it stands, found none masked and none "
                     "chosen: add --select TOKEN");
}

/* With a pass of the network as it was trained, unless a screen has asked for it. */
enum status answers_make(struct sheet *sheet, struct error *error)
{
    const struct trace *trace = sheet->trace;
    if (answers_ask(sheet, error) != STATUS_OK)
        return error->status;
    if (sheet->checkpoint && interventions_any(&trace->computed.changes) && !sheet->before) {
        const struct model *model = sheet->checkpoint->model;
        if (forward_prepare(model, trace->ids, trace->segments, trace->tokens, true,
                            &sheet->trained, error) != STATUS_OK ||
            forward_run(model, NULL, NULL, sheet->trained, error) != STATUS_OK)
            return error->status;
        sheet->before = sheet->trained;
    }
    return answers_write(sheet, &sheet->answers, error);
}
