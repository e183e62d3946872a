/* relation.h: the row of a model's table for a distance of two tokens, and the angle by which a
 * position rotates a query or key.
 *
 * Source: Raffel et al. 2020 (T5, whose buckets MPNet uses), He et al. 2021 (DeBERTa), Su et al.
 * 2021 (rotary positions), with the rounding of Hugging Face's code. */
#pragma once

#include "headlight/model/config.h"

/* The row for a token and another one `distance` tokens before it, or behind it if negative;
 * below config->relative_rows. */
size_t relation_row(const struct config *config, ptrdiff_t distance);

/* The number of rows of a disentangled attention's table that a text needs, from *first on; 0 of
 * other attention. */
size_t relation_rows(const struct config *config, size_t tokens, size_t *first);

/* How many of a head's dimensions turn, r: the first ones. */
size_t relation_rotated(const struct config *config);

/* The angle t·θ^(-2m/r) by which the token at position t rotates its query and key in the plane
 * of dimensions m and m + r/2; rounded to floats, as in training. θ, and what else is made of the
 * angle, is that of local or of global layers. */
float relation_angle(const struct config *config, bool local, size_t m, size_t t);

/* Vaswani et al. 2017, 3.5: number i of the H that tell position t,
 *
 *     sin(t/10000^(i/H)) for an even i,  cos(t/10000^((i-1)/H)) for an odd one */
double relation_sinusoid(size_t t, size_t i, size_t H);
