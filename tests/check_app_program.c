/* From options and a saved state to a session: models of the hub. tests/scripts has the rest. */
#include "hub_helpers.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/app/program.h"

#include <stdlib.h>
#include <string.h>

static struct error error;
static struct folder folder;
static struct program program;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    program_end(&program);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

/* A state is saved with the name that a model was asked for by, and found again by it. */
TEST(names_of_the_hub_are_saved)
{
    char *path = in_folder(&folder, "state.json"), *text;
    const char *arguments[] = {"headlight", "--state",   path,         "--model",
                               "tiny",      "--against", "org/tiny@c1"};
    struct hub hub;
    size_t length;
    hub_make(&hub);
    hub_add(&hub, "models--org--tiny", "c1", "main");
    for (int again = 0; again < 2; again++) {
        const int count = again ? 3 : COUNT(arguments);
        program_end(&program);
        program = (struct program){0};
        assert_ok(options_parse(&program.options, count, (char **)arguments, &error), error);
        assert_ok(program_prepare(&program, &error), error);
        assert_ok(program_load(&program, NULL, &error), error);
        assert_ok(program_begin(&program, &error), error);
        ck_assert_str_eq(program.session.data.checkpoint->name, "org/tiny");
        ck_assert_str_eq(program.session.data.against->name, "org/tiny@c1");
        assert_ok(state_file_write(&program.session, path, &error), error);
    }
    assert_ok(file_read(path, 1 << 20, &text, &length, &error), error);
    ck_assert_ptr_nonnull(strstr(text, "\"model\":\"tiny\",\n\"against\":\"org/tiny@c1\""));
    free(text);
    free(path);
    hub_remove(&hub);
}
