/* tokenizer_json_model.c: how the members of any object are read, and the two parts of a
 * tokenizer.json with most kinds: how it normalises, and the model that makes word pieces. The
 * pieces of older files lie beside the tree. */
#include "headlight/base/bytes.h"
#include "headlight/base/memory.h"
#include "headlight/base/nearest.h"
#include "headlight/base/size.h"
#include "headlight/text/tokenizer_reader.h"

/* ---- Members ------------------------------------------------------------------------------ */

/* What the settings beside older files are read by, too. Each function returns whether it went
 * well, so that a reader is a chain of && that stops at the first error. */
const char *reader_need(const struct json_reader *in, const char *name)
{
    const char *value = json_string(in, name, NULL);
    if (!value)
        json_refuse(in, STATUS_FORMAT, "expected a string for \"%s\", found none", name);
    return value;
}

bool reader_expect(const struct json_reader *in, const char *name, const char *wanted)
{
    const cJSON *item = json_member(in->object, name);
    char *found = item ? cJSON_PrintUnformatted(item) : NULL;
    if (item && (!found || strcmp(found, wanted) != 0))
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected \"%s\" to be %s, found %.100s, which headlight can't do", name,
                    wanted, found ? found : "another value");
    cJSON_free(found);
    return json_is_fine(in);
}

/* The types are listed while looking, for the message if none fits. */
const struct reader_type *reader_type_of(const struct tokenizer_reader *in, const char *what,
                                         const struct reader_type *types, size_t count)
{
    const char *type = json_string(&in->at, "type", NULL);
    struct nearest nearest = nearest_to("");
    if (!cJSON_IsObject(in->at.object))
        json_refuse(&in->at, STATUS_FORMAT, "expected an object for \"%s\", found another value",
                    what);
    else if (!type)
        json_refuse(&in->at, STATUS_FORMAT, "expected a \"type\" in \"%s\", found none", what);
    for (size_t i = 0; type && i < count; nearest_offer(&nearest, types[i++].name))
        if (strcmp(types[i].name, type) == 0)
            return &types[i];
    if (type)
        json_refuse(&in->at, STATUS_UNSUPPORTED, "expected \"%s\" to be %s, found \"%.100s\"", what,
                    nearest_names(&nearest), type);
    return NULL;
}

bool reader_each(const struct tokenizer_reader *in, const char *name,
                 bool (*read)(const struct tokenizer_reader *))
{
    const cJSON *list = json_member(in->at.object, name);
    if (!cJSON_IsArray(list))
        return json_refuse(&in->at, STATUS_FORMAT, "expected a list for \"%s\", found %s", name,
                           list ? "another value" : "none");
    for (const cJSON *each = list->child; each; each = each->next) {
        const struct tokenizer_reader item = reader_of(in, each);
        if (!read(&item))
            return false;
    }
    return true;
}

bool reader_added(const struct tokenizer_reader *in, const char *content, struct added_token token)
{
    token.content = (char *)content; /* which is copied */
    if (in->tokenizer->added.count == ADDED_TOKENS_MAX)
        return json_refuse(&in->at, STATUS_LIMIT, "expected at most %d added tokens, found more",
                           ADDED_TOKENS_MAX);
    reader_expect(&in->at, "single_word", "false");
    token.normalized = json_bool(&in->at, "normalized", token.normalized);
    token.left = json_bool(&in->at, "lstrip", token.left);
    token.right = json_bool(&in->at, "rstrip", token.right);
    token.special = json_bool(&in->at, "special", token.special);
    return json_is_fine(&in->at) &&
           added_put(&in->tokenizer->added, &token, in->at.error) == STATUS_OK;
}

/* ---- Normalizers -------------------------------------------------------------------------- */

/* Adds a step, which is the normaliser's also after a failure. */
static bool add_step(const struct tokenizer_reader *in, struct normal_step step)
{
    const bool fine = json_is_fine(&in->at);
    if (normaliser_add(&in->tokenizer->normaliser, step, in->at.error) != STATUS_OK || !fine)
        return false;
    return in->tokenizer->normaliser.count <= NORMALISER_STEPS_MAX ||
           json_refuse(&in->at, STATUS_LIMIT,
                       "expected at most %d steps that normalise a text, found more",
                       NORMALISER_STEPS_MAX);
}

/* Unless the file says otherwise, accents are dropped if the text is lower-cased. */
static bool read_bert_normalizer(const struct tokenizer_reader *in)
{
    reader_expect(&in->at, "clean_text", "true");
    const bool lowered = json_bool(&in->at, "lowercase", true);
    const bool apart = json_bool(&in->at, "handle_chinese_chars", true);
    const bool plain = json_bool(&in->at, "strip_accents", lowered);
    return add_step(in, (struct normal_step){.kind = STEP_CLEAN}) &&
           (!apart || add_step(in, (struct normal_step){.kind = STEP_IDEOGRAPHS})) &&
           (!plain || (add_step(in, (struct normal_step){.kind = STEP_FORM, .form = FORM_NFD}) &&
                       add_step(in, (struct normal_step){.kind = STEP_ACCENTS}))) &&
           (!lowered || add_step(in, (struct normal_step){.kind = STEP_LOWER_CASE}));
}

/* What is looked for is compared at each place of a text, and what is put there makes it longer:
 * both are short. An empty string is fine, for instance to replace something by nothing. */
static void read_points(const struct tokenizer_reader *in, const char *name, const char *string,
                        struct points *points)
{
    const struct text text = text_of_string(string ? string : "");
    if (text.length > NORMALISER_STRING_MAX)
        json_refuse(&in->at, STATUS_LIMIT,
                    "expected at most %d bytes for \"%s\" in a \"normalizer\", found %zu",
                    NORMALISER_STRING_MAX, name, text.length);
    points->error = in->at.error;
    if (json_is_fine(&in->at))
        points_read(text, points);
    points->error = NULL;
}

/* What is to be replaced: a string, or the one expression that is in use. */
static bool read_replace(const struct tokenizer_reader *in)
{
    struct normal_step step = {.kind = STEP_REPLACE};
    const cJSON *pattern = json_member(in->at.object, "pattern");
    const cJSON *regex = json_member(pattern, "Regex"), *string = json_member(pattern, "String");
    if (cJSON_IsString(string) && string->valuestring[0] != '\0')
        read_points(in, "pattern", string->valuestring, &step.what);
    else if (!cJSON_IsString(regex))
        json_refuse(
            &in->at, STATUS_FORMAT,
            "expected a \"pattern\" with a \"String\" or a \"Regex\" to replace, found none");
    else if (strcmp(regex->valuestring, " {2,}") != 0)
        json_refuse(&in->at, STATUS_UNSUPPORTED,
                    "expected no expression to be replaced but \" {2,}\", found \"%.100s\"",
                    regex->valuestring);
    else
        step.kind = STEP_SPACES;
    read_points(in, "content", reader_need(&in->at, "content"), &step.with);
    return add_step(in, step);
}

/* One character in place of white space, and the longest keys of a charsmap, are not in files but
 * in what tokenizer_files.c writes. */
static bool read_strip(const struct tokenizer_reader *in)
{
    struct normal_step step = {.kind = STEP_STRIP,
                               .left = json_bool(&in->at, "strip_left", true),
                               .right = json_bool(&in->at, "strip_right", true)};
    read_points(in, "content", json_string(&in->at, "content", ""), &step.what);
    return add_step(in, step);
}

static bool read_prepend(const struct tokenizer_reader *in)
{
    struct normal_step step = {.kind = STEP_PREPEND};
    read_points(in, "prepend", reader_need(&in->at, "prepend"), &step.with);
    return add_step(in, step);
}

static bool read_precompiled(const struct tokenizer_reader *in)
{
    struct normal_step step = {.kind = STEP_CHARSMAP,
                               .longest = json_bool(&in->at, "longest", false)};
    struct text map = in->beside ? in->beside->model.charsmap : (struct text){NULL, 0};
    const char *encoded = in->beside ? NULL : reader_need(&in->at, "precompiled_charsmap");
    char *bytes = encoded ? memory_new(strlen(encoded) + 1, 1, 0, "a text", in->at.error) : NULL;
    if (bytes && !base64_read(encoded, bytes, &map.length))
        json_refuse(&in->at, STATUS_FORMAT,
                    "expected base64 for \"precompiled_charsmap\", found other text");
    map.bytes = bytes ? bytes : map.bytes;
    if (json_is_fine(&in->at))
        charsmap_new(map.bytes, map.length, in->at.source, &step.charsmap, in->at.error);
    free(bytes);
    return json_is_fine(&in->at) && add_step(in, step);
}

bool reader_normalizer(const struct tokenizer_reader *in)
{
    static const struct reader_type types[] = {
        {"Sequence", NULL, 0, 0},
        {"BertNormalizer", read_bert_normalizer, 0, 0},
        {"Lowercase", NULL, STEP_LOWER_CASE, 0},
        {"NFC", NULL, STEP_FORM, FORM_NFC},
        {"NFD", NULL, STEP_FORM, FORM_NFD},
        {"NFKC", NULL, STEP_FORM, FORM_NFKC},
        {"NFKD", NULL, STEP_FORM, FORM_NFKD},
        {"StripAccents", NULL, STEP_STRIP_ACCENTS, 0},
        {"Strip", read_strip, 0, 0},
        {"Replace", read_replace, 0, 0},
        {"Prepend", read_prepend, 0, 0},
        {"Precompiled", read_precompiled, 0, 0},
        {"Nmt", NULL, STEP_NMT, 0},
        {"ByteLevel", NULL, STEP_BYTES, 0},
    };
    const struct reader_type *type = reader_type_of(in, "normalizer", types, LENGTH(types));
    if (type == types)
        return reader_each(in, "normalizers", reader_normalizer);
    if (!type || type->read)
        return type && type->read(in);
    in->tokenizer->bytes |= type->kind == STEP_BYTES;
    return add_step(in, (struct normal_step){.kind = (enum step_kind)type->kind,
                                             .form = (enum normal_form)type->form});
}

/* ---- WordPiece ---------------------------------------------------------------------------- */

/* Of an object of pieces and ids, half of which may be left out: so a single huge one can't ask for
 * gigabytes. */
static bool add_pieces(const struct tokenizer_reader *in, const cJSON *object)
{
    const size_t limit = 2 * (size_t)cJSON_GetArraySize(object);
    size_t end = 0, id;
    struct text *pieces = memory_new(limit, sizeof *pieces, 0, in->at.source, in->at.error);
    for (const cJSON *item = object->child; item && json_is_fine(&in->at); item = item->next) {
        if (!json_is_size(item, &id)) {
            json_refuse(&in->at, STATUS_FORMAT,
                        "expected a whole number as the id of the piece \"%.100s\", found another "
                        "value",
                        item->string);
        } else if (id >= limit) {
            json_refuse(&in->at, STATUS_FORMAT,
                        "expected the ids of its %zu pieces to be 0 to %zu, found %zu for "
                        "\"%.100s\"",
                        limit / 2, limit - 1, id, item->string);
        } else if (pieces[id].bytes) {
            json_refuse(&in->at, STATUS_FORMAT,
                        "expected an id of its own for each piece, found %zu for \"%.100s\" and "
                        "\"%.100s\"",
                        id, pieces[id].bytes, item->string);
        } else {
            pieces[id] = text_of_string(item->string);
            end = size_max(end, id + 1);
        }
    }
    if (json_is_fine(&in->at))
        vocabulary_of(pieces, end, in->at.source, &in->tokenizer->vocabulary, in->at.error);
    free(pieces);
    return json_is_fine(&in->at);
}

/* The vocabulary of a WordPiece or BPE model, and the id of the piece that it names as unknown. */
static bool read_vocabulary(const struct tokenizer_reader *in, const char *unknown)
{
    const struct beside_tree *beside = in->beside;
    const cJSON *pieces = beside ? beside->pieces : json_member(in->at.object, "vocab");
    struct tokenizer *tokenizer = in->tokenizer;
    tokenizer->unknown = -1;
    if (!json_is_fine(&in->at))
        return false;
    if (beside && beside->lines.bytes) {
        if (vocabulary_new(beside->lines, in->at.source, &tokenizer->vocabulary, in->at.error) !=
            STATUS_OK)
            return false;
    } else if (!cJSON_IsObject(pieces)) {
        return json_refuse(&in->at, STATUS_FORMAT,
                           "expected an object of pieces and ids for \"vocab\", found %s",
                           pieces ? "another value" : "none");
    } else if (!add_pieces(in, pieces)) {
        return false;
    }
    if (unknown)
        tokenizer->unknown = vocabulary_find(tokenizer->vocabulary, unknown, strlen(unknown));
    return !unknown || tokenizer->unknown >= 0 ||
           json_refuse(&in->at, STATUS_FORMAT,
                       "expected the unknown token \"%.100s\" in \"vocab\", found none", unknown);
}

/* A limit of 100, WORD_LIMIT, is BERT's own; no known model has another. Older files' settings name
 * the unknown token. */
static bool read_wordpiece(const struct tokenizer_reader *in)
{
    in->tokenizer->model = PIECES_WORDPIECE;
    reader_expect(&in->at, "continuing_subword_prefix", "\"##\"");
    reader_expect(&in->at, "max_input_chars_per_word", "100");
    const char *unknown = json_string(&in->at, "unk_token", in->beside ? NULL : "[UNK]");
    return read_vocabulary(in, unknown);
}

/* Of whole words. */
static bool read_words(const struct tokenizer_reader *in)
{
    in->tokenizer->model = PIECES_WORDS;
    return read_vocabulary(in, json_string(&in->at, "unk_token", in->beside ? NULL : "<unk>"));
}

/* ---- BPE ---------------------------------------------------------------------------------- */

/* "a b" to its two pieces. A piece may not hold a space itself, which is "Ġ" or "▁". */
static bool split_merge(struct text line, struct text halves[2])
{
    const char *space = line.length > 0 ? memchr(line.bytes, ' ', line.length) : NULL;
    if (!space)
        return false;
    size_t left = (size_t)(space - line.bytes), right = line.length - left - 1;
    halves[0] = (struct text){line.bytes, left};
    halves[1] = (struct text){space + 1, right};
    return left > 0 && right > 0 && !memchr(space + 1, ' ', right);
}

/* Of a list in the tree, "a b" in older files, ["a", "b"] in newer ones; or of lines beside it, in
 * a file of their own: after an optional first line "#version…" a pair "a b" a line, of falling
 * importance; empty lines are passed over. */
static bool read_merges(const struct tokenizer_reader *in, const cJSON *list,
                        struct bpe_rules rules)
{
    static const char version[] = "#version";
    const struct file_text none = {.path = in->at.source},
                           *beside = in->beside ? in->beside->second : &none;
    const struct text lines = {beside->bytes, beside->length};
    const struct json_reader file = {.source = beside->path, .error = in->at.error};
    size_t most = in->beside ? 1 : (size_t)cJSON_GetArraySize(list), count = 0;
    for (size_t i = 0; i < lines.length; i++)
        most += lines.bytes[i] == '\n';
    struct text *merges = memory_new(most, 2 * sizeof *merges, 0, file.source, file.error);
    bool read = merges;
    for (size_t at = 0, number = 1; read && at < lines.length; number++) {
        const struct text line = text_take_line(lines, &at);
        if (line.length == 0 || (number == 1 && line.length >= sizeof version - 1 &&
                                 memcmp(line.bytes, version, sizeof version - 1) == 0))
            continue;
        read = split_merge(line, merges + 2 * count++) ||
               json_refuse(&file, STATUS_FORMAT,
                           "expected two pieces with a space between them in line %zu, found "
                           "\"%.*s\"",
                           number, (int)size_min(line.length, 100), line.bytes);
    }
    if (read && in->beside && lines.length == 0)
        read = json_refuse(&file, STATUS_FORMAT, "expected a merge a line, found an empty file");
    for (const cJSON *item = list ? list->child : NULL; item && read; item = item->next) {
        struct text *merge = merges + 2 * count++;
        const cJSON *left = item->child, *right = left ? left->next : NULL;
        if (cJSON_IsArray(item) && cJSON_IsString(left) && right && cJSON_IsString(right) &&
            !right->next) {
            merge[0] = text_of_string(left->valuestring);
            merge[1] = text_of_string(right->valuestring);
        } else if (!cJSON_IsString(item) ||
                   !split_merge(text_of_string(item->valuestring), merge)) {
            read = json_refuse(&in->at, STATUS_FORMAT,
                               "expected two pieces in each of the \"merges\", found something "
                               "else in number %zu",
                               count);
        }
    }
    read = read && bpe_new(in->tokenizer->vocabulary, merges, count, rules, file.source,
                           &in->tokenizer->bpe, file.error) == STATUS_OK;
    free(merges);
    return read;
}

static bool read_bpe(const struct tokenizer_reader *in)
{
    const cJSON *merges = json_member(in->at.object, "merges");
    in->tokenizer->model = PIECES_BPE;
    reader_expect(&in->at, "dropout", "null");
    reader_expect(&in->at, "continuing_subword_prefix", "\"\"");
    const struct bpe_rules rules = {.whole = json_bool(&in->at, "ignore_merges", false),
                                    .fallback = json_bool(&in->at, "byte_fallback", false),
                                    .fused = json_bool(&in->at, "fuse_unk", false),
                                    .suffix = json_string(&in->at, "end_of_word_suffix", "")};
    if (strlen(rules.suffix) >= BPE_SUFFIX_MAX)
        json_refuse(&in->at, STATUS_LIMIT,
                    "expected less than %d bytes for \"end_of_word_suffix\", found \"%.100s\"",
                    BPE_SUFFIX_MAX, rules.suffix);
    else
        strcpy(in->tokenizer->suffix, rules.suffix);
    if (!read_vocabulary(in, json_string(&in->at, "unk_token", NULL)))
        return false;
    return in->beside || cJSON_IsArray(merges)
               ? read_merges(in, merges, rules)
               : json_refuse(&in->at, STATUS_FORMAT, "expected a list for \"merges\", found %s",
                             merges ? "another value" : "none");
}

/* ---- Unigram ------------------------------------------------------------------------------ */

struct scored_pieces reader_scored(const struct json_reader *in, size_t count)
{
    struct text *pieces =
        memory_new(count, sizeof *pieces + sizeof(double) + 1, 0, in->source, in->error);
    double *scores = pieces ? (double *)(void *)(pieces + count) : NULL;
    return (struct scored_pieces){pieces, scores, pieces ? (unsigned char *)(scores + count) : NULL,
                                  count};
}

static bool read_unigram(const struct tokenizer_reader *in)
{
    const cJSON *list = json_member(in->at.object, "vocab");
    struct tokenizer *tokenizer = in->tokenizer;
    struct error *error = in->at.error;
    tokenizer->model = PIECES_UNIGRAM;
    reader_expect(&in->at, "byte_fallback", "false");
    const size_t unknown = json_size(&in->at, "unk_id", SIZE_MAX);
    if ((!in->beside && !cJSON_IsArray(list)) || unknown > INT32_MAX)
        json_refuse(&in->at, STATUS_FORMAT,
                    "expected a list for \"vocab\" and an id for \"unk_id\" in a Unigram model, "
                    "found other values, or none");
    if (!json_is_fine(&in->at))
        return false;
    tokenizer->unknown = (int32_t)unknown;
    struct scored_pieces made = {0};
    if (!in->beside)
        made = reader_scored(&in->at, (size_t)cJSON_GetArraySize(list));
    const struct scored_pieces *scored = in->beside ? &in->beside->model.scored : &made;
    const bool named = in->beside && in->beside->pieces;
    struct vocabulary **own = named ? &tokenizer->scored : &tokenizer->vocabulary;
    struct tokenizer_reader names = *in;
    if (named)
        names.at.source = in->beside->second->path;
    const cJSON *item = in->beside || !made.pieces ? NULL : list->child;
    for (size_t i = 0; item && json_is_fine(&in->at); item = item->next, i++) {
        const cJSON *piece = item->child, *score = piece ? piece->next : NULL;
        if (cJSON_IsArray(item) && piece && cJSON_IsString(piece) && score &&
            cJSON_IsNumber(score)) {
            made.pieces[i] = text_of_string(piece->valuestring);
            made.scores[i] = score->valuedouble;
        } else { /* [["piece", score], …] */
            json_refuse(&in->at, STATUS_FORMAT,
                        "expected a piece and its score in each item of \"vocab\", found "
                        "something else at [%zu]",
                        i);
        }
    }
    bool read =
        scored->pieces && json_is_fine(&in->at) &&
        vocabulary_of(scored->pieces, scored->count, in->at.source, own, error) == STATUS_OK &&
        unigram_new(*own, scored->scores, tokenizer->unknown, in->at.source, &tokenizer->unigram,
                    error) == STATUS_OK &&
        (!named || read_vocabulary(&names, NULL));
    free(made.pieces);
    return read;
}

/* ---- The model ---------------------------------------------------------------------------- */

/* Older files have no "type"; the members that each model needs tell them apart. */
bool reader_model(const struct tokenizer_reader *in)
{
    static const struct reader_type types[] = {{"WordPiece", read_wordpiece, 0, 0},
                                               {"BPE", read_bpe, 0, 0},
                                               {"Unigram", read_unigram, 0, 0},
                                               {"WordLevel", read_words, 0, 0}};
    const cJSON *model = in->at.object;
    if (cJSON_IsObject(model) && !json_member(model, "type")) {
        if (json_member(model, "merges"))
            return read_bpe(in);
        return cJSON_IsArray(json_member(model, "vocab")) ? read_unigram(in) : read_wordpiece(in);
    }
    const struct reader_type *type = reader_type_of(in, "model", types, LENGTH(types));
    return type && type->read(in);
}
