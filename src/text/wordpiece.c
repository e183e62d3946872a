#include "headlight/text/wordpiece.h"

#include "headlight/text/unicode.h"

#include <string.h>

#define MARK_LENGTH 2 /* of "##" */

struct part {
    int32_t id;
    size_t first, end; /* code points first … end-1 of the word */
};

/* Code point i of the word is bytes[starts[i]] up to bytes[starts[i + 1]]. */
struct word {
    size_t count; /* of code points, at most WORD_LIMIT */
    size_t starts[WORD_LIMIT + 1];
    char bytes[MARK_LENGTH + WORD_LIMIT * UNICODE_BYTES];
};

static void spell_word(struct word *word, const struct point *points, size_t count)
{
    word->count = count;
    word->starts[0] = MARK_LENGTH;
    for (size_t i = 0; i < count; i++)
        word->starts[i + 1] =
            word->starts[i] + unicode_encode(points[i].code, word->bytes + word->starts[i]);
}

/* The longest piece at code point `first` of the word; id is -1 if there is none. The "##"
 * overwrites the bytes before it, which belong to pieces already found. */
static struct part next_piece(const struct vocabulary *vocabulary, struct word *word, size_t first)
{
    size_t start = word->starts[first], mark = first == 0 ? 0 : MARK_LENGTH, matched;
    memcpy(word->bytes + start - mark, "##", mark);
    struct part piece = {.first = first, .end = first};
    piece.id = vocabulary_longest(vocabulary, word->bytes + start - mark,
                                  word->starts[word->count] - start + mark, mark, &matched);
    while (piece.id >= 0 && word->starts[piece.end] < start - mark + matched)
        piece.end++;
    return piece;
}

/* Returns the number of pieces; 0 if the word can't be split into pieces. */
static size_t split_word(const struct vocabulary *vocabulary, const struct point *points,
                         size_t count, struct part pieces[WORD_LIMIT])
{
    struct word word;
    size_t found = 0;
    if (count > WORD_LIMIT)
        return 0;
    spell_word(&word, points, count);
    for (size_t first = 0; first < count; first = pieces[found++].end) {
        pieces[found] = next_piece(vocabulary, &word, first);
        if (pieces[found].id < 0)
            return 0;
    }
    return found;
}

enum status wordpiece_encode(const struct vocabulary *vocabulary, int32_t unknown,
                             const struct point *points, size_t count, uint8_t sentence,
                             struct encoding_builder *builder, struct error *error)
{
    struct part pieces[WORD_LIMIT];
    size_t found = split_word(vocabulary, points, count, pieces);
    if (found == 0) {
        pieces[0] = (struct part){.id = unknown, .end = count};
        found = 1;
    }
    for (size_t i = 0; i < found; i++) {
        struct token token = {.id = pieces[i].id, .sentence = sentence};
        token.span = points_span(points + pieces[i].first, pieces[i].end - pieces[i].first);
        if (encoding_add(builder, token, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}
