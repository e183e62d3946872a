/* contributions.c: the panel of the neuron view that lists dimensions by what they add to a score,
 * or to the context. What doesn't fit is counted and summed, so that the column still adds up. It
 * is sorted by size, so what matters most is read first. */
#include "headlight/base/memory.h"
#include "headlight/view/neuron_sheet.h"

#include <stdlib.h>

#define DIM_WIDTH    3
#define NUMBER_WIDTH 7
#define BAR_WIDTH    5
#define LABEL_WIDTH  (DIM_WIDTH + 2 * NUMBER_WIDTH) /* of a result */

/* Rows besides the dimensions: the pair and the headings above, two for the result below, and two
 * more for what a distance adds to it, or one for the quotient that is capped. */
#define HEADINGS 2
#define SUMMARY  2
#define DISTANCE 2

struct list {
    const struct neuron_sheet *sheet;
    int y;                      /* the next row */
    const float *left, *middle; /* [D] */
    const float *right;         /* [D] what it is sorted by */
    struct dimension *ranked;   /* [D] right, sorted */
    size_t count;               /* D */
    bool valued;
};

/* The first column after a column of numbers. */
static int contributions_end(const struct list *list, int column)
{
    return list->sheet->panel.x + DIM_WIDTH + (column + 1) * NUMBER_WIDTH;
}

/* A column is one wider than its numbers, for the blank before them. */
static void contributions_draw_number(const struct list *list, int column, double value, bool sign,
                                      struct style style)
{
    const int width = NUMBER_WIDTH - 1, decimals = list->valued ? 3 : 2;
    canvas_text_right(list->sheet->canvas, list->y, contributions_end(list, column), width, style,
                      number_text(value, sign, decimals, width).text);
}

/* ---- Dimensions ---- */

/* The bar is a share of the largest contribution of this pair, not of all pairs. */
static void draw_dimension(struct list *list, const struct dimension *dimension)
{
    double value = (double)dimension->value, largest = fabs((double)list->ranked[0].value);
    double share = largest > 0 ? fmin(fabs(value) / largest, 1) : 0; /* not NaN, but 1 */
    size_t d = dimension->index;
    struct area row = {list->y, list->sheet->panel.x, 1, list->sheet->panel.columns};
    struct ink sign = {value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE,
                       (uint8_t)lround(share * STYLE_FULL)};
    struct style index = style_of(ROLE_FAINT), number = style_of(ROLE_TEXT);
    struct style product = style_legible(sign);
    canvas_mark(list->sheet->canvas, row, hit_at(HIT(dimension), d));
    if (d == list->sheet->cursor) {
        /* hues are illegible on that background: the sign is enough */
        index = number = product = style_marked(ROLE_CURSOR);
        row.columns = DIM_WIDTH + 3 * NUMBER_WIDTH;
        canvas_fill(list->sheet->canvas, row, number);
    }
    canvas_print(list->sheet->canvas, row.y, row.x, DIM_WIDTH, index, "%*zu", DIM_WIDTH, d);
    contributions_draw_number(list, 0, (double)list->left[d], true, number);
    contributions_draw_number(list, 1, (double)list->middle[d], true, number);
    contributions_draw_number(list, 2, value, true, product);
    canvas_bar(list->sheet->canvas, list->y++, contributions_end(list, 2) + 1, BAR_WIDTH,
               (int)lround(share * BAR_WIDTH * 8), style_legible(sign));
}

/* ---- The result ---- */

static void draw_result(struct list *list, const char *label, double value, struct style named,
                        struct style number)
{
    canvas_text(list->sheet->canvas, list->y, list->sheet->panel.x, LABEL_WIDTH, named, label);
    contributions_draw_number(list, 2, value, true, number);
    list->y++;
}

/* The divisor is left out where there is none (it is 1), and the quotient has a row of its own only
 * where a distance is added to it. */
static void contributions_draw_score(struct list *list)
{
    const struct neuron_sheet *sheet = list->sheet;
    double sum = 0;
    for (size_t d = 0; d < list->count; d++)
        sum += (double)list->right[d];
    const double divided = sum / sheet->scene->data.divisor;
    const double distance = dimensions_distance(&sheet->at, sheet->key);
    const double score = dimensions_capped(sheet->at.trace, divided) + distance;
    const struct style faint = style_of(ROLE_FAINT), plain = style_of(ROLE_TEXT);
    const struct style strong = style_bold(score < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    char divisor[24], quotient[40], whole[60] = "score";
    dimensions_write_divisor(&sheet->at, sheet->scene->data.divisor,
                             canvas_ascii(list->sheet->canvas), divisor, sizeof divisor);
    snprintf(quotient, sizeof quotient, "sum%s%s", *divisor ? "/" : "", divisor);
    draw_result(list, "sum", sum, faint, plain);
    if (dimensions_have_distance(&sheet->at)) {
        draw_result(list, quotient, divided, faint, plain);
        draw_result(list, "+ distance", distance, faint, plain);
    } else if (sheet->at.trace->cap > 0) {
        draw_result(list, quotient, divided, faint, plain);
        snprintf(whole, sizeof whole, "score, capped");
    } else if (*divisor) {
        snprintf(whole, sizeof whole, "score = %s", quotient);
    }
    draw_result(list, whole, score, plain, strong);
}

/* ---- The panel ---- */

/* The products and, with `valued`, the context share a block: the columns and the result below them
 * need both. */
void contributions_draw(const struct neuron_sheet *sheet, bool valued)
{
    const struct attending *at = &sheet->at;
    size_t count = at->trace->dimensions;
    struct dimension *ranked = memory_new(count, sizeof *ranked, 2 * count * sizeof(float),
                                          "the list of dimensions", &sheet->canvas->error);
    if (!ranked)
        return;
    float *numbers = (float *)(ranked + count); /* [2,D] */
    if (valued) {
        dimensions_weighted(at, sheet->key, numbers);
        dimensions_context(at, numbers + count);
    } else {
        dimensions_product(at, sheet->key, numbers);
    }
    dimensions_rank(numbers, count, ranked);
    struct list list = {.sheet = sheet,
                        .y = sheet->panel.y,
                        .left = valued ? dimensions_value(at, sheet->key) : dimensions_query(at),
                        .middle = valued ? numbers + count : dimensions_key(at, sheet->key),
                        .right = numbers,
                        .ranked = ranked,
                        .count = count,
                        .valued = valued};
    const int more = valued ? 0 : dimensions_have_distance(at) ? DISTANCE : at->trace->cap > 0;
    const struct area panel = sheet->panel;
    const bool ascii = canvas_ascii(sheet->canvas);
    const char *const titles[] = {"dim", valued ? "v" : "q",
                                  !valued ? "k"
                                  : ascii ? "sum"
                                          : "Σ",
                                  valued ? "a×v" : "q×k"};
    canvas_print(sheet->canvas, list.y++, panel.x, panel.columns - 1, style_bold(ROLE_STRONG),
                 "%s → %s", scene_name(sheet->scene, SIDE_LEFT, at->from, ascii).text,
                 scene_name(sheet->scene, SIDE_RIGHT, sheet->key, ascii).text);
    for (int i = 0; i < 4; i++)
        canvas_text_right(sheet->canvas, list.y, contributions_end(&list, i - 1),
                          i == 0 ? DIM_WIDTH : NUMBER_WIDTH, style_of(ROLE_FAINT), titles[i]);
    list.y++;
    const int rows = sheet->panel.rows - HEADINGS - SUMMARY - more;
    const size_t room = (size_t)int_max(rows, 0);
    const size_t shown = list.count <= room ? list.count : room > 0 ? room - 1 : 0;
    for (size_t i = 0; i < shown; i++)
        draw_dimension(&list, &list.ranked[i]);
    if (shown < list.count && room > 0) { /* counted and, for a score, summed: the column adds up */
        double rest = 0;
        for (size_t i = shown; i < list.count; i++)
            rest += (double)list.ranked[i].value;
        canvas_print(sheet->canvas, list.y, sheet->panel.x, LABEL_WIDTH, style_of(ROLE_FAINT),
                     "%zu more", list.count - shown);
        if (!valued)
            contributions_draw_number(&list, 2, rest, true, style_of(ROLE_FAINT));
        list.y++;
    }
    if (valued) {
        /* these dimensions are not summed up: the length says how much of the context it is */
        const float *const vectors[] = {list.left, list.middle, list.right};
        canvas_text(sheet->canvas, list.y++, sheet->panel.x, CONTRIBUTIONS_COLUMNS,
                    style_of(ROLE_FAINT), "length of the vectors");
        for (int i = 0; i < 3; i++)
            contributions_draw_number(&list, i, sqrt(vector_dot(vectors[i], vectors[i], count)),
                                      false,
                                      i == 2 ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT));
    } else {
        contributions_draw_score(&list);
    }
    free(ranked);
}
