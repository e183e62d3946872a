/* neuron.c: the neuron view. One head, and how one token's query meets every key:
 *
 *     query q   key k   q × k   q·k/√D   softmax   value v   a × v
 *                                                            Σ a·v
 *
 * The bands show each dimension: tanh(|x|/4) of q, k and q×k, tanh(|x|) of v, tanh(4|x|) of a×v and
 * its sum; queries other than the chosen one are dim. Where not all bands fit, look.valued chooses
 * between what makes the weight, with what becomes of the chosen pair below it, and what the weight
 * makes. Where three don't fit, the chosen query stands above the keys, as it does where queries
 * and keys are different tokens; where two don't, they show a window of the dimensions that follows
 * the cursor. With look.listed a panel beside them lists the dimensions (contributions.c). */
#include "headlight/view/views.h"

#include "headlight/base/memory.h"
#include "headlight/view/neuron_sheet.h"

#include <stdlib.h>

#define DIM          0.35F /* strength of the queries that are not chosen */
#define LEAST_HEIGHT 5

/* Values are smaller than queries and keys, and weighted they are smaller still. */
#define VALUE_UNIT    1.0F
#define WEIGHTED_UNIT 0.25F

/* ---- Bands ---- */

/* [D], which for what is computed lasts until the next call. All but queries are of a key. */
static const float *band_values(const struct neuron_sheet *sheet, enum neuron_band band,
                                size_t token)
{
    struct attending at = sheet->at;
    switch (band) {
    case BAND_QUERY:
        at.from = token;
        return dimensions_query(&at);
    case BAND_KEY:
        return dimensions_key(&at, token);
    case BAND_VALUE:
        return dimensions_value(&at, token);
    case BAND_PRODUCT:
        dimensions_product(&at, token, sheet->vector);
        return sheet->vector;
    default:
        dimensions_weighted(&at, token, sheet->vector);
        return sheet->vector;
    }
}

static void include_band(struct band_scale *scale, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        scale->largest = fmaxf(scale->largest, fabsf(values[i]));
}

/* ---- Rows ---- */

/* The weight as a number and as a bar, beside it or, where rows are two high, under it. */
static void draw_weight(const struct neuron_sheet *sheet, int y, size_t key)
{
    const struct scene *scene = sheet->scene;
    unsigned weight = neuron_weight(sheet, key);
    int end = sheet->softmax_x + sheet->softmax_width;
    bool below = sheet->bar_width == 0 && sheet->band_rows > 1;
    int width = below ? sheet->softmax_width : sheet->bar_width;
    int x = below ? sheet->softmax_x : end - NEURON_NUMBER_WIDTH;
    struct style number = key == sheet->heaviest ? style_bold(ROLE_STRONG)
                          : weight >= 50         ? style_of(ROLE_TEXT)
                                                 : style_of(ROLE_FAINT);
    struct style name = number;
    if (key == sheet->key && scene->look.to == key && !sheet->canvas->bare &&
        (scene->look.from != NO_TOKEN || !sheet->same))
        number.back = name.back = ink_full(ROLE_CURSOR);
    const bool seen = scene_sees(scene, sheet->at.from, key), wide = sheet->score_x >= 0;
    const int left = wide && !seen ? sheet->score_x : x;
    canvas_text_right(sheet->canvas, y, x + NEURON_NUMBER_WIDTH, x + NEURON_NUMBER_WIDTH - left,
                      number,
                      seen   ? number_weight(weight).text
                      : wide ? UNSEEN
                             : "-");
    if (sheet->name_x >= 0)
        canvas_text(sheet->canvas, y, sheet->name_x, sheet->label_width, name,
                    scene_drawn(scene, SIDE_RIGHT, key).text);
    int eighths = ((int)weight * width * 8 + EDGE_WHOLE / 2) / EDGE_WHOLE;
    canvas_bar(sheet->canvas, below ? y + 1 : y, below ? sheet->softmax_x : sheet->bar_x, width,
               eighths, style_of(ROLE_POSITIVE));
}

/* A click on a row chooses its key; on the label or the query's band it chooses the query, where
 * each row is both. */
static void neuron_draw_row(const struct neuron_sheet *sheet, size_t token)
{
    const struct scene *scene = sheet->scene;
    int y = sheet->tokens.y + grid_at(&sheet->column, token);
    struct area row = {y, sheet->tokens.x, sheet->band_rows, sheet->tokens.columns};
    canvas_mark(sheet->canvas, row, hit_token(SIDE_RIGHT, token));
    row.columns = sheet->label_x + sheet->label_width + 1 - row.x;
    if (sheet->band_x[BAND_QUERY] >= 0)
        row.columns = sheet->band_x[BAND_KEY] - row.x;
    if (sheet->same)
        canvas_mark(sheet->canvas, row, hit_token(SIDE_LEFT, token));
    /* the query has the cursor until a key is chosen, which then has it, and the query is pinned */
    const bool pinned = scene_is_pinned(scene), query = sheet->same && token == sheet->at.from;
    const struct style style =
        query ? neuron_chosen(sheet, pinned ? ROLE_PINNED : ROLE_CURSOR)
        : token == scene->look.to && (pinned || !sheet->same) ? neuron_chosen(sheet, ROLE_CURSOR)
        : sheet->canvas->bare                                 ? style_of(ROLE_TEXT)
                              : scene_label_style(scene, SIDE_RIGHT, token, ROLE_TEXT);
    neuron_draw_label(sheet, y, style, scene_drawn(scene, SIDE_RIGHT, token).text);
    if (token == (pinned || !sheet->same ? scene->look.to : sheet->at.from) && !sheet->canvas->bare)
        canvas_text(sheet->canvas, y, sheet->mark_x, 1, style_bold(ROLE_TITLE), "▸");
    /* The chosen query is as high as the row, the others are one row high and dim: they are there
     * to be compared with it, not to be read. */
    for (enum neuron_band band = 0; band < BANDS; band++) {
        bool other = band == BAND_QUERY && token != sheet->at.from;
        struct band_scale scale = sheet->scale[band];
        if (other)
            scale.dim = DIM;
        if (sheet->band_x[band] >= 0)
            neuron_draw_band(sheet, y, sheet->band_x[band], other ? 1 : sheet->band_rows,
                             band_values(sheet, band, token), scale);
    }
    /* the score in the hue of its sign, like the bands whose numbers it is the sum of */
    const int end = sheet->score_x + NEURON_SCORE_WIDTH;
    float score;
    const bool scored = sheet->score_x >= 0 && scene_sees(scene, sheet->at.from, token) &&
                        dimensions_score(&sheet->at, token, scene->data.divisor, &score);
    const bool masked = scored && trace_is_masked(score);
    if (scored)
        canvas_text_right(sheet->canvas, y, end, NEURON_SCORE_WIDTH,
                          masked ? style_of(ROLE_FAINT)
                                 : style_legible(bands_ink(score, (struct band_scale){.dim = 1})),
                          masked ? "masked"
                                 : number_text((double)score, true, 2, NEURON_SCORE_WIDTH).text);
    draw_weight(sheet, y, token);
}

/* Σ a·v, the head's context for the query. Where values have no columns the chosen key's value,
 * that times its weight, and Σ stand below the first bands. */
static void draw_below(const struct neuron_sheet *sheet)
{
    const bool ascii = canvas_ascii(sheet->canvas);
    const struct style heading = style_of(ROLE_FAINT);
    const int *const band_x = sheet->band_x;
    if (sheet->below_y < 0)
        return;
    if (sheet->values) {
        struct pen pen = {sheet->canvas, sheet->below_y, band_x[BAND_VALUE],
                          band_x[BAND_WEIGHTED] - 1};
        const char *sum = ascii ? "sum" : "Σ";
        int width = canvas_width(sheet->canvas, sum);
        if (pen.end - pen.x >= 8 + width)
            canvas_text(sheet->canvas, pen.y, pen.end - width - 8, 7, heading, "context");
        canvas_text_right(sheet->canvas, pen.y, pen.end, pen.end - sheet->label_x,
                          style_bold(ROLE_STRONG), sum);
        neuron_draw_band(sheet, pen.y, band_x[BAND_WEIGHTED], sheet->band_rows, sheet->context,
                         sheet->scale[BAND_WEIGHTED]);
        return;
    }
    const bool three = band_x[BAND_QUERY] >= 0;
    const struct {
        const char *name;
        int x;
        const float *values;
        struct band_scale scale;
    } parts[] = {
        {"value v", band_x[three ? BAND_QUERY : BAND_KEY],
         band_values(sheet, BAND_VALUE, sheet->key), sheet->scale[BAND_VALUE]},
        {"a × v", three ? band_x[BAND_KEY] : -1, band_values(sheet, BAND_WEIGHTED, sheet->key),
         sheet->scale[BAND_WEIGHTED]},
        {ascii ? "sum" : "Σ a × v", band_x[BAND_PRODUCT], sheet->context,
         sheet->scale[BAND_WEIGHTED]},
    };
    neuron_draw_label(sheet, sheet->below_y + 1, style_bold(ROLE_STRONG),
                      scene_drawn(sheet->scene, SIDE_RIGHT, sheet->key).text);
    for (size_t i = 0; i < LENGTH(parts); i++) {
        if (parts[i].x < 0)
            continue;
        canvas_text(sheet->canvas, sheet->below_y, parts[i].x, sheet->band_width, heading,
                    parts[i].name);
        neuron_draw_band(sheet, sheet->below_y + 1, parts[i].x, sheet->band_rows, parts[i].values,
                         parts[i].scale);
    }
}

/* ---- The view ---- */

/* One block serves as working space and as the context, which is the same for all rows. The panel
 * comes last: it has memory of its own. */
static void neuron_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct neuron_sheet sheet = {.scene = scene,
                                 .canvas = canvas,
                                 .whole = area,
                                 .scale = {{.dim = 1},
                                           {.dim = 1},
                                           {.dim = 1},
                                           {.dim = 1, .unit = VALUE_UNIT},
                                           {.dim = 1, .unit = WEIGHTED_UNIT}}};
    size_t D = scene->data.trace->dimensions;
    canvas->overflow |= area.rows < LEAST_HEIGHT ? OVERFLOW_ROWS : 0;
    if (area.rows < LEAST_HEIGHT)
        return;
    neuron_lay_out(&sheet);
    if (!sheet.keys && !sheet.values) {
        const struct layer_trace *layer = &scene->data.trace->layer[scene->look.layer];
        const char *what = layer->query.data ? "key" : layer->key.data ? "query" : "query and key";
        char text[120];
        snprintf(text, sizeof text,
                 "this recording has no %s in layer %zu: the neuron view needs both", what,
                 scene->look.layer);
        canvas_paragraph(canvas, area_below(area, area.rows / 3), style_of(ROLE_TEXT), text);
        neuron_draw_numbers(&sheet);
        return;
    }
    sheet.vector = memory_new(2 * D, sizeof *sheet.vector, 0, "a band", &canvas->error);
    if (!sheet.vector)
        return;
    sheet.context = sheet.vector + D;
    if (neuron_has_values(&sheet))
        dimensions_context(&sheet.at, sheet.context);
    /* Bands scaled by their largest values: one for q, k and q×k, one for v, and one for a×v and
     * their sum, which is the context. The chosen query counts even where it has no column. */
    struct band_scale *scale = sheet.scale;
    const bool scaled = scene->look.scale_largest;
    if (scaled && sheet.keys)
        include_band(&scale[BAND_QUERY], dimensions_query(&sheet.at), D);
    if (scaled && neuron_has_values(&sheet))
        include_band(&scale[BAND_WEIGHTED], sheet.context, D);
    for (enum neuron_band band = 0; scaled && band < BANDS; band++)
        for (size_t key = 0;
             key < sheet.at.trace->attended &&
             (sheet.band_x[band] >= 0 || (band > BAND_PRODUCT && neuron_has_values(&sheet)));
             key++)
            include_band(&scale[band <= BAND_PRODUCT ? BAND_QUERY : band],
                         band_values(&sheet, band, key), D);
    if (scaled)
        scale[BAND_KEY] = scale[BAND_PRODUCT] = scale[BAND_QUERY];
    neuron_draw_headings(&sheet);
    for (size_t token = 0; token < scene_count(scene, SIDE_RIGHT); token++)
        if (grid_shows(&sheet.column, token))
            neuron_draw_row(&sheet, token);
    neuron_draw_beside(&sheet);
    draw_below(&sheet);
    neuron_draw_legend(&sheet);
    if (!canvas->bare)
        neuron_draw_numbers(&sheet);
    free(sheet.vector);
    if (sheet.panel.columns > 0)
        contributions_draw(&sheet, sheet.values && (scene->look.valued || !sheet.keys));
}

static const char *neuron_hints(const struct scene *scene)
{
    return scene_is_pinned(scene)
               ? "↑↓: key; Enter: unpin; r: which heads; ←→: layer; , .: dim"
               : "↑↓: query; Enter: keys; ←→: layer; 0-9: head; , .: dim; e: edit";
}

/* Esc leaves the dimension first. */
static enum acted neuron_act(struct scene *scene, enum action action, struct error *error)
{
    (void)error;
    if (action == ACTION_CLEAR && scene->look.dimension != NO_TOKEN) {
        scene->look.dimension = NO_TOKEN;
        return ACT_DONE;
    }
    return ACT_PASSED;
}

static void neuron_says(const struct scene *scene, struct sentence *sentence)
{
    struct edge edge;
    if (scene_current_edge(scene, &edge))
        sentence_say_score(scene, sentence, &edge);
}

/* Of the query and each key, or of the chosen pair alone: the bands and the sum, dimension by
 * dimension, and what comes of them. What a recording lacks is empty. */
static enum status neuron_table(const struct scene *scene, struct table *table, struct error *error)
{
    const size_t D = scene->data.trace->dimensions;
    struct neuron_sheet sheet = {.scene = scene};
    neuron_choose(&sheet);
    const bool keys = dimensions_have_keys(&sheet.at), values = dimensions_have_values(&sheet.at);
    float *numbers = memory_new((BANDS + 2) * D, sizeof *numbers, 1, "the bands", error), score;
    if (!numbers)
        return error->status;
    sheet.vector = numbers + (BANDS + 1) * D;
    if (values)
        dimensions_context(&sheet.at, numbers + BANDS * D);
    fprintf(table->csv.stream,
            "kind,layer,head,%s,dimension,query,key,product,value,weighted,context,score,weight\n",
            table_pair(scene));
    for (size_t key = 0; key < scene_count(scene, SIDE_RIGHT); key++) {
        if (scene_is_pinned(scene) && key != sheet.key)
            continue;
        for (enum neuron_band band = 0; band < BANDS; band++)
            if (band <= BAND_PRODUCT ? keys : values)
                memcpy(numbers + band * D,
                       band_values(&sheet, band, band == BAND_QUERY ? sheet.at.from : key),
                       D * sizeof *numbers);
        const bool scored = dimensions_score(&sheet.at, key, scene->data.divisor, &score) &&
                            !trace_is_masked(score);
        for (size_t d = 0; d <= D; d++) {
            json_put(&table->csv, CELL(d < D ? "dimension" : "connection"), CELL(sheet.at.layer),
                     CELL(sheet.at.head), TABLE_SHOWN(scene, SIDE_LEFT, sheet.at.from),
                     TABLE_SHOWN(scene, SIDE_RIGHT, key), CELL_IF(d < D, d));
            for (enum neuron_band band = 0; band <= BANDS; band++)
                json_put(&table->csv, CELL_IF(d < D && (band <= BAND_PRODUCT ? keys : values),
                                              numbers[band * D + d]));
            TABLE_ROW(table, CELL_IF(d == D && scored, score),
                      CELL_IF(d == D, scene_weight(scene, sheet.at.head, sheet.at.from, key)));
        }
    }
    free(numbers);
    return STATUS_OK;
}

const struct view neuron_view = {
    .title = "Neuron",
    .about = "a query, all keys and their products, number by number, up to the weights",
    .meaning = "a stripe: one number · blue: above 0 · orange: below · fuller: more",
    .mouse = "a token, a dimension",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_BANDS | SHOWN_VALUES | SHOWN_QUERY | SHOWN_LIST,
    .own_list = true,
    .query = QUERY_LINE,
    .draw = neuron_draw,
    .act = neuron_act,
    .hints = neuron_hints,
    .table = neuron_table,
    .says = neuron_says,
};
