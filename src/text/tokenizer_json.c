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
        return reader_fail(in, STATUS_LIMIT, "expected at most %d pre-tokenizers, found more",
                           SPLITTERS_MAX);
    tokenizer->splitters[tokenizer->splitter_count++] = splitter;
    return true;
}

static bool read_splitter(const struct tokenizer_reader *in, const cJSON *item);

static bool read_splitters(const struct tokenizer_reader *in, const cJSON *item)
{
    return reader_each(in, item, "pretokenizers", read_splitter);
}

/* Older files say whether to put something in front, newer ones when. */
static bool read_prefix(const struct tokenizer_reader *in, const cJSON *item, enum prefix *prefix)
{
    static const char *const names[] = {
        [PREFIX_NEVER] = "never", [PREFIX_FIRST] = "first", [PREFIX_ALWAYS] = "always"};
    bool prefixed = true;
    const char *scheme = NULL;
    if (!reader_bool(in, item, "add_prefix_space", &prefixed) ||
        !reader_string(in, item, "prepend_scheme", &scheme))
        return false;
    *prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER;
    if (!scheme)
        return true;
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], scheme) == 0) {
            *prefix = (enum prefix)i;
            return true;
        }
    return reader_fail(
        in, STATUS_UNSUPPORTED,
        "expected \"prepend_scheme\" to be \"always\", \"first\" or \"never\", found "
        "\"%.100s\"",
        scheme);
}

/* "add_prefix_space" is true unless the file says otherwise, as in the reference. */
static bool read_byte_splitter(const struct tokenizer_reader *in, const cJSON *item)
{
    bool prefixed = true, splits = true;
    return reader_bool(in, item, "add_prefix_space", &prefixed) &&
           reader_bool(in, item, "use_regex", &splits) &&
           add_splitter(in, (struct splitter){.kind = SPLITTER_BYTES,
                                              .prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER,
                                              .whole = !splits});
}

static bool read_metaspace(const struct tokenizer_reader *in, const cJSON *item)
{
    struct splitter splitter = {.kind = SPLITTER_METASPACE};
    const char *mark = "▁";
    bool splits = true;
    if (!read_prefix(in, item, &splitter.prefix) || !reader_bool(in, item, "split", &splits) ||
        !reader_string(in, item, "replacement", &mark))
        return false;
    size_t length = strlen(mark);
    splitter.whole = !splits;
    if (length > 0 && unicode_next(mark, length, &splitter.mark) == length)
        return add_splitter(in, splitter);
    return reader_fail(in, STATUS_FORMAT,
                       "expected one character for \"replacement\", found \"%.100s\"", mark);
}

static bool read_splitter(const struct tokenizer_reader *in, const cJSON *item)
{
    static const struct reader_type types[] = {
        {"Sequence", read_splitters, 0, 0},
        {"BertPreTokenizer", NULL, SPLITTER_BERT, 0},
        {"ByteLevel", read_byte_splitter, 0, 0},
        {"Metaspace", read_metaspace, 0, 0},
        {"WhitespaceSplit", NULL, SPLITTER_WHITE_SPACE, 0},
        {"Whitespace", NULL, SPLITTER_WORDS, 0},
    };
    const struct reader_type *type = reader_type_of(in, item, "pre_tokenizer", types, COUNT(types));
    if (!type || type->read)
        return type && type->read(in, item);
    return add_splitter(in, (struct splitter){.kind = (enum splitter_kind)type->kind});
}

/* ---- Added tokens ------------------------------------------------------------------------- */

/* Special tokens are looked for in the raw text, the others in the normalised one, unless the file
 * says otherwise. */
static bool read_added_token(const struct tokenizer_reader *in, const cJSON *item)
{
    struct added_token token = {.content = NULL};
    const char *content;
    size_t id = SIZE_MAX;
    bool special = false;
    if (!reader_need(in, item, "content", &content) || !reader_size(in, item, "id", &id) ||
        !reader_bool(in, item, "special", &special))
        return false;
    if (id >= INT32_MAX || *content == '\0')
        return reader_fail(
            in, STATUS_FORMAT,
            "expected a \"content\" and an \"id\" of each added token, found \"%.100s\" "
            "with another id, or none",
            content);
    token.id = (int32_t)id;
    token.normalized = !special;
    return reader_added(in, item, content, token);
}

/* ---- Templates ---------------------------------------------------------------------------- */

/* One item of a template, {"Sequence": {"id": "A", "type_id": 0}} or {"SpecialToken": {"id":
 * "[CLS]", "type_id": 0}}; the texts stand there in their order, and a special token can be
 * several.
 */
static bool read_template_item(const struct tokenizer_reader *in, const cJSON *item,
                               const cJSON *tokens, struct frame *frame, size_t *texts)
{
    const cJSON *text = json_member(item, "Sequence");
    const cJSON *named = text ? text : json_member(item, "SpecialToken");
    const char *name = NULL;
    size_t type = 0, id = 0;
    if (!reader_string(in, named, "id", &name) || !reader_size(in, named, "type_id", &type))
        return false;
    bool next = name && name[0] == (*texts == 0 ? 'A' : 'B') && name[1] == '\0';
    if (!name || type > UINT8_MAX || (text && !next))
        return reader_fail(
            in, STATUS_FORMAT,
            "expected \"Sequence\" A, then B, and \"SpecialToken\" with an \"id\" and a "
            "\"type_id\" in a template, found something else");
    const cJSON *ids = text ? NULL : json_member(json_member(tokens, name), "ids");
    if (!text && !cJSON_IsArray(ids))
        return reader_fail(in, STATUS_FORMAT,
                           "expected the ids of \"%.100s\" in \"special_tokens\", found none",
                           name);
    const cJSON *each = text ? text : ids->child;
    for (; each; each = text ? NULL : each->next) {
        if (!text && (!json_is_size(each, &id) || id >= INT32_MAX))
            return reader_fail(
                in, STATUS_FORMAT,
                "expected the ids of \"%.100s\" in \"special_tokens\", found another value", name);
        if (frame->count == FRAME_MAX)
            return reader_fail(in, STATUS_LIMIT,
                               "expected at most %d items in a template, found more", FRAME_MAX);
        frame->items[frame->count++] = (struct frame_item){
            .is_text = text, .id = text ? -1 : (int32_t)id, .type = (uint8_t)type};
    }
    *texts += text != NULL;
    return true;
}

/* A template must name its texts in order: struct frame has no way to say another. */
static bool read_templates(const struct tokenizer_reader *in, const cJSON *item)
{
    static const char *const names[] = {"single", "pair"};
    const cJSON *tokens = json_member(item, "special_tokens");
    for (size_t i = 0; i < COUNT(names); i++) {
        const cJSON *list = json_member(item, names[i]);
        struct frame *frame = &in->tokenizer->frames[i];
        size_t found = 0;
        frame->count = 0;
        for (const cJSON *each = cJSON_IsArray(list) ? list->child : NULL; each; each = each->next)
            if (!read_template_item(in, each, tokens, frame, &found))
                return false;
        if (found != i + 1)
            return reader_fail(in, STATUS_FORMAT,
                               "expected the template \"%s\" to be a list with %s, found %zu of "
                               "them",
                               names[i], i == 0 ? "one text, A" : "two texts, A and B", found);
    }
    return true;
}

/* ---- Fixed frames ------------------------------------------------------------------------- */

/* ["</s>", 2] for each of two tokens. */
static bool read_fixed_frames(const struct tokenizer_reader *in, const cJSON *item,
                              enum frame_style style, bool typed)
{
    static const char *const names[] = {"cls", "sep"};
    struct frame_item tokens[2] = {{0}};
    for (size_t i = 0; i < COUNT(names); i++) {
        const cJSON *pair = json_member(item, names[i]);
        const cJSON *number = pair && pair->child ? pair->child->next : NULL;
        size_t id = 0;
        if (!cJSON_IsArray(pair) || !number || !json_is_size(number, &id) || id >= INT32_MAX)
            return reader_fail(in, STATUS_FORMAT,
                               "expected a token and its id for \"%s\", found something else",
                               names[i]);
        tokens[i].id = (int32_t)id;
    }
    pipeline_frame(in->tokenizer, style, typed, tokens[0], tokens[1]);
    return true;
}

static bool read_bert_frames(const struct tokenizer_reader *in, const cJSON *item)
{
    return read_fixed_frames(in, item, FRAME_SINGLE, true);
}

/* Where spans end; as in the reference, spaces are left out by default. */
static bool read_trim(const struct tokenizer_reader *in, const cJSON *item)
{
    struct tokenizer *tokenizer = in->tokenizer;
    tokenizer->trims = tokenizer->trims_less = true;
    return reader_bool(in, item, "trim_offsets", &tokenizer->trims) &&
           reader_bool(in, item, "add_prefix_space", &tokenizer->trims_less);
}

static bool read_roberta_frames(const struct tokenizer_reader *in, const cJSON *item)
{
    return read_trim(in, item) && read_fixed_frames(in, item, FRAME_DOUBLE, false);
}

static bool read_frames(const struct tokenizer_reader *in, const cJSON *item);

static bool read_frames_in_turn(const struct tokenizer_reader *in, const cJSON *item)
{
    return reader_each(in, item, "processors", read_frames);
}

static bool read_frames(const struct tokenizer_reader *in, const cJSON *item)
{
    static const struct reader_type types[] = {
        {"Sequence", read_frames_in_turn, 0, 0},
        {"TemplateProcessing", read_templates, 0, 0},
        {"BertProcessing", read_bert_frames, 0, 0},
        {"RobertaProcessing", read_roberta_frames, 0, 0},
        {"ByteLevel", read_trim, 0, 0},
    };
    const struct reader_type *type =
        reader_type_of(in, item, "post_processor", types, COUNT(types));
    return type && type->read(in, item);
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
    return reader_fail(in, STATUS_UNSUPPORTED,
                       "expected the model \"BPE\" together with the pre-tokenizer \"ByteLevel\", "
                       "found one without the other");
}

/* The model comes first: added tokens and frames are checked against its vocabulary. */
bool reader_json(const struct tokenizer_reader *in, const cJSON *file)
{
    const cJSON *normalizer = json_member(file, "normalizer");
    const cJSON *splitter = json_member(file, "pre_tokenizer");
    const cJSON *added = json_member(file, "added_tokens");
    const cJSON *frames = json_member(file, "post_processor");
    const struct frame_item none = {.id = -1};
    pipeline_frame(in->tokenizer, FRAME_BARE, true, none, none);
    return reader_model(in, json_member(file, "model")) &&
           (!normalizer || reader_normalizer(in, normalizer)) &&
           (!splitter || read_splitter(in, splitter)) && check_bytes(in) &&
           (!added || reader_each(in, file, "added_tokens", read_added_token)) &&
           (!frames || read_frames(in, frames));
}
