/* editor_state.h: what an editor holds, shared by editor.c, which keeps the steps, and
 * editor_keys.c, which makes them. For everyone else an editor is closed. */
#ifndef HEADLIGHT_SESSION_EDITOR_STATE_H
#define HEADLIGHT_SESSION_EDITOR_STATE_H

#include "headlight/session/editor.h"
#include "headlight/session/editor_line.h"

/* Keys that belong together when they follow each other. */
enum run { RUN_NONE, RUN_TYPED, RUN_BACKSPACE, RUN_DELETE, RUN_KILL };

struct editor {
    size_t limit;
    /* lines[now] is the text. Undo goes back from it, redo forward; a change drops what lies
     * ahead. */
    struct line *lines[EDITOR_STEPS + 1];
    size_t now, count;
    struct line *original, *killed; /* killed may be NULL */
    enum run last, run;             /* what the key before was part of, and this one is */
    bool blank;                     /* whether the run's last character was one */
    size_t typed;                   /* where typing goes on, be it within a grapheme */
};

/* The text as it is, with its cursor. */
static inline struct line *editor_line(const struct editor *editor)
{
    return editor->lines[editor->now];
}

/* Takes over the line as the new text: a step of its own, or `join`ed to the last one. A line that
 * is too long for the limit changes nothing, nor does NULL, which is EDITOR_NO_MEMORY; one with the
 * same text only moves the cursor; none of them makes a step. */
enum editor_result editor_become(struct editor *editor, struct line *line, bool join);

/* Goes to one of the lines; nothing happens when there is none. */
enum editor_result editor_walk(struct editor *editor, size_t to);

#endif
