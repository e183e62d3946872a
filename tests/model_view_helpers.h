/* model_view_helpers.h: the model view of the running test's session (session_helpers.h), on a
 * trace whose weights are all 0 but for those that a test sets. */
#pragma once

#include "session_helpers.h"
#include "view_helpers.h"

/* A session in the model view, in place of the one before; the last token is a separator. Of a pair
 * the tokens from `boundary` on are its second sentence. */
void make(size_t layers, size_t heads, size_t tokens);
void make_pair(size_t layers, size_t heads, size_t tokens, size_t boundary);

/* A weight to be set, and all those of a layer [A,T,T]. */
float *weight(size_t layer, size_t head, size_t from, size_t to);
float *weights_of(size_t layer);

/* Each token of a head attends to itself with this weight, and to nothing else. */
void set_self(size_t layer, size_t head, float value);

/* Gives each head multiples of 1/64 that fall into no order by themselves, some of them equal. */
void mix(void);
float mixed(size_t layer, size_t head);

/* The head at one place of the grid. */
struct ranked_head model_view_at(const struct scene *scene, size_t place);

/* Has the view show a metric. */
void show(enum metric metric, bool sorted, bool lined);

/* To be freed with canvas_free. */
struct canvas *draw(int columns, int rows);
struct canvas *draw_as(int columns, int rows, struct traits traits);

/* The cells that answer to clicks for a head: its thumbnail. 0 rows: not on screen. */
struct area thumbnail(const struct canvas *canvas, size_t layer, size_t head);

/* Tests with which the session ends. */
extern const struct fixture model_view_tests;
