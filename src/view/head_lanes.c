/* head_lanes.c: how wide lines are; and where all heads have their lines, each has a lane of its
 * own at both ends, so that lines neither hide each other nor cross where they meet. */
#include "headlight/view/head_legend.h"

#include "headlight/base/size.h"

#include <math.h>
#include <stdlib.h>

/* The room for all lanes of a token, in rows: where they are many, lanes get narrow and lines
 * overlap. */
#define LANES_ROOM 0.8F

/* A line at one of its tokens. */
struct line_end {
    uint32_t token, other;
    uint16_t head;
    float *lane;
};

/* The order of a token's lanes is that of the other ends, so that lines don't cross where they
 * meet; of the heads where the other end is the same, so that these run side by side. */
static int by_lane(const void *a, const void *b)
{
    const struct line_end *x = a, *y = b;
    if (x->token != y->token)
        return x->token < y->token ? -1 : 1;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return (x->head > y->head) - (x->head < y->head);
}

enum status head_find_lanes(struct head_sheet *sheet, struct error *error)
{
    const struct edge_list *list = &sheet->list;
    struct line_end *ends = malloc((list->count + 1) * sizeof *ends);
    sheet->lanes = malloc((list->count + 1) * sizeof *sheet->lanes);
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT && ends && sheet->lanes; side++) {
        for (size_t i = 0; i < list->count; i++) {
            const struct edge *edge = &list->edges[i];
            bool left = side == SIDE_LEFT;
            ends[i] = (struct line_end){left ? edge->from : edge->to, left ? edge->to : edge->from,
                                        edge->head, &sheet->lanes[i][side]};
        }
        qsort(ends, list->count, sizeof *ends, by_lane);
        for (size_t first = 0, end; first < list->count; first = end) {
            for (end = first + 1; end < list->count && ends[end].token == ends[first].token;)
                end++;
            /* its row's middle, and evenly on both sides of it */
            const float count = (float)(end - first - 1);
            const float pitch = fminf(count > 0 ? (LANES_ROOM - HEAD_LANE) / count : 0, HEAD_LANE);
            for (size_t i = first; i < end; i++)
                *ends[i].lane = ((float)(i - first) - count / 2) * pitch;
        }
    }
    free(ends);
    return ends && sheet->lanes ? STATUS_OK
                                : error_memory(error, "the lines", list->count * sizeof *ends);
}

/* Widths in rows. Many lines must stay apart where they meet; those of a chosen token need not, nor
 * one head's where there are rows between the tokens (step > 1). */
#define THIN      0.08F
#define THIN_MORE (HEAD_LANE - THIN)
#define WIDE      0.06F
#define WIDE_MORE 0.44F

/* A share of 0 is the thinnest line there is, 1 the widest: widths grow linearly with the weight,
 * as thickness is read more exactly than brightness. */
float head_line_width(const struct head_sheet *sheet, float share)
{
    int step = sheet->column[SIDE_LEFT].size;
    bool roomy = head_mask_count(scene_maps(sheet->scene)) == 1 && step > 1;
    if (roomy || (sheet->focus != NO_TOKEN && !sheet->lanes))
        return WIDE + WIDE_MORE * share;
    return THIN + THIN_MORE * share;
}
