/* corpus.c: the corpus view: what each head does over many texts, as a survey counted it
 * (survey/evidence.h). On the left all heads, on the right, or below, the card of one of them. The
 * text that is open has nothing to do with it, until Enter opens an example. */
#include "headlight/view/corpus.h"

#include <stdlib.h>

#define BESIDE_COLUMNS 100 /* so many have room for heads and card side by side */
#define CARD_COLUMNS   54
#define CARD_ROWS      8 /* below the heads */
#define LAYER_COLUMNS  3 /* of a figure's "layer" */

/* ---- Drawing ---- */

/* What was counted: "dev.conllu  2,001 texts  35,580 tokens  off 3.3  model built-in", and "812 of
 * 2,001 texts" while there are more to come. */
static void draw_corpus(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct survey *survey = data_survey(&scene->data);
    const bool live = survey == scene->data.surveyed;
    const int64_t texts = survey_total(survey, SURVEY_TEXTS), passed = survey_passed(survey);
    const int64_t all = (int64_t)scene->data.corpus_texts + survey_total(survey, SURVEY_REFUSED);
    const struct trace *trace = scene->data.encoded->trace;
    const bool named = scene->data.encoded->masked.count > 0 || /* tokens, which others haven't */
                       trace->computed.changes.hidden_count + trace->computed.changes.cut_count > 0;
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
    for (size_t i = 0; i < survey_count(survey, ROW_SHARD); i = survey_corpus_end(survey, i))
        pen_print(&pen, style_bold(ROLE_TEXT), i > 0 ? " + %s" : "%s",
                  survey_name(survey, ROW_SHARD, i));
    if (live && !survey->whole)
        pen_write(&pen, "  <%s> of %s texts", format_count(passed).text, format_count(all).text);
    else
        pen_write(&pen, "  {%s} text%s", format_count(texts).text, texts == 1 ? "" : "s");
    pen_write(&pen, "  {%s} tokens", format_count(survey_total(survey, SURVEY_TOKENS)).text);
    if (passed > texts)
        pen_write(&pen, "  %s left out", format_count(passed - texts).text);
    if (*survey->origin.options)
        pen_write(&pen, "  %s", survey->origin.options);
    if (live && named)
        pen_write(&pen, "  no token hidden, cut or masked");
    pen_print(&pen, style_of(ROLE_FAINT), "  model %s%s", survey->origin.model,
              live && !scene->data.corpus ? "  your own: headlight FILE" : "");
    if (scene->data.lacking[0])
        pen_print(&pen, style_of(ROLE_WARNING), ", not here");
}

/* A survey of another shape than the model's is never opened with it. Heads take what columns they
 * need, the card the rest; below, it has at least a few rows. While an example is chosen in a
 * narrow window, the card has all of it. A figure has all heads, with nothing under the cursor:
 * what they are stands beside them and above, the scale below. */
static void corpus_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct corpus_look *look = &scene->look.corpus;
    const struct survey *survey = data_survey(&scene->data);
    struct corpus_sheet sheet = {.scene = scene, .survey = survey, .canvas = canvas};
    const struct area all = {area.y + 1, area.x + 2, area.rows - 2, area.columns - 4};
    const bool lists = look->shown != CORPUS_HEADS;
    if (!survey) { /* of a recording, which has no model to be surveyed, or of what translates */
        const bool pairs = scene->data.encoded->site != SITE_ONLY;
        struct area left = area_below(all, area.rows / 4);
        char lacks[160];
        snprintf(lacks, sizeof lacks,
                 "A survey says what each head does over many %s. None is open; this makes one:",
                 pairs ? "pairs of texts" : "texts");
        left = area_below(left, 1 + canvas_paragraph(canvas, left, style_of(ROLE_TEXT), lacks));
        canvas_print(canvas, left.y, left.x + 2, left.columns - 2, style_of(ROLE_STRONG),
                     "headlight survey %s -o dev.survey",
                     pairs ? "--model NAME dev.jsonl" : "dev.conllu");
        canvas_text(canvas, left.y + 1, left.x + 2, left.columns - 2, style_of(ROLE_STRONG),
                    "headlight dev.survey");
        return;
    }
    if (canvas->bare) {
        struct scene plain = *scene;
        const int named = lists ? 0 : LAYER_COLUMNS;
        plain.look.layer = plain.look.head = NO_TOKEN;
        sheet.scene = &plain;
        sheet.heads = (struct area){all.y, all.x + named, all.rows - 1, all.columns - named};
        if (sheet.heads.rows > 0)
            corpus_draw_heads(&sheet);
        return;
    }
    sheet.heads = sheet.card = all;
    sheet.beside = area.columns >= BESIDE_COLUMNS;
    if (sheet.beside) {
        const int wanted = lists ? all.columns / 2 : 5 + 9 * (int)survey->heads;
        sheet.heads.columns = int_min(wanted, all.columns - CARD_COLUMNS - 3);
        sheet.card.x += sheet.heads.columns + 3;
        sheet.card.columns -= sheet.heads.columns + 3;
    } else if (look->example != NO_TOKEN) {
        sheet.heads.rows = 0;
    } else {
        const int wanted = lists ? all.rows / 2 : 1 + (int)survey->layers;
        sheet.heads.rows = int_max(int_min(wanted, all.rows - CARD_ROWS - 1), 3);
        sheet.card.y += sheet.heads.rows + 1;
        sheet.card.rows -= sheet.heads.rows + 1;
    }
    draw_corpus(scene, canvas, area);
    if (sheet.heads.rows > 0)
        corpus_draw_heads(&sheet);
    for (int y = sheet.card.y; sheet.beside && y < sheet.card.y + sheet.card.rows; y++)
        canvas_text(canvas, y, sheet.card.x - 2, 1, style_of(ROLE_FAINT), "│");
    corpus_draw_card(&sheet);
}

/* ---- In words ---- */

/* Of each that is shown the keys that matter, and what the signs mean behind what is shown. */
static const struct {
    const char *hints, *signs[3];
} kinds[] = {
    [CORPUS_HEADS] = {"↑↓←→: head; Enter: examples; r: relations; o: figure; O: sort; c: scatter",
                      {"fuller: more", "±≥≤: 95 %", "down: layers, across: heads"}},
    [CORPUS_SORTED] = {"↑↓: head; Enter: examples; r: relations; o: figure; O: unsort",
                       {"layer.head", "±≥≤: 95 %", ""}},
    [CORPUS_SCATTER] = {"↑↓←→: head; Enter: examples; o: across; O: up; c: grid",
                        {"2…9: that many heads", "", ""}},
    [CORPUS_RELATIONS] = {"↑↓: relation; Enter: examples; r: heads",
                          {"→: from the first to the second, ←: back", "±≥≤: 95 %", ""}},
};

static void corpus_legend(const struct scene *scene, struct pen *pen)
{
    const struct corpus_look *look = &scene->look.corpus;
    const struct survey *survey = data_survey(&scene->data);
    const enum metric figure = corpus_figure(&scene->look);
    const struct metric_info *info = &metric_infos[figure];
    char named[128] = "", first[128] = "blue: relations, hues: labels, grey: broad";
    const char *const *signs = kinds[look->shown].signs;
    if (!survey)
        return;
    if (look->shown == CORPUS_SCATTER)
        snprintf(first, sizeof first, "a point: a head, in the colour of what it does");
    else if (look->shown == CORPUS_RELATIONS && survey_count(survey, ROW_RELATION) > 0) {
        const char *name = corpus_chosen_relation(scene).name;
        format_cut(first, sizeof first, "%s: %s", name, evidence_between(name));
    } else if (figure > METRIC_LABEL)
        snprintf(first, sizeof first, "%s: %s", info->name, info->meaning);
    else { /* what the chosen head does, in full */
        const struct corpus_head head =
            corpus_head(survey, &scene->look, scene->look.layer, scene->look.head);
        const char *relation = head.relation.name, *brief = corpus_does(&head, true);
        if (*brief)
            format_cut(named, sizeof named, "%s: %s", brief,
                       relation ? evidence_between(relation) : head.label.says);
    }
    const char *const pieces[] = {named, first, signs[0], signs[1], signs[2]};
    if (look->example != NO_TOKEN)
        pen_write(pen, "the strongest pairs of texts, then of each tenth of the weight any three");
    else
        caption_parts(pen, pieces, LENGTH(pieces), true);
}

/* Of what was measured. */
static void say_interval(const struct evidence_number *mean, struct sentence *sentence)
{
    const struct weight_text half = corpus_half(mean, true);
    if (mean->of > 0 && *half.text)
        sentence_print(sentence, " (%s)", half.text);
}

/* Of the relation under the cursor, of the head: "Head 1.3 looks at the word before: 0.931 of its
 * attention over 35,580 tokens (±0.004)", or of the figure that is shown: "Head 1.3: entropy 1.773
 * over 3,186 tokens (±0.063)". */
static void corpus_says(const struct scene *scene, struct sentence *sentence)
{
    const struct look *look = &scene->look;
    const struct survey *survey = data_survey(&scene->data);
    if (!survey)
        return;
    struct corpus_head head = corpus_head(survey, look, look->layer, look->head);
    const bool related =
        look->corpus.shown == CORPUS_RELATIONS && survey_count(survey, ROW_RELATION) > 0;
    if (related)
        head.relation = corpus_chosen_relation(scene);
    const struct evidence_label *label = &head.label;
    if (head.relation.name && (related || !head.figured)) {
        /* "Head 5.7 finds obj in 0.674 of 1,204 pairs (best fixed offset: -2, 0.312)", unless
         * whoever always takes the word at that offset finds as many */
        const struct evidence_relation *relation = &head.relation;
        const struct counted pairs = format_count(relation->share.of);
        const int place = relation->from_head ? -relation->offset : relation->offset;
        const char *between = look->presented ? evidence_between(relation->name) : "";
        char name[160]; /* for an audience in plain words */
        format_cut(name, sizeof name, *between ? "%s (%s)" : "%s%s",
                   *between ? between : relation->name, *between ? relation->name : "");
        if (relation->gain > 0)
            sentence_print(
                sentence,
                "Head %zu.%zu finds %s in %.3f of %s pairs (best fixed offset: %+d, %.3f)",
                relation->layer, relation->head, name, relation->share.value, pairs.text,
                relation->offset, relation->offset_share.value);
        else
            sentence_print(sentence,
                           "For %s head %zu.%zu is no better than always \"%d %s\": %.3f of %s "
                           "pairs, that %.3f",
                           name, relation->layer, relation->head, abs(place),
                           place < 0 ? "before" : "after", relation->share.value, pairs.text,
                           relation->offset_share.value);
        return;
    }
    const enum metric figure = corpus_figure(look);
    sentence_print(sentence, "%s %s%zu.%zu",
                   label->beside && figure == METRIC_LABEL ? "Besides the first token, head"
                                                           : "Head",
                   site_words[survey->site].mark, look->layer, look->head);
    if (figure > METRIC_LABEL) {
        const struct evidence_number mean = evidence_mean(survey, figure, look->layer, look->head);
        if (mean.of == 0)
            sentence_print(sentence, ": %s was not measured", metric_infos[figure].name);
        else
            sentence_print(sentence, ": %s %.3f over %s %s", metric_infos[figure].name, mean.value,
                           format_count(mean.of).text, metric_infos[figure].over);
        say_interval(&mean, sentence);
        return;
    }
    if (label->name)
        sentence_print(sentence, " %s: %.3f of %s over %s %s", label->says, label->mean.value,
                       label->metric == METRIC_BROAD       ? "its largest possible entropy"
                       : label->metric == METRIC_PRECISION ? "its links"
                       : label->beside                     ? "the rest"
                                                           : "its attention",
                       format_count(label->mean.of).text, metric_infos[label->metric].over);
    else
        sentence_print(sentence, " has no label, over %s texts",
                       format_count(survey_total(survey, SURVEY_TEXTS)).text);
    if (label->name)
        say_interval(&label->mean, sentence);
}

/* ---- Examples ---- */

static bool corpus_opens(const struct scene *scene, struct opened *opened)
{
    const struct survey_example *examples[SURVEY_EXAMPLES];
    const struct survey *survey = data_survey(&scene->data);
    const size_t example = scene->look.corpus.example;
    if (!survey ||
        example >= evidence_examples(survey, scene->look.layer, scene->look.head, examples, NULL))
        return false;
    const struct survey_key *text = &examples[example]->text->key;
    *opened = (struct opened){text->names[1].bytes, text->names[2].bytes,
                              (size_t)examples[example]->from, (size_t)examples[example]->to,
                              (double)examples[example]->weight / SURVEY_UNIT};
    return true;
}

/* ---- Keys ---- */

static size_t example_count(const struct scene *scene)
{
    const struct survey_example *examples[SURVEY_EXAMPLES];
    return evidence_examples(data_survey(&scene->data), scene->look.layer, scene->look.head,
                             examples, NULL);
}

static enum acted move(struct scene *scene, int down, int across, struct error *error)
{
    size_t *example = &scene->look.corpus.example;
    if (*example == NO_TOKEN)
        return corpus_move(scene, down, across, error) == STATUS_OK ? ACT_DONE : ACT_REFUSED;
    *example = (size_t)int_clamp((int)*example + down + across, 0,
                                 int_max((int)example_count(scene) - 1, 0));
    return ACT_DONE;
}

static enum acted show(struct scene *scene, enum corpus_shown shown, struct error *error)
{
    struct corpus_look *look = &scene->look.corpus;
    look->shown = look->shown == shown ? CORPUS_HEADS : shown;
    return look->shown == CORPUS_RELATIONS ? move(scene, -ACTION_END, 0, error) : ACT_DONE;
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
    case ACTION_SORT:
        if (look->shown == CORPUS_SCATTER) /* a list of what goes up */
            return ACT_PASSED;
        look->shown = look->shown == CORPUS_SORTED ? CORPUS_HEADS : CORPUS_SORTED;
        return ACT_DONE;
    case ACTION_LIST:
        return show(scene, CORPUS_SCATTER, error);
    case ACTION_RANK:
        return show(scene, CORPUS_RELATIONS, error);
    case ACTION_PIN:
        if (example_count(scene) == 0) {
            error_usage(error, "no example of this head was kept");
            return ACT_REFUSED;
        }
        look->example = 0;
        return ACT_DONE;
    case ACTION_CLEAR: /* out of the examples, then back to the grid */
        if (look->example == NO_TOKEN)
            look->shown = CORPUS_HEADS;
        look->example = NO_TOKEN;
        return ACT_DONE;
    default:
        return ACT_PASSED;
    }
}

static const char *corpus_hints(const struct scene *scene)
{
    if (!data_survey(&scene->data))
        return "e: edit";
    if (scene->look.corpus.example != NO_TOKEN)
        return "↑↓: example; Enter: open it; Esc: back";
    return kinds[scene->look.corpus.shown].hints;
}

const struct view corpus_view = {
    .title = "Corpus",
    .about = "what each head does over many texts, with evidence and examples",
    .meaning = "all heads over many texts, and the card of one: what it does, with examples",
    .mouse = "a head, a relation, an example, again: opens it",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_SURVEY,
    .own =
        (const enum action[]){ACTION_METRIC, ACTION_SORT, ACTION_RANK, ACTION_LIST, ACTION_COUNT},
    .surveys = true,
    .draw = corpus_draw,
    .act = corpus_act,
    .opens = corpus_opens,
    .hints = corpus_hints,
    .legend = corpus_legend,
    .table = corpus_table,
    .says = corpus_says,
};
