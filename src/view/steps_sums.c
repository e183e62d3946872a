/* steps_sums.c: numbers that are sums: of products, of an embedding's parts, of two that are turned
 * together, of what is added back. */
#include "headlight/view/steps_writing.h"

#include <string.h>

/* ---- In signs ---- */

/* "Σ q[d]·k[d] / 5.66 + distance" */
static void say_score(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const bool inside =
        arithmetic->has_distance[DISTANCE_QUERY] || arithmetic->has_distance[DISTANCE_KEY];
    pen_print(&writing->pen, style_of(ROLE_FAINT), "%s%sq[d]·k[d]%s", inside ? "(" : "",
              steps_sigma(writing->sheet), inside ? " + distance)" : "");
    if (arithmetic->divisor != 1)
        pen_print(&writing->pen, style_of(ROLE_FAINT), " / %.3g", arithmetic->divisor);
    steps_say(writing, arithmetic->has_bias ? " + distance" : "");
}

/* The sum in signs: "Σ x[i]·W_q[5,i] + b[5]". */
static void say_sum(struct steps_writing *writing)
{
    const struct steps_sheet *sheet = writing->sheet;
    const struct operation rule = steps_rule_of(writing);
    const size_t row = steps_first_row(&sheet->steps->at, sheet->stage) + sheet->number;
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = ");
    if (rule.kind == OPERATION_EMBED) {
        char formula[STEPS_FORMULA];
        steps_write_formula(sheet, sheet->stage, formula);
        steps_say(writing, formula);
    } else if (rule.kind == OPERATION_SCORE) {
        say_score(writing);
    } else if (rule.kind == OPERATION_WEIGH) {
        pen_print(&writing->pen, style_of(ROLE_FAINT), "%sweight[t]·v[t,%zu]", steps_sigma(sheet),
                  sheet->number);
    } else {
        const bool convolved = rule.kind == OPERATION_CONVOLVE;
        const char *from = sheet->stage == STAGE_HEADS ? "contexts" : stage_name(rule.from);
        pen_print(&writing->pen, style_of(ROLE_FAINT), "%s%s[%s]·%s[%zu,%s]", steps_sigma(sheet),
                  from, convolved ? "t,i" : "i", rule.matrix, row, convolved ? "t,i" : "i");
        if (steps_has_bias(writing))
            pen_print(&writing->pen, style_of(ROLE_FAINT), " + b[%zu]", row);
    }
}

/* ---- In numbers ---- */

static double value_of(const struct step_term *term)
{
    return term->left * term->right;
}

double steps_sum_from(const struct arithmetic *arithmetic, size_t first)
{
    double sum = 0;
    for (size_t i = first; i < arithmetic->count; i++)
        sum += value_of(&arithmetic->terms[i]);
    return sum;
}

#define TERMS_COLUMNS    9  /* "+24.15 " … */
#define REST_COLUMNS     42 /* " and 1020 smaller ones +32.86 + b +0.02) / 5.66" */
#define DISTANCE_COLUMNS 20 /* " + q·distance +12.34" */

static void say_part(struct steps_writing *writing, const char *name, bool there, double value)
{
    if (!there)
        return;
    steps_say(writing, name);
    steps_say_number(writing, value);
}

/* The columns of what distances add. */
static int distance_columns(const struct arithmetic *arithmetic)
{
    return (arithmetic->has_distance[DISTANCE_QUERY] + arithmetic->has_distance[DISTANCE_KEY] +
            arithmetic->has_bias) *
           DISTANCE_COLUMNS;
}

/* The largest summands, as many as there is room for, and what the others add. */
static void say_terms(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const bool divided = arithmetic->divisor != 1;
    size_t shown = 0;
    steps_say(writing, divided ? "= (" : "= ");
    while (shown < arithmetic->count &&
           (shown == 0 ||
            writing->pen.x + TERMS_COLUMNS + REST_COLUMNS + distance_columns(arithmetic) <
                writing->pen.end)) {
        steps_say(writing, shown > 0 ? " " : "");
        steps_say_number(writing, value_of(&arithmetic->terms[shown++]));
    }
    if (shown < arithmetic->count) {
        pen_print(&writing->pen, style_of(ROLE_FAINT), " and %zu smaller ones ",
                  arithmetic->count - shown);
        steps_say_number(writing, steps_sum_from(arithmetic, shown));
    }
    if (steps_rule_of(writing).linear && steps_has_bias(writing)) {
        steps_say(writing, " + b ");
        steps_say_number(writing, arithmetic->constant);
    }
    say_part(writing, " + q·distance ", arithmetic->has_distance[DISTANCE_QUERY],
             arithmetic->distance[DISTANCE_QUERY]);
    say_part(writing, " + k·distance ", arithmetic->has_distance[DISTANCE_KEY],
             arithmetic->distance[DISTANCE_KEY]);
    if (divided)
        pen_print(&writing->pen, style_of(ROLE_TEXT), ") / %.3g", arithmetic->divisor);
    say_part(writing, " + distance ", arithmetic->has_bias, arithmetic->bias);
}

#define FACTOR_COLUMNS 36
#define HEADED_COLUMNS 41 /* "head 11[63] +0.0625 × -0.0312 = -0.0019" and a gap */

/* "i 17 +1.31 × +0.41 = +0.54": the numbers have what they need, the source what is left. */
static void say_factor(const struct steps_writing *writing, const struct step_term *term,
                       struct pen pen)
{
    char source[512];
    const struct step_text left = steps_number(term->left), right = steps_number(term->right);
    const struct step_text value = steps_number(value_of(term));
    const size_t needed = strlen(left.text) + strlen(right.text) + strlen(value.text) + 7;
    steps_write_source(writing, term->index, source, sizeof source);
    pen.x += canvas_text(pen.canvas, pen.y, pen.x, pen.end - pen.x - (int)needed,
                         style_of(ROLE_FAINT), source);
    pen_print(&pen, style_of(ROLE_TEXT), " %s", left.text);
    pen_print(&pen, style_of(ROLE_FAINT), " × ");
    pen_print(&pen, style_of(ROLE_TEXT), "%s", right.text);
    pen_print(&pen, style_of(ROLE_FAINT), " = %s", value.text);
}

/* The factors of the largest summands, below each other in columns. */
static void say_factors(struct steps_writing *writing, int lines)
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

void steps_say_sums(struct steps_writing *writing)
{
    say_sum(writing);
    steps_say_result(writing);
    steps_next_line(writing);
    say_terms(writing);
    steps_next_line(writing);
    say_factors(writing, writing->sheet->arithmetic.rows - 2);
}

/* ---- Of two or three ---- */

void steps_say_embedding(struct steps_writing *writing)
{
    static const char *const names[] = {"word ", "position ", "segment "};
    static const char *const numbers[] = {"", "a row of a table", "a row each of two tables",
                                          "a row each of three tables"};
    static const char *const rows[] = {": of the piece", ", of its place", ", of its sentence"};
    const struct arithmetic *arithmetic = &writing->arithmetic;
    bool shown[EMBEDDED_PARTS] = {false};
    say_sum(writing);
    steps_say_result(writing);
    steps_next_line(writing);
    steps_say(writing, "=");
    for (size_t part = 0; part < EMBEDDED_PARTS; part++)
        for (size_t i = 0; i < arithmetic->count; i++)
            if (arithmetic->terms[i].index == part) {
                steps_say(writing, part > 0 ? "   " : " ");
                steps_say(writing, names[part]);
                steps_say_number(writing, arithmetic->terms[i].left);
                shown[part] = true;
            }
    steps_next_line(writing);
    steps_say(writing, numbers[arithmetic->count]);
    for (size_t part = 0; part < EMBEDDED_PARTS; part++)
        steps_say(writing, shown[part] ? rows[part] : "");
}

/* A number of the first half of the dimensions and one of the second are turned together. */
void steps_say_turned(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const char *from = stage_name(steps_rule_of(writing).from);
    const struct step_term *own = &arithmetic->terms[0], *other = &arithmetic->terms[1];
    if (own->index != writing->sheet->number) {
        own = other;
        other = &arithmetic->terms[0];
    }
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = %s[%zu]·cos %s %s[%zu]·sin", from,
              own->index, own->index < other->index ? "-" : "+", from, other->index);
    steps_say_result(writing);
    steps_next_line(writing);
    steps_say(writing, "= ");
    pen_print(&writing->pen, style_of(ROLE_TEXT), "%s · %.3f %s ", steps_number(own->left).text,
              own->right, own->index < other->index ? "-" : "+");
    pen_print(&writing->pen, style_of(ROLE_TEXT), "%s · %.3f", steps_number(other->left).text,
              own->index < other->index ? -other->right : other->right);
    steps_next_line(writing);
    pen_print(
        &writing->pen, style_of(ROLE_FAINT),
        "the two are turned by %.3g radians: at place %zu, and slower the later the dimension",
        arithmetic->argument, writing->sheet->steps->at.token);
}

void steps_say_added(struct steps_writing *writing)
{
    const struct arithmetic *arithmetic = &writing->arithmetic;
    const struct operation rule = steps_rule_of(writing);
    const size_t n = writing->sheet->number;
    pen_print(&writing->pen, style_of(ROLE_FAINT), " = %s[%zu] + %s[%zu]", stage_name(rule.from), n,
              stage_name(rule.with), n);
    steps_say_result(writing);
    steps_next_line(writing);
    steps_say(writing, "= ");
    steps_say_number(writing, arithmetic->from);
    steps_say(writing, " ");
    steps_say_number(writing, arithmetic->added);
    steps_next_line(writing);
    steps_say(writing, "added as it is: LayerNorm comes before what is made of it");
}
