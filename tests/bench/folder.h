/* folder.h: a checkpoint with random weights in a temporary folder. */
#ifndef HEADLIGHT_BENCH_FOLDER_H
#define HEADLIGHT_BENCH_FOLDER_H

#include "shapes.h"

/* Writes the checkpoint into a temporary folder and returns its path; NULL for the built-in
 * encoder, which has none. The folder goes when another one is written, when the bench ends, or
 * when a signal ends it. */
const char *folder_write(const struct bench_shape *shape);

/* Removes what was written last. */
void folder_remove(void);

/* The files whose bytes a new process reads, besides the program: count of them in paths. */
size_t folder_files(const char *paths[3]);

#endif
