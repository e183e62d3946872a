/* The line of numbers, with labels of all widths. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/view/sentence.h"

#include <string.h>

#define LONGEST 70

static char left[LONGEST + 1], right[LONGEST + 1];

/* The line of a pair that alone has a weight, in 74 columns, two of them left free at each side. */
static const char *line_of(struct session *session, const struct edge *edge)
{
    static char line[512];
    struct canvas *canvas = canvas_new(74, 1, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    struct pen pen = {canvas, 0, 2, 72};
    struct trace *trace = session->data.encoded->trace;
    struct edge found;
    memset(trace->layer[0].weights, 0,
           trace->tokens * trace->attended * sizeof *trace->layer[0].weights);
    trace->layer[0].weights[edge->from * trace->attended + edge->to] = edge->weight / 1000.0F;
    ck_assert(caption_edge(scene_of(session), &pen, &found));
    ck_assert_uint_eq(found.from, edge->from);
    ck_assert_uint_eq(found.to, edge->to);
    ck_assert_int_le(pen.x, 72);
    ck_assert_str_eq(view_text(canvas, 0, 72, 2), "");
    strcpy(line, view_text(canvas, 0, 0, 74));
    canvas_free(canvas);
    return line;
}

static bool ends_with(const char *text, const char *part)
{
    size_t length = strlen(text), size = strlen(part);
    return length >= size && strcmp(text + length - size, part) == 0;
}

TEST(the_weight_is_never_cut)
{
    const char *const labels[] = {left, right};
    for (size_t i = 1; i <= LONGEST; i++)
        for (size_t j = 1; j <= LONGEST; j++) {
            memset(left, 'l', i);
            memset(right, 'r', j);
            left[i] = right[j] = '\0';
            struct session session = synthetic_session(labels, 2, 2, 1, 1);
            struct edge edge = {.from = 0, .to = 1, .weight = 447};
            session.state.look.from = (i + j) % 2 ? 0 : NO_TOKEN;
            const char *line = line_of(&session, &edge);
            ck_assert_msg(ends_with(line, "   0.447   head 0.0"), "%zu, %zu: \"%s\"", i, j, line);
            ck_assert_msg(strstr(line, " → r") != NULL, "%zu, %zu: \"%s\"", i, j, line);
            if (i + j <= 56 - 3 - 8) /* what has room is whole */
                ck_assert_msg(strstr(line, left) && strstr(line, right), "\"%s\"", line);
            session_end(&session);
        }
}

/* A short label leaves its room to a long one. */
TEST(only_the_longer_label_is_cut)
{
    static const char *const labels[] = {"a", "attention-seekingly-and-unnecessarily-long-label-of-"
                                              "a-token"};
    struct session session = synthetic_session(labels, 2, 2, 1, 1);
    session.state.look.from = 0;
    ck_assert_str_eq(line_of(&session, &(struct edge){.from = 0, .to = 1, .weight = 1000}),
                     "  a → attention-seekingly-and-unnecessarily-long-…   1.000   head 0.0");
    session.state.look.from = 1;
    ck_assert_str_eq(line_of(&session, &(struct edge){.from = 1, .to = 0, .weight = 5}),
                     "  attention-seekingly-and-unnecessarily-long-… → a   0.005   head 0.0");
    session_end(&session);
}

/* A token that occurs more than once is told by its place in the text. */
TEST(tokens_of_one_name_are_numbered)
{
    static const struct {
        size_t token;
        const char *name, *ascii;
    } names[] = {{1, "time", "time"},     {2, "flies₁", "flies#1"}, {9, "like₂", "like#2"},
                 {5, "arrow", "arrow"},   {6, "[SEP]", "[SEP]"},    {8, "flies₂", "flies#2"},
                 {12, "##nana", "##nana"}};
    struct session session = synthetic_session(synthetic_pair, 13, 7, 1, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct token_name name = scene_name(scene_of(&session), SIDE_LEFT, names[i].token, false);
        ck_assert_str_eq(name.text, names[i].name);
        name = scene_name(scene_of(&session), SIDE_RIGHT, names[i].token, true);
        ck_assert_str_eq(name.text, names[i].ascii);
    }
    session.state.look.from = 2;
    ck_assert_str_eq(line_of(&session, &(struct edge){.from = 2, .to = 8, .weight = 250}),
                     "  flies₁ → flies₂   0.250   head 0.0");
    session_end(&session);
}

TEST(more_than_nine_are_numbered_and_long_names_keep_their_number)
{
    const char *labels[12];
    char longest[900];
    for (size_t i = 0; i < 12; i++)
        labels[i] = "a";
    struct session session = synthetic_session(labels, 12, 12, 1, 1);
    struct token_name name = scene_name(scene_of(&session), SIDE_LEFT, 11, false);
    ck_assert_str_eq(name.text, "a₁₂");
    session_end(&session);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    labels[0] = labels[1] = longest;
    session = synthetic_session(labels, 2, 2, 1, 1);
    name = scene_name(scene_of(&session), SIDE_LEFT, 1, true);
    ck_assert(ends_with(name.text, "xxx#2"));
    session_end(&session);
}
