/* words_answers.c: the lists of the words view: what the model and a layer say at one token. */
#include "headlight/view/grid.h"
#include "headlight/view/words.h"

#include <stdlib.h>

/* Columns of the pieces of a row, from left to right. */
#define PIECE_COLUMNS  14
#define NUMBER_COLUMNS 5  /* "0.052" */
#define BEFORE_COLUMNS 9  /* "← 0.041  " */
#define NARROWEST      26 /* columns of one answer: a piece, its number and a short bar */
#define LIST_COLUMNS   38
#define ANSWERS_MOST   60 /* of a list that has room */
#define GHOST_LEVEL    5  /* of a bar of before */
#define LISTS_MOST     64

/* ---- Answers ---- */

/* To the left of 0 in whole cells: there are no eighths that grow that way. */
static void draw_bar(struct canvas *canvas, struct area right, int eighths, struct style style)
{
    const int cells = eighths < 0 ? (4 - eighths) / 8 : 0;
    canvas_bar(canvas, right.y, right.x - cells, cells > 0 ? cells : right.columns,
               cells > 0 ? 8 * cells : eighths, style);
}

/* The bar of now, upon a pale one of before, which shows beyond it. Bars shrink if there is a
 * "before". */
void words_draw_row(struct canvas *canvas, struct area area, const struct words_row *row)
{
    struct style name = row->chosen ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT);
    const int columns = row->columns > 0 ? row->columns : PIECE_COLUMNS;
    int x = area.x + 2, bar = area.columns - 2 - columns - 1 - NUMBER_COLUMNS - 1 -
                              (isnan(row->before) ? 0 : BEFORE_COLUMNS);
    if (row->chosen) {
        name.back = ink_full(ROLE_CURSOR);
        canvas_text(canvas, area.y, area.x, 1, style_bold(ROLE_TITLE), "▸");
    } else if (row->apart) {
        canvas_text(canvas, area.y, area.x, 1, style_of(ROLE_FAINT), "…");
    }
    canvas_text(canvas, area.y, x, columns, name, row->name);
    x += columns + 1;
    x += NUMBER_COLUMNS + 1;
    canvas_text_right(canvas, area.y, x - 1, NUMBER_COLUMNS, name,
                      number_text(row->probability, false, 3, NUMBER_COLUMNS).text);
    if (!isnan(row->before))
        x += 2 + canvas_print(canvas, area.y, x, 8,
                              row->led ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT), "← %.3f",
                              row->before);
    const struct ink pale = {ROLE_POSITIVE, GHOST_LEVEL};
    const int left = row->centred ? bar / 2 : 0;
    const struct area right = {area.y, x + left, 1, bar - left};
    const double eighths = right.columns * 8 / row->most;
    const int now = (int)lround(row->probability * eighths);
    const int before = isnan(row->before) ? 0 : (int)lround(row->before * eighths);
    const bool apart = (now < 0) != (before < 0), beyond = apart || abs(before) > abs(now);
    struct style style = style_of(row->faint             ? ROLE_FAINT
                                  : row->probability < 0 ? ROLE_NEGATIVE
                                                         : ROLE_POSITIVE);
    if (beyond && !canvas->traits.mono) /* there it would be as full as now */
        draw_bar(canvas, right, before, (struct style){.fore = pale});
    if (!apart && before / 8 > now / 8 && !canvas->traits.mono) /* its last cell is not whole */
        style.back = pale;
    draw_bar(canvas, right, now, style);
    canvas_mark(canvas, area, row->hit);
}

double words_whole(double most)
{
    double whole = 1;
    for (int i = 1; whole < most && i < 900; i++)
        whole *= i % 3 == 2 ? 2.5 : 2;
    return whole;
}

struct words_answer words_answer(const struct lens_cell *cell, size_t place, size_t listed)
{
    size_t old = 0; /* its place among those of now, or the last, which it takes */
    while (cell->compared && old + 1 < listed && cell->best[old].id != cell->was.id)
        old++;
    if (cell->compared && place == old)
        return (struct words_answer){cell->was.id, exp(cell->was.logprob), exp(cell->was_before),
                                     true, cell->best[old].id != cell->was.id};
    return (struct words_answer){.id = cell->best[place].id,
                                 .now = exp(cell->best[place].logprob),
                                 .before = cell->compared ? exp(cell->best_before[place]) : NAN};
}

/* To a row of its own while there are rows, else three columns on. */
static void next_fact(struct pen *pen, struct area *area)
{
    pen->x += 3;
    if (area->rows > 1) {
        pen->x = area->x + 2;
        pen->y++;
        area->rows--;
    }
}

/* The likeliest pieces of a layer, in so many rows with their heading: down the first column, then
 * the second. There are two only where one can't hold all answers and both have room for their
 * numbers. The bar of `most` is whole. The last layer's row is what the model says, so it isn't
 * called a layer's. What another layer says is titled in grey, not to be taken for it; on a
 * projector all is grey but what the sentence is about. */
static void draw_list(const struct words_sheet *sheet, struct area area, size_t layer, double most)
{
    const struct scene *scene = sheet->scene;
    const size_t token = scene_token(scene, SIDE_LEFT);
    const struct lens_cell *cell = words_cell(scene, layer, token);
    const bool last = layer + 1 == scene->data.layers, presented = scene->look.presented,
               meant = presented ? layer == scene->look.layer : last;
    const struct style title = meant ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT);
    struct pen pen = {sheet->canvas, area.y, area.x, area.x + area.columns};
    if (!last) {
        pen_print(&pen, title, "  after layer %zu", layer);
    } else {
        pen_print(&pen, title, scene->data.next ? "after %s:" : "%s",
                  scene_name(scene, SIDE_LEFT, token, canvas_ascii(sheet->canvas)).text);
        pen_print(&pen, style_of(ROLE_FAINT), "   %s",
                  !words_untrained(scene, token) ? "the model's answer"
                  : words_are_tags(scene)        ? "no part of the text"
                                                 : WORDS_UNTRAINED);
    }
    const int rows = area.rows - 1,
              columns = area.columns / 2 >= NARROWEST && rows < LENS_BEST ? 2 : 1,
              width = area.columns / columns;
    const size_t listed = cell ? size_min(cell->count, (size_t)int_max(columns * rows, 0)) : 0;
    for (size_t i = 0; i < listed; i++) {
        const struct area place = {area.y + 1 + (int)i % rows, area.x + (int)i / rows * width, 1,
                                   width - 2};
        const struct words_answer answer = words_answer(cell, i, listed);
        const struct words_row row = {
            .name = words_piece(scene, answer.id),
            .probability = answer.now,
            .most = most,
            .before = answer.before,
            .chosen = scene->look.answer != NO_TOKEN ? scene->look.answer == (size_t)answer.id
                                                     : presented && meant && answer.led,
            .faint = (presented && !meant) || words_untrained(scene, token),
            .led = answer.led,
            .apart = answer.apart,
            .hit = hit_at(HIT(answer), (size_t)answer.id)};
        words_draw_row(sheet->canvas, place, &row);
    }
}

/* Facts, of the cell under the cursor, keep their rows, and the lists have what is left of them:
 * five rows suffice below the grid, where they have two columns. */
void words_draw_answers(const struct words_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    struct area place = sheet->answers;
    const struct area *area = &place;
    const int end = place.x + place.columns;
    const size_t layer = scene->look.layer;
    const struct lens_cell *cell = words_cell(scene, layer, scene_token(scene, SIDE_LEFT));
    const int facts = sheet->beside ? 4 : 1; /* with a blank row before them */
    const bool both = sheet->beside && layer + 1 < scene->data.layers;
    const int most = sheet->beside ? 1 + LENS_BEST : 1 + LENS_BEST / 2;
    place.columns = sheet->beside ? int_min(place.columns, ANSWERS_MOST) : place.columns;
    struct area lists = {area->y, area->x, int_min(area->rows - facts, both ? 2 * most + 1 : most),
                         area->columns};
    if (area->rows < 2)
        return;
    /* the model's answers come first wherever the cursor is; on the row of another layer its pieces
     * stand to their right where both are below the grid, else under them: there they have a blank
     * row before them and at least half of the rows that both can share */
    struct area answer = lists, other = lists;
    if (layer + 1 == scene->data.layers) {
        answer.rows = int_min(lists.rows, most);
    } else if (sheet->beside) {
        other.rows = int_clamp(lists.rows - 1 - most, (lists.rows - 1) / 2, most);
        answer.rows = int_min(lists.rows - 1 - other.rows, most);
        other.y += answer.rows + 1;
    } else {
        answer.columns /= 2;
        other.x += answer.columns;
        other.columns -= answer.columns;
    }
    struct {
        struct area area;
        size_t layer;
    } shown[LISTS_MOST] = {{answer, scene->data.layers - 1}, {other, layer}};
    size_t count = layer + 1 < scene->data.layers ? 2 : 1;
    /* those of other layers, too, as far as there is room below or beside them */
    struct area more = area_below(*area, lists.rows + facts + 1);
    for (size_t at = scene->data.layers - 1; sheet->beside && at-- > 0 && count < LISTS_MOST;) {
        if (at == layer)
            continue;
        if (more.rows < most) {
            const int x = more.x + more.columns + 2, left = end - x;
            more = (struct area){area->y, x, area->rows, int_min(left, ANSWERS_MOST)};
        }
        if (more.rows < most || more.columns < LIST_COLUMNS)
            break;
        shown[count].area = more;
        shown[count++].layer = at;
        more = area_below(more, most + 1);
    }
    /* the longest bar of all lists, of now or before, is whole */
    double longest = 0;
    for (size_t i = 0; i < count; i++) {
        const struct lens_cell *at =
            words_cell(scene, shown[i].layer, scene_token(scene, SIDE_LEFT));
        if (at)
            longest = fmax(longest,
                           fmax(exp(at->best[0].logprob), at->compared ? exp(at->was_before) : 0));
    }
    for (size_t i = 0; i < count; i++)
        draw_list(sheet, shown[i].area, shown[i].layer, longest);
    if (!cell || lists.rows < 2 || sheet->layer == NO_TOKEN)
        return;
    /* and how sure the layer is: in as many rows as there are, or one after the other. The entropy
     * is compared with its largest value, log2 of the vocabulary's size */
    struct area rest = {lists.y + lists.rows + sheet->beside, lists.x, facts - sheet->beside,
                        lists.columns};
    struct pen pen = {sheet->canvas, rest.y, rest.x + 2, rest.x + rest.columns};
    const bool tags = words_are_tags(scene);
    if (cell->id != LENS_NOTHING) {
        /* how likely the piece is that stands in the text, and how many pieces are likelier: rank 1
         * is the prediction itself */
        pen_print(&pen, style_of(ROLE_FAINT),
                  scene->data.next ? "%s comes next "
                  : scene->data.trace->ids[scene_token(scene, SIDE_LEFT)] != cell->id
                      ? "hidden word %s "
                      : "%s itself ",
                  words_piece(scene, cell->id));
        pen_write(&pen, "{%.3f}", exp(cell->logprob));
        if (cell->compared)
            pen_write(&pen, " ← %.3f", exp(cell->logprob_before));
        next_fact(&pen, &rest);
        pen_write(&pen, "rank {%zu}", cell->rank);
        if (rest.rows > 1)
            pen_write(&pen, " of %zu", scene->data.trace->vocabulary);
    } else if (!tags)
        pen_write(&pen, "the text ends here");
    if (!tags)
        next_fact(&pen, &rest);
    pen_write(&pen, "entropy {%.2f} of %.2f bits", cell->entropy,
              log2((double)(tags ? scene->data.trace->labels : scene->data.trace->vocabulary)));
}
