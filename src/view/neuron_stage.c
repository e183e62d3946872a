/* neuron_stage.c: the neuron view on a projector: one query, one key, and their score. */
#include "headlight/view/neuron_sheet.h"

#include "headlight/base/size.h"
#include "headlight/view/caption.h"
#include "headlight/view/stage.h"

#include <stdio.h>
#include <string.h>

#define BANDS_SHOWN 3
#define GAP         1                /* columns between a band and its name */
#define SLOTS_MAX   (2 * CANVAS_MAX) /* stripes: at most two a cell */

/* Each number as wide as there is room for; where there is none for all of them, the first ones. */
static void draw_wide_band(struct canvas *canvas, struct area area, const float *values,
                           const float *times, size_t count)
{
    float wide[SLOTS_MAX];
    const size_t columns = (size_t)area.columns, each = size_max(columns / count, 1);
    const size_t per_cell = count > columns ? 2 : 1;
    const size_t shown = size_min(count, columns * per_cell);
    for (size_t i = 0; i < shown * each; i++)
        wide[i] = values[i / each] * (times ? times[i / each] : 1);
    bands_draw(canvas, area.y, area.x, area.rows, wide, shown * each, per_cell,
               (struct band_scale){.dim = 1});
}

/* q, k and their product, one below the other; what has no row is left out. */
static void draw_three(const struct neuron_sheet *sheet, struct area area)
{
    static const char *const names[BANDS_SHOWN] = {"q", "k", "q×k"};
    const float *query = dimensions_query(&sheet->at),
                *key = dimensions_key(&sheet->at, sheet->key);
    const float *const values[BANDS_SHOWN] = {query, key, query}, *const times[] = {NULL, NULL,
                                                                                    key};
    const int scale = !canvas_ascii(sheet->canvas);
    const int name = scale ? letters_columns("q×k") : canvas_width(sheet->canvas, "q×k");
    const int rows = int_max((area.rows - BANDS_SHOWN + 1) / BANDS_SHOWN, 1);
    for (int i = 0; i < BANDS_SHOWN && (i + 1) * (rows + 1) <= area.rows + 1; i++) {
        const int y = area.y + i * (rows + 1), x = area.x + name + GAP;
        stage_word(sheet->canvas, y, area.x, name, scale && rows >= LETTERS_ROWS,
                   style_of(ROLE_STRONG), names[i]);
        draw_wide_band(sheet->canvas, (struct area){y, x, rows, area.x + area.columns - x},
                       values[i], times[i], sheet->at.trace->dimensions);
    }
}

/* "fruit → a: +2.66", in the hue of its sign, and what softmax makes of it. */
bool neuron_draw_large(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct neuron_sheet sheet = {.scene = scene, .canvas = canvas, .whole = area};
    char said[512], caption[96];
    float score;
    neuron_lay_out(&sheet);
    if (!sheet.keys || !dimensions_score(&sheet.at, sheet.key, scene->data.divisor, &score))
        return false;
    const bool ascii = canvas_ascii(canvas), masked = trace_is_masked(score);
    struct stage_text text = {.text = said,
                              .hue = ink_full(score < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE)};
    snprintf(said, sizeof said,
             "%.200s → %.200s: ", scene_name(scene, SIDE_LEFT, sheet.at.from, ascii).text,
             scene_name(scene, SIDE_RIGHT, sheet.key, ascii).text);
    text.mark = strlen(said);
    snprintf(said + text.mark, sizeof said - text.mark, masked ? "masked" : "%+.2f", (double)score);
    text.mark_end = strlen(said);
    snprintf(caption, sizeof caption, "the score, of which softmax makes a weight of %s",
             number_weight(neuron_weight(&sheet, sheet.key)).text);
    const struct area rest =
        stage_state(canvas, area, &text, BANDS_SHOWN * (LETTERS_ROWS + 1), caption);
    draw_three(&sheet, rest);
    return true;
}
