/* lesson_lines.c: the lines of a lesson's file, and the blocks that they make. */
#include "headlight/lesson/lesson_parts.h"

#include "headlight/base/format.h"
#include "headlight/text/unicode.h"

#include <stdio.h>
#include <string.h>

/* Tabs and carriage returns are spaces from here on. */
static enum status check_line(char *line, size_t length, struct place place, struct error *error)
{
    char found[24];
    int32_t code;
    if (!unicode_valid(line, length))
        return lesson_fault(place, "UTF-8", "other bytes", error);
    for (size_t i = 0; i < length; i++)
        if (line[i] == '\t' || line[i] == '\r')
            line[i] = ' ';
    for (size_t i = 0; i < length;) {
        i += unicode_next(line + i, length - i, &code);
        snprintf(found, sizeof found, "U+%04X", (unsigned)code);
        if (is_unseen(code))
            return lesson_fault(place, "characters that are seen", found, error);
    }
    return STATUS_OK;
}

enum status lesson_check_lines(const struct reader *reader)
{
    struct place place = reader->place;
    for (char *line = reader->at; line < reader->end; place.line++) {
        char *next = memchr(line, '\n', (size_t)(reader->end - line));
        if (check_line(line, (size_t)(next - line), place, reader->error) != STATUS_OK)
            return reader->error->status;
        line = next + 1;
    }
    return STATUS_OK;
}

static void skip_line(struct reader *reader)
{
    reader->at += strcspn(reader->at, "\n") + 1;
    reader->place.line++;
}

static bool is_at_blank_line(const struct reader *reader)
{
    return reader->at[strspn(reader->at, " ")] == '\n';
}

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
