/* merge.c: adds the sums of one survey to another's. Sums are added, names and texts are matched,
 * and of both examples the best stay: so the parts of a corpus make the whole. */
#include "headlight/base/memory.h"
#include "headlight/survey/survey.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Whether they belong together ---------------------------------------------------------- */

static const char *has(const struct survey *survey, enum survey_figure figure)
{
    return survey_has(survey, figure) ? "yes" : "no";
}

static const char *other_of(const struct survey *survey)
{
    return survey->origin.against ? survey->origin.against : "";
}

enum status survey_compare(const struct survey *a, const struct survey *b, struct error *error)
{
    const struct {
        const char *what, *here, *there;
    } parts[] = {{"of the model", a->origin.model, b->origin.model},
                 {"of a model with the SHA-256", a->origin.digest, b->origin.digest},
                 {"with the tokenizer of SHA-256", a->origin.tokenizer, b->origin.tokenizer},
                 {"computed by the kernels", a->origin.kernels, b->origin.kernels},
                 {"with the options", a->origin.options, b->origin.options},
                 {"with effects of heads:", has(a, SURVEY_EFFECT), has(b, SURVEY_EFFECT)},
                 {"against another model:", has(a, SURVEY_MOVED), has(b, SURVEY_MOVED)},
                 {"against a model with the SHA-256", other_of(a), other_of(b)}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].here, parts[i].there) != 0)
            return error_set(error, STATUS_MISMATCH, "expected a survey %s \"%s\", found \"%s\"",
                             parts[i].what, parts[i].here, parts[i].there);
    if (a->layers != b->layers || a->heads != b->heads)
        return error_set(error, STATUS_MISMATCH,
                         "expected a survey of %zu layers with %zu heads, found %zu with %zu",
                         a->layers, a->heads, b->layers, b->heads);
    return STATUS_OK;
}

static struct survey_corpus *find_corpus(const struct survey *survey, const char *name)
{
    for (size_t i = 0; i < survey->corpus_count; i++)
        if (strcmp(survey->corpora[i].name, name) == 0)
            return &survey->corpora[i];
    return NULL;
}

/* Shards may be added up that are of the same number and that both don't have. */
static enum status compare_shards(const struct survey_corpus *here,
                                  const struct survey_corpus *there, struct error *error)
{
    if (here->parts != there->parts)
        return error_set(error, STATUS_MISMATCH,
                         "%s: expected shards of %" PRIu64 ", found some of %" PRIu64, here->name,
                         here->parts, there->parts);
    for (size_t i = 0; i < here->shard_count; i++)
        for (size_t j = 0; j < there->shard_count; j++)
            if (here->shards[i] == there->shards[j])
                return error_set(error, STATUS_MISMATCH,
                                 "%s: shard %" PRIu64 " of %" PRIu64 " is there twice", here->name,
                                 here->shards[i], here->parts);
    return STATUS_OK;
}

static enum status check(const struct survey *survey, const struct survey *other,
                         struct error *error)
{
    if (survey_compare(survey, other, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < other->corpus_count; i++) {
        const struct survey_corpus *here = find_corpus(survey, other->corpora[i].name);
        if (here && compare_shards(here, &other->corpora[i], error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ---- Corpora ------------------------------------------------------------------------------- */

static int by_number(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* All shards are the whole. */
static enum status add_shards(struct survey_corpus *here, const struct survey_corpus *there,
                              struct error *error)
{
    const size_t count = here->shard_count + there->shard_count;
    uint64_t *shards = realloc(here->shards, count * sizeof *shards);
    if (!shards)
        return error_memory(error, "the survey", count * sizeof *shards);
    memcpy(shards + here->shard_count, there->shards, there->shard_count * sizeof *shards);
    qsort(shards, count, sizeof *shards, by_number);
    here->shards = shards;
    here->shard_count = count;
    here->texts += there->texts;
    here->too_long += there->too_long;
    here->refused += there->refused;
    here->ids += there->ids;
    if (count == here->parts) {
        here->parts = 1;
        here->shard_count = 1;
        shards[0] = 0;
    }
    return STATUS_OK;
}

static enum status append_corpus(struct survey *survey, const struct survey_corpus *there,
                                 struct error *error)
{
    const size_t n = survey->corpus_count;
    struct survey_corpus *longer = realloc(survey->corpora, (n + 1) * sizeof *longer);
    if (!longer)
        return error_memory(error, "the survey", (n + 1) * sizeof *longer);
    survey->corpora = longer;
    longer[n] = *there;
    longer[n].name = memory_print(error, "%s", there->name);
    longer[n].shards = memory_new(there->shard_count, sizeof(uint64_t), 0, "the survey", error);
    survey->corpus_count = n + 1;
    if (!longer[n].name || !longer[n].shards)
        return error->status;
    memcpy(longer[n].shards, there->shards, there->shard_count * sizeof(uint64_t));
    return STATUS_OK;
}

static enum status add_corpora(struct survey *survey, const struct survey *other,
                               struct error *error)
{
    for (size_t i = 0; i < other->corpus_count; i++) {
        struct survey_corpus *here = find_corpus(survey, other->corpora[i].name);
        if ((here ? add_shards(here, &other->corpora[i], error)
                  : append_corpus(survey, &other->corpora[i], error)) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ---- Sums ---------------------------------------------------------------------------------- */

/* *fits is false from the first sum on that doesn't fit. */
static void add_all(int64_t *to, const int64_t *from, size_t count, bool *fits)
{
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(to[i], from[i], &to[i]))
            *fits = false;
}

static void add_figures(struct survey *survey, const struct survey *other, bool *fits)
{
    const size_t heads = survey->layers * survey->heads;
    add_all(survey->reach, other->reach, heads * SURVEY_REACH, fits);
    add_all(survey->maxima, other->maxima, heads * SURVEY_BINS, fits);
    add_all(survey->entropies, other->entropies, heads * SURVEY_BINS, fits);
    if (survey_has(survey, SURVEY_MOVED)) {
        add_all(survey->cosines, other->cosines, survey->layers + 1, fits);
        add_all(survey->counts, other->counts, SURVEY_COUNTS, fits);
    }
    for (size_t f = 0; f < SURVEY_FIGURE_COUNT; f++) {
        struct survey_figure_sums *here = &survey->figures[f];
        const struct survey_figure_sums *there = &other->figures[f];
        if (!here->sum)
            continue;
        add_all(&here->rows, &there->rows, 1, fits);
        add_all(&here->rows_squared, &there->rows_squared, 1, fits);
        add_all(here->sum, there->sum, heads, fits);
        add_all(here->squares, there->squares, heads, fits);
        add_all(here->products, there->products, heads, fits);
    }
}

static enum status add_relations(struct survey *survey, const struct survey *other, bool *fits,
                                 struct error *error)
{
    const size_t heads = survey->layers * survey->heads;
    for (size_t r = 0; r < other->relation_count; r++) {
        const struct survey_relation *there = &other->relations[r];
        const size_t i = survey_relation_index(survey, text_of_string(there->name), error);
        if (i == SIZE_MAX)
            return error->status;
        struct survey_relation *here = &survey->relations[i];
        add_all(&here->count, &there->count, 1, fits);
        add_all(here->offsets, there->offsets, SURVEY_OFFSET_FAR + 1, fits);
        add_all(here->dependent, there->dependent, heads, fits);
        add_all(here->head, there->head, heads, fits);
    }
    return STATUS_OK;
}

static enum status add_pos(struct survey *survey, const struct survey *other, bool *fits,
                           struct error *error)
{
    const size_t heads = survey->layers * survey->heads, P = other->pos_count;
    size_t *here = memory_new(P, sizeof *here, 0, "the survey", error);
    for (size_t p = 0; here && p < P; p++)
        if ((here[p] = survey_pos_index(survey, text_of_string(other->pos[p]), error)) ==
            SIZE_MAX) {
            free(here);
            return error->status;
        }
    if (!here)
        return error->status;
    for (size_t p = 0; p < P; p++) {
        add_all(&survey->pos_words[here[p]], &other->pos_words[p], 1, fits);
        for (size_t q = 0; q < P; q++)
            add_all(survey->pos_mass + (here[p] * survey->pos_count + here[q]) * heads,
                    other->pos_mass + (p * P + q) * heads, heads, fits);
    }
    free(here);
    return STATUS_OK;
}

static enum status add_pieces(struct survey *survey, const struct survey *other, bool *fits,
                              struct error *error)
{
    const size_t heads = survey->layers * survey->heads;
    for (size_t n = 0; n < other->piece_count; n++) {
        const struct survey_piece *there = &other->pieces[n];
        const size_t i = survey_piece_index(survey, (int32_t)there->id, there->name, error);
        if (i == SIZE_MAX)
            return error->status;
        struct survey_piece *here = &survey->pieces[i];
        add_all(&here->count, &there->count, 1, fits);
        add_all(here->from, there->from, heads, fits);
        add_all(here->at, there->at, heads, fits);
    }
    return STATUS_OK;
}

/* ---- Examples ------------------------------------------------------------------------------ */

static void place_all(struct survey *survey, struct survey_example *to,
                      const struct survey_example *from, size_t room, bool by_hash,
                      const size_t *now)
{
    for (size_t i = 0; i < room && from[i].weight > 0; i++) {
        struct survey_example example = from[i];
        example.text = (int64_t)now[example.text];
        survey_place(survey, to, room, by_hash, example);
    }
}

static enum status add_examples(struct survey *survey, const struct survey *other, bool *fits,
                                struct error *error)
{
    size_t *now = memory_new(other->kept_count, sizeof *now, 0, "the survey", error);
    for (size_t k = 0; now && k < other->kept_count; k++) {
        struct survey_text text = other->kept[k];
        const char *name = other->corpora[text.corpus].name;
        text.corpus = (uint64_t)(find_corpus(survey, name) - survey->corpora);
        if ((now[k] = survey_keep(survey, &text, error)) == SIZE_MAX) {
            free(now);
            return error->status;
        }
    }
    if (!now)
        return error->status;
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        struct survey_examples *here = &survey->examples[i];
        const struct survey_examples *there = &other->examples[i];
        add_all(here->deciles, there->deciles, SURVEY_DECILES, fits);
        place_all(survey, here->strongest, there->strongest, SURVEY_STRONGEST, false, now);
        for (size_t d = 0; d < SURVEY_DECILES; d++)
            place_all(survey, here->uniform[d], there->uniform[d], SURVEY_UNIFORM, true, now);
    }
    free(now);
    return STATUS_OK;
}

/* ---- All of it ----------------------------------------------------------------------------- */

static enum status add(struct survey *survey, const struct survey *other, struct error *error)
{
    bool fits = true;
    if (add_corpora(survey, other, error) != STATUS_OK)
        return error->status;
    add_figures(survey, other, &fits);
    if (add_relations(survey, other, &fits, error) != STATUS_OK ||
        add_pos(survey, other, &fits, error) != STATUS_OK ||
        add_pieces(survey, other, &fits, error) != STATUS_OK ||
        add_examples(survey, other, &fits, error) != STATUS_OK)
        return error->status;
    survey->texts += other->texts;
    survey->too_long += other->too_long;
    survey->refused += other->refused;
    survey->tokens += other->tokens;
    survey->words += other->words;
    if (!fits)
        return error_set(error, STATUS_LIMIT,
                         "the sums no longer fit 64 bits: survey fewer texts at a time");
    return survey_sort(survey, error);
}

enum status survey_merge(struct survey *survey, const struct survey *other, struct error *error)
{
    return check(survey, other, error) == STATUS_OK ? add(survey, other, error) : error->status;
}

/* Of figures those that every survey has. */
enum status survey_copy(const struct survey *survey, struct survey **copy, struct error *error)
{
    const struct survey_origin *from = &survey->origin;
    if (survey_new(survey->layers, survey->heads, copy, error) != STATUS_OK)
        return error->status;
    struct survey_origin *to = &(*copy)->origin;
    const struct {
        const char *from;
        char **to;
    } strings[] = {{from->model, &to->model},
                   {from->digest, &to->digest},
                   {from->tokenizer, &to->tokenizer},
                   {from->kernels, &to->kernels},
                   {from->options, &to->options}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof strings / sizeof *strings && status == STATUS_OK; i++)
        if (!(*strings[i].to = memory_print(error, "%s", strings[i].from)))
            status = error->status;
    (*copy)->bound = survey->bound;
    if (status == STATUS_OK)
        status = add(*copy, survey, error);
    if (status != STATUS_OK) {
        survey_free(*copy);
        *copy = NULL;
    }
    return status;
}
