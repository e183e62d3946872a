/* changes.c: the list of changes to the network, which are fields of the state (fields.h): a row of
 * a table says with which key one is made, and for each what it is now, what it would do, and how
 * it is made stands side by side below. A row that doesn't apply now (no selection, not of this
 * model) says so, and its key says why. */
#include "headlight/session/act.h"

#include "headlight/session/overlay.h"

static const struct entry {
    char key;                  /* '\0': only information */
    enum state_field field;    /* what is changed; FIELD_COUNT: none, or all */
    const char *text;          /* what it changes, unless it is described */
    const char *without, *why; /* its text when it doesn't apply, and what its key says then */
} entries[] = {
    {.key = 'z', .field = FIELD_OFF},
    {.key = 'a', .field = FIELD_UNIFORM, .text = "uniform attention in this head"},
    {.key = 'h',
     .field = FIELD_HIDE,
     .without = "hide a token from all: none is chosen",
     .why = "h hides the chosen token: Esc, then choose one with ↑ and ↓"},
    {.key = 'c',
     .field = FIELD_CUT,
     .without = "cut a pair in this head: none is chosen",
     .why = "c cuts the chosen pair: Esc, then ↑ ↓, Enter and ↑ ↓ choose one"},
    {.key = 'm', .field = FIELD_CAUSAL},
    {.key = 'd', .field = FIELD_UNSCALED},
    {.key = 't', .field = FIELD_TEMPERATURE},
    {.field = FIELD_COUNT},
    {.key = 'p', .field = FIELD_POSITIONS},
    {.key = 's', .field = FIELD_NO_SEGMENTS},
    {.key = 'Z',
     .field = FIELD_COUNT,
     .text = "undo all changes",
     .without = "undo all changes",
     .why = "nothing to undo: the network is as it was trained"},
};

#define ENTRIES (LENGTH(entries))

/* Whether the square of a row is filled: of heads and connections for the one under the cursor. */
static bool is_on(const struct scene *scene, enum state_field field)
{
    const struct look *look = &scene->look;
    const struct interventions *network = scene->data.network;
    const size_t layer = data_numbered(&scene->data, look->layer);
    const size_t token = scene_token(scene, look->side);
    switch (field) {
    case FIELD_OFF:
    case FIELD_UNIFORM:
        return head_mask_has((field == FIELD_OFF ? network->off : network->uniform)[layer],
                             look->head);
    case FIELD_HIDE:
        return token != NO_TOKEN && scene_is_hidden(scene, look->side, token);
    case FIELD_CUT:
        return scene_is_pinned(scene) && scene_is_cut(scene, look->head, look->from, look->to);
    default:
        return field < FIELD_COUNT && field_chosen(scene, field) > 0;
    }
}

/* Why a row can't be chosen; NULL: it can. */
static const char *why_not(const struct entry *entry, const struct scene *scene)
{
    const char *missing = field_missing(scene, entry->field);
    const bool applies = entry->field == FIELD_HIDE
                             ? scene_token(scene, scene->look.side) != NO_TOKEN
                         : entry->field == FIELD_CUT ? scene_is_pinned(scene)
                         : entry->key == 'Z'         ? interventions_any(scene->data.network)
                                                     : true;
    return missing || applies ? missing : entry->why;
}

/* What only informs, slow to compute, is how saturated softmax is, now and in the unchanged
 * network. */
static void describe(const struct entry *entry, const struct scene *scene, bool ascii, char *text,
                     size_t size)
{
    const struct look *look = &scene->look;
    const struct data *data = &scene->data;
    const bool on = is_on(scene, entry->field);
    char before[32] = "";
    switch (entry->field) {
    case FIELD_OFF:
        snprintf(
            text, size, "head %s off",
            interventions_name(&data->stacks, data_numbered(data, look->layer), look->head).text);
        return;
    case FIELD_HIDE:
        format_cut(text, size, "hide %s from all",
                   scene_name(scene, look->side, scene_token(scene, look->side), ascii).text);
        return;
    case FIELD_CUT:
        format_cut(text, size, "cut %s → %s in this head",
                   scene_name(scene, SIDE_LEFT, look->from, ascii).text,
                   scene_name(scene, SIDE_RIGHT, look->to, ascii).text);
        return;
    case FIELD_CAUSAL: /* of an encoder–decoder the encoder becomes so, wherever the cursor is */
        snprintf(text, size, "causal%s: to itself and those before",
                 data->stacks.layers[1] > 0 ? " encoder" : "");
        return;
    case FIELD_TEMPERATURE:
        snprintf(text, size, "temperature %g", interventions_temperature(data->network));
        return;
    case FIELD_POSITIONS:
        snprintf(text, size, "positions %s",
                 on ? field_choice(FIELD_POSITIONS, field_chosen(scene, FIELD_POSITIONS))
                    : "as trained");
        return;
    default:
        format_cut(text, size, "%s",
                   entry->text                     ? entry->text
                   : field_choice(entry->field, 0) ? field_choice_about(entry->field, 1)
                                                   : "");
    }
    if (!entry->key && data_before(data))
        snprintf(
            before, sizeof before, ", before %.2f",
            metrics_measure(data_before(data), look->layer, look->head, NULL).of[METRIC_MAXIMUM]);
    if (!entry->key && data->trace)
        snprintf(text, size, "a token's largest weight: %.2f on average%s",
                 metrics_measure(data->trace, look->layer, look->head, NULL).of[METRIC_MAXIMUM],
                 before);
}

/* The heads that are off besides the one under the cursor have rows of their own, behind all
 * others: they can be switched on from wherever the cursor is. Counted over all layers that there
 * can be; NO_ROW: there is none. */
static size_t other_off(const struct scene *scene, size_t place)
{
    const struct look *look = &scene->look;
    const head_mask *off = scene->data.network->off;
    const size_t here = data_numbered(&scene->data, look->layer) * CONFIG_HEADS_MAX + look->head;
    for (size_t i = 0; i < CONFIG_HEADS_MAX * INTERVENE_LAYERS_MAX; i++)
        if (i != here && head_mask_has(off[i / CONFIG_HEADS_MAX], i % CONFIG_HEADS_MAX) &&
            place-- == 0)
            return i;
    return NO_ROW;
}

/* Without a network there is nothing to say of any. */
bool change_row(const struct session *session, size_t index, bool ascii, struct overlay_row *row)
{
    const struct scene scene = session_scene(session);
    if (index >= ENTRIES) {
        const size_t head = scene.data.network ? other_off(&scene, index - ENTRIES) : NO_ROW;
        if (head == NO_ROW)
            return false;
        *row = (struct overlay_row){.of = ROW_CHANGE, .index = index, .on = true, .sign = "■"};
        row->option = option_named(field_info(FIELD_OFF)->name);
        row->keys[0] = index - ENTRIES < 9 ? (char)('1' + (index - ENTRIES)) : '\0';
        snprintf(
            row->name, sizeof row->name, "head %s off",
            interventions_name(&scene.data.stacks, head / CONFIG_HEADS_MAX, head % CONFIG_HEADS_MAX)
                .text);
        return true;
    }
    const struct entry *entry = &entries[index];
    *row = (struct overlay_row){.of = ROW_CHANGE, .index = index, .barred = true};
    if (!scene.data.network || (!entry->key && session->overlay.kind != OVERLAY_CHANGES))
        return true;
    const char *why = why_not(entry, &scene);
    row->barred = !entry->key || why;
    row->on = is_on(&scene, entry->field);
    row->keys[0] = entry->key;
    row->option = entry->field < FIELD_COUNT ? option_named(field_info(entry->field)->name) : NULL;
    row->sign = entry->field == FIELD_COUNT ? " " : row->on ? "■" : "□";
    if (!why)
        describe(entry, &scene, ascii, row->name, sizeof row->name);
    else
        format_cut(row->name, sizeof row->name, "%s", entry->without ? entry->without : why);
    return true;
}

/* ---- Making one ---- */

/* Turns a row of heads, tokens or connections over, of words all pieces; or undoes all. */
static enum status change(const struct scene *scene, enum state_field field,
                          struct interventions *network, struct error *error)
{
    const struct look *look = &scene->look;
    const size_t layer = data_numbered(&scene->data, look->layer), head = look->head;
    const bool on = is_on(scene, field);
    enum status status = STATUS_OK;
    struct token_range from, to;
    switch (field) {
    case FIELD_OFF:
    case FIELD_UNIFORM:
        (field == FIELD_OFF ? network->off : network->uniform)[layer] ^= head_mask_of(head);
        break;
    case FIELD_HIDE:
        scene_chosen_pieces(scene, look->side, &from);
        for (size_t i = from.first; i < from.end && status == STATUS_OK; i++) {
            const uint32_t token = scene_changed_token(scene, look->side, i);
            if (on)
                interventions_unhide(network, token);
            else
                status = interventions_hide(network, token, error);
        }
        break;
    case FIELD_CUT: /* in this head alone; other heads keep the connection */
        scene_chosen_pieces(scene, SIDE_LEFT, &from);
        scene_chosen_pieces(scene, SIDE_RIGHT, &to);
        for (size_t i = from.first; i < from.end; i++)
            for (size_t j = to.first; j < to.end && status == STATUS_OK; j++) {
                struct cut one = {(uint32_t)layer, (uint32_t)head, (uint32_t)i, (uint32_t)j};
                if (on)
                    interventions_join(network, one);
                else
                    status = interventions_cut(network, one, error);
            }
        break;
    default:
        *network = (struct interventions){0};
    }
    return status;
}

/* Asks for a pass at once: unlike typing, a key of the list is a finished change. */
unsigned change_make(struct session *session, size_t index)
{
    const struct scene scene = session_scene(session);
    struct interventions *changes = &session->state.source.changes, network = *changes;
    struct error error;
    if (index >= ENTRIES) {
        const size_t head = other_off(&scene, index - ENTRIES);
        if (head == NO_ROW)
            return SESSION_REDRAW;
        changes->off[head / CONFIG_HEADS_MAX] ^= head_mask_of(head % CONFIG_HEADS_MAX);
        return SESSION_REDRAW | SESSION_PASS;
    }
    const struct entry *entry = &entries[index];
    const char *why = why_not(entry, &scene);
    if (!entry->key)
        return SESSION_REDRAW;
    if (why)
        return session_say(session, "%s", why);
    if (field_choice(entry->field, 2))
        return overlay_open_values(session, entry->field);
    if (field_choice(entry->field, 0))
        return session_set(session, entry->field, !is_on(&scene, entry->field));
    if (change(&scene, entry->field, &network, &error) != STATUS_OK)
        return session_say(session, "%s", error.message);
    *changes = network;
    if (entry->field == FIELD_COUNT)
        session_say(session, "all changes are undone: the network is as it was trained");
    return SESSION_REDRAW | SESSION_PASS;
}

unsigned changes_undo(struct session *session)
{
    return change_make(session, ENTRIES - 1);
}
