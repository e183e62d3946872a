#include "folder.h"

#include "fail.h"
#include "text.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* ---- The folder ---------------------------------------------------------------------------- */

static struct {
    char path[64]; /* empty: there is none */
    char config[96], vocabulary[96], tensors[96];
} folder;

void folder_remove(void)
{
    if (!folder.path[0])
        return;
    unlink(folder.config);
    unlink(folder.vocabulary);
    unlink(folder.tensors);
    rmdir(folder.path);
    folder.path[0] = '\0';
}

/* All that folder_remove does is allowed here. */
static void interrupted(int number)
{
    folder_remove();
    signal(number, SIG_DFL);
    raise(number);
}

static void remove_at_any_end(void)
{
    static bool done;
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    if (done)
        return;
    done = true;
    atexit(folder_remove);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signal(signals[i], interrupted) == SIG_IGN) /* as nohup has it: it stays so */
            signal(signals[i], SIG_IGN);
}

static void make_folder(void)
{
    const char *root = getenv("TMPDIR");
    if (!root || strlen(root) > 32)
        root = "/tmp";
    folder_remove();
    remove_at_any_end();
    char path[sizeof folder.path];
    snprintf(path, sizeof path, "%s/headlight-bench-XXXXXX", root);
    if (!mkdtemp(path))
        fail("%s: no folder can be made there", root);
    snprintf(folder.config, sizeof folder.config, "%s/config.json", path);
    snprintf(folder.vocabulary, sizeof folder.vocabulary, "%s/vocab.txt", path);
    snprintf(folder.tensors, sizeof folder.tensors, "%s/model.safetensors", path);
    memcpy(folder.path, path, sizeof path);
}

size_t folder_files(const char *paths[3])
{
    if (!folder.path[0])
        return 0;
    paths[0] = folder.config;
    paths[1] = folder.vocabulary;
    paths[2] = folder.tensors;
    return 3;
}

static FILE *create(const char *path)
{
    FILE *stream = fopen(path, "wb");
    if (!stream)
        fail("%s: cannot be written", path);
    return stream;
}

static void finish(FILE *stream, const char *path)
{
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed)
        fail("%s: cannot be written; is there room for it? TMPDIR names another place", path);
}

/* ---- Tensors ------------------------------------------------------------------------------- */

/* A tensor in [rows,columns], or in [rows] where columns is 0. Its numbers lie evenly in
 * -spread … spread around the mean. */
struct random_tensor {
    char name[96];
    size_t rows, columns;
    float mean, spread;
};

/* Told of every tensor, in the order of the file. */
struct sink {
    void (*take)(struct sink *sink, const struct random_tensor *tensor);
    FILE *stream;
    size_t offset;  /* of the data, in bytes */
    uint64_t state; /* of the random numbers */
};

static void take_matrix(struct sink *sink, const char *name, size_t rows, size_t columns,
                        float spread)
{
    struct random_tensor tensor = {.rows = rows, .columns = columns, .spread = spread};
    snprintf(tensor.name, sizeof tensor.name, "bert.%s", name);
    sink->take(sink, &tensor);
}

/* A bias and the weight before which it stands, as the hub's files have them: sorted by name. */
static void take_linear(struct sink *sink, const char *name, size_t outputs, size_t inputs,
                        float spread)
{
    char full[80];
    snprintf(full, sizeof full, "%s.bias", name);
    take_matrix(sink, full, outputs, 0, 0.02f);
    snprintf(full, sizeof full, "%s.weight", name);
    take_matrix(sink, full, outputs, inputs, spread);
}

static void take_norm(struct sink *sink, const char *name, size_t hidden)
{
    struct random_tensor tensor = {.rows = hidden, .spread = 0.02f};
    snprintf(tensor.name, sizeof tensor.name, "bert.%s.LayerNorm.bias", name);
    sink->take(sink, &tensor);
    tensor.mean = 1;
    snprintf(tensor.name, sizeof tensor.name, "bert.%s.LayerNorm.weight", name);
    sink->take(sink, &tensor);
}

/* Weights of the variance v give queries and keys of the variance H·v, and scores of the deviation
 * H·v. It is made 3 (a spread of s is a variance of s²/3), so that attention is about as sharp as
 * that of a trained encoder: how much there is to draw depends on it. */
static void take_layer(struct sink *sink, const struct bench_shape *shape, size_t l)
{
    static const char *const squares[] = {"attention.self.key", "attention.self.query",
                                          "attention.self.value"};
    size_t H = shape->hidden, F = shape->feed_forward;
    float sharp = sqrtf(3 * 3 / (float)H), usual = sqrtf(3 / (float)H);
    char name[64];
    snprintf(name, sizeof name, "encoder.layer.%zu.attention.output", l);
    take_norm(sink, name, H);
    snprintf(name, sizeof name, "encoder.layer.%zu.attention.output.dense", l);
    take_linear(sink, name, H, H, usual);
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "encoder.layer.%zu.%s", l, squares[i]);
        take_linear(sink, name, H, H, i < 2 ? sharp : usual);
    }
    snprintf(name, sizeof name, "encoder.layer.%zu.intermediate.dense", l);
    take_linear(sink, name, F, H, usual);
    snprintf(name, sizeof name, "encoder.layer.%zu.output", l);
    take_norm(sink, name, H);
    snprintf(name, sizeof name, "encoder.layer.%zu.output.dense", l);
    take_linear(sink, name, H, F, usual);
}

static void take_all(struct sink *sink, const struct bench_shape *shape)
{
    size_t H = shape->hidden;
    take_norm(sink, "embeddings", H);
    take_matrix(sink, "embeddings.position_embeddings.weight", shape->positions, H, 1);
    take_matrix(sink, "embeddings.token_type_embeddings.weight", 2, H, 0.1f);
    take_matrix(sink, "embeddings.word_embeddings.weight", shape->vocabulary, H, 1);
    for (size_t l = 0; l < shape->layers; l++)
        take_layer(sink, shape, l);
}

static void write_entry(struct sink *sink, const struct random_tensor *tensor)
{
    size_t count = tensor->rows * (tensor->columns ? tensor->columns : 1);
    fprintf(sink->stream, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%zu", sink->offset ? "," : "",
            tensor->name, tensor->rows);
    if (tensor->columns)
        fprintf(sink->stream, ",%zu", tensor->columns);
    fprintf(sink->stream, "],\"data_offsets\":[%zu,%zu]}", sink->offset,
            sink->offset + count * sizeof(float));
    sink->offset += count * sizeof(float);
}

/* Marsaglia 2003, "Xorshift RNGs". */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void write_numbers(struct sink *sink, const struct random_tensor *tensor)
{
    float block[4096];
    size_t left = tensor->rows * (tensor->columns ? tensor->columns : 1);
    while (left > 0) {
        size_t count = left < 4096 ? left : 4096;
        for (size_t i = 0; i < count; i++) {
            float unit = (float)(next_random(&sink->state) >> 40) * 0x1p-23f - 1;
            block[i] = tensor->mean + unit * tensor->spread;
        }
        fwrite(block, sizeof *block, count, sink->stream);
        left -= count;
    }
}

static void write_tensors(const struct bench_shape *shape)
{
    char *header = NULL;
    size_t length = 0;
    struct sink sink = {.take = write_entry, .stream = open_memstream(&header, &length)};
    if (!sink.stream)
        fail("not enough memory for a header");
    fputc('{', sink.stream);
    take_all(&sink, shape);
    fputc('}', sink.stream);
    while (ftell(sink.stream) % 8 != 0)
        fputc(' ', sink.stream);
    fclose(sink.stream);
    uint64_t size = length;
    sink = (struct sink){write_numbers, create(folder.tensors), 0, UINT64_C(88172645463325252)};
    fwrite(&size, sizeof size, 1, sink.stream); /* a little-endian machine's, as the floats are */
    fwrite(header, 1, length, sink.stream);
    free(header);
    take_all(&sink, shape);
    finish(sink.stream, folder.tensors);
}

/* ---- The other two files ------------------------------------------------------------------- */

static void write_config(const struct bench_shape *shape)
{
    FILE *stream = create(folder.config);
    fprintf(stream,
            "{\"architectures\":[\"BertModel\"],\"model_type\":\"bert\",\"vocab_size\":%zu,"
            "\"hidden_size\":%zu,\"num_hidden_layers\":%zu,\"num_attention_heads\":%zu,"
            "\"intermediate_size\":%zu,\"hidden_act\":\"gelu\",\"max_position_embeddings\":%zu,"
            "\"type_vocab_size\":2,\"layer_norm_eps\":1e-12,\"pad_token_id\":0}\n",
            shape->vocabulary, shape->hidden, shape->layers, shape->heads, shape->feed_forward,
            shape->positions);
    finish(stream, folder.config);
}

/* Special tokens, the pieces of the texts, letters, and words that nobody writes. */
static void write_vocabulary(const struct bench_shape *shape)
{
    FILE *stream = create(folder.vocabulary);
    size_t count = 5;
    fputs("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n", stream);
    for (size_t i = 0; text_piece(i); i++, count++)
        fprintf(stream, "%s\n", text_piece(i));
    for (const char *letter = "abcdefghijklmnopqrstuvwxyz"; *letter; letter++) {
        fprintf(stream, "%c\n", *letter);
        count++;
        if (*letter != 's') { /* "##s" is one of the pieces */
            fprintf(stream, "##%c\n", *letter);
            count++;
        }
    }
    for (size_t i = 0; count < shape->vocabulary; i++, count++)
        fprintf(stream, "z%05zuq\n", i);
    finish(stream, folder.vocabulary);
}

const char *folder_write(const struct bench_shape *shape)
{
    folder_remove();
    if (shape->built_in)
        return NULL;
    make_folder();
    write_config(shape);
    write_vocabulary(shape);
    write_tensors(shape);
    return folder.path;
}
