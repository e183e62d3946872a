/* figures.h: one table of the numbers that can be computed from a trace, for formulas in lessons
 * and for the JSON (export.h).
 *
 *     struct figure_at at = {.trace = trace, .layer = 3, .head = 1, .from = {2, 3}, .to = {5, 6}};
 *     double weight = figure_ask(FIGURE_weight, &at); */
#pragma once

#include "headlight/lens/effects.h"
#include "headlight/lens/metrics.h"

/* A NUMBER is computed in figures.c: code, what it is of, how it is printed, arguments in a lesson,
 * meaning. A SCREEN value depends on what is shown and is computed in lesson/formula.c: code,
 * NUMBER or WORD, arguments, meaning.
 *
 * Arguments in capitals are slots (lesson/expression.c), those in brackets optional. "before" asks
 * the network as it was trained, without the changes. */
#define FIGURES(NUMBER, SCREEN)                                                                    \
    NUMBER(weight, PAIR, SHARE, "A → B [at L.H] [before]", "the attention weight")                 \
    NUMBER(score, PAIR, DECIMAL, "A → B [at L.H] [before]", "what goes into softmax")              \
    NUMBER(dot, PAIR, DECIMAL, "A → B [at L.H] [before]",                                          \
           "q·k alone: not divided yet, without what distances add")                               \
    SCREEN(most, WORD, "A [at L.H] [before]", "the token that A attends to most, of those shown")  \
    NUMBER(figure, HEAD, DECIMAL, "NAME [at L.H] [before]", "a figure of a head, such as entropy") \
    NUMBER(layer, HEAD, WHOLE, "[of HEAD] [before]",                                               \
           "the layer shown, or that of the head with the largest such figure, of `telling` that " \
           "of the first screen's head")                                                           \
    NUMBER(head, HEAD, WHOLE, "[of HEAD] [before]", "the head shown, or that one")                 \
    NUMBER(p, WORD, SHARE, "A [= WORD] [before]",                                                  \
           "the probability of a word at A, or of the likeliest one")                              \
    NUMBER(rank, WORD, WHOLE, "A = WORD [before]", "its place among all words, from 1")            \
    SCREEN(guess, WORD, "A [N] [before]", "the likeliest word at A, or the N-th, to the tenth")    \
    NUMBER(cosine, VECTORS, SHARE, "A B at L [before]",                                            \
           "how alike two words are after L layers; at 0: their embeddings")                       \
    SCREEN(alike, NUMBER, "[at L]",                                                                \
           "how alike the chosen word is on both sides of the compare view, after L layers or "    \
           "the last")                                                                             \
    SCREEN(shown, NUMBER, "A → B", "the number of the map on screen: similarity, plain, …")        \
    NUMBER(                                                                                        \
        next, TEXTS, SHARE, "[before]",                                                            \
        "the probability that the second sentence follows the first, or stands in order after it") \
    SCREEN(words, NUMBER, "", "how many words the model can say, if it says any")                  \
    SCREEN(masked, NUMBER, "", "how many tokens are masked, if any")                               \
    NUMBER(layers, TRACE, WHOLE, "", "how many layers the model has")                              \
    NUMBER(last, TRACE, WHOLE, "", "the number of the last layer")                                 \
    NUMBER(heads, TRACE, WHOLE, "", "how many heads a layer has")                                  \
    NUMBER(dimensions, TRACE, WHOLE, "", "how many dimensions a head has")                         \
    NUMBER(tokens, TRACE, WHOLE, "", "how many tokens the text has")                               \
    SCREEN(model, WORD, "", "the model's name")                                                    \
    SCREEN(family, WORD, "", "its family")

enum figure {
#define FIGURE(code, ...) FIGURE_##code,
    FIGURES(FIGURE, FIGURE)
#undef FIGURE
        FIGURE_COUNT
};

/* What a figure is of: the fields of struct figure_at that it reads besides the trace. */
enum figure_of {
    FIGURE_OF_SCREEN, /* not computed here */
    FIGURE_OF_TRACE,
    FIGURE_OF_TEXTS,   /* side */
    FIGURE_OF_HEAD,    /* layer, head, metric, kinds, effects */
    FIGURE_OF_PAIR,    /* layer, head, from, to */
    FIGURE_OF_WORD,    /* logprob, rank */
    FIGURE_OF_VECTORS, /* from, to, layer: the number of layers */
};

enum figure_form {
    FIGURE_WORD,    /* no number */
    FIGURE_WHOLE,   /* "12" */
    FIGURE_SHARE,   /* "0.418", "under 0.001" */
    FIGURE_DECIMAL, /* "-1.24" */
};

struct figure_info {
    const char *name, *arguments, *meaning;
    enum figure_of of;
    enum figure_form form;
};

extern const struct figure_info figure_infos[FIGURE_COUNT];

/* The arguments. Indices must be in range. `from` and `to` are tokens of the trace; for several,
 * the pieces of a word, a weight is their sum (to) or mean (from), other numbers are the mean. */
struct figure_at {
    const struct trace *trace;
    const struct token_side *side;
    const struct token_kinds *kinds;
    const struct effects *effects; /* NULL: not measured */
    enum metric metric;
    size_t layer, head;
    struct token_range from, to;
    double logprob; /* of a word at a token, */
    size_t rank;    /* and its place among all, from 1 */
};

/* The number of a figure that is not FIGURE_OF_SCREEN; NaN: there is none. */
double figure_ask(enum figure figure, const struct figure_at *at);

/* Prints a number in its form. */
void figure_print(char *text, size_t size, enum figure_form form, double number);
