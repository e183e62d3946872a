/* export_members.h: the members of the JSON (export.h) before its layers.
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

/* Computed for the export only; NULL if not included. */
struct members {
    struct lens_cell *lens; /* [L,T] */
    struct effects *effects;
    struct map *maps[MAP_COUNT]; /* also NULL if it can't be made of this trace */
};

/* Computes what the output includes, before anything is written. Errors as in export.h, and as
 * logit_lens_read, effects_measure and map_new; the message names the part of --include. */
enum status members_make(const struct output *output, struct members *members, struct error *error);

/* Each is followed by a comma. */
void members_write(const struct output *output, const struct members *members, FILE *stream);

/* Also after an error. */
void members_free(struct members *members);

/* A row of numbers in brackets. */
void export_write_row(FILE *stream, const float *values, size_t count);

#endif
