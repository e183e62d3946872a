/* index.c: reads an index (index.h), and finds what is most like a vector: one product over the
 * mapped file. Whoever reads one may have it from anywhere: a token is checked when it is read. */
#include "headlight/survey/index.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/survey/survey_file.h"
#include "headlight/tensor/matmul.h"

#include <math.h>
#include <stdlib.h>

/* ---- Spaces -------------------------------------------------------------------------------- */

static const char *read_number(const char *text, size_t *number)
{
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    *number = strtoul(text, &end, 10);
    return end;
}

struct index_space index_space(size_t layer, size_t head)
{
    struct index_space space = {.layer = layer, .head = head};
    if (head == NO_HEAD)
        format_cut(space.name, sizeof space.name, "layer.%zu", layer);
    else
        format_cut(space.name, sizeof space.name, "head.%zu.%zu", layer, head);
    return space;
}

const char *index_read_space(const char *text, struct index_space *space)
{
    size_t layer = 0, head = NO_HEAD;
    const char *end = read_number(text, &layer);
    if (end && *end == '.')
        end = read_number(end + 1, &head);
    *space = index_space(layer, head);
    return end;
}

size_t index_width(const struct index_space *space, const struct config *config)
{
    return space->head == NO_HEAD ? config->hidden : config->hidden / config->heads;
}

const float *index_vector(const struct index_space *space, const struct trace *trace, size_t token)
{
    const struct layer_trace *layer = &trace->layer[space->layer];
    return space->head == NO_HEAD
               ? layer->output + token * trace->hidden
               : layer->context + token * trace->hidden + space->head * trace->dimensions;
}

double index_scale(const float *vector, size_t width)
{
    const double squares = vector_dot(vector, vector, width);
    return squares > 0 ? 1 / sqrt(squares) : 0;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static enum status damaged(const struct index *index, const char *expected, struct error *error)
{
    return error_set(error, STATUS_FORMAT,
                     "%s: expected %s, found something else: the index is damaged", index->path,
                     expected);
}

/* An array of rows that are so long. */
static const struct tensor *find_array(const struct index *index, const char *name,
                                       const char *type, size_t width)
{
    const struct tensor *tensor = safetensors_find(index->file, name);
    return tensor && strcmp(tensor->type_name, type) == 0 && tensor->rank == 2 &&
                   tensor->shape[1] == width
               ? tensor
               : NULL;
}

enum status index_open(const char *path, struct index **result, struct error *error)
{
    struct index *index = *result = memory_new(1, sizeof *index, 0, path, error);
    if (!index)
        return error->status;
    index->path = memory_print(error, "%s", path);
    if (!index->path || mapping_open(&index->mapping, path, error) != STATUS_OK ||
        safetensors_parse(index->mapping.bytes, index->mapping.size, path, &index->file, error) !=
            STATUS_OK ||
        survey_read_table(index->file, path, "index", &index->survey, error) != STATUS_OK)
        goto fail;
    const struct tensor *tokens = find_array(index, INDEX_TOKENS, "I32", INDEX_TOKEN_NUMBERS);
    if (!tokens || survey_count(index->survey, ROW_SHARD) != 1) {
        damaged(index, tokens ? "one corpus" : "the array of its tokens", error);
        goto fail;
    }
    index->token_rows = tokens->data;
    index->tokens = tokens->shape[0];
    return STATUS_OK;
fail:
    index_close(index);
    *result = NULL;
    return error->status;
}

void index_close(struct index *index)
{
    if (!index)
        return;
    survey_free(index->survey);
    safetensors_free(index->file);
    mapping_close(&index->mapping);
    free(index->path);
    free(index);
}

static struct index_token token_at(const struct index *index, size_t token)
{
    struct index_token result;
    memcpy(&result, index->token_rows + token * sizeof result, sizeof result);
    return result;
}

/* NULL: it isn't there. */
static const struct survey_row *row_at(const struct index *index, enum survey_kind kind,
                                       int32_t number)
{
    return number >= 0 && (size_t)number < survey_count(index->survey, kind)
               ? survey_at(index->survey, kind, (size_t)number)
               : NULL;
}

static int64_t text_number(const struct index *index, const struct index_token *token)
{
    const struct survey_row *text = row_at(index, ROW_TEXT, token->text);
    return text ? text->key.numbers[0] : 0;
}

enum status index_read_token(struct index_match *match, struct error *error)
{
    const struct index *index = match->index;
    const struct index_token read = match->token = token_at(index, match->at);
    const struct survey_row *text = row_at(index, ROW_TEXT, read.text);
    const struct survey_row *pos = row_at(index, ROW_POS, read.pos),
                            *relation = row_at(index, ROW_RELATION, read.relation);
    match->number = text_number(index, &read);
    match->words = text ? text->key.names[1].bytes : NULL;
    match->id = text ? text->key.names[2].bytes : NULL;
    match->pos = pos ? pos->key.names[0].bytes : NULL;
    match->relation = relation ? relation->key.names[0].bytes : NULL;
    return text && read.piece >= 0 && read.begin >= 0 && read.begin <= read.end &&
                   (size_t)read.end <= text->key.names[1].length && (read.pos == -1 || pos) &&
                   (read.relation == -1 || relation)
               ? STATUS_OK
               : damaged(index, "tokens of its texts", error);
}

/* ---- Searching ----------------------------------------------------------------------------- */

static bool comes_before(const struct index_match *a, const struct index_match *b)
{
    if (a->cosine > b->cosine || a->cosine < b->cosine)
        return a->cosine > b->cosine;
    const struct index_token x = token_at(a->index, a->at), y = token_at(b->index, b->at);
    const int64_t m = text_number(a->index, &x), n = text_number(b->index, &y);
    const int names = strcmp(survey_name(a->index->survey, ROW_SHARD, 0),
                             survey_name(b->index->survey, ROW_SHARD, 0));
    if (names != 0 || m != n)
        return names != 0 ? names < 0 : m < n;
    return x.text != y.text && a->index == b->index ? x.text < y.text : x.place < y.place;
}

/* NaN, which only a damaged file has, is like nothing. */
static void keep(struct index_best *best, struct index_match match)
{
    if (isnan(match.cosine) || best->room == 0 ||
        (best->count == best->room && !comes_before(&match, &best->matches[best->count - 1])))
        return;
    size_t at = best->count < best->room ? best->count++ : best->count - 1;
    for (; at > 0 && comes_before(&match, &best->matches[at - 1]); at--)
        best->matches[at] = best->matches[at - 1];
    best->matches[at] = match;
}

/* Vectors of F16 are as long as 1 within a thousandth. */
#define COSINE_MOST 1.002F

/* Tokens at a time, whose cosines stay in the cache. */
#define SOME ((size_t)16384)

struct search {
    const struct index *index;
    struct matrix vectors; /* [T,width] */
    struct packed query;
    struct index_best *best;
    bool damaged;   /* a cosine is none */
    float *cosines; /* [2,SOME]: while one half is looked through, the other is filled */
};

static void search_all(const struct pool_thread *thread, void *context)
{
    static const float zeros[SOME];
    struct search *search = context;
    float *cosines = search->cosines;
    for (size_t first = 0; first < search->index->tokens; first += SOME) {
        const size_t count = size_min(search->index->tokens - first, SOME);
        const unsigned char *rows = matrix_at(&search->vectors, first * search->query.inputs);
        const struct linear linear = {{rows, TENSOR_F16}, zeros};
        matmul_linear(thread, &search->query, &linear, 1, count, cosines, count);
        for (size_t t = 0; thread->index == 0 && t < count; t++) {
            const float cosine = cosines[t] > 1 ? 1 : cosines[t];
            search->damaged |= fabsf(cosines[t]) > COSINE_MOST;
            keep(search->best,
                 (struct index_match){.index = search->index, .at = first + t, .cosine = cosine});
        }
        cosines = cosines == search->cosines ? cosines + SOME : search->cosines;
    }
}

enum status index_find(const struct index *index, const struct index_space *space,
                       const float *vector, size_t width, struct index_best *best,
                       struct error *error)
{
    const struct tensor *vectors = find_array(index, space->name, "F16", width);
    if (!vectors || vectors->shape[0] != index->tokens)
        return error_set(error, STATUS_MISMATCH,
                         "%s: expected vectors \"%s\", each of %zu numbers, found none: --only "
                         "says which an index keeps",
                         index->path, space->name, width);
    const size_t packed = pack_size(1, width);
    float *room = memory_new(packed + width + 2 * SOME, sizeof *room, 0, "the search", error);
    if (!room)
        return error->status;
    struct search search = {.index = index,
                            .vectors = {vectors->data, TENSOR_F16},
                            .query = pack_in(room, 1, width, true),
                            .best = best,
                            .cosines = room + packed + width};
    const double scale = index_scale(vector, width);
    for (size_t i = 0; i < width; i++)
        room[packed + i] = (float)(vector[i] * scale);
    pack_put(&search.query, room + packed, width, 0, 1);
    pool_run(pool_size_for(index->tokens * width), search_all, &search);
    free(room);
    return mapping_check(&index->mapping,
                         search.damaged ? damaged(index, "vectors of length 1", error) : STATUS_OK,
                         error);
}
