/* steps.h: one token's way through one layer, number by number: from its embedding or the output of
 * the layer before to the layer's own output, and from the last one's to the model's answer. Every
 * operation of the layer (model/operations.h) is
 * computed again in double precision, from the weights and from what the trace has of the stages
 * before.
 *
 *     struct steps *steps;
 *     steps_new(&(struct steps_at){model, trace, layer, head, token, divisor}, &steps, &error);
 *     steps->stage[STAGE_QUERY].numbers[5]
 *     steps_arithmetic(steps, STAGE_QUERY, 5, &arithmetic);      q[5] = Σ x[i]·W[5,i] + b
 *     free(steps); */
#pragma once

#include "headlight/model/operations.h"

/* Where: of a computed trace with its model, or of a recording without one. */
struct steps_at {
    const struct model *model; /* NULL: a recording */
    const struct trace *trace;
    size_t layer, head, token;
    double divisor;           /* scores are q·k divided by this, see dimensions.h */
    enum model_output output; /* what the last layer leads to: if the model has no such head, to
                                 nothing */
    const struct encoding *encoding; /* of a span, which tokens it may begin and end with */
    size_t answer;                   /* which of all that may be said was chosen, from 1; 0: none */
};

struct step_numbers {
    struct operation operation;
    size_t count;        /* 0: it isn't there, */
    double *numbers;     /* [count] */
    const char *missing; /* and this is what is missing: "query", "network"; or NULL */
};

/* What a LayerNorm subtracts and divides by. */
struct moments {
    double mean, variance;
};

/* How a number comes about. */
enum arithmetic_kind {
    ARITHMETIC_NONE,   /* it is taken over: from the layer before, or from the recording */
    ARITHMETIC_SUM,    /* (Σ left·right + constant + distance) / divisor + bias */
    ARITHMETIC_ADDED,  /* from + added */
    ARITHMETIC_SCALED, /* argument·gain */
    ARITHMETIC_CAPPED, /* gain·tanh(argument/gain) */
    ARITHMETIC_ROTATED, /* Σ left·right: two numbers, times the cosine and the sine of `argument` */
    ARITHMETIC_MASKED,  /* minus infinity, see steps_hidden */
    ARITHMETIC_SOFTMAX, /* exp(argument − largest) / total */
    ARITHMETIC_EQUAL,   /* 1 / left: the head is uniform */
    ARITHMETIC_NOTHING, /* 0: the head is off, or has nothing to attend to */
    ARITHMETIC_LENGTH,  /* √Σ left·right */
    ARITHMETIC_NORM,    /* (argument − mean) / √(variance + epsilon) · gain + constant */
    ARITHMETIC_ACTIVE,  /* GELU(argument)·gain, or whatever the model has in GELU's place */
    ARITHMETIC_SIGMOID, /* 1 / (1 + exp(-argument)) */
};

/* What a softmax subtracts, and divides the exponentials by, which is their sum. */
struct softmax {
    double largest, total;
};

/* What an embedding is the sum of. */
enum embedded { EMBEDDED_WORD, EMBEDDED_POSITION, EMBEDDED_SEGMENT, EMBEDDED_PARTS };

struct step_term {
    size_t index; /* of the number that it comes from; of an embedding the part; of a convolution
                     i·K + which of the K tokens */
    double left, right;
};

/* What the distance of two tokens adds to the product of a query and a key where it has vectors of
 * its own: their products with the query, and with the key. */
enum by_distance { DISTANCE_QUERY, DISTANCE_KEY, DISTANCES };

struct arithmetic {
    enum arithmetic_kind kind;
    double result;
    const struct step_term *terms; /* [count], by magnitude, the largest first; in the steps: until
                                      the next call */
    size_t count;
    double constant, divisor;
    double distance[DISTANCES]; /* of scores */
    bool has_distance[DISTANCES], has_bias;
    double bias; /* of scores, where each distance has a number */
    double argument;
    double from, added; /* an argument's two parts, where a residual is added */
    struct moments moments;
    struct softmax softmax;
    double epsilon, gain; /* of ACTIVE the gain is what the gate is */
    size_t left;
};

struct steps {
    struct steps_at at;
    struct step_numbers stage[STAGE_COUNT];
    struct moments moments[STAGE_COUNT]; /* of those that a LayerNorm makes */
    struct softmax softmax[STAGE_COUNT]; /* of those that a softmax makes */
    size_t left;                         /* how many tokens may be attended to */

    /* The number at work: of the stage that is open, made of the products left·right. */
    enum stage open;
    struct arithmetic made;
    const double *source;    /* what the operation takes: of all heads' contexts [H], else [from] */
    const double *left_of;   /* [count] */
    const float *right_of;   /* [count]; NULL: a length, left·left */
    bool indexed;            /* the terms have their index already; else it counts from 0 */
    struct step_term *terms; /* [the most of any], as all below */
    double *input, *parts;
    float *row;
};

/* A stage's operation; it has no outputs where no tensor tells how many, and where the layer has no
 * such stage. */
struct operation steps_operation(const struct steps_at *at, enum stage stage);

/* The row of W that makes number 0 of a stage. */
size_t steps_first_row(const struct steps_at *at, enum stage stage);

/* Whether the stage's LayerNorm or linear layer adds anything: in some families none has a bias. */
bool steps_is_biased(const struct steps_at *at, enum stage stage);

/* Free with free(). Costs 3·D·H + H·H + 2·F·H multiply-adds, and behind the
 * last layer those of a head: V·E for words. STATUS_MEMORY. */
enum status steps_new(const struct steps_at *at, struct steps **steps, struct error *error);

/* Why a token has no part in a row. */
enum hidden_by {
    HIDDEN_NOT,
    HIDDEN_TOKEN,
    HIDDEN_CUT,
    HIDDEN_CAUSAL,
    HIDDEN_REACH, /* the layer sees only what is near */
    HIDDEN_MASK,
};

enum hidden_by steps_hidden(const struct steps_at *at, size_t to);

/* What a stage of scores divides q·k by. */
double steps_divisor(const struct steps_at *at, enum stage stage);

/* The arithmetic of number i of a stage that is there. */
void steps_arithmetic(struct steps *steps, enum stage stage, size_t i,
                      struct arithmetic *arithmetic);

/* ---- Shared by the files of the steps ---- */

/* Opens a stage: finds what it is made of, the trace's numbers, or those computed where it has
 * none. */
void steps_open(struct steps *steps, enum stage stage);

/* The arithmetic of a number of the stage that is open, its terms not yet listed. */
const struct arithmetic *steps_gather(struct steps *steps, size_t i);

/* Finds the largest of what the softmax of the stage that is open is of, and the sum of the
 * exponentials: of a span, for number i. Returns how many are not masked. */
size_t steps_measure_softmax(struct steps *steps, size_t i);

/* The number that the open stage's operation takes besides, or another where it takes none. */
static inline double steps_with(const struct steps *steps, size_t i, double otherwise)
{
    const enum stage with = steps->stage[steps->open].operation.with;
    return with == STAGE_NONE ? otherwise : steps->stage[with].numbers[i];
}
