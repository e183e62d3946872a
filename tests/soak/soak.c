#include "soak/soak.h"

#include "headlight/base/format.h"
#include "headlight/session/act.h"
#include "headlight/session/history.h"
#include "headlight/session/screen.h"
#include "headlight/view/model_view.h"
#include "soak/measure.h"
#include "soak/player.h"
#include "soak/writing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Keys and the mouse ---- */

/* One of the keys of an action, as the table writes them. */
static uint32_t key_of(struct chance *chance, const char *keys)
{
    const char *names[8];
    size_t count = 0;
    for (; *keys && count < 8; keys += strspn(keys, " ")) {
        names[count++] = keys;
        keys += strcspn(keys, " ");
    }
    const char *name = names[chance_below(chance, count)];
    size_t length = strcspn(name, " ");
    if (length == 3 && strncmp(name, "0-9", 3) == 0)
        return '0' + (uint32_t)chance_below(chance, 10);
    return key_named(name, length);
}

static unsigned press_action(struct player *player)
{
    enum action action = (enum action)chance_below(&player->chance, ACTION_COUNT);
    if (!*action_info(action)->keys) { /* which is found by its name alone */
        player_note(player, "\"%s\"", action_info(action)->help);
        return session_act(&player->session, action, 0);
    }
    uint32_t key = key_of(&player->chance, action_info(action)->keys);
    player_note(player, "\"%s\", which is key %X", action_info(action)->keys, key);
    if (key == KEY_CODE_NONE)
        player_fail(player, "no key: %s", action_info(action)->keys);
    return input_key(&player->session, key);
}

static unsigned type(struct player *player)
{
    uint32_t key = writing_key(&player->chance);
    player_note(player, "key %X", key);
    player->count.typed++;
    return input_key(&player->session, key);
}

static unsigned paste(struct player *player)
{
    char text[3000];
    size_t length = writing_text(&player->chance, text, sizeof text);
    player_note(player, "%zu bytes pasted", length);
    return input_paste(&player->session, text, length);
}

/* Most of a screen answers to nothing: some tries look for a cell that does. */
static struct hit point(struct player *player, bool means_something)
{
    const struct canvas *canvas = player->canvas;
    struct hit hit = {.place = {HIT_NOTHING}};
    for (int tries = 0; tries < 24 && (tries == 0 || means_something); tries++) {
        int y = chance_between(&player->chance, -1, canvas->rows);
        int x = chance_between(&player->chance, -1, canvas->columns);
        hit = canvas_hit(canvas, y, x);
        if (hit.place[0] != HIT_NOTHING)
            break;
    }
    return hit;
}

static unsigned use_mouse(struct player *player, bool pressed)
{
    struct hit hit = point(player, !chance_one_in(&player->chance, 4));
    player_note(player, "%s %d, %zu", pressed ? "click" : "hover", (int)hit.place[0], hit.value[0]);
    player->count.clicks += pressed;
    return pressed ? session_click(&player->session, hit) : session_hover(&player->session, hit);
}

/* ---- Undoing ---- */

/* The last state that a key leads to, with its pass. */
static void go_all_the_way(struct player *player, uint32_t key)
{
    struct session *session = &player->session;
    struct error error;
    for (int i = 0; i <= HISTORY_MAX; i++) {
        const unsigned bits = input_key(session, key);
        if (bits & SESSION_PASS && request_settle(session, &error) != STATUS_OK)
            player_fail(player, "what was undone can't be computed: %s", error.message);
    }
}

/* Back to the first state that is kept and forward again, to the same state; unless it is being
 * typed or chosen. */
static void undo_and_redo(struct player *player)
{
    struct session *session = &player->session;
    if (session->overlay.kind || session->busy != REQUEST_NONE ||
        (session->checkpoint && !derived_is_current(session)))
        return;
    player_note(player, "all is undone, and done again");
    go_all_the_way(player, 'U');
    struct state *before = malloc(sizeof *before);
    if (!before)
        return;
    *before = session->state;
    go_all_the_way(player, 'u');
    go_all_the_way(player, 'U');
    sound_same_state(before, &session->state, &player->unsound);
    free(before);
}

/* ---- Sizes ---- */

static void choose_size(struct chance *chance, int *columns, int *rows)
{
    static const int usual[][2] = {{80, 24}, {120, 40}, {100, 30}, {60, 12}, {132, 43}, {160, 50}};
    switch (chance_below(chance, 16)) {
    case 0: /* as large as any screen */
        *columns = chance_between(chance, 100, 500);
        *rows = chance_between(chance, 30, 200);
        break;
    case 1:
    case 2:
        *columns = chance_between(chance, 1, 12);
        *rows = chance_between(chance, 1, 12);
        break;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
        *columns = chance_between(chance, 1, 150);
        *rows = chance_between(chance, 1, 55);
        break;
    default: {
        const int *size = usual[chance_below(chance, 6)];
        *columns = size[0];
        *rows = size[1];
    }
    }
}

static void resize(struct player *player)
{
    int columns, rows;
    choose_size(&player->chance, &columns, &rows);
    struct traits traits =
        player->canvas ? player->canvas->traits : (struct traits){GLYPHS_BRAILLE, false};
    canvas_free(player->canvas);
    player->canvas = canvas_new(columns, rows, traits);
    if (!player->canvas)
        player_fail(player, "no canvas of %d×%d", columns, rows);
    player_note(player, "%d columns, %d rows", columns, rows);
    player->count.sizes++;
}

static bool is_large(const struct canvas *canvas)
{
    return canvas->columns * canvas->rows > 10000;
}

/* ---- Drawing ---- */

/* What is kept from frame to frame changes no cell. */
static void compare(struct player *player)
{
    struct session *session = &player->session;
    struct bands *kept = session->data.bands;
    const struct canvas *canvas = player->canvas;
    struct canvas *again = canvas_new(canvas->columns, canvas->rows, canvas->traits);
    struct error error;
    if (!again ||
        (kept && bands_new(&session->data, session->checkpoint, &session->data.bands, &error) !=
                     STATUS_OK) ||
        screen_draw(session, again, &error) != STATUS_OK)
        player_fail(player, "it can't be drawn again");
    else
        sound_same(canvas, again, &player->unsound);
    if (session->data.bands != kept)
        bands_free(session->data.bands);
    session->data.bands = kept;
    canvas_free(again);
    player->count.compared++;
}

static void draw(struct player *player)
{
    struct session *session = &player->session;
    struct canvas *canvas = player->canvas;
    struct error error;
    session->columns = canvas->columns;
    session->rows = canvas->rows;
    canvas->traits.mono = theme_at(session->state.look.theme)->mono;
    if (screen_draw(session, canvas, &error) != STATUS_OK) {
        player_fail(player, "it can't be drawn: %s", error.message);
        return;
    }
    if (!sound_session(session, &player->unsound) ||
        !sound_canvas(session, canvas, &player->unsound))
        return;
    if (chance_one_in(&player->chance, 30))
        compare(player);
    if (player->curses && chance_one_in(&player->chance, 16))
        curses_draw(player->curses, canvas, theme_at(session->state.look.theme),
                    chance_one_in(&player->chance, 2));
}

/* ---- The run ---- */

static void act(struct player *player)
{
    size_t kind = chance_below(&player->chance, 200);
    bool waits = player->session.busy != REQUEST_NONE || player->due;
    if (kind < 124)
        player_obey(player, press_action(player));
    else if (kind < 144)
        player_obey(player, use_mouse(player, true));
    else if (kind < 154)
        player_obey(player, use_mouse(player, false));
    else if (kind < 186)
        player_obey(player, type(player));
    else if (kind < 190)
        player_obey(player, paste(player));
    else if (kind < 196)
        resize(player);
    else if (kind == 196)
        player_export(player);
    else if (kind == 197)
        undo_and_redo(player);
    if (kind > 196 || (waits && chance_one_in(&player->chance, 3)))
        player_pass_time(player);
    if (player->canvas && is_large(player->canvas) && chance_one_in(&player->chance, 4))
        resize(player);
}

static void open_terminal(struct player *player, uint64_t seed)
{
    static const char *const kinds[] = {"xterm-256color", "xterm", "vt100"};
    static const struct curses_wish none;
    const char *kind = kinds[seed % 3];
    struct error error;
    player->input = fopen("/dev/null", "r");
    player->output = fopen("/dev/null", "w");
    if (!player->input || !player->output ||
        curses_open(&player->curses, kind, player->output, player->input, &none, &error) !=
            STATUS_OK)
        player_fail(player, "no terminal %s", kind);
}

static void close_terminal(struct player *player)
{
    curses_close(player->curses);
    if (player->input)
        fclose(player->input);
    if (player->output)
        fclose(player->output);
    player->curses = NULL;
    player->input = player->output = NULL;
}

/* Canvas and terminal; a canvas is of any size, and curses keeps each pair of colours that it ever
 * showed. */
static void open_screen(struct player *player, const struct soak_wish *wish)
{
    resize(player);
    if (wish->terminal)
        open_terminal(player, wish->seed);
}

static void close_screen(struct player *player)
{
    close_terminal(player);
    canvas_free(player->canvas);
    player->canvas = NULL;
}

static bool open_all(struct player *player, const struct soak_wish *wish)
{
    struct error error;
    if (checkpoint_open(&player->tiny, wish->folder, NULL, NULL, &error) != STATUS_OK ||
        checkpoint_open(&player->built_in, NULL, NULL, NULL, &error) != STATUS_OK)
        player_fail(player, "%s", error.message);
    else
        open_screen(player, wish);
    return player->unsound.what[0] == '\0';
}

static void close_all(struct player *player)
{
    player_stop(player);
    close_screen(player);
    checkpoint_close(&player->tiny);
    checkpoint_close(&player->built_in);
    unlink(PLAYER_TAPE);
}

static void tell_failure(const struct player *player, struct soak_report *report)
{
    size_t length = (size_t)snprintf(report->failure, sizeof report->failure,
                                     "action %zu: %s\nThe last ones were:", player->count.actions,
                                     player->unsound.what);
    size_t first = player->noted > PLAYER_NOTES ? player->noted - PLAYER_NOTES : 0;
    for (size_t i = first; i < player->noted && length < sizeof report->failure; i++)
        length += (size_t)snprintf(report->failure + length, sizeof report->failure - length,
                                   "\n  %s", player->notes[i % PLAYER_NOTES]);
}

static void end_stage(struct player *player, const struct soak_wish *wish,
                      struct soak_report *report)
{
    player_stop(player);
    close_screen(player);
    report->allocated_last = measure_allocated();
    if (report->allocated_first == 0)
        report->allocated_first = report->allocated_last;
    if (wish->stage_done)
        wish->stage_done(&player->count, report->allocated_last);
    open_screen(player, wish);
    player_start(player);
}

bool soak_run(const struct soak_wish *wish, struct soak_report *report)
{
    struct player *player = calloc(1, sizeof *player);
    *report = (struct soak_report){.failure = ""};
    if (!player) {
        snprintf(report->failure, sizeof report->failure, "no memory");
        return false;
    }
    player->chance.state = wish->seed;
    if (open_all(player, wish)) {
        player_start(player);
        while (player->count.actions < wish->actions && !player->unsound.what[0]) {
            act(player);
            if (!player->unsound.what[0])
                draw(player);
            player->count.actions++;
            if (!player->unsound.what[0] && player->count.actions % wish->stage == 0)
                end_stage(player, wish, report);
        }
    }
    report->count = player->count;
    bool sound = player->unsound.what[0] == '\0';
    if (!sound)
        tell_failure(player, report);
    close_all(player);
    free(player);
    return sound;
}
