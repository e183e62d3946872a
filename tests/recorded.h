/* recorded.h: numbers that another program computed, and the traces that are held to them. Every
 * function fails the running test when it cannot do what it says. */
#pragma once

#include "headlight/base/json.h"
#include "headlight/model/model.h"
#include "headlight/model/trace.h"
#include "headlight/tensor/safetensors.h"

/* An object in a file; the caller's. */
cJSON *json_of_file(const char *path);

/* An object, or a list, in a file of that folder; the caller's. */
cJSON *recorded_object(const char *folder, const char *name);
cJSON *recorded_list(const char *folder, const char *name);

/* How many integers a list has; at most `room`. */
size_t recorded_integers(const cJSON *list, int32_t *integers, size_t room);

/* The trace of a case's ids and segments, with or without words of the vocabulary; the caller's,
 * and not computed yet. */
struct trace *recorded_prepare(const struct model *model, const cJSON *one, bool logits);

/* The source of a case, computed; the caller's. */
struct trace *recorded_source(const struct model *model, const cJSON *one);

/* Of an encoder–decoder, computed: the encoder's and the decoder's, which the caller frees, and
 * that of its attention to the encoder. */
void recorded_stacks(const struct model *model, const cJSON *one,
                     const struct interventions *changes, struct trace *traces[3]);

/* Of the numbers in their order, whatever their types and strides. */
double recorded_number(const struct tensor *tensor, size_t index);
double trace_number(const struct trace_tensor *tensor, size_t index);
size_t trace_numbers(const struct trace_tensor *tensor);
