/* generate.c: chooses the next token, by the logits at the last one. */
#include "headlight/lens/generate.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/lens/predict.h"

/* The kernels' softmax has the same bits on every machine, unlike a library's exp. */
static enum status draw(const float *logits, size_t vocabulary, const struct sampling *sampling,
                        size_t index, int32_t *id, struct error *error)
{
    const size_t most = sampling->top_k > 0 ? size_min(sampling->top_k, vocabulary) : vocabulary;
    struct prediction *best =
        memory_new(most, sizeof *best, 2 * vocabulary * sizeof(float), "the next token", error);
    if (!best)
        return error->status;
    float *weights = (float *)(void *)(best + most), *scores = weights + vocabulary;
    double kept = 0, sum = 0, passed = 0;
    size_t count = 0, chosen = 0;
    memcpy(scores, logits, vocabulary * sizeof *scores);
    kernels_now()->softmax((float)(1 / sampling->temperature), vocabulary, scores, weights);
    predict_best(logits, vocabulary, 0, best, most);
    for (size_t i = 0; i < most; i++)
        kept += (double)weights[best[i].id];
    const double wanted = sampling->top_p > 0 ? sampling->top_p * kept : kept;
    while (count < most && (count == 0 || sum < wanted))
        sum += (double)weights[best[count++].id];
    uint64_t x = sampling->seed + (uint64_t)index * 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    const double drawn = (double)((x ^ (x >> 31)) >> 11) * 0x1p-53 * sum; /* from 0 to below it */
    while (chosen + 1 < count && (passed += (double)weights[best[chosen].id]) <= drawn)
        chosen++;
    *id = best[chosen].id;
    free(best);
    return STATUS_OK;
}

/* ---- Rules -------------------------------------------------------------------------------- */

/* The logits behind the last token, a copy, with the model's rules for what may follow (a target's
 * start is counted); the id that must, or -1; and, unless NULL, the logarithm of the sum of their
 * exponentials, before any rule or, where that is one, after all. */
static float *next_logits(const struct model *model, const struct trace *trace, size_t most,
                          double *total, int32_t *forced, struct error *error)
{
    const struct config *config = &model->config;
    const struct rules *rules = &config->rules;
    const int32_t *ids = trace->ids;
    const size_t count = trace->tokens, n = rules->no_repeat;
    struct head_rows *rows = NULL;
    const float *logits = predict_words(model, trace, trace->tokens - 1, &rows, error);
    float *copy =
        logits ? memory_new(trace->vocabulary, sizeof *copy, 0, "the next token", error) : NULL;
    *forced = -1;
    if (copy)
        memcpy(copy, logits, trace->vocabulary * sizeof *copy);
    if (copy && total)
        *total = predict_total(copy, trace->vocabulary, NULL);
    for (size_t i = 0; copy && i < count; i++) {
        const double score = (double)logits[ids[i]] - (total ? *total : 0);
        const double factor = score < 0 ? rules->repetition : 1 / rules->repetition;
        copy[ids[i]] = logits[ids[i]] + (float)(score * (factor - 1));
    }
    free(rows);
    /* a run of n tokens that is there already */
    for (size_t i = 0; copy && n > 0 && i + n <= count; i++)
        if (memcmp(ids + i, ids + count + 1 - n, (n - 1) * sizeof *ids) == 0)
            copy[ids[i + n - 1]] = -INFINITY;
    for (size_t i = 0; copy && i < rules->bad_count; i++)
        if (!config_ends_at(config, rules->bad[i]))
            copy[rules->bad[i]] = -INFINITY;
    for (size_t i = 0; copy && count < rules->shortest && i < config->end_count; i++)
        copy[config->ends[i]] = -INFINITY;
    if (copy && total && rules->normalised)
        *total = predict_total(copy, trace->vocabulary, NULL);
    *forced = count == most && rules->last >= 0 ? rules->last : count == 1 ? rules->first : -1;
    return copy;
}

enum status generate_text(const struct model *model, const struct trace *trace,
                          const struct sampling *sampling, size_t most, int32_t *ids, size_t *count,
                          struct trace **longer, struct error *error)
{
    enum status status = STATUS_OK;
    *longer = NULL;
    for (*count = 0; status == STATUS_OK && *count < most;) {
        struct trace now = *longer ? **longer : *trace;
        now.tokens = trace->tokens + *count;
        int32_t forced;
        float *logits = next_logits(model, &now, sampling->most, NULL, &forced, error);
        status = logits ? STATUS_OK : error->status;
        if (logits && forced >= 0)
            ids[*count] = forced;
        else if (logits && sampling->temperature > 0)
            status = draw(logits, now.vocabulary, sampling, now.tokens, &ids[*count], error);
        else if (logits)
            ids[*count] = (int32_t)predict_likeliest(logits, now.vocabulary);
        free(logits);
        if (status != STATUS_OK || config_ends_at(&model->config, ids[(*count)++]))
            break;
        if (*count < most)
            status = forward_append(model, trace, now.tokens, ids[*count - 1], longer, error);
    }
    return status;
}

/* ---- Beams -------------------------------------------------------------------------------- */

/* A target that goes on, or has ended. */
struct beam {
    double worth;        /* the sum of its tokens' log-probabilities, or what that makes it worth */
    size_t count, from;  /* its tokens, and of which one before it goes on */
    struct trace *trace; /* of its pass, where it goes on */
    int32_t ids[1 + GENERATED_MAX]; /* its start first */
};

struct candidate {
    double sum;
    size_t beam;
    int32_t id;
};

#define CANDIDATES_MAX (BEAMS_MAX * (1 + CONFIG_ENDS_MAX))

struct search {
    const struct model *decoder;
    const struct trace *encoder;
    const struct interventions *changes;
    const struct beam_search *how;
    size_t running, ended, wanted, found;
    struct beam now[BEAMS_MAX], next[BEAMS_MAX], done[BEAMS_MAX + 1];
    struct candidate best[CANDIDATES_MAX + 1];
    struct error *error;
};

/* Puts a candidate among the best, behind those that are as good. */
static void offer(struct search *search, struct candidate candidate)
{
    size_t at = search->found;
    if (!(candidate.sum > (at == search->wanted ? search->best[at - 1].sum : -INFINITY)))
        return;
    for (; at > 0 && search->best[at - 1].sum < candidate.sum; at--)
        search->best[at] = search->best[at - 1];
    search->best[at] = candidate;
    search->found = size_min(search->found + 1, search->wanted);
}

/* The pass of a target, which takes over that of the one from which it goes on, and what follows.
 */
static enum status go_on(struct search *search, size_t index, const struct trace *from)
{
    struct beam *beam = &search->now[index];
    double total;
    int32_t forced;
    if (forward_prepare(search->decoder, search->encoder, beam->ids, NULL, beam->count + 1, false,
                        &beam->trace, search->error) != STATUS_OK)
        return search->error->status;
    if (from)
        forward_adopt(from, search->changes, beam->trace);
    if (forward_run(search->decoder, search->changes, NULL, beam->trace, search->error) !=
        STATUS_OK)
        return search->error->status;
    float *logits = next_logits(search->decoder, beam->trace, search->how->most, &total, &forced,
                                search->error);
    for (size_t id = 0; logits && id < beam->trace->vocabulary; id++)
        if (forced < 0 || id == (size_t)forced)
            offer(search,
                  (struct candidate){beam->worth + (forced < 0 ? (double)logits[id] - total : 0),
                                     index, (int32_t)id});
    free(logits);
    return logits ? STATUS_OK : search->error->status;
}

/* A target with one token more. */
static void extend(const struct search *search, const struct candidate *candidate, double worth,
                   struct beam *beam)
{
    *beam = search->now[candidate->beam];
    beam->ids[++beam->count] = candidate->id;
    beam->worth = worth;
    beam->from = candidate->beam;
}

/* The best first, the others behind the last one that is kept. */
static void end(struct search *search, const struct candidate *candidate, double worth)
{
    size_t at = search->ended;
    for (; at > 0 && search->done[at - 1].worth < worth; at--)
        search->done[at] = search->done[at - 1];
    extend(search, candidate, worth, &search->done[at]);
    search->ended = size_min(search->ended + 1, search->how->beams);
}

/* One token more of all targets. Whether there is another one to come. */
static bool choose(struct search *search)
{
    const struct beam_search *how = search->how;
    const struct config *config = &search->decoder->config;
    const size_t n = search->now[0].count + 1, K = how->beams;
    const bool last = n == how->most;
    const double length =
        how->early == EARLY_NEVER && how->length_penalty > 0 ? (double)how->most : (double)n;
    size_t running = 0;
    for (size_t i = 0; i < search->found; i++) {
        const struct candidate *candidate = &search->best[i];
        const bool ends = config_ends_at(config, candidate->id);
        if (i < K && (ends || last) && !(how->early == EARLY_TRUE && search->ended == K))
            end(search, candidate, candidate->sum / pow((double)n, how->length_penalty));
        if (!ends && running < K)
            extend(search, candidate, candidate->sum, &search->next[running++]);
    }
    search->running = running;
    if (last || running == 0 || (search->ended == K && how->early == EARLY_TRUE))
        return false;
    return search->ended < K ||
           search->next[0].worth / pow(length, how->length_penalty) > search->done[K - 1].worth;
}

enum status generate_beams(const struct model *decoder, const struct trace *encoder,
                           const struct interventions *changes, const struct beam_search *how,
                           const struct watch *watch, int32_t *ids, size_t *count,
                           struct error *error)
{
    const struct config *config = &decoder->config;
    struct search *search = memory_new(1, sizeof *search, 0, "the beams", error);
    if (!search)
        return error->status;
    search->decoder = decoder;
    search->encoder = encoder;
    search->changes = changes;
    search->how = how;
    search->running = 1;
    search->wanted = size_max(2, 1 + config->end_count) * how->beams;
    search->error = error;
    search->now[0].ids[0] = config->rules.start;
    struct trace *from[BEAMS_MAX] = {0};
    enum status status = STATUS_OK;
    for (bool more = true; status == STATUS_OK && more;) {
        search->found = 0;
        for (size_t i = 0; status == STATUS_OK && i < search->running; i++)
            status = go_on(search, i, from[search->now[i].from]);
        for (size_t i = 0; i < BEAMS_MAX; i++) {
            free(from[i]);
            from[i] = search->now[i].trace;
            search->now[i].trace = NULL;
        }
        if (status != STATUS_OK)
            break;
        more = choose(search);
        memcpy(search->now, search->next, sizeof search->now);
        if (more)
            status = watch_step(watch, search->now[0].count, how->most, error);
    }
    for (size_t i = 0; i < BEAMS_MAX; i++)
        free(from[i]);
    *count = status == STATUS_OK && search->ended > 0 ? search->done[0].count : 0;
    memcpy(ids, search->done[0].ids + 1, *count * sizeof *ids);
    free(search);
    return status;
}
