/* Changes of the network as values: what --hide and its like take, and what a state file and JSON
 * tell of them. */
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"

#include "headlight/base/json.h"
#include "headlight/session/act.h"
#include "headlight/session/find.h"
#include "headlight/session/request.h"
#include "headlight/session/state_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct checkpoint checkpoint;
static struct session session;
static enum state_field failed;

/* [CLS] time flies like an arrow , like flies 2 [SEP]: of equal tokens the first is meant. */
static void begin(void)
{
    static const char sentence[] = "time flies like an arrow, like flies 2";
    const struct text text = {sentence, strlen(sentence)};
    const struct interventions none = {0};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &text, 1, NULL, &error), error);
    ck_assert_uint_eq(session.data.tokens, 11);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static enum status apply(enum state_field change, const char *value)
{
    const char *values[FIELD_COUNT] = {NULL};
    values[change] = value;
    return fields_apply(&session, PART_NETWORK, values, &failed, &error);
}

static const struct interventions *changes(void)
{
    return &session.state.source.changes;
}

/* ---- Values --------------------------------------------------------------------------------- */

TEST(no_value_is_no_change)
{
    const char *values[FIELD_COUNT] = {NULL};
    session.state.source.changes.causal = true;
    assert_ok(fields_apply(&session, PART_NETWORK, values, &failed, &error), error);
    ck_assert(!interventions_any(changes()));
}

TEST(flags_are_set)
{
    assert_ok(apply(FIELD_UNSCALED, "on"), error);
    ck_assert(changes()->unscaled && !changes()->causal && !changes()->no_segments);
    assert_ok(apply(FIELD_CAUSAL, "on"), error);
    ck_assert(!changes()->unscaled && changes()->causal && !changes()->no_segments);
    assert_ok(apply(FIELD_NO_SEGMENTS, "on"), error);
    ck_assert(!changes()->unscaled && !changes()->causal && changes()->no_segments);
}

static const struct {
    const char *value;
    size_t count;
    uint32_t hidden[3];
} hidden[] = {
    {"flies", 1, {2}},    {"3", 1, {3}},
    {"#9,#0", 2, {0, 9}}, {"[SEP],Flies,2", 3, {2, 9, 10}},
    {"#2,flies", 1, {2}}, {"arrow,1", 2, {1, 5}},
    {"#6", 1, {6}},
};

/* By text, by number where no token has that text, and always by number after a #. */
TEST(tokens_are_found_as_select_finds_them, .times = COUNT(hidden))
{
    assert_ok(apply(FIELD_HIDE, hidden[_i].value), error);
    ck_assert_uint_eq(changes()->hidden_count, hidden[_i].count);
    for (size_t i = 0; i < hidden[_i].count; i++)
        ck_assert_uint_eq(changes()->hidden[i], hidden[_i].hidden[i]);
}

TEST(cuts_are_four_numbers_each)
{
    static const struct cut expected[] = {{0, 1, 4, 2}, {2, 3, 10, 0}};
    assert_ok(apply(FIELD_CUT, "2.3.10.0,0.1.4.2,2.3.10.0"), error);
    ck_assert_uint_eq(changes()->cut_count, 2);
    ck_assert_mem_eq(changes()->cuts, expected, sizeof expected);
}

TEST(a_temperature_of_one_is_none)
{
    assert_ok(apply(FIELD_TEMPERATURE, "0.25"), error);
    ck_assert_double_eq(changes()->temperature, 0.25);
    static const char *const ones[] = {"1", "1.0", "1.00000000000000022"};
    for (size_t i = 0; i < 3; i++) {
        assert_ok(apply(FIELD_TEMPERATURE, ones[i]), error);
        ck_assert(!interventions_any(changes()));
        ck_assert_double_eq(changes()->temperature, 0);
    }
}

TEST(positions_are_a_choice)
{
    assert_ok(apply(FIELD_POSITIONS, "none"), error);
    ck_assert_int_eq(changes()->positions, POSITIONS_NONE);
    assert_ok(apply(FIELD_POSITIONS, "sinusoidal"), error);
    ck_assert_int_eq(changes()->positions, POSITIONS_SINUSOIDAL);
}

ROW_TEST(what_is_wrong_is_told_and_changes_nothing, "fields_network")
{
    const enum state_field change = field_named(row[0]);
    const char *values[FIELD_COUNT] = {[FIELD_CAUSAL] = "on"};
    assert_ok(fields_apply(&session, PART_NETWORK, values, &failed, &error), error);
    const struct interventions before = *changes();
    const enum status status = apply(change, row[1]);
    assert_refused(status, &error, row + 2);
    ck_assert_int_eq(failed, change);
    ck_assert_mem_eq(changes(), &before, sizeof before);
}

/* One more cut than there is room for; of tokens the tiny model's text has not that many. */
/* Only what depends on no model and no text. */
TEST(values_are_checked_without_a_session)
{
    ck_assert_int_eq(field_check(FIELD_TEMPERATURE, "0.5", &error), STATUS_OK);
    ck_assert_int_eq(field_check(FIELD_TEMPERATURE, "cold", &error), STATUS_USAGE);
    ck_assert_str_eq(error.message,
                     "--temperature: expected a number from 0.001 to 1000, found \"cold\"");
    ck_assert_int_eq(field_check(FIELD_POSITIONS, "odd", &error), STATUS_USAGE);
    ck_assert_int_eq(field_check(FIELD_CAUSAL, "on", &error), STATUS_OK);
    ck_assert_int_eq(field_check(FIELD_OFF, "77.99", &error), STATUS_OK);
    ck_assert_int_eq(field_check(FIELD_HIDE, "any,#99", &error), STATUS_OK);
}

TEST(options_have_names)
{
    const char *value;
    ck_assert_int_eq(field_named("sinusoidal"), FIELD_SINUSOIDAL);
    ck_assert_int_eq(field_set_by(FIELD_SINUSOIDAL, &value), FIELD_POSITIONS);
    ck_assert_str_eq(value, "sinusoidal");
    ck_assert_int_eq(field_set_by(FIELD_CAUSAL, &value), FIELD_CAUSAL);
    ck_assert_str_eq(value, "on");
    ck_assert_int_eq(field_set_by(FIELD_HIDE, &value), FIELD_HIDE);
    ck_assert_ptr_null(value);
    ck_assert_int_eq(field_named("positions"), FIELD_POSITIONS);
}

TEST(too_many_are_refused)
{
    char list[1024] = "";
    size_t used = 0;
    for (unsigned i = 0; i <= INTERVENE_CUTS_MAX; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s0.%u.%u.%u", i > 0 ? "," : "",
                                 i % 4, i / 8, i / 4 % 2);
    assert_fails(apply(FIELD_CUT, list), STATUS_LIMIT, "at most 64 connections can be cut", error);
    ck_assert_int_eq(failed, FIELD_CUT);
    *strrchr(list, ',') = '\0';
    assert_ok(apply(FIELD_CUT, list), error);
    ck_assert_uint_eq(changes()->cut_count, INTERVENE_CUTS_MAX);
}

/* ---- There and back ---------------------------------------------------------------------------
 */

static void write_to(char *text, size_t size)
{
    FILE *stream = fmemopen(text, size, "w");
    ck_assert_ptr_nonnull(stream);
    state_file_write_network(&(struct json_writer){.stream = stream}, &session);
    ck_assert_int_eq(fclose(stream), 0);
}

TEST(no_changes_are_written_as_such)
{
    char text[512];
    write_to(text, sizeof text);
    ck_assert_str_eq(text, "\"changes\":{\"unscaled\":false,\"causal\":false,\"temperature\":null,"
                           "\"positions\":null,\"no-segments\":false,\"off\":null,"
                           "\"uniform\":null,\"hide\":null,\"cut\":null}");
}

static const char *const all[FIELD_COUNT] = {
    [FIELD_UNSCALED] = "on",          [FIELD_CAUSAL] = "on",      [FIELD_TEMPERATURE] = "0.3",
    [FIELD_POSITIONS] = "sinusoidal", [FIELD_NO_SEGMENTS] = "on", [FIELD_OFF] = "0.1,2.3",
    [FIELD_UNIFORM] = "1.0,1.2",      [FIELD_HIDE] = "#2,#9",     [FIELD_CUT] = "0.1.4.2,1.2.3.3",
};

TEST(all_changes_are_written_as_they_are_read)
{
    char text[512];
    assert_ok(fields_apply(&session, PART_NETWORK, all, &failed, &error), error);
    write_to(text, sizeof text);
    ck_assert_str_eq(text, "\"changes\":{\"unscaled\":true,\"causal\":true,\"temperature\":\"0.3\","
                           "\"positions\":\"sinusoidal\",\"no-segments\":true,"
                           "\"off\":\"0.1,2.3\",\"uniform\":\"1.0,1.2\","
                           "\"hide\":\"#2,#9\",\"cut\":\"0.1.4.2,1.2.3.3\"}");
}

TEST(a_state_file_keeps_them)
{
    struct folder folder;
    struct saved_state state;
    folder_make(&folder);
    char *path = in_folder(&folder, "state.json");
    assert_ok(fields_apply(&session, PART_NETWORK, all, &failed, &error), error);
    assert_ok(request_settle(&session, &error), error);
    const struct interventions before = *changes();
    assert_ok(state_file_write(&session, path, &error), error);
    assert_ok(state_file_read(path, &state, &error), error);
    for (enum state_field change = 0; change < FIELD_COUNT; change++)
        if (field_is_network(change))
            ck_assert_pstr_eq(state.values[change], all[change]);
    session.state.source.changes = (struct interventions){0};
    assert_ok(
        fields_apply(&session, PART_NETWORK, (const char *const *)state.values, &failed, &error),
        error);
    ck_assert_mem_eq(changes(), &before, sizeof before);
    state_file_free(&state);
    folder_remove(&folder);
    free(path);
}

/* A text that became shorter hides less; what is saved of it can be opened. */
TEST(tokens_past_the_end_are_left_out)
{
    char text[512];
    const struct text shorter = {"time flies", strlen("time flies")};
    assert_ok(fields_apply(&session, PART_NETWORK, all, &failed, &error), error);
    assert_ok(session_open(&session, &shorter, 1, NULL, &error), error);
    write_to(text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "\"hide\":\"#2\",\"cut\":\"1.2.3.3\"}"));
}

TEST(a_state_without_them_has_none, .times = 3)
{
    static const char *const written[] = {
        "{\"headlight\":\"0.1.0\"}",
        "{\"headlight\":\"0.1.0\",\"changes\":{}}",
        "{\"headlight\":\"0.1.0\",\"changes\":{\"causal\":false,\"hide\":null}}",
    };
    struct folder folder;
    struct saved_state state;
    folder_make(&folder);
    folder_write(&folder, "state.json", written[_i], strlen(written[_i]));
    char *path = in_folder(&folder, "state.json");
    assert_ok(state_file_read(path, &state, &error), error);
    for (enum state_field change = 0; change < FIELD_COUNT; change++)
        ck_assert_ptr_null(state.values[change]);
    state_file_free(&state);
    folder_remove(&folder);
    free(path);
}
