/* Two of the lessons on a model whose weights are made up: how they look where little of what they
 * say holds. */
#include "golden.h"
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/lesson/player.h"
#include "headlight/session/screen.h"

static struct error error;

TESTS(.begin = begin_tiny_learner, .end = end_learner);

TEST(lessons_look_so_on_another_model, .times = LESSON_GOLDENS)
{
    const struct lesson_golden *golden = &lesson_goldens[_i];
    struct player player;
    struct canvas *canvas = canvas_new(golden->columns, golden->rows, (struct traits){0});
    assert_ok(player_begin(&player, &error), error);
    assert_ok(player_open(&player, golden->lesson, 0, &error), error);
    player.session = &learner;
    learner.panel = &player.panel;
    assert_ok(player_show(&player, golden->step, &error), error);
    ck_assert_str_eq(learner.message, "");
    assert_ok(screen_draw(&learner, canvas, &error), error);
    ck_assert(golden_equal(canvas, golden->name));
    canvas_free(canvas);
    player_end(&player);
}
