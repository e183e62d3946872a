/* export_picture.c: writes what a session shows to a picture file: as on screen, without what
 * differs from run to run, and with metadata about its contents. */
#include "headlight/export/paper.h"

#include "headlight/base/format.h"

#include <string.h>

/* ---- Facts ---- */

#define FACTS_MAX 14

/* Points into itself and into the session: not to be copied, and valid until the session changes.
 */
struct about {
    char title[1024];
    char layer[24], heads[128];
    struct snapshot_fact facts[FACTS_MAX];
    size_t count;
};

/* Both strings are borrowed. There is room for all facts; more would be dropped. */
static void add_picture_fact(struct about *about, const char *name, const char *value)
{
    if (about->count < FACTS_MAX)
        about->facts[about->count++] = (struct snapshot_fact){name, value};
}

/* The facts, in this order: headlight (the version), model, family (if known), view, layer (or
 * all), map, head or heads (a list as for --heads, or none), mean, special tokens, pieces (if
 * changed), filter (of a pair), changes (if any), text A, text B. */
static void describe_picture(const struct session *session, struct about *about)
{
    static const char *const texts[] = {"text A", "text B"};
    const struct scene shown = session_scene(session), *scene = &shown;
    const char *view = view_name(scene->look.view), *model = scene->data.model;
    if (scene_is_of_all_layers(scene))
        snprintf(about->layer, sizeof about->layer, "all");
    else
        snprintf(about->layer, sizeof about->layer, "%zu", scene->look.layer);
    if (view_sentence(scene, false, about->title, sizeof about->title))
        format_add(about->title, sizeof about->title, " · ");
    format_add(about->title, sizeof about->title, "headlight: %s view, layer %s, model %s", view,
               about->layer, model);
    about->count = 0;
    add_picture_fact(about, "headlight", HEADLIGHT_VERSION);
    add_picture_fact(about, "model", model);
    if (scene->data.family)
        add_picture_fact(about, "family", scene->data.family);
    add_picture_fact(about, "view", view);
    add_picture_fact(about, "layer", about->layer);
    if (scene->view->shown & SHOWN_MAP && scene->data.map->kind != MAP_WEIGHTS)
        add_picture_fact(about, "map", map_info(scene->data.map->kind)->name);
    const bool mean = scene->data.mean, pieces = scene->view->shown & SHOWN_PIECES;
    /* the head view draws several heads, and a mean is over several; other views show one */
    const bool several = mean || (scene->view->heads == HEADS_CHOSEN && !scene_shows_one(scene));
    if (several)
        head_mask_write(scene->look.heads, scene->data.head_count, about->heads,
                        sizeof about->heads);
    else
        snprintf(about->heads, sizeof about->heads, "%zu", scene->look.head);
    if (mean || !scene_is_single(scene))
        add_picture_fact(about, several ? "heads" : "head", about->heads);
    if (mean)
        add_picture_fact(about, "mean",
                         scene->look.averaged == MEAN_LAYERS ? "of heads and layers" : "of heads");
    if (pieces && scene->look.shape.special != SPECIAL_SHOWN)
        add_picture_fact(about, "special tokens",
                         scene->look.shape.special == SPECIAL_HIDDEN ? "hidden"
                                                                     : "hidden, the rest rescaled");
    if (pieces && scene->look.shape.words)
        add_picture_fact(about, "pieces", "merged into words");
    if (pieces && scene_is_pair(scene))
        add_picture_fact(about, "filter", filter_name(scene->look.filter));
    const char *changes = scene->data.changes; /* "changed: …", which the fact's name says */
    if (changes)
        add_picture_fact(about, "changes",
                         changes + (strncmp(changes, "changed: ", 9) == 0 ? 9 : 0));
    for (size_t i = 0; i < session->data.encoded->text_count && i < 2; i++)
        add_picture_fact(about, texts[i], session->data.encoded->texts[i].bytes);
}

/* ---- The picture ---- */

/* Hands the format what was drawn, and what it is. A figure has nothing that is for an audience,
 * and no list. */
enum status export_picture(const struct output *output, unsigned needs,
                           void (*draw)(const struct snapshot *snapshot, FILE *stream),
                           FILE *stream, struct error *error)
{
    struct session *session = output->session;
    struct look *look = &session->state.look;
    const struct look before = *look;
    const struct theme *theme = theme_at(session->state.look.theme);
    struct canvas *canvas = NULL;
    struct about about;
    if (output->paper)
        look->presented = look->listed = look->ranked = false;
    enum status status = output->paper ? paper_draw(output, &canvas, error)
                                       : paper_draw_screen(output, needs, output->columns,
                                                           output->rows, &canvas, error);
    if (status == STATUS_OK) {
        describe_picture(session, &about);
        draw(&(struct snapshot){.canvas = canvas,
                                .theme = output->paper ? theme_paper(theme) : theme,
                                .depth = output->depth,
                                .paper = output->paper,
                                .title = about.title,
                                .facts = about.facts,
                                .fact_count = about.count},
             stream);
    }
    canvas_free(canvas);
    *look = before;
    return status;
}

static void draw_within(const struct snapshot *snapshot, FILE *stream)
{
    snapshot_write_picture(snapshot, false, stream);
}

enum status export_still(const struct output *output, FILE *stream, struct error *error)
{
    return export_picture(output, FORMAT_CURVES, draw_within, stream, error);
}
