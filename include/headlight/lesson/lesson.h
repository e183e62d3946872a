/* lesson.h: a lesson, read from a text file such as this:
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
 * The first paragraph of a step may be one code span with command-line options that change the
 * state of the step before: those of fields.h, and one or two sentences, quoted as in a shell but
 * without backslashes. A new text resets what belonged to the old one: chosen tokens and sentences,
 * masks. `--anew` resets everything; `--causal=off` takes a flag back. Values may contain formulas
 * in braces (formula.h), including spaces; these see the text's pass but not the settings of their
 * own step, and in values of changes, the network as it was trained. Masks can't contain formulas.
 *
 * Paragraphs are separated by blank lines. A paragraph may begin with a line "if CONDITION:", and
 * those after it with "else if CONDITION:" or "else:"; the first that holds is shown. Paragraphs
 * that begin with "Look:" or "Try:" are set apart, at most one of each per step, and so is
 * "Learnt:", which is shown once the last step is done. Emphasis is *text* in asterisks, keys are
 * in backquotes; titles and the opening sentence have neither of these, and no formulas. */
#pragma once

#include "headlight/session/fields.h"

/* The most words in a step, whichever of its cases hold. */
#define LESSON_WORDS_MAX 60

/* The most words in a "Look:" or a "Try:". */
#define LESSON_ASIDE_WORDS_MAX 25

/* The most formulas and terms of conditions in a step: those of its texts and of all their cases,
 * and of its options and those of the steps before that still hold. Each costs some work whenever
 * the step is shown. */
#define LESSON_FORMULAS_MAX 64

/* The most bytes of a lesson's file. */
#define LESSON_BYTES_MAX ((size_t)1 << 20)

/* The state of a step: its options and those of the steps before. */
struct lesson_state {
    const char *texts[2];
    size_t text_count;               /* 0: the example pair */
    const char *values[FIELD_COUNT]; /* formulas not filled in; NULL: not given */
};

enum lesson_kind {
    LESSON_TEXT,
    LESSON_LOOK,   /* "Look:" */
    LESSON_TRY,    /* "Try:" */
    LESSON_LEARNT, /* "Learnt:", of the last step */
    LESSON_KINDS,
};

/* A paragraph, or one of several in its place, of which the first that holds is shown, if any. */
struct lesson_case {
    enum lesson_kind kind;
    bool continues;        /* "else": another one for the paragraph before it */
    const char *condition; /* NULL: always, or "else" */
    const char *text;      /* one line, with formulas and emphasis, without "Try:" */
};

struct lesson_step {
    const char *title;
    struct lesson_state state;
    struct lesson_case *cases;
    size_t count;
};

struct lesson {
    const char *title, *about;
    size_t minutes;
    const char *model; /* an encoder–decoder that it is of; NULL: of any model of one stack */
    struct lesson_step *steps;
    size_t count; /* at least one */
    void *block;  /* holds the strings */
};

/* Reads a lesson; `source` names it in errors. STATUS_FORMAT: "SOURCE:LINE: expected …, found …",
 * where fields.h or formula.h refuse a value, with their message. STATUS_MEMORY. Free with
 * lesson_free. */
enum status lesson_read(const char *text, size_t length, const char *source, struct lesson **lesson,
                        struct error *error);

/* Accepts NULL. */
void lesson_free(struct lesson *lesson);

/* The number of words in a text; a formula is one. */
size_t lesson_words(const char *text);

/* ---- Lessons by name ----
 *
 * Those linked into the program from assets/lessons, in the order of the numbers in their file
 * names; and those from other files. */

/* The number of linked lessons, and the name of one, "lines" for 1-lines.md, and its file's text.
 */
size_t lessons_count(void);
const char *lessons_name(size_t index);
const char *lessons_text(size_t index);

/* The index of the lesson with that name or number ("lines", "1"), or lessons_count(). */
size_t lessons_find(const char *name);

/* Opens a linked lesson, by name or number, or else a file. STATUS_USAGE if it is neither: the
 * message lists the names. Errors as lesson_read and file_read. */
enum status lessons_open(const char *name, struct lesson **lesson, struct error *error);
