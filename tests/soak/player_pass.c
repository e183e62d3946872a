/* What interactive.c does, without a terminal, a clock and a thread. */
#include "soak/player.h"

#include "headlight/session/act.h"

#include <stdlib.h>

static void drop_next(struct player *player)
{
    if (player->next != player->session.encoded)
        encoded_free(player->next);
    player->next = NULL;
}

/* The text that is wanted takes the place of what is being computed. */
static void compute_wanted(struct player *player)
{
    struct session *session = &player->session;
    struct encoded *encoded;
    struct error error;
    drop_next(player);
    player->due = player->measuring = false;
    session->busy = BUSY_NOT;
    if (session_wanted(session, &encoded, &error) != STATUS_OK) {
        session_say(session, "%s", error.message);
        return;
    }
    player->next = encoded;
    player->changes = session->changes;
    session->busy = BUSY_COMPUTING;
}

/* A watch that ends the work after as many steps as `context` says. */
static bool count_down(void *context, size_t done, size_t total)
{
    size_t *steps = context;
    (void)done, (void)total;
    return *steps == 0 || --*steps > 0;
}

/* 0 steps: to the end. */
static void finish_pass(struct player *player, size_t steps)
{
    struct session *session = &player->session;
    struct watch watch = {count_down, &steps};
    struct encoded *encoded = player->next;
    struct error error;
    enum status status = forward_run(session->checkpoint->model, &player->changes,
                                     session->precision, &watch, encoded->trace, &error);
    session->busy = BUSY_NOT;
    if (status != STATUS_OK) {
        drop_next(player);
        player->count.cancelled++;
        if (session->scene.trace)
            session_say(session, "cancelled");
        return;
    }
    player->next = NULL;
    encoded->milliseconds = 1;
    player->count.passes++;
    if (session_take(session, encoded, true, &error) != STATUS_OK)
        player_fail(player, "a text can't be shown: %s", error.message);
}

static void finish_figures(struct player *player, bool cancelled)
{
    struct session *session = &player->session;
    const struct scene *scene = &session->scene;
    struct head_metrics *metrics;
    struct error error;
    player->measuring = false;
    session->busy = BUSY_NOT;
    if (cancelled) {
        session_say(session, "cancelled");
        session->scene.metric = METRIC_NONE;
        session->scene.sorted = false;
    } else if (metrics_measure_all(scene->trace, scene->separators, NULL, &metrics, &error) ==
               STATUS_OK) {
        session_take_metrics(session, metrics);
    } else {
        player_fail(player, "figures: %s", error.message);
    }
}

void player_pass_time(struct player *player)
{
    struct session *session = &player->session;
    bool cancelled = chance_one_in(&player->chance, 8);
    session->done++;
    if (player->next)
        finish_pass(player, cancelled ? 1 + chance_below(&player->chance, 4) : 0);
    else if (player->measuring)
        finish_figures(player, cancelled);
    if (player->due)
        compute_wanted(player);
    if (session->busy == BUSY_NOT && session_wants_metrics(session)) {
        player->measuring = true;
        session->busy = BUSY_MEASURING;
    }
    session->total = session->scene.layers;
}

void player_obey(struct player *player, unsigned bits)
{
    if (bits & SESSION_TEXT)
        player->due = true;
    if (player->due && (bits & SESSION_NOW || chance_one_in(&player->chance, 2)))
        compute_wanted(player);
    if (bits & SESSION_SAVE)
        player_save_screen(player);
    if (bits & SESSION_STATE)
        player_save_state(player);
    if (bits & SESSION_CANCEL && player->next)
        finish_pass(player, 1);
    else if (bits & SESSION_CANCEL && player->measuring)
        finish_figures(player, true);
    if (bits & SESSION_QUIT && chance_one_in(&player->chance, 2)) {
        player_end(player);
        player_begin(player);
    }
}
