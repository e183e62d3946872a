/* A lesson as the session sees it: what keys and clicks ask of a teacher, when it is told of what
 * is shown, the list of lessons, and the panel. */
#include "model_helpers.h"
#include "panel_helpers.h"
#include "rows.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/act.h"
#include "headlight/session/request.h"

#include <stdio.h>
#include <string.h>

static struct error error;

static bool is_shown(const char *text)
{
    struct canvas *canvas = drawn(120, 40);
    bool shown = view_shows(canvas, text);
    canvas_free(canvas);
    return shown;
}

/* ---- Keys of a lesson ---- */

TESTS(.base = &session_tests);

TEST(without_a_teacher_there_are_no_lessons)
{
    act(ACTION_LESSON);
    ck_assert_str_eq(session.message, "a picture has no list of lessons: --lesson NAME begins one");
    ck_assert(!session.overlay.kind);
    type("Space");
    ck_assert(!(session.state.look.heads & 1)); /* as ever: the head is switched off */
}

TEST(space_and_backspace_lead_through_it)
{
    const head_mask heads = session.state.look.heads;
    fake_begin(&session, 1);
    fake.bits = SESSION_PASS;
    session.first_digit = 1;
    ck_assert_uint_eq(input_key(&session, ' '), SESSION_PASS | SESSION_REDRAW);
    ck_assert_uint_eq(fake.asked, 1);
    ck_assert_int_eq(fake.what, TEACH_ON);
    ck_assert_int_eq(session.first_digit, 0);
    ck_assert_uint_eq(input_key(&session, KEY_CODE_BACKSPACE), SESSION_PASS | SESSION_REDRAW);
    ck_assert_int_eq(fake.what, TEACH_BACK);
    ck_assert(session.state.look.heads == heads);
    fake.panel.open = false;
    fake.bits = 0;
    type("Space Backspace");
    ck_assert_uint_eq(fake.asked, 2);
    ck_assert(session.state.look.heads == (heads & ~(head_mask)1));
}

/* Keys from a list are keys too: what the teacher returns is obeyed. */
TEST(typed_keys_lead_through_it_too)
{
    fake_begin(&session, 0);
    type("Space Space Backspace");
    ck_assert_uint_eq(fake.asked, 3);
    fake.bits = SESSION_QUIT;
    ck_assert_int_eq(input_type(&session, "Space", &error), STATUS_USAGE);
}

TEST(other_keys_do_what_they_always_do)
{
    fake_begin(&session, 0);
    type("Right # g Down 0");
    ck_assert_uint_eq(fake.asked, 0);
    ck_assert_uint_eq(session.state.look.layer, 1);
    ck_assert_uint_eq(session.state.look.from, 1);
    ck_assert(session.state.look.numbers);
}

/* It keeps the value that is tried, as any other key does. */
TEST(space_goes_on_from_a_list_of_values)
{
    fake_begin(&session, 0);
    type("t Space");
    ck_assert_uint_eq(fake.asked, 1);
    ck_assert(!session.overlay.kind && session.state.look.theme == 1);
}

TEST(space_belongs_to_what_is_typed_and_opened, .times = 3)
{
    static const struct {
        const char *open, *keys;
    } cases[] = {{"/", "Space Backspace"}, {"?", "Space"}, {"?", "Backspace"}};
    fake_begin(&session, 0);
    type(cases[_i].open);
    type(cases[_i].keys);
    ck_assert_uint_eq(fake.asked, 0);
    ck_assert(!session.overlay.kind || session.overlay.lines[0]); /* any key closes the help */
}

TEST(the_help_says_what_space_does)
{
    type("? ?");
    ck_assert(is_shown("add this head") && !is_shown("the lesson goes on"));
    type("Esc");
    fake_begin(&session, 0);
    type("? ?");
    ck_assert(is_shown("the lesson goes on") && !is_shown("add this head"));
}

TEST(a_panel_alone_has_no_keys)
{
    fake_begin(&session, 0);
    session.teacher = NULL;
    type("Space Backspace");
    ck_assert(!(session.state.look.heads & 1));
    act(ACTION_LESSON);
    ck_assert_str_eq(session.message, "a picture has no list of lessons: --lesson NAME begins one");
    ck_assert(is_shown("One head, one sentence"));
}

TEST(l_leaves_it)
{
    fake_begin(&session, 0);
    ck_assert(is_shown("One head, one sentence"));
    type("L");
    ck_assert_int_eq(fake.what, TEACH_LEAVE);
    ck_assert(!session.overlay.kind && !is_shown("One head, one sentence"));
}

/* ---- What the teacher is told ---- */

TEST(another_look_is_told_once)
{
    fake_attend(&session);
    type("Right");
    ck_assert_uint_eq(fake.shown, 1);
    click(HIT(head), 2);
    ck_assert_uint_eq(fake.shown, 2);
    type("P");
    ck_assert_uint_eq(fake.shown, 3);
    type("?");
    ck_assert_uint_eq(fake.shown, 3);
    session.data.trace = NULL; /* nothing is shown yet */
    session_set_view(&session, VIEW_MATRIX);
    ck_assert_uint_eq(fake.shown, 3);
}

/* Else it would be asked without end. */
TEST(what_it_does_itself_is_not_told)
{
    fake_begin(&session, 0);
    fake.changes = true;
    type("0");
    ck_assert_uint_eq(fake.shown, 1);
    ck_assert_uint_eq(session.state.look.layer, 1);
    type("Space");
    ck_assert_uint_eq(fake.shown, 1);
    ck_assert_uint_eq(session.state.look.layer, 0);
    type("0");
    ck_assert_uint_eq(fake.shown, 2);
}

/* A pass, and what is shown besides; one that fails shows nothing. */
TEST(what_is_computed_is_told)
{
    static const struct text texts[] = {{"time flies", 10}, {"like an arrow", 13}};
    static const struct interventions none = {0};
    struct checkpoint checkpoint;
    session_end(&session);
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    fake_attend(&session);
    session.first_head_due = true;
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    ck_assert_uint_eq(fake.shown, 0);
    session.state.source.changes.causal = true;
    assert_ok(request_settle(&session, &error), error);
    ck_assert_uint_eq(fake.shown, 1);
    assert_ok(request_rest(&session, &error), error); /* what was before the change */
    ck_assert_uint_eq(fake.shown, 2);
    session.state.source.changes.unscaled = true;
    assert_ok(request_settle(&session, &error), error);
    ck_assert_uint_eq(fake.shown, 3);
    error_set(&error, STATUS_CANCELLED, "cancelled");
    request_fail(&session, REQUEST_PASS, &error);
    ck_assert_uint_eq(fake.shown, 3);
    request_fail(&session, REQUEST_METRICS, &error); /* the look has none then */
    ck_assert_uint_eq(fake.shown, 4);
    session_end(&session);
    checkpoint_close(&checkpoint);
}

/* ---- The list ---- */

TEST(l_lists_the_lessons)
{
    static const char *const lines[] = {"1  What a line means",
                                        "5 min  done",
                                        "2  One weight by hand",
                                        "8 min  left at 3 of 9",
                                        "6 min  left at 2 of 6",
                                        "9  Attention without weights, and with blinkers",
                                        "10 min "};
    fake_attend(&session);
    act(ACTION_LESSON);
    ck_assert_uint_eq(session.overlay.cursor, 1); /* the first is done */
    for (int i = 0; i < COUNT(lines); i++)
        ck_assert_msg(is_shown(lines[i]), "no \"%s\"", lines[i]);
    type("Esc");
    ck_assert(!session.overlay.kind && !is_shown("What a line means"));
    ck_assert_uint_eq(fake.asked, 0);
}

TEST(keys_choose_a_lesson, .times = 11)
{
    static const struct {
        const char *keys;
        size_t lesson;
    } cases[] = {
        {"Enter", 1},       {"Down Enter", 2}, {"Up Enter", 0},       {"Up Up Up Enter", 0},
        {"End Enter", 8},   {"5", 4},          {"End Down Enter", 8}, {"Home Enter", 0},
        {"j j k Enter", 2}, {"9", 8},          {"PageDown Enter", 8}};
    fake_attend(&session);
    type("L");
    type(cases[_i].keys);
    ck_assert_uint_eq(fake.asked, 1);
    ck_assert_int_eq(fake.what, TEACH_BEGIN);
    ck_assert_uint_eq(fake.lesson, cases[_i].lesson);
    ck_assert(!session.overlay.kind && fake.panel.open);
}

TEST(other_keys_do_nothing_in_the_list)
{
    static const uint32_t keys[] = {
        'q', 'e', 'w', '?', '/', '0', ' ', KEY_CODE_BACKSPACE, KEY_CODE_TAB, KEY_CODE_NONE};
    fake_attend(&session);
    type("L");
    const struct state before = session.state;
    for (int i = 0; i < COUNT(keys); i++)
        ck_assert_uint_eq(input_key(&session, keys[i]) & ~(unsigned)SESSION_REDRAW, 0);
    ck_assert(session.overlay.kind == OVERLAY_LESSONS && fake.asked == 0);
    ck_assert(look_equal(&before.look, &session.state.look));
    input_key(&session, 'q');
    ck_assert_str_eq(session.message, "q does nothing here: Esc closes the list");
    type("L");
    ck_assert(!session.overlay.kind);
}

/* What stands where a text begins on a screen. */
static struct hit hit_on(const char *text, int columns, int rows)
{
    struct canvas *canvas = drawn(columns, rows);
    struct hit hit = {.place = {HIT_NOTHING}};
    for (struct view_place at = {0, 0}; (at = view_find(canvas, at.y + 1, text)).y > 0;)
        if (canvas_hit(canvas, at.y, at.x).place[0] != HIT_NOTHING)
            hit = canvas_hit(canvas, at.y, at.x);
    canvas_free(canvas);
    return hit;
}

TEST(clicks_choose_a_lesson_or_close_the_list)
{
    fake_attend(&session);
    type("L");
    ck_assert_uint_eq(session_click(&session, hit_on("Two sentences", 80, 24)), SESSION_REDRAW);
    ck_assert_uint_eq(fake.lesson, 7);
    ck_assert(!session.overlay.kind);
    type("L L");
    click(HIT(from), 3);
    ck_assert(!session.overlay.kind);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    type("L");
    click(HIT_LINE, 9); /* no such lesson */
    ck_assert_uint_eq(fake.asked, 2);
}

/* However few rows there are, the chosen one is seen. */
TEST(the_list_follows_its_cursor)
{
    fake_attend(&session);
    type("L Home");
    for (size_t i = 0; i < fake.teacher.lesson_count; i++) {
        struct canvas *canvas = drawn(60, 12);
        char line[40];
        snprintf(line, sizeof line, "%zu  %.10s", i + 1, fake.teacher.lessons[i].title);
        ck_assert_msg(view_shows(canvas, line), "no \"%s\"", line);
        canvas_free(canvas);
        type("Down");
    }
}

/* ---- The footer ---- */

static const char *footer(int columns, int rows)
{
    static char text[1024];
    struct canvas *canvas = drawn(columns, rows);
    snprintf(text, sizeof text, "%s", view_text(canvas, rows - 1, 2, columns - 2));
    canvas_free(canvas);
    return text;
}

/* Until one is finished, on a usual screen. */
TEST(the_footer_points_to_the_lessons)
{
    fake_attend(&session);
    ck_assert_ptr_null(strstr(footer(80, 24), "L lessons")); /* the first is done */
    const struct panel_lesson fresh[] = {{.name = "lines", .title = "What a line means"}};
    fake.teacher.lessons = fresh;
    fake.teacher.lesson_count = 1;
    ck_assert_ptr_nonnull(strstr(footer(80, 24), "L lessons  Tab view  ? help  q quit"));
    ck_assert_ptr_null(strstr(footer(79, 24), "L lessons"));
    ck_assert_ptr_nonnull(strstr(footer(100, 24), ": anything  L lessons  Tab view"));
}

/* A newcomer's offer has the blank row above the picture, which is as it is without it, and a click
 * on it does it. */
TEST(the_offer_stands_beside_the_hints)
{
    static const char offer[] = "New here? L opens the list of lessons; the first takes 5 minutes";
    fake_attend(&session);
    struct canvas *plain = drawn(120, 40);
    session.offered = true;
    struct canvas *offered = drawn(120, 40);
    ck_assert_ptr_nonnull(strstr(view_row(offered, 2), offer));
    for (int y = 0; y < 40; y++) {
        char row[1024];
        snprintf(row, sizeof row, "%s", view_row(plain, y));
        ck_assert(y == 2 || strcmp(row, view_row(offered, y)) == 0);
    }
    canvas_free(plain);
    canvas_free(offered);
    offered = drawn(80, 24);
    ck_assert(!view_shows(offered, "New here?")); /* there is no such row */
    canvas_free(offered);
    ck_assert_uint_eq(hit_on("the first takes", 120, 40).value[0], 'L');
    ck_assert_uint_eq(session_click(&session, hit_on("New here?", 120, 40)), SESSION_REDRAW);
    ck_assert_int_eq(session.overlay.kind, OVERLAY_LESSONS);
    type("Esc");
    ck_assert(!is_shown("New here?"));
    session.offered = true;
    type("Right"); /* a key takes it away and is obeyed */
    ck_assert(!session.offered && session.state.look.layer == 1);
}

TEST(the_footer_says_how_to_go_on)
{
    fake_begin(&session, 0);
    ck_assert_str_eq(footer(80, 24), "1 of 3  Space next  L leave  ? help  q quit");
    fake_begin(&session, 1);
    ck_assert_str_eq(footer(80, 24), "2 of 3  Space next  Backspace back  L leave  ? help  q quit");
    fake_begin(&session, 2);
    ck_assert_str_eq(footer(120, 40), "3 of 3  Space end  Backspace back  L leave  ? help  q quit");
    fake.panel.away = true;
    ck_assert_str_eq(footer(60, 12), "Space brings step 3 back  L leave  ? help  q quit");
    session_say(&session, "something");
    ck_assert_str_eq(footer(80, 24), "something");
    type("/");
    ck_assert_str_eq(footer(80, 24), "Enter keep  Esc forget");
    type("Esc L L");
    ck_assert_str_eq(footer(80, 24), "↑↓ choose  Enter do it  Esc close");
}

TEST(the_footers_words_are_keys)
{
    fake_begin(&session, 1);
    session_click(&session, hit_on("on", 80, 24));
    ck_assert_int_eq(fake.what, TEACH_ON);
    session_click(&session, hit_on("Backspace", 80, 24));
    ck_assert_int_eq(fake.what, TEACH_BACK);
    fake.panel.away = true;
    for (int presented = 0; presented < 2; presented++) {
        session.state.look.presented = presented;
        session_click(&session, hit_on("brings step 2", 80, 24));
        ck_assert_int_eq(fake.what, TEACH_ON);
        fake.what = TEACH_BACK;
    }
}

/* ---- The panel ---- */

/* All words that are drawn between two rows, with a blank between them. */
static const char *words_between(const struct canvas *canvas, int from, int to)
{
    static char words[65536];
    size_t used = 0;
    for (int y = from; y < to && used < sizeof words; y++) {
        char row[1024];
        snprintf(row, sizeof row, "%s", view_text(canvas, y, 0, canvas->columns));
        for (char *word = strtok(row, " "); word && used < sizeof words; word = strtok(NULL, " "))
            used += (size_t)snprintf(words + used, sizeof words - used, "%s ", word);
    }
    return words;
}

static bool has_words(const struct canvas *canvas, const char *words)
{
    return strstr(words_between(canvas, 0, canvas->rows), words) != NULL;
}

#define END_OF_TEXT "and see which lines stay and which of them go. "

TEST(text_comes_before_look_and_look_before_try, .times = 6)
{
    static const struct {
        int columns, rows;
        size_t step;
        bool text, look, attempt;
    } cases[] = {{80, 24, 0, true, true, false}, {80, 24, 1, true, false, false},
                 {120, 40, 1, true, true, true}, {200, 60, 1, true, true, true},
                 {100, 24, 0, true, true, true}, {60, 12, 1, false, false, false}};
    fake_begin(&session, cases[_i].step);
    struct canvas *canvas = drawn(cases[_i].columns, cases[_i].rows);
    ck_assert(has_words(canvas, fake.panel.title));
    ck_assert_int_eq(has_words(canvas, cases[_i].step ? END_OF_TEXT : "the larger its weight."),
                     cases[_i].text);
    ck_assert_int_eq(has_words(canvas, cases[_i].step ? "Look the squares" : "Look the brightest"),
                     cases[_i].look);
    ck_assert_int_eq(has_words(canvas, "Try "), cases[_i].attempt);
    canvas_free(canvas);
}

static int rows_at(int columns, int rows)
{
    struct canvas *canvas = canvas_new(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
    const int taken = panel_rows(&session, canvas, (struct area){0, 0, rows, columns});
    canvas_free(canvas);
    return taken;
}

/* The panel is as high as its text, and the picture always keeps ten rows, or all but one. */
TEST(the_picture_has_what_the_text_leaves)
{
    for (int rows = 9; rows < 80; rows++)
        for (int columns = 60; columns < 220; columns += 20) {
            fake_begin(&session, 0);
            ck_assert(rows_at(columns, rows) >= 1);
            ck_assert(rows - rows_at(columns, rows) >= (rows > 10 ? 10 : rows - 1));
            fake.panel.text = "Short.";
            fake.panel.look = fake.panel.attempt = NULL;
            ck_assert(rows_at(columns, rows) <= 3);
        }
    fake.panel.open = false;
    ck_assert_int_eq(rows_at(80, 24), 0);
}

/* Whole on any screen but the smallest, and cut with a sign there; never outside of its rows. */
TEST(text_is_whole_or_cut_with_a_sign, .times = 2)
{
    for (int rows = 12; rows < 62; rows += _i ? 5 : 1)
        for (int columns = 60; columns < 210; columns += 17) {
            fake_begin(&session, 1);
            session.state.look.presented = _i;
            session.still = rows % 2;
            struct canvas *canvas = drawn(columns, rows);
            bool whole = has_words(canvas, END_OF_TEXT), cut = has_words(canvas, "…");
            ck_assert_msg(whole || cut, "%d×%d", columns, rows);
            ck_assert_msg(whole || rows < 22, "%d×%d", columns, rows);
            canvas_free(canvas);
        }
}

static void draw_text(const char *text, struct canvas *canvas, int rows)
{
    fake_begin(&session, 2);
    fake.panel.text = text;
    panel_draw(&session, canvas, (struct area){0, 0, rows, canvas->columns});
}

/* As they are read: the panel's rows, from below the title. */
ROW_TEST(marks_are_drawn_or_stand_for_themselves, "panel_marks")
{
    struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    draw_text(row[0], canvas, 22);
    int y = 22 - rows_at(80, 22) + 1;
    const char *line = view_text(canvas, y, 2, 76);
    ck_assert_str_eq(line, row[1]);
    for (int x = 0; line[x]; x++) {
        const char *strong = row[2], *key = row[3];
        struct style style = canvas_at(canvas, y, 2 + x)->style;
        bool in_strong = *strong && line + x >= strstr(line, strong) &&
                         line + x < strstr(line, strong) + strlen(strong);
        bool in_key =
            *key && line + x >= strstr(line, key) && line + x < strstr(line, key) + strlen(key);
        if (line[x] != ' ' && (in_strong || in_key))
            ck_assert(style.bold && style.fore.role == (in_key ? ROLE_TITLE : ROLE_STRONG));
        else if (line[x] != ' ' && !strstr(row[0], "*two"))
            ck_assert(!style.bold && style.fore.role == ROLE_TEXT);
    }
    canvas_free(canvas);
}

TEST(keys_in_the_text_can_be_clicked)
{
    fake_begin(&session, 1);
    fake.panel.text = "Press `↑↓`, `Esc`, `# p` or `0-9`.";
    static const struct {
        const char *text;
        uint32_t key;
    } keys[] = {{"↑", KEY_CODE_UP},
                {"↓", KEY_CODE_DOWN},
                {"Esc,", KEY_CODE_ESCAPE},
                {"# p", '#'},
                {"p or", 'p'}};
    for (int i = 0; i < COUNT(keys); i++) {
        struct hit hit = hit_on(keys[i].text, 80, 24);
        ck_assert_msg(hit.place[0] == HIT_KEY && hit.value[0] == keys[i].key, "%s", keys[i].text);
    }
    ck_assert_uint_eq(hit_on("0-9", 80, 24).place[0], HIT_NOTHING);
    ck_assert_uint_eq(hit_on("Press", 80, 24).place[0], HIT_NOTHING);
    type("/"); /* where they would be typed */
    ck_assert_uint_eq(hit_on("# p", 80, 24).place[0], HIT_NOTHING);
}

/* Wide letters, marks, right to left, words longer than a row, and bytes that are no text. */
TEST(any_text_stays_inside, .times = 12)
{
    static const char *const texts[] = {
        "日本語の長い文章は単語の間に空白がないので、どこでも行を分けることができる。日本語の長い文"
        "章は単語の間に"
        "空白がないので、どこでも行を分けることができる。",
        "שלום עולם *שלום עולם* `Esc` שלום עולם שלום עולם שלום עולם שלום עולם שלום עולם שלום עולם",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaa b",
        "e\u0301e\u0301 \x1b[31m \xff\xfe `\xff` * ** *` \u202e `` \n\n x",
        "",
        " \n ",
    };
    static const enum glyph_set sets[] = {GLYPHS_BRAILLE, GLYPHS_ASCII};
    const char *text = texts[_i / 2];
    for (int columns = 60; columns < 130; columns += 7)
        for (int rows = 9; rows < 40; rows += 3) {
            struct canvas *canvas =
                canvas_new(columns, rows + 2, (struct traits){sets[_i % 2], false});
            ck_assert_ptr_nonnull(canvas);
            draw_text(text, canvas, rows);
            int taken = panel_rows(&session, canvas, (struct area){0, 0, rows, columns});
            ck_assert_str_eq(words_between(canvas, 0, rows - taken), "");
            ck_assert_str_eq(words_between(canvas, rows, rows + 2), "");
            for (int y = taken > 1 ? rows - taken + 1 : rows; y < rows; y++)
                ck_assert_str_eq(view_text(canvas, y, columns - 2, 2), "");
            canvas_free(canvas);
        }
}

/* Nothing is lost where a word without blanks is broken. */
TEST(a_long_word_is_broken)
{
    char word[201] = "";
    memset(word, 'a', 200);
    struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    draw_text(word, canvas, 21);
    ck_assert_uint_eq(strlen(view_text(canvas, 18, 2, 78)), 76);
    ck_assert_uint_eq(strlen(view_text(canvas, 19, 2, 78)), 76);
    ck_assert_uint_eq(strlen(view_text(canvas, 20, 2, 78)), 48);
    canvas_free(canvas);
}
