/* export_answers.c: what the model says, as objects of one form (lens/answer_rows.h), and the
 * vectors of sentences; and what --ask asks it for. */
#include "headlight/export/export_members.h"

#include "headlight/session/request.h"
#include "headlight/view/words.h"

struct answer_source answers_source(const struct sheet *sheet)
{
    return (struct answer_source){.checkpoint = sheet->checkpoint,
                                  .encoded = sheet->encoded,
                                  .trace = sheet->trace,
                                  .before = sheet->before,
                                  .task = sheet->task,
                                  .sentences = sheet->sentences,
                                  .top = export_top(sheet->output, sheet->trace),
                                  .labels = SIZE_MAX,
                                  .asks = sheet->asks,
                                  .on = sheet->on,
                                  .token = sheet->token};
}

/* ---- Rows ---- */

/* Members that a row doesn't have are left out, but for its name. */
static void write_answer(void *to, const struct answer_row *row)
{
    const struct sheet *sheet = to;
    struct json_writer *json = sheet->json;
    const struct passage *passage = row->passage;
    const enum model_output output = row->on.output;
    json_open(json, NULL, "{");
    json_put(json, JSON("kind", row->kind), JSON_IF(row->layer != NO_TOKEN, "layer", row->layer),
             JSON_IF(row->encoded, "token", row->token), JSON_IF(row->rank > 0, "rank", row->rank),
             JSON_IF(row->id != NO_TOKEN, "id", row->id), JSON("name", row->name),
             JSON("value", row->number), JSON_IF(!isnan(row->before), "before", row->before),
             JSON_IF(target_is_word(output) || output == OUTPUT_START, "logprob", row->logprob),
             JSON_IF(row->asked, "asked", row->asked), JSON_IF(row->next, "next", row->next));
    if (output == OUTPUT_CLASSES)
        json_put(json, JSON("function", score_names[sheet->task->labels->function]));
    if (passage)
        json_put(json, JSON_OF("text", row->text.bytes, row->text.length),
                 JSON("start", passage->start), JSON("end", passage->end),
                 JSON_IF(sheet->encoded->text_count > 1, "sentence", passage->sentence));
    json_close(json, "}");
}

/* ---- Vectors of sentences ---- */

/* Of one text, or of two, each read by itself; and how they are made, which a recording doesn't
 * tell. */
static void write_vectors(const struct sheet *sheet)
{
    struct json_writer *json = sheet->json;
    const struct sentence_pair *sentences = sheet->sentences;
    const struct sentence_model *sentence =
        sheet->checkpoint ? sheet->checkpoint->model->config.sentence : NULL;
    char pooling[128];
    json_open(json, "sentences", "{");
    if (sentence) {
        const bool there[] = {true, true, sentence->dense.outputs > 0, sentence->normalized};
        sentence_pooling_name(sentence, pooling, sizeof pooling);
        json_put(json, JSON("pooling", pooling), JSON("assumed", (bool)!sentence->given));
        json_list(json, "modules", i, SENTENCE_MODULES, JSON_IF(there[i], NULL, module_names[i]));
    }
    if (sentences)
        json_put(json, JSON_IF(sentences->why_no_parts, "why_no_parts", sentences->why_no_parts));
    json_open(json, "vectors", "[");
    for (size_t i = 0; i < (sentences ? 2 : 1); i++) {
        const struct encoded *encoded = sentences ? sentences->encoded[i] : sheet->encoded;
        const struct trace *trace = sentences ? encoded->trace : sheet->trace;
        json_open(json, NULL, "{");
        export_write_pieces(json, "tokens", encoded, SIDE_LEFT);
        json_put(json, JSON("cut", (bool)(encoded->cut > 0)));
        json_put_floats(json, "embedding", trace->outputs[OUTPUT_SENTENCE], trace->sentence);
        json_close(json, "}");
    }
    json_close(json, "]}");
}

/* ---- All of it ---- */

enum status answers_write(struct sheet *sheet, struct error *error)
{
    const struct answer_source source = answers_source(sheet);
    const char *note = sheet->session->data.note;
    const bool vectors = sheet->sentences ||
                         (sheet->trace->outputs[OUTPUT_SENTENCE] && sheet->encoded->text_count < 2);
    struct json_writer *json = sheet->json;
    json_open(json, "answers", "[");
    const enum status status = answer_rows(&source, OUTPUT_COUNT, write_answer, sheet, error);
    const bool silent = !json->more && !vectors;
    json_close(json, "]");
    if (vectors)
        write_vectors(sheet);
    json_put(
        json,
        JSON_IF(silent, "silent",
                sheet->task && sheet->task->kind == ANSWER_SPAN
                    ? "expected a question and a text that answers it, found one text"
                : *sheet->no_lens ? sheet->no_lens
                                  : "no token is masked: expected one for the model to guess"),
        JSON_IF(note && *note && sheet->encoded == sheet->session->data.encoded, "note", note));
    return status;
}

/* ---- --ask ---- */

enum status export_check_model(const struct checkpoint *checkpoint, struct error *error)
{
    if (checkpoint)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "expected a model to ask, found a recording of one: give the checkpoint "
                     "itself with --model DIR");
}

/* The message shows how pieces are spelt, with one of the text. */
static enum status find_asked(struct sheet *sheet, struct error *error)
{
    const char *answer = sheet->output->answer;
    const size_t last = encoded_speaker(sheet->encoded)->sides[SIDE_LEFT].count - 1;
    const size_t shown = sheet->token <= last ? sheet->token : (last + 1) / 2;
    if (target_find(sheet->checkpoint, sheet->encoded, answer, &sheet->on, error) == STATUS_OK) {
        sheet->asks = true;
        return STATUS_OK;
    }
    if (!target_is_word(sheet->on.output))
        return error_set(error, error->status, "--ask: %s", error->message);
    return error_usage(error,
                       "--ask: expected a word piece as the vocabulary has it, such as \"%s\", "
                       "found \"%s\"",
                       encoded_pieces(encoded_speaker(sheet->encoded), SIDE_LEFT)[shown], answer);
}

enum status export_ask(struct session *session, const char *answer, struct error *error)
{
    const struct encoded *encoded = session->data.encoded;
    if (export_check_model(session->checkpoint, error) != STATUS_OK)
        return error->status;
    struct sheet sheet = {.output = &(struct output){.answer = answer},
                          .checkpoint = session->data.checkpoint,
                          .encoded = encoded,
                          .trace = encoded->trace,
                          .token = NO_TOKEN,
                          .on = {.output = target_output(session->checkpoint->model)}};
    if (sheet.on.output == OUTPUT_START || find_asked(&sheet, error) != STATUS_OK)
        return sheet.on.output == OUTPUT_START ? STATUS_OK : error->status;
    session->state.look.answer = (size_t)sheet.on.id;
    return STATUS_OK;
}

/* No screen may have asked how alike two sentences are. */
enum status answers_ask(struct sheet *sheet, struct error *error)
{
    struct session *session = sheet->session;
    const struct data *data = &session->data;
    sheet->before = data_before(data);
    const struct look *look = &session->state.look;
    sheet->on = derive_target(look, data, OUTPUT_COUNT);
    if (answer_of(sheet->checkpoint, sheet->encoded, sheet->trace, &sheet->task, error) !=
            STATUS_OK ||
        (!data->sentences && derive_has_sentences(data) &&
         request_make(session, REQUEST_SENTENCES, error) != STATUS_OK))
        return error->status;
    sheet->sentences = data->sentences;
    if (!sheet->output->answer)
        return STATUS_OK;
    const bool effects = sheet->output->include & (INCLUDE_EFFECTS | INCLUDE_WORDS);
    const char *silence =
        effects || sheet->encoded->site != SITE_ENCODER ? data_silence(data) : data->no_lens;
    if (*silence)
        return error_set(error, STATUS_UNSUPPORTED, "--ask: %s", silence);
    if (find_asked(sheet, error) != STATUS_OK)
        return error->status;
    if (target_has_token(sheet->on.output)) {
        sheet->on.token = derive_target(look, data, sheet->on.output).token;
        if (sheet->token == NO_TOKEN && sheet->encoded->site != SITE_ENCODER &&
            !(target_is_word(sheet->on.output) && (data->next || words_masked(data) != NO_TOKEN)))
            sheet->token = sheet->on.token;
    }
    return STATUS_OK;
}

/* With a pass of the network as it was trained, unless a screen has asked for it. */
enum status answers_make(struct sheet *sheet, struct error *error)
{
    if (answers_ask(sheet, error) != STATUS_OK ||
        (sheet->checkpoint && interventions_any(&sheet->trace->computed.changes) &&
         !sheet->before && request_make(sheet->session, REQUEST_BEFORE, error) != STATUS_OK))
        return error->status;
    sheet->before = data_before(&sheet->session->data);
    return answers_write(sheet, error);
}
