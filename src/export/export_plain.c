/* export_plain.c: the lines of the head view in words, for pipes, screen readers and terminals that
 * can't move the cursor: "cat → sat 0.510", one a line, token by token. */
#include "headlight/export/export.h"

#include <stdlib.h>

/* In the order of the text, a token's heaviest line first. */
static int by_token(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Under a heading: "head 3.1 of built-in", "mean of heads and layers of built-in, map
 * norms".
 */
enum status export_plain(const struct output *output, FILE *stream, struct error *error)
{
    const struct scene shown = session_scene(output->session), *scene = &shown;
    const struct look *look = &scene->look;
    const enum map_kind kind = scene->data.map->kind;
    const bool layers = scene_is_of_all_layers(scene), ascii = output->ascii;
    char heads[HEAD_MASK_LIST];
    const struct edge_query query = scene_edges(scene);
    const struct pair_limits limits = scene_limits(scene);
    struct edge_list list;
    if (pairs_select(&query, &limits, &list, error) != STATUS_OK)
        return error->status;
    qsort(list.edges, list.count, sizeof *list.edges, by_token);
    head_mask_write(look->heads, scene->data.head_count, heads, sizeof heads);
    const bool one = !scene_is_single(scene) && head_mask_count(look->heads) == 1;
    if (!layers && !one)
        fprintf(stream, "layer %zu, ", look->layer);
    if (scene->data.mean)
        fprintf(stream, "mean of heads%s", layers ? " and layers" : "");
    else if (scene_is_single(scene) || look->heads == head_mask_all(scene->data.head_count))
        fputs("all heads", stream);
    else
        fprintf(stream, one ? "head %s" : "heads %s",
                one ? data_head(&scene->data, look->layer, head_mask_first(look->heads)).text
                    : heads);
    fputs(" of ", stream);
    text_write(stream, scene->data.model, strlen(scene->data.model), ascii);
    fprintf(stream, "%s%s", kind == MAP_WEIGHTS ? "" : ", map ",
            kind == MAP_WEIGHTS ? "" : map_infos[kind].name);
    if (scene->data.changes) {
        fputs(", ", stream);
        text_write(stream, scene->data.changes, strlen(scene->data.changes), ascii);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < list.count; i++) { /* of several heads, whose line it is at the end */
        const struct edge *edge = &list.edges[i];
        const char *between = scene_pairs_once(scene) ? ascii ? "-" : "–" : ascii ? "->" : "→";
        fprintf(stream, "%s %s %s %s", scene_name(scene, SIDE_LEFT, edge->from, ascii).text,
                between, scene_name(scene, SIDE_RIGHT, edge->to, ascii).text,
                scene_number(scene, edge).text);
        if (head_mask_count(scene_maps(scene)) > 1)
            fprintf(stream, " head %u", edge->head);
        fputc('\n', stream);
    }
    free(list.edges);
    return STATUS_OK;
}
