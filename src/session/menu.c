/* menu.c: the menu of changes to the network: one table row per line, with its key, text, state and
 * effect. A row that doesn't apply now (no selection, only one sentence) is drawn faint, and its
 * key says why. Flags and masks of heads need no functions; the state of all others is read and
 * changed by two of their own. */
#include "headlight/session/act.h"

#include "headlight/session/fields.h"
#include "headlight/session/screen.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A line being written. */
struct line {
    const struct scene *scene;
    bool ascii;
    char text[2 * sizeof(struct token_name) + 40];
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
    snprintf(line->text, sizeof line->text, "head %zu of layer %zu off", look->head, look->layer);
}

/* ---- Tokens and connections ---- */

/* Whether there is a token under the cursor, on either side. */
static bool has_token(const struct scene *scene)
{
    return scene_token(scene, scene->look.side) != NO_TOKEN;
}

/* Whether the token under the cursor is hidden from all. */
static bool menu_is_hidden(const struct scene *scene)
{
    enum side side = scene->look.side;
    return has_token(scene) && scene_is_hidden(scene, side, scene_token(scene, side));
}

static void describe_hidden(struct line *line)
{
    enum side side = line->scene->look.side;
    size_t token = scene_token(line->scene, side);
    snprintf(line->text, sizeof line->text, "hide %s from all",
             scene_name(line->scene, side, token, line->ascii).text);
}

/* Hides or shows all pieces of the chosen word. */
static enum status change_hidden(struct change *change)
{
    const struct scene *scene = change->scene;
    struct token_range tokens;
    bool hidden = menu_is_hidden(scene);
    scene_chosen_pieces(scene, scene->look.side, &tokens);
    for (size_t i = tokens.first; i < tokens.end; i++) {
        if (hidden)
            interventions_unhide(&change->network, (uint32_t)i);
        else if (interventions_hide(&change->network, (uint32_t)i, &change->error) != STATUS_OK)
            return change->error.status;
    }
    return STATUS_OK;
}

/* In this head alone; other heads keep the connection. */
static bool menu_is_cut(const struct scene *scene)
{
    return scene_is_pinned(scene) &&
           scene_is_cut(scene, scene->look.head, scene->look.from, scene->look.to);
}

static void describe_cut(struct line *line)
{
    const struct scene *scene = line->scene;
    snprintf(line->text, sizeof line->text, "cut %s → %s in this head",
             scene_name(scene, SIDE_LEFT, scene->look.from, line->ascii).text,
             scene_name(scene, SIDE_RIGHT, scene->look.to, line->ascii).text);
}

/* Cuts or restores the connections between all pieces of two words. */
static enum status change_cut(struct change *change)
{
    const struct scene *scene = change->scene;
    const uint32_t layer = (uint32_t)scene->look.layer, head = (uint32_t)scene->look.head;
    struct token_range from, to;
    bool cut = menu_is_cut(scene);
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

/* The temperatures that the key cycles through; 0 stands for 1. */
static const double temperatures[] = {0, 2, 0.5, 0.25, 0.1};
#define TEMPERATURES (sizeof temperatures / sizeof *temperatures)

/* 1 is what the network was trained with. */
static bool menu_is_temperature(const struct scene *scene)
{
    return fabs(interventions_temperature(scene->data.network) - 1) > 0;
}

/* The values to come are named until the first is chosen. */
static void describe_temperature(struct line *line)
{
    snprintf(line->text, sizeof line->text, "temperature %g%s",
             interventions_temperature(line->scene->data.network),
             menu_is_temperature(line->scene) ? "" : " (2 0.5 0.25 0.1)");
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
    line->text[0] = '\0';
    if (data->before)
        snprintf(before, sizeof before, " ← %.2f",
                 metrics_measure(data->before, layer, head, NULL).maximum);
    if (data->trace)
        snprintf(line->text, sizeof line->text, "%.2f%s mean largest weight",
                 metrics_measure(data->trace, layer, head, NULL).maximum, before);
}

/* ---- Embeddings ---- */

/* Whether positions are anything but those that were learnt. */
static bool menu_is_positions(const struct scene *scene)
{
    return scene->data.network->positions != POSITIONS_LEARNT;
}

static void describe_positions(struct line *line)
{
    snprintf(line->text, sizeof line->text, "positions %s%s",
             field_choice(FIELD_POSITIONS, line->scene->data.network->positions),
             menu_is_positions(line->scene) ? "" : " (none, sinusoidal)");
}

/* Learnt, none, sinusoidal, and round again. */
static enum status change_positions(struct change *change)
{
    enum positions *positions = &change->network.positions;
    *positions = *positions == POSITIONS_SINUSOIDAL ? POSITIONS_LEARNT : *positions + 1;
    return STATUS_OK;
}

/* With one sentence they make no difference, but if they are left out they can be brought back. */
static bool has_segments(const struct scene *scene)
{
    return scene_is_pair(scene) || scene->data.network->no_segments;
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
    char key;         /* '\0': only information */
    const char *text; /* what it changes, unless it is described; */
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
#define OWN(name)    OWN, 0, menu_is_##name, change_##name
#define ALWAYS       NULL, NULL, NULL
    {'z', NULL, describe_off, HEADS(off), ALWAYS},
    {'u', "uniform attention in this head", NULL, HEADS(uniform), ALWAYS},
    {'h', NULL, describe_hidden, OWN(hidden), has_token, "hide a token from all: none is chosen",
     "h hides the chosen token: Esc, then choose one with ↑ and ↓"},
    {'c', NULL, describe_cut, OWN(cut), scene_is_pinned, "cut a pair in this head: none is chosen",
     "c cuts the chosen pair: Esc, then ↑ ↓, Enter and ↑ ↓ choose one"},
    {'m', "causal: to itself and those before", NULL, FLAG(causal), ALWAYS},
    {'d', "no division by √D", NULL, FLAG(unscaled), ALWAYS},
    {'t', NULL, describe_temperature, OWN(temperature), ALWAYS},
    {'\0', NULL, describe_saturation, STATELESS, 0, NULL, NULL, ALWAYS},
    {'p', NULL, describe_positions, OWN(positions), ALWAYS},
    {'s', "no segment embeddings", NULL, FLAG(no_segments), has_segments,
     "no segment embeddings: one sentence only",
     "s leaves out what tells two sentences apart: there is one sentence only"},
    {'Z', "undo all changes", NULL, STATELESS, 0, NULL, undo_all, has_changes, "undo all changes",
     "nothing to undo: the network is as it was trained"},
#undef ALWAYS
#undef OWN
#undef HEADS
#undef FLAG
};

#define ENTRIES ((int)(sizeof entries / sizeof *entries))
_Static_assert(ENTRIES == MENU_LINES, "see act.h");

static bool applies(const struct entry *entry, const struct scene *scene)
{
    return !entry->applies || entry->applies(scene);
}

/* The text of a row, as it applies now. */
static struct line menu_describe(const struct entry *entry, const struct scene *scene, bool ascii)
{
    struct line line = {scene, ascii, ""};
    if (entry->describe && applies(entry, scene))
        entry->describe(&line);
    else
        strcpy(line.text, applies(entry, scene) ? entry->text : entry->without);
    return line;
}

/* Whether the square of a row is filled. */
static bool is_on(const struct entry *entry, const struct scene *scene)
{
    const void *kept = (const char *)scene->data.network + entry->offset;
    switch (entry->kind) {
    case FLAG:
        return *(const bool *)kept;
    case HEADS:
        return head_mask_has(((const uint64_t *)kept)[scene->look.layer], scene->look.head);
    case OWN:
        return entry->is_on(scene);
    default:
        return false;
    }
}

/* Turns a flag or a head's bit over, or leaves it to the row's function. The caller's network stays
 * as it was if that fails. */
static enum status change(const struct entry *entry, struct change *change)
{
    const struct look *look = &change->scene->look;
    void *kept = (char *)&change->network + entry->offset;
    uint64_t *heads = (uint64_t *)kept + look->layer;
    if (entry->change)
        return entry->change(change);
    if (entry->kind == FLAG)
        *(bool *)kept = !*(bool *)kept;
    else
        *heads = head_mask_toggle(*heads, look->head);
    return STATUS_OK;
}

/* ---- Keys ---- */

/* Asks for a pass at once: unlike typing, a key of the menu is a finished change. */
static unsigned menu_choose(struct session *session, const struct entry *entry)
{
    const struct scene scene = session_scene(session);
    struct change changed = {.scene = &scene, .network = session->state.source.changes};
    if (!applies(entry, &scene))
        return session_say(session, "%s", entry->why);
    if (change(entry, &changed) != STATUS_OK)
        return session_say(session, "%s", changed.error.message);
    session->state.source.changes = changed.network;
    if (entry->change == undo_all)
        session_say(session, "all changes are undone: the network is as it was trained");
    return SESSION_REDRAW | SESSION_PASS;
}

/* Keys are letters of the rows; those of the table of actions mean nothing here. */
unsigned menu_key(struct session *session, uint32_t key)
{
    if (key == KEY_CODE_ENTER || key == '\n' || key == KEY_CODE_ESCAPE) {
        session->menu = false;
        return SESSION_REDRAW;
    }
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i].key && (uint32_t)entries[i].key == key)
            return menu_choose(session, &entries[i]);
    return SESSION_PASSED;
}

/* By its key outside the menu, too. */
unsigned menu_undo(struct session *session)
{
    return menu_change(session, MENU_LINES - 1);
}

void menu_describe_change(const struct session *session, size_t index, char *text, size_t size)
{
    const struct scene scene = session_scene(session);
    snprintf(text, size, "%s",
             entries[index].key && scene.data.network
                 ? menu_describe(&entries[index], &scene, false).text
                 : "");
}

unsigned menu_change(struct session *session, size_t index)
{
    return menu_choose(session, &entries[index]);
}

/* ---- Drawing ---- */

#define COLUMNS_LEAST 44
#define MARGIN        2 /* columns beside a line */
#define STATE         2 /* columns between key, state and text of a line */

struct area list_draw(struct canvas *canvas, struct area area, int columns, int rows,
                      const char *title)
{
    struct style style = style_bold(ROLE_STRONG);
    int most = area.columns - 2 * MARGIN;
    struct area box = {area.y + area.rows - 1 - rows, area.x + MARGIN, rows,
                       columns < most ? columns : most};
    style.back = ink_full(ROLE_CURSOR);
    canvas_fill(canvas, box, style_of(ROLE_TEXT));
    canvas_mark(canvas, box, HIT_NOTHING, 0);
    canvas_fill(canvas, (struct area){box.y, box.x, 1, box.columns}, style);
    canvas_text(canvas, box.y, box.x + MARGIN, box.columns - 2 * MARGIN, style, title);
    return box;
}

/* Of all rows, as they read now. */
static int widest(const struct scene *scene, bool ascii)
{
    int columns = COLUMNS_LEAST;
    for (int i = 0; i < ENTRIES; i++) {
        if (!entries[i].key) /* its value is slow to compute, and short */
            continue;
        int width = 2 * MARGIN + 2 * STATE +
                    (int)text_width(menu_describe(&entries[i], scene, ascii).text, ascii);
        columns = width > columns ? width : columns;
    }
    return columns;
}

/* Key, square and text; a click anywhere in the row is its key. */
static void menu_draw_line(const struct scene *scene, struct canvas *canvas, struct area row,
                           const struct entry *entry)
{
    const struct line line = menu_describe(entry, scene, canvas_ascii(canvas));
    bool on = is_on(entry, scene), faint = !entry->key || !applies(entry, scene);
    struct style style = on ? style_bold(ROLE_STRONG) : style_of(faint ? ROLE_FAINT : ROLE_TEXT);
    const char key[] = {entry->key, '\0'};
    int x = row.x + 2 * STATE;
    canvas_text(canvas, row.y, row.x, 1, faint ? style : style_bold(ROLE_TITLE), key);
    if (entry->kind != STATELESS)
        canvas_text(canvas, row.y, row.x + STATE, 1, style_of(on ? ROLE_WARNING : ROLE_FAINT),
                    on ? "■" : "□");
    canvas_text(canvas, row.y, x, row.x + row.columns - x, style, line.text);
    if (entry->key)
        canvas_mark(canvas, row, HIT_KEY, (size_t)entry->key);
}

/* One below the other if there is room; else in two columns over the full width. */
void menu_draw(const struct session *session, struct canvas *canvas, struct area area)
{
    const struct scene scene = session_scene(session);
    if (!session->menu || !scene.data.network)
        return;
    bool single = area.rows > 1 + ENTRIES; /* one line below the other */
    int each = single ? ENTRIES : (ENTRIES + 1) / 2;
    const struct area box =
        list_draw(canvas, area, single ? widest(&scene, canvas_ascii(canvas)) : area.columns,
                  1 + each, "change the network: a letter, Esc closes");
    int columns = (box.columns - MARGIN) / (single ? 1 : 2);
    for (int i = 0; i < ENTRIES; i++) {
        struct area row = {box.y + 1 + i % each, box.x + MARGIN + i / each * columns, 1,
                           columns - MARGIN};
        menu_draw_line(&scene, canvas, row, &entries[i]);
    }
}
