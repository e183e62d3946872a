/* marked.h: text with marks (text/marks.h), set in lines: *so* is emphasised, and `keys` can be
 * clicked as those of the footer can.
 *
 *     struct marked marked = {.canvas = canvas, .area = area, …};
 *     marked_write(&marked, "`↓` chooses *time*.", true);
 *     marked_end_row(&marked); */
#ifndef HEADLIGHT_SESSION_MARKED_H
#define HEADLIGHT_SESSION_MARKED_H

#include "headlight/draw/canvas.h"

/* Where text is set, and how far that is. */
struct marked {
    struct canvas *canvas; /* NULL: lines are only counted */
    struct area area;      /* what is over the last row is left out, with … in its place */
    struct style plain, strong, key;
    bool ascii;
    int indent; /* columns that further lines of a paragraph are set in by */
    int row;    /* of the area, that is being filled */
    int column; /* where the next word may stand, 0 at a row's beginning */
    bool full;  /* the area is, and more was to be said */
};

/* Sets text behind what is there, by words; one that is longer than a row is broken. Blanks and
 * newlines are where rows may end; with `apart`, a newline ends one. */
void marked_write(struct marked *marked, const char *text, bool apart);

/* Ends the row, unless nothing stands in it. */
void marked_end_row(struct marked *marked);

#endif
