/* form.h: Unicode's normalization forms (Unicode Standard Annex 15), and where their characters
 * come from.
 *
 * A composed character has the source of its first code point, and what reordering moves has the
 * source that stood in its place: so Hugging Face's tokenizers count (tokenizers/src/tokenizer/
 * normalizer.rs, transform; crate unicode-normalization-alignments). */
#ifndef HEADLIGHT_TEXT_FORM_H
#define HEADLIGHT_TEXT_FORM_H

#include "headlight/text/normalise.h"

enum form {
    FORM_NFD,
    FORM_NFKD,
    FORM_NFC,
    FORM_NFKC,
};

/* Replaces the points by those of the form. STATUS_MEMORY leaves them as they were. */
enum status form_apply(enum form form, struct points *points, struct error *error);

#endif
