/* tokenizer_files.c: a tokenizer from a model's folder: which files there are decides how it is
 * read. Those from before tokenizer.json become the tree that such a file would be, as by
 * transformers' convert_slow_tokenizer.py; what they leave unsaid, as every program of a family
 * knows it, struct tokenizer_family says. */
#include "headlight/base/files.h"
#include "headlight/base/size.h"
#include "headlight/text/tokenizer_reader.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The files beside a vocabulary. */
enum { SETTINGS_CONFIG, SETTINGS_MAP, SETTINGS_ADDED, SETTINGS_MODEL, SETTINGS_FILES };

static const char *const settings_names[SETTINGS_FILES] = {
    "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "config.json"};

/* A tokenizer on its way. */
struct opening {
    const struct tokenizer_family *family;
    struct tokenizer *tokenizer;
    struct error *error;
    struct file_text files[SETTINGS_FILES];
    const char *special[SPECIAL_TOKEN_COUNT]; /* "[UNK]"; NULL when no setting names it */
    bool left[SPECIAL_TOKEN_COUNT];           /* whether it swallows the spaces before it */
    struct file_text vocabulary, merges;
    struct beside_tree beside; /* for older files; what it points to: */
    cJSON *pieces;
    struct sentencepiece model;
};

/* The reader of a file, which its messages then name. */
static struct tokenizer_reader reader_of(const struct opening *opening,
                                         const struct file_text *file)
{
    return (struct tokenizer_reader){opening->tokenizer, file->path, opening->error, NULL};
}

static struct text text_of_file(const struct file_text *file)
{
    return (struct text){file->bytes, file->length};
}

/* ---- Settings ----------------------------------------------------------------------------- */

/* By their enum special_token. */
static const char *const special_names[SPECIAL_TOKEN_COUNT] = {
    "unk_token", "cls_token", "sep_token", "mask_token", "pad_token"};

/* A token is written as a string, or as an object that holds it under "content"; "" for another
 * value. */
static const char *content_of(const cJSON *item)
{
    const cJSON *text = cJSON_IsObject(item) ? json_member(item, "content") : item;
    return cJSON_IsString(text) ? text->valuestring : "";
}

/* What the first file doesn't name, the second may. */
static bool read_special(struct opening *opening, size_t file, size_t special)
{
    const struct tokenizer_reader in = reader_of(opening, &opening->files[file]);
    const cJSON *whole = json_member(opening->files[file].json, special_names[special]);
    if (!whole)
        return true;
    if (*content_of(whole) == '\0')
        return reader_fail(&in, STATUS_FORMAT,
                           "expected a token for \"%s\" (a string, or an object with a string "
                           "\"content\"), found another value",
                           special_names[special]);
    opening->left[special] |= cJSON_IsTrue(json_member(whole, "lstrip"));
    if (!opening->special[special])
        opening->special[special] = content_of(whole);
    return true;
}

static bool read_settings(struct opening *opening, const struct files *files)
{
    for (size_t i = 0; i < SETTINGS_FILES; i++) {
        if (files_read_object(files, settings_names[i], false, &opening->files[i],
                              opening->error) != STATUS_OK)
            return false;
        for (size_t special = 0; i < SETTINGS_ADDED && special < SPECIAL_TOKEN_COUNT; special++)
            if (!read_special(opening, i, special))
                return false;
    }
    return true;
}

/* A setting that is true or false. */
static bool read_setting(const struct opening *opening, const char *name, bool *value)
{
    const struct tokenizer_reader in = reader_of(opening, &opening->files[SETTINGS_CONFIG]);
    return reader_bool(&in, opening->files[SETTINGS_CONFIG].json, name, value);
}

/* A setting goes before what is customary in the family; NULL where neither names one. */
static const char *special_name(const struct opening *opening, enum special_token special)
{
    const char *named = opening->special[special];
    return named ? named : opening->family->special[special];
}

/* ---- To a tree ---------------------------------------------------------------------------- */

#define TREE_MOST 1024

static const char *word_of(bool value)
{
    return value ? "true" : "false";
}

/* "BertTokenizer", "BertTokenizerFast", and those that do the same under other names; the settings
 * of another would be silently misread. Older models name a class in config.json alone: a vocab.txt
 * of Japanese words, or of pieces that other code merges, is no WordPiece. */
static bool check_class(const struct opening *opening)
{
    static const char *const classes[] = {
        "BertTokenizer",     "DistilBertTokenizer",         "ElectraTokenizer",
        "MPNetTokenizer",    "DPRQuestionEncoderTokenizer", "DPRContextEncoderTokenizer",
        "DPRReaderTokenizer"};
    const bool own = json_member(opening->files[SETTINGS_CONFIG].json, "tokenizer_class");
    const size_t file = own ? SETTINGS_CONFIG : SETTINGS_MODEL;
    const struct tokenizer_reader in = reader_of(opening, &opening->files[file]);
    const char *class = classes[0];
    if (!reader_string(&in, opening->files[file].json, "tokenizer_class", &class))
        return false;
    for (size_t i = 0; i < COUNT(classes); i++) {
        size_t length = strlen(classes[i]);
        if (strncmp(class, classes[i], length) == 0 &&
            (class[length] == '\0' || strcmp(class + length, "Fast") == 0))
            return true;
    }
    return reader_fail(&in, STATUS_UNSUPPORTED,
                       "expected \"tokenizer_class\" to be \"BertTokenizer\" or one like it, "
                       "found \"%.100s\"; a vocab.txt is read as BERT's WordPiece",
                       class);
}

/* BertConverter. */
static bool write_wordpiece(struct opening *opening, char tree[TREE_MOST])
{
    const struct tokenizer_reader config = reader_of(opening, &opening->files[SETTINGS_CONFIG]);
    bool lower = true, apart = true;
    if (!check_class(opening) ||
        !reader_expect(&config, opening->files[SETTINGS_CONFIG].json, "do_basic_tokenize", true) ||
        !read_setting(opening, "do_lower_case", &lower) ||
        !read_setting(opening, "tokenize_chinese_chars", &apart))
        return false;
    bool plain = lower;
    if (!read_setting(opening, "strip_accents", &plain))
        return false;
    opening->beside.lines = text_of_file(&opening->vocabulary);
    snprintf(tree, TREE_MOST,
             "{\"normalizer\":{\"type\":\"BertNormalizer\",\"lowercase\":%s,\"strip_accents\":%s,"
             "\"handle_chinese_chars\":%s},\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},"
             "\"model\":{\"type\":\"WordPiece\"}}",
             word_of(lower), word_of(plain), word_of(apart));
    return true;
}

/* GPT2Converter and RobertaConverter: spans leave out spaces where special tokens frame a text. */
static bool write_bytes(struct opening *opening, char tree[TREE_MOST])
{
    const struct file_text *file = &opening->vocabulary;
    bool prefixed = false;
    if (!read_setting(opening, "add_prefix_space", &prefixed) ||
        json_parse_object(file->bytes, file->length, file->path, &opening->pieces,
                          opening->error) != STATUS_OK)
        return false;
    opening->beside.pieces = opening->pieces;
    opening->beside.merges = &opening->merges;
    snprintf(tree, TREE_MOST,
             "{\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":%s},"
             "\"post_processor\":{\"type\":\"ByteLevel\",\"trim_offsets\":%s,"
             "\"add_prefix_space\":%s},\"model\":{\"type\":\"BPE\"}}",
             word_of(prefixed), word_of(opening->family->frame != FRAME_BARE), word_of(prefixed));
    return true;
}

/* ALBERT's model has pieces such as "▁1," that its tokenizer never uses. */
static void penalise_digit_commas(const struct scored_pieces *scored)
{
    for (size_t i = 0; i < scored->count; i++) {
        struct text piece = scored->pieces[i];
        const char *last = piece.length >= 2 ? piece.bytes + piece.length - 1 : NULL;
        if (last && *last == ',' && last[-1] >= '0' && last[-1] <= '9')
            scored->scores[i] -= 100;
    }
}

/* Puts pieces in front of the model's, in place of the first of them, and one at the end:
 * XLMRobertaConverter and CamembertConverter. The last piece of CamemBERT's front is made too
 * unlikely to be used. */
static void put_front(struct sentencepiece *model, bool camembert)
{
    static const char *const fronts[][SENTENCEPIECE_MORE] = {
        {"<s>", "<pad>", "</s>", "<unk>"},
        {"<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED"}};
    struct scored_pieces *scored = &model->scored;
    const size_t count = camembert ? 5 : 4, replaced = size_min(camembert ? 1 : 3, scored->count);
    const size_t kept = scored->count - replaced;
    memmove(scored->pieces + count, scored->pieces + replaced, kept * sizeof *scored->pieces);
    memmove(scored->scores + count, scored->scores + replaced, kept * sizeof *scored->scores);
    for (size_t i = 0; i < count; i++) {
        scored->pieces[i] = text_of_string(fronts[camembert][i]);
        scored->scores[i] = i == 4 ? -100 : 0;
    }
    scored->count = count + kept;
    scored->pieces[scored->count] = text_of_string("<mask>");
    scored->scores[scored->count++] = 0;
    model->unknown = 3;
}

/* SpmConverter. ALBERT's and DeBERTa's normalise by settings; for DeBERTa only ' ' ends a word. */
static bool write_unigram(struct opening *opening, char tree[TREE_MOST])
{
    const enum sentencepiece_converter converter = opening->family->converter;
    const struct tokenizer_reader in = reader_of(opening, &opening->vocabulary);
    const struct tokenizer_reader config = reader_of(opening, &opening->files[SETTINGS_CONFIG]);
    const bool albert = converter == CONVERTER_ALBERT, deberta = converter == CONVERTER_DEBERTA;
    bool lower = albert, accents = !albert;
    struct sentencepiece *model = &opening->model;
    if (((albert || deberta) && !read_setting(opening, "do_lower_case", &lower)) ||
        (albert && !read_setting(opening, "keep_accents", &accents)) ||
        (deberta &&
         !reader_expect(&config, opening->files[SETTINGS_CONFIG].json, "split_by_punct", false)) ||
        !reader_sentencepiece(&in, text_of_file(&opening->vocabulary), model))
        return false;
    if (albert)
        penalise_digit_commas(&model->scored);
    if (converter == CONVERTER_FAIRSEQ || converter == CONVERTER_CAMEMBERT)
        put_front(model, converter == CONVERTER_CAMEMBERT);
    opening->beside.scored = &model->scored;
    opening->beside.charsmap = model->charsmap;
#define REPLACE(pattern, with)                                                                     \
    "{\"type\":\"Replace\",\"pattern\":{" pattern "},\"content\":\"" with "\"}"
    snprintf(tree, TREE_MOST,
             "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[%s%s%s%s%s%s]},"
             "\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[%s"
             "{\"type\":\"Metaspace\"}]},\"model\":{\"type\":\"Unigram\",\"unk_id\":%ld}}",
             albert
                 ? REPLACE("\"String\":\"``\"", "\\\"") "," REPLACE("\"String\":\"''\"", "\\\"") ","
                 : "",
             accents ? "" : "{\"type\":\"NFKD\"},{\"type\":\"StripAccents\"},",
             lower ? "{\"type\":\"Lowercase\"}," : "", deberta ? "{\"type\":\"Strip\"}," : "",
             model->charsmap.length > 0 ? "{\"type\":\"Precompiled\"}," : "",
             REPLACE("\"Regex\":\" {2,}\"", " "), deberta ? "" : "{\"type\":\"WhitespaceSplit\"},",
             (long)model->unknown);
    return true;
}

/* ---- Special tokens ----------------------------------------------------------------------- */

/* All that a tokenizer_config.json lists, {"4": {"content": "[MASK]", "lstrip": …}, …}; or, of the
 * time before it did, an added_tokens.json, {"[E1]": 30522, …}. */
static bool add_listed(const struct opening *opening, const cJSON *list, bool older)
{
    const struct tokenizer_reader in =
        reader_of(opening, &opening->files[older ? SETTINGS_ADDED : SETTINGS_CONFIG]);
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        const char *key = item->string ? item->string : "", *content = older ? key : NULL;
        char *end = NULL;
        size_t id = older ? 0 : strtoul(key, &end, 10);
        if (!older && !reader_string(&in, item, "content", &content))
            return false;
        const bool fits = older ? json_is_size(item, &id) : end > key && *end == '\0';
        if (!fits || id >= INT32_MAX || !content || *content == '\0')
            return reader_fail(
                &in, STATUS_FORMAT,
                "expected tokens and their ids%s, found \"%.100s\" with another value",
                older ? "" : " in \"added_tokens_decoder\"", key);
        if (!reader_added(&in, older ? NULL : item, content,
                          (struct added_token){.id = (int32_t)id, .normalized = older}))
            return false;
    }
    return true;
}

/* Adds a token that a setting or the family names, unless the vocabulary lacks it; DeBERTa's has
 * all of them but the mask, whose id is the next. Of a token of an added_tokens.json only the
 * setting changes something: it is then looked for in the raw text. */
static bool add_special(const struct opening *opening, enum special_token special, bool listed,
                        int32_t *id)
{
    const struct tokenizer_reader in = reader_of(opening, &opening->vocabulary);
    const struct tokenizer *tokenizer = opening->tokenizer;
    const char *name = special_name(opening, special);
    const bool mask = special == SPECIAL_TOKEN_MASK;
    *id = name ? tokenizer_find(tokenizer, name) : -1;
    if (name && *id < 0 && mask && tokenizer->model == PIECES_UNIGRAM)
        *id = (int32_t)vocabulary_size(tokenizer->vocabulary);
    struct added_token token = {.id = *id};
    const bool known = name && added_find(&tokenizer->added, name);
    if (*id < 0 || (known && (listed || !opening->special[special])))
        return true;
    if (!known) {
        token.normalized =
            special == SPECIAL_TOKEN_UNKNOWN && opening->family->converter == CONVERTER_DEBERTA;
        token.left = opening->left[special] || (mask && opening->family->mask_left);
    }
    return reader_added(&in, NULL, name, token);
}

/* Adds special tokens without a name of their own, a list or, in newer files, an object of them.
 * Those that have no id get the next. */
static bool add_more(const struct opening *opening, size_t file, const char *name, bool listed)
{
    const struct tokenizer_reader in = reader_of(opening, &opening->files[file]);
    const struct tokenizer *tokenizer = opening->tokenizer;
    const cJSON *list = json_member(opening->files[file].json, name);
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        const char *content = content_of(item);
        const bool known = added_find(&tokenizer->added, content) != NULL;
        int32_t id = tokenizer_find(tokenizer, content);
        if (id < 0 && pipeline_size(tokenizer) < INT32_MAX)
            id = (int32_t)pipeline_size(tokenizer);
        if (*content == '\0' || id < 0)
            return reader_fail(&in, STATUS_FORMAT,
                               "expected special tokens (strings, or objects with a \"content\"), "
                               "found another value");
        if ((!known || !listed) &&
            !reader_added(&in, known ? NULL : item, content, (struct added_token){.id = id}))
            return false;
    }
    return true;
}

/* All of them, and the frames that two of them make. */
static bool add_tokens(const struct opening *opening)
{
    const struct tokenizer_reader in = reader_of(opening, &opening->vocabulary);
    const struct tokenizer_family *family = opening->family;
    const cJSON *list = json_member(opening->files[SETTINGS_CONFIG].json, "added_tokens_decoder");
    const bool listed = list;
    int32_t ids[SPECIAL_TOKEN_COUNT];
    if (!add_listed(opening, listed ? list : opening->files[SETTINGS_ADDED].json, !listed))
        return false;
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++)
        if (!add_special(opening, (enum special_token)i, listed, &ids[i]))
            return false;
    for (size_t file = SETTINGS_CONFIG; file <= (listed ? SETTINGS_CONFIG : SETTINGS_MAP); file++)
        if (!add_more(opening, file, "additional_special_tokens", listed) ||
            !add_more(opening, file, "extra_special_tokens", listed))
            return false;
    opening->tokenizer->unknown = ids[SPECIAL_TOKEN_UNKNOWN];
    if (ids[SPECIAL_TOKEN_UNKNOWN] < 0)
        return reader_fail(&in, STATUS_FORMAT,
                           "expected the unknown token \"%.100s\" among the %zu pieces, found "
                           "none; its name is the setting \"unk_token\"",
                           special_name(opening, SPECIAL_TOKEN_UNKNOWN),
                           vocabulary_size(opening->tokenizer->vocabulary));
    pipeline_frame(opening->tokenizer, family->frame, family->typed,
                   (struct frame_item){.id = ids[SPECIAL_TOKEN_CLASS],
                                       .setting = special_names[SPECIAL_TOKEN_CLASS]},
                   (struct frame_item){.id = ids[SPECIAL_TOKEN_SEPARATOR],
                                       .setting = special_names[SPECIAL_TOKEN_SEPARATOR]});
    return true;
}

/* ---- Tokenizers --------------------------------------------------------------------------- */

/* A kind of vocabulary, and what makes a tree of it; none for a tree that is there. */
struct kind {
    const char *vocabulary, *merges;
    bool (*write)(struct opening *opening, char tree[TREE_MOST]);
    enum piece_model model;
};

/* The first that is there decides. */
static const struct kind kinds[] = {
    {"tokenizer.json", NULL, NULL, PIECES_WORDPIECE},
    {"vocab.txt", NULL, write_wordpiece, PIECES_WORDPIECE},
    {"vocab.json", "merges.txt", write_bytes, PIECES_BPE},
    {"spiece.model", NULL, write_unigram, PIECES_UNIGRAM},
    {"sentencepiece.bpe.model", NULL, write_unigram, PIECES_UNIGRAM},
    {"spm.model", NULL, write_unigram, PIECES_UNIGRAM},
};

static bool read_kind(struct opening *opening, const struct kind *kind)
{
    const char *const name = opening->vocabulary.path;
    const struct tokenizer_family *family = opening->family;
    struct tokenizer_reader in = reader_of(opening, &opening->vocabulary);
    struct text json = text_of_file(&opening->vocabulary);
    const char *mask = opening->special[SPECIAL_TOKEN_MASK];
    char written[TREE_MOST];
    cJSON *tree = NULL;
    if (kind->write) {
        if ((kind->model != PIECES_WORDPIECE && kind->model != family->model) ||
            !family->special[SPECIAL_TOKEN_UNKNOWN])
            return reader_fail(&in, STATUS_UNSUPPORTED,
                               "expected a tokenizer.json beside it for a \"model_type\" of which "
                               "headlight doesn't know how it uses such a file, found none");
        if (!kind->write(opening, written))
            return false;
        json = text_of_string(written);
        in.beside = &opening->beside;
        mask = special_name(opening, SPECIAL_TOKEN_MASK);
        mask = mask ? mask : "";
    }
    bool read = json_parse_long_object(json.bytes, json.length, TOKENIZER_JSON_MAX, name, &tree,
                                       opening->error) == STATUS_OK &&
                reader_json(&in, tree) && (!kind->write || add_tokens(opening)) &&
                pipeline_finish(opening->tokenizer, mask, name, opening->error) == STATUS_OK;
    cJSON_Delete(tree);
    return read;
}

/* Half-built tokenizers are freed here, for every kind of file. */
static enum status open_kind(struct opening *opening, const struct kind *kind,
                             struct tokenizer **tokenizer)
{
    *tokenizer = NULL;
    if (!(opening->tokenizer = calloc(1, sizeof **tokenizer)))
        return error_memory(opening->error, "a tokenizer", sizeof **tokenizer);
    const bool read = read_kind(opening, kind);
    cJSON_Delete(opening->pieces);
    free(opening->model.scored.pieces);
    if (read)
        *tokenizer = opening->tokenizer;
    else
        tokenizer_free(opening->tokenizer);
    return read ? STATUS_OK : opening->error->status;
}

static enum status open_first(struct opening *opening, const struct files *files,
                              struct tokenizer **tokenizer)
{
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct kind *kind = &kinds[i];
        enum status status = files_read(files, kind->vocabulary, TOKENIZER_JSON_MAX, false,
                                        &opening->vocabulary, opening->error);
        const bool found = status == STATUS_OK && opening->vocabulary.bytes;
        if (found && kind->merges)
            status = files_read(files, kind->merges, TOKENIZER_JSON_MAX, true, &opening->merges,
                                opening->error);
        if (found && status == STATUS_OK)
            status = open_kind(opening, kind, tokenizer);
        file_text_free(&opening->vocabulary);
        file_text_free(&opening->merges);
        if (found || status != STATUS_OK)
            return status;
    }
    return error_set(opening->error, STATUS_IO,
                     "%s: expected a tokenizer there (tokenizer.json; or vocab.txt, vocab.json and "
                     "merges.txt, or a SentencePiece model), found none",
                     files->folder);
}

enum status tokenizer_read(const struct files *files, const struct tokenizer_family *family,
                           struct tokenizer **tokenizer, struct error *error)
{
    struct opening opening = {.family = family, .error = error};
    *tokenizer = NULL;
    const enum status status =
        read_settings(&opening, files) ? open_first(&opening, files, tokenizer) : error->status;
    for (size_t i = 0; i < SETTINGS_FILES; i++)
        file_text_free(&opening.files[i]);
    return status;
}
