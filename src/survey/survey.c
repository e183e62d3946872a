/* survey.c: the table of a survey: its memory, its order, and the examples of its heads. Each row
 * has memory of its own, so that what was prepared with it stays right while others are added. */
#include "headlight/survey/survey.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

const struct survey_kind_info survey_kinds[ROW_KINDS] = {
#define KIND(code, name, ...) {#name, __VA_ARGS__},
    SURVEY_KINDS(KIND)
#undef KIND
};

const char *const survey_origin_names[SURVEY_ORIGINS] = {
    "model", "model_sha256", "tokenizer_sha256", "kernels", "options", "against_sha256", "site"};

/* ---- Order --------------------------------------------------------------------------------- */

int survey_compare_keys(const struct survey_key *a, const struct survey_key *b)
{
    int order = (a->kind > b->kind) - (a->kind < b->kind);
    for (size_t i = 0; order == 0 && i < SURVEY_NAMES; i++) {
        const struct text left = a->names[i], right = b->names[i];
        const size_t length = size_min(left.length, right.length);
        order = length > 0 ? memcmp(left.bytes, right.bytes, length) : 0;
        order = order != 0 ? order : (left.length > right.length) - (left.length < right.length);
        if (order == 0 && i + 1 < SURVEY_NAMES)
            order = (a->numbers[i] > b->numbers[i]) - (a->numbers[i] < b->numbers[i]);
    }
    return order;
}

/* Where the row is, or would be. */
static size_t search(const struct survey *survey, const struct survey_key *key, bool *found)
{
    size_t low = survey->first[key->kind], high = survey->first[key->kind + 1];
    *found = false;
    while (low < high && !*found) {
        const size_t middle = low + (high - low) / 2;
        const int order = survey_compare_keys(key, &survey->rows[middle]->key);
        *found = order == 0;
        low = order > 0 ? middle + 1 : *found ? middle : low;
        high = order < 0 ? middle : high;
    }
    return low;
}

struct survey_row *survey_find(const struct survey *survey, const struct survey_key *key)
{
    bool found;
    const size_t at = search(survey, key, &found);
    return found ? survey->rows[at] : NULL;
}

size_t survey_place(const struct survey *survey, const struct survey_row *row)
{
    bool found;
    return search(survey, &row->key, &found) - survey->first[row->key.kind];
}

/* ---- Rows ---------------------------------------------------------------------------------- */

size_t survey_width(const struct survey *survey, enum survey_kind kind)
{
    return survey_kinds[kind].numbers + survey->layers * survey->heads * survey_kinds[kind].each;
}

bool survey_is_pair(enum survey_kind kind, size_t i, bool *fraction)
{
    const struct survey_kind_info *info = &survey_kinds[kind];
    if (info->pairs == 0 || i < info->numbers)
        return false;
    const size_t k = (i - info->numbers) % info->each, first = info->each - 2 * info->pairs;
    *fraction = k >= first && (k - first) % 2;
    return k >= first;
}

static struct survey_row *new_row(const struct survey *survey, const struct survey_key *key,
                                  struct error *error)
{
    size_t bytes = sizeof(struct survey_row) + SURVEY_NAMES;
    for (size_t i = 0; i < SURVEY_NAMES; i++)
        bytes += key->names[i].length;
    const size_t width = survey_width(survey, key->kind);
    struct survey_row *row = memory_new(width, sizeof *row->numbers, bytes, "the survey", error);
    if (!row)
        return NULL;
    row->key = *key;
    char *at = (char *)(row->numbers + width);
    for (size_t i = 0; i < SURVEY_NAMES; i++) {
        struct text *name = &row->key.names[i];
        if (name->length > 0)
            memcpy(at, name->bytes, name->length);
        name->bytes = at;
        at += name->length + 1;
    }
    return row;
}

/* A name ends before the first NUL, as in a file. */
struct survey_row *survey_insert(struct survey *survey, const struct survey_key *wanted,
                                 struct error *error)
{
    struct survey_key key = *wanted;
    for (size_t i = 0; i < SURVEY_NAMES; i++)
        if (key.names[i].length > 0)
            key.names[i].length = strnlen(key.names[i].bytes, key.names[i].length);
    bool found;
    const size_t at = search(survey, &key, &found), count = survey->first[ROW_KINDS];
    if (found)
        return survey->rows[at];
    /* treebanks have 17 parts of speech, and some hundred relations with their subtypes */
    const size_t most = key.kind == ROW_POS        ? 128
                        : key.kind == ROW_RELATION ? 4096
                                                   : SIZE_MAX,
                 corpora = survey_count(survey, ROW_SHARD);
    if (survey_count(survey, key.kind) >= most) {
        error_set(error, STATUS_LIMIT, "%s: expected at most %zu %s, found another one: \"%.*s\"",
                  corpora > 0 ? survey_name(survey, ROW_SHARD, corpora - 1) : "the survey", most,
                  key.kind == ROW_POS ? "parts of speech" : "relations",
                  (int)size_min(key.names[0].length, 60), key.names[0].bytes);
        return NULL;
    }
    struct survey_row *row = new_row(survey, &key, error);
    if (!row || memory_grow(&survey->rows, &survey->capacity, count + 1, sizeof(void *),
                            "the survey", error) != STATUS_OK) {
        free(row);
        return NULL;
    }
    struct survey_row **rows = survey->rows;
    memmove(rows + at + 1, rows + at, (count - at) * sizeof(void *));
    rows[at] = row;
    for (size_t kind = (size_t)key.kind + 1; kind <= ROW_KINDS; kind++)
        survey->first[kind]++;
    return row;
}

void survey_drop(struct survey *survey, enum survey_kind kind)
{
    const size_t first = survey->first[kind], count = survey->first[ROW_KINDS];
    size_t kept = first;
    for (size_t i = first; i < count; i++)
        if (i < survey->first[kind + 1] && survey->rows[i]->dropped)
            free(survey->rows[i]);
        else
            survey->rows[kept++] = survey->rows[i];
    for (size_t k = (size_t)kind + 1; k <= ROW_KINDS; k++)
        survey->first[k] -= count - kept;
}

/* ---- The whole ----------------------------------------------------------------------------- */

static bool insert_figure(struct survey *survey, enum survey_kind kind, enum metric figure,
                          struct error *error)
{
    const struct survey_key key = {.kind = kind,
                                   .names[1] = text_of_string(metric_infos[figure].name),
                                   .numbers[0] = figure - METRIC_BEGIN};
    return survey_insert(survey, &key, error) != NULL;
}

enum status survey_want(struct survey *survey, enum metric figure, struct error *error)
{
    bool fine = insert_figure(survey, ROW_FIGURE, figure, error);
    if (figure == METRIC_MOVED)
        fine = fine && survey_insert(survey, &(struct survey_key){.kind = ROW_COMPARED}, error);
    for (size_t level = 0; figure == METRIC_MOVED && level <= survey->layers; level++)
        fine = fine &&
               survey_insert(
                   survey, &(struct survey_key){.kind = ROW_COSINES, .numbers[0] = (int64_t)level},
                   error);
    return fine ? STATUS_OK : error->status;
}

enum status survey_want_beside(struct survey *survey, struct error *error)
{
    for (enum metric m = METRIC_BEGIN; m < METRIC_EFFECT; m++)
        if (metric_infos[m].labelled > 0 && metric_infos[m].axes & AXES_PAST &&
            !insert_figure(survey, ROW_BESIDE, m, error))
            return error->status;
    return STATUS_OK;
}

enum status survey_new(enum site site, size_t layers, size_t heads, struct survey **result,
                       struct error *error)
{
    struct survey *survey = memory_new(1, sizeof *survey, 0, "the survey", error);
    const enum axes axes = site_words[site].axes;
    *result = NULL;
    if (!survey)
        return error->status;
    survey->site = site;
    survey->layers = layers;
    survey->heads = heads;
    enum status status = STATUS_OK;
    if (site != SITE_ONLY &&
        !(survey->origin.site = memory_print(error, "%s", site_words[site].name)))
        status = error->status;
    for (enum metric m = METRIC_BEGIN; m < METRIC_COUNT && status == STATUS_OK; m++)
        if (metric_infos[m].axes & axes && (m < METRIC_EFFECT || m >= METRIC_LINKS))
            status = survey_want(survey, m, error);
    for (int kind = axes & AXES_SELF ? ROW_REACH : ROW_MAXIMA;
         kind <= ROW_EXAMPLES && status == STATUS_OK; kind++)
        if (!survey_insert(survey, &(struct survey_key){.kind = (enum survey_kind)kind}, error))
            status = error->status;
    if (status == STATUS_OK) {
        survey->examples = (void *)survey_at(survey, ROW_EXAMPLES, 0)->numbers;
        *result = survey;
    }
    if (status != STATUS_OK)
        survey_free(survey);
    return status;
}

enum status survey_name_origin(struct survey *survey, const char *const origin[SURVEY_ORIGINS],
                               struct error *error)
{
    for (size_t i = 0; i < SURVEY_ORIGINS; i++)
        if (origin[i] && !survey->origin.all[i] &&
            !(survey->origin.all[i] = memory_print(error, "%s", origin[i])))
            return error->status;
    return STATUS_OK;
}

void survey_free(void *thing)
{
    struct survey *survey = thing;
    if (!survey)
        return;
    for (size_t i = 0; i < survey->first[ROW_KINDS]; i++)
        free(survey->rows[i]);
    for (size_t i = 0; i < SURVEY_ORIGINS; i++)
        free(survey->origin.all[i]);
    free(survey->rows);
    free(survey);
}

struct survey_row *survey_row_of(const struct survey *survey, enum survey_kind kind,
                                 enum metric figure)
{
    for (size_t i = survey_count(survey, kind); i-- > 0;)
        if (survey_at(survey, kind, i)->key.numbers[0] == figure - METRIC_BEGIN)
            return survey_at(survey, kind, i);
    return NULL;
}

size_t survey_corpus_end(const struct survey *survey, size_t first)
{
    const char *name = survey_name(survey, ROW_SHARD, first);
    while (first < survey_count(survey, ROW_SHARD) &&
           strcmp(survey_name(survey, ROW_SHARD, first), name) == 0)
        first++;
    return first;
}

int64_t survey_total(const struct survey *survey, enum survey_total total)
{
    int64_t sum = 0;
    for (size_t i = 0; i < survey_count(survey, ROW_SHARD); i++)
        sum += survey_at(survey, ROW_SHARD, i)->numbers[total];
    return sum;
}

void survey_count_refused(struct survey *survey, uint64_t too_long, uint64_t refused)
{
    int64_t *totals = survey_at(survey, ROW_SHARD, 0)->numbers;
    totals[SURVEY_TOO_LONG] += (int64_t)too_long;
    totals[SURVEY_REFUSED] += (int64_t)refused;
}

int64_t survey_passed(const struct survey *survey)
{
    return survey_total(survey, SURVEY_TEXTS) + survey_total(survey, SURVEY_TOO_LONG) +
           survey_total(survey, SURVEY_REFUSED);
}

/* ---- Examples ------------------------------------------------------------------------------ */

/* Whether `a` comes before `b`. */
static bool comes_before(bool by_hash, const struct survey_example *a,
                         const struct survey_example *b)
{
    if (b->weight == 0)
        return true;
    const struct survey_key *left = &a->text->key, *right = &b->text->key;
    if (by_hash && left->numbers[1] != right->numbers[1])
        return (uint64_t)left->numbers[1] < (uint64_t)right->numbers[1];
    if (!by_hash && a->weight != b->weight)
        return a->weight > b->weight;
    return survey_compare_keys(left, right) < 0;
}

void survey_put_example(struct survey *survey, size_t head, size_t list,
                        struct survey_example example)
{
    size_t most;
    struct survey_example *examples = survey_examples(survey, head, list, &most);
    size_t at = most;
    while (at > 0 && comes_before(list > 0, &example, &examples[at - 1]))
        at--;
    if (at == most)
        return;
    memmove(examples + at + 1, examples + at, (most - 1 - at) * sizeof *examples);
    examples[at] = example;
}

void survey_prune(struct survey *survey)
{
    for (size_t k = 0; k < survey_count(survey, ROW_TEXT); k++)
        survey_at(survey, ROW_TEXT, k)->dropped = true;
    for (size_t i = 0; i < survey->layers * survey->heads * SURVEY_EXAMPLES; i++)
        if (survey->examples[i].weight > 0)
            survey->examples[i].text->dropped = false;
    survey_drop(survey, ROW_TEXT);
}
