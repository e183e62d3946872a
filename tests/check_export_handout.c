/* A lesson as a page with pictures. */
#include "lesson_helpers.h"
#include "markup_helpers.h"
#include "rows.h"
#include "suites.h"

#include "headlight/base/file.h"
#include "headlight/export/handout.h"
#include "headlight/lesson/player.h"
#include "headlight/tensor/thread_pool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct page_option lesson[] = {{"lesson", "lines"}, {NULL, NULL}};
static const struct page_option made_by[] = {
    {"lesson", "./my lesson's <1>.md"}, {"ascii", NULL}, {"snapshot", ""}, {NULL, NULL}};

static const struct page_step plain = {
    .panel = {.title = "One head", .text = "Each line."},
    .picture = "step-1.svg",
    .alternative = "One head: time flies",
    .width = 1000,
    .height = 480,
    .note = "",
};

/* A page of one step. */
static char *page_of(const struct page_step *step, size_t theme)
{
    const struct lesson heads = {
        .title = "Heads & <tails>", .about = "Learn \"it\".", .minutes = 1, .count = 1};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(stream);
    page_begin(stream, &heads, theme_at(theme));
    page_step(stream, step);
    page_end(stream, "tiny & small", lesson, made_by);
    ck_assert_int_eq(fclose(stream), 0);
    ck_assert_uint_eq(strlen(text), length);
    markup_check(text);
    markup_check_characters(text);
    return text;
}

static void assert_page(const struct page_step *step, const char *part)
{
    char *page = page_of(step, 0);
    assert_has(page, part);
    free(page);
}

static void assert_written(const char *text, const char *part)
{
    struct page_step step = plain;
    step.panel.text = text;
    assert_page(&step, part);
}

/* ---- The page ---- */

TEST(a_page_says_what_the_lesson_does)
{
    struct page_step step = plain;
    step.panel.look = "at it";
    step.panel.attempt = "this\nthen that";
    step.note = "no layer <12>";
    char *page = page_of(&step, 0);
    assert_has(page, "<title>Heads &amp; &lt;tails&gt;</title>");
    assert_has(page, "<h1 dir=\"auto\">Heads &amp; &lt;tails&gt;</h1>\n"
                     "<p dir=\"auto\">Learn &quot;it&quot;.</p>\n"
                     "<p class=\"aside\">1 minute, 1 step</p>");
    assert_has(page, "<section id=\"step-1\">\n<h2>1. <bdi>One head</bdi></h2>\n"
                     "<figure><img src=\"step-1.svg\" width=\"1000\" height=\"480\" "
                     "alt=\"One head: time flies\"/></figure>\n<p dir=\"auto\">Each line.</p>\n"
                     "<dl>\n<dt>Look:</dt>\n<dd dir=\"auto\">at it</dd>\n"
                     "<dt>Try:</dt>\n<dd dir=\"auto\">this</dd>\n"
                     "<dd dir=\"auto\">then that</dd>\n</dl>\n"
                     "<p class=\"aside\">no layer &lt;12&gt;</p>\n</section>");
    assert_has(page, "the model <code><bdi>tiny &amp; small</bdi></code>");
    assert_has(page, "<code>headlight --lesson lines</code>");
    assert_has(page, "<code>headlight --lesson './my lesson'\\''s &lt;1&gt;.md' --ascii --snapshot "
                     "''</code>");
    free(page);
}

TEST(what_a_step_does_not_say_is_left_out)
{
    struct page_step step = plain;
    step.panel.look = "";
    char *page = page_of(&step, 0);
    assert_lacks(page, "<dl>");
    assert_lacks(page, "<dt>");
    ck_assert_uint_eq(count_of(page, "\"aside\""), 1);
    free(page);
    step.panel.text = "";
    assert_page(&step, "</figure>\n</section>");
}

TEST(a_page_loads_pictures_alone)
{
    char *page = page_of(&plain, 0);
    ck_assert_int_eq(strncmp(page, "<!DOCTYPE html>\n<html ", 22), 0);
    assert_has(page, " lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    assert_has(page, "content=\"default-src 'none'; img-src 'self' file:; "
                     "style-src 'unsafe-inline'\"");
    ck_assert_uint_eq(count_of(page, "src="), 1);
    assert_lacks(page, "<script");
    assert_lacks(page, "href");
    assert_lacks(page, "url(");
    assert_lacks(page, "@import");
    free(page);
}

/* The pictures' ground is the page's: a switch of the reader's leaves both. */
TEST(a_page_takes_the_colours_of_its_pictures)
{
    char *dark = page_of(&plain, theme_number("dark"));
    char *light = page_of(&plain, theme_number("light"));
    assert_has(dark, "background: #121212; color: #dadada; color-scheme: dark;");
    assert_has(light, "background: #ffffff; color: #1c1c1c; color-scheme: light;");
    assert_lacks(light, "prefers-color-scheme");
    free(dark);
    free(light);
}

/* ---- Text ---- */

ROW_TEST(marks_are_emphasis_and_keys, "handout_marks")
{
    assert_written(row[0], row[1]);
}

ROW_TEST(a_text_cannot_leave_its_place, "handout_text")
{
    assert_written(row[0], row[1]);
}

TEST(names_cannot_leave_their_attributes)
{
    struct page_step step = plain;
    step.alternative = "\"/><b>&";
    assert_page(&step, "alt=\"&quot;/&gt;&lt;b&gt;&amp;\"/>");
    step = plain;
    step.panel.title = "</h2> & \x07";
    assert_page(&step, "<h2>1. <bdi>&lt;/h2&gt; &amp; ^G</bdi></h2>");
}

/* ---- The whole ---- */

#define STEPS 4 /* of SMALL_LESSON */

static struct lesson *small;
static struct folder folder;
static struct error error;

static void begin(void)
{
    begin_learner();
    folder_make(&folder);
    small = read_lesson(SMALL_LESSON);
    learner.state.look.theme = theme_number(HANDOUT_THEME);
}

static void end(void)
{
    lesson_free(small);
    folder_remove(&folder);
    end_learner();
}

static const struct fixture whole_tests = {.begin = begin, .end = end};

static char *read_from(const char *path, const char *name)
{
    char *file = path_join(path, name), *text;
    size_t length;
    assert_ok(file_read(file, 1 << 24, &text, &length, &error), error);
    ck_assert_uint_eq(strlen(text), length);
    free(file);
    return text;
}

static void name_picture(size_t step, char name[32])
{
    snprintf(name, 32, "step-%zu.svg", step + 1);
}

static void write_small(const char *path)
{
    const struct handout handout = {small, "small", NULL, {.session = &learner}};
    assert_ok(handout_write(&handout, path, &error), error);
}

/* Removes what a handout of so many steps is. */
static void remove_handout(const char *path, size_t steps)
{
    char name[32];
    for (size_t i = 0; i <= steps; i++) {
        name_picture(i, name);
        char *file = path_join(path, i < steps ? name : "index.html");
        ck_assert_int_eq(unlink(file), 0);
        free(file);
    }
    ck_assert_int_eq(rmdir(path), 0);
}

/* Every number that a step's text has is what the player says, and stands on the page. */
TEST(a_page_says_what_the_player_says, .with = &whole_tests)
{
    struct player player;
    write_small(folder.path);
    char *page = read_from(folder.path, "index.html"), part[512];
    markup_check(page);
    markup_check_characters(page);
    ck_assert_uint_eq(count_of(page, "<section "), STEPS);
    assert_ok(player_begin(&player, small, &learner, &error), error);
    for (size_t i = 1; i < STEPS; i++) { /* the first has marks */
        assert_ok(player_show(&player, i, &error), error);
        assert_lacks(player.panel.text, "{");
        for (const char *at = player.panel.text; *at;) {
            size_t length = strcspn(at, "\n");
            snprintf(part, sizeof part, "<p dir=\"auto\">%.*s</p>", (int)length, at);
            assert_has(page, part);
            at += length + (at[length] == '\n');
        }
    }
    player_end(&player);
    assert_has(page, "<em><bdi>time</bdi></em> gives <em><bdi>flies</bdi></em> 0.");
    assert_has(page, "<dt>Try:</dt>\n<dd dir=\"auto\"><kbd><bdi>↓</bdi></kbd> chooses a token.");
    assert_has(page, "<dt>Look:</dt>\n<dd dir=\"auto\">at the lines.</dd>");
    free(page);
}

/* As large as the page says, of what it says, in its own sentence, without the lesson's text. */
TEST(every_picture_is_there, .with = &whole_tests)
{
    char name[32], part[256];
    write_small(folder.path);
    char *page = read_from(folder.path, "index.html");
    ck_assert_uint_eq(count_of(page, "<img "), STEPS);
    for (size_t i = 0; i < STEPS; i++) {
        name_picture(i, name);
        char *svg = read_from(folder.path, name);
        markup_check(svg);
        markup_check_characters(svg);
        assert_has(svg, "width=\"1000\" height=\"560\"");
        assert_has(svg, i < 3 ? ">arrow<" : ">[MASK]<");
        assert_has(svg, i < 3 ? ">Head<" : ">Answers<");
        assert_lacks(svg, "quit");
        assert_lacks(svg, "Space");
        snprintf(part, sizeof part,
                 "<img src=\"%s\" width=\"1000\" height=\"560\" alt=\"%s: ", name,
                 small->steps[i].title);
        assert_has(page, part);
        free(svg);
    }
    assert_has(page, "alt=\"One head: “time flies like an arrow” in the head view, layer 3: ");
    assert_has(page, "alt=\"A pair: “the cat sat” and “it slept” in the answers view, layer ");
    free(page);
}

TEST(the_same_lesson_gives_the_same_bytes, .with = &whole_tests)
{
    char *once = in_folder(&folder, "once"), *again = in_folder(&folder, "again"), name[32];
    pool_set_size(1);
    write_small(once);
    char *before[STEPS + 1];
    for (size_t i = 0; i <= STEPS; i++) {
        name_picture(i, name);
        before[i] = read_from(once, i < STEPS ? name : "index.html");
    }
    pool_set_size(2);
    write_small(again);
    write_small(once);
    for (size_t i = 0; i <= STEPS; i++) {
        name_picture(i, name);
        char *now = read_from(once, i < STEPS ? name : "index.html");
        char *there = read_from(again, i < STEPS ? name : "index.html");
        ck_assert_str_eq(before[i], now);
        if (i < STEPS)
            ck_assert_str_eq(before[i], there);
        free(before[i]);
        free(now);
        free(there);
    }
    remove_handout(once, STEPS);
    remove_handout(again, STEPS);
    free(once);
    free(again);
}

TEST(what_was_asked_for_is_drawn_and_told, .with = &whole_tests)
{
    const char *const values[FIELD_COUNT] = {[FIELD_THEME] = "dark", [FIELD_NUMBERS] = "on"};
    const struct handout handout = {
        small,
        "my own.md",
        values,
        {.session = &learner, .columns = 80, .rows = 24, .ascii = true, .lines = LINES_BRAILLE}};
    learner.state.look.theme = theme_number("dark");
    assert_ok(handout_write(&handout, folder.path, &error), error);
    char *page = read_from(folder.path, "index.html"), *svg = read_from(folder.path, "step-1.svg");
    assert_has(page, "background: #121212;");
    assert_has(page, "width=\"800\" height=\"480\"");
    assert_has(svg, "width=\"800\" height=\"480\"");
    assert_has(svg, "fill=\"#121212\"");
    assert_has(page, "<code>headlight --lesson 'my own.md'</code>");
    assert_has(page, "<code>headlight --lesson 'my own.md' --numbers --theme dark --size 80x24 "
                     "--ascii --lines braille --snapshot ");
    assert_lacks(page, folder.path); /* but for its name */
    free(page);
    free(svg);
}

/* A step that asks for a layer that there isn't is shown without it, and says so. */
TEST(what_does_not_suit_the_model_is_said, .with = &whole_tests)
{
    struct lesson *lacking =
        read_lesson("# A\n\nLearn.\n\n1 minutes\n\n## B\n\n`--layer 99 \"time flies\"`\n\nText.\n");
    const struct handout handout = {lacking, "lacking", NULL, {.session = &learner}};
    assert_ok(handout_write(&handout, folder.path, &error), error);
    char *page = read_from(folder.path, "index.html");
    assert_has(page, "1 minute, 1 step<");
    assert_has(page, "<p class=\"aside\">--layer");
    free(page);
    lesson_free(lacking);
}

/* Nothing of it appears, then. */
TEST(a_handout_that_cannot_be_written_says_why, .with = &whole_tests)
{
    const struct handout handout = {small, "small", NULL, {.session = &learner}};
    char *file = in_folder(&folder, "file"), *deep = in_folder(&folder, "a/b");
    const struct folder full = folder_below(&folder, "full");
    char *blocked = in_folder(&full, "step-2.svg");
    folder_write(&folder, "file", "", 0);
    assert_fails(handout_write(&handout, file, &error), STATUS_IO, "found a file", error);
    assert_fails(handout_write(&handout, deep, &error), STATUS_IO, "no folder ", error);
    ck_assert_int_eq(mkdir(full.path, 0777), 0);
    ck_assert_int_eq(mkdir(blocked, 0777), 0);
    assert_fails(handout_write(&handout, full.path, &error), STATUS_IO, blocked, error);
    ck_assert_int_eq(folder_count(&full), 1);
    ck_assert_int_eq(rmdir(blocked), 0);
    folder_remove(&full);
    free(file);
    free(deep);
    free(blocked);
}
