/* The lines in which text is edited, against a drawing that goes through the whole text and, for
 * each glyph, through all tokens. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/session/overlay.h"
#include "headlight/session/screen.h"

#include <stdlib.h>
#include <string.h>

static struct checkpoint checkpoint;

/* The tiny model has 24 positions and few words: most texts are unknown in part, and too long. */
static void begin(void)
{
    struct error error;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "time flies", "like an arrow");
    overlay_open(&session, OVERLAY_EDIT);
    ck_assert(session.overlay.kind == OVERLAY_EDIT);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

/* A fresh encoding of the lines; free with free(). */
static struct encoding *encode(void)
{
    struct text texts[2];
    struct encoding *encoding;
    struct error error;
    size_t count = 0;
    for (; count < 2 && session.overlay.lines[count]; count++)
        texts[count] = (struct text){editor_text(session.overlay.lines[count]),
                                     editor_length(session.overlay.lines[count])};
    count -= count == 2 && texts[1].length == 0;
    assert_ok(tokenizer_encode(checkpoint.tokenizer, texts, count, true, &encoding, &error), error);
    return encoding;
}

/* 0: known; 1: unknown; 2: beyond the positions. */
static int kind_of(const struct encoding *encoding, size_t line, size_t byte)
{
    size_t positions = checkpoint.model->config.longest;
    for (size_t i = 0; i < encoding->count; i++) {
        const struct token *token = &encoding->tokens[i];
        if (token->added || token->sentence != line || byte < token->span.start ||
            byte >= token->span.end)
            continue;
        if (encoding->count > positions && i + 1 >= positions)
            return 2;
        return token->id == tokenizer_unknown(checkpoint.tokenizer);
    }
    return 0;
}

/* Column and kind of each glyph that lies wholly in the row. */
static void check_line(const struct canvas *canvas, int y, int room, size_t line,
                       const struct encoding *encoding)
{
    const struct editor *editor = session.overlay.lines[line];
    const char *text = editor_text(editor);
    bool here = session.overlay.line == line, ascii = canvas_ascii(canvas);
    struct text_reader before = text_reader(text, editor_cursor(editor), ascii);
    struct text_reader reader = text_reader(text, editor_length(editor), ascii);
    struct glyph glyph;
    int cursor = 0;
    while (text_next(&before, &glyph))
        cursor += glyph.width;
    int at = here && cursor >= room ? room - 1 - cursor : 0;
    int first = at < 0, columns = at;
    struct text_reader all = reader;
    while (text_next(&all, &glyph))
        columns += glyph.width;
    for (const char *byte = text; text_next(&reader, &glyph); byte = reader.next) {
        const struct cell *cell = canvas_at(canvas, y, 4 + at);
        int kind = kind_of(encoding, line, (size_t)(byte - text));
        if (at >= first && at + glyph.width <= room - (columns > room)) {
            ck_assert_str_eq(cell->text, glyph.text);
            ck_assert_uint_eq(cell->style.fore.role, kind ? ROLE_WARNING : ROLE_STRONG);
            ck_assert(kind != 2 || cell->style.back.role == ROLE_WARNING ||
                      cell->style.back.role == ROLE_CURSOR);
        }
        at += glyph.width;
    }
    if (first)
        ck_assert_str_eq(canvas_at(canvas, y, 4)->text, ascii ? "~" : "…");
    if (columns > room)
        ck_assert_str_eq(canvas_at(canvas, y, 4 + room - 1)->text, ascii ? "~" : "…");
}

/* The count stands at the right of the first row; what is left of it is the room. */
static int room_beside_count(const struct canvas *canvas, int y, const struct encoding *encoding)
{
    size_t positions = checkpoint.model->config.longest, unknown = 0;
    char text[96];
    for (size_t i = 0; i < encoding->count; i++)
        unknown += encoding->tokens[i].id == tokenizer_unknown(checkpoint.tokenizer);
    if (encoding->count > positions)
        snprintf(text, sizeof text, "%zu tokens, the model has %zu positions", encoding->count,
                 positions);
    else if (unknown > 0)
        snprintf(text, sizeof text, "%zu unknown, %zu of %zu tokens", unknown, encoding->count,
                 positions);
    else
        snprintf(text, sizeof text, "%zu of %zu tokens", encoding->count, positions);
    int x = canvas->columns - 2 - (int)strlen(text);
    for (size_t i = 0; text[i]; i++)
        ck_assert_msg(canvas_at(canvas, y, x + (int)i)->text[0] == text[i], "%s", text);
    return x - 2 - 4;
}

static void check_drawn(enum glyph_set glyphs)
{
    struct canvas *canvas = canvas_new(90, 4, (struct traits){glyphs, false});
    struct encoding *encoding = encode();
    int rows = session.overlay.lines[1] ? 2 : 1;
    ck_assert_ptr_nonnull(canvas);
    edit_check(&session);
    prompt_draw(&session, canvas, 3);
    ck_assert_int_eq(prompt_rows(&session), rows);
    check_line(canvas, 4 - rows, room_beside_count(canvas, 4 - rows, encoding), 0, encoding);
    if (rows == 2)
        check_line(canvas, 3, 90 - 2 - 4, 1, encoding);
    free(encoding);
    canvas_free(canvas);
}

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % below;
}

/* Texts that grow, of letters of all widths, with the cursor anywhere in either line. */
TEST(lines_are_drawn_as_if_from_their_start, .times = 20)
{
    static const char *const pieces[] = {
        "time ",         "flies ",       "xyz ",
        "\u00FC\u20AC ", "\u4E2D\u6587", "a\u0301 ",
        "\uD55C\uAD6D ", "[MASK]",       "\U0001F469\u200D\U0001F467",
        "\u202E",        "like,an "};
    static const uint32_t keys[] = {KEY_CODE_TAB,  KEY_CODE_HOME, KEY_CODE_END,
                                    KEY_CODE_LEFT, KEY_CODE_LEFT, KEY_CODE_BACKSPACE};
    unsigned state = (unsigned)_i + 1;
    for (int step = 0; step < 60; step++) {
        if (draw(&state, 2)) {
            const char *piece = pieces[draw(&state, sizeof pieces / sizeof *pieces)];
            overlay_paste(&session, piece, strlen(piece));
        } else {
            uint32_t key = keys[draw(&state, sizeof keys / sizeof *keys)];
            for (unsigned times = key == KEY_CODE_LEFT ? draw(&state, 60) + 1 : 1; times > 0;
                 times--)
                overlay_key(&session, key);
        }
        check_drawn(draw(&state, 4) ? GLYPHS_BRAILLE : GLYPHS_ASCII);
    }
}

TEST(what_cannot_be_pasted_is_said)
{
    static char text[EDITOR_LIMIT + 1];
    char *before = strdup(editor_text(session.overlay.lines[session.overlay.line]));
    session.message[0] = '\0';
    overlay_paste(&session, "\001\033", 2); /* nothing is left of it */
    overlay_paste(&session, "", 0);
    ck_assert_str_eq(session.message, "");
    memset(text, 'x', sizeof text);
    overlay_paste(&session, text, sizeof text);
    ck_assert_str_eq(session.message, "65537 bytes are too many: there is room for 65526");
    ck_assert_str_eq(editor_text(session.overlay.lines[session.overlay.line]), before);
    free(before);
}

static const struct encoding *checked(void)
{
    edit_check(&session);
    return session.check.encoding;
}

/* The text is encoded once for many drawings, and again after whatever changes it. */
TEST(the_check_follows_the_text)
{
    static const uint32_t changes[] = {
        'x', KEY_CODE_BACKSPACE, KEY_CODE_UP, KEY_CODE_DOWN, KEY_CODE_TAB,
        'y', 'U' & 0x1F,         KEY_CODE_UP, KEY_CODE_DOWN, 'Y' & 0x1F};
    const struct encoding *before = checked();
    overlay_key(&session, KEY_CODE_LEFT);
    check_drawn(GLYPHS_BRAILLE);
    ck_assert_ptr_eq(checked(), before);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        overlay_key(&session, changes[i]);
        struct encoding *fresh = encode();
        const struct encoding *kept = checked();
        ck_assert_uint_eq(kept->count, fresh->count);
        for (size_t token = 0; token < kept->count; token++)
            ck_assert(kept->tokens[token].id == fresh->tokens[token].id &&
                      kept->tokens[token].span.end == fresh->tokens[token].span.end);
        check_drawn(GLYPHS_BRAILLE);
        free(fresh);
    }
}
