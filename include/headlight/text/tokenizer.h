/* tokenizer.h: text to word pieces, as BERT's reference tokenizer does it.
 *
 *     struct text none = {NULL, 0}, texts[] = {{"time flies", 10}, {"fruit flies", 11}};
 *     tokenizer_new(vocabulary, "vocab.txt", none, NULL, &tokenizer, &error);
 *     tokenizer_encode(tokenizer, texts, 2, true, &encoding, &error);
 *     for (size_t i = 0; i < encoding->count; i++)
 *         puts(tokenizer_piece(tokenizer, encoding->tokens[i].id));
 *
 * Source: google-research/bert tokenization.py and Hugging Face's BertTokenizer. Where the latter's
 * two implementations differ, this follows the fast one, which AutoTokenizer returns: a cased text
 * is not composed (NFC), capital sigma always becomes σ, and unassigned code points are kept and
 * become [UNK]. One difference goes the other way: the ideographs U+2B820 to U+2B91F, with which
 * Extension E begins, are words of their own as in Google's code and in the slow implementation;
 * in the fast one's table Extension E begins at U+2B920. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_H
#define HEADLIGHT_TEXT_TOKENIZER_H

#include "headlight/base/error.h"
#include "headlight/text/encoding.h" /* struct text, span, token, encoding */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tokenizer;

/* Builds a tokenizer from the bytes of a vocab.txt (one piece a line; the line's number, from 0, is
 * its id) and of a tokenizer_config.json (settings.bytes may be NULL: the defaults are BERT
 * uncased). Honoured settings: do_lower_case, strip_accents (absent or null: as do_lower_case),
 * tokenize_chinese_chars, unk_token, cls_token, sep_token, mask_token, pad_token (a string, or an
 * object with "content"). `vocabulary_name` and `settings_name` name the files in messages. Copies
 * what it keeps; free with tokenizer_free. STATUS_FORMAT for a vocabulary that is empty, not UTF-8
 * or without the unknown token, and for settings of the wrong type; STATUS_UNSUPPORTED for a
 * tokenizer_class that is not BERT's. */
enum status tokenizer_new(struct text vocabulary, const char *vocabulary_name, struct text settings,
                          const char *settings_name, struct tokenizer **tokenizer,
                          struct error *error);

/* Accepts NULL. */
void tokenizer_free(struct tokenizer *tokenizer);

/* Number of pieces in the vocabulary, V. */
size_t tokenizer_size(const struct tokenizer *tokenizer);

/* The piece of an id, as in vocab.txt ("##ing"); NULL for an id outside 0 … V-1. Owned by the
 * tokenizer; valid UTF-8. */
const char *tokenizer_piece(const struct tokenizer *tokenizer, int32_t id);

/* The id of a piece as it stands in vocab.txt; -1 when the vocabulary lacks it. */
int32_t tokenizer_find(const struct tokenizer *tokenizer, const char *piece);

/* The id of [MASK], or -1 when the vocabulary lacks it; the id of [UNK]. */
int32_t tokenizer_mask(const struct tokenizer *tokenizer);
int32_t tokenizer_unknown(const struct tokenizer *tokenizer);

/* Encodes one or two texts; the caller frees *encoding with free(). With `special` it is framed as
 * BERT expects, [CLS] a [SEP] (b [SEP]); without, it is the bare pieces. An empty text has no
 * pieces. A special token spelt out in a text ("[MASK]") is that token wherever it stands.
 * STATUS_MEMORY; STATUS_MISMATCH for `special` with a vocabulary that lacks [CLS] or [SEP]. */
enum status tokenizer_encode(const struct tokenizer *tokenizer, const struct text *texts,
                             size_t count, bool special, struct encoding **encoding,
                             struct error *error);

#endif
