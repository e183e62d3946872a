/* labels.c: reads the part of config.json that names a classifier's outputs. Hugging Face takes
 * most of what is wrong here in silence, so that scores get another's name; here it is refused. */
#include "headlight/model/labels.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/family_entries.h"

const char *const score_names[] = {"softmax", "sigmoid", "none"};

/* ---- Names -------------------------------------------------------------------------------- */

/* Names that were made here tell nobody anything; "B-PER" and its like are a tagger's. */
static void take_names(struct labels *labels, const char **names, size_t count)
{
    free(labels->names);
    labels->names = names;
    labels->count = count;
    labels->function = labels->functions[count > 1];
    labels->named = labels->tagged = false;
    for (size_t i = 0; i < count; i++) {
        labels->named |= strncmp(names[i], "LABEL_", 6) != 0;
        labels->tagged |= strncmp(names[i], "B-", 2) == 0 || strncmp(names[i], "I-", 2) == 0;
    }
}

#define NUMBERED_SIZE sizeof "LABEL_18446744073709551615"

enum status labels_number(struct labels *labels, size_t count, struct error *error)
{
    const char **names =
        memory_new(count, sizeof *names + NUMBERED_SIZE, 0, "the names of classes", error);
    if (!names)
        return error->status;
    for (size_t i = 0; i < count; i++) {
        char *name = (char *)(names + count) + i * NUMBERED_SIZE;
        snprintf(name, NUMBERED_SIZE, "LABEL_%zu", i);
        names[i] = name;
    }
    take_names(labels, names, count);
    return STATUS_OK;
}

/* num_labels beside id2label is not read, as transformers doesn't; nor is label2id. N different
 * keys below N leave no hole. */
static void read_names(const struct json_reader *in, struct labels *labels)
{
    const cJSON *map = json_item(in, "id2label", cJSON_IsObject, "an object");
    size_t count = map ? 0 : config_size(in, "num_labels", 1, LABELS_MAX, 2), bytes = 0;
    labels->count_stated = map || json_member(in->object, "num_labels");
    if (json_is_fine(in) && !map)
        labels_number(labels, count, in->error);
    for (const cJSON *item = map ? map->child : NULL; item; item = item->next, count++) {
        if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
            json_refuse(in, STATUS_FORMAT,
                        "expected a name for \"%.100s\" in \"id2label\", found %s", item->string,
                        cJSON_IsString(item) ? "an empty one" : "another value");
        bytes += cJSON_IsString(item) ? strlen(item->valuestring) + 1 : 0;
    }
    if (map && (count < 1 || count > LABELS_MAX))
        json_refuse(in, count ? STATUS_LIMIT : STATUS_FORMAT,
                    "expected 1 to %d names in \"id2label\", found %zu", LABELS_MAX, count);
    if (!map || !json_is_fine(in))
        return;
    const char **names = memory_new(count, sizeof *names, bytes, "the names of classes", in->error);
    char *text = (char *)(names ? names + count : NULL);
    for (const cJSON *item = names ? map->child : NULL; item; item = item->next) {
        const char *key = item->string; /* a number as Python writes it */
        const size_t digits = strspn(key, "0123456789"), size = strlen(item->valuestring) + 1;
        const bool written =
            digits > 0 && digits < 10 && !key[digits] && (*key != '0' || digits == 1);
        const size_t number = written ? strtoul(key, NULL, 10) : count;
        if (number >= count || names[number]) {
            free(names);
            json_refuse(in, STATUS_FORMAT,
                        "expected the %zu keys of \"id2label\" to be the numbers from 0 to "
                        "%zu, found \"%.100s\"%s",
                        count, count - 1, key, number < count ? " twice" : "");
            return;
        }
        names[number] = memcpy(text, item->valuestring, size);
        text += size;
    }
    if (names)
        take_names(labels, names, count);
}

/* ---- The function ------------------------------------------------------------------------- */

/* Of one label, and of several. A cross-encoder's own function is told by a class of torch, and
 * overrides the rest. One that says no more than that it is a cross-encoder leaves several labels
 * as they are. */
static void read_functions(const struct json_reader *in, struct labels *labels)
{
    static const char *const problems[] = {"single_label_classification",
                                           "multi_label_classification", "regression"};
    static const enum score_function of_problems[][2] = {
        {SCORE_SIGMOID, SCORE_SOFTMAX}, {SCORE_SIGMOID, SCORE_SIGMOID}, {SCORE_NONE, SCORE_NONE}};
    static const char *const classes[] = {"Identity", "Sigmoid", ""};
    static const enum score_function of_classes[][2] = {
        {SCORE_NONE, SCORE_NONE}, {SCORE_SIGMOID, SCORE_SIGMOID}, {SCORE_SIGMOID, SCORE_NONE}};
    static const char old[] = "sbert_ce_default_activation_function";
    const char *problem = json_string(in, "problem_type", problems[0]);
    size_t found = json_choose(in, "problem_type", problem, problems, LENGTH(problems));
    memcpy(labels->functions, of_problems[found], sizeof of_problems[found]);
    const struct json_reader newer = json_inner(in, "sentence_transformers");
    const char *class = json_string(&newer, "activation_fn", json_string(in, old, classes[2]));
    if (!newer.object && *class == '\0')
        return;
    if (strncmp(class, "torch.nn.", 9) == 0)
        class = strrchr(class, '.') + 1;
    found = *class ? json_choose(in, newer.object ? "activation_fn" : old, class, classes, 2) : 2;
    memcpy(labels->functions, of_classes[found], sizeof of_classes[found]);
}

/* ---- All of it ---------------------------------------------------------------------------- */

enum status labels_read(const struct json_reader *in, struct labels *labels)
{
    static const struct {
        const char *ending;
        enum head_task task;
    } tasks[] = {
        {"ForSequenceClassification", TASK_SEQUENCE},
        {"ForTokenClassification", TASK_TOKENS},
        {"ForQuestionAnswering", TASK_SPAN},
        {"ForMultipleChoice", TASK_CHOICE},
    };
    const cJSON *classes = json_member(in->object, "architectures");
    const cJSON *first = cJSON_IsArray(classes) ? classes->child : NULL; /* as for the family */
    const char *ending = first && cJSON_IsString(first) ? strstr(first->valuestring, "For") : NULL;
    *labels = (struct labels){.task = TASK_NONE};
    for (size_t i = 0; ending && i < LENGTH(tasks); i++)
        if (strcmp(ending, tasks[i].ending) == 0)
            labels->task = tasks[i].task;
    read_functions(in, labels);
    read_names(in, labels);
    if (!json_is_fine(in)) {
        free(labels->names);
        *labels = (struct labels){.task = labels->task};
    }
    return in->error->status;
}

void labels_free(struct labels *labels)
{
    free(labels->names);
    *labels = (struct labels){0};
}
