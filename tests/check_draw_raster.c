#include "faults.h"
#include "suites.h"

#include "headlight/draw/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  70
#define HEIGHT 60

static const struct cell_size cell = {10, 20};
static const struct area whole = {0, 0, 3, 7};
static const struct theme *theme;
static struct rgb ground, ink;
static struct raster *raster;

static void begin(void)
{
    theme = theme_at(theme_number("dark"));
    ground = theme->color[ROLE_GROUND];
    ink = theme->color[ROLE_STRONG];
    raster = raster_new(WIDTH, HEIGHT, ground);
    ck_assert_ptr_nonnull(raster);
}

static void end(void)
{
    free(raster);
}

TESTS(.begin = begin, .end = end);

/* Of white, which at a level below STYLE_FULL is so much of it over what lies below. */
static struct stroke stroke_at(double from, double to, double width, unsigned level)
{
    return (struct stroke){
        (float)from, (float)to, (float)width, {ROLE_STRONG, (uint8_t)level}, false};
}

static struct stroke stroke_of(double from, double to, double width)
{
    return stroke_at(from, to, width, STYLE_FULL);
}

static void draw_in(struct raster *onto, struct area field, struct stroke stroke)
{
    ck_assert(raster_strokes(onto, field, cell, &stroke, 1, theme));
}

static void draw(struct stroke stroke)
{
    draw_in(raster, whole, stroke);
}

static struct rgb pixel_of(const struct raster *from, int y, int x)
{
    return from->pixels[y * from->width + x];
}

static bool is(struct rgb a, struct rgb b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static size_t pixels_unlike(struct rgb color)
{
    size_t count = 0;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        count += !is(raster->pixels[i], color);
    return count;
}

static void assert_rows(int first, int after, struct rgb color)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            struct rgb found = pixel_of(raster, y, x);
            ck_assert_msg(is(found, y >= first && y < after ? color : ground),
                          "row %d, column %d is %d %d %d", y, x, found.red, found.green,
                          found.blue);
        }
}

TEST(a_picture_begins_as_its_ground)
{
    assert_rows(0, 0, ink);
    ck_assert_ptr_null(raster_new(0, 1, ground));
    ck_assert_ptr_null(raster_new(1, 0, ground));
    ck_assert_ptr_null(raster_new(RASTER_MAX + 1, 1, ground));
    ck_assert_ptr_null(raster_new(1, RASTER_MAX + 1, ground));
}

/* The middle of the second row is at 30 pixels. */
TEST(a_level_stroke_of_whole_pixels_covers_whole_rows)
{
    draw(stroke_of(1.5, 1.5, 0.2));
    assert_rows(28, 32, ink);
}

TEST(a_dashed_stroke_leaves_gaps)
{
    struct stroke stroke = stroke_of(1.5, 1.5, 0.2);
    int gaps = 0;
    stroke.dashed = true;
    draw(stroke);
    ck_assert(is(pixel_of(raster, 30, 0), ink));
    for (int x = 1; x < WIDTH; x++)
        gaps += is(pixel_of(raster, 30, x), ground) && is(pixel_of(raster, 30, x - 1), ink);
    ck_assert_int_eq(gaps, STROKE_DASHES);
}

TEST(a_level_stroke_between_pixels_shares_them)
{
    struct rgb half = {(uint8_t)((ground.red + ink.red + 1) / 2),
                       (uint8_t)((ground.green + ink.green + 1) / 2),
                       (uint8_t)((ground.blue + ink.blue + 1) / 2)};
    draw(stroke_of(1.5, 1.5, 0.15)); /* three pixels: 28.5 … 31.5 */
    for (int x = 0; x < WIDTH; x++) {
        ck_assert(is(pixel_of(raster, 27, x), ground) && is(pixel_of(raster, 32, x), ground));
        ck_assert(is(pixel_of(raster, 28, x), half) && is(pixel_of(raster, 31, x), half));
        ck_assert(is(pixel_of(raster, 29, x), ink) && is(pixel_of(raster, 30, x), ink));
    }
}

TEST(a_level_blends_with_what_is_below)
{
    struct rgb once = {97, 97, 97}, twice = {150, 150, 150}; /* thirds of 18 and 255 */
    draw(stroke_at(1.5, 1.5, 0.2, 5));
    assert_rows(28, 32, once);
    draw(stroke_at(1.5, 1.5, 0.2, 5));
    assert_rows(28, 32, twice);
    draw(stroke_of(1.5, 1.5, 0.2));
    assert_rows(28, 32, ink);
}

TEST(a_later_stroke_lies_above)
{
    struct stroke strokes[2] = {stroke_of(0.5, 2.5, 0.3), stroke_of(2.5, 0.5, 0.3)};
    strokes[0].ink = ink_full(ROLE_POSITIVE);
    for (int turn = 0; turn < 2; turn++) {
        struct stroke ordered[2] = {strokes[turn], strokes[1 - turn]};
        ck_assert(raster_strokes(raster, whole, cell, ordered, 2, theme));
        ck_assert(is(pixel_of(raster, 30, 35), theme->color[turn ? ROLE_POSITIVE : ROLE_STRONG]));
    }
}

TEST(a_level_of_ink_is_the_themes)
{
    struct stroke stroke = stroke_of(1.5, 1.5, 0.2);
    stroke.ink = ink_head(3, 7);
    draw(stroke);
    assert_rows(28, 32, theme_rgb(theme, ink_head(3, 7)));
}

/* ---- How much is covered ---- */

/* All that was added to the ground, in pixels of ink. */
static double covered(const struct raster *drawn)
{
    double sum = 0;
    for (int i = 0; i < drawn->width * drawn->height; i++)
        sum += (drawn->pixels[i].green - ground.green) / (double)(ink.green - ground.green);
    return sum;
}

/* Along the middle of the stroke, in pixels. */
static double length_of(double rise, int width)
{
    double length = 0, last = 0;
    for (int i = 1; i <= 1000; i++) {
        double risen = rise * stroke_risen(i / 1000.0);
        length += hypot(width / 1000.0, risen - last);
        last = risen;
    }
    return length;
}

TEST(coverage_is_the_area)
{
    static const double widths[] = {0.02, 0.05, 0.13, 0.25, 0.5};
    static const double rises[] = {0, 0.3, 1, 5, 20, -20};
    struct area field = {0, 0, 30, 40};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (size_t j = 0; j < sizeof rises / sizeof *rises; j++) {
            struct raster *large = raster_new(400, 600, ground);
            double from = rises[j] < 0 ? 25.37 : 3.37;
            draw_in(large, field, stroke_of(from, from + rises[j], widths[i]));
            double area = widths[i] * cell.height * length_of(rises[j] * cell.height, 400);
            double found = covered(large);
            ck_assert_msg(fabs(found - area) <= 0.01 * area,
                          "width %g, rise %g: covers %.1f pixels, expected %.1f", widths[i],
                          rises[j], found, area);
            free(large);
        }
}

/* ---- Where it is ---- */

static void assert_mirrored(const struct raster *a, const struct raster *b, bool sides)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int other_y = sides ? y : HEIGHT - 1 - y, other_x = sides ? WIDTH - 1 - x : x;
            ck_assert_msg(is(pixel_of(a, y, x), pixel_of(b, other_y, other_x)),
                          "row %d, column %d differs from its mirror image", y, x);
        }
}

/* Eighths of a row are whole fractions, so a mirrored end is exact. */
TEST(a_mirrored_stroke_gives_the_mirrored_picture)
{
    for (int from = -4; from <= 28; from += 3)
        for (int to = -5; to <= 28; to += 3)
            for (int up = 0; up < 2; up++) {
                double a = from / 8.0, b = to / 8.0;
                struct raster *one = raster_new(WIDTH, HEIGHT, ground);
                struct raster *two = raster_new(WIDTH, HEIGHT, ground);
                draw_in(one, whole, stroke_at(a, b, 0.23, 11));
                draw_in(two, whole,
                        up ? stroke_at(3 - a, 3 - b, 0.23, 11) : stroke_at(b, a, 0.23, 11));
                assert_mirrored(one, two, !up);
                free(one);
                free(two);
            }
}

/* Where the stroke is in a column, by the covers' centre of gravity; -1 where it isn't. */
static double middle_at(int x)
{
    double sum = 0, weight = 0;
    for (int y = 0; y < HEIGHT; y++) {
        double part = pixel_of(raster, y, x).green - ground.green;
        sum += part * (y + 0.5);
        weight += part;
    }
    return weight > 0 ? sum / weight : -1;
}

TEST(a_stroke_goes_where_it_should)
{
    draw(stroke_of(0.5, 2.5, 0.1));
    for (int x = 0; x < WIDTH; x++) {
        double expected = 10 + 40 * stroke_risen((x + 0.5) / WIDTH);
        ck_assert_msg(fabs(middle_at(x) - expected) < 0.1, "column %d: at %.2f, expected %.2f", x,
                      middle_at(x), expected);
    }
}

TEST(nothing_is_drawn_outside_of_the_field)
{
    struct area field = {1, 2, 1, 3};
    for (double from = -1; from <= 2; from += 0.25)
        for (double to = -1; to <= 2; to += 0.25)
            draw_in(raster, field, stroke_of(from, to, 0.6));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            ck_assert(
                is(pixel_of(raster, y, x), y >= 20 && y < 40 && x >= 20 && x < 50 ? ink : ground));
}

/* A field that reaches beyond the picture is the same as within a larger one. */
TEST(a_field_is_cut_by_the_picture)
{
    struct raster *large = raster_new(WIDTH + 40, HEIGHT + 80, ground);
    draw_in(large, (struct area){0, 0, 7, 11}, stroke_at(0.2, 6.8, 0.4, 11));
    draw_in(raster, (struct area){-2, -3, 7, 11}, stroke_at(0.2, 6.8, 0.4, 11));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            ck_assert(is(pixel_of(raster, y, x), pixel_of(large, y + 40, x + 30)));
    ck_assert_uint_gt(pixels_unlike(ground), WIDTH);
    free(large);
}

TEST(fields_and_strokes_far_outside_draw_nothing)
{
    static const struct area fields[] = {
        {3, 0, 3, 7}, {-3, 0, 3, 7}, {0, 7, 3, 7}, {0, -7, 3, 7}, {0, 0, 0, 7}, {0, 0, 3, 0},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        draw_in(raster, fields[i], stroke_of(1.5, 1.5, 0.5));
    draw(stroke_of(-1, -0.26, 0.5));
    draw(stroke_of(1e30, INFINITY, 0.5));
    draw(stroke_of(-1e30, -INFINITY, 1e30));
    ck_assert_uint_eq(pixels_unlike(ground), 0);
}

TEST(what_has_no_place_width_or_level_is_left_out)
{
    draw(stroke_of(NAN, 1.5, 0.2));
    draw(stroke_of(1.5, NAN, 0.2));
    draw(stroke_of(1.5, 1.5, NAN));
    draw(stroke_of(1.5, 1.5, 0));
    draw(stroke_of(1.5, 1.5, -1));
    draw(stroke_at(1.5, 1.5, 0.2, 0));
    ck_assert_uint_eq(pixels_unlike(ground), 0);
}

/* A stroke from far above to far below crosses the field in its middle alone. */
TEST(a_stroke_may_come_from_far_above)
{
    draw(stroke_of(-1e9, 1e9, 0.2));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (x < WIDTH / 2 - 2 || x > WIDTH / 2 + 1)
                ck_assert(is(pixel_of(raster, y, x), ground));
    ck_assert_uint_gt(pixels_unlike(ground), HEIGHT);
}

/* In a narrow field a stroke is steep; it never goes beyond its ends by more than half its width.
 */
TEST(a_steep_stroke_stays_between_its_ends)
{
    struct raster *narrow = raster_new(30, 1000, ground);
    draw_in(narrow, (struct area){0, 0, 50, 3}, stroke_of(10.5, 40.5, 0.5));
    for (int y = 0; y < 1000; y++)
        for (int x = 0; x < 30; x++)
            if (y < 205 || y >= 815)
                ck_assert_msg(is(pixel_of(narrow, y, x), ground), "row %d, column %d", y, x);
    free(narrow);
}

/* ---- The bytes ---- */

static uint32_t checksum(const struct raster *drawn)
{
    uint32_t sum = 2166136261u; /* FNV-1a */
    const uint8_t *bytes = (const uint8_t *)drawn->pixels;
    for (size_t i = 0; i < (size_t)drawn->width * (size_t)drawn->height * 3; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
    return sum;
}

/* As gcc and clang draw them at every level of optimisation. */
TEST(every_processor_draws_the_same_bytes)
{
    struct stroke strokes[60];
    for (int i = 0; i < 60; i++) {
        strokes[i] = stroke_of(i * 7 % 20 + 0.5, i * 13 % 20 + 0.5, 0.03 + i % 9 * 0.06);
        strokes[i].ink = ink_head((size_t)i, 4 + (unsigned)i % 12);
    }
    struct raster *large = raster_new(370, 340, ground);
    ck_assert(raster_strokes(large, (struct area){0, 0, 20, 41}, (struct cell_size){9, 17}, strokes,
                             60, theme));
    ck_assert_uint_eq(checksum(large), 656430467u);
    free(large);
}

TEST(without_memory_nothing_is_drawn, .skipped = !faults_work())
{
    struct stroke stroke = stroke_of(1.5, 1.5, 0.2);
    faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = 1});
    ck_assert_ptr_null(raster_new(WIDTH, HEIGHT, ground));
    ck_assert_uint_eq(faults_end(), 1);
    faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = 1});
    ck_assert(!raster_strokes(raster, whole, cell, &stroke, 1, theme));
    ck_assert_uint_eq(faults_end(), 1);
    ck_assert_uint_eq(pixels_unlike(ground), 0);
}
