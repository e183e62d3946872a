/* kernels_portable.c: any processor, with no instruction beyond what the compiler may use
 * anyway. Products come from a BLAS if one is found: OpenBLAS has loops for many processors. */
#include "headlight/base/system.h"
#include "headlight/tensor/matrix.h"

#include <string.h>

/* ---- Loops ---- */

#define TARGET
#define LANES       4
#define DOT_VECTORS 16
#define WIDE_ROWS   4

typedef float vector __attribute__((vector_size(4 * LANES)));

/* Without such an instruction it is rounded twice, and the bits are not those of other processors.
 */
static inline __attribute__((always_inline)) TARGET vector fused(vector a, vector b, vector c)
{
#ifdef __FP_FAST_FMAF
    for (int j = 0; j < LANES; j++)
        c[j] = __builtin_fmaf(a[j], b[j], c[j]);
    return c;
#else
    return a * b + c;
#endif
}

/* IEEE 754 binary16 has 1 sign, 5 exponent (bias 15) and 10 fraction bits; binary32 has 1, 8 (bias
 * 127) and 23. Exponent and fraction, shifted to where a float has them, are the number divided by
 * 2^112, exactly, subnormal ones too. Infinity and NaN get the largest exponent. */
static inline vector vector_of_f16(const unsigned char *from)
{
    typedef uint32_t bits __attribute__((vector_size(4 * LANES)));
    uint16_t half __attribute__((vector_size(2 * LANES)));
    memcpy(&half, from, sizeof half);
    const bits all = __builtin_convertvector(half, bits), size = (all & 0x7FFF) << 13;
    const bits special = (bits)(size >= 0x0F800000) & 0x7F800000;
    return (vector)((bits)((vector)size * 0x1p112F) | special | (all & 0x8000) << 16);
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

void widen_bf16(const unsigned char *halves, size_t count, float *numbers)
{
    widen_halves(halves, count, numbers, TENSOR_BF16);
}

#ifdef __FP_FAST_FMAF
#define PLAIN_BITS KERNELS_SAME_BITS
#else
#define PLAIN_BITS "plain C"
#endif

const struct kernels kernels_plain = {.name = "plain C", .bits = PLAIN_BITS, TILE_LOOPS, ROW_LOOPS};

#ifdef HEADLIGHT_NO_BLAS

/* make BLAS=none. */
const struct kernels kernels_blas = {.name = "none"};

bool kernels_blas_open(void)
{
    return false;
}

#else

#include <cblas.h>
#include <dlfcn.h>
#include <stdlib.h>

/* ---- The BLAS ----------------------------------------------------------------------------- */

static __typeof__(cblas_sgemm) *sgemm; /* NULL: could not be opened */

static bool look_up(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    if (symbol)
        memcpy(function, &symbol,
               size); /* ISO C has no cast from an object pointer to a function pointer */
    return symbol != NULL;
}

/* If the Makefile knows the library's name, the program isn't linked with it: loading takes
 * time, and it starts threads before main. Several threads multiply tiles at once, so OpenBLAS
 * needs no threads of its own, and is told so before it starts any; CBLAS has no interface for
 * that, each library that distributions install under its name has a function of its own. It is not
 * opened under a limit of the address space: OpenBLAS retries the allocation of its buffers
 * forever. */
static void open_library(void)
{
    void *library = NULL;
    void (*set)(int);
    void (*set_long)(long);
    if (system_address_space() < SIZE_MAX)
        return;
#ifdef BLAS_LIBRARY
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    library = dlopen(BLAS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library || !look_up(library, "cblas_sgemm", &sgemm, sizeof sgemm))
        return;
#else
    library = dlopen(NULL, RTLD_NOW);
    sgemm = cblas_sgemm;
    if (!library)
        return;
#endif
    if (look_up(library, "openblas_set_num_threads", &set, sizeof set) ||
        look_up(library, "MKL_Set_Num_Threads", &set, sizeof set))
        set(1);
    else if (look_up(library, "bli_thread_set_num_threads", &set_long, sizeof set_long))
        set_long(1);
}

bool kernels_blas_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    return sgemm != NULL;
}

/* A tile as a BLAS knows it: C = A·B, or C += A·B. */
static void multiply_by_blas(const struct tile *tile)
{
    sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, KERNELS_ROWS_MAX, (int)tile->columns,
          (int)tile->inputs, 1, tile->rows, (int)tile->row_stride, tile->panel,
          (int)tile->panel_step, tile->add ? 1 : 0, tile->out, (int)tile->out_stride);
}

const struct kernels kernels_blas = {.name = "BLAS",
                                     .bits = "BLAS",
                                     .lanes = KERNELS_LANES_MAX,
                                     .rows = KERNELS_ROWS_MAX,
                                     .panels = 1,
                                     .tile = {[TENSOR_F32] = {multiply_by_blas}},
                                     ROW_LOOPS};

#endif
