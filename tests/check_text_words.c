#include "rows.h"
#include "suites.h"

#include "headlight/text/words.h"

#include <string.h>

/* What tokenizers make of texts, how it is told, and where it is put together again: a blank before
 * a piece that goes on would be wrong, a bar before one that begins a word. */

static enum word_marks marks_named(const char *name)
{
    return strcmp(name, "begin") == 0 ? WORD_MARKS_BEGIN : WORD_MARKS_CONTINUE;
}

ROW_TEST(pieces_make_words, "words")
{
    const enum word_marks marks = marks_named(row[0]);
    const char *const *labels = row + 2;
    const size_t count = strlen(row[1]);
    ck_assert_ptr_null(labels[count]);
    ck_assert_int_eq(words_marks(labels, count), marks);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(words_continue(labels, NULL, i, marks) == (row[1][i] == '0'),
                      "piece %zu: \"%s\"", i, labels[i]);
}

/* Neither a special token nor what follows one goes on with a word, whatever the mark says. */
TEST(special_tokens_stand_alone)
{
    const char *const wordpiece[] = {"a", "##b", "##c", "##d"}, *const bpe[] = {"Ġa", "b", "c",
                                                                                "d"};
    const bool special[] = {false, true, false, false};
    static const bool expected[] = {false, false, false, true};
    for (size_t i = 0; i < 4; i++) {
        ck_assert(words_continue(wordpiece, special, i, WORD_MARKS_CONTINUE) == expected[i]);
        ck_assert(words_continue(bpe, special, i, WORD_MARKS_BEGIN) == expected[i]);
    }
}

ROW_TEST(parts_are_pieces_without_their_mark, "words_parts")
{
    ck_assert_str_eq(words_part(row[0], strcmp(row[1], "yes") == 0, marks_named(row[2])), row[3]);
}

ROW_TEST(labels_of_special_tokens, "words_special")
{
    ck_assert(words_is_special(row[0]) == (strcmp(row[1], "yes") == 0));
    ck_assert(words_is_separator(row[0]) == (strcmp(row[2], "yes") == 0));
}

TEST(labels_that_say_no_word)
{
    static const char *const none[] = {"[MASK]", "[UNK]", "<mask>", "<unk>", "[SEP]", "<s>"},
                             *const words[] = {"mask", "[", "##s", "[mask]", "Ġthe"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!words_is_known(none[i]), "%s", none[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(words_is_known(words[i]), "%s", words[i]);
}
