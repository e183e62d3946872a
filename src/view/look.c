/* look.c: a look's first values and what one change of it entails. Looks are compared field by
 * field, because padding makes memcmp unreliable: a new field needs its place in look_equal, or a
 * change of it goes unnoticed. */
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

bool look_equal(const struct look *a, const struct look *b)
{
    return a->side == b->side && a->from == b->from && a->to == b->to &&
           a->query_found == b->query_found && strcmp(a->find, b->find) == 0 &&
           a->ranked == b->ranked && a->rank == b->rank && a->dimension == b->dimension &&
           a->answers == b->answers && a->answer == b->answer && a->asked == b->asked &&
           a->stage == b->stage && a->number == b->number && a->view == b->view &&
           a->site == b->site && a->layer == b->layer && a->layer_kept == b->layer_kept &&
           a->head == b->head && a->head_found == b->head_found && a->heads == b->heads &&
           a->others == b->others && a->filter == b->filter &&
           a->shape.special == b->shape.special && a->shape.words == b->shape.words &&
           a->shape.said == b->shape.said && a->averaged == b->averaged && a->detail == b->detail &&
           a->threshold == b->threshold && a->tone == b->tone && a->map == b->map &&
           a->numbers == b->numbers && a->listed == b->listed && a->metric == b->metric &&
           a->effect_sought == b->effect_sought && a->without == b->without &&
           a->difference_sought == b->difference_sought && a->sorted == b->sorted &&
           a->lined == b->lined && a->scale_largest == b->scale_largest && a->valued == b->valued &&
           a->theme == b->theme && a->presented == b->presented &&
           a->corpus.shown == b->corpus.shown && a->corpus.figure == b->corpus.figure &&
           a->corpus.axis == b->corpus.axis && a->corpus.card == b->corpus.card &&
           a->corpus.relation == b->corpus.relation && a->corpus.example == b->corpus.example &&
           a->back->view == b->back->view && a->back->site == b->back->site &&
           a->back->layer == b->back->layer && a->back->head == b->back->head &&
           a->found.shown == b->found.shown && a->found.asked == b->found.asked &&
           a->found.token == b->found.token && a->found.at == b->found.at;
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

const struct filter_names filters[FILTER_COUNT] = {
#define FILTER(filter, name, title) [filter] = {name, title},
    FILTERS(FILTER)
#undef FILTER
};
