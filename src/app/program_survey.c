/* program_survey.c: opens a survey, and beside it the model that it is of. Where that isn't there
 * the survey is shown all the same: a recording of one token, which says so, stands in for it. */
#include "headlight/app/program.h"

#include "headlight/survey/gather.h"
#include "headlight/survey/survey_file.h"

#include <stdlib.h>

/* ---- The survey ---- */

/* Its view is shown unless another one is asked for. A figure that only some surveys have would be
 * an empty grid of others. */
enum status program_read_survey(struct program *program, struct error *error)
{
    static const enum state_field fields[] = {FIELD_CORPUS_METRIC, FIELD_CORPUS_AXIS};
    struct options *options = &program->options;
    if (!survey_is(options->open, "survey"))
        return STATUS_OK;
    if (survey_read(options->open, &program->survey, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < LENGTH(fields); i++)
        for (enum metric figure = METRIC_BEGIN; figure < METRIC_COUNT; figure++) {
            const char *value = options->values[fields[i]];
            if (value && strcmp(value, metric_infos[figure].name) == 0 &&
                !survey_figure(program->survey, figure))
                return error_usage(error, "--%s %s: expected a survey %s, found %s",
                                   field_info(fields[i])->name, value,
                                   figure == METRIC_EFFECT  ? "made with --effects"
                                   : figure == METRIC_MOVED ? "made with --against NAME"
                                   : figure >= METRIC_AER
                                       ? "of an encoder–decoder's cross-attention"
                                       : "of texts that attend to themselves",
                                   options->open);
        }
    if (!options->values[FIELD_VIEW])
        options->values[FIELD_VIEW] = view_name(VIEW_CORPUS);
    return STATUS_OK;
}

void program_take_example(struct program *program)
{
    const struct survey *survey = program->survey;
    const struct survey_example *first = &survey->examples[0];
    char *second;
    if (first->weight <= 0)
        return;
    free(program->input); /* which had no text */
    program->input = evidence_texts(first->text->key.names[1].bytes, &second);
    if (program->input)
        program->texts[program->text_count++] = text_of_string(program->input);
    if (program->input && second)
        program->texts[program->text_count++] = text_of_string(second);
}

/* ---- Its model ---- */

/* A safetensors file whose only token has all of the weight, in every head. */
static enum status open_stand_in(struct program *program, struct error *error)
{
    const struct survey *survey = program->survey;
    const size_t shape[] = {survey->heads, 1, 1};
    const float whole = 1;
    struct safetensors_header header;
    struct buffer buffer;
    char name[40];
    if (!buffer_open(&buffer))
        return error_memory(error, "the survey", sizeof buffer);
    safetensors_begin(&header);
    safetensors_add_text(&header, "tokens", "[\"(the model is not here)\"]");
    for (size_t layer = 0; layer < survey->layers; layer++) {
        format_cut(name, sizeof name, "layer.%zu.weights", layer);
        safetensors_add_tensor(&header, name, "F32", shape, 3);
    }
    const enum status status = safetensors_end(&header, buffer.stream, error);
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        fwrite(&whole, sizeof whole, 1, buffer.stream);
    program->stand_in = buffer_close(&buffer);
    if (status != STATUS_OK || !program->stand_in)
        return error_memory(error, "the survey", survey->layers * survey->heads * sizeof whole);
    return recording_from_memory(survey->origin.model, program->stand_in, buffer.length,
                                 &program->recording, error);
}

/* One that was asked for has to fit, with the layers and heads that the survey counted. The
 * survey's own is looked for by its name, which says nothing of where a folder was. The digest of
 * the weights would take seconds; where only these differ, the first example that is opened shows
 * it (session/example.c). */
enum status program_load_survey(struct program *program, const struct watch *watch,
                                struct error *error)
{
    struct options *options = &program->options;
    const struct survey *survey = program->survey;
    struct checkpoint *checkpoint = &program->checkpoint;
    const char *own = survey->origin.model, *name = options->model ? options->model : own;
    char digest[SHA256_DIGITS + 1];
    enum status status = checkpoint_open(checkpoint, name, options->family, watch, error);
    const struct config *config =
        status == STATUS_OK ? &checkpoint_stack(checkpoint, survey->site)->model->config : NULL;
    if (config && (survey->origin.site != NULL) != (checkpoint->decoder != NULL))
        status = error_set(error, STATUS_MISMATCH,
                           "%s: expected a model %s cross-attention, as that of the survey, found "
                           "one %s",
                           name, survey->origin.site ? "with" : "without",
                           survey->origin.site ? "without" : "with");
    else if (config && (config->layers != survey->layers || config->heads != survey->heads))
        status = error_set(error, STATUS_MISMATCH,
                           "%s: expected %zu layers of %zu heads, as the survey of %s has them, "
                           "found %zu of %zu",
                           name, survey->layers, survey->heads, own, config->layers, config->heads);
    if (status == STATUS_OK && survey->origin.site && !options->values[FIELD_SITE])
        options->values[FIELD_SITE] = survey->origin.site;
    if (status == STATUS_OK) {
        gather_digest_pieces(checkpoint->tokenizer, digest);
        if (strcmp(digest, survey->origin.tokenizer) != 0)
            format_cut(program->lacking, sizeof program->lacking,
                       "%s tokenizes texts differently from %s, the model of this survey: its "
                       "examples can't be opened",
                       checkpoint->name, own);
    }
    if (status == STATUS_OK || options->model || status == STATUS_CANCELLED ||
        status == STATUS_MEMORY)
        return status;
    checkpoint_close(checkpoint);
    *checkpoint = (struct checkpoint){.model = NULL};
    format_cut(program->lacking, sizeof program->lacking,
               "%s, the model of this survey, is not here: --model FOLDER opens it", own);
    return open_stand_in(program, error);
}
