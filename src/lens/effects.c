/* effects.c: what an answer depends on: copies of the text go through the network without each
 * head, from its layer on, or without each word, and each is asked the same (question.h). Words
 * that are hidden keep their place, masked ones too; where words are removed the tokens close up,
 * and with them the answer's place, hidden tokens and cut connections. Of two sentences, each by
 * itself, only the one that a word stands in is run without it. */
#include "headlight/lens/effects.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/lens/question.h"
#include "headlight/lens/same_word.h"
#include "headlight/lens/sentence.h"

/* ---- Heads -------------------------------------------------------------------------------- */

/* One that is off already stays so: its variant is the text itself. */
static enum status switch_off(const void *context, size_t index, struct variant *variant,
                              struct error *error)
{
    const struct trace *trace = context;
    (void)error;
    variant->first = index / trace->heads;
    for (size_t i = 0; i < 2; i++)
        variant->texts[i].changes.off[trace->numbered + variant->first] |=
            head_mask_of(index % trace->heads);
    return STATUS_OK;
}

enum status effects_measure(const struct target_source *source, const struct target *on,
                            const struct watch *watch, struct effects **effects,
                            struct error *error)
{
    const size_t L = source->heads->layers, A = source->heads->heads;
    struct question question = {.source = *source, .on = *on, .watch = watch};
    struct effects *made = *effects =
        memory_new(L * A, sizeof *made->change, sizeof *made, "the effects of heads", error);
    if (!made)
        return STATUS_MEMORY;
    enum status status = question_ask(&question, error);
    if (status == STATUS_OK)
        status = question_vary(&question, &(struct variants){L * A, switch_off, source->heads},
                               made->change, error);
    made->layers = L;
    made->heads = A;
    made->on = question.on;
    made->likeliest = question.likeliest;
    made->logprob = question.logprob;
    if (status != STATUS_OK) {
        free(made);
        *effects = NULL;
    }
    return status;
}

/* In thousandths, so that the last bits of a float decide nothing. */
static long size_of_effect(const struct effects *effects, size_t head)
{
    return lround(fabs(effects->change[head]) * 1000);
}

/* The larger one; of equal ones the first. */
static bool comes_before(const struct effects *effects, size_t a, size_t b)
{
    const long size = size_of_effect(effects, a), other = size_of_effect(effects, b);
    return size > other || (size == other && a < b);
}

size_t effects_next(const struct effects *effects, size_t from, bool smaller)
{
    const size_t all = effects->layers * effects->heads;
    const bool inside = from < all && size_of_effect(effects, from) > 0;
    size_t next[] = {all, all}; /* of those beyond `from`; of all */
    for (size_t i = 0; i < all; i++) {
        const bool beyond = inside && i != from && comes_before(effects, from, i) == smaller;
        for (size_t k = beyond ? 0 : 1; k < 2 && size_of_effect(effects, i) > 0; k++)
            if (next[k] == all || comes_before(effects, i, next[k]) == smaller)
                next[k] = i;
    }
    return next[0] < all ? next[0] : next[1] < all ? next[1] : from < all ? from : 0;
}

bool effects_any(const struct effects *effects)
{
    const size_t largest = effects_next(effects, effects->layers * effects->heads, true);
    return size_of_effect(effects, largest) >= 5;
}

/* ---- Words -------------------------------------------------------------------------------- */

/* A word that is left out, by itself or with the paired one. */
struct left_out {
    size_t word;
    bool with_pair;
};

/* The lists are one block. */
struct word_work {
    struct question question;
    const struct word_question *how;
    struct word_effects *effects;
    struct left_out *left_out;
    double *changes;   /* of each */
    size_t *positions; /* [T+1] of what is left out at the moment: positions_without */
};

const char *const word_way_names[WORD_WAY_COUNT] = {"none", "hidden", "masked", "removed"};

size_t word_effects_at(const struct word_effects *effects, size_t token)
{
    for (size_t i = 0; i < effects->count; i++)
        if (token >= effects->words[i].pieces.first && token < effects->words[i].pieces.end)
            return i;
    return NO_TOKEN;
}

size_t word_effects_largest(const struct word_effects *effects)
{
    const struct word_effect *largest = NULL;
    for (size_t i = 0; i < effects->count; i++)
        if (!isnan(effects->words[i].change) &&
            (!largest || fabs(effects->words[i].change) > fabs(largest->change)))
            largest = &effects->words[i];
    return largest ? largest->pieces.first : NO_TOKEN;
}

/* Where each of a text's tokens stands when a word is removed, and where its end does: after those
 * before it that are left; of two sentences the text is one by itself. Returns how many are taken.
 */
static size_t positions_without(const struct word_work *work, const struct left_out *left_out,
                                enum side text)
{
    const struct target_source *source = &work->question.source;
    const struct word_effect *words = work->effects->words;
    const size_t of[] = {left_out->word, work->effects->paired};
    const size_t T = target_text(source, text)->tokens;
    size_t *positions = work->positions, taken = 0;
    memset(positions, 0, (T + 1) * sizeof *positions);
    for (size_t i = 0; i < 1 + (size_t)left_out->with_pair; i++)
        for (size_t t = words[of[i]].pieces.first; t < words[of[i]].pieces.end; t++) {
            const size_t own =
                source->other ? sentence_index(source->encoding, source->alone[text], text, t) : t;
            if (own != NO_TOKEN)
                positions[own + 1] = 1; /* is taken */
        }
    for (size_t t = 0; t <= T; t++) {
        taken += positions[t];
        positions[t] = t - taken;
    }
    return taken;
}

static bool is_taken(const size_t *positions, size_t token)
{
    return positions[token + 1] == positions[token];
}

/* There are fewer than before, so none is refused. What names tokens of an encoder–decoder's other
 * text stays; a cut of its cross-attention names one of each. */
static void move_changes(const struct target_source *source, const struct trace *text,
                         const size_t *positions, struct interventions *to)
{
    const struct interventions *from = &text->computed.changes;
    const struct trace *cross = source->trace->cross;
    const uint32_t first = trace_changed_token(target_text(source, 0), 0);
    struct error error;
    *to = interventions_of_all(from);
    for (uint32_t i = 0; i < from->hidden_count; i++) {
        const uint32_t token = from->hidden[i] - first;
        const bool here = token < text->tokens;
        if (!here || !is_taken(positions, token))
            interventions_hide(to, first + (here ? (uint32_t)positions[token] : token), &error);
    }
    for (uint32_t i = 0; i < from->cut_count; i++) {
        struct cut cut = from->cuts[i];
        const bool crosses = cross && cut.layer >= cross->numbered;
        const bool here = !crosses && (cut.layer >= source->trace->numbered) == !source->encoder;
        uint32_t *const ends[] = {here || (crosses && !source->encoder) ? &cut.from : NULL,
                                  here || (crosses && source->encoder) ? &cut.to : NULL};
        bool gone = false;
        for (size_t end = 0; end < 2; end++)
            if (ends[end] && *ends[end] < text->tokens) {
                gone |= is_taken(positions, *ends[end]);
                *ends[end] = (uint32_t)positions[*ends[end]];
            }
        if (!gone)
            interventions_cut(to, cut, &error);
    }
}

static enum status take_words(const struct word_work *work, enum side side, struct variant *variant,
                              struct error *error)
{
    const struct target_source *source = &work->question.source;
    const enum word_way way = work->how->way;
    const bool span = variant->on.output == OUTPUT_START;
    struct variant_text *text = &variant->texts[side];
    enum status status = STATUS_OK;
    size_t left = 0;
    for (size_t t = 0; t < text->tokens && status == STATUS_OK; t++) {
        const bool gone = is_taken(work->positions, t);
        if (gone && way == WORDS_REMOVED)
            continue;
        if (gone && way == WORDS_HIDDEN)
            status = interventions_hide(&text->changes,
                                        trace_changed_token(target_text(source, side), t), error);
        text->ids[left] = gone && way == WORDS_MASKED ? work->how->mask : text->ids[t];
        text->segments[left] = text->segments[t];
        if (variant->encoding)
            variant->encoding->tokens[left] = variant->encoding->tokens[t];
        left++;
    }
    text->tokens = left;
    if (way != WORDS_REMOVED)
        return status;
    if (span || (target_has_token(variant->on.output) && !source->encoder)) /* which says nothing */
        variant->on.token = work->positions[variant->on.token];
    if (span)
        variant->on.end = work->positions[variant->on.end];
    if (variant->encoding)
        variant->encoding->count = left;
    move_changes(source, target_text(source, side), work->positions, &text->changes);
    return status;
}

static enum status leave_out(const void *context, size_t index, struct variant *variant,
                             struct error *error)
{
    const struct word_work *work = context;
    enum status status = STATUS_OK;
    for (enum side text = SIDE_LEFT;
         text <= SIDE_RIGHT && target_text(&work->question.source, text); text++) {
        if (positions_without(work, &work->left_out[index], text) == 0)
            variant->texts[text].tokens = 0; /* its pass is there */
        else if (status == STATUS_OK)
            status = take_words(work, text, variant, error);
    }
    return status;
}

/* Where the answer stands there is nothing to ask once that is gone; nor of a word that a sentence
 * by itself was cut before. */
static bool can_be_taken(const struct word_work *work, const struct left_out *left_out)
{
    const struct target_source *source = &work->question.source;
    const struct target *on = &work->effects->on;
    const bool span = on->output == OUTPUT_START;
    const bool has_token = target_has_token(on->output) && !source->encoder;
    bool read = false, left = true, gone = false;
    for (enum side text = SIDE_LEFT; text <= SIDE_RIGHT && target_text(source, text); text++) {
        const size_t taken = positions_without(work, left_out, text);
        read |= taken > 0;
        left &= taken < target_text(source, text)->tokens;
        gone |= (span || has_token) && is_taken(work->positions, on->token);
        gone |= span && is_taken(work->positions, on->end - 1);
    }
    return read && (work->how->way != WORDS_REMOVED || (left && !gone));
}

/* Each word by itself and then, of those that can be taken, each with the paired one. */
static enum status measure_words(struct word_work *work, struct error *error)
{
    struct word_effects *effects = work->effects;
    struct variants variants = {0, leave_out, work};
    const size_t paired = effects->paired;
    for (size_t i = 0; i < effects->count; i++)
        effects->words[i].change = effects->words[i].pair = NAN;
    for (int pairs = 0; pairs <= (paired != NO_TOKEN); pairs++)
        for (size_t i = 0; i < effects->count; i++) {
            struct word_effect *word = &effects->words[i];
            const struct left_out one = {i, pairs};
            if ((pairs && (i == paired || isnan(word->change + effects->words[paired].change))) ||
                !can_be_taken(work, &one))
                continue;
            work->left_out[variants.count++] = one;
            word->change = 0; /* not known yet, but not NaN */
        }
    const enum status status = question_vary(&work->question, &variants, work->changes, error);
    for (size_t i = 0; i < variants.count && status == STATUS_OK; i++) {
        struct word_effect *word = &effects->words[work->left_out[i].word];
        if (work->left_out[i].with_pair)
            word->pair = work->changes[i] - (word->change + effects->words[paired].change);
        else
            word->change = work->changes[i];
    }
    return status;
}

enum status word_effects_measure(const struct target_source *source,
                                 const struct word_question *question, const struct target *on,
                                 const struct watch *watch, struct word_effects **effects,
                                 struct error *error)
{
    static const char what[] = "the effects of words";
    struct word_work work = {.question = {.source = *source, .on = *on, .watch = watch},
                             .how = question};
    const size_t most = question->side->count,
                 longest = size_max(target_text(source, 0)->tokens,
                                    source->other ? source->other->tokens : 0);
    struct word_effects *made = *effects = NULL;
    if (question->way == WORDS_MASKED && question->mask < 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "words can't be masked: the vocabulary has no mask token; hide or remove "
                         "them");
    made = work.effects = memory_new(most, sizeof *made->words, sizeof *made, what, error);
    work.left_out = memory_new(2 * most, sizeof *work.left_out + sizeof *work.changes,
                               (longest + 1) * sizeof *work.positions, what, error);
    enum status status =
        made && work.left_out ? question_ask(&work.question, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        work.changes = (double *)(work.left_out + 2 * most);
        work.positions = (size_t *)(void *)(work.changes + 2 * most);
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
        status = measure_words(&work, error);
    }
    if (status == STATUS_OK)
        *effects = made;
    else
        free(made);
    free(work.left_out);
    return status;
}

/* ---- A change of the network -------------------------------------------------------------- */

const struct answer_change *before_after_at(const struct before_after *change, size_t token)
{
    for (size_t i = 0; change && i < change->count; i++)
        if (change->answers[i].on.token == token)
            return &change->answers[i];
    return NULL;
}

/* Which answer it is follows from the network as it was, so that is asked first. */
enum status before_after_measure(const struct target_source *now,
                                 const struct target_source *before, const struct target *on,
                                 bool target, struct before_after **change, struct error *error)
{
    const size_t count = 1 + (target ? on->token : 0);
    struct before_after *made = *change =
        memory_new(count, sizeof *made->answers, sizeof *made, "what a change did", error);
    enum status status = made ? STATUS_OK : STATUS_MEMORY;
    double most = -1;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct answer_change *answer = &made->answers[made->count++];
        answer->on = *on;
        answer->on.token = on->token + 1 - count + i;
        answer->on.id = TARGET_LIKELIEST;
        status = target_ask(before, &answer->on, &answer->logprob_before, error);
        if (status == STATUS_OK)
            status = target_ask(now, &answer->on, &answer->logprob, error);
        const double differs = fabs(exp(answer->logprob) - exp(answer->logprob_before));
        if (status != STATUS_OK || (i > 0 && !(differs > most)))
            continue;
        most = differs;
        made->token = answer->on.token;
    }
    if (status != STATUS_OK) {
        free(made);
        *change = NULL;
    }
    return status;
}
