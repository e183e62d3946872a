/* arrays.c: where each array of a survey lies, and its shape. All numbers are of 64 bits. */
#include "headlight/survey/arrays.h"

#include <string.h>

const char *const survey_origin_names[] = {"model",   "model_sha256", "tokenizer_sha256",
                                           "kernels", "options",      "against_sha256"};
const char *const survey_total_names[] = {"texts", "too_long", "refused", "tokens", "words"};

bool survey_has(const struct survey *survey, enum survey_figure figure)
{
    return survey->figures[figure].sum != NULL;
}

enum survey_figure survey_figure_at(const struct survey *survey, size_t i)
{
    size_t figure = 0;
    while (figure < SURVEY_FIGURE_COUNT &&
           (!survey_has(survey, (enum survey_figure)figure) || i-- > 0))
        figure++;
    return (enum survey_figure)figure;
}

/* An unsigned number may be looked at as a signed one of the same size. */
#define PART(name, place)                                                                          \
    static int64_t *name(const struct survey *survey, size_t i)                                    \
    {                                                                                              \
        return (int64_t *)(place);                                                                 \
    }
/* One part alone, which may be empty. */
#define WHOLE(name, place)                                                                         \
    static int64_t *name(const struct survey *survey, size_t i)                                    \
    {                                                                                              \
        (void)i;                                                                                   \
        return place;                                                                              \
    }
PART(rows_at, &survey->figures[survey_figure_at(survey, i)].rows)
PART(rows_squared_at, &survey->figures[survey_figure_at(survey, i)].rows_squared)
PART(sum_at, survey->figures[survey_figure_at(survey, i)].sum)
PART(squares_at, survey->figures[survey_figure_at(survey, i)].squares)
PART(products_at, survey->figures[survey_figure_at(survey, i)].products)
WHOLE(reach_at, survey->reach)
WHOLE(maxima_at, survey->maxima)
WHOLE(entropies_at, survey->entropies)
PART(relation_count_at, &survey->relations[i].count)
PART(offsets_at, survey->relations[i].offsets)
PART(dependent_at, survey->relations[i].dependent)
PART(head_at, survey->relations[i].head)
PART(pos_words_at, &survey->pos_words[i])
PART(pos_mass_at, survey->pos_mass + i * survey->layers * survey->heads)
PART(piece_id_at, &survey->pieces[i].id)
PART(piece_count_at, &survey->pieces[i].count)
PART(piece_from_at, survey->pieces[i].from)
PART(piece_at_at, survey->pieces[i].at)
PART(strongest_at, &survey->examples[i].strongest[0].weight)
PART(uniform_at, &survey->examples[i].uniform[0][0].weight)
PART(deciles_at, survey->examples[i].deciles)
PART(kept_corpus_at, &survey->kept[i].corpus)
PART(kept_number_at, &survey->kept[i].number)
PART(kept_hash_at, &survey->kept[i].hash)
WHOLE(cosines_at, survey->cosines)
PART(counts_at, &survey->counts[i])

/* An array of one part has index 0 alone. */
const struct survey_array survey_arrays[] = {
    {"figures.rows", "F", 1, true, rows_at},
    {"figures.rows_squared", "F", 1, true, rows_squared_at},
    {"figures.sum", "FLA", 1, true, sum_at},
    {"figures.squares", "FLA2", 1, true, squares_at},
    {"figures.products", "FLA2", 1, true, products_at},
    {"reach", "LAB", 0, true, reach_at},
    {"histogram.maximum", "LAH", 0, true, maxima_at},
    {"histogram.entropy", "LAH", 0, true, entropies_at},
    {"relations.count", "R", 1, true, relation_count_at},
    {"relations.offsets", "RO", 1, true, offsets_at},
    {"relations.dependent", "RLA", 1, true, dependent_at},
    {"relations.head", "RLA", 1, true, head_at},
    {"pos.words", "P", 1, true, pos_words_at},
    {"pos.mass", "PPLA", 2, true, pos_mass_at},
    {"pieces.id", "N", 1, false, piece_id_at},
    {"pieces.count", "N", 1, true, piece_count_at},
    {"pieces.from", "NLA", 1, true, piece_from_at},
    {"pieces.at", "NLA", 1, true, piece_at_at},
    {"examples.strongest", "LAS4", 2, false, strongest_at},
    {"examples.uniform", "LADU4", 2, false, uniform_at},
    {"examples.deciles", "LAD", 2, true, deciles_at},
    {"texts.corpus", "K", 1, false, kept_corpus_at},
    {"texts.number", "K", 1, false, kept_number_at},
    {"texts.hash", "K", 1, false, kept_hash_at},
    {"moved.cosines", "V", 0, true, cosines_at},
    {"moved.counts", "C", 0, true, counts_at},
};
const size_t survey_array_count = sizeof survey_arrays / sizeof *survey_arrays;

size_t survey_axis(const struct survey *survey, char axis)
{
    switch (axis) {
    case 'L':
        return survey->layers;
    case 'A':
        return survey->heads;
    case 'F':
        return (size_t)SURVEY_ALWAYS + survey_has(survey, SURVEY_EFFECT) +
               survey_has(survey, SURVEY_MOVED);
    case 'R':
        return survey->relation_count;
    case 'P':
        return survey->pos_count;
    case 'N':
        return survey->piece_count;
    case 'K':
        return survey->kept_count;
    case 'B':
        return SURVEY_REACH;
    case 'H':
        return SURVEY_BINS;
    case 'O':
        return SURVEY_OFFSET_FAR + 1;
    case 'D':
        return SURVEY_DECILES;
    case 'S':
        return SURVEY_STRONGEST;
    case 'U':
        return SURVEY_UNIFORM;
    case 'V':
        return survey_has(survey, SURVEY_MOVED) ? survey->layers + 1 : 0;
    case 'C':
        return survey_has(survey, SURVEY_MOVED) ? SURVEY_COUNTS : 0;
    default:
        return (size_t)(axis - '0');
    }
}

bool survey_array_is_there(const struct survey *survey, const struct survey_array *array)
{
    return !strchr("VC", array->axes[0]) || survey_has(survey, SURVEY_MOVED);
}

static size_t product(const struct survey *survey, const char *axes, size_t count)
{
    size_t result = 1;
    for (size_t i = 0; i < count; i++)
        result *= survey_axis(survey, axes[i]);
    return result;
}

size_t survey_array_parts(const struct survey *survey, const struct survey_array *array)
{
    return product(survey, array->axes, array->outer);
}

size_t survey_array_numbers(const struct survey *survey, const struct survey_array *array)
{
    return product(survey, array->axes + array->outer, strlen(array->axes) - array->outer);
}
