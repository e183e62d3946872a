#include "headlight/model/checkpoint.h"

#include "headlight/model/builtin.h"
#include "headlight/model/family.h"
#include "headlight/model/hub.h"

#include <stdlib.h>
#include <string.h>

static struct text text_of(struct builtin_file file)
{
    return (struct text){(const char *)file.bytes, file.size};
}

static enum status open_builtin(struct checkpoint *checkpoint, struct error *error)
{
    struct builtin_file config = builtin_file("config.json");
    struct builtin_file weights = builtin_file("model.safetensors");
    if (model_from_memory("built-in", config.bytes, config.size, weights.bytes, weights.size,
                          &checkpoint->model, error) != STATUS_OK)
        return error->status;
    return tokenizer_new(&model_config(checkpoint->model)->family->tokenizer,
                         text_of(builtin_file("vocab.txt")), "built-in/vocab.txt",
                         text_of(builtin_file("tokenizer_config.json")),
                         "built-in/tokenizer_config.json", &checkpoint->tokenizer, error);
}

static enum status open_folder(struct checkpoint *checkpoint, const char *folder,
                               const struct watch *watch, struct error *error)
{
    if (model_open(folder, watch, &checkpoint->model, error) != STATUS_OK)
        return error->status;
    const struct family *family = model_config(checkpoint->model)->family;
    return tokenizer_open(folder, &family->tokenizer, &checkpoint->tokenizer, error);
}

static enum status check_sizes(const struct checkpoint *checkpoint, const char *folder,
                               struct error *error)
{
    size_t pieces = tokenizer_size(checkpoint->tokenizer);
    size_t rows = model_config(checkpoint->model)->vocabulary;
    if (pieces <= rows)
        return STATUS_OK;
    return error_set(error, STATUS_MISMATCH,
                     "%s: expected at most the %zu pieces that config.json says, found %zu: the "
                     "tokenizer's files belong to another model",
                     folder, rows, pieces);
}

enum status checkpoint_open(struct checkpoint *checkpoint, const char *name,
                            const struct watch *watch, struct error *error)
{
    struct hub_place place = {0};
    *checkpoint = (struct checkpoint){0};
    if (name && hub_find(name, &place, error) != STATUS_OK)
        return error->status;
    checkpoint->name = name ? place.name : strdup("built-in");
    place.name = NULL;
    enum status status = STATUS_OK;
    if (!checkpoint->name)
        status = error_memory(error, "a name", 1);
    else
        status = name ? open_folder(checkpoint, place.folder, watch, error)
                      : open_builtin(checkpoint, error);
    if (status == STATUS_OK)
        status = check_sizes(checkpoint, name ? place.folder : checkpoint->name, error);
    if (status != STATUS_OK)
        checkpoint_close(checkpoint);
    hub_place_free(&place);
    return status;
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    model_free(checkpoint->model);
    tokenizer_free(checkpoint->tokenizer);
    free(checkpoint->name);
    *checkpoint = (struct checkpoint){0};
}
