/* answers.h: the view of what the model says. For each of the things that a model can say (look.h)
 * there is a view, which has no name to be chosen by: the answers view is the one that is called
 * for. */
#pragma once

#include "headlight/view/views.h"

/* What is shown: what the look has chosen, or else the first thing that the model can say.
 * ANSWERS_FIRST: it can say nothing. */
enum answers answers_shown(const struct look *look, const struct data *data);

/* The next thing that the model can say; ANSWERS_COUNT: there is none. */
enum answers answers_next(const struct data *data, enum answers kind);

/* Whether it can say several of these. */
bool answers_several(const struct data *data);

/* The output that it is of; OUTPUT_COUNT: nothing is said. */
enum model_output answers_output(const struct look *look, const struct data *data);

/* As on the command line. */
const char *answers_name(enum answers kind);

/* The labels of the model's classes or tags; safe to be drawn by canvas_text and pen_print alone,
 * as they are anybody's. */
const struct labels *answers_labels(const struct scene *scene);

/* The answer to what the model was trained for, in a word or two: "POSITIVE 0.98", or the word
 * behind the mask; nothing where there is none. */
void answers_say(const struct scene *scene, char *said, size_t size);

/* "cosine" */
const char *similarity_name(const struct scene *scene);

/* Words and tags; whether words were replaced; classes; spans; vectors of sentences; and of an
 * encoder, which says nothing itself, what its decoder says. */
extern const struct view words_view, replaced_view, classes_view, span_view, similarity_view,
    source_view;
