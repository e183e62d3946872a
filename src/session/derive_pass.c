/* derive_pass.c: forward passes: the one that the state calls for, the one before the network was
 * changed, and those of the compare view, of each sentence by itself or of the text in another
 * model. They are prepared on the UI thread, where the tokenizer and the session may be read, and
 * run on any. */
#include "headlight/session/derive.h"
#include "headlight/view/comparison.h"

#include <stdlib.h>

/* ---- The pass ---- */

static struct reading source_reading(const struct source *source, struct text texts[2])
{
    for (size_t i = 0; i < source->texts.count; i++)
        texts[i] = text_of_string(texts_at(&source->texts, i));
    return (struct reading){.special = source->special,
                            .masked = &source->masked,
                            .spaced = source->spaced,
                            .generated = &source->generated};
}

/* A text with other masks, or without special tokens, is another input. */
bool derived_text_is_shown(const struct session *session)
{
    const struct source *source = &session->state.source;
    struct text texts[2];
    const struct reading how = source_reading(source, texts);
    return encoded_is_of(session->data.encoded, texts, source->texts.count, &how);
}

/* Text, masks, special tokens and network must be those of the state; a pass that is running may be
 * for an older one. */
bool derived_is_current(const struct session *session)
{
    const struct trace *trace = session->data.trace;
    const struct source *source = &session->state.source;
    return trace && session->checkpoint && session->busy != REQUEST_PASS &&
           derived_text_is_shown(session) &&
           interventions_first_difference(&trace->computed.changes, &source->changes, 0,
                                          INTERVENE_LAYERS_MAX) == INTERVENE_LAYERS_MAX;
}

size_t derived_target_due(const struct session *session)
{
    const struct source *source = &session->state.source;
    const struct checkpoint *decoder = session->checkpoint ? session->checkpoint->decoder : NULL;
    const size_t made = source->generated.count;
    const size_t most =
        decoder ? size_min(session->sampling.most, decoder->model->config.longest - 1) : 0;
    return source->texts.count == 1 && made < most ? most - made : 0;
}

bool derived_target_is_open(const struct session *session)
{
    const struct encoded *target = encoded_of_site(session->data.encoded, SITE_DECODER);
    return target && session->state.source.texts.count == 1 && target->generated.count > 0 &&
           !target->ended && session->tokens_due == 0;
}

struct beam_search derived_search(const struct session *session)
{
    struct beam_search search = session->search;
    if (search.beams < 2 || session->tokens_due == 0 || session->state.source.generated.count > 0)
        return (struct beam_search){.beams = 0};
    search.length_penalty = search.length_penalty > 0 ? search.length_penalty : 1;
    search.most = derived_target_due(session);
    return search;
}

/* A pass begins with what it has in common with the one shown: tokens, or layers before the first
 * change. */
static enum status prepare_pass(struct draft *draft, struct error *error)
{
    struct encoded *shown = draft->data.encoded, *encoded;
    struct text texts[2];
    const struct source *source = &draft->session->state.source;
    struct reading how = source_reading(source, texts);
    how.logits = draft->logits;
    if (encoded_new(draft->checkpoint, texts, source->texts.count, how, &encoded, error) !=
        STATUS_OK)
        return error->status;
    encoded_adopt(shown, &draft->changes, encoded);
    if (draft->session->longer)
        forward_adopt(draft->session->longer, &draft->changes, encoded_speaker(encoded)->trace);
    draft->encoded = derived_site(encoded, &draft->look);
    draft_keep_unchanged(draft, encoded, &draft->changes);
    draft_set_pass(draft, draft->encoded, true);
    return STATUS_OK;
}

/* And the search for a target after it. */
static enum status run_pass(struct draft *draft, struct error *error)
{
    struct encoded *encoded = draft->encoded;
    draft->found.count = 0;
    const enum status status =
        encoded_run(draft->checkpoint, &draft->changes, draft->watch, encoded, error);
    return status != STATUS_OK || draft->search.beams == 0
               ? status
               : generate_beams(draft->checkpoint->decoder->model, encoded_source(encoded)->trace,
                                &draft->changes, &draft->search, draft->watch, draft->found.ids,
                                &draft->found.count, error);
}

/* The text stays requested, but the network goes back to that of the trace shown. */
static void fail_pass(struct session *session)
{
    session->state.source.changes = session->data.trace->computed.changes;
}

const struct derived derived_pass = {
    REQUESTED("computing", trace), .source = SOURCE_TRACE, .passes = true,
    .prepare = prepare_pass,       .make = run_pass,       .fail = fail_pass};

/* ---- Before the network was changed ---- */

/* A recording may have been made with changes, but there is no network to run without them. */
static bool wants_before(const struct look *look, const struct data *data)
{
    (void)look;
    return data->trace && data->checkpoint && !data->unchanged &&
           interventions_any(&data->trace->computed.changes);
}

/* The same tokens, so the traces can be compared number by number. */
static enum status prepare_before(struct draft *draft, struct error *error)
{
    return encoded_again(draft->checkpoint, draft->data.encoded, draft->logits,
                         &draft->data.unchanged, error);
}

static enum status run_before(struct draft *draft, struct error *error)
{
    return encoded_run(draft->checkpoint, NULL, draft->watch, draft->data.unchanged, error);
}

/* Nothing in the look asks for these things, so nothing in it could be taken back. */
void derived_stop(struct session *session)
{
    session->data.stopped = true;
}

const struct derived derived_before = {REQUESTED(NULL, unchanged),
                                       .release = encoded_free,
                                       .source = SOURCE_BEFORE,
                                       .sources = SOURCE_TOKENS,
                                       .passes = true,
                                       .until_stopped = true,
                                       .wants = wants_before,
                                       .prepare = prepare_before,
                                       .make = run_before};

/* ---- For a comparison ---- */

/* Two traces of the same text (before and after a change) need no pass of their own. Outside the
 * compare view another model may be compared with number by number. */
static bool wants_compared(const struct look *look, const struct data *data)
{
    if (!data->trace || data->compared || data->uncompared[0])
        return false;
    enum comparison_kind kind = comparison_kind(data);
    struct error error;
    if (view_at(look->view)->compares)
        return kind == COMPARISON_MODELS || kind == COMPARISON_TEXTS;
    return kind == COMPARISON_MODELS &&
           (derive_map_wanted(look, true) == MAP_DIFFERENCE ||
            (look->metric == METRIC_MOVED && derived_shows(look, SHOWN_METRICS))) &&
           comparison_check(data, "", &error) == STATUS_OK;
}

/* Sentence A on the left, B on the right, each with its own masked tokens. */
enum status derive_alone(const struct data *data, bool special, struct encoded *encoded[2],
                         struct error *error)
{
    const struct encoded *pair = data->encoded;
    const size_t second = pair->sides[SIDE_LEFT].boundary, added = pair->encoding->tokens[0].added;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        struct masked masked = {0};
        for (size_t i = 0; i < pair->masked.count; i++) {
            const size_t token = pair->masked.tokens[i];
            if ((token >= second) == (side == SIDE_RIGHT))
                masked.tokens[masked.count++] = token - (side == SIDE_RIGHT ? second - added : 0);
        }
        struct reading how = {special, false, &masked, NULL, pair->spaced, NULL};
        if (encoded_new(data->checkpoint, &pair->texts[side], 1, how, &encoded[side], error) !=
            STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* The other model may tokenise the texts differently. Of cross-attention nothing says which columns
 * agree, unless all tokens do. */
static enum status encode_against(const struct data *data, bool logits, struct encoded **other,
                                  struct error *error)
{
    const struct encoded *shown = data->encoded;
    if (data->against_recording) {
        bool same = true;
        *other = recording_at(data->against_recording, shown->site);
        if (!encoded_is_crossed(shown) && !encoded_is_crossed(*other))
            return STATUS_OK;
        for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
            const struct token_side *a = &shown->sides[side], *b = &(*other)->sides[side];
            same &= a->count == b->count;
            for (size_t token = 0; same && token < a->count; token++)
                same = strcmp(a->labels[token], b->labels[token]) == 0;
        }
        return same ? STATUS_OK
                    : error_set(error, STATUS_MISMATCH,
                                "cross-attention is compared where both have the same "
                                "tokens on both sides: %s has others",
                                data->against_recording->model);
    }
    for (size_t i = 0; i < shown->generated.count; i++) {
        const char *own = tokenizer_piece(data->checkpoint->tokenizer, shown->generated.ids[i]);
        const char *there = tokenizer_piece(
            checkpoint_stack(data->against, SITE_DECODER)->tokenizer, shown->generated.ids[i]);
        if (strcmp(own, there) != 0)
            return error_set(error, STATUS_MISMATCH,
                             "%s has another vocabulary: what was generated has no place there",
                             data->against->name);
    }
    if (encoded_again(data->against, shown, logits, other, error) != STATUS_OK)
        return error->status;
    if (shown->masked.count > 0 && (*other)->encoding->count != shown->encoding->count)
        return error_set(error, STATUS_MISMATCH,
                         "%s cuts the text up into other tokens: a masked one has no place there",
                         data->against->name);
    return STATUS_OK;
}

/* Encodes both sides, and finds the tokens that correspond. All that may fail for a particular text
 * fails here, before a worker begins. */
static enum status prepare_compared(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    struct compared *compared = data->compared = calloc(1, sizeof *compared);
    if (!compared)
        return error_memory(error, "the comparison", sizeof *compared);
    const bool alone = comparison_kind(data) == COMPARISON_TEXTS,
               special = draft->session->state.source.special;
    if ((alone ? derive_alone(data, special, compared->encoded, error)
               : encode_against(data, draft->logits, &compared->encoded[SIDE_RIGHT], error)) !=
        STATUS_OK)
        return error->status;
    const struct encoded *left = compared->encoded[SIDE_LEFT],
                         *right = compared->encoded[SIDE_RIGHT];
    return compared_match(&(left ? left : data->encoded)->sides[SIDE_LEFT],
                          &right->sides[SIDE_LEFT], &compared->counterparts, error);
}

/* Two models: the left side is the trace that is shown, and only the right side is run. Recordings
 * have been. */
static enum status make_compared(struct draft *draft, struct error *error)
{
    const struct data *data = &draft->data;
    const struct compared *compared = data->compared;
    enum status status = STATUS_OK;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT && status == STATUS_OK; side++) {
        const struct checkpoint *other = compared->encoded[SIDE_LEFT] ? NULL : data->against;
        if (compared->encoded[side] && (other || !data->against_recording))
            status = encoded_run(other ? other : draft->checkpoint, NULL, draft->watch,
                                 compared->encoded[side], error);
    }
    return status;
}

/* The view explains why this text has no comparison. */
static void fail_compared(struct session *session)
{
    struct data *data = &session->data;
    format_cut(data->uncompared, sizeof data->uncompared, "%s", session->message);
}

const struct derived derived_compared = {REQUESTED("comparing", compared),
                                         .release = compared_free,
                                         .source = SOURCE_COMPARED,
                                         .sources = SOURCE_TEXT,
                                         .passes = true,
                                         .until_stopped = true,
                                         .asked_again = true,
                                         .wants = wants_compared,
                                         .prepare = prepare_compared,
                                         .make = make_compared,
                                         .fail = fail_compared};
