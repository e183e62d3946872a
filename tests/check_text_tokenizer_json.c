#include "headlight/base/file.h"
#include "headlight/text/tokenizer_reader.h"
#include "headlight/text/unicode.h"

#include "opening.h"
#include "rows.h"
#include "suites.h"
#include "text_helpers.h"

#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 20)

/* ---- Files of vectors -------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    char *bytes;
    size_t length;
    struct error error = {0};
    ck_assert_msg(file_read(path, FILE_LIMIT, &bytes, &length, &error) == STATUS_OK, "%s",
                  error.message);
    return bytes;
}

static struct tokenizer *open_folder(const char *folder, const char *model_type)
{
    char path[256];
    struct tokenizer *tokenizer;
    struct error error = {0};
    snprintf(path, sizeof path, FAMILY_FOLDER "%s", folder);
    ck_assert_msg(tokenizer_open(path, text_family(model_type), &tokenizer, &error) == STATUS_OK,
                  "%s", error.message);
    return tokenizer;
}

static long count_codes(struct text text, size_t bytes)
{
    long count = 0;
    int32_t code;
    for (size_t at = 0; at < bytes; count++)
        at += unicode_next(text.bytes + at, text.length - at, &code);
    return count;
}

static bool has_span(struct text text, const struct token *token, long start, long end)
{
    return count_codes(text, token->span.start) == start &&
           count_codes(text, token->span.end) == end;
}

/* ---- Texts ------------------------------------------------------------------------------- */

/* Ids must be those of the reference; returns whether the spans are, too. */
static bool expect_tokens(const struct tokenizer *tokenizer, struct text text, char *tokens,
                          int line)
{
    struct encoding *encoding = text_encode(tokenizer, &text, 1, false);
    size_t count = 0;
    bool same = true;
    for (char *item; (item = strsep(&tokens, " ")) && *item; count++) {
        int id;
        long start, end;
        ck_assert_int_eq(sscanf(item, "%d,%ld,%ld", &id, &start, &end), 3);
        ck_assert_msg(count < encoding->count && encoding->tokens[count].id == id,
                      "line %d, token %zu: expected %d %s", line, count, id,
                      tokenizer_piece(tokenizer, id));
        same &= has_span(text, &encoding->tokens[count], start, end);
    }
    ck_assert_msg(count == encoding->count, "line %d: expected %zu tokens, found %zu", line, count,
                  encoding->count);
    free(encoding);
    return same;
}

/* Each from the newer file and from the older ones. `other` counts the texts whose spans are not
 * the reference's: it gives what a charsmap composes to the first of the code points, and what
 * follows a character that was dropped to the place of that one; here a token has all that it
 * stands for. */
static const struct {
    const char *folder, *model_type;
    int field, other;
} unigrams[] = {
    {"albert/json", "albert", 0, 2},           {"albert", "albert", 0, 2},
    {"deberta-v3/json", "deberta-v2", 1, 14},  {"deberta-v3", "deberta-v2", 1, 14},
    {"xlm-roberta/json", "xlm-roberta", 2, 9}, {"xlm-roberta", "xlm-roberta", 2, 9},
};

TEST(unigram_texts, .times = COUNT(unigrams))
{
    struct tokenizer *tokenizer = open_folder(unigrams[_i].folder, unigrams[_i].model_type);
    char *bytes = read_file(FAMILY_FOLDER "unigram.tsv"), *rest = bytes, *line;
    int count = 0, other = 0;
    for (; (line = strsep(&rest, "\n")) && rest; count++) {
        char *first = strsep(&line, "\t"), *field = NULL;
        for (int i = 0; i <= unigrams[_i].field; i++)
            field = strsep(&line, "\t");
        ck_assert_ptr_nonnull(field);
        other += !expect_tokens(tokenizer, text_unescape(first), field, count + 1);
    }
    ck_assert_int_eq(count, 460);
    ck_assert_int_eq(other, unigrams[_i].other);
    free(bytes);
    tokenizer_free(tokenizer);
}

static struct tokenizer *reference;

/* The reference's ids are of models that don't look for special tokens. */
static void expect_ids(struct text text, const char *ids, int line)
{
    if (!strstr(text.bytes, "<|endoftext|>"))
        text_expect_ids(reference, text, ids, line);
}

TEST(reference_cases, .times = 2)
{
    const char *family = _i == 0 ? "gpt2" : "xlm-roberta";
    reference = open_folder(family, family);
    text_each_case(_i == 0 ? COLUMN_GPT2 : COLUMN_XLM_ROBERTA, expect_ids);
    tokenizer_free(reference);
}

/* ---- Decoders, and their like ------------------------------------------------------------ */

#define NEWER_FOLDER "tests/vectors/tokenizer/"

/* By their fields in texts.tsv. */
static const struct {
    const char *name;
    int count, other, framed;
} newer[] = {
    {"bart", 778, 0, 7},  {"deberta", 150, 0, 11}, {"gemma2", 778, 0, 9}, {"gpt-neox", 778, 0, 9},
    {"llama", 778, 0, 9}, {"mmbert", 150, 0, 10},  {"qwen3", 778, 0, 9},  {"t5", 778, 13, 7},
};

static struct tokenizer *open_newer(int number)
{
    char path[64];
    struct tokenizer *tokenizer;
    struct error error = {0};
    snprintf(path, sizeof path, NEWER_FOLDER "%s.json", newer[number].name);
    char *bytes = read_file(path);
    ck_assert_msg(tokenizer_of_json(text_of(bytes), &tokenizer, &error) == STATUS_OK, "%s: %s",
                  path, error.message);
    free(bytes);
    return tokenizer;
}

/* "id,start,end" of the token at *end; "id" is the next code point, "id+3" are three, and "id=" is
 * of the same as the token before. */
static char *spell_out(const char *item, long *start, long *end, char *out, size_t size)
{
    char *rest;
    const long id = strtol(item, &rest, 10), before = *end;
    if (sscanf(rest, ",%ld,%ld", start, end) != 2 && *rest != '=') {
        *start = before;
        *end = before + (*rest == '+' ? strtol(rest + 1, NULL, 10) : 1);
    }
    snprintf(out, size, "%ld,%ld,%ld", id, *start, *end);
    return out;
}

TEST(newer_texts, .times = COUNT(newer))
{
    struct tokenizer *tokenizer = open_newer(_i);
    char *bytes = read_file(NEWER_FOLDER "texts.tsv"), *rest = bytes, *line;
    int count = 0, other = 0;
    for (int number = 1; (line = strsep(&rest, "\n")) && rest; number++) {
        char *text = strsep(&line, "\t"), *field = NULL, tokens[65536] = "", *at = tokens;
        long start = 0, end = 0;
        for (int i = 0; i <= _i; i++)
            field = strsep(&line, "\t");
        ck_assert_ptr_nonnull(field);
        if (strcmp(field, "-") == 0)
            continue;
        for (char *item; (item = strsep(&field, " ")) && *item;) {
            char out[64];
            at = stpcpy(at, at > tokens ? " " : "");
            at = stpcpy(at, spell_out(item, &start, &end, out, sizeof out));
            ck_assert(at < tokens + sizeof tokens - sizeof out);
        }
        const bool same = expect_tokens(tokenizer, text_unescape(text), tokens, number);
        other += !same;
        count++;
    }
    ck_assert_int_eq(count, newer[_i].count);
    ck_assert_int_eq(other, newer[_i].other);
    free(bytes);
    tokenizer_free(tokenizer);
}

/* ---- Marian ------------------------------------------------------------------------------ */

/* By their fields in marian.tsv. */
static const struct {
    const char *folder;
    bool target;
    int count;
} sides[] = {{FAMILY_FOLDER "marian", false, 778},
             {FAMILY_FOLDER "marian", true, 778},
             {FAMILY_FOLDER "marian-separate", false, 120},
             {FAMILY_FOLDER "marian-separate", true, 120}};

static struct tokenizer *open_side(int number)
{
    const struct files files = {sides[number].folder, NULL};
    struct tokenizer *tokenizer;
    struct error error = {0};
    ck_assert_msg(tokenizer_read(&files, &text_marian, sides[number].target, &tokenizer, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    ck_assert_ptr_nonnull(tokenizer);
    return tokenizer;
}

/* What HF's MarianTokenizer gives with SentencePiece 0.1.97, of the texts in texts.tsv. */
TEST(marian_texts, .times = COUNT(sides))
{
    struct tokenizer *tokenizer = open_side(_i);
    char *texts = read_file(NEWER_FOLDER "texts.tsv"), *next = texts, *line;
    char *bytes = read_file(NEWER_FOLDER "marian.tsv"), *rest = bytes, *row;
    int count = 0;
    for (int number = 1; (row = strsep(&rest, "\n")) && rest; number++) {
        char *ids = NULL;
        line = strsep(&next, "\n");
        for (int i = 0; i <= _i; i++)
            ids = strsep(&row, "\t");
        ck_assert(line && ids);
        if (strcmp(ids, "-") == 0)
            continue;
        text_expect_ids(tokenizer, text_unescape(strsep(&line, "\t")), ids, number);
        count++;
    }
    ck_assert_int_eq(count, sides[_i].count);
    free(bytes);
    free(texts);
    tokenizer_free(tokenizer);
}

/* ---- Frames ------------------------------------------------------------------------------ */

static void expect_framed(const struct tokenizer *tokenizer, const struct text *texts, size_t count,
                          char *tokens, int line)
{
    struct encoding *encoding = text_encode(tokenizer, texts, count, true);
    size_t found = 0;
    for (char *item; (item = strsep(&tokens, " ")) && *item; found++) {
        int id, type;
        long start = 0, end = 0;
        int fields = sscanf(item, "%d,%d,%ld,%ld", &id, &type, &start, &end);
        ck_assert_uint_lt(found, encoding->count);
        const struct token *token = &encoding->tokens[found];
        ck_assert_msg(token->id == id && token->type == type && token->added == (fields == 2),
                      "line %d, token %zu: expected %d of type %d, found %d of type %d", line,
                      found, id, type, token->id, token->type);
        ck_assert_msg(fields == 2 || has_span(texts[token->sentence], token, start, end),
                      "line %d, token %zu: expected %ld to %ld, found bytes %zu to %zu", line,
                      found, start, end, token->span.start, token->span.end);
    }
    ck_assert_uint_eq(found, encoding->count);
    free(encoding);
}

/* Every family, from the newer file and from the older ones. */
static const struct {
    const char *family, *model_type;
    int lines;
    bool older;
} framed[] = {
    {"albert", "albert", 12, true},           {"deberta-v3", "deberta-v2", 12, true},
    {"xlm-roberta", "xlm-roberta", 14, true}, {"mpnet", "mpnet", 14, true},
    {"distilbert", "distilbert", 12, true},   {"gpt2", "gpt2", 4, true},
    {"roberta", "roberta", 7, true},          {"modernbert", "modernbert", 6, false},
};

/* Those of a family's lines in a file. */
static void expect_lines(const struct tokenizer *tokenizer, const char *path, const char *family,
                         int lines)
{
    char *bytes = read_file(path), *rest = bytes, *line;
    int count = 0;
    for (int number = 1; (line = strsep(&rest, "\n")) && rest; number++) {
        char *fields[4];
        for (int i = 0; i < 4; i++)
            fields[i] = strsep(&line, "\t");
        ck_assert_ptr_nonnull(fields[3]);
        if (strcmp(fields[0], family) != 0)
            continue;
        bool pair = strcmp(fields[2], "-") != 0;
        struct text texts[] = {text_unescape(fields[1]), text_unescape(fields[2])};
        expect_framed(tokenizer, texts, pair ? 2 : 1, fields[3], number);
        count++;
    }
    ck_assert_int_eq(count, lines);
    free(bytes);
}

static void expect_family(int family, const char *folder)
{
    struct tokenizer *tokenizer = open_folder(folder, framed[family].model_type);
    expect_lines(tokenizer, FAMILY_FOLDER "framed.tsv", framed[family].family,
                 framed[family].lines);
    tokenizer_free(tokenizer);
}

TEST(framed_texts, .times = COUNT(framed))
{
    char folder[64];
    snprintf(folder, sizeof folder, "%s/json", framed[_i].family);
    expect_family(_i, folder);
    if (framed[_i].older)
        expect_family(_i, framed[_i].family);
}

TEST(newer_framed_texts, .times = COUNT(newer))
{
    struct tokenizer *tokenizer = open_newer(_i);
    expect_lines(tokenizer, NEWER_FOLDER "framed.tsv", newer[_i].name, newer[_i].framed);
    tokenizer_free(tokenizer);
}

/* A special token between two texts belongs to the first. */
TEST(both_separators_are_of_the_first_text)
{
    struct tokenizer *tokenizer = open_folder("roberta/json", "roberta");
    struct text texts[] = {{"a", 1}, {"b", 1}};
    const uint8_t sentences[] = {0, 0, 0, 0, 1, 1};
    struct encoding *encoding = text_encode(tokenizer, texts, 2, true);
    ck_assert_uint_eq(encoding->count, sizeof sentences);
    for (size_t i = 0; i < sizeof sentences; i++)
        ck_assert_uint_eq(encoding->tokens[i].sentence, sentences[i]);
    free(encoding);
    encoding = text_encode(tokenizer, texts, 2, false);
    ck_assert_uint_eq(encoding->count, 2);
    ck_assert_uint_eq(encoding->tokens[1].sentence, 1);
    ck_assert_uint_eq(encoding->tokens[1].type, 0);
    free(encoding);
    tokenizer_free(tokenizer);
}

TEST(special_ids)
{
    static const struct {
        const char *folder;
        int mask, unknown;
        size_t size;
    } cases[] = {
        {"albert/json", 4, 1, 240},        {"deberta-v3/json", 250, 3, 251},
        {"deberta-v3", 250, 3, 251},       {"xlm-roberta/json", 261, 3, 262},
        {"mpnet/json", 132, 5, 133},       {"mpnet", 132, 5, 133},
        {"gpt2/json", -1, -1, 347},        {"roberta/json", 350, -1, 351},
        {"modernbert/json", 357, -1, 361},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool deberta = strncmp(cases[i].folder, "deberta", 7) == 0;
        struct tokenizer *tokenizer =
            open_folder(cases[i].folder, deberta ? "deberta-v2" : "mpnet");
        ck_assert_int_eq(tokenizer_mask(tokenizer), cases[i].mask);
        ck_assert_int_eq(tokenizer_unknown(tokenizer), cases[i].unknown);
        ck_assert_uint_eq(tokenizer_size(tokenizer), cases[i].size);
        ck_assert_str_eq(tokenizer_piece(tokenizer, (int32_t)cases[i].size), "");
        tokenizer_free(tokenizer);
    }
}

/* ---- Small files ------------------------------------------------------------------------- */

#define WORDPIECE "\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"[UNK]\":0,\"a\":1,\"##b\":2}}"
#define UNIGRAM                                                                                    \
    "\"model\":{\"unk_id\":0,\"vocab\":[[\"?\",-9],[\"a\",-1],[\"▁\",-2],[\"b\",-3],[\"A\",-3]," \
    "[\"é\",-2],[\"x\",-4]]}"
#define BPE                                                                                        \
    "\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"Ġ\":2,\"ab\":3},\"merges\":[\"a "   \
    "b\"]}"
#define BYTES "\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false}"

static enum status read_json(const char *json, struct tokenizer **tokenizer, struct error *error)
{
    return tokenizer_of_json(text_of(json), tokenizer, error);
}

/* Pieces and spans as "piece 0:3". */
static void expect(const char *json, const char *text, const char *expected)
{
    char got[512] = "";
    size_t used = 0;
    struct tokenizer *tokenizer;
    struct error error = {0};
    ck_assert_msg(read_json(json, &tokenizer, &error) == STATUS_OK, "%s", error.message);
    struct text texts[] = {text_of(text)};
    struct encoding *encoding = text_encode(tokenizer, texts, 1, true);
    for (size_t i = 0; i < encoding->count && used < sizeof got; i++)
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%s %zu:%zu", i > 0 ? " " : "",
                                 tokenizer_piece(tokenizer, encoding->tokens[i].id),
                                 encoding->tokens[i].span.start, encoding->tokens[i].span.end);
    ck_assert_msg(strcmp(got, expected) == 0, "%s: expected %s, found %s", json, expected, got);
    free(encoding);
    tokenizer_free(tokenizer);
}

#define NORMAL(step) "{\"normalizer\":" step "," UNIGRAM "}"

#define REPLACE(what, with)                                                                        \
    "{\"type\":\"Replace\",\"pattern\":{\"String\":\"" what "\"},\"content\":\"" with "\"}"
#define PREPEND(with) "{\"type\":\"Prepend\",\"prepend\":\"" with "\"}"
/* Replaces nothing. */
#define CHARSMAP(rest)                                                                             \
    "{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"BAAAAAAAAAAA" rest "\"}"
#define SEQUENCE(steps) NORMAL("{\"type\":\"Sequence\",\"normalizers\":[" steps "]}")
#define TEN(it)         it it it it it it it it it it

TEST(normalizers_that_lengthen_a_text)
{
    expect(SEQUENCE(REPLACE("a", "bbb") "," REPLACE("b", "b?")), "a",
           "b 0:1 ? 0:1 b 0:1 ? 0:1 b 0:1 ? 0:1");
    expect(SEQUENCE(PREPEND("aaa") "," TEN(REPLACE("b", "a") ",") "{\"type\":\"NFKC\"}"), "b",
           "a 0:1 a 0:1 a 0:1 a 0:1");
    expect(SEQUENCE(REPLACE("a", TEN("bbbbbbbbbbbb")) "," REPLACE(
               "b", TEN("cccccccccccc")) "," REPLACE("c", "")),
           "aab?", "? 3:4");
}

/* Texts of the size that the editor takes, and pieces as long as they may be: what this would cost
 * is the product of all three. */
TEST(a_text_is_not_lengthened_without_end)
{
    static const char *const files[] = {
        NORMAL(REPLACE("a", TEN("bbbbbbbbbbbb"))),
        SEQUENCE(REPLACE("a", TEN("bbbbbbbbbbbb")) "," REPLACE("b", ""))};
    static char text[65000];
    struct error error = {0};
    struct encoding *encoding;
    struct tokenizer *tokenizer;
    memset(text, 'a', sizeof text);
    for (int i = 0; i < COUNT(files); i++) {
        const struct text long_one = {text, sizeof text}, short_one = {text, 4000};
        ck_assert_int_eq(read_json(files[i], &tokenizer, &error), STATUS_OK);
        ck_assert_int_eq(tokenizer_encode(tokenizer, &long_one, 1, false, &encoding, &error),
                         STATUS_LIMIT);
        ck_assert_ptr_nonnull(strstr(error.message, "shorten the text"));
        ck_assert_int_eq(tokenizer_encode(tokenizer, &short_one, 1, false, &encoding, &error),
                         STATUS_OK);
        free(encoding);
        tokenizer_free(tokenizer);
    }
}

TEST(normalizers)
{
    expect(NORMAL("null"), "a b", "a 0:1 ? 1:2 b 2:3");
    expect(NORMAL("{\"type\":\"Lowercase\"}"), "A", "a 0:1");
    expect(NORMAL("{\"type\":\"NFC\"}"), "e\xCC\x81", "é 0:1");
    expect(SEQUENCE("{\"type\":\"NFC\"}," REPLACE("각", "b")), "\u1100\u1161\u11A8a",
           "b 0:3 a 9:10"); /* of starters alone */
    expect(NORMAL("{\"type\":\"NFD\"}"), "é", "? 0:2");
    expect(NORMAL("{\"type\":\"NFKC\"}"), "\xEF\xBD\x81", "a 0:3");
    expect(NORMAL("{\"type\":\"NFKD\"}"), "\xEF\xBD\x81", "a 0:3");
    expect(NORMAL("{\"type\":\"StripAccents\"}"), "a\xCC\x81", "a 0:1");
    expect(NORMAL("{\"type\":\"Strip\"}"), " a\t", "a 1:2");
    expect(NORMAL("{\"type\":\"Strip\",\"strip_left\":false}"), " a ", "? 0:1 a 1:2");
    expect(NORMAL("{\"type\":\"Replace\",\"pattern\":{\"String\":\"bb\"},\"content\":\"aa\"}"),
           "bbb", "a 1:2 a 1:2 b 2:3");
    expect(NORMAL("{\"type\":\"Replace\",\"pattern\":{\"Regex\":\" {2,}\"},\"content\":\"▁\"}"),
           "a  b", "a 0:1 ▁ 2:3 b 3:4");
    expect(NORMAL("{\"type\":\"Prepend\",\"prepend\":\"▁\"}"), "a", "▁ 0:1 a 0:1");
    expect(NORMAL("{\"type\":\"Prepend\",\"prepend\":\"▁\"}"), "", "");
    expect(NORMAL("{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Lowercase\"},{\"type\":"
                  "\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"b\"}]}"),
           "A", "b 0:1");
    expect(NORMAL(CHARSMAP("")), "a", "a 0:1"); /* Base64 of 9, 10 and 11 bytes */
    expect(NORMAL(CHARSMAP("AA==")), "a", "a 0:1");
    expect(NORMAL(CHARSMAP("AAA=")), "a", "a 0:1");
}

TEST(rarer_normalizers)
{
    expect(NORMAL("{\"type\":\"Nmt\"}"),
           "a\xE2\x80\x8B\x7F\x01\xC2\x8F\x1F"
           "b",
           "a 0:1 ? 1:4 b 9:10");
    expect(NORMAL("{\"type\":\"Nmt\"}"), "▁\xEF\xBB\xBF\xEF\xBF\xBD\n", "? 0:10");
    expect("{\"normalizer\":{\"type\":\"ByteLevel\"}," BPE "}", "b ab", "b 0:1 Ġ 1:2 ab 2:4");
}

#define SPLIT(splitter) "{\"pre_tokenizer\":" splitter "," UNIGRAM "}"

TEST(pre_tokenizers)
{
    expect(SPLIT("{\"type\":\"WhitespaceSplit\"}"), "a \xC2\x85 b!", "a 0:1 b 5:6 ? 6:7");
    expect(SPLIT("{\"type\":\"Whitespace\"}"), "a b", "a 0:1 b 2:3");
    expect(SPLIT("{\"type\":\"BertPreTokenizer\"}"), "a b", "a 0:1 b 2:3");
    expect(SPLIT("{\"type\":\"Metaspace\"}"), "a b", "▁ 0:1 a 0:1 ▁ 1:2 b 2:3");
    expect(SPLIT("{\"type\":\"Metaspace\",\"add_prefix_space\":false}"), "a b",
           "a 0:1 ▁ 1:2 b 2:3");
    expect(SPLIT("{\"type\":\"Metaspace\",\"prepend_scheme\":\"never\"}"), "a", "a 0:1");
    expect(SPLIT("{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"WhitespaceSplit\"},{"
                 "\"type\":\"Metaspace\",\"prepend_scheme\":\"first\"}]}"),
           "a b", "▁ 0:1 a 0:1 b 2:3");
    expect(SPLIT("{\"type\":\"Metaspace\",\"replacement\":\"x\"}"), "a", "x 0:1 a 0:1");
}

/* The words, with | between: a model of whole words alone has an unknown one for each. */
static void expect_words(const char *splitter, const char *text, const char *expected)
{
    char json[1024], got[256] = "";
    size_t used = 0;
    struct tokenizer *tokenizer;
    struct error error = {0};
    snprintf(json, sizeof json,
             "{\"pre_tokenizer\":%s,\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"?\","
             "\"vocab\":{\"?\":0}}}",
             splitter);
    ck_assert_msg(read_json(json, &tokenizer, &error) == STATUS_OK, "%s", error.message);
    struct text texts[] = {text_of(text)};
    struct encoding *encoding = text_encode(tokenizer, texts, 1, true);
    for (size_t i = 0; i < encoding->count && used < sizeof got; i++) {
        const struct span span = encoding->tokens[i].span;
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%.*s", i > 0 ? "|" : "",
                                 (int)(span.end - span.start), text + span.start);
    }
    ck_assert_msg(strcmp(got, expected) == 0, "%s: expected %s, found %s", splitter, expected, got);
    free(encoding);
    tokenizer_free(tokenizer);
}

#define AT(pattern, rest) "{\"type\":\"Split\",\"pattern\":{" pattern "}" rest "}"
#define REGEX(pattern)    AT("\"Regex\":\"" pattern "\"", ",\"behavior\":\"Isolated\"")
#define BEHAVIOR(name)    ",\"behavior\":\"" name "\""

TEST(words_of_a_split)
{
    expect_words(AT("\"String\":\"-\"", BEHAVIOR("Isolated")), "-a--b", "-|a|-|-|b");
    expect_words(AT("\"String\":\"-\"", BEHAVIOR("Removed")), "-a--b", "a|b");
    expect_words(AT("\"String\":\"-\"", BEHAVIOR("MergedWithPrevious")), "-a--b", "-|a-|-|b");
    expect_words(AT("\"String\":\"-\"", BEHAVIOR("MergedWithNext")), "-a--b-", "-a|-|-b|-");
    expect_words(AT("\"Regex\":\"\\\\p{N}+\"", BEHAVIOR("Isolated")), "a12b3", "a|12|b|3");
    expect_words(AT("\"Regex\":\"\\\\p{N}+\"", BEHAVIOR("MergedWithPrevious")), "1a12b", "1|a12|b");
    expect_words(AT("\"Regex\":\"\\\\p{N}+\"", BEHAVIOR("MergedWithNext")), "a12b3", "a|12b|3");
    expect_words(AT("\"Regex\":\"\\\\w+\"", BEHAVIOR("Removed") ",\"invert\":true"), "a1, b!",
                 "a1|b");
    expect_words(AT("\"Regex\":\"\\\\S+\"", BEHAVIOR("Isolated") ",\"invert\":true"), "a b",
                 "a| |b");
    expect_words("{\"type\":\"Digits\"}", "a12b3", "a|12|b|3");
    expect_words("{\"type\":\"Digits\",\"individual_digits\":true}", "a12½ Ⅳ", "a|1|2|½| |Ⅳ");
    expect_words("{\"type\":\"Punctuation\"}", "a $1!?", "a |$|1|!|?");
    expect_words("{\"type\":\"Punctuation\"" BEHAVIOR("Removed") "}", "a«b", "a|b");
    expect_words("{\"type\":\"CharDelimiterSplit\",\"delimiter\":\"→\"}", "a→→b", "a|b");
}

/* Each alternative at its border. */
TEST(words_of_expressions)
{
    expect_words(REGEX("(?i:'s|'t|'re|'ve|'m|'ll|'d)|\\\\p{L}+"), "it'S'ſx'LLx'lx",
                 "it|'S|'ſ|x|'LL|x|'|lx");
    expect_words(REGEX("'s|\\\\p{L}+"), "it's'S'ſ", "it|'s|'|S|'|ſ");
    expect_words(REGEX("[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|\\\\p{N}{1,3}"), "(a\tb1234\nc",
                 "(a|\tb|123|4|\n|c");
    expect_words(REGEX(" ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|\\\\s+"), "a !?\r\n\n b",
                 "a| !?\r\n\n| |b");
    expect_words(REGEX("\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+"), "a \n \n  b  ",
                 "a| \n \n| | |b|  ");
    expect_words(REGEX(" ?\\\\p{N}+| ?\\\\p{L}+"), "a 12  3", "a| 12| | 3");
}

#define KINDS                                                                                      \
    "\"vocab\":{\"a\":0,\"b\":1,\"ab\":2,\"b</w>\":3,\"ab</"                                       \
    "w>\":4,\"?\":5,\"<0xC3>\":6,\"<0xA9>\":7,\"abab\":8}"

TEST(rules_of_bpe)
{
    const char *const merges = "\"merges\":[\"a b\",\"a b</w>\"]";
    char json[512];
    static const struct {
        const char *rules, *text, *expected;
    } cases[] = {
        {"", "abab!", "ab 0:2 ab 2:4"}, /* what is no piece is left out */
        {"\"unk_token\":\"?\",", "a!!b", "a 0:1 ? 1:2 ? 2:3 b 3:4"},
        {"\"unk_token\":\"?\",\"fuse_unk\":true,", "a!!b!é", "a 0:1 ? 1:3 b 3:4 ? 4:7"},
        {"\"byte_fallback\":true,", "aéb", "a 0:1 <0xC3> 1:3 <0xA9> 1:3 b 3:4"},
        {"\"byte_fallback\":true,\"unk_token\":\"?\",", "è", "? 0:2"}, /* a byte is missing */
        /* as in the reference: what is unknown waits until a piece follows */
        {"\"byte_fallback\":true,\"unk_token\":\"?\",", "èéa", "<0xC3> 2:4 <0xA9> 2:4 ? 0:2 a 4:5"},
        {"\"ignore_merges\":true,", "abab", "abab 0:4"},
        {"\"ignore_merges\":true,", "ababab", "ab 0:2 ab 2:4 ab 4:6"},
        {"\"end_of_word_suffix\":\"</w>\",", "abab", "ab 0:2 ab</w> 2:4"},
        {"\"end_of_word_suffix\":\"</w>\",\"unk_token\":\"?\",", "ba", "b 0:1 ? 1:2"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        snprintf(json, sizeof json, "{\"model\":{\"type\":\"BPE\",%s" KINDS ",%s}}", cases[i].rules,
                 merges);
        expect(json, cases[i].text, cases[i].expected);
    }
}

TEST(whole_words)
{
    const char *const json =
        "{\"pre_tokenizer\":{\"type\":\"WhitespaceSplit\"},\"model\":{\"type\":"
        "\"WordLevel\",\"vocab\":{\"<unk>\":0,\"ab\":1,\"é\":2}}}";
    expect(json, "ab abc é a", "ab 0:2 <unk> 3:6 é 7:9 <unk> 10:11");
}

ROW_TEST(kinds_of_tokenizers, "tokenizer_kinds")
{
    struct error error = {0};
    struct tokenizer *tokenizer;
    ck_assert_msg(read_json(row[0], &tokenizer, &error) == STATUS_OK, "%s: %s", row[0],
                  error.message);
    struct text texts[] = {text_of(row[1])};
    struct encoding *encoding = text_encode(tokenizer, texts, 1, true);
    char got[256] = "";
    for (size_t i = 0; i < encoding->count; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d", i > 0 ? " " : "",
                 encoding->tokens[i].id);
    ck_assert_msg(strcmp(got, row[2]) == 0, "%s: expected %s, found %s", row[0], row[2], got);
    free(encoding);
    tokenizer_free(tokenizer);
}

/* In quadratic time this would take hours. */
TEST(long_runs, .times = COUNT(newer))
{
    static const char *const units[] = {" ", "a", "1", "\n", " \n", "'", "ſ", "é", "▁", "'s", "a "};
    enum { LONG = 200000 };
    struct tokenizer *tokenizer = open_newer(_i);
    char *bytes = malloc(LONG);
    ck_assert_ptr_nonnull(bytes);
    for (int i = 0; i < COUNT(units); i++) {
        const size_t unit = strlen(units[i]), length = LONG / unit * unit;
        for (size_t at = 0; at < length; at++)
            bytes[at] = units[i][at % unit];
        struct encoding *encoding = text_encode(tokenizer, &(struct text){bytes, length}, 1, false);
        ck_assert(encoding->count == 0 ||
                  encoding->tokens[encoding->count - 1].span.end + unit >= length);
        free(encoding);
    }
    free(bytes);
    tokenizer_free(tokenizer);
}

TEST(models)
{
    expect("{" WORDPIECE "}", "ab", "a 0:1 ##b 1:2");
    expect("{\"model\":{\"vocab\":{\"[UNK]\":0,\"a\":1}}}", "x", "[UNK] 0:1");
    expect("{\"model\":{\"vocab\":{\"##b\":0,\"a\":1,\"[UNK]\":2}}}", "ab",
           "a 0:1 ##b 1:2"); /* an id 0 like others */
    expect("{" BYTES "," BPE "}", "ab a", "ab 0:2 Ġ 2:3 a 3:4");
    expect("{\"pre_tokenizer\":{\"type\":\"ByteLevel\"}," BPE "}", "ab", "Ġ 0:1 ab 0:2");
    expect("{" BYTES
           ",\"model\":{\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[[\"a\",\"b\"]]}}",
           "ab", "ab 0:2");
    expect("{" BYTES ",\"model\":{\"type\":\"BPE\",\"unk_token\":\"a\",\"vocab\":{\"a\":0},"
           "\"merges\":[]}}",
           "c", "a 0:1");
}

#define ADD(fields) "{\"added_tokens\":[{\"id\":7,\"content\":\"<m>\"" fields "}]," UNIGRAM "}"

TEST(added_tokens)
{
    expect(ADD(""), "a<m>b", "a 0:1 <m> 1:4 b 4:5");
    expect(ADD(",\"lstrip\":true"), "a <m> b", "a 0:1 <m> 1:5 ? 5:6 b 6:7");
    expect(ADD(",\"rstrip\":true"), "a <m> b", "a 0:1 ? 1:2 <m> 2:6 b 6:7");
    expect(ADD(",\"lstrip\":true,\"rstrip\":true"), "<m> <m>", "<m> 0:4 <m> 4:7");
    expect(
        "{\"added_tokens\":[{\"id\":7,\"content\":\"ab\"},{\"id\":8,\"content\":\"abb\"}]," UNIGRAM
        "}",
        "abbab", "abb 0:3 ab 3:5");
    expect(
        "{\"normalizer\":{\"type\":\"Lowercase\"},\"added_tokens\":[{\"id\":7,\"content\":\"BA\","
        "\"normalized\":true},{\"id\":8,\"content\":\"AB\",\"normalized\":false}]," UNIGRAM "}",
        "AB ab Ba", "AB 0:2 ? 2:3 a 3:4 b 4:5 ? 5:6 BA 6:8");
    expect("{" BYTES ",\"post_processor\":{\"type\":\"ByteLevel\"},\"added_tokens\":[{\"id\":7,"
           "\"content\":\"!\",\"lstrip\":true}]," BPE "}",
           "a !b", "a 0:1 ! 2:3 b 3:4"); /* what it swallowed is trimmed */
}

#define TEMPLATE(single, pair, tokens)                                                             \
    "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[" single "],\"pair\":[" pair \
    "],\"special_tokens\":{" tokens "}}," UNIGRAM "}"
#define A               "{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}"
#define B               "{\"Sequence\":{\"id\":\"B\",\"type_id\":1}}"
#define S               "{\"SpecialToken\":{\"id\":\"s\",\"type_id\":0}}"
#define SAYS_S          "\"s\":{\"id\":\"s\",\"ids\":[3,4]}"
#define POST(processor) "{\"post_processor\":" processor "," UNIGRAM "}"

/* As many as there may be, and one more; each is found by its content and by its id. */
TEST(many_added_tokens)
{
    struct tokenizer *tokenizer;
    struct error error = {0};
    char *json = malloc((size_t)64 * ADDED_TOKENS_MAX + 512);
    ck_assert_ptr_nonnull(json);
    for (int more = 0; more < 2; more++) {
        char *end = json + sprintf(json, "{\"added_tokens\":[{\"id\":16,\"content\":\"<0>\"}");
        for (int i = 1; i < ADDED_TOKENS_MAX + more; i++)
            end += sprintf(end, ",{\"id\":%d,\"content\":\"<%d>\"}", 16 * (i + 1), i);
        strcpy(end, "]," UNIGRAM "}");
        enum status status = read_json(json, &tokenizer, &error);
        ck_assert_int_eq(status, more ? STATUS_LIMIT : STATUS_OK);
        for (int i = 0; !more && i < ADDED_TOKENS_MAX; i += 1000) {
            char content[16];
            snprintf(content, sizeof content, "<%d>", i);
            ck_assert_int_eq(tokenizer_find(tokenizer, content), 16 * (i + 1));
            ck_assert_str_eq(tokenizer_piece(tokenizer, 16 * (i + 1)), content);
        }
        tokenizer_free(tokenizer);
    }
    ck_assert_str_eq(error.message,
                     "x/tokenizer.json: expected at most 16384 added tokens, found more");
    free(json);
}

TEST(post_processors)
{
    expect(POST("null"), "a", "a 0:1");
    expect(TEMPLATE(S "," A, A "," B, SAYS_S), "a", "b 0:0 A 0:0 a 0:1");
    expect(POST("{\"type\":\"BertProcessing\",\"cls\":[\"b\",3],\"sep\":[\"A\",4]}"), "a",
           "b 0:0 a 0:1 A 1:1");
    expect(POST("{\"type\":\"RobertaProcessing\",\"cls\":[\"b\",3],\"sep\":[\"A\",4]}"), "a",
           "b 0:0 a 0:1 A 1:1");
    expect("{" BYTES ",\"post_processor\":{\"type\":\"ByteLevel\"}," BPE "}", " a  ",
           "Ġ 0:0 a 1:2 Ġ 3:3 Ġ 4:4");
    expect("{" BYTES ",\"post_processor\":{\"type\":\"Sequence\",\"processors\":[{\"type\":"
           "\"ByteLevel\",\"add_prefix_space\":false}]}," BPE "}",
           " a", "Ġ 1:1 a 1:2");
}

/* ---- Refusals ---------------------------------------------------------------------------- */

ROW_TEST(refused_files, "tokenizer_json")
{
    struct error error = {0};
    struct tokenizer *tokenizer;
    enum status status = read_json(row[0], &tokenizer, &error);
    ck_assert_msg(status == status_named(row[1]), "%s: status %d, %s", row[0], status,
                  error.message);
    ck_assert_ptr_null(tokenizer);
    ck_assert_msg(strstr(error.message, row[2]) && strstr(error.message, "x/tokenizer.json"),
                  "%s: %s", row[0], error.message);
}
