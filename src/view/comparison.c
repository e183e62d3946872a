/* comparison.c: which two passes the compare view sets side by side, and how the tokens of one
 * stand for those of the other. Tokens of the text shown ("shown") are what the user's cursor
 * counts; a side counts its own ("place"), which differ where a sentence of two stands alone. */
#include "headlight/view/comparison.h"

#include "headlight/lens/same_word.h"

#include <stdlib.h>

/* ---- Passes for a comparison alone ---- */

/* Both texts are walked word by word. They agree up to the first word that one model has and the
 * other doesn't; from there on words rarely do. */
enum status compared_match(const struct token_side *left, const struct token_side *right,
                           size_t **counterparts, struct error *error)
{
    struct token_range word = {0, 0}, other = {0, 0};
    *counterparts = malloc((right->count + 1) * sizeof **counterparts);
    if (!*counterparts)
        return error_memory(error, "the comparison", right->count * sizeof **counterparts);
    for (size_t token = 0; token < right->count; token++)
        (*counterparts)[token] = NO_TOKEN;
    while (word.end < left->count && other.end < right->count) {
        word = same_word_of(left, word.end);
        other = same_word_of(right, other.end);
        const size_t count = word.end - word.first;
        /* cut up differently, their pieces wouldn't correspond */
        if (count != other.end - other.first || !same_word(left, word, right, other))
            continue;
        for (size_t i = 0; i < count; i++)
            (*counterparts)[other.first + i] = word.first + i;
    }
    size_t same = 0;
    while (same < right->count && (*counterparts)[same] == same)
        same++;
    if (left->count == right->count && same == right->count) {
        free(*counterparts);
        *counterparts = NULL;
    }
    return STATUS_OK;
}

/* The traces belong to their encoded texts. */
void compared_free(void *thing)
{
    struct compared *compared = thing;
    if (!compared)
        return;
    encoded_free(compared->encoded[SIDE_LEFT]);
    encoded_free(compared->encoded[SIDE_RIGHT]);
    free(compared->counterparts);
    free(compared);
}

/* ---- What is compared ---- */

/* The most particular wish comes first: another model, then a change, then two sentences. A word
 * that occurs twice is what is left. A recording has no model to compute anything else with. */
enum comparison_kind comparison_kind(const struct data *data)
{
    const struct token_side *side = &data->encoded->sides[SIDE_LEFT];
    if (data_against(data))
        return COMPARISON_MODELS;
    if (data->checkpoint && interventions_any(&data->trace->computed.changes))
        return COMPARISON_CHANGE;
    if (data->checkpoint && side->boundary > 0 && side->boundary < side->count)
        return COMPARISON_TEXTS;
    return COMPARISON_WORD;
}

/* ---- Number by number ---- */

enum status comparison_check(const struct data *data, const char *what, struct error *error)
{
    const char *name = data_against(data);
    const struct config *config = data->against ? &data->against->model->config : NULL;
    const struct trace *own = data->encoded->trace;
    if (!name)
        return error_usage(error, "%s needs another model: --against NAME", what);
    const struct trace *recorded =
        config ? NULL : recording_at(data->against_recording, data->encoded->site)->trace;
    const size_t layers = config ? config->layers : recorded->layers,
                 heads = config ? config->heads : recorded->heads;
    if (layers != own->layers || heads != own->heads)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s needs equal shapes: %zu layers of %zu heads here, %zu of %zu in %s",
                         what, own->layers, own->heads, layers, heads, name);
    if (data->uncompared[0])
        return error_set(error, STATUS_UNSUPPORTED, "%s", data->uncompared);
    if (data->compared && data->compared->counterparts)
        return error_set(error, STATUS_MISMATCH,
                         "%s needs the same tokens: %s cuts this text up into others", what, name);
    return STATUS_OK;
}

const struct trace *comparison_other(const struct data *data, enum site site)
{
    struct error error;
    const bool equal = data->compared && comparison_check(data, "", &error) == STATUS_OK;
    const struct encoded *other = !data_against(data) ? data->unchanged
                                  : equal             ? data->compared->encoded[SIDE_RIGHT]
                                                      : NULL;
    if (other && !(equal && site == data->encoded->site)) /* which may be one stack's only one */
        other = encoded_of_site(other, site);
    return other ? other->trace : NULL;
}

/* Before the trace is computed, a map of it without values gives views the tokens to draw. */
struct map_source comparison_source(const struct data *data)
{
    const struct checkpoint *checkpoint = data->checkpoint;
    return (struct map_source){.model = checkpoint ? checkpoint->model : NULL,
                               .trace = data->trace ? data->trace : data->encoded->trace,
                               .other = comparison_other(data, data->encoded->site),
                               .other_is_later = data_against(data) != NULL};
}

/* ---- Sides ---- */

/* Searched for: it is only needed for the cursor, once a frame. A alone may end in a token that
 * doesn't stand between the two sentences of the pair. */
size_t comparison_place(const struct comparison *comparison, enum side side, size_t shown)
{
    size_t token = 0, count = comparison->tokens[side]->count;
    if (side == SIDE_LEFT && comparison->second > 0)
        count = size_min(count, comparison->second);
    while (token < count && comparison_shown(comparison, side, token) != shown)
        token++;
    return token < count && shown != NO_TOKEN ? token : NO_TOKEN;
}

/* Of two sentences, side A has the first tokens of the pair, and B the rest after a [CLS] of its
 * own, which is the pair's first token. */
size_t comparison_shown(const struct comparison *comparison, enum side side, size_t token)
{
    if (side == SIDE_LEFT)
        return token;
    if (comparison->second > 0)
        return token < comparison->framed ? token : token - comparison->framed + comparison->second;
    return comparison_counterpart(comparison, token);
}

size_t comparison_counterpart(const struct comparison *comparison, size_t right)
{
    return comparison->counterparts ? comparison->counterparts[right] : right;
}

/* Which word is compared follows from the cursor's row; from its column only if that is in the same
 * text. Of sentences that aren't encoded alone yet, no word is looked for. Without a token chosen,
 * the first word that stands on both sides, but for those that see the same past; else the chosen
 * token's, and the same elsewhere: in the other text, or again in the one there is. */
struct comparison comparison_of(const struct scene *scene)
{
    const struct data *data = &scene->data;
    struct comparison comparison = {.kind = comparison_kind(data)};
    bool crossing = data->trace->attended != data->trace->tokens; /* `to` is another text's */
    size_t chosen = scene->look.from != NO_TOKEN || crossing ? scene->look.from : scene->look.to;
    /* The tokens of a side come from the same text as its trace. Until the passes for a comparison
     * are computed, the text shown stands in for them, without a trace. */
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        const enum comparison_kind kind = comparison.kind;
        const bool own =
            kind == COMPARISON_TEXTS || (kind == COMPARISON_MODELS && side == SIDE_RIGHT);
        const struct encoded *made = own && data->compared ? data->compared->encoded[side] : NULL;
        const struct encoded *encoded = comparison.encoded[side] = made ? made : data->encoded;
        comparison.tokens[side] = &encoded->sides[SIDE_LEFT];
        comparison.attended[side] = &encoded->sides[SIDE_RIGHT];
        comparison.trace[side] = made  ? made->trace
                                 : own ? NULL
                                 : kind == COMPARISON_CHANGE && side == SIDE_LEFT
                                     ? data_before(data)
                                     : data->trace;
        if (own && data->compared)
            comparison.counterparts = data->compared->counterparts;
    }
    if (comparison.kind == COMPARISON_TEXTS) {
        const struct encoding *encoding = data->encoded->encoding;
        comparison.second = data->encoded->sides[SIDE_LEFT].boundary;
        comparison.framed = encoding->tokens[0].added;
    }
    if (comparison.kind == COMPARISON_TEXTS && !data->compared)
        return comparison;
    const struct token_side *const *tokens = comparison.tokens;
    struct token_range *word = comparison.word;
    bool twice = comparison.kind == COMPARISON_WORD, *there = comparison.is_there;
    const bool past = trace_site_axes(data->trace) == AXES_PAST,
               left = comparison_place(&comparison, SIDE_LEFT, chosen) != NO_TOKEN;
    const enum side side = left ? SIDE_LEFT : SIDE_RIGHT, other = side_other(side);
    const size_t token = comparison_place(&comparison, side, chosen);
    if (chosen == NO_TOKEN)
        there[0] = there[1] = same_word_first(tokens[0], twice ? NULL : tokens[1], past, word);
    if (token == NO_TOKEN)
        return comparison;
    there[side] = true;
    word[side] = same_word_of(tokens[side], token);
    there[other] = twice ? same_word_again(tokens[side], word[side], &word[other])
                         : same_word_find(tokens[side], word[side], tokens[other], &word[other]);
    return comparison;
}

/* The sides may have cut the word into different pieces: its vector is their mean (cosine.h). */
bool comparison_word(const struct comparison *comparison, struct occurrence words[2])
{
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        if (!comparison->is_there[side] || !comparison->trace[side])
            return false;
        words[side] = (struct occurrence){comparison->trace[side], comparison->word[side]};
    }
    return true;
}

/* Rounded, so that first stands for first and last for last. */
size_t comparison_level(const struct comparison *comparison, enum side side, size_t level)
{
    const size_t own = comparison->trace[SIDE_LEFT]->layers;
    const size_t there = comparison->trace[side]->layers;
    return level == 0 ? 0 : size_max(1, (2 * level * there + own) / (2 * own));
}

double comparison_cosine(const struct comparison *comparison, const struct occurrence words[2],
                         size_t level)
{
    return cosine_between(&words[0], level, &words[1],
                          comparison_level(comparison, SIDE_RIGHT, level));
}

/* Two models may have different numbers of heads, which nothing puts in relation, and the left
 * side's trace may still be computed. */
const float *comparison_weights(const struct comparison *comparison, enum side side, size_t layer,
                                size_t head)
{
    const struct trace *trace = comparison->trace[side], *left = comparison->trace[SIDE_LEFT];
    if (!trace || !left || layer >= left->layers || head >= trace->heads)
        return NULL;
    return trace->layer[comparison_level(comparison, side, layer + 1) - 1].weights +
           head * trace->tokens * trace->attended;
}

bool comparison_most_different(const struct scene *scene, size_t *layer, size_t *head)
{
    const struct comparison both = comparison_of(scene);
    struct occurrence words[2];
    unsigned most = 0;
    if (!both.trace[SIDE_LEFT] || !both.trace[SIDE_RIGHT])
        return false;
    if (both.kind == COMPARISON_WORD || !comparison_word(&both, words))
        return true;
    /* in thousandths, so that the last bits of a float choose no head; 0 where a side lacks the
     * head */
    const size_t heads = both.trace[SIDE_LEFT]->heads, across = both.attended[SIDE_RIGHT]->count,
                 row = both.word[SIDE_RIGHT].first * across,
                 left_row = both.word[SIDE_LEFT].first * both.attended[SIDE_LEFT]->count;
    for (size_t i = 0; i < both.trace[SIDE_LEFT]->layers * heads; i++) {
        const float *left = comparison_weights(&both, SIDE_LEFT, i / heads, i % heads),
                    *right = comparison_weights(&both, SIDE_RIGHT, i / heads, i % heads);
        for (size_t to = 0; left && right && to < across; to++) {
            const size_t counterpart = comparison_counterpart(&both, to);
            const float less =
                counterpart != NO_TOKEN ? left[left_row + counterpart] : right[row + to];
            const unsigned change = edge_thousandths(fabsf(right[row + to] - less));
            if (change <= most)
                continue;
            most = change;
            *layer = i / heads;
            *head = i % heads;
        }
    }
    return true;
}
