/* text_helpers.h: what the suites of the tokenizers' models share. */
#pragma once

#include "headlight/text/tokenizer_reader.h"

#define FAMILY_FOLDER "tests/vectors/families/"

/* What the family of a model_type knows of its tokenizer. */
const struct tokenizer_family *text_family(const char *model_type);

/* Marian's. */
extern const struct tokenizer_family text_marian;

/* The bytes of a file; the caller's to free. */
struct text text_read(const char *path);

/* The SentencePiece model of a file, whose bytes must outlive it; free its pieces. */
struct sentencepiece text_model(struct text file);

/* A string's bytes, without its NUL. */
struct text text_of(const char *bytes);

/* The tokens of the texts, with or without those that frame them; the caller's to free. */
struct encoding *text_encode(const struct tokenizer *tokenizer, const struct text *texts,
                             size_t count, bool special);

/* Undoes \xNN in place. */
struct text text_unescape(char *field);

/* Where lists of points and tokens note what they lack. */
extern struct error text_error;

/* The code points of a text, each with its bytes as span; free with points_free. */
struct points text_points(struct text text);

/* Replaces the points by what a map of characters makes of them. */
void text_replace(struct charsmap *charsmap, struct points *points);

/* What was built as "id start:end" and a blank between, the builder then being {0}. */
void text_describe(struct encoding_builder *builder, char *out, size_t size);

/* The tokens of a text have these ids, with blanks between. */
void text_expect_ids(const struct tokenizer *tokenizer, struct text text, const char *ids,
                     int line);

/* Calls `check` for each of the texts in texts.tsv with the field that stands in a column, from 1.
 * The field is NUL-terminated. */
enum { COLUMN_XLM_ROBERTA = 1, COLUMN_WORDS, COLUMN_GPT2, COLUMNS };
void text_each_case(int column, void (*check)(struct text text, const char *field, int line));
