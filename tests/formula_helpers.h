/* formula_helpers.h: asking formulas of the session of session_helpers.h. Every function
 * fails the running test where a formula can't be read. */
#pragma once

#include "headlight/lesson/formula.h"

#include <stdarg.h>

struct formula_value ask(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct formula_value ask_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

/* What must be known, and a number. */
double number(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What must be known and written so; not known; not known yet. */
void assert_says(const char *formula, const char *text);
void assert_unknown(const char *formula);
void assert_pending(const char *formula);
