#include "headlight/model/builtin.h"

#include "headlight/base/incbin.h"

#include <string.h>

INCLUDE_FILE(builtin_config, "assets/model/config.json");
INCLUDE_FILE(builtin_tokenizer_config, "assets/model/tokenizer_config.json");
INCLUDE_FILE(builtin_vocabulary, "assets/model/vocab.txt");
INCLUDE_FILE(builtin_weights, "assets/model/model.safetensors");

struct builtin_file builtin_file(const char *name)
{
    const struct {
        const char *name;
        const unsigned char *begin, *end;
    } files[] = {
        {"config.json", builtin_config_begin, builtin_config_end},
        {"tokenizer_config.json", builtin_tokenizer_config_begin, builtin_tokenizer_config_end},
        {"vocab.txt", builtin_vocabulary_begin, builtin_vocabulary_end},
        {"model.safetensors", builtin_weights_begin, builtin_weights_end},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].name, name) == 0)
            return (struct builtin_file){files[i].begin, (size_t)(files[i].end - files[i].begin)};
    return (struct builtin_file){NULL, 0};
}
