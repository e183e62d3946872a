/* labels.h: what tokens are called on the screen.
 *
 * A label is the piece as the vocabulary has it. Only those of byte-level BPE are made readable,
 * since they spell bytes: "ĠcafÃ©" is "Ġcafé". Space, line end and the other controls keep their
 * customary signs, "Ġ", "Ċ".
 *
 * A character whose bytes are several tokens is shown whole by the token that has its first byte;
 * the others are "⋯", unless a character begins in them, too: "Ġ😀", "⋯", "⋯". What has no such
 * neighbours, as an answer has none, shows the bytes that make no character as "<0xF0>". */
#ifndef HEADLIGHT_TEXT_LABELS_H
#define HEADLIGHT_TEXT_LABELS_H

#include "headlight/text/tokenizer.h"

/* The names of tokens that a model reads as `ids`, which differ from the encoding's where one is
 * masked: (*names)[0 … T-1] are their labels, (*names)[T … 2T-1] their pieces. One block; free with
 * free(), the tokenizer must outlive it. STATUS_MEMORY. */
enum status labels_new(const struct tokenizer *tokenizer, const struct encoding *encoding,
                       const int32_t *ids, const char ***names, struct error *error);

/* The label of a piece by itself: writes at most LABEL_ROOM bytes for each of its own, and a NUL,
 * and returns how many with the NUL. `bytes` is room for as many as the piece has. */
#define LABEL_ROOM 6 /* "<0xF0>" */
size_t label_write(const char *piece, char *bytes, char *label);

#endif
