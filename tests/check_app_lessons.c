/* The program's lessons: in a pipe, in a picture, and at the keyboard of a pseudo-terminal. */
#include "headlight/draw/text.h"
#include "lesson_helpers.h"
#include "rows.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- In a pipe ---- */

/* The program's output, errors too, to be freed; fails unless it ends so. */
static char *run(const char *arguments, int code)
{
    const char *named = getenv("HEADLIGHT_PROGRAM");
    char command[512], *text = NULL;
    size_t size = 0;
    snprintf(command, sizeof command, "LC_ALL=C.UTF-8 %s %s 2>&1",
             named ? named : "build/headlight", arguments);
    FILE *stream = popen(command, "r");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_gt(getdelim(&text, &size, '\0', stream), 0);
    int status = pclose(stream);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == code, "%s: %s", arguments, text);
    return text;
}

static void check_run(const char *arguments, int code, const char *part)
{
    char *text = run(arguments, code);
    ck_assert_msg(strstr(text, part) != NULL, "%s: expected \"%s\" in:\n%s", arguments, part, text);
    free(text);
}

TEST(lessons_are_listed)
{
    char *text = run("lessons", 0), *ascii = run("lessons --ascii", 0);
    ck_assert_ptr_nonnull(strstr(text, "lines "));
    ck_assert_ptr_nonnull(strstr(text, " min  "));
    ck_assert_ptr_nonnull(strstr(text, "√"));
    for (const char *at = ascii; *at; at++)
        ck_assert_msg(*at == '\n' || (*at >= ' ' && *at < 127), "%s", at);
    free(text);
    free(ascii);
}

static struct folder folder;
static char *small; /* the small lesson's file */

static void begin_file(void)
{
    folder_make(&folder);
    folder_write(&folder, "small.md", SMALL_LESSON, strlen(SMALL_LESSON));
    small = in_folder(&folder, "small.md");
}

static void end_file(void)
{
    close_terminal();
    free(small);
    folder_remove(&folder);
}

static const struct fixture keyboard_tests = {
    .base = &terminal_tests, .begin = begin_file, .end = end_file};

TESTS(.begin = begin_file, .end = end_file);

TEST(marks_are_left_out_of_the_text)
{
    static const char marked[] =
        "# Marks\n\nLearn what stands for itself.\n\n1 minute\n\n## A product\n\n"
        "*2 times* 3 is 2 * 3, `*` and `{` are `keys`.\n";
    char arguments[256], *text;
    folder_write(&folder, "small.md", marked, strlen(marked));
    snprintf(arguments, sizeof arguments, "--lesson %s", small);
    text = run(arguments, 0);
    ck_assert_msg(strstr(text, "\n    \"2 times\" 3 is 2 * 3, * and { are keys.\n") != NULL, "%s",
                  text);
    free(text);
}

TEST(a_step_that_is_too_long_is_told_and_passed_over)
{
    char lesson[2048] = "# Long\n\nLearn.\n\n1 minute\n\n## A\n\n`\"a cat\"`\n\nFirst.\n\n"
                        "## B\n\n`\"";
    char arguments[256], *text;
    for (int i = 0; i < 200; i++)
        strcat(lesson, "cat ");
    strcat(lesson, "\"`\n\nSecond.\n\n## C\n\n`\"a cat\"`\n\nThird: {tokens}.\n");
    folder_write(&folder, "small.md", lesson, strlen(lesson));
    snprintf(arguments, sizeof arguments, "--lesson %s", small);
    text = run(arguments, 0);
    ck_assert_ptr_nonnull(strstr(text, "1 minute, 3 steps\n"));
    ck_assert_ptr_nonnull(strstr(text, "2. B\n\n    (the text is 202 tokens long, the model has "));
    ck_assert_ptr_nonnull(strstr(text, "\n\n3. C\n\n    Third: 4.\n"));
    ck_assert_ptr_null(strstr(text, "Second"));
    free(text);
}

static char *arguments_of(const char *more)
{
    static char text[256];
    snprintf(text, sizeof text, "--lesson %s %s", small, more);
    return text;
}

TEST(a_pipe_gets_a_lesson_as_text)
{
    char *text = run(arguments_of(""), 0), *step = run(arguments_of("--step 2"), 0);
    static const char begins[] =
        "A small lesson\n\nLearn what a test needs.\n5 minutes, 4 steps\n\n"
        "1. One head\n\n    \"time\" gives \"flies\" 0.";
    ck_assert_msg(strncmp(text, begins, sizeof begins - 1) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "\n    Try: ↓ chooses a token.\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n\n4. A pair\n\n    The likeliest is "));
    ck_assert_ptr_nonnull(strstr(text, step));
    ck_assert_ptr_nonnull(strstr(step, "2. A token\n\n    It looks at "));
    ck_assert_ptr_null(strstr(step, "3."));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        char one[256];
        snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
        ck_assert_msg(text_width(one, false) <= 80, "%s", one);
    }
    free(text);
    free(step);
}

TEST(a_picture_has_the_step_and_its_panel)
{
    char *path = in_folder(&folder, "step.txt"), more[160], *text;
    snprintf(more, sizeof more, "--step 3 --size 80x24 --snapshot %s > /dev/null; cat %s", path,
             path);
    text = run(arguments_of(more), 0);
    ck_assert_ptr_nonnull(strstr(text, "Changed"));
    ck_assert_ptr_nonnull(strstr(text, "Now 0.000, before 0."));
    ck_assert_ptr_nonnull(strstr(text, "changed: causal"));
    free(text);
    snprintf(more, sizeof more, "--type \"Space Space\" --snapshot %s; cat %s", path, path);
    text = run(arguments_of(more), 0);
    ck_assert_ptr_nonnull(strstr(text, "Now 0.000, before 0.")); /* Space went on */
    free(text);
    free(path);
}

/* What a change takes from the first place falls below the ten that are listed. */
TEST(the_answer_of_before_stays_on_top, .times = 2)
{
    static const struct {
        const char *arguments, *row;
    } changed[] = {
        {"--view answers --mask are --no-positions 'they are very happy .'",
         "the model's answer\n    are            0.011 ← 0.479"},
        {"--lesson plain --step 7", "the model's answer\n    new            0.001 ← 0.998"}};
    char arguments[160];
    snprintf(arguments, sizeof arguments, "%s --size 80x24 --snapshot - --format txt",
             changed[_i].arguments);
    char *text = run(arguments, 0);
    ck_assert_msg(strstr(text, changed[_i].row), "%s", text);
    free(text);
}

ROW_TEST(what_does_not_go_together_with_a_lesson, "lesson_options")
{
    check_run(row[0], 2, row[1]);
}

TEST(what_is_no_lesson_is_named)
{
    check_run("--lesson no/such.md", 1, "no/such.md");
    check_run(arguments_of("--snapshot no/such.png"), 2,
              "expected a file name that ends in .txt, .ansi or .svg, found \"no/such.png\"");
    ck_assert(!file_exists("no"));
}

TEST(how_pictures_are_seen_goes_together_with_a_lesson)
{
    check_run(arguments_of("--theme light --present --shade root --numbers --thumbnails lines "
                           "--threads 1 --ascii --step 1"),
              0, "1. One head");
}

/* ---- At the keyboard ---- */

static void start(const char *const *environment, const char *const *arguments)
{
    pty = pty_start(&(struct pty_setup){.arguments = arguments,
                                        .environment = environment,
                                        .before = BEFORE "\n",
                                        .columns = 80,
                                        .rows = 24});
    pty_expect(pty, "q quit");
}

static void start_small(void)
{
    start(NULL, (const char *[]){"--lesson", small, NULL});
    pty_expect(pty, "One head");
    pty_expect(pty, "time gives flies 0.");
    pty_expect(pty, "1 of 4");
}

TEST(a_lesson_is_gone_through_with_keys, .with = &keyboard_tests)
{
    start_small();
    pty_type(pty, " ");
    pty_expect(pty, "A token");
    pty_expect(pty, "2 of 4");
    pty_type(pty, " ");
    pty_expect(pty, "Now 0.000, before 0.");
    pty_expect(pty, "changed: causal");
    pty_type(pty, "\177");
    pty_expect(pty, "2 of 4");
    pty_expect_gone(pty, "changed: causal");
    pty_type(pty, "e\025the cat\r");
    pty_expect(pty, "Space brings step 2 back");
    pty_type(pty, " ");
    pty_expect(pty, "arrow");
    pty_expect(pty, "2 of 4");
    pty_type(pty, "  ");
    pty_expect(pty, "4 of 4");
    pty_expect(pty, "slept");
    pty_type(pty, " ");
    pty_expect_gone(pty, "The likeliest is");
    pty_type(pty, " ");
    pty_expect(pty, "The last lesson ends here");
    quit_restored();
}

static void find_on_screen(const char *text, int *x, int *y)
{
    for (*y = 0; *y < 24; ++*y) {
        char *row = pty_row(pty, *y), *at = strstr(row, text);
        *x = 0;
        for (const char *c = row; at && c < at; c++)
            *x += ((unsigned char)*c & 0xC0) != 0x80;
        free(row);
        if (at)
            return;
    }
    ck_abort_msg("not on the screen: %s", text);
}

TEST(a_click_on_a_key_goes_on, .with = &keyboard_tests)
{
    char click[64];
    int x, y;
    start_small();
    find_on_screen("Space next", &x, &y);
    snprintf(click, sizeof click, "\033[<0;%d;%dM\033[<0;%d;%dm", x + 2, y + 1, x + 2, y + 1);
    pty_type(pty, click);
    pty_expect(pty, "2 of 4");
    quit_restored();
}

TEST(the_first_start_ever_offers_a_lesson_once, .with = &keyboard_tests)
{
    char *state = in_folder(&folder, "state"), setting[160];
    const char *const environment[] = {setting, NULL};
    snprintf(setting, sizeof setting, "XDG_STATE_HOME=%s", state);
    pty = pty_start(&(struct pty_setup){
        .environment = environment, .before = BEFORE "\n", .columns = 120, .rows = 40});
    pty_expect(pty, "banana");
    pty_expect(pty, "New here? L opens the list of lessons; the first takes ");
    pty_expect(pty, "a all heads"); /* it hides nothing */
    pty_type(pty, "\f");            /* any key */
    pty_expect_gone(pty, "New here?");
    pty_expect(pty, "L lessons");
    quit_restored();
    close_terminal();
    start(environment, NULL);
    pty_expect(pty, "banana");
    ck_assert_uint_eq(pty_sent(pty, "New here?"), 0);
    quit_restored();
    char *own = in_folder(&folder, "state/headlight/lessons");
    ck_assert_int_eq(remove(own), 0);
    *strrchr(own, '/') = '\0';
    ck_assert_int_eq(remove(own), 0);
    ck_assert_int_eq(remove(state), 0);
    free(own);
    free(state);
}

/* Who asks for something isn't new here. */
TEST(who_begins_with_a_sentence_is_offered_nothing, .with = &keyboard_tests)
{
    char *state = in_folder(&folder, "state"), setting[160];
    const char *const environment[] = {setting, NULL};
    snprintf(setting, sizeof setting, "XDG_STATE_HOME=%s", state);
    start(environment, (const char *[]){"the cat", NULL});
    pty_expect(pty, "cat");
    ck_assert_uint_eq(pty_sent(pty, "New here?"), 0);
    quit_restored();
    ck_assert(!file_exists(state));
    free(state);
}
