/* model.h: a BERT encoder as it was trained: configuration and weights, immutable once loaded.
 *
 *     struct model *model;
 *     if (model_read(&(struct files){"bert-base", NULL}, NULL, NULL, &model, &error) == STATUS_OK)
 *         …;
 *     model_free(model);
 */
#pragma once

#include "headlight/base/bytes.h"
#include "headlight/model/sentence.h"
#include "headlight/model/weights.h"

/* The weights point into the store's files, so the three live and end together. */
struct model {
    struct model *decoder; /* of an encoder–decoder, which is its encoder, the second of its stacks,
                              with its own configuration and weights, and the heads; behind it in
                              one block; NULL: it is alone, or the decoder */
    struct config config;
    struct labels labels; /* what its configuration calls the outputs of a classifier */
    struct store *store;  /* the files */
    struct weights weights;
    struct sentence_model sentence; /* its first folder is that of config.json, which a
                                       sentence-transformers checkpoint may have inside; none of
                                       a model from memory */
    struct sha256_ctx hash;         /* of config.json */
    char note[400]; /* a sentence about heads that are in the file and not used, or named and not in
                       the file, or about a field that other programs read otherwise; "" if there is
                       nothing to say */
};

/* Opens files in the hub's layout: config.json and model.safetensors, or
 * model.safetensors.index.json and its shards; those in memory must outlive the model. `family`
 * says by hand, by a model_type, which it is (family.h); NULL: as the checkpoint says. The
 * weight files stay mapped while the model lives, and F32 tensors are used in place; the watch,
 * which may be NULL, is called for each tensor. Free with model_free. */
enum status model_read(const struct files *files, const char *family, const struct watch *watch,
                       struct model **model, struct error *error);

/* Accepts NULL. */
void model_free(struct model *model);

/* The SHA-256 of the bytes of config.json and of the weights' files in the order of their names, as
 * `cat config.json model.safetensors | sha256sum` has it. Takes a second for each 200 MB. */
void model_digest(const struct model *model, char digest[SHA256_DIGITS + 1]);
