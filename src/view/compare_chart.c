/* compare_chart.c: the line chart of the compare view. Level 0 is the embedding, so there is one
 * point more than there are layers. */
#include "headlight/view/compare.h"

#include "headlight/base/size.h"
#include "headlight/draw/strokes.h"
#include "headlight/lens/same_word.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AXIS_COLUMNS   6  /* "layer " */
#define PITCH_MOST     12 /* columns from one layer to the next */
#define NUMBER_ROOM    4  /* columns of ".83", with a gap; and of "0.832": */
#define NUMBER_WIDE    7
#define AXIS_ROWS      2    /* the numbers and the layers */
#define LINE_WIDTH     0.2F /* in rows */
#define LOWEST_AT_MOST 0.9

struct chart {
    struct canvas *canvas;
    struct area plot;     /* the points and the line */
    size_t levels, every; /* every so many have room for a number */
    int pitch;
    double low; /* at the bottom; the top is 1 */
    const struct occurrence *words;
};

/* ---- Points ---- */

static int chart_column(const struct chart *chart, size_t level)
{
    return chart->plot.x + chart->pitch / 2 + (int)level * chart->pitch;
}

/* In rows from the top of the plot, the middle of the first one at 0.5. */
static double height_of(const struct chart *chart, double cosine)
{
    return 0.5 + (1 - cosine) / (1 - chart->low) * (chart->plot.rows - 1);
}

/* The axis begins with the tenth below the smallest. */
static double lowest(const struct chart *chart)
{
    double low = LOWEST_AT_MOST;
    for (size_t level = 0; level < chart->levels; level++)
        low = fmin(low, cosine_at(&chart->words[0], &chart->words[1], level));
    return fmax(-1, floor(low * 10 + 1e-9) / 10);
}

static enum status chart_draw_line(const struct chart *chart, struct error *error)
{
    for (size_t level = 0; level + 1 < chart->levels; level++) {
        double from = cosine_at(&chart->words[0], &chart->words[1], level);
        double to = cosine_at(&chart->words[0], &chart->words[1], level + 1);
        struct area field = {chart->plot.y, chart_column(chart, level), chart->plot.rows,
                             chart->pitch};
        struct stroke stroke = {.from = (float)height_of(chart, from),
                                .to = (float)height_of(chart, to),
                                .width = LINE_WIDTH,
                                .ink = ink_full(ROLE_POSITIVE)};
        if (!isnan(from) && !isnan(to) &&
            strokes_draw(chart->canvas, field, &stroke, 1, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ".832" in what room there is, "1.00", "-.12". */
static void chart_write_number(const struct chart *chart, double cosine, char *text, size_t size)
{
    char digits[12];
    bool wide = (size_t)chart->pitch * chart->every >= NUMBER_WIDE;
    snprintf(digits, sizeof digits, wide ? "%.3f" : "%.2f", fabs(cosine));
    snprintf(text, size, "%s%s", cosine < 0 ? "-" : "",
             digits + (!wide && digits[0] == '0' ? 1 : 0));
}

/* A grey ground behind the layer that is shown: the line keeps its own. */
static void draw_here(const struct chart *chart, int x)
{
    for (int y = chart->plot.y; y < chart->plot.y + chart->plot.rows; y++) {
        struct cell *cell = canvas_at(chart->canvas, y, x);
        if (cell && !chart->canvas->traits.mono)
            cell->style.back = (struct ink){ROLE_TEXT, 2};
    }
}

/* The number and the layer below a point. The layer that is shown stands out. */
static void draw_point(const struct chart *chart, size_t level, size_t layer)
{
    double cosine = cosine_at(&chart->words[0], &chart->words[1], level);
    struct canvas *canvas = chart->canvas;
    int x = chart_column(chart, level), y = chart->plot.y + chart->plot.rows;
    bool here = level == layer + 1;
    struct style style = here ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT);
    char number[24] = "none", name[24] = "emb";
    if (!isnan(cosine))
        chart_write_number(chart, cosine, number, sizeof number);
    if (here)
        draw_here(chart, x);
    if (level > 0)
        canvas_mark(canvas,
                    (struct area){chart->plot.y, x - chart->pitch / 2, chart->plot.rows + AXIS_ROWS,
                                  chart->pitch},
                    HIT_POINT, level - 1);
    if (level % chart->every != 0)
        return;
    int width = (int)strlen(number);
    canvas_text(canvas, y, x - (width - 1) / 2 - (width % 2 == 0), width, style, number);
    if (level > 0)
        snprintf(name, sizeof name, "%zu", level - 1);
    width = (int)strlen(name);
    canvas_text(canvas, y + 1, x - (width - 1) / 2, width,
                here ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT), name);
}

static void draw_axes(const struct chart *chart, int x)
{
    struct canvas *canvas = chart->canvas;
    int bottom = chart->plot.y + chart->plot.rows - 1;
    canvas_print(canvas, chart->plot.y, x, AXIS_COLUMNS, style_of(ROLE_FAINT), "1.0");
    if (chart->plot.rows > 1)
        canvas_print(canvas, bottom, x - (chart->low < 0), AXIS_COLUMNS, style_of(ROLE_FAINT),
                     "%.1f", chart->low);
    canvas_text(canvas, bottom + 2, x, AXIS_COLUMNS - 1, style_of(ROLE_FAINT), "layer");
}

static enum status draw_plot(const struct scene *scene, struct canvas *canvas, struct area area,
                             const struct occurrence *words, struct error *error)
{
    struct chart chart = {.canvas = canvas, .words = words};
    chart.levels = cosine_levels(&words[0], &words[1]);
    chart.plot = (struct area){area.y, area.x + AXIS_COLUMNS + 1, area.rows - AXIS_ROWS,
                               area.columns - AXIS_COLUMNS - 1};
    chart.pitch = (int)((size_t)chart.plot.columns / chart.levels);
    if (chart.pitch > PITCH_MOST)
        chart.pitch = PITCH_MOST;
    if (chart.pitch < 1 || chart.plot.rows < 1)
        return STATUS_OK;
    chart.every = (size_t)((NUMBER_ROOM + chart.pitch - 1) / chart.pitch);
    chart.low = lowest(&chart);
    if (chart_draw_line(&chart, error) != STATUS_OK)
        return error->status;
    draw_axes(&chart, area.x);
    for (size_t level = 0; level < chart.levels; level++)
        draw_point(&chart, level, scene->look.layer);
    return STATUS_OK;
}

/* ---- The heading ---- */

/* The word as the text shows it, with its place where it stands several times. */
static struct token_name chart_word(const struct scene *scene, const struct canvas *canvas,
                                    const struct comparison *comparison, enum side side)
{
    struct token_name name = {""};
    const struct token_range *word = &comparison->word[side];
    if (comparison->kind == COMPARISON_WORD && word->end == word->first + 1)
        return scene_name(scene, SIDE_LEFT, word->first, canvas_ascii(canvas));
    for (size_t token = word->first; token < word->end; token++) {
        const char *label = comparison->tokens[side]->labels[token];
        bool on = token > word->first && strncmp(label, "##", 2) == 0;
        strncat(name.text, on ? label + 2 : label, sizeof name.text - strlen(name.text) - 1);
    }
    return name;
}

static void print_last(struct pen *pen, const char *what, double cosine)
{
    pen_write(pen, isnan(cosine) ? "%s <none>" : "%s <%.3f>", what, cosine);
}

/* Last layer, sum and concatenation of the last four. */
static void draw_last(struct canvas *canvas, struct area area, int x,
                      const struct occurrence *words)
{
    char text[48];
    struct pen pen = {canvas, area.y, x, area.x + area.columns};
    size_t layers = cosine_last_layers(&words[0], &words[1]);
    print_last(&pen, "last layer", cosine_of_last(&words[0], &words[1], COSINE_LAST));
    snprintf(text, sizeof text, "   last %zu: sum", layers);
    print_last(&pen, text, cosine_of_last(&words[0], &words[1], COSINE_SUM));
    print_last(&pen, "  concatenated", cosine_of_last(&words[0], &words[1], COSINE_CONCATENATION));
}

static void print_absent(struct pen *pen, const struct scene *scene, const struct canvas *canvas,
                         const struct comparison *comparison)
{
    struct style style = style_of(ROLE_TEXT);
    enum side side = comparison->is_there[SIDE_LEFT] ? SIDE_LEFT : SIDE_RIGHT;
    const struct token_name name = chart_word(scene, canvas, comparison, side);
    if (!comparison->is_there[side] && comparison->kind == COMPARISON_WORD)
        pen_print(pen, style, "no word stands here twice: there is no cosine to show");
    else if (!comparison->is_there[side])
        pen_print(pen, style, "no word stands on both sides: there is no cosine to show");
    else if (comparison->kind == COMPARISON_WORD)
        pen_print(pen, style, "%s stands only once here: ↑↓ to a word that stands twice",
                  name.text);
    else
        pen_print(pen, style, "%s stands only on the %s: ↑↓ to a word of both", name.text,
                  side == SIDE_LEFT ? "left" : "right");
}

static void print_undefined(struct pen *pen, const struct occurrence *words)
{
    size_t left = words[0].trace->hidden, right = words[1].trace->hidden;
    if (left == 0 && right == 0)
        pen_print(pen, style_of(ROLE_TEXT), "no vectors were recorded: there is no cosine to show");
    else
        pen_print(pen, style_of(ROLE_TEXT),
                  "no cosine: vectors have %zu numbers on the left and %zu on the right", left,
                  right);
}

#define LAST_COLUMNS 57 /* "last layer 0.831   last 4: sum 0.798  concatenated 0.796" */

/* The word and the last layers, in one row or two. Returns how many. */
static int chart_draw_heading(const struct scene *scene, struct canvas *canvas, struct area area,
                              const struct comparison *comparison, const struct occurrence *words)
{
    struct pen pen = {canvas, area.y, area.x, area.x + area.columns};
    bool twice = comparison->kind == COMPARISON_WORD;
    const struct token_name left = chart_word(scene, canvas, comparison, SIDE_LEFT);
    const struct token_name right = chart_word(scene, canvas, comparison, SIDE_RIGHT);
    pen_print(&pen, style_bold(ROLE_TITLE), "%s", left.text);
    if (twice)
        pen_print(&pen, style_bold(ROLE_TITLE), " and %s", right.text);
    pen_print(&pen, style_of(ROLE_FAINT), ": how alike %s are (cosine)", twice ? "they" : "both");
    bool beside = pen.end - LAST_COLUMNS >= pen.x + 3, below = !beside && area.rows > 3;
    area.y += below;
    draw_last(canvas, area, beside ? pen.end - LAST_COLUMNS : below ? area.x : pen.x + 3, words);
    return 1 + below;
}

enum status compare_draw_chart(const struct scene *scene, struct canvas *canvas, struct area area,
                               const struct comparison *comparison, struct error *error)
{
    struct occurrence words[2];
    struct pen pen = {canvas, area.y, area.x, area.x + area.columns};
    if (!comparison->trace[SIDE_LEFT] || !comparison->trace[SIDE_RIGHT])
        return STATUS_OK;
    if (!comparison_word(comparison, words)) {
        print_absent(&pen, scene, canvas, comparison);
        return STATUS_OK;
    }
    if (!cosine_is_defined(&words[0], &words[1])) {
        print_undefined(&pen, words);
        return STATUS_OK;
    }
    int heading = chart_draw_heading(scene, canvas, area, comparison, words);
    area.y += heading;
    area.rows -= heading;
    return draw_plot(scene, canvas, area, words, error);
}
