/* What is asked when a name isn't there. */
#include "suites.h"

#include "headlight/base/format.h"
#include "headlight/base/near.h"

#include <string.h>

static const struct {
    const char *asked, *names[4], *best; /* "": nothing is near enough */
} names[] = {
    {"vew", {"layer", "view"}, "view"},
    {"stpes", {"head", "view", "steps", "words"}, "steps"},
    {"veiw", {"view"}, "view"}, /* two letters swapped are one step */
    {"Roberta-Tiny", {"roberta-tiny"}, "roberta-tiny"},
    {"roberta-tinny", {"roberta", "roberta-tiny"}, "roberta-tiny"},
    {"matrix3", {"model", "matrix"}, "matrix"},
    {"bert-base-cased", {"bert-base-uncased"}, "bert-base-uncased"},
    {"haed", {"head", "heads"}, "head"},
    {"heat", {"head", "heap"}, "head"}, /* the first of those that are as near */
    {"off", {"on", "none"}, ""},
    {"pink", {"dark", "light"}, ""},
    {"", {"a"}, ""},
    {"a", {"b", ""}, ""},
    {"a sentence of any length", {"another one of any length"}, ""},
    {"[", {"{"}, ""},
};

TEST(the_nearest_name_is_asked_for, .times = COUNT(names))
{
    struct error error;
    char expected[120] = "none", list[120] = "";
    struct near near = near_to(names[_i].asked);
    for (int i = 0; i < 4 && names[_i].names[i]; i++) {
        near_offer(&near, names[_i].names[i]);
        const bool last = i == 3 || !names[_i].names[i + 1];
        format_add(list, sizeof list, "%s%s",
                   i == 0 ? ""
                   : last ? " or "
                          : ", ",
                   names[_i].names[i]);
    }
    ck_assert_str_eq(near_names(&near), list);
    ck_assert_str_eq(near.best, names[_i].best);
    error_write(&error, STATUS_USAGE, "none");
    ck_assert_int_eq(near_add(&near, &error), STATUS_USAGE);
    if (*names[_i].best)
        snprintf(expected, sizeof expected, "none (did you mean \"%s\"?)", names[_i].best);
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
