/* checkpoint.c: encoders with random weights, in the hub's layout, of any shape and family: what a
 * checkpoint of that size costs, without one. */
#include "../opening.h"
#include "bench.h"

#include "headlight/model/weights.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* ---- The folder ---------------------------------------------------------------------------- */

static struct {
    char path[64]; /* empty: there is none */
    char config[96], tokenizer[96], tensors[96];
} folder;

void checkpoint_remove(void)
{
    if (!folder.path[0])
        return;
    unlink(folder.config);
    unlink(folder.tokenizer);
    unlink(folder.tensors);
    rmdir(folder.path);
    folder.path[0] = '\0';
}

/* All that checkpoint_remove does is allowed here. */
static void interrupted(int number)
{
    checkpoint_remove();
    signal(number, SIG_DFL);
    raise(number);
}

static void remove_at_any_end(void)
{
    static bool done;
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    if (done)
        return;
    done = true;
    atexit(checkpoint_remove);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signal(signals[i], interrupted) == SIG_IGN) /* as nohup has it: it stays so */
            signal(signals[i], SIG_IGN);
}

static void make_folder(void)
{
    const char *root = getenv("TMPDIR");
    if (!root || strlen(root) > 32)
        root = "/tmp";
    checkpoint_remove();
    remove_at_any_end();
    char path[sizeof folder.path];
    snprintf(path, sizeof path, "%s/headlight-bench-XXXXXX", root);
    if (!mkdtemp(path))
        fail("%s: no folder can be made there", root);
    snprintf(folder.config, sizeof folder.config, "%s/config.json", path);
    snprintf(folder.tokenizer, sizeof folder.tokenizer, "%s/tokenizer.json", path);
    snprintf(folder.tensors, sizeof folder.tensors, "%s/model.safetensors", path);
    memcpy(folder.path, path, sizeof path);
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

/* What a tensor of a family's list is filled with. Weights of the variance v give queries and keys
 * of the variance H·v, and scores of the deviation H·v. It is made 3 (a spread of s is a variance
 * of s²/3), so that attention is about as sharp as that of a trained encoder: how much there is to
 * draw depends on it. */
static void fill(const struct tensor_entry *entry, size_t inputs, struct random_tensor *tensor)
{
    const bool asks =
        entry->offset == offsetof(struct layer_weights, attention.projections[QUERY].weight) ||
        entry->offset == offsetof(struct layer_weights, attention.projections[KEY].weight);
    const char *last = strrchr(entry->name, '.');
    tensor->mean = 0;
    if (tensor->columns == 0) { /* LayerNorm's weights are about 1 */
        tensor->mean = strcmp(last, ".weight") == 0 ? 1 : 0;
        tensor->spread = 0.02f;
    } else if (strchr("VPSR", entry->axes[0])) {
        tensor->spread = entry->axes[0] == 'S' ? 0.1f : 1;
    } else {
        tensor->spread = sqrtf((asks && entry->parts == 0 ? 9 : 3) / (float)inputs);
    }
}

/* Those of a list; parts of one tensor come together. */
static void take_list(struct sink *sink, const struct config *config, const char *prefix,
                      const struct tensor_list *list)
{
    const struct family *family = config->family;
    for (size_t i = 0; i < list->count; i++) {
        const struct tensor_entry *entry = &list->entries[i];
        struct random_tensor tensor = {.rows = 0};
        if (!entry->name || entry->part > 0 || !(family_numbers(config, entry) > 0))
            continue;
        tensor.rows = family_extent(config, entry->axes[0]) * (entry->parts ? entry->parts : 1);
        tensor.columns = entry->axes[1] ? family_extent(config, entry->axes[1]) : 0;
        fill(entry, tensor.columns, &tensor);
        if (family->transposed && tensor.columns && !strchr("VP", entry->axes[0])) {
            size_t outputs = tensor.rows;
            tensor.rows = tensor.columns;
            tensor.columns = outputs;
        }
        snprintf(tensor.name, sizeof tensor.name, "%s%s%s", family->prefix, prefix, entry->name);
        sink->take(sink, &tensor);
    }
}

static void take_layer(struct sink *sink, const struct config *config, size_t l)
{
    const struct family *family = config->family;
    char prefix[64];
    family_layer(config, l, prefix, sizeof prefix);
    take_list(sink, config, prefix, &family->layer);
    if (l > 0)
        take_list(sink, config, prefix, &family->later_layer);
}

/* The encoder without heads. */
static void take_all(struct sink *sink, const struct config *config)
{
    take_list(sink, config, "", &config->family->whole);
    for (size_t l = 0; l < config->layers; l++)
        take_layer(sink, config, l);
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

static void write_tensors(const struct config *config)
{
    char *header = NULL;
    size_t length = 0;
    struct sink sink = {.take = write_entry, .stream = open_memstream(&header, &length)};
    if (!sink.stream)
        fail("not enough memory for a header");
    fputc('{', sink.stream);
    take_all(&sink, config);
    fputc('}', sink.stream);
    while (ftell(sink.stream) % 8 != 0)
        fputc(' ', sink.stream);
    fclose(sink.stream);
    uint64_t size = length;
    sink = (struct sink){write_numbers, create(folder.tensors), 0, UINT64_C(88172645463325252)};
    fwrite(&size, sizeof size, 1, sink.stream); /* a little-endian machine's, as the floats are */
    fwrite(header, 1, length, sink.stream);
    free(header);
    take_all(&sink, config);
    finish(sink.stream, folder.tensors);
}

/* ---- The other two files ------------------------------------------------------------------- */

/* Their ids are their places. */
static const char *const specials[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
#define SPECIAL_COUNT (sizeof specials / sizeof *specials)

static const char *const words[] = {
    "alice", "was",    "beginning", "to",   "get",  "very", "tired",   "of", "sitting", "by",
    "her",   "sister", "on",        "the",  "bank", "and",  "nothing", "do", "once",    "or",
    "twice", "she",    "had",       "book", "read", "but",  "it",      "no", "picture", "in"};
#define WORD_COUNT (sizeof words / sizeof *words)

char *sentence_of(size_t count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        fail("not enough memory for a text");
    for (size_t i = 0; i < count; i++)
        fprintf(stream, i > 0 ? " %s" : "%s", words[i % WORD_COUNT]);
    fclose(stream);
    return text;
}

/* The configuration, written and read again. */
static struct config write_config(const struct encoder_shape *shape)
{
    const struct family *family = family_of_type(shape->type);
    const struct config_keys *keys = &family->keys;
    struct config config;
    struct error error;
    char text[512];
    int length = snprintf(
        text, sizeof text,
        "{\"model_type\":\"%s\",\"vocab_size\":%zu,\"%s\":%zu,\"%s\":%zu,\"%s\":%zu,\"%s\":%zu,"
        "\"%s\":\"gelu\",\"%s\":%zu}\n",
        shape->type, shape->vocabulary, keys->hidden, shape->hidden, keys->layers, shape->layers,
        keys->heads, shape->heads, keys->feed_forward ? keys->feed_forward : "n_inner",
        shape->feed_forward, keys->activation, keys->positions, shape->positions);
    if (config_parse(text, (size_t)length, &config, &error) != STATUS_OK)
        fail("%s", error.message);
    FILE *stream = create(folder.config);
    fputs(text, stream);
    finish(stream, folder.config);
    return config;
}

static void write_piece(FILE *stream, size_t *count, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void write_piece(FILE *stream, size_t *count, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs(*count > 0 ? ",\"" : "\"", stream);
    vfprintf(stream, format, arguments);
    fprintf(stream, "\":%zu", (*count)++);
    va_end(arguments);
}

/* Special tokens, the words of the texts, letters, and words that nobody writes. */
static void write_vocabulary(FILE *stream, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < SPECIAL_COUNT; i++)
        write_piece(stream, &count, "%s", specials[i]);
    for (size_t i = 0; i < WORD_COUNT; i++)
        write_piece(stream, &count, "%s", words[i]);
    for (const char *letter = "abcdefghijklmnopqrstuvwxyz"; *letter; letter++) {
        write_piece(stream, &count, "%c", *letter);
        write_piece(stream, &count, "##%c", *letter);
    }
    for (size_t i = 0; count < size; i++)
        write_piece(stream, &count, "z%05zuq", i);
}

/* BERT's, which every family takes when it says all by itself. */
static void write_tokenizer(const struct encoder_shape *shape)
{
    FILE *stream = create(folder.tokenizer);
    fputs("{\"added_tokens\":[", stream);
    for (size_t i = 0; i < SPECIAL_COUNT; i++)
        fprintf(stream, "%s{\"id\":%zu,\"content\":\"%s\",\"special\":true}", i > 0 ? "," : "", i,
                specials[i]);
    fputs("],\"normalizer\":{\"type\":\"BertNormalizer\"},"
          "\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},"
          "\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"[CLS]\",2],"
          "\"sep\":[\"[SEP]\",3]},"
          "\"model\":{\"type\":\"WordPiece\",\"vocab\":{",
          stream);
    write_vocabulary(stream, shape->vocabulary);
    fputs("}}}\n", stream);
    finish(stream, folder.tokenizer);
}

const char *checkpoint_write(const struct encoder_shape *shape)
{
    checkpoint_remove();
    if (shape->built_in)
        return NULL;
    make_folder();
    const struct config config = write_config(shape);
    write_tokenizer(shape);
    write_tensors(&config);
    return folder.path;
}
