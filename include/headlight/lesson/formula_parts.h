/* formula_parts.h: what the formulas' own files share: a formula as it is read (formula_read.c),
 * and how its number is found (formula_heads.c, formula_words.c). */
#ifndef HEADLIGHT_LESSON_FORMULA_PARTS_H
#define HEADLIGHT_LESSON_FORMULA_PARTS_H

#include "headlight/lesson/formula.h"

/* Every formula as it is written, which is how it is read too: code, what it gives, how it is
 * written. Words in capitals stand for what formula_read.c has a reader for, what is in brackets
 * can be left out; the first word is its name. */
#define FORMULAS(FORMULA)                                                                          \
    FORMULA(weight, NUMBER, "weight A → B [at L.H] [before]")                                      \
    FORMULA(score, NUMBER, "score A → B [at L.H] [before]")                                        \
    FORMULA(dot, NUMBER, "dot A → B [at L.H] [before]")                                            \
    FORMULA(most, WORD, "most A [at L.H] [before]")                                                \
    FORMULA(figure, NUMBER, "figure NAME [at L.H] [before]")                                       \
    FORMULA(layer, NUMBER, "layer [of HEAD] [before]")                                             \
    FORMULA(head, NUMBER, "head [of HEAD] [before]")                                               \
    FORMULA(p, NUMBER, "p A [= WORD] [before]")                                                    \
    FORMULA(rank, NUMBER, "rank A = WORD [before]")                                                \
    FORMULA(guess, WORD, "guess A [N] [before]")                                                   \
    FORMULA(cosine, NUMBER, "cosine A B at L [before]")                                            \
    FORMULA(alike, NUMBER, "alike [at L]")                                                         \
    FORMULA(shown, NUMBER, "shown A → B")                                                          \
    FORMULA(next, NUMBER, "next [before]")                                                         \
    FORMULA(layers, NUMBER, "layers")                                                              \
    FORMULA(last, NUMBER, "last")                                                                  \
    FORMULA(heads, NUMBER, "heads")                                                                \
    FORMULA(dimensions, NUMBER, "dimensions")                                                      \
    FORMULA(tokens, NUMBER, "tokens")                                                              \
    FORMULA(model, WORD, "model")                                                                  \
    FORMULA(family, WORD, "family")

enum formula_kind {
#define FORMULA(code, gives, form) FORMULA_##code,
    FORMULAS(FORMULA)
#undef FORMULA
        FORMULA_COUNT
};

#define FORMULA_NAME 128 /* bytes of a token's or a word's name, with its end */

/* A formula as it is read. */
struct formula {
    enum formula_kind kind;
    char a[FORMULA_NAME], b[FORMULA_NAME]; /* tokens */
    char word[FORMULA_NAME];               /* empty: none is named */
    enum metric figure;                    /* METRIC_NONE: none is named */
    enum metric of;                        /* of or at the head of this figure; METRIC_NONE: */
    bool telling;                          /* of or at the telling one, or else */
    bool placed;                           /* at a head or a level that is named: */
    size_t layer, head;                    /* this one; `layer` also of "at L" */
    size_t nth;                            /* from 1 */
    bool before;
};

/* As formula_check. */
enum status formula_read(const char *text, size_t length, struct formula *formula,
                         struct error *error);

/* Whether a formula gives a number, or else a word. */
bool formula_gives_number(enum formula_kind kind);

/* A formula that is asked of a session's trace, which is there. */
struct asked {
    const struct formula *formula;
    struct scene scene;
    const struct trace *trace; /* that of the network as it was trained, if that is asked */
};

/* What each says: writes the value (formula_heads.c, formula_words.c). */
#define FORMULA(code, gives, form)                                                                 \
    void formula_##code(const struct asked *asked, struct formula_value *value);
FORMULAS(FORMULA)
#undef FORMULA

/* How values are written: a weight, a probability or a cosine with three decimals; a score; a whole
 * number; a word; and a sentence that says why there is none. */
void formula_say_share(struct formula_value *value, double share);
void formula_say_decimal(struct formula_value *value, double number);
void formula_say_count(struct formula_value *value, size_t count);
void formula_say_word(struct formula_value *value, const char *word);
void formula_say_unknown(struct formula_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The trace's tokens that a name stands for, see formula.h: the pieces of a word where words are
 * merged, else one. False, with a value that says so, where there is none. */
bool formula_find(const struct asked *asked, const char *name, enum side side,
                  struct token_range *pieces, struct formula_value *value);

#endif
