#include "shapes.h"

/* All are encoders as BERT is one; roberta-base has two positions more than it has room for tokens,
 * and is of its size here, not of its family. ModernBERT-base would be 22 layers, hidden 768, 12
 * heads, feed-forward 1152 with a gate, vocabulary 50368: its row belongs here when folder.c writes
 * its tensors and layers_weights below counts the gate's third matrix. */
const struct bench_shape shapes[SHAPES_COUNT] = {
    {"built-in", 8, 256, 8, 1024, 16384, 128, 2, true, true, false},
    {"minilm", 6, 384, 12, 1536, 30522, 512, 4, false, false, false},
    {"distilbert-base", 6, 768, 12, 3072, 30522, 512, 4, false, false, true},
    {"bert-base", 12, 768, 12, 3072, 30522, 512, 4, false, true, false},
    {"roberta-base", 12, 768, 12, 3072, 50265, 514, 4, false, false, true},
    {"bert-large", 24, 1024, 16, 4096, 30522, 512, 4, false, false, false},
};

/* ---- What a pass costs --------------------------------------------------------------------- */

/* Query, key, value, output; the two of the feed-forward block. */
static double layers_weights(const struct bench_shape *shape)
{
    double H = (double)shape->hidden, F = (double)shape->feed_forward;
    return (double)shape->layers * (4 * H * H + 2 * H * F);
}

/* The masked-word head: its own layer and the decoder. */
static double decoder_weights(const struct bench_shape *shape)
{
    double H = (double)shape->hidden, V = (double)shape->vocabulary;
    return shape->built_in ? H * H + V * H : 0;
}

/* The next-sentence head, which looks at one token. */
static double pooler_weights(const struct bench_shape *shape)
{
    double H = (double)shape->hidden;
    return shape->built_in ? H * H + 2 * H : 0;
}

double shape_weights(const struct bench_shape *shape)
{
    return layers_weights(shape) + decoder_weights(shape) + pooler_weights(shape);
}

double shape_bytes(const struct bench_shape *shape)
{
    return shape_weights(shape) * (double)shape->number_bytes;
}

double shape_work(const struct bench_shape *shape, size_t tokens)
{
    double T = (double)tokens, H = (double)shape->hidden, L = (double)shape->layers;
    double attention = L * 2 * T * T * H; /* scores and contexts of all heads */
    return 2 * (T * (layers_weights(shape) + decoder_weights(shape)) + pooler_weights(shape) +
                attention);
}
