/* formula.h: numbers and words that a lesson's text takes from what is shown, so that it stays true
 * on any model.
 *
 * They are the rows of one table, FIGURES (lens/figures.h). "->" is read as "→".
 *
 * With "before" it is said of the network as it was trained, without the changes. Where no head is
 * named, the one under the cursor is meant; "at NAME" is the one with the largest such figure, "at
 * effect" the one without which the answer loses most, "at telling" the one to open on (metrics.h).
 * Effects are known where the look asks for them. A and B are single words, without blanks in them,
 * and so is the arrow between them.
 *
 * Tokens are named as --select names them (find.h): "flies", "flies₂" for the second of that name
 * (or "flies#2"), "#3" by number. They are looked for among those shown, then among all pieces, so
 * that hidden ones are found, and then among whole words, of which the first piece is meant. A
 * token shown stands for the trace's own, so that a number is the one that --json has; where words
 * are merged, it is that of the merged pieces (attention.h), as on the screen: of scores and dots
 * their mean. What the model says at a word is said of its first piece.
 *
 * WORD is the piece that a text has for it behind a blank ("mat" is "Ġmat" to GPT-2), or else a
 * piece as the vocabulary has it ("##ing"); a word that is several pieces is unknown. Words are
 * written without the mark of a blank.
 *
 * Weights, probabilities and cosines have three decimals, or are "under 0.001"; scores, dots
 * and figures have two decimals. */
#ifndef HEADLIGHT_LESSON_FORMULA_H
#define HEADLIGHT_LESSON_FORMULA_H

#include "headlight/session/session.h"

enum formula_state {
    FORMULA_KNOWN,
    FORMULA_PENDING, /* known as soon as what is being computed is there */
    FORMULA_UNKNOWN, /* of this model, text or recording: why is in `text` */
};

struct formula_value {
    enum formula_state state;
    bool number;
    double value;   /* of a number */
    char text[160]; /* as it is printed: "0.418", "flies"; of what is pending empty */
};

/* Whether a text of so many bytes, without its braces, is a formula. STATUS_FORMAT: what was
 * expected and what was found, without a place. */
enum status formula_check(const char *formula, size_t length, struct error *error);

/* What it says of the pass that the session shows, at the look as it is. */
struct formula_value formula_evaluate(const struct session *session, const char *formula,
                                      size_t length);

/* Whether a condition can be read: comparisons of a formula in braces, joined by "and": with a
 * number, "{p [MASK] = mat} > 0.2" (> < >= <= =), or of what gives a word with one, "{guess [MASK]}
 * = mat", where the case of ASCII letters doesn't matter. "words" and "next" hold where the model
 * says words, and whether sentences follow, "masked" where a token is masked; "not words" and so on
 * where it is not so.
 * STATUS_FORMAT as above. */
enum status condition_check(const char *condition, struct error *error);

/* Whether it holds: FORMULA_KNOWN, or FORMULA_PENDING where that hangs on what is being computed,
 * and *holds is false until then. A comparison of what is unknown is false. FORMULA_UNKNOWN and
 * false: the condition can't be read. */
enum formula_state condition_evaluate(const struct session *session, const char *condition,
                                      bool *holds);

/* The text with the formulas' values in place of the braces, "?" for what is unknown and "…" for
 * what is pending. *state: FORMULA_PENDING if any of them is, as it is worth asking again, else
 * FORMULA_UNKNOWN if any is. A brace that isn't closed stays as it is. Free with free(); NULL
 * without memory. */
char *formula_fill(const struct session *session, const char *text, enum formula_state *state);

#endif
