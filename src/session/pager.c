/* pager.c: goes from one text of a file to the next, with the look and the network's changes as
 * they are, and from one place of a text that is looked for to the next. Only places are kept of
 * the other texts: one is read again whenever it is turned to. */
#include "headlight/session/pager.h"

#include "headlight/session/derive.h"

#include <stdlib.h>

/* ---- Which text is shown ------------------------------------------------------------------- */

/* So that one that was edited isn't taken for it. */
static uint64_t mark_of(struct text first, struct text second)
{
    return corpus_hash(first.bytes, first.length, 0) ^
           corpus_hash(second.bytes, second.length, second.length + 1);
}

static bool has(const struct corpus_text *text, const char *wanted)
{
    const size_t length = strlen(wanted);
    return scene_text_has(text->texts[0], wanted, length) ||
           scene_text_has(text->texts[1], wanted, length);
}

/* The label that a text asks for, or the piece at its [MASK]; NO_TOKEN where it doesn't, or can't.
 */
static size_t asked_by(const struct checkpoint *checkpoint, const struct corpus_text *text)
{
    const struct tokenizer *tokenizer = checkpoint->tokenizer;
    const enum model_output output = target_output(checkpoint->model);
    const char *answer = text->answer.bytes;
    const int32_t mask = tokenizer_mask(tokenizer);
    struct target target = {.output = output, .id = -1};
    struct error error;
    if (text->answer.length == 0)
        return NO_TOKEN;
    if (target_is_word(output)) {
        const char *gap = mask >= 0 ? tokenizer_piece(tokenizer, mask) : "";
        if (has(text, gap))
            target.id = target_piece(tokenizer, answer);
    } else if (target_has_token(output) ||
               target_find(checkpoint, NULL, answer, &target, &error) != STATUS_OK ||
               target.output != output) {
        return NO_TOKEN;
    }
    return target.id >= 0 ? (size_t)target.id : NO_TOKEN;
}

/* What it asks for is chosen, as an answer is by its row. */
static void note_text(struct session *session, size_t index, const struct corpus_text *text)
{
    struct pager *pager = &session->pager;
    const struct text about = text->label.length > 0 ? text->label : text->answer;
    pager->at = index;
    pager->number = text->number;
    pager->mark = mark_of(text->texts[0], text->texts[1]);
    text_safe(text->id, false, pager->id, sizeof pager->id);
    pager->about[0] = '\0';
    if (about.length > 0)
        text_safe(about.bytes, false, pager->about, sizeof pager->about);
    session->state.look.answer = asked_by(session->checkpoint, text);
    session->state.source.spaced = text->words;
}

bool pager_describe(const struct session *session, char *text, size_t size)
{
    const struct pager *pager = &session->pager;
    const char *first = texts_at(&session->state.source.texts, 0),
               *second = texts_at(&session->state.source.texts, 1);
    *text = '\0';
    if (!pager->corpus || !first ||
        mark_of(text_of_string(first), text_of_string(second ? second : "")) != pager->mark)
        return false;
    snprintf(text, size, "%s of %s · %s", format_count((int64_t)pager->at + 1).text,
             format_count((int64_t)pager->count).text, pager->id);
    if (pager->about[0])
        format_add(text, size, " · %s", pager->about);
    return true;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static enum status read_text(const struct pager *pager, size_t index,
                             const struct corpus_text **text, struct error *error)
{
    enum status status = corpus_go(pager->corpus, index, error);
    *text = NULL;
    if (status == STATUS_OK)
        status = corpus_next(pager->corpus, text, error);
    if (status == STATUS_OK && !*text)
        return error_set(error, STATUS_FORMAT, "%s has changed: it ends before text %zu",
                         pager->path, index + 1);
    return status;
}

/* A text that doesn't fit the model, or the screen's memory of it, is passed over. */
static bool fits(const struct session *session, const struct corpus_text *text)
{
    const struct config *config = &session->checkpoint->model->config;
    struct encoding *encoding;
    struct error error;
    if (text->texts[0].length > TEXT_LIMIT || text->texts[1].length > TEXT_LIMIT ||
        tokenizer_encode(session->checkpoint->tokenizer, text->texts, text->text_count,
                         session->state.source.special, &encoding, &error) != STATUS_OK)
        return false;
    const size_t count = encoding->count;
    free(encoding);
    return count > 0 &&
           (encoded_cuts(config) || count <= encoded_longest(config, text->text_count));
}

void pager_begin(struct session *session, struct corpus *corpus, const char *path, size_t count)
{
    session->pager = (struct pager){.corpus = corpus, .path = path, .count = count};
}

enum status pager_first(struct session *session, struct text texts[2], size_t *text_count,
                        struct error *error)
{
    struct pager *pager = &session->pager;
    const struct corpus_text *text;
    for (size_t i = 0; i < pager->count; i++) {
        const enum status status = read_text(pager, i, &text, error);
        if (status != STATUS_OK)
            return status;
        if (!fits(session, text))
            continue;
        note_text(session, i, text);
        memcpy(texts, text->texts, sizeof text->texts);
        *text_count = text->text_count;
        return STATUS_OK;
    }
    return error_set(error, STATUS_LIMIT,
                     "%s: expected a text that fits the model's %zu positions, found none",
                     pager->path, session->checkpoint->model->config.longest);
}

enum status pager_resume(struct session *session, uint64_t number, struct error *error)
{
    struct pager *pager = &session->pager;
    const struct corpus_text *text;
    for (size_t i = 0; i < pager->count; i++) {
        const enum status status = read_text(pager, i, &text, error);
        if (status != STATUS_OK)
            return status;
        if (text->number == number)
            note_text(session, i, text);
    }
    return STATUS_OK;
}

/* ---- Going --------------------------------------------------------------------------------- */

/* From the cursor to the next token found, or the previous one, also round the ends if `round`;
 * false, with nothing changed, where there is none. Only tokens that the filter leaves on the
 * cursor's side are searched. */
static bool step_to(struct session *session, bool forward, bool round)
{
    struct scene scene = session_scene(session);
    enum side side = scene.look.side;
    struct token_range range = scene_range(&scene, side);
    size_t cursor = scene_token(&scene, side), count = range.end - range.first;
    size_t start = cursor != NO_TOKEN ? cursor - range.first : forward ? count - 1 : 0;
    for (size_t i = 1; i <= count; i++) {
        size_t token = range.first + (start + (forward ? i : count - i)) % count;
        const bool past = forward ? token <= cursor : token >= cursor;
        if (!scene_is_found(&scene, side, token) || (!round && cursor != NO_TOKEN && past))
            continue;
        *scene_chosen(&scene, side) = token;
        scene.look.query_found = false; /* the user's now */
        session->state.look = scene.look;
        return true;
    }
    return false;
}

unsigned pager_within(struct session *session, bool forward)
{
    const char *wanted = session->state.look.find;
    if (step_to(session, forward, true))
        return SESSION_REDRAW;
    if (*wanted && session->overlay.kind && pager_is_open(session))
        return session_say(session, "not in this text: Enter goes to the next that has \"%s\"",
                           wanted);
    if (*wanted)
        return session_say(session, "no token contains \"%s\"", wanted);
    return session_say(session, "nothing to find yet: press / and type");
}

static unsigned say_passed(struct session *session, unsigned bits, size_t passed)
{
    if (passed > 0)
        session_say(session, "%zu text%s passed over: too long for the model", passed,
                    passed == 1 ? "" : "s");
    return bits;
}

/* The next text of those that fit, and have what is looked for, unless it is "". Round the ends
 * only in a search; a search ends before the text that it began in. */
static unsigned show_text(struct session *session, bool forward, const char *wanted)
{
    const struct pager *pager = &session->pager;
    const struct corpus_text *text;
    struct error error;
    size_t passed = 0;
    const size_t left = *wanted   ? pager->count - 1
                        : forward ? pager->count - 1 - pager->at
                                  : pager->at;
    for (size_t i = 1; i <= left; i++) {
        const size_t index = (pager->at + (forward ? i : pager->count - i)) % pager->count;
        if (read_text(pager, index, &text, &error) != STATUS_OK)
            return session_refuse(session, &error);
        if (*wanted && !has(text, wanted))
            continue;
        const bool round = forward ? index < pager->at : index > pager->at;
        if (fits(session, text)) {
            struct look look = session->state.look;
            unsigned bits = SESSION_REDRAW;
            session->pager.arrives = *wanted ? forward ? 1 : -1 : 0;
            look.from = look.to = NO_TOKEN; /* the chosen ones are of another text */
            if (derive_show(session, &look)) {
                bits = edit_open(session, text->texts, text->text_count);
                note_text(session, index, text);
            }
            if (round)
                session_say(session, forward ? "on from the first text" : "on from the last text");
            return say_passed(session, bits, passed);
        }
        passed++;
    }
    if (*wanted)
        return SESSION_UNCHANGED;
    session_say(session, forward ? "this is the last text" : "this is the first text");
    return say_passed(session, SESSION_REDRAW, passed);
}

unsigned pager_go(struct session *session, bool forward)
{
    const char *wanted = session->state.look.find;
    if (!*wanted)
        return show_text(session, forward, "");
    /* a text that is still on its way to the screen has no tokens to go to */
    if (derived_text_is_shown(session) && step_to(session, forward, false))
        return SESSION_REDRAW;
    const unsigned bits = show_text(session, forward, wanted);
    return bits != SESSION_UNCHANGED ? bits : pager_within(session, forward);
}

unsigned pager_find(struct session *session)
{
    const struct scene scene = session_scene(session);
    const char *wanted = scene.look.find;
    const struct token_range range = scene_range(&scene, scene.look.side);
    for (size_t token = range.first; token < range.end; token++)
        if (scene_is_found(&scene, scene.look.side, token))
            return SESSION_REDRAW;
    const unsigned bits = *wanted ? show_text(session, true, wanted) : SESSION_REDRAW;
    return bits != SESSION_UNCHANGED ? bits : session_say(session, "no text has \"%s\"", wanted);
}

void pager_arrive(struct session *session)
{
    const int arrives = session->pager.arrives;
    session->pager.arrives = 0;
    if (arrives != 0 && session->data.trace)
        step_to(session, arrives > 0, true);
}
