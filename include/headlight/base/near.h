/* near.h: the names of which one is expected, and the one that was probably meant.
 *
 *     struct near near = near_to("weigths");
 *     for (size_t i = 0; names[i]; i++)
 *         near_offer(&near, names[i]);
 *     error_write(error, STATUS_USAGE, "expected %s, found \"weigths\"", near_names(&near));
 *     return near_add(&near, error);      " (did you mean \"weights\"?)", behind the error's
 * message
 */
#pragma once

#include "headlight/base/error.h"

#define NEAR_LETTERS 95  /* longer names are not compared */
#define NEAR_NAMES   500 /* bytes of the list */

struct near {
    const char *wanted;
    size_t distance;             /* of the best, or the first that is too far; in letters */
    char best[NEAR_LETTERS + 1]; /* "": none so far */
    char names[NEAR_NAMES + 2];  /* all, with commas between; */
    size_t last;                 /* where the last one begins */
};

/* The name must outlive the struct near. */
struct near near_to(const char *wanted);

/* Keeps the name if none before was as near, by letters that are left out, added, changed or
 * swapped with the next one; case doesn't count. At most a third of the letters may differ, and
 * three. */
void near_offer(struct near *near, const char *name);

/* "lens, effects or words", of all that were offered. */
const char *near_names(struct near *near);

/* Appends the question to the error's message, if there is something to ask; returns the error's
 * status. */
enum status near_add(const struct near *near, struct error *error);
