#define _GNU_SOURCE /* RTLD_DEFAULT in glibc's dlfcn.h */

#include "headlight/tensor/kernels_blas.h"

#include <cblas.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* CBLAS itself says nothing about threads. Each library has functions of its own; they are looked
 * up by name in the running program, so that any of them can be linked. */
static bool look_up(const char *name, void *function, size_t size)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (symbol)
        memcpy(function, &symbol, size); /* ISO C has no cast from an object to a function */
    return symbol != NULL;
}

void kernels_blas_set_threads(int threads)
{
    void (*set)(int);
    void (*set_long)(long);
    if (look_up("openblas_set_num_threads", &set, sizeof set) ||
        look_up("MKL_Set_Num_Threads", &set, sizeof set))
        set(threads);
    else if (look_up("bli_thread_set_num_threads", &set_long, sizeof set_long))
        set_long(threads);
}

static void use_one_thread(void)
{
    kernels_blas_set_threads(1);
}

#define ROWS  KERNELS_ROWS_MAX
#define LANES KERNELS_LANES_MAX

static void multiply(const struct tile *tile)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, use_one_thread);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ROWS, (int)tile->columns,
                (int)tile->inputs, 1, tile->rows, (int)tile->row_stride, tile->panel,
                (int)tile->panel_step, tile->add ? 1 : 0, tile->out, (int)tile->out_stride);
}

static bool softmax(float scale, size_t columns, float *scores, float *weights)
{
    return kernels_plain.softmax(scale, columns, scores, weights);
}

static void layer_norm(const float *x, bool add, size_t columns, const float *weight,
                       const float *bias, float epsilon, float *y)
{
    kernels_plain.layer_norm(x, add, columns, weight, bias, epsilon, y);
}

static void gelu(float *x, size_t count)
{
    kernels_plain.gelu(x, count);
}

static bool all_finite(size_t count, const float *numbers)
{
    return kernels_plain.finite(count, numbers);
}

static double dot(const double *x, const float *weight, size_t count)
{
    return kernels_plain.dot(x, weight, count);
}

const struct kernels kernels_blas = {.name = "BLAS",
                                     .lanes = LANES,
                                     .rows = ROWS,
                                     .panels = 1,
                                     .tile = {multiply},
                                     .softmax = softmax,
                                     .layer_norm = layer_norm,
                                     .gelu = gelu,
                                     .finite = all_finite,
                                     .dot = dot};

const char *kernels_blas_name(void)
{
    char *(*describe)(void);
    return look_up("openblas_get_config", &describe, sizeof describe) ? describe() : "a CBLAS";
}
