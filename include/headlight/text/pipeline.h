/* pipeline.h: what a tokenizer is made of. A text goes through it from top to bottom:
 *
 *     added        tokens that it spells out are cut out of the raw text
 *     normaliser   the rest is normalised, stretch by stretch
 *     added        then those that are looked for in the normalised text
 *     splitters    what is left is split into words
 *     model        a word becomes word pieces
 *     frames       special tokens are put round it
 *
 * Source: Hugging Face tokenizers, tokenizer/mod.rs and added_vocabulary.rs. tokenizer_json.c fills
 * it from a tokenizer.json, or from what tokenizer_files.c makes of the files that were there
 * before. */
#pragma once

#include "headlight/text/pieces.h"
#include "headlight/text/tokenizer.h"

/* ---- Added tokens ------------------------------------------------------------------------- */

/* A token that a text may spell out, which is then cut out of it whole: a special token such as
 * "[MASK]", a run of spaces, a placeholder. */
struct added_token {
    char *content; /* valid UTF-8, not empty */
    int32_t id;
    bool normalized;      /* is looked for in the normalised text, not in the raw one */
    bool left, right;     /* swallows the white space on that side */
    bool special;         /* is no part of a text that is made of tokens */
    struct points points; /* what is looked for */
};

/* The most of them: each place of a text may be compared with all. */
#define ADDED_TOKENS_MAX 16384

/* The most points that a normaliser may make of a short one. */
#define ADDED_POINTS_MAX 4096

/* Starts as {0}. */
struct added_tokens {
    struct added_token **items;
    size_t count, capacity;
    void *by_content, *by_id; /* trees of them */
    bool opens[2][256]; /* the lowest bytes of the code points that begin one, by `normalized` */
};

/* Appends a copy; `content` is the caller's. A second token of the same content replaces the first.
 * STATUS_MEMORY. */
enum status added_put(struct added_tokens *tokens, const struct added_token *token,
                      struct error *error);

/* To be called once when all are there: what is looked for in a normalised text is the normalised
 * content. STATUS_MEMORY. */
enum status added_prepare(struct added_tokens *tokens, const struct normaliser *normaliser,
                          struct error *error);

/* By content, or, once all are prepared, by id; NULL when there is none. */
const struct added_token *added_find(const struct added_tokens *tokens, const char *content);
const struct added_token *added_of_id(const struct added_tokens *tokens, int32_t id);

/* Where one stands: points first … end-1, the swallowed white space among them. */
struct added_match {
    const struct added_token *token;
    size_t first, end;
};

/* The first token from point `from` on, of those at the same place the longest; false if there is
 * none. */
bool added_next(const struct added_tokens *tokens, bool normalized, const struct points *points,
                size_t from, struct added_match *match);

void added_free(struct added_tokens *tokens);

/* ---- Splitters ---------------------------------------------------------------------------- */

/* A tokenizer has a list of them; each looks for something in the words that the one before it
 * left, and makes words of it. Source: Hugging Face tokenizers, pre_tokenizers/ and
 * tokenizer/normalizer.rs (split). */

/* Which are words: what is found, or what stands between. */
enum splitter_rule {
    RULE_WHOLE,    /* nothing is looked for */
    RULE_ISOLATED, /* both are */
    RULE_KEPT,     /* what is found */
    RULE_REMOVED,  /* what stands between */
    RULE_PREVIOUS, /* what stands between, together with what is found behind it … */
    RULE_NEXT,     /* … or before it */
};

enum prefix {
    PREFIX_NEVER,
    PREFIX_FIRST, /* in front of what the text begins with */
    PREFIX_ALWAYS,
};

#define ALTERNATIVES_MAX 24

struct splitter {
    enum splitter_rule rule;
    uint8_t alternatives[ALTERNATIVES_MAX]; /* of an expression: splitter_look_for */
    size_t count;                           /* of them; 0: looks for `mark` */
    int32_t mark;
    int32_t space;      /* what ' ' becomes before, and what is put in front; 0: nothing */
    enum prefix prefix; /* when it is */
    bool bytes;         /* words become the byte characters of their bytes */
};

/* Expressions: GPT-2's, and what BERT calls punctuation, a mark, and what stands between marks. */
#define SPLITTER_GPT2                                                                              \
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"
#define SPLITTER_MARK  "[!-/:-@\\[-`{-~\\p{P}]"
#define SPLITTER_PLAIN "[^\\s!-/:-@\\[-`{-~\\p{P}]+"

/* Looks for the first of the alternatives of an expression that matches, which have to be among
 * those that splitter.c lists; {0}, or the one that isn't. \s is White_Space, as in the reference.
 */
struct text splitter_look_for(struct splitter *splitter, struct text expression);

/* The word as the splitter rewrites it before splitting, in *buffer, or as it is where it does not.
 * What is put in front comes from the first point. */
const struct points *splitter_rewrite(const struct splitter *splitter, const struct points *word,
                                      struct points *buffer);

/* The number of points, at least 1, up to the end of the word that begins at `first` <
 * points->count; or of the gap there, then *gap is set. Through a whole text that takes time in
 * proportion to its length. */
size_t splitter_length(const struct splitter *splitter, const struct points *points, size_t first,
                       bool *gap);

/* ---- Frames ------------------------------------------------------------------------------- */

#define FRAME_MAX 16

/* A text, or a special token. */
struct frame_item {
    bool is_text;        /* the first text is followed by the second */
    int32_t id;          /* of a special token; -1 if the vocabulary lacks it */
    uint8_t type;        /* of its tokens, see struct token */
    const char *setting; /* that names a special token, for messages; static */
};

struct frame {
    size_t count;
    struct frame_item items[FRAME_MAX];
};

/* ---- Decoders ----------------------------------------------------------------------------- */

enum decoder_kind {
    DECODER_WORDPIECE, /* a space before each piece without "##" */
    DECODER_BYTES,     /* pieces spell bytes */
    DECODER_MARKS,     /* marks are spaces */
};

#define DECODER_MARK_MAX 16

/* How pieces become text. */
struct decoder {
    enum decoder_kind kind;
    bool loose;                  /* of DECODER_WORDPIECE: a space before punctuation, too */
    char mark[DECODER_MARK_MAX]; /* "▁", "</w>" */
    bool first, last;            /* marks of the first piece, of the last, are no spaces */
    bool fallback;               /* "<0xE6>" is a byte */
    size_t start, stop;          /* so many spaces are left out there */
};

/* ---- The whole ---------------------------------------------------------------------------- */

#define SPLITTERS_MAX 4

struct tokenizer {
    struct added_tokens added;
    struct normaliser raw; /* of a whole text, before added tokens are cut out */
    struct normaliser normaliser;
    struct splitter splitters[SPLITTERS_MAX];
    size_t splitter_count;
    bool bytes; /* pieces spell bytes */
    enum piece_model model;
    struct vocabulary *vocabulary; /* the model's; added tokens may have ids behind it */
    struct bpe *bpe;               /* of PIECES_BPE */
    char suffix[BPE_SUFFIX_MAX];   /* of pieces that end a word; or "" */
    struct unigram *unigram;       /* of PIECES_UNIGRAM */
    struct vocabulary *scored;     /* its pieces, where their ids are not their own; else NULL */
    bool codes;                    /* languages may be named: tokenizer.c */
    int32_t unknown, mask;         /* ids; -1: none */
    size_t size;                   /* ids in all, V */
    size_t rows;                   /* ids that the model has; 0: not known */
    char **labels;                 /* [V'] of the vocabulary's pieces; NULL unless they spell bytes
                                      or have a suffix. One block */
    struct frame frames[2];        /* of one text, of two */
    struct decoder decoder;
    bool trims;      /* a token's span leaves out the spaces at its ends … */
    bool trims_less; /* … but for the one that was put before the text */
};

/* Sets the frames of one text and of two, made of two special tokens. Without `typed` all types are
 * 0, else those of what follows the first text's own separator are 1. */
void pipeline_frame(struct tokenizer *tokenizer, enum frame_style style, bool typed,
                    struct frame_item class, struct frame_item separator);

/* How many ids there are, of pieces and of the tokens that were added so far. */
size_t pipeline_size(const struct tokenizer *tokenizer);

/* How many bytes of a piece are its label: all but the suffix. */
size_t label_length(const struct tokenizer *tokenizer, const char *piece);

/* To be called when all is filled in; checks what has to fit together, makes the tokenizer ready,
 * and finds the mask: `mask` if it is not NULL, else what is customary. STATUS_MEMORY;
 * STATUS_FORMAT for an added token whose id is another's; STATUS_LIMIT for steps that make too much
 * of an added token. `name` is the file's, for messages. */
enum status pipeline_finish(struct tokenizer *tokenizer, const char *mask, const char *name,
                            struct error *error);
