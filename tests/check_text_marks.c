/* Text with marks: what is emphasised, what are keys, and what stands for itself. */
#include "headlight/text/marks.h"
#include "rows.h"
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

ROW_TEST(marks_are_read, "marks")
{
    ck_assert_str_eq(told(row[0], "\n"), row[1]);
}

TEST(runs_end_where_words_do)
{
    ck_assert_str_eq(told("a *b c*d `e f`", " \n"), "a|<b>|<c>d|[e]|[f]");
    ck_assert_str_eq(told("2 * 3\n*x*", " \n"), "2|*|3|<x>");
}
