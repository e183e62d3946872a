/* formula.c: asking formulas, and writing what they say. */
#include "headlight/lesson/formula.h"

#include "headlight/base/format.h"
#include "headlight/lesson/formula_parts.h"
#include "headlight/lesson/lesson_parts.h"
#include "headlight/session/find.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing values ---- */

/* "-0.00" is none. */
static void drop_sign_of_zero(char *text)
{
    if (text[0] == '-' && text[1 + strspn(text + 1, "0.")] == '\0')
        memmove(text, text + 1, strlen(text));
}

/* What three decimals can't tell from nothing is said so that it can be read aloud. */
void formula_say_share(struct formula_value *value, double share)
{
    value->number = true;
    value->value = share;
    if (share > 0 && share < 0.0005)
        snprintf(value->text, sizeof value->text, "under 0.001");
    else
        snprintf(value->text, sizeof value->text, "%.3f", share);
    drop_sign_of_zero(value->text);
}

void formula_say_decimal(struct formula_value *value, double number)
{
    value->number = true;
    value->value = number;
    snprintf(value->text, sizeof value->text, "%.2f", number);
    drop_sign_of_zero(value->text);
}

void formula_say_count(struct formula_value *value, size_t count)
{
    value->number = true;
    value->value = (double)count;
    snprintf(value->text, sizeof value->text, "%zu", count);
}

void formula_say_word(struct formula_value *value, const char *word)
{
    format_cut(value->text, sizeof value->text, "%s", word);
}

void formula_say_unknown(struct formula_value *value, const char *format, ...)
{
    va_list arguments;
    *value = (struct formula_value){.state = FORMULA_UNKNOWN};
    va_start(arguments, format);
    format_cut_list(value->text, sizeof value->text, format, arguments);
    va_end(arguments);
}

/* ---- Tokens ---- */

bool formula_find(const struct asked *asked, const char *name, enum side side,
                  struct token_range *pieces, struct formula_value *value)
{
    const bool shown = find_token(&asked->scene, name, side) != NO_TOKEN;
    if (!find_pieces(&asked->scene, name, side, pieces)) {
        formula_say_unknown(value, "the text has no token \"%s\"", name);
        return false;
    }
    if (!shown) /* a word's first piece */
        pieces->end = pieces->first + 1;
    return true;
}

/* ---- Asking ---- */

enum status formula_check(const char *formula, size_t length, struct error *error)
{
    struct formula read;
    return formula_read(formula, length, &read, error);
}

/* The trace that a formula is said of; NULL: it is not there, as the value says. */
static const struct trace *trace_of(const struct data *data, const struct formula *formula,
                                    struct formula_value *value)
{
    value->state = FORMULA_PENDING;
    if (!data->trace || !formula->before || !data->changes)
        return data->trace;
    if (!data->checkpoint)
        formula_say_unknown(value, "a recording doesn't tell what was before the changes");
    else if (!data->before && data->stopped)
        formula_say_unknown(value, "what was before the changes was not computed");
    return data->before;
}

static void (*const evaluators[FORMULA_COUNT])(const struct asked *asked,
                                               struct formula_value *value) = {
#define FORMULA(code, gives, form) [FORMULA_##code] = formula_##code,
    FORMULAS(FORMULA)
#undef FORMULA
};

struct formula_value formula_evaluate(const struct session *session, const char *formula,
                                      size_t length)
{
    struct formula_value value = {.state = FORMULA_UNKNOWN};
    struct formula read;
    struct error error;
    if (formula_read(formula, length, &read, &error) != STATUS_OK) {
        formula_say_unknown(&value, "%s", error.message);
        return value;
    }
    const struct trace *trace = trace_of(&session->data, &read, &value);
    if (!trace)
        return value;
    const struct asked asked = {&read, session_scene(session), trace};
    value.state = FORMULA_KNOWN;
    evaluators[read.kind](&asked, &value);
    return value;
}

/* ---- Filling in ---- */

static enum formula_state worse(enum formula_state a, enum formula_state b)
{
    if (a == FORMULA_PENDING || b == FORMULA_PENDING)
        return FORMULA_PENDING;
    return a == FORMULA_UNKNOWN ? a : b;
}

static void fill(const struct session *session, const char *text, FILE *stream,
                 enum formula_state *state)
{
    const char *open, *close;
    while ((open = lesson_find_formula(text)) && (close = strchr(open, '}'))) {
        const struct formula_value value =
            formula_evaluate(session, open + 1, (size_t)(close - open - 1));
        fprintf(stream, "%.*s%s", (int)(open - text), text,
                value.state == FORMULA_KNOWN     ? value.text
                : value.state == FORMULA_PENDING ? "…"
                                                 : "?");
        *state = worse(*state, value.state);
        text = close + 1;
    }
    fputs(text, stream);
}

char *formula_fill(const struct session *session, const char *text, enum formula_state *state)
{
    char *filled = NULL;
    size_t length;
    FILE *stream = open_memstream(&filled, &length);
    *state = FORMULA_KNOWN;
    if (!stream)
        return NULL;
    fill(session, text, stream, state);
    bool whole = !ferror(stream);
    whole &= fclose(stream) == 0;
    if (!whole) {
        free(filled);
        filled = NULL;
    }
    return filled;
}
