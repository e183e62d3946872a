#include "soak/player.h"

#include "headlight/export/export.h"
#include "headlight/session/state_file.h"

#include <string.h>
#include <unistd.h>

/* The file that the message names is there, and goes. */
static bool take_away(struct player *player, const char *before)
{
    const char *message = player->session.message;
    size_t length = strlen(before);
    player->count.files++;
    if (strncmp(message, before, length) == 0 && unlink(message + length) == 0)
        return true;
    player_fail(player, "not saved: %s", message);
    return false;
}

void player_save_screen(struct player *player)
{
    const struct canvas *canvas = player->canvas;
    export_screen(&player->session, FORMAT_SVG, canvas->columns, canvas->rows);
    take_away(player, "saved as ");
}

/* While a pass is under way there is none. */
void player_save_page(struct player *player)
{
    export_screen(&player->session, FORMAT_PAGE, 0, 0);
    if (!strstr(player->session.message, "still being computed"))
        take_away(player, "saved as ");
}

/* What was saved is understood, and fits the session that it is of. */
void player_save_state(struct player *player)
{
    static const char before[] = "state saved as ";
    struct session *session = &player->session;
    struct saved_state state = {0};
    struct error error;
    state_file_save(session);
    const char *name = session->message + strlen(before);
    if (strncmp(session->message, before, strlen(before)) == 0 &&
        state_file_read(name, &state, &error) != STATUS_OK)
        player_fail(player, "a saved state: %s", error.message);
    else if (session->data.trace && !session->overlay.lines[0] &&
             fields_apply(session, PART_LOOK, (const char *const *)state.values, NULL, &error) !=
                 STATUS_OK)
        player_fail(player, "a saved state: %s", error.message);
    state_file_free(&state);
    take_away(player, before);
}

/* One way to write the session to a file. */
static enum status export_one(struct player *player, const char **name, struct error *error)
{
    struct chance *chance = &player->chance;
    enum format format = (enum format)chance_below(chance, FORMAT_COUNT);
    const struct session *session = &player->session;
    struct output output = {.session = &player->session,
                            .include = (unsigned)chance_below(
                                chance, session->checkpoint ? 2 * INCLUDE_LENS : INCLUDE_LENS),
                            .columns = chance_between(chance, 1, 200),
                            .rows = chance_between(chance, 1, 60),
                            .ascii = chance_one_in(chance, 2),
                            .depth = (enum depth)chance_below(chance, 4),
                            .lines = (enum lines_wish)chance_below(chance, 4)};
    *name = format == FORMAT_TRACE ? PLAYER_TAPE : "soak.out";
    return export_file(&output, format, *name, error);
}

/* Not while a worker computes what is shown, as the program has it; a view may have nothing to
 * write, and says so. */
void player_export(struct player *player)
{
    const char *name = "";
    struct error error;
    if (!player->session.data.trace || player->session.busy != REQUEST_NONE)
        return;
    const enum status status = export_one(player, &name, &error);
    if (status != STATUS_OK && (status != STATUS_UNSUPPORTED || !error.message[strlen("--csv: ")]))
        player_fail(player, "%s: %s", name, error.message);
    player->count.files++;
    if (strcmp(name, PLAYER_TAPE) != 0)
        unlink(name);
}
