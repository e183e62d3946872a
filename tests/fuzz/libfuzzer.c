/* libfuzzer.c: the door of libFuzzer. HEADLIGHT_FUZZ names the target. */
#include "fuzz.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("HEADLIGHT_FUZZ");
    (void)argc;
    (void)argv;
    setlocale(LC_CTYPE, "C.UTF-8");
    for (const struct target *target = targets; target->name && name; target++)
        if (strcmp(target->name, name) == 0)
            chosen = target->run;
    if (!chosen) {
        fprintf(stderr, "HEADLIGHT_FUZZ: expected the name of a target in tests/fuzz, found %s\n",
                name ? name : "none");
        exit(EXIT_FAILURE);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chosen(data, size);
    return 0;
}
