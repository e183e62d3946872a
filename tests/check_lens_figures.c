/* The table of what can be asked of a trace, and the page that explains it to authors of lessons.
 */
#include "suites.h"
#include "synthetic.h"

#include "headlight/base/file.h"
#include "headlight/lens/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE       "assets/docs/lessons.md"
#define BYTES_MOST ((size_t)1 << 20)

TEST(the_page_has_every_row)
{
    char *page, row[400];
    size_t length;
    struct error error;
    ck_assert_int_eq(file_read(PAGE, BYTES_MOST, &page, &length, &error), STATUS_OK);
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        const struct figure_info *info = &figure_infos[(enum figure)i];
        snprintf(row, sizeof row, "\n| `%s%s%s` | %s |\n", info->name, *info->arguments ? " " : "",
                 info->arguments, info->meaning);
        ck_assert_msg(strstr(page, row), "%s has no line%s", PAGE, row);
    }
    free(page);
}

/* Of several pieces a weight is summed up to them and averaged from them; a score is the mean. */
TEST(pieces_are_summed_or_averaged)
{
    struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    const struct trace *trace = session.data.trace;
    const struct figure_at at = {
        .trace = trace, .layer = 1, .head = 2, .from = {3, 5}, .to = {7, 9}};
    double weights = 0, scores = 0;
    for (size_t from = 3; from < 5; from++)
        for (size_t to = 7; to < 9; to++) {
            weights += (double)trace_weight(trace, 1, 2, from, to);
            scores += (double)trace_score(trace, 1, 2, from, to);
        }
    ck_assert_double_eq_tol(figure_ask(FIGURE_weight, &at), weights / 2, 1e-12);
    ck_assert_double_eq_tol(figure_ask(FIGURE_score, &at), scores / 4, 1e-12);
    ck_assert_double_eq(figure_ask(FIGURE_tokens, &at), 13);
    ck_assert_double_eq(figure_ask(FIGURE_last, &at), 1);
    session_end(&session);
}

TEST(words_have_probabilities_and_ranks)
{
    const struct figure_at at = {.logprob = log(0.25), .rank = 2};
    ck_assert_double_eq_tol(figure_ask(FIGURE_p, &at), 0.25, 1e-12);
    ck_assert_double_eq(figure_ask(FIGURE_rank, &at), 2);
}

TEST(what_is_not_there_is_no_number)
{
    struct session session = synthetic_session(synthetic_pair, 13, 13, 4, 8);
    struct trace trace = *session.data.trace;
    const struct figure_at at = {
        .trace = &trace, .side = &session.data.encoded->sides[SIDE_LEFT], .layer = 7, .to = {1, 2}};
    trace.dimensions = 0;
    ck_assert(isnan(figure_ask(FIGURE_next, &at))); /* there is one sentence */
    ck_assert(isnan(figure_ask(FIGURE_cosine, &at)));
    ck_assert(isnan(figure_ask(FIGURE_dimensions, &at)));
    session_end(&session);
}

TEST(numbers_are_printed_as_a_sentence_says_them)
{
    static const struct {
        enum figure_form form;
        double number;
        const char *text;
    } cases[] = {
        {FIGURE_WHOLE, 12, "12"},          {FIGURE_WHOLE, -0.0, "0"},
        {FIGURE_DECIMAL, -1.236, "-1.24"}, {FIGURE_DECIMAL, -0.004, "0.00"},
        {FIGURE_DECIMAL, -0.04, "-0.04"},  {FIGURE_SHARE, 0.4181, "0.418"},
        {FIGURE_SHARE, 0.0006, "0.001"},   {FIGURE_SHARE, 0.0004, "under 0.001"},
        {FIGURE_SHARE, 0, "0.000"},
    };
    char text[32];
    for (int i = 0; i < COUNT(cases); i++) {
        figure_print(text, sizeof text, cases[i].form, cases[i].number);
        ck_assert_str_eq(text, cases[i].text);
    }
}
