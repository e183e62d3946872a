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

/* A file being read. */
struct reading {
    struct tokenizer_reader in;
    const char *start;
    struct sentencepiece *model;
    size_t seen;  /* pieces */
    unsigned has; /* bits of the messages read */
};

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

/* Little-endian; returns `size`, or 0 if the message ends before. */
static size_t read_fixed(const char *at, const char *end, size_t size, uint64_t *value)
{
    *value = 0;
    if ((size_t)(end - at) < size)
        return 0;
    for (size_t i = 0; i < size; i++)
        *value |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return size;
}

/* A length and so many bytes; returns what both take, or 0. */
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

/* The messages of the file; in MESSAGE_COUNT, the file itself, pieces are only counted. */
enum message {
    MESSAGE_NONE,
    MESSAGE_COUNT,
    MESSAGE_FILE,
    MESSAGE_PIECE,
    MESSAGE_TRAINER,
    MESSAGE_NORMALIZER
};

/* A field that is read, its only wire, and the function that takes it or the message that it is. */
struct wanted {
    enum message message;
    uint64_t number;
    enum wire wire;
    bool (*take)(struct reading *reading, const struct field *field);
    enum message inner;
};

static const struct wanted *wanted_field(enum message message, uint64_t number);

/* Hands the wanted fields of a message to the functions that take them. */
static bool read_message(struct reading *reading, enum message message, struct text bytes)
{
    const char *end = bytes.length > 0 ? bytes.bytes + bytes.length : bytes.bytes;
    struct field field;
    size_t used;
    reading->has |= 1U << message;
    for (const char *at = bytes.bytes; at < end; at += used) {
        used = read_field(at, end, &field);
        const struct wanted *wanted = used > 0 ? wanted_field(message, field.number) : NULL;
        if (used == 0 || (wanted && wanted->wire != field.wire))
            return reader_fail(&reading->in, STATUS_FORMAT,
                               "expected a SentencePiece model, found a field at byte %zu that is "
                               "none; the file may be cut short",
                               (size_t)(at - reading->start));
        if (wanted && wanted->take && !wanted->take(reading, &field))
            return false;
        if (wanted && wanted->inner && !read_message(reading, wanted->inner, field.bytes))
            return false;
    }
    return true;
}

/* ---- The fields ---- */

static bool take_text(struct reading *reading, const struct field *field)
{
    reading->model->pieces[reading->seen - 1] = field->bytes;
    return true;
}

/* An IEEE float as four bytes. */
static bool take_score(struct reading *reading, const struct field *field)
{
    uint32_t bits = (uint32_t)field->value;
    float score;
    memcpy(&score, &bits, sizeof score);
    reading->model->scores[reading->seen - 1] = (double)score;
    return true;
}

static bool take_type(struct reading *reading, const struct field *field)
{
    size_t id = reading->seen - 1;
    reading->model->types[id] = (enum sentencepiece_type)field->value;
    return (field->value >= SENTENCEPIECE_NORMAL && field->value <= SENTENCEPIECE_BYTE) ||
           reader_fail(&reading->in, STATUS_FORMAT,
                       "expected a type from 1 to 6 for the piece of id %zu, found %llu", id,
                       (unsigned long long)field->value);
}

/* A piece without a type is a normal one. Its id is its place in the file. */
static bool take_piece(struct reading *reading, const struct field *field)
{
    size_t id = reading->seen++;
    reading->model->types[id] = SENTENCEPIECE_NORMAL;
    if (!read_message(reading, MESSAGE_PIECE, field->bytes))
        return false;
    struct text piece = reading->model->pieces[id];
    if (piece.length == 0)
        return reader_fail(&reading->in, STATUS_FORMAT,
                           "expected no empty piece, found one of id %zu", id);
    return reading->model->types[id] != SENTENCEPIECE_BYTE ||
           reader_fail(&reading->in, STATUS_UNSUPPORTED,
                       "expected a model without pieces for single bytes, found \"%.*s\"; "
                       "headlight reads no model that falls back to bytes",
                       (int)size_min(piece.length, 100), piece.bytes);
}

static bool check_kind(struct reading *reading, const struct field *field)
{
    static const char *const names[] = {[2] = "BPE", "word", "character"};
    bool known = field->value >= 2 && field->value <= 4;
    return field->value == 1 ||
           reader_fail(&reading->in, STATUS_UNSUPPORTED,
                       "expected a SentencePiece model of the kind \"unigram\", found %s%s; "
                       "headlight reads no other",
                       known ? "one of the kind " : "an unknown kind",
                       known ? names[field->value] : "");
}

/* With byte fallback an unknown character becomes several byte pieces instead of the unknown one.
 */
static bool check_fallback(struct reading *reading, const struct field *field)
{
    return field->value == 0 ||
           reader_fail(&reading->in, STATUS_UNSUPPORTED,
                       "expected a model that does not fall back to bytes, found one that does; "
                       "headlight reads none");
}

static bool take_unknown(struct reading *reading, const struct field *field)
{
    reading->model->unknown = (int32_t)(uint32_t)field->value;
    return true;
}

static bool take_charsmap(struct reading *reading, const struct field *field)
{
    reading->model->charsmap = field->bytes;
    return true;
}

static bool count_piece(struct reading *reading, const struct field *field)
{
    (void)field;
    reading->model->count++;
    return true;
}

static const struct wanted *wanted_field(enum message message, uint64_t number)
{
    static const struct wanted fields[] = {
        {MESSAGE_COUNT, 1, WIRE_BYTES, count_piece, 0},
        {MESSAGE_COUNT, 2, WIRE_BYTES, NULL, 0},
        {MESSAGE_COUNT, 3, WIRE_BYTES, NULL, 0},
        {MESSAGE_FILE, 1, WIRE_BYTES, take_piece, 0},
        {MESSAGE_FILE, 2, WIRE_BYTES, NULL, MESSAGE_TRAINER},
        {MESSAGE_FILE, 3, WIRE_BYTES, NULL, MESSAGE_NORMALIZER},
        {MESSAGE_PIECE, 1, WIRE_BYTES, take_text, 0},
        {MESSAGE_PIECE, 2, WIRE_FOUR_BYTES, take_score, 0},
        {MESSAGE_PIECE, 3, WIRE_VARINT, take_type, 0},
        {MESSAGE_TRAINER, 3, WIRE_VARINT, check_kind, 0},
        {MESSAGE_TRAINER, 35, WIRE_VARINT, check_fallback, 0},
        {MESSAGE_TRAINER, 40, WIRE_VARINT, take_unknown, 0},
        {MESSAGE_NORMALIZER, 2, WIRE_BYTES, take_charsmap, 0},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].message == message && fields[i].number == number)
            return &fields[i];
    return NULL;
}

/* ---- The file ---- */

/* The trainer and the normalizer follow the pieces: without them the file ended early. */
static bool check_whole(const struct reading *reading)
{
    const struct sentencepiece *model = reading->model;
    const unsigned needed = 1U << MESSAGE_TRAINER | 1U << MESSAGE_NORMALIZER;
    if ((reading->has & needed) != needed)
        return reader_fail(&reading->in, STATUS_FORMAT,
                           "expected the settings of the trainer and the normalizer behind the "
                           "%zu pieces, found none; the file may be cut short",
                           model->count);
    return (model->unknown >= 0 && (size_t)model->unknown < model->count &&
            model->types[model->unknown] == SENTENCEPIECE_UNKNOWN) ||
           reader_fail(&reading->in, STATUS_FORMAT,
                       "expected the unknown piece to have the id %ld, found none there",
                       (long)model->unknown);
}

/* Room for the pieces that were counted, in one block that begins with them, and what they are. */
static bool read_pieces(struct reading *reading, struct text text)
{
    struct sentencepiece *model = reading->model;
    size_t each = sizeof *model->pieces + sizeof *model->scores + sizeof *model->types;
    if (model->count == 0)
        return reader_fail(&reading->in, STATUS_FORMAT,
                           "expected a SentencePiece model, found no pieces");
    model->pieces = memory_new(model->count, each, 0, "the pieces of a model", reading->in.error);
    if (!model->pieces)
        return false;
    model->scores = (double *)(void *)(model->pieces + model->count);
    model->types = (enum sentencepiece_type *)(void *)(model->scores + model->count);
    return read_message(reading, MESSAGE_FILE, text) && check_whole(reading);
}

enum status sentencepiece_read(struct text text, const char *name, struct sentencepiece *model,
                               struct error *error)
{
    struct reading reading = {{NULL, name, error}, .start = text.bytes, .model = model};
    *model = (struct sentencepiece){0}; /* the format's defaults */
    if (read_message(&reading, MESSAGE_COUNT, text) && read_pieces(&reading, text))
        return STATUS_OK;
    sentencepiece_free(model);
    return error->status;
}

void sentencepiece_free(struct sentencepiece *model)
{
    free(model->pieces);
    *model = (struct sentencepiece){0};
}

/* ---- The tokenizer ---- */

/* After the family's own steps come the model's replacements, and one space for many. */
static bool add_unigram_steps(const struct tokenizer_reader *in,
                              const struct tokenizer_files *files, struct text map)
{
    static const struct step_choice spaces = {.kind = STEP_SPACES, .with = " "};
    const struct tokenizer_reader settings = {in->tokenizer, files->settings->name, in->error};
    const struct tokenizer_family *family = files->family;
    const cJSON *config = files->settings->config;
    struct normal_step step = {.kind = STEP_CHARSMAP};
    if ((family->refused && !reader_expect(&settings, config, family->refused, false)) ||
        !reader_steps(&settings, config, family->steps, TOKENIZER_STEPS_MAX))
        return false;
    if (map.length > 0 &&
        (charsmap_new(map.bytes, map.length, in->source, &step.charsmap, in->error) != STATUS_OK ||
         !reader_step(in, step)))
        return false;
    return reader_steps(in, NULL, &spaces, 1);
}

/* ALBERT's model has pieces such as "▁1," that its tokenizer never uses. */
static void shun_commas(struct sentencepiece *model)
{
    for (size_t i = 0; i < model->count; i++) {
        struct text piece = model->pieces[i];
        const char *last = piece.length >= 2 ? piece.bytes + piece.length - 1 : NULL;
        if (last && *last == ',' && last[-1] >= '0' && last[-1] <= '9')
            model->scores[i] -= 100;
    }
}

/* The pieces in front of the model's, the number of the model's that they replace, and the piece at
 * the end. XLMRobertaConverter and CamembertConverter in transformers' convert_slow_tokenizer.py;
 * the last piece of CamemBERT's front is made too unlikely to be used. */
#define FRONT_MAX 5
static const struct front {
    struct text pieces[FRONT_MAX];
    size_t count, replaced;
    int32_t unknown;
    double last_score;
} fronts[] = {
    [IDS_FAIRSEQ] = {{{"<s>", 3}, {"<pad>", 5}, {"</s>", 4}, {"<unk>", 5}}, 4, 3, 3, 0},
    [IDS_CAMEMBERT] = {{{"<s>NOTUSED", 10},
                        {"<pad>", 5},
                        {"</s>NOTUSED", 11},
                        {"<unk>", 5},
                        {"<unk>NOTUSED", 12}},
                       5,
                       1,
                       3,
                       -100},
};
static const struct text fairseq_mask = {"<mask>", 6};

/* The pieces in the order of the family's ids. */
static bool make_unigram(const struct tokenizer_reader *in, const struct sentencepiece *model,
                         enum sentencepiece_ids ids)
{
    const struct front *front = &fronts[ids];
    size_t count = 0;
    struct scored_pieces scored = reader_scored(in, model->count + FRONT_MAX + 1);
    if (!scored.pieces)
        return false;
    for (; count < front->count; count++)
        scored.pieces[count] = front->pieces[count];
    if (count > 0)
        scored.scores[count - 1] = front->last_score;
    for (size_t i = front->replaced; i < model->count; i++, count++) {
        scored.pieces[count] = model->pieces[i];
        scored.scores[count] = model->scores[i];
    }
    if (front->count > 0)
        scored.pieces[count++] = fairseq_mask;
    scored.count = count;
    bool made = reader_unigram(in, &scored, front->count > 0 ? front->unknown : model->unknown);
    free(scored.pieces);
    return made;
}

bool reader_sentencepiece(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    const struct tokenizer_family *family = files->family;
    struct tokenizer *tokenizer = in->tokenizer;
    struct sentencepiece model = {0};
    if (sentencepiece_read(files->vocabulary.text, in->source, &model, in->error) != STATUS_OK)
        return false;
    if (family->bare_commas)
        shun_commas(&model);
    bool made =
        add_unigram_steps(in, files, model.charsmap) && make_unigram(in, &model, family->ids);
    sentencepiece_free(&model);
    if (!family->one_space)
        tokenizer->splitters[tokenizer->splitter_count++].kind = SPLITTER_WHITE_SPACE;
    tokenizer->splitters[tokenizer->splitter_count++] =
        (struct splitter){.kind = SPLITTER_METASPACE, .prefix = PREFIX_ALWAYS, .mark = 0x2581};
    return made;
}
