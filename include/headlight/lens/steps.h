/* steps.h: one token's way through one layer, number by number: from its embedding or the output of
 * the layer before to the layer's own output, as Vaswani et al. 2017, section 3, and Devlin et al.
 * 2019 have it. Every stage is computed again in double precision, from the weights and from what
 * the trace has of the stage before.
 *
 *     struct steps *steps;
 *     steps_new(&(struct steps_at){model, trace, layer, head, token, divisor}, &steps, &error);
 *     steps->stage[STAGE_QUERY].numbers[5]
 *     steps_arithmetic(steps, STAGE_QUERY, 5, &arithmetic);      q[5] = Σ x[i]·W[5,i] + b
 *     steps_free(steps); */
#ifndef HEADLIGHT_LENS_STEPS_H
#define HEADLIGHT_LENS_STEPS_H

#include "headlight/model/model.h"
#include "headlight/model/side.h"
#include "headlight/model/trace.h"

/* stage, its name, the letter of how many numbers it has (trace.h, config.h), what it follows from,
 * in the order in which they are computed */
#define STAGES(STAGE)                                                                              \
    STAGE(EMBEDDING, "embedding", 'H', "word + position + segment") /* of the first layer */       \
    STAGE(INPUT, "x", 'H', "LayerNorm(embedding)")                                                 \
    STAGE(QUERY, "q", 'D', "x·W_q + b")                                                            \
    STAGE(KEY, "k", 'D', "x·W_k + b")                                                              \
    STAGE(VALUE, "v", 'D', "x·W_v + b")                                                            \
    STAGE(SCORES, "scores", 'S', "q·k")                                                            \
    STAGE(WEIGHTS, "weights", 'S', "softmax(scores)")                                              \
    STAGE(CONTEXT, "context", 'D', "sum of weight·v")                                              \
    STAGE(HEADS, "heads", 'H', "side by side, ·W_o + b")                                           \
    STAGE(ADDED, "added", 'A', "what each head adds")                                              \
    STAGE(ATTENTION, "attention", 'H', "LayerNorm(x+heads)")                                       \
    STAGE(FORWARD, "forward", 'F', "attention·W_1 + b")                                            \
    STAGE(ACTIVE, "active", 'F', "GELU(forward)")                                                  \
    STAGE(BACK, "back", 'H', "active·W_2 + b")                                                     \
    STAGE(OUTPUT, "output", 'H', "LayerNorm(attention+back)")

enum stage {
#define STAGE(stage, name, axis, formula) STAGE_##stage,
    STAGES(STAGE)
#undef STAGE
        STAGE_COUNT
};

/* Where: of a computed trace with its model, or of a recording without one. */
struct steps_at {
    const struct model *model; /* NULL: a recording */
    const struct trace *trace;
    size_t layer, head, token;
    double divisor; /* scores are q·k divided by this, see dimensions.h */
};

struct step_numbers {
    size_t count;        /* 0: it isn't there, */
    double *numbers;     /* [count] */
    const char *missing; /* and this is what lacks: "query", "network"; or NULL */
};

/* What a LayerNorm subtracts and divides by. */
struct moments {
    double mean, variance;
};

struct steps {
    struct steps_at at;
    struct step_numbers stage[STAGE_COUNT];
    struct moments moments[STAGE_COUNT]; /* of INPUT (in the first layer), ATTENTION and OUTPUT */
    double largest, total; /* softmax subtracts the largest score; the sum of the exponentials */
    size_t left;           /* how many tokens may be attended to */
    struct step_term *terms;
    double *vector, *input; /* [max(H,F)] working space */
    float *row;             /* [max(H,F)] */
};

/* The name of a stage and what it follows from. */
const char *stage_name(enum stage stage);
const char *stage_formula(enum stage stage);

/* How many numbers it has; 0 where no tensor tells, and for an embedding behind the first layer. */
size_t steps_count(const struct steps_at *at, enum stage stage);

/* Free with steps_free, which accepts NULL. Costs 3·D·H + H·H + 2·F·H multiply-adds.
 * STATUS_MEMORY. */
enum status steps_new(const struct steps_at *at, struct steps **steps, struct error *error);
void steps_free(struct steps *steps);

/* Why a token has no part in a row. */
enum hidden_by { HIDDEN_NOT, HIDDEN_TOKEN, HIDDEN_CUT, HIDDEN_CAUSAL, HIDDEN_MASK };

enum hidden_by steps_hidden(const struct steps_at *at, size_t to);

/* How a number comes about. */
enum arithmetic_kind {
    ARITHMETIC_NONE,    /* it is taken over: from the layer before, or from the recording */
    ARITHMETIC_SUM,     /* (Σ left·right + constant) / divisor */
    ARITHMETIC_MASKED,  /* minus infinity, see steps_hidden */
    ARITHMETIC_SOFTMAX, /* exp(argument − largest) / total */
    ARITHMETIC_EQUAL,   /* 1 / left: the head is uniform */
    ARITHMETIC_NOTHING, /* 0: the head is off, or has nothing to attend to */
    ARITHMETIC_LENGTH,  /* √Σ left·right */
    ARITHMETIC_NORM,    /* (argument − mean) / √(variance + epsilon) · gain + constant */
    ARITHMETIC_ACTIVE,  /* GELU(argument), or whatever the model has in its place */
};

struct step_term {
    size_t
        index; /* of the number that it comes from; of an embedding 0 word 1 position 2 segment */
    double left, right;
};

struct arithmetic {
    enum arithmetic_kind kind;
    double result;
    const struct step_term *terms; /* [count], by magnitude, the largest first; in the steps: until
                                      the next call */
    size_t count;
    double constant, divisor;
    double argument;
    double from, added; /* an argument's two parts, where a residual is added */
    struct moments moments;
    double epsilon, gain;
    size_t left;
};

/* The arithmetic of number i of a stage that is there. */
void steps_arithmetic(struct steps *steps, enum stage stage, size_t i,
                      struct arithmetic *arithmetic);

#endif
