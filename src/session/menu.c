/* menu.c: the menu of changes to the network: one table row per line, with its key, text, state
 * and effect. A row that doesn't apply now (no selection, only one sentence) is drawn faint, and
 * its key says why. */
#include "headlight/session/act.h"

#include "headlight/session/fields.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The text of a line. */
struct words {
    char text[2 * sizeof(struct token_name) + 40];
};

/* ---- Heads ---- */

static void describe_off(const struct scene *scene, bool ascii, struct words *words)
{
    (void)ascii;
    snprintf(words->text, sizeof words->text, "head %zu of layer %zu off", scene->look.head,
             scene->look.layer);
}

/* ---- Tokens and connections ---- */

static bool menu_is_hidden(const struct scene *scene)
{
    enum side side = scene->look.side;
    size_t token = scene_token(scene, side);
    return token != NO_TOKEN && scene_is_hidden(scene, side, token);
}

static void describe_hidden(const struct scene *scene, bool ascii, struct words *words)
{
    enum side side = scene->look.side;
    size_t token = scene_token(scene, side);
    if (token == NO_TOKEN)
        strcpy(words->text, "hide a token from all: none is chosen");
    else
        snprintf(words->text, sizeof words->text, "hide %s from all",
                 scene_name(scene, side, token, ascii).text);
}

static const char *why_none_hidden(const struct scene *scene)
{
    return scene_token(scene, scene->look.side) == NO_TOKEN
               ? "h hides the chosen token: Esc, then choose one with ↑ and ↓"
               : NULL;
}

/* Hides or shows all pieces of the chosen word. */
static enum status change_hidden(const struct scene *scene, struct interventions *changes,
                                 struct error *error)
{
    struct token_range tokens;
    bool hidden = menu_is_hidden(scene);
    scene_chosen_pieces(scene, scene->look.side, &tokens);
    for (size_t i = tokens.first; i < tokens.end; i++) {
        if (hidden)
            interventions_unhide(changes, (uint32_t)i);
        else if (interventions_hide(changes, (uint32_t)i, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

static bool menu_is_cut(const struct scene *scene)
{
    return scene_is_pinned(scene) &&
           scene_is_cut(scene, scene->look.head, scene->look.from, scene->look.to);
}

static void describe_cut(const struct scene *scene, bool ascii, struct words *words)
{
    const struct look *look = &scene->look;
    if (!scene_is_pinned(scene))
        strcpy(words->text, "cut a pair in this head: none is chosen");
    else
        snprintf(words->text, sizeof words->text, "cut %s → %s in this head",
                 scene_name(scene, SIDE_LEFT, look->from, ascii).text,
                 scene_name(scene, SIDE_RIGHT, look->to, ascii).text);
}

static const char *why_none_cut(const struct scene *scene)
{
    return scene_is_pinned(scene)
               ? NULL
               : "c cuts the chosen pair: Esc, then ↑ ↓, Enter and ↑ ↓ choose one";
}

/* Cuts or restores the connections between all pieces of two words. */
static enum status change_cut(const struct scene *scene, struct interventions *changes,
                              struct error *error)
{
    struct token_range from, to;
    bool cut = menu_is_cut(scene);
    scene_chosen_pieces(scene, SIDE_LEFT, &from);
    scene_chosen_pieces(scene, SIDE_RIGHT, &to);
    for (size_t i = from.first; i < from.end; i++)
        for (size_t j = to.first; j < to.end; j++) {
            struct cut one = {(uint32_t)scene->look.layer, (uint32_t)scene->look.head, (uint32_t)i,
                              (uint32_t)j};
            if (cut)
                interventions_join(changes, one);
            else if (interventions_cut(changes, one, error) != STATUS_OK)
                return error->status;
        }
    return STATUS_OK;
}

/* ---- Scores ---- */

/* The temperatures that the key cycles through; 0 stands for 1. */
static const double temperatures[] = {0, 2, 0.5, 0.25, 0.1};
#define TEMPERATURES (sizeof temperatures / sizeof *temperatures)

static bool menu_is_tempered(const struct scene *scene)
{
    return fabs(interventions_temperature(scene->data.network) - 1) > 0;
}

static void describe_temperature(const struct scene *scene, bool ascii, struct words *words)
{
    (void)ascii;
    snprintf(words->text, sizeof words->text, "temperature %g%s",
             interventions_temperature(scene->data.network),
             menu_is_tempered(scene) ? "" : " (2 0.5 0.25 0.1)");
}

/* Any other temperature, such as one set by --temperature, cycles back to 1. */
static enum status change_tempered(const struct scene *scene, struct interventions *changes,
                                   struct error *error)
{
    size_t next = 0;
    (void)scene, (void)error;
    for (size_t i = 0; i + 1 < TEMPERATURES; i++)
        if (!(fabs(temperatures[i] - changes->temperature) > 0))
            next = i + 1;
    changes->temperature = temperatures[next];
    return STATUS_OK;
}

/* How saturated softmax is, now and in the unchanged network. */
static void describe_saturation(const struct scene *scene, bool ascii, struct words *words)
{
    const struct data *data = &scene->data;
    const size_t layer = scene->look.layer, head = scene->look.head;
    char before[32] = "";
    (void)ascii;
    if (data->before)
        snprintf(before, sizeof before, " ← %.2f",
                 metrics_measure(data->before, layer, head, NULL).maximum);
    if (data->trace)
        snprintf(words->text, sizeof words->text, "%.2f%s mean largest weight",
                 metrics_measure(data->trace, layer, head, NULL).maximum, before);
}

/* ---- Embeddings ---- */

static bool menu_is_positioned(const struct scene *scene)
{
    return scene->data.network->positions != POSITIONS_LEARNT;
}

static void describe_positions(const struct scene *scene, bool ascii, struct words *words)
{
    (void)ascii;
    snprintf(words->text, sizeof words->text, "positions %s%s",
             field_choice(FIELD_POSITIONS, scene->data.network->positions),
             menu_is_positioned(scene) ? "" : " (none, sinusoidal)");
}

static enum status change_positioned(const struct scene *scene, struct interventions *changes,
                                     struct error *error)
{
    (void)scene, (void)error;
    changes->positions =
        changes->positions == POSITIONS_SINUSOIDAL ? POSITIONS_LEARNT : changes->positions + 1;
    return STATUS_OK;
}

/* With one sentence they make no difference, but if they are left out they can be brought back. */
static const char *why_segments_stay(const struct scene *scene)
{
    return scene_is_pair(scene) || scene->data.network->no_segments
               ? NULL
               : "s leaves out what tells two sentences apart: there is one sentence only";
}

static void describe_segments(const struct scene *scene, bool ascii, struct words *words)
{
    (void)ascii;
    snprintf(words->text, sizeof words->text, "no segment embeddings%s",
             why_segments_stay(scene) ? ": one sentence only" : "");
}

/* ---- The table ---- */

static const char *why_nothing_undone(const struct scene *scene)
{
    return interventions_any(scene->data.network)
               ? NULL
               : "nothing to undo: the network is as it was trained";
}

static enum status undo_all(const struct scene *scene, struct interventions *changes,
                            struct error *error)
{
    (void)scene, (void)error;
    *changes = (struct interventions){0};
    return STATUS_OK;
}

static const struct entry {
    char key;         /* '\0': only information */
    const char *text; /* what it changes; NULL: use `describe` */
    void (*describe)(const struct scene *scene, bool ascii, struct words *words);
    const char *(*obstacle)(const struct scene *scene); /* why it doesn't apply now; or NULL */
    enum { STATELESS, FLAG, HEADS, OWN } kind;
    size_t offset;                            /* of a flag or of the masks of heads, */
    bool (*is_on)(const struct scene *scene); /* or functions to read and change it */
    enum status (*change)(const struct scene *scene, struct interventions *changes,
                          struct error *error);
} entries[] = {
#define FLAG(field)  FLAG, offsetof(struct interventions, field), NULL, NULL
#define HEADS(field) HEADS, offsetof(struct interventions, field), NULL, NULL
#define OWN(name)    OWN, 0, menu_is_##name, change_##name
    {'z', NULL, describe_off, NULL, HEADS(off)},
    {'u', "uniform attention in this head", NULL, NULL, HEADS(uniform)},
    {'h', NULL, describe_hidden, why_none_hidden, OWN(hidden)},
    {'c', NULL, describe_cut, why_none_cut, OWN(cut)},
    {'m', "causal: to itself and those before", NULL, NULL, FLAG(causal)},
    {'d', "no division by √D", NULL, NULL, FLAG(unscaled)},
    {'t', NULL, describe_temperature, NULL, OWN(tempered)},
    {'\0', NULL, describe_saturation, NULL, STATELESS, 0, NULL, NULL},
    {'p', NULL, describe_positions, NULL, OWN(positioned)},
    {'s', NULL, describe_segments, why_segments_stay, FLAG(no_segments)},
    {'Z', "undo all changes", NULL, why_nothing_undone, STATELESS, 0, NULL, undo_all},
#undef OWN
#undef HEADS
#undef FLAG
};

#define ENTRIES ((int)(sizeof entries / sizeof *entries))

static struct words menu_describe(const struct entry *entry, const struct scene *scene, bool ascii)
{
    struct words words = {""};
    if (entry->describe)
        entry->describe(scene, ascii, &words);
    else
        snprintf(words.text, sizeof words.text, "%s", entry->text);
    return words;
}

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

static enum status change(const struct entry *entry, const struct scene *scene,
                          struct interventions *changes, struct error *error)
{
    void *kept = (char *)changes + entry->offset;
    if (entry->change)
        return entry->change(scene, changes, error);
    if (entry->kind == FLAG) {
        *(bool *)kept = !*(bool *)kept;
    } else {
        uint64_t *heads = (uint64_t *)kept + scene->look.layer;
        *heads = head_mask_toggle(*heads, scene->look.head);
    }
    return STATUS_OK;
}

static const char *menu_obstacle(const struct entry *entry, const struct scene *scene)
{
    return entry->obstacle ? entry->obstacle(scene) : NULL;
}

/* ---- Keys ---- */

static unsigned menu_choose(struct session *session, const struct entry *entry)
{
    const struct scene scene = session_scene(session);
    struct interventions changes = session->state.source.changes;
    struct error error;
    const char *why = menu_obstacle(entry, &scene);
    if (why)
        return session_say(session, "%s", why);
    if (change(entry, &scene, &changes, &error) != STATUS_OK)
        return session_say(session, "%s", error.message);
    session->state.source.changes = changes;
    if (entry->change == undo_all)
        session_say(session, "all changes are undone: the network is as it was trained");
    return SESSION_REDRAW | SESSION_PASS | SESSION_NOW;
}

bool menu_key(struct session *session, uint32_t key, unsigned *bits)
{
    if (key == KEY_CODE_ENTER || key == '\n' || key == KEY_CODE_ESCAPE) {
        session->menu = false;
        *bits = SESSION_REDRAW;
        return true;
    }
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i].key && (uint32_t)entries[i].key == key) {
            *bits = menu_choose(session, &entries[i]);
            return true;
        }
    return false;
}

unsigned menu_undo(struct session *session)
{
    return menu_choose(session, &entries[ENTRIES - 1]);
}

/* ---- Drawing ---- */

#define TITLE         "change the network: a letter, Esc closes"
#define COLUMNS_LEAST 44
#define MARGIN        2 /* columns beside a line */
#define STATE         2 /* columns between key, state and text of a line */
#define LINES         (1 + ENTRIES)

/* The layout of the title and the lines. */
struct plan {
    struct area box;
    int columns; /* of lines */
};

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

static struct plan menu_plan(const struct scene *scene, struct area area, bool ascii)
{
    struct plan plan = {.columns = area.rows > LINES ? 1 : 2};
    int most = area.columns - 2 * MARGIN, wanted = widest(scene, ascii);
    int rows = 1 + (ENTRIES + plan.columns - 1) / plan.columns;
    plan.box = (struct area){area.y + area.rows - 1 - rows, area.x + MARGIN, rows,
                             plan.columns == 2 || wanted > most ? most : wanted};
    return plan;
}

static void menu_draw_line(const struct scene *scene, struct canvas *canvas, struct area row,
                           const struct entry *entry)
{
    const struct words words = menu_describe(entry, scene, canvas_ascii(canvas));
    bool on = is_on(entry, scene), faint = !entry->key || menu_obstacle(entry, scene);
    struct style style = on ? style_bold(ROLE_STRONG) : style_of(faint ? ROLE_FAINT : ROLE_TEXT);
    const char key[] = {entry->key, '\0'};
    int x = row.x + 2 * STATE;
    canvas_text(canvas, row.y, row.x, 1, faint ? style : style_bold(ROLE_TITLE), key);
    if (entry->kind != STATELESS)
        canvas_text(canvas, row.y, row.x + STATE, 1, style_of(on ? ROLE_WARNING : ROLE_FAINT),
                    on ? "■" : "□");
    canvas_text(canvas, row.y, x, row.x + row.columns - x, style, words.text);
    if (entry->key)
        canvas_mark(canvas, row, HIT_KEY, (size_t)entry->key);
}

void menu_draw(const struct session *session, struct canvas *canvas, struct area area)
{
    const struct scene scene = session_scene(session);
    struct style title = style_bold(ROLE_STRONG);
    if (!session->menu || !scene.data.network)
        return;
    const struct plan plan = menu_plan(&scene, area, canvas_ascii(canvas));
    const struct area box = plan.box;
    int top = box.y + 1, each = (ENTRIES + plan.columns - 1) / plan.columns;
    int columns = (box.columns - MARGIN) / plan.columns;
    title.back = ink_full(ROLE_CURSOR);
    canvas_fill(canvas, box, style_of(ROLE_TEXT));
    canvas_mark(canvas, box, HIT_NOTHING, 0);
    canvas_fill(canvas, (struct area){top - 1, box.x, 1, box.columns}, title);
    canvas_text(canvas, top - 1, box.x + MARGIN, box.columns - 2 * MARGIN, title, TITLE);
    for (int i = 0; i < ENTRIES; i++)
        menu_draw_line(
            &scene, canvas,
            (struct area){top + i % each, box.x + MARGIN + i / each * columns, 1, columns - MARGIN},
            &entries[i]);
}
