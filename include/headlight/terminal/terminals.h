/* terminals.h: one table of what is known of terminals by their names, and by what they and what
 * stands between leave in the environment. The rest they say themselves (ask.h), or terminfo does.
 *
 *     if (terminal_traits(NULL) & TERMINAL_SEXTANTS) … */
#pragma once

#include <stddef.h>

enum {
    TERMINAL_QUESTIONS = 1,    /* answers questions, or passes over them, and marks pastes */
    TERMINAL_SEXTANTS = 2,     /* draws the sextants of Unicode 13 itself, whatever the font */
    TERMINAL_NO_BRAILLE = 4,   /* has a font of 512 glyphs */
    TERMINAL_SLOW = 8,         /* its answers take long */
    TERMINAL_FAR = 16,         /* not on this machine, or something is between */
    TERMINAL_WITHIN = 32,      /* a multiplexer: its colours need not be those around it, */
    TERMINAL_NO_PICTURES = 64, /* and it must not be asked for kitty's pictures */
};

/* Of the terminals whose variable begins so; without one behind the last. */
extern const struct terminal_row {
    const char *variable, *begins;
    unsigned traits;
} terminal_rows[];

/* Those of all rows that hold, with that name in place of TERM; NULL is TERM's own. */
unsigned terminal_traits(const char *term);

/* The trait 1 << bit in words, as --version has it; NULL past the last one. */
const char *terminal_trait_text(unsigned bit);
