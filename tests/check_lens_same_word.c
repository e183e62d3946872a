/* Where a word stands again, however its pieces cut it up. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/lens/same_word.h"
#include "headlight/text/words.h"

#define TOKENS_MAX 32

static bool special[2][TOKENS_MAX];

/* A side of its own for each of two places. */
static struct token_side side_of(int place, const char *const *labels)
{
    size_t count = 0;
    for (; labels[count]; count++)
        special[place][count] = words_is_special(labels[count]);
    return labelled_side(count, count, labels, special[place]);
}

static void check_range(struct token_range range, size_t first, size_t end)
{
    ck_assert_uint_eq(range.first, first);
    ck_assert_uint_eq(range.end, end);
}

static const char *const pieces[] = {"[CLS]", "tired", "-",     "l", "##y",
                                     "fl",    "##ies", "[SEP]", NULL};
static const char *const marked[] = {"<s>", "Time", "Ġflies", "Ġand", "ĠFLIES", "Ġfl", "ies", NULL};

TEST(a_word_is_all_of_its_pieces)
{
    struct token_side side = side_of(0, pieces);
    check_range(same_word_of(&side, 0), 0, 1);
    check_range(same_word_of(&side, 2), 2, 3);
    check_range(same_word_of(&side, 3), 3, 5);
    check_range(same_word_of(&side, 4), 3, 5);
    check_range(same_word_of(&side, 6), 5, 7);
    side = labelled_side(side.count, 4, pieces, side.special); /* there a second sentence begins */
    check_range(same_word_of(&side, 4), 4, 5);
}

TEST(words_are_compared_by_what_they_spell)
{
    struct token_side a = side_of(0, pieces), b = side_of(1, marked);
    struct token_range flies = {5, 7}, found;
    ck_assert(same_word(&a, flies, &b, (struct token_range){2, 3}));
    ck_assert(same_word(&a, flies, &b, (struct token_range){4, 5}));
    ck_assert(same_word(&a, flies, &b, (struct token_range){5, 7}));
    ck_assert(!same_word(&a, flies, &b, (struct token_range){5, 6}));
    ck_assert(!same_word(&a, (struct token_range){5, 6}, &b, (struct token_range){2, 3}));
    ck_assert(same_word_find(&a, flies, &b, &found));
    check_range(found, 2, 3);
    ck_assert(!same_word_find(&a, (struct token_range){1, 2}, &b, &found));
}

/* The second of a word is sought among the seconds. */
TEST(a_place_is_counted)
{
    static const char *const one[] = {"a", "b", "a", "c", "a", NULL};
    static const char *const two[] = {"b", "a", "x", "a", NULL};
    struct token_side a = side_of(0, one), b = side_of(1, two);
    static const size_t from[] = {0, 2, 4}, to[] = {1, 3, 1};
    for (size_t i = 0; i < 3; i++) {
        struct token_range found;
        ck_assert(same_word_find(&a, (struct token_range){from[i], from[i] + 1}, &b, &found));
        check_range(found, to[i], to[i] + 1);
    }
}

TEST(again_goes_round)
{
    static const char *const words[] = {"a", "b", "a", "c", "a", NULL};
    static const size_t from[] = {0, 2, 4}, to[] = {2, 4, 0};
    struct token_side side = side_of(0, words);
    struct token_range found;
    for (size_t i = 0; i < 3; i++) {
        ck_assert(same_word_again(&side, (struct token_range){from[i], from[i] + 1}, &found));
        check_range(found, to[i], to[i] + 1);
    }
    ck_assert(!same_word_again(&side, (struct token_range){1, 2}, &found));
}

/* Nothing after a word changes it there: what both texts begin with is the same. */
TEST(of_what_sees_the_past_the_first_word_has_another_one)
{
    static const char *const one[] = {"the", "dog", "saw", "the", "cat", NULL};
    static const char *const two[] = {"the", "cat", "saw", "the", "dog", NULL};
    const struct token_side a = side_of(0, one), b = side_of(1, two);
    struct token_range found[2];
    ck_assert(same_word_first(&a, &b, true, found));
    check_range(found[0], 1, 2);
    check_range(found[1], 4, 5);
    ck_assert(same_word_first(&a, &a, true, found));
    check_range(found[0], 0, 1);
}

TEST(the_first_word_is_neither_special_nor_punctuation)
{
    static const char *const one[] = {"[CLS]", "(", "time", "flies", ")", "[SEP]", NULL};
    static const char *const two[] = {"[CLS]", "(", "fruit", "flies", ")", "[SEP]", NULL};
    static const char *const twice[] = {"[CLS]", ",",     ",",     "so", "and",
                                        "so",    "[SEP]", "[SEP]", NULL};
    struct token_side a = side_of(0, one), b = side_of(1, two);
    struct token_range found[2];
    ck_assert(same_word_first(&a, &b, false, found));
    check_range(found[0], 3, 4);
    check_range(found[1], 3, 4);
    ck_assert(!same_word_first(&a, NULL, false, found));
    a = side_of(0, twice);
    ck_assert(same_word_first(&a, NULL, false, found));
    check_range(found[0], 3, 4);
    check_range(found[1], 5, 6);
    ck_assert(!same_word_first(&a, &b, false, found));
}
