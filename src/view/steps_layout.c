/* steps_layout.c: where the parts of the steps view stand. Every stage has a row; lists of tokens
 * get more rows where there are any left, and what still is left goes to the arithmetic below. The
 * list of stages scrolls when the screen is too low for it. */
#include "headlight/view/answers.h"
#include "headlight/view/steps_sheet.h"

#define FRAMED_ROWS     26 /* from this height on there is room for a heading and blank rows */
#define ARITHMETIC_ROWS 4
#define ARITHMETIC_MORE 4
#define FORMULA_COLUMNS 26
#define NOTE_COLUMNS    27
#define NOTED_COLUMNS   110 /* from this width on there is room for notes */
#define LABEL_MOST      10
#define BODY_LEAST      16
#define LIST_ROWS_LEAST 2
#define GENEROUS_ROWS   8  /* spare, for more than one row of answers */
#define NAMED           10 /* answers whose names decide how wide those columns are */

/* ---- What is shown ---- */

/* Without a chosen token it is the first one. */
struct steps_at steps_place(const struct scene *scene)
{
    const struct checkpoint *checkpoint = scene->data.checkpoint;
    const struct encoded *encoded = scene->data.encoded;
    const size_t token = scene_token(scene, SIDE_LEFT);
    return (struct steps_at){.model = checkpoint ? checkpoint->model : NULL,
                             .trace = scene->data.trace,
                             .layer = scene->look.layer,
                             .head = scene->look.head,
                             .token = token < scene->data.tokens ? token : 0,
                             .divisor = scene->data.divisor,
                             .output = answers_output(&scene->look, &scene->data),
                             .encoding = encoded ? encoded->encoding : NULL,
                             .answer = scene->look.answer + 1 /* of NO_TOKEN 0 */};
}

/* A family's layer has only some of the stages: few have a convolution or rotated positions. */
bool steps_has(const struct steps_at *at, enum stage stage)
{
    return steps_operation(at, stage).kind != OPERATION_ABSENT;
}

/* The look keeps the stage that was chosen, so that a layer without it shows another one and the
 * next layer shows it again: the next stage, else the last. */
enum stage steps_stage(const struct scene *scene)
{
    const struct steps_at at = steps_place(scene);
    enum stage stage = scene->look.stage;
    while (stage < STAGE_COUNT - 1 && !steps_has(&at, stage))
        stage++;
    while (!steps_has(&at, stage))
        stage--;
    return stage;
}

/* The unit is as in the neuron view for queries, keys and values, and between them for what a
 * LayerNorm made. */
const struct stage_shown steps_shown[STAGE_COUNT] = {
    [STAGE_EMBEDDING] = {.unit = 0.25F},
    [STAGE_NARROW] = {.unit = 2, .hidden = true},
    [STAGE_INPUT] = {.unit = 2, .hidden = true},
    [STAGE_NORMED] = {.unit = 2, .hidden = true},
    [STAGE_PROJECTED_QUERY] = {.unit = 4},
    [STAGE_PROJECTED_KEY] = {.unit = 4},
    [STAGE_RAW_QUERY] = {.unit = 4},
    [STAGE_RAW_KEY] = {.unit = 4},
    [STAGE_QUERY] = {.unit = 4},
    [STAGE_KEY] = {.unit = 4},
    [STAGE_RAW_SCORES] = {.listed = true, .score = true, .word = "raw score"},
    [STAGE_SCORES] = {.listed = true, .score = true, .word = "score"},
    [STAGE_WEIGHTS] = {.listed = true, .word = "weight"},
    [STAGE_CONTEXT] = {.unit = 0.25F},
    [STAGE_HEADS] = {.hidden = true},
    [STAGE_ADDED] = {.listed = true},
    [STAGE_HEADS_NORMED] = {.unit = 2, .hidden = true},
    [STAGE_ATTENTION] = {.unit = 2, .hidden = true},
    [STAGE_RENORMED] = {.unit = 2, .hidden = true},
    [STAGE_FORWARD] = {.unit = 4, .activation = true},
    [STAGE_ACTIVE] = {.unit = 0.5F, .activation = true},
    [STAGE_BACK] = {.hidden = true},
    [STAGE_BACK_NORMED] = {.unit = 2, .hidden = true},
    [STAGE_JOINED] = {.unit = 2, .hidden = true},
    [STAGE_NEARBY] = {.activation = true},
    [STAGE_CONVOLVED] = {.unit = 0.5F, .activation = true},
    [STAGE_OUTPUT] = {.unit = 2},
    [STAGE_FINAL] = {.unit = 2, .hidden = true},
    [STAGE_POOLED] = {.unit = 2, .hidden = true},
    [STAGE_DENSE] = {.unit = 4},
    [STAGE_HEAD_ACTIVE] = {.unit = 4},
    [STAGE_HEAD_MEAN] = {.unit = 4, .hidden = true},
    [STAGE_HEAD_NORMED] = {.unit = 2, .hidden = true},
    [STAGE_UNIT] = {.unit = 0.25F},
    [STAGE_RAW_LOGITS] = {.listed = true, .answers = true, .score = true, .word = "raw logit"},
    [STAGE_LOGITS] = {.listed = true, .answers = true, .score = true, .word = "logit"},
    [STAGE_ANSWER] = {.listed = true, .answers = true, .word = "probability"},
};

/* Whether one number of a stage ranks above another: by magnitude, or by value. */
static bool is_more(enum stage stage, double a, double b)
{
    return steps_shown[stage].activation || steps_shown[stage].answers || steps_shown[stage].score
               ? a > b
               : fabs(a) > fabs(b);
}

bool steps_comes_before(const struct steps *steps, enum stage stage, size_t a, size_t b)
{
    const double *numbers = steps->stage[stage].numbers;
    return is_more(stage, numbers[a], numbers[b]) ||
           (a < b && !is_more(stage, numbers[b], numbers[a]));
}

size_t steps_largest(const struct steps *steps, enum stage stage, size_t first, size_t end)
{
    const double *numbers = steps->stage[stage].numbers;
    size_t best = first;
    for (size_t i = first + 1; i < end; i++)
        if (is_more(stage, numbers[i], numbers[best]))
            best = i;
    return best;
}

size_t steps_most_telling(const struct steps *steps, enum stage stage)
{
    stage = stage == STAGE_SCORES || stage == STAGE_RAW_SCORES ? STAGE_WEIGHTS : stage;
    if (steps_shown[stage].answers && steps->at.answer > 0 &&
        steps->at.answer <= steps->stage[stage].count)
        return steps->at.answer - 1;
    return steps_largest(steps, stage, 0, steps->stage[stage].count);
}

/* ---- Texts ---- */

/* Two or four decimals, so that three or four digits say something; what is smaller, or larger than
 * 10^6, is a power of ten. */
struct weight_text steps_number(double value)
{
    const double size = fabs(value);
    struct weight_text text;
    int decimals = size >= 99.95 ? 0 : size >= 0.0995 ? 2 : size >= 0.00095 ? 4 : 0;
    if (isinf(value))
        snprintf(text.text, sizeof text.text, "%cinf", value < 0 ? '-' : '+');
    else if (size == 0) /* or minus zero */
        snprintf(text.text, sizeof text.text, "0");
    else if (decimals == 0 && size < 1)
        snprintf(text.text, sizeof text.text, "%+.0e", value);
    else if (size >= 1e6)
        snprintf(text.text, sizeof text.text, "%+.2e", value);
    else
        snprintf(text.text, sizeof text.text, "%+.*f", decimals, value);
    return text;
}

/* A score of minus infinity is a masked one; its weight is 0 and printed as such. */
struct weight_text steps_item_number(enum stage stage, double value)
{
    struct weight_text text = {"masked"};
    if (steps_shown[stage].score && !isinf(value))
        snprintf(text.text, sizeof text.text, "%+.2f", value);
    else if (!isinf(value))
        snprintf(text.text, sizeof text.text, "%.*f", stage == STAGE_ADDED ? 2 : 3, value);
    return text;
}

/* canvas_text makes it safe, and returns the columns it took, which may be fewer than the room. */
void steps_print_name(struct pen *pen, struct style style, const char *name)
{
    pen->x += canvas_text(pen->canvas, pen->y, pen->x, pen->end - pen->x, style, name);
}

const char *steps_sigma(const struct steps_sheet *sheet)
{
    return canvas_ascii(sheet->canvas) ? "sum " : "Σ ";
}

struct token_name steps_token(const struct steps_sheet *sheet, size_t token)
{
    return scene_name(sheet->scene, SIDE_RIGHT, token, canvas_ascii(sheet->canvas));
}

/* Of a span there are two numbers, and one of whether a word was replaced. */
static struct token_name answer_name(const struct steps_sheet *sheet, size_t i)
{
    const struct data *data = &sheet->scene->data;
    const enum model_output output = sheet->steps->at.output;
    const struct target target = {.output = output, .id = output == OUTPUT_RTD ? 1 : (int32_t)i};
    struct token_name name = {""};
    if (output == OUTPUT_START)
        snprintf(name.text, sizeof name.text, i == 0 ? "start" : "end");
    else
        target_name(data->checkpoint, NULL, &target, name.text, sizeof name.text);
    return name;
}

/* What heads add is listed by head, what may be said by its name, all else by attended token. */
struct token_name steps_item_name(const struct steps_sheet *sheet, enum stage stage, size_t i)
{
    struct token_name name;
    if (steps_shown[stage].answers)
        return answer_name(sheet, i);
    if (stage != STAGE_ADDED)
        return steps_token(sheet, i);
    snprintf(name.text, sizeof name.text, "%zu", i);
    return name;
}

/* ---- Where a summand comes from ---- */

void steps_write_source(const struct steps_sheet *sheet, size_t index, char *text, size_t size)
{
    const enum stage stage = sheet->stage;
    const bool ascii = canvas_ascii(sheet->canvas);
    const size_t D = sheet->steps->at.trace->dimensions;
    if (stage == STAGE_ANSWER && sheet->steps->at.output != OUTPUT_START)
        text_safe(steps_item_name(sheet, stage, index).text, ascii, text, size);
    else if (stage == STAGE_CONTEXT || stage == STAGE_WEIGHTS || stage == STAGE_POOLED ||
             stage == STAGE_HEAD_MEAN || stage == STAGE_ANSWER)
        text_safe(steps_token(sheet, index).text, ascii, text, size);
    else if (stage == STAGE_HEADS)
        snprintf(text, size, "head %zu[%zu]", index / D, index % D);
    else if (stage == STAGE_NEARBY) { /* "cat[17]"; none before the first, or after the last */
        const struct steps_at *at = &sheet->steps->at;
        const size_t K = at->model->config.kernel, token = at->token + index % K - K / 2;
        char name[400] = "no token";
        if (token < at->trace->tokens) /* else wrapped around, too */
            text_safe(steps_token(sheet, token).text, ascii, name, sizeof name);
        snprintf(text, size, "%s[%zu]", name, index / K);
    } else
        snprintf(text, size, "%s %zu",
                 steps_shown[stage].score && !steps_shown[stage].answers ? "dim" : "i", index);
}

/* ---- Lists ---- */

/* Blanks after a number. */
static int gap_of(const struct steps_sheet *sheet, enum stage stage)
{
    return sheet->note_width > 0 || stage == STAGE_ADDED ? 2 : 1;
}

/* Both stages of what the model may say have the same order. Where the cursor is below the first of
 * them, the list begins at it. */
static void rank_answers(struct steps_sheet *sheet)
{
    const struct steps *steps = sheet->steps;
    const enum stage stage = STAGE_LOGITS;
    size_t before = 0, *ranked = sheet->ranked, *count = &sheet->ranked_count;
    const bool here = sheet->inside && steps_shown[sheet->stage].answers;
    for (size_t i = 0; here && i < steps->stage[stage].count; i++)
        before += steps_comes_before(steps, stage, i, sheet->number);
    for (size_t i = 0; i < steps->stage[stage].count; i++) {
        if (before >= STEPS_RANKED && steps_comes_before(steps, stage, i, sheet->number))
            continue;
        size_t place = *count;
        if (place == STEPS_RANKED && !steps_comes_before(steps, stage, i, ranked[place - 1]))
            continue;
        for (place -= place == STEPS_RANKED;
             place > 0 && steps_comes_before(steps, stage, i, ranked[place - 1]); place--)
            ranked[place] = ranked[place - 1];
        ranked[place] = i;
        *count += *count < STEPS_RANKED;
    }
}

/* As wide as the widest name and number that occur, so that the columns of a list stand below each
 * other. In a figure no name is cut. */
static int item_columns(const struct steps_sheet *sheet, enum stage stage)
{
    const bool ascii = canvas_ascii(sheet->canvas), heads = stage == STAGE_ADDED;
    const bool answers = steps_shown[stage].answers;
    const struct step_numbers *of = &sheet->steps->stage[stage];
    const bool figure = sheet->canvas->bare;
    const size_t count =
        !answers ? of->count : size_min(of->count, figure ? sheet->ranked_count : NAMED);
    size_t widest = 1, number = 1;
    for (size_t at = 0; at < count; at++) {
        const size_t i = answers ? sheet->ranked[at] : at;
        number = size_max(number, strlen(steps_item_number(stage, of->numbers[i]).text));
        if (!heads)
            widest =
                size_max(widest, text_width(answers ? answer_name(sheet, i).text
                                                    : scene_drawn(sheet->scene, SIDE_RIGHT, i).text,
                                            ascii));
    }
    widest += !heads || of->count > 10; /* equal names are told apart by a number */
    return (int)(size_min(widest, figure ? widest : LABEL_MOST) + 1 + number) +
           gap_of(sheet, stage);
}

int steps_items_per_row(const struct steps_sheet *sheet, enum stage stage)
{
    int columns = sheet->body_width + sheet->note_width;
    return int_max((columns + gap_of(sheet, stage)) / sheet->item_columns[stage], 1);
}

/* ---- Rows ---- */

/* The groups are embedding and input, attention, what it adds, feed-forward, and the answer. */
static bool stage_begins_group(enum stage stage, enum stage before)
{
    return before == STAGE_INPUT || stage == STAGE_HEADS || before == STAGE_ATTENTION ||
           before == STAGE_OUTPUT;
}

/* Gives a list the rows that it needs, at most `most` besides the first; returns how many it got.
 */
static int give(struct steps_sheet *sheet, enum stage stage, int most)
{
    int count = (int)sheet->steps->stage[stage].count;
    int per_row = steps_items_per_row(sheet, stage);
    int given = int_clamp((count - 1) / per_row, 0, most);
    sheet->rows[stage] += given;
    return given;
}

/* What heads add gets its second row first; scores and weights share the rest equally, but for a
 * row more of what the model says. */
static void share_rows(struct steps_sheet *sheet)
{
    int spare = sheet->stages.rows;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        /* a row each, and one for the mark below the band that is entered */
        const bool marked = sheet->inside && stage == sheet->stage && !steps_shown[stage].listed;
        sheet->rows[stage] = steps_has(&sheet->steps->at, stage) ? 1 + marked : 0;
        spare -= sheet->rows[stage];
    }
    const bool figure = sheet->canvas->bare; /* which has all of a list, however high it gets */
    spare -= give(sheet, STAGE_ADDED, figure ? CANVAS_MAX : LIST_ROWS_LEAST - 1);
    const int kept = spare >= GENEROUS_ROWS ? LIST_ROWS_LEAST - 1 : 0;
    spare -= give(sheet, STAGE_LOGITS, kept) + give(sheet, STAGE_ANSWER, kept);
    int each = figure ? CANVAS_MAX : int_max(spare / 2, LIST_ROWS_LEAST - 1);
    spare -= give(sheet, STAGE_SCORES, each);
    spare -= give(sheet, STAGE_WEIGHTS, each);
    /* A blank row between all stages where there is room, else between groups of them. */
    enum stage before = STAGE_COUNT;
    int shown = 0, groups = 0;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        if (sheet->rows[stage] > 0) {
            groups += shown++ > 0 && stage_begins_group(stage, before);
            before = stage;
        }
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const bool there = sheet->rows[stage] > 0;
        if (there && sheet->total > 0 &&
            (spare >= shown || (spare >= groups && stage_begins_group(stage, before))))
            sheet->total++;
        sheet->top[stage] = sheet->total;
        sheet->total += sheet->rows[stage];
        before = there ? stage : before;
    }
}

/* ---- The whole ---- */

/* Columns first: how many numbers fit beside each other decides how many rows a list needs. */
struct steps_sheet steps_lay_out(const struct scene *scene, struct canvas *canvas,
                                 struct steps *steps, struct area area)
{
    const bool figure = canvas->bare; /* nothing is under the cursor, so there is no arithmetic */
    struct steps_sheet sheet = {.scene = scene,
                                .canvas = canvas,
                                .steps = steps,
                                .stage = steps_stage(scene),
                                .framed = figure || area.rows >= FRAMED_ROWS,
                                .area = area};
    const size_t count = steps->stage[sheet.stage].count;
    const int above = figure         ? 2
                      : sheet.framed ? 3
                                     : 1,
              below = figure ? 2 : 1 + ARITHMETIC_ROWS + sheet.framed;
    sheet.inside = !figure && scene->look.number != NO_TOKEN && count > 0;
    sheet.number = sheet.inside ? size_min(scene->look.number, count - 1)
                                : steps_most_telling(steps, sheet.stage);
    sheet.stages = (struct area){area.y + above, area.x, area.rows - above - below, area.columns};
    sheet.arithmetic = (struct area){area.y + area.rows - 1 - ARITHMETIC_ROWS, area.x,
                                     ARITHMETIC_ROWS, area.columns};
    sheet.name_x = area.x + (figure ? 2 : 4);
    sheet.formula_x = sheet.name_x + STEPS_NAME_COLUMNS;
    sheet.formula_width = FORMULA_COLUMNS - 1;
    sheet.body_x = sheet.formula_x + FORMULA_COLUMNS;
    sheet.note_width = area.columns >= NOTED_COLUMNS ? NOTE_COLUMNS : 0;
    /* the body takes all that name, formula and note leave */
    sheet.body_width = area.x + area.columns - 2 - sheet.note_width - sheet.body_x;
    sheet.note_x = sheet.body_x + sheet.body_width + 2;
    rank_answers(&sheet);
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        sheet.item_columns[stage] = steps_shown[stage].listed ? item_columns(&sheet, stage) : 0;
    share_rows(&sheet);
    const int spare = int_max(sheet.stages.rows - sheet.total, 0);
    sheet.arithmetic.y -= spare;
    sheet.arithmetic.rows += int_min(spare, ARITHMETIC_MORE);
    const int top = sheet.top[sheet.stage], end = top + sheet.rows[sheet.stage];
    if (sheet.body_width < BODY_LEAST)
        canvas->overflow |= OVERFLOW_COLUMNS;
    if (sheet.total > sheet.stages.rows)
        canvas->overflow |= OVERFLOW_ROWS;
    if (figure || sheet.total <= sheet.stages.rows)
        return sheet;
    /* Scrolls until the stage under the cursor is visible whole, in the middle where that is
     * possible; a line above and one below say how many stages are out of sight. */
    sheet.stages.y++;
    sheet.stages.rows -= 2;
    sheet.scroll =
        int_clamp((top + end - sheet.stages.rows) / 2, 0, sheet.total - sheet.stages.rows);
    /* No stage begins with its second row, unless the cursor's would then be cut. */
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const int first = sheet.top[stage];
        if (first < sheet.scroll && sheet.scroll < first + sheet.rows[stage] &&
            end - first <= sheet.stages.rows)
            sheet.scroll = first;
    }
    return sheet;
}
