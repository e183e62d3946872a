#include "headlight/text/tokenizer_files.h"

#include "headlight/base/json.h"
#include "headlight/text/sentencepiece.h"

#include <stdlib.h>
#include <string.h>

/* ---- Families ---- */

struct family {
    const char *model_type;
    const char *special[SPECIAL_TOKEN_COUNT]; /* unknown, class, separator, mask, padding */
    enum frame_style style;
    bool typed;     /* the second text is of type 1 */
    bool mask_left; /* the mask swallows the spaces before it */
    bool late;      /* the unknown token is cut out of the normalised text */
    enum model_kind model;
    enum status (*steps)(const struct tokenizer_files *, struct tokenizer *, struct error *);
    bool shifted;   /* ids are not those of the SentencePiece model: see shift_pieces */
    bool one_space; /* Metaspace by itself: what is not ' ' doesn't end a word */
};

static enum status steps_of_albert(const struct tokenizer_files *, struct tokenizer *,
                                   struct error *);
static enum status steps_of_deberta(const struct tokenizer_files *, struct tokenizer *,
                                    struct error *);

#define BRACKETS                                                                                   \
    {                                                                                              \
        "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]"                                               \
    }
#define ANGLES                                                                                     \
    {                                                                                              \
        "<unk>", "<s>", "</s>", "<mask>", "<pad>"                                                  \
    }

/* clang-format off */
static const struct family families[] = {
    {.model_type = "bert", .special = BRACKETS, .style = FRAME_SINGLE, .typed = true},
    {.model_type = "distilbert", .special = BRACKETS, .style = FRAME_SINGLE, .typed = true},
    {.model_type = "electra", .special = BRACKETS, .style = FRAME_SINGLE, .typed = true},
    {.model_type = "mpnet", .special = {"[UNK]", "<s>", "</s>", "<mask>", "<pad>"},
     .style = FRAME_DOUBLE, .typed = true, .mask_left = true},
    {.model_type = "roberta", .special = ANGLES, .style = FRAME_DOUBLE, .mask_left = true,
     .model = MODEL_BPE},
    {.model_type = "gpt2", .special = {"<|endoftext|>"}, .style = FRAME_BARE, .typed = true,
     .model = MODEL_BPE},
    {.model_type = "albert", .special = {"<unk>", "[CLS]", "[SEP]", "[MASK]", "<pad>"},
     .style = FRAME_SINGLE, .typed = true, .mask_left = true, .model = MODEL_UNIGRAM,
     .steps = steps_of_albert},
    {.model_type = "xlm-roberta", .special = ANGLES, .style = FRAME_DOUBLE, .mask_left = true,
     .model = MODEL_UNIGRAM, .shifted = true},
    {.model_type = "deberta-v2", .special = BRACKETS, .style = FRAME_SINGLE, .typed = true,
     .late = true, .model = MODEL_UNIGRAM, .steps = steps_of_deberta, .one_space = true},
};
/* clang-format on */

const struct family *family_named(const char *model_type)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!model_type || strcmp(families[i].model_type, model_type) == 0)
            return &families[i];
    return NULL;
}

static enum status expect_model(const struct tokenizer_files *files, enum model_kind model,
                                struct error *error)
{
    if (files->family && files->family->model == model)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "%s: expected a tokenizer.json beside it for a \"model_type\" of which "
                     "headlight doesn't know how it uses such a file, found none",
                     files->vocabulary.name);
}

/* ---- Special tokens ---- */

/* {"4": {"content": "[MASK]", "lstrip": …}, …}: what a tokenizer_config.json has instead. */
static enum status add_listed(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                              struct error *error)
{
    const cJSON *list = json_member(files->settings->config, "added_tokens_decoder");
    const char *source = files->settings->name;
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        struct added_token token = {.special = true};
        const char *content = NULL;
        char *end = NULL;
        unsigned long id = item->string ? strtoul(item->string, &end, 10) : 0;
        if (json_read_string(item, "content", source, &content, error) != STATUS_OK ||
            json_read_bool(item, "normalized", source, &token.normalized, error) != STATUS_OK ||
            json_read_bool(item, "lstrip", source, &token.left, error) != STATUS_OK ||
            json_read_bool(item, "rstrip", source, &token.right, error) != STATUS_OK)
            return error->status;
        if (!content || *content == '\0' || !end || end == item->string || *end || id >= INT32_MAX)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected ids in \"added_tokens_decoder\", and the \"content\" of "
                             "each, found something else",
                             source);
        token.content = (char *)content; /* which is copied */
        token.id = (int32_t)id;
        if (added_put(&tokenizer->added, &token, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

static const char *special_name(const struct tokenizer_files *files, enum special_token special)
{
    const char *named = files->settings->special[special];
    return named ? named : files->family->special[special];
}

/* The id of a special token, which is added; -1 when the vocabulary lacks it. */
static enum status add_special(const struct tokenizer_files *files, enum special_token special,
                               struct tokenizer *tokenizer, int32_t *id, struct error *error)
{
    const char *name = special_name(files, special);
    const struct added_token *listed = name ? added_find(&tokenizer->added, name) : NULL;
    *id = listed ? listed->id
          : name ? vocabulary_find(tokenizer->vocabulary, name, strlen(name))
                 : -1;
    if (*id < 0 || listed)
        return STATUS_OK;
    struct added_token token = {.content = (char *)name, .id = *id, .special = true};
    token.normalized = special == SPECIAL_TOKEN_UNKNOWN && files->family->late;
    token.left = files->settings->left[special] ||
                 (special == SPECIAL_TOKEN_MASK && files->family->mask_left);
    return added_put(&tokenizer->added, &token, error);
}

/* The specials, and the frames made of them. */
static enum status finish(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                          struct error *error)
{
    const struct family *family = files->family;
    int32_t ids[SPECIAL_TOKEN_COUNT];
    enum status status = add_listed(files, tokenizer, error);
    for (int i = 0; i < SPECIAL_TOKEN_COUNT && status == STATUS_OK; i++)
        status = add_special(files, (enum special_token)i, tokenizer, &ids[i], error);
    if (status != STATUS_OK)
        return status;
    tokenizer->unknown = ids[SPECIAL_TOKEN_UNKNOWN];
    if (tokenizer->unknown < 0)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected the unknown token \"%.100s\" among the %zu pieces, found "
                         "none; its name is the setting \"%s\"",
                         files->vocabulary.name, special_name(files, SPECIAL_TOKEN_UNKNOWN),
                         vocabulary_size(tokenizer->vocabulary),
                         tokenizer_settings_special_name(SPECIAL_TOKEN_UNKNOWN));
    const struct frame_tokens tokens = {ids[SPECIAL_TOKEN_CLASS], ids[SPECIAL_TOKEN_SEPARATOR],
                                        tokenizer_settings_special_name(SPECIAL_TOKEN_CLASS),
                                        tokenizer_settings_special_name(SPECIAL_TOKEN_SEPARATOR)};
    for (size_t texts = 1; texts <= 2; texts++)
        tokenizer->frames[texts - 1] = frame_of(family->style, texts, family->typed, &tokens);
    const char *mask = special_name(files, SPECIAL_TOKEN_MASK);
    return pipeline_finish(tokenizer, mask ? mask : "", files->vocabulary.name, error);
}

/* ---- vocab.txt ---- */

enum status tokenizer_of_words(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                               struct error *error)
{
    struct rules rules = {true, true, true};
    tokenizer->model = MODEL_WORDPIECE;
    tokenizer->splitters[0] = (struct splitter){.kind = SPLITTER_BERT};
    tokenizer->splitter_count = 1;
    if (!files->family)
        return expect_model(files, MODEL_WORDPIECE, error);
    if (tokenizer_settings_rules(files->settings, &rules, error) != STATUS_OK ||
        normaliser_add(&tokenizer->normaliser,
                       (struct normal_step){.kind = STEP_BERT, .rules = rules},
                       error) != STATUS_OK ||
        vocabulary_new(files->vocabulary.text, files->vocabulary.name, &tokenizer->vocabulary,
                       error) != STATUS_OK)
        return error->status;
    return finish(files, tokenizer, error);
}

/* ---- vocab.json and merges.txt ---- */

static enum status read_merges(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                               struct error *error)
{
    struct piece *merges;
    size_t count;
    enum status status =
        bpe_read_merges(files->merges.text, files->merges.name, &merges, &count, error);
    if (status == STATUS_OK)
        status = bpe_new(tokenizer->vocabulary, merges, count, files->merges.name, &tokenizer->bpe,
                         error);
    free(merges);
    return status;
}

enum status tokenizer_of_bytes(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                               struct error *error)
{
    bool prefixed = false;
    tokenizer->model = MODEL_BPE;
    if (expect_model(files, MODEL_BPE, error) != STATUS_OK ||
        json_read_bool(files->settings->config, "add_prefix_space", files->settings->name,
                       &prefixed, error) != STATUS_OK ||
        bpe_read_vocabulary(files->vocabulary.text, files->vocabulary.name, &tokenizer->vocabulary,
                            error) != STATUS_OK ||
        read_merges(files, tokenizer, error) != STATUS_OK)
        return error->status;
    tokenizer->splitters[0] = (struct splitter){.kind = SPLITTER_BYTES,
                                                .prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER};
    tokenizer->splitter_count = 1;
    tokenizer->trims = files->family->style != FRAME_BARE;
    tokenizer->trims_less = prefixed;
    return finish(files, tokenizer, error);
}

/* ---- SentencePiece ---- */

static enum status add_replacement(struct tokenizer *tokenizer, const char *what, const char *with,
                                   struct error *error)
{
    struct normal_step step = {.kind = STEP_REPLACE};
    enum status status = codes_of(what, &step.what, error);
    if (status == STATUS_OK && (status = codes_of(with, &step.with, error)) == STATUS_OK)
        return normaliser_add(&tokenizer->normaliser, step, error);
    free(step.what.items);
    return status;
}

static enum status add_step(struct tokenizer *tokenizer, bool wanted, struct normal_step step,
                            struct error *error)
{
    return wanted ? normaliser_add(&tokenizer->normaliser, step, error) : STATUS_OK;
}

/* AlbertConverter in transformers' convert_slow_tokenizer.py. */
static enum status steps_of_albert(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                                   struct error *error)
{
    const struct tokenizer_settings *settings = files->settings;
    const struct normal_step decompose = {.kind = STEP_FORM, .form = FORM_NFKD};
    const struct normal_step strip = {.kind = STEP_STRIP_ACCENTS},
                             lower = {.kind = STEP_LOWER_CASE};
    bool lowers = true, keeps = false;
    if (json_read_bool(settings->config, "do_lower_case", settings->name, &lowers, error) !=
            STATUS_OK ||
        json_read_bool(settings->config, "keep_accents", settings->name, &keeps, error) !=
            STATUS_OK ||
        add_replacement(tokenizer, "``", "\"", error) != STATUS_OK ||
        add_replacement(tokenizer, "''", "\"", error) != STATUS_OK ||
        add_step(tokenizer, !keeps, decompose, error) != STATUS_OK ||
        add_step(tokenizer, !keeps, strip, error) != STATUS_OK)
        return error->status;
    return add_step(tokenizer, lowers, lower, error);
}

/* DebertaV2Converter. */
static enum status steps_of_deberta(const struct tokenizer_files *files,
                                    struct tokenizer *tokenizer, struct error *error)
{
    const struct tokenizer_settings *settings = files->settings;
    const struct normal_step lower = {.kind = STEP_LOWER_CASE},
                             strip = {.kind = STEP_STRIP, .left = true, .right = true};
    bool lowers = false, splits = false;
    if (json_read_bool(settings->config, "do_lower_case", settings->name, &lowers, error) !=
            STATUS_OK ||
        json_read_bool(settings->config, "split_by_punct", settings->name, &splits, error) !=
            STATUS_OK)
        return error->status;
    if (splits)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected \"split_by_punct\" to be false, found true, which headlight "
                         "can't do",
                         settings->name);
    if (add_step(tokenizer, lowers, lower, error) != STATUS_OK)
        return error->status;
    return add_step(tokenizer, true, strip, error);
}

/* The model's own replacements, and one space for many; after what the family does. */
static enum status add_steps(const struct tokenizer_files *files, const struct sentencepiece *model,
                             struct tokenizer *tokenizer, struct error *error)
{
    struct normal_step map = {.kind = STEP_CHARSMAP}, spaces = {.kind = STEP_SPACES};
    const struct family *family = files->family;
    enum status status = family->steps ? family->steps(files, tokenizer, error) : STATUS_OK;
    if (status == STATUS_OK && model->charsmap.length > 0)
        status = charsmap_new(model->charsmap.bytes, model->charsmap.length, files->vocabulary.name,
                              &map.charsmap, error);
    if (status == STATUS_OK)
        status = add_step(tokenizer, map.charsmap != NULL, map, error);
    if (status == STATUS_OK)
        status = codes_of(" ", &spaces.with, error);
    return status == STATUS_OK ? normaliser_add(&tokenizer->normaliser, spaces, error) : status;
}

/* ALBERT's model has pieces such as "▁1," that its tokenizer never uses. */
static void shun_commas(struct sentencepiece *model)
{
    for (size_t i = 0; i < model->count; i++) {
        struct piece piece = model->pieces[i];
        const char *last = piece.length >= 2 ? piece.bytes + piece.length - 1 : NULL;
        if (last && *last == ',' && last[-1] >= '0' && last[-1] <= '9')
            model->scores[i] -= 100;
    }
}

static const struct piece fairseq_front[] = {{"<s>", 3}, {"<pad>", 5}, {"</s>", 4}, {"<unk>", 5}};
static const struct piece fairseq_mask = {"<mask>", 6};
#define FAIRSEQ_FRONT (sizeof fairseq_front / sizeof *fairseq_front)
#define FAIRSEQ_OWN   3 /* pieces of the model that the front stands for */

/* The pieces in the order of the family's ids. XLM-RoBERTa's are fairseq's: its special tokens in
 * front instead of the model's three, and the mask at the end. */
static size_t order_pieces(const struct sentencepiece *model, bool shifted, struct piece *pieces,
                           double *scores)
{
    size_t own = shifted ? FAIRSEQ_OWN : 0, count = shifted ? FAIRSEQ_FRONT : 0;
    for (size_t i = 0; i < count; i++)
        pieces[i] = fairseq_front[i];
    for (size_t i = own; i < model->count; i++, count++) {
        pieces[count] = model->pieces[i];
        scores[count] = model->scores[i];
    }
    if (shifted)
        pieces[count++] = fairseq_mask;
    return count;
}

static enum status make_unigram(const struct tokenizer_files *files,
                                const struct sentencepiece *model, struct tokenizer *tokenizer,
                                struct error *error)
{
    const char *name = files->vocabulary.name;
    const bool shifted = files->family->shifted;
    size_t count = model->count + FAIRSEQ_FRONT + 1;
    struct piece *pieces = calloc(count, sizeof *pieces + sizeof(double));
    if (!pieces)
        return error_memory(error, name, count * (sizeof *pieces + sizeof(double)));
    double *scores = (double *)(void *)(pieces + count);
    count = order_pieces(model, shifted, pieces, scores);
    enum status status = vocabulary_of(pieces, count, name, &tokenizer->vocabulary, error);
    if (status == STATUS_OK)
        status = unigram_new(tokenizer->vocabulary, scores,
                             shifted ? (int32_t)FAIRSEQ_FRONT - 1 : model->unknown, name,
                             &tokenizer->unigram, error);
    free(pieces);
    return status;
}

/* DeBERTa's model has all special tokens but the mask, whose id is the next. */
static enum status add_mask(const struct tokenizer_files *files, struct tokenizer *tokenizer,
                            struct error *error)
{
    const char *mask = special_name(files, SPECIAL_TOKEN_MASK);
    size_t size = vocabulary_size(tokenizer->vocabulary);
    if (vocabulary_find(tokenizer->vocabulary, mask, strlen(mask)) >= 0 || size >= INT32_MAX)
        return STATUS_OK;
    const struct added_token token = {.content = (char *)mask,
                                      .id = (int32_t)size,
                                      .left = files->family->mask_left,
                                      .special = true};
    return added_put(&tokenizer->added, &token, error);
}

enum status tokenizer_of_sentencepiece(const struct tokenizer_files *files,
                                       struct tokenizer *tokenizer, struct error *error)
{
    struct sentencepiece model = {0};
    struct splitter metaspace = {
        .kind = SPLITTER_METASPACE, .prefix = PREFIX_ALWAYS, .mark = 0x2581};
    tokenizer->model = MODEL_UNIGRAM;
    enum status status = expect_model(files, MODEL_UNIGRAM, error);
    if (status == STATUS_OK)
        status = sentencepiece_read(files->vocabulary.text, files->vocabulary.name, &model, error);
    if (status == STATUS_OK)
        status = add_steps(files, &model, tokenizer, error);
    if (status == STATUS_OK && files->family->steps == steps_of_albert)
        shun_commas(&model);
    if (status == STATUS_OK)
        status = make_unigram(files, &model, tokenizer, error);
    if (status == STATUS_OK)
        status = add_mask(files, tokenizer, error);
    sentencepiece_free(&model);
    if (status != STATUS_OK)
        return status;
    if (!files->family->one_space)
        tokenizer->splitters[tokenizer->splitter_count++].kind = SPLITTER_WHITE_SPACE;
    tokenizer->splitters[tokenizer->splitter_count++] = metaspace;
    return finish(files, tokenizer, error);
}
