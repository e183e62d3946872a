/* corpus.h: what the files of the corpus view share: where its parts stand, what a head does, and
 * each part's drawing and keys. */
#pragma once

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

/* ---- In common (corpus_does.c) ---- */

/* "±.02", of a share "≥.97" or "≤.02" where the other end is 1 or 0, a dash where there is no
 * interval, "" where it has no width; and the mean with it, "0.931 ±0.004". */
struct weight_text corpus_half(const struct evidence_number *mean, bool wide);
struct weight_text corpus_mean(const struct evidence_number *mean);

/* What a head does over all texts: the relation that it surely knows, or else its label; and the
 * mean that the look asks for or, without a figure, the one behind what it does. */
struct corpus_head {
    struct ranked_head at;             /* by its mean; heads that do something are grouped by what
                                          that is, and what has no number comes last */
    struct evidence_relation relation; /* of no relation: it knows none */
    struct evidence_label label;       /* of no name: it has none */
    struct evidence_number mean;
    bool figured;         /* it is the figure's */
    struct ink does, ink; /* the hue of what it does, and that of the mean */
};

struct corpus_head corpus_head(const struct survey *survey, const struct look *look, size_t layer,
                               size_t head);

/* The same as if a relation were what it does, surely or not. */
struct corpus_head corpus_relation(const struct evidence_relation *relation);

/* "obj" or "previous"; "" where it has no label. */
const char *corpus_does(const struct corpus_head *head, bool brief);

/* The figure that the grid shows; METRIC_LABEL: what each head does. */
enum metric corpus_figure(const struct look *look);

/* What is drawn at full length: the largest mean of a figure with a unit, 1 of a weight. */
double corpus_whole(const struct survey *survey, enum metric figure);

/* ---- All heads: the grid, lists, points between two figures (corpus_heads.c) ---- */

void corpus_draw_heads(const struct corpus_sheet *sheet);

/* Moves the cursor to the head, or the relation, that stands next in the picture. STATUS_MEMORY. */
enum status corpus_move(struct scene *scene, int down, int across, struct error *error);

/* The relation under the cursor of the list of relations, and the head that is best at it. */
struct evidence_relation corpus_chosen_relation(const struct scene *scene);

/* All heads, sorted by the figure in that list, or the best ones of all relations, those that
 * surely gain most first; and where the cursor is, on the first where it is on none. To be freed
 * with free(); NULL without memory. */
struct corpus_head *corpus_list(const struct scene *scene, size_t *count, size_t *at,
                                struct error *error);

/* Draws what a head does in a row: its name, where it is `listed` the head as well, and a bar. */
void corpus_draw_row(const struct corpus_sheet *sheet, struct area row,
                     const struct corpus_head *head, double whole, bool listed, bool chosen);

/* ---- The card (corpus_card.c) ---- */

void corpus_draw_card(const struct corpus_sheet *sheet);
