/* lesson_parts.h: what the files that read lessons (lesson*.c) share. The file's text is cut up in
 * place: all strings are parts of one block of memory. */
#ifndef HEADLIGHT_LESSON_LESSON_PARTS_H
#define HEADLIGHT_LESSON_LESSON_PARTS_H

#include "headlight/lesson/lesson.h"

/* A line of a lesson's file, for error messages. */
struct place {
    const char *source;
    size_t line;         /* from 1 */
    struct error *error; /* where they go */
};

struct reader {
    char *at, *end;     /* still to be read; each line ends in a line feed */
    struct place place; /* of the line at `at` */
    struct lesson *lesson;
};

/* A heading or a paragraph: its lines, the last without its line feed. */
struct block {
    char *text; /* NULL: the end of the file */
    struct place place;
};

/* Checks all lines, and turns tabs and carriage returns into spaces. STATUS_FORMAT. */
enum status lesson_check_lines(const struct reader *reader);

/* Takes a heading, which is one line, or the lines up to the next heading or blank line. */
struct block lesson_take_block(struct reader *reader);

/* "SOURCE:LINE: expected EXPECTED, found "FOUND"", of which the first line is quoted; FOUND NULL:
 * the end of the file. STATUS_FORMAT. */
enum status lesson_fault(struct place place, const char *expected, const char *found);

/* Puts "SOURCE:LINE: " before the message that is there. */
enum status lesson_fault_at(struct place place);

/* Applies a step's options to the state of the step before. */
enum status lesson_take_options(char *options, struct place place, struct lesson_state *state);

/* Makes a text one line: runs of white space become one space, and go at either end. */
void lesson_squeeze(char *text);

/* Checks formulas, their braces, and marks of emphasis; adds the number of formulas to *count. */
enum status lesson_check_text(const char *text, struct place place, size_t *count);

/* Checks formulas and their braces, and counts them likewise. */
enum status lesson_check_formulas(const char *text, struct place place, size_t *count);

#endif
