/* merge.c: adds the rows of one survey to another's, and of both examples the best stay: so the
 * parts of a corpus make the whole. */
#include "headlight/survey/text_rows.h"

#include <inttypes.h>

/* ---- Whether they belong together ---------------------------------------------------------- */

enum status survey_compare(const struct survey *a, const struct survey *b, struct error *error)
{
    for (size_t i = 0; i < SURVEY_ORIGINS; i++) {
        const char *here = a->origin.all[i], *there = b->origin.all[i];
        if (strcmp(here ? here : "", there ? there : "") != 0)
            return error_set(error, STATUS_MISMATCH,
                             "expected a survey with the %s \"%s\", found \"%s\"",
                             survey_origin_names[i], here ? here : "", there ? there : "");
    }
    if (a->layers != b->layers || a->heads != b->heads)
        return error_set(error, STATUS_MISMATCH,
                         "expected a survey of %zu layers with %zu heads, found %zu with %zu",
                         a->layers, a->heads, b->layers, b->heads);
    return STATUS_OK;
}

enum status survey_compare_shards(const struct survey *survey, const struct survey *other,
                                  struct error *error)
{
    const size_t count = survey_count(survey, ROW_SHARD);
    for (size_t i = 0, j = 0; i < survey_count(other, ROW_SHARD); i++) { /* both are sorted */
        const struct survey_key *there = &survey_at(other, ROW_SHARD, i)->key, *here = NULL;
        bool same = false;
        for (; j < count; j++) {
            here = &survey_at(survey, ROW_SHARD, j)->key;
            same = strcmp(here->names[0].bytes, there->names[0].bytes) == 0;
            if (survey_compare_keys(here, there) >= 0 ||
                (same && here->numbers[1] != there->numbers[1]))
                break;
        }
        if (j == count || !same)
            continue;
        if (here->numbers[1] != there->numbers[1])
            return error_set(error, STATUS_MISMATCH,
                             "%s: expected shards of %" PRId64 ", found some of %" PRId64,
                             here->names[0].bytes, here->numbers[1], there->numbers[1]);
        if (here->numbers[0] == there->numbers[0])
            return error_set(error, STATUS_MISMATCH,
                             "%s: shard %" PRId64 " of %" PRId64 " is there twice",
                             here->names[0].bytes, here->numbers[0], here->numbers[1]);
    }
    return STATUS_OK;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* A double counts no further, and no reader of JSON. */
#define TOTAL_MOST ((int64_t)1 << 53)

/* The digest is a sum modulo 2^64. */
enum status survey_append(struct survey *survey, const struct survey *other, struct error *error)
{
    bool fits = true, fraction;
    if (survey_compare(survey, other, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < other->first[ROW_KINDS]; i++)
        if (!survey_insert(survey, &other->rows[i]->key, error))
            return error->status;
    for (size_t r = 0; r < other->first[ROW_KINDS]; r++) {
        const struct survey_row *from = other->rows[r];
        const enum survey_kind kind = from->key.kind;
        int64_t *to = survey_find(survey, &from->key)->numbers;
        for (size_t i = 0; kind != ROW_EXAMPLES && i < survey_width(survey, kind); i++)
            if (survey_is_pair(kind, i, &fraction)) {
                fits &= fraction || survey_add_pair(to + i, from->numbers[i], from->numbers[i + 1]);
            } else if (__builtin_add_overflow(to[i], from->numbers[i], &to[i])) {
                fits &= kind == ROW_SHARD && i == SURVEY_DIGEST;
            }
    }
    /* the texts of their examples are there by now */
    for (size_t i = 0; i < survey->layers * survey->heads * (1 + SURVEY_DECILES); i++) {
        const size_t head = i / (1 + SURVEY_DECILES), list = i % (1 + SURVEY_DECILES);
        size_t most;
        const struct survey_example *from = survey_examples(other, head, list, &most);
        for (size_t k = 0; k < most && from[k].weight > 0; k++) {
            struct survey_example example = from[k];
            example.text = survey_find(survey, &from[k].text->key);
            survey_put_example(survey, head, list, example);
        }
    }
    survey_prune(survey);
    for (size_t total = 0; total < SURVEY_TOTAL_COUNT; total++)
        fits &= survey_total(survey, (enum survey_total)total) <= TOTAL_MOST;
    return fits ? STATUS_OK
                : error_set(error, STATUS_LIMIT,
                            "the sums no longer fit 64 bits: survey fewer texts at a time");
}

enum status survey_merge(struct survey *survey, const struct survey *other, struct error *error)
{
    if (survey_compare(survey, other, error) != STATUS_OK ||
        survey_compare_shards(survey, other, error) != STATUS_OK)
        return error->status;
    const enum status status = survey_append(survey, other, error);
    /* All shards of a corpus are the whole. */
    for (size_t i = 0, end; i < survey_count(survey, ROW_SHARD); i = end) {
        struct survey_row *first = survey_at(survey, ROW_SHARD, i);
        end = survey_corpus_end(survey, i);
        if ((int64_t)(end - i) < first->key.numbers[1])
            continue;
        first->key.numbers[1] = 1;
        for (size_t j = i + 1; j < end; j++) {
            struct survey_row *shard = survey_at(survey, ROW_SHARD, j);
            for (size_t k = 0; k <= SURVEY_DIGEST; k++) /* the digests' modulo 2^64 */
                first->numbers[k] =
                    (int64_t)((uint64_t)first->numbers[k] + (uint64_t)shard->numbers[k]);
            shard->dropped = true;
        }
    }
    survey_drop(survey, ROW_SHARD);
    return status;
}
