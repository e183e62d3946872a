/* word_effects.c: the network runs without each word, and is asked the same each time. Hidden words
 * keep their place, masked ones too; where words are removed the tokens close up, and with them the
 * answer's place, hidden tokens and cut connections. Of two sentences, each by itself, only the one
 * that a word stands in is run without it. */
#include "headlight/lens/word_effects.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/lens/question.h"
#include "headlight/lens/same_word.h"
#include "headlight/lens/sentence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct word_work {
    struct question question;
    const struct word_question *how;
    struct word_effects *effects;
    size_t *words;   /* those that are left out one by one, and with the paired one if */
    bool with_pair;  /* that is asked for */
    double *changes; /* of each */
};

const char *word_way_name(enum word_way way)
{
    static const char *const names[] = {
#define WAY(way, name) name,
        WORD_WAYS(WAY)
#undef WAY
    };
    return names[way];
}

size_t word_effects_at(const struct word_effects *effects, size_t token)
{
    for (size_t i = 0; i < effects->count; i++)
        if (token >= effects->words[i].pieces.first && token < effects->words[i].pieces.end)
            return i;
    return NO_TOKEN;
}

/* ---- What is left of a text --------------------------------------------------------------- */

/* Up to two words that are taken away; an empty range is none. */
struct taken {
    struct token_range words[2];
};

static bool is_taken(const struct taken *taken, size_t token)
{
    bool found = false;
    for (size_t i = 0; i < 2; i++)
        found |= token >= taken->words[i].first && token < taken->words[i].end;
    return found;
}

/* Where a token stands when they are removed. */
static size_t token_without(const struct taken *taken, size_t token)
{
    size_t alone = token;
    for (size_t i = 0; i < 2; i++)
        alone -= size_min(size_max(token, taken->words[i].first), taken->words[i].end) -
                 taken->words[i].first;
    return alone;
}

/* NULL: there is no second one. */
static const struct trace *trace_of(const struct word_work *work, enum side text)
{
    return text == SIDE_LEFT ? work->question.source.trace : work->question.source.other;
}

/* What is taken away from one of two sentences, by its own tokens. */
static struct taken taken_of(const struct word_work *work, const struct taken *taken,
                             enum side text)
{
    const struct target_source *source = &work->question.source;
    struct taken own = {{{0, 0}}};
    if (!source->other)
        return *taken;
    for (size_t i = 0; i < 2; i++)
        for (size_t t = taken->words[i].first; t < taken->words[i].end; t++) {
            const size_t alone = sentence_index(source->encoding, source->alone[text], text, t);
            if (alone != NO_TOKEN)
                own.words[i] = (struct token_range){
                    own.words[i].end > 0 ? own.words[i].first : alone, alone + 1};
        }
    return own;
}

static bool takes_any(const struct taken *taken)
{
    return taken->words[0].end > 0 || taken->words[1].end > 0;
}

/* There are fewer than before, so none is refused. */
static void move_changes(const struct interventions *from, const struct taken *taken,
                         struct interventions *to)
{
    struct error error;
    *to = *from;
    to->hidden_count = to->cut_count = 0;
    memset(to->hidden, 0, sizeof to->hidden);
    memset(to->cuts, 0, sizeof to->cuts);
    for (uint32_t i = 0; i < from->hidden_count; i++)
        if (!is_taken(taken, from->hidden[i]))
            interventions_hide(to, (uint32_t)token_without(taken, from->hidden[i]), &error);
    for (uint32_t i = 0; i < from->cut_count; i++) {
        struct cut cut = from->cuts[i];
        if (is_taken(taken, cut.from) || is_taken(taken, cut.to))
            continue;
        cut.from = (uint32_t)token_without(taken, cut.from);
        cut.to = (uint32_t)token_without(taken, cut.to);
        interventions_cut(to, cut, &error);
    }
}

static enum status take_words(const struct word_work *work, enum side side,
                              const struct taken *taken, struct variant *variant,
                              struct error *error)
{
    const enum word_way way = work->how->way;
    struct variant_text *text = &variant->texts[side];
    enum status status = STATUS_OK;
    size_t left = 0;
    for (size_t t = 0; t < text->tokens && status == STATUS_OK; t++) {
        const bool gone = is_taken(taken, t);
        if (gone && way == WORDS_REMOVED)
            continue;
        if (gone && way == WORDS_HIDDEN)
            status = interventions_hide(&text->changes, (uint32_t)t, error);
        text->ids[left] = gone && way == WORDS_MASKED ? work->how->mask : text->ids[t];
        text->segments[left] = text->segments[t];
        if (variant->encoding)
            variant->encoding->tokens[left] = variant->encoding->tokens[t];
        left++;
    }
    text->tokens = left;
    if (way != WORDS_REMOVED)
        return status;
    variant->on.token = token_without(taken, variant->on.token);
    variant->on.end = token_without(taken, variant->on.end);
    if (variant->encoding)
        variant->encoding->count = left;
    move_changes(&trace_of(work, side)->computed.changes, taken, &text->changes);
    return status;
}

static struct taken words_taken(const struct word_work *work, size_t word)
{
    const struct word_effects *effects = work->effects;
    struct taken taken = {{effects->words[word].pieces}};
    if (work->with_pair)
        taken.words[1] = effects->words[effects->paired].pieces;
    return taken;
}

static enum status leave_out(const void *context, size_t index, struct variant *variant,
                             struct error *error)
{
    const struct word_work *work = context;
    const struct taken taken = words_taken(work, work->words[index]);
    enum status status = STATUS_OK;
    for (enum side text = SIDE_LEFT; text <= SIDE_RIGHT && trace_of(work, text); text++) {
        const struct taken own = taken_of(work, &taken, text);
        if (!takes_any(&own))
            variant->texts[text].tokens = 0; /* its pass is there */
        else if (status == STATUS_OK)
            status = take_words(work, text, &own, variant, error);
    }
    return status;
}

/* Where the answer stands there is nothing to ask once that is gone; nor of a word that a sentence
 * by itself was cut before. */
static bool can_be_taken(const struct word_work *work, const struct taken *taken)
{
    const struct target *on = &work->effects->on;
    const bool span = on->output == OUTPUT_START;
    bool read = false, left = true;
    for (enum side text = SIDE_LEFT; text <= SIDE_RIGHT && trace_of(work, text); text++) {
        const struct taken own = taken_of(work, taken, text);
        read |= takes_any(&own);
        left &= token_without(&own, trace_of(work, text)->tokens) > 0;
    }
    if (work->how->way != WORDS_REMOVED)
        return read;
    return read && left && !(target_has_token(on->output) && is_taken(taken, on->token)) &&
           !(span && (is_taken(taken, on->token) || is_taken(taken, on->end - 1)));
}

/* Of each word by itself or, after that, of each with the paired one. */
static enum status measure_words(struct word_work *work, bool with_pair, struct error *error)
{
    struct word_effects *effects = work->effects;
    struct variants variants = {0, 0, leave_out, work};
    work->with_pair = with_pair;
    for (size_t i = 0; i < effects->count; i++) {
        struct word_effect *word = &effects->words[i];
        const struct taken taken = words_taken(work, i);
        if (!with_pair)
            word->change = word->pair = NAN;
        else if (i == effects->paired ||
                 isnan(word->change + effects->words[effects->paired].change))
            continue;
        if (can_be_taken(work, &taken))
            work->words[variants.count++] = i;
    }
    const enum status status = question_vary(&work->question, &variants, work->changes, error);
    for (size_t i = 0; i < variants.count && status == STATUS_OK; i++) {
        struct word_effect *word = &effects->words[work->words[i]];
        if (with_pair)
            word->pair = work->changes[i] - (word->change + effects->words[effects->paired].change);
        else
            word->change = work->changes[i];
    }
    return status;
}

/* ---- All of it ---------------------------------------------------------------------------- */

enum status word_effects_measure(const struct target_source *source,
                                 const struct word_question *question, const struct target *on,
                                 const struct watch *watch, struct word_effects **effects,
                                 struct error *error)
{
    static const char what[] = "the effects of words";
    struct word_work work = {.question = {.source = *source, .on = *on, .watch = watch},
                             .how = question};
    const size_t most = question->side->count;
    struct word_effects *made = *effects = NULL;
    if (question->way == WORDS_MASKED && question->mask < 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "words can't be masked: the vocabulary has no mask token; hide or remove "
                         "them");
    made = work.effects = memory_new(most, sizeof *made->words, sizeof *made, what, error);
    work.words = memory_new(most, sizeof *work.words, 0, what, error);
    work.changes = memory_new(most, sizeof *work.changes, 0, what, error);
    enum status status =
        made && work.words && work.changes ? question_ask(&work.question, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        *made = (struct word_effects){.way = question->way,
                                      .on = work.question.on,
                                      .likeliest = work.question.likeliest,
                                      .logprob = work.question.logprob};
        for (size_t token = 0; token < most;) {
            const struct token_range pieces = same_word_of(question->side, token);
            if (!question->side->special[token])
                made->words[made->count++].pieces = pieces;
            token = pieces.end;
        }
        made->paired =
            question->paired == NO_TOKEN ? NO_TOKEN : word_effects_at(made, question->paired);
        work.question.total = made->count * (made->paired == NO_TOKEN ? 1 : 2);
        status = measure_words(&work, false, error);
    }
    if (status == STATUS_OK && made->paired != NO_TOKEN)
        status = measure_words(&work, true, error);
    if (status == STATUS_OK)
        *effects = made;
    else
        free(made);
    batch_free(&work.question.batch);
    free(work.words);
    free(work.changes);
    return status;
}
