/* metrics.h: what one attention head mostly does, in numbers.
 *
 * w[i][j] is the weight with which token i attends to token j; each row sums to 1. The metrics are
 * means over the attending tokens, in double precision, of all T tokens whatever the screen shows.
 *
 *     struct head_metrics metrics = metrics_measure(trace, 3, 5, separators);
 *     metrics_name(&metrics, NULL)      "previous"
 *
 * One figure of a head, METRIC_EFFECT, is not read off its weights: see effects.h. */
#ifndef HEADLIGHT_LENS_METRICS_H
#define HEADLIGHT_LENS_METRICS_H

#include "headlight/base/watch.h"
#include "headlight/model/trace.h"

/* Clark et al. 2019, "What Does BERT Look At?": position and separators section 3.1 and 3.2,
 * entropy section 3.3. Vig and Belinkov 2019, "Analyzing the Structure of Attention in a
 * Transformer Language Model": distance, section 4.3.
 *
 *     entropy      mean over i of -Σ w[i][j]·log2 w[i][j]; 0 … log2 T
 *     previous     mean over i = 1 … T-1 of w[i][i-1]; 0 when T = 1
 *     next         mean over i = 0 … T-2 of w[i][i+1]; 0 when T = 1
 *     self         mean over i of w[i][i]
 *     first        mean over i of w[i][0]: [CLS] where there is one
 *     separators   mean over i of the sum of w[i][j] over the separators j
 *     distance     mean over i of Σ w[i][j]·|i-j|
 *     maximum      mean over i of the largest w[i][j]: how far softmax is saturated, 1/T … 1
 *
 * code, name, unit (none: it is a weight, 0 … 1), decimals under a thumbnail, what it says */
#define METRICS(METRIC)                                                                            \
    METRIC(ENTROPY, entropy, " bits", 2, "bits that attention is spread over, mean over tokens")   \
    METRIC(PREVIOUS, previous, "", 2, "attention to the previous token, mean over tokens")         \
    METRIC(NEXT, next, "", 2, "attention to the next token, mean over tokens")                     \
    METRIC(SELF, self, "", 2, "attention of tokens to themselves, mean over tokens")               \
    METRIC(FIRST, first, "", 2, "attention to the first token, mean over tokens")                  \
    METRIC(SEPARATORS, separators, "", 2, "attention to the separators, mean over tokens")         \
    METRIC(DISTANCE, distance, " tokens", 1,                                                       \
           "tokens that attention reaches away, mean over tokens")                                 \
    METRIC(MAXIMUM, maximum, "", 2, "the largest weight of a token, mean over tokens")

enum metric {
    METRIC_NONE,
#define METRIC(code, name, unit, decimals, meaning) METRIC_##code,
    METRICS(METRIC)
#undef METRIC
        METRIC_EFFECT, /* signed; measured by effects.h, and not part of struct head_metrics */
    METRIC_COUNT
};

struct head_metrics {
#define METRIC(code, name, unit, decimals, meaning) double name;
    METRICS(METRIC)
#undef METRIC
};

/* From this value on a head is named after a metric: half of its attention goes there. */
#define METRICS_NAMED 0.5

/* The value of one; 0 for METRIC_NONE and METRIC_EFFECT. */
double metric_of(const struct head_metrics *metrics, enum metric metric);

/* "previous", what it says in half a sentence (of an effect its view does, as that is on a word),
 * and " bits", " tokens", " nats" or "" for a weight. */
const char *metric_name(enum metric metric);
const char *metric_meaning(enum metric metric);
const char *metric_unit(enum metric metric);

/* Whether it is an attention weight, 0 … 1. */
bool metric_is_weight(enum metric metric);

/* Whether a head could be named after it: a weight of at least METRICS_NAMED in thousandths, and of
 * one place, as the maximum may be anywhere; or an effect that is as large, up or down. */
bool metric_stands_out(enum metric metric, double value);

/* Writes a value in at most `width` signs, 2 or more, with as many digits as that leaves: "0.86",
 * ".86", ".9"; "1.24"; "3.1". An effect has its sign, "+0.32", "-.4", unless no digit is left. */
void metric_print(char *text, size_t size, enum metric metric, double value, int width);

/* The same with two decimals, however wide that is. */
void metric_print_whole(char *text, size_t size, enum metric metric, double value);

/* How spread out the attention of one token is: H = -Σ w·log2 w bits over a row of `count` weights,
 * from 0 (one token has it all) to log2 of their number (all have the same). */
double metrics_entropy(const float *row, size_t count);

/* Measures one head. `separators` says of each of the S attended tokens whether it is one; NULL:
 * none is. What is not a number, or negative, counts as a weight of 0. */
struct head_metrics metrics_measure(const struct trace *trace, size_t layer, size_t head,
                                    const bool *separators);

/* Measures all heads: L·A·T·S logarithms, so that 384 heads of 512 tokens take most of a second.
 * The watch, which may be NULL, is told of each layer. Free *metrics, [L,A], with free().
 * STATUS_MEMORY, STATUS_CANCELLED: then *metrics is NULL. */
enum status metrics_measure_all(const struct trace *trace, const bool *separators,
                                const struct watch *watch, struct head_metrics **metrics,
                                struct error *error);

/* "previous", "next", "self", "first" or "separators": the largest of these (of equal ones the
 * first) if it is at least METRICS_NAMED when rounded to thousandths; else "". `value`, when not
 * NULL, gets that largest one. */
const char *metrics_name(const struct head_metrics *metrics, double *value);

#endif
