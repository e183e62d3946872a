/* changes.c: the list of changes to the network: one table row per change, with its key, text,
 * state and effect. A row that doesn't apply now (no selection, not of this model) says so, and its
 * key says why. Flags and masks of heads need no functions; the state of all others is read and
 * changed by two of their own. */
#include "headlight/session/act.h"

#include "headlight/base/format.h"
#include "headlight/session/fields.h"
#include "headlight/session/overlay.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A row's text being written. */
struct line {
    const struct scene *scene;
    bool ascii;
    char *text;
    size_t size;
};

/* A change being made: to `network`, a copy of what the scene has. */
struct change {
    const struct scene *scene;
    struct interventions network;
    struct error error;
};

/* ---- Heads ---- */

static void describe_off(struct line *line)
{
    const struct look *look = &line->scene->look;
    const struct data *data = &line->scene->data;
    snprintf(line->text, line->size, "head %s off",
             interventions_name(&data->stacks, data_numbered(data, look->layer), look->head).text);
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

/* ---- Tokens and connections ---- */

/* Whether there is a token under the cursor, on either side. */
static bool has_token(const struct scene *scene)
{
    return scene_token(scene, scene->look.side) != NO_TOKEN;
}

/* Whether the token under the cursor is hidden from all. */
static bool change_is_hidden(const struct scene *scene)
{
    enum side side = scene->look.side;
    return has_token(scene) && scene_is_hidden(scene, side, scene_token(scene, side));
}

static void describe_hidden(struct line *line)
{
    enum side side = line->scene->look.side;
    size_t token = scene_token(line->scene, side);
    format_cut(line->text, line->size, "hide %s from all",
               scene_name(line->scene, side, token, line->ascii).text);
}

/* Hides or shows all pieces of the chosen word. */
static enum status change_hidden(struct change *change)
{
    const struct scene *scene = change->scene;
    struct token_range tokens;
    bool hidden = change_is_hidden(scene);
    scene_chosen_pieces(scene, scene->look.side, &tokens);
    for (size_t i = tokens.first; i < tokens.end; i++) {
        const uint32_t token = scene_changed_token(scene, scene->look.side, i);
        if (hidden)
            interventions_unhide(&change->network, token);
        else if (interventions_hide(&change->network, token, &change->error) != STATUS_OK)
            return change->error.status;
    }
    return STATUS_OK;
}

/* In this head alone; other heads keep the connection. */
static bool change_is_cut(const struct scene *scene)
{
    return scene_is_pinned(scene) &&
           scene_is_cut(scene, scene->look.head, scene->look.from, scene->look.to);
}

static void describe_cut(struct line *line)
{
    const struct scene *scene = line->scene;
    format_cut(line->text, line->size, "cut %s → %s in this head",
               scene_name(scene, SIDE_LEFT, scene->look.from, line->ascii).text,
               scene_name(scene, SIDE_RIGHT, scene->look.to, line->ascii).text);
}

/* Cuts or restores the connections between all pieces of two words. */
static enum status change_cut(struct change *change)
{
    const struct scene *scene = change->scene;
    const uint32_t layer = (uint32_t)data_numbered(&scene->data, scene->look.layer),
                   head = (uint32_t)scene->look.head;
    struct token_range from, to;
    bool cut = change_is_cut(scene);
    scene_chosen_pieces(scene, SIDE_LEFT, &from);
    scene_chosen_pieces(scene, SIDE_RIGHT, &to);
    for (size_t i = from.first; i < from.end; i++)
        for (size_t j = to.first; j < to.end; j++) {
            struct cut one = {layer, head, (uint32_t)i, (uint32_t)j};
            if (cut)
                interventions_join(&change->network, one);
            else if (interventions_cut(&change->network, one, &change->error) != STATUS_OK)
                return change->error.status;
        }
    return STATUS_OK;
}

/* ---- Scores ---- */

/* Of an encoder–decoder the encoder becomes so, wherever the cursor is. */
static void describe_causal(struct line *line)
{
    snprintf(line->text, line->size, "causal%s: to itself and those before",
             line->scene->data.stacks.layers[1] > 0 ? " encoder" : "");
}

/* The temperatures that the key cycles through; 0 stands for 1. */
static const double temperatures[] = {0, 2, 0.5, 0.25, 0.1};
#define TEMPERATURES (sizeof temperatures / sizeof *temperatures)

/* 1 is what the network was trained with. */
static bool change_is_temperature(const struct scene *scene)
{
    return fabs(interventions_temperature(scene->data.network) - 1) > 0;
}

/* The values to come are named until the first is chosen. */
static void describe_temperature(struct line *line)
{
    snprintf(line->text, line->size, "temperature %g%s",
             interventions_temperature(line->scene->data.network),
             change_is_temperature(line->scene) ? "" : " (then 2, 0.5, 0.25, 0.1)");
}

/* Any other temperature, such as one set by --temperature, cycles back to 1. */
static enum status change_temperature(struct change *change)
{
    size_t next = 0;
    for (size_t i = 0; i + 1 < TEMPERATURES; i++)
        if (!(fabs(temperatures[i] - change->network.temperature) > 0))
            next = i + 1;
    change->network.temperature = temperatures[next];
    return STATUS_OK;
}

/* How saturated softmax is, now and in the unchanged network. */
static void describe_saturation(struct line *line)
{
    const struct data *data = &line->scene->data;
    const size_t layer = line->scene->look.layer, head = line->scene->look.head;
    char before[32] = "";
    if (data_before(data))
        snprintf(before, sizeof before, ", before %.2f",
                 metrics_measure(data_before(data), layer, head, NULL).maximum);
    if (data->trace)
        snprintf(line->text, line->size, "a token's largest weight: %.2f on average%s",
                 metrics_measure(data->trace, layer, head, NULL).maximum, before);
}

/* ---- Embeddings ---- */

/* Whether positions are anything but those that were learnt. */
static bool change_is_positions(const struct scene *scene)
{
    return scene->data.network->positions != POSITIONS_LEARNT;
}

static void describe_positions(struct line *line)
{
    snprintf(line->text, line->size, "positions %s",
             change_is_positions(line->scene)
                 ? field_choice(FIELD_POSITIONS, line->scene->data.network->positions)
                 : "as trained (none, sinusoidal)");
}

/* As trained, none, sinusoidal, and round again. */
static enum status change_positions(struct change *change)
{
    enum positions *positions = &change->network.positions;
    *positions = *positions == POSITIONS_SINUSOIDAL ? POSITIONS_LEARNT : *positions + 1;
    return STATUS_OK;
}

/* ---- The table ---- */

static bool has_changes(const struct scene *scene)
{
    return interventions_any(scene->data.network);
}

/* All zero is the trained network. */
static enum status undo_all(struct change *change)
{
    change->network = (struct interventions){0};
    return STATUS_OK;
}

static const struct entry {
    char key;               /* '\0': only information */
    enum state_field field; /* what is changed; FIELD_COUNT: none, or several */
    const char *text;       /* what it changes, unless it is described; */
    void (*describe)(struct line *line);
    enum { STATELESS, FLAG, HEADS, OWN } kind;
    size_t offset;                            /* of a flag or of the masks of heads, */
    bool (*is_on)(const struct scene *scene); /* or functions to read and change it */
    enum status (*change)(struct change *change);
    bool (*applies)(const struct scene *scene); /* NULL: always */
    const char *without, *why; /* its text when it doesn't apply, and what its key says then */
} entries[] = {
#define FLAG(field)  FLAG, offsetof(struct interventions, field), NULL, NULL
#define HEADS(field) HEADS, offsetof(struct interventions, field), NULL, NULL
#define OWN(name)    OWN, 0, change_is_##name, change_##name
#define ALWAYS       NULL, NULL, NULL
    {'z', FIELD_OFF, NULL, describe_off, HEADS(off), ALWAYS},
    {'a', FIELD_UNIFORM, "uniform attention in this head", NULL, HEADS(uniform), ALWAYS},
    {'h', FIELD_HIDE, NULL, describe_hidden, OWN(hidden), has_token,
     "hide a token from all: none is chosen",
     "h hides the chosen token: Esc, then choose one with ↑ and ↓"},
    {'c', FIELD_CUT, NULL, describe_cut, OWN(cut), scene_is_pinned,
     "cut a pair in this head: none is chosen",
     "c cuts the chosen pair: Esc, then ↑ ↓, Enter and ↑ ↓ choose one"},
    {'m', FIELD_CAUSAL, NULL, describe_causal, FLAG(causal), ALWAYS},
    {'d', FIELD_UNSCALED, "no division by √D", NULL, FLAG(unscaled), ALWAYS},
    {'t', FIELD_TEMPERATURE, NULL, describe_temperature, OWN(temperature), ALWAYS},
    {'\0', FIELD_COUNT, NULL, describe_saturation, STATELESS, 0, NULL, NULL, ALWAYS},
    {'p', FIELD_POSITIONS, NULL, describe_positions, OWN(positions), ALWAYS},
    {'s', FIELD_NO_SEGMENTS, "no segment embeddings", NULL, FLAG(no_segments), ALWAYS},
    {'Z', FIELD_COUNT, "undo all changes", NULL, STATELESS, 0, NULL, undo_all, has_changes,
     "undo all changes", "nothing to undo: the network is as it was trained"},
#undef ALWAYS
#undef OWN
#undef HEADS
#undef FLAG
};

#define ENTRIES (sizeof entries / sizeof *entries)

/* Why a row can't be chosen; NULL: it can. */
static const char *why_not(const struct entry *entry, const struct scene *scene)
{
    const char *lacks = field_lacks(scene, entry->field);
    return lacks || !entry->applies || entry->applies(scene) ? lacks : entry->why;
}

/* Whether the square of a row is filled. */
static bool is_on(const struct entry *entry, const struct scene *scene)
{
    const void *kept = (const char *)scene->data.network + entry->offset;
    switch (entry->kind) {
    case FLAG:
        return *(const bool *)kept;
    case HEADS:
        return head_mask_has(
            ((const head_mask *)kept)[data_numbered(&scene->data, scene->look.layer)],
            scene->look.head);
    case OWN:
        return entry->is_on(scene);
    default:
        return false;
    }
}

/* Without a network there is nothing to say of any; and what only informs is slow to compute. */
bool change_row(const struct session *session, size_t index, bool ascii, struct overlay_row *row)
{
    const struct scene scene = session_scene(session);
    if (index >= ENTRIES) {
        const size_t head = scene.data.network ? other_off(&scene, index - ENTRIES) : NO_ROW;
        if (head == NO_ROW)
            return false;
        *row = (struct overlay_row){.of = ROW_CHANGE, .index = index, .on = true, .sign = "■"};
        row->called = field_called(FIELD_OFF);
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
    struct line line = {&scene, ascii, row->name, sizeof row->name};
    const char *why = why_not(entry, &scene);
    row->barred = !entry->key || why;
    row->on = is_on(entry, &scene);
    row->keys[0] = entry->key;
    row->called = entry->field < FIELD_COUNT ? field_called(entry->field) : NULL;
    row->sign = entry->kind == STATELESS ? " " : row->on ? "■" : "□";
    if (entry->describe && !why)
        entry->describe(&line);
    else
        format_cut(row->name, sizeof row->name, "%s",
                   !why             ? entry->text
                   : entry->without ? entry->without
                                    : why);
    return true;
}

/* ---- Making one ---- */

/* Turns a flag or a head's bit over, or leaves it to the row's function. The caller's network stays
 * as it was if that fails. */
static enum status change(const struct entry *entry, struct change *change)
{
    const struct look *look = &change->scene->look;
    void *kept = (char *)&change->network + entry->offset;
    head_mask *heads = (head_mask *)kept + data_numbered(&change->scene->data, look->layer);
    if (entry->change)
        return entry->change(change);
    if (entry->kind == FLAG)
        *(bool *)kept = !*(bool *)kept;
    else
        *heads ^= head_mask_of(look->head);
    return STATUS_OK;
}

/* Asks for a pass at once: unlike typing, a key of the list is a finished change. */
unsigned change_make(struct session *session, size_t index)
{
    const struct scene scene = session_scene(session);
    struct change changed = {.scene = &scene, .network = session->state.source.changes};
    if (index >= ENTRIES) {
        const size_t head = other_off(&scene, index - ENTRIES);
        if (head == NO_ROW)
            return SESSION_REDRAW;
        session->state.source.changes.off[head / CONFIG_HEADS_MAX] ^=
            head_mask_of(head % CONFIG_HEADS_MAX);
        return SESSION_REDRAW | SESSION_PASS;
    }
    const struct entry *entry = &entries[index];
    const char *why = why_not(entry, &scene);
    if (!entry->key)
        return SESSION_REDRAW;
    if (why)
        return session_say(session, "%s", why);
    if (change(entry, &changed) != STATUS_OK)
        return session_say(session, "%s", changed.error.message);
    session->state.source.changes = changed.network;
    if (entry->change == undo_all)
        session_say(session, "all changes are undone: the network is as it was trained");
    return SESSION_REDRAW | SESSION_PASS;
}

unsigned changes_undo(struct session *session)
{
    return change_make(session, ENTRIES - 1);
}
