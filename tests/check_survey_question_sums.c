/* What surveys ask of texts besides their weights: effects against NumPy's and against each text's
 * own, moved heads against lens/divergence.h, and that parts make the whole. */
#include "model_helpers.h"
#include "recorded.h"
#include "suites.h"
#include "survey_helpers.h"

#include "headlight/base/json.h"
#include "headlight/survey/question_sums.h"
#include "headlight/survey/survey_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADS  "tests/vectors/heads/"
#define FAMILY "tests/vectors/families/"
#define FIRST  12 /* texts of the corpus */

static struct error error;
static struct folder folder;
static struct checkpoint model, other;
static struct question_sums sums;

static void begin(void)
{
    folder_make(&folder);
    model = other = (struct checkpoint){.model = NULL};
}

static void end(void)
{
    question_sums_free(&sums);
    checkpoint_close(&model);
    checkpoint_close(&other);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

/* Effects on the answers of `model`, in double precision. */
static struct question_plan open_model(const char *path)
{
    assert_ok(checkpoint_open(&model, path, NULL, NULL, &error), error);
    return (struct question_plan){.checkpoint = &model, .each_head = true, .special = true};
}

static struct question_plan open_both(const char *path, const char *against)
{
    struct question_plan plan = open_model(path);
    assert_ok(checkpoint_open(&other, against, NULL, NULL, &error), error);
    plan.against = &other;
    return plan;
}

static struct encoding *encode(const struct corpus_text *text)
{
    struct encoding *encoding;
    assert_ok(
        tokenizer_encode(model.tokenizer, text->texts, text->text_count, true, &encoding, &error),
        error);
    return encoding;
}

/* What the first line of a file of this ending asks. */
static enum status measure_line(const struct question_plan *plan, const char *ending,
                                const char *line)
{
    struct corpus *corpus;
    const struct corpus_text *text;
    question_sums_free(&sums);
    folder_write(&folder, ending, line, strlen(line));
    char *path = in_folder(&folder, ending);
    assert_ok(corpus_open(path, &(struct corpus_choice){0}, &corpus, &error), error);
    assert_ok(corpus_next(corpus, &text, &error), error);
    ck_assert_ptr_nonnull(text);
    struct encoding *encoding = encode(text);
    const enum status status = question_sums_measure(plan, text, encoding, &sums, &error);
    free(encoding);
    corpus_close(corpus);
    free(path);
    return status;
}

static void assert_line(const struct question_plan *plan, const char *line)
{
    assert_ok(measure_line(plan, "a.jsonl", line), error);
}

/* ---- Against NumPy -------------------------------------------------------------------------- */

static const struct {
    const char *folder, *name, *line;
} recorded[] = {
    {TINY_FOLDER, "masked", "{\"a\":\"the [MASK] sat on the mat.\",\"answer\":\"cat\"}\n"},
    {HEADS "seq-bert", "pair",
     "{\"a\":\"the cat sat\",\"b\":\"she said it was happy\",\"label\":\"NEGATIVE\"}\n"},
};

static const cJSON *recorded_case(const cJSON *all, const char *path, const char *name)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, all)
    {
        const cJSON *at = json_member(one, "folder"), *of = json_member(one, "case");
        if (of && strcmp(at->valuestring, path) == 0 && strcmp(of->valuestring, name) == 0)
            return one;
    }
    ck_abort_msg("%s of %s is not recorded", name, path);
}

TEST(effects_are_numpys, .times = COUNT(recorded))
{
    const struct question_plan plan = open_model(recorded[_i].folder);
    cJSON *all = recorded_list("tests/vectors", "effects.json");
    const cJSON *layer, *head;
    assert_line(&plan, recorded[_i].line);
    ck_assert_ptr_nonnull(sums.effects);
    const double *change = sums.effects->change;
    cJSON_ArrayForEach(
        layer, json_member(recorded_case(all, recorded[_i].folder, recorded[_i].name), "heads"))
        cJSON_ArrayForEach(head, layer) ck_assert_double_eq_tol(*change++, head->valuedouble, 2e-5);
    ck_assert_ptr_eq(change, sums.effects->change + sums.effects->layers * sums.effects->heads);
    cJSON_Delete(all);
}

/* The means and cosines of check_lens_divergence.c, of the first head and of all layers. */
TEST(moved_is_numpys)
{
    static const double cosines[] = {-0.009374, 0.407961, 0.086217};
    struct question_plan plan = open_both(FAMILY "distilbert", FAMILY "minilm");
    plan.each_head = false;
    assert_ok(measure_line(&plan, "a.txt", "time flies like an arrow\n"), error);
    ck_assert_ptr_null(sums.effects);
    ck_assert_double_eq_tol(sums.divergence->bits[0], 0.586261, 1e-6);
    for (size_t layer = 0; layer < 3; layer++)
        ck_assert_double_eq_tol(divergence_cosine(sums.divergence, layer,
                                                  (struct token_range){0, sums.divergence->tokens}),
                                cosines[layer], 1e-6);
}

/* ---- What is asked -------------------------------------------------------------------------- */

TEST(a_word_is_chosen_by_the_id_and_masked)
{
    const struct question_plan plan = open_model(TINY_FOLDER);
    static const char *const words[] = {"the", "cat", "sat", "on"};
    unsigned chosen = 0;
    for (int i = 0; i < 40; i++) {
        char line[100];
        snprintf(line, sizeof line, "{\"id\":\"%d\",\"a\":\"the cat sat on zurich.\"}\n", i);
        assert_line(&plan, line);
        const struct target *on = &sums.effects->on;
        ck_assert(on->output == OUTPUT_MLM && on->token >= 1 && on->token <= 4);
        ck_assert_str_eq(tokenizer_piece(model.tokenizer, on->id), words[on->token - 1]);
        chosen |= 1U << on->token;
    }
    ck_assert_uint_eq(chosen, 0x1e); /* all of them, and neither zu ##rich nor the full stop */
    assert_line(&plan, "{\"a\":\"zurich!\"}\n");
    ck_assert_ptr_null(sums.effects);
    assert_line(&plan, "{\"a\":\"the [MASK] sat\"}\n"); /* the likeliest */
    ck_assert_uint_eq(sums.effects->on.token, 2);
    ck_assert_int_eq(sums.effects->on.id, sums.effects->likeliest.id);
    ck_assert_int_eq(
        measure_line(&plan, "a.jsonl", "{\"a\":\"the [MASK] sat\",\"answer\":\"zurich\"}\n"),
        STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.message, "expected one word piece, found \"zurich\""));
}

/* Nothing is masked, although Gemma's vocabulary has a mask. */
TEST(a_decoder_is_asked_for_a_word_by_the_one_before, .times = 2)
{
    static const char *const folders[] = {FAMILY "gpt2", FAMILY "gemma3"};
    const struct question_plan plan = open_model(folders[_i]);
    for (int i = 0; i < 20; i++) {
        char line[100];
        snprintf(line, sizeof line, "{\"id\":\"%d\",\"a\":\"the cat sat on it\"}\n", i);
        assert_line(&plan, line);
        ck_assert_ptr_nonnull(sums.effects);
        const struct target *on = &sums.effects->on;
        const struct text text = {"the cat sat on it", 17};
        struct encoding *encoding;
        assert_ok(tokenizer_encode(model.tokenizer, &text, 1, true, &encoding, &error), error);
        ck_assert(on->output == OUTPUT_LM && on->token + 1 < encoding->count);
        ck_assert_int_eq(on->id, encoding->tokens[on->token + 1].id);
        ck_assert(sums.effects->logprob < 0);
        free(encoding);
    }
}

TEST(a_label_is_asked_for_or_the_likeliest)
{
    struct question_plan plan = open_model(HEADS "seq-bert");
    assert_line(&plan, "{\"a\":\"time flies like an arrow\",\"label\":\"POSITIVE\"}\n");
    ck_assert_int_eq(sums.effects->on.id, 1);
    assert_line(&plan, "{\"a\":\"time flies like an arrow\"}\n");
    ck_assert_int_eq(sums.effects->on.id, 0);
    assert_fails(measure_line(&plan, "a.jsonl", "{\"a\":\"time flies\",\"label\":\"neither\"}\n"),
                 STATUS_USAGE, "found \"neither\"", error);
    checkpoint_close(&model);
    plan = open_model(HEADS "st-bert-mean");
    assert_fails(question_plan_check(&plan, &error), STATUS_UNSUPPORTED, "answers something",
                 error);
}

/* Of the word that the id chooses; a tag of a name that the model doesn't have is refused. */
TEST(a_tag_is_asked_for)
{
    struct question_plan plan = open_model(HEADS "ner-bert");
    assert_line(&plan, "{\"words\":[\"she\",\"said\",\"zurich\",\"was\"],"
                       "\"tags\":[\"B-PER\",\"I-PER\",\"B-LOC\",\"O\"]}\n");
    const struct target on = sums.effects->on;
    ck_assert(on.token == 1 || on.token == 2 || on.token == 5);
    ck_assert_int_eq(on.id, on.token == 1 ? 1 : on.token == 2 ? 2 : 0);
    assert_fails(measure_line(&plan, "a.jsonl", "{\"words\":[\"she\"],\"tags\":[\"X\"]}\n"),
                 STATUS_USAGE, "found \"X\"", error);
    plan.against = &model;
    assert_line(&plan, "{\"a\":\"she said zurich was\"}\n");
    ck_assert_uint_eq(sums.answers, 5); /* of every piece */
    ck_assert_uint_eq(sums.flipped, 0);
}

/* ---- Sums ----------------------------------------------------------------------------------- */

/* Of the first texts, text by text. `each`, unless NULL, is called with what each was asked. */
static struct survey *survey_with_plan(const struct question_plan *plan, uint64_t part,
                                       uint64_t parts, void (*each)(const struct corpus_text *text))
{
    const struct corpus_choice choice = {.part = part, .parts = parts};
    const struct corpus_text *text;
    struct corpus *corpus;
    assert_ok(corpus_open(SURVEY_CORPUS, &choice, &corpus, &error), error);
    struct survey *survey = survey_begin(&model, corpus_name(corpus), part, parts);
    if (plan->each_head)
        assert_ok(survey_want(survey, METRIC_EFFECT, &error), error);
    if (plan->against)
        assert_ok(survey_want(survey, METRIC_MOVED, &error), error);
    for (;;) {
        assert_ok(corpus_next(corpus, &text, &error), error);
        if (!text || text->number >= FIRST)
            break;
        struct encoding *encoding = encode(text);
        if (encoding->count <= model.model->config.positions) {
            question_sums_free(&sums);
            assert_ok(question_sums_measure(plan, text, encoding, &sums, &error), error);
            question_sums_add(survey, &sums);
            if (each)
                each(text);
        }
        free(encoding);
        survey_add_text(survey, &model, text);
    }
    corpus_close(corpus);
    return survey;
}

/* By hand, for all texts: of one head, as no other could stand for it. */
static struct {
    int64_t effect, moved, texts, tokens, flipped;
} by_hand;

/* The likeliest piece at a masked place. */
static int32_t likeliest(const struct checkpoint *checkpoint, const struct corpus_text *text,
                         const struct target *on, struct effects **effects)
{
    const struct masked masked = {1, {on->token}};
    struct encoded *encoded;
    double logprob;
    struct target target = {.output = on->output, .token = on->token, .id = TARGET_LIKELIEST};
    assert_ok(encoded_new(checkpoint, text->texts, text->text_count,
                          (struct reading){.special = true, .masked = &masked}, &encoded, &error),
              error);
    assert_ok(forward_run(checkpoint->model, NULL, NULL, encoded->trace, &error), error);
    struct target_source source = target_source_of(checkpoint, encoded, NULL);
    if (effects)
        assert_ok(effects_measure(&source, on, NULL, effects, &error), error);
    assert_ok(target_ask(&source, &target, &logprob, &error), error);
    encoded_free(encoded);
    return target.id;
}

static void add_by_hand(const struct corpus_text *text)
{
    struct effects *effects;
    struct divergence *moved;
    struct encoded *pass[2];
    if (sums.effects) {
        by_hand.flipped += likeliest(&model, text, &sums.effects->on, &effects) !=
                           likeliest(&other, text, &sums.effects->on, NULL);
        by_hand.effect += llrint(effects->change[1 * 4 + 2] * SURVEY_UNIT);
        by_hand.texts++;
        free(effects);
    }
    for (size_t i = 0; i < 2; i++) {
        const struct checkpoint *checkpoint = i == 0 ? &model : &other;
        assert_ok(encoded_new(checkpoint, text->texts, text->text_count,
                              (struct reading){.special = true}, &pass[i], &error),
                  error);
        assert_ok(forward_run(checkpoint->model, NULL, NULL, pass[i]->trace, &error), error);
    }
    assert_ok(divergence_measure(pass[0]->trace, pass[1]->trace, NULL, &moved, &error), error);
    by_hand.moved += llrint(moved->bits[1 * 4 + 2] * (double)moved->tokens * SURVEY_UNIT);
    by_hand.tokens += (int64_t)moved->tokens;
    free(moved);
    encoded_free(pass[0]);
    encoded_free(pass[1]);
}

static void negate(const struct parts *parts, const char *name)
{
    const struct part *part = parts_find(parts, name);
    for (size_t i = 3; i < part->size; i += 4) /* the byte with the sign */
        part->data[i] ^= 0x80;
}

/* The tiny model with the opposite of some weights: it attends elsewhere, and says other words. */
static void make_other(void)
{
    struct parts parts;
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    folder_copy(&folder, TINY_FOLDER, "config.json");
    negate(&parts, "bert.encoder.layer.1.attention.self.query.weight");
    negate(&parts, "cls.predictions.transform.dense.weight");
    parts_write(&parts, 0, parts.count, 0, &folder, "model.safetensors");
    parts_free(&parts);
    folder_copy(&folder, TINY_FOLDER, "vocab.txt");
}

TEST(sums_are_those_of_the_texts)
{
    make_other();
    const struct question_plan plan = open_both(TINY_FOLDER, folder.path);
    assert_ok(question_plan_check(&plan, &error), error);
    memset(&by_hand, 0, sizeof by_hand);
    struct survey *survey = survey_with_plan(&plan, 0, 1, add_by_hand);
    const struct survey_row *effect = survey_figure(survey, METRIC_EFFECT),
                            *moved = survey_figure(survey, METRIC_MOVED);
    const int64_t *counts = survey_at(survey, ROW_COMPARED, 0)->numbers;
    ck_assert_int_gt(by_hand.texts, 0);
    ck_assert_int_eq(effect->numbers[0], by_hand.texts);
    ck_assert_int_eq(*survey_of_head(effect, 1 * 4 + 2), by_hand.effect);
    ck_assert_int_eq(moved->numbers[0], by_hand.tokens);
    ck_assert_int_eq(counts[SURVEY_VECTORS], by_hand.tokens);
    ck_assert_int_eq(*survey_of_head(moved, 1 * 4 + 2), by_hand.moved);
    ck_assert_int_eq(counts[SURVEY_ANSWERS], by_hand.texts);
    ck_assert_int_eq(counts[SURVEY_FLIPPED], by_hand.flipped);
    ck_assert_int_gt(by_hand.flipped, 0);
    char *json = survey_as_json(survey);
    ck_assert_ptr_nonnull(strstr(json, "\"name\":\"effect\",\"value\":"));
    ck_assert_ptr_nonnull(strstr(json, "{\"kind\":\"cosine\",\"name\":\"0\",\"value\":"));
    free(json);
    survey_free(survey);
}

/* Read back from their files, too. */
TEST(parts_are_the_whole, .times = 4)
{
    struct survey *read, *parts[2];
    make_other();
    struct question_plan plan = open_both(TINY_FOLDER, folder.path);
    plan.each_head = _i & 1;
    plan.against = _i & 2 ? &other : NULL;
    struct survey *whole = survey_with_plan(&plan, 0, 1, NULL);
    struct mapping a = survey_file(whole, &folder, "whole");
    for (uint64_t i = 0; i < 2; i++)
        parts[i] = survey_with_plan(&plan, 1 - i, 2, NULL);
    assert_ok(survey_merge(parts[0], parts[1], &error), error);
    struct mapping b = survey_file(parts[0], &folder, "parts");
    char *path = in_folder(&folder, "parts");
    assert_ok(survey_read(path, &read, &error), error);
    free(path);
    struct mapping c = survey_file(read, &folder, "read");
    ck_assert(a.size == b.size && a.size == c.size);
    ck_assert_mem_eq(a.bytes, b.bytes, a.size);
    ck_assert_mem_eq(a.bytes, c.bytes, a.size);
    ck_assert_int_eq(survey_figure(read, METRIC_EFFECT) != NULL, plan.each_head);
    ck_assert_int_eq(survey_figure(read, METRIC_MOVED) != NULL, plan.against != NULL);
    mapping_close(&a);
    mapping_close(&b);
    mapping_close(&c);
    survey_free(read);
    survey_free(parts[0]);
    survey_free(parts[1]);
    survey_free(whole);
}

TEST(what_was_not_asked_is_not_there)
{
    open_model(TINY_FOLDER);
    const struct question_plan nothing = {.checkpoint = &model, .special = true};
    struct survey *plain = survey_with_plan(&nothing, 0, 2, NULL);
    char *json = survey_as_json(plain);
    ck_assert_ptr_null(strstr(json, "effect"));
    ck_assert_ptr_null(strstr(json, "moved"));
    free(json);
    survey_free(plain);
}

TEST(models_that_cannot_be_compared_are_refused)
{
    struct question_plan plan = open_both(TINY_FOLDER, HEADS "seq-bert");
    assert_fails(question_plan_check(&plan, &error), STATUS_MISMATCH, "found 2 of 4", error);
    checkpoint_close(&model);
    checkpoint_close(&other);
    plan = open_both(TINY_FOLDER, FAMILY "roberta");
    assert_fails(measure_line(&plan, "a.txt", "time flies\n"), STATUS_MISMATCH,
                 "roberta cuts the text up into other tokens", error);
}
