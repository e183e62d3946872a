/* player_source.c: what a step asks to be computed: its text, masks and changes. */
#include "headlight/lesson/player_parts.h"

#include "headlight/lesson/formula.h"
#include "headlight/session/mask.h"

#include <stdlib.h>
#include <string.h>

const struct lesson_step *player_step_of(const struct player *player)
{
    return &player->lesson->steps[player->step];
}

void player_lack(struct player *player, const struct error *error)
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

bool player_same_source(const struct source *a, const struct source *b)
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
    enum status status = fill_changes(aside, &player_step_of(player)->state, filled, error);
    memcpy(values, filled, sizeof values);
    while (status == STATUS_OK &&
           fields_apply_network(aside, values, &failed, &inner) != STATUS_OK) {
        player_lack(player, &inner);
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
    const struct lesson_state *state = &player_step_of(player)->state;
    struct error inner;
    if (open_texts(aside, state, error) != STATUS_OK)
        return error->status;
    const char *mask = state->values[FIELD_MASK];
    if (mask && mask_apply(aside, mask, &inner) != STATUS_OK)
        player_lack(player, &inner);
    return apply_changes(player, aside, error);
}

static void want(struct session *session, const struct source *source)
{
    struct source *wanted = &session->state.source;
    wanted->texts = source->texts;
    wanted->special = source->special;
    wanted->masked = source->masked;
    wanted->changes = source->changes;
}

enum status player_ask(struct player *player, struct session *session, struct error *error)
{
    static const struct interventions none;
    struct session *aside = calloc(1, sizeof *aside);
    if (!aside)
        return error_memory(error, "the lesson", sizeof *aside);
    const char *const *values = player_step_of(player)->state.values;
    session_begin(aside, session->checkpoint, !field_is_on(values[FIELD_NO_SPECIAL]), &none);
    aside->logits = false;
    aside->precision = session->precision;
    enum status status = find_source(player, aside, error);
    if (status == STATUS_OK) {
        want(session, &aside->state.source);
        player->kept->source = session->state.source;
    }
    session_end(aside);
    free(aside);
    return status;
}
