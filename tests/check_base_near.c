/* What is asked when a name isn't there. */
#include "rows.h"
#include "suites.h"

#include "headlight/base/format.h"
#include "headlight/base/near.h"

#include <string.h>

ROW_TEST(the_nearest_name_is_asked_for, "near")
{
    struct error error;
    char expected[120] = "none", list[120] = "";
    struct near near = near_to(row[0]);
    for (size_t i = 2; row[i]; i++) {
        near_offer(&near, row[i]);
        format_add(list, sizeof list, "%s%s", i == 2 ? "" : row[i + 1] ? ", " : " or ", row[i]);
    }
    ck_assert_str_eq(near_names(&near), list);
    ck_assert_str_eq(near.best, row[1]);
    error_write(&error, STATUS_USAGE, "none");
    ck_assert_int_eq(near_add(&near, &error), STATUS_USAGE);
    if (*row[1])
        snprintf(expected, sizeof expected, "none (did you mean \"%s\"?)", row[1]);
    ck_assert_str_eq(error.message, expected);
}

TEST(names_of_any_length_are_taken)
{
    static char name[200];
    for (size_t length = NEAR_LETTERS - 1; length < NEAR_LETTERS + 2; length++) {
        memset(name, 'a', sizeof name);
        name[length] = '\0';
        struct near near = near_to(name);
        near_offer(&near, name);
        ck_assert_uint_eq(strlen(near.best), length <= NEAR_LETTERS ? length : 0);
        near = near_to("a");
        near_offer(&near, name);
        ck_assert_str_eq(near.best, "");
        for (int i = 0; i < 9; i++)
            near_offer(&near, name);
        ck_assert_uint_lt(strlen(near_names(&near)), sizeof near.names);
    }
}
