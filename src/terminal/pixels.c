/* pixels.c: kitty's graphics protocol: a picture compressed with zlib, in chunks of base64. Sixel
 * is in pixels_sixel.c. */
#include "headlight/terminal/pixels.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

_Static_assert(sizeof(struct rgb) == 3, "pixels are sent as they lie in memory");

void pixels_free(struct pixels *pixels)
{
    free(pixels->bytes);
    *pixels = (struct pixels){0};
}

char *pixels_room(struct pixels *pixels, size_t more)
{
    if (pixels->room - pixels->length < more) {
        size_t room = 2 * (pixels->length + more);
        char *bytes = realloc(pixels->bytes, room);
        if (!bytes)
            return NULL;
        pixels->bytes = bytes;
        pixels->room = room;
    }
    return pixels->bytes + pixels->length;
}

bool pixels_print(struct pixels *pixels, const char *format, ...)
{
    enum { MOST = 256 };
    char *end = pixels_room(pixels, MOST);
    if (!end)
        return false;
    va_list arguments;
    va_start(arguments, format);
    pixels->length += (size_t)vsnprintf(end, MOST, format, arguments);
    va_end(arguments);
    return true;
}

/* The cursor is kept, and goes to the cell. */
bool pixels_place(struct pixels *pixels, int y, int x)
{
    return pixels_print(pixels, "\0337\033[%d;%dH", y + 1, x + 1);
}

/* ---- kitty ---- */

/* The longest piece of text that the protocol lets a command have, and the bytes in it. */
#define CHUNK_TEXT  4096
#define CHUNK_BYTES (CHUNK_TEXT / 4 * 3)

/* Base64 (RFC 4648, section 4). Returns where the text ends. */
static char *write_base64(char *text, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        unsigned bits = (unsigned)bytes[i] << 16;
        bits |= left > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
        bits |= left > 2 ? bytes[i + 2] : 0;
        *text++ = digits[bits >> 18];
        *text++ = digits[bits >> 12 & 63];
        *text++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        *text++ = left > 2 ? digits[bits & 63] : '=';
    }
    return text;
}

/* The pixels, compressed: NULL without memory. The fastest level: higher ones save a twentieth. */
static uint8_t *deflate_pixels(const struct raster *raster, size_t *count)
{
    uLong size = (uLong)raster->width * (uLong)raster->height * sizeof *raster->pixels;
    uLongf length = compressBound(size);
    uint8_t *bytes = malloc(length);
    if (bytes && compress2(bytes, &length, (const Bytef *)raster->pixels, size, 1) != Z_OK) {
        free(bytes);
        return NULL;
    }
    *count = length;
    return bytes;
}

/* The command's keys stand in its first piece alone; m=1 says that another one follows. */
static bool add_chunks(struct pixels *pixels, const char *keys, const uint8_t *bytes, size_t count)
{
    for (size_t at = 0; at < count; at += CHUNK_BYTES) {
        size_t left = count - at, piece = left < CHUNK_BYTES ? left : CHUNK_BYTES;
        if (!pixels_print(pixels, "\033_G%sm=%d;", at == 0 ? keys : "", left > piece))
            return false;
        char *text = pixels_room(pixels, CHUNK_TEXT + 2);
        if (!text)
            return false;
        char *end = write_base64(text, bytes + at, piece);
        *end++ = '\033';
        *end++ = '\\';
        pixels->length += (size_t)(end - text);
    }
    return true;
}

/* a=T: take and show; q=2: no answer, which would come as keys; C=1: the cursor stays; z=1: above
 * the text; f=24, o=z: RGB, deflated; s, v: pixels; c, r: cells. */
static bool add_kitty(struct pixels *pixels, const struct raster *raster, unsigned id, int columns,
                      int rows)
{
    char keys[128];
    size_t count = 0;
    uint8_t *bytes = deflate_pixels(raster, &count);
    snprintf(keys, sizeof keys, "a=T,q=2,C=1,i=%u,p=1,z=1,f=24,o=z,s=%d,v=%d,c=%d,r=%d,", id,
             raster->width, raster->height, columns, rows);
    bool added = bytes && add_chunks(pixels, keys, bytes, count);
    free(bytes);
    return added;
}

bool pixels_kitty(struct pixels *pixels, const struct raster *raster, unsigned id, int y, int x,
                  int columns, int rows)
{
    size_t before = pixels->length;
    if (pixels_place(pixels, y, x) && add_kitty(pixels, raster, id, columns, rows) &&
        pixels_print(pixels, "\0338"))
        return true;
    pixels->length = before;
    return false;
}

bool pixels_kitty_delete(struct pixels *pixels, unsigned id)
{
    return pixels_print(pixels, "\033_Ga=d,d=I,i=%u,q=2\033\\", id);
}
