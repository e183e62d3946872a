/* weights.c: finds the tensors that a family's lists ask for, checks their shapes and binds them
 * to struct weights. Nothing here knows a family: what differs between them is in their lists
 * (family_*.c), whose axis letters give every shape. */
#include "headlight/model/weights.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/relation.h"

/* ---- The lists of a family ---------------------------------------------------------------- */

/* The tensors of a head in this configuration. A decoder to words has no weight of its own if it is
 * tied to their embeddings. */
static struct tensor_list tensors_of_head(const struct head_list *head, const struct config *config)
{
    struct tensor_list list = head->tensors;
    const bool words = head->output == OUTPUT_MLM || head->output == OUTPUT_LM;
    list.count -= list.count > 0 && words && config->tied;
    return list;
}

/* What may stand before its names. */
static const char *prefix_of(const struct config *config)
{
    return *config->prefix ? config->prefix : config->family->prefix;
}

void weights_find_prefix(const struct store *store, struct config *config)
{
    const char *end = config->family->whole.entries[0].name;
    const struct tensor *tensor;
    for (size_t i = 0; (tensor = store_at(store, i)); i++) {
        const size_t length = strlen(tensor->name), last = strlen(end);
        if (length < last || length - last >= sizeof config->prefix ||
            strcmp(tensor->name + length - last, end) != 0)
            continue;
        snprintf(config->prefix, sizeof config->prefix, "%.*s", (int)(length - last), tensor->name);
        return;
    }
}

/* ---- Finding them ------------------------------------------------------------------------- */

/* Where the tensors of a family's lists are looked for, and what they are bound to. */
struct binder {
    const struct config *config;
    const struct store *store;
    char prefix[72]; /* of a layer's names: "encoder.albert_layer_groups.0.albert_layers.0.", with
                        room to spare; "" outside the layers */
    const struct watch *watch;
    struct error *error;
    struct weights *weights;
    size_t found, expected; /* tensors */
};

/* Checkpoints of a bare encoder lack the family's prefix ("bert."), those with heads have it, and
 * old ones say "gamma" and "beta" for a LayerNorm's weight and bias. */
static const struct tensor *find_tensor(const struct binder *in, const struct tensor_entry *entry)
{
    const char *const prefixes[] = {prefix_of(in->config), ""};
    const char *const names[] = {entry->name, entry->other_name};
    const struct tensor *tensor = NULL;
    for (size_t i = 0; !tensor && i < 4; i++) {
        char name[160];
        if (!names[i / 2])
            break;
        snprintf(name, sizeof name, "%s%s%s", prefixes[i % 2], in->prefix, names[i / 2]);
        tensor = store_find(in->store, name);
    }
    return tensor;
}

/* Whether the matrix is stored as [inputs,outputs]. */
static bool is_transposed(const struct binder *binder, const struct tensor_entry *entry)
{
    bool table = entry->axes[0] == 'V' || entry->axes[0] == 'P';
    return binder->config->family->transposed && !table && family_rank(entry) == 2;
}

/* The shape that the tensor should have in the file. Returns its rank. */
static size_t expected_shape(const struct binder *binder, const struct tensor_entry *entry,
                             size_t shape[TENSOR_RANK_MAX])
{
    size_t rank = family_rank(entry);
    for (size_t i = 0; i < rank; i++)
        shape[i] = family_extent(binder->config, entry->axes[i]);
    if (entry->axes[0] == 'v') {
        shape[rank++] = shape[0];
        shape[0] = 1;
    }
    shape[0] *= entry->parts > 0 ? entry->parts : 1;
    if (is_transposed(binder, entry)) {
        size_t outputs = shape[0];
        shape[0] = shape[1];
        shape[1] = outputs;
    }
    return rank;
}

/* ---- Binding them ------------------------------------------------------------------------- */

/* Transposes the columns from `first` of [inputs,columns] to [outputs,inputs], square by square
 * to stay in the cache. */
static inline void transpose_columns(const unsigned char *from, size_t columns, size_t first,
                                     size_t outputs, size_t inputs, size_t bytes, unsigned char *to)
{
    const size_t side = 32;
    for (size_t o = 0; o < outputs; o += side)
        for (size_t i = 0; i < inputs; i += side)
            for (size_t row = o; row < size_min(o + side, outputs); row++)
                for (size_t k = i; k < size_min(i + side, inputs); k++)
                    memcpy(to + (row * inputs + k) * bytes,
                           from + (k * columns + first + row) * bytes, bytes);
}

/* A vector's floats, which are looked at for non-finite ones; of no tensor zeros. A copy where they
 * aren't stored as they are used: parts lie head by head, or Gemma's norms multiply with 1 + w. */
static enum status bind_vector(struct binder *binder, const struct tensor_entry *entry,
                               const struct tensor *tensor, const float **vector)
{
    const struct config *config = binder->config;
    const size_t count = family_extent(config, entry->axes[0]), part = entry->part;
    const bool packed = entry->axes[0] == 'h', less_one = config->family->less_one;
    const size_t rows = packed ? config->hidden / config->heads : count;
    const bool copied = !tensor || packed || less_one;
    const size_t first = packed ? 0 : part * count;
    struct safetensors *file = binder->store->files[0];
    if (tensor && tensor_check_finite(tensor, first, packed ? entry->parts * count : count,
                                      binder->error) != STATUS_OK)
        return binder->error->status;
    const float *floats = tensor ? tensor_floats(file, tensor, binder->error) : NULL;
    float *copy = copied ? safetensors_buffer(file, count, sizeof *copy, binder->error) : NULL;
    if ((tensor && !floats) || (copied && !copy))
        return binder->error->status;
    for (size_t i = 0; tensor && copied && i < count; i++)
        copy[i] = floats[(i / rows * entry->parts + part) * rows + i % rows] + (less_one ? 1 : 0);
    *vector = copied ? copy : floats + first;
    return STATUS_OK;
}

/* Several entries may be parts of one tensor, as the thirds of GPT-2's c_attn are: part i begins
 * after the rows of those before it. Copied are those that are stored as [inputs,outputs], as
 * products read an output's inputs one after another; and those whose rows lie head by head, each
 * head's with those of the other parts. */
static enum status bind_tensor(struct binder *binder, const struct tensor_entry *entry,
                               const struct tensor *tensor, void *member)
{
    const struct config *config = binder->config;
    if (family_rank(entry) == 1 || !tensor) /* only a vector may be zeros */
        return bind_vector(binder, entry, tensor, member);
    const size_t bytes = tensor->type == TENSOR_F32 ? 4 : 2, part = entry->part;
    const size_t outputs = family_extent(config, entry->axes[0]);
    const bool transposed = is_transposed(binder, entry);
    size_t row = bytes;
    for (size_t i = 1; i < tensor->rank; i++)
        row *= tensor->shape[i];
    const unsigned char *data = tensor->data + part * outputs * row;
    if (transposed || entry->axes[0] == 'h') { /* no overflow: the file has as many */
        const size_t inputs = tensor->shape[0], columns = tensor->shape[1];
        const size_t rows = config->hidden / config->heads; /* of a head */
        unsigned char *copy = safetensors_buffer(binder->store->files[0], outputs,
                                                 transposed ? inputs * bytes : row, binder->error);
        if (!copy)
            return binder->error->status;
        if (!transposed)
            for (size_t head = 0; head < config->heads; head++)
                memcpy(copy + head * rows * row,
                       tensor->data + (head * entry->parts + part) * rows * row, rows * row);
        else if (bytes == 4) /* with a constant size a number is copied by one instruction */
            transpose_columns(tensor->data, columns, part * outputs, outputs, inputs, 4, copy);
        else
            transpose_columns(tensor->data, columns, part * outputs, outputs, inputs, 2, copy);
        data = copy;
    }
    *(struct matrix *)member = (struct matrix){data, tensor->type};
    return STATUS_OK;
}

/* Vaswani et al. 2017, 3.5, with the sines before the cosines (modeling_marian.py). */
static enum status make_sinusoids(struct binder *binder, struct matrix *matrix)
{
    const size_t P = binder->config->positions, H = binder->config->hidden;
    float *table = safetensors_buffer(binder->store->files[0], P * H, sizeof *table,
                                      binder->error); /* both are far below what overflows */
    for (size_t i = 0; table && i < P * H; i++) {
        const size_t m = i % H % ((H + 1) / 2);
        table[i] = (float)relation_sinusoid(i / H, 2 * m + (i % H != m), H);
    }
    *matrix = (struct matrix){(const unsigned char *)table, TENSOR_F32};
    return table ? STATUS_OK : binder->error->status;
}

/* Binds all tensors of a list; `base` is the struct that has the members. Shapes are checked here,
 * so that no later code has to ask how large a matrix is. */
static enum status bind_list(struct binder *binder, const struct tensor_list *list, void *base)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct tensor_entry *entry = &list->entries[i];
        const struct tensor *tensor = find_tensor(binder, entry);
        size_t shape[TENSOR_RANK_MAX] = {0}, rank = expected_shape(binder, entry, shape);
        const char *missing = family_switch(binder->config, entry);
        if (family_numbers(binder->config, entry) == 0 || (!tensor && entry->axes[0] == 'r'))
            continue;
        if (!tensor && entry->axes[0] == 'y') {
            if (make_sinusoids(binder, (struct matrix *)(void *)((char *)base + entry->offset)) !=
                STATUS_OK)
                return binder->error->status;
            continue;
        }
        missing = !tensor && entry->axes[0] == 'v' ? "final_logits_bias" : missing;
        if (missing && tensor)
            return error_set(binder->error, STATUS_MISMATCH,
                             "%s: expected no tensor \"%s%s\", which config.json's \"%s\" has no "
                             "use for, found one",
                             binder->store->source, binder->prefix, entry->name, missing);
        if (entry->name && !tensor && !missing)
            return error_set(binder->error, STATUS_MISMATCH, /* the name in its usual form */
                             "%s: expected a tensor \"%s%s\" (with or without \"%s\"), found none",
                             binder->store->source, binder->prefix, entry->name,
                             prefix_of(binder->config));
        if ((tensor && tensor_expect(tensor, shape, rank, binder->error) != STATUS_OK) ||
            bind_tensor(binder, entry, tensor, (char *)base + entry->offset) != STATUS_OK ||
            watch_step(binder->watch, ++binder->found, binder->expected, binder->error) !=
                STATUS_OK)
            return binder->error->status;
    }
    return STATUS_OK;
}

/* Whether the checkpoint has a head at all; see struct head_list. One whose outputs have no names,
 * or several, is not used; one that needs nothing but the word embeddings is always there. */
static bool any_found(const struct binder *binder, const struct head_list *head)
{
    const struct tensor_list list = tensors_of_head(head, binder->config);
    bool needed = false, found = head->deciding == 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct tensor_entry *entry = &list.entries[i];
        const struct tensor *tensor = find_tensor(binder, entry);
        size_t expected[TENSOR_RANK_MAX] = {0};
        const size_t rank = expected_shape(binder, entry, expected);
        /* rows that are outputs for classes, tags or spans, and others than there are labels */
        if ((entry->axes[0] == 'C' || (entry->axes[0] == '1' && entry->parts == 2)) && tensor &&
            tensor->rank == rank && tensor->shape[0] != expected[0])
            return false;
        needed |= entry->name && !family_switch(binder->config, entry);
        found |= i < head->deciding && tensor;
    }
    return found || !needed;
}

/* What a head is for whose tensors don't tell. config.json's class says; without one, labels such
 * as B-PER are of tokens, and so is a classifier that lacks what one of texts needs. If nothing
 * decides, TASK_NONE: the head is named as unknown. The heads that have names of their own come
 * first in a family's table. */
static enum head_task task_of(const struct binder *binder)
{
    const struct config *config = binder->config;
    const bool *has = binder->weights->has;
    if (has[OUTPUT_CLASSES] || config->task != TASK_NONE)
        return has[OUTPUT_CLASSES] ? TASK_SEQUENCE : config->task;
    for (size_t i = 0; i < FAMILY_HEADS_MAX && !config->tagged; i++) {
        const struct head_list *head = &config->family->heads[i];
        const struct tensor_list *list = &head->tensors;
        size_t found = head->task == TASK_SEQUENCE ? 0 : SIZE_MAX;
        while (found < list->count &&
               (!list->entries[found].name || find_tensor(binder, &list->entries[found])))
            found++;
        if (found == list->count)
            return TASK_NONE;
    }
    return TASK_TOKENS;
}

/* A head must be complete or absent: half a head means a damaged checkpoint. */
static enum status bind_heads(struct binder *binder)
{
    const struct config *config = binder->config;
    struct weights *weights = binder->weights;
    for (size_t i = 0; i < FAMILY_HEADS_MAX; i++) {
        const struct head_list *head = &config->family->heads[i];
        const struct tensor_list list = tensors_of_head(head, config);
        struct head_weights *bound = &weights->heads[head->output];
        if (!head->tensors.entries || weights->has[head->output] || !any_found(binder, head) ||
            (head->task != TASK_NONE && head->task != task_of(binder)))
            continue;
        weights->has[head->output] = true;
        bound->pooling =
            head->pooling == POOL_CONFIGURED ? config->classifier_pooling : head->pooling;
        bound->activation = head->activation;
        if (head->configured > 0)
            memcpy(&bound->activation, (const char *)config + head->configured,
                   sizeof bound->activation);
        if (bind_list(binder, &list, bound) != STATUS_OK)
            return binder->error->status;
    }
    return STATUS_OK;
}

bool weights_lack_layers(const struct config *config, const struct store *store)
{
    struct binder in = {.config = config, .store = store};
    const struct tensor_list *list = &config->family->layer;
    bool found = false;
    family_layer(config, 0, in.prefix, sizeof in.prefix);
    for (size_t i = 0; i < list->count; i++)
        found |= find_tensor(&in, &list->entries[i]) != NULL;
    return !found;
}

size_t weights_classes(const struct config *config, const struct store *store)
{
    const struct binder in = {.config = config, .store = store};
    for (size_t i = 0; i < FAMILY_HEADS_MAX; i++) {
        const struct tensor_list *list = &config->family->heads[i].tensors;
        for (size_t t = 0; t < list->count; t++) {
            const struct tensor *tensor = strcmp(list->entries[t].axes, "CH") == 0
                                              ? find_tensor(&in, &list->entries[t])
                                              : NULL;
            if (tensor && tensor->rank == 2)
                return tensor->shape[0];
        }
    }
    return 0;
}

/* ---- What nobody asked for ---------------------------------------------------------------- */

/* Whether a name begins with the same part, up to a dot, as a name that the family's lists have. */
static bool begins_like(const char *name, const char *known)
{
    return known && strncmp(name, known, strcspn(known, ".") + 1) == 0;
}

/* Whether a tensor is of the encoder, read or not (there are buffers, and a pooler that no head
 * needs), or of a head that the checkpoint has, under either name; a tied decoder's too. */
static bool is_known(const struct weights *weights, const struct config *config, const char *name)
{
    const struct family *family = config->family;
    const char *prefix = prefix_of(config);
    if (family->nested || (*prefix && strncmp(name, prefix, strlen(prefix)) == 0) ||
        begins_like(name, family->layer_prefix) || begins_like(name, "pooler.") ||
        (family->encoder && begins_like(name, family->encoder->layer_prefix)))
        return true;
    for (size_t i = 0; i < family->whole.count; i++)
        if (begins_like(name, family->whole.entries[i].name) ||
            begins_like(name, family->whole.entries[i].other_name))
            return true;
    for (size_t i = 0; i < FAMILY_HEADS_MAX; i++) {
        const struct tensor_list *list = &family->heads[i].tensors;
        for (size_t t = 0; weights->has[family->heads[i].output] && t < list->count; t++) {
            const struct tensor_entry *entry = &list->entries[t];
            if ((entry->name && strcmp(name, entry->name) == 0) ||
                (entry->other_name && strcmp(name, entry->other_name) == 0))
                return true;
        }
    }
    return false;
}

double weights_bytes(const struct weights *weights, const struct config *config)
{
    return (weights->word_embeddings.type == TENSOR_F32 ? 4 : 2) * family_weights(config);
}

/* Layers of a group have the same names, and are bound one by one to the same tensors. */
enum status weights_bind(struct weights *weights, const struct config *config,
                         const struct store *store, const struct watch *watch, struct error *error)
{
    struct binder binder = {
        .config = config, .store = store, .watch = watch, .error = error, .weights = weights};
    const struct family *family = config->family;
    /* an upper bound of what can be bound, for the progress shown */
    binder.expected =
        family->whole.count + config->layers * (family->layer.count + family->later_layer.count);
    for (size_t i = 0; i < FAMILY_HEADS_MAX; i++)
        binder.expected += family->heads[i].tensors.count;
    *weights = (struct weights){0};
    weights->layer =
        memory_new(config->layers, sizeof *weights->layer, 0, "the list of tensors", error);
    if (!weights->layer || bind_list(&binder, &family->whole, weights) != STATUS_OK ||
        memory_check(weights_bytes(weights, config),
                     "use a smaller model, or this one saved in F16 or BF16", error,
                     "%s: the weights need at least", store->source) != STATUS_OK)
        return error->status;
    for (size_t l = 0; l < config->layers; l++) {
        family_layer(config, l, binder.prefix, sizeof binder.prefix);
        if (bind_list(&binder, &family->layer, &weights->layer[l]) != STATUS_OK ||
            (l > 0 && bind_list(&binder, &family->later_layer, &weights->layer[l]) != STATUS_OK))
            return error->status;
    }
    binder.prefix[0] = '\0';
    if (bind_heads(&binder) != STATUS_OK)
        return error->status;
    /* the first tensor of a head that is not known, in the order of the file; the decoder looks at
     * the heads of both */
    const struct tensor *tensor;
    for (size_t i = 0;
         config->stack != STACK_ENCODER && !weights->unknown && (tensor = store_at(store, i)); i++)
        if (!is_known(weights, config, tensor->name))
            weights->unknown = tensor->name;
    if (config->tied && weights_words(weights) < OUTPUT_COUNT)
        weights->heads[weights_words(weights)].decoder.weight = weights->word_embeddings;
    return STATUS_OK;
}

void weights_free(struct weights *weights)
{
    free(weights->layer);
    *weights = (struct weights){0};
}
