/* generate.h: what --generate prints: files that are installed beside the program, made from its
 * own tables. */
#ifndef HEADLIGHT_APP_GENERATE_H
#define HEADLIGHT_APP_GENERATE_H

#include <stdio.h>

/* What can be generated, by number: "man" …; NULL past the last. */
const char *generate_name(size_t index);

/* Writes it. Errors of the stream are its owner's to find. */
void generate_write(size_t index, FILE *stream);

#endif
