/* formula_fill.c: replaces the formulas in a lesson's texts and settings by their values. Pending
 * and unknown values leave a sign, and the caller learns of them so that it can try again. */
#include "headlight/lesson/formula_parts.h"
#include "headlight/text/marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *formula_skip(const char *text)
{
    const char *end = *text == '`' ? marks_keys_end(text) : *text == '{' ? strchr(text, '}') : NULL;
    return end ? end + 1 : text + 1;
}

/* The opening brace of the next formula, or NULL. */
static const char *find_brace(const char *text)
{
    while (*text && *text != '{')
        text = formula_skip(text);
    return *text ? text : NULL;
}

static enum formula_state worse(enum formula_state a, enum formula_state b)
{
    if (a == FORMULA_PENDING || b == FORMULA_PENDING)
        return FORMULA_PENDING;
    return a == FORMULA_UNKNOWN ? a : b;
}

static void write_filled(const struct session *session, const char *text, FILE *stream,
                         enum formula_state *state)
{
    const char *open, *close;
    while ((open = find_brace(text)) && (close = strchr(open, '}'))) {
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
    write_filled(session, text, stream, state);
    bool whole = !ferror(stream);
    whole &= fclose(stream) == 0;
    if (!whole) {
        free(filled);
        filled = NULL;
    }
    return filled;
}
