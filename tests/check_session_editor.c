#include "suites.h"

#include "editor_helpers.h"

#include "headlight/view/actions.h"

struct row {
    const char *before, *keys, *after;
};

static void check_row(const struct row *row)
{
    struct editor *editor = editor_at(row->before, EDITOR_LIMIT);
    press(editor, row->keys);
    expect(editor, row->after, row->keys);
    editor_free(editor);
}

#define CHECK_ROWS(rows)                                                                           \
    for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++)                                     \
    check_row(&(rows)[i])

/* ---- What each key does ---- */

TEST(characters_are_inserted)
{
    const struct row rows[] = {
        {"|", "a", "a|"},
        {"|", "hello", "hello|"},
        {"ho|", "Left ell", "hell|o"},
        {"a|b", "Space", "a |b"},
        {"|", "é中🌉", "é中🌉|"},
        {"e|x", "\u0301", "e\u0301|x"},
        {"a|", "\u202E", "a\u202E|"}, /* a bidi control is text */
        {"a|", "\u00A0", "a\u00A0|"},
        {"|", "~", "~|"},
    };
    CHECK_ROWS(rows);
}

TEST(moving)
{
    const struct row rows[] = {
        {"ab|c", "Left", "a|bc"},   {"ab|c", "Ctrl-B", "a|bc"}, {"ab|c", "Right", "abc|"},
        {"ab|c", "Ctrl-F", "abc|"}, {"|abc", "Left", "|abc"},   {"abc|", "Right", "abc|"},
        {"ab|c", "Home", "|abc"},   {"ab|c", "Ctrl-A", "|abc"}, {"ab|c", "End", "abc|"},
        {"ab|c", "Ctrl-E", "abc|"},
    };
    CHECK_ROWS(rows);
}

TEST(moving_by_words)
{
    const struct row rows[] = {
        {"the bat|", "Word-Left", "the |bat"},
        {"the bat|", "Alt-b", "the |bat"},
        {"the bat|", "Alt-B", "the |bat"}, /* as in readline, Shift makes no difference */
        {"the bat|", "Alt-Left", "the |bat"},
        {"the |bat", "Alt-b", "|the bat"},
        {"the, |bat", "Alt-b", "|the, bat"},
        {"...|the", "Alt-b", "|...the"},
        {"|the bat", "Word-Right", "the| bat"},
        {"|the bat", "Alt-f", "the| bat"},
        {"|the bat", "Alt-Right", "the| bat"},
        {"the| bat", "Alt-f", "the bat|"},
        {"the| (bat).", "Alt-f", "the (bat|)."},
        {"bat|...", "Alt-f", "bat...|"},
        {"|don't", "Alt-f", "don|'t"},
        {"|B2B_x", "Alt-f", "B2B|_x"},
        {"|cafe\u0301 au", "Alt-f", "cafe\u0301| au"},
        {"мир 中文|", "Alt-b", "мир |中文"},
    };
    CHECK_ROWS(rows);
}

TEST(deleting)
{
    const struct row rows[] = {
        {"ab|c", "Backspace", "a|c"},
        {"ab|c", "Ctrl-H", "a|c"},
        {"ab|c", "\x7F", "a|c"},
        {"|abc", "Backspace", "|abc"},
        {"a|bc", "Delete", "a|c"},
        {"a|bc", "Ctrl-D", "a|c"},
        {"abc|", "Delete", "abc|"},
        {"abc|", "Ctrl-D", "abc|"},
        {"|", "Backspace Delete Ctrl-D", "|"},
    };
    CHECK_ROWS(rows);
}

TEST(killing_and_yanking)
{
    const struct row rows[] = {
        {"the |bat", "Ctrl-K", "the |"},
        {"the |bat", "Ctrl-U", "|bat"},
        {"the bat|", "Ctrl-W", "the |"},
        {"the bat's  |", "Ctrl-W", "the |"}, /* to white space */
        {"the\u3000bat|", "Ctrl-W", "the\u3000|"},
        {"the| bat flies", "Alt-d", "the| flies"},
        {"the bat's|", "Alt-Backspace", "the bat'|"}, /* a word */
        {"the bat's|", "Alt-\x7F", "the bat'|"},
        {"the bat's|", "Alt-\b", "the bat'|"},
        {"the |bat", "Ctrl-K Ctrl-Y", "the bat|"},
        {"the |bat", "Ctrl-K Home Ctrl-Y", "bat|the "},
        {"the |bat", "Ctrl-K Ctrl-Y Ctrl-Y", "the batbat|"},
        {"a b|", "Ctrl-W Ctrl-W Ctrl-Y", "a |"},        /* the last */
        {"a b|", "Ctrl-W Ctrl-K Ctrl-Y", "a b|"},       /* that deleted anything */
        {"a b|", "Ctrl-W Ctrl-_ Home Ctrl-Y", "b|a b"}, /* undone or not */
        {"bat|", "Ctrl-Y", "bat|"},                     /* nothing was killed */
        {"bat|", "Backspace Ctrl-Y", "ba|"},
    };
    CHECK_ROWS(rows);
}

TEST(undoing)
{
    const struct row rows[] = {
        {"|", "Ctrl-_", "|"},
        {"a|", "bc Ctrl-_", "a|"},             /* what is typed in one go */
        {"|", "the Space bat Ctrl-_", "the|"}, /* a blank starts a step */
        {"|", "the Space bat Ctrl-_ Ctrl-_", "|"},
        {"|", "a Space Space b Ctrl-_", "a|"},
        {"|", "ab Left x Ctrl-_", "a|b"}, /* so does moving */
        {"|", "ab Left x Ctrl-_ Ctrl-_", "|"},
        {"|", "ab Backspace c Ctrl-_", "a|"}, /* and another command */
        {"|", "ab Backspace c Ctrl-_ Ctrl-_", "ab|"},
        {"the bat|", "Backspace Backspace Ctrl-_", "the bat|"}, /* deleting in one go */
        {"a b|", "Backspace Backspace Backspace Ctrl-_", "a |"},
        {"|ab c", "Delete Delete Delete Ctrl-_", "| c"},
        {"a|b", "Backspace Delete Ctrl-_", "|b"},
        {"the |bat", "Ctrl-K Ctrl-_", "the |bat"},
        {"the |bat", "Ctrl-U Ctrl-Y Ctrl-_", "|bat"},
        {"a b|", "Ctrl-W Ctrl-W Ctrl-_", "a |"},
        {"a|", "b Ctrl-_ c Ctrl-_", "a|"}, /* typing after it is a new step */
        {"a|", "b Ctrl-_ Ctrl-_ Ctrl-_ c", "ac|"},
    };
    CHECK_ROWS(rows);
}

/* ---- Graphemes ---- */

#define FAMILY "👩\u200D👩\u200D👧"
#define HAN    "\u1112\u1161\u11AB" /* 한 in three parts */

TEST(a_grapheme_is_one_step)
{
    const struct row rows[] = {
        {"xe\u0301|", "Left", "x|e\u0301"},
        {"x|e\u0301", "Right", "xe\u0301|"},
        {"xe\u0301|", "Backspace", "x|"},
        {"x|e\u0301y", "Delete", "x|y"},
        {"🇩🇪🇫🇷|", "Left", "🇩🇪|🇫🇷"},
        {"🇩🇪🇫🇷|🇮🇹", "Backspace", "🇩🇪|🇮🇹"},
        {"🇩🇪|🇫🇷", "Delete", "🇩🇪|"},
        {"a" FAMILY "|b", "Left", "a|" FAMILY "b"},
        {"a" FAMILY "|b", "Backspace", "a|b"},
        {HAN HAN "|", "Left", HAN "|" HAN},
        {HAN HAN "|", "Backspace", HAN "|"},
        {"👍🏽|", "Backspace", "|"},
        {"1\uFE0F\u20E3|", "Left", "|1\uFE0F\u20E3"},
    };
    CHECK_ROWS(rows);
}

/* The cursor never stays within what has become one. */
TEST(what_joins_its_neighbours)
{
    const struct row rows[] = {
        {"|\u0301x", "e", "e\u0301|x"},
        {"🇩|x🇪", "Delete", "🇩🇪|"},
        {"🇩x|🇪", "Backspace", "🇩🇪|"},
        {"👩\u200D|x👧", "Delete", "👩\u200D👧|"},
        {"👩|👧", "\u200D", "👩\u200D👧|"},
        {"\u1112|x\u1161", "Ctrl-D", "\u1112\u1161|"},
        {"🇩🇪|🇫🇷", "🇬🇧", "🇩🇪🇬🇧|🇫🇷"}, /* typed together, together still */
        {"👩|👧", "\u200D👩\u200D", "👩\u200D👩\u200D👧|"},
        {"🇩🇪|🇫🇷", "🇬 Right Left x", "🇩🇪🇬🇫x|🇷"},
    };
    CHECK_ROWS(rows);
}

/* ---- What is no editing key ---- */

TEST(other_keys_are_ignored)
{
    const uint32_t keys[] = {
        KEY_CODE_ENTER,
        KEY_CODE_TAB,
        KEY_CODE_ESCAPE,
        KEY_CODE_UP,
        KEY_CODE_DOWN,
        KEY_CODE_PAGE_UP,
        KEY_CODE_PAGE_DOWN,
        KEY_CODE_F1,
        KEY_CODE_NONE,
        KEY_CODE_BACK_TAB,
        KEY_ALT | KEY_CODE_UP,
        KEY_ALT | 'x',
        0x14, /* Ctrl-T, which swaps in readline */
        KEY_ALT,
        0,
        '\n',
        0x03,
        0x0C,
        0x85,
        0x9B,
        0x2028,
        0x2029,
        0xD800,
        0x110000,
        UINT32_MAX,
    };
    struct editor *editor = editor_at("th|e", EDITOR_LIMIT);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        ck_assert_msg(editor_key(editor, keys[i]) == EDITOR_IGNORED, "key %x", (unsigned)keys[i]);
        expect(editor, "th|e", "ignored");
    }
    editor_free(editor);
}

TEST(results_say_what_happened)
{
    const struct {
        const char *before, *keys;
        enum editor_result result;
    } rows[] = {
        {"ab|", "c", EDITOR_CHANGED},
        {"ab|", "Left", EDITOR_MOVED},
        {"|ab", "Left", EDITOR_MOVED},
        {"ab|", "Backspace", EDITOR_CHANGED},
        {"|ab", "Backspace", EDITOR_MOVED},
        {"|", "Ctrl-D", EDITOR_MOVED}, /* never the end of the program */
        {"ab|", "Ctrl-K", EDITOR_MOVED},
        {"ab|", "Ctrl-W", EDITOR_CHANGED},
        {"ab|", "Ctrl-Y", EDITOR_MOVED},
        {"ab|", "Ctrl-_", EDITOR_MOVED},
        {"ab|", "Ctrl-W Ctrl-_", EDITOR_CHANGED},
        {"ab|", "Enter", EDITOR_IGNORED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct editor *editor = editor_at(rows[i].before, EDITOR_LIMIT);
        enum editor_result result = press(editor, rows[i].keys);
        ck_assert_msg(result == rows[i].result, "%s, %s: %d", rows[i].before, rows[i].keys, result);
        editor_free(editor);
    }
}
