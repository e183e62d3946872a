#include "headlight/model/panels.h"

#include "headlight/base/size.h"
#include "headlight/model/processor.h"
#include "headlight/model/transpose.h"

#include <string.h>

size_t panels_size(size_t tokens, size_t inputs)
{
    size_t rounded = (tokens + PROCESSOR_LANES_MAX - 1) / PROCESSOR_LANES_MAX * PROCESSOR_LANES_MAX;
    return rounded * inputs;
}

struct panels panels_in(float *numbers, size_t tokens, size_t inputs, bool pairs)
{
    const struct processor *processor = processor_now();
    bool paired =
        pairs && processor->tile_of_pairs && inputs % 2 == 0 && tokens <= processor->lanes / 2;
    size_t width = paired ? processor->lanes / 2 : processor->lanes;
    return (struct panels){numbers, tokens, inputs, width, paired};
}

float *panel_at(const struct panels *panels, size_t panel, size_t input)
{
    return panels->numbers + (panel * panels->inputs + input) * panels->width;
}

static void put_pairs(const struct panels *panels, const float *x, size_t stride, size_t first,
                      size_t count)
{
    for (size_t t = 0; t < count; t++) {
        float *to = panels->numbers + 2 * (first + t);
        for (size_t k = 0; k < panels->inputs; k += 2)
            memcpy(to + k * panels->width, x + t * stride + k, 2 * sizeof *to);
    }
}

void panels_put(const struct panels *panels, const float *x, size_t stride, size_t first,
                size_t count)
{
    const size_t width = panels->width;
    if (panels->paired) {
        put_pairs(panels, x, stride, first, count);
        return;
    }
    for (size_t t = 0; t < count; t += PANELS_TOKENS) {
        size_t token = first + t, some = size_min(count - t, PANELS_TOKENS);
        transpose(x + t * stride, stride, some, panels->inputs,
                  panel_at(panels, token / width, 0) + token % width, width);
    }
}
