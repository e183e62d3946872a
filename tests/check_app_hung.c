/* check_app_hung.c: whatever of the real program hangs, on a worker's thread or the keyboard's, it
 * can be ended, and gives the terminal back as it was. */
#include "hangs.h"
#include "model_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#ifdef __linux__

#include <signal.h>

static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

#define ARGUMENTS 8

static void start(const struct hang *hang, const char *const *arguments)
{
    hangs_begin(hang);
    pty = pty_start(&(struct pty_setup){
        .run = headlight_main, .arguments = arguments, .before = BEFORE "\n", .answers = true});
}

/* ---- Work on another thread ---- */

/* So long that what is quick with a few words isn't made at once. */
#define TEN_WORDS "time flies like an arrow and the cat sat on "
#define LONG_TEXT                                                                                  \
    TEN_WORDS TEN_WORDS TEN_WORDS TEN_WORDS TEN_WORDS TEN_WORDS TEN_WORDS TEN_WORDS TEN_WORDS

/* What asks for each request. */
static const struct {
    enum request_kind kind;
    const char *arguments[ARGUMENTS];
} requests[] = {
    {REQUEST_LOAD, {"the cat", "--model", TINY_FOLDER}},
    {REQUEST_PASS, {"the cat"}},
    {REQUEST_BEFORE, {"the cat", "--causal", "--view", "compare"}},
    {REQUEST_MAP, {LONG_TEXT, "--view", "matrix"}},
    {REQUEST_METRICS, {LONG_TEXT, "--view", "model", "--metric", "entropy"}},
    {REQUEST_EFFECTS, {"[MASK] cat", "--view", "model", "--metric", "effect"}},
    {REQUEST_LENS, {LONG_TEXT, "--view", "answers"}},
    {REQUEST_WORDS, {"--lesson", "tests/fuzz/corpus/lesson/guesses"}},
    {REQUEST_COMPARE, {"the cat", "--against", "built-in", "--view", "compare"}},
};

static void start_request(int index)
{
    const bool loads = requests[index].kind == REQUEST_LOAD;
    const struct hang hang = {.function = loads ? "program_load" : "request_run",
                              .kind = loads ? REQUEST_NONE : requests[index].kind};
    start(&hang, requests[index].arguments);
    if (requests[index].kind == REQUEST_MAP) { /* the first map comes with the pass */
        pty_expect(pty, " ms");
        pty_type(pty, "p3");
    }
    pty_wait_for(pty, hangs_now, "a request that hangs");
}

TESTS(.base = &terminal_tests);

static bool hangs_work(void)
{
#ifdef __linux__
    return true;
#else
    skip("what hangs, which this machine's linker can't bring about");
    return false;
#endif
}

/* Esc has nothing to cancel while the model is loaded, and there are no other keys. */
TEST(a_request_that_hangs_leaves_the_keyboard_alone, .times = COUNT(requests),
     .skipped = !hangs_work())
{
    start_request(_i);
    pty_expect(pty, "q quit");
    if (requests[_i].kind != REQUEST_LOAD) {
        pty_type(pty, "\033");
        pty_type(pty, "?");
        pty_expect(pty, "Keys to know");
        pty_type(pty, "\033");
        pty_expect_gone(pty, "Keys to know");
    }
    quit_restored();
}

TEST(a_request_that_hangs_holds_no_signal_up, .times = COUNT(requests), .skipped = !hangs_work())
{
    start_request(_i);
    pty_expect(pty, "q quit"); /* the terminal's answers are read by then */
    end_by_signal(asking[_i % COUNT(asking)]);
}

/* ---- The keyboard's own thread ---- */

static const struct {
    const char *function, *keys;
} work[] = {
    {"program_begin_interactive", NULL},
    {"curses_open", NULL},
    {"request_pass", NULL},
    {"request_take", NULL},
    {"request_besides", NULL},
    {"screen_draw", NULL},
    {"curses_draw", NULL},
    {"input_key", "x"},
    {"input_paste", "e\033[200~a\033[201~"},
    {"session_click", "\033[<0;5;5M"},
    {"session_hover", "\033[<35;6;6M"},
    {"export_screen", "s"},
    {"state_file_save", "S"},
    {"curses_close", "q"},
};

static void start_work(int index, bool busy)
{
    static const char *const arguments[] = {"the cat", NULL};
    start(&(struct hang){.function = work[index].function, .busy = busy}, arguments);
    if (work[index].keys) {
        pty_expect(pty, "q quit");
        pty_type(pty, work[index].keys);
    }
    pty_wait_for(pty, hangs_now, work[index].function);
}

/* As somebody does who means it. Some compute for ever, the others wait. */
TEST(a_second_signal_ends_a_keyboard_that_hangs, .times = COUNT(work), .skipped = !hangs_work())
{
    start_work(_i, _i % 4 == 1);
    pty_ask_to_end(pty, asking[_i % COUNT(asking)]);
    assert_killed(asking[_i % COUNT(asking)]);
    assert_restored();
}

static const int unheard[] = {5, 7};

/* Keys say nothing to it, but those that the terminal makes a signal of. */
TEST(a_signal_unheard_ends_a_keyboard_that_hangs, .times = COUNT(unheard), .skipped = !hangs_work())
{
    start_work(unheard[_i], false);
    pty_type(pty, "\033q\003");
    assert_killed(SIGINT);
    assert_restored();
}

#endif
