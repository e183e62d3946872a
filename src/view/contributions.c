/* contributions.c: the panel of the neuron view that lists dimensions by what they add to a score,
 * or to the context. What doesn't fit is counted and summed, so that the column still adds up. */
#include "headlight/view/contributions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIM_WIDTH    3
#define NUMBER_WIDTH 7
#define BAR_WIDTH    5
#define LABEL_WIDTH  (DIM_WIDTH + 2 * NUMBER_WIDTH) /* of a result */

/* Rows besides the dimensions: the pair and the headings above, two for the result below, and two
 * more for what a distance adds to it. */
#define HEADINGS 2
#define SUMMARY  2
#define DISTANCE 2

struct list {
    struct canvas *canvas;
    struct area area;
    const float *left, *middle; /* [D] */
    const float *right;         /* [D] what it is sorted by */
    struct dimension *ranked;   /* [D] right, sorted */
    size_t count;               /* D */
    size_t shown;
    size_t cursor;
    int decimals;
    int summary; /* rows below */
};

static int contributions_column(const struct list *list, int column)
{
    return list->area.x + DIM_WIDTH + column * NUMBER_WIDTH;
}

static void contributions_draw_number(const struct list *list, int y, int column, double value,
                                      struct style style)
{
    number_draw(list->canvas, y, contributions_column(list, column + 1), NUMBER_WIDTH - 1, style,
                true, list->decimals, value);
}

/* ---- Dimensions ---- */

static struct style sign_style(double value, double largest)
{
    double share = largest > 0 ? fabs(value) / largest : 0;
    unsigned level = (unsigned)lround(fmin(share, 1) * STYLE_FULL);
    enum role role = value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE;
    return style_legible((struct ink){(uint8_t)role, (uint8_t)level});
}

static void draw_dimension(const struct list *list, int y, const struct dimension *dimension)
{
    double value = (double)dimension->value, largest = fabs((double)list->ranked[0].value);
    size_t d = dimension->index;
    bool here = d == list->cursor;
    struct style index = here ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT);
    struct style number = here ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT);
    struct style product = sign_style(value, largest);
    struct area row = {y, list->area.x, 1, list->area.columns};
    if (here) {
        index.back = number.back = ink_full(ROLE_CURSOR);
        product = number; /* hues are illegible on that background: the sign is enough */
        canvas_fill(list->canvas, (struct area){y, row.x, 1, DIM_WIDTH + 3 * NUMBER_WIDTH}, number);
    }
    canvas_mark(list->canvas, row, HIT_DIMENSION, d);
    canvas_print(list->canvas, y, row.x, DIM_WIDTH, index, "%*zu", DIM_WIDTH, d);
    contributions_draw_number(list, y, 0, (double)list->left[d], number);
    contributions_draw_number(list, y, 1, (double)list->middle[d], number);
    contributions_draw_number(list, y, 2, value, product);
    double eighths = largest > 0 ? fabs(value) / largest * BAR_WIDTH * 8 : 0;
    if (!(eighths <= BAR_WIDTH * 8))
        eighths = BAR_WIDTH * 8;
    canvas_bar(list->canvas, y, contributions_column(list, 3) + 1, BAR_WIDTH, (int)lround(eighths),
               sign_style(value, largest));
}

/* What doesn't fit is counted and, for a score, summed, so that the column adds up. */
static void draw_rest(const struct list *list, int y, bool summed)
{
    double rest = 0;
    for (size_t i = list->shown; i < list->count; i++)
        rest += (double)list->ranked[i].value;
    canvas_print(list->canvas, y, list->area.x, DIM_WIDTH + 2 * NUMBER_WIDTH, style_of(ROLE_FAINT),
                 "%zu more", list->count - list->shown);
    if (summed)
        contributions_draw_number(list, y, 2, rest, style_of(ROLE_FAINT));
}

static void draw_dimensions(struct list *list, bool summed)
{
    int y = list->area.y + HEADINGS, rows = list->area.rows - HEADINGS - list->summary;
    size_t room = rows > 0 ? (size_t)rows : 0;
    list->shown = list->count <= room ? list->count : room > 0 ? room - 1 : 0;
    for (size_t i = 0; i < list->shown; i++)
        draw_dimension(list, y++, &list->ranked[i]);
    if (list->shown < list->count && room > 0)
        draw_rest(list, y++, summed);
    list->area.y = y; /* where the summary goes */
}

/* ---- The result ---- */

static double contributions_sum(const float *values, size_t count)
{
    double sum = 0;
    for (size_t d = 0; d < count; d++)
        sum += (double)values[d];
    return sum;
}

static double norm_of(const float *values, size_t count)
{
    double sum = 0;
    for (size_t d = 0; d < count; d++)
        sum += (double)values[d] * (double)values[d];
    return sqrt(sum);
}

static void draw_result(const struct list *list, int y, struct style named, const char *label,
                        double value, struct style number)
{
    canvas_text(list->canvas, y, list->area.x, LABEL_WIDTH, named, label);
    contributions_draw_number(list, y, 2, value, number);
}

static void contributions_draw_score(const struct list *list, const struct scene *scene,
                                     const struct attending *at, size_t key)
{
    const bool distant = dimensions_have_distance(at);
    const double sum = contributions_sum(list->right, list->count),
                 divided = sum / scene->data.divisor;
    const double distance = dimensions_distance(at, key), score = divided + distance;
    const struct style faint = style_of(ROLE_FAINT), plain = style_of(ROLE_TEXT);
    const struct style strong = style_bold(score < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    int y = list->area.y;
    char divisor[24], quotient[40], whole[60];
    dimensions_write_divisor(at, scene->data.divisor, canvas_ascii(list->canvas), divisor,
                             sizeof divisor);
    snprintf(quotient, sizeof quotient, "sum%s%s", *divisor ? "/" : "", divisor);
    draw_result(list, y++, faint, "sum", sum, plain);
    if (!distant) {
        snprintf(whole, sizeof whole, "score%s%s", *divisor ? " = " : "", *divisor ? quotient : "");
        draw_result(list, y, plain, whole, score, strong);
        return;
    }
    draw_result(list, y++, faint, quotient, divided, plain);
    draw_result(list, y++, faint, "+ distance", distance, plain);
    draw_result(list, y, plain, "score", score, strong);
}

static void draw_length(const struct list *list, int column, const float *values,
                        struct style style)
{
    number_draw(list->canvas, list->area.y + 1, contributions_column(list, column + 1),
                NUMBER_WIDTH - 1, style, false, list->decimals, norm_of(values, list->count));
}

static void draw_lengths(const struct list *list)
{
    canvas_text(list->canvas, list->area.y, list->area.x, CONTRIBUTIONS_COLUMNS,
                style_of(ROLE_FAINT), "length of the vectors");
    draw_length(list, 0, list->left, style_of(ROLE_TEXT));
    draw_length(list, 1, list->middle, style_of(ROLE_TEXT));
    draw_length(list, 2, list->right, style_bold(ROLE_STRONG));
}

/* ---- The panel ---- */

static void draw_headings(const struct list *list, const struct scene *scene,
                          const struct attending *at, size_t key, bool valued)
{
    const char *sum = canvas_ascii(list->canvas) ? "sum" : "Σ";
    const char *const titles[] = {valued ? "v" : "q", valued ? sum : "k", valued ? "a×v" : "q×k"};
    bool ascii = canvas_ascii(list->canvas);
    int y = list->area.y;
    canvas_print(list->canvas, y, list->area.x, list->area.columns - 1, style_bold(ROLE_STRONG),
                 "%s → %s", scene_name(scene, SIDE_LEFT, at->from, ascii).text,
                 scene_name(scene, SIDE_RIGHT, key, ascii).text);
    canvas_text_right(list->canvas, y + 1, list->area.x + DIM_WIDTH, DIM_WIDTH,
                      style_of(ROLE_FAINT), "dim");
    for (int i = 0; i < 3; i++)
        canvas_text_right(list->canvas, y + 1, contributions_column(list, i + 1), NUMBER_WIDTH,
                          style_of(ROLE_FAINT), titles[i]);
}

enum status contributions_draw(const struct scene *scene, const struct attending *at, size_t key,
                               bool valued, size_t cursor, struct canvas *canvas, struct area area,
                               struct error *error)
{
    size_t count = at->trace->dimensions;
    float *numbers = malloc(2 * count * sizeof *numbers); /* [2,D] */
    struct dimension *ranked = malloc(count * sizeof *ranked);
    if (!numbers || !ranked) {
        free(numbers);
        free(ranked);
        return error_memory(error, "the list of dimensions", count * sizeof *ranked);
    }
    if (valued) {
        dimensions_weighted(at, key, numbers);
        dimensions_context(at, numbers + count);
    } else {
        dimensions_product(at, key, numbers);
    }
    dimensions_rank(numbers, count, ranked);
    struct list list = {.canvas = canvas,
                        .area = area,
                        .left = valued ? dimensions_value(at, key) : dimensions_query(at),
                        .middle = valued ? numbers + count : dimensions_key(at, key),
                        .right = numbers,
                        .ranked = ranked,
                        .count = count,
                        .cursor = cursor,
                        .decimals = valued ? 3 : 2,
                        .summary =
                            SUMMARY + (!valued && dimensions_have_distance(at) ? DISTANCE : 0)};
    draw_headings(&list, scene, at, key, valued);
    draw_dimensions(&list, !valued);
    if (valued)
        draw_lengths(&list);
    else
        contributions_draw_score(&list, scene, at, key);
    free(numbers);
    free(ranked);
    return STATUS_OK;
}
