/* relatives.c: finds the family of a checkpoint: by hand, or by the model_type or the class in its
 * configuration. The table of relatives holds what is a family's
 * model but for its name and few details, as the code that defines it shows. */
#include "headlight/model/relatives.h"

#include "headlight/base/near.h"
#include "headlight/model/config.h"
#include "headlight/model/family_entries.h"
#include "headlight/tensor/store.h"

#include <stdio.h>
#include <string.h>

/* ---- The relatives ------------------------------------------------------------------------ */

/* CamembertTokenizer: its SentencePiece model has the special tokens, and others stand in front. */
static const struct tokenizer_family camembert_tokenizer = {.model = PIECES_UNIGRAM,
                                                            .special = ANGLED,
                                                            .frame = FRAME_DOUBLE,
                                                            .mask_left = true,
                                                            .converter = CONVERTER_CAMEMBERT};

/* BertGenerationTokenizer adds no special tokens. */
static const struct tokenizer_family generation_tokenizer = {
    .model = PIECES_UNIGRAM, .special = {"<unk>", [SPECIAL_TOKEN_PADDING] = "<pad>"}};

/* Transformers' modeling_*.py of each: camembert and data2vec's text model are RoBERTa's code, and
 * luke, of words without entities, computes the same; ernie is BERT's with task embeddings where
 * use_task_id says so; bert_generation's encoder is BERT's without segments; dpr holds a BERT each
 * for questions, for passages and for reading them. */
static const struct relative relatives[] = {
    {"CamemBERT", "camembert", "Camembert", "roberta.", .family = &family_roberta,
     .tokenizer = &camembert_tokenizer},
    {"data2vec", "data2vec-text", "Data2VecText", "data2vec_text.", .family = &family_roberta},
    {"LUKE", "luke", "Luke", "luke.", .family = &family_roberta},
    {"ERNIE", "ernie", "Ernie", "ernie.", .family = &family_bert,
     .flag = {"use_task_id", false, false, "an ERNIE without task embeddings"}},
    {"BertGeneration", "bert-generation", "BertGeneration", "bert.", .family = &family_bert,
     .segmentless = true, .tokenizer = &generation_tokenizer},
    {"DPR", "dpr", "DPRQuestionEncoder", "question_encoder.bert_model.", .family = &family_bert},
    {"DPR", "dpr", "DPRContextEncoder", "ctx_encoder.bert_model.", .family = &family_bert},
    {"DPR", "dpr", "DPRReader", "span_predictor.encoder.bert_model.", .family = &family_bert},
};
#define RELATIVES (sizeof relatives / sizeof *relatives)

const struct relative *relative_at(size_t index)
{
    return index < RELATIVES ? &relatives[index] : NULL;
}

const char *family_title(const struct config *config)
{
    return config->relative ? config->relative->name : config->family->name;
}

const char *family_prefix(const struct config *config)
{
    return *config->prefix    ? config->prefix
           : config->relative ? config->relative->prefix
                              : config->family->prefix;
}

const struct tokenizer_family *family_tokenizer(const struct config *config)
{
    return config->relative && config->relative->tokenizer ? config->relative->tokenizer
                                                           : &config->family->tokenizer;
}

/* ---- By name ------------------------------------------------------------------------------ */

static bool take(struct config *config, const struct family *family,
                 const struct relative *relative)
{
    config->family = family;
    config->relative = relative;
    return family != NULL;
}

/* "Roberta" of RobertaModel and RobertaForMaskedLM, not of RobertaPreLayerNormModel. */
static bool is_class(const char *name, const char *prefix)
{
    static const char *const rests[] = {"For", "Model", "LM", "DoubleHeads", "Encoder", "Decoder"};
    const size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
        if (strncmp(name + length, rests[i], strlen(rests[i])) == 0)
            return true;
    return name[length] == '\0';
}

static bool find_class(struct config *config, const char *class)
{
    const struct family *family;
    for (size_t i = 0; i < RELATIVES; i++)
        if (is_class(class, relatives[i].class))
            return take(config, relatives[i].family, &relatives[i]);
    for (size_t i = 0; (family = family_at(i)); i++)
        if (is_class(class, family->class))
            return take(config, family, NULL);
    return false;
}

/* Of relatives of the same type the class decides, or else the first is meant. */
static bool find_type(struct config *config, const char *type, const char *class)
{
    const struct relative *relative = NULL;
    if (take(config, family_of_type(type), NULL))
        return true;
    for (size_t i = RELATIVES; i-- > 0;)
        if (strcmp(relatives[i].type, type) == 0 &&
            (!relative || !is_class(class, relative->class)))
            relative = &relatives[i];
    return relative && take(config, relative->family, relative);
}

const char *family_type(size_t index)
{
    for (size_t i = 0; family_at(i); i++)
        if (index-- == 0)
            return family_at(i)->type;
    for (size_t i = 0; i < RELATIVES; i++)
        if ((i == 0 || strcmp(relatives[i].type, relatives[i - 1].type) != 0) && index-- == 0)
            return relatives[i].type;
    return NULL;
}

enum status family_check(const char *type, struct error *error)
{
    struct near near = near_to(type);
    const char *name;
    for (size_t i = 0; (name = family_type(i)); i++) {
        if (strcmp(name, type) == 0)
            return STATUS_OK;
        near_offer(&near, name);
    }
    error_write(error, STATUS_USAGE, "--family: expected %s, found \"%s\"", near_names(&near),
                type);
    return near_add(&near, error);
}

/* ---- The family of a configuration -------------------------------------------------------- */

/* What kind of network it is, as far as its configuration says, with a comma behind. */
static const char *kind_of(const struct json_reader *in, const char *class)
{
    const char *end = strstr(class, "ForCausalLM");
    return cJSON_IsTrue(json_member(in->object, "is_encoder_decoder")) ? "an encoder-decoder, "
           : end                                                       ? "a decoder, "
                                                                       : "";
}

/* The message lists what there is, since names in configurations are not those of papers. The ways
 * out: recorded attention of any model, and the family by hand where it may be one. */
static void unknown_family(const struct json_reader *in, const char *type, const char *class)
{
    const char *kind = kind_of(in, class);
    const struct family *family;
    struct near names = near_to("");
    for (size_t i = 0; (family = family_at(i)); i++)
        near_offer(&names, family->name);
    json_refuse(in, STATUS_UNSUPPORTED,
                "expected \"%s\" to be of %s, found \"%.100s\", %swhich headlight does not run: "
                "record its attention in Python and show that: headlight FILE (recordings.md tells "
                "how)%s",
                type ? "model_type" : "architectures", near_names(&names), type ? type : class,
                kind,
                *kind ? ""
                      : ", or if its tensors and arithmetic are those of a family, name that one "
                        "with --family NAME");
}

const struct family *family_find(const struct json_reader *in, const char *by_hand,
                                 struct config *config)
{
    const char *named = json_string(in, "model_type", NULL), *type = by_hand ? by_hand : named;
    const cJSON *classes = json_member(in->object, "architectures");
    const cJSON *first = cJSON_IsArray(classes) ? classes->child : NULL;
    const cJSON *padding = json_member(in->object, "pad_token_id");
    const char *class = !first ? "" : cJSON_IsString(first) ? first->valuestring : "no string";
    if (!json_is_fine(in))
        return NULL;
    if (type ? find_type(config, type, class) : find_class(config, class)) {
        const struct family *published = config->family->published;
        if (published && (json_member(in->object, published->keys.hidden) ||
                          json_member(in->object, published->keys.layers)))
            config->family = published;
    } else if (type || first) {
        unknown_family(in, type, class);
    } else if (!padding || !(padding->valuedouble > 0)) {
        /* the oldest BERTs; RoBERTa, whose padding has another id, numbers positions otherwise */
        take(config, &family_bert, NULL);
    } else {
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected a \"model_type\", found none: say which family it is with --family "
                    "NAME");
    }
    return config->family;
}

/* Of a model of another name, which has its own. */
void family_find_prefix(const struct store *store, struct config *config)
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
