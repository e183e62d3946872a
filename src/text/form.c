#include "headlight/text/form.h"

#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* A code point on its way to the form. */
struct letter {
    int32_t code;
    int class;    /* canonical combining class */
    int change;   /* how many more letters there are now than source points, counted here */
    size_t order; /* its place in the decomposition */
};

struct letters {
    struct letter *items;
    size_t count;
};

static bool decomposes_compatibly(enum form form)
{
    return form == FORM_NFKD || form == FORM_NFKC;
}

static bool composes(enum form form)
{
    return form == FORM_NFC || form == FORM_NFKC;
}

/* Below U+0300 a composed text stays what it is; what is ASCII always does. */
static bool is_in_form(enum form form, const struct points *points)
{
    int32_t least = form == FORM_NFC ? 0x300 : 0x80;
    for (size_t i = 0; i < points->count; i++)
        if (points->items[i].code >= least)
            return false;
    return true;
}

/* Room for the decomposition of every point, and what it is. */
static enum status decompose(enum form form, const struct points *points, struct letters *letters,
                             struct error *error)
{
    int32_t parts[UNICODE_COMPATIBLE];
    size_t count = 0, bytes;
    for (size_t i = 0; i < points->count; i++)
        count += unicode_decompose_to(points->items[i].code, decomposes_compatibly(form), parts);
    bool fits = size_multiply(count, sizeof *letters->items, &bytes);
    letters->items = fits ? malloc(bytes + 1) : NULL;
    if (!letters->items)
        return error_memory(error, "a normalised text", fits ? bytes : SIZE_MAX);
    for (size_t i = 0; i < points->count; i++) {
        size_t made =
            unicode_decompose_to(points->items[i].code, decomposes_compatibly(form), parts);
        for (size_t k = 0; k < made; k++, letters->count++)
            letters->items[letters->count] =
                (struct letter){parts[k], unicode_combining_class(parts[k]), k > 0, letters->count};
    }
    return STATUS_OK;
}

static int by_class(const void *a, const void *b)
{
    const struct letter *left = a, *right = b;
    if (left->class != right->class)
        return left->class < right->class ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

/* Sorts each run of marks by class; marks of one class stay in their order. */
static void reorder(struct letters *letters)
{
    for (size_t i = 0, end; i < letters->count; i = end) {
        bool sorted = true;
        for (end = i + 1;
             end < letters->count && letters->items[i].class != 0 && letters->items[end].class != 0;
             end++)
            sorted &= letters->items[end - 1].class <= letters->items[end].class;
        if (!sorted)
            qsort(letters->items + i, end - i, sizeof *letters->items, by_class);
    }
}

/* Puts each letter that can be into the starter before it, if nothing of its class or a higher one
 * stands between (D117 of the standard). */
static void compose(struct letters *letters)
{
    struct letter *items = letters->items, *starter = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < letters->count; i++) {
        struct letter letter = items[i];
        bool next = starter == items + kept - 1;
        bool reaches = starter && (next || items[kept - 1].class < letter.class);
        int32_t both = reaches ? unicode_compose(starter->code, letter.code) : 0;
        if (both != 0) {
            starter->code = both;
            starter->change += letter.change - 1;
            continue;
        }
        items[kept++] = letter;
        if (letter.class == 0)
            starter = items + kept - 1;
    }
    letters->count = kept;
}

/* A letter takes the source of the next point, those that it swallowed behind it; one too many
 * shares that of the letter before. */
static enum status take(const struct letters *letters, struct points *points, struct error *error)
{
    struct points made = {0};
    size_t at = 0;
    for (size_t i = 0; i < letters->count; i++) {
        const struct letter *letter = &letters->items[i];
        bool more = letter->change > 0 && at > 0;
        struct span span = points->items[more ? at - 1 : at].span;
        if (points_add(&made, (struct point){letter->code, span}, error) != STATUS_OK) {
            points_free(&made);
            return error->status;
        }
        at += (size_t)(1 - letter->change);
    }
    points_free(points);
    *points = made;
    return STATUS_OK;
}

enum status form_apply(enum form form, struct points *points, struct error *error)
{
    struct letters letters = {0};
    if (is_in_form(form, points))
        return STATUS_OK;
    enum status status = decompose(form, points, &letters, error);
    if (status == STATUS_OK) {
        reorder(&letters);
        if (composes(form))
            compose(&letters);
        status = take(&letters, points, error);
    }
    free(letters.items);
    return status;
}
