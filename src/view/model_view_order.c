#include "headlight/view/model_view_order.h"

#include "headlight/view/metric.h"

#include <math.h>
#include <stdlib.h>

bool model_view_has_figure(const struct scene *scene)
{
    return scene->look.metric != METRIC_NONE && scene->data.metrics;
}

bool model_view_is_sorted(const struct scene *scene)
{
    return scene->look.sorted && model_view_has_figure(scene);
}

static struct model_view_head head_of(const struct scene *scene, size_t index)
{
    return (struct model_view_head){index / scene->data.head_count, index % scene->data.head_count};
}

/* By what a head of the grid is sorted. */
static long key(const struct scene *scene, size_t index)
{
    return lround(metric_of(&scene->data.metrics[index], scene->look.metric) * 1000);
}

/* Counts the heads before it: for one head, cheaper than sorting them all. */
size_t model_view_place(const struct scene *scene, size_t layer, size_t head)
{
    size_t index = layer * scene->data.head_count + head,
           count = scene->data.layers * scene->data.head_count;
    size_t place = 0;
    if (!model_view_is_sorted(scene))
        return index;
    long own = key(scene, index);
    for (size_t i = 0; i < count; i++) {
        long other = key(scene, i);
        place += other > own || (other == own && i < index);
    }
    return place;
}

/* A head to be sorted. */
struct ranked {
    long key;
    size_t index;
};

static int by_key(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    if (left->key != right->key)
        return left->key > right->key ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

enum status model_view_sort(const struct scene *scene, struct model_view_head **heads,
                            struct error *error)
{
    size_t count = scene->data.layers * scene->data.head_count;
    bool sorted = model_view_is_sorted(scene);
    struct ranked *ranked = malloc(count * sizeof *ranked);
    *heads = malloc(count * sizeof **heads);
    if (!ranked || !*heads) {
        free(ranked);
        free(*heads);
        *heads = NULL;
        return error_memory(error, "the order of the heads", count * sizeof *ranked);
    }
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){sorted ? key(scene, i) : 0, i};
    qsort(ranked, count, sizeof *ranked, by_key);
    for (size_t i = 0; i < count; i++)
        (*heads)[i] = head_of(scene, ranked[i].index);
    free(ranked);
    return STATUS_OK;
}

/* How many heads have a key above `limit`. */
static size_t count_above(const struct scene *scene, long limit)
{
    size_t above = 0, count = scene->data.layers * scene->data.head_count;
    for (size_t i = 0; i < count; i++)
        above += key(scene, i) > limit;
    return above;
}

/* The key of the head at a place: halves what it can be until one is left, so that nothing has to
 * be sorted, and no memory can be short, for a single head. */
static long key_at(const struct scene *scene, size_t place)
{
    long low = key(scene, 0), high = low;
    for (size_t i = 1; i < scene->data.layers * scene->data.head_count; i++) {
        long next = key(scene, i);
        low = next < low ? next : low;
        high = next > high ? next : high;
    }
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (count_above(scene, middle) > place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct model_view_head model_view_at(const struct scene *scene, size_t place)
{
    size_t count = scene->data.layers * scene->data.head_count, index = 0;
    if (!model_view_is_sorted(scene))
        return head_of(scene, place);
    long own = key_at(scene, place);
    for (size_t left = place - count_above(scene, own); index + 1 < count; index++)
        if (key(scene, index) == own && left-- == 0)
            break;
    return head_of(scene, index);
}
