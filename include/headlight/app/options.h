/* options.h: the command line, and how its options are read. Their names and help are in
 * assets/options (fields.h). */
#pragma once

#include "headlight/export/export.h"
#include "headlight/session/fields.h"
#include "headlight/terminal/curses.h"

/* The most rows of the table. */
#define OPTIONS_MAX 128

/* The first word of the command line; without one, a text or a file is shown. */
enum command {
    COMMAND_SHOW, /* interactive, a snapshot, an export, or plain text */
    COMMAND_RUN,
    COMMAND_SURVEY,
    COMMAND_MERGE,
    COMMAND_INDEX,
    COMMAND_FIND,
    COMMAND_MODELS,
    COMMAND_LESSONS,
    COMMAND_KEYS,
    COMMAND_SCHEMA,
    COMMAND_HELP,
    COMMAND_VERSION, /* an option only */
    COMMAND_COUNT,
};

extern const struct command_info {
    const char *name, *words, *brief; /* "merge", "SURVEY...", and what it writes */
    const char *called;               /* other words for it */
    const char *about;                /* lines of help */
    unsigned reads;                   /* READ_ bits (fields.h) */
} commands[COMMAND_COUNT];

/* COMMAND_COUNT when there is none of that name. */
enum command command_named(const char *name);

/* Strings point into argv, or into the saved state or the settings (program.h). */
struct options {
    enum command command;
    bool given[OPTIONS_MAX]; /* by the command line, in the order of option_at */
    const char *texts[2];
    size_t text_count;           /* 0: the example pair */
    const char *model;           /* a folder, or a name of the hub; NULL: built-in */
    const char *family;          /* the model's, said by hand; NULL: as it says itself */
    const char *against;         /* a model to compare with, or "built-in"; NULL: none */
    const char *open;            /* a recording, survey or index, or NULL, */
    const char *lesson;          /* to begin with: a name, a number or a file; or NULL, */
    size_t step;                 /* and which of its steps, from 1; 0: not given */
    const char *corpus;          /* a file of many texts, or "-"; or NULL, */
    struct corpus_choice choice; /* which of them, */
    bool strict, truncate;       /* and what is done about those that can't be read, */
    size_t stride;               /* or are too long: tokens that their windows share */
    bool each_head;              /* a survey with effects of switching each off; */
    bool resume;                 /* one that is there is left alone */
    const char *like;            /* the token to look for in indexes, or NULL */
    char *const *paths;          /* of surveys to be merged, or of indexes besides `open` */
    size_t path_count;
    const char *output;        /* what a command writes, or NULL */
    const char *topic;         /* of help, or NULL */
    size_t generate;           /* tokens behind the text, */
    struct sampling sampling;  /* and how they are chosen; or */
    struct beam_search search; /* of an encoder–decoder's the whole: beams 0: none */
    size_t threads;            /* 0: one for each processor */

    const char *values[FIELD_COUNT]; /* of the state; NULL: not given */
    const char *type;                /* keys, or NULL */
    const char *record;              /* a file for what is seen, or NULL */

    const char *state;               /* a file to open if it exists, and to write, or NULL */
    const char *files[FORMAT_COUNT]; /* to be written, or NULL */
    bool picture;                    /* one goes to standard output */
    unsigned format;                 /* of it: 0 is that of FORMAT_TXT */
    struct output out; /* what they say of it: columns, rows and top are 0 if not given */
    const char *links; /* a head by its name, or NULL */
    bool bare;         /* a figure */
    struct paper paper;
    struct curses_wish screen;
    const char *config; /* the file of settings (program.h); NULL: the user's own, "": none */
};

/* Reads the value of an option, NULL where it takes none. STATUS_USAGE. */
enum status option_take(const struct option_info *option, const char *value,
                        struct options *options, struct error *error);

/* Refuses an option that sets what one of the given ones, maybe itself, has set: the earlier value
 * would be lost. STATUS_USAGE. */
enum status option_check_again(const struct option_info *option, const bool given[OPTIONS_MAX],
                               struct error *error);

/* Whether a word names it: "--output", "output" or "-o". */
bool option_is(const struct option_info *option, const char *word);

/* What reads it, READ_ bits: an option that nothing reads is refused. */
unsigned option_reads(const struct option_info *option);

/* Whether it may stand in the file of settings: it is about the user's taste or machine. */
bool option_stays(const struct option_info *option);

/* The name of a choice; NULL behind the last one, where the list ends, or if the option takes
 * none. */
const char *option_choice(const struct option_info *option, size_t index);

/* The option without which it does nothing, or NULL. */
const struct option_info *option_needed(const struct option_info *option);

/* The endings of the files that it names, ".txt .csv", or NULL. */
const char *option_files(const struct option_info *option);

/* The FORMAT_ bits of all files to be written; 0: there are none. */
unsigned options_needs(const struct options *options);

/* Whether a file of texts is shown, rather than gone through once for another file. */
bool options_show_texts(const struct options *options);

/* Whether all of an opened survey is written: --corpus asks for the rows of its view alone, which
 * only a CSV has. */
bool options_write_survey(const struct options *options);

/* Refuses options of the look that the view doesn't show, where a picture or a table of it is all
 * that is wanted. STATUS_USAGE. */
enum status options_check_view(const struct options *options, struct error *error);

/* Whether an option changes the network. */
bool options_change_network(const struct options *options);

/* Whether the command line has the option of that name. */
bool options_gave(const struct options *options, const char *name);

/* Reads argv, and reorders it as getopt_long does. STATUS_USAGE. */
enum status options_parse(struct options *options, int argc, char **argv, struct error *error);
