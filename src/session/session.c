/* session.c: the session from beginning to end: texts, messages, and the look that is shown.
 * A new text or trace comes by session_take; a new look, and data, by derive.c. */
#include "headlight/session/session.h"

#include "headlight/session/derive.h"
#include "headlight/session/history.h"
#include "headlight/session/panel.h"
#include "headlight/survey/gather.h"
#include "headlight/view/answers.h"

#include <stdlib.h>

/* ---- Texts ---- */

/* Both are checked before either is copied. */
bool texts_set(struct texts *texts, const struct text *given, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (given[i].length > TEXT_LIMIT)
            return false;
    texts->count = count;
    texts->second = given[0].length + 1;
    for (size_t i = 0; i < count; i++) {
        char *to = texts->bytes + (i > 0 ? texts->second : 0);
        memcpy(to, given[i].bytes, given[i].length);
        to[given[i].length] = '\0';
    }
    return true;
}

const char *texts_at(const struct texts *texts, size_t index)
{
    if (index >= texts->count)
        return NULL;
    return texts->bytes + (index == 0 ? 0 : texts->second);
}

bool texts_equal(const struct texts *a, const struct texts *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (strcmp(texts_at(a, i), texts_at(b, i)) != 0)
            return false;
    return a->count == b->count;
}

bool source_equal(const struct source *a, const struct source *b)
{
    return texts_equal(&a->texts, &b->texts) && a->special == b->special &&
           a->spaced == b->spaced && masked_equal(&a->masked, &b->masked) &&
           generated_equal(&a->generated, &b->generated) &&
           interventions_first_difference(&a->changes, &b->changes, 0, INTERVENE_LAYERS_MAX) ==
               INTERVENE_LAYERS_MAX;
}

/* ---- Beginning and end ---- */

/* All that isn't set here is zero, which every member allows for. */
static void begin_empty(struct session *session, const char *model, size_t layers, size_t heads)
{
    memset(session, 0, sizeof *session);
    session->state.look = look_first(heads);
    session->data = (struct data){.model = model, .layers = layers, .head_count = heads};
}

/* Of an encoder–decoder the decoder's attention to the source comes first. */
void session_begin(struct session *session, const struct checkpoint *checkpoint, bool special,
                   const struct interventions *changes)
{
    const struct config *config = &checkpoint->model->config;
    begin_empty(session, checkpoint->name, config->layers, config->heads);
    session->checkpoint = checkpoint;
    session->state.look.site = checkpoint->decoder ? SITE_CROSS : session->state.look.site;
    session->data.family = config->family->name;
    session->data.bits = kernels_now()->bits;
    derived_set_stack(&session->data, checkpoint, session->state.look.site);
    session->state.source.special = special;
    session->state.source.changes = *changes;
    session->logits = true;
    session->data.corpus_texts = GATHER_EXAMPLE;
}

/* It has its trace, and is shown at once. */
enum status session_begin_recording(struct session *session, const struct recording *recording,
                                    struct error *error)
{
    const struct trace *trace = recording->encoded->trace;
    begin_empty(session, recording->model, trace->layers, trace->heads);
    session->recording = recording;
    session->data.family = recording->family;
    session->data.bits = recording->bits;
    format_cut(session->data.no_lens, sizeof session->data.no_lens,
               "words need the model: a recording comes without it");
    memcpy(session->data.no_answers, session->data.no_lens, sizeof session->data.no_answers);
    session->data.says = OUTPUT_COUNT;
    return session_take(session, recording->encoded, true, error);
}

/* The picture may have been drawn from bytes that somebody has overwritten. */
enum status session_check(const struct session *session, struct error *error)
{
    const struct recording *shown[] = {session->recording, session->data.against_recording};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 2 && status == STATUS_OK; i++)
        status = shown[i] ? mapping_check(&shown[i]->file->mapping, STATUS_OK, error) : STATUS_OK;
    return status;
}

void session_end(struct session *session)
{
    free((char *)session->opened.words);
    edit_forget(session);
    for (size_t i = 0; i < 2; i++) {
        editor_free(session->overlay.lines[i]);
        editor_free(session->below[0].lines[i]);
        editor_free(session->below[1].lines[i]);
    }
    hub_list_free(&session->models);
    free(session->history);
    free(session->longer);
    derive_end(&session->data);
    memset(session, 0, sizeof *session);
}

/* ---- What is said ---- */

unsigned session_say(struct session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    format_cut_list(session->message, sizeof session->message, format, arguments);
    va_end(arguments);
    return SESSION_REDRAW;
}

unsigned session_refuse(struct session *session, const struct error *error)
{
    session->refusal = *error;
    return session_say(session, "%s", error->message);
}

unsigned session_out_of_memory(struct session *session, const char *what, size_t bytes)
{
    struct error error;
    error_memory(&error, what, bytes);
    return session_refuse(session, &error);
}

enum status session_result(const struct session *session, struct error *error)
{
    if (session->refusal.status != STATUS_OK)
        *error = session->refusal;
    return session->refusal.status;
}

/* ---- What is shown ---- */

/* The teacher compares what is shown with the step. It isn't called before there is a trace, as a
 * step's numbers are of one. */
void session_shown(struct session *session)
{
    const struct teacher *teacher = session->teacher;
    if (!teacher || session->teacher_at_work || !session->data.trace)
        return;
    session->teacher_at_work = true;
    teacher->shown(teacher->context);
    session->teacher_at_work = false;
}

/* One head with a clear pattern makes a better first picture than all of them at once. Without a
 * trace it is put off. */
void session_show_opening_head(struct session *session)
{
    struct look look = session->state.look;
    session->first_head_due = !session->data.trace || session->tokens_due > 0;
    if (session->first_head_due)
        return;
    const bool alone =
        opening_head(session->data.trace, session->data.encoded->sides, &look.layer, &look.head) &&
        view_at(look.view)->heads != HEADS_ALL;
    if (alone)
        look_show_alone(&look, look.head);
    if (view_at(look.view)->speaks) { /* show the model's own answer first */
        look.layer_kept = look.layer;
        look.layer = session->data.layers - 1;
    }
    look.difference_sought = view_at(look.view)->compares;
    struct error error;
    session->first_head_named = derive_look(session, &look, &error) == STATUS_OK && alone;
    session->state.look.head_found = true;
}

/* Called after each pass; only the first may still have a head to choose. */
void session_begin_picture(struct session *session)
{
    session->hover = (struct hit){.place = {HIT_NOTHING}}; /* it refers to the previous picture */
    if (session->first_head_due)
        session_show_opening_head(session);
}

/* The look stays as far as it fits the new text; see derive.c. */
enum status session_take(struct session *session, struct encoded *encoded, bool computed,
                         struct error *error)
{
    const bool own = encoded == session->data.encoded;
    struct draft draft;
    draft_begin(&draft, session);
    draft_set_pass(&draft, encoded, computed);
    if (draft_take(&draft, session, error) != STATUS_OK) {
        if (!own)
            encoded_free(encoded);
        return error->status;
    }
    session_begin_picture(session);
    return STATUS_OK;
}

bool session_note_reading(const struct session *session, const struct encoding *encoding,
                          char *text, size_t size)
{
    const struct tokenizer *tokenizer = session->checkpoint->tokenizer;
    const int32_t unknown = tokenizer_unknown(tokenizer);
    size_t known = 0, lacking = 0;
    for (size_t i = 0; i < encoding->count; i++) {
        lacking += encoding->tokens[i].id == unknown;
        known += encoding->tokens[i].id != unknown && !encoding->tokens[i].added;
    }
    *text = '\0';
    if (lacking > known)
        format_cut(text, size, "most of this text is unknown to the model, which reads %s there",
                   tokenizer_piece(tokenizer, unknown));
    else if (known == 0 && session->checkpoint->decoder)
        format_cut(text, size, "the source is empty: the model makes a target of nothing");
    return *text;
}

bool session_note(const struct session *session, char *text, size_t size)
{
    const struct encoded *encoded = session->data.encoded;
    const struct sentence_pair *sentences = session->data.sentences;
    const struct checkpoint *one = session->checkpoint;
    const struct sentence_model *sentence =
        one && !one->decoder ? one->model->config.sentence : NULL;
    const bool pair = encoded->text_count > 1;
    const size_t cut = !pair                        ? encoded->cut
                       : !sentences                 ? 0
                       : sentences->encoded[0]->cut ? sentences->encoded[0]->cut
                                                    : sentences->encoded[1]->cut;
    const char *note = encoded->note ? encoded->note : session->data.note;
    const struct encoding *read = encoded_source(encoded)->encoding;
    if ((note && *note) || !session->checkpoint || !session_note_reading(session, read, text, size))
        format_cut(text, size, "%s", note ? note : "");
    if (encoded->encoding && encoding_begins_twice(encoded->encoding))
        format_add(text, size,
                   "%sthe text begins with %s, which the tokenizer puts in front as well",
                   *text ? "; " : "", encoded->labels[0]);
    /* a bare encoder, which nothing says how to make a vector with: of one that is shown or written
     */
    if (sentence && !sentence->given &&
        (session->logits || sentences ||
         (session->state.look.view == VIEW_ANSWERS &&
          answers_shown(&session->state.look, &session->data) == ANSWERS_SENTENCE)))
        format_add(text, size, "%sno pooling given: the mean of the tokens is assumed",
                   *text ? "; " : "");
    const struct encoded *target = encoded_speaker(encoded);
    if (one && one->decoder && derived_target_is_open(session))
        format_add(text, size, "%sthe target hasn't ended after %zu tokens%s", *text ? "; " : "",
                   target->generated.count,
                   target->generated.count < GENERATED_MAX &&
                           target->trace->tokens < one->decoder->model->config.longest
                       ? ": --generate N allows more"
                       : "");
    if (pair && encoded->cut > 0)
        format_add(text, size,
                   "%sthe pair is cut to %zu tokens, all that the model has positions for",
                   *text ? "; " : "", encoded->cut);
    if (cut > 0)
        format_add(text, size, "%scut to %zu tokens, as this model's max_seq_length says",
                   *text ? "; " : "", cut);
    return *text;
}

/* The state keeps the texts as they were encoded. */
enum status session_open(struct session *session, const struct text *texts, size_t count,
                         const struct encoding *encoding, struct error *error)
{
    struct encoded *encoded;
    struct reading how = {session->state.source.special, session->logits,
                          &session->state.source.masked, encoding,
                          session->state.source.spaced,  &session->state.source.generated};
    if (encoded_new(session->checkpoint, texts, count, how, &encoded, error) != STATUS_OK)
        return error->status;
    encoded = derived_site(encoded, &session->state.look);
    const struct text *read = encoded_given_texts(encoded)->texts;
    if (!texts_set(&session->state.source.texts, read, count > 1 ? 2 : 1)) {
        encoded_free(encoded);
        return error_set(error, STATUS_LIMIT, "the text is longer than %d kB: shorten it",
                         TEXT_LIMIT / 1024);
    }
    return session_take(session, encoded, false, error);
}

/* The changes are those that are wanted, which the trace may not have yet: menus and signs show
 * them at once. */
struct scene session_scene(const struct session *session)
{
    struct scene scene = view_scene(&session->state.look, &session->data);
    scene.data.network = session->checkpoint ? &session->state.source.changes : NULL;
    return scene;
}

/* Drawing differs from acting: keys must not be obeyed for the token that the mouse happens to be
 * over. */
struct scene session_picture(const struct session *session)
{
    struct scene scene = session_scene(session);
    struct look *look = &scene.look;
    if (scene_is_single(&scene) && !scene.data.mean) { /* as one head, without metrics */
        scene.data.head_count = 1;
        look->head = 0;
        look->heads = 1;
        look->metric = METRIC_NONE;
        look->sorted = false;
    }
    bool free = look->from == NO_TOKEN && look->to == NO_TOKEN && scene.data.trace;
    if (scene_is_mean_of_lines(&scene) && look->tone == TONE_WEIGHT)
        look->tone = TONE_ROOT;
    if (free && view_at(look->view)->query == QUERY_NONE && !session->for_file) {
        const struct hit *hover = &session->hover; /* which is of this picture */
        for (int i = 0; i < HIT_PARTS; i++)
            if (hover->place[i] == HIT(from) || hover->place[i] == HIT(to))
                *scene_chosen(&scene, hover->place[i] == HIT(to)) = hover->value[i];
        if (hover->place[0])
            look->side = hover->place[0] == HIT(to) ? SIDE_RIGHT : SIDE_LEFT;
    }
    return scene;
}
