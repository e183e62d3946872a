/* main.c: the soak as a program. `make soak` runs it; ARGS="--help" tells its options. */
#include "headlight/base/watch.h"
#include "soak/measure.h"
#include "soak/soak.h"

#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define STAGE 10000 /* actions */

static const char help[] =
    "usage: soak FOLDER [options]        make soak ARGS=\"[options]\"\n"
    "\n"
    "Random actions, clicks, texts and sizes, on the checkpoint in FOLDER, the built-in\n"
    "model and random recordings; after each the screen is drawn and looked at. Memory\n"
    "is measured between sessions.\n"
    "\n"
    "  --actions N   how many; 100000 without it\n"
    "  --seed N      the same seed does the same; 1 without it\n"
    "  --stage N     actions from one measure of memory to the next; 10000 without it\n"
    "  --help        print this help\n";

static double started;

static void stage_done(const struct soak_count *count, size_t allocated)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%8zu actions %6zu sessions %7zu passes %6.1f s %10zu bytes allocated, peak %ld KiB\n",
           count->actions, count->sessions, count->passes, (clock_milliseconds() - started) / 1e3,
           allocated, usage.ru_maxrss);
    fflush(stdout);
}

static unsigned long long read_number(const char *name, const char *text)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    if (*end == '\0' && text[0] >= '0' && text[0] <= '9')
        return number;
    fprintf(stderr, "soak: --%s: expected a number, found \"%s\"\n", name, text);
    exit(2);
}

static struct soak_wish read_options(int argc, char **argv)
{
    static const struct option options[] = {{"actions", required_argument, NULL, 'a'},
                                            {"seed", required_argument, NULL, 's'},
                                            {"stage", required_argument, NULL, 'g'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct soak_wish wish = {
        .seed = 1, .actions = 100000, .stage = STAGE, .stage_done = stage_done, .terminal = true};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        if (option == 'a') {
            wish.actions = (size_t)read_number("actions", optarg);
        } else if (option == 's') {
            wish.seed = read_number("seed", optarg);
        } else if (option == 'g' && read_number("stage", optarg) > 0) {
            wish.stage = (size_t)read_number("stage", optarg);
        } else {
            fputs(help, option == 'h' ? stdout : stderr);
            exit(option == 'h' ? EXIT_SUCCESS : 2);
        }
    if (optind + 1 != argc) {
        fputs(help, stderr);
        exit(2);
    }
    wish.folder = realpath(argv[optind], NULL);
    return wish;
}

/* Files are written where nobody's are. */
static void enter_folder(char *folder)
{
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror("soak: a temporary folder");
        exit(EXIT_FAILURE);
    }
}

static int tell(const struct soak_report *report)
{
    const struct soak_count *count = &report->count;
    size_t growth = report->allocated_last > report->allocated_first
                        ? report->allocated_last - report->allocated_first
                        : 0;
    printf("%zu actions: %zu sessions (%zu recordings), %zu passes, %zu cancelled, %zu clicks, "
           "%zu typed, %zu sizes, %zu files, %zu drawn twice; %zu bytes more than after the "
           "first stage\n",
           count->actions, count->sessions, count->recordings, count->passes, count->cancelled,
           count->clicks, count->typed, count->sizes, count->files, count->compared, growth);
    if (report->failure[0])
        printf("FAILED at %s\n", report->failure);
    else if (growth > measure_slack())
        printf("FAILED: memory grows\n");
    return report->failure[0] || growth > measure_slack() ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/headlight-soak-XXXXXX";
    struct soak_report report;
    struct soak_wish wish = read_options(argc, argv);
    if (!wish.folder) {
        perror(argv[optind]);
        return EXIT_FAILURE;
    }
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "en_US.UTF-8");
    enter_folder(folder);
    printf("seed %llu, %zu actions\n", (unsigned long long)wish.seed, wish.actions);
    started = clock_milliseconds();
    soak_run(&wish, &report);
    free((char *)wish.folder);
    if (chdir("/") == 0)
        rmdir(folder);
    return tell(&report);
}
