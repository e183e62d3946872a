/* unigram.c: the likeliest pieces of a word (Viterbi). The pieces are sorted by their bytes, and
 * the search narrows a range of them byte by byte: a trie without one being built. */
#include "headlight/text/pieces.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN_PENALTY 10.0

struct entry {
    const char *bytes; /* the vocabulary's */
    size_t length;
    double score;
    int32_t id;
};

/* The pieces in the order of their bytes, a prefix before what it begins; of equal ones only the
 * one that the vocabulary finds. Those that begin with the byte b are firsts[b] … firsts[b + 1]-1.
 */
struct unigram {
    int32_t unknown;
    double unknown_score;
    size_t firsts[257];
    size_t count;
    struct entry entries[];
};

/* ---- The pieces ---- */

static int by_bytes(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    int order = memcmp(left->bytes, right->bytes, size_min(left->length, right->length));
    if (order != 0)
        return order;
    return (left->length > right->length) - (left->length < right->length);
}

/* Copies the pieces that can be found. */
static void add_entries(struct unigram *unigram, const struct vocabulary *vocabulary,
                        const double *scores)
{
    size_t size = vocabulary_size(vocabulary);
    unigram->count = 0;
    for (size_t id = 0; id < size; id++) {
        struct entry entry = {.score = scores[id], .id = (int32_t)id};
        entry.bytes = vocabulary_piece(vocabulary, entry.id, &entry.length);
        if (entry.length > 0 && vocabulary_find(vocabulary, entry.bytes, entry.length) == entry.id)
            unigram->entries[unigram->count++] = entry;
    }
    qsort(unigram->entries, unigram->count, sizeof *unigram->entries, by_bytes);
    for (size_t byte = 0, i = 0; byte <= 256; byte++) {
        while (i < unigram->count && (unsigned char)unigram->entries[i].bytes[0] < byte)
            i++;
        unigram->firsts[byte] = i;
    }
}

enum status unigram_new(const struct vocabulary *vocabulary, const double *scores, int32_t unknown,
                        const char *name, struct unigram **unigram, struct error *error)
{
    size_t size = vocabulary_size(vocabulary);
    double least = scores[0];
    *unigram = NULL;
    if (unknown < 0 || (size_t)unknown >= size)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected the id of the unknown piece to be 0 to %zu, found %ld", name,
                         size - 1, (long)unknown);
    for (size_t id = 0; id < size; id++) {
        if (!isfinite(scores[id]))
            return error_set(error, STATUS_FORMAT,
                             "%s: expected a finite score for \"%.100s\", found another value",
                             name, vocabulary_piece(vocabulary, (int32_t)id, NULL));
        least = fmin(least, scores[id]);
    }
    *unigram = memory_new(size, sizeof(struct entry), sizeof **unigram,
                          "the scores of a vocabulary", error);
    if (!*unigram)
        return error->status;
    (*unigram)->unknown = unknown;
    (*unigram)->unknown_score = least - UNKNOWN_PENALTY;
    add_entries(*unigram, vocabulary, scores);
    return STATUS_OK;
}

/* ---- The best path ---- */

/* A byte of the text where a code point begins, or the text's end. */
struct node {
    double score; /* of the best path from the text's start to here */
    size_t start; /* its last piece's first byte */
    size_t next;  /* on the best path through the whole text: where the piece from here ends */
    int32_t id;   /* its last piece; -1 when no path has come here */
};

struct lattice {
    const struct unigram *unigram;
    size_t length;
    struct node *nodes; /* [length + 1] */
    char *bytes;        /* [length] */
};

/* Of equal paths the first stays. */
static void offer(struct lattice *lattice, size_t start, size_t end, double score, int32_t id)
{
    struct node *node = &lattice->nodes[end];
    score += lattice->nodes[start].score;
    if (node->id < 0 || score > node->score)
        *node = (struct node){.score = score, .start = start, .id = id};
}

/* The first entry from `low` to `high`, which agree in `depth` bytes, whose next byte is at least
 * that; one that has ended counts as less than all. */
static size_t lower_bound(const struct unigram *unigram, size_t low, size_t high, size_t depth,
                          int byte)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct entry *entry = &unigram->entries[middle];
        if (entry->length <= depth || (unsigned char)entry->bytes[depth] < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Offers the only piece that is left, if the text goes on as it does. Returns its length, or 0. */
static size_t offer_last(struct lattice *lattice, size_t start, const struct entry *entry)
{
    if (entry->length > lattice->length - start ||
        memcmp(entry->bytes, lattice->bytes + start, entry->length) != 0)
        return 0;
    offer(lattice, start, start + entry->length, entry->score, entry->id);
    return entry->length;
}

/* Offers every piece that begins at `start`. Returns the length of the shortest, or 0. */
static size_t offer_pieces(struct lattice *lattice, size_t start)
{
    const struct unigram *unigram = lattice->unigram;
    int byte = (unsigned char)lattice->bytes[start];
    size_t low = unigram->firsts[byte], high = unigram->firsts[byte + 1], shortest = 0;
    for (size_t depth = 1; high - low > 1; depth++) {
        const struct entry *entry = &unigram->entries[low];
        if (entry->length == depth) {
            offer(lattice, start, start + depth, entry->score, entry->id);
            shortest = shortest > 0 ? shortest : depth;
            low++;
        }
        if (start + depth == lattice->length)
            return shortest;
        byte = (unsigned char)lattice->bytes[start + depth];
        low = lower_bound(unigram, low, high, depth, byte);
        high = lower_bound(unigram, low, high, depth, byte + 1);
    }
    size_t last = low < high ? offer_last(lattice, start, &unigram->entries[low]) : 0;
    return shortest > 0 ? shortest : last;
}

/* Every code point leads to the next as a piece or as unknown, so that there is a path to every
 * node. The pieces are UTF-8: none is shorter than the code point that it begins with. */
static void find_paths(struct lattice *lattice)
{
    const struct unigram *unigram = lattice->unigram;
    for (size_t at = 0, length; at < lattice->length; at += length) {
        int32_t code;
        length = unicode_next(lattice->bytes + at, lattice->length - at, &code);
        if (offer_pieces(lattice, at) != length)
            offer(lattice, at, at + length, unigram->unknown_score, unigram->unknown);
    }
    for (size_t at = lattice->length; at > 0; at = lattice->nodes[at].start)
        lattice->nodes[lattice->nodes[at].start].next = at;
}

/* ---- Encoding ---- */

static void lattice_spell(struct lattice *lattice, const struct points *points)
{
    for (size_t i = 0; i < points->count; i++)
        lattice->length += unicode_encode(points->items[i].code, lattice->bytes + lattice->length);
    for (size_t i = 0; i <= lattice->length; i++)
        lattice->nodes[i] = (struct node){.id = -1};
}

/* The end of the token that begins at a node of the best path: of a piece, or of all unknown ones
 * in a row. */
static size_t token_end(const struct lattice *lattice, size_t start)
{
    const struct node *nodes = lattice->nodes;
    int32_t unknown = lattice->unigram->unknown;
    size_t end = nodes[start].next;
    if (nodes[end].id == unknown)
        while (end < lattice->length && nodes[nodes[end].next].id == unknown)
            end = nodes[end].next;
    return end;
}

static size_t count_codes(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
    return count;
}

static void add_tokens(const struct lattice *lattice, const struct point *points,
                       struct encoding_builder *builder)
{
    for (size_t at = 0, end; at < lattice->length; at = end) {
        end = token_end(lattice, at);
        size_t count = count_codes(lattice->bytes + at, end - at);
        encoding_add(builder, (struct token){.id = lattice->nodes[end].id,
                                             .span = points_span(points, count)});
        points += count;
    }
}

void unigram_encode(const struct unigram *unigram, const struct points *word,
                    struct encoding_builder *builder)
{
    /* One block for a node and a byte each, and the node of the end. */
    const size_t length = points_bytes(word), each = sizeof(struct node) + 1;
    struct lattice lattice = {.unigram = unigram, .nodes = calloc(length + 1, each)};
    if (!lattice.nodes) {
        builder->lacking = (struct shortage){"the paths through a text", (length + 1) * each};
        return;
    }
    lattice.bytes = (char *)(lattice.nodes + length + 1);
    lattice_spell(&lattice, word);
    find_paths(&lattice);
    add_tokens(&lattice, word->items, builder);
    free(lattice.nodes);
}
