/* What heads and words do to an answer of each kind: against numbers that another implementation
 * computed (vectors/effects.py), and where the network is changed against passes made here. */
#include "faults.h"
#include "model_helpers.h"
#include "recorded.h"
#include "rows.h"
#include "suites.h"
#include "text_helpers.h"

#include "headlight/lens/answers.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/sentence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights of the tiny checkpoints are large, and passes are rounded to floats. */
#define NEAR 2e-4

static struct error error;
static struct checkpoint checkpoint;
static struct encoded *encoded;
static struct sentence_pair alone; /* of two sentences each by itself */
static struct target_source source;

static void open_texts(const char *folder, const char *a, const char *b)
{
    const struct text texts[] = {text_of(a), text_of(b ? b : "")};
    const struct reading how = {.special = true, .logits = true};
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, NULL, &error), error);
    assert_ok(encoded_new(&checkpoint, texts, b ? 2 : 1, how, &encoded, &error), error);
    source = target_source_of(&checkpoint, encoded, NULL);
}

static void open_alone(void)
{
    for (size_t side = 0; side < 2; side++) {
        struct encoded **own = &alone.encoded[side];
        assert_ok(encoded_new(&checkpoint, &encoded->texts[side], 1,
                              (struct reading){.special = true}, own, &error),
                  error);
        assert_ok(forward_run(checkpoint.model, NULL, NULL, (*own)->trace, &error), error);
    }
    source = target_source_of(&checkpoint, encoded, &alone);
}

static void compute(const struct interventions *changes)
{
    assert_ok(forward_run(checkpoint.model, changes, NULL, encoded->trace, &error), error);
}

static void close_texts(void)
{
    encoded_free(encoded);
    encoded_free(alone.encoded[0]);
    encoded_free(alone.encoded[1]);
    checkpoint_close(&checkpoint);
    encoded = alone.encoded[0] = alone.encoded[1] = NULL;
}

static struct word_question ask(enum word_way way, size_t paired)
{
    return (struct word_question){way, tokenizer_mask(checkpoint.tokenizer),
                                  &encoded->sides[SIDE_LEFT], paired};
}

static struct word_effects *measure(enum word_way way, const struct target *on, size_t paired)
{
    const struct word_question question = ask(way, paired);
    struct word_effects *effects;
    assert_ok(word_effects_measure(&source, &question, on, NULL, &effects, &error), error);
    return effects;
}

/* ---- Against another program ---- */

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = json_member(object, name);
    return item ? item->valuedouble : 0;
}

static struct target target_in(const cJSON *one)
{
    static const struct {
        const char *kind;
        enum model_output output;
    } kinds[] = {{"words", OUTPUT_MLM},          {"classes", OUTPUT_CLASSES},
                 {"several", OUTPUT_CLASSES},    {"score", OUTPUT_CLASSES},
                 {"tags", OUTPUT_TAGS},          {"span", OUTPUT_START},
                 {"similarity", OUTPUT_SENTENCE}};
    const cJSON *on = json_member(one, "on");
    size_t i = 0;
    while (strcmp(kinds[i].kind, json_member(one, "kind")->valuestring) != 0)
        i++;
    return (struct target){kinds[i].output, (size_t)number(on, "token"), (size_t)number(on, "end"),
                           (int32_t)number(on, "id")};
}

static void open_case(const cJSON *one)
{
    const char *folder = json_member(one, "folder")->valuestring;
    if (json_member(one, "a")) {
        open_texts(folder, json_member(one, "a")->valuestring, json_member(one, "b")->valuestring);
        open_alone();
        return;
    }
    cJSON *all = recorded_object(folder, "cases.json");
    const cJSON *cases = json_member(all, "cases");
    const cJSON *text = json_member(cases ? cases : all, json_member(one, "case")->valuestring);
    const cJSON *b = json_member(text, "b");
    open_texts(folder, json_member(text, "a")->valuestring, b ? b->valuestring : NULL);
    compute(NULL);
    cJSON_Delete(all);
}

/* A span is found by its words. */
static void check_asked(const cJSON *one, const struct target *on)
{
    const cJSON *asked = json_member(one, "on"), *words = json_member(asked, "answer");
    struct target found = {.output = OUTPUT_COUNT};
    if (!words)
        return;
    assert_ok(target_find(&checkpoint, encoded, words->valuestring, &found, &error), error);
    ck_assert_int_eq(found.output, on->output);
    ck_assert_uint_eq(found.token, on->token);
    ck_assert_uint_eq(found.end, on->end);
    ck_assert_uint_eq(answer_span_rank(encoded->encoding, encoded->trace->outputs[OUTPUT_START],
                                       encoded->trace->outputs[OUTPUT_END],
                                       (struct token_range){found.token, found.end}),
                      (size_t)number(asked, "rank"));
}

static void check_heads(const cJSON *one, const struct target *on)
{
    struct effects *effects;
    const cJSON *row, *change;
    size_t i = 0;
    assert_ok(effects_measure(&source, on, NULL, &effects, &error), error);
    ck_assert_double_eq_tol(effects->logprob, number(one, "logprob"), NEAR);
    cJSON_ArrayForEach(row, json_member(one, "heads")) cJSON_ArrayForEach(change, row)
        ck_assert_double_eq_tol(effects->change[i++], change->valuedouble, NEAR);
    ck_assert_uint_eq(i, effects->layers * effects->heads);
    free(effects);
}

static void check_numbers(const struct word_effects *effects, const cJSON *numbers, bool pair)
{
    ck_assert_int_eq(cJSON_GetArraySize(numbers), (int)effects->count);
    for (size_t i = 0; i < effects->count; i++) {
        const cJSON *expected = cJSON_GetArrayItem(numbers, (int)i);
        const double found = pair ? effects->words[i].pair : effects->words[i].change;
        if (cJSON_IsNull(expected))
            ck_assert_msg(isnan(found), "word %zu: %g", i, found);
        else
            ck_assert_double_eq_tol(found, expected->valuedouble, 2 * NEAR);
    }
}

static void check_words(const cJSON *one, const struct target *on)
{
    for (enum word_way way = WORDS_HIDDEN; way <= WORDS_REMOVED; way++) {
        const cJSON *without = json_member(json_member(one, "without"), word_way_names[way]);
        struct word_effects *effects = measure(way, on, (size_t)number(one, "paired"));
        ck_assert_double_eq_tol(effects->logprob, number(one, "logprob"), NEAR);
        for (size_t i = 0; i < effects->count; i++) {
            const cJSON *pieces = cJSON_GetArrayItem(json_member(one, "words"), (int)i);
            ck_assert_int_eq(cJSON_GetArrayItem(pieces, 0)->valueint,
                             (int)effects->words[i].pieces.first);
            ck_assert_int_eq(cJSON_GetArrayItem(pieces, 1)->valueint,
                             (int)effects->words[i].pieces.end);
        }
        check_numbers(effects, json_member(without, "change"), false);
        check_numbers(effects, json_member(without, "pair"), true);
        free(effects);
    }
}

TEST(they_are_those_of_another_program)
{
    cJSON *all = recorded_list("tests/vectors", "effects.json");
    const cJSON *one;
    size_t count = 0;
    cJSON_ArrayForEach(one, all)
    {
        const struct target on = target_in(one);
        open_case(one);
        check_asked(one, &on);
        check_heads(one, &on);
        check_words(one, &on);
        close_texts();
        count++;
    }
    ck_assert_uint_eq(count, 11);
    cJSON_Delete(all);
}

/* ---- In a network that is changed ---- */

/* Of the text without token 3: "zu ##rich" begins there, so tokens behind move by two. */
TEST(changes_move_with_removed_words)
{
    struct interventions changes = {.causal = true}, moved = {.causal = true};
    int32_t ids[32];
    const int32_t segments[32] = {0};
    struct trace *pass;
    double expected, found;
    struct target target = {OUTPUT_TAGS, 6, .id = 1}, there = {OUTPUT_TAGS, 4, .id = 1};
    open_texts("tests/vectors/heads/ner-bert", "she said zurich was happy", NULL);
    const size_t T = encoded->trace->tokens;
    for (size_t i = 0; i < 3; i++) {
        const uint32_t tokens[] = {1, 3, 5}, places[] = {1, 0, 3};
        assert_ok(interventions_hide(&changes, tokens[i], &error), error);
        if (tokens[i] != 3)
            assert_ok(interventions_hide(&moved, places[i], &error), error);
    }
    assert_ok(interventions_cut(&changes, (struct cut){1, 2, 6, 2}, &error), error);
    assert_ok(interventions_cut(&changes, (struct cut){1, 2, 6, 4}, &error), error);
    assert_ok(interventions_cut(&moved, (struct cut){1, 2, 4, 2}, &error), error);
    compute(&changes);
    for (size_t t = 0; t < T - 2; t++)
        ids[t] = encoded->trace->ids[t < 3 ? t : t + 2];
    assert_ok(forward_prepare(checkpoint.model, NULL, ids, segments, T - 2, false, &pass, &error),
              error);
    assert_ok(forward_run(checkpoint.model, &moved, NULL, pass, &error), error);
    struct target_source naive = {.model = checkpoint.model, .trace = pass};
    assert_ok(target_ask(&naive, &there, &expected, &error), error);
    assert_ok(target_ask(&source, &target, &found, &error), error);
    struct word_effects *effects = measure(WORDS_REMOVED, &target, NO_TOKEN);
    const struct word_effect *word = &effects->words[word_effects_at(effects, 4)];
    ck_assert_uint_eq(word->pieces.first, 3);
    ck_assert_uint_eq(word->pieces.end, 5);
    ck_assert_double_eq(word->change, expected - found);
    ck_assert_double_ne(word->change, 0);
    ck_assert(isnan(word->pair));
    free(effects);
    effects = measure(WORDS_HIDDEN, &target, NO_TOKEN);
    ck_assert_double_eq(effects->words[word_effects_at(effects, 1)].change, 0); /* it is already */
    free(effects);
    free(pass);
    close_texts();
}

/* ---- Of an encoder–decoder ---- */

/* What its decoder answers when the changed passes are computed from the start, without some of the
 * source's tokens or of the target's. */
static double ask_alone(const struct target *on, const struct interventions *changes,
                        struct token_range gone, bool of_source)
{
    const enum site sites[] = {SITE_ENCODER, SITE_DECODER};
    int32_t ids[2][64];
    struct trace *passes[2];
    size_t counts[2] = {0, 0};
    struct target target = *on;
    double logprob;
    for (size_t i = 0; i < 2; i++) {
        const struct trace *trace = encoded_of_site(encoded, sites[i])->trace;
        for (size_t t = 0; t < trace->tokens; t++)
            if (of_source != (i == 0) || t < gone.first || t >= gone.end)
                ids[i][counts[i]++] = trace->ids[t];
    }
    if (!of_source && target.token >= gone.end)
        target.token -= gone.end - gone.first;
    const struct model *models[] = {checkpoint.model, checkpoint.decoder->model};
    for (size_t i = 0; i < 2; i++) {
        assert_ok(forward_prepare(models[i], i > 0 ? passes[0] : NULL, ids[i], NULL, counts[i],
                                  false, &passes[i], &error),
                  error);
        assert_ok(forward_run(models[i], changes, NULL, passes[i], &error), error);
    }
    const struct target_source pass = {.model = models[1], .trace = passes[1]};
    assert_ok(target_ask(&pass, &target, &logprob, &error), error);
    free(passes[1]);
    free(passes[0]);
    return logprob;
}

/* Token 1 of the source and 2 of the target are hidden, and a connection is cut in each site. */
static struct interventions change_sites(struct token_range gone, bool of_source)
{
    const uint32_t L = (uint32_t)checkpoint_stacks(&checkpoint).layers[0],
                   D = (uint32_t)checkpoint_stacks(&checkpoint).layers[1];
    const uint32_t rows[][4] = {
        /* layer; from, to; which of them are tokens of the source: bits 0 and 1 */
        {0, 0, 2, 3},
        {L, 3, 1, 0},
        {L + D, 3, 2, 2}};
    struct interventions changes = {.off = {0, 1}};
    for (int of = 0; of < 2; of++) {
        const uint32_t token = of ? 1 : 2;
        const bool moves = of == of_source,
                   taken = moves && token >= gone.first && token < gone.end;
        const uint32_t by = moves && token >= gone.end ? (uint32_t)(gone.end - gone.first) : 0;
        if (!taken)
            assert_ok(
                interventions_hide(&changes, token - by + (of ? 0 : INTERVENE_DECODER), &error),
                error);
    }
    for (size_t i = 0; i < 3; i++) {
        struct cut cut = {rows[i][0], 1, rows[i][1], rows[i][2]};
        uint32_t *ends[] = {&cut.from, &cut.to};
        bool taken = false;
        for (size_t end = 0; end < 2; end++) {
            const bool in_source = rows[i][3] >> end & 1;
            if (in_source != of_source || *ends[end] < gone.first)
                continue;
            taken |= *ends[end] < gone.end;
            *ends[end] -= (uint32_t)(gone.end - gone.first);
        }
        if (!taken)
            assert_ok(interventions_cut(&changes, cut, &error), error);
    }
    return changes;
}

/* At each site heads and words change what the decoder answers, by as much as passes of their own
 * say: of the encoder the source's words, of the others the target's. */
TEST(each_site_changes_what_the_decoder_answers, .times = 12)
{
    static const char *const folders[] = {"dates", "tests/vectors/families/bart",
                                          "tests/vectors/families/marian",
                                          "tests/vectors/families/t5"};
    const enum site site = (enum site)(_i % 3);
    const struct token_range none = {0, 0};
    const bool of_source = site == SITE_ENCODER;
    struct target on = {OUTPUT_LM, 4, .id = 17};
    double logprob, largest = 0;
    struct effects *heads;
    open_texts(folders[_i / 3], "the 3rd of may 1994", "1994 - 05 - 03");
    const struct interventions changes = change_sites(none, false);
    assert_ok(encoded_run(&checkpoint, &changes, NULL, encoded, &error), error);
    encoded = encoded_of_site(encoded, site);
    const struct trace *trace = encoded->trace;
    source = target_source_of(&checkpoint, encoded, NULL);
    assert_ok(target_ask(&source, &on, &logprob, &error), error);
    ck_assert_double_eq(logprob, ask_alone(&on, &changes, none, false));
    assert_ok(effects_measure(&source, &on, NULL, &heads, &error), error);
    ck_assert_uint_eq(heads->layers * heads->heads, trace->layers * trace->heads);
    for (size_t i = 0; i < heads->layers * heads->heads; i++) {
        struct interventions off = changes;
        off.off[trace->numbered + i / heads->heads] |= (uint64_t)1 << i % heads->heads;
        ck_assert_double_eq(heads->change[i], ask_alone(&on, &off, none, false) - logprob);
        largest = fmax(largest, fabs(heads->change[i]));
    }
    ck_assert_double_gt(largest, 1e-4);
    free(heads);
    largest = 0;
    for (enum word_way way = WORDS_HIDDEN; way <= WORDS_REMOVED; way++) {
        if (way == WORDS_MASKED)
            continue;
        struct word_effects *words = measure(way, &on, NO_TOKEN);
        for (size_t i = 0; i < words->count; i++) {
            const struct token_range pieces = words->words[i].pieces;
            const bool removed = way == WORDS_REMOVED;
            const bool asked = !of_source && on.token >= pieces.first && on.token < pieces.end;
            struct interventions without = removed ? change_sites(pieces, of_source) : changes;
            for (size_t t = pieces.first; t < pieces.end && !removed; t++)
                assert_ok(interventions_hide(
                              &without, (uint32_t)t + (of_source ? 0 : INTERVENE_DECODER), &error),
                          error);
            ck_assert_int_eq(isnan(words->words[i].change), removed && asked);
            if (removed && asked)
                continue;
            ck_assert_double_eq(words->words[i].change,
                                ask_alone(&on, &without, removed ? pieces : none, of_source) -
                                    logprob);
            largest = fmax(largest, fabs(words->words[i].change));
        }
        ck_assert_uint_gt(words->count, 2);
        free(words);
    }
    ck_assert_double_gt(largest, 1e-4);
    close_texts();
}

/* ---- Words that can't be taken ---- */

TEST(the_only_word_is_not_removed)
{
    const struct text text = {"cat", 3};
    const struct reading how = {.logits = true};
    const struct target on = {OUTPUT_CLASSES, .id = 1};
    open_texts("tests/vectors/heads/seq-bert", "cat", NULL);
    encoded_free(encoded);
    assert_ok(encoded_new(&checkpoint, &text, 1, how, &encoded, &error), error);
    source.trace = encoded->trace;
    source.encoding = encoded->encoding;
    compute(NULL);
    struct word_effects *effects = measure(WORDS_REMOVED, &on, NO_TOKEN);
    ck_assert_uint_eq(effects->count, 1);
    ck_assert(isnan(effects->words[0].change));
    free(effects);
    close_texts();
}

/* "arrow" is beyond the six tokens that the model reads. */
TEST(a_word_that_was_cut_off_has_no_effect)
{
    const struct target on = {.output = OUTPUT_SENTENCE};
    open_texts("tests/vectors/heads/st-mpnet", "time flies like an arrow", "she said it");
    open_alone();
    for (enum word_way way = WORDS_HIDDEN; way <= WORDS_REMOVED; way++) {
        struct word_effects *effects = measure(way, &on, 1);
        ck_assert_str_eq(encoded->labels[effects->words[4].pieces.first], "arrow");
        for (size_t i = 0; i < effects->count; i++) {
            ck_assert_int_eq(isnan(effects->words[i].change), i == 4);
            ck_assert_int_eq(isnan(effects->words[i].pair), i == 0 || i == 4);
        }
        free(effects);
    }
    close_texts();
}

TEST(without_a_mask_nothing_is_masked)
{
    const struct target on = {OUTPUT_CLASSES, .id = 1};
    struct word_effects *effects;
    open_texts("tests/vectors/heads/seq-bert", "the cat", NULL);
    compute(NULL);
    struct word_question question = ask(WORDS_MASKED, NO_TOKEN);
    question.mask = -1;
    assert_fails(word_effects_measure(&source, &question, &on, NULL, &effects, &error),
                 STATUS_UNSUPPORTED, "no mask token", error);
    ck_assert_ptr_null(effects);
    close_texts();
}

static size_t steps;

static bool step(void *context, size_t done, size_t total)
{
    (void)context;
    ck_assert_uint_eq(total, 4);
    steps += done == total;
    return done < 3;
}

TEST(they_can_be_stopped)
{
    const struct target on = {OUTPUT_CLASSES, .id = 1};
    const struct watch watch = {step, NULL};
    struct word_effects *effects;
    open_texts("tests/vectors/heads/seq-bert", "the cat sat happy", NULL);
    compute(NULL);
    const struct word_question question = ask(WORDS_HIDDEN, NO_TOKEN);
    ck_assert_int_eq(word_effects_measure(&source, &question, &on, &watch, &effects, &error),
                     STATUS_CANCELLED);
    ck_assert_ptr_null(effects);
    ck_assert_uint_eq(steps, 0);
    close_texts();
}

static struct word_effects *tried;

static enum status try_measuring(struct error *failure)
{
    const struct target on = {OUTPUT_CLASSES, .id = TARGET_LIKELIEST};
    const struct word_question question = ask(WORDS_REMOVED, 2);
    return word_effects_measure(&source, &question, &on, NULL, &tried, failure);
}

static void forget(void)
{
    free(tried);
    tried = NULL;
}

static const struct fixture faults_tests = {.slow = true};

TEST(without_memory_they_say_so, .with = &faults_tests, .skipped = !faults_work())
{
    open_texts("tests/vectors/heads/seq-bert", "the cat", NULL);
    compute(NULL);
    faults_try(&(struct trial){.name = "words", .act = try_measuring, .end = forget});
    close_texts();
}

static struct effects *tried_heads;

static enum status try_alike(struct error *failure)
{
    const struct target on = {.output = OUTPUT_SENTENCE};
    const struct word_question question = ask(WORDS_REMOVED, 1);
    enum status status = effects_measure(&source, &on, NULL, &tried_heads, failure);
    if (status == STATUS_OK)
        status = word_effects_measure(&source, &question, &on, NULL, &tried, failure);
    if (status != STATUS_OK) { /* nothing is forgotten of what failed */
        free(tried_heads);
        tried_heads = NULL;
    }
    return status;
}

static void forget_alike(void)
{
    forget();
    free(tried_heads);
    tried_heads = NULL;
}

TEST(of_two_sentences_they_say_so_too, .with = &faults_tests, .skipped = !faults_work())
{
    open_texts("tests/vectors/heads/st-bert-mean", "time flies", "it");
    open_alone();
    faults_try(&(struct trial){.name = "a cosine", .act = try_alike, .end = forget_alike});
    close_texts();
}

/* ---- What there is to ask for ---- */

static struct target find(const char *name)
{
    struct target target = {.output = OUTPUT_COUNT, .id = TARGET_LIKELIEST};
    char again[64];
    assert_ok(target_find(&checkpoint, encoded, name, &target, &error), error);
    target_name(&checkpoint, encoded, &target, again, sizeof again);
    ck_assert_str_eq(again, name);
    return target;
}

TEST(answers_are_found_by_their_names)
{
    struct target target = {.output = OUTPUT_COUNT};
    open_texts("tests/vectors/heads/seq-bert", "the cat", NULL);
    ck_assert_int_eq(target_output(checkpoint.model), OUTPUT_CLASSES);
    ck_assert_int_eq(find("POSITIVE").id, 1);
    ck_assert_int_eq(find("NEGATIVE").output, OUTPUT_CLASSES);
    assert_fails(target_find(&checkpoint, encoded, "POSITVE", &target, &error), STATUS_USAGE,
                 "expected NEGATIVE or POSITIVE, found \"POSITVE\"", error);
    assert_fails(target_find(&checkpoint, encoded, "POSITVE", &target, &error), STATUS_USAGE,
                 "did you mean", error);
    close_texts();
    open_texts("tests/vectors/heads/st-bert-mean", "the cat", NULL);
    ck_assert_int_eq(find("cosine").output, OUTPUT_SENTENCE);
    assert_fails(target_find(&checkpoint, encoded, "cosin", &target, &error), STATUS_USAGE,
                 "expected cosine, found \"cosin\"", error);
    close_texts();
    open_texts(TINY_FOLDER, "the cat", NULL);
    ck_assert_int_eq(find("cat").output, OUTPUT_MLM);
    ck_assert_int_eq(find("B does not follow A").output, OUTPUT_NSP);
    ck_assert_int_eq(find("B follows A").id, 0);
    assert_fails(target_find(&checkpoint, encoded, "floor", &target, &error), STATUS_USAGE, "floor",
                 error);
    close_texts();
}

/* "cat" is a label, a piece, and stands in the second text. */
TEST(what_is_chosen_is_asked_first)
{
    static const enum model_output outputs[] = {OUTPUT_CLASSES, OUTPUT_MLM, OUTPUT_START};
    static const int32_t ids[] = {0, 86, 0};
    struct folder folder;
    struct target target;
    folder_make_several(&folder);
    open_texts(folder.path, "the dog", "the cat sat");
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        target = (struct target){.output = outputs[i]};
        assert_ok(target_find(&checkpoint, encoded, "cat", &target, &error), error);
        ck_assert_int_eq(target.output, outputs[i]);
        ck_assert_int_eq(target.id, ids[i]);
    }
    ck_assert_uint_eq(target.token, 5);
    ck_assert_int_eq(find("cat").output, OUTPUT_CLASSES); /* of none chosen the first */
    target = (struct target){.output = OUTPUT_CLASSES};   /* what it can't say is another's */
    assert_ok(target_find(&checkpoint, encoded, "B follows A", &target, &error), error);
    ck_assert_int_eq(target.output, OUTPUT_NSP);
    assert_fails(
        target_find(&checkpoint, encoded, "cats", &(struct target){.output = OUTPUT_START}, &error),
        STATUS_USAGE, "expected words as they stand in the second text", error);
    close_texts();
    folder_remove(&folder);
}

/* By its bytes in the second text, in whole words if it stands there in whole words at all. */

ROW_TEST(a_span_is_found_by_its_words, "spans")
{
    struct target target = {.output = OUTPUT_START};
    open_texts("tests/vectors/heads/qa-bert", "was she happy?", row[0]);
    const enum status status = target_find(&checkpoint, encoded, row[1], &target, &error);
    if (*row[4]) {
        assert_fails(status, STATUS_USAGE, row[4], error);
    } else {
        assert_ok(status, error);
        ck_assert_uint_eq(target.token, 6 + (size_t)atoi(row[2]));
        ck_assert_uint_eq(target.end, 6 + (size_t)atoi(row[3]));
        ck_assert_int_eq(target.id, 0);
    }
    close_texts();
}

TEST(the_likeliest_span_is_the_answer)
{
    struct target target = {OUTPUT_START, .id = TARGET_LIKELIEST};
    double logprob;
    char name[64];
    open_texts("tests/vectors/heads/qa-bert", "was she happy?",
               "she said Zürich was happy, naive house");
    compute(NULL);
    assert_ok(target_ask(&source, &target, &logprob, &error), error);
    target_name(&checkpoint, encoded, &target, name, sizeof name);
    cJSON *all = recorded_object("tests/vectors/heads/qa-bert", "cases.json");
    const cJSON *best = json_member(
        json_member(json_member(json_member(all, "cases"), "happy"), "expected"), "best");
    ck_assert_str_eq(name, json_member(best->child, "answer")->valuestring);
    cJSON_Delete(all);
    close_texts();
    open_texts("tests/vectors/heads/qa-bert", "was she happy?", NULL);
    compute(NULL);
    target.id = TARGET_LIKELIEST;
    assert_fails(target_ask(&source, &target, &logprob, &error), STATUS_UNSUPPORTED,
                 "expected two texts", error);
    close_texts();
}
