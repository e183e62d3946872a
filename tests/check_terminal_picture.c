/* check_terminal_picture.c: the lines of a field as a picture among the cells: which field, when it
 * is sent, and that it goes. */
#include "faults.h"
#include "kitty_helpers.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/draw/canvas.h"
#include "headlight/terminal/picture.h"

#include <stdlib.h>
#include <string.h>

static struct canvas *canvas;
static struct picture picture;
static const struct theme *theme;
static const struct area whole = {2, 10, 6, 20};

static const struct ask_answer kitty = {.kitty = true, .cell_width = 8, .cell_height = 17};
static const struct ask_answer shared = {
    .kitty = true, .shared = true, .cell_width = 8, .cell_height = 17};
static const struct ask_answer sixel = {.sixel = true, .cell_width = 8, .cell_height = 17};

static void begin(void)
{
    canvas = canvas_new(40, 10, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    canvas->curves = true;
    theme = theme_at(theme_number("dark"));
}

static void end(void)
{
    canvas_free(canvas);
    picture_close(&picture);
    pixels_clear_shared();
}

TESTS(.begin = begin, .end = end);

/* A canvas with one stroke in an area. */
static void draw_stroke(struct area area, float to)
{
    struct stroke stroke = {.from = 0.5f, .to = to, .width = 0.2f, .ink = ink_head(2, 9)};
    strokes_draw(canvas, area, &stroke, 1);
    assert_ok(canvas->error.status, canvas->error);
}

static void draw_alone(struct area area, float to)
{
    canvas_clear(canvas);
    draw_stroke(area, to);
}

static const struct area *show(bool *repaint)
{
    return picture_draw(&picture, canvas, theme->color[ROLE_GROUND], theme, repaint);
}

/* Whether it is shown, and nothing has to be written again. */
static bool shows(void)
{
    bool repaint = false;
    const struct area *area = show(&repaint);
    ck_assert(!repaint);
    return area != NULL;
}

static bool sends(const char *text)
{
    return strstr(picture_bytes(&picture), text) != NULL;
}

TEST(a_terminal_that_says_too_little_shows_no_pictures, .times = 4)
{
    static const struct ask_answer answers[] = {
        {.complete = true},
        {.kitty = true},
        {.sixel = true, .cell_width = 8},
        {.cell_width = 8, .cell_height = 17},
    };
    picture_open(&picture, &answers[_i]);
    ck_assert_int_eq(picture.protocol, PICTURE_NONE);
    draw_alone(whole, 4.5f);
    ck_assert(!shows());
    ck_assert(!sends("\033"));
}

TEST(a_picture_is_sent_once, .times = 2)
{
    picture_open(&picture, _i ? &sixel : &kitty);
    draw_alone(whole, 4.5f);
    ck_assert(shows());
    ck_assert(sends(_i ? "\033P0;1;0q" : "\033_Ga=T,"));
    ck_assert(!sends("\033"));
    draw_alone(whole, 4.5f);
    ck_assert(shows());
    ck_assert(!sends("\033"));
    draw_alone(whole, 3.5f);
    ck_assert(shows());
    ck_assert(sends(_i ? "\033P0;1;0q" : "\033_Ga=T,"));
}

/* A screen that is written anew has none, and another theme has other colours. */
TEST(a_picture_is_sent_again_where_it_has_to_be, .times = 2)
{
    bool repaint = true;
    picture_open(&picture, _i ? &sixel : &kitty);
    draw_alone(whole, 4.5f);
    ck_assert(shows() && sends("\033"));
    ck_assert_ptr_nonnull(show(&repaint));
    ck_assert(repaint && sends("\033"));
    theme = theme_at(theme_number("light"));
    ck_assert(shows() && sends("\033"));
}

static void assert_drawn(const uint8_t *pixels, size_t size, float to)
{
    struct area area = {0, 0, whole.rows, whole.columns};
    struct stroke stroke = {.from = 0.5f, .to = to, .width = 0.2f, .ink = ink_head(2, 9)};
    struct raster *raster =
        raster_new(whole.columns * 8, whole.rows * 17, theme->color[ROLE_GROUND]);
    ck_assert(raster_strokes(raster, area, (struct cell_size){8, 17}, &stroke, 1, theme));
    ck_assert_uint_eq(size, (size_t)(raster->width * raster->height * 3));
    ck_assert_mem_eq(pixels, raster->pixels, size);
    free(raster);
}

/* Picture by picture, for a terminal that reads each one and for one that never does. */
TEST(a_shared_picture_is_what_was_drawn, .times = 2, .skipped = !kitty_can_share())
{
    char last[64] = "";
    picture_open(&picture, &shared);
    for (int turn = 0; turn < 5; turn++) {
        float to = 0.5f + (float)turn;
        draw_alone(whole, to);
        ck_assert(shows());
        const char *bytes = picture_bytes(&picture), *text = bytes;
        ck_assert_uint_lt(strlen(bytes), 200);
        strcpy(last, kitty_shared_name(&text));
        if (_i) {
            ck_assert(kitty_is_shared(last));
            continue;
        }
        size_t size;
        uint8_t *pixels = kitty_take_shared(last, &size);
        ck_assert_ptr_nonnull(pixels);
        assert_drawn(pixels, size, to);
        free(pixels);
    }
    pixels_clear_shared();
    ck_assert(!kitty_is_shared(last));
}

/* What is answered late, or again, leaves the picture that is there. */
TEST(a_picture_stays_when_more_is_answered, .times = 1 + kitty_can_share())
{
    picture_open(&picture, &kitty);
    draw_alone(whole, 4.5f);
    ck_assert(shows() && sends("f=100"));
    picture_open(&picture, _i ? &shared : &kitty);
    ck_assert(shows() && !sends("\033"));
    draw_alone(whole, 3.5f);
    ck_assert(shows() && sends(_i ? "t=s" : "f=100"));
    canvas_clear(canvas);
    ck_assert(!shows() && sends("a=d"));
}

/* The old one goes when the new one has come. */
TEST(pictures_of_kitty_have_two_numbers_in_turn)
{
    const char *bytes, *taken, *deleted;
    picture_open(&picture, &kitty);
    for (int turn = 0; turn < 4; turn++) {
        draw_alone(whole, 0.5f + (float)turn);
        ck_assert(shows());
        bytes = picture_bytes(&picture);
        taken = strstr(bytes, turn % 2 ? "i=26732,p=1" : "i=26733,p=1");
        deleted = strstr(bytes, turn % 2 ? "a=d,d=I,i=26733" : "a=d,d=I,i=26732");
        ck_assert_ptr_nonnull(taken);
        ck_assert_ptr_nonnull(deleted);
        ck_assert(taken < deleted);
    }
    picture_remove(&picture);
    bytes = picture_bytes(&picture);
    ck_assert_ptr_nonnull(strstr(bytes, "a=d,d=I,i=26732"));
    ck_assert_ptr_nonnull(strstr(bytes, "a=d,d=I,i=26733"));
    draw_alone(whole, 3.5f); /* the one that was there before */
    ck_assert(shows() && sends("a=T"));
}

/* Below sixels the cells have to be written again. */
TEST(a_picture_goes_when_there_is_none, .times = 2)
{
    bool repaint = false;
    picture_open(&picture, _i ? &sixel : &kitty);
    draw_alone(whole, 4.5f);
    ck_assert(shows() && sends("\033"));
    canvas_clear(canvas);
    ck_assert_ptr_null(show(&repaint));
    ck_assert_int_eq(repaint, _i);
    ck_assert_int_eq(sends("a=d"), !_i);
    ck_assert(!shows());
    ck_assert(!sends("\033"));
}

TEST(a_picture_elsewhere_leaves_no_part_of_the_old_one, .times = 2)
{
    bool repaint = false;
    picture_open(&picture, _i ? &sixel : &kitty);
    draw_alone(whole, 4.5f);
    ck_assert(shows());
    draw_alone((struct area){2, 12, 6, 20}, 4.5f);
    ck_assert_ptr_nonnull(show(&repaint));
    ck_assert_int_eq(repaint, _i);
}

static void put_text(void)
{
    canvas_text(canvas, 4, 15, 10, style_of(ROLE_TEXT), "text");
}

static void put_ground(void)
{
    canvas_fill(canvas, (struct area){4, 15, 1, 1}, (struct style){.back = ink_full(ROLE_CURSOR)});
}

/* It would cut the picture, or lie below it. */
TEST(a_field_that_holds_something_else_is_no_picture, .times = 2)
{
    void (*const puts[])(void) = {put_text, put_ground};
    picture_open(&picture, &kitty);
    draw_alone(whole, 4.5f);
    puts[_i]();
    ck_assert(!shows());
    draw_stroke((struct area){2, 31, 3, 5}, 1.5f); /* the other one is free */
    bool repaint = false;
    const struct area *area = show(&repaint);
    ck_assert_ptr_nonnull(area);
    ck_assert_int_eq(area->x, 31);
}

static const struct area large = {3, 10, 32, 100};

/* From every row to so many others, of a screen of 120 by 40 cells. */
static void draw_many(unsigned each)
{
    struct stroke strokes[32 * 3];
    size_t count = 0;
    canvas_free(canvas);
    canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    canvas->curves = true;
    for (unsigned from = 0; from < 32; from++)
        for (unsigned i = 0; i < each; i++)
            strokes[count++] = (struct stroke){(float)from + 0.5f, (float)(i * i * 7 % 41) + 0.5f,
                                               0.15f, ink_head(i % 3, 6 + (from + i) % 9), false};
    strokes_draw(canvas, large, strokes, count);
    assert_ok(canvas->error.status, canvas->error);
}

/* Shows it. Returns the bytes, and the rows of pixels in a cell of it: the height is in a PNG's
 * 21st to 24th byte. */
static size_t send_to(bool far, struct cell_size cell, uint32_t *height)
{
    uint8_t png[4096];
    picture_close(&picture);
    picture_open(
        &picture,
        &(struct ask_answer){.kitty = true, .cell_width = cell.width, .cell_height = cell.height});
    picture.far = far;
    ck_assert(shows());
    const char *bytes = picture_bytes(&picture), *text = strstr(bytes, ",f=100,");
    ck_assert_ptr_nonnull(text);
    text = strchr(text, ';') + 1;
    kitty_read_base64(&text, png);
    *height = ((uint32_t)png[22] << 8 | png[23]) / (uint32_t)large.rows;
    return strlen(bytes);
}

/* So that a key sends at most 40 KB over ssh, whatever the resolution. What is less dense is as
 * fine as that allows. */
TEST(a_dense_picture_is_coarser_far_away, .times = 3)
{
    static const struct cell_size cells[] = {{8, 17}, {10, 20}, {20, 40}};
    const struct cell_size cell = cells[_i];
    uint32_t height;
    draw_many(3);
    ck_assert_uint_gt(send_to(false, cell, &height), 60000);
    ck_assert_uint_eq(height, (uint32_t)cell.height);
    ck_assert_uint_lt(send_to(true, cell, &height), 40000);
    ck_assert_uint_eq(height, 9);
    draw_many(1);
    ck_assert_uint_lt(send_to(true, cell, &height), 40000);
    ck_assert_uint_eq(height, cell.height < 40 ? (uint32_t)cell.height : 18);
    canvas_clear(canvas);
    draw_stroke(large, 20);
    ck_assert_uint_lt(send_to(true, cell, &height), 40000);
    ck_assert_uint_eq(height, (uint32_t)cell.height);
}

TEST(the_largest_field_is_the_picture)
{
    bool repaint = false;
    picture_open(&picture, &kitty);
    draw_alone((struct area){0, 0, 2, 9}, 1.5f);
    draw_stroke(whole, 4.5f);
    draw_stroke((struct area){0, 31, 2, 9}, 1.5f);
    ck_assert_int_eq(show(&repaint)->x, whole.x);
}

/* Sixels there would scroll the screen. */
/* A curve is made of such fields: all of it is pixels, or none. */
TEST(fields_side_by_side_are_one_picture)
{
    const struct area left = {2, 4, 4, 10}, right = {2, 14, 4, 10}, below = {8, 4, 4, 15};
    bool repaint = false;
    picture_open(&picture, &kitty);
    draw_alone(left, 3);
    draw_stroke(right, 2);
    draw_stroke(below, 2);
    const struct area *area = show(&repaint);
    ck_assert_ptr_nonnull(area);
    ck_assert_int_eq(area->x, 4);
    ck_assert_int_eq(area->columns, 20);
    ck_assert(sends("\033_G"));
    ck_assert(shows() && !sends("\033_G"));
    draw_alone(left, 3);
    draw_stroke(right, 1);
    ck_assert(shows() && sends("\033_G"));
}

TEST(no_picture_reaches_the_last_row)
{
    picture_open(&picture, &sixel);
    draw_alone((struct area){3, 10, 7, 20}, 4.5f);
    ck_assert(!shows());
    draw_alone((struct area){3, 10, 6, 20}, 4.5f);
    ck_assert(shows());
}

TEST(no_picture_is_larger_than_the_terminal_takes, .times = 3)
{
    struct ask_answer answer = sixel;
    answer.sixel_width = whole.columns * 8 - (_i == 0);
    answer.sixel_height = whole.rows * 17 - (_i == 1);
    picture_open(&picture, &answer);
    draw_alone(whole, 4.5f);
    ck_assert_int_eq(shows(), _i == 2);
}

/* Then the cells have the lines, and no half of a picture lies above them. */
TEST(without_memory_there_is_no_picture, .times = 2, .skipped = !faults_work())
{
    size_t failed = 1;
    for (size_t nth = 1; failed > 0; nth++) {
        bool repaint = false;
        picture_close(&picture);
        picture_open(&picture, _i ? &sixel : &kitty);
        draw_alone(whole, 4.5f);
        faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = nth});
        const struct area *area = show(&repaint);
        failed = faults_end();
        const char *bytes = picture_bytes(&picture), *sent = strstr(bytes, _i ? "\033P" : "a=T");
        ck_assert_int_eq(area != NULL, failed == 0);
        ck_assert_int_eq(sent != NULL, failed == 0);
        draw_alone(whole, 3.5f);
        ck_assert(shows() && sends(_i ? "\033P" : "a=T"));
        ck_assert(nth < 100);
    }
}
