/* completion_parts.h: what the writers of completions share (completion.h), and the lines of single
 * options. */
#ifndef HEADLIGHT_APP_COMPLETION_PARTS_H
#define HEADLIGHT_APP_COMPLETION_PARTS_H

#include "headlight/app/options_table.h"

/* As it stands within a shell's single quotes, and with them. Of the shells fish alone takes a
 * backslash there for more than itself. */
void completion_write_escaped(FILE *stream, const char *text, bool fish);
void completion_write_quoted(FILE *stream, const char *text, bool fish);

/* The choices of an option, or what its files end with, with blanks between or before them. */
void completion_write_choices(FILE *stream, const struct option_info *option);
void completion_write_endings(FILE *stream, const struct option_info *option);

/* A word of _arguments, which says all of the option. */
void completion_write_zsh_option(FILE *stream, const struct option_info *option);

/* A line that says all of the option. */
void completion_write_fish_option(FILE *stream, const struct option_info *option);

/* Of what --models prints, the names of models that can be opened: no shell has a sign to mind in
 * them. */
#define COMPLETION_MODELS                                                                          \
    "LC_ALL=C sed -n 's/^\\([A-Za-z0-9_][A-Za-z0-9._/-]*\\)  .* layers .* heads, hidden "          \
    "[0-9]*$/\\1/p'"

#endif
