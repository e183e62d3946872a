/* film.h: frames of the screen as a picture that moves: SVG whose rows are shown and hidden by its
 * style, again and again. Where motion is not wanted, and where styles are not read, it is the
 * first frame.
 *
 *     struct film film = {.title = "…"};
 *     film_frame(&film, canvas, theme, 0.5);      seconds since the beginning
 *     film_write(&film, 8, stream);
 *     film_free(&film); */
#ifndef HEADLIGHT_EXPORT_FILM_H
#define HEADLIGHT_EXPORT_FILM_H

#include "headlight/export/export.h"

/* What a row shows in some frames. */
struct film_row {
    int y;
    char *svg;
    double *times; /* [2·count] when it comes and goes */
    size_t count;
    bool shown; /* in the last frame */
};

struct film {
    const char *title;
    const struct theme *theme; /* of the first frame, whose ground it has */
    int columns, rows;
    struct film_row *all; /* [count], those of a row in the order in which they came */
    size_t count;
};

/* Shows a canvas, as large as the first one, from a time on that is not before the last one. False
 * without memory. */
bool film_frame(struct film *film, const struct canvas *canvas, const struct theme *theme,
                double seconds);

/* All of it, as long as that, from the first frame again. */
void film_write(const struct film *film, double seconds, FILE *stream);

void film_free(struct film *film);

#endif
