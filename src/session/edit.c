/* edit.c: the text is edited in place, one line per sentence. Each change requests a pass; the
 * lines are tokenised once per change, both for the screen and for the pass. Up and Down recall the
 * texts of the history. */
#include "headlight/session/edit.h"

#include "headlight/session/derive.h"
#include "headlight/session/history.h"

#include <stdlib.h>

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

/* ---- The text that is wanted ---- */

_Static_assert(EDITOR_LIMIT <= TEXT_LIMIT, "what is typed is a text of the state");

/* As it is put together: too large for a stack, and the session has one thread. */
static struct texts wanted;

/* An empty second line is no second sentence. */
static void put_lines(const struct edit *edit)
{
    const char *second = edit->lines[1] ? editor_text(edit->lines[1]) : "";
    texts_set(&wanted, editor_text(edit->lines[0]), *second ? second : NULL);
}

/* Requests it. */
static unsigned edit_want(struct session *session)
{
    struct source *source = &session->state.source;
    const bool same = texts_equal(&source->texts, &wanted);
    if (!same) { /* masks refer to the old text's tokens, which went on with those generated */
        source->masked.count = source->generated.count = 0;
        source->spaced = false;
        source->texts = wanted;
        session->tokens_due = derived_target_due(session);
    }
    session->message[0] = '\0';
    return same ? SESSION_REDRAW : SESSION_REDRAW | SESSION_PASS;
}

static unsigned out_of_memory(struct session *session)
{
    return session_out_of_memory(session, "the text", EDITOR_LIMIT);
}

/* Requests the text of the changed lines. */
static unsigned want_lines(struct session *session)
{
    check_forget(&session->edit);
    put_lines(&session->edit);
    return edit_want(session);
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
    struct text texts[2];
    put_lines(edit);
    const size_t count = session->checkpoint->decoder ? 1 : wanted.count; /* of the source */
    for (size_t i = 0; i < count; i++)
        texts[i] = text_of_string(texts_at(&wanted, i));
    check->made = tokenizer_encode(tokenizer, texts, count, session->state.source.special,
                                   &check->encoding, &error) != STATUS_MEMORY;
    for (size_t i = 0; check->encoding && i < check->encoding->count; i++)
        check->unknown += check->encoding->tokens[i].id == tokenizer_unknown(tokenizer);
}

unsigned edit_replace(struct session *session, size_t sentence, struct span span, bool spaced,
                      const char *text)
{
    static char changed[TEXT_LIMIT + 2];
    const struct texts *given = &session->state.source.texts;
    const char *texts[] = {texts_at(given, 0), texts_at(given, 1)};
    sentence += session->data.stacks.layers[1] > 0; /* of the target */
    snprintf(changed, sizeof changed, "%.*s%s%s%s", (int)span.start, texts[sentence],
             spaced ? " " : "", text, texts[sentence] + span.end);
    texts[sentence] = changed;
    return edit_open(session, texts[0], texts[1]);
}

unsigned edit_open(struct session *session, const char *first, const char *second)
{
    if (!texts_set(&wanted, first, second))
        return session_say(session, "the text would be too long");
    return edit_want(session) | SESSION_PASS;
}

/* ---- Editing ---- */

/* The session has requested a text if it shows one; an empty line stands in for a text that isn't
 * known. */
unsigned edit_begin(struct session *session)
{
    struct edit *edit = &session->edit;
    const struct texts *texts = &session->state.source.texts;
    if (!session->checkpoint)
        return session_say(session, SESSION_FIXED);
    if (!session->data.encoded)
        return SESSION_UNCHANGED;
    edit->active = lines_set_one(edit, 0, texts->count > 0 ? texts_at(texts, 0) : "") &&
                   lines_set_one(edit, 1, texts_at(texts, 1));
    if (edit->active)
        return SESSION_REDRAW;
    edit_end(edit);
    return out_of_memory(session);
}

/* The pass is requested even if the text is unchanged: the last one may have been cancelled. Lines
 * that can't be shown stay, and the message says why. */
static unsigned edit_finish(struct session *session)
{
    edit_check(session);
    const struct encoding *encoding = session->edit.check.encoding;
    const struct config *config = &session->checkpoint->model->config;
    if (encoding && encoding->count > config->longest &&
        !(config->sentence && config->sentence->given)) /* which cuts */
        return session_say(session, "%zu tokens too many for the model: shorten the text, or Esc",
                           encoding->count - config->longest);
    if (encoding && encoding->count == 0)
        return session_say(session,
                           "without special tokens a text needs a token: type one, or Esc");
    put_lines(&session->edit);
    unsigned bits = edit_want(session);
    char note[160];
    if (encoding && session_note_reading(session, encoding, note, sizeof note))
        session_say(session, "%s", note);
    edit_end(&session->edit);
    return bits | SESSION_PASS;
}

/* The texts of the history without repetitions: those `back` places before the last, or NULL. */
static const struct texts *shown_before(struct history *history, size_t back)
{
    const struct texts *texts = NULL, *last = NULL;
    for (size_t i = history ? history->count : 0; i-- > 0; last = texts) {
        texts = &history_moment(history, i)->state.source.texts;
        if ((!last || !texts_equal(texts, last)) && back-- == 0)
            return texts;
    }
    return NULL;
}

/* Up: a text that was shown before; Down: a later one, and finally what was being typed. Passes
 * over those equal to the lines, such as the one shown last. */
static unsigned recall(struct session *session, bool older)
{
    struct edit *edit = &session->edit;
    const struct texts *texts, *lines = &session->state.source.texts;
    size_t back = edit->depth;
    do {
        if (!older && back == 0)
            return SESSION_UNCHANGED;
        back += older ? 1 : SIZE_MAX;
        texts = back > 0 ? shown_before(session->history, back - 1) : &session->typed;
    } while (back > 0 && texts && texts_equal(texts, lines));
    if (!texts)
        return SESSION_UNCHANGED;
    if (edit->depth == 0)
        session->typed = *lines;
    const char *before = editor_text(edit->lines[0]);
    if (!lines_set_one(edit, 0, texts_at(texts, 0)))
        return out_of_memory(session);
    if (!lines_set_one(edit, 1, texts_at(texts, 1))) {
        if (editor_text(edit->lines[0]) != before)
            editor_key(edit->lines[0], '_' & 0x1F); /* restored by an undo */
        return out_of_memory(session);
    }
    if (texts->count < 2 && back > 0)
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
        return out_of_memory(session);
    default: /* no editing key, or only control characters pasted */
        return SESSION_UNCHANGED;
    }
}

/* Keys that concern both lines or the whole edit; others are the line's. */
unsigned edit_key(struct session *session, uint32_t key)
{
    struct edit *edit = &session->edit;
    const size_t other = 1 - edit->line;
    switch (key) {
    case KEY_CODE_ENTER:
    case '\n':
        return edit_finish(session);
    case KEY_CODE_TAB:
    case KEY_CODE_BACK_TAB:
        if (!edit->lines[other] && !lines_set_one(edit, other, "")) /* there was one sentence */
            return out_of_memory(session);
        edit->line = other;
        return SESSION_REDRAW;
    case KEY_CODE_UP:
    case KEY_CODE_DOWN:
        return recall(session, key == KEY_CODE_UP);
    default:
        return edit_obey(session, editor_key(edit->lines[edit->line], key));
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
