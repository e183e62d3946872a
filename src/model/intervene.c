#include "headlight/model/intervene.h"

#include "headlight/model/head_mask.h"

#include <stdio.h>
#include <string.h>

bool interventions_any(const struct interventions *changes)
{
    if (!changes)
        return false;
    bool any = changes->unscaled || changes->causal;
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        any = any || changes->off[layer] != 0;
    return any;
}

void interventions_describe(const struct interventions *changes, char *text, size_t size)
{
    unsigned off = 0;
    char heads[32] = "";
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        off += (unsigned)head_mask_count(changes->off[layer]);
    if (off > 0)
        snprintf(heads, sizeof heads, " %u head%s off", off, off == 1 ? "" : "s");
    snprintf(text, size, "changed:%s%s%s", changes->causal ? " causal" : "",
             changes->unscaled ? " unscaled" : "", heads);
}

size_t interventions_first_difference(const struct interventions *a, const struct interventions *b,
                                      size_t layers)
{
    if (a->unscaled != b->unscaled || a->causal != b->causal)
        return 0;
    size_t layer = 0;
    while (layer < layers && a->off[layer] == b->off[layer])
        layer++;
    return layer;
}

/* One decimal number at *at, at most 9999: four digits are more than any layer or head has. */
static bool read_number(const char **at, size_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9' && *at - start < 4; (*at)++)
        *value = *value * 10 + (size_t)(**at - '0');
    return *at > start;
}

static bool read_pair(const char **at, size_t *layer, size_t *head)
{
    if (!read_number(at, layer) || **at != '.')
        return false;
    (*at)++;
    return read_number(at, head);
}

enum status interventions_switch_off(struct interventions *changes, const char *list, size_t layers,
                                     size_t heads, struct error *error)
{
    struct interventions changed = *changes;
    for (const char *at = list;; at++) {
        size_t layer, head;
        if (!read_pair(&at, &layer, &head) || (*at != ',' && *at != '\0'))
            return error_set(error, STATUS_USAGE,
                             "heads to switch off: expected LAYER.HEAD,LAYER.HEAD such as "
                             "0.1,2.3, found \"%.100s\"",
                             list);
        if (layer >= layers || head >= heads || layer >= INTERVENE_LAYERS_MAX ||
            head >= CONFIG_HEADS_MAX)
            return error_set(error, STATUS_USAGE,
                             "heads to switch off: expected layers from 0 to %zu and heads from 0 "
                             "to %zu, found %zu.%zu",
                             layers - 1, heads - 1, layer, head);
        changed.off[layer] |= (uint64_t)1 << head;
        if (*at == '\0')
            break;
    }
    *changes = changed;
    return STATUS_OK;
}
