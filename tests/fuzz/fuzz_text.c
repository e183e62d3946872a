/* A text, or a pair of them with a line end between, to tokens and their spans; and to cells. The
 * first byte chooses the rules. */
#include "../opening.h"
#include "fuzz.h"

#include "headlight/base/file.h"
#include "headlight/draw/text.h"
#include "headlight/model/family.h"

#include <stdlib.h>
#include <string.h>

static struct tokenizer *tokenizers[4];

static struct tokenizer *open_tokenizer(unsigned rules)
{
    static const char *const settings[] = {
        "{}", "{\"do_lower_case\":false}", "{\"strip_accents\":false}",
        "{\"do_lower_case\":false,\"tokenize_chinese_chars\":false,\"strip_accents\":true}"};
    struct text chosen = {settings[rules], strlen(settings[rules])};
    struct tokenizer *tokenizer;
    struct error error;
    size_t length;
    char *pieces;
    const char *file = rules & 1 ? "tests/vectors/tokenizer/cased.vocab.txt"
                                 : "tests/vectors/tokenizer/uncased.vocab.txt";
    promise(file_read(file, (size_t)1 << 24, &pieces, &length, &error) == STATUS_OK);
    promise(tokenizer_of_vocabulary(&family_bert.tokenizer, (struct text){pieces, length}, chosen,
                                    &tokenizer, &error) == STATUS_OK);
    free(pieces);
    return tokenizer;
}

static void close_tokenizers(void)
{
    for (size_t i = 0; i < 4; i++) {
        tokenizer_free(tokenizers[i]);
        tokenizers[i] = NULL;
    }
}

/* Each token is a known piece; spans lie in their text, one behind the other or upon the same
 * character (one that is taken apart), and end where characters end. */
static void look_at(const struct tokenizer *tokenizer, const struct encoding *encoding,
                    const struct text *texts, size_t count)
{
    struct span before = {0, 0};
    unsigned segment = 0;
    for (size_t i = 0; i < encoding->count; i++) {
        const struct token *token = &encoding->tokens[i];
        promise(tokenizer_piece(tokenizer, token->id));
        promise(token->sentence >= segment && token->sentence < count);
        if (token->sentence > segment)
            before = (struct span){0, 0};
        segment = token->sentence;
        if (token->added)
            continue;
        promise(token->span.start < token->span.end);
        promise(token->span.end <= texts[segment].length);
        promise(token->span.start >= before.start && token->span.end >= before.end);
        promise(token->span.start >= before.end || token->span.start == before.start);
        before = token->span;
    }
}

static void make_safe(const struct text *text, bool ascii)
{
    struct text_reader reader = text_reader(text->bytes, text->length, ascii);
    struct glyph glyph;
    while (text_next(&reader, &glyph)) {
        promise(glyph.width == 1 || glyph.width == 2);
        promise(is_fit_to_print(glyph.text, strlen(glyph.text)));
        promise(!ascii || (glyph.text[0] > 0 && glyph.text[1] == '\0'));
    }
}

void fuzz_text(const uint8_t *data, size_t size)
{
    struct encoding *encoding;
    struct error error;
    struct text texts[2];
    if (size == 0)
        return;
    unsigned rules = data[0] & 3;
    if (!tokenizers[rules]) {
        tokenizers[rules] = open_tokenizer(rules);
        atexit(close_tokenizers);
    }
    size_t count = fuzz_texts((const char *)data + 1, size - 1, texts);
    promise(tokenizer_encode(tokenizers[rules], texts, count, data[0] & 4, &encoding, &error) ==
            STATUS_OK);
    look_at(tokenizers[rules], encoding, texts, count);
    free(encoding);
    make_safe(&texts[0], false);
    make_safe(&texts[0], true);
}
