/* compare_chart.c: the line chart of the compare view. Level 0 is the embedding, so there is one
 * point more than there are layers. */
#include "headlight/view/compare.h"

/* The plot's measures, in columns and rows unless said otherwise. */
#define AXIS_COLUMNS   6  /* "layer " */
#define PITCH_MOST     20 /* columns from one layer to the next */
#define NUMBER_ROOM    4  /* columns of ".83", with a gap; and of "0.832": */
#define NUMBER_WIDE    7
#define AXIS_ROWS      2    /* the numbers and the layers */
#define LINE_WIDTH     0.2F /* in rows */
#define LOWEST_AT_MOST 0.9
#define LAST_NUMBER    7 /* " -0.768" */

/* ---- Points ---- */

/* Below so many rows of heading. Nothing is drawn where a level would have no column of its own. */
static void draw_plot(const struct compare *compare, int heading, const struct occurrence *words)
{
    const size_t levels = size_min(1 + words[0].trace->layers, CONFIG_LAYERS_MAX + 1);
    const struct area plot = {compare->chart.y + heading, compare->chart.x + AXIS_COLUMNS + 1,
                              compare->chart.rows - heading - AXIS_ROWS,
                              compare->chart.columns - AXIS_COLUMNS - 1};
    const int pitch = int_min(plot.columns / (int)levels, PITCH_MOST);
    double cosines[CONFIG_LAYERS_MAX + 1];
    if (pitch < 1 || plot.rows < 1)
        return;
    const size_t every = (size_t)((NUMBER_ROOM + pitch - 1) / pitch); /* has room for a number */
    double low = LOWEST_AT_MOST; /* or the rounding of two equal vectors would fill the chart */
    for (size_t level = 0; level < levels; level++) {
        cosines[level] = comparison_cosine(&compare->both, words, level);
        low = fmin(low, cosines[level]);
    }
    low = fmax(-1, floor(low * 10 + 1e-9) / 10); /* at the bottom; the top is 1 */
    struct canvas *canvas = compare->canvas;
    /* One stroke a layer, each in the field between two points, because a stroke leads from edge to
     * edge of its field. A level without a cosine leaves a gap. */
    for (size_t level = 0; level + 1 < levels; level++) {
        const double from = cosines[level], to = cosines[level + 1];
        const struct area field = {plot.y, plot.x + pitch / 2 + (int)level * pitch, plot.rows,
                                   pitch};
        /* in rows from the top, the middle of the first one at 0.5 */
        const struct stroke stroke = {.from =
                                          (float)(0.5 + (1 - from) / (1 - low) * (plot.rows - 1)),
                                      .to = (float)(0.5 + (1 - to) / (1 - low) * (plot.rows - 1)),
                                      .width = LINE_WIDTH,
                                      .ink = ink_full(ROLE_POSITIVE)};
        if (!isnan(from) && !isnan(to))
            strokes_draw(canvas, field, &stroke, 1);
    }
    const struct style style = style_of(ROLE_FAINT);
    const int x = compare->chart.x, bottom = plot.y + plot.rows - 1;
    canvas_print(canvas, plot.y, x, AXIS_COLUMNS, style, "1.0");
    if (plot.rows > 1) /* one column further left where it has a minus sign */
        canvas_print(canvas, bottom, x - (low < 0), AXIS_COLUMNS, style, "%.1f", low);
    canvas_text(canvas, bottom + 2, x, AXIS_COLUMNS - 1, style, "layer");
    /* the number and the layer below each point; the layer that is shown stands out, or on a
     * projector the first and the last, which the sentence is about */
    const bool ends = compare->scene->look.presented && compare->both.kind != COMPARISON_CHANGE;
    for (size_t level = 0; level < levels; level++) {
        const int middle = plot.x + pitch / 2 + (int)level * pitch, y = bottom + 1;
        const bool here = ends ? level == 0 || level + 1 == levels
                               : level == compare->scene->look.layer + 1,
                   wide = (size_t)pitch * every >= NUMBER_WIDE;
        const struct weight_text number = isnan(cosines[level])
                                              ? (struct weight_text){"none"}
                                              : number_short(cosines[level], wide);
        char name[24] = "emb";
        if (level > 0) {
            canvas_mark(canvas,
                        (struct area){plot.y, middle - pitch / 2, plot.rows + AXIS_ROWS, pitch},
                        hit_at(HIT(layer), level - 1));
            snprintf(name, sizeof name, "%zu", level - 1);
        }
        if (level % every != 0)
            continue;
        int width = (int)strlen(number.text);
        canvas_text(canvas, y, middle - (width - 1) / 2 - (width % 2 == 0), width,
                    here ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT), number.text);
        width = (int)strlen(name);
        canvas_text(canvas, y + 1, middle - (width - 1) / 2, width,
                    here ? style_bold(ROLE_STRONG) : style, name);
    }
}

/* ---- The heading ---- */

/* Pieces are put together without the marks between them. */
struct token_name compare_word(const struct scene *scene, const struct comparison *both,
                               enum side side, bool ascii)
{
    const struct token_range *word = &both->word[side];
    struct token_name name = {""};
    if (both->kind == COMPARISON_WORD && word->end == word->first + 1)
        return scene_name(scene, SIDE_LEFT, word->first, ascii);
    for (size_t token = word->first; token < word->end; token++) {
        const struct token_side *tokens = both->tokens[side];
        const char *part = words_part(tokens->labels[token], token > word->first, tokens->marks);
        strncat(name.text, part, sizeof name.text - strlen(name.text) - 1);
    }
    return name;
}

static struct token_name chart_word(const struct compare *compare, enum side side)
{
    return compare_word(compare->scene, &compare->both, side, canvas_ascii(compare->canvas));
}

/* NaN is a cosine that isn't defined: a vector is missing, or all zeros (cosine.h). What has no
 * room for its number is left out. */
static void print_last(struct pen *pen, const char *what, double cosine)
{
    if (pen->end - pen->x >= (int)strlen(what) + LAST_NUMBER)
        pen_write(pen, isnan(cosine) ? "%s {none}" : "%s {%.3f}", what, cosine);
}

/* The word of both sides, or why there is no cosine to show, and what to do: ↑↓ lead to another
 * word. The text is left as it is while a pass is still being computed. */
static bool find_word(const struct compare *compare, struct occurrence words[2], char *text,
                      size_t size)
{
    const struct comparison *both = &compare->both;
    bool found = comparison_word(both, words);
    if (!both->trace[SIDE_LEFT] || !both->trace[SIDE_RIGHT])
        return false;
    if (found && cosine_is_defined(&words[0], &words[1]))
        return true;
    const size_t left = found ? words[0].trace->hidden : 0,
                 right = found ? words[1].trace->hidden : 0;
    const bool there = both->is_there[SIDE_LEFT], twice = both->kind == COMPARISON_WORD;
    const struct token_name name = chart_word(compare, there ? SIDE_LEFT : SIDE_RIGHT);
    if (!there && !both->is_there[SIDE_RIGHT])
        format_cut(text, size, "no word stands %s, punctuation aside: there is no cosine to show",
                   twice ? "here twice" : "on both sides");
    else if (!found && twice)
        format_cut(text, size, "%s stands only once here: ↑↓ to a word that stands twice",
                   name.text);
    else if (!found)
        format_cut(text, size, "%s stands only on the %s: ↑↓ to a word of both", name.text,
                   there ? "left" : "right");
    else if (left == 0 && right == 0)
        format_cut(text, size, "no vectors were recorded: there is no cosine to show");
    else
        format_cut(text, size,
                   "no cosine: vectors have %zu numbers on the left and %zu on the right", left,
                   right);
    return false;
}

#define LAST_COLUMNS 57 /* "last layer 0.831   last 4: sum 0.798  concatenated 0.796" */

/* While a pass is still being computed the chart is empty; the panels say so already. Otherwise
 * there is a chart, or a sentence in its heading's row that says why there is none. */
void compare_draw_chart(const struct compare *compare)
{
    const struct area *area = &compare->chart;
    struct occurrence words[2];
    struct pen pen = {compare->canvas, area->y, area->x, area->x + area->columns};
    char why[640] = "";
    if (!find_word(compare, words, why, sizeof why)) {
        pen_print(&pen, style_of(ROLE_TEXT), "%s", why);
        return;
    }
    /* The word and the last layers, in one row or two. */
    const bool twice = compare->both.kind == COMPARISON_WORD;
    struct pen last = pen;
    pen_print(&pen, style_bold(ROLE_TITLE), "%s", chart_word(compare, SIDE_LEFT).text);
    if (twice)
        pen_print(&pen, style_bold(ROLE_TITLE), " and %s", chart_word(compare, SIDE_RIGHT).text);
    pen_print(&pen, style_of(ROLE_FAINT), ": how alike %s are (cosine)", twice ? "they" : "both");
    if (compare->figure) {
        draw_plot(compare, 1, words);
        return;
    }
    const bool beside = pen.end - LAST_COLUMNS >= pen.x + 3, below = !beside && area->rows > 3;
    last.y += below;
    if (!below)
        last.x = beside ? pen.end - LAST_COLUMNS : pen.x + 3;
    char text[48];
    snprintf(text, sizeof text, "   last %zu: sum", cosine_last_layers(&words[0], &words[1]));
    print_last(&last, "last layer", cosine_of_last(&words[0], &words[1], COSINE_LAST));
    print_last(&last, text, cosine_of_last(&words[0], &words[1], COSINE_SUM));
    print_last(&last, "  concatenated", cosine_of_last(&words[0], &words[1], COSINE_CONCATENATION));
    draw_plot(compare, 1 + below, words);
}
