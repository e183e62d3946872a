/* smooth.h: strokes that are seen from afar: half blocks, each as bright as it is covered. Coarser
 * than the dots of strokes.h, but without gaps. */
#ifndef HEADLIGHT_DRAW_SMOOTH_H
#define HEADLIGHT_DRAW_SMOOTH_H

#include "headlight/base/error.h"
#include "headlight/draw/canvas.h"

/* Draws strokes of one role in an area, a later one above an earlier one. In ASCII, and where
 * curves are kept, strokes_draw does it. STATUS_MEMORY. */
enum status smooth_draw(struct canvas *canvas, struct area area, const struct stroke *strokes,
                        size_t count, struct error *error);

#endif
