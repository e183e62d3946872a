#include "headlight/view/lines.h"

#include <math.h>
#include <string.h>
#include <utf8proc.h>

/* 0.25 + 0.75·min(1, w/0.8) of full brightness. */
unsigned lines_level(unsigned weight)
{
    unsigned capped = weight < 800 ? weight : 800;
    return (STYLE_FULL * (800 + 3 * capped) + 1600) / 3200;
}

struct stroke lines_stroke(struct ink ink, unsigned shade, bool dense)
{
    int thickness = shade >= 600 ? 3 : shade >= 300 ? 2 : 1;
    if (dense)
        thickness = shade >= 500 ? 2 : 1;
    return (struct stroke){
        .ink = {ink.role, (uint8_t)lines_level(shade)},
        .thickness = thickness,
        .every = shade < 100   ? 3
                 : shade < 200 ? 2
                               : 1,
    };
}

/* Braille numbers its dots down the left column, then the right one; the lowest row came later. */
static uint8_t dot_bit(int y, int x)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    return bits[y & 3][x & 1];
}

static void dot(struct canvas *canvas, struct area area, int y, int x, struct ink ink)
{
    if (y < 0 || x < 0 || y >= 4 * area.rows || x >= 2 * area.columns)
        return;
    struct cell *cell = canvas_at(canvas, area.y + y / 4, area.x + x / 2);
    if (!cell)
        return;
    cell->dots |= dot_bit(y, x);
    cell->style.fore = ink;
}

static void thick_dot(struct canvas *canvas, struct area area, int y, int x, struct stroke stroke)
{
    int first = stroke.thickness == 3 ? y - 1 : y;
    for (int i = 0; i < stroke.thickness; i++)
        dot(canvas, area, first + i, x, stroke.ink);
}

/* Perlin's smootherstep: level at both ends. */
static double smootherstep(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* The rows of dots where a line is seen: a thick one reaches a dot further. */
struct reach {
    int top, bottom;
};

/* How many dots a line on its way from row `y` to row `next` may skip unseen. */
static int count_unseen(struct reach reach, int y, int next)
{
    int steps = next > y ? next - y : y - next;
    int unseen = next > y ? reach.top - 1 - y : y - 1 - reach.bottom;
    return unseen < 0 ? 0 : unseen < steps ? unseen : steps;
}

void lines_curve_dots(struct canvas *canvas, struct area area, int from, int to,
                      struct stroke stroke)
{
    const struct reach reach = {-1, 4 * area.rows};
    int width = 2 * area.columns, y = from, count = 0;
    if ((from < reach.top && to < reach.top) || (from > reach.bottom && to > reach.bottom))
        return;
    for (int x = 0; x < width; x++) {
        double t = width > 1 ? (double)x / (width - 1) : 1;
        int next = from + (int)lround((to - from) * smootherstep(t));
        int step = next > y ? 1 : -1, unseen = count_unseen(reach, y, next);
        count += unseen;
        y += unseen * step;
        if (unseen > 0 && y == next)
            continue;
        do { /* a steep part fills every dot between the columns */
            if (y != next)
                y += step;
            if (count++ % stroke.every == 0)
                thick_dot(canvas, area, y, x, stroke);
        } while (y != next && y >= reach.top && y <= reach.bottom);
        if (from < to ? y > reach.bottom : y < reach.top)
            return; /* it never comes back */
    }
}

/* The second of a row's four rows of dots is its middle. */
void lines_curve(struct canvas *canvas, struct area area, int from, int to, struct stroke stroke)
{
    lines_curve_dots(canvas, area, 4 * from + 1, 4 * to + 1, stroke);
}

/* Which of the four dot rows have a dot, top row as bit 0. */
static unsigned rows_of(uint8_t dots)
{
    unsigned rows = 0;
    for (int y = 0; y < 4; y++)
        if (dots & (dot_bit(y, 0) | dot_bit(y, 1)))
            rows |= 1u << y;
    return rows;
}

static const char *block_of(uint8_t dots)
{
    unsigned rows = rows_of(dots);
    bool top = rows & 3, bottom = rows & 12;
    return top && bottom ? "█" : top ? "▀" : "▄";
}

static const char *ascii_of(uint8_t dots)
{
    static const char *const signs[16] = {" ", "'", "-", "=", "-", ":", "=", "%",
                                          ".", ":", ":", "%", "=", "%", "%", "#"};
    return signs[rows_of(dots)];
}

static void braille_of(uint8_t dots, char *text)
{
    utf8proc_ssize_t length = utf8proc_encode_char(0x2800 + dots, (utf8proc_uint8_t *)text);
    text[length] = '\0';
}

static void finish_cell(struct cell *cell, enum glyph_set glyphs)
{
    if (cell->dots == 0)
        return;
    if (glyphs == GLYPHS_BRAILLE)
        braille_of(cell->dots, cell->text);
    else
        strcpy(cell->text, glyphs == GLYPHS_BLOCKS ? block_of(cell->dots) : ascii_of(cell->dots));
    cell->width = 1;
    cell->dots = 0;
}

void lines_finish(struct canvas *canvas, struct area area)
{
    for (int y = area.y; y < area.y + area.rows; y++)
        for (int x = area.x; x < area.x + area.columns; x++)
            if (canvas_at(canvas, y, x))
                finish_cell(canvas_at(canvas, y, x), canvas->traits.glyphs);
}
