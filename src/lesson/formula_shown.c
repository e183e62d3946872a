/* formula_shown.c: formulas of what is on screen beside the pass: the map that is shown, and what
 * the compare view sets side by side. */
#include "headlight/lens/cosine.h"
#include "headlight/lesson/formula_parts.h"
#include "headlight/session/derive.h"
#include "headlight/session/derive_map.h"
#include "headlight/session/find.h"
#include "headlight/view/comparison.h"
#include "headlight/view/scene.h"

#include <math.h>

/* ---- The map ---- */

/* Whether the map that the look asks for is there. */
static bool shows_map(const struct asked *asked, struct formula_value *value)
{
    const struct scene *scene = &asked->scene;
    if (scene->data.map->kind == derive_map_wanted(&scene->look, true))
        return true;
    if (derive_wants_map(&scene->look, &scene->data))
        value->state = FORMULA_PENDING;
    else
        formula_say_unknown(value, "the map that was asked for is not shown");
    return false;
}

void formula_shown(const struct asked *asked, struct formula_value *value)
{
    const struct scene *scene = &asked->scene;
    const char *const names[] = {asked->formula->a, asked->formula->b};
    size_t tokens[2];
    if (!shows_map(asked, value))
        return;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        tokens[side] = find_token(scene, names[side], side);
        if (tokens[side] != NO_TOKEN)
            continue;
        formula_say_unknown(value, "no token \"%s\" is shown", names[side]);
        return;
    }
    const size_t map = scene_is_single(scene) ? 0 : scene->look.head;
    const double number = (double)scene_value(scene, map, tokens[SIDE_LEFT], tokens[SIDE_RIGHT]);
    if (scene->data.map->kind == MAP_SCORES)
        formula_say_decimal(value, number);
    else
        formula_say_share(value, number);
}

/* ---- What is compared ---- */

/* The word on both sides. */
static bool find_compared(const struct asked *asked, struct occurrence words[2],
                          struct formula_value *value)
{
    const struct scene *scene = &asked->scene;
    if (!scene->view->compares)
        formula_say_unknown(value, "nothing is compared outside the compare view");
    else if (derive_wants_compared(&scene->look, &scene->data) || derive_wants_before(&scene->data))
        value->state = FORMULA_PENDING;
    else {
        const struct comparison comparison = comparison_of(scene);
        if (comparison_word(&comparison, words) && cosine_is_defined(&words[0], &words[1]))
            return true;
        formula_say_unknown(value, "no word stands on both sides");
    }
    return false;
}

void formula_alike(const struct asked *asked, struct formula_value *value)
{
    const struct formula *formula = asked->formula;
    struct occurrence words[2];
    if (!find_compared(asked, words, value))
        return;
    const double cosine = !formula->placed ? cosine_of_last(&words[0], &words[1], COSINE_LAST)
                          : formula->layer < cosine_levels(&words[0], &words[1])
                              ? cosine_at(&words[0], &words[1], formula->layer)
                              : NAN;
    if (isnan(cosine))
        formula_say_unknown(value, "there are no vectors after %zu layers", formula->layer);
    else
        formula_say_share(value, cosine);
}
