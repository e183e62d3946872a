/* What comes next: as another program computes it, in double precision and by the text of
 * generate.h alone; and in one go as step by step. */
#include "family_helpers.h"
#include "family_model.h"
#include "recorded.h"
#include "suites.h"

#include "headlight/lens/generate.h"
#include "headlight/model/forward.h"

#include <stdlib.h>
#include <string.h>

#define MOST 16

static struct error error;

static double number(const cJSON *one, const char *name)
{
    const cJSON *item = json_member(one, name);
    return item ? item->valuedouble : 0;
}

static void choose(const struct model *model, const struct trace *trace,
                   const struct sampling *sampling, int32_t *id)
{
    struct trace *longer;
    size_t count;
    assert_ok(generate_text(model, trace, sampling, 1, id, &count, &longer, &error), error);
    ck_assert_uint_eq(count, 1);
    ck_assert_ptr_null(longer);
}

/* In one go, up to an end; the pass over the longer text takes over what was computed for it. */
static void go_on_at_once(const struct model *model, const struct trace *text,
                          const struct sampling *sampling, const int32_t *expected, size_t most)
{
    struct trace *longer, *whole, *step;
    int32_t ids[1024], *made = ids + text->tokens;
    size_t count = 0, ended = 0;
    memcpy(ids, text->ids, text->tokens * sizeof *ids);
    assert_ok(generate_text(model, text, sampling, most, made, &count, &longer, &error), error);
    while (ended < most && (ended == 0 || !config_ends_at(&model->config, expected[ended - 1])))
        ended++;
    ck_assert_uint_eq(count, ended);
    ck_assert_mem_eq(made, expected, count * sizeof *made);
    for (int i = 0; i < 2; i++)
        assert_ok(forward_prepare(model, NULL, ids, NULL, text->tokens + count, true,
                                  i == 0 ? &whole : &step, &error),
                  error);
    if (longer)
        forward_adopt(longer, NULL, step);
    assert_ok(forward_run(model, NULL, NULL, whole, &error), error);
    assert_ok(forward_run(model, NULL, NULL, step, &error), error);
    assert_same_traces(whole, step);
    free(longer);
    free(whole);
    free(step);
}

/* Each pass takes what it can from the one before it, or, of another, nothing. */
static void go_on(const struct model *model, const struct trace *text,
                  const struct sampling *sampling, bool anew, int32_t *ids, size_t count)
{
    const struct interventions *changes = &text->computed.changes;
    struct trace *before = NULL;
    int32_t all[1024];
    memcpy(all, text->ids, text->tokens * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        const size_t tokens = text->tokens + i;
        struct trace *trace;
        assert_ok(forward_prepare(model, NULL, all, NULL, tokens, i % 2, &trace, &error), error);
        if (!anew)
            forward_adopt(before ? before : text, changes, trace);
        assert_ok(forward_run(model, changes, NULL, trace, &error), error);
        choose(model, trace, sampling, &ids[i]);
        all[tokens] = ids[i];
        free(before);
        before = trace;
    }
    free(before);
}

/* The rules of a row are those of a generation_config.json of its own. */
static void set_rules(const cJSON *one, const struct config *config)
{
    const cJSON *said = json_member(one, "rules");
    struct rules *rules = (struct rules *)(uintptr_t)&config->rules;
    if (!said)
        return;
    rules->no_repeat = (size_t)number(said, "no_repeat_ngram_size");
    rules->shortest = (size_t)number(said, "min_length");
    rules->repetition =
        json_member(said, "repetition_penalty") ? number(said, "repetition_penalty") : 1;
}

TEST(texts_go_on_as_in_the_reference)
{
    cJSON *list = recorded_list("tests/vectors", "generated.json"), *one;
    ck_assert_int_gt(cJSON_GetArraySize(list), 0);
    cJSON_ArrayForEach(one, list)
    {
        const char *family = json_member(one, "family")->valuestring;
        struct model *model = family_open(family);
        cJSON *cases = family_cases(family);
        struct trace *trace = recorded_prepare(
            model, json_member(cases, json_member(one, "case")->valuestring), false);
        const struct sampling sampling = {.temperature = number(one, "temperature"),
                                          .top_p = number(one, "top_p"),
                                          .top_k = (size_t)number(one, "top_k"),
                                          .seed = (uint64_t)number(one, "seed")};
        int32_t expected[MOST], ids[MOST] = {0};
        const size_t count = recorded_integers(json_member(one, "ids"), expected, MOST);
        set_rules(one, &model->config);
        assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
        go_on(model, trace, &sampling, false, ids, count);
        for (size_t i = 0; i < count; i++)
            if (ids[i] != expected[i])
                ck_abort_msg("%s %s seed %g: token %zu: expected %d, found %d", family,
                             json_member(one, "case")->valuestring, number(one, "seed"), i,
                             (int)expected[i], (int)ids[i]);
        go_on_at_once(model, trace, &sampling, expected, count);
        free(trace);
        cJSON_Delete(cases);
        model_free(model);
    }
    cJSON_Delete(list);
}

/* ---- Targets ------------------------------------------------------------------------------ */

/* Greedy, of at most so many tokens; each pass takes over what it can from the one before it. */
static size_t translate(const struct model *decoder, const struct trace *encoder, size_t most,
                        bool anew, int32_t *ids)
{
    const struct config *config = &decoder->config;
    const struct sampling sampling = {.most = most};
    struct trace *before = NULL;
    size_t count = 1;
    bool ended = false;
    ids[0] = config->rules.start;
    while (count <= most && !ended) {
        struct trace *trace;
        assert_ok(forward_prepare(decoder, encoder, ids, NULL, count, count % 2, &trace, &error),
                  error);
        if (before && !anew)
            forward_adopt(before, NULL, trace);
        assert_ok(forward_run(decoder, NULL, NULL, trace, &error), error);
        choose(decoder, trace, &sampling, &ids[count]);
        for (size_t i = 0; i < config->end_count; i++)
            ended |= ids[count] == config->ends[i];
        count++;
        free(before);
        before = trace;
    }
    free(before);
    return count;
}

TEST(targets_are_hugging_faces, .times = 2 * STACKED)
{
    const char *family = stacked_names[_i % STACKED];
    struct model *model = family_open(family);
    cJSON *cases = family_cases(family), *one;
    cJSON_ArrayForEach(one, cases)
    {
        int32_t expected[MOST], ids[MOST];
        struct trace *encoder = recorded_source(model, one);
        const size_t count =
            recorded_integers(json_member(json_member(one, "generated"), "ids"), expected, MOST);
        ck_assert_uint_eq(translate(model->decoder, encoder, 12, _i < STACKED, ids), count);
        ck_assert_mem_eq(ids, expected, count * sizeof *ids);
        free(encoder);
    }
    cJSON_Delete(cases);
    model_free(model);
}

TEST(beams_are_those_of_the_reference)
{
    static const char *const earlies[] = {"false", "true", "never"};
    cJSON *list = recorded_list("tests/vectors", "beams.json"), *one;
    ck_assert_int_gt(cJSON_GetArraySize(list), 20);
    cJSON_ArrayForEach(one, list)
    {
        const char *family = json_member(one, "family")->valuestring;
        struct model *model = family_open(family);
        const struct model *decoder = model->decoder;
        cJSON *cases = family_cases(family);
        struct trace *encoder =
            recorded_source(model, json_member(cases, json_member(one, "case")->valuestring));
        struct beam_search how = {.beams = (size_t)number(one, "beams"),
                                  .length_penalty = number(one, "length_penalty"),
                                  .most = (size_t)number(one, "most")};
        int32_t expected[MOST], ids[MOST];
        size_t count = 0;
        while (strcmp(earlies[how.early], json_member(one, "early_stopping")->valuestring) != 0)
            how.early++;
        set_rules(one, &decoder->config);
        const size_t wanted = recorded_integers(json_member(one, "ids"), expected, MOST) - 1;
        assert_ok(generate_beams(decoder, encoder, NULL, &how, NULL, ids, &count, &error), error);
        ck_assert_msg(count == wanted && memcmp(ids, expected + 1, count * sizeof *ids) == 0,
                      "%s %s %zu beams", family, json_member(one, "case")->valuestring, how.beams);
        const size_t greedy = recorded_integers(json_member(one, "greedy"), expected, MOST);
        ck_assert_uint_eq(translate(decoder, encoder, how.most, false, ids), greedy);
        ck_assert_mem_eq(ids, expected, greedy * sizeof *ids);
        free(encoder);
        cJSON_Delete(cases);
        model_free(model);
    }
    cJSON_Delete(list);
}

/* Where probabilities are made to sum up to 1 again, beams are those of a model that gives what is
 * forbidden none; of its sums this makes another order. */
TEST(beams_count_what_rules_leave_where_these_say_so)
{
    struct model *model = family_open("marian");
    struct model *decoder = (struct model *)(uintptr_t)model->decoder;
    struct rules *rules = &decoder->config.rules;
    struct linear *scores = &decoder->weights.heads[OUTPUT_LM].decoder;
    cJSON *cases = family_cases("marian");
    struct trace *encoder = recorded_source(model, cases->child);
    float *const own = (float *)(uintptr_t)scores->bias;
    float biased[512];
    size_t others = 0;
    memcpy(biased, own, decoder->config.vocabulary * sizeof *biased);
    for (rules->bad_count = 1; rules->bad_count < CONFIG_ENDS_MAX; rules->bad_count++) {
        const struct beam_search how = {.beams = 3, .length_penalty = 1, .most = 9};
        int32_t ids[3][MOST] = {{0}};
        size_t counts[3];
        biased[rules->bad[rules->bad_count - 1]] = -1e9f;
        for (int way = 0; way < 3; way++) {
            rules->normalised = way == 1;
            scores->bias = way == 2 ? biased : own;
            assert_ok(
                generate_beams(decoder, encoder, NULL, &how, NULL, ids[way], &counts[way], &error),
                error);
        }
        ck_assert_uint_eq(counts[1], counts[2]);
        ck_assert_mem_eq(ids[1], ids[2], sizeof *ids);
        others += memcmp(ids[0], ids[1], sizeof *ids) != 0;
        rules->bad[rules->bad_count] = ids[1][rules->bad_count % 3]; /* what was likely */
    }
    ck_assert_uint_gt(others, 0);
    free(encoder);
    cJSON_Delete(cases);
    model_free(model);
}

/* Over the length at which texts are multiplied in another way, and in a changed network. */
TEST(rows_that_are_kept_change_no_token, .times = 12)
{
    static const struct interventions changed = {.off = {2}, .hidden = {1}, .hidden_count = 1};
    static const struct sampling ways[] = {{0}, {.temperature = 1.5, .seed = 3}};
    struct random_model random = {0};
    size_t index = 0;
    int32_t ids[2][MOST];
    while (strcmp(family_variant_at(index)->name, "gpt2") != 0)
        index++;
    family_model_make(&random, family_variant_at(index), "F32", (uint64_t)_i);
    struct trace *text = random_prepare(&random, 1 + (size_t)_i, FAMILY_LONGEST, 9);
    assert_ok(forward_run(random.model, _i % 2 ? &changed : NULL, NULL, text, &error), error);
    for (int anew = 0; anew < 2; anew++)
        go_on(random.model, text, &ways[_i % 4 / 2], anew, ids[anew], MOST);
    ck_assert_mem_eq(ids[0], ids[1], sizeof ids[0]);
    free(text);
    random_model_free(&random);
}
