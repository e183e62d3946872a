/* lesson_parts.h: what reading a lesson (lesson.c) is made of. All strings are parts of one block
 * that is taken apart where it stands. */
#ifndef HEADLIGHT_LESSON_LESSON_PARTS_H
#define HEADLIGHT_LESSON_LESSON_PARTS_H

#include "headlight/lesson/lesson.h"

/* A line of a lesson's file, for what is wrong with it. */
struct place {
    const char *source;
    size_t line; /* from 1 */
};

struct reader {
    char *at, *end;     /* what is not read yet; each line ends in a line feed */
    struct place place; /* of the line at `at` */
    struct lesson *lesson;
    struct error *error;
};

/* A heading or a paragraph: its lines, the last without its end. */
struct block {
    char *text; /* NULL: the end of the file */
    struct place place;
};

/* Checks what is not read yet, and turns tabs and carriage returns into spaces. STATUS_FORMAT. */
enum status lesson_check_lines(const struct reader *reader);

/* Takes a heading, which is one line, or the lines up to the next heading or blank line. */
struct block lesson_take_block(struct reader *reader);

/* "SOURCE:LINE: expected EXPECTED, found "FOUND"", of which the first line is quoted; NULL: the end
 * of the file. STATUS_FORMAT. */
enum status lesson_fault(struct place place, const char *expected, const char *found,
                         struct error *error);

/* "SOURCE:LINE: " before the message that *error has. */
enum status lesson_fault_at(struct place place, struct error *error);

/* Takes a step's options, words as a shell has them, into the state of the step before. */
enum status lesson_take_options(char *options, struct place place, struct lesson_state *state,
                                struct error *error);

/* A text in one line: white space becomes one space, or nothing at either end. */
void lesson_squeeze(char *text);

/* Checks the braces, the formulas in them, and the marks of emphasis around them. */
enum status lesson_check_text(const char *text, struct place place, struct error *error);

/* Checks the braces and the formulas in them. */
enum status lesson_check_formulas(const char *text, struct place place, struct error *error);

#endif
