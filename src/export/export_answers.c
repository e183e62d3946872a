/* export_answers.c: what the model says, as a list of objects, each of a kind. A kind is a row of
 * the table at the end: whether this model says such a thing of this text, and how it is written.
 */
#include "headlight/export/export_members.h"

#include "headlight/base/json.h"
#include "headlight/lens/figures.h"
#include "headlight/lens/predict.h"
#include "headlight/session/derive.h"

#include <math.h>

/* ---- Words ---- */

/* Pieces have no names without a vocabulary, as in a recording. */
static bool has_words(const struct sheet *sheet)
{
    return sheet->checkpoint && trace_words(sheet->trace);
}

static bool says_next(const struct sheet *sheet)
{
    return has_words(sheet) && sheet->trace->outputs[OUTPUT_LM];
}

/* The tokens whose word the model is asked for: those masked, and one at which --answer stands. */
static bool is_asked(const struct sheet *sheet, size_t token)
{
    return sheet->trace->ids[token] == tokenizer_mask(sheet->checkpoint->tokenizer) ||
           (sheet->asked != ASKED_NOTHING && sheet->token == token);
}

static bool says_masked(const struct sheet *sheet)
{
    bool any = false;
    for (size_t i = 0; has_words(sheet) && !says_next(sheet) && i < sheet->trace->tokens; i++)
        any |= is_asked(sheet, i);
    return any;
}

/* Members of an object that is open: the piece, its id and its probability. */
static void write_probable(const struct sheet *sheet, int32_t id, double probability)
{
    fputs("\"piece\":", sheet->stream);
    export_write_piece(sheet, id);
    fprintf(sheet->stream, ",\"id\":%d,\"probability\":", (int)id);
    json_write_float(sheet->stream, (float)probability);
}

/* ,"name":{…}: a piece at a token, with its place among all. */
static void write_ranked(const struct sheet *sheet, const char *name, size_t token, int32_t id)
{
    const size_t V = sheet->trace->vocabulary;
    const float *logits = trace_words(sheet->trace) + token * V;
    const double logprob = (double)logits[id] - predict_total(logits, V, NULL);
    fprintf(sheet->stream, ",\"%s\":{", name);
    write_probable(sheet, id, exp(logprob));
    fputs(",\"logprob\":", sheet->stream);
    json_write_float(sheet->stream, (float)logprob);
    fprintf(sheet->stream, ",\"rank\":%zu}", predict_rank(logits, V, (size_t)id));
}

/* The likeliest pieces at a token, and the one asked about. The object is left open. */
static void write_likeliest(const struct sheet *sheet, size_t token)
{
    const size_t count =
        predict_pieces(sheet->trace, token, sheet->best, export_top(sheet->output, sheet->trace));
    fprintf(sheet->stream, "{\"token\":%zu,\"pieces\":[", token);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",{" : "{", sheet->stream);
        write_probable(sheet, sheet->best[i].id, exp(sheet->best[i].logprob));
        fputc('}', sheet->stream);
    }
    fputc(']', sheet->stream);
    if (sheet->asked != ASKED_NOTHING)
        write_ranked(sheet, "asked", token, sheet->asked);
}

static void write_masked(const struct sheet *sheet)
{
    const char *before = ",\"masked\":[";
    for (size_t i = 0; i < sheet->trace->tokens; i++) {
        if (!is_asked(sheet, i))
            continue;
        fputs(before, sheet->stream);
        write_likeliest(sheet, i);
        fputc('}', sheet->stream);
        before = ",";
    }
    fputc(']', sheet->stream);
}

/* What comes after each token, and what truly does: nothing after the last. */
static void write_after(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    for (size_t i = 0; i < trace->tokens; i++) {
        fputs(i > 0 ? "," : ",\"after\":[", sheet->stream);
        write_likeliest(sheet, i);
        if (i + 1 < trace->tokens)
            write_ranked(sheet, "next", i, trace->ids[i + 1]);
        else
            fputs(",\"next\":null", sheet->stream);
        fputc('}', sheet->stream);
    }
    fputc(']', sheet->stream);
}

/* ---- Of tokens, of two sentences, of a text ---- */

/* ELECTRA's discriminator. */
static bool says_replaced(const struct sheet *sheet)
{
    return sheet->trace->outputs[OUTPUT_RTD];
}

static void write_replaced(const struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->trace->tokens; i++) {
        fputs(i > 0 ? "," : ",\"probabilities\":[", sheet->stream);
        json_write_float(sheet->stream, predict_replaced(sheet->trace, i));
    }
    fputc(']', sheet->stream);
}

/* Of a single sentence the head's output means nothing. */
static struct figure_value ask_pair(const struct sheet *sheet)
{
    return figure_ask(FIGURE_next, &(struct figure_at){.trace = sheet->trace,
                                                       .side = &sheet->encoded->sides[SIDE_LEFT]});
}

static bool says_pair(const struct sheet *sheet)
{
    return !*ask_pair(sheet).reason;
}

static void write_pair(const struct sheet *sheet)
{
    fputs(sheet->trace->outputs[OUTPUT_SOP] ? ",\"in_order\":" : ",\"follows\":", sheet->stream);
    json_write_float(sheet->stream, (float)ask_pair(sheet).number);
}

static bool says_sentence(const struct sheet *sheet)
{
    return sheet->trace->outputs[OUTPUT_SENTENCE] && sheet->encoded->text_count < 2;
}

/* How the vector is made; a recording doesn't tell. */
static void write_modules(const struct sheet *sheet, const struct sentence_model *sentence)
{
    char pooling[128];
    sentence_pooling_name(sentence, pooling, sizeof pooling);
    fprintf(sheet->stream, ",\"pooling\":\"%s\",\"assumed\":%s,\"modules\":[", pooling,
            sentence->given ? "false" : "true");
    const bool there[] = {true, true, sentence->dense.outputs > 0, sentence->normalized};
    for (size_t i = 0; i < SENTENCE_MODULES; i++)
        if (there[i])
            fprintf(sheet->stream, "%s\"%s\"", i > 0 ? "," : "",
                    sentence_module_name((enum sentence_module)i));
    const struct sentence_pair *alike = sheet->alike;
    const bool cut = alike ? alike->encoded[0]->cut || alike->encoded[1]->cut : sheet->encoded->cut;
    fprintf(sheet->stream, "],\"cut\":%s", cut ? "true" : "false");
}

static void write_sentence(const struct sheet *sheet)
{
    const struct sentence_model *sentence =
        sheet->checkpoint ? model_config(sheet->checkpoint->model)->sentence : NULL;
    if (sentence)
        write_modules(sheet, sentence);
    fprintf(sheet->stream, ",\"dimensions\":%zu,\"embedding\":", sheet->trace->sentence);
    export_write_row(sheet->stream, sheet->trace->outputs[OUTPUT_SENTENCE], sheet->trace->sentence);
}

static bool says_alike(const struct sheet *sheet)
{
    return sheet->alike;
}

/* What is true of one sentence by itself. */
static void write_alone(const struct sheet *sheet, enum side side)
{
    const struct encoded *alone = sheet->alike->encoded[side];
    fprintf(sheet->stream, ",\"%c\":{\"tokens\":[", side == SIDE_LEFT ? 'a' : 'b');
    encoded_write_pieces(sheet->stream, alone, SIDE_LEFT);
    fputs("],\"parts\":", sheet->stream);
    for (size_t t = 0; !sheet->alike->why_no_parts && t < alone->encoding->count; t++) {
        fputc(t > 0 ? ',' : '[', sheet->stream);
        json_write_float(sheet->stream, (float)sheet->alike->parts[side][t]);
    }
    fprintf(sheet->stream,
            "%s,\"cut\":%s,\"embedding\":", sheet->alike->why_no_parts ? "null" : "]",
            alone->cut ? "true" : "false");
    export_write_row(sheet->stream, alone->trace->outputs[OUTPUT_SENTENCE], alone->trace->sentence);
    fputc('}', sheet->stream);
}

static void write_alike(const struct sheet *sheet)
{
    const struct sentence_pair *alike = sheet->alike;
    const struct sentence_model *sentence = model_config(sheet->checkpoint->model)->sentence;
    fprintf(sheet->stream,
            ",\"function\":\"%s\",\"value\":", sentence_similarity_name(sentence->similarity));
    json_write_float(sheet->stream, (float)alike->value);
    fputs(",\"before\":", sheet->stream);
    json_write_float(sheet->stream, (float)alike->before);
    write_modules(sheet, sentence);
    fputs(",\"unparted\":", sheet->stream);
    json_write_text(sheet->stream, alike->why_no_parts);
    write_alone(sheet, SIDE_LEFT);
    write_alone(sheet, SIDE_RIGHT);
}

/* Computed here, as no screen may have asked for it. */
static enum status make_alike(struct sheet *sheet, struct error *error)
{
    const struct session *session = sheet->session;
    const struct data *data = &session->data;
    if (!derive_has_alike(data))
        return STATUS_OK;
    if (derive_alike_new(data, session->state.source.special, &sheet->alike, error) != STATUS_OK)
        return error->status;
    return derive_alike_run(data, NULL, sheet->alike, error);
}

/* ---- Of a task ---- */

static bool says_task(const struct sheet *sheet, enum answer_kind kind)
{
    return sheet->task && sheet->task->kind == kind;
}

static bool says_classes(const struct sheet *sheet)
{
    return says_task(sheet, ANSWER_CLASSES);
}

/* A member after a comma, and all that is said of a place. */
static void write_score(const struct sheet *sheet, const char *name, double score)
{
    fprintf(sheet->stream, ",\"%s\":", name);
    json_write_float(sheet->stream, (float)score);
}

static void write_passage(const struct sheet *sheet, const struct passage *passage)
{
    fprintf(sheet->stream, ",\"start\":%zu,\"end\":%zu", passage->start, passage->end);
}

/* Which text a place is in is only said where there are two. */
static void write_sentence_of(const struct sheet *sheet, const struct passage *passage)
{
    write_passage(sheet, passage);
    if (sheet->encoded->text_count > 1)
        fprintf(sheet->stream, ",\"sentence\":%zu", passage->sentence);
    fputc('}', sheet->stream);
}

static void write_classes(const struct sheet *sheet)
{
    const struct labels *labels = sheet->task->labels;
    fprintf(sheet->stream, ",\"function\":\"%s\",\"scores\":[",
            labels_function_name(labels->function));
    for (size_t i = 0; i < labels->count; i++) {
        fputs(i > 0 ? ",{\"label\":" : "{\"label\":", sheet->stream);
        json_write_text(sheet->stream, labels->names[sheet->task->scores[i].label]);
        write_score(sheet, "score", sheet->task->scores[i].score);
        fputc('}', sheet->stream);
    }
    fputc(']', sheet->stream);
}

static bool says_tags(const struct sheet *sheet)
{
    return says_task(sheet, ANSWER_TAGS);
}

/* As the pipeline's two strategies "none" and "simple" name it. */
static void write_tags(const struct sheet *sheet)
{
    const struct answer *answer = sheet->task;
    const char *before = "{\"entity\":";
    fputs(",\"tokens\":[", sheet->stream);
    for (size_t i = 0; i < answer->tag_count; i++) {
        const struct tag *tag = &answer->tags[i];
        if (answer_is_outside(answer->labels, tag->label))
            continue;
        fputs(before, sheet->stream);
        json_write_text(sheet->stream, answer->labels->names[tag->label]);
        write_score(sheet, "score", tag->score);
        fprintf(sheet->stream, ",\"index\":%zu,\"word\":", tag->token);
        json_write_string(sheet->stream, tag->word.bytes, tag->word.length);
        write_sentence_of(sheet, &tag->passage);
        before = ",{\"entity\":";
    }
    fputs("],\"groups\":[", sheet->stream);
    for (size_t i = 0; i < answer->group_count; i++) {
        const struct tag_group *group = &answer->groups[i];
        fputs(i > 0 ? ",{\"entity_group\":" : "{\"entity_group\":", sheet->stream);
        json_write_text(sheet->stream, group->name);
        write_score(sheet, "score", group->score);
        fputs(",\"word\":", sheet->stream);
        json_write_text(sheet->stream, group->word);
        write_sentence_of(sheet, &group->passage);
    }
    fputc(']', sheet->stream);
}

/* Without a second text there is nothing to find the answer in. */
static bool says_span(const struct sheet *sheet)
{
    return says_task(sheet, ANSWER_SPAN) && sheet->task->span_count > 0;
}

/* Members of an object that is open. */
static void write_words(const struct sheet *sheet, const struct passage *passage, double score)
{
    fputs("\"answer\":", sheet->stream);
    json_write_string(sheet->stream, passage->text.bytes, passage->text.length);
    write_passage(sheet, passage);
    write_score(sheet, "score", score);
}

/* The span of --answer, with its place among all. */
static void write_asked_span(const struct sheet *sheet)
{
    const struct encoded *encoded = sheet->encoded;
    const struct target_source source = target_source_of(sheet->checkpoint->model, encoded, NULL);
    const struct answer_read read = {.encoding = encoded->encoding, .texts = encoded->texts};
    const struct token_range tokens = {sheet->on.token, sheet->on.end};
    const struct passage passage = answer_span_passage(&read, tokens);
    struct target on = sheet->on;
    struct error error;
    double logprob;
    if (target_ask(&source, &on, &logprob, &error) != STATUS_OK)
        return; /* not of a span that is given */
    fputs(",\"asked\":{", sheet->stream);
    write_words(sheet, &passage, exp(logprob));
    write_score(sheet, "logprob", logprob);
    fprintf(sheet->stream, ",\"rank\":%zu}",
            answer_span_rank(encoded->encoding, sheet->trace->outputs[OUTPUT_START],
                             sheet->trace->outputs[OUTPUT_END], tokens));
}

static void write_span(const struct sheet *sheet)
{
    const struct answer *answer = sheet->task;
    fputs(",\"best\":[", sheet->stream);
    for (size_t i = 0; i < answer->span_count; i++) {
        fputs(i > 0 ? ",{" : "{", sheet->stream);
        write_words(sheet, &answer->spans[i].passage, answer->spans[i].score);
        fputc('}', sheet->stream);
    }
    fputc(']', sheet->stream);
    if (sheet->on.output == OUTPUT_START && sheet->on.id != TARGET_LIKELIEST)
        write_asked_span(sheet);
    write_score(sheet, "null", answer->none);
    fprintf(sheet->stream, ",\"impossible\":%s", answer_is_none(answer) ? "true" : "false");
}

/* ---- The table ---- */

static const struct {
    const char *kind;
    bool (*says)(const struct sheet *sheet);
    void (*write)(const struct sheet *sheet); /* its members, each after a comma */
} kinds[] = {
    {"words", says_masked, write_masked},
    {"words", says_next, write_after},
    {"replaced", says_replaced, write_replaced},
    {"pair", says_pair, write_pair},
    {"sentence", says_sentence, write_sentence},
    {"similarity", says_alike, write_alike},
    {"classes", says_classes, write_classes},
    {"tags", says_tags, write_tags},
    {"span", says_span, write_span},
};

/* Why there is no answer. */
static void write_silence(const struct sheet *sheet)
{
    fputs("],\"silent\":", sheet->stream);
    json_write_text(sheet->stream, says_task(sheet, ANSWER_SPAN)
                                       ? "expected a question and a text that answers it, found "
                                         "one text"
                                   : *sheet->speechless
                                       ? sheet->speechless
                                       : "no token is masked: expected one for the model to guess");
    fputc(',', sheet->stream);
}

void answers_write(const struct sheet *sheet)
{
    bool said = false;
    fputs("\"answers\":[", sheet->stream);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i].says(sheet))
            continue;
        fprintf(sheet->stream, "%s{\"kind\":\"%s\"", said ? "," : "", kinds[i].kind);
        kinds[i].write(sheet);
        fputc('}', sheet->stream);
        said = true;
    }
    if (said)
        fputs("],", sheet->stream);
    else
        write_silence(sheet);
    const char *note = sheet->session->data.note;
    if (note && *note && sheet->encoded == sheet->session->data.encoded)
        export_write_name(sheet->stream, "note", note);
}

/* ---- --answer ---- */

/* The message shows how pieces are spelt, with one of the text. */
static enum status find_asked(struct sheet *sheet, struct error *error)
{
    const char *answer = sheet->output->answer;
    size_t shown = sheet->token < sheet->trace->tokens ? sheet->token : sheet->trace->tokens / 2;
    if (target_find(sheet->checkpoint, sheet->encoded, answer, &sheet->on, error) == STATUS_OK) {
        sheet->asked = target_is_word(sheet->on.output) ? sheet->on.id : ASKED_NOTHING;
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

enum status answers_ask(struct sheet *sheet, struct error *error)
{
    const struct data *data = &sheet->session->data;
    sheet->asked = ASKED_NOTHING;
    sheet->on = (struct target){.output = derive_output(&sheet->session->state.look, data),
                                .id = TARGET_LIKELIEST};
    if (answer_of(sheet->checkpoint, sheet->encoded, sheet->trace, &sheet->task, error) !=
            STATUS_OK ||
        make_alike(sheet, error) != STATUS_OK)
        return error->status;
    if (!sheet->output->answer)
        return STATUS_OK;
    if (*data_silence(data))
        return error_set(error, STATUS_UNSUPPORTED, "--ask: %s", data_silence(data));
    if (find_asked(sheet, error) != STATUS_OK)
        return error->status;
    if (!target_has_token(sheet->on.output) || sheet->token != NO_TOKEN ||
        (target_is_word(sheet->on.output) && (says_masked(sheet) || says_next(sheet))))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--ask: expected a token at which it stands, found none masked and none "
                     "chosen: add --select TOKEN");
}
