#include "headlight/model/builtin.h"

#include <string.h>

#ifdef __APPLE__
#define SECTION      ".const_data"
#define SYMBOL(name) "_" name
#else
#define SECTION      ".section .rodata"
#define SYMBOL(name) name
#endif

/* The assembler copies the file between two symbols. Paths count from the project's root, where the
 * compiler runs. */
#define INCLUDE_FILE(name, path)                                                                   \
    __asm__(SECTION "\n"                                                                           \
                    ".balign 64\n"                                                                 \
                    ".globl " SYMBOL(#name) "_begin\n" SYMBOL(                                     \
                        #name) "_begin:\n"                                                         \
                               ".incbin \"assets/model/" path "\"\n"                               \
                               ".globl " SYMBOL(#name) "_end\n" SYMBOL(#name) "_end:\n"            \
                                                                              ".byte 0\n"          \
                                                                              ".text\n");          \
    extern const unsigned char name##_begin[], name##_end[]

INCLUDE_FILE(builtin_config, "config.json");
INCLUDE_FILE(builtin_tokenizer_config, "tokenizer_config.json");
INCLUDE_FILE(builtin_vocabulary, "vocab.txt");
INCLUDE_FILE(builtin_weights, "model.safetensors");

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
