/* foreign.c: the table of files that hold a model otherwise, and the messages that say the way out.
 * What is in the hub may be any of these alone, and then no download helps. */
#include "headlight/model/foreign.h"

#include "headlight/base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* An adapter comes first, as it may be kept in any form. */
static const struct foreign kinds[] = {
    {"adapter_config.json", "a LoRA adapter, which changes the weights of another model",
     "save_pretrained() what peft's merge_and_unload() makes of both in Python, and open that "
     "folder"},
    {".gguf", "a GGUF file",
     "headlight can't compute with it; the model that it was converted from, in the safetensors "
     "format, can be opened"},
    {".onnx", "an ONNX graph",
     "headlight can't compute with it; the model that it was exported from, in the safetensors "
     "format, can be opened"},
    {"tf_model.h5", "weights of TensorFlow",
     "from_pretrained(FOLDER, from_tf=True) of transformers 4 reads them in Python, and "
     "save_pretrained() makes a folder to open"},
    {"flax_model.msgpack", "weights of Flax",
     "from_pretrained(FOLDER, from_flax=True) of transformers 4 reads them in Python, and "
     "save_pretrained() makes a folder to open"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

const struct foreign *foreign_named(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < KINDS; i++) {
        const size_t end = strlen(kinds[i].ending);
        if (length >= end && strcmp(name + length - end, kinds[i].ending) == 0)
            return &kinds[i];
    }
    return NULL;
}

/* The kind that comes first in the table, of all files of a folder; NULL also where there is none.
 */
static const struct foreign *first_in(const char *folder)
{
    const struct foreign *first = NULL;
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        const struct foreign *found = foreign_named(entry->d_name);
        if (found && (!first || found < first))
            first = found;
    }
    if (entries)
        closedir(entries);
    return first;
}

/* Exports to ONNX are often kept in a folder of their own beside the rest. */
const struct foreign *foreign_in(const char *folder)
{
    const struct foreign *found = first_in(folder);
    char *inner = found ? NULL : path_join(folder, "onnx");
    if (inner)
        found = first_in(inner);
    free(inner);
    return found;
}

enum status foreign_refuse(const struct foreign *foreign, const char *path, const char *expected,
                           struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED, "%s: expected %s, found %s: %s", path, expected,
                     foreign->title, foreign->way);
}
