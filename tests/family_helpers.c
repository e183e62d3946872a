#include "family_helpers.h"
#include "opening.h"

#include "model_helpers.h"
#include "recorded.h"

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
    "nomic-bert",
    "nomic-bert-hub",
    "jina-v3",
    "mmbert",
    "deberta",
    "deberta-c2p",
    "llama",
    "llama-3.2",
    "esm2",
    "esm1b",
    "eurobert",
    "qwen2",
    "qwen3",
    "gemma2",
    "gemma3",
    "gpt-neox",
    "gpt-neox-sequential",
};

const char *const stacked_names[STACKED] = {"bart",   "t5",   "t5-v1.1",
                                            "marian", "umt5", "marian-separate"};

const char *const head_names[HEADS] = {
    "seq-bert",
    "seq-bert-crossencoder",
    "seq-bert-multilabel",
    "seq-bert-nolabels",
    "seq-bert-regression",
    "seq-roberta",
    "seq-xlmr",
    "seq-distilbert",
    "seq-albert",
    "seq-electra",
    "seq-deberta",
    "seq-mpnet",
    "seq-modernbert-cls",
    "seq-modernbert-mean",
    "ner-bert",
    "ner-roberta",
    "ner-xlmr",
    "ner-distilbert",
    "ner-albert",
    "ner-electra",
    "ner-deberta",
    "ner-mpnet",
    "ner-modernbert",
    "qa-bert",
    "qa-roberta",
    "qa-distilbert",
    "qa-electra",
    "qa-deberta",
    "qa-albert",
    "qa-modernbert",
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
    char *path = family_path(family, "cases.json");
    cJSON *cases = json_of_file(path);
    free(path);
    return cases;
}
