/* steps_stage.c: one stage of the steps view: its name, its formula, its numbers as a band or each
 * with its name, and a note on all of them: their length, or the largest. Each is drawn on its own
 * from the sheet, so a list of stages that scrolls needs nothing more. */
#include "headlight/lens/dimensions.h"
#include "headlight/view/steps_sheet.h"

/* ---- Formulas ---- */

/* A family without a table, or a network whose embeddings were switched off, has fewer summands. */
static void write_embedding(const struct steps_at *at, char *text, size_t size)
{
    const struct interventions *changes = &at->trace->computed.changes;
    const struct weights *weights = at->model ? &at->model->weights : NULL;
    const bool placed = !weights || weights->position_embeddings.bytes;
    const bool parted = !weights || weights->segment_embeddings.bytes;
    const struct trace *trace = at->trace;
    const float factor =
        at->model ? trace_word_factor(&at->model->config, trace->ids, trace->tokens, at->token) : 1;
    char times[24] = "";
    if (factor < 1 || factor > 1)
        snprintf(times, sizeof times, " × %.3g", (double)factor);
    snprintf(text, size, "word%s%s%s", times,
             changes->positions == POSITIONS_SINUSOIDAL         ? " + sinusoid"
             : changes->positions == POSITIONS_LEARNT && placed ? " + position"
                                                                : "",
             parted && !changes->no_segments ? " + segment" : "");
}

/* As papers write it, "GELU", not as configurations do. */
const char *steps_activation(const struct operation *operation)
{
    static const char *const names[] = {ACTIVATIONS(ACTIVATION_SHOWN)};
    return names[operation->activation];
}

/* What is known to subtract no mean is RMSNorm. */
const char *steps_norm(const struct operation *operation)
{
    const struct norm *learnt = operation->norm;
    return learnt && learnt->weight && !learnt->bias ? "RMSNorm" : "LayerNorm";
}

/* An operation of one source has no second name. */
static const char *name_of(enum stage stage)
{
    return stage != STAGE_NONE ? stage_name(stage) : "";
}

#define POOLING_NAME(pooling, name, key) name,
static const char *const poolings[] = {POOLINGS(POOLING_NAME)};

/* By the kind of operation: a new stage of a known kind needs nothing here. */
void steps_write_formula(const struct steps_sheet *sheet, enum stage stage,
                         char text[STEPS_FORMULA])
{
    const size_t size = STEPS_FORMULA;
    const struct steps_at *at = &sheet->steps->at;
    const struct interventions *changes = &at->trace->computed.changes;
    const struct operation *operation = &sheet->steps->stage[stage].operation;
    const char *from = name_of(operation->from), *with = name_of(operation->with),
               *name = steps_activation(operation),
               *bias = steps_is_biased(at, stage) ? " + b" : "";
    const struct attending attending = {at->trace, at->layer, at->head, at->token};
    const bool distance = dimensions_have_distance(&attending),
               inside = distance && at->model && at->trace->terms > 1;
    bool others = false;
    char divisor[24] = "";
    switch (operation->kind) {
    case OPERATION_ABSENT:
    case OPERATION_MEMORY: /* of no row */
        text[0] = '\0';
        break;
    case OPERATION_TAKE:
        if (operation->tensor == TRACE_input)
            snprintf(text, size, "output of layer %zu", at->layer - 1);
        else
            snprintf(text, size, "%s-attention's output", operation->cross ? "cross" : "self");
        break;
    case OPERATION_EMBED:
        write_embedding(at, text, size);
        break;
    case OPERATION_LINEAR:
    case OPERATION_CONVOLVE:
    case OPERATION_ACTIVATE:
        if (operation->kind == OPERATION_ACTIVATE && *with)
            snprintf(text, size, "%s(%s)·%s", name, from, with);
        else if (operation->kind == OPERATION_ACTIVATE)
            snprintf(text, size, "%s%s of %s", name,
                     operation->activation == ACTIVATION_GELU_NEW ? " (tanh)" : "", from);
        else if (stage == STAGE_HEADS)
            snprintf(text, size, "side by side, ·%s%s", operation->matrix, bias);
        else if (operation->kind == OPERATION_CONVOLVE)
            snprintf(text, size, "%s of %zu tokens·%s%s", from,
                     at->model ? at->model->config.kernel : 0, operation->matrix, bias);
        else
            snprintf(text, size, "%s·%s%s", from, operation->matrix, bias);
        break;
    case OPERATION_NORM:
        snprintf(text, size, "%s(%s%s%s)", steps_norm(operation), from, *with ? "+" : "", with);
        break;
    case OPERATION_SCALE:
        snprintf(text, size, "%s·%.4g", from, operation->factor);
        break;
    case OPERATION_CAP:
        snprintf(text, size, "%.3g·tanh(%s/%.3g)", operation->factor, from, operation->factor);
        break;
    case OPERATION_ADD:
        snprintf(text, size, "%s + %s", from, with);
        break;
    case OPERATION_ROTATE:
        snprintf(text, size, "%s %s", from,
                 changes->positions == POSITIONS_LEARNT ? "turned by its place" : "not turned");
        break;
    case OPERATION_SCORE:
        /* with what the distance of the tokens adds inside the quotient or after it */
        if (at->trace->dimensions > 0) /* else a recording doesn't tell */
            dimensions_write_divisor(&attending, steps_divisor(at, stage),
                                     canvas_ascii(sheet->canvas), divisor, sizeof divisor);
        snprintf(text, size, "%s%s%s%s", inside ? "(q·k + distance)" : "q·k", divisor[0] ? "/" : "",
                 divisor, distance && !inside ? " + distance" : "");
        break;
    case OPERATION_SOFTMAX:
        if (head_mask_has(changes->uniform[at->trace->numbered + at->layer], at->head))
            snprintf(text, size, "made equal: 1/%zu", sheet->steps->left);
        else
            snprintf(text, size, "softmax(scores)");
        break;
    case OPERATION_WEIGH:
        if (head_mask_has(changes->off[at->trace->numbered + at->layer], at->head))
            snprintf(text, size, "head %zu is off: 0", at->head);
        else
            snprintf(text, size, "head %zu: %sweight·v", at->head, steps_sigma(sheet));
        break;
    case OPERATION_LENGTH:
        snprintf(text, size, "what each head adds");
        break;
    case OPERATION_POOL: /* "output of the first token", "mean of output", "cls+max of output" */
        *text = '\0';
        for (size_t i = 0; i < POOLING_COUNT; i++) {
            if (operation->pools[i])
                format_add(text, size, "%s%s", *text ? "+" : "", poolings[i]);
            others |= operation->pools[i] && i != POOLING_CLS;
        }
        if (others)
            format_add(text, size, " of %s", from);
        else
            snprintf(text, size, "%s of the first token", from);
        break;
    case OPERATION_UNIT:
        snprintf(text, size, "%s / its length", from);
        break;
    case OPERATION_SHARE:
        snprintf(text, size, at->output == OUTPUT_START ? "softmax over the tokens" : "softmax(%s)",
                 from);
        break;
    case OPERATION_SIGMOID:
        snprintf(text, size, "sigmoid(%s)", from);
        break;
    }
}

/* ---- Bands ---- */

#define SLOTS_MAX (2 * CANVAS_MAX)

/* Of so many numbers in so many slots, the first one of a slot: shares differ by one at most. */
static size_t first_of(size_t count, size_t slots, size_t slot)
{
    return slot * count / slots;
}

static struct hit hit_number(enum stage stage, size_t number)
{
    return (struct hit){{HIT(stage), HIT(number)}, .value = {stage, number}};
}

/* A band of stripes, one a cell, or two where one would not do; where there is no room for all
 * numbers, a stripe is the largest of its share of them. Numbers are doubles; a band shows no more
 * of them than a float has. Below a band that the cursor is in, which number it is at. */
static void draw_band(const struct steps_sheet *sheet, enum stage stage, int y, bool marked)
{
    const struct step_numbers *of = &sheet->steps->stage[stage];
    const size_t count = of->count, cells = (size_t)sheet->body_width,
                 per_cell = count > cells ? 2 : 1, slots = size_min(count, per_cell * cells);
    const float unit = steps_shown[stage].unit;
    struct band_scale scale = {.dim = 1, .unit = unit > 0 ? unit : 1};
    float values[SLOTS_MAX] = {0};
    for (size_t slot = 0; slot < slots; slot++)
        values[slot] = (float)of->numbers[steps_largest(
            sheet->steps, stage, first_of(count, slots, slot), first_of(count, slots, slot + 1))];
    if (sheet->scene->look.scale_largest)
        for (size_t i = 0; i < count; i++)
            scale.largest = fmaxf(scale.largest, fabsf((float)of->numbers[i]));
    bands_draw(sheet->canvas, y, sheet->body_x, 1, values, slots, per_cell, scale);
    /* A click on a cell goes to the largest number in it, which is the one it shows. */
    for (size_t slot = 0; slot < slots; slot += per_cell) {
        const size_t end = size_min(slot + per_cell, slots),
                     number = steps_largest(sheet->steps, stage, first_of(count, slots, slot),
                                            first_of(count, slots, end));
        canvas_mark(sheet->canvas, (struct area){y, sheet->body_x + (int)(slot / per_cell), 1, 1},
                    hit_number(stage, number));
    }
    if (!marked)
        return;
    size_t slot = 0;
    while (slot + 1 < slots && first_of(count, slots, slot + 1) <= sheet->number)
        slot++;
    const int x = sheet->body_x + (int)(slot / per_cell), end = sheet->body_x + sheet->body_width;
    char text[48];
    snprintf(text, sizeof text, "%zu of %zu", sheet->number, count);
    canvas_text(sheet->canvas, y + 1, x, 1, style_bold(ROLE_TITLE), "↑");
    if (x + 2 + (int)strlen(text) <= end)
        canvas_text(sheet->canvas, y + 1, x + 2, end - x - 2, style_of(ROLE_TEXT), text);
    else
        canvas_text_right(sheet->canvas, y + 1, x - 1, x - 1 - sheet->body_x, style_of(ROLE_TEXT),
                          text);
}

/* ---- Numbers with their names ---- */

/* What has no room for all is shown around the cursor, or around the most telling number; of
 * answers the likeliest, by size. Only the rows on screen are drawn: the list of stages may be
 * scrolled into the middle of this one. */
static void stage_draw_list(const struct steps_sheet *sheet, enum stage stage, int y, int bottom)
{
    const size_t count = sheet->steps->stage[stage].count;
    const int columns = sheet->item_columns[stage], visible = sheet->rows[stage],
              per_row = steps_items_per_row(sheet, stage),
              rows = ((int)count + per_row - 1) / per_row;
    const size_t at = stage == sheet->stage ? sheet->number
                                            : steps_most_telling(sheet->steps, stage),
                 room = (size_t)visible * (size_t)per_row;
    const bool ranked = steps_shown[stage].answers && count > room;
    size_t first = (size_t)int_max(int_min((int)at / per_row - visible / 2, rows - visible), 0) *
                   (size_t)per_row;
    for (size_t i = first = ranked ? 0 : first; ranked && i < sheet->ranked_count; i++)
        first = sheet->ranked[i] == at ? i / room * room : first;
    const size_t end = size_min(first + room, ranked ? sheet->ranked_count : count);
    for (size_t i = first; i < end; i++) {
        int row = (int)(i - first) / per_row, column = (int)(i - first) % per_row;
        if (y + row < sheet->stages.y || y + row >= bottom)
            continue;
        /* the number stands right behind its name, and the name is cut first */
        const size_t number = ranked ? sheet->ranked[i] : i;
        const struct area cell = {y + row, sheet->body_x + column * columns, 1, columns - 1};
        const bool here = stage == sheet->stage && number == sheet->number && !sheet->canvas->bare;
        struct style name = style_of(ROLE_FAINT), value = style_of(ROLE_TEXT);
        struct pen pen = {sheet->canvas, cell.y, cell.x, cell.x + cell.columns};
        const struct weight_text text =
            steps_item_number(stage, sheet->steps->stage[stage].numbers[number]);
        if (here || number == steps_most_telling(sheet->steps, stage))
            value = style_bold(ROLE_STRONG);
        if (here) {
            name = style_of(ROLE_TEXT);
            name.back = value.back = ink_full(sheet->inside ? ROLE_CURSOR : ROLE_PINNED);
        }
        pen.x += canvas_text(sheet->canvas, cell.y, cell.x, columns - 2 - (int)strlen(text.text),
                             name, steps_item_name(sheet, stage, number).text);
        pen_print(&pen, name, " ");
        pen_print(&pen, value, "%s", text.text);
        canvas_mark(sheet->canvas, cell, hit_number(stage, number));
    }
    if (visible > 1 && y + 1 >= sheet->stages.y && y + 1 < bottom) {
        if (ranked)
            canvas_print(sheet->canvas, y + 1, sheet->formula_x, sheet->formula_width,
                         style_of(ROLE_FAINT), "%zu of %zu, by size", end - first, count);
        else if (end - first < count)
            canvas_print(sheet->canvas, y + 1, sheet->formula_x, sheet->formula_width,
                         style_of(ROLE_FAINT), "%zu to %zu of %zu", first, end - 1, count);
    }
}

/* ---- Notes ---- */

static double product_of(const struct step_numbers *a, const struct step_numbers *b)
{
    double sum = 0;
    for (size_t i = 0; i < a->count; i++)
        sum += a->numbers[i] * b->numbers[i];
    return sum;
}

/* ---- The stage ---- */

/* Of a stage that is scrolled off at the top only a list still shows something: its rows below the
 * first. */
void steps_draw_stage(const struct steps_sheet *sheet, enum stage stage)
{
    const struct area stages = sheet->stages;
    const int y = stages.y + sheet->top[stage] - sheet->scroll, bottom = stages.y + stages.rows;
    const int first = int_max(y, stages.y), end = int_min(y + sheet->rows[stage], bottom);
    const bool shown = y == first;
    if (first >= end)
        return;
    canvas_mark(sheet->canvas, (struct area){first, stages.x, end - first, stages.columns},
                hit_at(HIT(stage), stage));
    if (shown) {
        /* the stage's ground tells whether the cursor is on the stage or inside it */
        const bool here = stage == sheet->stage && !sheet->canvas->bare;
        char formula[STEPS_FORMULA];
        const struct style style =
            here ? style_marked(sheet->inside ? ROLE_PINNED : ROLE_CURSOR) : style_of(ROLE_TEXT);
        if (here)
            canvas_text(sheet->canvas, y, sheet->area.x + 2, 1, style_bold(ROLE_TITLE), "▸");
        steps_write_formula(sheet, stage, formula);
        canvas_text(sheet->canvas, y, sheet->name_x, STEPS_NAME_COLUMNS - 1, style,
                    stage_name(stage));
        if (!sheet->steps->stage[stage].missing) /* another network may have another formula */
            canvas_text(sheet->canvas, y, sheet->formula_x, sheet->formula_width,
                        style_of(ROLE_FAINT), formula);
    }
    if (sheet->steps->stage[stage].count == 0) {
        if (shown)
            canvas_print(sheet->canvas, y, sheet->body_x, sheet->body_width + sheet->note_width,
                         style_of(ROLE_FAINT), "this recording has no %s",
                         sheet->steps->stage[stage].missing);
    } else if (steps_shown[stage].listed) {
        stage_draw_list(sheet, stage, y, bottom);
    } else if (shown) {
        draw_band(sheet, stage, y, end > y + 1);
        /* Of a hidden vector the length says more than its largest number. The output is compared
         * with the input: how far the layer moved the token. */
        const struct step_numbers *of = &sheet->steps->stage[stage],
                                  *input = &sheet->steps->stage[STAGE_INPUT];
        const size_t largest = steps_largest(sheet->steps, stage, 0, of->count);
        const double length = sqrt(product_of(of, of));
        char text[64];
        if (stage == STAGE_OUTPUT && input->count == of->count) { /* 0 where one is all zeros */
            const double lengths = length * sqrt(product_of(input, input));
            snprintf(text, sizeof text, "cosine to x %.2f",
                     lengths > 0 ? product_of(of, input) / lengths : 0);
        } else if (steps_shown[stage].hidden)
            snprintf(text, sizeof text, "length %.2f", length);
        else
            snprintf(text, sizeof text, "%s: no. %zu %s",
                     steps_shown[stage].activation ? "highest" : "largest", largest,
                     steps_number(of->numbers[largest]).text);
        if (sheet->note_width > 0)
            canvas_text(sheet->canvas, y, sheet->note_x, sheet->note_width - 2,
                        style_of(ROLE_FAINT), text);
    }
}
