/* texts.h: many texts from one file, one at a time: a corpus of any size in the memory of one text.
 *
 *     struct corpus *corpus;
 *     if (corpus_open("dev.conllu", &choice, &corpus, &error) == STATUS_OK)
 *         while (corpus_next(corpus, &text, &error) == STATUS_OK && text)
 *             …;
 *     corpus_close(corpus);
 *
 * .txt     a text a line; a tab stands before the second of a pair
 * .jsonl   an object a line: id, a, b or words, answer, label, tags, alignment; anything else is
 *          carried through
 * .csv     a row a text, with commas between (RFC 4180): the first has the columns' names
 * .tsv     the same with tabs, and without quotes
 * .conllu  sentences of words with UPOS, HEAD and DEPREL (Universal Dependencies); ranges ("1-2")
 *          and empty nodes ("8.1") are passed over. Heads are taken as they stand: that they make a
 *          tree is not asked for, but no word is its own head.
 * .fasta   proteins: a line ">id …" and the lines of a sequence, which are joined
 *
 * Another name, a pipe and "-", which is standard input, are one of these by their first line: an
 * object, ">" and a name, a comment ("# ") or ten columns, a row where columns are named, or else
 * text; but a list of JSON and the words of CoNLL-2003 are refused. Lines may end in CRLF, a byte
 * order mark may stand in front. Lines of nothing but blanks and tabs part sentences, and are
 * otherwise passed over. Bytes that aren't UTF-8 become U+FFFD, as does
 * \u0000 in JSON; NULs are left out. */
#pragma once

#include "headlight/text/encoding.h"

#define NO_WORD ((size_t)-1)

/* The most bytes of a line, or of the lines of a sentence. */
#define TEXTS_BYTES_MAX ((size_t)4 << 20)

/* A word that the file gives. */
struct corpus_word {
    struct text form;           /* within texts[0] */
    struct text upos, relation; /* of length 0 if not given */
    size_t head; /* index of the word that it depends on; NO_WORD: the root, or none */
};

/* One text of a corpus; everything in it is valid until the next. Texts are valid UTF-8. */
struct corpus_text {
    uint64_t number; /* its place among all texts of the file, from 0, whatever was chosen */
    size_t line;     /* of the file, from 1: the first of it */
    uint64_t hash;   /* corpus_hash of its id */
    const char *id;  /* sent_id, "id", FASTA's, or the number; not empty */
    struct text texts[2];
    size_t text_count;
    bool repaired; /* the file has bytes there that aren't UTF-8: here they are U+FFFD */
    const struct corpus_word *words; /* of texts[0], joined by single blanks; NULL if not given */
    size_t word_count;
    struct text answer, label; /* of length 0 if not given */
    struct text alignment;     /* of texts[0] to texts[1]; its bytes are NULL if not given */
    const struct text *tags;   /* [word_count]; NULL if not given */
    struct text carried;       /* the members of a .jsonl line but id, a, b, words: "x":1,"y":[2].
                                * As cJSON prints them, and what isn't seen is escaped
                                * (base/format.h); of a row the other columns, as strings */
};

/* Which texts of the file are wanted. {0} or {.parts = 1}: all. A sample is one of the whole file;
 * its part is taken of that. */
struct corpus_choice {
    uint64_t sample; /* so many, those of the least hashes with the seed, of equal ones the earlier;
                      * 0: all */
    uint64_t seed;
    uint64_t part, parts; /* those whose hash modulo parts is part */
    const char *columns;  /* that have the texts: "text" or "question,context"; NULL: a and b of
                             .jsonl */
    struct text bytes;    /* of the file, which outlive the corpus; NULL: they are read */
};

/* Where a text begins. */
struct corpus_position {
    uint64_t offset, number;
    size_t line; /* those before it */
};

struct corpus;

/* For a sample the whole file is read once: STATUS_USAGE for what can't be read twice, such as
 * standard input. STATUS_IO; STATUS_UNSUPPORTED for a file that is compressed or in UTF-16, or has
 * no texts line by line; STATUS_USAGE for columns that it lacks. Free with corpus_close. */
enum status corpus_open(const char *path, const struct corpus_choice *choice,
                        struct corpus **corpus, struct error *error);

/* The next text that is wanted; *text is NULL at the end. STATUS_FORMAT or STATUS_LIMIT for one
 * that can't be read: the message has file and line, *text its number, line and id (the number, if
 * the id isn't known), by which it is wanted or not as any other; the next call goes on behind it.
 * Others (STATUS_IO, STATUS_MEMORY, STATUS_UNSUPPORTED) end it. */
enum status corpus_next(struct corpus *corpus, const struct corpus_text **text,
                        struct error *error);

/* Reads the whole file once, for the places of the *count texts that are wanted and can be read;
 * then any of them can be gone to. 24 bytes a text. STATUS_USAGE for what can't be read twice;
 * others as corpus_next. */
enum status corpus_index(struct corpus *corpus, size_t *count, struct error *error);

/* The next one is that of the index. STATUS_IO. */
enum status corpus_go(struct corpus *corpus, size_t index, struct error *error);

/* Where the next text begins, and going there again. STATUS_IO. */
struct corpus_position corpus_here(const struct corpus *corpus);
enum status corpus_back(struct corpus *corpus, struct corpus_position to, struct error *error);

/* Puts the file and the last text's line in front of an error's message; returns its status. */
enum status corpus_locate(const struct corpus *corpus, struct error *error);

/* Takes off the byte order mark that a text may begin with, which ends in NUL. STATUS_UNSUPPORTED,
 * in which `input` is how the program is called on standard input, if it is compressed or in
 * UTF-16. */
enum status texts_begin(const char *source, const char *input, struct text *text,
                        struct error *error);

/* Bytes read and bytes in all; 0 in all if that isn't known. For progress. */
void corpus_progress(const struct corpus *corpus, uint64_t *read, uint64_t *all);

/* The file's name without its folder; "-" for standard input. */
const char *corpus_name(const struct corpus *corpus);

/* Which of its texts are wanted, as it was opened. */
struct corpus_choice corpus_chosen(const struct corpus *corpus);

/* Accepts NULL. */
void corpus_close(struct corpus *corpus);

/* 64 bits of an id that don't depend on the machine: of the numbers that splitmix64 (Steele et al.
 * 2014) gives when it begins with the id's FNV-1a, the one with the number `seed`, from 0. */
uint64_t corpus_hash(const char *id, size_t length, uint64_t seed);

/* Whether nothing but blanks, tabs and line ends stands there. */
bool texts_is_blank(const char *bytes, size_t length);
