#include "headlight/tensor/pack.h"

#include "headlight/base/size.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/transpose.h"

#include <string.h>

size_t pack_size(size_t tokens, size_t inputs)
{
    size_t rounded = (tokens + KERNELS_LANES_MAX - 1) / KERNELS_LANES_MAX * KERNELS_LANES_MAX;
    return rounded * inputs;
}

struct packed pack_in(float *numbers, size_t tokens, size_t inputs, bool pairs)
{
    const struct kernels *kernels = kernels_now();
    bool paired =
        pairs && kernels->tile_of_pairs && inputs % 2 == 0 && tokens <= kernels->lanes / 2;
    size_t width = paired ? kernels->lanes / 2 : kernels->lanes;
    return (struct packed){numbers, tokens, inputs, width, paired};
}

float *pack_at(const struct packed *panels, size_t panel, size_t input)
{
    return panels->numbers + (panel * panels->inputs + input) * panels->width;
}

static void put_pairs(const struct packed *panels, const float *x, size_t stride, size_t first,
                      size_t count)
{
    for (size_t t = 0; t < count; t++) {
        float *to = panels->numbers + 2 * (first + t);
        for (size_t k = 0; k < panels->inputs; k += 2)
            memcpy(to + k * panels->width, x + t * stride + k, 2 * sizeof *to);
    }
}

void pack_put(const struct packed *panels, const float *x, size_t stride, size_t first,
              size_t count)
{
    const size_t width = panels->width;
    if (panels->paired) {
        put_pairs(panels, x, stride, first, count);
        return;
    }
    for (size_t t = 0; t < count; t += PACK_TOKENS) {
        size_t token = first + t, some = size_min(count - t, PACK_TOKENS);
        transpose(x + t * stride, stride, some, panels->inputs,
                  pack_at(panels, token / width, 0) + token % width, width);
    }
}
