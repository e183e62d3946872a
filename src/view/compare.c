/* compare.c: the compare view. The same head side by side: of one text in two models, before and
 * after a change of the network, or of two sentences, each by itself; what they differ by; and how
 * alike a word of both is, layer by layer. */
#include "headlight/lens/same_word.h"
#include "headlight/view/compare_chart.h"
#include "headlight/view/compare_maps.h"
#include "headlight/view/views.h"

#include <stdio.h>

/* ---- What there is to compare ---- */

/* What can be compared besides, and how to get there. A word that stands `twice` is there. */
static void draw_ways(struct canvas *canvas, struct area area, bool twice)
{
    static const struct {
        const char *how, *what;
    } ways[] = {
        {"e, then Tab", "a second sentence"},
        {"z", "a change of the network"},
        {"--against DIR", "another model"},
        {"e", "a text with a word twice"},
    };
    const size_t count = sizeof ways / sizeof *ways - twice;
    static const char *const example[] = {
        "The two flies, each in its sentence:", "", "headlight --view compare \\",
        "  \"time flies like an arrow\" \\", "  \"fruit flies like a banana\""};
    int y = area.y, end = area.y + area.rows;
    canvas_text(canvas, y++, area.x, area.columns, style_bold(ROLE_TITLE),
                twice ? "What else can be compared" : "What can be compared");
    for (size_t i = 0; i < count && y < end; i++, y++) {
        struct pen pen = {canvas, y, area.x, area.x + area.columns};
        pen_print(&pen, style_of(ROLE_TITLE), "%-13s ", ways[i].how);
        pen_print(&pen, style_of(ROLE_TEXT), "%s", ways[i].what);
    }
    y++;
    for (size_t i = 0; i < sizeof example / sizeof *example && y < end; i++, y++)
        canvas_text(canvas, y, area.x, area.columns, style_of(i == 0 ? ROLE_FAINT : ROLE_TEXT),
                    example[i]);
}

static bool has_word_twice(const struct comparison *comparison)
{
    struct token_range places[2];
    return same_word_first(comparison->tokens[SIDE_LEFT], NULL, places);
}

/* Why what it is compared with can't be computed. */
static void draw_refusal(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct area lower = {area.y + area.rows / 2, area.x + 2, area.rows / 2, area.columns - 4};
    canvas_paragraph(canvas, lower, style_of(ROLE_TEXT), scene->data.uncompared);
}

static bool is_refused(const struct scene *scene, const struct comparison *comparison)
{
    return scene->data.uncompared[0] && !comparison->trace[SIDE_RIGHT];
}

static enum status draw(const struct scene *scene, struct canvas *canvas, struct area area,
                        struct error *error)
{
    const struct comparison comparison = comparison_of(scene);
    if (is_refused(scene, &comparison)) {
        draw_refusal(scene, canvas, area);
        return STATUS_OK;
    }
    const struct compare_layout layout = compare_lay_out(scene, canvas, &comparison, area);
    const struct compare_scale scale = compare_measure(scene, &comparison);
    compare_draw_maps(scene, canvas, &comparison, &layout, &scale);
    if (layout.panels == 1 && scene->data.checkpoint) /* a recording is what it is */
        draw_ways(canvas, layout.words, has_word_twice(&comparison));
    return compare_draw_chart(scene, canvas, layout.chart, &comparison, error);
}

#define MEANING "the same head side by side, and how alike a word is in both"

static void legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct comparison comparison = comparison_of(scene);
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    const struct compare_scale scale = compare_measure(scene, &comparison);
    struct style style = style_of(ROLE_FAINT);
    if (is_refused(scene, &comparison))
        return;
    pen_print(&pen, style, "rows attend to columns, 0 … %.3f", (double)scale.weight);
    if (scale.difference > 0) /* nothing has two hues where nothing differs */
        pen_print(&pen, style, "   %s, to %.3f",
                  canvas->traits.mono ? "+ more right, - less" : "blue: more right, orange: less",
                  (double)scale.difference);
}

/* ---- Keys and clicks ---- */

static const struct hint *hints(const struct scene *scene)
{
    static const struct hint row[] = {{"↑↓", "word"},  {"←→", "layer"},       {"0-9", "head"},
                                      {"z", "change"}, {"Enter", "heaviest"}, {"e", "edit"},
                                      {NULL, NULL}};
    static const struct hint cell[] = {{"↑↓", "column"}, {"←→", "layer"},   {"0-9", "head"},
                                       {"z", "change"},  {"Enter", "back"}, {"e", "edit"},
                                       {NULL, NULL}};
    return scene->look.side == SIDE_RIGHT ? cell : row;
}

/* The token of the text shown that has the cursor, or that the word begins with. */
static size_t cursor_of(const struct scene *scene, const struct comparison *comparison,
                        enum side *side)
{
    *side = comparison_place(comparison, SIDE_LEFT, scene->look.from) == NO_TOKEN &&
                    comparison_place(comparison, SIDE_RIGHT, scene->look.from) != NO_TOKEN
                ? SIDE_RIGHT
                : SIDE_LEFT;
    if (scene->look.from != NO_TOKEN || !comparison->is_there[*side])
        return scene->look.from;
    return comparison_shown(comparison, *side, comparison->word[*side].first);
}

/* Goes to the heaviest weight of the cursor's row, or back. */
static enum acted pin(struct scene *scene, const struct comparison *comparison)
{
    enum side side;
    size_t from = cursor_of(scene, comparison, &side), to = scene->look.to;
    scene->look.side = SIDE_LEFT;
    scene->look.to = NO_TOKEN;
    if (to != NO_TOKEN || from == NO_TOKEN)
        return ACT_DONE;
    scene->look.from = from;
    to = compare_heaviest(scene, comparison, side, comparison_place(comparison, side, from));
    if (to != NO_TOKEN)
        scene->look.to = comparison_shown(comparison, side, to);
    if (scene->look.to != NO_TOKEN)
        scene->look.side = SIDE_RIGHT;
    return ACT_DONE;
}

/* Words are walked from the one that is compared. */
static enum acted act(struct scene *scene, enum action action, struct error *error)
{
    struct comparison comparison;
    enum side side;
    if (action == ACTION_LIST) {
        error_set(error, STATUS_USAGE, "there is no list here: Enter goes to a row's heaviest");
        return ACT_REFUSED;
    }
    if (!scene->data.trace)
        return ACT_PASSED;
    comparison = comparison_of(scene);
    switch (action) {
    case ACTION_PIN:
        return pin(scene, &comparison);
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        if (scene->look.side == SIDE_LEFT)
            scene->look.from = cursor_of(scene, &comparison, &side);
        return ACT_PASSED;
    default:
        return ACT_PASSED;
    }
}

static enum action click(struct scene *scene, struct hit hit)
{
    if (hit.kind == HIT_POINT && hit.value < scene->data.layers)
        scene->look.layer = hit.value;
    return ACTION_COUNT;
}

const struct view compare_view = {
    .title = "Compare",
    .about = "one head twice: two models, two texts, or before and after a change",
    .meaning = MEANING,
    .mouse = "a cell, a token, a point",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_TONE,
    .own_list = true,
    .compares = true,
    .draw = draw,
    .act = act,
    .click = click,
    .hints = hints,
    .legend = legend,
};
