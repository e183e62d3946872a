/* player.c: shows the steps of a lesson in a session. This takes two parts, as the pass that a step
 * needs runs on a worker: player_go sets texts, masks and changes; the look and the panel's text,
 * whose formulas read the pass, follow once it is done (player_settle). */
#include "headlight/lesson/player.h"

#include "headlight/lesson/formula.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state is allocated apart because it is large, and players lie on the stack. */
enum status player_begin(struct player *player, const struct lesson *lesson,
                         struct session *session, struct error *error)
{
    *player = (struct player){.lesson = lesson, .session = session};
    player->panel = (struct panel){.lesson = lesson->title, .steps = lesson->count};
    player->state = calloc(1, sizeof *player->state);
    if (player->state)
        return STATUS_OK;
    *player = (struct player){0};
    return error_memory(error, "the lesson", sizeof *player->state);
}

/* They are filled in anew for each step. */
static void forget_values(struct player *player)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        free(player->values[i]);
        player->values[i] = NULL;
    }
}

/* Also frees a player that was only half begun. */
void player_end(struct player *player)
{
    for (size_t i = 0; i < sizeof player->texts / sizeof *player->texts; i++)
        free(player->texts[i]);
    forget_values(player);
    free(player->state);
    *player = (struct player){0};
}

/* ---- The user's display settings ---- */

/* A look with the user's fields of another. */
static struct look with_user_fields(const struct look *look, const struct look *own)
{
    struct look mixed = *look;
    fields_copy_user(&mixed, own, NULL);
    return mixed;
}

/* ---- Its text, masks and changes ---- */

/* The step that is shown, or about to be. */
static const struct lesson_step *step_of(const struct player *player)
{
    return &player->lesson->steps[player->step];
}

/* Keeps the first setting that doesn't suit the model, for player_settle to report. */
static void note_warning(struct player *player, const struct error *error)
{
    if (player->warning.status == STATUS_OK)
        error_write(&player->warning, STATUS_USAGE, "%s: the step is shown without it",
                    error->message);
}

/* Formulas in changes see the network as it was trained, whose pass comes first then. */
static bool changes_have_formulas(const struct lesson_state *state)
{
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_is_network(field) && state->formulas[field] > 0)
            return true;
    return false;
}

/* The values of the changes, formulas filled in. *known: FORMULA_PENDING if any is. */
static enum status fill_changes(struct session *session, const struct lesson_state *state,
                                char *filled[FIELD_COUNT], enum formula_state *known,
                                struct error *error)
{
    *known = FORMULA_KNOWN;
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        const char *value = state->values[field];
        enum formula_state one;
        if (!value || !field_is_network(field))
            continue;
        filled[field] = formula_fill(session, value, &one);
        if (!filled[field])
            return error_memory(error, "the step", strlen(value));
        *known = one == FORMULA_PENDING ? one : *known;
    }
    return STATUS_OK;
}

/* Leaves out changes that don't suit the model. Nothing is done while a formula is pending. */
static enum status apply_changes(struct player *player, struct session *session,
                                 enum formula_state *known, struct error *error)
{
    char *filled[FIELD_COUNT] = {NULL};
    const char *values[FIELD_COUNT];
    enum state_field failed;
    struct error inner;
    enum status status = fill_changes(session, &step_of(player)->state, filled, known, error);
    memcpy(values, filled, sizeof values);
    while (status == STATUS_OK && *known != FORMULA_PENDING &&
           fields_apply_network(session, values, &failed, &inner) != STATUS_OK) {
        note_warning(player, &inner);
        values[failed] = NULL;
    }
    for (size_t i = 0; i < FIELD_COUNT; i++)
        free(filled[i]);
    return status;
}

/* A step without sentences shows the example pair, as the program does. */
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

/* Opens the step's text in a session of its own: a worker may be reading the one shown. */
static enum status find_source(struct player *player, struct session *aside, struct error *error)
{
    const struct lesson_state *state = &step_of(player)->state;
    enum formula_state known;
    struct error inner;
    if (open_texts(aside, state, error) != STATUS_OK)
        return error->status;
    const char *mask = state->values[FIELD_MASK];
    if (mask && mask_apply(aside, mask, &inner) != STATUS_OK)
        note_warning(player, &inner);
    player->awaits_changes = changes_have_formulas(state);
    return player->awaits_changes ? STATUS_OK : apply_changes(player, aside, &known, error);
}

/* Sets the step's text, masks and changes, without those that don't suit the model. Errors as
 * session_open; then nothing changes. */
static enum status open_step(struct player *player, struct error *error)
{
    static const struct interventions none;
    struct session *aside = calloc(1, sizeof *aside);
    if (!aside)
        return error_memory(error, "the lesson", sizeof *aside);
    const char *const *values = step_of(player)->state.values;
    session_begin(aside, player->session->checkpoint, !field_is_on(values[FIELD_NO_SPECIAL]),
                  &none);
    aside->logits = false;
    enum status status = find_source(player, aside, error);
    if (status == STATUS_OK) {
        struct source *source = &player->session->state.source;
        source->texts = aside->state.source.texts;
        source->special = aside->state.source.special;
        source->masked = aside->state.source.masked;
        source->changes = aside->state.source.changes;
        player->state->source = *source;
    }
    session_end(aside);
    free(aside);
    return status;
}

/* ---- The panel's text ---- */

/* The case of a paragraph that holds, "…" while that is pending; NULL: none does. */
static const char *choose_case(struct session *session, const struct lesson_paragraph *paragraph)
{
    for (size_t i = 0; i < paragraph->count; i++) {
        const struct lesson_case *one = &paragraph->cases[i];
        enum formula_state state = FORMULA_KNOWN;
        bool holds = true;
        struct error error;
        if (one->condition)
            condition_read(one->condition, session, &state, &holds, &error);
        if (state == FORMULA_PENDING)
            return "…";
        if (holds)
            return one->text;
    }
    return NULL;
}

/* Appends a paragraph, as a line of its own. False without memory. */
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

/* Writes the case that holds. A paragraph without one is left out. */
static bool write_case(struct player *player, const struct lesson_paragraph *paragraph)
{
    enum formula_state state = FORMULA_KNOWN;
    const char *chosen = choose_case(player->session, paragraph);
    if (!chosen)
        return true;
    char *text = formula_fill(player->session, chosen, &state);
    bool said = text && add_line(&player->texts[paragraph->kind], text);
    player->text_unknown |= state == FORMULA_UNKNOWN;
    player->text_pending |= state == FORMULA_PENDING || strcmp(chosen, "…") == 0;
    free(text);
    return said;
}

/* Writes all texts anew: the value of any formula may have changed. */
static enum status write_panel(struct player *player, struct error *error)
{
    const struct lesson_step *step = step_of(player);
    bool said = true;
    player->text_pending = player->text_unknown = false;
    for (size_t i = 0; i < sizeof player->texts / sizeof *player->texts; i++) {
        free(player->texts[i]);
        player->texts[i] = NULL;
    }
    for (size_t i = 0; said && i < step->count; i++)
        said = write_case(player, &step->paragraphs[i]);
    player->panel = (struct panel){
        .open = true,
        .lesson = player->lesson->title,
        .title = step->title,
        .text = player->texts[LESSON_TEXT] ? player->texts[LESSON_TEXT] : "",
        .look = player->texts[LESSON_LOOK],
        .attempt = player->texts[LESSON_TRY],
        .learnt = player->texts[LESSON_LEARNT],
        .step = player->step,
        .steps = player->lesson->count,
    };
    return said ? STATUS_OK : error_memory(error, "the step's text", LESSON_WORDS_MAX);
}

/* ---- The look ---- */

/* Fills in the values that were pending. */
static enum status fill_values(struct player *player, struct error *error)
{
    const char *const *values = step_of(player)->state.values;
    player->settings_pending = false;
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        enum formula_state known = FORMULA_KNOWN;
        if (!values[i] || !field_is_look((enum state_field)i) || player->values[i])
            continue;
        char *filled = formula_fill(player->session, values[i], &known);
        if (!filled)
            return error_memory(error, "the step", strlen(values[i]));
        if (known != FORMULA_PENDING) {
            player->values[i] = filled;
            continue;
        }
        player->settings_pending = true;
        free(filled);
    }
    return STATUS_OK;
}

/* As without a lesson: unless a layer is named, the model's own answer comes first. */
static void begin_words(struct session *session)
{
    struct look look = session->state.look;
    look.layer = session->data.layers - 1;
    if (view_at(look.view)->speaks)
        session_show(session, &look);
}

/* Leaves out settings that don't suit the model. */
static void apply_settings(struct player *player)
{
    const char *values[FIELD_COUNT];
    enum state_field failed;
    struct error error;
    memcpy(values, player->values, sizeof values);
    while (fields_apply_look(player->session, values, &failed, &error) != STATUS_OK) {
        note_warning(player, &error);
        values[failed] = NULL;
    }
    if (!values[FIELD_LAYER])
        begin_words(player->session);
    player->state->look = player->session->state.look;
}

/* Every step begins with this look, which its formulas see. */
static void begin_look(struct player *player)
{
    const struct look first = look_first(player->session->data.head_count);
    const struct look look = with_user_fields(&first, &player->user_look);
    forget_values(player);
    player->session->first_head_due = player->session->first_head_named = false;
    session_show(player->session, &look);
}

/* All settings are applied again whenever a pending value has become known, in the order of
 * fields.h. */
static enum status player_apply_look(struct player *player, struct error *error)
{
    if (player->awaits_pass)
        begin_look(player);
    if (fill_values(player, error) != STATUS_OK)
        return error->status;
    player->awaits_pass = false;
    apply_settings(player);
    return STATUS_OK;
}

/* ---- Its changes, where they have formulas ---- */

/* The unchanged network is shown, with the look that every step begins with. */
static enum status settle_changes(struct player *player, struct error *error)
{
    struct session *session = player->session;
    enum formula_state known;
    begin_look(player);
    if (apply_changes(player, session, &known, error) != STATUS_OK)
        return error->status;
    if (known == FORMULA_PENDING)
        return STATUS_OK;
    player->awaits_changes = false;
    player->state->source.changes = session->state.source.changes;
    session->pass_due = !request_is_current(session);
    return STATUS_OK;
}

/* ---- Going ---- */

/* Checkpoint and text are needed; if anything fails, the player is as it was before. */
enum status player_go(struct player *player, size_t step, unsigned *bits, struct error *error)
{
    const struct player before = *player;
    if (!player->session->checkpoint || !player->session->data.encoded)
        return error_set(error, STATUS_UNSUPPORTED,
                         player->session->data.encoded
                             ? "a lesson needs a model, and this is a recording"
                             : "the model is still being loaded");
    /* settings that the user changed during a step survive it; before the first step all do */
    fields_copy_user(&player->user_look, &player->session->state.look,
                     player->panel.open ? &player->state->look : NULL);
    player->step = step;
    player->warning = (struct error){.status = STATUS_OK};
    if (open_step(player, error) != STATUS_OK) {
        *player = before;
        return error->status;
    }
    player->awaits_pass = true;
    *bits = SESSION_REDRAW;
    enum status status = STATUS_OK;
    if (request_is_current(player->session)) {
        status = player_settle(player, error);
        if (!player->session->pass_due)
            return status;
    }
    *bits |= SESSION_PASS; /* meanwhile the panel keeps its text */
    return status;
}

/* If the user has left the step's state meanwhile, nothing is done before it is shown again. */
enum status player_settle(struct player *player, struct error *error)
{
    bool there = !player_is_away(player) && request_is_current(player->session);
    if (there && player->awaits_changes && settle_changes(player, error) != STATUS_OK)
        return error->status;
    there &= !player->awaits_changes && !player->session->pass_due;
    if (there && (player->awaits_pass || player->settings_pending) &&
        player_apply_look(player, error) != STATUS_OK)
        return error->status;
    if (there && write_panel(player, error) != STATUS_OK)
        return error->status;
    if (!there || player->warning.status == STATUS_OK)
        return STATUS_OK;
    *error = player->warning;
    player->warning.status = STATUS_OK;
    return error->status;
}

bool player_is_pending(const struct player *player)
{
    return player->awaits_pass || player->settings_pending || player->text_pending;
}

/* The user's own display settings don't count, and the look counts only once the step has set it.
 */
bool player_is_away(const struct player *player)
{
    const struct look kept = with_user_fields(&player->state->look, &player->session->state.look);
    return !source_equal(&player->session->state.source, &player->state->source) ||
           (!player->awaits_pass && !look_equal(&kept, &player->session->state.look));
}

/* ---- Showing a step at once ---- */

/* A setting that doesn't suit the model is no error: the session's message names it. */
static enum status say_warning(struct session *session, enum status status,
                               const struct error *error)
{
    if (status != STATUS_USAGE)
        return status;
    session_say(session, "%s", error->message);
    return STATUS_OK;
}

/* Changes wait for a pass, a setting for a result, and the text for another that this setting asks
 * for. */
static enum status finish_step(struct player *player, struct error *error)
{
    struct session *session = player->session;
    enum status status = request_rest(session, error);
    for (int round = 0; status == STATUS_OK && player_is_pending(player) && round < 5; round++) {
        status = say_warning(session, player_settle(player, error), error);
        if (status == STATUS_OK && session->pass_due)
            status = request_settle(session, error);
        if (status == STATUS_OK)
            status = request_rest(session, error);
    }
    return status;
}

/* For pictures and texts, where there is no event loop: passes and results are computed here. */
enum status player_show(struct player *player, size_t step, struct error *error)
{
    unsigned bits = 0;
    enum status status = say_warning(player->session, player_go(player, step, &bits, error), error);
    if (status == STATUS_OK && bits & SESSION_PASS)
        status = request_settle(player->session, error);
    return status == STATUS_OK ? finish_step(player, error) : status;
}
