/* survey_helpers.h: surveys for tests. Every function fails the running test when it can't. */
#pragma once

#include "model_helpers.h"

#include "headlight/model/checkpoint.h"
#include "headlight/model/forward.h"
#include "headlight/survey/index.h"

#define SURVEY_CORPUS "tests/vectors/survey/first200.conllu"

/* A folder, and the tiny model. */
void survey_set_up(struct folder *folder, struct checkpoint *tiny);
void survey_tear_down(struct folder *folder, struct checkpoint *tiny);

/* The pass of a text alone; the caller's. */
struct trace *survey_pass(const struct model *model, const struct encoding *encoding);

/* A survey without texts, of a corpus that has this name and is this part of so many. */
struct survey *survey_begin(const struct checkpoint *checkpoint, const char *name, uint64_t part,
                            uint64_t parts);

/* Adds a text, computed by itself. */
void survey_add_text(struct survey *survey, const struct checkpoint *checkpoint,
                     const struct corpus_text *text);

/* The first texts of a file, of the shard `part` of `parts`, sorted. */
struct survey *survey_of(const struct checkpoint *checkpoint, const char *path, uint64_t first,
                         uint64_t part, uint64_t parts);

/* The next text of a corpus that isn't too long, with its tokens; NULL at the end. */
const struct corpus_text *survey_next_text(const struct checkpoint *checkpoint,
                                           struct corpus *corpus, struct encoding **encoding);

/* Writes an index of them. */
void survey_write_index(const struct checkpoint *checkpoint, const char *corpus, uint64_t part,
                        uint64_t parts, const struct index_space *spaces, size_t count,
                        const char *path);

/* Its file, of that name in the folder. */
struct mapping survey_file(const struct survey *survey, struct folder *folder, const char *name);

/* All of it as JSON; the caller's. */
char *survey_as_json(const struct survey *survey);

/* A row by its key, which is added; and the numbers of the first row of a kind that has a name, its
 * own or, unless `head` is SIZE_MAX, those of a head. */
struct survey_row *survey_test_row(struct survey *survey, enum survey_kind kind, const char *name,
                                   int64_t number, const char *second, int64_t last);
int64_t *survey_test_numbers(const struct survey *survey, enum survey_kind kind, const char *name,
                             size_t head);
