/* From options and a saved state to a session: which changes of the network hold in the end. */
#include "hub_helpers.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/app/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct folder folder;
static struct program program;
static char path[96];

static void begin(void)
{
    static const char saved[] =
        "{\"headlight\": \"0.1.0\", \"model\": \"" TINY_FOLDER "\", \"special\": true,"
        "\"texts\": [\"time flies like an arrow\"], \"changes\": {\"causal\": true,"
        "\"temperature\": \"0.5\", \"positions\": \"none\", \"no-segments\": true,"
        "\"off\": \"0.1\", \"uniform\": \"1.2\", \"hide\": \"#2\", \"cut\": \"0.1.4.2\"}}";
    folder_make(&folder);
    folder_write(&folder, "state.json", saved, strlen(saved));
    snprintf(path, sizeof path, "%s/state.json", folder.path);
    program = (struct program){0};
}

static void end(void)
{
    program_end(&program);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

/* The command line begins with the state. Splits at blanks; '_' stands for a blank in a word. */
static enum status start(const char *line)
{
    static char words[256];
    char *argv[16] = {(char *)"headlight", (char *)"--state", path};
    int argc = 3;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        for (char *at = word; *at; at++)
            *at = *at == '_' ? ' ' : *at;
        argv[argc++] = word;
    }
    if (options_parse(&program.options, argc, argv, &error) != STATUS_OK ||
        program_prepare(&program, &error) != STATUS_OK ||
        program_load(&program, NULL, &error) != STATUS_OK)
        return error.status;
    return program_begin(&program, &error);
}

/* What stays of the saved changes, and what the command line makes of them: an option goes first, a
 * number of a head means nothing in another model, and that of a token nothing in another text. */
static const struct {
    const char *line;
    struct interventions expected;
} starts[] = {
    {"",
     {.causal = true,
      .no_segments = true,
      .positions = POSITIONS_NONE,
      .temperature = 0.5,
      .off = {2},
      .uniform = {0, 4},
      .hidden_count = 1,
      .hidden = {2},
      .cut_count = 1,
      .cuts = {{0, 1, 4, 2}}}},
    {"--sinusoidal --temperature 2 --unscaled --off 0.0 --uniform 0.3 --hide arrow,0 --cut 2.0.1.1",
     {.causal = true,
      .unscaled = true,
      .no_segments = true,
      .positions = POSITIONS_SINUSOIDAL,
      .temperature = 2,
      .off = {1},
      .uniform = {8},
      .hidden_count = 2,
      .hidden = {0, 5},
      .cut_count = 1,
      .cuts = {{2, 0, 1, 1}}}},
    {"--model " TINY_FOLDER,
     {.causal = true, .no_segments = true, .positions = POSITIONS_NONE, .temperature = 0.5}},
    {"time_flies",
     {.causal = true,
      .no_segments = true,
      .positions = POSITIONS_NONE,
      .temperature = 0.5,
      .off = {2},
      .uniform = {0, 4}}},
    {"--no-special",
     {.causal = true,
      .no_segments = true,
      .positions = POSITIONS_NONE,
      .temperature = 0.5,
      .off = {2},
      .uniform = {0, 4}}},
    {"--no-special --hide flies --temperature 1",
     {.causal = true,
      .no_segments = true,
      .positions = POSITIONS_NONE,
      .off = {2},
      .uniform = {0, 4},
      .hidden_count = 1,
      .hidden = {1}}},
};

TEST(changes_are_those_of_options_and_state, .times = COUNT(starts))
{
    const struct interventions *found = &program.session.state.source.changes;
    assert_ok(start(starts[_i].line), error);
    ck_assert_mem_eq(found, &starts[_i].expected, sizeof *found);
}

/* What is wrong in a state names its file, and what is wrong in an option its name. */
TEST(a_wrong_change_is_told_where_it_stands, .times = 2)
{
    static const char saved[] = "{\"headlight\": \"0.1.0\", \"model\": \"" TINY_FOLDER "\","
                                "\"texts\": [\"time flies\"], \"changes\": {\"hide\": \"#9\"}}";
    folder_write(&folder, "state.json", saved, strlen(saved));
    assert_fails(start(_i ? "--hide 7" : ""), _i ? STATUS_USAGE : STATUS_FORMAT,
                 _i ? "--hide: expected tokens of the text, or numbers from 0 to 3"
                    : "state.json: --hide: expected tokens of the text, or numbers from 0 to 3",
                 error);
    ck_assert_int_eq(strstr(error.message, "state.json") == NULL, _i);
}

TEST(a_saved_recording_cannot_be_changed, .times = 3)
{
    static const char *const lines[] = {"--hide 1", "--sinusoidal", "--temperature 2"};
    static const char saved[] =
        "{\"headlight\": \"0.1.0\", \"recording\": \"" TINY_FOLDER "/pair.safetensors\"}";
    folder_write(&folder, "state.json", saved, strlen(saved));
    assert_fails(start(lines[_i]), STATUS_USAGE, "the network can't be changed", error);
}

/* An interrupted save may have left an empty file in its place. */
TEST(an_empty_state_is_a_new_one)
{
    folder_write(&folder, "state.json", "", 0);
    assert_ok(start("--layer 1"), error);
    ck_assert_uint_eq(program.session.state.look.layer, 1);
    ck_assert(!state_file_exists(path));
    assert_ok(state_file_write(&program.session, path, &error), error);
    ck_assert(state_file_exists(path));
    program_end(&program);
    program = (struct program){0};
    assert_ok(start(""), error);
    ck_assert_uint_eq(program.session.state.look.layer, 1);
}

/* A second model is opened beside the first, and goes into the state. */
TEST(another_model_to_compare_with_is_saved)
{
    char text[4096];
    assert_ok(start("--against built-in"), error);
    ck_assert_str_eq(program.session.data.against->name, "built-in");
    ck_assert_str_eq(program.session.data.checkpoint->name, "tiny-bert");
    assert_ok(state_file_write(&program.session, path, &error), error);
    program_end(&program);
    program = (struct program){0};
    assert_ok(start(""), error);
    ck_assert_str_eq(program.session.data.against->name, "built-in");
    program_end(&program);
    program = (struct program){0};
    assert_ok(start("--against " TINY_FOLDER), error);
    ck_assert_str_eq(program.session.data.against->name, "tiny-bert");
    program_end(&program);
    program = (struct program){0};
    snprintf(text, sizeof text, "{\"headlight\": \"0.1.0\", \"against\": \"%s/none\"}",
             folder.path);
    folder_write(&folder, "state.json", text, strlen(text));
    assert_fails(start(""), STATUS_IO, "none", error);
}

/* A model is saved by the name that it was asked for by, and found again by it. */
TEST(names_of_the_hub_are_saved)
{
    struct hub hub;
    char *text;
    size_t length;
    hub_make(&hub);
    hub_add(&hub, "models--org--tiny", "c1", "main");
    assert_ok(start("--model tiny --against org/tiny@c1"), error);
    ck_assert_str_eq(program.session.data.checkpoint->name, "org/tiny");
    ck_assert_str_eq(program.session.data.against->name, "org/tiny@c1");
    assert_ok(state_file_write(&program.session, path, &error), error);
    assert_ok(file_read(path, 1 << 20, &text, &length, &error), error);
    ck_assert_ptr_nonnull(strstr(text, "\"model\": \"tiny\",\n \"against\": \"org/tiny@c1\""));
    free(text);
    program_end(&program);
    program = (struct program){0};
    assert_ok(start(""), error);
    ck_assert_str_eq(program.session.data.checkpoint->name, "org/tiny");
    ck_assert_str_eq(program.session.data.against->name, "org/tiny@c1");
    hub_remove(&hub);
}

/* It goes before the saved model, and is one more. */
TEST(the_built_in_model_has_a_name)
{
    assert_ok(start("--model built-in --against " TINY_FOLDER), error);
    ck_assert_str_eq(program.session.data.checkpoint->name, "built-in");
    ck_assert_str_eq(program.session.data.against->name, "tiny-bert");
}

/* The family that was said by hand is saved, and belongs to the model that it was said of. */
TEST(a_family_by_hand_is_saved)
{
    assert_ok(start("--model " TINY_FOLDER "/config.json --family ernie"), error);
    ck_assert_str_eq(program.session.data.family, "ERNIE");
    assert_ok(state_file_write(&program.session, path, &error), error);
    program_end(&program);
    program = (struct program){0};
    assert_ok(start(""), error);
    ck_assert_str_eq(program.session.data.family, "ERNIE");
    program_end(&program);
    program = (struct program){0};
    assert_ok(start("--family bert"), error);
    ck_assert_str_eq(program.session.data.family, "BERT");
    program_end(&program);
    program = (struct program){0};
    assert_ok(start("--model " TINY_FOLDER), error);
    ck_assert_str_eq(program.session.data.family, "BERT");
    program_end(&program);
    program = (struct program){0};
    folder_write(&folder, "state.json", "", 0);
    assert_fails(start("--family bert"), STATUS_USAGE, "--model NAME, which is missing", error);
}

TEST(a_saved_recording_is_compared_with_another)
{
    static const size_t shape[] = {1, 1, 1, 0};
    struct parts parts = {.metadata = "{\"tokens\":\"[\\\"a\\\"]\"}"};
    char saved[256], line[128], *file = in_folder(&folder, "a.safetensors");
    parts_add(&parts, "layer.0.weights", "F32", shape);
    parts_write(&parts, 0, parts.count, 0, &folder, "a.safetensors");
    snprintf(saved, sizeof saved,
             "{\"headlight\": \"0.1.0\", \"recording\": \"%s\", \"against\": \"%s\"}", file, file);
    folder_write(&folder, "state.json", saved, strlen(saved));
    assert_fails(start("--against built-in"), STATUS_IO,
                 "--against: expected another recording: built-in", error);
    program_end(&program);
    program = (struct program){0};
    assert_ok(start(""), error);
    ck_assert_str_eq(program.session.data.against_recording->model, "a");
    program_end(&program);
    program = (struct program){0};
    snprintf(line, sizeof line, "--model %s time",
             TINY_FOLDER); /* which can't be compared with it */
    assert_ok(start(line), error);
    ck_assert_ptr_null(program.options.against);
    parts_free(&parts);
    free(file);
}
