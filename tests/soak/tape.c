#include "soak/tape.h"

#include "headlight/base/json.h"
#include "soak/writing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS_MAX 48

/* Of its tensors: L layers with weights [A,T,S], and maybe query [A,T,D], key and value [A,S,D]. */
struct shape_of {
    size_t layers, heads, tokens, attended, dimensions; /* D = 0: weights alone */
};

static struct shape_of choose_shape(struct chance *chance)
{
    static const size_t heads[] = {1, 2, 4, 12, 16, 17, 64};
    struct shape_of shape = {
        .layers = 1 + chance_below(chance, 6),
        .heads = heads[chance_below(chance, sizeof heads / sizeof *heads)],
        .tokens = 1 + chance_below(chance, TOKENS_MAX),
        .attended = 1 + chance_below(chance, TOKENS_MAX),
        .dimensions = chance_one_in(chance, 2) ? 1 + chance_below(chance, 40) : 0,
    };
    if (chance_one_in(chance, 3))
        shape.attended = shape.tokens;
    return shape;
}

/* ---- Header ---- */

static void write_tensor(FILE *header, size_t layer, const char *name, const size_t shape[3],
                         size_t *offset)
{
    size_t end = *offset + 4 * shape[0] * shape[1] * shape[2];
    fprintf(header, ",\"layer.%zu.%s\":{\"dtype\":\"F32\",\"shape\":[%zu,%zu,%zu]", layer, name,
            shape[0], shape[1], shape[2]);
    fprintf(header, ",\"data_offsets\":[%zu,%zu]}", *offset, end);
    *offset = end;
}

static void write_tensors(FILE *header, const struct shape_of *shape, size_t *offset)
{
    size_t A = shape->heads, D = shape->dimensions;
    for (size_t layer = 0; layer < shape->layers; layer++) {
        write_tensor(header, layer, "weights", (size_t[]){A, shape->tokens, shape->attended},
                     offset);
        if (D == 0)
            continue;
        write_tensor(header, layer, "query", (size_t[]){A, shape->tokens, D}, offset);
        write_tensor(header, layer, "key", (size_t[]){A, shape->attended, D}, offset);
        write_tensor(header, layer, "value", (size_t[]){A, shape->attended, D}, offset);
    }
}

/* A string of the metadata that holds a JSON list of `count` random strings. */
static void write_list(FILE *header, struct chance *chance, const char *name, size_t count)
{
    static const char *const special[] = {"[CLS]", "[SEP]", "<s>", "</s>", "[PAD]"};
    char *list = NULL, word[400];
    size_t length = 0;
    FILE *stream = open_memstream(&list, &length);
    if (!stream)
        return;
    for (size_t i = 0; i < count; i++) {
        const char *known = special[chance_below(chance, 5)];
        bool plain = !chance_one_in(chance, 8);
        size_t bytes = plain ? writing_text(chance, word, 65 + chance_below(chance, 30)) : 0;
        fputc(i == 0 ? '[' : ',', stream);
        json_write_string(stream, plain ? word : known, plain ? bytes : strlen(known));
    }
    fputs(count == 0 ? "[]" : "]", stream);
    fclose(stream);
    fprintf(header, "\"%s\":", name);
    json_write_string(header, list, length);
    free(list);
}

static char *write_header(struct chance *chance, const struct shape_of *shape, size_t *length,
                          size_t *data)
{
    char *text = NULL;
    FILE *header = open_memstream(&text, length);
    if (!header)
        return NULL;
    fputs("{\"__metadata__\":{", header);
    write_list(header, chance, "tokens", shape->tokens);
    if (shape->attended != shape->tokens || chance_one_in(chance, 2)) {
        fputc(',', header);
        write_list(header, chance, "tokens_right", shape->attended);
    }
    if (chance_one_in(chance, 2))
        fputs(",\"changes\":\"changed: causal unscaled\"", header);
    fputc('}', header);
    write_tensors(header, shape, data);
    fputc('}', header);
    while (ftell(header) % 8 != 0)
        fputc(' ', header);
    fclose(header);
    return text;
}

/* ---- Data ---- */

/* Any weights from 0 to 1: rows of a recording need not sum to 1. */
static void fill(struct chance *chance, const struct shape_of *shape, float *numbers)
{
    size_t T = shape->tokens, S = shape->attended, A = shape->heads, D = shape->dimensions;
    for (size_t layer = 0; layer < shape->layers; layer++) {
        for (size_t i = 0; i < A * T * S; i++)
            *numbers++ = chance_one_in(chance, 5) ? (float)chance_between(chance, 0, 16) / 16
                                                  : (float)chance_between(chance, 0, 99) / 9999;
        for (size_t i = 0; i < A * (T + 2 * S) * D; i++)
            *numbers++ = (float)chance_between(chance, -64, 64) / 16;
    }
}

unsigned char *tape_record(struct chance *chance, size_t *size)
{
    struct shape_of shape = choose_shape(chance);
    size_t length = 0, data = 0;
    char *header = write_header(chance, &shape, &length, &data);
    *size = 8 + length + data;
    unsigned char *bytes = header ? malloc(*size) : NULL;
    if (bytes) {
        for (int i = 0; i < 8; i++)
            bytes[i] = (unsigned char)((uint64_t)length >> 8 * i);
        memcpy(bytes + 8, header, length);
        fill(chance, &shape, (float *)(void *)(bytes + 8 + length));
    }
    free(header);
    return bytes;
}
