/* formula.h: formulas in a lesson's text, such as {weight time → flies}. Their values are taken
 * from what is shown, so the text stays true on any model.
 *
 * Each formula is a row of one table, FIGURES (lens/figures.h). "->" is read as "→".
 *
 * "before" asks the network as it was trained, without the changes. Without a head, the one under
 * the cursor is meant; "at NAME" is the head with the largest such figure, "at effect" the one
 * whose removal hurts the answer most, "at telling" the one to open on (opening_head, metrics.h).
 * Effects are known only where the look asks for them. A and B are single words without blanks; the
 * arrow between them is a word of its own.
 *
 * Tokens are named as for --select (find.h): "flies", "flies₂" for the second of that name (or
 * "flies#2"), "#3" by number. They are looked up first among those shown, then among all pieces
 * (which finds hidden ones), then among whole words, meaning their first piece. A token shown
 * stands for the trace's own token, so the number is the one in the JSON; where words are merged,
 * it is that of the merged pieces (attention.h), as on the screen: for scores and dots, the mean.
 * Predictions at a word are those at its first piece.
 *
 * WORD is the piece that a text has for it after a blank ("mat" is "Ġmat" to GPT-2), or else a
 * piece as it is in the vocabulary ("##ing"); a word of several pieces is unknown. Words are
 * printed without the mark of a blank.
 *
 * Weights, probabilities and cosines have three decimals, or are "under 0.001"; scores, dots
 * and figures have two decimals. */
#ifndef HEADLIGHT_LESSON_FORMULA_H
#define HEADLIGHT_LESSON_FORMULA_H

#include "headlight/session/session.h"

enum formula_state {
    FORMULA_KNOWN,
    FORMULA_PENDING, /* a result that it needs is still being computed */
    FORMULA_UNKNOWN, /* no value for this model, text or recording: `text` says why */
};

struct formula_value {
    enum formula_state state;
    bool number;    /* else a word */
    double value;   /* of a number */
    char text[160]; /* as printed: "0.418", "flies"; empty while pending */
};

/* Checks the syntax of a formula of `length` bytes, without its braces. STATUS_FORMAT: what was
 * expected and what was found, without a line number. */
enum status formula_check(const char *formula, size_t length, struct error *error);

/* Its value for the pass that the session shows, at the present look. What it needs of all heads or
 * of words is made once, in the session's data (derive_ask_metrics, derive_ask_words). */
struct formula_value formula_evaluate(struct session *session, const char *formula, size_t length);

/* Checks the syntax of a condition. It is a list of terms joined by "and": a formula in braces
 * compared with a number, "{p [MASK] = mat} > 0.2" (> < >= <= =), or, if its value is a word, with
 * a word, "{guess [MASK]} = mat", where the case of ASCII letters doesn't matter; "words" (the
 * model predicts words), "next" (it predicts whether the second sentence follows), "masked" (a
 * token is masked), or one of these after "not". STATUS_FORMAT as above. */
enum status condition_check(const char *condition, struct error *error);

/* The number of its terms. */
size_t condition_terms(const char *condition);

/* Evaluates a condition. FORMULA_PENDING: that depends on a result still being computed, and *holds
 * is false until then. A comparison with an unknown value is false. FORMULA_UNKNOWN and false: a
 * syntax error. */
enum formula_state condition_evaluate(struct session *session, const char *condition, bool *holds);

/* The text with values in place of the formulas, "?" for unknown and "…" for pending ones. *state:
 * FORMULA_PENDING if any is pending (call again later), else FORMULA_UNKNOWN if any is unknown. An
 * unclosed brace stays. Free with free(); NULL: no memory. */
char *formula_fill(struct session *session, const char *text, enum formula_state *state);

#endif
