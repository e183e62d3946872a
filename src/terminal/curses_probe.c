/* curses_probe.c stands apart from curses.c because <term.h> takes common words for its macros. */
#include "headlight/terminal/curses.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

enum status curses_check_terminal(const char *term, int fd, struct error *error)
{
    int reason = 0;
    char cup[] = "cup", generic[] = "gn";
    if (setupterm(term, fd, &reason) != OK)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the terminal \"%s\" is not in the terminfo database: set TERM to one "
                         "that is, or use --snapshot",
                         term);
    const char *move = tigetstr(cup);
    bool usable = move && move != (char *)-1 && tigetflag(generic) <= 0;
    del_curterm(cur_term);
    if (!usable)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the terminal \"%s\" can't place its cursor: use another one, or "
                         "--snapshot",
                         term);
    return STATUS_OK;
}
