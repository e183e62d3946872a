/* dimensions.h: what each dimension of a head contributes to a score, and each key to a context.
 *
 *     score(q,k) = Σ_d q_d·k_d / √D        context_d = Σ_keys a·v_d        a = softmax(score)
 *
 * (Vaswani et al. 2017, section 3.2.1.) A recording may lack query and key, or value. */
#pragma once

#include "headlight/model/trace.h"
#include "headlight/tensor/matrix.h"

/* One query of one head. */
struct attending {
    const struct trace *trace;
    size_t layer, head;
    size_t from; /* the attending token */
};

/* Whether the layer has query and key, and whether it has value. */
bool dimensions_have_keys(const struct attending *at);
bool dimensions_have_values(const struct attending *at);

/* [D] vectors in the trace; only where the layer has them. */
const float *dimensions_query(const struct attending *at);
const float *dimensions_key(const struct attending *at, size_t to);
const float *dimensions_value(const struct attending *at, size_t to);

/* q×k, dimension by dimension, into product [D]. */
void dimensions_product(const struct attending *at, size_t to, float *product);

/* a·v of one key, into weighted [D]. */
void dimensions_weighted(const struct attending *at, size_t to, float *weighted);

/* Σ a·v over all keys: the head's context for the query, into sum [D]. */
void dimensions_context(const struct attending *at, float *sum);

/* The divisor of q·k: √D (√(D·n) if a score is the sum of n products, as with relative positions),
 * or 1 if unscaled, times the softmax temperature. Meaningless for a recording without queries and
 * keys. */
double dimensions_divisor(const struct trace *trace);

/* What the distance between the tokens adds to the divided q·k, in families where it does:
 *
 *     score(q,k) = q·k / divisor + distance
 *
 * 0 where it adds nothing. */
bool dimensions_have_distance(const struct attending *at);
double dimensions_distance(const struct attending *at, size_t to);

/* The divided q·k, or where the network caps that c·tanh(x/c). */
double dimensions_capped(const struct trace *trace, double quotient);

/* The divisor as text: "√32" (in ASCII "rt32"), "2.83"; "" for 1. */
void dimensions_write_divisor(const struct attending *at, double divisor, bool ascii, char *text,
                              size_t size);

/* The trace's score, or else that of query and key. False if neither is there. */
bool dimensions_score(const struct attending *at, size_t to, double divisor, float *score);

/* A dimension and its value in some vector. */
struct dimension {
    size_t index;
    float value;
};

/* Sorts a vector's dimensions by magnitude, largest first, then by index. */
void dimensions_rank(const float *values, size_t count, struct dimension *ranked);
