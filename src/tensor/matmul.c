/* matmul.c: shares a product among the threads of a pass. Weights are read where they lie in the
 * file, once each; the packed tokens stay in the cache meanwhile. A text is short and a matrix is
 * large, so the time goes into reading weights: with few tokens memory is the limit, with many the
 * multiply-adds, and each case has loops of its own. */
#include "headlight/tensor/matmul.h"

#include "headlight/base/size.h"

#include <string.h>

/* The most inputs multiplied at a time: the rows of a tile, 32 KB, stay in the L1 cache. With few
 * tokens it is those that stay, 24 KB of them: rows are read only once, in runs as long as this
 * allows. */
#define INPUTS_AT_ONCE 1024
#define INPUTS_OF_FEW  768
/* The amount of panels multiplied with some rows before the next panels: half of a small L2
 * cache. */
#define NUMBERS_AT_ONCE 98304
/* The number of outputs written to rows of y together, one cache line: the rows are far apart,
 * and a line written in two steps would usually be fetched twice. */
#define OUTPUTS_PUT 16
/* The number of outputs multiplied with all panels before the next ones. */
#define OUTPUTS_AT_ONCE 64

/* ---- Linear layers ------------------------------------------------------------------------ */

/* One linear layer as one thread processes it. */
struct job {
    const struct kernels *kernels;
    const struct packed *x;
    const struct linear *linear;
    size_t outputs;
    float *y; /* rows [tokens, …], or NULL: */
    size_t y_stride;
    const struct packed *packed; /* y */
    enum activation activation;
};

/* Some outputs, of one or more tiles of rows, for some of their inputs. */
struct strip {
    size_t output, outputs; /* the first, and their number */
    size_t rows;            /* of the tiles: the outputs, rounded up to whole tiles */
    size_t input, inputs;
    const void *weights; /* of all rows of a tile, zero-padded */
    enum tensor_type type;
    size_t stride;
    bool in_place; /* they are read straight from the checkpoint */
};

/* Weights that are not used in place, of one thread: 128 KB, which is all of a small stack. */
static _Thread_local _Alignas(64) float copy[KERNELS_ROWS_MAX * INPUTS_AT_ONCE];

/* The weights of a strip: in place, or widened and zero-padded to whole tiles in `copy`, while
 * those of the next strip are prefetched. */
static void find_weights(const struct job *job, struct strip *strip)
{
    const struct matrix *weight = &job->linear->weight;
    const size_t inputs = job->x->inputs, rows = job->kernels->rows;
    size_t first = strip->output * inputs + strip->input;
    strip->weights = matrix_at(weight, first);
    strip->type = weight->type;
    strip->stride = inputs;
    strip->rows = (strip->outputs + rows - 1) / rows * rows;
    strip->in_place =
        strip->outputs == strip->rows &&
        (weight->type == TENSOR_F32 && !job->x->runs ? matrix_floats(weight, 0) != NULL
                                                     : job->kernels->tile[weight->type][0] != NULL);
    if (strip->in_place)
        return;
    for (size_t r = 0; r < strip->outputs; r++) {
        matrix_fetch(weight, first + (strip->rows + r) * inputs, strip->inputs);
        matrix_numbers(weight, first + r * inputs, strip->inputs, copy + r * strip->inputs);
    }
    strip->weights = copy;
    strip->type = TENSOR_F32;
    strip->stride = strip->inputs;
    memset(copy + strip->outputs * strip->stride, 0,
           (strip->rows - strip->outputs) * strip->stride * sizeof *copy);
}

/* y = base + sums, for the outputs of a strip, where y may be the base. */
static void add_sums(const float *base, const float *sums, size_t count, float *y)
{
    enum { EIGHT = 8 }; /* whole tiles, in vector registers */
    float some[EIGHT];
    for (; count >= EIGHT; count -= EIGHT, base += EIGHT, sums += EIGHT, y += EIGHT) {
        memcpy(some, base, sizeof some);
        for (int r = 0; r < EIGHT; r++)
            some[r] += sums[r];
        memcpy(y, some, sizeof some);
    }
    for (size_t r = 0; r < count; r++)
        y[r] = base[r] + sums[r];
}

/* How many inputs to multiply at a time: equal parts of all, of whole runs. */
static size_t part_of_inputs(const struct packed *x)
{
    const size_t most = x->runs ? INPUTS_OF_FEW : INPUTS_AT_ONCE;
    const size_t parts = (x->inputs + most - 1) / most, part = (x->inputs + parts - 1) / parts;
    return (part + PACK_RUN - 1) / PACK_RUN * PACK_RUN;
}

/* ---- One token ---------------------------------------------------------------------------- */

/* The outputs first … end - 1, sixteen of them at a time, as far apart as there are others between:
 * the rows are so many streams, each read from end to end, which processors prefetch better than
 * rows that begin close to each other. Sums of many inputs are added part by part, as tiles'. */
static void multiply_alone(const struct job *job, size_t first, size_t end)
{
    float sums[KERNELS_ONE];
    const struct matrix *weight = &job->linear->weight;
    const size_t inputs = job->x->inputs, part = part_of_inputs(job->x);
    const size_t rows = end - first < KERNELS_ONE ? 1 : KERNELS_ONE, apart = (end - first) / rows;
    float *y = job->y ? job->y : job->packed->numbers;
    for (size_t output = first; output < first + apart; output++)
        for (size_t input = 0; input < inputs; input += part) {
            const float *base = input == 0 ? job->linear->bias : y;
            const struct tile tile = {.rows = matrix_at(weight, output * inputs + input),
                                      .row_stride = rows > 1 ? apart * inputs : 0,
                                      .panel = job->x->numbers + input,
                                      .inputs = size_min(inputs - input, part),
                                      .out = sums};
            job->kernels->one[weight->type](&tile);
            for (size_t r = 0, at = output; r < rows; r++, at += apart)
                y[at] = base[at] + sums[r];
        }
    if (job->packed)
        activation_apply(job->activation, y + first, end - first);
}

/* ---- Few tokens ---------------------------------------------------------------------------- */

/* y, or a partial sum of it, for a strip and some tokens: the bias and the first inputs' sums, then
 * the others' on top. Padding rows of the last strip only reach `sums`. */
static void multiply_few(const struct job *job, const struct strip *strip, size_t panel)
{
    static const float zeros[KERNELS_ROWS_MAX];
    float sums[KERNELS_TOKENS_MAX * KERNELS_ROWS_MAX];
    const struct packed *x = job->x;
    const size_t rows = job->kernels->rows, y_stride = job->y ? job->y_stride : PACK_RUN;
    const size_t first = panel * x->width, tokens = size_min(x->tokens - first, x->width);
    float *y = job->y ? job->y + first * y_stride + strip->output
                      : pack_at(job->packed, panel, strip->output);
    const float *base = strip->input == 0 ? job->linear->bias + strip->output : y;
    const size_t base_stride = strip->input == 0 ? 0 : y_stride;
    const bool whole = strip->outputs == rows;
    struct dots dots = {.rows = strip->weights,
                        .row_stride = strip->stride,
                        .x = pack_at(x, panel, strip->input),
                        .inputs = strip->inputs,
                        .tokens = tokens,
                        .fetch = strip->in_place,
                        .base = whole ? base : zeros,
                        .out = whole ? y : sums,
                        .base_stride = whole ? base_stride : 0,
                        .out_stride = whole ? y_stride : rows};
    job->kernels->dots[strip->type](&dots);
    for (size_t t = 0; !whole && t < tokens; t++)
        add_sums(base + t * base_stride, sums + t * rows, strip->outputs, y + t * y_stride);
}

/* ---- Many tokens --------------------------------------------------------------------------- */

/* From a tile to the rows of y: the bias and the first inputs' sums, then the others' on top. */
static void put_rows(const struct job *job, const struct strip *strip, const float *out,
                     size_t out_stride, size_t first_token, size_t columns)
{
    static _Thread_local float transposed[KERNELS_COLUMNS_MAX * KERNELS_ROWS_MAX];
    const size_t rows = strip->rows;
    const float *bias = job->linear->bias + strip->output;
    transpose(out, out_stride, rows, columns, transposed, rows);
    for (size_t t = 0; t < columns; t++) {
        float *y = job->y + (first_token + t) * job->y_stride + strip->output;
        add_sums(strip->input == 0 ? bias : y, transposed + t * rows, strip->outputs, y);
    }
}

/* From a tile to y's panels, if some of its rows are padding. */
static void put_panels(const struct job *job, const struct strip *strip, const float *out,
                       size_t out_stride, size_t first_panel, size_t count)
{
    const struct packed *y = job->packed;
    for (size_t v = 0; v < count; v++)
        for (size_t r = 0; r < strip->outputs; r++) {
            const float *from = out + r * out_stride + v * y->width;
            float *to = pack_at(y, first_panel + v, strip->output + r);
            for (size_t j = 0; j < y->width; j++)
                to[j] = (strip->input > 0 ? to[j] : 0) + from[j];
        }
}

/* Called when all sums are in y's panels. */
static void finish_panels(const struct job *job, const struct strip *strip, size_t first_panel,
                          size_t count)
{
    const struct packed *y = job->packed;
    const float *bias = job->linear->bias + strip->output;
    for (size_t v = 0; v < count; v++) {
        float *numbers = pack_at(y, first_panel + v, strip->output);
        for (size_t r = 0; r < strip->outputs; r++)
            for (size_t i = r * y->width; i < (r + 1) * y->width; i += 4) {
                float some[4]; /* in a vector register: a width is a multiple of four */
                memcpy(some, numbers + i, sizeof some);
                for (int j = 0; j < 4; j++)
                    some[j] += bias[r];
                memcpy(numbers + i, some, sizeof some);
            }
        activation_apply(job->activation, numbers, strip->outputs * y->width);
    }
}

/* A strip for the panels first … first + count - 1, at most as many as a tile has. Tiles write
 * whole panels themselves. */
static void multiply(const struct job *job, const struct strip *strip, size_t first, size_t count)
{
    _Alignas(64) float out[KERNELS_ROWS_MAX * KERNELS_COLUMNS_MAX];
    const struct kernels *kernels = job->kernels;
    const struct packed *x = job->x, *y = job->packed;
    const bool direct = y && strip->outputs == strip->rows;
    const size_t tokens = size_min(x->tokens - first * x->width, count * x->width);
    struct tile tile = {.rows = strip->weights,
                        .row_stride = strip->stride,
                        .panel = pack_at(x, first, strip->input),
                        .panel_step = kernels->lanes,
                        .panel_apart = x->inputs * x->width,
                        .inputs = strip->inputs,
                        .columns = tokens,
                        .fetch = strip->in_place,
                        .out = out,
                        .out_stride = kernels->panels * kernels->lanes,
                        .out_apart = x->width};
    for (size_t t = 0; job->y && t < tokens; t++) /* will be written to soon */
        __builtin_prefetch(job->y + (first * x->width + t) * job->y_stride + strip->output, 1);
    if (direct) {
        tile.out = pack_at(y, first, strip->output);
        tile.out_stride = y->width;
        tile.out_apart = y->inputs * y->width;
        tile.add = strip->input > 0;
    }
    for (size_t r = 0; r < strip->rows; r += kernels->rows) {
        kernels->tile[strip->type][count - 1](&tile);
        tile.rows = (const unsigned char *)tile.rows +
                    kernels->rows * strip->stride * (strip->type == TENSOR_F32 ? 4 : 2);
        tile.out += kernels->rows * tile.out_stride;
    }
    if (job->y)
        put_rows(job, strip, out, tile.out_stride, first * x->width, tokens);
    else if (!direct)
        put_panels(job, strip, out, tile.out_stride, first, count);
    if (y && strip->input + strip->inputs == x->inputs)
        finish_panels(job, strip, first, count);
}

/* Some inputs of the outputs first … end - 1, for the panels first_panel … end_panel - 1. */
static void multiply_block(const struct job *job, struct strip strip, size_t end,
                           size_t first_panel, size_t end_panel)
{
    const size_t rows = job->kernels->rows, most = job->kernels->panels;
    const size_t outputs = job->x->runs ? rows : size_max(rows, OUTPUTS_PUT);
    for (; strip.output < end; strip.output += outputs) {
        strip.outputs = size_min(end - strip.output, outputs);
        find_weights(job, &strip);
        for (size_t panel = first_panel; job->x->runs && panel < end_panel; panel++)
            multiply_few(job, &strip, panel);
        for (size_t panel = first_panel; !job->x->runs && panel < end_panel; panel += most)
            multiply(job, &strip, panel, size_min(end_panel - panel, most));
    }
}

/* The outputs first … end - 1, a moderate number, for all tokens. In runs they are activated once
 * all sums are there; the first run has only these outputs. */
static void multiply_outputs(const struct job *job, size_t first, size_t end)
{
    const size_t inputs = job->x->inputs, width = job->x->width, part = part_of_inputs(job->x);
    const size_t panels = (job->x->tokens + width - 1) / width;
    for (size_t input = 0; input < inputs; input += part) {
        struct strip strip = {.output = first, .input = input};
        strip.inputs = size_min(inputs - input, part);
        const size_t some = size_max(NUMBERS_AT_ONCE / (strip.inputs * width), 1);
        for (size_t panel = 0; panel < panels; panel += some)
            multiply_block(job, strip, end, panel, size_min(panel + some, panels));
    }
    const struct packed *y = job->packed;
    const size_t whole = end - end % PACK_RUN, tokens = job->x->runs && y ? y->tokens : 0;
    for (size_t t = 0; t < tokens; t += y->width)
        activation_apply(job->activation, pack_at(y, t / y->width, first),
                         (whole - first) * y->width);
    for (size_t t = 0; whole < end && t < tokens; t++)
        activation_apply(job->activation, pack_at(y, t / y->width, whole) + t % y->width * PACK_RUN,
                         end - whole);
}

/* A claim's outputs are half of an equal share of what is left, in whole tiles but for the last. So
 * most weights are read in long runs, and all threads finish at about the same time. The large
 * claims of all parts come before the smaller ones. */
static void go_through(const struct pool_thread *thread, struct job job, size_t parts)
{
    const struct linear *linear = job.linear;
    float *y = job.y;
    const size_t tile = size_max(job.kernels->rows, PACK_RUN);
    size_t next = 0, first = 0, end = 0; /* the outputs of the claim before `next` of a part */
    for (;;) {
        const size_t claim = pool_claim(thread), part = claim % parts;
        for (; next <= claim / parts && end < job.outputs; next++) {
            const size_t left = job.outputs - end;
            first = end;
            end += size_min(size_max(left / (2 * thread->count) / tile * tile, tile), left);
        }
        if (next <= claim / parts)
            break;
        job.linear = &linear[part];
        job.y = y ? y + part * job.outputs : NULL;
        const bool alone = job.x->width == 1;
        const size_t most = job.x->runs || alone ? job.outputs : OUTPUTS_AT_ONCE;
        for (size_t output = first; output < end; output += most)
            (alone ? multiply_alone : multiply_outputs)(&job, output, size_min(output + most, end));
    }
    pool_barrier(thread);
}

/* ---- For all threads ---------------------------------------------------------------------- */

/* Claims take the parts in turn, so that query, key and value are finished together. */
void matmul_linear(const struct pool_thread *thread, const struct packed *x,
                   const struct linear *parts, size_t part_count, size_t outputs, float *y,
                   size_t y_stride)
{
    struct job job = {.kernels = kernels_now(),
                      .x = x,
                      .linear = parts,
                      .outputs = outputs,
                      .y = y,
                      .y_stride = y_stride};
    go_through(thread, job, part_count);
}

void matmul_activated(const struct pool_thread *thread, const struct packed *x,
                      const struct linear *linear, enum activation activation,
                      const struct packed *y)
{
    struct job job = {.kernels = kernels_now(),
                      .x = x,
                      .linear = linear,
                      .outputs = y->inputs,
                      .packed = y,
                      .activation = activation};
    go_through(thread, job, 1);
}

/* ---- Attention ---------------------------------------------------------------------------- */

/* For matrices that are small compared with a checkpoint's: no blocking, one thread. `of` gives the
 * start and layout of rows and columns; copied as a whole just after it was written, it would hold
 * the processor up until all of it is in the cache. */
static void multiply_tile(const struct kernels *kernels, const struct tile *of, size_t rows,
                          size_t panels, float *out, size_t out_stride)
{
    _Alignas(64) float sums[KERNELS_ROWS_MAX * KERNELS_COLUMNS_MAX];
    const size_t lanes = kernels->lanes;
    const bool whole = rows == kernels->rows && of->columns == panels * lanes;
    const float *from = of->rows;
    struct tile tile = {.row_stride = of->row_stride,
                        .panel_step = of->panel_step,
                        .panel_apart = of->panel_apart,
                        .columns = of->columns,
                        .out = whole ? out : sums,
                        .out_stride = whole ? out_stride : kernels->panels * lanes,
                        .out_apart = lanes};
    for (size_t k = 0; k < of->inputs; k += INPUTS_AT_ONCE) {
        tile.inputs = size_min(of->inputs - k, INPUTS_AT_ONCE);
        tile.panel = of->panel + k * tile.panel_step;
        tile.rows = from + k;
        tile.add = k > 0;
        if (rows < kernels->rows) {
            memset(copy, 0, kernels->rows * tile.inputs * sizeof *copy);
            for (size_t r = 0; r < rows; r++)
                memcpy(copy + r * tile.inputs, from + r * of->row_stride + k,
                       tile.inputs * sizeof *copy);
            tile.rows = copy;
            tile.row_stride = tile.inputs;
        }
        kernels->tile[TENSOR_F32][panels - 1](&tile);
    }
    for (size_t r = 0; !whole && r < rows; r++)
        memcpy(out + r * out_stride, sums + r * tile.out_stride, tile.columns * sizeof *out);
}

/* Over the rows first: a few rows of scores are then written from end to end, which the processor
 * sees coming. */
static void multiply_all(struct tile tile, size_t rows, size_t columns, float *out,
                         size_t out_stride)
{
    const struct kernels *kernels = kernels_now();
    const size_t most = kernels->panels * kernels->lanes, stride = tile.row_stride;
    const float *panel = tile.panel, *from = tile.rows;
    for (size_t r = 0; r < rows; r += kernels->rows) {
        tile.rows = from + r * stride;
        for (size_t c = 0; c < columns; c += most) {
            tile.columns = size_min(columns - c, most);
            tile.panel = panel + c / kernels->lanes * tile.panel_apart;
            size_t panels = (tile.columns + kernels->lanes - 1) / kernels->lanes;
            multiply_tile(kernels, &tile, size_min(rows - r, kernels->rows), panels,
                          out + r * out_stride + c, out_stride);
        }
    }
}

/* Queries times keys. */
void matmul_packed(const float *rows, size_t row_stride, size_t count, const struct packed *packed,
                   float *out, size_t out_stride)
{
    struct tile tile = {.rows = rows,
                        .row_stride = row_stride,
                        .panel = packed->numbers,
                        .panel_step = packed->width,
                        .panel_apart = packed->inputs * packed->width,
                        .inputs = packed->inputs};
    multiply_all(tile, count, packed->tokens, out, out_stride);
}

/* Weights times values, which are used where they lie: a row of values is a row of columns. */
void matmul_columns(const float *rows, size_t row_stride, size_t count, size_t inputs,
                    const float *columns, size_t column_stride, size_t width, float *out,
                    size_t out_stride)
{
    struct tile tile = {.rows = rows,
                        .row_stride = row_stride,
                        .panel = columns,
                        .panel_step = column_stride,
                        .panel_apart = kernels_now()->lanes,
                        .inputs = inputs};
    multiply_all(tile, count, width, out, out_stride);
}
