/* A lesson's file. What is said of a fault can be printed; what is read keeps what its header says
 * of texts, words, options and formulas, and its first steps are played on a small model and drawn.
 */
#include "fuzz.h"

#include "headlight/lesson/formula.h"
#include "headlight/lesson/player.h"
#include "headlight/session/request.h"

#include <string.h>

static void look_at_text(const char *text)
{
    size_t length = strlen(text);
    promise(length > 0 && text[0] != ' ' && text[length - 1] != ' ');
    promise(is_fit_to_print(text, length));
}

static void look_at_case(const struct lesson_case *one, bool first)
{
    enum formula_state state;
    struct error error;
    bool holds;
    promise(!one->continues || (!first && one[-1].condition && one[-1].kind == one->kind));
    promise(!one->condition ||
            condition_read(one->condition, NULL, &state, &holds, &error) == STATUS_OK);
    promise(lesson_words(one->text) <=
            (one->kind == LESSON_TEXT ? LESSON_WORDS_MAX : LESSON_ASIDE_WORDS_MAX));
    look_at_text(one->text);
}

static void look_at_state(const struct lesson_state *state)
{
    struct error error;
    promise(state->text_count <= 2);
    for (size_t i = 0; i < state->text_count; i++)
        promise(is_fit_to_print(state->texts[i], strlen(state->texts[i])));
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        promise(!state->values[i] || strchr(state->values[i], '{') ||
                field_check((enum state_field)i, state->values[i], &error) == STATUS_OK);
}

static void look_at_lesson(const struct lesson *lesson)
{
    look_at_text(lesson->title);
    look_at_text(lesson->about);
    promise(lesson->minutes > 0 && lesson->count > 0);
    for (size_t i = 0; i < lesson->count; i++) {
        const struct lesson_step *step = &lesson->steps[i];
        look_at_text(step->title);
        look_at_state(&step->state);
        promise(step->count > 0);
        for (size_t j = 0; j < step->count; j++)
            look_at_case(&step->cases[j], j == 0);
    }
}

/* ---- Played ---- */

#define STEPS_PLAYED 6

/* As without a terminal; fuzz_draw looks at every cell. A step's text may be one that the model has
 * no positions for. */
static void play_step(struct player *player, size_t step, uint8_t screen)
{
    struct error error;
    const struct panel *panel = &player->panel;
    if (player_show(player, step, &error) != STATUS_OK) {
        promise(is_fit_to_print(error.message, strlen(error.message)));
        return;
    }
    promise(panel->open && panel->step == step && !player_is_away(player));
    fuzz_draw(player->session, screen);
}

/* On the screens of fuzz_draw, by turns. */
static void play(struct lesson *lesson, uint8_t screen)
{
    static const struct text text = {"the cat sat", 11};
    static const struct interventions none;
    static struct session session;
    struct player player;
    struct error error;
    session_begin(&session, fuzz_checkpoint(), true, &none);
    session.columns = 80;
    session.rows = 24;
    promise(session_open(&session, &text, 1, NULL, &error) == STATUS_OK);
    promise(request_settle(&session, &error) == STATUS_OK);
    promise(player_begin(&player, &error) == STATUS_OK);
    player_take(&player, lesson, 0);
    player.session = &session;
    session.panel = &player.panel;
    for (size_t step = 0; step < lesson->count && step < STEPS_PLAYED; step++)
        play_step(&player, step, (uint8_t)(screen + step));
    session.panel = NULL;
    player_end(&player);
    session_end(&session);
}

void fuzz_lesson(const uint8_t *data, size_t size)
{
    struct lesson *lesson;
    struct error error;
    if (lesson_read((const char *)data, size, "fuzz.md", &lesson, &error) == STATUS_OK) {
        look_at_lesson(lesson);
        play(lesson, (uint8_t)size);
    } else { /* the player has taken none */
        promise(!lesson && error.status == STATUS_FORMAT &&
                is_fit_to_print(error.message, strlen(error.message)));
    }
}
