/* family_model.h: random encoders of every family, made in memory from the family's own record, at
 * odd sizes; the same in every run. */
#pragma once

#include "random_model.h"

/* What there is to be different: each family, and what its configurations leave open. */
struct family_variant {
    const char *name;
    const char *config; /* config.json */
};

/* NULL behind the last. Every one has room for texts of FAMILY_LONGEST tokens, no more. How many
 * there are of one stack of layers, which come first, and with encoder–decoders. */
const struct family_variant *family_variant_at(size_t index);
size_t family_variant_count(void);
size_t family_variant_all(void);

#define FAMILY_LONGEST 70

/* Configurations of sizes for which several threads have something to do. Free with free(). */
char *family_config_large(const struct family_variant *variant);

/* Makes the tensors that the record asks for, with all heads, and opens them; type is F32, F16 or
 * BF16. Free with random_model_free. */
void family_model_make(struct random_model *random, const struct family_variant *variant,
                       const char *type, uint64_t seed);
