/* asked.c: one text's answer, and two models' passes over it. */
#include "headlight/survey/asked.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/lens/cosine.h"
#include "headlight/survey/prepared.h"
#include "headlight/text/unicode.h"
#include "headlight/text/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 256

/* ---- The question -------------------------------------------------------------------------- */

struct question {
    bool asked; /* false: nothing can be */
    struct target target;
    struct masked masked; /* the word that the answer is about; or none */
};

static const char *label_of(const struct tokenizer *tokenizer, const struct token *token)
{
    const char *label = tokenizer_label(tokenizer, token->id);
    return label ? label : "";
}

/* One piece that is a word, as far as pieces tell: no punctuation, no part of a longer one. */
static bool is_word(const struct encoding *encoding, const char *const *labels, size_t t,
                    enum word_marks marks)
{
    const char *part = words_part(labels[t], false, marks);
    int32_t code;
    if (encoding->tokens[t].added || !words_is_known(labels[t]) || !*part ||
        words_continue(labels, NULL, t, marks) ||
        (t + 1 < encoding->count && words_continue(labels, NULL, t + 1, marks)))
        return false;
    unicode_next(part, strlen(part), &code);
    return !unicode_is_punctuation(code);
}

/* The token that the hash chooses of those that are words; NO_PLACE if there are none. The hash's
 * upper half, as shards go by the lower bits; without a seed, so that it is the same in any sample.
 */
static enum status choose_word(const struct tokenizer *tokenizer, const struct corpus_text *text,
                               const struct encoding *encoding, size_t *chosen, struct error *error)
{
    const uint64_t hash = corpus_hash(text->id, strlen(text->id), 0) >> 32;
    const char **labels = memory_new(encoding->count, sizeof *labels, 0, "a text", error);
    size_t count = 0;
    *chosen = NO_PLACE;
    if (!labels)
        return error->status;
    for (size_t t = 0; t < encoding->count; t++)
        labels[t] = label_of(tokenizer, &encoding->tokens[t]);
    const enum word_marks marks = words_marks(labels, encoding->count);
    for (size_t t = 0; t < encoding->count; t++)
        count += is_word(encoding, labels, t, marks);
    for (size_t t = 0, place = count > 0 ? hash % count : 0; t < encoding->count && count > 0; t++)
        if (is_word(encoding, labels, t, marks) && place-- == 0)
            *chosen = t;
    free(labels);
    return STATUS_OK;
}

/* Where the answer is, and what is masked for it. */
static enum status find_place(const struct checkpoint *checkpoint, const struct corpus_text *text,
                              const struct encoding *encoding, struct question *question,
                              struct error *error)
{
    struct target *target = &question->target;
    const int32_t mask = tokenizer_mask(checkpoint->tokenizer);
    *question = (struct question){true, {.id = TARGET_LIKELIEST}, {0}};
    target->output = target_output(checkpoint->model);
    if (!target_has_token(target->output))
        return STATUS_OK;
    if (target_is_word(target->output)) {
        for (size_t t = 0; t < encoding->count && mask >= 0; t++)
            if (encoding->tokens[t].id == mask) {
                target->token = t;
                return STATUS_OK;
            }
    }
    if (choose_word(checkpoint->tokenizer, text, encoding, &target->token, error) != STATUS_OK)
        return error->status;
    question->asked = target->token != NO_PLACE;
    if (!question->asked || !target_is_word(target->output))
        return STATUS_OK;
    question->asked = mask >= 0;
    question->masked = (struct masked){1, {target->token}};
    target->id = encoding->tokens[target->token].id;
    return STATUS_OK;
}

/* The tag that the text gives to the word of a token; of length 0 if none. */
static struct text tag_of(const struct corpus_text *text, const struct token *token)
{
    for (size_t k = 0; text->words && text->tags && k < text->word_count; k++) {
        const struct text form = text->words[k].form;
        const size_t end = (size_t)(form.bytes - text->texts[0].bytes) + form.length;
        if (token->sentence == 0 && token->span.end <= end)
            return text->tags[k];
    }
    return (struct text){"", 0};
}

/* What the text says is right, where it does. */
static enum status find_answer(const struct checkpoint *checkpoint, const struct corpus_text *text,
                               const struct encoding *encoding, struct question *question,
                               struct error *error)
{
    struct target *target = &question->target, named = *target;
    const struct token *token = &encoding->tokens[target->token];
    const bool word = target_is_word(target->output);
    const struct text given = word                               ? text->answer
                              : target->output == OUTPUT_CLASSES ? text->label
                              : target->output == OUTPUT_TAGS    ? tag_of(text, token)
                                                                 : (struct text){"", 0};
    char name[NAME_SIZE];
    if (given.length == 0 || (word && question->masked.count > 0))
        return STATUS_OK;
    format_cut(name, sizeof name, "%.*s", (int)given.length, given.bytes);
    if (word && (named.id = target_piece(checkpoint->tokenizer, name)) < 0)
        return error_set(error, STATUS_USAGE, "\"answer\" expected one word piece, found \"%s\"",
                         name);
    if (!word && target_find(checkpoint, NULL, name, &named, error) != STATUS_OK)
        return error->status;
    *target = named;
    return STATUS_OK;
}

/* ---- Passes -------------------------------------------------------------------------------- */

/* NULL for `encoding`: as the checkpoint's own tokenizer reads the text, in the network as it was
 * trained. */
static enum status pass(const struct asking *asking, const struct checkpoint *checkpoint,
                        const struct corpus_text *text, const struct encoding *encoding,
                        const struct masked *masked, struct encoded **encoded, struct error *error)
{
    const struct reading how = {asking->special, false,
                                masked && masked->count > 0 ? masked : asking->masked, encoding};
    if (encoded_new(checkpoint, text->texts, text->text_count, how, encoded, error) != STATUS_OK)
        return error->status;
    const enum status status = forward_run(checkpoint->model, encoding ? asking->changes : NULL,
                                           NULL, (*encoded)->trace, error);
    if (status != STATUS_OK) {
        encoded_free(*encoded);
        *encoded = NULL;
    }
    return status;
}

static enum status measure_effects(const struct asking *asking, const struct corpus_text *text,
                                   const struct encoding *encoding, struct survey_asked *asked,
                                   struct error *error)
{
    const struct checkpoint *checkpoint = asking->checkpoint;
    struct question question;
    struct encoded *encoded;
    if (find_place(checkpoint, text, encoding, &question, error) != STATUS_OK)
        return error->status;
    if (!question.asked)
        return STATUS_OK;
    if (find_answer(checkpoint, text, encoding, &question, error) != STATUS_OK ||
        pass(asking, checkpoint, text, encoding, &question.masked, &encoded, error) != STATUS_OK)
        return error->status;
    const struct target_source source = target_source_of(checkpoint->model, encoded, NULL);
    const enum status status =
        effects_measure(&source, &question.target, NULL, &asked->effects, error);
    encoded_free(encoded);
    return status == STATUS_UNSUPPORTED ? STATUS_OK : status; /* it needs a second text */
}

/* ---- Two models ---------------------------------------------------------------------------- */

/* Both read the same text, with or without a word of it masked. */
struct readings {
    const struct checkpoint *checkpoints[2];
    struct encoded *encoded[2];
};

static void free_readings(struct readings *readings)
{
    encoded_free(readings->encoded[0]);
    encoded_free(readings->encoded[1]);
}

static bool has_same_pieces(const struct encoded *a, const struct encoded *b)
{
    bool same = a && b && a->trace->tokens == b->trace->tokens;
    for (size_t t = 0; same && t < a->trace->tokens; t++)
        same = strcmp(a->pieces[t], b->pieces[t]) == 0;
    return same;
}

static enum status read_both(const struct asking *asking, const struct corpus_text *text,
                             const struct encoding *encoding, const struct masked *masked,
                             struct readings *readings, struct error *error)
{
    *readings = (struct readings){.checkpoints = {asking->checkpoint, asking->against}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 2 && status == STATUS_OK; i++)
        status = pass(asking, readings->checkpoints[i], text, i == 0 ? encoding : NULL, masked,
                      &readings->encoded[i], error);
    if (status == STATUS_OK && has_same_pieces(readings->encoded[0], readings->encoded[1]))
        return STATUS_OK;
    free_readings(readings);
    if (status != STATUS_OK)
        return status;
    return error_set(error, STATUS_MISMATCH, "%s cuts the text up into other tokens",
                     asking->against->name);
}

/* Counts an answer, and whether the likeliest one has another name in the other model. */
static enum status ask_both(const struct readings *readings, const struct target *on,
                            struct survey_asked *asked, struct error *error)
{
    char names[2][NAME_SIZE];
    double logprob;
    for (size_t i = 0; i < 2; i++) {
        const struct model *model = readings->checkpoints[i]->model;
        struct target_source source = target_source_of(model, readings->encoded[i], NULL);
        struct target target = *on;
        target.id = TARGET_LIKELIEST;
        enum status status = target_prepare(model, on->output, &source.rows, error);
        if (status == STATUS_OK)
            status = target_ask(&source, &target, &logprob, error);
        free(source.rows);
        if (status != STATUS_OK)
            return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
        target_name(readings->checkpoints[i], readings->encoded[i], &target, names[i], NAME_SIZE);
    }
    asked->answers++;
    asked->flipped += strcmp(names[0], names[1]) != 0;
    return STATUS_OK;
}

/* Of a model of tags every token that isn't added has an answer. */
static enum status ask_tokens(const struct readings *readings, const struct encoding *encoding,
                              struct survey_asked *asked, struct error *error)
{
    for (size_t t = 0; t < encoding->count; t++)
        if (!encoding->tokens[t].added &&
            ask_both(readings, &(struct target){OUTPUT_TAGS, .token = t}, asked, error) !=
                STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* Whether both say the same kind of thing. */
static enum status compare_answers(const struct asking *asking, const struct corpus_text *text,
                                   const struct encoding *encoding, const struct readings *plain,
                                   struct survey_asked *asked, struct error *error)
{
    struct question question;
    struct readings masked;
    const enum model_output output = target_output(asking->checkpoint->model);
    if (output != target_output(asking->against->model) || !target_is_asked(output) ||
        output == OUTPUT_SENTENCE)
        return STATUS_OK;
    if (output == OUTPUT_TAGS)
        return ask_tokens(plain, encoding, asked, error);
    if (find_place(asking->checkpoint, text, encoding, &question, error) != STATUS_OK)
        return error->status;
    if (!question.asked || question.masked.count == 0)
        return question.asked ? ask_both(plain, &question.target, asked, error) : STATUS_OK;
    if (read_both(asking, text, encoding, &question.masked, &masked, error) != STATUS_OK)
        return error->status;
    const enum status status = ask_both(&masked, &question.target, asked, error);
    free_readings(&masked);
    return status;
}

/* At every level the sum over the tokens; a vector of zeros, which has no direction, adds 0. */
static enum status add_cosines(const struct readings *readings, struct survey_asked *asked,
                               struct error *error)
{
    const struct trace *a = readings->encoded[0]->trace, *b = readings->encoded[1]->trace;
    if (a->hidden != b->hidden)
        return STATUS_OK;
    asked->cosines = memory_new(a->layers + 1, sizeof *asked->cosines, 0, "the cosines", error);
    if (!asked->cosines)
        return error->status;
    for (size_t level = 0; level <= a->layers; level++)
        for (size_t t = 0; t < a->tokens; t++) {
            const double cosine = cosine_at(&(struct occurrence){a, {t, t + 1}},
                                            &(struct occurrence){b, {t, t + 1}}, level);
            asked->cosines[level] += isnan(cosine) ? 0 : cosine;
        }
    return STATUS_OK;
}

static enum status measure_moved(const struct asking *asking, const struct corpus_text *text,
                                 const struct encoding *encoding, struct survey_asked *asked,
                                 struct error *error)
{
    struct readings plain;
    if (read_both(asking, text, encoding, NULL, &plain, error) != STATUS_OK)
        return error->status;
    enum status status =
        moved_measure(plain.encoded[0]->trace, plain.encoded[1]->trace, NULL, &asked->moved, error);
    if (status == STATUS_OK)
        status = add_cosines(&plain, asked, error);
    if (status == STATUS_OK)
        status = compare_answers(asking, text, encoding, &plain, asked, error);
    free_readings(&plain);
    return status;
}

/* ---- All of it ----------------------------------------------------------------------------- */

enum status asking_check(const struct asking *asking, struct error *error)
{
    const struct config *own = model_config(asking->checkpoint->model);
    const enum model_output output = target_output(asking->checkpoint->model);
    if (asking->each_head && (!target_is_asked(output) || output == OUTPUT_SENTENCE))
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: effects need a model that answers something: words, labels or tags",
                         asking->checkpoint->name);
    const struct config *other = asking->against ? model_config(asking->against->model) : own;
    if (own->layers != other->layers || own->heads != other->heads)
        return error_set(error, STATUS_MISMATCH,
                         "%s: expected %zu layers of %zu heads, as the other model has, found %zu "
                         "of %zu",
                         asking->against->name, own->layers, own->heads, other->layers,
                         other->heads);
    return STATUS_OK;
}

enum status asked_measure(const struct asking *asking, const struct corpus_text *text,
                          const struct encoding *encoding, struct survey_asked *asked,
                          struct error *error)
{
    *asked = (struct survey_asked){0};
    if ((asking->against && measure_moved(asking, text, encoding, asked, error) != STATUS_OK) ||
        (asking->each_head && measure_effects(asking, text, encoding, asked, error) != STATUS_OK)) {
        asked_free(asked);
        return error->status;
    }
    return STATUS_OK;
}

/* Means of a text over so many rows. */
static void add_means(struct survey *survey, enum survey_figure figure, const double *means,
                      size_t rows)
{
    int64_t *numbers = survey_figure(survey, figure)->numbers;
    numbers[0] += (int64_t)rows;
    numbers[1] += (int64_t)(rows * rows);
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        survey_add_figure(survey, figure, i, means[i] * (double)rows, rows);
}

static void add_moved(struct survey *survey, const struct survey_asked *asked)
{
    const size_t T = asked->moved->tokens;
    int64_t *counts = survey_at(survey, ROW_COMPARED, 0)->numbers;
    add_means(survey, SURVEY_MOVED, asked->moved->divergence, T);
    for (size_t level = 0; asked->cosines && level <= survey->layers; level++)
        survey_at(survey, ROW_COSINES, level)->numbers[0] += survey_units(asked->cosines[level]);
    counts[SURVEY_VECTORS] += asked->cosines ? (int64_t)T : 0;
    counts[SURVEY_ANSWERS] += (int64_t)asked->answers;
    counts[SURVEY_FLIPPED] += (int64_t)asked->flipped;
}

/* One answer a text: what is counted of effects is texts. */
void asked_add(struct survey *survey, const struct survey_asked *asked)
{
    if (asked->effects)
        add_means(survey, SURVEY_EFFECT, asked->effects->change, 1);
    if (asked->moved)
        add_moved(survey, asked);
}

void asked_free(struct survey_asked *asked)
{
    free(asked->effects);
    free(asked->moved);
    free(asked->cosines);
    *asked = (struct survey_asked){0};
}
