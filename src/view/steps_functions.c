/* steps_functions.c: numbers that a function makes: softmax with its masks, a length, LayerNorm,
 * the activation. */
#include "headlight/view/steps_writing.h"

#include <math.h>
#include <stdio.h>

/* ---- Attention ---- */

void steps_say_masked(struct steps_writing *writing)
{
    static const char *const reasons[] = {[HIDDEN_TOKEN] = "is hidden from all",
                                          [HIDDEN_CUT] = "is cut off in this head",
                                          [HIDDEN_CAUSAL] = "comes later: the mask is causal",
                                          [HIDDEN_REACH] =
                                              "is out of reach: this layer sees only what is near",
                                          [HIDDEN_MASK] = "is masked"};
    const struct steps_sheet *sheet = writing->sheet;
    const enum hidden_by why = steps_hidden(&sheet->steps->at, sheet->number);
    steps_say_result(writing);
    steps_next_line(writing);
    steps_print_name(&writing->pen, style_of(ROLE_TEXT),
                     steps_token_of(writing, sheet->number).text);
    pen_print(&writing->pen, style_of(ROLE_TEXT), " %s", reasons[why ? why : HIDDEN_MASK]);
    if (why == HIDDEN_REACH)
        pen_print(&writing->pen, style_of(ROLE_TEXT), ", at most %zu tokens away",
                  model_config(sheet->steps->at.model)->reach);
    steps_next_line(writing);
    steps_say(writing, "minus infinity, of which softmax makes the weight 0");
}

static int columns_of(const struct steps_writing *writing, const char *text)
{
    return (int)text_width(text, writing->ascii);
}

/* The exponentials, the largest first. */
static void say_exponentials(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    enum { TAIL = 36 };
    size_t shown = 0;
    steps_say(writing, "the sum: ");
    while (shown < arithmetic->count && writing->pen.x + TAIL < writing->pen.end) {
        const struct step_term *term = &arithmetic->terms[shown];
        char source[512];
        steps_write_source(writing, term->index, source, sizeof source);
        if (writing->pen.x + columns_of(writing, source) + TAIL > writing->pen.end)
            break;
        steps_say(writing, shown++ > 0 ? " + " : "");
        steps_print_name(&writing->pen, style_of(ROLE_FAINT), source);
        pen_print(&writing->pen, style_of(ROLE_TEXT), " %.3f", term->left);
    }
    if (shown < arithmetic->count)
        pen_print(&writing->pen, style_of(ROLE_FAINT), " and %zu smaller %.3f",
                  arithmetic->count - shown, steps_sum_from(arithmetic, shown));
}

void steps_say_softmax(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct steps *steps = writing->sheet->steps;
    steps_say(writing, " = exp(score - largest score) / sum of all such");
    steps_say(writing, " = ");
    pen_print(&writing->pen, style_bold(ROLE_STRONG), "%.3f", arithmetic->result);
    steps_next_line(writing);
    if (isinf(arithmetic->argument))
        steps_say(writing, "= exp(-inf)");
    else
        pen_print(&writing->pen, style_of(ROLE_TEXT), "= exp(%.2f - %.2f)", arithmetic->argument,
                  steps->largest);
    pen_print(&writing->pen, style_of(ROLE_TEXT), " / %.3f", steps->total);
    pen_print(&writing->pen, style_of(ROLE_TEXT), " = %.3f / %.3f",
              exp(arithmetic->argument - steps->largest), steps->total);
    steps_next_line(writing);
    say_exponentials(writing);
}

void steps_say_equal(struct steps_writing *writing)
{
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = 1 / %zu = ", writing->arithmetic.left);
    pen_print(&writing->pen, style_bold(ROLE_STRONG), "%.3f", writing->arithmetic.result);
    steps_next_line(writing);
    pen_print(&writing->pen, style_of(ROLE_TEXT),
              "head %zu is uniform: the same for all %zu tokens that it may attend to",
              writing->sheet->steps->at.head, writing->arithmetic.left);
}

void steps_say_nothing(struct steps_writing *writing)
{
    const struct steps_sheet *sheet = writing->sheet;
    steps_say(writing, " = 0");
    steps_next_line(writing);
    if (sheet->stage == STAGE_CONTEXT)
        pen_print(&writing->pen, style_of(ROLE_TEXT), "head %zu is switched off",
                  sheet->steps->at.head);
    else
        steps_say(writing, sheet->steps->left == 0 ? "there is nothing left to attend to"
                                                   : "the head may not attend to this token");
}

/* ---- Behind a sum ---- */

void steps_say_length(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct steps_sheet *sheet = writing->sheet;
    steps_say_result(writing);
    steps_next_line(writing);
    pen_print(
        &writing->pen, style_of(ROLE_FAINT),
        "the length of a = W_o · context, for the part of W_o that is head %zu's: %s(%sa[i]·a[i])",
        sheet->number, canvas_ascii(sheet->canvas) ? "root" : "√", steps_sigma(sheet));
    steps_next_line(writing);
    steps_say(writing, "the largest of a:");
    for (size_t i = 0; i < arithmetic->count && writing->pen.x + 16 < writing->pen.end; i++) {
        pen_print(&writing->pen, style_of(ROLE_FAINT), "  a[%zu] ", arithmetic->terms[i].index);
        steps_say_number(writing, arithmetic->terms[i].left);
    }
}

/* "attention + back" */
static void write_sum(const struct operation *rule, char *text, size_t size)
{
    const bool two = rule->with != STAGE_COUNT;
    snprintf(text, size, "%s%s%s", stage_name(rule->from), two ? " + " : "",
             two ? stage_name(rule->with) : "");
}

void steps_say_norm(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct steps_sheet *sheet = writing->sheet;
    const struct operation rule = steps_rule_of(writing);
    const bool biased = steps_has_bias(writing);
    char sum[STEPS_FORMULA];
    write_sum(&rule, sum, sizeof sum);
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = (%s - mean) / %s(variance + %.0e) · gain%s",
              sum, steps_root(sheet), arithmetic->epsilon, biased ? " + b" : "");
    steps_next_line(writing);
    steps_say(writing, "= (");
    steps_say_number(writing, arithmetic->from);
    if (rule.with != STAGE_COUNT)
        pen_print(&writing->pen, style_of(ROLE_TEXT), " %s", steps_number(arithmetic->added).text);
    pen_print(&writing->pen, style_of(ROLE_TEXT), " minus mean %s) / %s%.3g · %s",
              steps_number(arithmetic->moments.mean).text, steps_root(sheet),
              arithmetic->moments.variance, steps_number(arithmetic->gain).text);
    if (biased)
        pen_print(&writing->pen, style_of(ROLE_TEXT), " %s",
                  steps_number(arithmetic->constant).text);
    steps_say_result(writing);
    steps_next_line(writing);
    pen_print(&writing->pen, style_of(ROLE_FAINT),
              "mean, variance: of the %zu numbers %s; gain%s: learnt",
              sheet->steps->stage[sheet->stage].count, sum, biased ? ", b" : "");
}

void steps_say_active(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct operation rule = steps_rule_of(writing);
    const double x = arithmetic->argument;
    const bool relu = rule.activation == ACTIVATION_RELU, gated = rule.with != STAGE_COUNT;
    const double share = x != 0 ? activation_of(rule.activation, x) / x : 0.5;
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = %s(%s[%zu])", relu ? "ReLU" : "GELU",
              stage_name(rule.from), writing->sheet->number);
    if (gated)
        pen_print(&writing->pen, style_of(ROLE_FAINT), "·%s[%zu]", stage_name(rule.with),
                  writing->sheet->number);
    steps_say_result(writing);
    steps_next_line(writing);
    if (relu)
        pen_print(&writing->pen, style_of(ROLE_TEXT), "the larger of 0 and %s",
                  steps_number(x).text);
    else
        pen_print(&writing->pen, style_of(ROLE_TEXT), "= %s · %.3f", steps_number(x).text, share);
    if (gated)
        pen_print(&writing->pen, style_of(ROLE_TEXT), relu ? ", times %s" : " · %s",
                  steps_number(arithmetic->gain).text);
    steps_next_line(writing);
    steps_say(writing, relu ? ""
                       : rule.activation == ACTIVATION_GELU_NEW
                           ? "x times the share of a normal distribution below x, by tanh"
                           : "x times the share of a normal distribution below x");
    steps_say(writing, gated && !relu ? "; and the gate" : "");
}
