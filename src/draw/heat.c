#include "headlight/draw/heat.h"

#include "headlight/base/size.h"

#include <math.h>
#include <string.h>

#define LANES 16
#define PIECE 512 /* columns of a map that are gone through at a time */

int heat_per_row(const struct canvas *canvas)
{
    return canvas->traits.mono || canvas_ascii(canvas) ? 1 : 2;
}

/* The tokens of a range that one of `dots` dots stands for; never none, unless the range is. */
static struct token_range dot_tokens(struct token_range range, int dot, int dots)
{
    size_t count = range.end - range.first;
    size_t first = (size_t)dot * count / (size_t)dots;
    size_t end = size_max(((size_t)dot + 1) * count / (size_t)dots, first + 1);
    return (struct token_range){range.first + first, range.first + size_min(end, count)};
}

/* A dot of the row that is being drawn. */
struct dot {
    struct token_range to;
    float largest;
};

/* Lane by lane, which a processor does side by side. */
static void raise_shares_block(const float *restrict weights, float whole, float *restrict largest)
{
    for (size_t lane = 0; lane < LANES; lane++) {
        float share = weights[lane] / whole;
        largest[lane] = share > largest[lane] ? share : largest[lane];
    }
}

/* Raises each number to the share that a weight has of the largest one of the whole row. */
static void raise_shares(const float *weights, size_t count, float whole, float *largest)
{
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        raise_shares_block(weights + i, whole, largest + i);
    for (; i < count; i++) {
        float share = weights[i] / whole;
        largest[i] = share > largest[i] ? share : largest[i];
    }
}

/* Raises the largest weights of a piece's columns so far to those of one row. */
static void raise_largest(const struct heat *heat, size_t from, struct token_range piece,
                          float largest[PIECE])
{
    const float *row = heat->weights + from * heat->attended, *weights = row + piece.first;
    size_t count = piece.end - piece.first;
    if (heat->tone != TONE_ROW) {
        edge_raise(weights, count, largest);
        return;
    }
    float whole = edge_largest(row, heat->attended);
    if (whole > 0)
        raise_shares(weights, count, whole, largest);
}

/* To the largest of those of its columns that lie in the piece. */
static void raise_dot(struct dot *dot, struct token_range piece, const float largest[PIECE])
{
    size_t first = size_max(dot->to.first, piece.first), end = size_min(dot->to.end, piece.end);
    float weight = first < end ? edge_largest(largest + (first - piece.first), end - first) : 0;
    dot->largest = weight > dot->largest ? weight : dot->largest;
}

/* Each row of weights is gone through once. */
static void measure_row(const struct heat *heat, int y, struct dot *dots)
{
    struct token_range from = dot_tokens(heat->from, y, heat->rows);
    float largest[PIECE];
    for (int x = 0; x < heat->columns; x++)
        dots[x].largest = 0;
    for (size_t first = heat->to.first; first < heat->to.end; first += PIECE) {
        struct token_range piece = {first, size_min(first + PIECE, heat->to.end)};
        memset(largest, 0, sizeof largest);
        for (size_t i = from.first; i < from.end; i++)
            raise_largest(heat, i, piece, largest);
        for (struct dot *dot = dots; dot < dots + heat->columns; dot++)
            raise_dot(dot, piece, largest);
    }
}

void heat_measure(const struct heat *heat, float *largest)
{
    struct dot dots[CANVAS_MAX];
    for (int x = 0; x < heat->columns; x++)
        dots[x].to = dot_tokens(heat->to, x, heat->columns);
    for (int y = 0; y < heat->rows; y++) {
        measure_row(heat, y, dots);
        for (int x = 0; x < heat->columns; x++)
            *largest++ = dots[x].largest;
    }
}

/* w^(3/4): the small weights, of which there are most, are spread, and the heavy ones still stand
 * out. Level 1 is a weight of 0, so that the extent of a map shows. */
static struct ink heat_ink(const struct heat *heat, float largest)
{
    double root = sqrt(edge_shade(heat->tone, largest, 1) / (double)EDGE_WHOLE);
    unsigned level = 1 + (unsigned)lround((STYLE_FULL - 1) * root * sqrt(root));
    return ink_head(heat->head, heat->on ? level : (level + 1) / 3);
}

static const char *density(struct ink ink, bool ascii)
{
    static const char *const signs[] = {" ", "·", "░", "▒", "▓", "█"};
    static const char *const signs_ascii[] = {" ", ".", ":", "+", "*", "#"};
    size_t step = ink.level < 2 ? ink.level : 2 + (ink.level - 2u) * 4 / STYLE_FULL;
    return ascii ? signs_ascii[step] : signs[step];
}

void heat_dot(struct canvas *canvas, int y, int x, struct ink ink)
{
    int per_row = heat_per_row(canvas);
    const struct cell *cell = canvas_at(canvas, y / per_row, x);
    struct style style = {.fore = ink};
    if (!cell)
        return;
    if (per_row == 1) {
        canvas_text(canvas, y, x, 1, style, density(ink, canvas_ascii(canvas)));
        return;
    }
    if (strcmp(cell->text, "▀") == 0)
        style = cell->style;
    else
        style.fore = style.back;
    *(y % 2 == 0 ? &style.fore : &style.back) = ink;
    canvas_text(canvas, y / 2, x, 1, style, "▀");
}

void heat_draw(const struct heat *heat, const float *largest, struct canvas *canvas, int y, int x)
{
    for (int row = 0; row < heat->rows; row++)
        for (int column = 0; column < heat->columns; column++)
            heat_dot(canvas, y + row, x + column, heat_ink(heat, *largest++));
}
