/* model_view_grid.c: the thumbnails of the model view: where they stand, and their drawing. A
 * thumbnail is a heat map with a row of dots for each attending token and a column for each
 * attended one, or lines (thumbnails.c). A dot is half a cell high; without colour, a whole cell
 * whose glyph's density shows the weight. Where there are more tokens than dots, a dot shows the
 * largest of its weights; where there are fewer, each token gets the same number of dots. In
 * vectors, whose cells may be of any size, every weight has its own. */
#include "headlight/view/model_view.h"

#include <stdlib.h>

#define ENLARGED_FROM   100 /* columns from which the cursor's head is enlarged */
#define ENLARGED_MIN    40
#define LINES_ROWS_MIN  2  /* of a thumbnail of lines */
#define LINES_ROWS_MOST 24 /* of a figure, which has a row for each of few tokens */
#define GAP             1  /* dots before a box, for the frame */
#define VALUE_MIN       3  /* ".86" */
#define VALUE_WIDTH     4  /* "0.86" */
#define NAME_COLUMNS    2  /* of a figure's "layer" */
#define FIGURE_MIN      2
#define LOW_DOTS        2 /* of a map, where larger ones would leave layers out */
#define EFFECT_WIDTH    5 /* "-1.73", "0.803" */
#define BRIEF           8 /* "prev .86" */
#define LABEL_ROWS      3

/* ---- Where they stand ---- */

/* The most dots, up to `room`, of which each token gets the same number; lines take all. */
static int fit_dots(const struct scene *scene, enum side side, int room)
{
    const int count = (int)edge_range_count(scene_range(scene, side));
    return count > 0 && count < room && !scene->look.lined ? room / count * count : room;
}

/* Spreads as many thumbnails, with boxes of `least` dots or more and so many dots of text under
 * them, as fit over the room. Without text the last frame needs one more gap. */
static void spread(const struct model_view_sheet *sheet, enum side side, int room, int least,
                   int text, struct model_view_axis *axis)
{
    /* boxes and the gap fill whole cells, or rows would stand at uneven distances */
    const bool odd = side == SIDE_LEFT && sheet->per_row == 2 && least != LOW_DOTS &&
                     (text > 0 || !sheet->canvas->bare);
    const int around = GAP + text;
    room -= text ? 0 : GAP;
    int most = int_max(room / (least + around), 1);
    int fitting = int_clamp((int)axis->at.range.end, 1, most);
    int box = int_max(room / fitting - around, 1);
    if (odd && box % 2 == 0)
        box--;
    axis->dots = sheet->canvas->bare ? box : fit_dots(sheet->scene, side, box);
    if (sheet->canvas->bare && side == SIDE_LEFT && !sheet->scene->look.lined)
        axis->dots = int_min(axis->dots, sheet->columns.dots); /* a figure's maps are square */
    axis->box = int_max(axis->dots, int_min(least, box)) | odd;
    axis->at.size = axis->box + around;
    axis->at.shown =
        grid_window(axis->at.range.end, (size_t)int_max(room / axis->at.size, 1), axis->cursor);
}

int model_view_digits(size_t number)
{
    return snprintf(NULL, 0, "%zu", number);
}

/* A site's part of an area: encoder and decoder beside one another, what connects them below. Of
 * SITE_COUNT what is left by three; of 0 columns: nothing is. */
static struct area band_area(const struct scene *scene, enum site site, struct area area)
{
    int before = 0, count = 0;
    for (enum site other = 0; other < SITE_COUNT; other++) {
        const bool has = encoded_of_site(scene->data.encoded, other);
        before += has && other < site;
        count += has;
    }
    const int rows = count > 2 ? area.rows / 2 : area.rows, columns = area.columns / 2;
    return before >= count && count < 3
               ? (struct area){0}
               : (struct area){area.y + before / 2 * rows, area.x + before % 2 * columns, rows,
                               columns};
}

/* From below: the line of numbers, the legend's row, then the grid and beside it, on a wide screen,
 * the enlarged head. */
struct model_view_sheet model_view_lay_out(const struct scene *scene, struct canvas *canvas,
                                           struct area area)
{
    if (canvas->bare) /* above a figure's block stand its heads */
        area = area_below(area, 1);
    const size_t heads = scene->data.head_count;
    const size_t place = model_view_place(scene, scene->look.layer, scene->look.head);
    struct model_view_sheet sheet = {.scene = scene,
                                     .area = area,
                                     .sorted = model_view_is_sorted(scene),
                                     .canvas = canvas,
                                     .per_row = scene->look.lined ? 1 : heat_per_row(canvas),
                                     .id_width = model_view_digits(scene->data.layers - 1) + 1 +
                                                 model_view_digits(heads - 1),
                                     .grid = area};
    const struct encoded *encoded = scene->data.encoded;
    sheet.banded = encoded->next != encoded && !canvas->bare;
    sheet.away = sheet.banded && scene->look.site != encoded->site;
    const bool wide = area.columns >= ENLARGED_FROM && !canvas->bare && !sheet.banded;
    const size_t none = canvas->bare || sheet.away ? NO_TOKEN : 0;
    sheet.grid.rows -= 2;
    if (sheet.banded) {
        sheet.grid = band_area(scene, encoded->site, sheet.grid);
        sheet.grid.y++; /* below the name */
        sheet.grid.rows--;
    } else if (wide) {
        sheet.grid.columns -= int_max(area.columns / 4, ENLARGED_MIN);
    }
    /* where the grid is sorted, ranks take the place of layers at the left */
    const int margin = (canvas->bare ? NAME_COLUMNS : 0) +
                       (sheet.sorted ? 3 + model_view_digits(scene->data.layers * heads)
                                     : 4 + model_view_digits(scene->data.layers - 1));
    sheet.columns =
        (struct model_view_axis){.at = {.range = {0, heads}, .origin = sheet.grid.x + margin},
                                 .cursor = none ? none : place % heads};
    spread(&sheet, SIDE_RIGHT, sheet.grid.columns - margin - 1,
           sheet.sorted   ? int_max(MODEL_VIEW_DOTS_MIN, sheet.id_width)
           : canvas->bare ? FIGURE_MIN
                          : MODEL_VIEW_DOTS_MIN,
           0, &sheet.columns);
    /* from the widest arrangement to the narrowest: head, name and number of a label in one row;
     * name and number; one below the other; a value as well stands beside its head or below it */
    const bool brief = sheet.columns.box >= BRIEF, has = model_view_has_metric(scene),
               labelled = has && model_view_metric(scene) == METRIC_LABEL;
    sheet.text_rows = labelled && sheet.sorted && sheet.columns.box - sheet.id_width > BRIEF ? 1
                      : labelled      ? (brief ? 1 : 2) + sheet.sorted
                      : !sheet.sorted ? has
                      : sheet.columns.box >= sheet.id_width + 1 + VALUE_MIN ? 1
                                                                            : 2;
    /* Between the heads' numbers and the legend, which stands above the line of numbers. The first
     * gap is in the heads' row, unless text, which takes whole cells, would then stand between two.
     */
    const int per_row = sheet.per_row, text = sheet.text_rows * per_row,
              above = text > 0 && per_row == 2 ? 0 : GAP,
              room = (sheet.grid.rows - 1) * per_row + above, layers = (int)scene->data.layers;
    sheet.rows = (struct model_view_axis){
        .at = {.range = {0, scene->data.layers}, .origin = (sheet.grid.y + 1) * per_row - above},
        .cursor = none ? none : place / heads};
    /* in a figure maps are square, and lines have a row for each token as long as there are few */
    const int tokens = (int)edge_range_count(scene_range(scene, SIDE_LEFT));
    int least = !scene->look.lined ? (canvas->bare ? sheet.columns.box : MODEL_VIEW_DOTS_MIN)
                : canvas->bare     ? int_clamp(tokens, LINES_ROWS_MIN, LINES_ROWS_MOST)
                                   : LINES_ROWS_MIN;
    /* Where layers would be left out, smaller maps may show all of them; where there is text, maps
     * of the cursor's layer alone, above its text. */
    struct model_view_axis *axis = &sheet.rows;
    const bool low = !canvas->bare && layers * (least + GAP + text) > room - (text ? 0 : GAP);
    const int left = int_min((sheet.grid.rows - 1) * per_row - layers * text - GAP,
                             sheet.columns.box * per_row / 2);
    sheet.folded = low && text && !none && left >= least;
    if (low && !text && layers * (LOW_DOTS + GAP) <= room - GAP)
        least = LOW_DOTS;
    spread(&sheet, SIDE_LEFT, room, least, text, axis);
    if (sheet.folded) {
        axis->box = left - (per_row == 2 && left % 2 == 0);
        axis->dots = fit_dots(scene, SIDE_LEFT, axis->box);
        axis->at = (struct grid_axis){.range = axis->at.range,
                                      .shown = axis->at.range,
                                      .boundary = axis->cursor,
                                      .more = axis->box + GAP - 1,
                                      .origin = (sheet.grid.y + 1) * per_row +
                                                (axis->cursor == 0 ? axis->box + GAP : 0),
                                      .size = text};
    }
    int x = grid_at(&sheet.columns.at, sheet.columns.at.shown.end) + 3;
    if (wide)
        sheet.enlarged = (struct area){area.y, x, area.rows - 2, area.x + area.columns - 2 - x};
    if (sheet.banded && !sheet.away && area.columns / 2 >= ENLARGED_MIN) {
        const struct area grids = {area.y, area.x, area.rows - 2, area.columns - 2};
        sheet.enlarged = band_area(scene, SITE_COUNT, grids); /* where a fourth would stand */
    }
    return sheet;
}

/* The first row of text under a thumbnail's picture. */
static int text_y(const struct model_view_sheet *sheet, const struct thumbnail *thumbnail)
{
    return (thumbnail->top + thumbnail->rows) / sheet->per_row;
}

/* ---- Frames ---- */

/* One dot of the frame; where a dot is a whole cell, `sign`. */
static void put_frame(const struct model_view_sheet *sheet, int y, int x, const char *sign)
{
    if (sheet->per_row == 2)
        heat_dot(sheet->canvas, y, x, ink_full(ROLE_STRONG));
    else
        canvas_text(sheet->canvas, y, x, 1, style_bold(ROLE_STRONG), sign);
}

/* Of the frame's colour, so that it closes the frame below. */
static struct style text_style(void)
{
    return (struct style){.fore = ink_full(ROLE_READABLE), .back = ink_full(ROLE_STRONG)};
}

/* The text under a picture, from column `begin` to `end` (exclusive), is the frame's lower edge;
 * without colour, a line goes up to it. */
static void draw_text_edge(const struct model_view_sheet *sheet, const struct thumbnail *thumbnail,
                           int begin, int end)
{
    struct canvas *canvas = sheet->canvas;
    int y = text_y(sheet, thumbnail), last = y + sheet->text_rows - 1;
    int left = thumbnail->left - GAP, right = left + sheet->columns.at.size;
    canvas_fill(canvas, (struct area){y, left, sheet->text_rows, right + 1 - left}, text_style());
    if (heat_per_row(canvas) == 2)
        return;
    for (int row = y; row <= last; row++) {
        canvas_text(canvas, row, left, 1, text_style(), row < last ? "│" : "└");
        canvas_text(canvas, row, right, 1, text_style(), row < last ? "│" : "┘");
    }
    for (int x = left + 1; x < right; x++)
        if (x < begin - 1 || x > end)
            canvas_text(canvas, last, x, 1, text_style(), "─");
}

/* That one stands alone in the head view is nothing to dim all others for. */
bool model_view_is_on(const struct look *look, size_t head)
{
    return head_mask_count(look->heads) == 1 || head_mask_has(look->heads, head);
}

struct style model_view_number_style(bool cursor, bool on)
{
    return cursor ? style_marked(ROLE_CURSOR) : style_of(on ? ROLE_TEXT : ROLE_FAINT);
}

/* ---- Text under a picture ---- */

/* Each row in the middle: a value, or "previous .86", or "prev .86"; when sorted, behind or under
 * the head, "3.5 prev .86", which has a style of its own. All of it is ASCII, so bytes are columns.
 * Rows are empty for a head without a label. What the metric could name stands out; an effect has
 * the colour of its sign. */
static void thumbnail_draw_text(const struct model_view_sheet *sheet,
                                const struct thumbnail *thumbnail)
{
    const struct scene *scene = sheet->scene;
    const enum metric metric = model_view_metric(scene);
    const bool beside = sheet->sorted && sheet->text_rows == 1;
    const int box = sheet->columns.box, y = text_y(sheet, thumbnail), id_width = sheet->id_width;
    const int room = beside ? box - id_width - 1 : box;
    char rows[LABEL_ROWS][96] = {"", "", ""}, id[48], (*row)[96] = rows;
    struct weight_text value = {"-"};
    struct style style = thumbnail->cursor ? text_style() : style_of(ROLE_TEXT);
    if (sheet->text_rows == 0)
        return;
    if (sheet->sorted) {
        snprintf(id, sizeof id, "%zu.%zu", thumbnail->layer, thumbnail->head);
        snprintf(*row, sizeof *row, "%*s", id_width, id);
        row += !beside;
    }
    if (metric == METRIC_LABEL) {
        const struct head_label label = model_view_label(scene, thumbnail->layer, thumbnail->head);
        const bool fits = (int)strlen(label.name) + 1 + VALUE_MIN <= room;
        value = number_text(label.value, false, 2, VALUE_MIN);
        if (label.metric != METRIC_NONE && room < BRIEF) {
            snprintf(*row++, sizeof *row, "%.*s", room, label.brief);
            snprintf(*row, sizeof *row, "%s", value.text);
        } else if (label.metric != METRIC_NONE) {
            format_add(*row, sizeof *row, "%s%s %s", beside ? " " : "",
                       fits ? label.name : label.brief, value.text);
        }
        if (!thumbnail->cursor)
            style = label.metric == METRIC_BROAD ? style_of(ROLE_FAINT) : style_bold(ROLE_STRONG);
    } else {
        const double number = model_view_value(scene, thumbnail->layer, thumbnail->head);
        const bool wide = metric == METRIC_EFFECT || metric == METRIC_PAIR;
        const int widest = wide                                 ? EFFECT_WIDTH
                           : beside && metric_is_weight(metric) ? VALUE_WIDTH - 1
                                                                : VALUE_WIDTH,
                  width = int_min(room, widest);
        if (metric == METRIC_EFFECT && scene_is_off(scene, thumbnail->layer, thumbnail->head))
            value = (struct weight_text){"off"};
        else if (!isnan(number))
            value =
                number_text(number, metric == METRIC_EFFECT, metric_infos[metric].decimals, width);
        format_add(*row, sizeof *row, "%s%*s", beside ? " " : "",
                   sheet->sorted && !beside ? id_width : width, value.text);
        if (!thumbnail->cursor)
            style = metric == METRIC_EFFECT             ? model_view_effect_style(number)
                    : metric_stands_out(metric, number) ? style_of(ROLE_STRONG)
                    : metric_is_weight(metric)          ? style_of(ROLE_FAINT)
                                                        : style;
        style.bold = metric_stands_out(metric, number);
    }
    char *last = rows[sheet->text_rows - 1];
    if (thumbnail->cursor && !*last)
        strcpy(last, "-"); /* the cursor's block holds something */
    const int length = (int)strlen(last), begin = thumbnail->left + (box - length) / 2;
    if (thumbnail->cursor)
        draw_text_edge(sheet, thumbnail, begin, begin + length);
    for (int i = 0; i < sheet->text_rows; i++) {
        const int width = (int)strlen(rows[i]), x = thumbnail->left + (box - width) / 2;
        canvas_text(sheet->canvas, y + i, x, width, style, rows[i]);
        if (i == 0 && sheet->sorted && !thumbnail->cursor)
            canvas_print(sheet->canvas, y, x, id_width,
                         model_view_number_style(false, thumbnail->on), "%.*s", id_width, *rows);
    }
}

/* ---- The grid ---- */

/* Draws the thumbnails on screen, from the scene's store; and last the cursor's frame, which its
 * neighbours would cut. The axes keep the cursor on screen. */
void model_view_draw_grid(const struct model_view_sheet *sheet)
{
    const struct look *look = &sheet->scene->look;
    const struct data *data = &sheet->scene->data;
    const struct grid_axis *rows = &sheet->rows.at, *columns = &sheet->columns.at;
    struct thumbnails **store = &data->bands->thumbnails[data->encoded->site];
    thumbnails_keep(store, sheet);
    struct thumbnail cursor = {0};
    struct ranked_head *heads = model_view_sort(sheet->scene, &sheet->canvas->error);
    for (size_t row = rows->shown.first; heads && *store && row < rows->shown.end; row++)
        for (size_t column = columns->shown.first; column < columns->shown.end; column++) {
            struct ranked_head at = heads[row * data->head_count + column];
            const bool plain = sheet->folded && row != sheet->rows.cursor;
            const int box = plain ? -GAP : sheet->rows.box;
            struct thumbnail next = {
                .layer = at.layer,
                .head = at.head,
                .top = grid_at(rows, row) + (sheet->folded && !plain ? -box : GAP),
                .rows = box,
                .left = grid_at(columns, column) + GAP,
                .cursor = row == sheet->rows.cursor && column == sheet->columns.cursor,
                .on = model_view_is_on(look, at.head) &&
                      !scene_is_off(sheet->scene, at.layer, at.head)};
            if (next.cursor)
                cursor = next;
            if (!plain)
                thumbnails_draw(*store, sheet, &next);
            thumbnail_draw_text(sheet, &next);
            /* the text is the thumbnail's, too, and half a cell at a picture's end a whole one */
            const int end = (next.top + box + sheet->per_row - 1) / sheet->per_row,
                      y = int_min(next.top / sheet->per_row, end);
            canvas_mark(sheet->canvas,
                        (struct area){y, next.left, end + sheet->text_rows - y, sheet->columns.box},
                        sheet->away                     ? hit_at(HIT(site), data->encoded->site)
                        : scene_is_single(sheet->scene) ? hit_at(HIT(layer), next.layer)
                                                        : hit_head(next.layer, next.head));
        }
    free(heads);
    if (!cursor.cursor)
        return;
    const int top = cursor.top - GAP, left = cursor.left - GAP, right = left + columns->size,
              bottom = cursor.top + cursor.rows;
    for (int x = left; x <= right; x++) {
        put_frame(sheet, top, x, x == left ? "┌" : x == right ? "┐" : "─");
        if (sheet->text_rows == 0)
            put_frame(sheet, bottom, x, x == left ? "└" : x == right ? "┘" : "─");
    }
    for (int y = top + 1; y < bottom; y++) {
        put_frame(sheet, y, left, "│");
        put_frame(sheet, y, right, "│");
    }
}

/* Drawn like a small one, from a store and a sheet of its own that last for this frame. */
void model_view_draw_large(const struct model_view_sheet *sheet, struct area area)
{
    const struct scene *scene = sheet->scene;
    const struct look *look = &scene->look;
    const int per_row = sheet->per_row;
    const struct thumbnail thumbnail = {.layer = look->layer,
                                        .head = look->head,
                                        .top = area.y * per_row,
                                        .left = area.x,
                                        .on = !scene_is_off(scene, look->layer, look->head)};
    struct model_view_sheet large = *sheet;
    const int rows = fit_dots(scene, SIDE_LEFT, area.rows * per_row),
              columns = fit_dots(scene, SIDE_RIGHT, area.columns);
    large.rows = (struct model_view_axis){.box = rows, .dots = rows};
    large.columns = (struct model_view_axis){.box = columns, .dots = columns};
    struct thumbnails *store =
        thumbnails_new(&large, look->layer * scene->data.head_count + look->head, 1);
    if (store)
        thumbnails_draw(store, &large, &thumbnail);
    thumbnails_free(store);
}
