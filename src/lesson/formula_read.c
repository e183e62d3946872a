/* formula_read.c: parses formulas. The arguments of a row of the table (lens/figures.h) are its
 * grammar: words in capitals are slots, other words are literal, groups in brackets are optional.
 * A new figure needs no code here. */
#include "headlight/lesson/formula_parts.h"

#include "headlight/base/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENING_HEAD    "telling" /* the head to open on (metrics.h), as lessons name it */
#define TEXT_OF(number) #number
#define TEXT(macro)     TEXT_OF(macro)
#define COUNT_MOST      999999

/* ---- Words ---- */

/* A word, not NUL-terminated; empty at the end. */
struct piece {
    const char *text;
    size_t length;
};

/* isspace would depend on the locale. */
static bool is_formula_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n';
}

/* The next word up to `end`, which need not be followed by a NUL. */
static struct piece piece_at(const char *text, const char *end)
{
    while (text < end && is_formula_blank(*text))
        text++;
    struct piece piece = {text, 0};
    while (text + piece.length < end && !is_formula_blank(text[piece.length]))
        piece.length++;
    return piece;
}

static bool piece_is(const struct piece *piece, const char *word)
{
    return strlen(word) == piece->length && strncmp(piece->text, word, piece->length) == 0;
}

/* ---- Slots ---- */

/* Any word may be a token's name, as long as it fits. */
static bool read_name(const struct piece *piece, char name[FORMULA_NAME])
{
    if (piece->length == 0 || piece->length >= FORMULA_NAME)
        return false;
    memcpy(name, piece->text, piece->length);
    name[piece->length] = '\0';
    return true;
}

/* Digits only; returns their end, or NULL. */
static const char *read_count(const char *text, const char *end, size_t *count)
{
    const char *at = text;
    for (*count = 0; at < end && *at >= '0' && *at <= '9' && *count <= COUNT_MOST; at++)
        *count = *count * 10 + (size_t)(*at - '0');
    return at > text && *count <= COUNT_MOST ? at : NULL;
}

/* METRIC_NONE: no figure has that name. */
static enum metric metric_named(const struct piece *piece)
{
    enum metric metric = METRIC_LABEL + 1;
    while (metric < METRIC_MOVED && !piece_is(piece, metric_info(metric)->name))
        metric++;
    return metric < METRIC_MOVED ? metric : METRIC_NONE;
}

/* "at NAME": the head with the largest such figure, or the one to open on. */
static bool read_head(const struct piece *piece, struct formula *formula)
{
    formula->opening = piece_is(piece, OPENING_HEAD);
    formula->of = metric_named(piece);
    return formula->opening || formula->of != METRIC_NONE;
}

/* "3.1", else as read_head. The layer may have been set by a number without a head; only a word
 * that fits is kept (matches). */
static bool read_head_place(const struct piece *piece, struct formula *formula)
{
    const char *end = piece->text + piece->length;
    const char *at = read_count(piece->text, end, &formula->layer);
    formula->has_place = at && at < end && *at == '.';
    return (formula->has_place && read_count(at + 1, end, &formula->head) == end) ||
           read_head(piece, formula);
}

/* A number of layers passed, 0 being the embeddings. */
static bool read_level(const struct piece *piece, struct formula *formula)
{
    const char *end = piece->text + piece->length;
    formula->has_place = read_count(piece->text, end, &formula->layer) == end;
    return formula->has_place;
}

/* Counted from 1, up to as many as are ever computed. */
static bool read_nth(const struct piece *piece, struct formula *formula)
{
    const char *end = piece->text + piece->length;
    return read_count(piece->text, end, &formula->nth) == end && formula->nth > 0 &&
           formula->nth <= LENS_BEST;
}

static bool read_figure(const struct piece *piece, struct formula *formula)
{
    formula->metric = metric_named(piece);
    return formula->metric != METRIC_NONE;
}

/* A slot, though it is a literal word: it leaves a mark in the formula. */
static bool read_before(const struct piece *piece, struct formula *formula)
{
    formula->before = piece_is(piece, "before");
    return formula->before;
}

/* A word of the grammar that is not literal; `expected` is for messages (NULL: names of figures).
 * It is read by the function, or else it is a name that is kept at `place`. */
static const struct slot {
    const char *name, *expected;
    bool (*read)(const struct piece *piece, struct formula *formula);
    size_t place;
} slots[] = {
    {"A", "a token", NULL, offsetof(struct formula, a)},
    {"B", "a token", NULL, offsetof(struct formula, b)},
    {"WORD", "a word", NULL, offsetof(struct formula, word)},
    {"L.H", "a layer and a head such as 3.1, or a figure", read_head_place, 0},
    {"L", "how many layers", read_level, 0},
    {"N", "a number from 1 to " TEXT(LENS_BEST), read_nth, 0},
    {"NAME", NULL, read_figure, 0},
    {"HEAD", NULL, read_head, 0},
    {"before", "\"before\"", read_before, 0},
};

/* NULL: the word of the grammar is literal. */
static const struct slot *slot_of(const struct piece *written)
{
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (piece_is(written, slots[i].name))
            return &slots[i];
    return NULL;
}

/* ---- Faults ---- */

/* "a formula (weight, score, …)", for messages. */
static void list_formulas(char *text, size_t size)
{
    format_cut(text, size, "a formula ");
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        format_add(text, size, "%s%s", i > 0 ? ", " : "(", figure_info((enum figure)i)->name);
    format_add(text, size, ")");
}

/* "a figure (entropy, …)", with the name of the opening head where that is allowed. */
static void list_metrics(char *text, size_t size, bool opening)
{
    format_cut(text, size, "a figure ");
    for (enum metric metric = METRIC_LABEL + 1; metric < METRIC_MOVED; metric++)
        format_add(text, size, "%s%s", metric > METRIC_LABEL + 1 ? ", " : "(",
                   metric_info(metric)->name);
    format_add(text, size, opening ? ", " OPENING_HEAD ")" : ")");
}

/* A formula being read; `info` is NULL before its name. */
struct parse {
    const struct figure_info *info;
    struct formula *formula;
    struct error *error;
};

/* A long word is cut in the message, with "…" to show it. */
static enum status formula_fault(const struct parse *parse, const char *expected,
                                 const struct piece *found)
{
    const struct figure_info *info = parse->info;
    bool end = found->length == 0, whole = found->length < FORMULA_NAME;
    return error_set(parse->error, STATUS_FORMAT, "expected %s%s%s%s%s, found %s%.*s%s%s", expected,
                     info ? ", as in " : "", info ? info->name : "",
                     info && *info->arguments ? " " : "", info ? info->arguments : "",
                     end ? "nothing" : "\"", (int)(whole ? found->length : FORMULA_NAME),
                     found->text, whole ? "" : " …", end ? "" : "\"");
}

/* `written`, a word of the grammar, was expected. */
static enum status fault_in(const struct parse *parse, const struct piece *written,
                            const struct piece *found)
{
    const struct slot *slot = slot_of(written);
    char expected[256];
    if (!slot)
        format_cut(expected, sizeof expected, "\"%.*s\"", (int)written->length, written->text);
    else if (slot->expected)
        format_cut(expected, sizeof expected, "%s", slot->expected);
    else
        list_metrics(expected, sizeof expected, slot->read == read_head);
    return formula_fault(parse, expected, found);
}

/* ---- Formulas ---- */

/* Whether a word fits a word of the grammar; only then the formula changes. */
static bool matches(const struct piece *written, const struct piece *piece, struct formula *formula)
{
    const struct slot *slot = slot_of(written);
    struct formula read = *formula;
    if (!slot)
        return (written->length == piece->length &&
                strncmp(written->text, piece->text, piece->length) == 0) ||
               (piece_is(written, "→") && piece_is(piece, "->"));
    bool fits =
        slot->read ? slot->read(piece, &read) : read_name(piece, (char *)&read + slot->place);
    if (fits)
        *formula = read;
    return fits;
}

/* The next word of the grammar, without its brackets. */
static struct piece form_piece(const char *form, bool *opens, bool *closes)
{
    struct piece written = piece_at(form, form + strlen(form));
    *opens = written.length > 0 && written.text[0] == '[';
    *closes = written.length > 0 && written.text[written.length - 1] == ']';
    written.text += *opens;
    written.length -= (size_t)*opens + (size_t)*closes;
    return written;
}

/* A group in brackets that the formula doesn't have is passed over. */
static enum status read_arguments(const struct parse *parse, const char *at, const char *end)
{
    const char *rest = parse->info->arguments;
    for (;;) {
        bool opens, closes;
        const struct piece written = form_piece(rest, &opens, &closes);
        const struct piece piece = piece_at(at, end);
        if (written.length == 0)
            return piece.length == 0 ? STATUS_OK : formula_fault(parse, "no more", &piece);
        if (piece.length > 0 && matches(&written, &piece, parse->formula)) {
            rest = written.text + written.length + closes;
            at = piece.text + piece.length;
        } else if (opens) {
            rest = strchr(written.text, ']') + 1;
        } else {
            return fault_in(parse, &written, &piece);
        }
    }
}

/* The first word names the row, whose grammar reads the rest. */
enum status formula_read(const char *text, size_t length, struct formula *formula,
                         struct error *error)
{
    const char *end = text + length;
    const struct piece name = piece_at(text, end);
    struct parse parse = {NULL, formula, error};
    char expected[256];
    *formula = (struct formula){.nth = 1};
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        parse.info = figure_info((enum figure)i);
        formula->figure = (enum figure)i;
        if (piece_is(&name, parse.info->name))
            return read_arguments(&parse, name.text + name.length, end);
    }
    parse.info = NULL;
    list_formulas(expected, sizeof expected);
    return formula_fault(&parse, expected, &name);
}
