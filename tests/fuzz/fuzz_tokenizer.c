/* A tokenizer.json, and behind a NUL a text or two, with a line end between, read with it; without
 * a NUL, two of every kind of character. */
#include "../opening.h"
#include "fuzz.h"

#include "headlight/text/tokenizer_reader.h"

#include <stdlib.h>
#include <string.h>

/* Every token has a name, and its span lies in its text. */
static void look_at(const struct tokenizer *tokenizer, const struct encoding *encoding,
                    const struct text *texts)
{
    struct error error;
    const char **names;
    int32_t *ids = malloc((encoding->count + 1) * sizeof *ids);
    promise(ids != NULL);
    for (size_t i = 0; i < encoding->count; i++) {
        const struct token *token = &encoding->tokens[i];
        ids[i] = token->id;
        promise(tokenizer_piece(tokenizer, token->id) && tokenizer_label(tokenizer, token->id));
        promise(token->sentence < 2 && token->span.start <= token->span.end);
        promise(token->span.end <= texts[token->sentence].length);
    }
    promise(labels_new(tokenizer, encoding, ids, &names, &error) == STATUS_OK);
    for (size_t i = 0; i < encoding->count; i++)
        promise(strlen(names[i]) <= 6 * strlen(names[encoding->count + i]) + 3);
    free(names);
    free(ids);
}

static void encode(const struct tokenizer *tokenizer, const struct text *texts, size_t most)
{
    struct encoding *encoding;
    struct error error;
    for (size_t count = 1; count <= most; count++) {
        if (tokenizer_encode(tokenizer, texts, count, true, &encoding, &error) == STATUS_OK)
            look_at(tokenizer, encoding, texts);
        else
            promise(error.message[0] != '\0');
        free(encoding);
    }
}

void fuzz_tokenizer(const uint8_t *data, size_t size)
{
    static const struct text usual[] = {
        {" The caf\xC3\xA9 <m> ab\xE4\xBA\xBA  cats' e\xCC\x81", 30},
        {"\xF0\x9F\x98\x80\xC2\xA0\n", 7}};
    const char *bytes = (const char *)data, *end = size > 0 ? memchr(bytes, '\0', size) : NULL;
    struct text json = {bytes, end ? (size_t)(end - bytes) : size}, texts[2];
    struct tokenizer *tokenizer;
    struct error error;
    size_t count = end ? fuzz_texts(end + 1, size - json.length - 1, texts) : 2;
    if (tokenizer_of_json(json, &tokenizer, &error) != STATUS_OK) {
        promise(error.message[0] != '\0');
        return;
    }
    encode(tokenizer, end ? texts : usual, count);
    tokenizer_free(tokenizer);
}
