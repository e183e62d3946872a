/* What a filter leaves: the blocks of A→A, A→B, B→A and B→B are the whole, each weight once. */
#include "headlight/lens/edges.h"
#include "headlight/model/trace_new.h"
#include "headlight/session/session.h"
#include "headlight/view/views.h"
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>

#define MAX 24

static struct error error;
static struct encoded *encoded;
static struct attention *attention, *mean;
static struct map *map;
static struct scene scene;
static const char *labels[MAX];

static void end(void)
{
    attention_free(mean);
    attention_free(attention);
    free(map);
    encoded_free(encoded);
    mean = attention = NULL;
    map = NULL;
    encoded = NULL;
}

TESTS(.end = end);

/* Rows that sum to 1; no weight is 0, and few are equal. */
static struct trace *random_trace(size_t tokens, size_t heads, uint64_t seed)
{
    const struct config config = {.vocabulary = 5,
                                  .hidden = heads,
                                  .layers = 2,
                                  .heads = heads,
                                  .feed_forward = 1,
                                  .positions = MAX,
                                  .segments = 2};
    struct trace *trace;
    assert_ok(trace_blank(&config, tokens, NULL, 0, &trace, &error), error);
    for (size_t l = 0; l < 2; l++)
        for (size_t row = 0; row < heads * tokens; row++) {
            float *weights = trace->layer[l].weights + row * tokens, sum = 0;
            fill_random(weights, tokens, 1, seed * 1000 + l * 500 + row);
            for (size_t j = 0; j < tokens; j++)
                sum += weights[j] = weights[j] * weights[j] + 1e-3F;
            for (size_t j = 0; j < tokens; j++)
                weights[j] /= sum;
        }
    return trace;
}

/* A pair, its first and the last token of each sentence special, with pieces that continue words;
 * shown plain, hidden, rescaled, merged, as a mean. */
static void begin(int number)
{
    size_t tokens = 4 + (size_t)number % (MAX - 4),
           boundary = 2 + (size_t)number / 3 % (tokens - 3);
    size_t heads = 1 + (size_t)number % 5;
    struct trace *trace = random_trace(tokens, heads, (uint64_t)number);
    bool special[MAX] = {0};
    const struct shape shape = {.special = (enum special_policy)(number % SPECIAL_POLICY_COUNT),
                                .words = number / 2 % 2};
    for (size_t i = 0; i < tokens; i++) {
        special[i] = i == 0 || i + 1 == boundary || i + 1 == tokens;
        labels[i] = special[i] ? "[SEP]" : i % 3 == 0 ? "##x" : "x";
    }
    struct token_side side = {.count = tokens, .boundary = boundary, .labels = labels};
    const struct token_side sides[] = {side, side};
    assert_ok(encoded_of_trace(trace, sides, &encoded, &error), error);
    encoded->trace_owned = true;
    const struct map_source source = {.trace = trace};
    assert_ok(map_new(&source, MAP_WEIGHTS, NULL, &map, &error), error);
    assert_ok(
        attention_new(map, encoded->sides, &shape, (struct token_range){0, 2}, &attention, &error),
        error);
    scene = (struct scene){.look = look_first(heads),
                           .view = view_at(VIEW_HEAD),
                           .data = {.trace = trace,
                                    .map = map,
                                    .attention = attention,
                                    .model = "x",
                                    .tokens = tokens,
                                    .layers = 2,
                                    .head_count = heads}};
    scene.look.layer = (size_t)number % 2;
    scene.look.shape = shape;
    if (number % 4 == 3) {
        assert_ok(
            attention_mean(attention, (struct token_range){0, 2}, scene.look.heads, &mean, &error),
            error);
        scene.data.mean = mean;
        scene.look.averaged = MEAN_LAYERS;
    }
}

static const enum filter parts[] = {FILTER_AA, FILTER_AB, FILTER_BA, FILTER_BB};

/* How often each weight is shown by the four. */
static void count_cells(size_t *cells, size_t columns)
{
    for (size_t i = 0; i < 4; i++) {
        scene.look.filter = parts[i];
        struct token_range left = scene_range(&scene, SIDE_LEFT);
        struct token_range right = scene_range(&scene, SIDE_RIGHT);
        for (size_t from = left.first; from < left.end; from++)
            for (size_t to = right.first; to < right.end; to++)
                cells[from * columns + to]++;
    }
}

/* Any order will do that tells edges apart. */
static int by_place(const void *a, const void *b)
{
    const struct edge *left = a, *right = b;
    const unsigned one[] = {left->from, left->to, left->head, left->weight, left->shade};
    const unsigned other[] = {right->from, right->to, right->head, right->weight, right->shade};
    return memcmp(one, other, sizeof one);
}

static struct edge_list edges_of(enum filter filter)
{
    const struct edge_limits everything = {.count = SIZE_MAX};
    struct edge_list list;
    scene.look.filter = filter;
    struct edge_query query = scene_edges(&scene);
    assert_ok(edges_select(&query, &everything, &list, &error), error);
    ck_assert_uint_eq(list.count, list.total);
    return list;
}

TEST(filters_reassemble_to_the_whole, .times = 160)
{
    begin(_i);
    size_t rows = scene_count(&scene, SIDE_LEFT), columns = scene_count(&scene, SIDE_RIGHT), n = 0;
    size_t cells[MAX * MAX] = {0};
    count_cells(cells, columns);
    for (size_t i = 0; i < rows * columns; i++)
        ck_assert_uint_eq(cells[i], 1);
    struct edge_list all = edges_of(FILTER_ALL);
    struct edge *joined = calloc(all.count + 1, sizeof *joined);
    ck_assert_uint_eq(all.count, rows * columns * (scene.data.mean ? 1 : scene.data.head_count));
    for (size_t i = 0; i < 4; i++) {
        struct edge_list part = edges_of(parts[i]);
        ck_assert_uint_le(n + part.count, all.count);
        if (part.count > 0)
            memcpy(joined + n, part.edges, part.count * sizeof *joined);
        n += part.count;
        free(part.edges);
    }
    ck_assert_uint_eq(n, all.count);
    qsort(joined, n, sizeof *joined, by_place);
    qsort(all.edges, n, sizeof *joined, by_place);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(by_place(&joined[i], &all.edges[i]), 0);
    free(joined);
    free(all.edges);
}

/* A sentence that is hidden to its last token leaves one; then nothing is to be filtered. */
TEST(a_filter_of_one_sentence_is_the_whole, .times = 10)
{
    begin(_i * 5 + 1);
    attention->tokens[SIDE_LEFT].boundary = attention->tokens[SIDE_LEFT].count;
    attention->tokens[SIDE_RIGHT].boundary = attention->tokens[SIDE_RIGHT].count;
    ck_assert(!scene_is_pair(&scene));
    ck_assert(scene_filter_fits(&scene, FILTER_AA));
    for (size_t i = 1; i < 4; i++)
        ck_assert(!scene_filter_fits(&scene, parts[i]));
}
