/* What in a corpus is most like a token: its screens. */
#include "golden.h"
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_helpers.h"
#include "view_helpers.h"

#include "headlight/survey/index.h"

#include <stdlib.h>

static struct folder folder;
static struct checkpoint tiny;
static struct indexes indexes;
static struct canvas *canvas;
static struct error error;

/* Layer 1 and one head of it of the tiny model. */
static void begin(void)
{
    const struct index_space spaces[] = {index_space(1, NO_HEAD), index_space(1, 3)};
    folder_make(&folder);
    char *path = in_folder(&folder, "index");
    assert_ok(checkpoint_open(&tiny, TINY_FOLDER, NULL, NULL, &error), error);
    survey_write_index(&tiny, SURVEY_CORPUS, 0, 10, spaces, 2, path);
    assert_ok(indexes_open(&indexes, path, NULL, 0, &error), error);
    assert_ok(indexes_check(&indexes, tiny.model, &error), error);
    session_anew_on_texts(&tiny, NULL, "the cat sat", "the mat");
    session.data.indexes = &indexes;
    free(path);
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    indexes_close(&indexes);
    checkpoint_close(&tiny);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

static void draw(int columns, int rows)
{
    canvas_free(canvas);
    canvas = drawn(columns, rows);
}

static const struct found_golden {
    const char *name;
    int columns, rows;
    const char *keys;
} goldens[] = {{"found-80x24", 80, 24, "} Down Down F Down"},
               {"found-120x40", 120, 40, "} 3 Down Down F"}};

/* The cosines themselves depend a little on the processor. */
TEST(screens, .times = COUNT(goldens))
{
    type_and_wait(goldens[_i].keys);
    struct found *found = session.data.found;
    for (size_t i = 0; i < found->count; i++)
        found->best[i].cosine = 0.99f - 0.01f * (float)i;
    draw(goldens[_i].columns, goldens[_i].rows);
    ck_assert(golden_equal(canvas, goldens[_i].name));
}
