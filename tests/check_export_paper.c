/* Figures for a paper (--bare): whole, tight, and in type of the size that was asked for. */
#include "markup_helpers.h"
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_sample.h"

#include "headlight/base/file.h"
#include "headlight/export/export.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN (3.3 * 72)
#define PAGE   (6.9 * 72)

static struct checkpoint checkpoint;
static struct folder folder;
static struct error error;
static char *svg;

static void open_texts(const char *first, const char *second)
{
    session_anew_on_texts(&checkpoint, NULL, first, second);
    session.data.survey = sample_survey(3, 4, SAMPLE_ALL);
    session.state.look.theme = theme_number("light");
}

static void begin(void)
{
    folder_make(&folder);
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    open_texts("time flies like an arrow", NULL);
}

static void end(void)
{
    free(svg);
    svg = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
    sample_end();
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

static void show(enum state_field field, const char *value)
{
    const char *values[FIELD_COUNT] = {NULL};
    values[field] = value;
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
    assert_ok(request_rest(&session, &error), error);
}

static enum status draw(const struct paper *paper)
{
    const struct output output = {.session = &session, .depth = DEPTH_DIRECT, .paper = paper};
    char *path = in_folder(&folder, "figure.svg");
    size_t size;
    enum status status = export_file(&output, FORMAT_SVG, path, &error);
    free(svg);
    svg = NULL;
    if (status == STATUS_OK)
        assert_ok(file_read(path, (size_t)1 << 20, &svg, &size, &error), error);
    free(path);
    return status;
}

/* The number behind a name, `name="12.5"`. */
static double number(const char *text, const char *name)
{
    char full[32];
    snprintf(full, sizeof full, " %s=\"", name);
    const char *at = strstr(text, full);
    ck_assert_msg(at != NULL, "%s in %.200s", name, text);
    return strtod(at + strlen(full), NULL);
}

static const struct {
    const char *view, *second;
    double page_font; /* what fits into a column of 3.3in */
} views[] = {{"head", NULL, 8},    {"matrix", NULL, 8},
             {"model", NULL, 8},   {"compare", "an arrow flies", 7},
             {"answers", NULL, 7}, {"corpus", NULL, 8},
             {"neuron", NULL, 8},  {"steps", NULL, 7}};

/* ---- Size ---- */

struct box {
    double left, top, right, bottom;
};

static void widen(struct box *box, double x, double y, double width, double height)
{
    box->left = fmin(box->left, x);
    box->top = fmin(box->top, y);
    box->right = fmax(box->right, x + width);
    box->bottom = fmax(box->bottom, y + height);
}

/* Of grounds, texts and fields; signs stand among them. Texts begin above their baseline. */
static struct box drawn_box(void)
{
    struct box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    const char *grounds = strstr(svg, "<g transform=\"scale(5 10)\""),
               *end = strstr(grounds, "</g>");
    double x, y, across, down;
    for (const char *at = grounds; (at = strchr(at, 'M')) && at < end; at++)
        if (sscanf(at, "M%lf %lfh%lfv%lf", &x, &y, &across, &down) == 4)
            widen(&box, 5 * x, 10 * y, 5 * across, 10 * down);
    for (const char *at = svg; (at = strstr(at, "<text x")); at++) {
        const double width = number(at, "textLength");
        const char *anchor = strstr(at, " text-anchor=\"middle\"");
        const bool middle = anchor && anchor < strchr(at, '>');
        widen(&box, number(at, "x") - middle * width / 2, number(at, "y") - 15, width, 20);
    }
    for (const char *at = svg; (at = strstr(at, "<text transform")); at++) {
        ck_assert_int_eq(sscanf(at, "<text transform=\"translate(%lf %lf)", &x, &y), 2);
        widen(&box, x - 16, y - 10, 20, 10); /* from its first letter on */
    }
    for (const char *at = svg; (at = strstr(at, "<svg x=")); at++)
        widen(&box, number(at, "x"), number(at, "y"), number(at, "width"), number(at, "height"));
    return box;
}

/* In both widths: nothing lies outside, no side is more than a cell away from what is drawn, and
 * the type has its size. */
TEST(it_is_tight_and_its_type_has_its_size, .times = (COUNT(views)))
{
    const double widths[] = {COLUMN, PAGE};
    open_texts(_i == 4 ? "time flies" : "time flies like an arrow", views[_i].second);
    show(FIELD_VIEW, views[_i].view);
    for (int i = 0; i < 2; i++) {
        const struct paper paper = {.width = widths[i], .font_size = views[_i].page_font};
        assert_ok(draw(&paper), error);
        markup_check(svg);
        struct box all;
        ck_assert_int_eq(sscanf(strstr(svg, "viewBox"), "viewBox=\"%lf %lf %lf %lf\"", &all.left,
                                &all.top, &all.right, &all.bottom),
                         4);
        const double pixel = number(svg, "width") / all.right;
        all.right += all.left;
        all.bottom += all.top;
        const struct box box = drawn_box();
        ck_assert_double_le(all.left, box.left);
        ck_assert_double_le(all.top, box.top);
        ck_assert_double_ge(all.right, box.right);
        ck_assert_double_ge(all.bottom, box.bottom);
        ck_assert_double_le(box.left - all.left, 10);
        ck_assert_double_le(box.top - all.top, 20);
        ck_assert_double_le(all.right - box.right, 20); /* or a bar's end, which is a sign */
        ck_assert_double_le(all.bottom - box.bottom, 20);
        ck_assert_double_le(number(svg, "width"), widths[i]);
        ck_assert_double_eq_tol(number(svg, "font-size") * pixel, paper.font_size, 0.01);
        ck_assert_ptr_nonnull(strstr(svg, "pt\" height="));
    }
}

/* ---- What it shows ---- */

/* Every token stands there whole, level or turned; nothing is cut, nothing is a screen's, and the
 * ground is left to the paper. */
TEST(nothing_is_cut, .times = (COUNT(views)))
{
    static const char *const tokens[] = {"[CLS]", "time", "flies", "like", "an", "arrow", "[SEP]"};
    const struct paper paper = {.width = _i == 4 ? PAGE : COLUMN, .font_size = 7};
    open_texts("time flies like an arrow", views[_i].second);
    show(FIELD_VIEW, views[_i].view);
    assert_ok(draw(&paper), error);
    for (size_t i = 0; i < 7 && _i != 2 && _i != 5; i++) { /* pictures of all heads have no words */
        if (_i == 4 && tokens[i][0] == '[')
            continue; /* where no model was trained to say words */
        char text[32];
        snprintf(text, sizeof text, ">%s</text>", tokens[i]);
        ck_assert_msg(strstr(svg, text) != NULL, "%s: no %s", views[_i].view, tokens[i]);
    }
    assert_lacks(svg, "…");
    assert_lacks(svg, "▸");
    assert_lacks(svg, "headlight</text>");
    assert_lacks(svg, "<rect");
}

/* Digits beside the tokens have their columns. */
TEST(lines_have_their_numbers)
{
    const struct paper paper = {.width = COLUMN, .font_size = 8};
    open_texts("time flies", NULL);
    show(FIELD_VIEW, "head");
    show(FIELD_NUMBERS, "on");
    assert_ok(draw(&paper), error);
    struct edge edge;
    const struct scene scene = session_scene(&session);
    ck_assert(scene_current_edge(&scene, &edge));
    ck_assert_ptr_nonnull(strstr(svg, scene_number(&scene, &edge).text));
}

TEST(axes_and_scales_have_names, .times = (COUNT(views)))
{
    static const char *const parts[][3] = {
        {">query<", ">key<", ">weight<"},  {">query<", ">key<", ">weight<"},
        {">layer<", ">head<", ">weight<"}, {">query<", ">key<", ">layer<"},
        {">layer<", ">blue<", ">[MASK]<"}, {">layer<", ">head<", ">share<"},
        {">softmax<", ">×<", ">bold:<"},   {">scores<", ">blue<", ">weights<"}};
    const struct paper paper = {.width = PAGE, .font_size = 8};
    open_texts(_i == 4 ? "time [MASK] like" : "time flies like an arrow", views[_i].second);
    show(FIELD_VIEW, views[_i].view);
    assert_ok(draw(&paper), error);
    for (int i = 0; i < 3; i++)
        assert_has(svg, parts[_i][i]);
}

/* Too narrow a column is refused with the width that suffices, and no less does. */
TEST(what_is_too_wide_says_how_wide_it_is)
{
    struct paper paper = {.width = 72, .font_size = 8};
    open_texts("time flies like an arrow", "fruit flies like a banana");
    show(FIELD_VIEW, "matrix");
    assert_fails(draw(&paper), STATUS_USAGE, "--width 1.00in is too narrow", error);
    paper.width = 72 * strtod(strstr(error.message, "needs ") + 6, NULL);
    assert_ok(draw(&paper), error);
    paper.width -= 5;
    assert_fails(draw(&paper), STATUS_USAGE, "is too narrow: at 8pt this figure needs ", error);
}

/* Of what a model says, words and tags have a figure. */
TEST(answers_that_make_none_are_named)
{
    const struct paper paper = {.width = PAGE, .font_size = 8};
    checkpoint_close(&checkpoint);
    assert_ok(checkpoint_open(&checkpoint, "tests/vectors/heads/seq-bert", NULL, NULL, &error),
              error);
    open_texts("the cat", NULL);
    show(FIELD_VIEW, "answers");
    assert_fails(draw(&paper), STATUS_USAGE,
                 "--bare: expected words or tags for answers, found classes", error);
}

/* Greys alone, as shades, not as signs that stand for them; of a map with signs these are said. */
TEST(print_is_grey)
{
    const struct paper paper = {.width = COLUMN, .font_size = 8};
    session.state.look.theme = theme_number("print");
    show(FIELD_VIEW, "matrix");
    show(FIELD_MAP, "scores");
    assert_ok(draw(&paper), error);
    for (const char *at = svg; (at = strstr(at, "=\"#")); at++)
        ck_assert_msg(strncmp(at + 3, at + 5, 2) == 0 && strncmp(at + 5, at + 7, 2) == 0, "%.9s",
                      at + 2);
    assert_has(svg, ">scores<");
    ck_assert(strstr(svg, ">-") && strstr(svg, ">+"));
    assert_lacks(svg, "▒");
}

/* Neither a presentation nor a list beside the view changes a figure. */
TEST(it_is_no_screen)
{
    const struct paper paper = {.width = PAGE, .font_size = 8};
    assert_ok(draw(&paper), error);
    char *plain = strdup(svg);
    session.state.look.presented = session.state.look.listed = true;
    assert_ok(draw(&paper), error);
    ck_assert(strcmp(svg, plain) == 0);
    free(plain);
}

/* Where rsvg-convert is there: the line that the manual gives, and a page of that size. */
TEST(a_pdf_is_as_large)
{
    const struct paper paper = {.width = COLUMN, .font_size = 8};
    char command[512];
    if (system("command -v rsvg-convert > /dev/null") != 0)
        return;
    show(FIELD_VIEW, "matrix");
    assert_ok(draw(&paper), error);
    snprintf(command, sizeof command,
             "cd '%s' && rsvg-convert -f pdf -o figure.pdf figure.svg && "
             "grep -aq 'MediaBox \\[ 0 0 %.4g' figure.pdf && rm figure.pdf",
             folder.path, number(svg, "width"));
    ck_assert_int_eq(system(command), 0);
}

/* Heads have their colours at full strength, which the legend has too. */
TEST(lines_have_the_colours_of_the_legend)
{
    const struct paper paper = {.width = COLUMN, .font_size = 8};
    show(FIELD_HEADS, "0,1");
    assert_ok(draw(&paper), error);
    assert_has(svg, "stroke=\"#1509ff\"");
    assert_has(svg, "fill=\"#1509ff\"");
    assert_has(svg, "stroke=\"#e87500\"");
    assert_lacks(svg, "#3852f8");
    assert_lacks(svg, "stroke-opacity=\"0");
}

/* In a typeface of its own widths text keeps its letters, and is held where it stood. */
TEST(another_typeface_is_not_stretched)
{
    const struct paper paper = {.width = COLUMN, .font_size = 8, .font = "Times & Co"};
    show(FIELD_VIEW, "matrix");
    assert_ok(draw(&paper), error);
    markup_check(svg);
    assert_has(svg, "font-family=\"'Times &amp; Co', 'DejaVu");
    assert_has(svg, " text-anchor=\"end\">flies</text>");
    assert_has(svg, " text-anchor=\"middle\"");
    assert_lacks(svg, "textLength");
}
