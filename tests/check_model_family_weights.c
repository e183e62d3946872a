/* The checkpoints of every family, tensor by tensor: what is missing, of another shape or of
 * another type is named; what is more than needed does no harm. */
#include "family_model.h"
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct random_model model;

static const struct family *make(size_t variant)
{
    family_model_make(&model, family_variant_at(variant), "F32", variant + 1);
    return model.model->config.family;
}

static void end(void)
{
    random_model_free(&model);
    model = (struct random_model){0};
}

TESTS(.end = end);

/* The name without the family's prefix, as messages have it. */
static const char *short_name(const struct family *family, const char *name)
{
    const size_t length = strlen(family->prefix);
    return strncmp(name, family->prefix, length) == 0 ? name + length : name;
}

/* A tensor that decides alone whether a head is there: without it there is none, and all is well.
 */
static bool is_all_of_a_head(const struct family *family, const char *name)
{
    return (strstr(name, "decoder.bias") && strncmp(name, "model.", 6) == 0) || /* ModernBERT's */
           (strstr(name, "model.lm_head.weight") && family != &family_eurobert) || /* Llama's */
           strstr(name, "embed_out");                                              /* GPT-NeoX's */
}

TEST(every_tensor_is_missed_by_name, .times = (int)family_variant_count())
{
    const struct family *family = make((size_t)_i);
    for (size_t i = 0; i < model.parts.count; i++) {
        char expected[256];
        struct part part = model.parts.part[i];
        memmove(&model.parts.part[i], &model.parts.part[i + 1],
                (model.parts.count - i - 1) * sizeof part);
        model.parts.count--;
        snprintf(expected, sizeof expected,
                 "random/model.safetensors: expected a tensor \"%s\" (with or without \"%s\"), "
                 "found none",
                 short_name(family, part.name), family->prefix);
        if (is_all_of_a_head(family, part.name)) {
            assert_ok(random_model_open(&model, &error), error);
            ck_assert(!model.model->weights.has[OUTPUT_MLM]);
        } else if (strstr(part.name, "inv_freq")) { /* which follow from θ as well */
            assert_ok(random_model_open(&model, &error), error);
            ck_assert_ptr_null(model.model->config.speeds);
        } else {
            assert_fails(random_model_open(&model, &error), STATUS_MISMATCH, expected, error);
            ck_assert_ptr_null(model.model);
        }
        memmove(&model.parts.part[i + 1], &model.parts.part[i],
                (model.parts.count - i) * sizeof part);
        model.parts.part[i] = part;
        model.parts.count++;
    }
}

/* As transformers' classes of an encoder alone save it. */
TEST(an_encoder_alone_is_no_encoder_decoder)
{
    for (size_t variant = family_variant_count(); variant < family_variant_all(); variant++) {
        const char *prefix = make(variant)->prefix;
        parts_drop_all(&model.parts, *prefix ? "model.decoder." : "decoder.");
        assert_fails(random_model_open(&model, &error), STATUS_UNSUPPORTED,
                     "found no decoder: headlight needs the whole checkpoint", error);
        random_model_free(&model);
    }
    model = (struct random_model){0};
}

/* Biases are where the configuration has them, and nowhere else. */
TEST(a_bias_is_said_by_the_configuration)
{
    static const char *const names[] = {"self_attn.q_proj.bias", "self_attn.o_proj.bias",
                                        "mlp.down_proj.bias"};
    static const char *const fields[] = {"attention_bias", "model_type", "model_type"};
    size_t variant = 0;
    while (strcmp(family_variant_at(variant)->name, "qwen3") != 0)
        variant++;
    for (size_t i = 0; i < 3; i++) {
        char name[80], expected[200];
        variant -= i == 1; /* qwen2, which has biases of queries whatever it says */
        make(variant);
        snprintf(name, sizeof name, "model.layers.1.%s", names[i]);
        const size_t H = model.shape.hidden;
        const size_t inner = i == 0 ? 30 : H;
        parts_add(&model.parts, name, "F32", (const size_t[]){inner, 0});
        snprintf(expected, sizeof expected,
                 "expected no tensor \"layers.1.%s\", which config.json's \"%s\" has no use for",
                 names[i], fields[i]);
        assert_fails(random_model_open(&model, &error), STATUS_MISMATCH, expected, error);
        random_model_free(&model);
        model = (struct random_model){0};
    }
}

/* A model of pictures and text has its text's tensors behind a prefix of its own, and others, which
 * are no heads. */
TEST(text_is_found_in_a_model_of_more, .times = 2)
{
    static const char *const prefixes[] = {"language_model.model.", "model.language_model."};
    size_t variant = 0;
    while (strcmp(family_variant_at(variant)->name, "gemma3") != 0)
        variant++;
    make(variant);
    for (size_t i = 0; i < model.parts.count; i++) {
        char *name = model.parts.part[i].name, rest[sizeof model.parts.part[i].name];
        snprintf(rest, sizeof rest, "%s", name + strlen("model."));
        snprintf(name, sizeof rest, "%s%.60s", prefixes[_i], rest);
    }
    parts_add(&model.parts, "vision_tower.vision_model.embeddings.patch_embedding.bias", "F32",
              (const size_t[]){3, 0});
    assert_ok(random_model_open(&model, &error), error);
    ck_assert_str_eq(model.model->note, "");
    ck_assert(model.model->weights.has[OUTPUT_LM]);
}

/* Of the same size, turned, or with an axis more. */
static void reshape(struct part *part, size_t kind)
{
    size_t count = 1;
    for (size_t i = 0; i < part->rank; i++)
        count *= part->shape[i];
    if (kind == 0) { /* one axis, or two */
        part->rank = part->rank == 1 ? 2 : 1;
        part->shape[0] = count;
        part->shape[1] = 1;
    } else if (kind == 1) { /* one more */
        part->shape[part->rank++] = 1;
    } else { /* one row of nothing less */
        const size_t row = part->size / part->shape[0];
        part->shape[0]--;
        part->size -= row;
    }
}

/* The last part of a classifier, whose rows are its outputs: with fewer it is left out. */
static bool is_of_labels(const char *name)
{
    return strstr(name, "qa_outputs.") || strstr(name, "classifier.out_proj.") ||
           (strstr(name, "classifier.") && !strstr(name, "pre_classifier.") &&
            !strstr(name, "classifier.dense.") && !strstr(name, "sop_classifier."));
}

TEST(every_shape_is_checked, .times = (int)family_variant_count())
{
    make((size_t)_i);
    for (size_t i = 0; i < model.parts.count; i++)
        for (size_t kind = 0; kind < 3; kind++) {
            char expected[256];
            struct part *part = &model.parts.part[i], whole = *part;
            if (kind == 2 && part->shape[0] == 1)
                continue;
            reshape(part, kind);
            snprintf(expected, sizeof expected, "tensor \"%s\": expected the shape [%zu",
                     part->name, whole.shape[0]);
            if (kind == 2 && is_of_labels(part->name)) {
                assert_ok(random_model_open(&model, &error), error);
                ck_assert(
                    !model.model->weights
                         .has[strstr(part->name, "qa_outputs") ? OUTPUT_START : OUTPUT_CLASSES]);
            } else {
                assert_fails(random_model_open(&model, &error), STATUS_MISMATCH, expected, error);
                ck_assert_ptr_nonnull(strstr(error.message, "that config.json gives, found ["));
            }
            *part = whole;
        }
}

TEST(every_type_is_checked, .times = (int)family_variant_count())
{
    make((size_t)_i);
    for (size_t i = 0; i < model.parts.count; i++) {
        char expected[256];
        struct part *part = &model.parts.part[i];
        strcpy(part->type, "I32");
        snprintf(expected, sizeof expected,
                 "tensor \"%s\": expected F32, F16, BF16 or F64, found I32", part->name);
        assert_fails(random_model_open(&model, &error), STATUS_UNSUPPORTED, expected, error);
        strcpy(part->type, "F32");
    }
}

/* Buffers of older files, heads of other tasks, names from elsewhere, whatever they hold. */
TEST(other_tensors_do_no_harm, .times = (int)family_variant_count())
{
    static const char *const names[] = {"embeddings.position_ids",
                                        "h.0.attn.bias",
                                        "h.0.attn.masked_bias",
                                        "classifier.weight",
                                        "mask_predictions.dense.weight",
                                        "",
                                        "x",
                                        "encoder.layer.99.attention.self.query.weight"};
    static const size_t shape[] = {3, 2, 0};
    struct trace *before, *after;
    make((size_t)_i);
    before = random_prepare(&model, 9, 4, 3);
    assert_ok(forward_run(model.model, NULL, NULL, before, &error), error);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        parts_add(&model.parts, names[i], i % 2 ? "I64" : "F32", shape);
    assert_ok(random_model_open(&model, &error), error);
    after = random_prepare(&model, 9, 4, 3);
    assert_ok(forward_run(model.model, NULL, NULL, after, &error), error);
    assert_same_traces(before, after);
    free(before);
    free(after);
}

/* The family's prefix may be left out, as files of a plain encoder do. */
TEST(the_prefix_may_be_left_out, .times = (int)family_variant_count())
{
    const struct family *family = make((size_t)_i);
    struct trace *before = random_prepare(&model, 9, 4, 3), *after;
    assert_ok(forward_run(model.model, NULL, NULL, before, &error), error);
    for (size_t i = 0; i < model.parts.count; i++) {
        char *name = model.parts.part[i].name;
        const char *rest = short_name(family, name);
        memmove(name, rest, strlen(rest) + 1);
    }
    assert_ok(random_model_open(&model, &error), error);
    after = random_prepare(&model, 9, 4, 3);
    assert_ok(forward_run(model.model, NULL, NULL, after, &error), error);
    assert_same_traces(before, after);
    free(before);
    free(after);
}
