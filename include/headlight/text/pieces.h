/* pieces.h: vocabularies, and a word to its word pieces by each of the four models that tokenizers
 * have.
 *
 * Each model appends the tokens of one word to a builder. A token's span covers the source bytes of
 * the code points that it has a part of. */
#pragma once

#include "headlight/text/encoding.h"

/* ---- Vocabularies ------------------------------------------------------------------------- */

/* Word pieces and their ids, as in a vocab.txt or from elsewhere. */
struct vocabulary;

/* Reads one piece a line; the line's number, from 0, is its id. Lines end in \n or \r\n, optional
 * on the last. Of equal pieces the last is found. Copies the text; free with free(). `name` is the
 * file's, for messages. STATUS_FORMAT for an empty text or a line that is not UTF-8;
 * STATUS_MEMORY. No file is so large (tokenizer_reader.h) that its ids don't fit. */
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

/* How far a search for pieces that some bytes begin with has come. Starts as {0}. */
struct piece_prefix {
    size_t length;
    uint64_t hash;
};

/* The id of the next longer piece that the bytes begin with, or -1; at->length is its length. */
int32_t vocabulary_prefix(const struct vocabulary *vocabulary, const char *bytes, size_t length,
                          struct piece_prefix *at);

/* ---- WordPiece ---------------------------------------------------------------------------- */

/* A word of more code points is unknown without a search. */
#define WORD_LIMIT 100

/* Repeatedly the longest piece in the vocabulary that the rest of the word begins with, marked "##"
 * unless it is the first. A word of more than WORD_LIMIT code points, or that pieces don't make up
 * completely, is one token `unknown`.
 *
 * Source: Hugging Face tokenizers, models/wordpiece/mod.rs; the search is that of Schuster and
 * Nakajima, "Japanese and Korean voice search", 2012. */
void wordpiece_encode(const struct vocabulary *vocabulary, int32_t unknown,
                      const struct points *word, struct encoding_builder *builder);

/* ---- Words -------------------------------------------------------------------------------- */

/* A word that is no piece as a whole is `unknown`: models/wordlevel/mod.rs. */
void word_encode(const struct vocabulary *vocabulary, int32_t unknown, const struct points *word,
                 struct encoding_builder *builder);

/* The id of a whole word, or -1; also for want of memory, which is noted. */
int32_t word_find(const struct vocabulary *vocabulary, const struct points *word,
                  struct error *error);

/* ---- BPE ---------------------------------------------------------------------------------- */

/* The word pieces of GPT-2, Llama, Gemma. A word begins as its code points. Then, as long as there
 * is one, the adjacent pair of lowest rank becomes one piece, the leftmost of equal ones first.
 *
 * Byte-level BPE writes a word's bytes as visible characters first, the byte characters: 33 to 126,
 * 161 to 172 and 174 to 255 stand for themselves, the other 68 bytes in rising order for U+0100 to
 * U+0143, so that a space is "Ġ".
 *
 * Source: Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword
 * Units", 2016; openai/gpt-2 src/encoder.py; Hugging Face tokenizers, models/bpe/. */
struct bpe;

#define BPE_SUFFIX_MAX 16

/* What a BPE may do besides. */
struct bpe_rules {
    bool whole;         /* a word that is a piece stays whole */
    bool fallback;      /* what has no piece is its bytes, "<0xE6>", if all of them are pieces */
    bool fused;         /* unknown ones in a row are one */
    const char *suffix; /* of a word's last code point, such as "</w>"; shorter than the maximum */
};

/* `merges` are 2·count pieces, left and right, in the order of their ranks; of equal pairs the last
 * counts. `name` is of the file that they come from. Borrows the vocabulary, copies the rest; free
 * with free(). STATUS_MISMATCH for a merge of which a half, or the result, is not in the
 * vocabulary; STATUS_MEMORY. */
enum status bpe_new(const struct vocabulary *vocabulary, const struct text *merges, size_t count,
                    struct bpe_rules rules, const char *name, struct bpe **bpe,
                    struct error *error);

/* What the vocabulary lacks is `unknown`, or left out if that is -1. A word of n bytes takes
 * n·log n steps. */
void bpe_encode(const struct bpe *bpe, int32_t unknown, const struct points *word,
                struct encoding_builder *builder);

/* The byte that a piece such as "<0xE6>" stands for, or -1. */
int bpe_fallback_of(struct text piece);

/* Appends the byte characters of the points' bytes. */
void bpe_spell(const struct points *points, struct points *out);

/* The byte that a byte character stands for, or -1 for another code point; and back. */
int bpe_byte_of(int32_t code);
int32_t bpe_character_of(unsigned char byte);

/* ---- Unigram ------------------------------------------------------------------------------ */

/* The word pieces of ALBERT, XLM-RoBERTa, DeBERTa, T5:
 *
 *     text = p_1 … p_n,   sum of score(p_i) = max
 *
 * A code point that is no piece by itself may also be unknown, with a score 10 below the least of
 * the vocabulary; neighbouring unknown ones are one token. Of equal sums the one whose last piece
 * begins first counts. The sums are in double precision, as in the reference.
 *
 * Source: Kudo, "Subword Regularization", 2018; Hugging Face tokenizers, models/unigram/model.rs.
 */
struct unigram;

/* `scores` [V] are log-probabilities, `unknown` is an id. Borrows the vocabulary, copies the
 * scores; free with free(). `name` is the file's, for messages. STATUS_FORMAT for a score that is
 * not finite or an id that is not in the vocabulary; STATUS_LIMIT for a piece of more than 1,024
 * bytes; STATUS_MEMORY. */
enum status unigram_new(const struct vocabulary *vocabulary, const double *scores, int32_t unknown,
                        const char *name, struct unigram **unigram, struct error *error);

/* The word is normalised and has its "▁". The time grows with its length times that of the longest
 * piece. With `names` as SentencePiece itself does it, sums in single precision, and the ids of
 * what it finds are those of `names`, which may lack a piece, then it is `unknown`. */
void unigram_encode(const struct unigram *unigram, const struct vocabulary *names, int32_t unknown,
                    const struct points *word, struct encoding_builder *builder);
