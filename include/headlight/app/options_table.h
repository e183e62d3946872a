/* options_table.h: the options of the command line as one table, from which come parsing and the
 * help. The manual page and the completions are held to it by tests. */
#ifndef HEADLIGHT_APP_OPTIONS_TABLE_H
#define HEADLIGHT_APP_OPTIONS_TABLE_H

#include "headlight/export/export.h"
#include "headlight/session/changes.h"

#include <stdbool.h>
#include <stdio.h>

/* code, long name, its argument in words or NULL, one line of help. The settings come
 * after --open, changes of the network after --mask, formats after --size. */
#define OPTIONS_BEFORE(OPTION)                                                                     \
    OPTION(MODEL, "model", "NAME", "a checkpoint's folder, or a model in the hub's cache")         \
    OPTION(MODELS, "models", NULL, "list the models in the hub's cache")                           \
    OPTION(AGAINST, "against", "NAME", "another model (or built-in) for the compare view")         \
    OPTION(OPEN, "open", "FILE", "show a recorded trace (.safetensors) instead of computing one")  \
    OPTION(LESSON, "lesson", "NAME", "begin a lesson, by name, number or file; L lists them")      \
    OPTION(STEP, "step", "N", "the lesson's step to begin with, from 1")                           \
    OPTION(LESSONS, "lessons", NULL, "list the lessons")
#define OPTIONS_AFTER(OPTION)                                                                      \
    OPTION(NO_SPECIAL, "no-special", NULL, "tokenise without special tokens, such as [CLS]")       \
    OPTION(MASK, "mask", "TOKEN,...", "have the model read [MASK] in place of tokens")
#define OPTIONS_OUTPUT(OPTION)                                                                     \
    OPTION(TYPE, "type", "KEYS", "press keys first: \"Down Enter e Ctrl-U\"; words in quotes")     \
    OPTION(STATE, "state", "FILE", "open the state saved in FILE.json; save it there on leaving")  \
    OPTION(SNAPSHOT, "snapshot", "FILE", "draw the screen to FILE")                                \
    OPTION(SIZE, "size", "COLSxROWS", "size of the snapshot (120x40)")
#define OPTIONS_LAST(OPTION)                                                                       \
    OPTION(COLOR, "color", "DEPTH", "direct, 256, 16 or mono")                                     \
    OPTION(ASCII, "ascii", NULL, "draw with ASCII only")                                           \
    OPTION(LINES, "lines", "HOW", "lines as pixels, blocks or braille; auto: the best there is")   \
    OPTION(NO_MOUSE, "no-mouse", NULL, "leave the mouse to the terminal, to select text")          \
    OPTION(PRECISION, "precision", "NAME",                                                         \
           "single, double, or auto: double where it costs nothing")                               \
    OPTION(THREADS, "threads", "N", "threads for a pass; by default one for each processor")       \
    OPTION(KEYS, "keys", NULL, "print the table of keys")                                          \
    OPTION(HELP, "help", NULL, "print this help (-h)")                                             \
    OPTION(VERSION, "version", NULL, "print the version, and what a report of a fault needs (-V)")

#define OPTIONS_NONE(...)

enum option_code {
    OPTION_FIRST = 0x100, /* past every character */
#define OPTION(code, ...) OPTION_##code,
    OPTIONS_BEFORE(OPTION) OPTIONS_AFTER(OPTION) OPTIONS_OUTPUT(OPTION)
        FORMATS(OPTIONS_NONE, OPTIONS_NONE, OPTION) OPTIONS_LAST(OPTION)
#undef OPTION
            OPTION_FORMAT, /* the first of the formats */
    OPTION_CHANGE = OPTION_FORMAT + FORMAT_COUNT,
    OPTION_SETTING = OPTION_CHANGE + CHANGE_OPTION_COUNT,
};

struct option_info {
    int code; /* enum option_code, and past it the formats, changes and settings */
    const char *name, *argument, *help;
};

/* There are no more. */
#define OPTIONS_MAX 96

/* In the order of the help; NULL past the last one. */
const struct option_info *option_at(size_t index);

/* NULL for a code that no option has. */
const struct option_info *option_of_code(int code);

/* The letter of its short form, or 0. */
char option_letter(const struct option_info *option);

/* The name of a choice; NULL past the last one, or where the option takes none. */
const char *option_choice(const struct option_info *option, size_t index);

/* One line of help, as --help has it: with the choices listed where the row ends in a colon. */
void option_write_help(const struct option_info *option, char *help, size_t size);

/* The text of --help, and the table of keys as the documentation has it, which is ASCII anyway. */
void options_write_help(FILE *stream, bool ascii);
void options_write_keys(FILE *stream);

#endif
