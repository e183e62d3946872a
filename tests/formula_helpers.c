#include "formula_helpers.h"

#include "model_helpers.h"
#include "session_helpers.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct error error;

struct formula_value ask_list(const char *format, va_list arguments)
{
    char text[256];
    struct formula formula;
    vsnprintf(text, sizeof text, format, arguments);
    assert_ok(formula_read(text, strlen(text), &formula, &error), error);
    return formula_ask(&session, &formula);
}

struct formula_value ask(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct formula_value value = ask_list(format, arguments);
    va_end(arguments);
    return value;
}

double number(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct formula_value value = ask_list(format, arguments);
    va_end(arguments);
    ck_assert_msg(value.state == FORMULA_KNOWN, "%s: %s", format, value.text);
    return value.value;
}

void assert_says(const char *formula, const char *text)
{
    struct formula_value value = ask("%s", formula);
    ck_assert_msg(value.state == FORMULA_KNOWN && strcmp(value.text, text) == 0,
                  "{%s}: expected \"%s\", found \"%s\"", formula, text, value.text);
}

void assert_unknown(const char *formula)
{
    ck_assert_msg(ask("%s", formula).state == FORMULA_UNKNOWN, "{%s}", formula);
}

void assert_pending(const char *formula)
{
    ck_assert_int_eq(ask("%s", formula).state, FORMULA_PENDING);
}
