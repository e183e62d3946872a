#include "editor_helpers.h"

#include "headlight/text/unicode.h"
#include "headlight/view/actions.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct editor *editor_at(const char *marked, size_t limit)
{
    char text[512];
    size_t at = strcspn(marked, "|");
    ck_assert_uint_lt(strlen(marked), sizeof text);
    ck_assert_msg(marked[at] == '|', "no cursor in %s", marked);
    memcpy(text, marked, at);
    strcpy(text + at, marked + at + 1);
    struct editor *editor = editor_new(text, limit);
    ck_assert_ptr_nonnull(editor);
    while (editor_cursor(editor) > at)
        editor_key(editor, KEY_CODE_LEFT);
    ck_assert_msg(editor_cursor(editor) == at, "no place for a cursor: %s", marked);
    return editor;
}

static enum editor_result type(struct editor *editor, const char *text, size_t length)
{
    enum editor_result result = EDITOR_IGNORED;
    for (size_t i = 0; i < length;) {
        int32_t code;
        i += unicode_next(text + i, length - i, &code);
        result = editor_key(editor, (uint32_t)code);
    }
    return result;
}

enum editor_result press(struct editor *editor, const char *keys)
{
    enum editor_result result = EDITOR_IGNORED;
    for (keys += strspn(keys, " "); *keys; keys += strspn(keys, " ")) {
        size_t length = strcspn(keys, " ");
        uint32_t key = key_named(keys, length);
        if (key != KEY_CODE_NONE)
            result = editor_key(editor, key);
        else
            result = type(editor, keys, length);
        keys += length;
    }
    return result;
}

void expect(const struct editor *editor, const char *marked, const char *what)
{
    const char *text = editor_text(editor);
    size_t cursor = editor_cursor(editor);
    char *found = malloc(editor_length(editor) + 2);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(strlen(text), editor_length(editor));
    sprintf(found, "%.*s|%s", (int)cursor, text, text + cursor);
    ck_assert_msg(strcmp(found, marked) == 0, "%s: expected \"%s\", found \"%s\"", what, marked,
                  found);
    free(found);
}
