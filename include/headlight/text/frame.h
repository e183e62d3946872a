/* frame.h: the special tokens round one text or two, such as [CLS] a [SEP] b [SEP]. */
#ifndef HEADLIGHT_TEXT_FRAME_H
#define HEADLIGHT_TEXT_FRAME_H

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX 16

/* A text, or a special token. */
struct frame_item {
    bool is_text;        /* the first text is followed by the second */
    int32_t id;          /* of a special token; -1 if the vocabulary lacks it */
    uint8_t type;        /* of its tokens, see struct token */
    const char *setting; /* that names a special token, for messages; static */
};

struct frame {
    size_t count;
    struct frame_item items[FRAME_MAX];
};

/* A tokenizer's special tokens, as frames are made of them: ids, -1 for none. */
struct frame_tokens {
    int32_t class, separator;
    const char *class_setting, *separator_setting;
};

/* Which frame the models of a family were trained with. */
enum frame_style {
    FRAME_BARE,   /* a           a b           */
    FRAME_SINGLE, /* C a S       C a S b S     */
    FRAME_DOUBLE, /* C a S       C a S S b S   */
};

/* The frame of `texts`, 1 or 2. Without `typed` all types are 0, else those of what follows the
 * first text's own separator are 1. */
struct frame frame_of(enum frame_style style, size_t texts, bool typed,
                      const struct frame_tokens *tokens);

#endif
