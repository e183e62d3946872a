/* What the heads of tiny checkpoints say, from recorded logits, is what Hugging Face's pipelines
 * say: vectors/heads. */
#include "family_helpers.h"
#include "headlight/lens/answers.h"
#include "headlight/model/family_entries.h"
#include "model_helpers.h"
#include "opening.h"
#include "recorded.h"
#include "suites.h"
#include "text_helpers.h"

#include <stdlib.h>
#include <string.h>

#define TOLERANCE 2e-5

static struct error error;

/* ---- A case ------------------------------------------------------------------------------- */

struct read_case {
    char where[128];
    const cJSON *said; /* of cases.json */
    struct tokenizer *tokenizer;
    struct encoding *encoding;
    struct text texts[2];
    struct labels labels;
    struct parts logits;
    struct encoded encoded;
};

static const float *logits_of(const struct read_case *one, const char *name)
{
    const struct part *part = parts_find(&one->logits, name);
    return (const float *)(const void *)part->data;
}

static void open_case(struct read_case *one, const char *folder, const cJSON *config,
                      const cJSON *said)
{
    char path[256];
    *one = (struct read_case){.said = said};
    snprintf(one->where, sizeof one->where, "%s/%s", folder, said->string);
    snprintf(path, sizeof path, "tests/vectors/heads/%s", folder);
    assert_ok(tokenizer_open(path, text_family(json_member(config, "model_type")->valuestring),
                             &one->tokenizer, &error),
              error);
    const struct json_reader in = json_reader(config, "config.json", &error);
    assert_ok(labels_read(&in, &one->labels), error);
    const cJSON *b = json_member(said, "b");
    one->texts[0] = text_of(json_member(said, "a")->valuestring);
    one->texts[1] = text_of(b ? b->valuestring : NULL);
    one->encoding = text_encode(one->tokenizer, one->texts, b ? 2 : 1, true);
    snprintf(path, sizeof path, "tests/vectors/heads/%s.safetensors", one->where);
    parts_read(&one->logits, path);
    one->encoded =
        (struct encoded){.encoding = one->encoding, .texts = {one->texts[0], one->texts[1]}};
}

static void close_case(struct read_case *one)
{
    parts_free(&one->logits);
    labels_free(&one->labels);
    free(one->encoding);
    tokenizer_free(one->tokenizer);
}

static const cJSON *expected_of(const struct read_case *one, const char *name)
{
    return json_member(json_member(one->said, "expected"), name);
}

/* ---- Members ------------------------------------------------------------------------------ */

static void expect_text(const struct read_case *one, const cJSON *item, const char *member,
                        const char *found, size_t length)
{
    const char *expected = json_member(item, member)->valuestring;
    if (strlen(expected) != length || memcmp(expected, found, length) != 0)
        ck_abort_msg("%s: expected %s \"%s\", found \"%.*s\"", one->where, member, expected,
                     (int)length, found);
}

static void expect_number(const struct read_case *one, const cJSON *item, const char *member,
                          double found, double tolerance)
{
    double expected = json_member(item, member)->valuedouble;
    if (!(fabs(expected - found) <= tolerance))
        ck_abort_msg("%s: expected %s %g, found %g", one->where, member, expected, found);
}

static void expect_passage(const struct read_case *one, const cJSON *item,
                           const struct passage *passage)
{
    expect_number(one, item, "start", (double)passage->start, 0);
    expect_number(one, item, "end", (double)passage->end, 0);
}

/* ---- What the tokenizer gives ------------------------------------------------------------- */

static void check_tokens(struct read_case *one)
{
    const cJSON *ids = json_member(one->said, "ids"), *offsets = json_member(one->said, "offsets");
    const cJSON *words = json_member(one->said, "words");
    ck_assert_int_eq(cJSON_GetArraySize(ids), (int)one->encoding->count);
    for (int i = 0; i < cJSON_GetArraySize(ids); i++) {
        const struct token *token = &one->encoding->tokens[i];
        const cJSON *offset = cJSON_GetArrayItem(offsets, i);
        ck_assert_int_eq(cJSON_GetArrayItem(ids, i)->valueint, token->id);
        struct passage passage = answer_passage(&one->encoded, token->sentence, token->span);
        if (!token->added)
            ck_assert_msg((double)passage.start == cJSON_GetArrayItem(offset, 0)->valuedouble &&
                              (double)passage.end == cJSON_GetArrayItem(offset, 1)->valuedouble,
                          "%s: token %d at %zu:%zu", one->where, i, passage.start, passage.end);
        if (!words || i == 0 || token->added || token[-1].added)
            continue;
        bool same =
            cJSON_GetArrayItem(words, i)->valueint == cJSON_GetArrayItem(words, i - 1)->valueint;
        ck_assert_msg(same == (token->word == token[-1].word), "%s: word of token %d", one->where,
                      i);
    }
}

/* ---- Classes ------------------------------------------------------------------------------ */

static struct answer *new_answer(void)
{
    return calloc(1, sizeof(struct answer));
}

static void expect_classes(struct read_case *one, const char *name)
{
    const cJSON *expected = expected_of(one, name), *item;
    struct answer *answer;
    size_t i = 0;
    assert_ok(answer_classes(&one->labels, logits_of(one, "logits"), answer = new_answer(), &error),
              error);
    ck_assert_int_eq(answer->kind, ANSWER_CLASSES);
    ck_assert_uint_eq(one->labels.count, (size_t)cJSON_GetArraySize(expected));
    cJSON_ArrayForEach(item, expected)
    {
        const char *label = one->labels.names[answer->scores[i].label];
        expect_text(one, item, "label", label, strlen(label));
        expect_number(one, item, "score", answer->scores[i++].score, TOLERANCE);
    }
    answer_free(answer);
}

static void check_classes(struct read_case *one)
{
    if (!expected_of(one, "default"))
        return;
    expect_classes(one, "default");
    for (int function = SCORE_SOFTMAX; function <= SCORE_NONE; function++) {
        one->labels.function = (enum score_function)function;
        expect_classes(one, score_names[one->labels.function]);
    }
}

/* ---- Spans -------------------------------------------------------------------------------- */

static void expect_span(struct read_case *one, const cJSON *item, const struct answer_span *span,
                        const struct passage *passage)
{
    expect_number(one, item, "score", span->score, TOLERANCE);
    expect_passage(one, item, passage);
    expect_text(one, item, "answer", passage->text.bytes, passage->text.length);
}

/* The pipeline's two best and "no answer" at its place among them; the first two of these. */
static void expect_impossible(struct read_case *one, const struct answer *answer)
{
    const cJSON *item = expected_of(one, "impossible")->child;
    bool none = false;
    for (size_t i = 0; item; item = item->next) {
        const struct answer_span *span = &answer->spans[i];
        none |= *json_member(item, "answer")->valuestring == '\0';
        if (*json_member(item, "answer")->valuestring == '\0')
            expect_number(one, item, "score", answer->none, TOLERANCE);
        else
            expect_span(one, item, span, &answer->spans[i++].passage);
    }
    ck_assert(none == (answer->span_count < 2 || answer->none > answer->spans[1].score));
    ck_assert(answer_is_none(answer) ==
              (*json_member(expected_of(one, "impossible")->child, "answer")->valuestring == '\0'));
}

/* Whole words are found by their text, if perhaps where they stand before. */
static void expect_found(const struct read_case *one, const struct passage *passage)
{
    const struct token_range tokens = answer_span_find(&one->encoded, 1, passage->text);
    ck_assert_uint_gt(tokens.end, tokens.first);
    const struct passage found = answer_span_passage(&one->encoded, tokens);
    ck_assert_uint_le(found.start, passage->start);
    ck_assert_uint_eq(found.shown.length, passage->shown.length);
    ck_assert_mem_eq(found.shown.bytes, passage->shown.bytes, passage->shown.length);
}

static void check_spans(struct read_case *one)
{
    const cJSON *top = expected_of(one, "top3");
    struct answer *answer;
    if (!top)
        return;
    const float *start = logits_of(one, "start_logits"), *end = logits_of(one, "end_logits");
    assert_ok(answer_span(&one->encoded, start, end, SPAN_TOKENS, answer = new_answer(), &error),
              error);
    ck_assert_int_eq(answer->kind, ANSWER_SPAN);
    expect_span(one, expected_of(one, "best")->child, &answer->spans[0], &answer->spans[0].passage);
    ck_assert_int_eq(cJSON_GetArraySize(top), (int)answer->span_count);
    for (int i = 0; i < cJSON_GetArraySize(top); i++) {
        const struct answer_span *span = &answer->spans[i];
        const struct token *tokens = one->encoding->tokens;
        expect_span(one, cJSON_GetArrayItem(top, i), span, &span->passage);
        struct passage tokens_own =
            answer_passage(&one->encoded, 1,
                           (struct span){tokens[span->tokens.first].span.start,
                                         tokens[span->tokens.end - 1].span.end});
        expect_span(one, cJSON_GetArrayItem(expected_of(one, "unaligned"), i), span, &tokens_own);
        expect_found(one, &span->passage);
    }
    expect_impossible(one, answer);
    answer_free(answer);
    assert_ok(answer_span(&one->encoded, start, end, 2, answer = new_answer(), &error), error);
    expect_span(one, expected_of(one, "max2")->child, &answer->spans[0], &answer->spans[0].passage);
    answer_free(answer);
}

/* Every case of a folder, whatever its head says. */
static void check_folder(const char *folder)
{
    char path[256];
    snprintf(path, sizeof path, "tests/vectors/heads/%s", folder);
    cJSON *config = recorded_object(path, "config.json"),
          *all = recorded_object(path, "cases.json");
    for (const cJSON *said = json_member(all, "cases")->child; said; said = said->next) {
        struct read_case one;
        open_case(&one, folder, config, said);
        check_tokens(&one);
        check_classes(&one);
        check_spans(&one);
        close_case(&one);
    }
    cJSON_Delete(all);
    cJSON_Delete(config);
}

/* Tags are held to theirs from the text on, in check_export_heads.c. */
TEST(answers_are_those_of_the_pipelines, .times = HEADS)
{
    check_folder(head_names[_i]);
}

/* ---- What has no vectors ------------------------------------------------------------------ */

static const char *names[] = {"O", "B-PER", "I-PER"};
static const struct labels tagger = {.count = 3, .names = names, .named = true, .tagged = true};
static const struct labels score = {.count = 1, .names = (const char *[]){"LABEL_0"}};

/* [CLS] and [SEP] are 0 and 1, the words from 2 on. */
static void read_words(struct read_case *one, const char *a, const char *b)
{
    struct text vocabulary = text_of("[CLS]\n[SEP]\n[UNK]\nan\nold\nman\nsat\n");
    *one = (struct read_case){.said = NULL};
    assert_ok(tokenizer_of_vocabulary(text_family("bert"), vocabulary, (struct text){NULL, 0},
                                      &one->tokenizer, &error),
              error);
    one->texts[0] = text_of(a);
    one->texts[1] = text_of(b);
    one->encoding = text_encode(one->tokenizer, one->texts, b ? 2 : 1, true);
    one->encoded =
        (struct encoded){.encoding = one->encoding, .texts = {one->texts[0], one->texts[1]}};
}

static void expect_said(struct answer *answer, const char *expected)
{
    char said[64];
    answer_say(answer, said, sizeof said);
    ck_assert_str_eq(said, expected);
    answer_free(answer);
}

TEST(an_answer_is_said_in_a_word)
{
    struct read_case one;
    struct answer *answer;
    struct labels labels = tagger;
    assert_ok(answer_classes(&labels, (float[]){0, 3, 0}, answer = new_answer(), &error), error);
    expect_said(answer, "B-PER 0.91");
    labels = score;
    labels.function = SCORE_NONE;
    assert_ok(answer_classes(&labels, (float[]){-2.5f}, answer = new_answer(), &error), error);
    expect_said(answer, "score -2.50");

    read_words(&one, "old man sat", NULL);
    assert_ok(answer_tags(one.tokenizer, &one.encoded, &tagger,
                          (float[15]){0, 9, 0, 0, 9, 0, 0, 0, 9, 0, 9}, answer = new_answer(),
                          &error),
              error);
    ck_assert_uint_eq(answer->group_count, 2);
    expect_said(answer, "2 PER");
    assert_ok(answer_tags(one.tokenizer, &one.encoded, &tagger, (float[15]){0},
                          answer = new_answer(), &error),
              error);
    expect_said(answer, "no tags");
    close_case(&one);
}

TEST(a_span_is_said_or_that_there_is_none)
{
    struct read_case one;
    struct answer *answer;
    const float start[] = {0, 0, 0, 0, 9, 0, 0, 0, 0}, end[] = {0, 0, 0, 0, 0, 9, 0, 0, 0};
    const float none[] = {9, 0, 0, 0, 0, 0, 0, 0, 0}, far[] = {0, 0, 0, 0, 0, 0, 0, 9, 0};
    read_words(&one, "an man", "old man sat an man");
    assert_ok(answer_span(&one.encoded, start, end, SPAN_TOKENS, answer = new_answer(), &error),
              error);
    expect_said(answer, "“old man” 1.00");
    assert_ok(answer_span(&one.encoded, start, far, SPAN_TOKENS, answer = new_answer(), &error),
              error);
    expect_said(answer, "“old man sat an” 1.00");
    assert_ok(answer_span(&one.encoded, none, none, SPAN_TOKENS, answer = new_answer(), &error),
              error);
    expect_said(answer, "no answer 1.00");
    close_case(&one);

    read_words(&one, "old man sat", NULL);
    assert_ok(answer_span(&one.encoded, start, end, SPAN_TOKENS, answer = new_answer(), &error),
              error);
    ck_assert_uint_eq(answer->span_count, 0);
    expect_said(answer, "no second text");
    close_case(&one);
}

/* Two texts: the first one's last group is not the second one's first. */
TEST(a_group_ends_where_its_text_does)
{
    struct read_case one;
    struct answer *answer;
    read_words(&one, "old", " man");
    assert_ok(answer_tags(one.tokenizer, &one.encoded, &tagger,
                          (float[15]){0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 9}, answer = new_answer(),
                          &error),
              error);
    ck_assert_uint_eq(answer->group_count, 2);
    ck_assert_uint_eq(answer->groups[1].passage.sentence, 1);
    ck_assert_uint_eq(answer->groups[1].passage.start, 1);
    answer_free(answer);
    close_case(&one);
}

TEST(what_is_shown_has_no_space_at_its_ends)
{
    const struct text text = text_of("a \u00fc\u3000 b");
    const struct encoded read = {.texts = {text}};
    struct passage passage = answer_passage(&read, 0, (struct span){1, 7});
    ck_assert_uint_eq(passage.start, 1);
    ck_assert_uint_eq(passage.end, 4);
    ck_assert_uint_eq(passage.shown.length, 2);
    ck_assert_mem_eq(passage.shown.bytes, "\u00fc", 2);
    passage = answer_passage(&read, 0, (struct span){4, 8});
    ck_assert_uint_eq(passage.shown.length, 0);
}
