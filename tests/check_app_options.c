#include "model_helpers.h"
#include "process_helpers.h"
#include "suites.h"

#include "headlight/app/options.h"
#include "headlight/export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 16

static struct options options;
static struct error error;
static struct folder folder;

/* Splits at blanks; '_' stands for a blank inside a word. */
static enum status parse(const char *line)
{
    static char program[] = "headlight", words[512];
    char *argv[ARGUMENTS_MAX + 1] = {program};
    int argc = 1;
    ck_assert_uint_lt(strlen(line), sizeof words);
    strcpy(words, line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        ck_assert_int_lt(argc, ARGUMENTS_MAX);
        for (char *at = word; *at; at++)
            if (*at == '_')
                *at = ' ';
        argv[argc++] = word;
    }
    return options_parse(&options, NULL, argc, argv, &error);
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
    ck_assert_int_eq(parse("--model m --view=neuron --layer 3 --head 2 --heads 0,1 time_flies "
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
    ck_assert_int_eq(parse("--filter ba --no-special --unscaled --causal --off 0.1 --threads 2 "
                           "--theme light a b"),
                     STATUS_OK);
    ck_assert_str_eq(options.values[FIELD_FILTER], "ba");
    ck_assert(options.values[FIELD_NO_SPECIAL] && options.values[FIELD_UNSCALED] &&
              options.values[FIELD_CAUSAL]);
    ck_assert_str_eq(options.values[FIELD_OFF], "0.1");
    ck_assert_int_eq(options.threads, 2);
    ck_assert_str_eq(options.values[FIELD_THEME], "light");
    ck_assert_uint_eq(options.text_count, 2);
    ck_assert_int_eq(parse("--snapshot a.svg --size 200x60 --color 256 --ascii --json - --include "
                           "query,key --trace t"),
                     STATUS_OK);
    ck_assert_str_eq(options.files[FORMAT_SVG], "a.svg");
    ck_assert_ptr_null(options.handout);
    ck_assert_int_eq(options.columns, 200);
    ck_assert_int_eq(options.rows, 60);
    ck_assert(options.screen.color_chosen && options.screen.ascii);
    ck_assert_int_eq(options.screen.color, DEPTH_256);
    ck_assert_str_eq(options.files[FORMAT_JSON], "-");
    ck_assert_uint_eq(options.include, INCLUDE_QUERY | INCLUDE_KEY);
    ck_assert_str_eq(options.files[FORMAT_TRACE], "t");
    ck_assert_ptr_null(options.answer);
    ck_assert_int_eq(parse("--json - --include lens,effects,query --select a --answer cat"),
                     STATUS_OK);
    ck_assert_uint_eq(options.include, INCLUDE_LENS | INCLUDE_EFFECTS | INCLUDE_QUERY);
    ck_assert_str_eq(options.answer, "cat");
    ck_assert_int_eq(parse("--json - --include all"), STATUS_OK);
    ck_assert_uint_eq(options.include, INCLUDE_ALL); /* and nothing that must be computed first */
    ck_assert_int_eq(parse("--open r --words --present --state s.json --csv - --type e_x"),
                     STATUS_OK);
    ck_assert_str_eq(options.values[FIELD_PRESENT], "on");
    ck_assert_str_eq(options.open, "r");
    ck_assert_str_eq(options.values[FIELD_WORDS], "on");
    ck_assert_str_eq(options.state, "s.json");
    ck_assert_str_eq(options.files[FORMAT_CSV], "-");
    ck_assert_str_eq(options.type, "e x");
}

/* Whether it comes before the lesson's name or behind it. */
TEST(the_last_snapshot_of_a_lesson_may_be_a_folder)
{
    ck_assert_int_eq(parse("--snapshot a.svg --snapshot folder --size 80x24 --lesson a"),
                     STATUS_OK);
    ck_assert_str_eq(options.handout, "folder");
    ck_assert_uint_eq(options_needs(&options), 0);
    ck_assert_int_eq(parse("--lesson a --snapshot folder --snapshot a.svg"), STATUS_OK);
    ck_assert_ptr_null(options.handout);
    ck_assert_str_eq(options.files[FORMAT_SVG], "a.svg");
}

TEST(a_name_of_earlier_versions_is_understood_and_not_listed)
{
    ck_assert_int_eq(parse("--figure entropy"), STATUS_OK);
    ck_assert_str_eq(options.values[FIELD_METRIC], "entropy");
    for (size_t i = 0; option_at(i); i++)
        ck_assert_str_ne(option_at(i)->name, "figure");
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
    ck_assert_int_eq(parse("--no-positions --sinusoidal"), STATUS_OK); /* the later one holds */
    ck_assert_str_eq(options.values[FIELD_POSITIONS], "sinusoidal");
    ck_assert_int_eq(parse("--sinusoidal --no-positions"), STATUS_OK);
    ck_assert_str_eq(options.values[FIELD_POSITIONS], "none");
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
    ck_assert_int_eq(parse("-"), STATUS_OK);
    ck_assert_str_eq(options.texts[0], "-");
    ck_assert_int_eq(parse("-h"), STATUS_OK);
    ck_assert_int_eq(options.command, COMMAND_HELP);
    ck_assert_int_eq(parse("--version"), STATUS_OK);
    ck_assert_int_eq(options.command, COMMAND_VERSION);
    ck_assert_int_eq(parse("--models"), STATUS_OK); /* not short for --model */
    ck_assert_int_eq(options.command, COMMAND_MODELS);
    ck_assert_int_eq(parse("--keys"), STATUS_OK);
    ck_assert_int_eq(options.command, COMMAND_KEYS);
}

static const struct {
    const char *line, *part;
} wrong[] = {
    {"--nonsense", "--nonsense"},
    {"-z", "-z: no such option"},
    {"-hz", "-z: no such option"},
    {"--help=me", "--help=me: this option takes no value"},
    {"--json - --trace -",
     "only one of --snapshot, --csv, --json, --trace or --page can be standard output"},
    {"--csv - --trace -",
     "only one of --snapshot, --csv, --json, --trace or --page can be standard output"},
    {"--snapshot - --json -", "only one of --snapshot, --csv, --json, --trace or --page can be"},
    {"--snapshot a.svg --format svg", "--format is for --snapshot -"},
    {"--open r --model m", "neither --model nor a sentence"},
    {"--open r text", "neither --model nor a sentence"},
    {"--open r --causal", "the network can't be changed"},
    {"--open r --unscaled", "the network can't be changed"},
    {"--open r --temperature 2", "the network can't be changed"},
    {"--open r --hide 2", "the network can't be changed"},
    {"--open r --cut 0.0.0.0", "the network can't be changed"},
    {"--open r --off 0.0", "the network can't be changed"},
    {"--open r --uniform 0.0", "the network can't be changed"},
    {"--open r --no-positions", "the network can't be changed"},
    {"--open r --sinusoidal", "the network can't be changed"},
    {"--open r --no-segments", "the network can't be changed"},
    {"--hide", "--hide needs a value"},
    {"--sinusoidal=yes", "takes no value"},
    {"--open r --no-special", "its tokens are fixed"},
    {"--against", "--against needs a value"},
    {"--words=yes", "takes no value"},
    {"--threshold 0", "a weight from 0.001 to 1, or auto, found \"0\""},
    {"--threshold nan", "found \"nan\""},
    {"--detail 13", "a number from -6 to 12"},
    {"--special none", "shown, hidden or rescaled, found \"none\""},
    {"--mean all", "none, heads or layers"},
    {"--metric size", "distance, maximum, effect or moved"},
    {"--side up", "left or right, or of --open encoder, decoder or cross, found \"up\""},
    {"--side cross text", "--side encoder, decoder or cross needs --open FILE, a recording"},
    {"--dimension x", "a number from 0 up"},
    {"--snapshot a.txt --size +80x24", "COLSxROWS"},
    {"--model", "--model needs a value"},
    {"--s a", "--s: not clear which option: --sort, --stage, --select"},
    {"--layr=x", "--layr=x: no such option (did you mean \"--layer\"?)"},
    {"--vew head", "--vew: no such option (did you mean \"--view\"?)"},
    {"--view haed", "compare or corpus, found \"haed\" (did you mean \"head\"?)"},
    {"--theme Dark", "found \"Dark\" (did you mean \"dark\"?)"},
    {"--color ansi --nonsense", "or mono, found \"ansi\""},
    {"--view matrix3",
     "head, neuron, model, matrix, answers, steps, compare or corpus, found \"matrix3\""},
    {"--layer -1", "found \"-1\""},
    {"--layer 99999999999999999999", "--layer"},
    {"--head two", "found \"two\""},
    {"--filter ac", "all, aa, ab, ba or bb"},
    {"--threads 0", "1 to 1024"},
    {"--threads 3x", "3x"},
    {"--theme plaid", "dark, light, contrast, mono or print"},
    {"--color many", "direct, 256, 16 or mono"},
    {"--snapshot a.png", ".txt, .ansi, .svg or .html"},
    {"--snapshot .svg", ".txt, .ansi, .svg or .html"},
    {"--snapshot folder --snapshot a.svg --snapshot folder", "found \"folder\""},
    {"--lesson a --snapshot folder --step 2", "a folder gets every step as it is: --step needs"},
    {"--lesson a --snapshot folder --type q", "a folder gets every step as it is: --type needs"},
    {"--snapshot a.txt --size 80", "COLSxROWS"},
    {"--snapshot a.txt --size 0x10", "COLSxROWS"},
    {"--snapshot a.txt --size 80x24x2", "COLSxROWS"},
    {"--size 80x24", "--snapshot FILE, which is missing"},
    {"--bare", "--bare needs --snapshot FILE.svg, which is missing"},
    {"--bare --snapshot a.html", "--bare needs --snapshot FILE.svg, which is missing"},
    {"--bare --snapshot a.svg --size 80x24", "--size needs --snapshot FILE, and no --bare"},
    {"--width 3in --snapshot a.svg", "--width needs --bare, which is missing"},
    {"--font-size 8pt --snapshot a.svg", "--font-size needs --bare, which is missing"},
    {"--font Times --snapshot a.svg", "--font needs --bare, which is missing"},
    {"--width 3", "--width: expected a length in in, cm, mm or pt, below 1000, such as 3.3in"},
    {"--width nanpt", "a length in in, cm, mm or pt"},
    {"--width -3in", "a length in in, cm, mm or pt"},
    {"--font-size 8px", "a length in in, cm, mm or pt"},
    {"--font a'b", "a typeface's name, such as Helvetica"},
    {"--snapshot a.pdf", "a.svg\" makes a PDF"},
    {"--include query", "--json FILE, which is missing"},
    {"--json - --include query,nonsense", "found \"nonsense\""},
    {"--json - --include query,", "found \"\""},
    {"--json - --include effect",
     "lens, effects, metrics, maps or words, found \"effect\" (did you mean \"effects\"?)"},
    {"--json - --include predictions", "expected weights, scores, query, key, value, hidden, all"},
    {"--csv - --answer cat", "--answer needs --json FILE, which is missing"},
    {"--trace t --top 3",
     "--top needs --csv, --json, --page or --find-like FILE, which is missing"},
    {"--json - --top 0", "--top: expected a number from 1 up, found \"0\""},
    {"--json - --top all", "--top: expected a number from 1 up, found \"all\""},
    {"--sample 3", "--sample needs --texts FILE, which is missing"},
    {"--columns a --open r", "--columns needs --texts FILE, which is missing"},
    {"--texts x --columns a,b,c",
     "--columns: expected a column's name, or two with a comma between for pairs, found \"a,b,c\""},
    {"--texts x --columns a,", "--columns: expected a column's name"},
    {"--texts x --columns ,a", "--columns: expected a column's name"},
    {"--shard 0/2 --json -", "--shard needs --texts FILE, which is missing"},
    {"--texts x --seed 3", "--seed needs --sample N or --shard I/N, which is missing"},
    {"--texts x --sample 0", "--sample: expected a number from 1 up, found \"0\""},
    {"--texts x --shard 2/2", "--shard: expected I/N, the I-th part of N, from 0, such as 0/4"},
    {"--texts x --shard 2", "found \"2\""},
    {"--texts x --shard 111111111111/2", "--shard: expected I/N"},
    {"--texts x --stride -1", "--stride: expected a number from 0 up"},
    {"--truncate text", "--truncate needs --texts FILE, which is missing"},
    {"--texts x --truncate",
     "--truncate needs --json, --page, --survey or --index FILE, which is missing"},
    {"--texts x --stride 3",
     "--stride needs --json, --page, --survey or --index FILE, which is missing"},
    {"--texts x --strict",
     "--strict needs --json, --page, --survey or --index FILE, which is missing"},
    {"--texts x --json a --snapshot b.svg", "--snapshot is of one text, --json of all of --texts"},
    {"--texts x text", "--texts brings its own sentences: it takes none"},
    {"--texts x --open r", "--texts brings its own sentences: it takes no --open"},
    {"--texts x --json - --truncate --stride 1",
     "--truncate leaves out what --stride makes windows of"},
    {"--texts x --csv -", "--csv is of one text: of --texts there is --json"},
    {"--texts x --trace t", "--trace is of one text: of --texts there is --json"},
    {"--merge --page a x", "--merge needs --output, --json or --csv FILE, which is missing"},
    {"--layers 3 text", "--layers needs --page or --index FILE, which is missing"},
    {"--texts x --page a --json b", "--page of --texts can't be combined with --json"},
    {"--texts x --page a --snapshot b.svg", "--snapshot is of one text"},
    {"--lesson a --page b --trace c", "it can't be combined with --trace"},
    {"--page --json a", "--page: expected a file's name, found \"--json\""},
    {"--json my_sentence",
     "--json: expected a file's name, found \"my sentence\", which reads like"},
    {"--page and_another.", "--page: expected a file's name, found \"and another.\""},
    {"--trace U.S._law", "--trace: expected a file's name, found \"U.S. law\""},
    {"--snapshot it_moves", "--snapshot: expected a file's name, found \"it moves\""},
    {"--record it_moves --type q", "--record: expected a file's name, found \"it moves\""},
    {"--texts x --survey my_survey", "--survey: expected a file's name, found \"my survey\""},
    {"--merge a --output my_survey", "--output: expected a file's name, found \"my survey\""},
    {"--json x --csv x", "x: expected a file for each format, found two formats for one"},
    {"--json x --csv ./x", "x: expected a file for each format, found two formats for one"},
    {"--json tests/x --csv tests/vectors/../x", "tests/x: expected a file for each"},
    {"--texts x --survey a --json ./a", "./a: expected a file for each format"},
    {"--texts x --survey x", "x: expected another file to write than the one that is read"},
    {"--texts x --page ./x", "./x: expected another file to write than the one that is read"},
    {"--open x --trace x", "x: expected another file to write than the one that is read"},
    {"--texts x --survey -", "--survey: expected a file's name, as standard output takes none"},
    {"--texts x --index - --layers 1", "--index: expected a file's name, as standard output"},
    {"--merge a --output -", "--output: expected a file's name, as standard output takes none"},
    {"--trace x --snapshot x.svg --csv x", "x: expected a file for each format"},
    {"a b c", "found 3: put each in quotes"},
    {"--json --include metrics", "--json: expected a file's name, found \"--include\""},
    {"--json --include metrics", "a file of that name is ./--include"},
    {"--csv -1", "a file of that name is ./-1"},
    {"--trace --csv -", "--trace: expected a file's name, found \"--csv\""},
    {"--snapshot --x.svg", "a file of that name is ./--x.svg"},
    {"--snapshot=-x.svg", "a file of that name is ./-x.svg"},
    {"--lesson a --snapshot --size 80x24", "--snapshot: expected a file's name"},
    {"--metric effect --csv -", "--metric needs --view model, which is missing"},
    {"--view matrix --stage q --snapshot a.svg", "--stage needs --view steps, which is missing"},
    {"--without masked --csv -", "--without needs --view answers, which is missing"},
    {"--corpus relations --csv -", "--corpus needs --view corpus, which is missing"},
    {"--words --view steps --csv -", "--words needs --view head, model or matrix, which is"},
    {"--corpus-figure effect --json -", "--corpus-figure needs --snapshot or --csv FILE, which"},
    {"--set rank=3 --json -", "--rank needs --snapshot or --csv FILE, which is missing"},
    {"--texts x --survey a --layer 3", "--layer needs --snapshot, --csv or --page FILE, which"},
    {"--texts x --json - --type q", "--type needs --snapshot, --csv or --trace FILE, which is"},
    {"--merge a -o b --off 1.1", "--merge can't be combined with --off"},
    {"--state --type q", "--state: expected a file's name, found \"--type\""},
};

TEST(wrong_usage_is_named, .times = COUNT(wrong))
{
    ck_assert_int_eq(parse(wrong[_i].line), STATUS_USAGE);
    ck_assert_msg(strstr(error.message, wrong[_i].part) != NULL, "expected \"%s\" in \"%s\"",
                  wrong[_i].part, error.message);
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
    {"--json a", READ_JSON | READ_ONE},
    {"--trace a", READ_TRACE | READ_ONE},
    {"--page a", READ_PAGE | READ_ONE},
    {"--json a --snapshot b.svg", READ_JSON | READ_SCREEN | READ_ONE},
    {"--texts t", READ_SCREEN | READ_ONE},
    {"--texts t --json a", READ_JSON | READ_MANY},
    {"--texts t --page a", READ_PAGE | READ_MANY},
    {"--texts t --survey a", READ_SURVEY | READ_MANY},
    {"--texts t --survey a --json b --csv c", READ_SURVEY | READ_MANY},
    {"--texts t --index a --layers 1", READ_INDEX | READ_MANY},
    {"--open a --find-like 1:a#a --json b", READ_FOUND},
    {"--merge a --output b --csv c", READ_MERGED},
};

/* Options that make another run of it, print what they name, or may stand beside anything. */
static bool is_a_run(const struct option_info *option)
{
    return option->group == GROUP_TERMINAL ||
           strstr(" models lessons schema snapshot record set ", option->name);
}

/* Of each option of the look a value, in a view that shows it, and what it needs besides. NULL: it
 * only restores a screen, or needs another model. */
static const struct {
    const char *name, *value, *view, *with;
} samples[] = {
    {"view", "model", NULL, ""},
    {"layer", "2", "head", ""},
    {"special", "hidden", "head", ""},
    {"words", NULL, "head", ""},
    {"filter", "ab", "head", ""},
    {"heads", "1,2", "head", ""},
    {"head", "2", "head", ""},
    {"others", "1", NULL, NULL},
    {"mean", "heads", "head", ""},
    {"threshold", "0.3", "head", ""},
    {"detail", "3", "head", ""},
    {"map", "norms", "matrix", ""},
    {"list", NULL, "head", ""},
    {"metric", "entropy", "model", ""},
    {"without", "masked", "answers", ""},
    {"sort", NULL, "model", "--metric entropy"},
    {"answers", "words", NULL, NULL},
    {"dimension", "3", "neuron", ""},
    {"scale", "largest", "neuron", ""},
    {"bands", "values", NULL, NULL},
    {"stage", "q", "steps", ""},
    {"number", "3", "steps", "--stage q"},
    {"corpus", "relations", "corpus", ""},
    {"corpus-figure", "next", "corpus", "--corpus sorted"},
    {"corpus-axis", "next", "corpus", "--corpus scatter"},
    {"corpus-card", "reach", "corpus", ""},
    {"select", "cat", "compare", ""},
    {"attended", "cat", "compare", ""},
    {"side", "right", NULL, NULL},
    {"find", "cat", "head", ""},
    {"rank", NULL, "head", "--select cat --attended sat"},
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

/* Others, such as --width, which needs --bare, have rules of their own. */
static bool has_no_other_rule(const struct option_info *option)
{
    const enum state_field field = field_of_option(option->name);
    return (field < FIELD_COUNT && field_info(field)->group <= GROUP_NETWORK) ||
           strstr(" answer include top type each-head resume threads ", option->name);
}

TEST(what_nothing_reads_is_refused_and_what_is_read_is_taken, .times = COUNT(runs))
{
    const struct option_info *option;
    char line[200], name[64];
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (is_a_run(option))
            continue;
        snprintf(name, sizeof name, "--%s", option->name);
        snprintf(line, sizeof line, "%s %s %s", runs[_i].line, name,
                 option->argument ? value_of(option) : "");
        const enum status status = parse(line);
        if (!(option_reads(option) & runs[_i].reads))
            ck_assert_msg(status == STATUS_USAGE && strstr(error.message, name), "%s: %s", line,
                          status == STATUS_OK ? "taken" : error.message);
        else if (has_no_other_rule(option))
            ck_assert_msg(status == STATUS_OK || strstr(error.message, "needs --view "), "%s: %s",
                          line, error.message);
    }
}

/* Pictures and tables of every view take what it shows, and nothing else of the look. */
TEST(a_view_takes_what_it_shows, .times = VIEW_COUNT)
{
    const struct option_info *option;
    const char *view = view_name((enum view_kind)_i);
    char line[200];
    for (size_t i = 0; (option = option_at(i)); i++) {
        const enum state_field field = field_of_option(option->name);
        if (field == FIELD_COUNT || !field_is_look(field) || field == FIELD_VIEW)
            continue;
        for (int csv = 0; csv < 2; csv++) {
            const bool taken = field_is_shown(field, (enum view_kind)_i, !csv) &&
                               (!csv || option_reads(option) & READ_CSV);
            snprintf(line, sizeof line, "--view %s %s --%s %s", view,
                     csv ? "--csv a" : "--snapshot a.svg", option->name,
                     option->argument ? value_of(option) : "");
            ck_assert_msg((parse(line) == STATUS_OK) == taken, "%s: %s", line,
                          taken ? error.message : "taken");
        }
        snprintf(line, sizeof line, "--view %s --%s %s", view, option->name,
                 option->argument ? value_of(option) : "");
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
    const char *view = viewed ? samples[sample].view : NULL, *value = samples[sample].value;
    char *path = in_folder(&folder, "out.svg"), *text = NULL;
    size_t count = 6, room = 0;
    snprintf(words, sizeof words, "%s %s %s %s %s %s%s %s", kind, path, samples[sample].with,
             view ? "--view" : "", view ? view : "", with ? "--" : "",
             with ? samples[sample].name : "", with && value ? value : "");
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
                 {"--include effects,words --json", READ_JSON},
                 {"--page", READ_PAGE}};
    const struct option_info *option;
    folder_make(&folder);
    for (size_t i = 0; (option = option_at(i)); i++) {
        const enum state_field field = field_of_option(option->name);
        const size_t sample = sample_of(option);
        if (field == FIELD_COUNT || !field_is_look(field) || option_stays(option))
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

TEST(help_names_every_view)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    options_write_help(stream, false);
    fclose(stream);
    const char *line = strstr(text, "--view NAME");
    ck_assert_ptr_nonnull(line);
    for (int i = 0; i < VIEW_COUNT; i++) {
        const char *name = strstr(line, view_name((enum view_kind)i));
        ck_assert_msg(name && name < strchr(line, '\n'), "%s", view_name((enum view_kind)i));
    }
    free(text);
}

/* Each option stands below the title of its group, and the groups are in the order of the table. */
TEST(help_is_in_groups)
{
    char *text = NULL, line[64];
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const struct option_info *option;
    options_write_help(stream, false);
    fclose(stream);
    const char *at = text;
    enum field_group group = GROUP_COUNT;
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        if (option->group != group) {
            ck_assert(i == 0 ? option->group == GROUP_SHOW : option->group == group + 1);
            group = option->group;
            snprintf(line, sizeof line, "\n\n%s:\n", field_group_title(group));
            at = strstr(at, line);
            ck_assert_msg(at != NULL, "no group %s", field_group_title(group));
        }
        snprintf(line, sizeof line, "\n  --%s ", option->name);
        at = strstr(at, line);
        ck_assert_msg(at != NULL, "--%s is not in %s", option->name, field_group_title(group));
    }
    ck_assert_int_eq(group, GROUP_TERMINAL);
    free(text);
}

static enum status parse_value(const struct option_info *option, const char *value)
{
    char program[] = "headlight", name[64], text[64];
    char *argv[] = {program, name, text, NULL};
    snprintf(name, sizeof name, "--%s", option->name);
    snprintf(text, sizeof text, "%s", value);
    return options_parse(&options, NULL, 3, argv, &error);
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
