/* player.c: a step of a lesson on a session. Going to one takes two parts, because the pass that
 * its text and changes need runs on a worker: what is computed is asked for first, and the look and
 * the text, whose formulas read the pass, follow when it is there (player_settle). */
#include "headlight/lesson/player.h"

#include "headlight/lesson/formula.h"
#include "headlight/session/act.h"
#include "headlight/session/mask.h"
#include "headlight/session/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status player_begin(struct player *player, const struct lesson *lesson, struct error *error)
{
    *player = (struct player){.lesson = lesson};
    player->panel = (struct panel){.lesson = lesson->title, .steps = lesson->count};
    player->kept = calloc(1, sizeof *player->kept);
    if (player->kept)
        return STATUS_OK;
    *player = (struct player){0};
    return error_memory(error, "the lesson", sizeof *player->kept);
}

static void forget_values(struct player *player)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        free(player->values[i]);
        player->values[i] = NULL;
    }
}

void player_end(struct player *player)
{
    for (size_t i = 0; i < sizeof player->said / sizeof *player->said; i++)
        free(player->said[i]);
    forget_values(player);
    free(player->kept);
    *player = (struct player){0};
}

/* ---- What is the user's ---- */

/* A look with the user's fields of another. */
static struct look with_own(const struct look *look, const struct look *own)
{
    struct look mixed = *look;
    fields_copy_user(&mixed, own, NULL);
    return mixed;
}

/* Settings that the user changed during a step survive it; before the first step, all do. */
static void note_own(struct player *player, const struct look *now)
{
    fields_copy_user(&player->own, now, player->panel.open ? &player->kept->look : NULL);
}

/* ---- Its text, masks and changes ---- */

static const struct lesson_step *step_of(const struct player *player)
{
    return &player->lesson->steps[player->step];
}

/* Keeps what doesn't suit the model, of several the first, for settling to say. */
static void note_lack(struct player *player, const struct error *error)
{
    if (player->lacked.status == STATUS_OK)
        error_write(&player->lacked, STATUS_USAGE, "%s: the step is shown without it",
                    error->message);
}

static bool same_texts(const struct texts *a, const struct texts *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(texts_at(a, i), texts_at(b, i)) == 0;
    return same;
}

/* Whether two sources lead to the same pass of one model. */
static bool same_source(const struct source *a, const struct source *b)
{
    return same_texts(&a->texts, &b->texts) && a->special == b->special &&
           masked_equal(&a->masked, &b->masked) &&
           interventions_first_difference(&a->changes, &b->changes, INTERVENE_LAYERS_MAX) ==
               INTERVENE_LAYERS_MAX;
}

/* The changes' values with what their formulas say of the network as it was trained: its pass is
 * made where there are any. */
static enum status fill_changes(struct session *aside, const struct lesson_state *state,
                                char *filled[FIELD_COUNT], struct error *error)
{
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        const char *value = state->values[field];
        enum formula_state known;
        if (!value || !field_is_network(field))
            continue;
        if (strchr(value, '{') && !aside->data.trace &&
            session_compute(aside, NULL, error) != STATUS_OK)
            return error->status;
        filled[field] = formula_fill(aside, value, &known);
        if (!filled[field])
            return error_memory(error, "the step", strlen(value));
    }
    return STATUS_OK;
}

/* Those that don't suit the model are left out. */
static enum status apply_changes(struct player *player, struct session *aside, struct error *error)
{
    char *filled[FIELD_COUNT] = {NULL};
    const char *values[FIELD_COUNT];
    enum state_field failed;
    struct error inner;
    enum status status = fill_changes(aside, &step_of(player)->state, filled, error);
    memcpy(values, filled, sizeof values);
    while (status == STATUS_OK &&
           fields_apply_network(aside, values, &failed, &inner) != STATUS_OK) {
        note_lack(player, &inner);
        values[failed] = NULL;
    }
    for (size_t i = 0; i < FIELD_COUNT; i++)
        free(filled[i]);
    return status;
}

static enum status open_texts(struct session *session, const struct lesson_state *state,
                              struct error *error)
{
    static const char *const example[] = {EXAMPLE_A, EXAMPLE_B};
    size_t count = state->text_count > 0 ? state->text_count : 2;
    struct text texts[2];
    for (size_t i = 0; i < count; i++) {
        const char *text = state->text_count > 0 ? state->texts[i] : example[i];
        texts[i] = (struct text){text, strlen(text)};
    }
    return session_open(session, texts, count, error);
}

/* Opens the step's text beside what is shown, which a worker may be reading. */
static enum status find_source(struct player *player, struct session *aside, struct error *error)
{
    const struct lesson_state *state = &step_of(player)->state;
    struct error inner;
    if (open_texts(aside, state, error) != STATUS_OK)
        return error->status;
    const char *mask = state->values[FIELD_MASK];
    if (mask && mask_apply(aside, mask, &inner) != STATUS_OK)
        note_lack(player, &inner);
    return apply_changes(player, aside, error);
}

static void want_source(struct session *session, const struct source *source)
{
    struct source *wanted = &session->state.source;
    wanted->texts = source->texts;
    wanted->special = source->special;
    wanted->masked = source->masked;
    wanted->changes = source->changes;
}

/* Lets the session want the step's text, masks and changes, and keeps them as the step's. What
 * doesn't suit the model is left out. Errors as session_open: nothing is changed then. */
static enum status want_step(struct player *player, struct session *session, struct error *error)
{
    static const struct interventions none;
    struct session *aside = calloc(1, sizeof *aside);
    if (!aside)
        return error_memory(error, "the lesson", sizeof *aside);
    const char *const *values = step_of(player)->state.values;
    session_begin(aside, session->checkpoint, !field_is_on(values[FIELD_NO_SPECIAL]), &none);
    aside->logits = false;
    aside->precision = session->precision;
    enum status status = find_source(player, aside, error);
    if (status == STATUS_OK) {
        want_source(session, &aside->state.source);
        player->kept->source = session->state.source;
    }
    session_end(aside);
    free(aside);
    return status;
}

/* ---- What is said ---- */

/* The text of a paragraph; NULL: there is none. While it is not known which, "…" stands for it. */
static const char *choose_case(const struct session *session,
                               const struct lesson_paragraph *paragraph)
{
    for (size_t i = 0; i < paragraph->count; i++) {
        const struct lesson_case *one = &paragraph->cases[i];
        bool holds = !one->condition;
        if (one->condition &&
            condition_evaluate(session, one->condition, &holds) == FORMULA_PENDING)
            return "…";
        if (holds)
            return one->text;
    }
    return NULL;
}

/* Adds a paragraph, as a line of its own. False without memory. */
static bool add_line(char **said, const char *paragraph)
{
    size_t before = *said ? strlen(*said) + 1 : 0, size = before + strlen(paragraph) + 1;
    char *longer = realloc(*said, size);
    if (!longer)
        return false;
    if (before > 0)
        longer[before - 1] = '\n';
    memcpy(longer + before, paragraph, size - before);
    *said = longer;
    return true;
}

static bool say(struct player *player, const struct session *session,
                const struct lesson_paragraph *paragraph)
{
    enum formula_state state = FORMULA_KNOWN;
    const char *chosen = choose_case(session, paragraph);
    if (!chosen)
        return true;
    char *text = formula_fill(session, chosen, &state);
    bool said = text && add_line(&player->said[paragraph->kind], text);
    player->unknown |= state == FORMULA_UNKNOWN;
    player->unfinished |= state == FORMULA_PENDING || strcmp(chosen, "…") == 0;
    free(text);
    return said;
}

static enum status speak(struct player *player, const struct session *session, struct error *error)
{
    const struct lesson_step *step = step_of(player);
    bool said = true;
    player->unfinished = player->unknown = false;
    for (size_t i = 0; i < sizeof player->said / sizeof *player->said; i++) {
        free(player->said[i]);
        player->said[i] = NULL;
    }
    for (size_t i = 0; said && i < step->count; i++)
        said = say(player, session, &step->paragraphs[i]);
    player->panel = (struct panel){
        .open = true,
        .lesson = player->lesson->title,
        .title = step->title,
        .text = player->said[LESSON_TEXT] ? player->said[LESSON_TEXT] : "",
        .look = player->said[LESSON_LOOK],
        .attempt = player->said[LESSON_TRY],
        .step = player->step,
        .steps = player->lesson->count,
    };
    return said ? STATUS_OK : error_memory(error, "the step's text", LESSON_WORDS_MAX);
}

/* ---- How it is shown ---- */

/* Fills in the values that are not known yet. */
static enum status fill_values(struct player *player, const struct session *session,
                               struct error *error)
{
    const char *const *values = step_of(player)->state.values;
    player->partial = false;
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        enum formula_state known = FORMULA_KNOWN;
        if (!values[i] || !field_is_look((enum state_field)i) || player->values[i])
            continue;
        char *filled = formula_fill(session, values[i], &known);
        if (!filled)
            return error_memory(error, "the step", strlen(values[i]));
        if (known != FORMULA_PENDING) {
            player->values[i] = filled;
            continue;
        }
        player->partial = true;
        free(filled);
    }
    return STATUS_OK;
}

/* As without a lesson: where no layer is named, the model's own answer comes first. */
static void begin_words(struct session *session)
{
    struct look look = session->state.look;
    look.layer = session->data.layers - 1;
    if (view_at(look.view)->speaks)
        session_show(session, &look);
}

/* Those that don't suit the model are left out. */
static void apply_settings(struct player *player, struct session *session)
{
    const char *values[FIELD_COUNT];
    enum state_field failed;
    struct error error;
    memcpy(values, player->values, sizeof values);
    while (fields_apply_look(session, values, &failed, &error) != STATUS_OK) {
        note_lack(player, &error);
        values[failed] = NULL;
    }
    if (!values[FIELD_LAYER])
        begin_words(session);
    player->kept->look = session->state.look;
}

/* Formulas see the look that every step begins with. */
static void begin_look(struct player *player, struct session *session)
{
    const struct look first = look_first(session->data.head_count);
    const struct look look = with_own(&first, &player->own);
    forget_values(player);
    session->first_head_due = session->first_head_named = false;
    session_show(session, &look);
}

static enum status show_look(struct player *player, struct session *session, struct error *error)
{
    if (player->coming)
        begin_look(player, session);
    if (fill_values(player, session, error) != STATUS_OK)
        return error->status;
    player->coming = false;
    apply_settings(player, session);
    return STATUS_OK;
}

/* ---- Going ---- */

enum status player_go(struct player *player, struct session *session, size_t step, unsigned *bits,
                      struct error *error)
{
    const struct player before = *player;
    if (!session->checkpoint || !session->data.encoded)
        return error_set(error, STATUS_UNSUPPORTED,
                         session->data.encoded ? "a lesson needs a model, and this is a recording"
                                               : "the model is still being loaded");
    note_own(player, &session->state.look);
    player->step = step;
    player->lacked = (struct error){.status = STATUS_OK};
    if (want_step(player, session, error) != STATUS_OK) {
        *player = before;
        return error->status;
    }
    player->coming = true;
    *bits = SESSION_REDRAW;
    if (request_is_current(session))
        return player_settle(player, session, error);
    *bits |= SESSION_PASS | SESSION_NOW; /* meanwhile the panel keeps what it says */
    return STATUS_OK;
}

enum status player_settle(struct player *player, struct session *session, struct error *error)
{
    bool there = !player_is_away(player, session) && request_is_current(session);
    if (there && (player->coming || player->partial) &&
        show_look(player, session, error) != STATUS_OK)
        return error->status;
    if (there && speak(player, session, error) != STATUS_OK)
        return error->status;
    if (!there || player->lacked.status == STATUS_OK)
        return STATUS_OK;
    *error = player->lacked;
    player->lacked.status = STATUS_OK;
    return error->status;
}

bool player_is_away(const struct player *player, const struct session *session)
{
    const struct look kept = with_own(&player->kept->look, &session->state.look);
    return !same_source(&session->state.source, &player->kept->source) ||
           (!player->coming && !look_equal(&kept, &session->state.look));
}

/* ---- At once ---- */

/* What doesn't suit the model is said, and is no error. */
static enum status said(struct session *session, enum status status, const struct error *error)
{
    if (status != STATUS_USAGE)
        return status;
    session_say(session, "%s", error->message);
    return STATUS_OK;
}

static bool is_unfinished(const struct player *player)
{
    return player->coming || player->partial || player->unfinished;
}

/* What is computed besides may be what a setting waits for, and then what its text does. */
static enum status finish_step(struct player *player, struct session *session, struct error *error)
{
    enum status status = request_rest(session, error);
    for (int round = 0; status == STATUS_OK && is_unfinished(player) && round < 3; round++) {
        status = said(session, player_settle(player, session, error), error);
        if (status == STATUS_OK)
            status = request_rest(session, error);
    }
    return status;
}

enum status player_show(struct player *player, struct session *session, size_t step,
                        struct error *error)
{
    unsigned bits = 0;
    enum status status = said(session, player_go(player, session, step, &bits, error), error);
    if (status == STATUS_OK && bits & SESSION_PASS)
        status = request_settle(session, error);
    return status == STATUS_OK ? finish_step(player, session, error) : status;
}
