/* value.h: reading the value of an option or a setting. */
#ifndef HEADLIGHT_SESSION_VALUE_H
#define HEADLIGHT_SESSION_VALUE_H

#include "headlight/base/error.h"

#include <stdbool.h>

/* "--NAME: expected EXPECTED, found "FOUND"": STATUS_USAGE. */
enum status value_bad(const char *name, const char *expected, const char *found,
                      struct error *error);

/* Whether a text is a number from 0 to `limit`, in digits alone; *number is set if so. */
bool value_number(const char *text, size_t limit, size_t *number);

/* Finds a text among choices that end with NULL. STATUS_USAGE lists them. */
enum status value_choice(const char *name, const char *const *choices, const char *text,
                         unsigned *choice, struct error *error);

#endif
