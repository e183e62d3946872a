/* export_members.h: a session on its way into JSON (export.h), and the members before its layers.
 *
 *     if (members_make(&sheet, &error) == STATUS_OK)
 *         members_write(&sheet);
 *     members_free(&sheet); */
#ifndef HEADLIGHT_EXPORT_EXPORT_MEMBERS_H
#define HEADLIGHT_EXPORT_EXPORT_MEMBERS_H

#include "headlight/export/export.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/logit_lens.h"
#include "headlight/lens/map.h"

struct sheet {
    const struct output *output;
    const struct session *session; /* of the output, as is what follows */
    const struct encoded *encoded;
    const struct trace *trace;
    FILE *stream;

    /* Computed for the export only; NULL if not included. */
    struct lens_cell *lens; /* [L,T] */
    struct effects *effects;
    struct map *maps[MAP_COUNT]; /* also NULL if it can't be made of this trace */
};

/* Computes what the output includes, before anything is written. Errors as in export.h, and as
 * logit_lens_read, effects_measure and map_new; the message names the part of --include. */
enum status members_make(struct sheet *sheet, struct error *error);

/* Each is followed by a comma. */
void members_write(const struct sheet *sheet);

/* Also after an error. */
void members_free(struct sheet *sheet);

/* A row of numbers in brackets. */
void export_write_row(FILE *stream, const float *values, size_t count);

#endif
