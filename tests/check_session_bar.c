/* The bar of views: whole titles, the current one always among them, and arrows to the others. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/screen.h"

#include <string.h>

/* The text of what leads to a view in the bar; empty where nothing does. */
static const char *text_of(const struct canvas *canvas, enum view_kind view)
{
    static char text[160];
    text[0] = '\0';
    for (int x = 0; x < canvas->columns; x++) {
        struct hit hit = canvas_hit(canvas, 0, x);
        if (hit.place[0] == HIT(view) && hit.value[0] == (size_t)view)
            strcat(text, canvas_at(canvas, 0, x)->text);
    }
    return text;
}

static bool is_whole(const struct canvas *canvas, enum view_kind view)
{
    char title[40];
    snprintf(title, sizeof title, " %s ", view_at(view)->title);
    return strcmp(text_of(canvas, view), title) == 0;
}

/* The titles are those of views one after another; before and behind them stand arrows. */
static void check_bar(const struct canvas *canvas, enum view_kind current)
{
    unsigned first = 0, end;
    while (first < VIEW_COUNT && !is_whole(canvas, (enum view_kind)first))
        first++;
    for (end = first; end < VIEW_COUNT && is_whole(canvas, (enum view_kind)end);)
        end++;
    ck_assert_msg(first <= current && current < end, "%d columns, view %u: %u to %u",
                  canvas->columns, current, first, end);
    for (unsigned view = 0; view < VIEW_COUNT; view++) {
        const char *text = text_of(canvas, (enum view_kind)view);
        if (view + 1 == first)
            ck_assert_str_eq(text, " ‹");
        else if (view == end)
            ck_assert_str_eq(text, "› ");
        else if (view < first || view > end)
            ck_assert_str_eq(text, "");
    }
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 0), "layer ‹0›"));
}

TESTS(.base = &session_tests);

TEST(titles_are_whole_and_the_current_one_is_there)
{
    for (int columns = SCREEN_COLUMNS_MIN; columns < 200; columns++)
        for (unsigned view = 0; view < VIEW_COUNT; view++) {
            session_set_view(&session, (enum view_kind)view);
            struct canvas *canvas = drawn(columns, 24);
            check_bar(canvas, (enum view_kind)view);
            canvas_free(canvas);
        }
}

/* On the narrowest screen, whichever view it begins with. */
TEST(arrows_lead_to_every_view)
{
    static const char *const arrows[] = {"› ", " ‹"};
    for (int a = 0; a < 2; a++) {
        unsigned shown = 0;
        session_set_view(&session, a == 0 ? 0 : VIEW_COUNT - 1);
        for (int turn = 0; turn < 2 * VIEW_COUNT; turn++) {
            struct canvas *canvas = drawn(SCREEN_COLUMNS_MIN, 24);
            shown |= 1U << session.state.look.view;
            int next = VIEW_COUNT;
            for (unsigned view = 0; view < VIEW_COUNT; view++) {
                if (is_whole(canvas, (enum view_kind)view))
                    shown |= 1U << view;
                if (strcmp(text_of(canvas, (enum view_kind)view), arrows[a]) == 0)
                    next = (int)view;
            }
            canvas_free(canvas);
            if (next == VIEW_COUNT)
                break;
            click(HIT(view), (size_t)next);
            ck_assert_int_eq(session.state.look.view, next);
        }
        ck_assert_uint_eq(shown, (1U << VIEW_COUNT) - 1);
    }
}

static const struct {
    const char *model, *shown;
} models[] = {
    {"built-in", "   built-in 2×4"},
    {"org/tiny-bert", "   tiny-bert 2×4"},
    {"org/tiny@refs/pr/1", "   tiny@refs/pr/1 2×4"},
    {"tiny@v1/a", "   tiny@v1/a 2×4"},
    {"odd/", "   odd/ 2×4"},
};

TEST(a_model_is_named_without_its_org, .times = COUNT(models))
{
    session.data.model = models[_i].model;
    struct canvas *canvas = drawn(160, 24);
    ck_assert_msg(strstr(view_row(canvas, 0), models[_i].shown), "%s", view_row(canvas, 0));
    canvas_free(canvas);
}
