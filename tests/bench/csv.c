/* The report as comma-separated values. A field that a kind of row has no value for is empty. */
#include "report.h"

#include <math.h>
#include <stdio.h>

/* ---- Rows ---------------------------------------------------------------------------------- */

/* column, name */
#define COLUMNS(COLUMN)                                                                            \
    COLUMN(MEDIAN, "median_ms")                                                                    \
    COLUMN(MIN, "min_ms")                                                                          \
    COLUMN(RUNS, "runs")                                                                           \
    COLUMN(GFLOP, "gflop")                                                                         \
    COLUMN(GFLOPS, "gflops")                                                                       \
    COLUMN(WEIGHTS, "weight_mb")                                                                   \
    COLUMN(RATE, "weight_gb_per_s")                                                                \
    COLUMN(PEAK_PRODUCT, "peak_gflops")                                                            \
    COLUMN(PEAK_BANDWIDTH, "peak_gb_per_s")                                                        \
    COLUMN(ROOF, "roof_ms")                                                                        \
    COLUMN(RATIO, "ratio")                                                                         \
    COLUMN(RATIO_MIN, "ratio_min")                                                                 \
    COLUMN(TOKENISE, "tokenise_ms")                                                                \
    COLUMN(TOKENISE_MIN, "tokenise_min_ms")                                                        \
    COLUMN(LENS, "lens_ms")                                                                        \
    COLUMN(LENS_MIN, "lens_min_ms")                                                                \
    COLUMN(DRAW, "draw_ms")                                                                        \
    COLUMN(DRAW_MIN, "draw_min_ms")                                                                \
    COLUMN(BLIT, "blit_ms")                                                                        \
    COLUMN(BLIT_MIN, "blit_min_ms")                                                                \
    COLUMN(KEY_PRESS, "key_ms")                                                                    \
    COLUMN(KEY_PRESS_MIN, "key_min_ms")                                                            \
    COLUMN(TYPE, "type_ms")                                                                        \
    COLUMN(TYPE_MIN, "type_min_ms")                                                                \
    COLUMN(MEMORY, "peak_rss_mb")                                                                  \
    COLUMN(EXPONENT, "exponent")

enum column {
#define COLUMN(column, name) column,
    COLUMNS(COLUMN)
#undef COLUMN
        COLUMN_COUNT
};

/* Sizes of 0 and numbers that are none are left empty. */
struct row {
    const char *kind, *shape, *what, *cache;
    size_t tokens, threads;
    double values[COLUMN_COUNT];
};

static struct row new_row(const char *kind, const char *shape, const char *what)
{
    struct row row = {.kind = kind, .shape = shape, .what = what, .cache = ""};
    for (int i = 0; i < COLUMN_COUNT; i++)
        row.values[i] = (double)NAN;
    return row;
}

/* The minimum's column follows that of the median. */
static void set_timing(struct row *row, enum column column, const struct timing *timing)
{
    if (timing->runs == 0)
        return;
    row->values[column] = timing->median;
    row->values[column + 1] = timing->min;
    if (column == MEDIAN)
        row->values[RUNS] = (double)timing->runs;
}

static void write_size(size_t size)
{
    if (size > 0)
        printf("%zu", size);
    putchar(',');
}

static void write_row(const struct row *row)
{
    printf("%s,%s,", row->kind, row->shape);
    write_size(row->tokens);
    write_size(row->threads);
    printf("%s,%s", row->what, row->cache);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        putchar(',');
        if (!isnan(row->values[i]))
            printf("%.6g", row->values[i]);
    }
    putchar('\n');
    fflush(stdout);
}

/* ---- The report ---------------------------------------------------------------------------- */

static void write_peak(const struct peak *peak)
{
    const char *const what[] = {"sgemm", "linear", "fma"};
    const double rates[] = {peak->sgemm, peak->linear, peak->fma};
    for (size_t i = 0; i < 3; i++) {
        struct row row = new_row("peak", "", what[i]);
        row.threads = peak->threads;
        row.values[GFLOPS] = rates[i] > 0 ? rates[i] : (double)NAN;
        write_row(&row);
    }
}

static void write_process(const struct process *process, const char *cold)
{
    const struct timing *timings[] = {&process->warm, &process->cold};
    for (size_t i = 0; i < 2; i++) {
        struct row row = new_row("process", process->shape, process->what);
        if (timings[i]->runs == 0)
            continue;
        row.cache = i == 0 ? "warm" : cold;
        set_timing(&row, MEDIAN, timings[i]);
        row.values[MEMORY] = process->memory;
        write_row(&row);
    }
}

static void write_pass(const struct measured *measured, const struct pass *pass)
{
    struct row row = new_row("pass", measured->shape->name, "forward");
    struct slowest slowest = report_slowest(measured->views);
    double work = shape_work(measured->shape, measured->tokens) / 1e9;
    double bytes = shape_bytes(measured->shape) / 1e6, roof = report_roof(measured, pass);
    row.tokens = measured->tokens;
    row.threads = pass->threads;
    set_timing(&row, MEDIAN, &pass->forward);
    row.values[GFLOP] = work;
    row.values[GFLOPS] = work / pass->forward.median * 1e3;
    row.values[WEIGHTS] = bytes;
    row.values[RATE] = bytes / pass->forward.median;
    row.values[PEAK_PRODUCT] = pass->product;
    row.values[PEAK_BANDWIDTH] = pass->bandwidth;
    row.values[ROOF] = roof;
    row.values[RATIO] = pass->forward.median / roof;
    row.values[RATIO_MIN] = pass->forward.min / roof;
    set_timing(&row, TOKENISE, &measured->tokenise);
    set_timing(&row, LENS, &measured->lens);
    set_timing(&row, DRAW, &measured->views[slowest.draw].draw);
    set_timing(&row, BLIT, &measured->views[slowest.blit].blit);
    set_timing(&row, KEY_PRESS, &measured->views[slowest.view].keys[slowest.key]);
    set_timing(&row, TYPE, &measured->type);
    row.values[MEMORY] = measured->memory;
    write_row(&row);
}

static void write_view(const struct measured *measured, const char *kind, const char *what,
                       const struct timing *timing)
{
    struct row row = new_row(kind, measured->shape->name, what);
    row.tokens = measured->tokens;
    set_timing(&row, MEDIAN, timing);
    write_row(&row);
}

static void write_all_views(const struct measured *measured)
{
    char what[64];
    for (int view = 0; view < VIEW_COUNT; view++) {
        const struct view_timings *timings = &measured->views[view];
        const char *name = view_name((enum view_kind)view);
        write_view(measured, "draw", name, &timings->draw);
        write_view(measured, "blit", name, &timings->blit);
        for (int key = 0; key < PARTS_KEY_COUNT; key++) {
            snprintf(what, sizeof what, "%s in %s", parts_key_names[key], name);
            write_view(measured, "key", what, &timings->keys[key]);
        }
    }
}

#define COLUMN(column, name) "," name
static const char header[] = "kind,shape,tokens,threads,what,cache" COLUMNS(COLUMN);
#undef COLUMN

static void begin(const struct peak *peaks, size_t count, size_t processors)
{
    (void)processors;
    puts(header);
    for (size_t i = 0; i < count; i++)
        write_peak(&peaks[i]);
}

/* All that there is to tell of a shape stands in the rows of its passes. */
static void shape(const struct bench_shape *shape, const struct pass *passes, size_t count)
{
    (void)shape, (void)passes, (void)count;
}

static void processes(const struct process *processes, size_t count, double cold_left)
{
    for (size_t i = 0; i < count; i++)
        write_process(&processes[i], cold_left > REPORT_COLD ? "not dropped" : "cold");
}

static void lengths(const struct measured *lengths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < lengths[i].pass_count; j++)
            write_pass(&lengths[i], &lengths[i].passes[j]);
}

static void views(const struct measured *measured, size_t count)
{
    for (size_t i = 0; i < count; i++)
        write_all_views(&measured[i]);
}

static void growth(const struct growth *growths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct row row =
            new_row("growth", growths[i].shape ? growths[i].shape : "", growths[i].what);
        row.tokens = growths[i].tokens;
        row.threads = growths[i].threads;
        row.values[EXPONENT] = growths[i].exponent;
        write_row(&row);
    }
}

const struct report report_csv = {begin, shape, processes, lengths, views, growth};
