/* What a snapshot says about the session that it shows. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/export/about.h"

#include <string.h>

static struct checkpoint checkpoint;
static struct session session;
static struct error error;
static struct about about;

static void open_session(size_t count, const struct interventions *changes)
{
    static const struct text texts[] = {{"time flies", 10}, {"fruit flies", 11}};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
    session_begin(&session, &checkpoint, true, changes);
    assert_ok(session_open(&session, texts, count, &error), error);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
}

/* All of them, as "name=value|". */
static const char *facts(void)
{
    static char all[512];
    about_session(&session, &about);
    all[0] = '\0';
    for (size_t i = 0; i < about.snapshot.count; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s=%s|", about.snapshot.facts[i].name,
                 about.snapshot.facts[i].value);
    }
    return all;
}

START_TEST(a_sentence_has_no_filter)
{
    const struct interventions none = {0};
    open_session(1, &none);
    ck_assert_str_eq(facts(), "headlight=" HEADLIGHT_VERSION
                              "|model=tiny-bert|view=head|layer=0|heads=all|text A=time flies|");
    ck_assert_str_eq(about.snapshot.title, "headlight: head view, layer 0, model tiny-bert");
}
END_TEST

START_TEST(a_pair_that_was_changed)
{
    const struct interventions changes = {.causal = true, .off = {1}};
    open_session(2, &changes);
    assert_ok(session_compute(&session, NULL, &error), error);
    session.state.look.view = VIEW_MATRIX;
    session.state.look.layer = session.state.look.head = 1;
    session.state.look.filter = FILTER_AB;
    ck_assert_str_eq(facts(), "headlight=" HEADLIGHT_VERSION
                              "|model=tiny-bert|view=matrix|layer=1|head=1|filter=ab|"
                              "changes=causal 1 head off|text A=time flies|text B=fruit flies|");
    session.state.look.shape = (struct shape){SPECIAL_RENORMALISED, true};
    session.state.look.averaged = MEAN_LAYERS;
    session.state.look.heads = 2;
    assert_ok(session_compute(&session, NULL, &error), error);
    ck_assert_str_eq(facts(),
                     "headlight=" HEADLIGHT_VERSION
                     "|model=tiny-bert|view=matrix|layer=all|heads=1|mean=of heads and layers|"
                     "special tokens=hidden, the rest rescaled|pieces=merged into words|filter=ab|"
                     "changes=causal 1 head off|text A=time flies|text B=fruit flies|");
    ck_assert_str_eq(about.snapshot.title, "headlight: matrix view, layer all, model tiny-bert");
    ck_assert_uint_eq(about.snapshot.count, ABOUT_FACTS);
}
END_TEST

static const struct {
    uint64_t heads;
    size_t count;
    const char *list;
} lists[] = {
    {0, 8, "none"},
    {0xFF, 8, "all"},
    {0xE5, 8, "0,2,5-7"},
    {1, 8, "0"},
    {UINT64_MAX, 64, "all"},
    {3, 3, "0-1"},
    {4, 3, "2"},
    {1, 1, "all"},
    {UINT64_C(1) << 63, 64, "63"},
    {0x5555555555555555, 64,
     "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62"},
};

START_TEST(heads_are_a_list)
{
    const struct interventions none = {0};
    char expected[160];
    open_session(1, &none);
    session.state.look.heads = lists[_i].heads;
    session.data.head_count = lists[_i].count;
    snprintf(expected, sizeof expected, "|heads=%s|text", lists[_i].list);
    ck_assert_ptr_nonnull(strstr(facts(), expected));
}
END_TEST

Suite *suite_export_about(void)
{
    Suite *suite = suite_create("export/about");
    TCase *tests = tcase_create("about");
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, a_sentence_has_no_filter);
    tcase_add_test(tests, a_pair_that_was_changed);
    tcase_add_loop_test(tests, heads_are_a_list, 0, (int)(sizeof lists / sizeof *lists));
    suite_add_tcase(suite, tests);
    return suite;
}
