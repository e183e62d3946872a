/* snapshot_svg.h: the picture that the .svg and the .html snapshot share. */
#ifndef HEADLIGHT_EXPORT_SNAPSHOT_SVG_H
#define HEADLIGHT_EXPORT_SNAPSHOT_SVG_H

#include "headlight/export/snapshot.h"

/* The svg element. A picture that stands `alone` holds its facts as metadata too, which a page has
 * in its head. */
void snapshot_picture(const struct canvas *canvas, const struct theme *theme,
                      const struct snapshot_about *about, bool alone, FILE *stream);

#endif
