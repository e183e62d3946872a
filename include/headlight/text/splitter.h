/* splitter.h: how a normalised text is split into words, before each becomes word pieces.
 *
 * Source: Hugging Face tokenizers, pre_tokenizers/. A tokenizer has a list of splitters; each
 * splits the words that the one before it left. */
#ifndef HEADLIGHT_TEXT_SPLITTER_H
#define HEADLIGHT_TEXT_SPLITTER_H

#include "headlight/text/normalise.h"

enum splitter_kind {
    SPLITTER_BERT,        /* at white space; each punctuation mark is a word */
    SPLITTER_WHITE_SPACE, /* at white space */
    SPLITTER_WORDS,       /* \w+|[^\w\s]+ */
    SPLITTER_BYTES,       /* as GPT-2 does: bpe.h */
    SPLITTER_METASPACE,   /* ' ' becomes `mark`, with which each word begins */
};

enum prefix {
    PREFIX_NEVER,
    PREFIX_FIRST, /* in front of what the text begins with */
    PREFIX_ALWAYS,
};

struct splitter {
    enum splitter_kind kind;
    enum prefix prefix; /* when SPLITTER_BYTES puts a ' ', SPLITTER_METASPACE its mark in front */
    bool whole;         /* the last two: rewrite, but don't split */
    int32_t mark;       /* "▁" */
};

/* Whether the splitter rewrites words before it splits them. */
bool splitter_rewrites(const struct splitter *splitter);

/* Puts what the splitter makes of a word's points into *out. What is put in front comes from the
 * first of them. STATUS_MEMORY. */
enum status splitter_rewrite(const struct splitter *splitter, const struct points *word,
                             struct points *out, struct error *error);

/* The number of points, at least 1, up to the end of the word that begins at `first` <
 * points->count; or of the gap there, then *gap is set. */
size_t splitter_length(const struct splitter *splitter, const struct points *points, size_t first,
                       bool *gap);

#endif
