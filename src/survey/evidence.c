/* evidence.c: the arithmetic from a survey's sums to what can be said of a head. What is shown,
 * exported or quoted comes from here, so that one number is computed in one way. */
#include "headlight/survey/evidence.h"

#include "headlight/base/memory.h"

#define Z            1.959963984540054 /* standard errors: 95 % of a normal distribution */
#define SURELY       4  /* standard errors: chance leaves that to one head in thirty thousand */
#define KNOWN_POINTS 10 /* over the best fixed offset, of 100 */

/* ---- Means ---- */

static double number_of(const int64_t pair[2])
{
    return (double)pair[0] + ldexp((double)pair[1], -SURVEY_FRACTION);
}

/* Σ(s - mean·n)² = Σs² - 2·mean·Σs·n + mean²·Σn², which rounding may leave below 0. Of
 * one text, whose Σn² is (Σn)², nothing is known of the next. */
struct evidence_number evidence_mean_of(const struct survey *survey, const struct survey_row *row,
                                        size_t layer, size_t head)
{
    const bool beside = row && row->key.kind == ROW_BESIDE;
    const int64_t *sums = row ? survey_of_head(row, layer * survey->heads + head) : NULL;
    if (!row || row->numbers[0] == 0 || (beside && sums[1] <= 0))
        return (struct evidence_number){NAN, NAN, NAN, NAN, 0, row ? row->numbers[0] : 0};
    const double n = beside ? (double)sums[1] / SURVEY_UNIT : (double)row->numbers[0];
    const double squared = beside ? number_of(sums + 6) : (double)row->numbers[1];
    const double mean = (double)sums[0] / SURVEY_UNIT / n;
    const int64_t *pairs = sums + 1 + beside;
    const double scatter =
        number_of(pairs) - 2 * mean * number_of(pairs + 2) + mean * mean * squared;
    const bool several = beside ? row->numbers[1] > 1 : squared < n * n;
    const double half = several ? Z * sqrt(fmax(scatter, 0)) / n : NAN;
    const bool share = !*metric_infos[METRIC_BEGIN + row->key.numbers[0]].unit;
    const double low = mean - half, high = mean + half; /* or NaN, which isn't outside */
    return (struct evidence_number){
        mean,    half,           share && low < 0 ? 0 : low, share && high > 1 ? 1 : high,
        sums[0], row->numbers[0]};
}

struct evidence_number evidence_mean(const struct survey *survey, enum metric figure, size_t layer,
                                     size_t head)
{
    return evidence_mean_of(survey, survey_figure(survey, figure), layer, head);
}

/* ---- Labels ---- */

size_t evidence_labels(const struct survey *survey, size_t layer, size_t head,
                       struct evidence_label labels[METRIC_COUNT])
{
    const struct survey_row *first = survey_row_of(survey, ROW_BESIDE, METRIC_FIRST);
    const bool beside =
        1 - evidence_mean_of(survey, first, layer, head).value >= METRICS_REST; /* or NaN */
    size_t count = 0;
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_COUNT; metric++) {
        const struct metric_info *info = &metric_infos[metric];
        const struct survey_row *row =
            survey_row_of(survey, beside ? ROW_BESIDE : ROW_FIGURE, metric);
        const struct evidence_number mean = evidence_mean_of(survey, row, layer, head);
        size_t at = count;
        if (!(info->labelled > 0) || (row && row == first) || isnan(mean.value) ||
            !metric_reaches(mean.value, info->labelled))
            continue;
        for (; at > 0 && lround(labels[at - 1].mean.value * 1000) < lround(mean.value * 1000); at--)
            labels[at] = labels[at - 1];
        labels[at] = (struct evidence_label){info->label, info->brief, info->words, info->says,
                                             metric,      beside,      mean};
        count++;
    }
    return count;
}

/* ---- Shares and relations ---- */

static struct evidence_number share_within(int64_t hits, int64_t of, double z)
{
    const double n = (double)of, p = (double)hits / n, wide = 1 + z * z / n;
    const double centre = (p + z * z / (2 * n)) / wide;
    const double half = z / wide * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    const double low = fmax(centre - half, 0), high = fmin(centre + half, 1);
    return of > 0 ? (struct evidence_number){p, (high - low) / (p < 1 ? 2 : 1), low, high, hits, of}
                  : (struct evidence_number){NAN, NAN, NAN, NAN, 0, 0};
}

struct evidence_number evidence_share(int64_t hits, int64_t of)
{
    return share_within(hits, of, Z);
}

struct evidence_relation evidence_relation(const struct survey *survey, size_t relation,
                                           size_t layer, size_t head)
{
    const struct survey_row *row = survey_at(survey, ROW_RELATION, relation);
    const int64_t *found = survey_of_head(row, layer * survey->heads + head);
    const int64_t count = row->numbers[0], *offsets = row->numbers + 1;
    struct evidence_relation evidence = {.name = row->key.names[0].bytes,
                                         .index = relation,
                                         .layer = layer,
                                         .head = head,
                                         .from_head = found[1] > found[0],
                                         .offset = 1};
    /* The distance at which most heads stand, the nearer one and then the one before if there are
     * several; what is further away than can be counted is no single distance. */
    for (int size = 1; size <= SURVEY_OFFSETS; size++)
        for (int offset = -size; offset <= size; offset += 2 * size)
            if (offsets[offset + SURVEY_OFFSETS] > offsets[evidence.offset + SURVEY_OFFSETS])
                evidence.offset = offset;
    const int64_t hits = found[evidence.from_head];
    const int64_t guessed = offsets[evidence.offset + SURVEY_OFFSETS];
    evidence.share = evidence_share(hits, count);
    evidence.offset_share = evidence_share(guessed, count);
    evidence.gain = evidence.share.value - evidence.offset_share.value;
    evidence.sure = share_within(hits, count, SURELY).low - (double)guessed / (double)count;
    evidence.known = count > 0 && 100 * (hits - guessed) >= KNOWN_POINTS * count;
    return evidence;
}

struct evidence_relation evidence_best_head(const struct survey *survey, size_t relation)
{
    struct evidence_relation best = evidence_relation(survey, relation, 0, 0);
    for (size_t i = 1; i < survey->layers * survey->heads; i++) {
        const struct evidence_relation other =
            evidence_relation(survey, relation, i / survey->heads, i % survey->heads);
        if (other.share.hits > best.share.hits)
            best = other;
    }
    return best;
}

/* Those of few pairs come behind all others. Equal ones are in the order of their names, which is
 * that of their places. */
static int by_certain_gain(const void *left, const void *right)
{
    const struct evidence_relation *a = left, *b = right;
    if ((a->share.of < EVIDENCE_FEW) != (b->share.of < EVIDENCE_FEW))
        return a->share.of < EVIDENCE_FEW ? 1 : -1;
    if (a->sure > b->sure || a->sure < b->sure)
        return a->sure > b->sure ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

struct evidence_relation *evidence_relations(const struct survey *survey, size_t layer, size_t head,
                                             struct error *error)
{
    const size_t count = survey_count(survey, ROW_RELATION);
    struct evidence_relation *relations =
        memory_new(count + 1, sizeof *relations, 0, "the relations", error);
    for (size_t i = 0; relations && i < count; i++)
        relations[i] = head == NO_HEAD ? evidence_best_head(survey, i)
                                       : evidence_relation(survey, i, layer, head);
    if (relations)
        qsort(relations, count, sizeof *relations, by_certain_gain);
    return relations;
}

size_t evidence_known(const struct survey *survey, size_t layer, size_t head,
                      struct evidence_relation *surest)
{
    struct evidence_relation best = {.name = NULL};
    size_t count = 0;
    for (size_t i = 0; i < survey_count(survey, ROW_RELATION); i++) {
        const struct evidence_relation relation = evidence_relation(survey, i, layer, head);
        count += evidence_is_sure(&relation);
        if (evidence_is_sure(&relation) && relation.sure > best.sure)
            best = relation;
    }
    if (surest)
        *surest = best;
    return count;
}

void evidence_summary_of_head(const struct survey *survey, size_t layer, size_t head,
                              struct evidence_relation *relation, struct evidence_label *label)
{
    struct evidence_label labels[METRIC_COUNT];
    evidence_known(survey, layer, head, relation);
    *label = (struct evidence_label){.name = NULL};
    if (evidence_labels(survey, layer, head, labels) == 0)
        return;
    *label = labels[0];
    if (label->metric != METRIC_BROAD && relation->share.value < METRICS_NAMED)
        relation->name = NULL;
}

/* A gain goes before any label. */
void evidence_first_head(const struct survey *survey, size_t *layer, size_t *head)
{
    double most = -1;
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        const size_t l = i / survey->heads, h = i % survey->heads;
        struct evidence_label labels[METRIC_COUNT];
        struct evidence_relation known;
        double worth = 0;
        if (evidence_known(survey, l, h, &known) > 0)
            worth = 1 + known.sure;
        else if (evidence_labels(survey, l, h, labels) > 0 && labels[0].metric != METRIC_BROAD)
            worth = labels[0].mean.value;
        if (worth <= most)
            continue;
        most = worth;
        *layer = l;
        *head = h;
    }
}

const char *evidence_between(const char *relation)
{
    static const char *const names[][2] = {
        {"acl", "the verb of a clause and the noun that it describes"},
        {"advcl", "the verb of a clause and the verb that it describes"},
        {"advmod", "an adverb and what it describes"},
        {"amod", "an adjective and its noun"},
        {"appos", "a noun and another name for it"},
        {"aux", "an auxiliary and its verb"},
        {"case", "a preposition and its noun"},
        {"cc", "a conjunction and what it joins"},
        {"ccomp", "the verb of a clause and the verb whose object it is"},
        {"compound", "two parts of a compound"},
        {"conj", "two words joined by a conjunction"},
        {"cop", "a form of be and its predicate"},
        {"csubj", "the verb of a clause and the verb whose subject it is"},
        {"det", "an article and its noun"},
        {"discourse", "an interjection and its sentence"},
        {"expl", "an empty there or it and its verb"},
        {"fixed", "two parts of a fixed phrase"},
        {"flat", "two parts of a name"},
        {"iobj", "an indirect object and its verb"},
        {"list", "two members of a list"},
        {"mark", "a word that opens a clause and its verb"},
        {"nmod", "a noun and the noun that it describes"},
        {"nsubj", "a subject and its verb"},
        {"nummod", "a number and its noun"},
        {"obj", "an object and its verb"},
        {"obl", "a non-object noun and its verb"},
        {"parataxis", "two sentences side by side"},
        {"vocative", "the person addressed and the sentence"},
        {"xcomp", "a verb and the verb that it completes"},
    };
    const size_t length = strcspn(relation, ":");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i][0]) == length && strncmp(names[i][0], relation, length) == 0)
            return names[i][1];
    return "";
}

/* ---- Distributions ---- */

const char *const evidence_distances[SURVEY_REACH] = {
    "-33", "-17", "-9", "-5", "-3", "-2", "-1", "0", "1", "2", "3", "5", "9", "17", "33"};

void evidence_reach(const struct survey *survey, size_t layer, size_t head,
                    double shares[SURVEY_REACH])
{
    const int64_t *numbers =
        survey_of_head(survey_at(survey, ROW_REACH, 0), layer * survey->heads + head);
    double total = 0;
    for (size_t i = 0; i < SURVEY_REACH; i++)
        total += (double)numbers[i];
    for (size_t i = 0; i < SURVEY_REACH; i++)
        shares[i] = total > 0 ? (double)numbers[i] / total : 0;
}

struct evidence_number evidence_mass(const struct survey *survey, const struct survey_row *mass,
                                     size_t layer, size_t head)
{
    const struct survey_key from = {.kind = ROW_POS, .names[0] = mass->key.names[0]};
    const struct survey_row *pos = survey_find(survey, &from);
    const int64_t words = pos ? pos->numbers[0] : 0,
                  sum = *survey_of_head(mass, layer * survey->heads + head);
    const double value = words > 0 ? (double)sum / SURVEY_UNIT / (double)words : 0;
    return (struct evidence_number){value, NAN, NAN, NAN, sum, words};
}

double evidence_pos(const struct survey *survey, size_t from, size_t to, size_t layer, size_t head)
{
    const struct survey_key key = {.kind = ROW_MASS,
                                   .names = {survey_at(survey, ROW_POS, from)->key.names[0],
                                             survey_at(survey, ROW_POS, to)->key.names[0]}};
    const struct survey_row *mass = survey_find(survey, &key);
    return mass ? evidence_mass(survey, mass, layer, head).value : 0;
}

/* Sorted into the few that are wanted; of equal ones the one with the lower id comes first. */
size_t evidence_words(const struct survey *survey, size_t layer, size_t head, bool at,
                      struct evidence_word *words, size_t most)
{
    const size_t number = layer * survey->heads + head;
    double total = 0, all = 0;
    size_t count = 0;
    for (size_t i = 0; i < survey_count(survey, ROW_PIECE); i++) {
        const struct survey_row *piece = survey_at(survey, ROW_PIECE, i);
        const int64_t weight = survey_of_head(piece, number)[at];
        const double mass = (double)weight;
        total += mass;
        all += (double)piece->numbers[0];
        if (mass <= 0 || most == 0 || (count == most && words[count - 1].share >= mass))
            continue;
        size_t to = count < most ? count++ : count - 1;
        for (; to > 0 && words[to - 1].share < mass; to--)
            words[to] = words[to - 1];
        words[to] = (struct evidence_word){piece->key.names[1].bytes, weight, piece->numbers[0],
                                           mass, (double)piece->numbers[0]};
    }
    for (size_t i = 0; i < count; i++) {
        words[i].share /= total;
        words[i].usual /= all;
    }
    return count;
}

/* ---- Examples ---- */

struct text evidence_word(const char *words, size_t number)
{
    for (; number > 0 && *words; number--) {
        words += strcspn(words, " \t");
        words += *words != '\0';
    }
    return (struct text){words, strcspn(words, " \t")};
}

struct evidence_spelt evidence_spell(struct text word)
{
    struct evidence_spelt spelt;
    format_cut(spelt.text, sizeof spelt.text, "%.*s", (int)word.length, word.bytes);
    for (char *at = spelt.text; (at = strchr(at, '\n'));)
        *at = ' ';
    return spelt;
}

char *evidence_texts(const char *words, char **second)
{
    char *first = strdup(words);
    *second = first ? strchr(first, '\t') : NULL;
    if (*second)
        *(*second)++ = '\0';
    for (size_t i = 0; first && words[i]; i++)
        if (words[i] == '\n')
            first[i] = ' ';
    return first;
}

/* A weight of 1 is of the last. */
size_t evidence_tenth(const struct survey_example *example)
{
    const int64_t tenth = example->weight * SURVEY_DECILES / SURVEY_UNIT;
    return tenth < SURVEY_DECILES ? (size_t)tenth : SURVEY_DECILES - 1;
}

size_t evidence_examples(const struct survey *survey, size_t layer, size_t head,
                         const struct survey_example *examples[SURVEY_EXAMPLES], size_t *strongest)
{
    size_t count = 0, most;
    for (size_t i = 0; i <= SURVEY_DECILES; i++) {
        const struct survey_example *of = survey_examples(
            survey, layer * survey->heads + head, i == 0 ? 0 : SURVEY_DECILES + 1 - i, &most);
        for (size_t k = 0, same; k < most && of[k].weight > 0; k++) {
            for (same = 0; same < count && (examples[same]->text != of[k].text ||
                                            examples[same]->weight != of[k].weight);)
                same++;
            if (i == 0 || same == count) /* a tenth may have one of the strongest */
                examples[count++] = &of[k];
        }
        if (i == 0 && strongest)
            *strongest = count;
    }
    return count;
}
