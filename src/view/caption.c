/* caption.c: the pieces of the line of numbers. Token names are cut first, because the numbers
 * after them are what the line is for. */
#include "headlight/view/sentence.h"

/* Columns that the pieces after the names take. */
#define WEIGHT_COLUMNS 8  /* "   0.447" */
#define KEY_COLUMNS    24 /* "key 3 of 8, heads 12–15" */
#define CUT_COLUMNS    4  /* " cut" */

/* Widths are of the canvas, not of the bytes: in ASCII some signs take more than one column. */
void caption_parts(struct pen *pen, const char *const *parts, size_t count, bool skips)
{
    const struct style style = style_of(ROLE_FAINT);
    for (size_t i = 0; i < count; i++) {
        int width = canvas_width(pen->canvas, parts[i]);
        bool fits = pen->x + width <= pen->end;
        if (!fits && !skips)
            pen->x = pen->end;
        if (fits && width > 0)
            pen->x +=
                canvas_text(pen->canvas, pen->y, pen->x, width, style, parts[i]) + CAPTION_GAP;
    }
}

/* With the places of tokens that occur several times, as caption_pair writes them. */
static int pair_columns(const struct scene *scene, const struct pen *pen, size_t from, size_t to)
{
    bool ascii = canvas_ascii(pen->canvas);
    return canvas_width(pen->canvas, scene_name(scene, SIDE_LEFT, from, ascii).text) + 3 +
           canvas_width(pen->canvas, scene_name(scene, SIDE_RIGHT, to, ascii).text);
}

/* Both names share the room: the shorter one first, the longer one what is left; two long ones are
 * cut to half each. pen->x is moved as far as they take, not as far as they might. */
void caption_names(struct pen *pen, struct style style, const char *arrow, const char *from,
                   const char *to, int kept)
{
    int left = canvas_width(pen->canvas, from), right = canvas_width(pen->canvas, to);
    int room = pen->end - pen->x - 3 - kept, half = room / 2;
    if (left + right > room)
        left = right <= half ? room - right : left <= half ? left : half;
    pen->x += canvas_text(pen->canvas, pen->y, pen->x, left, style, from);
    pen->x += canvas_text(pen->canvas, pen->y, pen->x, 3, style, arrow);
    pen->x += canvas_text(pen->canvas, pen->y, pen->x, pen->end - kept - pen->x, style, to);
}

/* scene_name makes the names unique: "flies₂" is the second one in the text. */
void caption_pair(const struct scene *scene, struct pen *pen, struct style style, size_t from,
                  size_t to, int kept)
{
    bool ascii = canvas_ascii(pen->canvas);
    caption_names(pen, style, scene_pairs_once(scene) ? " – " : " → ",
                  scene_name(scene, SIDE_LEFT, from, ascii).text,
                  scene_name(scene, SIDE_RIGHT, to, ascii).text, kept);
}

bool caption_is_between_words(const struct scene *scene, const struct edge *edge)
{
    const struct edge_query query = scene_edges(scene);
    struct edge strongest;
    return scene->look.from == NO_TOKEN && scene->look.to == NO_TOKEN &&
           edges_strongest(&query, &strongest) && strongest.weight > edge->weight;
}

/* Empty where a token is chosen. */
static const char *what_it_is(const struct scene *scene, const struct edge *edge)
{
    if (scene->look.from != NO_TOKEN || scene->look.to != NO_TOKEN)
        return "";
    return !caption_is_between_words(scene, edge) ? "strongest  "
           : map_infos[scene->data.map->kind].pairs == PAIRS_OF_LETTERS
               ? "strongest 6 apart  "
               : "strongest between words  ";
}

/* The widest that can come up: layers and heads have two digits at most in practice, and the room
 * must not depend on which one is shown, or the names would move with the cursor. */
static int place_columns(const struct scene *scene)
{
    const struct interventions *network = scene->data.network;
    bool off = network && network->off[data_numbered(&scene->data, scene->look.layer)];
    return (int)strlen(scene->data.mean         ? "mean of 12 heads, all layers"
                       : scene_is_single(scene) ? "layer 12"
                       : off                    ? "head x12.12 off"
                                                : "head x12.12");
}

/* A mean is of the heads that are on, also where the view itself shows only one. A head's number is
 * in its hue: the only legend that a single head's colour has. */
void caption_place(const struct scene *scene, struct pen *pen, size_t map)
{
    if (pen->end - pen->x < place_columns(scene))
        return;
    size_t heads = head_mask_count(scene->look.heads);
    if (scene->data.mean)
        pen_write(pen, heads == 1 ? "head {%zu} alone, %s" : "mean of {%zu} heads, %s",
                  heads == 1 ? head_mask_first(scene->look.heads) : heads,
                  scene_is_of_all_layers(scene) ? "all layers" : "");
    else if (scene_is_of_all_layers(scene))
        pen_write(pen, "all layers");
    if (!scene_is_of_all_layers(scene) && scene_is_single(scene))
        pen_write(pen, "layer {%zu}", scene->look.layer);
    if (!scene_is_single(scene)) {
        bool off = scene_is_off(scene, scene->look.layer, map);
        struct style style = style_legible(ink_head(map, STYLE_FULL));
        style.bold = true;
        pen_write(pen, "head {%s%zu.}", site_words[scene->data.encoded->site].mark,
                  scene->look.layer);
        pen_print(pen, off ? style_bold(ROLE_FAINT) : style, "%zu", map);
        pen_print(pen, style_of(ROLE_WARNING), "%s", off ? " off" : "");
    }
}

bool caption_key(const struct scene *scene, struct pen *pen, size_t head)
{
    const size_t sharing = scene_sharing(scene), first = head / sharing * sharing;
    const bool shared = sharing > 1 && !scene_is_single(scene);
    if (shared && pen->end - pen->x >= KEY_COLUMNS)
        pen_write(pen, "key {%zu} of %zu, heads {%zu–%zu}", head / sharing,
                  scene->data.head_count / sharing, first, first + sharing - 1);
    return shared;
}

/* No edge means no heads or no tokens; each has its own way out. "strongest" is only said if
 * nothing has to be cut for it. */
bool caption_edge(const struct scene *scene, struct pen *pen, struct edge *edge)
{
    unsigned before;
    if (!scene_current_edge(scene, edge)) {
        pen_write(pen, scene->look.heads || scene_shows_one(scene)
                           ? "no tokens that fit the filter"
                           : "no head is on: a turns all of them on");
        return false;
    }
    const char *what = what_it_is(scene, edge);
    const int changed = data_before(&scene->data) ? WEIGHT_COLUMNS : 0; /* " ← 0.720" */
    const bool cut = scene_is_cut(scene, edge->head, edge->from, edge->to);
    const int kept =
        WEIGHT_COLUMNS + changed + (cut ? CUT_COLUMNS : 0) + CAPTION_GAP + place_columns(scene);
    if (pen->end - pen->x >=
        (int)strlen(what) + pair_columns(scene, pen, edge->from, edge->to) + kept)
        pen_print(pen, style_of(ROLE_FAINT), "%s", what);
    caption_pair(scene, pen, style_bold(ROLE_STRONG), edge->from, edge->to, kept);
    pen_print(pen, style_bold(ROLE_STRONG), "   %s", scene_number(scene, edge).text);
    if (scene_weight_before(scene, edge, &before))
        pen_print(pen, style_of(ROLE_FAINT), " ← %s", number_weight(before).text);
    if (cut)
        pen_print(pen, style_of(ROLE_WARNING), " cut");
    pen->x += CAPTION_GAP;
    caption_place(scene, pen, edge->head);
    return true;
}
