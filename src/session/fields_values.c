/* fields_values.c: values of fields that are more than a number or a choice: weights, lists of
 * tokens and connections. Counts are checked as far as data are available, because a command line
 * is checked before anything is loaded. Messages name the field as an option, also when the value
 * comes from a file or a lesson. */

#include "headlight/base/nearest.h"
#include "headlight/session/find.h"

#include <errno.h>
#include <stdlib.h>

enum status value_bad(const char *name, const char *expected, const char *found,
                      struct error *error)
{
    return error_usage(error, "--%s: expected %s, found \"%s\"", name, expected, found);
}

/* strtoul would accept signs and leading blanks. */
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
    struct nearest nearest = nearest_to(text);
    for (unsigned i = 0; choices[i]; nearest_offer(&nearest, choices[i++]))
        if (strcmp(text, choices[i]) == 0) {
            *choice = i;
            return STATUS_OK;
        }
    value_bad(name, nearest_names(&nearest), text, error);
    return nearest_suggest(&nearest, error);
}

/* A value that doesn't fit is cut; the buffer holds all heads of the largest model. */
void field_value_add(struct field_value *value, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof value->text - value->length;
    va_start(arguments, format);
    int written = vsnprintf(value->text + value->length, room, format, arguments);
    va_end(arguments);
    if (written > 0)
        value->length += (size_t)written < room ? (size_t)written : room - 1;
}

/* ---- Values of their own ----

 * Nothing is written for a default, so that files stay short. */

/* The comparisons are false for NaN, which strtod reads. */
bool value_real(const char *text, double least, double most, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && *number >= least && *number <= most;
}

/* A weight; 0 for "auto". */
enum status field_read_threshold(struct field_draft *draft, const char *value, struct error *error)
{
    double weight = 0;
    if (strcmp(value, "auto") != 0 && !value_real(value, 0.001, 1, &weight))
        return value_bad("threshold", "a weight from 0.001 to 1, or auto", value, error);
    draft->scene.look.threshold = weight > 0 ? edge_thousandths((float)weight) : 0;
    return STATUS_OK;
}

void field_write_threshold(const struct field_draft *draft, struct field_value *value)
{
    if (draft->scene.look.threshold > 0)
        field_value_add(value, "%s", number_weight(draft->scene.look.threshold).text);
}

/* Steps from the usual number of lines. */
enum status field_read_detail(struct field_draft *draft, const char *value, struct error *error)
{
    char *end, expected[40];
    long read = strtol(value, &end, 10);
    snprintf(expected, sizeof expected, "a number from %d to %d", DETAIL_MIN, DETAIL_MAX);
    if (end == value || *end != '\0' || read < DETAIL_MIN || read > DETAIL_MAX)
        return value_bad("detail", expected, value, error);
    draft->scene.look.detail = (int)read;
    return STATUS_OK;
}

void field_write_detail(const struct field_draft *draft, struct field_value *value)
{
    if (draft->scene.look.detail != 0)
        field_value_add(value, "%d", draft->scene.look.detail);
}

/* The token must be visible under the filter: a cursor that can't be seen would confuse. */
enum status field_read_token(struct scene *scene, enum state_field field, const char *value,
                             struct error *error)
{
    const enum side side = field == FIELD_SELECT ? SIDE_LEFT : SIDE_RIGHT;
    if (!scene->data.attention) /* without tokens any word is accepted */
        return STATUS_OK;
    struct token_range shown = scene_range(scene, side);
    struct token_range pieces;
    size_t found = find_pieces(scene, value, side, &pieces)
                       ? attention_shown(scene->data.attention, side, pieces.first)
                       : NO_TOKEN;
    if (found == NO_TOKEN)
        return error_usage(error,
                           "--%s: expected a token of the text, or a number from 0 to %zu, found "
                           "\"%s\"",
                           field_info(field)->name, scene_count(scene, side) - 1, value);
    if (found < shown.first || found >= shown.end)
        return error_usage(error,
                           "--%s: expected a token that --filter %s leaves on that side, found "
                           "\"%s\"",
                           field_info(field)->name, filters[scene->look.filter].name, value);
    *scene_chosen(scene, side) = found;
    scene->look.query_found = false;
    return STATUS_OK;
}

/* 1 is the trained network, and so is a value that 15 digits write as 1. */
enum status field_read_temperature(struct field_draft *draft, const char *value,
                                   struct error *error)
{
    double temperature;
    if (!value_real(value, INTERVENE_TEMPERATURE_MIN, INTERVENE_TEMPERATURE_MAX, &temperature))
        return value_bad("temperature", "a number from 0.001 to 1000", value, error);
    draft->changes.temperature = fabs(temperature - 1) > 1e-9 ? temperature : 0;
    return STATUS_OK;
}

void field_write_temperature(const struct field_draft *draft, struct field_value *value)
{
    if (draft->changes.temperature > 0)
        field_value_add(value, "%.15g", draft->changes.temperature);
}

/* ---- Lists ---- */

/* Before each item but the first. */
static const char *comma_after(const struct field_value *value)
{
    return value->length > 0 ? "," : "";
}

/* Tokens of the text, or of a site of an encoder–decoder, whose target may still be to come. */
static size_t tokens_at(const struct data *data, enum site site)
{
    const struct encoded *encoded = encoded_of_site(data->encoded, site);
    const bool made = site != SITE_ENCODER && encoded_given_texts(data->encoded)->text_count == 1;
    return made      ? data->checkpoint->model->config.longest
           : encoded ? encoded->trace->tokens
                     : data->tokens;
}

/* Names as for --select; of an encoder–decoder they are the source's, and "d#2" is the target's. A
 * name stands for all pieces of a word. */
enum status field_read_hide(struct field_draft *draft, const char *value, struct error *error)
{
    const struct data *data = &draft->scene.data;
    struct find_item item;
    while (find_next_item(&value, &item)) {
        const bool target = data->stacks.layers[1] > 0 && strncmp(item.text, "d#", 2) == 0;
        const size_t last = tokens_at(data, target ? SITE_DECODER : SITE_ENCODER) - 1;
        struct token_range pieces;
        if (target && value_number(item.text + 2, last, &pieces.first))
            pieces.end = pieces.first + 1;
        else if (target || !find_pieces(&draft->scene, item.text, SIDE_RIGHT, &pieces))
            return error_usage(
                error,
                "--hide: expected tokens of the text, or numbers from 0 to %zu, with "
                "commas between them, found \"%s\"",
                last, item.text);
        for (size_t i = pieces.first; i < pieces.end; i++)
            if (interventions_hide(&draft->changes, (uint32_t)i + (target ? INTERVENE_DECODER : 0),
                                   error) != STATUS_OK)
                return error->status;
    }
    return STATUS_OK;
}

/* Hidden tokens past the end of the text stay in the state, for a longer text, but name nothing in
 * a file. */
void field_write_hide(const struct field_draft *draft, struct field_value *value)
{
    const struct interventions *changes = &draft->changes;
    for (size_t i = 0; i < changes->hidden_count; i++) {
        const bool target = changes->hidden[i] & INTERVENE_DECODER;
        const uint32_t token = changes->hidden[i] & ~INTERVENE_DECODER;
        if (token < tokens_at(&draft->scene.data, target ? SITE_DECODER : SITE_ENCODER))
            field_value_add(value, "%s%s#%u", comma_after(value), target ? "d" : "", token);
    }
}

/* "LAYER.HEAD.FROM.TO", each number below its limit; of several heads, HEAD is "5-7" or "all". */
static bool read_cut(const char *text, const size_t limits[4], size_t numbers[4], head_mask *heads)
{
    bool fine = true;
    struct error why;
    for (size_t i = 0; i < 4 && fine; i++) {
        char part[24];
        const size_t length = strcspn(text, ".");
        format_cut(part, sizeof part, "%.*s", (int)length, text);
        fine = (i == 1 ? head_mask_read(part, limits[i], heads, &why) == STATUS_OK
                       : value_number(part, limits[i] - 1, &numbers[i])) &&
               length < sizeof part && text[length] == (i < 3 ? '.' : '\0');
        text += length + 1;
    }
    return fine;
}

/* By number, as two tokens of the same name are what one often wants to tell apart here. */
enum status field_read_cut(struct field_draft *draft, const char *value, struct error *error)
{
    const struct data *data = &draft->scene.data;
    const struct intervene_stacks *stacks = &data->stacks;
    struct find_item item;
    while (find_next_item(&value, &item)) {
        const enum site site = stacks->layers[1] > 0 ? interventions_site(item.text) : SITE_ENCODER;
        const size_t stack = site != SITE_ENCODER;
        const size_t limits[] = {stacks->layers[stack], stacks->heads[stack], tokens_at(data, site),
                                 tokens_at(data, site == SITE_CROSS ? SITE_ENCODER : site)};
        size_t of[4];
        head_mask heads;
        if (!read_cut(item.text + stack, limits, of, &heads))
            return error_usage(
                error,
                "--cut: expected LAYER.HEAD.FROM.TO such as 0.1.4.2, with layers from "
                "0 to %zu, heads from 0 to %zu, tokens from 0 to %zu, found \"%s\"",
                limits[0] - 1, limits[1] - 1, limits[2 + (limits[3] < limits[2])] - 1, item.text);
        for (; heads; heads &= heads - 1) {
            const struct cut cut = {(uint32_t)(interventions_first(stacks, site) + of[0]),
                                    (uint32_t)head_mask_first(heads), (uint32_t)of[2],
                                    (uint32_t)of[3]};
            if (interventions_cut(&draft->changes, cut, error) != STATUS_OK)
                return error->status;
        }
    }
    return STATUS_OK;
}

void field_write_cut(const struct field_draft *draft, struct field_value *value)
{
    for (size_t i = 0; i < draft->changes.cut_count; i++) {
        struct cut cut = draft->changes.cuts[i];
        if (cut.from < draft->scene.data.tokens && cut.to < draft->scene.data.tokens)
            field_value_add(value, "%s%s.%u.%u", comma_after(value),
                            interventions_name(&draft->scene.data.stacks, cut.layer, cut.head).text,
                            cut.from, cut.to);
    }
}

/* By their ids. They are applied by generate_apply (act.h), before the masks. */
void field_write_generated(const struct field_draft *draft, struct field_value *value)
{
    const struct generated *generated = &draft->scene.data.encoded->generated;
    for (size_t i = 0; i < generated->count; i++)
        field_value_add(value, "%s%d", comma_after(value), (int)generated->ids[i]);
}

/* Masks are applied by mask_apply (act.h), which encodes the text anew. */
void field_write_mask(const struct field_draft *draft, struct field_value *value)
{
    const struct masked *masked = &draft->scene.data.encoded->masked;
    for (size_t i = 0; i < masked->count; i++)
        field_value_add(value, "%s#%zu", comma_after(value), masked->tokens[i]);
}

/* ---- What was changed ---- */

static bool is_alone(const struct look *look)
{
    return look->heads == head_mask_of(look->head);
}

/* Says of the heads that a change switched what they are now; false where not all are the same. */
static bool name_heads(const struct intervene_stacks *stacks, const head_mask *now,
                       const head_mask *before, bool uniform, char *text, size_t size)
{
    head_mask changed[INTERVENE_LAYERS_MAX];
    bool set = false, clear = false;
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++) {
        changed[layer] = now[layer] ^ before[layer];
        set |= (changed[layer] & now[layer]) != 0;
        clear |= (changed[layer] & before[layer]) != 0;
    }
    const size_t count = interventions_name_heads(changed, stacks, text, size);
    format_add(text, size, " %s %s again", count == 1 ? "is" : "are",
               uniform ? set ? "uniform" : "not uniform"
               : set   ? "off"
                       : "on");
    return set != clear;
}

/* As lists say it: in a sentence that is the value's own, or else by its name. A value that isn't
 * written is the first of its choices. */
static void say_value(const struct field_draft *now, const struct field_draft *before,
                      enum state_field field, const char *value, char *text, size_t size)
{
    struct scene scene = now->scene;
    scene.data.network = &now->changes;
    const struct option_info *option = option_named(field_info(field)->name);
    const size_t chosen = field_choice(field, 0) ? field_chosen(&scene, field) : NO_ROW;
    const char *choice = chosen != NO_ROW ? field_choice(field, chosen) : value,
               *about = chosen != NO_ROW ? field_choice_about(field, chosen) : "";
    if (field == FIELD_DETAIL)
        format_cut(text, size, "%s lines",
                   now->scene.look.detail > before->scene.look.detail ? "more" : "fewer");
    else if (field == FIELD_HEADS)
        format_cut(text, size,
                   strcmp(value, "all") == 0    ? "all heads"
                   : strcmp(value, "none") == 0 ? "no head"
                   : strpbrk(value, ",-")       ? "heads %s"
                                                : "head %s alone",
                   value);
    else if (field == FIELD_FIND)
        format_cut(text, size, *value ? "\"%s\" is marked" : "nothing is marked", value);
    else if (field == FIELD_HIDE)
        format_cut(text, size, "tokens hidden from all: %u", now->changes.hidden_count);
    else if (field == FIELD_CUT)
        format_cut(text, size, "connections cut: %u", now->changes.cut_count);
    else if (field == FIELD_VIEW || field == FIELD_MAP)
        format_cut(text, size, "the %s %s", choice, field_title(field));
    else if (*about && (!option || about != option->help))
        format_cut(text, size, "%s", about);
    else
        format_cut(text, size, "%s %s", field_title(field), choice);
}

/* Values are compared as they are written. A head that is shown alone goes along with the cursor.
 */
void fields_name_change(const struct field_draft *now, const struct field_draft *before, char *text,
                        size_t size)
{
    static struct field_value values[2]; /* too large for a stack; the session has one thread */
    struct field_draft then = *before;
    if (is_alone(&now->scene.look) && is_alone(&before->scene.look))
        then.scene.look.heads = now->scene.look.heads;
    *text = '\0';
    for (enum state_field field = 0; field < FIELD_COUNT && !*text; field++) {
        const struct field_info *info = field_info(field);
        if (info->moves || (!field_is_look(field) && !field_is_network(field)))
            continue;
        field_draft_write(now, field, &values[0]);
        field_draft_write(&then, field, &values[1]);
        if (strcmp(values[0].text, values[1].text) == 0 ||
            (field == FIELD_OFF && name_heads(&now->scene.data.stacks, now->changes.off,
                                              before->changes.off, false, text, size)) ||
            (field == FIELD_UNIFORM && name_heads(&now->scene.data.stacks, now->changes.uniform,
                                                  before->changes.uniform, true, text, size)))
            continue;
        say_value(now, before, field, values[0].text, text, size);
    }
}
