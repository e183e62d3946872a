/* corpus_relations.c: which relations heads find: in a row each, of one head or of the best ones.
 */
#include "headlight/view/corpus.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_COLUMNS 12 /* and 15 where there is room */
#define BAR_MOST     40

/* What the bar shows: up to the share what the head finds, in colour what the best fixed offset
 * would not; a rule where that one ends, which a worse head doesn't reach. */
static void draw_share(const struct corpus_sheet *sheet, struct area row,
                       const struct evidence_relation *relation)
{
    const int eighths = (int)lround(8 * row.columns * relation->share.value);
    const int offset = int_min((int)(relation->offset_share.value * row.columns), row.columns - 1);
    const struct style plain = style_of(ROLE_FAINT);
    canvas_bar(sheet->canvas, row.y, row.x, row.columns, eighths,
               evidence_is_sure(relation) ? style_of(ROLE_POSITIVE) : plain);
    canvas_bar(sheet->canvas, row.y, row.x, row.columns, int_min(eighths, 8 * offset), plain);
    canvas_text(sheet->canvas, row.y, row.x + offset, 1, style_of(ROLE_STRONG), "│");
}

/* Columns, from the left: name, direction, head, share, interval, bar, offset and its share,
 * pairs. Where there is little room the last are left out first. */
void corpus_draw_relation(const struct corpus_sheet *sheet, struct area row,
                          const struct evidence_relation *relation, bool heads, bool chosen)
{
    struct canvas *canvas = sheet->canvas;
    const struct style faint = style_of(ROLE_FAINT);
    const struct style bright =
        evidence_is_sure(relation) ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT);
    const int end = row.x + row.columns, counted = row.columns >= 50 ? 7 : 0;
    const int names = row.columns >= 56 ? NAME_COLUMNS + 3 : NAME_COLUMNS;
    char share[16], half[16], offset[16];
    int x = row.x;
    canvas_text(canvas, row.y, x, names - 1, chosen ? style_marked(ROLE_CURSOR) : bright,
                relation->relation->name);
    x += names;
    if (heads)
        x += 1 + canvas_print(canvas, row.y, x, 6, chosen ? style_bold(ROLE_STRONG) : bright,
                              "%2zu.%-2zu", relation->layer, relation->head);
    canvas_text(canvas, row.y, x, 1, faint, relation->from_head ? "←" : "→");
    corpus_write_number(share, sizeof share, relation->share.value, false);
    corpus_write_number(half, sizeof half, (relation->share.high - relation->share.low) / 2, false);
    corpus_write_number(offset, sizeof offset, relation->offset_share.value, false);
    canvas_text_right(canvas, row.y, x + 6, 4, bright, share);
    canvas_print(canvas, row.y, x + 7, 5, faint, "±%s", half);
    x += 12;
    const struct area bar = {row.y, x, 1, int_clamp(end - counted - 9 - x, 4, BAR_MOST)};
    draw_share(sheet, bar, relation);
    x += bar.columns + 1;
    canvas_print(canvas, row.y, x, int_max(end - x, 0), faint, "%+d %s", relation->offset, offset);
    if (counted)
        canvas_text_right(canvas, row.y, end, counted - 1, faint,
                          format_count(relation->relation->count).text);
}

/* The place of a relation among all; the last one's without it. */
static size_t place_of(const struct survey *survey, const struct evidence_relation *all,
                       size_t relation)
{
    size_t place = 0;
    while (place + 1 < survey->relation_count &&
           (size_t)(all[place].relation - survey->relations) != relation)
        place++;
    return place;
}

enum status corpus_draw_relations(const struct corpus_sheet *sheet, struct error *error)
{
    const struct survey *survey = sheet->survey;
    struct evidence_relation *all = corpus_best_heads(survey, error);
    struct area row = {sheet->heads.y, sheet->heads.x + 1, 1, sheet->heads.columns - 2};
    if (!all)
        return error->status;
    const size_t at = place_of(survey, all, sheet->scene->look.corpus.relation);
    const struct token_range shown =
        grid_window(survey->relation_count, (size_t)int_max(sheet->heads.rows - 1, 0), at);
    canvas_text(sheet->canvas, row.y, row.x, row.columns, style_of(ROLE_FAINT),
                survey->relation_count > 0
                    ? row.columns >= 56 ? "relation       head    share      │ best fixed offset"
                                        : "relation    head    share      │ best fixed offset"
                    : "nothing is known of relations: .conllu files say it");
    sheet->canvas->lacks |=
        edge_range_count(shown) < sheet->survey->relation_count ? LACKS_ROWS : 0;
    for (size_t i = shown.first; i < shown.end; i++) {
        row.y++;
        corpus_draw_relation(sheet, row, &all[i], true, i == at);
        canvas_mark(sheet->canvas, row, HIT_RELATION,
                    (size_t)(all[i].relation - survey->relations));
    }
    free(all);
    return STATUS_OK;
}

void corpus_go_to_relation(struct scene *scene, size_t relation)
{
    const struct survey *survey = data_survey(&scene->data);
    if (relation >= survey->relation_count)
        return;
    const struct evidence_relation best = evidence_best_head(survey, relation);
    scene->look.corpus.relation = relation;
    scene->look.layer = best.layer;
    scene->look.head = best.head;
}

enum status corpus_move_in_relations(struct scene *scene, int steps, struct error *error)
{
    const struct survey *survey = data_survey(&scene->data);
    struct evidence_relation *all = corpus_best_heads(survey, error);
    const int count = (int)survey->relation_count;
    if (!all)
        return error->status;
    if (count > 0) {
        const int place = (int)place_of(survey, all, scene->look.corpus.relation);
        const int next = int_clamp(place + steps, 0, count - 1);
        corpus_go_to_relation(scene, (size_t)(all[next].relation - survey->relations));
    }
    free(all);
    return STATUS_OK;
}
