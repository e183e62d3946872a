/* runner.c: runs the suites that its arguments name (text_tokenizer …).
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

/* ---- Suites ---- */

/* In the order in which they registered: file by file, and as they stand there. */
static struct registered_test *tests, **last = &tests;

void test_register(struct registered_test *test)
{
    *last = test;
    last = &test->next;
}

/* Whether a file is the suite of that name: tests/check_NAME.c. */
static bool is_suite(const char *file, const char *name)
{
    const char *base = strrchr(file, '/');
    size_t length = strlen(name);
    base = base ? base + 1 : file;
    return strncmp(base, "check_", 6) == 0 && strncmp(base + 6, name, length) == 0 &&
           strcmp(base + 6 + length, ".c") == 0;
}

static void add_fixture(TCase *tcase, const struct fixture *fixture)
{
    if (fixture->base)
        add_fixture(tcase, fixture->base);
    if (fixture->begin || fixture->end)
        tcase_add_checked_fixture(tcase, fixture->begin, fixture->end);
    if (fixture->slow)
        tcase_set_tags(tcase, "slow");
}

/* Each test is a case of its own. The time is for what hangs, not for a busy machine. */
static void add_test(Suite *suite, const struct registered_test *registered)
{
    struct test test;
    registered->describe(&test);
    if (test.skipped)
        return;
    TCase *tcase = tcase_create(test.name);
    add_fixture(tcase, test.with);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, *registered->test, test.from,
                        test.from + (test.times ? test.times : 1));
    suite_add_tcase(suite, tcase);
}

/* A name that is no suite's would be a run of no tests. */
static Suite *suite_of(const char *name)
{
    Suite *suite = suite_create(name);
    bool found = false;
    for (const struct registered_test *test = tests; test; test = test->next)
        if (is_suite(test->file, name)) {
            add_test(suite, test);
            found = true;
        }
    if (found)
        return suite;
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
        enter("/lessons", path);
        file = fopen(path, "w");
    }
    if (!file || fclose(file) != 0) {
        perror(folder);
        exit(EXIT_FAILURE);
    }
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
}

static void remove_state(void)
{
    char path[64];
    enter("/lessons", path);
    unlink(path);
    enter("", path);
    rmdir(path);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    take_signals();
    make_state();
    SRunner *runner = srunner_create(NULL);
    /* What tests start has the locale that they have, whatever this was started in. */
    setenv("LC_ALL", setlocale(LC_CTYPE, "C.UTF-8") ? "C.UTF-8" : "en_US.UTF-8", 1);
    setlocale(LC_CTYPE, "");
    for (int i = 1; i < argc; i++)
        srunner_add_suite(runner, suite_of(argv[i]));
    if (srunner_fork_status(runner) == CK_FORK)
        places_begin();
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_state();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
