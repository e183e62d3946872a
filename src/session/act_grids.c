#include "headlight/base/size.h"
#include "headlight/model/head_mask.h"
#include "headlight/session/act.h"
#include "headlight/session/act_parts.h"
#include "headlight/view/model_view_order.h"

#define PAGE_ROWS 4 /* of the model view */

/* The matrix: rows are attending tokens, columns attended ones. */
static void move_in_matrix(struct scene *scene, enum side side, ptrdiff_t steps)
{
    scene->side = side;
    act_move_cursor(scene, steps);
    scene->side = scene->to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
}

static bool act_in_matrix(struct scene *scene, enum action action)
{
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
        move_in_matrix(scene, SIDE_LEFT, action == ACTION_TOKEN_NEXT ? 1 : -1);
        return true;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        move_in_matrix(scene, SIDE_LEFT, action == ACTION_PAGE_DOWN ? ACT_PAGE : -ACT_PAGE);
        return true;
    case ACTION_LEFT:
    case ACTION_RIGHT:
        move_in_matrix(scene, SIDE_RIGHT, action == ACTION_RIGHT ? 1 : -1);
        return true;
    default:
        return false;
    }
}

/* To a row and a column of the model view's grid, whatever head stands there. */
static void go_to_place(struct scene *scene, size_t row, size_t column)
{
    struct model_view_head at = model_view_at(scene, row * scene->head_count + column);
    scene->layer = at.layer;
    scene->head = at.head;
}

/* The model: a grid as wide as a layer has heads; Enter opens the head by itself. */
static bool act_in_model(struct session *session, enum action action)
{
    struct scene *scene = &session->scene;
    size_t place = model_view_place(scene, scene->layer, scene->head);
    size_t rows = scene->layers, columns = scene->head_count;
    size_t row = place / columns, column = place % columns;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        go_to_place(scene, (row + rows - 1) % rows, column);
        return true;
    case ACTION_TOKEN_NEXT:
        go_to_place(scene, (row + 1) % rows, column);
        return true;
    case ACTION_TOKEN_FIRST:
        go_to_place(scene, 0, column);
        return true;
    case ACTION_TOKEN_LAST:
        go_to_place(scene, rows - 1, column);
        return true;
    case ACTION_PAGE_UP:
        go_to_place(scene, row - size_min(row, PAGE_ROWS), column);
        return true;
    case ACTION_PAGE_DOWN:
        go_to_place(scene, size_min(row + PAGE_ROWS, rows - 1), column);
        return true;
    case ACTION_LEFT:
        go_to_place(scene, row, (column + columns - 1) % columns);
        return true;
    case ACTION_RIGHT:
        go_to_place(scene, row, (column + 1) % columns);
        return true;
    case ACTION_PIN:
        scene->heads = head_mask_of(scene->head);
        session_set_view(session, VIEW_HEAD);
        return true;
    default:
        return false;
    }
}

bool act_in_grid(struct session *session, enum action action)
{
    if (session->scene.view == VIEW_MATRIX)
        return act_in_matrix(&session->scene, action);
    return session->scene.view == VIEW_MODEL && act_in_model(session, action);
}
