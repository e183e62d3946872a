/* family_helpers.h: checkpoints of each family and the texts that they come with. */
#pragma once

#include "headlight/base/json.h"
#include "headlight/model/model.h"

/* The folders' names, and how many there are. */
#define FAMILIES 31
extern const char *const family_names[FAMILIES];

/* Those of two stacks. umT5's numbers are not Hugging Face's (tests/vectors/families/README.md). */
#define STACKED 6
extern const char *const stacked_names[STACKED];

/* Checkpoints with a head for a task, in HEAD_FOLDER. */
#define HEADS       30
#define HEAD_FOLDER "tests/vectors/heads/"
extern const char *const head_names[HEADS];

/* A file in a family's folder; the caller's. HEADLIGHT_FAMILIES is a folder with more cases than
 * the project holds. */
char *family_path(const char *family, const char *file);

/* Both fail the running test when they cannot; the caller's. */
struct model *family_open(const char *family);
cJSON *family_cases(const char *family);
