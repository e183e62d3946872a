/* steps_writing.h: the lines that say how one number of the steps comes about, while they are
 * written: what every kind of them needs, and the kinds. A kind goes on behind the name of its
 * number, "q[5]", and writes three lines or fewer; a sum's factors take what the sheet has. */
#ifndef HEADLIGHT_VIEW_STEPS_WRITING_H
#define HEADLIGHT_VIEW_STEPS_WRITING_H

#include "headlight/view/steps_sheet.h"

struct steps_writing {
    const struct steps_sheet *sheet;
    struct arithmetic arithmetic; /* of the sheet's number; its terms are the sheet's steps' */
    struct pen pen;               /* where the next word goes */
    bool ascii;
};

/* ---- Words and numbers: steps_arithmetic.c ---- */

void steps_next_line(struct steps_writing *writing);
void steps_say(struct steps_writing *writing, const char *text);
void steps_say_number(struct steps_writing *writing, double value);

/* " = " and the number that all of it is about. */
void steps_say_result(struct steps_writing *writing);

struct token_name steps_token_of(const struct steps_writing *writing, size_t token);

/* How the stage follows from others, and whether its sum ends in "+ b". */
struct operation steps_rule_of(const struct steps_writing *writing);
bool steps_has_bias(const struct steps_writing *writing);

/* Where a summand comes from: "i 17", "dim 11", "head 2[5]", a token. */
void steps_write_source(const struct steps_writing *writing, size_t index, char *text, size_t size);

/* ---- Sums: steps_sums.c ---- */

/* The terms from `first` on. */
double steps_sum_from(const struct arithmetic *arithmetic, size_t first);

void steps_say_sums(struct steps_writing *writing);
void steps_say_embedding(struct steps_writing *writing);
void steps_say_turned(struct steps_writing *writing);
void steps_say_added(struct steps_writing *writing);

/* ---- What a function makes: steps_functions.c ---- */

void steps_say_masked(struct steps_writing *writing);
void steps_say_softmax(struct steps_writing *writing);
void steps_say_equal(struct steps_writing *writing);
void steps_say_nothing(struct steps_writing *writing);
void steps_say_length(struct steps_writing *writing);
void steps_say_norm(struct steps_writing *writing);
void steps_say_active(struct steps_writing *writing);

#endif
