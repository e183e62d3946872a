/* texts.h: many texts from one file, one at a time: a corpus of any size in the memory of one text.
 *
 *     struct texts *texts;
 *     if (texts_open("dev.conllu", &choice, &texts, &error) == STATUS_OK)
 *         for (const struct corpus_text *text; texts_next(texts, &text, &error) == STATUS_OK &&
 * text;) …; texts_close(texts);
 *
 * .txt     a text a line; a tab comes before the second of a pair
 * .jsonl   an object a line: id, a, b or words, answer, label, tags, and whatever else is carried
 *          through
 * .conllu  sentences of words with UPOS, HEAD and DEPREL (Universal Dependencies); ranges ("1-2")
 * and empty nodes ("8.1") are passed over
 *
 * "-" is standard input, whose first line tells which of the three it is. CRLF and a byte order
 * mark are accepted. */
#ifndef HEADLIGHT_SURVEY_TEXTS_H
#define HEADLIGHT_SURVEY_TEXTS_H

#include "headlight/base/error.h"
#include "headlight/text/encoding.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_WORD ((size_t)-1)

/* A word that the file gives. */
struct corpus_word {
    struct text form;
    struct text upos, relation; /* of length 0 if not given */
    size_t head; /* index of the word that it depends on; NO_WORD: the root, or none */
};

/* One text of a corpus; everything in it is valid until the next. Texts are valid UTF-8. */
struct corpus_text {
    uint64_t number; /* its place among all texts of the file, from 0, whatever was chosen */
    size_t line;     /* of the file, from 1: the first of it */
    uint64_t hash;   /* corpus_hash of its id */
    const char *id;  /* sent_id, "id", or the number */
    struct text texts[2];
    size_t text_count;
    const struct corpus_word *words; /* of texts[0], joined by single blanks; NULL if not given */
    size_t word_count;
    struct text answer, label; /* of length 0 if not given */
    const struct text *tags;   /* [word_count]; NULL if not given */
    struct text carried; /* the other members of a .jsonl line as JSON, "x":1,"y":[2]; or empty */
};

/* Which texts of the file are wanted. {.parts = 1}: all. */
struct corpus_choice {
    uint64_t sample; /* so many, those of the least hashes with the seed; 0: all */
    uint64_t seed;
    uint64_t part, parts; /* those whose hash modulo parts is part */
};

struct texts;

/* STATUS_IO. Free with texts_close. */
enum status texts_open(const char *path, const struct corpus_choice *choice, struct texts **texts,
                       struct error *error);

/* The next text that is wanted; *text is NULL at the end. STATUS_FORMAT or STATUS_LIMIT for a line
 * that can't be read: the message has file and line, *text its number, line and, if known, id; the
 * next call goes on behind it. Others (STATUS_IO, STATUS_MEMORY) end it. */
enum status texts_next(struct texts *texts, const struct corpus_text **text, struct error *error);

/* Bytes read and bytes in all; 0 in all if that isn't known. For progress. */
void texts_progress(const struct texts *texts, uint64_t *read, uint64_t *all);

/* The file's name without its folder; "-" for standard input. */
const char *texts_name(const struct texts *texts);

/* Accepts NULL. */
void texts_close(struct texts *texts);

/* 64 bits of an id that don't depend on the machine: FNV-1a, mixed as in splitmix64. */
uint64_t corpus_hash(const char *id, size_t length, uint64_t seed);

#endif
