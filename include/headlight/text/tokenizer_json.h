/* tokenizer_json.h: a tokenizer.json, in which Hugging Face's tokenizers say all that they do.
 *
 * What is read, by its "type":
 *
 *     normalizer      Sequence, BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD, StripAccents,
 *                     Strip, Replace (of a string, or of the expression " {2,}"), Prepend,
 *                     Precompiled
 *     pre_tokenizer   Sequence, BertPreTokenizer, ByteLevel, Metaspace, Whitespace,
 *                     WhitespaceSplit
 *     model           WordPiece, BPE (of bytes), Unigram; files older than the type are
 *                     recognised
 *     post_processor  Sequence, TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel
 *
 * All else is refused by name. "truncation", "padding" and "decoder" don't matter. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_JSON_H
#define HEADLIGHT_TEXT_TOKENIZER_JSON_H

#include "headlight/text/pipeline.h"

#include <cjson/cJSON.h>

/* The most bytes of a file: 250,000 pieces with their scores are some 17 MB. */
#define TOKENIZER_JSON_MAX ((size_t)32 << 20)

/* A file on its way into a tokenizer that starts as {0}. */
struct tokenizer_reader {
    struct tokenizer *tokenizer;
    const char *source; /* the file's name, for messages */
    struct error *error;
};

/* Reads a "normalizer" into ->normaliser. */
enum status tokenizer_json_normalizer(const struct tokenizer_reader *reader, const cJSON *item);

/* Reads the "model" of a file into ->model, ->vocabulary, ->unknown and what the model needs. */
enum status tokenizer_json_model(const struct tokenizer_reader *reader, const cJSON *model);

/* Reads the "post_processor", which may be NULL, into ->frames and ->trims. */
enum status tokenizer_json_frames(const struct tokenizer_reader *reader, const cJSON *item);

/* One "type", and the function that reads it. */
struct tokenizer_json_type {
    const char *name;
    enum status (*read)(const struct tokenizer_reader *reader, const cJSON *item);
};

/* Calls the function of the item's type. STATUS_FORMAT for no object or no type,
 * STATUS_UNSUPPORTED, which names those that are known, for another type. */
enum status tokenizer_json_read(const struct tokenizer_reader *reader, const cJSON *item,
                                const char *what, const struct tokenizer_json_type *types,
                                size_t count);

/* Reads each item of the member that is a list. STATUS_FORMAT if it is none. */
enum status
tokenizer_json_each(const struct tokenizer_reader *reader, const cJSON *item, const char *name,
                    enum status (*read)(const struct tokenizer_reader *, const cJSON *));

/* Reads a string that must be there, and may be empty. STATUS_FORMAT where it isn't. */
enum status tokenizer_json_need(const struct tokenizer_reader *reader, const cJSON *item,
                                const char *name, const char **value);

/* STATUS_UNSUPPORTED, unless the member is absent or false (or `wanted`). */
enum status tokenizer_json_expect(const struct tokenizer_reader *reader, const cJSON *item,
                                  const char *name, bool wanted);

#endif
