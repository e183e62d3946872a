/* tokenizer_json_normalizers.c: what a tokenizer.json does to a text before it is split. */
#include "headlight/text/tokenizer_json.h"

#include "headlight/base/json.h"

#include <stdlib.h>
#include <string.h>

static enum status need_codes(const struct tokenizer_reader *reader, const cJSON *item,
                              const char *name, struct codes *codes)
{
    const char *text;
    if (tokenizer_json_need(reader, item, name, &text) != STATUS_OK)
        return reader->error->status;
    return codes_of(text, codes, reader->error);
}

static enum status add_step(const struct tokenizer_reader *reader, struct normal_step step)
{
    return normaliser_add(&reader->tokenizer->normaliser, step, reader->error);
}

static enum status read_normalizers(const struct tokenizer_reader *reader, const cJSON *item)
{
    return tokenizer_json_each(reader, item, "normalizers", tokenizer_json_normalizer);
}

static enum status read_bert(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct rules rules = {true, true, true};
    const char *source = reader->source;
    struct error *error = reader->error;
    if (tokenizer_json_expect(reader, item, "clean_text", true) != STATUS_OK ||
        json_read_bool(item, "lowercase", source, &rules.lower_case, error) != STATUS_OK)
        return error->status;
    rules.strip_accents = rules.lower_case;
    if (json_read_bool(item, "strip_accents", source, &rules.strip_accents, error) != STATUS_OK ||
        json_read_bool(item, "handle_chinese_chars", source, &rules.space_ideographs, error) !=
            STATUS_OK)
        return error->status;
    return add_step(reader, (struct normal_step){.kind = STEP_BERT, .rules = rules});
}

static enum status read_lower_case(const struct tokenizer_reader *reader, const cJSON *item)
{
    (void)item;
    return add_step(reader, (struct normal_step){.kind = STEP_LOWER_CASE});
}

static enum status read_form(const struct tokenizer_reader *reader, const cJSON *item)
{
    static const char *const names[] = {
        [FORM_NFC] = "NFC", [FORM_NFD] = "NFD", [FORM_NFKC] = "NFKC", [FORM_NFKD] = "NFKD"};
    struct normal_step step = {.kind = STEP_FORM};
    while (strcmp(names[step.form], json_member(item, "type")->valuestring) != 0)
        step.form++;
    return add_step(reader, step);
}

static enum status read_strip_accents(const struct tokenizer_reader *reader, const cJSON *item)
{
    (void)item;
    return add_step(reader, (struct normal_step){.kind = STEP_STRIP_ACCENTS});
}

static enum status read_strip(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct normal_step step = {.kind = STEP_STRIP, .left = true, .right = true};
    if (json_read_bool(item, "strip_left", reader->source, &step.left, reader->error) !=
            STATUS_OK ||
        json_read_bool(item, "strip_right", reader->source, &step.right, reader->error) !=
            STATUS_OK)
        return reader->error->status;
    return add_step(reader, step);
}

/* What is to be replaced: a string, or the one expression that is in use. */
static enum status read_pattern(const struct tokenizer_reader *reader, const cJSON *item,
                                struct normal_step *step)
{
    const cJSON *pattern = json_member(item, "pattern");
    const cJSON *regex = json_member(pattern, "Regex"), *string = json_member(pattern, "String");
    if (cJSON_IsString(string) && string->valuestring[0] != '\0')
        return codes_of(string->valuestring, &step->what, reader->error);
    if (!cJSON_IsString(regex))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected a \"pattern\" with a \"String\" or a \"Regex\" to replace, "
                         "found none",
                         reader->source);
    step->kind = STEP_SPACES;
    if (strcmp(regex->valuestring, " {2,}") == 0)
        return STATUS_OK;
    return error_set(reader->error, STATUS_UNSUPPORTED,
                     "%s: expected no expression to be replaced but \" {2,}\", found \"%.100s\"",
                     reader->source, regex->valuestring);
}

static enum status read_replace(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct normal_step step = {.kind = STEP_REPLACE};
    enum status status = read_pattern(reader, item, &step);
    if (status == STATUS_OK)
        status = need_codes(reader, item, "content", &step.with);
    if (status == STATUS_OK)
        return add_step(reader, step);
    free(step.what.items);
    return status;
}

static enum status read_prepend(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct normal_step step = {.kind = STEP_PREPEND};
    if (need_codes(reader, item, "prepend", &step.with) != STATUS_OK)
        return reader->error->status;
    return add_step(reader, step);
}

static int digit_of(char character)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = character != '\0' ? strchr(digits, character) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Base64 (RFC 4648, 4), in place of the text; false for other characters. */
static bool decode_base64(char *text, size_t *length)
{
    unsigned bits = 0;
    size_t count = 0, at = 0;
    for (; digit_of(text[at]) >= 0; at++) {
        bits = bits << 6 | (unsigned)digit_of(text[at]);
        if (at % 4 > 0)
            text[count++] = (char)(bits >> (6 - 2 * (at % 4)) & 0xFF);
    }
    size_t padding = strspn(text + at, "=");
    *length = count;
    return at % 4 != 1 && padding < 3 && text[at + padding] == '\0';
}

static enum status read_precompiled(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct normal_step step = {.kind = STEP_CHARSMAP};
    const char *encoded;
    size_t length;
    if (tokenizer_json_need(reader, item, "precompiled_charsmap", &encoded) != STATUS_OK)
        return reader->error->status;
    char *map = strdup(encoded);
    if (!map)
        return error_memory(reader->error, reader->source, strlen(encoded));
    enum status status;
    if (!decode_base64(map, &length))
        status = error_set(reader->error, STATUS_FORMAT,
                           "%s: expected base64 for \"precompiled_charsmap\", found other text",
                           reader->source);
    else
        status = charsmap_new(map, length, reader->source, &step.charsmap, reader->error);
    free(map);
    return status == STATUS_OK ? add_step(reader, step) : status;
}

enum status tokenizer_json_normalizer(const struct tokenizer_reader *reader, const cJSON *item)
{
    static const struct tokenizer_json_type types[] = {
        {"Sequence", read_normalizers},
        {"BertNormalizer", read_bert},
        {"Lowercase", read_lower_case},
        {"NFC", read_form},
        {"NFD", read_form},
        {"NFKC", read_form},
        {"NFKD", read_form},
        {"StripAccents", read_strip_accents},
        {"Strip", read_strip},
        {"Replace", read_replace},
        {"Prepend", read_prepend},
        {"Precompiled", read_precompiled},
    };
    return tokenizer_json_read(reader, item, "normalizer", types, sizeof types / sizeof *types);
}
