/* charsmap.h: the replacements of characters that a SentencePiece model carries, its
 * "precompiled_charsmap".
 *
 *     u32 bytes of the array, little-endian as all here
 *     the array of u32: a double-array trie of UTF-8 keys
 *     the replacements: UTF-8 texts, a NUL after each
 *
 * It is applied as the reference does: a grapheme of fewer than 6 bytes that begins with a key is
 * replaced as a whole by what its shortest such key stands for, so that an accent behind may be
 * lost; in any other grapheme each code point that begins with a key is replaced by itself.
 *
 * Source: google/sentencepiece src/normalizer.cc; s-yata/darts-clone; Hugging Face tokenizers,
 * normalizers/precompiled.rs, and its crate spm_precompiled. */
#ifndef HEADLIGHT_TEXT_CHARSMAP_H
#define HEADLIGHT_TEXT_CHARSMAP_H

#include "headlight/text/normalise.h"

/* A longer replacement is refused: Unicode's longest (NFKC) has 33 bytes, and each character of a
 * text may become one. */
#define CHARSMAP_REPLACEMENT_MAX 128

struct charsmap;

/* Copies the bytes; free with free(). `name` is the file's, for messages. STATUS_FORMAT for sizes
 * that don't fit each other, and replacements that are not UTF-8 or too long; STATUS_MEMORY. What
 * the array holds is not looked at: a walk that would leave it has found no key. */
enum status charsmap_new(const char *bytes, size_t length, const char *name,
                         struct charsmap **charsmap, struct error *error);

/* Replaces in place. What is put in has the span of what it replaces. STATUS_MEMORY leaves the
 * points as they were. */
enum status charsmap_apply(const struct charsmap *charsmap, struct points *points,
                           struct error *error);

#endif
