/* fail.h: what the bench does when it can't go on. */
#ifndef HEADLIGHT_BENCH_FAIL_H
#define HEADLIGHT_BENCH_FAIL_H

#include <stdio.h>
#include <stdlib.h>

/* Says why and ends the bench; what it wrote is removed at exit (shapes.h). */
#define fail(...) (fprintf(stderr, "bench: " __VA_ARGS__), fputc('\n', stderr), exit(EXIT_FAILURE))

#endif
