/* condition.c: formulas in the texts and settings of lessons, which are replaced by their values,
 * and in the conditions of "if": terms joined by "and". Conditions are parsed again for each
 * evaluation: they are short, and syntax errors were reported on loading. */
#include "headlight/base/format.h"
#include "headlight/lesson/formula_parts.h"
#include "headlight/text/marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Texts ----
 *
 * Pending and unknown values leave a sign, and the caller learns of them so that it can try again.
 */

/* Used wherever a text is walked: a brace within `keys` is a key to press, not a formula. */
const char *formula_skip(const char *text)
{
    const char *end = *text == '`' ? marks_keys_end(text) : *text == '{' ? strchr(text, '}') : NULL;
    return end ? end + 1 : text + 1;
}

/* The opening brace of the next formula, or NULL. */
static const char *find_brace(const char *text)
{
    while (*text && *text != '{')
        text = formula_skip(text);
    return *text ? text : NULL;
}

/* A formula with an unknown value leaves "?", a pending one "…". *state ends up as the worst of
 * all: pending, then unknown. */
static void write_filled(struct session *session, const char *text, FILE *stream,
                         enum formula_state *state)
{
    const char *open, *close;
    while ((open = find_brace(text)) && (close = strchr(open, '}'))) {
        const struct formula_value value =
            formula_evaluate(session, open + 1, (size_t)(close - open - 1));
        fprintf(stream, "%.*s%s", (int)(open - text), text,
                value.state == FORMULA_KNOWN     ? value.text
                : value.state == FORMULA_PENDING ? "…"
                                                 : "?");
        if (*state == FORMULA_KNOWN || value.state == FORMULA_PENDING) /* the worse of both */
            *state = value.state;
        text = close + 1;
    }
    fputs(text, stream);
}

char *formula_fill(struct session *session, const char *text, enum formula_state *state)
{
    struct buffer filled;
    *state = FORMULA_KNOWN;
    if (buffer_open(&filled))
        write_filled(session, text, filled.stream, state);
    return buffer_close(&filled);
}

/* ---- Reading conditions ---- */

/* An operator holds if the left side is less, equal or more. */
static const struct comparison {
    const char *sign;
    bool less, equal, more;
} comparisons[] = {
    {">=", false, true, true}, {"<=", true, true, false}, {"≥", false, true, true},
    {"≤", true, true, false},  {">", false, false, true}, {"<", true, false, false},
    {"=", false, true, false},
};

static const char *const keywords[] = {"words", "next", "masked"};
enum term_kind { TERM_WORDS, TERM_NEXT, TERM_MASKED, TERM_COMPARISON };

struct term {
    enum term_kind kind;
    bool negated;
    const char *formula; /* without its braces */
    size_t length;
    const struct comparison *comparison;
    bool number; /* compared with `value`, else with `word` */
    double value;
    char word[FORMULA_NAME];
};

/* What is still to be read; `at` is NULL at the end. */
struct terms {
    const char *at;
    struct error *error;
};

/* Quotes only the next word of what was found: a condition may be long. */
static enum status condition_fault(const struct terms *terms, const char *expected,
                                   const char *found)
{
    size_t length = strcspn(found, " ");
    if (length == 0)
        return error_set(terms->error, STATUS_FORMAT, "expected %s, found nothing", expected);
    return error_set(terms->error, STATUS_FORMAT, "expected %s, found \"%.*s\"", expected,
                     (int)(length < FORMULA_NAME ? length : FORMULA_NAME), found);
}

/* Line feeds have become blanks when the lesson was read. */
static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

/* Skips a word if it is the next one. */
static bool take_keyword(struct terms *terms, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(terms->at, word, length) != 0 ||
        (terms->at[length] != ' ' && terms->at[length] != '\0'))
        return false;
    terms->at = skip_blanks(terms->at + length);
    return true;
}

/* The two-byte operators come first in the table: ">=" begins with ">". */
static enum status read_operator(struct terms *terms, struct term *term)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        size_t length = strlen(comparisons[i].sign);
        if (strncmp(terms->at, comparisons[i].sign, length) != 0)
            continue;
        term->comparison = &comparisons[i];
        terms->at = skip_blanks(terms->at + length);
        return STATUS_OK;
    }
    return condition_fault(terms, "one of > < >= <= = after a formula", terms->at);
}

/* A number where the formula gives one; else a word, which can only be tested for equality. */
static enum status read_operand(struct terms *terms, struct term *term)
{
    size_t length = strcspn(terms->at, " ");
    char *end;
    if (length == 0 || length >= sizeof term->word)
        return condition_fault(
            terms, term->number ? "a number to compare with" : "a word to compare with", terms->at);
    snprintf(term->word, sizeof term->word, "%.*s", (int)length, terms->at);
    term->value = strtod(term->word, &end);
    if (term->number && *end != '\0')
        return condition_fault(terms, "a number to compare with", terms->at);
    if (!term->number && (term->comparison->less || term->comparison->more))
        return condition_fault(terms, "= before a word", term->comparison->sign);
    terms->at = skip_blanks(terms->at + length);
    return STATUS_OK;
}

/* {formula} operator operand. The formula's form decides whether the operand is a number or a word.
 */
static enum status read_comparison(struct terms *terms, struct term *term)
{
    struct formula formula;
    const char *close = strchr(terms->at, '}');
    if (!close)
        return condition_fault(terms, "} after a formula", "");
    term->formula = terms->at + 1;
    term->length = (size_t)(close - term->formula);
    if (formula_read(term->formula, term->length, &formula, terms->error) != STATUS_OK)
        return terms->error->status;
    term->number = figure_info(formula.figure)->form != FIGURE_WORD;
    terms->at = skip_blanks(close + 1);
    if (read_operator(terms, term) != STATUS_OK)
        return terms->error->status;
    return read_operand(terms, term);
}

/* "not" stands before keywords only: a comparison has an operator for the opposite. */
static enum status read_term(struct terms *terms, struct term *term)
{
    *term = (struct term){.negated = take_keyword(terms, "not")};
    while (term->kind < TERM_COMPARISON && !take_keyword(terms, keywords[term->kind]))
        term->kind++;
    if (term->kind < TERM_COMPARISON)
        return STATUS_OK;
    if (term->negated)
        return condition_fault(terms, "words, next or masked after not", terms->at);
    if (*terms->at == '{')
        return read_comparison(terms, term);
    return condition_fault(
        terms, "a formula in braces, or words, next or masked, or one of these after not",
        terms->at);
}

/* The next term; terms->at is NULL after the last. */
static enum status next_term(struct terms *terms, struct term *term)
{
    if (read_term(terms, term) != STATUS_OK)
        return terms->error->status;
    if (*terms->at == '\0')
        terms->at = NULL;
    else if (!take_keyword(terms, "and"))
        return condition_fault(terms, "and, or the end", terms->at);
    return STATUS_OK;
}

/* Reads the terms without evaluating them, so a lesson's faults are found when it is opened. */
enum status condition_check(const char *condition, struct error *error)
{
    struct terms terms = {skip_blanks(condition), error};
    struct term term;
    while (terms.at)
        if (next_term(&terms, &term) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* An "and" that is a token's name within braces counts as well: one too many does no harm. */
size_t condition_terms(const char *condition)
{
    size_t terms = 1;
    for (; (condition = strstr(condition, " and ")); condition++)
        terms++;
    return terms;
}

/* ---- Evaluating them ---- */

/* Words are compared without regard to case. Equality of numbers is exact, but written without ==
 * for the compiler's sake. */
static bool compares(const struct term *term, const struct formula_value *value)
{
    if (!term->number)
        return strcasecmp(value->text, term->word) == 0;
    const struct comparison *comparison = term->comparison;
    const double left = value->value, right = term->value;
    return (comparison->less && left < right) || (comparison->more && left > right) ||
           (comparison->equal && left >= right && left <= right);
}

/* A comparison with an unknown value doesn't hold; "not" never comes with a comparison, so it can't
 * turn that round. */
static enum formula_state evaluate_term(struct session *session, const struct term *term,
                                        bool *holds)
{
    struct formula_value value = {FORMULA_KNOWN, false, 0, ""};
    if (term->kind == TERM_WORDS) {
        *holds = session->data.speechless[0] == '\0';
    } else if (term->kind == TERM_NEXT) {
        value = formula_evaluate(session, "next", strlen("next"));
        *holds = value.state == FORMULA_KNOWN;
    } else if (term->kind == TERM_MASKED) {
        *holds = session->data.encoded && session->data.encoded->masked.count > 0;
    } else {
        value = formula_evaluate(session, term->formula, term->length);
        *holds = value.state == FORMULA_KNOWN && compares(term, &value);
    }
    *holds ^= term->negated;
    return value.state == FORMULA_PENDING ? FORMULA_PENDING : FORMULA_KNOWN;
}

/* Terms are joined by "and": one that fails decides at once, even if an earlier one is pending. */
enum formula_state condition_evaluate(struct session *session, const char *condition, bool *holds)
{
    struct error error;
    struct terms terms = {skip_blanks(condition), &error};
    bool pending = false;
    *holds = false;
    while (terms.at) {
        struct term term;
        bool term_holds;
        if (next_term(&terms, &term) != STATUS_OK)
            return FORMULA_UNKNOWN;
        if (evaluate_term(session, &term, &term_holds) == FORMULA_PENDING)
            pending = true;
        else if (!term_holds)
            return FORMULA_KNOWN;
    }
    *holds = !pending;
    return pending ? FORMULA_PENDING : FORMULA_KNOWN;
}
