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

/* What ask_parse returns for the beginning of what may become an answer. */
#define ASK_PART ((size_t)-1)

/* Takes the answer that the bytes begin with: returns its length, 0 if there is none, or ASK_PART.
 */
size_t ask_parse(const char *bytes, size_t length, struct ask_answer *answer);

/* What was asked and answered. As many keys are kept as a terminal holds for a program. */
struct asked {
    struct ask_answer answer;
    char typed[4096]; /* what came beside the answers, perhaps the beginning of one at its end */
    size_t length;
};

/* The terminal's ground: what it answered, or else black or white by the variable COLORFGBG (NULL:
 * not set), which some set to the numbers of their colours, the ground's behind the last semicolon.
 * False: not known. */
bool ask_ground(const struct ask_answer *answer, const char *colorfgbg, struct rgb *ground);

/* Asks the terminal of the descriptors, which must be one that takes questions
 * (curses_takes_questions), and waits until it has answered, or for `milliseconds`; a signal that
 * asks to end (restore.h) ends the wait too. With `graphics` also for kitty's, a question that not
 * all terminals pass over in silence: it is asked on the alternate screen. The line discipline is
 * as before. */
void ask_terminal(struct asked *asked, int output, int input, bool graphics, int milliseconds);

#endif
