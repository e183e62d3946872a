#include "headlight/text/tokenizer.h"

#include "headlight/text/tokenizer_settings.h"
#include "headlight/text/vocabulary.h"
#include "headlight/text/wordpiece.h"

#include <stdlib.h>
#include <string.h>

struct tokenizer {
    struct vocabulary *vocabulary;
    struct rules rules;
    int32_t special[SPECIAL_TOKEN_COUNT]; /* ids; -1 for a piece that the vocabulary lacks */
    bool opens[256];                      /* the bytes that special tokens begin with */
};

/* What encoding one text needs. */
struct job {
    const struct tokenizer *tokenizer;
    struct text text;
    uint8_t sentence;
    struct points *points;
    struct encoding_builder *builder;
};

static enum status find_special_ids(struct tokenizer *tokenizer,
                                    const struct tokenizer_settings *settings,
                                    const char *vocabulary_name, struct error *error)
{
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++) {
        const char *piece = settings->special[i];
        tokenizer->special[i] = vocabulary_find(tokenizer->vocabulary, piece, strlen(piece));
        if (tokenizer->special[i] >= 0)
            tokenizer->opens[(unsigned char)piece[0]] = true;
    }
    if (tokenizer->special[SPECIAL_TOKEN_UNKNOWN] < 0)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected the unknown token \"%.100s\" among the %zu pieces, found "
                         "none; its name is the setting \"%s\"",
                         vocabulary_name, settings->special[SPECIAL_TOKEN_UNKNOWN],
                         vocabulary_size(tokenizer->vocabulary),
                         tokenizer_settings_special_name(SPECIAL_TOKEN_UNKNOWN));
    return STATUS_OK;
}

enum status tokenizer_new(struct text vocabulary, const char *vocabulary_name, struct text settings,
                          const char *settings_name, struct tokenizer **tokenizer,
                          struct error *error)
{
    struct tokenizer_settings read = {0};
    enum status status;
    *tokenizer = calloc(1, sizeof **tokenizer);
    if (!*tokenizer)
        return error_memory(error, "a tokenizer", sizeof **tokenizer);
    if ((status = tokenizer_settings_read(settings, settings_name, &read, error)) != STATUS_OK)
        goto fail;
    (*tokenizer)->rules = read.rules;
    status = vocabulary_new(vocabulary, vocabulary_name, &(*tokenizer)->vocabulary, error);
    if (status != STATUS_OK)
        goto fail;
    if ((status = find_special_ids(*tokenizer, &read, vocabulary_name, error)) != STATUS_OK)
        goto fail;
    tokenizer_settings_free(&read);
    return STATUS_OK;
fail:
    tokenizer_settings_free(&read);
    tokenizer_free(*tokenizer);
    *tokenizer = NULL;
    return status;
}

void tokenizer_free(struct tokenizer *tokenizer)
{
    if (!tokenizer)
        return;
    free(tokenizer->vocabulary);
    free(tokenizer);
}

size_t tokenizer_size(const struct tokenizer *tokenizer)
{
    return vocabulary_size(tokenizer->vocabulary);
}

const char *tokenizer_piece(const struct tokenizer *tokenizer, int32_t id)
{
    return vocabulary_piece(tokenizer->vocabulary, id, NULL);
}

int32_t tokenizer_find(const struct tokenizer *tokenizer, const char *piece)
{
    return vocabulary_find(tokenizer->vocabulary, piece, strlen(piece));
}

int32_t tokenizer_mask(const struct tokenizer *tokenizer)
{
    return tokenizer->special[SPECIAL_TOKEN_MASK];
}

int32_t tokenizer_unknown(const struct tokenizer *tokenizer)
{
    return tokenizer->special[SPECIAL_TOKEN_UNKNOWN];
}

/* The id of the longest special token that stands at this byte of the text, or -1. */
static int32_t special_at(const struct job *job, size_t at, size_t *length)
{
    int32_t found = -1;
    *length = 0;
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++) {
        size_t size;
        const char *piece =
            vocabulary_piece(job->tokenizer->vocabulary, job->tokenizer->special[i], &size);
        if (piece && size > *length && size <= job->text.length - at &&
            memcmp(piece, job->text.bytes + at, size) == 0) {
            found = job->tokenizer->special[i];
            *length = size;
        }
    }
    return found;
}

/* Encodes a stretch of text that holds no special token. */
static enum status encode_plain(const struct job *job, struct span part, struct error *error)
{
    if (normalise_text(job->text, part, &job->tokenizer->rules, job->points, error) != STATUS_OK)
        return error->status;
    return wordpiece_encode(job->tokenizer->vocabulary, tokenizer_unknown(job->tokenizer),
                            job->points, job->sentence, job->builder, error);
}

/* Special tokens are matched in the raw bytes, before cleaning and lower-casing: "[mask]" is three
 * words. */
static enum status encode_text(const struct job *job, struct error *error)
{
    size_t plain = 0, length;
    for (size_t at = 0; at < job->text.length; at += length) {
        bool opens = job->tokenizer->opens[(unsigned char)job->text.bytes[at]];
        int32_t id = opens ? special_at(job, at, &length) : -1;
        if (id < 0) {
            length = 1;
            continue;
        }
        struct token token = {.id = id,
                              .sentence = job->sentence,
                              .type = job->sentence,
                              .span = {.start = at, .end = at + length}};
        if (encode_plain(job, (struct span){plain, at}, error) != STATUS_OK ||
            encoding_add(job->builder, token, error) != STATUS_OK)
            return error->status;
        plain = at + length;
    }
    return encode_plain(job, (struct span){plain, job->text.length}, error);
}

/* Adds [CLS] or [SEP] at a byte of the job's text. */
static enum status add_special(const struct job *job, enum special_token special, size_t at,
                               struct error *error)
{
    struct token token = {.id = job->tokenizer->special[special],
                          .sentence = job->sentence,
                          .type = job->sentence,
                          .added = true,
                          .span = {at, at}};
    if (token.id < 0)
        return error_set(error, STATUS_MISMATCH,
                         "the vocabulary lacks the token that \"%s\" names; without it a text "
                         "cannot be framed as BERT expects",
                         tokenizer_settings_special_name(special));
    return encoding_add(job->builder, token, error);
}

static enum status encode_framed(const struct job *job, struct error *error)
{
    if (job->sentence == 0 && add_special(job, SPECIAL_TOKEN_CLASS, 0, error) != STATUS_OK)
        return error->status;
    if (encode_text(job, error) != STATUS_OK)
        return error->status;
    return add_special(job, SPECIAL_TOKEN_SEPARATOR, job->text.length, error);
}

enum status tokenizer_encode(const struct tokenizer *tokenizer, const struct text *texts,
                             size_t count, bool special, struct encoding **encoding,
                             struct error *error)
{
    struct points points = {0};
    struct encoding_builder builder = {0};
    enum status status = STATUS_OK;
    *encoding = NULL;
    if (count < 1 || count > 2)
        return error_set(error, STATUS_USAGE, "expected one or two texts, found %zu", count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct job job = {tokenizer, texts[i], (uint8_t)i, &points, &builder};
        status = special ? encode_framed(&job, error) : encode_text(&job, error);
    }
    if (status == STATUS_OK)
        status = encoding_finish(&builder, encoding, error);
    points_free(&points);
    encoding_abort(&builder);
    return status;
}
