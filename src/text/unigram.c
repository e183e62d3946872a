/* unigram.c: the likeliest pieces of a word (Viterbi). At each place the pieces that begin there
 * are looked up byte by byte, as WordPiece looks for the longest. */
#include "headlight/text/pieces.h"

#include "headlight/base/memory.h"
#include "headlight/text/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN_PENALTY 10.0

/* The longest piece, in bytes. SentencePiece makes none above 16 characters unless it is told to;
 * with one as long as a text, the time would grow with the square of the text's length. */
#define PIECE_MAX 1024

struct unigram {
    const struct vocabulary *vocabulary;
    int32_t unknown;
    double unknown_score;
    double scores[]; /* [V] */
};

/* The penalty is SentencePiece's: an unknown character costs 10 more than the least likely piece.
 */
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
        size_t length;
        if (vocabulary_piece(vocabulary, (int32_t)id, &length) && length > PIECE_MAX)
            return error_set(error, STATUS_LIMIT,
                             "%s: expected pieces of at most %d bytes, found %zu in piece %zu",
                             name, PIECE_MAX, length, id);
        least = fmin(least, scores[id]);
    }
    *unigram =
        memory_new(size, sizeof *scores, sizeof **unigram, "the scores of a vocabulary", error);
    if (!*unigram)
        return error->status;
    **unigram = (struct unigram){vocabulary, unknown, least - UNKNOWN_PENALTY};
    memcpy((*unigram)->scores, scores, size * sizeof *scores);
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
    const struct vocabulary *names;
    int32_t unknown; /* among them */
    size_t length;
    struct node *nodes; /* [length + 1] */
    char *bytes;        /* [length] */
};

/* Of equal paths the first stays. */
static void offer(struct lattice *lattice, size_t start, size_t end, double score, int32_t id)
{
    struct node *node = &lattice->nodes[end];
    score += lattice->nodes[start].score;
    score = lattice->names ? (double)(float)score : score;
    if (node->id < 0 || score > node->score)
        *node = (struct node){.score = score, .start = start, .id = id};
}

/* ---- Encoding ---- */

/* Spans come from the points: the bytes here are those of the normalised word. */
static void add_tokens(const struct lattice *lattice, const struct point *points,
                       struct encoding_builder *builder)
{
    for (size_t at = 0, end; at < lattice->length; at = end) {
        const struct node *nodes = lattice->nodes;
        const int32_t unknown = lattice->unigram->unknown;
        end = nodes[at].next; /* of a piece, or of all unknown ones in a row */
        while (nodes[end].id == unknown && end < lattice->length &&
               nodes[nodes[end].next].id == unknown)
            end = nodes[end].next;
        size_t count = unicode_count(lattice->bytes + at, end - at);
        int32_t id = nodes[end].id;
        if (lattice->names) {
            id = vocabulary_find(lattice->names, lattice->bytes + at, end - at);
            id = id < 0 ? lattice->unknown : id;
        }
        encoding_add(builder, (struct token){.id = id, .span = points_span(points, count)});
        points += count;
    }
}

void unigram_encode(const struct unigram *unigram, const struct vocabulary *names, int32_t unknown,
                    const struct points *word, struct encoding_builder *builder)
{
    /* One block for a node and a byte each, and the node of the end. */
    const size_t length = points_bytes(word), each = sizeof(struct node) + 1;
    struct lattice lattice = {
        .unigram = unigram, .names = names, .unknown = unknown, .nodes = calloc(length + 1, each)};
    if (!lattice.nodes) {
        builder->lacking = (struct shortage){"the paths through a text", (length + 1) * each};
        return;
    }
    lattice.bytes = (char *)(lattice.nodes + length + 1);
    for (size_t i = 0; i < word->count; i++)
        lattice.length += unicode_encode(word->items[i].code, lattice.bytes + lattice.length);
    for (size_t i = 0; i <= lattice.length; i++)
        lattice.nodes[i] = (struct node){.id = -1}; /* not reached yet */
    /* Every code point leads to the next as a piece or as unknown, so that there is a path to every
     * node. The pieces are UTF-8: none is shorter than the code point that it begins with. */
    for (size_t at = 0, bytes; at < lattice.length; at += bytes) {
        const char *const rest = lattice.bytes + at;
        const size_t left = lattice.length - at;
        int32_t id;
        bytes = unicode_next(rest, left, &id);
        struct piece_prefix piece = {0};
        size_t shortest = 0;
        while ((id = vocabulary_prefix(unigram->vocabulary, rest, left, &piece)) >= 0) {
            offer(&lattice, at, at + piece.length, unigram->scores[id], id);
            shortest = shortest > 0 ? shortest : piece.length;
        }
        if (shortest != bytes)
            offer(&lattice, at, at + bytes,
                  names ? (double)(float)unigram->unknown_score : unigram->unknown_score,
                  unigram->unknown);
    }
    for (size_t at = lattice.length; at > 0; at = lattice.nodes[at].start)
        lattice.nodes[lattice.nodes[at].start].next = at;
    add_tokens(&lattice, word->items, builder);
    free(lattice.nodes);
}
