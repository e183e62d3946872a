/* trace_read.c: reads the tensors of a recorded trace. Each is checked, for its shape against the
 * sizes that the ones before it have told, and number by number; numbers stay in the file's memory.
 */
#include "headlight/model/trace_read.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/tensor/matrix.h"

struct trace_reader {
    struct safetensors *file;
    enum site site; /* whose name is before those of the tensors */
    struct trace *trace;
    struct error *error;

    /* The tensor that is read, and where it goes in the trace. */
    const struct tensor *tensor;
    struct trace_slot slot;
    const struct trace_entry *entry;
    size_t count; /* of its numbers */
};

/* ---- Shapes ------------------------------------------------------------------------------- */

/* Heads are kept in 64-bit masks; the other limits are far above what any view can show, and keep
 * products of sizes from overflowing. */
static size_t most_of_axis(char axis)
{
    if (axis == 'A')
        return CONFIG_HEADS_MAX;
    return axis == 'T' || axis == 'S' ? TRACE_READ_TOKENS_MAX : CONFIG_SIZE_MAX;
}

/* The axes of the tensor without a leading batch axis of 1. */
static const size_t *without_batch(const struct trace_reader *reader)
{
    const struct tensor *tensor = reader->tensor;
    const size_t rank = strlen(reader->entry->axes);
    if (tensor->rank == rank)
        return tensor->shape;
    return tensor->rank == rank + 1 && tensor->shape[0] == 1 ? tensor->shape + 1 : NULL;
}

/* The message has known sizes as numbers, others as letters: "[12,9,D]". */
static enum status wrong_shape(struct trace_reader *reader)
{
    char expected[TRACE_NAME_MAX], found[TENSOR_RANK_MAX * 21 + 2];
    size_t used = 0;
    for (const char *axis = reader->entry->axes; *axis; axis++) {
        const char *comma = used > 0 ? "," : "";
        const size_t size = trace_axis(reader->trace, *axis), left = sizeof expected - used;
        used += (size_t)(size > 0 ? snprintf(expected + used, left, "%s%zu", comma, size)
                                  : snprintf(expected + used, left, "%s%c", comma, *axis));
    }
    format_shape(found, sizeof found, reader->tensor->shape, reader->tensor->rank);
    return tensor_refuse(reader->tensor, STATUS_FORMAT, reader->error,
                         "expected the shape [%s], found %s", expected, found);
}

/* Checks a shape against the known sizes, and learns the others. */
static enum status check_shape(struct trace_reader *reader)
{
    const size_t *shape = without_batch(reader);
    const char *axes = reader->entry->axes;
    for (size_t i = 0; shape && axes[i]; i++) {
        const size_t size = trace_axis(reader->trace, axes[i]);
        if (shape[i] == 0 || (size > 0 && size != shape[i]))
            return wrong_shape(reader);
        if (shape[i] > most_of_axis(axes[i]))
            return tensor_refuse(reader->tensor, STATUS_LIMIT, reader->error,
                                 "expected at most %zu for %c in [%s], found %zu",
                                 most_of_axis(axes[i]), axes[i], axes, shape[i]);
        if (axes[i] == 'G' && reader->trace->heads % shape[i] != 0)
            return tensor_refuse(reader->tensor, STATUS_FORMAT, reader->error,
                                 "expected keys of a number of heads that divides %zu, found %zu",
                                 reader->trace->heads, shape[i]);
        if (size == 0)
            *trace_axis_member(reader->trace, axes[i]) = shape[i];
    }
    struct trace *trace = reader->trace;
    if (shape && trace->inner == 0)
        trace->inner = trace->heads * trace->dimensions;
    if (shape && trace->dimensions > 0 && trace->inner != trace->heads * trace->dimensions)
        return tensor_refuse(reader->tensor, STATUS_FORMAT, reader->error,
                             "expected contexts of %zu heads of %zu numbers, found %zu numbers",
                             trace->heads, trace->dimensions, trace->inner);
    return shape ? STATUS_OK : wrong_shape(reader);
}

/* ---- Numbers ------------------------------------------------------------------------------ */

/* Ids and segments, which NumPy writes as I64 and other programs as I32; the trace has them as
 * int32_t. */
static enum status read_integers(struct trace_reader *reader, int32_t **integers)
{
    const bool wide = reader->tensor->type == TENSOR_I64;
    const size_t size = wide ? sizeof(int64_t) : sizeof(int32_t);
    if (!wide && reader->tensor->type != TENSOR_I32)
        return tensor_refuse(reader->tensor, STATUS_UNSUPPORTED, reader->error,
                             "expected I64 or I32, found %s", reader->tensor->type_name);
    *integers = safetensors_buffer(reader->file, reader->count, sizeof **integers, reader->error);
    for (size_t i = 0; *integers && i < reader->count; i++) {
        int64_t number = 0;
        int32_t narrow = 0;
        memcpy(wide ? (void *)&number : &narrow, reader->tensor->data + i * size, size);
        number = wide ? number : narrow;
        if (number < 0 || number > INT32_MAX)
            return tensor_refuse(reader->tensor, STATUS_FORMAT, reader->error,
                                 "expected numbers from 0 to %d, found %lld at [%zu]", INT32_MAX,
                                 (long long)number, i);
        (*integers)[i] = (int32_t)number;
    }
    return *integers ? STATUS_OK : reader->error->status;
}

/* "[1,2,4]": where a number of the tensor stands. */
struct index_text {
    char text[TRACE_NAME_MAX];
};

static struct index_text index_text_of(const struct trace_reader *reader, size_t index)
{
    struct index_text at;
    format_index(at.text, sizeof at.text, without_batch(reader), strlen(reader->entry->axes),
                 index);
    return at;
}

/* The comparison also fails for NaN. */
static enum status check_range(struct trace_reader *reader, const float *numbers, float least,
                               float most, const char *expected)
{
    for (size_t i = 0; i < reader->count; i++)
        if (!(numbers[i] >= least && numbers[i] <= most))
            return tensor_refuse(reader->tensor, STATUS_FORMAT, reader->error,
                                 "expected %s, found %g at %s", expected, (double)numbers[i],
                                 index_text_of(reader, i).text);
    return STATUS_OK;
}

/* Sets the member of the trace; numbers used in place are read-only, like all of a recording. */
static enum status read_recorded(struct trace_reader *reader)
{
    const struct trace *trace = reader->trace;
    const char *axes = reader->entry->axes;
    if (check_shape(reader) != STATUS_OK)
        return reader->error->status;
    void *member = trace_slot_member(trace, reader->slot);
    if (reader->entry->kind == TRACE_KIND_INTEGERS)
        return read_integers(reader, member);
    if (reader->tensor->type >= TENSOR_OTHER && reader->tensor->type != TENSOR_F64)
        return tensor_refuse(reader->tensor, STATUS_UNSUPPORTED, reader->error,
                             "expected F32, F16, BF16 or F64, found %s", reader->tensor->type_name);
    float *numbers = (float *)(uintptr_t)tensor_floats(reader->file, reader->tensor, reader->error);
    if (!numbers)
        return reader->error->status;
    if (reader->entry->kind == TRACE_KIND_HEADS)
        *(struct heads *)member = (struct heads){
            numbers, trace_axis(trace, axes[1]) * trace->dimensions, trace->dimensions,
            axes[0] == 'G' ? trace->heads / size_max(trace->groups, 1) - 1 : 0};
    else
        *(float **)member = numbers;
    /* A tensor called weights may hold scores, or logarithms: then some number is out of range.
     * Rows need not sum to 1 (trace_read.h). */
    if (reader->slot.which == TRACE_weights)
        return check_range(reader, numbers, -TRACE_READ_SLACK, 1 + TRACE_READ_SLACK,
                           "attention after softmax, weights from 0 to 1");
    /* masks make scores of minus infinity; all other numbers must be finite */
    const bool masked = reader->slot.which == TRACE_scores,
               whole = kernels_now()->finite(reader->count, numbers);
    for (size_t i = 0; !whole && i < reader->count; i++)
        if (!isfinite(numbers[i]) && !(masked && trace_is_masked(numbers[i])))
            return tensor_refuse(reader->tensor, STATUS_FORMAT, reader->error,
                                 "expected finite numbers%s, found %s%s at %s",
                                 masked ? ", or -infinity where a mask hides a token" : "",
                                 numbers[i] < 0 ? "-" : "", isnan(numbers[i]) ? "NaN" : "infinity",
                                 index_text_of(reader, i).text);
    /* what is multiplied with its like, dimension by dimension (queries, keys, hidden vectors), or
     * is added to that: nothing that is computed from it overflows, which is looked at here, once
     */
    return strchr("DHEI", axes[strlen(axes) - 1]) || reader->slot.which == TRACE_relative
               ? check_range(reader, numbers, -TRACE_READ_LARGEST, TRACE_READ_LARGEST,
                             "numbers from -1e+15 to 1e+15, whose products don't overflow")
               : STATUS_OK;
}

/* ---- Layers ------------------------------------------------------------------------------- */

/* The names that a file may have for a slot: that of trace_slot_name behind the site's and a dot,
 * the site's own, or that of Hugging Face's outputs; false past the last. Of cross-attention own
 * names are only those that aren't the decoder's other attention's as well. */
static bool name_of(enum site site, struct trace_slot slot, int which, char *name, size_t size)
{
    const char *const before = site_words[site].name ? site_words[site].name : "";
    const char *const dot = *before ? "." : "", *const line = *before ? "_" : "";
    const bool weights = slot.which == TRACE_weights, output = slot.which == TRACE_output;
    char own[TRACE_NAME_MAX];
    trace_slot_name(which == 0 ? SITE_ONLY : site, slot, own, sizeof own);
    if (which < 2)
        snprintf(name, size, "%s%s%s", which == 0 ? before : "", which == 0 ? dot : "", own);
    else
        snprintf(name, size, "%s%s%s.%zu", before, line, weights ? "attentions" : "hidden_states",
                 output ? slot.layer + 1 : slot.layer);
    return which < 2 + (weights || output || slot.which == TRACE_embedding);
}

/* The file's tensor for a slot; NULL: it was not recorded. Logits of the text and of each token
 * have one name: the rank tells them apart. Of two stacks the decoder's are the logits. */
static const struct tensor *find_recorded(const struct safetensors *file, enum site site,
                                          struct trace_slot slot)
{
    char name[TRACE_NAME_MAX + 16];
    const struct tensor *tensor = NULL;
    for (int i = 0; !tensor && name_of(site, slot, i, name, sizeof name); i++)
        tensor = safetensors_find(file, name);
    const bool shared = strcmp(trace_entries[slot.which].name, "logits") == 0,
               others = slot.which >= TRACE_OUTPUTS && site == SITE_ENCODER;
    return others || (tensor && shared && tensor->rank != strlen(trace_entries[slot.which].axes))
               ? NULL
               : tensor;
}

/* One more than the highest layer of whose attention the file has a tensor, *last. Hidden states
 * tell of no layers. Up to one more than there may be. */
static size_t count_layers(const struct safetensors *file, enum site site,
                           const struct tensor **last)
{
    size_t count = 0;
    for (size_t l = 0; l <= CONFIG_LAYERS_MAX; l++)
        for (enum trace_name which = TRACE_normed; which <= TRACE_attention_output; which++) {
            const struct tensor *found = find_recorded(file, site, (struct trace_slot){which, l});
            if (found) {
                *last = found;
                count = l + 1;
            }
        }
    return count;
}

/* L; 0 after an error. */
static size_t check_layers(struct trace_reader *reader)
{
    const struct safetensors *file = reader->file;
    const struct tensor *last = NULL;
    const char *source = file->source;
    const char *site = reader->site == SITE_ONLY ? "" : site_words[reader->site].name;
    size_t count = count_layers(file, reader->site, &last), present = 0;
    while (present < count &&
           find_recorded(file, reader->site, (struct trace_slot){TRACE_weights, present}))
        present++;
    if (count == 0) /* most often some other safetensors file: the message shows what is in it */
        error_write(reader->error, STATUS_FORMAT,
                    "%s: expected a recorded trace, with a tensor \"layer.0.weights\" [A,T,S]; "
                    "found %zu tensors%s%.200s%s; the folder of a checkpoint is opened by --model",
                    source, file->count, file->count > 0 ? ", the first is \"" : "",
                    file->count > 0 ? file->tensors[0].name : "", file->count > 0 ? "\"" : "");
    else if (present < count)
        error_write(reader->error, STATUS_FORMAT,
                    "%s: expected weights of each layer, found \"%.200s\" but no "
                    "\"%s%slayer.%zu.weights\"",
                    source, last->name, site, *site ? "." : "", present);
    else if (count > CONFIG_LAYERS_MAX)
        error_write(reader->error, STATUS_LIMIT, "%s: expected at most %d layers, found %zu",
                    source, CONFIG_LAYERS_MAX, count);
    else
        return count;
    return 0;
}

/* ---- All of it ---------------------------------------------------------------------------- */

bool trace_read_has(const struct safetensors *file, enum site site)
{
    const struct tensor *last;
    return count_layers(file, site, &last) > 0;
}

/* The trace and its layers in one block, as trace_new makes it; unknown sizes are zero. They are
 * learned from whichever tensor comes first, and later ones have to agree: so the weights come
 * first, which have A, T and S, then the rest of the layers. */
enum status trace_read(struct safetensors *file, enum site site, struct trace **trace,
                       struct error *error)
{
    struct trace_reader reader = {.file = file, .site = site, .error = error};
    const size_t layers = check_layers(&reader);
    *trace = layers == 0 ? NULL
                         : memory_new(layers, sizeof(struct layer_trace), sizeof **trace,
                                      "the recorded trace", error);
    if (!*trace)
        return error->status;
    **trace = (struct trace){.site = SITE_ONLY, .axes = site_words[site].axes, .layers = layers};
    (*trace)->layer = (struct layer_trace *)(*trace + 1);
    reader.trace = *trace;
    enum status status = STATUS_OK;
    for (size_t at = 0; status == STATUS_OK && at < 3 * trace_slot_count(*trace); at++) {
        const size_t order = at / trace_slot_count(*trace);
        reader.slot = trace_slot_at(*trace, at % trace_slot_count(*trace));
        reader.entry = &trace_entries[reader.slot.which];
        const size_t own = reader.slot.which == TRACE_weights ? 0 : reader.entry->in_layer ? 1 : 2;
        if (own != order || !(reader.tensor = find_recorded(file, site, reader.slot)))
            continue;
        reader.count = 1;
        for (size_t axis = 0; axis < reader.tensor->rank; axis++)
            reader.count *= reader.tensor->shape[axis]; /* checked by safetensors.c */
        status = read_recorded(&reader);
    }
    if (status != STATUS_OK) {
        free(*trace);
        *trace = NULL;
    }
    return status;
}
