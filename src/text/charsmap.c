/* charsmap.c: the double-array trie of a SentencePiece model that says which characters become
 * which. The array comes from a file and is walked as it lies: each step checks that it stays
 * inside. */
#include "headlight/text/normaliser.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/grapheme.h"
#include "headlight/text/pieces.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* A grapheme with fewer bytes is looked up whole. */
#define GRAPHEME_LIMIT 6

/* No more code points are looked at for a longer key: SentencePiece's own have up to 3, and an
 * array can lead in circles. */
#define KEY_MAX 32

struct charsmap {
    const unsigned char *array;
    size_t units;     /* of the array, 4 bytes each; at least 1 */
    const char *text; /* the replacements */
    size_t length;
    unsigned char bytes[];
};

/* ---- The array ---- */

/* Little-endian, and possibly unaligned: the array lies where the model file has it. */
static uint32_t read_unit(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* The unit at a place, or one that is no character's where there is no such place. */
static uint32_t unit_at(const struct charsmap *charsmap, size_t at)
{
    return at < charsmap->units ? read_unit(charsmap->array + 4 * at) : UINT32_MAX;
}

/* The offset of a unit to its children (darts-clone): 22 bits, in steps of 256 if bit 9 is set. */
static size_t offset_of(uint32_t unit)
{
    return (size_t)(unit >> 10) << ((unit & 0x200) >> 6);
}

/* Replacements are NUL-terminated, except perhaps the last of a broken file. */
static struct text replacement_at(const struct charsmap *charsmap, size_t at)
{
    if (at >= charsmap->length)
        return (struct text){NULL, 0};
    const char *start = charsmap->text + at;
    const char *end = memchr(start, '\0', charsmap->length - at);
    return (struct text){start, end ? (size_t)(end - start) : charsmap->length - at};
}

/* How many points the shortest key has that they begin with, or the longest; 0: no key does. What
 * it stands for is in *found then. */
static size_t charsmap_find(const struct charsmap *charsmap, const struct points *points,
                            bool longest, struct text *found)
{
    size_t at = offset_of(unit_at(charsmap, 0)), taken = 0;
    for (size_t i = 0; i < size_min(points->count, KEY_MAX) && (longest || taken == 0); i++) {
        char bytes[UNICODE_BYTES];
        const size_t length = unicode_encode(points->items[i].code, bytes);
        uint32_t unit = 0;
        for (size_t k = 0; k < length; k++) {
            const unsigned char byte = (unsigned char)bytes[k];
            at ^= byte;
            unit = unit_at(charsmap, at);
            if (byte == '\0' || (unit & 0x800000FF) != byte)
                return taken;
            at ^= offset_of(unit);
        }
        if (unit & 0x100 && at < charsmap->units) {
            *found = replacement_at(charsmap, unit_at(charsmap, at) & 0x7FFFFFFF);
            taken = found->bytes ? i + 1 : taken;
        }
    }
    return taken;
}

/* ---- Reading ---- */

/* Checked once here, so that replacing needs no checks and no replacement can blow up a text. */
static enum status check_replacements(struct charsmap *charsmap, const char *name,
                                      struct error *error)
{
    for (size_t at = 0; at < charsmap->length;) {
        struct text text = replacement_at(charsmap, at);
        if (text.length > NORMALISER_STRING_MAX)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected replacements of at most %d bytes in the map of "
                             "characters, found one of %zu",
                             name, NORMALISER_STRING_MAX, text.length);
        if (!unicode_valid(text.bytes, text.length))
            return error_set(error, STATUS_FORMAT,
                             "%s: expected replacements in the map of characters that are UTF-8, "
                             "found other bytes from its byte %zu on",
                             name, (size_t)(text.bytes - (const char *)charsmap->bytes));
        at += text.length + 1;
    }
    return STATUS_OK;
}

enum status charsmap_new(const char *bytes, size_t length, const char *name,
                         struct charsmap **charsmap, struct error *error)
{
    *charsmap = NULL;
    const size_t array = length >= 8 ? read_unit((const unsigned char *)bytes) : 0;
    if (array < 4 || array % 4 != 0 || array > length - 4)
        return error_set(
            error, STATUS_FORMAT,
            "%s: expected a map of characters to begin with the bytes of its array, some "
            "multiple of 4, found %zu in a map of %zu bytes",
            name, array, length);
    struct charsmap *made = memory_new(1, sizeof *made, length, name, error);
    if (!made)
        return error->status;
    memcpy(made->bytes, bytes, length);
    made->array = made->bytes + 4;
    made->units = array / 4;
    made->text = (const char *)made->array + array;
    made->length = length - 4 - array;
    if (check_replacements(made, name, error) != STATUS_OK) {
        free(made);
        return error->status;
    }
    *charsmap = made;
    return STATUS_OK;
}

/* ---- Applying ---- */

/* Replaces what the points begin with, of those of a grapheme all: by how many points, or 0 where
 * no key is, or they are long. */
static size_t replace(const struct charsmap *charsmap, const struct points *points, bool longest,
                      struct points *out)
{
    struct text text = {NULL, 0};
    if (!longest && points_bytes(points) >= GRAPHEME_LIMIT)
        return 0;
    const size_t found = charsmap_find(charsmap, points, longest, &text);
    const size_t count = longest ? found : points->count;
    for (size_t i = 0; found > 0 && i < text.length;) {
        struct point point = {.span = points_span(points->items, count)};
        i += unicode_next(text.bytes + i, text.length - i, &point.code);
        points_add(out, point);
    }
    return found > 0 ? count : 0;
}

void charsmap_apply(const struct normal_step *step, const struct points *points, struct points *out)
{
    for (size_t at = 0, taken, count; at < points->count; at += taken) {
        struct points part = {.items = points->items + at, .count = points->count - at};
        int32_t state = 0;
        for (count = 1; !step->longest && count < part.count; count++)
            if (grapheme_breaks(part.items[count - 1].code, part.items[count].code, &state))
                break;
        part.count = step->longest ? part.count : count;
        const size_t replaced = replace(step->charsmap, &part, step->longest, out);
        taken = replaced > 0 ? replaced : count;
        for (size_t i = 0; replaced == 0 && i < count; i++) {
            const struct points one = {.items = part.items + i, .count = 1};
            if (step->longest || replace(step->charsmap, &one, false, out) == 0)
                points_add(out, one.items[0]);
        }
    }
}
