/* tokenizer_json.c: a tokenizer.json, in which Hugging Face's tokenizers say all that they do.
 *
 * What is read, by its "type":
 *
 *     normalizer      Sequence, BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD, StripAccents,
 *                     Strip, Replace (of a string, or of the expression " {2,}"), Prepend,
 *                     Precompiled, Nmt, ByteLevel
 *     pre_tokenizer   Sequence, BertPreTokenizer, ByteLevel, Metaspace, Whitespace,
 *                     WhitespaceSplit, Digits, Punctuation, CharDelimiterSplit, Split (at a
 *                     character, or at what the alternatives match that splitter.c lists)
 *     model           WordPiece, BPE, Unigram, WordLevel; files older than the type are recognised
 *     post_processor  Sequence, TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel
 *
 * All else is refused by name, because a tokenizer that is nearly right is wrong without a sign of
 * it. "truncation" and "padding" don't matter, nor does a "decoder" that isn't known: text is then
 * made of pieces as is customary for the model. */
#include "headlight/base/size.h"
#include "headlight/text/tokenizer_reader.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>

/* ---- Pre-tokenizers ----------------------------------------------------------------------- */

/* A text has room for what each splitter rewrites, hence the limit. */
static bool add_splitter(const struct tokenizer_reader *in, struct splitter splitter)
{
    struct tokenizer *tokenizer = in->tokenizer;
    if (tokenizer->splitter_count == SPLITTERS_MAX)
        json_refuse(&in->at, STATUS_LIMIT, "expected at most %d pre-tokenizers, found more",
                    SPLITTERS_MAX);
    if (!json_is_fine(&in->at))
        return false;
    tokenizer->splitters[tokenizer->splitter_count++] = splitter;
    return true;
}

/* "add_prefix_space" is true unless the file says otherwise, as in the reference. */
static bool read_byte_splitter(const struct tokenizer_reader *in)
{
    const bool prefixed = json_bool(&in->at, "add_prefix_space", true);
    struct splitter splitter = {
        .space = ' ', .prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER, .bytes = true};
    splitter.rule = json_bool(&in->at, "use_regex", true) ? RULE_ISOLATED : RULE_WHOLE;
    splitter_look_for(&splitter, text_of_string(SPLITTER_GPT2));
    in->tokenizer->bytes = true;
    return add_splitter(in, splitter);
}

/* The one code point of a string. */
static int32_t read_code(const struct tokenizer_reader *in, const char *name, const char *string)
{
    const size_t length = string ? strlen(string) : 0;
    int32_t code = 0;
    if (string && (length == 0 || unicode_next(string, length, &code) != length))
        json_refuse(&in->at, STATUS_FORMAT, "expected one character for \"%s\", found \"%.100s\"",
                    name, string);
    return code;
}

static bool read_metaspace(const struct tokenizer_reader *in)
{
    static const char *const names[] = {
        [PREFIX_NEVER] = "never", [PREFIX_FIRST] = "first", [PREFIX_ALWAYS] = "always"};
    /* older files say whether to put something in front, newer ones when */
    const bool prefixed = json_bool(&in->at, "add_prefix_space", true);
    struct splitter splitter = {
        .prefix = (enum prefix)json_choose(
            &in->at, "prepend_scheme",
            json_string(&in->at, "prepend_scheme", names[prefixed ? PREFIX_ALWAYS : PREFIX_NEVER]),
            names, LENGTH(names))};
    splitter.rule = json_bool(&in->at, "split", true) ? RULE_NEXT : RULE_WHOLE;
    splitter.mark = read_code(in, "replacement", json_string(&in->at, "replacement", "▁"));
    splitter.space = splitter.mark;
    return add_splitter(in, splitter);
}

static bool read_delimiter(const struct tokenizer_reader *in)
{
    const char *delimiter = reader_need(&in->at, "delimiter");
    return add_splitter(
        in, (struct splitter){.rule = RULE_REMOVED, .mark = read_code(in, "delimiter", delimiter)});
}

static enum splitter_rule read_rule(const struct tokenizer_reader *in, const char *otherwise)
{
    static const char *const names[] = {"Isolated", "Removed", "MergedWithPrevious",
                                        "MergedWithNext"};
    static const enum splitter_rule rules[] = {RULE_ISOLATED, RULE_REMOVED, RULE_PREVIOUS,
                                               RULE_NEXT};
    const char *rule = json_string(&in->at, "behavior", otherwise);
    return rules[json_choose(&in->at, "behavior", rule, names, LENGTH(names))];
}

/* What is looked for is one character, or what an expression of known alternatives matches; if
 * inverted, what lies between such matches. */
static bool read_split(const struct tokenizer_reader *in)
{
    const cJSON *pattern = json_member(in->at.object, "pattern");
    const cJSON *regex = json_member(pattern, "Regex"), *string = json_member(pattern, "String");
    struct splitter splitter = {.rule = read_rule(in, "")};
    struct text unknown = {NULL, 0};
    if (cJSON_IsString(string))
        splitter.mark = read_code(in, "String", string->valuestring);
    else if (cJSON_IsString(regex))
        unknown = splitter_look_for(&splitter, text_of_string(regex->valuestring));
    else
        json_refuse(&in->at, STATUS_FORMAT,
                    "expected a \"pattern\" with a \"String\" or a \"Regex\" to split at, found "
                    "none");
    if (unknown.bytes)
        json_refuse(&in->at, STATUS_UNSUPPORTED,
                    "expected a \"Split\" at alternatives that headlight knows, found \"%.*s\"",
                    (int)size_min(unknown.length, 100), unknown.bytes);
    if (json_bool(&in->at, "invert", false) && splitter.rule != RULE_ISOLATED) {
        if (splitter.rule != RULE_REMOVED)
            reader_expect(&in->at, "invert", "false");
        splitter.rule = RULE_KEPT;
    }
    return add_splitter(in, splitter);
}

static bool read_splitter(const struct tokenizer_reader *in)
{
    /* By their kind; of digits the next is of one alone. */
    enum { BERT, UNSPACED, WORDS, DIGITS, DIGIT, MARKS };
    static const char *const expressions[] = {(SPLITTER_MARK "|" SPLITTER_PLAIN),
                                              "\\S+",
                                              "\\w+|[^\\w\\s]+",
                                              "\\p{N}+",
                                              "\\p{N}",
                                              SPLITTER_MARK};
    static const struct reader_type types[] = {
        {"Sequence", NULL, 0, 0},
        {"BertPreTokenizer", NULL, BERT, 0},
        {"ByteLevel", read_byte_splitter, 0, 0},
        {"Metaspace", read_metaspace, 0, 0},
        {"WhitespaceSplit", NULL, UNSPACED, 0},
        {"Whitespace", NULL, WORDS, 0},
        {"Digits", NULL, DIGITS, 0},
        {"Punctuation", NULL, MARKS, 0},
        {"CharDelimiterSplit", read_delimiter, 0, 0},
        {"Split", read_split, 0, 0},
    };
    const struct reader_type *type = reader_type_of(in, "pre_tokenizer", types, LENGTH(types));
    if (type == types)
        return reader_each(in, "pretokenizers", read_splitter);
    if (!type || type->read)
        return type && type->read(in);
    const bool digits = type->kind == DIGITS;
    struct splitter splitter = {.rule = digits                ? RULE_ISOLATED
                                        : type->kind == MARKS ? read_rule(in, "Isolated")
                                                              : RULE_KEPT};
    const bool each = digits && json_bool(&in->at, "individual_digits", false);
    splitter_look_for(&splitter, text_of_string(expressions[type->kind + each]));
    return add_splitter(in, splitter);
}

/* ---- Added tokens ------------------------------------------------------------------------- */

/* Special tokens are looked for in the raw text, the others in the normalised one, unless the file
 * says otherwise. */
static bool read_added_token(const struct tokenizer_reader *in)
{
    const char *content = reader_need(&in->at, "content");
    const size_t id = json_size(&in->at, "id", SIZE_MAX);
    const bool special = json_bool(&in->at, "special", false);
    if (!json_is_fine(&in->at))
        return false;
    if (id >= INT32_MAX || *content == '\0')
        return json_refuse(&in->at, STATUS_FORMAT,
                           "expected a \"content\" and an \"id\" of each added token, found "
                           "\"%.100s\" with another "
                           "id, or none",
                           content);
    return reader_added(in, content,
                        (struct added_token){.id = (int32_t)id, .normalized = !special});
}

/* ---- Templates ---------------------------------------------------------------------------- */

/* One item of a template, {"Sequence": {"id": "A", "type_id": 0}} or {"SpecialToken": {"id":
 * "[CLS]", "type_id": 0}}; the texts stand there in their order, and a special token can be
 * several.
 */
static bool read_template_item(const struct tokenizer_reader *in, const cJSON *tokens,
                               struct frame *frame, size_t *texts)
{
    const cJSON *text = json_member(in->at.object, "Sequence");
    const cJSON *named = text ? text : json_member(in->at.object, "SpecialToken");
    const struct json_reader inner = reader_of(in, named).at;
    const char *name = json_string(&inner, "id", NULL);
    const size_t type = json_size(&inner, "type_id", 0);
    bool next = name && name[0] == (*texts == 0 ? 'A' : 'B') && name[1] == '\0';
    if (!name || type > UINT8_MAX || (text && !next))
        return json_refuse(
            &in->at, STATUS_FORMAT,
            "expected \"Sequence\" A, then B, and \"SpecialToken\" with an \"id\" and "
            "a \"type_id\" in a template, found something else");
    const cJSON *ids = text ? NULL : json_member(json_member(tokens, name), "ids");
    if (!text && !cJSON_IsArray(ids))
        return json_refuse(&in->at, STATUS_FORMAT,
                           "expected the ids of \"%.100s\" in \"special_tokens\", found none",
                           name);
    const cJSON *each = text ? text : ids->child;
    for (size_t id = 0; each && json_is_fine(&in->at); each = text ? NULL : each->next) {
        if (!text && (!json_is_size(each, &id) || id >= INT32_MAX))
            return json_refuse(
                &in->at, STATUS_FORMAT,
                "expected the ids of \"%.100s\" in \"special_tokens\", found another value", name);
        if (frame->count == FRAME_MAX)
            return json_refuse(&in->at, STATUS_LIMIT,
                               "expected at most %d items in a template, found more", FRAME_MAX);
        frame->items[frame->count++] = (struct frame_item){
            .is_text = text, .id = text ? -1 : (int32_t)id, .type = (uint8_t)type};
    }
    *texts += text != NULL;
    return json_is_fine(&in->at);
}

/* A template must name its texts in order: struct frame has no way to say another. */
static bool read_templates(const struct tokenizer_reader *in)
{
    static const char *const names[] = {"single", "pair"};
    const cJSON *tokens = json_member(in->at.object, "special_tokens");
    for (size_t i = 0; i < LENGTH(names); i++) {
        const cJSON *list = json_member(in->at.object, names[i]);
        struct frame *frame = &in->tokenizer->frames[i];
        size_t found = 0;
        frame->count = 0;
        for (const cJSON *each = cJSON_IsArray(list) ? list->child : NULL; each;
             each = each->next) {
            const struct tokenizer_reader item = reader_of(in, each);
            if (!read_template_item(&item, tokens, frame, &found))
                return false;
        }
        if (found != i + 1)
            return json_refuse(
                &in->at, STATUS_FORMAT,
                "expected the template \"%s\" to be a list with %s, found %zu of them", names[i],
                i == 0 ? "one text, A" : "two texts, A and B", found);
    }
    return true;
}

/* Where spans end; as in the reference, spaces are left out by default. */
static bool read_trim(const struct tokenizer_reader *in)
{
    in->tokenizer->trims = json_bool(&in->at, "trim_offsets", true);
    in->tokenizer->trims_less = json_bool(&in->at, "add_prefix_space", true);
    return json_is_fine(&in->at);
}

static bool read_frames(const struct tokenizer_reader *in)
{
    static const struct reader_type types[] = {
        {"Sequence", NULL, 0, 0},
        {"TemplateProcessing", read_templates, 0, 0},
        {"BertProcessing", NULL, FRAME_SINGLE, true},
        {"RobertaProcessing", NULL, FRAME_DOUBLE, false},
        {"ByteLevel", read_trim, 0, 0},
    };
    static const char *const names[] = {"cls", "sep"};
    const struct reader_type *type = reader_type_of(in, "post_processor", types, LENGTH(types));
    struct frame_item tokens[2] = {{0}};
    if (type == types)
        return reader_each(in, "processors", read_frames);
    if (!type || type->read)
        return type && type->read(in);
    if (type->kind == FRAME_DOUBLE && !read_trim(in))
        return false;
    for (size_t i = 0; i < LENGTH(names); i++) { /* ["</s>", 2] for each of two tokens */
        const cJSON *pair = json_member(in->at.object, names[i]);
        const cJSON *number = pair && pair->child ? pair->child->next : NULL;
        size_t id = 0;
        if (!cJSON_IsArray(pair) || !number || !json_is_size(number, &id) || id >= INT32_MAX)
            return json_refuse(&in->at, STATUS_FORMAT,
                               "expected a token and its id for \"%s\", found something else",
                               names[i]);
        tokens[i].id = (int32_t)id;
    }
    pipeline_frame(in->tokenizer, (enum frame_style)type->kind, type->form, tokens[0], tokens[1]);
    return true;
}

/* ---- Decoders ----------------------------------------------------------------------------- */

/* No number depends on them, so that none is refused; an unknown one leaves what is customary. */
static void read_decoder(struct decoder *decoder, const cJSON *object)
{
    struct error ignored = {0};
    const struct json_reader in = json_reader(object, "", &ignored);
    const char *type = json_string(&in, "type", ""), *mark = "";
    const cJSON *list = json_member(object, "decoders"), *pattern = json_member(object, "pattern");
    for (const cJSON *each = cJSON_IsArray(list) ? list->child : NULL; each; each = each->next)
        read_decoder(decoder, each);
    decoder->fallback |= strcmp(type, "ByteFallback") == 0;
    if (strcmp(type, "ByteLevel") == 0) {
        decoder->kind = DECODER_BYTES;
    } else if (strcmp(type, "WordPiece") == 0) {
        decoder->kind = DECODER_WORDPIECE;
        decoder->loose = !json_bool(&in, "cleanup", true);
    } else if (strcmp(type, "Strip") == 0) {
        decoder->start = json_size(&in, "start", 0);
        decoder->stop = json_size(&in, "stop", 0);
    } else if (strcmp(type, "Metaspace") == 0) {
        mark = json_string(&in, "replacement", "▁");
    } else if (strcmp(type, "BPEDecoder") == 0) {
        mark = json_string(&in, "suffix", "</w>");
    } else if (strcmp(type, "Replace") == 0 && strcmp(json_string(&in, "content", ""), " ") == 0) {
        const struct json_reader what = json_reader(pattern, "", &ignored);
        mark = json_string(&what, "String", "");
    }
    if (*mark == '\0' || strlen(mark) >= DECODER_MARK_MAX)
        return;
    decoder->kind = DECODER_MARKS;
    strcpy(decoder->mark, mark);
    decoder->first = strcmp(type, "Metaspace") == 0 &&
                     strcmp(json_string(&in, "prepend_scheme", "always"), "never") != 0;
    decoder->last = strcmp(type, "BPEDecoder") == 0;
}

/* ---- The whole ---------------------------------------------------------------------------- */

/* A part of the file, which may be missing. */
static bool read_part(const struct tokenizer_reader *in, const char *name,
                      bool (*read)(const struct tokenizer_reader *))
{
    const struct tokenizer_reader part = reader_of(in, json_member(in->at.object, name));
    return !part.at.object || read(&part);
}

/* The model comes first: added tokens and frames are checked against its vocabulary. */
bool reader_json(const struct tokenizer_reader *in)
{
    const struct tokenizer_reader model = reader_of(in, json_member(in->at.object, "model"));
    const bool added = json_member(in->at.object, "added_tokens");
    const struct frame_item none = {.id = -1};
    pipeline_frame(in->tokenizer, FRAME_BARE, true, none, none);
    if (!reader_model(&model) || !read_part(in, "normalizer", reader_normalizer) ||
        !read_part(in, "pre_tokenizer", read_splitter) ||
        (added && !reader_each(in, "added_tokens", read_added_token)) ||
        !read_part(in, "post_processor", read_frames))
        return false;
    const enum piece_model pieces = in->tokenizer->model;
    const bool marks = pieces == PIECES_UNIGRAM || pieces == PIECES_BPE;
    in->tokenizer->decoder = (struct decoder){.kind = in->tokenizer->bytes ? DECODER_BYTES
                                                      : marks              ? DECODER_MARKS
                                                                           : DECODER_WORDPIECE,
                                              .mark = "▁",
                                              .first = !*in->tokenizer->suffix,
                                              .last = *in->tokenizer->suffix};
    if (*in->tokenizer->suffix)
        strcpy(in->tokenizer->decoder.mark, in->tokenizer->suffix);
    read_decoder(&in->tokenizer->decoder, json_member(in->at.object, "decoder"));
    return true;
}
