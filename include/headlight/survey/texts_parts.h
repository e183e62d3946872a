/* texts_parts.h: what texts.c and the readers of its formats share. */
#pragma once

#include "headlight/base/json.h"
#include "headlight/survey/texts.h"

/* What one text is read from: a line, or the lines of a sentence, each with its end. Valid UTF-8
 * without NULs, but for the one behind its last byte; readers may write into it. */
struct texts_record {
    char *bytes;
    size_t length, capacity;
    uint64_t offset; /* in the file */
    size_t line;     /* the first one's number, from 1 */
    bool too_long;   /* only its beginning is here */
    bool repaired;   /* bytes that aren't UTF-8 became U+FFFD */
};

struct texts_made;

/* Makes a text of a record. A record without any, such as a comment alone, leaves text_count 0.
 * STATUS_FORMAT with a sentence that names neither file nor line; STATUS_MEMORY. */
typedef enum status texts_reader(struct texts_record *record, struct texts_made *made,
                                 struct error *error);
texts_reader texts_read_line, texts_read_json, texts_read_conllu, texts_read_row, texts_read_fasta;

/* The same of the object made->json. */
texts_reader texts_read_object;

/* The fields of a line, or the names in the first of a .csv or .tsv file; each ends in NUL. */
struct texts_row {
    struct text *items;
    size_t count, capacity;
};

/* The text that is made of a record, and its memory, which is kept from text to text. */
struct texts_made {
    struct corpus_text text;
    char *id;          /* in the record or the JSON; a NUL will be put behind it */
    size_t id_length;  /* 0: it has none */
    size_t wrong_line; /* that an error is about, counted from the record's, from 0 */
    char separator;    /* of a row: its kind's */
    struct corpus_word *words;
    size_t word_room;
    char *joined; /* the words with a blank between, and a NUL: no longer than the record */
    size_t joined_length, joined_room;
    struct text *tags;
    char *carried;
    cJSON *json;
    char number[24];        /* the id of a text without one */
    char *named;            /* columns that the user names, or NULL */
    const char *columns[2]; /* that have the texts: these, or .jsonl's own; NULL: no second one */
    struct texts_row row, header;
    char *header_bytes;     /* of the names; NULL before the first row, */
    uint64_t header_offset; /* which is read again where it is come back to */
};

/* The fields of a line between separators. Between commas quotes are taken off where they stand; a
 * NUL ends each. STATUS_FORMAT; STATUS_MEMORY. */
enum status texts_split(struct text line, char separator, struct texts_row *row,
                        struct error *error);

/* Adds a word of form.length > 0 bytes, which are copied, of a record that has at least one byte
 * more for each. STATUS_MEMORY. */
enum status texts_add_word(struct texts_made *made, struct text form, struct error *error);

/* Says that these were all: they are the first text. */
void texts_end_words(struct texts_made *made);

/* Ready for the next text. */
void texts_clear(struct texts_made *made);

/* And no further one. */
void texts_free(struct texts_made *made);
