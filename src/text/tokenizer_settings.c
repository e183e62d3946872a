#include "headlight/text/tokenizer_settings.h"

#include "headlight/base/json.h"

#include <string.h>

static const struct {
    const char *name;
    const char *piece; /* BERT's own */
} defaults[SPECIAL_TOKEN_COUNT] = {
    [SPECIAL_TOKEN_UNKNOWN] = {"unk_token", "[UNK]"},
    [SPECIAL_TOKEN_CLASS] = {"cls_token", "[CLS]"},
    [SPECIAL_TOKEN_SEPARATOR] = {"sep_token", "[SEP]"},
    [SPECIAL_TOKEN_MASK] = {"mask_token", "[MASK]"},
    [SPECIAL_TOKEN_PADDING] = {"pad_token", "[PAD]"},
};

/* A token is written as a string, or as an object that holds it under "content". */
static enum status read_special(const cJSON *object, const char *source, const char *name,
                                const char **piece, struct error *error)
{
    const cJSON *item = json_member(object, name);
    if (cJSON_IsObject(item))
        item = cJSON_GetObjectItemCaseSensitive(item, "content");
    else if (!item)
        return STATUS_OK;
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a token for \"%s\" (a string, or an object with a string "
                         "\"content\"), found another value",
                         source, name);
    *piece = item->valuestring;
    return STATUS_OK;
}

/* headlight runs BERT's WordPiece; the settings of another tokenizer would be silently misread. */
static enum status check_kind(const cJSON *object, const char *source, struct error *error)
{
    const char *class = "BertTokenizer";
    bool basic = true;
    if (json_read_string(object, "tokenizer_class", source, &class, error) != STATUS_OK ||
        json_read_bool(object, "do_basic_tokenize", source, &basic, error) != STATUS_OK)
        return error->status;
    if (strcmp(class, "BertTokenizer") != 0 && strcmp(class, "BertTokenizerFast") != 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected \"tokenizer_class\" to be \"BertTokenizer\", found "
                         "\"%.100s\"; headlight knows no tokenizer but BERT's WordPiece",
                         source, class);
    if (!basic)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected \"do_basic_tokenize\" to be true, found false; headlight "
                         "always splits a text into words first, as BERT does",
                         source);
    return STATUS_OK;
}

static enum status read_rules(const cJSON *object, const char *source, struct rules *rules,
                              struct error *error)
{
    if (json_read_bool(object, "do_lower_case", source, &rules->lower_case, error) != STATUS_OK)
        return error->status;
    rules->strip_accents = rules->lower_case;
    if (json_read_bool(object, "strip_accents", source, &rules->strip_accents, error) != STATUS_OK)
        return error->status;
    return json_read_bool(object, "tokenize_chinese_chars", source, &rules->space_ideographs,
                          error);
}

enum status tokenizer_settings_read(struct text text, const char *name,
                                    struct tokenizer_settings *settings, struct error *error)
{
    *settings = (struct tokenizer_settings){.rules = {true, true, true}};
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++)
        settings->special[i] = defaults[i].piece;
    if (!text.bytes)
        return STATUS_OK;
    if (json_parse_object(text.bytes, text.length, name, &settings->object, error) != STATUS_OK ||
        check_kind(settings->object, name, error) != STATUS_OK ||
        read_rules(settings->object, name, &settings->rules, error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++)
        if (read_special(settings->object, name, defaults[i].name, &settings->special[i], error) !=
            STATUS_OK)
            return error->status;
    return STATUS_OK;
}

void tokenizer_settings_free(struct tokenizer_settings *settings)
{
    cJSON_Delete(settings->object);
    *settings = (struct tokenizer_settings){0};
}

const char *tokenizer_settings_special_name(enum special_token special)
{
    return defaults[special].name;
}
