/* checkpoint.c: opens a model with its tokenizer, from a folder or from the files linked into
 * the program. */
#include "headlight/model/checkpoint.h"

#include "headlight/base/incbin.h"
#include "headlight/base/memory.h"
#include "headlight/model/hub.h"

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

/* The configuration decides which tokenizer the older files describe, so the model comes first.
 * What a decoder writes is in the vocabulary of what its encoder reads, unless it has one of its
 * own. */
static enum status open_files(struct checkpoint *checkpoint, const struct files *files,
                              const char *family, const struct watch *watch, struct error *error)
{
    if (model_read(files, family, watch, &checkpoint->model, error) != STATUS_OK)
        return error->status;
    const struct config *config = &checkpoint->model->config;
    const struct sentence_model *sentence = config->sentence;
    const struct files encoder = {
        files->given ? files->folder : checkpoint->model->sentence.folders[SENTENCE_TRANSFORMER],
        files->given};
    struct model *second = checkpoint->model->decoder;
    struct checkpoint *decoder = NULL;
    if (tokenizer_read(&encoder, &config->family->tokenizer, false, &checkpoint->tokenizer,
                       error) != STATUS_OK)
        return error->status;
    if (second) {
        if (!(decoder = checkpoint->decoder = calloc(1, sizeof *decoder)))
            return error_memory(error, "the model", sizeof *decoder);
        decoder->model = second;
        decoder->name = checkpoint->name;
        if (tokenizer_read(&encoder, &config->family->tokenizer, true, &decoder->tokenizer,
                           error) != STATUS_OK)
            return error->status;
        tokenizer_limit(decoder->tokenizer, second->config.vocabulary);
        if (!decoder->tokenizer)
            decoder->tokenizer = checkpoint->tokenizer;
    }
    tokenizer_limit(checkpoint->tokenizer, config->vocabulary);
    return sentence && sentence->given
               ? tokenizer_strip(checkpoint->tokenizer, sentence->lower_case, error)
               : STATUS_OK;
}

enum status checkpoint_open(struct checkpoint *checkpoint, const char *name, const char *family,
                            const struct watch *watch, struct error *error)
{
#define GIVEN(name, file) name, file##_begin, (size_t)(file##_end - file##_begin)
    const struct file_given files_of[BUILT_INS][6] = {
        {
            {GIVEN("config.json", builtin_config)},
            {GIVEN("tokenizer_config.json", builtin_tokenizer_config)},
            {GIVEN("vocab.txt", builtin_vocabulary)},
            {GIVEN("model.safetensors", builtin_weights)},
        },
        {
            {GIVEN("config.json", dates_config)},
            {GIVEN("generation_config.json", dates_generation_config)},
            {GIVEN("tokenizer_config.json", dates_tokenizer_config)},
            {GIVEN("tokenizer.json", dates_tokenizer)},
            {GIVEN("model.safetensors", dates_weights)},
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
    if (status != STATUS_OK)
        checkpoint_close(checkpoint);
    hub_location_free(&location);
    return status;
}

struct intervene_stacks checkpoint_stacks(const struct checkpoint *checkpoint)
{
    const struct config *one = &checkpoint->model->config,
                        *other = checkpoint->decoder ? &checkpoint->decoder->model->config : NULL;
    return (struct intervene_stacks){{one->layers, other ? other->layers : 0},
                                     {one->heads, other ? other->heads : 0}};
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    model_free(checkpoint->model);
    if (checkpoint->decoder && checkpoint->decoder->tokenizer != checkpoint->tokenizer)
        tokenizer_free(checkpoint->decoder->tokenizer);
    tokenizer_free(checkpoint->tokenizer);
    free(checkpoint->decoder);
    free(checkpoint->name);
    *checkpoint = (struct checkpoint){0};
}
