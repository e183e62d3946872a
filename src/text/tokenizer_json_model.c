/* tokenizer_json_model.c: the "model" of a tokenizer.json. */
#include "headlight/base/json.h"
#include "headlight/base/size.h"
#include "headlight/text/tokenizer_json.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static size_t count_items(const cJSON *list)
{
    size_t count = 0;
    for (const cJSON *item = list->child; item; item = item->next)
        count++;
    return count;
}

/* ---- Vocabularies ---- */

static enum status bad_piece(const struct tokenizer_reader *reader, const char *piece,
                             const char *found)
{
    return error_set(
        reader->error, STATUS_FORMAT,
        "%s: expected an id of its own for each piece in \"vocab\", whole numbers from "
        "0 on, found %s for \"%.100s\"",
        reader->source, found, piece);
}

/* {"piece": id, …}. Half of the ids may be holes. */
static enum status place_pieces(const struct tokenizer_reader *reader, const cJSON *vocabulary,
                                struct piece *pieces, size_t limit, size_t *count)
{
    *count = 0;
    for (const cJSON *item = vocabulary->child; item; item = item->next) {
        size_t id;
        if (!json_is_size(item, &id))
            return bad_piece(reader, item->string, "another value");
        if (id >= limit)
            return bad_piece(reader, item->string, "too high a number");
        if (pieces[id].bytes)
            return bad_piece(reader, item->string, "the id of another piece");
        pieces[id] = (struct piece){item->string, strlen(item->string)};
        *count = size_max(*count, id + 1);
    }
    return STATUS_OK;
}

static enum status read_object(const struct tokenizer_reader *reader, const cJSON *model)
{
    const cJSON *vocabulary = json_member(model, "vocab");
    if (!cJSON_IsObject(vocabulary))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected an object of pieces and ids for \"vocab\", found %s",
                         reader->source, vocabulary ? "another value" : "none");
    size_t limit = 2 * count_items(vocabulary), count;
    struct piece *pieces = calloc(limit + 1, sizeof *pieces);
    if (!pieces)
        return error_memory(reader->error, reader->source, limit * sizeof *pieces);
    enum status status = place_pieces(reader, vocabulary, pieces, limit, &count);
    if (status == STATUS_OK)
        status = vocabulary_of(pieces, count, reader->source, &reader->tokenizer->vocabulary,
                               reader->error);
    free(pieces);
    return status;
}

/* The id of a piece that a model names; -1 for none. */
static enum status find_unknown(const struct tokenizer_reader *reader, const char *piece)
{
    struct tokenizer *tokenizer = reader->tokenizer;
    tokenizer->unknown = -1;
    if (!piece)
        return STATUS_OK;
    tokenizer->unknown = vocabulary_find(tokenizer->vocabulary, piece, strlen(piece));
    if (tokenizer->unknown >= 0)
        return STATUS_OK;
    return error_set(reader->error, STATUS_FORMAT,
                     "%s: expected the unknown token \"%.100s\" in \"vocab\", found none",
                     reader->source, piece);
}

/* ---- WordPiece ---- */

static enum status refuse_value(const struct tokenizer_reader *reader, const char *name,
                                const char *expected)
{
    return error_set(reader->error, STATUS_UNSUPPORTED,
                     "%s: expected \"%s\" to be %s, found another value, which headlight can't do",
                     reader->source, name, expected);
}

/* A string that must be `wanted`; absent and null are, too. */
static enum status expect_string(const struct tokenizer_reader *reader, const cJSON *model,
                                 const char *name, const char *wanted)
{
    const char *value = wanted;
    if (json_read_string(model, name, reader->source, &value, reader->error) != STATUS_OK)
        return reader->error->status;
    if (strcmp(value, wanted) == 0)
        return STATUS_OK;
    return error_set(reader->error, STATUS_UNSUPPORTED,
                     "%s: expected \"%s\" to be \"%s\", found \"%.100s\", which headlight can't do",
                     reader->source, name, wanted, value);
}

static enum status read_wordpiece(const struct tokenizer_reader *reader, const cJSON *model)
{
    const char *unknown = "[UNK]";
    size_t limit = WORD_LIMIT;
    reader->tokenizer->model = MODEL_WORDPIECE;
    if (expect_string(reader, model, "continuing_subword_prefix", "##") != STATUS_OK ||
        json_read_string(model, "unk_token", reader->source, &unknown, reader->error) !=
            STATUS_OK ||
        json_read_size(model, "max_input_chars_per_word", reader->source, &limit, reader->error) !=
            STATUS_OK)
        return reader->error->status;
    if (limit != WORD_LIMIT)
        return refuse_value(reader, "max_input_chars_per_word", "100");
    if (read_object(reader, model) != STATUS_OK)
        return reader->error->status;
    return find_unknown(reader, unknown);
}

/* ---- BPE ---- */

/* "a b" in older files, ["a", "b"] in newer ones. */
static bool read_merge(const cJSON *item, struct piece merge[2])
{
    const cJSON *left = item->child, *right = left ? left->next : NULL;
    if (cJSON_IsString(item)) {
        const char *text = item->valuestring, *space = strchr(text, ' ');
        size_t length = space ? (size_t)(space - text) : 0;
        if (length == 0 || space[1] == '\0' || strchr(space + 1, ' '))
            return false;
        merge[0] = (struct piece){text, length};
        merge[1] = (struct piece){space + 1, strlen(space + 1)};
        return true;
    }
    if (!cJSON_IsArray(item) || !cJSON_IsString(left) || !right || !cJSON_IsString(right) ||
        right->next)
        return false;
    merge[0] = (struct piece){left->valuestring, strlen(left->valuestring)};
    merge[1] = (struct piece){right->valuestring, strlen(right->valuestring)};
    return true;
}

static enum status read_merges(const struct tokenizer_reader *reader, const cJSON *list)
{
    struct tokenizer *tokenizer = reader->tokenizer;
    enum status status = STATUS_OK;
    size_t count = 0, bytes;
    bool fits = size_multiply(count_items(list) + 1, 2 * sizeof(struct piece), &bytes);
    struct piece *merges = fits ? malloc(bytes) : NULL;
    if (!merges)
        return error_memory(reader->error, reader->source, fits ? bytes : SIZE_MAX);
    for (const cJSON *item = list->child; item && status == STATUS_OK; item = item->next)
        if (!read_merge(item, merges + 2 * count++))
            status = error_set(reader->error, STATUS_FORMAT,
                               "%s: expected two pieces in each of the \"merges\", found something "
                               "else in number %zu",
                               reader->source, count);
    if (status == STATUS_OK)
        status = bpe_new(tokenizer->vocabulary, merges, count, reader->source, &tokenizer->bpe,
                         reader->error);
    free(merges);
    return status;
}

static enum status check_bpe(const struct tokenizer_reader *reader, const cJSON *model)
{
    if (json_member(model, "dropout"))
        return refuse_value(reader, "dropout", "null");
    if (expect_string(reader, model, "continuing_subword_prefix", "") != STATUS_OK ||
        expect_string(reader, model, "end_of_word_suffix", "") != STATUS_OK ||
        tokenizer_json_expect(reader, model, "fuse_unk", false) != STATUS_OK ||
        tokenizer_json_expect(reader, model, "byte_fallback", false) != STATUS_OK ||
        tokenizer_json_expect(reader, model, "ignore_merges", false) != STATUS_OK)
        return reader->error->status;
    return STATUS_OK;
}

static enum status read_bpe(const struct tokenizer_reader *reader, const cJSON *model)
{
    const cJSON *merges = json_member(model, "merges");
    const char *unknown = NULL;
    reader->tokenizer->model = MODEL_BPE;
    if (check_bpe(reader, model) != STATUS_OK ||
        json_read_string(model, "unk_token", reader->source, &unknown, reader->error) !=
            STATUS_OK ||
        read_object(reader, model) != STATUS_OK || find_unknown(reader, unknown) != STATUS_OK)
        return reader->error->status;
    if (cJSON_IsArray(merges))
        return read_merges(reader, merges);
    return error_set(reader->error, STATUS_FORMAT, "%s: expected a list for \"merges\", found %s",
                     reader->source, merges ? "another value" : "none");
}

/* ---- Unigram ---- */

/* [["piece", score], …] */
static enum status read_scored(const struct tokenizer_reader *reader, const cJSON *list,
                               struct piece *pieces, double *scores)
{
    size_t count = 0;
    for (const cJSON *item = list->child; item; item = item->next, count++) {
        const cJSON *piece = item->child, *score = piece ? piece->next : NULL;
        if (!cJSON_IsArray(item) || !piece || !cJSON_IsString(piece) || !score ||
            !cJSON_IsNumber(score))
            return error_set(reader->error, STATUS_FORMAT,
                             "%s: expected a piece and its score in each item of \"vocab\", found "
                             "something else at [%zu]",
                             reader->source, count);
        pieces[count] = (struct piece){piece->valuestring, strlen(piece->valuestring)};
        scores[count] = score->valuedouble;
    }
    return STATUS_OK;
}

static enum status make_unigram(const struct tokenizer_reader *reader, const cJSON *list)
{
    struct tokenizer *tokenizer = reader->tokenizer;
    size_t count = count_items(list), bytes;
    bool fits = size_multiply(count + 1, sizeof(struct piece) + sizeof(double), &bytes);
    struct piece *pieces = fits ? malloc(bytes) : NULL;
    if (!pieces)
        return error_memory(reader->error, reader->source, fits ? bytes : SIZE_MAX);
    double *scores = (double *)(void *)(pieces + count + 1);
    enum status status = read_scored(reader, list, pieces, scores);
    if (status == STATUS_OK)
        status =
            vocabulary_of(pieces, count, reader->source, &tokenizer->vocabulary, reader->error);
    if (status == STATUS_OK)
        status = unigram_new(tokenizer->vocabulary, scores, tokenizer->unknown, reader->source,
                             &tokenizer->unigram, reader->error);
    free(pieces);
    return status;
}

static enum status read_unigram(const struct tokenizer_reader *reader, const cJSON *model)
{
    const cJSON *list = json_member(model, "vocab");
    size_t unknown = SIZE_MAX;
    reader->tokenizer->model = MODEL_UNIGRAM;
    if (tokenizer_json_expect(reader, model, "byte_fallback", false) != STATUS_OK ||
        json_read_size(model, "unk_id", reader->source, &unknown, reader->error) != STATUS_OK)
        return reader->error->status;
    if (!cJSON_IsArray(list) || unknown > INT32_MAX)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected a list for \"vocab\" and an id for \"unk_id\" in a Unigram "
                         "model, found other values, or none",
                         reader->source);
    reader->tokenizer->unknown = (int32_t)unknown;
    return make_unigram(reader, list);
}

/* ---- The model ---- */

enum status tokenizer_json_model(const struct tokenizer_reader *reader, const cJSON *model)
{
    static const struct tokenizer_json_type types[] = {
        {"WordPiece", read_wordpiece}, {"BPE", read_bpe}, {"Unigram", read_unigram}};
    if (cJSON_IsObject(model) && !json_member(model, "type")) {
        if (json_member(model, "merges"))
            return read_bpe(reader, model);
        return cJSON_IsArray(json_member(model, "vocab")) ? read_unigram(reader, model)
                                                          : read_wordpiece(reader, model);
    }
    return tokenizer_json_read(reader, model, "model", types, COUNT(types));
}
