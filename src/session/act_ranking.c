#include "headlight/base/size.h"
#include "headlight/model/head_mask.h"
#include "headlight/session/act_parts.h"
#include "headlight/view/ranking.h"

#include <stdio.h>
#include <stdlib.h>

void act_begin_ranking(struct session *session)
{
    struct scene *scene = &session->scene;
    scene->ranked = scene_is_pinned(scene);
    scene->rank = 0;
    if (!scene->ranked)
        session_say(session, "choose two tokens first: one, then Enter, then another");
}

static void go_to_ranked(struct session *session)
{
    struct scene *scene = &session->scene;
    struct ranked_head *heads = ranking_new(scene);
    if (!heads) {
        session_lacks_memory(session, "the ranking",
                             scene->layers * scene->head_count * sizeof *heads);
        return;
    }
    scene->layer = heads[scene->rank].layer;
    scene->head = heads[scene->rank].head;
    if (!head_mask_has(scene->heads, scene->head))
        scene->heads = head_mask_of(scene->head);
    free(heads);
    scene->ranked = false;
    session_refresh(session);
}

bool act_in_ranking(struct session *session, enum action action)
{
    struct scene *scene = &session->scene;
    size_t last = scene->layers * scene->head_count - 1;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        scene->rank -= scene->rank > 0;
        return true;
    case ACTION_TOKEN_NEXT:
        scene->rank += scene->rank < last;
        return true;
    case ACTION_PAGE_UP:
        scene->rank -= size_min(scene->rank, ACT_PAGE);
        return true;
    case ACTION_PAGE_DOWN:
        scene->rank = size_min(scene->rank + ACT_PAGE, last);
        return true;
    case ACTION_TOKEN_FIRST:
    case ACTION_TOKEN_LAST:
        scene->rank = action == ACTION_TOKEN_LAST ? last : 0;
        return true;
    case ACTION_PIN:
        go_to_ranked(session);
        return true;
    case ACTION_CLEAR:
    case ACTION_RANK:
        scene->ranked = false;
        return true;
    case ACTION_THEME:
    case ACTION_SPECIAL:
    case ACTION_WORDS:
        return false;
    default:
        scene->ranked = false;
        return false;
    }
}
