#include "suites.h"

#include "headlight/text/words.h"

#include <string.h>

/* What tokenizers make of texts, how it is told, and where it is put together again: a blank before
 * a piece that goes on would be wrong, a bar before one that begins a word. */
static const struct {
    const char *labels[8]; /* up to the first NULL */
    const char *begins;    /* by piece: "1" begins a word, "0" goes on */
    enum word_marks marks;
} texts[] = {
    /* WordPiece */
    {{"time", "fl", "##ies"}, "110", WORD_MARKS_CONTINUE},
    {{"un", "##want", "##ed", "guests"}, "1001", WORD_MARKS_CONTINUE},
    {{"##ies", "##ies"}, "10", WORD_MARKS_CONTINUE},       /* nothing is there to go on with */
    {{"it", "'", "s", "."}, "1111", WORD_MARKS_CONTINUE},  /* no mark: a word each */
    {{"a", "##-", "##b"}, "100", WORD_MARKS_CONTINUE},     /* marked punctuation goes on */
    {{"##", "a", "##", "b"}, "1111", WORD_MARKS_CONTINUE}, /* the sign itself */
    {{"#", "###"}, "10", WORD_MARKS_CONTINUE},             /* "##" */
    {{"na", "##ï", "##ve"}, "100", WORD_MARKS_CONTINUE},
    {{"日", "本", "##語"}, "110", WORD_MARKS_CONTINUE},
    {{"Ġ", "##anna"}, "10", WORD_MARKS_CONTINUE}, /* a letter of Maltese, were it not for "##" */
    /* byte-level BPE */
    {{"time", "Ġfl", "ies"}, "110", WORD_MARKS_BEGIN},
    {{"It", "'s", "Ġme", "."}, "1111", WORD_MARKS_BEGIN},
    {{"Ġ(", "a", "bc", ")"}, "1101", WORD_MARKS_BEGIN}, /* punctuation ends a word, too */
    {{"Ġna", "Ã¯", "ve"}, "100", WORD_MARKS_BEGIN},
    {{"##", "ĠTi", "tle"}, "110", WORD_MARKS_BEGIN}, /* a heading in Markdown */
    {{"Ġ", "Ġa"}, "11", WORD_MARKS_BEGIN},           /* two blanks */
    /* unigram */
    {{"▁time", "▁fl", "ies", "!"}, "1101", WORD_MARKS_BEGIN},
    {{"▁", "日本", "語"}, "100", WORD_MARKS_BEGIN},
    {{"▁日本", "。", "次", "、", "は"}, "11111", WORD_MARKS_BEGIN}, /* of any script */
    {{"▁word。", "next", "«", "mot"}, "1111", WORD_MARKS_BEGIN},    /* at either end of it */
    /* decoded */
    {{"time", " fl", "ies"}, "110", WORD_MARKS_BEGIN},
    {{" über", "all", " ", "x"}, "1010", WORD_MARKS_BEGIN},
    /* nothing to tell it by */
    {{"a", "b"}, "11", WORD_MARKS_CONTINUE},
    {{"", ""}, "11", WORD_MARKS_CONTINUE},
    {{"Ġa", "", "b"}, "100", WORD_MARKS_BEGIN},
    {{NULL}, "", WORD_MARKS_CONTINUE},
};

TEST(pieces_make_words, .times = COUNT(texts))
{
    const char *const *labels = texts[_i].labels;
    size_t count = 0;
    while (labels[count])
        count++;
    ck_assert_uint_eq(strlen(texts[_i].begins), count);
    ck_assert_int_eq(words_marks(labels, count), texts[_i].marks);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(words_continue(labels, NULL, i, texts[_i].marks) ==
                          (texts[_i].begins[i] == '0'),
                      "text %d, piece %zu: \"%s\"", _i, i, labels[i]);
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

TEST(parts_are_pieces_without_their_mark, .times = 14)
{
    static const struct {
        const char *label;
        bool continues;
        enum word_marks marks;
        const char *part;
    } cases[] = {
        {"fl", false, WORD_MARKS_CONTINUE, "fl"},
        {"##ies", true, WORD_MARKS_CONTINUE, "ies"},
        {"##ies", false, WORD_MARKS_CONTINUE, "##ies"}, /* the word's beginning isn't there */
        {"####", true, WORD_MARKS_CONTINUE, "##"},
        {"##語", true, WORD_MARKS_CONTINUE, "語"},
        {"Ġfl", false, WORD_MARKS_CONTINUE, "Ġfl"}, /* no mark of this kind */
        {"", false, WORD_MARKS_CONTINUE, ""},
        {"Ġfl", false, WORD_MARKS_BEGIN, "fl"},
        {"ies", true, WORD_MARKS_BEGIN, "ies"},
        {"▁fl", false, WORD_MARKS_BEGIN, "fl"},
        {" fl", false, WORD_MARKS_BEGIN, "fl"},
        {"  fl", false, WORD_MARKS_BEGIN, " fl"}, /* one mark, one blank */
        {"##", false, WORD_MARKS_BEGIN, "##"},
        {"", true, WORD_MARKS_BEGIN, ""},
    };
    ck_assert_str_eq(words_part(cases[_i].label, cases[_i].continues, cases[_i].marks),
                     cases[_i].part);
}

TEST(labels_of_special_tokens, .times = 18)
{
    static const struct {
        const char *label;
        bool special, separator;
    } cases[] = {
        {"[CLS]", true, false},  {"[SEP]", true, true},    {"[PAD]", true, false},
        {"<s>", true, false},    {"</s>", true, true},     {"<cls>", true, false},
        {"<sep>", true, true},   {"<pad>", true, false},   {"<bos>", true, false},
        {"<eos>", true, true},   {"[MASK]", false, false}, {"[UNK]", false, false},
        {"[sep]", false, false}, {"[SEP", false, false},   {"[SEP]]", false, false},
        {"", false, false},      {"sep", false, false},    {"<|endoftext|>", true, false},
    };
    ck_assert(words_is_special(cases[_i].label) == cases[_i].special);
    ck_assert(words_is_separator(cases[_i].label) == cases[_i].separator);
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
