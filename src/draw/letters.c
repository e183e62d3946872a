/* letters.c: large letters for the back of a room. Their shapes are drawn in assets/letters.txt, a
 * # for each half of a cell, in bands of thirteen letters. No font file is read: a terminal has
 * none to offer, and these are few. */
#include "headlight/draw/canvas.h"

#include "headlight/base/incbin.h"

#include <string.h>

/* ---- Shapes ---- */

/* Of each band a line with its letters, and HEIGHT lines that show them. */
INCLUDE_FILE(letters, "assets/letters.txt");

#define PITCH  6 /* columns from one shape to the next in a band; the blanks at its end are cut */
#define HEIGHT 8 /* a row of the screen holds two rows of a shape */

/* A blank between letters, and what a space is wide. */
#define GAP   1
#define SPACE 1

struct shape {
    const char *rows[HEIGHT + 1]; /* of its band, each behind a line end; NULL: there is none */
    size_t x;
    int width;
};

/* Rows are written without the blanks at their end, so beyond a row nothing is set. */
static bool is_set(const struct shape *shape, int y, int x)
{
    const size_t at = shape->x + (size_t)x,
                 length = (size_t)(shape->rows[y + 1] - shape->rows[y]) - 1;
    return x < PITCH && at < length && shape->rows[y][at] == '#';
}

/* A letter's place in its band is a multiple of the pitch. There are few letters on a screen, so
 * looking through all bands is fast enough. */
static struct shape shape_of(const struct glyph *wanted)
{
    struct glyph glyph;
    for (const char *names = (const char *)letters_begin; *names;) {
        struct shape shape = {.rows = {strchr(names, '\n') + 1}};
        struct text_reader reader = text_reader(names, strcspn(names, "\n"), false);
        for (int y = 0; y < HEIGHT; y++)
            shape.rows[y + 1] = strchr(shape.rows[y], '\n') + 1;
        for (names = shape.rows[HEIGHT]; text_next(&reader, &glyph); shape.x += PITCH)
            if (strcmp(glyph.text, wanted->text) == 0) {
                shape.width = SPACE; /* up to the last column that has anything in it */
                for (int i = 0; i < PITCH * HEIGHT; i++)
                    if (is_set(&shape, i % HEIGHT, i / HEIGHT))
                        shape.width = i / HEIGHT + 1;
                return shape;
            }
    }
    return (struct shape){.width = 0};
}

/* ---- Drawing ---- */

/* Without the gap behind the last letter. Stops as soon as no canvas could hold the text, so that
 * the sum cannot overflow. */
int letters_columns(const char *text)
{
    struct text_reader reader = text_reader(text, strlen(text), false);
    struct glyph glyph;
    int columns = 0;
    while (text_next(&reader, &glyph)) {
        struct shape shape = shape_of(&glyph);
        if (!shape.rows[0] || columns > CANVAS_MAX)
            return 0;
        columns += shape.width + GAP;
    }
    return columns > 0 ? columns - GAP : 0;
}

int letters_draw(struct canvas *canvas, int y, int x, int scale, struct style style,
                 const char *text)
{
    struct text_reader reader = text_reader(text, strlen(text), false);
    struct glyph glyph;
    int begin = x;
    while (text_next(&reader, &glyph)) {
        struct shape shape = shape_of(&glyph);
        for (int row = 0; shape.rows[0] && row < scale * LETTERS_ROWS; row++)
            for (int column = 0; column < scale * shape.width; column++) {
                const bool top = is_set(&shape, 2 * row / scale, column / scale),
                           bottom = is_set(&shape, (2 * row + 1) / scale, column / scale);
                if (top || bottom)
                    canvas_text(canvas, y + row, x + column, 1, style,
                                !top     ? "▄"
                                : bottom ? "█"
                                         : "▀");
            }
        x += scale * (shape.width + GAP);
    }
    return x - begin;
}
