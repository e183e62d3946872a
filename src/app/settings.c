/* settings.c: reads the user's own file. Its values are read by the table of options, so a setting
 * takes what its option takes; only options about the user's taste or machine can be set. */
#include "headlight/app/program.h"

#include "headlight/base/nearest.h"

#include <stdlib.h>

#define BYTES_MAX ((size_t)1 << 16)
#define BLANKS    " \t\r"

/* ---- A line ---- */

static enum status take_binding(struct settings *settings, const char *key, const char *name,
                                struct error *error)
{
    const uint32_t code = key_named(key, strlen(key));
    const enum action action = action_named(name);
    struct nearest nearest = nearest_to(name);
    char other[ACTION_NAME_MAX];
    if (code >= KEY_CODE_NONE || code == '\f' || code == '\n') /* these mean the same everywhere */
        return error_set(error, STATUS_FORMAT,
                         "expected a key to bind such as x, F1 or Ctrl-N, found \"%s\"", key);
    for (unsigned i = 0; i < ACTION_COUNT && action == ACTION_COUNT; i++) {
        action_name((enum action)i, other);
        nearest_offer(&nearest, other);
    }
    if (action == ACTION_COUNT) {
        error_write(error, STATUS_FORMAT,
                    "key.%s: expected an action that \"headlight keys\" names, found \"%s\"", key,
                    name);
        return nearest_suggest(&nearest, error);
    }
    return bindings_add(&settings->bindings, key, action)
               ? STATUS_OK
               : error_set(error, STATUS_LIMIT, "key.%s: expected at most %d keys, found more", key,
                           BINDINGS_MAX);
}

/* A value that is refused changes nothing. What the command line has goes before it, and for fields
 * of the state and the model a saved state, which is read later, does, too. The file serves all
 * terminals, where --lines pixels insists on one that shows pictures; the best that there is are
 * pixels anyway. */
static enum status take_setting(struct settings *settings, struct options *options,
                                const char *name, const char *value, struct error *error)
{
    const struct options before = settings->options;
    const struct option_info *option;
    struct nearest nearest = nearest_to(name);
    for (size_t i = 0; (option = option_at(i)) && strcmp(option->name, name) != 0; i++)
        if (option_stays(option))
            nearest_offer(&nearest, option->name);
    if (!option) {
        error_write(error, STATUS_FORMAT,
                    "expected a setting such as theme, or key. and a key, found \"%s\"", name);
        return nearest_suggest(&nearest, error);
    }
    if (!option_stays(option))
        return error_set(error, STATUS_FORMAT,
                         "expected a setting such as theme, found \"%s\", which is about one run: "
                         "give it on the command line",
                         name);
    if (option_take(option, value, &settings->options, error) != STATUS_OK) {
        settings->options = before;
        return error->status;
    }
    const bool later = field_named(name) < FIELD_COUNT || strcmp(name, "model") == 0;
    if (later || options_gave(options, name))
        return STATUS_OK;
    const bool pixels = strcmp(name, "lines") == 0 && strcmp(value, "pixels") == 0;
    return option_take(option, pixels ? "auto" : value, options, error);
}

/* Cuts blanks off the end. */
static void cut_blanks(char *begin, char *end)
{
    while (end > begin && strchr(BLANKS, end[-1]))
        end--;
    *end = '\0';
}

/* The = of "key.==more" is the second one. */
static enum status take_line(struct settings *settings, struct options *options, char *line,
                             struct error *error)
{
    char *name = line + strspn(line, BLANKS);
    const bool binds = strncmp(name, "key.", 4) == 0 && name[4];
    char *equals = strchr(name + (binds ? 5 : 0), '=');
    cut_blanks(name, name + strlen(name));
    if (!*name || *name == '#')
        return STATUS_OK;
    char *value = equals ? equals + 1 + strspn(equals + 1, BLANKS) : NULL;
    if (!value || !*value || equals == name)
        return error_set(error, STATUS_FORMAT, "expected NAME = VALUE, found \"%s\"", name);
    cut_blanks(name, equals);
    return binds ? take_binding(settings, name + 4, value, error)
                 : take_setting(settings, options, name, value, error);
}

/* ---- The file ---- */

/* One's own file may be missing, or be something else; then the program runs without it. The
 * readers of options name them as on the command line, with dashes. */
enum status settings_read(struct settings *settings, struct options *options, struct error *error)
{
    size_t length;
    const char *named = options->config;
    if (named && !*named)
        return STATUS_OK;
    settings->path = named ? strdup(named) : file_own("XDG_CONFIG_HOME", ".config", "config");
    if (named && !settings->path)
        return error_memory(error, named, strlen(named) + 1);
    if (!settings->path || (!named && !file_named(settings->path)))
        return STATUS_OK;
    if (file_read(settings->path, BYTES_MAX, &settings->text, &length, error) != STATUS_OK) {
        if (!named)
            settings->notes[settings->wrong++] = *error;
        return named ? error->status : STATUS_OK;
    }
    char *line = settings->text, *end = line + length;
    for (size_t number = 1; line < end; number++) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        struct error why;
        next = next ? next : end;
        *next = '\0';
        const enum status status =
            strlen(line) < (size_t)(next - line)
                ? error_set(&why, STATUS_FORMAT, "expected text, found a NUL")
                : take_line(settings, options, line, &why);
        line = next + 1;
        if (status == STATUS_OK || settings->wrong == SETTINGS_NOTES)
            continue;
        struct error *note = &settings->notes[settings->wrong++];
        const char *message = why.message + (strncmp(why.message, "--", 2) == 0 ? 2 : 0);
        if (settings->wrong < SETTINGS_NOTES)
            error_write(note, status, "%s:%zu: %s; the line is left out", settings->path, number,
                        message);
        else
            error_write(note, status, "%s:%zu: this and other wrong lines are left out",
                        settings->path, number);
    }
    return STATUS_OK;
}

void settings_free(struct settings *settings)
{
    free(settings->path);
    free(settings->text);
    *settings = (struct settings){0};
}
