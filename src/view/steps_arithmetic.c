/* steps_arithmetic.c: how the number under the cursor of the steps view comes about: a line that
 * says what it is, a line of numbers, and lines of the largest summands with their factors. */
#include "headlight/base/size.h"
#include "headlight/view/caption.h"
#include "headlight/view/steps_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct writing {
    const struct steps_sheet *sheet;
    struct arithmetic arithmetic;
    struct pen pen;
    bool ascii;
};

#define INDENT 4

static void next_line(struct writing *writing)
{
    writing->pen.y++;
    writing->pen.x = writing->sheet->arithmetic.x + 2 + INDENT;
}

static void say(struct writing *writing, const char *text)
{
    pen_print(&writing->pen, style_of(ROLE_FAINT), "%s", text);
}

static void number(struct writing *writing, double value)
{
    pen_print(&writing->pen, style_of(ROLE_TEXT), "%s", steps_number(value).text);
}

static void result(struct writing *writing)
{
    say(writing, " = ");
    pen_print(&writing->pen, style_bold(ROLE_STRONG), "%s",
              steps_number(writing->arithmetic.result).text);
}

static int columns_of(const struct writing *writing, const char *text)
{
    return (int)text_width(text, writing->ascii);
}

/* ---- What it is ---- */

static struct token_name token_of(const struct writing *writing, size_t token)
{
    return scene_name(writing->sheet->scene, SIDE_RIGHT, token, writing->ascii);
}

#define PAIR_KEPT 40 /* columns for what follows a pair */

/* "q[5]", "score the → cat", "length of what head 3 adds" */
static void say_what(struct writing *writing)
{
    const struct steps_sheet *sheet = writing->sheet;
    const struct style style = style_bold(ROLE_STRONG);
    if (sheet->stage == STAGE_SCORES || sheet->stage == STAGE_WEIGHTS) {
        pen_print(&writing->pen, style, sheet->stage == STAGE_SCORES ? "score " : "weight ");
        caption_pair(sheet->scene, &writing->pen, style, sheet->steps->at.token, sheet->number,
                     PAIR_KEPT);
    } else if (sheet->stage == STAGE_ADDED)
        pen_print(&writing->pen, style, "length of what head %zu adds", sheet->number);
    else
        pen_print(&writing->pen, style, "%s[%zu]", stage_name(sheet->stage), sheet->number);
}

static struct stage_rule rule_of(const struct writing *writing)
{
    return steps_rule(&writing->sheet->steps->at, writing->sheet->stage);
}

static bool is_biased(const struct writing *writing)
{
    return steps_is_biased(&writing->sheet->steps->at, writing->sheet->stage);
}

/* "Σ q[d]·k[d] / 5.66 + distance" */
static void say_score(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const bool inside =
        arithmetic->has_distance[DISTANCE_QUERY] || arithmetic->has_distance[DISTANCE_KEY];
    pen_print(&writing->pen, style_of(ROLE_FAINT), "%s%sq[d]·k[d]%s", inside ? "(" : "",
              steps_sigma(writing->sheet), inside ? " + distance)" : "");
    if (arithmetic->divisor != 1)
        pen_print(&writing->pen, style_of(ROLE_FAINT), " / %.3g", arithmetic->divisor);
    say(writing, arithmetic->has_bias ? " + distance" : "");
}

/* The sum in signs: "Σ x[i]·W_q[5,i] + b[5]". */
static void say_sum(struct writing *writing)
{
    const struct steps_sheet *sheet = writing->sheet;
    const struct stage_rule rule = rule_of(writing);
    const size_t row = steps_first_row(&sheet->steps->at, sheet->stage) + sheet->number;
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = ");
    if (rule.rule == STEP_EMBED) {
        char formula[STEPS_FORMULA];
        steps_write_formula(sheet, sheet->stage, formula);
        say(writing, formula);
    } else if (rule.rule == STEP_SCORE) {
        say_score(writing);
    } else if (rule.rule == STEP_CONTEXT) {
        pen_print(&writing->pen, style_of(ROLE_FAINT), "%sweight[t]·v[t,%zu]", steps_sigma(sheet),
                  sheet->number);
    } else {
        const bool convolved = rule.rule == STEP_CONVOLVE;
        const char *from = sheet->stage == STAGE_HEADS ? "contexts" : stage_name(rule.from);
        pen_print(&writing->pen, style_of(ROLE_FAINT), "%s%s[%s]·%s[%zu,%s]", steps_sigma(sheet),
                  from, convolved ? "t,i" : "i", rule.matrix, row, convolved ? "t,i" : "i");
        if (is_biased(writing))
            pen_print(&writing->pen, style_of(ROLE_FAINT), " + b[%zu]", row);
    }
}

/* ---- Sums ---- */

static double value_of(const struct step_term *term)
{
    return term->left * term->right;
}

static double sum_from(const struct arithmetic *arithmetic, size_t first)
{
    double sum = 0;
    for (size_t i = first; i < arithmetic->count; i++)
        sum += value_of(&arithmetic->terms[i]);
    return sum;
}

#define TERMS_COLUMNS    9  /* "+24.15 " … */
#define REST_COLUMNS     42 /* " and 1020 smaller ones +32.86 + b +0.02) / 5.66" */
#define DISTANCE_COLUMNS 20 /* " + q·distance +12.34" */

static void say_part(struct writing *writing, const char *name, bool there, double value)
{
    if (!there)
        return;
    say(writing, name);
    number(writing, value);
}

/* The columns of what distances add. */
static int distance_columns(const struct arithmetic *arithmetic)
{
    return (arithmetic->has_distance[DISTANCE_QUERY] + arithmetic->has_distance[DISTANCE_KEY] +
            arithmetic->has_bias) *
           DISTANCE_COLUMNS;
}

/* The largest summands, as many as there is room for, and what the others add. */
static void say_terms(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const bool divided = arithmetic->divisor != 1;
    size_t shown = 0;
    say(writing, divided ? "= (" : "= ");
    while (shown < arithmetic->count &&
           (shown == 0 ||
            writing->pen.x + TERMS_COLUMNS + REST_COLUMNS + distance_columns(arithmetic) <
                writing->pen.end)) {
        say(writing, shown > 0 ? " " : "");
        number(writing, value_of(&arithmetic->terms[shown++]));
    }
    if (shown < arithmetic->count) {
        pen_print(&writing->pen, style_of(ROLE_FAINT), " and %zu smaller ones ",
                  arithmetic->count - shown);
        number(writing, sum_from(arithmetic, shown));
    }
    if (rule_of(writing).linear && is_biased(writing)) {
        say(writing, " + b ");
        number(writing, arithmetic->constant);
    }
    say_part(writing, " + q·distance ", arithmetic->has_distance[DISTANCE_QUERY],
             arithmetic->distance[DISTANCE_QUERY]);
    say_part(writing, " + k·distance ", arithmetic->has_distance[DISTANCE_KEY],
             arithmetic->distance[DISTANCE_KEY]);
    if (divided)
        pen_print(&writing->pen, style_of(ROLE_TEXT), ") / %.3g", arithmetic->divisor);
    say_part(writing, " + distance ", arithmetic->has_bias, arithmetic->bias);
}

/* "cat[17]" */
static void write_neighbour(const struct writing *writing, size_t index, char *text, size_t size)
{
    const struct steps_at *at = &writing->sheet->steps->at;
    const size_t K = model_config(at->model)->kernel, token = at->token + index % K - K / 2;
    char name[400] = "no token";
    if (token < at->trace->tokens) /* else it wrapped around, or is behind the end */
        text_safe(token_of(writing, token).text, writing->ascii, name, sizeof name);
    snprintf(text, size, "%s[%zu]", name, index / K);
}

/* Where a summand comes from: "i 17", "dim 11", "head 2[5]", a token. */
static void write_source(const struct writing *writing, size_t index, char *text, size_t size)
{
    const enum stage stage = writing->sheet->stage;
    const size_t D = writing->sheet->steps->at.trace->dimensions;
    if (stage == STAGE_CONTEXT || stage == STAGE_WEIGHTS)
        text_safe(token_of(writing, index).text, writing->ascii, text, size);
    else if (stage == STAGE_HEADS)
        snprintf(text, size, "head %zu[%zu]", index / D, index % D);
    else if (stage == STAGE_NEARBY)
        write_neighbour(writing, index, text, size);
    else if (stage == STAGE_SCORES)
        snprintf(text, size, "dim %zu", index);
    else
        snprintf(text, size, "i %zu", index);
}

#define FACTOR_COLUMNS 36
#define HEADED_COLUMNS 41 /* "head 11[63] +0.0625 × -0.0312 = -0.0019" and a gap */

/* "i 17 +1.31 × +0.41 = +0.54": the numbers have what they need, the source what is left. */
static void say_factor(const struct writing *writing, const struct step_term *term, struct pen pen)
{
    char source[512];
    const struct step_text left = steps_number(term->left), right = steps_number(term->right);
    const struct step_text value = steps_number(value_of(term));
    const size_t needed = strlen(left.text) + strlen(right.text) + strlen(value.text) + 7;
    write_source(writing, term->index, source, sizeof source);
    pen.x += canvas_text(pen.canvas, pen.y, pen.x, pen.end - pen.x - (int)needed,
                         style_of(ROLE_FAINT), source);
    pen_print(&pen, style_of(ROLE_TEXT), " %s", left.text);
    pen_print(&pen, style_of(ROLE_FAINT), " × ");
    pen_print(&pen, style_of(ROLE_TEXT), "%s", right.text);
    pen_print(&pen, style_of(ROLE_FAINT), " = %s", value.text);
}

/* The factors of the largest summands, below each other in columns. */
static void say_factors(struct writing *writing, int lines)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const int begin = writing->pen.x, room = writing->pen.end - begin;
    const int columns = writing->sheet->stage == STAGE_HEADS ? HEADED_COLUMNS : FACTOR_COLUMNS;
    const int across = room > 2 * columns ? room / columns : 1;
    for (int i = 0; i < across * lines && (size_t)i < arithmetic->count; i++) {
        const int x = begin + i % across * columns;
        const int width = across > 1 || room > columns ? columns - 2 : room;
        say_factor(writing, &arithmetic->terms[i],
                   (struct pen){writing->pen.canvas, writing->pen.y + i / across, x, x + width});
    }
}

static void say_sums(struct writing *writing)
{
    say_sum(writing);
    result(writing);
    next_line(writing);
    say_terms(writing);
    next_line(writing);
    say_factors(writing, writing->sheet->arithmetic.rows - 2);
}

static void say_embedding(struct writing *writing)
{
    static const char *const names[] = {"word ", "position ", "segment "};
    static const char *const numbers[] = {"", "a row of a table", "a row each of two tables",
                                          "a row each of three tables"};
    static const char *const rows[] = {": of the piece", ", of its place", ", of its sentence"};
    const struct arithmetic *arithmetic = &writing->arithmetic;
    bool shown[EMBEDDED_PARTS] = {false};
    say_sum(writing);
    result(writing);
    next_line(writing);
    say(writing, "=");
    for (size_t part = 0; part < EMBEDDED_PARTS; part++)
        for (size_t i = 0; i < arithmetic->count; i++)
            if (arithmetic->terms[i].index == part) {
                say(writing, part > 0 ? "   " : " ");
                say(writing, names[part]);
                number(writing, arithmetic->terms[i].left);
                shown[part] = true;
            }
    next_line(writing);
    say(writing, numbers[arithmetic->count]);
    for (size_t part = 0; part < EMBEDDED_PARTS; part++)
        say(writing, shown[part] ? rows[part] : "");
}

/* A number of the first half of the dimensions and one of the second are turned together. */
static void say_turned(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const char *from = stage_name(rule_of(writing).from);
    const struct step_term *own = &arithmetic->terms[0], *other = &arithmetic->terms[1];
    if (own->index != writing->sheet->number) {
        own = other;
        other = &arithmetic->terms[0];
    }
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = %s[%zu]·cos %s %s[%zu]·sin", from,
              own->index, own->index < other->index ? "-" : "+", from, other->index);
    result(writing);
    next_line(writing);
    say(writing, "= ");
    pen_print(&writing->pen, style_of(ROLE_TEXT), "%s · %.3f %s ", steps_number(own->left).text,
              own->right, own->index < other->index ? "-" : "+");
    pen_print(&writing->pen, style_of(ROLE_TEXT), "%s · %.3f", steps_number(other->left).text,
              own->index < other->index ? -other->right : other->right);
    next_line(writing);
    pen_print(
        &writing->pen, style_of(ROLE_FAINT),
        "the two are turned by %.3g radians: at place %zu, and slower the later the dimension",
        arithmetic->argument, writing->sheet->steps->at.token);
}

/* ---- Attention ---- */

static void say_masked(struct writing *writing)
{
    static const char *const reasons[] = {[HIDDEN_TOKEN] = "is hidden from all",
                                          [HIDDEN_CUT] = "is cut off in this head",
                                          [HIDDEN_CAUSAL] = "comes later: the mask is causal",
                                          [HIDDEN_REACH] =
                                              "is out of reach: this layer sees only what is near",
                                          [HIDDEN_MASK] = "is masked"};
    const struct steps_sheet *sheet = writing->sheet;
    const enum hidden_by why = steps_hidden(&sheet->steps->at, sheet->number);
    result(writing);
    next_line(writing);
    steps_print_name(&writing->pen, style_of(ROLE_TEXT), token_of(writing, sheet->number).text);
    pen_print(&writing->pen, style_of(ROLE_TEXT), " %s", reasons[why ? why : HIDDEN_MASK]);
    if (why == HIDDEN_REACH)
        pen_print(&writing->pen, style_of(ROLE_TEXT), ", at most %zu tokens away",
                  model_config(sheet->steps->at.model)->reach);
    next_line(writing);
    say(writing, "minus infinity, of which softmax makes the weight 0");
}

/* The exponentials, the largest first. */
static void say_exponentials(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    enum { TAIL = 36 };
    size_t shown = 0;
    say(writing, "the sum: ");
    while (shown < arithmetic->count && writing->pen.x + TAIL < writing->pen.end) {
        const struct step_term *term = &arithmetic->terms[shown];
        char source[512];
        write_source(writing, term->index, source, sizeof source);
        if (writing->pen.x + columns_of(writing, source) + TAIL > writing->pen.end)
            break;
        say(writing, shown++ > 0 ? " + " : "");
        steps_print_name(&writing->pen, style_of(ROLE_FAINT), source);
        pen_print(&writing->pen, style_of(ROLE_TEXT), " %.3f", term->left);
    }
    if (shown < arithmetic->count)
        pen_print(&writing->pen, style_of(ROLE_FAINT), " and %zu smaller %.3f",
                  arithmetic->count - shown, sum_from(arithmetic, shown));
}

static void say_softmax(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct steps *steps = writing->sheet->steps;
    say(writing, " = exp(score - largest score) / sum of all such");
    say(writing, " = ");
    pen_print(&writing->pen, style_bold(ROLE_STRONG), "%.3f", arithmetic->result);
    next_line(writing);
    if (isinf(arithmetic->argument))
        say(writing, "= exp(-inf)");
    else
        pen_print(&writing->pen, style_of(ROLE_TEXT), "= exp(%.2f - %.2f)", arithmetic->argument,
                  steps->largest);
    pen_print(&writing->pen, style_of(ROLE_TEXT), " / %.3f", steps->total);
    pen_print(&writing->pen, style_of(ROLE_TEXT), " = %.3f / %.3f",
              exp(arithmetic->argument - steps->largest), steps->total);
    next_line(writing);
    say_exponentials(writing);
}

static void say_equal(struct writing *writing)
{
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = 1 / %zu = ", writing->arithmetic.left);
    pen_print(&writing->pen, style_bold(ROLE_STRONG), "%.3f", writing->arithmetic.result);
    next_line(writing);
    pen_print(&writing->pen, style_of(ROLE_TEXT),
              "head %zu is uniform: the same for all %zu tokens that it may attend to",
              writing->sheet->steps->at.head, writing->arithmetic.left);
}

static void say_nothing(struct writing *writing)
{
    const struct steps_sheet *sheet = writing->sheet;
    say(writing, " = 0");
    next_line(writing);
    if (sheet->stage == STAGE_CONTEXT)
        pen_print(&writing->pen, style_of(ROLE_TEXT), "head %zu is switched off",
                  sheet->steps->at.head);
    else
        say(writing, sheet->steps->left == 0 ? "there is nothing left to attend to"
                                             : "the head may not attend to this token");
}

/* ---- Behind a sum ---- */

static void say_length(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct steps_sheet *sheet = writing->sheet;
    result(writing);
    next_line(writing);
    pen_print(
        &writing->pen, style_of(ROLE_FAINT),
        "the length of a = W_o · context, for the part of W_o that is head %zu's: %s(%sa[i]·a[i])",
        sheet->number, canvas_ascii(sheet->canvas) ? "root" : "√", steps_sigma(sheet));
    next_line(writing);
    say(writing, "the largest of a:");
    for (size_t i = 0; i < arithmetic->count && writing->pen.x + 16 < writing->pen.end; i++) {
        pen_print(&writing->pen, style_of(ROLE_FAINT), "  a[%zu] ", arithmetic->terms[i].index);
        number(writing, arithmetic->terms[i].left);
    }
}

/* "attention + back" */
static void write_sum(const struct stage_rule *rule, char *text, size_t size)
{
    const bool two = rule->with != STAGE_COUNT;
    snprintf(text, size, "%s%s%s", stage_name(rule->from), two ? " + " : "",
             two ? stage_name(rule->with) : "");
}

static void say_norm(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct steps_sheet *sheet = writing->sheet;
    const struct stage_rule rule = rule_of(writing);
    const bool biased = is_biased(writing);
    char sum[STEPS_FORMULA];
    write_sum(&rule, sum, sizeof sum);
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = (%s - mean) / %s(variance + %.0e) · gain%s",
              sum, steps_root(sheet), arithmetic->epsilon, biased ? " + b" : "");
    next_line(writing);
    say(writing, "= (");
    number(writing, arithmetic->from);
    if (rule.with != STAGE_COUNT)
        pen_print(&writing->pen, style_of(ROLE_TEXT), " %s", steps_number(arithmetic->added).text);
    pen_print(&writing->pen, style_of(ROLE_TEXT), " minus mean %s) / %s%.3g · %s",
              steps_number(arithmetic->moments.mean).text, steps_root(sheet),
              arithmetic->moments.variance, steps_number(arithmetic->gain).text);
    if (biased)
        pen_print(&writing->pen, style_of(ROLE_TEXT), " %s",
                  steps_number(arithmetic->constant).text);
    result(writing);
    next_line(writing);
    pen_print(&writing->pen, style_of(ROLE_FAINT),
              "mean, variance: of the %zu numbers %s; gain%s: learnt",
              sheet->steps->stage[sheet->stage].count, sum, biased ? ", b" : "");
}

static void say_added(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct stage_rule rule = rule_of(writing);
    const size_t n = writing->sheet->number;
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = %s[%zu] + %s[%zu]", stage_name(rule.from), n,
              stage_name(rule.with), n);
    result(writing);
    next_line(writing);
    say(writing, "= ");
    number(writing, arithmetic->from);
    say(writing, " ");
    number(writing, arithmetic->added);
    next_line(writing);
    say(writing, "added as it is: LayerNorm comes before what is made of it");
}

static void say_active(struct writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct stage_rule rule = rule_of(writing);
    const double x = arithmetic->argument;
    const bool relu = rule.activation == ACTIVATION_RELU, gated = rule.with != STAGE_COUNT;
    const double share = x != 0 ? activation_of(rule.activation, x) / x : 0.5;
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = %s(%s[%zu])", relu ? "ReLU" : "GELU",
              stage_name(rule.from), writing->sheet->number);
    if (gated)
        pen_print(&writing->pen, style_of(ROLE_FAINT), "·%s[%zu]", stage_name(rule.with),
                  writing->sheet->number);
    result(writing);
    next_line(writing);
    if (relu)
        pen_print(&writing->pen, style_of(ROLE_TEXT), "the larger of 0 and %s",
                  steps_number(x).text);
    else
        pen_print(&writing->pen, style_of(ROLE_TEXT), "= %s · %.3f", steps_number(x).text, share);
    if (gated)
        pen_print(&writing->pen, style_of(ROLE_TEXT), relu ? ", times %s" : " · %s",
                  steps_number(arithmetic->gain).text);
    next_line(writing);
    say(writing, relu ? ""
                 : rule.activation == ACTIVATION_GELU_NEW
                     ? "x times the share of a normal distribution below x, by tanh"
                     : "x times the share of a normal distribution below x");
    say(writing, gated && !relu ? "; and the gate" : "");
}

static void say_taken(struct writing *writing)
{
    const struct steps_sheet *sheet = writing->sheet;
    result(writing);
    next_line(writing);
    if (sheet->steps->at.model)
        pen_print(&writing->pen, style_of(ROLE_TEXT), "the output of layer %zu, which ← leads to",
                  sheet->steps->at.layer - 1);
    else
        say(writing, "as recorded; what it follows from is not in the recording");
}

/* ---- The whole ---- */

static void say_all(struct writing *writing)
{
    switch (writing->arithmetic.kind) {
    case ARITHMETIC_SUM:
        (rule_of(writing).rule == STEP_EMBED ? say_embedding : say_sums)(writing);
        break;
    case ARITHMETIC_ADDED:
        say_added(writing);
        break;
    case ARITHMETIC_TURNED:
        say_turned(writing);
        break;
    case ARITHMETIC_MASKED:
        say_masked(writing);
        break;
    case ARITHMETIC_SOFTMAX:
        say_softmax(writing);
        break;
    case ARITHMETIC_EQUAL:
        say_equal(writing);
        break;
    case ARITHMETIC_NOTHING:
        say_nothing(writing);
        break;
    case ARITHMETIC_LENGTH:
        say_length(writing);
        break;
    case ARITHMETIC_NORM:
        say_norm(writing);
        break;
    case ARITHMETIC_ACTIVE:
        say_active(writing);
        break;
    default:
        say_taken(writing);
    }
}

void steps_draw_arithmetic(const struct steps_sheet *sheet)
{
    const struct area area = sheet->arithmetic;
    const struct step_numbers *of = &sheet->steps->stage[sheet->stage];
    struct writing writing = {.sheet = sheet,
                              .pen = {sheet->canvas, area.y, area.x + 2, area.x + area.columns - 1},
                              .ascii = canvas_ascii(sheet->canvas)};
    if (of->count == 0) {
        pen_print(&writing.pen, style_of(ROLE_TEXT),
                  "this recording has no %s: %s of layer %zu can't be shown", of->missing,
                  stage_name(sheet->stage), sheet->steps->at.layer);
        return;
    }
    steps_arithmetic(sheet->steps, sheet->stage, sheet->number, &writing.arithmetic);
    say_what(&writing);
    say_all(&writing);
}
