#include "headlight/view/model_view_effect.h"

#include "headlight/view/words_layout.h"

#include <math.h>
#include <stdio.h>

double model_view_effect(const struct scene *scene, size_t layer, size_t head)
{
    return scene->data.effects->change[layer * scene->data.head_count + head];
}

double model_view_cursor_value(const struct scene *scene, const struct head_metrics *metrics,
                               enum metric metric)
{
    if (metric == METRIC_EFFECT)
        return model_view_effect(scene, scene->look.layer, scene->look.head);
    return metric_of(metrics, metric);
}

struct style model_view_effect_style(double change)
{
    enum role role = change > 0 ? ROLE_POSITIVE : ROLE_NEGATIVE;
    bool seen = round(fabs(change) * 100) > 0; /* of two decimals something is left */
    struct style style = style_of(seen ? role : ROLE_FAINT);
    style.bold = metric_stands_out(METRIC_EFFECT, change);
    return style;
}

/* A token that is hidden, or that stands in the middle of a word, has only its piece. */
static struct token_name name_of(const struct scene *scene, size_t token, bool ascii)
{
    size_t shown = attention_shown(scene->data.attention, SIDE_LEFT, token);
    struct token_name name;
    if (shown != NO_TOKEN && scene->data.attention->tokens[SIDE_LEFT].of[shown].first == token)
        return scene_name(scene, SIDE_LEFT, shown, ascii);
    snprintf(name.text, sizeof name.text, "%s",
             scene->data.encoded->sides[SIDE_LEFT].labels[token]);
    return name;
}

void model_view_effect_explain(const struct scene *scene, struct pen *pen)
{
    const struct effects *effects = scene->data.effects;
    pen_print(pen, style_of(ROLE_FAINT), "change of log p(%s) at %s without the head",
              words_piece(scene, effects->id),
              name_of(scene, effects->token, canvas_ascii(pen->canvas)).text);
}
