/* lists.h: help, the keys, the version, the models and the lessons, and a lesson as text. */
#pragma once

#include "headlight/app/options.h"
#include "headlight/lesson/player.h"

/* Help on one screen; on a topic, which is a command, a group of options, "all", an option or one
 * of the values that options take. STATUS_USAGE: there is no such topic. */
enum status help_write(FILE *stream, const char *topic, bool ascii, struct error *error);

/* The table of keys with the names of what they do. */
void keys_write(FILE *stream, const struct bindings *bindings, bool ascii);

/* The models of the hub's cache, a line each: the name, then family, size, layers, heads and hidden
 * size, or why it can't be opened. If there are none, one line says where they were looked for. */
enum status models_write(FILE *stream, bool ascii, struct error *error);

/* What may stand where `typed` begins a word of the command line, behind the word `before`, on a
 * line whose first word is `first`, or "": a word a line and, behind a tab, what it means. A word
 * that begins with a dot is an ending of files, a dot alone any, "/" a folder; a comma says that
 * the words make a list. STATUS_IO: no models can be listed; errors of lessons_open. */
enum status complete_write(FILE *stream, const char *first, const char *before, const char *typed,
                           struct error *error);

/* The width of the following output. */
#define LESSONS_COLUMNS 80

/* The linked lessons: name, minutes and title on a line each, and below it what one learns. Errors
 * as lessons_open. */
enum status lessons_write(FILE *stream, bool ascii, struct error *error);

/* The open lesson's title, introduction and steps, with numbers computed by the session's model.
 * `step`, from 1, selects one step, 0 all. A step whose text is too long for the model is replaced
 * by a note. Errors as player_show. */
enum status lesson_write(FILE *stream, struct player *player, size_t step, bool ascii,
                         struct error *error);

/* Writes name and version, the kernels for this processor, and what is known of this terminal
 * (terminals.h). `lent`: its entry is ours (curses_lend_entry). */
void version_write(FILE *stream, bool ascii, bool lent);
