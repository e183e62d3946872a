/* corpus.h: what the files of the corpus view share: where its parts stand, what each head does
 * over the texts, and the drawing of means, shares and relations. */
#ifndef HEADLIGHT_VIEW_CORPUS_H
#define HEADLIGHT_VIEW_CORPUS_H

#include "headlight/survey/evidence.h"
#include "headlight/view/grid.h"
#include "headlight/view/views.h"

/* The view while it is drawn: all heads, and the card of the one under the cursor. */
struct corpus_sheet {
    const struct scene *scene;
    const struct survey *survey;
    struct canvas *canvas;
    struct area heads, card; /* of no rows: it isn't drawn */
    bool beside;             /* the card stands beside the heads, not below */
};

struct corpus_sheet corpus_lay_out(const struct scene *scene, struct canvas *canvas,
                                   struct area area);

/* ---- Heads (corpus_heads.c) ---- */

/* What a head does over all texts: the relation that it surely knows, or else its label. */
struct corpus_does {
    bool relates, labelled; /* neither: nothing that has a name */
    struct evidence_relation relation;
    struct evidence_label label;
};

struct corpus_does corpus_does(const struct survey *survey, size_t layer, size_t head);

/* "obj" or "previous"; its share or mean, NaN without either; and its hue, which tells kinds apart.
 */
const char *corpus_does_name(const struct corpus_does *does, bool brief);
double corpus_does_value(const struct corpus_does *does);
struct ink corpus_does_ink(const struct corpus_does *does);

/* The figure that the grid shows; SURVEY_FIGURE_COUNT: what each head does. Those along the axes of
 * the scatter. */
enum survey_figure corpus_figure(const struct look *look);
enum survey_figure corpus_across(const struct look *look);

/* The grid, the list sorted by the figure, the scatter, or the table of relations. STATUS_MEMORY.
 */
enum status corpus_draw_heads(const struct corpus_sheet *sheet, struct error *error);

/* The parts of it with files of their own. */
void corpus_draw_scatter(const struct corpus_sheet *sheet);
enum status corpus_draw_relations(const struct corpus_sheet *sheet, struct error *error);
void corpus_move_in_scatter(struct scene *scene, int down, int across);

/* What is drawn at full length: the largest mean of a figure with a unit, 1 of a weight. */
double corpus_whole(const struct survey *survey, enum survey_figure figure);

/* Goes to the head that stands next in that picture. STATUS_MEMORY. */
enum status corpus_move(struct scene *scene, int down, int across, struct error *error);

/* The best heads at all relations [R], to be freed with free(); NULL without memory. */
struct evidence_relation *corpus_best_heads(const struct survey *survey, struct error *error);

/* Goes so many places on among them, and to the head that is best there. STATUS_MEMORY. */
enum status corpus_move_in_relations(struct scene *scene, int steps, struct error *error);

/* Goes to a relation and to the head that is best at it. */
void corpus_go_to_relation(struct scene *scene, size_t relation);

/* Draws a relation in a row: its name, or with `heads` the best head as well, and a bar. */
void corpus_draw_relation(const struct corpus_sheet *sheet, struct area row,
                          const struct evidence_relation *relation, bool heads, bool chosen);

/* "0.931", or ".93" in little room; "12.3" of what has a unit; "-" of NaN. With the interval,
 * "0.931 ±0.004". */
void corpus_write_number(char *text, size_t size, double value, bool wide);
void corpus_write_mean(char *text, size_t size, const struct evidence_mean *mean, bool wide);

/* "35,580" */
struct corpus_count {
    char text[32];
};
struct corpus_count corpus_count(int64_t number);

/* ---- The card (corpus_card.c) ---- */

/* STATUS_MEMORY. */
enum status corpus_draw_card(const struct corpus_sheet *sheet, struct error *error);

/* A part while it is drawn: its area has as many rows as it may take. */
struct corpus_part {
    const struct corpus_sheet *sheet;
    size_t layer, head;
    struct area area;
    bool first; /* the one that was asked for */
};

/* The heading in the part's first row. */
void corpus_draw_heading(const struct corpus_part *part, enum card_part kind, const char *title,
                         const char *about);

/* Draws what fits of the examples (corpus_examples.c); returns the rows used. */
int corpus_draw_examples(const struct corpus_part *part);

/* ---- As rows (corpus_table.c) ---- */

table_writer corpus_table;

#endif
