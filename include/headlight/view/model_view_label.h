/* model_view_label.h: the model view's one figure that is a word: what each head mostly does on
 * this text, with the number behind it (metrics_label). */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_LABEL_H
#define HEADLIGHT_VIEW_MODEL_VIEW_LABEL_H

#include "headlight/view/model_view_layout.h"

/* Whether labels are the figure that is chosen, and measured. */
bool model_view_is_labelled(const struct scene *scene);

/* A head's label; the metrics need to be measured. */
struct head_label model_view_label(const struct scene *scene, size_t layer, size_t head);

/* How many rows labels take under thumbnails: a name and its number side by side or, where that is
 * too wide, one above the other; when sorted, after or under the head. */
#define MODEL_VIEW_LABEL_ROWS 3
int model_view_label_rows(const struct scene *scene, const struct model_view_layout *layout);

/* The layout's rows of text under one thumbnail, in ASCII and no wider than its box: "previous
 * .86", "prev .86", or when sorted "3:5 prev .86". Rows are empty for a head without a label. */
struct model_view_label_text {
    char rows[MODEL_VIEW_LABEL_ROWS][80];
};

struct model_view_label_text model_view_label_text(const struct scene *scene,
                                                   const struct model_view_layout *layout,
                                                   size_t layer, size_t head);

/* Prints "previous token 0.864 on this text", or "previous 0.86" where that would leave less than
 * `kept` columns; nothing without a label. */
void model_view_label_print(struct pen *pen, const struct head_metrics *metrics, int kept);

#endif
