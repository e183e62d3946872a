/* Texts as they come from outside. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/session/session.h"
#include "headlight/session/state_file.h"

#include <string.h>

static struct checkpoint checkpoint;
static struct error error;

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
}

static void end(void)
{
    checkpoint_close(&checkpoint);
}

static const struct reading how = {.special = true};

static const struct text holed[] = {{"\0time\0 flies\0", 13}, {"like\0\0 an arrow", 15}};

START_TEST(a_text_goes_on_behind_a_nul)
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
END_TEST

START_TEST(a_state_keeps_what_follows_a_nul)
{
    const struct interventions none = {0};
    struct session session;
    struct saved_state state;
    struct folder folder;
    char path[96];
    folder_make(&folder);
    snprintf(path, sizeof path, "%s/state.json", folder.path);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, holed, 2, &error), error);
    assert_ok(session_compute(&session, NULL, &error), error);
    assert_ok(state_file_write(&session, path, &error), error);
    assert_ok(state_file_read(path, &state, &error), error);
    ck_assert_uint_eq(state.text_count, 2);
    ck_assert_str_eq(state.texts[0], "time flies");
    ck_assert_str_eq(state.texts[1], "like an arrow");
    state_file_free(&state);
    session_end(&session);
    folder_remove(&folder);
}
END_TEST

Suite *suite_model_encoded(void)
{
    Suite *suite = suite_create("model/encoded");
    TCase *tests = tcase_create("encoded");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, a_text_goes_on_behind_a_nul);
    tcase_add_test(tests, a_state_keeps_what_follows_a_nul);
    suite_add_tcase(suite, tests);
    return suite;
}
