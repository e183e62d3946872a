/* sentencepiece.c: just enough of protocol buffers to read a SentencePiece model: it is two levels
 * of messages with a dozen fields, which is less than a library would take to describe them. */
#include "headlight/text/tokenizer_reader.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

#include <stdlib.h>
#include <string.h>

/* ---- Protocol buffers ---- */

/* https://protobuf.dev/programming-guides/encoding */
enum wire { WIRE_VARINT = 0, WIRE_EIGHT_BYTES = 1, WIRE_BYTES = 2, WIRE_FOUR_BYTES = 5 };

struct field {
    uint64_t number;
    enum wire wire;
    uint64_t value; /* unless WIRE_BYTES */
    struct text bytes;
};

/* A file being read: what a broken field is reported with. */
struct reading {
    const char *name, *start;
    struct sentencepiece *model;
    size_t seen; /* pieces */
    bool trainer, normalizer;
};

typedef enum status field_reader(struct reading *reading, const struct field *field,
                                 struct error *error);

static enum status broken(const struct reading *reading, const char *at, struct error *error)
{
    return error_set(error, STATUS_FORMAT,
                     "%s: expected a SentencePiece model, found a field at byte %zu that is none; "
                     "the file may be cut short",
                     reading->name, (size_t)(at - reading->start));
}

/* Returns the bytes that the number took, or 0. */
static size_t read_varint(const char *at, const char *end, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < 10 && at + i < end; i++) {
        *value |= (uint64_t)(at[i] & 0x7F) << (7 * i);
        if (!(at[i] & 0x80))
            return i + 1;
    }
    return 0;
}

static size_t read_fixed(const char *at, const char *end, size_t size, uint64_t *value)
{
    *value = 0;
    if ((size_t)(end - at) < size)
        return 0;
    for (size_t i = 0; i < size; i++)
        *value |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return size;
}

static size_t read_length(const char *at, const char *end, struct text *bytes)
{
    uint64_t length;
    size_t used = read_varint(at, end, &length);
    if (used == 0 || length > (size_t)(end - at) - used)
        return 0;
    *bytes = (struct text){at + used, (size_t)length};
    return used + (size_t)length;
}

/* Returns the bytes that the field took, or 0. */
static size_t read_field(const char *at, const char *end, struct field *field)
{
    uint64_t key;
    size_t used = read_varint(at, end, &key), rest = 0;
    if (used == 0 || key >> 3 == 0)
        return 0;
    *field = (struct field){.number = key >> 3, .wire = key & 7};
    at += used;
    if (field->wire == WIRE_VARINT)
        rest = read_varint(at, end, &field->value);
    else if (field->wire == WIRE_EIGHT_BYTES)
        rest = read_fixed(at, end, 8, &field->value);
    else if (field->wire == WIRE_FOUR_BYTES)
        rest = read_fixed(at, end, 4, &field->value);
    else if (field->wire == WIRE_BYTES)
        rest = read_length(at, end, &field->bytes);
    return rest > 0 ? used + rest : 0;
}

/* A field that is read, and its only wire. */
struct wanted {
    uint64_t number;
    enum wire wire;
};

static bool is_wanted_field(const struct wanted *wanted, const struct field *field, bool *fits)
{
    for (; wanted->number > 0; wanted++)
        if (wanted->number == field->number) {
            *fits = wanted->wire == field->wire;
            return true;
        }
    return false;
}

/* Hands the wanted fields of a message to `take`; the list ends with the number 0. */
static enum status read_message(struct reading *reading, struct text message,
                                const struct wanted *wanted, field_reader *take,
                                struct error *error)
{
    const char *end = message.length > 0 ? message.bytes + message.length : message.bytes;
    struct field field;
    size_t used;
    for (const char *at = message.bytes; at < end; at += used) {
        bool fits = true;
        used = read_field(at, end, &field);
        if (used > 0 && !is_wanted_field(wanted, &field, &fits))
            continue;
        if (used == 0 || !fits)
            return broken(reading, at, error);
        if (take(reading, &field, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ---- The messages ---- */

static enum status take_of_piece(struct reading *reading, const struct field *field,
                                 struct error *error)
{
    struct sentencepiece *model = reading->model;
    size_t id = reading->seen - 1;
    uint32_t bits = (uint32_t)field->value;
    float score;
    if (field->number == 1) {
        model->pieces[id] = (struct piece){field->bytes.bytes, field->bytes.length};
    } else if (field->number == 2) {
        memcpy(&score, &bits, sizeof score);
        model->scores[id] = (double)score;
    } else if (field->value < SENTENCEPIECE_NORMAL || field->value > SENTENCEPIECE_BYTE) {
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a type from 1 to 6 for the piece of id %zu, found %llu",
                         reading->name, id, (unsigned long long)field->value);
    } else {
        model->types[id] = (enum sentencepiece_type)field->value;
    }
    return STATUS_OK;
}

static enum status check_piece(const struct reading *reading, struct error *error)
{
    size_t id = reading->seen - 1;
    struct piece piece = reading->model->pieces[id];
    if (piece.length == 0)
        return error_set(error, STATUS_FORMAT, "%s: expected no empty piece, found one of id %zu",
                         reading->name, id);
    if (reading->model->types[id] == SENTENCEPIECE_BYTE)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected a model without pieces for single bytes, found \"%.*s\"; "
                         "headlight reads no model that falls back to bytes",
                         reading->name, (int)size_min(piece.length, 100), piece.bytes);
    return STATUS_OK;
}

static enum status take_piece(struct reading *reading, struct text message, struct error *error)
{
    static const struct wanted wanted[] = {
        {1, WIRE_BYTES}, {2, WIRE_FOUR_BYTES}, {3, WIRE_VARINT}, {0, WIRE_VARINT}};
    reading->model->types[reading->seen++] = SENTENCEPIECE_NORMAL;
    if (read_message(reading, message, wanted, take_of_piece, error) != STATUS_OK)
        return error->status;
    return check_piece(reading, error);
}

static enum status refuse_kind(const struct reading *reading, uint64_t kind, struct error *error)
{
    static const char *const names[] = {[2] = "BPE", "word", "character"};
    bool known = kind >= 2 && kind <= 4;
    return error_set(error, STATUS_UNSUPPORTED,
                     "%s: expected a SentencePiece model of the kind \"unigram\", found %s%s; "
                     "headlight reads no other",
                     reading->name, known ? "one of the kind " : "an unknown kind",
                     known ? names[kind] : "");
}

static enum status take_of_trainer(struct reading *reading, const struct field *field,
                                   struct error *error)
{
    if (field->number == 40)
        reading->model->unknown = (int32_t)(uint32_t)field->value;
    else if (field->number == 3 && field->value != 1)
        return refuse_kind(reading, field->value, error);
    else if (field->number == 35 && field->value != 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected a model that does not fall back to bytes, found one that "
                         "does; headlight reads none",
                         reading->name);
    return STATUS_OK;
}

static enum status take_of_normalizer(struct reading *reading, const struct field *field,
                                      struct error *error)
{
    (void)error;
    reading->model->charsmap = field->bytes;
    return STATUS_OK;
}

static enum status take_of_file(struct reading *reading, const struct field *field,
                                struct error *error)
{
    static const struct wanted trainer[] = {
        {3, WIRE_VARINT}, {35, WIRE_VARINT}, {40, WIRE_VARINT}, {0, WIRE_VARINT}};
    static const struct wanted normalizer[] = {{2, WIRE_BYTES}, {0, WIRE_VARINT}};
    reading->trainer |= field->number == 2;
    reading->normalizer |= field->number == 3;
    if (field->number == 1)
        return take_piece(reading, field->bytes, error);
    if (field->number == 2)
        return read_message(reading, field->bytes, trainer, take_of_trainer, error);
    return read_message(reading, field->bytes, normalizer, take_of_normalizer, error);
}

/* ---- The file ---- */

static const struct wanted parts[] = {
    {1, WIRE_BYTES}, {2, WIRE_BYTES}, {3, WIRE_BYTES}, {0, WIRE_VARINT}};

static enum status count_piece(struct reading *reading, const struct field *field,
                               struct error *error)
{
    (void)error;
    reading->model->count += field->number == 1;
    return STATUS_OK;
}

/* One block, which begins with the pieces. */
static enum status allocate_pieces(struct sentencepiece *model, struct error *error)
{
    size_t each = sizeof *model->pieces + sizeof *model->scores + sizeof *model->types;
    model->pieces = memory_new(model->count, each, 0, "the pieces of a model", error);
    if (!model->pieces)
        return error->status;
    model->scores = (double *)(void *)(model->pieces + model->count);
    model->types = (enum sentencepiece_type *)(void *)(model->scores + model->count);
    return STATUS_OK;
}

static enum status check_whole(const struct reading *reading, struct error *error)
{
    const struct sentencepiece *model = reading->model;
    if (!reading->trainer || !reading->normalizer)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected the settings of the trainer and the normalizer behind the "
                         "%zu pieces, found none; the file may be cut short",
                         reading->name, model->count);
    if (model->unknown < 0 || (size_t)model->unknown >= model->count ||
        model->types[model->unknown] != SENTENCEPIECE_UNKNOWN)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected the unknown piece to have the id %ld, found none there",
                         reading->name, (long)model->unknown);
    return STATUS_OK;
}

enum status sentencepiece_read(struct text text, const char *name, struct sentencepiece *model,
                               struct error *error)
{
    struct reading reading = {.name = name, .start = text.bytes, .model = model};
    *model = (struct sentencepiece){0}; /* the format's defaults */
    if (read_message(&reading, text, parts, count_piece, error) != STATUS_OK)
        goto fail;
    if (model->count == 0) {
        error_set(error, STATUS_FORMAT, "%s: expected a SentencePiece model, found no pieces",
                  name);
        goto fail;
    }
    if (allocate_pieces(model, error) != STATUS_OK ||
        read_message(&reading, text, parts, take_of_file, error) != STATUS_OK ||
        check_whole(&reading, error) != STATUS_OK)
        goto fail;
    return STATUS_OK;
fail:
    sentencepiece_free(model);
    return error->status;
}

void sentencepiece_free(struct sentencepiece *model)
{
    free(model->pieces);
    *model = (struct sentencepiece){0};
}
