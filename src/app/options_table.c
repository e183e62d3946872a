/* options_table.c: the table of options: the fields of the state (session/fields.h), and options of
 * the program itself. Each row names the function that reads its value. */
#include "headlight/app/options.h"

#include "headlight/base/format.h"
#include "headlight/base/near.h"
#include "headlight/draw/text.h"
#include "headlight/model/recording.h"
#include "headlight/model/relatives.h"
#include "headlight/view/actions.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading values ---- */

/* The member of the options that a row names. */
static void *option_place(const struct option_use *use)
{
    return (char *)use->options + use->option->place;
}

/* "--NAME: expected …, found \"VALUE\"". */
static enum status refuse_value(const struct option_use *use, const char *expected)
{
    return value_bad(use->option->name, expected, use->value, use->error);
}

/* A field of the state. An option without a value may stand for one value of another field (the
 * SAYS rows of fields.h). */
static enum status option_take_field(const struct option_use *use)
{
    static char layer[24]; /* of the last --head */
    const char *on, **values = use->options->values;
    enum state_field field = field_set_by((enum state_field)use->option->place, &on);
    values[field] = use->value ? use->value : on;
    if (field == FIELD_HEAD) { /* "3.2" */
        const char *dot = use->value ? strchr(use->value, '.') : NULL;
        if (!dot)
            return refuse_value(use, "a layer and a head, such as 3.2");
        format_cut(layer, sizeof layer, "%.*s", (int)(dot - use->value), use->value);
        values[FIELD_LAYER] = layer;
        values[FIELD_HEAD] = dot + 1;
        if (field_check(FIELD_LAYER, layer, use->error) != STATUS_OK)
            return use->error->status;
    }
    return field_check(field, values[field], use->error);
}

/* A field as a saved state has it: some have no option of their own, or one without a value. */
static enum status option_take_set(const struct option_use *use)
{
    char name[32];
    const size_t length = strcspn(use->value, "=");
    format_cut(name, sizeof name, "%.*s", (int)length, use->value);
    const enum state_field field = field_named(name);
    if (field == FIELD_COUNT || field_is_alias(field) || !use->value[length])
        return refuse_value(use, "NAME=VALUE, as a saved state has it, such as stage=scores");
    use->options->values[field] = use->value + length + 1;
    return field_check(field, use->options->values[field], use->error);
}

/* --help and --version. The last one on the command line counts. */
static enum status option_take_command(const struct option_use *use)
{
    use->options->command = (enum command)use->option->place;
    return STATUS_OK;
}

/* An option without a value, which can only be switched on; a file says "on" or "off". */
static enum status option_take_switch(const struct option_use *use)
{
    static const char *const choices[] = {"off", "on", NULL};
    unsigned on = 1;
    if (use->value &&
        value_choice(use->option->name, choices, use->value, &on, use->error) != STATUS_OK)
        return use->error->status;
    *(bool *)option_place(use) = on != 0;
    return STATUS_OK;
}

/* A name that is looked up later, when the model or the lesson is opened; "" where the option says
 * that there is none. */
static enum status option_take_string(const struct option_use *use)
{
    *(const char **)option_place(use) = use->value ? use->value : "";
    return STATUS_OK;
}

/* If a file name is forgotten, getopt takes the next option for it, or the text. */
static enum status check_output(const struct option_use *use)
{
    const char *dot = strrchr(use->value, '.');
    const bool ends = dot && dot[1] && !strchr(dot, ' ');
    if (strchr(use->value, ' ') && !strchr(use->value, '/') && !ends)
        return error_set(use->error, STATUS_USAGE,
                         "--%s: expected a file's name, found \"%.200s\", which reads like a text: "
                         "the name goes before it (- is standard output); a file of that name is "
                         "./%.200s",
                         use->option->name, use->value, use->value);
    if (use->value[0] != '-' || use->value[1] == '\0')
        return STATUS_OK;
    return error_set(use->error, STATUS_USAGE,
                     "--%s: expected a file's name, found \"%s\": a file of that name is ./%s",
                     use->option->name, use->value, use->value);
}

/* A file that will be written. */
static enum status option_take_output(const struct option_use *use)
{
    *(const char **)option_place(use) = use->value;
    return check_output(use);
}

/* One that is put in its place when it is whole, which standard output can't be. */
static enum status option_take_whole(const struct option_use *use)
{
    return strcmp(use->value, "-") == 0
               ? refuse_value(use, "a file's name, as standard output takes none of it")
               : option_take_output(use);
}

/* Which can be made of another one. */
static enum status refuse_picture(const struct option_use *use)
{
    char expected[96] = "a file name that ends in ";
    const size_t used = strlen(expected), stem = strlen(use->value) - strlen(".pdf");
    format_list(FORMAT_PICTURE, expected + used, sizeof expected - used);
    if (strlen(use->value) < strlen(".pdf") || strcmp(use->value + stem, ".pdf") != 0)
        return value_bad("snapshot", expected, use->value, use->error);
    return error_set(use->error, STATUS_USAGE,
                     "--snapshot %s: expected %.*s.svg, of which \"rsvg-convert -f pdf -o %s "
                     "%.*s.svg\" makes a PDF",
                     use->value, (int)stem, use->value, use->value, (int)stem, use->value);
}

/* The last of several snapshots counts, as with every option. */
static enum status option_take_snapshot(const struct option_use *use)
{
    struct options *options = use->options;
    enum format format;
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (format_info((enum format)i)->draw)
            options->files[i] = NULL;
    options->picture = strcmp(use->value, "-") == 0;
    if (options->picture)
        return STATUS_OK;
    if (check_output(use) != STATUS_OK)
        return use->error->status;
    if (!format_of_picture(use->value, &format))
        return refuse_picture(use);
    options->files[format] = use->value;
    return STATUS_OK;
}

static enum status option_take_format(const struct option_use *use)
{
    const char *const *choices = use->option->choices;
    unsigned choice = 0;
    if (value_choice(use->option->name, choices, use->value, &choice, use->error) != STATUS_OK)
        return use->error->status;
    use->options->format = choices[choice];
    return STATUS_OK;
}

static enum status option_take_family(const struct option_use *use)
{
    use->options->family = use->value;
    return family_check(use->value, use->error);
}

static const char *site_choice(size_t index)
{
    return index < SITE_COUNT ? site_name((enum site)index) : NULL;
}

static enum status option_take_site(const struct option_use *use)
{
    use->options->site = use->value;
    return site_named(use->value) < SITE_COUNT ? STATUS_OK
                                               : refuse_value(use, "encoder, decoder or cross");
}

/* Several --include add up. */
static enum status option_take_include(const struct option_use *use)
{
    return export_parse_include(use->value, &use->options->include, use->error);
}

/* "120x40": columns, then rows. */
static enum status option_take_size(const struct option_use *use)
{
    char left[8] = "";
    const char *x = strchr(use->value, 'x');
    size_t width = 0, height = 0;
    if (x && x - use->value < (ptrdiff_t)sizeof left)
        memcpy(left, use->value, (size_t)(x - use->value));
    if (!x || !value_number(left, CANVAS_MAX, &width) ||
        !value_number(x + 1, CANVAS_MAX, &height) || width == 0 || height == 0)
        return refuse_value(use, "COLSxROWS, each at most 1000, such as 120x40");
    use->options->columns = (int)width;
    use->options->rows = (int)height;
    return STATUS_OK;
}

/* A width on paper, in points. */
static enum status option_take_length(const struct option_use *use)
{
    static const struct {
        const char *unit;
        double points;
    } units[] = {{"in", 72}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}, {"pt", 1}};
    char *unit;
    const double number = strtod(use->value, &unit);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (number > 0 && number < 1000 && strcmp(unit, units[i].unit) == 0) {
            *(double *)option_place(use) = number * units[i].points;
            return STATUS_OK;
        }
    return refuse_value(use, "a length in in, cm, mm or pt, below 1000, such as 3.3in");
}

/* A name stands between quotes. */
static enum status option_take_font(const struct option_use *use)
{
    use->options->paper.font = use->value;
    return *use->value && !use->value[strcspn(use->value, "'\"\\;")]
               ? STATUS_OK
               : refuse_value(use, "a typeface's name, such as Helvetica");
}

/* Whether the lesson has such a step is known only once it has been read, and more pieces than the
 * vocabulary has are all that there are. */
static enum status option_take_count(const struct option_use *use)
{
    size_t *count = option_place(use);
    return value_number(use->value, INT32_MAX, count) && *count > 0
               ? STATUS_OK
               : refuse_value(use, "a number from 1 up");
}

/* A sample is of at least one text. */
static enum status option_take_sample(const struct option_use *use)
{
    size_t sample;
    if (!value_number(use->value, INT32_MAX, &sample) || sample == 0)
        return refuse_value(use, "a number from 1 up");
    use->options->choice.sample = sample;
    return STATUS_OK;
}

/* "text" or "sentence1,sentence2". */
static enum status option_take_columns(const struct option_use *use)
{
    const size_t first = strcspn(use->value, ",");
    const char *second = use->value + first + (use->value[first] == ',');
    use->options->choice.columns = use->value;
    return first > 0 && !strchr(second, ',') && (*second || !use->value[first])
               ? STATUS_OK
               : refuse_value(use, "a column's name, or two with a comma between for pairs");
}

static enum status option_take_seed(const struct option_use *use)
{
    size_t seed;
    if (!value_number(use->value, INT32_MAX, &seed))
        return refuse_value(use, "a number from 0 up");
    use->options->choice.seed = seed;
    return STATUS_OK;
}

/* "0/4": a part, from 0, and how many there are. */
static enum status option_take_shard(const struct option_use *use)
{
    char left[12] = "";
    const char *slash = strchr(use->value, '/');
    size_t part = 0, parts = 0;
    if (slash && slash - use->value < (ptrdiff_t)sizeof left)
        memcpy(left, use->value, (size_t)(slash - use->value));
    if (!slash || !value_number(left, INT32_MAX, &part) ||
        !value_number(slash + 1, INT32_MAX, &parts) || part >= parts)
        return refuse_value(use, "I/N, the I-th part of N, from 0, such as 0/4");
    use->options->choice.part = part;
    use->options->choice.parts = parts;
    return STATUS_OK;
}

static enum status option_take_stride(const struct option_use *use)
{
    use->options->windows = true;
    return value_number(use->value, INT32_MAX, &use->options->stride)
               ? STATUS_OK
               : refuse_value(use, "a number from 0 up");
}

/* More threads than processors are allowed, though they gain nothing. */
static enum status option_take_threads(const struct option_use *use)
{
    size_t threads;
    if (!value_number(use->value, 1024, &threads) || threads == 0)
        return refuse_value(use, "a number from 1 to 1024");
    use->options->threads = (int)threads;
    return STATUS_OK;
}

/* One of a few names, kept by its number in the list. */
static enum status option_take_choice(const struct option_use *use)
{
    return value_choice(use->option->name, use->option->choices, use->value, option_place(use),
                        use->error);
}

/* The choices are in the reverse order of enum depth. */
static enum status option_take_color(const struct option_use *use)
{
    unsigned choice = 0;
    if (value_choice(use->option->name, use->option->choices, use->value, &choice, use->error) !=
        STATUS_OK)
        return use->error->status;
    use->options->screen.color_chosen = true;
    use->options->screen.color = (enum depth)(DEPTH_DIRECT - choice);
    return STATUS_OK;
}

/* ---- The table ---- */

#define AT(member) .place = offsetof(struct options, member)
#define STAYS      .stays = true
#define READ(by)   .reads = (by)
#define NAMES(...)                                                                                 \
    .choices = (const char *const[])                                                               \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define TEXT(member)  option_take_string, AT(member)
#define COMMAND(name) option_take_command, .place = COMMAND_##name

_Static_assert(sizeof(enum lines_wish) == sizeof(unsigned), "choices are kept as unsigned");

static const struct option_info table[] = {
    {"model", "NAME", "a checkpoint's folder, or a model in the hub's cache", GROUP_MODELS,
     TEXT(model), STAYS, .files = "/"},
    {"family", "NAME", "whose tensors the model has, if it doesn't say: bert, roberta, ...",
     GROUP_MODELS, option_take_family, AT(family), .choice = family_type},
    {"against", "NAME", "another model (or built-in) to compare with; of a recording another one",
     GROUP_MODELS, TEXT(against), READ(READ_MODEL & ~(READ_TRACE | READ_INDEX | READ_FOUND)),
     .files = "/ .safetensors"},
    {"site", "WHICH", "of a recorded encoder-decoder: encoder, decoder, cross", GROUP_MODELS,
     option_take_site, AT(site), .choice = site_choice},
    {"state", "FILE", "open the state saved in FILE.json; save it there on leaving; - reads one",
     GROUP_MODELS, option_take_output, AT(state), .files = ".json"},
    {"set", "NAME=VALUE", "a choice by its name in a saved state: stage=scores", GROUP_MODELS,
     option_take_set, AT(values)},
    {"lesson", "NAME", "begin a lesson, by name, number or file; L lists them", GROUP_MODELS,
     TEXT(lesson), .files = ".md"},
    {"step", "N", "the lesson's step to begin with, from 1", GROUP_MODELS, option_take_count,
     AT(step)},
#define FIELD(field, name, argument, group, help, ...)                                             \
    {name, argument, help, GROUP_##group, option_take_field, .place = FIELD_##field},
    FIELDS(FIELD)
#undef FIELD
        {"threads", "N", "threads for a pass; by default one for each processor", GROUP_MODELS,
         option_take_threads, AT(threads), STAYS},
    {"columns", "NAMES", "which columns of a table are texts: text, or question,context",
     GROUP_TEXTS, option_take_columns, AT(choice), READ(READ_ONE | READ_MANY)},
    {"sample", "N", "only N of them, drawn by a hash of their ids", GROUP_TEXTS, option_take_sample,
     AT(choice), READ(READ_ONE | READ_MANY)},
    {"seed", "S", "draw others", GROUP_TEXTS, option_take_seed, AT(choice),
     READ(READ_ONE | READ_MANY)},
    {"shard", "I/N", "only the I-th of N parts of them, from 0: 0/4", GROUP_TEXTS,
     option_take_shard, AT(choice), READ(READ_ONE | READ_MANY)},
    {"truncate", NULL, "cut texts that are too long for the model, and say so", GROUP_TEXTS,
     option_take_switch, AT(truncate), READ(READ_MANY)},
    {"stride", "N", "cut them into windows that share N tokens", GROUP_TEXTS, option_take_stride,
     AT(stride), READ(READ_MANY)},
    {"strict", NULL, "end at the first text that can't be read", GROUP_TEXTS, option_take_switch,
     AT(strict), READ(READ_MANY)},
    {"effects", NULL, "and how switching off each head changes an answer", GROUP_TEXTS,
     option_take_switch, AT(each_head), READ(READ_SURVEY)},
    {"keep", NULL, "keep a survey that is already complete", GROUP_TEXTS, option_take_switch,
     AT(resume), READ(READ_SURVEY)},
    {"like", "L:TEXT#TOKEN", "the token to look for, at a layer or a head: 3:time flies#flies",
     GROUP_TEXTS, TEXT(like), READ(READ_FOUND)},
    {"output", "FILE", "the file that a command writes (-o)", GROUP_TEXTS, option_take_whole,
     AT(output), READ(READ_MANY | READ_MERGED), .files = ".survey .index .jsonl"},
    {"snapshot", "FILE", "draw the screen to FILE", GROUP_OUTPUT, option_take_snapshot, AT(files),
     READ(READ_SCREEN), .files = ".txt .ansi .svg"},
    {"format", "NAME", "draw it to standard output: txt, ansi or svg", GROUP_OUTPUT,
     option_take_format, AT(format), NAMES("txt", "ansi", "svg"), READ(READ_SCREEN)},
    {"size", "COLSxROWS", "size of the snapshot (120x40)", GROUP_OUTPUT, option_take_size,
     AT(columns), READ(READ_SCREEN)},
    {"bare", NULL, "draw the view alone, as a figure for a paper (.svg)", GROUP_OUTPUT,
     option_take_switch, AT(bare), READ(READ_SCREEN)},
    {"width", "LENGTH", "maximum width of a figure (3.3in): in, cm, mm or pt", GROUP_OUTPUT,
     option_take_length, AT(paper.width), READ(READ_SCREEN)},
    {"font-size", "LENGTH", "its font size (8pt)", GROUP_OUTPUT, option_take_length,
     AT(paper.font_size), READ(READ_SCREEN)},
    {"font", "NAME", "its typeface, instead of a fixed-width one", GROUP_OUTPUT, option_take_font,
     AT(paper.font), READ(READ_SCREEN)},
    {"type", "KEYS", "press keys first: \"Down Enter e Ctrl-U\"; words in quotes", GROUP_OUTPUT,
     TEXT(type), READ(READ_SCREEN | READ_CSV | READ_TRACE | READ_ONE)},
    {"record", "FILE", "write what is seen, or what --type shows, as a cast of asciinema",
     GROUP_OUTPUT, option_take_output, AT(record), READ(READ_SCREEN), .files = ".cast"},
#define TABLE       (READ_ONE | READ_SURVEY | READ_FOUND | READ_OPENED | READ_MERGED)
#define BY(code)    READ(FORMAT_##code <= FORMAT_JSON ? TABLE : READ_ONE | READ_PAGE)
#define FILES_CSV   ".csv"
#define FILES_JSON  ".json"
#define FILES_TRACE ".safetensors"
#define FILES_PAGE  ".html"
#define NUMBERS(code, name, write, needs, help)                                                    \
    {name,                                                                                         \
     "FILE",                                                                                       \
     help,                                                                                         \
     GROUP_OUTPUT,                                                                                 \
     option_take_output,                                                                           \
     AT(files[FORMAT_##code]),                                                                     \
     BY(code),                                                                                     \
     .files = FILES_##code},
#define PICTURE(...)
    FORMATS(NUMBERS, PICTURE)
#undef PICTURE
#undef NUMBERS
#undef BY
#undef TABLE
        {"include", "LIST", "add to the JSON: weights,query,hidden,lens,effects,words,...",
         GROUP_OUTPUT, option_take_include, AT(include), .choice = export_include_name,
         READ(READ_JSON), .lists = true},
    {"only", "LIST", "layers, and heads as L.H, of an index: 3,7,5.1; or layers of a page",
     GROUP_OUTPUT, TEXT(layers), READ(READ_PAGE | READ_INDEX)},
    {"ask", "NAME", "the piece, label or span to ask for, and that effects are on, in the JSON",
     GROUP_OUTPUT, TEXT(answer), READ(READ_JSON)},
    {"top", "K", "how many likeliest pieces are listed (5), or tokens that find finds (50)",
     GROUP_OUTPUT, option_take_count, AT(top), READ(READ_CSV | READ_JSON | READ_PAGE | READ_FOUND)},
    {"color", "DEPTH", "direct, 256, 16 or mono", GROUP_TERMINAL, option_take_color,
     AT(screen.color), NAMES("direct", "256", "16", "mono"), STAYS},
    {"ascii", NULL, "draw with ASCII only", GROUP_TERMINAL, option_take_switch, AT(screen.ascii),
     STAYS},
    {"lines", "HOW", "lines as pixels, blocks or braille; auto: the best there is", GROUP_TERMINAL,
     option_take_choice, AT(lines), NAMES("auto", "pixels", "blocks", "braille"), STAYS},
    {"no-mouse", NULL, "leave the mouse to the terminal, to select text", GROUP_TERMINAL,
     option_take_switch, AT(screen.no_mouse), STAYS},
    {"config", "FILE", "settings and keys from FILE, not ~/.config/headlight/config",
     GROUP_TERMINAL, TEXT(config), .files = "."},
    {"no-config", NULL, "neither settings nor keys from a file", GROUP_TERMINAL, TEXT(config)},
    {"help", NULL, "help on one screen, or of a command (-h)", GROUP_TERMINAL, COMMAND(HELP)},
    {"version", NULL, "print the version, and what a bug report needs (-V)", GROUP_TERMINAL,
     COMMAND(VERSION)},
};

#define OPTION_ROWS (sizeof table / sizeof *table)
_Static_assert(OPTION_ROWS < OPTIONS_MAX, "more options than a table of getopt has room for");

/* A field without help has no option. */
const struct option_info *option_at(size_t index)
{
    for (enum field_group group = 0; group < GROUP_COUNT; group++)
        for (size_t i = 0; i < OPTION_ROWS; i++)
            if (table[i].group == group && table[i].help && index-- == 0)
                return &table[i];
    return NULL;
}

/* Only what other programs call by a letter as well has one. */
char option_letter(const struct option_info *option)
{
    static const struct {
        const char *name;
        char letter;
    } letters[] = {{"help", 'h'}, {"version", 'V'}, {"output", 'o'}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (strcmp(option->name, letters[i].name) == 0)
            return letters[i].letter;
    return 0;
}

/* Of the state only what lessons leave alone, too. */
bool option_stays(const struct option_info *option)
{
    return option->read == option_take_field
               ? field_info((enum state_field)option->place)->reach == REACH_USER
               : option->stays;
}

unsigned option_reads(const struct option_info *option)
{
    const enum state_field field = (enum state_field)option->place;
    if (option_stays(option) || option->group == GROUP_TERMINAL)
        return READ_ALL;
    if (option->read == option_take_field && field_is_look(field))
        return READ_SCREEN | field_info(field)->reads;
    return option->reads ? option->reads : READ_MODEL;
}

/* Fields know their choices themselves (fields.h); other rows list theirs, or name a function that
 * does. */
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

/* A help text that ends in a colon is completed by the choices; that of --snapshot by the formats.
 */
void option_write_help(const struct option_info *option, char *help, size_t size)
{
    const size_t length = strlen(option->help);
    const char *choice;
    format_cut(help, size, "%s", option->help);
    if (length > 0 && option->help[length - 1] == ':')
        for (size_t i = 0; (choice = option_choice(option, i)); i++)
            format_add(help, size, "%s %s", i > 0 ? "," : "", choice);
    if (option->read == option_take_snapshot)
        format_list(FORMAT_PICTURE, help + length, size - length);
}

/* The option in a column of 20, and its help, in lines of 80 columns. A longer option pushes its
 * help to the right. */
static void write_help_line(FILE *stream, const struct option_info *option, bool ascii)
{
    char left[40], help[160], safe[160];
    snprintf(left, sizeof left, "--%s %s", option->name, option->argument ? option->argument : "");
    option_write_help(option, help, sizeof help);
    text_safe(help, ascii, safe, sizeof safe);
    size_t used = (size_t)fprintf(stream, "  %-20s ", left);
    for (char *word = strtok(safe, " "); word; word = strtok(NULL, " ")) {
        const size_t width = text_width(word, ascii);
        if (used + 1 + width > 80)
            used = (size_t)fprintf(stream, "\n%23s", "") - 1;
        used += 1 + width;
        fprintf(stream, " %s", word);
    }
    fputc('\n', stream);
}

/* ---- Commands ---- */

#define TEXT_FILES ".txt .jsonl .csv .tsv .conllu"

static const struct command_info commands[COMMAND_COUNT] = {
    [COMMAND_SHOW] = {"", "", "", 0, 2, .files = TEXT_FILES " .survey .index .safetensors .json"},
    [COMMAND_RUN] = {"run", "TEXTS", "a line of JSON for each text of a file", 1, 1,
                     READ_MANY | READ_JSON, .files = TEXT_FILES},
    [COMMAND_SURVEY] = {"survey", "TEXTS", "what each head does over all texts of a file", 1, 1,
                        READ_MANY | READ_SURVEY, .files = TEXT_FILES, .needs = " -o FILE"},
    [COMMAND_MERGE] = {"merge", "SURVEY...", "the sum of surveys of parts of a corpus", 1, SIZE_MAX,
                       READ_MERGED, .files = ".survey", .needs = " -o FILE"},
    [COMMAND_INDEX] = {"index", "TEXTS", "the vectors of all tokens of a file, to search in", 1, 1,
                       READ_MANY | READ_INDEX, .files = TEXT_FILES,
                       .needs = " -o FILE --only LIST"},
    [COMMAND_FIND] = {"find", "INDEX...", "the tokens of indexes that are most like one", 1,
                      SIZE_MAX, READ_FOUND, .files = ".index", .needs = " --like L:TEXT#TOKEN"},
    [COMMAND_MODELS] = {"models", "", "the models in the hub's cache", 0, 0, .reads = READ_LIST},
    [COMMAND_LESSONS] = {"lessons", "", "the lessons", 0, 0, .reads = READ_LIST},
    [COMMAND_KEYS] = {"keys", "", "the keys of the program", 0, 0, .reads = READ_LIST},
    [COMMAND_SCHEMA] = {"schema", "", "the JSON Schema of the JSON", 0, 0, .reads = READ_LIST},
    [COMMAND_HELP] = {"help", "[WORD]", "the options of a command, or on a topic", 0, 1,
                      .reads = READ_LIST},
    [COMMAND_VERSION] = {"--version", "", "", 0, 0, .reads = READ_LIST},
};

const struct command_info *command_info(enum command command)
{
    return &commands[command];
}

enum command command_named(const char *name)
{
    enum command command = COMMAND_SHOW + 1;
    while (command < COMMAND_COUNT && strcmp(commands[command].name, name) != 0)
        command++;
    return *name ? command : COMMAND_COUNT;
}

/* Of 24 lines on a terminal of 80 columns. */
static const char screen[] =
    "usage: headlight [OPTIONS] [TEXT [TEXT_B]]  show what attention heads do\n"
    "       headlight [OPTIONS] FILE             of texts, a survey, index or state\n"
    "       headlight COMMAND ... [OPTIONS]      behind -- all words are texts\n\n"
    "  headlight \"the cat sat on the mat\"\n"
    "  headlight --model bert-base-uncased \"time flies\" \"fruit flies\"\n"
    "  headlight --view matrix --head 3.2 --snapshot matrix.svg \"time flies\"\n"
    "  headlight survey dev.conllu -o dev.survey && headlight dev.survey\n\n";

static void write_group(FILE *stream, enum field_group group, unsigned reads, bool ascii)
{
    const struct option_info *option;
    for (size_t i = 0; (option = option_at(i)) != NULL; i++)
        if (option->group == group && option_reads(option) & reads)
            write_help_line(stream, option, ascii);
}

static void write_command(FILE *stream, enum command command, bool ascii)
{
    const struct command_info *info = &commands[command];
    fprintf(stream, "usage: headlight %s %s%s%s\n\nWrites %s.\n", info->name, info->words,
            info->needs ? info->needs : "", info->reads & READ_LIST ? "" : " [OPTIONS]",
            info->brief);
    if (info->reads & READ_MANY)
        fputs("TEXTS: FILE.txt (a text a line, a tab between two), .jsonl, .csv, .tsv or .conllu;\n"
              "or -, standard input, of lines or objects of JSON.\n",
              stream);
    if (info->reads & READ_LIST)
        return;
    fputc('\n', stream);
    write_group(stream, GROUP_TEXTS, info->reads, ascii);
    write_group(stream, GROUP_OUTPUT, info->reads, ascii);
    if (info->reads & READ_MANY)
        fputs(
            "\nBesides: the options of \"headlight help model\" and \"headlight help network\".\n",
            stream);
}

static void write_screen(FILE *stream)
{
    fputs(screen, stream);
    for (enum command command = COMMAND_SHOW + 1; command < COMMAND_VERSION; command++)
        fprintf(stream, "  %-7s %-10s %s\n", commands[command].name, commands[command].words,
                commands[command].brief);
    fputs("\ntopics:", stream);
    for (enum field_group group = 0; group < GROUP_COUNT; group++)
        fprintf(stream, " %s,", field_group_info(group)->topic);
    fputs(" all\nexit status: 0 success, 1 failure, 2 wrong usage, 3 some texts were refused\n",
          stream);
}

enum status options_write_help(FILE *stream, const char *topic, bool ascii, struct error *error)
{
    const enum command command = topic ? command_named(topic) : COMMAND_COUNT;
    struct near near = near_to(topic ? topic : "");
    bool found = !topic;
    if (!topic)
        write_screen(stream);
    if (command < COMMAND_COUNT) {
        write_command(stream, command, ascii);
        return STATUS_OK;
    }
    for (enum command other = COMMAND_SHOW + 1; other < COMMAND_VERSION; other++)
        near_offer(&near, commands[other].name);
    for (enum field_group group = 0; topic && group < GROUP_COUNT; group++) {
        near_offer(&near, field_group_info(group)->topic);
        if (strcmp(topic, "all") != 0 && strcmp(topic, field_group_info(group)->topic) != 0)
            continue;
        fprintf(stream, "%s%s:\n", found ? "\n" : "", field_group_info(group)->title);
        write_group(stream, group, READ_ALL, ascii);
        found = true;
    }
    if (found)
        return STATUS_OK;
    error_write(error, STATUS_USAGE, "help: expected a command or a topic, found \"%s\"", topic);
    return near_add(&near, error);
}

/* The names of actions `from` and after, with commas between; 0-9 have none, as they are bound
 * together. */
static void list_names(int from, int end, char *names, size_t size)
{
    char name[ACTION_NAME_MAX];
    *names = '\0';
    for (int action = from; action < end; action++) {
        action_name((enum action)action, name);
        if (action != ACTION_HEAD_DIGIT)
            format_add(names, size, "%s%s", action > from ? ", " : "  ", name);
    }
}

/* The table of actions, group by group. Actions without a help of their own share the line of the
 * one before (action_keys). */
void options_write_keys(FILE *stream, const struct bindings *bindings, bool ascii)
{
    char keys[80], names[80], line[240], safe[480];
    const char *group = "";
    for (int action = 0; action < ACTION_COUNT;) {
        const struct action_info *info = action_info((enum action)action);
        if (strcmp(group, info->group) != 0)
            fprintf(stream, "%s%s\n", *group ? "\n" : "", info->group);
        group = info->group;
        int next = action_keys(bindings, action, ", ", keys, sizeof keys);
        list_names(action, next, names, sizeof names);
        format_cut(line, sizeof line, "  %-17s %-*s%s", keys, *names ? 21 : 0, info->help, names);
        text_safe(line, ascii, safe, sizeof safe);
        fprintf(stream, "%s\n", safe);
        action = next;
    }
}
