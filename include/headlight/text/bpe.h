/* bpe.h: byte-level BPE, the word pieces of GPT-2, RoBERTa and ModernBERT.
 *
 *     bpe_read_vocabulary(text, "vocab.json", &vocabulary, &error);
 *     bpe_read_merges(other, "merges.txt", &merges, &count, &error);
 *     bpe_new(vocabulary, merges, count, "merges.txt", &bpe, &error);
 *     for (size_t at = 0; at < points.count; at += length) {
 *         length = bpe_word_length(&points, at);
 *         bpe_encode(bpe, -1, points.items + at, length, 0, &builder, &error);
 *     }
 *
 * A word's bytes are written as visible characters, the byte characters: 33 to 126, 161 to 172 and
 * 174 to 255 stand for themselves, the other 68 bytes in rising order for U+0100 to U+0143, so that
 * a space is "Ġ". Then, as long as there is one, the adjacent pair of lowest rank becomes one
 * piece, the leftmost of equal ones first.
 *
 * Source: Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword
 * Units", 2016; openai/gpt-2 src/encoder.py; Hugging Face tokenizers, models/bpe/word.rs. */
#ifndef HEADLIGHT_TEXT_BPE_H
#define HEADLIGHT_TEXT_BPE_H

#include "headlight/text/normalise.h"
#include "headlight/text/vocabulary.h"

struct bpe;

/* Reads a vocab.json, {"piece": id, …}; free *vocabulary with free(). STATUS_FORMAT unless the ids
 * are 0 … V-1, each once, of V different pieces; STATUS_LIMIT and STATUS_MEMORY as for any JSON. */
enum status bpe_read_vocabulary(struct text text, const char *name, struct vocabulary **vocabulary,
                                struct error *error);

/* Reads a merges.txt: after an optional first line "#version…" a pair "a b" a line, of falling
 * importance. *merges has 2·*count pieces, left and right; they lie in the text. The caller frees
 * *merges with free(). STATUS_FORMAT for an empty text or another line, STATUS_MEMORY. */
enum status bpe_read_merges(struct text text, const char *name, struct piece **merges,
                            size_t *count, struct error *error);

/* `merges` are 2·count pieces, left and right, in the order of their ranks; of equal pairs the last
 * counts. `name` is of the file that they come from. Borrows the vocabulary, copies the rest; free
 * with free(). STATUS_MISMATCH for a merge of which a half, or what it makes, is not in the
 * vocabulary; STATUS_LIMIT, STATUS_MEMORY. */
enum status bpe_new(const struct vocabulary *vocabulary, const struct piece *merges, size_t count,
                    const char *name, struct bpe **bpe, struct error *error);

/* Appends the tokens of one word. A byte whose character the vocabulary lacks is `unknown`, or left
 * out if that is -1. A token's span covers the source of each code point of which it has a byte.
 * A word of n bytes takes n·log n steps. STATUS_MEMORY is the only error. */
enum status bpe_encode(const struct bpe *bpe, int32_t unknown, const struct point *points,
                       size_t count, uint8_t sentence, struct encoding_builder *builder,
                       struct error *error);

/* The number of points, at least 1, in the word that begins at `first` < points->count. Words are
 * the matches of GPT-2's expression, where \s is White_Space:
 *
 *     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+ */
size_t bpe_word_length(const struct points *points, size_t first);

/* The byte that a byte character stands for, or -1 for another code point; and back. */
int bpe_byte_of(int32_t code);
int32_t bpe_character_of(unsigned char byte);

/* The text that a piece stands for, "ĠcafÃ©" being " café", with U+FFFD for each byte that is not
 * part of a character. A piece with a code point that is no byte character stands for itself. The
 * caller frees it with free(); a NUL follows its *readable bytes, among which may be others. NULL
 * without memory. */
char *bpe_readable(const char *piece, size_t length, size_t *readable);

#endif
