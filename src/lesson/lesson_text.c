/* lesson_text.c: the syntax below a lesson's steps: lines and blocks of lines, and in their text
 * words, emphasis and formulas. Messages name the line of a fault. */
#include "headlight/lesson/lesson_parts.h"

#include "headlight/base/format.h"
#include "headlight/lesson/formula.h"
#include "headlight/text/marks.h"
#include "headlight/text/unicode.h"

#include <string.h>

/* ---- Faults ---- */

/* All faults of a lesson come through here, so that they have one form. */
bool lesson_fault(const struct reader *reader, const char *expected, const char *found)
{
    const char *quote = found ? "\"" : "";
    found = found ? found : "the end of the file";
    error_set(reader->error, STATUS_FORMAT, "%s:%zu: expected %s, found %s%.*s%s", reader->source,
              reader->line, expected, quote, (int)strcspn(found, "\n"), found, quote);
    return false;
}

/* For faults that other files found, which know no lines. */
bool lesson_fault_at(const struct reader *reader)
{
    error_set(reader->error, STATUS_FORMAT, "%s:%zu: %s", reader->source, reader->line,
              reader->error->message);
    return false;
}

/* ---- Lines and blocks ---- */

/* The file ends in a line feed, which lesson_read has added, so every line has one. */
bool lesson_check_lines(struct reader *reader)
{
    char *next, found[24];
    int32_t code;
    reader->line = 1;
    for (char *line = reader->at; line < reader->end; line = next, reader->line++) {
        next = (char *)memchr(line, '\n', (size_t)(reader->end - line)) + 1;
        size_t length = (size_t)(next - line) - 1;
        if (!unicode_valid(line, length))
            return lesson_fault(reader, "UTF-8", "other bytes");
        for (size_t i = 0; i < length;) {
            if (line[i] == '\t' || line[i] == '\r')
                line[i] = ' ';
            i += unicode_next(line + i, length - i, &code);
            if (is_unseen(code)) {
                format_cut(found, sizeof found, "U+%04X", (unsigned)code);
                return lesson_fault(reader, "visible characters", found);
            }
        }
    }
    return true;
}

/* To the beginning of the next line. */
static void skip_line(struct reader *reader)
{
    reader->at += strcspn(reader->at, "\n") + 1;
    reader->next++;
}

/* Tabs and carriage returns are spaces by now. */
static bool is_at_blank_line(const struct reader *reader)
{
    return reader->at[strspn(reader->at, " ")] == '\n';
}

/* The line feeds within a block stay, and lesson_squeeze replaces them. */
char *lesson_take_block(struct reader *reader)
{
    while (reader->at < reader->end && is_at_blank_line(reader))
        skip_line(reader);
    char *block = reader->at;
    reader->line = reader->next;
    if (reader->at == reader->end)
        return NULL;
    do
        skip_line(reader);
    while (*block != '#' && reader->at < reader->end && !is_at_blank_line(reader) &&
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
    for (; *text; text = formula_skip(text)) {
        words += !within && !is_space(*text);
        within = !is_space(*text);
    }
    return words;
}

/* In place, since the result is never longer. */
char *lesson_squeeze(char *text)
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
    return text;
}

/* ---- Formulas and emphasis ---- */

/* An unpaired mark is taken for a mistake, except the asterisk of "2 * 3", and so is a brace within
 * a formula, or a closing one without an opening one. */
bool lesson_check_text(const struct reader *reader, const char *text, bool shown)
{
    struct formula formula;
    const char *emphasis = NULL;
    for (const char *at = text; *at; at = formula_skip(at)) {
        const bool alone = at > text && at[-1] == ' ' && at[1] == ' '; /* as in "2 * 3" */
        if (*at == '{' || *at == '}') {
            const size_t length = strcspn(at + 1, "{}");
            if (*at == '}' || at[1 + length] != '}')
                return lesson_fault(reader, "each formula to stand in braces of its own, {…}", at);
            if (formula_read(at + 1, length, &formula, reader->error) != STATUS_OK)
                return lesson_fault_at(reader);
        } else if (shown && *at == '`' && !marks_keys_end(at)) {
            return lesson_fault(reader, "a second ` behind keys", at);
        } else if (shown && *at == '*' && !alone) {
            if (!(emphasis ? marks_can_end(at) : marks_can_begin(at)))
                return lesson_fault(reader, "emphasis as in *so*, its marks beside words", at);
            emphasis = emphasis ? NULL : at;
        }
    }
    return !emphasis || lesson_fault(reader, "a second * behind emphasis", emphasis);
}
