/* bench.c: what headlight costs on this machine, and how near it comes to what the machine can do.
 * `make bench` runs it; ARGS="--help" tells its options.
 *
 * Times are of this process or, where it says so, of whole ones: the median and the minimum of
 * several runs. Machines are shared and noisy: compare figures of one run with each other. */
#include "fail.h"
#include "folder.h"
#include "report.h"
#include "text.h"

#include <getopt.h>
#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <string.h>
#include <unistd.h>

struct wish {
    const char *program;
    const char *shape;      /* NULL: all */
    size_t tokens, threads; /* 0: the usual ones */
    bool csv, quick;
};

/* Least runs, most runs, milliseconds. */
struct efforts {
    struct effort part, forward, view, peak, process, cold;
};

static const struct efforts usual = {{5, 200, 60},  {3, 200, 700}, {5, 100, 25},
                                     {3, 100, 400}, {5, 15, 600},  {3, 5, 1000}};
static const struct efforts quick = {{3, 50, 10}, {3, 50, 100}, {3, 20, 5},
                                     {3, 10, 60}, {3, 3, 0},    {1, 1, 0}};

struct bench {
    struct wish wish;
    struct efforts efforts;
    const struct report *report;
    size_t threads[REPORT_THREADS], thread_count;
    struct peak peaks[REPORT_THREADS];
    struct measured measured[REPORT_MAX];
    size_t measured_count;
};

/* ---- Options ------------------------------------------------------------------------------- */

static const char help[] =
    "usage: bench PROGRAM [options]        make bench ARGS=\"[options]\"\n"
    "\n"
    "Measures what headlight, the program of that path, costs on this machine.\n"
    "\n"
    "  --shape NAME   only this encoder: built-in, minilm, bert-base, bert-large; also\n"
    "                 distilbert-base, roberta-base, modernbert-base, which else are left out\n"
    "  --tokens N     only texts of N tokens, from 5; else 8, 16, 32, 128, 512\n"
    "  --threads N    only with N threads; else with 1 and with all\n"
    "  --quick        fewer runs, 8, 32 and 128 tokens, and no bert-large\n"
    "  --csv          one table of comma-separated values with a header line\n"
    "  --help         print this help\n"
    "\n"
    "Random weights, 1.3 GB at most, are written to a temporary folder in TMPDIR, or in\n"
    "/tmp, and removed. In a folder in memory no file's pages can be dropped: cold times\n"
    "are warm ones then, and the bench says so.\n";

static size_t read_count(const char *option, const char *text, size_t least, size_t most)
{
    char *end;
    unsigned long count = strtoul(text, &end, 10);
    if (*end || text[0] < '0' || text[0] > '9' || count < least || count > most)
        fail("--%s: expected a number from %zu to %zu, found \"%s\"", option, least, most, text);
    return count;
}

static const char *read_shape(const char *name)
{
    for (size_t i = 0; i < SHAPES_COUNT; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return shapes[i].name;
    fail("--shape: expected a name that --help lists, found \"%s\"", name);
    return NULL;
}

static struct wish read_options(int argc, char **argv)
{
    static const struct option options[] = {{"shape", required_argument, NULL, 's'},
                                            {"tokens", required_argument, NULL, 't'},
                                            {"threads", required_argument, NULL, 'n'},
                                            {"quick", no_argument, NULL, 'q'},
                                            {"csv", no_argument, NULL, 'c'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct wish wish = {.program = NULL};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 's':
            wish.shape = read_shape(optarg);
            break;
        case 't':
            wish.tokens = read_count("tokens", optarg, TEXT_TOKENS_MIN, 512);
            break;
        case 'n':
            wish.threads = read_count("threads", optarg, 1, 256);
            break;
        case 'q':
            wish.quick = true;
            break;
        case 'c':
            wish.csv = true;
            break;
        case 'h':
            fputs(help, stdout);
            exit(EXIT_SUCCESS);
        default:
            exit(2);
        }
    }
    if (optind + 1 != argc)
        fail("expected the path of headlight and options: see --help");
    wish.program = argv[optind];
    return wish;
}

/* ---- Whole processes ----------------------------------------------------------------------- */

/* The page cache is asked to forget the program and the files of the model; not its libraries,
 * which the bench itself uses. */
static void chill(const struct bench *bench)
{
    static const char *paths[4];
    paths[0] = bench->wish.program;
    processes_chill(paths, 1 + folder_files(paths + 1));
}

static struct process run_command(const struct bench *bench, const struct bench_shape *shape,
                                  const char *what, command argv)
{
    struct process process = {.shape = shape->name, .what = what};
    process.memory = processes_memory(argv); /* and the files are in the page cache now */
    process.warm = processes_run(argv, &bench->efforts.process);
    chill(bench);
    process.cold = processes_run(argv, &bench->efforts.cold);
    processes_chill(NULL, 0);
    return process;
}

static void measure_processes(const struct bench *bench, const struct bench_shape *shape,
                              const char *folder)
{
    const char *program = bench->wish.program;
    const char *helped[] = {program, "--help", NULL};
    const char *json[] = {program, "--json", "-", folder ? "--model" : NULL, folder, NULL};
    const char *shown[] = {program, folder ? "--model" : NULL, folder, NULL};
    struct process processes[4];
    size_t count = 0;
    if (!shape->whole_processes)
        return;
    if (shape->built_in)
        processes[count++] = run_command(bench, shape, "headlight --help", helped);
    processes[count++] = run_command(bench, shape, "headlight --json -", json);
    struct screen_timings warm = processes_show(shown, &bench->efforts.process);
    chill(bench);
    struct screen_timings cold = processes_show(shown, &bench->efforts.cold);
    processes_chill(NULL, 0);
    processes[count++] =
        (struct process){shape->name, "start to first screen", warm.first, cold.first, (double)NAN};
    processes[count++] = (struct process){shape->name, "start to first picture", warm.picture,
                                          cold.picture, (double)NAN};
    bench->report->processes(processes, count, processes_chill_left());
}

static void open_checkpoint(struct checkpoint *checkpoint, const char *folder)
{
    struct error error;
    if (checkpoint_open(checkpoint, folder, NULL, &error) != STATUS_OK)
        fail("%s", error.message);
}

/* The map on screen as CSV: a whole pass, and next to nothing written. The model is closed again
 * before, so that the bench itself holds little. */
static void measure_memory(const struct bench *bench, const char *folder, struct measured *lengths,
                           size_t count)
{
    struct text_pair pairs[REPORT_LENGTHS];
    struct checkpoint checkpoint;
    open_checkpoint(&checkpoint, folder);
    for (size_t i = 0; i < count; i++)
        pairs[i] = text_make(checkpoint.tokenizer, lengths[i].tokens);
    checkpoint_close(&checkpoint);
    for (size_t i = 0; i < count; i++) {
        const char *argv[] = {
            bench->wish.program,       "--csv", "/dev/null", pairs[i].texts[0], pairs[i].texts[1],
            folder ? "--model" : NULL, folder,  NULL};
        lengths[i].memory = processes_memory(argv);
        text_free(&pairs[i]);
    }
}

/* ---- One shape ----------------------------------------------------------------------------- */

/* A letter that is typed may make tokens more. */
#define TYPING_ROOM 4

static void measure_length(const struct bench *bench, const struct checkpoint *checkpoint,
                           const struct pass *peaks, struct measured *measured)
{
    struct parts parts;
    const struct efforts *efforts = &bench->efforts;
    parts_begin(&parts, checkpoint, measured->tokens);
    measured->tokenise = parts_tokenise(&parts, &efforts->part);
    measured->pass_count = bench->thread_count;
    for (size_t i = 0; i < bench->thread_count; i++) {
        measured->passes[i] = peaks[i];
        engine_set_threads(peaks[i].threads);
        measured->passes[i].forward = parts_forward(&parts, &efforts->forward);
    }
    measured->lens = parts_lens(&parts, &efforts->part);
    parts_draw(&parts, &efforts->view, measured->views);
    if (measured->shape->built_in) {
        size_t most = measured->shape->positions - TYPING_ROOM;
        if (measured->tokens > most) {
            parts_end(&parts);
            parts_begin(&parts, checkpoint, most);
            engine_forward(&parts.session, parts.session.data.encoded);
        }
        measured->type = parts_type(&parts, &efforts->part);
    }
    parts_end(&parts);
}

static void choose_lengths(struct bench *bench, const struct bench_shape *shape)
{
    static const size_t all[] = {8, 16, 32, 128, 512}, few[] = {8, 32, 128};
    const size_t *tokens = bench->wish.quick ? few : all;
    size_t count = bench->wish.quick ? sizeof few / sizeof *few : sizeof all / sizeof *all;
    if (bench->wish.tokens > 0) {
        tokens = &bench->wish.tokens;
        count = 1;
    }
    for (size_t i = 0; i < count; i++)
        if (tokens[i] <= shape->positions)
            bench->measured[bench->measured_count++] =
                (struct measured){.shape = shape, .tokens = tokens[i]};
}

/* The best that was seen so far: others use the machine, and now and then they don't. */
static void measure_peaks(struct bench *bench)
{
    for (size_t i = 0; i < bench->thread_count; i++) {
        engine_set_threads(bench->threads[i]);
        struct peak peak = peak_measure(bench->threads[i], &bench->efforts.peak);
        bench->peaks[i] = peak_best(&bench->peaks[i], &peak);
    }
}

/* Processes come first, while the bench itself holds little memory and maps no file. */
static void measure_shape(struct bench *bench, const struct bench_shape *shape)
{
    struct checkpoint checkpoint;
    struct pass passes[REPORT_THREADS];
    struct measured *lengths = bench->measured + bench->measured_count;
    choose_lengths(bench, shape);
    size_t count = bench->measured_count - (size_t)(lengths - bench->measured);
    const char *folder = folder_write(shape);
    measure_peaks(bench);
    for (size_t i = 0; i < bench->thread_count; i++) {
        passes[i] = (struct pass){.threads = bench->threads[i]};
        passes[i].product = peak_product(&bench->peaks[i]);
        passes[i].bandwidth =
            peak_bandwidth((size_t)shape_bytes(shape), bench->threads[i], &bench->efforts.peak);
    }
    bench->report->shape(shape, passes, bench->thread_count);
    measure_processes(bench, shape, folder);
    measure_memory(bench, folder, lengths, count);
    open_checkpoint(&checkpoint, folder);
    for (size_t i = 0; i < count; i++)
        measure_length(bench, &checkpoint, passes, &lengths[i]);
    checkpoint_close(&checkpoint);
    folder_remove();
    bench->report->lengths(lengths, count);
}

/* ---- All ----------------------------------------------------------------------------------- */

/* With 1 thread and with all, or with the number that is wished. */
static void choose_threads(struct bench *bench, size_t processors)
{
    size_t wished = bench->wish.threads;
    bench->threads[bench->thread_count++] = wished > 0 ? wished : 1;
    if (wished == 0 && processors > 1)
        bench->threads[bench->thread_count++] = processors;
}

static bool is_wished(const struct wish *wish, const struct bench_shape *shape)
{
    if (wish->shape)
        return strcmp(wish->shape, shape->name) == 0;
    return !shape->when_named && (!wish->quick || shape->layers < 24);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    static struct growth growth[REPORT_GROWTHS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t all = processors > 1 ? (size_t)processors : 1;
    setlocale(LC_CTYPE, "C.UTF-8");
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* what is freed goes back: children start as copies */
#endif
    bench.wish = read_options(argc, argv);
    bench.report = bench.wish.csv ? &report_csv : &report_tables;
    bench.efforts = bench.wish.quick ? quick : usual;
    choose_threads(&bench, all);
    measure_peaks(&bench);
    bench.report->begin(bench.peaks, bench.thread_count, all);
    for (size_t i = 0; i < SHAPES_COUNT; i++)
        if (is_wished(&bench.wish, &shapes[i]))
            measure_shape(&bench, &shapes[i]);
    bench.report->views(bench.measured, bench.measured_count);
    bench.report->growth(growth, report_growths(bench.measured, bench.measured_count, growth));
    return EXIT_SUCCESS;
}
