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
        assert_ok(forward_prepare(model, all, NULL, tokens, i % 2, &trace, &error), error);
        if (!anew)
            forward_adopt(before ? before : text, changes, trace);
        assert_ok(forward_run(model, changes, NULL, trace, &error), error);
        assert_ok(generate_next(model, trace, sampling, &ids[i], &error), error);
        all[tokens] = ids[i];
        free(before);
        before = trace;
    }
    free(before);
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
        assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
        go_on(model, trace, &sampling, false, ids, count);
        for (size_t i = 0; i < count; i++)
            if (ids[i] != expected[i])
                ck_abort_msg("%s %s seed %g: token %zu: expected %d, found %d", family,
                             json_member(one, "case")->valuestring, number(one, "seed"), i,
                             (int)expected[i], (int)ids[i]);
        free(trace);
        cJSON_Delete(cases);
        model_free(model);
    }
    cJSON_Delete(list);
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
