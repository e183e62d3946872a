/* suites.h: what the test files share. A file tests/check_FLOOR_MODULE.c is the suite FLOOR_MODULE,
 * whose tests register themselves:
 *
 *     TEST(a_text_is_cut_into_words) { … }
 *     TEST(a_wrong_line_is_refused, .times = COUNT(lines)) { … lines[_i] … }
 *
 * TESTS(.begin = open_it, .end = close_it); is what all tests of a file begin and end with, and
 * .with = &another_fixture what this one does instead. */
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* How tests begin and end, those of the base first. */
struct fixture {
    const struct fixture *base;
    void (*begin)(void), (*end)(void);
    bool slow; /* takes long, or needs a terminal or calls that fail: not in `make check-fast` */
};

struct test {
    const char *name;
    const struct fixture *with;
    int from, times; /* _i is from, from + 1, …; 0 times is once */
    bool skipped;    /* not here; skip() has said why */
};

struct registered_test {
    const char *file;
    const TTest *const *test;
    void (*describe)(struct test *test); /* called where the suite is run */
    struct registered_test *next;
};
void test_register(struct registered_test *test);

#define TESTS(...) static const struct fixture file_fixture = {__VA_ARGS__}
static const struct fixture file_fixture; /* where a file has no TESTS: nothing */

#define TEST(title, ...)                                                                           \
    static const TTest *title;                                                                     \
    static void title##_describe(struct test *test)                                                \
    {                                                                                              \
        *test = (struct test){.name = #title, __VA_ARGS__};                                        \
        if (!test->with)                                                                           \
            test->with = &file_fixture;                                                            \
    }                                                                                              \
    __attribute__((constructor)) static void title##_register(void)                                \
    {                                                                                              \
        static struct registered_test test = {__FILE__, &title, title##_describe, NULL};           \
        test_register(&test);                                                                      \
    }                                                                                              \
    START_TEST(title)

/* Says in what `make check` prints that something is not tested here, and why. */
static inline void skip(const char *what)
{
    fprintf(stderr, "skipped: %s\n", what);
}

static inline bool skip_if(bool skipped, const char *what)
{
    if (skipped)
        skip(what);
    return skipped;
}

/* Whether the program writes how often its lines ran (make coverage), which takes files of any
 * size. */
static inline bool counts_lines(void)
{
#ifdef __linux__
    extern void __gcov_init(void *) __attribute__((weak));
    return __gcov_init != NULL;
#else
    return false;
#endif
}

static inline bool is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#else
    return false;
#endif
#else
    return false;
#endif
}

/* Whether another program runs the tests (RUN in the Makefile): QEMU, for another processor. It has
 * no threads in a process that was forked by one with threads, and some words of its own on abort.
 */
static inline bool is_emulated(void)
{
    return getenv("HEADLIGHT_EMULATED") != NULL;
}

/* Under a sanitizer, and where lines are counted, all takes some five times as long, and emulated
 * some twenty: where many like cases are tried, only one of so many is tried there. Every other run
 * tries all. */
#define ONE_IN       (is_emulated() ? 10 : is_sanitized() || counts_lines() ? 3 : 1)
#define FEWER(count) (((int)(count) + ONE_IN - 1) / ONE_IN)

/* A test of many seeds, SEEDS of them in one process: to start one takes longer than most of them.
 * Used as TEST, with `seed` for _i, and .times = seed_runs(count). */
#define SEEDS            10
#define seed_runs(count) (((int)(count) + SEEDS - 1) / SEEDS)
#define SEEDED_TEST(name, ...)                                                                     \
    static void name##_with(int seed);                                                             \
    TEST(name, __VA_ARGS__)                                                                        \
    {                                                                                              \
        for (int seed = SEEDS * _i; seed < SEEDS * (_i + 1); seed++)                               \
            name##_with(seed);                                                                     \
    }                                                                                              \
    static void name##_with(int seed)
