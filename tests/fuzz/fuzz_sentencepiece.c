/* A SentencePiece model, whose own bytes are the text; or, behind a first byte 0, its map of
 * characters alone. */
#include "fuzz.h"

#include "headlight/text/tokenizer_reader.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>

static struct points points_of(struct text text, struct error *error)
{
    struct points points = {.error = error};
    for (size_t i = 0; i < text.length;) {
        struct point point = {.span = {i, 0}};
        i += unicode_next(text.bytes + i, text.length - i, &point.code);
        point.span.end = i;
        points_add(&points, point);
    }
    return points;
}

/* Spans still lie in the text and ascend. */
static void apply(struct text map, bool longest, struct points *points)
{
    struct charsmap *charsmap;
    struct error error;
    size_t end = points->count > 0 ? points->items[points->count - 1].span.end : 0, before = 0;
    if (charsmap_new(map.bytes, map.length, "fuzz", &charsmap, &error) != STATUS_OK) {
        promise(error.message[0] != '\0');
        return;
    }
    struct points made = {.error = points->error};
    charsmap_apply(&(struct normal_step){.charsmap = charsmap, .longest = longest}, points, &made);
    points_take(points, &made);
    promise(points->error->status == STATUS_OK);
    for (size_t i = 0; i < points->count; i++) {
        promise(points->items[i].span.start >= before && points->items[i].span.end <= end);
        before = points->items[i].span.start;
    }
    free(charsmap);
}

/* The tokens' spans are those of the points, in their order, with none left out. */
static void encode(const struct vocabulary *vocabulary, const struct unigram *unigram, bool names,
                   const struct points *points)
{
    struct encoding_builder builder = {.error = points->error};
    struct encoding *encoding;
    unigram_encode(unigram, names ? vocabulary : NULL, 0, points, &builder);
    promise(encoding_finish(&builder, &encoding) == STATUS_OK);
    promise((encoding->count > 0) == (points->count > 0));
    for (size_t i = 0; i < encoding->count; i++)
        promise(vocabulary_piece(vocabulary, encoding->tokens[i].id, NULL));
    if (points->count > 0) {
        promise(encoding->tokens[0].span.start == points->items[0].span.start);
        promise(encoding->tokens[encoding->count - 1].span.end ==
                points->items[points->count - 1].span.end);
    }
    free(encoding);
}

static void run(const struct sentencepiece *model, struct text text)
{
    struct vocabulary *vocabulary = NULL;
    struct unigram *unigram = NULL;
    struct error error = {0};
    struct points points = points_of(text, &error);
    const bool itself = text.length % 2; /* as SentencePiece itself does it */
    apply(model->charsmap, itself, &points);
    if (vocabulary_of(model->scored.pieces, model->scored.count, "fuzz", &vocabulary, &error) ==
            STATUS_OK &&
        unigram_new(vocabulary, model->scored.scores, model->unknown, "fuzz", &unigram, &error) ==
            STATUS_OK)
        encode(vocabulary, unigram, itself, &points);
    else
        promise(error.message[0] != '\0');
    points_free(&points);
    free(unigram);
    free(vocabulary);
}

void fuzz_sentencepiece(const uint8_t *data, size_t size)
{
    struct text text = {(const char *)data, size};
    struct sentencepiece model;
    struct error error = {0};
    const struct json_reader in = json_reader(NULL, "fuzz", &error);
    if (size > 0 && data[0] == 0) {
        struct points points = points_of(text, &error);
        apply((struct text){text.bytes + 1, size - 1}, size % 2, &points);
        points_free(&points);
    } else if (reader_sentencepiece(&in, text, &model)) {
        run(&model, text);
        free(model.scored.pieces);
    } else {
        promise(error.message[0] != '\0');
    }
}
