/* found.c: the tokens of an index most like the chosen one, each in its text, with their parts of
 * speech and relations beside them. Drawn in place of a view, as the ranking is. */
#include "headlight/survey/index.h"

#include "headlight/view/grid.h"
#include "headlight/view/views.h"

/* What was asked for last; NULL until it is found. */
static const struct found *found_now(const struct scene *scene)
{
    const struct found *found = scene->data.found;
    return found && found->asked == scene->look.found.asked ? found : NULL;
}

/* ---- Asking ---- */

/* By the vector of the head under the cursor where the index keeps that, else by the layer's; while
 * the list is shown, by the other one. */
enum status found_ask(struct scene *scene, struct error *error)
{
    struct look *look = &scene->look;
    struct found_look *ask = &look->found;
    const struct indexes *indexes = scene->data.indexes;
    const size_t chosen = scene_token(scene, look->side);
    if (!indexes)
        return error_usage(
            error, "no index is open: \"headlight index TEXTS -o FILE.index --only 3\" makes "
                   "one, \"headlight FILE.index\" opens it");
    if (!ask->shown)
        ask->token = chosen == NO_TOKEN || !scene->data.trace
                         ? NO_TOKEN
                         : scene_piece(scene, look->side, chosen);
    if (ask->token == NO_TOKEN)
        return error_usage(error, "choose a token first");
    const struct index_space head = index_space(look->layer, look->head),
                             layer = index_space(look->layer, NO_HEAD);
    const bool has_head = indexes_keep(indexes, &head), has_layer = indexes_keep(indexes, &layer);
    if (!has_head && !has_layer) {
        const struct index *index = indexes->of[0];
        char names[256] = "";
        for (size_t i = 0; i < index->file->count; i++) {
            const char *name = index->file->tensors[i].name;
            if (strchr(name, '.'))
                format_add(names, sizeof names, "%s%s", *names ? ", " : "", name);
        }
        return error_usage(error, "the index has no vectors of layer %zu, only of %s", look->layer,
                           names);
    }
    if (ask->shown && has_head != has_layer)
        return error_usage(error, "the index has no other vectors of this layer");
    const bool by_head = ask->shown ? ask->head == NO_HEAD : has_head;
    const unsigned last = scene->data.found ? scene->data.found->asked : 0;
    *ask = (struct found_look){.shown = true,
                               .asked = 1 + (ask->asked > last ? ask->asked : last),
                               .layer = look->layer,
                               .head = by_head ? look->head : NO_HEAD,
                               .token = ask->token};
    look->ranked = false;
    return STATUS_OK;
}

/* ---- Drawing ---- */

#define ID_COLUMNS 22

#define NAME_COLUMNS 11

/* The share of those found as a bar, and that of all tokens as a line across it. Returns the rows
 * used. */
static int draw_names(const struct found *found, bool relations, struct canvas *canvas,
                      struct area area)
{
    const struct found_name *names = found->names[relations];
    const int columns = area.columns - NAME_COLUMNS - 6, x = area.x + NAME_COLUMNS;
    int y = area.y;
    if (found->name_count[relations] == 0 || area.rows < 2)
        return 0;
    canvas_text(canvas, y, area.x, area.columns, style_bold(ROLE_TITLE),
                relations ? "relations" : "parts of speech");
    canvas_text_right(canvas, y, area.x + area.columns, 10, style_of(ROLE_FAINT), "│ of all");
    for (size_t i = 0; i < found->name_count[relations] && names[i].found > 0; i++) {
        const double share = (double)names[i].found / (double)found->count,
                     all = (double)names[i].all / (double)found->tokens;
        if (++y == area.y + area.rows)
            return area.rows;
        canvas_text(canvas, y, area.x, NAME_COLUMNS - 1, style_of(ROLE_TEXT), names[i].name);
        canvas_bar(canvas, y, x, columns, (int)lround(8 * columns * share),
                   style_of(ROLE_POSITIVE));
        canvas_text(canvas, y, x + int_min((int)(columns * all), columns - 1), 1,
                    style_of(ROLE_STRONG), "│");
        canvas_print(canvas, y, x + columns + 1, 5, style_of(ROLE_TEXT), "%3.0f %%", 100 * share);
    }
    return y + 1 - area.y;
}

static void found_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct found *found = found_now(scene);
    struct area names = {area.y + 2, 0, area.rows - 2, int_clamp(area.columns / 3, 28, 44)};
    struct area row = {area.y + 2, area.x + 2, 1, area.columns - names.columns - 6};
    const struct style faint = style_of(ROLE_FAINT);
    const bool ascii = canvas_ascii(canvas);
    names.x = area.x + area.columns - names.columns - 2;
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
    if (!found) {
        pen_print(&pen, style_of(ROLE_FAINT),
                  scene->data.stopped ? "stopped: Esc closes the list"
                                      : "looking through the index");
        return;
    }
    /* "the 50 tokens most like flies₂ at head 3.1, of 4,531" */
    pen_write(&pen, "the {%zu} tokens most like  ", found->count);
    pen_print(&pen, style_bold(ROLE_STRONG), "%s", found->name[ascii]);
    if (scene->look.found.head != NO_HEAD)
        pen_write(&pen, "  at head {%zu.%zu}", scene->look.found.layer, scene->look.found.head);
    else
        pen_write(&pen, "  at layer {%zu}", scene->look.found.layer);
    pen_write(&pen, ", of {%s}", format_count((int64_t)found->tokens).text);
    const struct token_range shown =
        grid_window(found->count, (size_t)int_max(area.rows - 2, 1), scene->look.found.at);
    for (size_t i = shown.first; i < shown.end; i++, row.y++) {
        /* " 1 0.987   two men in a boat   dev-0012" */
        const struct index_match *token = &found->best[i];
        const int id = row.columns >= 72 ? ID_COLUMNS : 0, x = row.x + 10,
                  columns = row.columns - 10 - id;
        canvas_print(canvas, row.y, row.x, 3, faint, "%2zu", i + 1);
        canvas_print(canvas, row.y, row.x + 3, 6,
                     i == scene->look.found.at ? style_marked(ROLE_CURSOR) : style_of(ROLE_TEXT),
                     "%.3f", (double)token->cosine);
        /* the text around the token, which stands in one column with all others */
        const char *words = token->words;
        const size_t from = (size_t)token->token.begin, to = (size_t)token->token.end;
        const int before = columns * 2 / 5;
        const size_t begin = text_reach(words, from, -before, ascii),
                     end = text_reach(words, to, columns, ascii);
        const int taken = text_columns(words + begin, from - begin, ascii);
        pen = (struct pen){canvas, row.y, x + before - taken, x + columns};
        pen_print(&pen, faint, "%.*s", (int)(from - begin), words + begin);
        if (to > from)
            pen_print(&pen, style_bold(ROLE_STRONG), "%.*s", (int)(to - from), words + from);
        else /* a special token: [CLS] */
            pen_print(&pen, style_bold(ROLE_STRONG), "%s ",
                      tokenizer_piece(scene->data.checkpoint->tokenizer, token->token.piece));
        pen_print(&pen, faint, "%.*s", (int)(end - to), words + to);
        if (id > 0) /* its end tells it from others of its source */
            canvas_text_right(canvas, row.y, row.x + row.columns, id - 2, faint,
                              token->id + text_reach(token->id, strlen(token->id), 2 - id, ascii));
        canvas_mark(canvas, row, hit_at(HIT_LINE, i));
    }
    struct area part = {names.y, names.x, names.rows / 2, names.columns};
    const int used = draw_names(found, false, canvas, part);
    part.y += used + (used > 0);
    part.rows = names.y + names.rows - part.y;
    if (draw_names(found, true, canvas, part) + used == 0)
        canvas_paragraph(canvas, names, style_of(ROLE_FAINT),
                         "nothing is known of parts of speech and relations: .conllu files say it");
}

/* ---- Keys ---- */

static const char *found_hints(const struct scene *scene)
{
    const struct index_space other = index_space(
        scene->look.found.layer, scene->look.found.head == NO_HEAD ? scene->look.head : NO_HEAD);
    return scene->look.found.token == NO_TOKEN || !indexes_keep(scene->data.indexes, &other)
               ? "↑↓: choose; Enter: open it; Esc: back"
           : other.head == NO_HEAD ? "↑↓: choose; Enter: open it; F: by the layer; Esc: back"
                                   : "↑↓: choose; Enter: open it; F: by the head; Esc: back";
}

/* Keys that it doesn't handle close it, and mean what they always mean. */
static enum acted found_act(struct scene *scene, enum action action, struct error *error)
{
    struct found_look *look = &scene->look.found;
    const struct found *found = found_now(scene);
    const int steps = action_steps(action), last = found ? (int)found->count - 1 : 0;
    if (action == ACTION_FIND_ALIKE)
        return found_ask(scene, error) == STATUS_OK ? ACT_DONE : ACT_REFUSED;
    if (steps != 0)
        look->at = (size_t)int_clamp((int)look->at + steps, 0, int_max(last, 0));
    look->shown = steps != 0 || action == ACTION_THEME || action == ACTION_PIN;
    return steps != 0 || action == ACTION_PIN || action == ACTION_CLEAR ? ACT_DONE : ACT_PASSED;
}

static bool found_opens(const struct scene *scene, struct opened *opened)
{
    const struct found *found = found_now(scene);
    if (!found || scene->look.found.at >= found->count)
        return false;
    const struct index_match *token = &found->best[scene->look.found.at];
    *opened = (struct opened){
        .words = token->words, .id = token->id, .from = (size_t)token->token.at, .to = NO_TOKEN};
    return true;
}

const struct view found_view = {
    .title = "Alike",
    .meaning = "the tokens of a corpus whose vectors are most like a token's, in their texts",
    .mouse = "a token to open its text",
    .heads = HEADS_CURSOR,
    .draw = found_draw,
    .act = found_act,
    .opens = found_opens,
    .hints = found_hints,
};
