/* tokenizer_reader.h: files on their way into a tokenizer (pipeline.h): what the reader of a
 * tokenizer.json and that of the older files share.
 *
 * A function that takes a reader returns whether it went well; when it is false, reader->error says
 * why. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_READER_H
#define HEADLIGHT_TEXT_TOKENIZER_READER_H

#include "headlight/text/pipeline.h"

#include <cjson/cJSON.h>

/* The most bytes of a tokenizer.json: 250,000 pieces with their scores are some 17 MB, and 260,000
 * with as many merges more than 32. */
#define TOKENIZER_JSON_MAX ((size_t)64 << 20)

struct tokenizer_reader {
    struct tokenizer *tokenizer; /* starts as {0}; the caller's to free even after a failure */
    const char *source;          /* the file's name, for messages */
    struct error *error;
};

/* Sets the error to "SOURCE: …"; false. */
bool reader_fail(const struct tokenizer_reader *in, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- Members of an object ----------------------------------------------------------------- */

/* A member that is absent or null leaves *value as it was. */
bool reader_bool(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 bool *value);
bool reader_size(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 size_t *value);
bool reader_string(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                   const char **value);

/* A string that must be there, and may be empty. */
bool reader_need(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 const char **value);

/* STATUS_UNSUPPORTED, unless the member is absent or as wanted. */
bool reader_expect(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                   bool wanted);

/* ---- Parts of a tokenizer ----------------------------------------------------------------- */

/* Adds a step, which is the normaliser's also after a failure, unless it is STEP_NONE. */
bool reader_step(const struct tokenizer_reader *in, struct normal_step step);

/* Adds BERT's steps, by the names of two settings; "strip_accents" is the third. */
bool reader_bert_steps(const struct tokenizer_reader *in, const cJSON *settings, const char *lower,
                       const char *ideographs);

/* Adds a token; what `item`, which may be NULL, says of its flags goes before those of `token`.
 * STATUS_UNSUPPORTED for a "single_word". */
bool reader_added(const struct tokenizer_reader *in, const cJSON *item, const char *content,
                  struct added_token token);

/* Reads the "normalizer" of a tokenizer.json into ->normaliser. */
bool reader_normalizer(const struct tokenizer_reader *in, const cJSON *item);

/* Reads the "model" of a tokenizer.json into ->model, ->vocabulary, ->unknown and what the model
 * needs. */
bool reader_model(const struct tokenizer_reader *in, const cJSON *model);

/* Reads a tokenizer.json (tokenizer_json.c). `mask` is the piece that masks a token; NULL: [MASK]
 * or <mask>, if there is one. STATUS_FORMAT, STATUS_UNSUPPORTED, STATUS_LIMIT, STATUS_MISMATCH for
 * parts that don't fit. */
bool reader_json(const struct tokenizer_reader *in, struct text json, const char *mask);

/* Makes the vocabulary of an object of pieces and ids, half of which may be left out where there
 * may be `holes`. */
bool reader_vocabulary(const struct tokenizer_reader *in, const cJSON *object, bool holes);

/* Pieces and their scores in the order of their ids: room for `count` of them, NULL without memory;
 * and the vocabulary and the model that they make. Free the pieces with free(). */
struct scored_pieces {
    struct text *pieces;
    double *scores; /* in the block that begins with the pieces */
    size_t count;
};
struct scored_pieces reader_scored(const struct tokenizer_reader *in, size_t count);
bool reader_unigram(const struct tokenizer_reader *in, const struct scored_pieces *scored,
                    int32_t unknown);

/* Makes the model of merges, 2·count pieces. */
bool reader_merges(const struct tokenizer_reader *in, const struct text *merges, size_t count);

/* "a b" to its two pieces; false where it is anything else. */
bool reader_split_merge(struct text line, struct text halves[2]);

/* One "type": the function that reads it, or NULL where it says all with its kind. */
struct reader_type {
    const char *name;
    bool (*read)(const struct tokenizer_reader *in, const cJSON *item);
    int kind, form;
};

/* The row of the item's type. NULL and STATUS_FORMAT for no object or no type, STATUS_UNSUPPORTED,
 * which names those that are known, for another type. */
const struct reader_type *reader_type_of(const struct tokenizer_reader *in, const cJSON *item,
                                         const char *what, const struct reader_type *types,
                                         size_t count);

/* Reads each item of the member that is a list. STATUS_FORMAT if it is none. */
bool reader_each(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 bool (*read)(const struct tokenizer_reader *, const cJSON *));

/* ---- The files of a byte-level BPE -------------------------------------------------------- */

/* Reads a vocab.json, {"piece": id, …}. STATUS_FORMAT unless the ids are 0 … V-1, each once, of V
 * different pieces; STATUS_LIMIT and STATUS_MEMORY as for any JSON. */
bool reader_vocab_json(const struct tokenizer_reader *in, struct text text);

/* Reads a merges.txt: after an optional first line "#version…" a pair "a b" a line, of falling
 * importance. STATUS_FORMAT for an empty text or another line, STATUS_MISMATCH, STATUS_MEMORY. */
bool reader_merges_txt(const struct tokenizer_reader *in, struct text text);

/* ---- The older files ---------------------------------------------------------------------- */

/* A file and its name, for messages. bytes is NULL for a file that is not there. */
struct named_text {
    struct text text;
    const char *name;
};

/* The files beside a vocabulary: tokenizer_config.json, special_tokens_map.json,
 * added_tokens.json. */
enum { SETTINGS_CONFIG, SETTINGS_MAP, SETTINGS_ADDED, SETTINGS_FILES };

/* What they say. */
struct tokenizer_settings {
    const cJSON *config;                      /* NULL when there is no file */
    const char *name;                         /* of its file */
    const cJSON *listed;                      /* all added tokens, added_tokens_decoder; NULL: none,
                                                 and the other two files say them */
    const cJSON *more[4];                     /* the first of special tokens without a name */
    const char *special[SPECIAL_TOKEN_COUNT]; /* "[UNK]"; NULL when it is not named */
    bool left[SPECIAL_TOKEN_COUNT];           /* whether it swallows the spaces before it */
    cJSON *objects[SETTINGS_FILES];           /* own what the rest points to */
    const char *names[SETTINGS_FILES];        /* of the files */
};

/* Reads the settings; what the first file doesn't name, the second may. Free with
 * tokenizer_settings_free, also after a failure. STATUS_FORMAT when one is not JSON or a special
 * token has the wrong type. */
enum status tokenizer_settings_read(const struct named_text files[SETTINGS_FILES],
                                    struct tokenizer_settings *settings, struct error *error);

void tokenizer_settings_free(struct tokenizer_settings *settings);

/* What a tokenizer is made of. */
struct tokenizer_files {
    bool is_json;           /* the vocabulary is a tokenizer.json, which says all itself */
    enum piece_model model; /* else: that the files are for */
    const struct tokenizer_family *family;
    const struct tokenizer_settings *settings;
    struct named_text vocabulary; /* vocab.txt, vocab.json, a SentencePiece model, tokenizer.json */
    struct named_text merges;     /* merges.txt */
};

/* Builds a tokenizer; NULL after an error, which is one of the files' readers, STATUS_FORMAT for an
 * unknown token that the vocabulary lacks, or STATUS_UNSUPPORTED for a family without such files.
 */
enum status tokenizer_from_files(const struct tokenizer_files *files, struct tokenizer **tokenizer,
                                 struct error *error);

/* Reads a SentencePiece model, with the settings beside it. */
bool reader_sentencepiece(const struct tokenizer_reader *in, const struct tokenizer_files *files);

/* ---- SentencePiece models ----------------------------------------------------------------- */

/* What spiece.model, spm.model or sentencepiece.bpe.model says. The file is a protocol buffer,
 * google/sentencepiece src/sentencepiece_model.proto:
 *
 *     1  a piece: 1 text, 2 score, 3 type
 *     2  trainer: 3 type of model, 35 byte fallback, 40 id of the unknown piece
 *     3  normalizer: 2 charsmap
 *
 * Other fields are passed over. */
enum sentencepiece_type {
    SENTENCEPIECE_NORMAL = 1,
    SENTENCEPIECE_UNKNOWN,
    SENTENCEPIECE_CONTROL,
    SENTENCEPIECE_USER_DEFINED,
    SENTENCEPIECE_UNUSED,
    SENTENCEPIECE_BYTE, /* refused */
};

/* Texts lie in the file's bytes. */
struct sentencepiece {
    size_t count;
    struct text *pieces;            /* [V], in the order of their ids */
    double *scores;                 /* [V] */
    enum sentencepiece_type *types; /* [V] */
    int32_t unknown;                /* id */
    struct text charsmap;           /* see charsmap_new; of length 0 when there is none */
};

/* Reads the bytes of a model, which must outlive *model. Free with sentencepiece_free.
 * STATUS_FORMAT for bytes that are cut short or something else; STATUS_UNSUPPORTED for a model that
 * is not of the kind "unigram", or that falls back to bytes; STATUS_MEMORY. Whether the pieces are
 * UTF-8 and the scores finite, vocabulary_of and unigram_new check. */
enum status sentencepiece_read(struct text text, const char *name, struct sentencepiece *model,
                               struct error *error);

/* Accepts {0}, and what a failure left. */
void sentencepiece_free(struct sentencepiece *model);

#endif
