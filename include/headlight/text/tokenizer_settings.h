/* tokenizer_settings.h: what a tokenizer_config.json says. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_SETTINGS_H
#define HEADLIGHT_TEXT_TOKENIZER_SETTINGS_H

#include "headlight/text/normalise.h"

#include <cjson/cJSON.h>

enum special_token {
    SPECIAL_TOKEN_UNKNOWN,
    SPECIAL_TOKEN_CLASS,
    SPECIAL_TOKEN_SEPARATOR,
    SPECIAL_TOKEN_MASK,
    SPECIAL_TOKEN_PADDING,
    SPECIAL_TOKEN_COUNT,
};

struct tokenizer_settings {
    struct rules rules;
    const char *special[SPECIAL_TOKEN_COUNT]; /* as in the vocabulary: "[UNK]"; owned by `object` */
    cJSON *object;                            /* NULL when there is no file */
};

/* Reads the settings, or BERT's defaults when text.bytes is NULL. Free with
 * tokenizer_settings_free, also after a failure. STATUS_FORMAT when it is not JSON or a value has
 * the wrong type; STATUS_UNSUPPORTED for the settings of another kind of tokenizer. */
enum status tokenizer_settings_read(struct text text, const char *name,
                                    struct tokenizer_settings *settings, struct error *error);

void tokenizer_settings_free(struct tokenizer_settings *settings);

/* The setting that names a special token: "unk_token" … */
const char *tokenizer_settings_special_name(enum special_token special);

#endif
