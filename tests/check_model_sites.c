/* A recording of an encoder–decoder: its sites, their names, and going from one to the next. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/app/program.h"
#include "headlight/session/act.h"

#include <string.h>

#define ENCODER "\"encoder_tokens\":\"[\\\"ein\\\",\\\"Haus\\\",\\\"</s>\\\"]\""
#define DECODER "\"decoder_tokens\":\"[\\\"a\\\",\\\"house\\\"]\""

static struct error error;
static struct folder folder;
static struct parts parts;
static char *file;
static struct program program;

/* A head gives all of its weight to the first token; in another file half of it to the second. */
static void add_weights(const char *name, size_t heads, size_t T, size_t S, float first)
{
    const size_t shape[] = {heads, T, S, 0};
    float *weights = (float *)(void *)parts_add(&parts, name, "F32", shape)->data;
    for (size_t i = 0; i < heads * T; i++) {
        weights[i * S] = first;
        weights[i * S + 1] = 1 - first;
    }
}

/* Encoder of 2 layers of 4 heads, decoder of 3 layers of 2. */
static void make_parts(float first)
{
    static const size_t keys[] = {2, 3, 5, 0}, hidden[] = {1, 3, 6, 0};
    char name[64];
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "encoder_attentions.%d", i);
        add_weights(name, 4, 3, 3, first);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "decoder_attentions.%d", i);
        add_weights(name, 2, 2, 2, first);
        snprintf(name, sizeof name, i == 0 ? "cross.layer.%d.weights" : "cross_attentions.%d", i);
        add_weights(name, 2, 2, 3, first);
    }
    parts_add(&parts, "cross.layer.1.key", "F32", keys);
    parts_add(&parts, "encoder_hidden_states.0", "F32", hidden);
    parts_add(&parts, "encoder_hidden_states.2", "F32", hidden);
    parts.metadata = "{" ENCODER "," DECODER ",\"model\":\"t5\"}";
}

static void begin(void)
{
    folder_make(&folder);
    make_parts(1);
    parts_write(&parts, 0, parts.count, 0, &folder, "t5.safetensors");
    file = in_folder(&folder, "t5.safetensors");
    program = (struct program){0};
}

static void end(void)
{
    program_end(&program);
    parts_free(&parts);
    folder_remove(&folder);
    free(file);
}

TESTS(.begin = begin, .end = end);

static enum status start(const char *site, const char *against)
{
    char *argv[8] = {(char *)"headlight", file};
    int count = 2;
    if (site) {
        argv[count++] = (char *)"--site";
        argv[count++] = (char *)(uintptr_t)site;
    }
    if (against) {
        argv[count++] = (char *)"--against";
        argv[count++] = (char *)(uintptr_t)against;
    }
    program_end(&program);
    program = (struct program){0};
    if (options_parse(&program.options, count, argv, &error) != STATUS_OK ||
        program_prepare(&program, &error) != STATUS_OK ||
        program_load(&program, NULL, &error) != STATUS_OK)
        return error.status;
    return program_begin(&program, &error);
}

/* What is shown: the site, its layers and heads, and its tokens. */
static void check_shown(const char *site, size_t layers, size_t heads, size_t T, size_t S)
{
    const struct session *session = &program.session;
    const struct trace *trace = session->data.trace;
    ck_assert_str_eq(site_words[session->data.encoded->site].name, site);
    ck_assert_uint_eq(session->data.layers, layers);
    ck_assert_uint_eq(session->data.head_count, heads);
    ck_assert_uint_eq(trace->layers, layers);
    ck_assert_uint_eq(trace->heads, heads);
    ck_assert_uint_eq(trace->tokens, T);
    ck_assert_uint_eq(trace->attended, S);
    ck_assert_uint_lt(session->state.look.layer, layers);
    ck_assert_uint_lt(session->state.look.head, heads);
}

TEST(each_site_is_a_recording)
{
    const struct encoded *recorded;
    assert_ok(start(NULL, NULL), error);
    check_shown("encoder", 2, 4, 3, 3);
    recorded = program.recording->encoded;
    ck_assert_ptr_nonnull(recorded->trace->embedding);
    ck_assert_ptr_null(recorded->trace->layer[0].output);
    ck_assert_ptr_nonnull(recorded->trace->layer[1].output);
    recorded = recorded->next;
    ck_assert_int_eq(recorded->site, SITE_DECODER);
    ck_assert_str_eq(recorded->sides[1].labels[1], "house");
    recorded = recorded->next;
    ck_assert_int_eq(recorded->site, SITE_CROSS);
    ck_assert_str_eq(recorded->sides[0].labels[1], "house");
    ck_assert_str_eq(recorded->sides[1].labels[1], "Haus");
    ck_assert_ptr_null(recorded->trace->layer[0].key.data);
    ck_assert_ptr_nonnull(recorded->trace->layer[1].key.data);
    ck_assert_ptr_eq(recorded->next, program.recording->encoded);
}

TEST(an_option_chooses_one)
{
    assert_ok(start("cross", NULL), error);
    check_shown("cross", 3, 2, 2, 3);
    parts_drop_all(&parts, "decoder_");
    parts_drop_all(&parts, "encoder_");
    parts_write(&parts, 0, parts.count, 0, &folder, "t5.safetensors");
    assert_fails(start("encoder", NULL), STATUS_USAGE,
                 "--site encoder: expected an encoder–decoder's, found cross", error);
    parts_free(&parts);
    add_weights("layer.0.weights", 1, 2, 2, 1);
    parts.metadata = "{\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\"}";
    parts_write(&parts, 0, parts.count, 0, &folder, "t5.safetensors");
    assert_fails(start("cross", NULL), STATUS_USAGE, "found a model with one attention", error);
}

TEST(a_key_goes_on_to_the_next)
{
    struct session *session = &program.session;
    assert_ok(start(NULL, NULL), error);
    input_key(session, '3'); /* a head that the decoder lacks */
    struct look other = session->state.look;
    other.site = SITE_DECODER;
    ck_assert(!look_equal(&other, &session->state.look));
    input_key(session, 'A');
    check_shown("decoder", 3, 2, 2, 2);
    input_key(session, KEY_CODE_ENTER);
    input_key(session, KEY_CODE_RIGHT);
    input_key(session, KEY_CODE_RIGHT);
    ck_assert_uint_eq(session->state.look.layer, 2);
    input_key(session, 'A');
    check_shown("cross", 3, 2, 2, 3);
    ck_assert_uint_eq(session->state.look.layer, 2); /* it stays where it fits */
    input_key(session, 'A');
    check_shown("encoder", 2, 4, 3, 3);
    input_key(session, KEY_CODE_ESCAPE);
    check_shown("decoder", 3, 2, 2, 2);
    ck_assert_uint_eq(session->state.look.layer, 2);
    input_key(session, 'u');
    check_shown("encoder", 2, 4, 3, 3);
    input_key(session, 'U');
    check_shown("decoder", 3, 2, 2, 2);
}

TEST(the_site_is_saved)
{
    char *state = in_folder(&folder, "state.json");
    char *argv[] = {(char *)"headlight", (char *)"--state", state};
    assert_ok(start("decoder", NULL), error);
    input_key(&program.session, 'A');
    assert_ok(state_file_write(&program.session, state, &error), error);
    program_end(&program);
    program = (struct program){0};
    assert_ok(options_parse(&program.options, 3, argv, &error), error);
    assert_ok(program_prepare(&program, &error), error);
    assert_ok(program_load(&program, NULL, &error), error);
    assert_ok(program_begin(&program, &error), error);
    check_shown("cross", 3, 2, 2, 3);
    free(state);
}

TEST(two_are_compared_side_by_side)
{
    struct session *session = &program.session;
    char *other = in_folder(&folder, "tuned.safetensors");
    parts_free(&parts);
    make_parts(0.5F);
    parts_write(&parts, 0, parts.count, 0, &folder, "tuned.safetensors");
    assert_ok(start("cross", other), error);
    for (int i = 0; i < 3; i++) {
        const enum site site = session->data.encoded->site;
        const struct encoded *against = recording_at(session->data.against_recording, site);
        ck_assert_int_eq(against->site, site);
        ck_assert_ptr_ne(against->trace, session->data.trace);
        input_key(session, 'A');
    }
    free(other);
}

TEST(what_a_site_lacks_is_named)
{
    static const struct {
        const char *metadata, *message;
    } rows[] = {
        {"{" DECODER "}", "JSON list of 3 strings under \"encoder_tokens\""},
        {"{" ENCODER "}", "JSON list of 2 strings under \"decoder_tokens\""},
        {"{" ENCODER ",\"decoder_tokens\":\"[\\\"a\\\"]\"}", "for each of 2 tokens, found 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parts.metadata = rows[i].metadata;
        parts_write(&parts, 0, parts.count, 0, &folder, "t5.safetensors");
        assert_fails(start(NULL, NULL), STATUS_FORMAT, rows[i].message, error);
    }
    parts.metadata = "{" ENCODER "," DECODER "}";
    parts_drop(&parts, "cross.layer.0.weights");
    parts_write(&parts, 0, parts.count, 0, &folder, "t5.safetensors");
    assert_fails(start(NULL, NULL), STATUS_FORMAT,
                 "expected weights of each layer, found \"cross_attentions.2\" but no "
                 "\"cross.layer.0.weights\"",
                 error);
}
