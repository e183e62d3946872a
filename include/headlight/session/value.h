/* value.h: what is said of an option on the command line, or of a setting, as a value. */
#ifndef HEADLIGHT_SESSION_VALUE_H
#define HEADLIGHT_SESSION_VALUE_H

#include "headlight/base/error.h"

#include <stdbool.h>

/* "--NAME: expected EXPECTED, found "FOUND"": STATUS_USAGE. */
enum status value_bad(const char *name, const char *expected, const char *found,
                      struct error *error);

/* Whether a text is a number in 0 … limit, in digits alone; then *number is it. */
bool value_number(const char *text, size_t limit, size_t *number);

/* Which of the choices, up to a NULL, a text is. STATUS_USAGE lists them. */
enum status value_choice(const char *name, const char *const *choices, const char *text,
                         unsigned *choice, struct error *error);

#endif
