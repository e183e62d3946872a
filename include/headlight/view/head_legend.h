/* head_legend.h: the words around the head view's lines: what they mean, how many lead beyond the
 * screen or are hidden, and the numbers of a pair; and the headline, which the back of a room reads
 * below a head that is presented: one pair and its weight, "flies → time 0.58". */
#ifndef HEADLIGHT_VIEW_HEAD_LEGEND_H
#define HEADLIGHT_VIEW_HEAD_LEGEND_H

#include "headlight/draw/column.h"
#include "headlight/lens/pairs.h"
#include "headlight/view/scene.h"

/* What the picture means, for the legends and for the help. */
#define HEAD_ATTENDING "left: who attends"
#define HEAD_ATTENDED  "right: to what"
#define HEAD_HUE       "colour: head"
#define HEAD_STRENGTH  "thicker, fuller: more"
#define HEAD_THICKNESS "thicker: more"

/* The shade of the heaviest line, which the others' are shares of; EDGE_WHOLE when there is none.
 */
unsigned head_legend_heaviest(const struct pair_list *list);

/* In the area's first row: what is seen, and the weight of the heaviest line. */
void head_legend_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                      const struct pair_list *list);

/* How many lines lead beyond the screen, in the blank row below them: text among them would cut a
 * picture. Columns are by side. */
void head_legend_leaving(struct canvas *canvas, struct area lines, const struct column columns[2],
                         const struct pair_list *list);

/* In the area's last row: the current pair, its weight, its head, and how many lines there are. */
void head_legend_numbers(const struct scene *scene, struct canvas *canvas, struct area area,
                         const struct pair_list *list);

/* The rows that a headline takes at the bottom of an area, with those left blank. */
int head_headline_rows(const struct canvas *canvas, struct area area);

void head_headline_draw(const struct scene *scene, struct canvas *canvas, struct area area);

#endif
