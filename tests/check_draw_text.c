#include "rows.h"
#include "suites.h"

#include "headlight/draw/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

ROW_TEST(text_is_made_safe, "safe")
{
    char safe[256];
    text_safe(row[0], false, safe, sizeof safe);
    ck_assert_str_eq(safe, row[1]);
    text_safe(row[0], true, safe, sizeof safe);
    ck_assert_str_eq(safe, row[2]);
    ck_assert_uint_eq(text_width(row[0], false), (size_t)atoi(row[3]));
}

TEST(too_long_text_is_cut_at_a_glyph)
{
    char safe[6];
    text_safe("日本語", false, safe, sizeof safe);
    ck_assert_str_eq(safe, "日");
    text_safe("abc", false, safe, 1);
    ck_assert_str_eq(safe, "");
}

/* A cluster that never ends keeps to its cell. */
TEST(combining_storm_stays_in_its_cell)
{
    char storm[2 * 5000 + 2] = "a";
    for (size_t i = 0; i < 5000; i++)
        memcpy(storm + 1 + 2 * i, "\xCC\x81", 2);
    struct text_reader reader = text_reader(storm, 1 + 2 * 5000, false);
    struct glyph glyph;
    ck_assert(text_next(&reader, &glyph));
    ck_assert_uint_eq(strlen(glyph.text), 1 + 3 * 2);
    ck_assert(!text_next(&reader, &glyph));
}

static void check_glyph(const struct glyph *glyph, const char *piece)
{
    wchar_t wide[GLYPH_BYTES];
    size_t length = mbstowcs(wide, glyph->text, GLYPH_BYTES);
    int columns = 0;
    if (length == (size_t)-1 || length == 0) /* asserts are slow where there are a million */
        ck_abort_msg("a glyph of \"%s\"", piece);
    for (size_t i = 0; i < length; i++) {
        if (wcwidth(wide[i]) < 0)
            ck_abort_msg("unprintable in \"%s\"", piece);
        columns += wcwidth(wide[i]);
    }
    if (columns != glyph->width)
        ck_abort_msg("\"%s\": %d columns, width %d", piece, columns, glyph->width);
}

/* Over the whole vocabulary: what comes out is as wide as the C library says, so ncurses puts every
 * token where the layout means it to be. */
TEST(vocabulary_has_the_width_it_says)
{
    char line[512];
    size_t pieces = 0;
    FILE *stream = fopen("assets/model/vocab.txt", "r");
    ck_assert_ptr_nonnull(stream);
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\n")] = '\0';
        struct text_reader reader = text_reader(line, strlen(line), false);
        struct glyph glyph;
        while (text_next(&reader, &glyph))
            check_glyph(&glyph, line);
        pieces++;
    }
    fclose(stream);
    ck_assert_uint_gt(pieces, 16000);
}

/* Every code point: no control, format or unassigned character ever comes out. */
TEST(no_code_point_reaches_the_terminal_raw)
{
    for (unsigned code = 1; code < 0x110000; code++) {
        char bytes[8] = "";
        if (code >= 0xD800 && code < 0xE000)
            continue;
        if (wctomb(bytes, (wchar_t)code) < 1)
            continue;
        struct text_reader reader = text_reader(bytes, strlen(bytes), false);
        struct glyph glyph;
        while (text_next(&reader, &glyph)) {
            if ((unsigned char)glyph.text[0] < 0x20)
                ck_abort_msg("U+%04X", code);
            check_glyph(&glyph, bytes);
        }
    }
}
