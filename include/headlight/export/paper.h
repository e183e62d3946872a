/* paper.h: what is drawn for a file: the screen; or for a paper (--bare) the view alone, in type of
 * one size.
 *
 *     struct paper paper = {.width = 3.3 * 72, .font_size = 8};
 *     output.paper = &paper; */
#ifndef HEADLIGHT_EXPORT_PAPER_H
#define HEADLIGHT_EXPORT_PAPER_H

#include "headlight/export/export.h"

/* The theme, where no other was chosen. */
#define PAPER_THEME "light"

/* The pixels of type in a picture whose cells have CELL_WIDTH. DejaVu Sans Mono and Menlo advance
 * by 0.602 of it, a cell. This keeps columns aligned in programs that ignore textLength
 * (rsvg-convert). */
#define PAPER_FONT 16.61

/* In points. */
struct paper {
    double width, font_size;
    const char *font; /* NULL: those that are as wide as a cell */
};

/* The points of a pixel. */
double paper_pixel(const struct paper *paper);

/* Draws the screen of a session on a new canvas, for a format with these needs (FORMAT_CURVES, …);
 * it is to be freed by the caller, and NULL where there is no memory for one. */
enum status paper_draw_screen(const struct output *output, unsigned needs, int columns, int rows,
                              struct canvas **canvas, struct error *error);

/* Hands `draw` the session as a picture: a figure for a paper where the output has one, else the
 * screen. */
enum status export_picture(const struct output *output, unsigned needs,
                           void (*draw)(const struct snapshot *snapshot, FILE *stream),
                           FILE *stream, struct error *error);

/* Draws the session's view on a canvas of its own, to be freed by the caller also where this fails.
 * STATUS_USAGE: the view makes no figure, or is wider; STATUS_MEMORY. */
enum status paper_draw(const struct output *output, struct canvas **canvas, struct error *error);

/* All that is drawn, in pixels. */
struct paper_box {
    int left, top, right, bottom;
};

struct paper_box paper_box(const struct canvas *canvas);

#endif
