/* labels.h: what config.json says about a classifier's outputs: their names, the function that
 * makes scores of logits, and the task.
 *
 * Source: transformers' configuration_utils.py and pipelines/text_classification.py;
 * sentence-transformers' CrossEncoder.py. */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>

struct json_reader;

/* Far above any real classifier. */
#define LABELS_MAX 65536

/* How logits become scores. */
enum score_function { SCORE_SOFTMAX, SCORE_SIGMOID, SCORE_NONE };
extern const char *const score_names[];

/* What a class such as BertForTokenClassification answers about. */
enum head_task { TASK_NONE, TASK_SEQUENCE, TASK_TOKENS, TASK_SPAN, TASK_CHOICE };

struct labels {
    size_t count;
    const char **names;  /* [count], by number; not "" */
    bool named;          /* some name is not LABEL_n */
    bool tagged;         /* some name begins with B- or I- */
    bool count_stated;   /* else the rows of the classifier's weight are the truth: labels_number */
    enum head_task task; /* of the first of "architectures" */
    enum score_function function;
    enum score_function functions[2]; /* of one label, of several */
};

/* Reads id2label or num_labels, problem_type, a cross-encoder's activation and the class. Only for
 * a file with a head that needs it: whatever it refuses is of no concern to a model of words. Free
 * *labels with labels_free, which accepts {0}; after an error only the task is there. STATUS_FORMAT
 * for an id2label whose keys are not 0, 1, …, each once, or whose values are not names;
 * STATUS_UNSUPPORTED for an unknown problem_type or activation; STATUS_LIMIT for too many labels;
 * STATUS_MEMORY. */
enum status labels_read(const struct json_reader *in, struct labels *labels);

/* Calls them LABEL_0 … LABEL_(count-1). STATUS_MEMORY leaves *labels as it was. */
enum status labels_number(struct labels *labels, size_t count, struct error *error);

void labels_free(struct labels *labels);
