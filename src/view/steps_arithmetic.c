/* steps_arithmetic.c: how the number under the cursor of the steps view comes about: a line that
 * says what it is, a line of numbers, and lines of the largest summands with their factors. */
#include "headlight/view/caption.h"
#include "headlight/view/steps_writing.h"

#include <stdio.h>

#define INDENT 4

void steps_next_line(struct steps_writing *writing)
{
    writing->pen.y++;
    writing->pen.x = writing->sheet->arithmetic.x + 2 + INDENT;
}

void steps_say(struct steps_writing *writing, const char *text)
{
    pen_print(&writing->pen, style_of(ROLE_FAINT), "%s", text);
}

void steps_say_number(struct steps_writing *writing, double value)
{
    pen_print(&writing->pen, style_of(ROLE_TEXT), "%s", steps_number(value).text);
}

void steps_say_result(struct steps_writing *writing)
{
    steps_say(writing, " = ");
    pen_print(&writing->pen, style_bold(ROLE_STRONG), "%s",
              steps_number(writing->arithmetic.result).text);
}

struct token_name steps_token_of(const struct steps_writing *writing, size_t token)
{
    return scene_name(writing->sheet->scene, SIDE_RIGHT, token, writing->ascii);
}

struct operation steps_rule_of(const struct steps_writing *writing)
{
    return steps_operation(&writing->sheet->steps->at, writing->sheet->stage);
}

bool steps_has_bias(const struct steps_writing *writing)
{
    return steps_is_biased(&writing->sheet->steps->at, writing->sheet->stage);
}

/* ---- What it is ---- */

#define PAIR_KEPT 40 /* columns for what follows a pair */

/* "q[5]", "score the → cat", "length of what head 3 adds" */
static void say_what(struct steps_writing *writing)
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

/* ---- Where a summand comes from ---- */

/* "cat[17]" */
static void write_neighbour(const struct steps_writing *writing, size_t index, char *text,
                            size_t size)
{
    const struct steps_at *at = &writing->sheet->steps->at;
    const size_t K = model_config(at->model)->kernel, token = at->token + index % K - K / 2;
    char name[400] = "no token";
    if (token < at->trace->tokens) /* else it wrapped around, or is behind the end */
        text_safe(steps_token_of(writing, token).text, writing->ascii, name, sizeof name);
    snprintf(text, size, "%s[%zu]", name, index / K);
}

void steps_write_source(const struct steps_writing *writing, size_t index, char *text, size_t size)
{
    const enum stage stage = writing->sheet->stage;
    const size_t D = writing->sheet->steps->at.trace->dimensions;
    if (stage == STAGE_CONTEXT || stage == STAGE_WEIGHTS)
        text_safe(steps_token_of(writing, index).text, writing->ascii, text, size);
    else if (stage == STAGE_HEADS)
        snprintf(text, size, "head %zu[%zu]", index / D, index % D);
    else if (stage == STAGE_NEARBY)
        write_neighbour(writing, index, text, size);
    else if (stage == STAGE_SCORES)
        snprintf(text, size, "dim %zu", index);
    else
        snprintf(text, size, "i %zu", index);
}

/* ---- The whole ---- */

static void say_taken(struct steps_writing *writing)
{
    const struct steps_sheet *sheet = writing->sheet;
    steps_say_result(writing);
    steps_next_line(writing);
    if (sheet->steps->at.model)
        pen_print(&writing->pen, style_of(ROLE_TEXT), "the output of layer %zu, which ← leads to",
                  sheet->steps->at.layer - 1);
    else
        steps_say(writing, "as recorded; what it follows from is not in the recording");
}

static void say_all(struct steps_writing *writing)
{
    switch (writing->arithmetic.kind) {
    case ARITHMETIC_SUM:
        (steps_rule_of(writing).kind == OPERATION_EMBED ? steps_say_embedding : steps_say_sums)(writing);
        break;
    case ARITHMETIC_ADDED:
        steps_say_added(writing);
        break;
    case ARITHMETIC_ROTATED:
        steps_say_turned(writing);
        break;
    case ARITHMETIC_MASKED:
        steps_say_masked(writing);
        break;
    case ARITHMETIC_SOFTMAX:
        steps_say_softmax(writing);
        break;
    case ARITHMETIC_EQUAL:
        steps_say_equal(writing);
        break;
    case ARITHMETIC_NOTHING:
        steps_say_nothing(writing);
        break;
    case ARITHMETIC_LENGTH:
        steps_say_length(writing);
        break;
    case ARITHMETIC_NORM:
        steps_say_norm(writing);
        break;
    case ARITHMETIC_ACTIVE:
        steps_say_active(writing);
        break;
    default:
        say_taken(writing);
    }
}

void steps_draw_arithmetic(const struct steps_sheet *sheet)
{
    const struct area area = sheet->arithmetic;
    const struct step_numbers *of = &sheet->steps->stage[sheet->stage];
    struct steps_writing writing = {
        .sheet = sheet,
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
