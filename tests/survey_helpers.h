/* survey_helpers.h: surveys for tests. Every function fails the running test when it can't. */
#ifndef HEADLIGHT_TESTS_SURVEY_HELPERS_H
#define HEADLIGHT_TESTS_SURVEY_HELPERS_H

#include "model_helpers.h"

#include "headlight/model/checkpoint.h"
#include "headlight/model/forward.h"
#include "headlight/survey/survey.h"

#define SURVEY_CORPUS "tests/vectors/survey/first200.conllu"

/* A folder, and the tiny model. */
void survey_set_up(struct folder *folder, struct checkpoint *tiny);
void survey_tear_down(struct folder *folder, struct checkpoint *tiny);

/* The pass of a text alone; the caller's. */
struct trace *survey_pass(const struct model *model, const struct encoding *encoding,
                          enum precision precision);

/* A survey without texts, of a corpus that has this name and is this part of so many. */
struct survey *survey_begin(const struct checkpoint *checkpoint, const char *name, uint64_t part,
                            uint64_t parts);

/* Adds a text, computed by itself. */
void survey_add_text(struct survey *survey, const struct checkpoint *checkpoint,
                     const struct corpus_text *text, enum precision precision);

/* The first texts of a file, of the shard `part` of `parts`, sorted. */
struct survey *survey_of(const struct checkpoint *checkpoint, const char *path, uint64_t first,
                         uint64_t part, uint64_t parts, enum precision precision);

/* All of it as JSON; the caller's. */
char *survey_as_json(const struct survey *survey);

#endif
