/* check_view_headline.c: what is read from afar of a head that is presented. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/view/head_legend.h"

#include <string.h>

static struct session session;

static void begin(void)
{
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.presented = true;
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

static bool is_block(const char *text)
{
    return strcmp(text, "█") == 0 || strcmp(text, "▀") == 0 || strcmp(text, "▄") == 0;
}

/* The rows that have a part of a large letter. */
static int letter_rows(struct canvas *canvas)
{
    int count = 0;
    for (int y = 0; y < canvas->rows; y++) {
        bool found = false;
        for (int x = 0; x < canvas->columns; x++)
            found |= is_block(canvas_at(canvas, y, x)->text);
        count += found;
    }
    return count;
}

static struct canvas *draw(int columns, int rows, enum glyph_set glyphs)
{
    struct canvas *canvas = canvas_new(columns, rows, (struct traits){glyphs, false});
    ck_assert_ptr_nonnull(canvas);
    head_headline_draw(scene_of(&session), canvas, canvas_area(canvas));
    return canvas;
}

static const char *text_of(const struct canvas *canvas, int y)
{
    const char *text = view_text(canvas, y, 0, canvas->columns);
    return text + strspn(text, " ");
}

/* Digits are seven half rows high. */
TEST(letters_are_as_large_as_there_is_room_for)
{
    static const struct {
        int columns, rows, high;
    } cases[] = {{80, 24, 4}, {120, 40, 7}, {200, 60, 11}, {80, 60, 4}, {120, 24, 4}};
    session.state.look.from = 4; /* an → an */
    session.state.look.to = 4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct canvas *canvas = draw(cases[i].columns, cases[i].rows, GLYPHS_BRAILLE);
        int above = canvas->rows - head_headline_rows(canvas, canvas_area(canvas));
        ck_assert_msg(letter_rows(canvas) == cases[i].high, "%d×%d: %d", cases[i].columns,
                      cases[i].rows, letter_rows(canvas));
        for (int y = 0; y <= above; y++)
            ck_assert_str_eq(text_of(canvas, y), "");
        canvas_free(canvas);
    }
}

/* Without room, in ASCII, and for a letter that has no shape. */
TEST(else_it_is_a_bold_line)
{
    static const char *const labels[] = {"na\xC3\xAFve", "word"};
    static const struct {
        int columns, rows;
        enum glyph_set glyphs;
        const char *said;
    } cases[] = {{80, 12, GLYPHS_BRAILLE, "na\xC3\xAFve → word  "},
                 {80, 24, GLYPHS_ASCII, "na\\u{ef}ve > word  "},
                 {80, 24, GLYPHS_BRAILLE, "na\xC3\xAFve → word  "}};
    end();
    session = synthetic_session(labels, 2, 2, 1, 1);
    session.state.look.from = 0;
    session.state.look.to = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct canvas *canvas = draw(cases[i].columns, cases[i].rows, cases[i].glyphs);
        int found = 0;
        for (int y = 0; y < canvas->rows; y++)
            found += strncmp(text_of(canvas, y), cases[i].said, strlen(cases[i].said)) == 0;
        ck_assert_msg(found == 1, "%s", cases[i].said);
        ck_assert_int_eq(letter_rows(canvas), 0);
        canvas_free(canvas);
    }
}

/* The legend ends where the place begins, which says what the picture is of. */
TEST(the_last_line_says_what_it_is_of)
{
    static const struct {
        enum mean mean;
        uint64_t heads;
        const char *place;
    } cases[] = {
        {MEAN_NONE, 15, "layer 0 · head 2"},
        {MEAN_HEADS, 15, "layer 0 · mean of 4 heads"},
        {MEAN_LAYERS, 4, "all layers · mean of 1 head"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct look look = session.state.look;
        look.head = 2;
        look.heads = cases[i].heads;
        look.averaged = cases[i].mean;
        ck_assert(session_show(&session, &look));
        struct canvas *narrow = draw(63, 24, GLYPHS_BRAILLE), *wide = draw(90, 24, GLYPHS_BRAILLE);
        ck_assert_ptr_null(strstr(text_of(narrow, 23), "thicker"));
        ck_assert_ptr_nonnull(strstr(text_of(narrow, 23), cases[i].place));
        ck_assert_ptr_nonnull(strstr(text_of(wide, 23), "left: who attends   right: to what"));
        ck_assert_ptr_nonnull(strstr(text_of(wide, 23), "   thicker: more   "));
        ck_assert_ptr_nonnull(strstr(text_of(wide, 23), cases[i].place));
        canvas_free(narrow);
        canvas_free(wide);
    }
}

/* The letters name a pair; what the head does on the whole stands below, as far as there is room
 * for all of it. */
TEST(the_last_line_says_what_the_head_does)
{
    float *weights = session.data.encoded->trace->layer[0].weights;
    memset(weights, 0, (size_t)13 * 13 * sizeof *weights);
    for (size_t from = 0; from < 13; from++)
        weights[from * 13 + (from > 0 ? from - 1 : 0)] = 1;
    struct canvas *wide = draw(120, 24, GLYPHS_BRAILLE), *narrow = draw(50, 24, GLYPHS_BRAILLE);
    ck_assert_ptr_nonnull(
        strstr(text_of(wide, 23), "Looks at the word before (1.000)   left: who attends   "));
    ck_assert_ptr_null(strstr(text_of(narrow, 23), "Looks"));
    canvas_free(wide);
    canvas_free(narrow);
}

TEST(nothing_to_say_is_said)
{
    struct look look = session.state.look;
    look.heads = 0;
    look.averaged = MEAN_HEADS;
    ck_assert(session_show(&session, &look));
    struct canvas *canvas = draw(80, 24, GLYPHS_BRAILLE);
    int found = 0;
    for (int y = 0; y < 24; y++)
        found += strstr(text_of(canvas, y), "no head is on: a turns all of them on") != NULL;
    ck_assert_int_eq(found, 1);
    canvas_free(canvas);
}

/* Few lines, and each attending token has one; the pair that is named has the hue. */
TEST(a_presented_head_has_a_line_for_each_token)
{
    struct scene scene = *scene_of(&session);
    struct edge edge;
    struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    struct error error;
    ck_assert_ptr_nonnull(canvas);
    canvas->curves = true;
    ck_assert_int_eq(draw_head(&scene, canvas, canvas_area(canvas), &error), STATUS_OK);
    ck_assert_uint_eq(canvas->field_count, 1);
    ck_assert_uint_ge(canvas->fields[0].count, 13);
    ck_assert_uint_le(canvas->fields[0].count, 13 + 6);
    for (size_t i = 0; i < canvas->fields[0].count; i++)
        ck_assert(canvas->fields[0].strokes[i].width >= 0.4F);
    ck_assert(scene_current_edge(&scene, &edge));
    size_t coloured = 0;
    for (int i = 0; i < 120 * 29; i++) /* above the headline */
        coloured += canvas->cells[i].style.bold &&
                    canvas->cells[i].style.fore.role == ROLE_HUE + edge.head &&
                    strcmp(canvas->cells[i].text, " ") != 0;
    ck_assert_uint_eq(coloured, strlen(scene_label(&scene, SIDE_LEFT, edge.from)) +
                                    strlen(scene_label(&scene, SIDE_RIGHT, edge.to)));
    canvas_free(canvas);
}

/* More than the heaviest, however light that is, only where labels are bright: from 0.05 on. */
TEST(a_chosen_token_has_few_lines)
{
    static const struct {
        float first, others;
        size_t lines;
    } cases[] = {{0.9F, 0.04F, 1}, {0.02F, 0.01F, 1}, {0.1F, 0.06F, 4}};
    struct scene scene = *scene_of(&session);
    struct error error;
    scene.look.from = 3;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
        float *row = session.data.encoded->trace->layer[0].weights + (size_t)3 * 13;
        ck_assert_ptr_nonnull(canvas);
        canvas->curves = true;
        for (size_t to = 0; to < 13; to++)
            row[to] = to == 0 ? cases[i].first : cases[i].others;
        ck_assert_int_eq(draw_head(&scene, canvas, canvas_area(canvas), &error), STATUS_OK);
        ck_assert_uint_eq(canvas->field_count, 1);
        ck_assert_uint_eq(canvas->fields[0].count, cases[i].lines);
        canvas_free(canvas);
    }
}
