#include "headlight/app/session.h"

#include "headlight/app/act.h"
#include "headlight/app/clock.h"
#include "headlight/text/unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Beginning and end ---- */

static void describe_changes(struct session *session)
{
    const struct interventions *changes = &session->changes;
    unsigned off = 0;
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        off += (unsigned)__builtin_popcountll(changes->off[layer]);
    char heads[32] = "";
    if (off > 0)
        snprintf(heads, sizeof heads, " %u head%s off", off, off == 1 ? "" : "s");
    snprintf(session->changes_text, sizeof session->changes_text, "changed:%s%s%s",
             changes->causal ? " causal" : "", changes->unscaled ? " unscaled" : "", heads);
}

static enum status make_trace(struct session *session, struct error *error)
{
    size_t count = session->encoding->count;
    int32_t *ids = malloc((2 * count + 1) * sizeof *ids);
    if (!ids)
        return error_memory(error, "the tokens", 2 * count * sizeof *ids);
    for (size_t i = 0; i < count; i++) {
        ids[i] = session->encoding->tokens[i].id;
        ids[count + i] = session->encoding->tokens[i].segment;
    }
    enum status status = encoder_prepare(session->checkpoint->model, ids, ids + count, count,
                                         &session->trace, error);
    free(ids);
    return status;
}

static enum status make_labels(struct session *session, struct error *error)
{
    size_t count = session->encoding->count;
    session->labels = malloc((count + 1) * sizeof *session->labels);
    if (!session->labels)
        return error_memory(error, "the tokens", count * sizeof *session->labels);
    for (size_t i = 0; i < count; i++)
        session->labels[i] =
            tokenizer_piece(session->checkpoint->tokenizer, session->encoding->tokens[i].id);
    return STATUS_OK;
}

/* The session's own copies, in which what is not UTF-8 is U+FFFD: spans, screens and exports then
 * speak of the same bytes. */
static enum status take_texts(struct session *session, const struct text *texts, size_t count,
                              struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        char *copy = unicode_repair(texts[i].bytes, texts[i].length, &session->texts[i].length);
        if (!copy)
            return error_memory(error, "the text", texts[i].length);
        session->texts[i].bytes = copy;
        session->text_count++;
    }
    return STATUS_OK;
}

/* Tokens of the first sentence. */
static size_t boundary_of(const struct encoding *encoding)
{
    size_t count = 0;
    while (count < encoding->count && encoding->tokens[count].segment == 0)
        count++;
    return count;
}

enum status session_begin(struct session *session, const struct checkpoint *checkpoint,
                          const struct text *texts, size_t count, bool special,
                          const struct interventions *changes, struct error *error)
{
    const struct config *config = model_config(checkpoint->model);
    *session =
        (struct session){.checkpoint = checkpoint, .changes = *changes, .theme = theme_at(0)};
    if (take_texts(session, texts, count, error) != STATUS_OK ||
        tokenizer_encode(checkpoint->tokenizer, session->texts, count, special, &session->encoding,
                         error) != STATUS_OK ||
        make_trace(session, error) != STATUS_OK || make_labels(session, error) != STATUS_OK) {
        session_end(session);
        return error->status;
    }
    describe_changes(session);
    session->scene = (struct scene){
        .labels = session->labels,
        .model = checkpoint->name,
        .unscaled = changes->unscaled,
        .tokens = session->encoding->count,
        .boundary = boundary_of(session->encoding),
        .layers = config->layers,
        .head_count = config->heads,
        .heads = UINT64_MAX >> (64 - config->heads),
        .from = NO_TOKEN,
        .to = NO_TOKEN,
        .dimension = NO_TOKEN,
    };
    return STATUS_OK;
}

void session_end(struct session *session)
{
    for (size_t i = 0; i < session->text_count; i++)
        free((char *)(uintptr_t)session->texts[i].bytes);
    free(session->encoding);
    free(session->labels);
    free(session->trace);
    *session = (struct session){0};
}

enum status session_compute(struct session *session, const struct encoder_watch *watch,
                            struct error *error)
{
    double start = clock_milliseconds();
    enum status status = encoder_forward(session->checkpoint->model, &session->changes,
                                         session->precision, watch, session->trace, error);
    if (status == STATUS_OK)
        session_show(session, clock_milliseconds() - start);
    return status;
}

void session_show(struct session *session, double milliseconds)
{
    session->scene.trace = session->trace;
    session->scene.milliseconds = milliseconds;
    session->scene.changes = interventions_any(&session->changes) ? session->changes_text : NULL;
}

static size_t find_text(const struct session *session, const char *name, struct token_range range)
{
    for (size_t i = range.first; i < range.end; i++)
        if (strcmp(session->labels[i], name) == 0)
            return i;
    for (size_t i = range.first; i < range.end; i++)
        if (strcasecmp(session->labels[i], name) == 0)
            return i;
    return NO_TOKEN;
}

size_t session_find_token(const struct session *session, const char *name, enum side side)
{
    struct token_range all = {0, session->scene.tokens};
    size_t token = find_text(session, name, scene_range(&session->scene, side));
    if (token == NO_TOKEN)
        token = find_text(session, name, all);
    if (token != NO_TOKEN)
        return token;
    char *end;
    unsigned long long index = strtoull(name, &end, 10);
    bool number = name[0] >= '0' && name[0] <= '9' && *end == '\0';
    return number && index < all.end ? (size_t)index : NO_TOKEN;
}
