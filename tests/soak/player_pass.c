/* What interactive.c does, without a terminal, a clock and a thread. */
#include "soak/player.h"

#include "headlight/session/act.h"
#include "headlight/session/derive.h"

#include <stdlib.h>

/* The pass that is wanted takes the place of what is being computed. */
static void compute_wanted(struct player *player)
{
    struct session *session = &player->session;
    struct error error;
    request_drop(&player->request);
    player->due = false;
    if (request_pass(session, &player->request, &error) != STATUS_OK)
        session_say(session, "%s", error.message);
    session->busy = player->request.kind;
}

/* A watch that ends the work after as many steps as `context` says. */
static bool count_down(void *context, size_t done, size_t total)
{
    size_t *steps = context;
    (void)done, (void)total;
    return *steps == 0 || --*steps > 0;
}

/* 0 steps: to the end. */
static void finish(struct player *player, size_t steps)
{
    struct session *session = &player->session;
    struct watch watch = {count_down, &steps};
    enum request_kind kind = player->request.kind;
    struct error error;
    enum status status = request_run(&player->request, &watch, &error);
    session->busy = REQUEST_NONE;
    if (status == STATUS_OK) {
        player->count.passes += kind == REQUEST_PASS;
        if (request_take(session, &player->request, 1, &error) != STATUS_OK)
            player_fail(player, "what was computed can't be shown: %s", error.message);
        return;
    }
    request_drop(&player->request);
    request_fail(session, kind, &error);
    player->count.cancelled += kind == REQUEST_PASS;
    if (status != STATUS_CANCELLED)
        player_fail(player, "%s", error.message);
}

void player_pass_time(struct player *player)
{
    struct session *session = &player->session;
    struct error error;
    bool cancelled = chance_one_in(&player->chance, 8);
    session->done++;
    if (session->busy != REQUEST_NONE)
        finish(player, cancelled ? 1 + chance_below(&player->chance, 4) : 0);
    if (player->due)
        compute_wanted(player);
    if (session->busy == REQUEST_NONE) {
        if (request_besides(session, &player->request, &error) != STATUS_OK)
            player_fail(player, "%s", error.message);
        session->busy = player->request.kind;
    }
    session->total = session->data.layers;
}

void player_obey(struct player *player, unsigned bits)
{
    if (bits & SESSION_PASS)
        player->due = true;
    if (player->due && chance_one_in(&player->chance, 2))
        compute_wanted(player);
    if (bits & SESSION_SAVE)
        player_save_screen(player);
    if (bits & SESSION_PAGE)
        player_save_page(player);
    if (bits & SESSION_STATE)
        player_save_state(player);
    if (bits & SESSION_CANCEL && player->session.busy != REQUEST_NONE)
        finish(player, 1);
    if (bits & SESSION_QUIT && chance_one_in(&player->chance, 2)) {
        player_stop(player);
        player_start(player);
    }
}
