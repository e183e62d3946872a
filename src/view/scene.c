#include "headlight/view/scene.h"

#include "headlight/view/grid.h"
#include "headlight/view/head.h"
#include "headlight/view/matrix.h"
#include "headlight/view/neuron.h"

bool scene_is_pair(const struct scene *scene)
{
    return scene->boundary < scene->tokens;
}

static struct token_range filter_range(const struct scene *scene, enum filter filter,
                                       enum side side)
{
    struct token_range a = {0, scene->boundary}, b = {scene->boundary, scene->tokens};
    switch (filter) {
    case FILTER_AA:
        return a;
    case FILTER_BB:
        return b;
    case FILTER_AB:
        return side == SIDE_LEFT ? a : b;
    case FILTER_BA:
        return side == SIDE_LEFT ? b : a;
    default:
        return (struct token_range){0, scene->tokens};
    }
}

struct token_range scene_range(const struct scene *scene, enum side side)
{
    return filter_range(scene, scene->filter, side);
}

bool scene_filter_fits(const struct scene *scene, enum filter filter)
{
    struct token_range left = filter_range(scene, filter, SIDE_LEFT);
    struct token_range right = filter_range(scene, filter, SIDE_RIGHT);
    return left.first < left.end && right.first < right.end;
}

const char *scene_filter_title(enum filter filter)
{
    static const char *const titles[FILTER_COUNT] = {"all", "A→A", "A→B", "B→A", "B→B"};
    return titles[filter];
}

const char *scene_filter_name(enum filter filter)
{
    static const char *const names[FILTER_COUNT] = {"all", "aa", "ab", "ba", "bb"};
    return names[filter];
}

bool scene_is_pinned(const struct scene *scene)
{
    return scene->from != NO_TOKEN && scene->to != NO_TOKEN;
}

size_t scene_focus(const struct scene *scene, enum side *side)
{
    bool pinned = scene_is_pinned(scene);
    *side = pinned == (scene->side == SIDE_LEFT) ? SIDE_RIGHT : SIDE_LEFT;
    return *side == SIDE_LEFT ? scene->from : scene->to;
}

static struct token_range only(size_t token)
{
    return (struct token_range){token, token + 1};
}

bool scene_shows_one_head(const struct scene *scene)
{
    return scene->view == VIEW_NEURON || scene->view == VIEW_MATRIX;
}

struct edge_query scene_edges(const struct scene *scene)
{
    enum side side;
    size_t focus = scene_focus(scene, &side);
    struct edge_query query = {
        .layer = scene->layer,
        .heads = scene_shows_one_head(scene) ? UINT64_C(1) << scene->head : scene->heads,
        .from = scene_range(scene, SIDE_LEFT),
        .to = scene_range(scene, SIDE_RIGHT),
    };
    if (focus != NO_TOKEN && side == SIDE_LEFT)
        query.from = only(focus);
    if (focus != NO_TOKEN && side == SIDE_RIGHT)
        query.to = only(focus);
    return query;
}

bool scene_current_edge(const struct scene *scene, struct edge *edge)
{
    struct edge_query query = scene_edges(scene);
    if (scene->from != NO_TOKEN)
        query.from = only(scene->from);
    if (scene->to != NO_TOKEN)
        query.to = only(scene->to);
    return edges_strongest(scene->trace, &query, edge);
}

int scene_label_width(const struct scene *scene, const struct canvas *canvas, int limit)
{
    int widest = 4;
    for (size_t i = 0; i < scene->tokens; i++) {
        int width = (int)text_width(scene->labels[i], canvas_ascii(canvas));
        if (width > widest)
            widest = width;
    }
    return widest < limit ? widest : limit;
}

static const struct {
    const char *name, *title;
    enum status (*draw)(const struct scene *, struct canvas *, struct area, struct error *);
} views[VIEW_COUNT] = {
#define VIEW(kind, name, title, draw) [kind] = {name, title, draw},
    SCENE_VIEWS(VIEW)
#undef VIEW
};

enum status scene_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                       struct error *error)
{
    return views[scene->view].draw(scene, canvas, area, error);
}

const char *scene_view_title(enum view_kind view)
{
    return views[view].title;
}

const char *scene_view_name(enum view_kind view)
{
    return views[view].name;
}
