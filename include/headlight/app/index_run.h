/* index_run.h: indexes on the command line: made of many texts, and searched. */
#ifndef HEADLIGHT_APP_INDEX_RUN_H
#define HEADLIGHT_APP_INDEX_RUN_H

#include "headlight/app/program.h"

/* --index: goes through --texts twice, with the model that is loaded, and writes the vectors that
 * --layers names. `say` says something on standard error. Errors as corpus_open, texts_run and
 * batch_run. */
enum status index_run(struct program *program, void (*say)(const char *message),
                      struct error *error);

/* --find-like: opens the model and the indexes, of --open and those named besides, and writes what
 * they have most like the token: to --json and --csv, or else as text to standard output.
 * STATUS_USAGE where there is no such token; STATUS_MISMATCH for an index of another model. */
enum status find_run(struct program *program, bool ascii, struct error *error);

#endif
