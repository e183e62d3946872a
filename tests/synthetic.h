/* synthetic.h: traces made of sixteenths, the same on every machine: no BLAS, no libm. */
#pragma once

#include "headlight/session/session.h"

/* As trace_new, all numbers 0. */
enum status trace_blank(const struct config *config, size_t tokens, const bool *outputs,
                        size_t scratch, struct trace **trace, struct error *error);

/* A session with nothing but a name of a checkpoint (its text can't be edited), whose scene shows a
 * synthetic trace of two layers. The labels must outlive it; `boundary` tokens belong to the first
 * sentence. Rows of weights sum to 1; queries, keys and values are sixteenths between -4 and 4;
 * scores are q·k/√D, contexts Σ a·v. End with session_end. NULL encoded input: no memory. */
struct session synthetic_session(const char *const *labels, size_t tokens, size_t boundary,
                                 size_t heads, size_t dimensions);

/* The same of a trace, which becomes the session's. */
struct session synthetic_of_trace(struct trace *trace, const char *const *labels, size_t boundary);

/* What a view is given of a session; good until the next call. */
const struct scene *scene_of(const struct session *session);

/* The example pair: 13 tokens, 7 of them in the first sentence. */
extern const char *const synthetic_pair[13];

/* Switches to a view. */
void session_set_view(struct session *session, enum view_kind view);
