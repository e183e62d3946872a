#include "headlight/export/about.h"

#include "headlight/base/format.h"
#include "headlight/session/settings.h"

#include <string.h>

static void add(struct about *about, const char *name, const char *value)
{
    if (about->snapshot.count < ABOUT_FACTS)
        about->facts[about->snapshot.count++] = (struct snapshot_fact){name, value};
}

/* The head view draws several heads, as a mean is of several; the others are about one. */
static void add_heads(struct about *about, const struct scene *scene)
{
    bool several = view_at(scene->look.view)->heads == HEADS_CHOSEN || scene->data.mean;
    if (several)
        head_mask_write(scene->look.heads, scene->data.head_count, about->heads,
                        sizeof about->heads);
    else
        snprintf(about->heads, sizeof about->heads, "%zu", scene->look.head);
    add(about, several ? "heads" : "head", about->heads);
}

/* What was done to the weights before they were drawn. */
static void add_shape(struct about *about, const struct scene *scene)
{
    if (scene->data.mean)
        add(about, "mean",
            scene->look.averaged == MEAN_LAYERS ? "of heads and layers" : "of heads");
    if (!(view_at(scene->look.view)->shown & SHOWN_PIECES))
        return;
    if (scene->look.shape.special != SPECIAL_SHOWN)
        add(about, "special tokens",
            scene->look.shape.special == SPECIAL_HIDDEN ? "hidden" : "hidden, the rest rescaled");
    if (scene->look.shape.words)
        add(about, "pieces", "merged into words");
}

/* A recording's changes are in words of its own. */
static const char *without_prefix(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : text;
}

void about_session(const struct session *session, struct about *about)
{
    static const char *const texts[] = {"text A", "text B"};
    const struct scene shown = session_scene(session), *scene = &shown;
    const char *view = view_name(scene->look.view), *model = scene->data.model;
    if (scene->data.mean && scene->look.averaged == MEAN_LAYERS)
        snprintf(about->layer, sizeof about->layer, "all");
    else
        snprintf(about->layer, sizeof about->layer, "%zu", scene->look.layer);
    format_cut(about->title, sizeof about->title, "headlight: %s view, layer %s, model %s", view,
               about->layer, model);
    about->snapshot = (struct snapshot_about){about->title, about->facts, 0};
    add(about, "headlight", HEADLIGHT_VERSION);
    add(about, "model", model);
    add(about, "view", view);
    add(about, "layer", about->layer);
    add_heads(about, scene);
    add_shape(about, scene);
    if (scene_is_pair(scene) && view_at(scene->look.view)->shown & SHOWN_PIECES)
        add(about, "filter", filter_name(scene->look.filter));
    if (scene->data.changes)
        add(about, "changes", without_prefix(scene->data.changes, "changed: "));
    for (size_t i = 0; i < session->data.encoded->text_count && i < 2; i++)
        add(about, texts[i], session->data.encoded->texts[i].bytes);
}
