/* answer_rows.c: what a model says, as rows. Each output is a row of the table at the end: what its
 * rows are called, and a function that lists those that there are. */
#include "headlight/lens/answer_rows.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

struct listing {
    const struct answer_source *source;
    enum model_output output;
    const char *title;
    size_t last; /* layer, whose answers are the model's */
    answer_taker *take;
    void *to;
    struct answer_row row; /* the next one: what only some rows have is set before `give` */
    struct error *error;   /* of the head for words; all other numbers are there already */

    const float *before; /* [V] logits of words at the token at hand; NULL: not known */
    double total_before; /* predict_total of these */
};

/* ---- A row ---- */

static struct target at(const struct listing *listing, size_t token, int32_t id)
{
    return (struct target){listing->output, token, token + 1, id};
}

/* A target without an end is of no token. */
static void give(struct listing *listing, size_t layer, size_t rank, struct target on,
                 const char *name, double number)
{
    const struct answer_source *source = listing->source;
    struct answer_row *row = &listing->row;
    const bool numbered =
        target_is_word(on.output) || on.output == OUTPUT_CLASSES || on.output == OUTPUT_TAGS;
    const bool own = layer == listing->last || layer == NO_TOKEN;
    row->kind = row->kind ? row->kind : answer_kind(on.output);
    row->title = listing->title;
    row->layer = layer;
    row->encoded = row->encoded ? row->encoded : on.end > 0 ? source->encoded : NULL;
    row->token = on.token;
    row->rank = rank;
    row->id = numbered ? (size_t)on.id : NO_TOKEN;
    row->name = name;
    row->number = number;
    row->on = on;
    row->before = NAN;
    if (own && on.output == OUTPUT_SENTENCE) {
        row->before = source->sentences->before;
    } else if (own && target_is_word(on.output)) {
        if (listing->before)
            row->before = exp((double)listing->before[on.id] - listing->total_before);
    } else if (own && source->before && on.output != OUTPUT_COUNT) {
        struct target_source before = target_source_of(source->checkpoint, source->encoded, NULL);
        struct error error;
        double logprob;
        before.trace = trace_speaker(source->before);
        if (target_ask(&before, &on, &logprob, &error) == STATUS_OK)
            row->before = target_shown(source->checkpoint->model, &on, logprob);
    }
    /* words are asked for wherever they are listed, others at the token that is chosen */
    row->asked =
        own && source->asks && on.output == source->on.output && on.id == source->on.id &&
        (on.output == OUTPUT_START ? on.token == source->on.token && on.end == source->on.end
                                   : target_is_word(on.output) || !target_has_token(on.output) ||
                                         on.token == source->token);
    listing->take(listing->to, row);
    *row = (struct answer_row){.kind = NULL};
}

/* ---- Words ---- */

static void give_word(struct listing *listing, size_t layer, size_t token, size_t rank,
                      const struct prediction *word)
{
    listing->row.logprob = word->logprob;
    give(listing, layer, rank, at(listing, token, word->id),
         tokenizer_piece(listing->source->checkpoint->tokenizer, word->id), exp(word->logprob));
}

/* The likeliest, then what is asked for and what truly comes next, where they aren't among them;
 * `best` has room for all. */
static void list_words_at(struct listing *listing, size_t token, const float *logits,
                          struct prediction *best)
{
    const struct answer_source *source = listing->source;
    const size_t V = source->trace->vocabulary;
    const double total = predict_total(logits, V, NULL);
    const size_t likeliest = predict_best(logits, V, total, best, source->top);
    const bool follows = listing->output == OUTPUT_LM && token + 1 < source->trace->tokens;
    const bool asks = source->asks && target_is_word(source->on.output);
    const int32_t besides[] = {asks ? source->on.id : -1,
                               follows ? trace_speaker(source->trace)->ids[token + 1] : -1};
    size_t count = likeliest;
    for (size_t i = 0; i < 2; i++) {
        size_t k = 0;
        while (k < count && best[k].id != besides[i])
            k++;
        if (besides[i] >= 0 && k == count)
            best[count++] = (struct prediction){besides[i], (double)logits[besides[i]] - total};
    }
    for (size_t i = 0; i < count; i++) {
        listing->row.next = best[i].id == besides[1];
        give_word(listing, listing->last, token,
                  i < likeliest ? i + 1 : predict_rank(logits, V, (size_t)best[i].id), &best[i]);
    }
}

/* At the tokens that are masked or chosen, or at all where words come next. */
static enum status list_words(struct listing *listing)
{
    const struct answer_source *source = listing->source;
    const struct trace *trace = trace_speaker(source->trace);
    const struct checkpoint *checkpoint = source->checkpoint;
    const size_t T = trace->tokens, top = source->top;
    struct head_rows *rows[2] = {NULL, NULL};
    if (!checkpoint || !checkpoint->model->weights.has[listing->output])
        return STATUS_OK;
    for (size_t i = 0; source->lens && i < trace->layers * T * top; i++)
        give_word(listing, i / top / T, i / top % T, i % top + 1, &source->lens[i]);
    struct prediction *best = memory_new(top + 2, sizeof *best, 0, "the answers", listing->error);
    bool listed = best;
    for (size_t i = 0; i < T && listed && !source->lens; i++) {
        if (listing->output != OUTPUT_LM &&
            trace->ids[i] != tokenizer_mask(checkpoint->tokenizer) &&
            !(source->asks && target_is_word(source->on.output) && source->token == i))
            continue;
        const float *logits = predict_words(checkpoint->model, trace, i, &rows[0], listing->error);
        if (source->before)
            listing->before =
                predict_words(checkpoint->model, source->before, i, &rows[1], listing->error);
        if (listing->before)
            listing->total_before = predict_total(listing->before, trace->vocabulary, NULL);
        listed = logits && (listing->before || !source->before);
        if (listed)
            list_words_at(listing, i, logits, best);
    }
    free(rows[0]);
    free(rows[1]);
    free(best);
    return listed ? STATUS_OK : listing->error->status;
}

/* ---- Of tokens, of two sentences ---- */

/* ELECTRA's discriminator. */
static enum status list_replaced(struct listing *listing)
{
    const struct trace *trace = listing->source->trace;
    for (size_t i = 0; trace->outputs[OUTPUT_RTD] && i < trace->tokens; i++)
        give(listing, NO_TOKEN, 0, at(listing, i, 1), NULL, (double)predict_replaced(trace, i));
    return STATUS_OK;
}

/* Of a single sentence the head's output means nothing. */
static enum status list_pair(struct listing *listing)
{
    const struct answer_source *source = listing->source;
    const struct token_side *side = &source->encoded->sides[SIDE_LEFT];
    float probability;
    if (source->trace->outputs[listing->output] && side->boundary < side->count &&
        predict_pair(source->trace, &probability))
        give(listing, NO_TOKEN, 0, (struct target){.output = listing->output},
             listing->output == OUTPUT_SOP ? "in_order" : "follows", (double)probability);
    return STATUS_OK;
}

/* How alike two sentences are, and what each token adds on the side of its own, read by itself. */
static enum status list_sentences(struct listing *listing)
{
    const struct sentence_pair *sentences = listing->source->sentences;
    if (!sentences)
        return STATUS_OK;
    const struct config *config = &listing->source->checkpoint->model->config;
    give(listing, NO_TOKEN, 0, (struct target){.output = OUTPUT_SENTENCE},
         similarity_names[config->sentence->similarity], sentences->value);
    for (size_t side = 0; side < 2 && !sentences->why_no_parts; side++)
        for (size_t i = 0; i < sentences->encoded[side]->encoding->count; i++) {
            listing->row.kind = "part";
            listing->row.encoded = sentences->encoded[side];
            give(listing, NO_TOKEN, 0, (struct target){OUTPUT_COUNT, i, i + 1, 0},
                 side == 0 ? "a" : "b", sentences->parts[side][i]);
        }
    return STATUS_OK;
}

/* ---- Of a task ---- */

static enum status list_classes(struct listing *listing)
{
    const struct answer_source *source = listing->source;
    if (!source->task || source->task->kind != ANSWER_CLASSES)
        return STATUS_OK;
    for (size_t layer = source->after ? 0 : listing->last; layer <= listing->last; layer++) {
        const struct answer *answer = source->after ? source->after[layer] : source->task;
        for (size_t i = 0; i < size_min(answer->labels->count, source->labels); i++) {
            const struct class_score *score = &answer->scores[i];
            give(listing, layer, i + 1,
                 (struct target){.output = OUTPUT_CLASSES, .id = (int32_t)score->label},
                 answer->labels->names[score->label], score->score);
        }
    }
    return STATUS_OK;
}

/* Of each layer the likeliest tags of each token, or the model's own where they say something; and
 * the tokens that belong together, by the first of them. */
static enum status list_tags(struct listing *listing)
{
    const struct answer_source *source = listing->source;
    const struct answer *answer = source->task;
    const size_t T = source->trace->tokens;
    if (!answer || answer->kind != ANSWER_TAGS)
        return STATUS_OK;
    for (size_t i = 0; source->cells && i < (listing->last + 1) * T; i++)
        for (size_t k = 0; k < size_min(source->cells[i].count, source->top); k++) {
            const struct prediction *best = &source->cells[i].best[k];
            give(listing, i / T, k + 1, at(listing, i % T, best->id),
                 answer->labels->names[best->id], exp(best->logprob));
        }
    for (size_t i = 0; !source->cells && i < answer->tag_count; i++) {
        const struct tag *tag = &answer->tags[i];
        if (answer_is_outside(answer->labels, tag->label))
            continue;
        listing->row.text = tag->word;
        listing->row.passage = &tag->passage;
        give(listing, listing->last, 1, at(listing, tag->token, (int32_t)tag->label),
             answer->labels->names[tag->label], tag->score);
    }
    for (size_t i = 0; i < answer->group_count; i++) {
        const struct tag_group *group = &answer->groups[i];
        listing->row.kind = "group";
        listing->row.text = text_of_string(group->word);
        listing->row.passage = &group->passage;
        give(listing, listing->last, i + 1,
             (struct target){OUTPUT_COUNT, group->tokens.first, group->tokens.end, 0}, group->name,
             group->score);
    }
    return STATUS_OK;
}

static void give_span(struct listing *listing, size_t rank, const struct answer_span *span,
                      double logprob)
{
    const struct text shown = span->passage.shown;
    char words[512];
    format_cut(words, sizeof words, "%.*s", (int)shown.length, shown.bytes ? shown.bytes : "");
    listing->row.logprob = logprob;
    listing->row.text = span->passage.text;
    listing->row.passage = shown.bytes ? &span->passage : NULL;
    give(listing, listing->last, rank,
         (struct target){OUTPUT_START, span->tokens.first, span->tokens.end, 0},
         shown.bytes ? words : NULL, span->score);
}

/* The best, the one that is asked for with its place among all, and that there is no answer.
 * Without a second text there is nothing to find one in. */
static enum status list_spans(struct listing *listing)
{
    const struct answer_source *source = listing->source;
    const struct answer *answer = source->task;
    const struct encoded *encoded = source->encoded;
    float *const *outputs = source->trace->outputs;
    struct target on = source->on;
    bool asks = source->asks && on.output == OUTPUT_START;
    if (!answer || answer->kind != ANSWER_SPAN || answer->span_count == 0)
        return STATUS_OK;
    for (size_t i = 0; i < answer->span_count; i++) {
        const struct answer_span *span = &answer->spans[i];
        give_span(listing, i + 1, span, log(span->score));
        asks &= span->tokens.first != on.token || span->tokens.end != on.end;
    }
    if (asks) {
        const struct target_source now = target_source_of(source->checkpoint, encoded, NULL);
        struct answer_span span = {.tokens = {on.token, on.end}};
        double logprob;
        if (target_ask(&now, &on, &logprob, listing->error) != STATUS_OK)
            return listing->error->status;
        span.passage = answer_span_passage(encoded, span.tokens);
        span.score = exp(logprob);
        give_span(listing,
                  answer_span_rank(encoded->encoding, outputs[OUTPUT_START], outputs[OUTPUT_END],
                                   span.tokens),
                  &span, logprob);
    }
    give_span(listing, answer->span_count + 1,
              &(struct answer_span){.tokens = {0, 1}, .score = answer->none}, log(answer->none));
    return STATUS_OK;
}

/* ---- The table ---- */

/* What a head for a task says comes first. */
static const struct {
    enum model_output output;
    const char *kind, *title;
    enum status (*list)(struct listing *listing);
} outputs[] = {
    {OUTPUT_CLASSES, "class", "class of the text", list_classes},
    {OUTPUT_TAGS, "tag", "tags of the words", list_tags},
    {OUTPUT_START, "span", "the answer to the question", list_spans},
    {OUTPUT_SENTENCE, "similarity", "similarity of the sentences", list_sentences},
    {OUTPUT_MLM, "word", "the masked word", list_words},
    {OUTPUT_LM, "word", "the word that comes next", list_words},
    {OUTPUT_RTD, "replaced", "whether the word was replaced", list_replaced},
    {OUTPUT_NSP, "pair", "whether B follows A", list_pair},
    {OUTPUT_SOP, "pair", "whether A and B are in order", list_pair},
};
#define OUTPUTS (LENGTH(outputs))

const char *answer_kind(enum model_output output)
{
    size_t i = 0;
    while (i + 1 < OUTPUTS && outputs[i].output != output)
        i++;
    return outputs[i].kind;
}

enum status answer_rows(const struct answer_source *source, enum model_output output,
                        answer_taker *take, void *to, struct error *error)
{
    struct listing listing = {.source = source,
                              .last = source->trace->layers - 1,
                              .take = take,
                              .to = to,
                              .error = error};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < OUTPUTS && status == STATUS_OK; i++) {
        listing.output = outputs[i].output;
        listing.title = outputs[i].title;
        if (output == OUTPUT_COUNT || output == listing.output)
            status = outputs[i].list(&listing);
    }
    return status;
}
