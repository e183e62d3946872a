/* [MASK] in place of tokens. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/session/act.h"
#include "headlight/session/find.h"
#include "headlight/session/request.h"
#include "headlight/session/state_file.h"

#include <stdlib.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct error error;

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "The cats sat on the mat.", NULL);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static void choose(const char *label)
{
    struct scene scene = session_scene(&session);
    session.state.look.from = find_token(&scene, label, SIDE_LEFT);
    ck_assert_uint_ne(session.state.look.from, NO_TOKEN);
}

static void assert_labels(const char *expected)
{
    const struct token_list *tokens = &session.data.attention->tokens[SIDE_LEFT];
    char labels[200] = "";
    for (size_t i = 0; i < tokens->count; i++)
        snprintf(labels + strlen(labels), sizeof labels - strlen(labels), "%s%s", i > 0 ? " " : "",
                 tokens->labels[i]);
    ck_assert_str_eq(labels, expected);
}

/* The logits of what the session shows are those of a text, to the bit. */
static void assert_logits_of(const char *text)
{
    struct encoded *encoded;
    assert_ok(encoded_new(&checkpoint, &(struct text){text, strlen(text)}, 1,
                          (struct reading){.special = true, .logits = true}, &encoded, &error),
              error);
    assert_ok(forward_run(checkpoint.model, NULL, NULL, encoded->trace, &error), error);
    const struct trace *shown = session.data.trace, *expected = encoded->trace;
    ck_assert_uint_eq(shown->tokens, expected->tokens);
    ck_assert_mem_eq(shown->outputs[OUTPUT_MLM], expected->outputs[OUTPUT_MLM],
                     shown->tokens * shown->vocabulary * sizeof *shown->outputs[OUTPUT_MLM]);
    encoded_free(encoded);
}

TEST(a_masked_token_is_what_mask_in_the_text_is)
{
    choose("sat");
    type("M");
    assert_labels("[CLS] the cat ##s [MASK] on the mat . [SEP]");
    assert_logits_of("The cats [MASK] on the mat.");
    type("M");
    assert_labels("[CLS] the cat ##s sat on the mat . [SEP]");
    assert_logits_of("The cats sat on the mat.");
}

/* What the text says is kept beside what the model reads. */
TEST(the_text_stays_what_it_is)
{
    choose("sat");
    type("M");
    const struct encoded *encoded = session.data.encoded;
    ck_assert_str_eq(encoded->texts[0].bytes, "The cats sat on the mat.");
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), "The cats sat on the mat.");
    ck_assert_uint_eq(encoded->encoding->tokens[4].span.start, 9);
    ck_assert_uint_eq(encoded->encoding->tokens[4].span.end, 12);
    ck_assert_int_ne(encoded->encoding->tokens[4].id, encoded->trace->ids[4]);
}

TEST(several_tokens_are_masked_and_come_back_one_by_one)
{
    choose("sat");
    type("M");
    choose("mat");
    type("M");
    assert_labels("[CLS] the cat ##s [MASK] on the [MASK] . [SEP]");
    session.state.look.from = 4;
    type("M");
    assert_labels("[CLS] the cat ##s sat on the [MASK] . [SEP]");
}

TEST(a_merged_word_is_masked_as_a_whole)
{
    type("w");
    choose("cats");
    type("M");
    assert_labels("[CLS] the [MASK] [MASK] sat on the mat . [SEP]");
    session.state.look.from = 3;
    type("M");
    assert_labels("[CLS] the cats sat on the mat . [SEP]");
    type("w");
    choose("##s");
    type("M");
    assert_labels("[CLS] the cat [MASK] sat on the mat . [SEP]");
}

/* Whichever side the cursor is on. */
TEST(an_attended_token_is_masked_too)
{
    session.state.look.side = SIDE_RIGHT;
    session.state.look.to = 4;
    type("M");
    assert_labels("[CLS] the cat ##s [MASK] on the mat . [SEP]");
}

TEST(what_cannot_be_masked_is_said, .times = 3)
{
    static const struct {
        const char *text, *token, *message;
    } cases[] = {
        {"the cat", NULL, "M masks the chosen token: choose one with ↑ and ↓ first"},
        {"the cat", "[CLS]", "special tokens can't be masked: choose a word"},
        {"the [MASK]", "[MASK]", "this [MASK] stands in the text: e edits it"},
    };
    session_anew_on_texts(&checkpoint, NULL, cases[_i].text, NULL);
    const struct trace *before = session.data.trace;
    if (cases[_i].token)
        choose(cases[_i].token);
    ck_assert_uint_eq(input_key(&session, 'M'), SESSION_REDRAW);
    ck_assert_str_eq(session.message, cases[_i].message);
    ck_assert_ptr_eq(session.data.trace, before);
    ck_assert_uint_eq(session.state.source.masked.count, 0);
}

/* Its places mean nothing in another text. */
TEST(another_text_has_no_mask)
{
    choose("sat");
    type("M");
    type("e Ctrl-U \"the dog sat\" Enter");
    ck_assert_uint_eq(session.state.source.masked.count, 0);
    assert_logits_of("the dog sat");
}

/* ---- From outside ---- */

TEST(tokens_are_masked_by_name_or_number)
{
    const struct scene scene = session_scene(&session);
    size_t mat = find_token(&scene, "mat", SIDE_LEFT);
    char list[32];
    snprintf(list, sizeof list, "sat,#%zu,sat", mat);
    assert_ok(mask_apply(&session, list, &error), error);
    assert_ok(request_settle(&session, &error), error);
    assert_labels("[CLS] the cat ##s [MASK] on the [MASK] . [SEP]");
    assert_logits_of("The cats [MASK] on the [MASK].");
    const struct scene masked = session_scene(&session);
    ck_assert_uint_eq(find_token(&masked, "mat", SIDE_LEFT), mat); /* by what the text says */
}

/* "cats" is two pieces. */
TEST(a_word_of_the_text_is_all_of_its_pieces)
{
    const char *values[FIELD_COUNT] = {[FIELD_SELECT] = "CATS", [FIELD_ATTENDED] = "cats"};
    const char *changes[FIELD_COUNT] = {[FIELD_HIDE] = "cats"};
    enum state_field failed;
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
    ck_assert_uint_eq(session.state.look.from, 2);
    ck_assert_uint_eq(session.state.look.to, 2);
    assert_ok(fields_apply(&session, PART_NETWORK, changes, &failed, &error), error);
    ck_assert_uint_eq(session.state.source.changes.hidden_count, 2);
    assert_ok(mask_apply(&session, "cats,sat", &error), error);
    assert_labels("[CLS] the [MASK] [MASK] [MASK] on the mat . [SEP]");
}

/* Its pieces have lost the accent, and a hyphen parts them. */
TEST(a_word_is_named_as_it_stands)
{
    const char *values[FIELD_COUNT] = {[FIELD_SELECT] = "c\xC3\xA1t"};
    session_anew_on_texts(&checkpoint, NULL, "The mat.", "A c\xC3\xA1t, c\xC3\xA1t-mats sat.");
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
    ck_assert_uint_eq(session.state.look.from, 6);
    assert_ok(mask_apply(&session, "c\xC3\xA1t-mats", &error), error);
    assert_ok(request_settle(&session, &error), error);
    assert_labels("[CLS] the mat . [SEP] a cat , [MASK] [MASK] [MASK] [MASK] sat . [SEP]");
}

TEST(what_is_no_word_is_refused, .times = 6)
{
    static const char *const lists[] = {"dog", "sat,dog", "[CLS]", "#0", "#99", ""};
    assert_fails(mask_apply(&session, lists[_i], &error), STATUS_USAGE,
                 "--mask: expected words of the text, or numbers of tokens from 0 to 9", error);
    ck_assert_uint_eq(session.state.source.masked.count, 0);
    assert_labels("[CLS] the cat ##s sat on the mat . [SEP]");
}

TEST(a_saved_state_keeps_what_is_masked)
{
    struct folder folder;
    struct saved_state state;
    folder_make(&folder);
    char *path = in_folder(&folder, "state.json");
    choose("sat");
    type("M");
    assert_ok(state_file_write(&session, path, &error), error);
    assert_ok(state_file_read(path, &state, &error), error);
    ck_assert_str_eq(state.values[FIELD_MASK], "#4");
    state_file_free(&state);
    type("M");
    assert_ok(state_file_write(&session, path, &error), error);
    assert_ok(state_file_read(path, &state, &error), error);
    ck_assert_ptr_null(state.values[FIELD_MASK]);
    state_file_free(&state);
    free(path);
    folder_remove(&folder);
}
