/* export_words.h: what the model says, as members of the JSON (export.h).
 *
 *     struct said said;
 *     if (export_words_ask(output, &said, &error) == STATUS_OK)
 *         export_words_write(output, &said, stream);
 *     export_words_free(&said); */
#ifndef HEADLIGHT_EXPORT_EXPORT_WORDS_H
#define HEADLIGHT_EXPORT_EXPORT_WORDS_H

#include "headlight/export/export.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/logit_lens.h"

/* What is computed for the export alone; NULL where the output doesn't include it. */
struct said {
    struct lens_cell *cells; /* [L,T] */
    struct effects *effects;
};

/* Before anything is written: what fails here leaves nothing behind. Errors as export.h has them,
 * and as logit_lens_read and effects_measure, each with the name of what was to be included. */
enum status export_words_ask(const struct output *output, struct said *said, struct error *error);

/* "predictions" and "next_sentence" or "sentence_order", "replaced", "sentence_embedding", "lens"
 * and "effects", each with a comma behind it. */
void export_words_write(const struct output *output, const struct said *said, FILE *stream);

/* Also after an error. */
void export_words_free(struct said *said);

#endif
