/* views.c: the table of views, and the drawing of whichever is chosen with the list of the
 * strongest connections beside it. It stands above all views: none of them calls it. */
#include "headlight/view/views.h"

#include "headlight/base/nearest.h"

/* ---- The table ---- */

static const struct {
    const char *name;
    const struct view *view;
} views[VIEW_COUNT] = {
#define VIEW(kind, name) [VIEW_##kind] = {#name, &name##_view},
    VIEWS(VIEW)
#undef VIEW
};

const struct view *view_at(enum view_kind kind)
{
    return views[kind].view;
}

const char *view_name(enum view_kind kind)
{
    return views[kind].name;
}

/* There is a view of each kind, so the search ends. */
enum view_kind view_of_heads(enum heads_shown heads)
{
    enum view_kind kind = 0;
    while (views[kind].view->heads != heads)
        kind++;
    return kind;
}

/* In the order of the bar. */
void view_list(unsigned aspect, enum action action, char *text, size_t size)
{
    struct nearest names = nearest_to("");
    for (enum view_kind kind = 0; kind < VIEW_COUNT; kind++)
        if (views[kind].view->shown & aspect || view_owns(views[kind].view, action))
            nearest_offer(&names, views[kind].name);
    snprintf(text, size, "%s", nearest_names(&names));
}

/* Hints are written by the views, and fit struct hint. */
bool hint_next(const char **hints, struct hint *hint)
{
    int used = 0;
    bool found = sscanf(*hints, "%15[^:]: %31[^;]%n", hint->keys, hint->what, &used) == 2;
    *hints += used;
    *hints += strspn(*hints, "; ");
    return found;
}

bool view_owns(const struct view *view, enum action action)
{
    for (const enum action *own = view->own; own && *own != ACTION_COUNT; own++)
        if (*own == action)
            return true;
    return false;
}

const struct view *look_view(const struct look *look)
{
    return look->found.shown ? &found_view : view_at(look->view);
}

const struct view *scene_view(const struct scene *scene)
{
    return look_view(&scene->look);
}

const struct view *scene_part(const struct scene *scene)
{
    const struct view *view = scene_view(scene);
    return view->part ? view->part(scene) : view;
}

const char *scene_hints(const struct scene *scene)
{
    return scene_part(scene)->hints ? scene_part(scene)->hints(scene) : scene_part(scene)->keys;
}

struct scene view_scene(const struct look *look, const struct data *data)
{
    return (struct scene){*look, view_at(look->view), *data};
}

/* A view with a query puts the cursor on the side of the keys once a key is chosen. */
void look_go_to_view(struct look *look, enum view_kind kind)
{
    look->view = kind;
    look->ranked = false;
    memset(look->back, 0, sizeof look->back);
    if (view_at(kind)->query != QUERY_NONE)
        look->side = look->to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
}

void scene_go_to_view(struct scene *scene, enum view_kind kind)
{
    struct look *look = &scene->look;
    const size_t last = scene->data.layers - 1;
    const bool spoke = view_at(look->view)->speaks, speaks = view_at(kind)->speaks;
    if (speaks && !spoke) {
        look->layer_kept = look->layer;
        look->layer = last;
    } else if (spoke && !speaks) {
        if (look->layer == last && look->layer_kept != NO_TOKEN)
            look->layer = look->layer_kept;
        look->layer_kept = NO_TOKEN;
    }
    look_go_to_view(look, kind);
}

void scene_open_view(struct scene *scene, enum view_kind kind)
{
    struct look *look = &scene->look, before = *look;
    look_remember(&before);
    scene_go_to_view(scene, kind);
    memcpy(look->back, before.back, sizeof look->back);
    look->found.shown = false;
}

/* Of a text that was opened, its words were chosen with it. */
bool look_leads_back(const struct look *look)
{
    const struct back *back = &look->back[0];
    const bool none = look->from == NO_TOKEN && look->to == NO_TOKEN;
    return back->of && (look->ranked || back->of == BACK_FOUND || view_at(back->view)->opens ||
                        none || (look->from == back->from && look->to == back->to));
}

void scene_go_back(struct scene *scene)
{
    struct look *look = &scene->look;
    const struct look opened = *look;
    const struct back back = look->back[0];
    look->found.shown = back.of == BACK_FOUND;
    scene_go_to_view(scene, back.view);
    memcpy(look->back, opened.back + 1, (BACKS - 1) * sizeof *look->back);
    look->site = back.site;
    look->layer = back.layer;
    look->layer_kept = back.layer_kept;
    look->head = back.head;
    look->heads = back.heads;
    look->others = back.others;
    if (!back.ranked && !opened.ranked)
        return;
    look->ranked = back.ranked;
    look->side = back.side;
    look->from = back.from;
    look->to = back.to;
}

/* ---- Drawing ---- */

/* The list of connections is at the right, behind a rule. */
void view_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct look *look = &scene->look;
    const bool listed = look->listed && !look->presented && scene_view(scene)->shown & SHOWN_LIST &&
                        !scene_view(scene)->own_list;
    const int columns = listed ? connections_columns(area) : 0;
    if (columns > 0) {
        area.columns -= columns + 1;
        connections_draw(scene, canvas,
                         (struct area){area.y, area.x + area.columns + 1, area.rows, columns});
    }
    scene_view(scene)->draw(scene, canvas, area);
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    if (!canvas->bare && scene_part(scene)->legend)
        scene_part(scene)->legend(scene, &pen);
}

/* ---- In words ---- */

bool view_sentence(const struct scene *scene, bool ascii, char *text, size_t size)
{
    const struct view *view = scene_view(scene);
    struct sentence sentence = {.ascii = ascii, .text = ""};
    /* of a change these have more to say, or nothing */
    const bool own = view->speaks || view->compares || (view->shown & SHOWN_SURVEY);
    const bool whole = !own && scene->data.trace && sentence_begin(scene, &sentence);
    const size_t begun = strlen(sentence.text);
    if (scene->data.trace && !whole && view->says)
        view->says(scene, &sentence);
    if (!whole && begun > 0 && strlen(sentence.text) == begun) {
        sentence.text[0] = '\0';
        sentence_say_change(scene, &sentence);
    }
    format_cut(text, size, "%s", sentence.text);
    return text[0] != '\0';
}
