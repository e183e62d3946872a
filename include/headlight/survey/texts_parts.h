/* texts_parts.h: what texts.c and the readers of its formats share. */
#ifndef HEADLIGHT_SURVEY_TEXTS_PARTS_H
#define HEADLIGHT_SURVEY_TEXTS_PARTS_H

#include "headlight/base/json.h"
#include "headlight/survey/texts.h"

#include <stdio.h>

/* What one text is read from: a line, or the lines of a sentence, each with its end. Valid UTF-8
 * without NULs, but for the one behind its last byte; readers may write into it. */
struct texts_record {
    char *bytes;
    size_t length, room;
    uint64_t offset; /* in the file */
    size_t line;     /* the first one's number, from 1 */
    bool too_long;   /* only its beginning is here */
};

struct texts_made;

/* Makes a text of a record. A record without any, such as a comment alone, leaves text_count 0.
 * STATUS_FORMAT with a sentence that names neither file nor line; STATUS_MEMORY. */
typedef enum status texts_reader(struct texts_record *record, struct texts_made *made,
                                 struct error *error);
texts_reader texts_read_line, texts_read_json, texts_read_conllu, texts_read_row, texts_read_fasta;

/* The same of the object made->json. */
texts_reader texts_read_object;

struct texts_kind {
    const char *ending;
    texts_reader *read;
    const char *called; /* if a record has several lines: up to an empty one, */
    char opens;         /* or to the next that begins so */
    char
        separator; /* of a table's fields; between commas a line end within quotes ends no record */
};

/* A file, and the record that was read last. */
struct texts_source {
    char *path;                    /* as it is named in messages */
    const struct texts_kind *kind; /* NULL until the first record */
    bool columns;                  /* the user names some */
    FILE *stream;
    bool regular;    /* it can be read again */
    uint64_t size;   /* 0: not known */
    uint64_t offset; /* of what is read next */
    size_t line;     /* lines read */
    struct texts_record record;
};

/* A file or, unless they are NULL, bytes in memory of that name. All of it is zero before.
 * STATUS_IO. */
enum status texts_source_open(struct texts_source *source, const char *path, struct text bytes,
                              struct error *error);

/* The next record, if any is left. STATUS_IO, STATUS_MEMORY; STATUS_UNSUPPORTED for what isn't
 * UTF-8 text. */
enum status texts_source_read(struct texts_source *source, bool *found, struct error *error);

/* Goes on at an offset, before which there are so many lines. STATUS_IO. */
enum status texts_source_seek(struct texts_source *source, uint64_t offset, size_t line,
                              struct error *error);

/* Accepts one that couldn't be opened. */
void texts_source_close(struct texts_source *source);

/* The fields of a line, or the names in the first of a .csv or .tsv file; each ends in NUL. */
struct texts_row {
    struct text *items;
    size_t count, room;
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
    char *joined; /* the words with a blank between, and a NUL */
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

/* Adds a word of form.length > 0 bytes, which are copied. STATUS_MEMORY. */
enum status texts_add_word(struct texts_made *made, struct text form, struct error *error);

/* Says that these were all: they are the first text. */
void texts_end_words(struct texts_made *made);

/* Ready for the next text. */
void texts_clear(struct texts_made *made);

/* And no further one. */
void texts_free(struct texts_made *made);

#endif
