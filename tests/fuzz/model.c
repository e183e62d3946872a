/* The smallest encoder that has everything: two layers of two heads of four dimensions, both
 * pretraining heads. A pass over it costs next to nothing, so that many inputs are tried. */
#include "fuzz.h"

#include "headlight/base/file.h"

#include <stdio.h>
#include <stdlib.h>

#define VOCABULARY   101 /* that of FUZZ_VOCABULARY */
#define HIDDEN       8
#define LAYERS       2
#define FEED_FORWARD 16
#define POSITIONS    48

static const char config[] =
    "{\"architectures\":[\"BertForPreTraining\"],\"model_type\":\"bert\",\"vocab_size\":101,"
    "\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2,\"intermediate_size\":16,"
    "\"max_position_embeddings\":48,\"type_vocab_size\":2}";

/* A tensor in [rows,columns], or in [rows] where columns is 0. */
struct stored {
    const char *name;
    size_t rows, columns;
};

static const struct stored in_front[] = {
    {"bert.embeddings.word_embeddings.weight", VOCABULARY, HIDDEN},
    {"bert.embeddings.position_embeddings.weight", POSITIONS, HIDDEN},
    {"bert.embeddings.token_type_embeddings.weight", 2, HIDDEN},
    {"bert.embeddings.LayerNorm.weight", HIDDEN, 0},
    {"bert.embeddings.LayerNorm.bias", HIDDEN, 0},
};

static const struct stored in_layer[] = {
    {"attention.self.query.weight", HIDDEN, HIDDEN},
    {"attention.self.query.bias", HIDDEN, 0},
    {"attention.self.key.weight", HIDDEN, HIDDEN},
    {"attention.self.key.bias", HIDDEN, 0},
    {"attention.self.value.weight", HIDDEN, HIDDEN},
    {"attention.self.value.bias", HIDDEN, 0},
    {"attention.output.dense.weight", HIDDEN, HIDDEN},
    {"attention.output.dense.bias", HIDDEN, 0},
    {"attention.output.LayerNorm.weight", HIDDEN, 0},
    {"attention.output.LayerNorm.bias", HIDDEN, 0},
    {"intermediate.dense.weight", FEED_FORWARD, HIDDEN},
    {"intermediate.dense.bias", FEED_FORWARD, 0},
    {"output.dense.weight", HIDDEN, FEED_FORWARD},
    {"output.dense.bias", HIDDEN, 0},
    {"output.LayerNorm.weight", HIDDEN, 0},
    {"output.LayerNorm.bias", HIDDEN, 0},
};

static const struct stored behind[] = {
    {"bert.pooler.dense.weight", HIDDEN, HIDDEN},
    {"bert.pooler.dense.bias", HIDDEN, 0},
    {"cls.predictions.transform.dense.weight", HIDDEN, HIDDEN},
    {"cls.predictions.transform.dense.bias", HIDDEN, 0},
    {"cls.predictions.transform.LayerNorm.weight", HIDDEN, 0},
    {"cls.predictions.transform.LayerNorm.bias", HIDDEN, 0},
    {"cls.predictions.bias", VOCABULARY, 0},
    {"cls.seq_relationship.weight", 2, HIDDEN},
    {"cls.seq_relationship.bias", 2, 0},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The two halves of the file as they grow. */
struct file {
    FILE *header, *data;
    uint64_t random;
    size_t offset;
};

/* Marsaglia 2003, "Xorshift RNGs"; in -1 … 1. */
static float next_number(struct file *file)
{
    file->random ^= file->random << 13;
    file->random ^= file->random >> 7;
    file->random ^= file->random << 17;
    return (float)(file->random >> 40) * 0x1p-23f - 1;
}

static void add(struct file *file, const char *prefix, const struct stored *stored)
{
    size_t count = stored->rows * (stored->columns ? stored->columns : 1);
    fprintf(file->header, "%s\"%s%s\":{\"dtype\":\"F32\",\"shape\":[%zu", file->offset ? "," : "{",
            prefix, stored->name, stored->rows);
    if (stored->columns)
        fprintf(file->header, ",%zu", stored->columns);
    fprintf(file->header, "],\"data_offsets\":[%zu,%zu]}", file->offset, file->offset + 4 * count);
    file->offset += 4 * count;
    for (size_t i = 0; i < count; i++) {
        float number = next_number(file);
        fwrite(&number, sizeof number, 1, file->data);
    }
}

static void add_all(struct file *file)
{
    for (size_t i = 0; i < COUNT(in_front); i++)
        add(file, "", &in_front[i]);
    for (size_t l = 0; l < LAYERS; l++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "bert.encoder.layer.%zu.", l);
        for (size_t i = 0; i < COUNT(in_layer); i++)
            add(file, prefix, &in_layer[i]);
    }
    for (size_t i = 0; i < COUNT(behind); i++)
        add(file, "", &behind[i]);
}

static void write_tensors(void)
{
    char *header, *data, *whole;
    size_t header_size, data_size, size;
    struct file file = {open_memstream(&header, &header_size), open_memstream(&data, &data_size),
                        UINT64_C(88172645463325252), 0};
    promise(file.header && file.data);
    add_all(&file);
    fputc('}', file.header);
    promise(fclose(file.header) == 0 && fclose(file.data) == 0);
    FILE *stream = open_memstream(&whole, &size);
    uint64_t length = header_size;
    promise(stream != NULL);
    fwrite(&length, sizeof length, 1, stream);
    fwrite(header, 1, header_size, stream);
    fwrite(data, 1, data_size, stream);
    promise(fclose(stream) == 0);
    fuzz_write("model.safetensors", whole, size);
    free(header);
    free(data);
    free(whole);
}

void fuzz_write_model(void)
{
    struct error error;
    size_t length;
    char *pieces;
    promise(file_read(FUZZ_VOCABULARY, 4096, &pieces, &length, &error) == STATUS_OK);
    fuzz_write("vocab.txt", pieces, length);
    free(pieces);
    fuzz_write("config.json", config, sizeof config - 1);
    write_tensors();
}
