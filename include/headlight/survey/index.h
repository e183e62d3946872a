/* index.h: the vectors of every token of a corpus, and which of them are most like another: where
 * else a token, or what a head made of it, looks alike.
 *
 * A file is safetensors, which numpy maps. Its metadata are a survey's (survey_file.h), with
 * "headlight_index" for the format's number. For T tokens, special ones included, of X texts it has
 *
 *     layer.N         F16 [T,H]  the output of layer N,
 *     head.N.A        F16 [T,D]  what head A brought from others (weights·values, exBERT's
 * context), each divided by its length: a cosine is one product tokens.text     I32 [T]    which of
 * the texts tokens.piece    I32 [T]    its word piece's id tokens.place    I32 [T]    its place in
 * the text, from 0 tokens.begin    I32 [T]    its bytes in the text: from here tokens.end      I32
 * [T]    to before these tokens.pos      I16 [T]    of its word the part of speech, of the
 * metadata's names; or -1 tokens.relation I16 [T]    and the relation to the word that it depends
 * on texts.number    I64 [X]    the text's number in its file texts.id        I64 [X]    where its
 * id begins among the strings, texts.words     I64 [X]    and the text; a tab stands before the
 * second of a pair strings         U8         each ends with a NUL */
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
 *     index_new(checkpoint, precision, survey, spaces, count, &index, &error);
 *     index_add(index, text, encoding, &error);      of every text
 *     index_begin(index, path, &error);
 *     index_add(index, text, encoding, &error);      of every text again
 *     index_end(index, &error);
 *     index_free(index); */
struct index_writer;

/* The survey (gather_begin), which gets counts and names, and the checkpoint must outlive it.
 * STATUS_MEMORY; STATUS_USAGE for a layer or a head that the model doesn't have. */
enum status index_new(const struct checkpoint *checkpoint, enum precision precision,
                      struct survey *survey, const struct index_space *spaces, size_t count,
                      struct index_writer **index, struct error *error);

/* Accepts NULL. Nothing is left of a file that isn't whole. */
void index_free(struct index_writer *index);

/* STATUS_IO. */
enum status index_begin(struct index_writer *index, const char *path, struct error *error);

/* The encoding is the index's from here on. STATUS_MEMORY, STATUS_LIMIT; errors as batch_run, after
 * which nothing may be written. */
enum status index_add(struct index_writer *index, const struct corpus_text *text,
                      struct encoding *encoding, struct error *error);

/* Moves the file into its place. STATUS_IO, also where the texts were others in the second pass. */
enum status index_end(struct index_writer *index, struct error *error);

/* ---- Reading ---- */

struct index_token {
    int32_t text, piece, place, begin, end;
    int16_t pos, relation;
};

struct index {
    char *path;
    struct survey *survey; /* which model, corpus and names; it has no sums */
    struct mapping mapping;
    struct safetensors *file;
    size_t tokens, texts; /* T X */
};

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

/* The arrays of tokens, in their order. */
struct index_column {
    const char *name, *type;
    size_t place, size; /* in struct index_token, in bytes */
};
#define INDEX_COLUMNS 7
extern const struct index_column index_columns[INDEX_COLUMNS];

/* 1/|vector|; 0 of one without length. */
double index_scale(const float *vector, size_t width);

#endif
