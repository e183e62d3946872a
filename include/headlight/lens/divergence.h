/* divergence.h: how far a model's heads and vectors are from another model's on the same tokens,
 * such as those of a checkpoint before and after fine-tuning. Neither model comes first: exchanging
 * the traces changes no number.
 *
 *     struct divergence *divergence;
 *     if (divergence_measure(a, b, NULL, &divergence, &error) == STATUS_OK)
 *         … divergence->bits[layer * divergence->heads + head] …
 *     free(divergence); */
#pragma once

#include "headlight/base/watch.h"
#include "headlight/model/trace.h"

struct divergence {
    size_t layers, heads, tokens; /* L A T */
    double *bits;                 /* [L,A] bits, see divergence_of_head */
    double *cosines;              /* [L+1,T] of a token's vectors at each level (cosine.h) */
};

/* The Jensen-Shannon divergence of a head's rows p and q in two traces, mean over the tokens:
 *
 *     ½ Σ p·log2(p/m) + ½ Σ q·log2(q/m),  m = ½(p + q),  0·log2 0 = 0
 *
 * 0 bits where they are the same, 1 where they have no token in common (Lin 1991, "Divergence
 * Measures Based on the Shannon Entropy", section 4). In double precision; NaN counts as 0. */
double divergence_of_head(const struct trace *a, const struct trace *b, size_t layer, size_t head);

/* Of all heads and tokens. The traces must agree in layers, heads and tokens; vectors of other
 * sizes, or that were not recorded, have a cosine of NaN. The watch, which may be NULL, is called
 * for each layer. Free *divergence with free(). STATUS_MEMORY, STATUS_CANCELLED: then it is NULL.
 */
enum status divergence_measure(const struct trace *a, const struct trace *b,
                               const struct watch *watch, struct divergence **divergence,
                               struct error *error);

/* The mean cosine of some tokens' vectors after a layer. */
double divergence_cosine(const struct divergence *divergence, size_t layer,
                         struct token_range tokens);
