/* bands.c: the attentions of an encoder–decoder side by side in the model view, each a grid of its
 * own heads with its name above. The cursor is in that of the site that is shown; what the others
 * show is made with it: the same map, where their attention has it, of the same tokens. */
#include "headlight/view/model_view.h"

#include "headlight/base/memory.h"
#include "headlight/view/comparison.h"

#include <stdlib.h>

enum status bands_new(const struct data *data, const struct checkpoint *checkpoint,
                      struct bands **out, struct error *error)
{
    const struct encoded *shown = data->encoded;
    const struct token_range none = {0, 0};
    struct bands *bands = *out = memory_new(1, sizeof *bands, 0, "the thumbnails", error);
    if (!bands)
        return error->status;
    for (const struct encoded *one = shown->next; one != shown; one = one->next) {
        struct map_source source = comparison_source(data);
        struct error refused;
        const bool said = data->attention->shape.said && one->site == SITE_CROSS;
        const struct token_side sides[] = {said ? one->said : one->sides[SIDE_LEFT],
                                           one->sides[SIDE_RIGHT]};
        source.model = checkpoint ? checkpoint_stack(checkpoint, one->site)->model : NULL;
        source.trace = one->trace;
        source.other = comparison_other(data, one->site);
        const enum map_kind kind = map_check(&source, data->map->kind, &refused) == STATUS_OK
                                       ? data->map->kind
                                       : MAP_WEIGHTS;
        if (map_new(&source, kind, NULL, &bands->map[one->site], error) != STATUS_OK ||
            attention_new(bands->map[one->site], sides, &data->attention->shape, none,
                          &bands->attention[one->site], error) != STATUS_OK) {
            bands_free(bands);
            *out = NULL;
            return error->status;
        }
    }
    return STATUS_OK;
}

void bands_free(void *thing)
{
    struct bands *bands = thing;
    for (enum site site = 0; bands && site < SITE_COUNT; site++) {
        attention_free(bands->attention[site]);
        free(bands->map[site]);
    }
    for (enum site site = 0; bands && site <= SITE_ONLY; site++)
        thumbnails_free(bands->thumbnails[site]);
    free(bands);
}

bool bands_scene(const struct scene *scene, enum site site, struct scene *band)
{
    struct bands *bands = scene->data.bands;
    const struct encoded *encoded = encoded_of_site(scene->data.encoded, site);
    *band = *scene;
    if (!encoded || encoded == scene->data.encoded)
        return encoded != NULL;
    struct data *data = &band->data;
    data->encoded = (struct encoded *)(uintptr_t)encoded;
    data->trace = encoded->trace;
    data->layers = data->trace->layers;
    data->map = bands->map[site];
    data->head_count = map_infos[data->map->kind].by_head ? data->trace->heads : 1;
    data->attention = bands->attention[site];
    data->mean = NULL;
    data->metrics = NULL;
    band->look.heads = head_mask_all(data->head_count);
    band->look.metric = METRIC_NONE;
    band->look.sorted = band->look.ranked = false;
    band->look.from = band->look.to = NO_TOKEN;
    return true;
}
