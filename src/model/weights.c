#include "headlight/model/weights.h"

#include "headlight/base/size.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which tensors a BERT has ------------------------------------------------------------- */

/* The extents that the configuration gives to an axis. */
enum axis { ONE, TWO, HIDDEN, FEED_FORWARD, VOCABULARY, POSITIONS, SEGMENTS };

/* A tensor that must be there, in [rows,columns] or, where columns is ONE, in [rows]. */
struct entry {
    const char *name;
    const char *other_name; /* accepted too, or NULL */
    size_t offset;          /* of the matrix, or of the pointer to a vector's floats */
    enum axis rows, columns;
};

#define MODEL(member) offsetof(struct weights, member)
#define LAYER(member) offsetof(struct layer_weights, member)
#define COUNT(array)  (sizeof(array) / sizeof *(array))

static const struct entry embeddings[] = {
    {"embeddings.word_embeddings.weight", NULL, MODEL(word_embeddings), VOCABULARY, HIDDEN},
    {"embeddings.position_embeddings.weight", NULL, MODEL(position_embeddings), POSITIONS, HIDDEN},
    {"embeddings.token_type_embeddings.weight", NULL, MODEL(segment_embeddings), SEGMENTS, HIDDEN},
    {"embeddings.LayerNorm.weight", "embeddings.LayerNorm.gamma", MODEL(embedding_norm.weight),
     HIDDEN, ONE},
    {"embeddings.LayerNorm.bias", "embeddings.LayerNorm.beta", MODEL(embedding_norm.bias), HIDDEN,
     ONE},
};

/* After "encoder.layer.N.". */
static const struct entry layer[] = {
    {"attention.self.query.weight", NULL, LAYER(projections[QUERY].weight), HIDDEN, HIDDEN},
    {"attention.self.key.weight", NULL, LAYER(projections[KEY].weight), HIDDEN, HIDDEN},
    {"attention.self.value.weight", NULL, LAYER(projections[VALUE].weight), HIDDEN, HIDDEN},
    {"attention.self.query.bias", NULL, LAYER(projections[QUERY].bias), HIDDEN, ONE},
    {"attention.self.key.bias", NULL, LAYER(projections[KEY].bias), HIDDEN, ONE},
    {"attention.self.value.bias", NULL, LAYER(projections[VALUE].bias), HIDDEN, ONE},
    {"attention.output.dense.weight", NULL, LAYER(attention_output.weight), HIDDEN, HIDDEN},
    {"attention.output.dense.bias", NULL, LAYER(attention_output.bias), HIDDEN, ONE},
    {"attention.output.LayerNorm.weight", "attention.output.LayerNorm.gamma",
     LAYER(attention_norm.weight), HIDDEN, ONE},
    {"attention.output.LayerNorm.bias", "attention.output.LayerNorm.beta",
     LAYER(attention_norm.bias), HIDDEN, ONE},
    {"intermediate.dense.weight", NULL, LAYER(intermediate.weight), FEED_FORWARD, HIDDEN},
    {"intermediate.dense.bias", NULL, LAYER(intermediate.bias), FEED_FORWARD, ONE},
    {"output.dense.weight", NULL, LAYER(output.weight), HIDDEN, FEED_FORWARD},
    {"output.dense.bias", NULL, LAYER(output.bias), HIDDEN, ONE},
    {"output.LayerNorm.weight", "output.LayerNorm.gamma", LAYER(output_norm.weight), HIDDEN, ONE},
    {"output.LayerNorm.bias", "output.LayerNorm.beta", LAYER(output_norm.bias), HIDDEN, ONE},
};

/* The decoder's weight comes last: a tied head has none. */
static const struct entry masked_word_head[] = {
    {"cls.predictions.transform.dense.weight", NULL, MODEL(mlm_transform.weight), HIDDEN, HIDDEN},
    {"cls.predictions.transform.dense.bias", NULL, MODEL(mlm_transform.bias), HIDDEN, ONE},
    {"cls.predictions.transform.LayerNorm.weight", "cls.predictions.transform.LayerNorm.gamma",
     MODEL(mlm_norm.weight), HIDDEN, ONE},
    {"cls.predictions.transform.LayerNorm.bias", "cls.predictions.transform.LayerNorm.beta",
     MODEL(mlm_norm.bias), HIDDEN, ONE},
    {"cls.predictions.bias", "cls.predictions.decoder.bias", MODEL(mlm_decoder.bias), VOCABULARY,
     ONE},
    {"cls.predictions.decoder.weight", NULL, MODEL(mlm_decoder.weight), VOCABULARY, HIDDEN},
};

/* A pooler alone is a plain encoder's, and no head: the first two decide. */
static const struct entry next_sentence_head[] = {
    {"cls.seq_relationship.weight", NULL, MODEL(nsp.weight), TWO, HIDDEN},
    {"cls.seq_relationship.bias", NULL, MODEL(nsp.bias), TWO, ONE},
    {"pooler.dense.weight", NULL, MODEL(pooler.weight), HIDDEN, HIDDEN},
    {"pooler.dense.bias", NULL, MODEL(pooler.bias), HIDDEN, ONE},
};

static size_t extent(const struct config *config, enum axis axis)
{
    switch (axis) {
    case ONE:
        return 1;
    case TWO:
        return 2;
    case HIDDEN:
        return config->hidden;
    case FEED_FORWARD:
        return config->feed_forward;
    case VOCABULARY:
        return config->vocabulary;
    case POSITIONS:
        return config->positions;
    case SEGMENTS:
        return config->segments;
    }
    return 0;
}

/* ---- Finding them ------------------------------------------------------------------------- */

/* A vector that was found, and the pointer that shall lead to its floats. */
struct binding {
    const struct tensor *tensor;
    const float **pointer;
};

struct binder {
    const struct config *config;
    const struct store *store;
    const struct watch *watch;
    struct error *error;
    size_t found, expected; /* tensors */
    size_t count;           /* of the vectors among them */
    struct binding *vectors;
};

#define NAME_MAX_LENGTH 96

static const struct tensor *find_with_prefix(const struct store *store, const char *name)
{
    char prefixed[NAME_MAX_LENGTH + 8];
    snprintf(prefixed, sizeof prefixed, "bert.%s", name);
    const struct tensor *tensor = store_find(store, prefixed);
    return tensor ? tensor : store_find(store, name);
}

static const struct tensor *find(const struct binder *binder, const char *prefix,
                                 const struct entry *entry)
{
    char name[NAME_MAX_LENGTH];
    snprintf(name, sizeof name, "%s%s", prefix, entry->name);
    const struct tensor *tensor = find_with_prefix(binder->store, name);
    if (tensor || !entry->other_name)
        return tensor;
    snprintf(name, sizeof name, "%s%s", prefix, entry->other_name);
    return find_with_prefix(binder->store, name);
}

static enum status missing(const struct binder *binder, const char *prefix,
                           const struct entry *entry)
{
    return error_set(binder->error, STATUS_MISMATCH,
                     "%s: expected a tensor \"%s%s\" (with or without \"bert.\"), found none",
                     store_source(binder->store), prefix, entry->name);
}

/* "[768,3072]" */
static void write_shape(const size_t *shape, size_t rank, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "[");
    for (size_t i = 0; i < rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, i == 0 ? "%zu" : ",%zu", shape[i]);
    if (used < size)
        snprintf(text + used, size - used, "]");
}

static enum status check(const struct binder *binder, const struct entry *entry,
                         const struct tensor *tensor)
{
    const size_t expected[] = {extent(binder->config, entry->rows),
                               extent(binder->config, entry->columns)};
    size_t rank = entry->columns == ONE ? 1 : 2;
    bool same = tensor->rank == rank && tensor->shape[0] == expected[0] &&
                (rank == 1 || tensor->shape[1] == expected[1]);
    if (!same) {
        char want[64], have[TENSOR_RANK_MAX * 24];
        write_shape(expected, rank, want, sizeof want);
        write_shape(tensor->shape, tensor->rank, have, sizeof have);
        return error_set(binder->error, STATUS_MISMATCH,
                         "%s: tensor \"%s\": expected the shape %s that config.json gives, found "
                         "%s",
                         tensor->source, tensor->name, want, have);
    }
    if (tensor->type == TENSOR_OTHER)
        return error_set(binder->error, STATUS_UNSUPPORTED,
                         "%s: tensor \"%s\": expected F32, F16 or BF16, found %s", tensor->source,
                         tensor->name, tensor->type_name);
    return STATUS_OK;
}

/* Finds all tensors of a list; `base` is the struct that their members lie in. */
static enum status add(struct binder *binder, const char *prefix, const struct entry *entries,
                       size_t count, void *base)
{
    for (size_t i = 0; i < count; i++) {
        void *member = (char *)base + entries[i].offset;
        const struct tensor *tensor = find(binder, prefix, &entries[i]);
        if (!tensor)
            return missing(binder, prefix, &entries[i]);
        if (check(binder, &entries[i], tensor) != STATUS_OK)
            return binder->error->status;
        if (entries[i].columns == ONE)
            binder->vectors[binder->count++] = (struct binding){tensor, member};
        else
            *(struct matrix *)member = (struct matrix){tensor->data, tensor->type};
        if (watch_step(binder->watch, ++binder->found, binder->expected, binder->error) !=
            STATUS_OK)
            return binder->error->status;
    }
    return STATUS_OK;
}

static bool any_found(const struct binder *binder, const struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (find(binder, "", &entries[i]))
            return true;
    return false;
}

/* A head is there as a whole or not at all: half of one is a damaged checkpoint. */
static enum status add_heads(struct binder *binder, struct weights *weights)
{
    size_t masked_word = COUNT(masked_word_head) - (binder->config->tied ? 1 : 0);
    weights->has_mlm = any_found(binder, masked_word_head, masked_word);
    weights->has_nsp = any_found(binder, next_sentence_head, 2);
    if (weights->has_mlm && add(binder, "", masked_word_head, masked_word, weights) != STATUS_OK)
        return binder->error->status;
    if (weights->has_nsp)
        return add(binder, "", next_sentence_head, COUNT(next_sentence_head), weights);
    return STATUS_OK;
}

static enum status add_all(struct binder *binder, struct weights *weights)
{
    if (add(binder, "", embeddings, COUNT(embeddings), weights) != STATUS_OK)
        return binder->error->status;
    for (size_t l = 0; l < binder->config->layers; l++) {
        char prefix[40];
        snprintf(prefix, sizeof prefix, "encoder.layer.%zu.", l);
        if (add(binder, prefix, layer, COUNT(layer), &weights->layer[l]) != STATUS_OK)
            return binder->error->status;
    }
    return add_heads(binder, weights);
}

/* ---- Non-finite numbers ------------------------------------------------------------------- */

/* "[17]" or "[3,17]" */
static enum status not_finite(const struct tensor *tensor, size_t index, float found,
                              struct error *error)
{
    size_t columns = tensor->shape[tensor->rank - 1];
    const size_t place[] = {index / columns, index % columns};
    char at[64];
    write_shape(tensor->rank == 1 ? place + 1 : place, tensor->rank, at, sizeof at);
    return error_set(error, STATUS_FORMAT,
                     "%s: tensor \"%s\": expected finite numbers, found %s at %s; download the "
                     "checkpoint again, or convert it anew",
                     tensor->source, tensor->name,
                     isnan(found) ? "NaN"
                     : found > 0  ? "infinity"
                                  : "-infinity",
                     at);
}

static enum status check_finite(const struct tensor *tensor, size_t first, size_t count,
                                struct error *error)
{
    const struct matrix numbers = {tensor->data, tensor->type};
    float some[1024];
    for (size_t end = first + count; first < end; first += COUNT(some)) {
        size_t here = size_min(end - first, COUNT(some));
        matrix_numbers(&numbers, first, here, some);
        for (size_t i = 0; i < here; i++)
            if (!isfinite(some[i]))
                return not_finite(tensor, first + i, some[i], error);
    }
    return STATUS_OK;
}

/* All matrices of a list; that they are there was found when they were bound. */
static enum status check_matrices(const struct config *config, const struct store *store,
                                  const char *prefix, const struct entry *entries, size_t count,
                                  struct error *error)
{
    const struct binder binder = {.config = config, .store = store};
    for (size_t i = 0; i < count; i++) {
        const struct tensor *tensor =
            entries[i].columns != ONE ? find(&binder, prefix, &entries[i]) : NULL;
        if (tensor &&
            check_finite(tensor, 0, tensor->shape[0] * tensor->shape[1], error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

enum status weights_check_layer(const struct config *config, const struct store *store, size_t l,
                                struct error *error)
{
    char prefix[40];
    snprintf(prefix, sizeof prefix, "encoder.layer.%zu.", l);
    return check_matrices(config, store, prefix, layer, COUNT(layer), error);
}

enum status weights_check_embeddings(const struct config *config, const struct store *store,
                                     const struct trace *trace, struct error *error)
{
    enum { WORD, POSITION, SEGMENT, TABLES };
    const struct binder binder = {.config = config, .store = store};
    const struct interventions *changes = &trace->computed.changes;
    const bool left_out[TABLES] = {
        [POSITION] = changes->positions != POSITIONS_LEARNT, [SEGMENT] = changes->no_segments};
    const struct tensor *tables[TABLES];
    for (size_t i = 0; i < TABLES; i++)
        tables[i] = find(&binder, "", &embeddings[i]);
    for (size_t t = 0; t < trace->tokens; t++) {
        const size_t rows[TABLES] = {(size_t)trace->ids[t], t, (size_t)trace->segments[t]};
        for (size_t i = 0; i < TABLES; i++)
            if (!left_out[i] && check_finite(tables[i], rows[i] * config->hidden, config->hidden,
                                             error) != STATUS_OK)
                return error->status;
    }
    return STATUS_OK;
}

enum status weights_check_heads(const struct config *config, const struct store *store,
                                const struct trace *trace, struct error *error)
{
    size_t masked_word = COUNT(masked_word_head) - (config->tied ? 1 : 0);
    if (trace->mlm_logits &&
        check_matrices(config, store, "", masked_word_head, masked_word, error) != STATUS_OK)
        return error->status;
    if (trace->mlm_logits && config->tied && /* they are the decoder */
        check_matrices(config, store, "", embeddings, 1, error) != STATUS_OK)
        return error->status;
    return trace->nsp_logits ? check_matrices(config, store, "", next_sentence_head,
                                              COUNT(next_sentence_head), error)
                             : STATUS_OK;
}

/* ---- The vectors' floats ------------------------------------------------------------------ */

static size_t length_of(const struct tensor *tensor)
{
    return tensor->shape[0];
}

/* One block for all. Their sizes are those that the configuration gives, which were compared. They
 * are read anyway, so that a non-finite number is found here. */
static enum status widen_vectors(const struct binder *binder, struct weights *weights)
{
    size_t floats = 0;
    for (size_t i = 0; i < binder->count; i++)
        if (!size_add(floats, length_of(binder->vectors[i].tensor), &floats))
            return error_memory(binder->error, "the weights", floats);
    float *next = calloc(floats + 1, sizeof *next);
    if (!next)
        return error_memory(binder->error, "the weights", floats * sizeof *next);
    weights->block = next;
    for (size_t i = 0; i < binder->count; i++) {
        const struct tensor *tensor = binder->vectors[i].tensor;
        struct matrix numbers = {tensor->data, tensor->type};
        if (check_finite(tensor, 0, length_of(tensor), binder->error) != STATUS_OK)
            return binder->error->status;
        matrix_numbers(&numbers, 0, length_of(tensor), next);
        *binder->vectors[i].pointer = next;
        next += length_of(tensor);
    }
    return STATUS_OK;
}

enum status weights_bind(struct weights *weights, const struct config *config,
                         const struct store *store, const struct watch *watch, struct error *error)
{
    size_t most = COUNT(embeddings) + config->layers * COUNT(layer) + COUNT(masked_word_head) +
                  COUNT(next_sentence_head);
    struct binder binder = {
        .config = config, .store = store, .watch = watch, .error = error, .expected = most};
    *weights = (struct weights){0};
    weights->layer = calloc(config->layers, sizeof *weights->layer);
    binder.vectors = calloc(most, sizeof *binder.vectors);
    enum status status;
    if (!weights->layer || !binder.vectors)
        status = error_memory(error, "the list of tensors", most * sizeof *binder.vectors);
    else if ((status = add_all(&binder, weights)) == STATUS_OK)
        status = widen_vectors(&binder, weights);
    if (status == STATUS_OK && weights->has_mlm && config->tied)
        weights->mlm_decoder.weight = weights->word_embeddings;
    free(binder.vectors);
    return status;
}

void weights_free(struct weights *weights)
{
    free(weights->layer);
    free(weights->block);
    *weights = (struct weights){0};
}
