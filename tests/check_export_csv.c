/* The map on screen as CSV: which maps, which tokens, and numbers that read back as the same. */
#include "model_helpers.h"
#include "recorded.h"
#include "schema.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/session/fields.h"

#include <stdlib.h>
#include <string.h>

#define HEADER   "layer,head,from,attending,to,attended,weight\n"
#define ROWS_MAX 4096

enum column { LAYER, HEAD, FROM, ATTENDING, TO, ATTENDED, WEIGHT, COLUMNS };

static struct session session;
static const struct output output = {.session = &session};
static struct folder folder;
static struct error error;
static char *text;
static struct row {
    char field[COLUMNS][48];
} rows[ROWS_MAX];
static size_t row_count;

static void begin(void)
{
    folder_make(&folder);
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
    folder_remove(&folder);
    free(text);
    text = NULL;
}

static void set(enum state_field setting, const char *value)
{
    const char *values[FIELD_COUNT] = {NULL};
    values[setting] = value;
    assert_ok(fields_apply_look(&session, values, NULL, &error), error);
}

/* One field after RFC 4180; returns what follows its comma or line end. */
static const char *read_field(const char *at, char *field, size_t size)
{
    size_t used = 0;
    bool quoted = *at == '"';
    for (at += quoted; *at; at++) {
        if (quoted && *at == '"' && *++at != '"')
            break;
        if (!quoted && strchr(",\n", *at))
            break;
        ck_assert_uint_lt(used, size - 1);
        field[used++] = *at;
    }
    field[used] = '\0';
    ck_assert_msg(*at == ',' || *at == '\n', "after \"%s\": \"%.20s\"", field, at);
    return at + 1;
}

static void write_and_read(void)
{
    char *path = path_join(folder.path, "out.csv");
    size_t length;
    free(text);
    assert_ok(export_file(&output, FORMAT_CSV, path, &error), error);
    assert_ok(file_read(path, (size_t)1 << 24, &text, &length, &error), error);
    ck_assert_int_eq(strncmp(text, HEADER, strlen(HEADER)), 0);
    row_count = 0;
    for (const char *at = text + strlen(HEADER); *at; row_count++) {
        ck_assert_uint_lt(row_count, ROWS_MAX);
        for (int column = 0; column < COLUMNS; column++) {
            at = read_field(at, rows[row_count].field[column], sizeof *rows->field);
            ck_assert_int_eq(at[-1], column == COLUMNS - 1 ? '\n' : ',');
        }
    }
    free(path);
}

static size_t number(const struct row *row, enum column column)
{
    return strtoul(row->field[column], NULL, 10);
}

/* A row says what the scene shows: numbers, labels, weight to the last bit. */
static void check_row(const struct row *row, size_t map)
{
    size_t from = number(row, FROM), to = number(row, TO);
    ck_assert_str_eq(row->field[ATTENDING], scene_label(scene_of(&session), SIDE_LEFT, from));
    ck_assert_str_eq(row->field[ATTENDED], scene_label(scene_of(&session), SIDE_RIGHT, to));
    ck_assert_float_eq(strtof(row->field[WEIGHT], NULL),
                       scene_weight(scene_of(&session), map, from, to));
}

START_TEST(two_heads_of_the_head_view)
{
    set(FIELD_HEADS, "1,3");
    set(FIELD_LAYER, "1");
    write_and_read();
    ck_assert_uint_eq(row_count, 2 * 13 * 13);
    for (size_t i = 0; i < row_count; i++) {
        size_t head = i < 169 ? 1 : 3;
        ck_assert_str_eq(rows[i].field[LAYER], "1");
        ck_assert_uint_eq(number(&rows[i], HEAD), head);
        ck_assert_uint_eq(number(&rows[i], FROM), i / 13 % 13);
        ck_assert_uint_eq(number(&rows[i], TO), i % 13);
        check_row(&rows[i], head);
        ck_assert_float_eq(
            strtof(rows[i].field[WEIGHT], NULL),
            trace_weight(session.data.encoded->trace, 1, head, number(&rows[i], FROM), i % 13));
    }
}
END_TEST

/* The other views show the head under the cursor. */
START_TEST(one_head_of_the_other_views)
{
    static const char *const views[] = {"neuron", "model", "matrix"};
    set(FIELD_VIEW, views[_i]);
    set(FIELD_HEAD, "2");
    write_and_read();
    ck_assert_uint_eq(row_count, 13 * 13);
    for (size_t i = 0; i < row_count; i++) {
        ck_assert_str_eq(rows[i].field[HEAD], "2");
        check_row(&rows[i], 2);
    }
}
END_TEST

START_TEST(no_head_is_on)
{
    set(FIELD_HEADS, "none");
    write_and_read();
    ck_assert_str_eq(text, HEADER);
}
END_TEST

START_TEST(a_mean_is_said_to_be_one)
{
    set(FIELD_MEAN, "heads");
    set(FIELD_LAYER, "1");
    write_and_read();
    ck_assert_uint_eq(row_count, 13 * 13);
    ck_assert_str_eq(rows[5].field[LAYER], "1");
    ck_assert_str_eq(rows[5].field[HEAD], "mean");
    float sum = 0;
    for (size_t head = 0; head < 4; head++)
        sum += trace_weight(session.data.encoded->trace, 1, head, 0, 5);
    ck_assert_float_eq(strtof(rows[5].field[WEIGHT], NULL), sum / 4);
    set(FIELD_MEAN, "layers");
    write_and_read();
    ck_assert_uint_eq(row_count, 13 * 13);
    ck_assert_str_eq(rows[0].field[LAYER], "mean");
    ck_assert_str_eq(rows[0].field[HEAD], "mean");
    for (size_t i = 0; i < row_count; i++)
        check_row(&rows[i], 0);
}
END_TEST

START_TEST(what_the_filter_leaves)
{
    set(FIELD_FILTER, "ba");
    set(FIELD_HEADS, "0");
    write_and_read();
    ck_assert_uint_eq(row_count, 6 * 7);
    ck_assert_str_eq(rows[0].field[FROM], "7");
    ck_assert_str_eq(rows[0].field[ATTENDING], "fruit");
    ck_assert_str_eq(rows[0].field[ATTENDED], "[CLS]");
    for (size_t i = 0; i < row_count; i++)
        check_row(&rows[i], 0);
}
END_TEST

/* Words and hidden tokens: counted as shown, with the weights as shown. */
START_TEST(the_tokens_that_are_shown)
{
    set(FIELD_WORDS, "on");
    set(FIELD_HEADS, "0");
    write_and_read();
    ck_assert_uint_eq(row_count, 12 * 12);
    ck_assert_str_eq(rows[143].field[ATTENDED], "banana");
    set(FIELD_SPECIAL, "rescaled");
    write_and_read();
    ck_assert_uint_eq(row_count, 10 * 10);
    ck_assert_str_eq(rows[0].field[ATTENDING], "time");
    for (size_t i = 0; i < row_count; i++)
        check_row(&rows[i], 0);
}
END_TEST

START_TEST(fields_are_quoted)
{
    static const char *const labels[] = {"a,b", "say \"x\"", "trail ", "new\nline", "\"", "", "\t"};
    static const char *const written[] = {"\"a,b\"",           "\"say \"\"x\"\"\"", "\"trail \"",
                                          "\"new\\u{a}line\"", "\"\"\"\"",          ",5,,",
                                          "\"\\u{9}\""};
    session_end(&session);
    session = synthetic_session(labels, 7, 7, 1, 4);
    write_and_read();
    ck_assert_uint_eq(row_count, 49);
    for (size_t i = 0; i < 7; i++)
        ck_assert_msg(strstr(text, written[i]) != NULL, "%s", written[i]);
}
END_TEST

/* What begins a cell wherever a spreadsheet may split, and would be computed there. Numbers, and
 * signs with nothing to compute, stay as they are. */
START_TEST(nothing_is_computed_by_a_spreadsheet)
{
    static const struct {
        const char *label, *written;
    } cases[] = {
        {"=1+1", ",\\u{3d}1+1,"},
        {"@a", ",\\u{40}a,"},
        {"＝1+1", ",\\u{ff1d}1+1,"},
        {"＋１", ",\\u{ff0b}１,"},
        {"－a", ",\\u{ff0d}a,"},
        {"＠ü", ",\\u{ff20}ü,"},
        {"-ü", ",\\u{2d}ü,"},
        {"a;=cmd|calc!A0", ",\"a;\\u{3d}cmd|calc!A0\","},
        {"a,+b;＝c", ",\"a,\\u{2b}b;\\u{ff1d}c\","},
        {";", ",\";\","},
        {"a;-1.5", ",\"a;-1.5\","},
        {"-1.5", ",-1.5,"},
        {"->", ",->,"},
        {"＝", ",＝,"},
        {"a=b", ",a=b,"},
    };
    const char *labels[COUNT(cases)];
    for (int i = 0; i < COUNT(cases); i++)
        labels[i] = cases[i].label;
    session_end(&session);
    session = synthetic_session(labels, COUNT(cases), COUNT(cases), 1, 4);
    write_and_read();
    ck_assert_uint_eq(row_count, COUNT(cases) * COUNT(cases));
    for (int i = 0; i < COUNT(cases); i++)
        ck_assert_msg(strstr(text, cases[i].written) != NULL, "%s", cases[i].written);
}
END_TEST

/* Floats that few decimals would not bring back, and the smallest and the least round of them. */
START_TEST(weights_to_the_last_bit)
{
    static const float weights[] = {0.1F, 1.0F / 3, 0x1.fffffep-1F, 0x1p-149F, 0x1.234568p-20F, 1};
    set(FIELD_HEADS, "0");
    for (size_t i = 0; i < 6; i++)
        session.data.encoded->trace->layer[0].weights[i] = weights[i];
    write_and_read();
    for (size_t i = 0; i < 6; i++)
        ck_assert_float_eq(strtof(rows[i].field[WEIGHT], NULL), weights[i]);
}
END_TEST

START_TEST(the_same_numbers_as_in_the_json)
{
    char *path = path_join(folder.path, "out.json");
    set(FIELD_HEADS, "2");
    write_and_read();
    const struct output weights_too = {.session = &session, .include = INCLUDE_WEIGHTS};
    assert_ok(export_file(&weights_too, FORMAT_JSON, path, &error), error);
    cJSON *json = export_of_file(path);
    const cJSON *layer = cJSON_GetArrayItem(json_member(json, "layers"), 0);
    const cJSON *head = cJSON_GetArrayItem(json_member(layer, "heads"), 2);
    const cJSON *weights = json_member(head, "weights");
    for (size_t i = 0; i < row_count; i++) {
        const cJSON *row = cJSON_GetArrayItem(weights, (int)number(&rows[i], FROM));
        const cJSON *weight = cJSON_GetArrayItem(row, (int)number(&rows[i], TO));
        ck_assert_float_eq((float)weight->valuedouble, strtof(rows[i].field[WEIGHT], NULL));
    }
    cJSON_Delete(json);
    free(path);
}
END_TEST

START_TEST(a_file_that_cannot_be_written)
{
    assert_fails(export_file(&output, FORMAT_CSV, "/nowhere/a.csv", &error), STATUS_IO,
                 "/nowhere/a.csv", error);
    assert_fails(export_file(&output, FORMAT_CSV, folder.path, &error), STATUS_IO, "found a folder",
                 error);
}
END_TEST

Suite *suite_export_csv(void)
{
    Suite *suite = suite_create("export/csv");
    TCase *tests = tcase_create("csv");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, two_heads_of_the_head_view);
    tcase_add_loop_test(tests, one_head_of_the_other_views, 0, 3);
    tcase_add_test(tests, no_head_is_on);
    tcase_add_test(tests, a_mean_is_said_to_be_one);
    tcase_add_test(tests, what_the_filter_leaves);
    tcase_add_test(tests, the_tokens_that_are_shown);
    tcase_add_test(tests, fields_are_quoted);
    tcase_add_test(tests, nothing_is_computed_by_a_spreadsheet);
    tcase_add_test(tests, weights_to_the_last_bit);
    tcase_add_test(tests, the_same_numbers_as_in_the_json);
    tcase_add_test(tests, a_file_that_cannot_be_written);
    suite_add_tcase(suite, tests);
    return suite;
}
