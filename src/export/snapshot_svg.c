/* snapshot_svg.c: a picture as SVG, in layers: rectangles (backgrounds, blocks, shades), signs
 * drawn as shapes, the lines between tokens as true curves (or as braille dots), and text. A cell
 * appears in at most two layers. All shapes of one ink are one path, which keeps the file small and
 * avoids seams inside an area. */
#include "headlight/export/export.h"

#include <utf8proc.h>

/* The baseline of a row, from its top; and of turned text, from the middle. */
#define BASELINE        15
#define TURNED_BASELINE 6

#define FONTS "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"

/* Below are Latin, Greek and Cyrillic: left to right, and in every terminal font. */
#define FIRST_HEBREW 0x590

struct picture {
    const struct canvas *canvas;
    const struct theme *theme;
    const char *font; /* another than those that are as wide as a cell; or NULL */
    FILE *stream;
    struct ink ink; /* of the path that is being written */
    bool has_point; /* whether it has a point yet */
    int y, x;       /* the path's end, in dots */
};

/* ---- Cells ---- */

/* The first code point of a cell; shapes have no second one. */
static utf8proc_int32_t code_of(const struct cell *cell)
{
    utf8proc_int32_t code = ' ';
    utf8proc_iterate((const utf8proc_uint8_t *)cell->text, -1, &code);
    return code;
}

/* U+2800 to U+28FF: the lower eight bits are the dots. */
static bool is_braille(utf8proc_int32_t code)
{
    return code >= 0x2800 && code <= 0x28FF;
}

/* ░▒▓: 1 to 3 quarters of the ink. */
static bool is_shade(utf8proc_int32_t code)
{
    return code >= 0x2591 && code <= 0x2593;
}

/* The quarters of a block: upper left 1, upper right 2, lower left 4, lower right 8. */
static unsigned quarters_of(utf8proc_int32_t code)
{
    static const uint8_t quarters[] = {
        [0x00] = 3, [0x04] = 12, [0x08] = 15, [0x0C] = 5, [0x10] = 10, [0x16] = 4, 8, 1,
        13,         9,           7,           11,         2,           6,          14};
    return code >= 0x2580 && code <= 0x259F ? quarters[code - 0x2580] : 0;
}

/* The shape of a sign, from the upper left corner of its cell, or NULL. Fonts draw these signs in
 * other widths than a cell's, and leave gaps where blocks and frames should join. */
static const char *sign_path(utf8proc_int32_t code)
{
    static const struct {
        utf8proc_int32_t code;
        const char *path;
    } signs[] = {
        {0x2500, "m0 9.5h10v1h-10z"},              /* ─ */
        {0x2502, "m4.5 0h1v20h-1z"},               /* │ */
        {0x250C, "m4.5 20v-10.5h5.5v1h-4.5v9.5z"}, /* ┌ */
        {0x2510, "m5.5 20v-10.5h-5.5v1h4.5v9.5z"}, /* ┐ */
        {0x2514, "m4.5 0v10.5h5.5v-1h-4.5v-9.5z"}, /* └ */
        {0x2518, "m5.5 0v10.5h-5.5v-1h4.5v-9.5z"}, /* ┘ */
        {0x2581, "m0 17.5h10v2.5h-10z"},           /* ▁ */
        {0x2582, "m0 15h10v5h-10z"},               /* ▂ */
        {0x2583, "m0 12.5h10v7.5h-10z"},           /* ▃ */
        {0x2585, "m0 7.5h10v12.5h-10z"},           /* ▅ */
        {0x2586, "m0 5h10v15h-10z"},               /* ▆ */
        {0x2587, "m0 2.5h10v17.5h-10z"},           /* ▇ */
        {0x2589, "h8.75v20h-8.75z"},               /* ▉ */
        {0x258A, "h7.5v20h-7.5z"},                 /* ▊ */
        {0x258B, "h6.25v20h-6.25z"},               /* ▋ */
        {0x258D, "h3.75v20h-3.75z"},               /* ▍ */
        {0x258E, "h2.5v20h-2.5z"},                 /* ▎ */
        {0x258F, "h1.25v20h-1.25z"},               /* ▏ */
        {0x25A0, "m.5 5.5h9v9h-9z"},               /* ■ */
        {0x25A1, "m.5 5.5h9v9h-9zm1 1v7h7v-7z"},   /* □ */
        {0x25B8, "m2 5.5l6.5 4.5-6.5 4.5z"},       /* ▸ */
        {0x25BE, "m.5 7.5h9l-4.5 6.5z"},           /* ▾ */
        {0x25C2, "m8 5.5l-6.5 4.5 6.5 4.5z"},      /* ◂ */
    };
    if (code < signs[0].code || code > 0x25C2)
        return NULL;
    for (size_t i = 0; i < LENGTH(signs); i++)
        if (signs[i].code == code)
            return signs[i].path;
    return NULL;
}

/* Whether a cell is drawn as text, which is whatever no other layer draws. The right half of a wide
 * character has width 0. */
static bool is_text_cell(const struct cell *cell)
{
    utf8proc_int32_t code = code_of(cell);
    return cell->width > 0 && strcmp(cell->text, " ") != 0 && !is_braille(code) &&
           !is_shade(code) && !quarters_of(code) && !sign_path(code);
}

/* ---- Paths, ink by ink ---- */

static struct ink shaded(struct ink ink, utf8proc_int32_t code)
{
    int level = (ink.level * (code - 0x2590) + 2) / 4;
    return (struct ink){ink.role, (uint8_t)(level > 0 || ink.level == 0 ? level : 1)};
}

static void begin_path(struct picture *picture, const char *attribute)
{
    if (!picture->has_point) {
        fprintf(picture->stream, "<path %s", attribute);
        snapshot_write_color(picture->stream, "=\"", picture->theme, picture->ink);
        fputs("\" d=\"", picture->stream);
    }
    picture->has_point = true;
}

/* A layer: visits all cells once for each ink of a cell, or shade made of it. */
static void write_ink_layer(struct picture *picture, const char *attributes,
                            void (*write_cell)(struct picture *, int y, int x))
{
    const struct canvas *canvas = picture->canvas;
    bool written[ROLE_COUNT][STYLE_MOST + 1] = {{false}};
    fprintf(picture->stream, "<g %s>\n", attributes);
    for (int i = 0; i < 2 * canvas->rows * canvas->columns; i++) {
        const struct cell *cell = &canvas->cells[i / 2];
        const bool shade = i % 2 && is_shade(code_of(cell));
        const struct ink fore = shade ? shaded(cell->style.fore, code_of(cell)) : cell->style.fore;
        const struct ink ink = picture->ink = i % 2 ? fore : cell->style.back;
        if (ink.level == 0 || written[ink.role][ink.level])
            continue;
        written[ink.role][ink.level] = true;
        picture->has_point = false;
        picture->y = picture->x = 0;
        for (int y = 0; y < canvas->rows; y++)
            for (int x = 0; x < canvas->columns; x++)
                write_cell(picture, y, x);
        fputs(picture->has_point ? "\"/>\n" : "", picture->stream);
    }
    fputs("</g>\n", picture->stream);
}

/* ---- Rectangles, on a raster of half cells ---- */

/* Whether a quarter of a cell, its background or the block in it, has the path's ink. False outside
 * the canvas, so runs end at its edges. */
static bool has_ink(const struct picture *picture, int y, int x)
{
    const struct cell *cell = y < 0 || x < 0 ? NULL : canvas_at(picture->canvas, y / 2, x / 2);
    if (!cell)
        return false;
    utf8proc_int32_t code = code_of(cell);
    const unsigned quarter = (y % 2 == 0 ? 1u : 4u) << x % 2;
    return ink_equal(is_shade(code)                ? shaded(cell->style.fore, code)
                     : quarters_of(code) & quarter ? cell->style.fore
                                                   : cell->style.back,
                     picture->ink);
}

/* Whether the quarters first … end-1 of a row, and none beside them, have the path's ink. */
static bool is_run(const struct picture *picture, int y, int first, int end)
{
    if (has_ink(picture, y, first - 1) || has_ink(picture, y, end))
        return false;
    for (int x = first; x < end; x++)
        if (!has_ink(picture, y, x))
            return false;
    return true;
}

/* Each of the four quarters of a cell that is the upper left corner of a rectangle, a run with
 * equal runs below. */
static void write_rectangles(struct picture *picture, int cell_y, int cell_x)
{
    const struct style *style = &canvas_at(picture->canvas, cell_y, cell_x)->style;
    if (style->fore.role != picture->ink.role && style->back.role != picture->ink.role)
        return; /* true of most cells, and quick */
    for (int i = 0; i < 4; i++) {
        const int y = 2 * cell_y + i / 2, x = 2 * cell_x + i % 2;
        int end = x, bottom = y + 1;
        if (!has_ink(picture, y, x) || has_ink(picture, y, x - 1))
            continue;
        while (has_ink(picture, y, end))
            end++;
        if (is_run(picture, y - 1, x, end))
            continue;
        while (is_run(picture, bottom, x, end))
            bottom++;
        begin_path(picture, "fill");
        fprintf(picture->stream, "M%d %dh%dv%dh-%dz", x, y, end - x, bottom - y, end - x);
    }
}

/* ---- Signs and dots ---- */

/* A sign's shape, moved to its cell. */
static void write_sign(struct picture *picture, int y, int x)
{
    const struct cell *cell = canvas_at(picture->canvas, y, x);
    if (!ink_equal(cell->style.fore, picture->ink) || !sign_path(code_of(cell)))
        return;
    begin_path(picture, "fill");
    fprintf(picture->stream, "M%d %d%s", x * CELL_WIDTH, y * CELL_HEIGHT, sign_path(code_of(cell)));
}

/* A dot is a line of length 0, made visible by round caps; its place is relative to the last dot.
 */
static void write_braille_dots(struct picture *picture, int y, int x)
{
    static const struct {
        int y, x;
    } places[8] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 0}, {3, 1}};
    const struct cell *cell = canvas_at(picture->canvas, y, x);
    if (!ink_equal(cell->style.fore, picture->ink) || !is_braille(code_of(cell)))
        return;
    utf8proc_int32_t dots = code_of(cell) & 0xFF;
    for (int i = 0; i < 8; i++) {
        if (!(dots >> i & 1))
            continue;
        int dot_y = 4 * y + places[i].y, dot_x = 2 * x + places[i].x, down = dot_y - picture->y;
        begin_path(picture, "stroke");
        fprintf(picture->stream, "m%d%s%dh0", dot_x - picture->x, down < 0 ? "" : " ", down);
        picture->y = dot_y;
        picture->x = dot_x;
    }
}

/* ---- Curves ---- */

/* In hundredths of a pixel, so that every processor writes the same digits. */
static void write_pixels(FILE *stream, const char *before, double pixels)
{
    long hundredths = lround(pixels * 100);
    fprintf(stream, "%s%s%ld", before, hundredths < 0 ? "-" : "", labs(hundredths) / 100);
    if (hundredths % 100 != 0)
        fprintf(stream, ".%02ld", labs(hundredths) % 100);
}

static void write_point(FILE *stream, const char *before, double x, double y)
{
    write_pixels(stream, before, x);
    write_pixels(stream, " ", y);
}

/* stroke_risen as a path: its bends are parabolas, which a quadratic curve is. */
static void write_curve(const struct picture *picture, const struct field *field,
                        const struct stroke *stroke)
{
    FILE *stream = picture->stream;
    double width = field->area.columns * CELL_WIDTH, first = STROKE_LEVEL * width;
    double last = width - first, bend = STROKE_BEND * (last - first);
    double from = (double)stroke->from * CELL_HEIGHT, to = (double)stroke->to * CELL_HEIGHT;
    double bent = (to - from) * stroke_risen(STROKE_LEVEL + STROKE_BEND * (1 - 2 * STROKE_LEVEL));
    write_point(stream, "<path d=\"M", 0, from);
    write_pixels(stream, "H", first);
    write_point(stream, "Q", first + bend / 2, from);
    write_point(stream, " ", first + bend, from + bent);
    write_point(stream, "L", last - bend, to - bent);
    write_point(stream, "Q", last - bend / 2, to);
    write_point(stream, " ", last, to);
    write_pixels(stream, "H", width);
    double opacity;
    snapshot_write_color(stream, "\" stroke=\"", picture->theme, ink_opaque(stroke->ink, &opacity));
    write_pixels(stream, "\" stroke-width=\"", (double)stroke->width * CELL_HEIGHT);
    write_pixels(stream, "\" stroke-opacity=\"", opacity);
    if (stroke->dashed) {
        write_pixels(stream, "\" stroke-dasharray=\"", STROKE_DASH * width / STROKE_DASHES);
        write_pixels(stream, " ", (1 - STROKE_DASH) * width / STROKE_DASHES);
    }
    fputs("\"/>\n", stream);
}

/* Of a heat map every cell, ink by ink. */
static void write_map(struct picture *picture, const struct field *field)
{
    bool written[ROLE_COUNT][STYLE_FULL + 1] = {{false}};
    for (int i = 0; i < field->rows * field->columns; i++) {
        const struct ink ink = picture->ink = field->inks[i];
        if (ink.level == 0 || written[ink.role][ink.level])
            continue;
        written[ink.role][ink.level] = true;
        picture->has_point = false;
        begin_path(picture, "fill");
        for (int j = i; j < field->rows * field->columns; j++)
            if (ink_equal(field->inks[j], ink))
                fprintf(picture->stream, "M%d %dh1v1h-1z", j % field->columns, j / field->columns);
        fputs("\"/>\n", picture->stream);
    }
}

/* An inner svg element clips curves to their field, or stretches a map over it. */
static void write_fields(struct picture *picture)
{
    for (size_t i = 0; i < picture->canvas->field_count; i++) {
        const struct field *field = &picture->canvas->fields[i];
        const int row = field->inks ? CELL_HEIGHT / 2 : CELL_HEIGHT;
        if (field->turned)
            continue;
        fprintf(picture->stream, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\"",
                field->area.x * CELL_WIDTH, field->area.y * row, field->area.columns * CELL_WIDTH,
                field->area.rows * row);
        if (field->inks)
            fprintf(picture->stream,
                    " viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
                    "shape-rendering=\"crispEdges\"",
                    field->columns, field->rows);
        fputs(">\n", picture->stream);
        if (field->inks)
            write_map(picture, field);
        for (size_t j = 0; j < field->count; j++)
            write_curve(picture, field, &field->strokes[j]);
        fputs("</svg>\n", picture->stream);
    }
}

/* ---- Text ---- */

/* Whether a cell may share a text element with its neighbours: one letter of a left-to-right script
 * that every font has. */
static bool is_plain_cell(const struct cell *cell)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)cell->text, -1, &code);
    return used > 0 && cell->text[used] == '\0' && cell->width == 1 && code < FIRST_HEBREW &&
           is_text_cell(cell);
}

/* Ends the element's beginning. The usual colour is the group's. */
static void write_text_ink(const struct picture *picture, struct ink ink)
{
    if (!ink_equal(ink, ink_full(ROLE_TEXT))) {
        snapshot_write_color(picture->stream, " fill=\"", picture->theme, ink);
        fputc('"', picture->stream);
    }
    fputc('>', picture->stream);
}

/* Cells of one style in a row, as one element. Returns the column behind it. A run states its
 * length, so that columns stay aligned in every font; in one that was chosen for its letters they
 * are left as they are, and held where the run was. A sign that may come from another font stands
 * alone, centred in its cells and squeezed to their width. */
static int write_text_run(const struct picture *picture, int y, int x)
{
    const struct cell *cell = canvas_at(picture->canvas, y, x), *next;
    const bool plain = is_plain_cell(cell), own = plain && picture->font;
    FILE *stream = picture->stream;
    int end = plain ? x + 1 : x + cell->width;
    while (plain && (next = canvas_at(picture->canvas, y, end)) && is_plain_cell(next) &&
           ink_equal(cell->style.fore, next->style.fore) && cell->style.bold == next->style.bold &&
           cell->style.anchor == next->style.anchor)
        end++;
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    const int left = x * CELL_WIDTH, width = (end - x) * CELL_WIDTH;
    const int anchor = !plain ? ANCHOR_MIDDLE : own ? cell->style.anchor : ANCHOR_START;
    fprintf(stream, "<text x=\"%d\" y=\"%d\"%s", left + width * anchor / 2,
            y * CELL_HEIGHT + BASELINE, anchors[anchor]);
    if (cell->width == 1 && !own)
        fprintf(stream, " textLength=\"%d\"%s", width, " lengthAdjust=\"spacingAndGlyphs\"");
    if (cell->style.bold)
        fputs(" font-weight=\"bold\"", stream);
    write_text_ink(picture, cell->style.fore);
    for (; x < end; x++)
        snapshot_write_text(stream, canvas_at(picture->canvas, y, x)->text);
    fputs("</text>\n", stream);
    return end;
}

/* ---- The document ---- */

/* All that is drawn, in pixels. */
struct box {
    int left, top, right, bottom;
};

static void widen(struct box *box, int x, int y, int width, int height)
{
    box->left = int_min(box->left, x);
    box->top = int_min(box->top, y);
    box->right = int_max(box->right, x + width);
    box->bottom = int_max(box->bottom, y + height);
}

/* The layers from back to front. */
static void write_layers(const struct snapshot *snapshot, FILE *stream)
{
    const struct canvas *canvas = snapshot->canvas;
    struct picture picture = {.canvas = canvas,
                              .theme = snapshot->theme,
                              .font = snapshot->paper ? snapshot->paper->font : NULL,
                              .stream = stream};
    write_ink_layer(&picture, "transform=\"scale(5 10)\" shape-rendering=\"crispEdges\"",
                    write_rectangles);
    write_ink_layer(&picture, "stroke=\"none\"", write_sign);
    if (canvas->curves)
        write_fields(&picture);
    else
        write_ink_layer(&picture,
                        "transform=\"translate(2.5 2.5) scale(5)\" fill=\"none\" "
                        "stroke-width=\".52\" stroke-linecap=\"round\"",
                        write_braille_dots);
    /* text lies over everything else; its usual colour is said once, for the group */
    fputs("<g font-family=\"", stream);
    if (picture.font)
        snapshot_write_between(stream, "'", picture.font, "', ");
    write_pixels(stream, FONTS "\" font-size=\"", PAPER_FONT);
    snapshot_write_color(stream, "\" fill=\"", snapshot->theme, ink_full(ROLE_TEXT));
    fputs("\">\n", stream);
    for (size_t i = 0; i < canvas->field_count; i++) {
        const struct field *field = &canvas->fields[i];
        const struct area area = field->area;
        if (!field->turned)
            continue;
        /* read upwards, from the bottom of its area, in the middle of its columns */
        fprintf(stream, "<text transform=\"translate(%d %d) rotate(-90)\"",
                area.x * CELL_WIDTH + area.columns * CELL_WIDTH / 2 + TURNED_BASELINE,
                (area.y + area.rows) * CELL_HEIGHT - TURNED_GAP * CELL_HEIGHT / 8);
        write_text_ink(&picture, field->ink);
        snapshot_write_text(stream, field->turned);
        fputs("</text>\n", stream);
    }
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns;)
            x = is_text_cell(canvas_at(canvas, y, x)) ? write_text_run(&picture, y, x) : x + 1;
    fputs("</g>\n", stream);
}

/* Title and description are what screen readers say. In HTML the namespace goes without saying. */
void snapshot_write_picture(const struct snapshot *snapshot, bool alone, FILE *stream)
{
    const struct canvas *canvas = snapshot->canvas;
    struct box box = {0, 0, canvas->columns * CELL_WIDTH, canvas->rows * CELL_HEIGHT};
    if (snapshot->paper) /* no more than is drawn; braille as the curves that are kept besides */
        box = (struct box){box.right, box.bottom, 0, 0};
    for (int i = 0; snapshot->paper && i < canvas->columns * canvas->rows; i++) {
        const int y = i / canvas->columns, x = i % canvas->columns;
        const struct cell *cell = canvas_at(canvas, y, x);
        if (strcmp(cell->text, " ") != 0 || cell->style.back.level > 0)
            widen(&box, x * CELL_WIDTH, y * CELL_HEIGHT, CELL_WIDTH, CELL_HEIGHT);
    }
    for (size_t i = 0; snapshot->paper && i < canvas->field_count; i++) {
        const struct field *field = &canvas->fields[i];
        const int row = field->inks ? CELL_HEIGHT / 2 : CELL_HEIGHT;
        widen(&box, field->area.x * CELL_WIDTH, field->area.y * row,
              field->area.columns * CELL_WIDTH, field->area.rows * row);
    }
    const int width = box.right - box.left, height = box.bottom - box.top;
    const double points = snapshot->paper ? snapshot->paper->font_size / PAPER_FONT : 1;
    const char *unit = snapshot->paper ? "pt" : "";
    fputs(alone ? "<svg xmlns=\"http://www.w3.org/2000/svg\"" : "<svg", stream);
    fprintf(stream, " viewBox=\"%d %d %d %d\" width=\"", box.left, box.top, width, height);
    write_pixels(stream, "", width * points);
    fprintf(stream, "%s\" height=\"", unit);
    write_pixels(stream, "", height * points);
    fprintf(stream, "%s\" role=\"img\" aria-label=\"", unit);
    snapshot_write_between(stream, "", snapshot->title, "\">\n<title>");
    snapshot_write_between(stream, "", snapshot->title, "</title>\n<desc>");
    for (size_t i = 0; i < snapshot->fact_count; i++) { /* "model: built-in; layer: 2" */
        snapshot_write_between(stream, i > 0 ? "; " : "", snapshot->facts[i].name, ": ");
        snapshot_write_text(stream, snapshot->facts[i].value);
    }
    fputs("</desc>\n", stream);
    if (alone) {
        fputs("<metadata>\n<h:snapshot xmlns:h=\"urn:x-headlight:snapshot\">\n", stream);
        for (size_t i = 0; i < snapshot->fact_count; i++) {
            snapshot_write_between(stream, "<h:fact name=\"", snapshot->facts[i].name, "\">");
            snapshot_write_between(stream, "", snapshot->facts[i].value, "</h:fact>\n");
        }
        fputs("</h:snapshot>\n</metadata>\n", stream);
    }
    if (!snapshot->paper) {
        fprintf(stream, "<rect width=\"%d\" height=\"%d\"", box.right, box.bottom);
        snapshot_write_color(stream, " fill=\"", snapshot->theme, ink_full(ROLE_GROUND));
        fputs("\"/>\n", stream);
    }
    write_layers(snapshot, stream);
    fputs("</svg>\n", stream);
}

void snapshot_svg(const struct snapshot *snapshot, FILE *stream)
{
    snapshot_write_picture(snapshot, true, stream);
}
