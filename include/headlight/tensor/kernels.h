/* kernels.h: the innermost loops, written once (src/tensor/kernels_loops.h) and compiled for
 * each kind of processor; the best ones that this machine can run are chosen on first use. */
#pragma once

#include "headlight/tensor/safetensors.h"

#define KERNELS_LANES_MAX   64 /* columns of a panel */
#define KERNELS_ROWS_MAX    32 /* rows of a tile */
#define KERNELS_ONE         16 /* rows multiplied with one token */
#define KERNELS_PANELS_MAX  3  /* panels side by side in a tile */
#define KERNELS_TOKENS_MAX  8  /* the most that count as few */
#define KERNELS_COLUMNS_MAX 64 /* columns of a tile: panels times lanes */

/* A tile is a small piece of a product, as large as the registers hold:
 *
 *     out[r][c] = Σ_k rows[r][k]·panel[k][c], or out[r][c] += …
 *
 * Each of its rows is read where it lies, its inputs one after another. The columns lie beside each
 * other in panels of `lanes` numbers: column c = v·lanes + j of input k is at
 * panel[v·panel_apart + k·panel_step + j]. So W [outputs,inputs] is used as a checkpoint stores it,
 * and the tokens, which are few, are what is rearranged. */
struct tile {
    const void *rows;  /* in their type; aligned if F32 */
    size_t row_stride; /* numbers */
    const float *panel;
    size_t panel_step, panel_apart;
    size_t inputs;
    size_t columns; /* needed, at most panels·lanes; others may be computed too */
    bool fetch;     /* prefetch the rows that follow */
    bool add;       /* to `out` */
    float *out;     /* row r, panel v: out[r·out_stride + v·out_apart …] */
    size_t out_stride, out_apart;
};

/* The same for so few tokens that it takes longest to read the rows:
 *
 *     out[t][r] = base[t][r] + Σ_k x[t][k]·rows[r][k]
 *
 * A vector holds several inputs of one row, widened as they are loaded, and is multiplied with each
 * token's: no weight has to be put into all lanes by itself. */
struct dots {
    const void *rows;  /* in their type, perhaps unaligned */
    size_t row_stride; /* numbers */
    const float *x;    /* in runs (pack.h) */
    size_t inputs;
    size_t tokens; /* needed */
    bool fetch;    /* as above */
    const float *base;
    float *out;
    size_t base_stride, out_stride; /* from token to token; `base` may be `out` */
};

/* The bits of all kernels with fused multiply-add, whatever the processor. Those without compute
 * other last bits, which have their name. */
#define KERNELS_SAME_BITS "fused multiply-add"

struct kernels {
    const char *name, *bits;
    size_t lanes;  /* at most KERNELS_LANES_MAX */
    size_t rows;   /* of a tile, all of which are computed */
    size_t panels; /* maximum per tile */
    /* By the type of the rows, for 1, 2, … panels. NULL: none. */
    void (*tile[TENSOR_OTHER][KERNELS_PANELS_MAX])(const struct tile *tile);

    /* For one token: out[r] = Σ_k rows[r][k]·panel[k] for KERNELS_ONE rows, perhaps unaligned, by
     * their type. NULL: none. */
    void (*one[TENSOR_OTHER])(const struct tile *tile);

    /* For at most KERNELS_TOKENS_MAX tokens and `rows` rows, by their type. NULL: none. */
    void (*dots[TENSOR_OTHER])(const struct dots *dots);

    /* scores = scale·scores and weights = softmax(scores), for one row. A score of -inf gives 0;
     * at least one must be larger. If one is NaN or +inf, the weights are NaN. Returns whether
     * all scores are finite. */
    bool (*softmax)(float scale, size_t columns, float *scores, float *weights);

    /* y = LayerNorm(x + y), or of x alone without `add`, for one row; y may be x. Without a bias,
     * RMSNorm. The result is all NaN if a number is infinite or NaN, or the squares overflow a
     * float. */
    void (*layer_norm)(const float *x, bool add, size_t columns, const float *weight,
                       const float *bias, float epsilon, float *y);

    /* x = gelu(x), the exact one, or one of the others, for `count` numbers. */
    void (*gelu)(float *x, size_t count);
    void (*gelu_new)(float *x, size_t count);
    void (*silu)(float *x, size_t count);

    /* Whether none of `count` numbers is infinite or NaN. */
    bool (*finite)(size_t count, const float *numbers);

    /* The same as widen_bf16 of matrix.h. */
    void (*widen_f16)(const unsigned char *halves, size_t count, float *numbers);

    /* Σ x_i·weight_i in double precision, without fused multiply-adds and in a fixed order. */
    double (*dot)(const double *x, const float *weight, size_t count);
};

/* The kernels in use: the best ones unless others were chosen. */
const struct kernels *kernels_now(void);

/* The kernels that this machine can run, best first; NULL past the last. */
const struct kernels *kernels_at(size_t index);

/* For tests and benchmarks; NULL selects the best again. Not during a pass. */
void kernels_choose(const struct kernels *kernels);

/* Defined if the compiler knows the instructions; use them only if the machine has them. */
extern const struct kernels kernels_avx512, kernels_avx2, kernels_neon, kernels_plain;

/* Tiles from a BLAS, for processors without loops of our own, with row functions in plain C. It
 * is opened by the first of these functions; false when there is none. */
extern const struct kernels kernels_blas;
bool kernels_blas_open(void);

/* Activation functions, as named in configurations and in formulas. */
#define ACTIVATIONS(ROW)                                                                           \
    ROW(GELU, "gelu", "GELU")         /* x·Φ(x), with erf */                                     \
    ROW(GELU_NEW, "gelu_new", "GELU") /* the tanh approximation of GPT-2 */                        \
    ROW(RELU, "relu", "ReLU")                                                                      \
    ROW(SILU, "silu", "SiLU") /* x·σ(x), also called swish */                                    \
    ROW(TANH, "tanh", "tanh") /* NaN of what is not finite, which it would hide */
#define ACTIVATION_CONSTANT(name, configured, shown)   ACTIVATION_##name,
#define ACTIVATION_CONFIGURED(name, configured, shown) configured,
#define ACTIVATION_SHOWN(name, configured, shown)      shown,

enum activation { ACTIVATIONS(ACTIVATION_CONSTANT) };

/* For `count` numbers in place. */
void activation_apply(enum activation activation, float *x, size_t count);

/* Of one number, in double precision. */
double activation_of(enum activation activation, double x);
