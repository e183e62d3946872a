/* recording.c: the metadata of a recorded trace: tokens, sentences, names. Other programs wrote
 * the file and may have left some out; what is missing is inferred. The format allows only strings
 * as metadata, so a list is a JSON text inside one. */
#include "headlight/model/recording.h"

#include "headlight/base/memory.h"
#include "headlight/model/trace_read.h"
#include "headlight/text/unicode.h"

/* Where a recording is read from, and what becomes of it. The first fault is kept, as by all who
 * read JSON. */
struct origin {
    struct json_reader in;
    struct safetensors *file;
    struct recording *recording;
};

/* ---- Lists in the metadata ---------------------------------------------------------------- */

/* NULL when there is no such metadata, or it is faulty. Its strings are valid UTF-8, and the
 * recording owns them. expected: the number of tokens that it has items for; 0 for any number. */
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
    enum status status = json_parse_array(repaired, length, where, &list, origin->in.error);
    free(repaired);
    if (status != STATUS_OK)
        return NULL;
    cJSON_AddItemToArray(origin->recording->lists, list);
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

/* A list of strings as an array, the recording's to free; NULL when there is none. */
static const char **read_strings(const struct origin *origin, const char *name, size_t expected,
                                 size_t *count)
{
    const cJSON *list = read_list(origin, name, expected), *item;
    *count = 0;
    if (!list)
        return NULL;
    const char **strings = memory_new((size_t)cJSON_GetArraySize(list), sizeof *strings, 0,
                                      origin->in.source, origin->in.error);
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

/* The list of the metadata that has a column's tokens: the sites of an encoder–decoder share two.
 */
static const char *tokens_name(const struct recording *recording, size_t column)
{
    if (recording->site == SITE_ONLY)
        return column == 0 ? "tokens" : "tokens_right";
    return recording->site == SITE_ENCODER || (recording->site == SITE_CROSS && column == 1)
               ? "encoder_tokens"
               : "decoder_tokens";
}

/* Another list for the attended side makes it cross-attention. Without one both sides are the same
 * tokens, and only then may they have texts to be shown instead, which replace the tokens: those
 * become the pieces. Without texts there would be nothing to show beside the weights, so this is
 * refused, with the one line that whoever made the file has to add. */
static void read_tokens(const struct origin *origin)
{
    struct recording *recording = origin->recording;
    const size_t sizes[] = {recording->trace->tokens, recording->trace->attended};
    const bool crosses = recording->site == SITE_ONLY || recording->site == SITE_CROSS;
    size_t count;
    for (size_t column = 0; column < (crosses ? 2 : 1); column++)
        recording->labels[column] =
            read_strings(origin, tokens_name(recording, column), sizes[column], &count);
    for (size_t column = 0; column < 2; column++)
        if (!recording->labels[column] &&
            (column == 0 || sizes[1] != sizes[0] || recording->site == SITE_CROSS))
            json_refuse(
                &origin->in, STATUS_FORMAT,
                "expected the text of its %zu %s tokens, found none: put a JSON list of %zu "
                "strings under \"%s\" in the metadata",
                sizes[column], column == 0 ? "attending" : "attended", sizes[column],
                tokens_name(recording, column));
    if (recording->labels[1])
        return;
    const char **shown = read_strings(origin, "tokens_shown", sizes[0], &count);
    if (shown) {
        recording->pieces = recording->labels[0];
        recording->labels[0] = shown;
    }
    recording->labels[1] = recording->labels[0];
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
static void check_segments(const struct origin *origin, const char *where, size_t side,
                           const int32_t *segments, size_t count)
{
    const char *const *labels = origin->recording->labels[side];
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
static void find_boundary(const struct origin *origin, size_t side)
{
    const struct trace *trace = origin->recording->trace;
    const char *name = side == 0 ? "segments" : "segments_right";
    /* the attended side of cross-attention has no tensor of segments */
    const int32_t *segments = side == 0 ? trace->segments : NULL;
    const size_t count = side == 0 ? trace->tokens : trace->attended;
    size_t *boundary = &origin->recording->boundary[side];
    char where[64];
    snprintf(where, sizeof where, "\"%s\" in the metadata", name);
    /* the same in the metadata, which is all that the attended side can have */
    const cJSON *said =
        origin->recording->site == SITE_ONLY ? read_list(origin, name, count) : NULL;
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
                     : boundary_of_tokens(origin->recording->labels[side], count);
    const size_t first = segments ? boundary_of_segments(segments, count) : count;
    if (segments && (first < count || !list)) /* some networks have 0 throughout */
        *boundary = first;
    free(list);
}

/* ---- Names and texts ---------------------------------------------------------------------- */

/* All are optional; a file that doesn't name its model lends it its own base name without the
 * extension, and a leading dot belongs to that. Numbers out of range, or absent, are 0. */
static void read_names(const struct origin *origin)
{
    struct recording *recording = origin->recording;
    struct trace *trace = recording->trace;
    const char *unscaled = safetensors_metadata(origin->file, "unscaled");
    const char *divisor = safetensors_metadata(origin->file, "temperature");
    const char *terms = safetensors_metadata(origin->file, "terms");
    const double temperature = divisor ? strtod(divisor, NULL) : 0;
    const struct {
        const char *name;
        char **copy;
    } names[] = {{"model", &recording->model},
                 {"family", &recording->family},
                 {"changes", &recording->changes}};
    const char *path = origin->in.source, *slash = strrchr(path, '/'),
               *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    const size_t own = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    size_t length;
    trace->computed.changes.unscaled = unscaled && strcmp(unscaled, "true") == 0;
    if (temperature >= INTERVENE_TEMPERATURE_MIN && temperature <= INTERVENE_TEMPERATURE_MAX)
        trace->computed.changes.temperature = temperature;
    if (terms && (strcmp(terms, "2") == 0 || strcmp(terms, "3") == 0))
        trace->terms = (size_t)(*terms - '0');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = safetensors_metadata(origin->file, names[i].name);
        *names[i].copy = text     ? unicode_repair(text, strlen(text), &length)
                         : i == 0 ? unicode_repair(base, own, &length)
                                  : NULL;
        if (!*names[i].copy && (text || i == 0))
            error_memory(origin->in.error, "the recording's name", strlen(path));
    }
}

/* ---- Sums --------------------------------------------------------------------------------- */

/* Sums of rounded F16 and BF16 numbers are nearer to 1 than this. */
#define SUM_SLACK 0.02

/* Rows of zeros are padding's. */
static void note_sums(struct recording *recording)
{
    const struct trace *trace = recording->trace;
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
        format_cut(recording->note, sizeof recording->note,
                   "rows sum to %.2f to %.2f, not to 1: was the model in training mode "
                   "(model.eval())?",
                   least, most);
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* Reads a site behind the last one that was read, which leads on to the first. */
static enum status add_site(struct safetensors *file, enum site site, struct recording **last,
                            struct error *error)
{
    struct recording *recording = memory_new(1, sizeof *recording, 0, "the recording", error);
    if (!recording)
        return STATUS_MEMORY;
    recording->site = site;
    recording->file = file;
    recording->next = *last ? (*last)->next : recording;
    if (*last)
        (*last)->next = recording;
    *last = recording;
    recording->lists = cJSON_CreateArray();
    if (!recording->lists)
        return error_memory(error, "the recording", sizeof *recording->lists);
    const struct origin origin = {json_reader(NULL, file->source, error), file, recording};
    /* the trace comes first because it tells how many tokens there are */
    if (trace_read(file, recording->site, &recording->trace, error) != STATUS_OK)
        return error->status;
    note_sums(recording);
    read_tokens(&origin);
    const bool decodes = recording->site == SITE_DECODER || recording->site == SITE_CROSS;
    if (json_is_fine(&origin.in) && decodes && !words_is_special(recording->labels[0][0]) &&
        !*recording->note)
        format_cut(recording->note, sizeof recording->note,
                   "no start token: was the target given as decoder_input_ids as it is?");
    const bool cross = recording->labels[1] != recording->labels[0];
    if (!cross && safetensors_metadata(file, "segments_right"))
        json_refuse(
            &origin.in, STATUS_FORMAT,
            "expected \"tokens_right\" in the metadata beside \"segments_right\", found none");
    /* in self-attention the attended side ends its first sentence where the attending one does */
    for (size_t side = 0; side < 2 && json_is_fine(&origin.in); side++) {
        recording->boundary[side] = recording->boundary[0];
        if (side == 0 || cross)
            find_boundary(&origin, side);
    }
    if (json_is_fine(&origin.in))
        read_names(&origin);
    /* the texts are only shown: the tokens are what the model read */
    recording->texts = read_strings(&origin, "texts", 0, &recording->text_count);
    if (recording->texts && (recording->text_count < 1 || recording->text_count > 2))
        json_refuse(&origin.in, STATUS_FORMAT,
                    "\"texts\" in the metadata: expected one or two texts, found %zu",
                    recording->text_count);
    return error->status;
}

/* Takes over the file. */
static enum status read_sites(struct safetensors *file, struct recording **result,
                              struct error *error)
{
    struct recording *last = NULL;
    enum status status = STATUS_OK;
    for (enum site site = 0; status == STATUS_OK && site < SITE_COUNT; site++)
        if (trace_read_has(file, site))
            status = add_site(file, site, &last, error);
    if (status == STATUS_OK && !last)
        status = add_site(file, SITE_ONLY, &last, error);
    status = mapping_check(&file->mapping, status, error);
    if (status == STATUS_OK && last)
        *result = last->next;
    else if (last)
        recording_close(last);
    else
        safetensors_free(file);
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

const struct recording *recording_beside(const struct recording *recording, enum site site)
{
    const struct recording *one = recording;
    while (one && one->site != site)
        if ((one = one->next) == recording)
            break;
    return one;
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

/* Pieces and labels are arrays of their own; their strings belong to the lists. */
void recording_close(struct recording *recording)
{
    if (recording)
        safetensors_free(recording->file);
    for (struct recording *one = recording ? recording->next : NULL, *next; one; one = next) {
        next = one == recording ? NULL : one->next; /* itself comes last */
        if (one->labels[1] != one->labels[0])
            free((void *)one->labels[1]);
        free((void *)one->labels[0]);
        free((void *)one->pieces);
        free((void *)one->texts);
        cJSON_Delete(one->lists);
        free(one->model);
        free(one->family);
        free(one->changes);
        free(one->trace);
        free(one);
    }
}
