#include "peak.h"

#include "engine.h"
#include "fail.h"
#include "lanes.h"

#include "headlight/base/watch.h"

#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#define THREADS_MAX 256

/* ---- Threads ---- */

struct share {
    void (*work)(struct share *share);
    const unsigned char *bytes; /* that are read */
    size_t size, rounds;
    double result; /* kept, so that no compiler leaves the work out */
};

static void *run_share(void *context)
{
    struct share *share = context;
    share->work(share);
    return NULL;
}

/* The milliseconds that all threads together take, the caller being one of them. */
static double run_shares(struct share *shares, size_t count)
{
    pthread_t threads[THREADS_MAX];
    double start = clock_milliseconds();
    for (size_t i = 1; i < count; i++)
        if (pthread_create(&threads[i], NULL, run_share, &shares[i]) != 0)
            fail("there can be no %zu threads", count);
    run_share(&shares[0]);
    for (size_t i = 1; i < count; i++)
        pthread_join(threads[i], NULL);
    return clock_milliseconds() - start;
}

/* ---- Reading ---- */

#define UNIT ((size_t)4096)      /* a share is a multiple of it */
#define ONCE ((size_t)256 << 20) /* bytes read in one run, at least: threads take time to start */

static void read_share(struct share *share)
{
    for (size_t i = 0; i < share->rounds; i++)
        share->result += lanes_read(share->bytes, share->size);
}

static unsigned char *make_buffer(size_t size)
{
    const size_t page = (size_t)2 << 20;
    unsigned char *bytes = aligned_alloc(page, (size + page - 1) / page * page);
    if (!bytes)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(bytes, size, MADV_HUGEPAGE); /* a wish */
#endif
    memset(bytes, 1, size); /* pages that were never written to are all the same one */
    return bytes;
}

double peak_bandwidth(size_t bytes, size_t threads, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    struct share shares[THREADS_MAX];
    size_t each = (bytes / threads + UNIT - 1) / UNIT * UNIT, size = each * threads;
    size_t rounds = (ONCE + size - 1) / size;
    unsigned char *buffer = make_buffer(size);
    if (!buffer)
        fail("not enough memory for a buffer of %zu bytes", size);
    for (size_t i = 0; i < threads; i++)
        shares[i] = (struct share){read_share, buffer + i * each, each, rounds, 0};
    while (sample_more(&sample, effort))
        sample_add(&sample, run_shares(shares, threads));
    free(buffer);
    return (double)(size * rounds) / sample_timing(&sample).min / 1e6;
}

/* ---- Multiplying ---- */

/* Large enough for any BLAS to reach its rate, small enough to be done several times. */
#define SIDE 1536

/* The engine's own is of a text, as its products are: fewer tokens than a layer has outputs. */
#define TOKENS  256
#define INPUTS  (SIDE / 2)
#define OUTPUTS (SIDE * 2)

struct product {
    float *x, *weight, *y; /* [SIDE,SIDE] */
    float *bias;           /* [OUTPUTS] */
};

static void blas_product(const struct product *product)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, SIDE, SIDE, SIDE, 1, product->x, SIDE,
                product->weight, SIDE, 0, product->y, SIDE);
}

static void linear_product(const struct product *product)
{
    engine_product(product->x, TOKENS, INPUTS, product->weight, product->bias, OUTPUTS, product->y);
}

/* Of so many multiply-adds. */
static double product_rate(void (*multiply)(const struct product *), const struct product *product,
                           double work, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    while (sample_more(&sample, effort)) {
        sample_begin(&sample);
        multiply(product);
        sample_end(&sample);
    }
    return 2 * work / sample_timing(&sample).min / 1e6;
}

static void measure_products(struct peak *peak, const struct effort *effort)
{
    const size_t square = (size_t)SIDE * SIDE, count = 3 * square + OUTPUTS;
    float *block = malloc(count * sizeof *block);
    if (!block)
        fail("not enough memory for three matrices");
    for (size_t i = 0; i < count; i++)
        block[i] = (float)(i % 7) - 3;
    struct product product = {block, block + square, block + 2 * square, block + 3 * square};
    peak->sgemm = product_rate(blas_product, &product, (double)SIDE * SIDE * SIDE, effort);
    peak->linear =
        product_rate(linear_product, &product, (double)TOKENS * INPUTS * OUTPUTS, effort);
    free(block);
}

static void multiply_share(struct share *share)
{
    share->result = lanes_multiply_add(share->rounds);
}

static double multiply_add_rate(size_t threads, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    struct share shares[THREADS_MAX];
    size_t rounds = 4000000, operations = lanes_operations();
    if (operations == 0)
        return 0;
    for (size_t i = 0; i < threads; i++)
        shares[i] = (struct share){.work = multiply_share, .rounds = rounds};
    while (sample_more(&sample, effort))
        sample_add(&sample, run_shares(shares, threads));
    return (double)(operations * rounds * threads) / sample_timing(&sample).min / 1e6;
}

struct peak peak_measure(size_t threads, const struct effort *effort)
{
    struct peak peak = {.threads = threads};
    if (threads > THREADS_MAX)
        fail("more than %d threads", THREADS_MAX);
    measure_products(&peak, effort);
    peak.fma = multiply_add_rate(threads, effort);
    return peak;
}

struct peak peak_best(const struct peak *a, const struct peak *b)
{
    return (struct peak){b->threads, fmax(a->sgemm, b->sgemm), fmax(a->linear, b->linear),
                         fmax(a->fma, b->fma)};
}

double peak_product(const struct peak *peak)
{
    return peak->sgemm > peak->linear ? peak->sgemm : peak->linear;
}

/* ---- The processor ---- */

static void read_name(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        break;
    }
    if (file)
        fclose(file);
}

const char *peak_processor(void)
{
    static char text[256];
    char name[160] = "unknown processor";
    read_name(name, sizeof name);
    snprintf(text, sizeof text, "%s, %s", name, lanes_name());
    return text;
}
