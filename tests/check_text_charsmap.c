#include "headlight/text/tokenizer_reader.h"

#include "suites.h"
#include "text_helpers.h"

#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* The map of a small SentencePiece model. */
static struct charsmap *open_map(void)
{
    struct text file = text_read(FAMILY_FOLDER "albert/spiece.model");
    struct sentencepiece model = text_model(file);
    struct charsmap *charsmap;
    struct error error;
    ck_assert_msg(charsmap_new(model.charsmap.bytes, model.charsmap.length, "model", &charsmap,
                               &error) == STATUS_OK,
                  "%s", error.message);
    free(model.scored.pieces);
    free((char *)file.bytes);
    return charsmap;
}

/* Each code point as its text and span. */
static void describe(const struct points *points, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < points->count && used < size; i++) {
        char bytes[UNICODE_BYTES];
        int length = (int)unicode_encode(points->items[i].code, bytes);
        used +=
            (size_t)snprintf(out + used, size - used, "%s%.*s %zu:%zu", i > 0 ? "," : "", length,
                             bytes, points->items[i].span.start, points->items[i].span.end);
    }
}

static void expect(struct charsmap *charsmap, const char *bytes, size_t length,
                   const char *expected)
{
    char got[512];
    struct points points = text_points((struct text){bytes, length});
    text_replace(charsmap, &points);
    describe(&points, got, sizeof got);
    ck_assert_str_eq(got, expected);
    points_free(&points);
}

#define EXPECT(text, expected) expect(charsmap, text, sizeof(text) - 1, expected)

/* What Hugging Face's rule gives with this map, worked out by an implementation in Python. */
TEST(graphemes_as_the_reference_replaces_them)
{
    struct charsmap *charsmap = open_map();
    EXPECT("", "");
    EXPECT("Kx", "K 0:1,x 1:2");
    EXPECT("\uFF21", "A 0:3");
    EXPECT("\uFF21\u0301", "A 0:5"); /* the accent is lost */
    EXPECT("\uFF21\u0301\u0301", "A 0:3,\u0301 3:5,\u0301 5:7");
    EXPECT("e\u0301\u0301", "é 0:5");
    EXPECT("e\u0301\u0301\u0301", "e 0:1,\u0301 1:3,\u0301 3:5,\u0301 5:7");
    EXPECT("a\uFB01b", "a 0:1,f 1:4,i 1:4,b 4:5");
    EXPECT("\u00BD", "1 0:2,\u2044 0:2,2 0:2");
    EXPECT("x\u200By\uFEFF\x01", "x 0:1,y 4:5");
    EXPECT("\r\n\n\t", "  0:2,  2:3,  3:4");
    EXPECT("a\0\u2028\xC2\x85", "a 0:1, 1:2,  2:5,\xC2\x85 5:7");
    free(charsmap);
}

/* ---- Maps made by hand ---- */

#define UNITS 256

struct map {
    unsigned char bytes[4 + 4 * UNITS + 512];
    size_t length;
};

static void put(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

static void set_unit(struct map *map, size_t at, uint32_t value)
{
    put(map->bytes + 4 + 4 * at, value);
}

#define KEY_ENDS 0x100u
#define VALUE    0x80000000u

/* "b" → "xyz", "bc" → "", "é" → "w", with the root's children at the places of their bytes. */
static void make_map(struct map *map)
{
    static const char texts[] = "xyz\0\0w";
    memset(map, 0, sizeof *map);
    put(map->bytes, 4 * UNITS);
    set_unit(map, 'b', 'b' | KEY_ENDS | 4 << 10);
    set_unit(map, 'b' ^ 4, VALUE | 0);
    set_unit(map, 'b' ^ 4 ^ 'c', 'c' | KEY_ENDS | 0x80 << 10);
    set_unit(map, 'b' ^ 4 ^ 'c' ^ 0x80, VALUE | 4);
    set_unit(map, 0xC3, 0xC3 | 2 << 10);
    set_unit(map, 0xC3 ^ 2 ^ 0xA9, 0xA9 | KEY_ENDS | 3 << 10);
    set_unit(map, 0xC3 ^ 2 ^ 0xA9 ^ 3, VALUE | 5);
    memcpy(map->bytes + 4 + 4 * UNITS, texts, sizeof texts);
    map->length = 4 + 4 * UNITS + sizeof texts;
}

static enum status open_bytes(const struct map *map, size_t length, struct charsmap **charsmap,
                              struct error *error)
{
    /* Of exactly this size, so that a sanitizer sees a read past it. */
    char *exact = malloc(length > 0 ? length : 1);
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, map->bytes, length);
    enum status status = charsmap_new(exact, length, "m", charsmap, error);
    free(exact);
    return status;
}

TEST(keys_and_replacements)
{
    struct map map;
    struct charsmap *charsmap;
    struct error error;
    make_map(&map);
    ck_assert_int_eq(open_bytes(&map, map.length, &charsmap, &error), STATUS_OK);
    EXPECT("abc", "a 0:1,x 1:2,y 1:2,z 1:2,c 2:3");
    EXPECT("b\u0301\u0301", "x 0:5,y 0:5,z 0:5");
    EXPECT("b\u0301\u0301\u0301", "x 0:1,y 0:1,z 0:1,\u0301 1:3,\u0301 3:5,\u0301 5:7");
    EXPECT("é\u0301", "w 0:4");
    EXPECT("é\u0301\u0301", "w 0:2,\u0301 2:4,\u0301 4:6"); /* six bytes */
    EXPECT("\u00C3\xC3z", "\u00C3 0:2,\uFFFD 2:3,z 3:4");
    free(charsmap);
}

TEST(a_replacement_that_is_empty_or_at_the_end)
{
    struct map map;
    struct charsmap *charsmap;
    struct error error;
    make_map(&map);
    set_unit(&map, 'b' ^ 4, VALUE | 3);
    set_unit(&map, 0xC3 ^ 2 ^ 0xA9 ^ 3, VALUE | 7); /* behind the last text */
    ck_assert_int_eq(open_bytes(&map, map.length - 1, &charsmap, &error), STATUS_OK);
    EXPECT("ab\u0301d", "a 0:1,d 4:5");
    EXPECT("\u00E9", "\u00E9 0:2");
    free(charsmap);
}

static void refuse(const struct map *map, size_t length, const char *message)
{
    struct charsmap *charsmap;
    struct error error;
    ck_assert_int_eq(open_bytes(map, length, &charsmap, &error), STATUS_FORMAT);
    ck_assert_ptr_null(charsmap);
    ck_assert_str_eq(error.message, message);
}

TEST(maps_that_are_refused)
{
    struct map map;
    make_map(&map);
    static const struct {
        uint32_t array;
        size_t length;
    } sizes[] = {{0, 0}, {0, 7}, {1024, 1027}, {6, 100}, {0, 100}, {UINT32_MAX, 100}};
    for (int i = 0; i < COUNT(sizes); i++) {
        char message[160];
        put(map.bytes, sizes[i].array);
        snprintf(message, sizeof message,
                 "m: expected a map of characters to begin with the bytes of its array, some "
                 "multiple of 4, found %u in a map of %zu bytes",
                 (unsigned)sizes[i].array, sizes[i].length);
        refuse(&map, sizes[i].length, message);
    }
    make_map(&map);
    map.bytes[4 + 4 * UNITS + 5] = 0xFF;
    refuse(&map, map.length,
           "m: expected replacements in the map of characters that are UTF-8, "
           "found other bytes from its byte 1033 on");
    memset(map.bytes + 4 + 4 * UNITS, 'x', 129);
    refuse(&map, 4 + 4 * UNITS + 129,
           "m: expected replacements of at most 128 bytes in the map of "
           "characters, found one of 129");
}

/* Offsets that lead out of the array, values out of the texts, and into their middle. */
TEST(no_walk_leaves_the_array)
{
    static const char text[] = "abc\u00E9b\u0301\uFFFF\U0010FFFF\xFF";
    const uint32_t wild[] = {0, UINT32_MAX, 0x7FFFFFFF, 0x7FFFFD62, 0xFFFFFF00, 0x00000162};
    struct map map;
    struct charsmap *charsmap;
    struct error error;
    for (size_t at = 0; at < UNITS; at++)
        for (int i = 0; i < COUNT(wild); i++) {
            make_map(&map);
            set_unit(&map, at, wild[i]);
            ck_assert_int_eq(open_bytes(&map, map.length, &charsmap, &error), STATUS_OK);
            struct points points = text_points(text_of(text));
            text_replace(charsmap, &points);
            ck_assert_uint_ge(points.count, 5);
            points_free(&points);
            free(charsmap);
        }
}
