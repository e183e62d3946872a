/* neuron_helpers.h: the neuron view of the running test's session (session_helpers.h), read off the
 * canvas: headings say where a column is, labels where a row is. */
#pragma once

#include "session_helpers.h"
#include "view_helpers.h"

/* What is looked at: a text of T letters, in each of 4 heads so many dimensions. */
#define LAYER 1
#define HEAD  2
#define T     10
#define QUERY 3

extern const char *const letters[T];
extern struct trace *trace;
extern struct layer_trace *layer; /* LAYER of it */
extern struct canvas *canvas;     /* that was drawn last */

/* The view of a fresh session, in place of the one before. */
void neuron_begin(size_t dimensions);

/* Tests with which session and canvas end. */
extern const struct fixture neuron_tests;

void neuron_draw(int columns, int rows);
void neuron_draw_as(int columns, int rows, struct traits traits);

/* The weight from QUERY, to be set; and a row of them that sum to 1, with a light, a lighter and a
 * heavy one. */
float *query_weight(size_t to);
void set_weights(void);

bool row_has(int y, const char *text);
void assert_on_row(int y, const char *text);

/* The column where a text begins on a row; -1 when it doesn't stand there. */
int column_of(int y, const char *text);

/* What stands first on a row but for the mark; good until the next call. */
const char *label_of(int y);

/* The row that has this label. */
int row_of(const char *label);
