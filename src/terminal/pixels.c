/* pixels.c: kitty's graphics protocol: a picture compressed with zlib, in chunks of base64. Sixel
 * is in pixels_sixel.c. */
#include "headlight/terminal/pixels.h"

#include "headlight/base/format.h"

#include <stdlib.h>
#include <zlib.h>

_Static_assert(sizeof(struct rgb) == 3, "pixels are sent as they lie in memory");

/* The longest piece of text that the protocol lets a command have, and the bytes in it. */
#define CHUNK_TEXT  4096
#define CHUNK_BYTES (CHUNK_TEXT / 4 * 3)

/* Base64 (RFC 4648, section 4), with a NUL. */
static void write_base64(char *text, const uint8_t *bytes, size_t count)
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
    *text = '\0';
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
static void write_chunks(FILE *stream, const char *keys, const uint8_t *bytes, size_t count)
{
    char text[CHUNK_TEXT + 1];
    for (size_t at = 0; at < count; at += CHUNK_BYTES) {
        size_t left = count - at, piece = left < CHUNK_BYTES ? left : CHUNK_BYTES;
        write_base64(text, bytes + at, piece);
        fprintf(stream, "\033_G%sm=%d;%s\033\\", at == 0 ? keys : "", left > piece, text);
    }
}

/* ESC 7 and 8 keep the cursor. a=T: take and show; q=2: no answer, which would come as keys; C=1:
 * the cursor stays; z=1: above the text; f=24, o=z: RGB, deflated; s, v: pixels; c, r: cells. */
char *pixels_kitty(const struct raster *raster, unsigned id, struct area cells, const char *more)
{
    char keys[128];
    size_t count = 0;
    struct buffer buffer = {NULL};
    uint8_t *bytes = deflate_pixels(raster, &count);
    snprintf(keys, sizeof keys, "a=T,q=2,C=1,i=%u,p=1,z=1,f=24,o=z,s=%d,v=%d,c=%d,r=%d,", id,
             raster->width, raster->height, cells.columns, cells.rows);
    if (bytes && buffer_open(&buffer)) {
        fprintf(buffer.stream, "\0337\033[%d;%dH", cells.y + 1, cells.x + 1);
        write_chunks(buffer.stream, keys, bytes, count);
        fprintf(buffer.stream, "\0338%s", more);
    }
    free(bytes);
    return buffer_close(&buffer);
}
