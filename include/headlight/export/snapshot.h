/* snapshot.h: the contents of a picture, and what SVG and HTML share. The same canvas gives the
 * same bytes. export.h lists the formats. */
#ifndef HEADLIGHT_EXPORT_SNAPSHOT_H
#define HEADLIGHT_EXPORT_SNAPSHOT_H

#include "headlight/draw/canvas.h"
#include "headlight/draw/theme.h"

#include <stdio.h>

/* The pixels of a cell. */
#define CELL_WIDTH  10
#define CELL_HEIGHT 20

/* A fact about a picture; it may be any text, and is escaped. */
struct snapshot_fact {
    const char *name, *value;
};

/* Everything is borrowed. Text formats leave out title and facts; the depth is for ANSI. */
struct snapshot {
    const struct canvas *canvas;
    const struct theme *theme;
    enum depth depth;
    const char *title;
    const struct snapshot_fact *facts;
    size_t fact_count;
};

/* The svg element: text as text; dots, blocks and frames as shapes; no scripts. If `alone`, it has
 * its facts as metadata too, which otherwise are in the page's head. */
void snapshot_write_picture(const struct snapshot *snapshot, bool alone, FILE *stream);

/* Escapes any text for an element or a double-quoted attribute, in XML and HTML, without control
 * characters and noncharacters, as on the screen. Unlike a cell, it keeps a zero-width joiner
 * between two letters or emoji; other joiners become \u{200d}. */
void snapshot_write_text(FILE *stream, const char *text);

/* The same between two pieces of markup. */
void snapshot_write_between(FILE *stream, const char *before, const char *text, const char *after);

/* The same for `length` bytes. */
void snapshot_write_part(FILE *stream, const char *text, size_t length);

/* A text, then an ink as #rrggbb. */
void snapshot_write_color(FILE *stream, const char *before, const struct theme *theme,
                          struct ink ink);

/* Each fact's name and value, with markup before, between and after them. */
void snapshot_write_facts(FILE *stream, const struct snapshot *snapshot, const char *before,
                          const char *between, const char *after);

#endif
