/* lesson_helpers.h: what tests of lessons share: a session of the built-in model, and a small
 * lesson on it. */
#pragma once

#include "headlight/lesson/player.h"
#include "model_helpers.h"

#include <check.h>

/* Of four steps: one head of a sentence; a token chosen; the network changed, with what was before;
 * and a pair that is masked. */
#define SMALL_LESSON                                                                               \
    "# A small lesson\n\nLearn what a test needs.\n\n5 minutes\n\n"                                \
    "## One head\n\n`--view head --layer 3 --head 1 \"time flies like an arrow\"`\n\n"             \
    "*time* gives *flies* {weight time → flies}.\n\nTry: `↓` chooses a token.\n\n"             \
    "## A token\n\n`--select flies`\n\nIt looks at {most flies}.\n\nLook: at the lines.\n\n"       \
    "## Changed\n\n`--causal`\n\nNow {weight time → flies}, before {weight time → flies "      \
    "before}.\n\nif {layers} > 1:\nThere are {layers} layers.\n\nelse:\nThere is one.\n\n"         \
    "## A pair\n\n`--anew --view answers --mask cat --select [MASK] \"the cat sat\" \"it slept\"`" \
    "\n\nThe likeliest is {guess [MASK]}.\n"

/* Reads a lesson, or fails. To be freed with lesson_free. */
struct lesson *read_lesson(const char *text);

/* Begins a player on the learner, unless it has begun, and opens a lesson of that text. */
void play(struct player *player, const char *text);

/* The built-in model and a session on the example pair, computed; and their end. */
extern struct checkpoint builtin;
extern struct session learner;
void begin_learner_of(const char *model);
void begin_learner(void);
void end_learner(void);

/* The same with a tiny model of made-up weights. */
void begin_tiny_learner(void);

/* Screens of lessons on that model. */
#define LESSON_GOLDENS 8
extern const struct lesson_golden {
    const char *lesson;
    size_t step;
    int columns, rows;
    const char *name;
} lesson_goldens[LESSON_GOLDENS];

/* A fixture's folder in which progress is kept, empty; it goes with its file. */
void begin_state(void);
void end_state(void);
/* What the file says, to be freed; NULL where there is none. */
char *kept_progress(void);
void keep_progress(const char *text);
