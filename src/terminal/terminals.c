/* terminals.c: the table of terminals. A terminal that answers questions needs no row: what it can
 * do is asked. */
#include "headlight/terminal/terminals.h"

#include <stdlib.h>
#include <string.h>

/* kitty's own entry of terminfo has neither XT nor BE, but its name begins with xterm. tmux also
 * uses screen's name; screen itself ignores sequences that it doesn't know. alacritty draws
 * sextants since 2024, but nothing says which version it is. */
const struct terminal_row terminal_rows[] = {
    {"TERM", "xterm", TERMINAL_QUESTIONS},
    {"TERM", "xterm-kitty", TERMINAL_SEXTANTS | TERMINAL_SLOW},
    {"TERM", "foot", TERMINAL_SEXTANTS},
    {"TERM", "linux", TERMINAL_NO_BRAILLE},
    {"TERM", "screen", TERMINAL_QUESTIONS | TERMINAL_WITHIN | TERMINAL_NO_PICTURES},
    {"TERM", "tmux", TERMINAL_WITHIN | TERMINAL_NO_PICTURES},
    {"TMUX", "", TERMINAL_WITHIN | TERMINAL_FAR},
    {"STY", "", TERMINAL_WITHIN | TERMINAL_FAR},
    {"SSH_TTY", "", TERMINAL_FAR | TERMINAL_SLOW},
    {"SSH_CONNECTION", "", TERMINAL_FAR},
    {"VTE_VERSION", "", TERMINAL_SEXTANTS},
    {"TERM_PROGRAM", "WezTerm", TERMINAL_SEXTANTS},
    {"TERM_PROGRAM", "ghostty", TERMINAL_SEXTANTS},
    {"TERM_PROGRAM", "contour", TERMINAL_SEXTANTS},
    {"TERM_PROGRAM", "rio", TERMINAL_SEXTANTS},
    {0},
};

unsigned terminal_traits(const char *term)
{
    unsigned traits = 0;
    for (const struct terminal_row *row = terminal_rows; row->variable; row++) {
        const char *value =
            term && strcmp(row->variable, "TERM") == 0 ? term : getenv(row->variable);
        if (value && strncmp(value, row->begins, strlen(row->begins)) == 0)
            traits |= row->traits;
    }
    return traits;
}

const char *terminal_trait_text(unsigned bit)
{
    static const char *const texts[] = {
        "is asked what it can show",
        "draws sextants",
        "has no braille",
        "is slow to answer",
        "is far away",
        "is a multiplexer or in one",
        "shows no pictures by kitty's protocol",
    };
    return bit < sizeof texts / sizeof *texts ? texts[bit] : NULL;
}
