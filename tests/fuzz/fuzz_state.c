/* A saved state, opened as --state does, on the tiny model; what is saved then opens again and is
 * saved as the same bytes. */
#include "fuzz.h"

#include "headlight/app/program.h"
#include "headlight/base/file.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

/* Whatever model or recording the state names. False for one that is refused. */
static bool show(struct program *program, const char *write)
{
    struct error error;
    fuzz_checkpoint(); /* writes the folder */
    if (program_prepare(program, &error) != STATUS_OK) {
        promise(error.message[0] != '\0');
        return false;
    }
    program->options.model = fuzz_folder();
    program->options.open = NULL;
    promise(program_load(program, NULL, &error) == STATUS_OK);
    if (program_begin(program, &error) != STATUS_OK ||
        request_settle(&program->session, &error) != STATUS_OK) {
        promise(error.message[0] != '\0');
        return false;
    }
    fuzz_draw(&program->session, 0);
    promise(state_file_write(&program->session, fuzz_path(write), &error) == STATUS_OK);
    return true;
}

/* Whether it was shown. */
static bool show_file(const char *name, const char *write)
{
    char *file = path_join(fuzz_folder(), name);
    struct program program = {.options = {.state = file, .threads = 1}};
    bool shown = show(&program, write);
    program_end(&program);
    free(file);
    return shown;
}

static char *contents(const char *name)
{
    struct error error;
    size_t length;
    char *text;
    promise(file_read(fuzz_path(name), (size_t)1 << 24, &text, &length, &error) == STATUS_OK);
    return text;
}

void fuzz_state(const uint8_t *data, size_t size)
{
    fuzz_write("state.json", data, size);
    if (!show_file("state.json", "again.json"))
        return;
    char *first = contents("again.json");
    promise(show_file("again.json", "out.json"));
    char *second = contents("out.json");
    promise(strcmp(first, second) == 0);
    free(first);
    free(second);
}
