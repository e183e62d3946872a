/* stage.h: what a view shows on a projector: one statement in large letters, and what it rests on,
 * which is bars here, a curve or a map elsewhere.
 *
 *     struct area rest = stage_state(canvas, area, &text, 3 * LETTERS_ROWS, "the model's answer");
 *     stage_bars(canvas, rest, bars, count);
 *
 * Where letters have no room or no shape, as in ASCII, there is bold text in their place. */
#ifndef HEADLIGHT_VIEW_STAGE_H
#define HEADLIGHT_VIEW_STAGE_H

#include "headlight/draw/canvas.h"

#include <stddef.h>

/* Writes a word in letters where it has shapes, else as bold text, in the rows of a line of
 * letters; what has no room is cut. Returns the columns used. */
int stage_word(struct canvas *canvas, int y, int x, int columns, int scale, struct style style,
               const char *text);

/* A statement; a newline begins a new line. Words among the bytes mark … mark_end-1 stand out. */
struct stage_text {
    const char *text;
    size_t mark, mark_end;
    struct ink hue; /* of those words */
};

/* The scale of letters at which the text fits into the area; 0: as bold text; -1: not at all. */
int stage_scale(const struct canvas *canvas, struct area area, const struct stage_text *text);

/* The rows that it takes at a scale. */
int stage_rows(bool ascii, int columns, int scale, const struct stage_text *text);

/* Writes text from the area's top, in letters of a scale or as bold text. Returns the rows. */
int stage_write(struct canvas *canvas, struct area area, int scale, const struct stage_text *text);

/* Where a statement may stand with `kept` rows below it. */
struct area stage_upper(struct area area, int kept);

/* Writes the statement there, as large as it can be, and the caption, what the picture is of, in
 * the last row. Returns what is left between both. */
struct area stage_state(struct canvas *canvas, struct area area, const struct stage_text *text,
                        int kept, const char *caption);

/* A share of 1, as a name, a percentage and a bar. */
struct stage_bar {
    const char *name;
    const char *value;    /* what is written in the percentage's place; NULL: nothing is */
    double share, before; /* below 0 in the other colour; before a change; NaN: not known */
    bool chosen;
    struct hit hit;
};

/* As many of them as fit, at least three of them if large letters leave room for so many. */
void stage_bars(struct canvas *canvas, struct area area, const struct stage_bar *bars,
                size_t count);

#endif
