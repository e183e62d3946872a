/* What a picture shows, in a sentence: its names and numbers are those of the trace. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/lens/predict.h"
#include "headlight/session/derive.h"
#include "headlight/view/views.h"
#include "headlight/view/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char said[512];

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

/* A token's name. */
static const char *name_of(size_t token)
{
    static struct token_name names[4];
    static size_t next;
    const struct scene scene = session_scene(&session);
    names[next++ % 4] = scene_name(&scene, SIDE_LEFT, token, false);
    return names[(next - 1) % 4].text;
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

/* A head's label, or else its strongest edge, from the trace alone. */
static void check_head(uint64_t heads, bool whole)
{
    const struct look *look = &session.state.look;
    const struct head_metrics metrics = metrics_measure(
        session.data.trace, look->layer, head_mask_first(heads), &session.data.kinds);
    const struct head_label label = metrics_label(&metrics);
    say(VIEW_HEAD);
    if (whole && head_mask_count(heads) == 1 && label.label != LABEL_NONE) {
        check_said(label.value, "%s%s", label.says,
                   label.label == LABEL_SAME ? " in both sentences" : "");
        return;
    }
    struct found all = largest(heads, false), words = largest(heads, true);
    bool between = round(words.weight * 1000) >= 50;
    bool heavier = round(all.weight * 1000) > round(words.weight * 1000);
    const struct found *found = between ? &words : &all;
    check_said(found->weight, "%s%s looks most at %s", between && heavier ? "Between words, " : "",
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
                check_head(look.heads,
                           session.data.attention->tokens[SIDE_LEFT].count == session.data.tokens);
            }
}

START_TEST(a_head_says_what_its_weights_say)
{
    check_heads();
}
END_TEST

/* Each token in turn attends to the one before it, and so on: every label is said. */
START_TEST(a_head_says_what_it_does)
{
    static const struct {
        int offset;
        const char *sentence;
    } cases[] = {{-1, "Looks at the word before"},
                 {1, "Looks at the next word"},
                 {0, "Each word looks at itself"}};
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
    check_said(1, "Links the same word in both sentences");
    for (size_t i = 0; i < T * T; i++)
        weights[i] = 1 / (float)T;
    say(VIEW_HEAD);
    check_said(1, "Looks at everything alike");
}
END_TEST

/* A chosen token's own line, whichever side it is on, and a chosen pair. */
START_TEST(a_chosen_token_is_what_is_spoken_of)
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
END_TEST

/* ---- The words view ---- */

static struct checkpoint checkpoint;
static struct error error;

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
        ck_assert(session_show(&session, &look));
        say(VIEW_WORDS);
        const struct lens_cell *cell = words_cell(&scene, look.layer, token);
        if (words_untrained(&scene, token)) {
            ck_assert_str_eq(said, "");
            continue;
        }
        ck_assert_ptr_nonnull(cell);
        check_said(exp(cell->best[0].logprob), "For %s the model says %s", name_of(token),
                   words_piece(&scene, cell->best[0].id));
        if (trace_words(trace)) {
            struct prediction best[2];
            ck_assert_uint_eq(predict_pieces(trace, token, best, 2), 2);
            ck_assert_int_eq(best[0].id, cell->best[0].id);
            ck_assert_int_eq(best[1].id, cell->best[1].id);
        }
        snprintf(expected, sizeof expected, ", then %s", words_piece(&scene, cell->best[1].id));
        const char *then = strstr(said, expected);
        ck_assert_msg(then != NULL, "%s", said);
        double second = strtod(then + strlen(expected) + 2, NULL);
        ck_assert(fabs(second - exp(cell->best[1].logprob)) <= 0.00051);
    }
}

START_TEST(words_are_what_the_model_says)
{
    static const char *const texts[][2] = {{"the [MASK] sat on the mat.", NULL},
                                           {"the cat sat.", "the dog ran."}};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
    for (int i = 0; i < COUNT(texts); i++) {
        session_anew_on_texts(&checkpoint, NULL, texts[i][0], texts[i][1]);
        session_set_view(&session, VIEW_WORDS);
        ck_assert_int_eq(derive_look(&session, &session.state.look, &error), STATUS_OK);
        check_words();
        session_set_view(&session, VIEW_HEAD);
        check_heads();
    }
    end_session();
    checkpoint_close(&checkpoint);
}
END_TEST

/* ---- All of it ---- */

Suite *suite_view_sentence(void)
{
    Suite *suite = suite_create("view/sentence");
    TCase *tests = session_case("sentence");
    tcase_add_test(tests, a_head_says_what_its_weights_say);
    tcase_add_test(tests, a_head_says_what_it_does);
    tcase_add_test(tests, a_chosen_token_is_what_is_spoken_of);
    tcase_add_test(tests, words_are_what_the_model_says);
    suite_add_tcase(suite, tests);
    return suite;
}
