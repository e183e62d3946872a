/* trace_read.h: a trace that any program recorded, from the tensors of its safetensors file.
 *
 *     layer.N.weights                                     [A,T,S]  N = 0 … L-1, each of them
 *     layer.N.query                                       [A,T,D]  these and all below: optional
 *     layer.N.key, layer.N.value                          [G,S,D]  G = A, or a divisor of it
 *     layer.N.scores                                      [A,T,S]
 *     layer.N.input, attention_output, output             [T,H]
 *     layer.N.context                                     [T,A·D]
 *     embedding [T,H]   mlm_logits [T,V]   nsp_logits [2]   ids, segments [T]
 *
 * Attention and vectors may also be called as the outputs of Hugging Face's models are:
 * attentions.N for layer.N.weights, hidden_states.0 for embedding, and hidden_states.N+1 for
 * layer.N.output. All names may have a site of an encoder–decoder in front: encoder.layer.N.query,
 * cross.layer.N.key, decoder_attentions.N.
 *
 * Numbers are F32, F16, BF16 or F64; ids and segments are I64 or I32. Every tensor may have a
 * leading axis of 1 (a batch of one). Tensors of other names are passed over. */
#pragma once

#include "headlight/model/trace.h"

/* The most tokens on either side. */
#define TRACE_READ_TOKENS_MAX 16384

/* Tolerance for weights outside 0 … 1 that were rounded. */
#define TRACE_READ_SLACK 1e-3F

/* The largest number of a vector, positive or negative: products of two, summed over the most
 * dimensions there may be (CONFIG_SIZE_MAX), are still floats. */
#define TRACE_READ_LARGEST 1e15F

/* Makes a trace of the file's tensors, in one block: free with free(). Its numbers lie in the file,
 * which must outlive the trace. The site's name goes before the tensors'; of SITE_ONLY nothing
 * does.
 *
 * STATUS_FORMAT: no weights, a missing layer, a shape that does not fit the others, a weight
 * outside 0 … 1, or a non-finite number elsewhere (including F64 too large for a float), except
 * scores of minus infinity, which masks make; and a number beyond TRACE_READ_LARGEST in a vector,
 * whose products would overflow. Sums are not checked: dropout and padding leave rows whose weights
 * do not sum to 1, and these are shown as they are (recording.h has a note of them).
 * STATUS_UNSUPPORTED: another number type. STATUS_LIMIT: more heads, layers or tokens than
 * headlight shows. */
enum status trace_read(struct safetensors *file, enum site site, struct trace **trace,
                       struct error *error);

/* Whether the file has attention of that site. */
bool trace_read_has(const struct safetensors *file, enum site site);
