/* vocab.txt. */
#include "../opening.h"
#include "fuzz.h"

#include "headlight/model/family.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

static void look_at(const struct tokenizer *tokenizer)
{
    size_t pieces = tokenizer_size(tokenizer);
    for (size_t id = 0; id < pieces; id++) {
        const char *piece = tokenizer_piece(tokenizer, (int32_t)id);
        promise(piece && unicode_valid(piece, strlen(piece)));
    }
    promise(!*tokenizer_piece(tokenizer, (int32_t)pieces) && !*tokenizer_piece(tokenizer, -1));
}

/* The vocabulary's own bytes are the text. */
void fuzz_vocabulary(const uint8_t *data, size_t size)
{
    struct text vocabulary = {(const char *)data, size}, none = {NULL, 0};
    struct tokenizer *tokenizer;
    struct encoding *encoding;
    struct error error;
    if (tokenizer_of_vocabulary(&family_bert.tokenizer, vocabulary, none, &tokenizer, &error) !=
        STATUS_OK) {
        promise(error.message[0] != '\0');
        return;
    }
    look_at(tokenizer);
    for (int special = 0; special < 2; special++) {
        if (tokenizer_encode(tokenizer, &vocabulary, 1, special, &encoding, &error) == STATUS_OK)
            for (size_t i = 0; i < encoding->count; i++)
                promise(tokenizer_piece(tokenizer, encoding->tokens[i].id));
        free(encoding);
    }
    tokenizer_free(tokenizer);
}
