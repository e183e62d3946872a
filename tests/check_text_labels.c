#include "headlight/text/tokenizer.h"
#include "headlight/text/words.h"

#include "opening.h"
#include "rows.h"
#include "suites.h"
#include "text_helpers.h"

#include <stdlib.h>
#include <string.h>

static struct tokenizer *open_folder(const char *folder, const char *model_type)
{
    struct tokenizer *tokenizer;
    struct error error = {0};
    ck_assert_msg(tokenizer_open(folder, text_family(model_type), &tokenizer, &error) == STATUS_OK,
                  "%s", error.message);
    return tokenizer;
}

/* The labels of a text, or of two, with | between; "masked" is read as the mask. */
static void expect_masked(const char *folder, const char *a, const char *b, size_t masked,
                          const char *expected)
{
    char got[512] = "";
    struct tokenizer *tokenizer =
        open_folder(folder, strstr(folder, "tiny-bert") ? "bert" : "roberta");
    const struct text texts[] = {{a, strlen(a)}, {b ? b : "", b ? strlen(b) : 0}};
    struct encoding *encoding;
    struct error error = {0};
    const char **names;
    int32_t ids[64];
    ck_assert_int_eq(tokenizer_encode(tokenizer, texts, b ? 2 : 1, false, &encoding, &error),
                     STATUS_OK);
    ck_assert_uint_le(encoding->count, 64);
    for (size_t i = 0; i < encoding->count; i++)
        ids[i] = i == masked ? tokenizer_mask(tokenizer) : encoding->tokens[i].id;
    ck_assert_int_eq(labels_new(tokenizer, encoding, ids, &names, &error), STATUS_OK);
    for (size_t i = 0; i < encoding->count; i++) {
        strcat(strcat(got, i > 0 ? "|" : ""), names[i]);
        ck_assert_str_eq(names[encoding->count + i], tokenizer_piece(tokenizer, ids[i]));
    }
    ck_assert_str_eq(got, expected);
    free(names);
    free(encoding);
    tokenizer_free(tokenizer);
}

static void expect(const char *text, const char *expected)
{
    expect_masked(FAMILY_FOLDER "roberta", text, NULL, SIZE_MAX, expected);
}

TEST(bytes_are_read)
{
    expect("the cat", "t|he|Ġc|at");
    expect("Café", "C|a|f|é|⋯");
    expect("é 😀!", "é|⋯|Ġ|😀|⋯|⋯|⋯|!");
    expect("東京", "東|⋯|⋯|京|⋯|⋯");
    expect("a\n\tb", "a|Ċ|ĉ|b");
    expect("a <mask>é", "a|<mask>|é|⋯");
    expect("", "");
}

/* What stands between, or ends the text, leaves bytes without a character. */
TEST(bytes_without_their_character)
{
    expect_masked(FAMILY_FOLDER "roberta", "é", NULL, 1, "<0xC3>|<mask>");
    expect_masked(FAMILY_FOLDER "roberta", "é", NULL, 0, "<mask>|<0xA9>");
    expect_masked(FAMILY_FOLDER "roberta", "東", NULL, 1, "<0xE6>|<mask>|<0xB1>");
    expect_masked(FAMILY_FOLDER "roberta", "é", "é", SIZE_MAX, "é|⋯|é|⋯");
}

TEST(other_pieces_stay)
{
    expect_masked("tests/vectors/tiny-bert", "time flies", NULL, SIZE_MAX, "time|flies");
    expect_masked(FAMILY_FOLDER "xlm-roberta/json", "Café", NULL, SIZE_MAX, "▁Ca|f|é");
}

TEST(answers)
{
    struct tokenizer *tokenizer = open_folder(FAMILY_FOLDER "roberta", "roberta");
    static const struct {
        const char *piece, *label;
    } cases[] = {{"Ġc", "Ġc"}, {"Ã", "<0xC3>"}, {"©", "<0xA9>"}, {"Ċ", "Ċ"}, {"<mask>", "<mask>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(tokenizer_label(tokenizer, tokenizer_find(tokenizer, cases[i].piece)),
                         cases[i].label);
    ck_assert_str_eq(tokenizer_label(tokenizer, -1), "?");
    ck_assert_str_eq(tokenizer_label(tokenizer, 351), "?");
    tokenizer_free(tokenizer);
}

TEST(whole_pieces)
{
    static const struct {
        const char *piece, *label;
    } cases[] = {{"ĠcafÃ©", "Ġcafé"}, {"ĠðŁĺĢ", "Ġ😀"}, {"Ã©Ã", "é<0xC3>"}, {"ab", "ab"}, {"", ""},
                 {"▁a", "▁a"},        {"ĠĠĊ", "ĠĠĊ"}};
    char bytes[32], label[200];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_uint_eq(label_write(cases[i].piece, bytes, label), strlen(cases[i].label) + 1);
        ck_assert_str_eq(label, cases[i].label);
    }
}

/* The rest of a character belongs to its word and adds no letter, even of punctuation. */
TEST(words_of_labels)
{
    static const char *const labels[] = {"a", "Ġ東", "⋯", "⋯", "京", "⋯", "、", "⋯", "b"};
    static const bool continues[] = {false, false, true, true, true, true, false, true, true};
    enum word_marks marks = words_marks(labels, 9);
    ck_assert_int_eq(marks, WORD_MARKS_BEGIN);
    for (size_t i = 0; i < 9; i++)
        ck_assert_msg(words_continue(labels, NULL, i, marks) == continues[i], "%zu", i);
    ck_assert_str_eq(words_part("⋯", true, marks), "");
    ck_assert_str_eq(words_part("⋯", false, marks), "⋯");
    ck_assert(words_continue(labels + 2, NULL, 1, WORD_MARKS_CONTINUE));
    ck_assert_str_eq(words_part("⋯", true, WORD_MARKS_CONTINUE), "");
    ck_assert(!words_is_known("⋯"));
}

/* Words with blanks between, and what the reference's decoders make of them; broken characters as
 * Python replaces them. */

ROW_TEST(tokens_are_spelt_as_text, "spelt")
{
    char words[64], folder[128];
    struct text list[16];
    size_t count = 0;
    struct error error;
    snprintf(folder, sizeof folder, "%s%s", FAMILY_FOLDER, row[0]);
    if (strcmp(row[0], "bert") == 0)
        snprintf(folder, sizeof folder, "tests/vectors/tiny-bert");
    struct tokenizer *tokenizer = open_folder(folder, row[0]);
    snprintf(words, sizeof words, "%s", row[1]);
    for (char *rest = NULL, *word = strtok_r(words, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        list[count++] = text_of(word);
    char *text = tokenizer_spell(tokenizer, list, count, false, &error);
    ck_assert_str_eq(text, row[2]);
    free(text);
    tokenizer_free(tokenizer);
}

/* One of those of tests/vectors/tokenizer. */
static struct tokenizer *open_newer(const char *name)
{
    char path[64];
    struct tokenizer *tokenizer;
    struct error error = {0};
    snprintf(path, sizeof path, "tests/vectors/tokenizer/%s.json", name);
    const struct text json = text_read(path);
    ck_assert_msg(tokenizer_of_json(json, &tokenizer, &error) == STATUS_OK, "%s", error.message);
    free((char *)json.bytes);
    return tokenizer;
}

ROW_TEST(ids_are_text_again, "decoded")
{
    struct tokenizer *tokenizer = open_newer(row[0]);
    struct error error;
    int32_t ids[64];
    size_t count = 0;
    char *end;
    for (const char *at = row[1]; *at != '\0'; at = end)
        ids[count++] = (int32_t)strtol(at, &end, 10);
    char *text = tokenizer_decode(tokenizer, ids, count, false, &error);
    ck_assert_str_eq(text, row[2]);
    free(text);
    tokenizer_free(tokenizer);
}

/* While more may come, there is nothing that would be taken back. */
static void expect_grows(const char *name, const char *written)
{
    struct tokenizer *tokenizer = open_newer(name);
    struct encoding *encoding =
        text_encode(tokenizer, &(struct text){written, strlen(written)}, 1, false);
    struct error error;
    int32_t ids[64];
    size_t before = 0;
    for (size_t i = 0; i < encoding->count; i++) {
        ids[i] = encoding->tokens[i].id;
        char *text = tokenizer_decode(tokenizer, ids, i + 1, true, &error);
        ck_assert_uint_ge(strlen(text), before);
        before = strlen(text);
        ck_assert_msg(strncmp(text, written, before) == 0, "%s: %s", name, text);
        free(text);
    }
    ck_assert_str_eq(written + before, "");
    free(encoding);
    tokenizer_free(tokenizer);
}

TEST(text_grows_by_whole_characters)
{
    static const char *const names[] = {"bart",  "deberta", "gemma2", "gpt-neox",
                                        "llama", "mmbert",  "qwen3"};
    for (int i = 0; i < COUNT(names); i++) {
        expect_grows(names[i], "the 😀\t日本 ß!");
        expect_grows(names[i], "é");
    }
    struct tokenizer *tokenizer = open_newer("bart");
    struct error error;
    const int32_t broken[] = {tokenizer_find(tokenizer, "Ģ"), tokenizer_find(tokenizer, "ð")};
    char *text = tokenizer_decode(tokenizer, broken, 2, true, &error);
    ck_assert_str_eq(text, "\xEF\xBF\xBD"); /* which no byte makes a character of */
    free(text);
    tokenizer_free(tokenizer);
}

/* Of pieces that mark the ends of words. */
TEST(a_suffix_is_no_part_of_a_label)
{
    struct tokenizer *tokenizer;
    struct error error = {0};
    const char **names;
    const int32_t ids[] = {3, 2, 1, 2, 5, 0, 6};
    bool continues[7];
    char got[64] = "", words[8] = "";
    ck_assert_msg(
        tokenizer_of_json(
            text_of("{\"pre_tokenizer\":{\"type\":\"Whitespace\"},\"added_tokens\":[{"
                    "\"id\":5,\"content\":\"[MASK]\"}],\"model\":{\"type\":\"BPE\","
                    "\"end_of_word_suffix\":\"</w>\",\"vocab\":{\"t\":0,\"h\":1,"
                    "\"e</w>\":2,\"th\":3,\"</w>\":4,\"t</w>\":6},\"merges\":[\"t h\"]}}"),
            &tokenizer, &error) == STATUS_OK,
        "%s", error.message);
    struct text text = text_of("the he[MASK]tt");
    struct encoding *encoding = text_encode(tokenizer, &text, 1, false);
    ck_assert_uint_eq(encoding->count, COUNT(ids));
    ck_assert_int_eq(labels_new(tokenizer, encoding, ids, &names, &error), STATUS_OK);
    words_find(names, NULL, COUNT(ids), COUNT(ids), continues);
    for (size_t i = 0; i < COUNT(ids); i++) {
        strcat(strcat(got, i > 0 ? "|" : ""), names[i]);
        words[i] = continues[i] ? '0' : '1';
    }
    ck_assert_str_eq(got, "th|##e|h|##e|[MASK]|t|##t");
    ck_assert_str_eq(words, "1010110");
    ck_assert_str_eq(names[COUNT(ids) + 1], "e</w>");
    ck_assert_str_eq(tokenizer_label(tokenizer, 2), "e");
    ck_assert_str_eq(tokenizer_label(tokenizer, 3), "th");
    ck_assert_str_eq(tokenizer_label(tokenizer, 4), "</w>");
    char *spelt = tokenizer_decode(tokenizer, ids, 4, false, &error);
    ck_assert_str_eq(spelt, "the he");
    free(spelt);
    free(names);
    free(encoding);
    tokenizer_free(tokenizer);
}

/* What falls back to bytes is shown whole, too. */
TEST(bytes_to_fall_back_to_are_read)
{
    struct tokenizer *tokenizer = open_newer("gemma2");
    struct text text = {"日x é", 7};
    struct encoding *encoding = text_encode(tokenizer, &text, 1, false);
    struct error error;
    const char **names;
    int32_t ids[16];
    char got[64] = "";
    for (size_t i = 0; i < encoding->count; i++)
        ids[i] = encoding->tokens[i].id;
    ck_assert_int_eq(labels_new(tokenizer, encoding, ids, &names, &error), STATUS_OK);
    for (size_t i = 0; i < encoding->count; i++)
        strcat(strcat(got, i > 0 ? "|" : ""), names[i]);
    ck_assert_str_eq(got, "日|⋯|⋯|x|▁|é|⋯");
    ck_assert_str_eq(names[encoding->count], "<0xE6>");
    ck_assert_str_eq(tokenizer_label(tokenizer, ids[0]), "<0xE6>");
    free(names);
    free(encoding);
    tokenizer_free(tokenizer);
}

/* Decoders that none of the files above has. */
static void expect_decoded(const char *decoder, const char *model, const int32_t *ids, size_t count,
                           const char *expected)
{
    char json[512];
    struct tokenizer *tokenizer;
    struct error error = {0};
    snprintf(json, sizeof json, "{\"decoder\":%s,\"model\":{%s}}", decoder, model);
    ck_assert_msg(tokenizer_of_json(text_of(json), &tokenizer, &error) == STATUS_OK, "%s",
                  error.message);
    char *text = tokenizer_decode(tokenizer, ids, count, false, &error);
    ck_assert_str_eq(text, expected);
    free(text);
    tokenizer_free(tokenizer);
}

#define WORDS                                                                                      \
    "\"type\":\"WordLevel\",\"unk_token\":\"▁\",\"vocab\":{\"▁\":0,\"a</"                      \
    "w>\":1,\"##b\":2,\"!\":3,\"▁c\":4,\"<0x41>\":5,\"<0xC3>\":6,\"<0xA9>\":8}"

TEST(rarer_decoders)
{
    static const int32_t suffixed[] = {1, 3, 1}, pieces[] = {3, 2, 3}, marked[] = {4, 4, 0, 5},
                         holed[] = {6, 7, 8};
    expect_decoded("{\"type\":\"BPEDecoder\"}", WORDS, suffixed, 3, "a !a");
    expect_decoded("{\"type\":\"WordPiece\",\"cleanup\":false}", WORDS, pieces, 3, "!b !");
    expect_decoded("{\"type\":\"WordPiece\"}", WORDS, pieces, 3, "!b!");
    expect_decoded("{\"type\":\"CTC\"}", WORDS, pieces, 3, "!b!");
    expect_decoded("{\"type\":\"Metaspace\"}", WORDS, marked, 4, "c c <0x41>");
    expect_decoded("{\"type\":\"Metaspace\",\"prepend_scheme\":\"never\"}", WORDS, marked, 4,
                   " c c <0x41>");
    const char *const llama =
        "{\"type\":\"Sequence\",\"decoders\":[{\"type\":\"Replace\",\"pattern\":"
        "{\"String\":\"▁\"},\"content\":\" \"},{\"type\":\"ByteFallback\"},{\"type\":"
        "\"Fuse\"},{\"type\":\"Strip\",\"content\":\" \",\"start\":1,\"stop\":0}]}";
    expect_decoded(llama, WORDS, marked, 4, "c c A");
    expect_decoded(llama, WORDS, holed, 3, "é"); /* no piece has the id between */
}
