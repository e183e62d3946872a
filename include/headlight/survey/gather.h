/* gather.h: texts on their way into a survey, several of which go through the model together.
 *
 *     gather_begin(checkpoint, &plan, &survey, &error);
 *     gather_new(checkpoint, precision, survey, &gather, &error);
 *     gather_add(gather, text, encoding, &error);      of every text
 *     gather_end(gather, &error);                      those that still wait
 *     gather_free(gather);
 *     survey_sort(survey, &error); */
#ifndef HEADLIGHT_SURVEY_GATHER_H
#define HEADLIGHT_SURVEY_GATHER_H

#include "headlight/model/batch.h"
#include "headlight/model/checkpoint.h"
#include "headlight/survey/survey.h"

/* What a survey is of, besides its model: the part of a corpus, and in words what else decides
 * about the sums, "sample 100 seed 7"; and whether it has room for what is asked of each text
 * besides (asked.h). */
struct gather_plan {
    const char *corpus;
    uint64_t part, parts;
    enum precision precision;
    const char *options;
    bool each_head;
    const struct checkpoint *against; /* NULL: there is no other model */
};

/* A survey without texts. The digest of the model's files takes a second for each 200 MB.
 * STATUS_MEMORY. */
enum status gather_begin(const struct checkpoint *checkpoint, const struct gather_plan *plan,
                         struct survey **survey, struct error *error);

struct gather;

/* Checkpoint and survey must outlive it. STATUS_MEMORY. */
enum status gather_new(const struct checkpoint *checkpoint, enum precision precision,
                       struct survey *survey, struct gather **gather, struct error *error);

/* Adds a text of the survey's first corpus, with its tokens, which are no more than the model's
 * positions; the encoding is the gather's from here on. After an error, as those of survey_prepare
 * and batch_run, the survey lacks some heads of some texts: nothing may be written of it. */
enum status gather_add(struct gather *gather, const struct corpus_text *text,
                       struct encoding *encoding, struct error *error);
enum status gather_end(struct gather *gather, struct error *error);

/* Drops what still waits. Accepts NULL. */
void gather_free(struct gather *gather);

/* ---- The corpus that is linked into the program ---- */

/* A survey of its 200 English sentences (assets/corpus), which takes a second or a few. The watch,
 * which may be NULL, is called for each of them. STATUS_CANCELLED; others as gather_add. */
enum status gather_example(const struct checkpoint *checkpoint, const struct watch *watch,
                           struct survey **survey, struct error *error);

#endif
