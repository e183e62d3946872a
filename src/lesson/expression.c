/* expression.c: reads the language of lessons: formulas, conditions, and texts and options that
 * have formulas in them. The arguments of a row of the table (lens/figures.h) are its grammar:
 * words in capitals are slots, other words are literal, groups in brackets are optional. A new
 * figure needs no code here. Nothing is kept of what was read: it is short, and faults were
 * reported when the lesson was opened. */
#include "headlight/lesson/formula.h"

#include "headlight/session/fields.h"
#include "headlight/text/marks.h"

#include <stdlib.h>
#include <strings.h>

#define OPENING_HEAD    "telling" /* the head to open on (metrics.h), as lessons name it */
#define TEXT_OF(number) #number
#define TEXT(macro)     TEXT_OF(macro)
#define COUNT_MOST      999999

/* ---- Slots ---- */

enum slot {
    SLOT_A,
    SLOT_B,
    SLOT_WORD,
    SLOT_PLACE,
    SLOT_LEVEL,
    SLOT_NTH,
    SLOT_FIGURE,
    SLOT_HEAD,
    SLOT_BEFORE, /* though literal: it leaves a mark in the formula */
    SLOT_COUNT
};

/* `expected` is for messages; NULL: names of figures. */
static const struct {
    const char *name, *expected;
} slots[SLOT_COUNT] = {
    [SLOT_A] = {"A", "a token"},
    [SLOT_B] = {"B", "a token"},
    [SLOT_WORD] = {"WORD", "a word"},
    [SLOT_PLACE] = {"L.H", "a layer and a head such as 3.1, or a figure"},
    [SLOT_LEVEL] = {"L", "how many layers"},
    [SLOT_NTH] = {"N", "a number from 1 to " TEXT(LENS_BEST)},
    [SLOT_FIGURE] = {"NAME", NULL},
    [SLOT_HEAD] = {"HEAD", NULL},
    [SLOT_BEFORE] = {"before", "\"before\""},
};

/* METRIC_NONE: no figure has that name. */
static enum metric metric_named(const char *name)
{
    enum metric metric = METRIC_BEGIN;
    while (metric < METRIC_MOVED && strcmp(name, metric_infos[metric].name) != 0)
        metric++;
    return metric < METRIC_MOVED ? metric : METRIC_NONE;
}

/* Whether a word fits a slot; then the formula has it. */
static bool read_slot(enum slot slot, char *word, struct formula *formula)
{
    char *dot = strchr(word, '.');
    switch (slot) {
    case SLOT_A:
        formula->a = word;
        return true;
    case SLOT_B:
        formula->b = word;
        return true;
    case SLOT_WORD:
        formula->word = word;
        return true;
    case SLOT_LEVEL:
        return formula->has_place = value_number(word, COUNT_MOST, &formula->layer);
    case SLOT_NTH:
        return value_number(word, LENS_BEST, &formula->nth) && formula->nth > 0;
    case SLOT_FIGURE:
        formula->metric = metric_named(word);
        return formula->metric != METRIC_NONE;
    case SLOT_BEFORE:
        return formula->before = strcmp(word, "before") == 0;
    default: /* a head, or "3.1"; the word is whole again afterwards */
        if (slot == SLOT_PLACE && dot) {
            *dot = '\0';
            formula->has_place = value_number(word, COUNT_MOST, &formula->layer) &&
                                 value_number(dot + 1, COUNT_MOST, &formula->head);
            *dot = '.';
            if (formula->has_place)
                return true;
        }
        formula->opening = strcmp(word, OPENING_HEAD) == 0;
        formula->of = metric_named(word);
        return formula->opening || formula->of != METRIC_NONE;
    }
}

/* ---- Formulas ---- */

/* A word of the grammar. */
struct written {
    const char *text;
    size_t length;
    enum slot slot; /* SLOT_COUNT: it is literal */
    bool optional;  /* begins a group in brackets */
};

/* Quotes only the next word of what was found: a condition may be long. NULL: nothing. */
static enum status fault(const char *expected, const char *found, struct error *error)
{
    const size_t length = found ? strcspn(found, " ") : 0;
    return length == 0 ? error_set(error, STATUS_FORMAT, "expected %s, found nothing", expected)
                       : error_set(error, STATUS_FORMAT, "expected %s, found \"%.*s\"", expected,
                                   (int)(length < FORMULA_MOST ? length : FORMULA_MOST), found);
}

/* `written` was expected, of the figure in `info`; NULL: a figure's name. */
static enum status formula_fault(const struct written *written, const struct figure_info *info,
                                 const char *word, struct error *error)
{
    char expected[400] = "";
    if (written && written->length == 0)
        format_add(expected, sizeof expected, "no more");
    else if (written && written->slot == SLOT_COUNT)
        format_add(expected, sizeof expected, "\"%.*s\"", (int)written->length, written->text);
    else if (written && slots[written->slot].expected)
        format_add(expected, sizeof expected, "%s", slots[written->slot].expected);
    else { /* the names of formulas or of figures; the opening head's where that is allowed */
        for (size_t i = 0; !written && i < FIGURE_COUNT; i++)
            format_add(expected, sizeof expected, "%s%s", i > 0 ? ", " : "a formula (",
                       figure_infos[(enum figure)i].name);
        for (enum metric metric = METRIC_BEGIN; written && metric < METRIC_MOVED; metric++)
            format_add(expected, sizeof expected, "%s%s",
                       metric > METRIC_BEGIN ? ", " : "a figure (", metric_infos[metric].name);
        format_add(expected, sizeof expected,
                   written && written->slot == SLOT_HEAD ? ", " OPENING_HEAD ")" : ")");
    }
    if (info)
        format_add(expected, sizeof expected, ", as in %s%s%s", info->name,
                   *info->arguments ? " " : "", info->arguments);
    return fault(expected, word, error);
}

/* The first word names the row, whose grammar reads the rest. A group in brackets that the formula
 * doesn't have is passed over. */
enum status formula_read(const char *text, size_t length, struct formula *formula,
                         struct error *error)
{
    *formula = (struct formula){.nth = 1};
    if (length > FORMULA_MOST)
        return error_set(error, STATUS_FORMAT, "expected at most %d bytes in a formula, found %zu",
                         FORMULA_MOST, length);
    memcpy(formula->text, text, length);
    char *at = NULL, *word = strtok_r(formula->text, " \t\n", &at);
    while (word && formula->figure < FIGURE_COUNT &&
           strcmp(word, figure_infos[formula->figure].name) != 0)
        formula->figure++;
    if (!word || formula->figure == FIGURE_COUNT)
        return formula_fault(NULL, NULL, word, error);
    const struct figure_info *info = &figure_infos[formula->figure];
    const char *grammar = info->arguments;
    word = strtok_r(NULL, " \t\n", &at);
    for (;;) {
        const char *begin = grammar + strspn(grammar, " ]");
        struct written written = {.text = begin + (*begin == '['), .optional = *begin == '['};
        written.length = strcspn(written.text, " ]");
        while (written.slot < SLOT_COUNT &&
               (strlen(slots[written.slot].name) != written.length ||
                strncmp(slots[written.slot].name, written.text, written.length) != 0))
            written.slot++;
        const char *meant = word && strcmp(word, "->") == 0 ? "→" : word;
        if (written.length > 0 && word &&
            (written.slot < SLOT_COUNT ? read_slot(written.slot, word, formula)
                                       : strlen(meant) == written.length &&
                                             strncmp(meant, written.text, written.length) == 0)) {
            grammar = written.text + written.length;
            word = strtok_r(NULL, " \t\n", &at);
        } else if (written.optional) {
            grammar = strchr(written.text, ']');
        } else {
            return written.length == 0 && !word ? STATUS_OK
                                                : formula_fault(&written, info, word, error);
        }
    }
}

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

size_t formula_count(const char *text)
{
    size_t count = 0;
    for (; *text; text = formula_skip(text))
        count += *text == '{';
    return count;
}

char *formula_fill(struct session *session, const char *text, enum formula_state *state)
{
    struct buffer filled;
    struct formula formula;
    struct error error;
    *state = FORMULA_KNOWN;
    if (!buffer_open(&filled))
        return NULL;
    for (const char *end; *text; text = end) {
        end = formula_skip(text);
        if (*text != '{' || end[-1] != '}') {
            fwrite(text, 1, (size_t)(end - text), filled.stream);
            continue;
        }
        struct formula_value value = {.state = FORMULA_UNKNOWN};
        if (formula_read(text + 1, (size_t)(end - text - 2), &formula, &error) == STATUS_OK)
            value = formula_ask(session, &formula);
        fputs(value.state == FORMULA_KNOWN     ? value.text
              : value.state == FORMULA_PENDING ? "…"
                                               : "?",
              filled.stream);
        if (*state == FORMULA_KNOWN || value.state == FORMULA_PENDING) /* the worse of both */
            *state = value.state;
    }
    return buffer_close(&filled);
}

/* ---- Conditions ---- */

/* An operator holds if the left side is less, equal or more. Those of two characters come first:
 * ">=" begins with ">". */
static const struct comparison {
    const char *sign;
    bool less, equal, more;
} comparisons[] = {{">=", false, true, true}, {"<=", true, true, false},  {"≥", false, true, true},
                   {"≤", true, true, false},  {">", false, false, true},  {"<", true, false, false},
                   {"=", false, true, false}, {NULL, false, false, false}};

/* Skips a word, if it is the next one, and the blanks behind it; line feeds have become blanks when
 * the lesson was read. */
static bool take_word(const char **at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || ((*at)[length] != ' ' && (*at)[length] != '\0'))
        return false;
    *at += length;
    *at += strspn(*at, " ");
    return true;
}

/* " > 0.5" or " = mat" behind a formula: whether the value compares so, where it is known. Words
 * are compared without regard to case, and for equality only. Equality of numbers is exact, but
 * written without == for the compiler's sake. */
static enum status read_comparison(const char **at, bool number, const struct formula_value *value,
                                   bool *holds, struct error *error)
{
    const struct comparison *comparison = comparisons;
    while (comparison->sign && strncmp(*at, comparison->sign, strlen(comparison->sign)) != 0)
        comparison++;
    if (!comparison->sign)
        return fault("one of > < >= <= = after a formula", *at, error);
    *at += strlen(comparison->sign);
    *at += strspn(*at, " ");
    char *end;
    const size_t length = strcspn(*at, " ");
    const double right = strtod(*at, &end);
    if (length == 0 || (number && end != *at + length))
        return fault(number ? "a number to compare with" : "a word to compare with", *at, error);
    if (!number && (comparison->less || comparison->more))
        return fault("= before a word", comparison->sign, error);
    *holds = number ? (comparison->less && value->value < right) ||
                          (comparison->more && value->value > right) ||
                          (comparison->equal && value->value >= right && value->value <= right)
                    : strncasecmp(value->text, *at, length) == 0 && !value->text[length];
    *at += length;
    *at += strspn(*at, " ");
    return STATUS_OK;
}

/* One term; without a session it is only read. A comparison with an unknown value never holds. */
static enum status read_term(const char **at, struct session *session, bool *pending, bool *fails,
                             struct error *error)
{
    struct formula formula;
    struct formula_value value = {.state = FORMULA_UNKNOWN};
    const bool negated = take_word(at, "not"), compared = **at == '{';
    const size_t length = strcspn(*at += compared, compared ? "}" : " ");
    if (compared && (*at)[length] == '\0')
        return fault("} after a formula", NULL, error);
    if (!compared && length == 0)
        return fault("a formula in braces or the name of one", NULL, error);
    if (formula_read(*at, length, &formula, error) != STATUS_OK)
        return error->status;
    if (session)
        value = formula_ask(session, &formula);
    *at += length + compared;
    *at += strspn(*at, " ");
    const bool known = value.state == FORMULA_KNOWN;
    bool holds = known;
    if (compared && read_comparison(at, figure_infos[formula.figure].form != FIGURE_WORD, &value,
                                    &holds, error) != STATUS_OK)
        return error->status;
    holds = holds != negated && (known || !compared);
    *pending |= value.state == FORMULA_PENDING;
    *fails |= value.state != FORMULA_PENDING && !holds;
    return STATUS_OK;
}

/* One term that fails decides, even if others are pending. */
enum status condition_read(const char *condition, struct session *session,
                           enum formula_state *state, bool *holds, struct error *error)
{
    const char *at = condition + strspn(condition, " ");
    bool pending = false, fails = false;
    do
        if (read_term(&at, session, &pending, &fails, error) != STATUS_OK)
            return error->status;
    while (take_word(&at, "and"));
    if (*at)
        return fault("and, or the end", at, error);
    *state = pending && !fails ? FORMULA_PENDING : FORMULA_KNOWN;
    *holds = !pending && !fails;
    return STATUS_OK;
}
