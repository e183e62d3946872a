/* The model view with lines for thumbnails. */
#include "model_view_helpers.h"
#include "suites.h"

#include "headlight/view/model_view.h"

#include <string.h>

/* The dots of a cell's column, as bits from the top; -1: no braille. */
static int dots_at(const struct canvas *canvas, int y, int x, bool right)
{
    const unsigned char *text = (const unsigned char *)canvas_at(canvas, y, x)->text;
    int dots = text[0] == 0xE2 ? (text[1] & 3) << 6 | (text[2] & 63) : 0;
    return right ? (dots >> 3 & 7) | (dots >> 7 & 1) << 3 : (dots & 7) | (dots >> 6 & 1) << 3;
}

/* The only dot of the left or the right edge of a thumbnail, counted from its top; -1: none. */
static int edge_dot(const struct canvas *canvas, struct area box, bool right)
{
    int found = -1;
    for (int y = 0; y < 4 * box.rows; y++) {
        int x = right ? box.x + box.columns - 1 : box.x;
        if (dots_at(canvas, box.y + y / 4, x, right) >> y % 4 & 1) {
            ck_assert_int_eq(found, -1);
            found = y;
        }
    }
    return found;
}

TESTS(.base = &model_view_tests);

TEST(a_line_goes_where_the_weight_says)
{
    static const size_t edges[][2] = {{0, 0}, {0, 8}, {8, 0}, {4, 4}, {2, 7}};
    make(2, 2, 9); /* 2 rows of 8 cells: each token has a place */
    session.state.look.lined = true;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        float *heavy = weight(1, 1, edges[i][0], edges[i][1]);
        *heavy = 0.4F; /* one dot thick */
        struct canvas *canvas = draw(80, 21);
        struct area box = thumbnail(canvas, 1, 1);
        ck_assert_int_eq(box.rows, 8);
        ck_assert_int_eq(edge_dot(canvas, box, false), (int)(1 + (edges[i][0] * 30 + 4) / 8));
        ck_assert_int_eq(edge_dot(canvas, box, true), (int)(1 + (edges[i][1] * 30 + 4) / 8));
        for (size_t head = 0; head < 3; head++)
            ck_assert_int_eq(edge_dot(canvas, thumbnail(canvas, head / 2, head % 2), false), -1);
        canvas_free(canvas);
        *heavy = (THUMBNAIL_LINES_LEAST - 1) / 1000.0F;
        canvas = draw(80, 21);
        ck_assert_int_eq(edge_dot(canvas, thumbnail(canvas, 1, 1), false), -1);
        canvas_free(canvas);
        session.state.look.threshold = THUMBNAIL_LINES_LEAST - 1;
        canvas = draw(80, 21);
        ck_assert_int_ge(edge_dot(canvas, thumbnail(canvas, 1, 1), false), 1);
        canvas_free(canvas);
        session.state.look.threshold = 0;
        *heavy = 0;
    }
}

/* 200 tokens that each attend to themselves: horizontal lines, every second row of dots free. */
TEST(many_tokens_share_places)
{
    make(8, 8, 200);
    set_self(2, 3, 0.75F);
    session.state.look.lined = true;
    struct canvas *canvas = draw(80, 21);
    struct area box = thumbnail(canvas, 2, 3);
    ck_assert_int_eq(box.rows, 2);
    for (int y = box.y; y < box.y + box.rows; y++)
        for (int x = box.x; x < box.x + box.columns; x++)
            for (int right = 0; right < 2; right++)
                ck_assert_int_eq(dots_at(canvas, y, x, right), 2 + 8);
    ck_assert_uint_eq(canvas_at(canvas, box.y, box.x)->style.fore.role, ROLE_HUE + 3);
    canvas_free(canvas);
}

static int count_lined(const struct canvas *canvas, struct area box)
{
    int count = 0;
    for (int i = 0; i < box.rows * box.columns; i++)
        count += canvas_at(canvas, box.y + i / box.columns, box.x + i % box.columns)->style.stroke;
    return count;
}

/* A head whose weights are all light has no lines, and the legend says from where on there are any;
 * as shares of their rows they are heavy. */
TEST(light_lines_are_told_or_shown)
{
    make(1, 2, 20);
    set_self(0, 1, (THUMBNAIL_LINES_LEAST - 1) / 1000.0F);
    session.state.look.lined = true;
    struct canvas *canvas = draw(80, 21);
    ck_assert_int_eq(count_lined(canvas, thumbnail(canvas, 0, 1)), 0);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 19), "left attends to right, from 0.100 up"));
    canvas_free(canvas);
    session.state.look.tone = TONE_ROW;
    canvas = draw(80, 21);
    ck_assert_int_gt(count_lined(canvas, thumbnail(canvas, 0, 1)), 0);
    ck_assert_ptr_null(strstr(view_row(canvas, 19), "from"));
    canvas_free(canvas);
    session.state.look.threshold = 300;
    canvas = draw(80, 21);
    ck_assert_int_eq(count_lined(canvas, thumbnail(canvas, 0, 1)), 0);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 19), "from 0.300 up"));
    canvas_free(canvas);
}

/* Each row has a share of 1: the few lines that there is room for are those of the heaviest rows.
 */
TEST(of_equal_shares_the_heavier_weights_are_drawn)
{
    struct edge edges[2 * 3];
    size_t count;
    make(1, 1, 20);
    for (size_t i = 0; i < 20; i++)
        weights_of(0)[i * 20 + i] = 0.9F - 0.04F * (float)i;
    session.state.look.tone = TONE_ROW;
    ck_assert(thumbnail_lines_choose(scene_of(&session), weights_of(0), 3, edges, &count));
    ck_assert_uint_eq(count, thumbnail_lines_most(3));
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(edges[i].shade, EDGE_WHOLE);
        ck_assert(i == 0 || edges[i].weight < edges[i - 1].weight);
    }
    ck_assert_uint_eq(edges[0].from, 0);
}

/* The heavier of two lines is the brighter one; a head that is off is grey. */
TEST(lines_are_as_bright_as_their_weight)
{
    unsigned before = 0;
    make(1, 1, 4);
    session.state.look.lined = true;
    for (unsigned i = 2; i <= 8; i += 2) {
        weights_of(0)[0] = (float)i / 10;
        struct canvas *canvas = draw(80, 21);
        struct area box = thumbnail(canvas, 0, 0);
        unsigned level = canvas_at(canvas, box.y, box.x)->style.fore.level;
        ck_assert_uint_gt(level, before);
        before = level;
        canvas_free(canvas);
    }
    ck_assert_uint_eq(before, 12); /* 0.8 of full */
    session.state.look.heads = 0;
    struct canvas *canvas = draw(80, 21);
    struct area box = thumbnail(canvas, 0, 0);
    ck_assert_uint_eq(canvas_at(canvas, box.y, box.x)->style.fore.role, ROLE_FAINT);
    canvas_free(canvas);
}
