#include "soak/player.h"

#include "headlight/base/file.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/recording.h"
#include "headlight/tensor/thread_pool.h"
#include "soak/tape.h"
#include "soak/writing.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void player_note(struct player *player, const char *format, ...)
{
    va_list arguments;
    char *note = player->notes[player->noted++ % PLAYER_NOTES];
    va_start(arguments, format);
    vsnprintf(note, sizeof player->notes[0], format, arguments);
    va_end(arguments);
}

void player_fail(struct player *player, const char *format, ...)
{
    va_list arguments;
    if (player->unsound.what[0])
        return;
    va_start(arguments, format);
    vsnprintf(player->unsound.what, sizeof player->unsound.what, format, arguments);
    va_end(arguments);
}

/* ---- Recordings ---- */

static enum status open_recording(struct player *player, struct error *error)
{
    size_t size;
    if (file_exists(PLAYER_TAPE) && chance_one_in(&player->chance, 2))
        return recording_open(PLAYER_TAPE, &player->recording, error);
    player->tape = tape_record(&player->chance, &size);
    if (!player->tape)
        return error_memory(error, "a recording", size);
    return recording_from_memory("a tape", player->tape, size, &player->recording, error);
}

static void begin_recording(struct player *player)
{
    struct error error;
    if (open_recording(player, &error) != STATUS_OK ||
        session_begin_recording(&player->session, player->recording, &error) != STATUS_OK)
        player_fail(player, "a recording: %s", error.message);
    player->count.recordings++;
}

/* ---- Models ---- */

/* Tokens and connections, some of them past the end of any text. */
static void mask_some(struct chance *chance, const struct config *config,
                      struct interventions *changes)
{
    struct error error;
    while (chance_one_in(chance, 3))
        interventions_hide(changes, (uint32_t)chance_below(chance, 20), &error);
    while (!chance_one_in(chance, 4)) {
        struct cut cut = {(uint32_t)chance_below(chance, config->layers),
                          (uint32_t)chance_below(chance, config->heads),
                          (uint32_t)chance_below(chance, 20), (uint32_t)chance_below(chance, 20)};
        interventions_cut(changes, cut, &error);
    }
}

static struct interventions random_changes(struct chance *chance, const struct config *config)
{
    static const double temperatures[] = {0.001, 0.5, 2, 1000};
    struct interventions changes = {.unscaled = chance_one_in(chance, 8),
                                    .causal = chance_one_in(chance, 8),
                                    .no_segments = chance_one_in(chance, 8)};
    if (chance_one_in(chance, 6))
        changes.off[chance_below(chance, config->layers)] =
            chance_next(chance) & head_mask_all(config->heads);
    if (chance_one_in(chance, 6))
        changes.uniform[chance_below(chance, config->layers)] =
            chance_next(chance) & head_mask_all(config->heads);
    if (chance_one_in(chance, 6))
        changes.temperature = temperatures[chance_below(chance, 4)];
    if (chance_one_in(chance, 6))
        changes.positions = (enum positions)chance_below(chance, 3);
    if (chance_one_in(chance, 4))
        mask_some(chance, config, &changes);
    return changes;
}

/* Texts that are too long for the model, or that have no tokens, are not shown in the first place.
 */
static void open_text(struct player *player)
{
    char first[2000], second[2000];
    struct error error;
    for (int tries = 0; tries < 100; tries++) {
        struct text texts[] = {{first, writing_text(&player->chance, first, sizeof first)},
                               {second, writing_text(&player->chance, second, sizeof second)}};
        size_t count = chance_one_in(&player->chance, 3) ? 1 : 2;
        enum status status = session_open(&player->session, texts, count, NULL, &error);
        if (status == STATUS_OK)
            return;
        if (status != STATUS_LIMIT)
            break;
    }
    player_fail(player, "no text can be opened: %s", error.message);
}

static void begin_model(struct player *player)
{
    struct session *session = &player->session;
    bool large = chance_one_in(&player->chance, 10);
    const struct checkpoint *checkpoint = large ? &player->built_in : &player->tiny;
    const struct config *config = &checkpoint->model->config;
    struct interventions changes = random_changes(&player->chance, config);
    session_begin(session, checkpoint, !chance_one_in(&player->chance, 5), &changes);
    session->logits = false;
    open_text(player);
    if (player->unsound.what[0])
        return;
    player->due = true;
}

/* ---- Beginning and end ---- */

void player_start(struct player *player)
{
    struct session *session = &player->session;
    pool_set_size(1 + chance_below(&player->chance, 2));
    if (player->count.sessions % 4 == 1)
        begin_recording(player);
    else
        begin_model(player);
    session->interactive = !chance_one_in(&player->chance, 4);
    player->canvas->traits.glyphs = (enum glyph_set)chance_below(&player->chance, 3);
    player->count.sessions++;
    player_note(player, "session %zu of %s", player->count.sessions,
                player->recording ? "a recording" : session->data.model);
}

void player_stop(struct player *player)
{
    request_drop(&player->request);
    player->due = false;
    session_end(&player->session);
    recording_close(player->recording);
    free(player->tape);
    player->recording = NULL;
    player->tape = NULL;
}
