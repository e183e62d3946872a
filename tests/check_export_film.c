/* A picture that moves: at every moment each row shows what its frame had, and one thing alone. */
#include "suites.h"

#include "headlight/base/format.h"
#include "headlight/export/film.h"

#include <string.h>

#define ROWS 3

static const struct theme *theme;

static void show(struct film *film, const char *const rows[ROWS], double seconds)
{
    struct canvas *canvas = canvas_new(12, ROWS, (struct traits){GLYPHS_BRAILLE, false});
    for (int y = 0; y < ROWS; y++)
        canvas_text(canvas, y, 0, 12, style_of(ROLE_TEXT), rows[y]);
    ck_assert(film_frame(film, canvas, theme, seconds));
    canvas_free(canvas);
}

static char *written(const struct film *film, double seconds)
{
    struct buffer svg;
    ck_assert(buffer_open(&svg));
    film_write(film, seconds, svg.stream);
    return buffer_close(&svg);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part))) {
        text++;
        count++;
    }
    return count;
}

/* Whether a row of the film is seen at a time, as its keyframes say it. */
static bool is_seen(const struct film_row *row, double at)
{
    bool seen = false;
    for (size_t i = 0; i < row->count; i++)
        seen |= at >= row->times[2 * i] &&
                ((row->shown && i + 1 == row->count) || at < row->times[2 * i + 1]);
    return seen;
}

TEST(each_row_is_there_once)
{
    static const char *const frames[][ROWS] = {
        {"same", "one", "a"}, {"same", "two", "a"}, {"same", "one", "b"}, {"same", "one", "b"}};
    struct film film = {.title = "a <b>"};
    theme = theme_at(0);
    for (int i = 0; i < 4; i++)
        show(&film, frames[i], i);
    ck_assert_uint_eq(film.count, 5); /* same, one, two, a, b */
    for (int i = 0; i < 4; i++)
        for (int y = 0; y < ROWS; y++) {
            int seen = 0;
            for (size_t r = 0; r < film.count; r++)
                if (film.all[r].y == y && is_seen(&film.all[r], i + 0.5)) {
                    ck_assert_ptr_nonnull(strstr(film.all[r].svg, frames[i][y]));
                    seen++;
                }
            ck_assert_int_eq(seen, 1);
        }
    char *svg = written(&film, 4);
    ck_assert_int_eq(count_of(svg, ">one</text>"), 1);
    ck_assert_int_eq(count_of(svg, "@keyframes"), 4); /* all but what is always the same */
    ck_assert_ptr_nonnull(strstr(svg, "{0.000%{visibility:visible}25.000%{visibility:hidden}"
                                      "50.000%{visibility:visible}}"));
    ck_assert_int_eq(count_of(svg, "visibility=\"hidden\""), 2); /* two and b: not in the first */
    ck_assert_ptr_nonnull(strstr(svg, "<title>a &lt;b&gt;</title>"));
    free(svg);
    film_free(&film);
}
