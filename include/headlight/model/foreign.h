/* foreign.h: files that hold a model, but not as headlight reads one: what they are, and what can
 * be done with them. */
#ifndef HEADLIGHT_MODEL_FOREIGN_H
#define HEADLIGHT_MODEL_FOREIGN_H

#include "headlight/base/error.h"

struct foreign {
    const char *ending, *title, *way; /* of its name; "an ONNX graph"; what can be done */
};

/* By the ending of a file's name; NULL: no such file. */
const struct foreign *foreign_named(const char *name);

/* The first kind of which the folder, or the folder onnx in it, has a file; NULL: none. */
const struct foreign *foreign_in(const char *folder);

/* "PATH: expected EXPECTED, found an ONNX graph: …", STATUS_UNSUPPORTED. */
enum status foreign_refuse(const struct foreign *foreign, const char *path, const char *expected,
                           struct error *error);

#endif
