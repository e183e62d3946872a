/* index.h: the vectors of every token of a corpus, and which of them are most like another: where
 * else a token, or what a head made of it, looks alike, with the parts of speech and the relations
 * of those found, as exBERT's page has it (Hoover et al. 2020), beside those of all tokens.
 *
 * A file is safetensors, which numpy maps: the table of a survey (survey_file.h) of no heads, with
 * "headlight_index" for the format's number, all of its texts and, of parts of speech and
 * relations, how many tokens have them; and for T tokens, special ones included,
 *
 *     tokens      I32 [T,7]  struct index_token
 *     layer.N     F16 [T,H]  the output of layer N,
 *     head.N.A    F16 [T,D]  what head A brought from others (weights·values, exBERT's context),
 *                            each divided by its length: a cosine is one product */
#pragma once

#include "headlight/model/checkpoint.h"
#include "headlight/survey/survey.h"

/* Vectors of one kind: a layer's, or a head's. */
struct index_space {
    size_t layer, head; /* NO_HEAD: the layer's */
    char name[48];      /* of its array */
};

struct index_space index_space(size_t layer, size_t head);

/* "3", a layer, or "3.1", a head of it, at `text`; returns what follows, NULL if there is none. */
const char *index_read_space(const char *text, struct index_space *space);

/* How many numbers a vector has. */
size_t index_width(const struct index_space *space, const struct config *config);

/* A token's vector in a trace. */
const float *index_vector(const struct index_space *space, const struct trace *trace, size_t token);

/* ---- Writing ---- */

#define INDEX_SPACES_MAX 64

/* In one pass over the texts. Vectors wait on the disk, beside the file; what is known of tokens
 * and texts waits in memory, some 60 bytes a token and the texts themselves:
 *
 *     index_new(checkpoint, survey, path, spaces, count, &index, &error);
 *     index_add(index, text, encoding, changes, &error);      of every text
 *     index_end(index, &error);
 *     index_free(index); */
struct index_writer;

/* The survey (gather_begin), which gets counts and names, and the checkpoint must outlive it.
 * STATUS_MEMORY; STATUS_IO; STATUS_USAGE for a layer or a head that the model doesn't have. */
enum status index_new(const struct checkpoint *checkpoint, struct survey *survey, const char *path,
                      const struct index_space *spaces, size_t count, struct index_writer **index,
                      struct error *error);

/* Accepts NULL. Nothing is left of a file that isn't whole. */
void index_free(struct index_writer *index);

/* The encoding is the index's from here on; `changes` are the network's for this text, NULL: none.
 * STATUS_MEMORY, STATUS_LIMIT, STATUS_IO; errors as batch_run, after which nothing may be written.
 */
enum status index_add(struct index_writer *index, const struct corpus_text *text,
                      struct encoding *encoding, const struct interventions *changes,
                      struct error *error);

/* Puts the file into its place. STATUS_IO. */
enum status index_end(struct index_writer *index, struct error *error);

/* ---- Reading ---- */

/* Bytes count in the text's words; text, part of speech and relation are rows of their kind, or -1.
 */
struct index_token {
    int32_t text;
    int32_t piece;      /* the id of its word piece */
    int32_t at;         /* its position in the text, from 0 */
    int32_t begin, end; /* its bytes: from here to before there */
    int32_t pos;        /* of its word the part of speech, */
    int32_t relation;   /* and the relation to the word that it depends on */
};

struct index {
    char *path;
    struct survey *survey; /* which model, corpus, texts and names; it has no sums */
    struct safetensors *file;
    size_t tokens; /* T */
    const unsigned char *token_rows;
};

/* Errors as survey_read. Free with index_close. */
enum status index_open(const char *path, struct index **index, struct error *error);

/* Accepts NULL. */
void index_close(struct index *index);

/* A token, and what is known of it once it is read; all names live as long as the index. */
struct index_match {
    const struct index *index;
    size_t at; /* among its tokens */
    float cosine;

    struct index_token token;
    int64_t number;             /* its text's in the corpus, */
    const char *id, *words;     /* and what this is called, and is */
    const char *pos, *relation; /* of its word; NULL: not known */
};

/* Reads it where it is. STATUS_FORMAT where the file is damaged. */
enum status index_read_token(struct index_match *match, struct error *error);

/* ---- Searching ---- */

/* As many are looked for as on exBERT's page. */
#define FIND_BEST 50

/* Indexes that are searched side by side, such as those of shards; starts as zero. */
struct indexes {
    struct index **of;
    size_t count;
    uint64_t tokens; /* in all of them */
};

/* The file `first`, and others. Errors as index_open, and STATUS_MISMATCH where two have the same
 * texts; indexes_close is due in any case. */
enum status indexes_open(struct indexes *indexes, const char *first, char *const *others,
                         size_t count, struct error *error);
void indexes_close(struct indexes *indexes);

/* STATUS_MISMATCH unless all are of this model, whose digest takes a second for each 200 MB. */
enum status indexes_check(const struct indexes *indexes, const struct model *model,
                          struct error *error);

/* Whether the first keeps such vectors. */
bool indexes_keep(const struct indexes *indexes, const struct index_space *space);

/* A part of speech or a relation: of how many of those found, and of all. */
struct found_name {
    const char *name;
    uint64_t found, all;
};

/* The most alike first, and the most frequent names; texts belong to the indexes. */
struct found {
    struct index_space space;
    uint64_t tokens; /* that were searched */
    size_t capacity, count;
    struct index_match *best;    /* [capacity] of equal ones the first by corpus, text and position:
                                    the same whether a corpus is in one index or in shards' */
    struct found_name *names[2]; /* parts of speech, relations */
    size_t name_count[2];
    unsigned asked;   /* for who asks: the number of the question, */
    char name[2][64]; /* and the token that it is about, in Unicode and in ASCII */
};

/* Adds what an index has. The numbers of a kept vector are rounded to 11 bits: a cosine is off by
 * 0.0005 at most, and by some 0.00001 as a rule. STATUS_MISMATCH if it lacks such vectors;
 * STATUS_MEMORY, and STATUS_IO as mapping_check. */
enum status index_find(const struct index *index, const float *vector, size_t width,
                       struct found *found, struct error *error);

/* The `most` that are most like a vector. Errors as index_find and index_read_token. Free with
 * found_free, which accepts NULL. */
enum status found_new(const struct indexes *indexes, const struct index_space *space,
                      const float *vector, size_t width, size_t most, struct found **found,
                      struct error *error);
void found_free(void *found);

/* ---- Between index.c and index_write.c ---- */

#define INDEX_TOKENS        "tokens"
#define INDEX_TOKEN_NUMBERS (sizeof(struct index_token) / sizeof(int32_t))

/* 1/|vector|; 0 of one without length. */
double index_scale(const float *vector, size_t width);
