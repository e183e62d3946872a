/* unigram.c: the likeliest pieces of a word (Viterbi). At each place the pieces that begin there
 * are looked up byte by byte, as WordPiece looks for the longest. */
#include "headlight/text/pieces.h"

#include "headlight/base/memory.h"
#include "headlight/text/unicode.h"

#include <math.h>

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

/* Of equal paths the first stays. */
static void offer(struct node *nodes, bool single, size_t start, size_t end, double score,
                  int32_t id)
{
    struct node *node = &nodes[end];
    score += nodes[start].score;
    score = single ? (double)(float)score : score;
    if (node->id < 0 || score > node->score)
        *node = (struct node){.score = score, .start = start, .id = id};
}

/* Every code point leads to the next as a piece or as unknown, so that there is a path to every
 * node. The pieces are UTF-8: none is shorter than the code point that it begins with. Spans come
 * from the points: the bytes here are those of the normalised word. */
void unigram_encode(const struct unigram *unigram, const struct vocabulary *names, int32_t unknown,
                    const struct points *word, struct encoding_builder *builder)
{
    /* One block for a node and a byte each, and the node of the end. */
    const size_t most = points_bytes(word), each = sizeof(struct node) + 1;
    const double unknown_score =
        names ? (double)(float)unigram->unknown_score : unigram->unknown_score;
    const struct point *points = word->items;
    struct node *nodes = memory_new(most + 1, each, 0, "the paths through a text", builder->error);
    size_t length = 0;
    if (!nodes)
        return;
    char *bytes = (char *)(nodes + most + 1);
    for (size_t i = 0; i < word->count; i++)
        length += unicode_encode(word->items[i].code, bytes + length);
    for (size_t i = 0; i <= length; i++)
        nodes[i] = (struct node){.id = -1}; /* not reached yet */
    for (size_t at = 0, character; at < length; at += character) {
        struct piece_prefix piece = {0};
        size_t shortest = 0;
        int32_t id;
        character = unicode_next(bytes + at, length - at, &id);
        while ((id = vocabulary_prefix(unigram->vocabulary, bytes + at, length - at, &piece)) >=
               0) {
            offer(nodes, names, at, at + piece.length, unigram->scores[id], id);
            shortest = shortest > 0 ? shortest : piece.length;
        }
        if (shortest != character)
            offer(nodes, names, at, at + character, unknown_score, unigram->unknown);
    }
    for (size_t at = length; at > 0; at = nodes[at].start)
        nodes[nodes[at].start].next = at;
    for (size_t at = 0, end; at < length; at = end) {
        end = nodes[at].next; /* of a piece, or of all unknown ones in a row */
        while (nodes[end].id == unigram->unknown && end < length &&
               nodes[nodes[end].next].id == unigram->unknown)
            end = nodes[end].next;
        const size_t count = unicode_count(bytes + at, end - at);
        int32_t id = nodes[end].id;
        if (names) {
            id = vocabulary_find(names, bytes + at, end - at);
            id = id < 0 ? unknown : id;
        }
        encoding_add(builder, (struct token){.id = id, .span = points_span(points, count)});
        points += count;
    }
    free(nodes);
}
