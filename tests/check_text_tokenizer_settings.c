#include "headlight/text/tokenizer_reader.h"

#include "opening.h"
#include "suites.h"
#include "text_helpers.h"

#include <string.h>

static enum status make(const char *json, struct tokenizer **tokenizer, struct error *error)
{
    return tokenizer_of_vocabulary(text_family("bert"), text_of("[UNK]\n"), text_of(json),
                                   tokenizer, error);
}

static bool has_step(const struct tokenizer *tokenizer, enum step_kind kind)
{
    bool has = false;
    for (size_t i = 0; i < tokenizer->normaliser.count; i++)
        has |= tokenizer->normaliser.items[i].kind == kind;
    return has;
}

static void expect_rules(const char *json, bool lower, bool strip, bool ideographs)
{
    struct tokenizer *tokenizer;
    struct error error;
    ck_assert_int_eq(make(json, &tokenizer, &error), STATUS_OK);
    ck_assert(has_step(tokenizer, STEP_CLEAN));
    ck_assert_int_eq(has_step(tokenizer, STEP_LOWER_CASE), lower);
    ck_assert_int_eq(has_step(tokenizer, STEP_FORM), strip);
    ck_assert_int_eq(has_step(tokenizer, STEP_ACCENTS), strip);
    ck_assert_int_eq(has_step(tokenizer, STEP_IDEOGRAPHS), ideographs);
    tokenizer_free(tokenizer);
}

static void expect_refused(const char *json, enum status status, const char *part)
{
    struct tokenizer *tokenizer;
    struct error error;
    ck_assert_int_eq(make(json, &tokenizer, &error), status);
    ck_assert_int_eq(error.status, status);
    ck_assert_ptr_null(tokenizer);
    ck_assert_msg(strstr(error.message, part) && strstr(error.message, "x/tokenizer_config.json"),
                  "%s", error.message);
}

TEST(rules_of_wordpiece)
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

TEST(classes)
{
    expect_rules("{\"tokenizer_class\": null}", true, true, true);
    expect_rules("{\"tokenizer_class\": \"BertTokenizer\"}", true, true, true);
    expect_rules("{\"tokenizer_class\": \"BertTokenizerFast\"}", true, true, true);
    expect_rules("{\"tokenizer_class\": \"MPNetTokenizerFast\"}", true, true, true);
    expect_refused("{\"tokenizer_class\": \"BertTokenizerFaster\"}", STATUS_UNSUPPORTED,
                   "BertTokenizerFaster");
    expect_refused("{\"tokenizer_class\": \"RobertaTokenizer\"}", STATUS_UNSUPPORTED,
                   "RobertaTokenizer");
    expect_refused("{\"tokenizer_class\": \"bertTokenizer\"}", STATUS_UNSUPPORTED, "bertTokenizer");
    expect_refused("{\"do_basic_tokenize\": false}", STATUS_UNSUPPORTED, "do_basic_tokenize");
    expect_rules("{\"do_basic_tokenize\": true}", true, true, true);
}

TEST(wrong_types)
{
    expect_refused("{\"do_lower_case\": \"yes\"}", STATUS_FORMAT, "do_lower_case");
    expect_refused("{\"strip_accents\": 1}", STATUS_FORMAT, "strip_accents");
    expect_refused("{\"tokenize_chinese_chars\": []}", STATUS_FORMAT, "tokenize_chinese_chars");
    expect_refused("{\"tokenizer_class\": 3}", STATUS_FORMAT, "tokenizer_class");
    expect_refused("{\"do_basic_tokenize\": 0}", STATUS_UNSUPPORTED, "do_basic_tokenize");
    expect_refused("{\"mask_token\": 103}", STATUS_FORMAT, "mask_token");
    expect_refused("{\"sep_token\": {}}", STATUS_FORMAT, "sep_token");
    expect_refused("{\"cls_token\": {\"content\": null}}", STATUS_FORMAT, "cls_token");
    expect_refused("{\"pad_token\": \"\"}", STATUS_FORMAT, "pad_token");
    expect_refused("", STATUS_FORMAT, "JSON");
    expect_refused("[]", STATUS_FORMAT, "object");
    expect_refused("{\"do_lower_case\": true", STATUS_FORMAT, "JSON");
}
