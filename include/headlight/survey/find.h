/* find.h: where else in a corpus a token's vector looks alike: the nearest tokens in their texts,
 * with the parts of speech and the relations of those found, as exBERT's page has it (Hoover et al.
 * 2020), beside those of all tokens. */
#ifndef HEADLIGHT_SURVEY_FIND_H
#define HEADLIGHT_SURVEY_FIND_H

#include "headlight/survey/index.h"

/* As many are looked for as on exBERT's page. */
#define FIND_BEST 50

/* Indexes that are searched side by side, such as those of shards; starts as zero. */
struct indexes {
    struct index **of;
    size_t count;
    uint64_t tokens; /* in all of them */
};

/* The file `first`, and others. Errors as index_open; indexes_close is due in any case. */
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
    size_t count;
    struct index_match *best;
    struct found_name *names[2]; /* parts of speech, relations */
    size_t name_count[2];
    unsigned asked;   /* for who asks: the number of the question, */
    char name[2][64]; /* and the token that it is about, in Unicode and in ASCII */
};

/* The `most` that are most like a vector. Errors as index_find and index_read_token. Free with
 * found_free, which accepts NULL. */
enum status found_new(const struct indexes *indexes, const struct index_space *space,
                      const float *vector, size_t width, size_t most, struct found **found,
                      struct error *error);
void found_free(struct found *found);

/* Its word piece; "" if the tokenizer has none of that number. */
const char *found_piece(const struct index_match *found, const struct tokenizer *tokenizer);

#endif
