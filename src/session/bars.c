/* bars.c: the bars above the picture: views and heads. Each bar is one row, so all of them decide
 * what to leave out in a narrow window: first come the things that the user is most likely to look
 * for. What they draw can be clicked. */
#include "headlight/session/derive.h"
#include "headlight/session/pager.h"
#include "headlight/session/screen.h"

#include "headlight/view/answers.h"
#include "headlight/view/grid.h"

#include <stdlib.h>

/* All of so many if they fit or, with arrows for the others, as many as fit around one. */
static struct token_range shown_around(size_t count, size_t one, int room, int arrows,
                                       int (*columns)(const void *context, size_t index),
                                       const void *context)
{
    const struct token_range all = {0, count},
                             shown = grid_around(all, one, room, columns, context);
    return shown.end - shown.first == count
               ? all
               : grid_around(all, one, room - arrows, columns, context);
}

/* ---- The views ---- */

#define LAYER_COLUMNS 24 /* "   layer ‹11› of 0–11", and the margin */
#define MARK_COLUMNS  2  /* " ‹" or "› " in place of hidden views */
#define NAME_LEAST    8  /* "opus-mt…" says something, and "o…" nothing */

/* Columns of a view's title, with the gap before it, on a canvas. */
static int title_columns(const void *canvas, size_t view)
{
    return (int)text_width(view_at((enum view_kind)view)->title, false) + 2 +
           (((const struct canvas *)canvas)->columns >= SCREEN_WIDE);
}

/* An arrow that leads to the hidden view on that side. */
static void bars_draw_more(struct pen *pen, const char *arrow, enum view_kind view)
{
    int begin = pen->x;
    pen_print(pen, style_of(ROLE_TITLE), "%s", arrow);
    pen_mark(pen, begin, hit_at(HIT(view), view));
}

/* Leaves room for the layer and what it can't see. Returns the column where the bar of views ends.
 */
static int draw_views(const struct session *session, struct canvas *canvas)
{
    struct pen pen = {canvas, 0, 2, canvas->columns};
    pen_print(&pen, style_bold(ROLE_TITLE), "headlight");
    pen.x++;
    const struct scene scene = session_scene(session);
    char mask[40];
    scene_describe_mask(&scene, mask, sizeof mask);
    const int kept = LAYER_COLUMNS + (*mask ? (int)strlen(mask) + 3 : 0);
    const struct token_range shown =
        shown_around(VIEW_COUNT, session->state.look.view, canvas->columns - kept - pen.x,
                     2 * MARK_COLUMNS, title_columns, canvas);
    if (shown.first > 0)
        bars_draw_more(&pen, " ‹", (enum view_kind)(shown.first - 1));
    for (enum view_kind view = (enum view_kind)shown.first; view < shown.end; view++) {
        struct style style = style_of(ROLE_FAINT);
        if (view == session->state.look.view) {
            style = style_bold(ROLE_STRONG);
            style.back = ink_full(ROLE_CURSOR);
        }
        int begin = pen.x += canvas->columns >= SCREEN_WIDE ? 1 : 0;
        pen_print(&pen, style, " %s ", view_at(view)->title);
        pen_mark(&pen, begin, hit_at(HIT(view), view));
    }
    if (shown.end < VIEW_COUNT)
        bars_draw_more(&pen, "› ", (enum view_kind)shown.end);
    return pen.x;
}

/* What the views leave of the first row the place gets: layer and what it can't see, head,
 * filter, model, and the family unless it is the default; drawn in this order of priority, and what
 * doesn't fit is dropped, but for the model, of which there is the name or its beginning. */
void bars_draw_views(const struct session *session, struct canvas *canvas)
{
    const int begin = draw_views(session, canvas);
    enum { LAYER, MASK, HEAD, FILTER, MODEL, FAMILY, PARTS };
    const struct scene scene = session_scene(session);
    const struct view *view = scene.view;
    char parts[PARTS][80] = {""}, name[40];
    int room = canvas->columns - 2 - begin, x = canvas->columns - 2, named = room;
    const bool all = scene_is_of_all_layers(&scene);
    if (all)
        snprintf(parts[LAYER], sizeof *parts, "all %zu layers", scene.data.layers);
    else
        snprintf(parts[LAYER], sizeof *parts, "layer ‹%zu› of 0–%zu", scene.look.layer,
                 scene.data.layers - 1);
    scene_describe_mask(&scene, parts[MASK], sizeof *parts);
    if (view->heads != HEADS_CHOSEN && !scene_is_single(&scene))
        snprintf(parts[HEAD], sizeof *parts, "head ‹%zu› of 0–%zu", scene.look.head,
                 scene.data.head_count - 1);
    if (scene_is_pair(&scene) && view->shown & SHOWN_PIECES && scene.look.filter == FILTER_ALL)
        snprintf(parts[FILTER], sizeof *parts, "A↔B %s", filters[FILTER_ALL].title);
    /* "name@refs/pr/1" of "org/name@refs/pr/1": there is no room for the organisation */
    const char *model = scene.data.model, *own = model + strcspn(model, "@");
    while (own > model && own[-1] != '/')
        own--;
    text_safe(*own ? own : model, false, name, sizeof name);
    snprintf(parts[MODEL], sizeof *parts, "%s %zu×%zu", name, scene.data.layers,
             scene.data.head_count);
    if (scene.data.family && strcmp(scene.data.family, family_bert.name) != 0)
        text_safe(scene.data.family, false, parts[FAMILY], sizeof *parts);
    for (int i = 0; i < PARTS; i++) {
        int width = (int)text_width(parts[i], canvas_ascii(canvas)) + 3;
        if (i == MODEL && width > room) {
            named = room - 2; /* a blank stands before it all */
            const bool fits = named >= NAME_LEAST || (int)text_width(name, false) <= named;
            snprintf(parts[MODEL], sizeof *parts, "%s", fits ? name : "");
            parts[FAMILY][0] = '\0';
            break;
        }
        if (width > room)
            parts[i][0] = '\0';
        else if (width > 3)
            room -= width;
    }
    for (int i = PARTS - 1; i >= 0; i--) {
        if (!parts[i][0])
            continue;
        int end = x;
        x = canvas_text_right(canvas, 0, end, i == MODEL ? named : canvas->columns,
                              style_of(i >= MODEL  ? ROLE_FAINT
                                       : i == MASK ? ROLE_TITLE
                                                   : ROLE_STRONG),
                              parts[i]);
        const size_t layers = scene.data.layers, layer = scene.look.layer;
        if (i == LAYER && !all && layers > 1) { /* its left end goes back, the rest forward */
            canvas_mark(canvas, (struct area){0, x, 1, end - x},
                        hit_at(HIT(layer), (layer + 1) % layers));
            canvas_mark(canvas, (struct area){0, x, 1, 7},
                        hit_at(HIT(layer), (layer + layers - 1) % layers));
        }
        x -= 3;
    }
}

/* ---- The heads ---- */

#define HEAD_ARROWS 4 /* columns of "‹ " and "›", and the blank that may be cut off */

/* The mark of a head of this layer that is off, uniform, or has cuts; or NULL. */
static const char *change_sign(const struct scene *scene, size_t head)
{
    const struct interventions *network = scene->data.network;
    const size_t layer = data_numbered(&scene->data, scene->look.layer);
    if (!network)
        return NULL;
    if (scene_is_off(scene, scene->look.layer, head))
        return "×";
    if (head_mask_has(network->uniform[layer], head))
        return "=";
    for (size_t i = 0; i < network->cut_count; i++)
        if (network->cuts[i].layer == layer && network->cuts[i].head == head)
            return "/";
    return NULL;
}

/* "■3 ", or "■3│" before a head that doesn't share its key: filled if the head is on, in its hue; a
 * sign in place of the square tells that the network is changed there. A click chooses the head. */
static void draw_head_mark(const struct scene *scene, struct pen *pen, size_t head)
{
    bool current = head == scene->look.head;
    int begin = pen->x;
    bool one = scene->view->heads == HEADS_CURSOR && !scene->data.mean;
    bool on = one ? current : head_mask_has(scene->look.heads, head);
    struct style square = style_legible(scene_ink(scene, head, on ? STYLE_FULL : 6));
    struct style number = on ? style_of(ROLE_TEXT) : style_of(ROLE_FAINT);
    if (current) {
        number = style_bold(ROLE_STRONG);
        number.back = ink_full(ROLE_CURSOR);
    }
    const char *change = change_sign(scene, head);
    if (change)
        pen_print(pen, style_of(ROLE_WARNING), "%s", change);
    else
        pen_print(pen, square, on ? "■" : "□");
    pen_print(pen, number, "%zu", head);
    pen_mark(pen, begin, hit_at(HIT(head), head));
    const size_t sharing = scene_sharing(scene), next = head + 1;
    const bool ends = sharing > 1 && next % sharing == 0 && next < scene->data.head_count;
    pen_print(pen, style_of(ROLE_FAINT), ends ? "│" : " ");
}

/* The square, the number and a blank. */
static int mark_columns(const void *context, size_t head)
{
    (void)context;
    return head < 10 ? 3 : 4;
}

/* The last blank may be cut off. */
static void draw_head_marks(const struct scene *scene, struct pen *pen)
{
    const size_t count = scene->data.head_count;
    const struct token_range shown = shown_around(count, scene->look.head, pen->end - pen->x + 1,
                                                  HEAD_ARROWS, mark_columns, NULL);
    if (shown.first > 0)
        pen_print(pen, style_of(ROLE_TITLE), "‹ ");
    for (size_t head = shown.first; head < shown.end; head++)
        draw_head_mark(scene, pen, head);
    if (shown.end < count)
        pen_print(pen, style_of(ROLE_TITLE), "›");
}

/* The settings that shape the picture, in words: "only A→B, words, special hidden, row shade". A
 * view of single pieces says that it ignores these. Of a first token that is hidden it is said how
 * much was on it. */
static void describe_shape(const struct scene *scene, char *text, size_t size)
{
    char filter[16] = "", hidden[48] = "special hidden";
    const double sink = scene_sink(scene);
    if (sink > 0)
        snprintf(hidden, sizeof hidden, "%.2f on the first token hidden", sink);
    if (scene->look.shape.special == SPECIAL_RENORMALISED)
        strcat(hidden, ", rescaled");
    enum map_kind map = scene->data.map->kind;
    const char *const parts[] = {
        map != MAP_WEIGHTS && scene->view->shown & SHOWN_MAP ? map_infos[map].name : "",
        filter,
        scene->look.shape.words ? "words" : "",
        scene->look.shape.special != SPECIAL_SHOWN ? hidden : "",
        scene->look.tone == TONE_ROOT  ? "root shade"
        : scene->look.tone == TONE_ROW ? "row shade"
                                       : "",
        scene->data.mean && scene->look.averaged == MEAN_HEADS ? "mean of heads"
        : scene->data.mean                                     ? "mean of heads and layers"
                                                               : "",
    };
    bool shaped = scene->look.shape.words || scene->look.shape.special != SPECIAL_SHOWN ||
                  scene->look.filter != FILTER_ALL;
    text[0] = '\0';
    if (scene->look.filter != FILTER_ALL)
        snprintf(filter, sizeof filter, "only %s", filters[scene->look.filter].title);
    if (!(scene->view->shown & SHOWN_PIECES)) {
        snprintf(text, size, "%s", shaped ? "all tokens, all pieces" : "");
        return;
    }
    for (size_t i = 0; i < LENGTH(parts); i++)
        if (parts[i][0])
            format_add(text, size, "%s%s", text[0] ? ", " : "", parts[i]);
}

/* Of a decoder's text the id of the token that was put in front is said: the text may have one of
 * its own. A pass takes long enough to be watched; so do some derived things. A file gets no
 * milliseconds, so that the same input gives the same bytes. */
void bars_describe_work(const struct session *session, char *text, size_t size)
{
    const struct data *data = &session->data;
    const struct derived *row = data->trace ? derived_of(session->busy) : NULL;
    if (row && row->continues) {
        const struct survey *survey = data->surveyed;
        snprintf(text, size, "%s %lld/%zu", row->work,
                 survey ? (long long)survey_passed(survey) : 0, data->corpus_texts);
        return;
    }
    if (row && row->work) {
        const bool map = session->busy == REQUEST_MAP;
        snprintf(text, size, "%s%s%s %zu/%zu", row->work, map ? " " : "",
                 map ? map_infos[session->state.look.map].name : "", session->done, session->total);
        return;
    }
    const struct encoded *encoded = data->encoded;
    if (data->trace && data->trace->attended != data->tokens)
        snprintf(text, size, "%zu × %zu tokens", data->tokens, data->trace->attended);
    else
        snprintf(text, size, "%zu tokens", data->tokens);
    if (data->trace && data->trace->axes == AXES_PAST && encoded->site == SITE_ONLY &&
        encoded->encoding && encoded->encoding->tokens[0].added)
        format_add(text, size, ", id %d added in front", encoded->encoding->tokens[0].id);
    if (encoded->unknown_count > 0)
        format_add(text, size, ", %zu unknown", encoded->unknown_count);
    if (encoded->cut > 0)
        format_add(text, size, ", the rest is cut");
    if (encoded->milliseconds >= 0.05 && !session->for_file) /* less is that of an end alone */
        format_add(text, size, ", %.1f ms", encoded->milliseconds);
}

/* Drawn from the right: progress, changes of the network and settings keep their place, and the
 * heads get what is left. */
void bars_draw_heads(const struct session *session, struct canvas *canvas)
{
    const struct scene scene = session_picture(session);
    char facts[160];
    int y = 1;
    int end = canvas->columns - 2;
    if (scene.data.encoded->generated.count > 0 &&
        bars_texts_rows(session, canvas) == 0) { /* in their own style */
        snprintf(facts, sizeof facts, "%zu generated%s",
                 scene.data.tokens - encoded_given(scene.data.encoded),
                 derived_target_is_open(session) ? ", not ended" : "");
        end = canvas_text_right(canvas, y, end, 30, style_bold(ROLE_TITLE), facts) - 2;
    }
    bars_describe_work(session, facts, sizeof facts);
    end = canvas_text_right(canvas, y, end, 40, style_of(ROLE_FAINT), facts);
    answers_say(&scene, facts, sizeof facts);
    if (facts[0])
        end = canvas_text_right(canvas, y, end - 3, canvas->columns / 3, style_bold(ROLE_STRONG),
                                facts);
    const enum site at = scene.data.encoded->site;
    const bool narrow = canvas->columns < SCREEN_WIDE;
    if (at != SITE_ONLY)
        snprintf(facts, sizeof facts, "%s",
                 narrow && scene.data.changes ? site_words[at].name
                                              : site_words[at].title[narrow || scene.data.changes]);
    if (at != SITE_ONLY || pager_describe(session, facts, sizeof facts))
        end =
            canvas_text_right(canvas, y, end - 3, canvas->columns / 3, style_of(ROLE_TEXT), facts);
    if (scene.data.changes)
        end =
            canvas_text_right(canvas, y, end - 3, 40, style_bold(ROLE_WARNING), scene.data.changes);
    describe_shape(&scene, facts, sizeof facts);
    if (facts[0])
        end =
            canvas_text_right(canvas, y, end - 3, canvas->columns / 2, style_of(ROLE_TITLE), facts);
    struct pen pen = {canvas, y, 2, end - 2};
    if (scene_is_single(&scene) && !scene.data.mean) {
        pen_print(&pen, style_of(ROLE_FAINT),
                  scene_is_of_all_layers(&scene) ? "one map of all layers" : "one map a layer");
        return;
    }
    pen_print(&pen, style_of(ROLE_FAINT), "heads ");
    draw_head_marks(&scene, &pen);
}

/* ---- The texts ---- */

/* Of an encoder–decoder the source and its target, where there are rows for more than the picture.
 */
int bars_texts_rows(const struct session *session, const struct canvas *canvas)
{
    return canvas->rows >= SCREEN_ROWS_USUAL &&
           encoded_of_site(session->data.encoded, SITE_CROSS) &&
           !view_at(session->state.look.view)->surveys;
}

/* A text as it was given or, of a recording without texts, its tokens. */
static const char *spell(const struct encoded *texts, size_t text, const struct token_side *side,
                         char *spelled, size_t size)
{
    *spelled = '\0';
    for (size_t i = 0; i < side->count; i++)
        if (!side->special[i])
            format_add(spelled, size, "%s%s", *spelled && !side->continues[i] ? " " : "",
                       words_part(side->labels[i], side->continues[i], side->marks));
    return text < texts->text_count ? texts->texts[text].bytes : spelled;
}

/* "3 May 1994 → 1994-05-03, generated": both are cut where they are long. What the model said is in
 * the style of its tokens. */
void bars_draw_texts(const struct session *session, struct canvas *canvas, int y)
{
    const struct encoded *texts = encoded_given_texts(session->data.encoded),
                         *target = encoded_speaker(texts);
    const struct style plain = style_bold(ROLE_STRONG), faint = style_of(ROLE_FAINT);
    char spelled[2][512], *made = NULL;
    struct error error;
    if (target->generated.count > 0)
        made = encoded_spell_generated(target, target->trace->tokens,
                                       session->checkpoint->decoder->tokenizer, &error);
    const struct token_side nothing = {.count = 0};
    const char *source = spell(texts, 0, &texts->sides[SIDE_RIGHT], spelled[0], sizeof *spelled),
               *given =
                   spell(texts, 1, made ? &nothing : texts->sides, spelled[1], sizeof *spelled),
               *origin = made && *given                    ? ", the end generated"
                         : derived_target_is_open(session) ? ", generated, not ended"
                         : made                            ? ", generated"
                         : texts->text_count > 1           ? ", given"
                                                           : "";
    const int end = canvas->columns - 2 - (int)strlen(origin), room = end - 2 - 3,
              width = canvas_width(canvas, given) + canvas_width(canvas, made ? made : "");
    int x = 2;
    x += canvas_text(canvas, y, x, int_max(room / 2, room - width), plain, source);
    x += canvas_text(canvas, y, x, 3, faint, " → ");
    x += canvas_text(canvas, y, x, end - x, plain, given);
    x += canvas_text(canvas, y, x, end - x, style_bold(ROLE_TITLE), made ? made : "");
    canvas_text(canvas, y, x, (int)strlen(origin), faint, origin);
    free(made);
}
