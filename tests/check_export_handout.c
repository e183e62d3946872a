/* A lesson as a page with pictures. */
#include "markup_helpers.h"
#include "suites.h"

#include "headlight/export/handout_page.h"

#include <stdlib.h>
#include <string.h>

static const struct page_option lesson[] = {{"lesson", "lines"}, {NULL, NULL}};
static const struct page_option made_by[] = {
    {"lesson", "./my lesson's <1>.md"}, {"ascii", NULL}, {"snapshot", ""}, {NULL, NULL}};

static const struct page_step plain = {
    .number = 1,
    .title = "One head",
    .picture = "step-1.svg",
    .shows = "One head: time flies",
    .width = 1000,
    .height = 480,
    .text = "Each line.",
    .note = "",
};

/* A page of one step. */
static char *page_of(const struct page_step *step, size_t theme)
{
    const struct page_head head = {"Heads & <tails>", "Learn \"it\".", 1, 1, theme_at(theme)};
    const struct page_made made = {"tiny & small", lesson, made_by};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(stream);
    page_begin(stream, &head);
    page_step(stream, step);
    page_end(stream, &made);
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

static void assert_text(const char *text, const char *part)
{
    struct page_step step = plain;
    step.text = text;
    assert_page(&step, part);
}

/* ---- The page ---- */

START_TEST(a_page_says_what_the_lesson_does)
{
    struct page_step step = plain;
    step.look = "at it";
    step.attempt = "this\nthen that";
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
END_TEST

START_TEST(what_a_step_does_not_say_is_left_out)
{
    struct page_step step = plain;
    step.look = "";
    char *page = page_of(&step, 0);
    assert_lacks(page, "<dl>");
    assert_lacks(page, "<dt>");
    ck_assert_uint_eq(count_of(page, "\"aside\""), 1);
    free(page);
    step.text = "";
    assert_page(&step, "</figure>\n</section>");
}
END_TEST

START_TEST(a_page_loads_pictures_alone)
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
END_TEST

/* The pictures' ground is the page's: a switch of the reader's leaves both. */
START_TEST(a_page_takes_the_colours_of_its_pictures)
{
    char *dark = page_of(&plain, theme_number("dark"));
    char *light = page_of(&plain, theme_number("light"));
    assert_has(dark, "background: #121212; color: #dadada; color-scheme: dark;");
    assert_has(light, "background: #ffffff; color: #1c1c1c; color-scheme: light;");
    assert_lacks(light, "prefers-color-scheme");
    free(dark);
    free(light);
}
END_TEST

/* ---- Text ---- */

START_TEST(marks_are_emphasis_and_keys)
{
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"*time* flies", "<p dir=\"auto\"><em><bdi>time</bdi></em> flies</p>"},
        {"press `Tab`.", "press <kbd><bdi>Tab</bdi></kbd>.</p>"},
        {"*so `a*b`* it", "<em><bdi>so `a</bdi></em>b`* it</p>"},
        {"*use `Tab`*", "<em><bdi>use <kbd><bdi>Tab</bdi></kbd></bdi></em></p>"},
        {"`a*b` *c*", "<kbd><bdi>a*b</bdi></kbd> <em><bdi>c</bdi></em></p>"},
        {"2 * 3 * 4", "2 * 3 * 4</p>"},
        {"a * is *one", "a * is *one</p>"},
        {"** and ``", "** and ``</p>"},
        {"ends `", "ends `</p>"},
        {"*a*b*c*", "<em><bdi>a</bdi></em>b<em><bdi>c</bdi></em></p>"},
        {"*one\nand* two", "<p dir=\"auto\">*one</p>\n<p dir=\"auto\">and* two</p>"},
        {"one\n\n\ntwo\n", "<p dir=\"auto\">one</p>\n<p dir=\"auto\">two</p>\n</section>"},
    };
    assert_text(cases[_i].text, cases[_i].written);
}
END_TEST

START_TEST(a_text_cannot_leave_its_place)
{
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"R&D </p><script>alert('\"')</script>",
         "R&amp;D &lt;/p&gt;&lt;script&gt;alert('&quot;')&lt;/script&gt;</p>"},
        {"`<b>` *&amp;*", "<kbd><bdi>&lt;b&gt;</bdi></kbd> <em><bdi>&amp;amp;</bdi></em>"},
        {"*\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D* 0.4",
         "<em><bdi>\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D</bdi></em> 0.4"},
        {"a\x1B[31m\xE2\x80\xAE", "a^[[31m\\u{202e}</p>"},
        {"\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC*\xE2\x80\x8D*",
         "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC<em><bdi>\\u{200d}</bdi></em>"},
    };
    assert_text(cases[_i].text, cases[_i].written);
}
END_TEST

START_TEST(names_cannot_leave_their_attributes)
{
    struct page_step step = plain;
    step.shows = "\"/><b>&";
    assert_page(&step, "alt=\"&quot;/&gt;&lt;b&gt;&amp;\"/>");
    step = plain;
    step.title = "</h2> & \x07";
    assert_page(&step, "<h2>1. <bdi>&lt;/h2&gt; &amp; ^G</bdi></h2>");
}
END_TEST

Suite *suite_export_handout(void)
{
    Suite *suite = suite_create("export_handout");
    TCase *tests = tcase_create("page");
    tcase_add_test(tests, a_page_says_what_the_lesson_does);
    tcase_add_test(tests, what_a_step_does_not_say_is_left_out);
    tcase_add_test(tests, a_page_loads_pictures_alone);
    tcase_add_test(tests, a_page_takes_the_colours_of_its_pictures);
    tcase_add_loop_test(tests, marks_are_emphasis_and_keys, 0, 12);
    tcase_add_loop_test(tests, a_text_cannot_leave_its_place, 0, 5);
    tcase_add_test(tests, names_cannot_leave_their_attributes);
    suite_add_tcase(suite, tests);
    return suite;
}
