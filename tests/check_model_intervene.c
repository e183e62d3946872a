/* Lists of heads, of hidden tokens and of cuts, and what is said of them. */
#include "headlight/model/intervene.h"
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"

#include <string.h>

static struct error error;

TEST(lists_are_added)
{
    struct interventions changes = {0};
    ck_assert(!interventions_any(&changes));
    ck_assert(!interventions_any(NULL));
    assert_ok(interventions_add_heads(changes.off, "off", "0.1,2.3",
                                      &(struct intervene_stacks){{12}, {64}}, &error),
              error);
    ck_assert(interventions_any(&changes));
    ck_assert(changes.off[0] == 2);
    ck_assert(changes.off[1] == 0);
    ck_assert(changes.off[2] == 8);
    assert_ok(interventions_add_heads(changes.off, "off", "0.1,0.0,11.63",
                                      &(struct intervene_stacks){{12}, {64}}, &error),
              error);
    ck_assert(changes.off[0] == 3);
    ck_assert(changes.off[11] == (uint64_t)1 << 63);
}

TEST(any_change_is_a_change)
{
    static const struct interventions changes[] = {
        {.unscaled = true},
        {.causal = true},
        {.no_segments = true},
        {.positions = POSITIONS_NONE},
        {.positions = POSITIONS_SINUSOIDAL},
        {.temperature = 2},
        {.temperature = 0.5},
        {.off = {[INTERVENE_LAYERS_MAX - 1] = 1}},
        {.uniform = {[INTERVENE_LAYERS_MAX - 1] = 1}},
        {.hidden_count = 1, .hidden = {0}},
        {.cut_count = 1, .cuts = {{0, 0, 0, 0}}},
    };
    const struct interventions none = {0}, same = {.temperature = 1};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        ck_assert_msg(interventions_any(&changes[i]), "change %zu", i);
    ck_assert(!interventions_any(&none));
    ck_assert(!interventions_any(&same));
}

ROW_TEST(malformed_lists_are_refused, "heads_malformed")
{
    struct interventions changes = {.off = {7}};
    assert_fails(interventions_add_heads(changes.off, "off", row[0],
                                         &(struct intervene_stacks){{12}, {12}}, &error),
                 STATUS_USAGE, "--off: expected layers", error);
    ck_assert(changes.off[0] == 7);
}

TEST(heads_must_exist)
{
    static const char *const lists[] = {"12.0", "0.12", "0.0,3.12", "9999.9999", "12.12"};
    struct interventions changes = {0};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        assert_fails(interventions_add_heads(changes.off, "off", lists[i],
                                             &(struct intervene_stacks){{12}, {12}}, &error),
                     STATUS_USAGE, "layers from 0 to 11 and heads from 0 to 11", error);
    ck_assert(!interventions_any(&changes));
}

TEST(uniform_heads_are_a_list_of_their_own)
{
    struct interventions changes = {.off = {7}};
    assert_ok(interventions_add_heads(changes.uniform, "uniform", "0.1,2.3",
                                      &(struct intervene_stacks){{12}, {12}}, &error),
              error);
    ck_assert(changes.off[0] == 7);
    ck_assert(changes.uniform[0] == 2);
    ck_assert(changes.uniform[2] == 8);
    assert_fails(interventions_add_heads(changes.uniform, "uniform", "0",
                                         &(struct intervene_stacks){{12}, {12}}, &error),
                 STATUS_USAGE, "--uniform: expected layers from 0 to 11", error);
    assert_fails(interventions_add_heads(changes.uniform, "uniform", "0.12",
                                         &(struct intervene_stacks){{12}, {12}}, &error),
                 STATUS_USAGE, "--uniform: expected layers from 0 to 11", error);
}

/* ---- Tokens and connections ---------------------------------------------------------------- */

/* In whatever order they come: two of the same changes are the same bytes. */
TEST(hidden_tokens_are_kept_in_order_and_once)
{
    static const uint32_t tokens[] = {9, 3, 9, 0, 12, 3}, expected[] = {0, 3, 9, 12};
    struct interventions changes = {0};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        assert_ok(interventions_hide(&changes, tokens[i], &error), error);
    ck_assert_uint_eq(changes.hidden_count, 4);
    ck_assert_mem_eq(changes.hidden, expected, sizeof expected);
    for (size_t t = 0; t < 14; t++)
        ck_assert_int_eq(interventions_is_hidden(&changes, t),
                         t == 0 || t == 3 || t == 9 || t == 12);
}

TEST(cuts_are_kept_in_order_and_once)
{
    static const struct cut cuts[] = {{2, 0, 1, 1}, {0, 3, 1, 7}, {0, 3, 1, 2}, {2, 0, 1, 1},
                                      {0, 3, 0, 9}, {0, 2, 5, 5}, {0, 3, 2, 0}};
    static const struct cut expected[] = {{0, 2, 5, 5}, {0, 3, 0, 9}, {0, 3, 1, 2},
                                          {0, 3, 1, 7}, {0, 3, 2, 0}, {2, 0, 1, 1}};
    struct interventions changes = {0};
    size_t count;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        assert_ok(interventions_cut(&changes, cuts[i], &error), error);
    ck_assert_uint_eq(changes.cut_count, 6);
    ck_assert_mem_eq(changes.cuts, expected, sizeof expected);
    const struct cut *row = interventions_cuts(&changes, 0, 3, 1, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(row[0].to, 2);
    ck_assert_uint_eq(row[1].to, 7);
    interventions_cuts(&changes, 1, 3, 1, &count);
    ck_assert_uint_eq(count, 0);
}

/* What was added and taken out again leaves nothing behind. */
TEST(tokens_and_cuts_are_taken_out_again)
{
    struct interventions changes = {0};
    const struct interventions none = {0};
    for (uint32_t i = 0; i < INTERVENE_HIDDEN_MAX; i++) {
        assert_ok(interventions_hide(&changes, i, &error), error);
        assert_ok(interventions_cut(&changes, (struct cut){0, 1, i, 2}, &error), error);
    }
    ck_assert(interventions_is_cut(&changes, (struct cut){0, 1, 5, 2}));
    interventions_unhide(&changes, 5);
    interventions_unhide(&changes, 5);
    interventions_join(&changes, (struct cut){0, 1, 5, 2});
    interventions_join(&changes, (struct cut){0, 1, 5, 3});
    ck_assert(!interventions_is_cut(&changes, (struct cut){0, 1, 5, 2}));
    ck_assert(interventions_is_cut(&changes, (struct cut){0, 1, 6, 2}));
    ck_assert(!interventions_is_hidden(&changes, 5) && interventions_is_hidden(&changes, 6));
    ck_assert_uint_eq(changes.hidden_count, INTERVENE_HIDDEN_MAX - 1);
    ck_assert_uint_eq(changes.cut_count, INTERVENE_CUTS_MAX - 1);
    for (uint32_t i = 0; i < INTERVENE_HIDDEN_MAX; i++) {
        interventions_unhide(&changes, i);
        interventions_join(&changes, (struct cut){0, 1, i, 2});
    }
    ck_assert_mem_eq(&changes, &none, sizeof none);
}

TEST(there_are_only_so_many)
{
    struct interventions changes = {0};
    for (uint32_t i = 0; i < INTERVENE_HIDDEN_MAX; i++)
        assert_ok(interventions_hide(&changes, 2 * i, &error), error);
    for (uint32_t i = 0; i < INTERVENE_CUTS_MAX; i++)
        assert_ok(interventions_cut(&changes, (struct cut){0, 0, i, i}, &error), error);
    const struct interventions full = changes;
    assert_ok(interventions_hide(&changes, 2, &error), error); /* there already */
    assert_ok(interventions_cut(&changes, (struct cut){0, 0, 2, 2}, &error), error);
    assert_fails(interventions_hide(&changes, 3, &error), STATUS_LIMIT,
                 "at most 64 tokens can be hidden", error);
    assert_fails(interventions_cut(&changes, (struct cut){0, 0, 3, 2}, &error), STATUS_LIMIT,
                 "at most 64 connections can be cut", error);
    ck_assert_mem_eq(&changes, &full, sizeof full);
}

/* ---- In words ------------------------------------------------------------------------------ */

static const struct {
    struct interventions changes;
    const char *words;
} descriptions[] = {
    {{.causal = true, .unscaled = true, .off = {3}}, "changed: causal unscaled 2 heads off"},
    {{.temperature = 0.5, .off = {1}}, "changed: 1 head off temperature 0.5"},
    {{.temperature = 0.123456789}, "changed: temperature 0.123457"},
    {{.uniform = {1}, .hidden_count = 1}, "changed: 1 head uniform 1 token hidden"},
    {{.uniform = {3}, .hidden_count = 2}, "changed: 2 heads uniform 2 tokens hidden"},
    {{.uniform = {3}, .hidden_count = 10}, "changed: 2 heads uniform +1"},
    {{.cut_count = 1, .hidden_count = 3}, "changed: 3 tokens hidden 1 cut"},
    {{.cut_count = 2, .positions = POSITIONS_NONE}, "changed: 2 cuts no positions"},
    {{.positions = POSITIONS_SINUSOIDAL, .no_segments = true}, "changed: sinusoidal no segments"},
    {{.causal = true, .temperature = 0.25, .uniform = {1}, .cut_count = 2, .no_segments = true},
     "changed: causal temperature 0.25 +3"},
};

TEST(changes_are_told_as_far_as_there_is_room, .times = COUNT(descriptions))
{
    char text[INTERVENE_WORDS];
    interventions_describe(&descriptions[_i].changes, text);
    ck_assert_str_eq(text, descriptions[_i].words);
}

/* All at once, each as long as it can be. */
TEST(the_most_words_fit)
{
    struct interventions all = {.unscaled = true,
                                .causal = true,
                                .no_segments = true,
                                .positions = POSITIONS_SINUSOIDAL,
                                .temperature = 0.00123456789,
                                .hidden_count = 64,
                                .cut_count = 64};
    char text[INTERVENE_WORDS];
    memset(all.off, 255, sizeof all.off);
    memset(all.uniform, 255, sizeof all.uniform);
    interventions_describe(&all, text);
    ck_assert_str_eq(text, "changed: causal unscaled +7");
    all.causal = all.unscaled = false;
    interventions_describe(&all, text);
    ck_assert_str_eq(text, "changed: 16384 heads off +6");
}
