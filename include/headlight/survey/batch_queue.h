/* batch_queue.h: texts that wait until they are enough for a pass together (batch.h). */
#pragma once

#include "headlight/model/batch.h"

#define QUEUE_MAX 512

/* Starts as zero, but for the batch. */
struct batch_queue {
    struct batch batch;
    size_t count, tokens;
    struct batch_text texts[QUEUE_MAX]; /* the ids [2T] with the segments, of the queue */
    struct interventions changes[QUEUE_MAX];
};

/* Copies what it needs of the encoding and the changes; of a decoder's text, what it attends to
 * must have been computed when the queue is run. STATUS_MEMORY. */
enum status queue_add(struct batch_queue *queue, const struct encoding *encoding,
                      const struct trace *source, const struct interventions *changes,
                      struct error *error);

bool queue_is_full(const struct batch_queue *queue);

/* Computes those that wait, if any do; none do afterwards. Errors as batch_run. */
enum status queue_run(struct batch_queue *queue, struct error *error);

/* Forgets them. */
void queue_free(struct batch_queue *queue);
