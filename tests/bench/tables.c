/* The report as tables to read. */
#include "report.h"

#include "engine.h"

#include <math.h>
#include <stdio.h>

/* ---- Cells --------------------------------------------------------------------------------- */

/* About four digits in eight columns; "-" for what was not measured. */
static void print_number(double number)
{
    if (isnan(number))
        printf(" %8s", "-");
    else
        printf(" %8.*f", number < 1 ? 4 : number < 10 ? 3 : number < 100 ? 2 : 1, number);
}

static void print_timing(const struct timing *timing)
{
    print_number(timing->runs ? timing->median : (double)NAN);
    print_number(timing->runs ? timing->min : (double)NAN);
}

/* ---- The machine --------------------------------------------------------------------------- */

static void begin(const struct peak *peaks, size_t count, size_t threads)
{
    printf("%s\nBLAS: %s; %zu processor%s\n\n", peak_processor(), engine_blas(), threads,
           threads == 1 ? "" : "s");
    printf("peak rates, GFLOP/s %10s %10s %10s\n", "sgemm", "engine's", "registers");
    for (size_t i = 0; i < count; i++) {
        printf("%10zu thread%s %12.1f %10.1f", peaks[i].threads, peaks[i].threads == 1 ? " " : "s",
               peaks[i].sgemm, peaks[i].linear);
        if (peaks[i].fma > 0)
            printf(" %10.1f\n", peaks[i].fma);
        else
            printf(" %10s\n", "-");
    }
    printf("\nTimes are milliseconds, MB and GB powers of ten. The roofline is the larger of work\n"
           "over the better product's rate and bytes of weights over the bandwidth.\n");
    fflush(stdout);
}

static void write_shape(const struct bench_shape *shape, const struct pass *passes, size_t count)
{
    printf("\n== %s: %zu layers, hidden %zu, %zu heads, feed-forward %zu, vocabulary %zu, F%zu\n",
           shape->name, shape->layers, shape->hidden, shape->heads, shape->feed_forward,
           shape->vocabulary, 8 * shape->number_bytes);
    printf("   a pass multiplies with %.1f MB of weights\n", shape_bytes(shape) / 1e6);
    for (size_t i = 0; i < count; i++)
        printf("   roofline with %zu thread%s: %.1f GFLOP/s, reading as much %.1f GB/s\n",
               passes[i].threads, passes[i].threads == 1 ? "" : "s", passes[i].product,
               passes[i].bandwidth);
    fflush(stdout);
}

/* ---- One shape ----------------------------------------------------------------------------- */

static void write_processes(const struct process *processes, size_t count, double cold_left)
{
    if (count == 0)
        return;
    printf("\n%-38s %8s %8s %8s %8s %8s\n", "whole processes", "warm", "min", "cold", "min",
           "peak MB");
    for (size_t i = 0; i < count; i++) {
        printf("%-38s", processes[i].what);
        print_timing(&processes[i].warm);
        print_timing(&processes[i].cold);
        print_number(processes[i].memory);
        putchar('\n');
    }
    if (cold_left > REPORT_COLD)
        printf("cold is not cold: %.0f %% of the files could not be dropped from the page cache\n",
               100 * cold_left);
    fflush(stdout);
}

static void print_pass(const struct measured *measured, const struct pass *pass)
{
    double work = shape_work(measured->shape, measured->tokens) / 1e6; /* MFLOP: per ms is G/s */
    double bytes = shape_bytes(measured->shape) / 1e6, roof = report_roof(measured, pass);
    printf("%6zu %7zu", measured->tokens, pass->threads);
    print_timing(&pass->forward);
    print_number(work / 1e3);
    print_number(work / pass->forward.median);
    print_number(bytes / pass->forward.median);
    print_number(roof);
    printf(" %8.2f %8.2f %6s %5zu\n", pass->forward.median / roof, pass->forward.min / roof,
           work / pass->product > bytes / pass->bandwidth ? "work" : "bytes", pass->forward.runs);
}

static void print_around(const struct measured *measured)
{
    struct slowest slowest = report_slowest(measured->views);
    printf("%6zu", measured->tokens);
    print_timing(&measured->tokenise);
    print_timing(&measured->lens);
    print_timing(&measured->views[slowest.draw].draw);
    printf(" %-6s", view_name(slowest.draw));
    print_timing(&measured->views[slowest.blit].blit);
    printf(" %-6s", view_name(slowest.blit));
    print_number(measured->memory);
    putchar('\n');
}

static void print_keys(const struct measured *measured)
{
    struct slowest slowest = report_slowest(measured->views);
    printf("%6zu", measured->tokens);
    print_timing(&measured->views[slowest.view].keys[slowest.key]);
    print_timing(&measured->type);
    printf(" %s in %s", parts_key_names[slowest.key], view_name(slowest.view));
    putchar('\n');
}

static void write_lengths(const struct measured *lengths, size_t count)
{
    if (count == 0)
        return;
    printf("\n%6s %7s %8s %8s %8s %8s %8s %8s %8s %8s %6s %5s\n", "tokens", "threads", "forward",
           "min", "GFLOP", "GFLOP/s", "GB/s", "roofline", "ratio", "of min", "bound", "runs");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < lengths[i].pass_count; j++)
            print_pass(&lengths[i], &lengths[i].passes[j]);
    printf("\n%6s %8s %8s %8s %8s %8s %8s %-6s %8s %8s %-6s %8s\n", "tokens", "tokenise", "min",
           "lens", "min", "draw", "min", "view", "blit", "min", "view", "peak MB");
    for (size_t i = 0; i < count; i++)
        print_around(&lengths[i]);
    printf("\n%6s %8s %8s %8s %8s %s\n", "tokens", "key", "min", "letter", "min", "slowest key");
    for (size_t i = 0; i < count; i++)
        print_keys(&lengths[i]);
    fflush(stdout);
}

/* ---- Views --------------------------------------------------------------------------------- */

static void write_views(const struct measured *measured, size_t count)
{
    printf("\n== every view, and each key until its picture is on the terminal (medians)\n\n");
    printf("%-15s %6s %-7s %8s %8s |", "shape", "tokens", "view", "draw", "blit");
    for (int key = 0; key < PARTS_KEY_COUNT; key++)
        printf(" %8s", parts_key_names[key]);
    putchar('\n');
    for (size_t i = 0; i < count; i++) {
        for (int view = 0; view < VIEW_COUNT; view++) {
            const struct view_timings *timings = &measured[i].views[view];
            printf("%-15s %6zu %-7s", measured[i].shape->name, measured[i].tokens,
                   view_name((enum view_kind)view));
            print_number(timings->draw.median);
            print_number(timings->blit.median);
            printf(" |");
            for (int key = 0; key < PARTS_KEY_COUNT; key++)
                print_number(timings->keys[key].median);
            putchar('\n');
        }
    }
    fflush(stdout);
}

/* ---- Growth ---- */

static void write_growth(const struct growth *growth, size_t count)
{
    char of[32];
    if (count == 0)
        return;
    printf("\n== growth, as an exponent (the slope of a line through the logarithms)\n\n");
    printf("%-16s %-20s %7s %8s %8s %12s\n", "of", "", "threads", "first", "last", "exponent");
    for (size_t i = 0; i < count; i++) {
        const struct growth *one = &growth[i];
        snprintf(of, sizeof of, one->shape ? "%s" : "%s%zu tokens", one->shape ? one->shape : "",
                 one->tokens);
        printf("%-16s %-20s", of, one->what);
        if (one->threads > 0)
            printf(" %7zu", one->threads);
        else
            printf(" %7s", "");
        print_number(one->first);
        print_number(one->last);
        printf(" %-3s %8.2f\n", one->threads > 0 ? "ms" : "MB", one->exponent);
    }
}

const struct report report_tables = {begin,         write_shape, write_processes,
                                     write_lengths, write_views, write_growth};
