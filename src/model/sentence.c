/* sentence.c: reads the modules of a sentence-transformers folder (sentence_embed.c carries them
 * out). A matrix here has a thousandth of an encoder's weights, so it is widened to floats when it
 * is read, and one thread multiplies with it. */
#include "headlight/model/sentence.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/tensor/matrix.h"
#include "headlight/tensor/store.h"

#include <math.h>

#define POOLING_NAME(pooling, name, key) name,
#define POOLING_KEY(pooling, name, key)  key,
#define SIMILARITY_NAME(function, name)  name,
static const char *const pooling_names[] = {POOLINGS(POOLING_NAME)};
static const char *const pooling_keys[] = {POOLINGS(POOLING_KEY)};
const char *const similarity_names[] = {SIMILARITIES(SIMILARITY_NAME)};
const char *const module_names[] = {"Transformer", "Pooling", "Dense", "Normalize"};

/* ---- Files -------------------------------------------------------------------------------- */

/* What a file says: nothing, if it is absent and not required. To be freed also after an error. */
static struct json_reader read_object(const char *folder, const char *name, bool required,
                                      struct file_text *file, struct error *error)
{
    error->status = files_read_object(&(struct files){folder, NULL}, name, required, file, error);
    return (struct json_reader){file->json, file->path, error, NULL};
}

/* "Tanh" of "torch.nn.modules.activation.Tanh". */
static const char *last_part(const char *dotted)
{
    const char *dot = strrchr(dotted, '.');
    return dot ? dot + 1 : dotted;
}

/* ---- Which modules there are, and the settings beside them --------------------------------- */

/* A folder below the checkpoint's, or itself for "". */
static void take_folder(struct sentence_model *sentence, size_t module, const char *path,
                        struct error *error)
{
    char *joined = *path ? path_join(sentence->folder, path) : strdup(sentence->folder);
    if (!joined)
        error_memory(error, "a file name", strlen(path));
    free(sentence->folders[module]);
    sentence->folders[module] = joined;
}

static void read_modules(struct sentence_model *sentence, const struct json_reader *in)
{
    size_t last = SENTENCE_TRANSFORMER;
    sentence->given = sentence->made = true;
    for (const cJSON *item = in->object->child; item; item = item->next) {
        const struct json_reader one = {item, in->source, in->error, NULL};
        const char *type = last_part(json_string(&one, "type", "")),
                   *path = json_string(&one, "path", "");
        size_t module = 0;
        if (!json_is_fine(in) || strcmp(type, "Dropout") == 0)
            continue;
        while (module < SENTENCE_MODULES && strcmp(module_names[module], type) != 0)
            module++;
        /* one that isn't known, or not at this place, changes what all that follow are given */
        if (module == SENTENCE_MODULES || (module > SENTENCE_TRANSFORMER && module <= last)) {
            const bool known = module < SENTENCE_MODULES;
            format_add(sentence->note, sizeof sentence->note,
                       "%sthe sentence module %.60s is not supported%s%s",
                       *sentence->note ? "; " : "", type, known ? " behind " : "",
                       known ? module_names[last] : "");
            sentence->made = false;
            continue;
        }
        last = module;
        sentence->normalized |= module == SENTENCE_NORMALIZE;
        if (path[0] == '/' || strstr(path, ".."))
            json_refuse(&one, STATUS_FORMAT,
                        "expected a \"path\" inside the folder, found \"%.100s\"", path);
        else
            take_folder(sentence, module, path, in->error);
    }
    if (sentence->made && !sentence->folders[SENTENCE_POOLING] && json_is_fine(in)) {
        format_cut(sentence->note, sizeof sentence->note,
                   "modules.json has no Pooling: there is no vector of a sentence");
        sentence->made = false;
    }
}

/* A default prompt is not put in front: what the user types is what the model reads. */
static void read_comparison(struct sentence_model *sentence, const struct json_reader *in)
{
    const char *name = json_string(in, "similarity_fn_name", similarity_names[SIMILARITY_COSINE]);
    const char *prompt = json_string(in, "default_prompt_name", NULL);
    sentence->similarity = (enum similarity)json_choose(in, "similarity_fn_name", name,
                                                        similarity_names, SIMILARITY_COUNT);
    const cJSON *prompts = json_member(in->object, "prompts");
    const struct json_reader inner = {cJSON_IsObject(prompts) ? prompts : NULL, in->source,
                                      in->error, NULL};
    const char *text = prompt ? json_string(&inner, prompt, NULL) : NULL;
    if (text && *text)
        format_add(sentence->note, sizeof sentence->note,
                   "%sits default prompt \"%.60s\" is not put in front of the text: type it, if it "
                   "is wanted",
                   *sentence->note ? "; " : "", text);
}

/* Of the settings beside the encoder only one of the names is there, after its family. */
static enum status read_folder(struct sentence_model *sentence, struct error *error)
{
    static const char *const families[] = {"bert",   "roberta",     "distilbert", "camembert",
                                           "albert", "xlm-roberta", "xlnet"};
    const char *folder = sentence->folder;
    struct file_text file;
    struct json_reader in;
    error->status = STATUS_OK;
    take_folder(sentence, SENTENCE_TRANSFORMER, "", error);
    if (error->status != STATUS_OK)
        return error->status;
    error->status = files_read(&(struct files){folder, NULL}, "modules.json", JSON_BYTES_MAX, false,
                               &file, error);
    if (error->status == STATUS_OK && file.bytes &&
        json_parse(file.bytes, file.length, JSON_BYTES_MAX, true, file.path, &file.json, error) ==
            STATUS_OK)
        read_modules(sentence, &(struct json_reader){file.json, file.path, error, NULL});
    file_text_free(&file);
    if (error->status == STATUS_OK && !sentence->given &&
        file_lies_in(folder, "1_Pooling/config.json")) {
        sentence->given = sentence->made = true;
        take_folder(sentence, SENTENCE_POOLING, "1_Pooling", error);
    }
    /* lengths are in tokens, special ones too */
    const char *encoder = sentence->folders[SENTENCE_TRANSFORMER];
    for (size_t i = 0; sentence->given && error->status == STATUS_OK && i < LENGTH(families); i++) {
        char name[40];
        snprintf(name, sizeof name, "sentence_%s_config.json", families[i]);
        in = read_object(encoder, name, false, &file, error);
        sentence->longest = json_size(&in, "max_seq_length", sentence->longest);
        sentence->lower_case = json_bool(&in, "do_lower_case", sentence->lower_case);
        file_text_free(&file);
    }
    if (!sentence->given || error->status != STATUS_OK)
        return error->status;
    /* what counts where max_seq_length is absent; a tokenizer without a limit says 1e30 */
    in = read_object(encoder, "tokenizer_config.json", false, &file, error);
    const double most = json_number(&in, "model_max_length", 0);
    if (sentence->longest == 0 && most >= 1 && most < 1e9)
        sentence->longest = (size_t)most;
    file_text_free(&file);
    if (error->status != STATUS_OK)
        return error->status;
    in = read_object(folder, "config_sentence_transformers.json", false, &file, error);
    read_comparison(sentence, &in);
    file_text_free(&file);
    return error->status;
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

static size_t find_pooling(const struct json_reader *in, const char *name)
{
    return json_choose(in, "pooling_mode", name, pooling_names, POOLING_COUNT);
}

/* Until the size of an encoder is checked, `pooled` holds it. */
static void read_pooling(struct sentence_model *sentence, const struct json_reader *in)
{
    const char *name = json_string(in, "pooling_mode", NULL);
    const size_t hidden = sentence->pooled;
    const size_t found = json_size(in, "word_embedding_dimension", hidden);
    if (found != hidden)
        json_refuse(in, STATUS_MISMATCH,
                    "expected \"word_embedding_dimension\" %zu, the encoder's size, found %zu",
                    hidden, found);
    if (name) {
        sentence->pools[find_pooling(in, name)] |= json_is_fine(in);
        return;
    }
    /* in its place all switches: the mean is switched off by name only, and one that isn't known
     * matters if it is on */
    const cJSON *item;
    for (size_t i = 0; i < POOLING_COUNT; i++)
        sentence->pools[i] = json_bool(in, pooling_keys[i], i == POOLING_MEAN);
    cJSON_ArrayForEach(item, in->object)
    {
        size_t i = 0;
        while (i < POOLING_COUNT && strcmp(pooling_keys[i], item->string) != 0)
            i++;
        if (i == POOLING_COUNT && cJSON_IsTrue(item) &&
            strncmp(item->string, "pooling_mode_", 13) == 0)
            find_pooling(in, item->string);
    }
    if (count_pools(sentence) == 0)
        find_pooling(in, "none");
}

/* ---- The dense module --------------------------------------------------------------------- */

/* A tensor's numbers as floats; `columns` 0: of a vector. */
static enum status take_tensor(const struct store *store, const char *name, size_t rows,
                               size_t columns, float *numbers, struct error *error)
{
    const struct tensor *tensor = store_find(store, name);
    const size_t shape[] = {rows, columns}, rank = columns > 0 ? 2 : 1;
    const size_t count = rows * (columns > 0 ? columns : 1);
    if (!tensor)
        return error_set(error, STATUS_MISMATCH, "%s: expected a tensor \"%s\", found none",
                         store->source, name);
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

static void read_dense(struct sentence_model *sentence, const struct json_reader *in)
{
    /* torch's names, in the order of sentence_embed.c; Tanh is sentence-transformers' default */
    static const char *const names[] = {"Identity", "Tanh", "ReLU", "GELU", "Sigmoid"};
    struct sentence_dense *dense = &sentence->dense;
    const size_t inputs = json_size(in, "in_features", 0),
                 outputs = json_size(in, "out_features", 0);
    const bool bias = json_bool(in, "bias", true);
    const char *function = last_part(json_string(in, "activation_function", "Tanh"));
    dense->function = json_choose(in, "activation_function", function, names, LENGTH(names));
    if (inputs != sentence->pooled)
        json_refuse(in, STATUS_MISMATCH,
                    "expected \"in_features\" %zu, as many as are pooled, found %zu",
                    sentence->pooled, inputs);
    if (outputs < 1 || outputs > SIZE_MOST)
        json_refuse(in, STATUS_FORMAT, "expected \"out_features\" from 1 to %zu, found %zu",
                    SIZE_MOST, outputs);
    if (!json_is_fine(in))
        return;
    dense->inputs = inputs;
    dense->outputs = sentence->size = outputs;
    take_weights(sentence, bias, in->error);
}

enum status sentence_bind(struct sentence_model *sentence, size_t hidden, struct error *error)
{
    struct file_text file;
    if (!sentence->made)
        return STATUS_OK;
    sentence->pooled = hidden;
    struct json_reader in =
        read_object(sentence->folders[SENTENCE_POOLING], "config.json", true, &file, error);
    if (json_is_fine(&in))
        read_pooling(sentence, &in);
    file_text_free(&file);
    if (error->status == STATUS_OK)
        sentence->pooled = sentence->size = count_pools(sentence) * hidden;
    if (error->status == STATUS_OK && sentence->folders[SENTENCE_DENSE]) {
        in = read_object(sentence->folders[SENTENCE_DENSE], "config.json", true, &file, error);
        if (json_is_fine(&in))
            read_dense(sentence, &in);
        file_text_free(&file);
    }
    return leave_out(sentence, error->status, error);
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
