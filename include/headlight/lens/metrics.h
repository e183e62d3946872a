/* metrics.h: what one attention head mostly does, in numbers.
 *
 * w[i][j] is the weight with which token i attends to token j; each row sums to 1. The metrics are
 * means over the attending tokens, in double precision, of all T tokens whatever the screen shows.
 *
 *     struct head_metrics metrics = metrics_measure(trace, 3, 5, separators);
 *     metrics_name(&metrics, NULL)      "previous" */
#ifndef HEADLIGHT_LENS_METRICS_H
#define HEADLIGHT_LENS_METRICS_H

#include "headlight/base/watch.h"
#include "headlight/model/trace.h"

/* Clark et al. 2019, "What Does BERT Look At?": position and separators section 3.1 and 3.2,
 * entropy section 3.3. Vig and Belinkov 2019, "Analyzing the Structure of Attention in a
 * Transformer Language Model": distance, section 4.3. */
struct head_metrics {
    double previous;   /* mean over i = 1 … T-1 of w[i][i-1]; 0 when T = 1 */
    double next;       /* mean over i = 0 … T-2 of w[i][i+1]; 0 when T = 1 */
    double self;       /* mean over i of w[i][i] */
    double first;      /* mean over i of w[i][0]: [CLS] where there is one */
    double separators; /* mean over i of the sum of w[i][j] over the separators j */
    double entropy;    /* bits: mean over i of -Σ w[i][j]·log2 w[i][j]; 0 … log2 T */
    double distance;   /* tokens: mean over i of Σ w[i][j]·|i-j| */
};

/* From this value on a head is named after a metric: half of its attention goes there. */
#define METRICS_NAMED 0.5

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
