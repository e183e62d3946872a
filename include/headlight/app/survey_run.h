/* survey_run.h: surveys and indexes on the command line: made of many texts; surveys merged,
 * written as JSON and CSV; indexes searched. */
#ifndef HEADLIGHT_APP_SURVEY_RUN_H
#define HEADLIGHT_APP_SURVEY_RUN_H

#include "headlight/app/program.h"

/* `headlight survey`: goes through the texts with the model that is loaded and writes the file, and
 * --json and --csv of it; `headlight index`: the vectors that --only names. With --keep a survey
 * that is there, whole, is left alone. Errors as corpus_open, texts_run and batch_run;
 * STATUS_MISMATCH for --keep where the file is of another model or corpus. */
enum status survey_run(struct program *program, struct error *error);

/* `headlight merge`: adds up the files and writes the sum to -o, --json and --csv. Shards that lack
 * are said, and counted as refused. Errors as survey_read and survey_merge, with the file's name.
 */
enum status survey_run_merge(struct program *program, struct error *error);

/* --json and --csv of the survey that is opened, which need no model. */
enum status survey_run_export(const struct options *options, struct error *error);

/* `headlight find`: opens the model and the indexes, and writes what they have most like the token:
 * to --json and --csv, or else as text to standard output. STATUS_USAGE where there is no such
 * token; STATUS_MISMATCH for an index of another model. */
enum status find_run(struct program *program, struct error *error);

#endif
