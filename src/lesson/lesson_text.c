/* lesson_text.c: what a lesson's texts are made of: words, emphasis, formulas. */
#include "headlight/lesson/lesson_parts.h"

#include "headlight/lesson/formula.h"
#include "headlight/text/marks.h"

#include <string.h>

/* ---- Faults ---- */

enum status lesson_fault(struct place place, const char *expected, const char *found,
                         struct error *error)
{
    if (!found)
        return error_set(error, STATUS_FORMAT, "%s:%zu: expected %s, found the end of the file",
                         place.source, place.line, expected);
    return error_set(error, STATUS_FORMAT, "%s:%zu: expected %s, found \"%.*s\"", place.source,
                     place.line, expected, (int)strcspn(found, "\n"), found);
}

enum status lesson_fault_at(struct place place, struct error *error)
{
    const struct error inner = *error;
    return error_set(error, STATUS_FORMAT, "%s:%zu: %s", place.source, place.line, inner.message);
}

/* ---- Words ---- */

static bool is_space(char character)
{
    return character == ' ' || character == '\n';
}

/* Past keys or a formula at `text` if there are any, else past one byte. */
static const char *skip(const char *text)
{
    const char *end = *text == '`' ? marks_keys_end(text) : *text == '{' ? strchr(text, '}') : NULL;
    return end ? end + 1 : text + 1;
}

const char *lesson_find_formula(const char *text)
{
    while (*text && *text != '{')
        text = skip(text);
    return *text ? text : NULL;
}

size_t lesson_words(const char *text)
{
    size_t words = 0;
    bool within = false;
    for (const char *end; *text; text = end) {
        end = skip(text);
        words += !within && !is_space(*text);
        within = !is_space(*text);
    }
    return words;
}

void lesson_squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (!is_space(*from))
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

/* ---- Formulas ---- */

static enum status check_formula(const char *brace, struct place place, struct error *error)
{
    const char *end = brace + 1 + strcspn(brace + 1, "{}");
    if (*brace == '}' || *end != '}')
        return lesson_fault(place, "each formula to stand in braces of its own, {…}", brace, error);
    if (formula_check(brace + 1, (size_t)(end - brace - 1), error) != STATUS_OK)
        return lesson_fault_at(place, error);
    return STATUS_OK;
}

enum status lesson_check_formulas(const char *text, struct place place, struct error *error)
{
    for (; *text; text = skip(text))
        if ((*text == '{' || *text == '}') && check_formula(text, place, error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* ---- Emphasis ---- */

/* Whether an asterisk is one of "2 * 3". */
static bool is_between_blanks(const char *text, const char *at)
{
    return at > text && at[-1] == ' ' && at[1] == ' ';
}

/* A mark that would stand for itself is taken for a slip of the pen, but for that of "2 * 3". */
static enum status check_marks(const char *text, struct place place, struct error *error)
{
    const char *emphasis = NULL;
    for (const char *at = text; *at; at = skip(at)) {
        if (*at == '`' && !marks_keys_end(at))
            return lesson_fault(place, "a second ` behind keys", at, error);
        if (*at != '*' || is_between_blanks(text, at))
            continue;
        if (!(emphasis ? marks_can_end(at) : marks_can_begin(at)))
            return lesson_fault(place, "emphasis as in *so*, its marks beside words", at, error);
        emphasis = emphasis ? NULL : at;
    }
    return emphasis ? lesson_fault(place, "a second * behind emphasis", emphasis, error)
                    : STATUS_OK;
}

enum status lesson_check_text(const char *text, struct place place, struct error *error)
{
    if (check_marks(text, place, error) != STATUS_OK)
        return error->status;
    return lesson_check_formulas(text, place, error);
}
