/* model.c: opens a checkpoint's folder, or the same files in memory: the configuration first, since
 * every shape follows from it, then the weights. */
#include "headlight/model/model.h"

#include "headlight/base/memory.h"

/* Once more, when it is known whether the file has a classifier: without one nobody asks what its
 * outputs are called. One whose labels can't be used is left out, and the note says why. */
static enum status read_labels(const struct file_text *file, struct model *model,
                               struct error *error)
{
    struct config *config = &model->config;
    struct labels *labels = &model->labels;
    const size_t outputs = weights_classes(config, model->store);
    sha256_init(&model->hash);
    sha256_update(&model->hash, file->length, (const uint8_t *)file->bytes);
    const struct json_reader in = json_reader(file->json, "config.json", error);
    enum status status = labels_read(&in, labels);
    const bool used = outputs > 0 && labels->task != TASK_SPAN && labels->task != TASK_CHOICE;
    if (status == STATUS_OK && used && !labels->count_stated)
        status = labels_number(labels, outputs, error);
    if (status == STATUS_OK && used && labels->count != outputs)
        status = error_set(error, STATUS_MISMATCH,
                           "config.json: expected a label for each of the classifier's %zu "
                           "outputs, found %zu",
                           outputs, labels->count);
    if (status != STATUS_OK)
        labels->count = 0;
    if (status != STATUS_OK && used)
        format_cut(model->note, sizeof model->note, "%s: its answers are left out", error->message);
    config->labels = labels->count;
    config->task = labels->task;
    config->tagged = labels->tagged;
    return status == STATUS_MEMORY ? status : STATUS_OK;
}

/* What a reader of the answers has to know of the heads: those that are not used, or not there. */
static void write_note(struct model *model)
{
    static const struct {
        enum model_output output;
        const char *name;
    } tasks[] = {[TASK_SEQUENCE] = {OUTPUT_CLASSES, "a classifier of texts"},
                 [TASK_TOKENS] = {OUTPUT_TAGS, "a classifier of tokens"},
                 [TASK_SPAN] = {OUTPUT_START, "a head that answers questions"},
                 [TASK_CHOICE] = {OUTPUT_COUNT, NULL}};
    const struct weights *weights = &(model->decoder ? model->decoder : model)->weights;
    const enum head_task task = model->config.task;
    const char *unknown = weights->unknown;
    const struct rotation *rotation = &model->config.rotations[0];
    if (model->note[0])
        return;
    if (rotation->kind == ROPE_YARN &&
        fabs(rotation->factor * rotation->original - (double)model->config.positions) > 0.5)
        format_cut(model->note, sizeof model->note,
                   "transformers before 5 reads config.json's yarn otherwise: \"factor\" %g is not "
                   "\"max_position_embeddings\" %zu / \"original_max_position_embeddings\" %g",
                   rotation->factor, model->config.positions, rotation->original);
    else if (unknown && task == TASK_NONE && strncmp(unknown, "classifier.", 11) == 0)
        format_cut(model->note, sizeof model->note,
                   "\"%s\" may be of texts or of tokens: name the class, such as "
                   "\"%sForTokenClassification\", in config.json's \"architectures\"",
                   unknown, model->config.family->class);
    else if (unknown)
        format_cut(model->note, sizeof model->note,
                   "the checkpoint has a head that headlight does not know and leaves out: \"%s\"",
                   unknown);
    else if (tasks[task].name && !weights->has[tasks[task].output])
        format_cut(model->note, sizeof model->note,
                   "config.json names %s, and the file has none: it was not trained for that",
                   tasks[task].name);
}

/* The files are opened first, as the labels depend on whether there is a classifier, but what is
 * wrong with the configuration is said first. A file of the encoder alone has none of the decoder's
 * tensors. */
static enum status open_files(struct model *model, const struct files *files, const char *family,
                              const struct watch *watch, struct error *error)
{
    struct error later;
    const enum status opened = store_open(files, watch, &model->store, &later);
    if (opened != STATUS_CANCELLED) {
        struct file_text file;
        enum status status =
            config_read(files, family, &model->config, &model[1].config, &file, error);
        if (status == STATUS_OK && model->store && (family || model->config.family->nested))
            weights_find_prefix(model->store, &model->config);
        if (status == STATUS_OK)
            status = sentence_bind(&model->sentence, model->config.hidden, error);
        if (status == STATUS_OK && model->store)
            status = read_labels(&file, model, error);
        file_text_free(&file);
        if (status != STATUS_OK)
            return status;
    }
    if (opened != STATUS_OK) {
        *error = later;
        return opened;
    }
    struct model *decoder = model[1].config.family ? &model[1] : NULL;
    enum status status = weights_bind(&model->weights, &model->config, model->store, watch, error);
    if (status != STATUS_OK || !decoder)
        return status;
    decoder->store = model->store;
    if (weights_lack_layers(&decoder->config, decoder->store))
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected both stacks of %s, found no decoder: headlight needs the "
                         "whole checkpoint, such as %sForConditionalGeneration",
                         model->store->source, decoder->config.family->name,
                         decoder->config.family->class);
    model->decoder = decoder;
    return weights_bind(&decoder->weights, &decoder->config, decoder->store, watch, error);
}

/* A bare encoder is taken for one of sentences, as sentence-transformers does. store_check comes
 * last: a file that was overwritten meanwhile explains any other error. */
enum status model_read(const struct files *files, const char *family, const struct watch *watch,
                       struct model **result, struct error *error)
{
    *result = NULL;
    if (!files->given && !file_exists(files->folder))
        return error_set(error, STATUS_IO,
                         "%s: expected a folder with config.json and model.safetensors, found none",
                         files->folder);
    struct model *model = memory_new(2, sizeof *model, 0, "the model", error);
    if (!model)
        return error->status;
    struct model *decoder = &model[1];
    struct sentence_model *sentence = &model->sentence;
    enum status status = files->given ? STATUS_OK : sentence_open(files->folder, sentence, error);
    const struct files encoder =
        files->given ? *files : (struct files){model->sentence.folders[SENTENCE_TRANSFORMER], NULL};
    if (status == STATUS_OK)
        status = open_files(model, &encoder, family, watch, error);
    if (model->store)
        status = store_check(model->store, status, error);
    if (status != STATUS_OK) {
        model_free(model);
        return status;
    }
    if (!model->config.family->transposed) /* else they were copied */
        model->config.mapped = weights_bytes(&model->weights, &model->config);
    if (model->decoder)
        model->config.mapped += weights_bytes(&decoder->weights, &decoder->config);
    decoder->config.mapped = model->config.mapped;
    model->config.speeds = model->weights.speeds;
    write_note(model);
    bool bare = sentence->folder && !sentence->given && !model->weights.unknown &&
                model->config.task == TASK_NONE;
    for (enum model_output output = 0; output < OUTPUT_COUNT; output++)
        bare &= output == OUTPUT_POOLED || !model->weights.has[output];
    if (bare)
        sentence_assume_mean(sentence, model->config.hidden);
    model->config.sentence = sentence->made ? sentence : NULL;
    if (sentence->note[0])
        format_add(model->note, sizeof model->note, "%s%s", model->note[0] ? "; " : "",
                   sentence->note);
    *result = model;
    return STATUS_OK;
}

void model_free(struct model *model)
{
    if (!model)
        return;
    labels_free(&model->labels);
    weights_free(&model->weights);
    weights_free(&model[1].weights);
    sentence_free(&model->sentence);
    store_close(model->store);
    free(model);
}

void model_digest(const struct model *model, char digest[SHA256_DIGITS + 1])
{
    struct sha256_ctx hash = model->hash;
    for (size_t i = 0; i < model->store->count; i++)
        sha256_update(&hash, model->store->files[i]->size, model->store->files[i]->bytes);
    sha256_write(&hash, digest);
}
