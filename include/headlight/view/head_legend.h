/* head_legend.h: the head view as it is drawn, and the words around its lines: what they mean, how
 * many lead beyond the screen or are hidden, and the numbers of a pair; and the headline, which the
 * back of a room reads below a head that is presented: one pair and its weight, "flies → time
 * 0.58". */
#pragma once

#include "headlight/view/grid.h"
#include "headlight/view/sentence.h"

/* What the picture means, for the legends and for the help. */
#define HEAD_ATTENDING "left: who attends"
#define HEAD_ATTENDED  "right: to what"
#define HEAD_HUE       "colour: head"
#define HEAD_GENERATED "dashed: from what is generated"
#define HEAD_STRENGTH  "thicker, fuller: more"
#define HEAD_THICKNESS "thicker: more"
#define HEAD_TALLIES   "bars: most given, sum got"

struct head_sheet;

/* What stands around tokens and lines: on the desk, in a figure, in a corner of another view. */
struct head_frame {
    int margin, gap;  /* columns beside the labels, and between them and what is outside */
    bool marks, rest; /* the cursor and "A" and "B"; numbers, bars and chips */
    bool shaded;      /* a light line is fainter, not only thinner */
    int above, below; /* rows, */
    bool scaled;      /* and below those of a scale */
    void (*draw)(const struct head_sheet *sheet);
};

/* The head view as it is drawn. */
struct head_sheet {
    const struct scene *scene;
    struct canvas *canvas;
    const struct head_frame *frame;
    struct area area, lines;                   /* the whole, and what is between the labels */
    int label_width, number_width, bars_width; /* 0: no numbers, no bars */
    int tally_width;                           /* on each side; 0: none */
    struct grid_axis column[2];                /* by side, in the rows of the lines */
    size_t focus; /* the token whose lines alone are drawn, or NO_TOKEN */
    enum side focus_side;
    struct edge_list list; /* the lines, light to heavy */
    struct edge heaviest;  /* of them, at which widths and shades end */
    float (*lanes)[2];     /* by line and side, in rows from the token's middle; NULL: none */
    struct named named;    /* by the headline */
};

/* The width of a lane in rows, and of the widest line among many. */
#define HEAD_LANE 0.25F

/* In rows, of a line whose weight is this share of the heaviest. */
float head_line_width(const struct head_sheet *sheet, float share);

/* In the area's first row: what is seen, and the weight of the heaviest line. In its last row: the
 * current pair, its weight, its head, and how many lines there are. */
void head_legend_draw(const struct head_sheet *sheet);

/* How many lines lead beyond the screen, in the blank row below them: text among them would cut a
 * picture. */
void head_legend_leaving(const struct head_sheet *sheet);

/* Of an inset, in the row above its area: how many lines there are. */
void head_legend_above(const struct head_sheet *sheet);

/* Of a figure: what stands on either side, in the area's first row, and in its last rows what the
 * widths and the colours of lines mean. */
int head_scale_rows(const struct head_sheet *sheet);
void head_scale_draw(const struct head_sheet *sheet);

/* Draws the head under the cursor as an inset. */
void head_draw_inset(const struct scene *scene, struct canvas *canvas, struct area area);
