/* site.h: where attention is. A model of one stack of layers has one in each of them; an
 * encoder–decoder has three: in each stack that of a text to itself, and the decoder's to the
 * encoder. What is shown, recorded and measured is of a site, which knows what its two axes are
 * (trace.c). */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>

enum site {
    SITE_ENCODER,
    SITE_DECODER,
    SITE_CROSS,
    SITE_COUNT,
    SITE_ONLY = SITE_COUNT, /* of a network that has one */
};

/* What attends to what. Maps, numbers of heads and their sentences say for which of these they are
 * defined, as a set: a place of one text isn't that place of another, and nothing comes after what
 * sees the past alone. */
enum axes {
    AXES_ONE_TEXT = 1,  /* the tokens of a text to all of them */
    AXES_PAST = 2,      /* each to itself and those before it */
    AXES_TWO_TEXTS = 4, /* to the tokens of another text */
    AXES_SELF = AXES_ONE_TEXT | AXES_PAST,
    AXES_ANY = AXES_SELF | AXES_TWO_TEXTS,
};

/* Of each site "encoder", "decoder", "cross"; what looks at what there, "cross-attention: target →
 * source" or "cross: target → source"; what attends to what, of SITE_ONLY as far as the site tells;
 * what is in the names of a trace's tensors; and what a head's name begins with: "x" of "x1.2".
 * SITE_ONLY has no names. */
extern const struct site_words {
    const char *name, *title[2 /* brief */];
    enum axes axes;
    const char *attention, *mark;
} site_words[SITE_COUNT + 1];

/* Whether `name`, which is for these axes, is defined where attention is of those; else the status,
 * with a message that begins with `before` and the name. */
enum status site_defines(enum axes axes, enum axes here, const char *before, const char *name,
                         enum status status, struct error *error);
