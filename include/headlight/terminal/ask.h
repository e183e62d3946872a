/* ask.h: what a terminal says of itself: its ground, its colours, its graphics, the size of a cell.
 *
 *     struct probe probe;
 *     if (ask_begin(&probe, STDOUT_FILENO, STDIN_FILENO, ASK_GROUND | ASK_PICTURES))
 *         ask_wait(&probe, 10);
 *     ask_end(&probe);
 *     if (probe.answer.ground_known) …
 *
 * An answer may come late: from far away, from behind a multiplexer. ask_parse tells it from keys,
 * so that whoever reads keys by then takes it out. */
#pragma once

#include "headlight/draw/theme.h"

#include <termios.h>

/* After so many milliseconds no answer is expected any more. The long one is for what is slow to
 * begin (kitty, with its first picture) or far away. */
#define ASK_PATIENCE      100
#define ASK_LONG_PATIENCE 1000

/* No answer is longer. */
#define ASK_LONGEST 256

struct ask_answer {
    bool complete; /* the terminal has said all that it will (the answer to DA1, asked for last) */
    bool ground_known;
    struct rgb ground;
    bool direct;                   /* it keeps a colour that isn't among 256 */
    bool sixel, kitty;             /* which pictures it draws; kitty: that terminal's protocol, */
    bool shared;                   /* from shared memory, too */
    int cell_width, cell_height;   /* pixels; 0: not known */
    int sixel_width, sixel_height; /* pixels of the largest picture; 0: not known */
};

/* ask_parse's result for bytes that may yet become an answer. */
#define ASK_PART ((size_t)-1)

/* Reads the answer at the beginning of the bytes: returns its length, 0 if there is none, or
 * ASK_PART. */
size_t ask_parse(const char *bytes, size_t length, struct ask_answer *answer);

/* What can be asked. Whatever it is, the attributes that every terminal has an answer for (DA1) are
 * asked for last, so that it is known when no more will come. */
enum ask_questions {
    ASK_GROUND = 1,
    ASK_PICTURES = 2, /* sixels, their sizes, the size of a cell */
    ASK_KITTY = 4,  /* kitty's graphics: sent on the alternate screen, as some terminals print it */
    ASK_SHARED = 8, /* with ASK_KITTY: whether it reads shared memory; shared_clear comes later */
    ASK_COLOR = 16, /* whether it has direct colour; on the alternate screen as well */
};

/* The answers so far, and keys that were typed meanwhile: as many as a terminal buffers for a
 * program. */
struct probe {
    struct ask_answer answer;
    char typed[4096]; /* what came beside the answers, perhaps the beginning of one at its end */
    size_t length;
    size_t seen; /* of these bytes: how many hold no answer */
    int input;
    bool decisive;         /* by its entry it has 8 colours: it is opened once it has answered */
    bool asking;           /* they are awaited, in a line discipline without echo, */
    struct termios before; /* in place of this one */
};

/* The terminal's ground: its own answer, or else black or white by the variable COLORFGBG (NULL:
 * not set), whose last number is the ground's colour. False: not known. */
bool ask_ground(const struct ask_answer *answer, const char *colorfgbg, struct rgb *ground);

/* Asks the terminal of these descriptors, which must be one that can be asked
 * (curses_takes_questions), and doesn't wait. False: it can't be asked. */
bool ask_begin(struct probe *probe, int output, int input, unsigned questions);

/* Takes what has come, without waiting. */
void ask_read(struct probe *probe);

/* Waits until the terminal has answered, for so many milliseconds, or until a signal asks the
 * program to end (restore.h). */
void ask_wait(struct probe *probe, double milliseconds);

/* Puts the line discipline back. What is answered later is echoed, unless somebody else has changed
 * it again. */
void ask_end(struct probe *probe);

/* Waits for answers that nobody awaits any more: they would be the next program's input. */
void ask_drain(struct probe *probe, double milliseconds);
