#include "rows.h"
#include "suites.h"

#include "editor_helpers.h"

#include "headlight/view/actions.h"

/* Inserting, going on, deleting, killing and yanking, undoing; graphemes are one step. */
ROW_TEST(keys_edit, "editor")
{
    struct editor *editor = editor_at(row[0], EDITOR_LIMIT);
    press(editor, row[1]);
    expect(editor, row[2], row[1]);
    editor_free(editor);
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
