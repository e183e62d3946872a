/* sentence.c: reads the modules of a sentence-transformers folder (sentence_embed.c carries them
 * out). A matrix here has a thousandth of an encoder's weights, so it is widened to floats when it
 * is read, and one thread multiplies with it. */
#include "headlight/model/sentence.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matrix.h"
#include "headlight/tensor/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define POOLING_NAME(pooling, name, key) name,
#define POOLING_KEY(pooling, name, key)  key,
#define SIMILARITY_NAME(function, name)  name,
static const char *const pooling_names[] = {POOLINGS(POOLING_NAME)};
static const char *const pooling_keys[] = {POOLINGS(POOLING_KEY)};
static const char *const similarity_names[] = {SIMILARITIES(SIMILARITY_NAME)};
static const char *const module_names[] = {"Transformer", "Pooling", "Dense", "Normalize"};

/* ---- Files -------------------------------------------------------------------------------- */

/* Takes from the object or list of a file, `source`, what it says. */
typedef enum status reader(struct sentence_model *sentence, const cJSON *json, const char *source,
                           struct error *error);

static reader read_modules;

/* An absent file says nothing, unless it is required. */
static enum status read_file(struct sentence_model *sentence, const char *folder, const char *name,
                             bool required, reader *read, struct error *error)
{
    struct file_text file;
    enum status status =
        files_read(&(struct files){folder, NULL}, name, JSON_BYTES_MAX, required, &file, error);
    if (status == STATUS_OK && file.bytes)
        status = (read == read_modules ? json_parse_array : json_parse_object)(
            file.bytes, file.length, file.path, &file.json, error);
    if (status == STATUS_OK && file.bytes)
        status = read(sentence, file.json, file.path, error);
    file_text_free(&file);
    return status;
}

/* "Tanh" of "torch.nn.modules.activation.Tanh". */
static const char *last_part(const char *dotted)
{
    const char *dot = strrchr(dotted, '.');
    return dot ? dot + 1 : dotted;
}

/* ---- Which modules there are, and the settings beside them --------------------------------- */

/* A folder below the checkpoint's, or itself for "". */
static enum status take_folder(struct sentence_model *sentence, size_t module, const char *path,
                               const char *source, struct error *error)
{
    if (path[0] == '/' || strstr(path, ".."))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a \"path\" inside the folder, found \"%.100s\"", source,
                         path);
    char *joined = *path ? path_join(sentence->folder, path) : strdup(sentence->folder);
    if (!joined)
        return error_memory(error, "a file name", strlen(path));
    free(sentence->folders[module]);
    sentence->folders[module] = joined;
    return STATUS_OK;
}

/* A module that isn't known, or not at this place, changes what all that follow are given. */
static enum status take_module(struct sentence_model *sentence, const cJSON *item,
                               const char *source, size_t *last, struct error *error)
{
    const char *type = "", *path = "";
    if (json_read_string(item, "type", source, &type, error) != STATUS_OK ||
        json_read_string(item, "path", source, &path, error) != STATUS_OK)
        return error->status;
    type = last_part(type);
    if (strcmp(type, "Dropout") == 0)
        return STATUS_OK;
    size_t module = 0;
    while (module < SENTENCE_MODULES && strcmp(module_names[module], type) != 0)
        module++;
    if (module == SENTENCE_MODULES || (module > SENTENCE_TRANSFORMER && module <= *last)) {
        const bool known = module < SENTENCE_MODULES;
        format_add(sentence->note, sizeof sentence->note,
                   "%sthe sentence module %.60s is not supported%s%s", *sentence->note ? "; " : "",
                   type, known ? " behind " : "", known ? module_names[*last] : "");
        sentence->made = false;
        return STATUS_OK;
    }
    *last = module;
    sentence->normalized |= module == SENTENCE_NORMALIZE;
    return take_folder(sentence, module, path, source, error);
}

static enum status read_modules(struct sentence_model *sentence, const cJSON *list,
                                const char *source, struct error *error)
{
    size_t last = SENTENCE_TRANSFORMER;
    const cJSON *item;
    sentence->given = sentence->made = true;
    cJSON_ArrayForEach(item, list) if (take_module(sentence, item, source, &last, error) !=
                                       STATUS_OK) return error->status;
    if (sentence->made && !sentence->folders[SENTENCE_POOLING]) {
        format_cut(sentence->note, sizeof sentence->note,
                   "modules.json has no Pooling: there is no vector of a sentence");
        sentence->made = false;
    }
    return STATUS_OK;
}

/* Lengths are in tokens, special ones too. */
static enum status read_settings(struct sentence_model *sentence, const cJSON *object,
                                 const char *source, struct error *error)
{
    if (json_read_size(object, "max_seq_length", source, &sentence->longest, error) != STATUS_OK)
        return error->status;
    return json_read_bool(object, "do_lower_case", source, &sentence->lower_case, error);
}

/* What counts where max_seq_length is absent; a tokenizer without a limit says 1e30. */
static enum status read_tokenizer(struct sentence_model *sentence, const cJSON *object,
                                  const char *source, struct error *error)
{
    double most = 0;
    if (json_read_number(object, "model_max_length", source, &most, error) != STATUS_OK)
        return error->status;
    if (sentence->longest == 0 && most >= 1 && most < 1e9)
        sentence->longest = (size_t)most;
    return STATUS_OK;
}

/* A default prompt is not put in front: what the user types is what the model reads. */
static enum status read_comparison(struct sentence_model *sentence, const cJSON *object,
                                   const char *source, struct error *error)
{
    const char *name = similarity_names[SIMILARITY_COSINE], *prompt = NULL, *text = NULL;
    if (json_read_string(object, "similarity_fn_name", source, &name, error) != STATUS_OK ||
        json_read_string(object, "default_prompt_name", source, &prompt, error) != STATUS_OK)
        return error->status;
    size_t function;
    if (json_find_name(name, similarity_names, SIMILARITY_COUNT, "similarity_fn_name", source,
                       &function, error) != STATUS_OK)
        return error->status;
    sentence->similarity = (enum similarity)function;
    const cJSON *prompts = json_member(object, "prompts");
    if (prompt && cJSON_IsObject(prompts) &&
        json_read_string(prompts, prompt, source, &text, error) != STATUS_OK)
        return error->status;
    if (text && *text)
        format_add(sentence->note, sizeof sentence->note,
                   "%sits default prompt \"%.60s\" is not put in front of the text: type it, if it "
                   "is wanted",
                   *sentence->note ? "; " : "", text);
    return STATUS_OK;
}

/* Beside the encoder; only one of the names is there, after the encoder's family. */
static enum status read_all_settings(struct sentence_model *sentence, struct error *error)
{
    static const char *const families[] = {"bert",   "roberta",     "distilbert", "camembert",
                                           "albert", "xlm-roberta", "xlnet"};
    const char *encoder = sentence->folders[SENTENCE_TRANSFORMER];
    for (size_t i = 0; i < COUNT(families); i++) {
        char name[40];
        snprintf(name, sizeof name, "sentence_%s_config.json", families[i]);
        if (read_file(sentence, encoder, name, false, read_settings, error) != STATUS_OK)
            return error->status;
    }
    if (read_file(sentence, encoder, "tokenizer_config.json", false, read_tokenizer, error) !=
        STATUS_OK)
        return error->status;
    return read_file(sentence, sentence->folder, "config_sentence_transformers.json", false,
                     read_comparison, error);
}

static enum status read_folder(struct sentence_model *sentence, struct error *error)
{
    const char *folder = sentence->folder;
    if (take_folder(sentence, SENTENCE_TRANSFORMER, "", folder, error) != STATUS_OK ||
        read_file(sentence, folder, "modules.json", false, read_modules, error) != STATUS_OK)
        return error->status;
    if (!sentence->given && file_lies_in(folder, "1_Pooling/config.json")) {
        sentence->given = sentence->made = true;
        if (take_folder(sentence, SENTENCE_POOLING, "1_Pooling", folder, error) != STATUS_OK)
            return error->status;
    }
    return sentence->given ? read_all_settings(sentence, error) : STATUS_OK;
}

/* What is wrong with these files takes the vector away, not the encoder. */
static enum status leave_out(struct sentence_model *sentence, enum status status,
                             const struct error *error)
{
    const char *encoder = sentence->folders[SENTENCE_TRANSFORMER];
    if (status == STATUS_OK || status == STATUS_MEMORY || !file_lies_in(encoder, "config.json"))
        return status;
    format_cut(sentence->note, sizeof sentence->note, "%s: there is no vector of a sentence",
               path_within(error->message, sentence->folder));
    sentence->given = true;
    sentence->made = false;
    return STATUS_OK;
}

enum status sentence_open(const char *folder, struct sentence_model *sentence, struct error *error)
{
    *sentence = (struct sentence_model){.folder = strdup(folder)};
    if (!sentence->folder)
        return error_memory(error, "a file name", strlen(folder));
    return leave_out(sentence, read_folder(sentence, error), error);
}

char *sentence_encoder(const char *folder)
{
    struct sentence_model sentence;
    struct error error;
    if (!file_lies_in(folder, "modules.json"))
        return NULL;
    sentence_open(folder, &sentence, &error);
    char *encoder = sentence.folders[SENTENCE_TRANSFORMER];
    sentence.folders[SENTENCE_TRANSFORMER] = NULL;
    sentence_free(&sentence);
    return encoder;
}

/* ---- Pooling ------------------------------------------------------------------------------ */

static size_t count_pools(const struct sentence_model *sentence)
{
    size_t count = 0;
    for (size_t i = 0; i < POOLING_COUNT; i++)
        count += sentence->pools[i];
    return count;
}

static enum status find_pooling(const char *name, const char *source, size_t *pooling,
                                struct error *error)
{
    return json_find_name(name, pooling_names, POOLING_COUNT, "pooling_mode", source, pooling,
                          error);
}

/* In the place of a name all switches. The mean is switched off by name only; a switch that isn't
 * known matters if it is on. */
static enum status read_switches(struct sentence_model *sentence, const cJSON *object,
                                 const char *source, struct error *error)
{
    const cJSON *item;
    size_t none;
    sentence->pools[POOLING_MEAN] = true;
    for (size_t i = 0; i < POOLING_COUNT; i++)
        if (json_read_bool(object, pooling_keys[i], source, &sentence->pools[i], error) !=
            STATUS_OK)
            return error->status;
    cJSON_ArrayForEach(item, object)
    {
        size_t i = 0;
        while (i < POOLING_COUNT && strcmp(pooling_keys[i], item->string) != 0)
            i++;
        if (i == POOLING_COUNT && cJSON_IsTrue(item) &&
            strncmp(item->string, "pooling_mode_", 13) == 0)
            return find_pooling(item->string, source, &none, error);
    }
    return count_pools(sentence) > 0 ? STATUS_OK : find_pooling("none", source, &none, error);
}

/* Until the size of an encoder is checked, `pooled` holds it. */
static enum status read_pooling(struct sentence_model *sentence, const cJSON *object,
                                const char *source, struct error *error)
{
    const char *name = NULL;
    size_t hidden = sentence->pooled, found = hidden;
    if (json_read_string(object, "pooling_mode", source, &name, error) != STATUS_OK ||
        json_read_size(object, "word_embedding_dimension", source, &found, error) != STATUS_OK)
        return error->status;
    if (found != hidden)
        return error_set(error, STATUS_MISMATCH,
                         "%s: expected \"word_embedding_dimension\" %zu, the encoder's size, found "
                         "%zu",
                         source, hidden, found);
    if (!name)
        return read_switches(sentence, object, source, error);
    size_t pooling = 0;
    enum status status = find_pooling(name, source, &pooling, error);
    sentence->pools[pooling] |= status == STATUS_OK;
    return status;
}

/* ---- The dense module --------------------------------------------------------------------- */

static double relu_of(double x)
{
    return activation_of(ACTIVATION_RELU, x);
}

static double gelu_of(double x)
{
    return activation_of(ACTIVATION_GELU, x);
}

static double sigmoid_of(double x)
{
    return 1 / (1 + exp(-x));
}

/* torch's names. */
static enum status take_function(struct sentence_model *sentence, const char *name,
                                 const char *source, struct error *error)
{
    static const char *const names[] = {"Identity", "Tanh", "ReLU", "GELU", "Sigmoid"};
    static double (*const functions[])(double) = {NULL, tanh, relu_of, gelu_of, sigmoid_of};
    size_t function;
    if (json_find_name(last_part(name), names, COUNT(names), "activation_function", source,
                       &function, error) != STATUS_OK)
        return error->status;
    sentence->dense.function = functions[function];
    return STATUS_OK;
}

/* A tensor's numbers as floats; `columns` 0: of a vector. */
static enum status take_tensor(const struct store *store, const char *name, size_t rows,
                               size_t columns, float *numbers, struct error *error)
{
    const struct tensor *tensor = store_find(store, name);
    const size_t shape[] = {rows, columns}, rank = columns > 0 ? 2 : 1;
    const size_t count = rows * (columns > 0 ? columns : 1);
    if (!tensor)
        return error_set(error, STATUS_MISMATCH, "%s: expected a tensor \"%s\", found none",
                         store_source(store), name);
    if (tensor_expect(tensor, shape, rank, error) != STATUS_OK ||
        tensor_check_finite(tensor, 0, count, error) != STATUS_OK)
        return error->status;
    matrix_numbers(&(struct matrix){tensor->data, tensor->type}, 0, count, numbers);
    return STATUS_OK;
}

/* The sizes are those of a file's tensor, or they don't get past its shape. */
static enum status take_weights(struct sentence_model *sentence, bool bias, struct error *error)
{
    struct sentence_dense *dense = &sentence->dense;
    const struct files files = {sentence->folders[SENTENCE_DENSE], NULL};
    struct store *store;
    float *weight =
        memory_new(dense->outputs, (dense->inputs + 1) * sizeof(float), 0, "the weights", error);
    if (!weight)
        return error->status;
    float *vector = weight + dense->outputs * dense->inputs;
    sentence->block = weight;
    dense->weight = weight;
    dense->bias = bias ? vector : NULL;
    if (store_open(&files, NULL, &store, error) != STATUS_OK)
        return error->status;
    enum status status =
        take_tensor(store, "linear.weight", dense->outputs, dense->inputs, weight, error);
    if (status == STATUS_OK && bias)
        status = take_tensor(store, "linear.bias", dense->outputs, 0, vector, error);
    status = store_check(store, status, error);
    store_close(store);
    return status;
}

/* As many numbers as any layer may have. */
#define SIZE_MOST ((size_t)1 << 24)

static enum status read_dense(struct sentence_model *sentence, const cJSON *object,
                              const char *source, struct error *error)
{
    const char *function = "Tanh"; /* sentence-transformers' default */
    bool bias = true;
    size_t inputs = 0, outputs = 0;
    if (json_read_size(object, "in_features", source, &inputs, error) != STATUS_OK ||
        json_read_size(object, "out_features", source, &outputs, error) != STATUS_OK ||
        json_read_bool(object, "bias", source, &bias, error) != STATUS_OK ||
        json_read_string(object, "activation_function", source, &function, error) != STATUS_OK ||
        take_function(sentence, function, source, error) != STATUS_OK)
        return error->status;
    if (inputs != sentence->pooled)
        return error_set(error, STATUS_MISMATCH,
                         "%s: expected \"in_features\" %zu, as many as are pooled, found %zu",
                         source, sentence->pooled, inputs);
    if (outputs < 1 || outputs > SIZE_MOST)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected \"out_features\" from 1 to %zu, found %zu", source,
                         SIZE_MOST, outputs);
    sentence->dense.inputs = inputs;
    sentence->dense.outputs = sentence->size = outputs;
    return take_weights(sentence, bias, error);
}

static enum status read_vector(struct sentence_model *sentence, size_t hidden, struct error *error)
{
    sentence->pooled = hidden;
    if (read_file(sentence, sentence->folders[SENTENCE_POOLING], "config.json", true, read_pooling,
                  error) != STATUS_OK)
        return error->status;
    sentence->pooled = sentence->size = count_pools(sentence) * hidden;
    return sentence->folders[SENTENCE_DENSE]
               ? read_file(sentence, sentence->folders[SENTENCE_DENSE], "config.json", true,
                           read_dense, error)
               : STATUS_OK;
}

enum status sentence_bind(struct sentence_model *sentence, size_t hidden, struct error *error)
{
    return sentence->made ? leave_out(sentence, read_vector(sentence, hidden, error), error)
                          : STATUS_OK;
}

void sentence_assume_mean(struct sentence_model *sentence, size_t hidden)
{
    sentence->made = sentence->pools[POOLING_MEAN] = true;
    sentence->pooled = sentence->size = hidden;
}

void sentence_free(struct sentence_model *sentence)
{
    for (size_t i = 0; i < SENTENCE_MODULES; i++)
        free(sentence->folders[i]);
    free(sentence->folder);
    free(sentence->block);
    *sentence = (struct sentence_model){0};
}

/* ---- Names -------------------------------------------------------------------------------- */

void sentence_pooling_name(const struct sentence_model *sentence, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < POOLING_COUNT; i++)
        if (sentence->pools[i])
            format_add(text, size, "%s%s", *text ? "+" : "", pooling_names[i]);
}

const char *sentence_similarity_name(enum similarity function)
{
    return similarity_names[function];
}

const char *sentence_module_name(enum sentence_module module)
{
    return module_names[module];
}
