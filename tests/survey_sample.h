/* survey_sample.h: surveys made up for tests, of any number of layers and heads: the same numbers
 * on every machine. */
#pragma once

#include "headlight/draw/canvas.h"
#include "headlight/survey/survey.h"

/* A survey of a corpus of 2,000 texts whose heads look at neighbours, separators or everything;
 * some find relations. With words alone there are no relations and parts of speech, with nothing
 * no numbers at all. Valid until sample_end. */
enum sample { SAMPLE_ALL, SAMPLE_WORDS, SAMPLE_NOTHING };
const struct survey *sample_survey(size_t layers, size_t heads, enum sample with);

/* The goldens of the corpus view, of six layers of eight heads. */
#define CORPUS_GOLDENS 20
extern const struct corpus_golden {
    const char *name;
    int columns, rows;
    struct traits traits;
    enum sample with;
    const char *keys;
} corpus_goldens[CORPUS_GOLDENS];

/* Frees all that were made. */
void sample_end(void);
