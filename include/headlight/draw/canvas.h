/* canvas.h: a grid of cells that views draw on and that a terminal, a file or a test reads.
 *
 *     struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
 *     canvas_text(canvas, 0, 2, 20, style_of(ROLE_TEXT), "flies");
 *
 * Drawing outside the grid is cut off, never an error. What there is no memory for isn't drawn, and
 * the canvas remembers the failure, as a stream does a failed write. */
#pragma once

#include "headlight/base/error.h"
#include "headlight/base/size.h"
#include "headlight/draw/style.h"
#include "headlight/draw/text.h"

#include <math.h>
#include <string.h>

/* The most rows or columns. */
#define CANVAS_MAX 1000

/* What the output can show. */
enum glyph_set {
    GLYPHS_BRAILLE, /* Unicode with braille */
    GLYPHS_BLOCKS,  /* Unicode without braille: the Linux console */
    GLYPHS_ASCII,
};

/* How the user wants lines to be drawn. */
enum lines_wish {
    LINES_AUTO,    /* the best that whoever shows them is known to show */
    LINES_PIXELS,  /* true curves */
    LINES_BLOCKS,  /* quadrants, or sextants where a terminal draws them itself */
    LINES_BRAILLE, /* dots */
};

/* What lines are made of where there is braille; many lines stay braille, whose dots are finer. */
enum line_set {
    LINE_BRAILLE,
    LINE_QUADRANTS,
    LINE_SEXTANTS, /* Unicode 13, which few fonts have */
};

/* What a terminal can show, or the format of an export. */
struct traits {
    enum glyph_set glyphs;
    bool mono; /* no colour: sign and strength must show in the glyphs */
};

/* Cells are plain values: two screens are compared, and a screen is saved, cell by cell. */
struct cell {
    char text[GLYPH_BYTES]; /* one glyph, made safe; empty: the right half of a wide one */
    uint8_t width;          /* 1, 2, or 0 for that right half */
    struct style style;
};

/* What stands at a cell, as whoever draws it says: an address, whose parts are places, each with a
 * number that is there; place 0 is nothing. */
#define HIT_PARTS 3
struct hit {
    uint16_t place[HIT_PARTS];
    bool passing; /* the mouse means it by passing over it, without a click */
    size_t value[HIT_PARTS];
};

/* A part of the grid. */
struct area {
    int y, x, rows, columns;
};

/* What is left of it below so many rows. */
static inline struct area area_below(struct area area, int rows)
{
    return (struct area){area.y + rows, area.x, area.rows - rows, area.columns};
}

/* ---- Strokes: lines between tokens, for whatever shows the picture to draw as well as it can ----
 *
 * A stroke runs from the left edge of an area of cells, its field, to the right edge: level for a
 * twentieth of the way, nearly straight, and level again. It says its weight by width first and by
 * brightness second. */

/* Measured in rows of cells, from the top of the field: the middle of its first row is 0.5. A
 * stroke may begin or end above or below the field, which cuts it off. */
struct stroke {
    float from, to;
    float width;
    struct ink ink; /* its level counts from the faintest that can be seen, see theme_settle */
    bool dashed;
};

/* The dashes of a stroke, and how much of each there is, the rest being a gap. */
#define STROKE_DASHES 16
#define STROKE_DASH   0.65

/* Whether something of a stroke is to be seen after this share, 0 … 1, of its way. */
static inline bool stroke_shows(const struct stroke *stroke, double way)
{
    return !stroke->dashed || fmod(way * STROKE_DASHES, 1) < STROKE_DASH;
}

/* How much of its rise, 0 … 1, a stroke has made after this share, 0 … 1, of its way. */
double stroke_risen(double way);

/* The two ways along which it bends from level to straight and back: cubic curves through these
 * shares of the way have the same shape. */
#define STROKE_LEVEL 0.05
#define STROKE_BEND  0.15

/* The strokes of an area that are kept, light to heavy; or a heat map, whose area counts halves of
 * rows; or a text that is turned. */
struct field {
    struct area area;
    char *turned; /* written upwards in the middle of the columns; NULL: none */
    struct ink ink;
    struct stroke *strokes;
    size_t count;
    struct ink *inks; /* [rows,columns] of the map; NULL: none */
    int rows, columns;
};

/* What a figure had too little of: whoever cuts something, or leaves it out, says so. */
enum overflow { OVERFLOW_COLUMNS = 1, OVERFLOW_ROWS = 2 };

/* Owns its arrays; its size never changes, so a resized terminal gets a new one. */
struct canvas {
    int columns, rows;
    struct traits traits;
    struct cell *cells;   /* [rows, columns] */
    struct hit *hits;     /* [rows, columns] */
    enum line_set lines;  /* set by the owner */
    bool curves;          /* strokes are kept besides, to be drawn as such; set by the owner */
    bool whole;           /* heat maps are kept with every cell; set by the owner */
    bool bare;            /* a figure: nothing of a screen, nothing cut; set by the owner */
    unsigned overflow;    /* of a figure: what there was too little of, see enum overflow */
    struct field *fields; /* [field_count] */
    size_t field_count;
    struct error
        error; /* why something could not be drawn since it was cleared; STATUS_OK: all was */
};

/* An empty canvas, or NULL without memory or with a side that is not 1 … CANVAS_MAX. */
struct canvas *canvas_new(int columns, int rows, struct traits traits);

/* Accepts NULL. */
void canvas_free(struct canvas *canvas);

void canvas_clear(struct canvas *canvas);

/* The whole grid. */
struct area canvas_area(const struct canvas *canvas);

/* The cell, or NULL outside the grid. */
struct cell *canvas_at(const struct canvas *canvas, int y, int x);

/* Where the blanks begin with which a row ends; with `grounds`, those alone that lie on the plain
 * ground. */
int canvas_row_end(const struct canvas *canvas, int y, bool grounds);

/* ---- Text ----
 * From outside or not: it is made safe glyph by glyph (text.h), so no caller has to. */

/* Puts one glyph; a wide one takes two cells, and is a blank where only one is left. */
void canvas_put(struct canvas *canvas, int y, int x, struct style style, const struct glyph *glyph);

/* Writes text, made safe, in at most `columns` cells, with … where it is cut. Returns the cells
 * used. */
int canvas_text(struct canvas *canvas, int y, int x, int columns, struct style style,
                const char *text);

/* The same, formatted; the result is cut at 511 bytes. */
int canvas_print(struct canvas *canvas, int y, int x, int columns, struct style style,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Writes words in as many rows of the area as they need; the last is cut where there are no more.
 * Returns the rows used. */
int canvas_paragraph(struct canvas *canvas, struct area area, struct style style, const char *text);

/* Text that ends at column `end` (exclusive). Returns the column where it begins. */
int canvas_text_right(struct canvas *canvas, int y, int end, int columns, struct style style,
                      const char *text);

/* Writes pieces of different styles one after the other on a row, up to column `end` (exclusive).
 */
struct pen {
    struct canvas *canvas;
    int y, x, end;
};

void pen_print(struct pen *pen, struct style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes faint words with numbers among them: what stands in { } is as bright as text, what stands
 * in < > is bold. Each such piece is cut or left out on its own. The marks count in what is
 * inserted, too: nothing that is the user's may be. */
void pen_write(struct pen *pen, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Numbers and bars ---- */

/* A number as text; of a weight in thousandths "0.417". */
struct weight_text {
    char text[24];
};

struct weight_text number_weight(unsigned thousandths);

/* A number, with its sign or without, in so many columns: "3.210", "+18.3", "-103": with `decimals`
 * digits after the point, or with as many as there is room for, be it without the zero before it:
 * "-.19". */
struct weight_text number_text(double value, bool sign, int decimals, int columns);

/* Fills with blanks of a style. */
void canvas_fill(struct canvas *canvas, struct area area, struct style style);

/* A horizontal bar, `eighths` eighths of a cell long, in at most `columns` cells. */
void canvas_bar(struct canvas *canvas, int y, int x, int columns, int eighths, struct style style);

/* A field for what is kept besides the cells, for the caller to fill in with memory that is the
 * canvas' from then on. NULL without memory. */
struct field *canvas_keep(struct canvas *canvas, struct area area);

/* Above the bottom of its area, in eighths of a row. */
#define TURNED_GAP 1

/* Rows that a text takes when it is turned; and keeps it, in a figure: it begins at the bottom of
 * the area and is read upwards. */
int canvas_turned_rows(const struct canvas *canvas, const char *text);
void canvas_turn(struct canvas *canvas, struct area area, struct style style, const char *text);

/* ---- Clicks ---- */

static inline bool hit_equal(struct hit a, struct hit b)
{
    return memcmp(a.place, b.place, sizeof a.place) == 0 &&
           memcmp(a.value, b.value, sizeof a.value) == 0;
}

/* Says what an area is; a later one lies above an earlier one. */
void canvas_mark(struct canvas *canvas, struct area area, struct hit hit);

/* The same of what was written since a column. */
static inline void pen_mark(const struct pen *pen, int begin, struct hit hit)
{
    canvas_mark(pen->canvas, (struct area){pen->y, begin, 1, pen->x - begin}, hit);
}

/* What stands at a cell; nothing outside the grid. */
struct hit canvas_hit(const struct canvas *canvas, int y, int x);

/* Whether text is to be written in ASCII. */
static inline bool canvas_ascii(const struct canvas *canvas)
{
    return canvas->traits.glyphs == GLYPHS_ASCII;
}

/* The columns that text takes on it. */
static inline int canvas_width(const struct canvas *canvas, const char *text)
{
    return (int)text_width(text, canvas_ascii(canvas));
}

/* ---- Strokes in cells (strokes.c) ----
 * As dots, two by four a cell; where the canvas wants curves, they are kept as well for whoever
 * shows it.
 *
 *     struct stroke stroke = {.from = 0.5F, .to = 4.5F, .width = 0.2F, .ink = ink_head(2, 9)};
 *     strokes_draw(canvas, area, &stroke, 1); */

/* Draws strokes in an area, which may have no rows or no columns. A later one lies above an earlier
 * one: light to heavy. In cells the uppermost that crosses a cell owns its colour. */
void strokes_draw(struct canvas *canvas, struct area area, const struct stroke *strokes,
                  size_t count);

/* ---- Large letters (letters.c) ----
 * A line of text so large that it is read from the back of a room, in half blocks.
 *
 *     int scale = 2, columns = scale * letters_columns("0.58");
 *     letters_draw(canvas, y, x, scale, style_of(ROLE_STRONG), "0.58"); */

/* The height of a line at scale 1; its widths are letters_columns. */
#define LETTERS_ROWS 4

/* 0 where a letter has no shape (ASCII has, and → ← … · × √ Σ ₀ to ₉), or no canvas has so many
 * columns. */
int letters_columns(const char *text);

/* Draws text whose letters all have shapes. Returns the columns used, with the gap behind it. */
int letters_draw(struct canvas *canvas, int y, int x, int scale, struct style style,
                 const char *text);
