/* site.c: the attentions of an encoder–decoder by name, and what is defined where. */
#include "headlight/model/site.h"

#include <stddef.h>

static const struct {
    const char *name, *title, *brief;
    enum axes axes;
} sites[SITE_COUNT + 1] = {
    [SITE_ENCODER] = {"encoder", "encoder self-attention: source → source",
                      "encoder: source → source", AXES_ONE_TEXT},
    [SITE_DECODER] = {"decoder", "decoder self-attention: target → target",
                      "decoder: target → target", AXES_PAST},
    [SITE_CROSS] = {"cross", "cross-attention: target → source", "cross: target → source",
                    AXES_TWO_TEXTS},
    [SITE_ONLY] = {.axes = AXES_ONE_TEXT},
};

const char *site_name(enum site site)
{
    return sites[site].name;
}

const char *site_title(enum site site, bool brief)
{
    return brief ? sites[site].brief : sites[site].title;
}

enum axes site_axes(enum site site)
{
    return sites[site].axes;
}

enum status site_defines(enum axes axes, enum axes here, const char *before, const char *name,
                         enum status status, struct error *error)
{
    if (axes & here)
        return STATUS_OK;
    return error_set(
        error, status, "%s%s needs %s", before, name,
        here == AXES_TWO_TEXTS ? "a text that attends to itself: here it attends to another"
        : here == AXES_PAST    ? "tokens that see later ones: here they see only the past"
                               : "tokens that see only the past: here they see later ones");
}
