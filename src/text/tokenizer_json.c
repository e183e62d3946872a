/* tokenizer_json.c: a tokenizer.json, in which Hugging Face's tokenizers say all that they do.
 *
 * What is read, by its "type":
 *
 *     normalizer      Sequence, BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD, StripAccents,
 *                     Strip, Replace (of a string, or of the expression " {2,}"), Prepend,
 *                     Precompiled
 *     pre_tokenizer   Sequence, BertPreTokenizer, ByteLevel, Metaspace, Whitespace,
 *                     WhitespaceSplit
 *     model           WordPiece, BPE (of bytes), Unigram; files older than the type are
 *                     recognised
 *     post_processor  Sequence, TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel
 *
 * All else is refused by name, because a tokenizer that is nearly right is wrong without a sign of
 * it. "truncation", "padding" and "decoder" don't matter. */
#include "headlight/base/json.h"
#include "headlight/text/tokenizer_reader.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

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

static bool read_splitter(const struct tokenizer_reader *in);

static bool read_splitters(const struct tokenizer_reader *in)
{
    return reader_each(in, "pretokenizers", read_splitter);
}

/* Older files say whether to put something in front, newer ones when. */
static enum prefix read_prefix(const struct tokenizer_reader *in)
{
    static const char *const names[] = {
        [PREFIX_NEVER] = "never", [PREFIX_FIRST] = "first", [PREFIX_ALWAYS] = "always"};
    const bool prefixed = json_bool(&in->at, "add_prefix_space", true);
    const char *scheme =
        json_string(&in->at, "prepend_scheme", names[prefixed ? PREFIX_ALWAYS : PREFIX_NEVER]);
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], scheme) == 0)
            return (enum prefix)i;
    json_refuse(&in->at, STATUS_UNSUPPORTED,
                "expected \"prepend_scheme\" to be \"always\", \"first\" or \"never\", found "
                "\"%.100s\"",
                scheme);
    return PREFIX_NEVER;
}

/* "add_prefix_space" is true unless the file says otherwise, as in the reference. */
static bool read_byte_splitter(const struct tokenizer_reader *in)
{
    const bool prefixed = json_bool(&in->at, "add_prefix_space", true);
    const bool splits = json_bool(&in->at, "use_regex", true);
    return add_splitter(in, (struct splitter){.kind = SPLITTER_BYTES,
                                              .prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER,
                                              .whole = !splits});
}

static bool read_metaspace(const struct tokenizer_reader *in)
{
    struct splitter splitter = {.kind = SPLITTER_METASPACE, .prefix = read_prefix(in)};
    splitter.whole = !json_bool(&in->at, "split", true);
    const char *mark = json_string(&in->at, "replacement", "▁");
    const size_t length = strlen(mark);
    if (length == 0 || unicode_next(mark, length, &splitter.mark) != length)
        json_refuse(&in->at, STATUS_FORMAT,
                    "expected one character for \"replacement\", found \"%.100s\"", mark);
    return add_splitter(in, splitter);
}

static bool read_splitter(const struct tokenizer_reader *in)
{
    static const struct reader_type types[] = {
        {"Sequence", read_splitters, 0, 0},
        {"BertPreTokenizer", NULL, SPLITTER_BERT, 0},
        {"ByteLevel", read_byte_splitter, 0, 0},
        {"Metaspace", read_metaspace, 0, 0},
        {"WhitespaceSplit", NULL, SPLITTER_WHITE_SPACE, 0},
        {"Whitespace", NULL, SPLITTER_WORDS, 0},
    };
    const struct reader_type *type = reader_type_of(in, "pre_tokenizer", types, COUNT(types));
    if (!type || type->read)
        return type && type->read(in);
    return add_splitter(in, (struct splitter){.kind = (enum splitter_kind)type->kind});
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
    for (size_t i = 0; i < COUNT(names); i++) {
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

/* ---- Fixed frames ------------------------------------------------------------------------- */

/* ["</s>", 2] for each of two tokens. */
static bool read_fixed_frames(const struct tokenizer_reader *in, enum frame_style style, bool typed)
{
    static const char *const names[] = {"cls", "sep"};
    struct frame_item tokens[2] = {{0}};
    for (size_t i = 0; i < COUNT(names); i++) {
        const cJSON *pair = json_member(in->at.object, names[i]);
        const cJSON *number = pair && pair->child ? pair->child->next : NULL;
        size_t id = 0;
        if (!cJSON_IsArray(pair) || !number || !json_is_size(number, &id) || id >= INT32_MAX)
            return json_refuse(&in->at, STATUS_FORMAT,
                               "expected a token and its id for \"%s\", found something else",
                               names[i]);
        tokens[i].id = (int32_t)id;
    }
    pipeline_frame(in->tokenizer, style, typed, tokens[0], tokens[1]);
    return true;
}

static bool read_bert_frames(const struct tokenizer_reader *in)
{
    return read_fixed_frames(in, FRAME_SINGLE, true);
}

/* Where spans end; as in the reference, spaces are left out by default. */
static bool read_trim(const struct tokenizer_reader *in)
{
    in->tokenizer->trims = json_bool(&in->at, "trim_offsets", true);
    in->tokenizer->trims_less = json_bool(&in->at, "add_prefix_space", true);
    return json_is_fine(&in->at);
}

static bool read_roberta_frames(const struct tokenizer_reader *in)
{
    return read_trim(in) && read_fixed_frames(in, FRAME_DOUBLE, false);
}

static bool read_frames(const struct tokenizer_reader *in);

static bool read_frames_in_turn(const struct tokenizer_reader *in)
{
    return reader_each(in, "processors", read_frames);
}

static bool read_frames(const struct tokenizer_reader *in)
{
    static const struct reader_type types[] = {
        {"Sequence", read_frames_in_turn, 0, 0},
        {"TemplateProcessing", read_templates, 0, 0},
        {"BertProcessing", read_bert_frames, 0, 0},
        {"RobertaProcessing", read_roberta_frames, 0, 0},
        {"ByteLevel", read_trim, 0, 0},
    };
    const struct reader_type *type = reader_type_of(in, "post_processor", types, COUNT(types));
    return type && type->read(in);
}

/* ---- The whole ---------------------------------------------------------------------------- */

/* Byte-level BPE wants bytes, and no other model does. */
static bool check_bytes(const struct tokenizer_reader *in)
{
    const struct tokenizer *tokenizer = in->tokenizer;
    bool bytes = false;
    for (size_t i = 0; i < tokenizer->splitter_count; i++)
        bytes |= tokenizer->splitters[i].kind == SPLITTER_BYTES;
    if (bytes == (tokenizer->model == PIECES_BPE))
        return true;
    return json_refuse(&in->at, STATUS_UNSUPPORTED,
                       "expected the model \"BPE\" together with the pre-tokenizer \"ByteLevel\", "
                       "found one without the other");
}

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
    return reader_model(&model) && read_part(in, "normalizer", reader_normalizer) &&
           read_part(in, "pre_tokenizer", read_splitter) && check_bytes(in) &&
           (!added || reader_each(in, "added_tokens", read_added_token)) &&
           read_part(in, "post_processor", read_frames);
}
