/* lesson_parts.h: what the files that read lessons (lesson*.c) share. The file's text is cut up in
 * place: all strings are parts of one block of memory. What can fail returns false for
 * STATUS_FORMAT or STATUS_MEMORY, with the message in the reader's error. */
#ifndef HEADLIGHT_LESSON_LESSON_PARTS_H
#define HEADLIGHT_LESSON_LESSON_PARTS_H

#include "headlight/lesson/lesson.h"

struct reader {
    char *at, *end; /* still to be read; each line ends in a line feed */
    size_t next;    /* the line at `at`, from 1 */
    size_t line;    /* the one that messages name: that of the block at hand */
    const char *source;
    struct lesson *lesson;
    struct error *error;
};

/* "SOURCE:LINE: expected EXPECTED, found "FOUND"", of which the first line is quoted; FOUND NULL:
 * the end of the file. Returns false, as does the next. */
bool lesson_fault(const struct reader *reader, const char *expected, const char *found);

/* Puts "SOURCE:LINE: " before the message that is there. */
bool lesson_fault_at(const struct reader *reader);

/* Checks all lines, and turns tabs and carriage returns into spaces. */
bool lesson_check_lines(struct reader *reader);

/* Takes a heading, which is one line, or the lines up to the next heading or blank line, the last
 * without its line feed. NULL: the end of the file. */
char *lesson_take_block(struct reader *reader);

/* Applies a step's options to the state of the step before. */
bool lesson_take_options(struct reader *reader, char *options, struct lesson_state *state);

/* Makes a text one line, and returns it: runs of white space become one space, and go at either
 * end. */
char *lesson_squeeze(char *text);

/* Checks formulas and their braces and, where a text is shown, marks of emphasis and keys. */
bool lesson_check_text(const struct reader *reader, const char *text, bool shown);

#endif
