/* heat.c: bands and small heat maps. Values of bands are rounded to thousandths before they get a
 * level, so that the last bits of a float, which differ between machines, change no cell. Measuring
 * a heat map reads every weight and is done once; drawing a measured map needs only its dots. */
#include "headlight/draw/heat.h"

#include "headlight/base/memory.h"

/* ---- Bands ---- */

int bands_columns(size_t count, size_t per_cell)
{
    return (int)((count + per_cell - 1) / per_cell);
}

/* 0 stands for 4, the unit of queries and keys. */
static float unit_of(struct band_scale scale)
{
    return scale.unit > 0 ? scale.unit : 4;
}

float bands_full(struct band_scale scale)
{
    return scale.largest > 0 ? scale.largest : 2 * unit_of(scale); /* tanh 2 = 0.96 */
}

/* The strength is tanh(|v|/unit), as in BertViz, which tells small numbers apart and never
 * overflows, or |v|/largest. A NaN, or what is larger than the largest, gets full strength. */
struct ink bands_ink(float value, struct band_scale scale)
{
    double rounded = round((double)value * 1000) / 1000;
    double unit = (double)unit_of(scale);
    double strength =
        scale.largest > 0 ? fabs(rounded) / (double)scale.largest : tanh(fabs(rounded) / unit);
    if (!(strength <= 1))
        strength = 1;
    long level = lround(strength * (double)scale.dim * STYLE_FULL);
    return (struct ink){.role = rounded < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE,
                        .level = (uint8_t)level};
}

/* The one that is furthest from 0. */
static float largest_of(const float *values, size_t count)
{
    float largest = values[0];
    for (size_t i = 1; i < count; i++)
        largest = fabsf(values[i]) > fabsf(largest) ? values[i] : largest;
    return largest;
}

/* "▌" has two colours: its own for the left dimension, its ground for the right one. Where a cell
 * holds one dimension, both are the same. */
void bands_draw(struct canvas *canvas, int y, int x, int rows, const float *values, size_t count,
                size_t per_cell, struct band_scale scale)
{
    static const char *const signs[2][2][5] = {
        {{" ", "░", "▒", "▓", "█"}, {" ", ".", "+", "*", "#"}},
        {{" ", "·", "-", "=", "≡"}, {" ", ",", "-", "=", "~"}}};
    const size_t share = (per_cell + 1) / 2;
    const bool ascii = canvas_ascii(canvas);
    for (size_t i = 0; i < count; i += per_cell) {
        const size_t rest = count - i;
        struct ink left = bands_ink(largest_of(values + i, rest < share ? rest : share), scale),
                   right = {ROLE_GROUND, 0};
        if (per_cell == 1)
            right = left;
        else if (rest > share)
            right = bands_ink(
                largest_of(values + i + share, rest < per_cell ? rest - share : per_cell - share),
                scale);
        struct glyph glyph = {.text = "▌", .width = 1};
        struct style style = {.fore = left, .back = right};
        if (canvas->traits.mono || ascii) { /* the glyph shows sign and strength of the stronger */
            style.fore = right.level > left.level ? right : left;
            style.back = (struct ink){ROLE_GROUND, 0};
            const size_t step = style.fore.level > 0 ? 1 + (style.fore.level - 1u) / 4 : 0;
            strcpy(glyph.text, signs[style.fore.role == ROLE_NEGATIVE][ascii][step]);
        }
        for (int row = 0; row < rows; row++)
            canvas_put(canvas, y + row, x + (int)(i / per_cell), style, &glyph);
    }
}

/* ---- Heat maps ---- */

int heat_per_row(const struct canvas *canvas)
{
    return canvas_ascii(canvas) || (canvas->traits.mono && !canvas->bare) ? 1 : 2;
}

/* The tokens of a range that one of `dots` dots stands for; never none, unless the range is. */
static struct token_range dot_tokens(struct token_range range, int dot, int dots)
{
    size_t count = range.end - range.first;
    size_t first = (size_t)dot * count / (size_t)dots;
    size_t end = size_max(((size_t)dot + 1) * count / (size_t)dots, first + 1);
    return (struct token_range){range.first + first, range.first + size_min(end, count)};
}

/* The weight of the largest magnitude. */
static float extreme(const struct heat *heat, const float *row, size_t count)
{
    float largest = edge_largest(row, count);
    if (heat->hue != HEAT_OF_SIGNS)
        return largest;
    for (size_t i = 0; i < count; i++)
        if (-row[i] > fabsf(largest))
            largest = row[i];
    return largest;
}

/* The tokens that a column of dots stands for are the same in each row, so they are worked out
 * once. */
void heat_measure(const struct heat *heat, float *largest)
{
    struct token_range to[CANVAS_MAX];
    for (int x = 0; x < heat->columns; x++)
        to[x] = dot_tokens(heat->to, x, heat->columns);
    for (int y = 0; y < heat->rows; y++, largest += heat->columns) {
        struct token_range from = dot_tokens(heat->from, y, heat->rows);
        for (int x = 0; x < heat->columns; x++)
            largest[x] = NAN;
        for (size_t i = from.first; i < from.end; i++) {
            /* Raises the row of dots to the weights of a token. Division keeps the order of
             * weights, so a dot's largest share is that of its largest weight. */
            const float *row = heat->weights + i * heat->attended;
            float whole = heat->tone == TONE_ROW ? fabsf(extreme(heat, row, heat->attended)) : 0;
            const struct token_range visible = attention_visible(heat->attention, heat->layer, i);
            for (int x = 0; x < heat->columns; x++) {
                if (to[x].first >= visible.end || to[x].end <= visible.first)
                    continue;
                float weight = extreme(heat, row + to[x].first, to[x].end - to[x].first);
                if (whole > 0)
                    weight /= whole;
                largest[x] = fabsf(weight) <= fabsf(largest[x]) ? largest[x] : weight;
            }
        }
    }
}

/* w^(3/4): the small weights, of which there are most, are spread, and the heavy ones still stand
 * out. Level 1 is a weight of 0, so that the extent of a map shows. */
static struct ink heat_ink(const struct heat *heat, float largest)
{
    double root = sqrt(edge_shade(heat->tone, fabsf(largest), 1) / (double)EDGE_WHOLE);
    unsigned level = 1 + (unsigned)lround((STYLE_FULL - 1) * root * sqrt(root));
    level = heat->on ? level : (level + 1) / 3;
    if (isnan(largest))
        return (struct ink){ROLE_GROUND, 0};
    if (heat->hue == HEAT_OF_HEAD)
        return ink_head(heat->head, level);
    enum role role = heat->hue == HEAT_OF_TEXT ? ROLE_TEXT
                     : largest < 0             ? ROLE_NEGATIVE
                                               : ROLE_POSITIVE;
    return (struct ink){(uint8_t)role, (uint8_t)level};
}

/* A cell of two dots is "▀", whose ink is the upper dot and whose ground is the lower one.
 * Whichever is drawn first leaves the other as it was. Where a cell is one dot it has six densities
 * for sixteen levels: level 1, a weight of 0, keeps a sign of its own. */
void heat_dot(struct canvas *canvas, int y, int x, struct ink ink)
{
    static const char *const signs[2][6] = {{" ", "·", "░", "▒", "▓", "█"},
                                            {" ", ".", ":", "+", "*", "#"}};
    int per_row = heat_per_row(canvas);
    const struct cell *cell = canvas_at(canvas, y / per_row, x);
    struct style style = {.fore = ink};
    if (!cell)
        return;
    if (per_row == 1) {
        const size_t step = ink.level < 2 ? ink.level : 2 + (ink.level - 2u) * 4 / STYLE_FULL;
        canvas_text(canvas, y, x, 1, style, signs[canvas_ascii(canvas)][step]);
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

void heat_keep(const struct heat *heat, const float *largest, struct canvas *canvas,
               struct area area)
{
    const size_t count = (size_t)heat->rows * (size_t)heat->columns;
    struct field *field = canvas_keep(canvas, area);
    if (!field)
        return;
    field->rows = heat->rows;
    field->columns = heat->columns;
    field->inks = memory_new(count, sizeof *field->inks, 0, "a heat map", &canvas->error);
    for (size_t i = 0; field->inks && i < count; i++)
        field->inks[i] = heat_ink(heat, largest[i]);
}
