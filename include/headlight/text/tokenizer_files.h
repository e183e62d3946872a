/* tokenizer_files.h: tokenizers from the files of the time before tokenizer.json, which leave
 * unsaid what every program of a family knows. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_FILES_H
#define HEADLIGHT_TEXT_TOKENIZER_FILES_H

#include "headlight/text/pipeline.h"
#include "headlight/text/tokenizer_settings.h"

struct family; /* what config.json calls "model_type" */

/* BERT's for NULL; NULL for a family whose files always have a tokenizer.json, or that is not
 * known. */
const struct family *family_named(const char *model_type);

/* The files a tokenizer is made of. What a kind doesn't need is left out. */
struct tokenizer_files {
    const struct family *family;
    struct named_text vocabulary; /* vocab.txt, vocab.json, or a SentencePiece model */
    struct named_text merges;     /* merges.txt */
    struct tokenizer_settings *settings;
};

/* From a vocab.txt; from a vocab.json and a merges.txt; from a SentencePiece model. Errors are
 * those of the files' readers, and STATUS_FORMAT for an unknown token that the vocabulary lacks,
 * STATUS_UNSUPPORTED for a family that has no such files. *tokenizer starts as {0}, and is the
 * caller's to free even after a failure. */
enum status tokenizer_of_words(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                               struct error *error);
enum status tokenizer_of_bytes(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                               struct error *error);
enum status tokenizer_of_sentencepiece(const struct tokenizer_files *files,
                                       struct tokenizer *tokenizer, struct error *error);

#endif
