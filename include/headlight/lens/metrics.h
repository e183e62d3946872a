/* metrics.h: measures of what an attention head mostly does.
 *
 * w[i][j] is the weight with which token i attends to token j; each row sums to 1. The metrics are
 * means over the attending tokens, in double precision, over all T tokens whatever the screen
 * shows.
 *
 *     struct head_metrics metrics = metrics_measure(trace, 3, 5, &kinds);
 *     metrics_label(&metrics)      {"previous", …, 0.86}: what it mostly does on this text
 *
 * Those of METRIC_EFFECT and behind aren't computed from one trace's weights. */
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
 *     broad        the sum over i of the entropies divided by the sum of the largest possible ones,
 *                  log2 of the tokens that i can see (trace_visible; of a recording none behind the
 *                  last weight); 0 … 1
 *
 * Where the first token is a sink (side.h), a head's label stands on the rest of its weight: each
 * sum is over the tokens but the first, from the third on, which have a choice, and is divided by
 * what these do not give to the first; the entropy is that of the rest. A head that gives the first
 * all but METRICS_REST is called after it.
 *
 * The word of a token isn't the word of its place in another text, and nothing comes after what
 * sees the past alone: what isn't defined there is NaN, and so no label.
 *
 * A survey adds up what rows of weights give, over all tokens of its texts, where `same` and
 * `induction` are of the same tokens in all layers: what lies outside a layer's window counts as no
 * weight; `broad` it adds up once for each token. And, of surveys for which somebody asked,
 *
 *     effect       over texts: the log-probability of an answer without the head, less that with it
 *                  (effects.h)
 *     moved        over tokens: how far the row is from another model's (divergence.h)
 *
 * and of cross-attention, over links of words, how well these are what the file says. A are the
 * links of a head: of each word of the target that has one in the file, to the word of the source
 * with the largest weight, pieces summed; S the file's sure ones and P all of it (Och and Ney 2003,
 * "A Systematic Comparison of Various Statistical Alignment Models", section 5). A word of which
 * the file says nothing isn't asked for: a head always looks somewhere.
 *
 *     aer          1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), the error rate
 *     precision    |A ∩ P| / |A|
 *     recall       |A ∩ S| / |S|
 *
 * at the rows that say the word; also at those that read it; and of the diagonal, which links word
 * j of T to word j·S/T of S, rounded, and is the same for all heads.
 *
 * Labels of heads: of the numbers that reach their threshold, the one with the largest value, the
 * first if equal. The threshold of a weight is half of the attention; attention is broad from 0.85
 * of the largest possible entropy. Broad heads are rare in pretrained encoders (in sample
 * sentences, one in fifty in BERT, RoBERTa, ALBERT, DistilBERT and XLNet, one in eleven in GPT-2)
 * and frequent in the small built-in model (three in five); none of them had half of its attention
 * in one place. A threshold of 0.8 would label two to three times as many in the pretrained ones.
 *
 * code, name, unit (none: a weight or a share, 0 … 1), decimals under a thumbnail, of what
 * attention it is defined, what a survey counts it over, whether less is better, meaning, and from
 * which value on heads are labelled after it (0: none is), with the label's name, under a
 * thumbnail, in a line of numbers, in a sentence. In a survey's file they are numbered in this
 * order. */
#define METRICS_OF_TEXTS(METRIC)                                                                   \
    METRIC(PREVIOUS, previous, "", 2, AXES_SELF, "tokens", false,                                  \
           "attention to the previous token, mean over tokens", METRICS_NAMED, "previous", "prev", \
           "previous token", "looks at the word before")                                           \
    METRIC(NEXT, next, "", 2, AXES_ONE_TEXT, "tokens", false,                                      \
           "attention to the next token, mean over tokens", METRICS_NAMED, "next", "next",         \
           "next token", "looks at the next word")                                                 \
    METRIC(SELF, self, "", 2, AXES_SELF, "tokens", false,                                          \
           "attention of tokens to themselves, mean over tokens", METRICS_NAMED, "self", "self",   \
           "the token itself", "looks at the word itself")                                         \
    METRIC(FIRST, first, "", 2, AXES_ANY, "tokens", false,                                         \
           "attention to the first token, mean over tokens", METRICS_NAMED, "first", "1st",        \
           "first token", "looks at the first token")                                              \
    METRIC(SEPARATORS, separators, "", 2, AXES_ANY, "tokens", false,                               \
           "attention to the separators, mean over tokens", METRICS_NAMED, "separators", "seps",   \
           "separators", "looks at the separators")                                                \
    METRIC(ENTROPY, entropy, " bits", 2, AXES_ANY, "tokens", false,                                \
           "bits that attention is spread over, mean over tokens", 0)                              \
    METRIC(DISTANCE, distance, " tokens", 1, AXES_SELF, "tokens", false,                           \
           "tokens that attention reaches away, mean over tokens", 0)                              \
    METRIC(MAXIMUM, maximum, "", 2, AXES_ANY, "tokens", false,                                     \
           "the largest weight of a token, mean over tokens", 0)                                   \
    METRIC(SAME, same, "", 2, AXES_SELF, "tokens", false,                                          \
           "attention to the same word elsewhere, mean over tokens with one", METRICS_NAMED,       \
           "same word", "same", "same word", "links the same word")                                \
    METRIC(INDUCTION, induction, "", 2, AXES_SELF, "tokens", false,                                \
           "attention to what followed the same token before, mean over tokens with one", 0)       \
    METRIC(BROAD, broad, "", 2, AXES_ANY, "tokens", false,                                         \
           "share of the largest possible entropy, 1 is as even as can be", METRICS_BROAD,         \
           "broad", "brd", "broad", "looks at everything alike")                                   \
    METRIC(EFFECT, effect, " nats", 2, AXES_ANY, "texts", false,                                   \
           "change of the answer's log-probability without the head", 0)                           \
    METRIC(MOVED, moved, " bits", 3, AXES_ANY, "tokens", false,                                    \
           "Jensen-Shannon divergence from the other model, mean over tokens", 0)
#define METRICS(METRIC)                                                                            \
    METRICS_OF_TEXTS(METRIC)                                                                       \
    METRIC(AER, aer, "", 2, AXES_TWO_TEXTS, "links, found and given", true,                        \
           "alignment error rate where a row says a word", 0)                                      \
    METRIC(PRECISION, precision, "", 2, AXES_TWO_TEXTS, "links", false,                            \
           "share of its links that the file has", METRICS_NAMED, "aligns", "algn",                \
           "aligns words", "links words as the file does")                                         \
    METRIC(RECALL, recall, "", 2, AXES_TWO_TEXTS, "links", false,                                  \
           "share of the file's sure links that it has", 0)                                        \
    METRIC(AER_READ, aer_read, "", 2, AXES_TWO_TEXTS, "links, found and given", true,              \
           "alignment error rate where a row reads a word", 0)                                     \
    METRIC(PRECISION_READ, precision_read, "", 2, AXES_TWO_TEXTS, "links", false,                  \
           "share of those links that the file has", 0)                                            \
    METRIC(RECALL_READ, recall_read, "", 2, AXES_TWO_TEXTS, "links", false,                        \
           "share of the file's sure links among those", 0)                                        \
    METRIC(AER_DIAGONAL, aer_diagonal, "", 2, AXES_TWO_TEXTS, "links, found and given", true,      \
           "alignment error rate of the diagonal, for comparison", 0)                              \
    METRIC(PRECISION_DIAGONAL, precision_diagonal, "", 2, AXES_TWO_TEXTS, "links", false,          \
           "share of the diagonal's links that the file has", 0)                                   \
    METRIC(RECALL_DIAGONAL, recall_diagonal, "", 2, AXES_TWO_TEXTS, "links", false,                \
           "share of the file's sure links on the diagonal", 0)
#define METRICS_NAMED 0.5
#define METRICS_BROAD 0.85
#define METRICS_REST  0.05

enum metric {
    METRIC_NONE,
    METRIC_LABEL, /* the one that each head is labelled after, see metrics_label */
#define METRIC(code, ...) METRIC_##code,
    METRICS(METRIC)
#undef METRIC
        METRIC_COUNT,
    METRIC_BEGIN = METRIC_LABEL + 1, /* those before METRIC_EFFECT are of rows of weights, */
    METRIC_LINKS = METRIC_AER,       /* those before these of texts, these of surveys alone */
    METRIC_PAIR = METRIC_COUNT /* of one pair of tokens: the number of whatever map is shown */
};

struct head_metrics {
    double of[METRIC_EFFECT];
    double named[METRIC_EFFECT]; /* what labels stand on: the same, or what the sink leaves, */
    double rest;                 /* and which share of the weight that is; 0: there is no sink */
};

extern const struct metric_info {
    const char *name, *unit;
    int decimals;
    enum axes axes;      /* of what attention it is defined (site.h): NaN of another */
    const char *over;    /* "tokens" */
    bool less;           /* is better */
    const char *meaning; /* in half a sentence */
    double labelled;
    const char *label, *brief, *words, *says;
} metric_infos[METRIC_PAIR + 1];

/* Whether it is an attention weight or a share, 0 … 1. */
bool metric_is_weight(enum metric metric);

/* In thousandths, as on the screen: what prints as 0.500 must count as 0.5. */
bool metric_reaches(double value, double least);

/* Whether a value is worth highlighting: a weight of at least METRICS_NAMED, or what labels need
 * (but not the maximum, which may be anywhere), or an effect at least as large, of either sign.
 * Compared in thousandths. */
bool metric_stands_out(enum metric metric, double value);

/* Writes a value with two decimals or more, an effect with its sign; NaN is "-". */
void metric_print(char *text, size_t size, enum metric metric, double value);

/* The entropy of one token's attention, -Σ w·log2 w bits over a row of `count` weights: from 0 (all
 * on one token) to log2 of their number (spread evenly). */
double metrics_entropy(const float *row, size_t count);

/* The numbers of one row [S]: what a token gives to those that it sees, as sums rather than means.
 * `same` and `induction` are NaN where the token has nothing to look at; `broad` is 0. */
void metrics_of_row(const float *row, struct token_range visible, size_t from,
                    const struct token_kinds *kinds, double of[METRIC_EFFECT]);

/* Measures one head. Without kinds (NULL) no token is a separator and no word occurs twice. NaN and
 * negative weights count as 0. */
struct head_metrics metrics_measure(const struct trace *trace, size_t layer, size_t head,
                                    const struct token_kinds *kinds);

/* The same numbers of what a head gives to the tokens from `begin` on, 0: of all, or 1: beside the
 * first (above), and the weight that each is a mean over. Returns which share of all that is. */
double metrics_beside(const struct trace *trace, size_t layer, size_t head,
                      const struct token_kinds *kinds, size_t begin, double of[METRIC_EFFECT],
                      double over[METRIC_EFFECT]);

/* Measures all heads, which takes L·A·T·S logarithms: most of a second for 384 heads of 512 tokens.
 * The watch, which may be NULL, is called for each layer. Free *metrics, [L,A], with free().
 * STATUS_MEMORY, STATUS_CANCELLED: then *metrics is NULL. */
enum status metrics_measure_all(const struct trace *trace, const struct token_kinds *kinds,
                                const struct watch *watch, struct head_metrics **metrics,
                                struct error *error);

/* What a head mostly does on the text that it was measured on; values are compared in thousandths.
 */
struct head_label {
    enum metric metric;               /* METRIC_NONE: it has none */
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
