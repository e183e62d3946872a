#include "headlight/session/settings_table.h"

#include "headlight/draw/theme.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table ---- */

enum setting_kind {
    KIND_CHOICE, /* one of `choices`: an enum, from 0 */
    KIND_FLAG,   /* one of two `choices`: a bool */
    KIND_NUMBER, /* from 0, below a limit: a size_t */
    KIND_OWN,    /* read and written by functions of its own */
};

#define CHOICES_MAX 24

struct setting_row {
    struct setting_info info;
    enum setting_kind kind;
    size_t offset;                        /* in struct look */
    const char *choices[CHOICES_MAX + 1]; /* NULL after the last */
    size_t (*limit)(const struct data *data);
    apply_setting *apply;
    write_setting *write;
};

static size_t count_layers(const struct data *data)
{
    return data->layers;
}

static size_t count_heads(const struct data *data)
{
    return data->head_count;
}

/* The offset of a field; doesn't compile if the field is of another type. */
#define FIELD(type, field)                                                                         \
    (offsetof(struct look, field) +                                                                \
     0 * sizeof(char[_Generic(&((struct look *)0)->field, type * : 1, default                      \
                              : -1)]))
#define CHOICE(type, field, ...)                                                                   \
    .kind = KIND_CHOICE, .offset = FIELD(type, field), .choices = {__VA_ARGS__}
#define PAIR(field, no, yes) .kind = KIND_FLAG, .offset = FIELD(bool, field), .choices = {no, yes}
#define FLAG(field)          PAIR(field, "off", "on")
#define NUMBER(field, count) .kind = KIND_NUMBER, .offset = FIELD(size_t, field), .limit = count
#define OWN(name)            .kind = KIND_OWN, .apply = setting_apply_##name, .write = setting_write_##name

#define VIEW_NAME(kind, name)                            #name,
#define MAP_NAME(code, name, ...)                        #name,
#define METRIC_NAME(code, name, unit, decimals, meaning) #name,
#define FILTER_NAME(filter, name, title)                 name,
#define STAGE_NAME(stage, name, axis)                    name,

static const struct setting_row table[SETTING_COUNT] = {
#define SETTING(setting, name, argument, help, counts, kept)                                       \
    [SETTING_##setting] = {.info = {name, argument, help, COUNTS_##counts}, kept},
    SETTINGS(SETTING)
#undef SETTING
};

_Static_assert(sizeof(enum view_kind) == sizeof(unsigned), "choices are kept as unsigned");

const struct setting_info *setting_info(enum setting setting)
{
    return &table[setting].info;
}

const char *setting_choice(enum setting setting, size_t index)
{
    const struct theme *theme = setting == SETTING_THEME ? theme_at(index) : NULL;
    if (setting == SETTING_THEME)
        return theme ? theme->name : NULL;
    return index < CHOICES_MAX ? table[setting].choices[index] : NULL;
}

enum setting setting_named(const char *name)
{
    unsigned setting = 0;
    while (setting < SETTING_COUNT && strcmp(table[setting].info.name, name) != 0)
        setting++;
    return (enum setting)setting;
}

/* ---- Reading values ---- */

enum status setting_number(enum setting setting, const char *value, size_t limit, size_t *number,
                           struct error *error)
{
    size_t read;
    if (!value_number(value, SETTING_NUMBER_MAX, &read))
        return value_bad(table[setting].info.name, "a number from 0 up", value, error);
    if (read >= limit)
        return error_set(error, STATUS_USAGE, "--%s: expected 0 to %zu, found %zu",
                         table[setting].info.name, limit - 1, read);
    *number = read;
    return STATUS_OK;
}

static enum status apply(struct scene *scene, enum setting setting, const char *value,
                         struct error *error)
{
    const struct setting_row *row = &table[setting];
    void *field = (char *)&scene->look + row->offset;
    unsigned choice;
    if (row->kind == KIND_OWN)
        return row->apply(scene, value, error);
    if (row->kind == KIND_NUMBER) {
        size_t limit = scene->data.layers > 0 ? row->limit(&scene->data) : SIZE_MAX;
        return setting_number(setting, value, limit, field, error);
    }
    if (value_choice(row->info.name, row->choices, value, &choice, error) != STATUS_OK)
        return error->status;
    if (row->kind == KIND_CHOICE)
        memcpy(field, &choice, sizeof choice);
    else
        *(bool *)field = choice != 0;
    return STATUS_OK;
}

enum status setting_check(enum setting setting, const char *value, struct error *error)
{
    struct scene scene = {.data = {.layers = 0}};
    if (setting == SETTING_HEADS || setting == SETTING_OTHERS)
        return STATUS_OK; /* their number is not known yet */
    return apply(&scene, setting, value, error);
}

bool setting_is_overruled(enum setting setting, const char *const given[SETTING_COUNT])
{
    return given[setting] || (setting == SETTING_HEADS && given[SETTING_HEAD]) ||
           (setting == SETTING_OTHERS && (given[SETTING_HEADS] || given[SETTING_HEAD])) ||
           (setting == SETTING_SIDE && (given[SETTING_SELECT] || given[SETTING_ATTENDED]));
}

/* ---- Applying them ---- */

/* What a setting requires, and what it changes besides its own field. */
static enum status follow(struct scene *scene, enum setting setting,
                          const char *const values[SETTING_COUNT], struct error *error)
{
    struct look *look = &scene->look;
    if (setting == SETTING_FILTER && !scene_filter_fits(scene, look->filter))
        return error_set(error, STATUS_USAGE, "--filter %s: expected two sentences, found %s",
                         filter_name(look->filter), scene_is_pair(scene) ? "an empty one" : "one");
    if (setting == SETTING_METRIC && look->metric == METRIC_EFFECT && scene->data.speechless[0])
        return error_set(error, STATUS_USAGE, "--figure effect: %s", scene->data.speechless);
    if (setting == SETTING_HEAD && !values[SETTING_HEADS] &&
        view_at(look->view)->heads == HEADS_CHOSEN)
        look->heads = head_mask_of(look->head);
    if (setting == SETTING_ATTENDED && !values[SETTING_SIDE])
        look->side = SIDE_RIGHT;
    if (setting == SETTING_ATTENDED && !values[SETTING_SELECT])
        look->from = NO_TOKEN; /* not a query that the neuron view chose */
    if (setting == SETTING_VIEW)
        look_go_to_view(look, look->view);
    return STATUS_OK;
}

/* Whether later settings depend on the tokens that this one leaves. */
static bool changes_tokens(enum setting setting)
{
    return setting == SETTING_VIEW || setting == SETTING_WORDS || setting == SETTING_SPECIAL;
}

static enum status apply_one(struct session *session, enum setting setting,
                             const char *const values[SETTING_COUNT], struct error *error)
{
    struct scene scene = session_scene(session);
    if (apply(&scene, setting, values[setting], error) != STATUS_OK ||
        follow(&scene, setting, values, error) != STATUS_OK)
        return error->status;
    session->state.look = scene.look;
    if (changes_tokens(setting))
        session_show(session, &scene.look);
    return STATUS_OK;
}

enum status settings_apply(struct session *session, const char *const values[SETTING_COUNT],
                           enum setting *failed, struct error *error)
{
    const struct look before = session->state.look;
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (values[i] && apply_one(session, (enum setting)i, values, error) != STATUS_OK) {
            if (failed)
                *failed = (enum setting)i;
            session_show(session, &before);
            return error->status;
        }
    session_show(session, &session->state.look);
    return STATUS_OK;
}

/* ---- Writing values ---- */

bool setting_write(const struct session *session, enum setting setting, char value[SETTING_VALUE])
{
    const struct setting_row *row = &table[setting];
    const struct scene scene = session_scene(session);
    const void *field = (const char *)&scene.look + row->offset;
    unsigned choice = 0;
    if (row->kind == KIND_OWN)
        return row->write(&scene, value);
    if (row->kind == KIND_NUMBER) {
        snprintf(value, SETTING_VALUE, "%zu", *(const size_t *)field);
        return true;
    }
    if (row->kind == KIND_CHOICE)
        memcpy(&choice, field, sizeof choice);
    else
        choice = *(const bool *)field;
    snprintf(value, SETTING_VALUE, "%s", row->choices[choice]);
    return choice != 0 || setting == SETTING_VIEW || setting == SETTING_SIDE ||
           setting == SETTING_STAGE;
}

/* ---- Values ---- */

enum status value_bad(const char *name, const char *expected, const char *found,
                      struct error *error)
{
    return error_set(error, STATUS_USAGE, "--%s: expected %s, found \"%s\"", name, expected, found);
}

bool value_number(const char *text, size_t limit, size_t *number)
{
    char *end;
    errno = 0;
    if (*text < '0' || *text > '9')
        return false;
    unsigned long read = strtoul(text, &end, 10);
    if (*end != '\0' || errno != 0 || read > limit)
        return false;
    *number = read;
    return true;
}

enum status value_choice(const char *name, const char *const *choices, const char *text,
                         unsigned *choice, struct error *error)
{
    char names[256] = "";
    size_t used = 0;
    for (unsigned i = 0; choices[i] && used < sizeof names; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *choice = i;
            return STATUS_OK;
        }
        const char *before = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", before, choices[i]);
    }
    return value_bad(name, names, text, error);
}
