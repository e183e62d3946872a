/* family_bert.c: BERT and the families that differ from it only in names, embeddings, heads or a
 * bias of distances: RoBERTa, XLM-RoBERTa, ELECTRA, DistilBERT, MPNet, ALBERT. */
#include "headlight/model/family_entries.h"

static const struct tensor_entry embeddings[] = {BERT_EMBEDDINGS};

static const struct tensor_entry bert_layer[] = {
    BERT_LAYER("attention.self.query", "attention.self.key", "attention.self.value",
               "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense",
               "output.dense", "output.LayerNorm"),
};

/* The pooler, BertPooler in modeling_bert.py. */
#define POOLER LINEAR(HEAD, "pooler.dense", "H", "H", dense)

/* Those of RobertaClassificationHead and of what was copied from it. */
const struct tensor_entry roberta_classes[4] = {
    LINEAR(HEAD, "classifier.out_proj", "C", "H", decoder),
    LINEAR(HEAD, "classifier.dense", "H", "H", dense),
};

#define BERT_LAYERS .layer_prefix = "encoder.layer."

/* ---- BERT --------------------------------------------------------------------------------- */

const struct tensor_entry bert_words[6] = {
    WORD_HEAD("H", "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
              "cls.predictions.bias", "cls.predictions.decoder.bias", "cls.predictions.decoder"),
};

/* The first two tensors of a head for pairs decide: a pooler alone belongs to a plain encoder. */
#define BERT                                                                                       \
    .whole = LIST_OF(embeddings), .layer = LIST_OF(bert_layer), BERT_LAYERS,                       \
    .heads = {{OUTPUT_MLM, 6, .tensors = LIST_OF(bert_words), CONFIGURED(head_activation)},        \
              {OUTPUT_POOLED, 2, .tensors = LIST(POOLER), POOLED},                                 \
              {OUTPUT_NSP, 2,                                                                      \
               .tensors = LIST(LINEAR(HEAD, "cls.seq_relationship", "2", "H", decoder), POOLER),   \
               POOLED},                                                                            \
              {OUTPUT_CLASSES, 2,                                                                  \
               .tensors = LIST(LINEAR(HEAD, "classifier", "C", "H", decoder), POOLER), POOLED,     \
               .task = TASK_SEQUENCE},                                                             \
              TAG_AND_SPAN_HEADS}
#define SEGMENTED .keys = {BERT_KEYS, .segments = "type_vocab_size"}

const struct family family_bert = {
    {"BERT", "bert", "Bert", "bert."}, BERT, SEGMENTED, .tokenizer = {BERT_TOKENIZER}};

/* ---- RoBERTa (Liu et al. 2019), XLM-RoBERTa (Conneau et al. 2020) ------------------------- */

const struct tensor_entry roberta_words[6] = {
    WORD_HEAD("H", "lm_head.dense", "lm_head.layer_norm", "lm_head.bias", "lm_head.decoder.bias",
              "lm_head.decoder"),
};

#define SENTENCEPIECE_TOKENIZER(conversion)                                                        \
    .model = PIECES_UNIGRAM, .special = {ANGLED}, .frame = FRAME_DOUBLE, .mask_left = true,        \
    .converter = (conversion)

#define ROBERTA_HEADS                                                                              \
    .head_gelu = true,                                                                             \
    .heads = {{OUTPUT_MLM, 6, .tensors = LIST_OF(roberta_words), CONFIGURED(head_activation)},     \
              {OUTPUT_POOLED, 2, .tensors = LIST(POOLER), POOLED},                                 \
              {OUTPUT_CLASSES, 2, .tensors = LIST_OF(roberta_classes), POOLED},                    \
              TAG_AND_SPAN_HEADS}
#define ROBERTA                                                                                    \
    SEGMENTED, ROBERTA_HEADS, .start.past_padding = true, .whole = LIST_OF(embeddings),            \
                              .layer = LIST_OF(bert_layer), BERT_LAYERS

const struct family family_roberta = {
    {"RoBERTa", "roberta", "Roberta", "roberta."}, ROBERTA, .tokenizer = {ROBERTA_TOKENIZER}};
const struct family family_xlm_roberta = {
    {"XLM-RoBERTa", "xlm-roberta", "XLMRoberta", "roberta."},
    ROBERTA,
    .tokenizer = {SENTENCEPIECE_TOKENIZER(CONVERTER_FAIRSEQ)}};

/* Jina v3 (Sturua et al. 2024), in transformers' layout: XLM-RoBERTa with rotary positions. */
const struct family family_jina = {
    {"Jina v3", "jina_embeddings_v3", "JinaEmbeddingsV3", "roberta."},
    .tokenizer = {SENTENCEPIECE_TOKENIZER(CONVERTER_FAIRSEQ)},
    SEGMENTED,
    ROBERTA_HEADS,
    .epsilon = 1e-5,
    .start.positions = 8194,
    .start.rotary = true,
    .theta = 20000,
    .whole = LIST_OF(embeddings),
    .layer = LIST(BERT_LAYER("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
                             "self_attn.o_proj", "post_attention_layernorm", "mlp.fc1", "mlp.fc2",
                             "post_mlp_layernorm")),
    .layer_prefix = "layers.",
};

/* ---- Relatives ---------------------------------------------------------------------------- */

/* Transformers' modeling_*.py of each: camembert and data2vec's text model are RoBERTa's code, and
 * luke, of words without entities, computes the same; ernie is BERT's with task embeddings where
 * use_task_id says so; bert_generation's encoder is BERT's without segments, and its tokenizer adds
 * no special tokens; dpr holds a BERT each for questions, for passages and for reading them.
 * CamembertTokenizer's SentencePiece model has the special tokens, and others stand in front. */
#define OF_BERT    .of = &family_bert, BERT, SEGMENTED, .tokenizer = {BERT_TOKENIZER}
#define OF_ROBERTA .of = &family_roberta, ROBERTA
const struct family family_relatives[8] = {
    {{"CamemBERT", "camembert", "Camembert", "roberta."},
     OF_ROBERTA,
     .tokenizer = {SENTENCEPIECE_TOKENIZER(CONVERTER_CAMEMBERT)}},
    {{"data2vec", "data2vec-text", "Data2VecText", "data2vec_text."},
     OF_ROBERTA,
     .tokenizer = {ROBERTA_TOKENIZER}},
    {{"LUKE", "luke", "Luke", "luke."}, OF_ROBERTA, .tokenizer = {ROBERTA_TOKENIZER}},
    {{"ERNIE", "ernie", "Ernie", "ernie."}, OF_BERT},
    {{"BertGeneration", "bert-generation", "BertGeneration", "bert."},
     .of = &family_bert,
     BERT,
     .keys = {BERT_KEYS},
     .tokenizer = {.model = PIECES_UNIGRAM,
                   .special = {"<unk>", [SPECIAL_TOKEN_PADDING] = "<pad>"}}},
    {{"DPR", "dpr", "DPRQuestionEncoder", "question_encoder.bert_model."}, OF_BERT},
    {{"DPR", "dpr", "DPRContextEncoder", "ctx_encoder.bert_model."}, OF_BERT},
    {{"DPR", "dpr", "DPRReader", "span_predictor.encoder.bert_model."}, OF_BERT},
};

/* ---- ELECTRA (Clark et al. 2020) ---------------------------------------------------------- */

/* Small ones have narrower embeddings, which are projected; base and large ones don't. */
static void read_electra(const struct json_reader *in, struct config *config)
{
    /* 128 is transformers' ElectraConfig */
    const size_t size = config_size(in, "embedding_size", 1, CONFIG_SIZE_MAX, 128);
    config->embedding = size == config->hidden ? 0 : size;
}

const struct family family_electra = {
    {"ELECTRA", "electra", "Electra", "electra."},
    .tokenizer = {BERT_TOKENIZER},
    SEGMENTED,
    .head_gelu = true,
    .read = read_electra,
    .whole =
        LIST(BERT_EMBEDDINGS, LINEAR(MODEL, "embeddings_project", "e", "E", embedding_projection)),
    .layer = LIST_OF(bert_layer),
    BERT_LAYERS,
    .heads = {{OUTPUT_MLM, 5,
               .tensors = LIST(WORD_HEAD("E", "generator_predictions.dense",
                                         "generator_predictions.LayerNorm",
                                         "generator_lm_head.bias", NULL, "generator_lm_head")),
               CONFIGURED(head_activation)},
              {OUTPUT_RTD, 4,
               .tensors = LIST(
                   LINEAR(HEAD, "discriminator_predictions.dense", "H", "H", dense),
                   LINEAR(HEAD, "discriminator_predictions.dense_prediction", "1", "H", decoder)),
               CONFIGURED(activation)},
              /* RoBERTa's names, and another function, whatever the layers have */
              {OUTPUT_CLASSES, 2, .tensors = LIST_OF(roberta_classes), .pooling = POOL_FIRST,
               .activation = ACTIVATION_GELU},
              TAG_AND_SPAN_HEADS},
};

/* ---- DistilBERT (Sanh et al. 2019) ----------------------------------------------------------- */

const struct family family_distilbert = {
    {"DistilBERT", "distilbert", "DistilBert", "distilbert."},
    .tokenizer = {BERT_TOKENIZER},
    .keys = {.hidden = "dim",
             .layers = "n_layers",
             .heads = "n_heads",
             .feed_forward = "hidden_dim",
             .positions = "max_position_embeddings",
             .activation = "activation"},
    .whole = LIST_OF(embeddings),
    .layer = LIST(BERT_LAYER("attention.q_lin", "attention.k_lin", "attention.v_lin",
                             "attention.out_lin", "sa_layer_norm", "ffn.lin1", "ffn.lin2",
                             "output_layer_norm")),
    .layer_prefix = "transformer.layer.",
    .heads = {{OUTPUT_MLM, 5,
               .tensors = LIST(WORD_HEAD("H", "vocab_transform", "vocab_layer_norm",
                                         "vocab_projector.bias", NULL, "vocab_projector")),
               CONFIGURED(head_activation)},
              {OUTPUT_CLASSES, 2,
               .tensors = LIST(LINEAR(HEAD, "pre_classifier", "H", "H", dense),
                               LINEAR(HEAD, "classifier", "C", "H", decoder)),
               .pooling = POOL_FIRST, .activation = ACTIVATION_RELU},
              TAG_AND_SPAN_HEADS},
};

/* ---- MPNet (Song et al. 2020): scores have a bias for each distance -------------------------- */

const struct family family_mpnet = {
    {"MPNet", "mpnet", "MPNet", "mpnet."},
    .tokenizer = {.special = {"[UNK]", "<s>", "</s>", "<mask>", "<pad>"},
                  .frame = FRAME_DOUBLE,
                  .typed = true,
                  .mask_left = true},
    .keys = {BERT_KEYS},
    ROBERTA_HEADS,
    .start.past_padding = true,
    /* the code that trained it has 32 rows whatever relative_attention_num_buckets says */
    .start.relation = RELATION_BIAS,
    .start.relative_rows = 32,
    .whole =
        LIST(BERT_EMBEDDINGS, TABLE("encoder.relative_attention_bias", "RA", relative_positions)),
    .layer = LIST(BERT_LAYER("attention.attn.q", "attention.attn.k", "attention.attn.v",
                             "attention.attn.o", "attention.LayerNorm", "intermediate.dense",
                             "output.dense", "output.LayerNorm")),
    BERT_LAYERS,
};

/* ---- ALBERT (Lan et al. 2020): layers share their weights ------------------------------------ */

/* The layers of a group share their weights; the published models have one group for all layers. */
static void read_albert(const struct json_reader *in, struct config *config)
{
    /* 128 is transformers' AlbertConfig */
    config->embedding = config_size(in, "embedding_size", 1, CONFIG_SIZE_MAX, 128);
    config->groups = config_size(in, "num_hidden_groups", 1, config->layers, 1);
    const size_t inner = config_size(in, "inner_group_num", 1, CONFIG_LAYERS_MAX, 1);
    if (inner > 1)
        json_refuse(
            in, STATUS_UNSUPPORTED,
            "expected \"inner_group_num\" to be 1, as in every published ALBERT, found %zu, "
            "which headlight cannot compute",
            inner);
}

const struct family family_albert = {
    {"ALBERT", "albert", "Albert", "albert."},
    .tokenizer = {.model = PIECES_UNIGRAM,
                  .special = {"<unk>", "[CLS]", "[SEP]", "[MASK]", "<pad>"},
                  .frame = FRAME_SINGLE,
                  .typed = true,
                  .mask_left = true,
                  .converter = CONVERTER_ALBERT},
    SEGMENTED,
    .activation = "gelu_new",
    .read = read_albert,
    .whole = LIST(BERT_EMBEDDINGS, LINEAR(MODEL, "encoder.embedding_hidden_mapping_in", "H", "E",
                                          embedding_projection)),
    .layer =
        LIST(BERT_LAYER("attention.query", "attention.key", "attention.value", "attention.dense",
                        "attention.LayerNorm", "ffn", "ffn_output", "full_layer_layer_norm")),
    .layer_prefix = "encoder.albert_layer_groups.",
    .layer_infix = ".albert_layers.0.",
    .heads = {{OUTPUT_MLM, 5,
               .tensors = LIST(WORD_HEAD("E", "predictions.dense", "predictions.LayerNorm",
                                         "predictions.bias", "predictions.decoder.bias",
                                         "predictions.decoder")),
               CONFIGURED(head_activation)},
              {OUTPUT_POOLED, 2, .tensors = LIST(LINEAR(HEAD, "pooler", "H", "H", dense)), POOLED},
              {OUTPUT_SOP, 2,
               .tensors = LIST(LINEAR(HEAD, "sop_classifier.classifier", "2", "H", decoder),
                               LINEAR(HEAD, "pooler", "H", "H", dense)),
               POOLED},
              {OUTPUT_CLASSES, 2,
               .tensors = LIST(LINEAR(HEAD, "classifier", "C", "H", decoder),
                               LINEAR(HEAD, "pooler", "H", "H", dense)),
               POOLED, .task = TASK_SEQUENCE},
              TAG_AND_SPAN_HEADS},
};
