#include "headlight/draw/lines.h"

#include <math.h>
#include <stdlib.h>
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
        .every = shade < LINES_SPARSE ? 3
                 : shade < LINES_HALF ? 2
                                      : 1,
    };
}

/* Braille numbers its dots down the left column, then the right one; the lowest row came later. */
static uint8_t dot_bit(int y, int x)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    return bits[y & 3][x & 1];
}

/* ---- Trails ---- */

/* Lines that rise alike look alike wherever they begin: what one of them does to the cells that it
 * crosses is worked out once. */
struct trait {
    int rise;  /* rows of dots from its beginning to its end */
    int phase; /* of the four rows of dots of a cell, the one where it begins */
    int thickness, every;
};

/* The dots of one cell; rows count from the one where the line begins. Small, since of the trails
 * of very many lines little stays near the processor. */
struct touch {
    int32_t row;
    uint16_t column;
    uint8_t dots;
};

/* Column after column, and in each from where the line comes to where it goes. */
struct trail {
    struct trait trait;
    struct trail *next; /* in its bucket */
    struct touch *touches;
    size_t count, capacity;
    uint32_t *columns; /* [columns + 1] the first touch of each, and the end */
    int *last; /* [columns] the row of the last touch up to there: side by side, for who looks
                  for one */
};

#define BUCKETS 512

struct lines {
    int rows, columns;
    uint8_t *dots;    /* [rows,columns]; a cell without dots belongs to no line yet */
    struct ink *inks; /* [rows,columns] of its line */
    double *share;    /* [2·columns] how much of its rise a line has made at each column of dots */
    struct trail *buckets[BUCKETS];
    bool failed; /* a trail found no memory */
};

/* Perlin's smootherstep: level at both ends. */
static double smootherstep(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* The row of cells of a row of dots; above the area they are negative. */
static int row_of(int y)
{
    return (y - (y & 3)) / 4;
}

static size_t cell_count(const struct lines *lines)
{
    return (size_t)lines->rows * (size_t)lines->columns;
}

struct lines *lines_new(int rows, int columns)
{
    struct lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    lines->rows = rows > 0 && columns > 0 ? rows : 0;
    lines->columns = lines->rows > 0 ? columns : 0;
    lines->dots = calloc(cell_count(lines) + 1, sizeof *lines->dots);
    lines->inks = malloc((cell_count(lines) + 1) * sizeof *lines->inks);
    lines->share = malloc((2 * (size_t)lines->columns + 1) * sizeof *lines->share);
    if (!lines->dots || !lines->inks || !lines->share) {
        lines_free(lines);
        return NULL;
    }
    for (int x = 0; x < 2 * lines->columns; x++)
        lines->share[x] = smootherstep((double)x / (2 * lines->columns - 1));
    return lines;
}

static void free_trail(struct trail *trail)
{
    if (!trail)
        return;
    free(trail->touches);
    free(trail->columns);
    free(trail->last);
    free(trail);
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct trail *trail = lines->buckets[i], *next; trail; trail = next) {
            next = trail->next;
            free_trail(trail);
        }
    free(lines->dots);
    free(lines->inks);
    free(lines->share);
    free(lines);
}

/* Adds a dot to the cell that was touched last, to another one of its column, or to a new one. */
static bool touch(struct trail *trail, int y, int x)
{
    int place = y + trail->trait.phase, row = row_of(place), column = x / 2;
    uint8_t bit = dot_bit(place, x);
    for (size_t i = trail->count; i-- > 0 && trail->touches[i].column == column;)
        if (trail->touches[i].row == row) {
            trail->touches[i].dots |= bit;
            return true;
        }
    if (trail->count == trail->capacity) {
        size_t capacity = 2 * trail->capacity + 16;
        struct touch *grown = realloc(trail->touches, capacity * sizeof *grown);
        if (!grown)
            return false;
        trail->touches = grown;
        trail->capacity = capacity;
    }
    trail->touches[trail->count++] = (struct touch){row, (uint16_t)column, bit};
    return true;
}

static bool touch_thick(struct trail *trail, int y, int x)
{
    int first = trail->trait.thickness == 3 ? y - 1 : y;
    for (int i = 0; i < trail->trait.thickness; i++)
        if (!touch(trail, first + i, x))
            return false;
    return true;
}

/* Follows the line from column to column of dots. */
static bool follow(const struct lines *lines, struct trail *trail)
{
    int y = 0, rise = trail->trait.rise, step = rise > 0 ? 1 : -1, count = 0;
    for (int x = 0; x < 2 * lines->columns; x++) {
        int next = (int)lround(rise * lines->share[x]);
        if (x % 2 == 0)
            trail->columns[x / 2] = (uint32_t)trail->count;
        do { /* a steep part fills every dot between the columns */
            if (y != next)
                y += step;
            if (count++ % trail->trait.every == 0 && !touch_thick(trail, y, x))
                return false;
        } while (y != next);
    }
    trail->columns[lines->columns] = (uint32_t)trail->count;
    for (int x = 0; x < lines->columns; x++)
        trail->last[x] = trail->touches[trail->columns[x + 1] - 1].row;
    return true;
}

static struct trail *new_trail(const struct lines *lines, const struct trait *trait)
{
    struct trail *trail = calloc(1, sizeof *trail);
    if (!trail)
        return NULL;
    trail->trait = *trait;
    trail->capacity = 2 * (size_t)lines->columns;
    trail->touches = calloc(trail->capacity, sizeof *trail->touches);
    trail->columns = malloc(((size_t)lines->columns + 1) * sizeof *trail->columns);
    trail->last = malloc((size_t)lines->columns * sizeof *trail->last);
    if (!trail->touches || !trail->columns || !trail->last || !follow(lines, trail)) {
        free_trail(trail);
        return NULL;
    }
    return trail;
}

static bool same_trait(const struct trait *a, const struct trait *b)
{
    return a->rise == b->rise && a->phase == b->phase && a->thickness == b->thickness &&
           a->every == b->every;
}

/* NULL without memory. */
static const struct trail *trail_of(struct lines *lines, const struct trait *trait)
{
    unsigned mixed = ((unsigned)trait->rise * 4 + (unsigned)trait->phase) * 9 +
                     (unsigned)trait->thickness * 3 + (unsigned)trait->every;
    struct trail **bucket = &lines->buckets[mixed * 2654435769u >> 23]; /* Knuth's golden ratio */
    struct trail *trail = *bucket;
    while (trail && !same_trait(&trail->trait, trait))
        trail = trail->next;
    if (trail)
        return trail;
    trail = new_trail(lines, trait);
    if (!trail)
        return NULL;
    trail->next = *bucket;
    *bucket = trail;
    return trail;
}

/* ---- Lines ---- */

/* The first column where the line has come to its row `row`, counted from its beginning in the
 * direction in which it goes. */
static int column_at(const struct lines *lines, const struct trail *trail, int row)
{
    int low = 0, high = lines->columns;
    bool down = trail->trait.rise > 0;
    while (low < high) {
        int middle = (low + high) / 2;
        if (down ? trail->last[middle] >= row : trail->last[middle] <= row)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The touches that may be seen: a line whose ends lie outside crosses the area in few columns. The
 * last touch of a column may be a row or two behind where the line has come to, if that is thick.
 */
static void clip(const struct lines *lines, const struct trail *trail, int base, size_t *first,
                 size_t *end)
{
    bool down = trail->trait.rise > 0;
    int last = lines->rows - 1 - base; /* the first row of the area is -base */
    int enters = column_at(lines, trail, down ? -base - 2 : last + 2);
    int leaves = column_at(lines, trail, down ? last + 2 : -base - 2) + 1;
    *first = trail->columns[enters];
    *end = trail->columns[leaves < lines->columns ? leaves : lines->columns];
}

static void add_dots(struct lines *lines, size_t cell, uint8_t dots, struct ink ink)
{
    if (lines->dots[cell] == 0)
        lines->inks[cell] = ink;
    lines->dots[cell] |= dots;
}

void lines_curve_dots(struct lines *lines, int from, int to, struct stroke stroke)
{
    int below = 4 * lines->rows; /* a thick line reaches a dot further */
    if (cell_count(lines) == 0 || (from < -1 && to < -1) || (from > below && to > below))
        return;
    const struct trait trait = {to - from, from & 3, stroke.thickness, stroke.every};
    const struct trail *trail = trail_of(lines, &trait);
    if (!trail) {
        lines->failed = true;
        return;
    }
    int base = row_of(from);
    size_t first = 0, end = trail->count;
    if (from < 0 || to < 0 || from >= below || to >= below)
        clip(lines, trail, base, &first, &end);
    for (const struct touch *next = trail->touches + first; next < trail->touches + end; next++) {
        int row = base + next->row;
        if ((unsigned)row >= (unsigned)lines->rows) /* above it, too */
            continue;
        add_dots(lines, (size_t)row * (size_t)lines->columns + (size_t)next->column, next->dots,
                 stroke.ink);
    }
}

void lines_add_below(struct lines *lines, const struct lines *below)
{
    for (size_t i = 0; i < cell_count(lines); i++)
        if (below->dots[i])
            add_dots(lines, i, below->dots[i], below->inks[i]);
    lines->failed |= below->failed;
}

/* The second of a row's four rows of dots is its middle. */
void lines_curve(struct lines *lines, int from, int to, struct stroke stroke)
{
    lines_curve_dots(lines, 4 * from + 1, 4 * to + 1, stroke);
}

uint8_t lines_dots(const struct lines *lines, int y, int x)
{
    bool inside = y >= 0 && x >= 0 && y < lines->rows && x < lines->columns;
    return inside ? lines->dots[(size_t)y * (size_t)lines->columns + (size_t)x] : 0;
}

/* ---- Glyphs ---- */

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

static void finish_cell(struct cell *cell, uint8_t dots, struct ink ink, enum glyph_set glyphs)
{
    if (glyphs == GLYPHS_BRAILLE)
        braille_of(dots, cell->text);
    else
        strcpy(cell->text, glyphs == GLYPHS_BLOCKS ? block_of(dots) : ascii_of(dots));
    cell->width = 1;
    cell->style.fore = ink;
}

bool lines_finish(const struct lines *lines, struct canvas *canvas, int y, int x)
{
    for (size_t i = 0; i < cell_count(lines); i++) {
        int row = (int)(i / (size_t)lines->columns), column = (int)(i % (size_t)lines->columns);
        struct cell *cell = lines->dots[i] ? canvas_at(canvas, y + row, x + column) : NULL;
        if (cell)
            finish_cell(cell, lines->dots[i], lines->inks[i], canvas->traits.glyphs);
    }
    return !lines->failed;
}
