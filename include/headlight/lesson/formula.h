/* formula.h: numbers and words that a lesson's text takes from what is shown, so that it stays true
 * on any model. A and B are tokens as --select names them: "flies", "flies₂" for the second of that
 * name (or "flies#2"), "#3" by number. Where no head or layer is named, the one shown is meant.
 *
 *     weight A → B [at L.H]     the attention weight; "->" is read as "→"
 *     score A → B [at L.H]      what goes into softmax
 *     dot A → B [at L.H]        q·k
 *     most A [at L.H]           the token that A attends to most
 *     figure NAME [at L.H]      a head's figure (metrics.h): previous, entropy, maximum, …
 *     layer of NAME             of the head with the largest such figure of all heads,
 *     head of NAME              and that head; of "telling" too (telling.h)
 *     p A = WORD                the probability of a word at A; p A: of the likeliest
 *     rank A = WORD             its place among all, from 1
 *     guess A [N]               the likeliest word at A; the N-th
 *     cosine A B at L           how alike two tokens are after L layers; at 0: the embeddings
 *     next                      the probability that the second sentence follows the first
 *     layer, head, layers, heads, dimensions, tokens, model
 *
 * With "before" at the end it is said of the network as it was trained, without the changes. */
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
    char text[160]; /* as it is printed: "0.418", "flies" */
};

/* Whether a text of so many bytes, without its braces, is a formula. STATUS_FORMAT: what was
 * expected and what was found, without a place. */
enum status formula_check(const char *formula, size_t length, struct error *error);

/* What it says of the pass that the session shows, at the look as it is. */
struct formula_value formula_evaluate(const struct session *session, const char *formula,
                                      size_t length);

/* Whether a condition can be read: comparisons of a formula in braces with a number, such as
 * "{p [MASK] = mat} > 0.2", joined by "and"; "words" and "next" hold where the model says words, or
 * whether sentences follow. STATUS_FORMAT as above. */
enum status condition_check(const char *condition, struct error *error);

/* Whether it holds; not where a formula is unknown. */
enum formula_state condition_evaluate(const struct session *session, const char *condition,
                                      bool *holds);

/* The text with the formulas' values in place of the braces, "?" for what is unknown and "…" for
 * what is pending; the state is that of the worst of them. Free with free(); NULL without memory.
 */
char *formula_fill(const struct session *session, const char *text, enum formula_state *state);

#endif
