/* generate.c: adds to the text what the model says comes next. The tokens are part of the state, by
 * their ids, whatever they were chosen by: another network later reads the same text. */

#include "headlight/session/derive.h"
#include "headlight/session/find.h"

#include <stdlib.h>

/* Of an encoder–decoder what is generated is the decoder's. */
static const struct checkpoint *speaker(const struct session *session)
{
    return checkpoint_stack(session->checkpoint, SITE_DECODER);
}

enum status generate_check(const struct session *session, size_t count, struct error *error)
{
    const struct generated *generated = &session->state.source.generated;
    const int32_t last = generated->count > 0 ? generated->ids[generated->count - 1] : -1;
    if (count == 0)
        return STATUS_OK;
    if (!session->data.next && !(session->checkpoint && session->checkpoint->decoder))
        return error_usage(error,
                           "only a model that says which word comes next, such as GPT-2, goes on");
    const struct config *config = &speaker(session)->model->config;
    const size_t tokens = encoded_speaker(session->data.encoded)->trace->tokens;
    const size_t most = size_min(config->longest - tokens, GENERATED_MAX - generated->count);
    if (config->rules.unfollowed.status != STATUS_OK)
        return error_set(error, config->rules.unfollowed.status, "%s",
                         config->rules.unfollowed.message);
    if (config_ends_at(config, last))
        return error_set(error, STATUS_LIMIT, "%s ends the text: nothing comes after it",
                         tokenizer_piece(speaker(session)->tokenizer, last));
    if (most == 0)
        return error_set(error, STATUS_LIMIT, "the model has no more positions than these %zu",
                         tokens);
    return count <= most
               ? STATUS_OK
               : error_set(error, STATUS_LIMIT,
                           "the text has %zu tokens and the model %zu positions: expected at most "
                           "%zu more, found %zu",
                           tokens, config->longest, most, count);
}

unsigned generate_go(struct session *session)
{
    struct generated *generated = &session->state.source.generated;
    struct error error;
    size_t count = session->interactive ? 1 : session->tokens_due;
    free(session->longer);
    session->longer = NULL;
    if (session->tokens_due == 0 || !derived_is_current(session))
        return SESSION_REDRAW;
    if (session->found.count > 0) {
        *generated = session->found;
        session->found.count = session->tokens_due = 0;
        return SESSION_REDRAW | SESSION_PASS;
    }
    if (generate_check(session, count, &error) == STATUS_OK &&
        generate_text(speaker(session)->model, encoded_speaker(session->data.encoded)->trace,
                      &session->sampling, count, generated->ids + generated->count, &count,
                      &session->longer, &error) == STATUS_OK) {
        generated->count += count;
        session->tokens_due -= count;
        if (config_ends_at(&speaker(session)->model->config, generated->ids[generated->count - 1]))
            session->tokens_due = 0;
        return SESSION_REDRAW | SESSION_PASS;
    }
    session->tokens_due = 0;
    session_begin_picture(session); /* which waited for the last token */
    return error.status == STATUS_LIMIT ? session_say(session, "%s", error.message)
                                        : session_refuse(session, &error);
}

enum status generate_apply(struct session *session, const char *list, struct error *error)
{
    const struct encoded *encoded = encoded_given_texts(session->data.encoded);
    struct generated *generated = &session->state.source.generated;
    struct find_item item;
    enum status status = generate_check(session, 1, error);
    for (size_t id; status == STATUS_OK && find_next_item(&list, &item);)
        if (generated->count < GENERATED_MAX && value_number(item.text, INT32_MAX, &id))
            generated->ids[generated->count++] = (int32_t)id;
        else
            status = value_bad("generated", "ids of tokens, with commas between them, at most 1024",
                               item.text, error);
    if (status == STATUS_OK)
        status = session_open(session, encoded->texts, encoded->text_count, NULL, error);
    if (status != STATUS_OK)
        generated->count = 0;
    return status;
}
