/* lesson.h: a lesson as it is written: a text file that leads through what the program shows.
 *
 *     # What a line means
 *
 *     Learn to read the head view: who looks at whom, and how much.
 *
 *     5 minutes
 *
 *     ## One head, one sentence
 *
 *     `--view head --layer {layer of next} --head {head of next} "time flies like an arrow"`
 *
 *     Each line goes from a token to one that it attends to. *time* gives *flies* a weight of
 *     {weight time → flies}.
 *
 *     if {weight time → flies} > 0.5:
 *     That is more than half of all it has.
 *
 *     else:
 *     Others get more.
 *
 *     Try: `↓` chooses a token.
 *
 * A paragraph that is one code span, before all others of a step, holds options of the command
 * line, relative to the step before: those of fields.h, and one or two sentences, in words as a
 * shell has them, without backslashes. A new text forgets what was chosen in the one before:
 * tokens, sentences, masks. `--anew` forgets all; `--causal=off` takes a flag back. Values may hold
 * formulas in braces (formula.h), spaces and all, which see the text's pass but no settings of
 * their own step; those of changes see the network as it was trained. Masks may not.
 *
 * Paragraphs are separated by blank lines. A first line "if CONDITION:" says when one holds, the
 * paragraphs behind it "else if CONDITION:" or "else:" what stands in its place. What "Look:" and
 * "Try:" begin stands apart, one of each a step. Emphasis is *so*, and `keys` are written so;
 * titles and the sentence of what is learnt have neither these nor formulas. */
#ifndef HEADLIGHT_LESSON_LESSON_H
#define HEADLIGHT_LESSON_LESSON_H

#include "headlight/session/fields.h"

/* The most words that a step may say, whichever of its cases stand. */
#define LESSON_WORDS_MAX 60

/* And the most of what to look at, or to try. */
#define LESSON_ASIDE_WORDS_MAX 25

/* The most bytes of a lesson's file. */
#define LESSON_BYTES_MAX ((size_t)1 << 20)

/* What a step shows: its options and those of the steps before. */
struct lesson_state {
    const char *texts[2];
    size_t text_count;               /* 0: the example pair */
    const char *values[FIELD_COUNT]; /* NULL: not given; with formulas */
};

enum lesson_kind {
    LESSON_TEXT,
    LESSON_LOOK, /* what to look at, */
    LESSON_TRY,  /* and to try */
};

/* A paragraph for the case that its condition holds. */
struct lesson_case {
    const char *condition; /* NULL: always, or where none before held */
    const char *text;      /* in one line, with formulas and marks of emphasis; no "Try:" */
    size_t line;           /* of the text */
};

struct lesson_paragraph {
    enum lesson_kind kind;
    struct lesson_case *cases; /* the first that holds is read; where none does, there is none */
    size_t count;
};

struct lesson_step {
    const char *title;
    size_t line; /* of its heading */
    struct lesson_state state;
    struct lesson_paragraph *paragraphs;
    size_t count;
};

struct lesson {
    const char *title, *about;
    size_t minutes;
    struct lesson_step *steps;
    size_t count; /* at least one */
    void *block;  /* what the strings point to */
};

/* Reads a lesson; `source` names it in errors. STATUS_FORMAT: "SOURCE:LINE: expected …, found …",
 * in the words of fields.h and formula.h where they refuse something, for whatever is
 * not as above: options that there are not or that a lesson can't have, values that are out of the
 * question, formulas that can't be read, conditions, too many words. STATUS_MEMORY. Free with
 * lesson_free. */
enum status lesson_read(const char *text, size_t length, const char *source, struct lesson **lesson,
                        struct error *error);

/* Accepts NULL. */
void lesson_free(struct lesson *lesson);

/* The words that a text counts as; a formula is one. */
size_t lesson_words(const char *text);

#endif
