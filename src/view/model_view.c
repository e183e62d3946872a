/* model_view.c: the model view. All layers (down) and heads (across) as thumbnails: heat maps of
 * their attention weights, or lines (model_view_grid.c). The head under the cursor is framed and,
 * where there is room, enlarged beside them with its metrics: words and lines as in the head view
 * or, where there are more tokens than rows, a large thumbnail. A thumbnail shows what the filter
 * leaves. When not all fit, those around the cursor are shown, with arrows towards the others, and
 * the legend says how many these are. */
#include "headlight/view/model_view.h"

#include "headlight/view/head_legend.h"

#include <stdlib.h>

#define METRICS_ROWS  5
#define BAND_WIDE     46 /* columns, from which a band's name is written out */
#define METRICS_LEFT  13 /* "previous 0.86" */
#define METRICS_RIGHT 15 /* "separators 0.86" */
#define METRICS_GAP   3

/* ---- The enlarged head ---- */

/* A name and its number, marked if the grid shows it, and behind it the unit, if that ends before
 * column `end`. */
static void draw_metric(const struct model_view_sheet *sheet, struct area place, enum metric metric,
                        int end)
{
    bool chosen = metric == model_view_metric(sheet->scene);
    double value = model_view_cursor_value(sheet, metric);
    struct style number = metric == METRIC_EFFECT ? model_view_effect_style(value)
                          : chosen || metric_stands_out(metric, value) ? style_bold(ROLE_STRONG)
                                                                       : style_of(ROLE_TEXT);
    struct style name = chosen ? style_bold(ROLE_TITLE) : style_of(ROLE_FAINT);
    const char *unit = model_view_unit(sheet->scene, metric);
    int behind = place.x + place.columns;
    char text[32];
    metric_print(text, sizeof text, metric, value);
    if (chosen)
        canvas_text(sheet->canvas, place.y, place.x - 2, 1, name, "▸");
    canvas_text(sheet->canvas, place.y, place.x, place.columns, name, metric_infos[metric].name);
    canvas_text_right(sheet->canvas, place.y, behind, 6, number, text);
    if (behind + (int)strlen(unit) <= end)
        canvas_text(sheet->canvas, place.y, behind, 8, style_of(ROLE_FAINT), unit);
}

/* An area of 0 columns stays empty. */
static void draw_enlarged(const struct model_view_sheet *sheet)
{
    const struct area area = sheet->enlarged;
    struct pen pen = {sheet->canvas, area.y, area.x, area.x + area.columns};
    const int room = area.rows - 2 - (int)scene_count(sheet->scene, SIDE_RIGHT);
    const int metrics_rows = sheet->banded && room < METRICS_ROWS ? 0 : METRICS_ROWS;
    struct area picture = {area.y + 2, area.x, area.rows - 2 - metrics_rows, area.columns};
    struct area below = {area.y + area.rows - metrics_rows, area.x, metrics_rows, area.columns};
    if (area.columns == 0)
        return;
    caption_place(sheet->scene, &pen, sheet->scene->look.head);
    pen.x += scene_sharing(sheet->scene) > 1 ? CAPTION_GAP : 0;
    caption_key(sheet->scene, &pen, sheet->scene->look.head);
    if (!scene_is_single(sheet->scene)) { /* metrics are of heads */
        const struct head_label label = metrics_label(&sheet->metrics);
        if (label.metric != METRIC_NONE)
            pen_write(&pen, "   %s <%.3f>%s", label.words, label.value,
                      label.rest > 0 ? " beside the first" : "");
        /* in two aligned columns; the last place is for what is measured apart, if anything is */
        const bool past = trace_site_axes(sheet->scene->data.trace) == AXES_PAST;
        const enum metric metrics[][METRICS_ROWS] = {
            {METRIC_PREVIOUS, past ? METRIC_MAXIMUM : METRIC_NEXT, METRIC_SELF, METRIC_FIRST,
             METRIC_SAME},
            {METRIC_SEPARATORS, METRIC_ENTROPY, METRIC_DISTANCE,
             past ? METRIC_INDUCTION : METRIC_MAXIMUM, model_view_apart(sheet->scene)}};
        struct area left = {below.y, below.x, 1, METRICS_LEFT};
        struct area right = {below.y, below.x + METRICS_LEFT + METRICS_GAP, 1, METRICS_RIGHT};
        for (int i = 0; i < metrics_rows; i++, left.y++, right.y++) {
            draw_metric(sheet, left, metrics[0][i], 0);
            if (metrics[1][i] != METRIC_NONE)
                draw_metric(sheet, right, metrics[1][i], below.x + below.columns);
        }
    }
    /* words and lines where each token has a row, else a large thumbnail; the row above says what
     * is left out */
    struct token_range from = scene_range(sheet->scene, SIDE_LEFT);
    struct token_range to = scene_range(sheet->scene, SIDE_RIGHT);
    if (picture.rows < MODEL_VIEW_DOTS_MIN)
        return;
    size_t tokens = size_max(from.end - from.first, to.end - to.first);
    if (tokens <= (size_t)picture.rows) {
        head_draw_inset(sheet->scene, sheet->canvas, picture);
        return;
    }
    canvas_print(sheet->canvas, picture.y - 1, picture.x, picture.columns, style_of(ROLE_FAINT),
                 "no room for the words of %zu tokens", tokens);
    model_view_draw_large(sheet, picture);
}

/* ---- The view ---- */

/* Draws the grid with its labels. */
static void draw_block(const struct model_view_sheet *sheet)
{
    struct canvas *canvas = sheet->canvas;
    model_view_draw_grid(sheet);
    /* Layers and heads, those that share a key on one line, over the frame where it is in their
     * row; when sorted, the rank of each row's first head. */
    const struct scene *scene = sheet->scene;
    const struct model_view_axis *rows = &sheet->rows, *columns = &sheet->columns;
    const bool headed = !sheet->sorted && !scene_is_single(scene);
    const size_t sharing = scene_sharing(scene);
    for (size_t row = rows->at.shown.first; row < rows->at.shown.end; row++) {
        const size_t number =
            sheet->sorted ? row * scene->data.head_count + columns->at.shown.first + 1 : row;
        const int y =
            (grid_at(&rows->at, row) + (rows->at.size - sheet->text_rows * sheet->per_row) / 2) /
            sheet->per_row;
        canvas_print(canvas, y, columns->at.origin - 1 - model_view_digits(number), 5,
                     model_view_number_style(row == rows->cursor, !sheet->sorted), "%zu", number);
    }
    for (size_t head = columns->at.shown.first; headed && head < columns->at.shown.end; head++) {
        const int x = grid_at(&columns->at, head) + columns->at.size - columns->box,
                  rule = (head + 1) % sharing > 0 ? columns->at.size : columns->box;
        for (int i = 0; sharing > 1 && i < rule; i++) {
            const struct cell *cell = canvas_at(canvas, sheet->grid.y, x + i);
            if (cell && cell->text[0] == ' ') /* not on the frame */
                canvas_text(canvas, sheet->grid.y, x + i, 1, style_of(ROLE_FAINT), "─");
        }
        canvas_print(
            canvas, sheet->grid.y, x + (columns->box - model_view_digits(head)) / 2, 3,
            model_view_number_style(head == columns->cursor, model_view_is_on(&scene->look, head)),
            "%zu", head);
    }
    struct grid grid = {.row = sheet->rows.at, .column = sheet->columns.at};
    grid.row.origin = sheet->grid.y + 1; /* of cells, not of dots */
    grid.row.size /= sheet->per_row;
    grid_draw_more(&grid, canvas);
}

/* Around the block stand what rows and columns are, the heads in a row above it, and how strong a
 * weight is. */
static void draw_figure(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct model_view_sheet sheet = model_view_lay_out(scene, canvas, area);
    const struct grid_axis *rows = &sheet.rows.at, *columns = &sheet.columns.at;
    const int y = area.y + area.rows - 1, end = grid_stop(columns) - 1;
    const int top = rows->origin / sheet.per_row, bottom = grid_stop(rows) / sheet.per_row;
    const char *down = sheet.sorted ? "rank" : "layer";
    const int turned = canvas_turned_rows(canvas, down);
    const struct area beside = {top + (bottom - top - turned) / 2, area.x + 2, turned, 2};
    const struct map_info *map = &map_infos[scene->data.map->kind];
    draw_block(&sheet);
    canvas_turn(canvas, beside, style_of(ROLE_FAINT), down);
    if (!sheet.sorted && !scene_is_single(scene))
        grid_write(canvas, (struct area){area.y, columns->origin, 1, end - columns->origin},
                   style_of(ROLE_FAINT), "head");
    struct pen pen = {canvas, y, area.x + 2, area.x + area.columns - 2};
    if (scene->look.lined) {
        model_view_print_legend(scene, &pen);
        return;
    }
    char least[64];
    snprintf(least, sizeof least, "%s 0",
             scene->look.tone == TONE_ROW ? "share" : table_value_name(scene));
    grid_draw_scale(&pen, (struct ink){0}, ink_full(map->is_signed ? ROLE_POSITIVE : ROLE_TEXT),
                    least, NULL, map->absolute ? "1" : "the most in its layer");
}

/* Metrics of the cursor's head are shown even where those of all heads were not asked for. */
static void model_view_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    if (canvas->bare) {
        draw_figure(scene, canvas, area);
        return;
    }
    struct model_view_sheet sheet = model_view_lay_out(scene, canvas, area);
    sheet.metrics = scene_metrics(scene, scene->look.layer, scene->look.head);
    draw_block(&sheet);
    /* the other sites of an encoder–decoder, and above each its name; a click goes there. In a low
     * window the name of the one below lies over the cursor's frame. */
    for (enum site site = 0; sheet.banded && site < SITE_COUNT; site++) {
        const bool here = site == scene->data.encoded->site;
        struct scene band;
        if (!bands_scene(scene, site, &band))
            continue;
        struct model_view_sheet other = model_view_lay_out(&band, canvas, area);
        const struct area *grid = &other.grid;
        if (!here)
            draw_block(&other);
        canvas_text(canvas, grid->y - 1, grid->x + 2, grid->columns - 2,
                    here ? style_bold(ROLE_STRONG) : style_of(ROLE_READABLE),
                    site_words[site].title[grid->columns < BAND_WIDE]);
        if (!here)
            canvas_mark(canvas, (struct area){grid->y - 1, grid->x, grid->rows + 1, grid->columns},
                        hit_at(HIT(site), site));
    }
    /* the legend has what room is left of the note on what lies beyond the grid, at the right end
     */
    static const char *const sides[] = {"above", "below", "left", "right"};
    const struct grid_axis *rows = &sheet.rows.at, *columns = &sheet.columns.at;
    const size_t beyond[] = {rows->shown.first, rows->range.end - rows->shown.end,
                             columns->shown.first, columns->range.end - columns->shown.end};
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, area.x + area.columns - 2};
    char note[96] = "";
    for (size_t i = 0; i < LENGTH(sides); i++)
        if (beyond[i] > 0)
            format_add(note, sizeof note, "%s%zu %s", *note ? ", " : "", beyond[i], sides[i]);
    pen.end = canvas_text_right(canvas, pen.y, pen.end, area.columns, style_of(ROLE_TITLE), note) -
              (*note ? CAPTION_GAP : 0);
    model_view_print_legend(scene, &pen);
    struct edge edge;
    pen = (struct pen){canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 1};
    caption_edge(scene, &pen, &edge);
    draw_enlarged(&sheet);
}

/* ---- Keys ---- */

/* A single map has no heads to go across. */
static const char *model_view_hints(const struct scene *scene)
{
    const bool sorted = scene->look.sorted || scene->look.ranked;
    if (scene_is_single(scene))
        return "↑↓: layer; Enter: open; p: map; e: edit";
    if (model_view_metric(scene) == METRIC_EFFECT && scene->data.effects)
        return sorted ? "↑↓←→: head; n: next largest; Enter: open; o: figure; O: unsort"
                      : "↑↓: layer; ←→: head; n: next largest; Enter: open; o: figure; e: edit";
    return sorted ? "↑↓←→: head; Enter: open; o: figure; O: unsort"
                  : "↑↓: layer; ←→: head; Enter: open; o: figure; e: edit";
}

/* Whoever moves the cursor no longer waits for the largest effect. */
static void go_to_head(struct look *look, size_t layer, size_t head)
{
    look->layer = layer;
    look->head = head;
    look->effect_sought = 0;
}

/* One step goes round at the ends, a page or all the way stops there. */
static enum acted model_view_act(struct scene *scene, enum action action, struct error *error)
{
    const int rows = (int)scene->data.layers, columns = (int)scene->data.head_count;
    const int place = (int)model_view_place(scene, scene->look.layer, scene->look.head);
    const int down = action_steps(action);
    const int across = (action == ACTION_RIGHT) - (action == ACTION_LEFT);
    if (action == ACTION_PIN) { /* opens the head alone */
        scene->look.map = scene->data.map->kind == MAP_VOTES ? MAP_VOTES : scene->look.map;
        return ACT_TO_CHOSEN;
    }
    if (action == ACTION_SITE && scene->data.encoded->next != scene->data.encoded) {
        /* all are there to see: without a list */
        scene_go_to_site(scene, scene->data.encoded->next->site);
        return ACT_DONE;
    }
    if (model_view_metric(scene) == METRIC_EFFECT &&
        (action == ACTION_FIND_NEXT || action == ACTION_FIND_PREVIOUS)) {
        /* while they are still being measured, n is noted for when they are there */
        const struct effects *effects = scene->data.effects;
        if (!effects) {
            scene->look.effect_sought += action == ACTION_FIND_NEXT;
            return ACT_DONE;
        }
        if (!effects_any(effects)) {
            error_usage(error,
                        "no head changes this answer by itself: choose another word in Answers");
            return ACT_REFUSED;
        }
        const size_t heads = effects->heads;
        const size_t next = effects_next(effects, scene->look.layer * heads + scene->look.head,
                                         action == ACTION_FIND_NEXT);
        go_to_head(&scene->look, next / heads, next % heads);
        return ACT_DONE;
    }
    if (across != 0 && scene_is_single(scene)) {
        error_usage(error, "one map a layer: ↑ and ↓ go to another layer");
        return ACT_REFUSED;
    }
    if (down == 0 && across == 0)
        return ACT_PASSED;
    int row = place / columns, column = (place % columns + columns + across) % columns;
    row = abs(down) <= 1 ? (row + rows + down) % rows : down < 0 ? 0 : rows - 1;
    struct ranked_head *heads = model_view_sort(scene, error);
    if (!heads)
        return ACT_REFUSED;
    const struct ranked_head *at = &heads[(size_t)row * (size_t)columns + (size_t)column];
    go_to_head(&scene->look, at->layer, at->head);
    free(heads);
    return ACT_DONE;
}

/* What more heads do than anything else, and the next: "38 of 64 heads look at everything alike, 4
 * look at the word before". False where none does anything in particular. */
static bool say_habits(const struct scene *scene, struct sentence *sentence)
{
    const struct data *data = &scene->data;
    const size_t heads = data->layers * data->head_count;
    size_t counts[METRIC_EFFECT] = {0}, most = 0;
    const char *says[METRIC_EFFECT] = {""};
    if (!data->metrics && heads * data->trace->tokens * data->trace->attended > MEASURED_MAX)
        return false;
    for (size_t i = 0; i < heads; i++) {
        const struct head_metrics metrics =
            scene_metrics(scene, i / data->head_count, i % data->head_count);
        const struct head_label label = metrics_label(&metrics);
        says[label.metric] = label.says;
        counts[label.metric] += label.metric != METRIC_NONE;
    }
    for (int place = 0; place < 2; place++, counts[most] = 0) {
        for (size_t label = 0; label < METRIC_EFFECT; label++)
            most = counts[label] > counts[most] ? label : most;
        if (counts[most] == 0)
            return place > 0;
        if (place == 0)
            sentence_print(sentence, "%zu of %zu heads", counts[most], heads);
        else
            sentence_print(sentence, ", %zu", counts[most]);
        sentence_print(sentence, " %.4s%s", says[most], says[most] + 4 + (counts[most] > 1));
    }
    return true;
}

/* Of the head under the cursor: its figure, what becomes of an answer without it, or what it does;
 * where that is nothing in particular, what others do. */
static void model_view_says(const struct scene *scene, struct sentence *sentence)
{
    const struct look *look = &scene->look;
    const size_t layer = look->layer, head = look->head;
    const struct effects *effects = scene->data.effects;
    const struct model *model = scene->data.checkpoint ? scene->data.checkpoint->model : NULL;
    const enum metric metric = model_view_metric(scene);
    const bool measured =
                   model_view_has_metric(scene) && metric != METRIC_LABEL && metric != METRIC_PAIR,
               chosen = look->from != NO_TOKEN || look->to != NO_TOKEN;
    const double value = measured ? model_view_value(scene, layer, head) : NAN;
    const struct intervene_name name = data_head(&scene->data, layer, head);
    const bool figure = !isnan(value); /* that of the same word isn't where none stands twice */
    if (scene_is_single(scene)) {
        sentence_say_edge(scene, sentence);
    } else if (figure && metric == METRIC_MOVED) {
        /* and how alike the layer's vectors are, or the chosen token's */
        struct token_range tokens = {0, scene->data.divergence->tokens};
        scene_chosen_pieces(scene, SIDE_LEFT, &tokens);
        sentence_print(sentence, "Head %s is %.3f bits apart from that of %s", name.text, value,
                       data_against(&scene->data));
        if (!isnan(divergence_cosine(scene->data.divergence, layer, tokens)))
            sentence_print(sentence, ", cosine of vectors %.3f",
                           divergence_cosine(scene->data.divergence, layer, tokens));
    } else if (figure && metric == METRIC_EFFECT) {
        const size_t begun = strlen(sentence->text); /* with a blank at its end */
        sentence->text[begun - (begun > 0)] = '\0';
        const bool any = effects_any(effects);
        sentence_print(sentence, begun ? ", once %s%s is off too, " : "Without %s%s ",
                       any ? "head " : "any one of the heads", any ? name.text : "");
        sentence_print_turn(scene, sentence, &effects->on,
                            target_shown(model, &effects->on, effects->logprob),
                            target_shown(model, &effects->on, effects->logprob + any * value));
    } else if (figure) {
        /* "The entropy in head 2.2 is 3.29 bits, on average"; after a change what it was, too */
        const struct metric_info *info = &metric_infos[metric];
        const char *what = *info->unit ? info->name : info->meaning;
        double before = NAN;
        if (data_before(&scene->data)) {
            const struct head_metrics was = metrics_measure(data_before(&scene->data), layer, head,
                                                            &scene->data.encoded->kinds);
            before = was.of[metric];
        }
        sentence_print_words(sentence, "the ");
        what += strncmp(what, "the ", 4) == 0 ? 4 : 0;
        sentence_print(sentence, "%.*s in head %s", (int)strcspn(what, ","), what, name.text);
        sentence_print_rise(sentence, !*info->unit, before, value);
        sentence_print(sentence, "%s, on average", info->unit);
    } else if (!sentence_say_head(scene, sentence) && (chosen || !say_habits(scene, sentence))) {
        sentence_print_words(sentence, "in ");
        sentence_print(sentence, "head %s ", name.text);
        sentence_say_edge(scene, sentence);
        if (metric == METRIC_PAIR && model_view_place(scene, layer, head) == 0)
            sentence_print(sentence, ", most of all heads");
    }
}

const struct view model_view = {
    .title = "Model",
    .about = "all heads of all layers as thumbnails, with a figure for each",
    .meaning = "rows: layers · columns: heads · in each: who attends to what, fuller: more",
    .mouse = "a head, again: opens it",
    .heads = HEADS_ALL,
    .shown = SHOWN_HEADS | SHOWN_LINES | SHOWN_TONE | SHOWN_METRICS | SHOWN_PIECES | SHOWN_MAP |
             SHOWN_LIST | SHOWN_COLUMNS,
    .draw = model_view_draw,
    .act = model_view_act,
    .hints = model_view_hints,
    .table = model_table,
    .says = model_view_says,
};
