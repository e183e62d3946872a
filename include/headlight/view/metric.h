/* metric.h: a head's metrics as text. */
#ifndef HEADLIGHT_VIEW_METRIC_H
#define HEADLIGHT_VIEW_METRIC_H

#include "headlight/view/scene.h"

/* The value of one metric; 0 for METRIC_NONE. */
double metric_of(const struct head_metrics *metrics, enum metric metric);

/* "previous", "entropy", … as metrics_name has it, and what it says in half a sentence. */
const char *metric_name(enum metric metric);
const char *metric_meaning(enum metric metric);

/* " bits", " tokens", or "" for a weight. */
const char *metric_unit(enum metric metric);

/* Whether it is an attention weight, 0 … 1. */
bool metric_is_weight(enum metric metric);

/* Whether a head could be named after it: a weight of at least METRICS_NAMED in thousandths. */
bool metric_stands_out(enum metric metric, double value);

/* Writes a value in at most `width` signs, 2 or more, with as many digits as that leaves: "0.86",
 * ".86", ".9"; "1.24"; "3.1". */
void metric_print(char *text, size_t size, enum metric metric, double value, int width);

#endif
