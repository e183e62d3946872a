/* opening.h: models, their configuration and tokenizers, opened from a folder or from memory. */
#pragma once

#include "headlight/model/model.h"
#include "headlight/tensor/store.h"
#include "headlight/text/tokenizer.h"

static inline enum status model_open_as(const char *folder, const char *family,
                                        const struct watch *watch, struct model **model,
                                        struct error *error)
{
    return model_read(&(struct files){folder, NULL}, family, watch, model, error);
}

static inline enum status model_open(const char *folder, const struct watch *watch,
                                     struct model **model, struct error *error)
{
    return model_open_as(folder, NULL, watch, model, error);
}

static inline enum status model_from_memory(const char *name, const void *config,
                                            size_t config_size, const void *tensors,
                                            size_t tensors_size, struct model **model,
                                            struct error *error)
{
    const struct file_given given[] = {{"config.json", config, config_size},
                                       {"model.safetensors", tensors, tensors_size},
                                       {NULL, NULL, 0}};
    return model_read(&(struct files){name, given}, NULL, NULL, model, error);
}

static inline enum status config_parse(const char *text, size_t length, struct config *config,
                                       struct error *error)
{
    const struct file_given given[] = {{"config.json", text, length}, {NULL, NULL, 0}};
    struct file_text file;
    struct config decoder;
    const enum status status =
        config_read(&(struct files){"x", given}, NULL, config, &decoder, &file, error);
    file_text_free(&file);
    return status;
}

static inline enum status store_open_folder(const char *folder, struct store **store,
                                            struct error *error)
{
    return store_open(&(struct files){folder, NULL}, NULL, store, error);
}

static inline enum status tokenizer_open(const char *folder, const struct tokenizer_family *family,
                                         struct tokenizer **tokenizer, struct error *error)
{
    return tokenizer_read(&(struct files){folder, NULL}, family, false, tokenizer, error);
}

/* WordPiece; the settings may be NULL. */
static inline enum status tokenizer_of_vocabulary(const struct tokenizer_family *family,
                                                  struct text vocabulary, struct text settings,
                                                  struct tokenizer **tokenizer, struct error *error)
{
    const struct file_given given[] = {{"vocab.txt", vocabulary.bytes, vocabulary.length},
                                       {"tokenizer_config.json", settings.bytes, settings.length},
                                       {NULL, NULL, 0}};
    return tokenizer_read(&(struct files){"x", given}, family, false, tokenizer, error);
}

static inline enum status tokenizer_of_json(struct text json, struct tokenizer **tokenizer,
                                            struct error *error)
{
    const struct file_given given[] = {{"tokenizer.json", json.bytes, json.length},
                                       {NULL, NULL, 0}};
    static const struct tokenizer_family none;
    return tokenizer_read(&(struct files){"x", given}, &none, false, tokenizer, error);
}
