/* Every lesson that is linked in, on the built-in model: each step is drawn whole, and says nothing
 * that the model can't tell. */
#include "lesson_helpers.h"
#include "schema.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/lesson/formula.h"
#include "headlight/lesson/player.h"
#include "headlight/session/find.h"
#include "headlight/session/screen.h"
#include "headlight/view/views.h"

#include <math.h>
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

/* Each step of the lesson of that number. */
static void each_step(int index, void (*check)(void))
{
    open_lesson(lessons_name((size_t)index));
    for (size_t step = 0; step < player.lesson->count; step++) {
        learner.message[0] = '\0';
        assert_ok(player_show(&player, step, &error), error);
        check();
    }
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

TEST(every_step_suits_the_model, .times = 12)
{
    each_step(_i, check_said);
}

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
        check_words(canvas, player.panel.look ? player.panel.look : "");
        check_words(canvas, player.panel.attempt ? player.panel.attempt : "");
        canvas_free(canvas);
    }
}

TEST(every_step_is_drawn_with_all_of_its_text, .times = 12)
{
    each_step(_i, check_drawn);
}

/* ---- On a stage ---- */

/* What a view says above a step is about what the step's text is about. */
static const struct {
    const char *lesson;
    size_t step; /* from 1 */
    const char *says;
} sentences[] = {
    {"lines", 7, " of 64 heads look at "},
    {"weight", 3, "In q number "},
    {"weight", 6, "\"milk\"'s query and \"drank\"'s key score "},
    {"weight", 7, "\"milk\"'s query and \"cat\"'s key score "},
    {"scale", 3, "\"cat\"'s query and \"cat\"'s key score "},
    {"scale", 4, "Without the division \"cat\" looks most at \"cat\" ("},
    {"scale", 5, "Without the division the entropy in head 0.0 "},
    {"scale", 6, "Without the division the largest weight of a token in head 0.0 rises "},
    {"scale", 7, "Without the division \"mat\"'s query and \"mat\"'s key score "},
    {"jobs", 1, " of 64 heads look at "},
    {"order", 1, "\"dog\" and \"dog\": cosine "},
    {"order", 3, ": segment "},
    {"order", 5, "Without positions \"man₁\" looks most at "},
    {"order", 6, "Without positions the cosine of \"dog₁\" with \"dog₂\" is 1.000"},
    {"twice", 1, "\"will\" and \"will\": cosine 1.000 at the start, "},
    {"twice", 2, "\"will\" looks at \"they\" ("},
    {"twice", 7, "Without positions the cosine of \"can₁\" with \"can₂\" is 1.000"},
    {"pairs", 5, "The probability that B follows A is 0.001"},
    {"pairs", 6, "Without segments the probability that B follows A rises from 0.001 to "},
    {"plain", 1, "Without positions the plain attention of \"cat₁\" to \"cat₂\" is "},
    {"plain", 2, "The plain attention of \"cat₁\" to \"cat₂\" is "},
    {"plain", 5, "With head 1.3 uniform \"saw\" looks at \"cat₁\" (0.125, before "},
    {"plain", 6, "With causal attention \"[CLS]\" looks most at \"[CLS]\" (1.000, before "},
    {"layer", 4, " adds a vector of length "},
};

TEST(a_step_has_its_own_sentence, .times = COUNT(sentences))
{
    char text[512];
    open_lesson(sentences[_i].lesson);
    for (size_t step = 0; step < sentences[_i].step; step++)
        assert_ok(player_show(&player, step, &error), error);
    learner.state.look.presented = true;
    const struct scene scene = session_picture(&learner);
    ck_assert(view_sentence(&scene, false, text, sizeof text));
    ck_assert_msg(strstr(text, sentences[_i].says) != NULL, "\"%s\", expected \"%s\"", text,
                  sentences[_i].says);
}

/* ---- Numbers ---- */

static cJSON *exported;
static size_t compared, skipped;

static const cJSON *item(const cJSON *list, size_t index)
{
    return cJSON_GetArrayItem(list, (int)index);
}

static double number_at(const cJSON *matrix, size_t row, size_t column)
{
    const cJSON *number = item(item(matrix, row), column);
    ck_assert(cJSON_IsNumber(number));
    return number->valuedouble;
}

/* A token's pieces, which the export has a row of each; false where it isn't shown. */
static bool find_shown(const char *name, enum side side, struct token_range *pieces)
{
    const struct scene scene = session_scene(&learner);
    size_t token = find_token(&scene, name, side);
    if (token != NO_TOKEN)
        *pieces = scene.data.attention->tokens[side].of[token];
    return token != NO_TOKEN;
}

static struct formula_value ask(const char *text)
{
    struct formula formula;
    assert_ok(formula_read(text, strlen(text), &formula, &error), error);
    return formula_ask(&learner, &formula);
}

static size_t asked_size(const char *what, const char *figure)
{
    char formula[96];
    snprintf(formula, sizeof formula, "%s of %s", what, figure);
    struct formula_value value = ask(formula);
    ck_assert_msg(value.state == FORMULA_KNOWN, "%s", formula);
    return (size_t)value.value;
}

/* The head shown or, with "at L.H" or "at FIGURE", another. */
static const cJSON *head_of(const char *formula)
{
    const struct look *look = &learner.state.look;
    size_t layer = look->layer, head = look->head;
    const char *at = strstr(formula, " at ");
    if (at && sscanf(at, " at %zu.%zu", &layer, &head) != 2) {
        layer = asked_size("layer", at + 4);
        head = asked_size("head", at + 4);
    }
    return item(json_member(item(json_member(exported, "layers"), layer), "heads"), head);
}

/* What the export says where the lesson says a number; NAN where it can't be told from it. */
static double exported_pair(const char *formula, const char *tensor, bool shares)
{
    struct token_range a, b;
    char from[64], to[64];
    double sum = 0;
    if (sscanf(formula, "%*s %63s %*s %63s", from, to) != 2 || !find_shown(from, SIDE_LEFT, &a) ||
        !find_shown(to, SIDE_RIGHT, &b))
        return (double)NAN;
    const cJSON *matrix = json_member(head_of(formula), tensor);
    for (size_t i = a.first; i < a.end; i++)
        for (size_t j = b.first; j < b.end; j++)
            sum += number_at(matrix, i, j);
    return sum / (double)((a.end - a.first) * (shares ? 1 : b.end - b.first));
}

static double exported_weight(const char *formula)
{
    return exported_pair(formula, "weights", true);
}

static double exported_score(const char *formula)
{
    return exported_pair(formula, "scores", false);
}

/* Of tokens of one piece. */
static double exported_dot(const char *formula)
{
    struct token_range a, b;
    char from[64], to[64];
    double sum = 0;
    if (sscanf(formula, "dot %63s %*s %63s", from, to) != 2 || !find_shown(from, SIDE_LEFT, &a) ||
        !find_shown(to, SIDE_RIGHT, &b))
        return (double)NAN;
    const cJSON *query = json_member(head_of(formula), "query");
    const cJSON *key = json_member(head_of(formula), "key");
    for (int d = 0; d < cJSON_GetArraySize(item(query, 0)); d++)
        sum += number_at(query, a.first, (size_t)d) * number_at(key, b.first, (size_t)d);
    return sum;
}

static double exported_figure(const char *formula)
{
    char name[64];
    if (sscanf(formula, "figure %63s", name) != 1)
        return (double)NAN;
    const cJSON *figure = json_member(json_member(head_of(formula), "metrics"), name);
    return cJSON_IsNumber(figure) ? figure->valuedouble : (double)NAN;
}

/* What the last layer says at a token: the ten likeliest. Returns the place of a word, from 0, or
 * of the likeliest; *said NULL: it is not among them. */
static size_t find_said(const char *formula, const cJSON **said)
{
    const cJSON *lens = json_member(exported, "lens");
    struct token_range pieces;
    char name[64], word[64] = "";
    size_t place = 0;
    *said = NULL;
    if (sscanf(formula, "%*s %63s = %63s", name, word) < 1 ||
        !find_shown(name, SIDE_LEFT, &pieces) || !cJSON_IsArray(lens))
        return 0;
    const cJSON *best = item(item(lens, learner.data.layers - 1), pieces.first);
    while ((*said = item(best, place)) && word[0] &&
           strcmp(json_member(*said, "piece")->valuestring, word) != 0)
        place++;
    return place;
}

static double exported_p(const char *formula)
{
    const cJSON *said;
    find_said(formula, &said);
    return said ? exp(json_member(said, "logprob")->valuedouble) : (double)NAN;
}

static double exported_rank(const char *formula)
{
    const cJSON *said;
    size_t place = find_said(formula, &said);
    return said ? (double)place + 1 : (double)NAN;
}

/* Of words of one piece. */
static double exported_cosine(const char *formula)
{
    struct token_range a, b;
    char names[2][64];
    size_t level;
    double sums[3] = {0};
    if (sscanf(formula, "cosine %63s %63s at %zu", names[0], names[1], &level) != 3 ||
        !find_shown(names[0], SIDE_LEFT, &a) || !find_shown(names[1], SIDE_LEFT, &b))
        return (double)NAN;
    const cJSON *vectors =
        level == 0 ? json_member(exported, "embedding")
                   : json_member(item(json_member(exported, "layers"), level - 1), "output");
    for (int d = 0; d < cJSON_GetArraySize(item(vectors, 0)); d++) {
        double x = number_at(vectors, a.first, (size_t)d);
        double y = number_at(vectors, b.first, (size_t)d);
        sums[0] += x * y;
        sums[1] += x * x;
        sums[2] += y * y;
    }
    return sums[0] / sqrt(sums[1] * sums[2]);
}

static double exported_next(const char *formula)
{
    const cJSON *follows = json_member(export_answer(exported, "pair", 0), "value");
    return strcmp(formula, "next") == 0 && cJSON_IsNumber(follows) ? follows->valuedouble
                                                                   : (double)NAN;
}

static double exported_size(const char *formula)
{
    const cJSON *layers = json_member(exported, "layers");
    const cJSON *heads = json_member(item(layers, 0), "heads");
    const cJSON *list = strcmp(formula, "layers") == 0  ? layers
                        : strcmp(formula, "heads") == 0 ? heads
                        : strcmp(formula, "dimensions") == 0
                            ? item(json_member(item(heads, 0), "query"), 0)
                            : json_member(exported, "tokens");
    return (double)cJSON_GetArraySize(list);
}

/* What was exported of the step at hand; it grows with what its formulas ask for. */
static unsigned included;

static void export(unsigned wanted)
{
    struct output output = {.session = &learner, .include = included | wanted};
    if (exported && output.include == included)
        return;
    cJSON_Delete(exported);
    included = output.include;
    exported = export_made(&output);
}

static const struct {
    const char *word; /* that the formula begins with */
    double (*number)(const char *formula);
    unsigned include;
} exports[] = {
    {"weight", exported_weight, INCLUDE_WEIGHTS},
    {"score", exported_score, INCLUDE_SCORES},
    {"figure", exported_figure, INCLUDE_METRICS},
    {"p", exported_p, INCLUDE_LENS},
    {"rank", exported_rank, INCLUDE_LENS},
    {"cosine", exported_cosine, INCLUDE_HIDDEN},
    {"next", exported_next, 0},
    {"layers", exported_size, INCLUDE_WEIGHTS},
    {"heads", exported_size, INCLUDE_WEIGHTS},
    {"tokens", exported_size, 0},
    {"dimensions", exported_size, INCLUDE_QUERY},
    {"dot", exported_dot, INCLUDE_QUERY | INCLUDE_KEY},
};

/* What was before the changes is another pass's. */
static double exported_number(const char *formula)
{
    size_t length = strcspn(formula, " ");
    for (int i = 0; i < COUNT(exports) && !strstr(formula, " before"); i++)
        if (strlen(exports[i].word) == length && strncmp(formula, exports[i].word, length) == 0) {
            export(exports[i].include);
            return exports[i].number(formula);
        }
    return (double)NAN;
}

static void check_formula(const char *begin, size_t length)
{
    char formula[256];
    snprintf(formula, sizeof formula, "%.*s", (int)length, begin);
    struct formula_value value = ask(formula);
    if (value.state != FORMULA_KNOWN || !value.number)
        return;
    double expected = exported_number(formula);
    skipped += isnan(expected) ? 1 : 0;
    if (isnan(expected))
        return;
    compared++;
    ck_assert_msg(fabs(expected - value.value) < 1e-5 * fmax(1, fabs(expected)),
                  "%s: %s: %g, exported %g", player.panel.title, formula, value.value, expected);
}

static void check_formulas(const char *text)
{
    for (; *text; text = formula_skip(text))
        if (*text == '{')
            check_formula(text + 1, strcspn(text + 1, "}"));
}

static void check_numbers(void)
{
    const struct lesson_step *step = &player.lesson->steps[player.step];
    for (size_t i = 0; i < step->count; i++)
        for (size_t k = 0; k < step->paragraphs[i].count; k++)
            check_formulas(step->paragraphs[i].cases[k].text);
    cJSON_Delete(exported);
    exported = NULL;
    included = 0;
}

TEST(numbers_are_those_of_the_export)
{
    compared = skipped = 0;
    for (size_t i = 0; i < lessons_count(); i++)
        each_step((int)i, check_numbers);
    ck_assert_msg(compared > 80 && compared > skipped, "%zu compared, %zu skipped", compared,
                  skipped);
}

TEST(there_are_twelve)
{
    ck_assert_uint_eq(lessons_count(), 12);
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
