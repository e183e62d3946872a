/* steps_explain.c: how the number under the cursor of the steps view comes about: a line that says
 * what it is, a line of numbers, and lines of the largest summands with their factors. There is a
 * function for each kind of arithmetic; each goes on behind the name of its number, "q[5]". */
#include "headlight/view/sentence.h"
#include "headlight/view/steps_sheet.h"

struct explanation {
    const struct steps_sheet *sheet;
    const struct operation *operation; /* of the sheet's stage */
    bool biased;                       /* whether its sum ends in "+ b" */
    struct arithmetic of;              /* the sheet's number; its terms are the sheet's steps' */
    struct pen pen;                    /* where the next word goes */
    bool ascii;
};

/* ---- Words and numbers ---- */

#define INDENT      4
#define NUMBER(of)  steps_number(of).text
#define RESULT_LINE " = <%s>\n"

/* pen_write, where "\n" goes on to the next line. A single "}" begins a new piece. */
static void say(struct explanation *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct explanation *out, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *line = text, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        pen_write(&out->pen, "%s", line);
        out->pen.y += end != NULL;
        out->pen.x = end ? out->sheet->arithmetic.x + 2 + INDENT : out->pen.x;
    }
}

#define PAIR_KEPT 40 /* columns for what follows a pair */

/* ---- Sums of products ---- */

/* The sum as a formula: "Σ x[i]·W_q[5,i] + b[5]". */
static void say_sum(struct explanation *out)
{
    const struct steps_sheet *sheet = out->sheet;
    const size_t row = steps_first_row(&sheet->steps->at, sheet->stage) + sheet->number;
    const char *index = out->operation->kind == OPERATION_CONVOLVE ? "t,i" : "i";
    const char *sigma = steps_sigma(sheet), *from = stage_name(out->operation->from);
    const bool divided = out->of.divisor != 1, one = out->of.count == 1;
    const bool inside = out->of.has_distance[DISTANCE_QUERY] || out->of.has_distance[DISTANCE_KEY];
    say(out, " = ");
    switch (out->operation->kind) {
    case OPERATION_SCORE: /* "Σ q[d]·k[d] / 5.66 = +56.29 / 5.66", "… / 5.66 + distance" */
        say(out, "%s%sq[d]·k[d]%s", inside ? "(" : "", sigma, inside ? " + distance)" : "");
        if (divided)
            say(out, " / %.3g", out->of.divisor);
        if (divided && !inside && !out->of.has_bias)
            say(out, " = {%s} / %.3g", NUMBER(out->of.result * out->of.divisor), out->of.divisor);
        say(out, out->of.has_bias ? " + distance" : "");
        break;
    case OPERATION_WEIGH:
        say(out, "%sweight[t]·v[t,%zu]", sigma, sheet->number);
        break;
    case OPERATION_POOL: /* "output[5] of [CLS]", "Σ share[t]·output[t,5]" */
        say(out, one ? "%s%s[%zu] of " : "%sshare[t]·%s[t,%zu]", one ? "" : sigma, from,
            sheet->number % sheet->steps->at.trace->hidden);
        if (one)
            steps_print_name(&out->pen, style_of(ROLE_FAINT),
                             steps_token(sheet, out->of.terms[0].index).text);
        break;
    case OPERATION_UNIT:
        say(out, "%s[%zu] / its length", from, sheet->number);
        break;
    default:
        say(out, "%s%s[%s]·%s[%zu,%s]", sigma, sheet->stage == STAGE_HEADS ? "contexts" : from,
            index, out->operation->matrix, row, index);
        if (out->biased)
            say(out, " + b[%zu]", row);
    }
}

/* The terms from `first` on. */
static double sum_from(const struct explanation *out, size_t first)
{
    double sum = 0;
    for (size_t i = first; i < out->of.count; i++)
        sum += out->of.terms[i].left * out->of.terms[i].right;
    return sum;
}

#define TERMS_COLUMNS    9  /* "+24.15 " … */
#define REST_COLUMNS     42 /* " and 1020 smaller ones +32.86 + b +0.02) / 5.66" */
#define DISTANCE_COLUMNS 20 /* " + q·distance +12.34" */

/* The largest summands, as many as there is room for, and what the others add. */
static void say_terms(struct explanation *out)
{
    const bool by_query = out->of.has_distance[DISTANCE_QUERY];
    const bool by_key = out->of.has_distance[DISTANCE_KEY];
    const bool divided = out->of.divisor != 1;
    const int kept =
        TERMS_COLUMNS + REST_COLUMNS + (by_query + by_key + out->of.has_bias) * DISTANCE_COLUMNS;
    size_t shown = 0;
    say(out, divided ? "= (" : "= ");
    while (shown < out->of.count && (shown == 0 || out->pen.x + kept < out->pen.end)) {
        const struct step_term *term = &out->of.terms[shown];
        say(out, "%s{%s}", shown > 0 ? " " : "", NUMBER(term->left * term->right));
        shown++;
    }
    if (shown < out->of.count)
        say(out, " and %zu smaller ones {%s}", out->of.count - shown, NUMBER(sum_from(out, shown)));
    if (out->operation->linear && out->biased)
        say(out, " + b {%s}", NUMBER(out->of.constant));
    if (by_query)
        say(out, " + q·distance {%s}", NUMBER(out->of.distance[DISTANCE_QUERY]));
    if (by_key)
        say(out, " + k·distance {%s}", NUMBER(out->of.distance[DISTANCE_KEY]));
    if (divided)
        say(out, "{) / %.3g}", out->of.divisor);
    if (out->of.has_bias)
        say(out, " + distance {%s}", NUMBER(out->of.bias));
}

#define FACTOR_COLUMNS 36
#define HEADED_COLUMNS 41 /* "head 11[63] +0.0625 × -0.0312 = -0.0019" and a gap */

/* First the formula, then its largest summands, then what those are products of. Which tables an
 * embedding has depends on the family and on the changes to the network; parts that are missing are
 * not mentioned. */
static void explain_sum(struct explanation *out)
{
    if (out->operation->kind == OPERATION_EMBED) { /* which is made of no other stage */
        char formula[STEPS_FORMULA];
        steps_write_formula(out->sheet, out->sheet->stage, formula);
        static const char *const names[] = {"word", "position", "segment"};
        static const char *const tables[] = {"", "a row of a table", "a row each of two tables",
                                             "a row each of three tables"};
        static const char *const rows[] = {": of the piece", ", of its place", ", of its sentence"};
        const struct step_term *parts[EMBEDDED_PARTS] = {NULL};
        for (size_t i = 0; i < out->of.count; i++)
            parts[out->of.terms[i].index] = &out->of.terms[i];
        say(out, " = }%s}" RESULT_LINE "=", formula, NUMBER(out->of.result));
        for (size_t part = 0; part < EMBEDDED_PARTS; part++)
            if (parts[part])
                say(out, "%s}%s {%s}", part > 0 ? "   " : " ", names[part],
                    NUMBER(parts[part]->left));
        say(out, "\n%s", tables[out->of.count]);
        for (size_t part = 0; part < EMBEDDED_PARTS; part++)
            say(out, "%s", parts[part] ? rows[part] : "");
        return;
    }
    say_sum(out);
    say(out, RESULT_LINE, NUMBER(out->of.result));
    say_terms(out);
    say(out, "\n");
    /* The factors of the largest summands, in columns: "i 17 +1.31 × +0.41 = +0.54". The numbers
     * come first, the name of the source is cut to what room they leave. */
    const struct pen *pen = &out->pen;
    const int columns = out->sheet->stage == STAGE_HEADS ? HEADED_COLUMNS : FACTOR_COLUMNS,
              lines = out->sheet->arithmetic.rows - 2, room = pen->end - pen->x,
              across = room > 2 * columns ? room / columns : 1;
    for (int i = 0; i < across * lines && (size_t)i < out->of.count; i++) {
        const struct step_term *term = &out->of.terms[i];
        const int x = pen->x + i % across * columns;
        const int width = across > 1 || room > columns ? columns - 2 : room;
        const struct weight_text left = steps_number(term->left), right = steps_number(term->right),
                                 value = steps_number(term->left * term->right);
        const int needed = (int)(strlen(left.text) + strlen(right.text) + strlen(value.text)) + 7;
        struct pen at = {pen->canvas, pen->y + i / across, x, x + width};
        char source[512];
        steps_write_source(out->sheet, term->index, source, sizeof source);
        at.x += canvas_text(at.canvas, at.y, x, width - needed, style_of(ROLE_FAINT), source);
        pen_write(&at, "{ %s} × {%s} = %s", left.text, right.text, value.text);
    }
}

/* A dimension of the first half and one of the second make a plane, in which they are rotated. */
static void explain_rotated(struct explanation *out)
{
    const char *from = stage_name(out->operation->from);
    const bool first = out->of.terms[0].index == out->sheet->number;
    const struct step_term *own = &out->of.terms[!first], *other = &out->of.terms[first];
    const bool minus = own->index < other->index;
    say(out, " = %s[%zu]·cos %s %s[%zu]·sin}" RESULT_LINE, from, own->index, minus ? "-" : "+",
        from, other->index, NUMBER(out->of.result));
    say(out, "= {%s · %.3f %s }{%s · %.3f}\n", NUMBER(own->left), own->right, minus ? "-" : "+",
        NUMBER(other->left), minus ? -other->right : other->right);
    say(out, "the two are turned by %.3g radians: at place %zu, and slower the later the dimension",
        out->of.argument, out->sheet->steps->at.token);
}

/* Where normalisation comes first, a residual is a plain sum. */
static void explain_added(struct explanation *out)
{
    const size_t number = out->sheet->number;
    say(out, " = %s[%zu] + %s[%zu]}" RESULT_LINE, stage_name(out->operation->from), number,
        stage_name(out->operation->with), number, NUMBER(out->of.result));
    say(out, "= {%s} {%s}\n", NUMBER(out->of.from), NUMBER(out->of.added));
    say(out, "added as it is: %s comes before what is made of it",
        steps_norm(&out->sheet->steps->stage[STAGE_RENORMED].operation));
}

/* ---- Attention ---- */

/* The reasons are told apart where the network itself says why; a recording only has the number. */
static void explain_masked(struct explanation *out)
{
    static const char *const reasons[] = {[HIDDEN_TOKEN] = "is hidden from all",
                                          [HIDDEN_CUT] = "is cut off in this head",
                                          [HIDDEN_CAUSAL] = "comes later: the mask is causal",
                                          [HIDDEN_REACH] =
                                              "is out of reach: this layer sees only what is near",
                                          [HIDDEN_MASK] = "is masked"};
    const struct steps_sheet *sheet = out->sheet;
    const enum hidden_by why = steps_hidden(&sheet->steps->at, sheet->number);
    say(out, RESULT_LINE, NUMBER(out->of.result));
    steps_print_name(&out->pen, style_of(ROLE_TEXT), steps_token(out->sheet, sheet->number).text);
    say(out, "{ %s}", reasons[why ? why : HIDDEN_MASK]);
    if (why == HIDDEN_REACH)
        say(out, "{, at most %zu tokens away}", sheet->steps->at.model->config.reach);
    say(out, "\nminus infinity, of which softmax makes the weight 0");
}

/* The largest score or logit is subtracted first, as in every implementation: it changes no weight,
 * and no exponential can overflow. */
static void explain_softmax(struct explanation *out)
{
    const char *of = out->sheet->stage == STAGE_WEIGHTS ? "score" : "logit";
    const double largest = out->of.softmax.largest, total = out->of.softmax.total;
    say(out, " = exp(%s - largest %s) / sum of all such} = <%.3f>\n", of, of, out->of.result);
    if (isinf(out->of.argument))
        say(out, "= exp(-inf)");
    else
        say(out, "{= exp(%.2f - %.2f)}", out->of.argument, largest);
    say(out, "{ / %.3f}{ = %.3f / %.3f}\n", total, exp(out->of.argument - largest), total);
    say(out, "the sum: "); /* the largest exponentials first */
    struct pen *pen = &out->pen;
    enum { TAIL = 36 };
    size_t shown = 0;
    while (shown < out->of.count && pen->x + TAIL < pen->end) {
        const struct step_term *term = &out->of.terms[shown];
        char source[512];
        steps_write_source(out->sheet, term->index, source, sizeof source);
        if (pen->x + (int)text_width(source, out->ascii) + TAIL > pen->end)
            break;
        say(out, shown++ > 0 ? " + " : "");
        steps_print_name(pen, style_of(ROLE_FAINT), source);
        say(out, "{ %.3f}", term->left);
    }
    if (shown < out->of.count)
        say(out, " and %zu smaller %.3f", out->of.count - shown, sum_from(out, shown));
}

/* A head made uniform takes no notice of its scores. */
static void explain_equal(struct explanation *out)
{
    say(out, " = 1 / %zu = <%.3f>\n", out->of.left, out->of.result);
    say(out, "{head %zu is uniform: the same for all %zu tokens that it may attend to",
        out->sheet->steps->at.head, out->of.left);
}

/* Either the head is switched off, or a mask left it nothing to attend to. */
static void explain_nothing(struct explanation *out)
{
    const struct steps *steps = out->sheet->steps;
    say(out, " = 0\n");
    if (out->sheet->stage == STAGE_CONTEXT)
        say(out, "{head %zu is switched off", steps->at.head);
    else if (out->sheet->stage == STAGE_ANSWER)
        say(out, "{no answer starts or ends here: it is looked for in the second text");
    else
        say(out, steps->left == 0 ? "there is nothing left to attend to"
                                  : "the head may not attend to this token");
}

/* Heads side by side times W_o is the sum of each head times its own columns of W_o: that is what
 * the head adds. */
static void explain_length(struct explanation *out)
{
    const struct steps_sheet *sheet = out->sheet;
    say(out, RESULT_LINE, NUMBER(out->of.result));
    say(out, "%s(%sa[i]·a[i]) of a = W_o · context, with head %zu's part of W_o\n",
        out->ascii ? "root" : "√", steps_sigma(sheet), sheet->number);
    say(out, "the largest of a:");
    for (size_t i = 0; i < out->of.count && out->pen.x + 16 < out->pen.end; i++)
        say(out, "  a[%zu] {%s}", out->of.terms[i].index, NUMBER(out->of.terms[i].left));
}

/* ---- Functions of one number ---- */

/* LayerNorm (Ba et al. 2016), or without a mean RMSNorm (Zhang and Sennrich 2019). Where a residual
 * is added first, the formula has both summands, and so do the numbers. */
static void explain_norm(struct explanation *out)
{
    const struct steps_sheet *sheet = out->sheet;
    const bool two = out->operation->with != STAGE_NONE;
    const char *root = out->ascii ? "sqrt" : "√";
    char sum[STEPS_FORMULA]; /* "attention + back" */
    snprintf(sum, sizeof sum, "%s%s%s", stage_name(out->operation->from), two ? " + " : "",
             two ? stage_name(out->operation->with) : "");
    const bool centred = strcmp(steps_norm(out->operation), "LayerNorm") == 0;
    const char *variance = centred ? "variance" : "mean square";
    say(out, centred ? " = (%s - mean)" : " = %s", sum);
    say(out, " / %s(%s + %.0e) · gain%s\n", root, variance, out->of.epsilon,
        out->biased ? " + b" : "");
    say(out, centred ? "= ({%s}" : "= {%s}", NUMBER(out->of.from));
    if (two)
        say(out, "{ %s}", NUMBER(out->of.added));
    if (centred)
        say(out, "{ minus mean %s)}", NUMBER(out->of.moments.mean));
    say(out, "{ / %s%.3g · %s}", root, out->of.moments.variance, NUMBER(out->of.gain));
    if (out->biased)
        say(out, "{ %s}", NUMBER(out->of.constant));
    say(out, RESULT_LINE, NUMBER(out->of.result));
    say(out, "%s%s: of the %zu numbers %s; gain%s: learnt", centred ? "mean, " : "", variance,
        sheet->steps->stage[sheet->stage].count, sum, out->biased ? ", b" : "");
}

/* What x is multiplied with. */
static const char *const shares[] = {
    [ACTIVATION_GELU] = "share of a normal distribution below x",
    [ACTIVATION_GELU_NEW] = "share of a normal distribution below x, by tanh",
    [ACTIVATION_SILU] = "sigmoid of x",
};

/* An activation is shown as x times a share, which is how GELU is defined (Hendrycks and Gimpel
 * 2016); at 0 the share is its limit, a half. ReLU is the larger of 0 and x. */
static void explain_active(struct explanation *out)
{
    const size_t number = out->sheet->number;
    const double x = out->of.argument;
    const bool gated = out->operation->with != STAGE_NONE;
    const bool relu = out->operation->activation == ACTIVATION_RELU;
    const bool tanh = out->operation->activation == ACTIVATION_TANH;
    say(out, " = %s(%s[%zu])", steps_activation(out->operation), stage_name(out->operation->from),
        number);
    if (gated)
        say(out, "·%s[%zu]", stage_name(out->operation->with), number);
    say(out, RESULT_LINE, NUMBER(out->of.result));
    if (relu)
        say(out, "{the larger of 0 and %s}", NUMBER(x));
    else if (tanh)
        say(out, "{tanh of %s}", NUMBER(x));
    else
        say(out, "{= %s · %.3f}", NUMBER(x),
            x != 0 ? activation_of(out->operation->activation, x) / x : 0.5);
    if (gated)
        say(out, "{%s%s}", relu || tanh ? ", times " : " · ", NUMBER(out->of.gain));
    if (relu || tanh)
        return;
    say(out, "\nx times the %s}%s", shares[out->operation->activation],
        gated ? "; and the gate" : "");
}

static void explain_scaled(struct explanation *out)
{
    say(out, " = %s[%zu] · %.4g}" RESULT_LINE, stage_name(out->operation->from), out->sheet->number,
        out->of.gain, NUMBER(out->of.result));
    say(out, "= {%s · %.4g}", NUMBER(out->of.argument), out->of.gain);
}

/* A temperature divides a score behind its cap. */
static void explain_capped(struct explanation *out)
{
    const double most = out->of.gain;
    const char *from = steps_shown[out->operation->from].word;
    say(out, " = %.3g · tanh(%s / %.3g)", most, from, most);
    if (out->of.divisor != 1)
        say(out, " / %.3g", out->of.divisor);
    say(out, RESULT_LINE "= %.3g · tanh({%s / %.3g})\n", NUMBER(out->of.result), most,
        NUMBER(out->of.argument), most);
    say(out, "small ones stay as they are, none gets beyond %.3g", most);
}

static void explain_sigmoid(struct explanation *out)
{
    say(out, " = 1 / (1 + exp(-logit))} = <%.3f>\n", out->of.result);
    say(out, "{= 1 / (1 + %.3f)}: by itself, whatever the others are", exp(-out->of.argument));
}

/* ---- The whole ---- */

/* What a stage takes over from the layer before, or from a recording, has no arithmetic here. */
static void explain_taken(struct explanation *out)
{
    const struct steps_at *at = &out->sheet->steps->at;
    say(out, RESULT_LINE, NUMBER(out->of.result));
    if (at->model)
        say(out, "{the output of layer %zu; ← goes there", at->layer - 1);
    else
        say(out, "as recorded; what it follows from is not in the recording");
}

/* A stage that the recording lacks has no number to explain: then the line says what is missing. */
void steps_draw_arithmetic(const struct steps_sheet *sheet)
{
    static void (*const explain[])(struct explanation *) = {
        [ARITHMETIC_NONE] = explain_taken,    [ARITHMETIC_SUM] = explain_sum,
        [ARITHMETIC_SCALED] = explain_scaled, [ARITHMETIC_CAPPED] = explain_capped,
        [ARITHMETIC_ADDED] = explain_added,   [ARITHMETIC_ROTATED] = explain_rotated,
        [ARITHMETIC_MASKED] = explain_masked, [ARITHMETIC_SOFTMAX] = explain_softmax,
        [ARITHMETIC_EQUAL] = explain_equal,   [ARITHMETIC_NOTHING] = explain_nothing,
        [ARITHMETIC_LENGTH] = explain_length, [ARITHMETIC_NORM] = explain_norm,
        [ARITHMETIC_ACTIVE] = explain_active, [ARITHMETIC_SIGMOID] = explain_sigmoid};
    const struct area area = sheet->arithmetic;
    const struct step_numbers *of = &sheet->steps->stage[sheet->stage];
    struct explanation explanation = {
        .sheet = sheet,
        .operation = &of->operation,
        .biased = steps_is_biased(&sheet->steps->at, sheet->stage),
        .pen = {sheet->canvas, area.y, area.x + 2, area.x + area.columns - 1},
        .ascii = canvas_ascii(sheet->canvas)};
    if (of->count == 0) {
        say(&explanation, "{this recording has no %s: %s of layer %zu can't be shown", of->missing,
            stage_name(sheet->stage), sheet->steps->at.layer);
        return;
    }
    /* The terms stay in the steps until the next number is asked for. What it is: "q[5]", "score
     * the → cat", "length of what head 3 adds". */
    steps_arithmetic(sheet->steps, sheet->stage, sheet->number, &explanation.of);
    const struct stage_shown *shown = &steps_shown[sheet->stage];
    if (shown->word && !shown->answers) {
        say(&explanation, "<%s ", shown->word);
        caption_pair(sheet->scene, &explanation.pen, style_bold(ROLE_STRONG),
                     sheet->steps->at.token, sheet->number, PAIR_KEPT);
    } else if (shown->answers) {
        say(&explanation, "<%s of ", shown->word);
        steps_print_name(&explanation.pen, style_bold(ROLE_STRONG),
                         steps_item_name(sheet, sheet->stage, sheet->number).text);
    } else if (sheet->stage == STAGE_ADDED)
        say(&explanation, "<length of what head %zu adds", sheet->number);
    else
        say(&explanation, "<%s[%zu]", stage_name(sheet->stage), sheet->number);
    explain[explanation.of.kind](&explanation);
}
