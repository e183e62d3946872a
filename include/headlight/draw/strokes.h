/* strokes.h: strokes as dots in the cells of a canvas, two by four a cell; where the canvas's
 * traits want curves, kept as well for whoever shows it.
 *
 *     struct stroke stroke = {.from = 0.5F, .to = 4.5F, .width = 0.2F, .ink = ink_head(2, 9)};
 *     strokes_draw(canvas, area, &stroke, 1, &error); */
#ifndef HEADLIGHT_DRAW_STROKES_H
#define HEADLIGHT_DRAW_STROKES_H

#include "headlight/base/error.h"
#include "headlight/draw/canvas.h"

/* Draws strokes in an area, which may have no rows or no columns. A later one lies above an earlier
 * one: light to heavy. In cells the uppermost that crosses a cell owns its colour. STATUS_MEMORY.
 */
enum status strokes_draw(struct canvas *canvas, struct area area, const struct stroke *strokes,
                         size_t count, struct error *error);

/* The same for strokes of one role that are seen from afar: half blocks, each as bright as it is
 * covered; coarser than dots, but without gaps. In ASCII, and where curves are kept, it is
 * strokes_draw. STATUS_MEMORY. */
enum status smooth_draw(struct canvas *canvas, struct area area, const struct stroke *strokes,
                        size_t count, struct error *error);

#endif
