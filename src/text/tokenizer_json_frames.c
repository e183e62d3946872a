/* tokenizer_json_frames.c: the "post_processor" of a tokenizer.json. */
#include "headlight/base/json.h"
#include "headlight/text/tokenizer_json.h"

#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static enum status read_frames(const struct tokenizer_reader *reader, const cJSON *item);

/* ---- Templates ---- */

static enum status add_item(const struct tokenizer_reader *reader, struct frame *frame,
                            struct frame_item item)
{
    if (frame->count == FRAME_MAX)
        return error_set(reader->error, STATUS_LIMIT,
                         "%s: expected at most %d items in a template, found more", reader->source,
                         FRAME_MAX);
    frame->items[frame->count++] = item;
    return STATUS_OK;
}

/* One special token can be several. */
static enum status add_tokens(const struct tokenizer_reader *reader, struct frame *frame,
                              const cJSON *tokens, const char *name, uint8_t type)
{
    const cJSON *ids = json_member(json_member(tokens, name), "ids");
    if (!cJSON_IsArray(ids))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected the ids of \"%.100s\" in \"special_tokens\", found none",
                         reader->source, name);
    for (const cJSON *each = ids->child; each; each = each->next) {
        size_t id;
        if (!json_is_size(each, &id) || id >= INT32_MAX)
            return error_set(reader->error, STATUS_FORMAT,
                             "%s: expected ids of \"%.100s\" in \"special_tokens\", found another "
                             "value",
                             reader->source, name);
        if (add_item(reader, frame, (struct frame_item){.id = (int32_t)id, .type = type}) !=
            STATUS_OK)
            return reader->error->status;
    }
    return STATUS_OK;
}

/* {"Sequence": {"id": "A", "type_id": 0}} or {"SpecialToken": {"id": "[CLS]", "type_id": 0}}. The
 * texts stand there in their order. */
static enum status read_piece(const struct tokenizer_reader *reader, const cJSON *item,
                              const cJSON *tokens, struct frame *frame, size_t *texts)
{
    const cJSON *text = json_member(item, "Sequence"), *token = json_member(item, "SpecialToken");
    const char *id = NULL;
    size_t type = 0;
    if (json_read_string(text ? text : token, "id", reader->source, &id, reader->error) !=
            STATUS_OK ||
        json_read_size(text ? text : token, "type_id", reader->source, &type, reader->error) !=
            STATUS_OK)
        return reader->error->status;
    bool next = id && text && id[0] == (*texts == 0 ? 'A' : 'B') && id[1] == '\0';
    if (!id || type > UINT8_MAX || (text && !next))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected \"Sequence\" A, then B, and \"SpecialToken\" with an \"id\" "
                         "and a \"type_id\" in a template, found something else",
                         reader->source);
    if (token && !text)
        return add_tokens(reader, frame, tokens, id, (uint8_t)type);
    ++*texts;
    return add_item(reader, frame,
                    (struct frame_item){.is_text = true, .id = -1, .type = (uint8_t)type});
}

static enum status read_template(const struct tokenizer_reader *reader, const cJSON *item,
                                 const char *name, size_t texts)
{
    const cJSON *list = json_member(item, name), *tokens = json_member(item, "special_tokens");
    struct frame *frame = &reader->tokenizer->frames[texts - 1];
    enum status status = STATUS_OK;
    size_t found = 0;
    frame->count = 0;
    for (const cJSON *each = cJSON_IsArray(list) ? list->child : NULL; each && status == STATUS_OK;
         each = each->next)
        status = read_piece(reader, each, tokens, frame, &found);
    if (status == STATUS_OK && found != texts)
        status = error_set(reader->error, STATUS_FORMAT,
                           "%s: expected the template \"%s\" to be a list with %s, found %zu of "
                           "them",
                           reader->source, name, texts == 1 ? "one text, A" : "two texts, A and B",
                           found);
    return status;
}

static enum status read_templates(const struct tokenizer_reader *reader, const cJSON *item)
{
    if (read_template(reader, item, "single", 1) != STATUS_OK)
        return reader->error->status;
    return read_template(reader, item, "pair", 2);
}

/* ---- Fixed frames ---- */

/* ["</s>", 2] */
static enum status read_token(const struct tokenizer_reader *reader, const cJSON *item,
                              const char *name, int32_t *id)
{
    const cJSON *pair = json_member(item, name), *number = pair ? pair->child : NULL;
    size_t value = 0;
    number = number ? number->next : NULL;
    bool fits = cJSON_IsArray(pair) && number && json_is_size(number, &value) && value < INT32_MAX;
    *id = (int32_t)value;
    if (fits)
        return STATUS_OK;
    return error_set(reader->error, STATUS_FORMAT,
                     "%s: expected a token and its id for \"%s\", found something else",
                     reader->source, name);
}

static enum status read_style(const struct tokenizer_reader *reader, const cJSON *item,
                              enum frame_style style, bool typed)
{
    struct frame_tokens tokens = {0};
    if (read_token(reader, item, "cls", &tokens.class) != STATUS_OK ||
        read_token(reader, item, "sep", &tokens.separator) != STATUS_OK)
        return reader->error->status;
    for (size_t texts = 1; texts <= 2; texts++)
        reader->tokenizer->frames[texts - 1] = frame_of(style, texts, typed, &tokens);
    return STATUS_OK;
}

/* Both say where spans end; as in the reference, spaces are left out by default. */
static enum status read_trim(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct tokenizer *tokenizer = reader->tokenizer;
    tokenizer->trims = tokenizer->trims_less = true;
    if (json_read_bool(item, "trim_offsets", reader->source, &tokenizer->trims, reader->error) !=
        STATUS_OK)
        return reader->error->status;
    return json_read_bool(item, "add_prefix_space", reader->source, &tokenizer->trims_less,
                          reader->error);
}

static enum status read_bert(const struct tokenizer_reader *reader, const cJSON *item)
{
    return read_style(reader, item, FRAME_SINGLE, true);
}

static enum status read_roberta(const struct tokenizer_reader *reader, const cJSON *item)
{
    if (read_trim(reader, item) != STATUS_OK)
        return reader->error->status;
    return read_style(reader, item, FRAME_DOUBLE, false);
}

/* ---- The post-processor ---- */

static enum status read_sequence(const struct tokenizer_reader *reader, const cJSON *item)
{
    return tokenizer_json_each(reader, item, "processors", read_frames);
}

static enum status read_frames(const struct tokenizer_reader *reader, const cJSON *item)
{
    static const struct tokenizer_json_type types[] = {
        {"Sequence", read_sequence},   {"TemplateProcessing", read_templates},
        {"BertProcessing", read_bert}, {"RobertaProcessing", read_roberta},
        {"ByteLevel", read_trim},
    };
    return tokenizer_json_read(reader, item, "post_processor", types, COUNT(types));
}

enum status tokenizer_json_frames(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct frame_tokens none = {-1, -1, NULL, NULL};
    for (size_t texts = 1; texts <= 2; texts++)
        reader->tokenizer->frames[texts - 1] = frame_of(FRAME_BARE, texts, true, &none);
    if (item && read_frames(reader, item) != STATUS_OK)
        return reader->error->status;
    return STATUS_OK;
}
