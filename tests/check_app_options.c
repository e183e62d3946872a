#include "model_helpers.h"
#include "process_helpers.h"
#include "rows.h"
#include "suites.h"

#include "headlight/app/lists.h"
#include "headlight/app/options.h"
#include "headlight/export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 16
#define TEXTS         "tests/rows/options.txt" /* a file of texts, whatever is in it, */
#define RECORDING     "tests/vectors/tiny-bert/model.safetensors"

static struct options options;
static struct error error;
static struct folder folder;

/* Splits at blanks; '_' stands for a blank inside a word. */
static enum status parse(const char *line)
{
    static char program[] = "headlight", words[512];
    char *argv[ARGUMENTS_MAX + 1] = {program};
    int argc = 1;
    error = (struct error){0};
    ck_assert_uint_lt(strlen(line), sizeof words);
    strcpy(words, line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        ck_assert_int_lt(argc, ARGUMENTS_MAX);
        for (char *at = word; *at; at++)
            if (*at == '_')
                *at = ' ';
        argv[argc++] = word;
    }
    return options_parse(&options, argc, argv, &error);
}

TEST(nothing_said_is_the_example_in_the_head_view)
{
    ck_assert_int_eq(parse(""), STATUS_OK);
    ck_assert_int_eq(options.command, COMMAND_SHOW);
    ck_assert_uint_eq(options.text_count, 0);
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        ck_assert_ptr_null(options.values[i]);
    ck_assert_ptr_null(options.model);
    ck_assert_ptr_null(options.against);
}

TEST(everything_said)
{
    ck_assert_int_eq(parse("--model m --view=neuron --head 3.2 --set heads=0,1 time_flies "
                           "--select flies --attended 2"),
                     STATUS_OK);
    ck_assert_str_eq(options.model, "m");
    ck_assert_str_eq(options.values[FIELD_VIEW], "neuron");
    ck_assert_str_eq(options.values[FIELD_LAYER], "3");
    ck_assert_str_eq(options.values[FIELD_HEAD], "2");
    ck_assert_str_eq(options.values[FIELD_HEADS], "0,1");
    ck_assert_str_eq(options.texts[0], "time flies");
    ck_assert_str_eq(options.values[FIELD_SELECT], "flies");
    ck_assert_str_eq(options.values[FIELD_ATTENDED], "2");
    ck_assert_int_eq(parse("--against d"), STATUS_OK);
    ck_assert_str_eq(options.against, "d");
    ck_assert_int_eq(parse("--filter ba --raw-text --unscaled --causal --off 0.1 --threads 2 "
                           "--theme light a b"),
                     STATUS_OK);
    ck_assert_str_eq(options.values[FIELD_FILTER], "ba");
    ck_assert(options.values[FIELD_RAW_TEXT] && options.values[FIELD_UNSCALED] &&
              options.values[FIELD_CAUSAL]);
    ck_assert_str_eq(options.values[FIELD_OFF], "0.1");
    ck_assert_uint_eq(options.threads, 2);
    ck_assert_str_eq(options.values[FIELD_THEME], "light");
    ck_assert_uint_eq(options.text_count, 2);
    ck_assert_int_eq(parse("--snapshot a.ansi --size 200x60 --color 256 --ascii --json - --include "
                           "query,key --trace t"),
                     STATUS_OK);
    ck_assert_str_eq(options.files[FORMAT_ANSI], "a.ansi");
    ck_assert_int_eq(options.out.columns, 200);
    ck_assert_int_eq(options.out.rows, 60);
    ck_assert(options.screen.color != COLOR_AUTO && options.screen.ascii);
    ck_assert_int_eq(options.screen.color, COLOR_256);
    ck_assert_str_eq(options.files[FORMAT_JSON], "-");
    ck_assert_uint_eq(options.out.include, INCLUDE_QUERY | INCLUDE_KEY);
    ck_assert_str_eq(options.files[FORMAT_TRACE], "t");
    ck_assert_ptr_null(options.out.answer);
    ck_assert_int_eq(parse("--json - --include lens,effects,query --select a --ask cat"),
                     STATUS_OK);
    ck_assert_uint_eq(options.out.include, INCLUDE_LENS | INCLUDE_EFFECTS | INCLUDE_QUERY);
    ck_assert_str_eq(options.out.answer, "cat");
    ck_assert_int_eq(parse("--json - --include all"), STATUS_OK);
    ck_assert_uint_eq(options.out.include,
                      INCLUDE_ALL); /* and nothing that must be computed first */
    ck_assert_int_eq(parse(RECORDING " --whole-words --state s.json --csv - --type e_x"),
                     STATUS_OK);
    ck_assert_str_eq(options.open, RECORDING);
    ck_assert_str_eq(options.values[FIELD_WHOLE_WORDS], "on");
    ck_assert_str_eq(options.state, "s.json");
    ck_assert_str_eq(options.files[FORMAT_CSV], "-");
    ck_assert_str_eq(options.type, "e x");
}

TEST(changes_of_the_network_are_kept_as_they_are_said)
{
    ck_assert_int_eq(parse("--temperature 0.5 --hide flies,#3 --cut 0.1.2.3 --uniform 1.2"),
                     STATUS_OK);
    ck_assert(options_change_network(&options));
    ck_assert_str_eq(options.values[FIELD_TEMPERATURE], "0.5");
    ck_assert_str_eq(options.values[FIELD_HIDE], "flies,#3");
    ck_assert_str_eq(options.values[FIELD_CUT], "0.1.2.3");
    ck_assert_str_eq(options.values[FIELD_UNIFORM], "1.2");
    ck_assert_ptr_null(options.values[FIELD_NO_SEGMENTS]);
    ck_assert_int_eq(parse("--no-segments --no-positions"), STATUS_OK);
    ck_assert_str_eq(options.values[FIELD_NO_SEGMENTS], "on");
    ck_assert_str_eq(options.values[FIELD_POSITIONS], "none");
    ck_assert_int_eq(parse("--sinusoidal"), STATUS_OK);
    ck_assert_str_eq(options.values[FIELD_POSITIONS], "sinusoidal");
    ck_assert_int_eq(parse("--layer 1"), STATUS_OK);
    ck_assert(!options_change_network(&options));
}

TEST(getopt_conventions_hold)
{
    ck_assert_int_eq(parse("--atte 1"), STATUS_OK); /* short forms that are clear */
    ck_assert_str_eq(options.values[FIELD_ATTENDED], "1");
    ck_assert_int_eq(parse("-- --layer"), STATUS_OK); /* after -- everything is text */
    ck_assert_str_eq(options.texts[0], "--layer");
    ck_assert_int_eq(parse("--json ./--include --snapshot a-b.svg"), STATUS_OK);
    ck_assert_str_eq(options.files[FORMAT_JSON], "./--include");
    ck_assert_int_eq(parse("he/she"), STATUS_OK);
    ck_assert_str_eq(options.texts[0], "he/she");
    ck_assert_int_eq(parse("tests/budget"), STATUS_OK); /* texts, as its folder is named */
    ck_assert_str_eq(options.corpus, "tests/budget");
    ck_assert_int_eq(parse("-"), STATUS_OK);
    ck_assert_str_eq(options.texts[0], "-");
    ck_assert_int_eq(parse("-h"), STATUS_OK);
    ck_assert_int_eq(options.command, COMMAND_HELP);
    ck_assert_int_eq(parse("--version"), STATUS_OK);
    ck_assert_int_eq(options.command, COMMAND_VERSION);
    ck_assert_int_eq(parse("models"), STATUS_OK); /* not short for --model */
    ck_assert_int_eq(options.command, COMMAND_MODELS);
    ck_assert_int_eq(parse("keys"), STATUS_OK);
    ck_assert_int_eq(options.command, COMMAND_KEYS);
}

ROW_TEST(wrong_usage_is_named, "options")
{
    const enum status status = parse(row[0]);
    assert_refused(status, &error, row + 1);
}

/* ---- What reads them ---- */

/* Each kind of run, and what it reads. */
static const struct {
    const char *line;
    unsigned reads;
} runs[] = {
    {"", READ_SCREEN | READ_ONE},
    {"--snapshot a.svg", READ_SCREEN | READ_ONE},
    {"--csv a", READ_CSV | READ_ONE},
    {"--json a --include weights", READ_JSON | READ_ONE},
    {"--trace a", READ_TRACE | READ_ONE},
    {"--html a", READ_PAGE | READ_ONE},
    {"--json a --snapshot b.svg", READ_JSON | READ_SCREEN | READ_ONE},
    {TEXTS, READ_SCREEN | READ_ONE},
    {"run t -o a --include weights", READ_JSON | READ_MANY},
    {TEXTS " --html a", READ_PAGE | READ_MANY},
    {"survey t -o a", READ_SURVEY | READ_MANY},
    {"survey t -o a --json b --csv c", READ_SURVEY | READ_MANY},
    {"index t -o a --only 1", READ_INDEX | READ_MANY},
    {"find a --like 1:a#a --json b", READ_FOUND},
    {"merge a -o b --csv c", READ_MERGED},
};

/* Options that make another run of it, print what they name, or may stand beside anything. */
static bool is_a_run(const struct option_info *option)
{
    return strstr(" snapshot format record set output config no-config help version ",
                  option->name);
}

/* Of each option of the look a value, in a view that shows it, and what it needs besides. NULL: it
 * only restores a screen, or needs another model. */
static const struct {
    const char *name, *value, *view, *with;
} samples[] = {
    {"view", "model", NULL, ""},
    {"site", "cross", NULL, NULL},
    {"align", "said", NULL, NULL},
    {"layer", "2", "head", ""},
    {"special", "hidden", "head", ""},
    {"whole-words", NULL, "head", ""},
    {"filter", "ab", "head", ""},
    {"heads", "1,2", "head", ""},
    {"head", "1.2", "head", ""},
    {"mean", "heads", "head", ""},
    {"threshold", "0.3", "head", ""},
    {"map", "norms", "matrix", ""},
    {"list", NULL, "head", ""},
    {"metric", "entropy", "model", ""},
    {"without", "masked", "answers", ""},
    {"sort", NULL, "model", "--metric entropy"},
    {"answers", "words", NULL, NULL},
    {"corpus", "relations", "corpus", ""},
    {"corpus-metric", "next", "corpus", "--corpus sorted"},
    {"corpus-axis", "next", "corpus", "--corpus scatter"},
    {"select", "cat", "compare", ""},
    {"attended", "cat", "compare", ""},
    {"asked", "2 --site encoder", NULL, NULL},
    {"find", "cat", "head", ""},
    {"rank", NULL, "head", "--select cat --attended sat"},
    {"shade", "root", "head", ""},
    {"numbers", NULL, "head", ""},
    {"thumbnails", "lines", "model", ""},
    {"theme", "light", NULL, ""},
    {"present", NULL, "head", ""},
    {"detail", "2", "head", ""},
    {"others", "1,2", NULL, NULL},
    {"side", "right", NULL, NULL},
    {"stage", "q", "steps", ""},
    {"number", "3", "steps", "--set stage=q"},
    {"dimension", "3", "neuron", "--select cat"},
    {"scale", "largest", "neuron", "--select cat"},
    {"bands", "values", "neuron", NULL}, /* where not all fit */
    {"corpus-card", "reach", NULL, NULL},
    {"corpus-relation", "1", NULL, NULL},
    {"corpus-example", "1", NULL, NULL},
    {"answer-chosen", "1", NULL, NULL},
    {"layer-kept", "1", NULL, NULL},
};

#define SAMPLES (sizeof samples / sizeof *samples)

static size_t sample_of(const struct option_info *option)
{
    size_t i = 0;
    while (i < SAMPLES && strcmp(samples[i].name, option->name) != 0)
        i++;
    return i;
}

/* Some value that the option takes; a word that is none of the files above. */
static const char *value_of(const struct option_info *option)
{
    static const char *const values[][2] = {{"temperature", "2"}, {"size", "80x24"},
                                            {"width", "3in"},     {"font", "Mono"},
                                            {"font-size", "8pt"}, {"shard", "0/2"}};
    const size_t sample = sample_of(option);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(option->name, values[i][0]) == 0)
            return values[i][1];
    const bool named = option->argument && strcmp(option->argument, "NAME") == 0;
    return sample < SAMPLES && samples[sample].value ? samples[sample].value
           : option_choice(option, 0)                ? option_choice(option, 0)
           : named                                   ? "z"
                                                     : "1";
}

/* The option with that value, as it is given; the caller's next call overwrites it. */
static const char *spelt(const struct option_info *option, const char *value)
{
    static char text[200];
    snprintf(text, sizeof text, option->dashes ? "--%s %s" : "--set %s=%s", option->name,
             option->argument ? value : "");
    return text;
}

/* Others, such as --width, which needs --bare, have rules of their own. */
static bool has_no_other_rule(const struct option_info *option)
{
    const enum state_field field = field_named(option->name);
    return (field < FIELD_COUNT && field_info(field)->part != PART_TEXTS) ||
           strstr(" ask include top type effects keep threads ", option->name);
}

TEST(what_nothing_reads_is_refused_and_what_is_read_is_taken, .times = COUNT(runs))
{
    const struct option_info *option;
    char line[400], name[64];
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (is_a_run(option))
            continue;
        snprintf(name, sizeof name, "%s%s", option_dashes(option->name), option->name);
        snprintf(line, sizeof line, "%s %s", runs[_i].line, spelt(option, value_of(option)));
        const enum status status = parse(line);
        if (!(option_reads(option) & runs[_i].reads))
            ck_assert_msg(status == STATUS_USAGE && strstr(error.message, name), "%s: %s", line,
                          status == STATUS_OK ? "taken" : error.message);
        else if (has_no_other_rule(option))
            ck_assert_msg(status == STATUS_OK || strstr(error.message, "needs --"), "%s: %s", line,
                          error.message);
    }
}

/* Pictures and tables of every view take what it shows, and nothing else of the look. */
TEST(a_view_takes_what_it_shows, .times = VIEW_COUNT)
{
    const struct option_info *option;
    const char *view = view_name((enum view_kind)_i);
    char line[400];
    for (size_t i = 0; (option = option_at(i)); i++) {
        const enum state_field field = field_named(option->name);
        if (field == FIELD_COUNT || !field_is_look(field) || field == FIELD_VIEW)
            continue;
        for (int csv = 0; csv < 2; csv++) {
            const bool all = csv && _i == VIEW_CORPUS && !field_info(field)->shown;
            const bool taken = !all && field_is_shown(field, (enum view_kind)_i, !csv) &&
                               (!csv || option_reads(option) & READ_CSV);
            snprintf(line, sizeof line, "--view %s %s %s", view,
                     csv ? "--csv a" : "--snapshot a.svg", spelt(option, value_of(option)));
            ck_assert_msg((parse(line) == STATUS_OK) == taken, "%s: %s", line,
                          taken ? error.message : "taken");
        }
        snprintf(line, sizeof line, "--view %s %s", view, spelt(option, value_of(option)));
        ck_assert_msg(parse(line) == STATUS_OK, "%s: %s", line, error.message); /* on a screen */
    }
}

/* What the program writes of one kind, with an option of the look or without; the caller's. */
static char *written(const char *kind, size_t sample, bool with)
{
    static char words[400];
    const char *arguments[24] = {"headlight", "--no-config", "--model",
                                 TINY_FOLDER, "--mask",      "sat"};
    const bool viewed = strstr(kind, "--csv") || strstr(kind, "--snapshot");
    const char *view = viewed ? samples[sample].view : NULL;
    char *path = in_folder(&folder, "out.svg"), *text = NULL;
    size_t count = 6, room = 0;
    snprintf(words, sizeof words, "%s %s %s %s %s %s", kind, path, samples[sample].with,
             view ? "--view" : "", view ? view : "",
             with ? spelt(option_named(samples[sample].name), samples[sample].value) : "");
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        arguments[count++] = word;
    arguments[count++] = "the cat sat on the mat";
    arguments[count] = "a dog saw the cat";
    const struct result result = run(arguments, PIPED, PIPED);
    ck_assert_msg(result.status == 0, "%s %s: %s", kind, samples[sample].name, result.text);
    FILE *stream = fopen(path, "r"); /* as it is: file_read takes no HTML */
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_gt(getdelim(&text, &room, '\0', stream), 0);
    fclose(stream);
    free(path);
    return text;
}

/* Whatever the table says is read changes what is written. */
TEST(what_is_taken_changes_something, .times = 4)
{
    static const struct {
        const char *line;
        unsigned reads;
    } kinds[] = {{"--size 140x50 --snapshot", READ_SCREEN},
                 {"--csv", READ_CSV},
                 {"--include weights,effects,words --json", READ_JSON},
                 {"--html", READ_PAGE}};
    const struct option_info *option;
    folder_make(&folder);
    for (size_t i = 0; (option = option_at(i)); i++) {
        const enum state_field field = field_named(option->name);
        const size_t sample = sample_of(option);
        if (field == FIELD_COUNT || !field_is_look(field))
            continue;
        ck_assert_msg(sample < SAMPLES, "--%s has no sample", option->name);
        if (!samples[sample].with || !(option_reads(option) & kinds[_i].reads))
            continue;
        char *without = written(kinds[_i].line, sample, false);
        char *with = written(kinds[_i].line, sample, true);
        ck_assert_msg(strcmp(without, with) != 0, "%s: --%s changes nothing", kinds[_i].line,
                      option->name);
        free(without);
        free(with);
    }
    folder_remove(&folder);
}

/* ---- Help ---- */

/* A command or a topic in ten to twenty lines of a terminal of 80 columns, help itself in 24. */
static void check_help(const char *topic, size_t least, size_t most)
{
    char *text;
    size_t size, rows = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_ok(help_write(stream, topic, false, &error), error);
    fclose(stream);
    for (const char *row = text, *end; *row; row = end + 1, rows++) {
        end = strchr(row, '\n');
        ck_assert_ptr_nonnull(end);
        ck_assert_msg(text_columns(row, (size_t)(end - row), false) <= 80, "%s: %.*s", topic,
                      (int)(end - row), row);
    }
    ck_assert_msg(rows >= least && rows <= most, "%s: %zu lines", topic, rows);
    free(text);
}

TEST(help_is_as_long_as_one_reads)
{
    const struct option_info *option;
    check_help(NULL, 20, 24);
    for (enum command command = COMMAND_SHOW + 1; command < COMMAND_VERSION; command++)
        check_help(commands[command].name, 10, 20);
    for (size_t i = 0; (option = option_at(i)); i++)
        check_help(option->topic->name, 10, 20);
}

static enum status parse_value(const struct option_info *option, const char *value)
{
    char program[] = "headlight", name[64], text[64], beams[] = "--beams=2";
    char *argv[] = {program, beams, name, text, NULL}; /* --early-stopping needs them */
    snprintf(name, sizeof name, option->dashes ? "--%s" : "--set", option->name);
    snprintf(text, sizeof text, option->dashes ? "%s" : "%2$s=%1$s", value, option->name);
    return options_parse(&options, 4, argv, &error);
}

/* What the table says of an option's values is what parsing takes. */
TEST(every_choice_is_taken_and_nothing_else)
{
    const struct option_info *option;
    const char *choice;
    size_t choosing = 0;
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        if (!option->argument || !option_choice(option, 0) || strcmp(option->name, "include") == 0)
            continue;
        choosing++;
        for (size_t j = 0; (choice = option_choice(option, j)) != NULL; j++)
            ck_assert_msg(parse_value(option, choice) == STATUS_OK, "%s", error.message);
        ck_assert_msg(parse_value(option, "no-such-choice") == STATUS_USAGE, "%s", option->name);
    }
    ck_assert_uint_gt(choosing, 12);
}
