/* film.c: a picture that moves. A row that is the same in many frames is written once, with the
 * times at which it is shown: most of the screen stays, so that a scene is hardly larger than its
 * frames are different. */
#include "headlight/export/film.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- Frames ---- */

/* A row of a canvas as a canvas of its own; braille is drawn as dots. */
static char *draw_row(const struct canvas *canvas, int y, const struct theme *theme)
{
    struct canvas row = *canvas;
    struct buffer svg;
    row.rows = 1;
    row.cells = canvas->cells + (size_t)y * (size_t)canvas->columns;
    row.curves = false;
    row.fields = NULL;
    row.field_count = 0;
    if (buffer_open(&svg))
        snapshot_write_layers(&(struct snapshot){.canvas = &row, .theme = theme}, true, svg.stream);
    return buffer_close(&svg);
}

static struct film_row *find_row(const struct film *film, int y, const char *svg)
{
    for (size_t i = 0; i < film->count; i++)
        if (film->all[i].y == y && (svg ? strcmp(film->all[i].svg, svg) == 0 : film->all[i].shown))
            return &film->all[i];
    return NULL;
}

/* Takes the text over. */
static struct film_row *add_row(struct film *film, int y, char *svg)
{
    struct film_row *all = realloc(film->all, (film->count + 1) * sizeof *all);
    if (!all) {
        free(svg);
        return NULL;
    }
    film->all = all;
    all[film->count] = (struct film_row){.y = y, .svg = svg};
    return &all[film->count++];
}

static bool begin_showing(struct film_row *row, double seconds)
{
    double *times = realloc(row->times, 2 * (row->count + 1) * sizeof *times);
    if (!times)
        return false;
    times[2 * row->count++] = seconds;
    row->times = times;
    row->shown = true;
    return true;
}

static bool show_row(struct film *film, int y, char *svg, double seconds)
{
    struct film_row *before = find_row(film, y, NULL), *now = find_row(film, y, svg);
    if (before && before == now) {
        free(svg);
        return true;
    }
    if (before) {
        before->times[2 * before->count - 1] = seconds;
        before->shown = false;
    }
    if (now)
        free(svg);
    else
        now = add_row(film, y, svg);
    return now && begin_showing(now, seconds);
}

bool film_frame(struct film *film, const struct canvas *canvas, const struct theme *theme,
                double seconds)
{
    bool whole = true;
    if (!film->theme) {
        film->theme = theme;
        film->columns = canvas->columns;
        film->rows = canvas->rows;
    }
    for (int y = 0; y < film->rows && whole; y++) {
        char *svg = draw_row(canvas, y, theme);
        whole = svg && show_row(film, y, svg, seconds);
    }
    return whole;
}

/* ---- The picture ---- */

static bool is_still(const struct film_row *row)
{
    return row->shown && row->count == 1 && row->times[0] <= 0;
}

/* From each of its times on it is there, or gone; steps leave nothing in between. */
static void write_times(const struct film_row *row, size_t number, double seconds, FILE *stream)
{
    fprintf(stream, "#r%zu{animation:r%zu %.2fs step-end infinite}@keyframes r%zu{", number, number,
            seconds, number);
    fputs(row->times[0] > 0 ? "0%{visibility:hidden}" : "", stream);
    for (size_t i = 0; i < 2 * row->count - row->shown; i++)
        fprintf(stream, "%.3f%%{visibility:%s}", 100 * row->times[i] / seconds,
                i % 2 == 0 ? "visible" : "hidden");
    fputs("}\n", stream);
}

void film_write(const struct film *film, double seconds, FILE *stream)
{
    const int width = film->columns * CELL_WIDTH, height = film->rows * CELL_HEIGHT;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\">\n<title>",
            width, height, width, height);
    snapshot_write_between(stream, "", film->title, "</title>\n<style>\n");
    fputs("@media (prefers-reduced-motion:no-preference){\n", stream);
    for (size_t i = 0; i < film->count; i++)
        if (!is_still(&film->all[i]))
            write_times(&film->all[i], i, seconds, stream);
    fprintf(stream, "}\n</style>\n<rect width=\"%d\" height=\"%d\"", width, height);
    snapshot_write_color(stream, " fill=\"", film->theme, ink_full(ROLE_GROUND));
    fputs("\"/>\n", stream);
    snapshot_write_font(stream, NULL, film->theme);
    for (size_t i = 0; i < film->count; i++) {
        const struct film_row *row = &film->all[i];
        fprintf(stream, "<g id=\"r%zu\" transform=\"translate(0 %d)\"%s>\n%s</g>\n", i,
                row->y * CELL_HEIGHT, row->times[0] > 0 ? " visibility=\"hidden\"" : "", row->svg);
    }
    fputs("</g>\n</svg>\n", stream);
}

void film_free(struct film *film)
{
    for (size_t i = 0; i < film->count; i++) {
        free(film->all[i].svg);
        free(film->all[i].times);
    }
    free(film->all);
    *film = (struct film){.title = NULL};
}
