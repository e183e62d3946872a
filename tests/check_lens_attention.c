/* Attention as it is shown, against loops over the trace that know nothing of lists: each token has
 * the number of the shown word that it belongs to, and every weight is thrown into the cell where
 * two of these numbers meet. */
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/lens/attention.h"
#include "headlight/model/trace_new.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX    12
#define HIDDEN SIZE_MAX
#define LAYERS 3
#define HEADS  4

#define MAPS_MAX 2000
#define CLOSE    1e-6

static struct error error;

/* Knuth's MMIX generator. */
static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 40) % below;
}

/* Weights of two sides that may differ, all above zero; a row sums to 1. Free with free(). */
static struct trace *random_trace(size_t tokens, size_t attended, uint64_t *state)
{
    struct config config = {.vocabulary = 2,
                            .hidden = HEADS,
                            .layers = LAYERS,
                            .heads = HEADS,
                            .feed_forward = 1,
                            .positions = MAX,
                            .segments = 1};
    struct trace *trace;
    assert_ok(trace_blank(&config, tokens > attended ? tokens : attended, NULL, 0, &trace, &error),
              error);
    trace->tokens = tokens;
    trace->attended = attended;
    for (size_t row = 0; row < LAYERS * HEADS * tokens; row++) {
        float *weights =
            trace->layer[row / (HEADS * tokens)].weights + row % (HEADS * tokens) * attended;
        unsigned sum = 0, parts[MAX];
        for (size_t to = 0; to < attended; to++)
            sum += parts[to] = draw(state, 1000) + 1;
        for (size_t to = 0; to < attended; to++)
            weights[to] = (float)parts[to] / (float)sum;
    }
    return trace;
}

static struct map *made_maps[MAPS_MAX];
static size_t map_count;

static void forget_maps(void)
{
    while (map_count > 0)
        free(made_maps[--map_count]);
}

TESTS(.end = forget_maps);

/* The map of a trace's weights; lasts as long as the test. */
static const struct map *weights_of(const struct trace *trace)
{
    const struct map_source source = {.trace = trace};
    ck_assert_uint_lt(map_count, MAPS_MAX);
    assert_ok(map_new(&source, MAP_WEIGHTS, NULL, &made_maps[map_count], &error), error);
    return made_maps[map_count++];
}

static struct attention *make(const struct trace *trace, const struct token_side sides[2],
                              struct shape shape)
{
    struct attention *attention;
    assert_ok(attention_new(weights_of(trace), sides, &shape,
                            (struct token_range){0, trace->layers}, &attention, &error),
              error);
    return attention;
}

/* To a word the sum of its pieces, from a word their mean; what is hidden is left out first. */
static double expected_weight(const struct trace *trace, size_t layer, size_t head, size_t r,
                              size_t c, const size_t *rows, const size_t *columns, bool rescaled)
{
    double sum = 0;
    size_t pieces = 0;
    for (size_t from = 0; from < trace->tokens; from++) {
        double to_word = 0, left = 0;
        if (rows[from] != r)
            continue;
        for (size_t to = 0; to < trace->attended; to++) {
            double weight = (double)trace_weight(trace, layer, head, from, to);
            to_word += columns[to] == c ? weight : 0;
            left += columns[to] != HIDDEN ? weight : 0;
        }
        sum += !rescaled ? to_word : left > 0 ? to_word / left : 0;
        pieces++;
    }
    return sum / (double)pieces;
}

static void check_weights(const struct trace *trace, const struct attention *attention,
                          const size_t *rows, const size_t *columns, bool rescaled)
{
    for (size_t l = 0; l < LAYERS; l++)
        for (size_t head = 0; head < HEADS; head++)
            for (size_t r = 0; r < attention->tokens[SIDE_LEFT].count; r++)
                for (size_t c = 0; c < attention->tokens[SIDE_RIGHT].count; c++)
                    ck_assert_double_eq_tol(
                        (double)attention_weight(attention, l, head, r, c),
                        expected_weight(trace, l, head, r, c, rows, columns, rescaled), CLOSE);
}

static void check_rows_sum_to_one(const struct attention *attention)
{
    for (size_t l = 0; l < attention->layers; l++)
        for (size_t i = 0; i < attention->heads * attention->tokens[SIDE_LEFT].count; i++) {
            const float *row = attention_row(attention, l, 0, i);
            double sum = 0;
            for (size_t c = 0; c < attention->tokens[SIDE_RIGHT].count; c++)
                sum += (double)row[c];
            ck_assert_double_eq_tol(sum, 1, CLOSE);
        }
}

/* Every token is found in the word that it belongs to, or nowhere. */
static void check_shown(const struct attention *attention, enum side side, const size_t *words,
                        size_t count)
{
    for (size_t token = 0; token < count; token++)
        ck_assert_uint_eq(attention_shown(attention, side, token), words[token]);
    ck_assert_uint_eq(attention_shown(attention, side, count), SIZE_MAX);
}

/* ---- One example ---- */

static const char *const pair[9] = {"[CLS]", "time", "fl",   "##ies", "[SEP]",
                                    "ba",    "##na", "##na", "[SEP]"};
static const bool pair_special[9] = {true, false, false, false, true, false, false, false, true};
static const bool pair_continues[9] = {[3] = true, [6] = true, [7] = true};
static const struct token_side side = {
    9, 5, pair, pair_special, pair_special, pair_continues, WORD_MARKS_CONTINUE};

static const struct {
    struct shape shape;
    size_t count, boundary;
    const char *labels[9];
    size_t word[9]; /* by token: where it is shown */
} shapes[] = {
    {{.special = SPECIAL_SHOWN},
     9,
     5,
     {"[CLS]", "time", "fl", "##ies", "[SEP]", "ba", "##na", "##na", "[SEP]"},
     {0, 1, 2, 3, 4, 5, 6, 7, 8}},
    {{.special = SPECIAL_HIDDEN},
     6,
     3,
     {"time", "fl", "##ies", "ba", "##na", "##na"},
     {HIDDEN, 0, 1, 2, HIDDEN, 3, 4, 5, HIDDEN}},
    {{.special = SPECIAL_RENORMALISED},
     6,
     3,
     {"time", "fl", "##ies", "ba", "##na", "##na"},
     {HIDDEN, 0, 1, 2, HIDDEN, 3, 4, 5, HIDDEN}},
    {{.special = SPECIAL_SHOWN, .words = true},
     6,
     4,
     {"[CLS]", "time", "flies", "[SEP]", "banana", "[SEP]"},
     {0, 1, 2, 2, 3, 4, 4, 4, 5}},
    {{.special = SPECIAL_HIDDEN, .words = true},
     3,
     2,
     {"time", "flies", "banana"},
     {HIDDEN, 0, 1, 1, HIDDEN, 2, 2, 2, HIDDEN}},
    {{.special = SPECIAL_RENORMALISED, .words = true},
     3,
     2,
     {"time", "flies", "banana"},
     {HIDDEN, 0, 1, 1, HIDDEN, 2, 2, 2, HIDDEN}},
};

TEST(a_shape_has_these_tokens_and_weights, .times = 6)
{
    uint64_t state = 1;
    struct trace *trace = random_trace(9, 9, &state);
    struct token_side sides[] = {side, side};
    struct attention *attention = make(trace, sides, shapes[_i].shape);
    ck_assert_uint_eq(attention->layers, LAYERS);
    ck_assert_uint_eq(attention->heads, HEADS);
    for (enum side s = SIDE_LEFT; s <= SIDE_RIGHT; s++) {
        ck_assert_uint_eq(attention->tokens[s].count, shapes[_i].count);
        ck_assert_uint_eq(attention->tokens[s].boundary, shapes[_i].boundary);
        for (size_t i = 0; i < shapes[_i].count; i++)
            ck_assert_str_eq(attention->tokens[s].labels[i], shapes[_i].labels[i]);
        check_shown(attention, s, shapes[_i].word, 9);
    }
    check_weights(trace, attention, shapes[_i].word, shapes[_i].word,
                  shapes[_i].shape.special == SPECIAL_RENORMALISED);
    if (shapes[_i].shape.special != SPECIAL_HIDDEN)
        check_rows_sum_to_one(attention);
    attention_free(attention);
    free(trace);
}

/* Nothing is copied where nothing is hidden or merged, whatever was asked for. */
TEST(the_plain_shape_borrows)
{
    static const char *const words[] = {"time", "flies", "like"};
    static const bool special[3] = {false};
    static const struct shape harmless[] = {{.special = SPECIAL_SHOWN},
                                            {.special = SPECIAL_RENORMALISED},
                                            {.special = SPECIAL_HIDDEN, .words = true}};
    const struct token_side sides[] = {labelled_side(3, 3, words, special),
                                       labelled_side(3, 3, words, special)};
    uint64_t state = 2;
    struct trace *trace = random_trace(3, 3, &state);
    for (size_t i = 0; i < 3; i++) {
        struct attention *attention = make(trace, sides, harmless[i]);
        for (size_t l = 0; l < LAYERS; l++)
            ck_assert_ptr_eq(attention->weights[l], trace->layer[l].weights);
        for (size_t token = 0; token < 3; token++)
            ck_assert_ptr_eq(attention->tokens[SIDE_LEFT].labels[token], words[token]);
        attention_free(attention);
    }
    attention_free(NULL);
    free(trace);
}

/* The map of the first layer's scores, in which that of token 1 to 2 is masked. */
static const struct map *scores_of(struct trace *trace, uint64_t *state)
{
    const struct map_source source = {.trace = trace};
    for (size_t i = 0; i < HEADS * trace->tokens * trace->attended; i++)
        trace->layer[0].scores[i] = (float)draw(state, 100) / 10 - 5;
    trace->layer[0].scores[1 * trace->attended + 2] = -INFINITY;
    assert_ok(map_new(&source, MAP_SCORES, NULL, &made_maps[map_count], &error), error);
    return made_maps[map_count++];
}

/* A masked one is 0; no more is written than the rows that were asked for. */
TEST(scores_are_shown_as_shares_of_the_largest)
{
    static const char *const words[] = {"time", "flies", "like"};
    static const bool special[3] = {false};
    const struct token_side sides[] = {labelled_side(3, 3, words, special),
                                       labelled_side(3, 3, words, special)};
    const struct shape plain = {.special = SPECIAL_SHOWN};
    uint64_t state = 3;
    struct trace *trace = random_trace(3, 3, &state);
    const struct map *map = scores_of(trace, &state);
    struct attention *attention;
    float out[10];
    assert_ok(attention_new(map, sides, &plain, (struct token_range){0, 1}, &attention, &error),
              error);
    out[9] = 5;
    attention_signed_rows(attention, 0, 0, (struct token_range){0, 3}, out);
    for (size_t i = 0; i < 9; i++)
        ck_assert_float_eq_tol(out[i], i == 5 ? 0 : trace->layer[0].scores[i] / map->largest[0],
                               1e-6F);
    ck_assert_float_eq(out[9], 5);
    attention_free(attention);
    free(trace);
}

/* What remains of a row keeps its very bits, as long as it isn't divided by its sum. */
TEST(hidden_tokens_leave_the_others_alone)
{
    uint64_t state = 3;
    struct trace *trace = random_trace(9, 9, &state);
    struct token_side sides[] = {side, side};
    struct attention *attention = make(trace, sides, (struct shape){.special = SPECIAL_HIDDEN});
    const struct token_range *of = attention->tokens[SIDE_LEFT].of;
    for (size_t r = 0; r < 6; r++)
        for (size_t c = 0; c < 6; c++)
            ck_assert(attention_weight(attention, 2, 1, r, c) ==
                      trace_weight(trace, 2, 1, of[r].first, of[c].first));
    attention_free(attention);
    free(trace);
}

TEST(a_row_with_nothing_left_stays_zero)
{
    uint64_t state = 4;
    struct trace *trace = random_trace(9, 9, &state);
    struct token_side sides[] = {side, side};
    float *row = trace->layer[1].weights + (2 * 9 + 1) * 9; /* head 2, from "time" */
    memset(row, 0, 9 * sizeof *row);
    row[4] = 1; /* all of it to [SEP] */
    for (int words = 0; words < 2; words++) {
        struct attention *attention = make(
            trace, sides, (struct shape){.special = SPECIAL_RENORMALISED, .words = words != 0});
        for (size_t c = 0; c < attention->tokens[SIDE_RIGHT].count; c++)
            ck_assert(attention_weight(attention, 1, 2, 0, c) == 0);
        attention_free(attention);
    }
    free(trace);
}

TEST(special_tokens_alone_are_shown)
{
    static const char *const labels[] = {"[CLS]", "[SEP]"};
    static const bool special[] = {true, true};
    const struct token_side sides[] = {labelled_side(2, 2, labels, special),
                                       side}; /* each by itself */
    uint64_t state = 5;
    struct trace *trace = random_trace(2, 9, &state);
    struct attention *attention =
        make(trace, sides, (struct shape){.special = SPECIAL_RENORMALISED, .words = true});
    ck_assert_uint_eq(attention->tokens[SIDE_LEFT].count, 2);
    ck_assert_uint_eq(attention->tokens[SIDE_LEFT].boundary, 2);
    ck_assert_uint_eq(attention->tokens[SIDE_RIGHT].count, 3);
    check_rows_sum_to_one(attention);
    attention_free(attention);
    free(trace);
}

/* The second sentence begins without a mark where a tokenizer puts none before a text. */
TEST(no_word_spans_two_sentences)
{
    static const char *const labels[] = {"Good", "Ġnig", "ht", "Sweet", "Ġdreams"};
    static const bool special[5] = {false};
    const struct token_side both = labelled_side(5, 3, labels, special), sides[] = {both, both};
    uint64_t state = 6;
    struct trace *trace = random_trace(5, 5, &state);
    struct attention *attention =
        make(trace, sides, (struct shape){.special = SPECIAL_SHOWN, .words = true});
    const struct token_list *tokens = &attention->tokens[SIDE_LEFT];
    ck_assert_uint_eq(tokens->count, 4);
    ck_assert_uint_eq(tokens->boundary, 2);
    ck_assert_str_eq(tokens->labels[1], "night");
    ck_assert_str_eq(tokens->labels[2], "Sweet");
    attention_free(attention);
    free(trace);
}

/* ---- Any text, any shape ---- */

/* How a tokenizer writes "x" where it begins a word and where it goes on. */
static const struct {
    const char *begin, *on, *special;
} kinds[] = {{"x", "##x", "[SEP]"}, {"Ġx", "x", "</s>"}, {"▁x", "x", "<eos>"}, {" x", "x", "<s>"}};

struct random_side {
    struct token_side side;
    const char *labels[MAX];
    bool special[MAX], sinks[MAX], begins[MAX];
};

static void random_side(struct random_side *made, uint64_t *state)
{
    unsigned kind = draw(state, 4);
    size_t count = draw(state, MAX) + 1, boundary = draw(state, (unsigned)count) + 1;
    for (size_t i = 0; i < count; i++) {
        bool begins = i == 0 || draw(state, 2);
        made->special[i] = i > 0 && draw(state, 4) == 0;
        made->labels[i] = made->special[i] ? kinds[kind].special
                          : begins         ? kinds[kind].begin
                                           : kinds[kind].on;
        made->begins[i] = begins || made->special[i] || made->special[i - 1] || i == boundary;
    }
    made->side = labelled_side(count, boundary, made->labels, made->special);
    memcpy(made->sinks, made->special, sizeof made->sinks);
    made->sinks[0] |= draw(state, 2) && count > 1 && !made->special[1]; /* of a causal model */
    made->side.sinks = made->sinks;
}

/* The number of the word that each token is shown in. Returns how many there are. */
static size_t number_words(const struct random_side *made, struct shape shape, size_t *word)
{
    size_t count = 0;
    for (size_t i = 0; i < made->side.count; i++) {
        bool hides = shape.special != SPECIAL_SHOWN, hidden = hides && made->sinks[i];
        bool begins = made->begins[i] || (hides && i > 0 && made->sinks[i - 1]);
        count += !hidden && (!shape.words || begins);
        word[i] = hidden ? HIDDEN : count - 1;
    }
    return count;
}

/* As many x as there are pieces, and no mark but that of a piece which goes on with nothing. */
static void check_labels(const struct token_list *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const char *label = tokens->labels[i];
        size_t pieces = tokens->of[i].end - tokens->of[i].first;
        if (strpbrk(label, "[<"))
            continue;
        label += strncmp(label, "##", 2) == 0 ? 2 : 0;
        ck_assert_uint_eq(strlen(label), pieces);
        ck_assert_uint_eq(strspn(label, "x"), pieces);
    }
}

TEST(random_texts_in_every_shape)
{
    uint64_t state = 2026;
    for (int i = 0; i < 200; i++) {
        struct random_side made[2];
        size_t word[2][MAX];
        struct shape shape = {.special = (enum special_policy)draw(&state, SPECIAL_POLICY_COUNT),
                              .words = draw(&state, 2)};
        for (int s = SIDE_LEFT; s <= SIDE_RIGHT; s++)
            random_side(&made[s], &state);
        const struct token_side sides[] = {made[0].side, made[1].side};
        struct trace *trace = random_trace(sides[0].count, sides[1].count, &state);
        struct attention *attention = make(trace, sides, shape);
        for (enum side s = SIDE_LEFT; s <= SIDE_RIGHT; s++) {
            size_t count = number_words(&made[s], shape, word[s]), first = 0;
            for (size_t token = 0; token < sides[s].boundary; token++)
                first = word[s][token] != HIDDEN ? word[s][token] + 1 : first;
            ck_assert_uint_eq(attention->tokens[s].count, count);
            ck_assert_uint_eq(attention->tokens[s].boundary, first);
            check_shown(attention, s, word[s], sides[s].count);
            if (shape.words)
                check_labels(&attention->tokens[s]);
        }
        check_weights(trace, attention, word[0], word[1], shape.special == SPECIAL_RENORMALISED);
        if (shape.special != SPECIAL_HIDDEN)
            check_rows_sum_to_one(attention);
        attention_free(attention);
        free(trace);
    }
}

/* ---- Means ---- */

static const struct shape merged = {.special = SPECIAL_RENORMALISED, .words = true};

/* To the last bit. */
TEST(a_mean_is_that_of_heads_and_layers, .times = 4)
{
    static const struct {
        struct token_range layers;
        uint64_t heads;
    } cases[] = {{{0, LAYERS}, 15}, {{1, 3}, 10}, {{2, 3}, 7}, {{0, 1}, 8}};
    uint64_t state = 7;
    struct trace *trace = random_trace(9, 9, &state);
    struct token_side sides[] = {side, side};
    struct attention *attention = make(trace, sides, merged), *mean;
    struct token_range layers = cases[_i].layers;
    assert_ok(attention_mean(attention, layers, cases[_i].heads, &mean, &error), error);
    ck_assert(mean->layers == 1 && mean->heads == 1);
    ck_assert_mem_eq(mean->tokens, attention->tokens, sizeof mean->tokens);
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++) {
            double sum = 0;
            int count = 0;
            for (size_t l = layers.first; l < layers.end; l++)
                for (size_t head = 0; head < HEADS; head++)
                    if (cases[_i].heads & (UINT64_C(1) << head)) {
                        sum += (double)attention_weight(attention, l, head, r, c);
                        count++;
                    }
            ck_assert(attention_weight(mean, 0, 0, r, c) == (float)(sum * (1.0 / count)));
        }
    check_rows_sum_to_one(mean);
    attention_free(mean);
    attention_free(attention);
    free(trace);
}

TEST(a_mean_of_one_is_that_one_and_of_none_is_zero)
{
    uint64_t state = 8;
    struct trace *trace = random_trace(4, 9, &state);
    struct token_side sides[] = {labelled_side(4, 4, pair, pair_special), side};
    struct attention *attention = make(trace, sides, (struct shape){0}), *mean;
    assert_ok(attention_mean(attention, (struct token_range){1, 2}, 1u << 3, &mean, &error), error);
    ck_assert_mem_eq(mean->weights[0], attention_row(attention, 1, 3, 0), 4 * 9 * sizeof(float));
    attention_free(mean);
    assert_ok(attention_mean(attention, (struct token_range){0, 3}, 0, &mean, &error), error);
    for (size_t i = 0; i < 4 * 9; i++)
        ck_assert(mean->weights[0][i] == 0);
    attention_free(mean);
    attention_free(attention);
    free(trace);
}

/* Rows and means are the same whether the layer was added before or not, and layer by layer is as
 * all at once. */
TEST(layers_need_not_be_added_before_they_are_read, .times = 2 * SPECIAL_POLICY_COUNT)
{
    static const char *const pieces[] = {"[CLS]", "time", "##s", "fly", "[SEP]", "##y", "[SEP]"};
    static const bool special[7] = {true, false, false, false, true, false, true};
    const struct shape shape = {.special = (enum special_policy)(_i % SPECIAL_POLICY_COUNT),
                                .words = _i >= SPECIAL_POLICY_COUNT};
    const struct token_side sides[] = {labelled_side(7, 5, pieces, special),
                                       labelled_side(7, 5, pieces, special)};
    const struct token_range layers = {0, LAYERS};
    uint64_t state = 3;
    float room[7 * 7];
    struct attention *none, *means[2];
    struct trace *trace = random_trace(7, 7, &state);
    struct attention *all = make(trace, sides, shape);
    size_t rows = all->tokens[SIDE_LEFT].count, columns = all->tokens[SIDE_RIGHT].count;
    assert_ok(
        attention_new(weights_of(trace), sides, &shape, (struct token_range){0, 0}, &none, &error),
        error);
    for (size_t map = 0; map < LAYERS * HEADS; map++)
        for (size_t first = 0; first < rows; first++) {
            memset(room, 0xFF, sizeof room);
            const float *made = attention_rows(none, map / HEADS, map % HEADS,
                                               (struct token_range){first, rows}, room);
            ck_assert_ptr_eq(made, room);
            ck_assert_mem_eq(made, attention_row(all, map / HEADS, map % HEADS, first),
                             (rows - first) * columns * sizeof *made);
        }
    assert_ok(attention_mean(all, layers, 13, &means[0], &error), error);
    assert_ok(attention_mean(none, layers, 13, &means[1], &error), error);
    ck_assert_mem_eq(means[0]->weights[0], means[1]->weights[0], rows * columns * sizeof(float));
    for (size_t l = LAYERS; l-- > 0;) {
        const bool plain = none->weights[l]; /* which borrows */
        ck_assert(plain == (_i == SPECIAL_SHOWN && l + 1 < LAYERS));
        assert_ok(attention_add(none, (struct token_range){l, LAYERS}, &error), error);
        ck_assert_mem_eq(none->weights[l], all->weights[l],
                         all->heads * rows * columns * sizeof **all->weights);
    }
    attention_free(means[0]);
    attention_free(means[1]);
    attention_free(none);
    attention_free(all);
    free(trace);
}
