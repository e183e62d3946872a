/* picture.c: the strokes of a field, or of several side by side, as a picture among the cells, sent
 * only when it has changed. Two pictures take turns, so that the old one stays until the new one is
 * there. */
#include "headlight/terminal/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In pixels. A thinner line that lies between two rows of pixels would be fainter than a line may
 * be. */
#define LEAST_WIDTH 1.5F

/* Over ssh: the most bytes of a picture, so that a key takes at most 40 KB; and the rows of pixels
 * in a cell of the coarsest, below which lines couldn't be told apart. */
#define FAR_MOST 39000
#define COARSE   9

/* xterm's limit, for terminals that don't say theirs. */
#define SIXEL_MOST 1000

void picture_open(struct picture *picture, const struct ask_answer *answer)
{
    bool limited = answer->sixel_width > 0 && answer->sixel_height > 0;
    picture->cell = (struct cell_size){answer->cell_width, answer->cell_height};
    picture->most_width = picture->most_height = RASTER_MAX;
    picture->shared = answer->shared;
    if (answer->cell_width < 1 || answer->cell_height < 1)
        return;
    if (answer->kitty) {
        picture->protocol = PICTURE_KITTY;
    } else if (answer->sixel) {
        picture->protocol = PICTURE_SIXEL;
        picture->most_width = limited ? answer->sixel_width : SIXEL_MOST;
        picture->most_height = limited ? answer->sixel_height : SIXEL_MOST;
    }
}

void picture_close(struct picture *picture)
{
    free(picture->bytes);
    *picture = (struct picture){.protocol = PICTURE_NONE};
}

/* ---- The field ---- */

/* Fields side by side are one picture, such as the segments of a curve; `area` is of all. */
struct run {
    struct area area;
    const struct field *fields;
    size_t count;
};

/* The largest run that can be a picture; no fields: there is none. A sixel picture that reaches the
 * last row scrolls the screen. */
static struct run choose(const struct picture *picture, const struct canvas *canvas)
{
    struct run best = {.count = 0};
    for (size_t i = 0; picture->protocol != PICTURE_NONE && i < canvas->field_count;) {
        const struct field *next = &canvas->fields[i], *end = canvas->fields + canvas->field_count;
        struct run run = {next->area, next, 1};
        bool any = next->count > 0;
        const struct area *area = &run.area;
        while (++next < end && next->area.y == area->y && next->area.rows == area->rows &&
               next->area.x == area->x + area->columns) {
            run.area.columns += next->area.columns;
            run.count++;
            any |= next->count > 0;
        }
        bool fits = any && area->columns * picture->cell.width <= picture->most_width &&
                    area->rows * picture->cell.height <= picture->most_height &&
                    area->y + area->rows < canvas->rows;
        /* text inside the field would be hidden by the picture, or cut it; a curve would cross a
         * label or a band, a cell with a ground of its own */
        for (int y = area->y; fits && y < area->y + area->rows; y++)
            for (int x = area->x; fits && x < area->x + area->columns; x++) {
                const struct cell *cell = canvas_at(canvas, y, x);
                fits = cell && cell->style.back.level == 0 &&
                       (cell->style.stroke || strcmp(cell->text, " ") == 0);
            }
        i += run.count;
        if (fits && area->rows * area->columns > best.area.rows * best.area.columns)
            best = run;
    }
    return best;
}

/* Of what a picture is drawn from: numbers alone, as nobody sets what lies between them. */
static void digest_of(const struct run *run, const struct theme *theme,
                      uint8_t digest[SHA256_DIGEST_SIZE])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    sha256_update(&hash, strlen(theme->name), (const uint8_t *)theme->name);
    for (size_t i = 0; i < run->count; i++) {
        const struct field *field = &run->fields[i];
        sha256_update(&hash, sizeof field->area, (const uint8_t *)&field->area);
        for (size_t j = 0; j < field->count; j++) {
            const struct stroke *stroke = &field->strokes[j];
            const float numbers[] = {stroke->from,     stroke->to,        stroke->width,
                                     stroke->ink.role, stroke->ink.level, stroke->dashed};
            sha256_update(&hash, sizeof numbers, (const uint8_t *)numbers);
        }
    }
    sha256_end(&hash, digest);
}

/* ---- The picture ---- */

/* Draws the strokes with cells of a size and encodes them: kitty's new picture is complete before
 * the old one goes. If they can't be, the bytes stay those that were encoded before. */
static bool encode_strokes(struct picture *picture, const struct run *run, struct cell_size cell,
                           size_t most, struct rgb ground, const struct theme *theme)
{
    static const char *const deletions[] = {PIXELS_DELETE(PIXELS_FIRST),
                                            PIXELS_DELETE(PIXELS_SECOND)};
    const struct area area = run->area;
    const bool old = picture->second, kitty = picture->protocol == PICTURE_KITTY;
    const unsigned id = old ? PIXELS_FIRST : PIXELS_SECOND;
    struct raster *raster = raster_new(area.columns * cell.width, area.rows * cell.height, ground);
    bool good = raster != NULL;
    for (size_t i = 0; good && i < run->count; i++) {
        const struct field *field = &run->fields[i];
        const struct area place = {0, field->area.x - area.x, area.rows, field->area.columns};
        struct stroke *strokes = malloc(field->count * sizeof *strokes);
        for (size_t j = 0; strokes && j < field->count; j++) {
            strokes[j] = field->strokes[j];
            strokes[j].width = fmaxf(strokes[j].width, LEAST_WIDTH / (float)cell.height);
        }
        good = strokes && raster_strokes(raster, place, cell, strokes, field->count, theme);
        free(strokes);
    }
    char *bytes =
        good && kitty && picture->shared ? pixels_shared(raster, id, area, deletions[old]) : NULL;
    if (good && !bytes)
        bytes = kitty ? pixels_kitty(raster, id, area, most, deletions[old])
                      : pixels_sixel(raster, area.y, area.x);
    if (bytes) {
        free(picture->bytes);
        picture->next = picture->bytes = bytes;
    }
    free(raster);
    return bytes != NULL;
}

/* The same shape with so many rows of pixels, or all of it where that is not much more. */
static struct cell_size scaled(struct cell_size whole, int height)
{
    if (2 * whole.height <= 3 * height)
        return whole;
    const int width = whole.width * height / whole.height;
    return (struct cell_size){width > 0 ? width : 1, height};
}

/* At the terminal's own resolution, where nothing speaks against it; else the finest that is few
 * enough bytes, but at least a coarse one: kitty stretches it. Twice as fine a picture is at least
 * twice as many bytes, so one that takes more than half of them is the last; that a coarse one is
 * soon drawn makes up for drawing it in vain. */
static bool send(struct picture *picture, const struct run *run, struct rgb ground,
                 const struct theme *theme)
{
    const struct cell_size whole = picture->cell;
    const bool limited = picture->far && picture->protocol == PICTURE_KITTY;
    struct cell_size cell = limited ? scaled(whole, COARSE) : whole;
    const bool good = encode_strokes(picture, run, cell, limited ? SIZE_MAX : 0, ground, theme);
    for (bool more = good && limited;
         more && cell.height < whole.height && strlen(picture->bytes) < FAR_MOST / 2;) {
        cell = scaled(whole, 2 * cell.height);
        more = encode_strokes(picture, run, cell, FAR_MOST, ground, theme);
    }
    picture->second = picture->second != good;
    return good;
}

/* The cells that sixels covered aren't what curses takes them for, so the caller repaints. */
void picture_remove(struct picture *picture)
{
    picture->next = picture->protocol == PICTURE_KITTY ? PIXELS_DELETE_ALL : NULL;
    picture->area = (struct area){0};
}

/* Nothing is sent if the same picture is on the screen. If it can't be drawn, the old one has to
 * go, and the cells show the lines. */
const struct area *picture_draw(struct picture *picture, const struct canvas *canvas,
                                struct rgb ground, const struct theme *theme, bool *repaint)
{
    const struct run run = choose(picture, canvas);
    const struct area before = picture->area;
    const bool there = run.count > 0, showing = before.rows > 0;
    uint8_t digest[SHA256_DIGEST_SIZE];
    digest_of(&run, theme, digest);
    if (there && showing && !*repaint && memcmp(picture->digest, digest, sizeof digest) == 0)
        return &picture->area;
    const bool sent = there && send(picture, &run, ground, theme);
    if (showing && picture->protocol == PICTURE_SIXEL)
        *repaint |= !sent || memcmp(&before, &run.area, sizeof before) != 0;
    if (!sent && (showing || there))
        picture_remove(picture);
    if (!sent)
        return NULL;
    picture->area = run.area;
    memcpy(picture->digest, digest, sizeof digest);
    return &picture->area;
}

const char *picture_bytes(struct picture *picture)
{
    const char *bytes = picture->next;
    picture->next = NULL;
    return bytes ? bytes : "";
}
