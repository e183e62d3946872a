/* check_app_views.c: every view of the real program opens by keys in a pseudo-terminal. It needs no
 * file beside the program, so that make check-static can run it in a root that holds nothing else.
 */
#include "model_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <string.h>

TESTS(.base = &terminal_tests);

TEST(every_view_opens_by_keys, .times = 3)
{
    static const char *const terms[] = {"TERM=xterm-256color", "TERM=x-unheard-of", "TERM=linux"};
    static const char *const shown[] = {"q × k",
                                        "a map: rows",
                                        "columns: to what",
                                        "each layer's likeliest",
                                        "number by number",
                                        "A alone",
                                        "english.conllu",
                                        "left: who attends"};
    pty = pty_start(&(struct pty_setup){
        .columns = 120,
        .rows = 40,
        /* curses would load a mouse driver for the console, which leaks */
        .environment = (const char *[]){terms[_i], "NCURSES_GPM_TERMS=none", NULL}});
    pty_expect(pty, "left: who attends");
    for (int i = 0; i < COUNT(shown); i++) {
        pty_type(pty, "\t");
        pty_expect(pty, shown[i]);
    }
    quit();
}
