/* edit.c: the text is edited in place, one line per sentence. Each change requests a pass; the
 * lines are tokenised once per change, both for the screen and for the pass. The history keeps the
 * texts that were shown: u and U walk it outside the editor, Up and Down inside. */
#include "headlight/session/edit.h"

#include "headlight/session/act.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The texts shown so far: a full array drops the oldest ---- */

/* Only for pairs that own their texts, as those of the history do; others borrow them. */
static void pair_free(struct pair *pair)
{
    free((char *)pair->texts[0]);
    free((char *)pair->texts[1]);
    *pair = (struct pair){{NULL, NULL}};
}

static bool pair_copy(struct pair *copy, const struct pair *pair)
{
    for (size_t i = 0; i < 2; i++)
        copy->texts[i] = pair->texts[i] ? strdup(pair->texts[i]) : NULL;
    if ((!pair->texts[0] || copy->texts[0]) && (!pair->texts[1] || copy->texts[1]))
        return true;
    pair_free(copy);
    return false;
}

/* Either may be NULL, which equals only NULL. */
static bool same_string(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool pair_equal(const struct pair *a, const struct pair *b)
{
    return same_string(a->texts[0], b->texts[0]) && same_string(a->texts[1], b->texts[1]);
}

static void history_append(struct history *history, const struct pair *pair)
{
    struct pair copy;
    if (!pair_copy(&copy, pair))
        return; /* without memory the text is just not remembered */
    if (history->count == HISTORY_MAX) {
        pair_free(&history->pairs[0]);
        memmove(history->pairs, history->pairs + 1, (HISTORY_MAX - 1) * sizeof *history->pairs);
        history->count--;
    }
    history->pairs[history->count++] = copy;
    history->at = history->count - 1;
}

/* After going back, the text gone back to comes once more before the new one: then going back leads
 * to what was last on screen. */
void history_add(struct history *history, const struct pair *pair)
{
    if (history->count > 0 && pair_equal(&history->pairs[history->at], pair))
        return;
    if (history->at + 1 < history->count)
        history_append(history, &history->pairs[history->at]);
    history_append(history, pair);
}

/* The history itself isn't changed, only the place in it. */
const struct pair *history_go(struct history *history, int step)
{
    if (step < 0 ? history->at == 0 : history->at + 1 >= history->count)
        return NULL;
    history->at += step < 0 ? SIZE_MAX : 1;
    return &history->pairs[history->at];
}

const struct pair *history_recall(const struct history *history, size_t back)
{
    return back < history->count ? &history->pairs[history->count - 1 - back] : NULL;
}

void history_free(struct history *history)
{
    for (size_t i = 0; i < history->count; i++)
        pair_free(&history->pairs[i]);
    *history = (struct history){.count = 0};
}

/* ---- The lines ---- */

/* After each change of a line: its encoding would mark the wrong bytes. */
static void check_forget(struct edit *edit)
{
    free(edit->check.encoding);
    edit->check = (struct check){.made = false};
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

/* The lines as a pair, which borrows their text; an empty second line is no second sentence. */
static struct pair lines_pair(const struct edit *edit)
{
    const char *second = edit->lines[1] ? editor_text(edit->lines[1]) : "";
    return (struct pair){{editor_text(edit->lines[0]), *second ? second : NULL}};
}

/* ---- The text that is wanted ---- */

_Static_assert(EDITOR_LIMIT <= TEXT_LIMIT, "what is typed is a text of the state");

/* Borrows the state's texts, which the next request overwrites. */
static struct pair wanted_pair(const struct session *session)
{
    const struct texts *texts = &session->state.source.texts;
    return (struct pair){{texts_at(texts, 0), texts_at(texts, 1)}};
}

/* Requests a text. An editor's line always fits. */
static unsigned edit_want(struct session *session, struct pair pair)
{
    const struct pair before = wanted_pair(session);
    bool same = pair_equal(&before, &pair);
    if (!same) { /* masks refer to the old text's tokens */
        session->state.source.masked.count = 0;
        session->state.source.spaced = false;
    }
    texts_set(&session->state.source.texts, pair.texts[0], pair.texts[1]);
    session->message[0] = '\0';
    return same ? SESSION_REDRAW : SESSION_REDRAW | SESSION_PASS;
}

static unsigned lack_memory(struct session *session)
{
    return session_lacks_memory(session, "the text", EDITOR_LIMIT);
}

/* Requests the text of the changed lines. */
static unsigned want_lines(struct session *session)
{
    check_forget(&session->edit);
    return edit_want(session, lines_pair(&session->edit));
}

/* Counts the unknown tokens too, which the prompt warns of. */
void edit_check(struct session *session)
{
    const struct edit *edit = &session->edit;
    struct check *check = &session->edit.check;
    struct error error;
    if (!edit->active || check->made)
        return;
    const struct tokenizer *tokenizer = session->checkpoint->tokenizer;
    const struct pair pair = lines_pair(edit);
    struct text texts[2] = {{pair.texts[0], strlen(pair.texts[0])}};
    if (pair.texts[1])
        texts[1] = (struct text){pair.texts[1], strlen(pair.texts[1])};
    check->made =
        tokenizer_encode(tokenizer, texts, pair.texts[1] ? 2 : 1, session->state.source.special,
                         &check->encoding, &error) != STATUS_MEMORY;
    for (size_t i = 0; check->encoding && i < check->encoding->count; i++)
        check->unknown += check->encoding->tokens[i].id == tokenizer_unknown(tokenizer);
}

const struct encoding *edit_encoding(const struct session *session)
{
    if (!session->edit.active)
        return NULL;
    const struct pair wanted = wanted_pair(session), lines = lines_pair(&session->edit);
    return pair_equal(&wanted, &lines) ? session->edit.check.encoding : NULL;
}

unsigned edit_go_back(struct session *session, bool back)
{
    const struct pair *pair = history_go(&session->history, back ? -1 : 1);
    if (!pair)
        return session_say(session, "no text %s this one", back ? "before" : "after");
    return edit_want(session, *pair);
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

/* Both the old and the new text go into the history, so that u undoes the replacement. */
unsigned edit_replace(struct session *session, size_t sentence, struct span span, bool spaced,
                      const char *text)
{
    const struct encoded *encoded = session->data.encoded;
    struct pair pair = {{encoded->texts[0].bytes, encoded->texts[1].bytes}};
    char *changed = replaced(pair.texts[sentence], span, spaced, text);
    if (!changed)
        return lack_memory(session);
    history_add(&session->history, &pair);
    pair.texts[sentence] = changed;
    history_add(&session->history, &pair);
    unsigned bits = edit_want(session, pair);
    free(changed);
    return bits | SESSION_PASS;
}

unsigned edit_open(struct session *session, const char *first, const char *second)
{
    const struct encoded *encoded = session->data.encoded;
    const struct pair before = {{encoded->texts[0].bytes, encoded->texts[1].bytes}};
    const struct pair pair = {{first, second}};
    history_add(&session->history, &before);
    history_add(&session->history, &pair);
    return edit_want(session, pair) | SESSION_PASS;
}

/* ---- Editing ---- */

/* The session has requested a text if it shows one; an empty line stands in for a text that isn't
 * known. */
unsigned edit_begin(struct session *session)
{
    struct edit *edit = &session->edit;
    struct pair wanted = wanted_pair(session);
    if (!session->checkpoint)
        return session_say(session, "a recording has no model: its text can't be changed");
    if (!session->data.encoded)
        return SESSION_UNCHANGED;
    if (!wanted.texts[0])
        wanted.texts[0] = "";
    edit->active = pair_copy(&edit->before, &wanted) && lines_set_one(edit, 0, wanted.texts[0]) &&
                   lines_set_one(edit, 1, wanted.texts[1]);
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
    const struct config *config = model_config(session->checkpoint->model);
    const bool cuts = config->sentence && config->sentence->given;
    size_t positions = config->longest;
    if (encoding && encoding->count > positions && !cuts)
        session_say(session, "%zu tokens too many for the model: shorten the text, or Esc",
                    encoding->count - positions);
    else if (encoding && encoding->count == 0)
        session_say(session, "without special tokens a text needs a token: type one, or Esc");
    else
        return true;
    return false;
}

/* The pass is requested even if the text is unchanged: the last one may have been cancelled. */
static unsigned edit_finish(struct session *session)
{
    if (!lines_fit(session))
        return SESSION_REDRAW;
    const struct pair pair = lines_pair(&session->edit);
    history_add(&session->history, &pair);
    unsigned bits = edit_want(session, pair);
    if (session->edit.check.encoding)
        session_mention_unknown(session, session->edit.check.encoding);
    edit_end(&session->edit);
    return bits | SESSION_PASS;
}

/* The text from before is requested, with no pass if it was never changed. */
static unsigned give_up(struct session *session)
{
    unsigned bits = edit_want(session, session->edit.before);
    edit_end(&session->edit);
    return bits;
}

/* Opens the second line if there was one sentence. */
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
 * NULL at the end; *back is the text's position, 0 for the draft. */
static const struct pair *step_in_history(const struct session *session, bool older, size_t *back)
{
    const struct edit *edit = &session->edit;
    const struct pair *pair = NULL, lines = lines_pair(edit);
    for (*back = edit->depth; older || *back > 0;) {
        *back += older ? 1 : SIZE_MAX;
        pair = *back > 0 ? history_recall(&session->history, *back - 1) : &edit->draft;
        if (!pair || *back == 0 || !pair_equal(pair, &lines))
            break;
        pair = NULL;
    }
    return pair;
}

/* Up: an older text; Down: a newer one, and finally what was being typed. */
static unsigned recall(struct session *session, bool older)
{
    struct edit *edit = &session->edit;
    const struct pair lines = lines_pair(edit);
    size_t back;
    const struct pair *pair = step_in_history(session, older, &back);
    if (!pair)
        return SESSION_UNCHANGED;
    if (edit->depth == 0) {
        pair_free(&edit->draft);
        if (!pair_copy(&edit->draft, &lines))
            return lack_memory(session);
    }
    if (!lines_set(edit, pair))
        return lack_memory(session);
    if (!pair->texts[1] && back > 0)
        edit->line = 0;
    edit->depth = back;
    return want_lines(session);
}

/* What a change of the line means for the session. */
static unsigned edit_obey(struct session *session, enum editor_result result)
{
    switch (result) {
    case EDITOR_CHANGED:
        return want_lines(session);
    case EDITOR_MOVED:
        return SESSION_REDRAW;
    case EDITOR_NO_MEMORY:
        return lack_memory(session);
    default: /* no editing key, or only control characters pasted */
        return SESSION_UNCHANGED;
    }
}

/* Keys that concern both lines or the whole edit; others are the line's. */
unsigned edit_key(struct session *session, uint32_t key)
{
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
        return edit_obey(session, editor_key(session->edit.lines[session->edit.line], key));
    }
}

unsigned edit_paste(struct session *session, const char *text, size_t length)
{
    enum editor_result result =
        editor_insert(session->edit.lines[session->edit.line], text, length);
    if (result == EDITOR_MOVED)
        session_say(session, "%zu bytes are too many to paste: a line holds %d", length,
                    EDITOR_LIMIT);
    return edit_obey(session, result);
}
