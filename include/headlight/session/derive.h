/* derive.h: what is shown, derived from what the user chose: the one place that writes data.
 *
 * All of it is derived, or nothing: without memory, look and data stay as they were. */
#ifndef HEADLIGHT_SESSION_DERIVE_H
#define HEADLIGHT_SESSION_DERIVE_H

#include "headlight/view/views.h"

/* Brings the data in line with another look at the same trace, and then the look with them: only
 * tokens that are still shown stay chosen, a filter that leaves none is dropped. If somebody waits
 * at the keyboard (`attended`), metrics that take long are left out, see derive_wants_metrics.
 * STATUS_MEMORY. */
enum status derive_look(struct look *look, struct data *data, bool attended, struct error *error);

/* The same for an encoded input: a new one, or the one shown with a new trace or one computed
 * since. The data own it from now on, and free the one before. Until it is `computed` only the
 * tokens are shown. STATUS_MEMORY, STATUS_LIMIT: then it is still the caller's. */
enum status derive_pass(struct look *look, struct data *data, struct encoded *encoded,
                        bool computed, bool attended, struct error *error);

/* Shows only the tokens from now on: the trace is about to be overwritten. */
void derive_uncover(struct data *data);

/* Whether the look needs metrics that are not measured yet. A worker measures them (request.h) and
 * hands them to the data, which free them. */
bool derive_wants_metrics(const struct look *look, const struct data *data);
void derive_metrics(struct data *data, struct head_metrics *metrics);

/* The same for the heads' effects: whether the look needs those on a prediction that are not
 * measured yet. They are dropped as soon as they are on another than the look has chosen. */
bool derive_wants_effects(const struct look *look, const struct data *data);
void derive_effects(struct data *data, struct effects *effects);

/* The prediction that effects are on: at a token of the trace, the chosen one, else the first
 * [MASK], else the last word; the chosen answer's piece, or EFFECTS_LIKELIEST. */
struct asked_prediction {
    size_t token;
    int32_t id;
};

struct asked_prediction derive_prediction(const struct look *look, const struct data *data);

/* Whether the network is changed and it is not known yet what it computed before. A worker computes
 * it, and hands it to the data, which free it. */
bool derive_wants_before(const struct data *data);
void derive_before(struct data *data, struct trace *before);

/* Whether the look asks for a map that can be made and isn't there yet. A worker makes it and
 * leaves it in data->coming, from where deriving takes it over. */
bool derive_wants_map(const struct look *look, const struct data *data);

/* Whether the view shows what the layers say, and the model can tell. */
bool derive_shows_lens(const struct look *look, const struct data *data);

/* Whether the look needs what the layers say at tokens where that is not read yet, and where to
 * read on. A worker does, and hands all that is read so far to the data, which free it. */
bool derive_wants_lens(const struct look *look, const struct data *data, struct lens_area *area);
void derive_lens(struct data *data, struct lens_cell *lens);

/* A lens of which nothing is read, where the pieces that the text says stand there, masked or not,
 * or come next; and reading an area of it, with what was `before` (or NULL). Errors as in
 * logit_lens.h. */
enum status derive_new_lens(const struct encoded *encoded, bool next, struct lens_cell **lens,
                            struct error *error);
enum status derive_read_lens(const struct model *model, const struct trace *trace,
                             const struct trace *before, const struct lens_area *area,
                             const struct watch *watch, struct lens_cell *lens,
                             struct error *error);

/* A token and as many around it as are read within a few frames. */
struct lens_area derive_lens_area(const struct trace *trace, size_t token);

/* Whether the look compares passes that are not computed yet; these, encoded for a worker to
 * compute, with [CLS] and [SEP] if `special`; and handing them to the data, which free them. Errors
 * as encoded_new, and STATUS_MISMATCH where a masked token has no place in the other model's text.
 */
bool derive_wants_compared(const struct look *look, const struct data *data);
enum status derive_new_compared(const struct data *data, bool special, struct compared **compared,
                                struct error *error);
enum status derive_run_compared(const struct data *data, enum precision precision,
                                const struct watch *watch, struct compared *compared,
                                struct error *error);
void derive_compared(struct data *data, struct compared *compared);

/* Frees what the data own. */
void derive_end(struct data *data);

#endif
