/* pixels.c: kitty's graphics protocol: a picture as PNG, in chunks of base64, or in shared memory;
 * and sixel (VT330/VT340 Programmer Reference Manual, volume 2, chapter 14). Both have a palette:
 * in few colours lines are a fifth of the bytes that they are in all of them. */
#include "headlight/terminal/pixels.h"

#include "headlight/base/bytes.h"
#include "headlight/base/format.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <zlib.h>

_Static_assert(sizeof(struct rgb) == 3, "pixels are sent as they lie in memory");

#define COLORS 256

/* ---- Colours ----
 *
 * A shade is all colours that have the upper five bits of each component in common. */

#define SHADES 32768

/* How far a shade is from those before it to have a colour of its own: what gave the best pictures
 * of 30 to 200 strokes; and where bytes are dear, what can hardly be told from it. */
#define APART      12
#define APART_DEAR 32

struct shade {
    uint32_t count;            /* pixels */
    uint32_t red, green, blue; /* sums of their lower three bits */
};

struct palette {
    struct rgb colors[COLORS]; /* the first is the ground */
    int count;
    uint8_t color_of[SHADES]; /* the number of a shade's colour */
    struct shade shades[SHADES];
    uint64_t order[SHADES]; /* the shades in use */
};

static unsigned shade_of(struct rgb color)
{
    return (color.red >> 3) * 1024u + (color.green >> 3) * 32u + (color.blue >> 3);
}

static uint8_t mean(unsigned upper, uint32_t lower, uint32_t count)
{
    return (uint8_t)(upper * 8 + (lower + count / 2) / count);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int distance(struct rgb a, struct rgb b)
{
    int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
    return red * red + green * green + blue * blue;
}

/* The most frequent first, those that are as frequent by their number: an order that no library's
 * qsort can change. The neighbours of a frequent shade are frequent, too: they share its colour, or
 * there would be none left for rare ones. */
static void choose_colors(struct palette *palette, const struct raster *raster, int apart)
{
    size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < count; i++) {
        struct rgb color = raster->pixels[i];
        if (rgb_equal(color, raster->ground))
            continue;
        struct shade *shade = &palette->shades[shade_of(color)];
        shade->count++;
        shade->red += color.red & 7;
        shade->green += color.green & 7;
        shade->blue += color.blue & 7;
    }
    size_t used = 0;
    for (size_t i = 0; i < SHADES; i++) /* the lower 16 bits are the shade */
        if (palette->shades[i].count > 0)
            palette->order[used++] = (uint64_t)(UINT32_MAX - palette->shades[i].count) << 16 | i;
    qsort(palette->order, used, sizeof *palette->order, by_number);
    palette->colors[palette->count++] = raster->ground;
    for (size_t i = 0; i < used; i++) {
        unsigned shade = palette->order[i] & 0xFFFF;
        const struct shade *sums = &palette->shades[shade];
        const struct rgb color = {mean(shade / 1024, sums->red, sums->count),
                                  mean(shade / 32 % 32, sums->green, sums->count),
                                  mean(shade % 32, sums->blue, sums->count)};
        int best = 0; /* the nearest of those that there are */
        for (int j = 1; j < palette->count; j++)
            if (distance(palette->colors[j], color) < distance(palette->colors[best], color))
                best = j;
        if (palette->count < COLORS && distance(palette->colors[best], color) > apart * apart) {
            best = palette->count;
            palette->colors[palette->count++] = color;
        }
        palette->color_of[shade] = (uint8_t)best;
    }
}

/* ---- PNG (PNG Specification, third edition) ---- */

/* A chunk: its length and type, what is inside, and a check of four bytes. */
#define PNG_INSIDE 8

/* The most that there is besides the compressed pixels: the signature, the header, the palette, and
 * four chunks around it all. */
#define PNG_MOST (8 + 13 + 3 * COLORS + 4 * (PNG_INSIDE + 4))

static uint8_t *put_number(uint8_t *at, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        *at++ = (uint8_t)(number >> shift);
    return at;
}

/* What is inside may lie there already. */
static uint8_t *put_chunk(uint8_t *at, const char *type, const void *bytes, size_t count)
{
    uint8_t *start = put_number(at, (uint32_t)count);
    memcpy(start, type, 4);
    memmove(start + 4, bytes, count);
    return put_number(start + 4 + count, (uint32_t)crc32(0, start, (uInt)count + 4));
}

/* Level 4 of zlib: a fifth smaller than level 3, and level 9 would save another tenth; no filter,
 * and neither of zlib's strategies for pictures, makes lines smaller. *count stays as it is without
 * memory, or if `most` bytes don't hold what is compressed. */
static uint8_t *write_png(const struct raster *raster, struct palette *palette, size_t most,
                          size_t *count)
{
    choose_colors(palette, raster, most > 0 ? APART_DEAR : APART);
    const size_t width = (size_t)raster->width, height = (size_t)raster->height;
    const uLong size = (uLong)((width + 1) * height);
    uint8_t *rows = malloc(size), *number = rows; /* a 0 before each row, which is not filtered */
    const struct rgb *pixel = raster->pixels;
    for (size_t y = 0; rows && y < height; y++) {
        *number++ = 0;
        for (size_t x = 0; x < width; x++, pixel++)
            *number++ = rgb_equal(*pixel, raster->ground) ? 0 : palette->color_of[shade_of(*pixel)];
    }
    uLongf length = compressBound(size);
    if (most > 0 && length > most)
        length = most;
    uint8_t *png = malloc(PNG_MOST + length);
    uint8_t *at = png, header[13] = {[8] = 8, 3}; /* 8 bits a pixel, numbers of colours */
    put_number(put_number(header, (uint32_t)raster->width), (uint32_t)raster->height);
    if (png && rows) {
        memcpy(at, "\x89PNG\r\n\x1a\n", 8);
        at = put_chunk(at + 8, "IHDR", header, sizeof header);
        at = put_chunk(at, "PLTE", palette->colors, (size_t)palette->count * sizeof(struct rgb));
    }
    if (png && rows && compress2(at + PNG_INSIDE, &length, rows, size, 4) == Z_OK) {
        at = put_chunk(at, "IDAT", at + PNG_INSIDE, length);
        *count = (size_t)(put_chunk(at, "IEND", "", 0) - png);
    }
    free(rows);
    return png;
}

/* ---- kitty ---- */

/* The most text that one command may carry, and the bytes that it encodes. */
#define CHUNK_TEXT  4096
#define CHUNK_BYTES (CHUNK_TEXT / 4 * 3)

/* ESC 7 and 8 keep the cursor. a=T: take and show; q=2: no answer, which would come as keys; C=1:
 * the cursor stays; z=1: above the text; c, r: cells. The format says what the bytes are. */
static char *show(const char *format, const void *bytes, size_t count, unsigned id,
                  struct area cells, const char *more)
{
    char keys[128];
    struct buffer buffer = {.stream = NULL};
    snprintf(keys, sizeof keys, "a=T,q=2,C=1,i=%u,p=1,z=1,c=%d,r=%d,%s,", id, cells.columns,
             cells.rows, format);
    if (buffer_open(&buffer)) {
        fprintf(buffer.stream, "\0337\033[%d;%dH", cells.y + 1, cells.x + 1);
        /* Only the first piece has the command's keys; m=1 says that another follows. */
        char text[CHUNK_TEXT + 1];
        for (size_t at = 0; at < count; at += CHUNK_BYTES) {
            size_t left = count - at, piece = left < CHUNK_BYTES ? left : CHUNK_BYTES;
            base64_write(text, (const uint8_t *)bytes + at, piece);
            fprintf(buffer.stream, "\033_G%sm=%d;%s\033\\", at == 0 ? keys : "", left > piece,
                    text);
        }
        fprintf(buffer.stream, "\0338%s", more);
    }
    return buffer_close(&buffer);
}

/* f=100: PNG. */
char *pixels_kitty(const struct raster *raster, unsigned id, struct area cells, size_t most,
                   const char *more)
{
    size_t count = 0;
    struct palette *palette = calloc(1, sizeof *palette);
    uint8_t *png = palette ? write_png(raster, palette, most / 4 * 3, &count) : NULL;
    char *text = count > 0 ? show("f=100", png, count, id, cells, more) : NULL;
    free(palette);
    free(png);
    return text;
}

/* ---- Shared memory ----
 *
 * A name lives on when the program has ended, so there are never more than two, and whatever ends
 * the program unlinks them (restore.c). Only KILL leaves them. They are used in turn: a terminal
 * that lags behind still finds what it was told before the last. */
#define PLACES 2

/* macOS takes up to 31 bytes. */
static char names[PLACES][32];
static atomic_bool taken[PLACES];

/* It may be gone already, if the terminal has read it. */
static void take_away(unsigned place)
{
    if (taken[place])
        shm_unlink(names[place]);
    taken[place] = false;
}

/* A name is never used twice: a terminal that lags behind finds nothing under an old one, rather
 * than what belongs to a new one. Written rather than mapped: without room that is an error, and
 * not a signal. Some systems can't write there, and so share nothing. */
const char *pixels_put(unsigned place, const void *bytes, size_t size)
{
    static uint32_t count;
    take_away(place);
    snprintf(names[place], sizeof names[place], "/headlight-%ld-%u", (long)getpid(), count++);
    taken[place] = true;
    int fd = shm_open(names[place], O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (fd < 0) {
        taken[place] = false; /* or somebody else's */
        return NULL;
    }
    size_t at = 0;
    for (ssize_t written = 1; at < size && written > 0; at += written > 0 ? (size_t)written : 0)
        written = write(fd, (const char *)bytes + at, size - at);
    close(fd);
    if (at < size)
        take_away(place);
    return at == size ? names[place] : NULL;
}

void pixels_clear_shared(void)
{
    for (unsigned place = 0; place < PLACES; place++)
        take_away(place);
}

/* t=s: the bytes are a name of shared memory; f=24: RGB; s, v: pixels. */
char *pixels_shared(const struct raster *raster, unsigned id, struct area cells, const char *more)
{
    char format[64];
    size_t size = (size_t)raster->width * (size_t)raster->height * sizeof *raster->pixels;
    const char *name = pixels_put(id - PIXELS_FIRST, raster->pixels, size);
    snprintf(format, sizeof format, "t=s,f=24,s=%d,v=%d", raster->width, raster->height);
    return name ? show(format, name, strlen(name), id, cells, more) : NULL;
}

const char *pixels_ask_shared(void)
{
    static char query[128];
    char text[64] = "";
    const char *name = pixels_put(0, "\0\0", 3);
    if (!name)
        return "";
    base64_write(text, name, strlen(name));
    snprintf(query, sizeof query, "\033_Gi=32,s=1,v=1,a=q,t=s,f=24;%s\033\\", text);
    return query;
}

/* ---- Sixel ----
 *
 * A sixel is a column of six pixels, '?' plus a bit for each, the lowest for the uppermost. A band
 * of six rows is written colour by colour, one over the other: "#7" takes a colour, "!12" repeats
 * what follows, "$" goes back to the left edge, "-" to the next band. */

#define BAND 6

/* ---- A band ---- */

struct band {
    int width, rows;
    bool has[COLORS]; /* pixels */
    uint8_t sixels[]; /* [COLORS, width]: of each colour; all zero between two bands */
};

/* ---- Its text ---- */

static void write_run(FILE *stream, int count, unsigned bits)
{
    if (count > 3) {
        fprintf(stream, "!%d", count);
        count = 1;
    }
    while (count-- > 0)
        fputc((int)('?' + bits), stream);
}

/* Writes a colour's sixels, but no blanks at their end, and clears them. */
static void write_color(FILE *stream, struct band *band, int color)
{
    uint8_t *sixels = &band->sixels[color * band->width];
    fprintf(stream, "$#%d", color);
    for (int x = 0, end; x < band->width; x = end) {
        for (end = x + 1; end < band->width && sixels[end] == sixels[x];)
            end++;
        if (end < band->width || sixels[x] != 0)
            write_run(stream, end - x, sixels[x]);
    }
    memset(sixels, 0, (size_t)band->width);
    band->has[color] = false;
}

/* ---- The picture ---- */

static int percent(uint8_t component)
{
    return (component * 100 + 127) / 255;
}

/* ESC 7 and 8 keep the cursor. CSI r gives up the scrolling region: in a terminal that grew after
 * curses had set one, the picture would scroll it. The middle parameter, 1, leaves what is not
 * painted as it was: the terminal need not clear what is painted anyway. Then the picture's size,
 * and the colours in hundredths. */
char *pixels_sixel(const struct raster *raster, int y, int x)
{
    struct buffer buffer = {.stream = NULL};
    struct palette *palette = calloc(1, sizeof *palette);
    struct band *band = calloc(1, sizeof *band + (size_t)raster->width * COLORS);
    if (palette && band && buffer_open(&buffer)) {
        band->width = raster->width;
        FILE *stream = buffer.stream;
        choose_colors(palette, raster, APART);
        fprintf(stream, "\0337\033[r\033[%d;%dH", y + 1, x + 1);
        fprintf(stream, "\033P0;1;0q\"1;1;%d;%d", raster->width, raster->height);
        for (int i = 0; i < palette->count; i++) {
            const struct rgb color = palette->colors[i];
            fprintf(stream, "#%d;2;%d;%d;%d", i, percent(color.red), percent(color.green),
                    percent(color.blue));
        }
        for (int row = 0; row < raster->height; row += BAND) {
            /* what is not the ground */
            band->rows = raster->height - row < BAND ? raster->height - row : BAND;
            const struct rgb *pixels = raster->pixels + (size_t)row * (size_t)raster->width;
            for (int column = 0; column < raster->width; column++)
                for (int i = 0; i < band->rows; i++) {
                    const struct rgb pixel = pixels[i * raster->width + column];
                    if (rgb_equal(pixel, raster->ground))
                        continue;
                    const uint8_t color = palette->color_of[shade_of(pixel)];
                    band->sixels[color * band->width + column] |= (uint8_t)(1u << i);
                    band->has[color] = true;
                }
            fputs(row > 0 ? "-#0" : "#0", stream); /* the ground first, over the whole width */
            write_run(stream, band->width, (1u << band->rows) - 1);
            for (int i = 1; i < palette->count; i++)
                if (band->has[i])
                    write_color(stream, band, i);
        }
        fputs("\033\\\0338", stream);
    }
    free(palette);
    free(band);
    return buffer_close(&buffer);
}
