/* model.h: a BERT encoder as it was trained: configuration and weights, immutable once loaded.
 *
 *     struct model *model;
 *     if (model_read(&(struct files){"bert-base", NULL}, NULL, NULL, &model, &error) == STATUS_OK)
 *         …;
 *     model_free(model);
 */
#ifndef HEADLIGHT_MODEL_MODEL_H
#define HEADLIGHT_MODEL_MODEL_H

#include "headlight/base/bytes.h"
#include "headlight/base/files.h"
#include "headlight/base/watch.h"
#include "headlight/model/family.h"

struct store;
struct weights;
struct model;

/* Opens files in the hub's layout: config.json and model.safetensors, or
 * model.safetensors.index.json and its shards; those in memory must outlive the model. `family`
 * says by hand, by a model_type, which it is (family.h); NULL: as the checkpoint says. The
 * weight files stay mapped while the model lives, and F32 tensors are used in place; the watch,
 * which may be NULL, is called for each tensor. Free with model_free. */
enum status model_read(const struct files *files, const char *family, const struct watch *watch,
                       struct model **model, struct error *error);

/* Accepts NULL. */
void model_free(struct model *model);

/* Of an encoder–decoder, which is its encoder: the second of its stacks, with its own configuration
 * and weights, and the heads; or NULL. It lives as long as the model. */
const struct model *model_decoder(const struct model *model);

const struct config *model_config(const struct model *model);
/* The folder of config.json, which a sentence-transformers checkpoint may have inside (sentence.h);
 * NULL for a model from memory. */
const char *model_encoder(const struct model *model);
const struct weights *model_weights(const struct model *model);

/* What its configuration calls the outputs of a classifier. */
const struct labels *model_labels(const struct model *model);

/* A sentence about heads that are in the file and not used, or named and not in the file, or about
 * a field that other programs read otherwise; "" if there is nothing to say. */
const char *model_note(const struct model *model);

/* The SHA-256 of the bytes of config.json and of the weights' files in the order of their names, as
 * `cat config.json model.safetensors | sha256sum` has it. Takes a second for each 200 MB. */
void model_digest(const struct model *model, char digest[SHA256_DIGITS + 1]);

/* The files, for messages about a tensor. */
const struct store *model_store(const struct model *model);

#endif
