#include "headlight/session/settings_table.h"

#include "headlight/model/head_mask.h"
#include "headlight/session/find.h"
#include "headlight/session/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 1000000

static const struct setting_entry table[SETTING_COUNT] = {
#define CHOICE(field, ...)                                                                         \
    KIND_CHOICE, offsetof(struct scene, field),                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define FLAG(field)                                                                                \
    KIND_FLAG, offsetof(struct scene, field),                                                      \
    {                                                                                              \
        "off", "on"                                                                                \
    }
#define PAIR(field, no, yes)                                                                       \
    KIND_FLAG_PAIR, offsetof(struct scene, field),                                                 \
    {                                                                                              \
        no, yes                                                                                    \
    }
#define NUMBER(field)                                                                              \
    KIND_NUMBER, offsetof(struct scene, field),                                                    \
    {                                                                                              \
        NULL                                                                                       \
    }
#define OTHER                                                                                      \
    KIND_OTHER, 0,                                                                                 \
    {                                                                                              \
        NULL                                                                                       \
    }
#define VIEW_NAME(kind, name, title, draw) name,
#define FILTER_NAME(filter, name, title)   name,
#define KIND_OF_VIEW                       CHOICE(view, SCENE_VIEWS(VIEW_NAME))
#define KIND_OF_LAYER                      NUMBER(layer)
#define KIND_OF_SPECIAL                    CHOICE(shape.special, "shown", "hidden", "rescaled")
#define KIND_OF_WORDS                      FLAG(shape.words)
#define KIND_OF_FILTER                     CHOICE(filter, SCENE_FILTERS(FILTER_NAME))
#define KIND_OF_HEADS                      OTHER
#define KIND_OF_HEAD                       NUMBER(head)
#define KIND_OF_MEAN                       CHOICE(averaged, "none", "heads", "layers")
#define KIND_OF_THRESHOLD                  OTHER
#define KIND_OF_DETAIL                     OTHER
#define KIND_OF_SHADE                      CHOICE(tone, "weight", "root", "row")
#define KIND_OF_NUMBERS                    FLAG(numbers)
#define KIND_OF_LIST                       FLAG(listed)
#define KIND_OF_METRIC                                                                             \
    CHOICE(metric, "none", "entropy", "previous", "next", "self", "first", "separators", "distance")
#define KIND_OF_SORT       FLAG(sorted)
#define KIND_OF_THUMBNAILS PAIR(lined, "heat", "lines")
#define KIND_OF_DIMENSION  OTHER
#define KIND_OF_SCALE      PAIR(scale_largest, "tanh", "largest")
#define KIND_OF_BANDS      PAIR(valued, "keys", "values")
#define KIND_OF_SELECT     OTHER
#define KIND_OF_ATTENDED   OTHER
#define KIND_OF_SIDE       CHOICE(side, "left", "right")
#define KIND_OF_FIND       OTHER
#define KIND_OF_RANK       OTHER
#define KIND_OF_THEME      OTHER
#define SETTING(setting, name, argument, help)                                                     \
    [SETTING_##setting] = {{name, argument, help}, KIND_OF_##setting},
    SETTINGS(SETTING)
#undef SETTING
};

_Static_assert(sizeof(enum view_kind) == sizeof(unsigned) &&
                   sizeof(enum special_policy) == sizeof(unsigned) &&
                   sizeof(enum side) == sizeof(unsigned),
               "choices are read and written as unsigned");

const struct setting_entry *setting_entry(enum setting setting)
{
    return &table[setting];
}

const struct setting_info *setting_info(enum setting setting)
{
    return &table[setting].info;
}

enum setting setting_named(const char *name)
{
    unsigned setting = 0;
    while (setting < SETTING_COUNT && strcmp(table[setting].info.name, name) != 0)
        setting++;
    return (enum setting)setting;
}

/* ---- Reading values ---- */

static enum status bad(enum setting setting, const char *expected, const char *found,
                       struct error *error)
{
    return value_bad(table[setting].info.name, expected, found, error);
}

static enum status read_choice(const struct setting_entry *entry, const char *value,
                               unsigned *choice, struct error *error)
{
    return value_choice(entry->info.name, entry->choices, value, choice, error);
}

static enum status read_number(enum setting setting, const char *value, size_t *number,
                               struct error *error)
{
    if (!value_number(value, NUMBER_MAX, number))
        return bad(setting, "a number from 0 up", value, error);
    return STATUS_OK;
}

/* A weight as thousandths; 0 for "auto". */
static enum status read_threshold(const char *value, unsigned *threshold, struct error *error)
{
    char *end;
    *threshold = 0;
    if (strcmp(value, "auto") == 0)
        return STATUS_OK;
    double weight = strtod(value, &end);
    if (end == value || *end != '\0' || !(weight >= 0.001 && weight <= 1))
        return bad(SETTING_THRESHOLD, "a weight from 0.001 to 1, or auto", value, error);
    *threshold = edge_thousandths((float)weight);
    return STATUS_OK;
}

static enum status read_detail(const char *value, int *detail, struct error *error)
{
    char *end, expected[40];
    long read = strtol(value, &end, 10);
    snprintf(expected, sizeof expected, "a number from %d to %d", DETAIL_MIN, DETAIL_MAX);
    if (end == value || *end != '\0' || read < DETAIL_MIN || read > DETAIL_MAX)
        return bad(SETTING_DETAIL, expected, value, error);
    *detail = (int)read;
    return STATUS_OK;
}

static enum status read_theme(const char *value, const struct theme **theme, struct error *error)
{
    *theme = theme_find(value);
    return *theme ? STATUS_OK : bad(SETTING_THEME, THEME_NAMES, value, error);
}

/* Whether the ranking is shown, and where its cursor stands: off, on, or a place from 1. */
static enum status read_rank(const char *value, bool *ranked, size_t *rank, struct error *error)
{
    size_t place = 1;
    *ranked = strcmp(value, "off") != 0;
    if (*ranked && strcmp(value, "on") != 0 &&
        (!value_number(value, NUMBER_MAX, &place) || place == 0))
        return bad(SETTING_RANK, "on, off or a place from 1", value, error);
    *rank = place - 1;
    return STATUS_OK;
}

enum status setting_check(enum setting setting, const char *value, struct error *error)
{
    const struct setting_entry *entry = &table[setting];
    unsigned choice;
    size_t number;
    int detail;
    bool ranked;
    const struct theme *theme;
    if (entry->kind == KIND_NUMBER || setting == SETTING_DIMENSION)
        return read_number(setting, value, &number, error);
    if (entry->kind != KIND_OTHER)
        return read_choice(entry, value, &choice, error);
    if (setting == SETTING_THRESHOLD)
        return read_threshold(value, &choice, error);
    if (setting == SETTING_DETAIL)
        return read_detail(value, &detail, error);
    if (setting == SETTING_THEME)
        return read_theme(value, &theme, error);
    if (setting == SETTING_RANK)
        return read_rank(value, &ranked, &number, error);
    return STATUS_OK;
}

/* ---- Applying them ---- */

static enum status apply_number(enum setting setting, const char *value, size_t limit,
                                size_t *field, struct error *error)
{
    size_t number;
    if (read_number(setting, value, &number, error) != STATUS_OK)
        return error->status;
    if (number >= limit)
        return error_set(error, STATUS_USAGE, "--%s: expected 0 to %zu, found %zu",
                         table[setting].info.name, limit - 1, number);
    *field = number;
    return STATUS_OK;
}

/* A recording may lack queries and keys, and so their dimensions. */
static enum status apply_dimension(struct session *session, const char *value, struct error *error)
{
    size_t dimensions = session->encoded->trace->dimensions;
    if (dimensions == 0)
        return error_set(error, STATUS_USAGE,
                         "--dimension: expected queries and keys, found a recording without them");
    return apply_number(SETTING_DIMENSION, value, dimensions, &session->scene.dimension, error);
}

static enum status apply_rank(struct scene *scene, const char *value, struct error *error)
{
    size_t heads = scene->layers * scene->head_count;
    if (read_rank(value, &scene->ranked, &scene->rank, error) != STATUS_OK)
        return error->status;
    if (scene->rank >= heads)
        return error_set(error, STATUS_USAGE, "--rank: expected a place from 1 to %zu, found %s",
                         heads, value);
    return STATUS_OK;
}

static enum status apply_heads(struct scene *scene, const char *value, struct error *error)
{
    if (head_mask_read(value, scene->head_count, &scene->heads, error) != STATUS_OK)
        return error->status;
    if (scene->heads)
        scene->head = head_mask_first(scene->heads);
    return STATUS_OK;
}

static enum status apply_token(struct session *session, enum setting setting, const char *value,
                               enum side side, size_t *token, struct error *error)
{
    const struct scene *scene = &session->scene;
    struct token_range shown = scene_range(scene, side);
    size_t found = session_find_token(session, value, side);
    if (found == NO_TOKEN)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected a token of the text, or a number from 0 to %zu, found "
                         "\"%s\"",
                         table[setting].info.name, scene_count(scene, side) - 1, value);
    if (found < shown.first || found >= shown.end)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected a token that --filter %s leaves on that side, found "
                         "\"%s\"",
                         table[setting].info.name, scene_filter_name(scene->filter), value);
    *token = found;
    session->query_found = false;
    return STATUS_OK;
}

static enum status apply_other(struct session *session, enum setting setting, const char *value,
                               struct error *error)
{
    struct scene *scene = &session->scene;
    switch (setting) {
    case SETTING_LAYER:
        return apply_number(setting, value, scene->layers, &scene->layer, error);
    case SETTING_HEAD:
        return apply_number(setting, value, scene->head_count, &scene->head, error);
    case SETTING_DIMENSION:
        return apply_dimension(session, value, error);
    case SETTING_HEADS:
        return apply_heads(scene, value, error);
    case SETTING_THRESHOLD:
        return read_threshold(value, &scene->threshold, error);
    case SETTING_DETAIL:
        return read_detail(value, &scene->detail, error);
    case SETTING_SELECT:
        return apply_token(session, setting, value, SIDE_LEFT, &scene->from, error);
    case SETTING_ATTENDED:
        return apply_token(session, setting, value, SIDE_RIGHT, &scene->to, error);
    case SETTING_RANK:
        return apply_rank(scene, value, error);
    case SETTING_FIND:
        session_find(session, value);
        return STATUS_OK;
    case SETTING_THEME:
        return read_theme(value, &session->theme, error);
    default:
        return STATUS_OK;
    }
}

static enum status apply(struct session *session, enum setting setting, const char *value,
                         struct error *error)
{
    const struct setting_entry *entry = &table[setting];
    void *field = (char *)&session->scene + entry->offset;
    unsigned choice;
    if (entry->kind == KIND_OTHER || entry->kind == KIND_NUMBER)
        return apply_other(session, setting, value, error);
    if (read_choice(entry, value, &choice, error) != STATUS_OK)
        return error->status;
    if (entry->kind == KIND_CHOICE)
        memcpy(field, &choice, sizeof choice);
    else
        *(bool *)field = choice != 0;
    return STATUS_OK;
}

/* What a setting asks of others or of the session. */
static enum status check_applied(struct session *session, enum setting setting,
                                 const char *const values[SETTING_COUNT], struct error *error)
{
    struct scene *scene = &session->scene;
    if (setting == SETTING_FILTER && !scene_filter_fits(scene, scene->filter))
        return error_set(error, STATUS_USAGE, "--filter %s: expected two sentences, found %s",
                         scene_filter_name(scene->filter),
                         scene_is_pair(scene) ? "an empty one" : "one");
    if (setting == SETTING_HEAD && !values[SETTING_HEADS] && scene->view == VIEW_HEAD)
        scene->heads = head_mask_of(scene->head);
    if (setting == SETTING_ATTENDED && !values[SETTING_SIDE])
        scene->side = SIDE_RIGHT;
    if (setting == SETTING_ATTENDED && !values[SETTING_SELECT])
        scene->from = NO_TOKEN; /* not the neuron view's own choice of before */
    if (setting == SETTING_RANK && scene->ranked && !scene_is_pinned(scene))
        return error_set(error, STATUS_USAGE,
                         "--rank: expected two tokens, --select and --attended");
    if (setting == SETTING_VIEW || setting == SETTING_WORDS || setting == SETTING_SPECIAL)
        session_set_view(session, scene->view); /* the tokens that the others speak of */
    return STATUS_OK;
}

enum status settings_apply(struct session *session, const char *const values[SETTING_COUNT],
                           struct error *error)
{
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (values[i] && (apply(session, (enum setting)i, values[i], error) != STATUS_OK ||
                          check_applied(session, (enum setting)i, values, error) != STATUS_OK))
            return error->status;
    session_refresh(session);
    return STATUS_OK;
}
