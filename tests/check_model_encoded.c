/* Texts as they come from outside. */
#include "model_helpers.h"
#include "suites.h"
#include "text_helpers.h"

#include "headlight/session/request.h"
#include "headlight/session/session.h"
#include "headlight/session/state_file.h"

#include <string.h>

static struct checkpoint checkpoint;
static struct error error;

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
}

static void end(void)
{
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static const struct reading how = {.special = true};

static const struct text holed[] = {{"\0time\0 flies\0", 13}, {"like\0\0 an arrow", 15}};

TEST(a_text_goes_on_behind_a_nul)
{
    const struct text whole[] = {{"time flies", 10}, {"like an arrow", 13}};
    struct encoded *encoded, *expected;
    assert_ok(encoded_new(&checkpoint, holed, 2, how, &encoded, &error), error);
    assert_ok(encoded_new(&checkpoint, whole, 2, how, &expected, &error), error);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_str_eq(encoded->texts[i].bytes, whole[i].bytes);
        ck_assert_uint_eq(encoded->texts[i].length, whole[i].length);
    }
    ck_assert_uint_eq(encoded->encoding->count, expected->encoding->count);
    for (size_t i = 0; i < expected->encoding->count; i++)
        ck_assert_int_eq(encoded->encoding->tokens[i].id, expected->encoding->tokens[i].id);
    encoded_free(encoded);
    encoded_free(expected);
}

/* An empty line at the end of vocab.txt, or tokens for which the model was never made larger: all
 * other texts are read. */
TEST(a_token_without_a_row)
{
    static const char added[] = "{\"<|x|>\":101,\"flies\":102}";
    static const struct text ends[] = {{"\n", 1}, {"\n\n\n", 3}};
    const struct text plain = {"time", 4}, beyond = {"time <|x|>", 10};
    struct text vocabulary = text_read(TINY_FOLDER "/vocab.txt");
    struct checkpoint grown;
    struct encoded *encoded;
    struct folder folder;
    folder_make(&folder);
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    char *longer = malloc(vocabulary.length + 3);
    memcpy(longer, vocabulary.bytes, vocabulary.length);
    for (size_t i = 0; i < COUNT(ends); i++) {
        memcpy(longer + vocabulary.length, ends[i].bytes, ends[i].length);
        folder_write(&folder, "vocab.txt", longer, vocabulary.length + ends[i].length);
        assert_ok(checkpoint_open(&grown, folder.path, NULL, NULL, &error), error);
        assert_ok(encoded_new(&grown, &plain, 1, how, &encoded, &error), error);
        encoded_free(encoded);
        checkpoint_close(&grown);
    }
    folder_copy(&folder, TINY_FOLDER, "vocab.txt");
    folder_write(&folder, "added_tokens.json", added, sizeof added - 1);
    assert_ok(checkpoint_open(&grown, folder.path, NULL, NULL, &error), error);
    assert_ok(encoded_new(&grown, &plain, 1, how, &encoded, &error), error);
    encoded_free(encoded);
    assert_fails(
        encoded_new(&grown, &beyond, 1, how, &encoded, &error), STATUS_MISMATCH,
        "expected tokens of the 101 that the model has (\"vocab_size\"), found \"<|x|>\" of "
        "id 101",
        error);
    checkpoint_close(&grown);
    folder_remove(&folder);
    free((char *)vocabulary.bytes);
    free(longer);
}

TEST(a_state_keeps_what_follows_a_nul)
{
    const struct interventions none = {0};
    struct session session;
    struct saved_state state;
    struct folder folder;
    char path[96];
    folder_make(&folder);
    snprintf(path, sizeof path, "%s/state.json", folder.path);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, holed, 2, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    assert_ok(state_file_write(&session, path, &error), error);
    assert_ok(state_file_read(path, &state, &error), error);
    ck_assert_uint_eq(state.text_count, 2);
    ck_assert_str_eq(state.texts[0], "time flies");
    ck_assert_str_eq(state.texts[1], "like an arrow");
    state_file_free(&state);
    session_end(&session);
    folder_remove(&folder);
}

/* What the vocabulary lacks keeps its name, and the model reads [UNK] all the same. */
TEST(an_unknown_word_is_called_what_stood_there)
{
    const struct text text = {"time 東 [UNK] flies", strlen("time 東 [UNK] flies")};
    static const char *const labels[] = {"[CLS]", "time", "東?", "[UNK]", "flies", "[SEP]"};
    struct encoded *encoded;
    assert_ok(encoded_new(&checkpoint, &text, 1, how, &encoded, &error), error);
    ck_assert_uint_eq(encoded->encoding->count, 6);
    ck_assert_uint_eq(encoded->unknown_count, 1);
    for (size_t i = 0; i < 6; i++) {
        ck_assert_str_eq(encoded->sides[SIDE_LEFT].labels[i], labels[i]);
        ck_assert(encoded_is_unknown(encoded, i) == (i == 2));
    }
    ck_assert_str_eq(encoded_pieces(encoded, SIDE_LEFT)[2], "[UNK]");
    ck_assert_int_eq(encoded->trace->ids[2], encoded->trace->ids[3]);
    encoded_free(encoded);
}

TEST(a_text_of_which_most_is_unknown_says_so)
{
    static const struct {
        const char *text, *message;
    } texts[] = {
        {"東 京 time", "most of this text is unknown to the model, which reads [UNK] there"},
        {"東 time", ""},
        {"time flies", ""}};
    const struct interventions none = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct text text = {texts[i].text, strlen(texts[i].text)};
        struct session session;
        session_begin(&session, &checkpoint, true, &none);
        assert_ok(session_open(&session, &text, 1, NULL, &error), error);
        char note[160];
        ck_assert(session_note_reading(&session, session.data.encoded->encoding, note,
                                       sizeof note) == (texts[i].message[0] != '\0'));
        ck_assert_str_eq(note, texts[i].message);
        session_end(&session);
    }
}

static void assert_words(const struct encoded *encoded, const size_t *words)
{
    for (size_t i = 0; i < encoded->sides[SIDE_RIGHT].count; i++)
        ck_assert_msg(encoded->kinds.words[i] == words[i], "token %zu", i);
}

/* Nor are [SEP] and what stands for [MASK] words, however often they occur. */
TEST(pieces_that_occur_again_are_known)
{
    static const struct text texts[] = {{"the cat sat [MASK] the", 23}, {"[MASK] cat the", 14}};
    static const size_t words[] = {NO_TOKEN, 1,        2, NO_TOKEN, NO_TOKEN, 1,
                                   NO_TOKEN, NO_TOKEN, 2, 1,        NO_TOKEN};
    static const char *const labels[] = {"a", "b", "a"};
    struct encoded *encoded, *recorded;
    assert_ok(encoded_new(&checkpoint, texts, 2, how, &encoded, &error), error);
    ck_assert_str_eq(encoded->sides[SIDE_RIGHT].labels[3], "sat");
    ck_assert_uint_eq(encoded->sides[SIDE_RIGHT].count, sizeof words / sizeof *words);
    assert_words(encoded, words);
    struct trace trace = {.tokens = 3, .attended = 3};
    struct token_side side = {.count = 3, .boundary = 3, .labels = labels};
    assert_ok(encoded_of_trace(&trace, (const struct token_side[]){side, side}, &recorded, &error),
              error);
    assert_words(recorded, (const size_t[]){0, NO_TOKEN, 0});
    encoded_free(recorded);
    static const char *const others[] = {"a", "b", "a"}; /* of another text */
    struct token_side sides[] = {side, {.count = 3, .boundary = 3, .labels = others}};
    assert_ok(encoded_of_trace(&trace, sides, &recorded, &error), error);
    ck_assert_ptr_null(recorded->kinds.words);
    encoded_free(recorded);
    encoded_free(encoded);
}
