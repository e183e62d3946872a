/* options.h: the command line. */
#ifndef HEADLIGHT_APP_OPTIONS_H
#define HEADLIGHT_APP_OPTIONS_H

#include "headlight/app/snapshot.h"
#include "headlight/base/error.h"
#include "headlight/model/encoder.h"
#include "headlight/view/scene.h"

#include <stdbool.h>

enum command {
    COMMAND_SHOW, /* interactive, a snapshot, an export, or plain text */
    COMMAND_HELP,
    COMMAND_KEYS,
    COMMAND_VERSION,
};

/* Strings point into argv. */
struct options {
    enum command command;
    const char *texts[2];
    size_t text_count; /* 0: the example pair */
    const char *model; /* NULL: built-in */
    bool special;
    bool unscaled, causal;
    enum precision precision;
    const char *off; /* heads switched off, or NULL */
    int threads;     /* 0: as the BLAS chooses */

    enum view_kind view;
    size_t layer;
    size_t head;          /* NO_TOKEN: not said */
    const char *heads;    /* a list, or NULL */
    const char *select;   /* the attending token, or NULL */
    const char *attended; /* the attended token, or NULL */
    enum filter filter;

    const char *trace, *json, *snapshot; /* files to write, or NULL */
    unsigned include;
    int columns, rows; /* of a snapshot; 0: not said */
    bool color_chosen;
    enum depth color;
    const struct theme *theme; /* NULL: not said */
    bool ascii;
    bool no_mouse;
};

/* Reads argv. STATUS_USAGE says what was wrong. Reorders argv as getopt_long does. */
enum status options_parse(struct options *options, int argc, char **argv, struct error *error);

/* The text of --help, and the table of keys as the README has it. */
void options_write_help(FILE *stream);
void options_write_keys(FILE *stream);

/* Reads a list such as "0,2,5-7" or "all" for a layer of `count` heads. STATUS_USAGE. */
enum status options_parse_heads(const char *list, size_t count, uint64_t *heads,
                                struct error *error);

#endif
