/* completion.h: what shells complete a command line with: options, and values of options where they
 * are known. Errors of the stream are its owner's to find. */
#ifndef HEADLIGHT_APP_COMPLETION_H
#define HEADLIGHT_APP_COMPLETION_H

#include <stdio.h>

/* For bash from 3.2 on. */
void completion_write_bash(FILE *stream);

/* For zsh: a function that is found by its file's name, _headlight. */
void completion_write_zsh(FILE *stream);

/* For fish from 3.1 on. */
void completion_write_fish(FILE *stream);

#endif
