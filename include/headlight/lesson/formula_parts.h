/* formula_parts.h: what the formulas' own files share: a formula as it is read (formula_read.c), to
 * be asked (formula.c) or compared (condition.c). */
#ifndef HEADLIGHT_LESSON_FORMULA_PARTS_H
#define HEADLIGHT_LESSON_FORMULA_PARTS_H

#include "headlight/lens/figures.h"
#include "headlight/lesson/formula.h"

#define FORMULA_NAME 128 /* bytes of a token's or a word's name, with its end */

/* A formula as it is read. */
struct formula {
    enum figure figure;
    char a[FORMULA_NAME], b[FORMULA_NAME]; /* tokens */
    char word[FORMULA_NAME];               /* empty: none is named */
    enum metric metric;                    /* METRIC_NONE: none is named */
    enum metric of;                        /* of or at the head of this metric; METRIC_NONE: */
    bool opening;                          /* of or at the head to open on, or else */
    bool placed;                           /* at a head or a level that is named: */
    size_t layer, head;                    /* this one; `layer` also of "at L" */
    size_t nth;                            /* from 1 */
    bool before;
};

/* As formula_check. */
enum status formula_read(const char *text, size_t length, struct formula *formula,
                         struct error *error);

/* Past keys or a formula at `text` if there are any, else past one byte. Braces among keys are
 * keys. */
const char *formula_skip(const char *text);

#endif
