/* model_view_effect.h: the model view's one signed figure: how a prediction changes without a head
 * (effects.h). All that is here needs the effects to be measured. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_EFFECT_H
#define HEADLIGHT_VIEW_MODEL_VIEW_EFFECT_H

#include "headlight/view/scene.h"

/* The change of the log-probability without a head. */
double model_view_effect(const struct scene *scene, size_t layer, size_t head);

/* Any metric of the head under the cursor, which has these others. */
double model_view_cursor_value(const struct scene *scene, const struct head_metrics *metrics,
                               enum metric metric);

/* Blue where the piece is likelier without the head, orange where it is less likely; bold where
 * that is a large change. */
struct style model_view_effect_style(double change);

/* ": change of log p(floor)" and " at [MASK]". */
struct effect_words {
    char answer[96], token[96];
};
struct effect_words model_view_effect_words(const struct scene *scene, bool ascii);

#endif
