/* Maps of each family: nothing that they are made of is taken for BERT's. */
#include "family_helpers.h"
#include "family_model.h"
#include "model_helpers.h"
#include "opening.h"
#include "recorded.h"
#include "suites.h"

#include "headlight/lens/map.h"
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* ‖v·W_o‖ of a head, from the weights. */
static double length_of_value(const struct model *model, const struct trace *of, size_t l,
                              size_t head, size_t token)
{
    const struct layer_weights *layer = &model->weights.layer[l];
    const struct matrix *projection =
        of->site == SITE_CROSS ? &layer->cross.output.weight : &layer->attention.output.weight;
    const size_t H = of->hidden, D = of->dimensions;
    const float *v = heads_row(&of->layer[l].value, head, token);
    float row[512];
    double sum = 0;
    for (size_t i = 0; i < H; i++) {
        double product = 0;
        matrix_numbers(projection, i * of->inner + head * D, D, row);
        for (size_t d = 0; d < D; d++)
            product += (double)v[d] * (double)row[d];
        sum += product * product;
    }
    return sqrt(sum);
}

static void family_norms(const struct model *model, const struct trace *of, const struct map *norms)
{
    for (size_t i = 0; i < of->layers * of->heads * of->attended; i++) {
        const size_t l = i / (of->heads * of->attended), h = i / of->attended % of->heads;
        const size_t to = i % of->attended;
        const double length = length_of_value(model, of, l, h, to);
        for (size_t from = 0; from < of->tokens; from += 3) {
            const double expected = (double)trace_weight(of, l, h, from, to) * length;
            ck_assert_double_eq_tol((double)map_value(norms, l, h, from, to), expected,
                                    1e-5 * (1 + expected));
        }
    }
}

/* Rows of rollout sum to 1 and hold nothing of what no layer lets through. */
static void check_rollout(const struct config *config, const struct trace *of,
                          const struct map *rollout)
{
    for (size_t i = 0; i < of->layers * of->tokens; i++) {
        const size_t l = i / of->tokens, from = i % of->tokens;
        double sum = 0;
        for (size_t to = 0; to < of->tokens; to++) {
            const double part = (double)map_value(rollout, l, 0, from, to);
            sum += part;
            if (config->causal && to > from)
                ck_assert_double_eq(part, 0);
        }
        ck_assert_double_eq_tol(sum, 1, 1e-5);
    }
}

/* What the queries of the layer are made of, multiplied with each other. */
static void check_plain(const struct trace *of, const struct map *plain)
{
    const size_t H = of->hidden, T = of->tokens;
    for (size_t i = 0; i < of->layers * T; i++) {
        const struct layer_trace *layer = &of->layer[i / T];
        const float *x = layer->normed ? layer->normed : layer->input;
        double scores[600], sum = 0, largest = -INFINITY;
        for (size_t to = 0; to < T; to++) {
            scores[to] = 0;
            for (size_t d = 0; d < H; d++)
                scores[to] += (double)x[i % T * H + d] * (double)x[to * H + d] / sqrt((double)H);
            largest = fmax(largest, scores[to]);
        }
        for (size_t to = 0; to < T; to++)
            sum += exp(scores[to] - largest);
        for (size_t to = 0; to < T; to++)
            ck_assert_double_eq_tol((double)map_value(plain, i / T, 0, i % T, to),
                                    exp(scores[to] - largest) / sum, 1e-5);
    }
}

static void check_similarity(const struct trace *of, const struct map *similarity)
{
    const size_t H = of->hidden, T = of->tokens;
    for (size_t i = 0; i < of->layers * T; i++) {
        const float *h = of->layer[i / T].output, *from = h + i % T * H;
        for (size_t to = 0; to < T; to++) {
            double product = 0, a = 0, b = 0;
            for (size_t d = 0; d < H; d++) {
                product += (double)from[d] * (double)h[to * H + d];
                a += (double)from[d] * (double)from[d];
                b += (double)h[to * H + d] * (double)h[to * H + d];
            }
            ck_assert_double_eq_tol((double)map_value(similarity, i / T, 0, i % T, to),
                                    product / sqrt(a * b), 1e-5);
        }
    }
}

/* ---- Contacts ----------------------------------------------------------------------------- */

/* The recorded ones lack the first token and the last, have letters with themselves, and are of
 * single precision. */
static void check_contacts(const struct trace *of, const struct map *contacts,
                           const struct map *votes, const struct tensor *recorded, double bias)
{
    const size_t T = of->tokens;
    for (size_t i = 0; i < T * T; i++) {
        const size_t from = i / T, to = i % T;
        const bool none = from == to || from == 0 || to == 0 || from + 1 == T || to + 1 == T;
        double sum = bias;
        for (size_t l = 0; l < of->layers; l++) {
            ck_assert_float_eq(map_value(contacts, l, 0, from, to),
                               map_value(contacts, 0, 0, from, to));
            for (size_t h = 0; h < of->heads; h++)
                sum += (double)map_value(votes, l, h, from, to);
        }
        const double found = (double)map_value(contacts, 0, 0, from, to);
        if (none)
            ck_assert(!(found > 0) && !(fabs(sum - bias) > 0));
        else
            ck_assert_double_eq_tol(found, recorded_number(recorded, (from - 1) * (T - 2) + to - 1),
                                    2e-6);
        if (!none)
            ck_assert_double_eq_tol(found, 1 / (1 + exp(-sum)), 1e-6);
    }
}

TEST(contacts_are_hugging_faces)
{
    const cJSON *one;
    size_t count = 0;
    struct model *model = family_open("esm2");
    const float *bias = model->weights.heads[OUTPUT_CONTACTS].decoder.bias;
    cJSON *cases = family_cases("esm2");
    cJSON_ArrayForEach(one, cases)
    {
        char name[80];
        struct safetensors *file;
        struct map *contacts, *votes;
        struct trace *of = recorded_prepare(model, one, false);
        const struct map_source source = {.model = model, .trace = of};
        snprintf(name, sizeof name, "%s.safetensors", one->string);
        char *path = family_path("esm2", name);
        assert_ok(safetensors_open(path, &file, &error), error);
        assert_ok(forward_run(model, NULL, NULL, of, &error), error);
        assert_ok(map_new(&source, MAP_CONTACTS, NULL, &contacts, &error), error);
        assert_ok(map_new(&source, MAP_VOTES, NULL, &votes, &error), error);
        for (size_t i = 0; i < file->count; i++)
            if (strcmp(file->tensors[i].name, "contacts") == 0) {
                check_contacts(of, contacts, votes, &file->tensors[i], (double)*bias);
                count++;
            }
        free(contacts);
        free(votes);
        safetensors_free(file);
        free(of);
        free(path);
    }
    ck_assert_uint_eq(count, 5);
    cJSON_Delete(cases);
    model_free(model);
}

/* Of a model without that head, and of no model. */
TEST(contacts_are_of_few_models)
{
    struct map *map;
    struct model *model = family_open("esm1b");
    cJSON *cases = family_cases("esm1b");
    struct trace *of = recorded_prepare(model, cases->child, false);
    struct map_source source = {.model = model, .trace = of};
    assert_ok(forward_run(model, NULL, NULL, of, &error), error);
    assert_fails(map_new(&source, MAP_VOTES, NULL, &map, &error), STATUS_UNSUPPORTED,
                 "votes need a model that predicts them, as ESM-2 does: this one has no such head",
                 error);
    source.model = NULL;
    assert_fails(map_new(&source, MAP_CONTACTS, NULL, &map, &error), STATUS_UNSUPPORTED,
                 "this recording has no such head", error);
    free(of);
    cJSON_Delete(cases);
    model_free(model);
}

/* No matrix is looked at when a model is opened, and no pass reads this one. */
TEST(contacts_are_finite)
{
    static const uint32_t nan_bits = 0x7fc00000;
    char *path = family_path("esm2", "model.safetensors"), *from = family_path("esm2", ".");
    struct folder folder;
    struct safetensors *file;
    struct model *model;
    struct map *map;
    assert_ok(safetensors_open(path, &file, &error), error);
    const struct tensor *head = safetensors_find(file, "esm.contact_head.regression.weight");
    char *bytes = malloc(file->size);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, file->bytes, file->size);
    memcpy(bytes + (head->data - file->bytes) + 3 * sizeof nan_bits, &nan_bits, sizeof nan_bits);
    folder_make(&folder);
    folder_copy(&folder, from, "config.json");
    folder_write(&folder, "model.safetensors", bytes, file->size);
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    cJSON *cases = family_cases("esm2");
    struct trace *of = recorded_prepare(model, cases->child, false);
    const struct map_source source = {.model = model, .trace = of};
    assert_ok(forward_run(model, NULL, NULL, of, &error), error);
    assert_fails(map_new(&source, MAP_CONTACTS, NULL, &map, &error), STATUS_FORMAT,
                 "the head of contacts: expected finite numbers", error);
    free(of);
    free(bytes);
    free(path);
    free(from);
    cJSON_Delete(cases);
    safetensors_free(file);
    model_free(model);
    folder_remove(&folder);
}

TESTS(.slow = true);

/* Of a translation's three attentions, each by the projection behind it. */
TEST(norms_of_each_attention_are_right,
     .times = (int)(family_variant_all() - family_variant_count()))
{
    struct random_model random = {0};
    family_model_make(&random, family_variant_at(family_variant_count() + (size_t)_i), "F32", 1);
    const struct model *decoder = random.model->decoder;
    struct trace *source = random_prepare(&random, 9, 5, 11);
    struct trace *target = random_target(&random, source, 7, 12);
    assert_ok(forward_run(random.model, NULL, NULL, source, &error), error);
    assert_ok(forward_run(decoder, NULL, NULL, target, &error), error);
    const struct trace *const traces[] = {source, target, target->cross};
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        const struct map_source of = {.model = i == 0 ? random.model : decoder, .trace = traces[i]};
        struct map *norms;
        assert_ok(map_new(&of, MAP_NORMS, NULL, &norms, &error), error);
        family_norms(of.model, of.trace, norms);
        free(norms);
    }
    free(target);
    free(source);
    random_model_free(&random);
}

TEST(maps_are_right_in_each_family, .times = FAMILIES)
{
    static const enum map_kind kinds[] = {MAP_NORMS, MAP_ROLLOUT, MAP_PLAIN, MAP_SIMILARITY};
    struct map *made[sizeof kinds / sizeof *kinds] = {NULL};
    struct model *model = family_open(family_names[_i]);
    const struct config *config = &model->config;
    cJSON *cases = family_cases(family_names[_i]);
    struct trace *of = recorded_prepare(model, cases->child, true);
    assert_ok(forward_run(model, NULL, NULL, of, &error), error);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_ok(map_new(&(struct map_source){.model = model, .trace = of}, kinds[i], NULL,
                          &made[i], &error),
                  error);
    family_norms(model, of, made[0]);
    check_rollout(config, of, made[1]);
    check_plain(of, made[2]);
    check_similarity(of, made[3]);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        free(made[i]);
    free(of);
    cJSON_Delete(cases);
    model_free(model);
}
