/* sentence.c: the pieces that views make their sentences of. Nothing is computed here that takes
 * longer than a part of a frame: of a long text the head is not measured. */
#include "headlight/view/sentence.h"

#include "headlight/lens/dimensions.h"
#include "headlight/lens/figures.h"
#include "headlight/view/views.h"

#include <ctype.h>

/* ---- Text ---- */

/* The rest of the buffer, as format_add would take the format as a list. */
void sentence_print(struct sentence *sentence, const char *format, ...)
{
    va_list arguments;
    const size_t used = strlen(sentence->text);
    va_start(arguments, format);
    format_cut_list(sentence->text + used, sizeof sentence->text - used, format, arguments);
    va_end(arguments);
}

void sentence_print_words(struct sentence *sentence, const char *words)
{
    if (*words)
        sentence_print(sentence, "%c%s",
                       sentence->text[0] ? *words : toupper((unsigned char)*words), words + 1);
}

void sentence_print_share(struct sentence *sentence, double share)
{
    char number[24];
    figure_print(number, sizeof number, FIGURE_SHARE, share);
    sentence_print(sentence, " (%s)", number);
}

struct token_name sentence_token(const struct scene *scene, size_t token, bool ascii)
{
    size_t shown = attention_shown(scene->data.attention, SIDE_LEFT, token);
    struct token_name name;
    if (shown != NO_TOKEN && scene_piece(scene, SIDE_LEFT, shown) == token)
        return scene_name(scene, SIDE_LEFT, shown, ascii);
    snprintf(name.text, sizeof name.text, "%s",
             scene->data.encoded->sides[SIDE_LEFT].labels[token]);
    return name;
}

/* "Without head 3.1 " becomes "Without head 3.1, ". */
static void end_clause(struct sentence *sentence)
{
    if (*sentence->text) {
        sentence->text[strlen(sentence->text) - 1] = '\0';
        sentence_print(sentence, ", ");
    }
}

/* ---- A head ---- */

enum metric sentence_say_head(const struct scene *scene, struct sentence *sentence)
{
    const struct data *data = &scene->data;
    const struct trace *trace = data->trace;
    /* only where the picture is of all that a head's label is measured on */
    if (scene_is_single(scene) || data->map->kind != MAP_WEIGHTS ||
        head_mask_count(scene_maps(scene)) != 1 || scene->look.from != NO_TOKEN ||
        scene->look.to != NO_TOKEN ||
        edge_range_count(scene_range(scene, SIDE_LEFT)) != trace->tokens ||
        edge_range_count(scene_range(scene, SIDE_RIGHT)) != trace->attended ||
        (!data->metrics && trace->tokens * trace->attended > MEASURED_MAX))
        return METRIC_NONE;
    const size_t layer = scene->look.layer, head = head_mask_first(scene_maps(scene));
    const struct head_metrics metrics = scene_metrics(scene, layer, head);
    const struct head_label label = metrics_label(&metrics);
    if (label.metric == METRIC_NONE)
        return METRIC_NONE;
    /* whether each word that stands again does so in the other sentence */
    const size_t *words = data->encoded->kinds.words, boundary = scene_boundary(scene, SIDE_LEFT);
    bool across = label.metric == METRIC_SAME;
    for (size_t token = 0; across && token < data->tokens; token++)
        across = words[token] >= token || (words[token] < boundary && token >= boundary);
    end_clause(sentence);
    sentence_print_words(sentence, "head ");
    sentence_print(sentence, "%s %s%s", data_head(data, layer, head).text, label.says,
                   across ? " in both sentences" : "");
    sentence_print_share(sentence, label.value);
    if (data_before(data) && trace->tokens * trace->attended <= MEASURED_MAX) {
        const struct head_metrics was =
            metrics_measure(data_before(data), layer, head, &data->encoded->kinds);
        const double before = was.named[label.metric];
        sentence->text[strlen(sentence->text) - 1] = '\0';
        sentence_print(sentence, fabs(before - label.value) < 0.0005 ? ")" : ", before %.3f)",
                       before);
    }
    if (label.rest > 0) {
        sentence_print(sentence, ", besides the first token");
        sentence_print_share(sentence, 1 - label.rest);
    }
    return label.metric;
}

/* ---- An edge ---- */

/* "0.363", and where a change of the network changed it, ", before 0.998". */
static void print_weight(const struct scene *scene, struct sentence *sentence,
                         const struct edge *edge)
{
    unsigned before;
    sentence_print(sentence, "%s", scene_number(scene, edge).text);
    if (scene_weight_before(scene, edge, &before))
        sentence_print(sentence, ", before %s", number_weight(before).text);
}

/* A mask leaves nothing to be said of a pair but that. */
static bool sentence_say_unseen(const struct scene *scene, struct sentence *sentence,
                                const struct edge *edge)
{
    const bool unseen = !scene_sees(scene, edge->from, edge->to);
    if (unseen)
        sentence_print(sentence, "\"%s\" can't see \"%s\" in layer %zu",
                       scene_name(scene, SIDE_LEFT, edge->from, sentence->ascii).text,
                       scene_name(scene, SIDE_RIGHT, edge->to, sentence->ascii).text,
                       scene->look.layer);
    return unseen;
}

/* A light edge is not worth a sentence, unless it was chosen. */
void sentence_say_edge(const struct scene *scene, struct sentence *sentence)
{
    struct edge edge;
    if (!scene_current_edge(scene, &edge) || (edge.weight == 0 && !scene_is_pinned(scene)))
        return;
    const struct look *look = &scene->look;
    const enum map_kind map = scene->data.map->kind;
    const bool words = caption_is_between_words(scene, &edge), weights = map == MAP_WEIGHTS,
               pinned = scene_is_pinned(scene),
               left_out = !pinned && (scene->data.attention->shape.special || look->filter);
    const struct token_name from = scene_name(scene, SIDE_LEFT, edge.from, sentence->ascii),
                            to = scene_name(scene, SIDE_RIGHT, edge.to, sentence->ascii);
    const double value = (double)scene_value(scene, edge.head, edge.from, edge.to);
    const char *const *labels = scene->data.attention->tokens[SIDE_RIGHT].labels;
    if (sentence_say_unseen(scene, sentence, &edge))
        return;
    if (weights ? scene->data.mean || words || left_out : !pinned)
        end_clause(sentence);
    if (weights) {
        /* A token that is chosen comes first. */
        sentence_print_words(sentence, scene->data.mean ? "on average, " : "");
        sentence_print_words(sentence, words      ? "between words, "
                                       : left_out ? "of the tokens shown, "
                                                  : "");
        if (look->from == NO_TOKEN && look->to != NO_TOKEN)
            sentence_print(sentence, "\"%s\" is looked at most by \"%s\"", to.text, from.text);
        else
            sentence_print(sentence, "\"%s\" looks %sat \"%s\"", from.text,
                           scene_is_pinned(scene) ? "" : "most ", to.text);
        for (size_t i = 0; look->to == NO_TOKEN && i < scene_count(scene, SIDE_RIGHT); i++)
            if (i != edge.to && strcmp(labels[i], labels[edge.to]) == 0 &&
                fabs((double)scene_value(scene, edge.head, edge.from, i) - value) < 0.0005)
                sentence_print(sentence, " and \"%s\"",
                               scene_name(scene, SIDE_RIGHT, i, sentence->ascii).text);
        sentence_print(sentence, " (");
        print_weight(scene, sentence, &edge);
    } else { /* nothing "looks" with other numbers than weights */
        if (!pinned)
            sentence_print_words(sentence, !words ? "strongest: "
                                           : map_infos[map].pairs == PAIRS_OF_LETTERS
                                               ? "strongest six or more apart: "
                                               : "strongest between words: ");
        const struct weight_text text = scene_number_of(scene, value, 6);
        sentence_print_words(sentence, "the "); /* score of "cat" for "mat" */
        sentence_print(sentence, "%s %s \"%s\" %s \"%s\" is %s", map_infos[map].number,
                       map_infos[map].of, from.text, map_infos[map].with, to.text,
                       text.text + (text.text[0] == '+' && map != MAP_DIFFERENCE));
    }
    if (head_mask_count(scene_maps(scene)) > 1)
        sentence_print(sentence, weights ? ", head %u" : " in head %u", (unsigned)edge.head);
    sentence_print(sentence, weights ? ")" : "");
    const char *other = scene_beside(scene, SIDE_LEFT, edge.from);
    if (weights && *other && scene->look.from == edge.from)
        sentence_print(sentence,
                       scene->data.attention->shape.said ? ", reading \"%s\""
                                                         : ", about to say \"%s\"",
                       other);
}

/* A head that is uniform makes its weights of no score, nor does a mask. */
void sentence_say_score(const struct scene *scene, struct sentence *sentence,
                        const struct edge *edge)
{
    const struct data *data = &scene->data;
    const struct attending at = {data->trace, scene->look.layer, edge->head, edge->from};
    const struct token_name from = scene_name(scene, SIDE_LEFT, edge->from, sentence->ascii),
                            to = scene_name(scene, SIDE_RIGHT, edge->to, sentence->ascii);
    float score;
    if (sentence_say_unseen(scene, sentence, edge))
        return;
    const bool scored =
        !(data->network &&
          head_mask_has(data->network->uniform[data_numbered(data, at.layer)], edge->head)) &&
        dimensions_score(&at, edge->to, data->divisor, &score) && !trace_is_masked(score);
    sentence_print(sentence,
                   scored ? "\"%s\" gives \"%s\" a score of " : "\"%s\" looks at \"%s\": ",
                   from.text, to.text);
    if (scored)
        sentence_print(sentence, "%.2f; softmax makes it ", (double)score);
    print_weight(scene, sentence, edge);
}

void sentence_say_attention(const struct scene *scene, struct sentence *sentence)
{
    if (!sentence_say_head(scene, sentence))
        sentence_say_edge(scene, sentence);
}

struct named sentence_names(const struct scene *scene)
{
    struct sentence other = {.text = ""};
    struct named named = {.kind = METRIC_NONE};
    const bool pinned = scene_is_pinned(scene);
    if (!pinned && (!scene->look.presented || sentence_begin(scene, &other)))
        return named;
    named.kind = sentence_say_head(scene, &other);
    if (named.kind == METRIC_BROAD) /* all are alike */
        named.kind = METRIC_NONE;
    else if (named.kind == METRIC_NONE && scene_current_edge(scene, &named.edge) &&
             (pinned || named.edge.weight > 0))
        named.kind = METRIC_PAIR;
    return named;
}

bool sentence_is_of(const struct scene *scene, const struct named *named, const struct edge *edge)
{
    double of[METRIC_EFFECT];
    if (named->kind == METRIC_NONE || named->kind == METRIC_PAIR)
        return named->kind && edge->from == named->edge.from && edge->to == named->edge.to;
    metrics_of_row(scene_row(scene, edge->head, edge->from),
                   (struct token_range){edge->to, edge->to + 1}, edge->from,
                   &scene->data.encoded->kinds, of);
    return of[named->kind] > 0;
}

/* ---- A change ---- */

static struct token_name name_in(const struct encoded *encoded, size_t token, bool ascii)
{
    const struct token_side *side = &encoded->sides[SIDE_LEFT];
    return token < side->count ? scene_name_among(side->labels, side->count, token, false, ascii)
                               : (struct token_name){"a token"};
}

/* A change is said by its name where it is the only one: "Without heads 1.2 and 1.3 ". */
void sentence_print_change(const struct scene *scene, struct sentence *sentence)
{
    const struct interventions *network = scene->data.network;
    const struct intervene_stacks *stacks = &scene->data.stacks;
    const struct encoded *source = encoded_source(scene->data.encoded),
                         *target = encoded_speaker(scene->data.encoded);
    const struct cut *cut = network->cuts;
    const uint32_t hidden = network->hidden[0];
    const double temperature = interventions_temperature(network);
    const bool tempered = temperature < 1 || temperature > 1;
    char off[80], uniform[80];
    const size_t heads_off = interventions_name_heads(network->off, stacks, off, sizeof off),
                 heads_uniform =
                     interventions_name_heads(network->uniform, stacks, uniform, sizeof uniform),
                 count = (size_t)network->causal + network->unscaled + network->no_segments +
                         tempered + (network->positions != POSITIONS_LEARNT) + (heads_off > 0) +
                         (heads_uniform > 0) + network->hidden_count + network->cut_count;
    const enum site site = interventions_site_of(stacks, cut->layer);
    if (count != 1)
        sentence_print(sentence, "After the change ");
    else if (heads_off > 0)
        sentence_print(sentence, "Without %s ", off);
    else if (heads_uniform > 0)
        sentence_print(sentence, "With %s uniform ", uniform);
    else if (network->hidden_count > 0)
        sentence_print(sentence, "With \"%s\" hidden ",
                       name_in(hidden & INTERVENE_DECODER ? target : source,
                               hidden & ~INTERVENE_DECODER, sentence->ascii)
                           .text);
    else if (network->cut_count > 0)
        sentence_print(
            sentence, "With \"%s\" → \"%s\" cut in head %s ",
            name_in(site == SITE_ENCODER ? source : target, cut->from, sentence->ascii).text,
            name_in(site == SITE_DECODER ? target : source, cut->to, sentence->ascii).text,
            interventions_name(stacks, cut->layer, cut->head).text);
    else if (tempered)
        sentence_print(sentence, "At temperature %g ", temperature);
    else
        sentence_print(sentence, "%s",
                       network->causal && stacks->layers[1] > 0 ? "With a causal encoder "
                       : network->causal                        ? "With causal attention "
                       : network->unscaled                      ? "Without the division "
                       : network->no_segments                   ? "Without segments "
                       : network->positions == POSITIONS_NONE   ? "Without positions "
                                                                : "With sinusoidal positions ");
}

struct target_text sentence_target(const struct scene *scene, const struct target *target,
                                   bool ascii)
{
    const struct data *data = &scene->data;
    const enum model_output output = target->output;
    const bool label = output == OUTPUT_CLASSES || output == OUTPUT_TAGS;
    char name[96];
    struct target_text said = {.text = ""};
    target_name(data->checkpoint, data->encoded, target, name, sizeof name);
    if (output == OUTPUT_TAGS || output == OUTPUT_RTD)
        format_cut(said.text, sizeof said.text, "%s at \"%s\"", name,
                   sentence_token(scene, target->token, ascii).text);
    else
        format_cut(said.text, sizeof said.text,
                   output == OUTPUT_SENTENCE ? "the %s"
                   : output == OUTPUT_NSP    ? "the probability that %s"
                   : output == OUTPUT_SOP    ? "the probability of %s"
                   : label                   ? "%s"
                                             : "\"%s\"",
                   name);
    return said;
}

void sentence_print_rise(struct sentence *sentence, bool share, double before, double now)
{
    const enum figure_form form = share ? FIGURE_SHARE : FIGURE_DECIMAL;
    char from[24], to[24];
    figure_print(from, sizeof from, form, before);
    figure_print(to, sizeof to, form, now);
    if (isnan(before))
        sentence_print(sentence, " is %s", to);
    else if (strcmp(from, to) == 0)
        sentence_print(sentence, " stays at %s", to);
    else
        sentence_print(sentence, " %s from %s to %s", now < before ? "falls" : "rises", from, to);
}

void sentence_print_turn(const struct scene *scene, struct sentence *sentence,
                         const struct target *target, double before, double now)
{
    const bool score = target_is_score(scene->data.checkpoint->model, target);
    sentence_print_words(sentence, sentence_target(scene, target, sentence->ascii).text);
    sentence_print_rise(sentence, !score, before, now);
}

/* Before and after, by log-probabilities. */
static void print_turn_of(const struct scene *scene, struct sentence *sentence,
                          const struct target *target, double before, double now)
{
    const struct model *model = scene->data.checkpoint->model;
    sentence_print_turn(scene, sentence, target, target_shown(model, target, before),
                        target_shown(model, target, now));
}

bool sentence_say_similarity(const struct scene *scene, struct sentence *sentence)
{
    const struct sentence_pair *sentences = scene->data.sentences;
    if (!sentences || !scene->data.network || isnan(sentences->before))
        return false;
    sentence_print_change(scene, sentence);
    sentence_print_turn(scene, sentence, &(struct target){.output = OUTPUT_SENTENCE},
                        sentences->before, sentences->value);
    return true;
}

bool sentence_say_answer(const struct scene *scene, struct sentence *sentence, size_t token)
{
    const struct answer_change *answer = before_after_at(scene->data.before_after, token);
    if (!answer || !scene->data.network)
        return false;
    sentence_print_change(scene, sentence);
    print_turn_of(scene, sentence, &answer->on, answer->logprob_before, answer->logprob);
    return true;
}

bool sentence_say_change(const struct scene *scene, struct sentence *sentence)
{
    const struct before_after *change = scene->data.before_after;
    return (scene->data.says == OUTPUT_SENTENCE && sentence_say_similarity(scene, sentence)) ||
           (change && sentence_say_answer(scene, sentence, change->token));
}

bool sentence_begin(const struct scene *scene, struct sentence *sentence)
{
    const struct look *look = &scene->look;
    const bool figures = (scene->view->shown & SHOWN_METRICS) && look->metric != METRIC_NONE;
    if (!scene->data.network || !interventions_any(scene->data.network))
        return false;
    const bool whole = look->from == NO_TOKEN && look->to == NO_TOKEN && !figures;
    /* whether a head that is shown was changed, or more than heads was and the view shows no figure
     * of each */
    struct interventions others = *scene->data.network;
    const size_t layer = data_numbered(&scene->data, look->layer);
    const head_mask changed = others.off[layer] | others.uniform[layer], maps = scene_maps(scene);
    memset(others.off, 0, sizeof others.off);
    memset(others.uniform, 0, sizeof others.uniform);
    const bool here = (changed & maps) || (!figures && interventions_any(&others));
    if ((here || (whole && look->head_found)) && sentence_say_change(scene, sentence))
        return true;
    if (whole && head_mask_count(maps) == 1 &&
        scene_is_off(scene, look->layer, head_mask_first(maps))) {
        sentence_print(sentence, "Head %s is off: what it looks at adds nothing",
                       data_head(&scene->data, look->layer, head_mask_first(maps)).text);
        return true;
    }
    sentence_print_change(scene, sentence);
    return false;
}

/* All pieces of a word, as they stand in the text. */
static void print_word(const struct scene *scene, struct sentence *sentence,
                       struct token_range pieces)
{
    const struct encoded *encoded = encoded_attended(scene->data.encoded);
    const struct token *first = &encoded->encoding->tokens[pieces.first];
    const char *bytes = encoded->texts[first->sentence].bytes + first->span.start;
    const size_t length = encoded->encoding->tokens[pieces.end - 1].span.end - first->span.start;
    const size_t blank = length > 0 && *bytes == ' ';
    sentence_print(sentence, "\"%.*s\"", (int)(length - blank), bytes + blank);
}

bool sentence_say_without(const struct scene *scene, struct sentence *sentence, size_t token)
{
    const struct word_effects *effects = scene->data.word_effects;
    const size_t at = effects ? word_effects_at(effects, token) : NO_TOKEN;
    if (at == NO_TOKEN || isnan(effects->words[at].change))
        return false;
    const enum site site = scene->data.encoded->site;
    sentence_print(sentence,
                   site == SITE_ENCODER || site == SITE_CROSS ? "With the source's " : "With ");
    print_word(scene, sentence, effects->words[at].pieces);
    sentence_print(sentence, " %s ", word_way_names[effects->way]);
    print_turn_of(scene, sentence, &effects->on, effects->logprob,
                  effects->logprob + effects->words[at].change);
    size_t most = NO_TOKEN; /* the other word that it acts most together with, if that is known */
    for (size_t i = 0; at == effects->paired && i < effects->count; i++)
        if (!isnan(effects->words[i].pair) &&
            (most == NO_TOKEN || fabs(effects->words[i].pair) > fabs(effects->words[most].pair)))
            most = i;
    if (most == NO_TOKEN)
        return true;
    sentence_print(sentence, "; it interacts most with ");
    print_word(scene, sentence, effects->words[most].pieces);
    sentence_print(sentence, " (%+.2f)", effects->words[most].pair);
    return true;
}
