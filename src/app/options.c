#include "headlight/app/options.h"

#include "headlight/app/options_table.h"
#include "headlight/base/file.h"

#include <getopt.h>
#include <string.h>

static enum status read_size(const char *text, int *columns, int *rows, struct error *error)
{
    char left[8];
    size_t length = strcspn(text, "x"), width = 0, height = 0;
    bool good = length < sizeof left && text[length] == 'x';
    if (good) {
        memcpy(left, text, length);
        left[length] = '\0';
        good = value_number(left, CANVAS_MAX, &width) &&
               value_number(text + length + 1, CANVAS_MAX, &height) && width > 0 && height > 0;
    }
    if (!good)
        return value_bad("size", "COLSxROWS, each at most 1000, such as 120x40", text, error);
    *columns = (int)width;
    *rows = (int)height;
    return STATUS_OK;
}

#define CHOICES_MAX 8

/* The place of a value among the option's choices. */
static enum status read_choice(int code, const char *value, unsigned *choice, struct error *error)
{
    const char *names[CHOICES_MAX + 1] = {NULL};
    const struct option_info *option = option_of_code(code);
    for (size_t i = 0; i < CHOICES_MAX && option_choice(option, i); i++)
        names[i] = option_choice(option, i);
    return value_choice(option->name, names, value, choice, error);
}

static enum status take_choice(struct options *options, int code, const char *value,
                               struct error *error)
{
    unsigned choice = 0;
    if (read_choice(code, value, &choice, error) != STATUS_OK)
        return error->status;
    switch (code) {
    case OPTION_COLOR:
        options->color_chosen = true;
        options->color = (enum depth)(DEPTH_DIRECT - choice);
        break;
    case OPTION_LINES:
        options->lines = (enum lines_wish)choice;
        break;
    default:
        options->precision = (enum precision)choice;
        break;
    }
    return STATUS_OK;
}

static enum status read_threads(const char *text, int *threads, struct error *error)
{
    size_t value;
    if (!value_number(text, 1024, &value) || value == 0)
        return value_bad("threads", "a number from 1 to 1024", text, error);
    *threads = (int)value;
    return STATUS_OK;
}

static enum status read_step(const char *text, size_t *step, struct error *error)
{
    if (!value_number(text, 1000, step) || *step == 0)
        return value_bad("step", "a number from 1 up", text, error);
    return STATUS_OK;
}

/* Behind an option whose file was forgotten stands the next option, which getopt takes for its
 * value. */
static enum status check_output(int code, const char *file, struct error *error)
{
    const struct option_info *option = option_of_code(code);
    if (option->takes != TAKES_FILE || code == OPTION_OPEN || file[0] != '-' || file[1] == '\0')
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--%s: expected a file's name, found \"%s\": a file of that name is ./%s",
                     option->name, file, file);
}

/* Of several snapshots the last is drawn, as with every option. What ends otherwise names the
 * folder of a lesson's handout. */
static void take_snapshot(struct options *options, const char *text)
{
    enum format format;
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (format_info((enum format)i)->draw)
            options->files[i] = NULL;
    bool picture = format_of_picture(text, &format);
    options->handout = picture ? NULL : text;
    if (picture)
        options->files[format] = text;
}

static enum status take_setting(struct options *options, enum setting setting, const char *value,
                                struct error *error)
{
    options->values[setting] = value ? value : "on";
    return setting_check(setting, options->values[setting], error);
}

/* Where an option's value is stored as it is; NULL for values to be parsed, or none. */
static const char **text_of(struct options *options, int code)
{
    if (code >= OPTION_FORMAT && code < OPTION_CHANGE)
        return &options->files[code - OPTION_FORMAT];
    switch (code) {
    case OPTION_MODEL:
        return &options->model;
    case OPTION_AGAINST:
        return &options->against;
    case OPTION_OPEN:
        return &options->open;
    case OPTION_LESSON:
        return &options->lesson;
    case OPTION_ANSWER:
        return &options->answer;
    case OPTION_MASK:
        return &options->mask;
    case OPTION_TYPE:
        return &options->type;
    case OPTION_STATE:
        return &options->state;
    default:
        return NULL;
    }
}

static void take_change(struct options *options, const struct change_option *option,
                        const char *value)
{
    options->changes[option->change] = option->value ? option->value : value;
}

/* An option without a value; false for any other. */
static bool take_flag(struct options *options, int code)
{
    switch (code) {
    case OPTION_NO_SPECIAL:
        options->special = false;
        return true;
    case OPTION_NO_MOUSE:
        options->no_mouse = true;
        return true;
    case OPTION_ASCII:
        options->ascii = true;
        return true;
    case OPTION_MODELS:
        options->command = COMMAND_MODELS;
        return true;
    case OPTION_LESSONS:
        options->command = COMMAND_LESSONS;
        return true;
    case OPTION_KEYS:
        options->command = COMMAND_KEYS;
        return true;
    case OPTION_HELP:
        options->command = COMMAND_HELP;
        return true;
    case OPTION_VERSION:
        options->command = COMMAND_VERSION;
        return true;
    default:
        return false;
    }
}

static enum status take_option(struct options *options, int code, const char *value,
                               struct error *error)
{
    if (code >= OPTION_SETTING)
        return take_setting(options, (enum setting)(code - OPTION_SETTING), value, error);
    if (code >= OPTION_CHANGE) {
        take_change(options, change_option_at((size_t)(code - OPTION_CHANGE)), value);
        return STATUS_OK;
    }
    if (value && check_output(code, value, error) != STATUS_OK)
        return error->status;
    const char **text = text_of(options, code);
    if (text) {
        *text = value;
        return STATUS_OK;
    }
    switch (code) {
    case OPTION_SNAPSHOT:
        take_snapshot(options, value);
        return STATUS_OK;
    case OPTION_SIZE:
        return read_size(value, &options->columns, &options->rows, error);
    case OPTION_INCLUDE:
        return export_parse_include(value, &options->include, error);
    case OPTION_STEP:
        return read_step(value, &options->step, error);
    case OPTION_THREADS:
        return read_threads(value, &options->threads, error);
    case OPTION_COLOR:
    case OPTION_LINES:
    case OPTION_PRECISION:
        return take_choice(options, code, value, error);
    default:
        return take_flag(options, code) ? STATUS_OK
                                        : error_set(error, STATUS_USAGE, "unknown option");
    }
}

unsigned options_needs(const struct options *options)
{
    unsigned needs = 0;
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (options->files[i])
            needs |= format_info((enum format)i)->needs;
    return needs;
}

bool options_change_network(const struct options *options)
{
    for (unsigned i = 0; i < CHANGE_COUNT; i++)
        if (options->changes[i])
            return true;
    return false;
}

static enum status check_files(const struct options *options, struct error *error)
{
    const char *including = "";
    char names[96];
    int outputs = 0;
    for (unsigned i = 0; i < FORMAT_COUNT; i++) {
        const struct format_info *info = format_info((enum format)i);
        outputs += options->files[i] && strcmp(options->files[i], "-") == 0;
        including = info->needs & FORMAT_INCLUDES ? info->name : including;
    }
    if (options->include && !(options_needs(options) & FORMAT_INCLUDES))
        return error_set(error, STATUS_USAGE, "--include adds to --%s FILE, which is missing",
                         including);
    if (options->answer && !(options->include & INCLUDE_EFFECTS))
        return error_set(error, STATUS_USAGE,
                         "--answer is a piece for --include effects, which is missing");
    format_list(FORMAT_NUMBERS, names, sizeof names);
    if (outputs > 1)
        return error_set(error, STATUS_USAGE, "only one of %s can be standard output", names);
    return STATUS_OK;
}

/* How the user likes to see pictures, which lessons leave to him. */
static bool is_own(enum setting setting)
{
    return setting == SETTING_THEME || setting == SETTING_PRESENT || setting == SETTING_SHADE ||
           setting == SETTING_NUMBERS || setting == SETTING_THUMBNAILS;
}

/* An option that a lesson leaves no room for; NULL: none is given. */
static const char *beside_lesson(const struct options *options)
{
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (options->values[i] && !is_own((enum setting)i))
            return setting_info((enum setting)i)->name;
    for (unsigned i = 0; i < CHANGE_COUNT; i++)
        if (options->changes[i])
            return change_name((enum change)i);
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (options->files[i] && !(format_info((enum format)i)->needs & FORMAT_PICTURE))
            return format_info((enum format)i)->name;
    return !options->special  ? "no-special"
           : options->mask    ? "mask"
           : options->open    ? "open"
           : options->state   ? "state"
           : options->against ? "against"
                              : NULL;
}

static enum status check_lesson(const struct options *options, struct error *error)
{
    if (options->step > 0 && !options->lesson)
        return error_set(error, STATUS_USAGE, "--step is one of a --lesson NAME, which is missing");
    if (!options->lesson)
        return STATUS_OK;
    if (options->text_count > 0)
        return error_set(error, STATUS_USAGE,
                         "--lesson brings its own sentences: it takes none, and e edits them");
    const char *beside = beside_lesson(options);
    if (beside)
        return error_set(error, STATUS_USAGE,
                         "--lesson says itself what is shown: it doesn't go together with --%s",
                         beside);
    return STATUS_OK;
}

/* Whether a name has an ending as files have them, and is no folder's. */
static bool looks_like_file(const char *name)
{
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    const char *dot = strrchr(last, '.');
    return dot && last[strspn(last, ".")] && dot[1] && !file_is_folder(name);
}

static enum status check_handout(const struct options *options, struct error *error)
{
    char expected[96] = "a file name that ends in ";
    size_t used = strlen(expected);
    if (!options->handout)
        return STATUS_OK;
    format_list(FORMAT_PICTURE, expected + used, sizeof expected - used);
    if (!options->lesson || !*options->handout)
        return value_bad("snapshot", expected, options->handout, error);
    if (looks_like_file(options->handout))
        return error_set(error, STATUS_USAGE,
                         "--snapshot: expected %s, or a folder's name, without an ending unless it "
                         "is there, found \"%s\"",
                         expected, options->handout);
    if (options->step > 0 || options->type)
        return error_set(error, STATUS_USAGE,
                         "--snapshot %s: a folder gets every step as it is: --%s needs %s",
                         options->handout, options->step > 0 ? "step" : "type", expected);
    return STATUS_OK;
}

static enum status check_together(const struct options *options, struct error *error)
{
    if (check_lesson(options, error) != STATUS_OK || check_handout(options, error) != STATUS_OK ||
        check_files(options, error) != STATUS_OK)
        return error->status;
    if (options->open && (options->model || options->text_count > 0))
        return error_set(error, STATUS_USAGE,
                         "--open shows what was recorded: it takes neither --model nor a sentence");
    if (options->open && options->against)
        return error_set(error, STATUS_USAGE,
                         "--open shows what was recorded: --against needs a model to run its text");
    if (options->open && (options->mask || options_change_network(options)))
        return error_set(error, STATUS_USAGE,
                         "--open shows what was recorded: the network can't be changed");
    if (options->open && !options->special)
        return error_set(error, STATUS_USAGE,
                         "--open shows what was recorded: its tokens are fixed; --special hidden "
                         "hides some");
    if (options->columns && !options->handout && !(options_needs(options) & FORMAT_PICTURE))
        return error_set(error, STATUS_USAGE,
                         "--size is the size of a --snapshot FILE, which is missing");
    return STATUS_OK;
}

/* getopt leaves in optopt the letter of a short option, or the code of a long one that was given a
 * value it doesn't take. */
static enum status bad_option(const char *argument, struct error *error)
{
    if (optopt > OPTION_FIRST)
        return error_set(error, STATUS_USAGE, "%s: this option takes no value", argument);
    if (optopt > 0)
        return error_set(error, STATUS_USAGE, "-%c: no such option", optopt);
    return error_set(error, STATUS_USAGE, "%s: no such option, or not clear which one", argument);
}

enum status options_parse(struct options *options, int argc, char **argv, struct error *error)
{
    struct option names[OPTIONS_MAX + 1] = {{0}};
    const struct option_info *option;
    int code;
    for (size_t i = 0; (option = option_at(i)) != NULL; i++)
        names[i] = (struct option){option->name, option->argument != NULL, NULL, option->code};
    *options = (struct options){.special = true};
    opterr = 0;
    optind = 0; /* restarts the scan, wherever an earlier one stopped */
    while ((code = getopt_long(argc, argv, ":hV", names, NULL)) != -1) {
        if (code == ':')
            return error_set(error, STATUS_USAGE, "%s needs a value", argv[optind - 1]);
        if (code == '?')
            return bad_option(argv[optind - 1], error);
        code = code == 'h' ? OPTION_HELP : code == 'V' ? OPTION_VERSION : code;
        if (take_option(options, code, optarg, error) != STATUS_OK)
            return error->status;
    }
    if (argc - optind > 2)
        return error_set(error, STATUS_USAGE,
                         "expected one or two sentences, found %d: put each in quotes",
                         argc - optind);
    for (; optind < argc; optind++)
        options->texts[options->text_count++] = argv[optind];
    return check_together(options, error);
}
