/* program_survey.c: opens a survey, and beside it the model that it is of. Where that isn't there
 * the survey is shown all the same: a recording of one token, which says so, stands in for it. */
#include "headlight/app/program.h"

#include "headlight/base/format.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/gather.h"
#include "headlight/survey/survey_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- The survey ---- */

/* A figure that only some surveys have would be an empty grid. */
static enum status check_figures(const struct program *program, struct error *error)
{
    static const enum state_field fields[] = {FIELD_CORPUS_FIGURE, FIELD_CORPUS_AXIS};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        for (enum survey_figure figure = SURVEY_ALWAYS; figure < SURVEY_FIGURE_COUNT; figure++) {
            const char *value = program->options.values[fields[i]];
            if (value && strcmp(value, survey_figures[figure].name) == 0 &&
                !survey_has(program->survey, figure))
                return error_set(error, STATUS_USAGE,
                                 "--%s %s: expected a survey made with %s, found %s without",
                                 field_info(fields[i])->name, value,
                                 figure == SURVEY_EFFECT ? "--effects" : "--against NAME",
                                 program->options.open);
        }
    return STATUS_OK;
}

/* Its view is shown unless another one is asked for. */
enum status program_read_survey(struct program *program, struct error *error)
{
    struct options *options = &program->options;
    if (!options->open || !survey_is(options->open))
        return STATUS_OK;
    if (survey_read(options->open, &program->survey, error) != STATUS_OK ||
        check_figures(program, error) != STATUS_OK)
        return error->status;
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

/* The survey belongs to the program, and outlives the session. */
void program_show_survey(struct program *program, bool chosen)
{
    struct session *session = &program->session;
    struct look look = session->state.look;
    session->data.survey = program->survey;
    format_cut(session->data.lacking, sizeof session->data.lacking, "%s", program->lacking);
    if (chosen)
        return;
    evidence_first_head(program->survey, &look.layer, &look.head);
    look_show_alone(&look, look.head);
    session_show(session, &look);
}

/* ---- Its model ---- */

/* A safetensors file whose only token has all of the weight, in every head. */
static void write_stand_in(const struct survey *survey, FILE *stream)
{
    const size_t layers = survey->layers, heads = survey->heads;
    const float whole = 1;
    struct buffer header;
    if (!buffer_open(&header))
        return;
    fputs("{\"__metadata__\":{\"tokens\":\"[\\\"(the model is not here)\\\"]\"}", header.stream);
    for (size_t layer = 0; layer < layers; layer++)
        fprintf(header.stream,
                ",\"layer.%zu.weights\":{\"dtype\":\"F32\",\"shape\":[%zu,1,1],\"data_offsets\":["
                "%zu,%zu]}",
                layer, heads, layer * heads * sizeof whole, (layer + 1) * heads * sizeof whole);
    fputc('}', header.stream);
    for (fflush(header.stream); header.length % 8 != 0; fflush(header.stream))
        fputc(' ', header.stream);
    char *text = buffer_close(&header);
    for (size_t i = 0; text && i < 8; i++)
        fputc((int)(header.length >> 8 * i & 0xFF), stream);
    fwrite(text ? text : "", 1, text ? header.length : 0, stream);
    for (size_t i = 0; i < layers * heads; i++)
        fwrite(&whole, sizeof whole, 1, stream);
    free(text);
}

static enum status open_stand_in(struct program *program, struct error *error)
{
    const struct survey *survey = program->survey;
    struct buffer buffer;
    if (buffer_open(&buffer))
        write_stand_in(survey, buffer.stream);
    program->stand_in = buffer_close(&buffer);
    if (!program->stand_in)
        return error_memory(error, "the survey", survey->layers * survey->heads * sizeof(float));
    return recording_from_memory(survey->origin.model, program->stand_in, buffer.length,
                                 &program->recording, error);
}

/* Whether it has the layers and heads that the survey counted. */
static enum status check_shape(const struct program *program, const char *name, struct error *error)
{
    const struct survey *survey = program->survey;
    const struct config *config = model_config(program->checkpoint.model);
    if (config->layers == survey->layers && config->heads == survey->heads)
        return STATUS_OK;
    return error_set(error, STATUS_MISMATCH,
                     "%s: expected %zu layers of %zu heads, as the survey of %s has them, found "
                     "%zu of %zu",
                     name, survey->layers, survey->heads, survey->origin.model, config->layers,
                     config->heads);
}

/* The digest of the weights would take seconds; where only these differ, the first example that is
 * opened shows it (session/example.c). */
static void compare_pieces(struct program *program)
{
    char digest[SHA256_DIGITS + 1];
    const struct survey_origin *origin = &program->survey->origin;
    gather_digest_pieces(program->checkpoint.tokenizer, digest);
    if (strcmp(digest, origin->tokenizer) != 0)
        format_cut(program->lacking, sizeof program->lacking,
                   "%s tokenizes texts differently from %s, the model of this survey: its "
                   "examples can't be opened",
                   program->checkpoint.name, origin->model);
}

/* One that was asked for has to fit. The survey's own is looked for by its name, which says nothing
 * of where a folder was. */
enum status program_load_survey(struct program *program, const struct watch *watch,
                                struct error *error)
{
    const struct options *options = &program->options;
    const char *own = program->survey->origin.model;
    const char *name = options->model ? options->model : own;
    enum status status = checkpoint_open(&program->checkpoint, name, options->family, watch, error);
    if (status == STATUS_OK)
        status = check_shape(program, name, error);
    if (status == STATUS_OK)
        compare_pieces(program);
    if (status == STATUS_OK || options->model || status == STATUS_CANCELLED ||
        status == STATUS_MEMORY)
        return status;
    checkpoint_close(&program->checkpoint);
    program->checkpoint = (struct checkpoint){.model = NULL};
    format_cut(program->lacking, sizeof program->lacking,
               "%s, the model of this survey, is not here: --model FOLDER opens it", own);
    return open_stand_in(program, error);
}
