/* look.c: a look's first values and what one change of it entails. */
#include "headlight/view/look.h"

/* All that isn't named is 0: the first view, map, tone and theme, and whatever is off. */
struct look look_first(size_t heads)
{
    return (struct look){
        .heads = head_mask_all(heads),
        .others = head_mask_all(heads),
        .layer_kept = NO_TOKEN,
        .from = NO_TOKEN,
        .to = NO_TOKEN,
        .dimension = NO_TOKEN,
        .answer = NO_TOKEN,
        .asked = NO_TOKEN,
        .stage = STAGE_SCORES,
        .number = NO_TOKEN,
        .corpus = {.axis = METRIC_DISTANCE - METRIC_BEGIN,
                   .relation = NO_TOKEN,
                   .example = NO_TOKEN},
    };
}

/* Otherwise moving through the heads would leave the first one on, and the picture unchanged. */
void look_move_head(struct look *look, size_t head)
{
    if (look->heads == head_mask_of(look->head))
        look_show_alone(look, head);
    look->head = head;
}

/* Showing the same head alone again must not forget which ones were on before. */
void look_show_alone(struct look *look, size_t head)
{
    if (look->heads != head_mask_of(head))
        look->others = look->heads;
    look->head = head;
    look->heads = head_mask_of(head);
}

void look_remember(struct look *look)
{
    memmove(look->back + 1, look->back, (BACKS - 1) * sizeof *look->back);
    look->back[0] = (struct back){.of = look->found.shown ? BACK_FOUND : BACK_VIEW,
                                  .ranked = look->ranked,
                                  .view = look->view,
                                  .site = look->site,
                                  .side = look->side,
                                  .layer = look->layer,
                                  .layer_kept = look->layer_kept,
                                  .head = look->head,
                                  .from = look->from,
                                  .to = look->to,
                                  .heads = look->heads,
                                  .others = look->others};
}

const struct filter_names filters[FILTER_COUNT] = {
    {"all", "all"}, {"aa", "A→A"}, {"ab", "A→B"}, {"ba", "B→A"}, {"bb", "B→B"}};
