#include "engine.h"

#include "fail.h"

#include "headlight/model/forward.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matmul.h"
#include "headlight/tensor/thread_pool.h"

#include <stdlib.h>

void engine_set_threads(size_t threads)
{
    pool_set_size(threads);
    kernels_blas_set_threads((int)threads);
}

const char *engine_blas(void)
{
    return kernels_blas_name();
}

const char *engine_kernels(void)
{
    return kernels_now()->name;
}

/* What the threads of one product share. */
struct product {
    const float *x;
    struct packed packed;
    struct linear linear;
    size_t outputs;
    float *y;
};

static void multiply(const struct pool_thread *thread, void *context)
{
    const struct product *product = context;
    const struct packed *x = &product->packed;
    size_t tokens = x->tokens, first;
    while ((first = pool_claim(thread) * PACK_TOKENS) < tokens)
        pack_put(x, product->x + first * x->inputs, x->inputs, first,
                 tokens - first < PACK_TOKENS ? tokens - first : PACK_TOKENS);
    pool_barrier(thread);
    matmul_linear(thread, x, &product->linear, 1, product->outputs, product->y, product->outputs);
}

void engine_product(const float *x, size_t rows, size_t inputs, const float *weight,
                    const float *bias, size_t outputs, float *y)
{
    struct matrix matrix = {(const unsigned char *)weight, TENSOR_F32};
    struct product product = {.x = x, .linear = {matrix, bias}, .outputs = outputs, .y = y};
    float *memory = malloc(pack_size(rows, inputs) * sizeof *memory);
    if (!memory)
        fail("not enough memory for a matrix");
    product.packed = pack_in(memory, rows, inputs, true);
    pool_run(pool_size(), multiply, &product);
    free(memory);
}

void engine_forward(const struct session *session, struct encoded *encoded)
{
    struct error error;
    encoded->trace->computed = (struct computed){0}; /* else nothing would be left to do */
    if (forward_run(session->checkpoint->model, &session->state.source.changes, session->precision,
                    NULL, encoded->trace, &error) != STATUS_OK)
        fail("%s", error.message);
}
