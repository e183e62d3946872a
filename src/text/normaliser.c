/* normaliser.c: the steps that rewrite a text's code points before it is split. Every step works on
 * points that carry the bytes they came from, and says which bytes its results stand for: tokens
 * are marked in the text by them. */
#include "headlight/text/normaliser.h"

#include "headlight/base/size.h"
#include "headlight/text/pieces.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- Steps ---------------------------------------------------------------------------------- */

/* As SentencePiece's nmt_nfkc has it: normalizers/unicode.rs, do_nmt. */
static bool is_dropped_by_nmt(int32_t code)
{
    return (code >= 1 && code <= 8) || code == 0xB || (code >= 0xE && code <= 0x1F) ||
           code == 0x7F || code == 0x8F || code == 0x9F;
}

static bool is_blank_for_nmt(int32_t code)
{
    return code == 9 || code == 0xA || code == 0xC || code == 0xD || code == 0x1680 ||
           (code >= 0x200B && code <= 0x200F) || code == 0x2028 || code == 0x2029 ||
           code == 0x2581 || code == 0xFEFF || code == UNICODE_REPLACEMENT;
}

/* What looks at one point at a time. The spaces put round an ideograph have empty spans on either
 * side of it; the bytes of a non-spacing mark go to the letter before, if they follow it directly.
 */
static void rewrite_each(const struct normal_step *step, const struct points *points,
                         struct points *out)
{
    for (size_t i = 0; i < points->count; i++) {
        struct point point = points->items[i], *before = NULL;
        const struct span span = point.span;
        int32_t lowered[UNICODE_LOWERED];
        size_t count;
        switch (step->kind) {
        case STEP_CLEAN:
            point.code = unicode_is_space(point.code) ? ' ' : point.code;
            if (!unicode_is_dropped(point.code))
                points_add(out, point);
            break;
        case STEP_IDEOGRAPHS:
            if (!unicode_is_ideograph(point.code)) {
                points_add(out, point);
                break;
            }
            points_add(out, (struct point){' ', {span.start, span.start}});
            points_add(out, point);
            points_add(out, (struct point){' ', {span.end, span.end}});
            break;
        case STEP_ACCENTS:
            before = out->count > 0 ? &out->items[out->count - 1] : NULL;
            if (!unicode_is_accent(point.code))
                points_add(out, point);
            else if (before && before->span.end == span.start)
                before->span.end = span.end;
            break;
        case STEP_STRIP_ACCENTS:
            if (!unicode_is_mark(point.code))
                points_add(out, point);
            break;
        case STEP_NMT:
            point.code = is_blank_for_nmt(point.code) ? ' ' : point.code;
            if (!is_dropped_by_nmt(point.code))
                points_add(out, point);
            break;
        default: /* STEP_LOWER_CASE */
            count = unicode_lower(point.code, lowered);
            for (size_t k = 0; k < count; k++)
                points_add(out, (struct point){lowered[k], span});
        }
    }
}

static bool is_stripped(const struct normal_step *step, int32_t code)
{
    return step->what.count > 0 ? code == step->what.items[0].code : unicode_is_white_space(code);
}

static void strip(const struct normal_step *step, const struct points *points, struct points *out)
{
    size_t first = 0, end = points->count;
    while (step->left && first < end && is_stripped(step, points->items[first].code))
        first++;
    while (step->right && end > first && is_stripped(step, points->items[end - 1].code))
        end--;
    if (first < end) /* without any there may be no items, and nothing to add a number to */
        points_append(out, points->items + first, end - first);
}

/* How many points from `at` on are to be replaced; 0: none. */
static size_t match_length(const struct normal_step *step, const struct points *points, size_t at)
{
    size_t length = 0, left = points->count - at;
    if (step->kind == STEP_SPACES) {
        while (length < left && points->items[at + length].code == ' ')
            length++;
        return length > 1 ? length : 0;
    }
    while (length < step->what.count && length < left &&
           points->items[at + length].code == step->what.items[length].code)
        length++;
    return length == step->what.count ? length : 0;
}

/* What is put in comes from the last point that it replaces, as the reference counts. */
static void replace_codes(const struct normal_step *step, const struct points *points,
                          struct points *out)
{
    for (size_t i = 0, length; i < points->count; i += length) {
        length = match_length(step, points, i);
        if (length > 0)
            points_put(out, &step->with, points->items[i + length - 1].span);
        else
            points_add(out, points->items[i + length++]);
    }
}

static void prepend(const struct normal_step *step, const struct points *points, struct points *out)
{
    if (points->count > 0)
        points_put(out, &step->with, points->items[0].span);
    points_append(out, points->items, points->count);
}

static void spell_bytes(const struct normal_step *step, const struct points *points,
                        struct points *out)
{
    (void)step;
    bpe_spell(points, out);
}

/* ---- Normalization forms ------------------------------------------------------------------ */

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

/* qsort is not stable, so the place in the decomposition decides between equal classes. */
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

/* Unicode Standard Annex 15: decompose, put marks in canonical order, and compose for NFC and
 * NFKC. A letter takes the source of the next point, those that it swallowed behind it; one too
 * many shares that of the letter before. */
static void bring_to_form(const struct normal_step *step, const struct points *points,
                          struct points *out)
{
    const enum normal_form form = step->form;
    /* below U+0300 a composed text stays what it is; what is ASCII always does */
    const int32_t least = form == FORM_NFC ? 0x300 : 0x80;
    size_t same = 0;
    while (same < points->count && points->items[same].code < least)
        same++;
    if (same == points->count) {
        points_append(out, points->items, points->count);
        return;
    }
    const bool compatible = form == FORM_NFKD || form == FORM_NFKC;
    struct letters letters = {NULL, 0};
    int32_t parts[UNICODE_COMPATIBLE];
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++)
        count += unicode_decompose(points->items[i].code, compatible, parts);
    if (!(letters.items = calloc(count, sizeof *letters.items)))
        out->lacking = (struct shortage){"a normalised text", count * sizeof *letters.items};
    for (size_t i = 0; letters.items && i < points->count; i++) {
        count = unicode_decompose(points->items[i].code, compatible, parts);
        for (size_t k = 0; k < count; k++, letters.count++)
            letters.items[letters.count] =
                (struct letter){parts[k], unicode_combining_class(parts[k]), k > 0, letters.count};
    }
    reorder(&letters);
    if (form == FORM_NFC || form == FORM_NFKC)
        compose(&letters);
    for (size_t i = 0, at = 0; i < letters.count; i++) {
        const struct letter *letter = &letters.items[i];
        const bool more = letter->change > 0 && at > 0;
        points_add(out, (struct point){letter->code, points->items[more ? at - 1 : at].span});
        at += (size_t)(1 - letter->change);
    }
    free(letters.items);
}

/* ---- All steps ---------------------------------------------------------------------------- */

/* Each step writes a new list: some make points more and some fewer, and a copy is cheap beside
 * the questions each character is asked. */
void normaliser_apply(const struct normaliser *normaliser, struct points *points, size_t most)
{
    static void (*const rewrite[])(const struct normal_step *, const struct points *,
                                   struct points *) = {
        [STEP_CLEAN] = rewrite_each,
        [STEP_IDEOGRAPHS] = rewrite_each,
        [STEP_ACCENTS] = rewrite_each,
        [STEP_STRIP_ACCENTS] = rewrite_each,
        [STEP_LOWER_CASE] = rewrite_each,
        [STEP_NMT] = rewrite_each,
        [STEP_BYTES] = spell_bytes,
        [STEP_FORM] = bring_to_form,
        [STEP_STRIP] = strip,
        [STEP_REPLACE] = replace_codes,
        [STEP_SPACES] = replace_codes,
        [STEP_PREPEND] = prepend,
        [STEP_CHARSMAP] = charsmap_apply,
    };
    most = size_max(most, 4 * points->count);
    for (size_t i = 0; i < normaliser->count; i++) {
        struct points out = {.most = most};
        rewrite[normaliser->items[i].kind](&normaliser->items[i], points, &out);
        points_take(points, &out);
    }
}

static void free_step(struct normal_step *step)
{
    points_free(&step->what);
    points_free(&step->with);
    free(step->charsmap);
}

enum status normaliser_add(struct normaliser *normaliser, struct normal_step step,
                           struct error *error)
{
    size_t bytes = (normaliser->count + 1) * sizeof step;
    struct normal_step *grown = realloc(normaliser->items, bytes);
    if (grown)
        normaliser->items = grown;
    else
        error_memory(error, "a tokenizer", bytes);
    if (!grown || shortage_check(step.what.lacking, error) != STATUS_OK ||
        shortage_check(step.with.lacking, error) != STATUS_OK) {
        free_step(&step);
        return error->status;
    }
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
