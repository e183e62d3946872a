#include "headlight/session/editor.h"

#include "headlight/session/editor_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- Steps ---- */

/* Takes the line as the new text: a step of its own, or `join`ed to the last one. */
static void put_line(struct editor *editor, struct line *line, bool join)
{
    while (editor->count > editor->now + 1)
        free(editor->lines[--editor->count]);
    if (join) {
        free(editor_line(editor));
    } else if (editor->count == EDITOR_STEPS + 1) {
        free(editor->lines[0]);
        for (size_t i = 0; i < EDITOR_STEPS; i++)
            editor->lines[i] = editor->lines[i + 1];
    } else {
        editor->now = editor->count++;
    }
    editor->lines[editor->now] = line;
}

enum editor_result editor_become(struct editor *editor, struct line *line, bool join)
{
    bool fits = line && line->length <= editor->limit;
    if (fits && !line_same(line, editor_line(editor))) {
        put_line(editor, line, join);
        return EDITOR_CHANGED;
    }
    if (fits)
        editor_line(editor)->cursor = line->cursor;
    editor->run = RUN_NONE; /* a step that was not made is none to be joined */
    if (!line)
        return EDITOR_NO_MEMORY;
    free(line);
    return EDITOR_MOVED;
}

enum editor_result editor_walk(struct editor *editor, size_t to)
{
    if (to >= editor->count)
        return EDITOR_MOVED;
    editor->now = to;
    return EDITOR_CHANGED;
}

/* ---- The editor ---- */

/* The current line with outside text, made clean, from `from` to `to`. */
static struct line *splice_outside(const struct line *line, size_t from, size_t to,
                                   const char *text, size_t length)
{
    size_t cleaned;
    char *clean = line_clean(text, length, &cleaned);
    struct line *made = clean ? line_splice(line, from, to, clean, cleaned) : NULL;
    free(clean);
    return made;
}

enum editor_result editor_insert(struct editor *editor, const char *text, size_t length)
{
    const struct line *line = editor_line(editor);
    size_t cleaned;
    char *clean = line_clean(text, length, &cleaned);
    struct line *made = NULL;
    if (clean && cleaned > 0)
        made = line_splice(line, line->cursor, line->cursor, clean, cleaned);
    bool nothing = clean && cleaned == 0;
    free(clean);
    editor->run = RUN_NONE;
    return nothing ? EDITOR_IGNORED : editor_become(editor, made, false);
}

bool editor_set(struct editor *editor, const char *text)
{
    const struct line *line = editor_line(editor);
    struct line *made = splice_outside(line, 0, line->length, text, strlen(text));
    bool fits = made && made->length <= editor->limit;
    editor->run = RUN_NONE;
    editor_become(editor, made, false);
    return fits;
}

struct editor *editor_new(const char *text, size_t limit)
{
    struct editor *editor = calloc(1, sizeof *editor);
    if (!editor)
        return NULL;
    struct line *line = splice_outside(NULL, 0, 0, text, strlen(text));
    editor->limit = limit;
    editor->original = line;
    if (line && line->length <= limit)
        editor->lines[0] = line_splice(line, line->length, line->length, "", 0);
    editor->count = 1;
    if (editor->lines[0])
        return editor;
    editor_free(editor);
    return NULL;
}

void editor_free(struct editor *editor)
{
    if (!editor)
        return;
    for (size_t i = 0; i < editor->count; i++)
        free(editor->lines[i]);
    free(editor->original);
    free(editor->killed);
    free(editor);
}

const char *editor_text(const struct editor *editor)
{
    return editor_line(editor)->text;
}

size_t editor_length(const struct editor *editor)
{
    return editor_line(editor)->length;
}

size_t editor_cursor(const struct editor *editor)
{
    return editor_line(editor)->cursor;
}
