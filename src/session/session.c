#include "headlight/session/session.h"

#include "headlight/base/format.h"
#include "headlight/base/watch.h"
#include "headlight/model/forward.h"
#include "headlight/session/edit.h"
#include "headlight/session/session_parts.h"
#include "headlight/view/thumbnails.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Beginning and end ---- */

static struct scene new_scene(const char *model, size_t layers, size_t heads)
{
    return (struct scene){
        .model = model,
        .layers = layers,
        .head_count = heads,
        .heads = attention_all_heads(heads),
        .from = NO_TOKEN,
        .to = NO_TOKEN,
        .dimension = NO_TOKEN,
    };
}

void session_begin(struct session *session, const struct checkpoint *checkpoint, bool special,
                   const struct interventions *changes)
{
    const struct config *config = model_config(checkpoint->model);
    *session =
        (struct session){.checkpoint = checkpoint,
                         .special = special,
                         .logits = true,
                         .changes = *changes,
                         .theme = theme_at(0),
                         .scene = new_scene(checkpoint->name, config->layers, config->heads)};
    session_describe_changes(session);
}

/* As describe_changes writes it. */
static bool says_unscaled(const char *changes)
{
    return changes && strncmp(changes, "changed:", 8) == 0 && strstr(changes, " unscaled");
}

enum status session_begin_recording(struct session *session, const struct recording *recording,
                                    struct error *error)
{
    struct encoded *encoded;
    const struct trace *trace = recording->trace;
    *session = (struct session){.theme = theme_at(0),
                                .scene = new_scene(recording->model, trace->layers, trace->heads)};
    session->changed = recording->changes;
    session->scene.unscaled = says_unscaled(recording->changes);
    if (encoded_of_recording(recording, &encoded, error) != STATUS_OK)
        return error->status;
    return session_take(session, encoded, true, error);
}

void session_end(struct session *session)
{
    edit_end(session);
    pair_free(&session->wanted);
    history_free(&session->history);
    free(session->metrics);
    thumbnails_free(session->thumbnails);
    attention_free(session->mean);
    attention_free(session->attention);
    encoded_free(session->encoded);
    *session = (struct session){0};
}

/* ---- What is said ---- */

void session_say(struct session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    format_cut_list(session->message, sizeof session->message, format, arguments);
    va_end(arguments);
}

void session_refuse(struct session *session, const struct error *error)
{
    session_say(session, "%s", error->message);
    session->refused = *error;
}

void session_lacks_memory(struct session *session, const char *what, size_t bytes)
{
    struct error error;
    error_memory(&error, what, bytes);
    session_refuse(session, &error);
}

enum status session_result(const struct session *session, struct error *error)
{
    if (session->refused.status != STATUS_OK)
        *error = session->refused;
    return session->refused.status;
}

/* ---- Passages ---- */

static struct reading reading(const struct session *session)
{
    return (struct reading){session->special, session->logits};
}

enum status session_open(struct session *session, const struct text *texts, size_t count,
                         struct error *error)
{
    struct encoded *encoded;
    if (encoded_new(session->checkpoint, texts, count, reading(session), &encoded, error) !=
        STATUS_OK)
        return error->status;
    return session_take(session, encoded, false, error);
}

enum status session_compute(struct session *session, const struct watch *watch, struct error *error)
{
    double start = clock_milliseconds();
    if (forward_run(session->checkpoint->model, &session->changes, session->precision, watch,
                    session->encoded->trace, error) != STATUS_OK)
        return error->status;
    session->encoded->milliseconds = clock_milliseconds() - start;
    return session_take(session, session->encoded, true, error);
}

struct scene session_scene(const struct session *session)
{
    struct scene scene = session->scene;
    struct hit hover = session->hover;
    scene.off = session->checkpoint ? session->changes.off : NULL;
    bool free = scene.from == NO_TOKEN && scene.to == NO_TOKEN && scene.trace;
    if (scene.mean && scene.view == VIEW_HEAD && scene.tone == TONE_WEIGHT)
        scene.tone = TONE_ROOT;
    if (!free || scene.view == VIEW_NEURON)
        return scene;
    size_t columns = scene_count(&scene, SIDE_RIGHT);
    if (hover.kind == HIT_PAIR && scene.view == VIEW_MATRIX &&
        hover.value / columns < scene_count(&scene, SIDE_LEFT)) {
        scene.from = hover.value / columns;
        scene.to = hover.value % columns;
    } else if (hover.kind == HIT_FROM && hover.value < scene_count(&scene, SIDE_LEFT)) {
        scene.side = SIDE_LEFT;
        scene.from = hover.value;
    } else if (hover.kind == HIT_TO && hover.value < columns) {
        scene.side = SIDE_RIGHT;
        scene.to = hover.value;
    }
    return scene;
}

/* ---- Texts ---- */

bool session_pair(const struct session *session, struct pair *pair)
{
    const struct encoded *encoded = session->encoded;
    return pair_copy(pair, encoded->text_count > 0 ? encoded->texts[0].bytes : "",
                     encoded->text_count > 1 ? encoded->texts[1].bytes : NULL);
}

enum status session_wanted(const struct session *session, struct encoded **encoded,
                           struct error *error)
{
    struct text texts[2];
    size_t count = 0;
    for (; count < 2 && session->wanted.texts[count]; count++)
        texts[count] =
            (struct text){session->wanted.texts[count], strlen(session->wanted.texts[count])};
    if (encoded_new(session->checkpoint, texts, count, reading(session), encoded, error) !=
        STATUS_OK)
        return error->status;
    if (session->encoded)
        forward_adopt(session->encoded->trace, &session->changes, (*encoded)->trace);
    return STATUS_OK;
}
