/* export_members.h: the members of the JSON (export.h) that stand before its layers.
 *
 *     struct members members;
 *     if (members_make(output, &members, &error) == STATUS_OK)
 *         members_write(output, &members, stream);
 *     members_free(&members); */
#ifndef HEADLIGHT_EXPORT_EXPORT_MEMBERS_H
#define HEADLIGHT_EXPORT_EXPORT_MEMBERS_H

#include "headlight/export/export.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/logit_lens.h"
#include "headlight/lens/map.h"

/* What is computed for the export alone; NULL where the output doesn't include it. */
struct members {
    struct lens_cell *lens; /* [L,T] */
    struct effects *effects;
    struct map *maps[MAP_COUNT]; /* NULL, too: it can't be made of this trace */
};

/* Computes what the output includes, before anything is written. Errors as export.h has them, and
 * as logit_lens_read, effects_measure and map_new, each with the name of what was to be included.
 */
enum status members_make(const struct output *output, struct members *members, struct error *error);

/* Each with a comma behind it. */
void members_write(const struct output *output, const struct members *members, FILE *stream);

/* Also after an error. */
void members_free(struct members *members);

/* A row of numbers in brackets (export_json.c). */
void export_write_row(FILE *stream, const float *values, size_t count);

#endif
