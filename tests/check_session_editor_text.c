#include "suites.h"

#include "editor_helpers.h"

#include "headlight/text/grapheme.h"
#include "headlight/text/unicode.h"
#include "headlight/view/actions.h"

#include <stdlib.h>
#include <string.h>

/* ---- Text from outside ---- */

TEST(pasted_text_is_cleaned)
{
    const struct {
        const char *pasted;
        size_t length;
        const char *after;
    } rows[] = {
        {"bat", 3, "<bat|>"},
        {"", 0, "<|>"},
        {"a\nb", 3, "<a b|>"},
        {"a\r\nb\rc\td", 8, "<a b c d|>"},
        {"a\n\n\t\tb", 6, "<a b|>"}, /* a new paragraph is one blank */
        {"a \n b\n", 6, "<a   b |>"},
        {"a\v\fb\302\205c\u2028d\u2029", 14, "<a b c d |>"},
        {"\033[31mred\033[0m", 12, "<[31mred[0m|>"},
        {"\033]0;x\a\033[201~", 12, "<]0;x[201~|>"},
        {"a\0b\177\302\233c", 7, "<abc|>"},
        {"\0\001\002", 3, "<|>"},
        {"\xFF\xC3", 2, "<\uFFFD\uFFFD|>"},
        {"\xED\xA0\x80", 3, "<\uFFFD\uFFFD\uFFFD|>"},
        {"a中", 3, "<a\uFFFD\uFFFD|>"}, /* only half of it came */
        {"\u202E\u200B", 6, "<\u202E\u200B|>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct editor *editor = editor_at("<|>", EDITOR_LIMIT);
        editor_insert(editor, rows[i].pasted, rows[i].length);
        expect(editor, rows[i].after, "pasted");
        editor_free(editor);
    }
}

TEST(pasting_is_one_step)
{
    struct editor *editor = editor_at("a|", EDITOR_LIMIT);
    press(editor, "b");
    ck_assert_int_eq(editor_insert(editor, "one two\nthree", 13), EDITOR_CHANGED);
    press(editor, "x Ctrl-_");
    expect(editor, "abone two three|", "typed after it");
    press(editor, "Ctrl-_");
    expect(editor, "ab|", "pasted");
    ck_assert_int_eq(editor_insert(editor, "\033", 1), EDITOR_IGNORED);
    expect(editor, "ab|", "nothing came");
    ck_assert_int_eq(editor_insert(editor, editor_text(editor), 2), EDITOR_CHANGED);
    expect(editor, "abab|", "from itself");
    editor_free(editor);
}

TEST(the_whole_text_is_replaced)
{
    struct editor *editor = editor_at("a| b", EDITOR_LIMIT);
    ck_assert(editor_set(editor, "from\nhistory"));
    expect(editor, "from history|", "set");
    press(editor, "Home");
    ck_assert(editor_set(editor, "from history"));
    expect(editor, "from history|", "set again");
    press(editor, "x Ctrl-_ Ctrl-_");
    expect(editor, "a| b", "undone");
    ck_assert(editor_set(editor, ""));
    expect(editor, "|", "empty");
    editor_free(editor);
}

TEST(a_new_editor_has_clean_text)
{
    struct editor *editor = editor_new("one\n\033two\xFF", EDITOR_LIMIT);
    ck_assert_ptr_nonnull(editor);
    expect(editor, "one two\uFFFD|", "new");
    editor_free(editor);
    editor_free(NULL);
}

/* ---- Limits ---- */

TEST(nothing_is_cut_at_the_limit)
{
    struct editor *editor = editor_at("abc|", 5);
    ck_assert_int_eq(editor_key(editor, 0x4E2D), EDITOR_MOVED); /* three bytes */
    expect(editor, "abc|", "中");
    ck_assert_int_eq(editor_insert(editor, "xyz", 3), EDITOR_MOVED);
    ck_assert_int_eq(editor_insert(editor, "\xFF", 1), EDITOR_MOVED); /* three when repaired */
    expect(editor, "abc|", "pasted");
    ck_assert_int_eq(editor_insert(editor, "\033\033\033xy", 5), EDITOR_CHANGED);
    ck_assert_int_eq(press(editor, "z"), EDITOR_MOVED);
    expect(editor, "abcxy|", "full");
    ck_assert(!editor_set(editor, "123456"));
    expect(editor, "abcxy|", "set");
    ck_assert(editor_set(editor, "12345"));
    press(editor, "Backspace Left Ctrl-K Ctrl-Y Ctrl-Y Ctrl-Y");
    expect(editor, "12344|", "yanked");
    editor_free(editor);
    ck_assert_ptr_null(editor_new("123456", 5));
}

/* What didn't fit is no step, so what fits then doesn't become part of one. */
TEST(refused_keys_leave_undo_alone)
{
    struct editor *editor = editor_at("abcd|", 5);
    press(editor, "Home 中 e");
    expect(editor, "e|abcd", "typed");
    press(editor, "f Ctrl-_");
    expect(editor, "|abcd", "undone");
    press(editor, "Ctrl-_");
    expect(editor, "|abcd", "no more");
    editor_free(editor);
}

TEST(undo_keeps_the_last_steps)
{
    struct editor *editor = editor_at("|", EDITOR_LIMIT);
    for (int i = 0; i < EDITOR_STEPS + 20; i++)
        press(editor, "Space x");
    for (int i = 0; i < EDITOR_STEPS; i++)
        ck_assert_int_eq(press(editor, "Ctrl-_"), EDITOR_CHANGED);
    ck_assert_int_eq(press(editor, "Ctrl-_"), EDITOR_MOVED);
    ck_assert_uint_eq(editor_length(editor), 40);
    editor_free(editor);
}

TEST(a_long_text_is_as_good_as_a_short_one)
{
    struct editor *editor = editor_at("|", EDITOR_LIMIT);
    char *text = malloc(EDITOR_LIMIT + 1);
    memset(text, 'x', EDITOR_LIMIT + 1);
    ck_assert_int_eq(editor_insert(editor, text, EDITOR_LIMIT + 1), EDITOR_MOVED);
    ck_assert_int_eq(editor_insert(editor, text, EDITOR_LIMIT), EDITOR_CHANGED);
    ck_assert_int_eq(press(editor, "x"), EDITOR_MOVED);
    press(editor, "Left Backspace Alt-b Alt-f Ctrl-W");
    expect(editor, "|", "killed");
    press(editor, "Ctrl-Y");
    ck_assert_uint_eq(editor_length(editor), EDITOR_LIMIT - 1);
    editor_free(editor);
    free(text);
}

/* ---- Any keys at all ---- */

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13; /* xorshift32: Marsaglia 2003, Xorshift RNGs */
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

static bool has_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        int32_t code;
        i += unicode_next(text + i, length - i, &code);
        if (code < ' ' || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029)
            return true;
    }
    return false;
}

static void check_sound(const struct editor *editor, size_t limit)
{
    const char *text = editor_text(editor);
    size_t length = editor_length(editor), cursor = editor_cursor(editor);
    ck_assert_uint_le(length, limit);
    ck_assert_uint_eq(strlen(text), length);
    ck_assert(unicode_valid(text, length));
    ck_assert(!has_control(text, length));
    ck_assert_uint_le(cursor, length);
    ck_assert_uint_eq(grapheme_align(text, length, cursor), cursor);
}

/* A key of any kind: mostly commands, and characters that join their neighbours. */
static uint32_t random_key(uint32_t *state)
{
    static const uint32_t texts[] = {'a',     'B',     ' ',    '.',     0x301,  0x200D, 0x1F469,
                                     0x1F1E9, 0x1F1EA, 0x1112, 0x1161,  0x11AB, 0x345,  0x130,
                                     0x250,   0x4E2D,  0x3000, 0x1F3FD, 0xFE0F, 0x202E, 0x1C6};
    uint32_t number = next_random(state);
    switch (next_random(state) % 8) {
    case 0:
        return number % 0x20; /* Ctrl- */
    case 1:
        return KEY_ALT | (number % 0x80);
    case 2:
        return KEY_CODE_UP + number % (KEY_CODE_NONE + 1 - KEY_CODE_UP);
    case 3:
        return number % 0x120000;
    default:
        return texts[number % (sizeof texts / sizeof *texts)];
    }
}

static void paste_random(struct editor *editor, uint32_t *state)
{
    char bytes[24];
    size_t length = next_random(state) % sizeof bytes;
    for (size_t i = 0; i < length; i++)
        bytes[i] = (char)(next_random(state) >> 9);
    editor_insert(editor, bytes, length);
}

TEST(any_keys_leave_a_sound_text, .times = 4)
{
    const size_t limits[] = {0, 7, 60, 300};
    size_t limit = limits[_i];
    uint32_t state = 2463534242u + (uint32_t)_i;
    struct editor *editor = editor_new("", limit);
    for (int i = 0; i < 20000; i++) {
        char before[301];
        uint32_t key = random_key(&state);
        strcpy(before, editor_text(editor));
        enum editor_result result = editor_key(editor, key);
        ck_assert_msg((strcmp(before, editor_text(editor)) != 0) == (result == EDITOR_CHANGED),
                      "key %x", (unsigned)key);
        check_sound(editor, limit);
        if (i % 50 == 0)
            paste_random(editor, &state);
        check_sound(editor, limit);
    }
    editor_free(editor);
}
