/* vocabulary.h: word pieces and their ids, as in a vocab.txt or from elsewhere. */
#ifndef HEADLIGHT_TEXT_VOCABULARY_H
#define HEADLIGHT_TEXT_VOCABULARY_H

#include "headlight/text/encoding.h"

struct vocabulary;

/* Reads one piece a line; the line's number, from 0, is its id. Lines end in \n or \r\n, optional
 * on the last. Of equal pieces the last is found. Copies the text; free with free(). `name` is the
 * file's, for messages. STATUS_FORMAT for an empty text or a line that is not UTF-8; STATUS_LIMIT
 * for more lines than an id can count; STATUS_MEMORY. */
enum status vocabulary_new(struct text text, const char *name, struct vocabulary **vocabulary,
                           struct error *error);

/* The same from pieces in the order of their ids. They may hold line ends. An empty one is a hole:
 * an id that no piece has, whose text is "" and which is never found. Copies the pieces.
 * STATUS_FORMAT for no piece at all or one that is not UTF-8 or holds a NUL; else as above. */
enum status vocabulary_of(const struct text *pieces, size_t count, const char *name,
                          struct vocabulary **vocabulary, struct error *error);

/* Number of ids, V. */
size_t vocabulary_size(const struct vocabulary *vocabulary);

/* The piece of an id, NUL-terminated, owned by the vocabulary; NULL for an id outside 0 … V-1.
 * *length may be NULL. */
const char *vocabulary_piece(const struct vocabulary *vocabulary, int32_t id, size_t *length);

/* The id of a piece, or -1. */
int32_t vocabulary_find(const struct vocabulary *vocabulary, const char *piece, size_t length);

/* The id of the longest piece of more than `minimum` bytes that the bytes begin with, or -1;
 * *matched is its length. If the bytes are UTF-8, the match ends between two code points, because
 * the pieces are UTF-8 too. */
int32_t vocabulary_longest(const struct vocabulary *vocabulary, const char *bytes, size_t length,
                           size_t minimum, size_t *matched);

#endif
