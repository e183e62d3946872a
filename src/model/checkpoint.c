/* checkpoint.c: opens a model with its tokenizer, from a folder or from the files linked into
 * the program. */
#include "headlight/model/checkpoint.h"

#include "headlight/base/incbin.h"
#include "headlight/base/memory.h"
#include "headlight/model/hub.h"
#include "headlight/model/sentence.h"

#include <stdlib.h>
#include <string.h>

/* ---- The built-in encoder ------------------------------------------------------------------ */

/* The files of assets/model/. The weights begin at a multiple of 64 bytes. */
INCLUDE_FILE(builtin_config, "assets/model/config.json");
INCLUDE_FILE(builtin_tokenizer_config, "assets/model/tokenizer_config.json");
INCLUDE_FILE(builtin_vocabulary, "assets/model/vocab.txt");
INCLUDE_FILE(builtin_weights, "assets/model/model.safetensors");

/* The configuration decides which tokenizer the older files describe, so the model comes first. */
static enum status open_files(struct checkpoint *checkpoint, const struct files *files,
                              const char *family, const struct watch *watch, struct error *error)
{
    if (model_read(files, family, watch, &checkpoint->model, error) != STATUS_OK)
        return error->status;
    const struct config *config = model_config(checkpoint->model);
    const struct sentence_model *sentence = config->sentence;
    const struct files encoder = {files->given ? files->folder : model_encoder(checkpoint->model),
                                  files->given};
    for (int target = 0; target < 2; target++)
        if (tokenizer_read(&encoder, &config->family->tokenizer, target,
                           target ? &checkpoint->target_tokenizer : &checkpoint->tokenizer,
                           error) != STATUS_OK)
            return error->status;
    return sentence && sentence->given
               ? tokenizer_strip(checkpoint->tokenizer, sentence->lower_case, error)
               : STATUS_OK;
}

enum status checkpoint_open(struct checkpoint *checkpoint, const char *name, const char *family,
                            const struct watch *watch, struct error *error)
{
#define GIVEN(name, file)                                                                          \
    {                                                                                              \
        name, file##_begin, (size_t)(file##_end - file##_begin)                                    \
    }
    const struct file_given builtin[] = {
        GIVEN("config.json", builtin_config),
        GIVEN("tokenizer_config.json", builtin_tokenizer_config),
        GIVEN("vocab.txt", builtin_vocabulary),
        GIVEN("model.safetensors", builtin_weights),
        {NULL, NULL, 0},
    };
#undef GIVEN
    struct hub_location location = {0};
    *checkpoint = (struct checkpoint){0};
    name = name && strcmp(name, BUILT_IN) == 0 ? NULL : name;
    if (name ? hub_find(name, &location, error) != STATUS_OK
             : !(location.name = memory_print(error, BUILT_IN)))
        return error->status;
    checkpoint->name = location.name;
    location.name = NULL;
    const struct files files = {name ? location.folder : BUILT_IN, name ? NULL : builtin};
    enum status status = open_files(checkpoint, &files, family, watch, error);
    const struct model *model = checkpoint->model;
    const struct model *decoder = status == STATUS_OK ? model_decoder(model) : NULL;
    if (status == STATUS_OK)
        tokenizer_limit(checkpoint->tokenizer, model_config(model)->vocabulary);
    if (decoder)
        tokenizer_limit(checkpoint->target_tokenizer, model_config(decoder)->vocabulary);
    if (status != STATUS_OK)
        checkpoint_close(checkpoint);
    hub_location_free(&location);
    return status;
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    model_free(checkpoint->model);
    tokenizer_free(checkpoint->tokenizer);
    tokenizer_free(checkpoint->target_tokenizer);
    free(checkpoint->name);
    *checkpoint = (struct checkpoint){0};
}
