/* encoded_ring.c: the texts of a model, or of a recording, at each site of its attention: one of a
 * model of one stack; of an encoder–decoder the encoder's, the decoder's and the decoder's
 * attention to the encoder. */
#include "headlight/model/encoded.h"

#include <stdlib.h>

/* ---- Making one ---------------------------------------------------------------------------- */

/* A decoder's rows say each the next token, and the last one the end of a target that has it. What
 * it would be of others isn't known before the pass. */
enum status encoded_new(const struct checkpoint *checkpoint, const struct text *texts, size_t count,
                        struct reading how, struct encoded **out, struct error *error)
{
    const struct checkpoint *decoder = checkpoint->decoder;
    struct encoded *source, *target = NULL, *cross = NULL;
    const struct reading of_target = {.special = how.special,
                                      .logits = how.logits,
                                      .spaced = how.spaced,
                                      .generated = how.generated};
    if (!decoder)
        return encoded_of_stack(checkpoint, texts, count, how, NULL, out, error);
    *out = NULL;
    how.generated = NULL;
    if (encoded_of_stack(checkpoint, texts, 1, how, NULL, &source, error) != STATUS_OK ||
        encoded_of_stack(decoder, texts + 1, count - 1, of_target, source->trace, &target, error) !=
            STATUS_OK)
        goto fail;
    const struct token_side sides[] = {target->sides[SIDE_LEFT], source->sides[SIDE_LEFT]};
    const struct text both[] = {source->texts[0], target->texts[0]};
    if (encoded_of_trace(target->trace->cross, sides, &cross, error) != STATUS_OK ||
        encoded_take_texts(cross, both, count, error) != STATUS_OK)
        goto fail;
    cross->special = source->special;
    cross->spaced = source->spaced;
    cross->masked = source->masked;
    cross->generated = target->generated;
    cross->ended = target->ended;
    const struct config *config = &decoder->model->config;
    const struct generated *made = &target->generated;
    const int32_t end = target->ended ? made->ids[made->count - 1]
                        : count > 1 && made->count == 0 && config->end_count > 0 ? config->ends[0]
                                                                                 : -1;
    const char *last = end < 0 ? "…" : tokenizer_label(decoder->tokenizer, end);
    if (encoded_say_next(target, last, error) != STATUS_OK ||
        encoded_say_next(cross, last, error) != STATUS_OK)
        goto fail;
    source->site = SITE_ENCODER;
    target->site = SITE_DECODER;
    cross->site = SITE_CROSS;
    source->next = target;
    target->next = cross;
    cross->next = source;
    source->note = target->note = cross->note = source->note ? source->note : target->note;
    *out = source;
    return STATUS_OK;
fail:
    encoded_free(cross);
    encoded_free(target);
    encoded_free(source);
    return error->status;
}

static struct reading reading_of(const struct encoded *given, bool logits)
{
    return (struct reading){.special = given->special,
                            .logits = logits,
                            .masked = &given->masked,
                            .spaced = given->spaced,
                            .generated = &given->generated};
}

enum status encoded_again(const struct checkpoint *checkpoint, const struct encoded *encoded,
                          bool logits, struct encoded **again, struct error *error)
{
    const struct encoded *given = encoded_given_texts(encoded);
    const enum status status = encoded_new(checkpoint, given->texts, given->text_count,
                                           reading_of(given, logits), again, error);
    struct encoded *site = status == STATUS_OK ? encoded_of_site(*again, encoded->site) : NULL;
    *again = site ? site : *again;
    return status;
}

/* ---- Computing one -------------------------------------------------------------------------- */

void encoded_adopt(struct encoded *from, const struct interventions *changes, struct encoded *to)
{
    for (enum site site = SITE_ENCODER; site <= SITE_ONLY; site++) {
        const struct encoded *one = encoded_of_site(from, site), *other = encoded_of_site(to, site);
        if (one && other && site != SITE_CROSS) /* which comes with the decoder's */
            forward_adopt(one->trace, changes, other->trace);
    }
}

enum status encoded_run(const struct checkpoint *checkpoint, const struct interventions *changes,
                        const struct watch *watch, struct encoded *encoded, struct error *error)
{
    const struct checkpoint *decoder = checkpoint->decoder;
    const enum status status =
        forward_run(checkpoint->model, changes, watch, encoded_source(encoded)->trace, error);
    return status == STATUS_OK && decoder
               ? forward_run(decoder->model, changes, watch, encoded_speaker(encoded)->trace, error)
               : status;
}

/* ---- Asking one ---------------------------------------------------------------------------- */

struct encoded *encoded_of_site(const struct encoded *encoded, enum site site)
{
    struct encoded *one = encoded->next; /* itself comes last */
    while (one->site != site && one != encoded)
        one = one->next;
    return one->site == site ? one : NULL;
}

const struct encoded *encoded_given_texts(const struct encoded *encoded)
{
    const struct encoded *cross = encoded_of_site(encoded, SITE_CROSS);
    return cross ? cross : encoded;
}

bool encoded_is_of(const struct encoded *encoded, const struct text *texts, size_t count,
                   const struct reading *how)
{
    const struct encoded *given = encoded_given_texts(encoded);
    bool same = given->text_count == count && given->special == how->special &&
                masked_equal(&given->masked, how->masked) &&
                generated_equal(&given->generated, how->generated);
    for (size_t i = 0; same && i < count; i++)
        same = given->texts[i].length == texts[i].length &&
               memcmp(given->texts[i].bytes, texts[i].bytes, texts[i].length) == 0;
    return same;
}

bool encoded_is_same(const struct encoded *a, const struct encoded *b)
{
    const struct encoded *given = encoded_given_texts(a);
    const struct reading how = reading_of(given, false);
    return encoded_is_of(b, given->texts, given->text_count, &how);
}

/* Behind all tokens before them, as a character may begin in one of those. */
char *encoded_spell_generated(const struct encoded *encoded, size_t end,
                              const struct tokenizer *tokenizer, struct error *error)
{
    const struct trace *trace = encoded_speaker(encoded)->trace;
    const bool more = end < trace->tokens;
    char *given = tokenizer_decode(tokenizer, trace->ids, encoded_given(encoded), true, error);
    char *all = given ? tokenizer_decode(tokenizer, trace->ids, end, more, error) : NULL;
    if (all)
        memmove(all, all + strlen(given), strlen(all + strlen(given)) + 1);
    free(given);
    return all;
}
