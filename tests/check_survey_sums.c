/* Surveys against PyTorch's in double precision (tests/vectors/survey), and the parts of
 * one against the whole. */
#include "model_helpers.h"
#include "numbers.h"
#include "suites.h"
#include "survey_helpers.h"

#include "headlight/base/json.h"
#include "headlight/survey/gather.h"
#include "headlight/survey/survey_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct folder folder;
static struct checkpoint tiny;

static void begin(void)
{
    survey_set_up(&folder, &tiny);
}

static void end(void)
{
    survey_tear_down(&folder, &tiny);
}

TESTS(.begin = begin, .end = end);

static void assert_same_bytes(const struct survey *found, const struct survey *expected)
{
    struct mapping a = survey_file(found, &folder, "one.survey"),
                   b = survey_file(expected, &folder, "two.survey");
    ck_assert_uint_eq(a.size, b.size);
    ck_assert_mem_eq(a.bytes, b.bytes, a.size);
    mapping_close(&a);
    mapping_close(&b);
}

/* ---- Against PyTorch ----------------------------------------------------------------------- */

/* Numbers one by one, within a tolerance; the largest difference is told by the path to it. */
static void compare(const char *path, const cJSON *found, const cJSON *expected, double most)
{
    char inner[300];
    if (cJSON_IsNumber(expected)) {
        if (!found || fabs(found->valuedouble - expected->valuedouble) > most)
            ck_abort_msg("%s: expected %.0f, found %.0f", path, expected->valuedouble,
                         found ? found->valuedouble : NAN);
        return;
    }
    ck_assert_msg(found && cJSON_GetArraySize(found) >= cJSON_GetArraySize(expected), "%s", path);
    const cJSON *item, *other = found->child;
    cJSON_ArrayForEach(item, expected)
    {
        if (cJSON_IsObject(expected))
            other = cJSON_GetObjectItemCaseSensitive(found, item->string);
        snprintf(inner, sizeof inner, "%.250s/%s", path, item->string ? item->string : "");
        compare(inner, other, item, most);
        other = cJSON_IsArray(expected) ? other->next : NULL;
    }
}

static cJSON *read_json(const char *path)
{
    struct mapping mapping;
    cJSON *object;
    assert_ok(mapping_open(&mapping, path, &error), error);
    assert_ok(json_parse((const char *)mapping.bytes, mapping.size, SIZE_MAX, false, path, &object,
                         &error),
              error);
    mapping_close(&mapping);
    return object;
}

/* Units for each of n that a sum may differ by: floats have seven digits, an entropy goes to 9
 * bits, a distance to 511 tokens. What is counted is exact. */
static double units_of(const char *kind, const char *name)
{
    const bool weight = strcmp(kind, "reach") == 0 || strcmp(kind, "mass") == 0;
    if (strcmp(kind, "figure") != 0)
        return weight ? 1 : 0;
    return strcmp(name, "entropy") == 0 ? 6 : strcmp(name, "distance") == 0 ? 10 : 1;
}

static const char *text_of(const cJSON *row, const char *name)
{
    const cJSON *item = json_member(row, name);
    return item ? item->valuestring : "";
}

static int head_of(const cJSON *row, const char *axis)
{
    const cJSON *item = json_member(row, axis);
    return item ? item->valueint : -1;
}

/* Those that are expected, [kind, layer, head, name, direction, n, sum], come in this order; of
 * figures, and of these kinds, they are not all. */
static void compare_rows(const cJSON *rows, const cJSON *expected, double tokens)
{
    static const char others[] = "label figure maximum entropy decile piece guessed";
    const cJSON *row;
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *item[7] = {expected ? expected->child : NULL};
        const char *kind = text_of(row, "kind"), *name = text_of(row, "name");
        char found[200], wanted[200] = "nothing";
        for (size_t i = 1; item[0] && i < COUNT(item); i++)
            item[i] = item[i - 1]->next;
        if (item[0])
            snprintf(wanted, sizeof wanted, "%s %d.%d %s %s %.0f", item[0]->valuestring,
                     item[1]->valueint, item[2]->valueint, item[3]->valuestring,
                     item[4]->valuestring, item[5]->valuedouble);
        snprintf(found, sizeof found, "%s %d.%d %s %s %.0f", kind, head_of(row, "layer"),
                 head_of(row, "head"), name, text_of(row, "direction"),
                 json_member(row, "n")->valuedouble);
        if (strcmp(found, wanted) != 0) {
            ck_assert_msg(strstr(others, kind), "expected %s, found %s", wanted, found);
            continue;
        }
        const double n = strcmp(kind, "mass") == 0 ? tokens : item[5]->valuedouble,
                     sum = json_member(row, "sum")->valuedouble;
        ck_assert_msg(fabs(sum - item[6]->valuedouble) <= units_of(kind, name) * n,
                      "%s: expected %.0f, found %.0f", found, item[6]->valuedouble, sum);
        expected = expected->next;
    }
    ck_assert_ptr_null(expected);
}

static void compare_with(const struct survey *survey, const char *path)
{
    static const char *const exact[] = {"texts", "too_long", "tokens", "words", "unit"};
    char *text = survey_as_json(survey);
    cJSON *found, *all = read_json(path);
    assert_ok(json_parse(text, strlen(text), SIZE_MAX, false, "the survey", &found, &error), error);
    for (size_t i = 0; i < COUNT(exact); i++)
        compare(exact[i], json_member(found, exact[i]), json_member(all, exact[i]), 0);
    compare("examples", json_member(found, "examples"), json_member(all, "examples"),
            32); /* 2e-6 */
    compare_rows(json_member(found, "rows"), json_member(all, "rows")->child,
                 json_member(all, "tokens")->valuedouble);
    cJSON_Delete(found);
    cJSON_Delete(all);
    free(text);
}

TEST(a_survey_is_what_pytorch_computes)
{
    struct survey *survey = survey_of(&tiny, SURVEY_CORPUS, 200, 0, 1);
    compare_with(survey, "tests/vectors/survey/tiny-bert.json");
    survey_free(survey);
}

TEST(the_built_in_models_is_too)
{
    struct checkpoint built_in;
    assert_ok(checkpoint_open(&built_in, NULL, NULL, NULL, &error), error);
    struct survey *survey = survey_of(&built_in, SURVEY_CORPUS, 40, 0, 1);
    compare_with(survey, "tests/vectors/survey/built-in.json");
    survey_free(survey);
    checkpoint_close(&built_in);
}

/* ---- Against NumPy ------------------------------------------------------------------------- */

#define DATES "tests/vectors/dates/"

static struct survey *survey_of_pairs(const struct checkpoint *dates, enum site site, uint64_t part,
                                      uint64_t parts)
{
    const struct corpus_choice choice = {.part = part, .parts = parts};
    const struct gather_reading how = {.special = true};
    const struct corpus_text *text;
    struct corpus *corpus;
    struct survey *survey;
    struct gather *gather;
    struct encoding *source, *target = NULL;
    size_t whole;
    assert_ok(corpus_open(DATES "pairs.jsonl", &choice, &corpus, &error), error);
    const struct gather_plan plan = {
        .corpus = corpus_name(corpus), .part = part, .parts = parts, .options = "", .site = site};
    assert_ok(gather_begin(dates, &plan, &survey, &error), error);
    assert_ok(gather_new(dates, survey, &gather, &error), error);
    for (;;) {
        assert_ok(corpus_next(corpus, &text, &error), error);
        if (!text)
            break;
        assert_ok(survey_check_links(text, &error), error);
        assert_ok(gather_encode(dates, text, how, &source, &whole, &error), error);
        if (site != SITE_ENCODER)
            assert_ok(gather_encode_target(dates, text, true, &target, &error), error);
        assert_ok(gather_add(gather, text, source, target, NULL, &error), error);
    }
    assert_ok(gather_end(gather, &error), error);
    gather_free(gather);
    corpus_close(corpus);
    return survey;
}

static void compare_links(const struct survey *survey, const cJSON *expected, const char *rows,
                          enum metric aer)
{
    const cJSON *layer, *count;
    const int sure = json_member(expected, "sure")->valueint,
              linked = json_member(expected, "linked")->valueint;
    size_t head = 0;
    cJSON_ArrayForEach(layer, json_member(expected, rows))
    {
        cJSON_ArrayForEach(count, layer)
        {
            const int found[] = {linked + sure - 2 * count->valueint, count->valueint,
                                 count->valueint};
            const int of[] = {linked + sure, linked, sure};
            for (int f = 0; f < 3; f++) {
                const struct survey_row *row = survey_figure(survey, aer + (enum metric)f);
                ck_assert_int_eq(*survey_of_head(row, head), (int64_t)found[f] * SURVEY_UNIT);
                ck_assert_int_eq(row->numbers[0], of[f]);
            }
            head++;
        }
    }
    ck_assert_uint_eq(head, survey->layers * survey->heads);
}

/* Many pairs in one pass, too, and their parts. */
TEST(cross_heads_link_what_another_program_says)
{
    enum { PARTS = 3 };
    struct checkpoint dates;
    assert_ok(checkpoint_open(&dates, "dates", NULL, NULL, &error), error);
    struct survey *survey = survey_of_pairs(&dates, SITE_CROSS, 0, 1), *parts[PARTS];
    cJSON *expected = read_json(DATES "links.json");
    compare_links(survey, expected, "said", METRIC_AER);
    compare_links(survey, expected, "read", METRIC_AER_READ);
    for (size_t i = PARTS; i-- > 0;) {
        parts[i] = survey_of_pairs(&dates, SITE_CROSS, i, PARTS);
        if (i + 1 == PARTS)
            continue;
        assert_ok(survey_merge(parts[PARTS - 1], parts[i], &error), error);
        survey_free(parts[i]);
    }
    assert_same_bytes(parts[PARTS - 1], survey);
    char *path = in_folder(&folder, "read.survey");
    assert_ok(survey_write(survey, path, &error), error);
    survey_free(parts[0] = parts[PARTS - 1]);
    assert_ok(survey_read(path, &parts[0], &error), error);
    assert_same_bytes(parts[0], survey);
    survey_free(parts[0]);
    survey_free(survey);
    free(path);
    cJSON_Delete(expected);
    checkpoint_close(&dates);
}

/* The means over all texts of what each text's own pass says. */
TEST(heads_of_a_stack_do_what_they_do_in_each_text, .times = 2)
{
    static const enum metric figures[] = {METRIC_SELF, METRIC_FIRST, METRIC_ENTROPY,
                                          METRIC_DISTANCE, METRIC_MAXIMUM};
    static const enum metric metrics[] = {METRIC_SELF, METRIC_FIRST, METRIC_ENTROPY,
                                          METRIC_DISTANCE, METRIC_MAXIMUM};
    const struct corpus_choice choice = {.parts = 1};
    const enum site site = _i == 0 ? SITE_ENCODER : SITE_DECODER;
    const struct reading how = {.special = true};
    double sums[5][64] = {{0}};
    size_t tokens = 0;
    struct checkpoint dates;
    const struct corpus_text *text;
    struct corpus *corpus;
    assert_ok(checkpoint_open(&dates, "dates", NULL, NULL, &error), error);
    struct survey *survey = survey_of_pairs(&dates, site, 0, 1);
    ck_assert_str_eq(survey->origin.site, site_words[site].name);
    assert_ok(corpus_open(DATES "pairs.jsonl", &choice, &corpus, &error), error);
    while (corpus_next(corpus, &text, &error) == STATUS_OK && text) {
        struct encoded *encoded;
        assert_ok(encoded_new(&dates, text->texts, 2, how, &encoded, &error), error);
        assert_ok(encoded_run(&dates, NULL, NULL, encoded, &error), error);
        const struct trace *trace = encoded_of_site(encoded, site)->trace;
        for (size_t head = 0; head < trace->layers * trace->heads; head++) {
            const struct head_metrics of =
                metrics_measure(trace, head / trace->heads, head % trace->heads, NULL);
            for (size_t i = 0; i < 5; i++)
                sums[i][head] += of.of[metrics[i]] * (double)trace->tokens;
        }
        tokens += trace->tokens;
        encoded_free(encoded);
    }
    corpus_close(corpus);
    for (size_t i = 0; i < 5; i++) {
        const struct survey_row *row = survey_figure(survey, figures[i]);
        ck_assert_int_eq(row->numbers[0], (int64_t)tokens);
        for (size_t head = 0; head < survey->layers * survey->heads; head++)
            ck_assert_double_eq_tol((double)*survey_of_head(row, head) / SURVEY_UNIT, sums[i][head],
                                    1e-4);
    }
    survey_free(survey);
    checkpoint_close(&dates);
}

/* ---- Against the labels of one text --------------------------------------------------------- */

static const char *const causal[] = {"gemma2", "gemma3", "gpt-neox",  "gpt-neox-sequential",
                                     "gpt2",   "llama",  "llama-3.2", "qwen2",
                                     "qwen3"};

/* Beside the first token, as the views have it, and the numbers that it stands on. */
TEST(a_head_has_the_label_of_its_only_text, .times = 3 * (int)COUNT(causal))
{
    static const char *const lines[] = {"the cat sat on the mat , and the cat saw the dog",
                                        "like a like a like a", "the cat"};
    const struct corpus_text text = {
        .id = "0", .texts = {text_of_string(lines[_i % 3])}, .text_count = 1};
    const struct gather_plan plan = {.corpus = "one.txt", .parts = 1, .options = ""};
    const struct gather_reading how = {.special = true};
    char path[100];
    struct checkpoint model;
    struct survey *survey;
    struct gather *gather;
    struct encoding *encoding;
    struct encoded *encoded;
    struct evidence_label labels[METRIC_COUNT];
    size_t whole, beside = 0;
    snprintf(path, sizeof path, "tests/vectors/families/%s", causal[_i / 3]);
    assert_ok(checkpoint_open(&model, path, NULL, NULL, &error), error);
    assert_ok(gather_begin(&model, &plan, &survey, &error), error);
    assert_ok(gather_new(&model, survey, &gather, &error), error);
    assert_ok(gather_encode(&model, &text, how, &encoding, &whole, &error), error);
    assert_ok(gather_add(gather, &text, encoding, NULL, NULL, &error), error);
    assert_ok(gather_end(gather, &error), error);
    gather_free(gather);
    assert_ok(
        encoded_new(&model, text.texts, 1, (struct reading){.special = true}, &encoded, &error),
        error);
    assert_ok(encoded_run(&model, NULL, NULL, encoded, &error), error);
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        const size_t l = i / survey->heads, a = i % survey->heads;
        const struct head_metrics metrics = metrics_measure(encoded->trace, l, a, &encoded->kinds);
        const struct head_label label = metrics_label(&metrics);
        const size_t count = evidence_labels(survey, l, a, labels);
        for (size_t k = 0; metrics.rest > 0 && k < survey_count(survey, ROW_BESIDE); k++) {
            const struct survey_row *row = survey_at(survey, ROW_BESIDE, k);
            const enum metric metric = METRIC_BEGIN + (enum metric)row->key.numbers[0];
            const double mean = evidence_mean_of(survey, row, l, a).value,
                         expected =
                             metric == METRIC_FIRST ? 1 - metrics.rest : metrics.named[metric];
            ck_assert(isnan(mean) ? isnan(expected) : fabs(mean - expected) < 1e-6);
            beside++;
        }
        ck_assert_str_eq(count > 0 ? labels[0].name : "", label.name);
        if (count == 0)
            continue;
        ck_assert_double_eq_tol(labels[0].mean.value, label.value, 1e-6);
        ck_assert(labels[0].beside == (label.rest > 0));
    }
    ck_assert(beside > 0 || whole < 3);
    encoded_free(encoded);
    survey_free(survey);
    checkpoint_close(&model);
}

/* ---- Parts and the whole ------------------------------------------------------------------- */

/* In any order and any grouping. */
TEST(parts_however_merged_are_the_whole, .times = 12)
{
    enum { PARTS = 8 };
    struct survey *parts[PARTS];
    struct survey *whole = survey_of(&tiny, SURVEY_CORPUS, 20, 0, 1);
    uint64_t state = (uint64_t)_i;
    for (size_t i = 0; i < PARTS; i++)
        parts[i] = survey_of(&tiny, SURVEY_CORPUS, 20, i, PARTS);
    for (size_t left = PARTS; left > 1; left--) {
        const size_t to = random_below(&state, left);
        size_t from = random_below(&state, left - 1);
        from += from >= to;
        assert_ok(survey_merge(parts[to], parts[from], &error), error);
        survey_free(parts[from]);
        parts[from] = parts[left - 1];
    }
    assert_same_bytes(parts[0], whole);
    survey_free(parts[0]);
    survey_free(whole);
}

TEST(what_does_not_belong_together_is_refused)
{
    struct survey *survey = survey_of(&tiny, SURVEY_CORPUS, 8, 0, 2);
    struct survey *other = survey_of(&tiny, SURVEY_CORPUS, 8, 0, 2);
    char *before = survey_as_json(survey);
    assert_fails(survey_merge(survey, other, &error), STATUS_MISMATCH,
                 "first200.conllu: shard 0 of 2 is there twice", error);
    survey_at(other, ROW_SHARD, 0)->key.numbers[1] = 3;
    assert_fails(survey_merge(survey, other, &error), STATUS_MISMATCH,
                 "first200.conllu: expected shards of 2, found some of 3", error);
    other->origin.digest[0] = 'f';
    assert_fails(survey_merge(survey, other, &error), STATUS_MISMATCH,
                 "expected a survey with the model_sha256 \"0123\", found \"f123\"", error);
    char *after = survey_as_json(survey);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    survey_free(survey);
    survey_free(other);
}

/* The corpus that is linked into the program, bit by bit, through the model in batches: as text by
 * text. What was made after a bit and dropped is made again. */
TEST(bits_of_a_corpus_are_the_whole)
{
    struct gather_source source = {.checkpoint = &tiny, .special = true};
    struct survey *survey = NULL;
    struct survey *one_by_one = survey_of(&tiny, "assets/corpus/english.conllu", 1000, 0, 1);
    for (size_t bits = 0; !survey || !survey->whole; bits++) {
        struct survey *more = survey, *again = survey;
        assert_ok(gather_more(&source, NULL, &more, &error), error);
        assert_ok(gather_more(&source, NULL, &again, &error), error);
        ck_assert(bits > 0 || !more->whole);
        assert_ok(gather_join(survey, &more, &error), error);
        survey = more ? more : survey;
        const int64_t passed = survey_passed(survey);
        assert_ok(gather_join(survey, &again, &error), error); /* which follows no more */
        ck_assert(!again && survey_passed(survey) == passed);
    }
    ck_assert_int_eq(survey_passed(survey), GATHER_EXAMPLE);
    ck_assert_str_eq(survey->origin.model, "tiny-bert");
    for (size_t f = 0; f < METRIC_EFFECT - METRIC_BEGIN; f++)
        for (size_t i = 0; i < survey->layers * survey->heads; i++)
            ck_assert_int_le(llabs(*survey_of_head(survey_at(survey, ROW_FIGURE, f), i) -
                                   *survey_of_head(survey_at(one_by_one, ROW_FIGURE, f), i)),
                             16 * survey_at(survey, ROW_FIGURE, f)->numbers[0]);
    ck_assert_uint_eq(survey->first[ROW_KINDS], one_by_one->first[ROW_KINDS]);
    survey_free(one_by_one);
    survey_free(survey);
}

static bool stop(void *context, size_t done, size_t total)
{
    (void)context;
    (void)done;
    (void)total;
    return false;
}

TEST(a_survey_can_be_cancelled)
{
    struct gather_source source = {.checkpoint = &tiny, .special = true};
    struct survey *survey = NULL;
    const struct watch watch = {stop, NULL};
    assert_fails(gather_more(&source, &watch, &survey, &error), STATUS_CANCELLED, "cancelled",
                 error);
    ck_assert_ptr_null(survey);
}

/* ---- The file ------------------------------------------------------------------------------ */

TEST(a_file_is_read_back)
{
    struct survey *survey = survey_of(&tiny, SURVEY_CORPUS, 30, 0, 1), *read;
    char *path = in_folder(&folder, "a.survey");
    assert_ok(survey_write(survey, path, &error), error);
    ck_assert(survey_is(path, "survey") && !survey_is(TINY_FOLDER "/model.safetensors", "survey"));
    assert_ok(survey_read(path, &read, &error), error);
    assert_same_bytes(read, survey);
    char *one = survey_as_json(survey), *two = survey_as_json(read);
    ck_assert_str_eq(one, two);
    free(one);
    free(two);
    free(path);
    survey_free(read);
    survey_free(survey);
}

/* The bytes of a small survey's file, to be changed and written as "b.survey". */
static unsigned char *bytes_of_four(size_t *size)
{
    struct survey *survey = survey_of(&tiny, SURVEY_CORPUS, 4, 0, 1);
    struct mapping mapping = survey_file(survey, &folder, "a.survey");
    unsigned char *bytes = malloc(mapping.size);
    ck_assert_ptr_nonnull(bytes);
    *size = mapping.size;
    memcpy(bytes, mapping.bytes, mapping.size);
    mapping_close(&mapping);
    survey_free(survey);
    return bytes;
}

static enum status read_bytes(const unsigned char *bytes, size_t size, struct survey **read)
{
    char *path = in_folder(&folder, "b.survey");
    folder_write(&folder, "b.survey", bytes, size);
    const enum status status = survey_read(path, read, &error);
    free(path);
    return status;
}

/* Whatever byte of the header or of the numbers is another one, the file is read or refused. */
TEST(damaged_files_are_refused_or_read)
{
    struct survey *read;
    size_t size;
    unsigned char *bytes = bytes_of_four(&size);
    for (size_t at = 0; at < size; at += at < 3000 ? 37 : 4801) {
        bytes[at] ^= 0x55;
        if (read_bytes(bytes, size, &read) == STATUS_OK)
            free(survey_as_json(read));
        else
            ck_assert_ptr_nonnull(strstr(error.message, "b.survey"));
        survey_free(read);
        bytes[at] ^= 0x55;
    }
    assert_fails(survey_read(TINY_FOLDER "/model.safetensors", &read, &error), STATUS_FORMAT,
                 "expected a survey, found other tensors", error);
    free(bytes);
}

TEST(parts_above_their_whole_are_refused)
{
    struct survey *survey = survey_of(&tiny, SURVEY_CORPUS, 4, 0, 1), *read;
    struct survey *other = survey_of(&tiny, SURVEY_CORPUS, 4, 0, 1);
    int64_t *relation = survey_at(survey, ROW_RELATION, 0)->numbers;
    int64_t *self = survey_test_numbers(survey, ROW_FIGURE, "self", 0);
    int64_t *const numbers[] = {relation + SURVEY_OFFSET_FAR + 2, relation + 1, self + 2, self + 4,
                                survey_at(survey, ROW_REACH, 0)->numbers + 2};
    static const int64_t wrong[] = {1000, INT64_MAX, (int64_t)1 << SURVEY_FRACTION, -1, -1};
    char *path = in_folder(&folder, "a.survey");
    for (size_t i = 0; i < COUNT(numbers); i++) {
        const int64_t right = *numbers[i];
        *numbers[i] = wrong[i];
        assert_ok(survey_write(survey, path, &error), error);
        assert_fails(survey_read(path, &read, &error), STATUS_FORMAT,
                     "expected numbers that a survey can have", error);
        *numbers[i] = right;
    }
    free(path);
    /* What is merged can be read. */
    *(char *)survey_name(other, ROW_SHARD, 0) = 'z';
    survey_at(survey, ROW_SHARD, 0)->numbers[SURVEY_WORDS] = (int64_t)1 << 53;
    assert_fails(survey_merge(survey, other, &error), STATUS_LIMIT, "no longer fit", error);
    survey_free(survey);
    survey_free(other);
}

TEST(an_older_file_is_refused_with_what_makes_it_anew)
{
    static const char mark[] = "\"headlight_survey\":\"";
    struct survey *read;
    size_t size, at = 8;
    unsigned char *bytes = bytes_of_four(&size);
    while (at + sizeof mark < size && memcmp(bytes + at, mark, sizeof mark - 1) != 0)
        at++;
    bytes[at + sizeof mark - 1] = '3';
    assert_fails(read_bytes(bytes, size, &read), STATUS_UNSUPPORTED,
                 "expected format 4, found format 3: headlight survey TEXTS -o", error);
    free(bytes);
}
