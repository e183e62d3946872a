/* What a snapshot says about the session that it shows. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/export/export.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct session session;
static struct folder folder;
static struct error error;
static char title[256];

static void open_session(size_t count, const struct interventions *changes)
{
    static const struct text texts[] = {{"time flies", 10}, {"fruit flies", 11}};
    folder_make(&folder);
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, changes);
    assert_ok(session_open(&session, texts, count, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
    folder_remove(&folder);
}

TESTS(.end = end);

/* What stands between two marks; returns what follows. */
static const char *between(const char *text, const char *before, const char *after, char *found)
{
    const char *start = strstr(text, before);
    if (!start)
        return NULL;
    start += strlen(before);
    const char *end = strstr(start, after);
    ck_assert_ptr_nonnull(end);
    memcpy(found, start, (size_t)(end - start));
    found[end - start] = '\0';
    return end + strlen(after);
}

/* All that the picture's metadata say, as "name=value|"; the bits are this processor's. */
static const char *facts(void)
{
    static char all[512];
    const struct output output = {.session = &session, .columns = 80, .rows = 24};
    char *path = path_join(folder.path, "a.svg"), *text, name[64], value[256];
    size_t length;
    assert_ok(export_file(&output, FORMAT_SVG, path, &error), error);
    assert_ok(file_read(path, 1 << 24, &text, &length, &error), error);
    const char *at = between(text, "<title>", "</title>", title);
    all[0] = '\0';
    while ((at = between(at, "<h:fact name=\"", "\">", name))) {
        size_t used = strlen(all);
        at = between(at - 2, "\">", "</h:fact>", value);
        if (strcmp(name, "bits") == 0) {
            ck_assert_str_eq(value, kernels_now()->bits);
            continue;
        }
        snprintf(all + used, sizeof all - used, "%s=%s|", name, value);
    }
    free(text);
    free(path);
    return all;
}

TEST(a_sentence_has_no_filter)
{
    const struct interventions none = {0};
    open_session(1, &none);
    ck_assert_str_eq(facts(),
                     "headlight=" HEADLIGHT_VERSION
                     "|model=tiny-bert|family=BERT|view=head|layer=0|heads=all|text A=time flies|");
    char sentence[512], expected[4096], *end = expected;
    const struct scene scene = session_scene(&session);
    ck_assert(view_sentence(&scene, false, sentence, sizeof sentence));
    for (const char *at = sentence; *at; at++)
        end += *at == '"' ? sprintf(end, "&quot;") : sprintf(end, "%c", *at);
    strcpy(end, " · headlight: head view, layer 0, model tiny-bert");
    ck_assert_str_eq(title, expected);
}

TEST(a_pair_that_was_changed)
{
    const struct interventions changes = {.causal = true, .off = {1}};
    const char *const matrix[FIELD_COUNT] = {
        [FIELD_VIEW] = "matrix", [FIELD_LAYER] = "1", [FIELD_HEAD] = "1", [FIELD_FILTER] = "ab"};
    const char *const mean[FIELD_COUNT] = {[FIELD_SPECIAL] = "rescaled",
                                           [FIELD_WHOLE_WORDS] = "on",
                                           [FIELD_MEAN] = "layers",
                                           [FIELD_HEADS] = "1"};
    open_session(2, &changes);
    assert_ok(fields_apply(&session, PART_LOOK, matrix, NULL, &error), error);
    ck_assert_str_eq(facts(), "headlight=" HEADLIGHT_VERSION
                              "|model=tiny-bert|family=BERT|view=matrix|layer=1|head=1|filter=ab|"
                              "changes=causal 1 head off|text A=time flies|text B=fruit flies|");
    assert_ok(fields_apply(&session, PART_LOOK, mean, NULL, &error), error);
    ck_assert_str_eq(
        facts(),
        "headlight=" HEADLIGHT_VERSION
        "|model=tiny-bert|family=BERT|view=matrix|layer=all|heads=1|mean=of heads and layers|"
        "special tokens=hidden, the rest rescaled|pieces=merged into words|filter=ab|"
        "changes=causal 1 head off|text A=time flies|text B=fruit flies|");
    ck_assert_str_eq(title, "headlight: matrix view, layer all, model tiny-bert"); /* no weights */
}

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

static const struct fixture names_tests = {0};

TEST(heads_are_a_list, .times = COUNT(lists), .with = &names_tests)
{
    char list[160];
    head_mask_write(lists[_i].heads, lists[_i].count, list, sizeof list);
    ck_assert_str_eq(list, lists[_i].list);
}
