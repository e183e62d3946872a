#include "headlight/session/editor_state.h"

#include "headlight/text/grapheme.h"
#include "headlight/text/unicode.h"
#include "headlight/view/actions.h"

#include <stdlib.h>
#include <utf8proc.h>

/* ---- Moving ---- */

static enum editor_result move(struct editor *editor, size_t to)
{
    editor_line(editor)->cursor = to;
    return EDITOR_MOVED;
}

static enum editor_result left(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    return move(editor, grapheme_previous(line->text, line->cursor));
}

static enum editor_result right(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    return move(editor, grapheme_next(line->text, line->length, line->cursor));
}

static enum editor_result home(struct editor *editor)
{
    return move(editor, 0);
}

static enum editor_result end(struct editor *editor)
{
    return move(editor, editor_line(editor)->length);
}

static enum editor_result word_left(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    return move(editor, word_start(line->text, line->cursor));
}

static enum editor_result word_right(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    return move(editor, word_end(line->text, line->length, line->cursor));
}

/* ---- Typing and deleting ---- */

/* Whether a key that types or deletes one character goes on with the step before. A blank after a
 * word starts a new one. */
static bool goes_on(struct editor *editor, enum run run, bool blank)
{
    bool join = editor->last == run && (editor->blank || !blank);
    editor->run = run;
    editor->blank = blank;
    return join;
}

/* What is typed in one go stays together, even where it joins what follows: a flag is two code
 * points, and the first one before another flag takes half of that. */
static enum editor_result type(struct editor *editor, uint32_t key)
{
    char bytes[UNICODE_BYTES];
    size_t length = unicode_encode((int32_t)key, bytes);
    size_t at = editor->last == RUN_TYPED ? editor->typed : editor_line(editor)->cursor;
    bool join = goes_on(editor, RUN_TYPED, unicode_is_space((int32_t)key));
    editor->typed = at + length;
    return editor_become(editor, line_splice(editor_line(editor), at, at, bytes, length), join);
}

/* Deletes the grapheme from `from` to `to`. */
static enum editor_result erase(struct editor *editor, size_t from, size_t to, enum run run)
{
    const struct line *line = editor_line(editor);
    if (from == to)
        return EDITOR_MOVED;
    bool join = goes_on(editor, run, grapheme_is_space(line->text, line->length, from));
    return editor_become(editor, line_splice(line, from, to, "", 0), join);
}

static enum editor_result delete_previous(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    return erase(editor, grapheme_previous(line->text, line->cursor), line->cursor, RUN_BACKSPACE);
}

static enum editor_result delete_next(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    size_t to = grapheme_next(line->text, line->length, line->cursor);
    return erase(editor, line->cursor, to, RUN_DELETE);
}

/* ---- Killing and yanking ---- */

/* What has been killed, with the bytes from `from` to `to` before or after it when the key before
 * killed too. */
static struct line *join_killed(const struct editor *editor, size_t from, size_t to)
{
    const struct line *line = editor_line(editor);
    const struct line *killed = editor->last == RUN_KILL ? editor->killed : NULL;
    size_t at = killed && from == line->cursor ? killed->length : 0;
    return line_splice(killed, at, at, line->text + from, to - from);
}

/* Killing nothing leaves what was killed, and the next kill still joins it. */
static enum editor_result kill(struct editor *editor, size_t from, size_t to)
{
    if (from == to) {
        editor->run = editor->last == RUN_KILL ? RUN_KILL : RUN_NONE;
        return EDITOR_MOVED;
    }
    struct line *killed = join_killed(editor, from, to);
    struct line *line = killed ? line_splice(editor_line(editor), from, to, "", 0) : NULL;
    if (!line) {
        free(killed);
        return EDITOR_NO_MEMORY;
    }
    free(editor->killed);
    editor->killed = killed;
    editor->run = RUN_KILL;
    return editor_become(editor, line, false);
}

static enum editor_result kill_to_end(struct editor *editor)
{
    return kill(editor, editor_line(editor)->cursor, editor_line(editor)->length);
}

static enum editor_result kill_to_start(struct editor *editor)
{
    return kill(editor, 0, editor_line(editor)->cursor);
}

static enum editor_result kill_word(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    return kill(editor, line->cursor, word_end(line->text, line->length, line->cursor));
}

static enum editor_result kill_word_back(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    return kill(editor, word_start(line->text, line->cursor), line->cursor);
}

static enum editor_result kill_to_space(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    return kill(editor, unspaced_start(line->text, line->cursor), line->cursor);
}

static enum editor_result yank(struct editor *editor)
{
    const struct line *line = editor_line(editor), *killed = editor->killed;
    if (!killed)
        return EDITOR_MOVED;
    struct line *yanked =
        line_splice(line, line->cursor, line->cursor, killed->text, killed->length);
    return editor_become(editor, yanked, false);
}

/* ---- Changing about, and case ---- */

/* The characters around the cursor; at the end of the line the last two. */
static enum editor_result transpose(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    size_t at = line->cursor;
    if (at == line->length)
        at = grapheme_previous(line->text, at);
    if (at == 0)
        return EDITOR_MOVED;
    const size_t places[] = {grapheme_previous(line->text, at), at, at,
                             grapheme_next(line->text, line->length, at)};
    return editor_become(editor, line_swap(line, places), false);
}

/* The word under or after the cursor and the one before it; after the last word the last two. */
static enum editor_result transpose_words(struct editor *editor)
{
    const struct line *line = editor_line(editor);
    size_t second = word_start(line->text, word_end(line->text, line->length, line->cursor));
    size_t first = word_start(line->text, second);
    const size_t places[] = {first, word_end(line->text, line->length, first), second,
                             word_end(line->text, line->length, second)};
    if (places[1] > second) /* there is but one */
        return EDITOR_MOVED;
    return editor_become(editor, line_swap(line, places), false);
}

static enum editor_result change_case(struct editor *editor, enum letter_case letters)
{
    const struct line *line = editor_line(editor);
    size_t to = word_end(line->text, line->length, line->cursor);
    return editor_become(editor, line_case(line, line->cursor, to, letters), false);
}

static enum editor_result upper(struct editor *editor)
{
    return change_case(editor, CASE_UPPER);
}

static enum editor_result lower(struct editor *editor)
{
    return change_case(editor, CASE_LOWER);
}

static enum editor_result capitalise(struct editor *editor)
{
    return change_case(editor, CASE_CAPITAL);
}

/* ---- Undoing ---- */

static enum editor_result undo(struct editor *editor)
{
    return editor_walk(editor, editor->now - 1); /* SIZE_MAX before the first */
}

static enum editor_result redo(struct editor *editor)
{
    return editor_walk(editor, editor->now + 1);
}

static enum editor_result revert(struct editor *editor)
{
    const struct line *original = editor->original;
    return editor_become(editor, line_splice(NULL, 0, 0, original->text, original->length), false);
}

/* ---- Keys ---- */

#define CTRL(letter) ((letter)&0x1Fu)
#define ALT(key)     (KEY_ALT | (key))

typedef enum editor_result key_command(struct editor *editor);

static key_command *command_of(uint32_t key)
{
    static const struct {
        uint32_t key;
        key_command *command;
    } bindings[] = {
        {KEY_CODE_LEFT, left},
        {CTRL('B'), left},
        {KEY_CODE_RIGHT, right},
        {CTRL('F'), right},
        {KEY_CODE_HOME, home},
        {CTRL('A'), home},
        {KEY_CODE_END, end},
        {CTRL('E'), end},
        {KEY_CODE_WORD_LEFT, word_left},
        {ALT(KEY_CODE_LEFT), word_left},
        {ALT('b'), word_left},
        {KEY_CODE_WORD_RIGHT, word_right},
        {ALT(KEY_CODE_RIGHT), word_right},
        {ALT('f'), word_right},
        {KEY_CODE_BACKSPACE, delete_previous},
        {0x7F, delete_previous},
        {CTRL('H'), delete_previous},
        {KEY_CODE_DELETE, delete_next},
        {CTRL('D'), delete_next},
        {CTRL('K'), kill_to_end},
        {CTRL('U'), kill_to_start},
        {ALT('d'), kill_word},
        {ALT(KEY_CODE_BACKSPACE), kill_word_back},
        {ALT(0x7F), kill_word_back},
        {ALT(CTRL('H')), kill_word_back},
        {CTRL('W'), kill_to_space},
        {CTRL('Y'), yank},
        {CTRL('T'), transpose},
        {ALT('t'), transpose_words},
        {ALT('u'), upper},
        {ALT('l'), lower},
        {ALT('c'), capitalise},
        {CTRL('_'), undo},
        {ALT('_'), redo},
        {ALT('r'), revert},
    };
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (bindings[i].key == key)
            return bindings[i].command;
    return NULL;
}

/* Whether the key is text: a code point, but no control character and no line separator. */
static bool is_text(uint32_t key)
{
    if (key >= KEY_CODE_UP || !utf8proc_codepoint_valid((int32_t)key))
        return false;
    utf8proc_category_t category = utf8proc_category((int32_t)key);
    return category != UTF8PROC_CATEGORY_CC && category != UTF8PROC_CATEGORY_ZL &&
           category != UTF8PROC_CATEGORY_ZP;
}

enum editor_result editor_key(struct editor *editor, uint32_t key)
{
    if (key >= ALT('A') && key <= ALT('Z'))
        key += 'a' - 'A';
    key_command *command = command_of(key);
    if (!command && !is_text(key))
        return EDITOR_IGNORED;
    editor->last = editor->run;
    editor->run = RUN_NONE;
    return command ? command(editor) : type(editor, key);
}
