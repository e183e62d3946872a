/* find.c: searches several indexes, and counts parts of speech and relations of what it found. */
#include "headlight/survey/find.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/model.h"
#include "headlight/text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Files ---- */

enum status indexes_open(struct indexes *indexes, const char *first, char *const *others,
                         size_t count, struct error *error)
{
    indexes->of = memory_new(1 + count, sizeof(void *), 0, "the indexes", error);
    if (!indexes->of)
        return error->status;
    for (size_t i = 0; i <= count; i++) {
        struct index **index = &indexes->of[i];
        if (index_open(i == 0 ? first : others[i - 1], index, error) != STATUS_OK)
            return error->status;
        indexes->count++;
        indexes->tokens += (*index)->tokens;
    }
    return STATUS_OK;
}

void indexes_close(struct indexes *indexes)
{
    for (size_t i = 0; i < indexes->count; i++)
        index_close(indexes->of[i]);
    free(indexes->of);
    *indexes = (struct indexes){.of = NULL};
}

enum status indexes_check(const struct indexes *indexes, const struct model *model,
                          struct error *error)
{
    char digest[SHA256_DIGITS + 1];
    if (indexes->count > 0)
        model_digest(model, digest);
    for (size_t i = 0; i < indexes->count; i++) {
        const struct index *index = indexes->of[i];
        if (strcmp(index->survey->origin.digest, digest) != 0)
            return error_set(error, STATUS_MISMATCH,
                             "%s belongs to the model %s: name it with --model", index->path,
                             index->survey->origin.model);
    }
    return STATUS_OK;
}

bool indexes_keep(const struct indexes *indexes, const struct index_space *space)
{
    return safetensors_find(indexes->of[0]->file, space->name) != NULL;
}

/* ---- Their names ---- */

/* Those found most often first. */
static int by_number(const void *a, const void *b)
{
    const struct found_name *x = a, *y = b;
    if (x->found != y->found)
        return x->found < y->found ? 1 : -1;
    if (x->all != y->all)
        return x->all < y->all ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* A name of any file, which is added if it is new: there is room. */
static struct found_name *name_of(struct found *found, bool relations, const char *name)
{
    struct found_name *names = found->names[relations];
    size_t i = 0;
    while (i < found->name_count[relations] && strcmp(names[i].name, name) != 0)
        i++;
    if (i == found->name_count[relations])
        names[found->name_count[relations]++].name = name;
    return &names[i];
}

static enum status count_names(struct found *found, const struct indexes *indexes, bool relations,
                               struct error *error)
{
    const enum survey_kind kind = relations ? ROW_RELATION : ROW_POS;
    size_t most = 0;
    for (size_t f = 0; f < indexes->count; f++)
        most += survey_count(indexes->of[f]->survey, kind);
    found->names[relations] = memory_new(most, sizeof(struct found_name), 0, "names", error);
    if (!found->names[relations])
        return error->status;
    for (size_t f = 0; f < indexes->count; f++)
        for (size_t i = 0; i < survey_count(indexes->of[f]->survey, kind); i++) {
            const struct survey_row *row = survey_at(indexes->of[f]->survey, kind, i);
            name_of(found, relations, row->key.names[0].bytes)->all += (uint64_t)row->numbers[0];
        }
    for (size_t i = 0; i < found->count; i++) {
        const char *name = relations ? found->best[i].relation : found->best[i].pos;
        if (name)
            name_of(found, relations, name)->found++;
    }
    qsort(found->names[relations], found->name_count[relations], sizeof(struct found_name),
          by_number);
    return STATUS_OK;
}

/* ---- All of it ---- */

enum status found_new(const struct indexes *indexes, const struct index_space *space,
                      const float *vector, size_t width, size_t most, struct found **result,
                      struct error *error)
{
    struct found *found = *result = memory_new(1, sizeof *found, 0, "what is found", error);
    if (!found)
        return error->status;
    found->space = *space;
    found->tokens = indexes->tokens;
    struct index_best best = {.room = size_min(most, (size_t)indexes->tokens)};
    found->best = best.matches =
        memory_new(best.room, sizeof *best.matches, 0, "what is found", error);
    enum status status = found->best ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < indexes->count && status == STATUS_OK; i++)
        status = index_find(indexes->of[i], space, vector, width, &best, error);
    for (size_t i = 0; i < best.count && status == STATUS_OK; i++)
        status = index_read_token(&found->best[i], error);
    found->count = best.count;
    if (status == STATUS_OK && count_names(found, indexes, false, error) == STATUS_OK &&
        count_names(found, indexes, true, error) == STATUS_OK)
        return STATUS_OK;
    found_free(found);
    *result = NULL;
    return error->status;
}

void found_free(struct found *found)
{
    if (!found)
        return;
    free(found->best);
    free(found->names[0]);
    free(found->names[1]);
    free(found);
}

const char *found_piece(const struct index_match *found, const struct tokenizer *tokenizer)
{
    const int32_t piece = found->token.piece;
    return (size_t)piece < tokenizer_size(tokenizer) ? tokenizer_piece(tokenizer, piece) : "";
}
