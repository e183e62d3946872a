/* condition.c: the conditions of "if" in lessons (formula.h): terms joined by "and". They are
 * parsed again for each evaluation: they are short, and syntax errors were reported on loading. */
#include "headlight/lesson/formula_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Reading ---- */

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

static enum status condition_fault(const char *expected, const char *found, struct error *error)
{
    size_t length = strcspn(found, " ");
    if (length == 0)
        return error_set(error, STATUS_FORMAT, "expected %s, found nothing", expected);
    return error_set(error, STATUS_FORMAT, "expected %s, found \"%.*s\"", expected,
                     (int)(length < FORMULA_NAME ? length : FORMULA_NAME), found);
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

/* Skips a word if it is the next one. */
static bool take_keyword(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || ((*at)[length] != ' ' && (*at)[length] != '\0'))
        return false;
    *at = skip_blanks(*at + length);
    return true;
}

static enum status read_operator(const char **at, struct term *term, struct error *error)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        size_t length = strlen(comparisons[i].sign);
        if (strncmp(*at, comparisons[i].sign, length) != 0)
            continue;
        term->comparison = &comparisons[i];
        *at = skip_blanks(*at + length);
        return STATUS_OK;
    }
    return condition_fault("one of > < >= <= = after a formula", *at, error);
}

/* A number where the formula gives one; else a word, which can only be tested for equality. */
static enum status read_operand(const char **at, struct term *term, struct error *error)
{
    size_t length = strcspn(*at, " ");
    char *end;
    if (length == 0 || length >= sizeof term->word)
        return condition_fault(term->number ? "a number to compare with" : "a word to compare with",
                               *at, error);
    snprintf(term->word, sizeof term->word, "%.*s", (int)length, *at);
    term->value = strtod(term->word, &end);
    if (term->number && *end != '\0')
        return condition_fault("a number to compare with", *at, error);
    if (!term->number && (term->comparison->less || term->comparison->more))
        return condition_fault("= before a word", term->comparison->sign, error);
    *at = skip_blanks(*at + length);
    return STATUS_OK;
}

static enum status read_comparison(const char **at, struct term *term, struct error *error)
{
    struct formula formula;
    const char *close = strchr(*at, '}');
    if (!close)
        return condition_fault("} after a formula", "", error);
    term->formula = *at + 1;
    term->length = (size_t)(close - term->formula);
    if (formula_read(term->formula, term->length, &formula, error) != STATUS_OK)
        return error->status;
    term->number = figure_info(formula.figure)->form != FIGURE_WORD;
    *at = skip_blanks(close + 1);
    if (read_operator(at, term, error) != STATUS_OK)
        return error->status;
    return read_operand(at, term, error);
}

static enum status read_term(const char **at, struct term *term, struct error *error)
{
    *term = (struct term){.negated = take_keyword(at, "not")};
    while (term->kind < TERM_COMPARISON && !take_keyword(at, keywords[term->kind]))
        term->kind++;
    if (term->kind < TERM_COMPARISON)
        return STATUS_OK;
    if (term->negated)
        return condition_fault("words, next or masked after not", *at, error);
    if (**at == '{')
        return read_comparison(at, term, error);
    return condition_fault(
        "a formula in braces, or words, next or masked, or one of these after not", *at, error);
}

/* The next term; *at is NULL after the last. */
static enum status next_term(const char **at, struct term *term, struct error *error)
{
    if (read_term(at, term, error) != STATUS_OK)
        return error->status;
    if (**at == '\0')
        *at = NULL;
    else if (!take_keyword(at, "and"))
        return condition_fault("and, or the end", *at, error);
    return STATUS_OK;
}

enum status condition_check(const char *condition, struct error *error)
{
    const char *at = skip_blanks(condition);
    struct term term;
    while (at)
        if (next_term(&at, &term, error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* ---- Evaluating ---- */

static bool compares(const struct term *term, const struct formula_value *value)
{
    if (!term->number)
        return strcasecmp(value->text, term->word) == 0;
    const struct comparison *comparison = term->comparison;
    const double left = value->value, right = term->value;
    return (comparison->less && left < right) || (comparison->more && left > right) ||
           (comparison->equal && left >= right && left <= right);
}

static enum formula_state evaluate_term(const struct session *session, const struct term *term,
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

enum formula_state condition_evaluate(const struct session *session, const char *condition,
                                      bool *holds)
{
    const char *at = skip_blanks(condition);
    bool pending = false;
    struct error error;
    *holds = false;
    while (at) {
        struct term term;
        bool term_holds;
        if (next_term(&at, &term, &error) != STATUS_OK)
            return FORMULA_UNKNOWN;
        if (evaluate_term(session, &term, &term_holds) == FORMULA_PENDING)
            pending = true;
        else if (!term_holds)
            return FORMULA_KNOWN;
    }
    *holds = !pending;
    return pending ? FORMULA_PENDING : FORMULA_KNOWN;
}
