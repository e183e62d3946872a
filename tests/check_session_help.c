/* The help: which keys come first, and that all are there. */
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include <stdio.h>
#include <string.h>

TESTS(.base = &session_tests);

/* On a usual screen, each in a row of its own. */
TEST(sixteen_keys_come_first, .times = VIEW_COUNT)
{
    session_set_view(&session, (enum view_kind)_i);
    type("?");
    struct canvas *canvas = drawn(80, 24);
    char title[64];
    snprintf(title, sizeof title, "Keys to know in %s", view_at((enum view_kind)_i)->title);
    ck_assert_int_eq(view_find(canvas, 0, title).y, 1);
    for (int y = 2; y < 18; y++)
        ck_assert_msg(canvas_at(canvas, y, 4)->text[0] != ' ', "row %d is empty", y);
    ck_assert_str_eq(canvas_at(canvas, 18, 4)->text, " ");
    ck_assert_int_eq(
        strncmp(view_text(canvas, 19, 2, 60), view_at((enum view_kind)_i)->meaning, 55), 0);
    canvas_free(canvas);
}

/* The second time the key is pressed; those that mean nothing here say where they work. */
TEST(all_keys_come_below, .times = VIEW_COUNT)
{
    const struct view *view = view_at((enum view_kind)_i);
    session_set_view(&session, (enum view_kind)_i);
    type("? ?");
    struct canvas *canvas = drawn(120, 120);
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        size_t length;
        char key[40];
        const char *first = action_key(NULL, action, 0, &length);
        if (!first)
            continue;
        struct error error = {.status = STATUS_OK};
        const bool meant = act_check(&session, action, &error) == STATUS_OK;
        const bool named = strncmp(error.message, first, length) == 0; /* the key */
        char why[20];
        int rows = 0;
        snprintf(why, sizeof why, "%.19s", meant ? "" : error.message + (named ? length + 2 : 0));
        snprintf(key, sizeof key, "%.*s ", (int)length, first);
        for (int y = 0; y < 120; y++)
            if (strncmp(view_text(canvas, y, 4, 80), key, strlen(key)) == 0)
                rows += meant || strstr(view_text(canvas, y, 4, 110), why) != NULL;
        ck_assert_msg(rows > 0, "%s in %s", key, view->title);
    }
    canvas_free(canvas);
    type("?");
    ck_assert(!session.overlay.kind);
}

TEST(a_key_is_chosen_or_closes_it)
{
    type("? Down Down Down Enter"); /* the third is that of layers */
    ck_assert(!session.overlay.kind);
    ck_assert_uint_eq(session.state.look.layer, 1);
    type("? PageDown End Home y");
    ck_assert(!session.overlay.kind);
    type("? ? Down Enter"); /* the first of all */
    ck_assert_uint_eq(session.state.look.layer, 1);
}

/* A heading does nothing, and so closes it like any other place. */
TEST(a_click_chooses_a_key)
{
    const size_t before = session.state.look.from;
    type("?");
    click(HIT_LINE, 0);
    ck_assert(!session.overlay.kind);
    ck_assert_uint_eq(session.state.look.from, before);
    type("?");
    click(HIT_LINE, 3);
    ck_assert_uint_eq(session.state.look.layer, 1);
}

/* Whatever its size. */
TEST(it_is_drawn_on_any_screen)
{
    type("?");
    for (int columns = 60; columns < 250; columns += 13)
        for (int rows = 12; rows < 130; rows += 7)
            canvas_free(drawn(columns, rows));
}
