/* trace_read.c: reads the tensors of a recorded trace. They are visited twice: first to check
 * them and to learn the sizes, then to place their numbers in one block of the right size. */
#include "headlight/model/trace_read.h"

#include "headlight/base/size.h"
#include "headlight/model/trace_tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Layers ------------------------------------------------------------------------------- */

/* Whether a name is a layer's tensor, such as "layer.3.query"; then *layer is its number, capped
 * at 999999999. */
static bool layer_of_name(const char *name, size_t *layer)
{
    const char *digits = name + strlen("layer.");
    if (strncmp(name, "layer.", strlen("layer.")) != 0)
        return false;
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || digits[length] != '.' || (digits[0] == '0' && length > 1))
        return false;
    *layer = length > 9 ? 999999999 : strtoul(digits, NULL, 10);
    for (size_t i = 0; i < TRACE_LAYER_COUNT; i++)
        if (strcmp(digits + length + 1, trace_layer_entries[i].name) == 0)
            return true;
    return false;
}

static const struct tensor *find_in_layer(const struct trace_reader *reader, size_t l,
                                          const char *name)
{
    char full[TRACE_NAME_MAX];
    snprintf(full, sizeof full, "layer.%zu.%s", l, name);
    return safetensors_find(reader->file, full);
}

static enum status no_layers(struct trace_reader *reader)
{
    size_t count = safetensors_count(reader->file);
    return error_set(reader->error, STATUS_FORMAT,
                     "%s: expected a recorded trace, with a tensor \"layer.0.weights\" [A,T,S]; "
                     "found %zu tensors%s%.200s%s",
                     reader->source, count, count > 0 ? ", the first is \"" : "",
                     count > 0 ? safetensors_at(reader->file, 0)->name : "", count > 0 ? "\"" : "");
}

/* L is one more than the highest layer number found. */
static enum status count_recorded_layers(struct trace_reader *reader)
{
    size_t count = 0, l, present = 0;
    const char *last = NULL;
    for (size_t i = 0; i < safetensors_count(reader->file); i++) {
        const char *name = safetensors_at(reader->file, i)->name;
        if (layer_of_name(name, &l) && l + 1 > count) {
            count = l + 1;
            last = name;
        }
    }
    if (count == 0)
        return no_layers(reader);
    while (present < count && find_in_layer(reader, present, "weights"))
        present++;
    if (present < count)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected weights of each layer, found \"%.200s\" but no "
                         "\"layer.%zu.weights\"",
                         reader->source, last, present);
    if (count > CONFIG_LAYERS_MAX)
        return error_set(reader->error, STATUS_LIMIT, "%s: expected at most %d layers, found %zu",
                         reader->source, CONFIG_LAYERS_MAX, count);
    reader->trace->layers = count;
    return STATUS_OK;
}

/* ---- All of it ---------------------------------------------------------------------------- */

typedef enum status visitor(struct trace_reader *, const struct trace_entry *,
                            const struct tensor *, void *);

static enum status visit_in_layer(struct trace_reader *reader, size_t l, size_t which,
                                  visitor *visit)
{
    const struct trace_entry *entry = &trace_layer_entries[which];
    struct layer_trace checked = {0};
    char *layer = (char *)(reader->trace->layer ? &reader->trace->layer[l] : &checked);
    const struct tensor *tensor = find_in_layer(reader, l, entry->name);
    return tensor ? visit(reader, entry, tensor, layer + entry->offset) : STATUS_OK;
}

/* The weights come first because they determine A, T and S. */
static enum status visit_layer(struct trace_reader *reader, size_t l, visitor *visit)
{
    enum status status = visit_in_layer(reader, l, TRACE_weights, visit);
    for (size_t i = 0; status == STATUS_OK && i < TRACE_LAYER_COUNT; i++)
        if (i != TRACE_weights)
            status = visit_in_layer(reader, l, i, visit);
    return status;
}

/* Visits each tensor that is in the file once. */
static enum status visit_all(struct trace_reader *reader, visitor *visit)
{
    for (size_t l = 0; l < reader->trace->layers; l++)
        if (visit_layer(reader, l, visit) != STATUS_OK)
            return reader->error->status;
    for (size_t i = 0; i < TRACE_WHOLE_COUNT; i++) {
        const struct trace_entry *entry = &trace_entries[i];
        const struct tensor *tensor = safetensors_find(reader->file, entry->name);
        if (tensor &&
            visit(reader, entry, tensor, (char *)reader->trace + entry->offset) != STATUS_OK)
            return reader->error->status;
    }
    return STATUS_OK;
}

/* The trace, its layers and its numbers; unknown sizes are zero. */
static struct trace *new_block(struct trace_reader *reader)
{
    size_t layers = reader->trace->layers * sizeof(struct layer_trace), bytes;
    if (!size_multiply(reader->words, sizeof *reader->next, &bytes) ||
        !size_add(bytes, sizeof(struct trace) + layers, &bytes)) {
        error_memory(reader->error, "the recorded trace", SIZE_MAX);
        return NULL;
    }
    struct trace *block = calloc(1, bytes);
    if (!block) {
        error_memory(reader->error, "the recorded trace", bytes);
        return NULL;
    }
    *block = *reader->trace;
    block->layer = (struct layer_trace *)(block + 1);
    reader->next = (uint32_t *)(block->layer + block->layers);
    return block;
}

enum status trace_read(const struct safetensors *file, const char *source, struct trace **trace,
                       struct error *error)
{
    struct trace plan = {0};
    struct trace_reader reader = {.file = file, .source = source, .trace = &plan, .error = error};
    *trace = NULL;
    if (count_recorded_layers(&reader) != STATUS_OK ||
        visit_all(&reader, trace_tensor_check) != STATUS_OK)
        return error->status;
    struct trace *block = new_block(&reader);
    if (!block)
        return error->status;
    reader.trace = block;
    if (visit_all(&reader, trace_tensor_place) != STATUS_OK) {
        free(block);
        return error->status;
    }
    *trace = block;
    return STATUS_OK;
}
