/* tokenizer_settings.h: what a tokenizer_config.json says, and the special_tokens_map.json beside
 * it. */
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

/* A file and its name, for messages. bytes is NULL for a file that is not there. */
struct named_text {
    struct text text;
    const char *name;
};

struct tokenizer_settings {
    const cJSON *config;                      /* NULL when there is no file */
    const char *name;                         /* of its file */
    const char *special[SPECIAL_TOKEN_COUNT]; /* "[UNK]"; NULL when it is not named */
    bool left[SPECIAL_TOKEN_COUNT];           /* whether it is said to swallow spaces before it */
    cJSON *objects[2];                        /* own what the rest points to */
};

/* Reads the settings; what the first file doesn't name, the second may. Free with
 * tokenizer_settings_free, also after a failure. STATUS_FORMAT when one is not JSON or a special
 * token has the wrong type. */
enum status tokenizer_settings_read(struct named_text config, struct named_text map,
                                    struct tokenizer_settings *settings, struct error *error);

/* What they say of a WordPiece tokenizer; *rules starts as the defaults. STATUS_FORMAT for another
 * type, STATUS_UNSUPPORTED for the settings of another kind of tokenizer. */
enum status tokenizer_settings_rules(const struct tokenizer_settings *settings, struct rules *rules,
                                     struct error *error);

void tokenizer_settings_free(struct tokenizer_settings *settings);

/* The setting that names a special token: "unk_token" … */
const char *tokenizer_settings_special_name(enum special_token special);

#endif
