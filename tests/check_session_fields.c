/* A session's state as names and values: what each setting takes, what it does, and that what is
 * written brings the same screen back. */
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/session/act.h"
#include "headlight/session/fields.h"
#include "headlight/session/find.h"
#include "headlight/session/overlay.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <string.h>

#define HEADS      4
#define DIMENSIONS 8

static struct session session;
static struct error error;

static struct session new_session(void)
{
    return synthetic_session(synthetic_pair, 13, 7, HEADS, DIMENSIONS);
}

static void begin(void)
{
    session = new_session();
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
}

static const struct fixture slow_tests = {.begin = begin, .end = end, .slow = true};

TESTS(.begin = begin, .end = end);

static void begin_anew(void)
{
    end();
    begin();
}

/* ---- What can be said without a session ------------------------------------------------------ */

/* The next of some values, each ended by |; NULL behind the last. */
static const char *next_value(char **values)
{
    char *value = strsep(values, "|");
    return *values ? value : NULL;
}

ROW_TEST(every_setting_says_what_it_takes, "fields")
{
    const enum state_field setting = field_named(row[0]);
    char message[600], values[200], *at = strcpy(values, row[1]);
    const char *value;
    ck_assert_str_eq(field_info(setting)->name, row[0]);
    while ((value = next_value(&at)))
        assert_ok(field_check(setting, value, &error), error);
    at = strcpy(values, row[2] ? row[3] : "");
    while ((value = next_value(&at))) {
        snprintf(message, sizeof message, "--%s: expected %s, found \"%s\"", row[0], row[2], value);
        ck_assert_msg(field_check(setting, value, &error) == STATUS_USAGE, "--%s %s", row[0],
                      value);
        /* what it may have been meant for comes behind */
        ck_assert_msg(strncmp(error.message, message, strlen(message)) == 0, "%s", error.message);
    }
}

/* They come first in the table. */
static unsigned look_fields(void)
{
    unsigned count = 0;
    while (field_is_look((enum state_field)count))
        count++;
    return count;
}

TEST(no_setting_of_that_name)
{
    ck_assert_int_eq(rows_count("fields"), look_fields());
    for (unsigned i = 0; i < look_fields(); i++)
        ck_assert_int_eq(field_named(*row_at("fields", (int)i)), i);
    ck_assert_int_eq(field_named("wordz"), FIELD_COUNT);
    ck_assert_int_eq(field_named(""), FIELD_COUNT);
    ck_assert_int_eq(field_named("View"), FIELD_COUNT);
}

/* ---- Values that a session takes --------------------------------------------------------------
 */

/* "--layer 1 --whole-words on": name and value by turns, divided by blanks. */
static enum status apply(const char *line)
{
    static char words[256];
    const char *values[FIELD_COUNT] = {NULL};
    snprintf(words, sizeof words, "%s", line);
    for (char *name = strtok(words, " "); name; name = strtok(NULL, " ")) {
        enum state_field setting = field_named(name + strlen("--"));
        ck_assert_msg(setting != FIELD_COUNT, "%s", name);
        values[setting] = strtok(NULL, " ");
    }
    return fields_apply(&session, PART_LOOK, values, NULL, &error);
}

ROW_TEST(what_is_applied_is_written, "fields_applied")
{
    struct field_value value;
    assert_ok(apply(row[0]), error);
    const bool said = field_write(&session, field_named(row[1]), &value);
    ck_assert_str_eq(said ? value.text : "", row[2]);
}

/* Names and fields belong together: a setting that went elsewhere would come back all the same. */
TEST(values_reach_the_scene)
{
    assert_ok(
        apply("--view matrix --layer 1 --special hidden --whole-words on --filter ab --heads 1,3 "
              "--head 2 --mean heads --threshold 0.1 --detail 3 --shade root --numbers on"),
        error);
    ck_assert_int_eq(session.state.look.view, VIEW_MATRIX);
    ck_assert_uint_eq(session.state.look.layer, 1);
    ck_assert_int_eq(session.state.look.shape.special, SPECIAL_HIDDEN);
    ck_assert(session.state.look.shape.words && session.state.look.numbers);
    ck_assert_int_eq(session.state.look.filter, FILTER_AB);
    ck_assert(session.state.look.heads == 0xA);
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert_int_eq(session.state.look.averaged, MEAN_HEADS);
    ck_assert_ptr_nonnull(session.data.mean);
    ck_assert_uint_eq(session.state.look.threshold, 100);
    ck_assert_int_eq(session.state.look.detail, 3);
    ck_assert_int_eq(session.state.look.tone, TONE_ROOT);
    begin_anew();
    assert_ok(apply("--list on --metric self --sort on --thumbnails lines --dimension 5 --scale "
                    "largest --bands values --select 1 --attended 3 --find an --rank on --theme "
                    "light --present on"),
              error);
    ck_assert(session.state.look.listed && session.state.look.sorted && session.state.look.lined &&
              session.state.look.ranked);
    ck_assert_int_eq(session.state.look.metric, METRIC_SELF);
    ck_assert_uint_eq(session.state.look.dimension, 5);
    ck_assert(session.state.look.scale_largest && session.state.look.valued);
    ck_assert_uint_eq(session.state.look.from, 1);
    ck_assert_uint_eq(session.state.look.to, 3);
    ck_assert_str_eq(session.state.look.find, "an");
    ck_assert_ptr_eq(theme_at(session.state.look.theme), theme_at(theme_number("light")));
    ck_assert(session.state.look.presented);
}

/* A look that differs in one choice is another look. */
TEST(looks_are_told_apart_by_every_setting)
{
    static const char *const values[] = {"--view matrix",
                                         "--layer 1",
                                         "--special hidden",
                                         "--whole-words on",
                                         "--filter ab",
                                         "--heads 1",
                                         "--head 2",
                                         "--mean heads",
                                         "--detail 3",
                                         "--shade root",
                                         "--threshold 0.1",
                                         "--numbers on",
                                         "--list on",
                                         "--metric self",
                                         "--sort on",
                                         "--thumbnails lines",
                                         "--dimension 5",
                                         "--bands values",
                                         "--scale largest",
                                         "--select 1",
                                         "--attended 3",
                                         "--find an",
                                         "--theme light",
                                         "--select 1 --attended 3 --rank on",
                                         "--side right",
                                         "--others 1",
                                         "--present on",
                                         "--map rollout",
                                         "--stage q",
                                         "--number 3",
                                         "--layer-kept 1",
                                         "--without masked",
                                         "--answers replaced",
                                         "--corpus sorted",
                                         "--corpus-metric same",
                                         "--corpus-axis same",
                                         "--corpus-card speech",
                                         "--corpus-relation 3",
                                         "--corpus-example 3",
                                         "--answer-chosen 3"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        begin_anew();
        const struct look before = session.state.look;
        ck_assert(look_equal(&before, &session.state.look));
        session.state.look.from = i == 24 ? 1 : before.from;
        session.state.look.to = i == 24 ? 2 : before.to;
        const struct look chosen = session.state.look;
        assert_ok(apply(values[i]), error);
        ck_assert_msg(!look_equal(&chosen, &session.state.look), "%s", values[i]);
    }
    /* but for the site, what is asked there and how its rows are read, which a model of one stack
     * doesn't have */
    ck_assert_uint_eq(sizeof values / sizeof *values, look_fields() - 3);
}

ROW_TEST(what_the_session_has_no_room_for_is_named, "fields_unfit")
{
    ck_assert_int_eq(apply(row[0]), STATUS_USAGE);
    ck_assert_str_eq(error.message, row[1]);
}

TEST(a_filter_needs_two_sentences)
{
    end();
    session = synthetic_session(synthetic_pair, 7, 7, HEADS, DIMENSIONS);
    ck_assert_int_eq(apply("--filter ab"), STATUS_USAGE);
    ck_assert_str_eq(error.message, "--filter ab: expected two sentences, found one");
    assert_ok(apply("--filter all"), error);
}

/* ---- How settings bear on each other ----------------------------------------------------------
 */

TEST(a_head_is_alone_in_the_head_view_unless_heads_are_said)
{
    assert_ok(apply("--head 2"), error);
    ck_assert(session.state.look.heads == 4);
    begin_anew();
    assert_ok(apply("--head 2 --view matrix"), error);
    ck_assert(session.state.look.heads == 0xF);
    begin_anew();
    assert_ok(apply("--head 2 --heads 0-1"), error);
    ck_assert(session.state.look.heads == 3);
    ck_assert_uint_eq(session.state.look.head, 2);
    begin_anew();
    assert_ok(apply("--heads 2-3"), error); /* the cursor is on one of them */
    ck_assert_uint_eq(session.state.look.head, 2);
}

TEST(the_cursor_is_on_the_side_of_the_token)
{
    assert_ok(apply("--select 1"), error);
    ck_assert_int_eq(session.state.look.side, SIDE_LEFT);
    assert_ok(apply("--select 1 --attended 2"), error);
    ck_assert_int_eq(session.state.look.side, SIDE_RIGHT);
    begin_anew();
    assert_ok(apply("--attended 2"), error);
    ck_assert_int_eq(session.state.look.side, SIDE_RIGHT);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    assert_ok(apply("--select 1 --attended 2 --side left"), error);
    ck_assert_int_eq(session.state.look.side, SIDE_LEFT);
}

/* The neuron view shows single pieces, whatever the others merge and hide. */
TEST(tokens_are_those_of_the_view)
{
    assert_ok(apply("--view neuron --whole-words on --special hidden --select ##nana"), error);
    ck_assert_uint_eq(session.state.look.from, 12);
    session_set_view(&session, VIEW_HEAD);
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, session.state.look.from), "banana");
}

/* To an attended token that is chosen alone comes the query that attends to it most. */
TEST(the_neuron_view_finds_a_query)
{
    struct edge edge;
    assert_ok(apply("--attended 3 --heads 0"), error);
    ck_assert(scene_current_edge(scene_of(&session), &edge));
    ck_assert_uint_ne(edge.from, 0);
    begin_anew();
    assert_ok(apply("--view neuron --attended 3"), error);
    ck_assert_uint_eq(session.state.look.from, edge.from);
    ck_assert_uint_eq(session.state.look.to, 3);
}

TEST(a_text_to_find_is_never_cut_inside_a_letter)
{
    char text[101] = "x";
    for (int i = 0; i < 33; i++)
        strcat(text, "\xE2\x82\xAC");
    const char *values[FIELD_COUNT] = {[FIELD_FIND] = text};
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
    size_t length = strlen(session.state.look.find);
    ck_assert_uint_eq(length % 3, 1);
    ck_assert_uint_ge(length, sizeof session.state.look.find - 4);
}

/* A token's number goes before a token whose text is a number. */
TEST(a_number_as_a_token)
{
    static const char *const labels[] = {"2", "1", "0"};
    struct field_value value;
    end();
    session = synthetic_session(labels, 3, 3, HEADS, DIMENSIONS);
    assert_ok(apply("--select 2"), error);
    ck_assert_uint_eq(session.state.look.from, 0); /* what is written there */
    ck_assert(field_write(&session, FIELD_SELECT, &value));
    ck_assert_str_eq(value.text, "#0");
    assert_ok(apply("--select #0"), error);
    ck_assert_uint_eq(session.state.look.from, 0);
}

/* Before the first pass there are no weights yet, but there are tokens; what is chosen of them is
 * what the settings name once words are merged and [CLS] is hidden. */
static const struct {
    const char *line, *from, *to;
} early[] = {
    {"--whole-words on --select flies --attended an", "flies", "an"},
    {"--special hidden --select flies", "flies", NULL},
    {"--whole-words on --special hidden --select plugh --attended #4", "plugh", "an"},
    {"--view matrix --whole-words on --select #2 --attended xyzzy", "xyzzy", "xyzzy"},
    {"--view neuron --whole-words on --select ##y", "##y", NULL},
};

static void check_label(enum side side, size_t token, const char *label)
{
    if (!label)
        ck_assert_uint_eq(token, NO_TOKEN);
    else
        ck_assert_str_eq(scene_label(scene_of(&session), side, token), label);
}

TEST(tokens_chosen_before_the_first_pass_stay_chosen, .times = COUNT(early))
{
    static const struct text text = {"time xyzzy flies plugh an", 25};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    end();
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &text, 1, NULL, &error), error);
    assert_ok(apply(early[_i].line), error);
    check_label(SIDE_LEFT, session.state.look.from, early[_i].from);
    assert_ok(request_settle(&session, &error), error);
    check_label(SIDE_LEFT, session.state.look.from, early[_i].from);
    check_label(SIDE_RIGHT, session.state.look.to, early[_i].to);
    end();
    checkpoint_close(&checkpoint);
    begin();
}

/* ---- There and back -----------------------------------------------------------------------------
 */

/* Knuth's MMIX generator. */
static size_t below(uint64_t *state, size_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*state >> 33) % limit;
}

/* What a state's settings are made of: all but what leaves the program, asks for a text, changes
 * the network, or is only passing. */
static bool is_lasting(enum action action)
{
    switch (action) {
    case ACTION_CHANGE:
    case ACTION_RESTORE:
    case ACTION_EDIT:
    case ACTION_UNDO:
    case ACTION_REDO:
    case ACTION_FIND:
    case ACTION_PALETTE:
    case ACTION_MAP:
    case ACTION_SAVE:
    case ACTION_SAVE_STATE:
    case ACTION_SAVE_PAGE:
    case ACTION_COMMAND:
    case ACTION_HELP:
    case ACTION_REDRAW:
    case ACTION_QUIT:
        return false;
    default:
        return true;
    }
}

static void act_at_random(struct session *one, uint64_t *state)
{
    static const char *const texts[] = {"", "fl", "an", "\"", "[SEP]"};
    enum action action = (enum action)below(state, ACTION_COUNT);
    int digit = (int)below(state, HEADS + 1);
    if (is_lasting(action))
        session_act(one, action, digit);
    else if (action == ACTION_MAP)
        session_set(one, FIELD_MAP, below(state, MAP_COUNT));
    else if (action == ACTION_FIND)
        snprintf(one->state.look.find, sizeof one->state.look.find, "%s", texts[below(state, 5)]);
    overlay_close(one);
    one->message[0] = '\0';
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    const struct style *x = &a->style, *y = &b->style;
    return strcmp(a->text, b->text) == 0 && a->width == b->width && x->bold == y->bold &&
           memcmp(&x->fore, &y->fore, sizeof x->fore) == 0 &&
           memcmp(&x->back, &y->back, sizeof x->back) == 0;
}

static struct canvas *draw(struct session *one)
{
    struct canvas *canvas = canvas_new(100, 30, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    assert_ok(screen_draw(one, canvas, &error), error);
    return canvas;
}

static void check_same_screen(struct session *a, struct session *b, const char *what)
{
    struct canvas *one = draw(a), *other = draw(b);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 100; x++)
            if (!same_cell(canvas_at(one, y, x), canvas_at(other, y, x)))
                ck_abort_msg("row %d, column %d: \"%s\" came back as \"%s\" of %s", y, x,
                             canvas_at(one, y, x)->text, canvas_at(other, y, x)->text, what);
    canvas_free(one);
    canvas_free(other);
    ck_assert_uint_eq(a->state.look.theme, b->state.look.theme);
}

/* Writes all settings of one session and applies them to another; `line` gets them in words. */
static void copy_state(const struct session *from, struct session *to, char *line, size_t size)
{
    struct field_value *written = calloc(FIELD_COUNT, sizeof *written);
    const char *values[FIELD_COUNT] = {NULL};
    size_t used = 0;
    ck_assert_ptr_nonnull(written);
    for (unsigned i = 0; i < look_fields(); i++)
        if (field_write(from, (enum state_field)i, &written[i])) {
            values[i] = written[i].text;
            used += (size_t)snprintf(line + used, size - used, " --%s %s",
                                     field_info((enum state_field)i)->name, written[i].text);
        }
    ck_assert_msg(fields_apply(to, PART_LOOK, values, NULL, &error) == STATUS_OK, "%s:%s",
                  error.message, line);
    free(written);
}

/* Not only the screen: what is done next leads to the same as well. */
SEEDED_TEST(reopening_gives_the_same_screen, .times = seed_runs(400), .with = &slow_tests)
{
    static const char *const labels[] = {"[CLS]", "time", "fl",    "##ies", "2",    "[SEP]",
                                         "fruit", "fl",   "##ies", "an",    "[SEP]"};
    static char line[16384], again[16384];
    uint64_t state = 20261121 + (uint64_t)seed * 1000003;
    end();
    session = synthetic_session(labels, 11, 6, HEADS, DIMENSIONS);
    struct session restored = synthetic_session(labels, 11, 6, HEADS, DIMENSIONS);
    for (size_t steps = below(&state, 40); steps > 0; steps--)
        act_at_random(&session, &state);
    memset(session.state.look.back, 0, sizeof session.state.look.back); /* ways are no settings */
    copy_state(&session, &restored, line, sizeof line);
    check_same_screen(&session, &restored, line);
    ck_assert(look_equal(&session.state.look, &restored.state.look));
    struct session third = synthetic_session(labels, 11, 6, HEADS, DIMENSIONS);
    copy_state(&restored, &third, again, sizeof again);
    ck_assert_str_eq(again, line);
    session_end(&third);
    for (int steps = 0; steps < 5; steps++) {
        uint64_t same = state;
        act_at_random(&session, &state);
        act_at_random(&restored, &same);
        check_same_screen(&session, &restored, line);
    }
    session_end(&restored);
}

/* ---- What a hidden token takes with it
 * ------------------------------------------------------------ */

/* The ranking is about two tokens: where one of them is hidden, it closes. */
TEST(a_ranking_of_a_hidden_token_closes)
{
    assert_ok(apply("--select 0 --attended 2 --rank on"), error);
    session_act(&session, ACTION_SPECIAL, 0);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    ck_assert(!session.state.look.ranked);
    canvas_free(draw(&session));
}
