/* recording.c: the metadata of a recorded trace: tokens, sentences, names. Other programs wrote
 * the file and may have left some out; what is missing is inferred. */
#include "headlight/model/recording.h"

#include "headlight/base/json.h"
#include "headlight/base/mapping.h"
#include "headlight/model/trace_read.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* Where a recording is read from. */
struct origin {
    const struct safetensors *file;
    const char *source;
    struct error *error;
};

/* ---- Lists in the metadata ---------------------------------------------------------------- */

/* *list is NULL when there is no such metadata; otherwise the caller deletes it. */
static enum status read_list(const struct origin *origin, const char *name, cJSON **list)
{
    char where[512];
    const char *text = safetensors_metadata(origin->file, name);
    *list = NULL;
    if (!text)
        return STATUS_OK;
    snprintf(where, sizeof where, "%.400s: \"%s\" in the metadata", origin->source, name);
    return json_parse_array(text, strlen(text), where, list, origin->error);
}

static enum status wrong_item(const struct origin *origin, const char *name, const char *expected,
                              size_t index)
{
    return error_set(origin->error, STATUS_FORMAT,
                     "%s: \"%s\" in the metadata: expected %s, found another value at [%zu]",
                     origin->source, name, expected, index);
}

static enum status wrong_count(const struct origin *origin, const char *name, size_t expected,
                               const cJSON *list)
{
    return error_set(origin->error, STATUS_FORMAT,
                     "%s: \"%s\" in the metadata: expected one item for each of %zu tokens, found "
                     "%d",
                     origin->source, name, expected, cJSON_GetArraySize(list));
}

static char *copy_text(const char *text)
{
    size_t length;
    return unicode_repair(text, strlen(text), &length);
}

static void strings_free(const char **strings, size_t count)
{
    for (size_t i = 0; strings && i < count; i++)
        free((char *)(uintptr_t)strings[i]);
    free((void *)strings);
}

static enum status copy_item(const struct origin *origin, const char *name, const cJSON *item,
                             size_t index, const char **copy)
{
    if (!cJSON_IsString(item))
        return wrong_item(origin, name, "strings", index);
    *copy = copy_text(item->valuestring);
    if (!*copy)
        return error_memory(origin->error, origin->source, strlen(item->valuestring));
    return STATUS_OK;
}

/* Copies a list of strings as valid UTF-8. *strings stays NULL on failure. */
static enum status copy_strings(const struct origin *origin, const char *name, const cJSON *list,
                                const char ***strings)
{
    size_t count = (size_t)cJSON_GetArraySize(list), i = 0;
    const char **copies = calloc(count + 1, sizeof *copies);
    const cJSON *item;
    if (!copies)
        return error_memory(origin->error, origin->source, count * sizeof *copies);
    cJSON_ArrayForEach(item, list)
    {
        if (copy_item(origin, name, item, i, &copies[i]) != STATUS_OK) {
            strings_free(copies, i);
            return origin->error->status;
        }
        i++;
    }
    *strings = copies;
    return STATUS_OK;
}

/* ---- Tokens ------------------------------------------------------------------------------- */

/* *labels stays NULL when there are none. */
static enum status read_labels(const struct origin *origin, const char *name, size_t count,
                               const char ***labels)
{
    cJSON *list;
    enum status status = read_list(origin, name, &list);
    if (!list)
        return status;
    if ((size_t)cJSON_GetArraySize(list) != count)
        status = wrong_count(origin, name, count, list);
    else
        status = copy_strings(origin, name, list, labels);
    cJSON_Delete(list);
    return status;
}

static enum status no_labels(const struct origin *origin, const char *name, size_t count)
{
    return error_set(origin->error, STATUS_FORMAT,
                     "%s: expected the text of its %zu %s tokens, found none: put a JSON list of "
                     "%zu strings under \"%s\" in the metadata",
                     origin->source, count, strcmp(name, "tokens") == 0 ? "attending" : "attended",
                     count, name);
}

/* The texts to be shown replace the tokens, which become the pieces. */
static enum status read_shown(const struct origin *origin, struct recording *recording)
{
    const char **shown = NULL;
    if (read_labels(origin, "tokens_shown", recording->trace->tokens, &shown) != STATUS_OK)
        return origin->error->status;
    if (shown) {
        recording->pieces = recording->labels[0];
        recording->labels[0] = shown;
    }
    return STATUS_OK;
}

static enum status read_tokens(const struct origin *origin, struct recording *recording)
{
    size_t T = recording->trace->tokens, S = recording->trace->attended;
    if (read_labels(origin, "tokens", T, &recording->labels[0]) != STATUS_OK ||
        read_labels(origin, "tokens_right", S, &recording->labels[1]) != STATUS_OK)
        return origin->error->status;
    if (!recording->labels[0])
        return no_labels(origin, "tokens", T);
    if (!recording->labels[1] && S != T)
        return no_labels(origin, "tokens_right", S);
    if (recording->labels[1])
        return STATUS_OK;
    const enum status status = read_shown(origin, recording);
    recording->labels[1] = recording->labels[0];
    return status;
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

/* The number of tokens in the first sentence if the labels have that layout, else 0. */
static size_t boundary_in_form(const struct form *form, const char *const *labels, size_t count)
{
    size_t found = 0, first = 0;
    while (count > 0 && strcmp(labels[count - 1], form->padding) == 0)
        count--;
    if (count < 3 || strcmp(labels[0], form->first) != 0 ||
        strcmp(labels[count - 1], form->separator) != 0)
        return 0;
    for (size_t i = 1; i + 1 < count; i++) {
        if (strcmp(labels[i], form->separator) != 0)
            continue;
        first = found == 0 ? i : first;
        if (i != first + found++)
            return 0;
    }
    return found == form->between ? first + 1 : 0;
}

static size_t boundary_of_tokens(const char *const *labels, size_t count)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t boundary = boundary_in_form(&forms[i], labels, count);
        if (boundary > 0)
            return boundary;
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

static enum status boundary_of_list(const struct origin *origin, const char *name,
                                    const cJSON *list, size_t count, size_t *boundary)
{
    const cJSON *item;
    size_t i = 0, segment, first = 0;
    *boundary = count;
    if ((size_t)cJSON_GetArraySize(list) != count)
        return wrong_count(origin, name, count, list);
    cJSON_ArrayForEach(item, list)
    {
        if (!json_is_size(item, &segment))
            return wrong_item(origin, name, "whole numbers", i);
        first = i == 0 ? segment : first;
        if (segment != first && *boundary == count)
            *boundary = i;
        i++;
    }
    return STATUS_OK;
}

static enum status find_boundary(const struct origin *origin, const char *name,
                                 const int32_t *segments, const char *const *labels, size_t count,
                                 size_t *boundary)
{
    cJSON *list;
    enum status status = read_list(origin, name, &list);
    if (list)
        status = boundary_of_list(origin, name, list, count, boundary);
    else
        *boundary = boundary_of_tokens(labels, count);
    size_t first = segments ? boundary_of_segments(segments, count) : count;
    if (segments && (first < count || !list)) /* some networks have 0 throughout */
        *boundary = first;
    cJSON_Delete(list);
    return status;
}

static enum status read_boundaries(const struct origin *origin, struct recording *recording)
{
    const struct trace *trace = recording->trace;
    bool cross = recording->labels[1] != recording->labels[0];
    if (!cross && safetensors_metadata(origin->file, "segments_right"))
        return error_set(origin->error, STATUS_FORMAT,
                         "%s: expected \"tokens_right\" in the metadata beside \"segments_right\", "
                         "found none",
                         origin->source);
    if (find_boundary(origin, "segments", trace->segments, recording->labels[0], trace->tokens,
                      &recording->boundary[0]) != STATUS_OK)
        return origin->error->status;
    recording->boundary[1] = recording->boundary[0];
    return cross ? find_boundary(origin, "segments_right", NULL, recording->labels[1],
                                 trace->attended, &recording->boundary[1])
                 : STATUS_OK;
}

/* ---- Names and texts ---------------------------------------------------------------------- */

static enum status read_recorded_texts(const struct origin *origin, struct recording *recording)
{
    cJSON *list;
    enum status status = read_list(origin, "texts", &list);
    if (!list)
        return status;
    int count = cJSON_GetArraySize(list);
    if (count < 1 || count > 2)
        status = error_set(origin->error, STATUS_FORMAT,
                           "%s: \"texts\" in the metadata: expected one or two texts, found %d",
                           origin->source, count);
    else
        status = copy_strings(origin, "texts", list, &recording->texts);
    recording->text_count = status == STATUS_OK ? (size_t)count : 0;
    cJSON_Delete(list);
    return status;
}

/* The file's base name without its extension; a leading dot belongs to the name. */
static char *name_of_file(const char *path)
{
    size_t length;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return unicode_repair(name, dot && dot > name ? (size_t)(dot - name) : strlen(name), &length);
}

/* 0, which stands for 1, if it is absent or out of range. */
static double recorded_temperature(const struct safetensors *file)
{
    const char *text = safetensors_metadata(file, "temperature");
    double temperature = text ? strtod(text, NULL) : 0;
    return temperature >= INTERVENE_TEMPERATURE_MIN && temperature <= INTERVENE_TEMPERATURE_MAX
               ? temperature
               : 0;
}

/* The number of products in a score; 0 if not given. */
static size_t recorded_terms(const struct safetensors *file)
{
    const char *text = safetensors_metadata(file, "terms");
    const bool valid = text && (strcmp(text, "2") == 0 || strcmp(text, "3") == 0);
    return valid ? (size_t)(text[0] - '0') : 0;
}

static enum status read_names(const struct origin *origin, struct recording *recording)
{
    const char *model = safetensors_metadata(origin->file, "model");
    const char *family = safetensors_metadata(origin->file, "family");
    const char *changes = safetensors_metadata(origin->file, "changes");
    recording->model = model ? copy_text(model) : name_of_file(origin->source);
    const char *unscaled = safetensors_metadata(origin->file, "unscaled");
    recording->family = family ? copy_text(family) : NULL;
    recording->changes = changes ? copy_text(changes) : NULL;
    recording->trace->computed.changes.unscaled = unscaled && strcmp(unscaled, "true") == 0;
    recording->trace->terms = recorded_terms(origin->file);
    recording->trace->computed.changes.temperature = recorded_temperature(origin->file);
    if (!recording->model || (family && !recording->family) || (changes && !recording->changes))
        return error_memory(origin->error, "the recording's name", strlen(origin->source));
    return STATUS_OK;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static enum status read_recording(struct recording *recording, const char *source,
                                  const void *bytes, size_t size, struct error *error)
{
    struct safetensors *file;
    if (safetensors_parse(bytes, size, source, &file, error) != STATUS_OK)
        return error->status;
    const struct origin origin = {file, source, error};
    enum status status = trace_read(file, source, &recording->trace, error);
    if (status == STATUS_OK)
        status = read_tokens(&origin, recording);
    if (status == STATUS_OK)
        status = read_boundaries(&origin, recording);
    if (status == STATUS_OK)
        status = read_names(&origin, recording);
    if (status == STATUS_OK)
        status = read_recorded_texts(&origin, recording);
    safetensors_free(file);
    return status;
}

enum status recording_from_memory(const char *source, const void *bytes, size_t size,
                                  struct recording **result, struct error *error)
{
    struct recording *recording = calloc(1, sizeof *recording);
    *result = NULL;
    if (!recording)
        return error_memory(error, "the recording", sizeof *recording);
    if (read_recording(recording, source, bytes, size, error) != STATUS_OK) {
        recording_close(recording);
        return error->status;
    }
    *result = recording;
    return STATUS_OK;
}

enum status recording_open(const char *path, struct recording **recording, struct error *error)
{
    struct mapping mapping;
    *recording = NULL;
    if (mapping_open(&mapping, path, error) != STATUS_OK)
        return error->status;
    enum status status = recording_from_memory(path, mapping.bytes, mapping.size, recording, error);
    status = mapping_check(&mapping, status, error);
    if (*recording && status == STATUS_OK) {
        (*recording)->mapping = mapping;
        return STATUS_OK;
    }
    recording_close(*recording);
    *recording = NULL;
    mapping_close(&mapping);
    return status;
}

void recording_close(struct recording *recording)
{
    if (!recording)
        return;
    /* Labels exist only once the trace has given their number. */
    if (recording->labels[1] != recording->labels[0])
        strings_free(recording->labels[1], recording->trace->attended);
    if (recording->labels[0])
        strings_free(recording->labels[0], recording->trace->tokens);
    if (recording->pieces)
        strings_free(recording->pieces, recording->trace->tokens);
    strings_free(recording->texts, recording->text_count);
    free(recording->model);
    free(recording->family);
    free(recording->changes);
    free(recording->trace);
    mapping_close(&recording->mapping);
    free(recording);
}
