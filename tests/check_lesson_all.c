/* Every lesson that is linked in, on the built-in model that it is of: each step is drawn whole,
 * and says nothing that the model can't tell. */
#include "lesson_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/lesson/player.h"
#include "headlight/session/screen.h"

#include <stdlib.h>
#include <string.h>

static struct player player;
static struct error error;

static void open_lesson(const char *name)
{
    assert_ok(player_open(&player, name, 0, &error), error);
    player.session = &learner;
    learner.panel = &player.panel;
}

static void check_said(void)
{
    const char *title = player.panel.title;
    ck_assert_msg(player.said == FORMULA_KNOWN && player.awaits == AWAITS_NOTHING, "%s: %s", title,
                  player.panel.text);
    ck_assert_msg(learner.message[0] == '\0', "%s: %s", title, learner.message);
    ck_assert_msg(strlen(player.panel.text) > 20, "%s: %s", title, player.panel.text);
}

static void begin(void)
{
    begin_learner();
    assert_ok(player_begin(&player, &error), error);
}

static void end(void)
{
    player_end(&player);
    end_learner();
}

TESTS(.begin = begin, .end = end);

/* The words of a text without their marks, in the order of the rows from `row` on. */
static void check_words(const struct canvas *canvas, const char *text)
{
    char *all = calloc((size_t)canvas->rows, 4096), bare[256];
    for (int y = 0; y < canvas->rows; y++)
        strcat(strcat(all, view_row(canvas, y)), " ");
    const char *at = strstr(all, player.panel.title);
    ck_assert_msg(at != NULL, "no title: %s", player.panel.title);
    while (*(text += strspn(text, " \n"))) {
        size_t length = strcspn(text, " \n"), kept = 0;
        for (size_t i = 0; i < length && kept + 1 < sizeof bare; i++)
            if (!strchr("*`", text[i]))
                bare[kept++] = text[i];
        bare[kept] = '\0';
        const char *found = strstr(at, bare);
        ck_assert_msg(found != NULL, "%s, %d columns: no \"%s\"", player.panel.title,
                      canvas->columns, bare);
        at = found + kept;
        text += length;
    }
    free(all);
}

static void check_step(void)
{
    check_said();
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    for (int i = 0; i < COUNT(sizes); i++) {
        struct traits traits = {0};
        struct canvas *canvas = canvas_new(sizes[i][0], sizes[i][1], traits);
        ck_assert_ptr_nonnull(canvas);
        assert_ok(screen_draw(&learner, canvas, &error), error);
        check_words(canvas, player.panel.text);
        check_words(canvas, player.panel.look ? player.panel.look : "");
        check_words(canvas, player.panel.attempt ? player.panel.attempt : "");
        canvas_free(canvas);
    }
}

TEST(every_step_suits_the_model_and_is_drawn_whole, .times = 13)
{
    open_lesson(lessons_name((size_t)_i));
    if (player.lesson->model) {
        end_learner();
        begin_learner_of(player.lesson->model);
        learner.panel = &player.panel;
    }
    for (size_t step = 0; step < player.lesson->count; step++) {
        learner.message[0] = '\0';
        assert_ok(player_show(&player, step, &error), error);
        check_step();
    }
}

TEST(there_are_thirteen)
{
    ck_assert_uint_eq(lessons_count(), 13);
}

/* ---- Their page ---- */

#define PAGE "assets/docs/lessons.md"

static char *page;

static void read_page(void)
{
    size_t length;
    assert_ok(file_read(PAGE, 1 << 20, &page, &length, &error), error);
}

TEST(a_page_has_the_table)
{
    char row[512];
    read_page();
    for (size_t i = 0; i < lessons_count(); i++) {
        const struct lesson *lesson = player.lessons[i];
        snprintf(row, sizeof row, "| `%s` | %zu | %s | %s |\n", lessons_name(i), lesson->minutes,
                 lesson->title, lesson->about);
        ck_assert_msg(strstr(page, row) != NULL, PAGE " lacks: %s", row);
    }
    free(page);
}

TEST(the_example_of_the_page_can_be_learnt)
{
    static const char fence[] = "```markdown\n";
    read_page();
    char *begin = strstr(page, fence);
    ck_assert_ptr_nonnull(begin);
    begin += sizeof fence - 1;
    *strstr(begin, "```") = '\0';
    play(&player, begin);
    assert_ok(player_show(&player, 0, &error), error);
    check_said();
    free(page);
}
