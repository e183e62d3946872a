/* page_answers.c: the model's answers for the page, all kinds in one form: rows of names and
 * shares. Each is a target (lens/target.h), which has a name, and a value before the network was
 * changed. */
#include "headlight/export/export_members.h"
#include "headlight/export/page.h"

#include "headlight/base/json.h"
#include "headlight/base/size.h"
#include "headlight/lens/predict.h"
#include "headlight/lens/sentence.h"
#include "headlight/model/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Listed in a row; of classes there are rarely more. */
#define LISTED 8

struct saying {
    const struct sheet *sheet;
    const struct kind *kind;
    struct target_source now,
        before;               /* of `before` the trace is NULL if the network is as it was */
    size_t kinds, rows, says; /* written so far, of rows and what they say those at hand */
};

/* What a model can say, by the head that says it. */
struct kind {
    enum model_output output;
    const char *name, *title;
    enum status (*say)(struct saying *saying, struct error *error);
};

/* A row, of a token or of the whole text; before the first of a kind, the kind. */
static void begin_row(struct saying *saying, size_t token)
{
    FILE *stream = saying->sheet->stream;
    if (saying->rows++ == 0)
        fprintf(stream, "%s{\"kind\":\"%s\",\"title\":\"%s\",\"rows\":[{",
                saying->kinds++ > 0 ? "," : "", saying->kind->name, saying->kind->title);
    else
        fputs("]},{", stream);
    if (token != NO_TOKEN) {
        const char *name = saying->sheet->encoded->sides[SIDE_LEFT].labels[token];
        fprintf(stream, "\"token\":%zu,\"name\":", token);
        page_write_shown(stream, name, strlen(name));
        fputc(',', stream);
    }
    fputs("\"says\":[", stream);
    saying->says = 0;
}

static void write_digits(FILE *stream, const char *name, double number)
{
    fprintf(stream, ",\"%s\":", name);
    json_write_float(stream, (float)number);
}

/* {"text":"are","share":0.91,"before":0.42} */
static enum status say(struct saying *saying, struct target on, double number, struct error *error)
{
    on.output = saying->kind->output;
    const struct sheet *sheet = saying->sheet;
    const struct model *model = sheet->checkpoint->model;
    const bool alike = on.output == OUTPUT_SENTENCE, score = alike || target_is_score(model, &on);
    char name[512];
    double before;
    target_name(sheet->checkpoint, sheet->encoded, &on, name, sizeof name);
    fputs(saying->says++ > 0 ? ",{\"text\":" : "{\"text\":", sheet->stream);
    page_write_shown(sheet->stream, name, strlen(name));
    write_digits(sheet->stream, score ? "value" : "share", number);
    if (alike && !isnan(sheet->alike->before))
        write_digits(sheet->stream, "before", sheet->alike->before);
    if (!alike && saying->before.trace) {
        if (target_ask(&saying->before, &on, &before, error) != STATUS_OK)
            return error->status;
        write_digits(sheet->stream, "before", target_shown(model, &on, before));
    }
    fputc('}', sheet->stream);
    return STATUS_OK;
}

/* ---- Kinds ---- */

/* Asked of the head itself: passes for the screen leave the logits of words out. */
static enum status say_words_at(struct saying *saying, size_t token, struct error *error)
{
    const struct trace *trace = saying->sheet->trace;
    struct target on = {saying->kind->output, token, token + 1, TARGET_LIKELIEST};
    struct prediction best[LISTED];
    double logprob;
    if (target_ask(&saying->now, &on, &logprob, error) != STATUS_OK)
        return error->status;
    const float *logits = saying->now.rows->logits;
    const size_t top = size_min(export_top(saying->sheet->output, trace), LISTED);
    const size_t count = predict_best(logits, trace->vocabulary,
                                      predict_total(logits, trace->vocabulary, NULL), best, top);
    enum status status = STATUS_OK;
    begin_row(saying, token);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        on.id = best[i].id;
        status = say(saying, on, exp(best[i].logprob), error);
    }
    return status;
}

static enum status say_words(struct saying *saying, struct error *error)
{
    const struct sheet *sheet = saying->sheet;
    const int32_t mask = tokenizer_mask(sheet->checkpoint->tokenizer);
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sheet->trace->tokens; i++)
        if (saying->kind->output == OUTPUT_LM || sheet->trace->ids[i] == mask)
            status = say_words_at(saying, i, error);
    return status;
}

static enum status say_replaced(struct saying *saying, struct error *error)
{
    const struct trace *trace = saying->sheet->trace;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < trace->tokens; i++) {
        begin_row(saying, i);
        status = say(saying, (struct target){.token = i, .end = i + 1, .id = 1},
                     (double)predict_replaced(trace, i), error);
    }
    return status;
}

/* One number of two texts. */
static enum status say_pair(struct saying *saying, struct error *error)
{
    const struct sheet *sheet = saying->sheet;
    struct target on = {.output = saying->kind->output, .id = 0};
    double number;
    if (sheet->encoded->text_count < 2)
        return STATUS_OK;
    if (target_ask(&saying->now, &on, &number, error) != STATUS_OK)
        return error->status;
    begin_row(saying, NO_TOKEN);
    return say(saying, on, target_shown(sheet->checkpoint->model, &on, number), error);
}

static enum status say_classes(struct saying *saying, struct error *error)
{
    const struct answer *answer = saying->sheet->task;
    enum status status = STATUS_OK;
    begin_row(saying, NO_TOKEN);
    for (size_t i = 0; status == STATUS_OK && i < size_min(answer->labels->count, LISTED); i++)
        status = say(saying, (struct target){.id = (int32_t)answer->scores[i].label},
                     answer->scores[i].score, error);
    return status;
}

static enum status say_tags(struct saying *saying, struct error *error)
{
    const struct answer *answer = saying->sheet->task;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < answer->tag_count; i++) {
        const struct tag *tag = &answer->tags[i];
        if (answer_is_outside(answer->labels, tag->label))
            continue;
        begin_row(saying, tag->token);
        status = say(saying, (struct target){.token = tag->token, .id = (int32_t)tag->label},
                     tag->score, error);
    }
    return status;
}

static enum status say_span(struct saying *saying, struct error *error)
{
    const struct answer *answer = saying->sheet->task;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < answer->span_count; i++) {
        const struct answer_span *span = &answer->spans[i];
        if (i == 0)
            begin_row(saying, NO_TOKEN);
        status = say(saying, (struct target){.token = span->tokens.first, .end = span->tokens.end},
                     span->score, error);
    }
    return status;
}

/* ---- The table ---- */

static const struct kind kinds[] = {
    {OUTPUT_CLASSES, "classes", "class of the text", say_classes},
    {OUTPUT_TAGS, "tags", "tags of the words", say_tags},
    {OUTPUT_START, "span", "the answer to the question", say_span},
    {OUTPUT_SENTENCE, "cosine", "similarity of the sentences", say_pair},
    {OUTPUT_MLM, "words", "the masked word", say_words},
    {OUTPUT_LM, "words", "the word that comes next", say_words},
    {OUTPUT_RTD, "tags", "whether the word was replaced", say_replaced},
    {OUTPUT_NSP, "classes", "whether B follows A", say_pair},
    {OUTPUT_SOP, "classes", "whether A and B are in order", say_pair},
};

static enum status say_kind(struct saying *saying, struct error *error)
{
    const struct sheet *sheet = saying->sheet;
    const struct model *model = sheet->checkpoint->model;
    saying->rows = 0;
    saying->now = target_source_of(model, sheet->encoded,
                                   saying->kind->output == OUTPUT_SENTENCE ? sheet->alike : NULL);
    if (target_is_word(saying->kind->output) &&
        forward_words_prepare(model, 1, &saying->now.rows, error) != STATUS_OK)
        return error->status;
    saying->before = saying->now;
    saying->before.trace = sheet->session->data.before;
    const enum status status = saying->kind->say(saying, error);
    fputs(saying->rows > 0 ? "]}]}" : "", sheet->stream);
    free(saying->now.rows);
    return status;
}

static enum status say_all(struct saying *saying, struct error *error)
{
    const struct weights *weights = model_weights(saying->sheet->checkpoint->model);
    enum status status = STATUS_OK;
    fputs(",\"answers\":[", saying->sheet->stream);
    for (size_t i = 0; status == STATUS_OK && i < sizeof kinds / sizeof *kinds; i++) {
        saying->kind = &kinds[i];
        const bool says = kinds[i].output == OUTPUT_SENTENCE ? saying->sheet->alike != NULL
                                                             : weights->has[kinds[i].output];
        if (says)
            status = say_kind(saying, error);
    }
    fputc(']', saying->sheet->stream);
    return status;
}

/* A recording says nothing. */
enum status page_write_answers(const struct output *output, FILE *stream, struct error *error)
{
    const struct encoded *encoded = output->session->data.encoded;
    struct sheet sheet = {.output = output,
                          .session = output->session,
                          .checkpoint = output->session->checkpoint,
                          .encoded = encoded,
                          .trace = encoded->trace,
                          .token = NO_TOKEN,
                          .stream = stream};
    if (!sheet.checkpoint)
        return STATUS_OK;
    enum status status = answers_ask(&sheet, error);
    if (status == STATUS_OK)
        status = say_all(&(struct saying){.sheet = &sheet}, error);
    members_free(&sheet);
    return status;
}
