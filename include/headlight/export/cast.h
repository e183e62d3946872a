/* cast.h: what is seen, as an asciinema cast (version 2): a header, then for each frame one line
 * with its time and what a terminal is sent to show it, the rows alone that are no longer the same.
 *
 *     cast_begin(&cast, stream, theme, DEPTH_DIRECT);
 *     cast_frame(&cast, canvas, theme, 0.5);      seconds since the beginning
 *     cast_end(&cast);
 *
 * Where the times come from a script, so do all bytes. */
#ifndef HEADLIGHT_EXPORT_CAST_H
#define HEADLIGHT_EXPORT_CAST_H

#include "headlight/export/export.h"

struct cast {
    FILE *stream; /* borrowed: its owner checks for errors */
    enum depth depth;
    int columns, rows; /* of the last frame; 0: there was none */
    char **shown;      /* [rows], as they were sent */
};

/* Shows a canvas at a time that is not before the last one; one of another size is a resize. False
 * without memory. */
bool cast_frame(struct cast *cast, const struct canvas *canvas, const struct theme *theme,
                double seconds);

/* Frees what it holds. */
void cast_end(struct cast *cast);

#endif
