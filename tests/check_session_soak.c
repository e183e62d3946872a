/* check_session_soak.c: some thousand random actions, and whether it would be seen if something did
 * not hold. `make soak` does many more. */
#include "model_helpers.h"
#include "soak/measure.h"
#include "soak/soak.h"
#include "soak/sound.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/session/screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct fixture run_tests = {.slow = true};

TEST(whatever_is_done_holds, .times = FEWER(2), .with = &run_tests)
{
    char here[4096];
    struct folder folder;
    struct soak_report report;
    char *model = realpath(_i == 0 ? TINY_FOLDER : "assets/model/dates", NULL);
    struct soak_wish wish = {
        .seed = 35 + (uint64_t)_i, .actions = 2000, .stage = 250, .folder = model};
    ck_assert(model && getcwd(here, sizeof here));
    folder_make(&folder);
    ck_assert_int_eq(chdir(folder.path), 0);
    bool sound = soak_run(&wish, &report);
    ck_assert_int_eq(chdir(here), 0);
    free(model);
    ck_assert_msg(sound, "seed %d, %s", (int)wish.seed, report.failure);
    ck_assert_int_eq(rmdir(folder.path), 0); /* nothing is left in it */
    ck_assert_uint_eq(report.count.actions, wish.actions);
    ck_assert_uint_gt(report.count.passes, 20);
    ck_assert_uint_gt(report.count.recordings, 0);
    ck_assert_uint_gt(report.count.files, 0);
    ck_assert_uint_lt(report.allocated_last, report.allocated_first + measure_slack());
}

/* ---- What doesn't hold is seen ---- */

static struct session session;
static struct canvas *canvas;
static struct unsound unsound;

static void begin(void)
{
    struct error error;
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    canvas = canvas_new(100, 30, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert(session.data.encoded && canvas);
    assert_ok(screen_draw(&session, canvas, &error), error);
    ck_assert_msg(sound_session(&session, &unsound) && sound_canvas(&session, canvas, &unsound),
                  "%s", unsound.what);
}

static void end(void)
{
    canvas_free(canvas);
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

TEST(a_session_that_does_not_hold_is_seen, .times = 8)
{
    switch (_i) {
    case 0:
        session.state.look.layer = session.data.layers;
        break;
    case 1:
        session.state.look.heads = 1 << session.data.head_count;
        break;
    case 2:
        session.state.look.from = scene_count(scene_of(&session), SIDE_LEFT);
        break;
    case 3:
        session.state.look.filter = FILTER_BB;
        session.state.look.to = 0; /* of the first sentence */
        break;
    case 4:
        session.state.look.ranked = true;
        break;
    case 5:
        memset(session.state.look.find, 'x', sizeof session.state.look.find);
        break;
    case 6:
        session.state.look.dimension = session.data.trace->dimensions;
        break;
    default:
        memset(session.message, 'x', sizeof session.message);
    }
    ck_assert(!sound_session(&session, &unsound));
    ck_assert_ptr_nonnull(strstr(unsound.what, "not "));
}

static const char *const glyphs[] = {"\033", "\xC2\x9B", "ab", "\xE2\x80\xAE", "\xFF", "漢", ""};

TEST(a_cell_that_does_not_hold_is_seen, .times = COUNT(glyphs))
{
    strcpy(canvas_at(canvas, 5, 5)->text, glyphs[_i]);
    canvas_at(canvas, 5, 5)->width = 1;
    ck_assert(!sound_canvas(&session, canvas, &unsound));
    ck_assert_ptr_nonnull(strstr(unsound.what, "row 5, column 5"));
}

TEST(a_click_that_does_not_hold_is_seen)
{
    canvas_mark(canvas, (struct area){5, 5, 1, 1},
                hit_at(HIT(from), scene_count(scene_of(&session), SIDE_LEFT)));
    ck_assert(!sound_canvas(&session, canvas, &unsound));
}

TEST(another_picture_is_seen)
{
    struct error error;
    struct canvas *again = canvas_new(100, 30, canvas->traits);
    ck_assert_ptr_nonnull(again);
    assert_ok(screen_draw(&session, again, &error), error);
    ck_assert_msg(sound_same(canvas, again, &unsound), "%s", unsound.what);
    canvas_at(again, 7, 9)->style.fore.level ^= 1;
    ck_assert(!sound_same(canvas, again, &unsound));
    canvas_free(again);
}
