/* editor.c: one line of text under readline's keys. The text and the cursor are copied for each
 * step that can be undone: lines are short, and an editor that only ever replaces a line whole is
 * easy to get right. */
#include "headlight/session/editor.h"

#include "headlight/base/size.h"
#include "headlight/text/grapheme.h"
#include "headlight/text/unicode.h"
#include "headlight/view/actions.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* A line's text is immutable, only its cursor moves: each edit makes a new line. So undo only
 * has to keep old lines, and an edit that runs out of memory changes nothing. */
struct line {
    size_t length; /* bytes */
    size_t cursor; /* byte offset between graphemes */
    char text[];   /* clean, NUL-terminated */
};

/* Kinds of keys whose runs form one step of undo. */
enum run { RUN_NONE, RUN_TYPED, RUN_BACKSPACE, RUN_DELETE };

struct editor {
    size_t limit;
    struct line *lines[EDITOR_STEPS + 1]; /* the last is current, the others are for undo */
    size_t count;
    struct line *kill_buffer; /* NULL: nothing yet */
    enum run last, run;       /* the run of the previous key, and of this one */
    bool blank;               /* whether the run ends in a blank */
    size_t type_end;          /* where typing continues, even inside a grapheme */
};

/* The current text, with its cursor. */
static struct line *editor_line_of(const struct editor *editor)
{
    return editor->lines[editor->count - 1];
}

/* ---- Clean text ---- */

/* Valid UTF-8 (U+FFFD for other bytes), each run of newlines and tabs as one blank, no other
 * control characters. The caller frees it; NULL without memory. */
static char *clean(const char *outside, size_t *length)
{
    char *text = unicode_repair(outside, *length, length);
    size_t kept = 0;
    bool broken = false;
    for (size_t i = 0, used; text && i < *length; i += used) {
        int32_t code;
        used = unicode_next(text + i, *length - i, &code);
        const bool breaks =
            (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029;
        if (breaks && !broken) {
            text[kept++] = ' ';
        } else if (!breaks && utf8proc_category(code) != UTF8PROC_CATEGORY_CC) {
            memmove(text + kept, text + i, used);
            kept += used;
        }
        broken = breaks;
    }
    *length = kept;
    return text;
}

/* ---- Steps ---- */

/* A new line with clean text in place of the bytes from `from` to `to`, and the cursor after it;
 * at the end of a grapheme that the edit joins, as when the blank between two halves of a flag
 * is deleted. `line` may be NULL, for an empty one. NULL without memory. */
static struct line *splice(const struct line *line, size_t from, size_t to, const char *text,
                           size_t length)
{
    const char *old = line ? line->text : "";
    size_t after = line ? line->length - to : 0;
    struct line *made = NULL;
    if (length < SIZE_MAX - sizeof *made - from - after)
        made = malloc(sizeof *made + from + length + after + 1);
    if (!made)
        return NULL;
    made->length = from + length + after;
    memcpy(made->text, old, from);
    memcpy(made->text + from, text, length);
    memcpy(made->text + from + length, old + to, after + 1);
    made->cursor = grapheme_align(made->text, made->length, from + length);
    return made;
}

/* Takes over the line as the new text: a step of undo, or with `join` more of the last one. A line
 * over the limit, or NULL (EDITOR_NO_MEMORY), changes nothing; the same text only moves the cursor.
 * None of these makes a step. */
static enum editor_result become(struct editor *editor, struct line *line, bool join)
{
    bool fits = line && line->length <= editor->limit;
    const struct line *shown = editor_line_of(editor);
    if (fits &&
        (line->length != shown->length || memcmp(line->text, shown->text, line->length) != 0)) {
        if (join || editor->count == EDITOR_STEPS + 1)
            free(editor->lines[join ? editor->count - 1 : 0]);
        if (!join && editor->count == EDITOR_STEPS + 1)
            memmove(editor->lines, editor->lines + 1, sizeof editor->lines - sizeof(void *));
        else
            editor->count += !join;
        editor->lines[editor->count - 1] = line;
        return EDITOR_CHANGED;
    }
    if (fits)
        editor_line_of(editor)->cursor = line->cursor;
    editor->run = RUN_NONE; /* without a step there is nothing to join */
    if (!line)
        return EDITOR_NO_MEMORY;
    free(line);
    return EDITOR_MOVED;
}

/* Whether a key that types or deletes one character continues the last step. A blank after a
 * word starts a new one. */
static bool editor_continues(struct editor *editor, enum run run, bool blank)
{
    bool join = editor->last == run && (editor->blank || !blank);
    editor->run = run;
    editor->blank = blank;
    return join;
}

/* ---- Places that a key goes to, or deletes to ---- */

enum place { NOWHERE, LEFT, RIGHT, START, END, WORD_LEFT, WORD_RIGHT, BLANK_LEFT };

static size_t place_in(const struct line *line, enum place place)
{
    switch (place) {
    case LEFT:
        return grapheme_previous(line->text, line->cursor);
    case RIGHT:
        return grapheme_next(line->text, line->length, line->cursor);
    case START:
        return 0;
    case END:
        return line->length;
    case WORD_LEFT:
        return word_start(line->text, line->cursor);
    case WORD_RIGHT:
        return word_end(line->text, line->length, line->cursor);
    default:
        return unspaced_start(line->text, line->cursor);
    }
}

/* ---- Commands ---- */

static enum editor_result move(struct editor *editor, enum place place)
{
    editor_line_of(editor)->cursor = place_in(editor_line_of(editor), place);
    return EDITOR_MOVED;
}

/* Deletes one character. */
static enum editor_result erase(struct editor *editor, enum place place)
{
    const struct line *line = editor_line_of(editor);
    size_t at = line->cursor, to = place_in(line, place), from = size_min(at, to);
    if (to == at)
        return EDITOR_MOVED;
    bool blank = grapheme_is(line->text, line->length, from, UNICODE_SPACE);
    bool join = editor_continues(editor, to < at ? RUN_BACKSPACE : RUN_DELETE, blank);
    return become(editor, splice(line, from, size_max(at, to), "", 0), join);
}

/* Deletes a longer stretch, and keeps it for Ctrl-Y. */
static enum editor_result kill(struct editor *editor, enum place place)
{
    const struct line *line = editor_line_of(editor);
    size_t to = place_in(line, place), from = size_min(line->cursor, to);
    to = size_max(line->cursor, to);
    if (from == to)
        return EDITOR_MOVED;
    struct line *killed = splice(NULL, 0, 0, line->text + from, to - from);
    struct line *rest = killed ? splice(line, from, to, "", 0) : NULL;
    if (!rest) {
        free(killed);
        return EDITOR_NO_MEMORY;
    }
    free(editor->kill_buffer);
    editor->kill_buffer = killed;
    return become(editor, rest, false);
}

/* Text that was deleted is clean already. */
static enum editor_result yank(struct editor *editor, enum place place)
{
    const struct line *line = editor_line_of(editor), *killed = editor->kill_buffer;
    (void)place;
    if (!killed)
        return EDITOR_MOVED;
    return become(editor, splice(line, line->cursor, line->cursor, killed->text, killed->length),
                  false);
}

/* The line before still has its own cursor. */
static enum editor_result undo(struct editor *editor, enum place place)
{
    (void)place;
    if (editor->count == 1)
        return EDITOR_MOVED;
    free(editor->lines[--editor->count]);
    return EDITOR_CHANGED;
}

/* What is typed in one go stays together, even if it joins what follows: the first half of a
 * flag, typed before another flag, takes that one's first half. */
static enum editor_result type(struct editor *editor, uint32_t key)
{
    char bytes[UNICODE_BYTES];
    size_t length = unicode_encode((int32_t)key, bytes);
    size_t at = editor->last == RUN_TYPED ? editor->type_end : editor_line_of(editor)->cursor;
    bool join = editor_continues(editor, RUN_TYPED, unicode_is((int32_t)key, UNICODE_SPACE));
    editor->type_end = at + length;
    return become(editor, splice(editor_line_of(editor), at, at, bytes, length), join);
}

/* ---- Keys ---- */

#define CTRL(letter) ((letter)&0x1Fu)
#define ALT(key)     (KEY_ALT | (key))

static const struct binding {
    uint32_t keys[3]; /* 0: none */
    enum editor_result (*command)(struct editor *editor, enum place place);
    enum place place;
} bindings[] = {
    {{KEY_CODE_LEFT, CTRL('B')}, move, LEFT},
    {{KEY_CODE_RIGHT, CTRL('F')}, move, RIGHT},
    {{KEY_CODE_HOME, CTRL('A')}, move, START},
    {{KEY_CODE_END, CTRL('E')}, move, END},
    {{KEY_CODE_WORD_LEFT, ALT(KEY_CODE_LEFT), ALT('b')}, move, WORD_LEFT},
    {{KEY_CODE_WORD_RIGHT, ALT(KEY_CODE_RIGHT), ALT('f')}, move, WORD_RIGHT},
    {{KEY_CODE_BACKSPACE, 0x7F, CTRL('H')}, erase, LEFT},
    {{KEY_CODE_DELETE, CTRL('D')}, erase, RIGHT},
    {{CTRL('K')}, kill, END},
    {{CTRL('U')}, kill, START},
    {{ALT('d')}, kill, WORD_RIGHT},
    {{ALT(KEY_CODE_BACKSPACE), ALT(0x7F), ALT(CTRL('H'))}, kill, WORD_LEFT},
    {{CTRL('W')}, kill, BLANK_LEFT},
    {{CTRL('Y')}, yank, NOWHERE},
    {{CTRL('_')}, undo, NOWHERE},
};

/* Each key ends the run of the one before, unless its command continues it. Text are code points
 * other than control characters and line separators. */
enum editor_result editor_key(struct editor *editor, uint32_t key)
{
    if (key >= ALT('A') && key <= ALT('Z'))
        key += 'a' - 'A';
    const struct binding *binding = NULL;
    for (size_t i = 0; key != 0 && i < LENGTH(bindings); i++)
        for (size_t j = 0; j < 3; j++)
            binding = bindings[i].keys[j] == key ? &bindings[i] : binding;
    const bool valid = key < KEY_CODE_UP && utf8proc_codepoint_valid((int32_t)key);
    const utf8proc_category_t category = utf8proc_category(valid ? (int32_t)key : 0);
    if (!binding && (category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZL ||
                     category == UTF8PROC_CATEGORY_ZP))
        return EDITOR_IGNORED;
    editor->last = editor->run;
    editor->run = RUN_NONE;
    return binding ? binding->command(editor, binding->place) : type(editor, key);
}

/* ---- The editor ---- */

/* splice for text from outside, which is cleaned first. */
static struct line *splice_outside(const struct line *line, size_t from, size_t to,
                                   const char *text, size_t length)
{
    char *inside = clean(text, &length);
    struct line *made = inside ? splice(line, from, to, inside, length) : NULL;
    free(inside);
    return made;
}

/* A paste is a step of its own, and typing after it another. */
enum editor_result editor_insert(struct editor *editor, const char *text, size_t length)
{
    const struct line *line = editor_line_of(editor);
    struct line *made = splice_outside(line, line->cursor, line->cursor, text, length);
    bool nothing = made && made->length == line->length;
    enum editor_result result = become(editor, made, false);
    editor->run = RUN_NONE;
    return nothing ? EDITOR_IGNORED : result;
}

/* The old text remains as a step of undo. */
bool editor_set(struct editor *editor, const char *text)
{
    const struct line *line = editor_line_of(editor);
    struct line *made = splice_outside(line, 0, line->length, text, strlen(text));
    bool fits = made && made->length <= editor->limit;
    become(editor, made, false);
    editor->run = RUN_NONE;
    return fits;
}

/* The first line is never undone, so there always is one. */
struct editor *editor_new(const char *text, size_t limit)
{
    struct editor *editor = calloc(1, sizeof *editor);
    if (!editor)
        return NULL;
    editor->limit = limit;
    editor->lines[0] = splice_outside(NULL, 0, 0, text, strlen(text));
    editor->count = 1;
    if (editor->lines[0] && editor->lines[0]->length <= limit)
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
    free(editor->kill_buffer);
    free(editor);
}

const char *editor_text(const struct editor *editor)
{
    return editor_line_of(editor)->text;
}

size_t editor_length(const struct editor *editor)
{
    return editor_line_of(editor)->length;
}

size_t editor_cursor(const struct editor *editor)
{
    return editor_line_of(editor)->cursor;
}
