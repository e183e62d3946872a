#include "report.h"

#include <math.h>

double report_roof(const struct measured *measured, const struct pass *pass)
{
    double work = shape_work(measured->shape, measured->tokens) / pass->product;
    double bytes = shape_bytes(measured->shape) / pass->bandwidth;
    return fmax(work, bytes) / 1e6;
}

struct slowest report_slowest(const struct view_timings views[VIEW_COUNT])
{
    struct slowest slowest = {0};
    for (int i = 0; i < VIEW_COUNT; i++) {
        enum view_kind view = (enum view_kind)i;
        if (views[view].draw.median > views[slowest.draw].draw.median)
            slowest.draw = view;
        if (views[view].blit.median > views[slowest.blit].blit.median)
            slowest.blit = view;
        for (int key = 0; key < PARTS_KEY_COUNT; key++) {
            if (views[view].keys[key].median <= views[slowest.view].keys[slowest.key].median)
                continue;
            slowest.view = view;
            slowest.key = (enum parts_key)key;
        }
    }
    return slowest;
}

/* ---- Growth -------------------------------------------------------------------------------- */

/* How one number grows with another one, point by point. */
struct points {
    double x[REPORT_MAX], y[REPORT_MAX];
    size_t count;
};

struct growths {
    struct growth *growth; /* REPORT_GROWTHS of them */
    size_t count;
};

static void add_point(struct points *points, double x, double y)
{
    if (isnan(y))
        return;
    points->x[points->count] = x;
    points->y[points->count++] = y;
}

/* A line needs three points. */
static void add_growth(struct growths *growths, struct growth growth, const struct points *points)
{
    growth.exponent = sample_exponent(points->x, points->y, points->count);
    if (isnan(growth.exponent))
        return;
    growth.first = points->y[0];
    growth.last = points->y[points->count - 1];
    growths->growth[growths->count++] = growth;
}

/* Whether a point belongs to the growth of a shape with the tokens, or of a length with the
 * weights. */
static bool belongs(const struct measured *measured, const struct growth *growth)
{
    return growth->shape ? measured->shape->name == growth->shape
                         : measured->tokens == growth->tokens;
}

static double place(const struct measured *measured, const struct growth *growth)
{
    return growth->shape ? (double)measured->tokens : shape_weights(measured->shape);
}

/* The time with each number of threads, and the memory. */
static void add_growths(struct growths *growths, struct growth growth,
                        const struct measured *measured, size_t count)
{
    struct points memory = {.count = 0};
    for (size_t thread = 0; thread < measured[0].pass_count; thread++) {
        struct points time = {.count = 0};
        for (size_t i = 0; i < count; i++)
            if (belongs(&measured[i], &growth))
                add_point(&time, place(&measured[i], &growth),
                          measured[i].passes[thread].forward.median);
        growth.what = growth.shape ? "time with tokens" : "time with weights";
        growth.threads = measured[0].passes[thread].threads;
        add_growth(growths, growth, &time);
    }
    for (size_t i = 0; i < count; i++)
        if (belongs(&measured[i], &growth))
            add_point(&memory, place(&measured[i], &growth), measured[i].memory);
    growth.what = growth.shape ? "memory with tokens" : "memory with weights";
    growth.threads = 0;
    add_growth(growths, growth, &memory);
}

static bool is_first(const struct measured *measured, size_t index, bool of_shape)
{
    for (size_t i = 0; i < index; i++)
        if (of_shape ? measured[i].shape == measured[index].shape
                     : measured[i].tokens == measured[index].tokens)
            return false;
    return true;
}

size_t report_growths(const struct measured *measured, size_t count,
                      struct growth growth[REPORT_GROWTHS])
{
    struct growths growths = {growth, 0};
    for (size_t i = 0; i < count; i++)
        if (is_first(measured, i, true))
            add_growths(&growths, (struct growth){.shape = measured[i].shape->name}, measured,
                        count);
    for (size_t i = 0; i < count; i++)
        if (is_first(measured, i, false))
            add_growths(&growths, (struct growth){.tokens = measured[i].tokens}, measured, count);
    return growths.count;
}
