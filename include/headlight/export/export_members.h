/* export_members.h: a session on its way into JSON (export.h): the members before its layers, and
 * what the model says. */
#pragma once

#include "headlight/export/export.h"
#include "headlight/lens/answer_rows.h"
#include "headlight/view/comparison.h"

struct sheet {
    const struct output *output;
    struct session *session;             /* of the output */
    const struct checkpoint *checkpoint; /* whose tokens and answers these are: the session's, or
                                            the one it is compared with; NULL for a recording */
    const struct encoded *encoded;
    const struct trace *trace, *before; /* before: in the network as it was trained; or NULL */
    struct json_writer *json;

    const char *no_lens; /* why the model says no words; empty: it does */
    size_t token;        /* of the trace, chosen by the user; or NO_TOKEN */
    bool asks;           /* there is an --ask */
    struct target on;    /* what effects are on, without its token; that of --ask */

    const struct attention *words; /* of cross-attention; else NULL */
    struct answer *task; /* what a head for a task says, to be freed; NULL: there is none */
    const struct sentence_pair *sentences; /* the session's, of a pair; NULL: there are none */
};

/* Computes and writes what the output includes. Errors as in export.h, and as logit_lens_best,
 * effects_measure and map_new; the message names the part of --include. */
enum status members_write(struct sheet *sheet, struct error *error);

/* A recording has no weights to compute with. STATUS_UNSUPPORTED. */
enum status export_check_model(const struct checkpoint *checkpoint, struct error *error);

/* Finds what the model says, and what --ask names, if there is one. STATUS_USAGE: the model can't
 * say it, or no token is there to ask at; STATUS_UNSUPPORTED: the model says nothing. */
enum status answers_ask(struct sheet *sheet, struct error *error);
struct answer_source answers_source(const struct sheet *sheet);

/* "answers": [...] and, where that is empty, "silent": why; "sentences": {...} of vectors.
 * STATUS_MEMORY, and as answer_rows. The second asks before it writes. */
enum status answers_write(struct sheet *sheet, struct error *error);
enum status answers_make(struct sheet *sheet, struct error *error);

/* The same text in the model of --against, run there. */
enum status against_write(struct sheet *sheet, struct error *error);

/* ---- Shared by these files (export_write.c) ---- */

/* How many pieces are listed at a token: those of --limit, or 5; at most all that there are. */
size_t export_top(const struct output *output, const struct trace *trace);

/* Pieces of a side's tokens, as the vocabulary has them; a number for each token (null: not
 * recorded). */
void export_write_pieces(struct json_writer *json, const char *name, const struct encoded *encoded,
                         enum side side);
void export_write_integers(const struct sheet *sheet, const char *name, const int32_t *numbers);

/* "changes": how the network was changed, as a saved state has it; null: it was not, or that was
 * not recorded. A recording says it in its own words. */
void export_write_changes(struct json_writer *json, const struct session *session);

/* "name":[[…],[…]] of rows `stride` numbers apart; null if they were not recorded. */
void export_write_matrix(struct json_writer *json, const char *name, const float *values,
                         const size_t shape[2], size_t stride);

/* The layers, heads or attending tokens that are written: all, or the chosen one. */
struct token_range export_range(const struct sheet *sheet, enum narrowed narrowed);

/* The same of a layer's tensor by its name; of one that each head has, this head's matrix.
 */
void export_write_tensor(const struct sheet *sheet, size_t layer, size_t head, const char *name);
