/* bpe.c: BPE. A word becomes one symbol a code point; possible merges wait in a heap by rank, so
 * that a word of n bytes takes n·log n steps instead of a search through all pairs for each merge.
 * Symbols are a doubly linked list in an array: a merge extends the left one and unlinks
 * the right. */
#include "headlight/text/pieces.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

#include <stdio.h>

#define NONE       SIZE_MAX
#define CHARACTERS 0x144

/* Open addressing, at most half full. */
struct merge {
    int32_t left, right, made; /* ids */
    uint32_t number;           /* rank + 1; 0 in an empty slot */
};

struct bpe {
    const struct vocabulary *vocabulary;
    bool whole, fused;
    int32_t fallback[256];          /* the pieces of bytes, -1 unless wanted and there; */
    int32_t characters[CHARACTERS]; /* of the first code points, all byte characters among them */
    size_t suffix_length;
    char suffix[BPE_SUFFIX_MAX];
    size_t mask; /* number of slots - 1; a power of two - 1 */
    struct merge merges[];
};

/* ---- Byte characters ---- */

/* Whether a byte stands for itself. */
static bool is_visible(unsigned byte)
{
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

/* The others are 0 to 32, 127 to 160, and 173. */
int32_t bpe_character_of(unsigned char byte)
{
    if (is_visible(byte))
        return byte;
    return 0x100 + (byte <= 32 ? byte : byte <= 160 ? byte - 127 + 33 : 67);
}

/* The inverse of bpe_character_of, in the same three ranges. */
int bpe_byte_of(int32_t code)
{
    if (code >= 0 && code < 0x100)
        return is_visible((unsigned)code) ? code : -1;
    if (code < 0x100 || code > 0x143)
        return -1;
    int rest = code - 0x100;
    return rest <= 32 ? rest : rest < 67 ? rest - 33 + 127 : 173;
}

void bpe_spell(const struct points *points, struct points *out)
{
    for (size_t i = 0; i < points->count; i++) {
        char bytes[UNICODE_BYTES];
        const size_t length = unicode_encode(points->items[i].code, bytes);
        for (size_t k = 0; k < length; k++)
            points_add(out, (struct point){bpe_character_of((unsigned char)bytes[k]),
                                           points->items[i].span});
    }
}

int bpe_fallback_of(struct text piece)
{
    static const char digits[] = "0123456789ABCDEFabcdef";
    char code[7] = "";
    if (piece.length != sizeof code - 1)
        return -1;
    memcpy(code, piece.bytes, sizeof code - 1);
    const bool written =
        memcmp(code, "<0x", 3) == 0 && code[5] == '>' && strspn(code + 3, digits) == 2;
    return written ? (int)strtol(code + 3, NULL, 16) : -1;
}

/* ---- The merges ---- */

/* The slot that holds the pair, or the empty one where it belongs. */
static size_t merge_slot(const struct bpe *bpe, int32_t left, int32_t right)
{
    uint64_t key = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15U >> 32) & bpe->mask;
    while (bpe->merges[at].number != 0 &&
           (bpe->merges[at].left != left || bpe->merges[at].right != right))
        at = (at + 1) & bpe->mask;
    return at;
}

/* Adds the merges by their ranks. All three pieces of each have to be in the vocabulary; the buffer
 * for joined halves is allocated once, for the longest of all halves twice. */
static bool add_merges(struct bpe *bpe, const struct vocabulary *vocabulary,
                       const struct text *merges, size_t count, const char *name,
                       struct error *error)
{
    static const char *const roles[] = {"left half", "right half", "result"};
    size_t longest = 1;
    for (size_t i = 0; i < 2 * count; i++)
        longest = size_max(longest, merges[i].length);
    char *joined = memory_new(2, longest, 0, name, error);
    bool added = joined != NULL;
    for (size_t rank = 0; added && rank < count; rank++) {
        const struct text left = merges[2 * rank], right = merges[2 * rank + 1];
        const struct text parts[] = {left, right, {joined, left.length + right.length}};
        int32_t ids[3] = {0};
        memcpy(joined, left.bytes, left.length);
        memcpy(joined + left.length, right.bytes, right.length);
        for (size_t i = 0; added && i < 3; i++) {
            ids[i] = vocabulary_find(vocabulary, parts[i].bytes, parts[i].length);
            added = ids[i] >= 0;
            if (!added)
                error_set(error, STATUS_MISMATCH,
                          "%s: expected the %s of merge %zu, \"%.*s\", in the vocabulary, found no "
                          "such piece; the two may be of different models",
                          name, roles[i], rank + 1, (int)size_min(parts[i].length, 100),
                          parts[i].bytes);
        }
        if (added)
            bpe->merges[merge_slot(bpe, ids[0], ids[1])] =
                (struct merge){ids[0], ids[1], ids[2], (uint32_t)rank + 1};
    }
    free(joined);
    return added;
}

enum status bpe_new(const struct vocabulary *vocabulary, const struct text *merges, size_t count,
                    struct bpe_rules rules, const char *name, struct bpe **bpe, struct error *error)
{
    size_t slots = 4;
    *bpe = NULL;
    while (slots < 2 * count)
        slots *= 2;
    struct bpe *made =
        memory_new(slots, sizeof(struct merge), sizeof *made, "the merges of a vocabulary", error);
    if (!made)
        return error->status;
    made->mask = slots - 1;
    made->vocabulary = vocabulary;
    made->whole = rules.whole;
    made->fused = rules.fused;
    if (rules.suffix)
        memcpy(made->suffix, rules.suffix,
               made->suffix_length = size_min(strlen(rules.suffix), sizeof made->suffix));
    for (unsigned byte = 0; byte < 256; byte++) {
        char piece[8];
        snprintf(piece, sizeof piece, "<0x%02X>", byte);
        made->fallback[byte] = rules.fallback ? vocabulary_find(vocabulary, piece, 6) : -1;
    }
    for (int32_t code = 0; code < CHARACTERS; code++) {
        char character[UNICODE_BYTES];
        const size_t length = unicode_encode(code, character);
        made->characters[code] = vocabulary_find(vocabulary, character, length);
    }
    if (add_merges(made, vocabulary, merges, count, name, error)) {
        *bpe = made;
        return STATUS_OK;
    }
    free(made);
    return error->status;
}

/* ---- Encoding ---- */

/* A piece of the word so far. What has become part of the one before it has the id -1. */
struct symbol {
    int32_t id;
    struct span span;
    size_t before, after; /* its neighbours, or NONE */
};

/* A merge that was possible when it was noted: of the symbol `at` and the one after it. */
struct candidate {
    uint32_t number;
    size_t at;
};

/* The candidates are a heap: none comes before its parent, (i-1)/2. There are fewer than twice as
 * many as symbols: each symbol but the last brings one, and a merge takes one away and brings at
 * most two. */
struct word {
    const struct bpe *bpe;
    struct symbol *symbols;
    struct candidate *heap;
    size_t count, candidates;
};

/* The lower rank comes first; of equal ranks the leftmost pair, as in the reference. */
static bool ranks_before(struct candidate a, struct candidate b)
{
    return a.number < b.number || (a.number == b.number && a.at < b.at);
}

/* The last candidate takes the place of the first and sinks below all that rank before it. */
static struct candidate pop(struct word *word)
{
    struct candidate *heap = word->heap, first = heap[0], last = heap[--word->candidates];
    size_t i = 0, child;
    for (; (child = 2 * i + 1) < word->candidates; i = child) {
        if (child + 1 < word->candidates && ranks_before(heap[child + 1], heap[child]))
            child++;
        if (!ranks_before(heap[child], last))
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return first;
}

/* The merge of a symbol and the one after it; an empty slot if there is none. */
static const struct merge *merge_at(const struct word *word, size_t at)
{
    const struct symbol *left = &word->symbols[at], *right = &word->symbols[left->after];
    return &word->bpe->merges[merge_slot(word->bpe, left->id, right->id)];
}

/* Notes the merge of a symbol with the next, if the pair has one. The usual heap: a new candidate
 * rises until its parent ranks before it. */
static void consider(struct word *word, size_t at)
{
    if (at == NONE || word->symbols[at].after == NONE)
        return;
    const struct candidate candidate = {merge_at(word, at)->number, at};
    if (candidate.number == 0)
        return;
    size_t i = word->candidates++;
    for (; i > 0 && ranks_before(candidate, word->heap[(i - 1) / 2]); i = (i - 1) / 2)
        word->heap[i] = word->heap[(i - 1) / 2];
    word->heap[i] = candidate;
}

/* Both new neighbourhoods may allow further merges. */
static void join(struct word *word, size_t at, int32_t id)
{
    struct symbol *left = &word->symbols[at], *right = &word->symbols[left->after];
    left->id = id;
    left->span.start = size_min(left->span.start, right->span.start);
    left->span.end = size_max(left->span.end, right->span.end);
    left->after = right->after;
    right->id = -1;
    if (left->after != NONE)
        word->symbols[left->after].before = at;
    consider(word, left->before);
    consider(word, at);
}

static void add_symbol(struct word *word, int32_t id, struct span span)
{
    word->symbols[word->count] = (struct symbol){id, span, word->count - 1, word->count + 1};
    word->count++;
}

/* One symbol a code point, or a byte of one; what is unknown waits for more of its kind. As the
 * reference does it, to the letter: bytes pass an unknown one that waits. */
static void spell_symbols(struct word *word, int32_t unknown, const struct points *points)
{
    const struct bpe *bpe = word->bpe;
    struct symbol waiting = {.id = -1};
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        char bytes[UNICODE_BYTES + BPE_SUFFIX_MAX];
        size_t length = unicode_encode(point->code, bytes), there = 0;
        if (i + 1 == points->count) {
            memcpy(bytes + length, bpe->suffix, bpe->suffix_length);
            length += bpe->suffix_length;
        }
        const bool suffixed = i + 1 == points->count && bpe->suffix_length > 0;
        const int32_t id = !suffixed && point->code < CHARACTERS
                               ? bpe->characters[point->code]
                               : vocabulary_find(bpe->vocabulary, bytes, length);
        while (id < 0 && there < length && bpe->fallback[(unsigned char)bytes[there]] >= 0)
            there++;
        if (id < 0 && there == length) {
            for (size_t k = 0; k < length; k++)
                add_symbol(word, bpe->fallback[(unsigned char)bytes[k]], point->span);
        } else if (id < 0 && waiting.id >= 0 && bpe->fused) {
            waiting.span.end = size_max(waiting.span.end, point->span.end);
        } else if (id >= 0 || unknown >= 0) {
            if (waiting.id >= 0)
                add_symbol(word, waiting.id, waiting.span);
            waiting = (struct symbol){.id = id < 0 ? unknown : -1, .span = point->span};
            if (id >= 0)
                add_symbol(word, id, point->span);
        }
    }
    if (waiting.id >= 0)
        add_symbol(word, waiting.id, waiting.span);
    if (word->count > 0)
        word->symbols[word->count - 1].after = NONE;
}

void bpe_encode(const struct bpe *bpe, int32_t unknown, const struct points *points,
                struct encoding_builder *builder)
{
    const int32_t whole = bpe->whole ? word_find(bpe->vocabulary, points, builder->error) : -1;
    if (whole >= 0) {
        encoding_add(builder, (struct token){.id = whole,
                                             .span = points_span(points->items, points->count)});
        return;
    }
    /* One block for a symbol a byte and twice as many candidates. */
    const size_t bytes = points_bytes(points) + bpe->suffix_length;
    const size_t each = sizeof(struct symbol) + 2 * sizeof(struct candidate);
    struct word word = {.bpe = bpe};
    word.symbols = memory_new(bytes + 1, each, 0, "the pieces of a word", builder->error);
    if (!word.symbols)
        return;
    word.heap = (struct candidate *)(void *)(word.symbols + bytes);
    spell_symbols(&word, unknown, points);
    for (size_t i = 0; i < word.count; i++)
        consider(&word, i);
    /* a candidate whose symbols have changed since is passed over: one of the same number can't
     * have come about at its place, because symbols only grow */
    while (word.candidates > 0) {
        const struct candidate best = pop(&word);
        if (word.symbols[best.at].id < 0 || word.symbols[best.at].after == NONE)
            continue;
        const struct merge *merge = merge_at(&word, best.at);
        if (merge->number == best.number)
            join(&word, best.at, merge->made);
    }
    for (size_t i = word.count > 0 ? 0 : NONE; i != NONE; i = word.symbols[i].after)
        encoding_add(builder,
                     (struct token){.id = word.symbols[i].id, .span = word.symbols[i].span});
    free(word.symbols);
}
