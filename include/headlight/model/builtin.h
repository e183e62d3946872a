/* builtin.h: the files of assets/model/, linked into the program. */
#ifndef HEADLIGHT_MODEL_BUILTIN_H
#define HEADLIGHT_MODEL_BUILTIN_H

#include <stddef.h>

struct builtin_file {
    const unsigned char *bytes;
    size_t size;
};

/* By file name ("config.json"); bytes is NULL for a name that is not there. The weights begin at a
 * multiple of 64 bytes. */
struct builtin_file builtin_file(const char *name);

#endif
