/* settings_values.c: settings whose values are more than a number or a choice. */
#include "headlight/session/settings_table.h"

#include "headlight/base/format.h"
#include "headlight/draw/theme.h"
#include "headlight/session/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status bad(enum setting setting, const char *expected, const char *found,
                       struct error *error)
{
    return value_bad(setting_info(setting)->name, expected, found, error);
}

/* ---- Heads ---- */

enum status setting_apply_heads(struct scene *scene, const char *value, struct error *error)
{
    struct look *look = &scene->look;
    if (head_mask_read(value, scene->data.head_count, &look->heads, error) != STATUS_OK)
        return error->status;
    if (look->heads)
        look->head = head_mask_first(look->heads);
    return STATUS_OK;
}

bool setting_write_heads(const struct scene *scene, char *value)
{
    head_mask_write(scene->look.heads, scene->data.head_count, value, SETTING_VALUE);
    return true;
}

enum status setting_apply_others(struct scene *scene, const char *value, struct error *error)
{
    return head_mask_read(value, scene->data.head_count, &scene->look.others, error);
}

bool setting_write_others(const struct scene *scene, char *value)
{
    head_mask_write(scene->look.others, scene->data.head_count, value, SETTING_VALUE);
    return scene->look.others != head_mask_all(scene->data.head_count);
}

/* ---- Lines ---- */

/* A weight; 0 for "auto". */
enum status setting_apply_threshold(struct scene *scene, const char *value, struct error *error)
{
    char *end;
    scene->look.threshold = 0;
    if (strcmp(value, "auto") == 0)
        return STATUS_OK;
    double weight = strtod(value, &end);
    if (end == value || *end != '\0' || !(weight >= 0.001 && weight <= 1))
        return bad(SETTING_THRESHOLD, "a weight from 0.001 to 1, or auto", value, error);
    scene->look.threshold = edge_thousandths((float)weight);
    return STATUS_OK;
}

bool setting_write_threshold(const struct scene *scene, char *value)
{
    snprintf(value, SETTING_VALUE, "%s", number_weight(scene->look.threshold).text);
    return scene->look.threshold > 0;
}

enum status setting_apply_detail(struct scene *scene, const char *value, struct error *error)
{
    char *end, expected[40];
    long read = strtol(value, &end, 10);
    snprintf(expected, sizeof expected, "a number from %d to %d", DETAIL_MIN, DETAIL_MAX);
    if (end == value || *end != '\0' || read < DETAIL_MIN || read > DETAIL_MAX)
        return bad(SETTING_DETAIL, expected, value, error);
    scene->look.detail = (int)read;
    return STATUS_OK;
}

bool setting_write_detail(const struct scene *scene, char *value)
{
    snprintf(value, SETTING_VALUE, "%d", scene->look.detail);
    return scene->look.detail != 0;
}

/* ---- Dimension ---- */

/* A recording may lack queries and keys, and so their dimensions. */
enum status setting_apply_dimension(struct scene *scene, const char *value, struct error *error)
{
    if (scene->data.encoded && scene->data.encoded->trace->dimensions == 0)
        return error_set(error, STATUS_USAGE,
                         "--dimension: expected queries and keys, found a recording without them");
    size_t limit = scene->data.encoded ? scene->data.encoded->trace->dimensions : SIZE_MAX;
    return setting_number(SETTING_DIMENSION, value, limit, &scene->look.dimension, error);
}

bool setting_write_dimension(const struct scene *scene, char *value)
{
    snprintf(value, SETTING_VALUE, "%zu", scene->look.dimension);
    return scene->look.dimension < scene->data.encoded->trace->dimensions;
}

/* ---- A number of a stage ---- */

/* A stage that a recording lacks has none. */
static size_t count_numbers(const struct scene *scene)
{
    const struct checkpoint *checkpoint = scene->data.checkpoint;
    const struct steps_at at = {.model = checkpoint ? checkpoint->model : NULL,
                                .trace = scene->data.encoded->trace,
                                .layer = scene->look.layer};
    return steps_count(&at, scene->look.stage);
}

enum status setting_apply_number(struct scene *scene, const char *value, struct error *error)
{
    size_t limit = scene->data.encoded ? count_numbers(scene) : SIZE_MAX;
    if (limit == 0)
        return error_set(error, STATUS_USAGE, "--number: layer %zu has no numbers of the stage %s",
                         scene->look.layer, stage_name(scene->look.stage));
    return setting_number(SETTING_NUMBER, value, limit, &scene->look.number, error);
}

bool setting_write_number(const struct scene *scene, char *value)
{
    snprintf(value, SETTING_VALUE, "%zu", scene->look.number);
    return scene->look.number < count_numbers(scene);
}

/* ---- Tokens ---- */

static enum status apply_token(struct scene *scene, enum setting setting, const char *value,
                               enum side side, struct error *error)
{
    if (!scene->data.attention) /* any word may be a token */
        return STATUS_OK;
    struct token_range shown = scene_range(scene, side);
    struct token_range pieces;
    size_t found = find_pieces(scene, value, side, &pieces)
                       ? attention_shown(scene->data.attention, side, pieces.first)
                       : NO_TOKEN;
    if (found == NO_TOKEN)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected a token of the text, or a number from 0 to %zu, found "
                         "\"%s\"",
                         setting_info(setting)->name, scene_count(scene, side) - 1, value);
    if (found < shown.first || found >= shown.end)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected a token that --filter %s leaves on that side, found "
                         "\"%s\"",
                         setting_info(setting)->name, filter_name(scene->look.filter), value);
    *scene_chosen(scene, side) = found;
    scene->look.query_found = false;
    return STATUS_OK;
}

enum status setting_apply_select(struct scene *scene, const char *value, struct error *error)
{
    return apply_token(scene, SETTING_SELECT, value, SIDE_LEFT, error);
}

enum status setting_apply_attended(struct scene *scene, const char *value, struct error *error)
{
    return apply_token(scene, SETTING_ATTENDED, value, SIDE_RIGHT, error);
}

/* By number, with a mark: another token's text may be that number. */
static bool write_token(size_t token, char *value)
{
    snprintf(value, SETTING_VALUE, "#%zu", token);
    return token != NO_TOKEN;
}

bool setting_write_select(const struct scene *scene, char *value)
{
    return write_token(scene->look.query_found ? NO_TOKEN : scene->look.from, value);
}

bool setting_write_attended(const struct scene *scene, char *value)
{
    return write_token(scene->look.to, value);
}

enum status setting_apply_find(struct scene *scene, const char *value, struct error *error)
{
    (void)error;
    format_cut(scene->look.find, sizeof scene->look.find, "%s", value);
    return STATUS_OK;
}

bool setting_write_find(const struct scene *scene, char *value)
{
    snprintf(value, SETTING_VALUE, "%s", scene->look.find);
    return value[0] != '\0';
}

/* ---- Ranking ---- */

/* Whether it is shown, and where its cursor stands: off, on, or a place from 1. */
enum status setting_apply_rank(struct scene *scene, const char *value, struct error *error)
{
    size_t place = 1, heads = scene->data.layers * scene->data.head_count;
    bool ranked = strcmp(value, "off") != 0;
    if (ranked && strcmp(value, "on") != 0 &&
        (!value_number(value, SETTING_NUMBER_MAX, &place) || place == 0))
        return bad(SETTING_RANK, "on, off or a place from 1", value, error);
    if (scene->data.encoded && place > heads)
        return error_set(error, STATUS_USAGE, "--rank: expected a place from 1 to %zu, found %s",
                         heads, value);
    if (scene->data.encoded && ranked && !scene_is_pinned(scene))
        return error_set(error, STATUS_USAGE,
                         "--rank: expected two tokens, --select and --attended");
    scene->look.ranked = ranked;
    scene->look.rank = place - 1;
    return STATUS_OK;
}

bool setting_write_rank(const struct scene *scene, char *value)
{
    snprintf(value, SETTING_VALUE, "%zu", scene->look.rank + 1);
    return scene->look.ranked;
}

/* ---- Theme ---- */

enum status setting_apply_theme(struct scene *scene, const char *value, struct error *error)
{
    size_t theme = theme_number(value);
    if (!theme_at(theme))
        return bad(SETTING_THEME, THEME_NAMES, value, error);
    scene->look.theme = theme;
    return STATUS_OK;
}

bool setting_write_theme(const struct scene *scene, char *value)
{
    snprintf(value, SETTING_VALUE, "%s", theme_at(scene->look.theme)->name);
    return true;
}
