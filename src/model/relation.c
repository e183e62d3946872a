/* relation.c: distances between tokens as rows of a table, and rotary positions, as config.json has
 * them and as angles. Numbers are rounded as the reference code rounds them, in single precision,
 * since models were trained with those. */
#include "headlight/model/relation.h"

#include "headlight/base/size.h"
#include "headlight/model/family_entries.h"

#include <math.h>

/* ---- Distances ---------------------------------------------------------------------------- */

/* Raffel et al. 2020: of each direction's buckets half are exact, the others reach to a largest
 * distance. A decoder sees one direction. */
static size_t row_of_bias(const struct config *config, ptrdiff_t distance)
{
    const size_t rows = config->causal ? config->relative_rows : config->relative_rows / 2;
    const size_t exact = rows / 2, most = config->distances > 0 ? config->distances : 128;
    const size_t base = distance < 0 && !config->causal ? rows : 0;
    const size_t apart = distance >= 0 ? (size_t)distance : base > 0 ? (size_t)-distance : 0;
    if (apart < exact)
        return base + apart;
    const float part = logf((float)apart / (float)exact) /
                       (float)log((double)most / (double)exact) * (float)(rows - exact);
    return base + size_min(exact + (size_t)part, rows - 1);
}

/* He et al. 2021, version 2: near distances are exact, farther ones share buckets. */
static ptrdiff_t bucket_of(const struct config *config, ptrdiff_t distance)
{
    const ptrdiff_t middle = (ptrdiff_t)config->buckets / 2,
                    last = (ptrdiff_t)config->distances - 1;
    const ptrdiff_t apart = distance < 0 ? -distance : distance;
    if (config->buckets == 0 || apart <= middle || last <= middle)
        return distance;
    float part = logf((float)apart / (float)middle) / logf((float)last / (float)middle);
    ptrdiff_t bucket = (ptrdiff_t)ceilf(part * (float)(middle - 1)) + middle;
    return distance < 0 ? -bucket : bucket;
}

size_t relation_row(const struct config *config, ptrdiff_t distance)
{
    if (config->relation == RELATION_BIAS)
        return row_of_bias(config, distance);
    const ptrdiff_t rows = (ptrdiff_t)config->relative_rows;
    const ptrdiff_t row = bucket_of(config, distance) + rows / 2;
    return (size_t)(row < 0 ? 0 : row >= rows ? rows - 1 : row);
}

size_t relation_rows(const struct config *config, size_t tokens, size_t *first)
{
    const ptrdiff_t most = (ptrdiff_t)tokens - 1;
    *first = relation_row(config, -most);
    return relation_row(config, most) + 1 - *first;
}

size_t relation_rotated(const struct config *config)
{
    return config->rotated > 0 ? config->rotated : config_dimensions(config);
}

/* ---- Rotary positions --------------------------------------------------------------------- */

double config_base(const struct json_reader *in, const char *name, double otherwise)
{
    const double theta = json_number(in, name, otherwise);
    if (!(theta >= 1 && isfinite(theta)))
        json_refuse(in, STATUS_FORMAT, "expected \"%s\" to be a number of at least 1, found %g",
                    name, theta);
    return theta;
}

/* A number between others, which a kind of rotary positions needs; `otherwise` is its default. */
static double read_parameter(const struct json_reader *in, const char *name, double above,
                             double otherwise)
{
    const double number = json_number(in, name, otherwise);
    if (!(number > above && number <= 1e9))
        json_refuse(in, STATUS_FORMAT, "expected \"%s\" to be a number above %g, found %g", name,
                    above, number);
    return number;
}

/* Peng et al. 2023, "YaRN", 3.2: the plane that turns β times over the n positions of training. */
static double plane_of(const struct config *config, const struct rotation *rotation, double turns)
{
    return (double)relation_rotated(config) * log(rotation->original / (2 * acos(-1) * turns)) /
           (2 * log(rotation->theta));
}

/* Of texts no longer than the model's positions, and there are no others, a dynamic one is plain.
 */
void config_rotation(const struct json_reader *in, const char *name, double theta,
                     const struct config *config, struct rotation *rotation)
{
    static const char *const kinds[] = {"default", "linear", "llama3", "yarn", "dynamic"};
    const struct json_reader of = json_inner(in, name);
    const char *old = json_string(&of, "type", "default");
    const size_t kind = json_choose(&of, "rope_type", json_string(&of, "rope_type", old), kinds,
                                    sizeof kinds / sizeof *kinds);
    *rotation = (struct rotation){.theta = config_base(&of, "rope_theta", theta)};
    if (kind > ROPE_YARN || kind == ROPE_DEFAULT)
        return;
    const size_t n =
        config_size(&of, "original_max_position_embeddings", 1, CONFIG_SIZE_MAX, config->positions);
    rotation->kind = (enum rope)kind;
    rotation->original = (double)n;
    rotation->factor = read_parameter(&of, "factor", 0, 0);
    if (kind == ROPE_LLAMA3) {
        rotation->low = read_parameter(&of, "low_freq_factor", 0, 0);
        rotation->high = read_parameter(&of, "high_freq_factor", rotation->low, 0);
    } else if (kind == ROPE_YARN) {
        /* transformers has read these fields in three ways; this is that of 5.x, and the paper's */
        const double s = rotation->factor, length = 0.1 * log(s);
        const double scale = json_number(&of, "mscale", 0),
                     all = json_number(&of, "mscale_all_dim", 0);
        rotation->low = plane_of(config, rotation, read_parameter(&of, "beta_fast", 0, 32));
        rotation->high = plane_of(config, rotation, read_parameter(&of, "beta_slow", 0, 1));
        if (json_bool(&of, "truncate", true)) {
            rotation->low = floor(rotation->low);
            rotation->high = ceil(rotation->high);
        }
        rotation->low = fmax(rotation->low, 0);
        rotation->high = fmin(rotation->high, (double)relation_rotated(config) - 1);
        if (!(rotation->low < rotation->high) && !(rotation->low > rotation->high))
            rotation->high += 0.001;
        rotation->stretch = read_parameter(
            &of, "attention_factor", 0,
            scale > 0 && all > 0 ? (length * scale + 1) / (length * all + 1) : length + 1);
    }
}

/* Newer ones as "rope_parameters": {"full_attention": {"rope_type": …, "rope_theta": …}, …}. */
void config_rotations(const struct json_reader *in, const char *const names[2],
                      const double thetas[2], const char *scaling, struct config *config)
{
    static const char *const kinds[] = {"full_attention", "sliding_attention"};
    const struct json_reader newer = json_inner(in, "rope_parameters");
    for (size_t i = 0; i < 2; i++) {
        const bool scaled = i == 0 && scaling && !newer.object;
        config_rotation(scaled ? in : &newer, scaled ? scaling : kinds[i],
                        config_base(in, names[i], thetas[i]), config, &config->rotations[i]);
    }
}

/* How far from one end of a ramp, 0, to the other, 1, a number is. */
static double ramp(double at, double from, double to)
{
    return fmin(fmax((at - from) / (to - from), 0), 1);
}

/* Chen et al. 2023 (linear), Llama 3's and Peng et al. 2023 (YaRN), equations 13, 17 and 23, as in
 * modeling_rope_utils.py: planes that turn slowly are slowed down by the factor s, fast ones not.
 */
float relation_angle(const struct config *config, bool local, size_t m, size_t t)
{
    const struct rotation *of = &config->rotations[local];
    const double exponent = (double)(2 * m) / (double)relation_rotated(config);
    const double speed =
        config->speeds ? (double)config->speeds[m] : (double)(float)(1 / pow(of->theta, exponent));
    double slow = of->kind != ROPE_DEFAULT; /* how much of it is slowed down */
    if (of->kind == ROPE_LLAMA3)
        slow = 1 - ramp(of->original * speed / (2 * acos(-1)), of->low, of->high);
    if (of->kind == ROPE_YARN)
        slow = ramp((double)m, of->low, of->high);
    return (float)t * (float)(slow > 0 ? slow * speed / of->factor + (1 - slow) * speed : speed);
}

double relation_stretch(const struct config *config, bool local)
{
    const double stretch = config->rotations[local].stretch;
    return stretch > 0 ? stretch : 1;
}

double relation_sinusoid(size_t t, size_t i, size_t H)
{
    const double angle = (double)t / pow(10000, (double)(i - i % 2) / (double)H);
    return i % 2 == 0 ? sin(angle) : cos(angle);
}
