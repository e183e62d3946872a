#include "headlight/app/manual.h"

#include "headlight/app/options_table.h"
#include "headlight/app/roff.h"
#include "headlight/lens/map.h"
#include "headlight/lens/metrics.h"
#include "headlight/lesson/lessons.h"
#include "headlight/view/views.h"

#include <string.h>

/* ---- What no table of the program has; texts have marks (text/marks.h) ---- */

struct row {
    const char *name, *text;
};

static const char *const description[] = {
    "`headlight` runs a pretrained encoder, BERT or one of its kin, on a sentence or a pair of "
    "sentences, and shows in the terminal what every attention head does: attention as lines, "
    "queries and keys number by number, and the arithmetic behind them. A small encoder is built "
    "in; `--model` opens others. `headlight` itself never fetches any.",
    "One sentence or two are given as arguments, each in quotes. `-` stands for a line of standard "
    "input; alone, also for a second line if there is one. Without a sentence there is an example "
    "pair. Behind `--` everything is text.",
    "On a terminal the program is interactive: `?` explains what is on screen, `L` lists lessons, "
    "and `q` quits. Where standard output is not a terminal and nothing is exported, the head view "
    "is written as plain text. `--snapshot`, `--csv`, `--json` and `--trace` write files, with or "
    "without a terminal.",
    "Layers, heads and tokens are counted from 0. A token is named by its text, one of several of "
    "the same text as the screen names them (`flies#2` is the second), or by its number; where a "
    "text may be a number too, `#2` is the number.",
};

static const struct row variables[] = {
    {"HF_HUB_CACHE", "the hub's cache, where models are looked for by name"},
    {"HF_HOME", "where that is not set: the folder whose *hub* is the cache"},
    {"XDG_CACHE_HOME", "where neither is set: the folder whose *huggingface/hub* is the cache"},
    {"XDG_STATE_HOME", "the folder in which *headlight/lessons.json* is kept, if it is absolute"},
    {"HOME", "the folder below which both are looked for where no other variable says"},
    {"TERM", "the kind of the terminal; without it nothing interactive is possible"},
    {"COLORTERM", "`truecolor` or `24bit`: the terminal has direct colour, whatever terminfo says"},
    {"NO_COLOR", "if not empty: no colours, unless `--color` asks for them"},
    {"COLORFGBG", "the ground's colour, where the terminal does not tell it; chooses the theme"},
    {"TERM_PROGRAM", "the terminal's name; some draw finer blocks themselves"},
    {"VTE_VERSION", "the same, for terminals made with VTE"},
    {"SSH_TTY", "if set, the terminal is far away and is given longer to answer"},
    {"LINES", "with `COLUMNS`: the screen's size, where the terminal does not tell it"},
    {"COLUMNS", "see `LINES`"},
    {"TERMINFO", "ncurses's own: where descriptions of terminals are, with `TERMINFO_DIRS`"},
    {"LC_ALL", "with `LC_CTYPE` and `LANG`: whether the terminal takes UTF-8; otherwise ASCII"},
    {"OPENBLAS_CORETYPE", "OpenBLAS's own: the processor that it takes this one for"},
    {"OPENBLAS_NUM_THREADS", "set to 1 by the program, whose `--threads` share the work instead"},
};

static const struct row files[] = {
    {"$XDG_STATE_HOME/headlight/lessons.json",
     "how far each lesson was got, else in *~/.local/state*; deleting it forgets that"},
    {"~/.cache/huggingface/hub",
     "the hub's cache, unless the environment names another; `--models` lists it"},
    {"config.json", "in a model's folder: its family (`model_type`) and sizes"},
    {"model.safetensors",
     "its weights, in F32, F16 or BF16; or *model.safetensors.index.json* and its shards"},
    {"tokenizer.json",
     "its tokenizer; or, of the time before that file, *vocab.txt*, *vocab.json* and "
     "*merges.txt*, *spiece.model*, *spm.model* or *sentencepiece.bpe.model*, with "
     "*tokenizer_config.json* and *special_tokens_map.json* if they are there"},
    {"FILE.json", "what `--state` opens and saves: the text, what is shown, what is changed"},
    {"headlight-1.svg, headlight-1.json",
     "what the keys `s` and `S` save in the current folder, with the next free number"},
};

static const struct row statuses[] = {
    {"0", "success"},
    {"1", "failure: standard error says what was expected and what was found"},
    {"2", "wrong usage"},
    {"128 + N", "ended by signal N, as a shell says it; the terminal is left as it was"},
};

static const struct row examples[] = {
    {"headlight \"time flies like an arrow\" \"fruit flies like a banana\"", "A pair:"},
    {"echo \"the cat sat on the mat\" | headlight -", "A text from a pipe:"},
    {"headlight --view words --select are \"they are very happy .\"", "What the model says:"},
    {"headlight --map norms --view model \"time flies like an arrow\"", "Another map:"},
    {"headlight --view matrix --layer 2 --head 1 --snapshot matrix.svg", "A picture for a paper:"},
    {"headlight --lesson jobs --step 3", "A lesson, from its third step on:"},
    {"headlight --trace t.safetensors \"time flies\"", "Every tensor of the pass:"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *manual_example(size_t index)
{
    return index < COUNT(examples) ? examples[index].name : NULL;
}

/* ---- Sections ---- */

static void write_item(struct roff *roff, const char *name, const char *text)
{
    roff_request(roff, ".TP");
    roff_write(roff, ROFF_BOLD, name);
    roff_end(roff);
    roff_marked(roff, text);
}

static void write_rows(struct roff *roff, const char *title, const struct row *rows, size_t count)
{
    roff_section(roff, "SH", title);
    for (size_t i = 0; i < count; i++)
        write_item(roff, rows[i].name, rows[i].text);
}

/* Those that the line of help has no room for. */
static void write_choices(struct roff *roff, const struct option_info *option, const char *help)
{
    const char *choice;
    bool told = true;
    for (size_t i = 0; (choice = option_choice(option, i)) != NULL; i++)
        told = told && strstr(help, choice);
    if (told || !option->argument)
        return;
    roff_write(roff, ROFF_ROMAN,
               option_takes(option) == TAKES_LIST ? "; any of these, with commas between:"
                                                  : "; one of");
    for (size_t i = 0; (choice = option_choice(option, i)) != NULL; i++) {
        roff_write(roff, ROFF_ROMAN, i > 0 ? ", " : " ");
        roff_write(roff, ROFF_BOLD, choice);
    }
}

static void write_option(struct roff *roff, const struct option_info *option)
{
    char help[256], letter[] = {'-', option_letter(option), '\0'};
    roff_request(roff, ".TP");
    if (option_letter(option)) {
        roff_write(roff, ROFF_BOLD, letter);
        roff_write(roff, ROFF_ROMAN, ", ");
    }
    roff_write(roff, ROFF_BOLD, "--");
    roff_write(roff, ROFF_BOLD, option->name);
    if (option->argument) {
        roff_write(roff, ROFF_ROMAN, " ");
        roff_write(roff, ROFF_ITALIC, option->argument);
    }
    roff_end(roff);
    option_write_help(option, help, sizeof help);
    roff_write(roff, ROFF_ROMAN, help);
    write_choices(roff, option, help);
}

static void write_options(struct roff *roff)
{
    const struct option_info *option;
    const char *group = "";
    roff_section(roff, "SH", "OPTIONS");
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        if (strcmp(group, option_group(option)) != 0)
            roff_section(roff, "SS", option_group(option));
        group = option_group(option);
        write_option(roff, option);
    }
}

static void write_views(struct roff *roff)
{
    roff_section(roff, "SH", "VIEWS");
    for (enum view_kind kind = 0; kind < VIEW_COUNT; kind++)
        write_item(roff, view_name(kind), view_at(kind)->about);
}

static void write_maps(struct roff *roff)
{
    roff_section(roff, "SH", "MAPS");
    for (enum map_kind kind = 0; kind < MAP_COUNT; kind++)
        write_item(roff, map_info(kind)->name, map_info(kind)->meaning);
}

static void write_figures(struct roff *roff)
{
    roff_section(roff, "SH", "FIGURES");
    write_item(roff, metric_name(METRIC_LABEL), "what each head mostly does on this text");
    for (enum metric metric = METRIC_LABEL + 1; metric < METRIC_EFFECT; metric++)
        write_item(roff, metric_name(metric), metric_meaning(metric));
    write_item(roff, metric_name(METRIC_EFFECT),
               "how the log-probability of a word changes when the head is switched off");
}

static void write_keys(struct roff *roff)
{
    char keys[40];
    const char *group = "";
    roff_section(roff, "SH", "KEYS");
    roff_request(roff, ".PD 0");
    for (int action = 0; action < ACTION_COUNT;) {
        const struct action_info *info = action_info((enum action)action);
        if (strcmp(group, info->group) != 0)
            roff_section(roff, "SS", info->group);
        group = info->group;
        action = action_keys(action, ", ", keys, sizeof keys);
        roff_request(roff, ".TP 20");
        roff_write(roff, ROFF_BOLD, keys);
        roff_end(roff);
        roff_write(roff, ROFF_ROMAN, info->help);
    }
    roff_request(roff, ".PD");
}

static void write_lessons(struct roff *roff)
{
    char title[128];
    roff_section(roff, "SH", "LESSONS");
    for (size_t i = 0; i < lessons_count(); i++) {
        lessons_title(i, title, sizeof title);
        write_item(roff, lessons_name(i), title);
    }
}

static void write_examples(struct roff *roff)
{
    roff_section(roff, "SH", "EXAMPLES");
    for (size_t i = 0; i < COUNT(examples); i++) {
        if (i > 0)
            roff_request(roff, ".PP");
        roff_marked(roff, examples[i].text);
        roff_request(roff, ".PP\n.nf\n.RS 4");
        roff_verbatim(roff, examples[i].name);
        roff_request(roff, ".RE\n.fi");
    }
}

static void write_description(struct roff *roff)
{
    roff_section(roff, "SH", "DESCRIPTION");
    for (size_t i = 0; i < COUNT(description); i++) {
        if (i > 0)
            roff_request(roff, ".PP");
        roff_marked(roff, description[i]);
    }
}

void manual_write(FILE *stream)
{
    struct roff roff = {.stream = stream};
    fputs(".TH HEADLIGHT 1 \"" HEADLIGHT_RELEASED "\" \"headlight " HEADLIGHT_VERSION
          "\" \"User Commands\"\n"
          ".SH NAME\n"
          "headlight \\- show what every attention head of a transformer encoder does\n"
          ".SH SYNOPSIS\n"
          ".B headlight\n"
          "[\\fIoptions\\fR] [\\fISENTENCE\\fR [\\fISENTENCE_B\\fR]]\n",
          stream);
    write_description(&roff);
    write_options(&roff);
    write_views(&roff);
    write_maps(&roff);
    write_figures(&roff);
    write_keys(&roff);
    write_lessons(&roff);
    write_rows(&roff, "ENVIRONMENT", variables, COUNT(variables));
    write_rows(&roff, "FILES", files, COUNT(files));
    write_rows(&roff, "EXIT STATUS", statuses, COUNT(statuses));
    write_examples(&roff);
    roff_section(&roff, "SH", "SEE ALSO");
    roff_marked(&roff, "*README.md* in the folder of the program's documentation, mostly "
                       "*/usr/local/share/doc/headlight* or */usr/share/doc/headlight*.");
    roff_section(&roff, "SH", "LICENSE");
    roff_marked(
        &roff, "MIT. The texts that the built-in model was trained on have licences of their own.");
    roff_end(&roff);
}
