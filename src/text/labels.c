/* labels.c: pieces made readable. Byte-level BPE cuts between the bytes of a character, so that a
 * label depends on the pieces beside it. */
#include "headlight/text/pipeline.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/unicode.h"
#include "headlight/text/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of pieces one behind the other. */
struct run {
    char *bytes;
    size_t count;
};

/* Appends the bytes of a piece; false, and nothing, if it spells none. */
static bool take_bytes(struct run *run, const char *piece)
{
    size_t before = run->count, length = strlen(piece);
    for (size_t at = 0; at < length;) {
        int32_t code;
        at += unicode_next(piece + at, length - at, &code);
        int byte = bpe_byte_of(code);
        if (byte < 0) {
            run->count = before;
            return false;
        }
        run->bytes[run->count++] = (char)byte;
    }
    return true;
}

/* Writes the character that begins at *at, which moves behind it. */
static char *write_character(const struct run *run, size_t *at, char *out)
{
    const unsigned char byte = (unsigned char)run->bytes[*at];
    int32_t code;
    size_t length = unicode_next(run->bytes + *at, run->count - *at, &code);
    if (length > 1)
        memcpy(out, run->bytes + *at, length);
    else if (byte >= 0x80)
        snprintf(out, LABEL_ROOM + 1, "<0x%02X>", byte);
    *at += length;
    if (byte < 0x80)
        return out + unicode_encode(bpe_character_of(byte), out);
    return out + (length > 1 ? length : LABEL_ROOM);
}

/* Writes what begins before byte `end`. */
static char *write_label(const struct run *run, size_t *at, size_t first, size_t end, char *out)
{
    bool any = false;
    for (; *at < end; any = true)
        out = write_character(run, at, out);
    if (!any && first < end)
        out = stpcpy(out, WORDS_REST);
    *out = '\0';
    return out + 1;
}

/* A piece that spells no bytes, such as a special token, is its own label. */
size_t label_write(const char *piece, char *bytes, char *label)
{
    struct run run = {bytes, 0};
    size_t at = 0;
    if (!take_bytes(&run, piece))
        return (size_t)(stpcpy(label, piece) - label) + 1;
    return (size_t)(write_label(&run, &at, 0, run.count, label) - label);
}

/* ---- Of an encoding ---- */

/* What making labels needs: `ends` of the run's pieces, and where to write. */
struct maker {
    const struct tokenizer *tokenizer;
    const struct encoding *encoding;
    const int32_t *ids;
    const char **labels, **pieces; /* [T] */
    struct run run;
    size_t *ends; /* [T] */
    char *out;
};

/* Whether a token's piece spells bytes of its text. */
static bool spells(const struct maker *maker, size_t token)
{
    const struct token *said = &maker->encoding->tokens[token];
    return maker->tokenizer->model == PIECES_BPE && !said->added && maker->ids[token] == said->id &&
           !added_of_id(&maker->tokenizer->added, said->id);
}

/* Takes as many tokens from `first` on as follow each other in one text; returns their end. */
static size_t take_run(struct maker *maker, size_t first)
{
    const struct token *tokens = maker->encoding->tokens;
    size_t end = first;
    maker->run.count = 0;
    while (end < maker->encoding->count && tokens[end].sentence == tokens[first].sentence &&
           spells(maker, end) && take_bytes(&maker->run, maker->pieces[end]))
        maker->ends[end++] = maker->run.count;
    return end;
}

/* Runs of tokens are labelled together, as a character may end in a later token than it begins. */
static void label_tokens(struct maker *maker)
{
    for (size_t i = 0, end; i < maker->encoding->count; i = end) {
        size_t at = 0, first = 0;
        end = take_run(maker, i);
        for (size_t token = i; token < end; token++) {
            maker->labels[token] = maker->out;
            maker->out = write_label(&maker->run, &at, first, maker->ends[token], maker->out);
            first = maker->ends[token];
        }
        if (end == i) {
            maker->labels[i] = maker->pieces[i];
            end++;
        }
    }
}

enum status labels_new(const struct tokenizer *tokenizer, const struct encoding *encoding,
                       const int32_t *ids, const char ***names, struct error *error)
{
    size_t count = encoding->count, letters = 0;
    for (size_t i = 0; tokenizer->model == PIECES_BPE && i < count; i++)
        letters += strlen(tokenizer_piece(tokenizer, ids[i])) + 1;
    /* Beside the names: ends, the bytes of a run, and labels; "⋯" is shorter than a byte's. */
    bool fits = size_multiply(letters, 2 + LABEL_ROOM, &letters);
    const char **block = memory_new(fits ? count : SIZE_MAX, 2 * sizeof(char *) + sizeof(size_t),
                                    letters, "the tokens", error);
    *names = block;
    if (!block)
        return error->status;
    struct maker maker = {tokenizer, encoding, ids, block, block + count, {NULL, 0}, NULL, NULL};
    maker.ends = (size_t *)(void *)(block + 2 * count);
    maker.run.bytes = (char *)(maker.ends + count);
    maker.out = maker.run.bytes + letters / (2 + LABEL_ROOM);
    for (size_t i = 0; i < count; i++)
        maker.pieces[i] = tokenizer_piece(tokenizer, ids[i]);
    label_tokens(&maker);
    return STATUS_OK;
}
