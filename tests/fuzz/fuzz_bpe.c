/* vocab.json in the first line, merges.txt in the rest; both are also the text. */
#include "fuzz.h"

#include "headlight/base/json.h"
#include "headlight/text/tokenizer_reader.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* The unknown bytes are a token, so that nothing of a text is lost. */
static void encode(const struct bpe *bpe, const struct vocabulary *vocabulary, struct text text)
{
    struct error error = {0};
    struct points points = {.error = &error}, spelt = {.error = &error};
    struct encoding_builder builder = {.error = &error};
    struct encoding *encoding;
    struct splitter splitter = {.rule = RULE_ISOLATED};
    promise(!splitter_look_for(&splitter, text_of_string(SPLITTER_GPT2)).bytes);
    for (size_t i = 0; i < text.length;) {
        struct point point = {.span = {i, 0}};
        i += unicode_next(text.bytes + i, text.length - i, &point.code);
        point.span.end = i;
        points_add(&points, point);
    }
    for (size_t at = 0, length; at < points.count; at += length) {
        bool gap;
        length = splitter_length(&splitter, &points, at, &gap);
        promise(!gap && length > 0 && length <= points.count - at);
        spelt.count = 0;
        bpe_spell(&(struct points){.items = points.items + at, .count = length}, &spelt);
        bpe_encode(bpe, 0, &spelt, &builder);
    }
    promise(encoding_finish(&builder, &encoding) == STATUS_OK);
    size_t end = 0;
    for (size_t i = 0; i < encoding->count; i++) {
        promise(vocabulary_piece(vocabulary, encoding->tokens[i].id, NULL));
        promise(encoding->tokens[i].span.start <= end && encoding->tokens[i].span.end >= end);
        end = encoding->tokens[i].span.end;
    }
    promise(end == text.length);
    free(encoding);
    points_free(&points);
    points_free(&spelt);
}

/* Ids may be left out. */
static void read_pieces(const struct vocabulary *vocabulary)
{
    for (size_t id = 0; id < vocabulary_size(vocabulary); id++) {
        size_t length;
        const char *piece = vocabulary_piece(vocabulary, (int32_t)id, &length);
        promise((length > 0) == (vocabulary_find(vocabulary, piece, length) >= 0));
    }
}

void fuzz_bpe(const uint8_t *data, size_t size)
{
    struct text whole = {(const char *)data, size}, parts[2];
    struct tokenizer tokenizer = {0};
    struct error error = {0};
    cJSON *model = cJSON_Parse("{\"type\":\"BPE\"}"), *pieces = NULL;
    fuzz_texts(whole.bytes, size, parts);
    if (json_parse_object(parts[0].bytes, parts[0].length, "fuzz", &pieces, &error) == STATUS_OK) {
        const struct file_text merges = {"fuzz", parts[1].bytes, parts[1].length, NULL, NULL};
        const struct beside_tree beside = {.pieces = pieces, .second = &merges};
        const struct tokenizer_reader in = {json_reader(model, "fuzz", &error), &tokenizer,
                                            &beside};
        if (reader_model(&in)) {
            read_pieces(tokenizer.vocabulary);
            encode(tokenizer.bpe, tokenizer.vocabulary, whole);
            error.message[0] = '?';
        }
    }
    promise(error.message[0] != '\0');
    free(tokenizer.bpe);
    free(tokenizer.vocabulary);
    cJSON_Delete(pieces);
    cJSON_Delete(model);
}
