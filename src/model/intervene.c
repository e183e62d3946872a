/* intervene.c: changes of the network as plain values: adding, removing and describing them, and
 * finding the first layer in which two sets of changes differ. */
#include "headlight/model/intervene.h"

#include "headlight/base/size.h"

/* ---- What is changed ---- */

double interventions_temperature(const struct interventions *changes)
{
    return changes->temperature > 0 ? changes->temperature : 1;
}

/* Over all layers that there could be: nobody has to say how many the model has. */
static size_t count_masked_heads(const head_mask masks[INTERVENE_LAYERS_MAX])
{
    size_t count = 0;
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        count += head_mask_count(masks[layer]);
    return count;
}

/* Written with < and >, as compilers warn of == between doubles. 0 is 1. */
static bool has_temperature(const struct interventions *changes)
{
    double temperature = interventions_temperature(changes);
    return temperature < 1 || temperature > 1;
}

/* The lists are short (INTERVENE_HIDDEN_MAX, INTERVENE_CUTS_MAX), so loops go over them. */
bool interventions_is_hidden(const struct interventions *changes, size_t token)
{
    for (size_t i = 0; i < changes->hidden_count; i++)
        if (changes->hidden[i] == token)
            return true;
    return false;
}

/* Less than, equal to or greater than 0, by layer, head, from and to. */
static int compare_cuts(const struct cut *a, const struct cut *b)
{
    const uint32_t left[] = {a->layer, a->head, a->from, a->to};
    const uint32_t right[] = {b->layer, b->head, b->from, b->to};
    for (size_t i = 0; i < 4; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

bool interventions_is_cut(const struct interventions *changes, struct cut cut)
{
    for (size_t i = 0; i < changes->cut_count; i++)
        if (compare_cuts(&changes->cuts[i], &cut) == 0)
            return true;
    return false;
}

/* Sorted by layer, head and `from`, the cuts of a row lie side by side. A pass asks for every row,
 * so it gets them without a search for each token. */
const struct cut *interventions_cuts(const struct interventions *changes, size_t layer, size_t head,
                                     size_t from, size_t *count)
{
    size_t first = 0, end;
    const struct cut *cuts = changes->cuts;
    while (first < changes->cut_count &&
           (cuts[first].layer != layer || cuts[first].head != head || cuts[first].from != from))
        first++;
    for (end = first; end < changes->cut_count && cuts[end].layer == layer &&
                      cuts[end].head == head && cuts[end].from == from;)
        end++;
    *count = end - first;
    return cuts + first;
}

/* ---- In words ---- */

#define FACTS_MAX 9
#define FACT_SIZE 40

/* The descriptions of the changes, in the order in which they are written. */
struct facts {
    char fact[FACTS_MAX][FACT_SIZE];
    size_t count;
};

/* Facts that don't hold are left out. */
static void add_fact(struct facts *facts, bool holds, const char *fact)
{
    if (holds)
        snprintf(facts->fact[facts->count++], FACT_SIZE, "%s", fact);
}

/* "3 heads off", "1 cut" */
static void add_count(struct facts *facts, size_t count, const char *what, const char *done)
{
    char fact[FACT_SIZE];
    snprintf(fact, sizeof fact, "%zu %s%s%s", count, what, count == 1 ? "" : "s", done);
    add_fact(facts, count > 0, fact);
}

/* What changes the network most comes first, because the end is what is left out where there is no
 * room. */
static struct facts collect_facts(const struct interventions *changes)
{
    struct facts facts = {.count = 0};
    char temperature[FACT_SIZE];
    snprintf(temperature, sizeof temperature, "temperature %g", interventions_temperature(changes));
    add_fact(&facts, changes->causal, "causal");
    add_fact(&facts, changes->unscaled, "unscaled");
    add_count(&facts, count_masked_heads(changes->off), "head", " off");
    add_fact(&facts, has_temperature(changes), temperature);
    add_count(&facts, count_masked_heads(changes->uniform), "head", " uniform");
    add_count(&facts, changes->hidden_count, "token", " hidden");
    add_count(&facts, changes->cut_count, "cut", "");
    add_fact(&facts, changes->positions == POSITIONS_NONE, "no positions");
    add_fact(&facts, changes->positions == POSITIONS_SINUSOIDAL, "sinusoidal");
    add_fact(&facts, changes->no_segments, "no segments");
    return facts;
}

bool interventions_any(const struct interventions *changes)
{
    return changes && collect_facts(changes).count > 0;
}

void interventions_describe(const struct interventions *changes, char text[INTERVENE_WORDS])
{
    const struct facts facts = collect_facts(changes);
    size_t count = facts.count, used;
    do { /* the first facts and the number of the others; none and a number always fit */
        used = (size_t)snprintf(text, INTERVENE_WORDS, "changed:");
        for (size_t i = 0; i < count && used < INTERVENE_WORDS; i++)
            used += (size_t)snprintf(text + used, INTERVENE_WORDS - used, " %s", facts.fact[i]);
        if (count < facts.count && used < INTERVENE_WORDS)
            used +=
                (size_t)snprintf(text + used, INTERVENE_WORDS - used, " +%zu", facts.count - count);
    } while (used >= INTERVENE_WORDS && count-- > 0);
}

static void write_heads(const char *what, const head_mask masks[INTERVENE_LAYERS_MAX],
                        const struct intervene_stacks *stacks, FILE *stream)
{
    const char *before = ", ";
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        for (size_t head = 0; head < CONFIG_HEADS_MAX; head++)
            if (head_mask_has(masks[layer], head)) {
                fprintf(stream, "%s%s%s", before, what,
                        interventions_name(stacks, layer, head).text);
                before = ",";
                what = "";
            }
}

void interventions_write(const struct interventions *changes, const struct intervene_stacks *stacks,
                         FILE *stream)
{
    fputs(changes->unscaled ? ", unscaled" : "", stream);
    fputs(changes->causal ? ", causal" : "", stream);
    if (has_temperature(changes))
        fprintf(stream, ", temperature %.15g", changes->temperature);
    if (changes->positions != POSITIONS_LEARNT)
        fprintf(stream, ", %s positions",
                changes->positions == POSITIONS_NONE ? "no" : "sinusoidal");
    fputs(changes->no_segments ? ", no segments" : "", stream);
    write_heads("off ", changes->off, stacks, stream);
    write_heads("uniform ", changes->uniform, stacks, stream);
}

/* ---- How two differ ---- */

struct interventions interventions_of_all(const struct interventions *changes)
{
    struct interventions all = *changes;
    memset(all.hidden, 0, sizeof all.hidden);
    memset(all.cuts, 0, sizeof all.cuts);
    all.hidden_count = all.cut_count = 0;
    return all;
}

/* So the layers before it can be kept when a head is switched off or a connection is cut, and the
 * pass begins where something changes. */
size_t interventions_first_difference(const struct interventions *a, const struct interventions *b,
                                      size_t first, size_t layers)
{
    const double difference = interventions_temperature(a) - interventions_temperature(b);
    if (a->unscaled != b->unscaled || a->causal != b->causal || a->no_segments != b->no_segments ||
        a->positions != b->positions || difference < 0 || difference > 0 ||
        a->hidden_count != b->hidden_count ||
        memcmp(a->hidden, b->hidden, a->hidden_count * sizeof *a->hidden) != 0)
        return 0;
    size_t layer = first, i = 0, j = 0;
    while (layer < first + layers && a->off[layer] == b->off[layer] &&
           a->uniform[layer] == b->uniform[layer])
        layer++;
    /* they are sorted, so the first ones that aren't the same are of the first layer that differs
     */
    while (i < a->cut_count && a->cuts[i].layer < first)
        i++;
    while (j < b->cut_count && b->cuts[j].layer < first)
        j++;
    for (; i < a->cut_count && j < b->cut_count && compare_cuts(&a->cuts[i], &b->cuts[j]) == 0; i++)
        j++;
    layer = i < a->cut_count ? size_min(layer, a->cuts[i].layer) : layer;
    return (j < b->cut_count ? size_min(layer, b->cuts[j].layer) : layer) - first;
}

/* ---- Lists of heads ---- */

/* A decimal number of at most four digits, which is more than any layer or head needs. */
static bool read_short_number(const char **at, size_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9' && *at - start < 4; (*at)++)
        *value = *value * 10 + (size_t)(**at - '0');
    return *at > start;
}

size_t interventions_first(const struct intervene_stacks *stacks, enum site site)
{
    return site == SITE_ENCODER   ? 0
           : site == SITE_DECODER ? stacks->layers[0]
                                  : stacks->layers[0] + stacks->layers[1];
}

enum site interventions_site_of(const struct intervene_stacks *stacks, size_t layer)
{
    enum site site = stacks->layers[1] > 0 ? SITE_CROSS : SITE_ENCODER;
    while (layer < interventions_first(stacks, site))
        site--;
    return site;
}

struct intervene_name interventions_name(const struct intervene_stacks *stacks, size_t layer,
                                         size_t head)
{
    const enum site site = interventions_site_of(stacks, layer);
    struct intervene_name name;
    snprintf(name.text, sizeof name.text, "%s%zu.%zu", site_words[site].mark,
             layer - interventions_first(stacks, site), head);
    return name;
}

enum site interventions_site(const char *name)
{
    return *name == 'x' ? SITE_CROSS : *name == 'd' ? SITE_DECODER : SITE_ENCODER;
}

/* A head without a layer is one of the layer before it: "3.0,2,5-7,5.1". */
enum status interventions_add_heads(head_mask masks[INTERVENE_LAYERS_MAX], const char *what,
                                    const char *list, const struct intervene_stacks *stacks,
                                    struct error *error)
{
    head_mask added[INTERVENE_LAYERS_MAX] = {0}, heads;
    enum site site = SITE_ENCODER;
    size_t layer = SIZE_MAX;
    struct error why;
    for (const char *at = list;; at++) {
        char item[24];
        const size_t length = strcspn(at, ",");
        format_cut(item, sizeof item, "%.*s", (int)length, at);
        const char *head = strchr(item, '.'), *number = item;
        if (head) {
            site = stacks->layers[1] > 0 ? interventions_site(item) : SITE_ENCODER;
            number += site != SITE_ENCODER;
            layer = read_short_number(&number, &layer) && number == head ? layer : SIZE_MAX;
        }
        const size_t stack = site != SITE_ENCODER;
        if (length >= sizeof item || layer >= stacks->layers[stack] ||
            head_mask_read(head ? head + 1 : item, stacks->heads[stack], &heads, &why) != STATUS_OK)
            return error_usage(error,
                               "--%s: expected layers from 0 to %zu and heads from 0 to %zu, such "
                               "as 0.1,2.3 or 0.1,3-5, found \"%.100s\"",
                               what, stacks->layers[stack] - 1, stacks->heads[stack] - 1, list);
        added[interventions_first(stacks, site) + layer] |= heads;
        at += length;
        if (*at == '\0')
            break;
    }
    for (layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        masks[layer] |= added[layer];
    return STATUS_OK;
}

#define NAMED 3

size_t interventions_name_heads(const head_mask masks[INTERVENE_LAYERS_MAX],
                                const struct intervene_stacks *stacks, char *text, size_t size)
{
    const size_t count = count_masked_heads(masks);
    size_t written = 0;
    if (count > NAMED)
        format_cut(text, size, "%zu heads", count);
    else
        format_cut(text, size, count == 1 ? "head" : "heads");
    for (size_t layer = 0; count <= NAMED && layer < INTERVENE_LAYERS_MAX; layer++)
        for (head_mask left = masks[layer]; left; left &= left - 1)
            format_add(text, size, "%s %s",
                       written++ == 0    ? ""
                       : written < count ? ","
                                         : " and",
                       interventions_name(stacks, layer, head_mask_first(left)).text);
    return count;
}

/* ---- Tokens and connections ----
 *
 * Plain sorted arrays: they are part of struct state, which is copied and compared as it is. */

/* The list stays sorted, so that two sets of changes with the same tokens are the same bytes. */
enum status interventions_hide(struct interventions *changes, uint32_t token, struct error *error)
{
    uint32_t at = 0, count = changes->hidden_count;
    while (at < count && changes->hidden[at] < token)
        at++;
    if (at < count && changes->hidden[at] == token)
        return STATUS_OK;
    if (count == INTERVENE_HIDDEN_MAX)
        return error_set(error, STATUS_LIMIT, "at most %d tokens can be hidden, this is one more",
                         INTERVENE_HIDDEN_MAX);
    memmove(changes->hidden + at + 1, changes->hidden + at, (count - at) * sizeof token);
    changes->hidden[at] = token;
    changes->hidden_count++;
    return STATUS_OK;
}

enum status interventions_cut(struct interventions *changes, struct cut cut, struct error *error)
{
    uint32_t at = 0, count = changes->cut_count;
    while (at < count && compare_cuts(&changes->cuts[at], &cut) < 0)
        at++;
    if (at < count && compare_cuts(&changes->cuts[at], &cut) == 0)
        return STATUS_OK;
    if (count == INTERVENE_CUTS_MAX)
        return error_set(error, STATUS_LIMIT, "at most %d connections can be cut, this is one more",
                         INTERVENE_CUTS_MAX);
    memmove(changes->cuts + at + 1, changes->cuts + at, (count - at) * sizeof cut);
    changes->cuts[at] = cut;
    changes->cut_count++;
    return STATUS_OK;
}

/* What lies behind the end is zero again, for the same reason. */
void interventions_unhide(struct interventions *changes, uint32_t token)
{
    uint32_t at = 0, *hidden = changes->hidden;
    while (at < changes->hidden_count && hidden[at] != token)
        at++;
    if (at == changes->hidden_count)
        return;
    changes->hidden_count--;
    memmove(hidden + at, hidden + at + 1, (changes->hidden_count - at) * sizeof *hidden);
    hidden[changes->hidden_count] = 0;
}

void interventions_join(struct interventions *changes, struct cut cut)
{
    uint32_t at = 0;
    struct cut *cuts = changes->cuts;
    while (at < changes->cut_count && compare_cuts(&cuts[at], &cut) != 0)
        at++;
    if (at == changes->cut_count)
        return;
    changes->cut_count--;
    memmove(cuts + at, cuts + at + 1, (changes->cut_count - at) * sizeof *cuts);
    cuts[changes->cut_count] = (struct cut){0};
}
