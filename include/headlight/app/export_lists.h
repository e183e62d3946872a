/* export_lists.h: what the files that are written have in common: texts and labels as the items of
 * a JSON list, without its brackets. */
#ifndef HEADLIGHT_APP_EXPORT_LISTS_H
#define HEADLIGHT_APP_EXPORT_LISTS_H

#include "headlight/app/passage.h"

#include <stdio.h>

void export_texts(FILE *stream, const struct passage *passage, const char *separator);

void export_labels(FILE *stream, const struct token_side *side);

#endif
