/* store.h: the tensors of a checkpoint as one name space, whether they lie in one file, in several
 * shards or in memory. */
#pragma once

#include "headlight/base/file.h"
#include "headlight/base/watch.h"
#include "headlight/tensor/safetensors.h"

struct store {
    char *source; /* the file that lists the tensors, for messages about a missing one */
    const struct watch *watch; /* only while opening */
    struct file_text index;    /* of a sharded checkpoint */
    const cJSON *map;          /* its "weight_map": tensor name → file name */
    size_t count;
    struct safetensors **files; /* by name; most checkpoints have one, those above 5 GB several */
};

/* Maps model.safetensors, or the shards that model.safetensors.index.json names; in memory it is
 * the first, and its bytes must outlive the store. A missing shard, or one that lacks a tensor of
 * the index, is an error. The watch, which may be NULL, is called for each file, without step
 * numbers: none takes long alone. STATUS_CANCELLED when it ends the work; STATUS_UNSUPPORTED, with
 * the command that converts it, for PyTorch's own format. Free with store_close. */
enum status store_open(const struct files *files, const struct watch *watch, struct store **store,
                       struct error *error);

/* Accepts NULL and a half-opened store. */
void store_close(struct store *store);

/* By its exact name, or NULL. The tensor lives as long as the store. */
const struct tensor *store_find(const struct store *store, const char *name);

/* The tensors of all files one by one; NULL past the last one. */
const struct tensor *store_at(const struct store *store, size_t index);

/* mapping_check of all its files. */
enum status store_check(const struct store *store, enum status status, struct error *error);
