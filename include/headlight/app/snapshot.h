/* snapshot.h: a canvas as a file: plain text, text with ANSI colours, or SVG. The same canvas gives
 * the same bytes. */
#ifndef HEADLIGHT_APP_SNAPSHOT_H
#define HEADLIGHT_APP_SNAPSHOT_H

#include "headlight/base/error.h"
#include "headlight/view/canvas.h"
#include "headlight/view/theme.h"

#include <stdio.h>

enum snapshot_format {
    SNAPSHOT_TXT,
    SNAPSHOT_ANSI,
    SNAPSHOT_SVG,
};

/* How many colours there are. */
enum depth {
    DEPTH_MONO,
    DEPTH_16,
    DEPTH_256,
    DEPTH_DIRECT,
};

/* The format that a file name's ending asks for; false for any other ending. */
bool snapshot_format_of(const char *path, enum snapshot_format *format);

/* Rows without trailing blanks. */
void snapshot_write_txt(const struct canvas *canvas, FILE *stream);

/* The same with SGR sequences of the given depth; each row ends with a reset. */
void snapshot_write_ansi(const struct canvas *canvas, const struct theme *theme, enum depth depth,
                         FILE *stream);

/* Text as text, dots and blocks as shapes, no scripts; `title` names the picture. */
void snapshot_write_svg(const struct canvas *canvas, const struct theme *theme, const char *title,
                        FILE *stream);

/* Writes a file whole or not at all; the format is the file name's. */
enum status snapshot_save(const struct canvas *canvas, const struct theme *theme, enum depth depth,
                          const char *title, const char *path, struct error *error);

#endif
