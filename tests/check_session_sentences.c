/* The two sentences of a pair by themselves, in a network that may be changed. */
#include "headlight/base/format.h"
#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"
#include "model_helpers.h"
#include "suites.h"

#include <math.h>

#define A "time flies like an arrow"
#define B "the old dog bites"
enum { FLIES = 2, BITES = 10 }; /* of the pair; B's tokens follow A's seven */

static struct error error;
static struct checkpoint checkpoint;
static struct session session;

static void begin(const char *folder, const struct interventions *changes)
{
    const struct text texts[] = {text_of_string(A), text_of_string(B)};
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, changes);
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
}

/* The vector of one text in a network that is changed for it. */
static struct encoded *alone(const char *words, const struct interventions *changes)
{
    const struct text text = text_of_string(words);
    struct encoded *encoded;
    assert_ok(
        encoded_new(&checkpoint, &text, 1, (struct reading){.special = true}, &encoded, &error),
        error);
    assert_ok(forward_run(checkpoint.model, changes, NULL, encoded->trace, &error), error);
    return encoded;
}

static double value_alone(const struct interventions *a, const struct interventions *b)
{
    struct encoded *left = alone(A, a), *right = alone(B, b);
    const double value =
        sentence_value(checkpoint.model->config.sentence, left->trace, right->trace);
    encoded_free(left);
    encoded_free(right);
    return value;
}

TEST(each_sentence_is_read_by_itself)
{
    begin("tests/vectors/heads/st-bert-mean", &(struct interventions){0});
    ck_assert_ptr_nonnull(session.data.sentences);
    ck_assert_double_eq_tol(session.data.sentences->value, value_alone(NULL, NULL), 1e-12);
    ck_assert(isnan(session.data.sentences->before));
    end();
}

/* A hidden token and a cut connection have their places in the sentence alone, [CLS] in both. */
TEST(changes_go_with_their_sentence)
{
    struct interventions changes = {.causal = true, .temperature = 0.5, .off = {2}}, a = changes,
                         b = changes;
    assert_ok(interventions_hide(&changes, 0, &error), error);
    assert_ok(interventions_hide(&changes, FLIES, &error), error);
    assert_ok(interventions_hide(&changes, BITES, &error), error);
    assert_ok(interventions_cut(&changes, (struct cut){1, 2, BITES, BITES - 1}, &error), error);
    assert_ok(interventions_cut(&changes, (struct cut){1, 2, BITES, FLIES}, &error), error);
    assert_ok(interventions_hide(&a, 0, &error), error);
    assert_ok(interventions_hide(&a, FLIES, &error), error);
    assert_ok(interventions_hide(&b, 0, &error), error);
    assert_ok(interventions_hide(&b, 4, &error), error);
    assert_ok(interventions_cut(&b, (struct cut){1, 2, 4, 3}, &error), error);
    begin("tests/vectors/heads/st-bert-mean", &changes);
    const double before = value_alone(NULL, NULL), value = value_alone(&a, &b);
    ck_assert_double_gt(fabs(value - before), 1e-3);
    ck_assert_double_eq_tol(session.data.sentences->value, value, 1e-12);
    ck_assert_double_eq_tol(session.data.sentences->before, before, 1e-12);
    end();
}

/* ---- Heads and words ---- */

static void show(enum view_kind view, enum metric metric, enum word_way without)
{
    struct look look = session.state.look;
    look.view = view;
    look.metric = metric;
    look.without = without;
    ck_assert(derive_show(&session, &look));
    assert_ok(request_rest(&session, &error), error);
}

/* Of a head the change is that of both sentences without it, in the network as it is changed. */
TEST(effects_are_those_of_both_sentences)
{
    struct interventions changes = {.causal = true, .off = {2}}, a = changes, b = changes;
    assert_ok(interventions_hide(&changes, FLIES, &error), error);
    assert_ok(interventions_hide(&a, FLIES, &error), error);
    begin("tests/vectors/heads/st-bert-mean", &changes);
    show(VIEW_MODEL, METRIC_EFFECT, WORDS_KEPT);
    const struct effects *effects = session.data.effects;
    ck_assert_ptr_nonnull(effects);
    ck_assert_double_eq_tol(effects->logprob, value_alone(&a, &b), 1e-12);
    for (size_t i = 0; i < effects->layers * effects->heads; i++) {
        struct interventions without[] = {a, b};
        for (size_t side = 0; side < 2; side++)
            without[side].off[i / effects->heads] |= 1U << i % effects->heads;
        ck_assert_double_eq_tol(effects->change[i],
                                value_alone(&without[0], &without[1]) - value_alone(&a, &b), 1e-12);
    }
    end();
}

/* The other sentence's vector stays. */
TEST(a_word_is_hidden_from_its_sentence)
{
    struct interventions changes = {.temperature = 0.5}, hidden = changes;
    char text[512];
    assert_ok(interventions_hide(&hidden, 4, &error), error);
    begin("tests/vectors/heads/st-bert-mean", &changes);
    session.state.look.from = BITES;
    show(VIEW_ANSWERS, METRIC_NONE, WORDS_HIDDEN);
    const struct word_effects *effects = session.data.word_effects;
    ck_assert_ptr_nonnull(effects);
    const double before = value_alone(&changes, &changes), now = value_alone(&changes, &hidden);
    ck_assert_double_eq_tol(effects->words[word_effects_at(effects, BITES)].change, now - before,
                            1e-12);
    const struct scene scene = session_scene(&session);
    ck_assert(view_sentence(&scene, false, text, sizeof text));
    ck_assert_ptr_eq(strstr(text, "With \"bites\" hidden the cosine "), text);
    end();
}

TEST(one_sentence_alone_says_what_is_missing)
{
    static const char missing[] =
        "the model compares two texts, and there is one: a second sentence is needed";
    const char *values[FIELD_COUNT] = {[FIELD_METRIC] = "effect"};
    begin("tests/vectors/heads/st-bert-mean", &(struct interventions){0});
    assert_ok(input_type(&session, "e Tab Ctrl-U Enter", &error), error);
    assert_ok(request_rest(&session, &error), error);
    assert_fails(fields_apply(&session, PART_LOOK, values, NULL, &error), STATUS_USAGE, missing,
                 error);
    show(VIEW_ANSWERS, METRIC_NONE, WORDS_KEPT);
    assert_ok(input_type(&session, "O", &error), error);
    ck_assert_str_eq(session.message, missing);
    ck_assert_int_eq(session.state.look.without, WORDS_KEPT);
    end();
}

/* Keys of a script find them measured, though the sentences have to be read first. */
TEST(keys_wait_for_effects)
{
    begin("tests/vectors/heads/st-bert-mean", &(struct interventions){0});
    show(VIEW_ANSWERS, METRIC_NONE, WORDS_KEPT);
    assert_ok(input_type(&session, "e Tab Ctrl-U \"she said\" Enter o n", &error), error);
    const struct effects *effects = session.data.effects;
    ck_assert_ptr_nonnull(effects);
    const size_t all = effects->layers * effects->heads,
                 second = effects_next(effects, effects_next(effects, all, true), true);
    ck_assert_uint_eq(session.state.look.layer, second / effects->heads);
    ck_assert_uint_eq(session.state.look.head, second % effects->heads);
    end();
}

/* Outside the answers view too, where the head that is off is shown. */
TEST(a_change_is_told_of_the_cosine)
{
    char text[512], expected[128];
    begin("tests/vectors/heads/st-bert-mean", &(struct interventions){.off = {0, 2}});
    const struct sentence_pair *sentences = session.data.sentences;
    snprintf(expected, sizeof expected, "Without head 1.1 the cosine %s from %.2f to %.2f",
             sentences->value < sentences->before ? "falls" : "rises", sentences->before,
             sentences->value);
    for (enum view_kind view = VIEW_HEAD; view < VIEW_COUNT; view++) {
        show(view, METRIC_NONE, WORDS_KEPT);
        session.state.look.layer = session.state.look.head = 1;
        const struct scene scene = session_scene(&session);
        if (!view_at(view)->compares && view != VIEW_CORPUS &&
            view_sentence(&scene, false, text, sizeof text))
            ck_assert_str_eq(text, expected);
    }
    end();
}

/* Nothing is compared where the model makes no vectors of sentences. */
TEST(a_classifier_compares_no_sentences)
{
    begin("tests/vectors/heads/seq-bert", &(struct interventions){0});
    ck_assert_ptr_null(session.data.sentences);
    end();
}

/* What was cut off is said for either, and where only one is longer. */
TEST(a_cut_is_said)
{
    char note[256];
    begin("tests/vectors/heads/st-mpnet", &(struct interventions){0});
    ck_assert(session_note(&session, note, sizeof note));
    ck_assert_str_eq(note, "cut to 6 tokens, as this model's max_seq_length says");
    ck_assert_uint_gt(session.data.tokens, 6);
    end();
    begin("tests/vectors/heads/st-bert-mean", &(struct interventions){0});
    ck_assert(!session_note(&session, note, sizeof note));
    end();
}

/* As texts for decoders often do, which bring "<bos>". */
TEST(a_text_that_begins_with_the_special_token_is_said)
{
    char note[256];
    begin("tests/vectors/heads/st-bert-mean", &(struct interventions){0});
    assert_ok(input_type(&session, "e Ctrl-U \"[CLS] she said\" Enter", &error), error);
    ck_assert(session_note(&session, note, sizeof note));
    ck_assert_str_eq(note, "the text begins with [CLS], which the tokenizer puts in front as well");
    assert_ok(input_type(&session, "e Ctrl-U \"she [CLS] said\" Enter", &error), error);
    ck_assert(!session_note(&session, note, sizeof note));
    end();
}

#define LONG                                                                                       \
    "the old dog bites the old dog bites the old dog bites the old dog bites the old dog bites "   \
    "the old dog bites the old dog bites the old dog bites the old dog bites the old dog bites "

/* What is typed may be longer than the model's positions, in one sentence or in two. */
TEST(a_long_sentence_is_cut_while_typing)
{
    char note[256];
    begin("tests/vectors/heads/st-mpnet", &(struct interventions){0});
    assert_ok(
        input_type(&session, "e Ctrl-U \"" LONG LONG "\" Tab Ctrl-U \"she said\" Enter", &error),
        error);
    ck_assert_uint_eq(session.data.tokens, 64);
    ck_assert_uint_eq(session.data.encoded->cut, 64);
    assert_ok(request_rest(&session, &error), error);
    ck_assert(session_note(&session, note, sizeof note));
    ck_assert_str_eq(note, "the pair is cut to 64 tokens, all that the model has positions for; "
                           "cut to 6 tokens, as this model's max_seq_length says");
    assert_ok(input_type(&session, "e Tab Ctrl-U Enter", &error), error);
    ck_assert_uint_eq(session.data.encoded->text_count, 1);
    ck_assert_uint_eq(session.data.tokens, 6);
    ck_assert_uint_eq(session.data.encoded->cut, 6);
    end();
}

/* The longer one loses its last words until both fit; each by itself is read as it always is. */
TEST(a_long_pair_is_cut)
{
    const struct text texts[] = {text_of_string(B), text_of_string(LONG LONG)};
    struct encoded *pair;
    assert_ok(checkpoint_open(&checkpoint, "tests/vectors/heads/st-bert-mean", NULL, NULL, &error),
              error);
    assert_ok(encoded_new(&checkpoint, texts, 2, (struct reading){.special = true}, &pair, &error),
              error);
    ck_assert_uint_eq(pair->cut, 64);
    ck_assert_uint_eq(pair->sides[SIDE_LEFT].boundary, 6);
    ck_assert_str_eq(pair->sides[SIDE_LEFT].labels[63], "[SEP]");
    encoded_free(pair);
    session_begin(&session, &checkpoint, true, &(struct interventions){0});
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    struct encoded *left = alone(B, NULL), *right = alone(LONG LONG, NULL);
    ck_assert_double_eq_tol(
        session.data.sentences->value,
        sentence_value(checkpoint.model->config.sentence, left->trace, right->trace), 1e-6);
    encoded_free(left);
    encoded_free(right);
    end();
}

/* A closing token of the pair is that of the sentence alone, wherever either is cut. */
TEST(a_cut_pair_keeps_its_closing_tokens)
{
    const struct text texts[] = {text_of_string(LONG LONG), text_of_string(B)};
    struct interventions changes = {0}, own = {0};
    assert_ok(checkpoint_open(&checkpoint, "tests/vectors/heads/st-bert-mean", NULL, NULL, &error),
              error);
    assert_ok(interventions_hide(&changes, 58, &error), error); /* the first [SEP] of the pair */
    assert_ok(interventions_hide(&own, 63, &error), error);
    session_begin(&session, &checkpoint, true, &changes);
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    ck_assert_str_eq(session.data.encoded->sides[SIDE_LEFT].labels[58], "[SEP]");
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    struct encoded *left = alone(LONG LONG, &own), *right = alone(B, NULL);
    ck_assert_double_eq_tol(
        session.data.sentences->value,
        sentence_value(checkpoint.model->config.sentence, left->trace, right->trace), 1e-12);
    encoded_free(left);
    encoded_free(right);
    end();
}

/* ---- A mean that is assumed ---- */

/* Of a bare encoder it is said where a vector is shown or written, and nowhere else. */
TEST(an_assumed_mean_is_said_where_it_counts)
{
    static const char said[] = "no pooling given: the mean of the tokens is assumed";
    static const char *const files[] = {"config.json", "model.safetensors", "tokenizer.json",
                                        "tokenizer_config.json"};
    const struct text texts[] = {text_of_string(A), text_of_string(B)};
    struct folder folder;
    char note[256];
    folder_make(&folder);
    for (size_t i = 0; i < COUNT(files); i++)
        folder_copy(&folder, "tests/vectors/heads/st-bert-mean", files[i]);
    assert_ok(checkpoint_open(&checkpoint, folder.path, NULL, NULL, &error), error);
    for (int i = 0; i < 4; i++) {
        session_begin(&session, &checkpoint, true, &(struct interventions){0});
        session.logits = i == 1;
        assert_ok(session_open(&session, texts, i == 3 ? 2 : 1, NULL, &error), error);
        if (i == 2)
            session.state.look.view = VIEW_ANSWERS;
        assert_ok(request_settle(&session, &error), error);
        assert_ok(request_rest(&session, &error), error);
        ck_assert_int_eq(session_note(&session, note, sizeof note), i > 0);
        ck_assert_str_eq(note, i > 0 ? said : "");
        if (i < 3)
            session_end(&session);
    }
    folder_remove(&folder);
    end();
}
