/* checkpoint.c: opens a model with its tokenizer, from a folder or from the files linked into
 * the program. */
#include "headlight/model/checkpoint.h"

#include "headlight/base/incbin.h"
#include "headlight/base/memory.h"
#include "headlight/model/hub.h"
#include "headlight/model/relatives.h"
#include "headlight/model/sentence.h"

#include <stdlib.h>
#include <string.h>

/* ---- The built-in encoder ------------------------------------------------------------------ */

/* The files of assets/model/. The weights begin at a multiple of 64 bytes. */
INCLUDE_FILE(builtin_config, "assets/model/config.json");
INCLUDE_FILE(builtin_tokenizer_config, "assets/model/tokenizer_config.json");
INCLUDE_FILE(builtin_vocabulary, "assets/model/vocab.txt");
INCLUDE_FILE(builtin_weights, "assets/model/model.safetensors");

/* INCLUDE_FILE defines the two ends of a file's bytes. */
static struct text bytes_between(const unsigned char *begin, const unsigned char *end)
{
    return (struct text){(const char *)begin, (size_t)(end - begin)};
}

/* The names that messages have for the files are those that a folder would give them. */
static enum status open_builtin(struct checkpoint *checkpoint, struct error *error)
{
    struct text config = bytes_between(builtin_config_begin, builtin_config_end);
    struct text weights = bytes_between(builtin_weights_begin, builtin_weights_end);
    if (model_from_memory("built-in", config.bytes, config.length, weights.bytes, weights.length,
                          &checkpoint->model, error) != STATUS_OK)
        return error->status;
    return tokenizer_new(
        family_tokenizer(model_config(checkpoint->model)),
        bytes_between(builtin_vocabulary_begin, builtin_vocabulary_end), "built-in/vocab.txt",
        bytes_between(builtin_tokenizer_config_begin, builtin_tokenizer_config_end),
        "built-in/tokenizer_config.json", &checkpoint->tokenizer, error);
}

/* ---- Opening ------------------------------------------------------------------------------ */

/* The configuration decides which tokenizer the older files describe, so the model comes first. */
static enum status open_folder(struct checkpoint *checkpoint, const char *folder,
                               const char *family, const struct watch *watch, struct error *error)
{
    if (model_open_as(folder, family, watch, &checkpoint->model, error) != STATUS_OK)
        return error->status;
    const struct config *config = model_config(checkpoint->model);
    const struct sentence_model *sentence = config->sentence;
    if (tokenizer_open(model_encoder(checkpoint->model), family_tokenizer(config),
                       &checkpoint->tokenizer, error) != STATUS_OK)
        return error->status;
    return sentence && sentence->given
               ? tokenizer_strip(checkpoint->tokenizer, sentence->lower_case, error)
               : STATUS_OK;
}

enum status checkpoint_open(struct checkpoint *checkpoint, const char *name,
                            const struct watch *watch, struct error *error)
{
    return checkpoint_open_as(checkpoint, name, NULL, watch, error);
}

enum status checkpoint_open_as(struct checkpoint *checkpoint, const char *name, const char *family,
                               const struct watch *watch, struct error *error)
{
    struct hub_location location = {0};
    *checkpoint = (struct checkpoint){0};
    name = name && strcmp(name, BUILT_IN) == 0 ? NULL : name;
    if (name ? hub_find(name, &location, error) != STATUS_OK
             : !(location.name = memory_print(error, BUILT_IN)))
        return error->status;
    checkpoint->name = location.name;
    location.name = NULL;
    enum status status = name ? open_folder(checkpoint, location.folder, family, watch, error)
                              : open_builtin(checkpoint, error);
    if (status == STATUS_OK)
        tokenizer_limit(checkpoint->tokenizer, model_config(checkpoint->model)->vocabulary);
    if (status != STATUS_OK)
        checkpoint_close(checkpoint);
    hub_location_free(&location);
    return status;
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    model_free(checkpoint->model);
    tokenizer_free(checkpoint->tokenizer);
    free(checkpoint->name);
    *checkpoint = (struct checkpoint){0};
}
