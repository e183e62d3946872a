/* metrics.h: measures of what an attention head mostly does.
 *
 * w[i][j] is the weight with which token i attends to token j; each row sums to 1. The metrics are
 * means over the attending tokens, in double precision, over all T tokens whatever the screen
 * shows.
 *
 *     struct head_metrics metrics = metrics_measure(trace, 3, 5, &kinds);
 *     metrics_label(&metrics)      {"previous", …, 0.86}: what it mostly does on this text
 *
 * Two are not computed from one trace's weights: see effects.h and divergence.h. */
#pragma once

#include "headlight/base/watch.h"
#include "headlight/model/trace.h"

/* Clark et al. 2019, "What Does BERT Look At?": position and separators section 3.1 and 3.2,
 * entropy section 3.3. Vig and Belinkov 2019, "Analyzing the Structure of Attention in a
 * Transformer Language Model": distance, section 4.3.
 *
 *     entropy      mean over i of -Σ w[i][j]·log2 w[i][j]; 0 … log2 T, or less where i can't see
 *                  all
 *     previous     mean over i = 1 … T-1 of w[i][i-1]; 0 when T = 1
 *     next         mean over i = 0 … T-2 of w[i][i+1]; 0 when T = 1
 *     self         mean over i of w[i][i]
 *     first        mean over i of w[i][0]: [CLS] where there is one
 *     separators   mean over i of the sum of w[i][j] over the separators j
 *     same         mean over the i that can see another occurrence of their word piece, special
 *                  tokens and separators aside, of the sum of w[i][j] over these j; NaN if none can
 *     induction    mean over the i whose word piece, as of `same`, occurs at places p, p + 2 < i,
 *                  and that can see p + 1, of the sum of w[i][p+1]: what followed it then (Olsson
 *                  et al. 2022, "In-context Learning and Induction Heads"); NaN if none does
 *     distance     mean over i of Σ w[i][j]·|i-j|
 *     maximum      mean over i of the largest w[i][j], the saturation of softmax, 1/T … 1
 *
 * Where the first token is a sink (side.h), a head's label stands on the rest of its weight: each
 * sum is over the tokens but the first, from the third on, which have a choice, and is divided by
 * what these do not give to the first; the entropy is that of the rest. A head that gives the first
 * all but METRICS_REST is called after it.
 *
 * The word of a token isn't the word of its place in another text, and nothing comes after what
 * sees the past alone: what isn't defined there is NaN, and so no label.
 *
 * code, name, unit (none: a weight, 0 … 1), decimals under a thumbnail, of what
 * attention it is defined, meaning */
#define METRICS(METRIC)                                                                            \
    METRIC(ENTROPY, entropy, " bits", 2, AXES_ANY,                                                 \
           "bits that attention is spread over, mean over tokens")                                 \
    METRIC(PREVIOUS, previous, "", 2, AXES_SELF,                                                   \
           "attention to the previous token, mean over tokens")                                    \
    METRIC(NEXT, next, "", 2, AXES_ONE_TEXT, "attention to the next token, mean over tokens")      \
    METRIC(SELF, self, "", 2, AXES_SELF, "attention of tokens to themselves, mean over tokens")    \
    METRIC(FIRST, first, "", 2, AXES_ANY, "attention to the first token, mean over tokens")        \
    METRIC(SEPARATORS, separators, "", 2, AXES_ANY,                                                \
           "attention to the separators, mean over tokens")                                        \
    METRIC(SAME, same, "", 2, AXES_SELF,                                                           \
           "attention to the same word elsewhere, mean over tokens with one")                      \
    METRIC(INDUCTION, induction, "", 2, AXES_PAST,                                                 \
           "attention to what followed the same token before, mean over tokens with one")          \
    METRIC(DISTANCE, distance, " tokens", 1, AXES_SELF,                                            \
           "tokens that attention reaches away, mean over tokens")                                 \
    METRIC(MAXIMUM, maximum, "", 2, AXES_ANY, "the largest weight of a token, mean over tokens")

/* Labels of heads: of the fields that reach their threshold on the text, the one with the largest
 * value, the first if equal. The threshold of a weight is half of the attention; attention is broad
 * from 0.85 of the largest possible entropy. Broad heads are rare in pretrained encoders (in sample
 * sentences, one in fifty in BERT, RoBERTa, ALBERT, DistilBERT and XLNet, one in eleven in GPT-2)
 * and frequent in the small built-in model (three in five); none of them had half of its attention
 * in one place. A threshold of 0.8 would label two to three times as many in the pretrained ones.
 *
 * code, field of struct head_metrics, threshold, name, name under a thumbnail, in a line of
 * numbers, in a sentence */
#define HEAD_LABELS(LABEL)                                                                         \
    LABEL(PREVIOUS, previous, METRICS_NAMED, "previous", "prev", "previous token",                 \
          "looks at the word before")                                                              \
    LABEL(NEXT, next, METRICS_NAMED, "next", "next", "next token", "looks at the next word")       \
    LABEL(SELF, self, METRICS_NAMED, "self", "self", "the token itself",                           \
          "looks at the word itself")                                                              \
    LABEL(FIRST, first, METRICS_NAMED, "first", "1st", "first token", "looks at the first token")  \
    LABEL(SEPARATORS, separators, METRICS_NAMED, "separators", "seps", "separators",               \
          "looks at the separators")                                                               \
    LABEL(SAME, same, METRICS_NAMED, "same word", "same", "same word", "links the same word")      \
    LABEL(BROAD, broad, METRICS_BROAD, "broad", "brd", "broad", "looks at everything alike")
#define METRICS_NAMED 0.5
#define METRICS_BROAD 0.85
#define METRICS_REST  0.05

enum label {
    LABEL_NONE,
#define LABEL(code, ...) LABEL_##code,
    HEAD_LABELS(LABEL)
#undef LABEL
};

enum metric {
    METRIC_NONE,
    METRIC_LABEL, /* the metric that each head is labelled after, see metrics_label */
#define METRIC(code, ...) METRIC_##code,
    METRICS(METRIC)
#undef METRIC
    /* not part of struct head_metrics: */
    METRIC_EFFECT, /* signed; measured by effects.h */
    METRIC_MOVED,  /* measured by divergence.h */
    METRIC_COUNT
};

struct head_metrics {
#define METRIC(code, name, ...) double name;
    METRICS(METRIC)
#undef METRIC
    double broad; /* the sum over i of the entropies divided by the sum of the largest possible
                     ones, log2 of the tokens that i can see (trace_visible; of a recording none
                     behind the last weight); 0 … 1 */

    struct {         /* what labels stand on: the same, or what the sink leaves */
        double rest; /* which share of the weight that is; 0: there is no sink */
#define LABEL(code, name, ...) double name;
        HEAD_LABELS(LABEL)
#undef LABEL
    } named;
};

/* The value of one; 0 for those that struct head_metrics lacks. */
double metric_of(const struct head_metrics *metrics, enum metric metric);

/* "previous"; its unit, " bits", " tokens", " nats" or "" for a weight; its meaning in half a
 * sentence ("" for an effect, which depends on a word); decimals under a thumbnail. */
struct metric_info {
    const char *name, *unit, *meaning;
    int decimals;
    enum axes axes; /* of what attention it is defined (site.h): NaN of another */
};

extern const struct metric_info metric_infos[METRIC_COUNT];

/* Whether it is an attention weight, 0 … 1. */
bool metric_is_weight(enum metric metric);

/* In thousandths, as on the screen: what prints as 0.500 must count as 0.5. */
bool metric_reaches(double value, double least);

/* Whether a value is worth highlighting: a weight of at least METRICS_NAMED (except the maximum,
 * which may be anywhere), or an effect at least as large, of either sign. Compared in thousandths.
 */
bool metric_stands_out(enum metric metric, double value);

/* Writes a value in at most `width` characters, 2 or more, with as many digits as fit: "0.86",
 * ".86", ".9"; "1.24"; "3.1". An effect has its sign, "+0.32", "-.4", unless it prints as 0. NaN is
 * "-". */
void metric_print(char *text, size_t size, enum metric metric, double value, int width);

/* The same with two decimals or more, however wide that is. */
void metric_print_whole(char *text, size_t size, enum metric metric, double value);

/* The entropy of one token's attention, -Σ w·log2 w bits over a row of `count` weights: from 0 (all
 * on one token) to log2 of their number (spread evenly). */
double metrics_entropy(const float *row, size_t count);

/* The numbers of one row [S]: what a token gives to those that it sees, as sums rather than means.
 * `same` and `induction` are NaN where the token has nothing to look at. */
struct head_metrics metrics_of_row(const float *row, struct token_range visible, size_t from,
                                   const struct token_kinds *kinds);

/* Measures one head. Without kinds (NULL) no token is a separator and no word occurs twice. NaN and
 * negative weights count as 0. */
struct head_metrics metrics_measure(const struct trace *trace, size_t layer, size_t head,
                                    const struct token_kinds *kinds);

/* Measures all heads, which takes L·A·T·S logarithms: most of a second for 384 heads of 512 tokens.
 * The watch, which may be NULL, is called for each layer. Free *metrics, [L,A], with free().
 * STATUS_MEMORY, STATUS_CANCELLED: then *metrics is NULL. */
enum status metrics_measure_all(const struct trace *trace, const struct token_kinds *kinds,
                                const struct watch *watch, struct head_metrics **metrics,
                                struct error *error);

/* What a head mostly does on the text that it was measured on, by HEAD_LABELS; values are compared
 * in thousandths. */
struct head_label {
    enum label label;
    const char *name, *brief, *words; /* "previous", "prev", "previous token", */
    const char *says;                 /* "looks at the word before"; all "" without a label */
    double value;                     /* 0 without one */
    double rest;                      /* what it is a share of, if not of the whole; else 0 */
};

struct head_label metrics_label(const struct head_metrics *metrics);

/* The most weights, L·A·T·S, read to find the opening head: a few milliseconds. */
#define OPENING_WEIGHTS_MAX 16e6

/* The head to show first, as a good example of attention: the one whose content tokens attend most
 * sharply to other content tokens. Measured by the mean, over attending tokens that are not
 * special, of the largest weight on a token that is neither special nor the token itself nor a
 * neighbour, so heads that attend to [CLS] and [SEP], to the token itself or beside it score low.
 * Of attention to another text it is the one that leaves least of that text out, by the mean, over
 * its content tokens, of the largest weight that a token gets from any row: a head that aligns. Of
 * the 10,000 held-out dates (assets/model/dates) its links have an error rate of 0.013, where the
 * best head of all has 0.012, and the sharpest rows would lead to 0.032.
 * Compared in thousandths; if equal, the first by layer, then head. False if there are more weights
 * than OPENING_WEIGHTS_MAX, or no such weight reaches a thousandth, as in a text of three tokens.
 */
bool opening_head(const struct trace *trace, const struct token_side sides[2], size_t *layer,
                  size_t *head);
