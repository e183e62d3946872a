#include "shapes.h"

#include "headlight/model/family.h"

const struct bench_shape shapes[SHAPES_COUNT] = {
    {"built-in", "bert", 8, 256, 8, 1024, 16384, 128, 2, true, true, false},
    {"minilm", "bert", 6, 384, 12, 1536, 30522, 512, 4, false, false, false},
    {"distilbert-base", "distilbert", 6, 768, 12, 3072, 30522, 512, 4, false, false, true},
    {"bert-base", "bert", 12, 768, 12, 3072, 30522, 512, 4, false, true, false},
    {"roberta-base", "roberta", 12, 768, 12, 3072, 50265, 514, 4, false, false, true},
    {"modernbert-base", "modernbert", 22, 768, 12, 1152, 50368, 8192, 4, false, false, true},
    {"bert-large", "bert", 24, 1024, 16, 4096, 30522, 512, 4, false, false, false},
};

/* ---- What a pass costs --------------------------------------------------------------------- */

/* Query, key, value, output; the two of the feed-forward block, or three if it is gated. */
static double layers_weights(const struct bench_shape *shape)
{
    double H = (double)shape->hidden, F = (double)shape->feed_forward;
    double halves = family_of_type(shape->type)->gated ? 3 : 2;
    return (double)shape->layers * (4 * H * H + halves * H * F);
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
