/* survey_file.h: a survey as a file that numpy maps: safetensors whose arrays are I64, and whose
 * metadata say what was counted, of which model and of which texts. The same sums are the same
 * bytes.
 *
 *     survey_write(survey, "dev.survey", &error);
 *     survey_read("dev.survey", &survey, &error);
 *
 * In the metadata, values that aren't plain text are JSON:
 *
 *     headlight_survey  the number of the format
 *     model, model_sha256, tokenizer_sha256, kernels, options; against_sha256, if there is one
 *     counts            {"layers", "heads", "unit", "texts", "too_long", "refused", "tokens",
 * "words"} corpora           [{"name", "parts", "shards", "texts", "too_long", "refused", "ids"}]
 *     figures, relations, pos    names along the axes F, R and P
 *
 * In the arrays' shapes L and A are layers and heads; survey.h says what each is. Strings, which
 * end with a NUL, are bytes (U8): of each text that an example is of its id and its words. */
#ifndef HEADLIGHT_SURVEY_SURVEY_FILE_H
#define HEADLIGHT_SURVEY_SURVEY_FILE_H

#include "headlight/survey/survey.h"

#include <stdbool.h>
#include <stdio.h>

/* As by writer_open: whole or not at all. STATUS_IO. */
enum status survey_write(const struct survey *survey, const char *path, struct error *error);

/* STATUS_IO, STATUS_FORMAT for a file that is no survey or is damaged, STATUS_UNSUPPORTED for one
 * of another format. Free with survey_free. */
enum status survey_read(const char *path, struct survey **survey, struct error *error);

/* Whether it looks like one, as far as its metadata say. */
bool survey_is(const char *path);

/* All of it as one JSON object and a line end: "texts", "too_long", "tokens", "words", "unit",
 * "rows", "figures", "reach", "relations", "pos", "examples" and more (assets/docs/corpora.md).
 */
void survey_write_json(const struct survey *survey, FILE *stream);

/* [{"name":…,"parts":…,"shards":[…],…}], as both have it. */
void survey_write_corpora(const struct survey *survey, FILE *stream);

/* A long table: layer,head,figure,value,n,low,high, the last two of the 95 % interval. What is of
 * no head has neither layer nor head: of each relation the best fixed `offset`, and the share that
 * it `guessed`. */
void survey_write_csv(const struct survey *survey, FILE *stream);

#endif
