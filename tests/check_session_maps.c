/* Maps: which one is shown, and who makes it. */
#include "model_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/export/export.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/view/model_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SENTENCE "The cats sat on the mat."

static struct checkpoint checkpoint;
static struct session session;
static struct error error;
static struct canvas *canvas;

static void open_text(const char *sentence)
{
    const struct text text = {sentence, strlen(sentence)};
    session.interactive = false;
    assert_ok(session_open(&session, &text, 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
}

static void begin(void)
{
    const struct interventions none = {0};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    open_text(SENTENCE);
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static void type(const char *keys)
{
    assert_ok(input_type(&session, keys, &error), error);
}

static void choose(enum map_kind map)
{
    struct look look = session.state.look;
    look.map = map;
    ck_assert(derive_show(&session, &look));
}

static void draw(int columns, int rows, struct traits traits)
{
    canvas_free(canvas);
    canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    assert_ok(screen_draw(&session, canvas, &error), error);
    assert_ok(session_result(&session, &error), error);
}

static bool shows(const char *text)
{
    return view_shows(canvas, text);
}

static enum map_kind shown(void)
{
    return session.data.map->kind;
}

/* ---- Which is shown ---- */

/* The key shows the next one at once, and leads on in their list. */
TEST(a_key_lists_them)
{
    for (enum map_kind map = MAP_SCORES; map < MAP_DIFFERENCE; map++) {
        type("p Enter");
        ck_assert_int_eq(shown(), map);
    }
    type("p 7"); /* by number */
    ck_assert_str_eq(session.message, "the network is unchanged: z makes a change first");
    type("Esc");
    ck_assert_int_eq(shown(), MAP_PLAIN);
    type("p Home Enter");
    ck_assert_int_eq(shown(), MAP_WEIGHTS);
    type("z z Esc p 7"); /* a changed network has a difference, too */
    assert_ok(request_rest(&session, &error), error);
    ck_assert_int_eq(shown(), MAP_DIFFERENCE);
}

/* Or the reason why it can't be chosen. */
TEST(the_list_has_a_sentence_for_each)
{
    type("p");
    draw(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    for (enum map_kind map = 0; map < MAP_CONTACTS; map++)
        ck_assert(shows(map_infos[map].name) &&
                  shows(map == MAP_DIFFERENCE ? "z makes a" : map_infos[map].meaning));
}

/* What is shown meanwhile is one step of undo once it is kept. */
TEST(values_are_tried_kept_and_taken_back)
{
    type("p p");
    ck_assert_int_eq(shown(), MAP_NORMS);
    type("Down Esc");
    ck_assert(!session.overlay.kind);
    ck_assert_int_eq(shown(), MAP_WEIGHTS);
    type("p p Right"); /* another key keeps it, too, and is obeyed */
    ck_assert(!session.overlay.kind);
    ck_assert_int_eq(shown(), MAP_NORMS);
    ck_assert_uint_eq(session.state.look.layer, 1);
    type("p Enter u");
    ck_assert_int_eq(shown(), MAP_NORMS);
    type("u");
    ck_assert_int_eq(shown(), MAP_WEIGHTS);
}

TEST(what_cannot_be_made_is_refused)
{
    static const char sentence[] =
        "a difference needs a changed network: change it with z, or with an "
        "option such as --off; or another model: --against NAME";
    choose(MAP_DIFFERENCE);
    ck_assert_int_eq(shown(), MAP_WEIGHTS);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_int_eq(request_check(&session, &error), STATUS_UNSUPPORTED);
    ck_assert_str_eq(error.message, sentence);
    type("Tab"); /* to a view of weights alone */
    assert_ok(request_check(&session, &error), error);
}

TEST(a_mean_is_of_weights)
{
    type("p 2 m");
    ck_assert_ptr_null(session.data.mean);
    ck_assert_str_eq(session.message, "a mean is of weights: p leads back to them");
    choose(MAP_WEIGHTS);
    type("m");
    ck_assert_ptr_nonnull(session.data.mean);
    choose(MAP_SCORES);
    ck_assert_ptr_null(session.data.mean);
}

/* ---- What is drawn ---- */

static const char *const views[] = {"", "Tab Tab", "Tab Tab Tab"};

/* In every view, size and kind of terminal; the legend names the map. */
TEST(views_show_any_map, .times = 3 * MAP_CONTACTS)
{
    static const struct traits traits[] = {
        {GLYPHS_BRAILLE, false}, {GLYPHS_BRAILLE, true}, {GLYPHS_ASCII, true}};
    type(views[_i / MAP_CONTACTS]);
    choose((enum map_kind)(_i % MAP_CONTACTS));
    for (size_t i = 0; i < 3; i++)
        for (int columns = 40; columns <= 200; columns += 40)
            draw(columns, 12 + columns / 4, traits[i]);
    draw(120, 40, traits[0]);
    if (shown() != MAP_WEIGHTS)
        ck_assert_msg(shows(map_infos[shown()].meaning), "%s", map_infos[shown()].name);
}

/* The number printed is the map's, with its sign; of a map with signs they are told. */
TEST(numbers_are_those_of_the_map, .times = MAP_CONTACTS)
{
    const struct map_info *info = &map_infos[(enum map_kind)_i];
    if (_i == MAP_WEIGHTS || _i == MAP_DIFFERENCE)
        return;
    choose((enum map_kind)_i);
    type("Tab Tab Tab Down Down Right Right");
    struct scene scene = session_scene(&session);
    struct edge edge;
    char number[24];
    ck_assert(scene_current_edge(&scene, &edge));
    double value = (double)map_value(session.data.map, session.state.look.layer,
                                     scene_is_single(&scene) ? 0 : session.state.look.head,
                                     edge.from, edge.to);
    snprintf(number, sizeof number, info->is_signed ? "%+.*f" : "%.*f", _i == MAP_SCORES ? 2 : 3,
             value);
    if (_i == MAP_SIMILARITY && fabs(value) < 0.9995)
        memmove(number + 1, number + 2, strlen(number + 1)); /* without the zero */
    draw(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_msg(shows(number), "no %s", number);
    ck_assert_int_eq(shows("blue: above 0, orange: below"), info->is_signed);
    struct ink ink = scene_edge_ink(&scene, &edge, 9);
    if (info->is_signed)
        ck_assert_int_eq(ink.role, value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
}

/* Of a word's pieces: shares add up, other numbers are averaged; magnitudes are shares of the
 * layer's largest number. */
TEST(words_are_made_of_their_pieces, .times = MAP_DIFFERENCE)
{
    choose((enum map_kind)_i);
    type("w");
    const struct attention *words = session.data.attention;
    const struct map *map = session.data.map;
    bool adds = map_infos[map->kind].shares, merged = false;
    for (size_t from = 0; from < words->tokens[SIDE_LEFT].count; from++)
        for (size_t to = 0; to < words->tokens[SIDE_RIGHT].count; to++) {
            struct token_range rows = words->tokens[SIDE_LEFT].of[from],
                               columns = words->tokens[SIDE_RIGHT].of[to];
            double sum = 0, pieces = (double)(columns.end - columns.first);
            merged |= pieces > 1;
            for (size_t i = rows.first; i < rows.end; i++)
                for (size_t j = columns.first; j < columns.end; j++)
                    sum += (double)map_value(map, 0, 0, i, j);
            sum /= (double)(rows.end - rows.first) * (adds ? 1 : pieces);
            ck_assert_double_eq_tol((double)attention_value(words, 0, 0, from, to), sum, 1e-5);
            double share = fabs(sum) / (double)map->largest[0];
            ck_assert_double_eq_tol((double)attention_weight(words, 0, 0, from, to),
                                    share < 1 ? share : 1, 1e-5);
        }
    ck_assert(merged);
}

/* ---- Who makes it ---- */

static void begin_large(void)
{
    const struct interventions none = {0};
    assert_ok(checkpoint_open(&checkpoint, NULL, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    open_text(SENTENCE SENTENCE SENTENCE SENTENCE SENTENCE);
}

static const struct fixture large = {.begin = begin_large, .end = end};

/* Asks for norms, which take long in the built-in model. */
static void ask(struct request *request)
{
    session.interactive = true;
    choose(MAP_NORMS);
    ck_assert_int_eq(shown(), MAP_WEIGHTS);
    assert_ok(request_besides(&session, request, &error), error);
    ck_assert_int_eq(request->kind, REQUEST_MAP);
}

TEST(a_worker_makes_what_takes_long, .with = &large)
{
    struct request request;
    ask(&request);
    session.busy = REQUEST_MAP;
    draw(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert(shows("computing norms 0/0"));
    session.busy = REQUEST_NONE;
    assert_ok(request_run(&request, NULL, &error), error);
    assert_ok(request_take(&session, &request, 0, &error), error);
    ck_assert_int_eq(shown(), MAP_NORMS);
    assert_ok(request_besides(&session, &request, &error), error);
    ck_assert_int_eq(request.kind, REQUEST_NONE);
}

TEST(what_nobody_needs_any_more_is_stale, .with = &large)
{
    struct request request;
    ask(&request);
    ck_assert(!request_is_stale(&session, &request));
    type("Right");
    ck_assert(!request_is_stale(&session, &request));
    choose(MAP_PLAIN);
    ck_assert(request_is_stale(&session, &request));
    request_drop(&request);
}

static bool cancel(void *context, size_t done, size_t total)
{
    (void)context, (void)done, (void)total;
    return false;
}

/* Then it is not asked for again. */
TEST(esc_ends_it, .with = &large)
{
    const struct watch watch = {cancel, NULL};
    struct request request;
    ask(&request);
    ck_assert_int_eq(request_run(&request, &watch, &error), STATUS_CANCELLED);
    request_fail(&session, request.kind, &error);
    request_drop(&request);
    ck_assert_int_eq(session.state.look.map, MAP_WEIGHTS);
    ck_assert_str_eq(session.message, "cancelled");
}

/* While somebody types, the map of the new text comes with its pass. */
TEST(a_map_comes_with_the_pass)
{
    const struct text text = text_of_string("the mat sat");
    struct request request;
    choose(MAP_ROLLOUT);
    session.interactive = true;
    ck_assert(texts_set(&session.state.source.texts, &text, 1));
    assert_ok(request_pass(&session, &request, &error), error);
    assert_ok(request_run(&request, NULL, &error), error);
    const struct map *made = request.draft.data.map;
    ck_assert_ptr_nonnull(made);
    assert_ok(request_take(&session, &request, 0, &error), error);
    ck_assert_ptr_eq(session.data.map, made);
    ck_assert_ptr_eq(made->trace, session.data.trace);
}

/* Cosines of a text are all alike: the shades begin with the least and end with the largest but for
 * the diagonal, and the legend has both numbers. */
TEST(similarity_is_shaded_from_its_least_to_its_largest)
{
    char least[32], largest[32];
    float low = 1, high = -1;
    struct look look = session.state.look;
    look.view = VIEW_MATRIX;
    look.layer = 0;
    ck_assert(derive_show(&session, &look));
    choose(MAP_SIMILARITY);
    for (size_t from = 0; from < session.data.tokens; from++)
        for (size_t to = 0; to < session.data.tokens; to++)
            if (from != to) {
                low = fminf(low, attention_value(session.data.attention, 0, 0, from, to));
                high = fmaxf(high, attention_value(session.data.attention, 0, 0, from, to));
            }
    draw(120, 40, (struct traits){0});
    snprintf(least, sizeof least, "similarity %.3f", (double)low);
    snprintf(largest, sizeof largest, "%.3f", (double)high);
    ck_assert_msg(shows(least) && shows(largest), "%s … %s", least, largest);
    session_set(&session, FIELD_SHADE, TONE_ROW);
    draw(120, 40, (struct traits){0});
    ck_assert(shows("share 0"));
}

/* ---- Three attentions ---------------------------------------------------------------------- */

/* What the model view shows of an attention beside another is what it shows of it alone: of its own
 * weights, and set against itself before a change. The two texts are of as many tokens, so that
 * nothing is told apart by its size. */
TEST(an_attention_beside_another_has_its_own_map, .times = 2)
{
    static const enum map_kind maps[] = {MAP_NORMS, MAP_DIFFERENCE};
    const struct text text = {"3 May 1994 1994", 15};
    static float own[SITE_COUNT][4096];
    session_end(&session);
    checkpoint_close(&checkpoint);
    assert_ok(checkpoint_open(&checkpoint, "dates", NULL, NULL, &error), error);
    const struct interventions none = {0};
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &text, 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session.state.source.changes.off[0] = session.state.source.changes.off[3] = 2;
    assert_ok(request_settle(&session, &error), error);
    for (int pass = 0; pass < 2; pass++)
        for (enum site shown = 0; shown < SITE_COUNT; shown++) {
            struct look look = session.state.look;
            look.view = VIEW_MODEL;
            look.site = shown;
            ck_assert(derive_show(&session, &look));
            look = session.state.look;
            look.map = maps[_i];
            ck_assert(derive_show(&session, &look));
            assert_ok(request_rest(&session, &error), error);
            const struct scene scene = session_scene(&session);
            for (enum site site = 0; site < SITE_COUNT; site++) {
                struct scene band;
                ck_assert(bands_scene(&scene, site, &band));
                const struct map *map = band.data.map;
                ck_assert_int_eq(map->kind, maps[_i]);
                const size_t count = map->heads * map->rows * map->columns;
                ck_assert_uint_le(map->layers * count, COUNT(own[site]));
                for (size_t i = 0; i < map->layers * count; i++)
                    if (pass == 0 && site == shown)
                        own[site][i] = map->values[i / count][i % count];
                    else if (pass == 1)
                        ck_assert_float_eq(map->values[i / count][i % count], own[site][i]);
            }
        }
}
