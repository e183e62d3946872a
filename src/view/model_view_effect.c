#include "headlight/view/model_view_effect.h"

#include "headlight/base/format.h"
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
    struct style style = style_legible(ink_full(seen ? role : ROLE_FAINT));
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

struct effect_words model_view_effect_words(const struct scene *scene, bool ascii)
{
    const struct effects *effects = scene->data.effects;
    struct effect_words words = {"", ""};
    format_cut(words.answer, sizeof words.answer, ": change of log p(%s)",
               words_piece(scene, effects->id));
    format_cut(words.token, sizeof words.token, scene->data.next ? " after %s" : " at %s",
               name_of(scene, effects->token, ascii).text);
    return words;
}
