/* family.h: the kinds of encoder that headlight runs, as data. A family is a record that says what
 * its configuration's fields and its tensors are called and in what its network differs from
 * BERT's; the forward pass is one for all (forward_pass.c).
 *
 * Source: Hugging Face's modeling code of each family. */
#pragma once

#include "headlight/model/config.h"
#include "headlight/text/tokenizer.h"

/* The names of fields in config.json; NULL: the family has no such field. */
struct config_keys {
    const char *hidden, *layers, *heads, *feed_forward, *positions, *segments, *activation,
        *epsilon, *key_heads, *dimensions /* of a head */, *theta /* NULL: "rotary_emb_base" */;
};

/* A tensor. The letters of its axes:
 *
 *     V vocabulary    E embedding size    P positions in a table    S segments    H hidden size
 *     F feed-forward size    A heads    R rows of relative positions    K kernel of the convolution
 *     C labels of a classifier    D a head    Q all heads' queries    G all heads' keys, or values
 *     1, 2 that many    a heads of all layers    h is H where each head's rows of all parts lie
 *     together    r half a head, of rotary positions' speeds, which a file may lack
 * and H, or 0 without:
 *     e projected embeddings    n a norm of relative positions    k a convolution
 *     s, o the same, or other, projections for relative positions as for tokens
 *     c, p products of queries, or keys, with relative positions    w a norm of the words
 *     f, u a feed-forward block of size F with a gate, or without
 *     b, l a bias of distances of all layers, or of each
 *     v is V of a tensor [1,V], and y P, which a file may lack: then it has zeros, or sinusoids
 *
 * A tensor with an axis of size 0 is not there. Behind a '+' the field that must be true for it to
 * be there: a attention_bias, m mlp_bias, or - for one that never is. A file that has it all the
 * same is refused, and in its place are zeros.
 *
 * Linear layers are [outputs,inputs]. One axis makes a vector, of which the weights keep floats;
 * without a name it is one of zeros. Several may be the parts of one tensor, with the rows of one
 * after those of the other. */
struct tensor_entry {
    const char *name;
    const char *other_name; /* also accepted, or NULL */
    size_t offset;          /* of the matrix, or of the pointer to a vector's floats */
    const char *axes;
    size_t part, parts; /* index and number of parts; 0 and 0: the whole tensor */
};

struct tensor_list {
    const struct tensor_entry *entries;
    size_t count;
};

/* What a model can output, in the order of computation: a constant, the tensor's name in a trace
 * and its axes (trace.h). */
#define MODEL_OUTPUTS(ROW)                                                                         \
    ROW(MLM, "mlm_logits", "TV")        /* the word at each token */                               \
    ROW(LM, "lm_logits", "TV")          /* the word that comes next */                             \
    ROW(RTD, "rtd_logits", "T")         /* above 0: the word was replaced */                       \
    ROW(POOLED, "pooler_output", "H")   /* the first token's, unless a head uses it */             \
    ROW(SENTENCE_POOLED, "pooled", "Q") /* of a sentence, as sentence.h has it */                  \
    ROW(SENTENCE_DENSE, "dense", "W")                                                              \
    ROW(SENTENCE_NORMAL, "normalized", "W")                                                        \
    ROW(SENTENCE, "sentence_embedding", "W") /* the last of these */                               \
    ROW(NSP, "nsp_logits", "2")              /* index 0: B follows A */                            \
    ROW(SOP, "sop_logits", "2")              /* index 0: A comes before B */                       \
    ROW(CLASSES, "logits", "C")              /* of the text, or the pair */                        \
    ROW(TAGS, "logits", "TC")                /* of each token */                                   \
    ROW(START, "start_logits", "T")          /* of the answer to a question, */                    \
    ROW(END, "end_logits", "T")              /* and its last token */
#define OUTPUT_CONSTANT(code, name, axes) OUTPUT_##code,
/* The head of contacts is none of these: no trace has what it makes (lens/map.h). */
enum model_output { MODEL_OUTPUTS(OUTPUT_CONSTANT) OUTPUT_COUNT, OUTPUT_CONTACTS = OUTPUT_COUNT };
#define HEAD_COUNT (OUTPUT_CONTACTS + 1)

/* A head on top of the last layer:  f(x·Wᵀ + b), LayerNorm, ·Uᵀ + c  of pooled rows x, where any
 * part may be missing. It is complete or absent in a file; the first `deciding` tensors show which.
 * Several families name the heads of classes and of tags alike: then the `task` decides, that of
 * config.json's class. The last tensor of a word head is the decoder's weight, which a tied head
 * lacks. */
struct head_list {
    enum model_output output;
    size_t deciding;
    struct tensor_list tensors; /* of struct head_weights */
    enum head_pooling pooling;
    enum activation activation; /* f; or, if not 0, */
    size_t configured;          /* where struct config has it */
    enum head_task task;        /* TASK_NONE: the names of its tensors are its own */
};

/* A switch that must be `expected`; `otherwise` is its default. `why` ends a message: "headlight
 * runs …". */
struct config_flag {
    const char *name;
    bool otherwise, expected;
    const char *why;
};

#define FAMILY_FLAGS_MAX 5
#define FAMILY_HEADS_MAX 7

struct family {
    struct {
        const char *name;   /* its usual name: "RoBERTa" */
        const char *type;   /* model_type in config.json: "roberta" */
        const char *class;  /* prefix of its class names: "Roberta" */
        const char *prefix; /* optional prefix of its tensor names: "roberta." */
    };
    struct config_keys keys;

    const char *nested;  /* the member that has its fields, of a file for more than text */
    struct config start; /* what is so unless a file says otherwise; no positions are 512 */

    double epsilon;          /* default of LayerNorms' epsilon; 0: 1e-12 */
    const char *activation;  /* default activation; NULL: "gelu" */
    bool transposed;         /* matrices of layers are [inputs,outputs] */
    bool head_gelu;          /* the masked-word head has GELU whatever the layers have */
    double theta;            /* default base of rotary positions */
    bool less_one;           /* vectors are stored less 1: they are norms' weights */
    bool untied;             /* by default: tie_word_embeddings */
    const struct family *of; /* of which it is but for its name and few details, or which has the
                                same type and other names in its configuration; or NULL */
    const struct family *decoder, *encoder; /* the other of two stacks; or NULL */

    /* Switches for which headlight supports one value only. */
    struct config_flag flags[FAMILY_FLAGS_MAX];
    /* Reads and checks the family's own fields; may be NULL. */
    void (*read)(const struct json_reader *in, struct config *config);

    struct tensor_list whole;                 /* the word embeddings come first */
    struct tensor_list layer;                 /* names follow family_layer's prefix: */
    struct tensor_list later_layer;           /* of all layers except the first */
    const char *layer_prefix;                 /* before the number of the layer or of its group, */
    const char *layer_infix;                  /* and after that number; NULL: "." */
    struct head_list heads[FAMILY_HEADS_MAX]; /* unused ones are {0} */

    struct tokenizer_family tokenizer; /* for models without a tokenizer.json */
};

/* Relatives of others (`of`) come last; NULL past the last one. */
extern const struct family *const all_families[];

/* That of a configuration, by its model_type or the class: a type that was said by hand, or NULL,
 * goes before the configuration's. BERT if nothing says it, nor speaks against it. NULL and
 * STATUS_UNSUPPORTED for an unknown one, with what can be done instead. */
const struct family *family_find(const struct json_reader *in, const char *by_hand);

/* The first of a model_type, or NULL. */
const struct family *family_of_type(const char *type);

/* Their model_types by index, each once; NULL past the last one. */
const char *family_type(size_t index);

/* STATUS_USAGE for another, which the message blames on --family. */
enum status family_check(const char *type, struct error *error);

/* The size of a tensor's axis by its letter. */
size_t family_extent(const struct config *config, char axis);

/* The number of its axes. */
size_t family_rank(const struct tensor_entry *entry);

/* What comes before the names of a layer's tensors: "encoder.layer.3.". Layers of a group have the
 * same. */
void family_layer(const struct config *config, size_t layer, char *prefix, size_t size);

/* The field of the configuration by which it isn't there; NULL: it is. */
const char *family_switch(const struct config *config, const struct tensor_entry *entry);

/* The number of a tensor's numbers, or of all weights but the heads'; as a double, so that no sizes
 * overflow. */
double family_numbers(const struct config *config, const struct tensor_entry *entry);
double family_weights(const struct config *config);

extern const struct family family_bert, family_roberta, family_xlm_roberta, family_electra,
    family_distilbert, family_albert, family_mpnet, family_modernbert, family_deberta, family_gpt2,
    family_nomic, family_nomic_published, family_jina, family_deberta_first, family_llama,
    family_esm, family_eurobert, family_qwen2, family_qwen3, family_gemma2, family_gemma3,
    family_gemma3_nested, family_neox, family_bart, family_marian, family_t5, family_mt5,
    family_umt5, family_mistral, family_relatives[8];
