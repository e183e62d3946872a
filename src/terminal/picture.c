/* picture.c: the strokes of a field as a picture among the cells, sent only when it has changed.
 * Two pictures take turns, so that the old one stays until the new one is there. */
#include "headlight/terminal/picture.h"

#include <stdlib.h>
#include <string.h>

/* In pixels. A thinner line that lies between two rows of pixels would be fainter than a line may
 * be. */
#define LEAST_WIDTH 1.5F

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

static void forget(struct picture *picture)
{
    free(picture->current.strokes);
    picture->current = (struct field){0};
}

void picture_close(struct picture *picture)
{
    forget(picture);
    free(picture->bytes);
    *picture = (struct picture){.protocol = PICTURE_NONE};
}

/* ---- The field ---- */

/* Text inside the field would be hidden by the picture, or cut it. */
static bool holds_strokes_alone(const struct canvas *canvas, struct area area)
{
    for (int y = area.y; y < area.y + area.rows; y++)
        for (int x = area.x; x < area.x + area.columns; x++) {
            const struct cell *cell = canvas_at(canvas, y, x);
            if (!cell || !cell_is_stroke(cell))
                return false;
        }
    return true;
}

/* A sixel picture that reaches the last row scrolls the screen. */
static const struct field *choose(const struct picture *picture, const struct canvas *canvas)
{
    const struct field *best = NULL;
    int most = 0;
    for (size_t i = 0; picture->protocol != PICTURE_NONE && i < canvas->field_count; i++) {
        const struct field *field = &canvas->fields[i];
        int cells = field->area.rows * field->area.columns;
        const struct area *area = &field->area;
        bool fits = area->columns * picture->cell.width <= picture->most_width &&
                    area->rows * picture->cell.height <= picture->most_height &&
                    area->y + area->rows < canvas->rows && holds_strokes_alone(canvas, *area);
        if (cells > most && field->count > 0 && fits) {
            best = field;
            most = cells;
        }
    }
    return best;
}

static bool same_area(struct area a, struct area b)
{
    return a.y == b.y && a.x == b.x && a.rows == b.rows && a.columns == b.columns;
}

static bool is_shown(const struct picture *picture, const struct field *field,
                     const struct theme *theme)
{
    const struct field *current = &picture->current;
    bool same = picture->theme == theme && same_area(current->area, field->area) &&
                current->count == field->count;
    for (size_t i = 0; same && i < field->count; i++) {
        const struct stroke *a = &current->strokes[i], *b = &field->strokes[i];
        same = a->from == b->from && a->to == b->to && a->width == b->width &&
               ink_equal(a->ink, b->ink);
    }
    return same;
}

/* ---- The picture ---- */

/* kitty's new picture is complete before the old one goes. */
static char *encode_kitty(struct picture *picture, const struct raster *raster, struct area area)
{
    static const char *const deletions[] = {PIXELS_DELETE(PIXELS_FIRST),
                                            PIXELS_DELETE(PIXELS_SECOND)};
    bool old = picture->second;
    unsigned id = old ? PIXELS_FIRST : PIXELS_SECOND;
    picture->second = !old;
    char *bytes = picture->shared ? pixels_shared(raster, id, area, deletions[old]) : NULL;
    return bytes ? bytes : pixels_kitty(raster, id, area, deletions[old]);
}

static bool encode(struct picture *picture, const struct raster *raster, struct area area)
{
    free(picture->bytes);
    picture->bytes = picture->protocol == PICTURE_SIXEL ? pixels_sixel(raster, area.y, area.x)
                                                        : encode_kitty(picture, raster, area);
    picture->next = picture->bytes;
    return picture->bytes != NULL;
}

static struct stroke *copy_strokes(const struct field *field, float least_width)
{
    struct stroke *strokes = malloc(field->count * sizeof *strokes);
    for (size_t i = 0; strokes && i < field->count; i++) {
        strokes[i] = field->strokes[i];
        if (strokes[i].width < least_width)
            strokes[i].width = least_width;
    }
    return strokes;
}

/* Draws the strokes at the terminal's own resolution and encodes them. */
static bool send(struct picture *picture, const struct field *field, struct rgb ground,
                 const struct theme *theme)
{
    struct area area = field->area, whole = {0, 0, area.rows, area.columns};
    struct cell_size cell = picture->cell;
    struct stroke *strokes = copy_strokes(field, LEAST_WIDTH / (float)cell.height);
    struct raster *raster = raster_new(area.columns * cell.width, area.rows * cell.height, ground);
    bool good = strokes && raster &&
                raster_strokes(raster, whole, cell, strokes, field->count, theme) &&
                encode(picture, raster, area);
    raster_free(raster);
    free(strokes);
    return good;
}

static bool note(struct picture *picture, const struct field *field, const struct theme *theme)
{
    struct stroke *strokes = copy_strokes(field, 0);
    if (!strokes)
        return false;
    free(picture->current.strokes);
    picture->current = (struct field){field->area, strokes, field->count};
    picture->theme = theme;
    return true;
}

/* The cells that sixels covered aren't what curses takes them for, so the caller repaints. */
void picture_remove(struct picture *picture)
{
    picture->next = picture->protocol == PICTURE_KITTY ? PIXELS_DELETE_ALL : NULL;
    forget(picture);
}

/* Nothing is sent if the same picture is on the screen. If it can't be drawn, the old one has to
 * go, and the cells show the lines. */
const struct field *picture_draw(struct picture *picture, const struct canvas *canvas,
                                 struct rgb ground, const struct theme *theme, bool *repaint)
{
    const struct field *field = choose(picture, canvas);
    bool showing = picture->current.count > 0;
    if (field && showing && !*repaint && is_shown(picture, field, theme))
        return field;
    bool covered = field && same_area(picture->current.area, field->area);
    bool sent = field && note(picture, field, theme) && send(picture, field, ground, theme);
    if (showing && picture->protocol == PICTURE_SIXEL)
        *repaint |= !sent || !covered;
    if (!sent && (showing || field))
        picture_remove(picture);
    return sent ? field : NULL;
}

const char *picture_bytes(struct picture *picture)
{
    const char *bytes = picture->next;
    picture->next = NULL;
    return bytes ? bytes : "";
}
