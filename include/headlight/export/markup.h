/* markup.h: the small change of the .svg and the .html snapshot. */
#ifndef HEADLIGHT_EXPORT_MARKUP_H
#define HEADLIGHT_EXPORT_MARKUP_H

#include "headlight/export/snapshot.h"

/* Writes outside text as the content of an element or of an attribute in double quotes, in XML as
 * in HTML: made safe as on the screen, so no control and no noncharacter gets out. */
void markup_text(FILE *stream, const char *text);

/* An ink as #rrggbb. */
void markup_color(FILE *stream, const struct theme *theme, struct ink ink);

/* The facts in one readable line: "model: built-in; layer: 2". */
void markup_sentence(FILE *stream, const struct snapshot_about *about);

#endif
