/* relation.h: which row of a model's table stands for how far two tokens are apart, or how far a
 * position turns a query or key.
 *
 * Source: Raffel et al. 2020 (T5, whose buckets MPNet has), He et al. 2021 (DeBERTa), Su et al.
 * 2021 (rotary positions), with the rounding of Hugging Face's code. */
#ifndef HEADLIGHT_MODEL_RELATION_H
#define HEADLIGHT_MODEL_RELATION_H

#include "headlight/model/config.h"

/* The row for a token and another that stands `distance` tokens before it, or behind it if that is
 * negative; below config->relative_rows. */
size_t relation_row(const struct config *config, ptrdiff_t distance);

/* How many rows of a table of disentangled attention a text needs; *first is the first of them, and
 * the others follow. */
size_t relation_rows(const struct config *config, size_t tokens, size_t *first);

/* The angle t·θ^(-2m/D), by which the token at position t turns its query and key in the plane of
 * dimensions m and m + D/2; rounded to floats, as models were trained. θ is that of local layers,
 * or of the others. */
float relation_angle(const struct config *config, bool local, size_t m, size_t t);

#endif
