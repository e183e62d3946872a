/* check_terminal_pixels.c: what was encoded is decoded again, as a terminal would, and compared. */
#include "faults.h"
#include "kitty_helpers.h"
#include "suites.h"

#include "headlight/terminal/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

/* What was encoded. */
static struct {
    char *bytes;
    size_t length;
} pixels;
static const struct theme *theme;
static unsigned seed;

static void begin(void)
{
    theme = theme_at(theme_number("dark"));
    seed = 1;
}

static void end(void)
{
    free(pixels.bytes);
    pixels.bytes = NULL;
    pixels_clear_shared();
}

TESTS(.begin = begin, .end = end);

static unsigned chance(unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static struct raster *blank(int width, int height)
{
    struct raster *raster = raster_new(width, height, theme->color[ROLE_GROUND]);
    ck_assert_ptr_nonnull(raster);
    return raster;
}

/* Strokes in many hues: 70×27 cells of 10×20 pixels. */
static struct raster *busy(size_t count)
{
    struct raster *raster = blank(700, 540);
    struct stroke strokes[200];
    for (size_t i = 0; i < count; i++) {
        /* One after the other: a compiler takes what stands in one expression in any order. */
        float from = (float)chance(27) + 0.5f;
        float to = (float)chance(27) + 0.5f;
        float width = 0.05f + (float)chance(100) / 400;
        unsigned level = 2 + (unsigned)chance(14);
        strokes[i] = (struct stroke){from, to, width, ink_head(chance(8), level), false};
    }
    ck_assert(raster_strokes(raster, (struct area){0, 0, 27, 70}, (struct cell_size){10, 20},
                             strokes, count, theme));
    return raster;
}

/* Each pixel one of so many colours, runs of them in each row. */
static struct raster *patches(int width, int height, unsigned colors)
{
    struct raster *raster = blank(width, height);
    for (int i = 0, left = 0, color = 0; i < width * height; i++, left--) {
        if (left == 0) {
            left = 1 + (int)chance(9);
            color = (int)chance(colors);
        }
        if (color > 0)
            raster->pixels[i] = theme->color[ROLE_HUE + color - 1];
    }
    return raster;
}

/* What a terminal reads, from the first byte that it has not read yet. */
static const char *next;

static void expect(const char *text)
{
    ck_assert_msg(strncmp(next, text, strlen(text)) == 0, "expected \"%s\" at byte %td of %zu",
                  text[0] == '\033' ? text + 1 : text, next - pixels.bytes, pixels.length);
    next += strlen(text);
}

static int number(void)
{
    char *after;
    ck_assert_msg(*next >= '0' && *next <= '9', "expected a number at byte %td",
                  next - pixels.bytes);
    long found = strtol(next, &after, 10);
    next = after;
    return (int)found;
}

static void begin_reading(char *bytes)
{
    ck_assert_ptr_nonnull(bytes);
    free(pixels.bytes);
    pixels.bytes = bytes;
    pixels.length = strlen(bytes);
    next = bytes;
}

static void assert_all_read(void)
{
    ck_assert_ptr_eq(next, pixels.bytes + pixels.length);
}

/* ---- kitty ---- */

/* What a terminal has shown of a picture. */
struct screen {
    int width, height;
    struct rgb palette[256];
    int colors;
    struct rgb *pixels;
    bool *painted;
};

/* Up to the command's end. Only the last piece may be short. */
static size_t read_piece(uint8_t *bytes, bool more)
{
    const char *start = next;
    size_t count = kitty_read_base64(&next, bytes);
    ptrdiff_t letters = next - start - 2;
    ck_assert_int_le(letters, 4096);
    ck_assert(!more || letters == 4096);
    return count;
}

/* What all pieces of a command hold together; to be freed. */
static uint8_t *read_pieces(const char *keys, size_t *count)
{
    uint8_t *bytes = malloc(pixels.length);
    bool more = true;
    *count = 0;
    for (bool first = true; more; first = false) {
        expect("\033_G");
        expect(first ? keys : "");
        expect("m=");
        more = number() == 1;
        expect(";");
        *count += read_piece(bytes + *count, more);
    }
    return bytes;
}

/* ---- PNG ---- */

static uint32_t read_number(const uint8_t **at)
{
    uint32_t found = 0;
    for (int i = 0; i < 4; i++)
        found = found << 8 | *(*at)++;
    return found;
}

/* What is inside, and its length. */
static const uint8_t *read_chunk(const uint8_t **at, const char *type, uint32_t *length)
{
    *length = read_number(at);
    const uint8_t *start = *at, *inside = start + 4;
    ck_assert_mem_eq(start, type, 4);
    *at = inside + *length;
    ck_assert_uint_eq(read_number(at), crc32(0, start, *length + 4));
    return inside;
}

static void paint_rows(struct screen *screen, const uint8_t *packed, uint32_t length)
{
    size_t width = (size_t)screen->width, height = (size_t)screen->height;
    uLongf size = (width + 1) * height + 1;
    uint8_t *rows = malloc(size);
    ck_assert_int_eq(uncompress(rows, &size, packed, length), Z_OK);
    ck_assert_uint_eq(size, (width + 1) * height);
    for (size_t y = 0; y < height; y++) {
        const uint8_t *row = rows + y * (width + 1);
        ck_assert_int_eq(row[0], 0);
        for (size_t x = 0; x < width; x++) {
            ck_assert_int_lt(row[1 + x], screen->colors);
            screen->pixels[y * width + x] = screen->palette[row[1 + x]];
        }
    }
    free(rows);
}

static struct screen *show_png(const uint8_t *png, size_t count)
{
    static const uint8_t kind[] = {8, 3, 0, 0, 0}; /* a palette, eight bits a pixel */
    const uint8_t *at = png + 8, *inside;
    struct screen *screen = calloc(1, sizeof *screen);
    uint32_t length;
    ck_assert_mem_eq(png, "\x89PNG\r\n\x1a\n", 8);
    inside = read_chunk(&at, "IHDR", &length);
    screen->width = (int)read_number(&inside);
    screen->height = (int)read_number(&inside);
    ck_assert_mem_eq(inside, kind, sizeof kind);
    screen->pixels = calloc((size_t)screen->width * (size_t)screen->height, sizeof(struct rgb));
    inside = read_chunk(&at, "PLTE", &length);
    ck_assert_uint_le(length, sizeof screen->palette);
    screen->colors = (int)length / 3;
    memcpy(screen->palette, inside, length);
    inside = read_chunk(&at, "IDAT", &length);
    paint_rows(screen, inside, length);
    read_chunk(&at, "IEND", &length);
    ck_assert_uint_eq(length, 0);
    ck_assert_ptr_eq(at, png + count);
    return screen;
}

static struct screen *sent_kitty(const struct raster *raster)
{
    size_t count;
    begin_reading(pixels_kitty(raster, PIXELS_FIRST, (struct area){4, 9, 27, 70}, 0, "more"));
    expect("\0337\033[5;10H");
    uint8_t *png = read_pieces("a=T,q=2,C=1,i=26732,p=1,z=1,c=70,r=27,f=100,", &count);
    struct screen *screen = show_png(png, count);
    expect("\0338more");
    assert_all_read();
    free(png);
    ck_assert_int_eq(screen->width, raster->width);
    ck_assert_int_eq(screen->height, raster->height);
    return screen;
}

/* ---- Shared memory ---- */

/* The name that a picture is shared by. */
static const char *share(const struct raster *raster, unsigned id)
{
    begin_reading(pixels_shared(raster, id, (struct area){4, 9, 27, 70}, "more"));
    const char *text = pixels.bytes;
    return kitty_shared_name(&text);
}

TEST(a_shared_picture_has_every_pixel, .skipped = !kitty_can_share())
{
    struct raster *raster = busy(200);
    size_t count, size;
    const char *name = share(raster, PIXELS_SECOND);
    uint8_t *found = kitty_take_shared(name, &size);
    expect("\0337\033[5;10H");
    free(read_pieces("a=T,q=2,C=1,i=26733,p=1,z=1,c=70,r=27,t=s,f=24,s=700,v=540,", &count));
    ck_assert_uint_eq(count, strlen(name));
    expect("\0338more");
    assert_all_read();
    ck_assert_uint_eq(size, 700 * 540 * 3);
    ck_assert_mem_eq(found, raster->pixels, size);
    ck_assert(!kitty_is_shared(name));
    free(found);
    free(raster);
}

/* For a terminal that lags behind, but no third one. */
TEST(two_pictures_are_shared_at_most, .skipped = !kitty_can_share())
{
    struct raster *raster = patches(8, 8, 8);
    char names[5][64];
    for (unsigned i = 0; i < 5; i++) {
        strcpy(names[i], share(raster, i % 2 ? PIXELS_FIRST : PIXELS_SECOND));
        for (unsigned j = 0; j <= i; j++)
            ck_assert_int_eq(kitty_is_shared(names[j]), j + 2 > i);
    }
    pixels_clear_shared();
    ck_assert(!kitty_is_shared(names[3]) && !kitty_is_shared(names[4]));
    free(raster);
}

TEST(what_can_not_be_shared_is_left_out, .skipped = !kitty_can_share())
{
    struct raster *raster = patches(8, 8, 8);
    struct rlimit before, none = {0, 0};
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    none.rlim_max = before.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    char *bytes = pixels_shared(raster, PIXELS_FIRST, (struct area){0, 0, 1, 1}, "");
    const char *query = pixels_ask_shared();
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    ck_assert_ptr_null(bytes);
    ck_assert_str_eq(query, "");
    free(raster);
}

TEST(the_terminal_is_asked_by_a_pixel, .skipped = !kitty_can_share())
{
    size_t size;
    const char *query = pixels_ask_shared(), *text = query;
    uint8_t *pixel = kitty_take_shared(kitty_shared_name(&text), &size);
    ck_assert_ptr_eq(strstr(query, "\033_Gi=32,s=1,v=1,a=q,t=s,f=24;"), query);
    ck_assert_str_eq(text, "");
    ck_assert_ptr_nonnull(pixel);
    ck_assert_uint_eq(size, 3);
    free(pixel);
}

TEST(kitty_deletes_by_number)
{
    ck_assert_str_eq(PIXELS_DELETE_ALL,
                     "\033_Ga=d,d=I,i=26732,q=2\033\\\033_Ga=d,d=I,i=26733,q=2\033\\");
}

/* ---- Sixel ---- */

static uint8_t of_percent(int percent)
{
    ck_assert_int_le(percent, 100);
    return (uint8_t)((percent * 255 + 50) / 100);
}

/* "#7" takes a colour; "#7;2;10;20;30" says what it is, too. */
static int read_color(struct screen *screen)
{
    int color = number();
    ck_assert_int_lt(color, 256);
    if (*next == ';') {
        int parts[3];
        ck_assert_int_eq(color, screen->colors++);
        expect(";2");
        for (int i = 0; i < 3; i++) {
            expect(";");
            parts[i] = number();
        }
        screen->palette[color] =
            (struct rgb){of_percent(parts[0]), of_percent(parts[1]), of_percent(parts[2])};
    }
    ck_assert_int_lt(color, screen->colors);
    return color;
}

static void paint(struct screen *screen, int color, int y, int x, int count)
{
    unsigned bits = (unsigned)(*next++ - '?');
    ck_assert_msg(bits < 64, "byte %td is no sixel", next - 1 - pixels.bytes);
    for (int row = 0; row < 6; row++)
        for (int i = x; bits >> row & 1 && i < x + count; i++) {
            ck_assert_msg(y + row < screen->height && i < screen->width,
                          "row %d, column %d is outside", y + row, i);
            screen->pixels[(y + row) * screen->width + i] = screen->palette[color];
            screen->painted[(y + row) * screen->width + i] = true;
        }
}

/* "!12" repeats what follows. */
static int read_count(void)
{
    if (*next != '!')
        return 1;
    next++;
    return number();
}

/* From the colours to the end. */
static void read_bands(struct screen *screen)
{
    int color = -1, y = 0, x = 0, count;
    while (*next != '\033')
        switch (*next) {
        case '#':
            next++;
            color = read_color(screen);
            break;
        case '$':
            next++;
            x = 0;
            break;
        case '-':
            next++;
            x = 0;
            y += 6;
            break;
        default:
            count = read_count();
            paint(screen, color, y, x, count);
            x += count;
        }
}

static struct screen *show(const struct raster *raster)
{
    size_t size = (size_t)raster->width * (size_t)raster->height;
    struct screen *screen = calloc(1, sizeof *screen);
    expect("\033P0;1;0q\"1;1;");
    screen->width = number();
    expect(";");
    screen->height = number();
    ck_assert_int_eq(screen->width, raster->width);
    ck_assert_int_eq(screen->height, raster->height);
    screen->pixels = calloc(size, sizeof *screen->pixels);
    screen->painted = calloc(size, sizeof *screen->painted);
    read_bands(screen);
    expect("\033\\");
    for (size_t i = 0; i < size; i++)
        ck_assert_msg(screen->painted[i], "pixel %zu of %zu is not painted", i, size);
    return screen;
}

static void screen_free(struct screen *screen)
{
    free(screen->pixels);
    free(screen->painted);
    free(screen);
}

static struct screen *sent_sixel(const struct raster *raster)
{
    begin_reading(pixels_sixel(raster, 2, 7));
    expect("\0337\033[r\033[3;8H");
    struct screen *screen = show(raster);
    expect("\0338");
    assert_all_read();
    return screen;
}

/* ---- Both ---- */

static struct screen *(*const sent[])(const struct raster *raster) = {sent_kitty, sent_sixel};
#define BOTH 2

static int component_distance(uint8_t a, uint8_t b)
{
    return abs(a - b);
}

/* The largest of any component. */
static int pixel_distance(struct rgb a, struct rgb b)
{
    int red = component_distance(a.red, b.red), green = component_distance(a.green, b.green);
    int blue = component_distance(a.blue, b.blue), most = red > green ? red : green;
    return most > blue ? most : blue;
}

static int distance(const struct raster *raster, const struct screen *screen)
{
    int most = 0;
    for (int i = 0; i < raster->width * raster->height; i++) {
        int found = pixel_distance(raster->pixels[i], screen->pixels[i]);
        most = found > most ? found : most;
    }
    return most;
}

/* A sixel's colours are in hundredths: they are off by 1.3 of 255 at most, and a rounding. */
static const int rounding[BOTH] = {0, 2};

/* Of all lengths, so that Base64 ends with none, one and two "=". */
TEST(few_colours_are_shown_as_they_are, .times = BOTH)
{
    for (int width = 1; width <= 30; width++)
        for (int height = 1; height <= 14; height++) {
            struct raster *raster = patches(width, height, 1 + chance(12));
            struct screen *screen = sent[_i](raster);
            ck_assert_int_le(distance(raster, screen), rounding[_i]);
            screen_free(screen);
            free(raster);
        }
}

/* Colours that can hardly be told apart are shown as one. */
TEST(shades_are_near, .times = BOTH)
{
    struct raster *raster = blank(255, 8);
    for (int i = 0; i < 255 * 8; i++)
        raster->pixels[i] = (struct rgb){(uint8_t)(i % 255), (uint8_t)(i % 255), 0};
    struct screen *screen = sent[_i](raster);
    ck_assert_int_lt(screen->colors, 32);
    ck_assert_int_le(distance(raster, screen), 12 + rounding[_i]);
    screen_free(screen);
    free(raster);
}

/* Peak signal-to-noise ratio, in decibels. */
static double likeness(const struct raster *raster, const struct screen *screen)
{
    double sum = 0;
    int count = raster->width * raster->height;
    for (int i = 0; i < count; i++) {
        struct rgb a = raster->pixels[i], b = screen->pixels[i];
        sum += pow(a.red - b.red, 2) + pow(a.green - b.green, 2) + pow(a.blue - b.blue, 2);
    }
    return 10 * log10(255.0 * 255 * 3 * count / sum);
}

static void assert_like(int kind, size_t strokes, double least)
{
    struct raster *raster = busy(strokes);
    struct screen *screen = sent[kind](raster);
    double found = likeness(raster, screen);
    ck_assert_int_eq(screen->colors, 256);
    ck_assert_msg(found >= least, "%zu strokes: %.1f dB, expected %.1f", strokes, found, least);
    for (int i = 0; i < 700 * 540; i++)
        if (pixel_distance(raster->pixels[i], raster->ground) == 0)
            ck_assert_int_le(pixel_distance(screen->pixels[i], raster->ground), rounding[kind]);
    screen_free(screen);
    free(raster);
}

TEST(many_shades_are_like_the_picture, .times = BOTH)
{
    assert_like(_i, 30, 43);
    assert_like(_i, 200, 31);
}

/* No library has a say in it: qsort puts equals in any order, but there are none. */
TEST(sixel_is_the_same_text_everywhere)
{
    struct raster *raster = busy(200);
    uint32_t sum = 2166136261u; /* FNV-1a */
    begin_reading(pixels_sixel(raster, 0, 0));
    for (size_t i = 0; i < pixels.length; i++)
        sum = (sum ^ (uint8_t)pixels.bytes[i]) * 16777619u;
    ck_assert_uint_eq(sum, 92152798u);
    free(raster);
}

/* ---- Memory ---- */

/* Each allocation in turn. */
TEST(without_memory_there_are_no_bytes, .skipped = !faults_work())
{
    struct raster *raster = busy(30);
    for (int kind = 0; kind < 2; kind++) {
        size_t failures = 0;
        char *bytes = NULL;
        while (!bytes) {
            faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = failures + 1});
            bytes = kind == 0
                        ? pixels_kitty(raster, PIXELS_FIRST, (struct area){0, 0, 27, 70}, 0, "")
                        : pixels_sixel(raster, 0, 0);
            ck_assert_uint_eq(faults_end(), bytes ? 0 : 1);
            failures += !bytes;
        }
        ck_assert_uint_ge(failures, 2);
        free(bytes);
    }
    free(raster);
}
