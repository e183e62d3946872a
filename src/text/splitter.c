#include "headlight/text/splitter.h"

#include "headlight/text/bpe.h"
#include "headlight/text/unicode.h"

/* ---- Rewriting ---- */

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
    for (size_t i = 0; i < word->count; i++) {
        struct point point = word->items[i];
        if (point.code == ' ')
            point.code = mark;
        if (points_add(out, point, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ---- Splitting ---- */

enum class { CLASS_GAP, CLASS_WORD, CLASS_OTHER, CLASS_ALONE };

static enum class class_of(enum splitter_kind kind, int32_t code) {
    if (unicode_is_white_space(code)) return CLASS_GAP;
    if (kind == SPLITTER_BERT) return unicode_is_punctuation(code) ? CLASS_ALONE : CLASS_WORD;
    if (kind == SPLITTER_WORDS) return unicode_is_of_word(code) ? CLASS_WORD : CLASS_OTHER;
    return CLASS_WORD;
}

/* A run of one class. */
static size_t run_length(enum splitter_kind kind, const struct points *points, size_t first,
                         bool *gap)
{
    enum class class = class_of(kind, points->items[first].code);
    size_t end = first + 1;
    *gap = class == CLASS_GAP;
    while (class != CLASS_ALONE && end < points->count &&
           class_of(kind, points->items[end].code) == class)
        end++;
    return end - first;
}

size_t splitter_length(const struct splitter *splitter, const struct points *points, size_t first,
                       bool *gap)
{
    size_t end = first + 1;
    *gap = false;
    if (splitter->whole)
        return points->count - first;
    if (splitter->kind == SPLITTER_BYTES)
        return bpe_word_length(points, first);
    if (splitter->kind != SPLITTER_METASPACE)
        return run_length(splitter->kind, points, first, gap);
    while (end < points->count && points->items[end].code != splitter->mark)
        end++;
    return end - first;
}
