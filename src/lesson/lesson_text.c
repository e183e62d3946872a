/* lesson_text.c: the syntax below a lesson's steps: lines and blocks of lines, and in their text
 * words, emphasis and formulas. Messages name the line of a fault. */
#include "headlight/lesson/lesson_parts.h"

#include "headlight/base/format.h"
#include "headlight/lesson/formula.h"
#include "headlight/text/marks.h"
#include "headlight/text/unicode.h"

#include <stdio.h>
#include <string.h>

/* ---- Faults ---- */

/* All faults of a lesson come through here, so that they have one form. */
enum status lesson_fault(struct place place, const char *expected, const char *found)
{
    if (!found)
        return error_set(place.error, STATUS_FORMAT,
                         "%s:%zu: expected %s, found the end of the file", place.source, place.line,
                         expected);
    return error_set(place.error, STATUS_FORMAT, "%s:%zu: expected %s, found \"%.*s\"",
                     place.source, place.line, expected, (int)strcspn(found, "\n"), found);
}

/* For faults that other files found, which know no lines. */
enum status lesson_fault_at(struct place place)
{
    const struct error inner = *place.error;
    return error_set(place.error, STATUS_FORMAT, "%s:%zu: %s", place.source, place.line,
                     inner.message);
}

/* ---- Lines and blocks ---- */

/* Checks a line, and turns tabs and carriage returns into spaces. */
static enum status check_line(char *line, size_t length, struct place place)
{
    char found[24];
    int32_t code;
    if (!unicode_valid(line, length))
        return lesson_fault(place, "UTF-8", "other bytes");
    for (size_t i = 0; i < length; i++)
        if (line[i] == '\t' || line[i] == '\r')
            line[i] = ' ';
    for (size_t i = 0; i < length;) {
        i += unicode_next(line + i, length - i, &code);
        if (is_unseen(code)) {
            snprintf(found, sizeof found, "U+%04X", (unsigned)code);
            return lesson_fault(place, "visible characters", found);
        }
    }
    return STATUS_OK;
}

/* The file ends in a line feed, which lesson_copy has added, so every line has one. */
enum status lesson_check_lines(const struct reader *reader)
{
    struct place place = reader->place;
    for (char *line = reader->at; line < reader->end; place.line++) {
        char *next = memchr(line, '\n', (size_t)(reader->end - line));
        if (check_line(line, (size_t)(next - line), place) != STATUS_OK)
            return place.error->status;
        line = next + 1;
    }
    return STATUS_OK;
}

/* To the beginning of the next line. */
static void skip_line(struct reader *reader)
{
    reader->at += strcspn(reader->at, "\n") + 1;
    reader->place.line++;
}

/* Tabs and carriage returns are spaces by now. */
static bool is_at_blank_line(const struct reader *reader)
{
    return reader->at[strspn(reader->at, " ")] == '\n';
}

/* The block's last line feed becomes a NUL; those within it stay, and lesson_squeeze replaces them.
 */
struct block lesson_take_block(struct reader *reader)
{
    while (reader->at < reader->end && is_at_blank_line(reader))
        skip_line(reader);
    struct block block = {reader->at, reader->place};
    if (reader->at == reader->end)
        return (struct block){NULL, reader->place};
    do
        skip_line(reader);
    while (*block.text != '#' && reader->at < reader->end && !is_at_blank_line(reader) &&
           *reader->at != '#');
    reader->at[-1] = '\0';
    return block;
}

/* ---- Words ---- */

/* Other white space was refused or replaced when the lines were checked. */
static bool is_space(char character)
{
    return character == ' ' || character == '\n';
}

/* A formula counts as one word, whatever its value: the limit must not depend on the model. */
size_t lesson_words(const char *text)
{
    size_t words = 0;
    bool within = false;
    for (const char *end; *text; text = end) {
        end = formula_skip(text);
        words += !within && !is_space(*text);
        within = !is_space(*text);
    }
    return words;
}

/* In place, since the result is never longer. */
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

static enum status brace_fault(struct place place, const char *brace)
{
    return lesson_fault(place, "each formula to stand in braces of its own, {…}", brace);
}

/* A brace within a formula, or a closing one without an opening one, is a fault. */
static enum status check_formula(const char *brace, struct place place)
{
    struct formula formula;
    const char *end = brace + 1 + strcspn(brace + 1, "{}");
    if (*brace == '}' || *end != '}')
        return brace_fault(place, brace);
    if (formula_read(brace + 1, (size_t)(end - brace - 1), &formula, place.error) != STATUS_OK)
        return lesson_fault_at(place);
    return STATUS_OK;
}

/* Braces within `keys` are passed over by formula_skip. */
enum status lesson_check_formulas(const char *text, struct place place, size_t *count)
{
    for (; *text; text = formula_skip(text)) {
        if (*text != '{' && *text != '}')
            continue;
        if (check_formula(text, place) != STATUS_OK)
            return place.error->status;
        ++*count;
    }
    return STATUS_OK;
}

/* ---- Emphasis ---- */

/* An unpaired mark is taken for a mistake, except the asterisk of "2 * 3". Reading ends at the
 * first brace without an end: to look for that of each one more would take the square of the
 * length. */
static enum status check_marks(const char *text, struct place place)
{
    const char *emphasis = NULL;
    for (const char *at = text; *at; at = formula_skip(at)) {
        if (*at == '`' && !marks_keys_end(at))
            return lesson_fault(place, "a second ` behind keys", at);
        if (*at == '{' && !strchr(at, '}'))
            return brace_fault(place, at);
        bool alone = at > text && at[-1] == ' ' && at[1] == ' '; /* as in "2 * 3" */
        if (*at != '*' || alone)
            continue;
        if (!(emphasis ? marks_can_end(at) : marks_can_begin(at)))
            return lesson_fault(place, "emphasis as in *so*, its marks beside words", at);
        emphasis = emphasis ? NULL : at;
    }
    return emphasis ? lesson_fault(place, "a second * behind emphasis", emphasis) : STATUS_OK;
}

/* Marks first: an unpaired backquote would hide a formula's braces. */
enum status lesson_check_text(const char *text, struct place place, size_t *count)
{
    if (check_marks(text, place) != STATUS_OK)
        return place.error->status;
    return lesson_check_formulas(text, place, count);
}
