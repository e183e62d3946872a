/* corpus.h: what the files of the corpus view share: where its parts stand, how numbers are
 * written, what a head does, and each part's drawing and keys. */
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

/* A part of the card while it is drawn: its area has as many rows as it may take. */
struct corpus_part {
    const struct corpus_sheet *sheet;
    size_t layer, head;
    struct area area;
    bool first; /* the one that was asked for */
};

/* ---- In common (corpus_does.c) ---- */

/* "0.931", or ".93" in little room; "12.3" of what has a unit; "-" of NaN. With the interval,
 * "0.931 ±0.004". */
void corpus_write_number(char *text, size_t size, double value, bool wide);
void corpus_write_mean(char *text, size_t size, const struct evidence_mean *mean, bool wide);

/* What a head does over all texts: the relation that it surely knows, or else its label. */
struct corpus_does {
    struct evidence_relation relation; /* of no name: it knows none */
    struct evidence_label label;       /* likewise */
};

struct corpus_does corpus_does(const struct survey *survey, size_t layer, size_t head);

static inline bool corpus_relates(const struct corpus_does *does)
{
    return does->relation.relation != NULL;
}

static inline bool corpus_is_labelled(const struct corpus_does *does)
{
    return does->label.name != NULL;
}

/* "obj" or "previous"; "" without either. Its hue tells kinds apart. */
const char *corpus_does_name(const struct corpus_does *does, bool brief);
struct ink corpus_does_ink(const struct corpus_does *does);

/* What a relation of Universal Dependencies is between, "a preposition and its noun", whatever its
 * subtype; "" of others. */
const char *corpus_between(const char *relation);

/* The figure that the grid shows; SURVEY_FIGURE_COUNT: what each head does. And that along the
 * scatter's lower axis. */
enum survey_figure corpus_figure(const struct look *look);
enum survey_figure corpus_across(const struct look *look);

/* What is drawn at full length: the largest mean of a figure with a unit, 1 of a weight. */
double corpus_whole(const struct survey *survey, enum survey_figure figure);

/* The best heads at all relations [R], to be freed with free(); NULL without memory. */
struct evidence_relation *corpus_best_heads(const struct survey *survey, struct error *error);

/* The heading in the first row of a part of the card. */
void corpus_draw_heading(const struct corpus_part *part, enum card_part kind, const char *title,
                         const char *about);

/* ---- All heads ----
 * What moves the cursor goes to the head that stands next in that picture. STATUS_MEMORY. */

/* The grid, and the list sorted by the figure (corpus_heads.c). */
void corpus_draw_grid(const struct corpus_sheet *sheet);
enum status corpus_draw_sorted(const struct corpus_sheet *sheet, struct error *error);
enum status corpus_move_in_sorted(struct scene *scene, int steps, struct error *error);

/* corpus_scatter.c */
void corpus_draw_scatter(const struct corpus_sheet *sheet);
void corpus_move_in_scatter(struct scene *scene, int down, int across);

/* The best head of each relation (corpus_relations.c). */
enum status corpus_draw_relations(const struct corpus_sheet *sheet, struct error *error);
enum status corpus_move_in_relations(struct scene *scene, int steps, struct error *error);

/* Goes to a relation and to the head that is best at it. */
void corpus_go_to_relation(struct scene *scene, size_t relation);

/* Draws a relation in a row: its name, or with `heads` the best head as well, and a bar. */
void corpus_draw_relation(const struct corpus_sheet *sheet, struct area row,
                          const struct evidence_relation *relation, bool heads, bool chosen);

/* ---- The card (corpus_card.c) ---- */

/* STATUS_MEMORY. */
enum status corpus_draw_card(const struct corpus_sheet *sheet, struct error *error);

/* Draws what fits of the examples (corpus_examples.c); returns the rows used. */
int corpus_draw_examples(const struct corpus_part *part);

/* ---- As rows (corpus_table.c) ---- */

table_writer corpus_table;

#endif
