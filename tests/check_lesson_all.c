/* Every lesson that is linked in, on the built-in model: each step is drawn whole, and says nothing
 * that the model can't tell. */
#include "lesson_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/lesson/formula.h"
#include "headlight/lesson/lessons.h"
#include "headlight/lesson/player.h"
#include "headlight/session/find.h"
#include "headlight/session/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct lesson *lesson;
static struct player player;
static struct error error;

/* Each step of the lesson of that number. */
static void each_step(int index, void (*check)(void))
{
    assert_ok(lessons_open(lessons_name((size_t)index), &lesson, &error), error);
    assert_ok(player_begin(&player, lesson, &error), error);
    learner.panel = &player.panel;
    for (size_t step = 0; step < lesson->count; step++) {
        learner.message[0] = '\0';
        assert_ok(player_show(&player, &learner, step, &error), error);
        check();
    }
    player_end(&player);
    lesson_free(lesson);
}

static void check_said(void)
{
    const char *title = player.panel.title;
    ck_assert_msg(!player.unknown, "%s: %s", title, player.panel.text);
    ck_assert_msg(!player.unfinished && !player.partial && !player.coming, "%s", title);
    ck_assert_msg(learner.message[0] == '\0', "%s: %s", title, learner.message);
    ck_assert_msg(strlen(player.panel.text) > 20, "%s: %s", title, player.panel.text);
}

START_TEST(every_step_suits_the_model)
{
    each_step(_i, check_said);
}
END_TEST

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

static void check_drawn(void)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    for (int i = 0; i < COUNT(sizes); i++) {
        struct traits traits = {0};
        struct canvas *canvas = canvas_new(sizes[i][0], sizes[i][1], traits);
        ck_assert_ptr_nonnull(canvas);
        assert_ok(screen_draw(&learner, canvas, &error), error);
        check_words(canvas, player.panel.text);
        canvas_free(canvas);
    }
}

START_TEST(every_step_is_drawn_with_all_of_its_text)
{
    each_step(_i, check_drawn);
}
END_TEST

/* ---- Numbers ---- */

static cJSON *exported;
static size_t compared;

static const cJSON *item(const cJSON *list, size_t index)
{
    return cJSON_GetArrayItem(list, (int)index);
}

static const cJSON *weights_of(size_t layer, size_t head)
{
    const cJSON *heads = json_member(item(json_member(exported, "layers"), layer), "heads");
    return json_member(item(heads, head), "weights");
}

/* "A → B" of the head shown or, with "at L.H", of that one. */
static void check_weight(const char *formula, double said)
{
    const struct scene scene = session_scene(&learner);
    char from[64], to[64];
    size_t layer = scene.look.layer, head = scene.look.head;
    if (strstr(formula, "before") || sscanf(formula, "weight %63s → %63s", from, to) != 2)
        return;
    const char *at = strstr(formula, " at ");
    if (at)
        ck_assert_int_eq(sscanf(at, " at %zu.%zu", &layer, &head), 2);
    size_t row = find_token(&scene, from, SIDE_LEFT), column = find_token(&scene, to, SIDE_RIGHT);
    if (row == NO_TOKEN || column == NO_TOKEN || scene.look.shape.words ||
        scene.look.shape.special != SPECIAL_SHOWN)
        return; /* the export has the tokens as they are shown */
    const cJSON *weight = item(item(weights_of(layer, head), row), column);
    ck_assert_msg(weight != NULL, "%s: %s", player.panel.title, formula);
    ck_assert_msg(fabs(weight->valuedouble - said) < 1e-6, "%s: %s: %g, exported %g",
                  player.panel.title, formula, said, weight->valuedouble);
    compared++;
}

/* The likeliest of a masked token: the first of its pieces. */
static void check_likeliest(const char *formula, double said)
{
    const struct scene scene = session_scene(&learner);
    const cJSON *masked = json_member(json_member(exported, "predictions"), "masked"), *one;
    char name[64], more;
    if (sscanf(formula, "p %63s%c", name, &more) != 1)
        return;
    size_t token = find_token(&scene, name, SIDE_LEFT), place;
    cJSON_ArrayForEach(one, masked)
    {
        if (!json_is_size(json_member(one, "token"), &place) || place != token)
            continue;
        double best = json_member(item(json_member(one, "pieces"), 0), "probability")->valuedouble;
        ck_assert_msg(fabs(best - said) < 1e-6, "%s: %s: %g, exported %g", player.panel.title,
                      formula, said, best);
        compared++;
    }
}

static void check_next(const char *formula, double said)
{
    if (strcmp(formula, "next") != 0)
        return;
    double follows = json_member(json_member(exported, "next_sentence"), "follows")->valuedouble;
    ck_assert_msg(fabs(follows - said) < 1e-6, "%s: %g, exported %g", formula, said, follows);
    compared++;
}

static void check_formula(const char *begin, size_t length)
{
    char formula[256];
    snprintf(formula, sizeof formula, "%.*s", (int)length, begin);
    struct formula_value value = formula_evaluate(&learner, formula, length);
    if (value.state != FORMULA_KNOWN || !value.number)
        return;
    check_weight(formula, value.value);
    check_likeliest(formula, value.value);
    check_next(formula, value.value);
}

static void check_formulas(const char *text)
{
    for (const char *open = text; (open = strchr(open, '{')); open++)
        check_formula(open + 1, strcspn(open + 1, "}"));
}

static void export(void)
{
    struct output output = {.session = &learner, .include = INCLUDE_PREDICTIONS};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_ok(format_info(FORMAT_JSON)->write(&output, stream, &error), error);
    fclose(stream);
    cJSON_Delete(exported);
    exported = NULL;
    assert_ok(json_parse_object(text, length, "export", &exported, &error), error);
    free(text);
}

static void check_numbers(void)
{
    const struct lesson_step *step = &lesson->steps[player.step];
    export();
    for (size_t i = 0; i < step->count; i++)
        for (size_t k = 0; k < step->paragraphs[i].count; k++)
            check_formulas(step->paragraphs[i].cases[k].text);
}

START_TEST(numbers_are_those_of_the_export)
{
    compared = 0;
    for (size_t i = 0; i < lessons_count(); i++)
        each_step((int)i, check_numbers);
    ck_assert_uint_gt(compared, 10);
    cJSON_Delete(exported);
    exported = NULL;
}
END_TEST

START_TEST(there_are_nine)
{
    ck_assert_uint_eq(lessons_count(), 9);
}
END_TEST

/* ---- The README ---- */

static char *readme;

static void read_readme(void)
{
    size_t length;
    assert_ok(file_read("README.md", 1 << 20, &readme, &length, &error), error);
}

START_TEST(readme_has_the_table)
{
    char row[512];
    read_readme();
    for (size_t i = 0; i < lessons_count(); i++) {
        assert_ok(lessons_open(lessons_name(i), &lesson, &error), error);
        snprintf(row, sizeof row, "| `%s` | %zu | %s | %s |\n", lessons_name(i), lesson->minutes,
                 lesson->title, lesson->about);
        ck_assert_msg(strstr(readme, row) != NULL, "README.md lacks: %s", row);
        lesson_free(lesson);
    }
    free(readme);
}
END_TEST

START_TEST(the_example_of_the_readme_can_be_learnt)
{
    static const char fence[] = "```markdown\n";
    read_readme();
    char *begin = strstr(readme, fence);
    ck_assert_ptr_nonnull(begin);
    begin += sizeof fence - 1;
    *strstr(begin, "```") = '\0';
    lesson = read_lesson(begin);
    assert_ok(player_begin(&player, lesson, &error), error);
    assert_ok(player_show(&player, &learner, 0, &error), error);
    check_said();
    player_end(&player);
    lesson_free(lesson);
    free(readme);
}
END_TEST

Suite *suite_lesson_all(void)
{
    Suite *suite = suite_create("lesson/all");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, begin_learner, end_learner);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, there_are_nine);
    tcase_add_loop_test(tests, every_step_suits_the_model, 0, 9);
    tcase_add_loop_test(tests, every_step_is_drawn_with_all_of_its_text, 0, 9);
    tcase_add_test(tests, numbers_are_those_of_the_export);
    tcase_add_test(tests, readme_has_the_table);
    tcase_add_test(tests, the_example_of_the_readme_can_be_learnt);
    suite_add_tcase(suite, tests);
    return suite;
}
