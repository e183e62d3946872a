/* suites.h: what the test files share. Each tests/check_FLOOR_MODULE.c exports one Suite. */
#ifndef HEADLIGHT_TESTS_SUITES_H
#define HEADLIGHT_TESTS_SUITES_H

#include <check.h>

#define SUITE(name) Suite *suite_##name(void);
#include "suites.inc"
#undef SUITE

/* Under a sanitizer all takes some five times as long: where many like cases are tried, only one of
 * so many is tried there. */
#if defined(__SANITIZE_ADDRESS__)
#define ONE_IN 3
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_IN 3
#endif
#endif
#ifndef ONE_IN
#define ONE_IN 1
#endif

#endif
