/* cast_run.h: what is seen, as an asciinema cast (version 2): a header, with headlight's version
 * and the numbers' bits (kernels.h) too, then for each frame one line with its time and what a
 * terminal is sent to show it, only the rows that have changed. It records the keys of --type, or
 * what happens at the keyboard. */
#pragma once

#include "headlight/export/export.h"

/* Presses the keys of input_type one after the other and writes what is seen to a file, as a cast.
 * Each key comes a moment after the last, and a word such as 500ms is a pause: where the times come
 * from a script, so do all bytes. Errors as input_type and export_file. */
enum status cast_run(const struct output *output, const char *keys, const char *path,
                     struct error *error);

/* ---- At the keyboard ----
 *
 * The file grows frame by frame, so that what was seen before a crash is there. */
struct camera {
    FILE *stream; /* NULL: nothing is recorded */
    enum depth depth;
    int columns, rows;  /* of the last frame; 0: there was none */
    struct cell *cells; /* [rows,columns] */
    const struct theme *theme;
    struct canvas *canvas; /* of frames whose lines a terminal draws as pixels */
    double began;          /* the first frame (watch.h) */
};

/* A path of NULL records nothing. STATUS_IO. */
enum status camera_open(struct camera *camera, const char *path, enum depth depth,
                        struct error *error);

/* What the screen shows now. STATUS_MEMORY. */
enum status camera_frame(struct camera *camera, struct session *session,
                         const struct canvas *screen, struct error *error);

/* Accepts one that was never opened. STATUS_IO: the file isn't whole. */
enum status camera_close(struct camera *camera, const char *path, struct error *error);
