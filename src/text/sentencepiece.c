/* sentencepiece.c: just enough of protocol buffers to read a SentencePiece model: the fields of
 * three messages, in one loop. */
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
    uint64_t value; /* of WIRE_BYTES their number */
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

/* Returns where what is behind the field's key and value begins, which are the bytes of WIRE_BYTES;
 * NULL where there is no whole field. */
static const char *read_field(const char *at, const char *end, struct field *field)
{
    uint64_t key;
    size_t used = read_varint(at, end, &key), rest = 0;
    *field = (struct field){.number = key >> 3, .wire = key & 7};
    at += used;
    if (used == 0 || field->number == 0)
        return NULL;
    if (field->wire == WIRE_VARINT || field->wire == WIRE_BYTES)
        rest = read_varint(at, end, &field->value);
    else if (field->wire == WIRE_EIGHT_BYTES || field->wire == WIRE_FOUR_BYTES)
        rest = read_fixed(at, end, field->wire == WIRE_FOUR_BYTES ? 4 : 8, &field->value);
    if (rest == 0 || (field->wire == WIRE_BYTES && field->value > (size_t)(end - at) - rest))
        return NULL;
    return at + rest;
}

/* ---- The fields ---- */

/* The messages of the file, by their numbers in it; the file itself is 0. */
enum { PIECE = 1, TRAINER = 2, NORMALIZER = 3 };

/* A field of a message; those that are read have small numbers. */
#define FIELD(message, number) (64 * (message) + (number))

/* What the trainer says that decides whether the model can be read. */
struct trained {
    uint64_t kind, fallback;
    unsigned has; /* bits of the messages read */
};

/* An IEEE float as four bytes. */
static double read_float(uint64_t value)
{
    const uint32_t bits = (uint32_t)value;
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

/* Takes a field that is wanted; false where its wire is another. */
static bool take_field(const struct field *field, uint64_t message, const char *bytes,
                       struct sentencepiece *model, size_t id, struct trained *trained)
{
    const struct text text = {bytes, (size_t)field->value};
    switch (field->number < 64 ? FIELD(message, field->number) : 0) {
    case FIELD(PIECE, 1):
        model->pieces[id] = text;
        return field->wire == WIRE_BYTES;
    case FIELD(PIECE, 2):
        model->scores[id] = read_float(field->value);
        return field->wire == WIRE_FOUR_BYTES;
    case FIELD(PIECE, 3):
        model->types[id] =
            field->value > SENTENCEPIECE_BYTE ? 0 : (enum sentencepiece_type)field->value;
        return field->wire == WIRE_VARINT;
    case FIELD(TRAINER, 3):
        trained->kind = field->value;
        return field->wire == WIRE_VARINT;
    case FIELD(TRAINER, 35):
        trained->fallback = field->value;
        return field->wire == WIRE_VARINT;
    case FIELD(TRAINER, 40):
        model->unknown = (int32_t)(uint32_t)field->value;
        return field->wire == WIRE_VARINT;
    case FIELD(NORMALIZER, 2):
        model->charsmap = text;
        return field->wire == WIRE_BYTES;
    default:
        return true;
    }
}

/* Reads all fields, or counts the pieces while there is no memory for them. A message's own fields
 * follow its key in the same loop. */
static bool read_fields(const struct tokenizer_reader *in, struct text file,
                        struct sentencepiece *model, struct trained *trained)
{
    const char *end = file.length > 0 ? file.bytes + file.length : file.bytes, *stop = end, *next;
    const bool counting = !model->pieces;
    uint64_t message = 0;
    size_t pieces = 0;
    for (const char *at = file.bytes; at < end; at = next) {
        struct field field;
        if (message && at == stop) {
            message = 0;
            stop = end;
        }
        const char *bytes = read_field(at, stop, &field);
        const bool opens = message == 0 && field.number <= NORMALIZER;
        if (!bytes || (opens ? field.wire != WIRE_BYTES
                             : !take_field(&field, message, bytes, model, pieces - 1, trained)))
            return reader_fail(in, STATUS_FORMAT,
                               "expected a SentencePiece model, found a field at byte %zu that is "
                               "none; the file may be cut short",
                               (size_t)(at - file.bytes));
        next = field.wire == WIRE_BYTES && (!opens || counting) ? bytes + field.value : bytes;
        if (!opens)
            continue;
        pieces += field.number == PIECE;
        if (counting)
            continue;
        message = field.number;
        stop = bytes + field.value;
        trained->has |= 1U << message;
        if (message == PIECE)
            model->types[pieces - 1] = SENTENCEPIECE_NORMAL;
    }
    model->count = pieces;
    return true;
}

/* ---- The file ---- */

static bool check_trained(const struct tokenizer_reader *in, const struct trained *trained)
{
    static const char *const names[] = {[2] = "BPE", "word", "character"};
    const bool known = trained->kind >= 2 && trained->kind <= 4;
    if (trained->kind != 1)
        return reader_fail(in, STATUS_UNSUPPORTED,
                           "expected a SentencePiece model of the kind \"unigram\", found %s%s; "
                           "headlight reads no other",
                           known ? "one of the kind " : "an unknown kind",
                           known ? names[trained->kind] : "");
    return trained->fallback == 0 ||
           reader_fail(in, STATUS_UNSUPPORTED,
                       "expected a model that does not fall back to bytes, found one that does; "
                       "headlight reads none");
}

/* The trainer and the normalizer follow the pieces: without them the file ended early. With byte
 * pieces an unknown character becomes several of them instead of the unknown one. */
static bool check_whole(const struct tokenizer_reader *in, const struct sentencepiece *model,
                        struct trained *trained)
{
    const unsigned needed = 1U << TRAINER | 1U << NORMALIZER;
    for (size_t id = 0; id < model->count; id++) {
        if (model->pieces[id].length == 0)
            return reader_fail(in, STATUS_FORMAT, "expected no empty piece, found one of id %zu",
                               id);
        if (model->types[id] == 0)
            return reader_fail(in, STATUS_FORMAT,
                               "expected a type from 1 to 6 for the piece of id %zu, found another",
                               id);
        trained->fallback |= model->types[id] == SENTENCEPIECE_BYTE;
    }
    if ((trained->has & needed) != needed)
        return reader_fail(in, STATUS_FORMAT,
                           "expected the settings of the trainer and the normalizer behind the "
                           "%zu pieces, found none; the file may be cut short",
                           model->count);
    if (!check_trained(in, trained))
        return false;
    return (model->unknown >= 0 && (size_t)model->unknown < model->count &&
            model->types[model->unknown] == SENTENCEPIECE_UNKNOWN) ||
           reader_fail(in, STATUS_FORMAT,
                       "expected the unknown piece to have the id %ld, found none there",
                       (long)model->unknown);
}

/* Counts the pieces first, for which there is one block then, that begins with them. */
enum status sentencepiece_read(struct text text, const char *name, struct sentencepiece *model,
                               struct error *error)
{
    const struct tokenizer_reader in = {NULL, name, error};
    const size_t each = sizeof *model->pieces + sizeof *model->scores + sizeof *model->types;
    struct trained trained = {.kind = 1}; /* the format's defaults */
    *model = (struct sentencepiece){0};
    if (!read_fields(&in, text, model, &trained))
        return error->status;
    if (model->count == 0)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a SentencePiece model, found no pieces", name);
    model->pieces = memory_new(model->count, each, 0, "the pieces of a model", error);
    if (!model->pieces)
        return error->status;
    model->scores = (double *)(void *)(model->pieces + model->count);
    model->types = (enum sentencepiece_type *)(void *)(model->scores + model->count);
    if (read_fields(&in, text, model, &trained) && check_whole(&in, model, &trained))
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

/* Of this step with points as of any other. */
static bool add_replacement(const struct tokenizer_reader *in, enum step_kind kind,
                            const char *what, const char *with)
{
    struct normal_step step = {.kind = kind};
    points_read(text_of_string(what), &step.what);
    points_read(text_of_string(with), &step.with);
    return reader_step(in, step);
}

/* AlbertConverter and DebertaV2Converter. */
static bool add_converter_steps(const struct tokenizer_reader *in,
                                const struct tokenizer_files *files)
{
    const struct tokenizer_reader settings = {in->tokenizer, files->settings->name, in->error};
    const cJSON *config = files->settings->config;
    const bool albert = files->family->converter == CONVERTER_ALBERT;
    bool lower = albert, accents = !albert;
    if (!albert && files->family->converter != CONVERTER_DEBERTA)
        return true;
    if (!reader_bool(&settings, config, "do_lower_case", &lower) ||
        (albert ? !reader_bool(&settings, config, "keep_accents", &accents)
                : !reader_expect(&settings, config, "split_by_punct", false)))
        return false;
    if (albert && (!add_replacement(in, STEP_REPLACE, "``", "\"") ||
                   !add_replacement(in, STEP_REPLACE, "''", "\"")))
        return false;
    const struct normal_step steps[] = {
        {.kind = accents ? STEP_NONE : STEP_FORM, .form = FORM_NFKD},
        {.kind = accents ? STEP_NONE : STEP_STRIP_ACCENTS},
        {.kind = lower ? STEP_LOWER_CASE : STEP_NONE},
        {.kind = albert ? STEP_NONE : STEP_STRIP, .left = true, .right = true}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (!reader_step(in, steps[i]))
            return false;
    return true;
}

/* After the family's own steps come the model's replacements, and one space for many. */
static bool add_unigram_steps(const struct tokenizer_reader *in,
                              const struct tokenizer_files *files, struct text map)
{
    struct normal_step step = {.kind = map.length > 0 ? STEP_CHARSMAP : STEP_NONE};
    return add_converter_steps(in, files) &&
           (map.length == 0 || charsmap_new(map.bytes, map.length, in->source, &step.charsmap,
                                            in->error) == STATUS_OK) &&
           reader_step(in, step) && add_replacement(in, STEP_SPACES, "", " ");
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
    [CONVERTER_FAIRSEQ] = {{{"<s>", 3}, {"<pad>", 5}, {"</s>", 4}, {"<unk>", 5}}, 4, 3, 3, 0},
    [CONVERTER_CAMEMBERT] = {{{"<s>NOTUSED", 10},
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
                         enum sentencepiece_converter converter)
{
    const struct front *front = &fronts[converter];
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
    const enum sentencepiece_converter converter = files->family->converter;
    struct tokenizer *tokenizer = in->tokenizer;
    struct sentencepiece model = {0};
    if (sentencepiece_read(files->vocabulary.text, in->source, &model, in->error) != STATUS_OK)
        return false;
    if (converter == CONVERTER_ALBERT)
        shun_commas(&model);
    bool made = add_unigram_steps(in, files, model.charsmap) && make_unigram(in, &model, converter);
    sentencepiece_free(&model);
    if (converter != CONVERTER_DEBERTA) /* for which only ' ' ends a word */
        tokenizer->splitters[tokenizer->splitter_count++].kind = SPLITTER_WHITE_SPACE;
    tokenizer->splitters[tokenizer->splitter_count++] =
        (struct splitter){.kind = SPLITTER_METASPACE, .prefix = PREFIX_ALWAYS, .mark = 0x2581};
    return made;
}
