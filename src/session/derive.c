/* derive.c: the table of derived things, and the one loop that makes, takes over and drops them.
 * The data change only here, between frames: a draft is made beside them and then replaces them, so
 * that a failure leaves everything as it was. A thing belongs either to the session's data or to
 * one draft, which notes in `made` what it has to free. */
#include "headlight/session/derive.h"

#include "headlight/lens/dimensions.h"
#include "headlight/view/comparison.h"
#include "headlight/view/model_view.h"
#include "headlight/view/steps_sheet.h"
#include "headlight/view/words.h"

#include <stdlib.h>

/* ---- The table ---- */

const struct derived derived_text = {
    .offset = offsetof(struct data, encoded), .release = encoded_free, .source = SOURCE_TEXT};

/* The model view's. */
static bool wants_bands(const struct look *look, const struct data *data)
{
    return data->trace && !data->bands && look->view == VIEW_MODEL;
}

static enum status make_bands(struct draft *draft, struct error *error)
{
    return bands_new(&draft->data, draft->checkpoint, &draft->data.bands, error);
}

const struct derived derived_bands = {.offset = offsetof(struct data, bands),
                                      .release = bands_free,
                                      .sources = SOURCE_ATTENTION,
                                      .wants = wants_bands,
                                      .make = make_bands};

/* The steps view's, which always has a token, once it is settled. They are kept while the cursor
 * moves among them: a layer of BERT has 7 million weights to read. */
static bool wants_steps(const struct look *look, const struct data *data)
{
    const struct scene scene = view_scene(look, data);
    const bool wanted = data->trace && look->view == VIEW_STEPS && look->from != NO_TOKEN;
    if (!wanted || !data->steps)
        return wanted;
    const struct steps_at at = steps_place(&scene), *kept = &data->steps->at;
    return kept->layer != at.layer || kept->head != at.head || kept->token != at.token ||
           kept->output != at.output || kept->answer != at.answer;
}

static enum status make_steps(struct draft *draft, struct error *error)
{
    const struct scene scene = view_scene(&draft->look, &draft->data);
    const struct steps_at at = steps_place(&scene);
    return steps_new(&at, &draft->data.steps, error);
}

const struct derived derived_steps = {.offset = offsetof(struct data, steps),
                                      .release = free,
                                      .sources = SOURCE_TRACE,
                                      .wants = wants_steps,
                                      .make = make_steps};

#define FIRST (REQUEST_LOAD + 1)

static const struct derived *const rows[REQUEST_COUNT] = {
#define ROW(kind, name) [REQUEST_##kind] = &derived_##name
    DERIVED_THINGS(ROW)};

const struct derived *derived_of(enum request_kind kind)
{
    return rows[kind];
}

/* A thing that the user has stopped stays unwanted until something else is chosen, or it would be
 * requested again at once. */
static bool row_is_wanted(const struct derived *row, const struct look *look,
                          const struct data *data)
{
    return row->wants && !(row->until_stopped && data->stopped) && row->wants(look, data);
}

bool derive_wants(enum request_kind kind, const struct look *look, const struct data *data)
{
    return data->trace && row_is_wanted(derived_of(kind), look, data);
}

enum request_kind derived_next(const struct look *look, const struct data *data)
{
    for (size_t i = FIRST; i < REQUEST_COUNT && data->trace; i++)
        if (rows[i]->requested && row_is_wanted(rows[i], look, data))
            return (enum request_kind)i;
    return REQUEST_NONE;
}

/* ---- A thing ---- */

/* The members of struct data have different types, of which a row knows only the offset. memcpy
 * keeps to C's rules for aliasing. */
static void *thing_of(const struct derived *row, const struct data *data)
{
    void *thing;
    memcpy(&thing, (const char *)data + row->offset, sizeof thing);
    return thing;
}

static void set_thing(const struct derived *row, struct data *data, void *thing)
{
    memcpy((char *)data + row->offset, &thing, sizeof thing);
}

/* Frees a row's thing if the draft owns it. */
static void drop_thing(struct draft *draft, size_t i)
{
    if (draft->made & 1u << i)
        rows[i]->release(thing_of(rows[i], &draft->data));
    draft->made &= ~(1u << i);
    set_thing(rows[i], &draft->data, NULL);
}

/* Drops what depends on the changed sources, directly or indirectly. */
static void draft_forget(struct draft *draft, unsigned changed)
{
    for (size_t i = FIRST; i < REQUEST_COUNT; i++)
        if (rows[i]->sources & changed) {
            drop_thing(draft, i);
            changed |= rows[i]->source;
        }
}

/* Also frees a text that was prepared but never taken. */
void draft_drop(struct draft *draft)
{
    for (size_t i = FIRST; i < REQUEST_COUNT; i++)
        if (draft->made & 1u << i)
            drop_thing(draft, i);
    encoded_free(draft->encoded);
    draft->encoded = NULL;
}

/* Prepares a row, or makes it: then the draft owns the thing, if it isn't the one of before. */
static enum status draft_run(struct draft *draft, size_t i,
                             enum status (*step)(struct draft *draft, struct error *error),
                             struct error *error)
{
    const struct derived *row = rows[i];
    void *before = thing_of(row, &draft->data);
    enum status status = step ? step(draft, error) : STATUS_OK;
    void *thing = thing_of(row, &draft->data);
    if (thing == before)
        return status;
    if (draft->made & 1u << i)
        row->release(before);
    draft->made &= ~(1u << i);
    if (thing && row->release)
        draft->made |= 1u << i;
    draft_forget(draft, row->source);
    return status;
}

/* For what is made at once, on the UI thread. */
static enum status prepare_and_make(struct draft *draft, size_t i, struct error *error)
{
    enum status status = draft_run(draft, i, rows[i]->prepare, error);
    return status == STATUS_OK ? draft_run(draft, i, rows[i]->make, error) : status;
}

/* ---- For a request ---- */

/* Copies pointers only: until something is made, everything still belongs to the session. */
void draft_begin(struct draft *draft, const struct session *session)
{
    const bool last = session->tokens_due == 0; /* nobody waits for what is shown before that */
    *draft = (struct draft){.look = session->state.look,
                            .data = session->data,
                            .interactive = session->interactive || !last,
                            .logits = session->logits && last,
                            .checkpoint = session->checkpoint,
                            .search = derived_search(session),
                            .session = session,
                            .changes = session->state.source.changes};
}

/* While the request runs, the user may change the look, and with it things that a worker would then
 * read: so the draft keeps none but the text, the traces and the row's own. */
enum status draft_ask(struct draft *draft, const struct session *session, enum request_kind kind,
                      struct error *error)
{
    draft_begin(draft, session);
    draft->for_request = true;
    if (draft_run(draft, kind, rows[kind]->prepare, error) != STATUS_OK)
        return error->status;
    for (size_t i = FIRST; i < REQUEST_COUNT; i++)
        if (rows[i]->sources & (SOURCE_TRACE | SOURCE_MAP | SOURCE_ATTENTION) && i != kind)
            drop_thing(draft, i);
    return STATUS_OK;
}

/* The worker has the new trace at hand: slow things that the look needs anyway are made with it, so
 * that the picture appears complete. */
enum status draft_make(struct draft *draft, enum request_kind kind, const struct watch *watch,
                       struct error *error)
{
    draft->watch = watch;
    enum status status = draft_run(draft, kind, rows[kind]->make, error);
    draft->watch = NULL;
    for (size_t i = FIRST; i < REQUEST_COUNT && kind == REQUEST_PASS && draft->interactive; i++)
        if (status == STATUS_OK && rows[i]->comes_with_pass &&
            rows[i]->wants(&draft->look, &draft->data))
            status = prepare_and_make(draft, i, error);
    return status;
}

/* What the request made replaces what the other draft has, and whatever was derived from that. */
enum status draft_move(struct draft *from, struct draft *to, struct error *error)
{
    for (size_t i = FIRST; i < REQUEST_COUNT; i++) {
        void *made = thing_of(rows[i], &from->data);
        if (!(from->made & 1u << i))
            continue;
        if (rows[i]->join && rows[i]->join(to, &made, error) != STATUS_OK)
            return error->status;
        from->made &= ~(1u << i);
        if (!made)
            continue;
        drop_thing(to, i);
        set_thing(rows[i], &to->data, made);
        to->made |= 1u << i;
        draft_forget(to, rows[i]->source);
    }
    return STATUS_OK;
}

/* ---- All of it ---- */

struct encoded *derived_site(struct encoded *encoded, const struct look *look)
{
    struct encoded *site = encoded_of_site(encoded, look->site);
    return site ? site : encoded;
}

/* What the model can't do is found out once: whether it says words, and whether they are the next
 * ones. */
void derived_set_stack(struct data *data, const struct checkpoint *checkpoint, enum site site)
{
    struct error error;
    const struct checkpoint *stack = data->checkpoint = checkpoint_stack(checkpoint, site);
    const struct model *speaker = checkpoint_stack(checkpoint, SITE_DECODER)->model;
    data->stacks = checkpoint_stacks(checkpoint);
    const bool silent = checkpoint->decoder && site == SITE_ENCODER;
    data->no_lens[0] = data->no_answers[0] = '\0';
    if (silent)
        format_cut(data->no_lens, sizeof data->no_lens, "%s",
                   "the encoder says no words, the decoder does: A, or --site decoder");
    else if (forward_words_check(stack->model, &error) != STATUS_OK)
        format_cut(data->no_lens, sizeof data->no_lens, "%s", error.message);
    data->note = stack->model->note;
    data->says = target_output(speaker);
    if (data->says == OUTPUT_COUNT)
        memcpy(data->no_answers, data->no_lens, sizeof data->no_answers);
    data->next = !silent && stack->model->weights.has[OUTPUT_LM];
}

/* Copies what views need to know of the text and its trace. A reason not to compare, and a request
 * that was stopped, belonged to the old text. */
void draft_set_pass(struct draft *draft, struct encoded *encoded, bool computed)
{
    struct data *data = &draft->data;
    struct encoded *shown = data->encoded;
    const struct trace *trace = encoded->trace;
    const bool same = shown && encoded_is_same(shown, encoded),
               other = !data->trace || (shown && shown->site != encoded->site);
    struct error undefined; /* where one text looks at another */
    draft_forget(draft, SOURCE_TRACE | (same && shown->site == encoded->site ? 0 : SOURCE_TEXT) |
                            (same ? 0 : SOURCE_TOKENS));
    if (draft->checkpoint && shown && shown->site != encoded->site)
        derived_set_stack(data, draft->checkpoint, encoded->site);
    data->encoded = encoded;
    data->trace = computed ? trace : NULL;
    data->layers = trace->layers;
    if (data->head_count != trace->heads) { /* another site of an encoder–decoder may have others */
        const struct look first = look_first(trace->heads);
        draft->look.head = draft->look.head < trace->heads ? draft->look.head : 0;
        draft->look.heads = first.heads;
        draft->look.others = first.others;
    }
    data->head_count = trace->heads;
    draft->look.layer = size_min(draft->look.layer, trace->layers - 1);
    if (other && computed) {
        const struct map_source source = comparison_source(data);
        if (draft->look.map != MAP_DIFFERENCE && /* which may become one later */
            map_check(&source, draft->look.map, &undefined) != STATUS_OK)
            draft->look.map = MAP_WEIGHTS;
        if (model_view_check(data, draft->look.metric, &undefined) != STATUS_OK)
            draft->look.metric = METRIC_NONE;
    }
    draft->look.site = encoded->site == SITE_ONLY ? draft->look.site : encoded->site;
    data->tokens = encoded->sides[SIDE_LEFT].count;
    data->divisor = dimensions_divisor(trace);
    data->stopped = false;
    data->uncompared[0] = '\0';
    draft->is_new = true;
}

/* What the network's changes are compared with: the pass shown stays as the one without. */
void draft_keep_unchanged(struct draft *draft, struct encoded *encoded,
                          const struct interventions *changes)
{
    struct data *data = &draft->data;
    struct encoded *before = data->unchanged;
    if (!interventions_any(changes))
        data->unchanged = NULL; /* it is shown now */
    else if (data->trace && !interventions_any(&data->trace->computed.changes) &&
             encoded_is_same(data->encoded, encoded))
        data->unchanged = data->encoded;
    if (data->unchanged != before)
        draft_forget(draft, SOURCE_BEFORE);
}

/* In the order of the table, in which sources come first. Passes are left to a request; other
 * things only if they would block the keyboard: scripts and files wait for everything. On failure
 * the draft is dropped. */
static enum status make_what_is_wanted(struct draft *draft, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = FIRST; i < REQUEST_COUNT && status == STATUS_OK; i++)
        if (rows[i]->make && !rows[i]->passes &&
            (!rows[i]->wants || rows[i]->wants(&draft->look, &draft->data)) &&
            !(draft->interactive && rows[i]->cost && rows[i]->cost(draft) > 1))
            status = prepare_and_make(draft, i, error);
    if (status != STATUS_OK)
        draft_drop(draft);
    return status;
}

/* ---- The cursor ---- */

/* Keeps the selection: with other tokens, by index; with the same tokens shown differently, by
 * what a token showed before. */
static void keep_chosen(struct draft *draft, const struct attention *before)
{
    const struct attention *now = draft->data.attention;
    size_t *chosen[] = {&draft->look.from, &draft->look.to};
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        size_t *token = chosen[side];
        if (*token == NO_TOKEN)
            continue;
        if (draft->is_new)
            *token = size_min(*token, now->tokens[side].count - 1);
        else if (now != before)
            *token = *token < before->tokens[side].count
                         ? attention_shown(now, side, before->tokens[side].of[*token].first)
                         : NO_TOKEN;
    }
}

/* A query chosen by a view becomes the user's once they move it; until then it is dropped when
 * they leave the view. */
static void forget_query(struct look *look)
{
    bool moved = look->to != NO_TOKEN;
    if (look->query_found && (moved || view_at(look->view)->query == QUERY_NONE)) {
        look->query_found = false;
        if (!moved)
            look->from = NO_TOKEN;
    }
}

/* Drops selected tokens that the filter hides, and chooses a query if the view has one. */
static void draft_settle(struct draft *draft)
{
    struct scene scene = view_scene(&draft->look, &draft->data);
    struct look *settled = &scene.look;
    if (!scene_filter_fits(&scene, settled->filter))
        settled->filter = FILTER_ALL;
    scene_keep_in_range(&scene, SIDE_LEFT);
    scene_keep_in_range(&scene, SIDE_RIGHT);
    if ((settled->from == NO_TOKEN) !=
        (settled->to == NO_TOKEN)) /* the other one may be hidden now */
        settled->side = settled->from != NO_TOKEN ? SIDE_LEFT : SIDE_RIGHT;
    if (view_at(settled->view)->query != QUERY_NONE && draft->data.trace &&
        (settled->from == NO_TOKEN || settled->query_found)) {
        /* if an attended token is chosen, the one that attends to it most. What a view has chosen
         * follows from what is shown now, so it is the same however one got there */
        const struct view *view = view_at(settled->view);
        const struct word_effects *effects =
            scene.data.encoded->site == SITE_ENCODER ? scene.data.word_effects : NULL;
        const size_t asked = effects           ? word_effects_largest(effects)
                             : scene.data.next ? words_asked(settled, &scene.data)
                                               : words_masked(&scene.data);
        settled->query_found = settled->to == NO_TOKEN;
        settled->side = settled->query_found ? SIDE_LEFT : SIDE_RIGHT;
        settled->from = NO_TOKEN;
        settled->from = !settled->query_found || view->query == QUERY_LINE ? scene_query(&scene)
                        : asked != NO_TOKEN                                ? asked
                                            : scene_first_word(&scene, SIDE_LEFT);
    }
    settled->ranked &= scene_is_pinned(&scene) && derive_map_ranks(settled);
    draft->look = *settled;
}

/* ---- Deriving ---- */

static bool is_of_ring(const struct encoded *ring, const struct encoded *one)
{
    return ring && encoded_of_site(ring, one->site) == one;
}

/* With the same text, a query that the view chose is dropped first, so that nothing is made for it;
 * with a new one, the cursor has to find its place before. */
enum status draft_take(struct draft *draft, struct session *session, struct error *error)
{
    if (!draft->is_new)
        forget_query(&draft->look);
    if (make_what_is_wanted(draft, error) != STATUS_OK)
        return error->status;
    keep_chosen(draft, session->data.attention);
    if (draft->is_new)
        forget_query(&draft->look);
    draft_settle(draft);
    /* such as effects on another prediction than the one chosen now */
    for (size_t i = FIRST; i < REQUEST_COUNT; i++)
        if (rows[i]->serves && thing_of(rows[i], &draft->data) &&
            !rows[i]->serves(&draft->look, &draft->data))
            drop_thing(draft, i);
    /* on the largest effect, and on the head in which the compared word differs most, where that
     * was asked for; whoever leaves the view no longer waits for it */
    struct look *look = &draft->look;
    const struct effects *effects = draft->data.effects;
    size_t head = effects ? effects->layers * effects->heads : 0;
    if (look->ranked && look->effect_sought > 0 && draft->data.trace) {
        const struct scene scene = view_scene(look, &draft->data);
        size_t first = 0;
        while (model_view_place(&scene, first / scene.data.head_count,
                                first % scene.data.head_count) > 0)
            first++;
        look->layer = first / scene.data.head_count;
        look->head = first % scene.data.head_count;
        look->effect_sought = 0;
    }
    for (; look->effect_sought > 0 && effects; look->effect_sought--) {
        head = effects_next(effects, head, true);
        look->layer = head / effects->heads;
        look->head = head % effects->heads;
    }
    if (look->difference_sought && draft->data.trace) {
        const struct scene scene = view_scene(look, &draft->data);
        look->difference_sought =
            scene.view->compares && !comparison_most_different(&scene, &look->layer, &look->head);
        look_show_alone(look, look->head);
    }
    if (make_what_is_wanted(draft, error) != STATUS_OK) /* of the layer that was sought */
        return error->status;
    /* frees what is replaced, then copies the draft: nothing here can fail */
    struct data *data = &session->data;
    for (size_t i = FIRST; i < REQUEST_COUNT; i++) {
        void *before = thing_of(rows[i], data);
        struct encoded *encoded = draft->data.encoded;
        if (!rows[i]->release || before == thing_of(rows[i], &draft->data) ||
            (i == REQUEST_TEXT && before &&
             (is_of_ring(encoded, before) || is_of_ring(draft->data.unchanged, before))))
            continue; /* another site of the same texts, or they stay as the ones unchanged */
        rows[i]->release(before);
        set_thing(rows[i], data, NULL);
    }
    if (draft->is_new)
        draft->data.changes = draft->data.trace ? encoded_changes(draft->data.encoded) : NULL;
    *data = draft->data;
    session->state.look = draft->look;
    draft->made = 0;
    return STATUS_OK;
}

enum status derive_look(struct session *session, const struct look *look, struct error *error)
{
    struct draft draft;
    draft_begin(&draft, session);
    draft.look = *look;
    struct encoded *shown = draft.data.encoded, *other = derived_site(shown, look);
    if (other != shown)
        draft_set_pass(&draft, other, draft.data.trace != NULL);
    return draft_take(&draft, session, error);
}

/* On failure the message says so, and nothing is drawn anew. */
bool derive_show(struct session *session, const struct look *look)
{
    const struct attention *before = session->data.attention;
    const struct look *old = &session->state.look;
    struct encoded *encoded = session->data.encoded;
    const size_t from = old->from;
    struct look next = *look;
    struct error error;
    next.head_found &= look->site == old->site && look->layer == old->layer &&
                       look->head == old->head && look->heads == old->heads;
    const bool asked =
        encoded && (encoded->site == SITE_ENCODER || derived_site(encoded, look) != encoded);
    if (look->from != from && !asked)
        next.answer = NO_TOKEN; /* the answer belongs to the other token */
    if (!encoded) {
        session->state.look = next;
    } else if (derive_look(session, &next, &error) != STATUS_OK) {
        session_refuse(session, &error);
        return false;
    }
    session->data.stopped &= session->state.look.from == from;
    if (session->data.attention != before)
        session->hover = (struct hit){.place = {HIT_NOTHING}};
    session_shown(session);
    return true;
}

void derive_end(struct data *data)
{
    for (size_t i = FIRST; i < REQUEST_COUNT; i++) {
        if (rows[i]->release)
            rows[i]->release(thing_of(rows[i], data));
        set_thing(rows[i], data, NULL);
    }
    *data = (struct data){0};
}
