/* edit.c: the text is edited in place, one line per sentence. Each change requests a pass; the
 * lines are tokenised once per change, both for the screen and for the pass. Up and Down recall the
 * texts of the history. */
#include "headlight/session/edit.h"

#include "headlight/session/derive.h"
#include "headlight/session/history.h"

#include <stdlib.h>

/* ---- The lines ---- */

void edit_forget(struct session *session)
{
    free(session->check.encoding);
    session->check = (struct check){.made = false};
}

/* NULL empties an open line, and doesn't open one. False without memory. */
static bool set_line(struct session *session, size_t line, const char *text)
{
    struct editor **editor = &session->overlay.lines[line];
    if (!*editor && text)
        *editor = editor_new("", EDITOR_LIMIT);
    edit_forget(session);
    return *editor ? editor_set(*editor, text ? text : "") : !text;
}

/* ---- The text that is wanted ---- */

_Static_assert(EDITOR_LIMIT <= TEXT_LIMIT, "what is typed is a text of the state");

/* As it is put together: too large for a stack, and the session has one thread. */
static struct texts wanted;

/* An empty second line is no second sentence. */
static void put_lines(const struct session *session)
{
    struct editor *const *lines = session->overlay.lines;
    const struct text texts[] = {text_of_string(editor_text(lines[0])),
                                 text_of_string(lines[1] ? editor_text(lines[1]) : "")};
    texts_set(&wanted, texts, texts[1].length > 0 ? 2 : 1);
}

/* Requests it. */
static unsigned want(struct session *session)
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

unsigned edit_want(struct session *session)
{
    edit_forget(session);
    put_lines(session);
    return want(session);
}

static unsigned out_of_memory(struct session *session)
{
    return session_out_of_memory(session, "the text", EDITOR_LIMIT);
}

/* Counts the unknown tokens too, which the prompt warns of. */
void edit_check(struct session *session)
{
    struct check *check = &session->check;
    struct error error;
    if (session->overlay.kind != OVERLAY_EDIT || check->made)
        return;
    const struct tokenizer *tokenizer = session->checkpoint->tokenizer;
    struct text texts[2];
    put_lines(session);
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
    struct text texts[2];
    sentence += session->data.stacks.layers[1] > 0; /* of the target */
    for (size_t i = 0; i < given->count; i++)
        texts[i] = text_of_string(texts_at(given, i));
    snprintf(changed, sizeof changed, "%.*s%s%s%s", (int)span.start, texts[sentence].bytes,
             spaced ? " " : "", text, texts[sentence].bytes + span.end);
    texts[sentence] = text_of_string(changed);
    return edit_open(session, texts, given->count);
}

unsigned edit_open(struct session *session, const struct text *texts, size_t count)
{
    if (!texts_set(&wanted, texts, count))
        return session_say(session, "the text would be too long");
    return want(session) | SESSION_PASS;
}

/* ---- Editing ---- */

/* There was one sentence if the other line isn't open. */
unsigned edit_switch(struct session *session)
{
    const size_t other = 1 - session->overlay.line;
    if (!session->overlay.lines[other] && !set_line(session, other, ""))
        return out_of_memory(session);
    session->overlay.line = other;
    return SESSION_REDRAW;
}

/* The pass is requested even if the text is unchanged: the last one may have been cancelled. Lines
 * that can't be shown stay, and the message says why. */
unsigned edit_finish(struct session *session)
{
    edit_check(session);
    const struct encoding *encoding = session->check.encoding;
    const struct config *config = &session->checkpoint->model->config;
    if (encoding && encoding->count > config->longest &&
        !(config->sentence && config->sentence->given)) /* which cuts */
        return session_say(session, "%zu tokens too many for the model: shorten the text, or Esc",
                           encoding->count - config->longest);
    if (encoding && encoding->count == 0)
        return session_say(session,
                           "without special tokens a text needs a token: type one, or Esc");
    put_lines(session);
    unsigned bits = want(session);
    char note[160];
    if (encoding && session_note_reading(session, encoding, note, sizeof note))
        session_say(session, "%s", note);
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
unsigned edit_recall(struct session *session, bool older)
{
    struct overlay *overlay = &session->overlay;
    const struct texts *texts, *lines = &session->state.source.texts;
    size_t back = overlay->cursor;
    do {
        if (!older && back == 0)
            return SESSION_UNCHANGED;
        back += older ? 1 : SIZE_MAX;
        texts = back > 0 ? shown_before(session->history, back - 1) : &session->typed;
    } while (back > 0 && texts && texts_equal(texts, lines));
    if (!texts)
        return SESSION_UNCHANGED;
    if (overlay->cursor == 0)
        session->typed = *lines;
    const char *before = editor_text(overlay->lines[0]);
    if (!set_line(session, 0, texts_at(texts, 0)))
        return out_of_memory(session);
    if (!set_line(session, 1, texts_at(texts, 1))) {
        if (editor_text(overlay->lines[0]) != before)
            editor_key(overlay->lines[0], '_' & 0x1F); /* restored by an undo */
        return out_of_memory(session);
    }
    if (texts->count < 2 && back > 0)
        overlay->line = 0;
    overlay->cursor = back;
    return edit_want(session);
}
