/* recording.c: the metadata of a recorded trace: tokens, sentences, names. Other programs wrote
 * the file and may have left some out; what is missing is inferred. The format allows only strings
 * as metadata, so a list is a JSON text inside one. */
#include "headlight/model/recording.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/trace_read.h"
#include "headlight/text/unicode.h"

/* Where a site is read from, and what it has. The first fault is kept, as by all who read JSON. */
struct origin {
    struct json_reader in;
    struct safetensors *file;
    enum site site;
    struct trace *trace;
    struct token_side sides[2];
    const char **pieces;
};

/* ---- Lists in the metadata ---------------------------------------------------------------- */

/* NULL when there is no such metadata, or it is faulty. Its strings are valid UTF-8, and live as
 * long as the file. expected: the number of tokens that it has items for; 0 for any number. */
static const cJSON *read_list(const struct origin *origin, const char *name, size_t expected)
{
    char where[512];
    size_t length;
    cJSON *list;
    const char *text = safetensors_metadata(origin->file, name);
    if (!text || !json_is_fine(&origin->in))
        return NULL;
    char *repaired = unicode_repair(text, strlen(text), &length);
    if (!repaired) {
        error_memory(origin->in.error, origin->in.source, strlen(text));
        return NULL;
    }
    snprintf(where, sizeof where, "%.400s: \"%s\" in the metadata", origin->in.source, name);
    enum status status =
        json_parse(repaired, length, JSON_BYTES_MAX, true, where, &list, origin->in.error);
    free(repaired);
    if (status != STATUS_OK)
        return NULL;
    cJSON_AddItemToArray(origin->file->header, list); /* and is freed with it */
    if (expected > 0 && (size_t)cJSON_GetArraySize(list) != expected)
        json_refuse(&origin->in, STATUS_FORMAT,
                    "\"%s\" in the metadata: expected one item for each of %zu tokens, found %d",
                    name, expected, cJSON_GetArraySize(list));
    return json_is_fine(&origin->in) ? list : NULL;
}

/* `expected` says what the items should have been: "strings". */
static void wrong_item(const struct origin *origin, const char *name, const char *expected,
                       size_t index)
{
    json_refuse(&origin->in, STATUS_FORMAT,
                "\"%s\" in the metadata: expected %s, found another value at [%zu]", name, expected,
                index);
}

/* A list of strings as an array that lives as long as the file; NULL when there is none. */
static const char **read_strings(const struct origin *origin, const char *name, size_t expected,
                                 size_t *count)
{
    const cJSON *list = read_list(origin, name, expected), *item;
    *count = 0;
    if (!list)
        return NULL;
    const char **strings = safetensors_buffer(origin->file, (size_t)cJSON_GetArraySize(list),
                                              sizeof *strings, origin->in.error);
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsString(item))
            wrong_item(origin, name, "strings", *count);
        if (json_is_fine(&origin->in))
            strings[(*count)++] = item->valuestring;
    }
    return strings;
}

/* ---- Tokens ------------------------------------------------------------------------------- */

/* The list of the metadata that has a side's tokens: the sites of an encoder–decoder share two. */
static const char *tokens_name(enum site site, enum side side)
{
    if (site == SITE_ONLY)
        return side == SIDE_LEFT ? "tokens" : "tokens_right";
    return site == SITE_ENCODER || (site == SITE_CROSS && side == SIDE_RIGHT) ? "encoder_tokens"
                                                                              : "decoder_tokens";
}

/* Another list for the attended side makes it cross-attention. Without one both sides are the same
 * tokens, and only then may they have texts to be shown instead, which replace the tokens: those
 * become the pieces. Without texts there would be nothing to show beside the weights, so this is
 * refused, with the one line that whoever made the file has to add. */
static void read_tokens(struct origin *origin)
{
    const bool crosses = origin->site == SITE_ONLY || origin->site == SITE_CROSS;
    struct token_side *left = &origin->sides[SIDE_LEFT], *right = &origin->sides[SIDE_RIGHT];
    left->count = origin->trace->tokens;
    right->count = origin->trace->attended;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        struct token_side *of = &origin->sides[side];
        size_t count;
        if (side == SIDE_LEFT || crosses)
            of->labels = read_strings(origin, tokens_name(origin->site, side), of->count, &count);
        if (!of->labels &&
            (side == SIDE_LEFT || left->count != right->count || origin->site == SITE_CROSS))
            json_refuse(&origin->in, STATUS_FORMAT,
                        "expected the text of its %zu %s tokens, found none: put a JSON list of "
                        "%zu strings under \"%s\" in the metadata",
                        of->count, side == SIDE_LEFT ? "attending" : "attended", of->count,
                        tokens_name(origin->site, side));
    }
    if (right->labels)
        return;
    size_t count;
    const char **shown = read_strings(origin, "tokens_shown", left->count, &count);
    if (shown) {
        origin->pieces = (const char **)left->labels;
        left->labels = shown;
    }
    right->labels = left->labels;
}

/* ---- Where the first sentence ends ---------------------------------------------------------- */

/* The layout of a pair: first token, separator, padding, and how many separators stand between
 * the sentences. Source: Hugging Face transformers, build_inputs_with_special_tokens of
 * BertTokenizer and RobertaTokenizer. */
static const struct form {
    const char *first, *separator, *padding;
    size_t between;
} forms[] = {
    {"[CLS]", "[SEP]", "[PAD]", 1},
    {"<s>", "</s>", "<pad>", 2},
};

/* The number of tokens in the first sentence by the form that the labels have; all of them, one
 * sentence, if it is none. */
static size_t boundary_of_tokens(const char *const *labels, size_t count)
{
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        const struct form *form = &forms[f];
        size_t end = count, found = 0, first = 0, i = 1;
        while (end > 0 && strcmp(labels[end - 1], form->padding) == 0)
            end--;
        if (end < 3 || strcmp(labels[0], form->first) != 0 ||
            strcmp(labels[end - 1], form->separator) != 0)
            continue;
        for (; i + 1 < end; i++) {
            if (strcmp(labels[i], form->separator) != 0)
                continue;
            first = found == 0 ? i : first;
            if (i != first + found++)
                break;
        }
        if (i + 1 == end && found == form->between)
            return first + 1;
    }
    return count;
}

static size_t boundary_of_segments(const int32_t *segments, size_t count)
{
    size_t boundary = 1;
    while (boundary < count && segments[boundary] == segments[0])
        boundary++;
    return boundary;
}

/* 0 or 1, not falling; only behind both sentences tokenizers give their padding 0 again. */
static void check_segments(const struct origin *origin, const char *where, enum side side,
                           const int32_t *segments, size_t count)
{
    const char *const *labels = origin->sides[side].labels;
    while (count > 0 && (strcmp(labels[count - 1], forms[0].padding) == 0 ||
                         strcmp(labels[count - 1], forms[1].padding) == 0))
        count--;
    for (size_t i = 0; i < count; i++)
        if (segments[i] < (i > 0 ? segments[i - 1] : 0) || segments[i] > 1)
            json_refuse(&origin->in, STATUS_FORMAT,
                        "%s: expected 0 for the tokens of the first sentence and 1 for all behind "
                        "it, found %ld at [%zu]",
                        where, (long)segments[i], i);
}

/* Of one side. The most reliable source comes first: a tensor of segments that differ, then the
 * list, then the form of the tokens. */
static void find_boundary(struct origin *origin, enum side side)
{
    const char *name = side == SIDE_LEFT ? "segments" : "segments_right";
    /* the attended side of cross-attention has no tensor of segments */
    const int32_t *segments = side == SIDE_LEFT ? origin->trace->segments : NULL;
    const size_t count = origin->sides[side].count;
    size_t *boundary = &origin->sides[side].boundary;
    char where[64];
    snprintf(where, sizeof where, "\"%s\" in the metadata", name);
    /* the same in the metadata, which is all that the attended side can have */
    const cJSON *said = origin->site == SITE_ONLY ? read_list(origin, name, count) : NULL;
    int32_t *list =
        said ? memory_new(count, sizeof *list, 0, origin->in.source, origin->in.error) : NULL;
    const cJSON *item = list ? said->child : NULL;
    for (size_t i = 0, segment; item; item = item->next, i++) {
        if (!json_is_size(item, &segment) || segment > INT32_MAX)
            wrong_item(origin, name, "whole numbers", i);
        else
            list[i] = (int32_t)segment;
    }
    if (!json_is_fine(&origin->in)) {
        free(list);
        return;
    }
    if (list)
        check_segments(origin, where, side, list, count);
    if (segments)
        check_segments(origin, name, side, segments, count);
    *boundary = list ? boundary_of_segments(list, count)
                     : boundary_of_tokens(origin->sides[side].labels, count);
    const size_t first = segments ? boundary_of_segments(segments, count) : count;
    if (segments && (first < count || !list)) /* some networks have 0 throughout */
        *boundary = first;
    free(list);
}

/* ---- Sums --------------------------------------------------------------------------------- */

/* Sums of rounded F16 and BF16 numbers are nearer to 1 than this. */
#define SUM_SLACK 0.02
#define NOTE_SIZE 100

/* Rows of zeros are padding's. */
static void note_sums(const struct trace *trace, char *note)
{
    const size_t S = trace->attended, rows = trace->heads * trace->tokens;
    double least = INFINITY, most = -INFINITY;
    for (size_t row = 0; row < trace->layers * rows; row++) {
        const float *weights = trace->layer[row / rows].weights + row % rows * S;
        double sum = 0;
        for (size_t i = 0; i < S; i++)
            sum += (double)weights[i];
        least = sum != 0 && sum < least ? sum : least;
        most = sum != 0 && sum > most ? sum : most;
    }
    if (least < 1 - SUM_SLACK || most > 1 + SUM_SLACK)
        format_cut(note, NOTE_SIZE,
                   "rows sum to %.2f to %.2f, not to 1: was the model in training mode "
                   "(model.eval())?",
                   least, most);
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* What divides scores. Numbers out of range, or absent, are 0. */
static void read_divisor(struct origin *origin)
{
    struct trace *trace = origin->trace;
    const char *unscaled = safetensors_metadata(origin->file, "unscaled");
    const char *divisor = safetensors_metadata(origin->file, "temperature");
    const char *terms = safetensors_metadata(origin->file, "terms");
    const double temperature = divisor ? strtod(divisor, NULL) : 0;
    trace->computed.changes.unscaled = unscaled && strcmp(unscaled, "true") == 0;
    if (temperature >= INTERVENE_TEMPERATURE_MIN && temperature <= INTERVENE_TEMPERATURE_MAX)
        trace->computed.changes.temperature = temperature;
    if (terms && (strcmp(terms, "2") == 0 || strcmp(terms, "3") == 0))
        trace->terms = (size_t)(*terms - '0');
}

/* All are optional; a file that doesn't name its model lends it its own base name without the
 * extension, and a leading dot belongs to that. */
static enum status read_names(struct recording *recording, struct error *error)
{
    const struct {
        const char *name;
        char **copy;
    } names[] = {{"model", &recording->model},
                 {"family", &recording->family},
                 {"bits", &recording->bits},
                 {"changes", &recording->changes}};
    const char *path = recording->file->source, *slash = strrchr(path, '/'),
               *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    const size_t own = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    size_t length;
    for (size_t i = 0; i < LENGTH(names); i++) {
        const char *text = safetensors_metadata(recording->file, names[i].name);
        *names[i].copy = text     ? unicode_repair(text, strlen(text), &length)
                         : i == 0 ? unicode_repair(base, own, &length)
                                  : NULL;
        if (!*names[i].copy && (text || i == 0))
            return error_memory(error, "the recording's name", strlen(path));
    }
    return STATUS_OK;
}

/* Reads what a site has beside its tensors. */
static void read_metadata(struct origin *origin, char *note)
{
    const struct token_side *sides = origin->sides;
    const bool decodes = origin->site == SITE_DECODER || origin->site == SITE_CROSS;
    note_sums(origin->trace, note);
    read_tokens(origin);
    if (json_is_fine(&origin->in) && decodes && !words_is_special(sides[SIDE_LEFT].labels[0]) &&
        !*note)
        format_cut(note, NOTE_SIZE,
                   "no start token: was the target given as decoder_input_ids as it is?");
    const bool cross = sides[SIDE_RIGHT].labels != sides[SIDE_LEFT].labels;
    if (!cross && safetensors_metadata(origin->file, "segments_right"))
        json_refuse(
            &origin->in, STATUS_FORMAT,
            "expected \"tokens_right\" in the metadata beside \"segments_right\", found none");
    /* in self-attention the attended side ends its first sentence where the attending one does */
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT && json_is_fine(&origin->in); side++) {
        origin->sides[side].boundary = sides[SIDE_LEFT].boundary;
        if (side == SIDE_LEFT || cross)
            find_boundary(origin, side);
    }
    read_divisor(origin);
}

/* Adds a site behind those that were read. The trace comes first, because it tells how many tokens
 * there are; texts are only shown: the tokens are what the model read. What comes after the last
 * token isn't known. */
static enum status add_site(struct recording *recording, enum site site, struct error *error)
{
    struct safetensors *file = recording->file;
    struct origin origin = {json_reader(NULL, file->source, error), file, .site = site};
    struct encoded *made = NULL;
    struct text texts[2];
    size_t count;
    char *note = safetensors_buffer(file, NOTE_SIZE, 1, error);
    if (!note || trace_read(file, site, &origin.trace, error) != STATUS_OK)
        return error->status;
    read_metadata(&origin, note);
    const char **strings = read_strings(&origin, "texts", 0, &count);
    if (strings && (count < 1 || count > 2))
        json_refuse(&origin.in, STATUS_FORMAT,
                    "\"texts\" in the metadata: expected one or two texts, found %zu", count);
    if (!json_is_fine(&origin.in) ||
        encoded_of_trace(origin.trace, origin.sides, &made, error) != STATUS_OK) {
        free(origin.trace);
        return error->status;
    }
    for (size_t i = 0; strings && i < count; i++)
        texts[i] = text_of_string(strings[i]);
    struct encoded *last = recording->encoded;
    while (last && last->next != recording->encoded)
        last = last->next;
    made->next = last ? recording->encoded : made;
    if (last)
        last->next = made;
    made->site = site;
    made->trace_owned = made->recorded = true;
    made->note = note;
    made->changes = recording->changes;
    made->pieces = origin.pieces;
    recording->encoded = made->next;
    const enum status status = encoded_take_texts(made, texts, count, error);
    return status == STATUS_OK && (site == SITE_DECODER || site == SITE_CROSS)
               ? encoded_say_next(made, "…", error)
               : status;
}

/* Takes over the file. */
static enum status read_sites(struct safetensors *file, struct recording **result,
                              struct error *error)
{
    struct recording *recording = memory_new(1, sizeof *recording, 0, "the recording", error);
    if (!recording) {
        safetensors_free(file);
        return STATUS_MEMORY;
    }
    recording->file = file;
    enum status status = read_names(recording, error);
    for (enum site site = 0; status == STATUS_OK && site < SITE_COUNT; site++)
        if (trace_read_has(file, site))
            status = add_site(recording, site, error);
    if (status == STATUS_OK && !recording->encoded)
        status = add_site(recording, SITE_ONLY, error);
    status = mapping_check(&file->mapping, status, error);
    if (status == STATUS_OK)
        *result = recording;
    else
        recording_close(recording);
    return status;
}

enum status recording_from_memory(const char *source, const void *bytes, size_t size,
                                  struct recording **recording, struct error *error)
{
    struct safetensors *file;
    *recording = NULL;
    return safetensors_parse(bytes, size, source, &file, error) == STATUS_OK
               ? read_sites(file, recording, error)
               : error->status;
}

enum status recording_open(const char *path, struct recording **recording, struct error *error)
{
    struct safetensors *file;
    *recording = NULL;
    if (file_is_folder(path))
        return error_set(error, STATUS_IO,
                         "%s: expected a recorded trace, found a folder; a checkpoint is opened by "
                         "--model %s",
                         path, path);
    return safetensors_open(path, &file, error) == STATUS_OK ? read_sites(file, recording, error)
                                                             : error->status;
}

struct encoded *recording_at(const struct recording *recording, enum site site)
{
    struct encoded *found = encoded_of_site(recording->encoded, site);
    return found ? found : recording->encoded;
}

void recording_close(struct recording *recording)
{
    if (!recording)
        return;
    if (recording->encoded)
        recording->encoded->recorded = false;
    encoded_free(recording->encoded);
    safetensors_free(recording->file);
    free(recording->model);
    free(recording->family);
    free(recording->bits);
    free(recording->changes);
    free(recording);
}
