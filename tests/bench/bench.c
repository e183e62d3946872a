/* bench.c: what headlight costs on this machine. `make bench` runs it; ARGS="--help" lists its
 * options. It prints comma-separated values with a header line, a row a figure. Machines are shared
 * and noisy: compare figures of one run with each other. */
#include "bench.h"

#include "headlight/base/watch.h"
#include "headlight/tensor/kernels.h"

#include <getopt.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

static const struct encoder_shape shapes[] = {
    {"built-in", "bert", 8, 256, 8, 1024, 16384, 128, true, false},
    {"minilm", "bert", 6, 384, 12, 1536, 30522, 512, false, false},
    {"distilbert-base", "distilbert", 6, 768, 12, 3072, 30522, 512, false, true},
    {"bert-base", "bert", 12, 768, 12, 3072, 30522, 512, false, false},
    {"roberta-base", "roberta", 12, 768, 12, 3072, 50265, 514, false, true},
    {"modernbert-base", "modernbert", 22, 768, 12, 1152, 50368, 8192, false, true},
    {"bert-large", "bert", 24, 1024, 16, 4096, 30522, 512, false, false},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* ---- Figures ---- */

bool sample_more(const struct sample *sample, const struct effort *effort)
{
    return sample->count < effort->least ||
           (sample->count < effort->most && sample->total < effort->milliseconds);
}

void sample_begin(struct sample *sample)
{
    sample->started = clock_milliseconds();
}

void sample_end(struct sample *sample)
{
    sample_end_of(sample, 1);
}

void sample_end_of(struct sample *sample, size_t count)
{
    const double took = clock_milliseconds() - sample->started;
    sample_add(sample, took / (double)count);
    sample->total += took - took / (double)count; /* so much time is gone */
}

void sample_add(struct sample *sample, double milliseconds)
{
    if (sample->count < SAMPLE_MAX)
        sample->times[sample->count++] = milliseconds;
    sample->total += milliseconds;
}

static void print_subject(const struct subject *subject, const char *what)
{
    printf("%s,%zu,%zu,%s,", subject->shape, subject->tokens, subject->threads, what);
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void sample_print(struct sample *sample, const struct subject *subject, const char *what)
{
    size_t count = sample->count;
    qsort(sample->times, count, sizeof *sample->times, by_time);
    print_subject(subject, what);
    printf("%.3f,%.3f,%zu,ms\n", (sample->times[(count - 1) / 2] + sample->times[count / 2]) / 2,
           sample->times[0], count);
    fflush(stdout);
}

void number_print(const struct subject *subject, const char *what, double number, const char *unit)
{
    print_subject(subject, what);
    printf("%.3f,%.3f,1,%s\n", number, number, unit);
}

/* ---- Options ---- */

struct wish {
    const char *program, *shape; /* NULL: all */
    size_t tokens, threads;      /* 0: the usual ones */
    bool quick;
};

static const char help[] =
    "usage: bench PROGRAM [options]        make bench ARGS=\"[options]\"\n"
    "\n"
    "Measures what headlight, the program of that path, costs on this machine, and prints\n"
    "comma-separated values; column -s, -t lines them up.\n"
    "\n"
    "  --shape NAME   only this encoder: built-in, minilm, bert-base, bert-large; also\n"
    "                 distilbert-base, roberta-base, modernbert-base, otherwise left out\n"
    "  --tokens N     only texts of N tokens, from 5 to 512; otherwise 8, 16, 32, 128, 512\n"
    "  --threads N    only with N threads; otherwise with 1 and with all\n"
    "  --quick        fewer runs, 8, 32 and 128 tokens, and no bert-large\n"
    "  --help         print this help\n"
    "\n"
    "A search in an index of a million random vectors (100,000 with --quick) comes last, and\n"
    "alone with --shape index.\n"
    "\n"
    "Random weights, 1.3 GB at most, are written to a temporary folder in TMPDIR, or in\n"
    "/tmp, and removed.\n";

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
    for (size_t i = 0; i < SHAPES; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return shapes[i].name;
    if (strcmp(name, "index") == 0)
        return "index";
    fail("--shape: expected a name that --help lists, found \"%s\"", name);
}

static void print_help(void)
{
    fputs(help, stdout);
    exit(EXIT_SUCCESS);
}

static struct wish read_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"shape", required_argument, NULL, 's'},   {"tokens", required_argument, NULL, 't'},
        {"threads", required_argument, NULL, 'n'}, {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    struct wish wish = {.program = NULL};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        if (option == 's')
            wish.shape = read_shape(optarg);
        else if (option == 't')
            wish.tokens = read_count("tokens", optarg, TOKENS_MIN, TOKENS_MAX);
        else if (option == 'n')
            wish.threads = read_count("threads", optarg, 1, 256);
        else if (option == 'q')
            wish.quick = true;
        else if (option == 'h')
            print_help();
        else
            exit(2);
    if (optind + 1 != argc)
        fail("expected the path of headlight and options: see --help");
    wish.program = argv[optind];
    return wish;
}

static bool is_wished(const struct wish *wish, const struct encoder_shape *shape)
{
    if (wish->shape)
        return strcmp(wish->shape, shape->name) == 0;
    return !shape->when_named && (!wish->quick || shape->layers < 24);
}

/* ---- All ---- */

/* The lengths that are measured of a shape; returns how many. */
static size_t choose_lengths(const struct wish *wish, const struct encoder_shape *shape,
                             size_t tokens[5])
{
    static const size_t all[] = {8, 16, 32, 128, 512};
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool left_out = wish->quick && (all[i] == 16 || all[i] == 512);
        if (all[i] <= shape->positions && !left_out && wish->tokens == 0)
            tokens[count++] = all[i];
    }
    if (wish->tokens > 0 && wish->tokens <= shape->positions)
        tokens[count++] = wish->tokens;
    return count;
}

/* Processes come first, while the bench itself maps no file and holds little memory. */
/* The usual numbers of threads, or the one that is wished for. */
static size_t choose_threads(const struct wish *wish, size_t threads[2])
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    threads[0] = wish->threads > 0 ? wish->threads : 1;
    threads[1] = processors > 1 ? (size_t)processors : 1;
    return wish->threads > 0 || processors < 2 ? 1 : 2;
}

static void measure_shape(const struct wish *wish, const struct encoder_shape *shape,
                          const struct efforts *efforts)
{
    size_t tokens[5], lengths = choose_lengths(wish, shape, tokens);
    size_t threads[2], thread_count = choose_threads(wish, threads);
    struct subject subject = {.shape = shape->name};
    struct checkpoint checkpoint;
    struct error error;
    const char *folder = checkpoint_write(shape);
    processes_measure(wish->program, folder, &subject, &efforts->process);
    for (size_t i = 0; i < lengths; i++) {
        subject.tokens = tokens[i];
        memory_measure(wish->program, folder, &subject);
    }
    if (checkpoint_open(&checkpoint, folder, NULL, NULL, &error) != STATUS_OK)
        fail("%s", error.message);
    for (size_t i = 0; i < lengths; i++) {
        subject.tokens = tokens[i];
        parts_measure(&checkpoint, &subject, threads, thread_count, efforts);
    }
    checkpoint_close(&checkpoint);
    checkpoint_remove();
}

int main(int argc, char **argv)
{
    static const struct efforts usual = {{5, 200, 60}, {3, 200, 700}, {5, 100, 25}, {5, 15, 600}};
    static const struct efforts quick = {{3, 50, 10}, {3, 50, 100}, {3, 20, 5}, {3, 3, 0}};
    setlocale(LC_CTYPE, "C.UTF-8");
    setenv("XDG_CONFIG_HOME", "/dev/null", 1); /* nobody's settings */
    struct wish wish = read_options(argc, argv);
    printf("# kernels: %s\n", kernels_now()->name);
    puts("shape,tokens,threads,what,median,min,runs,unit");
    for (size_t i = 0; i < SHAPES; i++)
        if (is_wished(&wish, &shapes[i]))
            measure_shape(&wish, &shapes[i], wish.quick ? &quick : &usual);
    size_t threads[2], thread_count = choose_threads(&wish, threads);
    if (!wish.shape || strcmp(wish.shape, "index") == 0)
        search_measure(wish.quick ? 100000 : 1000000, threads, thread_count,
                       wish.quick ? &quick.pass : &usual.pass);
    return EXIT_SUCCESS;
}
