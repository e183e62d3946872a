/* curses_direct.h: direct colour for terminals whose terminfo entry doesn't tell of it. */
#ifndef HEADLIGHT_TERMINAL_CURSES_DIRECT_H
#define HEADLIGHT_TERMINAL_CURSES_DIRECT_H

/* The program's environment with TERMINFO in front, as the entry of a terminal in compiled form:
 * the terminal's own, but numbers of colours from 8 on are red << 16 | green << 8 | blue. With it
 * newterm finds this entry by the terminal's own name; a curses that doesn't read such a TERMINFO
 * finds the one that is installed. NULL where the terminal, open on `fd`, isn't known to have 256
 * colours or to be like xterm, and where there is no memory. */
char **curses_direct_environment(const char *term, int fd);

/* Accepts NULL. The variables but the first are the program's. */
void curses_direct_free(char **environment);

#endif
