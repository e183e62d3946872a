/* arrays.h: the arrays of a survey, in one table, which its file, reader and merge walk. */
#ifndef HEADLIGHT_SURVEY_ARRAYS_H
#define HEADLIGHT_SURVEY_ARRAYS_H

#include "headlight/survey/survey.h"
#include "headlight/tensor/safetensors.h"

/* In a file's metadata it tells a survey from other tensors; and the name of its strings. */
#define SURVEY_MARK(kind) "headlight_" kind
#define SURVEY_STRINGS    "strings"

/* What is in a file's metadata, and in JSON, by name: of the origin the last one only if there is
 * another model. */
extern const char *const survey_origin_names[SURVEY_ORIGINS];
extern const char *const survey_total_names[SURVEY_TOTALS];

/* An array [axes]. It lies in parts: the first `outer` axes count them, and the numbers of the
 * others lie together. */
struct survey_array {
    const char *name;
    const char *axes; /* a letter each, see survey_axis */
    size_t outer;
    bool added; /* when surveys are merged */
    int64_t *(*part)(const struct survey *survey, size_t index);
};

extern const struct survey_array survey_arrays[];
extern const size_t survey_array_count;

/* The i-th of the figures that the survey has; SURVEY_FIGURE_COUNT past the last. */
enum survey_figure survey_figure_at(const struct survey *survey, size_t i);

/* The size of an axis: L layers, A heads, F figures, R relations, P parts of speech, N word pieces,
 * K texts that are kept, B bins of reach, H of a histogram, O offsets, D deciles, S strongest and U
 * uniform examples, 4 for their members, 2 for a pair's; V levels and C counts of two models, 0
 * without a second.
 */
size_t survey_axis(const struct survey *survey, char axis);

/* False for what is only there with another model. */
bool survey_array_is_there(const struct survey *survey, const struct survey_array *array);

/* The number of parts, and of numbers in each. */
size_t survey_array_parts(const struct survey *survey, const struct survey_array *array);
size_t survey_array_numbers(const struct survey *survey, const struct survey_array *array);

/* ---- What a "survey" and an "index" say alike in their metadata: which model, counts, corpora and
 * names ---- */

/* The number of the format of a kind. */
static inline int survey_format(const char *kind)
{
    return *kind == 'i' ? INDEX_FORMAT : SURVEY_FORMAT;
}

/* False without memory. */
bool survey_add_metadata(const struct survey *survey, const char *kind,
                         struct safetensors_header *header);

/* A survey without sums; `path` is for messages. STATUS_UNSUPPORTED for another format,
 * STATUS_FORMAT for another kind of file or a damaged one. Free with survey_free, after an error,
 * too. */
enum status survey_read_metadata(struct safetensors *file, const char *path, const char *kind,
                                 struct survey **survey, struct error *error);

#endif
