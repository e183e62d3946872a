#include "headlight/base/file.h"
#include "headlight/text/tokenizer.h"

#include "opening.h"
#include "suites.h"
#include "text_helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VECTORS    "tests/vectors/tokenizer/"
#define CASES      1438 /* in cases.tsv */
#define FILE_LIMIT ((size_t)1 << 20)

#define UNCASED NULL
#define CASED   "{\"do_lower_case\": false}"

static const char small[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n"
                            "a\nb\ncafe\ncat\n##s\n##b\ni\nistanbul\n中\n文\n,\n[\n]\nmask\n.\n$\n"
                            "É\n##é\nσ\n##σ\n##ς\nunaffable\nun\n##aff\n##able\n##\nα\n##ο\n";

static struct tokenizer *make(const char *vocabulary, const char *settings)
{
    struct tokenizer *tokenizer;
    struct error error = {0};
    ck_assert_msg(tokenizer_of_vocabulary(text_family("bert"), text_of(vocabulary),
                                          text_of(settings), &tokenizer, &error) == STATUS_OK,
                  "%s", error.message);
    return tokenizer;
}

/* Each token as "piece 0:3", "+" before one that was put in, "|" before the second sentence. */
static void describe(const struct tokenizer *tokenizer, const struct encoding *encoding, char *out,
                     size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < encoding->count && used < size; i++) {
        const struct token *token = &encoding->tokens[i];
        bool turns = i > 0 && token->sentence != token[-1].sentence;
        used += (size_t)snprintf(out + used, size - used, "%s%s%s%s %zu:%zu", i > 0 ? " " : "",
                                 turns ? "| " : "", token->added ? "+" : "",
                                 tokenizer_piece(tokenizer, token->id), token->span.start,
                                 token->span.end);
    }
}

static void expect_bytes(const char *settings, const char *bytes, size_t length,
                         const char *expected)
{
    char got[2048];
    struct tokenizer *tokenizer = make(small, settings);
    struct encoding *encoding = text_encode(tokenizer, &(struct text){bytes, length}, 1, false);
    describe(tokenizer, encoding, got, sizeof got);
    ck_assert_str_eq(got, expected);
    free(encoding);
    tokenizer_free(tokenizer);
}

#define EXPECT(settings, text, expected) expect_bytes(settings, text, sizeof(text) - 1, expected)

static void expect_pair(const char *a, const char *b, bool special, const char *expected)
{
    char got[2048];
    struct text texts[] = {text_of(a), text_of(b)};
    struct tokenizer *tokenizer = make(small, UNCASED);
    struct encoding *encoding = text_encode(tokenizer, texts, b ? 2 : 1, special);
    describe(tokenizer, encoding, got, sizeof got);
    ck_assert_str_eq(got, expected);
    free(encoding);
    tokenizer_free(tokenizer);
}

/* ---- The reference's cases --------------------------------------------------------------- */

static struct tokenizer *open_vocabulary(const char *path, const char *settings)
{
    char *bytes;
    size_t length;
    struct error error = {0};
    ck_assert_msg(file_read(path, FILE_LIMIT, &bytes, &length, &error) == STATUS_OK, "%s",
                  error.message);
    struct tokenizer *tokenizer = make(bytes, settings);
    free(bytes);
    return tokenizer;
}

TEST(reference_cases)
{
    char *bytes, *rest, *line;
    size_t length;
    int count = 0;
    struct error error = {0};
    struct tokenizer *uncased = open_vocabulary(VECTORS "uncased.vocab.txt", UNCASED);
    struct tokenizer *cased = open_vocabulary(VECTORS "cased.vocab.txt", CASED);
    ck_assert_uint_eq(tokenizer_size(uncased), 30522);
    ck_assert_uint_eq(tokenizer_size(cased), 28996);
    ck_assert_msg(file_read(VECTORS "cases.tsv", FILE_LIMIT, &bytes, &length, &error) == STATUS_OK,
                  "%s", error.message);
    for (rest = bytes; (line = strsep(&rest, "\n")) && *line != '\0'; count++) {
        char *first = strchr(line, '\t'), *second = first ? strchr(first + 1, '\t') : NULL;
        ck_assert_ptr_nonnull(second);
        *first = *second = '\0';
        struct text text = text_unescape(line);
        text_expect_ids(uncased, text, first + 1, count + 1);
        text_expect_ids(cased, text, second + 1, count + 1);
    }
    ck_assert_int_eq(count, CASES);
    free(bytes);
    tokenizer_free(uncased);
    tokenizer_free(cased);
}

/* ---- Spans ------------------------------------------------------------------------------- */

/* What is given as words stays so: a text of them has the pieces of each by itself. */
TEST(words_between_blanks_are_read_by_themselves)
{
    static const char *const words[] = {
        "cats.", "unaffable",          "[MASK]", "caf\xC3\xA9s", "$",
        "[b]",   "\xE4\xB8\xAD\143at", "nothing"};
    char joined[120] = "";
    struct tokenizer *tokenizer = make(small, UNCASED);
    int32_t ids[40];
    size_t count = 0;
    for (int i = 0; i < COUNT(words); i++) {
        struct encoding *encoding =
            text_encode(tokenizer, &(struct text){words[i], strlen(words[i])}, 1, false);
        for (size_t j = 0; j < encoding->count; j++)
            ids[count++] = encoding->tokens[j].id;
        free(encoding);
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i > 0 ? " " : "",
                 words[i]);
    }
    struct encoding *encoding =
        text_encode(tokenizer, &(struct text){joined, strlen(joined)}, 1, false);
    ck_assert_uint_eq(encoding->count, count);
    for (size_t j = 0; j < count; j++)
        ck_assert_int_eq(encoding->tokens[j].id, ids[j]);
    free(encoding);
    tokenizer_free(tokenizer);
}

TEST(spans_of_words_and_pieces)
{
    EXPECT(UNCASED, "a b", "a 0:1 b 2:3");
    EXPECT(UNCASED, "  Cats, a ", "cat 2:5 ##s 5:6 , 6:7 a 8:9");
    EXPECT(UNCASED, "unAFFable", "unaffable 0:9");
    EXPECT(UNCASED, "unaffables", "unaffable 0:9 ##s 9:10");
    EXPECT(UNCASED, "b unables", "b 0:1 un 2:4 ##able 4:8 ##s 8:9");
    EXPECT(UNCASED, "$a.b", "$ 0:1 a 1:2 . 2:3 b 3:4");
    EXPECT(UNCASED, "", "");
    EXPECT(UNCASED, " \t\n ", "");
}

TEST(spans_of_accents)
{
    EXPECT(UNCASED, "café", "cafe 0:5");
    EXPECT(UNCASED, "CAFÉs", "cafe 0:5 ##s 5:6");
    EXPECT(UNCASED, "cafe\xCC\x81s", "cafe 0:6 ##s 6:7");
    EXPECT(UNCASED, "\xC3\xA0 b", "a 0:2 b 3:4");
    EXPECT(UNCASED, "a\xCC\x80\xCC\x81 b", "a 0:5 b 6:7");
    EXPECT(CASED, "Éé", "É 0:2 ##é 2:4");
    EXPECT(CASED, "E\xCC\x81", "[UNK] 0:3"); /* not composed */
    EXPECT(UNCASED, "\xCC\x81", "");
}

TEST(spans_where_lower_case_is_longer)
{
    EXPECT(UNCASED, "İstanbul b", "istanbul 0:9 b 10:11");
    EXPECT(UNCASED, "İ", "i 0:2");
    EXPECT("{\"strip_accents\": false}", "aİ b", "[UNK] 0:3 b 4:5");
}

TEST(spans_of_ideographs)
{
    EXPECT(UNCASED, "a中文b", "a 0:1 中 1:4 文 4:7 b 7:8");
    EXPECT("{\"tokenize_chinese_chars\": false}", "中文", "[UNK] 0:6");
    EXPECT(UNCASED, "中\xF0\xA0\x80\x80", "中 0:3 [UNK] 3:7");
}

TEST(spans_around_dropped_bytes)
{
    EXPECT(UNCASED, "c\0at\0s", "cat 0:4 ##s 5:6");
    EXPECT(UNCASED,
           "c\xC2\xAD"
           "at",
           "cat 0:5");
    EXPECT(UNCASED, "a\xFF\xFE b", "a 0:1 b 4:5");
    EXPECT(UNCASED,
           "\xEF\xBF\xBD\xEF\xBB\xBF"
           "a\xE4\xB8",
           "a 6:7");
    EXPECT(UNCASED, "\0\0\0", "");
}

TEST(unknown_words)
{
    EXPECT(UNCASED, "cat xyz cat", "cat 0:3 [UNK] 4:7 cat 8:11");
    EXPECT(UNCASED, "catx,b", "[UNK] 0:4 , 4:5 b 5:6");
    EXPECT(UNCASED, "##s", "[UNK] 0:1 [UNK] 1:2 [UNK] 2:3");
    EXPECT(UNCASED, "a\xEE\x80\x80 \xCD\xB8", "a 0:1 [UNK] 5:7"); /* private use, unassigned */
}

TEST(sigma_does_not_depend_on_its_place)
{
    EXPECT(UNCASED, "Σ ΑΟΣ", "σ 0:2 α 3:5 ##ο 5:7 ##σ 7:9");
}

/* The limit counts the code points that are left after the accents went. */
TEST(words_of_a_hundred_code_points)
{
    const char *units[] = {"b", "b\xCC\x81"};
    struct tokenizer *tokenizer = make(small, UNCASED);
    for (size_t i = 0; i < 2; i++) {
        char word[303];
        size_t size = strlen(units[i]);
        for (size_t at = 0; at < 101; at++)
            memcpy(word + at * size, units[i], size);
        for (size_t count = 99; count <= 101; count++) {
            struct text text = {word, count * size};
            struct encoding *encoding = text_encode(tokenizer, &text, 1, false);
            ck_assert_uint_eq(encoding->count, count <= 100 ? count : 1);
            ck_assert_uint_eq(encoding->tokens[encoding->count - 1].span.end, text.length);
            free(encoding);
        }
    }
    tokenizer_free(tokenizer);
}

/* ---- Special tokens ---------------------------------------------------------------------- */

TEST(special_tokens_in_the_text)
{
    EXPECT(UNCASED, "a [MASK] b", "a 0:1 [MASK] 2:8 b 9:10");
    EXPECT(UNCASED, "a[MASK]b", "a 0:1 [MASK] 1:7 b 7:8");
    EXPECT(UNCASED, "[SEP][CLS][UNK][PAD]", "[SEP] 0:5 [CLS] 5:10 [UNK] 10:15 [PAD] 15:20");
    EXPECT(CASED, "[MASK].", "[MASK] 0:6 . 6:7");
    EXPECT(UNCASED, "é[MASK]é", "[UNK] 0:2 [MASK] 2:8 [UNK] 8:10");
    EXPECT(UNCASED, "cat[SEP]s", "cat 0:3 [SEP] 3:8 [UNK] 8:9");
}

TEST(what_only_looks_special)
{
    EXPECT(UNCASED, "[mask]", "[ 0:1 mask 1:5 ] 5:6");
    EXPECT(UNCASED, "[MASK", "[ 0:1 mask 1:5");
    EXPECT(UNCASED, "[[MASK]]", "[ 0:1 [MASK] 1:7 ] 7:8");
    EXPECT(UNCASED, "[MA\0SK]", "[ 0:1 mask 1:6 ] 6:7");
    EXPECT(UNCASED, "[", "[ 0:1");
}

TEST(special_tokens_of_the_settings)
{
    char got[256];
    const char *settings = "{\"mask_token\": \"[M]\", \"pad_token\": \"[M]M\", \"unk_token\": "
                           "{\"content\": \"?!\"}}";
    struct tokenizer *tokenizer = make("?!\n[M]\n[M]M\na\n[MASK]\n", settings);
    ck_assert_int_eq(tokenizer_mask(tokenizer), 1);
    ck_assert_int_eq(tokenizer_unknown(tokenizer), 0);
    struct text text = text_of("a[M]x[M]M[MASK]");
    struct encoding *encoding = text_encode(tokenizer, &text, 1, false);
    describe(tokenizer, encoding, got, sizeof got);
    ck_assert_str_eq(got, "a 0:1 [M] 1:4 ?! 4:5 [M]M 5:9 ?! 9:10 ?! 10:14 ?! 14:15");
    free(encoding);
    tokenizer_free(tokenizer);
}

TEST(framing)
{
    expect_pair("a b", NULL, true, "+[CLS] 0:0 a 0:1 b 2:3 +[SEP] 3:3");
    expect_pair("a", "b cats", true,
                "+[CLS] 0:0 a 0:1 +[SEP] 1:1 | b 0:1 cat 2:5 ##s 5:6 +[SEP] 6:6");
    expect_pair("a", "b", false, "a 0:1 | b 0:1");
    expect_pair("", NULL, true, "+[CLS] 0:0 +[SEP] 0:0");
    expect_pair("", "", true, "+[CLS] 0:0 +[SEP] 0:0 | +[SEP] 0:0");
    expect_pair("", "b", true, "+[CLS] 0:0 +[SEP] 0:0 | b 0:1 +[SEP] 1:1");
    expect_pair("", "", false, "");
    expect_pair("a [SEP] b", NULL, true, "+[CLS] 0:0 a 0:1 [SEP] 2:7 b 8:9 +[SEP] 9:9");
}

TEST(a_text_that_brings_the_first_token)
{
    static const struct {
        const char *text;
        bool special, twice;
    } cases[] = {{"[CLS] a", true, true},   {"  [CLS]", true, true}, {"a [CLS]", true, false},
                 {"[CLS] a", false, false}, {"", true, false},       {"[SEP]", true, false}};
    struct tokenizer *tokenizer = make(small, UNCASED);
    for (int i = 0; i < COUNT(cases); i++) {
        struct text text = text_of(cases[i].text);
        struct encoding *encoding = text_encode(tokenizer, &text, 1, cases[i].special);
        ck_assert(encoding_begins_twice(encoding) == cases[i].twice);
        free(encoding);
    }
    tokenizer_free(tokenizer);
}

TEST(segments_are_zero_through_the_first_separator)
{
    struct text texts[] = {text_of("a b"), text_of("cat")};
    const uint8_t segments[] = {0, 0, 0, 0, 1, 1};
    struct tokenizer *tokenizer = make(small, UNCASED);
    struct encoding *encoding = text_encode(tokenizer, texts, 2, true);
    ck_assert_uint_eq(encoding->count, sizeof segments);
    for (size_t i = 0; i < sizeof segments; i++)
        ck_assert_uint_eq(encoding->tokens[i].sentence, segments[i]);
    free(encoding);
    tokenizer_free(tokenizer);
}

/* ---- Refusals ---------------------------------------------------------------------------- */

static void expect_mismatch(const char *vocabulary, const char *setting)
{
    struct encoding *encoding;
    struct error error = {0};
    struct text text = text_of("a");
    struct tokenizer *tokenizer = make(vocabulary, UNCASED);
    ck_assert_int_eq(tokenizer_encode(tokenizer, &text, 1, true, &encoding, &error),
                     STATUS_MISMATCH);
    ck_assert_ptr_null(encoding);
    ck_assert_ptr_nonnull(strstr(error.message, setting));
    encoding = text_encode(tokenizer, &text, 1, false);
    ck_assert_uint_eq(encoding->count, 1);
    free(encoding);
    tokenizer_free(tokenizer);
}

TEST(missing_special_tokens)
{
    expect_mismatch("[UNK]\n[SEP]\na\n", "cls_token");
    expect_mismatch("[UNK]\n[CLS]\na\n", "sep_token");
    struct tokenizer *tokenizer = make("[UNK]\n", UNCASED);
    ck_assert_int_eq(tokenizer_mask(tokenizer), -1);
    tokenizer_free(tokenizer);
}

static void expect_refused(const char *vocabulary, const char *settings, enum status status,
                           const char *part)
{
    struct error error = {0};
    struct tokenizer *tokenizer;
    ck_assert_int_eq(tokenizer_of_vocabulary(text_family("bert"), text_of(vocabulary),
                                             text_of(settings), &tokenizer, &error),
                     status);
    ck_assert_ptr_null(tokenizer);
    ck_assert_msg(strstr(error.message, part) != NULL, "%s", error.message);
}

TEST(refused_files)
{
    expect_refused("a\nb\n", NULL, STATUS_FORMAT, "[UNK]");
    expect_refused("[UNK]\n", "{\"unk_token\": \"<unk>\"}", STATUS_FORMAT, "<unk>");
    expect_refused("", NULL, STATUS_FORMAT, "x/vocab.txt");
    expect_refused("[UNK]\n\xC3(\n", NULL, STATUS_FORMAT, "piece 2");
    expect_refused(small, "{\"tokenizer_class\": \"RobertaTokenizer\"}", STATUS_UNSUPPORTED,
                   "RobertaTokenizer");
    expect_refused(small, "{\"do_lower_case\": 1}", STATUS_FORMAT, "do_lower_case");
    expect_refused(small, "nonsense", STATUS_FORMAT, "x/tokenizer_config.json");
    tokenizer_free(NULL);
}

TEST(other_counts_of_texts)
{
    struct encoding *encoding;
    struct error error = {0};
    struct text texts[3] = {{NULL, 0}};
    struct tokenizer *tokenizer = make(small, UNCASED);
    ck_assert_int_eq(tokenizer_encode(tokenizer, texts, 0, true, &encoding, &error), STATUS_USAGE);
    ck_assert_int_eq(tokenizer_encode(tokenizer, texts, 3, true, &encoding, &error), STATUS_USAGE);
    ck_assert_ptr_null(encoding);
    tokenizer_free(tokenizer);
}

/* ---- Size -------------------------------------------------------------------------------- */

/* The unit, again and again, up to so many bytes: time that grew with their square would be seen.
 */
#define LONG 250000

static void expect_tokens(const char *unit, size_t expected)
{
    const size_t length = LONG / strlen(unit) * strlen(unit);
    char *bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < length; i++)
        bytes[i] = unit[i % strlen(unit)];
    struct tokenizer *tokenizer = make(small, UNCASED);
    struct encoding *encoding = text_encode(tokenizer, &(struct text){bytes, length}, 1, false);
    ck_assert_uint_eq(encoding->count, expected);
    if (expected == 1)
        ck_assert_uint_eq(encoding->tokens[0].span.end, length);
    free(encoding);
    tokenizer_free(tokenizer);
    free(bytes);
}

TEST(long_texts)
{
    expect_tokens("b", 1);
    expect_tokens("é", 1);
    expect_tokens("[MASK]", 41666);
    expect_tokens("[", LONG);
    expect_tokens("中", 83333);
    expect_tokens("\xFF", 0);
    expect_tokens("\xCC\x81", 0);
    expect_tokens("unaffab ", 31250);
}

TEST(a_long_line_of_words)
{
    const size_t words = 25000;
    char *bytes = malloc(4 * words);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < words; i++)
        memcpy(bytes + 4 * i, "cat ", 4);
    struct tokenizer *tokenizer = make(small, UNCASED);
    struct encoding *encoding = text_encode(tokenizer, &(struct text){bytes, 4 * words}, 1, true);
    ck_assert_uint_eq(encoding->count, words + 2);
    for (size_t i = 0; i < words; i++) {
        ck_assert_uint_eq(encoding->tokens[i + 1].span.start, 4 * i);
        ck_assert_uint_eq(encoding->tokens[i + 1].span.end, 4 * i + 3);
    }
    free(encoding);
    tokenizer_free(tokenizer);
    free(bytes);
}
