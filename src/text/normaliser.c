/* normaliser.c: the steps that rewrite a text's code points before it is split. Every step works on
 * points that carry the bytes they came from, and says which bytes its results stand for: tokens
 * are marked in the text by them. */
#include "headlight/text/normaliser.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/grapheme.h"
#include "headlight/text/pieces.h"
#include "headlight/text/unicode.h"

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
        bool kept = false;
        size_t count;
        switch (step->kind) {
        case STEP_CLEAN:
            point.code = unicode_is(point.code, UNICODE_SPACE) ? ' ' : point.code;
            kept = !unicode_is(point.code, UNICODE_DROPPED);
            break;
        case STEP_IDEOGRAPHS:
            kept = !unicode_is_ideograph(point.code);
            if (kept)
                break;
            points_add(out, (struct point){' ', {span.start, span.start}});
            points_add(out, point);
            points_add(out, (struct point){' ', {span.end, span.end}});
            break;
        case STEP_ACCENTS:
            before = out->count > 0 ? &out->items[out->count - 1] : NULL;
            kept = !unicode_is(point.code, UNICODE_ACCENT);
            if (!kept && before && before->span.end == span.start)
                before->span.end = span.end;
            break;
        case STEP_STRIP_ACCENTS:
            kept = !unicode_is(point.code, UNICODE_MARK);
            break;
        case STEP_NMT:
            point.code = is_blank_for_nmt(point.code) ? ' ' : point.code;
            kept = !is_dropped_by_nmt(point.code);
            break;
        case STEP_BYTES:
            bpe_spell(&(struct points){.items = &point, .count = 1}, out);
            break;
        default: /* STEP_LOWER_CASE */
            count = unicode_lower(point.code, lowered);
            for (size_t k = 0; k < count; k++)
                points_add(out, (struct point){lowered[k], span});
        }
        if (kept)
            points_add(out, point);
    }
}

static bool is_stripped(const struct normal_step *step, int32_t code)
{
    return step->what.count > 0 ? code == step->what.items[0].code
                                : unicode_is(code, UNICODE_WHITE_SPACE);
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

/* ---- Normalization forms ------------------------------------------------------------------ */

/* A code point on its way to the form. */
struct letter {
    int32_t code;
    int class;    /* canonical combining class */
    int change;   /* how many more letters there are now than source points, counted here */
    size_t order; /* its place in the decomposition */
};

/* qsort is not stable, so the place in the decomposition decides between equal classes. */
static int by_class(const void *a, const void *b)
{
    const struct letter *left = a, *right = b;
    if (left->class != right->class)
        return left->class < right->class ? -1 : 1;
    return left->order < right->order ? -1 : 1;
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
    int32_t parts[UNICODE_COMPATIBLE];
    size_t most = 0, count = 0, kept = 0;
    for (size_t i = 0; i < points->count; i++)
        most += unicode_decompose(points->items[i].code, compatible, parts);
    struct letter *letters = memory_new(most, sizeof *letters, 0, "a normalised text", out->error),
                  *starter = NULL;
    if (!letters)
        return;
    for (size_t i = 0; i < points->count; i++) {
        const size_t length = unicode_decompose(points->items[i].code, compatible, parts);
        for (size_t k = 0; k < length; k++, count++)
            letters[count] =
                (struct letter){parts[k], unicode_combining_class(parts[k]), k > 0, count};
    }
    /* each run of marks by class; those of one class stay in their order */
    for (size_t i = 0, end; i < count; i = end) {
        bool sorted = true;
        for (end = i + 1; end < count && letters[i].class != 0 && letters[end].class != 0; end++)
            sorted &= letters[end - 1].class <= letters[end].class;
        if (!sorted)
            qsort(letters + i, end - i, sizeof *letters, by_class);
    }
    /* each letter that can be goes into the starter before it, if nothing of its class or a higher
     * one stands between (D117 of the standard) */
    for (size_t i = 0; i < count; i++) {
        const struct letter letter = letters[i];
        const bool next = starter == letters + kept - 1;
        const bool reaches = (form == FORM_NFC || form == FORM_NFKC) && starter &&
                             (next || letters[kept - 1].class < letter.class);
        const int32_t both = reaches ? unicode_compose(starter->code, letter.code) : 0;
        if (both != 0) {
            starter->code = both;
            starter->change += letter.change - 1;
            continue;
        }
        letters[kept++] = letter;
        if (letter.class == 0)
            starter = letters + kept - 1;
    }
    for (size_t i = 0, at = 0; i < kept; i++) {
        const struct letter *letter = &letters[i];
        const bool more = letter->change > 0 && at > 0;
        points_add(out, (struct point){letter->code, points->items[more ? at - 1 : at].span});
        at += (size_t)(1 - letter->change);
    }
    free(letters);
}

/* ---- A map of characters ------------------------------------------------------------------ */

/* The double-array trie of a SentencePiece model that says which characters become which. The array
 * comes from a file and is walked as it lies: each step checks that it stays inside. */

/* A grapheme with fewer bytes is looked up whole. */
#define GRAPHEME_LIMIT 6

/* No more code points are looked at for a longer key: SentencePiece's own have up to 3, and an
 * array can lead in circles. */
#define KEY_MAX 32

struct charsmap {
    const unsigned char *array;
    size_t units;     /* of the array, 4 bytes each; at least 1 */
    const char *text; /* the replacements */
    size_t length;
    unsigned char bytes[];
};

/* ---- The array ---- */

/* Little-endian, and possibly unaligned: the array lies where the model file has it. */
static uint32_t read_unit(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* The unit at a place, or one that is no character's where there is no such place. */
static uint32_t unit_at(const struct charsmap *charsmap, size_t at)
{
    return at < charsmap->units ? read_unit(charsmap->array + 4 * at) : UINT32_MAX;
}

/* The offset of a unit to its children (darts-clone): 22 bits, in steps of 256 if bit 9 is set. */
static size_t offset_of(uint32_t unit)
{
    return (size_t)(unit >> 10) << ((unit & 0x200) >> 6);
}

/* Replacements are NUL-terminated, except perhaps the last of a broken file. */
static struct text replacement_at(const struct charsmap *charsmap, size_t at)
{
    if (at >= charsmap->length)
        return (struct text){NULL, 0};
    const char *start = charsmap->text + at;
    const char *end = memchr(start, '\0', charsmap->length - at);
    return (struct text){start, end ? (size_t)(end - start) : charsmap->length - at};
}

/* How many points the shortest key has that they begin with, or the longest; 0: no key does. What
 * it stands for is in *found then. */
static size_t charsmap_find(const struct charsmap *charsmap, const struct points *points,
                            bool longest, struct text *found)
{
    size_t at = offset_of(unit_at(charsmap, 0)), taken = 0;
    for (size_t i = 0; i < size_min(points->count, KEY_MAX) && (longest || taken == 0); i++) {
        char bytes[UNICODE_BYTES];
        const size_t length = unicode_encode(points->items[i].code, bytes);
        uint32_t unit = 0;
        for (size_t k = 0; k < length; k++) {
            const unsigned char byte = (unsigned char)bytes[k];
            at ^= byte;
            unit = unit_at(charsmap, at);
            if (byte == '\0' || (unit & 0x800000FF) != byte)
                return taken;
            at ^= offset_of(unit);
        }
        if (unit & 0x100 && at < charsmap->units) {
            *found = replacement_at(charsmap, unit_at(charsmap, at) & 0x7FFFFFFF);
            taken = found->bytes ? i + 1 : taken;
        }
    }
    return taken;
}

/* ---- Reading ---- */

/* Replacements are checked once here, so that replacing needs no checks and none can blow up a
 * text.
 */
enum status charsmap_new(const char *bytes, size_t length, const char *name,
                         struct charsmap **charsmap, struct error *error)
{
    *charsmap = NULL;
    const size_t array = length >= 8 ? read_unit((const unsigned char *)bytes) : 0;
    if (array < 4 || array % 4 != 0 || array > length - 4)
        return error_set(
            error, STATUS_FORMAT,
            "%s: expected a map of characters to begin with the bytes of its array, some "
            "multiple of 4, found %zu in a map of %zu bytes",
            name, array, length);
    struct charsmap *made = memory_new(1, sizeof *made, length, name, error);
    if (!made)
        return error->status;
    memcpy(made->bytes, bytes, length);
    made->array = made->bytes + 4;
    made->units = array / 4;
    made->text = (const char *)made->array + array;
    made->length = length - 4 - array;
    enum status status = STATUS_OK;
    for (size_t at = 0; status == STATUS_OK && at < made->length;) {
        const struct text text = replacement_at(made, at);
        if (text.length > NORMALISER_STRING_MAX)
            status = error_set(error, STATUS_FORMAT,
                               "%s: expected replacements of at most %d bytes in the map of "
                               "characters, found one of %zu",
                               name, NORMALISER_STRING_MAX, text.length);
        else if (!unicode_valid(text.bytes, text.length))
            status = error_set(error, STATUS_FORMAT,
                               "%s: expected replacements in the map of characters that are UTF-8, "
                               "found other bytes from its byte %zu on",
                               name, (size_t)(text.bytes - (const char *)made->bytes));
        at += text.length + 1;
    }
    if (status == STATUS_OK)
        *charsmap = made;
    else
        free(made);
    return status;
}

/* ---- Applying ---- */

/* Replaces what the points begin with, of those of a grapheme all: by how many points, or 0 where
 * no key is, or they are long. */
static size_t replace(const struct charsmap *charsmap, const struct points *points, bool longest,
                      struct points *out)
{
    struct text text = {NULL, 0};
    if (!longest && points_bytes(points) >= GRAPHEME_LIMIT)
        return 0;
    const size_t found = charsmap_find(charsmap, points, longest, &text);
    const size_t count = longest ? found : points->count;
    for (size_t i = 0; found > 0 && i < text.length;) {
        struct point point = {.span = points_span(points->items, count)};
        i += unicode_next(text.bytes + i, text.length - i, &point.code);
        points_add(out, point);
    }
    return found > 0 ? count : 0;
}

void charsmap_apply(const struct normal_step *step, const struct points *points, struct points *out)
{
    for (size_t at = 0, taken, count; at < points->count; at += taken) {
        struct points part = {.items = points->items + at, .count = points->count - at};
        int32_t state = 0;
        for (count = 1; !step->longest && count < part.count; count++)
            if (grapheme_breaks(part.items[count - 1].code, part.items[count].code, &state))
                break;
        part.count = step->longest ? part.count : count;
        const size_t replaced = replace(step->charsmap, &part, step->longest, out);
        taken = replaced > 0 ? replaced : count;
        for (size_t i = 0; replaced == 0 && i < count; i++) {
            const struct points one = {.items = part.items + i, .count = 1};
            if (step->longest || replace(step->charsmap, &one, false, out) == 0)
                points_add(out, one.items[0]);
        }
    }
}

/* ---- All steps ---------------------------------------------------------------------------- */

/* Each step writes a new list: some make points more and some fewer, and a copy is cheap beside
 * the questions each character is asked. */
void normaliser_apply(const struct normaliser *normaliser, struct points *points, size_t most)
{
    static void (*const rewrite[])(const struct normal_step *, const struct points *,
                                   struct points *) = {
        [STEP_FORM] = bring_to_form,   [STEP_STRIP] = strip,     [STEP_REPLACE] = replace_codes,
        [STEP_SPACES] = replace_codes, [STEP_PREPEND] = prepend, [STEP_CHARSMAP] = charsmap_apply,
    };
    most = size_max(most, 4 * points->count);
    for (size_t i = 0; i < normaliser->count; i++) {
        const struct normal_step *step = &normaliser->items[i];
        struct points out = {.most = most, .error = points->error};
        (rewrite[step->kind] ? rewrite[step->kind] : rewrite_each)(step, points, &out);
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
