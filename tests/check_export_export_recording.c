/* What leaves the program of a recording: its tensors bit for bit, what it has as JSON, and null
 * for what it lacks. */
#include "model_helpers.h"
#include "recorded.h"
#include "schema.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/base/bytes.h"
#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/session/session.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct error error;
static struct folder folder;
static struct parts parts;
static struct recording *recording, *again;
static struct session session;
static const struct output output = {.session = &session};

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    session_end(&session);
    recording_close(recording);
    recording_close(again);
    parts_free(&parts);
    folder_remove(&folder);
    recording = again = NULL;
}

TESTS(.begin = begin, .end = end);

/* Opens the parts as a file. */
static void open_recording(const char *metadata)
{
    char *path = in_folder(&folder, "in.safetensors");
    parts.metadata = metadata;
    parts_write(&parts, 0, parts.count, 0, &folder, "in.safetensors");
    assert_ok(recording_open(path, &recording, &error), error);
    assert_ok(session_begin_recording(&session, recording, &error), error);
    free(path);
}

static void add(const char *name, size_t a, size_t b, size_t c)
{
    const size_t shape[] = {a, b, c, 0};
    struct part *part = parts_add(&parts, name, "F32", shape);
    size_t count = part->size / sizeof(float);
    float *numbers = malloc(part->size);
    ck_assert_ptr_nonnull(numbers);
    fill_random(numbers, count, 1, parts.count);
    for (size_t i = 0; i < count && strstr(name, "weights"); i++)
        numbers[i] = fabsf(numbers[i]);
    memcpy(part->data, numbers, part->size);
    free(numbers);
}

/* Cross-attention of two layers, two heads, T = 2, S = 3, D = 4, the second with weights alone. */
static void open_crossed(void)
{
    add("layer.0.weights", 2, 2, 3);
    add("layer.0.scores", 2, 2, 3);
    add("layer.0.query", 2, 2, 4);
    add("layer.0.key", 2, 3, 4);
    add("layer.0.value", 2, 3, 4);
    add("layer.0.output", 2, 8, 0);
    add("layer.1.weights", 2, 2, 3);
    open_recording("{\"tokens\":\"[\\\"ein\\\",\\\"Haus\\\"]\",\"model\":\"t5\",\"tokens_right\":"
                   "\"[\\\"a\\\",\\\"house\\\",\\\"</"
                   "s>\\\"]\",\"segments_right\":\"[0,1,1]\",\"terms\":\"3\"}");
    ck_assert_uint_eq(recording->encoded->trace->terms, 3);
}

/* ---- As safetensors -----------------------------------------------------------------------------
 */

static void write_and_open(void)
{
    char *path = in_folder(&folder, "out.safetensors");
    assert_ok(export_file(&output, FORMAT_TRACE, path, &error), error);
    assert_ok(recording_open(path, &again, &error), error);
    free(path);
}

static void check_same_numbers(const struct trace_tensor *a, const struct trace_tensor *b)
{
    size_t shape[3] = {1, 1, 1}, places[2];
    memcpy(shape, a->shape, a->rank * sizeof *shape);
    for (size_t n = 0; n < shape[0] * shape[1] * shape[2]; n++) {
        size_t i = n / (shape[1] * shape[2]), j = n / shape[2] % shape[1], k = n % shape[2];
        places[0] = i * a->stride[0] + j * a->stride[1] + k * a->stride[2];
        places[1] = i * b->stride[0] + j * b->stride[1] + k * b->stride[2];
        if (a->integers)
            ck_assert_int_eq(a->integers[places[0]], b->integers[places[1]]);
        else
            ck_assert_mem_eq(&a->numbers[places[0]], &b->numbers[places[1]], sizeof(float));
    }
}

static void check_same_tensors(void)
{
    struct trace_tensor a = {0}, b = {0};
    size_t count = trace_tensor_count(recording->encoded->trace);
    ck_assert_uint_eq(trace_tensor_count(again->encoded->trace), count);
    for (size_t i = 0; i < count; i++) {
        trace_tensor_at(recording->encoded->trace, i, &a);
        trace_tensor_at(again->encoded->trace, i, &b);
        ck_assert_str_eq(a.name, b.name);
        ck_assert_uint_eq(a.rank, b.rank);
        ck_assert_mem_eq(a.shape, b.shape, a.rank * sizeof *a.shape);
        check_same_numbers(&a, &b);
    }
}

static void check_same_text(void)
{
    const size_t counts[] = {recording->encoded->trace->tokens,
                             recording->encoded->trace->attended};
    for (int side = 0; side < 2; side++) {
        ck_assert_uint_eq(again->encoded->sides[side].boundary,
                          recording->encoded->sides[side].boundary);
        for (size_t i = 0; i < counts[side]; i++)
            ck_assert_str_eq(again->encoded->sides[side].labels[i],
                             recording->encoded->sides[side].labels[i]);
    }
    ck_assert_str_eq(again->model, recording->model);
    ck_assert_pstr_eq(again->changes, recording->changes);
    ck_assert_uint_eq(again->encoded->trace->terms, recording->encoded->trace->terms);
    ck_assert_uint_eq(again->encoded->text_count, recording->encoded->text_count);
    for (size_t i = 0; i < recording->encoded->text_count; i++)
        ck_assert_str_eq(again->encoded->texts[i].bytes, recording->encoded->texts[i].bytes);
}

TEST(crossed_attention_is_written_as_it_was)
{
    open_crossed();
    write_and_open();
    check_same_tensors();
    check_same_text();
    ck_assert_uint_eq(again->encoded->sides[1].boundary, 1);
}

/* A page is told by its columns that its maps are not square; nothing is asked of a recording. */
TEST(a_page_has_both_sides)
{
    char *path = in_folder(&folder, "out.html"), *page;
    size_t length;
    open_crossed();
    assert_ok(export_file(&output, FORMAT_PAGE, path, &error), error);
    assert_ok(file_read(path, (size_t)1 << 20, &page, &length, &error), error);
    ck_assert_ptr_nonnull(strstr(page, "\"model\":\"t5\","));
    ck_assert_ptr_nonnull(strstr(page, "\"layers\":2,\"heads\":2,"));
    ck_assert_ptr_nonnull(strstr(page, "\"tokens\":[\"ein\",\"Haus\"],\"columns\":[\"a\",\"house\","
                                       "\"\\u003c/s>\"],"));
    ck_assert_ptr_null(strstr(page, "\"answers\":"));
    const char *weights = strstr(page, "\"weights\":\"") + strlen("\"weights\":\"");
    ck_assert_uint_eq(strcspn(weights, "\""), BASE64_LENGTH(2 * 2 * 2 * 2 * 3));
    free(page);
    free(path);
}

/* Everything there can be; numbers at the ends of what floats are keep their bits. */
TEST(every_tensor_is_written_as_it_was)
{
    static const uint32_t odd[] = {0x7F7FFFFF, 0xFF800000, 0x80000000, 1};
    add("layer.0.weights", 1, 3, 3);
    add("layer.0.scores", 1, 3, 3);
    add("layer.0.input", 3, 4, 0);
    add("layer.0.attention_output", 3, 4, 0);
    add("layer.0.context", 3, 4, 0);
    add("embedding", 3, 4, 0);
    add("mlm_logits", 3, 5, 0);
    add("nsp_logits", 2, 0, 0);
    memcpy(parts_find(&parts, "layer.0.scores")->data, odd, sizeof odd);
    parts_add(&parts, "ids", "I64", (const size_t[]){3, 0})->data[8] = 7;
    parts_add(&parts, "segments", "I32", (const size_t[]){3, 0})->data[8] = 1;
    open_recording("{\"tokens\":\"[\\\"a\\\",\\\"b\\\\\\\"\\\",\\\"\xE2\x82\xAC\\\"]\",\"texts\":"
                   "\"[\\\"a b\\\",\\\"\xE2\x82\xAC\\\"]\",\"changes\":\"pruned: half\"}");
    write_and_open();
    check_same_tensors();
    check_same_text();
    ck_assert_int_eq(again->encoded->trace->ids[1], 7);
    ck_assert_uint_eq(again->encoded->sides[0].boundary, 2);
}

/* Halves come back as the floats they were read as. */
TEST(narrow_numbers_are_written_as_they_were_read)
{
    add("layer.0.weights", 2, 2, 2);
    parts_narrow(&parts, "BF16");
    open_recording("{\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\"}");
    write_and_open();
    check_same_tensors();
}

/* Where the file says that a row is one sentence, or where it is divided, its copy says so too. */
TEST(sentences_are_divided_as_they_were, .times = 4)
{
    static const struct {
        const char *segments;
        size_t boundary;
    } cases[] = {{"", 3},
                 {",\"segments\":\"[0,0,0,0,0]\"", 5},
                 {",\"segments\":\"[0,1,1,1,1]\"", 1},
                 {",\"segments\":\"[0,0,0,0,1]\"", 4}};
    char metadata[256];
    add("layer.0.weights", 1, 5, 5);
    snprintf(metadata, sizeof metadata,
             "{\"tokens\":\"[\\\"[CLS]\\\",\\\"a\\\",\\\"[SEP]\\\",\\\"b\\\",\\\"[SEP]\\\"]\"%s}",
             cases[_i].segments);
    open_recording(metadata);
    write_and_open();
    check_same_text();
    ck_assert_uint_eq(again->encoded->sides[0].boundary, cases[_i].boundary);
}

static void check_labels(const struct encoded *encoded, const char *const *shown,
                         const char *const *pieces)
{
    ck_assert_uint_eq(encoded->sides[SIDE_LEFT].count, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(encoded->sides[SIDE_LEFT].labels[i], shown[i]);
        ck_assert_str_eq(encoded->sides[SIDE_RIGHT].labels[i], shown[i]);
        ck_assert_str_eq(encoded_pieces(encoded, SIDE_LEFT)[i], pieces[i]);
    }
}

/* What was shown is shown again, and written again; the pieces are the vocabulary's. */
TEST(bytes_stay_readable)
{
    static const char *const shown[] = {"c", "a", "f", "é", "⋯"};
    static const char *const pieces[] = {"c", "a", "f", "Ã", "©"};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    assert_ok(checkpoint_open(&checkpoint, "tests/vectors/families/gpt2", NULL, NULL, &error),
              error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &(struct text){"café", 5}, 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    check_labels(session.data.encoded, shown, pieces);
    write_and_open();
    session_end(&session);
    checkpoint_close(&checkpoint);
    assert_ok(session_begin_recording(&session, again, &error), error);
    check_labels(session.data.encoded, shown, pieces);
    recording = again;
    write_and_open();
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(again->encoded->sides[0].labels[i], shown[i]);
        ck_assert_str_eq(again->encoded->pieces[i], pieces[i]);
    }
}

/* ---- As JSON
 * -------------------------------------------------------------------------------------- */

static cJSON *write_json(unsigned include)
{
    char *path = in_folder(&folder, "out.json");
    struct output including = {.session = &session, .include = include};
    assert_ok(export_file(&including, FORMAT_JSON, path, &error), error);
    cJSON *json = export_of_file(path);
    free(path);
    return json;
}

static const cJSON *at(const cJSON *array, size_t index)
{
    const cJSON *found = cJSON_GetArrayItem(array, (int)index);
    ck_assert_ptr_nonnull(found);
    return found;
}

static void check_matrix(const cJSON *object, const char *name, const float *values, size_t height,
                         size_t width, size_t stride)
{
    const cJSON *matrix = json_member(object, name);
    ck_assert_msg(matrix != NULL, "%s is missing", name);
    ck_assert_int_eq(cJSON_GetArraySize(matrix), (int)height);
    for (size_t i = 0; i < height; i++) {
        ck_assert_int_eq(cJSON_GetArraySize(at(matrix, i)), (int)width);
        for (size_t j = 0; j < width; j++)
            ck_assert_float_eq((float)at(at(matrix, i), j)->valuedouble, values[i * stride + j]);
    }
}

/* There, and null: not left out. */
static void check_null(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    ck_assert_msg(item && cJSON_IsNull(item), "%s", name);
}

static void check_strings(const cJSON *list, const char *const *strings, size_t count)
{
    ck_assert_int_eq(cJSON_GetArraySize(list), (int)count);
    for (size_t i = 0; i < count; i++)
        ck_assert_str_eq(at(list, i)->valuestring, strings[i]);
}

static const cJSON *head_of(const cJSON *json, size_t layer, size_t head)
{
    return at(json_member(at(json_member(json, "layers"), layer), "heads"), head);
}

TEST(json_has_rows_as_wide_as_the_attended_tokens)
{
    open_crossed();
    const struct layer_trace *layer = &recording->encoded->trace->layer[0];
    cJSON *json = write_json(INCLUDE_ALL);
    check_strings(json_member(json, "tokens"), recording->encoded->sides[0].labels, 2);
    check_strings(json_member(json, "tokens_right"), recording->encoded->sides[1].labels, 3);
    ck_assert_str_eq(json_member(json, "model")->valuestring, "t5");
    for (size_t h = 0; h < 2; h++) {
        const cJSON *head = head_of(json, 0, h);
        check_matrix(head, "weights", layer->weights + h * 6, 2, 3, 3);
        check_matrix(head, "scores", layer->scores + h * 6, 2, 3, 3);
        check_matrix(head, "query", heads_row(&layer->query, h, 0), 2, 4,
                     layer->query.token_stride);
        check_matrix(head, "key", heads_row(&layer->key, h, 0), 3, 4, layer->key.token_stride);
        check_matrix(head, "value", heads_row(&layer->value, h, 0), 3, 4,
                     layer->value.token_stride);
        check_matrix(head_of(json, 1, h), "weights",
                     recording->encoded->trace->layer[1].weights + h * 6, 2, 3, 3);
    }
    check_matrix(at(json_member(json, "layers"), 0), "output", layer->output, 2, 8, 8);
    cJSON_Delete(json);
}

/* Three tokens attend to three of another text or to four, each to the one at its own place (head
 * 0) or before it (head 1). */
static void open_places(size_t attended)
{
    const size_t shape[] = {2, 3, attended, 0};
    float *weights = (float *)(void *)parts_add(&parts, "layer.0.weights", "F32", shape)->data;
    for (size_t i = 0; i < 3; i++) {
        weights[i * attended + i] = 1;
        weights[(3 + i) * attended + (i > 0 ? i - 1 : 0)] = 1;
    }
    open_recording(attended == 3
                       ? "{\"tokens\":\"[\\\"a\\\",\\\"b\\\",\\\"c\\\"]\","
                         "\"tokens_right\":\"[\\\"x\\\",\\\"y\\\",\\\"z\\\"]\"}"
                       : "{\"tokens\":\"[\\\"a\\\",\\\"b\\\",\\\"c\\\"]\",\"tokens_right\":"
                         "\"[\\\"x\\\",\\\"y\\\",\\\"z\\\",\\\"w\\\"]\"}");
}

/* The same place of another text is not the token itself. */
TEST(places_of_two_texts_are_not_compared, .from = 3, .times = 2)
{
    static const char *const absent[] = {"previous", "next", "self", "same", "distance"};
    struct canvas *canvas = canvas_new(100, 30, (struct traits){GLYPHS_BRAILLE, false});
    char *path = in_folder(&folder, "out.html"), *page;
    size_t length;
    ck_assert_ptr_nonnull(canvas);
    open_places((size_t)_i);
    cJSON *json = write_json(INCLUDE_METRICS);
    for (size_t i = 0; i < 10; i++)
        check_null(json_member(head_of(json, 0, i % 2), "metrics"), absent[i / 2]);
    check_null(json_member(head_of(json, 0, 0), "metrics"), "label");
    ck_assert_str_eq(json_member(json_member(head_of(json, 0, 1), "metrics"), "label")->valuestring,
                     "first");
    cJSON_Delete(json);
    assert_ok(export_file(&output, FORMAT_PAGE, path, &error), error);
    assert_ok(file_read(path, (size_t)1 << 20, &page, &length, &error), error);
    ck_assert_ptr_nonnull(strstr(page, "\"does\":[[\"\",\"first token\"]]"));
    free(page);
    session.state.look.view = VIEW_MATRIX;
    look_show_alone(&session.state.look, 0);
    assert_ok(screen_draw(&session, canvas, &error), error);
    ck_assert(!view_shows(canvas, "itself"));
    for (int i = 0; i < METRIC_LINKS; i++) { /* o passes them over */
        session_act(&session, ACTION_METRIC, 0);
        ck_assert(metric_infos[session.state.look.metric].axes & AXES_TWO_TEXTS);
    }
    struct scene scene = session_scene(&session);
    assert_fails(act_choose(&scene, FIELD_METRIC, METRIC_SELF, &error), STATUS_USAGE,
                 "--metric self is for self-attention", error);
    session.state.look.view = VIEW_MODEL;
    session.state.look.metric = METRIC_SELF; /* as it was on another side of the file */
    assert_ok(derive_look(&session, &session.state.look, &error), error);
    assert_ok(export_file(&output, FORMAT_CSV, path, &error), error);
    assert_ok(file_read(path, (size_t)1 << 20, &page, &length, &error), error);
    ck_assert_ptr_nonnull(strstr(page, "\nfigure,0,0,self,\n"));
    free(page);
    free(path);
    canvas_free(canvas);
}

TEST(json_has_null_for_what_was_not_recorded)
{
    static const char *const of_head[] = {"scores", "query", "key", "value"};
    static const char *const of_layer[] = {"context", "attention_output", "output"};
    static const char *const of_all[] = {"ids", "segments", "spans", "changes", "embedding"};
    open_crossed();
    cJSON *json = write_json(INCLUDE_ALL);
    for (size_t i = 0; i < 4; i++)
        check_null(head_of(json, 1, 0), of_head[i]);
    for (size_t i = 0; i < 3; i++)
        check_null(at(json_member(json, "layers"), 1), of_layer[i]);
    for (int i = 0; i < COUNT(of_all); i++)
        check_null(json, of_all[i]);
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "texts")), 0);
    cJSON_Delete(json);
    json = write_json(0);
    ck_assert_ptr_null(json_member(json, "layers"));
    ck_assert_ptr_null(json_member(json, "changes"));
    cJSON_Delete(json);
}

TEST(json_has_the_recorded_ids_segments_and_texts)
{
    add("layer.0.weights", 1, 2, 2);
    add("mlm_logits", 2, 5, 0); /* without a vocabulary there are no pieces to name */
    parts_add(&parts, "ids", "I64", (const size_t[]){2, 0})->data[8] = 103;
    parts_add(&parts, "segments", "I64", (const size_t[]){2, 0})->data[8] = 1;
    open_recording("{\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\",\"texts\":\"[\\\"a\\\",\\\"b\\\"]\","
                   "\"changes\":\"pruned\"}");
    cJSON *json = write_json(0);
    ck_assert_int_eq(at(json_member(json, "ids"), 1)->valueint, 103);
    ck_assert_int_eq(at(json_member(json, "segments"), 1)->valueint, 1);
    check_strings(json_member(json, "texts"), ((const char *const[]){"a", "b"}), 2);
    ck_assert_ptr_null(cJSON_GetObjectItemCaseSensitive(json, "tokens_right"));
    ck_assert_str_eq(json_member(json, "changes")->valuestring, "pruned");
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "answers")), 0);
    ck_assert_str_eq(json_member(json, "silent")->valuestring,
                     "words need the model: a recording comes without it");
    check_null(json, "spans");
    cJSON_Delete(json);
}

TEST(a_recording_has_no_model_to_ask)
{
    open_crossed();
    const unsigned asked[] = {INCLUDE_LENS, INCLUDE_EFFECTS};
    for (size_t i = 0; i < 2; i++) {
        struct output including = {.session = &session, .include = asked[i]};
        char *path = in_folder(&folder, "out.json");
        assert_fails(export_file(&including, FORMAT_JSON, path, &error), STATUS_UNSUPPORTED,
                     "expected a model to ask, found a recording of one", error);
        ck_assert(!file_exists(path));
        free(path);
    }
}

/* What is drawn may come of both files by then. */
TEST(a_recording_that_is_written_over_is_told_of)
{
    const struct timespec times[] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    char *in = in_folder(&folder, "in.safetensors"), *out = in_folder(&folder, "out.csv");
    struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    open_crossed();
    assert_ok(screen_draw(&session, canvas, &error), error);
    assert_ok(export_file(&output, FORMAT_CSV, out, &error), error);
    assert_ok(export_file(&output, FORMAT_LIST, out, &error), error);
    ck_assert_int_eq(unlink(out), 0);
    parts_write(&parts, 0, parts.count, 0, &folder, "in.safetensors");
    ck_assert_int_eq(utimensat(AT_FDCWD, in, times, 0), 0);
    assert_fails(screen_draw(&session, canvas, &error), STATUS_IO, "has been written to", error);
    assert_fails(export_file(&output, FORMAT_CSV, out, &error), STATUS_IO, "has been written to",
                 error);
    assert_fails(export_file(&output, FORMAT_LIST, out, &error), STATUS_IO, "has been written to",
                 error);
    ck_assert(!file_exists(out));
    canvas_free(canvas);
    free(in);
    free(out);
}
