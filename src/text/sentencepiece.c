/* sentencepiece.c: just enough of protocol buffers to read a SentencePiece model: the fields of
 * three messages, in one function. */
#include "headlight/text/tokenizer_reader.h"

#include "headlight/base/memory.h"

/* ---- Protocol buffers ---- */

/* https://protobuf.dev/programming-guides/encoding */
enum wire { VARINT = 0, EIGHT_BYTES = 1, BYTES = 2, FOUR_BYTES = 5 };

struct field {
    uint64_t key;      /* 8 · number + wire */
    uint64_t value;    /* of BYTES their number */
    const char *bytes; /* behind key and value: those of BYTES */
    const char *next;
};

/* Reads up to the last byte of a varint, or `fixed` bytes, little-endian; returns how many they
 * are, or 0 if the message ends before. */
static size_t read_number(const char *at, const char *end, size_t fixed, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < (fixed > 0 ? fixed : 10) && at + i < end; i++) {
        const uint64_t byte = (unsigned char)at[i];
        *value |= fixed > 0 ? byte << (8 * i) : (byte & 0x7F) << (7 * i);
        if (fixed > 0 ? i + 1 == fixed : byte < 0x80)
            return i + 1;
    }
    return 0;
}

/* False where no whole field stands. */
static bool read_field(const char *at, const char *end, struct field *field)
{
    static const size_t fixed[8] = {[EIGHT_BYTES] = 8, [FOUR_BYTES] = 4};
    const size_t used = read_number(at, end, 0, &field->key), wire = field->key & 7;
    const bool known = wire <= BYTES || wire == FOUR_BYTES;
    const size_t more = read_number(at + used, end, fixed[wire], &field->value);
    field->bytes = at + used + more;
    const uint64_t length = wire == BYTES ? field->value : 0;
    if (used == 0 || more == 0 || !known || field->key < 8 || length > (size_t)(end - field->bytes))
        return false;
    field->next = field->bytes + length;
    return true;
}

/* ---- The fields ---- */

/* The messages of the file, by their numbers in it; the file itself is 0. */
enum { PIECE = 1, TRAINER = 2, NORMALIZER = 3 };

/* A file on its way. */
struct parsing {
    struct sentencepiece *model;
    uint64_t kind, fallback; /* what the trainer says */
    size_t unknown;          /* the id of the piece that says so */
    unsigned has;            /* bits of the messages read */
    const char *broken;      /* the field that is none */
};

/* Reads a message's fields, of which all others than these are passed over. */
static bool read_message(struct parsing *parsing, uint64_t message, const char *at, const char *end)
{
#define FIELD(message, number, wire) (64 * 8 * (message) + 8 * (number) + (wire))
    struct sentencepiece *model = parsing->model;
    const size_t id = model->scored.count;
    uint32_t bits;
    float score; /* an IEEE float as four bytes */
    for (struct field field; at < end; at = field.next) {
        if (!read_field(at, end, &field)) {
            parsing->broken = at;
            return false;
        }
        const struct text text = {field.bytes, (size_t)field.value};
        switch (field.key < 64 * 8 ? FIELD(message, 0, field.key) : 0) {
        case FIELD(0, PIECE, BYTES):
        case FIELD(0, TRAINER, BYTES):
        case FIELD(0, NORMALIZER, BYTES):
            if (!read_message(parsing, field.key / 8, field.bytes, field.next))
                return false;
            parsing->has |= 1U << field.key / 8;
            model->scored.count += field.key / 8 == PIECE;
            break;
        case FIELD(PIECE, 1, BYTES):
            model->scored.pieces[id] = text;
            break;
        case FIELD(PIECE, 2, FOUR_BYTES):
            bits = (uint32_t)field.value;
            memcpy(&score, &bits, sizeof score);
            model->scored.scores[id] = (double)score;
            break;
        case FIELD(PIECE, 3, VARINT):
            parsing->unknown = field.value == TYPE_UNKNOWN ? id : parsing->unknown;
            parsing->fallback |= field.value == TYPE_BYTE;
            model->scored.types[id] = (unsigned char)field.value;
            break;
        case FIELD(TRAINER, 3, VARINT):
            parsing->kind = field.value;
            break;
        case FIELD(TRAINER, 24, VARINT):
            model->unusual |= field.value != 0;
            break;
        case FIELD(TRAINER, 35, VARINT):
            parsing->fallback |= field.value;
            break;
        case FIELD(TRAINER, 40, VARINT):
            model->unknown = (int32_t)(uint32_t)field.value;
            break;
        case FIELD(NORMALIZER, 2, BYTES):
            model->charsmap = text;
            break;
        case FIELD(NORMALIZER, 3, VARINT):
        case FIELD(NORMALIZER, 4, VARINT):
        case FIELD(NORMALIZER, 5, VARINT):
            model->unusual |= field.value == 0;
            break;
        default:
            break;
        }
    }
    return true;
#undef FIELD
}

/* ---- The file ---- */

/* Counts the pieces first, for which there is one block then. The trainer and the normalizer follow
 * them: without those the file ended early. With byte pieces an unknown character becomes several
 * of them instead of the unknown one. */
bool reader_sentencepiece(const struct json_reader *in, struct text file,
                          struct sentencepiece *model)
{
    static const char *const kinds[] = {"an unknown one", "", "BPE", "word", "character"};
    const char *end = file.length > 0 ? file.bytes + file.length : file.bytes;
    struct parsing parsing = {.model = model, .kind = 1, .unknown = SIZE_MAX};
    struct field field;
    size_t count = SENTENCEPIECE_MORE;
    for (const char *at = file.bytes; at < end && read_field(at, end, &field); at = field.next)
        count += field.key == 8 * PIECE + BYTES;
    *model = (struct sentencepiece){.scored = reader_scored(in, count)};
    model->scored.count = 0;
    if (!model->scored.pieces)
        return false;
    if (!read_message(&parsing, 0, file.bytes, end))
        json_refuse(in, STATUS_FORMAT,
                    "expected a SentencePiece model, found a field at byte %zu that is none; the "
                    "file may be cut short",
                    (size_t)(parsing.broken - file.bytes));
    else if (model->scored.count == 0)
        json_refuse(in, STATUS_FORMAT, "expected a SentencePiece model, found no pieces");
    else if (~parsing.has & (1U << TRAINER | 1U << NORMALIZER))
        json_refuse(in, STATUS_FORMAT,
                    "expected the settings of the trainer and the normalizer behind the "
                    "%zu pieces, found none; the file may be cut short",
                    model->scored.count);
    else if (parsing.kind != 1)
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected a SentencePiece model of the kind \"unigram\", found %s; "
                    "headlight reads no other",
                    kinds[parsing.kind < 5 ? parsing.kind : 0]);
    else if (parsing.fallback)
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected a model that does not fall back to bytes, found one that "
                    "does; headlight reads none");
    else if (model->unknown < 0 || (size_t)model->unknown != parsing.unknown)
        json_refuse(in, STATUS_FORMAT,
                    "expected the unknown piece to have the id %ld, found none there",
                    (long)model->unknown);
    else
        return true;
    free(model->scored.pieces);
    *model = (struct sentencepiece){0};
    return false;
}
