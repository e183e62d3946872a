/* corpus.c: the corpus view: what each head does over many texts, as a survey counted it
 * (survey/evidence.h). On the left all heads, on the right, or below, the card of one of them. The
 * text that is open has nothing to do with it, until Enter opens an example. */
#include "headlight/view/corpus.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/view/caption.h"
#include "headlight/view/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BESIDE_COLUMNS 100 /* so many have room for heads and card side by side */
#define CARD_COLUMNS   54
#define CARD_ROWS      8 /* below the heads */
#define NAME_COLUMNS   3 /* of a figure's "layer" */

/* ---- Where it stands ---- */

/* Heads take what columns they need, the card the rest; below, it has at least a few rows. While an
 * example is chosen in a narrow window, the card has all of it. */
static struct corpus_sheet corpus_lay_out(const struct scene *scene, struct canvas *canvas,
                                          struct area area)
{
    const struct look *look = &scene->look;
    const struct survey *survey = data_survey(&scene->data);
    struct corpus_sheet sheet = {.scene = scene, .survey = survey, .canvas = canvas};
    const struct area all = {area.y + 1, area.x + 2, area.rows - 2, area.columns - 4};
    const bool lists = look->corpus.shown != CORPUS_HEADS;
    sheet.heads = sheet.card = all;
    sheet.beside = area.columns >= BESIDE_COLUMNS && !canvas->bare;
    if (canvas->bare) { /* what heads are stands beside them and above, the scale below */
        const int named = lists ? 0 : NAME_COLUMNS;
        sheet.heads =
            (struct area){all.y, all.x + named, int_max(all.rows - 1, 0), all.columns - named};
        sheet.card.rows = 0;
    } else if (sheet.beside) {
        const int wanted = lists ? all.columns / 2 : 5 + 9 * (int)survey->heads;
        sheet.heads.columns = int_min(wanted, all.columns - CARD_COLUMNS - 3);
        sheet.card.x += sheet.heads.columns + 3;
        sheet.card.columns -= sheet.heads.columns + 3;
    } else if (look->corpus.example != NO_TOKEN) {
        sheet.heads.rows = 0;
    } else {
        const int wanted = lists ? all.rows / 2 : 1 + (int)survey->layers;
        sheet.heads.rows = int_max(int_min(wanted, all.rows - CARD_ROWS - 1), 3);
        sheet.card.y += sheet.heads.rows + 1;
        sheet.card.rows -= sheet.heads.rows + 1;
    }
    return sheet;
}

/* ---- Drawing ---- */

static enum status draw_heads(const struct corpus_sheet *sheet, struct error *error)
{
    switch (sheet->scene->look.corpus.shown) {
    case CORPUS_SORTED:
        return corpus_draw_sorted(sheet, error);
    case CORPUS_RELATIONS:
        return corpus_draw_relations(sheet, error);
    case CORPUS_SCATTER:
        corpus_draw_scatter(sheet);
        return STATUS_OK;
    default:
        corpus_draw_grid(sheet);
        return STATUS_OK;
    }
}

/* What was counted: "dev.conllu  2,001 texts  35,580 tokens  built-in". */
static void draw_corpus(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct survey *survey = data_survey(&scene->data);
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
    for (size_t i = 0; i < survey->corpus_count; i++)
        pen_print(&pen, style_bold(ROLE_TEXT), i > 0 ? " + %s" : "%s", survey->corpora[i].name);
    if (survey == scene->data.surveyed && !survey->whole)
        pen_write(&pen, "  {%s} of %s texts", format_count(survey_passed(survey)).text,
                  format_count((int64_t)scene->data.corpus_texts + survey->refused).text);
    else
        pen_write(&pen, "  {%s} texts", format_count(survey->texts).text);
    pen_write(&pen, "  {%s} tokens", format_count(survey->tokens).text);
    if (survey->too_long + survey->refused > 0)
        pen_write(&pen, "  %s left out", format_count(survey->too_long + survey->refused).text);
    pen_print(&pen, style_of(ROLE_FAINT), "  model %s", survey->origin.model);
    if (survey == scene->data.surveyed && !scene->data.corpus)
        pen_print(&pen, style_of(ROLE_FAINT), "  yours: --texts FILE --survey OUT");
    if (scene->data.lacking[0])
        pen_print(&pen, style_of(ROLE_WARNING), ", not here");
}

/* Without a survey: what one is, and how it is made. */
static void draw_how(struct canvas *canvas, struct area area)
{
    static const struct {
        bool typed;
        const char *text;
    } lines[] = {
        {false, "A survey says what each head does over many texts, with evidence. None is open."},
        {false, "Texts are lines (.txt), objects (.jsonl) or sentences with parts of speech and"},
        {false,
         "dependencies (.conllu), of which the relations that a head finds are counted too:"},
        {false, ""},
        {true, "headlight --texts dev.conllu --survey dev.survey"},
        {true, "headlight --open dev.survey"},
    };
    const int count = (int)(sizeof lines / sizeof *lines);
    int y = area.y + int_max(area.rows - count, 0) / 3;
    for (int i = 0; i < count; i++)
        canvas_text(canvas, y + i, area.x + 2 + 2 * lines[i].typed, area.columns - 4,
                    lines[i].typed ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT), lines[i].text);
}

/* A survey of another shape than the model's is never opened with it. */
static enum status corpus_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                               struct error *error)
{
    if (!data_survey(&scene->data)) {
        draw_how(canvas, area);
        return STATUS_OK;
    }
    const struct corpus_sheet sheet = corpus_lay_out(scene, canvas, area);
    if (!canvas->bare)
        draw_corpus(scene, canvas, area);
    if (sheet.heads.rows > 0 && draw_heads(&sheet, error) != STATUS_OK)
        return error->status;
    if (sheet.beside)
        for (int y = sheet.card.y; y < sheet.card.y + sheet.card.rows; y++)
            canvas_text(canvas, y, sheet.card.x - 2, 1, style_of(ROLE_FAINT), "│");
    return canvas->bare ? STATUS_OK : corpus_draw_card(&sheet, error);
}

/* ---- In words ---- */

static void corpus_legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct look *look = &scene->look;
    const struct survey *survey = data_survey(&scene->data);
    const enum survey_figure figure = corpus_figure(look);
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    if (canvas->bare)
        return;
    char named[64], between[128] = "";
    snprintf(named, sizeof named, "%s, mean over all %s",
             figure < SURVEY_FIGURE_COUNT ? evidence_figure_name(figure) : "",
             figure == SURVEY_EFFECT ? "texts" : "tokens");
    if (survey && look->corpus.relation < survey->relation_count) {
        const char *name = survey->relations[look->corpus.relation].name;
        const char *said = corpus_between(name);
        format_cut(between, sizeof between, "%s%s%s", name, *said ? ": " : "", said);
    }
    const char *const pieces[][4] = {
        [CORPUS_HEADS] = {figure < SURVEY_FIGURE_COUNT
                              ? named
                              : "blue: knows a relation; other hues: labels; grey: broad",
                          "fuller: more", "±: 95 %", "down: layers, across: heads"},
        [CORPUS_SORTED] = {figure < SURVEY_FIGURE_COUNT ? named : "sorted by what heads do",
                           "layer.head", "±: 95 %", ""},
        [CORPUS_SCATTER] = {"a point: a head, in the colour of what it does", "2…9: so many", "",
                            ""},
        [CORPUS_RELATIONS] = {between, "→: from the first to the second, ←: back", "±: 95 %", ""}};
    if (look->corpus.example != NO_TOKEN)
        pen_write(&pen, "the strongest pairs of texts, then of each tenth of the weight any three");
    else if (survey)
        caption_parts(&pen, style_of(ROLE_FAINT), pieces[look->corpus.shown], 4, true);
}

/* "Head 5.7 finds obj in 0.674 of 1,204 pairs (best fixed offset: -2, 0.312)" */
static void say_relation(struct sentence *sentence, const struct evidence_relation *relation)
{
    sentence_print(
        sentence, "Head %zu.%zu finds %s in %.3f of %s pairs (best fixed offset: %+d, %.3f)",
        relation->layer, relation->head, relation->relation->name, relation->share.value,
        format_count(relation->share.of).text, relation->offset, relation->offset_share.value);
}

/* "looks at the word before: 0.931 of its attention over 35,580 tokens (±0.004)" */
static void say_label(struct sentence *sentence, const struct evidence_label *label)
{
    sentence_print(sentence, " %s: %.3f of its %s over %s tokens (±%.3f)", label->says,
                   label->mean.value,
                   label->figure == SURVEY_BROAD ? "largest possible entropy" : "attention",
                   format_count(label->mean.rows).text, label->mean.half);
}

/* Of the relation under the cursor, or of the head. */
static void corpus_says(const struct scene *scene, struct sentence *sentence)
{
    const struct look *look = &scene->look;
    const struct survey *survey = data_survey(&scene->data);
    if (!survey)
        return;
    const struct corpus_does does = corpus_does(survey, look->layer, look->head);
    if (look->corpus.shown == CORPUS_RELATIONS && look->corpus.relation < survey->relation_count) {
        const struct evidence_relation best = evidence_best_head(survey, look->corpus.relation);
        say_relation(sentence, &best);
        return;
    }
    if (corpus_relates(&does)) {
        say_relation(sentence, &does.relation);
        return;
    }
    const bool itself = corpus_is_labelled(&does) && does.label.figure == SURVEY_SELF;
    sentence_print(sentence, itself ? "In head %zu.%zu" : "Head %zu.%zu", look->layer, look->head);
    if (corpus_is_labelled(&does))
        say_label(sentence, &does.label);
    else
        sentence_print(sentence, " does nothing that has a name, over %s texts",
                       format_count(survey->texts).text);
}

/* The sentence in large letters, and the picture below it. */
static enum status corpus_stage(const struct scene *scene, struct canvas *canvas, struct area area,
                                struct error *error)
{
    struct sentence said = {.ascii = canvas_ascii(canvas), .text = ""};
    corpus_says(scene, &said);
    if (!data_survey(&scene->data))
        return corpus_draw(scene, canvas, area, error);
    const struct stage_text text = {.text = said.text};
    const struct area upper = stage_upper(area, area.rows * 2 / 3);
    const int scale = stage_scale(canvas, upper, &text);
    const int rows = 1 + stage_write(canvas, upper, int_max(scale, 0), &text);
    area.y += rows;
    area.rows -= rows;
    return corpus_draw(scene, canvas, area, error);
}

/* ---- Keys and clicks ---- */

static size_t example_count(const struct scene *scene)
{
    const struct survey_example *examples[EVIDENCE_EXAMPLES];
    return evidence_examples(data_survey(&scene->data), scene->look.layer, scene->look.head,
                             examples);
}

static bool corpus_opens(const struct scene *scene, struct opened *opened)
{
    const struct survey_example *examples[EVIDENCE_EXAMPLES];
    const struct survey *survey = data_survey(&scene->data);
    const size_t example = scene->look.corpus.example;
    if (!survey ||
        example >= evidence_examples(survey, scene->look.layer, scene->look.head, examples))
        return false;
    const struct survey_text *text = &survey->kept[examples[example]->text];
    *opened = (struct opened){text->words, text->id, (size_t)examples[example]->from,
                              (size_t)examples[example]->to,
                              (double)examples[example]->weight / SURVEY_UNIT};
    return true;
}

#define PAGE_ROWS 4

/* To the head that stands next in the picture. */
static enum status move_head(struct scene *scene, int down, int across, struct error *error)
{
    struct look *look = &scene->look;
    const struct survey *survey = data_survey(&scene->data);
    const int layers = (int)survey->layers, heads = (int)survey->heads;
    if (look->corpus.shown == CORPUS_SORTED)
        return corpus_move_in_sorted(scene, down + across, error);
    if (look->corpus.shown == CORPUS_RELATIONS)
        return corpus_move_in_relations(scene, down + across, error);
    if (look->corpus.shown == CORPUS_SCATTER) {
        corpus_move_in_scatter(scene, (down > 0) - (down < 0), across);
        return STATUS_OK;
    }
    const int row = (int)look->layer;
    look->layer =
        (size_t)(abs(down) <= 1 ? (row + layers + down) % layers
                                : int_clamp(row + down / ACTION_PAGE * PAGE_ROWS, 0, layers - 1));
    look->head = (size_t)(((int)look->head + heads + across) % heads);
    return STATUS_OK;
}

static enum acted move(struct scene *scene, int down, int across, struct error *error)
{
    size_t *example = &scene->look.corpus.example;
    if (*example == NO_TOKEN)
        return move_head(scene, down, across, error) == STATUS_OK ? ACT_DONE : ACT_REFUSED;
    *example = (size_t)int_clamp((int)*example + down + across, 0,
                                 int_max((int)example_count(scene) - 1, 0));
    return ACT_DONE;
}

/* The next of those that the survey has, or SURVEY_FIGURE_COUNT. */
static int figure_after(const struct survey *survey, int figure)
{
    do
        figure++;
    while (figure < SURVEY_FIGURE_COUNT && !survey_has(survey, (enum survey_figure)figure));
    return figure;
}

/* The next figure, or what each head does; in the scatter O walks that of the other axis. */
static void next_figure(struct corpus_look *look, const struct survey *survey, bool other)
{
    const bool scatter = look->shown == CORPUS_SCATTER;
    if (scatter && other)
        look->axis = (unsigned)figure_after(survey, (int)look->axis) % SURVEY_FIGURE_COUNT;
    else if (other)
        look->shown = look->shown == CORPUS_SORTED ? CORPUS_HEADS : CORPUS_SORTED;
    else
        look->figure =
            (unsigned)(figure_after(survey, (int)look->figure - 1) + 1) % (SURVEY_FIGURE_COUNT + 1);
}

static enum acted show(struct scene *scene, enum corpus_shown shown, struct error *error)
{
    struct corpus_look *look = &scene->look.corpus;
    look->shown = look->shown == shown ? CORPUS_HEADS : shown;
    if (look->shown == CORPUS_RELATIONS && look->relation == 0)
        return corpus_move_in_relations(scene, -ACTION_END, error) == STATUS_OK ? ACT_DONE
                                                                                : ACT_REFUSED;
    if (look->shown == CORPUS_RELATIONS)
        corpus_go_to_relation(scene, look->relation);
    return ACT_DONE;
}

/* First out of the examples, then back to the grid. */
static enum acted go_back(struct corpus_look *look)
{
    if (look->example != NO_TOKEN)
        look->example = NO_TOKEN;
    else if (look->shown != CORPUS_HEADS)
        look->shown = CORPUS_HEADS;
    else
        return ACT_PASSED;
    return ACT_DONE;
}

static enum acted to_examples(struct scene *scene, struct error *error)
{
    if (example_count(scene) == 0) {
        error_set(error, STATUS_USAGE, "no example of this head was kept");
        return ACT_REFUSED;
    }
    scene->look.corpus.example = 0;
    return ACT_DONE;
}

/* Without a survey keys mean what they mean elsewhere. */
static enum acted corpus_act(struct scene *scene, enum action action, struct error *error)
{
    struct corpus_look *look = &scene->look.corpus;
    const int down = action_steps(action),
              across = (action == ACTION_RIGHT) - (action == ACTION_LEFT);
    if (!data_survey(&scene->data))
        return ACT_PASSED;
    if (down != 0 || across != 0)
        return move(scene, down, across, error);
    switch (action) {
    case ACTION_METRIC:
    case ACTION_SORT:
        next_figure(look, data_survey(&scene->data), action == ACTION_SORT);
        return ACT_DONE;
    case ACTION_LIST:
        return show(scene, CORPUS_SCATTER, error);
    case ACTION_RANK:
        return show(scene, CORPUS_RELATIONS, error);
    case ACTION_SIDE:
        look->card = (look->card + 1) % CARD_PART_COUNT;
        return ACT_DONE;
    case ACTION_PIN:
        return to_examples(scene, error);
    case ACTION_CLEAR:
        return go_back(look);
    default:
        return ACT_PASSED;
    }
}

/* The first click goes there, the second goes on as Enter does. */
static enum action corpus_click(struct scene *scene, struct hit hit)
{
    struct look *look = &scene->look;
    const struct survey *survey = data_survey(&scene->data);
    if (!survey)
        return ACTION_COUNT;
    if (hit.kind == HIT_CARD && hit.value < CARD_PART_COUNT)
        look->corpus.card = (enum card_part)hit.value;
    if (hit.kind == HIT_RELATION && hit.value < survey->relation_count)
        corpus_go_to_relation(scene, hit.value);
    if (hit.kind == HIT_EXAMPLE && hit.value < example_count(scene)) {
        if (look->corpus.example == hit.value)
            return ACTION_PIN;
        look->corpus.example = hit.value;
    }
    if (hit.kind != HIT_THUMBNAIL || hit.value >= survey->layers * survey->heads)
        return ACTION_COUNT;
    const size_t layer = hit.value / survey->heads, head = hit.value % survey->heads;
    if (look->layer == layer && look->head == head)
        return ACTION_PIN;
    look->layer = layer;
    look->head = head;
    look->corpus.example = NO_TOKEN;
    return ACTION_COUNT;
}

static const char *corpus_hints(const struct scene *scene)
{
    if (!data_survey(&scene->data))
        return "e: edit";
    if (scene->look.corpus.example != NO_TOKEN)
        return "↑↓: example; Enter: open it; Esc: back";
    switch (scene->look.corpus.shown) {
    case CORPUS_SORTED:
        return "↑↓: head; Enter: examples; r: relations; o: figure; O: unsort; x: card";
    case CORPUS_SCATTER:
        return "↑↓←→: head; Enter: examples; o: across; O: up; c: grid; x: card";
    case CORPUS_RELATIONS:
        return "↑↓: relation; Enter: examples; x: card; r: heads";
    default:
        return "↑↓←→: head; Enter: examples; r: relations; o: figure; O: sort; c: scatter; x: card";
    }
}

const struct view corpus_view = {
    .title = "Corpus",
    .about = "what each head does over many texts, with evidence and examples",
    .meaning = "all heads over many texts, and the card of one: what it does, with examples",
    .mouse = "a head, a relation, an example, again: opens it",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_BARE,
    .own = "o O r c x",
    .own_list = true,
    .surveys = true,
    .draw = corpus_draw,
    .stage = corpus_stage,
    .act = corpus_act,
    .opens = corpus_opens,
    .click = corpus_click,
    .hints = corpus_hints,
    .legend = corpus_legend,
    .table = corpus_table,
    .says = corpus_says,
};
