/* formula.h: the one little language of lessons. A formula, such as {weight time → flies}, stands
 * for a number or a word in their text and options; conditions compare formulas. Values are taken
 * from what is shown, so the text stays true on any model.
 *
 *     formula_read("weight time → flies", 21, &formula, &error);
 *     struct formula_value value = formula_ask(session, &formula);
 *     char *filled = formula_fill(session, "There are {layers} layers.", &state);
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
#pragma once

#include "headlight/lens/figures.h"
#include "headlight/session/session.h"

/* The most bytes of a formula. */
#define FORMULA_MOST 511

/* A formula that was read. Its names are words of `text`, so it must not be copied. */
struct formula {
    enum figure figure;
    const char *a, *b, *word; /* tokens and a word, as far as the figure takes them; or NULL */
    enum metric metric;       /* or METRIC_NONE */
    enum metric of;           /* the head with the largest such figure; or METRIC_NONE */
    bool opening;             /* the head to open on */
    bool has_place;           /* `layer` (and `head`) are given */
    size_t layer, head;       /* `layer` is also the L of "at L" */
    size_t nth;               /* from 1 */
    bool before;
    char text[FORMULA_MOST + 1];
};

enum formula_state {
    FORMULA_KNOWN,
    FORMULA_PENDING, /* a result that it needs is still being computed */
    FORMULA_UNKNOWN, /* no value for this model, text or recording */
};

struct formula_value {
    enum formula_state state;
    double value;   /* unless it is a word */
    char text[160]; /* as printed: "0.418", "flies"; empty if not known */
};

/* Reads a formula of `length` bytes, without its braces. STATUS_FORMAT: what was expected and what
 * was found, without a line number. */
enum status formula_read(const char *text, size_t length, struct formula *formula,
                         struct error *error);

/* Its value for the pass that the session shows, at the present look. All heads are measured anew
 * for the largest figure; what is said at a token is found once, in the session's data
 * (derive_ask_words). */
struct formula_value formula_ask(struct session *session, const struct formula *formula);

/* Reads a condition, and with a session evaluates it. It is a list of terms joined by "and": a
 * formula in braces compared with a number, "{p [MASK] = mat} > 0.2" (> < >= <= =), or, if its
 * value is a word, with a word, "{guess [MASK]} = mat", where the case of ASCII letters doesn't
 * matter; or the bare name of a formula, such as "next", which holds if that has a value. "not"
 * before a term turns it round, except that a comparison with an unknown value never holds. *holds
 * is false while the state, which may be NULL as well, is FORMULA_PENDING. STATUS_FORMAT as above.
 */
enum status condition_read(const char *condition, struct session *session,
                           enum formula_state *state, bool *holds, struct error *error);

/* The number of formulas in a text or a condition. */
size_t formula_count(const char *text);

/* The text with values in place of the formulas, "?" for unknown and "…" for pending ones. *state:
 * FORMULA_PENDING if any is pending (call again later), else FORMULA_UNKNOWN if any is unknown. An
 * unclosed brace stays. Free with free(); NULL: no memory. */
char *formula_fill(struct session *session, const char *text, enum formula_state *state);

/* Skips `keys` or a {formula} at `text`, else one byte. Braces within keys are keys. */
const char *formula_skip(const char *text);
