/* models.h: what --models prints. */
#ifndef HEADLIGHT_APP_MODELS_H
#define HEADLIGHT_APP_MODELS_H

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* The models of the hub's cache, a line each: the name, then family, size, layers, heads and hidden
 * size, or why it can't be opened. Where there are none, one line says where it looked. */
enum status models_write(FILE *stream, bool ascii, struct error *error);

#endif
