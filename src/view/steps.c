/* steps.c: the steps view: how one token's vector becomes the next layer's. Each stage
 * (lens/steps.h) is a row with its formula, its numbers a band, and below them stands how one
 * number comes about. The cursor goes from stage to stage, and inside one from number to number. */
#include "headlight/lens/cosine.h"
#include "headlight/view/grid.h"
#include "headlight/view/steps_sheet.h"
#include "headlight/view/views.h"

#include <stdlib.h>

#define LEAST_ROWS 9

/* ---- The frame ---- */

/* With a blank on either side. */
static int token_columns(const void *context, size_t token)
{
    const struct steps_sheet *sheet = context;
    return canvas_width(sheet->canvas, scene_drawn(sheet->scene, SIDE_LEFT, token).text) + 2;
}

/* The chosen token is marked even when it was not chosen in this view: there always is one whose
 * way is shown. */
static void steps_draw_tokens(const struct steps_sheet *sheet, int y)
{
    const struct scene *scene = sheet->scene;
    const size_t chosen = sheet->steps->at.token, count = scene_count(scene, SIDE_LEFT);
    struct pen pen = {sheet->canvas, y, sheet->area.x + 2, sheet->area.x + sheet->area.columns - 1};
    pen_print(&pen, style_of(ROLE_FAINT), "token ");
    const struct token_range shown =
        grid_around((struct token_range){0, count}, chosen, pen.end - pen.x - 4 /* ‹ and › */,
                    token_columns, sheet);
    if (shown.first > 0)
        pen_print(&pen, style_of(ROLE_FAINT), "‹");
    for (size_t token = shown.first; token < shown.end; token++) {
        struct style style = token == chosen
                                 ? style_marked(ROLE_CURSOR)
                                 : scene_label_style(scene, SIDE_LEFT, token, ROLE_FAINT);
        int begin = pen.x;
        pen_print(&pen, style, " ");
        steps_print_name(&pen, style, scene_drawn(scene, SIDE_LEFT, token).text);
        pen_print(&pen, style, " ");
        pen_mark(&pen, begin, hit_token(SIDE_LEFT, token));
    }
    if (shown.end < count)
        pen_print(&pen, style_of(ROLE_FAINT), "›");
}

static void steps_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    canvas->overflow |= area.rows < LEAST_ROWS ? OVERFLOW_ROWS : 0;
    if (area.rows < LEAST_ROWS)
        return;
    const struct steps_sheet sheet = steps_lay_out(scene, canvas, scene->data.steps, area);
    if (sheet.framed) { /* "how cat goes through layer 1, number by number" */
        const struct steps_at *at = &sheet.steps->at;
        struct pen heading = {canvas, area.y, area.x + 2, area.x + area.columns - 1};
        const struct token_name name =
            scene_name(scene, SIDE_LEFT, at->token, canvas_ascii(canvas));
        pen_print(&heading, style_of(ROLE_FAINT), "how ");
        steps_print_name(&heading, style_bold(ROLE_STRONG), name.text);
        pen_print(&heading, style_of(ROLE_FAINT), "%s goes through layer %zu%s%s",
                  at->layer == 0 ? " becomes a vector, and" : "", at->layer,
                  steps_has(at, STAGE_LOGITS) || steps_has(at, STAGE_POOLED) ? " to the answer"
                                                                             : "",
                  canvas->bare ? "" : ", number by number");
    }
    if (!canvas->bare)
        steps_draw_tokens(&sheet, area.y + sheet.framed);
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        steps_draw_stage(&sheet, stage);
    /* a stage counts as out of sight as soon as a row of it is */
    const struct area stages = sheet.stages;
    struct pen above = {canvas, stages.y - 1, sheet.name_x, stages.x + stages.columns};
    struct pen below = {canvas, stages.y + stages.rows, above.x, above.end};
    size_t over = 0, under = 0;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        int end = sheet.top[stage] + sheet.rows[stage];
        over += sheet.rows[stage] > 0 && sheet.top[stage] < sheet.scroll;
        under += sheet.rows[stage] > 0 && end > sheet.scroll + stages.rows;
    }
    if (over > 0)
        pen_write(&above, "↑ %zu above", over);
    if (under > 0)
        pen_write(&below, "↓ %zu below", under);
    if (!canvas->bare)
        steps_draw_arithmetic(&sheet);
    /* the words say what the glyphs or hues of a band mean, as far as there is room */
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    if (area.columns >= 76)
        pen_write(&pen, "a stripe: one or more numbers   ");
    if (canvas->traits.mono || canvas_ascii(canvas)) {
        pen_print(&pen, style_of(ROLE_FAINT), "%s above 0   %s below",
                  canvas_ascii(canvas) ? ".+*#" : "░▒▓█", canvas_ascii(canvas) ? ",-=~" : "·-=≡");
        return;
    }
    pen_print(&pen, style_of(ROLE_POSITIVE), "blue");
    pen_write(&pen, " above 0   ");
    pen_print(&pen, style_of(ROLE_NEGATIVE), "orange");
    pen_write(&pen, " below   fuller: more%s",
              scene->look.scale_largest && area.columns >= 100 ? " (of the band's largest)" : "");
}

/* ---- Keys ---- */

/* Outside a stage arrows go from stage to stage, inside one from number to number. */
static const char *steps_hints(const struct scene *scene)
{
    return scene->look.number == NO_TOKEN
               ? "↑↓: stage; Enter: numbers; ←→: layer; < >: token; [ ]: head; z: change; e: edit"
               : "←→: number; ↑↓: larger, smaller; Esc: out; < >: token; [ ]: head";
}

/* Enter chooses the most telling number first, and does nothing more once one is chosen. Left and
 * right go round at the ends; up and down go by size; pages and the ends go by place, and stop.
 * There is no next smaller or larger one beyond the first and the last. */
static enum acted move_number(struct scene *scene, enum action action, struct error *error)
{
    const enum stage stage = steps_stage(scene);
    struct look *look = &scene->look;
    const struct steps *steps = scene->data.steps;
    const struct step_numbers *of = &steps->stage[stage];
    const int count = (int)of->count, step = action_steps(action);
    look->stage = stage;
    if (of->count == 0) {
        error_usage(error, "this recording has no %s", of->missing);
        return ACT_REFUSED;
    }
    if (look->number == NO_TOKEN) {
        look->number = steps_most_telling(steps, stage);
    } else if (action != ACTION_PIN) {
        const size_t number = size_min(look->number, of->count - 1);
        size_t best = number;
        for (size_t i = 0; i < of->count && abs(step) == 1; i++) {
            const bool larger = step < 0;
            bool beyond =
                steps_comes_before(steps, stage, larger ? i : number, larger ? number : i);
            bool nearer = best == number ||
                          steps_comes_before(steps, stage, larger ? best : i, larger ? i : best);
            if (i != number && beyond && nearer)
                best = i;
        }
        look->number =
            abs(step) == 1 ? best
            : step != 0    ? (size_t)int_clamp((int)number + step, 0, count - 1)
                        : (number + (size_t)(action == ACTION_RIGHT ? 1 : count - 1)) % of->count;
    }
    return ACT_DONE;
}

/* Esc leaves the stage before it means anything else. Other keys keep their usual meaning: [ and ],
 * for instance, choose the head. */
static enum acted steps_act(struct scene *scene, enum action action, struct error *error)
{
    const bool inside = scene->look.number != NO_TOKEN;
    const int step = action_steps(action);
    if (!scene->data.trace)
        return ACT_PASSED;
    switch (action) {
    case ACTION_DIMENSION_PREVIOUS:
    case ACTION_DIMENSION_NEXT:
        return move_number(scene, action == ACTION_DIMENSION_NEXT ? ACTION_RIGHT : ACTION_LEFT,
                           error);
    case ACTION_CLEAR:
        scene->look.number = NO_TOKEN;
        return inside ? ACT_DONE : ACT_PASSED;
    default:
        if (action == ACTION_PIN ||
            (inside && (step != 0 || action == ACTION_LEFT || action == ACTION_RIGHT)))
            return move_number(scene, action, error);
        if (abs(step) == 1) {
            /* to the next stage that the layer has */
            const struct steps_at at = steps_place(scene);
            const enum stage end = step > 0 ? STAGE_COUNT - 1 : STAGE_EMBEDDING;
            enum stage stage = scene->look.stage = steps_stage(scene);
            while (stage != end) {
                stage = step > 0 ? stage + 1 : stage - 1;
                if (!steps_has(&at, stage))
                    continue;
                scene->look.stage = stage;
                break;
            }
            return ACT_DONE;
        }
        if (abs(step) != ACTION_END)
            return ACT_PASSED;
        scene->look.stage = step > 0 ? STAGE_COUNT - 1 : STAGE_EMBEDDING;
        scene->look.stage = steps_stage(scene);
        return ACT_DONE;
    }
}

/* What an operation makes of what it takes; nothing more where it adds up or rotates that. */
static const char *const makes[OPERATION_KINDS] = {
    [OPERATION_TAKE] = "as the layer before left it",
    [OPERATION_LINEAR] = " times learnt factors, added up",
    [OPERATION_NORM] = ", brought to the usual size",
    [OPERATION_WEIGH] = " times v, added up",
    [OPERATION_ACTIVATE] = ", put through ",
};

/* Of the stage under the cursor a number; of the last one how far the layer turns the vector. */
static void steps_says(const struct scene *scene, struct sentence *sentence)
{
    const struct steps_at at = steps_place(scene);
    const struct occurrence word = {at.trace, {at.token, at.token + 1}};
    const double cosine = cosine_between(&word, at.layer, &word, at.layer + 1);
    struct steps_sheet sheet = {
        .scene = scene, .steps = scene->data.steps, .stage = steps_stage(scene)};
    const size_t count = sheet.steps->stage[sheet.stage].count;
    sheet.number = scene->look.number < count ? scene->look.number
                   : count > 0                ? steps_most_telling(sheet.steps, sheet.stage)
                                              : 0;
    const enum stage stage = sheet.stage;
    const struct step_numbers *of = &sheet.steps->stage[stage];
    const double value = count > 0 ? of->numbers[sheet.number] : NAN;
    const struct token_name token = sentence_token(scene, at.token, sentence->ascii);
    if (count == 0 || (stage == STAGE_OUTPUT && scene->look.number == NO_TOKEN)) {
        if (!isnan(cosine)) {
            sentence_print_words(sentence, "layer ");
            sentence_print(sentence, "%zu turns the vector of \"%s\": cosine %.3f to what it was",
                           at.layer, token.text, cosine);
        }
    } else if (stage == STAGE_SCORES || stage == STAGE_WEIGHTS) {
        const struct edge edge = scene_edge(scene, scene->look.head, at.token, sheet.number);
        sentence_say_score(scene, sentence, &edge);
    } else if (stage == STAGE_ADDED) {
        sentence_print_words(sentence, "head ");
        sentence_print(sentence, "%zu adds a vector of length %.2f to \"%s\"", sheet.number, value,
                       token.text);
    } else if (steps_shown[stage].answers) {
        sentence_print_words(sentence, "the ");
        sentence_print_words(sentence, steps_shown[stage].word);
        sentence_print(sentence, " of \"%s\" at \"%s\" is %s",
                       steps_item_name(&sheet, stage, sheet.number).text, token.text,
                       steps_item_number(stage, value).text);
    } else {
        /* "Number 5 of q for "milk" is +2.31: x times learnt factors, added up" */
        static const char *const parts[] = {"word", "position", "segment"};
        const struct operation *operation = &of->operation;
        const enum operation_kind kind = operation->kind;
        struct arithmetic arithmetic = {.count = 0};
        sentence_print_words(sentence, "number ");
        sentence_print(sentence, "%zu of %s for \"%s\" is %s: %s", sheet.number, stage_name(stage),
                       token.text, steps_number(value).text,
                       operation->from == STAGE_NONE ? "" : stage_name(operation->from));
        if ((kind == OPERATION_NORM || kind == OPERATION_ADD) && operation->with != STAGE_NONE)
            sentence_print(sentence, " + %s", stage_name(operation->with));
        sentence_print(sentence, "%s%s", makes[kind] ? makes[kind] : "",
                       kind == OPERATION_ACTIVATE ? steps_activation(operation) : "");
        if (kind == OPERATION_EMBED)
            steps_arithmetic(sheet.steps, stage, sheet.number, &arithmetic);
        for (size_t i = 0; i < arithmetic.count; i++)
            sentence_print(sentence, "%s%s %s", i > 0 ? ", " : "", parts[arithmetic.terms[i].index],
                           steps_number(arithmetic.terms[i].left * arithmetic.terms[i].right).text);
    }
}

const struct view steps_view = {
    .title = "Steps",
    .about = "how a token's vector becomes the next layer's, number by number",
    .meaning = "a layer number by number · Enter: into a stage · blue above 0, orange below",
    .mouse = "a token, a stage, a number",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_BANDS | SHOWN_QUERY | SHOWN_STAGES | SHOWN_LIST,
    .query = QUERY_LINE,
    .draw = steps_draw,
    .act = steps_act,
    .hints = steps_hints,
    .table = steps_table,
    .says = steps_says,
};
