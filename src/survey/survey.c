/* survey.c: the sums of a survey: their memory, the names along their axes, and the order in which
 * a file has them. While texts are added, names come in the order in which they are met, so that
 * what was prepared with an index stays right; survey_sort brings the order that doesn't depend on
 * that. */
#include "headlight/survey/survey.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory -------------------------------------------------------------------------------- */

enum status survey_want(struct survey *survey, enum survey_figure figure, struct error *error)
{
    const size_t heads = survey->layers * survey->heads;
    struct survey_figure_sums *sums = &survey->figures[figure];
    if (survey_has(survey, figure))
        return STATUS_OK;
    sums->sum = memory_new(heads, sizeof(int64_t), 0, "the survey", error);
    sums->squares = memory_new(heads, 2 * sizeof(int64_t), 0, "the survey", error);
    sums->products = memory_new(heads, 2 * sizeof(int64_t), 0, "the survey", error);
    if (figure == SURVEY_MOVED)
        survey->cosines = memory_new(survey->layers + 1, sizeof(int64_t), 0, "the survey", error);
    return sums->sum && sums->squares && sums->products &&
                   (figure != SURVEY_MOVED || survey->cosines)
               ? STATUS_OK
               : error->status;
}

static enum status allocate(struct survey *survey, struct error *error)
{
    const size_t heads = survey->layers * survey->heads;
    for (int f = 0; f < SURVEY_ALWAYS; f++)
        if (survey_want(survey, (enum survey_figure)f, error) != STATUS_OK)
            return error->status;
    survey->reach = memory_new(heads, SURVEY_REACH * sizeof(int64_t), 0, "the survey", error);
    survey->maxima = memory_new(heads, SURVEY_BINS * sizeof(int64_t), 0, "the survey", error);
    survey->entropies = memory_new(heads, SURVEY_BINS * sizeof(int64_t), 0, "the survey", error);
    survey->examples = memory_new(heads, sizeof *survey->examples, 0, "the survey", error);
    return survey->reach && survey->maxima && survey->entropies && survey->examples ? STATUS_OK
                                                                                    : error->status;
}

enum status survey_new(size_t layers, size_t heads, struct survey **result, struct error *error)
{
    struct survey *survey = memory_new(1, sizeof *survey, 0, "the survey", error);
    *result = NULL;
    if (!survey)
        return error->status;
    survey->layers = layers;
    survey->heads = heads;
    survey->kept_at_most = 1024;
    if (allocate(survey, error) != STATUS_OK) {
        survey_free(survey);
        return error->status;
    }
    *result = survey;
    return STATUS_OK;
}

static void free_corpora(struct survey *survey)
{
    for (size_t i = 0; i < survey->corpus_count; i++) {
        free(survey->corpora[i].name);
        free(survey->corpora[i].shards);
    }
    free(survey->corpora);
}

static void free_named(struct survey *survey)
{
    for (size_t i = 0; i < survey->relation_count; i++) {
        free(survey->relations[i].name);
        free(survey->relations[i].dependent);
    }
    for (size_t i = 0; i < survey->pos_count; i++)
        free(survey->pos[i]);
    for (size_t i = 0; i < survey->piece_count; i++) {
        free(survey->pieces[i].name);
        free(survey->pieces[i].from);
    }
    free(survey->relations);
    free(survey->pos);
    free(survey->pos_words);
    free(survey->pos_mass);
    free(survey->pieces);
    free(survey->piece_of_id);
}

static void free_text(struct survey_text *text)
{
    free(text->id);
    free(text->words);
}

void survey_free(struct survey *survey)
{
    if (!survey)
        return;
    for (size_t f = 0; f < SURVEY_FIGURE_COUNT; f++) {
        free(survey->figures[f].sum);
        free(survey->figures[f].squares);
        free(survey->figures[f].products);
    }
    free(survey->reach);
    free(survey->maxima);
    free(survey->entropies);
    free(survey->examples);
    free(survey->cosines);
    for (size_t i = 0; i < survey->kept_count; i++)
        free_text(&survey->kept[i]);
    free(survey->kept);
    free_named(survey);
    free_corpora(survey);
    for (size_t i = 0; i < SURVEY_ORIGINS; i++)
        free(survey->origin.all[i]);
    free(survey);
}

/* The list, with room for one more than its `count`: its capacity is the next power of two. NULL
 * without memory; then it is as it was. */
static void *grow(void *list, size_t count, size_t each, struct error *error)
{
    if (count & (count - 1)) /* between two powers of two there is room */
        return list;
    const size_t bytes = (count > 0 ? 2 * count : 1) * each;
    void *longer = realloc(list, bytes);
    if (!longer)
        error_memory(error, "the survey", bytes);
    return longer;
}

/* ---- Names --------------------------------------------------------------------------------- */

/* Treebanks have 17 parts of speech and some hundred relations with their subtypes. More are
 * another column's, and each would cost a sum for every head, of parts of speech for every pair of
 * them. */
#define POS_MAX       128
#define RELATIONS_MAX 4096

static bool has_room(const struct survey *survey, size_t count, size_t most, const char *what,
                     struct text name, struct error *error)
{
    const size_t corpora = survey->corpus_count;
    if (count < most)
        return true;
    error_set(error, STATUS_LIMIT, "%s: expected at most %zu %s, found another one: \"%.*s\"",
              corpora > 0 ? survey->corpora[corpora - 1].name : "the survey", most, what,
              (int)(name.length < 60 ? name.length : 60), name.bytes);
    return false;
}

static bool is_named(const char *name, struct text wanted)
{
    return strncmp(name, wanted.bytes, wanted.length) == 0 && name[wanted.length] == '\0';
}

size_t survey_relation_index(struct survey *survey, struct text name, struct error *error)
{
    const size_t heads = survey->layers * survey->heads, n = survey->relation_count;
    struct survey_relation added = {0};
    for (size_t i = 0; i < n; i++)
        if (is_named(survey->relations[i].name, name))
            return i;
    if (!has_room(survey, n, RELATIONS_MAX, "relations", name, error))
        return SIZE_MAX;
    added.name = memory_print(error, "%.*s", (int)name.length, name.bytes);
    added.dependent = memory_new(2 * heads, sizeof(int64_t), 0, "the survey", error);
    struct survey_relation *longer =
        added.name && added.dependent ? grow(survey->relations, n, sizeof added, error) : NULL;
    if (!longer) {
        free(added.name);
        free(added.dependent);
        return SIZE_MAX;
    }
    added.head = added.dependent + heads;
    survey->relations = longer;
    survey->relations[n] = added;
    return survey->relation_count++;
}

/* The weights between parts of speech [P,P,L,A] anew: those of each pair move from `from` [P] of
 * the old order, or are 0 if that is SIZE_MAX. */
static bool move_mass(struct survey *survey, const size_t *from, size_t old_count, size_t count,
                      struct error *error)
{
    const size_t heads = survey->layers * survey->heads;
    int64_t *words = memory_new(count, sizeof *words, 0, "the survey", error);
    int64_t *mass = memory_new(count * count, heads * sizeof *mass, 0, "the survey", error);
    if (!words || !mass) {
        free(words);
        free(mass);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        words[i] = from[i] == SIZE_MAX ? 0 : survey->pos_words[from[i]];
        for (size_t j = 0; j < count; j++)
            if (from[i] != SIZE_MAX && from[j] != SIZE_MAX)
                memcpy(mass + (i * count + j) * heads,
                       survey->pos_mass + (from[i] * old_count + from[j]) * heads,
                       heads * sizeof *mass);
    }
    free(survey->pos_words);
    free(survey->pos_mass);
    survey->pos_words = words;
    survey->pos_mass = mass;
    return true;
}

/* So few that room is made one by one. */
size_t survey_pos_index(struct survey *survey, struct text name, struct error *error)
{
    const size_t n = survey->pos_count;
    for (size_t i = 0; i < n; i++)
        if (is_named(survey->pos[i], name))
            return i;
    if (!has_room(survey, n, POS_MAX, "parts of speech", name, error))
        return SIZE_MAX;
    size_t *from = memory_new(n + 1, sizeof *from, 0, "the survey", error);
    char *copy = memory_print(error, "%.*s", (int)name.length, name.bytes);
    for (size_t i = 0; from && i <= n; i++)
        from[i] = i < n ? i : SIZE_MAX;
    char **longer = from && copy ? grow(survey->pos, n, sizeof *longer, error) : NULL;
    survey->pos = longer ? longer : survey->pos;
    const bool fine = longer && move_mass(survey, from, n, n + 1, error);
    free(from);
    if (!fine) {
        free(copy);
        return SIZE_MAX;
    }
    survey->pos[n] = copy;
    return survey->pos_count++;
}

/* Makes the table of ids long enough. */
static bool reach_id(struct survey *survey, size_t id, struct error *error)
{
    if (id < survey->ids)
        return true;
    const size_t ids = 2 * id + 1024;
    int32_t *longer = realloc(survey->piece_of_id, ids * sizeof *longer);
    if (!longer) {
        error_memory(error, "the survey", ids * sizeof *longer);
        return false;
    }
    for (size_t i = survey->ids; i < ids; i++)
        longer[i] = -1;
    survey->piece_of_id = longer;
    survey->ids = ids;
    return true;
}

size_t survey_piece_index(struct survey *survey, int32_t id, const char *name, struct error *error)
{
    const size_t heads = survey->layers * survey->heads, n = survey->piece_count;
    if (!reach_id(survey, (size_t)id, error))
        return SIZE_MAX;
    if (survey->piece_of_id[id] >= 0)
        return (size_t)survey->piece_of_id[id];
    struct survey_piece added = {.id = id, .name = memory_print(error, "%s", name ? name : "")};
    added.from = memory_new(2 * heads, sizeof(int64_t), 0, "the survey", error);
    struct survey_piece *longer =
        added.name && added.from ? grow(survey->pieces, n, sizeof added, error) : NULL;
    if (!longer) {
        free(added.name);
        free(added.from);
        return SIZE_MAX;
    }
    added.at = added.from + heads;
    survey->pieces = longer;
    survey->pieces[n] = added;
    survey->piece_of_id[id] = (int32_t)n;
    return survey->piece_count++;
}

/* ---- Examples ------------------------------------------------------------------------------ */

size_t survey_keep(struct survey *survey, const struct survey_text *text, struct error *error)
{
    const size_t n = survey->kept_count;
    struct survey_text copy = *text;
    copy.id = memory_print(error, "%s", text->id);
    copy.words = memory_print(error, "%s", text->words);
    struct survey_text *longer =
        copy.id && copy.words ? grow(survey->kept, n, sizeof copy, error) : NULL;
    if (!longer) {
        free_text(&copy);
        return SIZE_MAX;
    }
    survey->kept = longer;
    survey->kept[n] = copy;
    return survey->kept_count++;
}

/* By the names of their corpora, which may not be in order yet, and their numbers; windows of one
 * text by their words. */
static int compare_texts(const struct survey *survey, const struct survey_text *a,
                         const struct survey_text *b)
{
    if (a->corpus != b->corpus)
        return strcmp(survey->corpora[a->corpus].name, survey->corpora[b->corpus].name);
    return a->number != b->number ? (a->number > b->number) - (a->number < b->number)
                                  : strcmp(a->words, b->words);
}

/* Whether `a` comes before `b`. */
static bool comes_before(const struct survey *survey, bool by_hash, const struct survey_example *a,
                         const struct survey_example *b)
{
    if (b->weight == 0)
        return true;
    const struct survey_text *left = &survey->kept[a->text], *right = &survey->kept[b->text];
    if (by_hash && left->hash != right->hash)
        return left->hash < right->hash;
    if (!by_hash && a->weight != b->weight)
        return a->weight > b->weight;
    return compare_texts(survey, left, right) < 0;
}

void survey_place(const struct survey *survey, struct survey_example *list, size_t room,
                  bool by_hash, struct survey_example example)
{
    size_t at = room;
    while (at > 0 && comes_before(survey, by_hash, &example, &list[at - 1]))
        at--;
    if (at == room)
        return;
    memmove(list + at + 1, list + at, (room - 1 - at) * sizeof *list);
    list[at] = example;
}

/* ---- Order --------------------------------------------------------------------------------- */

struct place {
    const struct survey *survey;
    size_t old;
    bool used;
};

static int by_text(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return compare_texts(a->survey, &a->survey->kept[a->old], &a->survey->kept[b->old]);
}

/* Those that an example is of, in their order, first. Returns how many they are. */
static size_t order_texts(struct survey *survey, struct place *places)
{
    size_t used = 0;
    for (size_t k = 0; k < survey->kept_count; k++)
        places[k] = (struct place){survey, k, false};
    for (size_t i = 0; i < survey_example_count(survey); i++) {
        const struct survey_example *example = survey_example_at(survey, i);
        if (example->weight > 0)
            places[example->text].used = true;
    }
    for (size_t k = 0; k < survey->kept_count; k++)
        if (places[k].used)
            places[used++] = places[k];
        else
            free_text(&survey->kept[k]);
    qsort(places, used, sizeof *places, by_text);
    return used;
}

/* Keeps only the texts that examples are of. */
static enum status sort_texts(struct survey *survey, struct error *error)
{
    const size_t count = survey->kept_count;
    struct place *places = memory_new(count, sizeof *places, 0, "the survey", error);
    int64_t *now = memory_new(count, sizeof *now, 0, "the survey", error);
    /* room as grow has it */
    size_t room = 1;
    while (room < count)
        room *= 2;
    struct survey_text *kept = memory_new(room, sizeof *kept, 0, "the survey", error);
    if (!places || !now || !kept) {
        free(places);
        free(now);
        free(kept);
        return error->status;
    }
    const size_t used = order_texts(survey, places);
    for (size_t k = 0; k < used; k++) {
        kept[k] = survey->kept[places[k].old];
        now[places[k].old] = (int64_t)k;
    }
    for (size_t i = 0; i < survey_example_count(survey); i++) {
        struct survey_example *example = survey_example_at(survey, i);
        if (example->weight > 0)
            example->text = now[example->text];
    }
    free(survey->kept);
    survey->kept = kept;
    survey->kept_count = used;
    free(places);
    free(now);
    return STATUS_OK;
}

static int by_relation(const void *left, const void *right)
{
    const struct survey_relation *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static int by_id(const void *left, const void *right)
{
    const struct survey_piece *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static int by_name(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

static enum status sort_pos(struct survey *survey, struct error *error)
{
    const size_t count = survey->pos_count;
    size_t *from = memory_new(count, sizeof *from, 0, "the survey", error);
    char **sorted = memory_new(count, sizeof *sorted, 0, "the survey", error);
    bool fine = from && sorted;
    if (fine && count > 0) {
        memcpy(sorted, survey->pos, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_name);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++)
                if (survey->pos[j] == sorted[i])
                    from[i] = j;
        fine = move_mass(survey, from, count, count, error);
        for (size_t i = 0; fine && i < count; i++)
            survey->pos[i] = sorted[i];
    }
    free(from);
    free(sorted);
    return fine ? STATUS_OK : error->status;
}

/* The texts' indices follow. */
static enum status sort_corpora(struct survey *survey, struct error *error)
{
    const size_t count = survey->corpus_count;
    struct survey_corpus *sorted = memory_new(count, sizeof *sorted, 0, "the survey", error);
    uint64_t *now = memory_new(count, sizeof *now, 0, "the survey", error);
    for (size_t i = 0; sorted && now && i < count; i++) {
        for (size_t j = 0; j < count; j++)
            now[i] += strcmp(survey->corpora[j].name, survey->corpora[i].name) < 0;
        sorted[now[i]] = survey->corpora[i];
    }
    for (size_t k = 0; sorted && now && k < survey->kept_count; k++)
        survey->kept[k].corpus = now[survey->kept[k].corpus];
    const bool fine = sorted && now;
    if (fine) {
        free(survey->corpora);
        survey->corpora = sorted;
    } else {
        free(sorted);
    }
    free(now);
    return fine ? STATUS_OK : error->status;
}

enum status survey_sort(struct survey *survey, struct error *error)
{
    if (survey->relation_count > 0)
        qsort(survey->relations, survey->relation_count, sizeof *survey->relations, by_relation);
    if (survey->piece_count > 0)
        qsort(survey->pieces, survey->piece_count, sizeof *survey->pieces, by_id);
    for (size_t n = 0; n < survey->piece_count; n++)
        survey->piece_of_id[survey->pieces[n].id] = (int32_t)n;
    if (sort_corpora(survey, error) != STATUS_OK || sort_pos(survey, error) != STATUS_OK)
        return error->status;
    return sort_texts(survey, error);
}
