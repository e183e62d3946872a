/* translation.c: runs an encoder–decoder as the program opens. What it computed is then shown as a
 * recording of three attentions is: nothing of it is computed again. */
#include "headlight/app/translation.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/lens/generate.h"
#include "headlight/model/hub.h"

#include <stdlib.h>
#include <string.h>

/* Tokens of a target that the model makes, unless --generate says how many. */
#define MOST 64

bool translation_is_due(const struct program *program)
{
    return program->checkpoint.model && !program->recording &&
           model_decoder(program->checkpoint.model);
}

struct translation {
    const struct program *program;
    const struct checkpoint *checkpoint;
    const struct config *config; /* the decoder's */
    const struct tokenizer *tokenizer;
    size_t given, most; /* texts, and tokens to be generated */
    struct generated generated;
    const char *last;        /* what the last row says, as far as it is known */
    struct encoded *encoded; /* the ring, computed */
};

/* Nothing that would be ignored is accepted. */
static enum status check_options(const struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    const char *what = options->against                                        ? "--against"
                       : options->lesson                                       ? "--lesson"
                       : options->corpus && options->command != COMMAND_SURVEY ? options->corpus
                                                                               : NULL;
    char name[64];
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (options->values[field] && (field_is_network(field) || field == FIELD_MASK)) {
            format_cut(name, sizeof name, "--%s", field_info(field)->name);
            what = name;
        }
    if (program->text_count > 1 && !program->example && options->generate + options->search.beams)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected one text, the source, found a target as well",
                         options->generate > 0 ? "generate" : "beams");
    return what ? error_set(error, STATUS_UNSUPPORTED,
                            "%s: expected a model of one stack of layers, found an "
                            "encoder–decoder (%s), which reads one source as it was trained",
                            what, model_config(program->checkpoint.model)->family->name)
                : STATUS_OK;
}

/* The example is the source alone; a model that is built in may have one of its own. */
static void take_example(struct program *program)
{
    for (size_t i = 0; program->example && i < BUILT_INS; i++)
        if (built_in[i].example && strcmp(program->checkpoint.name, built_in[i].name) == 0)
            program->texts[0] = text_of_string(built_in[i].example);
}

/* Both texts, and what was generated, through both stacks; rows of the target may be there already.
 * An end is said and not read. */
static enum status run(struct translation *translation, const struct trace *target,
                       struct error *error)
{
    struct encoded *longer;
    struct generated *made = &translation->generated;
    if (made->count > 0 && config_ends_at(translation->config, made->ids[made->count - 1]))
        translation->last = tokenizer_label(translation->tokenizer, made->ids[--made->count]);
    const struct reading how = {
        .special = !field_is_on(translation->program->options.values[FIELD_NO_SPECIAL]),
        .logits = true,
        .spaced = translation->program->spaced,
        .generated = made};
    if (encoded_stacks(translation->checkpoint, translation->program->texts, translation->given,
                       how, &longer, error) != STATUS_OK)
        return error->status;
    if (translation->encoded)
        encoded_adopt(translation->encoded, NULL, longer);
    if (target)
        forward_adopt(target, NULL, encoded_of_site(longer, SITE_DECODER)->trace);
    encoded_free(translation->encoded);
    translation->encoded = longer;
    return encoded_run(translation->checkpoint, NULL, NULL, longer, error);
}

/* Token by token. */
static enum status generate(struct translation *translation, struct error *error)
{
    struct sampling sampling = translation->program->options.sampling;
    struct trace *target;
    sampling.seed = translation->program->options.choice.seed;
    sampling.most = translation->most;
    enum status status =
        generate_text(model_decoder(translation->checkpoint->model),
                      encoded_of_site(translation->encoded, SITE_DECODER)->trace, &sampling,
                      size_min(translation->most, translation->config->longest - 1),
                      translation->generated.ids, &translation->generated.count, &target, error);
    if (status == STATUS_OK && translation->generated.count > 0)
        status = run(translation, target, error);
    free(target);
    return status;
}

/* The likeliest whole target of several. */
static enum status search(struct translation *translation, struct error *error)
{
    struct generated *made = &translation->generated;
    struct beam_search how = translation->program->options.search;
    how.most = size_min(translation->most, translation->config->longest - 1);
    how.length_penalty = how.length_penalty > 0 ? how.length_penalty : 1;
    if (generate_beams(model_decoder(translation->checkpoint->model),
                       encoded_of_site(translation->encoded, SITE_ENCODER)->trace, NULL, &how, NULL,
                       made->ids, &made->count, error) != STATUS_OK)
        return error->status;
    return run(translation, NULL, error);
}

/* What was generated is the target's text. */
static enum status take_target(const struct translation *translation, struct encoded *encoded,
                               struct error *error)
{
    struct text *target = &encoded->texts[encoded->text_count - 1];
    char *text = encoded_spell_generated(encoded_of_site(encoded, SITE_DECODER),
                                         translation->tokenizer, error);
    if (!text)
        return error->status;
    free((char *)target->bytes);
    *target = text_of_string(text);
    encoded->generated = translation->generated;
    return STATUS_OK;
}

/* Rows of the decoder read a token and say the next. As of a recording, nobody asks where in the
 * text a token stands. */
static enum status finish(struct translation *translation, struct error *error)
{
    struct encoded *first = translation->encoded, *one = first;
    enum status status = STATUS_OK;
    do {
        if (one->site != SITE_ENCODER && status == STATUS_OK)
            status = encoded_say(one, translation->last, error);
        if (one->site != SITE_ENCODER && status == STATUS_OK && translation->given == 1)
            status = take_target(translation, one, error);
        free(one->encoding);
        one->encoding = NULL;
    } while ((one = one->next) != first);
    return status;
}

enum status translation_begin(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    const struct checkpoint *checkpoint = &program->checkpoint;
    struct translation translation = {.program = program,
                                      .checkpoint = checkpoint,
                                      .config = model_config(model_decoder(checkpoint->model)),
                                      .tokenizer = checkpoint->target_tokenizer
                                                       ? checkpoint->target_tokenizer
                                                       : checkpoint->tokenizer,
                                      .given = program->example ? 1 : program->text_count,
                                      .last = "…"};
    take_example(program);
    enum status status = check_options(program, error);
    if (status == STATUS_OK)
        status = run(&translation, NULL, error);
    translation.most = translation.given > 1 ? 0 : options->generate > 0 ? options->generate : MOST;
    if (translation.given > 1 && translation.config->end_count > 0)
        translation.last = tokenizer_label(translation.tokenizer, translation.config->ends[0]);
    if (status == STATUS_OK && options->search.beams > 1 && translation.given == 1)
        status = search(&translation, error);
    else if (status == STATUS_OK)
        status = generate(&translation, error);
    if (status == STATUS_OK)
        status = finish(&translation, error);
    if (status != STATUS_OK) {
        encoded_free(translation.encoded);
        return status;
    }
    if (session_begin_encoded(&program->session, checkpoint->name, translation.config->family->name,
                              encoded_of_site(translation.encoded, SITE_CROSS), error) != STATUS_OK)
        return error->status;
    texts_set(&program->session.state.source.texts, program->texts[0].bytes,
              translation.given > 1 ? program->texts[1].bytes : NULL);
    return STATUS_OK;
}
