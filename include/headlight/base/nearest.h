/* nearest.h: the names of which one is expected, and the one that was probably meant.
 *
 *     struct nearest nearest = nearest_to("weigths");
 *     for (size_t i = 0; names[i]; i++)
 *         nearest_offer(&nearest, names[i]);
 *     error_write(error, STATUS_USAGE, "expected %s, found \"weigths\"", nearest_names(&nearest));
 *     return nearest_suggest(&nearest, error);      " (did you mean \"weights\"?)", behind the
 * error's message */
#pragma once

#include "headlight/base/error.h"

#define NEAREST_LETTERS 95  /* longer names are not compared */
#define NEAREST_NAMES   500 /* bytes of the list */

struct nearest {
    const char *wanted;
    size_t distance;                /* of the best, or the first that is too far; in letters */
    char best[NEAREST_LETTERS + 1]; /* "": none so far */
    char names[NEAREST_NAMES + 2];  /* all, with commas between; */
    size_t last;                    /* where the last one begins */
};

/* The name must outlive the struct nearest. */
struct nearest nearest_to(const char *wanted);

/* Keeps the name if none before was as near, by letters that are left out, added, changed or
 * swapped with the next one; case doesn't count. At most a third of the letters may differ, and
 * three. */
void nearest_offer(struct nearest *nearest, const char *name);

/* "lens, effects or words", of all that were offered. */
const char *nearest_names(struct nearest *nearest);

/* Appends the question to the error's message, if there is something to ask; returns the error's
 * status. */
enum status nearest_suggest(const struct nearest *nearest, struct error *error);
