/* target.c: asks a pass for one thing, whichever head says it. */
#include "headlight/lens/target.h"

#include "headlight/base/nearest.h"
#include "headlight/lens/answers.h"
#include "headlight/lens/sentence.h"

#include <stdlib.h>

/* What a head for a task says comes first: words and pairs are what was learnt before it. */
static const enum model_output first_to_last[] = {OUTPUT_CLASSES, OUTPUT_TAGS, OUTPUT_START,
                                                  OUTPUT_MLM,     OUTPUT_LM,   OUTPUT_RTD,
                                                  OUTPUT_NSP,     OUTPUT_SOP,  OUTPUT_SENTENCE};
#define OUTPUTS (sizeof first_to_last / sizeof *first_to_last)

/* A sentence's vector needs no weights. */
static bool has_output(const struct model *model, enum model_output output)
{
    return output == OUTPUT_SENTENCE ? model->config.sentence != NULL : model->weights.has[output];
}

enum model_output target_output(const struct model *model)
{
    for (size_t i = 0; i < OUTPUTS; i++)
        if (has_output(model, first_to_last[i]))
            return first_to_last[i];
    return OUTPUT_COUNT;
}

/* ---- Asking ------------------------------------------------------------------------------- */

struct target_source target_source_of(const struct checkpoint *checkpoint,
                                      const struct encoded *encoded,
                                      const struct sentence_pair *similar)
{
    struct target_source source = {.model = checkpoint_stack(checkpoint, SITE_DECODER)->model,
                                   .encoder =
                                       encoded->site == SITE_ENCODER ? checkpoint->model : NULL,
                                   .trace = encoded_speaker(encoded)->trace,
                                   .heads = encoded->trace,
                                   .encoding = encoded->encoding};
    if (!similar)
        return source;
    source.trace = similar->encoded[0]->trace;
    source.other = similar->encoded[1]->trace;
    source.alone[0] = similar->encoded[0]->encoding;
    source.alone[1] = similar->encoded[1]->encoding;
    return source;
}

static double log_sigmoid(double logit)
{
    return logit < 0 ? logit - log1p(exp(logit)) : -log1p(exp(-logit));
}

/* log p_start(first) + log p_end(last); of equal ones the first is the best. */
static double ask_span(const struct target_source *source, struct target *target)
{
    const struct encoding *encoding = source->encoding;
    const float *start = source->trace->outputs[OUTPUT_START];
    const float *end = source->trace->outputs[OUTPUT_END];
    double best = -INFINITY;
    for (struct token_range at = {0};
         target->id == TARGET_LIKELIEST && answer_span_next(encoding, SPAN_TOKENS, &at);) {
        const double sum = (double)start[at.first] + (double)end[at.end - 1];
        if (sum <= best)
            continue;
        best = sum;
        target->token = at.first;
        target->end = at.end;
    }
    target->id = 0;
    return (double)start[target->token] - answer_span_total(encoding, start) +
           (double)end[target->end - 1] - answer_span_total(encoding, end);
}

/* One of `count` that compete, unless labels say that they don't. */
static double ask_one_of(const float *logits, size_t count, enum score_function function,
                         struct target *target)
{
    if (target->id == TARGET_LIKELIEST)
        target->id = (int32_t)predict_likeliest(logits, count);
    const double logit = (double)logits[target->id];
    return function == SCORE_NONE      ? logit
           : function == SCORE_SIGMOID ? log_sigmoid(logit)
                                       : logit - predict_total(logits, count, NULL);
}

enum status target_ask(const struct target_source *source, struct target *target, double *logprob,
                       struct error *error)
{
    const struct trace *trace = source->trace;
    const enum model_output output = target->output;
    const size_t count = trace_output_columns(trace, output);
    const bool similar = output == OUTPUT_SENTENCE;
    const bool two =
        output == OUTPUT_START || output == OUTPUT_NSP || output == OUTPUT_SOP || similar;
    if (target_is_word(output)) {
        struct head_rows *rows = NULL;
        const float *words = predict_words(source->model, trace, target->token, &rows, error);
        if (words)
            *logprob = ask_one_of(words, trace->vocabulary, SCORE_SOFTMAX, target);
        free(rows);
        return words ? STATUS_OK : error->status;
    }
    const struct encoding *encoding = similar ? NULL : source->encoding;
    bool one = two && (similar || target->id == TARGET_LIKELIEST) && !source->other;
    for (size_t i = 0; encoding && i < encoding->count; i++)
        one &= encoding->tokens[i].sentence == 0 || encoding->tokens[i].added;
    if (one)
        return error_set(error, STATUS_UNSUPPORTED,
                         "expected two texts, as the model answers about both, found one");
    if (similar) {
        target->id = 0;
        *logprob = sentence_value(source->model->config.sentence, source->trace, source->other);
        return STATUS_OK;
    }
    const float *logits = trace->outputs[output];
    const double replaced = output == OUTPUT_RTD ? (double)logits[target->token] : 0;
    if (output == OUTPUT_RTD && target->id == TARGET_LIKELIEST)
        target->id = replaced > 0;
    *logprob = output == OUTPUT_START ? ask_span(source, target)
               : output == OUTPUT_RTD ? log_sigmoid(target->id ? replaced : -replaced)
               : output == OUTPUT_CLASSES
                   ? ask_one_of(logits, count, source->model->labels.function, target)
                   : ask_one_of(logits + (output == OUTPUT_TAGS ? target->token * count : 0), count,
                                SCORE_SOFTMAX, target);
    return STATUS_OK;
}

/* ---- Names -------------------------------------------------------------------------------- */

bool target_is_score(const struct model *model, const struct target *target)
{
    return target->output == OUTPUT_SENTENCE ||
           (target->output == OUTPUT_CLASSES && model->labels.function == SCORE_NONE);
}

double target_shown(const struct model *model, const struct target *target, double logprob)
{
    return target_is_score(model, target) ? logprob : exp(logprob);
}

void target_name(const struct checkpoint *checkpoint, const struct encoded *encoded,
                 const struct target *target, char *name, size_t size)
{
    static const char *const two[OUTPUT_COUNT][2] = {
        /* of heads that say yes or no */
        [OUTPUT_RTD] = {"original", "replaced"},
        [OUTPUT_NSP] = {"B follows A", "B does not follow A"},
        [OUTPUT_SOP] = {"A before B", "B before A"},
    };
    const enum model_output output = target->output;
    const int32_t id = target->id;
    checkpoint = checkpoint_stack(checkpoint, SITE_DECODER);
    if (output == OUTPUT_START && encoded) {
        const struct passage passage =
            answer_span_passage(encoded, (struct token_range){target->token, target->end});
        format_cut(name, size, "%.*s", (int)passage.shown.length, passage.shown.bytes);
        return;
    }
    const char *known = target_is_word(output) ? tokenizer_label(checkpoint->tokenizer, target->id)
                        : output == OUTPUT_CLASSES || output == OUTPUT_TAGS
                            ? checkpoint->model->labels.names[target->id]
                        : output == OUTPUT_SENTENCE
                            ? similarity_names[checkpoint->model->config.sentence->similarity]
                        : output < OUTPUT_COUNT && (id == 0 || id == 1) ? two[output][id]
                                                                        : NULL;
    format_cut(name, size, "%s", known ? known : "?");
}

/* How many different things a head says; 0: it has no names for them. */
static size_t count_names(const struct checkpoint *checkpoint, enum model_output output)
{
    const bool labelled = output == OUTPUT_CLASSES || output == OUTPUT_TAGS;
    return labelled                                           ? checkpoint->model->labels.count
           : output == OUTPUT_SENTENCE                        ? 1
           : output == OUTPUT_START || target_is_word(output) ? 0
                                                              : 2;
}

int32_t target_piece(const struct tokenizer *tokenizer, const char *word)
{
    char spaced[256];
    struct encoding *encoding;
    struct error error;
    format_cut(spaced, sizeof spaced, " %s", word);
    const struct text text = text_of_string(spaced);
    int32_t id = -1;
    if (tokenizer_encode(tokenizer, &text, 1, false, &encoding, &error) == STATUS_OK) {
        if (encoding->count == 1 && encoding->tokens[0].id != tokenizer_unknown(tokenizer))
            id = encoding->tokens[0].id;
        free(encoding);
    }
    return id >= 0 ? id : tokenizer_find(tokenizer, word);
}

static struct token_range find_words(const struct encoded *encoded, const char *name)
{
    return encoded ? answer_span_find(encoded, 1, text_of_string(name)) : (struct token_range){0};
}

static bool find_name(const struct checkpoint *checkpoint, const struct encoded *encoded,
                      enum model_output output, const char *name, struct target *target)
{
    char known[256];
    struct target at = {.output = output};
    if (output == OUTPUT_START) {
        const struct token_range words = find_words(encoded, name);
        const size_t count = words.end - words.first;
        if (count > 0 && count <= SPAN_TOKENS)
            *target = (struct target){output, words.first, words.end, 0};
        return count > 0 && count <= SPAN_TOKENS;
    }
    for (; (size_t)at.id < count_names(checkpoint, output); at.id++) {
        target_name(checkpoint, NULL, &at, known, sizeof known);
        if (strcmp(name, known) == 0)
            break;
    }
    if (target_is_word(output))
        at.id = tokenizer_find(checkpoint->tokenizer, name);
    const size_t end = target_is_word(output) ? checkpoint->model->config.vocabulary
                                              : count_names(checkpoint, output);
    if (at.id < 0 || (size_t)at.id >= end)
        return false;
    target->output = output;
    target->id = at.id;
    return true;
}

enum status target_find(const struct checkpoint *checkpoint, const struct encoded *encoded,
                        const char *name, struct target *target, struct error *error)
{
    checkpoint = checkpoint_stack(checkpoint, SITE_DECODER);
    const struct model *model = checkpoint->model;
    const enum model_output chosen =
        target->output < OUTPUT_COUNT ? target->output : target_output(model);
    if (chosen < OUTPUT_COUNT && has_output(model, chosen) &&
        find_name(checkpoint, encoded, chosen, name, target))
        return STATUS_OK;
    for (size_t i = 0; i < OUTPUTS; i++)
        if (has_output(model, first_to_last[i]) &&
            find_name(checkpoint, encoded, first_to_last[i], name, target))
            return STATUS_OK;
    const size_t count = chosen < OUTPUT_COUNT ? count_names(checkpoint, chosen) : 0;
    const struct token_range words =
        chosen == OUTPUT_START ? find_words(encoded, name) : (struct token_range){0};
    struct nearest names = nearest_to(name);
    for (size_t i = 0; i < count; i++) { /* the names that the head has */
        char known[256];
        target_name(checkpoint, NULL, &(struct target){chosen, .id = (int32_t)i}, known,
                    sizeof known);
        nearest_offer(&names, known);
    }
    if (count > 0) {
        error_write(error, STATUS_USAGE, "expected %s, found \"%.100s\"", nearest_names(&names),
                    name);
        return nearest_suggest(&names, error);
    }
    if (chosen != OUTPUT_START)
        return error_set(error, chosen < OUTPUT_COUNT ? STATUS_USAGE : STATUS_UNSUPPORTED,
                         "expected something that the model can be asked for, found \"%.100s\"",
                         name);
    return words.end > words.first
               ? error_usage(error, "expected a span of at most %d tokens, found %zu in \"%.100s\"",
                             SPAN_TOKENS, words.end - words.first, name)
               : error_usage(error,
                             "expected words as they stand in the second text, found \"%.100s\"",
                             name);
}
