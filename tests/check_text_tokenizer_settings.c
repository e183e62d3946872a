#include "headlight/text/tokenizer_settings.h"

#include "suites.h"

#include <string.h>

static enum status read(const char *json, struct tokenizer_settings *settings, struct error *error)
{
    struct text text = {json, json ? strlen(json) : 0};
    return tokenizer_settings_read(text, "s.json", settings, error);
}

static void expect_rules(const char *json, bool lower, bool strip, bool ideographs)
{
    struct tokenizer_settings settings;
    struct error error;
    ck_assert_int_eq(read(json, &settings, &error), STATUS_OK);
    ck_assert_int_eq(settings.rules.lower_case, lower);
    ck_assert_int_eq(settings.rules.strip_accents, strip);
    ck_assert_int_eq(settings.rules.space_ideographs, ideographs);
    tokenizer_settings_free(&settings);
}

static void expect_refused(const char *json, enum status status, const char *part)
{
    struct tokenizer_settings settings;
    struct error error;
    ck_assert_int_eq(read(json, &settings, &error), status);
    ck_assert_int_eq(error.status, status);
    ck_assert_msg(strstr(error.message, part) && strstr(error.message, "s.json"), "%s",
                  error.message);
    tokenizer_settings_free(&settings);
}

START_TEST(rules)
{
    expect_rules(NULL, true, true, true);
    expect_rules("{}", true, true, true);
    expect_rules("{\"do_lower_case\": false}", false, false, true);
    expect_rules("{\"do_lower_case\": null, \"strip_accents\": null}", true, true, true);
    expect_rules("{\"do_lower_case\": true, \"strip_accents\": false}", true, false, true);
    expect_rules("{\"do_lower_case\": false, \"strip_accents\": true}", false, true, true);
    expect_rules("{\"do_lower_case\": false, \"strip_accents\": null}", false, false, true);
    expect_rules("{\"tokenize_chinese_chars\": false, \"model_max_length\": 1e30}", true, true,
                 false);
}
END_TEST

START_TEST(special_tokens)
{
    struct tokenizer_settings settings;
    struct error error;
    ck_assert_int_eq(read(NULL, &settings, &error), STATUS_OK);
    ck_assert_str_eq(settings.special[SPECIAL_TOKEN_UNKNOWN], "[UNK]");
    ck_assert_str_eq(settings.special[SPECIAL_TOKEN_CLASS], "[CLS]");
    ck_assert_str_eq(settings.special[SPECIAL_TOKEN_SEPARATOR], "[SEP]");
    ck_assert_str_eq(settings.special[SPECIAL_TOKEN_MASK], "[MASK]");
    ck_assert_str_eq(settings.special[SPECIAL_TOKEN_PADDING], "[PAD]");
    tokenizer_settings_free(&settings);
    ck_assert_int_eq(read("{\"mask_token\": \"<m>\", \"cls_token\": null, \"unk_token\": "
                          "{\"content\": \"<u>\", \"lstrip\": false}}",
                          &settings, &error),
                     STATUS_OK);
    ck_assert_str_eq(settings.special[SPECIAL_TOKEN_UNKNOWN], "<u>");
    ck_assert_str_eq(settings.special[SPECIAL_TOKEN_CLASS], "[CLS]");
    ck_assert_str_eq(settings.special[SPECIAL_TOKEN_MASK], "<m>");
    tokenizer_settings_free(&settings);
}
END_TEST

START_TEST(classes)
{
    expect_rules("{\"tokenizer_class\": null}", true, true, true);
    expect_rules("{\"tokenizer_class\": \"BertTokenizer\"}", true, true, true);
    expect_rules("{\"tokenizer_class\": \"BertTokenizerFast\"}", true, true, true);
    expect_refused("{\"tokenizer_class\": \"RobertaTokenizer\"}", STATUS_UNSUPPORTED,
                   "RobertaTokenizer");
    expect_refused("{\"tokenizer_class\": \"bertTokenizer\"}", STATUS_UNSUPPORTED, "bertTokenizer");
    expect_refused("{\"do_basic_tokenize\": false}", STATUS_UNSUPPORTED, "do_basic_tokenize");
    expect_rules("{\"do_basic_tokenize\": true}", true, true, true);
}
END_TEST

START_TEST(wrong_types)
{
    expect_refused("{\"do_lower_case\": \"yes\"}", STATUS_FORMAT, "do_lower_case");
    expect_refused("{\"strip_accents\": 1}", STATUS_FORMAT, "strip_accents");
    expect_refused("{\"tokenize_chinese_chars\": []}", STATUS_FORMAT, "tokenize_chinese_chars");
    expect_refused("{\"tokenizer_class\": 3}", STATUS_FORMAT, "tokenizer_class");
    expect_refused("{\"do_basic_tokenize\": 0}", STATUS_FORMAT, "do_basic_tokenize");
    expect_refused("{\"mask_token\": 103}", STATUS_FORMAT, "mask_token");
    expect_refused("{\"sep_token\": {}}", STATUS_FORMAT, "sep_token");
    expect_refused("{\"cls_token\": {\"content\": null}}", STATUS_FORMAT, "cls_token");
    expect_refused("{\"pad_token\": \"\"}", STATUS_FORMAT, "pad_token");
    expect_refused("", STATUS_FORMAT, "JSON");
    expect_refused("[]", STATUS_FORMAT, "object");
    expect_refused("{\"do_lower_case\": true", STATUS_FORMAT, "JSON");
}
END_TEST

Suite *suite_text_tokenizer_settings(void)
{
    Suite *suite = suite_create("text/tokenizer settings");
    TCase *all = tcase_create("all");
    tcase_add_test(all, rules);
    tcase_add_test(all, special_tokens);
    tcase_add_test(all, classes);
    tcase_add_test(all, wrong_types);
    suite_add_tcase(suite, all);
    return suite;
}
