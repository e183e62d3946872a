/* kernels.h: the innermost loops, written once (src/tensor/kernels_loops.h) and compiled for each
 * kind of processor; the best that this machine can run is chosen when the first is asked for. */
#ifndef HEADLIGHT_TENSOR_KERNELS_H
#define HEADLIGHT_TENSOR_KERNELS_H

#include "headlight/tensor/safetensors.h"

#include <stdbool.h>
#include <stddef.h>

#define KERNELS_LANES_MAX   64 /* columns of a panel */
#define KERNELS_ROWS_MAX    32 /* rows of a tile */
#define KERNELS_PANELS_MAX  3  /* panels side by side in a tile */
#define KERNELS_TOKENS_MAX  8  /* that are few */
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
    const void *rows;  /* in their type; aligned if they are F32 */
    size_t row_stride; /* numbers */
    const float *panel;
    size_t panel_step, panel_apart;
    size_t inputs;
    size_t columns; /* that are wanted, at most panels·lanes; others may be computed too */
    bool fetch;     /* the rows that follow are multiplied next, and may be brought nearer */
    bool add;       /* to what is in `out` */
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
    const float *x;    /* in runs (pack.h), of dot_tokens */
    size_t inputs;
    size_t tokens; /* that are wanted */
    bool fetch;    /* as above */
    const float *base;
    float *out;
    size_t base_stride, out_stride; /* from token to token; `base` may be `out` */
};

struct kernels {
    const char *name;
    size_t lanes;  /* at most KERNELS_LANES_MAX */
    size_t rows;   /* of a tile, all of which are read and computed */
    size_t panels; /* that a tile can have, at most */
    /* By the type of the rows, for 1, 2, … panels. NULL: there is none. */
    void (*tile[TENSOR_OTHER][KERNELS_PANELS_MAX])(const struct tile *tile);

    size_t dot_tokens; /* the most that are few; 0: there are no loops for them */
    void (*dots[TENSOR_OTHER])(const struct dots *dots); /* for `rows` rows, by their type */

    /* scores = scale·scores and weights = softmax(scores), for one row. A score of -inf gives 0;
     * one at least is not. Where one is NaN or +inf, NaN are the weights. Returns whether all
     * scores are finite. */
    bool (*softmax)(float scale, size_t columns, float *scores, float *weights);

    /* y = LayerNorm(x + y), or of x alone where there is no `add`, for one row; y may be x. All of
     * it is NaN where one number is infinite or NaN, or their squares are too large for a float. */
    void (*layer_norm)(const float *x, bool add, size_t columns, const float *weight,
                       const float *bias, float epsilon, float *y);

    /* x = gelu(x), the exact one, for `count` numbers. */
    void (*gelu)(float *x, size_t count);

    /* Whether none of `count` numbers is infinite or NaN. */
    bool (*finite)(size_t count, const float *numbers);

    /* Σ x_i·weight_i in double precision, without fused multiply-adds and in one order of
     * summation: the same bits on every processor. */
    double (*dot)(const double *x, const float *weight, size_t count);
};

/* The one in use: the best, unless another was chosen. */
const struct kernels *kernels_now(void);

/* Those that this machine can run, best first; NULL past the last. */
const struct kernels *kernels_at(size_t index);

/* For tests and measurements; NULL is the best again. Not while a pass is under way. */
void kernels_choose(const struct kernels *kernels);

/* Defined where the compiler knows the instructions; to be used only where the machine has them. */
extern const struct kernels kernels_avx512, kernels_avx2, kernels_neon, kernels_plain;

/* The tiles of a BLAS, for a processor that we have no loops for, beside the rows of plain C. It is
 * opened by the first of these functions; false when there is none. */
extern const struct kernels kernels_blas;
bool kernels_blas_open(void);

/* The threads of its own that it may use, one until then. Nothing when it offers no way to say. */
void kernels_blas_set_threads(int threads);

/* It in words ("OpenBLAS 0.3.21 … Haswell", "a CBLAS"), or "none: " and why; static storage. */
const char *kernels_blas_name(void);

/* The functions between two linear layers, as configurations and formulas call them. */
#define ACTIVATIONS(ROW)                                                                           \
    ROW(GELU, "gelu", "GELU")         /* x·Φ(x), with erf */                                     \
    ROW(GELU_NEW, "gelu_new", "GELU") /* the tanh approximation of GPT-2 */                        \
    ROW(RELU, "relu", "ReLU")
#define ACTIVATION_CONSTANT(name, configured, shown)   ACTIVATION_##name,
#define ACTIVATION_CONFIGURED(name, configured, shown) configured,
#define ACTIVATION_SHOWN(name, configured, shown)      shown,

enum activation { ACTIVATIONS(ACTIVATION_CONSTANT) };

/* For `count` numbers in place. */
void activation_apply(enum activation activation, float *x, size_t count);

/* Of one number, in double precision. */
double activation_of(enum activation activation, double x);

#endif
