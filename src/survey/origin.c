/* origin.c: which model and which texts a survey is of. Digests make sure that only what belongs
 * together is added up. */
#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/survey/gather.h"
#include "headlight/tensor/kernels.h"

#include <string.h>

/* Every piece and a line end, by their ids: of a WordPiece model the digest of its vocab.txt. */
void gather_digest_pieces(const struct tokenizer *tokenizer, char digest[SHA256_DIGITS + 1])
{
    struct sha256 hash;
    sha256_begin(&hash);
    for (size_t id = 0; id < tokenizer_size(tokenizer); id++) {
        const char *piece = tokenizer_piece(tokenizer, (int32_t)id);
        sha256_add(&hash, piece ? piece : "", piece ? strlen(piece) : 0);
        sha256_add(&hash, "\n", 1);
    }
    sha256_end(&hash, digest);
}

/* NULL without memory. */
static char *name_options(const struct gather_plan *plan, struct error *error)
{
    struct buffer buffer;
    if (buffer_open(&buffer)) {
        fputs(plan->options, buffer.stream);
        interventions_write(plan->changes ? plan->changes : forward_no_changes(), buffer.stream);
    }
    char *options = buffer_close(&buffer);
    if (!options)
        error_memory(error, "the survey", sizeof buffer);
    else if (*options)
        memmove(options, options + 2, strlen(options + 2) + 1); /* without the first ", " */
    return options;
}

static enum status name_origin(struct survey_origin *origin, const struct checkpoint *checkpoint,
                               const struct gather_plan *plan, struct error *error)
{
    char model[SHA256_DIGITS + 1], pieces[SHA256_DIGITS + 1];
    model_digest(checkpoint->model, model);
    gather_digest_pieces(checkpoint->tokenizer, pieces);
    origin->model = memory_print(error, "%s", checkpoint->name);
    origin->digest = memory_print(error, "%s", model);
    origin->tokenizer = memory_print(error, "%s", pieces);
    origin->kernels = memory_print(error, "%s", kernels_now()->bits);
    origin->options = name_options(plan, error);
    if (plan->against) {
        model_digest(plan->against->model, model);
        origin->against = memory_print(error, "%s", model);
    }
    return origin->model && origin->digest && origin->tokenizer && origin->kernels &&
                   origin->options && (origin->against || !plan->against)
               ? STATUS_OK
               : error->status;
}

enum status gather_begin(const struct checkpoint *checkpoint, const struct gather_plan *plan,
                         struct survey **survey, struct error *error)
{
    const struct config *config = model_config(checkpoint->model);
    const struct survey_key shard = {.kind = ROW_SHARD,
                                     .names[0] = text_of_string(plan->corpus),
                                     .numbers = {(int64_t)plan->part, (int64_t)plan->parts}};
    if (survey_new(plan->index ? 0 : config->layers, plan->index ? 0 : config->heads, survey,
                   error) == STATUS_OK &&
        name_origin(&(*survey)->origin, checkpoint, plan, error) == STATUS_OK &&
        survey_insert(*survey, &shard, error) &&
        (!plan->each_head || survey_want(*survey, SURVEY_EFFECT, error) == STATUS_OK) &&
        (!plan->against || survey_want(*survey, SURVEY_MOVED, error) == STATUS_OK))
        return STATUS_OK;
    survey_free(*survey);
    *survey = NULL;
    return error->status;
}
