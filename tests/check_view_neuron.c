/* The neuron view, read off the canvas: headings say where a column is, labels where a row is, and
 * what stands there is compared with the trace. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/draw/bands.h"
#include "headlight/lens/dimensions.h"
#include "headlight/session/click.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYER 1
#define HEAD  2
#define T     10
#define QUERY 3

static const char *const letters[T] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
static const struct traits colour = {GLYPHS_BRAILLE, false};

static struct session session;
static struct trace *trace;
static struct layer_trace *layer;
static struct canvas *canvas;

static void begin(size_t dimensions)
{
    session = synthetic_session(letters, T, T, 4, dimensions);
    ck_assert_ptr_nonnull(session.data.encoded);
    trace = session.data.encoded->trace;
    layer = &trace->layer[LAYER];
    session.state.look.view = VIEW_NEURON;
    session.state.look.layer = LAYER;
    session.state.look.head = HEAD;
    session.state.look.from = QUERY;
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
}

static void draw_with(int columns, int rows, struct traits traits)
{
    struct error error;
    canvas_free(canvas);
    canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(draw_neuron(scene_of(&session), canvas, canvas_area(canvas), &error),
                     STATUS_OK);
}

static void draw(int columns, int rows)
{
    draw_with(columns, rows, colour);
}

static const char *row_text(int y)
{
    static char text[4096];
    text[0] = '\0';
    for (int x = 0; x < canvas->columns; x++)
        strcat(text, canvas_at(canvas, y, x)->text);
    return text;
}

static bool row_has(int y, const char *text)
{
    return strstr(row_text(y), text) != NULL;
}

static void assert_row_has(int y, const char *text)
{
    ck_assert_msg(row_has(y, text), "row %d: no \"%s\" in \"%s\"", y, text, row_text(y));
}

/* The column where a text begins on a row; -1 when it doesn't stand there. */
static int column_of(int y, const char *text)
{
    const char *row = row_text(y), *found = strstr(row, text);
    int x = 0;
    for (const char *at = row; found && at < found; x++)
        at += strlen(canvas_at(canvas, y, x)->text);
    return found ? x : -1;
}

/* What stands first on a row but for the mark. */
static const char *label_of(int y)
{
    static char label[32];
    const char *row = row_text(y), *mark = strstr(row, "▸");
    label[0] = '\0';
    sscanf(mark ? mark + strlen("▸") : row, " %31s", label);
    return label;
}

static int row_of(const char *label)
{
    for (int y = 2; y < canvas->rows - 1; y++)
        if (strcmp(label_of(y), label) == 0)
            return y;
    ck_abort_msg("no row of \"%s\"", label);
}

static bool on_screen(const char *text)
{
    for (int y = 0; y < canvas->rows; y++)
        if (row_has(y, text))
            return true;
    return false;
}

static float *weight(size_t to)
{
    return &layer->weights[(HEAD * trace->tokens + QUERY) * trace->attended + to];
}

/* A row of weights that sum to 1, with a light, a lighter and a heavy one. */
static void set_weights(void)
{
    for (size_t to = 0; to < T; to++)
        *weight(to) = 0.0625F;
    *weight(5) = 0.498F;
    *weight(6) = 0.0004F;
    *weight(7) = 0.0016F;
}

static struct attending attending(void)
{
    return (struct attending){trace, LAYER, HEAD, QUERY};
}

/* ---- Columns ---- */

static void assert_in_order(int y, const char *const *headings, size_t count)
{
    int before = -1;
    for (size_t i = 0; i < count; i++) {
        int x = column_of(y, headings[i]);
        ck_assert_msg(x > before, "\"%s\" in \"%s\"", headings[i], row_text(y));
        before = x;
    }
}

START_TEST(all_columns_stand_in_order)
{
    static const char *const headings[] = {"query q", "key k",   "q × k", "q·k/√32",
                                           "softmax", "value v", "a × v"};
    begin(32);
    draw(200, 60);
    assert_in_order(0, headings, 7);
    ck_assert(on_screen("Σ"));
    session.state.look.valued = true; /* says nothing where all is shown */
    draw(200, 60);
    assert_in_order(0, headings, 7);
    end();
}
END_TEST

START_TEST(narrow_screens_show_one_side)
{
    static const char *const keys[] = {"query q", "key k", "q × k", "q·k/√32", "softmax"};
    static const char *const values[] = {"softmax", "value v", "a × v"};
    static const int columns[] = {80, 120};
    begin(32);
    for (size_t i = 0; i < 2; i++) {
        session.state.look.valued = false;
        draw(columns[i], 30);
        assert_in_order(0, keys, 5);
        ck_assert(!row_has(0, "v") && !on_screen("Σ"));
        session.state.look.valued = true;
        draw(columns[i], 30);
        assert_in_order(0, values, 3);
        ck_assert(!row_has(0, "q") && !row_has(0, "k") && on_screen("Σ"));
    }
    end();
}
END_TEST

/* Two bands of 64 dimensions and the weight on 80 columns, with every dimension in sight. */
START_TEST(sixty_four_dimensions_fit_on_80_columns)
{
    begin(64);
    set_weights();
    for (int valued = 0; valued < 2; valued++) {
        session.state.look.valued = valued;
        draw(80, 24);
        ck_assert(!on_screen("of 64"));
        int y = row_of("f"), cells = 0;
        for (int x = 0; x < 80; x++)
            cells += strcmp(canvas_at(canvas, y, x)->text, "▌") == 0;
        ck_assert_int_eq(cells, 64);
        assert_row_has(y, "0.498");
    }
    end();
}
END_TEST

/* ---- Bands ---- */

/* The inks of a band of one dimension a cell under a heading. */
static void assert_band(int y, const char *heading, const float *values, size_t count,
                        struct band_scale scale)
{
    int x = column_of(0, heading);
    ck_assert_int_ge(x, 0);
    for (size_t d = 0; d < count; d++) {
        struct ink ink = bands_ink(values[d], scale);
        struct ink drawn = canvas_at(canvas, y, x + (int)d)->style.fore;
        ck_assert_msg(drawn.level == ink.level && (ink.level == 0 || drawn.role == ink.role),
                      "%s, dimension %zu: %d instead of %d", heading, d, drawn.level, ink.level);
    }
}

static float largest_of(const float *values, size_t count, float so_far)
{
    for (size_t d = 0; d < count; d++)
        so_far = fmaxf(so_far, fabsf(values[d]));
    return so_far;
}

static struct band_scale tanh_of(float unit)
{
    return (struct band_scale){.dim = 1, .unit = unit};
}

static struct band_scale up_to(float largest)
{
    return (struct band_scale){.largest = largest, .dim = 1};
}

START_TEST(bands_are_those_of_the_trace)
{
    float product[32], weighted[32];
    begin(32);
    const float *context = layer->context + QUERY * trace->hidden + HEAD * 32;
    draw(200, 60);
    struct attending at = attending();
    for (size_t key = 0; key < T; key++) {
        int y = row_of(letters[key]);
        dimensions_product(&at, key, product);
        dimensions_weighted(&at, key, weighted);
        assert_band(y, "key k", dimensions_key(&at, key), 32, tanh_of(4));
        assert_band(y, "q × k", product, 32, tanh_of(4));
        assert_band(y, "value v", dimensions_value(&at, key), 32, tanh_of(1));
        assert_band(y, "a × v", weighted, 32, tanh_of(0.25F));
    }
    assert_band(row_of(letters[QUERY]), "query q", dimensions_query(&at), 32, tanh_of(4));
    assert_band(row_of("context"), "a × v", context, 32, tanh_of(0.25F));
    end();
}
END_TEST

/* Scaled to the largest, q, k and q×k share one scale, a×v and its sum another, v has its own. */
START_TEST(largest_values_scale_the_bands)
{
    float product[32], weighted[32], context[32], keys = 0, values = 0, most = 0;
    begin(32);
    for (size_t token = 0; token < T; token++)
        for (size_t d = 0; d < 32; d++)
            heads_row(&layer->value, HEAD, token)[d] /= 64;
    struct attending at = attending();
    for (size_t key = 0; key < T; key++) {
        struct attending other = {trace, LAYER, HEAD, key};
        dimensions_product(&at, key, product);
        keys = largest_of(product, 32, keys);
        keys = largest_of(dimensions_key(&at, key), 32, keys);
        keys = largest_of(dimensions_query(&other), 32, keys);
        values = largest_of(dimensions_value(&at, key), 32, values);
        dimensions_weighted(&at, key, weighted);
        most = largest_of(weighted, 32, most);
    }
    dimensions_context(&at, context);
    most = largest_of(context, 32, most);
    ck_assert_float_gt(keys, 50 * values);
    session.state.look.scale_largest = true;
    draw(200, 60);
    dimensions_product(&at, 4, product);
    dimensions_weighted(&at, 4, weighted);
    assert_band(row_of("e"), "key k", dimensions_key(&at, 4), 32, up_to(keys));
    assert_band(row_of("e"), "q × k", product, 32, up_to(keys));
    assert_band(row_of("e"), "value v", dimensions_value(&at, 4), 32, up_to(values));
    assert_band(row_of("e"), "a × v", weighted, 32, up_to(most));
    end();
}
END_TEST

/* ---- Numbers ---- */

START_TEST(scores_and_weights_are_those_of_the_trace)
{
    char expected[64];
    begin(32);
    set_weights();
    layer->scores[(HEAD * T + QUERY) * T + 8] = -INFINITY;
    draw(120, 40);
    for (size_t key = 0; key < T; key++) {
        int y = row_of(letters[key]);
        snprintf(expected, sizeof expected, "%+.2f",
                 (double)trace_score(trace, LAYER, HEAD, 3, key));
        assert_row_has(y, key == 8 ? "masked" : expected);
        snprintf(expected, sizeof expected, "  %.3f  ", (double)*weight(key));
        assert_row_has(y, expected);
    }
    assert_row_has(row_of("g"), " 0.000 ");
    assert_row_has(row_of("h"), " 0.002 ");
    ck_assert(canvas_at(canvas, row_of("f"), column_of(row_of("f"), "0.498"))->style.bold);
    ck_assert(!canvas_at(canvas, row_of("g"), column_of(row_of("g"), "0.000"))->style.bold);
    end();
}
END_TEST

START_TEST(the_line_reads_out_a_dimension)
{
    char expected[200];
    begin(32);
    set_weights();
    session.state.look.dimension = 12;
    double q = (double)heads_row(&layer->query, HEAD, QUERY)[12];
    double k = (double)heads_row(&layer->key, HEAD, 5)[12];
    double v = (double)heads_row(&layer->value, HEAD, 5)[12], sum = 0;
    for (size_t key = 0; key < T; key++)
        sum += (double)*weight(key) * (double)heads_row(&layer->value, HEAD, key)[12];
    snprintf(expected, sizeof expected, "d → f   score %+.2f   dim 12  q×k %+.2f = %+.2f × %+.2f",
             (double)trace_score(trace, LAYER, HEAD, QUERY, 5), q * k, q, k);
    draw(80, 24);
    assert_row_has(23, expected);
    session.state.look.valued = true;
    snprintf(expected, sizeof expected, "dim 12  a×v %+.2f = 0.498 × %+.2f  Σ %+.2f",
             (double)*weight(5) * v, v, sum);
    draw(80, 24);
    assert_row_has(23, expected);
    draw(200, 60);
    assert_row_has(59, strstr(expected, "a×v"));
    assert_row_has(59, "dim 12  q×k");
    session.state.look.dimension = 32; /* another head's, longer one's */
    draw(80, 24);
    ck_assert(!row_has(23, "dim"));
    end();
}
END_TEST

/* A mark over the dimension in every band, at the same place in each. */
START_TEST(the_dimension_is_marked_above_the_bands)
{
    static const char *const headings[] = {"query q", "key k", "q × k", "value v", "a × v"};
    begin(32);
    session.state.look.dimension = 17;
    draw(200, 60);
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(canvas_at(canvas, 1, column_of(0, headings[i]) + 17)->text, "▾");
    end();
    begin(256);
    session.state.look.dimension = 200; /* a window that follows */
    draw(80, 24);
    ck_assert(row_has(2, "▾"));
    ck_assert(row_has(1, "of 256"));
    end();
}
END_TEST

/* ---- Clicks ---- */

START_TEST(clicks_above_a_band_enter_it)
{
    begin(64);
    for (int valued = 0; valued < 2; valued++) {
        session.state.look.valued = valued;
        session.state.look.dimension = NO_TOKEN;
        draw(80, 24);
        const char *heading = valued ? "a × v" : "q × k";
        int x = column_of(0, heading), marks = valued ? 1 : 2;
        for (int cell = 0; cell < 32; cell++)
            for (int y = 0; y <= marks; y++) {
                struct hit hit = canvas_hit(canvas, y, x + cell);
                ck_assert_int_eq(hit.kind, HIT_DIMENSION);
                ck_assert_uint_eq(hit.value, 2 * (size_t)cell);
            }
        ck_assert_int_eq(canvas_hit(canvas, marks + 1, x).kind, HIT_TO);
        ck_assert_uint_eq(session_click(&session, canvas_hit(canvas, marks, x + 9)),
                          SESSION_REDRAW);
        ck_assert_uint_eq(session.state.look.dimension, 18);
        draw(80, 24);
        session_click(&session, canvas_hit(canvas, marks, x + 9)); /* the other one of the cell */
        ck_assert_uint_eq(session.state.look.dimension, 19);
    }
    end();
}
END_TEST

/* ---- The list ---- */

/* Reads a row of the panel: the dimension and its three numbers. */
static bool read_list_row(int y, int x, size_t *dimension, double numbers[3])
{
    char text[64] = "";
    for (int i = 0; i < 24; i++)
        strcat(text, canvas_at(canvas, y, x + i)->text);
    return sscanf(text, "%3zu %lf %lf %lf", dimension, &numbers[0], &numbers[1], &numbers[2]) == 4;
}

/* A session whose list shows 32 dimensions of the pair d → e, in rows 2 to 33 from column *x on. */
static void draw_list(bool valued, int *x)
{
    begin(32);
    set_weights();
    session.state.look.to = 4;
    session.state.look.side = SIDE_RIGHT;
    session.state.look.valued = valued;
    session.state.look.listed = true;
    session.state.look.dimension = 7;
    draw(120, 60);
    *x = column_of(1, "dim");
    ck_assert_int_ge(*x, 80);
    ck_assert_int_eq(column_of(0, "d → e"), *x);
}

START_TEST(dimensions_are_listed_by_what_they_add)
{
    bool valued = _i, seen[32] = {false};
    float right[32], sum[32];
    double before = INFINITY, numbers[3];
    size_t d;
    int x;
    draw_list(valued, &x);
    struct attending at = attending();
    dimensions_context(&at, sum);
    const float *left = valued ? dimensions_value(&at, 4) : dimensions_query(&at);
    const float *middle = valued ? sum : dimensions_key(&at, 4);
    if (valued)
        dimensions_weighted(&at, 4, right);
    else
        dimensions_product(&at, 4, right);
    for (int y = 2; y < 34; y++) {
        ck_assert_msg(read_list_row(y, x, &d, numbers), "%s", row_text(y));
        ck_assert_uint_lt(d, 32);
        ck_assert(!seen[d]);
        seen[d] = true;
        ck_assert_double_eq_tol(numbers[0], (double)left[d], 0.006);
        ck_assert_double_eq_tol(numbers[1], (double)middle[d], 0.006);
        ck_assert_double_eq_tol(numbers[2], (double)right[d], 0.006);
        ck_assert_double_le(fabs((double)right[d]), before);
        before = fabs((double)right[d]);
        struct cell *cell = canvas_at(canvas, y, x + 2);
        ck_assert_int_eq(cell->style.back.role == ROLE_CURSOR, d == 7);
        ck_assert_int_eq(canvas_hit(canvas, y, x).kind, HIT_DIMENSION);
        ck_assert_uint_eq(canvas_hit(canvas, y, x).value, d);
    }
    end();
}
END_TEST

/* Below the list stands what it comes to: a score, or the lengths of the vectors. */
START_TEST(a_list_ends_in_what_it_comes_to)
{
    char expected[40];
    double norm = 0;
    int x;
    draw_list(false, &x);
    double score = (double)trace_score(trace, LAYER, HEAD, QUERY, 4);
    snprintf(expected, sizeof expected, "%+.2f", score * sqrt(32));
    expected[strlen(expected) - 1] = '\0'; /* the score was rounded to a float */
    assert_row_has(34, "sum");
    ck_assert_msg(strstr(row_text(34) + x, expected) != NULL, "%s", row_text(34));
    snprintf(expected, sizeof expected, "%+.2f", score);
    assert_row_has(35, "score = sum/√32");
    ck_assert_msg(strstr(strstr(row_text(35), "√32"), expected) != NULL, "%s", row_text(35));
    end();
    draw_list(true, &x);
    for (size_t d = 0; d < 32; d++)
        norm += pow((double)*weight(4) * (double)heads_row(&layer->value, HEAD, 4)[d], 2);
    snprintf(expected, sizeof expected, " %.3f", sqrt(norm));
    assert_row_has(34, "length of the vectors");
    assert_row_has(35, expected);
    end();
}
END_TEST

/* What finds no room is counted; with it the column still adds up. */
START_TEST(a_short_list_says_how_many_more)
{
    begin(64);
    session.state.look.listed = true;
    draw(80, 22);
    int x = column_of(0, "d → "), y = 2;
    double numbers[3], sum = 0, rest = 0, total = 0;
    size_t d;
    for (; read_list_row(y, x, &d, numbers); y++)
        sum += numbers[2];
    ck_assert_int_eq(y, 17);
    assert_row_has(y, "49 more");
    ck_assert_int_eq(sscanf(row_text(y) + strcspn(row_text(y), "4"), "%*[^m]more %lf", &rest), 1);
    ck_assert_int_eq(sscanf(strstr(row_text(y + 1), "sum"), "sum %lf", &total), 1);
    ck_assert_double_eq_tol(sum + rest, total, 0.1);
    end();
}
END_TEST

/* ---- Recordings ---- */

START_TEST(missing_tensors_are_said_or_left_out)
{
    begin(32);
    struct layer_trace whole = *layer;
    layer->query.data = layer->key.data = NULL;
    session.state.look.listed = true;
    draw(80, 24);
    ck_assert(row_has(0, "value v") && !on_screen("recording")); /* what there is */
    layer->value.data = NULL;
    draw(80, 24);
    assert_row_has(11,
                   "this recording has no query and key in layer 1: the neuron view needs both");
    ck_assert(!on_screen("softmax") && !on_screen("score"));
    assert_row_has(23, "weight");
    *layer = whole;
    layer->key.data = layer->value.data = NULL;
    draw(80, 24);
    assert_row_has(11, "this recording has no key in layer 1");
    *layer = whole;
    layer->value.data = NULL;
    session.state.look.valued = true;
    draw(200, 60);
    ck_assert(row_has(0, "key k") && !row_has(0, "v") && !on_screen("Σ"));
    layer->key.data = NULL;
    draw(80, 24);
    assert_row_has(11, "this recording has no key in layer 1");
    *layer = whole;
    end();
}
END_TEST

START_TEST(scores_are_computed_where_they_are_missing)
{
    char expected[64];
    begin(32);
    float *scores = layer->scores;
    static const double factors[] = {1, 0.1767766952966369, 0.5}; /* of √D = √32 */
    static const char *const headings[] = {"q·k/√32", "q·k  ", "q·k/2.83"};
    for (int i = 0; i < 3; i++) {
        session.data.divisor = sqrt(32) * factors[i];
        layer->scores = NULL;
        draw(120, 40);
        layer->scores = scores;
        assert_row_has(0, headings[i]);
        for (size_t key = 0; key < T; key++) {
            double score = (double)trace_score(trace, LAYER, HEAD, QUERY, key);
            snprintf(expected, sizeof expected, "%+.1f", score / factors[i]);
            expected[strlen(expected) - 2] = '\0'; /* rounding may differ behind the point */
            assert_row_has(row_of(letters[key]), expected);
        }
    }
    end();
}
END_TEST

/* Few queries, ten keys of other names, four heads of 32 dimensions, zeros but for the weights. */
static void make_unequal(size_t queries)
{
    static const char *const names[] = {"Q", "R", "S", "U", "V", "W", "X"};
    struct token_side sides[] = {{queries, queries, names, NULL}, {T, T, letters, NULL}};
    struct config config = {.vocabulary = 10,
                            .hidden = 128,
                            .layers = 2,
                            .heads = 4,
                            .feed_forward = 4,
                            .positions = 100,
                            .segments = 2};
    struct encoded *encoded;
    struct error error;
    begin(32);
    struct look look = session.state.look;
    end();
    ck_assert_int_eq(trace_new(&config, T, false, false, 0, &trace, &error), STATUS_OK);
    trace->tokens = queries; /* its tensors have room for more */
    layer = &trace->layer[LAYER];
    ck_assert_int_eq(encoded_of_trace(trace, sides, &encoded, &error), STATUS_OK);
    encoded->trace_owned = true;
    session = (struct session){.state.look = look,
                               .data = {.model = "synthetic", .layers = 2, .head_count = 4}};
    session.state.look.from = session.state.look.to = NO_TOKEN;
    ck_assert_int_eq(session_take(&session, encoded, true, &error), STATUS_OK);
    for (size_t to = 0; to < T; to++)
        *weight(to) = to == 6 ? 0.75F : 0.0278F;
}

START_TEST(unequal_sides_show_the_chosen_query_above)
{
    make_unequal(5);
    session.state.look.from = QUERY;
    for (int valued = 0; valued < 2; valued++) {
        session.state.look.valued = valued;
        draw(80, 24);
        assert_row_has(1, "▸");
        ck_assert_str_eq(label_of(1), "U");
        ck_assert(!row_has(0, "query q "));
        ck_assert_int_eq(row_has(0, "query q, keys k"), !valued);
        for (size_t key = 0; key < T; key++) {
            struct hit hit = canvas_hit(canvas, row_of(letters[key]), 3);
            ck_assert_int_eq(hit.kind, HIT_TO);
            ck_assert_uint_eq(hit.value, key);
        }
        assert_row_has(row_of("g"), "0.750");
        assert_row_has(23, "U → g");
    }
    session.state.look.to = 8;
    session.state.look.side = SIDE_RIGHT;
    draw(200, 60);
    assert_row_has(59, "U → i");
    ck_assert(row_has(row_of("i"), "▸"));
    end();
    make_unequal(2); /* fewer queries than keys, a chosen key that is no query */
    session.state.look.to = 9;
    draw(80, 24);
    assert_row_has(23, "Q → j");
    end();
}
END_TEST

/* ---- Any size, any output ---- */

START_TEST(any_size_is_drawn_inside)
{
    static const size_t dimensions[] = {1, 2, 3, 16, 31, 32, 64, 65, 128, 255, 256};
    size_t D = dimensions[_i];
    for (int state = 0; state < 16; state++) {
        begin(D);
        if (state == 15) {
            end();
            make_unequal(7);
        }
        session.state.look.valued = state & 1;
        session.state.look.listed = state & 2;
        session.state.look.dimension = state & 4 ? D - 1 : NO_TOKEN;
        session.state.look.to = state & 8 ? 6 : NO_TOKEN;
        for (int columns = 60; columns <= 300; columns += columns < 130 ? 7 : 31)
            for (int rows = 9; rows <= 76; rows += rows < 24 ? 3 : 17)
                view_check_inside_as(draw_neuron, scene_of(&session), columns, rows, colour);
        end();
    }
}
END_TEST

START_TEST(plain_output_is_plain)
{
    begin(32);
    session.state.look.listed = true;
    session.state.look.dimension = 3;
    for (int valued = 0; valued < 2; valued++)
        for (int columns = 60; columns <= 240; columns += 45) {
            session.state.look.valued = valued;
            draw_with(columns, 40, (struct traits){GLYPHS_ASCII, false});
            for (int y = 0; y < 40; y++)
                for (int x = 0; x < columns; x++)
                    if (canvas_at(canvas, y, x)->text[0] < ' ')
                        ck_abort_msg("at %d,%d", y, x);
            draw_with(columns, 40, (struct traits){GLYPHS_BRAILLE, true});
            view_check_inside_as(draw_neuron, scene_of(&session), columns, 40,
                                 (struct traits){GLYPHS_BLOCKS, false});
        }
    session.state.look.valued = true;
    draw_with(120, 40, (struct traits){GLYPHS_ASCII, false});
    ck_assert(on_screen("context sum") && on_screen("a x v"));
    end();
}
END_TEST

/* ---- What is beside the rows ---- */

/* The legend's ramp between the two ends of a scale has the inks that bands have. */
static void assert_ramp(int y, const char *low, const char *high, float end,
                        struct band_scale scale)
{
    int x = column_of(y, low) + (int)text_width(low, false) + 1, stop = column_of(y, high) - 1;
    ck_assert_msg(x < stop, "no %s … %s in \"%s\"", low, high, row_text(y));
    for (int i = x; i < stop; i++) {
        float value = end * (float)(2 * (i - x) - (stop - x - 1)) / (float)(stop - x - 1);
        struct ink ink = bands_ink(value, scale), drawn = canvas_at(canvas, y, i)->style.fore;
        ck_assert_msg(drawn.level == ink.level && (ink.level == 0 || drawn.role == ink.role),
                      "%s … %s, cell %d", low, high, i - x);
    }
}

START_TEST(a_legend_tells_signs_and_strengths)
{
    begin(32);
    draw(80, 24);
    assert_ramp(22, "-8", "+8", 8, tanh_of(4));
    assert_row_has(22, "a stripe: one number");
    assert_row_has(22, "colour: sign");
    assert_row_has(22, "fuller: more");
    ck_assert_int_eq(canvas_at(canvas, 22, column_of(22, "-8"))->style.fore.role, ROLE_NEGATIVE);
    ck_assert_int_eq(canvas_at(canvas, 22, column_of(22, "+8"))->style.fore.role, ROLE_POSITIVE);
    session.state.look.valued = true;
    draw(80, 24);
    assert_ramp(22, "v  -2", "+2", 2, tanh_of(1));
    assert_ramp(22, "-0.5", "+0.5", 0.5F, tanh_of(0.25F));
    draw(200, 60);
    assert_ramp(58, "q, k, q × k  -8", "+8", 8, tanh_of(4));
    assert_row_has(58, "a × v  -0.5");
    draw_with(80, 24, (struct traits){GLYPHS_ASCII, false});
    ck_assert(!row_has(22, "colour"));
    end();
}
END_TEST

/* Scaled by the largest, the legend's end is that number. */
START_TEST(the_legend_names_the_largest_value)
{
    char high[24];
    float largest = 0;
    begin(32);
    session.state.look.scale_largest = true;
    session.state.look.valued = true;
    struct attending at = attending();
    for (size_t key = 0; key < T; key++)
        largest = largest_of(dimensions_value(&at, key), 32, largest);
    snprintf(high, sizeof high, "%+.3g", (double)largest);
    draw(80, 24);
    assert_row_has(22, high);
    end();
}
END_TEST

/* A pair's second sentence begins after a blank row where there is room for one; the other rows are
 * at an even pitch. */
START_TEST(sentences_are_marked_and_rows_even)
{
    for (int rows = 18; rows <= 60; rows++)
        for (int columns = 60; columns <= 200; columns += 35) {
            int before = -1, pitch = -1;
            session = synthetic_session(letters, T, 6, 4, 32);
            trace = session.data.encoded->trace;
            session.state.look.view = VIEW_NEURON;
            session.state.look.from = 2;
            draw(columns, rows);
            ck_assert_str_eq(label_of(row_of("A")), "A");
            int b = row_of("B"), last = -1;
            for (int y = 2; y < rows - 2; y++) {
                if (canvas_hit(canvas, y, 0).kind != HIT_FROM ||
                    (last >= 0 &&
                     canvas_hit(canvas, y, 0).value == canvas_hit(canvas, last, 0).value))
                    continue;
                last = y;
                if (before >= 0 && y != b)
                    ck_assert_msg(pitch < 0 || y - before == pitch, "row %d of %d", y, rows);
                pitch = before >= 0 && y != b ? y - before : pitch;
                if (y == b)
                    ck_assert_uint_eq(canvas_hit(canvas, y, 0).value, 6);
                if (y == b && rows >= 20)
                    ck_assert_msg(y - before == pitch + 1, "%d×%d", columns, rows);
                before = y;
            }
            end();
        }
}
END_TEST

#define MANY 40

/* How many tokens are above and below those on screen. */
START_TEST(tokens_outside_are_counted)
{
    const char *labels[MANY];
    for (size_t i = 0; i < MANY; i++)
        labels[i] = "token";
    for (int valued = 0; valued < 2; valued++)
        for (size_t from = 0; from < MANY; from += 13)
            for (int rows = 12; rows <= 36; rows += 12) {
                char text[40];
                size_t first = MANY, last = 0;
                session = synthetic_session(labels, MANY, MANY, 4, 32);
                session.state.look.view = VIEW_NEURON;
                session.state.look.from = from;
                session.state.look.valued = valued;
                draw(80, rows);
                for (int y = 2; y < rows - 2; y++) {
                    struct hit hit = canvas_hit(canvas, y, 1);
                    if (hit.kind != HIT_FROM)
                        continue;
                    first = hit.value < first ? hit.value : first;
                    last = hit.value;
                }
                snprintf(text, sizeof text, "↑ %zu ", first);
                ck_assert_msg(on_screen(text) == (first > 0), "%s", text);
                snprintf(text, sizeof text, "↓ %zu ", MANY - 1 - last);
                ck_assert_msg(on_screen(text) == (last < MANY - 1), "%s", text);
                end();
            }
    session = synthetic_session(synthetic_pair, 13, 7, 4, 32);
    session.state.look.view = VIEW_NEURON;
    draw(80, 12);
    ck_assert(on_screen("↓ 6 below"));
    end();
}
END_TEST

/* Where the bar is under the number, both begin in one column. */
START_TEST(a_bar_hangs_at_its_number)
{
    begin(32);
    set_weights();
    draw(200, 60);
    int y = row_of("f"), x = column_of(y, "0.498");
    ck_assert_str_eq(canvas_at(canvas, y + 1, x)->text, "█");
    ck_assert_str_eq(canvas_at(canvas, y + 1, x - 1)->text, " ");
    end();
}
END_TEST

Suite *suite_view_neuron(void)
{
    Suite *suite = suite_create("view/neuron");
    TCase *tests = tcase_create("neuron"), *slow = slow_case("sizes");
    tcase_set_timeout(slow, 120);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, all_columns_stand_in_order);
    tcase_add_test(tests, narrow_screens_show_one_side);
    tcase_add_test(tests, sixty_four_dimensions_fit_on_80_columns);
    tcase_add_test(tests, bands_are_those_of_the_trace);
    tcase_add_test(tests, largest_values_scale_the_bands);
    tcase_add_test(tests, scores_and_weights_are_those_of_the_trace);
    tcase_add_test(tests, the_line_reads_out_a_dimension);
    tcase_add_test(tests, the_dimension_is_marked_above_the_bands);
    tcase_add_test(tests, clicks_above_a_band_enter_it);
    tcase_add_loop_test(tests, dimensions_are_listed_by_what_they_add, 0, 2);
    tcase_add_test(tests, a_list_ends_in_what_it_comes_to);
    tcase_add_test(tests, a_short_list_says_how_many_more);
    tcase_add_test(tests, missing_tensors_are_said_or_left_out);
    tcase_add_test(tests, scores_are_computed_where_they_are_missing);
    tcase_add_test(tests, unequal_sides_show_the_chosen_query_above);
    tcase_add_loop_test(slow, any_size_is_drawn_inside, 0, 11);
    tcase_add_test(tests, plain_output_is_plain);
    tcase_add_test(tests, a_legend_tells_signs_and_strengths);
    tcase_add_test(tests, the_legend_names_the_largest_value);
    tcase_add_test(tests, sentences_are_marked_and_rows_even);
    tcase_add_test(tests, tokens_outside_are_counted);
    tcase_add_test(tests, a_bar_hangs_at_its_number);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, slow);
    return suite;
}
