/* splitter.c: a normalised text to words. A splitter only says where the next word ends; the loop
 * over splitters and words is tokenizer.c's. */
#include "headlight/text/pipeline.h"
#include "headlight/text/unicode.h"

#include <string.h>

/* ---- Rewriting ---------------------------------------------------------------------------- */

bool splitter_rewrites(const struct splitter *splitter)
{
    return splitter->kind == SPLITTER_METASPACE ||
           (splitter->kind == SPLITTER_BYTES && splitter->prefix != PREFIX_NEVER);
}

static bool wants_prefix(const struct splitter *splitter, const struct points *word, int32_t mark)
{
    int32_t first = word->items[0].code;
    bool there = first == mark || (splitter->kind == SPLITTER_METASPACE && first == ' ');
    return !there && (splitter->prefix == PREFIX_ALWAYS ||
                      (splitter->prefix == PREFIX_FIRST && word->items[0].span.start == 0));
}

enum status splitter_rewrite(const struct splitter *splitter, const struct points *word,
                             struct points *out, struct error *error)
{
    int32_t mark = splitter->kind == SPLITTER_METASPACE ? splitter->mark : ' ';
    out->count = 0;
    if (word->count > 0 && wants_prefix(splitter, word, mark) &&
        points_add(out, (struct point){mark, word->items[0].span}, error) != STATUS_OK)
        return error->status;
    size_t first = out->count;
    if (points_append(out, word->items, word->count, error) != STATUS_OK)
        return error->status;
    for (size_t i = first; i < out->count; i++)
        if (out->items[i].code == ' ')
            out->items[i].code = mark;
    return STATUS_OK;
}

/* ---- Runs of one class -------------------------------------------------------------------- */

enum run_class {
    CLASS_GAP,
    CLASS_WORD,
    CLASS_OTHER,
    CLASS_ALONE, /* a word by itself */
    CLASS_NUMBER,
};

static enum run_class class_of(enum splitter_kind kind, int32_t code)
{
    if (unicode_is_white_space(code))
        return CLASS_GAP;
    switch (kind) {
    case SPLITTER_BERT:
        return unicode_is_punctuation(code) ? CLASS_ALONE : CLASS_WORD;
    case SPLITTER_WORDS:
        return unicode_is_of_word(code) ? CLASS_WORD : CLASS_OTHER;
    case SPLITTER_BYTES:
        return unicode_is_letter(code)   ? CLASS_WORD
               : unicode_is_number(code) ? CLASS_NUMBER
                                         : CLASS_OTHER;
    default:
        return CLASS_WORD;
    }
}

static size_t run_length(enum splitter_kind kind, const struct points *points, size_t first)
{
    enum run_class class = class_of(kind, points->items[first].code);
    size_t end = first + 1;
    while (class != CLASS_ALONE && end < points->count &&
           class_of(kind, points->items[end].code) == class)
        end++;
    return end - first;
}

/* ---- The words of byte-level BPE ---------------------------------------------------------- */

/* The length of "'s", "'t", "'re" … at `first`, or 0. */
static size_t contraction_length(const struct points *points, size_t first)
{
    static const char *const endings[] = {"s", "t", "re", "ve", "m", "ll", "d"};
    const struct point *at = points->items + first + 1;
    size_t left = points->count - first - 1;
    if (points->items[first].code != '\'')
        return 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);
        if (left >= length && at[0].code == endings[i][0] &&
            (length == 1 || at[1].code == endings[i][1]))
            return length + 1;
    }
    return 0;
}

size_t splitter_byte_word(const struct points *points, size_t first)
{
    size_t length = contraction_length(points, first);
    if (length > 0)
        return length;
    length = run_length(SPLITTER_BYTES, points, first);
    if (!unicode_is_white_space(points->items[first].code) || first + length == points->count)
        return length;
    /* The last space of a run belongs to the word behind it: it is left over, and then taken along
     * if it is U+0020. */
    if (length > 1)
        return length - 1;
    return points->items[first].code == ' ' ? 1 + run_length(SPLITTER_BYTES, points, first + 1) : 1;
}

/* ---- All kinds ---------------------------------------------------------------------------- */

size_t splitter_length(const struct splitter *splitter, const struct points *points, size_t first,
                       bool *gap)
{
    size_t end = first + 1;
    *gap = false;
    if (splitter->whole)
        return points->count - first;
    if (splitter->kind == SPLITTER_BYTES)
        return splitter_byte_word(points, first);
    if (splitter->kind != SPLITTER_METASPACE) {
        *gap = unicode_is_white_space(points->items[first].code);
        return run_length(splitter->kind, points, first);
    }
    while (end < points->count && points->items[end].code != splitter->mark)
        end++;
    return end - first;
}
