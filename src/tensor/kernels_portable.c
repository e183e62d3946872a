/* kernels_portable.c: any processor, with no instruction beyond what the compiler may use
 * anyway. Products come from a BLAS if one is found: OpenBLAS has loops for many processors. */

#include "headlight/base/system.h"
#include "headlight/tensor/matrix.h"

#include <stdint.h>
#include <string.h>

/* ---- Widening ----------------------------------------------------------------------------- */

static inline float float_of_bits(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint32_t bits_of_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* All ones if the condition holds, else zero. */
static inline uint32_t bits_mask(int condition)
{
    return 0u - (uint32_t)(condition != 0);
}

/* The loops below process blocks of this constant size, on aligned copies that cannot overlap,
 * so that compilers vectorise them at -O2. */
#define BLOCK 32

/* IEEE 754 binary16 has 1 sign, 5 exponent (bias 15) and 10 fraction bits; binary32 has 1, 8 (bias
 * 127) and 23. With s = h << 13, minus the sign, the fraction is in place and the exponent lacks
 * 127 - 15 = 112. Two exponents are special:
 *
 *     31 (infinity, NaN)       must become 255 = 31 + 112 + 112
 *      0 (zero, subnormal)     the value is fraction·2^-24 = (2^-14 + fraction·2^-24) - 2^-14: give
 *                              it the exponent 113 of 2^-14, and subtract 2^-14 as floats, exactly
 *
 * After Fabian Giesen 2012, "Half to float done quic", without branches. */
static void widen_block_f16(const uint16_t *restrict halves, float *restrict numbers)
{
    const uint32_t rebias = (uint32_t)112 << 23;
    for (int i = 0; i < BLOCK; i++) {
        uint32_t half = halves[i];
        uint32_t s = (half & 0x7FFF) << 13;
        uint32_t if_special = bits_mask((half & 0x7C00) == 0x7C00);
        uint32_t if_small = bits_mask((half & 0x7C00) == 0);
        uint32_t normal = s + rebias + (if_special & rebias);
        uint32_t small = bits_of_float(float_of_bits(s + ((uint32_t)113 << 23)) - 0x1p-14f);
        numbers[i] =
            float_of_bits((small & if_small) | (normal & ~if_small) | (half & 0x8000) << 16);
    }
}

/* bfloat16 is the upper half of a binary32. */
static void widen_block_bf16(const uint16_t *restrict halves, float *restrict numbers)
{
    for (int i = 0; i < BLOCK; i++)
        numbers[i] = float_of_bits((uint32_t)halves[i] << 16);
}

static void widen(const unsigned char *halves, size_t count, float *numbers,
                  void (*block)(const uint16_t *restrict, float *restrict))
{
    uint16_t in[BLOCK] = {0};
    float out[BLOCK];
    size_t whole = count - count % BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK) {
        memcpy(in, halves + i * sizeof *in, sizeof in);
        block(in, numbers + i);
    }
    if (whole == count)
        return;
    memcpy(in, halves + whole * sizeof *in, (count - whole) * sizeof *in);
    block(in, out);
    memcpy(numbers + whole, out, (count - whole) * sizeof *out);
}

void widen_f16_portable(const unsigned char *halves, size_t count, float *numbers)
{
    widen(halves, count, numbers, widen_block_f16);
}

void widen_bf16(const unsigned char *halves, size_t count, float *numbers)
{
    widen(halves, count, numbers, widen_block_bf16);
}

/* ---- Loops ---- */

#define TARGET
#define LANES      4
#define DOT_SUMS   8
#define DOT_TOKENS 4
#define WIDE_ROWS  4
#define WIDEN_F16  widen_f16_portable

typedef float vector __attribute__((vector_size(4 * LANES)));

static inline __attribute__((always_inline)) vector fused(vector a, vector b, vector c)
{
    return a * b + c;
}

/* Without instructions for it, number by number; rows of tiles are widened this way. */
static inline vector vector_of_f16(const unsigned char *from)
{
    float numbers[LANES];
    vector v;
    widen_f16_portable(from, LANES, numbers);
    memcpy(&v, numbers, sizeof v);
    return v;
}

/* The upper half of each float (matrix.c). */
static inline vector vector_of_bf16(const unsigned char *from)
{
    uint16_t half __attribute__((vector_size(2 * LANES)));
    memcpy(&half, from, sizeof half);
    return (vector)(__builtin_convertvector(half, uint32_t __attribute__((vector_size(4 * LANES))))
                    << 16);
}

#include "kernels_loops.h"

#include <cblas.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

const struct kernels kernels_plain = {.name = "plain C", TILE_LOOPS, ROW_LOOPS};

/* ---- The BLAS ----------------------------------------------------------------------------- */

static void *library;
static __typeof__(cblas_sgemm) *sgemm; /* NULL: could not be opened, see `obstacle` */
static char obstacle[512];             /* as this says */

/* CBLAS has no interface for threads; each library has functions of its own. */
static bool look_up(const char *name, void *function, size_t size)
{
    void *symbol = library ? dlsym(library, name) : NULL;
    if (symbol)
        memcpy(function, &symbol,
               size); /* ISO C has no cast from an object pointer to a function pointer */
    return symbol != NULL;
}

/* Any of the libraries that distributions install under the name of a CBLAS. */
static void set_threads(int threads)
{
    void (*set)(int);
    void (*set_long)(long);
    if (look_up("openblas_set_num_threads", &set, sizeof set) ||
        look_up("MKL_Set_Num_Threads", &set, sizeof set))
        set(threads);
    else if (look_up("bli_thread_set_num_threads", &set_long, sizeof set_long))
        set_long(threads);
}

/* If the Makefile knows the library's name, the program isn't linked with it: loading takes
 * time, and it starts threads before main. Several threads multiply tiles at once, so OpenBLAS
 * needs no threads of its own, and is told so before it starts any. It is not opened under a
 * limit of the address space: OpenBLAS retries the allocation of its buffers forever. */
static void open_library(void)
{
    if (system_address_space() < SIZE_MAX) {
        snprintf(obstacle, sizeof obstacle, "none: not opened where ulimit -v bounds the memory");
        return;
    }
#ifdef BLAS_LIBRARY
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    library = dlopen(BLAS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library || !look_up("cblas_sgemm", &sgemm, sizeof sgemm)) {
        const char *why = dlerror();
        snprintf(obstacle, sizeof obstacle, "none: %s", why ? why : "can't be opened");
        return;
    }
#else
    library = dlopen(NULL, RTLD_NOW);
    sgemm = cblas_sgemm;
#endif
    set_threads(1);
}

bool kernels_blas_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    return sgemm != NULL;
}

void kernels_blas_set_threads(int threads)
{
    if (kernels_blas_open())
        set_threads(threads);
}

const char *kernels_blas_name(void)
{
    char *(*describe)(void);
    if (!kernels_blas_open())
        return obstacle;
    return look_up("openblas_get_config", &describe, sizeof describe) ? describe() : "a CBLAS";
}

/* A tile as a BLAS knows it: C = A·B, or C += A·B. */
static void multiply_by_blas(const struct tile *tile)
{
    sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, KERNELS_ROWS_MAX, (int)tile->columns,
          (int)tile->inputs, 1, tile->rows, (int)tile->row_stride, tile->panel,
          (int)tile->panel_step, tile->add ? 1 : 0, tile->out, (int)tile->out_stride);
}

const struct kernels kernels_blas = {.name = "BLAS",
                                     .lanes = KERNELS_LANES_MAX,
                                     .rows = KERNELS_ROWS_MAX,
                                     .panels = 1,
                                     .tile = {[TENSOR_F32] = {multiply_by_blas}},
                                     ROW_LOOPS};
