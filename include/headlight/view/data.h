/* data.h: what follows from the user's choices: the encoded text, its trace, and what is made of it
 * for the view. Views read it; only derive.h writes it, whole or not at all. */
#ifndef HEADLIGHT_VIEW_DATA_H
#define HEADLIGHT_VIEW_DATA_H

#include "headlight/lens/attention.h"
#include "headlight/lens/metrics.h"
#include "headlight/model/encoded.h"

struct thumbnails;

/* The maps that a mean is of: the heads of the mask in the layers first … end-1. */
struct mean_of {
    struct token_range layers;
    uint64_t heads;
};

struct data {
    const char *model;         /* its name, from outside: drawn as text */
    size_t layers, head_count; /* L A */

    struct encoded *encoded;   /* what is shown, or will be as soon as it is computed */
    const struct trace *trace; /* its trace; NULL while it is being computed */
    size_t tokens;             /* T */
    const bool *separators;    /* [S] which of the attended tokens are [SEP] or its like */
    double milliseconds;       /* of the forward pass; 0: not shown */
    const char *changes;       /* in words, how the network was changed; NULL: it was not */
    const uint64_t *off;       /* [L] heads that are switched off, a bit each; or NULL */
    bool unscaled;             /* scores are q·k, not q·k/√D */

    struct attention *attention; /* what is shown of the trace */
    struct attention *mean;      /* one layer, one head; NULL: a map a head */
    struct mean_of mean_of;      /* what `mean` was made of, besides `attention` */

    struct head_metrics *metrics;  /* [L,A] since a view first needed them; NULL before */
    struct thumbnails *thumbnails; /* the model view's; NULL: not made yet */
};

#endif
