/* What leaves the program: JSON, safetensors. The numbers are the recorded ones. */
#include "model_helpers.h"
#include "recorded.h"
#include "schema.h"
#include "suites.h"

#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/logit_lens.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SENTENCE "time flies like an arrow"

static struct checkpoint checkpoint;
static struct session session;
static const struct output output = {.session = &session};
static struct folder folder;
static struct error error;

static void open_session(const char *sentence, const struct interventions *changes)
{
    const struct text text = {sentence, strlen(sentence)};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, changes);
    assert_ok(session_open(&session, &text, 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
}

static void begin(void)
{
    const struct interventions none = {0};
    folder_make(&folder);
    open_session(SENTENCE, &none);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

static void reopen(const char *sentence, const struct interventions *changes)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
    open_session(sentence, changes);
}

/* ---- JSON ---- */

static const char *answer;

static cJSON *write_and_read_json(unsigned include)
{
    char *path = in_folder(&folder, "out.json");
    struct output including = {.session = &session, .include = include, .answer = answer};
    assert_ok(export_file(&including, FORMAT_JSON, path, &error), error);
    cJSON *json = export_of_file(path);
    free(path);
    return json;
}

static const cJSON *item(const cJSON *array, size_t index)
{
    const cJSON *found = cJSON_GetArrayItem(array, (int)index);
    ck_assert_ptr_nonnull(found);
    return found;
}

/* A matrix of the JSON against rows that lie `stride` apart; null stands for what is not finite. */
static void check_matrix(const cJSON *object, const char *name, const float *values, size_t rows,
                         size_t columns, size_t stride)
{
    const cJSON *matrix = json_member(object, name);
    ck_assert_msg(matrix != NULL, "%s is missing", name);
    ck_assert_int_eq(cJSON_GetArraySize(matrix), (int)rows);
    for (size_t i = 0; i < rows; i++) {
        const cJSON *row = item(matrix, i);
        ck_assert_int_eq(cJSON_GetArraySize(row), (int)columns);
        for (size_t j = 0; j < columns; j++) {
            float value = values[i * stride + j];
            if (isfinite(value))
                ck_assert_float_eq((float)item(row, j)->valuedouble, value);
            else
                ck_assert(cJSON_IsNull(item(row, j)));
        }
    }
}

static void check_heads(const cJSON *object, const char *name, const struct heads *heads,
                        size_t head)
{
    check_matrix(object, name, heads_row(heads, head, 0), session.data.encoded->trace->tokens,
                 session.data.encoded->trace->dimensions, heads->token_stride);
}

TEST(json_holds_every_number_exactly)
{
    const struct trace *trace = session.data.encoded->trace;
    size_t T = trace->tokens, H = trace->hidden;
    cJSON *json = write_and_read_json(INCLUDE_ALL);
    check_matrix(json, "embedding", trace->embedding, T, H, H);
    for (size_t l = 0; l < trace->layers; l++) {
        const cJSON *layer = item(json_member(json, "layers"), l);
        const struct layer_trace *ours = &trace->layer[l];
        check_matrix(layer, "context", ours->context, T, H, H);
        check_matrix(layer, "attention_output", ours->attention_output, T, H, H);
        check_matrix(layer, "output", ours->output, T, H, H);
        for (size_t h = 0; h < trace->heads; h++) {
            const cJSON *head = item(json_member(layer, "heads"), h);
            check_matrix(head, "weights", ours->weights + h * T * T, T, T, T);
            check_matrix(head, "scores", ours->scores + h * T * T, T, T, T);
            check_heads(head, "query", &ours->query, h);
            check_heads(head, "key", &ours->key, h);
            check_heads(head, "value", &ours->value, h);
        }
    }
    cJSON_Delete(json);
}

/* ALBERT's embeddings have fewer numbers than its vectors. */
TEST(json_has_embeddings_of_their_own_size)
{
    const struct interventions none = {0};
    session_end(&session);
    checkpoint_close(&checkpoint);
    assert_ok(checkpoint_open(&checkpoint, "tests/vectors/families/albert", NULL, NULL, &error),
              error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &(struct text){SENTENCE, strlen(SENTENCE)}, 1, NULL, &error),
              error);
    assert_ok(request_settle(&session, &error), error);
    cJSON *json = write_and_read_json(INCLUDE_HIDDEN);
    const struct trace *trace = session.data.trace;
    const cJSON *rows = json_member(json, "embedding");
    ck_assert_int_eq(cJSON_GetArraySize(rows), (int)trace->tokens);
    for (size_t t = 0; t < trace->tokens; t++) {
        ck_assert_int_eq(cJSON_GetArraySize(item(rows, t)), (int)trace->embedded);
        for (size_t e = 0; e < trace->embedded; e++)
            ck_assert_double_eq_tol(item(item(rows, t), e)->valuedouble,
                                    (double)trace->embedding[t * trace->embedded + e], 1e-6);
    }
    cJSON_Delete(json);
}

TEST(json_tells_every_change)
{
    struct interventions changes = {.temperature = 0.5,
                                    .causal = true,
                                    .positions = POSITIONS_SINUSOIDAL,
                                    .off = {0, 8},
                                    .uniform = {2, 2, 2}};
    cJSON *json = write_and_read_json(0);
    ck_assert(cJSON_HasObjectItem(json, "changes"));
    ck_assert(!json_member(json, "changes")); /* null */
    cJSON_Delete(json);
    assert_ok(interventions_hide(&changes, 3, &error), error);
    assert_ok(interventions_cut(&changes, (struct cut){0, 1, 2, 2}, &error), error);
    reopen(SENTENCE, &changes);
    json = write_and_read_json(0);
    const cJSON *told = json_member(json, "changes");
    char *text = cJSON_PrintUnformatted(told);
    ck_assert_str_eq(text, "{\"unscaled\":false,\"causal\":true,\"temperature\":\"0.5\","
                           "\"positions\":\"sinusoidal\",\"no-segments\":false,\"off\":\"1.3\","
                           "\"uniform\":\"0.1,1.1,2.1\",\"hide\":\"#3\",\"cut\":\"0.1.2.2\"}");
    cJSON_free(text);
    cJSON_Delete(json);
}

/* ---- Rows without weights ---- */

static void assert_no_nan_on_screen(void)
{
    struct canvas *canvas = canvas_new(110, 34, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    assert_ok(screen_draw(&session, canvas, &error), error);
    for (int y = 0; y < 34; y++) {
        char row[110 * 8 + 1] = "";
        for (int x = 0; x < 110; x++)
            strcat(row, canvas_at(canvas, y, x)->text);
        ck_assert_msg(!strstr(row, "nan") && !strstr(row, "inf"), "%s", row);
    }
    canvas_free(canvas);
}

static const char *const shown[] = {
    "head",
    "neuron",
    "model",
    "matrix",
};

/* All hidden, or all but one row of one head: what reads weights lives with rows of zeros. */
TEST(rows_of_zero_are_shown_and_written, .times = COUNT(shown))
{
    static const struct {
        enum state_field setting;
        const char *value;
    } looks[] = {
        {FIELD_VIEW, NULL},          {FIELD_SPECIAL, "rescaled"}, {FIELD_WHOLE_WORDS, "on"},
        {FIELD_MEAN, "heads"},       {FIELD_MEAN, "layers"},      {FIELD_SHADE, "row"},
        {FIELD_METRIC, "entropy"},   {FIELD_METRIC, "previous"},  {FIELD_SORT, "on"},
        {FIELD_THUMBNAILS, "lines"}, {FIELD_LIST, "on"},          {FIELD_NUMBERS, "on"},
    };
    struct interventions changes = {0};
    enum state_field failed;
    for (uint32_t t = 0; t < 7; t++)
        assert_ok(interventions_hide(&changes, t, &error), error);
    reopen(SENTENCE, &changes);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        const char *values[FIELD_COUNT] = {[FIELD_VIEW] = shown[_i]};
        if (looks[i].value)
            values[looks[i].setting] = looks[i].value;
        values[FIELD_SELECT] = i % 2 ? "flies" : NULL;
        assert_ok(fields_apply(&session, PART_LOOK, values, &failed, &error), error);
        assert_no_nan_on_screen();
    }
    struct head_metrics metrics = metrics_measure(session.data.trace, 1, 2, NULL);
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
        if (metric != METRIC_SAME && metric != METRIC_INDUCTION) /* no word occurs twice */
            ck_assert_double_eq(metrics.of[metric], 0);
    cJSON *json = write_and_read_json(INCLUDE_WEIGHTS | INCLUDE_SCORES | INCLUDE_METRICS);
    const cJSON *head = item(json_member(item(json_member(json, "layers"), 2), "heads"), 3);
    const cJSON *told = json_member(head, "metrics");
    static const char *const nulls[] = {"label", "value", "same"};
    for (size_t i = 0; i < 3; i++)
        ck_assert(cJSON_IsNull(cJSON_GetObjectItem(told, nulls[i])));
    ck_assert_double_eq(json_member(told, "entropy")->valuedouble, 0);
    for (size_t i = 0; i < 49; i++) {
        ck_assert_double_eq(item(item(json_member(head, "weights"), i / 7), i % 7)->valuedouble, 0);
        ck_assert(cJSON_IsNumber(item(item(json_member(head, "weights"), i / 7), i % 7)));
        ck_assert(cJSON_IsNull(item(item(json_member(head, "scores"), i / 7), i % 7)));
    }
    cJSON_Delete(json);
    for (enum format format = 0; format < FORMAT_COUNT; format++) {
        char *path = in_folder(&folder, "out.html"), *text;
        size_t length;
        struct output whole = {
            .session = &session, .columns = 100, .rows = 30, .depth = DEPTH_DIRECT};
        assert_ok(export_file(&whole, format, path, &error), error);
        assert_ok(file_read(path, (size_t)1 << 28, &text, &length, &error), error);
        if (!(formats[format].needs & FORMAT_BINARY))
            ck_assert_msg(!strstr(text, "nan"), "%s", formats[format].name);
        free(text);
        free(path);
    }
}

TEST(json_tells_what_heads_do)
{
    const struct interventions none = {0};
    size_t labelled = 0;
    reopen("the cat sat on the cat", &none);
    cJSON *json = write_and_read_json(INCLUDE_METRICS);
    for (size_t i = 0; i < session.data.layers * session.data.head_count; i++) {
        size_t layer = i / session.data.head_count, head = i % session.data.head_count;
        struct head_metrics own =
            metrics_measure(session.data.trace, layer, head, &session.data.encoded->kinds);
        struct head_label label = metrics_label(&own);
        const cJSON *told = json_member(
            item(json_member(item(json_member(json, "layers"), layer), "heads"), head), "metrics");
        for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
            if (metric_infos[metric].axes & AXES_ONE_TEXT)
                ck_assert_double_eq_tol(json_member(told, metric_infos[metric].name)->valuedouble,
                                        own.of[metric], 1e-6);
        ck_assert_int_eq(cJSON_IsNull(cJSON_GetObjectItem(told, "label")),
                         label.metric == METRIC_NONE);
        if (label.metric == METRIC_NONE)
            continue;
        labelled++;
        ck_assert_str_eq(json_member(told, "label")->valuestring, label.name);
        ck_assert_double_eq_tol(json_member(told, "value")->valuedouble, label.value, 1e-6);
    }
    ck_assert_uint_gt(labelled, 0);
    cJSON_Delete(json);
}

/* ---- What is asked for ---- */

static void choose_token(const char *token, const char *special)
{
    const char *values[FIELD_COUNT] = {[FIELD_SELECT] = token, [FIELD_SPECIAL] = special};
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
}

/* ---- Another model ---- */

/* The same checkpoint with one matrix less: the other side is a pass of its own, and the difference
 * is that of the weights. */
TEST(json_has_both_sides_and_the_difference)
{
    struct checkpoint other;
    struct parts parts = {0};
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    struct part *key = parts_find(&parts, "bert.encoder.layer.1.attention.self.key.weight");
    memset(key->data, 0, key->size);
    parts_write(&parts, 0, parts.count, 0, &folder, "model.safetensors");
    parts_free(&parts);
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "vocab.txt");
    assert_ok(checkpoint_open(&other, folder.path, NULL, NULL, &error), error);
    session.data.against = &other;
    const struct trace *own = session.data.trace;
    struct trace *again;
    assert_ok(forward_prepare(other.model, NULL, own->ids, own->segments, own->tokens, false,
                              &again, &error),
              error);
    assert_ok(forward_run(other.model, NULL, NULL, again, &error), error);
    cJSON *json = write_and_read_json(INCLUDE_WEIGHTS);
    const cJSON *against = json_member(json, "against");
    ck_assert_int_eq(item(json_member(against, "counterparts"), 6)->valueint, 6);
    const cJSON *cosines = json_member(against, "cosines");
    ck_assert_int_eq(cJSON_GetArraySize(cosines), 4);
    ck_assert_double_eq(item(item(cosines, 1), 3)->valuedouble, 1); /* up to the changed layer */
    ck_assert_double_lt(item(item(cosines, 2), 3)->valuedouble, 0.9999);
    const cJSON *moved = json_member(against, "moved");
    ck_assert_double_eq(item(item(moved, 0), 3)->valuedouble, 0);
    ck_assert_double_eq_tol(item(item(moved, 2), 3)->valuedouble,
                            divergence_of_head(session.data.trace, again, 2, 3), 1e-6);
    free(again);
    for (size_t i = 0; i < 3 * 4 * 49; i++) {
        const size_t l = i / 196, h = i / 49 % 4, from = i / 7 % 7, to = i % 7;
        const cJSON *head = item(json_member(item(json_member(against, "layers"), l), "heads"), h);
        const double theirs = item(item(json_member(head, "weights"), from), to)->valuedouble;
        ck_assert_double_eq_tol(item(item(json_member(head, "difference"), from), to)->valuedouble,
                                theirs - (double)trace_weight(session.data.trace, l, h, from, to),
                                1e-6);
    }
    cJSON_Delete(json);
    session.data.against = NULL;
    checkpoint_close(&other);
}

/* ---- What is computed for the JSON ---- */

static void check_effects(size_t token, int32_t id)
{
    const struct trace *trace = session.data.encoded->trace;
    struct effects *ours;
    assert_ok(effects_of_word(checkpoint.model, trace, token, id, NULL, &ours, &error), error);
    cJSON *json = write_and_read_json(INCLUDE_EFFECTS);
    const cJSON *effects = json_member(json, "effects");
    ck_assert_int_eq(json_member(effects, "token")->valueint, (int)token);
    ck_assert_int_eq(json_member(effects, "id")->valueint, id);
    ck_assert_float_eq((float)json_member(effects, "logprob")->valuedouble, (float)ours->logprob);
    ck_assert_int_eq(cJSON_GetArraySize(json_member(effects, "change")), (int)trace->layers);
    for (size_t l = 0; l < trace->layers; l++) {
        const cJSON *row = item(json_member(effects, "change"), l);
        ck_assert_int_eq(cJSON_GetArraySize(row), (int)trace->heads);
        for (size_t a = 0; a < trace->heads; a++)
            ck_assert_float_eq((float)item(row, a)->valuedouble,
                               (float)ours->change[l * trace->heads + a]);
    }
    free(ours);
    cJSON_Delete(json);
}

TEST(json_has_the_effects_of_heads)
{
    struct prediction likeliest;
    choose_token("flies", "hidden"); /* token 2, and the second one that is shown */
    best_pieces(session.data.encoded->trace, 2, &likeliest, 1);
    ck_assert_int_ne(likeliest.id, 80);
    check_effects(2, likeliest.id);
    answer = "like";
    check_effects(2, 80);
    answer = NULL;
}

/* Without the logits of a whole pass the likeliest piece is looked for at that token. */
TEST(effects_need_no_logits)
{
    const struct interventions none = {0};
    struct prediction likeliest;
    best_pieces(session.data.encoded->trace, 3, &likeliest, 1);
    session_end(&session);
    session_begin(&session, &checkpoint, true, &none);
    session.logits = false;
    assert_ok(session_open(&session, &(struct text){SENTENCE, strlen(SENTENCE)}, 1, NULL, &error),
              error);
    assert_ok(request_settle(&session, &error), error);
    ck_assert_ptr_null(session.data.encoded->trace->outputs[OUTPUT_MLM]);
    choose_token("like", NULL);
    check_effects(3, likeliest.id);
}

static enum status write_including(unsigned include)
{
    struct output including = {.session = &session, .include = include, .answer = answer};
    char *path = in_folder(&folder, "none.json");
    enum status status = export_file(&including, FORMAT_JSON, path, &error);
    ck_assert(!file_exists(path));
    free(path);
    return status;
}

TEST(lens_and_effects_need_a_masked_word_head)
{
    static const char *const head[] = {
        "cls.predictions.bias", "cls.predictions.transform.dense.weight",
        "cls.predictions.transform.dense.bias", "cls.predictions.transform.LayerNorm.weight",
        "cls.predictions.transform.LayerNorm.bias"};
    const struct interventions none = {0};
    struct parts parts;
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        parts_drop(&parts, head[i]);
    parts_write(&parts, 0, parts.count, 0, &folder, "model.safetensors");
    parts_free(&parts);
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "vocab.txt");
    session_end(&session);
    checkpoint_close(&checkpoint);
    assert_ok(checkpoint_open(&checkpoint, folder.path, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &(struct text){SENTENCE, strlen(SENTENCE)}, 1, NULL, &error),
              error);
    assert_ok(request_settle(&session, &error), error);
    choose_token("flies", NULL);
    assert_fails(write_including(INCLUDE_LENS), STATUS_UNSUPPORTED,
                 "--include lens: words need a masked-word head", error);
    assert_fails(write_including(INCLUDE_EFFECTS), STATUS_UNSUPPORTED,
                 "--include effects: words need a masked-word head", error);
}

/* ---- Hostile text ---- */

/* Text that would drive a terminal comes out escaped, and reads back as it was. */
TEST(json_of_hostile_text)
{
    const struct interventions none = {0};
    reopen("\x1B[31m\"quoted\\\"\xC2\x9B\xE2\x80\xAE\xFF tab\t", &none);
    char *path = in_folder(&folder, "out.json"), *text;
    size_t length;
    assert_ok(export_file(&output, FORMAT_JSON, path, &error), error);
    assert_ok(file_read(path, (size_t)1 << 28, &text, &length, &error), error);
    for (size_t i = 0; i < length; i++)
        ck_assert_msg((unsigned char)text[i] >= 0x20 || text[i] == '\n', "a control at %zu", i);
    ck_assert_ptr_null(strstr(text, "\xC2\x9B"));
    ck_assert_ptr_null(strstr(text, "\xE2\x80\xAE"));
    cJSON *json;
    assert_ok(json_parse_object(text, length, path, &json, &error), error);
    ck_assert_str_eq(item(json_member(json, "texts"), 0)->valuestring,
                     "\x1B[31m\"quoted\\\"\xC2\x9B\xE2\x80\xAE\xEF\xBF\xBD tab\t");
    cJSON_Delete(json);
    free(text);
    free(path);
}

/* ---- Safetensors ---- */

/* The program's own trace file against the recording: the same names, shapes and bytes. */
TEST(trace_equals_the_recording)
{
    char *path = in_folder(&folder, "out.safetensors");
    const char *reference_path = TINY_FOLDER "/single.safetensors";
    struct mapping ours_map, reference_map;
    struct safetensors *ours, *reference;
    struct trace_tensor tensor;
    assert_ok(export_file(&output, FORMAT_TRACE, path, &error), error);
    assert_ok(mapping_open(&ours_map, path, &error), error);
    assert_ok(mapping_open(&reference_map, reference_path, &error), error);
    assert_ok(safetensors_parse(ours_map.bytes, ours_map.size, path, &ours, &error), error);
    assert_ok(safetensors_parse(reference_map.bytes, reference_map.size, reference_path, &reference,
                                &error),
              error);
    ck_assert_uint_eq(ours->count, reference->count);
    for (size_t i = 0; i < trace_tensor_count(session.data.encoded->trace); i++) {
        trace_tensor_at(session.data.encoded->trace, i, &tensor);
        const struct tensor *a = safetensors_find(ours, tensor.name);
        const struct tensor *b = safetensors_find(reference, tensor.name);
        ck_assert_msg(a && b, "%s", tensor.name);
        ck_assert_str_eq(a->type_name, b->type_name);
        ck_assert_uint_eq(a->rank, b->rank);
        ck_assert_mem_eq(a->shape, b->shape, a->rank * sizeof *a->shape);
        size_t count = 1;
        for (size_t axis = 0; axis < a->rank; axis++)
            count *= a->shape[axis];
        for (size_t j = 0; a->type == TENSOR_F32 && j < count; j++) {
            float x, y;
            memcpy(&x, a->data + j * sizeof x, sizeof x);
            memcpy(&y, b->data + j * sizeof y, sizeof y);
            ck_assert_msg(fabsf(x - y) <= 2e-5F, "%s: %g, recorded %g", tensor.name, (double)x,
                          (double)y);
        }
    }
    safetensors_free(ours);
    safetensors_free(reference);
    mapping_close(&ours_map);
    mapping_close(&reference_map);
    free(path);
}

TEST(a_file_that_cannot_be_written)
{
    assert_fails(export_file(&output, FORMAT_TRACE, "/nowhere/at/all", &error), STATUS_IO,
                 "/nowhere/at/all", error);
    assert_fails(export_file(&output, FORMAT_JSON, folder.path, &error), STATUS_IO,
                 "found a folder", error);
    assert_fails(export_file(&output, FORMAT_JSON, "/dev/full", &error), STATUS_IO, "No space left",
                 error);
}
