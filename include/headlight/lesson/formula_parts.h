/* formula_parts.h: a parsed formula (formula_read.c), for its evaluation (formula.c) and for
 * texts and conditions (condition.c). */
#ifndef HEADLIGHT_LESSON_FORMULA_PARTS_H
#define HEADLIGHT_LESSON_FORMULA_PARTS_H

#include "headlight/lens/figures.h"
#include "headlight/lesson/formula.h"

#define FORMULA_NAME 128 /* bytes of a token's or a word's name, with its NUL */

struct formula {
    enum figure figure;
    char a[FORMULA_NAME], b[FORMULA_NAME]; /* tokens */
    char word[FORMULA_NAME];               /* or empty */
    enum metric metric;                    /* or METRIC_NONE */
    enum metric of;     /* the head with the largest such figure; or METRIC_NONE */
    bool opening;       /* the head to open on */
    bool has_place;     /* `layer` (and `head`) are given */
    size_t layer, head; /* `layer` is also the L of "at L" */
    size_t nth;         /* from 1 */
    bool before;
};

/* As formula_check. */
enum status formula_read(const char *text, size_t length, struct formula *formula,
                         struct error *error);

/* Skips `keys` or a {formula} at `text`, else one byte. Braces within keys are keys. */
const char *formula_skip(const char *text);

#endif
