/* survey_file.h: a survey as a file that numpy maps: safetensors of its table. The same sums are
 * the same bytes.
 *
 *     survey_write(survey, "dev.survey", &error);
 *     survey_read("dev.survey", &survey, &error);
 *
 * In the metadata are "headlight_survey", the number of the format; model, model_sha256,
 * tokenizer_sha256, kernels, options, and against_sha256, if there is another model; and "counts",
 * JSON: {"layers", "heads", "unit"}. The arrays are of R rows, L layers and A heads:
 *
 *     keys         I64 [R,3]       of each row the number of its kind (survey.h), in whose order
 *                                  they stand, and the two numbers of its key
 *     KIND         I64 [n,N]       the numbers of the n rows of a kind, and
 *     KIND.heads   I64 [n,L,A,M]   those of each head; without rows or numbers there is no array
 *     examples     I64 [L,A,38,4]  weight, index of the text among those rows, from, to
 *     names        U8              of each row the three names of its key, each with a NUL */
#pragma once

#include "headlight/survey/evidence.h"

/* In a file's metadata it tells a survey from other tensors. */
#define SURVEY_MARK(kind) "headlight_" kind

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

/* Of the origin, and of enum survey_total, in metadata and JSON. */
extern const char *const survey_origin_names[SURVEY_ORIGINS];
extern const char *const survey_total_names[SURVEY_TOTAL_COUNT];

/* ---- For others: of a survey, as writer_write gives it ---- */

/* All of it as one JSON object, a line for each row of evidence.h, and a line end: "texts", "unit",
 * "corpora", "rows", "examples" and more (assets/docs/corpora.md). */
void survey_write_json(const void *survey, FILE *stream);

/* The same rows, below the names of their columns. */
void survey_write_csv(const void *survey, FILE *stream);

/* One of them, by a struct json_writer of either. */
void survey_write_row(void *writer, const struct evidence_row *row);
