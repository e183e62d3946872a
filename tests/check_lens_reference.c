/* Logit lens, next sentence, effects of heads and maps against numbers that another implementation
 * computed in double precision, effects with a pass of its own for each head: words.json and
 * maps.json beside the recorded cases that they take their tokens from (NumPy, see words.py and
 * maps.py in tests/vectors). */
#include "model_helpers.h"
#include "opening.h"
#include "recorded.h"
#include "suites.h"

#include "headlight/base/json.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/logit_lens.h"
#include "headlight/lens/map.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of log-probabilities and bits. The recorded ones of a list are nine times as far from each other,
 * so that the pieces have an order. */
#define TOLERANCE 1e-4
/* Pieces whose log-probabilities are so near to each other that they may change places. */
#define NEAR_RANKS(rank) ((double)(rank) / 500)

/* Of a map's numbers. */
#define MAP_TOLERANCE 1e-5

#define TOKENS_MAX 64

static struct error error;
static struct model *model;
static cJSON *cases, *words, *maps;

static void open_vectors(const char *folder, const char *model_folder)
{
    cases = recorded_object(folder, "cases.json");
    words = recorded_list(folder, "words.json");
    maps = recorded_list(folder, "maps.json");
    assert_ok(model_open(model_folder, NULL, &model, &error), error);
}

static void open_tiny(void)
{
    open_vectors(TINY_FOLDER, TINY_FOLDER);
}

static void open_built_in(void)
{
    open_vectors("tests/vectors/built-in", "assets/model");
}

static void close_vectors(void)
{
    cJSON_Delete(cases);
    cJSON_Delete(words);
    cJSON_Delete(maps);
    model_free(model);
}

static const struct fixture built_in_tests = {.begin = open_built_in, .end = close_vectors};

TESTS(.begin = open_tiny, .end = close_vectors);

static const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *found = json_member(object, name);
    ck_assert_msg(found != NULL, "%s", name);
    return found;
}

static double number(const cJSON *object, const char *name)
{
    return member(object, name)->valuedouble;
}

static struct trace *run_changed(const cJSON *text, const struct interventions *changes)
{
    struct trace *trace = recorded_prepare(model, text, true);
    assert_ok(forward_run(model, changes, NULL, trace, &error), error);
    return trace;
}

static struct trace *run(const cJSON *recorded)
{
    const struct config *config = &model->config;
    const cJSON *text = member(cases, member(recorded, "case")->valuestring), *head;
    struct interventions changes = {.off = {0}};
    cJSON_ArrayForEach(head, member(recorded, "off"))
        assert_ok(interventions_add_heads(
                      changes.off, "off", head->valuestring,
                      &(struct intervene_stacks){{config->layers}, {config->heads}}, &error),
                  error);
    return run_changed(text, &changes);
}

/* ---- What is compared --------------------------------------------------------------------- */

static void check_next_sentence(const struct trace *trace, const cJSON *recorded)
{
    float follows;
    ck_assert(predict_pair(trace, &follows));
    ck_assert_double_eq_tol((double)follows, number(recorded, "follows"), 1e-5);
}

static void check_cell(const struct lens_cell *cell, const cJSON *recorded)
{
    size_t k = 0;
    const cJSON *id, *logprob = member(recorded, "logprobs")->child;
    cJSON_ArrayForEach(id, member(recorded, "ids"))
    {
        ck_assert_uint_lt(k, cell->count);
        ck_assert_int_eq(cell->best[k].id, id->valueint);
        ck_assert_double_eq_tol(cell->best[k].logprob, logprob->valuedouble, TOLERANCE);
        logprob = logprob->next;
        k++;
    }
    double rank = number(recorded, "rank");
    ck_assert_uint_eq(k, LENS_BEST);
    ck_assert_double_eq_tol(cell->entropy, number(recorded, "entropy"), TOLERANCE);
    ck_assert_double_eq_tol(cell->logprob, number(recorded, "logprob"), TOLERANCE);
    ck_assert_double_eq_tol((double)cell->rank, rank, NEAR_RANKS(rank));
}

static void check_lens(const struct trace *trace, const cJSON *recorded)
{
    const struct lens_area all = {{0, trace->layers}, {0, trace->tokens}};
    const cJSON *lens = member(recorded, "lens"), *row, *cell;
    struct lens_cell *cells;
    int32_t tokens[TOKENS_MAX];
    size_t layer = 0, count = recorded_integers(member(lens, "tokens"), tokens, TOKENS_MAX),
           compared = 0;
    assert_ok(logit_lens_new(trace, false, &cells, &error), error);
    assert_ok(logit_lens_read(model, trace, NULL, &all, NULL, cells, &error), error);
    cJSON_ArrayForEach(row, member(lens, "layers"))
    {
        size_t i = 0;
        cJSON_ArrayForEach(cell, row)
            check_cell(&cells[layer * trace->tokens + (size_t)tokens[i++]], cell);
        compared += i;
        layer++;
    }
    ck_assert_uint_eq(compared, count * trace->layers);
    free(cells);
}

static void check_effects(const struct trace *trace, const cJSON *recorded)
{
    const cJSON *expected = member(recorded, "effects"), *row, *change;
    struct effects *effects;
    size_t compared = 0;
    assert_ok(effects_of_word(model, trace, (size_t)number(expected, "token"),
                              (int32_t)number(expected, "id"), NULL, &effects, &error),
              error);
    ck_assert_double_eq_tol(effects->logprob, number(expected, "logprob"), TOLERANCE);
    cJSON_ArrayForEach(row, member(expected, "change")) cJSON_ArrayForEach(change, row)
    {
        ck_assert_uint_lt(compared, trace->layers * trace->heads);
        ck_assert_double_eq_tol(effects->change[compared], change->valuedouble, TOLERANCE);
        compared++;
    }
    ck_assert_uint_eq(compared, trace->layers * trace->heads);
    free(effects);
}

static size_t index_of(const cJSON *row, int place)
{
    return (size_t)cJSON_GetArrayItem(row, place)->valueint;
}

/* [layer, head, from, numbers] */
static void check_map_row(const struct map *map, const cJSON *row)
{
    const size_t layer = index_of(row, 0), head = index_of(row, 1), from = index_of(row, 2);
    size_t to = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetArrayItem(row, 3))
    {
        double found = (double)map_value(map, layer, head, from, to);
        if (!(fabs(found - item->valuedouble) <= MAP_TOLERANCE))
            ck_abort_msg("%s of layer %zu, head %zu, %zu to %zu: %g, expected %g",
                         map_infos[map->kind].name, layer, head, from, to, found,
                         item->valuedouble);
        to++;
    }
    ck_assert_uint_eq(to, map->columns);
}

static void check_map_sums(const struct map *map, const cJSON *sums)
{
    const size_t size = map->heads * map->rows * map->columns;
    size_t layer = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, sums)
    {
        double sum = 0;
        for (size_t i = 0; i < size; i++)
            sum += (double)map->values[layer][i];
        ck_assert_double_eq_tol(sum, item->valuedouble, MAP_TOLERANCE * (double)map->rows);
        layer++;
    }
    ck_assert_uint_eq(layer, map->layers);
}

static void check_map(const struct map_source *source, enum map_kind kind, const cJSON *expected)
{
    struct map *map;
    const cJSON *row, *sums = json_member(expected, "sums");
    size_t rows = 0;
    assert_ok(map_new(source, kind, NULL, &map, &error), error);
    cJSON_ArrayForEach(row, member(expected, "rows"))
    {
        check_map_row(map, row);
        rows++;
    }
    ck_assert_uint_ge(rows, 3);
    if (sums)
        check_map_sums(map, sums);
    free(map);
}

/* All kinds but those whose numbers are the trace's own. */
static void check_maps(void)
{
    const struct interventions none = {.off = {0}};
    size_t count = 0;
    const cJSON *recorded;
    cJSON_ArrayForEach(recorded, maps)
    {
        const cJSON *text = member(cases, member(recorded, "case")->valuestring);
        struct trace *trace = run(recorded);
        struct trace *other = run_changed(text, &none);
        const struct map_source source = {.model = model, .trace = trace, .other = other};
        for (int kind = 0; kind < MAP_CONTACTS; kind++)
            if (kind != MAP_WEIGHTS && kind != MAP_SCORES)
                check_map(&source, (enum map_kind)kind,
                          member(member(recorded, "maps"), map_infos[(enum map_kind)kind].name));
        free(trace);
        free(other);
        count++;
    }
    ck_assert_uint_ge(count, 2);
}

static void check_all(void)
{
    size_t count = 0;
    const cJSON *recorded;
    cJSON_ArrayForEach(recorded, words)
    {
        struct trace *trace = run(recorded);
        check_next_sentence(trace, recorded);
        check_lens(trace, recorded);
        check_effects(trace, recorded);
        free(trace);
        count++;
    }
    ck_assert_uint_ge(count, 2);
}

TEST(tiny_agrees)
{
    for (size_t i = 0; kernels_at(i); i++) {
        kernels_choose(kernels_at(i));
        check_all();
        check_maps();
    }
}

/* With the kernels of this machine: a pass for each head takes long with the portable ones, which
 * the tiny model has tried. */
TEST(
    built_in_agrees, .with = &built_in_tests,
    .skipped = skip_if(is_emulated(),
                       "the built-in model: emulated, a pass for each of its heads takes too long"))
{
    check_all();
    check_maps();
}
