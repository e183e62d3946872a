#include "headlight/model/weights.h"

#include "headlight/base/size.h"
#include "headlight/model/widen.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Which tensors a BERT has ------------------------------------------------------------- */

/* The extents that the configuration gives to an axis. */
enum axis { ONE, TWO, HIDDEN, FEED_FORWARD, VOCABULARY, POSITIONS, SEGMENTS };

enum placement {
    ANYWHERE,  /* in place if it can be, else aligned in the block */
    IN_BLOCK,  /* always copied */
    BESIDE,    /* if it must be converted: right behind the one before it */
    IN_BESIDE, /* always copied, right behind the one before it */
};

/* A tensor that must be there, in [rows,columns] or, where columns is ONE, in [rows]. */
struct entry {
    const char *name;
    const char *other_name; /* accepted too, or NULL */
    size_t offset;          /* of the pointer in struct weights or struct layer_weights */
    enum axis rows, columns;
    enum placement placement;
};

#define MODEL(member) offsetof(struct weights, member)
#define LAYER(member) offsetof(struct layer_weights, member)
#define COUNT(array)  (sizeof(array) / sizeof *(array))

static const struct entry embeddings[] = {
    {"embeddings.word_embeddings.weight", NULL, MODEL(word_embeddings), VOCABULARY, HIDDEN, 0},
    {"embeddings.position_embeddings.weight", NULL, MODEL(position_embeddings), POSITIONS, HIDDEN,
     0},
    {"embeddings.token_type_embeddings.weight", NULL, MODEL(segment_embeddings), SEGMENTS, HIDDEN,
     0},
    {"embeddings.LayerNorm.weight", "embeddings.LayerNorm.gamma", MODEL(embedding_norm.weight),
     HIDDEN, ONE, 0},
    {"embeddings.LayerNorm.bias", "embeddings.LayerNorm.beta", MODEL(embedding_norm.bias), HIDDEN,
     ONE, 0},
};

/* After "encoder.layer.N.". */
static const struct entry layer[] = {
    {"attention.self.query.weight", NULL, LAYER(query.weight), HIDDEN, HIDDEN, ANYWHERE},
    {"attention.self.key.weight", NULL, LAYER(key.weight), HIDDEN, HIDDEN, BESIDE},
    {"attention.self.value.weight", NULL, LAYER(value.weight), HIDDEN, HIDDEN, BESIDE},
    {"attention.self.query.bias", NULL, LAYER(query.bias), HIDDEN, ONE, IN_BLOCK},
    {"attention.self.key.bias", NULL, LAYER(key.bias), HIDDEN, ONE, IN_BESIDE},
    {"attention.self.value.bias", NULL, LAYER(value.bias), HIDDEN, ONE, IN_BESIDE},
    {"attention.output.dense.weight", NULL, LAYER(attention_output.weight), HIDDEN, HIDDEN, 0},
    {"attention.output.dense.bias", NULL, LAYER(attention_output.bias), HIDDEN, ONE, 0},
    {"attention.output.LayerNorm.weight", "attention.output.LayerNorm.gamma",
     LAYER(attention_norm.weight), HIDDEN, ONE, 0},
    {"attention.output.LayerNorm.bias", "attention.output.LayerNorm.beta",
     LAYER(attention_norm.bias), HIDDEN, ONE, 0},
    {"intermediate.dense.weight", NULL, LAYER(intermediate.weight), FEED_FORWARD, HIDDEN, 0},
    {"intermediate.dense.bias", NULL, LAYER(intermediate.bias), FEED_FORWARD, ONE, 0},
    {"output.dense.weight", NULL, LAYER(output.weight), HIDDEN, FEED_FORWARD, 0},
    {"output.dense.bias", NULL, LAYER(output.bias), HIDDEN, ONE, 0},
    {"output.LayerNorm.weight", "output.LayerNorm.gamma", LAYER(output_norm.weight), HIDDEN, ONE,
     0},
    {"output.LayerNorm.bias", "output.LayerNorm.beta", LAYER(output_norm.bias), HIDDEN, ONE, 0},
};

/* The decoder's weight comes last: a tied head has none. */
static const struct entry masked_word_head[] = {
    {"cls.predictions.transform.dense.weight", NULL, MODEL(mlm_transform.weight), HIDDEN, HIDDEN,
     0},
    {"cls.predictions.transform.dense.bias", NULL, MODEL(mlm_transform.bias), HIDDEN, ONE, 0},
    {"cls.predictions.transform.LayerNorm.weight", "cls.predictions.transform.LayerNorm.gamma",
     MODEL(mlm_norm.weight), HIDDEN, ONE, 0},
    {"cls.predictions.transform.LayerNorm.bias", "cls.predictions.transform.LayerNorm.beta",
     MODEL(mlm_norm.bias), HIDDEN, ONE, 0},
    {"cls.predictions.bias", "cls.predictions.decoder.bias", MODEL(mlm_decoder.bias), VOCABULARY,
     ONE, 0},
    {"cls.predictions.decoder.weight", NULL, MODEL(mlm_decoder.weight), VOCABULARY, HIDDEN, 0},
};

/* A pooler alone is a plain encoder's, and no head: the first two decide. */
static const struct entry next_sentence_head[] = {
    {"cls.seq_relationship.weight", NULL, MODEL(nsp.weight), TWO, HIDDEN, 0},
    {"cls.seq_relationship.bias", NULL, MODEL(nsp.bias), TWO, ONE, 0},
    {"pooler.dense.weight", NULL, MODEL(pooler.weight), HIDDEN, HIDDEN, 0},
    {"pooler.dense.bias", NULL, MODEL(pooler.bias), HIDDEN, ONE, 0},
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

/* A tensor that was found, and the pointer that shall lead to its numbers. */
struct binding {
    const struct tensor *tensor;
    const float **pointer;
    enum placement placement;
    bool copied;
    size_t offset; /* in the block, in floats */
};

struct binder {
    const struct config *config;
    const struct store *store;
    struct error *error;
    size_t count;
    struct binding *bindings;
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

/* Adds all tensors of a list to the bindings; `base` is the struct that their pointers lie in. */
static enum status add(struct binder *binder, const char *prefix, const struct entry *entries,
                       size_t count, void *base)
{
    for (size_t i = 0; i < count; i++) {
        const struct tensor *tensor = find(binder, prefix, &entries[i]);
        if (!tensor)
            return missing(binder, prefix, &entries[i]);
        if (check(binder, &entries[i], tensor) != STATUS_OK)
            return binder->error->status;
        binder->bindings[binder->count++] =
            (struct binding){.tensor = tensor,
                             .pointer = (const float **)(void *)((char *)base + entries[i].offset),
                             .placement = entries[i].placement};
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

/* ---- Putting them in place ---------------------------------------------------------------- */

#define ALIGNMENT 64 /* bytes: a cache line */
/* From this size on a block is worth pages of its own. */
#define HUGE_PAGE ((size_t)2 << 20)

/* Decides which tensors are copied, and where to; *floats is the block's size. */
static bool lay_out(struct binder *binder, size_t *floats)
{
    const size_t unit = ALIGNMENT / sizeof(float);
    *floats = 0;
    for (size_t i = 0; i < binder->count; i++) {
        struct binding *binding = &binder->bindings[i];
        const struct tensor *tensor = binding->tensor;
        enum placement placement = binding->placement;
        size_t count = tensor->size / (tensor->type == TENSOR_F32 ? 4 : 2);
        binding->copied = placement == IN_BLOCK || placement == IN_BESIDE ||
                          tensor->type != TENSOR_F32 ||
                          (uintptr_t)tensor->data % _Alignof(float) != 0;
        if (!binding->copied)
            continue;
        if (placement != BESIDE && placement != IN_BESIDE &&
            !size_add(*floats, (unit - *floats % unit) % unit, floats))
            return false;
        binding->offset = *floats;
        if (!size_add(*floats, count, floats))
            return false;
    }
    return true;
}

/* A large block lies on a boundary of huge pages and asks for them: fewer page faults make a model
 * load in half the time. */
static void *allocate(size_t floats)
{
    size_t alignment = floats > HUGE_PAGE / sizeof(float) ? HUGE_PAGE : ALIGNMENT;
    size_t bytes;
    if (!size_multiply(floats, sizeof(float), &bytes) || !size_add(bytes, alignment - 1, &bytes))
        return NULL;
    bytes -= bytes % alignment;
    void *block = aligned_alloc(alignment, bytes);
#ifdef MADV_HUGEPAGE
    if (block && alignment == HUGE_PAGE)
        madvise(block, bytes, MADV_HUGEPAGE); /* a wish: without it all works the same */
#endif
    return block;
}

static void copy(const struct tensor *tensor, float *numbers)
{
    if (tensor->type == TENSOR_F16)
        widen_f16(tensor->data, tensor->size / 2, numbers);
    else if (tensor->type == TENSOR_BF16)
        widen_bf16(tensor->data, tensor->size / 2, numbers);
    else
        memcpy(numbers, tensor->data, tensor->size);
}

static enum status bind(struct binder *binder, struct weights *weights, const struct watch *watch)
{
    size_t floats;
    if (!lay_out(binder, &floats) || !(weights->block = allocate(floats)))
        return error_memory(binder->error, "the weights", floats * sizeof(float));
    float *block = weights->block;
    for (size_t i = 0; i < binder->count; i++) {
        const struct binding *binding = &binder->bindings[i];
        if (binding->copied)
            copy(binding->tensor, block + binding->offset);
        *binding->pointer = binding->copied ? block + binding->offset
                                            : (const float *)(const void *)binding->tensor->data;
        if (watch_step(watch, i + 1, binder->count, binder->error) != STATUS_OK)
            return binder->error->status;
    }
    return STATUS_OK;
}

/* What follows from where things came to lie. */
static void finish(struct weights *weights, const struct config *config)
{
    size_t square = config->hidden * config->hidden;
    for (size_t l = 0; l < config->layers; l++) {
        struct layer_weights *one = &weights->layer[l];
        one->fused = one->key.weight == one->query.weight + square &&
                     one->value.weight == one->key.weight + square;
    }
    if (weights->has_mlm && config->tied)
        weights->mlm_decoder.weight = weights->word_embeddings;
}

enum status weights_bind(struct weights *weights, const struct config *config,
                         const struct store *store, const struct watch *watch, struct error *error)
{
    struct binder binder = {.config = config, .store = store, .error = error};
    size_t most = COUNT(embeddings) + config->layers * COUNT(layer) + COUNT(masked_word_head) +
                  COUNT(next_sentence_head);
    *weights = (struct weights){0};
    weights->layer = calloc(config->layers, sizeof *weights->layer);
    binder.bindings = calloc(most, sizeof *binder.bindings);
    enum status status;
    if (!weights->layer || !binder.bindings)
        status = error_memory(error, "the list of tensors", most * sizeof *binder.bindings);
    else if ((status = add_all(&binder, weights)) == STATUS_OK &&
             (status = bind(&binder, weights, watch)) == STATUS_OK)
        finish(weights, config);
    free(binder.bindings);
    return status;
}

void weights_free(struct weights *weights)
{
    free(weights->layer);
    free(weights->block);
    *weights = (struct weights){0};
}
