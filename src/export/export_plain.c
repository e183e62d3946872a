/* export_plain.c: the lines of the head view in words, for pipes, screen readers and terminals that
 * can't move the cursor: "cat → sat 0.510", one a line, token by token. */
#include "headlight/export/export.h"

#include <stdlib.h>

static void write_safe(const char *text, bool ascii, FILE *stream)
{
    char safe[1024];
    text_safe(text, ascii, safe, sizeof safe);
    fputs(safe, stream);
}

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

/* Under a heading: "layer 3, head 1 of built-in", "mean of heads and layers of built-in, map
 * norms".
 */
enum status export_plain(const struct output *output, FILE *stream, struct error *error)
{
    const struct scene shown = session_scene(output->session), *scene = &shown;
    const struct look *look = &scene->look;
    const enum map_kind kind = scene->data.map->kind;
    const bool layers = scene_is_of_all_layers(scene);
    char heads[HEAD_MASK_LIST];
    const struct edge_query query = scene_edges(scene);
    const struct pair_limits limits = scene_limits(scene);
    struct edge_list list;
    if (pairs_select(&query, &limits, &list, error) != STATUS_OK)
        return error->status;
    qsort(list.edges, list.count, sizeof *list.edges, by_token);
    head_mask_write(look->heads, scene->data.head_count, heads, sizeof heads);
    if (!layers)
        fprintf(stream, "layer %zu, ", look->layer);
    if (scene->data.mean)
        fprintf(stream, "mean of heads%s", layers ? " and layers" : "");
    else if (scene_is_single(scene) || look->heads == head_mask_all(scene->data.head_count))
        fputs("all heads", stream);
    else
        fprintf(stream, "%s %s", head_mask_count(look->heads) == 1 ? "head" : "heads", heads);
    fputs(" of ", stream);
    write_safe(scene->data.model, output->ascii, stream);
    fprintf(stream, "%s%s", kind == MAP_WEIGHTS ? "" : ", map ",
            kind == MAP_WEIGHTS ? "" : map_infos[kind].name);
    if (scene->data.changes) {
        fputs(", ", stream);
        write_safe(scene->data.changes, output->ascii, stream);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < list.count; i++) { /* of several heads, whose line it is at the end */
        const struct edge *edge = &list.edges[i];
        write_safe(scene_name(scene, SIDE_LEFT, edge->from, output->ascii).text, output->ascii,
                   stream);
        fputs(scene_pairs_once(scene) ? output->ascii ? " - " : " – "
              : output->ascii         ? " -> "
                                      : " → ",
              stream);
        write_safe(scene_name(scene, SIDE_RIGHT, edge->to, output->ascii).text, output->ascii,
                   stream);
        fprintf(stream, " %s", scene_number(scene, edge).text);
        if (head_mask_count(scene_maps(scene)) > 1)
            fprintf(stream, " head %u", edge->head);
        fputc('\n', stream);
    }
    free(list.edges);
    return STATUS_OK;
}
