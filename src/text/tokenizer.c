/* tokenizer.c: texts through the pipeline: cut out added tokens, normalise, split, look up, frame.
 */
#include "headlight/text/pipeline.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>

#define POINTS (2 + 2 * SPLITTERS_MAX)

/* What encoding one text needs. */
struct job {
    const struct tokenizer *tokenizer;
    size_t first;          /* token of this text */
    struct points *points; /* [POINTS] the raw text, a stretch of it normalised, and what each
                              splitter rewrites before and after */
    struct encoding_builder *builder;
};

/* ---- What there is ---- */

size_t tokenizer_size(const struct tokenizer *tokenizer)
{
    return tokenizer->size;
}

/* The vocabulary may have a hole where an added token has its id. */
const char *tokenizer_piece(const struct tokenizer *tokenizer, int32_t id)
{
    const char *piece = vocabulary_piece(tokenizer->vocabulary, id, NULL);
    if (piece && *piece)
        return piece;
    const struct added_token *added = added_of_id(&tokenizer->added, id);
    return added ? added->content : "";
}

const char *tokenizer_label(const struct tokenizer *tokenizer, int32_t id)
{
    bool own = tokenizer->labels && id >= 0 && (size_t)id < vocabulary_size(tokenizer->vocabulary);
    const char *piece =
        own && *tokenizer->labels[id] ? tokenizer->labels[id] : tokenizer_piece(tokenizer, id);
    return *piece ? piece : "?";
}

int32_t tokenizer_find(const struct tokenizer *tokenizer, const char *piece)
{
    const struct added_token *added = added_find(&tokenizer->added, piece);
    return added ? added->id : vocabulary_find(tokenizer->vocabulary, piece, strlen(piece));
}

void tokenizer_limit(struct tokenizer *tokenizer, size_t rows)
{
    if (!tokenizer)
        return;
    tokenizer->rows = rows;
    if (tokenizer->mask >= 0 && (size_t)tokenizer->mask >= rows)
        tokenizer->mask = -1;
}

int32_t tokenizer_mask(const struct tokenizer *tokenizer)
{
    return tokenizer->mask;
}

int32_t tokenizer_unknown(const struct tokenizer *tokenizer)
{
    return tokenizer->unknown;
}

bool tokenizer_is_special(const struct tokenizer *tokenizer, int32_t id)
{
    const struct added_token *added = added_of_id(&tokenizer->added, id);
    return added && added->special && id != tokenizer->mask && id != tokenizer->unknown;
}

/* ---- Words ---- */

/* Splits by the splitters from `number` on. The model sees one word at a time, already normalised
 * and split. */
static void split(const struct job *job, size_t number, const struct points *words)
{
    const struct tokenizer *tokenizer = job->tokenizer;
    struct encoding_builder *builder = job->builder;
    const int32_t unknown = tokenizer->unknown;
    if (words->count == 0)
        return;
    if (number == SPLITTERS_MAX || number == tokenizer->splitter_count) {
        builder->word++;
        if (tokenizer->model == PIECES_BPE)
            bpe_encode(tokenizer->bpe, unknown, words, builder);
        else if (tokenizer->model == PIECES_UNIGRAM)
            unigram_encode(tokenizer->unigram, tokenizer->scored ? tokenizer->vocabulary : NULL,
                           unknown, words, builder);
        else if (tokenizer->model == PIECES_WORDS)
            word_encode(tokenizer->vocabulary, unknown, words, builder);
        else
            wordpiece_encode(tokenizer->vocabulary, unknown, words, builder);
        return;
    }
    const struct splitter *const splitter = &tokenizer->splitters[number];
    struct points *const spelt = &job->points[2 + 2 * number + 1];
    words = splitter_rewrite(splitter, words, &job->points[2 + 2 * number]);
    for (size_t at = 0, length; at < words->count; at += length) {
        bool gap;
        length = splitter_length(splitter, words, at, &gap);
        const struct points word = {.items = words->items + at, .count = length};
        spelt->count = 0;
        if (splitter->bytes)
            bpe_spell(&word, spelt);
        if (!gap)
            split(job, number + 1, splitter->bytes ? spelt : &word);
    }
}

/* How many "Ġ", spaces, a piece begins with, or ends with. */
static size_t count_marks(const char *piece, bool at_end)
{
    size_t count = 0, length = strlen(piece);
    while (length >= 2 * (count + 1) &&
           memcmp(at_end ? piece + length - 2 * (count + 1) : piece + 2 * count, "\xC4\xA0", 2) ==
               0)
        count++;
    return count;
}

/* ---- A text ---- */

static size_t count_tokens(const struct job *job)
{
    return job->builder->encoding ? job->builder->encoding->count : 0;
}

/* A stretch without added tokens. Spans lose the spaces at their ends as in the reference, to the
 * letter: process_offsets in pre_tokenizers/byte_level.rs. */
static void encode_plain(const struct job *job, const struct points *stretch)
{
    size_t from = count_tokens(job);
    split(job, 0, stretch);
    for (size_t i = from; job->tokenizer->trims && i < count_tokens(job); i++) {
        struct token *token = &job->builder->encoding->tokens[i];
        struct span *span = &token->span;
        const char *piece = tokenizer_piece(job->tokenizer, token->id);
        size_t leading = count_marks(piece, false), trailing = count_marks(piece, true);
        if (leading > 0 && job->tokenizer->trims_less && (i == job->first || span->start == 0))
            leading--;
        span->start = span->end - span->start > leading ? span->start + leading : span->end;
        if (span->end >= trailing)
            span->end = span->end - span->start > trailing ? span->end - trailing : span->start;
    }
}

static void cut_added(const struct job *job, bool normalized, const struct points *points);

/* The most code points that a normaliser may make of a short text: what finds the pieces looks at
 * each of them as often as the longest piece has bytes. */
#define LENGTHENED_MAX 524288

/* A stretch of the text as it is, without the added tokens that stand there; of Marian without
 * codes of languages, in each line from the first ">>" to the last "<<": the one with which the
 * stretch begins is a token (tokenization_marian.py of transformers). */
static void encode_raw(const struct job *job, const struct points *stretch)
{
    const struct tokenizer *tokenizer = job->tokenizer;
    struct points *points = &job->points[1];
    const struct point *items = stretch->items;
    points->count = 0;
    if (!tokenizer->codes)
        points_append(points, items, stretch->count);
    for (size_t at = 0, end; tokenizer->codes && at < stretch->count; at = end) {
        size_t opens = SIZE_MAX, closes = 0;
        for (end = at; end < stretch->count && (end == at || items[end - 1].code != '\n'); end++) {
            const int32_t next = end + 1 < stretch->count ? items[end + 1].code : 0;
            if (items[end].code == '>' && next == '>' && opens == SIZE_MAX)
                opens = end;
            if (items[end].code == '<' && next == '<')
                closes = end;
        }
        const bool coded = opens < closes && closes - opens > 2;
        const size_t first = coded ? opens : end, last = coded ? closes + 2 : end;
        const struct points code = {.items = stretch->items + first, .count = last - first};
        if (coded && first == 0) {
            job->builder->word++;
            word_encode(tokenizer->vocabulary, tokenizer->unknown, &code, job->builder);
        }
        points_append(points, items + at, first - at);
        points_append(points, items + last, end - last);
    }
    normaliser_apply(&tokenizer->normaliser, points, LENGTHENED_MAX);
    if (points->error->status == STATUS_OK)
        cut_added(job, true, points);
}

/* Cuts out the added tokens that stand in raw or in normalised points. Where spans leave out
 * spaces, the white space of an added token is trimmed too, and what it swallowed; of one that is
 * nothing else the end is left. */
static void cut_added(const struct job *job, bool normalized, const struct points *points)
{
    for (size_t at = 0; at < points->count;) {
        struct added_match match;
        bool found = added_next(&job->tokenizer->added, normalized, points, at, &match);
        size_t end = found ? match.first : points->count;
        const struct points stretch = {.items = points->items + at, .count = end - at};
        if (stretch.count > 0)
            (normalized ? encode_plain : encode_raw)(job, &stretch);
        at = found ? match.end : end;
        if (!found)
            continue;
        const struct point *items = points->items;
        const size_t behind = items[match.end - 1].span.end;
        const bool trims = job->tokenizer->trims;
        while (trims && match.first < match.end &&
               unicode_is(items[match.first].code, UNICODE_WHITE_SPACE))
            match.first++;
        while (trims && match.end > match.first &&
               unicode_is(items[match.end - 1].code, UNICODE_WHITE_SPACE))
            match.end--;
        struct token token = {.id = match.token->id, .span = {behind, behind}};
        if (match.first < match.end)
            token.span = points_span(items + match.first, match.end - match.first);
        job->builder->word++;
        encoding_add(job->builder, token);
    }
}

/* ---- The frame ---- */

/* A special token belongs to the text before it; those at the front, to the first. Lists of points
 * are shared by all stretches of both texts, so that memory is asked for a few times only. */
enum status tokenizer_encode(const struct tokenizer *tokenizer, const struct text *texts,
                             size_t count, bool special, struct encoding **encoding,
                             struct error *error)
{
    struct points points[POINTS] = {{0}};
    struct encoding_builder builder = {.error = error};
    struct job job = {.tokenizer = tokenizer, .points = points, .builder = &builder};
    *encoding = NULL;
    if (count < 1 || count > 2)
        return error_usage(error, "expected one or two texts, found %zu", count);
    const struct frame *frame = &tokenizer->frames[count - 1];
    error->status = STATUS_OK;
    for (size_t i = 0; i < POINTS; i++)
        points[i].error = error;
    for (size_t i = 0, seen = 0; error->status == STATUS_OK && i < frame->count; i++) {
        const struct frame_item *item = &frame->items[i];
        builder.sentence = (uint8_t)(item->is_text || seen == 0 ? seen : seen - 1);
        builder.type = item->type;
        if (item->is_text) {
            job.first = count_tokens(&job);
            points_read(texts[seen++], &points[0]);
            normaliser_apply(&tokenizer->raw, &points[0], LENGTHENED_MAX);
            cut_added(&job, false, &points[0]);
        } else if (special && item->id < 0) {
            error_write(error, STATUS_MISMATCH,
                        "the vocabulary lacks the token that \"%s\" names; without it a text "
                        "cannot be framed as the model expects",
                        item->setting);
        } else if (special) {
            const size_t at = seen > 0 ? texts[seen - 1].length : 0;
            encoding_add(&builder, (struct token){.id = item->id, .added = true, .span = {at, at}});
        }
    }
    for (size_t i = 0; i < POINTS; i++)
        points_free(&points[i]);
    /* tokens may be added to a tokenizer, and never to the model: a text without them is read */
    const struct encoding *all = tokenizer->rows > 0 ? builder.encoding : NULL;
    for (size_t i = 0; error->status == STATUS_OK && all && i < all->count; i++) {
        const int32_t id = all->tokens[i].id;
        if ((size_t)id >= tokenizer->rows)
            error_write(error, STATUS_MISMATCH,
                        "expected tokens of the %zu that the model has (\"vocab_size\"), found "
                        "\"%.100s\" of id %ld: it was added to the tokenizer alone, or the "
                        "tokenizer's files belong to another model",
                        tokenizer->rows, tokenizer_piece(tokenizer, id), (long)id);
    }
    return encoding_finish(&builder, encoding);
}
