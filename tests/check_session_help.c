/* The pages of the help, read off the canvas. */
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/screen.h"
#include "headlight/view/actions.h"

#include <string.h>

static const struct {
    int columns, rows;
} sizes[] = {{60, 12}, {60, 24}, {80, 24}, {120, 40}, {200, 60}};

/* Whether the words stand in a row, between blanks or its end. */
static bool row_has(const char *row, const char *words)
{
    size_t length = strlen(words);
    for (const char *at = row; (at = strstr(at, words)); at++) {
        if (at > row && at[-1] == ' ' && (at[length] == '\0' || at[length] == ' '))
            return true;
    }
    return false;
}

static int rows_with(const struct canvas *canvas, const char *words)
{
    int count = 0;
    for (int y = 2; y < canvas->rows; y++)
        count += row_has(view_text(canvas, y, 0, canvas->columns), words);
    return count;
}

TEST(every_action_stands_on_one_page, .times = (COUNT(sizes)))
{
    int columns = sizes[_i].columns, rows = sizes[_i].rows;
    int found[ACTION_COUNT] = {0};
    for (unsigned page = 0; page < help_pages(NULL, columns, rows); page++) {
        struct canvas *canvas = canvas_new(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
        ck_assert_ptr_nonnull(canvas);
        help_draw(canvas, &(struct help){0}, page);
        for (int action = 0; action < ACTION_COUNT; action++)
            found[action] += rows_with(canvas, action_info((enum action)action)->help);
        canvas_free(canvas);
    }
    for (int action = 0; action < ACTION_COUNT; action++)
        if (action_info((enum action)action)->help[0])
            ck_assert_msg(found[action] == 1, "%d×%d: \"%s\" %d times", columns, rows,
                          action_info((enum action)action)->help, found[action]);
}

TEST(the_first_page_follows_the_last, .times = (COUNT(sizes)))
{
    int columns = sizes[_i].columns, rows = sizes[_i].rows;
    struct canvas *first = canvas_new(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
    struct canvas *again = canvas_new(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert(first && again);
    help_draw(first, &(struct help){0}, 0);
    help_draw(again, &(struct help){0}, help_pages(NULL, columns, rows));
    ck_assert_mem_eq(first->cells, again->cells,
                     (size_t)columns * (size_t)rows * sizeof *first->cells);
    bool leafs = strstr(view_text(first, 0, 0, columns), "page 1 of ") != NULL;
    ck_assert_int_eq(leafs, help_pages(NULL, columns, rows) > 1);
    canvas_free(first);
    canvas_free(again);
}

/* ---- The keys of a view ---- */

static const struct view *const views[] = {&head_view, &neuron_view, &model_view, &matrix_view,
                                           &ranking_view};

static bool does_something(const struct view *view, enum action action)
{
    unsigned shown = action_info(action)->shown;
    return action_info(action)->help[0] && (!shown || view->shown & shown);
}

/* On the usual screen, with nothing cut: the keys that do something there and no others, what the
 * picture means, and the mouse. */
TEST(a_view_has_one_page, .times = COUNT(views))
{
    const struct view *view = views[_i];
    struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    ck_assert_uint_eq(help_pages(view, 80, 24), 1);
    help_draw(canvas, &(struct help){.view = view}, 0);
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        const char *help = action_info(action)->help;
        int count = 0;
        for (int y = 1; help[0] && y < 22; y++)
            count += row_has(view_text(canvas, y, 0, 80), help);
        ck_assert_msg(count == does_something(view, action), "%s: \"%s\" %d times", view->title,
                      help, count);
    }
    for (int y = 0; y < 24; y++)
        ck_assert_msg(!strstr(view_text(canvas, y, 0, 80), "…"), "%s", view_text(canvas, y, 0, 80));
    ck_assert_ptr_nonnull(strstr(view_text(canvas, 0, 0, 80), view->title));
    ck_assert_str_eq(view_text(canvas, 22, 2, 78), view->meaning);
    ck_assert_ptr_nonnull(strstr(view_text(canvas, 23, 2, 78), view->mouse));
    canvas_free(canvas);
}

TEST(a_view_is_explained_on_any_screen, .times = COUNT(views))
{
    for (int columns = 1; columns < 250; columns += 13)
        for (int rows = 1; rows < 70; rows += 3) {
            struct canvas *canvas = canvas_new(columns, rows, (struct traits){GLYPHS_ASCII, true});
            ck_assert_ptr_nonnull(canvas);
            unsigned pages = help_pages(views[_i], columns, rows);
            ck_assert(pages > 0 && pages < 100);
            for (unsigned page = 0; page < pages; page++)
                help_draw(canvas, &(struct help){.view = views[_i]}, page);
            canvas_free(canvas);
        }
}

/* Space leads through a lesson then. */
TEST(what_a_lesson_takes_is_told)
{
    for (int led = 0; led < 2; led++) {
        struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
        ck_assert_ptr_nonnull(canvas);
        help_draw(canvas, &(struct help){.view = &head_view, .led = led}, 0);
        ck_assert_int_eq(rows_with(canvas, "Space           the lesson goes on"), led);
        ck_assert_int_eq(rows_with(canvas, "Space           add it, remove it"), !led);
        canvas_free(canvas);
    }
}

/* The first five keys of the last line. */
TEST(the_keys_to_know_are_marked)
{
    static const char *const marked[] = {"▸Up k Down j     token above", "▸Enter ",
                                         "▸Left h Right l", "▸0-9 ", "▸e M "};
    const struct help help = {
        .view = &head_view,
        .hints = "↑↓: token; Enter: pin; ←→: layer; 0-9: head; e: edit; r: which heads"};
    struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    int marks = 0;
    ck_assert_ptr_nonnull(canvas);
    help_draw(canvas, &help, 0);
    for (int i = 0; i < COUNT(marked); i++)
        ck_assert_msg(view_shows(canvas, marked[i]), "no \"%s\"", marked[i]);
    for (int y = 1; y < 24; y++)
        for (int x = 0; x < 80; x++)
            marks += strcmp(canvas_at(canvas, y, x)->text, "▸") == 0;
    ck_assert_int_eq(marks, 5);
    ck_assert(view_shows(canvas, "▸ the ones to know") && view_shows(canvas, "token above"));
    canvas_clear(canvas); /* a view's own meaning of a key */
    help_draw(canvas, &(struct help){.view = &steps_view, .hints = "↑↓: stage; Enter: numbers"}, 0);
    ck_assert(view_shows(canvas, "▸Up k Down j     stage") && !view_shows(canvas, "token above"));
    ck_assert(view_shows(canvas, "numbers"));
    canvas_free(canvas);
}

/* What cryptic keys mean, and the views. */
TEST(a_large_window_says_more)
{
    static const struct {
        int columns, rows;
        bool views;
    } large[] = {{100, 30, false}, {120, 40, false}, {200, 60, true}};
    for (int i = 0; i < COUNT(large); i++) {
        struct canvas *canvas =
            canvas_new(large[i].columns, large[i].rows, (struct traits){GLYPHS_BRAILLE, false});
        ck_assert_ptr_nonnull(canvas);
        help_draw(canvas, &(struct help){.view = &head_view}, 0);
        ck_assert(view_shows(canvas, "In more words") && view_shows(canvas, "mean over heads"));
        ck_assert_int_eq(view_shows(canvas, "attention as lines"), large[i].views);
        canvas_free(canvas);
    }
}
