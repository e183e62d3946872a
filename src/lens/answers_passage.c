/* answers_passage.c: what answers of every kind share: parts of a text, and their end. */
#include "headlight/lens/answers.h"

#include "headlight/text/unicode.h"

#include <stdlib.h>

static size_t count_points(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
    return count;
}

struct text answer_shown(struct text text)
{
    size_t first = text.length, end = 0;
    for (size_t at = 0, length; at < text.length; at += length) {
        int32_t code;
        length = unicode_next(text.bytes + at, text.length - at, &code);
        if (unicode_is_white_space(code))
            continue;
        first = first < at ? first : at;
        end = at + length;
    }
    return end > 0 ? (struct text){text.bytes + first, end - first} : (struct text){text.bytes, 0};
}

struct passage answer_passage(const struct answer_read *read, size_t sentence, struct span span)
{
    const char *bytes = read->texts[sentence].bytes;
    struct passage passage = {.sentence = sentence, .start = count_points(bytes, span.start)};
    passage.text = (struct text){bytes + span.start, span.end - span.start};
    passage.end = passage.start + count_points(passage.text.bytes, passage.text.length);
    passage.shown = answer_shown(passage.text);
    return passage;
}

void answer_free(struct answer *answer)
{
    if (!answer)
        return;
    for (size_t i = 0; i < answer->group_count; i++)
        free(answer->groups[i].word);
    free(answer->groups);
    free(answer->tags);
    free(answer->scores);
    free(answer);
}
