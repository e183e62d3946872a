/* rows.h: tables of cases as files tests/rows/NAME.txt, one case a line:
 *
 *     % what the members are
 *     "hidden_size":0 => FORMAT => hidden_size => found 0
 *
 * " => " divides the members. ⏎ stands for the end of a line, ⇥ for a tab, <FF> for a byte,
 * ∅ for an empty member. Every function fails the running test when it cannot do it. */
#pragma once

#include "headlight/base/error.h"
#include "suites.h"

#define ROW_MEMBERS 16

int rows_count(const char *name);

/* Its members, NULL behind the last, until the next call. */
const char *const *row_at(const char *name, int index);

/* Used as TEST, with `row` for the members of one case. */
#define ROW_TEST(title, file, ...)                                                                 \
    static void title##_of(const char *const *row);                                                \
    TEST(title, .times = rows_count(file), __VA_ARGS__)                                            \
    {                                                                                              \
        title##_of(row_at(file, _i));                                                              \
    }                                                                                              \
    static void title##_of(const char *const *row)

/* A status by its name: "FORMAT". */
enum status status_named(const char *name);

/* That each of `parts`, which ends with NULL, is in a text. */
void assert_has_parts(const char *text, const char *const *parts);

/* That a call failed with the status that is named first, and a message that has what follows. */
void assert_refused(enum status status, const struct error *error, const char *const *expected);
