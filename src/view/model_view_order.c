#include "headlight/view/model_view_order.h"

#include "headlight/view/model_view_effect.h"
#include "headlight/view/model_view_label.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

bool model_view_has_metric(const struct scene *scene)
{
    if (scene->look.metric == METRIC_EFFECT)
        return scene->data.effects;
    return scene->look.metric != METRIC_NONE && scene->data.metrics;
}

double model_view_value(const struct scene *scene, size_t layer, size_t head)
{
    if (scene->look.metric == METRIC_EFFECT)
        return model_view_effect(scene, layer, head);
    return metric_of(&scene->data.metrics[layer * scene->data.head_count + head],
                     scene->look.metric);
}

bool model_view_is_sorted(const struct scene *scene)
{
    return scene->look.sorted && model_view_has_metric(scene);
}

static int by_key(const void *a, const void *b)
{
    const struct model_view_head *left = a, *right = b;
    if (left->key != right->key)
        return left->key > right->key ? -1 : 1;
    if (left->layer != right->layer)
        return left->layer < right->layer ? -1 : 1;
    return left->head < right->head ? -1 : left->head > right->head;
}

static long key_of(const struct scene *scene, size_t layer, size_t head)
{
    if (scene->look.metric == METRIC_LABEL) {
        struct head_label label = model_view_label(scene, layer, head);
        return label.label != LABEL_NONE ? lround(label.value * 1000) - 10000L * (long)label.label
                                         : LONG_MIN;
    }
    double value = model_view_value(scene, layer, head);
    double unit = scene->look.metric == METRIC_EFFECT ? -1000 : 1000;
    return isnan(value) ? LONG_MIN : lround(value * unit);
}

void model_view_sort(const struct scene *scene, struct model_view_head heads[MODEL_VIEW_HEADS_MAX])
{
    size_t count = scene->data.layers * scene->data.head_count;
    bool sorted = model_view_is_sorted(scene);
    for (size_t i = 0; i < count; i++) {
        size_t layer = i / scene->data.head_count, head = i % scene->data.head_count;
        heads[i] = (struct model_view_head){layer, head, 0};
        if (sorted)
            heads[i].key = key_of(scene, layer, head);
    }
    if (sorted)
        qsort(heads, count, sizeof *heads, by_key);
}

size_t model_view_place(const struct scene *scene, size_t layer, size_t head)
{
    struct model_view_head heads[MODEL_VIEW_HEADS_MAX];
    size_t place = 0;
    model_view_sort(scene, heads);
    while (heads[place].layer != layer || heads[place].head != head)
        place++;
    return place;
}

struct model_view_head model_view_at(const struct scene *scene, size_t place)
{
    struct model_view_head heads[MODEL_VIEW_HEADS_MAX];
    model_view_sort(scene, heads);
    return heads[place];
}
