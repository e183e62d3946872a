/* tokenizer.h: text to word pieces, as each family of models was trained to read it.
 *
 *     struct text texts[] = {{"time flies", 10}, {"fruit flies", 11}};
 *     tokenizer_read(&files, &family->tokenizer, false, &tokenizer, &error);
 *     tokenizer_encode(tokenizer, texts, 2, true, &encoding, &error);
 *     for (size_t i = 0; i < encoding->count; i++)
 *         puts(tokenizer_piece(tokenizer, encoding->tokens[i].id));
 *
 * How a text becomes pieces is in pipeline.h, what is read from files in tokenizer_reader.h. Of
 * BERT:
 *
 * Source: google-research/bert tokenization.py and Hugging Face's BertTokenizer. Where the latter's
 * two implementations differ, this follows the fast one, which AutoTokenizer returns: a cased text
 * is not composed (NFC), capital sigma always becomes σ, and unassigned code points are kept and
 * become [UNK]. One difference goes the other way: the ideographs U+2B820 to U+2B91F, with which
 * Extension E begins, are words of their own as in Google's code and in the slow implementation;
 * in the fast one's table Extension E begins at U+2B920. */
#pragma once

#include "headlight/base/file.h"
#include "headlight/text/normaliser.h"

struct tokenizer;

/* ---- What a family of models knows of its tokenizer --------------------------------------- */

enum piece_model {
    PIECES_WORDPIECE,
    PIECES_BPE,
    PIECES_UNIGRAM,
    PIECES_WORDS, /* each word a piece */
};

enum special_token {
    SPECIAL_TOKEN_UNKNOWN,
    SPECIAL_TOKEN_CLASS,
    SPECIAL_TOKEN_SEPARATOR,
    SPECIAL_TOKEN_MASK,
    SPECIAL_TOKEN_PADDING,
    SPECIAL_TOKEN_COUNT,
};

/* How special tokens frame a text, and two. */
enum frame_style {
    FRAME_BARE,   /* a           a b           */
    FRAME_SINGLE, /* C a S       C a S b S     */
    FRAME_DOUBLE, /* C a S       C a S S b S   */
    FRAME_ENDED,  /* a S         a S b S       */
    FRAME_LAST,   /* a S         a b S         */
};

/* What a family does with a SentencePiece model, as the converters of transformers'
 * convert_slow_tokenizer.py: ALBERT's and DeBERTa's normalise by settings; fairseq puts its own
 * special tokens in front, in place of the model's (XLM-RoBERTa), or of its unknown one alone
 * (CamemBERT); T5's has "<extra_id_0>" and its like behind the pieces, downwards. Marian's is none:
 * SentencePiece itself finds the pieces, whose ids are those of a vocab.json. */
enum sentencepiece_converter {
    CONVERTER_PLAIN,
    CONVERTER_ALBERT,
    CONVERTER_DEBERTA,
    CONVERTER_FAIRSEQ,
    CONVERTER_CAMEMBERT,
    CONVERTER_T5,
    CONVERTER_MARIAN,
};

/* What a tokenizer.json would say and the older files leave to every program that knows the family.
 * One without a name for the unknown token has no such files. */
struct tokenizer_family {
    enum piece_model model;
    enum frame_style frame;
    const char *special[SPECIAL_TOKEN_COUNT]; /* where no setting names them; NULL: none */
    bool typed;                               /* the second text is of type 1 */
    bool mask_left;                           /* the mask swallows the spaces before it */
    enum sentencepiece_converter converter;
};

/* ---- Opening ------------------------------------------------------------------------------ */

/* Opens the tokenizer of a model's files. A tokenizer.json says all; without one the first of
 * these older files does, together with the family:
 *
 *     vocab.txt                                          WordPiece; or letters, of PIECES_WORDS
 *     vocab.json, merges.txt                             byte-level BPE
 *     spiece.model, sentencepiece.bpe.model, spm.model   unigram
 *
 * Of CONVERTER_MARIAN all is in source.spm and vocab.json; and of a `target`, what such a model
 * writes, in target.spm and vocab.json, or target_vocab.json if "separate_vocabs" is true. Other
 * models write what they read, and the target's *tokenizer is NULL.
 *
 * tokenizer_config.json and special_tokens_map.json name special tokens and, for the older files,
 * settings; added_tokens.json has the added tokens of older files whose tokenizer_config.json
 * doesn't list them. Settings of a vocab.txt: do_lower_case, strip_accents (absent or null: as
 * do_lower_case), tokenize_chinese_chars, and the names of special tokens (a string, or an object
 * with "content"). Copies what it keeps; free with tokenizer_free. Errors are those of the files'
 * readers; STATUS_IO when there are none of these files, STATUS_UNSUPPORTED for what headlight
 * can't do. */
enum status tokenizer_read(const struct files *files, const struct tokenizer_family *family,
                           bool target, struct tokenizer **tokenizer, struct error *error);

/* From now on texts lose the white space at their ends, and capitals if `lower`, before anything
 * else is done with them, as sentence-transformers has it. STATUS_MEMORY. */
enum status tokenizer_strip(struct tokenizer *tokenizer, bool lower, struct error *error);

/* From now on a text with a token whose id is `rows` or more is refused with STATUS_MISMATCH: the
 * model has no row for it. Accepts NULL. */
void tokenizer_limit(struct tokenizer *tokenizer, size_t rows);

/* Accepts NULL. */
void tokenizer_free(struct tokenizer *tokenizer);

/* Number of ids, V: the pieces of the vocabulary and the added tokens. */
size_t tokenizer_size(const struct tokenizer *tokenizer);

/* The piece of an id, as in the vocabulary ("##ing", "Ġthe"); "" for an id that no piece has,
 * as a model may have more rows than its vocabulary pieces. Owned by the tokenizer; valid UTF-8. */
const char *tokenizer_piece(const struct tokenizer *tokenizer, int32_t id);

/* The same made readable, as labels.c has it of a piece by itself; "?" for none. */
const char *tokenizer_label(const struct tokenizer *tokenizer, int32_t id);

/* The id of a piece as it stands in the vocabulary; -1 when there is none. */
int32_t tokenizer_find(const struct tokenizer *tokenizer, const char *piece);

/* The id of [MASK] or its like, of [UNK]; -1 when there is none. */
int32_t tokenizer_mask(const struct tokenizer *tokenizer);
int32_t tokenizer_unknown(const struct tokenizer *tokenizer);

/* Whether a token is marked as special, but for these two, which stand for words. */
bool tokenizer_is_special(const struct tokenizer *tokenizer, int32_t id);

/* Encodes one or two texts; the caller frees *encoding with free(). With `special` it is framed as
 * its model expects, such as [CLS] a [SEP] (b [SEP]); without, it is the bare pieces. An empty text
 * has no pieces. An added token spelt out in a text ("[MASK]") is that token wherever it stands,
 * and the language of CONVERTER_MARIAN (">>fra<<") at the start; anywhere else that is no text.
 * STATUS_MEMORY; STATUS_MISMATCH for `special` with a vocabulary that lacks [CLS] or [SEP]. */
enum status tokenizer_encode(const struct tokenizer *tokenizer, const struct text *texts,
                             size_t count, bool special, struct encoding **encoding,
                             struct error *error);

/* ---- Labels ------------------------------------------------------------------------------- */

/* What tokens are called on the screen (labels.c).
 *
 * A label is the piece as the vocabulary has it. Only those that spell bytes are made readable, as
 * all of byte-level BPE do, "ĠcafÃ©" is "Ġcafé", and "<0xE6>" of others. Space, line end and the
 * other controls keep their customary signs, "Ġ", "Ċ".
 *
 * A character whose bytes are several tokens is shown whole by the token that has its first byte;
 * the others are "⋯", unless a character begins in them, too: "Ġ😀", "⋯", "⋯". What has no such
 * neighbours, as an answer has none, shows the bytes that make no character as "<0xF0>". */

/* The names of tokens that a model reads as `ids`, which differ from the encoding's where one is
 * masked: (*names)[0 … T-1] are their labels, (*names)[T … 2T-1] their pieces. One block; free with
 * free(), the tokenizer must outlive it. STATUS_MEMORY. */
enum status labels_new(const struct tokenizer *tokenizer, const struct encoding *encoding,
                       const int32_t *ids, const char ***names, struct error *error);

/* The label of a piece by itself: writes at most LABEL_ROOM bytes for each of its own, and a NUL,
 * and returns how many with the NUL. `bytes` is room for as many as the piece has. */
#define LABEL_GROWTH 6 /* "<0xF0>" */
size_t label_write(const char *piece, char *bytes, char *label);

/* ---- Tokens back to text ------------------------------------------------------------------ */

/* What tokens spell together, as the file's decoder has it, or else what is customary: "zu",
 * "##rich", "!" are "zurich!"; "Ġwas", "Ġha" are " was ha"; "▁sat", "▁" are "sat ". It is not
 * always the text that was read. `words` are pieces, or what stands in the text for an unknown one.
 * If `more` may come, a character of which the last bytes are not there yet is left out; else it is
 * U+FFFD. The caller's; NULL and STATUS_MEMORY.
 *
 * Source: Hugging Face tokenizers, decoders/. */
char *tokenizer_spell(const struct tokenizer *tokenizer, const struct text *words, size_t count,
                      bool more, struct error *error);

/* The same of ids, without the special ones and those that no token has. */
char *tokenizer_decode(const struct tokenizer *tokenizer, const int32_t *ids, size_t count,
                       bool more, struct error *error);
