/* Text with marks: what is emphasised, what are keys, and what stands for itself. */
#include "headlight/text/marks.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

static char all[512];

static void tell(const char *text, size_t length)
{
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%.*s", (int)length, text);
}

/* A text as its runs say it: <letters> where they are strong, [letters] where they are keys, |
 * where it stops. */
static const char *told(const char *text, const char *stops)
{
    struct marks marks = {.next = text};
    struct marked_run run, last = {0};
    for (all[0] = '\0'; *marks.next; marks.next += *marks.next != '\0') {
        while (marks_next(&marks, stops, &run)) {
            ck_assert_uint_gt(run.length, 0);
            tell("]", last.key && !run.key);
            tell(run.strong ? "<" : ">", run.strong != last.strong);
            tell("[", run.key && !last.key);
            tell(run.text, run.length);
            last = run;
        }
        tell("]", last.key);
        tell(">", last.strong);
        tell("|", *marks.next != '\0');
        last = (struct marked_run){0};
    }
    return all;
}

TEST(marks_are_read)
{
    static const struct {
        const char *text, *told;
    } texts[] = {
        {"", ""},
        {"plain", "plain"},
        {"a *b* c", "a <b> c"},
        {"*b*", "<b>"},
        {"*b c*d", "<b c>d"},
        {"a*b*c", "a<b>c"},
        {"`x` y", "[x] y"},
        {"`x``y`", "[xy]"},
        {"*use `Tab` now*", "<use [Tab] now>"},

        {"2 * 3", "2 * 3"}, /* what marks nothing */
        {"2 * 3 * 4", "2 * 3 * 4"},
        {"*2 * 3*", "<2 * 3>"},
        {"2* 3", "2* 3"},
        {"a *b c", "a *b c"},
        {"a *b *c", "a *b *c"},
        {"a `b c", "a `b c"},
        {"``", "``"},
        {"**", "**"},
        {"***", "***"},
        {"a*", "a*"},
        {"*", "*"},
        {"`", "`"},

        {"`*` and `*`", "[*] and [*]"}, /* keys are keys */
        {"`{` `}`", "[{] [}]"},
        {"*so `a*b`* it", "<so [a*b]> it"},
        {"*a `*` b", "*a [*] b"},

        {"*a\nb*", "*a|b*"}, /* a line by itself */
        {"`a\nb`", "`a|b`"},
        {"*a*\n`b`", "<a>|[b]"},
    };
    for (int i = 0; i < COUNT(texts); i++)
        ck_assert_str_eq(told(texts[i].text, "\n"), texts[i].told);
}

TEST(runs_end_where_words_do)
{
    ck_assert_str_eq(told("a *b c*d `e f`", " \n"), "a|<b>|<c>d|[e]|[f]");
    ck_assert_str_eq(told("2 * 3\n*x*", " \n"), "2|*|3|<x>");
}
