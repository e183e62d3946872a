/* A weights file: its header, and what is said when it is taken for the tiny checkpoint's, or for
 * one of the smallest of other families, which the corpus has; those are computed with. */
#include "../opening.h"
#include "fuzz.h"

#include "headlight/base/file.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/safetensors.h"
#include "headlight/tensor/thread_pool.h"

#include <stdlib.h>
#include <string.h>

/* Where a sanitizer sees it. */
static void read_byte(const unsigned char *byte)
{
    (void)*(const volatile unsigned char *)byte;
}

static void look_at(const struct safetensors *file, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < file->count; i++) {
        const struct tensor *tensor = &file->tensors[i];
        promise(safetensors_find(file, tensor->name) == tensor);
        promise(tensor->rank <= TENSOR_RANK_MAX);
        promise(tensor->data >= data && tensor->size <= (size_t)(data + size - tensor->data));
        if (tensor->size > 0) {
            read_byte(tensor->data);
            read_byte(tensor->data + tensor->size - 1);
        }
    }
    const char *tokens = safetensors_metadata(file, "tokens");
    promise(!tokens || strlen(tokens) <= size);
}

static void take_for_weights(const uint8_t *data, size_t size)
{
    static char *config;
    static size_t length;
    struct error error;
    struct model *model;
    if (!config)
        promise(file_read(FUZZ_CONFIG, 4096, &config, &length, &error) == STATUS_OK);
    if (model_from_memory("fuzz", config, length, data, size, &model, &error) == STATUS_OK)
        model_free(model);
    else
        promise(error.message[0] != '\0');
}

#define SIZES                                                                                      \
    "\"vocab_size\":3,\"hidden_size\":2,\"num_hidden_layers\":2,\"num_attention_heads\":1,"        \
    "\"intermediate_size\":2,"

#define GPT2_SIZES "\"vocab_size\":3,\"n_embd\":2,\"n_layer\":2,\"n_head\":1,\"n_positions\":3,"

static const char *const others[] = {
    "{\"model_type\":\"albert\"," SIZES "\"embedding_size\":1,\"max_position_embeddings\":3}",
    "{\"model_type\":\"mpnet\"," SIZES "\"max_position_embeddings\":5}",
    "{\"model_type\":\"modernbert\"," SIZES "\"max_position_embeddings\":3,"
    "\"local_attention\":2}",
    "{\"model_type\":\"deberta-v2\"," SIZES "\"max_position_embeddings\":5,"
    "\"relative_attention\":true,\"position_biased_input\":false,\"position_buckets\":2,"
    "\"norm_rel_ebd\":\"layer_norm\",\"pos_att_type\":\"p2c|c2p\",\"conv_kernel_size\":3,"
    "\"conv_act\":\"gelu\"}",
    "{\"model_type\":\"gpt2\"," GPT2_SIZES "\"n_inner\":2}",
};

static void compute(const struct model *model)
{
    static const int32_t ids[] = {1, 2, 1}, segments[3];
    struct error error;
    struct trace *trace;
    pool_set_size(1);
    promise(forward_prepare(model, NULL, ids, segments, 3, true, &trace, &error) == STATUS_OK);
    if (forward_run(model, NULL, NULL, trace, &error) != STATUS_OK)
        promise(error.message[0] != '\0');
    free(trace);
}

static void take_for_others(const uint8_t *data, size_t size)
{
    struct error error;
    struct model *model;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        enum status status =
            model_from_memory("fuzz", others[i], strlen(others[i]), data, size, &model, &error);
        if (status == STATUS_OK)
            compute(model);
        else
            promise(error.message[0] != '\0');
        model_free(model);
    }
}

void fuzz_safetensors(const uint8_t *data, size_t size)
{
    struct safetensors *file;
    struct error error;
    if (safetensors_parse(data, size, "fuzz", &file, &error) == STATUS_OK)
        look_at(file, data, size);
    safetensors_free(file);
    take_for_weights(data, size);
    take_for_others(data, size);
}
