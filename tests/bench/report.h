/* report.h: what was measured, what follows from it, and how it is printed. */
#ifndef HEADLIGHT_BENCH_REPORT_H
#define HEADLIGHT_BENCH_REPORT_H

#include "parts.h"
#include "peak.h"
#include "processes.h"
#include "shapes.h"

#define REPORT_LENGTHS 8 /* texts of a shape, at most */
#define REPORT_THREADS 2 /* numbers of threads, at most */
#define REPORT_MAX     (SHAPES_COUNT * REPORT_LENGTHS)
#define REPORT_GROWTHS ((SHAPES_COUNT + REPORT_MAX) * (REPORT_THREADS + 1))

/* One forward pass, and what the machine could do. */
struct pass {
    size_t threads;
    struct timing forward;
    double bandwidth; /* GB/s, of a buffer as large as the shape's weights */
    double product;   /* GFLOP/s */
};

/* All of one shape and one length of text. */
struct measured {
    const struct bench_shape *shape;
    size_t tokens;
    struct pass passes[REPORT_THREADS];
    size_t pass_count;
    struct timing tokenise, lens, type;
    struct view_timings views[VIEW_COUNT];
    double memory; /* MB, of a whole process; NAN: not known */
};

/* A cache is cold when no more than this share of the files is left in it. */
#define REPORT_COLD 0.05

/* A whole process, with its files in the page cache and without. */
struct process {
    const char *shape, *what;
    struct timing warm, cold;
    double memory;
};

/* The milliseconds that the roofline gives to a pass. */
double report_roof(const struct measured *measured, const struct pass *pass);

/* Where drawing, blitting and a key took longest, by the median. */
struct slowest {
    enum view_kind draw, blit, view; /* `view` is the key's */
    enum parts_key key;
};
struct slowest report_slowest(const struct view_timings views[VIEW_COUNT]);

/* How time or memory grows: of one shape with the tokens, or of one length with the weights that a
 * pass multiplies with. */
struct growth {
    const char *shape; /* NULL: of one length */
    size_t tokens;     /* 0: of one shape */
    size_t threads;    /* 0: memory */
    const char *what;
    double first, last, exponent; /* milliseconds or MB */
};

/* All of which there are three points. Returns their number. */
size_t report_growths(const struct measured *measured, size_t count,
                      struct growth growth[REPORT_GROWTHS]);

/* A way to print what was measured, called in this order. */
struct report {
    void (*begin)(const struct peak *peaks, size_t count, size_t processors);
    void (*shape)(const struct bench_shape *shape, const struct pass *passes, size_t count);
    void (*processes)(const struct process *processes, size_t count, double cold_left);
    void (*lengths)(const struct measured *lengths, size_t count); /* of a shape */
    void (*views)(const struct measured *measured, size_t count);  /* of all */
    void (*growth)(const struct growth *growth, size_t count);
};

extern const struct report report_tables; /* to read */
extern const struct report report_csv;    /* one table with one header line */

#endif
