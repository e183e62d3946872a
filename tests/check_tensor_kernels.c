/* The innermost loops of every kind of processor that this machine can be, against plain loops in
 * double precision. */
#include "faults.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/pack.h"
#include "numbers.h"
#include "suites.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROOM 40000

static float x[ROOM], y[ROOM], weight[ROOM], bias[ROOM], result[ROOM];

static void fill(uint64_t seed)
{
    fill_random(x, ROOM, 2, seed);
    fill_random(weight, ROOM, 1, seed + 1000);
    fill_random(bias, ROOM, 3, seed + 2000);
    memset(result, 0x7F, sizeof result);
}

/* A size from 1 to 64, of which few are powers of two. */
static size_t size_of(int run, size_t which)
{
    return ((size_t)run * 37 + which * 53 + (size_t)run * which * 11) % 64 + 1;
}

static void assert_near(const struct kernels *kernels, double found, double expected, double bound)
{
    if (!(fabs(found - expected) <= bound))
        ck_abort_msg("%s: expected %.9g, found %.9g", kernels->name, expected, found);
}

/* A product of n terms of size a rounds off by less than n·a·2^-23 in any order of summation. */
static double rounding(size_t terms)
{
    return (double)(terms + 2) * 5 * 0x1p-23;
}

/* ---- Tiles -------------------------------------------------------------------------------- */

static const size_t type_size[TENSOR_OTHER] = {
    [TENSOR_F32] = 4, [TENSOR_F16] = 2, [TENSOR_BF16] = 2};

/* The memory that ends where a page does, behind which nothing can be read. */
static unsigned char *end_of_memory(void)
{
    static unsigned char *end;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (4 * ROOM / page + 1) * page;
    if (end)
        return end;
    unsigned char *memory =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    ck_assert_int_eq(mprotect(memory + size, page, PROT_NONE), 0);
    end = memory + size;
    return end;
}

/* The first `count` of `weight` in a type, up to `before` bytes before the end of memory; they
 * become what is left of them there. */
static const void *put_weights(enum tensor_type type, size_t count, size_t before)
{
    unsigned char *to = end_of_memory() - before - count * type_size[type];
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &weight[i], sizeof bits);
        uint16_t f16 = (uint16_t)((bits >> 16 & 0x8000) | bits % 0x3C00); /* any from -1 to 1 */
        uint16_t bf16 = (uint16_t)(bits >> 16);
        const void *from[] = {[TENSOR_F32] = &bits, [TENSOR_F16] = &f16, [TENSOR_BF16] = &bf16};
        memcpy(to + i * type_size[type], from[type], type_size[type]);
        if (type != TENSOR_F32)
            weight[i] = (float)(type == TENSOR_F16 ? value_of_f16(f16) : value_of_bf16(bf16));
    }
    return to;
}

static void check_tile(const struct kernels *kernels, enum tensor_type type, size_t panels, int run)
{
    const size_t lanes = kernels->lanes, rows = kernels->rows, columns = panels * lanes;
    struct tile tile = {.panel = x,
                        .panel_step = lanes + (size_t)run % 3,
                        .inputs = size_of(run, 1),
                        .columns = columns,
                        .fetch = run % 3 == 0,
                        .add = run % 2,
                        .out = result,
                        .out_stride = columns + (size_t)run % 5};
    tile.row_stride = tile.inputs + (size_t)run % 4;
    tile.panel_apart = tile.inputs * tile.panel_step + (size_t)run % 7;
    tile.out_apart = lanes;
    fill((uint64_t)run);
    tile.rows = put_weights(type, (rows - 1) * tile.row_stride + tile.inputs, 0);
    memcpy(result, bias, sizeof result);
    kernels->tile[type][panels - 1](&tile);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            const float *panel = x + c / lanes * tile.panel_apart + c % lanes;
            double sum = tile.add ? (double)bias[r * tile.out_stride + c] : 0;
            for (size_t k = 0; k < tile.inputs; k++)
                sum += (double)weight[r * tile.row_stride + k] * (double)panel[k * tile.panel_step];
            assert_near(kernels, (double)result[r * tile.out_stride + c], sum,
                        rounding(tile.inputs));
        }
        for (size_t c = columns; c < tile.out_stride; c++) /* what lies between is left alone */
            if (result[r * tile.out_stride + c] != bias[r * tile.out_stride + c])
                ck_abort_msg("%s: row %zu was written to at %zu", kernels->name, r, c);
    }
}

SEEDED_TEST(tiles_are_sums_of_products, .times = seed_runs(40))
{
    for (size_t i = 0; kernels_at(i); i++)
        for (int type = 0; type < TENSOR_OTHER; type++)
            for (size_t panels = 1; panels <= kernels_at(i)->panels; panels++)
                if (kernels_at(i)->tile[type][0])
                    check_tile(kernels_at(i), (enum tensor_type)type, panels, seed);
}

/* One sum of all these equal terms would be off by more than 160·2^-24 of it; sums of 128, added
 * up, by at most 128 + 8 times. */
TEST(a_long_sum_is_made_of_shorter_ones)
{
    enum { INPUTS = 1024 };
    for (size_t i = 0; i < ROOM; i++) {
        x[i] = 1;
        weight[i] = 0.1F;
    }
    for (size_t i = 0; kernels_at(i); i++) {
        const struct kernels *kernels = kernels_at(i);
        struct tile tile = {.rows = weight,
                            .row_stride = INPUTS,
                            .panel = x,
                            .panel_step = kernels->lanes,
                            .inputs = INPUTS,
                            .columns = kernels->lanes,
                            .out = result,
                            .out_stride = kernels->lanes};
        if (kernels == &kernels_blas) /* whose sums are its own */
            continue;
        ck_assert_uint_le(INPUTS * kernels->lanes, ROOM);
        ck_assert_uint_le(INPUTS * kernels->rows, ROOM);
        kernels->tile[TENSOR_F32][0](&tile);
        double sum = INPUTS * (double)0.1F;
        for (size_t n = 0; n < kernels->rows * kernels->lanes; n++)
            assert_near(kernels, (double)result[n], sum, 136 * 0x1p-24 * sum);
    }
}

/* Where input k of token t lies in runs. */
static size_t run_place(size_t t, size_t k)
{
    return (k / PACK_RUN * KERNELS_TOKENS_MAX + t) * PACK_RUN + k % PACK_RUN;
}

/* What belongs to no token or to no input may be anything: NaN. */
static void spoil_rest(size_t tokens, size_t inputs)
{
    const size_t end = (inputs + PACK_RUN - 1) / PACK_RUN * PACK_RUN;
    for (size_t t = 0; t < KERNELS_TOKENS_MAX; t++)
        for (size_t k = t < tokens ? inputs : 0; k < end; k++)
            x[run_place(t, k)] = NAN;
}

/* In every other run no number of the rows is aligned. */
static void check_dots(const struct kernels *kernels, enum tensor_type type, size_t tokens, int run)
{
    const size_t rows = kernels->rows, odd = (size_t)run % 2;
    struct dots dots = {.x = x,
                        .inputs = size_of(run, 1) + (run % 4 == 0 ? 64 : 0),
                        .tokens = tokens,
                        .fetch = run % 3 == 0,
                        .base = run % 5 == 0 ? result : bias,
                        .out = result,
                        .out_stride = rows + (size_t)run % 4};
    dots.row_stride = dots.inputs + (size_t)run % 3;
    dots.base_stride = run % 5 == 0 ? dots.out_stride : run % 5 == 1 ? 0 : rows + 3;
    fill((uint64_t)run);
    dots.rows = put_weights(type, (rows - 1) * dots.row_stride + dots.inputs, odd);
    spoil_rest(tokens, dots.inputs);
    memcpy(result, bias, sizeof result);
    kernels->dots[type](&dots);
    for (size_t t = 0; t < KERNELS_TOKENS_MAX; t++)
        for (size_t r = 0; r < dots.out_stride; r++) {
            const size_t at = t * dots.out_stride + r;
            const bool wanted = t < tokens && r < rows;
            double sum = (double)bias[wanted ? t * dots.base_stride + r : at];
            for (size_t k = 0; wanted && k < dots.inputs; k++)
                sum += (double)weight[r * dots.row_stride + k] * (double)x[run_place(t, k)];
            assert_near(kernels, (double)result[at], sum, wanted ? rounding(dots.inputs) : 0);
        }
}

SEEDED_TEST(products_with_few_tokens_are_too, .times = seed_runs(20))
{
    for (size_t i = 0; kernels_at(i); i++)
        for (int type = 0; type < TENSOR_OTHER; type++)
            for (size_t tokens = 1; kernels_at(i)->dots[type] && tokens <= KERNELS_TOKENS_MAX;
                 tokens++)
                check_dots(kernels_at(i), (enum tensor_type)type, tokens, seed);
}

/* All of them take the sum in the same order. */
SEEDED_TEST(double_precision_is_the_same_bits_everywhere, .times = seed_runs(20))
{
    double numbers[200], first = 0;
    size_t count = size_of(seed, 1) * 3;
    fill((uint64_t)seed);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)x[i] / 3;
    for (size_t i = 0; kernels_at(i); i++) {
        double found = kernels_at(i)->dot(numbers, weight, count), expected = 0;
        for (size_t k = 0; k < count; k++)
            expected += numbers[k] * (double)weight[k];
        assert_near(kernels_at(i), found, expected, 1e-12);
        first = i == 0 ? found : first;
        ck_assert_mem_eq(&found, &first, sizeof found);
    }
}

/* ---- Softmax ------------------------------------------------------------------------------ */

static void check_softmax(const struct kernels *kernels, float scale, size_t columns,
                          const float *from)
{
    double maximum = (double)-INFINITY, sum = 0, total = 0;
    memcpy(y, from, columns * sizeof *y);
    kernels->softmax(scale, columns, y, result);
    for (size_t j = 0; j < columns; j++) {
        ck_assert(y[j] == from[j] * scale);
        maximum = fmax(maximum, (double)y[j]);
    }
    for (size_t j = 0; j < columns; j++)
        sum += exp((double)y[j] - maximum);
    for (size_t j = 0; j < columns; j++) {
        /* exp turns the rounding of its argument into a relative error */
        double below = maximum - (double)y[j];
        double expected = exp(-below) / sum, found = (double)result[j];
        double relative = (fmin(below, 110) + (double)columns + 8) * 0x1p-23;
        assert_near(kernels, found, expected, expected * relative + 1e-37);
        total += found;
    }
    assert_near(kernels, total, 1, (double)(columns + 4) * 0x1p-23);
}

SEEDED_TEST(softmax_gives_distributions, .times = seed_runs(40))
{
    fill((uint64_t)seed);
    for (size_t i = 0; i < ROOM; i++)
        x[i] *= (float)(seed % 5) * 9;
    for (size_t i = 0; kernels_at(i); i++)
        check_softmax(kernels_at(i), seed % 2 ? 0.125f : 1, size_of(seed, 2), x);
}

TEST(softmax_takes_masks_and_large_scores)
{
    static const float rows[][4] = {
        {-INFINITY, -INFINITY, 2, -INFINITY},
        {1e30f, 1e30f, -1e30f, -INFINITY},
        {-1e30f, -INFINITY, -1e30f, -1e30f},
        {88, 89, 90, 200},
    };
    float long_row[37];
    for (size_t i = 0; kernels_at(i); i++) {
        for (size_t row = 0; row < 4; row++) {
            check_softmax(kernels_at(i), 1, 4, rows[row]);
            for (size_t j = 0; j < 4; j++)
                if (isinf(rows[row][j]))
                    ck_assert_float_eq(result[j], 0);
            for (size_t j = 0; j < 37; j++)
                long_row[j] = rows[row][j * 7 % 4];
            check_softmax(kernels_at(i), 1, 37, long_row);
        }
        check_softmax(kernels_at(i), 1, 4, rows[0]);
        ck_assert_float_eq(result[2], 1);
    }
}

/* Rows that are even, gentle, sharp, extreme, nearly equal, partly masked. */
TEST(long_rows_sum_to_one)
{
    static const float ranges[] = {0, 1, 30, 1e4f, 1e-3f, 1e4f};
    static float scores[4096], weights[4096];
    for (size_t i = 0; kernels_at(i); i++)
        for (size_t columns = 1; columns <= 4096; columns += columns < 140 ? 1 : columns / 7)
            for (size_t kind = 0; kind < 24; kind++) {
                double sum = 0;
                fill_random(scores, columns, ranges[kind % 6], columns * 31 + kind);
                for (size_t j = 0; kind % 6 == 5 && j + 1 < columns; j++)
                    if (j % 3 != 1)
                        scores[j] = -INFINITY;
                kernels_at(i)->softmax(kind % 2 ? 1 : 0.125f, columns, scores, weights);
                for (size_t j = 0; j < columns; j++) {
                    ck_assert(weights[j] >= 0 && weights[j] <= (isinf(scores[j]) ? 0 : 1));
                    sum += (double)weights[j];
                }
                assert_near(kernels_at(i), sum, 1, 1e-6);
            }
}

/* ---- Layer norm --------------------------------------------------------------------------- */

static void check_layer_norm(const struct kernels *kernels, size_t columns, bool add, float epsilon)
{
    double mean = 0, variance = 0, sums[65];
    for (size_t j = 0; j < columns; j++) {
        sums[j] = (double)(add ? x[j] + y[j] : x[j]);
        mean += sums[j] / (double)columns;
    }
    for (size_t j = 0; j < columns; j++)
        variance += pow(sums[j] - mean, 2) / (double)columns;
    double deviation = sqrt(variance + (double)epsilon);
    memcpy(result, y, columns * sizeof *y);
    kernels->layer_norm(x, add, columns, weight, bias, epsilon, result);
    for (size_t j = 0; j < columns; j++)
        assert_near(kernels, (double)result[j],
                    (sums[j] - mean) / deviation * (double)weight[j] + (double)bias[j],
                    1e-6 + (fabs(mean) + 3) / deviation * 4e-7);
    memcpy(y, x, columns * sizeof *y);
    kernels->layer_norm(x, false, columns, weight, bias, epsilon, result);
    kernels->layer_norm(y, false, columns, weight, bias, epsilon, y); /* in place */
    ck_assert_mem_eq(y, result, columns * sizeof *y);
}

SEEDED_TEST(layer_norm_centres_and_scales, .times = seed_runs(40))
{
    for (size_t i = 0; kernels_at(i); i++) {
        fill((uint64_t)seed);
        fill_random(y, 65, 1, (uint64_t)seed + 50);
        for (size_t j = 0; j < 65; j++)
            x[j] += seed % 3 == 0 ? 100 : 0;
        check_layer_norm(kernels_at(i), size_of(seed, 2) + 1, seed % 4 < 2,
                         seed % 2 == 0 ? 1e-12f : 1e-5f);
    }
}

TEST(layer_norm_of_equal_numbers_is_the_bias)
{
    fill(1);
    for (size_t j = 0; j < 32; j++)
        x[j] = 0.5f;
    for (size_t i = 0; kernels_at(i); i++) {
        kernels_at(i)->layer_norm(x, false, 32, weight, bias, 1e-12f, result);
        ck_assert_mem_eq(result, bias, 32 * sizeof *bias);
    }
}

/* ---- Activations -------------------------------------------------------------------------- */

static double gelu(double v)
{
    return v / 2 * (1 + erf(v / sqrt(2)));
}

static double gelu_new(double v)
{
    return v / 2 * (1 + tanh(sqrt(2 / acos(-1)) * (v + 0.044715 * v * v * v)));
}

static double relu(double v)
{
    return v > 0 ? v : 0;
}

static double silu(double v)
{
    return v / (1 + exp(-v));
}

static double (*const formulas[])(double) = {[ACTIVATION_GELU] = gelu,
                                             [ACTIVATION_GELU_NEW] = gelu_new,
                                             [ACTIVATION_RELU] = relu,
                                             [ACTIVATION_SILU] = silu};

TEST(activations_follow_their_formulas, .times = COUNT(formulas))
{
    static const float corners[] = {0, -0.0f, 1e-30f, -1e-30f, 6, -6, 15, -15, 1e4f, -1e4f};
    const size_t count = 20001;
    for (size_t i = 0; i < count; i++)
        x[i] = ((float)i - 10000) / 1000;
    memcpy(x, corners, sizeof corners);
    for (size_t p = 0; kernels_at(p); p++) {
        kernels_choose(kernels_at(p));
        memcpy(y, x, count * sizeof *y);
        activation_apply((enum activation)_i, y, count);
        for (size_t i = 0; i < count; i++)
            assert_near(kernels_at(p), (double)y[i], formulas[_i]((double)x[i]),
                        3e-7 * fmax(1, fabs((double)x[i])));
    }
    kernels_choose(NULL);
}

/* The steps view shows the arithmetic of one number. */
TEST(one_number_is_activated_in_double_precision, .times = COUNT(formulas))
{
    for (int eighths = -160; eighths <= 160; eighths++) {
        const double v = eighths / 8.0;
        double found = activation_of((enum activation)_i, v), expected = formulas[_i](v);
        ck_assert_double_eq_tol(found, expected, 1e-12);
    }
}

/* ---- Non-finite numbers -------------------------------------------------------------------- */

TEST(non_finite_numbers_are_found_wherever_they_stand)
{
    static const float odd[] = {INFINITY, -INFINITY, NAN};
    const size_t most = 5 * KERNELS_LANES_MAX;
    fill(1);
    for (size_t p = 0; kernels_at(p); p++)
        for (size_t count = 1; count < most; count++) {
            ck_assert(kernels_at(p)->finite(count, x));
            for (size_t at = 0; at < count; at++) {
                float was = x[at];
                x[at] = odd[at % 3];
                ck_assert_msg(!kernels_at(p)->finite(count, x), "%s: %zu of %zu",
                              kernels_at(p)->name, at, count);
                x[at] = was;
            }
        }
}

/* ---- Choice ------------------------------------------------------------------------------- */

TEST(the_best_is_chosen)
{
    ck_assert_ptr_eq(kernels_now(), kernels_at(0));
    kernels_choose(&kernels_plain);
    ck_assert_ptr_eq(kernels_now(), &kernels_plain);
    kernels_choose(NULL);
    ck_assert_ptr_eq(kernels_now(), kernels_at(0));
    size_t count = 0;
    for (; kernels_at(count); count++) {
        const struct kernels *kernels = kernels_at(count);
        ck_assert_uint_le(kernels->lanes, KERNELS_LANES_MAX);
        ck_assert_uint_le(kernels->rows, KERNELS_ROWS_MAX);
        ck_assert_uint_le(kernels->panels * kernels->lanes, KERNELS_COLUMNS_MAX);
    }
    ck_assert_uint_ge(count, 2);
}

/* So that what is tested for all that this machine can run is tested for a BLAS. */
TEST(a_blas_is_found)
{
    size_t i = 0;
    if (!kernels_blas.tile[TENSOR_F32][0]) {
        skip("a BLAS: built without");
        return;
    }
    ck_assert(kernels_blas_open());
    while (kernels_at(i) && kernels_at(i) != &kernels_blas)
        i++;
    ck_assert_ptr_eq(kernels_at(i), &kernels_blas);
}

/* OpenBLAS would ask for memory again and again, for ever. Even a bound that is far away counts. */
TEST(where_address_space_is_bounded_loops_are_used)
{
    struct rlimit bound;
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &bound), 0);
    bound.rlim_cur = (rlim_t)1 << 50;
    if (setrlimit(RLIMIT_AS, &bound) != 0 || getrlimit(RLIMIT_AS, &bound) != 0 ||
        bound.rlim_cur == RLIM_INFINITY) /* an emulator may ignore it */
        skip("bounded address space: the system refuses it");
    else
        ck_assert(!kernels_blas_open());
}

TEST(without_a_blas_loops_are_used, .skipped = !faults_work())
{
    size_t i = 0;
    faults_begin(&(struct fault){FAULT_LIBRARY, .nth = 1});
    bool opened = kernels_blas_open();
    if (faults_end() == 0) {
        puts("skipped: a BLAS is linked with the program");
        return;
    }
    ck_assert(!opened);
    while (kernels_at(i) && kernels_at(i) != &kernels_plain)
        ck_assert_ptr_ne(kernels_at(i++), &kernels_blas);
    ck_assert_ptr_eq(kernels_at(i), &kernels_plain);
}

static bool runs_here(const struct kernels *kernels)
{
    size_t i = 0;
    while (kernels_at(i) && kernels_at(i) != kernels)
        i++;
    return kernels_at(i) != NULL;
}

/* Says what is compiled in, but not for this machine. In a test, since it opens the BLAS, and other
 * tests begin without one. */
TEST(plain_c_runs_everywhere)
{
    const struct kernels *const compiled[] = {
#if defined(__x86_64__)
        &kernels_avx512,
        &kernels_avx2,
#endif
        &kernels_plain
    };
    for (size_t i = 0; i < sizeof compiled / sizeof *compiled; i++) {
        char what[80];
        snprintf(what, sizeof what, "%s, which this processor doesn't have", compiled[i]->name);
        if (!runs_here(compiled[i]))
            skip(what);
    }
    ck_assert(runs_here(&kernels_plain));
}
