/* act.c: carries out an action: finds its handler in the table of actions, and says why when
 * nothing happens: it was refused, there is nothing left to do, or its effect is visible in another
 * view. */
#include "headlight/session/act.h"

#include "headlight/session/derive.h"
#include "headlight/session/history.h"
#include "headlight/session/overlay.h"
#include "headlight/session/pager.h"
#include "headlight/session/panel.h"
#include "headlight/view/answers.h"

/* ---- The table ---- */

static const struct {
    enum status (*on_look)(struct scene *scene, enum action action, struct error *error);
    size_t flag; /* of the look, where there is no function */
    bool lists, on_session;
    enum overlay_kind opens; /* on the session, if nothing else is said; or sends SESSION_ bits */
    unsigned bits;
} handlers[ACTION_COUNT] = {
#define LOOK(name)                                        .on_look = act_on_##name
#define FLAG(member)                                      .flag = offsetof(struct look, member)
#define LIST                                              .lists = true
#define SESSION                                           .on_session = true
#define OPENS(kind)                                       SESSION, .opens = OVERLAY_##kind
#define BITS(bit)                                         SESSION, .bits = SESSION_##bit
#define ACTION(action, keys, group, help, shown, handler) [ACTION_##action] = {handler},
    ACTIONS(ACTION)
#undef ACTION
};

/* ---- Text, network and program ---- */

/* A recording holds numbers alone, so there is nothing to run again. */
static unsigned act_on_session(struct session *session, enum action action)
{
    const bool next = action == ACTION_FIND_NEXT;
    struct scene scene = session_scene(session);
    struct look *look = &scene.look;
    struct error error;
    switch (action) {
    case ACTION_CHANGE:
    case ACTION_EDIT:
    case ACTION_RESTORE:
        return !session->checkpoint ? session_say(session, SESSION_FIXED)
               : action == ACTION_RESTORE
                   ? changes_undo(session)
                   : overlay_open(session, action == ACTION_EDIT ? OVERLAY_EDIT : OVERLAY_CHANGES);
    case ACTION_MASK:
        return mask_token(session);
    case ACTION_GENERATE:
        if (generate_check(session, session->tokens_due + 1, &error) != STATUS_OK)
            return session_say(session, "%s", error.message);
        session->tokens_due++;
        return generate_go(session);
    case ACTION_UNDO:
    case ACTION_REDO:
        return history_go(session, action == ACTION_UNDO ? -1 : 1);
    case ACTION_FIND_NEXT:
    case ACTION_FIND_PREVIOUS: /* of several texts; a view may have something else to go on to */
        if (pager_is_open(session))
            return pager_go(session, next);
        switch (scene.view->act ? scene.view->act(&scene, action, &error) : ACT_PASSED) {
        case ACT_REFUSED:
            return session_refuse(session, &error);
        case ACT_DONE:
            derive_show(session, &scene.look);
            return SESSION_REDRAW;
        default:
            return pager_within(session, next);
        }
    case ACTION_PRESENT:
        look->presented = !look->presented;
        if (derive_show(session, look) && look->presented)
            session_say(session, SESSION_PRESENTED);
        return SESSION_REDRAW;
    case ACTION_LESSON:
        return panel_is_led(session) ? panel_ask(session, TEACH_LEAVE, 0)
                                     : overlay_open(session, OVERLAY_LESSONS);
    case ACTION_COMMAND:
        return overlay_open(session, OVERLAY_COMMAND) | SESSION_COPY;
    default: /* asks the caller for what the session can't do itself: quitting, writing files */
        return handlers[action].opens ? overlay_open(session, handlers[action].opens)
                                      : SESSION_REDRAW | handlers[action].bits;
    }
}

/* ---- Dispatch ---- */

/* Names the key pressed (the first of the action's), so that the message is understood after
 * several quick keys. */
static enum status refuse_key(const struct session *session, enum action action, const char *said,
                              struct error *error)
{
    size_t length = 0;
    const char *key =
        action < ACTION_COUNT ? action_key(session->bindings, action, 0, &length) : NULL;
    return error_usage(error, "%.*s%s%s", (int)length, key ? key : "", key ? ": " : "", said);
}

/* Where what an action would change can't be seen, it changes nothing, and says where it can. */
static enum status check_seen(const struct session *session, enum action action, unsigned shown,
                              struct error *error)
{
    const struct scene scene = session_scene(session);
    const bool chosen = scene_token(&scene, scene.look.side) != NO_TOKEN;
    char views[64], said[96];
    if (scene.look.presented && action == ACTION_LIST && !scene.view->own_list)
        return refuse_key(session, action, "not visible in the presentation, which P ends", error);
    if (action == ACTION_NUMBERS && scene.look.view == VIEW_HEAD && chosen &&
        head_mask_count(scene_maps(&scene)) == 1)
        return refuse_key(session, action, "a chosen token shows its numbers anyway", error);
    if (!shown || scene.view->shown & shown)
        return STATUS_OK;
    view_list(shown, action, views, sizeof views);
    snprintf(said, sizeof said, "only works in the %s view", views);
    return refuse_key(session, action, said, error);
}

/* A list in place of the view handles an action first, then the view, then the action's own
 * handler. */
static enum status change_look(const struct session *session, struct scene *scene,
                               enum action action, int digit, bool *by_view,
                               enum state_field *listed, struct error *error)
{
    enum acted acted = ACT_PASSED;
    bool *flag = (bool *)((char *)&scene->look + handlers[action].flag);
    if (scene_view(scene) != scene->view)
        acted = scene_view(scene)->act(scene, action, error);
    if (acted == ACT_PASSED && action == ACTION_CLEAR && look_leads_back(&scene->look)) {
        scene_go_back(scene);
        return STATUS_OK;
    }
    if (acted == ACT_PASSED && scene->view->act)
        acted = scene->view->act(scene, action, error);
    const struct back *back = scene->look.back; /* a view of one head that asked for the order */
    const bool again =
        scene->look.ranked && back->of == BACK_VIEW && view_at(back->view)->heads != HEADS_ALL;
    if (acted == ACT_TO_CHOSEN || acted == ACT_TO_ALL)
        scene_open_view(scene, acted == ACT_TO_ALL ? view_of_heads(HEADS_ALL)
                               : again             ? back->view
                                                   : view_of_heads(HEADS_CHOSEN));
    if (acted == ACT_TO_CHOSEN)
        look_show_alone(&scene->look, scene->look.head);
    *by_view = acted == ACT_DONE;
    if (acted == ACT_PASSED && action != ACTION_VIEW_NEXT) /* the bar lists the views */
        *listed = field_listed_by(scene, action);
    if (acted != ACT_PASSED || *listed != FIELD_COUNT || handlers[action].on_session)
        return acted == ACT_REFUSED ? error->status : STATUS_OK;
    const enum status seen = check_seen(session, action, action_info(action)->shown, error);
    if (seen != STATUS_OK || handlers[action].lists)
        return seen;
    if (action == ACTION_HEAD_DIGIT)
        return act_on_head(scene, (size_t)digit, error);
    if (handlers[action].on_look)
        return handlers[action].on_look(scene, action, error);
    *flag = !*flag;
    return STATUS_OK;
}

/* What is computed in any view leaves Esc what else it does. */
static bool continues(const struct session *session)
{
    const struct derived *row = derived_of(session->busy);
    return row && row->continues;
}

/* Tries the action on a copy of the look, and shows the copy if that was possible and changed
 * something. */
static unsigned act_on_look(struct session *session, enum action action, int digit)
{
    struct scene scene = session_scene(session);
    const struct look before = scene.look;
    struct error error;
    bool own = !handlers[action].on_session; /* rather than a view's or a list's alone */
    bool by_view = false;                    /* the key has a meaning of its own there */
    enum state_field listed = FIELD_COUNT;   /* whose values it lists */
    if (action == ACTION_HEAD_DIGIT) {       /* one after another completes a head of two digits */
        const int both = 10 * session->first_digit + digit;
        const bool two = session->first_digit > 0 && (size_t)both < session->data.head_count;
        session->first_digit = two ? 0 : digit;
        digit = two ? both : digit;
    }
    enum status status = change_look(session, &scene, action, digit, &by_view, &listed, &error);
    if (status == STATUS_MEMORY)
        return session_refuse(session, &error);
    if (status != STATUS_OK)
        return session_say(session, "%s", error.message);
    if (!derive_show(session, &scene.look) || !own)
        return SESSION_REDRAW;
    if (listed != FIELD_COUNT)
        return overlay_open_values(session, listed);
    const bool same = look_equal(&session->state.look, &before);
    if (same && action == ACTION_CLEAR && continues(session) && view_at(before.view)->surveys)
        return SESSION_CANCEL | SESSION_REDRAW;
    if (same) /* what is chosen anyway comes back */
        refuse_key(session, action,
                   action != ACTION_CLEAR                      ? "can't go any further"
                   : view_at(before.view)->query != QUERY_NONE ? "a token is always chosen here"
                                                               : "nothing is chosen",
                   &error);
    else if ((action == ACTION_MORE || action == ACTION_FEWER) &&
             scene_token(&scene, scene.look.side) != NO_TOKEN)
        refuse_key(session, action, "a chosen token shows most of its lines anyway", &error);
    else
        return SESSION_REDRAW;
    session_say(session, "%s", error.message);
    return SESSION_REDRAW;
}

enum status act_check(const struct session *session, enum action action, struct error *error)
{
    struct scene scene = session_scene(session);
    const struct look before = scene.look;
    enum state_field listed = FIELD_COUNT;
    bool by_view = false;
    if (!session->data.encoded)
        return STATUS_OK;
    const int other = (int)((scene.look.head + 1) % scene.data.head_count);
    const enum status status =
        change_look(session, &scene, action, other, &by_view, &listed, error);
    const bool idle = action == ACTION_CLEAR && !by_view && !look_leads_back(&before) &&
                      before.to == NO_TOKEN && !before.find[0] &&
                      (before.from == NO_TOKEN || scene.view->query != QUERY_NONE);
    return status == STATUS_OK && idle ? error_usage(error, "nothing is chosen") : status;
}

enum status act_choose(struct scene *scene, enum state_field field, size_t choice,
                       struct error *error)
{
    const struct look before = scene->look;
    if (field == FIELD_MAP && choice == MAP_DIFFERENCE &&
        act_check_difference(scene, error) != STATUS_OK)
        return error->status;
    if (field == FIELD_FILTER && choice > 0 && !scene_is_pair(scene))
        return error_usage(error, "nothing to filter: that is for two sentences in one text");
    if (field == FIELD_MEAN && choice > 0 && scene->data.map &&
        scene->data.map->kind != MAP_WEIGHTS)
        return error_usage(error, "a mean is of weights: p leads back to them");
    if (field == FIELD_SPECIAL && scene->data.map &&
        map_infos[scene->data.map->kind].pairs == PAIRS_OF_LETTERS)
        return error_usage(error, "special tokens have no contacts: none is shown here");
    if (field == FIELD_SPECIAL && choice > 0 && scene_check_special(scene, error) != STATUS_OK)
        return error->status;
    const struct encoded *encoded = scene->data.encoded;
    if (field == FIELD_SITE && encoded && encoded->next == encoded)
        return error_usage(error, "there is one attention here: an encoder–decoder has three");
    if (field == FIELD_ALIGN && choice > 0 && encoded && encoded->site != SITE_CROSS)
        return error_usage(
            error, "only rows of cross-attention can be named by what they say: A leads there");
    if (field == FIELD_WITHOUT && choice == WORDS_MASKED && scene->data.checkpoint &&
        tokenizer_mask(scene->data.checkpoint->tokenizer) < 0)
        return error_usage(error, "words can't be masked: the vocabulary has no mask token");
    if (field == FIELD_SHADE && choice == TONE_ROOT && scene_is_mean_of_lines(scene))
        return error_usage(error, "a mean is drawn so anyway");
    const struct survey *survey = data_survey(&scene->data);
    const bool figure = (field == FIELD_CORPUS_METRIC && choice > 0) || field == FIELD_CORPUS_AXIS;
    if (figure && survey &&
        !survey_figure(survey, (enum metric)choice + METRIC_BEGIN - (field == FIELD_CORPUS_METRIC)))
        return error_usage(error, "this survey has no such numbers");
    const char *values[FIELD_COUNT] = {NULL};
    struct field_draft draft = {.scene = *scene};
    values[field] = field_choice(field, choice);
    if (field_draft_take(&draft, field, values, error) != STATUS_OK)
        return error->status;
    scene->look = draft.scene.look;
    if (field == FIELD_SITE && scene->look.site != before.site)
        scene_go_to_site(scene, scene->look.site);
    if (field == FIELD_VIEW) { /* as its keys do, which may change the layer */
        scene->look = before;
        scene->look.found.shown = false;
        scene_go_to_view(scene, (enum view_kind)choice);
    }
    if (field == FIELD_METRIC)
        scene->look.effect_sought = choice == METRIC_EFFECT;
    if (field == FIELD_STAGE)
        scene->look.number = NO_TOKEN;
    return STATUS_OK;
}

bool act_address(struct scene *scene, const struct hit *hit)
{
    struct error error;
    for (int i = 0; i < HIT_PARTS && hit->place[i]; i++) {
        const enum state_field field = field_at(hit->place[i] - HIT_LOOK);
        if (!(field_choice(field, hit->value[i])
                  ? act_choose(scene, field, hit->value[i], &error) == STATUS_OK
                  : field_put(scene, field, hit->value[i])))
            return false;
    }
    return true;
}

unsigned session_set(struct session *session, enum state_field field, size_t choice)
{
    struct scene scene = session_scene(session);
    const enum action key = field_info(field)->key;
    const char *values[FIELD_COUNT] = {NULL};
    struct field_draft draft = {.scene = scene, .changes = session->state.source.changes};
    struct error error;
    values[field] = field_choice(field, choice);
    if ((field_is_network(field) ? field_draft_take(&draft, field, values, &error)
                                 : act_choose(&scene, field, choice, &error)) != STATUS_OK)
        return session_say(session, "%s", error.message);
    session->state.source.changes = draft.changes;
    if (field_is_network(field))
        return SESSION_REDRAW | SESSION_PASS;
    if (field != FIELD_VIEW &&
        check_seen(session, key ? key : ACTION_COUNT, field_aspect(field), &error) != STATUS_OK)
        return session_say(session, "%s", error.message);
    derive_show(session, &scene.look);
    return SESSION_REDRAW;
}

/* Some keys mean something else before the table is asked: Esc cancels a computation, and Enter
 * asks for one that was cancelled, or puts an answer into the text. */
unsigned session_act(struct session *session, enum action action, int digit)
{
    bool busy = session->busy != REQUEST_NONE, shown = session->data.trace != NULL;
    if (action != ACTION_HEAD_DIGIT)
        session->first_digit = 0;
    const bool listed = look_view(&session->state.look) != view_at(session->state.look.view);
    if (action == ACTION_CLEAR && busy && !continues(session))
        return SESSION_CANCEL | SESSION_REDRAW;
    if (!session->data.encoded && action != ACTION_QUIT && action != ACTION_HELP &&
        action != ACTION_REDRAW)
        return SESSION_UNCHANGED;
    if (action == ACTION_PIN && !shown && !busy)
        return SESSION_REDRAW | SESSION_PASS;
    const struct scene scene = session_scene(session);
    if (action == ACTION_PIN && shown && scene_view(&scene)->speaks &&
        scene.look.answer != NO_TOKEN && answers_shown(&scene.look, &scene.data) == ANSWERS_WORDS)
        return mask_answer(session);
    struct opened opened;
    if (action == ACTION_PIN && scene_view(&scene)->opens &&
        scene_view(&scene)->opens(&scene, &opened))
        return example_open(session, &opened);
    if (!handlers[action].on_session)
        return act_on_look(session, action, digit);
    if (listed) /* any key but its own closes it */
        act_on_look(session, action, digit);
    return act_on_session(session, action);
}
