#include "headlight/text/tokenizer_settings.h"

#include "headlight/base/json.h"

#include <string.h>

static const char *const names[SPECIAL_TOKEN_COUNT] = {
    [SPECIAL_TOKEN_UNKNOWN] = "unk_token",   [SPECIAL_TOKEN_CLASS] = "cls_token",
    [SPECIAL_TOKEN_SEPARATOR] = "sep_token", [SPECIAL_TOKEN_MASK] = "mask_token",
    [SPECIAL_TOKEN_PADDING] = "pad_token",
};

/* A token is written as a string, or as an object that holds it under "content". */
static enum status read_special(const cJSON *object, const char *source, const char *name,
                                const char **piece, bool *left, struct error *error)
{
    const cJSON *item = json_member(object, name), *whole = item;
    if (cJSON_IsObject(item))
        item = cJSON_GetObjectItemCaseSensitive(item, "content");
    else if (!item)
        return STATUS_OK;
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a token for \"%s\" (a string, or an object with a string "
                         "\"content\"), found another value",
                         source, name);
    *left |= cJSON_IsTrue(json_member(whole, "lstrip"));
    if (!*piece)
        *piece = item->valuestring;
    return STATUS_OK;
}

static enum status read_object(struct named_text file, struct tokenizer_settings *settings,
                               cJSON **object, struct error *error)
{
    if (!file.text.bytes)
        return STATUS_OK;
    if (json_parse_object(file.text.bytes, file.text.length, file.name, object, error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++)
        if (read_special(*object, file.name, names[i], &settings->special[i], &settings->left[i],
                         error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

enum status tokenizer_settings_read(struct named_text config, struct named_text map,
                                    struct tokenizer_settings *settings, struct error *error)
{
    *settings = (struct tokenizer_settings){.name = config.name};
    if (read_object(config, settings, &settings->objects[0], error) != STATUS_OK ||
        read_object(map, settings, &settings->objects[1], error) != STATUS_OK)
        return error->status;
    settings->config = settings->objects[0];
    return STATUS_OK;
}

/* "BertTokenizer", "BertTokenizerFast", and those that do the same under other names. */
static bool is_wordpiece(const char *class)
{
    static const char *const classes[] = {"BertTokenizer", "DistilBertTokenizer",
                                          "ElectraTokenizer", "MPNetTokenizer"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        size_t length = strlen(classes[i]);
        if (strncmp(class, classes[i], length) == 0 &&
            (class[length] == '\0' || strcmp(class + length, "Fast") == 0))
            return true;
    }
    return false;
}

/* The settings of another tokenizer would be silently misread. */
static enum status check_kind(const struct tokenizer_settings *settings, struct error *error)
{
    const char *class = "BertTokenizer", *source = settings->name;
    bool basic = true;
    if (json_read_string(settings->config, "tokenizer_class", source, &class, error) != STATUS_OK ||
        json_read_bool(settings->config, "do_basic_tokenize", source, &basic, error) != STATUS_OK)
        return error->status;
    if (!is_wordpiece(class))
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected \"tokenizer_class\" to be \"BertTokenizer\" or one like it, "
                         "found \"%.100s\"; a vocab.txt is read as BERT's WordPiece",
                         source, class);
    if (!basic)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected \"do_basic_tokenize\" to be true, found false; headlight "
                         "always splits a text into words first, as BERT does",
                         source);
    return STATUS_OK;
}

enum status tokenizer_settings_rules(const struct tokenizer_settings *settings, struct rules *rules,
                                     struct error *error)
{
    const cJSON *config = settings->config;
    const char *source = settings->name;
    if (check_kind(settings, error) != STATUS_OK ||
        json_read_bool(config, "do_lower_case", source, &rules->lower_case, error) != STATUS_OK)
        return error->status;
    rules->strip_accents = rules->lower_case;
    if (json_read_bool(config, "strip_accents", source, &rules->strip_accents, error) != STATUS_OK)
        return error->status;
    return json_read_bool(config, "tokenize_chinese_chars", source, &rules->space_ideographs,
                          error);
}

void tokenizer_settings_free(struct tokenizer_settings *settings)
{
    cJSON_Delete(settings->objects[0]);
    cJSON_Delete(settings->objects[1]);
    *settings = (struct tokenizer_settings){0};
}

const char *tokenizer_settings_special_name(enum special_token special)
{
    return names[special];
}
