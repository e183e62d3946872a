/* check_view_head.c: the chips beside the tokens of the other side. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include <string.h>

#define TOKENS 13

/* The hundredths on a chip are those of the weight, not of its thousandths: 0.19469 is 19. */
START_TEST(chips_round_once)
{
    static const struct {
        float weight;
        const char *chip;
    } cases[] = {{0.19469F, " 19 "}, {0.19531F, " 20 "}, {0.7345F, " 73 "}, {0.1049F, " 10 "}};
    struct session session = synthetic_session(synthetic_pair, TOKENS, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    struct layer_trace *layer = &session.data.encoded->trace->layer[0];
    session.state.look.from = 3;
    session.state.look.heads = 3;
    for (size_t head = 0; head < 4; head++)
        memset(layer->weights + (head * TOKENS + 3) * TOKENS, 0, TOKENS * sizeof(float));
    for (int i = 0; i < COUNT(cases); i++) {
        layer->weights[3 * TOKENS + 5] = cases[i].weight;
        struct canvas *canvas = view_drawn(draw_head, scene_of(&session), 120, 40);
        const char *row = NULL;
        for (int y = 0; y < canvas->rows - 2 && !row; y++) {
            const char *text = view_row(canvas, y);
            const char *label = strstr(text, synthetic_pair[5]);
            row = label ? strstr(label + 1, synthetic_pair[5]) : NULL;
        }
        ck_assert_msg(row && strstr(row, cases[i].chip), "%s in \"%s\"", cases[i].chip,
                      row ? row : "no row");
        canvas_free(canvas);
    }
    session_end(&session);
}
END_TEST

Suite *suite_view_head(void)
{
    Suite *suite = suite_create("view/head");
    TCase *tests = tcase_create("chips");
    tcase_add_test(tests, chips_round_once);
    suite_add_tcase(suite, tests);
    return suite;
}
