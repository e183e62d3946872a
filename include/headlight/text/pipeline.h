/* pipeline.h: what a tokenizer is made of. A text goes through it from top to bottom:
 *
 *     added        tokens that it spells out are cut out of the raw text
 *     normaliser   the rest is normalised, stretch by stretch
 *     added        so are those that stand in the normalised text
 *     splitters    what is left is split into words
 *     model        a word becomes word pieces
 *     frames       special tokens are put round it
 *
 * Source: Hugging Face tokenizers, tokenizer/mod.rs and added_vocabulary.rs. Who fills it in are
 * tokenizer_json.c and tokenizer_files.c. */
#ifndef HEADLIGHT_TEXT_PIPELINE_H
#define HEADLIGHT_TEXT_PIPELINE_H

#include "headlight/text/added.h"
#include "headlight/text/bpe.h"
#include "headlight/text/frame.h"
#include "headlight/text/splitter.h"
#include "headlight/text/unigram.h"
#include "headlight/text/vocabulary.h"

#define SPLITTERS_MAX 4

enum model_kind {
    MODEL_WORDPIECE,
    MODEL_BPE, /* byte-level */
    MODEL_UNIGRAM,
};

struct tokenizer {
    struct added_tokens added;
    struct normaliser normaliser;
    struct splitter splitters[SPLITTERS_MAX];
    size_t splitter_count;
    enum model_kind model;
    struct vocabulary *vocabulary; /* the model's; added tokens may have ids behind it */
    struct bpe *bpe;               /* of MODEL_BPE */
    struct unigram *unigram;       /* of MODEL_UNIGRAM */
    int32_t unknown, mask;         /* ids; -1: none */
    size_t size;                   /* ids in all, V */
    char **labels;                 /* [V'] of the vocabulary's pieces, NULL where it is the piece
                                      itself; NULL but for MODEL_BPE. One block */
    struct frame frames[2];        /* of one text, of two */
    bool trims;                    /* a token's span leaves out the spaces at its ends … */
    bool trims_less;               /* … but for the one that was put before the text */
};

/* To be called when all is filled in; makes the tokenizer ready, and finds the mask: `mask` if it
 * is not NULL, else what is customary. STATUS_MEMORY; STATUS_FORMAT for an added token whose id is
 * another's. `name` is the file's, for messages. */
enum status pipeline_finish(struct tokenizer *tokenizer, const char *mask, const char *name,
                            struct error *error);

#endif
