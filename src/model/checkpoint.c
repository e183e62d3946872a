#include "headlight/model/checkpoint.h"

#include "headlight/model/builtin.h"

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
    return tokenizer_new(text_of(builtin_file("vocab.txt")), "built-in/vocab.txt",
                         text_of(builtin_file("tokenizer_config.json")),
                         "built-in/tokenizer_config.json", &checkpoint->tokenizer, error);
}

/* The last part of a path, without the slashes after it; "." and "/" stay what they are. */
static char *name_of(const char *folder)
{
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && folder[begin - 1] != '/')
        begin--;
    return strndup(folder + begin, end - begin);
}

enum status checkpoint_open(struct checkpoint *checkpoint, const char *folder,
                            const struct watch *watch, struct error *error)
{
    enum status status;
    *checkpoint = (struct checkpoint){.name = folder ? name_of(folder) : strdup("built-in")};
    if (!checkpoint->name) {
        status = error_memory(error, "a name", 1);
        goto fail;
    }
    if (folder) {
        status = model_open(folder, watch, &checkpoint->model, error);
        if (status == STATUS_OK)
            status = tokenizer_open(folder, NULL, &checkpoint->tokenizer, error);
    } else {
        status = open_builtin(checkpoint, error);
    }
    if (status != STATUS_OK)
        goto fail;
    size_t pieces = tokenizer_size(checkpoint->tokenizer);
    size_t rows = model_config(checkpoint->model)->vocabulary;
    if (pieces <= rows)
        return STATUS_OK;
    status = error_set(error, STATUS_MISMATCH,
                       "%s: expected at most the %zu pieces that config.json says, found %zu: the "
                       "tokenizer's files belong to another model",
                       folder ? folder : "built-in", rows, pieces);
fail:
    checkpoint_close(checkpoint);
    return status;
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    model_free(checkpoint->model);
    tokenizer_free(checkpoint->tokenizer);
    free(checkpoint->name);
    *checkpoint = (struct checkpoint){0};
}
