/* suites.h: what the test files share. Each tests/check_FLOOR_MODULE.c exports one Suite. */
#ifndef HEADLIGHT_TESTS_SUITES_H
#define HEADLIGHT_TESTS_SUITES_H

#include <check.h>

#define SUITE(name) Suite *suite_##name(void);
#include "suites.inc"
#undef SUITE

#endif
