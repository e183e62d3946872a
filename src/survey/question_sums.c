/* question_sums.c: one text's answer, and two models' passes over it. */
#include "headlight/survey/question_sums.h"

#include "headlight/base/memory.h"
#include "headlight/survey/text_rows.h"

#define NAME_SIZE 256

/* ---- The question -------------------------------------------------------------------------- */

struct text_question {
    bool open; /* false: nothing can be asked */
    struct target target;
    struct masked masked; /* the word that the answer is about; or none */
};

/* One piece that is a word, as far as pieces tell: no punctuation, no part of a longer one. */
static bool is_word(const struct encoding *encoding, const char *const *labels, size_t t,
                    enum word_marks marks)
{
    const char *part = words_part(labels[t], false, marks);
    return !encoding->tokens[t].added && words_is_known(labels[t]) && *part &&
           !words_continue(labels, NULL, t, marks) &&
           (t + 1 == encoding->count || !words_continue(labels, NULL, t + 1, marks)) &&
           !words_is_punctuation(part);
}

/* The token that the hash chooses of those from `first` on that are words; NO_INDEX if there are
 * none. The hash's upper half, as shards go by the lower bits; without a seed, so that it is the
 * same in any sample. */
static enum status choose_word(const struct tokenizer *tokenizer, const struct corpus_text *text,
                               const struct encoding *encoding, size_t first, size_t *chosen,
                               struct error *error)
{
    const uint64_t hash = corpus_hash(text->id, strlen(text->id), 0) >> 32;
    const char **labels = memory_new(encoding->count, sizeof *labels, 0, "a text", error);
    size_t count = 0;
    *chosen = NO_INDEX;
    if (!labels)
        return error->status;
    for (size_t t = 0; t < encoding->count; t++) {
        const char *label = tokenizer_label(tokenizer, encoding->tokens[t].id);
        labels[t] = label ? label : "";
    }
    const enum word_marks marks = words_marks(labels, encoding->count);
    for (size_t t = first; t < encoding->count; t++)
        count += is_word(encoding, labels, t, marks);
    for (size_t t = first, left = count > 0 ? hash % count : 0; t < encoding->count && count > 0;
         t++)
        if (is_word(encoding, labels, t, marks) && left-- == 0)
            *chosen = t;
    free(labels);
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

/* Where the answer is, what is masked for it, and what the text says is right, if it does. A model
 * that says what comes next is asked for a word by the token before it. */
static enum status find_question(const struct question_plan *plan, const struct corpus_text *text,
                                 const struct encoding *encoding, struct text_question *question,
                                 struct error *error)
{
    const struct checkpoint *checkpoint = plan->checkpoint;
    const enum model_output output = target_output(checkpoint->model);
    const int32_t mask = tokenizer_mask(checkpoint->tokenizer);
    const bool word = target_is_word(output), next = output == OUTPUT_LM;
    struct target *target = &question->target;
    char name[NAME_SIZE];
    *question = (struct text_question){true, {.output = output, .id = TARGET_LIKELIEST}, {0}};
    while (word && target->token < encoding->count &&
           (next || mask < 0 || encoding->tokens[target->token].id != mask))
        target->token++;
    if (word ? target->token == encoding->count : target_has_token(output)) {
        if (choose_word(checkpoint->tokenizer, text, encoding, next, &target->token, error) !=
            STATUS_OK)
            return error->status;
        question->open = target->token != NO_INDEX && (!word || next || mask >= 0);
        if (!question->open)
            return STATUS_OK;
        if (word) {
            target->id = encoding->tokens[target->token].id;
            if (next)
                target->token--;
            else
                question->masked = (struct masked){1, {target->token}};
            return STATUS_OK;
        }
    }
    const struct text given = word                       ? text->answer
                              : output == OUTPUT_CLASSES ? text->label
                              : output == OUTPUT_TAGS
                                  ? tag_of(text, &encoding->tokens[target->token])
                                  : (struct text){"", 0};
    if (given.length == 0 || !plan->each_head)
        return STATUS_OK;
    format_cut(name, sizeof name, "%.*s", (int)given.length, given.bytes);
    if (!word)
        return target_find(checkpoint, NULL, name, target, error);
    target->id = target_piece(checkpoint->tokenizer, name);
    return target->id >= 0
               ? STATUS_OK
               : error_usage(error, "\"answer\" expected one word piece, found \"%s\"", name);
}

/* ---- Passes -------------------------------------------------------------------------------- */

/* The other model's is as its own tokenizer reads the text, in the network as it was trained. */
static enum status run_passes(const struct question_plan *plan, const struct corpus_text *text,
                              const struct encoding *encoding, const struct masked *masked,
                              struct encoded *both[2], struct error *error)
{
    const struct checkpoint *checkpoints[2] = {plan->checkpoint, plan->against};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 2 && checkpoints[i] && status == STATUS_OK; i++) {
        const struct reading how = {plan->special, false, masked, i == 0 ? encoding : NULL,
                                    false,         NULL};
        status = encoded_new(checkpoints[i], text->texts, text->text_count, how, &both[i], error);
        if (status == STATUS_OK)
            status =
                encoded_run(checkpoints[i], i == 0 ? plan->changes : NULL, NULL, both[i], error);
    }
    if (status != STATUS_OK || !plan->against)
        return status;
    bool same = both[0]->trace->tokens == both[1]->trace->tokens;
    for (size_t t = 0; same && t < both[0]->trace->tokens; t++)
        same = strcmp(both[0]->pieces[t], both[1]->pieces[t]) == 0;
    return same ? STATUS_OK
                : error_set(error, STATUS_MISMATCH, "%s cuts the text up into other tokens",
                            plan->against->name);
}

/* Counts an answer, or of a model of tags one for every token that isn't added, and whether the
 * likeliest has another name in the other model. */
static enum status compare_answers(const struct question_plan *plan, struct encoded *const both[2],
                                   const struct target *on, struct question_sums *sums,
                                   struct error *error)
{
    const struct checkpoint *checkpoints[2] = {plan->checkpoint, plan->against};
    const struct encoding *encoding = both[0]->encoding;
    const bool tags = on->output == OUTPUT_TAGS;
    const size_t end = tags ? encoding->count : on->token + 1;
    for (size_t t = tags ? 0 : on->token; t < end; t++) {
        char names[2][NAME_SIZE];
        if (tags && encoding->tokens[t].added)
            continue;
        for (size_t i = 0; i < 2; i++) {
            const struct target_source source = target_source_of(checkpoints[i], both[i], NULL);
            struct target said = {.output = on->output, .token = t, .id = TARGET_LIKELIEST};
            double logprob;
            const enum status status = target_ask(&source, &said, &logprob, error);
            if (status != STATUS_OK)
                return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
            target_name(checkpoints[i], both[i], &said, names[i], NAME_SIZE);
        }
        sums->answers++;
        sums->flipped += strcmp(names[0], names[1]) != 0;
    }
    return STATUS_OK;
}

/* ---- All of it ----------------------------------------------------------------------------- */

enum status question_plan_check(const struct question_plan *plan, struct error *error)
{
    const struct config *own = &plan->checkpoint->model->config;
    const enum model_output output = target_output(plan->checkpoint->model);
    if (plan->each_head && (output == OUTPUT_COUNT || output == OUTPUT_SENTENCE))
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: effects need a model that answers something: words, labels or tags",
                         plan->checkpoint->name);
    if (plan->each_head && output == OUTPUT_MLM && tokenizer_mask(plan->checkpoint->tokenizer) < 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: effects on words need a mask, which its tokenizer doesn't name",
                         plan->checkpoint->name);
    const struct config *other = plan->against ? &plan->against->model->config : own;
    if (own->layers != other->layers || own->heads != other->heads)
        return error_set(error, STATUS_MISMATCH,
                         "%s: expected %zu layers of %zu heads, as the other model has, found %zu "
                         "of %zu",
                         plan->against->name, own->layers, own->heads, other->layers, other->heads);
    return STATUS_OK;
}

/* Of the passes of the text as it is and, if the question masks a word, of those with it masked. */
static enum status measure(const struct question_plan *plan, const struct corpus_text *text,
                           const struct encoding *encoding, struct encoded *passes[2][2],
                           struct question_sums *sums, struct error *error)
{
    const enum model_output output = target_output(plan->checkpoint->model);
    const bool compares = plan->against && output == target_output(plan->against->model) &&
                          output != OUTPUT_COUNT && output != OUTPUT_SENTENCE;
    struct text_question question = {.open = false};
    enum status status = STATUS_OK;
    if (plan->each_head || compares)
        status = find_question(plan, text, encoding, &question, error);
    const bool masks = question.open && question.masked.count > 0;
    if (status == STATUS_OK && (plan->against || (question.open && !masks)))
        status = run_passes(plan, text, encoding, plan->masked, passes[0], error);
    if (status == STATUS_OK && masks)
        status = run_passes(plan, text, encoding, &question.masked, passes[1], error);
    if (status == STATUS_OK && plan->against) {
        const struct trace *a = passes[0][0]->trace, *b = passes[0][1]->trace;
        sums->vectors = a->hidden == b->hidden;
        status = divergence_measure(a, b, NULL, &sums->divergence, error);
    }
    if (status == STATUS_OK && compares && (question.open || output == OUTPUT_TAGS))
        status = compare_answers(plan, passes[masks], &question.target, sums, error);
    if (status != STATUS_OK || !plan->each_head || !question.open)
        return status;
    const struct target_source source = target_source_of(plan->checkpoint, passes[masks][0], NULL);
    status = effects_measure(&source, &question.target, NULL, &sums->effects, error);
    return status == STATUS_UNSUPPORTED ? STATUS_OK : status; /* it needs a second text */
}

enum status question_sums_measure(const struct question_plan *plan, const struct corpus_text *text,
                                  const struct encoding *encoding, struct question_sums *sums,
                                  struct error *error)
{
    struct encoded *passes[2][2] = {{NULL, NULL}, {NULL, NULL}};
    *sums = (struct question_sums){0};
    const enum status status = measure(plan, text, encoding, passes, sums, error);
    for (size_t i = 0; i < 4; i++)
        encoded_free(passes[i / 2][i % 2]);
    if (status != STATUS_OK)
        question_sums_free(sums);
    return status;
}

/* Means of a text over so many rows. */
static void add_means(struct survey *survey, enum metric figure, const double *means, size_t rows)
{
    int64_t *numbers = survey_figure(survey, figure)->numbers;
    numbers[0] += (int64_t)rows;
    numbers[1] += (int64_t)(rows * rows);
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        survey_add_figure(survey, figure, i, means[i] * (double)rows, rows);
}

/* One answer a text: what is counted of effects is texts. Of cosines at every level the sum over
 * the tokens; a vector of zeros, which has no direction, adds 0. */
void question_sums_add(struct survey *survey, const struct question_sums *sums)
{
    if (sums->effects)
        add_means(survey, METRIC_EFFECT, sums->effects->change, 1);
    if (!sums->divergence)
        return;
    const size_t T = sums->divergence->tokens;
    int64_t *counts = survey_at(survey, ROW_COMPARED, 0)->numbers;
    add_means(survey, METRIC_MOVED, sums->divergence->bits, T);
    for (size_t level = 0; sums->vectors && level <= survey->layers; level++) {
        double sum = 0;
        for (size_t t = 0; t < T; t++) {
            const double cosine = sums->divergence->cosines[level * T + t];
            sum += isnan(cosine) ? 0 : cosine;
        }
        survey_at(survey, ROW_COSINES, level)->numbers[0] += survey_units(sum);
    }
    counts[SURVEY_VECTORS] += sums->vectors ? (int64_t)T : 0;
    counts[SURVEY_ANSWERS] += (int64_t)sums->answers;
    counts[SURVEY_FLIPPED] += (int64_t)sums->flipped;
}

void question_sums_free(struct question_sums *sums)
{
    free(sums->effects);
    free(sums->divergence);
    *sums = (struct question_sums){0};
}
