#include "headlight/tensor/matmul.h"

#include "headlight/base/size.h"

#include <stdbool.h>
#include <string.h>

/* So many inputs are multiplied in one go: the rows of a tile, 32 KB, stay in the nearest cache;
 * and fewer where they are widened first, which then remain there beside the panels. */
#define INPUTS_AT_ONCE 1024
#define INPUTS_WIDENED 384
/* So many numbers of panels are gone over for some rows before the next panels: half of a small
 * second-level cache, or less of today's. */
#define NUMBERS_AT_ONCE 98304
/* So many outputs are gone through for all panels before the next. */
#define OUTPUTS_AT_ONCE 64

/* ---- Linear layers ------------------------------------------------------------------------ */

/* One linear layer as a thread goes through it. */
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

/* Some outputs, at most a tile's rows of them, for some of their inputs. */
struct strip {
    size_t output, outputs; /* the first, how many */
    size_t input, inputs;
    const float *weights; /* of all rows of a tile, if need be zero */
    size_t stride;
    bool in_place; /* they lie in the checkpoint */
};

/* The weights of a strip: where they lie, or widened and made up to a whole tile in `room`, while
 * those of the next are fetched. */
static void find_weights(const struct job *job, struct strip *strip, float *room)
{
    const struct matrix *weight = &job->linear->weight;
    const size_t inputs = job->x->inputs, rows = job->kernels->rows;
    size_t first = strip->output * inputs + strip->input;
    strip->weights = strip->outputs == rows ? matrix_floats(weight, first) : NULL;
    strip->stride = inputs;
    strip->in_place = strip->weights != NULL;
    if (strip->in_place)
        return;
    for (size_t r = 0; r < strip->outputs; r++) {
        matrix_fetch(weight, first + (rows + r) * inputs, strip->inputs);
        matrix_numbers(weight, first + r * inputs, strip->inputs, room + r * strip->inputs);
    }
    strip->weights = room;
    strip->stride = strip->inputs;
    memset(room + strip->outputs * strip->stride, 0,
           (rows - strip->outputs) * strip->stride * sizeof *room);
}

/* Where in a tile's `out` the number of a row and a column lies; of paired ones, an even row. */
static size_t place(const struct job *job, size_t row, size_t column)
{
    const size_t lanes = job->kernels->lanes;
    return job->x->paired ? row / 2 * lanes + 2 * column
                          : row * job->kernels->panels * lanes + column;
}

/* [rows,columns] of a tile as [columns,rows] */
static void turn(const struct job *job, const float *out, size_t columns, float *turned)
{
    const size_t rows = job->kernels->rows;
    if (job->x->paired)
        transpose_pairs(out, place(job, 2, 0), rows / 2, columns, turned, rows);
    else
        transpose(out, place(job, 1, 0), rows, columns, turned, rows);
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

/* Out of a tile into the rows of y: the bias and the first inputs' sums, then the others' on top.
 */
static void put_rows(const struct job *job, const struct strip *strip, const float *out,
                     size_t first_token, size_t columns)
{
    float turned[KERNELS_COLUMNS_MAX * KERNELS_ROWS_MAX];
    const float *bias = job->linear->bias + strip->output;
    turn(job, out, columns, turned);
    for (size_t t = 0; t < columns; t++) {
        float *y = job->y + (first_token + t) * job->y_stride + strip->output;
        add_sums(strip->input == 0 ? bias : y, turned + t * job->kernels->rows, strip->outputs, y);
    }
}

/* Out of a tile into y's panels, where not all of its rows are outputs. */
static void put_panels(const struct job *job, const struct strip *strip, const float *out,
                       size_t first_panel, size_t count)
{
    const struct packed *x = job->x, *y = job->packed;
    for (size_t v = 0; v < count; v++)
        for (size_t r = 0; r < strip->outputs; r++) {
            size_t input = strip->output + r, odd = y->paired ? input % 2 : 0;
            const float *from = out + place(job, r, v * x->width) + (x->paired ? r % 2 : 0);
            float *to = pack_at(y, first_panel + v, input - odd) + odd;
            for (size_t j = 0; j < y->width; j++) {
                float *number = &to[y->paired ? 2 * j : j];
                *number = (strip->input > 0 ? *number : 0) + from[x->paired ? 2 * j : j];
            }
        }
}

/* Two numbers by turns; `count` is a multiple of four. */
static void add_two(float *numbers, size_t count, float one, float other)
{
    float some[4];
    for (size_t i = 0; i < count; i += 4) {
        memcpy(some, numbers + i, sizeof some);
        for (int j = 0; j < 4; j++)
            some[j] += j % 2 == 0 ? one : other;
        memcpy(numbers + i, some, sizeof some);
    }
}

/* When all inputs' sums are in y's panels. */
static void finish_panels(const struct job *job, const struct strip *strip, size_t first_panel,
                          size_t count)
{
    const struct packed *y = job->packed;
    const float *bias = job->linear->bias + strip->output;
    const size_t apart = y->paired ? 2 : 1; /* y's inputs are even where they are paired */
    for (size_t v = 0; v < count; v++) {
        float *numbers = pack_at(y, first_panel + v, strip->output);
        for (size_t r = 0; r < strip->outputs; r += apart)
            add_two(numbers + r * y->width, apart * y->width, bias[r], bias[r + apart - 1]);
        activation_apply(job->activation, numbers, strip->outputs * y->width);
    }
}

/* A strip for the panels first … first + count - 1, as many as a tile can have. Whole tiles of
 * panels are put in place by the tile itself. */
static void multiply(const struct job *job, const struct strip *strip, size_t first, size_t count)
{
    _Alignas(64) float out[KERNELS_ROWS_MAX * KERNELS_COLUMNS_MAX];
    const struct kernels *kernels = job->kernels;
    const struct packed *x = job->x, *y = job->packed;
    const bool direct = y && y->paired == x->paired && strip->outputs == kernels->rows;
    struct tile tile = {.rows = strip->weights,
                        .row_stride = strip->stride,
                        .panel = pack_at(x, first, strip->input),
                        .panel_step = kernels->lanes,
                        .panel_apart = x->inputs * x->width,
                        .inputs = strip->inputs,
                        .columns = size_min(x->tokens - first * x->width, count * x->width),
                        .fetch = strip->in_place,
                        .out = out,
                        .out_stride = place(job, x->paired ? 2 : 1, 0),
                        .out_apart = x->width};
    if (direct) {
        tile.out = pack_at(y, first, strip->output);
        tile.out_stride = y->paired ? 2 * y->width : y->width;
        tile.out_apart = y->inputs * y->width;
        tile.add = strip->input > 0;
    }
    if (x->paired)
        kernels->tile_of_pairs(&tile);
    else
        kernels->tile[count - 1](&tile);
    if (job->y)
        put_rows(job, strip, out, first * x->width, tile.columns);
    else if (!direct)
        put_panels(job, strip, out, first, count);
    if (y && strip->input + strip->inputs == x->inputs)
        finish_panels(job, strip, first, count);
}

/* Some inputs of the outputs first … end - 1, for the panels first_panel … end_panel - 1. */
static void multiply_block(const struct job *job, struct strip strip, size_t end,
                           size_t first_panel, size_t end_panel)
{
    _Alignas(64) float room[KERNELS_ROWS_MAX * INPUTS_AT_ONCE];
    const size_t most = job->kernels->panels;
    for (; strip.output < end; strip.output += job->kernels->rows) {
        strip.outputs = size_min(end - strip.output, job->kernels->rows);
        find_weights(job, &strip, room);
        for (size_t panel = first_panel; panel < end_panel; panel += most)
            multiply(job, &strip, panel, size_min(end_panel - panel, most));
    }
}

/* The outputs first … end - 1, not too many, for all tokens. */
static void multiply_outputs(const struct job *job, size_t first, size_t end)
{
    const size_t inputs = job->x->inputs, width = job->x->width;
    const size_t panels = (job->x->tokens + width - 1) / width;
    const size_t most = matrix_floats(&job->linear->weight, 0) ? INPUTS_AT_ONCE : INPUTS_WIDENED;
    for (size_t input = 0; input < inputs; input += most) {
        struct strip strip = {.output = first, .input = input};
        strip.inputs = size_min(inputs - input, most);
        const size_t some = size_max(NUMBERS_AT_ONCE / (strip.inputs * width), 1);
        for (size_t panel = 0; panel < panels; panel += some)
            multiply_block(job, strip, end, panel, size_min(panel + some, panels));
    }
}

/* The outputs of one claim. Each is half of what would be left to every thread, in whole tiles:
 * most of the weights are read in long runs, and all threads are done at about the same time. */
struct share {
    size_t number; /* of claims up to this one */
    size_t first, end;
};

/* Goes on to the share of claim number `claim`, counted from 0. False when all outputs are in
 * earlier ones. */
static bool go_to_share(struct share *share, size_t claim, const struct job *job, size_t threads)
{
    const size_t tile = job->kernels->rows;
    for (; share->number <= claim; share->number++) {
        size_t left = job->outputs - share->end, size = left / (2 * threads) / tile * tile;
        if (left == 0)
            return false;
        share->first = share->end;
        share->end += size_min(size_max(size, tile), left);
    }
    return true;
}

/* The large shares of all parts are claimed before the smaller ones. */
static void go_through(const struct pool_thread *thread, struct job job, size_t parts)
{
    const struct linear *linear = job.linear;
    float *y = job.y;
    struct share share = {0};
    for (;;) {
        size_t claim = pool_claim(thread), part = claim % parts;
        if (!go_to_share(&share, claim / parts, &job, thread->count))
            break;
        job.linear = &linear[part];
        job.y = y ? y + part * job.outputs : NULL;
        for (size_t first = share.first; first < share.end; first += OUTPUTS_AT_ONCE)
            multiply_outputs(&job, first, size_min(first + OUTPUTS_AT_ONCE, share.end));
    }
    pool_barrier(thread);
}

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

/* Rows and columns that are few compared with a checkpoint's: no blocks, one thread. `tile` says
 * where the rows and columns begin and how they lie. */
static void multiply_tile(const struct kernels *kernels, struct tile tile, size_t rows,
                          size_t panels, float *out, size_t out_stride)
{
    _Alignas(64) float sums[KERNELS_ROWS_MAX * KERNELS_COLUMNS_MAX];
    _Alignas(64) float room[KERNELS_ROWS_MAX * INPUTS_AT_ONCE];
    const size_t inputs = tile.inputs, lanes = kernels->lanes;
    const bool whole = rows == kernels->rows && tile.columns == panels * lanes;
    const float *from = tile.rows, *panel = tile.panel;
    const size_t stride = tile.row_stride;
    tile.out = whole ? out : sums;
    tile.out_stride = whole ? out_stride : kernels->panels * lanes;
    tile.out_apart = lanes;
    for (size_t k = 0; k < inputs; k += INPUTS_AT_ONCE) {
        tile.inputs = size_min(inputs - k, INPUTS_AT_ONCE);
        tile.panel = panel + k * tile.panel_step;
        tile.rows = from + k;
        tile.add = k > 0;
        if (rows < kernels->rows) {
            memset(room, 0, kernels->rows * tile.inputs * sizeof *room);
            for (size_t r = 0; r < rows; r++)
                memcpy(room + r * tile.inputs, from + r * stride + k, tile.inputs * sizeof *room);
            tile.rows = room;
            tile.row_stride = tile.inputs;
        }
        kernels->tile[panels - 1](&tile);
    }
    for (size_t r = 0; !whole && r < rows; r++)
        memcpy(out + r * out_stride, sums + r * tile.out_stride, tile.columns * sizeof *out);
}

static void multiply_all(struct tile tile, size_t rows, size_t columns, float *out,
                         size_t out_stride)
{
    const struct kernels *kernels = kernels_now();
    const size_t most = kernels->panels * kernels->lanes, stride = tile.row_stride;
    const float *panel = tile.panel, *from = tile.rows;
    for (size_t c = 0; c < columns; c += most) {
        tile.columns = size_min(columns - c, most);
        tile.panel = panel + c / kernels->lanes * tile.panel_apart;
        size_t panels = (tile.columns + kernels->lanes - 1) / kernels->lanes;
        for (size_t r = 0; r < rows; r += kernels->rows) {
            tile.rows = from + r * stride;
            multiply_tile(kernels, tile, size_min(rows - r, kernels->rows), panels,
                          out + r * out_stride + c, out_stride);
        }
    }
}

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
