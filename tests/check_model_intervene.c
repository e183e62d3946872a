/* Lists of heads. */
#include "headlight/model/intervene.h"
#include "model_helpers.h"
#include "suites.h"

#include <string.h>

static struct error error;

START_TEST(lists_are_added)
{
    struct interventions changes = {0};
    ck_assert(!interventions_any(&changes));
    ck_assert(!interventions_any(NULL));
    assert_ok(interventions_switch_off(&changes, "0.1,2.3", 12, 64, &error), error);
    ck_assert(interventions_any(&changes));
    ck_assert_uint_eq(changes.off[0], 2);
    ck_assert_uint_eq(changes.off[1], 0);
    ck_assert_uint_eq(changes.off[2], 8);
    assert_ok(interventions_switch_off(&changes, "0.1,0.0,11.63", 12, 64, &error), error);
    ck_assert_uint_eq(changes.off[0], 3);
    ck_assert_uint_eq(changes.off[11], (uint64_t)1 << 63);
}
END_TEST

START_TEST(any_change_is_a_change)
{
    struct interventions unscaled = {.unscaled = true}, causal = {.causal = true};
    struct interventions last = {.off = {[INTERVENE_LAYERS_MAX - 1] = 1}};
    ck_assert(interventions_any(&unscaled));
    ck_assert(interventions_any(&causal));
    ck_assert(interventions_any(&last));
}
END_TEST

static const char *const malformed[] = {"",     "1",    "1.",    ".1",    "1,2",     "0.1,",
                                        ",0.1", "0.1;", "0.1 ",  " 0.1",  "-1.0",    "0.-1",
                                        "a.b",  "0..1", "0.1.2", "0x1.0", "00000.1", "0.1,,0.2"};

START_TEST(malformed_lists_are_refused)
{
    struct interventions changes = {.off = {7}};
    assert_fails(interventions_switch_off(&changes, malformed[_i], 12, 12, &error), STATUS_USAGE,
                 "LAYER.HEAD", error);
    ck_assert_uint_eq(changes.off[0], 7);
}
END_TEST

START_TEST(heads_must_exist)
{
    static const char *const lists[] = {"12.0", "0.12", "0.0,3.12", "9999.9999", "12.12"};
    struct interventions changes = {0};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        assert_fails(interventions_switch_off(&changes, lists[i], 12, 12, &error), STATUS_USAGE,
                     "layers from 0 to 11 and heads from 0 to 11", error);
    ck_assert(!interventions_any(&changes));
}
END_TEST

Suite *suite_model_intervene(void)
{
    Suite *suite = suite_create("model/intervene");
    TCase *tests = tcase_create("interventions");
    tcase_add_test(tests, lists_are_added);
    tcase_add_test(tests, any_change_is_a_change);
    tcase_add_loop_test(tests, malformed_lists_are_refused, 0,
                        sizeof malformed / sizeof *malformed);
    tcase_add_test(tests, heads_must_exist);
    suite_add_tcase(suite, tests);
    return suite;
}
