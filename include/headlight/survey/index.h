/* index.h: the vectors of every token of a corpus, and which of them are most like another: where
 * else a token, or what a head made of it, looks alike.
 *
 * A file is safetensors, which numpy maps. It has the table of a survey (survey_file.h) of no
 * heads, with "headlight_index" for the format's number. For T tokens, special ones included, of X
 * texts it has
 *
 *     layer.N     F16 [T,H]  the output of layer N,
 *     head.N.A    F16 [T,D]  what head A brought from others (weights·values, exBERT's context),
 *                            each divided by its length: a cosine is one product
 *     texts       I64 [X,3]  struct index_text
 *     tokens      I32 [T,7]  struct index_token
 *     strings     U8         each ends with a NUL */
#ifndef HEADLIGHT_SURVEY_INDEX_H
#define HEADLIGHT_SURVEY_INDEX_H

#include "headlight/base/mapping.h"
#include "headlight/model/checkpoint.h"
#include "headlight/model/forward.h"
#include "headlight/model/trace.h"
#include "headlight/survey/survey.h"
#include "headlight/tensor/safetensors.h"

/* Vectors of one kind: a layer's, or a head's. */
struct index_space {
    size_t layer, head; /* NO_HEAD: the layer's */
    char name[48];      /* of its array */
};

#define NO_HEAD ((size_t)-1)

struct index_space index_space(size_t layer, size_t head);

/* "3", a layer, or "3.1", a head of it, at `text`; returns what follows, NULL if there is none. */
const char *index_read_space(const char *text, struct index_space *space);

/* How many numbers a vector has. */
size_t index_width(const struct index_space *space, const struct config *config);

/* A token's vector in a trace. */
const float *index_vector(const struct index_space *space, const struct trace *trace, size_t token);

/* ---- Writing ---- */

#define INDEX_SPACES_MAX 64

/* A file is written in two passes over the texts: the first counts, so that every array has its
 * place in the file, and memory holds no more than the texts that are computed together:
 *
 *     index_new(checkpoint, survey, spaces, count, &index, &error);
 *     index_add(index, text, encoding, changes, &error);      of every text
 *     index_begin(index, path, &error);
 *     index_add(index, text, encoding, changes, &error);      of every text again
 *     index_end(index, &error);
 *     index_free(index); */
struct index_writer;

/* The survey (gather_begin), which gets counts and names, and the checkpoint must outlive it.
 * STATUS_MEMORY; STATUS_USAGE for a layer or a head that the model doesn't have. */
enum status index_new(const struct checkpoint *checkpoint, struct survey *survey,
                      const struct index_space *spaces, size_t count, struct index_writer **index,
                      struct error *error);

/* Accepts NULL. Nothing is left of a file that isn't whole. */
void index_free(struct index_writer *index);

/* STATUS_IO. */
enum status index_begin(struct index_writer *index, const char *path, struct error *error);

/* The encoding is the index's from here on; `changes` are the network's for this text, NULL: none.
 * STATUS_MEMORY, STATUS_LIMIT; errors as batch_run, after which nothing may be written. */
enum status index_add(struct index_writer *index, const struct corpus_text *text,
                      struct encoding *encoding, const struct interventions *changes,
                      struct error *error);

/* Moves the file into its place. STATUS_IO, also where the texts were others in the second pass. */
enum status index_end(struct index_writer *index, struct error *error);

/* ---- Reading ---- */

/* Bytes count in the text's words; a name is one of the metadata's, or -1. */
struct index_token {
    int32_t text;       /* which of the texts */
    int32_t piece;      /* the id of its word piece */
    int32_t place;      /* in the text, from 0 */
    int32_t begin, end; /* its bytes: from here to before there */
    int32_t pos;        /* of its word the part of speech, */
    int32_t relation;   /* and the relation to the word that it depends on */
};

/* The number of a text in its file; where among the strings its id begins, and its words: a tab
 * stands before the second of a pair. */
struct index_text {
    int64_t number, id, words;
};

struct index {
    char *path;
    struct survey *survey; /* which model, corpus and names; it has no sums */
    struct mapping mapping;
    struct safetensors *file;
    size_t tokens, texts, string_bytes; /* T X */
    const unsigned char *token_rows, *text_rows;
    const char *strings;
};

/* Whether it looks like one, as far as its metadata say. */
bool index_is(const char *path);

/* Errors as survey_read. Free with index_close. */
enum status index_open(const char *path, struct index **index, struct error *error);

/* Accepts NULL. */
void index_close(struct index *index);

/* A token with its text's id and words, which live as long as the index. STATUS_FORMAT where the
 * file is damaged. */
enum status index_read_token(const struct index *index, size_t token, struct index_token *result,
                             const char **id, const char **words, struct error *error);

/* The number of a token's text in its corpus. */
int64_t index_text_number(const struct index *index, const struct index_token *token);

/* How many names there are of parts of speech, or of relations; and one of them, NULL for -1. */
size_t index_names(const struct index *index, bool relations);
const char *index_name(const struct index *index, bool relations, int32_t name);

/* How many tokens have each part of speech, or each relation, of the survey's names. */
enum status index_count_names(const struct index *index, bool relations, uint64_t *counts,
                              struct error *error);

/* ---- Searching ---- */

struct index_match {
    const struct index *index;
    size_t token;
    float cosine;
};

/* Those most like a vector, of equal ones the first by corpus, number of the text and place; so
 * they are the same whether a corpus is in one index or in those of its shards. */
struct index_best {
    size_t room, count;
    struct index_match *matches; /* [room] */
};

/* Adds an index's to them. The numbers of a kept vector are rounded to 11 bits: a cosine is off by
 * 0.0005 at most, and by some 0.00001 as a rule. STATUS_MISMATCH if it lacks such vectors;
 * STATUS_MEMORY, and STATUS_IO as mapping_check. */
enum status index_find(const struct index *index, const struct index_space *space,
                       const float *vector, size_t width, struct index_best *best,
                       struct error *error);

/* ---- Between index.c and index_write.c ---- */

#define INDEX_STRINGS       "strings"
#define INDEX_TEXTS         "texts"
#define INDEX_TEXT_NUMBERS  (sizeof(struct index_text) / sizeof(int64_t))
#define INDEX_TOKENS        "tokens"
#define INDEX_TOKEN_NUMBERS (sizeof(struct index_token) / sizeof(int32_t))

/* 1/|vector|; 0 of one without length. */
double index_scale(const float *vector, size_t width);

#endif
