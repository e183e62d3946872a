/* finite.h: non-finite numbers, and where they come from.
 *
 * A weight that is NaN or infinite, and a sum that no float can hold, spread to everything that is
 * computed from them. So a pass looks at few of its numbers: the scores of a layer are finite only
 * if its queries and keys are, and its output, behind two LayerNorms, only if everything else is.
 * The cause is looked for when a pass has gone wrong, not in every checkpoint that is opened. */
#ifndef HEADLIGHT_MODEL_FINITE_H
#define HEADLIGHT_MODEL_FINITE_H

#include "headlight/model/model.h"
#include "headlight/model/trace.h"

/* Whether the logits that a trace has are. */
bool finite_logits(const struct trace *trace);

/* Says why the numbers after the first trace->computed.layers layers are not finite: STATUS_FORMAT
 * and the place of the first non-finite weight that the pass read there or, when all of them are
 * finite, STATUS_LIMIT. Of the embeddings only the rows of the trace's tokens are looked at. */
enum status finite_explain(const struct model *model, const struct trace *trace,
                           struct error *error);

#endif
