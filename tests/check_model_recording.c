/* Recordings as files: their text, where a pair is divided, damage, and what --trace writes. */
#include "family_model.h"
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/export/export.h"
#include "headlight/lens/dimensions.h"
#include "headlight/model/forward.h"
#include "headlight/model/recording.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct parts parts;
static struct recording *recording;
static unsigned char *bytes;
static size_t size;
static char metadata[2048];

static void close_recording(void)
{
    recording_close(recording);
    free(bytes);
    recording = NULL;
    bytes = NULL;
}

static void end(void)
{
    close_recording();
    parts_free(&parts);
}

TESTS(.end = end);

/* One layer and head of T times S zeros. */
static void begin(size_t T, size_t S)
{
    end();
    const size_t shape[] = {1, T, S, 0};
    parts_add(&parts, "layer.0.weights", "F32", shape);
    parts.metadata = metadata;
}

static enum status read_bytes(const char *source)
{
    close_recording();
    bytes = parts_bytes(&parts, 0, &size);
    return recording_from_memory(source, bytes, size, &recording, &error);
}

static enum status read_metadata(const char *json)
{
    snprintf(metadata, sizeof metadata, "%s", json);
    return read_bytes("folder.d/some.model.safetensors");
}

/* ---- Text --------------------------------------------------------------------------------- */

TEST(one_text)
{
    begin(3, 3);
    assert_ok(read_metadata("{\"tokens\":\"[\\\"[CLS]\\\",\\\"\xC4\xA0quick\\\",\\\"\\\"]\"}"),
              error);
    ck_assert_str_eq(recording->encoded->sides[0].labels[0], "[CLS]");
    ck_assert_str_eq(recording->encoded->sides[0].labels[1], "\xC4\xA0quick");
    ck_assert_str_eq(recording->encoded->sides[0].labels[2], "");
    ck_assert_ptr_eq(recording->encoded->sides[0].labels, recording->encoded->sides[1].labels);
    ck_assert_uint_eq(recording->encoded->sides[0].boundary, 3);
    ck_assert_uint_eq(recording->encoded->sides[1].boundary, 3);
    ck_assert_str_eq(recording->model, "some.model");
    ck_assert_ptr_null(recording->changes);
    ck_assert_uint_eq(recording->encoded->text_count, 0);
}

TEST(two_texts)
{
    begin(2, 3);
    assert_ok(read_metadata("{\"tokens\":\"[\\\"ein\\\",\\\"Haus\\\"]\",\"tokens_right\":"
                            "\"[\\\"a\\\",\\\"house\\\",\\\"</s>\\\"]\",\"segments_right\":"
                            "\"[0,1,1]\",\"model\":\"t5\",\"changes\":\"changed: causal\","
                            "\"texts\":\"[\\\"ein Haus\\\",\\\"a house\\\"]\"}"),
              error);
    ck_assert_uint_eq(recording->encoded->trace->tokens, 2);
    ck_assert_uint_eq(recording->encoded->trace->attended, 3);
    ck_assert_str_eq(recording->encoded->sides[0].labels[1], "Haus");
    ck_assert_str_eq(recording->encoded->sides[1].labels[2], "</s>");
    ck_assert_uint_eq(recording->encoded->sides[0].boundary, 2);
    ck_assert_uint_eq(recording->encoded->sides[1].boundary, 1);
    ck_assert_str_eq(recording->model, "t5");
    ck_assert_str_eq(recording->changes, "changed: causal");
    ck_assert_uint_eq(recording->encoded->text_count, 2);
    ck_assert_str_eq(recording->encoded->texts[1].bytes, "a house");
}

TEST(text_is_made_valid)
{
    begin(1, 1);
    assert_ok(read_metadata("{\"tokens\":\"[\\\"a\xFF\\\"]\",\"model\":\"\xC3\","
                            "\"texts\":\"[\\\"\xED\xA0\x80\\\"]\"}"),
              error);
    ck_assert_str_eq(recording->encoded->sides[0].labels[0], "a\xEF\xBF\xBD");
    ck_assert_str_eq(recording->model, "\xEF\xBF\xBD");
    ck_assert_str_eq(recording->encoded->texts[0].bytes, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(the_model_is_named_after_its_file)
{
    static const char *const names[][2] = {
        {"a/b.c/t5.safetensors", "t5"}, {"t5", "t5"}, {"/t5.x.y", "t5.x"}, {".hidden", ".hidden"}};
    begin(1, 1);
    strcpy(metadata, "{\"tokens\":\"[\\\"a\\\"]\"}");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_ok(read_bytes(names[i][0]), error);
        ck_assert_str_eq(recording->model, names[i][1]);
    }
}

/* Rows of zeros are padding's, and numbers of 16 bits are rounded. */
static const struct {
    float rows[2][2];
    const char *note;
} sums[] = {
    {{{0.25F, 0.75F}, {0.6F, 0.41F}}, ""},
    {{{0, 0}, {0.5F, 0.49F}}, ""},
    {{{0, 0}, {0, 0}}, ""},
    {{{0.25F, 0.46F}, {1, 0.33F}},
     "rows sum to 0.71 to 1.33, not to 1: was the model in training mode (model.eval())?"},
    {{{0.5F, 0.5F}, {0.9F, 0}},
     "rows sum to 0.90 to 1.00, not to 1: was the model in training mode (model.eval())?"},
};

TEST(rows_that_do_not_sum_to_1_are_noted, .times = COUNT(sums))
{
    struct session session;
    char note[512];
    begin(2, 2);
    memcpy(parts_find(&parts, "layer.0.weights")->data, sums[_i].rows, sizeof sums[_i].rows);
    assert_ok(read_metadata("{\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\"}"), error);
    assert_ok(session_begin_recording(&session, recording, &error), error);
    ck_assert_int_eq(session_note(&session, note, sizeof note), *sums[_i].note != '\0');
    ck_assert_str_eq(note, sums[_i].note);
    session_end(&session);
}

#define LIST(name, json) "\"" name "\":\"" json "\""
#define AB               LIST("tokens", "[\\\"a\\\",\\\"b\\\"]")

ROW_TEST(bad_metadata_is_refused, "recording")
{
    begin(2, (size_t)atoi(row[0]));
    const enum status status = read_metadata(row[1]);
    assert_refused(status, &error, row + 2);
    ck_assert_ptr_eq(strstr(error.message, "folder.d/some.model.safetensors: "), error.message);
    ck_assert_ptr_null(recording);
}

TEST(bad_tensors_are_refused)
{
    begin(2, 2);
    parts.part->data[3] = 0x40;
    assert_fails(read_metadata("{" AB "}"), STATUS_FORMAT, "after softmax", error);
    ck_assert_ptr_null(recording);
}

TEST(files_that_are_none)
{
    assert_fails(recording_open("/nowhere/x.safetensors", &recording, &error), STATUS_IO,
                 "/nowhere/x.safetensors", error);
    assert_fails(recording_open("tests", &recording, &error), STATUS_IO, "found a folder", error);
    assert_fails(recording_open("/dev/null", &recording, &error), STATUS_IO, "device", error);
    assert_fails(recording_open(TINY_FOLDER "/model.safetensors", &recording, &error),
                 STATUS_FORMAT, "the first is \"bert.embeddings.LayerNorm.bias\"", error);
    assert_fails(recording_open(TINY_FOLDER "/single.safetensors", &recording, &error),
                 STATUS_FORMAT, "list of 7 strings under \"tokens\"", error);
    ck_assert_ptr_null(recording);
    recording_close(NULL);
}

/* ---- Where a pair is divided ---------------------------------------------------------------- */

static size_t write_tokens(char *list, size_t room, const char *tokens)
{
    size_t count = 0, used = 0;
    for (const char *at = tokens; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        used += (size_t)snprintf(list + used, room - used, "%s\\\"%.*s\\\"", count++ > 0 ? "," : "",
                                 (int)length, at);
        at += length;
    }
    return count;
}

ROW_TEST(pairs_are_divided, "recording_divided")
{
    char list[512], text[1024];
    const size_t count = write_tokens(list, sizeof list, row[0]), boundary = (size_t)atoi(row[2]);
    const size_t expected = boundary > 0 ? boundary : count;
    begin(count, count);
    snprintf(text, sizeof text, "{\"tokens\":\"[%s]\"%s%s%s}", list,
             *row[1] ? ",\"segments\":\"[" : "", row[1], *row[1] ? "]\"" : "");
    assert_ok(read_metadata(text), error);
    ck_assert_uint_eq(recording->encoded->sides[0].boundary, expected);
    ck_assert_uint_eq(recording->encoded->sides[1].boundary, expected);
    ck_assert_ptr_null(recording->encoded->trace->segments);
    begin(1, count);
    snprintf(text, sizeof text, "{\"tokens\":\"[\\\"x\\\"]\",\"tokens_right\":\"[%s]\"%s%s%s}",
             list, *row[1] ? ",\"segments_right\":\"[" : "", row[1], *row[1] ? "]\"" : "");
    assert_ok(read_metadata(text), error);
    ck_assert_uint_eq(recording->encoded->sides[0].boundary, 1);
    ck_assert_uint_eq(recording->encoded->sides[1].boundary, expected);
}

TEST(the_tensor_of_segments_goes_first)
{
    begin(5, 5);
    struct part *part = parts_add(&parts, "segments", "I64", (const size_t[]){1, 5, 0});
    part->data[4 * 8] = 1;
    char list[512], text[1024];
    write_tokens(list, sizeof list, "[CLS] a [SEP] b [SEP]");
    snprintf(text, sizeof text, "{\"tokens\":\"[%s]\",\"segments\":\"[0,0,0,1,1]\"}", list);
    assert_ok(read_metadata(text), error);
    ck_assert_uint_eq(recording->encoded->sides[0].boundary, 4);
    ck_assert_int_eq(recording->encoded->trace->segments[4], 1);
}

TEST(a_tensor_of_segments_that_fall_is_refused)
{
    begin(2, 2);
    struct part *part = parts_add(&parts, "segments", "I64", (const size_t[]){2, 0});
    for (unsigned char second = 0; second < 3; second += 2) {
        part->data[0] = second == 0;
        part->data[8] = second;
        assert_fails(read_metadata("{" AB "}"), STATUS_FORMAT,
                     "model.safetensors: segments: expected 0", error);
        ck_assert_ptr_nonnull(strstr(error.message, second == 0 ? "found 0 at [1]" : "found 2 at"));
    }
}

/* RoBERTa's model is told 0 of both sentences. */
TEST(a_tensor_of_one_segment_leaves_it_to_the_list)
{
    begin(5, 5);
    parts_add(&parts, "segments", "I64", (const size_t[]){1, 5, 0});
    char list[512], text[1024];
    write_tokens(list, sizeof list, "<s> a </s> b </s>");
    snprintf(text, sizeof text, "{\"tokens\":\"[%s]\",\"segments\":\"[0,0,0,1,1]\"}", list);
    assert_ok(read_metadata(text), error);
    ck_assert_uint_eq(recording->encoded->sides[0].boundary, 3);
}

/* ---- What --trace writes -------------------------------------------------------------------- */

static void check_same_tensor(const struct trace_tensor *a, const struct trace_tensor *b)
{
    size_t shape[3] = {1, 1, 1};
    ck_assert_str_eq(a->name, b->name);
    ck_assert_uint_eq(a->rank, b->rank);
    ck_assert_mem_eq(a->shape, b->shape, a->rank * sizeof *a->shape);
    memcpy(shape, a->shape, a->rank * sizeof *shape);
    for (size_t i = 0; i < shape[0]; i++)
        for (size_t j = 0; j < shape[1]; j++)
            for (size_t k = 0; k < shape[2]; k++) {
                size_t x = i * a->stride[0] + j * a->stride[1] + k * a->stride[2];
                size_t y = i * b->stride[0] + j * b->stride[1] + k * b->stride[2];
                if (a->integers)
                    ck_assert_int_eq(a->integers[x], b->integers[y]);
                else
                    ck_assert_mem_eq(&a->numbers[x], &b->numbers[y], sizeof(float));
            }
}

static void check_same_trace(const struct trace *ours, const struct trace *read)
{
    struct trace_tensor a = {0}, b = {0};
    ck_assert_uint_eq(trace_tensor_count(ours), trace_tensor_count(read));
    for (size_t i = 0; i < trace_tensor_count(ours); i++) {
        trace_tensor_at(ours, i, &a);
        trace_tensor_at(read, i, &b);
        check_same_tensor(&a, &b);
    }
}

static void check_same_session(const struct session *session)
{
    check_same_trace(session->data.encoded->trace, recording->encoded->trace);
    for (size_t i = 0; i < session->data.tokens; i++)
        ck_assert_str_eq(recording->encoded->sides[1].labels[i],
                         session->data.encoded->sides[SIDE_LEFT].labels[i]);
    ck_assert_uint_eq(recording->encoded->sides[0].boundary,
                      session->data.encoded->sides[SIDE_LEFT].boundary);
    ck_assert_uint_eq(recording->encoded->sides[1].boundary,
                      session->data.encoded->sides[SIDE_LEFT].boundary);
    ck_assert_str_eq(recording->model, "tiny-bert");
    ck_assert_pstr_eq(recording->changes, session->data.changes);
    ck_assert_double_eq(dimensions_divisor(recording->encoded->trace), session->data.divisor);
    ck_assert_uint_eq(recording->encoded->text_count, session->data.encoded->text_count);
    for (size_t i = 0; i < session->data.encoded->text_count; i++)
        ck_assert_str_eq(recording->encoded->texts[i].bytes, session->data.encoded->texts[i].bytes);
}

/* One text and two, as it is and changed: with scores of -inf and tokens of no segment's form. */
TEST(a_trace_is_read_back_bit_for_bit, .times = 4)
{
    static const struct text texts[] = {{"time \"flies\" like an arrow", 26},
                                        {"fruit flies\tlike a b\xC3\xA4nana", 24}};
    static const struct interventions changes[] = {
        {0}, {.causal = true, .unscaled = true, .temperature = 0.3}};
    struct checkpoint checkpoint;
    struct session session;
    struct folder folder;
    folder_make(&folder);
    char *path = path_join(folder.path, "t.safetensors");
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &changes[_i / 2]);
    assert_ok(session_open(&session, texts, (size_t)_i % 2 + 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    assert_ok(export_file(&(struct output){.session = &session}, FORMAT_TRACE, path, &error),
              error);
    assert_ok(recording_open(path, &recording, &error), error);
    check_same_session(&session);
    recording_close(recording);
    recording = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
    free(path);
    folder_remove(&folder);
}

/* Whatever the family's tensors are; and a pair is one too where its tokens have no segments. */
TEST(a_trace_of_any_family_is_read_back, .times = (int)family_variant_count())
{
    static const char *const labels[] = {"<s>", "a", "b", "[SEP]", "c", "d", "e", "f", "</s>"};
    const size_t tokens = sizeof labels / sizeof *labels;
    const struct interventions changes = {.causal = _i % 2};
    struct random_model model;
    struct folder folder;
    struct trace *trace;
    folder_make(&folder);
    char *path = path_join(folder.path, "t.safetensors");
    family_model_make(&model, family_variant_at((size_t)_i), "F16", (uint64_t)_i);
    trace = random_prepare(&model, tokens, 4, 5);
    assert_ok(forward_run(model.model, &changes, NULL, trace, &error), error);
    struct session session = synthetic_of_trace(trace, labels, 4);
    assert_ok(export_file(&(struct output){.session = &session}, FORMAT_TRACE, path, &error),
              error);
    assert_ok(recording_open(path, &recording, &error), error);
    check_same_trace(trace, recording->encoded->trace);
    ck_assert_uint_eq(recording->encoded->sides[0].boundary, 4);
    ck_assert_uint_eq(recording->encoded->sides[1].boundary, 4);
    recording_close(recording);
    recording = NULL;
    session_end(&session);
    random_model_free(&model);
    free(path);
    folder_remove(&folder);
}

/* What scores are divided by is a fact of its own; what the words say, anybody may have written. */
ROW_TEST(words_do_not_tell_what_scores_are_divided_by, "recording_divisors")
{
    char written[256];
    snprintf(written, sizeof written, "{\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\",\"changes\":\"%s\"%s}",
             row[0], row[1]);
    begin(2, 2);
    assert_ok(read_metadata(written), error);
    recording->encoded->trace->dimensions = 4;
    ck_assert_double_eq_tol(dimensions_divisor(recording->encoded->trace), atof(row[2]), 1e-12);
    ck_assert_str_eq(recording->changes, row[0]);
}

/* ---- What is shown of it -------------------------------------------------------------------- */

static bool on_screen(struct session *session, const char *text)
{
    struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    assert_ok(screen_draw(session, canvas, &error), error);
    const bool found = view_shows(canvas, text);
    canvas_free(canvas);
    return found;
}

/* Without queries and keys the neuron view still has the values; without these it says so. */
TEST(a_recording_of_values_shows_them, .times = 2)
{
    const size_t shape[] = {1, 3, 8, 0};
    struct session session;
    begin(2, 3);
    if (_i == 0)
        parts_add(&parts, "layer.0.value", "F32", shape);
    assert_ok(read_metadata("{\"tokens\":\"[\\\"ein\\\",\\\"Haus\\\"]\",\"tokens_right\":"
                            "\"[\\\"a\\\",\\\"house\\\",\\\"</s>\\\"]\"}"),
              error);
    assert_ok(session_begin_recording(&session, recording, &error), error);
    session_set_view(&session, VIEW_NEURON);
    ck_assert_int_eq(on_screen(&session, "value v"), _i == 0);
    ck_assert_int_eq(on_screen(&session, "this recording has no query and key"), _i == 1);
    ck_assert(!on_screen(&session, "key k"));
    session_set(&session, FIELD_BANDS, 1);
    ck_assert_int_eq(on_screen(&session, "value v"), _i == 0);
    session_end(&session);
}

/* ---- Damage: what is otherwise wrong is the fuzzer's to find ----------------------------------
 */

TEST(a_file_cut_short_is_refused)
{
    begin(2, 2);
    assert_ok(read_metadata("{" AB "}"), error);
    for (size_t cut = 0; cut < size; cut++) {
        struct recording *read;
        unsigned char *part = malloc(cut + 1);
        ck_assert_ptr_nonnull(part);
        memcpy(part, bytes, cut);
        ck_assert_int_eq(recording_from_memory("x", part, cut, &read, &error), STATUS_FORMAT);
        ck_assert_ptr_null(read);
        free(part);
    }
}
