/* survey_file.h: a survey as a file that numpy maps: safetensors of its table. The same sums are
 * the same bytes.
 *
 *     survey_write(survey, "dev.survey", &error);
 *     survey_read("dev.survey", &survey, &error);
 *
 * In the metadata are "headlight_survey", the number of the format; model, model_sha256,
 * tokenizer_sha256, kernels, options, and against_sha256, if there is another model; layers, heads
 * and unit. The table is of R rows:
 *
 *     keys      I64 [R,3]  of each row the number of its kind (survey.h), in whose order they
 *                          stand, and the two numbers of its key
 *     names     U8         of each row the three names of its key, each with a NUL
 *     numbers   I64        of each row its own, and [L,A] those of each head, as many as its kind
 *                          has; of an example the text is the index among those rows */
#pragma once

#include "headlight/base/json.h"
#include "headlight/survey/evidence.h"

/* As by writer_open: whole or not at all. STATUS_IO. */
enum status survey_write(const struct survey *survey, const char *path, struct error *error);

/* STATUS_IO, STATUS_FORMAT for a file that is no survey or is damaged, STATUS_UNSUPPORTED for one
 * of another format. Free with survey_free. */
enum status survey_read(const char *path, struct survey **survey, struct error *error);

/* Whether it looks like a "survey", or an "index", as far as its metadata say; NULL doesn't. */
bool survey_is(const char *path, const char *kind);

/* ---- The table of a "survey" or an "index", which has no heads, in the file of either ---- */

/* The data, of a multiple of 8 bytes, follow in the same order. */
void survey_add_table(const struct survey *survey, const char *kind,
                      struct safetensors_header *header);
void survey_write_table(const struct survey *survey, FILE *stream);

/* Errors as survey_read; `path` is for messages. Free with survey_free, after an error, too. */
enum status survey_read_table(struct safetensors *file, const char *path, const char *kind,
                              struct survey **survey, struct error *error);

/* An array of rows of `width` numbers, 0: of numbers; NULL: it isn't there, or is another one. */
const struct tensor *survey_array(const struct safetensors *file, const char *name,
                                  const char *type, size_t width);

/* ---- For others: of a survey, as writer_write gives it ---- */

/* All of it as one JSON object, a line for each row of numbers, and a line end: "texts", "unit",
 * "corpora", "rows", "examples" and more (assets/docs/corpora.md). */
void survey_write_json(const void *survey, FILE *stream);

/* The same rows without sums, below the names of their columns. */
#define SURVEY_COLUMNS "kind,layer,head,name,direction,value,low,high,n\n"
void survey_write_csv(const void *survey, FILE *stream);

/* Some of them, to a writer of either: of a head the labels and rows of the kinds before the last;
 * of a relation that of its head, and what always guessing one distance would find. */
void survey_write_head(const struct survey *survey, size_t layer, size_t head,
                       enum survey_kind last, struct json_writer *json);
void survey_write_relation(const struct survey *survey, const struct evidence_relation *relation,
                           struct json_writer *json);
