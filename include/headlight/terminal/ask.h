/* ask.h: what a terminal says of itself: its ground, its graphics, the size of a cell.
 *
 *     struct asked asked = {0};
 *     ask_terminal(&asked, STDOUT_FILENO, STDIN_FILENO, true, ASK_PATIENCE);
 *     if (asked.answer.ground_known) …
 *     curses_type(curses, asked.typed, asked.length);
 *
 * An answer may come late, after a limit or from behind a multiplexer. ask_parse tells it from
 * keys, so that whoever reads keys passes it over. */
#ifndef HEADLIGHT_TERMINAL_ASK_H
#define HEADLIGHT_TERMINAL_ASK_H

#include "headlight/draw/style.h"
#include "headlight/draw/theme.h"

#include <stdbool.h>
#include <stddef.h>

/* In milliseconds. Only a terminal that answers nothing costs them. The long one is for what is
 * slow to begin (kitty, with its first picture) or far away. */
#define ASK_PATIENCE      100
#define ASK_LONG_PATIENCE 1000

/* No answer is longer. */
#define ASK_LONGEST 256

struct ask_answer {
    bool complete; /* the terminal has said all that it will (the answer to DA1, asked for last) */
    bool ground_known;
    struct rgb ground;
    bool sixel, kitty;             /* which pictures it draws; kitty: that terminal's protocol */
    int cell_width, cell_height;   /* pixels; 0: not known */
    int sixel_width, sixel_height; /* pixels of the largest picture; 0: not known */
};

/* ask_parse's result for bytes that may yet become an answer. */
#define ASK_PART ((size_t)-1)

/* Reads the answer at the beginning of the bytes: returns its length, 0 if there is none, or
 * ASK_PART. */
size_t ask_parse(const char *bytes, size_t length, struct ask_answer *answer);

/* The answers to all questions, and keys that were typed meanwhile: as many as a terminal buffers
 * for a program. */
struct asked {
    struct ask_answer answer;
    char typed[4096]; /* what came beside the answers, perhaps the beginning of one at its end */
    size_t length;
};

/* The terminal's ground: its own answer, or else black or white by the variable COLORFGBG (NULL:
 * not set), whose last number is the ground's colour. False: not known. */
bool ask_ground(const struct ask_answer *answer, const char *colorfgbg, struct rgb *ground);

/* Asks the terminal of these descriptors, which must be one that can be asked
 * (curses_takes_questions), and waits until it has answered, for `milliseconds`, or until a signal
 * asks the program to end (restore.h). With `graphics`, kitty's query is sent as well; it is sent
 * on the alternate screen, since some terminals print it. The line discipline is put back. */
void ask_terminal(struct asked *asked, int output, int input, bool graphics, int milliseconds);

#endif
