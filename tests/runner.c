/* runner.c: runs every suite. The arguments name the suites to run (text_tokenizer …); none: all.
 * CK_FORK=no keeps a test in this process, for a debugger. */
#include "places.h"
#include "suites.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.inc"
#undef SUITE
};

static int wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return 1;
    return count == 0;
}

/* A name that is no suite's would be a run of no tests. */
static void check_name(const char *name)
{
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (strcmp(suites[i].name, name) == 0)
            return;
    fprintf(stderr, "runner: expected the name of a suite, found \"%s\"\n", name);
    exit(EXIT_FAILURE);
}

/* A job in the background ignores some signals, and the tests would inherit that. */
static void take_signals(void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_DFL);
}

/* ---- The user's state ---- */

/* A folder for it in which somebody has been told of lessons, and without settings: no test touches
 * or reads the user's own, and none is told of lessons unless it asks for that. */
static char folder[] = "/tmp/headlight-state-XXXXXX";

static void enter(const char *name, char path[64])
{
    snprintf(path, 64, "%s/headlight%s", folder, name);
}

static void make_state(void)
{
    char path[64];
    FILE *file = NULL;
    if (mkdtemp(folder)) {
        enter("", path);
        mkdir(path, 0700);
        enter("/lessons.json", path);
        file = fopen(path, "w");
    }
    if (!file || fputs("{}\n", file) < 0 || fclose(file) != 0) {
        perror(folder);
        exit(EXIT_FAILURE);
    }
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
}

static void remove_state(void)
{
    char path[64];
    enter("/lessons.json", path);
    unlink(path);
    enter("", path);
    rmdir(path);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    take_signals();
    for (int i = 1; i < argc; i++)
        check_name(argv[i]);
    make_state();
    SRunner *runner = srunner_create(NULL);
    /* What tests start has the locale that they have, whatever this was started in. */
    setenv("LC_ALL", setlocale(LC_CTYPE, "C.UTF-8") ? "C.UTF-8" : "en_US.UTF-8", 1);
    setlocale(LC_CTYPE, "");
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (wanted(suites[i].name, argc - 1, argv + 1))
            srunner_add_suite(runner, suites[i].make());
    if (srunner_fork_status(runner) == CK_FORK)
        places_begin();
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_state();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
