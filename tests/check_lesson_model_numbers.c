/* What formulas of lessons say of models: the numbers that the JSON export has, and those from
 * before a change of the network. */
#include "family_helpers.h"
#include "formula_helpers.h"
#include "model_helpers.h"
#include "schema.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct error error;

static cJSON *json;
static size_t asked; /* guesses that were asked for by their piece */

static void open_model(const char *name, const char *first, const char *second, bool logits)
{
    const struct interventions none = {0};
    const struct text texts[] = {{first, strlen(first)}, {second, second ? strlen(second) : 0}};
    assert_ok(checkpoint_open(&checkpoint, name, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    session.logits = logits;
    assert_ok(session_open(&session, texts, second ? 2 : 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
}

static void open_family(const char *family, const char *text)
{
    char *folder = family_path(family, ".");
    open_model(folder, text, NULL, true);
    free(folder);
}

static void close_model(void)
{
    cJSON_Delete(json);
    json = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.end = close_model);

static void read_json(void)
{
    const struct output output = {
        .session = &session, .include = INCLUDE_ALL | INCLUDE_METRICS | INCLUDE_LENS, .top = 10};
    json = export_made(&output);
}

static const cJSON *at(const cJSON *list, size_t index)
{
    const cJSON *item = cJSON_GetArrayItem(list, (int)index);
    ck_assert_ptr_nonnull(item);
    return item;
}

static const cJSON *head_at(size_t layer, size_t head)
{
    return at(json_member(at(json_member(json, "layers"), layer), "heads"), head);
}

/* A formula says a number of the export, to its precision, and writes it with as many decimals. */
static void assert_number(const cJSON *item, int decimals, double tolerance, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));

static void assert_number(const cJSON *item, int decimals, double tolerance, const char *format,
                          ...)
{
    va_list arguments;
    char text[64];
    va_start(arguments, format);
    struct formula_value value = ask_list(format, arguments);
    va_end(arguments);
    ck_assert(cJSON_IsNumber(item));
    ck_assert_int_eq(value.state, FORMULA_KNOWN);
    ck_assert_double_eq_tol(value.value, item->valuedouble, tolerance);
    snprintf(text, sizeof text, "%.*f", decimals, value.value);
    if (strtod(text, NULL) >= 0 && strtod(text, NULL) <= 0)
        snprintf(text, sizeof text, "%.*f", decimals, 0.0);
    bool tiny = decimals == 3 && value.value > 0 && value.value < 0.0005;
    ck_assert_str_eq(value.text, tiny ? "under 0.001" : text);
}

static void check_heads(void)
{
    size_t tokens = session.data.tokens;
    for (size_t layer = 0; layer < session.data.layers; layer++)
        for (size_t head = 0; head < session.data.head_count; head++) {
            const cJSON *of = head_at(layer, head);
            for (size_t pair = 0; pair < tokens * tokens; pair += 5) {
                size_t from = pair / tokens, to = pair % tokens;
                assert_number(at(at(json_member(of, "weights"), from), to), 3, 1e-7,
                              "weight #%zu → #%zu at %zu.%zu", from, to, layer, head);
                const cJSON *score = at(at(json_member(of, "scores"), from), to);
                if (cJSON_IsNumber(score)) /* null: masked */
                    assert_number(score, 2, 1e-5, "score #%zu → #%zu at %zu.%zu", from, to, layer,
                                  head);
                else
                    ck_assert_str_eq(
                        ask("score #%zu → #%zu at %zu.%zu", from, to, layer, head).text, "-inf");
            }
        }
}

static void check_dots(void)
{
    const cJSON *of = head_at(1, 2), *query = at(json_member(of, "query"), 1),
                *key = at(json_member(of, "key"), 3);
    double dot = 0;
    for (int d = 0; d < cJSON_GetArraySize(query); d++)
        dot += at(query, (size_t)d)->valuedouble * at(key, (size_t)d)->valuedouble;
    ck_assert_double_eq_tol(number("dot #1 → #3 at 1.2"), dot, 1e-4);
}

static void check_figures(void)
{
    for (size_t layer = 0; layer < session.data.layers; layer++)
        for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++) {
            const char *name = metric_infos[metric].name;
            const cJSON *figure = json_member(json_member(head_at(layer, 1), "metrics"), name);
            if (cJSON_IsNumber(figure))
                assert_number(figure, 2, 1e-5, "figure %s at %zu.1", name, layer);
            else
                ck_assert_int_eq(ask("figure %s at %zu.1", name, layer).state, FORMULA_UNKNOWN);
        }
}

/* The vectors of a level: the embedding, or a layer's output. */
static const cJSON *vectors(size_t level)
{
    return level == 0 ? json_member(json, "embedding")
                      : json_member(at(json_member(json, "layers"), level - 1), "output");
}

static void check_cosines(size_t a, size_t b)
{
    for (size_t level = 0; level <= session.data.layers; level++) {
        const cJSON *left = at(vectors(level), a), *right = at(vectors(level), b);
        double sums[3] = {0, 0, 0};
        for (int d = 0; d < cJSON_GetArraySize(left); d++) {
            double x = at(left, (size_t)d)->valuedouble, y = at(right, (size_t)d)->valuedouble;
            sums[0] += x * y;
            sums[1] += x * x;
            sums[2] += y * y;
        }
        ck_assert_double_eq_tol(number("cosine #%zu #%zu at %zu", a, b, level),
                                sums[0] / sqrt(sums[1] * sums[2]), 1e-5);
    }
}

/* The lens' last layer, at every token. Among pieces that begin with the sign of a blank "as" means
 * "Ġas": what continues a word has a name only where no other is meant by it. */
static void check_guess(const cJSON *said, size_t token, size_t place, double tolerance)
{
    const double p = exp(json_member(said, "logprob")->valuedouble);
    const char *piece = json_member(said, "piece")->valuestring;
    const char *label = tokenizer_label(checkpoint.tokenizer, json_member(said, "id")->valueint);
    const bool blank = strncmp(label, "Ġ", 2) == 0 && label[2];
    ck_assert_str_eq(ask("guess #%zu %zu", token, place).text, blank ? label + 2 : label);
    if (place == 1)
        ck_assert_double_eq_tol(number("p #%zu", token), p, tolerance);
    if (!blank && tokenizer_find(checkpoint.tokenizer, "Ġt") >= 0)
        return;
    ck_assert_double_eq_tol(number("p #%zu = %s", token, piece), p, tolerance);
    ck_assert_double_eq(number("rank #%zu = %s", token, piece), (double)place);
    asked++;
}

static void check_guesses(double tolerance)
{
    const cJSON *lens = at(json_member(json, "lens"), session.data.layers - 1);
    asked = 0;
    for (size_t token = 0; token < session.data.tokens; token++)
        for (size_t place = 1; place <= 10; place++)
            check_guess(at(at(lens, token), place - 1), token, place, tolerance);
    ck_assert_uint_gt(asked, 5);
}

/* Of two words of one piece the cosines. */
static void check_all(size_t a, size_t b)
{
    read_json();
    check_heads();
    check_dots();
    check_figures();
    check_cosines(a, b);
}

TEST(numbers_of_the_built_in_model_are_those_of_the_export)
{
    open_model(NULL, "the [MASK] sat on the mat", "it was happy", true);
    check_all(1, 3);
    check_guesses(1e-6);
    const cJSON *masked = export_answer(json, "word", 0);
    ck_assert_str_eq(ask("guess [MASK]").text, json_member(masked, "name")->valuestring);
    assert_number(json_member(masked, "value"), 3, 1e-7, "p [MASK]");
    assert_number(json_member(export_answer(json, "pair", 0), "value"), 3, 1e-7, "next");
    assert_unknown("p [MASK] = antidisestablishmentarianism");
    ck_assert_double_eq(number("p [MASK] = GIRL"), number("p [MASK] = girl")); /* as it reads it */
    enum formula_state state;
    bool holds;
    assert_ok(condition_read("words and next and not masked and {next} > 0.5", &session, &state,
                             &holds, &error),
              error);
    ck_assert(state == FORMULA_KNOWN && holds);
}

/* At the keyboard nobody computes logits; those of one token are as good. */
TEST(words_are_asked_of_the_model_where_the_trace_has_none)
{
    open_model(NULL, "the [MASK] sat on the mat", NULL, true);
    double p = number("p [MASK] = girl"), rank = number("rank [MASK] = girl");
    char guess[160];
    snprintf(guess, sizeof guess, "%s", ask("guess [MASK] 3").text);
    close_model();
    open_model(NULL, "the [MASK] sat on the mat", NULL, false);
    ck_assert_ptr_null(trace_words(session.data.trace));
    ck_assert_double_eq_tol(number("p [MASK] = girl"), p, 1e-5);
    ck_assert_double_eq(number("rank [MASK] = girl"), rank);
    assert_says("guess [MASK] 3", guess);
    read_json();
    check_guesses(1e-5);
}

TEST(a_word_of_several_pieces_has_the_cosine_of_their_mean)
{
    open_model(NULL, "xylophone , a xylophone", NULL, false);
    ck_assert_uint_gt(session.data.tokens, 7);
    double cosine = number("cosine xylophone , at 8");
    ck_assert_double_eq_tol(number("cosine #2 , at 8"), cosine, 1e-12); /* a later piece */
    act(ACTION_WORDS);
    ck_assert_double_eq_tol(number("cosine xylophone , at 8"), cosine, 1e-12);
}

/* As that of two words that have little in common is. */
TEST(a_cosine_below_zero_has_its_sign)
{
    char text[32];
    open_model(NULL, "time flies like an arrow", "fruit flies like a banana", false);
    double cosine = number("cosine arrow a at 0");
    ck_assert_double_lt(cosine, -0.001);
    snprintf(text, sizeof text, "%.3f", cosine);
    ck_assert_int_eq(text[0], '-');
    assert_says("cosine arrow a at 0", text);
}

static void check_family(const char *family, const char *text, size_t a, size_t b)
{
    open_family(family, text);
    check_all(a, b);
    check_guesses(1e-5);
}

TEST(numbers_of_roberta_are_those_of_the_export)
{
    check_family("roberta", "the cat and <mask> had to", 5, 9);
}

/* What comes next: "Ġand" is "and". */
TEST(numbers_of_gpt2_are_those_of_the_export)
{
    check_family("gpt2", "the cat and he had to", 4, 8);
    const cJSON *truth = NULL;
    for (size_t i = 0;
         !truth || json_member(truth, "token")->valueint != 3 || !json_member(truth, "next"); i++)
        ck_assert_ptr_nonnull(truth = export_answer(json, "word", i));
    ck_assert_str_eq(json_member(truth, "name")->valuestring, "Ġand");
    assert_number(json_member(truth, "value"), 3, 1e-6, "p #3 = and");
    assert_number(json_member(truth, "rank"), 0, 0.5, "rank #3 = and");
}

/* ---- Changed networks ---- */

static const char *const said_before[] = {
    "weight cat → sat at 5.3",
    "most sat at 5.3",
    "figure entropy at 4.4",
    "layer of previous",
    "p [MASK] = on",
    "rank [MASK] = on",
    "guess [MASK]",
    "cosine cat mat at 8",
    "dot cat → sat at 5.3",
    "score cat → sat at 5.3",
    "head of telling",
};

/* So that no pass is known that could be the one before a change. */
static void open_anew(const char *text)
{
    const struct text texts[] = {{text, strlen(text)}};
    assert_ok(session_open(&session, texts, 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
}

TEST(before_is_what_the_network_said_unchanged, .times = 2)
{
    const char *values[FIELD_COUNT] = {[FIELD_OFF] = "0.0,1.1,2.2,3.3"};
    char plain[COUNT(said_before)][160], before[64];
    enum state_field failed;
    open_model(NULL, "the cat sat [MASK] the mat .", NULL, _i);
    for (int i = 0; i < COUNT(said_before); i++) {
        snprintf(plain[i], sizeof plain[i], "%s", ask("%s", said_before[i]).text);
        snprintf(before, sizeof before, "%s before", said_before[i]);
        assert_says(before, plain[i]);
    }
    assert_ok(fields_apply(&session, PART_NETWORK, values, &failed, &error), error);
    open_anew("the cat sat [MASK] the mat .");
    ck_assert(number("weight cat → sat at 5.3") != strtod(plain[0], NULL));
    assert_pending("weight cat → sat at 5.3 before");
    assert_ok(request_rest(&session, &error), error);
    for (int i = 0; i < COUNT(said_before); i++) {
        snprintf(before, sizeof before, "%s before", said_before[i]);
        assert_says(before, plain[i]);
    }
    ck_assert_str_ne(ask("weight cat → sat at 5.3").text, plain[0]);
}

TEST(what_was_before_may_never_be_known)
{
    const char *values[FIELD_COUNT] = {[FIELD_OFF] = "0.0"};
    enum state_field failed;
    open_model(NULL, "the cat", NULL, false);
    assert_ok(fields_apply(&session, PART_NETWORK, values, &failed, &error), error);
    open_anew("the cat");
    session.data.stopped = true;
    assert_unknown("weight the → cat before");
    session.data.checkpoint = NULL;
    assert_unknown("weight the → cat before");
    session.data.checkpoint = &checkpoint;
}
