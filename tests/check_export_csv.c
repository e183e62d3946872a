/* What is on screen as CSV: which rows a view has, which tokens, and numbers that read back as the
 * same. */
#include "model_helpers.h"
#include "recorded.h"
#include "schema.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADER                                                                                     \
    "kind,layer,head,from,from_piece,attending,to,to_piece,attended,weight\n" /* of connections */
#define ROWS_MAX 8192
#define COLUMNS  18

enum column { KIND, LAYER, HEAD, FROM, FROM_PIECE, ATTENDING, TO, TO_PIECE, ATTENDED, WEIGHT };

static struct checkpoint checkpoint, other;
static struct output output = {.session = &session};
static struct folder folder;
static struct error error;
static char *text;
static struct row {
    char field[COLUMNS][48];
} * rows; /* [ROWS_MAX] */
static size_t row_count;

static void begin(void)
{
    folder_make(&folder);
    rows = calloc(ROWS_MAX, sizeof *rows);
    ck_assert_ptr_nonnull(rows);
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    free(rows);
    session_end(&session);
    checkpoint_close(&checkpoint);
    checkpoint_close(&other);
    folder_remove(&folder);
    free(text);
    text = NULL;
}

TESTS(.begin = begin, .end = end);

/* Texts of a model, in place of those without one. */
static void open_model(const char *model, const char *a, const char *b)
{
    assert_ok(checkpoint_open(&checkpoint, model, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, a, b);
}

static void set(enum state_field setting, const char *value)
{
    const char *values[FIELD_COUNT] = {NULL};
    values[setting] = value;
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
    if (session.checkpoint)
        assert_ok(request_rest(&session, &error), error);
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

static void write_and_read_as(const char *header)
{
    char *path = path_join(folder.path, "out.csv");
    size_t length;
    int columns = 1;
    for (const char *at = header; *at; at++)
        columns += *at == ',';
    free(text);
    text = NULL;
    assert_ok(export_file(&output, FORMAT_CSV, path, &error), error);
    assert_ok(file_read(path, (size_t)1 << 24, &text, &length, &error), error);
    if (strncmp(text, header, strlen(header)) != 0)
        ck_abort_msg("expected %s, found %.100s", header, text);
    row_count = 0;
    for (const char *at = text + strlen(header); *at; row_count++) {
        ck_assert_uint_lt(row_count, ROWS_MAX);
        for (int column = 0; column < columns; column++) {
            at = read_field(at, rows[row_count].field[column], sizeof *rows->field);
            ck_assert_int_eq(at[-1], column == columns - 1 ? '\n' : ',');
        }
    }
    free(path);
}

static void write_and_read(void)
{
    write_and_read_as(HEADER);
}

static size_t number(const struct row *row, enum column column)
{
    return strtoul(row->field[column], NULL, 10);
}

/* The number of a row's own. */
static float value(const struct row *row, int column)
{
    return strtof(row->field[column], NULL);
}

/* The token as it is shown, of which the row has the number in the trace. */
static size_t shown(const struct row *row, enum side side)
{
    return attention_shown(session.data.attention, side, number(row, side ? TO : FROM));
}

/* A row says what the scene shows: numbers, labels, weight to the last bit. */
static void check_row(const struct row *row, size_t map)
{
    size_t from = shown(row, SIDE_LEFT), to = shown(row, SIDE_RIGHT);
    ck_assert_str_eq(row->field[KIND], "connection");
    ck_assert_str_eq(row->field[ATTENDING], scene_label(scene_of(&session), SIDE_LEFT, from));
    ck_assert_str_eq(row->field[ATTENDED], scene_label(scene_of(&session), SIDE_RIGHT, to));
    ck_assert_float_eq(value(row, WEIGHT), scene_weight(scene_of(&session), map, from, to));
}

TEST(two_heads_of_the_head_view)
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
            value(&rows[i], WEIGHT),
            trace_weight(session.data.encoded->trace, 1, head, number(&rows[i], FROM), i % 13));
    }
}

/* The matrix shows the head under the cursor. */
TEST(one_head_of_the_matrix)
{
    set(FIELD_VIEW, "matrix");
    set(FIELD_HEAD, "2");
    write_and_read();
    ck_assert_uint_eq(row_count, 13 * 13);
    for (size_t i = 0; i < row_count; i++) {
        ck_assert_str_eq(rows[i].field[HEAD], "2");
        check_row(&rows[i], 2);
    }
}

#define NEURON                                                                                     \
    "kind,layer,head,from,from_piece,attending,to,to_piece,attended,"                              \
    "dimension,query,key,product,value,weighted,context,score,weight\n"
enum {
    N_DIMENSION = WEIGHT,
    N_QUERY,
    N_KEY,
    N_PRODUCT,
    N_VALUE,
    N_WEIGHTED,
    N_CONTEXT,
    N_SCORE,
    N_SHARE
};

/* Of each dimension what the trace has, and of each key what they add up to. */
TEST(a_query_dimension_by_dimension)
{
    enum { D = 8, T = 8 };
    open_model("tests/vectors/tiny-bert", "the cat sat on the mat", NULL);
    set(FIELD_VIEW, "neuron");
    set(FIELD_LAYER, "1");
    set(FIELD_HEAD, "2");
    set(FIELD_SELECT, "#2");
    write_and_read_as(NEURON);
    const struct trace *trace = session.data.trace;
    const struct layer_trace *layer = &trace->layer[1];
    double contexts[D] = {0};
    ck_assert_uint_eq(trace->dimensions, D);
    ck_assert_uint_eq(row_count, T * (D + 1));
    for (size_t key = 0; key < T; key++) {
        const struct row *last = &rows[key * (D + 1) + D];
        double product = 0;
        for (size_t d = 0; d < D; d++) {
            const struct row *row = last - D + d;
            ck_assert_str_eq(row->field[KIND], "dimension");
            ck_assert_uint_eq(number(row, FROM), 2);
            ck_assert_uint_eq(number(row, TO), key);
            ck_assert_uint_eq(number(row, (enum column)N_DIMENSION), d);
            ck_assert_float_eq(value(row, N_QUERY), heads_row(&layer->query, 2, 2)[d]);
            ck_assert_float_eq(value(row, N_KEY), heads_row(&layer->key, 2, key)[d]);
            ck_assert_float_eq(value(row, N_VALUE), heads_row(&layer->value, 2, key)[d]);
            ck_assert_float_eq(value(row, N_PRODUCT), value(row, N_QUERY) * value(row, N_KEY));
            ck_assert_float_eq_tol(value(row, N_WEIGHTED),
                                   value(last, N_SHARE) * value(row, N_VALUE), 1e-7F);
            ck_assert_str_eq(row->field[N_SCORE], "");
            product += (double)value(row, N_PRODUCT);
            contexts[d] += (double)value(row, N_WEIGHTED);
        }
        ck_assert_str_eq(last->field[KIND], "connection");
        ck_assert_str_eq(last->field[N_CONTEXT], "");
        ck_assert_float_eq(value(last, N_SCORE), trace_score(trace, 1, 2, 2, key));
        ck_assert_float_eq(value(last, N_SHARE), trace_weight(trace, 1, 2, 2, key));
        ck_assert_double_eq_tol(product / sqrt(D), (double)value(last, N_SCORE), 1e-5);
    }
    for (size_t i = 0; i < row_count; i++)
        if (i % (D + 1) < D)
            ck_assert_double_eq_tol((double)value(&rows[i], N_CONTEXT), contexts[i % (D + 1)],
                                    1e-6);
    set(FIELD_ATTENDED, "#3");
    write_and_read_as(NEURON);
    ck_assert_uint_eq(row_count, D + 1);
    ck_assert_uint_eq(number(&rows[D], TO), 3);
}

/* Without a figure the model view shows the maps of all heads. */
TEST(all_heads_of_the_model_view)
{
    session_end(&session);
    session = synthetic_session(synthetic_pair, 13, 7, 4, 3);
    set(FIELD_VIEW, "model");
    write_and_read();
    ck_assert_uint_eq(row_count, session.data.layers * session.data.head_count * 169);
    for (size_t i = 0; i < row_count; i++) {
        const size_t map = i / 169, heads = session.data.head_count;
        ck_assert_uint_eq(number(&rows[i], LAYER), map / heads);
        ck_assert_uint_eq(number(&rows[i], HEAD), map % heads);
        ck_assert_float_eq(value(&rows[i], WEIGHT),
                           trace_weight(session.data.trace, map / heads, map % heads,
                                        number(&rows[i], FROM), number(&rows[i], TO)));
    }
}

#define FIGURES "kind,layer,head,figure,value\n"

TEST(figures_of_all_heads_in_the_order_of_the_view)
{
    set(FIELD_VIEW, "model");
    set(FIELD_METRIC, "entropy");
    set(FIELD_SORT, "on");
    write_and_read_as(FIGURES);
    ck_assert_uint_eq(row_count, session.data.layers * session.data.head_count);
    for (size_t i = 0; i < row_count; i++) {
        const struct head_metrics metrics =
            metrics_measure(session.data.trace, number(&rows[i], LAYER), number(&rows[i], HEAD),
                            &session.data.encoded->kinds);
        ck_assert_str_eq(rows[i].field[KIND], "figure");
        ck_assert_str_eq(rows[i].field[3], "entropy");
        ck_assert_double_eq_tol((double)value(&rows[i], 4), metrics.of[METRIC_ENTROPY], 1e-6);
        ck_assert(i == 0 || value(&rows[i], 4) <= value(&rows[i - 1], 4) + 0.001F);
    }
    set(FIELD_METRIC, "label");
    write_and_read_as(FIGURES);
    ck_assert_str_eq(rows[0].field[KIND], "label");
    for (size_t i = 0; i < row_count; i++) {
        const struct head_metrics metrics =
            metrics_measure(session.data.trace, number(&rows[i], LAYER), number(&rows[i], HEAD),
                            &session.data.encoded->kinds);
        ck_assert_str_eq(rows[i].field[3], metrics_label(&metrics).name);
    }
}

TEST(effects_of_all_heads)
{
    open_model(TINY_FOLDER, "time flies like an arrow", NULL);
    set(FIELD_VIEW, "model");
    set(FIELD_SELECT, "flies");
    set(FIELD_METRIC, "effect");
    write_and_read_as("kind,layer,head,token,token_piece,text,id,piece,change\n");
    const struct effects *effects = session.data.effects;
    ck_assert_uint_eq(row_count, 12);
    for (size_t i = 0; i < row_count; i++) {
        ck_assert_str_eq(rows[i].field[KIND], "effect");
        ck_assert_str_eq(rows[i].field[4], "flies");
        ck_assert_int_eq(atoi(rows[i].field[6]), effects->on.id);
        ck_assert_str_eq(rows[i].field[7], tokenizer_piece(checkpoint.tokenizer, effects->on.id));
        ck_assert_float_eq(value(&rows[i], 8), (float)effects->change[i]);
    }
}

#define ANSWERS "kind,layer,token,token_piece,text,rank,id,piece,probability\n"

/* ---- The compare view ---- */

#define COMPARED "kind,side,layer,head,from,from_piece,attending,to,to_piece,attended,value\n"

/* How many rows have a kind and a side; from *first on. */
static size_t rows_of(const char *kind, const char *side, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++)
        if (strcmp(rows[i].field[0], kind) == 0 && strcmp(rows[i].field[1], side) == 0 &&
            count++ == 0)
            *first = i;
    return count;
}

/* Before and after a change: in both the same tokens. */
TEST(both_sides_and_the_difference)
{
    size_t left = 0, right = 0, difference = 0, cosine = 0;
    const char *off[FIELD_COUNT] = {[FIELD_OFF] = "0.0,0.1,0.2"};
    open_model(TINY_FOLDER, "time flies like an arrow", NULL);
    assert_ok(fields_apply(&session, PART_NETWORK, off, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    set(FIELD_VIEW, "compare");
    set(FIELD_LAYER, "2");
    set(FIELD_HEAD, "1");
    write_and_read_as(COMPARED);
    ck_assert_uint_eq(rows_of("connection", "left", &left), 49);
    ck_assert_uint_eq(rows_of("connection", "right", &right), 49);
    ck_assert_uint_eq(rows_of("connection", "difference", &difference), 49);
    ck_assert_uint_eq(rows_of("cosine", "", &cosine), 4 + 2);
    for (size_t i = 0; i < 49; i++) {
        ck_assert_float_eq(value(&rows[left + i], 10),
                           trace_weight(data_before(&session.data), 2, 1, i / 7, i % 7));
        ck_assert_float_eq(value(&rows[right + i], 10),
                           trace_weight(session.data.trace, 2, 1, i / 7, i % 7));
        ck_assert_float_eq(value(&rows[difference + i], 10),
                           value(&rows[right + i], 10) - value(&rows[left + i], 10));
    }
    ck_assert_str_eq(rows[cosine].field[2], "embedding");
    ck_assert_float_eq(value(&rows[cosine], 10), 1);
    ck_assert_float_lt(value(&rows[cosine + 1], 10), 1);
    ck_assert_str_eq(rows[cosine + 4].field[2], "last 3: sum");
}

/* Two models that cut a text up differently: the difference has only what both have. */
TEST(two_models_side_by_side)
{
    size_t left = 0, right = 0, difference = 0;
    open_model(TINY_FOLDER, "time flies unhappily", NULL);
    assert_ok(checkpoint_open(&other, NULL, NULL, NULL, &error), error);
    session.data.against = &other;
    set(FIELD_VIEW, "compare");
    write_and_read_as(COMPARED);
    const size_t ours = session.data.tokens, theirs = 7;
    ck_assert_uint_eq(rows_of("connection", "left", &left), ours * ours);
    ck_assert_uint_eq(rows_of("connection", "right", &right), theirs * theirs);
    ck_assert_uint_eq(rows_of("connection", "difference", &difference), 4 * 4);
    ck_assert_str_eq(rows[right + 5].field[8], "##ily");
    for (size_t i = difference; i < difference + 16; i++)
        ck_assert_str_ne(rows[i].field[8], "##ily");
}

/* Sorted, then how alike each layer's vectors are. */
TEST(what_moved)
{
    open_model("tests/vectors/families/distilbert", "time flies like an arrow", NULL);
    assert_ok(checkpoint_open(&other, "tests/vectors/families/minilm", NULL, NULL, &error), error);
    session.data.against = &other;
    set(FIELD_VIEW, "model");
    set(FIELD_METRIC, "moved");
    set(FIELD_SORT, "on");
    write_and_read_as(FIGURES);
    ck_assert_uint_eq(row_count, 12 + 3);
    ck_assert_str_eq(rows[0].field[3], "moved");
    ck_assert_str_eq(rows[0].field[2], "3"); /* as in check_lens_divergence.c */
    ck_assert_float_eq_tol(value(&rows[0], 4), 0.645056F, 2e-5F);
    ck_assert_str_eq(rows[13].field[0], "cosine");
    ck_assert_str_eq(rows[13].field[1], "1");
    ck_assert_float_eq_tol(value(&rows[13], 4), 0.407961F, 2e-5F);
}

/* ---- What is no table ---- */

static void check_refused(enum status status, const char *why)
{
    char *path = path_join(folder.path, "none.csv");
    assert_fails(export_file(&output, FORMAT_CSV, path, &error), status, why, error);
    ck_assert(!file_exists(path));
    free(path);
}

TEST(what_cannot_be_written_says_so)
{
    open_model("tests/vectors/heads/qa-bert", "time flies", NULL);
    set(FIELD_VIEW, "answers");
    check_refused(STATUS_UNSUPPORTED,
                  "--csv: this checkpoint answers with a span of the second text; words need");
    set(FIELD_VIEW, "compare");
    check_refused(STATUS_UNSUPPORTED, "--csv: the compare view: expected a change of the network");
}

/* ---- Fields ---- */

/* The pieces are the JSON's, which a byte-level vocabulary spells differently from the screen. */
TEST(pieces_are_as_in_the_json)
{
    open_model("tests/vectors/families/roberta", "the cat", NULL);
    set(FIELD_HEADS, "0");
    write_and_read();
    bool differ = false;
    for (size_t i = 0; i < row_count; i++) {
        const char *piece = encoded_pieces(session.data.encoded, SIDE_LEFT)[number(&rows[i], FROM)];
        ck_assert_str_eq(rows[i].field[FROM_PIECE], piece);
        differ |= strcmp(rows[i].field[ATTENDING], piece) != 0;
    }
    ck_assert(differ);
}

TEST(no_head_is_on)
{
    set(FIELD_HEADS, "none");
    write_and_read();
    ck_assert_str_eq(text, HEADER);
}

TEST(a_mean_is_said_to_be_one)
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
    ck_assert_float_eq(value(&rows[5], WEIGHT), sum / 4);
    set(FIELD_MEAN, "layers");
    write_and_read();
    ck_assert_uint_eq(row_count, 13 * 13);
    ck_assert_str_eq(rows[0].field[LAYER], "mean");
    ck_assert_str_eq(rows[0].field[HEAD], "mean");
    for (size_t i = 0; i < row_count; i++)
        check_row(&rows[i], 0);
}

TEST(what_the_filter_leaves)
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

/* Words and hidden tokens: counted as shown, with the weights as shown. */
TEST(the_tokens_that_are_shown)
{
    set(FIELD_WHOLE_WORDS, "on");
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

TEST(fields_are_quoted)
{
    static const char *const labels[] = {"a,b", "say \"x\"", "trail ", "new\nline", "\"", "", "\t"};
    static const char *const written[] = {"\"a,b\"",           "\"say \"\"x\"\"\"", "\"trail \"",
                                          "\"new\\u{a}line\"", "\"\"\"\"",          ",5,,,",
                                          "\"\\u{9}\""};
    session_end(&session);
    session = synthetic_session(labels, 7, 7, 1, 4);
    write_and_read();
    ck_assert_uint_eq(row_count, 49);
    for (size_t i = 0; i < 7; i++)
        ck_assert_msg(strstr(text, written[i]) != NULL, "%s", written[i]);
}

/* What begins a cell wherever a spreadsheet may split, and would be computed there. Numbers, and
 * signs with nothing to compute, stay as they are. */
TEST(nothing_is_computed_by_a_spreadsheet)
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

/* Floats that few decimals would not bring back, and the smallest and the least round of them. */
TEST(weights_to_the_last_bit)
{
    static const float weights[] = {0.1F, 1.0F / 3, 0x1.fffffep-1F, 0x1p-149F, 0x1.234568p-20F, 1};
    set(FIELD_HEADS, "0");
    for (size_t i = 0; i < 6; i++)
        session.data.encoded->trace->layer[0].weights[i] = weights[i];
    write_and_read();
    for (size_t i = 0; i < 6; i++)
        ck_assert_float_eq(value(&rows[i], WEIGHT), weights[i]);
}

TEST(the_same_numbers_as_in_the_json)
{
    char *path = path_join(folder.path, "out.json");
    set(FIELD_HEADS, "2");
    write_and_read();
    session.checkpoint = NULL; /* as of a recording: nothing can be asked */
    const struct output weights_too = {.session = &session, .include = INCLUDE_WEIGHTS};
    assert_ok(export_file(&weights_too, FORMAT_JSON, path, &error), error);
    cJSON *json = export_of_file(path);
    const cJSON *layer = cJSON_GetArrayItem(json_member(json, "layers"), 0);
    const cJSON *head = cJSON_GetArrayItem(json_member(layer, "heads"), 2);
    const cJSON *weights = json_member(head, "weights");
    for (size_t i = 0; i < row_count; i++) {
        const cJSON *row = cJSON_GetArrayItem(weights, (int)number(&rows[i], FROM));
        const cJSON *weight = cJSON_GetArrayItem(row, (int)number(&rows[i], TO));
        ck_assert_float_eq((float)weight->valuedouble, value(&rows[i], WEIGHT));
    }
    cJSON_Delete(json);
    free(path);
}

TEST(a_file_that_cannot_be_written)
{
    assert_fails(export_file(&output, FORMAT_CSV, "/nowhere/a.csv", &error), STATUS_IO,
                 "/nowhere/a.csv", error);
    assert_fails(export_file(&output, FORMAT_CSV, folder.path, &error), STATUS_IO, "found a folder",
                 error);
}
