#include "family_helpers.h"

#include "model_helpers.h"

#include <check.h>
#include <stdlib.h>

const char *const family_names[FAMILIES] = {
    "distilbert",
    "roberta",
    "xlm-roberta",
    "electra-discriminator",
    "electra-generator",
    "albert",
    "albert-groups",
    "mpnet",
    "modernbert",
    "deberta-v3",
    "deberta-v2-conv",
    "gpt2",
    "minilm",
    "rxnmapper-albert",
};

static struct error error;

char *family_path(const char *family, const char *file)
{
    const char *other = getenv("HEADLIGHT_FAMILIES");
    char *folder = path_join(other ? other : "tests/vectors/families", family);
    char *path = path_join(folder, file);
    free(folder);
    return path;
}

struct model *family_open(const char *family)
{
    char *folder = family_path(family, ".");
    struct model *model;
    assert_ok(model_open(folder, NULL, &model, &error), error);
    free(folder);
    return model;
}

cJSON *family_cases(const char *family)
{
    char *path = family_path(family, "cases.json"), *text;
    size_t length;
    cJSON *cases;
    assert_ok(file_read(path, (size_t)1 << 20, &text, &length, &error), error);
    assert_ok(json_parse_object(text, length, path, &cases, &error), error);
    free(text);
    free(path);
    return cases;
}

static size_t read_integers(const cJSON *list, int32_t *numbers, size_t most)
{
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        ck_assert_uint_lt(count, most);
        numbers[count++] = item->valueint;
    }
    return count;
}

struct trace *family_prepare(const struct model *model, const cJSON *one)
{
    int32_t ids[600], segments[600];
    struct trace *trace;
    size_t tokens = read_integers(json_member(one, "ids"), ids, 600);
    ck_assert_uint_eq(read_integers(json_member(one, "segments"), segments, 600), tokens);
    assert_ok(forward_prepare(model, ids, segments, tokens, true, &trace, &error), error);
    return trace;
}
