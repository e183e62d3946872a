/* curses_entry.h: a terminfo entry that has direct colour and the 256 colours, and sends a colour
 * only where it changes. */
#ifndef HEADLIGHT_TERMINAL_CURSES_ENTRY_H
#define HEADLIGHT_TERMINAL_CURSES_ENTRY_H

#include <stdbool.h>

/* An ink of any colour, for what shows none: it is not sent. */
#define CURSES_ENTRY_ANY 0

/* Whether the entry that curses works with has direct colour. */
bool curses_entry_has_rgb(void);

/* The program's environment with TERMINFO in front, as the entry of a terminal in compiled form:
 * the terminal's own, but numbers of colours up to 255 are the palette's, and those from 256 on are
 * red << 16 | green << 8 | blue. With it newterm finds this entry by the terminal's own name; a
 * curses that doesn't read such a TERMINFO finds the one that is installed. NULL where the
 * terminal, open on `fd`, isn't known to have 256 colours (or, where direct colour is wanted, to be
 * like xterm), where its own entry has direct colour, and where there is no memory. */
char **curses_entry_environment(const char *term, int fd, bool direct);

/* Accepts NULL. The variables but the first are the program's. */
void curses_entry_free(char **environment);

#endif
