#include "headlight/text/normaliser.h"

#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- Steps that only drop ---- */

static void strip_accents(struct points *points)
{
    size_t kept = 0;
    for (size_t i = 0; i < points->count; i++)
        if (!unicode_is_mark(points->items[i].code))
            points->items[kept++] = points->items[i];
    points->count = kept;
}

static void strip(const struct normal_step *step, struct points *points)
{
    size_t first = 0, end = points->count;
    while (step->left && first < end && unicode_is_white_space(points->items[first].code))
        first++;
    while (step->right && end > first && unicode_is_white_space(points->items[end - 1].code))
        end--;
    if (first > 0)
        memmove(points->items, points->items + first, (end - first) * sizeof *points->items);
    points->count = end - first;
}

/* ---- Steps that write anew ---- */

static enum status add_lowered(const struct point *point, struct points *out, struct error *error)
{
    int32_t lowered[UNICODE_LOWERED];
    size_t count = unicode_lower(point->code, lowered);
    for (size_t i = 0; i < count; i++)
        if (points_add(out, (struct point){lowered[i], point->span}, error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

static enum status lower_case(const struct points *points, struct points *out, struct error *error)
{
    for (size_t i = 0; i < points->count; i++)
        if (add_lowered(&points->items[i], out, error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* How many points from `at` on are to be replaced; 0: none. */
static size_t matched(const struct normal_step *step, const struct points *points, size_t at)
{
    size_t length = 0, left = points->count - at;
    if (step->kind == STEP_SPACES) {
        while (length < left && points->items[at + length].code == ' ')
            length++;
        return length > 1 ? length : 0;
    }
    while (length < step->what.count && length < left &&
           points->items[at + length].code == step->what.items[length])
        length++;
    return length == step->what.count ? length : 0;
}

static enum status add_codes(const struct codes *codes, struct span span, struct points *out,
                             struct error *error)
{
    for (size_t i = 0; i < codes->count; i++)
        if (points_add(out, (struct point){codes->items[i], span}, error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* What is put in comes from the last point that it replaces, as the reference counts. */
static enum status replace(const struct normal_step *step, const struct points *points,
                           struct points *out, struct error *error)
{
    for (size_t i = 0, length; i < points->count; i += length) {
        enum status status;
        length = matched(step, points, i);
        if (length > 0)
            status = add_codes(&step->with, points->items[i + length - 1].span, out, error);
        else
            status = points_add(out, points->items[i], error);
        if (status != STATUS_OK)
            return status;
        length += length == 0;
    }
    return STATUS_OK;
}

static enum status prepend(const struct normal_step *step, const struct points *points,
                           struct points *out, struct error *error)
{
    if (points->count > 0 && add_codes(&step->with, points->items[0].span, out, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < points->count; i++)
        if (points_add(out, points->items[i], error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

static enum status rewrite(const struct normal_step *step, const struct points *points,
                           struct points *out, struct error *error)
{
    switch (step->kind) {
    case STEP_BERT:
        return normalise_points(points, &step->rules, out, error);
    case STEP_LOWER_CASE:
        return lower_case(points, out, error);
    case STEP_PREPEND:
        return prepend(step, points, out, error);
    default:
        return replace(step, points, out, error);
    }
}

/* ---- All steps ---- */

static enum status apply(const struct normal_step *step, struct points *points, struct error *error)
{
    struct points out = {0};
    switch (step->kind) {
    case STEP_STRIP_ACCENTS:
        strip_accents(points);
        return STATUS_OK;
    case STEP_STRIP:
        strip(step, points);
        return STATUS_OK;
    case STEP_FORM:
        return form_apply(step->form, points, error);
    case STEP_CHARSMAP:
        return charsmap_apply(step->charsmap, points, error);
    default:
        break;
    }
    enum status status = rewrite(step, points, &out, error);
    points_free(status == STATUS_OK ? points : &out);
    if (status == STATUS_OK)
        *points = out;
    return status;
}

enum status normaliser_apply(const struct normaliser *normaliser, struct points *points,
                             struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < normaliser->count && status == STATUS_OK; i++)
        status = apply(&normaliser->items[i], points, error);
    return status;
}

enum status codes_of(const char *text, struct codes *codes, struct error *error)
{
    size_t length = strlen(text);
    *codes = (struct codes){malloc((length + 1) * sizeof *codes->items), 0};
    if (!codes->items)
        return error_memory(error, "a tokenizer", length * sizeof *codes->items);
    for (size_t at = 0; at < length;)
        at += unicode_next(text + at, length - at, &codes->items[codes->count++]);
    return STATUS_OK;
}

static void free_step(struct normal_step *step)
{
    free(step->what.items);
    free(step->with.items);
    free(step->charsmap);
}

enum status normaliser_add(struct normaliser *normaliser, struct normal_step step,
                           struct error *error)
{
    size_t bytes = (normaliser->count + 1) * sizeof step;
    struct normal_step *grown = realloc(normaliser->items, bytes);
    if (!grown) {
        free_step(&step);
        return error_memory(error, "a tokenizer", bytes);
    }
    normaliser->items = grown;
    normaliser->items[normaliser->count++] = step;
    return STATUS_OK;
}

void normaliser_free(struct normaliser *normaliser)
{
    for (size_t i = 0; i < normaliser->count; i++)
        free_step(&normaliser->items[i]);
    free(normaliser->items);
    *normaliser = (struct normaliser){0};
}
