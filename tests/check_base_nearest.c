/* What is asked when a name isn't there. */
#include "rows.h"
#include "suites.h"

#include "headlight/base/format.h"
#include "headlight/base/nearest.h"

#include <string.h>

ROW_TEST(the_nearest_name_is_asked_for, "near")
{
    struct error error;
    char expected[120] = "none", list[120] = "";
    struct nearest nearest = nearest_to(row[0]);
    for (size_t i = 2; row[i]; i++) {
        nearest_offer(&nearest, row[i]);
        format_add(list, sizeof list, "%s%s", i == 2 ? "" : row[i + 1] ? ", " : " or ", row[i]);
    }
    ck_assert_str_eq(nearest_names(&nearest), list);
    ck_assert_str_eq(nearest.best, row[1]);
    error_write(&error, STATUS_USAGE, "none");
    ck_assert_int_eq(nearest_suggest(&nearest, &error), STATUS_USAGE);
    if (*row[1])
        snprintf(expected, sizeof expected, "none (did you mean \"%s\"?)", row[1]);
    ck_assert_str_eq(error.message, expected);
}

TEST(names_of_any_length_are_taken)
{
    static char name[200];
    for (size_t length = NEAREST_LETTERS - 1; length < NEAREST_LETTERS + 2; length++) {
        memset(name, 'a', sizeof name);
        name[length] = '\0';
        struct nearest nearest = nearest_to(name);
        nearest_offer(&nearest, name);
        ck_assert_uint_eq(strlen(nearest.best), length <= NEAREST_LETTERS ? length : 0);
        nearest = nearest_to("a");
        nearest_offer(&nearest, name);
        ck_assert_str_eq(nearest.best, "");
        for (int i = 0; i < 9; i++)
            nearest_offer(&nearest, name);
        ck_assert_uint_lt(strlen(nearest_names(&nearest)), sizeof nearest.names);
    }
}
