/* player.c: goes through the steps of a lesson. Showing one takes two parts, as the pass that it
 * needs runs on a worker: player_go sets texts, masks and changes; the look and the panel's text,
 * whose formulas read the pass, follow once it is done (player_settle). */
#include "headlight/lesson/player.h"

#include "headlight/lesson/progress.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"

#include <stdlib.h>

/* ---- Beginning and end ---- */

enum status player_begin(struct player *player, struct error *error)
{
    const size_t count = lessons_count();
    *player = (struct player){.count = count, .index = count};
    player->state = calloc(1, sizeof *player->state); /* too large to lie in the player */
    player->lessons = calloc(count + 1, sizeof(void *));
    player->list = calloc(count + 1, sizeof *player->list);
    enum status status = STATUS_OK;
    if (!player->state || !player->lessons || !player->list)
        status = error_memory(error, "the lessons", sizeof *player->state);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = lessons_open(lessons_name(i), &player->lessons[i], error);
        const struct lesson *lesson = player->lessons[i];
        if (lesson)
            player->list[i] = (struct panel_lesson){.name = lessons_name(i),
                                                    .title = lesson->title,
                                                    .words = lessons_text(i),
                                                    .minutes = lesson->minutes,
                                                    .steps = lesson->count};
    }
    if (status == STATUS_OK)
        progress_read(player->list, count);
    else
        player_end(player);
    return status;
}

void player_end(struct player *player)
{
    for (size_t i = 0; i < LESSON_KINDS; i++)
        free(player->texts[i]);
    for (size_t i = 0; player->lessons && i <= player->count; i++)
        lesson_free(player->lessons[i]);
    free(player->lessons);
    free(player->list);
    free(player->state);
    *player = (struct player){0};
}

static void choose_lesson(struct player *player, size_t index, size_t step)
{
    player->lesson = player->lessons[index];
    player->index = index;
    player->step = step;
}

void player_take(struct player *player, struct lesson *lesson, size_t step)
{
    lesson_free(player->lessons[player->count]);
    player->lessons[player->count] = lesson;
    choose_lesson(player, player->count, step);
}

enum status player_open(struct player *player, const char *name, size_t step, struct error *error)
{
    const size_t index = lessons_find(name);
    struct lesson *other;
    if (index < player->count)
        choose_lesson(player, index, step);
    else if (lessons_open(name, &other, error) == STATUS_OK)
        player_take(player, other, step);
    else
        return error->status;
    return step < player->lesson->count
               ? STATUS_OK
               : error_usage(error, "--set step: expected 1 to %zu, found %zu",
                             player->lesson->count, step + 1);
}

/* Whether the model has what a lesson's steps show: one attention, or three. */
static bool suits(const struct player *player, const struct lesson *lesson)
{
    const struct checkpoint *checkpoint = player->session->checkpoint;
    return (lesson->model != NULL) == (checkpoint && checkpoint->decoder);
}

/* The lesson behind the one that is open; player->count: there is none for this model. */
static size_t next_lesson(const struct player *player)
{
    size_t next = player->index + 1;
    while (next < player->count && !suits(player, player->lessons[next]))
        next++;
    return next < player->count ? next : player->count;
}

/* The step that is shown, or about to be. */
static const struct lesson_step *step_of(const struct player *player)
{
    return &player->lesson->steps[player->step];
}

/* A finished lesson stays finished. Pictures and exports don't count as progress. */
static void note_progress(struct player *player, bool done)
{
    if (!player->session->interactive || player->index == player->count)
        return;
    struct panel_lesson *lesson = &player->list[player->index];
    const size_t left_at = done || lesson->done ? 0 : player->step + 1;
    if (lesson->left_at == left_at && (lesson->done || !done))
        return;
    lesson->left_at = left_at;
    lesson->done |= done;
    struct error error;
    if (progress_write(lesson, &error) == STATUS_OK || error.status == STATUS_UNSUPPORTED ||
        player->complained)
        return;
    session_say(player->session, "%s", error.message);
    player->complained = true;
}

/* ---- A step's options ---- */

/* Keeps the first setting that doesn't suit the model, to be said once the step is shown. */
static void note_warning(struct player *player, const struct error *error)
{
    if (player->warning.status == STATUS_OK)
        error_write(&player->warning, STATUS_USAGE, "%s: the step is shown without it",
                    error->message);
}

/* Fills in the formulas in the options of one part, and applies those that suit the model to a
 * session; while a formula is pending nothing is applied. */
static enum status apply_options(struct player *player, struct session *session,
                                 enum field_part part, bool *pending, struct error *error)
{
    const char *const *given = step_of(player)->state.values;
    char *filled[FIELD_COUNT] = {NULL};
    const char *values[FIELD_COUNT];
    enum status status = STATUS_OK;
    enum formula_state known;
    enum state_field failed;
    struct error inner;
    *pending = false;
    for (enum state_field field = 0; status == STATUS_OK && field < FIELD_COUNT; field++) {
        if (!given[field] || field_info(field)->part != part)
            continue;
        filled[field] = formula_fill(session, given[field], &known);
        *pending |= known == FORMULA_PENDING;
        if (!filled[field])
            status = error_memory(error, "the step", strlen(given[field]));
    }
    memcpy(values, filled, sizeof values);
    while (status == STATUS_OK && !*pending &&
           fields_apply(session, part, values, &failed, &inner) != STATUS_OK) {
        note_warning(player, &inner);
        values[failed] = NULL;
    }
    /* as without a lesson: unless a layer is named, the model's own answer comes first */
    struct look look = session->state.look;
    look.layer = session->data.layers - 1;
    if (part == PART_LOOK && !*pending && !values[FIELD_LAYER] && view_at(look.view)->speaks)
        derive_show(session, &look);
    for (size_t i = 0; i < FIELD_COUNT; i++)
        free(filled[i]);
    return status;
}

/* Sets the step's text, masks and changes, without those that don't suit the model. The text is
 * opened in a session of its own, as a worker may be reading the one shown. Errors as session_open;
 * then nothing changes. A step without sentences shows the example pair, as the program does. */
static enum status open_step(struct player *player, struct error *error)
{
    static const struct interventions none;
    const struct lesson_state *state = &step_of(player)->state;
    struct text texts[2] = {text_of_string(EXAMPLE_A), text_of_string(EXAMPLE_B)};
    struct session *aside = calloc(1, sizeof *aside);
    struct error inner;
    bool pending;
    if (!aside)
        return error_memory(error, "the lesson", sizeof *aside);
    for (size_t i = 0; i < state->text_count; i++)
        texts[i] = text_of_string(state->texts[i]);
    session_begin(aside, player->session->checkpoint, !field_is_on(state->values[FIELD_RAW_TEXT]),
                  &none);
    aside->logits = false;
    const char *mask = state->values[FIELD_MASK], *generated = state->values[FIELD_GENERATED];
    enum status status =
        session_open(aside, texts, state->text_count > 0 ? state->text_count : 2, NULL, error);
    if (status == STATUS_OK && generated && generate_apply(aside, generated, &inner) != STATUS_OK)
        note_warning(player, &inner);
    if (status == STATUS_OK && mask && mask_apply(aside, mask, &inner) != STATUS_OK)
        note_warning(player, &inner);
    player->awaits = AWAITS_PASS;
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_is_network(field) && state->values[field] && strchr(state->values[field], '{'))
            player->awaits = AWAITS_UNCHANGED;
    if (status == STATUS_OK && player->awaits == AWAITS_PASS)
        status = apply_options(player, aside, PART_NETWORK, &pending, error);
    if (status == STATUS_OK) {
        struct source *source = &player->session->state.source;
        source->texts = aside->state.source.texts;
        source->special = aside->state.source.special;
        source->masked = aside->state.source.masked;
        source->generated = aside->state.source.generated;
        source->changes = aside->state.source.changes;
        player->state->source = *source;
        player->session->tokens_due = derived_target_due(player->session);
    }
    session_end(aside);
    free(aside);
    return status;
}

/* ---- Its text ---- */

/* The paragraphs of a kind, a line each, with the values of today, "…" while it is pending which
 * case holds; NULL: there are none, or there is no memory. */
static char *write_kind(struct player *player, enum lesson_kind kind)
{
    const struct lesson_step *step = step_of(player);
    struct buffer said;
    struct error error;
    size_t count = 0;
    bool failed = !buffer_open(&said), decided = false;
    for (size_t i = 0; !failed && i < step->count; i++) {
        const struct lesson_case *one = &step->cases[i];
        enum formula_state state = FORMULA_KNOWN;
        bool holds = true;
        if (one->kind != kind || (one->continues && decided))
            continue;
        if (one->condition)
            condition_read(one->condition, player->session, &state, &holds, &error);
        decided = holds || state == FORMULA_PENDING;
        if (!decided)
            continue;
        char *text = state == FORMULA_PENDING ? strdup("…")
                                              : formula_fill(player->session, one->text, &state);
        if (player->said == FORMULA_KNOWN || state == FORMULA_PENDING) /* the worse of both */
            player->said = state;
        if (text)
            fprintf(said.stream, "%s%s", count++ > 0 ? "\n" : "", text);
        failed |= !text;
        free(text);
    }
    char *text = buffer_close(&said);
    if (!failed && (count > 0 || kind == LESSON_TEXT))
        return text;
    free(text);
    return NULL;
}

/* Writes all texts anew: the value of any formula may have changed. */
static enum status write_panel(struct player *player, struct error *error)
{
    player->said = FORMULA_KNOWN;
    for (enum lesson_kind kind = LESSON_TEXT; kind < LESSON_KINDS; kind++) {
        free(player->texts[kind]);
        player->texts[kind] = write_kind(player, kind);
    }
    player->panel = (struct panel){
        .open = true,
        .title = step_of(player)->title,
        .text = player->texts[LESSON_TEXT] ? player->texts[LESSON_TEXT] : "",
        .look = player->texts[LESSON_LOOK],
        .attempt = player->texts[LESSON_TRY],
        .learnt = player->texts[LESSON_LEARNT],
        .step = player->step,
        .steps = player->lesson->count,
    };
    return player->texts[LESSON_TEXT] ? STATUS_OK
                                      : error_memory(error, "the step's text", LESSON_WORDS_MAX);
}

/* ---- Going ---- */

/* To a step of any lesson. If anything fails, the player is as it was before. */
static enum status go_to(struct player *player, size_t index, size_t step, unsigned *bits,
                         struct error *error)
{
    const struct player before = *player;
    if (!player->session->checkpoint || !player->session->data.encoded)
        return error_set(error, STATUS_UNSUPPORTED,
                         player->session->data.encoded
                             ? "a lesson needs a model, and this is a recording"
                             : "the model is still being loaded");
    /* settings that the user changed during a step survive it; before the first step all do */
    fields_copy(&player->user_look, &player->session->state.look, REACH_USER,
                player->panel.open ? &player->state->look : NULL);
    player->panel.open &= index == player->index;
    player->warning = (struct error){.status = STATUS_OK};
    choose_lesson(player, index, step);
    enum status status = STATUS_OK;
    if (!suits(player, player->lesson))
        status = error_set(error, STATUS_UNSUPPORTED, "headlight --lesson %s opens it: it needs %s",
                           player->list[player->index].name,
                           player->lesson->model ? "an encoder–decoder" : "a model of one stack");
    if (status != STATUS_OK || open_step(player, error) != STATUS_OK) {
        *player = before;
        return error->status;
    }
    *bits = SESSION_REDRAW;
    if (derived_is_current(player->session)) {
        status = player_settle(player, error);
        if (status != STATUS_OK || !player->session->pass_due)
            return status;
    }
    *bits |= SESSION_PASS; /* meanwhile the panel keeps its text */
    return STATUS_OK;
}

enum status player_go(struct player *player, size_t step, unsigned *bits, struct error *error)
{
    return go_to(player, player->index, step, bits, error);
}

/* If the user has left the step's state meanwhile, nothing is done before it is shown again. */
enum status player_settle(struct player *player, struct error *error)
{
    struct session *session = player->session;
    bool pending;
    if (player_is_away(player) || !derived_is_current(session))
        return STATUS_OK;
    if (player->awaits != AWAITS_NOTHING) {
        /* every step begins with this look, which its formulas see, but with the user's display
         * settings */
        struct look look = look_first(session->data.head_count);
        fields_copy(&look, &player->user_look, REACH_USER, NULL);
        look.site = player->lesson->model ? SITE_CROSS : look.site;
        session->first_head_due = session->first_head_named = false;
        derive_show(session, &look);
    }
    if (player->awaits == AWAITS_UNCHANGED) {
        if (apply_options(player, session, PART_NETWORK, &pending, error) != STATUS_OK)
            return error->status;
        if (pending)
            return STATUS_OK;
        player->awaits = AWAITS_PASS;
        player->state->source.changes = session->state.source.changes;
        session->pass_due = !derived_is_current(session);
    }
    if (session->pass_due)
        return STATUS_OK;
    if (player->awaits == AWAITS_PASS) {
        if (apply_options(player, session, PART_LOOK, &pending, error) != STATUS_OK)
            return error->status;
        if (pending)
            return STATUS_OK;
        player->awaits = AWAITS_NOTHING;
        player->state->look = session->state.look;
    }
    if (write_panel(player, error) != STATUS_OK)
        return error->status;
    note_progress(player, false);
    if (player->warning.status != STATUS_OK)
        session_say(session, "%s", player->warning.message);
    player->warning.status = STATUS_OK;
    return STATUS_OK;
}

bool player_is_pending(const struct player *player)
{
    return player->awaits != AWAITS_NOTHING || player->said == FORMULA_PENDING;
}

/* The user's own display settings don't count, and the look counts only once the step has set it.
 */
bool player_is_away(const struct player *player)
{
    const struct state *state = &player->session->state;
    struct look look = player->state->look;
    fields_copy(&look, &state->look, REACH_USER, NULL);
    return !source_equal(&state->source, &player->state->source) ||
           (player->awaits == AWAITS_NOTHING && !look_equal(&look, &state->look));
}

/* For pictures and texts, where there is no event loop: passes and results are computed here.
 * Changes wait for a pass, a setting for a result, and the text for another that this setting asks
 * for. The session must not report to the player what the player itself changes. */
enum status player_show(struct player *player, size_t step, struct error *error)
{
    struct session *session = player->session;
    unsigned bits = 0;
    session->teacher_at_work = true;
    enum status status = player_go(player, step, &bits, error);
    bool due = bits & SESSION_PASS;
    for (int round = 0; status == STATUS_OK; round++) {
        if (due)
            status = request_settle(session, error);
        if (status == STATUS_OK)
            status = request_rest(session, error);
        if (status != STATUS_OK || !player_is_pending(player) || round == 5)
            break;
        status = player_settle(player, error);
        due = session->pass_due;
    }
    session->teacher_at_work = false;
    return status;
}

/* ---- Keys ---- */

/* Errors go to the session's message. */
static unsigned go_saying(struct player *player, size_t index, size_t step)
{
    unsigned bits = SESSION_REDRAW;
    struct error error;
    if (go_to(player, index, step, &bits, &error) != STATUS_OK)
        session_say(player->session, "%s", error.message);
    return bits;
}

/* From the list, at the step where the lesson was left. */
static unsigned begin_listed(struct player *player, size_t index)
{
    const size_t left_at = player->list[index].left_at;
    return go_saying(player, index, left_at > 0 ? left_at - 1 : 0);
}

/* The space bar on the last step. Whatever is tried next should be of the network as it was
 * trained, so the lesson's changes are undone. */
static unsigned finish_lesson(struct player *player)
{
    struct panel *panel = &player->panel;
    const size_t next = next_lesson(player);
    unsigned bits = SESSION_REDRAW;
    if (interventions_any(&player->session->state.source.changes))
        bits |= changes_undo(player->session);
    player->session->message[0] = '\0'; /* it would hide what Space does */
    note_progress(player, true);
    panel->over = true;
    panel->title = player->lesson->title;
    panel->text = panel->learnt ? panel->learnt : player->lesson->about;
    panel->look = panel->attempt = NULL;
    panel->next = next < player->count ? player->list[next].title : NULL;
    return bits;
}

/* Without an open panel there is nothing to go through, but a lesson can still begin. Space brings
 * who has strayed back to the step, else goes on: after the end with the next lesson, or without
 * one the panel stays, as the next Space would switch a head off. Backspace goes a step back, from
 * the end to the last one, on the first back to its state. */
static unsigned player_act(void *context, enum teaching what, size_t lesson)
{
    struct player *player = context;
    struct session *session = player->session;
    const struct panel *panel = &player->panel;
    const size_t step = player->step;
    if (what == TEACH_BEGIN)
        return lesson < player->count ? begin_listed(player, lesson) : SESSION_REDRAW;
    if (!panel->open)
        return SESSION_UNCHANGED;
    const bool away = !panel->over && player_is_away(player);
    if (what == TEACH_ON && panel->over)
        return panel->next ? begin_listed(player, next_lesson(player))
                           : session_say(session, "The last lesson ends here: L leaves it");
    if (what == TEACH_ON)
        return !away && step + 1 == player->lesson->count
                   ? finish_lesson(player)
                   : go_saying(player, player->index, away ? step : step + 1);
    if (what == TEACH_BACK)
        return panel->over || step > 0 || away
                   ? go_saying(player, player->index, panel->over || step == 0 ? step : step - 1)
                   : session_say(session, "this is the first step");
    if (!panel->over) /* the picture stays as it is, to go on exploring from */
        session_say(session, "left at step %zu of %zu: L returns to it", step + 1,
                    player->lesson->count);
    player->panel.open = false;
    player->awaits = AWAITS_NOTHING; /* a pass that is under way no longer belongs to a step */
    return SESSION_REDRAW;
}

/* Called after everything that is shown anew: a pending step may now be complete, and the user may
 * have come back to it or left it. */
static void player_notice(void *context)
{
    struct player *player = context;
    struct error error;
    if (player->awaits == AWAITS_NOTHING && (!player->panel.open || player->panel.over))
        return;
    if (player_is_pending(player) && player_settle(player, &error) != STATUS_OK)
        session_say(player->session, "%s", error.message);
    player->panel.away = player_is_away(player);
}

void player_attend(struct player *player, struct session *session)
{
    player->session = session;
    player->teacher =
        (struct teacher){player, player->list, player->count, player_act, player_notice};
    session->teacher = &player->teacher;
    session->panel = &player->panel;
    for (size_t i = 0; i < player->count; i++) {
        const char *of = player->lessons[i]->model ? player->lessons[i]->model : BUILT_IN;
        player->list[i].model = suits(player, player->lessons[i]) ? NULL : of;
    }
}
