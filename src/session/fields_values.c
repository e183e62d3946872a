/* fields_values.c: values of fields that are more than a number or a choice: weights, tokens by
 * name, lists of heads, tokens and connections. What a value counts is checked as far as the data
 * are there: a command line is checked before anything is loaded. */
#include "headlight/session/fields_values.h"

#include "headlight/base/format.h"
#include "headlight/draw/theme.h"
#include "headlight/session/find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status bad_value(enum state_field field, const char *expected, const char *found,
                             struct error *error)
{
    return value_bad(field_info(field)->name, expected, found, error);
}

/* ---- Heads of a layer ---- */

enum status field_read_heads(struct draft *draft, const char *value, struct error *error)
{
    struct look *look = &draft->scene.look;
    if (head_mask_read(value, draft->scene.data.head_count, &look->heads, error) != STATUS_OK)
        return error->status;
    if (look->heads)
        look->head = head_mask_first(look->heads);
    return STATUS_OK;
}

enum status field_read_others(struct draft *draft, const char *value, struct error *error)
{
    struct scene *scene = &draft->scene;
    return head_mask_read(value, scene->data.head_count, &scene->look.others, error);
}

static void write_mask(uint64_t heads, size_t count, struct field_value *value)
{
    char list[256];
    head_mask_write(heads, count, list, sizeof list);
    field_value_add(value, "%s", list);
}

void field_write_heads(const struct draft *draft, struct field_value *value)
{
    write_mask(draft->scene.look.heads, draft->scene.data.head_count, value);
}

void field_write_others(const struct draft *draft, struct field_value *value)
{
    const uint64_t others = draft->scene.look.others;
    const size_t count = draft->scene.data.head_count;
    if (others != head_mask_all(count))
        write_mask(others, count, value);
}

/* ---- Lines ---- */

/* A weight; 0 for "auto". */
enum status field_read_threshold(struct draft *draft, const char *value, struct error *error)
{
    unsigned *threshold = &draft->scene.look.threshold;
    char *end;
    *threshold = 0;
    if (strcmp(value, "auto") == 0)
        return STATUS_OK;
    double weight = strtod(value, &end);
    if (end == value || *end != '\0' || !(weight >= 0.001 && weight <= 1))
        return bad_value(FIELD_THRESHOLD, "a weight from 0.001 to 1, or auto", value, error);
    *threshold = edge_thousandths((float)weight);
    return STATUS_OK;
}

void field_write_threshold(const struct draft *draft, struct field_value *value)
{
    const unsigned threshold = draft->scene.look.threshold;
    if (threshold > 0)
        field_value_add(value, "%s", number_weight(threshold).text);
}

enum status field_read_detail(struct draft *draft, const char *value, struct error *error)
{
    char *end, expected[40];
    long read = strtol(value, &end, 10);
    snprintf(expected, sizeof expected, "a number from %d to %d", DETAIL_MIN, DETAIL_MAX);
    if (end == value || *end != '\0' || read < DETAIL_MIN || read > DETAIL_MAX)
        return bad_value(FIELD_DETAIL, expected, value, error);
    draft->scene.look.detail = (int)read;
    return STATUS_OK;
}

void field_write_detail(const struct draft *draft, struct field_value *value)
{
    const int detail = draft->scene.look.detail;
    if (detail != 0)
        field_value_add(value, "%d", detail);
}

/* ---- Dimension ---- */

/* A recording may lack queries and keys, and with them the dimensions. */
enum status field_read_dimension(struct draft *draft, const char *value, struct error *error)
{
    const struct encoded *encoded = draft->scene.data.encoded;
    if (encoded && encoded->trace->dimensions == 0)
        return error_set(error, STATUS_USAGE,
                         "--dimension: expected queries and keys, found a recording without them");
    return field_read_size(FIELD_DIMENSION, value, encoded ? encoded->trace->dimensions : SIZE_MAX,
                           &draft->scene.look.dimension, error);
}

void field_write_dimension(const struct draft *draft, struct field_value *value)
{
    const size_t dimension = draft->scene.look.dimension;
    if (dimension < draft->scene.data.encoded->trace->dimensions)
        field_value_add(value, "%zu", dimension);
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

enum status field_read_number(struct draft *draft, const char *value, struct error *error)
{
    struct scene *scene = &draft->scene;
    size_t limit = scene->data.encoded ? count_numbers(scene) : SIZE_MAX;
    if (limit == 0)
        return error_set(error, STATUS_USAGE, "--number: layer %zu has no numbers of the stage %s",
                         scene->look.layer, stage_name(scene->look.stage));
    return field_read_size(FIELD_NUMBER, value, limit, &scene->look.number, error);
}

void field_write_number(const struct draft *draft, struct field_value *value)
{
    const size_t number = draft->scene.look.number;
    if (number < count_numbers(&draft->scene))
        field_value_add(value, "%zu", number);
}

/* ---- Tokens that are chosen ---- */

static enum status read_token(struct scene *scene, enum state_field field, const char *value,
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
                         field_info(field)->name, scene_count(scene, side) - 1, value);
    if (found < shown.first || found >= shown.end)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected a token that --filter %s leaves on that side, found "
                         "\"%s\"",
                         field_info(field)->name, filter_name(scene->look.filter), value);
    *scene_chosen(scene, side) = found;
    scene->look.query_found = false;
    return STATUS_OK;
}

enum status field_read_select(struct draft *draft, const char *value, struct error *error)
{
    return read_token(&draft->scene, FIELD_SELECT, value, SIDE_LEFT, error);
}

enum status field_read_attended(struct draft *draft, const char *value, struct error *error)
{
    return read_token(&draft->scene, FIELD_ATTENDED, value, SIDE_RIGHT, error);
}

/* By number, with a mark: another token's text may be that number. */
static void write_token(size_t token, struct field_value *value)
{
    if (token != NO_TOKEN)
        field_value_add(value, "#%zu", token);
}

void field_write_select(const struct draft *draft, struct field_value *value)
{
    const struct look *look = &draft->scene.look;
    write_token(look->query_found ? NO_TOKEN : look->from, value);
}

void field_write_attended(const struct draft *draft, struct field_value *value)
{
    write_token(draft->scene.look.to, value);
}

enum status field_read_find(struct draft *draft, const char *value, struct error *error)
{
    struct look *look = &draft->scene.look;
    (void)error;
    format_cut(look->find, sizeof look->find, "%s", value);
    return STATUS_OK;
}

void field_write_find(const struct draft *draft, struct field_value *value)
{
    field_value_add(value, "%s", draft->scene.look.find);
}

/* ---- Ranking ---- */

/* Whether it is shown, and where its cursor stands: off, on, or a place from 1. */
enum status field_read_rank(struct draft *draft, const char *value, struct error *error)
{
    struct scene *scene = &draft->scene;
    size_t place = 1, heads = scene->data.layers * scene->data.head_count;
    bool ranked = strcmp(value, "off") != 0;
    if (ranked && strcmp(value, "on") != 0 &&
        (!value_number(value, FIELD_NUMBER_MAX, &place) || place == 0))
        return bad_value(FIELD_RANK, "on, off or a place from 1", value, error);
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

void field_write_rank(const struct draft *draft, struct field_value *value)
{
    if (draft->scene.look.ranked)
        field_value_add(value, "%zu", draft->scene.look.rank + 1);
}

/* ---- Theme ---- */

enum status field_read_theme(struct draft *draft, const char *value, struct error *error)
{
    size_t theme = theme_number(value);
    if (!theme_at(theme))
        return bad_value(FIELD_THEME, THEME_NAMES, value, error);
    draft->scene.look.theme = theme;
    return STATUS_OK;
}

void field_write_theme(const struct draft *draft, struct field_value *value)
{
    field_value_add(value, "%s", theme_at(draft->scene.look.theme)->name);
}

/* ---- Temperature ---- */

/* 1 is as the network was trained, and so is what 15 digits write as 1. */
enum status field_read_temperature(struct draft *draft, const char *value, struct error *error)
{
    char *end;
    double temperature = strtod(value, &end);
    if (end == value || *end != '\0' || !(temperature >= INTERVENE_TEMPERATURE_MIN) ||
        !(temperature <= INTERVENE_TEMPERATURE_MAX))
        return bad_value(FIELD_TEMPERATURE, "a number from 0.001 to 1000", value, error);
    draft->changes.temperature = fabs(temperature - 1) > 1e-9 ? temperature : 0;
    return STATUS_OK;
}

void field_write_temperature(const struct draft *draft, struct field_value *value)
{
    if (draft->changes.temperature > 0)
        field_value_add(value, "%.15g", draft->changes.temperature);
}

/* ---- Lists ---- */

static const char *comma_after(const struct field_value *value)
{
    return value->length > 0 ? "," : "";
}

enum status field_read_off(struct draft *draft, const char *value, struct error *error)
{
    const struct data *data = &draft->scene.data;
    return interventions_switch_off(&draft->changes, value, data->layers, data->head_count, error);
}

enum status field_read_uniform(struct draft *draft, const char *value, struct error *error)
{
    const struct data *data = &draft->scene.data;
    return interventions_make_uniform(&draft->changes, value, data->layers, data->head_count,
                                      error);
}

static void write_heads(const struct data *data, const uint64_t *masks, struct field_value *value)
{
    for (size_t layer = 0; layer < data->layers; layer++)
        for (size_t head = 0; head < data->head_count; head++)
            if (head_mask_has(masks[layer], head))
                field_value_add(value, "%s%zu.%zu", comma_after(value), layer, head);
}

void field_write_off(const struct draft *draft, struct field_value *value)
{
    write_heads(&draft->scene.data, draft->changes.off, value);
}

void field_write_uniform(const struct draft *draft, struct field_value *value)
{
    write_heads(&draft->scene.data, draft->changes.uniform, value);
}

enum status field_read_hide(struct draft *draft, const char *value, struct error *error)
{
    struct find_item item;
    while (find_next_item(&value, &item)) {
        struct token_range pieces;
        if (!find_pieces(&draft->scene, item.text, SIDE_LEFT, &pieces))
            return error_set(error, STATUS_USAGE,
                             "--hide: expected tokens of the text, or numbers from 0 to %zu, with "
                             "commas between them, found \"%s\"",
                             draft->scene.data.tokens - 1, item.text);
        for (size_t token = pieces.first; token < pieces.end; token++)
            if (interventions_hide(&draft->changes, (uint32_t)token, error) != STATUS_OK)
                return error->status;
    }
    return STATUS_OK;
}

void field_write_hide(const struct draft *draft, struct field_value *value)
{
    const struct interventions *changes = &draft->changes;
    for (size_t i = 0; i < changes->hidden_count; i++)
        if (changes->hidden[i] < draft->scene.data.tokens)
            field_value_add(value, "%s#%u", comma_after(value), changes->hidden[i]);
}

/* "LAYER.HEAD.FROM.TO", each below its limit. */
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

enum status field_read_cut(struct draft *draft, const char *value, struct error *error)
{
    const struct data *data = &draft->scene.data;
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
        if (interventions_cut(&draft->changes, cut, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

void field_write_cut(const struct draft *draft, struct field_value *value)
{
    for (size_t i = 0; i < draft->changes.cut_count; i++) {
        struct cut cut = draft->changes.cuts[i];
        if (cut.from < draft->scene.data.tokens && cut.to < draft->scene.data.tokens)
            field_value_add(value, "%s%u.%u.%u.%u", comma_after(value), cut.layer, cut.head,
                            cut.from, cut.to);
    }
}

/* It is read by mask_apply (mask.h), which encodes the text anew. */
void field_write_mask(const struct draft *draft, struct field_value *value)
{
    const struct masked *masked = &draft->scene.data.encoded->masked;
    for (size_t i = 0; i < masked->count; i++)
        field_value_add(value, "%s#%zu", comma_after(value), masked->tokens[i]);
}
