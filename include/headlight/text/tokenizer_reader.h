/* tokenizer_reader.h: a tokenizer.json on its way into a tokenizer (pipeline.h). The older files
 * become what such a file would say, and are read by the same functions.
 *
 * A function that takes a reader returns whether it went well; when it is false, the reader's error
 * says why. */
#pragma once

#include "headlight/text/pipeline.h"

/* The most bytes of a tokenizer.json: 250,000 pieces with their scores are some 17 MB, and 260,000
 * with as many merges more than 32. */
#define TOKENIZER_JSON_MAX ((size_t)64 << 20)

/* Pieces and their scores in the order of their ids. */
struct scored_pieces {
    struct text *pieces;
    double *scores;       /* in the block that begins with the pieces, */
    unsigned char *types; /* and SentencePiece's types of them */
    size_t count;
};

/* What spiece.model, spm.model or sentencepiece.bpe.model says. The file is a protocol buffer,
 * google/sentencepiece src/sentencepiece_model.proto:
 *
 *     1  a piece: 1 text, 2 score, 3 type
 *     2  trainer: 3 type of model, 24 marks end words, 35 byte fallback, 40 id of the unknown piece
 *     3  normalizer: 2 charsmap; 3 mark in front, 4 fewest spaces, 5 spaces are marks
 *
 * Texts lie in the file's bytes. */
struct sentencepiece {
    struct scored_pieces
        scored;           /* with room for SENTENCEPIECE_MORE pieces; free them with free() */
    int32_t unknown;      /* id */
    struct text charsmap; /* see charsmap_new; of length 0 when there is none */
    bool unusual;         /* 24 of the trainer is set, or one of 3 to 5 is not */
};

/* What older files hold too much of to make it a tree first: the tree goes without. */
struct beside_tree {
    struct text lines;              /* pieces, one a line */
    cJSON *pieces;                  /* and their ids */
    const struct file_text *second; /* pairs to merge, one a line; or where `pieces` are from */
    struct sentencepiece model;     /* of other ids where there are `pieces` */
};

/* An object of a tokenizer.json, and what becomes of it. */
struct tokenizer_reader {
    struct json_reader at;
    struct tokenizer *tokenizer;      /* starts as {0}; the caller's to free even after a failure */
    const struct beside_tree *beside; /* NULL: the tree has all */
};

/* The same of another object, or value, of the file. */
static inline struct tokenizer_reader reader_of(const struct tokenizer_reader *in,
                                                const cJSON *object)
{
    struct tokenizer_reader of = *in;
    of.at.object = object;
    return of;
}

/* ---- Members of an object ----------------------------------------------------------------- */

/* A string that must be there, and may be empty. */
const char *reader_need(const struct json_reader *in, const char *name);

/* STATUS_UNSUPPORTED and false, unless the member is absent or, as JSON, the one that is wanted: a
 * setting that would change what comes out is refused rather than ignored. */
bool reader_expect(const struct json_reader *in, const char *name, const char *wanted);

/* ---- Parts of a tokenizer ----------------------------------------------------------------- */

/* Adds a token; what the object says of its flags goes before those of `token`.
 * STATUS_UNSUPPORTED for a "single_word". */
bool reader_added(const struct tokenizer_reader *in, const char *content, struct added_token token);

/* Reads the "normalizer" of a tokenizer.json into ->normaliser. */
bool reader_normalizer(const struct tokenizer_reader *in);

/* Reads the "model" of a tokenizer.json into ->model, ->vocabulary, ->unknown and what the model
 * needs. */
bool reader_model(const struct tokenizer_reader *in);

/* Reads all of a tokenizer.json (tokenizer_json.c), after which pipeline_finish is left to do.
 * STATUS_FORMAT, STATUS_UNSUPPORTED, STATUS_LIMIT, STATUS_MISMATCH for parts that don't fit. */
bool reader_json(const struct tokenizer_reader *in);

/* Room for `count` pieces; the pieces are NULL without memory. Free them with free(). */
struct scored_pieces reader_scored(const struct json_reader *in, size_t count);

/* One "type": the function that reads it, or NULL where it says all with its kind. */
struct reader_type {
    const char *name;
    bool (*read)(const struct tokenizer_reader *in);
    int kind, form;
};

/* The row of the object's type. NULL and STATUS_FORMAT for no object or no type,
 * STATUS_UNSUPPORTED, which names those that are known, for another type. */
const struct reader_type *reader_type_of(const struct tokenizer_reader *in, const char *what,
                                         const struct reader_type *types, size_t count);

/* Reads each item of the member that is a list. STATUS_FORMAT if it is none. */
bool reader_each(const struct tokenizer_reader *in, const char *name,
                 bool (*read)(const struct tokenizer_reader *));

/* ---- SentencePiece models ----------------------------------------------------------------- */

#define SENTENCEPIECE_MORE 6

/* The types of pieces that matter, of six; 0 where none is said, which is TYPE_NORMAL. */
enum piece_type { TYPE_NORMAL = 1, TYPE_UNKNOWN, TYPE_USER_DEFINED = 4, TYPE_BYTE = 6 };

/* Reads a file, whose bytes must outlive *model; after a failure there is nothing to free.
 * STATUS_FORMAT for bytes that are cut short or something else; STATUS_UNSUPPORTED for a model that
 * is not of the kind "unigram", or that falls back to bytes; STATUS_MEMORY. Whether the pieces are
 * UTF-8 and the scores finite, vocabulary_of and unigram_new check. */
bool reader_sentencepiece(const struct json_reader *in, struct text file,
                          struct sentencepiece *model);
