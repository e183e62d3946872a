#include "headlight/session/changes.h"

#include "headlight/session/find.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists ---- */

/* A list that is being written as a JSON text, or null when it stays empty. */
struct list {
    FILE *stream;
    bool any;
};

static void add_item(struct list *list, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_item(struct list *list, const char *format, ...)
{
    va_list arguments;
    fputs(list->any ? "," : "\"", list->stream);
    list->any = true;
    va_start(arguments, format);
    vfprintf(list->stream, format, arguments);
    va_end(arguments);
}

/* ---- Temperature and positions ---- */

/* 1 is as it was trained, and so is what 15 digits write as 1. */
static enum status read_temperature(const struct scene *scene, const char *value,
                                    struct interventions *changes, struct error *error)
{
    char *end;
    (void)scene;
    double temperature = strtod(value, &end);
    if (end == value || *end != '\0' || !(temperature >= INTERVENE_TEMPERATURE_MIN) ||
        !(temperature <= INTERVENE_TEMPERATURE_MAX))
        return value_bad("temperature", "a number from 0.001 to 1000", value, error);
    changes->temperature = fabs(temperature - 1) > 1e-9 ? temperature : 0;
    return STATUS_OK;
}

static void write_temperature(const struct scene *scene, const struct interventions *changes,
                              struct list *list)
{
    (void)scene;
    if (changes->temperature > 0)
        add_item(list, "%.15g", changes->temperature);
}

static const char *const positions[] = {[POSITIONS_LEARNT] = "learnt",
                                        [POSITIONS_NONE] = "none",
                                        [POSITIONS_SINUSOIDAL] = "sinusoidal",
                                        NULL};

static enum status read_positions(const struct scene *scene, const char *value,
                                  struct interventions *changes, struct error *error)
{
    unsigned choice = 0;
    (void)scene;
    if (value_choice("positions", positions, value, &choice, error) != STATUS_OK)
        return error->status;
    changes->positions = (enum positions)choice;
    return STATUS_OK;
}

static void write_positions(const struct scene *scene, const struct interventions *changes,
                            struct list *list)
{
    (void)scene;
    if (changes->positions != POSITIONS_LEARNT)
        add_item(list, "%s", positions[changes->positions]);
}

/* ---- Heads ---- */

static enum status read_off(const struct scene *scene, const char *value,
                            struct interventions *changes, struct error *error)
{
    return interventions_switch_off(changes, value, scene->data.layers, scene->data.head_count,
                                    error);
}

static enum status read_uniform(const struct scene *scene, const char *value,
                                struct interventions *changes, struct error *error)
{
    return interventions_make_uniform(changes, value, scene->data.layers, scene->data.head_count,
                                      error);
}

static void write_heads(const struct scene *scene, const uint64_t *masks, struct list *list)
{
    for (size_t layer = 0; layer < scene->data.layers; layer++)
        for (size_t head = 0; head < scene->data.head_count; head++)
            if (head_mask_has(masks[layer], head))
                add_item(list, "%zu.%zu", layer, head);
}

static void write_off(const struct scene *scene, const struct interventions *changes,
                      struct list *list)
{
    write_heads(scene, changes->off, list);
}

static void write_uniform(const struct scene *scene, const struct interventions *changes,
                          struct list *list)
{
    write_heads(scene, changes->uniform, list);
}

/* ---- Tokens ---- */

static enum status read_hide(const struct scene *scene, const char *value,
                             struct interventions *changes, struct error *error)
{
    struct find_item item;
    while (find_next_item(&value, &item)) {
        struct token_range pieces;
        if (!find_pieces(scene, item.text, SIDE_LEFT, &pieces))
            return error_set(error, STATUS_USAGE,
                             "--hide: expected tokens of the text, or numbers from 0 to %zu, with "
                             "commas between them, found \"%s\"",
                             scene->data.tokens - 1, item.text);
        for (size_t token = pieces.first; token < pieces.end; token++)
            if (interventions_hide(changes, (uint32_t)token, error) != STATUS_OK)
                return error->status;
    }
    return STATUS_OK;
}

static void write_hide(const struct scene *scene, const struct interventions *changes,
                       struct list *list)
{
    for (size_t i = 0; i < changes->hidden_count; i++)
        if (changes->hidden[i] < scene->data.tokens)
            add_item(list, "#%u", changes->hidden[i]);
}

/* "0.1.4.2", each number below its limit. */
static bool read_cut_numbers(char *text, const size_t limits[4], size_t numbers[4])
{
    for (size_t i = 0; i < 4; i++) {
        char *dot = strchr(text, '.');
        if ((dot != NULL) != (i < 3))
            return false;
        if (dot)
            *dot = '\0';
        if (!value_number(text, limits[i] - 1, &numbers[i]))
            return false;
        text = dot ? dot + 1 : text;
    }
    return true;
}

static enum status read_cut(const struct scene *scene, const char *value,
                            struct interventions *changes, struct error *error)
{
    const struct data *data = &scene->data;
    const size_t limits[] = {data->layers, data->head_count, data->tokens, data->tokens};
    struct find_item item;
    while (find_next_item(&value, &item)) {
        const struct find_item found = item;
        size_t of[4];
        if (!read_cut_numbers(item.text, limits, of))
            return error_set(error, STATUS_USAGE,
                             "--cut: expected LAYER.HEAD.FROM.TO such as 0.1.4.2, with layers from "
                             "0 to %zu, heads from 0 to %zu, tokens from 0 to %zu, found \"%s\"",
                             limits[0] - 1, limits[1] - 1, limits[2] - 1, found.text);
        const struct cut cut = {(uint32_t)of[0], (uint32_t)of[1], (uint32_t)of[2], (uint32_t)of[3]};
        if (interventions_cut(changes, cut, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

static void write_cut(const struct scene *scene, const struct interventions *changes,
                      struct list *list)
{
    for (size_t i = 0; i < changes->cut_count; i++) {
        struct cut cut = changes->cuts[i];
        if (cut.from < scene->data.tokens && cut.to < scene->data.tokens)
            add_item(list, "%u.%u.%u.%u", cut.layer, cut.head, cut.from, cut.to);
    }
}

/* ---- The table ---- */

static const struct row {
    const char *name;
    enum setting_counts counts;
    bool flag;
    size_t offset; /* of a flag, in struct interventions */
    enum status (*read)(const struct scene *scene, const char *value, struct interventions *changes,
                        struct error *error);
    void (*write)(const struct scene *scene, const struct interventions *changes,
                  struct list *list);
} table[CHANGE_COUNT] = {
#define FLAG(field)                        .flag = true, .offset = offsetof(struct interventions, field)
#define OWN(name)                          .read = read_##name, .write = write_##name
#define CHANGE(change, name, counts, kept) [CHANGE_##change] = {name, COUNTS_##counts, kept},
    CHANGES(CHANGE)
#undef CHANGE
#undef OWN
#undef FLAG
};

const char *change_name(enum change change)
{
    return table[change].name;
}

bool change_is_flag(enum change change)
{
    return table[change].flag;
}

enum setting_counts change_counts(enum change change)
{
    return table[change].counts;
}

enum status change_check(enum change change, const char *value, struct error *error)
{
    const struct row *row = &table[change];
    const struct scene scene = {.data = {.layers = 0}};
    struct interventions changes = {0};
    if (row->flag || row->counts != COUNTS_NOTHING)
        return STATUS_OK; /* heads and tokens are not known yet */
    return row->read(&scene, value, &changes, error);
}

static const struct change_option options[] = {
#define OPTION(option, name, argument, help, change, value)                                        \
    [CHANGE_OPTION_##option] = {name, CHANGE_##change, value},
    CHANGE_OPTIONS(OPTION)
#undef OPTION
};

const struct change_option *change_option_at(size_t code)
{
    return &options[code];
}

const struct change_option *change_option_named(const char *name)
{
    for (size_t i = 0; i < CHANGE_OPTION_COUNT; i++)
        if (strcmp(options[i].name, name) == 0)
            return &options[i];
    return NULL;
}

enum status changes_apply(struct session *session, const char *const values[CHANGE_COUNT],
                          enum change *failed, struct error *error)
{
    const struct scene scene = session_scene(session);
    struct interventions changes = {0};
    for (enum change change = 0; change < CHANGE_COUNT; change++) {
        const struct row *row = &table[change];
        *failed = change;
        if (values[change] && row->flag)
            *(bool *)((char *)&changes + row->offset) = true;
        else if (values[change] && row->read(&scene, values[change], &changes, error) != STATUS_OK)
            return error->status;
    }
    session->state.source.changes = changes;
    return STATUS_OK;
}

void changes_write(FILE *stream, const struct session *session, const struct interventions *changes)
{
    const struct scene scene = session_scene(session);
    for (enum change change = 0; change < CHANGE_COUNT; change++) {
        const struct row *row = &table[change];
        struct list list = {.stream = stream};
        fprintf(stream, "%s\"%s\": ", change == 0 ? "{" : ", ", row->name);
        if (!row->flag)
            row->write(&scene, changes, &list);
        if (row->flag)
            fputs(*(const bool *)((const char *)changes + row->offset) ? "true" : "false", stream);
        else
            fputs(list.any ? "\"" : "null", stream);
    }
    fputc('}', stream);
}
