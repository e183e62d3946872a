/* tokenizer_reader.c: what a tokenizer.json and the older files have in common. The older ones say
 * less and say it elsewhere, but both fill the same pipeline through these functions. Each returns
 * whether it went well, so that a reader is a chain of && that stops at the first error. */
#include "headlight/text/tokenizer_reader.h"

#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/base/near.h"
#include "headlight/base/size.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool reader_fail(const struct tokenizer_reader *in, enum status status, const char *format, ...)
{
    char what[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    error_write(in->error, status, "%s: %s", in->source, what);
    return false;
}

/* ---- Members of an object ----------------------------------------------------------------- */

bool reader_bool(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 bool *value)
{
    return json_read_bool(item, name, in->source, value, in->error) == STATUS_OK;
}

bool reader_size(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 size_t *value)
{
    return json_read_size(item, name, in->source, value, in->error) == STATUS_OK;
}

bool reader_string(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                   const char **value)
{
    return json_read_string(item, name, in->source, value, in->error) == STATUS_OK;
}

bool reader_need(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 const char **value)
{
    *value = NULL;
    if (!reader_string(in, item, name, value))
        return false;
    return *value ||
           reader_fail(in, STATUS_FORMAT, "expected a string for \"%s\", found none", name);
}

bool reader_expect(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                   bool wanted)
{
    bool value = wanted;
    if (!reader_bool(in, item, name, &value))
        return false;
    return value == wanted ||
           reader_fail(in, STATUS_UNSUPPORTED,
                       "expected \"%s\" to be %s, found %s, which headlight can't do", name,
                       wanted ? "true" : "false", value ? "true" : "false");
}

/* ---- By type ------------------------------------------------------------------------------ */

/* The types are listed while looking, for the message if none fits. */
const struct reader_type *reader_type_of(const struct tokenizer_reader *in, const cJSON *item,
                                         const char *what, const struct reader_type *types,
                                         size_t count)
{
    const char *type = NULL;
    struct near near = near_to("");
    if (!cJSON_IsObject(item))
        reader_fail(in, STATUS_FORMAT, "expected an object for \"%s\", found another value", what);
    else if (reader_string(in, item, "type", &type) && !type)
        reader_fail(in, STATUS_FORMAT, "expected a \"type\" in \"%s\", found none", what);
    for (size_t i = 0; type && i < count; near_offer(&near, types[i++].name))
        if (strcmp(types[i].name, type) == 0)
            return &types[i];
    if (type)
        reader_fail(in, STATUS_UNSUPPORTED, "expected \"%s\" to be %s, found \"%.100s\"", what,
                    near_names(&near), type);
    return NULL;
}

bool reader_each(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 bool (*read)(const struct tokenizer_reader *, const cJSON *))
{
    const cJSON *list = json_member(item, name);
    if (!cJSON_IsArray(list))
        return reader_fail(in, STATUS_FORMAT, "expected a list for \"%s\", found %s", name,
                           list ? "another value" : "none");
    for (const cJSON *each = list->child; each; each = each->next)
        if (!read(in, each))
            return false;
    return true;
}

/* ---- Steps of the normaliser -------------------------------------------------------------- */

bool reader_step(const struct tokenizer_reader *in, struct normal_step step)
{
    if (step.kind == STEP_NONE)
        return true;
    if (normaliser_add(&in->tokenizer->normaliser, step, in->error) != STATUS_OK)
        return false;
    return in->tokenizer->normaliser.count <= NORMALISER_STEPS_MAX ||
           reader_fail(in, STATUS_LIMIT,
                       "expected at most %d steps that normalise a text, found more",
                       NORMALISER_STEPS_MAX);
}

/* Unless the settings say otherwise, accents are dropped if the text is lower-cased. */
bool reader_bert_steps(const struct tokenizer_reader *in, const cJSON *settings, const char *lower,
                       const char *ideographs)
{
    bool lowered = true, apart = true;
    if (!reader_bool(in, settings, lower, &lowered) ||
        !reader_bool(in, settings, ideographs, &apart))
        return false;
    bool plain = lowered;
    return reader_bool(in, settings, "strip_accents", &plain) &&
           reader_step(in, (struct normal_step){.kind = STEP_CLEAN}) &&
           reader_step(in, (struct normal_step){.kind = apart ? STEP_IDEOGRAPHS : STEP_NONE}) &&
           reader_step(
               in, (struct normal_step){.kind = plain ? STEP_FORM : STEP_NONE, .form = FORM_NFD}) &&
           reader_step(in, (struct normal_step){.kind = plain ? STEP_ACCENTS : STEP_NONE}) &&
           reader_step(in, (struct normal_step){.kind = lowered ? STEP_LOWER_CASE : STEP_NONE});
}

/* ---- Tokens ------------------------------------------------------------------------------- */

bool reader_added(const struct tokenizer_reader *in, const cJSON *item, const char *content,
                  struct added_token token)
{
    token.content = (char *)content; /* which is copied */
    if (in->tokenizer->added.count == ADDED_TOKENS_MAX)
        return reader_fail(in, STATUS_LIMIT, "expected at most %d added tokens, found more",
                           ADDED_TOKENS_MAX);
    return reader_expect(in, item, "single_word", false) &&
           reader_bool(in, item, "normalized", &token.normalized) &&
           reader_bool(in, item, "lstrip", &token.left) &&
           reader_bool(in, item, "rstrip", &token.right) &&
           added_put(&in->tokenizer->added, &token, in->error) == STATUS_OK;
}

/* ---- Vocabularies ------------------------------------------------------------------------- */

/* Puts a piece at its id. `limit` bounds the ids, so that a single huge one cannot ask for
 * gigabytes. */
static bool place_piece(const struct tokenizer_reader *in, const cJSON *item, bool holes,
                        size_t limit, struct text *pieces, size_t *end)
{
    size_t id;
    if (!json_is_size(item, &id))
        return reader_fail(in, STATUS_FORMAT,
                           "expected a whole number as the id of the piece \"%.100s\", found "
                           "another value",
                           item->string);
    if (id >= limit)
        return reader_fail(in, STATUS_FORMAT,
                           "expected the ids of its %zu pieces to be 0 to %zu, found %zu for "
                           "\"%.100s\"",
                           holes ? limit / 2 : limit, limit - 1, id, item->string);
    if (pieces[id].bytes)
        return reader_fail(in, STATUS_FORMAT,
                           "expected an id of its own for each piece, found %zu for \"%.100s\" and "
                           "\"%.100s\"",
                           id, pieces[id].bytes, item->string);
    if (!holes && item->string[0] == '\0')
        return reader_fail(in, STATUS_FORMAT, "expected no empty piece, found one of id %zu", id);
    pieces[id] = text_of_string(item->string);
    *end = size_max(*end, id + 1);
    return true;
}

bool reader_vocabulary(const struct tokenizer_reader *in, const cJSON *object, bool holes)
{
    size_t limit = (size_t)cJSON_GetArraySize(object) * (holes ? 2 : 1), end = 0;
    struct text *pieces = memory_new(limit, sizeof *pieces, 0, in->source, in->error);
    bool placed = pieces != NULL;
    for (const cJSON *item = object->child; item && placed; item = item->next)
        placed = place_piece(in, item, holes, limit, pieces, &end);
    if (placed)
        placed = vocabulary_of(pieces, end, in->source, &in->tokenizer->vocabulary, in->error) ==
                 STATUS_OK;
    free(pieces);
    return placed;
}

struct scored_pieces reader_scored(const struct tokenizer_reader *in, size_t count)
{
    struct text *pieces =
        memory_new(count, sizeof *pieces + sizeof(double), 0, in->source, in->error);
    return (struct scored_pieces){pieces, pieces ? (double *)(void *)(pieces + count) : NULL,
                                  count};
}

bool reader_unigram(const struct tokenizer_reader *in, const struct scored_pieces *scored,
                    int32_t unknown)
{
    struct tokenizer *tokenizer = in->tokenizer;
    return vocabulary_of(scored->pieces, scored->count, in->source, &tokenizer->vocabulary,
                         in->error) == STATUS_OK &&
           unigram_new(tokenizer->vocabulary, scored->scores, unknown, in->source,
                       &tokenizer->unigram, in->error) == STATUS_OK;
}

bool reader_merges(const struct tokenizer_reader *in, const struct text *merges, size_t count)
{
    return bpe_new(in->tokenizer->vocabulary, merges, count, in->source, &in->tokenizer->bpe,
                   in->error) == STATUS_OK;
}

/* A piece may not hold a space itself: byte-level BPE spells it as "Ġ". */
bool reader_split_merge(struct text line, struct text halves[2])
{
    const char *space = memchr(line.bytes, ' ', line.length);
    if (!space)
        return false;
    size_t left = (size_t)(space - line.bytes), right = line.length - left - 1;
    halves[0] = (struct text){line.bytes, left};
    halves[1] = (struct text){space + 1, right};
    return left > 0 && right > 0 && !memchr(space + 1, ' ', right);
}
