/* options.h: the command line. */
#ifndef HEADLIGHT_APP_OPTIONS_H
#define HEADLIGHT_APP_OPTIONS_H

#include "headlight/base/error.h"
#include "headlight/export/export.h"
#include "headlight/model/forward.h"
#include "headlight/session/changes.h"
#include "headlight/terminal/curses.h"

#include <stdbool.h>

enum command {
    COMMAND_SHOW, /* interactive, a snapshot, an export, or plain text */
    COMMAND_MODELS,
    COMMAND_LESSONS,
    COMMAND_HELP,
    COMMAND_KEYS,
    COMMAND_VERSION,
};

/* Strings point into argv, or into the saved state (program.h). */
struct options {
    enum command command;
    const char *texts[2];
    size_t text_count;   /* 0: the example pair */
    const char *model;   /* a folder, or a name of the hub; NULL: built-in */
    const char *against; /* a model to compare with, or "built-in"; NULL: none */
    const char *open;    /* a recorded trace, or NULL */
    const char *lesson;  /* to begin with: a name, a number or a file; or NULL, */
    size_t step;         /* and which of its steps, from 1; 0: not given */
    bool special;
    const char *changes[CHANGE_COUNT]; /* of the network; NULL: not changed */
    enum precision precision;
    int threads; /* 0: one for each processor */

    const char *values[SETTING_COUNT]; /* what to show; NULL: not given */
    const char *type;                  /* keys, or NULL */

    const char *state;               /* a file to open if it exists, and to write, or NULL */
    const char *files[FORMAT_COUNT]; /* to be written, or NULL */
    const char *handout;             /* the folder of a lesson's pictures and page, or NULL */
    unsigned include;
    const char *answer; /* a piece, or NULL */
    const char *mask;   /* tokens to be masked, or NULL */
    int columns, rows;  /* of a snapshot; 0: not given */
    bool color_chosen;
    enum depth color;
    bool ascii;
    enum lines_wish lines;
    bool no_mouse;
};

/* What all files to be written need together (FORMAT_ bits); 0: there are none. */
unsigned options_needs(const struct options *options);

/* Whether the network is to be changed. */
bool options_change_network(const struct options *options);

/* Reads argv, and reorders it as getopt_long does. STATUS_USAGE. */
enum status options_parse(struct options *options, int argc, char **argv, struct error *error);

#endif
