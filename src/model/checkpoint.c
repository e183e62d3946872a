/* checkpoint.c: opens a model with its tokenizer, from a folder or from the files linked into
 * the program. */
#include "headlight/model/checkpoint.h"

#include "headlight/base/incbin.h"
#include "headlight/base/memory.h"
#include "headlight/model/hub.h"
#include "headlight/model/sentence.h"

#include <stdlib.h>
#include <string.h>

/* ---- The built-in models ------------------------------------------------------------------- */

/* The files of assets/model/ and of assets/model/dates/. They begin at a multiple of 64 bytes. */
INCLUDE_FILE(builtin_config, "assets/model/config.json");
INCLUDE_FILE(builtin_tokenizer_config, "assets/model/tokenizer_config.json");
INCLUDE_FILE(builtin_vocabulary, "assets/model/vocab.txt");
INCLUDE_FILE(builtin_weights, "assets/model/model.safetensors");
INCLUDE_FILE(dates_config, "assets/model/dates/config.json");
INCLUDE_FILE(dates_generation_config, "assets/model/dates/generation_config.json");
INCLUDE_FILE(dates_tokenizer_config, "assets/model/dates/tokenizer_config.json");
INCLUDE_FILE(dates_tokenizer, "assets/model/dates/tokenizer.json");
INCLUDE_FILE(dates_weights, "assets/model/dates/model.safetensors");

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
    const struct file_given files_of[BUILT_INS][6] = {
        {
            GIVEN("config.json", builtin_config),
            GIVEN("tokenizer_config.json", builtin_tokenizer_config),
            GIVEN("vocab.txt", builtin_vocabulary),
            GIVEN("model.safetensors", builtin_weights),
        },
        {
            GIVEN("config.json", dates_config),
            GIVEN("generation_config.json", dates_generation_config),
            GIVEN("tokenizer_config.json", dates_tokenizer_config),
            GIVEN("tokenizer.json", dates_tokenizer),
            GIVEN("model.safetensors", dates_weights),
        },
    };
#undef GIVEN
    struct hub_location location = {0};
    *checkpoint = (struct checkpoint){0};
    size_t at = 0;
    while (name && at < BUILT_INS && strcmp(name, built_in[at].name) != 0)
        at++;
    const struct file_given *given = at < BUILT_INS ? files_of[at] : NULL;
    if (given ? !(location.name = memory_print(error, "%s", built_in[at].name))
              : hub_find(name, &location, error) != STATUS_OK)
        return error->status;
    checkpoint->name = location.name;
    location.name = NULL;
    const struct files files = {given ? built_in[at].name : location.folder, given};
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
