/* model_view.h: the model view. All layers (down) and heads (across) as thumbnails, heat maps of
 * their attention weights or lines (model_view_lines.h). The head under the cursor is framed, and
 * where there is room drawn large, with its metrics. One of them can stand under each thumbnail,
 * and order them (model_view_order.h): each head then says which it is.
 *
 * A heat map has a row of dots for each attending token, a column for each attended one.
 * A dot is half a cell high (without colour a whole one: there the glyph's density says the
 * weight). Where there are more tokens than dots, a dot shows the largest weight of those it stands
 * for, so that no heavy weight is ever lost; where there are fewer, each token gets the same number
 * of dots. A thumbnail shows what the filter leaves. When not all of them fit, those around the
 * cursor are shown, and arrows say where more lies. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_H
#define HEADLIGHT_VIEW_MODEL_VIEW_H

#include "headlight/view/thumbnails.h"

/* From this many columns on, the cursor's head is drawn large at the right. */
#define MODEL_VIEW_LARGE_FROM 100

/* Makes *store, which may be NULL, anew unless it has what the thumbnails need on this canvas. As
 * the scene's `thumbnails` it spares drawing to go through all weights; whoever changes the scene's
 * attention frees it. STATUS_MEMORY: then *store is NULL. */
enum status model_view_prepare(const struct scene *scene, const struct canvas *canvas,
                               struct area area, struct thumbnails **store, struct error *error);

/* STATUS_MEMORY. */
enum status model_view_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                            struct error *error);

#endif
