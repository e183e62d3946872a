#include "engine.h"

#include "fail.h"

#include "headlight/model/crew.h"
#include "headlight/model/encoder.h"
#include "headlight/model/processor.h"
#include "headlight/model/processor_blas.h"
#include "headlight/model/product.h"

#include <stdlib.h>

void engine_set_threads(size_t threads)
{
    crew_set_size(threads);
    processor_blas_set_threads((int)threads);
}

const char *engine_blas(void)
{
    return processor_blas_name();
}

const char *engine_processor(void)
{
    return processor_now()->name;
}

/* What the members of one product share. */
struct product {
    const float *x;
    struct panels panels;
    struct linear linear;
    size_t outputs;
    float *y;
};

static void multiply(const struct member *member, void *context)
{
    const struct product *product = context;
    const struct panels *panels = &product->panels;
    size_t tokens = panels->tokens, first;
    while ((first = member_claim(member) * PANELS_TOKENS) < tokens)
        panels_put(panels, product->x + first * panels->inputs, panels->inputs, first,
                   tokens - first < PANELS_TOKENS ? tokens - first : PANELS_TOKENS);
    member_wait(member);
    product_linear(member, panels, &product->linear, 1, product->outputs, product->y,
                   product->outputs);
}

void engine_product(const float *x, size_t rows, size_t inputs, const float *weight,
                    const float *bias, size_t outputs, float *y)
{
    struct matrix matrix = {(const unsigned char *)weight, TENSOR_F32};
    struct product product = {.x = x, .linear = {matrix, bias}, .outputs = outputs, .y = y};
    float *memory = malloc(panels_size(rows, inputs) * sizeof *memory);
    if (!memory)
        fail("not enough memory for a matrix");
    product.panels = panels_in(memory, rows, inputs, true);
    crew_run(crew_size(), multiply, &product);
    free(memory);
}

void engine_forward(const struct session *session, struct passage *passage)
{
    struct error error;
    passage->trace->computed = (struct computed){0}; /* else nothing would be left to do */
    if (encoder_forward(session->checkpoint->model, &session->changes, session->precision, NULL,
                        passage->trace, &error) != STATUS_OK)
        fail("%s", error.message);
}
