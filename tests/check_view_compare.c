/* The compare view: which token is which, and its colours; what it says is in tests/scripts. */
#include "compare_helpers.h"
#include "suites.h"

TESTS(.base = &compare_tests);

/* Of the pair's tokens each is a token of one side; [CLS] of both. */
TEST(tokens_of_the_pair_have_their_places)
{
    struct comparison both = compare_now();
    for (size_t shown = 0; shown < 13; shown++) {
        size_t left = comparison_place(&both, SIDE_LEFT, shown);
        size_t right = comparison_place(&both, SIDE_RIGHT, shown);
        ck_assert_uint_eq(left, shown < 7 ? shown : NO_TOKEN);
        ck_assert_uint_eq(right, shown == 0 ? 0 : shown < 7 ? NO_TOKEN : shown - 6);
        if (left != NO_TOKEN)
            ck_assert_uint_eq(comparison_shown(&both, SIDE_LEFT, left), shown);
        if (right != NO_TOKEN)
            ck_assert_uint_eq(comparison_shown(&both, SIDE_RIGHT, right), shown);
    }
    static const size_t counterparts[] = {0, NO_TOKEN, 2, 3, NO_TOKEN, NO_TOKEN, 6};
    for (size_t right = 0; right < 7; right++)
        ck_assert_uint_eq(comparison_counterpart(&both, right), counterparts[right]);
}

static float weight_of(const struct comparison *both, enum side side, size_t from, size_t to)
{
    return trace_weight(both->trace[side], session.state.look.layer, session.state.look.head, from,
                        to);
}

/* Full shades would say that much has changed. */
TEST(small_differences_are_pale)
{
    struct compare compare = {.difference = 0.01F};
    ck_assert_float_eq(compare_scale(&compare), 0.1F);
    compare.difference = 0.3F;
    ck_assert_float_eq(compare_scale(&compare), 0.3F);
}

/* Of the numbers below the curve the cursor's layer's, but on a projector those of the sentence. */
TEST(ends_of_the_curve_stand_out_on_a_projector)
{
    for (int presented = 0; presented < 2; presented++) {
        session.state.look.presented = presented;
        compare_draw(120, 36);
        const struct view_place start = view_find(compare_canvas, 0, "emb");
        int runs = 0;
        for (int x = 1; x < compare_canvas->columns; x++)
            runs += canvas_at(compare_canvas, start.y - 1, x)->style.bold &&
                    !canvas_at(compare_canvas, start.y - 1, x - 1)->style.bold;
        ck_assert_int_eq(canvas_at(compare_canvas, start.y, start.x)->style.bold, presented);
        ck_assert_int_eq(runs, 1 + presented);
    }
}

TEST(a_difference_has_two_hues)
{
    struct comparison both = compare_now();
    size_t cells = 0;
    session.state.look.from = 0;
    compare_draw(120, 36);
    for (int y = 0; y < compare_canvas->rows; y++)
        for (int x = 79; x < compare_canvas->columns; x++) { /* the third panel */
            struct hit hit = canvas_hit(compare_canvas, y, x);
            const struct style *style = &canvas_at(compare_canvas, y, x)->style;
            if (hit.place[1] != HIT(to))
                continue;
            size_t from = comparison_place(&both, SIDE_RIGHT, hit.value[0]);
            size_t to = comparison_place(&both, SIDE_RIGHT, hit.value[1]);
            size_t row = comparison_counterpart(&both, from),
                   column = comparison_counterpart(&both, to);
            if (row == NO_TOKEN || column == NO_TOKEN) {
                ck_assert(style->back.level == 0 || style->back.role == ROLE_TEXT);
                continue;
            }
            float differs =
                weight_of(&both, SIDE_RIGHT, from, to) - weight_of(&both, SIDE_LEFT, row, column);
            if (style->back.role == ROLE_TEXT || style->back.level == 0)
                continue; /* next to nothing */
            ck_assert_uint_eq(style->back.role, differs < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
            cells++;
        }
    ck_assert_uint_gt(cells, 20);
}
