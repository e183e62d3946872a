/* tokenizer_config.json. */
#include "../opening.h"
#include "fuzz.h"

#include "headlight/model/family.h"

#include <stdlib.h>

void fuzz_settings(const uint8_t *data, size_t size)
{
    static const char pieces[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\n\xC3\xA9\n";
    static const struct text words[] = {{"The caf\xC3\xA9 [MASK] cats", 18}, {"\xE4\xBA\xBA", 3}};
    struct text vocabulary = {pieces, sizeof pieces - 1}, settings = {(const char *)data, size};
    struct tokenizer *tokenizer;
    struct encoding *encoding;
    struct error error;
    if (tokenizer_of_vocabulary(&family_bert.tokenizer, vocabulary, settings, &tokenizer, &error) !=
        STATUS_OK) {
        promise(error.message[0] != '\0');
        return;
    }
    if (tokenizer_encode(tokenizer, words, 2, true, &encoding, &error) == STATUS_OK)
        promise(encoding->count >= 3);
    free(encoding);
    tokenizer_free(tokenizer);
}
