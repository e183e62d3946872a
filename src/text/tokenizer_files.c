/* tokenizer_files.c: a tokenizer from a model's folder: which files there are decides how it is
 * read. Those from before tokenizer.json become the tree that such a file would be, as by
 * transformers' convert_slow_tokenizer.py; what they leave unsaid, as every program of a family
 * knows it, struct tokenizer_family says. */
#include "headlight/base/size.h"
#include "headlight/text/tokenizer_reader.h"

#include <stdlib.h>

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
    struct json_reader settings[SETTINGS_FILES];
    const char *special[SPECIAL_TOKEN_COUNT]; /* "[UNK]"; NULL when no setting names it */
    bool left[SPECIAL_TOKEN_COUNT];           /* whether it swallows the spaces before it */
    struct file_text vocabulary, second;
    struct json_reader in;     /* the vocabulary, for messages */
    struct beside_tree beside; /* for older files */
};

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

/* What the first file doesn't name, the next may, or at last the model's configuration (EuroBERT's
 * mask). */
static bool read_settings(struct opening *opening, const struct files *files)
{
    for (size_t i = 0; i < SETTINGS_FILES; i++) {
        struct file_text *file = &opening->files[i];
        struct json_reader *in = &opening->settings[i];
        if (files_read_object(files, settings_names[i], false, file, opening->error) != STATUS_OK)
            return false;
        *in = json_reader(file->json, file->path, opening->error);
        for (size_t special = 0; i != SETTINGS_ADDED && special < SPECIAL_TOKEN_COUNT; special++) {
            const cJSON *whole = json_member(in->object, special_names[special]);
            if (!whole)
                continue;
            if (*content_of(whole) == '\0')
                json_refuse(in, STATUS_FORMAT,
                            "expected a token for \"%s\" (a string, or an object with a string "
                            "\"content\"), found another value",
                            special_names[special]);
            opening->left[special] |= cJSON_IsTrue(json_member(whole, "lstrip"));
            if (!opening->special[special])
                opening->special[special] = content_of(whole);
        }
        if (!json_is_fine(in))
            return false;
    }
    return true;
}

/* A setting goes before what is customary in the family; NULL where neither names one. */
static const char *special_name(const struct opening *opening, enum special_token special)
{
    const char *named = opening->special[special];
    return named ? named : opening->family->special[special];
}

/* ---- To a tree ---------------------------------------------------------------------------- */

#define TREE_MOST 1024

#define REPLACE(pattern, with)                                                                     \
    "{\"type\":\"Replace\",\"pattern\":{" pattern "},\"content\":\"" with "\"}"

static const char *word_of(bool value)
{
    return value ? "true" : "false";
}

/* BertConverter; of ESM, which has none, what its letters leave. "BertTokenizer",
 * "BertTokenizerFast", and those that do the same under other names; the settings of another would
 * be silently misread. Older models name a class in config.json alone: a vocab.txt of Japanese
 * words, or of pieces that other code merges, is no WordPiece. */
static bool write_wordpiece(struct opening *opening, char tree[TREE_MOST])
{
    static const char *const classes[] = {
        "BertTokenizer",     "DistilBertTokenizer",         "ElectraTokenizer",
        "MPNetTokenizer",    "DPRQuestionEncoderTokenizer", "DPRContextEncoderTokenizer",
        "DPRReaderTokenizer"};
    static const char *const of_letters[] = {"EsmTokenizer"};
    const bool letters = opening->family->model == PIECES_WORDS;
    const char *const *names = letters ? of_letters : classes;
    const struct json_reader *in = &opening->settings[SETTINGS_CONFIG];
    const bool named = json_member(in->object, "tokenizer_class");
    const struct json_reader *at = named ? in : &opening->settings[SETTINGS_MODEL];
    const char *class = json_string(at, "tokenizer_class", *names);
    bool known = false;
    for (size_t i = 0; i < (letters ? LENGTH(of_letters) : LENGTH(classes)); i++) {
        const size_t length = strlen(names[i]);
        known |= strncmp(class, names[i], length) == 0 &&
                 (class[length] == '\0' || strcmp(class + length, "Fast") == 0);
    }
    opening->beside.lines = text_of_file(&opening->vocabulary);
    if (!known)
        return json_refuse(at, STATUS_UNSUPPORTED,
                           "expected \"tokenizer_class\" to be \"%s\" or one like it, found "
                           "\"%.100s\"; a vocab.txt is read as %s",
                           *names, class, letters ? "ESM's letters" : "BERT's WordPiece");
    if (letters) {
        strcpy(tree, "{\"pre_tokenizer\":{\"type\":\"WhitespaceSplit\"},"
                     "\"model\":{\"type\":\"WordLevel\"}}");
        return json_is_fine(at);
    }
    reader_expect(in, "do_basic_tokenize", "true");
    const bool lower = json_bool(in, "do_lower_case", true);
    const bool apart = json_bool(in, "tokenize_chinese_chars", true);
    const bool plain = json_bool(in, "strip_accents", lower);
    snprintf(tree, TREE_MOST,
             "{\"normalizer\":{\"type\":\"BertNormalizer\",\"lowercase\":%s,\"strip_accents\":%s,"
             "\"handle_chinese_chars\":%s},\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},"
             "\"model\":{\"type\":\"WordPiece\"}}",
             word_of(lower), word_of(plain), word_of(apart));
    return json_is_fine(in);
}

/* GPT2Converter and RobertaConverter: spans leave out spaces where special tokens frame a text. */
static bool write_bytes(struct opening *opening, char tree[TREE_MOST])
{
    const struct file_text *file = &opening->vocabulary;
    const struct json_reader *in = &opening->settings[SETTINGS_CONFIG];
    const bool prefixed = json_bool(in, "add_prefix_space", false);
    if (!json_is_fine(in) ||
        json_parse_object(file->bytes, file->length, file->path, &opening->beside.pieces,
                          opening->error) != STATUS_OK)
        return false;
    opening->beside.second = &opening->second;
    snprintf(tree, TREE_MOST,
             "{\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":%s},"
             "\"post_processor\":{\"type\":\"ByteLevel\",\"trim_offsets\":%s,"
             "\"add_prefix_space\":%s},\"model\":{\"type\":\"BPE\"}}",
             word_of(prefixed), word_of(opening->family->frame != FRAME_BARE), word_of(prefixed));
    return true;
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
    const struct json_reader *in = &opening->settings[SETTINGS_CONFIG];
    const bool albert = converter == CONVERTER_ALBERT, deberta = converter == CONVERTER_DEBERTA;
    struct sentencepiece *model = &opening->beside.model;
    const bool lower = (albert || deberta) && json_bool(in, "do_lower_case", albert);
    const bool accents = !albert || json_bool(in, "keep_accents", false);
    if (deberta)
        reader_expect(in, "split_by_punct", "false");
    if (!json_is_fine(in) ||
        !reader_sentencepiece(&opening->in, text_of_file(&opening->vocabulary), model))
        return false;
    for (size_t i = 0; albert && i < model->scored.count; i++) {
        /* its model has pieces such as "▁1," that its tokenizer never uses */
        const struct text piece = model->scored.pieces[i];
        const char *last = piece.length >= 2 ? piece.bytes + piece.length - 1 : NULL;
        if (last && *last == ',' && last[-1] >= '0' && last[-1] <= '9')
            model->scored.scores[i] -= 100;
    }
    if (converter == CONVERTER_FAIRSEQ || converter == CONVERTER_CAMEMBERT)
        put_front(model, converter == CONVERTER_CAMEMBERT);
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

/* Of Marian, whose tokenizer gives texts to SentencePiece itself (tokenization_marian.py): src/
 * normalizer.cc and unigram_model.cc. Pieces of other types than the usual one are never found. */
static bool write_marian(struct opening *opening, char tree[TREE_MOST])
{
    const struct file_text *file = &opening->second;
    struct sentencepiece *model = &opening->beside.model;
    size_t special = 0;
    if (!reader_sentencepiece(&opening->in, text_of_file(&opening->vocabulary), model) ||
        json_parse_object(file->bytes, file->length, file->path, &opening->beside.pieces,
                          opening->error) != STATUS_OK)
        return false;
    for (size_t i = 0; i < model->scored.count; i++) {
        special += model->scored.types[i] == TYPE_USER_DEFINED;
        if (model->scored.types[i] > TYPE_NORMAL)
            model->scored.pieces[i] = (struct text){NULL, 0};
    }
    opening->beside.second = file;
    opening->tokenizer->codes = true;
#define STRIP(left, what) "{\"type\":\"Strip\",\"strip_left\":" left ",\"content\":\"" what "\"}"
    static const char before[] = REPLACE("\"Regex\":\" {2,}\"", " ") "," STRIP("true", " ");
    static const char after[] = REPLACE("\"String\":\" \"", "▁") "," STRIP("false", "▁");
    snprintf(tree, TREE_MOST,
             "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[%s%s,"
             "{\"type\":\"Prepend\",\"prepend\":\"▁\"},%s]},"
             "\"model\":{\"type\":\"Unigram\",\"unk_id\":%ld},"
             "\"decoder\":{\"type\":\"Strip\",\"start\":%d,\"stop\":%d}}",
             model->charsmap.length > 0 ? "{\"type\":\"Precompiled\",\"longest\":true}," : "",
             before, after, (long)model->unknown, INT32_MAX, INT32_MAX);
    return (special == 0 && !model->unusual) ||
           json_refuse(&opening->in, STATUS_UNSUPPORTED,
                       "expected a SentencePiece model without user-defined pieces that puts a "
                       "space in front of a text and drops those that are too many, found one "
                       "that was trained otherwise");
}

/* ---- Special tokens ----------------------------------------------------------------------- */

/* All that a tokenizer_config.json lists, {"4": {"content": "[MASK]", "lstrip": …}, …}; or, of the
 * time before it did, an added_tokens.json, {"[E1]": 30522, …}. */
static bool add_listed(const struct tokenizer_reader *in, const cJSON *list, bool older)
{
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        const struct tokenizer_reader token = reader_of(in, older ? NULL : item);
        const char *key = item->string ? item->string : "";
        const char *content = older ? key : json_string(&token.at, "content", "");
        char *end = NULL;
        size_t id = older ? 0 : strtoul(key, &end, 10);
        const bool fits = older ? json_is_size(item, &id) : end > key && *end == '\0';
        if (!fits || id >= INT32_MAX || *content == '\0')
            return json_refuse(
                &in->at, STATUS_FORMAT,
                "expected tokens and their ids%s, found \"%.100s\" with another value",
                older ? "" : " in \"added_tokens_decoder\"", key);
        if (!reader_added(&token, content,
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
    const struct tokenizer *tokenizer = opening->tokenizer;
    const char *name = special_name(opening, special);
    const bool mask = special == SPECIAL_TOKEN_MASK;
    *id = name ? tokenizer_find(tokenizer, name) : -1;
    if (name && *id < 0 && mask && tokenizer->model == PIECES_UNIGRAM)
        *id = (int32_t)vocabulary_size(tokenizer->vocabulary);
    struct added_token token = {.id = *id, .special = true};
    const bool known = name && added_find(&tokenizer->added, name);
    if (*id < 0 || (known && (listed || !opening->special[special])))
        return true;
    if (!known) {
        token.normalized =
            special == SPECIAL_TOKEN_UNKNOWN && opening->family->converter == CONVERTER_DEBERTA;
        token.right = opening->family->converter == CONVERTER_MARIAN;
        token.left = opening->left[special] || token.right || (mask && opening->family->mask_left);
    }
    return reader_added(&(struct tokenizer_reader){opening->in, opening->tokenizer, NULL}, name,
                        token);
}

/* Adds special tokens without a name of their own, a list or, in newer files, an object of them.
 * Those that have no id get the next. */
static bool add_more(const struct tokenizer_reader *in, const char *name, bool listed)
{
    const struct tokenizer *tokenizer = in->tokenizer;
    const cJSON *list = json_member(in->at.object, name);
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        const char *content = content_of(item);
        const bool known = added_find(&tokenizer->added, content) != NULL;
        const struct tokenizer_reader token = reader_of(in, known ? NULL : item);
        int32_t id = tokenizer_find(tokenizer, content);
        if (id < 0 && pipeline_size(tokenizer) < INT32_MAX)
            id = (int32_t)pipeline_size(tokenizer);
        if (*content == '\0' || id < 0)
            return json_refuse(&in->at, STATUS_FORMAT,
                               "expected special tokens (strings, or objects with a \"content\"), "
                               "found another value");
        if ((!known || !listed) &&
            !reader_added(&token, content, (struct added_token){.id = id, .special = true}))
            return false;
    }
    return true;
}

/* T5's sentinels. */
static bool add_extra(const struct opening *opening, const struct tokenizer_reader *in)
{
    const struct json_reader *settings = &opening->settings[SETTINGS_CONFIG];
    const size_t count = json_size(settings, "extra_ids", 100);
    const size_t end = vocabulary_size(opening->tokenizer->vocabulary) + count;
    for (size_t k = 0; k < count && json_is_fine(settings); k++) {
        char piece[32];
        snprintf(piece, sizeof piece, "<extra_id_%zu>", k);
        if (end > INT32_MAX)
            return json_refuse(settings, STATUS_LIMIT, "expected less for \"extra_ids\", found %zu",
                               count);
        if (!added_find(&opening->tokenizer->added, piece) &&
            !reader_added(in, piece,
                          (struct added_token){.id = (int32_t)(end - 1 - k), .special = true}))
            return false;
    }
    return json_is_fine(settings);
}

/* All of them, and the frames that two of them make. */
static bool add_tokens(const struct opening *opening)
{
    const struct tokenizer_family *family = opening->family;
    struct tokenizer_reader in[SETTINGS_FILES];
    for (size_t i = 0; i < SETTINGS_FILES; i++)
        in[i] = (struct tokenizer_reader){opening->settings[i], opening->tokenizer, NULL};
    const cJSON *list = json_member(in[SETTINGS_CONFIG].at.object, "added_tokens_decoder");
    const bool listed = list;
    int32_t ids[SPECIAL_TOKEN_COUNT];
    if (!(listed ? add_listed(&in[SETTINGS_CONFIG], list, false)
                 : add_listed(&in[SETTINGS_ADDED], in[SETTINGS_ADDED].at.object, true)))
        return false;
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++)
        if (!add_special(opening, (enum special_token)i, listed, &ids[i]))
            return false;
    const struct tokenizer_reader plain = {opening->in, opening->tokenizer, NULL};
    /* ESM's text is cut at every piece wherever it stands, the longest first: models/esm/
     * tokenization_esm.py of transformers */
    const struct tokenizer *tokenizer = opening->tokenizer;
    const size_t letters =
        family->model == PIECES_WORDS ? vocabulary_size(tokenizer->vocabulary) : 0;
    for (int32_t id = 0; (size_t)id < letters; id++) {
        const char *piece = vocabulary_piece(tokenizer->vocabulary, id, NULL);
        if (*piece && !added_find(&tokenizer->added, piece) &&
            !reader_added(&plain, piece,
                          (struct added_token){.id = tokenizer_find(tokenizer, piece)}))
            return false;
    }
    if (family->converter == CONVERTER_T5 && !add_extra(opening, &plain))
        return false;
    for (size_t file = SETTINGS_CONFIG; file <= (listed ? SETTINGS_CONFIG : SETTINGS_MAP); file++)
        if (!add_more(&in[file], "additional_special_tokens", listed) ||
            !add_more(&in[file], "extra_special_tokens", listed))
            return false;
    opening->tokenizer->unknown = ids[SPECIAL_TOKEN_UNKNOWN];
    if (ids[SPECIAL_TOKEN_UNKNOWN] < 0)
        return json_refuse(&opening->in, STATUS_FORMAT,
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
    const char *vocabulary, *second;
    bool (*write)(struct opening *opening, char tree[TREE_MOST]);
    enum piece_model model;
};

/* Marian's are of what it reads, of what it writes, and of that where it has a vocabulary of its
 * own. Of the others the first that is there decides. */
enum { KIND_SOURCE, KIND_TARGET, KIND_APART, KIND_FIRST };

static const struct kind kinds[] = {
    [KIND_SOURCE] = {"source.spm", "vocab.json", write_marian, PIECES_UNIGRAM},
    [KIND_TARGET] = {"target.spm", "vocab.json", write_marian, PIECES_UNIGRAM},
    [KIND_APART] = {"target.spm", "target_vocab.json", write_marian, PIECES_UNIGRAM},
    [KIND_FIRST] = {"tokenizer.json", NULL, NULL, PIECES_WORDPIECE},
    {"vocab.txt", NULL, write_wordpiece, PIECES_WORDPIECE},
    {"vocab.json", "merges.txt", write_bytes, PIECES_BPE},
    {"spiece.model", NULL, write_unigram, PIECES_UNIGRAM},
    {"sentencepiece.bpe.model", NULL, write_unigram, PIECES_UNIGRAM},
    {"spm.model", NULL, write_unigram, PIECES_UNIGRAM},
};

/* Half-built tokenizers are freed here, for every kind of file. */
static enum status read_kind(struct opening *opening, const struct kind *kind,
                             struct tokenizer **tokenizer)
{
    const char *const name = opening->vocabulary.path;
    const struct tokenizer_family *family = opening->family;
    struct text json = text_of_file(&opening->vocabulary);
    const char *mask = opening->special[SPECIAL_TOKEN_MASK];
    char written[TREE_MOST];
    cJSON *tree = NULL;
    bool read = true;
    if (!(opening->tokenizer = calloc(1, sizeof **tokenizer)))
        return error_memory(opening->error, "a tokenizer", sizeof **tokenizer);
    opening->in = json_reader(NULL, name, opening->error);
    if (kind->write) {
        if ((kind->model != PIECES_WORDPIECE && kind->model != family->model) ||
            !family->special[SPECIAL_TOKEN_UNKNOWN])
            read = json_refuse(&opening->in, STATUS_UNSUPPORTED,
                               "expected a tokenizer.json beside it for a \"model_type\" of which "
                               "headlight doesn't know how it uses such a file, found none");
        read = read && kind->write(opening, written);
        json = read ? text_of_string(written) : json;
        mask = special_name(opening, SPECIAL_TOKEN_MASK);
        mask = mask ? mask : "";
    }
    read = read && json_parse(json.bytes, json.length, TOKENIZER_JSON_MAX, false, name, &tree,
                              opening->error) == STATUS_OK;
    struct tokenizer_reader in = {opening->in, opening->tokenizer,
                                  kind->write ? &opening->beside : NULL};
    in.at.object = tree;
    read = read && reader_json(&in) && (!kind->write || add_tokens(opening)) &&
           pipeline_finish(opening->tokenizer, mask, name, opening->error) == STATUS_OK;
    cJSON_Delete(tree);
    cJSON_Delete(opening->beside.pieces);
    free(opening->beside.model.scored.pieces);
    if (read)
        *tokenizer = opening->tokenizer;
    else
        tokenizer_free(opening->tokenizer);
    return read ? STATUS_OK : opening->error->status;
}

enum status tokenizer_read(const struct files *files, const struct tokenizer_family *family,
                           bool target, struct tokenizer **tokenizer, struct error *error)
{
    struct opening opening = {.family = family, .error = error};
    const struct json_reader *settings = &opening.settings[SETTINGS_CONFIG];
    const bool marian = family->converter == CONVERTER_MARIAN;
    *tokenizer = NULL;
    if (target && !marian)
        return STATUS_OK;
    bool read = read_settings(&opening, files), found = false;
    const bool apart = read && target && json_bool(settings, "separate_vocabs", false);
    const size_t first = !marian ? KIND_FIRST
                         : apart ? KIND_APART
                                 : (target ? KIND_TARGET : KIND_SOURCE);
    enum status status = read && json_is_fine(settings) ? STATUS_OK : error->status;
    for (size_t i = first;
         status == STATUS_OK && !found && i < (marian ? first + 1 : LENGTH(kinds)); i++) {
        const struct kind *kind = &kinds[i];
        status = files_read(files, kind->vocabulary, TOKENIZER_JSON_MAX, false, &opening.vocabulary,
                            error);
        found = status == STATUS_OK && opening.vocabulary.bytes;
        if (found && kind->second)
            status =
                files_read(files, kind->second, TOKENIZER_JSON_MAX, false, &opening.second, error);
        if (found && kind->second && status == STATUS_OK && !opening.second.bytes)
            status = error_set(error, STATUS_IO,
                               "%s: expected it beside the %s, found none; copy it from where that "
                               "is from",
                               opening.second.path, kind->vocabulary);
        if (found && status == STATUS_OK)
            status = read_kind(&opening, kind, tokenizer);
        file_text_free(&opening.vocabulary);
        file_text_free(&opening.second);
    }
    if (status == STATUS_OK && !found && first < KIND_FIRST)
        status =
            error_set(error, STATUS_IO,
                      "%s: expected source.spm, target.spm and vocab.json there, which Marian's "
                      "models come with, found no %s; copy it from where the model is from",
                      files->folder, kinds[first].vocabulary);
    else if (status == STATUS_OK && !found)
        status =
            error_set(error, STATUS_IO,
                      "%s: expected a tokenizer there (tokenizer.json; or vocab.txt, vocab.json "
                      "and merges.txt, or a SentencePiece model), found none",
                      files->folder);
    for (size_t i = 0; i < SETTINGS_FILES; i++)
        file_text_free(&opening.files[i]);
    return status;
}
