/* caption.h: the line of numbers below a view, piece by piece: "flies → like   0.447   layer 2
 * head 3". */
#pragma once

#include "headlight/view/scene.h"

#define CAPTION_GAP 3 /* columns between the pieces of a line */

/* Writes the parts of a legend that there is room for, but empty ones; of those that don't fit only
 * the next is left out if `skips`, else all that follow. */
void caption_parts(struct pen *pen, const char *const *parts, size_t count, bool skips);

/* The width of "flies → like", in columns. */
int caption_pair_columns(const struct scene *scene, const struct pen *pen, size_t from, size_t to);

/* Writes it, cut so that `kept` columns remain after it. */
void caption_pair(const struct scene *scene, struct pen *pen, struct style style, size_t from,
                  size_t to, int kept);

/* The same of any two names. Where both don't fit, each gets at least half of the room if it needs
 * that. */
void caption_names(struct pen *pen, struct style style, const char *arrow, const char *from,
                   const char *to, int kept);

/* A pair and its weight, called the strongest when no token is chosen; labels are cut so that
 * `kept` columns remain after the weight. */
void caption_edge(const struct scene *scene, struct pen *pen, const struct edge *edge, int kept);

/* Whether a current edge, with no token chosen, is the strongest between words alone: another one
 * is heavier. */
bool caption_is_between_words(const struct scene *scene, const struct edge *edge);

/* "strongest  ", "strongest between words  " or "strongest 6 apart  "; empty where a token is
 * chosen. */
const char *caption_what(const struct scene *scene, const struct edge *edge);

/* "layer 3 head 5", or what the map is a mean of, where there is room for all of it. */
void caption_place(const struct scene *scene, struct pen *pen, size_t map);

/* "   key 1 of heads 4–7" where a head shares it, and there is room. */
void caption_key(const struct scene *scene, struct pen *pen, size_t head);

/* That room. */
int caption_place_columns(const struct scene *scene);

/* Why there is no edge. */
void caption_nothing(const struct scene *scene, struct pen *pen);
