/* check.h: as much of Check as the suites of the tensor floor use, for a processor that the library
 * is not there for. A test runs when it is added, and the first that fails ends the program. */
#ifndef HEADLIGHT_TESTS_PORTABLE_CHECK_H
#define HEADLIGHT_TESTS_PORTABLE_CHECK_H

#include <stddef.h>
#include <string.h>

typedef const char Suite, TCase;

void check_run(const char *name, void (*test)(int run), int first, int end);
_Noreturn void check_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define START_TEST(name) static void name(int _i __attribute__((unused)))
#define END_TEST

#define suite_create(name)                            (name)
#define suite_add_tcase(suite, tests)                 ((void)(suite), (void)(tests))
#define tcase_create(name)                            (name)
#define tcase_set_tags(tests, tags)                   ((void)(tests))
#define tcase_set_timeout(tests, seconds)             ((void)(tests))
#define tcase_add_test(tests, test)                   check_run(#test, test, 0, 1)
#define tcase_add_loop_test(tests, test, first, last) check_run(#test, test, first, (int)(last))

#define ck_abort_msg(...)            check_fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_assert(holds)             ((holds) ? (void)0 : ck_abort_msg("%s", #holds))
#define ck_assert_double_eq(a, b)    ck_assert((a) == (b))
#define ck_assert_float_eq(a, b)     ck_assert((a) == (b))
#define ck_assert_int_eq(a, b)       ck_assert((a) == (b))
#define ck_assert_mem_eq(a, b, size) ck_assert(memcmp(a, b, size) == 0)
#define ck_assert_ptr_eq(a, b)       ck_assert((a) == (b))
#define ck_assert_ptr_ne(a, b)       ck_assert((a) != (b))
#define ck_assert_ptr_nonnull(a)     ck_assert((a) != NULL)
#define ck_assert_str_eq(a, b)       ck_assert(strcmp(a, b) == 0)
#define ck_assert_str_ne(a, b)       ck_assert(strcmp(a, b) != 0)
#define ck_assert_uint_eq(a, b)      ck_assert((a) == (b))
#define ck_assert_uint_ge(a, b)      ck_assert((a) >= (b))
#define ck_assert_uint_le(a, b)      ck_assert((a) <= (b))

#endif
