/* options_table.c: how the value of each option is read, and what reads the option: the fields of
 * the state (session/fields.h), and options of the program itself. Their rows, and what help says
 * of them, are in assets/options, of which the Makefile makes options.inc. */
#include "headlight/app/options.h"

#include "headlight/session/screen.h"

#include <stdlib.h>

/* ---- Reading values ---- */

/* An option on the command line or in the file of settings: its value is NULL where it takes none.
 */
struct option_use {
    struct options *options; /* to be read into */
    const struct option_info *option;
    const struct option_row *row;
    const char *value;
    struct error *error;
};

struct option_row {
    enum status (*read)(const struct option_use *use);
    size_t place;      /* in struct options; or a command or field */
    bool stays;        /* about the machine rather than a run, see option_stays */
    unsigned reads;    /* READ_ bits (fields.h); 0: it is checked by itself, or by fields */
    const char *files; /* endings of those that it names, ".txt .csv"; or NULL */
    const char *const *choices;          /* that end with NULL, */
    const char *(*choice)(size_t index); /* or their names, NULL past the last; or neither */
    size_t least, most;                  /* of a number; 0: there is no limit above */
    bool wide;                           /* which is kept as uint64_t */
    bool adds;                           /* it may be given several times */
    const char *needs;                   /* another option, without which it does nothing */
};

/* The member of the options that a row names. */
static void *option_place(const struct option_use *use)
{
    return (char *)use->options + use->row->place;
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
    static char layer[24]; /* of --head */
    size_t number;
    const char *on, **values = use->options->values;
    enum state_field field = field_set_by((enum state_field)use->row->place, &on);
    const char *value = use->value ? use->value : on, *site = field == FIELD_SITE ? value : NULL;
    values[field] = field == FIELD_SITE ? values[field] : value;
    if (field == FIELD_HEAD) { /* "3.2", or "x3.2" with its site, or "3.0,2,5-7" */
        const enum site own = interventions_site(value);
        const char *head = value + (own != SITE_ENCODER), *dot = strchr(head, '.');
        head_mask several;
        struct error why;
        format_cut(layer, sizeof layer, "%.*s", dot ? (int)(dot - head) : 0, head);
        const bool one = dot && value_number(dot + 1, FIELD_NUMBER_MAX, &number);
        if (!value_number(layer, FIELD_NUMBER_MAX, &number) ||
            (!one && head_mask_read(dot + 1, HEAD_MASK_MAX, &several, &why) != STATUS_OK))
            return refuse_value(use, "a layer and a head, such as 3.2, or x3.2 of cross-attention, "
                                     "or several heads, 3.0,2,5-7");
        site = own != SITE_ENCODER ? site_words[own].name : NULL;
        values[FIELD_LAYER] = layer;
        values[FIELD_HEAD] = one ? dot + 1 : NULL;
        values[FIELD_HEADS] = one ? values[FIELD_HEADS] : dot + 1;
    }
    if (site && values[FIELD_SITE] && strcmp(site, values[FIELD_SITE]) != 0)
        return error_usage(use->error,
                           "expected one attention, found %s and %s: give --head with its layer "
                           "alone, or no --site",
                           values[FIELD_SITE], site);
    values[FIELD_SITE] = site ? site : values[FIELD_SITE];
    return values[field] ? field_check(field, values[field], use->error) : STATUS_OK;
}

/* What has no option of its own in assets/options, or one without a value, as a saved state has it:
 * rank=3. */
static enum status option_take_set(const struct option_use *use)
{
    char name[32];
    struct error why;
    const size_t length = strcspn(use->value, "=");
    format_cut(name, sizeof name, "%.*s", (int)length, use->value);
    const struct option_info *option = option_named(name);
    if (!option || !use->value[length] ||
        (option->dashes && (option->argument || field_named(name) == FIELD_COUNT)))
        return refuse_value(use, "NAME=VALUE, of a NAME that \"headlight help set\" lists, such as "
                                 "stage=scores");
    bool *given = &use->options->given[option - option_at(0)];
    if (*given)
        return error_usage(use->error, "--set: %s is given twice", name);
    if (option_check_again(option, use->options->given, &why) != STATUS_OK ||
        option_take(option, use->value + length + 1, use->options, &why) != STATUS_OK)
        return error_set(use->error, why.status, "--set %s", why.message + strlen("--"));
    *given = true;
    return STATUS_OK;
}

/* --help and --version. The last one on the command line counts. */
static enum status option_take_command(const struct option_use *use)
{
    use->options->command = (enum command)use->row->place;
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
    const bool text = strchr(use->value, ' ') && !strchr(use->value, '/') && !ends;
    if (!text && (use->value[0] != '-' || use->value[1] == '\0'))
        return STATUS_OK;
    return error_usage(use->error,
                       "--%s: expected a file's name, found \"%.200s\"%s; a file of that name is "
                       "./%.200s",
                       use->option->name, use->value,
                       text ? ", which reads like a text: the name goes before it (- is standard "
                              "output)"
                            : "",
                       use->value);
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

/* A PDF can be made of another picture. */
static enum status option_take_snapshot(const struct option_use *use)
{
    struct options *options = use->options;
    enum format format;
    options->picture = strcmp(use->value, "-") == 0;
    if (options->picture)
        return STATUS_OK;
    if (check_output(use) != STATUS_OK)
        return use->error->status;
    if (format_of_picture(use->value, &format)) {
        options->files[format] = use->value;
        return STATUS_OK;
    }
    const size_t length = strlen(use->value);
    const int stem =
        length >= 4 && strcmp(use->value + length - 4, ".pdf") == 0 ? (int)length - 4 : 0;
    return stem == 0
               ? refuse_value(use, "a file name that ends in .txt, .ansi or .svg")
               : error_usage(use->error,
                             "--snapshot %s: expected %.*s.svg, of which \"rsvg-convert -f pdf "
                             "-o %s %.*s.svg\" makes a PDF",
                             use->value, stem, use->value, use->value, stem, use->value);
}

static enum status option_take_family(const struct option_use *use)
{
    use->options->family = use->value;
    return family_check(use->value, use->error);
}

/* "query,scores". */
static enum status option_take_include(const struct option_use *use)
{
    for (const char *word = use->value;; word++) {
        char name[80];
        unsigned choice;
        const size_t length = strcspn(word, ",");
        format_cut(name, sizeof name, "%.*s", (int)length, word);
        if (value_choice(use->option->name, use->row->choices, name, &choice, use->error) !=
            STATUS_OK)
            return use->error->status;
        use->options->out.include |= include_bits[choice];
        word += length;
        if (!*word)
            return STATUS_OK;
    }
}

/* "120x40" or "0/4": two numbers and what stands between. */
static bool read_pair(const char *value, char between, size_t most, size_t numbers[2])
{
    char left[12] = "";
    const char *end = strchr(value, between);
    if (end && end - value < (ptrdiff_t)sizeof left)
        memcpy(left, value, (size_t)(end - value));
    return end && value_number(left, most, &numbers[0]) && value_number(end + 1, most, &numbers[1]);
}

/* Columns, then rows. */
static enum status option_take_size(const struct option_use *use)
{
    size_t size[2];
    if (!read_pair(use->value, 'x', CANVAS_MAX, size) || size[0] < SCREEN_COLUMNS_MIN ||
        size[1] < SCREEN_ROWS_MIN)
        return refuse_value(use, "COLSxROWS, from 60x12 to 1000x1000, such as 120x40");
    use->options->out.columns = (int)size[0];
    use->options->out.rows = (int)size[1];
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
    for (size_t i = 0; i < LENGTH(units); i++)
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

/* More threads than processors are allowed, though they gain nothing, as are more pieces than a
 * vocabulary has. Whether a lesson has such a step is known only once it has been read. */
static enum status option_take_number(const struct option_use *use)
{
    const struct option_row *row = use->row;
    char expected[64];
    size_t number;
    format_cut(expected, sizeof expected,
               row->most > 0 ? "a number from %zu to %zu" : "a number from %zu up", row->least,
               row->most);
    if (!value_number(use->value, row->most > 0 ? row->most : INT32_MAX, &number) ||
        number < row->least)
        return refuse_value(use, expected);
    if (row->wide)
        *(uint64_t *)option_place(use) = number;
    else
        *(size_t *)option_place(use) = number;
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

/* A part, from 0, and how many there are. */
static enum status option_take_shard(const struct option_use *use)
{
    size_t shard[2];
    if (!read_pair(use->value, '/', INT32_MAX, shard) || shard[0] >= shard[1])
        return refuse_value(use, "I/N, the I-th part of N, from 0, such as 0/4");
    use->options->choice.part = shard[0];
    use->options->choice.parts = shard[1];
    return STATUS_OK;
}

static enum status option_take_real(const struct option_use *use)
{
    char expected[64];
    const double most = use->row->most > 0 ? (double)use->row->most : 1;
    format_cut(expected, sizeof expected, "a number from 0.001 to %g", most);
    return value_real(use->value, 0.001, most, option_place(use)) ? STATUS_OK
                                                                  : refuse_value(use, expected);
}

/* One of a few names, kept by its number in the list. */
static enum status option_take_choice(const struct option_use *use)
{
    return value_choice(use->option->name, use->row->choices, use->value, option_place(use),
                        use->error);
}

/* ---- The table ---- */

#define STAYS    .stays = true
#define READ(by) .reads = (by)
#define NAMES(...)                                                                                 \
    .choices = (const char *const[])                                                               \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define OF(how, member) option_take_##how, .place = offsetof(struct options, member)
#define OF_FIELD(field) option_take_field, .place = FIELD_##field
#define OF_TABLES       (READ_ONE | READ_SURVEY | READ_FOUND | READ_OPENED | READ_MERGED)

_Static_assert(sizeof(enum lines_wish) == sizeof(unsigned), "choices are kept as unsigned");

/* In the order of option_at. */
static const struct option_row table[] = {
#define ROW(...) {__VA_ARGS__},
#include "options.inc"
};

static const struct option_row *row_of(const struct option_info *option)
{
    return &table[option - option_at(0)];
}

/* What a row sets, among the rows that are read alike. */
static size_t place_of(const struct option_row *row)
{
    const char *value;
    return row->read == option_take_field ? field_set_by((enum state_field)row->place, &value)
                                          : row->place;
}

enum status option_check_again(const struct option_info *option, const bool given[OPTIONS_MAX],
                               struct error *error)
{
    const struct option_row *row = row_of(option);
    const struct option_info *other;
    for (size_t i = 0; (other = option_at(i)); i++) {
        const struct option_row *earlier = row_of(other);
        if (!given[i] || earlier->read != row->read || place_of(earlier) != place_of(row))
            continue;
        if (earlier != row)
            return error_usage(error, "--%s can't be combined with --%s", option->name,
                               other->name);
        if (option->argument && !row->adds)
            return error_usage(
                error, "--%s is given twice%s", option->name,
                strstr(option->argument, ",...") ? ": it takes a list, with commas between" : "");
    }
    return STATUS_OK;
}

enum status option_take(const struct option_info *option, const char *value,
                        struct options *options, struct error *error)
{
    const struct option_row *row = row_of(option);
    return row->read(&(struct option_use){options, option, row, value, error});
}

/* Of the state only what lessons leave alone, too. */
bool option_stays(const struct option_info *option)
{
    const struct option_row *row = row_of(option);
    return row->read == option_take_field
               ? field_info((enum state_field)row->place)->reach == REACH_USER
               : row->stays;
}

unsigned option_reads(const struct option_info *option)
{
    const struct option_row *row = row_of(option);
    const enum state_field field = (enum state_field)row->place;
    if (row->read == option_take_field)
        return field == FIELD_GENERATED ? READ_ONE
               : field_is_look(field)   ? READ_SCREEN | field_info(field)->reads
                                        : READ_MODEL;
    return row->reads ? row->reads : row->stays ? READ_ALL : READ_MODEL;
}

const struct option_info *option_needed(const struct option_info *option)
{
    const char *needs = row_of(option)->needs;
    return needs ? option_named(needs) : NULL;
}

const char *option_files(const struct option_info *option)
{
    return row_of(option)->files;
}

/* Fields know their choices themselves (fields.h); other rows list theirs, or name a function that
 * does. */
const char *option_choice(const struct option_info *option, size_t index)
{
    const struct option_row *row = row_of(option);
    if (row->read == option_take_field)
        return option->argument ? field_choice((enum state_field)row->place, index) : NULL;
    if (row->choice)
        return row->choice(index);
    return row->choices ? row->choices[index] : NULL;
}

bool option_is(const struct option_info *option, const char *word)
{
    word += strspn(word, "-");
    return strcmp(option->name, word) == 0 || (*word && *word == option->letter && !word[1]);
}

/* ---- Commands ---- */

const struct command_info commands[COMMAND_COUNT] = {
    [COMMAND_SHOW] = {"", "", "", "", "", 0},
    [COMMAND_VERSION] = {"--version", "", "", "", "", READ_LIST},
#define COMMAND(code, ...) [COMMAND_##code] = {__VA_ARGS__},
#include "options.inc"
};

enum command command_named(const char *name)
{
    enum command command = COMMAND_SHOW + 1;
    while (command < COMMAND_COUNT && strcmp(commands[command].name, name) != 0)
        command++;
    return *name ? command : COMMAND_COUNT;
}
