/* condition.c: the conditions of "if" in lessons (formula.h): terms joined by "and". They are read
 * anew each time: lessons are short, and a condition that can't be read was refused on loading. */
#include "headlight/lesson/formula_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Reading ---- */

static const char *const operators[] = {">=", "<=", "≥", "≤", ">", "<", "="};
enum comparison { AT_LEAST, AT_MOST, AT_LEAST_SIGN, AT_MOST_SIGN, MORE, LESS, EQUAL, COMPARISONS };

/* A term: whether the model says words, whether sentences follow, whether a token is masked, or a
 * comparison. */
enum term_kind {
    TERM_WORDS,
    TERM_NEXT,
    TERM_MASKED,
    TERM_COMPARISON,
};

struct term {
    enum term_kind kind;
    bool negated;
    const char *formula; /* without its braces */
    size_t length;
    enum comparison comparison;
    bool number; /* it is compared with a number, */
    double value;
    char word[FORMULA_NAME]; /* else with a word */
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

/* Skips a word, if it stands there by itself. */
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
    for (size_t i = 0; i < COMPARISONS; i++) {
        size_t length = strlen(operators[i]);
        if (strncmp(*at, operators[i], length) != 0)
            continue;
        term->comparison = (enum comparison)i;
        *at = skip_blanks(*at + length);
        return STATUS_OK;
    }
    return condition_fault("one of > < >= <= = after a formula", *at, error);
}

/* A number for a formula that gives one; else a word, which can only be equal or not. */
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
    if (!term->number && term->comparison != EQUAL)
        return condition_fault("= before a word", operators[term->comparison], error);
    *at = skip_blanks(*at + length);
    return STATUS_OK;
}

static enum status read_comparison(const char **at, struct term *term, struct error *error)
{
    struct formula formula;
    const char *close = strchr(*at, '}');
    if (!close)
        return condition_fault("} after a formula", "", error);
    term->kind = TERM_COMPARISON;
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
    if (take_keyword(at, "words"))
        term->kind = TERM_WORDS;
    else if (take_keyword(at, "next"))
        term->kind = TERM_NEXT;
    else if (take_keyword(at, "masked"))
        term->kind = TERM_MASKED;
    else if (term->negated)
        return condition_fault("words, next or masked after not", *at, error);
    else if (**at == '{')
        return read_comparison(at, term, error);
    else
        return condition_fault(
            "a formula in braces, or words, next or masked, or one of these after not", *at, error);
    return STATUS_OK;
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
    switch (term->comparison) {
    case AT_LEAST:
    case AT_LEAST_SIGN:
        return value->value >= term->value;
    case AT_MOST:
    case AT_MOST_SIGN:
        return value->value <= term->value;
    case MORE:
        return value->value > term->value;
    case LESS:
        return value->value < term->value;
    default:
        return value->value >= term->value && value->value <= term->value;
    }
}

static enum formula_state ask_term(const struct session *session, const struct term *term,
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
        bool true_here;
        if (next_term(&at, &term, &error) != STATUS_OK)
            return FORMULA_UNKNOWN;
        if (ask_term(session, &term, &true_here) == FORMULA_PENDING)
            pending = true;
        else if (!true_here)
            return FORMULA_KNOWN;
    }
    *holds = !pending;
    return pending ? FORMULA_PENDING : FORMULA_KNOWN;
}
