/* labels.c: pieces made readable, and made text again. Byte-level BPE cuts between the bytes of a
 * character, so that a label depends on the pieces beside it. */
#include "headlight/text/pipeline.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/unicode.h"
#include "headlight/text/words.h"

/* The bytes of pieces one behind the other. */
struct run {
    char *bytes;
    size_t count;
};

/* Appends the bytes of a piece; false, and nothing, if it spells none. */
static bool take_bytes(struct run *run, struct text piece)
{
    size_t before = run->count;
    for (size_t at = 0; at < piece.length;) {
        int32_t code;
        at += unicode_next(piece.bytes + at, piece.length - at, &code);
        int byte = bpe_byte_of(code);
        if (byte < 0) {
            run->count = before;
            return false;
        }
        run->bytes[run->count++] = (char)byte;
    }
    return true;
}

/* Writes the characters that begin at *at, which moves behind them, and before byte `end`. */
static char *write_label(const struct run *run, size_t *at, size_t first, size_t end, char *out)
{
    const bool any = *at < end;
    while (*at < end) {
        const unsigned char byte = (unsigned char)run->bytes[*at];
        int32_t code;
        const size_t length = unicode_next(run->bytes + *at, run->count - *at, &code);
        if (byte < 0x80)
            out += unicode_encode(bpe_character_of(byte), out);
        else if (length > 1)
            out = (char *)memcpy(out, run->bytes + *at, length) + length;
        else
            out += snprintf(out, LABEL_GROWTH + 1, "<0x%02X>", byte);
        *at += length;
    }
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
    if (!take_bytes(&run, text_of_string(piece)))
        return (size_t)(stpcpy(label, piece) - label) + 1;
    return (size_t)(write_label(&run, &at, 0, run.count, label) - label);
}

size_t label_length(const struct tokenizer *tokenizer, const char *piece)
{
    const size_t length = strlen(piece), suffix = strlen(tokenizer->suffix);
    const bool ends = length > suffix && strcmp(piece + length - suffix, tokenizer->suffix) == 0;
    return ends ? length - suffix : length;
}

/* ---- Of an encoding ---- */

/* Labels are written where pieces spell bytes, all or those to fall back to, or have a suffix. Runs
 * of tokens that follow each other in one text are labelled together, as a character may end in a
 * later token than it begins. */
enum status labels_new(const struct tokenizer *tokenizer, const struct encoding *encoding,
                       const int32_t *ids, const char ***names, struct error *error)
{
    const bool bytes = tokenizer->bytes;
    const bool written = bytes || tokenizer->decoder.fallback || *tokenizer->suffix;
    const struct token *tokens = encoding->tokens;
    size_t count = encoding->count, letters = 0;
    for (size_t i = 0; written && i < count; i++)
        letters += strlen(tokenizer_piece(tokenizer, ids[i])) + sizeof "?";
    /* Beside the names: where the pieces of a run end, its bytes, and labels; "⋯" is shorter than a
     * byte's. */
    const char **labels = memory_new(count, 2 * sizeof(char *) + sizeof(size_t),
                                     letters * (2 + LABEL_GROWTH), "the tokens", error);
    *names = labels;
    if (!labels)
        return error->status;
    const char **pieces = labels + count;
    size_t *ends = (size_t *)(void *)(pieces + count);
    struct run run = {(char *)(ends + count), 0};
    char *out = run.bytes + letters;
    for (size_t i = 0; i < count; i++) {
        const char *piece = tokenizer_piece(tokenizer, ids[i]);
        pieces[i] = *piece ? piece : "?";
        /* that of others may spell bytes of the text */
        if (!written || tokens[i].added || ids[i] != tokens[i].id ||
            added_of_id(&tokenizer->added, ids[i]))
            labels[i] = pieces[i];
    }
    for (size_t i = 0, end; i < count; i = end) {
        size_t at = 0, first = 0;
        run.count = 0;
        for (end = i; end < count && tokens[end].sentence == tokens[i].sentence && !labels[end];
             ends[end++] = run.count) {
            const struct text piece = text_of_string(pieces[end]);
            const int byte = bytes ? -1 : bpe_fallback_of(piece);
            if (bytes ? !take_bytes(&run, piece) : byte < 0)
                break;
            if (!bytes)
                run.bytes[run.count++] = (char)byte;
        }
        for (size_t token = i; token < end; token++) {
            labels[token] = out;
            out = write_label(&run, &at, first, ends[token], out);
            first = ends[token];
        }
        if (end > i)
            continue;
        end++;
        const bool suffixed = *tokenizer->suffix && !labels[i];
        labels[i] = suffixed ? out : pieces[i];
        if (!suffixed)
            continue;
        /* a piece that has no suffix, as "th" before "e</w>", goes on in the next: that is marked
         * as WordPiece has it, "##e" */
        if (i > 0 && !tokens[i - 1].added && tokens[i - 1].sentence == tokens[i].sentence &&
            tokens[i - 1].word == tokens[i].word)
            out = stpcpy(out, "##");
        const size_t length = label_length(tokenizer, pieces[i]);
        out = (char *)memcpy(out, pieces[i], length) + length;
        *out++ = '\0';
    }
    return STATUS_OK;
}

/* ---- Back to text ---- */

static bool begins_with(struct text text, const char *beginning)
{
    size_t length = strlen(beginning);
    return text.length >= length && memcmp(text.bytes, beginning, length) == 0;
}

static char *put(struct text text, char *out)
{
    return (char *)memcpy(out, text.bytes, text.length) + text.length;
}

/* The text of some bytes, which are gone then. All bytes of a character that are there before it
 * breaks off are one U+FFFD, as Unicode advises (chapter 3.9) and Rust does, or, if more may come,
 * left out; with `each` every byte is one if there is a broken one (decoders/byte_fallback.rs). */
static char *spell_run(struct run *run, bool each, bool more, char *out)
{
    char *const start = out;
    bool broken = false;
    for (size_t at = 0, length; at < run->count; at += length) {
        const unsigned char *bytes = (const unsigned char *)run->bytes + at;
        const unsigned char lead = bytes[0];
        int32_t code;
        length = unicode_next(run->bytes + at, run->count - at, &code);
        if (code == UNICODE_REPLACEMENT && length == 1) {
            const size_t most = lead >= 0xE0 && lead < 0xF0   ? 2
                                : lead >= 0xF0 && lead < 0xF5 ? 3
                                                              : 1;
            unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
            unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
            for (; length < most && at + length < run->count; low = 0x80, high = 0xBF, length++)
                if (bytes[length] < low || bytes[length] > high)
                    break;
            if (more && lead >= 0xC2 && lead < 0xF5 && at + length == run->count)
                break;
            broken = true;
        }
        out += unicode_encode(code == 0 ? UNICODE_REPLACEMENT : code, out);
    }
    if (each && broken)
        out = start;
    for (size_t i = 0; each && broken && i < run->count; i++)
        out += unicode_encode(UNICODE_REPLACEMENT, out);
    run->count = 0;
    return out;
}

/* Word pieces have a space before each word but those that English writes without one, as the
 * reference does it, to the letter (decoders/wordpiece.rs); a mark is a space, or nothing
 * (pre_tokenizers/metaspace.rs, decoders/bpe.rs). A broken byte was a character of two and becomes
 * one of three: twice the words are enough, and a third time for the bytes themselves. */
char *tokenizer_spell(const struct tokenizer *tokenizer, const struct text *words, size_t count,
                      bool more, struct error *error)
{
    static const char *const tight[] = {".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re"};
    const struct decoder *decoder = &tokenizer->decoder;
    size_t bytes = 1, start = 0;
    for (size_t i = 0; i < count; i++)
        bytes += words[i].length + 1;
    char *text = memory_new(bytes, 3, 0, "the text of tokens", error), *out = text;
    if (!text)
        return NULL;
    struct run run = {text + 2 * bytes, 0};
    for (size_t i = 0; i < count; i++) {
        const int byte = decoder->fallback ? bpe_fallback_of(words[i]) : -1;
        struct text word = words[i];
        bool apart;
        const bool drops = (i == 0 && decoder->first) || (i + 1 == count && decoder->last);
        switch (decoder->kind) {
        case DECODER_WORDPIECE:
            apart = i > 0 && !begins_with(word, "##");
            word = i == 0 || apart ? word : (struct text){word.bytes + 2, word.length - 2};
            for (size_t k = 0; !decoder->loose && k < LENGTH(tight); k++)
                apart &= !begins_with(word, tight[k]);
            out = put(word, apart ? stpcpy(out, " ") : out);
            break;
        case DECODER_BYTES:
            if (!take_bytes(&run, words[i])) /* it is its own text */
                run.count = (size_t)(put(words[i], run.bytes + run.count) - run.bytes);
            break;
        default:
            if (byte >= 0) {
                run.bytes[run.count++] = (char)byte;
                break;
            }
            out = spell_run(&run, true, false, out);
            while (word.length > 0) {
                const bool marked = begins_with(word, decoder->mark);
                const size_t taken = marked ? strlen(decoder->mark) : 1;
                out =
                    marked ? stpcpy(out, drops ? "" : " ") : put((struct text){word.bytes, 1}, out);
                word = (struct text){word.bytes + taken, word.length - taken};
            }
        }
    }
    out = spell_run(&run, decoder->kind == DECODER_MARKS, more, out);
    for (size_t stop = more ? 0 : decoder->stop; stop > 0 && out > text && out[-1] == ' '; stop--)
        out--;
    *out = '\0';
    while (start < decoder->start && text[start] == ' ')
        start++;
    memmove(text, text + start, strlen(text + start) + 1);
    return text;
}

char *tokenizer_decode(const struct tokenizer *tokenizer, const int32_t *ids, size_t count,
                       bool more, struct error *error)
{
    struct text *words = memory_new(count + 1, sizeof *words, 0, "the text of tokens", error);
    size_t kept = 0;
    for (size_t i = 0; words && i < count; i++) {
        const struct added_token *added = added_of_id(&tokenizer->added, ids[i]);
        const char *piece = tokenizer_piece(tokenizer, ids[i]);
        if (*piece && !(added && added->special))
            words[kept++] = text_of_string(piece);
    }
    char *text = words ? tokenizer_spell(tokenizer, words, kept, more, error) : NULL;
    free(words);
    return text;
}
