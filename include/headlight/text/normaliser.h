/* normaliser.h: the steps that prepare a text before it is split into words.
 *
 * A tokenizer has a list of them; each rewrites the code points that the one before it left.
 * BERT's is such a list, too: clean, put spaces round ideographs, decompose (NFD), drop accents,
 * lower the case.
 *
 * Source: Hugging Face tokenizers, normalizers/. */
#pragma once

#include "headlight/text/encoding.h"

/* Unicode's normalization forms (Unicode Standard Annex 15). A composed character has the source of
 * its first code point, and what reordering moves has the source that stood in its place, as
 * Hugging Face's tokenizers count (tokenizer/normalizer.rs, transform). */
enum normal_form { FORM_NFD, FORM_NFKD, FORM_NFC, FORM_NFKC };

enum step_kind {
    STEP_CLEAN,         /* drops controls and U+FFFD, makes all white space ' ' */
    STEP_IDEOGRAPHS,    /* puts a ' ' on each side of a CJK ideograph */
    STEP_ACCENTS,       /* drops non-spacing marks (Mn); their bytes go to the letter before */
    STEP_STRIP_ACCENTS, /* drops all marks (M*), and their bytes */
    STEP_LOWER_CASE,    /* code point by code point */
    STEP_NMT,           /* drops controls, makes some white space and invisible characters ' ' */
    STEP_BYTES,         /* the byte characters of all bytes: bpe_character_of */
    STEP_FORM,
    STEP_STRIP,    /* drops white space at the ends, or what `what` has */
    STEP_REPLACE,  /* a stretch of code points by another */
    STEP_SPACES,   /* two or more spaces become `with` */
    STEP_PREPEND,  /* `with` in front, unless there is no text */
    STEP_CHARSMAP, /* a SentencePiece model's replacements */
};

struct normal_step {
    enum step_kind kind;
    enum normal_form form;     /* of STEP_FORM */
    bool left, right;          /* of STEP_STRIP */
    bool longest;              /* of STEP_CHARSMAP: as SentencePiece itself applies it */
    struct points what, with;  /* of STEP_REPLACE; `what` is not empty */
    struct charsmap *charsmap; /* of STEP_CHARSMAP */
};

struct normaliser {
    struct normal_step *items;
    size_t count;
};

/* The most steps. */
#define NORMALISER_STEPS_MAX 64

/* The most bytes of what a step of a file looks for, and of what it puts there. A longer
 * replacement is refused: Unicode's longest (NFKC) has 33 bytes, and each character of a text may
 * become one. */
#define NORMALISER_STRING_MAX 128

/* Appends a step, which is the list's from then on: after STATUS_MEMORY it is freed. */
enum status normaliser_add(struct normaliser *normaliser, struct normal_step step,
                           struct error *error);

/* Rewrites the points, step by step. None may make more than `most` of them, or than four times as
 * many as there were: then points->error says so. */
void normaliser_apply(const struct normaliser *normaliser, struct points *points, size_t most);

void normaliser_free(struct normaliser *normaliser);

/* ---- The replacements of characters that a SentencePiece model carries -------------------- */

/* Its "precompiled_charsmap":
 *
 *     u32 bytes of the array, little-endian as all here
 *     the array of u32: a double-array trie of UTF-8 keys
 *     the replacements: UTF-8 texts, a NUL after each
 *
 * It is applied as the reference does: a grapheme of fewer than 6 bytes that begins with a key is
 * replaced as a whole by what its shortest such key stands for, so that an accent behind may be
 * lost; in any other grapheme each code point that begins with a key is replaced by itself.
 * SentencePiece itself takes the longest key at each place from left to right.
 *
 * Source: google/sentencepiece src/normalizer.cc; s-yata/darts-clone; Hugging Face tokenizers,
 * normalizers/precompiled.rs, and its crate spm_precompiled. */
struct charsmap;

/* Copies the bytes; free with free(). `name` is the file's, for messages. STATUS_FORMAT for sizes
 * that don't fit each other, and replacements that are not UTF-8 or too long; STATUS_MEMORY. What
 * the array holds is not checked: a walk that would leave it has found no key. */
enum status charsmap_new(const char *bytes, size_t length, const char *name,
                         struct charsmap **charsmap, struct error *error);

/* The STEP_CHARSMAP: appends to `out` what the points become. What is put in has the span of what
 * it replaces. */
void charsmap_apply(const struct normal_step *step, const struct points *points,
                    struct points *out);
