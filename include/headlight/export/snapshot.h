/* snapshot.h: what a picture is made from, and what SVG and HTML share. The same canvas gives the
 * same bytes. export.h lists the formats. */
#ifndef HEADLIGHT_EXPORT_SNAPSHOT_H
#define HEADLIGHT_EXPORT_SNAPSHOT_H

#include "headlight/draw/canvas.h"
#include "headlight/draw/theme.h"

#include <stdio.h>

/* The pixels of a cell. */
#define CELL_WIDTH  10
#define CELL_HEIGHT 20

/* What a picture says about itself; as text from outside it is made safe where it is written. */
struct snapshot_fact {
    const char *name, *value;
};

/* Everything is borrowed. Text, plain or with ANSI colours, says nothing of title and facts; the
 * depth is that of ANSI. */
struct snapshot {
    const struct canvas *canvas;
    const struct theme *theme;
    enum depth depth;
    const char *title;
    const struct snapshot_fact *facts;
    size_t fact_count;
};

/* The svg element: text as text, dots and blocks and frames as shapes, no scripts. A picture that
 * stands `alone` holds its facts as metadata too, which a page has in its head. */
void snapshot_write_picture(const struct snapshot *snapshot, bool alone, FILE *stream);

/* Writes outside text as the content of an element or of an attribute in double quotes, in XML as
 * in HTML: made safe as on the screen, so no control and no noncharacter gets out. Unlike a cell,
 * it keeps a zero-width joiner between two letters or emoji; any other is shown as \u{200d}. */
void snapshot_write_text(FILE *stream, const char *text);

/* The same of so many bytes. */
void snapshot_write_part(FILE *stream, const char *text, size_t length);

/* An ink as #rrggbb, behind a text. */
void snapshot_write_color(FILE *stream, const char *before, const struct theme *theme,
                          struct ink ink);

/* Each fact's name and value, with markup before, between and after them. */
void snapshot_write_facts(FILE *stream, const struct snapshot *snapshot, const char *before,
                          const char *between, const char *after);

#endif
