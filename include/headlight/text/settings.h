/* settings.h: what a tokenizer_config.json says. */
#ifndef HEADLIGHT_TEXT_SETTINGS_H
#define HEADLIGHT_TEXT_SETTINGS_H

#include "headlight/text/normalise.h"

#include <cjson/cJSON.h>

/* The tokens with a meaning of their own. */
enum special {
    SPECIAL_UNKNOWN,
    SPECIAL_CLASS,
    SPECIAL_SEPARATOR,
    SPECIAL_MASK,
    SPECIAL_PADDING,
    SPECIAL_COUNT,
};

struct settings {
    struct rules rules;
    const char *special[SPECIAL_COUNT]; /* as in the vocabulary: "[UNK]"; owned by `object` */
    cJSON *object;                      /* NULL when there is no file */
};

/* Reads the settings, or BERT's defaults when text.bytes is NULL. Free with settings_free, after a
 * failure too. STATUS_FORMAT for what is not JSON or of the wrong type; STATUS_UNSUPPORTED for the
 * settings of another kind of tokenizer. */
enum status settings_read(struct text text, const char *name, struct settings *settings,
                          struct error *error);

void settings_free(struct settings *settings);

/* The setting that names a special token: "unk_token" … */
const char *settings_special_name(enum special special);

#endif
