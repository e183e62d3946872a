/* What a picture shows, in a sentence: its names and numbers are those of the trace. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/lens/predict.h"
#include "headlight/session/derive.h"
#include "headlight/session/request.h"
#include "headlight/view/comparison.h"
#include "headlight/view/steps_sheet.h"
#include "headlight/view/views.h"
#include "headlight/view/words.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char said[512];
static struct checkpoint checkpoint;
static struct error error;

/* What a view says now; empty: nothing. */
static const char *say(enum view_kind view)
{
    session_set_view(&session, view);
    const struct scene scene = session_scene(&session);
    view_sentence(&scene, false, said, sizeof said);
    return said;
}

/* Fails unless the sentence is this one, with the number in parentheses behind it. */
static void __attribute__((format(printf, 2, 3))) check_said(double number, const char *format, ...)
{
    char sentence[sizeof said], *end;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    size_t length = strlen(sentence);
    ck_assert_msg(strncmp(said, sentence, length) == 0 && strncmp(said + length, " (", 2) == 0,
                  "\"%s\", expected \"%s\"", said, sentence);
    double found = strtod(said + length + 2, &end);
    ck_assert_msg(*end == ')' || *end == ',', "%s", said);
    ck_assert_msg(fabs(found - number) <= 0.00051, "%s, not %f", said, number);
}

static double number_after(const char *words)
{
    const char *found = strstr(said, words);
    ck_assert_msg(found != NULL, "no \"%s\" in \"%s\"", words, said);
    return strtod(found + strlen(words), NULL);
}

static void check_begins(const char *begin)
{
    ck_assert_msg(strncmp(said, begin, strlen(begin)) == 0, "\"%s\", expected \"%s\"", said, begin);
}

/* A token's name, quoted. */
static const char *name_of(size_t token)
{
    static char names[4][600];
    static size_t next;
    const struct scene scene = session_scene(&session);
    char *name = names[next++ % 4];
    snprintf(name, sizeof names[0], "\"%s\"", scene_name(&scene, SIDE_LEFT, token, false).text);
    return name;
}

/* ---- The head view ---- */

/* The weight on screen, from the trace: to a word the sum over its pieces, from one their mean. */
static double weight_of(size_t head, size_t from, size_t to)
{
    const struct data *data = &session.data;
    const struct token_range rows = data->attention->tokens[SIDE_LEFT].of[from],
                             columns = data->attention->tokens[SIDE_RIGHT].of[to];
    double sum = 0;
    for (size_t i = rows.first; i < rows.end; i++)
        for (size_t j = columns.first; j < columns.end; j++)
            sum += (double)trace_weight(data->trace, session.state.look.layer, head, i, j);
    return sum / (double)(rows.end - rows.first);
}

static bool is_word(size_t shown)
{
    const struct data *data = &session.data;
    return !data->encoded->sides[SIDE_LEFT]
                .special[data->attention->tokens[SIDE_LEFT].of[shown].first];
}

struct found {
    size_t head, from, to;
    double weight;
};

/* The largest of some heads, of words alone or of all tokens. */
static struct found largest(uint64_t heads, bool words)
{
    const size_t count = session.data.attention->tokens[SIDE_LEFT].count;
    struct found best = {.weight = -1};
    for (size_t head = 0; head < session.data.head_count; head++)
        for (size_t from = 0; from < count && head_mask_has(heads, head); from++)
            for (size_t to = 0; to < count; to++) {
                double weight = weight_of(head, from, to);
                bool fits = !words || (from != to && is_word(from) && is_word(to));
                if (fits && round(weight * 1000) > round(best.weight * 1000))
                    best = (struct found){head, from, to, weight};
            }
    return best;
}

/* How many heads have each label, the most first, of the two that most have; false: none has one.
 */
static bool check_habits(void)
{
    const struct trace *trace = session.data.trace;
    const size_t heads = session.data.layers * session.data.head_count;
    size_t counts[LABEL_BROAD + 1] = {0}, first = 0, second = 0;
    for (size_t i = 0; i < heads; i++) {
        const struct head_metrics metrics =
            metrics_measure(trace, i / trace->heads, i % trace->heads, &session.data.kinds);
        counts[metrics_label(&metrics).label]++;
    }
    counts[LABEL_NONE] = 0;
    for (int label = 1; label <= LABEL_BROAD; label++)
        first = counts[label] > counts[first] ? (size_t)label : first;
    for (int label = 1; label <= LABEL_BROAD; label++)
        second = label != (int)first && counts[label] > counts[second] ? (size_t)label : second;
    char begin[64], next[32];
    snprintf(begin, sizeof begin, "%zu of %zu heads l", counts[first], heads);
    snprintf(next, sizeof next, ", %zu l", counts[second]);
    if (counts[first] == 0)
        return false;
    check_begins(begin);
    ck_assert_int_eq(strstr(said, next) != NULL, counts[second] > 0);
    return true;
}

/* A head's label, or else its strongest edge, from the trace alone; of the whole model what others
 * do comes before that. */
static void check_head(enum view_kind view, const char *prefix, uint64_t heads, bool whole)
{
    const struct look *look = &session.state.look;
    const struct head_metrics metrics = metrics_measure(
        session.data.trace, look->layer, head_mask_first(heads), &session.data.kinds);
    const struct head_label label = metrics_label(&metrics);
    say(view);
    if (whole && head_mask_count(heads) == 1 && label.label != LABEL_NONE) {
        check_said(label.value, "Head %zu.%zu %s%s", look->layer, head_mask_first(heads),
                   label.says, label.label == LABEL_SAME ? " in both sentences" : "");
        return;
    }
    if (view == VIEW_MODEL && check_habits())
        return;
    struct found all = largest(heads, false), words = largest(heads, true);
    bool between = round(words.weight * 1000) >= 50;
    bool heavier = round(all.weight * 1000) > round(words.weight * 1000);
    const struct found *found = between ? &words : &all;
    check_said(found->weight, "%s%s%s looks most at %s", prefix,
               !between || !heavier ? ""
               : *prefix            ? "between words, "
                                    : "Between words, ",
               name_of(found->from), name_of(found->to));
    const char *head = strstr(said, ", head ");
    ck_assert_int_eq(head != NULL, head_mask_count(heads) > 1);
    if (head)
        ck_assert_int_eq(atoi(head + 7), (int)found->head);
}

/* One head, two and all of them; of all tokens, merged ones, and without [CLS] and [SEP]. */
static void check_heads(void)
{
    static const struct shape shapes[] = {{0}, {.words = true}, {.special = SPECIAL_HIDDEN}};
    for (int i = 0; i < COUNT(shapes); i++)
        for (size_t layer = 0; layer < session.data.layers; layer++)
            for (uint64_t heads = 1; heads <= 4; heads++) {
                struct look look = session.state.look;
                look.shape = shapes[i];
                look.layer = layer;
                look.heads = heads < 4 ? heads : head_mask_all(session.data.head_count);
                ck_assert(session_show(&session, &look));
                bool whole = session.data.attention->tokens[SIDE_LEFT].count == session.data.tokens;
                check_head(VIEW_HEAD, "", look.heads, whole);
                if (heads == 3)
                    continue; /* other views show one */
                look.head = session.state.look.head = heads < 4 ? (size_t)heads - 1 : 3;
                char prefix[48];
                snprintf(prefix, sizeof prefix, "In head %zu.%zu ", layer, look.head);
                check_head(VIEW_MATRIX, "", head_mask_of(look.head), whole);
                check_head(VIEW_MODEL, prefix, head_mask_of(look.head), whole);
            }
}

TESTS(.base = &session_tests);

TEST(a_head_says_what_its_weights_say)
{
    check_heads();
}

/* Each token in turn attends to the one before it, and so on: every label is said. */
TEST(a_head_says_what_it_does)
{
    static const struct {
        int offset;
        const char *sentence;
    } cases[] = {{-1, "Head 0.0 looks at the word before"},
                 {1, "Head 0.0 looks at the next word"},
                 {0, "Head 0.0 looks at the word itself"}};
    const size_t T = session.data.tokens;
    float *weights = session.data.encoded->trace->layer[0].weights;
    session.state.look.heads = 1;
    for (int i = 0; i < COUNT(cases); i++) {
        memset(weights, 0, T * T * sizeof *weights);
        for (size_t from = 0; from < T; from++) {
            size_t to = (size_t)((int)from + cases[i].offset);
            weights[from * T + (to < T ? to : from)] = 1;
        }
        say(VIEW_HEAD);
        check_said(1, "%s", cases[i].sentence);
    }
    memset(weights, 0, T * T * sizeof *weights); /* like, flies and an are in both sentences */
    for (size_t from = 0; from < T; from++) {
        size_t word = session.data.kinds.words[from], to = from;
        for (size_t i = 0; i < T && word != NO_TOKEN; i++)
            to = session.data.kinds.words[i] == word && i != from ? i : to;
        weights[from * T + to] = 1;
    }
    say(VIEW_HEAD);
    check_said(1, "Head 0.0 links the same word in both sentences");
    for (size_t i = 0; i < T * T; i++)
        weights[i] = 1 / (float)T;
    say(VIEW_HEAD);
    check_said(1, "Head 0.0 looks at everything alike");
}

/* "In both sentences" only where each repeats a word of the other: not within one, nor where there
 * is only one; and a text may have no [CLS] and [SEP]. */
TEST(the_same_word_may_be_in_one_sentence)
{
    static const char *const bare[] = {"a", "b", "a", "c", "b", "d"};
    for (size_t boundary = 3; boundary <= 6; boundary++) {
        session_anew(bare, 6, boundary, 1, 2);
        float *weights = session.data.encoded->trace->layer[0].weights;
        memset(weights, 0, 36 * sizeof *weights);
        static const size_t to[] = {2, 4, 0, 0, 1, 0}; /* a and b look at each other */
        for (size_t from = 0; from < 6; from++)
            weights[from * 6 + to[from]] = from == 3 || from == 5 ? 0.1F : 1;
        say(VIEW_HEAD);
        check_said(1, "Head 0.0 links the same word");
        say(VIEW_MODEL);
        check_said(1, "Head 0.0 links the same word");
    }
    static const char *const across[] = {"a", "b", "c", "b", "d"};
    session_anew(across, 5, 2, 1, 2);
    float *weights = session.data.encoded->trace->layer[0].weights;
    memset(weights, 0, 25 * sizeof *weights);
    for (size_t from = 0; from < 5; from++)
        weights[from * 5 + (from == 1 ? 3 : from == 3 ? 1 : from)] = 1;
    weights[0] = weights[2 * 5 + 2] = weights[4 * 5 + 4] = 0.1F;
    say(VIEW_HEAD);
    check_said(1, "Head 0.0 links the same word in both sentences");
}

/* A chosen token's own line, whichever side it is on, and a chosen pair. */
TEST(a_chosen_token_is_what_is_spoken_of)
{
    struct look *look = &session.state.look;
    look->heads = 2;
    for (size_t token = 0; token < session.data.tokens; token++) {
        struct found from = {.weight = -1}, to = from;
        for (size_t other = 0; other < session.data.tokens; other++) {
            if (weight_of(1, token, other) > from.weight)
                from = (struct found){1, token, other, weight_of(1, token, other)};
            if (weight_of(1, other, token) > to.weight)
                to = (struct found){1, other, token, weight_of(1, other, token)};
        }
        look->from = token;
        look->side = SIDE_LEFT;
        say(VIEW_HEAD);
        check_said(from.weight, "%s looks most at %s", name_of(token), name_of(from.to));
        look->from = NO_TOKEN;
        look->to = token;
        look->side = SIDE_RIGHT;
        say(VIEW_HEAD);
        check_said(to.weight, "%s is looked at most by %s", name_of(token), name_of(to.from));
        look->from = 3;
        say(VIEW_HEAD);
        check_said(weight_of(1, 3, token), "%s looks at %s", name_of(3), name_of(token));
        look->from = look->to = NO_TOKEN;
    }
}

/* ---- Other views of attention ---- */

/* A query is always chosen; its heaviest key has the highest score. A head made uniform looks
 * without one. */
TEST(a_query_says_its_key_and_score)
{
    for (size_t from = 0; from < session.data.tokens; from++)
        for (size_t head = 0; head < session.data.head_count; head++) {
            struct look look = session.state.look;
            char expected[600];
            size_t most = 0;
            look.view = VIEW_NEURON;
            look.head = head;
            look.from = from;
            ck_assert(session_show(&session, &look));
            for (size_t to = 1; to < session.data.tokens; to++)
                most = weight_of(head, from, to) > weight_of(head, from, most) ? to : most;
            say(VIEW_NEURON);
            snprintf(expected, sizeof expected, "%s's query and %s's key score ", name_of(from),
                     name_of(most));
            ck_assert_msg(strncmp(said, expected, strlen(expected)) == 0, "%s", said);
            const double score = number_after(expected),
                         weight = number_after("; softmax makes it ");
            ck_assert(fabs(score - (double)trace_score(session.data.trace, 0, head, from, most)) <
                      0.0051);
            ck_assert(fabs(weight - weight_of(head, from, most)) <= 0.00051);
        }
}

TEST(the_ranking_says_which_head_is_first)
{
    const struct trace *trace = session.data.trace;
    for (size_t token = 0; token < session.data.tokens; token++) {
        struct look look = session.state.look;
        size_t best = 0;
        look.from = token;
        look.to = 2;
        look.ranked = true;
        ck_assert(session_show(&session, &look));
        for (size_t i = 1; i < 2 * session.data.head_count; i++)
            if (trace_weight(trace, i / 4, i % 4, token, 2) >
                trace_weight(trace, best / 4, best % 4, token, 2))
                best = i;
        say(VIEW_HEAD);
        check_said((double)trace_weight(trace, best / 4, best % 4, token, 2),
                   "Head %zu.%zu links %s to %s most of all", best / 4, best % 4, name_of(token),
                   name_of(2));
    }
}

/* Other numbers than weights: each in a sentence of its own, with a subject and a verb. */
static const struct {
    enum map_kind map;
    const char *begin, *between;
} maps[] = {{MAP_SCORES, "The score of ", " for "},
            {MAP_NORMS, "The length added to ", " from "},
            {MAP_ROLLOUT, "The share of ", " taken from "},
            {MAP_SIMILARITY, "The cosine of ", " with "},
            {MAP_PLAIN, "The plain attention of ", " to "}};

TEST(a_map_is_named, .times = COUNT(maps))
{
    char expected[300], words[300];
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "the cat sat.", NULL);
    session.state.look.map = maps[_i].map;
    session_set_view(&session, VIEW_MATRIX);
    assert_ok(request_settle(&session, &error), error);
    say(VIEW_MATRIX);
    check_begins("Strongest");
    snprintf(words, sizeof words, ": t%s", maps[_i].begin + 1);
    ck_assert_msg(strstr(said, words) != NULL, "%s", said);
    session.state.look.from = 1;
    session.state.look.to = 2;
    session.state.look.query_found = false;
    say(VIEW_MATRIX);
    snprintf(expected, sizeof expected, "%s%s%s%s is ", maps[_i].begin, name_of(1),
             maps[_i].between, name_of(2));
    check_begins(expected);
    ck_assert(fabs(number_after(" is ") - (double)scene_value(scene_of(&session), 0, 1, 2)) <
              0.051);
    end_session();
    checkpoint_close(&checkpoint);
}

/* ---- Vectors ---- */

/* The cosine of the means of two words' vectors [T,H]. */
static double cosine_of(const float *a, struct token_range word, const float *b,
                        struct token_range other, size_t hidden)
{
    double both = 0, left = 0, right = 0;
    for (size_t d = 0; d < hidden; d++) {
        double x = 0, y = 0;
        for (size_t i = word.first; i < word.end; i++)
            x += (double)a[i * hidden + d];
        for (size_t i = other.first; i < other.end; i++)
            y += (double)b[i * hidden + d];
        both += x * y;
        left += x * x;
        right += y * y;
    }
    return both / sqrt(left * right);
}

static void check_steps(void)
{
    const struct trace *trace = session.data.trace;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t token = 0; token < trace->tokens; token++) {
            char expected[600];
            const struct token_range word = {token, token + 1};
            session.state.look.layer = layer;
            session.state.look.from = token;
            session.state.look.query_found = false;
            session.state.look.stage = STAGE_OUTPUT;
            session.state.look.number = NO_TOKEN;
            say(VIEW_STEPS);
            snprintf(expected, sizeof expected, "Layer %zu turns the vector of %s: cosine ", layer,
                     name_of(token));
            double cosine = cosine_of(trace->layer[layer].input, word, trace->layer[layer].output,
                                      word, trace->hidden);
            ck_assert(fabs(number_after(expected) - cosine) <= 0.00051);
        }
}

static void check_compare(void)
{
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
    const struct scene scene = session_scene(&session);
    const struct comparison both = comparison_of(&scene);
    struct occurrence words[2];
    ck_assert(comparison_word(&both, words));
    const size_t last = words[0].trace->layers - 1;
    double cosine =
        cosine_of(words[0].trace->layer[last].output, words[0].pieces,
                  words[1].trace->layer[last].output, words[1].pieces, words[0].trace->hidden);
    say(VIEW_COMPARE);
    ck_assert(fabs(number_after(" at the start, ") - cosine) <= 0.00051);
    ck_assert(fabs(number_after(": cosine ") - cosine_at(&words[0], &words[1], 0)) <= 0.00051);
    ck_assert_msg(strstr(said, " at the end"), "%s", said);
}

TEST(vectors_are_those_of_the_trace)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "the cat sat.", "the dog ran.");
    check_compare();
    check_begins("\"the\" and \"the\": ");
    session_anew_on_texts(&checkpoint, NULL, "the cat sat on the mat.", NULL);
    check_compare();
    check_begins("\"the₁\" and \"the₂\": ");
    session_set_view(&session, VIEW_STEPS);
    check_steps();
    end_session();
    checkpoint_close(&checkpoint);
}

/* ---- The words view ---- */

/* The likeliest two at each token, from the logits. */
static void check_words(void)
{
    const struct trace *trace = session.data.trace;
    for (size_t token = 0; token < session.data.tokens; token++) {
        const struct scene scene = session_scene(&session);
        struct look look = session.state.look;
        char expected[200];
        look.layer = session.data.layers - 1;
        look.from = token;
        look.query_found = false;
        ck_assert(session_show(&session, &look));
        say(VIEW_ANSWERS);
        const struct lens_cell *cell = words_cell(&scene, look.layer, token);
        if (words_untrained(&scene, token)) {
            ck_assert_str_eq(said, "");
            continue;
        }
        ck_assert_ptr_nonnull(cell);
        check_said(exp(cell->best[0].logprob), "For %s the model says \"%s\"", name_of(token),
                   words_piece(&scene, cell->best[0].id));
        if (trace_words(trace)) {
            struct prediction best[2];
            ck_assert_uint_eq(predict_pieces(trace, token, best, 2), 2);
            ck_assert_int_eq(best[0].id, cell->best[0].id);
            ck_assert_int_eq(best[1].id, cell->best[1].id);
        }
        snprintf(expected, sizeof expected, ", then \"%s\"", words_piece(&scene, cell->best[1].id));
        const char *then = strstr(said, expected);
        ck_assert_msg(then != NULL, "%s", said);
        double second = strtod(then + strlen(expected) + 2, NULL);
        ck_assert(fabs(second - exp(cell->best[1].logprob)) <= 0.00051);
    }
}

TEST(words_are_what_the_model_says)
{
    static const char *const texts[][2] = {{"the [MASK] sat on the mat.", NULL},
                                           {"the cat sat.", "the dog ran."}};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    for (int i = 0; i < COUNT(texts); i++) {
        session_anew_on_texts(&checkpoint, NULL, texts[i][0], texts[i][1]);
        session_set_view(&session, VIEW_ANSWERS);
        ck_assert_int_eq(derive_look(&session, &session.state.look, &error), STATUS_OK);
        check_words();
        session.state.look.query_found = true; /* not the user's, so the head view has none */
        session_set_view(&session, VIEW_HEAD);
        check_heads();
    }
    end_session();
    checkpoint_close(&checkpoint);
}

/* ---- What a change changed ---- */

static void change(const struct interventions *changes)
{
    session.state.source.changes = *changes;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
}

/* The likeliest piece before and how likely it is before and after, from logits of passes of their
 * own. */
static void check_outcome(const char *text, size_t mask, const struct interventions *changes,
                          const char *cause)
{
    struct encoded *encoded;
    double probability[2];
    size_t id = 0;
    char expected[600];
    for (int after = 0; after < 2; after++) {
        assert_ok(encoded_new(&checkpoint, &(struct text){text, strlen(text)}, 1,
                              (struct reading){.special = true, .logits = true}, &encoded, &error),
                  error);
        struct trace *trace = encoded->trace;
        assert_ok(forward_run(checkpoint.model, after ? changes : NULL, NULL, trace, &error),
                  error);
        const float *logits = trace_words(trace) + mask * trace->vocabulary;
        for (size_t i = 0; i < trace->vocabulary && !after; i++)
            id = logits[i] > logits[id] ? i : id;
        probability[after] =
            exp((double)logits[id] - predict_total(logits, trace->vocabulary, NULL));
        encoded_free(encoded);
    }
    snprintf(expected, sizeof expected, "%s\"%s\" %s from ", cause,
             tokenizer_label(checkpoint.tokenizer, (int32_t)id),
             probability[1] < probability[0] ? "falls" : "rises");
    for (enum view_kind view = 0; view < VIEW_COUNT; view++) {
        if (view == VIEW_COMPARE || view == VIEW_CORPUS)
            continue;
        /* the model's own answer, or a head that is off */
        session.state.look.layer = view == VIEW_ANSWERS ? session.data.layers - 1 : 1;
        session.state.look.head = changes->off[1] == 2;
        say(view);
        check_begins(expected);
        ck_assert(fabs(number_after(expected) - probability[0]) <= 0.00051);
        ck_assert(fabs(number_after(" to ") - probability[1]) <= 0.00051);
    }
}

TEST(a_change_says_what_became_of_the_answer)
{
    static const char text[] = "the [MASK] sat on the mat.";
    const struct interventions one = {.off = {[1] = 2}}, two = {.off = {1, 1}},
                               causal = {.causal = true, .off = {1}};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, text, NULL);
    session_set_view(&session, VIEW_ANSWERS);
    change(&one);
    check_outcome(text, 2, &one, "Without head 1.1 ");
    change(&two);
    check_outcome(text, 2, &two, "Without 2 heads ");
    change(&causal);
    check_outcome(text, 2, &causal, "After the change ");
    change(&(struct interventions){0});
    ck_assert_ptr_null(strstr(say(VIEW_HEAD), "Without"));
    end_session();
    checkpoint_close(&checkpoint);
}

/* Of a change to one head, a view whose cursor is on another says what that one does, now and
 * before. */
TEST(a_head_beside_the_one_that_is_off_has_its_own_sentence)
{
    const struct interventions off = {.off = {[1] = 2}};
    unsigned before;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "the [MASK] sat on the mat.", NULL);
    session_set_view(&session, VIEW_MODEL);
    session.state.look.metric = METRIC_EFFECT;
    change(&off);
    session.state.look.layer = session.state.look.head = 1;
    say(VIEW_MODEL);
    check_begins("Without head 1.1 \"");
    session.state.look.head = 0;
    say(VIEW_MODEL);
    check_begins("Without head 1.1 and without head 1.0 \"");
    const double begun =
        target_shown(checkpoint.model, &session.data.effects->on, session.data.effects->logprob);
    ck_assert(fabs(number_after(strstr(said, " stays ") ? " at " : " from ") - begun) <= 0.00051);
    look_show_alone(&session.state.look, 0);
    session.state.look.from = session.state.look.to = 3;
    session.state.look.query_found = false;
    say(VIEW_HEAD);
    check_begins("Without head 1.1 \"sat\" looks at \"sat\" (");
    ck_assert(fabs(number_after(" (") - weight_of(0, 3, 3)) <= 0.00051);
    ck_assert(scene_weight_before(scene_of(&session), 0, 3, 3, &before));
    if (before != edge_thousandths((float)weight_of(0, 3, 3)))
        ck_assert(fabs(number_after(", before ") - before / 1000.0) <= 0.00051);
    end_session();
    checkpoint_close(&checkpoint);
}

/* A figure below each head is what the model view speaks of, and after a change what it was. */
TEST(a_figure_is_said_of_the_head_under_the_cursor)
{
    const struct interventions unscaled = {.unscaled = true};
    const struct head_metrics *all;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "the cat sat on the mat.", NULL);
    session_set_view(&session, VIEW_MODEL);
    session.state.look.metric = METRIC_MAXIMUM;
    session.state.look.layer = 1;
    session.state.look.head = 2;
    assert_ok(request_settle(&session, &error), error);
    ck_assert_ptr_nonnull(all = session.data.metrics);
    const double maximum = all[session.data.head_count + 2].maximum;
    say(VIEW_MODEL);
    ck_assert(fabs(number_after("The largest weight of a token in head 1.2 is ") - maximum) <=
              0.00051);
    change(&unscaled);
    session.state.look.metric = METRIC_ENTROPY;
    ck_assert_ptr_nonnull(all = session.data.metrics);
    say(VIEW_MODEL);
    check_begins("Without the division the entropy in head 1.2 ");
    ck_assert(fabs(number_after(" to ") - all[session.data.head_count + 2].entropy) <= 0.0051);
    ck_assert_ptr_nonnull(strstr(said, " bits on average"));
    session_anew_on_texts(&checkpoint, NULL, "the cat sat.", NULL); /* no word stands twice */
    session_set_view(&session, VIEW_MODEL);
    session.state.look.metric = METRIC_SAME;
    assert_ok(request_settle(&session, &error), error);
    ck_assert_msg(!strstr(say(VIEW_MODEL), "nan") && said[0], "%s", said);
    end_session();
    checkpoint_close(&checkpoint);
}

/* A stage of the steps says what makes the number under the cursor. */
TEST(a_stage_says_its_number)
{
    static const struct {
        enum stage stage;
        size_t number;
        const char *begin, *end;
    } rows[] = {
        {STAGE_EMBEDDING, 5, "In embedding number 5 of \"cat\" is ", ": "},
        {STAGE_QUERY, 3, "In q number 3 of \"cat\" is ", ": x times learnt factors, added up"},
        {STAGE_SCORES, 3, "\"cat\"'s query and \"sat\"'s key score ", "; softmax makes it "},
        {STAGE_WEIGHTS, 3, "\"cat\"'s query and \"sat\"'s key score ", "; softmax makes it "},
        {STAGE_CONTEXT, 0, "In context number 0 of \"cat\" is ", ": weights times v, added up"},
        {STAGE_ADDED, 1, "Head 1 adds a vector of length ", " to \"cat\""},
        {STAGE_ATTENTION, 2, "In attention number 2 of \"cat\" is ",
         ": x + heads, brought to the usual size"},
        {STAGE_ACTIVE, 7, "In active number 7 of \"cat\" is ", ": forward, put through GELU"},
        {STAGE_OUTPUT, 1, "In output number 1 of \"cat\" is ",
         ": attention + back, brought to the usual size"}};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "the cat sat on the mat.", NULL);
    session_set_view(&session, VIEW_STEPS);
    session.state.look.from = 2;
    session.state.look.query_found = false;
    for (int i = 0; i < COUNT(rows); i++) {
        session.state.look.stage = rows[i].stage;
        session.state.look.number = rows[i].number;
        say(VIEW_STEPS);
        ck_assert_msg(strncmp(said, rows[i].begin, strlen(rows[i].begin)) == 0 &&
                          strstr(said, rows[i].end) != NULL,
                      "\"%s\", expected \"%s\"", said, rows[i].begin);
        struct steps *steps;
        const struct scene scene = session_scene(&session);
        const struct steps_at at = steps_place(&scene);
        assert_ok(steps_new(&at, &steps, &error), error);
        const double number = steps->stage[rows[i].stage].numbers[rows[i].number];
        const char *where = rows[i].stage == STAGE_WEIGHTS ? rows[i].end : rows[i].begin;
        ck_assert(fabs(number_after(where) - number) <= 0.0051);
        steps_free(steps);
    }
    end_session();
    checkpoint_close(&checkpoint);
}

/* Of two texts with a column chosen, what each row looks at; after a change, of what was before. */
TEST(compared_rows_say_what_they_look_at)
{
    const struct interventions causal = {.causal = true};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "the cat sat.", "the dog ran.");
    session_set_view(&session, VIEW_COMPARE);
    session.state.look.from = 1;
    session.state.look.to = 2;
    session.state.look.query_found = false;
    assert_ok(request_rest(&session, &error), error);
    say(VIEW_COMPARE);
    check_begins("\"the\" looks at \"cat\" (");
    ck_assert_msg(strstr(said, ") in A, at \"") != NULL && strstr(said, ") in B") != NULL, "%s",
                  said);
    change(&causal);
    session.state.look.to = NO_TOKEN;
    ck_assert_msg(
        strncmp(say(VIEW_COMPARE), "With causal attention \"the₁\" looks most at \"", 44) == 0,
        "%s", said);
    end_session();
    checkpoint_close(&checkpoint);
}

/* Without a mask nothing is asked: the vector that turned furthest; and in the words view the piece
 * at the cursor whose probability changed most. */
TEST(without_a_question_it_says_which_vector)
{
    struct interventions off = {.off = {[1] = 2}};
    double least = 2;
    char expected[600] = "";
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "the cat sat on the mat.", NULL);
    change(&off);
    const struct trace *trace = session.data.trace, *before = session.data.before;
    ck_assert_ptr_nonnull(before);
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t token = 0; token < trace->tokens; token++) {
            const struct token_range word = {token, token + 1};
            double cosine = cosine_of(trace->layer[layer].output, word, before->layer[layer].output,
                                      word, trace->hidden);
            if (cosine >= least)
                continue;
            least = cosine;
            snprintf(expected, sizeof expected,
                     "Without head 1.1 the vector of %s changes most: cosine %.3f after layer %zu",
                     name_of(token), cosine, layer);
        }
    ck_assert_str_eq(say(VIEW_HEAD), expected);
    ck_assert_str_eq(say(VIEW_MATRIX), expected);
    session_set_view(&session, VIEW_ANSWERS);
    assert_ok(derive_look(&session, &session.state.look, &error), error);
    const struct lens_cell *cell =
        words_cell(scene_of(&session), trace->layers - 1, session.state.look.from);
    double most = fabs(exp(cell->logprob) - exp(cell->logprob_before));
    for (size_t i = 0; i < cell->count; i++)
        most = fmax(most, fabs(exp(cell->best[i].logprob) - exp(cell->best_before[i])));
    session.state.look.layer = trace->layers - 1;
    say(VIEW_ANSWERS);
    ck_assert(fabs(fabs(number_after(" to ") - number_after(" from ")) - most) <= 0.00111);
    end_session();
    checkpoint_close(&checkpoint);
}

/* Else a sign that isn't seen would join the quotation mark before it. */
TEST(an_unseen_sign_is_named)
{
    static const char *const labels[] = {"a", "\u200d", "b", "\u200d"};
    session_end(&session);
    session = synthetic_session(labels, 4, 4, 2, 2);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.from = 1;
    look_show_alone(&session.state.look, 0);
    ck_assert_ptr_nonnull(strstr(say(VIEW_MATRIX), "\"\\u{200d}\u2081\" looks most at "));
}

/* ---- All of it ---- */
