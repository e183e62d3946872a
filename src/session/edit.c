/* edit.c: the text is edited in place, one line per sentence. Each change requests a pass; the
 * lines are tokenised once per change, both for the screen and for the pass. */
#include "headlight/session/edit.h"

#include "headlight/session/act.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is known of the text ---- */

static void check_forget(struct edit *edit)
{
    free(edit->check.encoding);
    edit->check = (struct check){.made = false};
}

/* Encodes the lines if they changed. Without memory the next call tries again. */
static void check_lines(struct edit *edit, const struct tokenizer *tokenizer, bool special)
{
    struct check *check = &edit->check;
    struct text texts[2];
    size_t count = 0;
    struct error error;
    if (check->made)
        return;
    for (; count < 2 && edit->lines[count]; count++)
        texts[count] =
            (struct text){editor_text(edit->lines[count]), editor_length(edit->lines[count])};
    if (count == 2 && texts[1].length == 0)
        count = 1;
    enum status status =
        tokenizer_encode(tokenizer, texts, count, special, &check->encoding, &error);
    check->made = status != STATUS_MEMORY;
    for (size_t i = 0; check->encoding && i < check->encoding->count; i++)
        check->unknown += check->encoding->tokens[i].id == tokenizer_unknown(tokenizer);
}

/* ---- The lines ---- */

/* Opens the lines on a pair. False without memory: then call edit_end. */
static bool lines_open(struct edit *edit, const struct pair *pair)
{
    edit->lines[0] = editor_new(pair->texts[0] ? pair->texts[0] : "", EDITOR_LIMIT);
    edit->lines[1] = pair->texts[1] ? editor_new(pair->texts[1], EDITOR_LIMIT) : NULL;
    return edit->lines[0] && (edit->lines[1] || !pair->texts[1]);
}

void edit_end(struct edit *edit)
{
    editor_free(edit->lines[0]);
    editor_free(edit->lines[1]);
    check_forget(edit);
    pair_free(&edit->before);
    pair_free(&edit->draft);
    *edit = (struct edit){.active = false};
}

/* NULL empties an open line, and doesn't open one. False without memory. */
static bool lines_set_one(struct edit *edit, size_t line, const char *text)
{
    if (!text && !edit->lines[line])
        return true;
    if (!edit->lines[line])
        edit->lines[line] = editor_new("", EDITOR_LIMIT);
    check_forget(edit);
    return edit->lines[line] && editor_set(edit->lines[line], text ? text : "");
}

/* If the second line can't be set, the first is restored by an undo. */
static bool lines_set(struct edit *edit, const struct pair *pair)
{
    const char *before = editor_text(edit->lines[0]);
    if (!lines_set_one(edit, 0, pair->texts[0]))
        return false;
    if (lines_set_one(edit, 1, pair->texts[1]))
        return true;
    if (editor_text(edit->lines[0]) != before)
        editor_key(edit->lines[0], '_' & 0x1F);
    return false;
}

/* Copies the lines to a new pair; an empty second line is no second sentence. */
static bool lines_take(const struct edit *edit, struct pair *pair)
{
    const char *second = edit->lines[1] ? editor_text(edit->lines[1]) : NULL;
    return pair_copy(pair, editor_text(edit->lines[0]), second && *second ? second : NULL);
}

/* ---- The text that is wanted ---- */

_Static_assert(EDITOR_LIMIT <= TEXT_LIMIT, "what is typed is a text of the state");

static bool edit_is_wanted(const struct session *session, const struct pair *pair)
{
    const struct texts *texts = &session->state.source.texts;
    const char *second = texts_at(texts, 1);
    return texts->count > 0 && strcmp(texts_at(texts, 0), pair->texts[0]) == 0 &&
           (second && pair->texts[1] ? strcmp(second, pair->texts[1]) == 0
                                     : second == pair->texts[1]);
}

/* Requests the pair's text, and frees the pair. An editor's line always fits. */
static unsigned edit_want(struct session *session, struct pair *pair)
{
    bool same = edit_is_wanted(session, pair);
    if (!same)
        session->state.source.masked.count = 0; /* masks refer to the old text's tokens */
    texts_set(&session->state.source.texts, pair->texts[0], pair->texts[1]);
    pair_free(pair);
    session->message[0] = '\0';
    return same ? SESSION_REDRAW : SESSION_REDRAW | SESSION_PASS;
}

static unsigned lack_memory(struct session *session)
{
    session_lacks_memory(session, "the text", EDITOR_LIMIT);
    return SESSION_REDRAW;
}

/* Requests the text of the changed lines. */
static unsigned want_lines(struct session *session)
{
    struct pair pair;
    check_forget(&session->edit);
    return lines_take(&session->edit, &pair) ? edit_want(session, &pair) : lack_memory(session);
}

void edit_check(struct session *session)
{
    if (session->edit.active)
        check_lines(&session->edit, session->checkpoint->tokenizer, session->state.source.special);
}

const struct encoding *edit_encoding(const struct session *session)
{
    const struct edit *edit = &session->edit;
    bool same = edit->active;
    for (size_t i = 0; i < 2 && same; i++) {
        const char *wanted = texts_at(&session->state.source.texts, i);
        const char *line = edit->lines[i] ? editor_text(edit->lines[i]) : "";
        same = strcmp(line, wanted ? wanted : "") == 0;
    }
    return same ? edit->check.encoding : NULL;
}

unsigned edit_go_back(struct session *session, bool back)
{
    const struct pair *pair = history_go(&session->history, back ? -1 : 1);
    struct pair copy;
    if (pair && pair_copy(&copy, pair->texts[0], pair->texts[1]))
        return edit_want(session, &copy) | SESSION_NOW;
    if (pair) {
        history_go(&session->history, back ? 1 : -1);
        return lack_memory(session);
    }
    session_say(session, "no text %s this one", back ? "before" : "after");
    return SESSION_REDRAW;
}

/* A copy of `text` with the span replaced; NULL without memory. */
static char *replaced(const char *text, struct span span, bool spaced, const char *with)
{
    size_t size = span.start + spaced + strlen(with) + strlen(text + span.end) + 1;
    char *copy = malloc(size);
    if (copy)
        snprintf(copy, size, "%.*s%s%s%s", (int)span.start, text, spaced ? " " : "", with,
                 text + span.end);
    return copy;
}

unsigned edit_replace(struct session *session, size_t sentence, struct span span, bool spaced,
                      const char *text)
{
    const struct encoded *encoded = session->data.encoded;
    const char *texts[2] = {encoded->texts[0].bytes, encoded->texts[1].bytes};
    char *changed = replaced(texts[sentence], span, spaced, text);
    struct pair before, pair = {{NULL, NULL}};
    bool made = changed && pair_copy(&before, texts[0], texts[1]);
    if (made) {
        history_add(&session->history, &before);
        pair_free(&before);
        texts[sentence] = changed;
        made = pair_copy(&pair, texts[0], texts[1]);
    }
    free(changed);
    if (!made)
        return lack_memory(session);
    history_add(&session->history, &pair);
    return edit_want(session, &pair) | SESSION_PASS | SESSION_NOW;
}

/* ---- Editing ---- */

unsigned edit_begin(struct session *session)
{
    struct edit *edit = &session->edit;
    if (!session->checkpoint) {
        session_say(session, "a recording has no model: its text can't be changed");
        return SESSION_REDRAW;
    }
    if (!session->data.encoded)
        return SESSION_UNCHANGED;
    const struct texts *texts = &session->state.source.texts;
    const char *first = texts->count > 0 ? texts_at(texts, 0) : "";
    edit->active =
        pair_copy(&edit->before, first, texts_at(texts, 1)) && lines_open(edit, &edit->before);
    if (edit->active) {
        history_add(&session->history, &edit->before);
        return SESSION_REDRAW;
    }
    edit_end(edit);
    return lack_memory(session);
}

/* Whether the lines can be shown; if not, the message says why. */
static bool lines_fit(struct session *session)
{
    edit_check(session);
    const struct encoding *encoding = session->edit.check.encoding;
    size_t positions = model_config(session->checkpoint->model)->longest;
    if (encoding && encoding->count > positions)
        session_say(session, "%zu tokens too many for the model: shorten the text, or Esc",
                    encoding->count - positions);
    else if (encoding && encoding->count == 0)
        session_say(session, "without special tokens a text needs a token: type one, or Esc");
    else
        return true;
    return false;
}

static unsigned edit_finish(struct session *session)
{
    struct pair pair;
    if (!lines_fit(session))
        return SESSION_REDRAW;
    if (!lines_take(&session->edit, &pair)) /* the lines stay open to keep the text */
        return lack_memory(session);
    history_add(&session->history, &pair);
    edit_end(&session->edit);
    return edit_want(session, &pair) | SESSION_PASS | SESSION_NOW;
}

static unsigned give_up(struct session *session)
{
    struct pair before = session->edit.before;
    session->edit.before = (struct pair){{NULL, NULL}};
    edit_end(&session->edit);
    return edit_want(session, &before) | SESSION_NOW;
}

static unsigned other_line(struct session *session)
{
    struct edit *edit = &session->edit;
    size_t line = 1 - edit->line;
    if (!edit->lines[line] && !lines_set_one(edit, line, ""))
        return lack_memory(session);
    edit->line = line;
    return SESSION_REDRAW;
}

/* One step through the history, skipping texts equal to the lines, such as the one shown last.
 * NULL at the end; *back is the text's position. */
static const struct pair *step_in_history(const struct session *session, const struct pair *lines,
                                          bool older, size_t *back)
{
    const struct edit *edit = &session->edit;
    const struct pair *pair = NULL;
    for (*back = edit->recalled; older || *back > 0;) {
        *back += older ? 1 : SIZE_MAX;
        pair = *back > 0 ? history_recall(&session->history, *back - 1) : &edit->draft;
        if (!pair || *back == 0 || !pair_equal(pair, lines))
            break;
        pair = NULL;
    }
    return pair;
}

/* Shows a text of the history; `back` is its position, 0 for the draft. */
static unsigned show_recalled(struct session *session, const struct pair *pair, size_t back)
{
    struct edit *edit = &session->edit;
    if (!lines_set(edit, pair))
        return lack_memory(session);
    if (!pair->texts[1] && back > 0)
        edit->line = 0;
    edit->recalled = back;
    if (back == 0)
        pair_free(&edit->draft);
    return want_lines(session);
}

/* Up: an older text; Down: a newer one, and finally what was being typed. */
static unsigned recall(struct session *session, bool older)
{
    struct edit *edit = &session->edit;
    struct pair lines;
    size_t back;
    if (!lines_take(edit, &lines))
        return lack_memory(session);
    const struct pair *pair = step_in_history(session, &lines, older, &back);
    unsigned bits = SESSION_UNCHANGED;
    if (pair)
        bits = show_recalled(session, pair, back);
    if (pair && edit->recalled > 0 && !edit->draft.texts[0]) {
        edit->draft = lines; /* what was being typed */
        return bits;
    }
    pair_free(&lines);
    return bits;
}

unsigned edit_key(struct session *session, uint32_t key)
{
    struct edit *edit = &session->edit;
    switch (key) {
    case KEY_CODE_ENTER:
    case '\n':
        return edit_finish(session);
    case KEY_CODE_ESCAPE:
        return give_up(session);
    case KEY_CODE_TAB:
    case KEY_CODE_BACK_TAB:
        return other_line(session);
    case KEY_CODE_UP:
    case KEY_CODE_DOWN:
        return recall(session, key == KEY_CODE_UP);
    default:
        break;
    }
    switch (editor_key(edit->lines[edit->line], key)) {
    case EDITOR_CHANGED:
        return want_lines(session);
    case EDITOR_MOVED:
        return SESSION_REDRAW;
    case EDITOR_NO_MEMORY:
        return lack_memory(session);
    default:
        return SESSION_UNCHANGED;
    }
}

unsigned edit_paste(struct session *session, const char *text, size_t length)
{
    switch (editor_insert(session->edit.lines[session->edit.line], text, length)) {
    case EDITOR_CHANGED:
        return want_lines(session);
    case EDITOR_MOVED:
        session_say(session, "%zu bytes are too many to paste: a line holds %d", length,
                    EDITOR_LIMIT);
        return SESSION_REDRAW;
    case EDITOR_NO_MEMORY:
        return lack_memory(session);
    default: /* only control characters */
        return SESSION_UNCHANGED;
    }
}
