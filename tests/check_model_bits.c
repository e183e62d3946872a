/* The same model and text give the same bits on every processor with fused multiply-add: a hash of
 * all that a pass computes, for models of every family, as AVX-512, AVX2 and NEON compute them. */
#include "family_model.h"
#include "headlight/model/forward.h"
#include "kernels_four.h"
#include "recorded.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

static struct error error;
static struct random_model model;

static void end(void)
{
    random_model_free(&model);
    model = (struct random_model){0};
    kernels_choose(NULL);
}

TESTS(.end = end);

/* A short text is multiplied by loops of its own. */
static const size_t lengths[] = {
    1, 2, 5, KERNELS_TOKENS_MAX, KERNELS_TOKENS_MAX + 1, 17, FAMILY_LONGEST};

#define NO_HASH 14695981039346656037u

/* FNV-1a. */
static uint64_t add_hash(uint64_t hash, const struct trace *trace)
{
    for (size_t i = 0; i < trace_tensor_count(trace); i++) {
        struct trace_tensor tensor;
        trace_tensor_at(trace, i, &tensor);
        for (size_t n = 0; tensor.numbers && n < trace_numbers(&tensor); n++) {
            const float number = (float)trace_number(&tensor, n);
            uint32_t bits;
            memcpy(&bits, &number, sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    return hash;
}

/* A target is of another length than its source. */
static uint64_t hash_all(void)
{
    const struct model *decoder = model.model->decoder;
    uint64_t hash = NO_HASH;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct trace *trace = random_prepare(&model, lengths[i], lengths[i] / 2 + 1, 11);
        assert_ok(forward_run(model.model, NULL, NULL, trace, &error), error);
        hash = add_hash(hash, trace);
        if (decoder) {
            struct trace *target =
                random_target(&model, trace, lengths[COUNT(lengths) - 1 - i], 12);
            assert_ok(forward_run(decoder, NULL, NULL, target, &error), error);
            hash = add_hash(hash, target);
            free(target);
        }
        free(trace);
    }
    return hash;
}

static const struct family_variant *make(int index)
{
    static const char *const types[] = {"F32", "F16", "BF16"};
    const struct family_variant *variant = family_variant_at((size_t)index);
    family_model_make(&model, variant, types[index % 3], (uint64_t)index);
    return variant;
}

static bool computes_the_same_bits(const struct kernels *kernels)
{
    return strcmp(kernels->bits, KERNELS_SAME_BITS) == 0;
}

static const struct {
    const char *variant;
    uint64_t hash;
} recorded[] = {
    {"bert", 0x16f656e1d7027936},
    {"distilbert", 0xb661989bdde97111},
    {"roberta", 0x8ec2885bef3532bf},
    {"xlm-roberta", 0x70d7a0ef33e8a420},
    {"electra, narrow", 0xe10abf04613d9311},
    {"electra, wide", 0xb0e1ae43ca358863},
    {"electra, not projected", 0x4b009280fbbc1e2f},
    {"albert", 0x725f990f0233f02d},
    {"mpnet", 0xc4b2f3413ec315da},
    {"modernbert", 0xc507633b35f577e6},
    {"modernbert, newer", 0xe09481bfb632b521},
    {"deberta", 0x899dc0327ba79f74},
    {"deberta, convolved", 0x3936492d8335972c},
    {"deberta, c2p", 0x4afe330e50ddbbd5},
    {"deberta, p2c", 0xf70920f020849e4a},
    {"gpt2", 0xc430a360498542d1},
    {"nomic", 0x359ebba8b226b7b1},
    {"nomic, published", 0x3fc06287a7a74d16},
    {"jina", 0x6ca2a5da6ca0cce4},
    {"deberta v1", 0xbc7f01122b8ae3ff},
    {"deberta v1, c2p", 0x92847d999ccb6c79},
    {"deberta v1, p2c", 0x5d8b5c354fff64e1},
    {"llama", 0xc3bd5971a40fbca8},
    {"esm", 0x3ec8aa9681d286ea},
    {"esm, absolute", 0xf52a975ac76c7167},
    {"eurobert", 0xde7fe68b31b17002},
    {"qwen2", 0x0829be21f4a87ef3},
    {"qwen3", 0xf0afd4926f13fda8},
    {"gemma2", 0x1082706897b6b13e},
    {"gemma3", 0xb2a6a4e7553a085e},
    {"neox", 0x72418b07a10c28ab},
    {"neox, sequential", 0xbea0634de0d51969},
    {"mistral", 0xe0f608a092e865d2},
    {"t5", 0x7258e1bc3f6e02eb},
    {"t5, 1.1", 0x1aaa7b6cd5c0020f},
    {"umt5", 0x0f6ddce8d9446fb9},
    {"bart", 0x3a7cfa2190ec5e4c},
    {"marian", 0x3454bcef637337eb},
};

TEST(every_processor_computes_the_same_bits, .times = (int)family_variant_all())
{
    const struct family_variant *variant = make(_i);
    ck_assert_int_lt(_i, COUNT(recorded));
    ck_assert_str_eq(recorded[_i].variant, variant->name);
    for (size_t k = 0; kernels_of_tests(k); k++) {
        kernels_choose(kernels_of_tests(k));
        const uint64_t hash = hash_all();
        if (computes_the_same_bits(kernels_now()) && hash != recorded[_i].hash)
            ck_abort_msg("%s, %s: expected the bits 0x%016llx, found 0x%016llx",
                         kernels_now()->name, variant->name, (unsigned long long)recorded[_i].hash,
                         (unsigned long long)hash);
    }
}
