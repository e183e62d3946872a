/* What holds on every screen: whatever size and state are drawn, and what is always told. */
#include "colors.h"
#include "panel_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/screen.h"

#include <string.h>

static const struct fixture slow_tests = {.slow = true};

/* Every size from 1×1 up and every state that a few keys reach is drawn inside the grid. */
TEST(any_size_and_state_is_drawn, .with = &slow_tests)
{
    static const char *const states[] = {"",
                                         "Down Enter",
                                         "x",
                                         "i",
                                         "a",
                                         "f f",
                                         "Tab",
                                         "Tab , .",
                                         "Tab Enter",
                                         "Tab Tab",
                                         "Tab Tab Down Right",
                                         "Tab Tab Tab",
                                         "Tab Tab Tab Down Right f f",
                                         "c #",
                                         "m H w b",
                                         "Tab Tab Tab m m c",
                                         "Tab Tab c o d",
                                         "Tab Tab O",
                                         "Tab V c",
                                         "Down Enter r",
                                         "/ \"a\"",
                                         "P",
                                         "P Down Enter m",
                                         "P Tab",
                                         "P Tab Tab Down",
                                         "P Tab Tab Tab / \"a\"",
                                         "P Down Enter r",
                                         "?",
                                         "? ?"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        session_anew_on_pair(4, 64);
        type(states[i]);
        for (int columns = 1 + 7 * ((int)i % 3); columns < 300; columns += 7 * 3 * ONE_IN)
            for (int rows = 1; rows < 80; rows += 5)
                canvas_free(drawn(columns, rows));
    }
    session_end(&session);
}

TESTS(.base = &session_tests);

TEST(one_token_is_drawn)
{
    static const char *const label[] = {"word"};
    session_anew(label, 1, 1, 1, 1);
    canvas_free(drawn(80, 24));
    type("Down Enter Down Tab . Enter Up Tab Down Right Tab Down Right");
    canvas_free(drawn(80, 24));
}

/* The same state and size give the same cells: nothing is remembered between two drawings. */
TEST(drawing_is_pure)
{
    session_anew_on_pair(4, 8);
    struct canvas *first = drawn(100, 30);
    type("Down Enter Tab ? ? Esc Shift-Tab Enter Esc");
    struct canvas *second = drawn(100, 30);
    ck_assert_mem_eq(first->cells, second->cells, 3000 * sizeof *first->cells);
    canvas_free(first);
    canvas_free(second);
}

/* Where a word is drawn, a click means that word. */
static void check_hit(const struct canvas *canvas, int y, int x, const char *glyph, unsigned place,
                      size_t value)
{
    struct hit hit = canvas_hit(canvas, y, x);
    ck_assert_str_eq(canvas_at(canvas, y, x)->text, glyph);
    ck_assert_msg(hit.place[0] == place && hit.value[0] == value, "at %d,%d: %u %zu", y, x,
                  hit.place[0], hit.value[0]);
}

TEST(what_is_drawn_answers_to_clicks)
{
    session_anew_on_pair(4, 8);
    struct canvas *canvas = drawn(80, 24);
    check_hit(canvas, 0, 13, "H", HIT(view), VIEW_HEAD);
    check_hit(canvas, 0, 19, "N", HIT(view), VIEW_NEURON);
    check_hit(canvas, 1, 8, "■", HIT(head), 0);
    check_hit(canvas, 1, 15, "2", HIT(head), 2);
    check_hit(canvas, 4, 12, "C", HIT(from), 0);
    check_hit(canvas, 4, 65, "C", HIT(to), 0);
    ck_assert_int_eq(canvas_hit(canvas, 4, 30).place[0], HIT_NOTHING);
    canvas_free(canvas);
    type("g Down Tab Tab Tab Right");
    canvas = drawn(80, 24);
    size_t pairs = 0;
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 80; x++)
            if (strcmp(canvas_at(canvas, y, x)->text, "▸") == 0)
                check_hit(canvas, y, x + 2, "t", HIT(from), 1);
            else if (canvas_hit(canvas, y, x).place[1] == HIT(to))
                pairs++;
    ck_assert_uint_eq(pairs, 13 * 13 * 5); /* cells of 5×1 */
    ck_assert_int_eq(canvas_hit(canvas, -1, 500).place[0], HIT_NOTHING);
    canvas_free(canvas);
}

/* Where there are more heads than room, those around the cursor are shown, between arrows. */
static void check_head_bar(const struct canvas *canvas, size_t current, size_t heads)
{
    size_t first = heads, last = 0;
    char number[24], found[24] = "";
    bool left = false, right = false;
    for (int x = 0; x < canvas->columns; x++) {
        const struct cell *cell = canvas_at(canvas, 1, x);
        struct hit hit = canvas_hit(canvas, 1, x);
        left |= strcmp(cell->text, "‹") == 0;
        right |= strcmp(cell->text, "›") == 0;
        if (hit.place[0] != HIT(head))
            continue;
        first = hit.value[0] < first ? hit.value[0] : first;
        last = hit.value[0] > last ? hit.value[0] : last;
        if (hit.value[0] == current && cell->style.back.role == ROLE_CURSOR)
            strcat(found, cell->text);
    }
    snprintf(number, sizeof number, "%zu", current);
    ck_assert_str_eq(found, number);
    ck_assert_msg(left == (first > 0) && right == (last + 1 < heads), "head %zu: %zu to %zu",
                  current, first, last);
}

TEST(the_current_head_is_always_in_the_bar)
{
    static const char *const states[] = {"", "w H H b m", "Tab", "Tab Tab Tab"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        session_anew_on_pair(40, 2);
        type(states[i]);
        for (session.state.look.head = 0; session.state.look.head < 40; session.state.look.head++)
            for (int columns = 80; columns <= 200; columns += 40) {
                struct canvas *canvas = drawn(columns, 24);
                check_head_bar(canvas, session.state.look.head, 40);
                canvas_free(canvas);
            }
    }
}

/* What a filter hides is said in every view that has one, on the narrowest screen too. */
TEST(the_filter_is_told)
{
    static const char *const views[] = {"", "Tab Tab", "Tab Tab Tab"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        for (int columns = SCREEN_COLUMNS_MIN; columns <= 120; columns += 20) {
            session_anew_on_pair(12, 2);
            type(views[i]);
            struct canvas *canvas = drawn(columns, 24);
            ck_assert_ptr_null(strstr(view_text(canvas, 1, 0, columns), "only"));
            canvas_free(canvas);
            type("f f");
            canvas = drawn(columns, 24);
            const char *line = view_text(canvas, 1, 0, columns);
            ck_assert_msg(strstr(line, " only A→B ") != NULL, "%d columns: %s", columns, line);
            canvas_free(canvas);
        }
}

/* A mean is no head's: nothing has a head's hue, the heads in the bar neither. */
TEST(a_mean_has_no_heads_colour)
{
    static const char *const states[] = {"", "m", "m m", "Tab Tab Tab", "Tab Tab Tab m"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        session_anew_on_pair(4, 8);
        bool mean = strchr(states[i], 'm'), hue = false;
        type(states[i]);
        struct canvas *canvas = drawn(80, 24);
        for (int cell = 0; cell < 80 * 24; cell++)
            hue |= canvas->cells[cell].style.fore.role >= ROLE_HUE ||
                   canvas->cells[cell].style.back.role >= ROLE_HUE;
        ck_assert_msg(hue != mean, "\"%s\"", states[i]);
        canvas_free(canvas);
    }
}

/* The hint of Enter says what Enter does then. */
TEST(enter_is_announced)
{
    static const struct {
        const char *keys, *hint;
    } states[] = {{"", "Enter choose"},
                  {"Down", "Enter pin"},
                  {"Down Enter", "Enter unpin"},
                  {"Down Enter r", "Enter open"},
                  {"Tab", "Enter keys"},
                  {"Tab Tab", "Enter open"},
                  {"Tab Tab Tab", "Enter choose"},
                  {"Tab Tab Tab Down", "Enter heaviest"},
                  {"Tab Tab Tab Down Right", "Enter unpin"}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        session_anew_on_pair(4, 8);
        type(states[i].keys);
        struct canvas *canvas = drawn(80, 24);
        const char *footer = view_text(canvas, 23, 0, 80);
        ck_assert_msg(strstr(footer, states[i].hint) != NULL, "%s: no \"%s\" in \"%s\"",
                      states[i].keys, states[i].hint, footer);
        ck_assert_ptr_nonnull(strstr(footer, "q quit"));
        canvas_free(canvas);
    }
}

static const char *const long_labels[] = {"attention-seekingly-and-unnecessarily-long",
                                          "disproportionately-and-needlessly-wide"};

/* On the narrowest screen, whatever stands beside it. */
TEST(the_weight_of_a_pair_is_always_whole)
{
    static const char *const states[] = {
        "", "Down", "Down Enter #", "Tab Tab Tab Down Right", "Tab Down", "m m"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        session_anew(long_labels, 2, 2, 2, 2);
        char weight[24];
        struct edge edge;
        type(states[i]);
        ck_assert(scene_current_edge(scene_of(&session), &edge));
        snprintf(weight, sizeof weight, " %u.%03u", edge.weight / 1000, edge.weight % 1000);
        struct canvas *canvas = drawn(60, 24);
        const char *line = view_text(canvas, 21, 0, 60);
        ck_assert_msg(strstr(line, weight) != NULL, "%s: no \"%s\" in \"%s\"", states[i], weight,
                      line);
        canvas_free(canvas);
    }
}

/* However long the tokens are; the line may shorten them instead. */
TEST(the_head_of_a_pair_is_always_named)
{
    static const struct {
        const char *keys, *place;
    } states[] = {{"", "head 0."},
                  {"0 Down Enter Down", "head 0.0"},
                  {"Right 0 ] + +", "head 1.1"},
                  {"m m", "mean of 2 heads, all layers"},
                  {"Tab Tab Tab", "head 0.0"},
                  {"Tab Tab Tab ] Down Right", "head 0.1"},
                  {"Tab Down Enter", "head 0.0"}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        for (int columns = 80; columns <= 120; columns += 20) {
            session_anew(long_labels, 2, 2, 2, 2);
            type(states[i].keys);
            struct canvas *canvas = drawn(columns, 24);
            const char *line = view_text(canvas, 21, 0, columns);
            ck_assert_msg(strstr(line, states[i].place) != NULL, "%s: no \"%s\" in \"%s\"",
                          states[i].keys, states[i].place, line);
            canvas_free(canvas);
        }
}

/* Of a pinned pair the line tells its weights in all heads, or ends in "…" before the counts. */
TEST(heads_without_room_are_not_dropped_silently)
{
    char last[16];
    for (size_t heads = 2; heads <= 16; heads++) {
        session_anew_on_pair(heads, 2);
        type("Down Enter Down");
        struct canvas *canvas = drawn(80, 24);
        const char *line = view_text(canvas, 21, 0, 80);
        struct edge edge;
        ck_assert(scene_current_edge(scene_of(&session), &edge));
        size_t other = edge.head == heads - 1 ? heads - 2 : heads - 1;
        snprintf(last, sizeof last, "  %zu 0.", other);
        ck_assert_msg((strstr(line, last) != NULL) != (strstr(line, " …") != NULL), "%zu: \"%s\"",
                      heads, line);
        canvas_free(canvas);
    }
}

/* What is typed for a screen whose text is looked at. */
static const char *const texts[] = {"",
                                    "a",
                                    "i # Down Down",
                                    "Down Enter Down r",
                                    "Down Enter Down r Down Down Down",
                                    "c Down Enter Down",
                                    "m /",
                                    "? ?",
                                    "Tab Down",
                                    "Tab Down c . .",
                                    "Tab Tab o",
                                    "Tab Tab o o O",
                                    "Tab Tab d",
                                    "Tab Tab Tab",
                                    "Tab Tab Tab m Down",
                                    "Tab Tab Tab Tab Tab",
                                    "Tab Tab Tab Tab Tab Up Enter",
                                    "Tab Tab Tab Tab Tab Enter Down",
                                    "Tab Tab Tab Tab Tab Tab",
                                    "Tab Tab Tab Tab Tab Tab Down Enter"};

static bool is_text(const char *glyph)
{
    bool bar = strcmp(glyph, "▏") == 0 || strcmp(glyph, "▎") == 0 || strcmp(glyph, "▍") == 0;
    return (*glyph > ' ' && *glyph <= '~') || strcmp(glyph, "□") == 0 || bar;
}

static void check_readable(const struct theme *theme, const struct canvas *canvas, const char *keys)
{
    for (int i = 0; i < canvas->columns * canvas->rows; i++) {
        const struct cell *cell = &canvas->cells[i];
        double ratio =
            color_contrast(theme_rgb(theme, cell->style.fore), theme_rgb(theme, cell->style.back));
        ck_assert_msg(!is_text(cell->text) || ratio >= theme->least_contrast,
                      "%s, \"%s\": \"%s\" of %s in row %d, column %d has a contrast of %.2f",
                      theme->name, keys, cell->text, role_name(cell->style.fore.role),
                      i / canvas->columns, i % canvas->columns, ratio);
    }
}

/* Letters, numbers, short bars and the squares of heads that are off: 3:1 to what lies behind
 * them, 4.5:1 in the theme of high contrast. */
TEST(all_text_is_readable, .times = COUNT(texts))
{
    for (unsigned theme = 0; !theme_at(theme)->mono; theme++) {
        session_anew_on_pair(16, 32);
        type(texts[_i]);
        session.state.look.theme = theme;
        struct canvas *canvas = drawn(120, 40);
        check_readable(theme_at(theme), canvas, texts[_i]);
        canvas_free(canvas);
    }
}

TEST(all_text_of_lessons_is_readable)
{
    static const char *const keys[] = {"", "P", "L", "L L", "L L Down"};
    for (unsigned theme = 0; !theme_at(theme)->mono; theme++)
        for (int i = 0; i < COUNT(keys); i++) {
            session_anew_on_pair(16, 32);
            fake_begin(&session, 1);
            fake.panel.away = i % 2;
            type(keys[i]);
            session.state.look.theme = theme;
            struct canvas *canvas = drawn(120, 40);
            check_readable(theme_at(theme), canvas, keys[i]);
            canvas_free(canvas);
        }
}

/* However light a chosen pair is, it has a line. */
TEST(a_chosen_pair_has_a_line)
{
    session_anew_on_pair(4, 8);
    struct error error;
    float before = -1, *weights = session.data.encoded->trace->layer[0].weights + (size_t)2 * 13;
    for (size_t to = 0; to < 13; to++)
        weights[to] = 0.001F + 0.0005F * (float)to;
    type("0 g Down Down Enter");
    for (size_t to = 0; to < 13; to++) {
        struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
        ck_assert_ptr_nonnull(canvas);
        canvas->curves = true;
        session.state.look.to = to;
        ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
        ck_assert_uint_eq(canvas->field_count, 1);
        ck_assert_uint_eq(canvas->fields[0].count, 1);
        ck_assert(canvas->fields[0].strokes[0].to > before);
        before = canvas->fields[0].strokes[0].to;
        ck_assert_ptr_nonnull(strstr(view_text(canvas, 37, 0, 120), " 1 of 13 lines"));
        canvas_free(canvas);
    }
}

/* How many lines there are gives way last, and where they go first. */
TEST(lines_are_counted_where_there_is_room)
{
    static const struct {
        int columns;
        const char *count;
    } counts[] = {
        {100, " heaviest 13 of 91 lines, 13 to [CLS]"}, {80, " 13 of 91 lines"}, {60, " 13 of 91"}};
    session_anew(synthetic_pair, 13, 13, 4, 8);
    float *weights = session.data.encoded->trace->layer[0].weights;
    memset(weights, 0, (size_t)13 * 13 * sizeof *weights);
    for (size_t from = 0; from < 13; from++)
        weights[from * 13] = 0.5F;
    type("0");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct canvas *canvas = drawn(counts[i].columns, 24);
        const char *text = view_text(canvas, 21, 0, counts[i].columns - 2);
        const char *found = strstr(text, counts[i].count);
        ck_assert_msg(found && strlen(found) == strlen(counts[i].count), "%s: no%s", text,
                      counts[i].count);
        ck_assert(found[-1] == ' ');
        canvas_free(canvas);
    }
}
