/* options.c: parses the command line with getopt_long, and checks which options go together. */
#include "headlight/app/options.h"

#include "headlight/base/nearest.h"
#include "headlight/session/state_file.h"
#include "headlight/survey/survey_file.h"

#include <getopt.h>
#include <unistd.h>

/* The needs of all files together: one pass serves them all. */
unsigned options_needs(const struct options *options)
{
    unsigned needs = 0;
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (options->files[i])
            needs |= formats[i].needs;
    return needs;
}

/* Such options need a model, as does what goes on with a text: none is for a recording. */
bool options_change_network(const struct options *options)
{
    bool changed = options->generate > 0 || options->values[FIELD_GENERATED];
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        changed |= options->values[field] && field_is_network(field);
    return changed;
}

/* Only one file can be standard output. One that is written twice would have what came last, one
 * that is read would be lost. */
static enum status check_files(const struct options *options, struct error *error)
{
    const char *written[1 + FORMAT_COUNT],
        *read[] = {options->corpus, options->open, options->against, options->state,
                   options->config};
    int outputs = 0;
    written[0] = options->command == COMMAND_RUN ? NULL : options->output;
    memcpy(written + 1, options->files, sizeof options->files);
    for (size_t i = 0; i < LENGTH(written); i++) {
        const char *file = written[i];
        bool lost = false;
        outputs += file && strcmp(file, "-") == 0;
        if (!file || strcmp(file, "-") == 0)
            continue;
        for (size_t j = 0; j < LENGTH(read); j++)
            lost |= read[j] && file_is_same(file, read[j]);
        for (size_t j = 0; j < options->path_count; j++)
            lost |= file_is_same(file, options->paths[j]);
        if (lost)
            return error_usage(
                error, "%s: expected another file to write than the one that is read", file);
        for (size_t j = 0; j < i; j++)
            if (written[j] && file_is_same(file, written[j]))
                return error_usage(
                    error, "%s: expected a file for each format, found two formats for one", file);
    }
    return outputs <= 1 ? STATUS_OK : error_usage(error, "only one file can be standard output, -");
}

bool options_gave(const struct options *options, const char *name)
{
    return options->given[option_named(name) - option_at(0)];
}

bool options_show_texts(const struct options *options)
{
    return options->corpus && options->command == COMMAND_SHOW && !options->files[FORMAT_PAGE];
}

bool options_write_survey(const struct options *options)
{
    const bool view = options->values[FIELD_CORPUS] && !options->files[FORMAT_JSON];
    return options->open && options_needs(options) & FORMAT_NUMBERS &&
           !options->files[FORMAT_PAGE] && !view && survey_is(options->open, "survey");
}

/* What it writes or shows: READ_ bits. */
static unsigned reads_of(const struct options *options)
{
    if (options->command != COMMAND_SHOW)
        return commands[options->command].reads;
    if (options_write_survey(options))
        return READ_OPENED;
    /* a page of many texts, or of the steps of a lesson, has no screen */
    unsigned reads = options->lesson && options->files[FORMAT_PAGE]    ? 0
                     : options->corpus && !options_show_texts(options) ? READ_MANY
                                                                       : READ_ONE;
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (options->files[i])
            reads |= i <= FORMAT_PAGE   ? (unsigned)READ_CSV << i
                     : reads & READ_ONE ? READ_SCREEN
                                        : 0;
    const bool screen = reads & READ_ONE && (options->record || !options_needs(options));
    return screen ? reads | READ_SCREEN : reads;
}

/* What some options belong to, or can't be combined with: --head names its layer, and a figure's
 * size is that of its contents. */
static enum status check_needs(const struct options *options, struct error *error)
{
    static const char *const pairs[][2] = {
        {"head", "layer"},   {"size", "bare"},     {"truncate", "stride"}, {"include", "links"},
        {"site", "links"},   {"against", "links"}, {"answers", "links"},   {"limit", "links"},
        {"select", "links"}, {"without", "links"}};
    static const char texts[] = "a file of texts", words[] = "--include words",
                      weights[] = "--include weights, for the JSON";
    const unsigned needs = options_needs(options), reads = reads_of(options);
    const char *const *values = options->values, *const *files = options->files;
    const unsigned include = (reads & READ_MODEL) == READ_JSON && !options->state && !options->type
                                 ? options->out.include
                                 : UINT_MAX;
    const bool corpus = options->corpus, ansi = files[FORMAT_ANSI], svg = files[FORMAT_SVG],
               picture = needs & FORMAT_PICTURE, drawn = picture && !options->record,
               alone = values[FIELD_HEAD] || !options_gave(options, "head");
    const struct {
        const char *name, *of;
        bool has;
    } rows[] = {
        {"heads", "one head in --head L.H", alone},
        {"head", "one head, L.H, for the JSON", alone || !(reads & READ_JSON)},
        {"links", "run TEXTS", options->command == COMMAND_RUN},
        {"columns", texts, corpus},
        {"sample", texts, corpus},
        {"shard", texts, corpus},
        {"asked", "--site encoder",
         options->state || options->type ||
             (values[FIELD_SITE] &&
              strcmp(values[FIELD_SITE], site_words[SITE_ENCODER].name) == 0)},
        {"seed", "--sample N, --shard I/N or --draw X",
         options->choice.sample || options->choice.parts > 1 || options->sampling.temperature > 0},
        {"include", "another --without than none",
         !(options->out.include & INCLUDE_WORDS) || !values[FIELD_WITHOUT] ||
             strcmp(values[FIELD_WITHOUT], "none") != 0},
        {"layer", weights, include & (INCLUDE_ALL | INCLUDE_METRICS)},
        {"head", weights, include & (INCLUDE_ALL | INCLUDE_METRICS)},
        {"without", words, include & INCLUDE_WORDS},
        {"attended", words, include & INCLUDE_WORDS},
        {"asked", "--include effects or words", include & (INCLUDE_EFFECTS | INCLUDE_WORDS)},
        {"color", "a terminal, or a picture in .ansi", !drawn || ansi},
        {"theme", "a picture in colours, .ansi or .svg", !drawn || ansi || svg},
        {"no-mouse", "a terminal", !drawn},
        {"bare", "--snapshot FILE.svg", svg},
        {"record", "--type KEYS to write to standard output",
         options->type || !options->record || strcmp(options->record, "-") != 0},
        {"size", "--snapshot FILE", options->record || picture},
    };
    const struct command_info *command = &commands[options->command];
    const struct option_info *option;
    for (size_t i = 0; i < LENGTH(pairs); i++)
        if (options_gave(options, pairs[i][0]) && options_gave(options, pairs[i][1]))
            return error_usage(error, "--%s can't be combined with --%s", pairs[i][0], pairs[i][1]);
    if (options->command == COMMAND_MERGE && !options->output && !files[FORMAT_JSON] &&
        !files[FORMAT_CSV])
        return error_usage(error, "merge needs -o, --json or --csv FILE, which is missing");
    for (size_t i = 0; options->command != COMMAND_MERGE && (option = option_at(i)); i++) {
        char name[40] = "-o FILE";
        if (!option->letter)
            format_cut(name, sizeof name, "--%s %s", option->name, option->argument);
        if (!options->given[i] && option->argument && strstr(command->words, name))
            return error_usage(error, "%s needs %s, which is missing", command->name, name);
    }
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (options_gave(options, rows[i].name) && !rows[i].has)
            return error_usage(error, "%s%s needs %s, which is missing",
                               option_dashes(rows[i].name), rows[i].name, rows[i].of);
    for (size_t i = 0; (option = option_at(i)); i++) {
        const struct option_info *other = option_needed(option);
        if (options->given[i] && other && !options_gave(options, other->name))
            return error_usage(error, "%s%s needs --%s%s%s, which is missing",
                               option_dashes(option->name), option->name, other->name,
                               other->argument ? " " : "", other->argument ? other->argument : "");
    }
    return STATUS_OK;
}

/* Says what would read the option. */
static enum status refuse_unread(const char *name, unsigned reads, const struct options *options,
                                 struct error *error)
{
    static const char *const files[] = {"--snapshot", "--csv", "--json", "--trace", "--html"};
    const bool shows = options->command == COMMAND_SHOW;
    const enum state_field field = field_named(name);
    const bool rows =
        field == FIELD_VIEW || (field < FIELD_COUNT && field_info(field)->shown == SHOWN_SURVEY &&
                                reads & READ_CSV); /* of a survey's view */
    struct nearest names = nearest_to("");
    if (reads_of(options) == READ_OPENED)
        return error_usage(error,
                           !rows ? "%s%s can't be combined with the --csv or --json of a survey"
                           : options->files[FORMAT_JSON]
                               ? "%s%s can't be combined with --json, which has all of a survey"
                               : "%s%s needs --corpus HOW: without it --csv has all of a survey",
                           option_dashes(name), name);
    if (shows && options->files[FORMAT_PAGE] && !(reads_of(options) & READ_ONE))
        return error_usage(error,
                           "%s%s can't be combined with --html of a file of texts or a lesson, "
                           "which has no screen",
                           option_dashes(name), name);
    if (!shows && reads & (READ_ONE | READ_SCREEN | READ_CSV | READ_TRACE | READ_PAGE))
        nearest_offer(&names, "headlight TEXT");
    for (size_t i = 0; shows && i < LENGTH(files); i++)
        if (reads & 1u << i)
            nearest_offer(&names, files[i]);
    if (shows && reads & READ_SCREEN)
        nearest_offer(&names, "--format");
    for (enum command command = COMMAND_SHOW + 1; command < COMMAND_MODELS; command++)
        if (reads & commands[command].reads)
            nearest_offer(&names, commands[command].name);
    return shows ? error_usage(error, "%s%s works only with %s", option_dashes(name), name,
                               nearest_names(&names))
                 : error_usage(error, "%s doesn't take %s%s, which is for %s",
                               commands[options->command].name, option_dashes(name), name,
                               nearest_names(&names));
}

/* Keys, a state or a lesson may go to another view; so may who sits before the screen. */
enum status options_check_view(const struct options *options, struct error *error)
{
    char views[120];
    const unsigned reads = reads_of(options);
    const char *name = options->values[FIELD_VIEW];
    enum view_kind view = survey_is(options->open, "survey") ? VIEW_CORPUS : VIEW_HEAD;
    for (view = name ? 0 : view; name && view < VIEW_COUNT && strcmp(name, view_name(view)) != 0;)
        view++;
    if (options->type || options->state || options->lesson || view == VIEW_COUNT)
        return STATUS_OK;
    const char *map = options->values[FIELD_MAP], *metric = options->values[FIELD_METRIC];
    const bool differs = map && strcmp(map, "difference") == 0,
               moved = metric && strcmp(metric, "moved") == 0,
               effect = metric && strcmp(metric, "effect") == 0;
    if (options->against && !differs && reads & READ_PAGE && !(reads & READ_SCREEN))
        return error_usage(error, "--against needs --map difference, for a page");
    if (options->against && reads & (READ_CSV | READ_SCREEN) && view != VIEW_COMPARE && !differs &&
        !moved)
        return error_usage(error,
                           "--against needs --view compare, --map difference or --metric moved, "
                           "which is missing");
    if ((options->out.top || (options->out.answer && !effect)) &&
        (reads & READ_MODEL) == READ_CSV && view != VIEW_ANSWERS)
        return error_usage(error, "--%s needs --view answers, which is missing",
                           options->out.top ? "limit" : "ask");
    if (reads & (READ_SCREEN | READ_CSV) && view_at(view)->heads == HEADS_CURSOR &&
        options_gave(options, "head") && !options->values[FIELD_HEAD] &&
        !options->values[FIELD_MEAN])
        return error_usage(error, "--head: the view %s shows one head, such as 3.2",
                           view_name(view));
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        const struct field_info *info = field_info(field);
        const bool survey =
            view == VIEW_CORPUS && !(reads & READ_SCREEN) && !info->shown && field_is_look(field);
        if (!options->values[field] || field == FIELD_VIEW ||
            (!survey && field_is_shown(field, view, reads & READ_SCREEN)) ||
            info->reads & reads & ~(unsigned)READ_CSV)
            continue;
        if (survey)
            return error_usage(error,
                               "%s%s can't be combined with --csv of the view corpus, which has "
                               "all heads and no text",
                               option_dashes(info->name), info->name);
        view_list(info->shown, ACTION_COUNT, views, sizeof views);
        return error_usage(error, "%s%s needs --view %s: the view %s doesn't show it",
                           option_dashes(info->name), info->name, views, view_name(view));
    }
    return STATUS_OK;
}

/* Each step of a lesson sets the sentences and the view, so options that set them too would be lost
 * at the first step. */
static enum status check_lesson(const struct options *options, struct error *error)
{
    const char *beside = options->state ? "state" : options->against ? "against" : NULL;
    if (!options->lesson)
        return STATUS_OK;
    if (options->text_count > 0 || options->corpus || options->open)
        return error_usage(error,
                           "--lesson brings its own sentences: it takes none, and e edits them");
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (options->values[field] && field_info(field)->reach != REACH_USER)
            beside = field_info(field)->name;
    for (enum format format = 0; format < FORMAT_COUNT; format++)
        if (options->files[format] && format != FORMAT_PAGE &&
            !(formats[format].needs & FORMAT_PICTURE))
            beside = formats[format].name;
    return beside ? error_usage(error,
                                "--lesson chooses what is shown: it can't be combined with --%s",
                                beside)
                  : STATUS_OK;
}

/* Which options can't be combined. This is checked once all have been read, so that their order
 * doesn't matter. */
static enum status check_together(const struct options *options, struct error *error)
{
    if (check_lesson(options, error) != STATUS_OK || check_needs(options, error) != STATUS_OK)
        return error->status;
    for (unsigned i = 0; options->corpus && options->command == COMMAND_SHOW && i < FORMAT_COUNT;
         i++)
        if (options->files[i] && i != FORMAT_PAGE && formats[i].needs & FORMAT_NUMBERS)
            return error_usage(
                error,
                "--%s is of one text: \"headlight run %s%s%s\" writes a line of JSON "
                "for each",
                formats[i].name, options->corpus, options->model ? " --model " : "",
                options->model ? options->model : "");
    /* an option that nothing reads would do nothing */
    const unsigned reads = reads_of(options);
    const struct option_info *option;
    for (size_t i = 0; (option = option_at(i)); i++)
        if (options->given[i] && !(option_reads(option) & reads))
            return refuse_unread(option->name, option_reads(option), options, error);
    if (check_files(options, error) != STATUS_OK ||
        (options_needs(options) & (FORMAT_PICTURE | FORMAT_SHOWN) &&
         options_check_view(options, error) != STATUS_OK))
        return error->status;
    const char *open = options->command == COMMAND_SHOW ? options->open : NULL;
    const bool survey = survey_is(open, "survey"), index = survey_is(open, "index"),
               network = options_change_network(options);
    if (survey && options->files[FORMAT_PAGE] &&
        (options->files[FORMAT_JSON] || options->files[FORMAT_CSV]))
        return error_usage(error, "--html of a survey can't be combined with --json or --csv");
    if ((survey || index) && options->against)
        return error_usage(
            error, "--against compares models, or recordings: \"headlight survey TEXTS -o FILE "
                   "--against NAME\" compares two models over many texts");
    if (survey && network)
        return error_usage(error,
                           "%s: expected no change of the network, without which its numbers were "
                           "made: \"headlight survey TEXTS -o FILE\" with that option makes others",
                           open);
    const char *why =
        options->model || options->text_count > 0 ? "it takes neither --model nor a sentence"
        : network || options->values[FIELD_MASK] || options->search.beams > 0
            ? "the network can't be changed"
        : options->values[FIELD_RAW_TEXT] ? "its tokens are fixed; --special hidden hides some"
                                          : NULL;
    return open && !index && (!survey || options_write_survey(options)) && why
               ? error_usage(error, "%s %s: %s", open,
                             survey ? "is written without a model" : "shows what was recorded", why)
               : STATUS_OK;
}

/* Codes of options for getopt: above all characters, in the order of option_at. */
#define OPTION_CODES 0x100

/* No option, or a beginning of several. optopt is the letter of a short one, or the code of a long
 * one given a value it doesn't take. */
static enum status bad_option(const char *argument, struct error *error)
{
    const struct option_info *option;
    char given[NEAREST_LETTERS + 1], name[NEAREST_LETTERS + 1];
    if (optopt >= OPTION_CODES)
        return error_usage(error, "%s: this option takes no value", argument);
    if (optopt > 0)
        return error_usage(error, "-%c: no such option", optopt);
    format_cut(given, sizeof given, "%.*s", (int)strcspn(argument, "="), argument);
    option = option_named(given + strspn(given, "-"));
    if (option && !option->dashes)
        return error_usage(error, "%s: no such option: it is given as --set %s=%s", given,
                           option->name, option->argument);
    struct nearest nearest = nearest_to(given), several = nearest_to("");
    for (size_t i = 0; (option = option_at(i)); i++) {
        format_cut(name, sizeof name, "%s%s", option_dashes(option->name), option->name);
        nearest_offer(&nearest, name);
        if (strncmp(name, given, strlen(given)) == 0)
            nearest_offer(&several, name);
    }
    if (*several.names)
        return error_usage(error, "%s: not clear which option: %s", given, nearest_names(&several));
    error_write(error, STATUS_USAGE, "%s: no such option", argument);
    return nearest_suggest(&nearest, error);
}

/* The words of a command. */
static enum status take_words(struct options *options, char **words, size_t count,
                              struct error *error)
{
    const char *expected = commands[options->command].words;
    const bool piped = commands[options->command].reads & READ_MANY && !isatty(STDIN_FILENO),
               any = !*expected || *expected == '[' || piped, many = strstr(expected, "...");
    const char *name = commands[options->command].name;
    const int length = (int)strcspn(expected, " ");
    if (count == 0 && !any)
        return error_usage(error, "%s needs %.*s; if \"%s\" is a text, write: headlight -- %s",
                           name, length, expected, name, name);
    if ((count > 0 && !*expected) || (count > 1 && !many))
        return error_usage(error, "%s takes %s%.*s: %s is one too many", name,
                           *expected ? "one " : "no words", length, expected, words[count - 1]);
    switch (options->command) {
    case COMMAND_HELP:
        options->topic = count > 0 ? words[0] : NULL;
        break;
    case COMMAND_FIND:
        options->open = words[0];
        options->paths = words + 1;
        options->path_count = count - 1;
        break;
    case COMMAND_MERGE:
        options->paths = words;
        options->path_count = count;
        break;
    default:
        options->corpus = count > 0 ? words[0] : piped ? "-" : NULL;
    }
    if (options->command == COMMAND_RUN)
        options->files[FORMAT_JSON] = options->output ? options->output : "-";
    return STATUS_OK;
}

/* What a word is, if it is a file's name: by what is in it or its ending; texts where neither tells
 * but its folder is named. */
static const char **place_of_file(struct options *options, const char *word)
{
    const struct {
        const char *ending, **place;
    } kinds[] = {{".txt", &options->corpus},       {".jsonl", &options->corpus},
                 {".csv", &options->corpus},       {".tsv", &options->corpus},
                 {".conllu", &options->corpus},    {".fasta", &options->corpus},
                 {".survey", &options->open},      {".index", &options->open},
                 {".safetensors", &options->open}, {".json", &options->state}};
    const char *ending = strrchr(word, '.');
    struct safetensors *tensors = NULL;
    struct saved_state state = {0};
    struct error error;
    const bool opens = safetensors_open(word, &tensors, &error) == STATUS_OK;
    safetensors_free(tensors);
    if (opens) /* a recording, a survey or an index */
        return &options->open;
    for (size_t i = 0; ending && i < LENGTH(kinds); i++)
        if (strcmp(ending, kinds[i].ending) == 0)
            return kinds[i].place;
    const bool restores = state_file_read(word, &state, &error) == STATUS_OK;
    state_file_free(&state);
    if (restores)
        return &options->state;
    return strchr(word, '/') && file_exists(word) ? &options->corpus : NULL;
}

/* One or two texts, or a file to show. A word is meant as a file's name, even if there is none, by
 * its ending, or as ./it, ../it or /it. */
static enum status take_texts(struct options *options, char **words, size_t count, bool plain,
                              struct error *error)
{
    const char **place = plain || count == 0 ? NULL : place_of_file(options, words[0]);
    const bool there = place && file_exists(words[0]);
    enum format format;
    for (size_t i = 0; i < count && i < 2 && !plain; i++)
        if (!strchr(words[i], ' ') &&
            (place_of_file(options, words[i]) || format_of_picture(words[i], &format) ||
             words[i][strspn(words[i], ".")] == '/') &&
            !file_exists(words[i]))
            return error_usage(error, "%s: no such file; if it is a text, write: headlight -- %s",
                               words[i], words[i]);
    if (count > 0 && !plain && file_is_folder(words[0]))
        return error_set(error, STATUS_IO,
                         "%s: expected a text or a file, found a folder; a model's is opened by "
                         "--model %s; if it is a text, write: headlight -- %s",
                         words[0], words[0], words[0]);
    if (count > 0 && !plain && !place && file_exists(words[0]))
        return error_usage(error,
                           "%s: expected texts, a recording, a survey, an index or a state, found "
                           "another file; if it is one of texts, write: headlight ./%s",
                           words[0], words[0]);
    if (there) {
        *place = *words++;
        count--;
    }
    const char *last = count > 0 && !plain ? words[count - 1] : "";
    const bool another = (there || count == 2) && place_of_file(options, last) && file_exists(last);
    if (there && another)
        return error_usage(error, "expected one file, found %s and %s", *place, last);
    if (count > 0 && options->corpus)
        return error_usage(error, "%s has its own texts: expected no other, found %zu",
                           options->corpus, count);
    if (count > 2 || another) {
        struct nearest nearest = nearest_to(words[0]);
        for (enum command command = COMMAND_SHOW + 1; command < COMMAND_VERSION; command++)
            nearest_offer(&nearest, commands[command].name);
        if (count == 2)
            error_write(error, STATUS_USAGE, "expected a command before %s, found \"%s\"", words[1],
                        words[0]);
        else
            error_write(error, STATUS_USAGE,
                        "expected one or two texts, found %zu: put each in quotes", count);
        return nearest_suggest(&nearest, error);
    }
    for (size_t i = 0; i < count; i++)
        options->texts[options->text_count++] = words[i];
    return STATUS_OK;
}

/* getopt_long moves words behind the options, so they may stand anywhere. Behind "--" all are
 * texts. A picture goes to standard output by "--snapshot -", or --format alone, which stands for
 * the ending that a file's name would have. */
enum status options_parse(struct options *options, int argc, char **argv, struct error *error)
{
    struct option names[OPTIONS_MAX + 1] = {{0}};
    const struct option_info *option;
    int code;
    for (size_t i = 0, count = 0; (option = option_at(i)); i++)
        if (option->dashes)
            names[count++] = (struct option){option->name, option->argument != NULL, NULL,
                                             OPTION_CODES + (int)i};
    *options = (struct options){.paper = {.width = 3.3 * 72, .font_size = 8}};
    if (argc == 3 && strcmp(argv[1], "help") == 0) { /* "--off", which isn't given here */
        options->command = COMMAND_HELP;
        options->topic = argv[2];
        return STATUS_OK;
    }
    opterr = 0;
    optind = 0; /* restarts the scan, wherever an earlier one stopped */
    while ((code = getopt_long(argc, argv, ":hVo:", names, NULL)) != -1) {
        if (code == ':')
            return error_usage(error, "%s needs a value", argv[optind - 1]);
        if (code == '?')
            return bad_option(argv[optind - 1], error);
        size_t place = code < OPTION_CODES ? 0 : (size_t)(code - OPTION_CODES);
        while (code < OPTION_CODES && option_at(place)->letter != code)
            place++;
        option = option_at(place);
        if (option_check_again(option, options->given, error) != STATUS_OK ||
            option_take(option, optarg, options, error) != STATUS_OK)
            return error->status;
        options->given[place] = true;
    }
    char **words = argv + optind;
    size_t count = (size_t)(argc - optind);
    const bool plain = optind > 1 && strcmp(argv[optind - 1], "--") == 0;
    const enum command command = plain || count == 0 ? COMMAND_COUNT : command_named(words[0]);
    if (command < COMMAND_COUNT && options->command == COMMAND_SHOW) {
        options->command = command;
        words++;
        count--;
    }
    if ((options->command == COMMAND_SHOW ? take_texts(options, words, count, plain, error)
                                          : take_words(options, words, count, error)) != STATUS_OK)
        return error->status;
    const bool format = options_gave(options, "format");
    if (format && options_needs(options) & FORMAT_PICTURE)
        return error_usage(error, "--format is for --snapshot -: a file's name ends in its format");
    if (format || options->picture)
        options->files[FORMAT_TXT + options->format] = "-";
    if (check_together(options, error) != STATUS_OK)
        return error->status;
    options->choice.parts += options->choice.parts == 0; /* the whole is one part */
    return STATUS_OK;
}
