#include "text_helpers.h"

#include "suites.h"

#include "headlight/base/file.h"
#include "headlight/model/family.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

#define CASES 680 /* in texts.tsv */

const struct tokenizer_family *text_family(const char *model_type)
{
    const struct family *family = family_of_type(model_type);
    ck_assert_ptr_nonnull(family);
    return &family->tokenizer;
}

const struct tokenizer_family text_marian = {.model = PIECES_UNIGRAM,
                                             .special = {"<unk>", NULL, "</s>", NULL, "<pad>"},
                                             .frame = FRAME_LAST,
                                             .converter = CONVERTER_MARIAN};

struct text text_read(const char *path)
{
    char *bytes;
    size_t length;
    struct error error;
    ck_assert_msg(file_read(path, (size_t)1 << 24, &bytes, &length, &error) == STATUS_OK, "%s",
                  error.message);
    return (struct text){bytes, length};
}

struct sentencepiece text_model(struct text file)
{
    struct sentencepiece model;
    struct error error;
    const struct json_reader in = json_reader(NULL, "m", &error);
    ck_assert_msg(reader_sentencepiece(&in, file, &model), "%s", error.message);
    return model;
}

struct text text_of(const char *bytes)
{
    return (struct text){bytes, bytes ? strlen(bytes) : 0};
}

struct encoding *text_encode(const struct tokenizer *tokenizer, const struct text *texts,
                             size_t count, bool special)
{
    struct encoding *encoding;
    struct error error = {0};
    ck_assert_msg(tokenizer_encode(tokenizer, texts, count, special, &encoding, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    return encoding;
}

struct text text_unescape(char *field)
{
    char *out = field;
    for (const char *in = field; *in != '\0'; in++) {
        unsigned byte;
        if (*in == '\\' && sscanf(in, "\\x%2x", &byte) == 1) {
            *out++ = (char)byte;
            in += 3;
        } else {
            *out++ = *in;
        }
    }
    return (struct text){field, (size_t)(out - field)};
}

struct error text_error;

struct points text_points(struct text text)
{
    struct points points = {.error = &text_error};
    for (size_t i = 0; i < text.length;) {
        struct point point = {.span = {i, 0}};
        i += unicode_next(text.bytes + i, text.length - i, &point.code);
        point.span.end = i;
        points_add(&points, point);
    }
    ck_assert_int_eq(text_error.status, STATUS_OK);
    return points;
}

void text_replace(struct charsmap *charsmap, struct points *points)
{
    struct points made = {.error = points->error};
    charsmap_apply(&(struct normal_step){.charsmap = charsmap}, points, &made);
    points_take(points, &made);
    ck_assert_int_eq(points->error->status, STATUS_OK);
}

static struct encoding *finish(struct encoding_builder *builder)
{
    struct encoding *encoding;
    ck_assert_int_eq(encoding_finish(builder, &encoding), STATUS_OK);
    return encoding;
}

void text_describe(struct encoding_builder *builder, char *out, size_t size)
{
    struct encoding *encoding = finish(builder);
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < encoding->count && used < size; i++) {
        const struct token *token = &encoding->tokens[i];
        used += (size_t)snprintf(out + used, size - used, "%s%d %zu:%zu", i > 0 ? " " : "",
                                 token->id, token->span.start, token->span.end);
    }
    free(encoding);
}

void text_expect_ids(const struct tokenizer *tokenizer, struct text text, const char *ids, int line)
{
    struct encoding *encoding = text_encode(tokenizer, &text, 1, false);
    char *end = NULL;
    for (size_t i = 0; i < encoding->count; i++, ids = end) {
        long id = strtol(ids, &end, 10);
        ck_assert_msg(end != ids, "line %d: expected %zu tokens, found %zu", line, i,
                      encoding->count);
        ck_assert_msg(encoding->tokens[i].id == id, "line %d, token %zu: expected %ld %s, found %d",
                      line, i, id, tokenizer_piece(tokenizer, (int32_t)id), encoding->tokens[i].id);
        ck_assert_uint_le(encoding->tokens[i].span.end, text.length);
    }
    ck_assert_msg(*ids == '\0', "line %d: expected more than %zu tokens", line, encoding->count);
    free(encoding);
}

void text_each_case(int column, void (*check)(struct text text, const char *field, int line))
{
    struct text file = text_read(FAMILY_FOLDER "texts.tsv");
    char *copy = strndup(file.bytes, file.length), *rest = copy, *line;
    int count = 0;
    while ((line = strsep(&rest, "\n")) && *line != '\0') {
        char *fields[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            fields[i] = strsep(&line, "\t");
            ck_assert_ptr_nonnull(fields[i]);
        }
        check(text_unescape(fields[0]), fields[column], ++count);
    }
    ck_assert_int_eq(count, CASES);
    free(copy);
    free((char *)file.bytes);
}
