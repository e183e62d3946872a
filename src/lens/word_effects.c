/* word_effects.c: runs the network once without each word, and asks it the same each time. Hidden
 * words keep their place, masked ones too; where words are removed the tokens close up, and with
 * them the answer's place, hidden tokens and cut connections. Of two sentences, each by itself,
 * only the one that a word stands in is run without it. */
#include "headlight/lens/word_effects.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/lens/same_word.h"
#include "headlight/lens/sentence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text without some words. */
struct remainder {
    size_t count;
    int32_t *ids, *segments;   /* [T] */
    struct encoding *encoding; /* [T] */
    struct interventions changes;
    struct target target;
};

struct word_work {
    struct target_source source;
    const struct word_question *question;
    struct word_effects *effects;
    struct remainder left;
    const struct watch *watch;
    size_t done, total; /* passes */
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
static size_t place_without(const struct taken *taken, size_t token)
{
    size_t place = token;
    for (size_t i = 0; i < 2; i++)
        place -= size_min(size_max(token, taken->words[i].first), taken->words[i].end) -
                 taken->words[i].first;
    return place;
}

/* NULL: there is no second one. */
static const struct trace *trace_of(const struct word_work *work, enum side text)
{
    return text == SIDE_LEFT ? work->source.trace : work->source.other;
}

/* What is taken away from one of two sentences, by its own tokens. */
static struct taken taken_of(const struct word_work *work, const struct taken *taken,
                             enum side text)
{
    const struct target_source *source = &work->source;
    struct taken own = {{{0, 0}}};
    if (!source->other)
        return *taken;
    for (size_t i = 0; i < 2; i++)
        for (size_t t = taken->words[i].first; t < taken->words[i].end; t++) {
            const size_t place = sentence_place(source->encoding, source->alone[text], text, t);
            if (place != NO_TOKEN)
                own.words[i] = (struct token_range){
                    own.words[i].end > 0 ? own.words[i].first : place, place + 1};
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
            interventions_hide(to, (uint32_t)place_without(taken, from->hidden[i]), &error);
    for (uint32_t i = 0; i < from->cut_count; i++) {
        struct cut cut = from->cuts[i];
        if (is_taken(taken, cut.from) || is_taken(taken, cut.to))
            continue;
        cut.from = (uint32_t)place_without(taken, cut.from);
        cut.to = (uint32_t)place_without(taken, cut.to);
        interventions_cut(to, cut, &error);
    }
}

static void remove_words(struct word_work *work, const struct trace *trace,
                         const struct taken *taken)
{
    struct remainder *left = &work->left;
    size_t count = 0;
    for (size_t t = 0; t < trace->tokens; t++) {
        if (is_taken(taken, t))
            continue;
        left->ids[count] = trace->ids[t];
        left->segments[count] = trace->segments[t];
        if (work->source.encoding && !work->source.other)
            left->encoding->tokens[count] = work->source.encoding->tokens[t];
        count++;
    }
    left->encoding->count = left->count = count;
    left->target.token = place_without(taken, left->target.token);
    left->target.end = place_without(taken, left->target.end);
    move_changes(&trace->computed.changes, taken, &left->changes);
}

static enum status take_words(struct word_work *work, const struct trace *trace,
                              const struct taken *taken, struct error *error)
{
    const struct word_question *question = work->question;
    struct remainder *left = &work->left;
    left->target = work->effects->on;
    remove_words(work, trace, &(struct taken){{{0, 0}}}); /* the whole text */
    if (question->way == WORDS_REMOVED)
        remove_words(work, trace, taken);
    for (size_t t = 0; t < trace->tokens; t++) {
        if (!is_taken(taken, t))
            continue;
        if (question->way == WORDS_MASKED)
            left->ids[t] = question->mask;
        if (question->way == WORDS_HIDDEN &&
            interventions_hide(&left->changes, (uint32_t)t, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ---- Passes ------------------------------------------------------------------------------- */

/* Called for each layer of a pass: only to cancel. */
static bool word_layer_done(void *context, size_t done, size_t total)
{
    const struct word_work *work = context;
    (void)done, (void)total;
    return !work->watch || work->watch->step_done(work->watch->context, work->done, work->total);
}

static enum status run_without(struct word_work *work, const struct trace *trace,
                               const struct taken *taken, struct trace **pass, struct error *error)
{
    const struct model *model = work->source.model;
    const struct watch watch = {word_layer_done, work};
    const struct remainder *left = &work->left;
    if (take_words(work, trace, taken, error) != STATUS_OK ||
        forward_prepare(model, left->ids, left->segments, left->count, false, pass, error) !=
            STATUS_OK)
        return error->status;
    return forward_run(model, &left->changes, &watch, *pass, error);
}

/* The change of the log-probability without some words. */
static enum status ask_without(struct word_work *work, const struct taken *taken, double *change,
                               struct error *error)
{
    struct target_source source = work->source;
    struct trace *passes[2] = {NULL, NULL};
    enum status status = STATUS_OK;
    for (enum side text = SIDE_LEFT; text <= SIDE_RIGHT && status == STATUS_OK; text++) {
        const struct taken own = taken_of(work, taken, text);
        if (trace_of(work, text) && takes_any(&own))
            status = run_without(work, trace_of(work, text), &own, &passes[text], error);
    }
    source.trace = passes[SIDE_LEFT] ? passes[SIDE_LEFT] : source.trace;
    source.other = passes[SIDE_RIGHT] ? passes[SIDE_RIGHT] : source.other;
    source.encoding = source.encoding ? work->left.encoding : NULL;
    if (status == STATUS_OK)
        status = target_ask(&source, &work->left.target, change, error);
    free(passes[SIDE_LEFT]);
    free(passes[SIDE_RIGHT]);
    *change -= work->effects->logprob;
    return status == STATUS_OK ? watch_step(work->watch, ++work->done, work->total, error) : status;
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
        left &= place_without(&own, trace_of(work, text)->tokens) > 0;
    }
    if (work->question->way != WORDS_REMOVED)
        return read;
    return read && left && !(target_has_token(on->output) && is_taken(taken, on->token)) &&
           !(span && (is_taken(taken, on->token) || is_taken(taken, on->end - 1)));
}

static enum status measure_words(struct word_work *work, struct error *error)
{
    struct word_effects *effects = work->effects;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < effects->count; i++) {
        struct word_effect *word = &effects->words[i];
        const struct taken taken = {{word->pieces}};
        word->change = word->pair = NAN;
        if (can_be_taken(work, &taken))
            status = ask_without(work, &taken, &word->change, error);
    }
    return status;
}

static enum status measure_pairs(struct word_work *work, struct error *error)
{
    struct word_effects *effects = work->effects;
    const struct word_effect *paired = effects->words + effects->paired;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < effects->count; i++) {
        struct word_effect *word = &effects->words[i];
        const struct taken taken = {{word->pieces, paired->pieces}};
        if (word == paired || isnan(word->change) || isnan(paired->change) ||
            !can_be_taken(work, &taken))
            continue;
        status = ask_without(work, &taken, &word->pair, error);
        word->pair -= word->change + paired->change;
    }
    return status;
}

/* ---- All of it ---------------------------------------------------------------------------- */

static void find_words(const struct token_side *side, struct word_effects *effects)
{
    for (size_t token = 0; token < side->count;) {
        const struct token_range pieces = same_word_of(side, token);
        if (!side->special[token])
            effects->words[effects->count++].pieces = pieces;
        token = pieces.end;
    }
}

static enum status prepare_words(struct word_work *work, const struct target *on,
                                 struct error *error)
{
    const size_t T =
        work->source.trace->tokens + (work->source.other ? work->source.other->tokens : 0);
    struct remainder *left = &work->left;
    struct word_effects *effects = memory_new(work->question->side->count, sizeof *effects->words,
                                              sizeof *effects, "the effects of words", error);
    work->effects = effects;
    left->ids = memory_new(T, 2 * sizeof *left->ids, 0, "a text without a word", error);
    left->encoding = memory_new(T, sizeof *left->encoding->tokens, sizeof *left->encoding,
                                "a text without a word", error);
    if (!effects || !left->ids || !left->encoding)
        return error->status;
    left->segments = left->ids + T;
    *effects = (struct word_effects){.way = work->question->way, .on = *on, .likeliest = *on};
    find_words(work->question->side, effects);
    effects->paired = work->question->paired == NO_TOKEN
                          ? NO_TOKEN
                          : word_effects_at(effects, work->question->paired);
    work->total = effects->count * (effects->paired == NO_TOKEN ? 1 : 2);
    return target_prepare(work->source.model, on->output, &work->source.rows, error);
}

/* What is likeliest is known as well where another answer is asked about. */
static enum status ask_whole(struct word_work *work, struct error *error)
{
    struct word_effects *effects = work->effects;
    effects->likeliest.id = TARGET_LIKELIEST;
    enum status status = target_ask(&work->source, &effects->likeliest, &effects->logprob, error);
    if (status == STATUS_OK && effects->on.id == TARGET_LIKELIEST)
        effects->on = effects->likeliest;
    return status == STATUS_OK ? target_ask(&work->source, &effects->on, &effects->logprob, error)
                               : status;
}

enum status word_effects_measure(const struct target_source *source,
                                 const struct word_question *question, const struct target *on,
                                 const struct watch *watch, struct word_effects **effects,
                                 struct error *error)
{
    struct word_work work = {.source = *source, .question = question, .watch = watch};
    *effects = NULL;
    if (question->way == WORDS_MASKED && question->mask < 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "words can't be masked: the vocabulary has no mask token; hide or remove "
                         "them");
    work.source.rows = NULL;
    enum status status = prepare_words(&work, on, error);
    if (status == STATUS_OK)
        status = ask_whole(&work, error);
    if (status == STATUS_OK)
        status = measure_words(&work, error);
    if (status == STATUS_OK && work.effects->paired != NO_TOKEN)
        status = measure_pairs(&work, error);
    if (status == STATUS_OK)
        *effects = work.effects;
    else
        free(work.effects);
    free(work.source.rows);
    free(work.left.ids);
    free(work.left.encoding);
    return status;
}
