/* picture.h: the strokes of a field as a picture that a terminal shows among its cells. It is
 * sent only where it is another one than the terminal has.
 *
 *     picture_open(&picture, &answer);
 *     area = picture_draw(&picture, canvas, ground, theme, &repaint);
 *     … write the cells, those of the area without its strokes …
 *     restore_write(fd, picture_bytes(&picture));
 *     picture_close(&picture); */
#pragma once

#include "headlight/base/bytes.h"
#include "headlight/terminal/ask.h"
#include "headlight/terminal/pixels.h"

enum picture_protocol {
    PICTURE_NONE,
    PICTURE_KITTY,
    PICTURE_SIXEL,
};

struct picture {
    enum picture_protocol protocol;
    bool shared; /* kitty's pictures go through shared memory */
    bool far;    /* every byte takes time: kitty's dense pictures are coarser */
    struct cell_size cell;
    int most_width, most_height;        /* pixels */
    struct area area;                   /* of the one on the screen; no rows: there is none */
    bool second;                        /* it has the second of kitty's two numbers */
    uint8_t digest[SHA256_DIGEST_SIZE]; /* of what it was drawn from */
    char *bytes;                        /* of the last picture, or NULL */
    const char *next;                   /* to be written: these bytes or others, or NULL */
};

/* Chooses how this terminal shows pictures, from its answers, which may have become more: {0} at
 * first. PICTURE_NONE if it shows none, or if the size of its cells isn't known: then picture_draw
 * never draws. */
void picture_open(struct picture *picture, const struct ask_answer *answer);

/* Frees. What is on the screen stays. */
void picture_close(struct picture *picture);

/* The area that is now a picture: that of the largest field of the canvas whose cells hold nothing
 * but strokes, above the last row and within the terminal's limits; fields side by side count as
 * one. Valid until the next call. NULL: there is none, or no memory for it. *repaint: whether all
 * cells will be written, which takes a picture away; set where that is needed. */
const struct area *picture_draw(struct picture *picture, const struct canvas *canvas,
                                struct rgb ground, const struct theme *theme, bool *repaint);

/* Takes the picture off the screen, before somebody else gets it. */
void picture_remove(struct picture *picture);

/* What has to be written after the cells for all that; returned once, and valid until the next
 * call. */
const char *picture_bytes(struct picture *picture);
