/* figures.h: one table of what can be asked of a trace. Formulas of lessons name its rows and the
 * JSON writes their numbers (export.h), so both say the same.
 *
 *     struct figure_at at = {.trace = trace, .layer = 3, .head = 1, .from = {2, 3}, .to = {5, 6}};
 *     struct figure_value value = figure_ask(FIGURE_weight, &at); */
#ifndef HEADLIGHT_LENS_FIGURES_H
#define HEADLIGHT_LENS_FIGURES_H

#include "headlight/lens/effects.h"
#include "headlight/lens/metrics.h"

/* A NUMBER is computed here, by the function of its name: code, what it is of, how it is printed,
 * arguments as a lesson writes them, meaning. SCREEN is what only a session can answer, as it
 * depends on what is shown (lesson/formula.c): code, whether it gives a NUMBER or a WORD,
 * arguments, meaning.
 *
 * Words of the arguments in capitals are slots (formula_read.c); what is in brackets can be left
 * out. "before" asks the network as it was trained, without the changes. */
#define FIGURES(NUMBER, SCREEN)                                                                    \
    NUMBER(weight, PAIR, SHARE, "A → B [at L.H] [before]", "the attention weight")                 \
    NUMBER(score, PAIR, DECIMAL, "A → B [at L.H] [before]", "what goes into softmax")              \
    NUMBER(dot, PAIR, DECIMAL, "A → B [at L.H] [before]",                                          \
           "q·k alone: not divided yet, without what distances add")                               \
    SCREEN(most, WORD, "A [at L.H] [before]", "the token that A attends to most, of those shown")  \
    NUMBER(figure, HEAD, DECIMAL, "NAME [at L.H] [before]", "a figure of a head, such as entropy") \
    SCREEN(layer, NUMBER, "[of HEAD] [before]",                                                    \
           "the layer shown, or that of the head with the largest such figure, of `telling` that " \
           "of the first screen's head")                                                           \
    SCREEN(head, NUMBER, "[of HEAD] [before]", "the head shown, or that one")                      \
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

/* What a figure is of: which fields of struct figure_at it reads beside the trace. */
enum figure_of {
    FIGURE_OF_SCREEN, /* it can't be asked here */
    FIGURE_OF_TRACE,
    FIGURE_OF_TEXTS,   /* side */
    FIGURE_OF_HEAD,    /* layer, head, metric, kinds, effects */
    FIGURE_OF_PAIR,    /* layer, head, from, to */
    FIGURE_OF_WORD,    /* logits, total, id */
    FIGURE_OF_VECTORS, /* from, to, layer: how many of them */
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

const struct figure_info *figure_info(enum figure figure);

/* What is asked about. Indices must be in range. From and to are the trace's tokens; of several,
 * the pieces of a word, a weight is their sum (to) or mean (from), other numbers are the mean. */
struct figure_at {
    const struct trace *trace;
    const struct token_side *side;
    const struct token_kinds *kinds;
    const struct effects *effects; /* NULL: not measured */
    enum metric metric;
    size_t layer, head;
    struct token_range from, to;
    const float *logits; /* [V] of one token, and their predict_total */
    double total;
    size_t id;
};

struct figure_value {
    double number;
    char reason[96]; /* why there is none; empty: there is one */
};

/* The number of a figure that is not FIGURE_OF_SCREEN. */
struct figure_value figure_ask(enum figure figure, const struct figure_at *at);

/* Prints a number in its form; an effect has its sign. */
void figure_print(char *text, size_t size, enum figure_form form, double number);

#endif
