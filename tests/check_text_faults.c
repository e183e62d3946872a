/* check_text_faults.c: memory that runs out while a tokenizer's model is read and used. */
#include "faults.h"
#include "suites.h"
#include "text_helpers.h"

#include "headlight/base/json.h"
#include "headlight/text/tokenizer_reader.h"

#include <stdlib.h>

static struct text first, second;
static struct points points;

static void begin(void)
{
    points = text_points(text_of("time \uFF46lies like an \uFB01ne arrow \u00BD"));
}

static void end(void)
{
    points_free(&points);
}

static enum status use_bpe(struct error *error)
{
    struct tokenizer tokenizer = {0};
    struct encoding_builder builder = {0};
    cJSON *model = NULL, *pieces = NULL;
    enum status status = json_parse_object("{\"merges\":[]}", 13, "m", &model, error);
    if (status == STATUS_OK)
        status = json_parse_object(first.bytes, first.length, "v", &pieces, error);
    const struct text lines = second;
    const struct file_text file = {"m", lines.bytes, lines.length, NULL, NULL};
    const struct beside_tree beside = {.pieces = pieces, .merges = &file};
    if (status == STATUS_OK) {
        const struct tokenizer_reader in = {json_reader(model, "v", error), &tokenizer, &beside};
        status = reader_model(&in) ? STATUS_OK : error->status;
    }
    if (status == STATUS_OK)
        bpe_encode(tokenizer.bpe, -1, &points, &builder);
    if (status == STATUS_OK)
        status = shortage_check(builder.lacking, error);
    free(builder.encoding);
    free(tokenizer.bpe);
    free(tokenizer.vocabulary);
    cJSON_Delete(pieces);
    cJSON_Delete(model);
    return status;
}

TESTS(.slow = true);

TEST(byte_level_bpe, .skipped = !faults_work())
{
    first = text_read(FAMILIES "gpt2/vocab.json");
    second = text_read(FAMILIES "gpt2/merges.txt");
    faults_try(&(struct trial){
        .name = "read and use a BPE", .begin = begin, .act = use_bpe, .end = end, .stride = 50});
    free((char *)first.bytes);
    free((char *)second.bytes);
}

static enum status use_unigram(struct error *error)
{
    const struct json_reader in = json_reader(NULL, "m", error);
    struct sentencepiece model;
    struct vocabulary *vocabulary = NULL;
    struct unigram *unigram = NULL;
    struct charsmap *charsmap = NULL;
    struct points made = {0};
    struct encoding_builder builder = {0};
    enum status status = reader_sentencepiece(&in, first, &model) ? STATUS_OK : error->status;
    if (status == STATUS_OK)
        status = vocabulary_of(model.scored.pieces, model.scored.count, "m", &vocabulary, error);
    if (status == STATUS_OK)
        status = unigram_new(vocabulary, model.scored.scores, model.unknown, "m", &unigram, error);
    if (status == STATUS_OK)
        status = charsmap_new(model.charsmap.bytes, model.charsmap.length, "m", &charsmap, error);
    if (status == STATUS_OK)
        charsmap_apply(&(struct normal_step){.charsmap = charsmap}, &points, &made);
    if (status == STATUS_OK)
        status = shortage_check(made.lacking, error);
    if (status == STATUS_OK)
        unigram_encode(unigram, &made, &builder);
    if (status == STATUS_OK)
        status = shortage_check(builder.lacking, error);
    free(builder.encoding);
    points_free(&made);
    free(charsmap);
    free(unigram);
    free(vocabulary);
    free(model.scored.pieces);
    return status;
}

TEST(unigram_and_its_map, .skipped = !faults_work())
{
    first = text_read(FAMILIES "albert/spiece.model");
    faults_try(&(struct trial){.name = "read and use a SentencePiece model",
                               .begin = begin,
                               .act = use_unigram,
                               .end = end});
    free((char *)first.bytes);
}
