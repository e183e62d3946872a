/* snapshot.h: a canvas as a file: plain text, text with ANSI colours, SVG, or a page of HTML. The
 * same canvas gives the same bytes. */
#ifndef HEADLIGHT_EXPORT_SNAPSHOT_H
#define HEADLIGHT_EXPORT_SNAPSHOT_H

#include "headlight/base/error.h"
#include "headlight/draw/canvas.h"
#include "headlight/draw/theme.h"

#include <stdio.h>

enum snapshot_format { SNAPSHOT_TXT, SNAPSHOT_ANSI, SNAPSHOT_SVG, SNAPSHOT_HTML, SNAPSHOT_FORMATS };

/* The endings of file names, for messages. */
#define SNAPSHOT_ENDINGS ".txt, .ansi, .svg or .html"

/* What a snapshot says about itself: pairs of a name and a value, as outside text: made safe where
 * written. Everything is borrowed. */
struct snapshot_fact {
    const char *name, *value;
};
struct snapshot_about {
    const char *title;
    const struct snapshot_fact *facts;
    size_t count;
};

/* The format that a file name's ending asks for; false for any other ending. */
bool snapshot_format_of(const char *path, enum snapshot_format *format);

/* Rows without trailing blanks. */
void snapshot_write_txt(const struct canvas *canvas, FILE *stream);

/* Text as text, dots and blocks and frames as shapes, no scripts. */
void snapshot_write_svg(const struct canvas *canvas, const struct theme *theme,
                        const struct snapshot_about *about, FILE *stream);

/* One page that needs nothing else: the picture, the facts under it, and the screen as text. */
void snapshot_write_html(const struct canvas *canvas, const struct theme *theme,
                         const struct snapshot_about *about, FILE *stream);

/* Writes a file whole or not at all; the format is the file name's. Text and ANSI are the screen
 * itself and say nothing of `about`. STATUS_USAGE for another ending, STATUS_IO. */
enum status snapshot_save(const struct canvas *canvas, const struct theme *theme, enum depth depth,
                          const struct snapshot_about *about, const char *path,
                          struct error *error);

#endif
