/* texts.c: makes texts of a corpus's records (texts_source.c) as its format has it (texts_json.c,
 * texts_table.c, texts_conllu.c), and leaves out those that are not wanted. Memory that a text
 * takes is kept for the next. */
#include "headlight/survey/texts.h"

#include "headlight/base/memory.h"
#include "headlight/survey/texts_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text's place in the order of hashes, which decides who is in a sample. */
struct draw {
    uint64_t hash, number;
};

struct corpus {
    struct texts_source source;
    struct texts_made made;
    struct corpus_choice choice;
    struct draw last;            /* of a sample */
    uint64_t number;             /* texts read */
    struct corpus_place *places; /* of those that are wanted */
    size_t count, room;
};

/* ---- Texts -------------------------------------------------------------------------------- */

static bool is_of_one_text(enum status status)
{
    return status == STATUS_FORMAT || status == STATUS_LIMIT;
}

/* Of a sentence, the line that the error is about. */
enum status corpus_locate(const struct corpus *corpus, struct error *error)
{
    return error_set(error, error->status, "%s, line %zu: %s", corpus->source.path,
                     corpus->source.record.line + corpus->made.wrong_line, error->message);
}

/* The next text, wanted or not. */
static enum status read_text(struct corpus *corpus, bool *found, struct error *error)
{
    struct texts_source *source = &corpus->source;
    struct texts_made *made = &corpus->made;
    enum status status;
    do {
        status = texts_source_read(source, found, error);
        if (status != STATUS_OK || !*found)
            return status;
        texts_clear(made);
        made->separator = source->kind->separator;
        status = source->record.too_long
                     ? error_set(error, STATUS_LIMIT,
                                 "expected a text of at most %zu MB, found a longer one",
                                 TEXTS_BYTES_MAX >> 20)
                     : source->kind->read(&source->record, made, error);
        made->text.line = source->record.line;
        made->text.number = corpus->number;
        if (made->id_length == 0) {
            made->id = made->number;
            made->id_length =
                (size_t)snprintf(made->number, sizeof made->number, "%" PRIu64, corpus->number);
        }
        made->id[made->id_length] = '\0';
        made->text.id = made->id;
        made->text.hash = corpus_hash(made->id, made->id_length, corpus->choice.seed);
        corpus->number += made->text.text_count > 0 || is_of_one_text(status);
        if (is_of_one_text(status) || status == STATUS_USAGE || status == STATUS_UNSUPPORTED)
            return corpus_locate(corpus, error);
        made->wrong_line = 0;
    } while (status == STATUS_OK && made->text.text_count == 0);
    return status;
}

/* ---- Which are wanted --------------------------------------------------------------------- */

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv; splitmix64: Steele, Lea and Flood 2014, "Fast
 * splittable pseudorandom number generators", figure 16. */
uint64_t corpus_hash(const char *id, size_t length, uint64_t seed)
{
    uint64_t hash = 0xCBF29CE484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)id[i]) * 0x100000001B3;
    hash += (seed + 1) * 0x9E3779B97F4A7C15;
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
    return hash ^ hash >> 31;
}

static int compare_draws(const void *left, const void *right)
{
    const struct draw *a = left, *b = right;
    return a->hash != b->hash ? (a->hash > b->hash) - (a->hash < b->hash)
                              : (a->number > b->number) - (a->number < b->number);
}

/* Leaves the least; returns how many. */
static size_t sort_out(struct draw *draws, size_t count, uint64_t sample)
{
    if (draws)
        qsort(draws, count, sizeof *draws, compare_draws);
    return count > sample ? (size_t)sample : count;
}

static enum status check_again(const struct corpus *corpus, const char *why, struct error *error)
{
    return corpus->source.regular
               ? STATUS_OK
               : error_set(error, STATUS_USAGE,
                           "%s: expected a file, as %s, found a pipe or a device",
                           corpus->source.path, why);
}

/* Reads the whole file for the last draw that is in the sample. The least draws so far are kept,
 * and others that came since they were sorted out last. */
static enum status draw_sample(struct corpus *corpus, struct error *error)
{
    const uint64_t sample = corpus->choice.sample;
    struct draw *draws = NULL, *longer;
    size_t count = 0, room = 0;
    bool found = true;
    enum status status = check_again(corpus, "a sample is drawn before it is read", error);
    while (found && (status == STATUS_OK || is_of_one_text(status))) {
        status = read_text(corpus, &found, error);
        if (!found || status != STATUS_OK)
            continue;
        if (count == room && count / 2 >= sample)
            count = sort_out(draws, count, sample);
        longer = memory_grow(draws, &room, count + 1, sizeof *draws, "a sample", error);
        draws = longer ? longer : draws;
        status = longer ? STATUS_OK : error->status;
        if (longer)
            draws[count++] = (struct draw){corpus->made.text.hash, corpus->made.text.number};
    }
    if (status == STATUS_OK) {
        count = sort_out(draws, count, sample);
        corpus->last =
            draws && count == sample ? draws[count - 1] : (struct draw){UINT64_MAX, UINT64_MAX};
        corpus->number = 0;
        status = texts_source_seek(&corpus->source, 0, 0, error);
    }
    free(draws);
    return status;
}

/* ---- Open, next, close -------------------------------------------------------------------- */

/* Of columns that are named a NUL takes the comma's place. */
enum status corpus_open(const char *path, const struct corpus_choice *choice,
                        struct corpus **result, struct error *error)
{
    struct corpus *corpus = *result = memory_new(1, sizeof *corpus, 0, "texts", error);
    if (!corpus)
        return error->status;
    struct texts_made *made = &corpus->made;
    corpus->choice = *choice;
    corpus->source.columns = choice->columns != NULL;
    made->columns[0] = "a";
    made->columns[1] = "b";
    enum status status = texts_source_open(&corpus->source, path, choice->bytes, error);
    if (status == STATUS_OK && choice->columns) {
        made->columns[0] = made->named = memory_print(error, "%s", choice->columns);
        made->columns[1] = made->named ? strchr(made->named, ',') : NULL;
        status = made->named ? STATUS_OK : error->status;
        if (made->columns[1])
            *(char *)made->columns[1]++ = '\0';
    }
    if (status == STATUS_OK && choice->sample > 0)
        status = draw_sample(corpus, error);
    if (status != STATUS_OK) {
        corpus_close(corpus);
        *result = NULL;
    }
    return status;
}

enum status corpus_next(struct corpus *corpus, const struct corpus_text **text, struct error *error)
{
    const struct corpus_choice *choice = &corpus->choice;
    *text = NULL;
    for (bool found;;) {
        const enum status status = read_text(corpus, &found, error);
        if (!found || (status != STATUS_OK && !is_of_one_text(status)))
            return status;
        const struct draw draw = {corpus->made.text.hash, corpus->made.text.number};
        if ((choice->parts > 1 && draw.hash % choice->parts != choice->part) ||
            (choice->sample > 0 && compare_draws(&draw, &corpus->last) > 0))
            continue;
        *text = &corpus->made.text;
        return status;
    }
}

/* ---- Back and forth ----------------------------------------------------------------------- */

enum status corpus_index(struct corpus *corpus, size_t *count, struct error *error)
{
    const struct corpus_text *text = NULL;
    enum status status = check_again(corpus, "texts are gone back to", error);
    corpus->count = *count = 0;
    for (bool more = status == STATUS_OK; more;) {
        status = corpus_next(corpus, &text, error);
        more = text != NULL;
        if (status != STATUS_OK && !is_of_one_text(status))
            return status;
        if (!text || status != STATUS_OK)
            continue;
        struct corpus_place *places = memory_grow(corpus->places, &corpus->room, corpus->count + 1,
                                                  sizeof *places, "the places of texts", error);
        if (!places)
            return error->status;
        corpus->places = places;
        places[corpus->count++] = (struct corpus_place){corpus->source.record.offset, text->number,
                                                        corpus->source.record.line - 1};
    }
    *count = corpus->count;
    return status;
}

enum status corpus_go(struct corpus *corpus, size_t index, struct error *error)
{
    return corpus_back(corpus, corpus->places[index], error);
}

struct corpus_place corpus_here(const struct corpus *corpus)
{
    return (struct corpus_place){corpus->source.offset, corpus->number, corpus->source.line};
}

enum status corpus_back(struct corpus *corpus, struct corpus_place place, struct error *error)
{
    corpus->number = place.number;
    return texts_source_seek(&corpus->source, place.offset, place.line, error);
}

/* ---- What is known of it ------------------------------------------------------------------ */

void corpus_progress(const struct corpus *corpus, uint64_t *read, uint64_t *all)
{
    *read = corpus->source.offset;
    *all = corpus->source.size;
}

const char *corpus_name(const struct corpus *corpus)
{
    const char *slash = strrchr(corpus->source.path, '/');
    return corpus->source.stream == stdin ? "-" : slash ? slash + 1 : corpus->source.path;
}

struct corpus_choice corpus_chosen(const struct corpus *corpus)
{
    return corpus->choice;
}

void corpus_close(struct corpus *corpus)
{
    if (!corpus)
        return;
    texts_free(&corpus->made);
    free(corpus->places);
    texts_source_close(&corpus->source);
    free(corpus);
}
