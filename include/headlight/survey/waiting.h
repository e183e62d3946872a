/* waiting.h: texts that wait until they are enough for a pass together (batch.h). */
#ifndef HEADLIGHT_SURVEY_WAITING_H
#define HEADLIGHT_SURVEY_WAITING_H

#include "headlight/model/batch.h"
#include "headlight/text/encoding.h"

#define WAITING_MAX 512

/* Starts as zero. */
struct waiting {
    size_t count, tokens;
    struct batch_text texts[WAITING_MAX];
    int32_t *ids[WAITING_MAX]; /* [2T]: ids, segments */
    struct interventions changes[WAITING_MAX];
};

/* Copies what it needs of the encoding and the changes. STATUS_MEMORY. */
enum status waiting_add(struct waiting *waiting, const struct encoding *encoding,
                        const struct interventions *changes, struct error *error);

bool waiting_is_enough(const struct waiting *waiting);

/* Computes those that wait, if any do; none do afterwards. Errors as batch_run. */
enum status waiting_run(struct waiting *waiting, struct batch *batch, struct error *error);

/* Forgets them. */
void waiting_clear(struct waiting *waiting);

#endif
