/* merge.c: adds the sums of one survey to another's. Sums are added, names and texts are matched,
 * and of both examples the best stay: so the parts of a corpus make the whole. */
#include "headlight/base/memory.h"
#include "headlight/survey/arrays.h"
#include "headlight/survey/prepared.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Whether they belong together ---------------------------------------------------------- */

static enum status refuse(const char *what, const char *here, const char *there,
                          struct error *error)
{
    return error_set(error, STATUS_MISMATCH, "expected a survey %s \"%s\", found \"%s\"", what,
                     here, there);
}

static enum status compare_has(const struct survey *a, const struct survey *b,
                               enum survey_figure figure, const char *what, struct error *error)
{
    if (survey_has(a, figure) == survey_has(b, figure))
        return STATUS_OK;
    return refuse(what, survey_has(a, figure) ? "yes" : "no", survey_has(b, figure) ? "yes" : "no",
                  error);
}

enum status survey_compare(const struct survey *a, const struct survey *b, struct error *error)
{
    static const char *const words[SURVEY_ORIGINS] = {"of the model",
                                                      "of a model with the SHA-256",
                                                      "with the tokenizer of SHA-256",
                                                      "computed by the kernels",
                                                      "with the options",
                                                      "against a model with the SHA-256"};
    for (size_t i = 0; i < SURVEY_ORIGINS; i++) {
        const char *here = a->origin.all[i], *there = b->origin.all[i];
        if (&a->origin.all[i] == &a->origin.against &&
            (compare_has(a, b, SURVEY_EFFECT, "with effects of heads:", error) != STATUS_OK ||
             compare_has(a, b, SURVEY_MOVED, "against another model:", error) != STATUS_OK))
            return error->status;
        if (strcmp(here ? here : "", there ? there : "") != 0)
            return refuse(words[i], here ? here : "", there ? there : "", error);
    }
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
    for (size_t i = 0, j = 0; i < here->shard_count && j < there->shard_count;) /* both ascend */
        if (here->shards[i] == there->shards[j])
            return error_set(error, STATUS_MISMATCH,
                             "%s: shard %" PRIu64 " of %" PRIu64 " is there twice", here->name,
                             here->shards[i], here->parts);
        else if (here->shards[i] < there->shards[j])
            i++;
        else
            j++;
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

/* A double counts no further, and no reader of JSON. */
#define TOTAL_MOST ((int64_t)1 << 53)

/* ---- Sums ---------------------------------------------------------------------------------- */

/* *fits is false from the first sum on that doesn't fit. */
static void add_all(int64_t *to, const int64_t *from, size_t count, bool *fits)
{
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(to[i], from[i], &to[i]))
            *fits = false;
}

static void add_pairs(int64_t *to, const int64_t *from, size_t count, bool *fits)
{
    for (size_t i = 0; i < count; i += 2)
        *fits &= survey_add_pair(to + i, from[i], from[i + 1]);
}

/* Where the names of the other survey, by their axes, are in this one. */
struct places {
    size_t *relations, *pos, *pieces;
};

static void free_places(struct places *places)
{
    free(places->relations);
    free(places->pos);
    free(places->pieces);
}

static enum status find_places(struct survey *survey, const struct survey *other,
                               struct places *places, struct error *error)
{
    const size_t R = other->relation_count, P = other->pos_count, N = other->piece_count;
    places->relations = memory_new(R, sizeof(size_t), 0, "the survey", error);
    places->pos = memory_new(P, sizeof(size_t), 0, "the survey", error);
    places->pieces = memory_new(N, sizeof(size_t), 0, "the survey", error);
    bool fine = places->relations && places->pos && places->pieces;
    for (size_t r = 0; fine && r < R; r++)
        fine = (places->relations[r] = survey_relation_index(
                    survey, text_of_string(other->relations[r].name), error)) != SIZE_MAX;
    for (size_t p = 0; fine && p < P; p++)
        fine = (places->pos[p] = survey_pos_index(survey, text_of_string(other->pos[p]), error)) !=
               SIZE_MAX;
    for (size_t n = 0; fine && n < N; n++)
        fine = (places->pieces[n] = survey_piece_index(survey, (int32_t)other->pieces[n].id,
                                                       other->pieces[n].name, error)) != SIZE_MAX;
    return fine ? STATUS_OK : error->status;
}

/* The part of an array that a part of the other survey's is added to. */
static size_t place_of(const struct survey *survey, const struct survey *other,
                       const struct survey_array *array, size_t part, const struct places *places)
{
    size_t left = survey_array_parts(other, array), place = 0;
    for (size_t k = 0; k < array->outer; k++) {
        const char axis = array->axes[k];
        left /= survey_axis(other, axis);
        const size_t index = part / left % survey_axis(other, axis);
        const size_t *map = axis == 'R'   ? places->relations
                            : axis == 'P' ? places->pos
                            : axis == 'N' ? places->pieces
                                          : NULL;
        place = place * survey_axis(survey, axis) + (map ? map[index] : index);
    }
    return place;
}

static enum status add_sums(struct survey *survey, const struct survey *other, bool *fits,
                            struct error *error)
{
    struct places places = {NULL, NULL, NULL};
    const enum status status = find_places(survey, other, &places, error);
    for (size_t i = 0; status == STATUS_OK && i < survey_array_count; i++) {
        const struct survey_array *array = &survey_arrays[i];
        const size_t numbers = survey_array_numbers(other, array);
        for (size_t part = 0; array->added && part < survey_array_parts(other, array); part++)
            (strchr(array->axes, '2') ? add_pairs : add_all)(
                array->part(survey, place_of(survey, other, array, part, &places)),
                array->part(other, part), numbers, fits);
    }
    free_places(&places);
    add_all(survey->totals, other->totals, SURVEY_TOTALS, fits);
    return status;
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

static enum status add_examples(struct survey *survey, const struct survey *other,
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
    if (add_corpora(survey, other, error) != STATUS_OK ||
        add_sums(survey, other, &fits, error) != STATUS_OK ||
        add_examples(survey, other, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < SURVEY_TOTALS; i++)
        fits &= survey->totals[i] <= TOTAL_MOST;
    if (!fits)
        return error_set(error, STATUS_LIMIT,
                         "the sums no longer fit 64 bits: survey fewer texts at a time");
    return survey_sort(survey, error);
}

enum status survey_merge(struct survey *survey, const struct survey *other, struct error *error)
{
    return check(survey, other, error) == STATUS_OK ? add(survey, other, error) : error->status;
}

enum status survey_copy(const struct survey *survey, struct survey **copy, struct error *error)
{
    enum status status = survey_new(survey->layers, survey->heads, copy, error);
    for (int f = SURVEY_ALWAYS; f < SURVEY_FIGURE_COUNT && status == STATUS_OK; f++)
        if (survey_has(survey, (enum survey_figure)f))
            status = survey_want(*copy, (enum survey_figure)f, error);
    for (size_t i = 0; i < SURVEY_ORIGINS && status == STATUS_OK; i++) {
        const char *from = survey->origin.all[i];
        if (from && !((*copy)->origin.all[i] = memory_print(error, "%s", from)))
            status = error->status;
    }
    if (status == STATUS_OK)
        status = add(*copy, survey, error);
    if (status != STATUS_OK) {
        survey_free(*copy);
        *copy = NULL;
        return status;
    }
    (*copy)->bound = survey->bound;
    return STATUS_OK;
}
