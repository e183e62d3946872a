/* suites.h: what the test files share. Each tests/check_FLOOR_MODULE.c exports one Suite. */
#ifndef HEADLIGHT_TESTS_SUITES_H
#define HEADLIGHT_TESTS_SUITES_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define SUITE(name) Suite *suite_##name(void);
#include "suites.inc"
#undef SUITE

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* Says in what `make check` prints that something is not tested here, and why. */
static inline void skip(const char *what)
{
    fprintf(stderr, "skipped: %s\n", what);
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

/* A case whose tests take long, or need a terminal or calls that fail: `make check-fast` leaves it
 * out. */
static inline TCase *slow_case(const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_set_tags(tests, "slow");
    return tests;
}

/* Under a sanitizer, and where lines are counted, all takes some five times as long, and emulated
 * some twenty: where many like cases are tried, only one of so many is tried there. Every other run
 * tries all. */
#define ONE_IN       (is_emulated() ? 10 : is_sanitized() || counts_lines() ? 3 : 1)
#define FEWER(count) (((int)(count) + ONE_IN - 1) / ONE_IN)

/* A test of many seeds, SEEDS of them in one process: to start one takes longer than most of them.
 * Used as START_TEST, with `seed` for _i; a loop test of seed_runs(count) runs. */
#define SEEDS            10
#define seed_runs(count) (((int)(count) + SEEDS - 1) / SEEDS)
#define START_SEEDED_TEST(name)                                                                    \
    static void name##_with(int seed);                                                             \
    START_TEST(name)                                                                               \
    {                                                                                              \
        for (int seed = SEEDS * _i; seed < SEEDS * (_i + 1); seed++)                               \
            name##_with(seed);                                                                     \
    }                                                                                              \
    END_TEST                                                                                       \
    static void name##_with(int seed)

#endif
