/* The texts that were shown: adding, going back and on, the limit. */
#include "suites.h"

#include "headlight/session/edit.h"

#include <stdio.h>
#include <string.h>

static struct history history;

static void end(void)
{
    history_free(&history);
}

TESTS(.end = end);

/* Texts of the caller's, which nothing writes to; the history copies them. */
static struct pair pair_of(const char *first, const char *second)
{
    return (struct pair){{(char *)first, (char *)second}};
}

static void add(const char *first, const char *second)
{
    struct pair pair = pair_of(first, second);
    history_add(&history, &pair);
}

/* NULL: there must be no more that way. */
static void check_go(int step, const char *first)
{
    const struct pair *pair = history_go(&history, step);
    ck_assert_pstr_eq(pair ? pair->texts[0] : NULL, first);
}

TEST(an_empty_history_leads_nowhere)
{
    check_go(-1, NULL);
    check_go(1, NULL);
    ck_assert_ptr_null(history_recall(&history, 0));
    history_free(&history);
}

TEST(back_and_on)
{
    add("one", NULL);
    add("two", "zwei");
    add("three", NULL);
    check_go(1, NULL);
    check_go(-1, "two");
    ck_assert_str_eq(history.pairs[history.at].texts[1], "zwei");
    check_go(-1, "one");
    check_go(-1, NULL);
    check_go(-1, NULL); /* stays at the end */
    check_go(1, "two");
    check_go(1, "three");
    check_go(1, NULL);
}

/* What was gone back over is kept, and the text before the new one is the one that was shown. */
TEST(a_text_added_after_going_back)
{
    add("one", NULL);
    add("two", NULL);
    check_go(-1, "one");
    add("three", NULL);
    ck_assert_uint_eq(history.count, 4);
    check_go(1, NULL);
    check_go(-1, "one");
    check_go(-1, "two");
    check_go(-1, "one");
}

TEST(the_same_text_again_is_not_added)
{
    add("one", "eins");
    add("one", "eins");
    ck_assert_uint_eq(history.count, 1);
    add("one", NULL);
    add("one", "");
    ck_assert_uint_eq(history.count, 3);
    check_go(-1, "one");
    add("one", NULL); /* where we are: there is still one to go on to */
    ck_assert_uint_eq(history.count, 3);
    ck_assert_uint_eq(history.at, 1);
    add("one", "");
    ck_assert_uint_eq(history.count, 5);
    ck_assert_uint_eq(history.at, 4);
}

TEST(texts_are_copied)
{
    char text[] = "mine";
    add(text, text);
    strcpy(text, "gone");
    ck_assert_str_eq(history.pairs[0].texts[0], "mine");
    ck_assert_str_eq(history.pairs[0].texts[1], "mine");
    ck_assert_ptr_ne(history.pairs[0].texts[0], history.pairs[0].texts[1]);
}

TEST(recall_counts_from_the_last)
{
    add("one", NULL);
    add("two", NULL);
    check_go(-1, "one"); /* wherever we are */
    ck_assert_str_eq(history_recall(&history, 0)->texts[0], "two");
    ck_assert_str_eq(history_recall(&history, 1)->texts[0], "one");
    ck_assert_ptr_null(history_recall(&history, 2));
    ck_assert_ptr_null(history_recall(&history, (size_t)-1));
}

TEST(the_oldest_are_forgotten)
{
    char text[32];
    for (int i = 0; i < HISTORY_MAX + 5; i++) {
        snprintf(text, sizeof text, "text %d", i);
        add(text, NULL);
        ck_assert_uint_eq(history.at, history.count - 1);
    }
    ck_assert_uint_eq(history.count, HISTORY_MAX);
    ck_assert_str_eq(history_recall(&history, 0)->texts[0], "text 104");
    ck_assert_str_eq(history_recall(&history, HISTORY_MAX - 1)->texts[0], "text 5");
    ck_assert_ptr_null(history_recall(&history, HISTORY_MAX));
    for (int i = HISTORY_MAX + 3; i >= 5; i--) {
        snprintf(text, sizeof text, "text %d", i);
        check_go(-1, text);
    }
    check_go(-1, NULL);
}

TEST(pairs_are_equal_text_by_text)
{
    static const struct {
        const char *a[2], *b[2];
        bool equal;
    } cases[] = {
        {{"a", NULL}, {"a", NULL}, true},   {{"a", "b"}, {"a", "b"}, true},
        {{NULL, NULL}, {NULL, NULL}, true}, {{"a", "b"}, {"a", "c"}, false},
        {{"a", "b"}, {"b", "b"}, false},    {{"a", NULL}, {"a", ""}, false},
        {{"a", "b"}, {"a", NULL}, false},   {{NULL, NULL}, {"", NULL}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pair a = pair_of(cases[i].a[0], cases[i].a[1]);
        struct pair b = pair_of(cases[i].b[0], cases[i].b[1]);
        ck_assert_int_eq(pair_equal(&a, &b), cases[i].equal);
        ck_assert_int_eq(pair_equal(&b, &a), cases[i].equal);
    }
}
