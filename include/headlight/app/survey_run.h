/* survey_run.h: surveys on the command line: made of many texts, merged, written as JSON and CSV.
 */
#ifndef HEADLIGHT_APP_SURVEY_RUN_H
#define HEADLIGHT_APP_SURVEY_RUN_H

#include "headlight/app/program.h"

/* --survey: goes through --texts with the model that is loaded and writes the file, and --json and
 * --csv of it. With --resume a file that is there, whole, is left alone. `say` says something on
 * standard error. Errors as corpus_open, texts_run and batch_run; STATUS_MISMATCH for --resume
 * where the file is of another model or corpus. */
enum status survey_run(struct program *program, void (*say)(const char *message),
                       struct error *error);

/* A survey without texts of a corpus, the part of it that --shard says (gather_begin). */
enum status survey_run_begin(const struct program *program, const struct corpus *corpus,
                             struct survey **survey, struct error *error);

/* --merge: adds up the files and writes the sum to --output, --json and --csv. Shards that lack are
 * said, and counted as refused. Errors as survey_read and survey_merge, with the file's name. */
enum status survey_run_merge(struct program *program, void (*say)(const char *message),
                             struct error *error);

/* --json and --csv of the survey of --open, which need no model. */
enum status survey_run_export(const struct options *options, struct error *error);

#endif
