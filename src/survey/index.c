/* index.c: reads indexes (index.h), finds what is most like a vector, one product over the mapped
 * file, and counts parts of speech and relations of that. Whoever reads an index may have it from
 * anywhere: a token is checked when it is read. */
#include "headlight/survey/index.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/survey/survey_file.h"

/* ---- Spaces -------------------------------------------------------------------------------- */

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
    static const char digits[] = "0123456789";
    const size_t layer = strspn(text, digits);
    const char *end = text + layer + (layer > 0 && text[layer] == '.');
    const size_t head = end > text + layer ? strspn(end, digits) : 0;
    *space = index_space(strtoul(text, NULL, 10), head > 0 ? strtoul(end, NULL, 10) : NO_HEAD);
    return layer == 0 ? NULL : head > 0 ? end + head : text + layer;
}

size_t index_width(const struct index_space *space, const struct config *config)
{
    return space->head == NO_HEAD ? config->hidden : config_dimensions(config);
}

const float *index_vector(const struct index_space *space, const struct trace *trace, size_t token)
{
    const struct layer_trace *layer = &trace->layer[space->layer];
    return space->head == NO_HEAD
               ? layer->output + token * trace->hidden
               : layer->context + token * trace->inner + space->head * trace->dimensions;
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

enum status index_open(const char *path, struct index **result, struct error *error)
{
    struct index *index = *result = memory_new(1, sizeof *index, 0, path, error);
    if (!index)
        return STATUS_MEMORY;
    index->path = memory_print(error, "%s", path);
    enum status status = index->path ? safetensors_open(path, &index->file, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = survey_read_table(index->file, path, "index", &index->survey, error);
    const struct tensor *tokens =
        status == STATUS_OK ? survey_array(index->file, INDEX_TOKENS, "I32", INDEX_TOKEN_NUMBERS)
                            : NULL;
    if (status == STATUS_OK && (!tokens || survey_count(index->survey, ROW_SHARD) != 1))
        status = damaged(index, tokens ? "one corpus" : "the array of its tokens", error);
    if (status != STATUS_OK) {
        index_close(index);
        *result = NULL;
        return status;
    }
    index->token_rows = tokens->data;
    index->tokens = tokens->shape[0];
    return STATUS_OK;
}

void index_close(struct index *index)
{
    if (!index)
        return;
    survey_free(index->survey);
    safetensors_free(index->file);
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
    return x.text != y.text && a->index == b->index ? x.text < y.text : x.at < y.at;
}

/* NaN, which only a damaged file has, is like nothing. */
static void keep(struct found *found, struct index_match match)
{
    struct index_match *best = found->best;
    if (isnan(match.cosine) || found->capacity == 0 ||
        (found->count == found->capacity && !comes_before(&match, &best[found->count - 1])))
        return;
    size_t at = found->count < found->capacity ? found->count++ : found->count - 1;
    for (; at > 0 && comes_before(&match, &best[at - 1]); at--)
        best[at] = best[at - 1];
    best[at] = match;
}

/* Vectors of F16 are as long as 1 within a thousandth. */
#define COSINE_MOST 1.002F

struct search {
    struct packed query;
    struct linear vectors; /* [T,width] */
    size_t tokens;
    float *cosines; /* [T] */
};

static void search_all(const struct pool_thread *thread, void *context)
{
    const struct search *search = context;
    matmul_linear(thread, &search->query, &search->vectors, 1, search->tokens, search->cosines,
                  search->tokens);
}

enum status index_find(const struct index *index, const float *vector, size_t width,
                       struct found *found, struct error *error)
{
    const struct tensor *vectors = survey_array(index->file, found->space.name, "F16", width);
    if (!vectors || vectors->shape[0] != index->tokens)
        return error_set(error, STATUS_MISMATCH,
                         "%s: expected vectors \"%s\", each of %zu numbers, found none: --only "
                         "says which an index keeps",
                         index->path, found->space.name, width);
    const size_t packed = pack_size(1, width), T = index->tokens;
    float *block =
        memory_new(2 * T, sizeof *block, (packed + width) * sizeof *block, "the search", error);
    if (!block)
        return error->status;
    float *unit = block + packed; /* the vector, of length 1 */
    struct search search = {.query = pack_in(block, 1, width, true),
                            .vectors = {{vectors->data, TENSOR_F16}, unit + width + T},
                            .tokens = T,
                            .cosines = unit + width};
    const double scale = index_scale(vector, width);
    bool fine = true;
    for (size_t i = 0; i < width; i++)
        unit[i] = (float)(vector[i] * scale);
    pack_put(&search.query, unit, width, 0, 1);
    if (T > 0)
        pool_run(pool_size_for(T * width), search_all, &search);
    for (size_t t = 0; t < T; t++) {
        const float cosine = search.cosines[t];
        fine &= !(fabsf(cosine) > COSINE_MOST);
        keep(found,
             (struct index_match){.index = index, .at = t, .cosine = cosine > 1 ? 1 : cosine});
    }
    free(block);
    return mapping_check(&index->file->mapping,
                         fine ? STATUS_OK : damaged(index, "vectors of length 1", error), error);
}

/* ---- Several indexes, and the names of what is found ---------------------------------------- */

enum status indexes_open(struct indexes *indexes, const char *first, char *const *others,
                         size_t count, struct error *error)
{
    indexes->of = memory_new(1 + count, sizeof(void *), 0, "the indexes", error);
    if (!indexes->of)
        return error->status;
    for (size_t i = 0; i <= count; i++) {
        struct index **index = &indexes->of[i];
        if (index_open(i == 0 ? first : others[i - 1], index, error) != STATUS_OK || !*index)
            return error->status; /* NULL only for an analyser */
        struct error twice;
        for (size_t j = 0; j < i; j++)
            if (survey_compare_shards(indexes->of[j]->survey, (*index)->survey, &twice) !=
                STATUS_OK)
                return error_set(error, twice.status, "%s: %s", (*index)->path, twice.message);
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

enum status found_new(const struct indexes *indexes, const struct index_space *space,
                      const float *vector, size_t width, size_t most, struct found **result,
                      struct error *error)
{
    struct found *found = *result = memory_new(1, sizeof *found, 0, "what is found", error);
    if (!found)
        return error->status;
    found->space = *space;
    found->tokens = indexes->tokens;
    found->capacity = size_min(most, (size_t)indexes->tokens);
    found->best = memory_new(found->capacity, sizeof *found->best, 0, "what is found", error);
    enum status status = found->best ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < indexes->count && status == STATUS_OK; i++)
        status = index_find(indexes->of[i], vector, width, found, error);
    for (size_t i = 0; i < found->count && status == STATUS_OK; i++)
        status = index_read_token(&found->best[i], error);
    if (status == STATUS_OK && count_names(found, indexes, false, error) == STATUS_OK &&
        count_names(found, indexes, true, error) == STATUS_OK)
        return STATUS_OK;
    found_free(found);
    *result = NULL;
    return error->status;
}

void found_free(void *thing)
{
    struct found *found = thing;
    if (!found)
        return;
    free(found->best);
    free(found->names[0]);
    free(found->names[1]);
    free(found);
}
