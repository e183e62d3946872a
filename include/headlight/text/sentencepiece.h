/* sentencepiece.h: what a SentencePiece .model says: spiece.model, spm.model,
 * sentencepiece.bpe.model.
 *
 *     sentencepiece_read(text, "spiece.model", &model, &error);
 *     vocabulary_of(model.pieces, model.count, "spiece.model", &vocabulary, &error);
 *     unigram_new(vocabulary, model.scores, model.unknown, "spiece.model", &unigram, &error);
 *     sentencepiece_free(&model);
 *
 * The file is a protocol buffer, google/sentencepiece src/sentencepiece_model.proto:
 *
 *     1  a piece: 1 text, 2 score, 3 type
 *     2  trainer: 3 type of model, 35 byte fallback, 40 to 43 ids
 *     3  normalizer: 2 charsmap, 3 to 5 flags
 *
 * Other fields are passed over. */
#ifndef HEADLIGHT_TEXT_SENTENCEPIECE_H
#define HEADLIGHT_TEXT_SENTENCEPIECE_H

#include "headlight/text/vocabulary.h"

enum sentencepiece_model {
    SENTENCEPIECE_UNIGRAM = 1, /* the only one that is read */
    SENTENCEPIECE_BPE,
    SENTENCEPIECE_WORD,
    SENTENCEPIECE_CHARACTER,
};

enum sentencepiece_type {
    SENTENCEPIECE_NORMAL = 1,
    SENTENCEPIECE_UNKNOWN,
    SENTENCEPIECE_CONTROL,
    SENTENCEPIECE_USER_DEFINED,
    SENTENCEPIECE_UNUSED,
    SENTENCEPIECE_BYTE, /* refused */
};

/* Texts lie in the file's bytes. */
struct sentencepiece {
    size_t count;
    struct piece *pieces;           /* [V], in the order of their ids */
    double *scores;                 /* [V] */
    enum sentencepiece_type *types; /* [V] */

    enum sentencepiece_model model_type;
    int32_t unknown, begin, end, padding; /* ids; those of no piece are -1, but for `unknown` */

    struct text charsmap; /* for charsmap.h; of length 0 when there is none */
    bool add_dummy_prefix, remove_extra_whitespaces, escape_whitespaces;
};

/* Reads the bytes of a model, which must outlive *model. Free with sentencepiece_free.
 * STATUS_FORMAT for bytes that are cut short or something else; STATUS_UNSUPPORTED for a model that
 * is not of the kind "unigram", or that falls back to bytes; STATUS_MEMORY. Whether the pieces are
 * UTF-8 and the scores finite, vocabulary_of and unigram_new check. */
enum status sentencepiece_read(struct text text, const char *name, struct sentencepiece *model,
                               struct error *error);

/* Accepts {0}, and what a failure left. */
void sentencepiece_free(struct sentencepiece *model);

#endif
