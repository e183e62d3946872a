#include "headlight/view/scene.h"

#include "headlight/model/head_mask.h"
#include "headlight/view/connections.h"
#include "headlight/view/head.h"
#include "headlight/view/matrix.h"
#include "headlight/view/model_view.h"
#include "headlight/view/neuron.h"
#include "headlight/view/ranking.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* What is drawn, see head.h. */
#define EDGE_MIN       50 /* thousandths; with a token chosen: */
#define EDGE_MIN_FOCUS 10
#define EDGES_A_TOKEN  2.5 /* of several heads */

bool scene_is_pair(const struct scene *scene)
{
    return scene_boundary(scene, SIDE_LEFT) < scene_count(scene, SIDE_LEFT) &&
           scene_boundary(scene, SIDE_RIGHT) < scene_count(scene, SIDE_RIGHT);
}

static struct token_range filter_range(const struct scene *scene, enum filter filter,
                                       enum side side)
{
    bool left = side == SIDE_LEFT;
    size_t boundary = scene_boundary(scene, side), count = scene_count(scene, side);
    if (filter == FILTER_AA || filter == (left ? FILTER_AB : FILTER_BA))
        return (struct token_range){0, boundary};
    if (filter == FILTER_BB || filter == (left ? FILTER_BA : FILTER_AB))
        return (struct token_range){boundary, count};
    return (struct token_range){0, count};
}

struct token_range scene_range(const struct scene *scene, enum side side)
{
    return filter_range(scene, scene->view == VIEW_NEURON ? FILTER_ALL : scene->filter, side);
}

bool scene_filter_fits(const struct scene *scene, enum filter filter)
{
    struct token_range left = filter_range(scene, filter, SIDE_LEFT);
    struct token_range right = filter_range(scene, filter, SIDE_RIGHT);
    return left.first < left.end && right.first < right.end;
}

const char *scene_filter_title(enum filter filter)
{
#define FILTER_TITLE(filter, name, title) title,
    static const char *const titles[FILTER_COUNT] = {SCENE_FILTERS(FILTER_TITLE)};
    return titles[filter];
}

const char *scene_filter_name(enum filter filter)
{
#define FILTER_NAME(filter, name, title) name,
    static const char *const names[FILTER_COUNT] = {SCENE_FILTERS(FILTER_NAME)};
    return names[filter];
}

bool scene_is_pinned(const struct scene *scene)
{
    return scene->from != NO_TOKEN && scene->to != NO_TOKEN;
}

size_t scene_focus(const struct scene *scene, enum side *side)
{
    bool pinned = scene_is_pinned(scene);
    *side = pinned ? side_other(scene->side) : scene->side;
    return scene_token(scene, *side);
}

void scene_keep_in_range(struct scene *scene, enum side side)
{
    size_t *token = scene_chosen(scene, side);
    struct token_range range = scene_range(scene, side);
    if (*token != NO_TOKEN && (*token < range.first || *token >= range.end))
        *token = NO_TOKEN;
}

size_t scene_anchor(const struct scene *scene, enum side side, enum side leader)
{
    size_t first = scene_range(scene, side).first;
    if (scene_token(scene, leader) == NO_TOKEN)
        leader = side_other(leader);
    size_t token = scene_token(scene, leader);
    return token != NO_TOKEN ? first + token - scene_range(scene, leader).first : first;
}

bool scene_is_found(const struct scene *scene, enum side side, size_t token)
{
    size_t length = scene->find ? strlen(scene->find) : 0;
    for (const char *at = scene_label(scene, side, token); length > 0 && *at; at++)
        if (strncasecmp(at, scene->find, length) == 0)
            return true;
    return false;
}

static struct token_range only(size_t token)
{
    return (struct token_range){token, token + 1};
}

bool scene_shows_one_head(const struct scene *scene)
{
    return scene->view == VIEW_NEURON || scene->view == VIEW_MATRIX;
}

uint64_t scene_maps(const struct scene *scene)
{
    if (scene->mean)
        return 1;
    if (scene_shows_one_head(scene) || scene->view == VIEW_MODEL)
        return head_mask_of(scene->head);
    return scene->heads;
}

float scene_weight(const struct scene *scene, size_t map, size_t from, size_t to)
{
    if (scene->mean)
        return attention_weight(scene->mean, 0, 0, from, to);
    return attention_weight(scene->attention, scene->layer, map, from, to);
}

struct ink scene_ink(const struct scene *scene, size_t map, unsigned level)
{
    return scene->mean ? (struct ink){ROLE_TEXT, (uint8_t)level} : ink_head(map, level);
}

struct edge_query scene_edges(const struct scene *scene)
{
    enum side side;
    size_t focus = scene_focus(scene, &side);
    struct edge_query query = {
        .attention = scene->mean ? scene->mean : scene->attention,
        .layer = scene->mean ? 0 : scene->layer,
        .heads = scene->mean && scene->heads == 0 ? 0 : scene_maps(scene),
        .from = scene_range(scene, SIDE_LEFT),
        .to = scene_range(scene, SIDE_RIGHT),
        .tone = scene->tone,
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
    return edges_strongest(&query, edge);
}

struct edge_limits scene_limits(const struct scene *scene)
{
    enum side side;
    double factor = pow(2, scene->detail / 2.0);
    bool alone = !scene->mean && head_mask_count(scene_maps(scene)) == 1;
    struct edge_limits limits = {.weight = scene->threshold, .count = SIZE_MAX};
    if (limits.weight > 0)
        return limits;
    if (scene_focus(scene, &side) != NO_TOKEN) {
        limits.weight = EDGE_MIN_FOCUS;
    } else if (alone && scene->tone != TONE_ROW) {
        double least = EDGE_MIN / factor;
        limits.weight = least < 1 ? 1 : least > EDGE_WHOLE ? EDGE_WHOLE : (unsigned)least;
    } else {
        limits.weight = 1;
        limits.count = (size_t)(EDGES_A_TOKEN * (double)scene_count(scene, SIDE_LEFT) * factor);
    }
    return limits;
}

struct heat scene_heat(const struct scene *scene, size_t head)
{
    return (struct heat){.attended = scene_count(scene, SIDE_RIGHT),
                         .head = head,
                         .tone = scene->tone,
                         .from = scene_range(scene, SIDE_LEFT),
                         .to = scene_range(scene, SIDE_RIGHT),
                         .on = head_mask_has(scene->heads, head)};
}

struct style scene_label_style(const struct scene *scene, enum side side, size_t token,
                               enum role plain)
{
    if (token == scene_token(scene, side)) {
        struct style style = style_bold(ROLE_STRONG);
        style.back = ink_full(side == scene->side ? ROLE_CURSOR : ROLE_PINNED);
        return style;
    }
    return scene_is_found(scene, side, token) ? style_bold(ROLE_WARNING) : style_of(plain);
}

int scene_label_width(const struct scene *scene, const struct canvas *canvas, int limit)
{
    int widest = 4;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        for (size_t i = 0; i < scene_count(scene, side); i++) {
            int width = (int)text_width(scene_label(scene, side, i), canvas_ascii(canvas));
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

/* Columns of the list beside the view; the neuron view has its own. */
static int list_columns(const struct scene *scene, struct area area)
{
    int columns = connections_columns(area);
    return scene->listed && scene->view != VIEW_NEURON && columns > 0 ? columns : 0;
}

/* What a list leaves of the area. */
static struct area beside_list(const struct scene *scene, struct area area)
{
    int columns = list_columns(scene, area);
    area.columns -= columns > 0 ? columns + 1 : 0;
    return area;
}

enum status scene_prepare(const struct scene *scene, const struct canvas *canvas, struct area area,
                          struct thumbnails **thumbnails, struct error *error)
{
    if (scene->ranked || scene->view != VIEW_MODEL)
        return STATUS_OK;
    return model_view_prepare(scene, canvas, beside_list(scene, area), thumbnails, error);
}

enum status scene_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                       struct error *error)
{
    if (scene->ranked)
        return ranking_draw(scene, canvas, area, error);
    int columns = list_columns(scene, area);
    struct area list = {area.y, area.x + area.columns - columns, area.rows, columns};
    if (columns > 0 && connections_draw(scene, canvas, list, error) != STATUS_OK)
        return error->status;
    return views[scene->view].draw(scene, canvas, beside_list(scene, area), error);
}

const char *scene_view_title(enum view_kind view)
{
    return views[view].title;
}

const char *scene_view_name(enum view_kind view)
{
    return views[view].name;
}
