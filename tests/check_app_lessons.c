/* The program's lessons at the keyboard of a pseudo-terminal; tests/scripts has them in pipes. */
#include "lesson_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <stdlib.h>
#include <string.h>

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

TESTS(.base = &terminal_tests, .begin = begin_file, .end = end_file);

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

TEST(a_lesson_is_gone_through_with_keys)
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

TEST(a_click_on_a_key_goes_on)
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

TEST(the_first_start_ever_offers_a_lesson_once)
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
TEST(who_begins_with_a_sentence_is_offered_nothing)
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
