/* options_table.c: the table of options: the fields of the state (session/fields.h), and options of
 * the program itself. Each row names the function that reads its value. */
#include "headlight/app/options.h"

#include "headlight/draw/text.h"
#include "headlight/view/actions.h"

#include <string.h>

/* ---- Reading values ---- */

static void *option_place(struct options *options, const struct option_info *option)
{
    return (char *)options + option->place;
}

static enum status option_take_field(struct options *options, const struct option_info *option,
                                     const char *value, struct error *error)
{
    const char *on;
    enum state_field field = field_set_by((enum state_field)option->place, &on);
    options->values[field] = value ? value : on;
    return field_check(field, options->values[field], error);
}

static enum status option_take_command(struct options *options, const struct option_info *option,
                                       const char *value, struct error *error)
{
    (void)value, (void)error;
    options->command = (enum command)option->place;
    return STATUS_OK;
}

static enum status option_take_switch(struct options *options, const struct option_info *option,
                                      const char *value, struct error *error)
{
    (void)value, (void)error;
    *(bool *)option_place(options, option) = true;
    return STATUS_OK;
}

static enum status option_take_string(struct options *options, const struct option_info *option,
                                      const char *value, struct error *error)
{
    (void)error;
    *(const char **)option_place(options, option) = value;
    return STATUS_OK;
}

/* If a file name is forgotten, getopt takes the next option for it. */
static enum status check_output(const struct option_info *option, const char *file,
                                struct error *error)
{
    if (file[0] != '-' || file[1] == '\0')
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--%s: expected a file's name, found \"%s\": a file of that name is ./%s",
                     option->name, file, file);
}

static enum status option_take_output(struct options *options, const struct option_info *option,
                                      const char *value, struct error *error)
{
    *(const char **)option_place(options, option) = value;
    return check_output(option, value, error);
}

/* The last of several snapshots counts, as with every option. A name without a picture's ending is
 * the folder of a lesson's handout. */
static enum status option_take_snapshot(struct options *options, const struct option_info *option,
                                        const char *value, struct error *error)
{
    enum format format;
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (format_info((enum format)i)->draw)
            options->files[i] = NULL;
    bool picture = format_of_picture(value, &format);
    options->handout = picture ? NULL : value;
    if (picture)
        options->files[format] = value;
    return check_output(option, value, error);
}

static enum status option_take_include(struct options *options, const struct option_info *option,
                                       const char *value, struct error *error)
{
    (void)option;
    return export_parse_include(value, &options->include, error);
}

static enum status option_take_size(struct options *options, const struct option_info *option,
                                    const char *value, struct error *error)
{
    char left[8];
    size_t length = strcspn(value, "x"), width = 0, height = 0;
    bool good = length < sizeof left && value[length] == 'x';
    if (good) {
        memcpy(left, value, length);
        left[length] = '\0';
        good = value_number(left, CANVAS_MAX, &width) &&
               value_number(value + length + 1, CANVAS_MAX, &height) && width > 0 && height > 0;
    }
    if (!good)
        return value_bad(option->name, "COLSxROWS, each at most 1000, such as 120x40", value,
                         error);
    options->columns = (int)width;
    options->rows = (int)height;
    return STATUS_OK;
}

static enum status option_take_step(struct options *options, const struct option_info *option,
                                    const char *value, struct error *error)
{
    if (!value_number(value, 1000, &options->step) || options->step == 0)
        return value_bad(option->name, "a number from 1 up", value, error);
    return STATUS_OK;
}

static enum status option_take_threads(struct options *options, const struct option_info *option,
                                       const char *value, struct error *error)
{
    size_t threads;
    if (!value_number(value, 1024, &threads) || threads == 0)
        return value_bad(option->name, "a number from 1 to 1024", value, error);
    options->threads = (int)threads;
    return STATUS_OK;
}

static enum status option_take_choice(struct options *options, const struct option_info *option,
                                      const char *value, struct error *error)
{
    return value_choice(option->name, option->choices, value, option_place(options, option), error);
}

/* The choices are in the reverse order of enum depth. */
static enum status option_take_color(struct options *options, const struct option_info *option,
                                     const char *value, struct error *error)
{
    unsigned choice = 0;
    if (value_choice(option->name, option->choices, value, &choice, error) != STATUS_OK)
        return error->status;
    options->color_chosen = true;
    options->color = (enum depth)(DEPTH_DIRECT - choice);
    return STATUS_OK;
}

/* ---- The table ---- */

#define AT(member) .place = offsetof(struct options, member)
#define NAMES(...)                                                                                 \
    .choices = (const char *const[])                                                               \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define TEXT(member)  option_take_string, AT(member)
#define COMMAND(name) option_take_command, .place = COMMAND_##name

_Static_assert(sizeof(enum precision) == sizeof(unsigned) &&
                   sizeof(enum lines_wish) == sizeof(unsigned),
               "choices are kept as unsigned");

static const struct option_info table[] = {
    {"model", "NAME", "a checkpoint's folder, or a model in the hub's cache", GROUP_MODELS,
     TEXT(model)},
    {"models", NULL, "list the models in the hub's cache", GROUP_MODELS, COMMAND(MODELS)},
    {"against", "NAME", "another model (or built-in) for the compare view", GROUP_MODELS,
     TEXT(against)},
    {"open", "FILE", "show a recorded trace (.safetensors) instead of computing one", GROUP_MODELS,
     TEXT(open)},
    {"state", "FILE", "open the state saved in FILE.json; save it there on leaving", GROUP_MODELS,
     option_take_output, AT(state)},
    {"lesson", "NAME", "begin a lesson, by name, number or file; L lists them", GROUP_MODELS,
     TEXT(lesson)},
    {"step", "N", "the lesson's step to begin with, from 1", GROUP_MODELS, option_take_step,
     AT(step)},
    {"lessons", NULL, "list the lessons", GROUP_MODELS, COMMAND(LESSONS)},
#define FIELD(field, name, argument, group, help, ...)                                             \
    {name, argument, help, GROUP_##group, option_take_field, .place = FIELD_##field},
    FIELDS(FIELD)
#undef FIELD
        {"precision", "NAME", "single, double, or auto: double where it costs nothing",
         GROUP_MODELS, option_take_choice, AT(precision), NAMES("auto", "single", "double")},
    {"threads", "N", "threads for a pass; by default one for each processor", GROUP_MODELS,
     option_take_threads, AT(threads)},
    {"snapshot", "FILE", "draw the screen to FILE", GROUP_OUTPUT, option_take_snapshot, AT(files)},
    {"size", "COLSxROWS", "size of the snapshot (120x40)", GROUP_OUTPUT, option_take_size,
     AT(columns)},
    {"type", "KEYS", "press keys first: \"Down Enter e Ctrl-U\"; words in quotes", GROUP_OUTPUT,
     TEXT(type)},
#define NUMBERS(code, name, write, needs, help)                                                    \
    {name, "FILE", help, GROUP_OUTPUT, option_take_output, AT(files[FORMAT_##code])},
#define PICTURE(...)
    FORMATS(NUMBERS, PICTURE)
#undef PICTURE
#undef NUMBERS
        {"include", "LIST", "add to the JSON: query,key,value,scores,hidden,lens,...", GROUP_OUTPUT,
         option_take_include, AT(include), .choice = export_include_name},
    {"answer", "PIECE", "the piece that effects are on, else the likeliest one", GROUP_OUTPUT,
     TEXT(answer)},
    {"color", "DEPTH", "direct, 256, 16 or mono", GROUP_TERMINAL, option_take_color, AT(color),
     NAMES("direct", "256", "16", "mono")},
    {"ascii", NULL, "draw with ASCII only", GROUP_TERMINAL, option_take_switch, AT(ascii)},
    {"lines", "HOW", "lines as pixels, blocks or braille; auto: the best there is", GROUP_TERMINAL,
     option_take_choice, AT(lines), NAMES("auto", "pixels", "blocks", "braille")},
    {"no-mouse", NULL, "leave the mouse to the terminal, to select text", GROUP_TERMINAL,
     option_take_switch, AT(no_mouse)},
    {"keys", NULL, "print the table of keys", GROUP_TERMINAL, COMMAND(KEYS)},
    {"help", NULL, "print this help (-h)", GROUP_TERMINAL, COMMAND(HELP)},
    {"version", NULL, "print the version, and what a report of a fault needs (-V)", GROUP_TERMINAL,
     COMMAND(VERSION)},
};

#define OPTION_ROWS (sizeof table / sizeof *table)
_Static_assert(OPTION_ROWS <= OPTIONS_MAX, "more options than a table of getopt has room for");

/* A field without help has no option. */
const struct option_info *option_at(size_t index)
{
    for (enum field_group group = 0; group < GROUP_COUNT; group++)
        for (size_t i = 0; i < OPTION_ROWS; i++)
            if (table[i].group == group && table[i].help && index-- == 0)
                return &table[i];
    return NULL;
}

char option_letter(const struct option_info *option)
{
    return strcmp(option->name, "help") == 0 ? 'h' : strcmp(option->name, "version") == 0 ? 'V' : 0;
}

const char *option_choice(const struct option_info *option, size_t index)
{
    if (option->read == option_take_field)
        return option->argument ? field_choice((enum state_field)option->place, index) : NULL;
    if (option->choice)
        return option->choice(index);
    for (size_t i = 0; option->choices && i < index; i++)
        if (!option->choices[i])
            return NULL;
    return option->choices ? option->choices[index] : NULL;
}

/* ---- Help ---- */

void option_write_help(const struct option_info *option, char *help, size_t size)
{
    size_t used = (size_t)snprintf(help, size, "%s", option->help);
    bool listed = used > 0 && option->help[used - 1] == ':';
    const char *choice;
    for (size_t i = 0; listed && used < size && (choice = option_choice(option, i)); i++)
        used += (size_t)snprintf(help + used, size - used, "%s %s", i > 0 ? "," : "", choice);
    if (option->read != option_take_snapshot)
        return;
    format_list(FORMAT_PICTURE, help + used, size - used);
    used += strlen(help + used);
    snprintf(help + used, size - used, ", a lesson to a folder");
}

static void write_help_line(FILE *stream, const struct option_info *option, bool ascii)
{
    char left[40], help[160], safe[160];
    snprintf(left, sizeof left, "--%s %s", option->name, option->argument ? option->argument : "");
    option_write_help(option, help, sizeof help);
    text_safe(help, ascii, safe, sizeof safe);
    fprintf(stream, "  %-20s  %s\n", left, safe);
}

void options_write_help(FILE *stream, bool ascii)
{
    const struct option_info *option;
    enum field_group group = GROUP_COUNT;
    fputs(
        "usage: headlight [options] [SENTENCE [SENTENCE_B]]\n\n"
        "Runs a pretrained encoder on a sentence or a pair and shows what every attention head "
        "does.\n"
        "\"-\" reads the text from standard input: line one, and line two for the pair. Without\n"
        "a sentence: an example pair. When the output is not a terminal and nothing is exported,\n"
        "the head view is written as plain text.\n",
        stream);
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        if (option->group != group)
            fprintf(stream, "\n%s:\n", field_group_title(option->group));
        group = option->group;
        write_help_line(stream, option, ascii);
    }
    fputs("\nExit status: 0 success, 1 failure, 2 wrong usage.\n", stream);
}

void options_write_keys(FILE *stream)
{
    char keys[40];
    const char *group = "";
    for (int action = 0; action < ACTION_COUNT;) {
        const struct action_info *info = action_info((enum action)action);
        if (strcmp(group, info->group) != 0)
            fprintf(stream, "%s%s\n", *group ? "\n" : "", info->group);
        group = info->group;
        action = action_keys(action, ", ", keys, sizeof keys);
        fprintf(stream, "  %-17s %s\n", keys, info->help);
    }
}
