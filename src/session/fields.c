/* fields.c: the table of the state's fields, and everything that walks it: reading, applying and
 * writing values. Values are first read into a draft of the look and the changes; the session takes
 * the draft only if all were read, so that a wrong value changes nothing. A kind of field says how
 * its values are read and written; only few fields have functions of their own
 * (fields_values.c). Their rows and options are read off options.inc, which the Makefile makes of
 * assets/options. */
#include "headlight/session/fields.h"

#include "headlight/session/derive.h"
#include "headlight/view/answers.h"
#include "headlight/view/comparison.h"
#include "headlight/view/model_view.h"

enum field_kind {
    KIND_CHOICE, /* one of `choices`: an enum, from 0 */
    KIND_FLAG,   /* one of two `choices`: a bool */
    KIND_NUMBER, /* from 0, below a limit: a size_t */
    KIND_HEADS,  /* of a layer: a mask */
    KIND_MASKS,  /* of all layers: a mask each */
    KIND_LIST,   /* of heads, tokens or connections, which need a session */
    KIND_TOKEN,  /* shown on a side, or NO_TOKEN */
    KIND_TEXT,   /* a char[] */
    KIND_OWN,    /* read and written by functions of its own */
    KIND_SAYS,   /* an option for one value of another field */
    KIND_SWITCH, /* off or on, read by the code that opens the text */
};

struct field_row {
    struct field_info info;
    enum field_kind kind;
    size_t offset, size;        /* in struct field_draft */
    const char *const *choices; /* NULL after the last */
    value_reader *read;
    value_writer *write; /* of a list, or its own */
    enum state_field says;
    const char *value; /* of a SAYS row */
};

/* ---- The table ---- */

/* The limit of a number, which must be below; without data there is none, and 0 means that nothing
 * can be chosen. */
static size_t limit_of(const struct scene *scene, enum state_field field)
{
    const struct data *data = &scene->data;
    const struct encoded *encoded = data->encoded;
    const struct model *model = data->checkpoint ? data->checkpoint->model : NULL;
    const struct survey *survey = data_survey(data);
    struct steps_at at = {.model = model, .layer = scene->look.layer};
    switch (field) {
    case FIELD_LAYER:
    case FIELD_LAYER_KEPT:
        return data->layers > 0 ? data->layers : SIZE_MAX;
    case FIELD_HEAD:
        return data->layers > 0 ? data->head_count : SIZE_MAX;
    case FIELD_DIMENSION: /* a recording may lack queries and keys, and so dimensions, */
        return encoded ? encoded->trace->dimensions : SIZE_MAX;
    case FIELD_NUMBER: /* or a stage */
        at.trace = encoded ? encoded->trace : NULL;
        at.output = answers_output(&scene->look, data);
        return encoded ? steps_operation(&at, scene->look.stage).outputs : SIZE_MAX;
    case FIELD_CORPUS_RELATION: /* without a survey neither has a place to be in */
        return survey ? size_max(survey_count(survey, ROW_RELATION), 1) : SIZE_MAX;
    case FIELD_CORPUS_EXAMPLE:
        return survey ? SURVEY_EXAMPLES : SIZE_MAX;
    case FIELD_ASKED: /* a token of an encoder–decoder's target */
        return encoded ? encoded_speaker(encoded)->sides[SIDE_LEFT].count : SIZE_MAX;
    default: /* an answer: a piece of the vocabulary, or a label, of which there are fewer */
        return model ? model->config.vocabulary : SIZE_MAX;
    }
}

#define CHOICES_MAX 64

/* The place of a field; doesn't compile if the type is wrong. */
#define AT(type, member)                                                                           \
    .size = sizeof(type),                                                                          \
    .offset = offsetof(struct field_draft, member) +                                               \
              0 * sizeof(char[_Generic(&((struct field_draft *)0)->member, type * : 1, default     \
                                       : -1)])
#define NAMES(...)                                                                                 \
    .choices = (const char *const[CHOICES_MAX + 1])                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define CHOICE(type, at, ...) .kind = KIND_CHOICE, AT(type, at), NAMES(__VA_ARGS__)
#define PAIR(at, no, yes)     .kind = KIND_FLAG, AT(bool, at), NAMES(no, yes)
#define FLAG(at)              PAIR(at, "off", "on")
#define NUMBER(at)            .kind = KIND_NUMBER, AT(size_t, at)
#define HEADS(at)             .kind = KIND_HEADS, AT(head_mask, at)
#define MASKS(at)             .kind = KIND_MASKS, AT(head_mask, at[0])
#define TOKEN(at)             .kind = KIND_TOKEN, AT(size_t, at)
#define TEXT(at)                                                                                   \
    .kind = KIND_TEXT, .size = sizeof((struct field_draft *)0)->at,                                \
    .offset = offsetof(struct field_draft, at)
#define OWN(name)         .kind = KIND_OWN, .read = field_read_##name, .write = field_write_##name
#define OFFERS(...)       NAMES(__VA_ARGS__)
#define LIST(name)        .kind = KIND_LIST, .read = field_read_##name, .write = field_write_##name
#define SAYS(field, text) .kind = KIND_SAYS, .says = FIELD_##field, .value = text
#define WRITTEN(name)     .kind = KIND_LIST, .write = field_write_##name
#define IN(aspect, files) .info.shown = SHOWN_##aspect, .info.reads = (files)
#define MOVES             .info.moves = true
#define SWITCH            .kind = KIND_SWITCH, NAMES("off", "on")
#define KEY(action)       .info.key = ACTION_##action

#define VIEW_NAME(kind, name)         #name,
#define MAP_NAME(code, name, ...)     #name,
#define METRIC_NAME(code, name, ...)  #name,
#define STAGE_NAME(stage, name, axis) name,

static const struct field_row table[FIELD_COUNT] = {
#define FIELD(field, its_name, its_part, its_reach, ...)                                           \
    [FIELD_##field] = {.info.name = its_name,                                                      \
                       .info.part = PART_##its_part,                                               \
                       .info.reach = REACH_##its_reach,                                            \
                       __VA_ARGS__},
#include "options.inc"
};

_Static_assert(sizeof(enum view_kind) == sizeof(unsigned), "choices are kept as unsigned");

const struct field_info *field_info(enum state_field field)
{
    return &table[field].info;
}

bool field_is_shown(enum state_field field, enum view_kind view, bool picture)
{
    const unsigned shown = table[field].info.shown;
    return !shown || shown & view_at(view)->shown || (picture && shown == SHOWN_PIECES);
}

bool field_is_alias(enum state_field field)
{
    return table[field].kind == KIND_SAYS;
}

static const struct topic_info topics[] = {
#define TOPIC(...) {__VA_ARGS__},
#include "options.inc"
};

static const struct option_info options[] = {
#define OPTION(topic, ...) {&topics[topic], __VA_ARGS__},
#include "options.inc"
};

const struct option_info *option_at(size_t index)
{
    return index < LENGTH(options) ? &options[index] : NULL;
}

const struct option_info *option_named(const char *name)
{
    const struct option_info *option;
    for (size_t i = 0; (option = option_at(i)) && strcmp(option->name, name) != 0; i++)
        ;
    return option;
}

const char *option_dashes(const char *name)
{
    const struct option_info *option = option_named(name);
    return option && option->dashes ? "--" : "--set ";
}

const char *field_choice(enum state_field field, size_t index)
{
    const char *const *choices = field < FIELD_COUNT ? table[field].choices : NULL;
    return choices && index < CHOICES_MAX ? choices[index] : NULL;
}

/* A survey's figures are means of those of a head, and have their names. */
const char *field_choice_about(enum state_field field, size_t index)
{
    const char *choice = field_choice(field, index);
    const struct option_info *option = option_named(table[field].info.name);
    if (field == FIELD_CORPUS_AXIS)
        return field_choice_about(FIELD_CORPUS_METRIC, index + 1);
    for (const char *const *value = option ? option->values : NULL; value && *value; value += 2)
        if (strcmp(value[0], choice) == 0)
            return value[1];
    const size_t metric = index + (field == FIELD_CORPUS_METRIC ? METRIC_LABEL : METRIC_NONE);
    const char *about = field == FIELD_VIEW  ? view_at((enum view_kind)index)->about
                        : field == FIELD_MAP ? map_infos[(enum map_kind)index].meaning
                        : field == FIELD_METRIC || field == FIELD_CORPUS_METRIC
                            ? metric_infos[metric].meaning
                            : "";
    return *about || !option ? about : option->help;
}

/* Of an encoder–decoder the encoder can be made causal, whichever attention is shown. */
const char *field_missing(const struct scene *scene, enum state_field field)
{
    const struct checkpoint *checkpoint = scene->data.checkpoint;
    const struct config *config = checkpoint ? &checkpoint->model->config : NULL;
    if (config && field == FIELD_CAUSAL && config->causal && config->stack == STACK_ONLY)
        return "tokens of this model see only those before them anyway";
    if (config && field == FIELD_UNSCALED && config->score_scalar == 1)
        return "scores of this model aren't divided by √D anyway";
    return config && field == FIELD_NO_SEGMENTS && config->segments == 0
               ? "this model has no segment embeddings"
               : NULL;
}

unsigned field_aspect(enum state_field field)
{
    const struct field_info *info = &table[field].info;
    return field == FIELD_ANSWERS ? SHOWN_SAID | SHOWN_STAGES
           : info->shown          ? info->shown
                                  : action_info(info->key)->shown;
}

enum state_field field_listed_by(const struct scene *scene, enum action action)
{
    enum state_field field = 0;
    for (unsigned aspect; field < FIELD_COUNT; field++) {
        aspect = field_aspect(field);
        if (action > 0 && table[field].info.key == action &&
            (!aspect || scene->view->shown & aspect) &&
            (aspect != SHOWN_SURVEY || data_survey(&scene->data)) &&
            (field != FIELD_ANSWERS || answers_several(&scene->data)))
            break;
    }
    return field;
}

enum state_field field_at(size_t offset)
{
    enum state_field field = 0;
    while (table[field].offset != offsetof(struct field_draft, scene.look) + offset)
        field++;
    return field;
}

/* What was chosen inside of what is left is chosen no longer. */
bool field_put(struct scene *scene, enum state_field field, size_t number)
{
    struct look *look = &scene->look;
    const bool token = field == FIELD_SELECT || field == FIELD_ATTENDED;
    const enum side side = field == FIELD_SELECT ? SIDE_LEFT : SIDE_RIGHT;
    if ((!token && table[field].kind != KIND_NUMBER) ||
        number >= (token ? scene_count(scene, side) : limit_of(scene, field)))
        return false;
    if (token && !scene_is_pinned(scene)) /* else the other one is pinned */
        look->side = side;
    memcpy((char *)scene + table[field].offset - offsetof(struct field_draft, scene), &number,
           sizeof number);
    if (token || field == FIELD_ANSWER_CHOSEN) /* they are the user's choice from now on */
        look->query_found = false;
    if (field == FIELD_SELECT || field == FIELD_ASKED)
        look->answer = NO_TOKEN;
    if (field == FIELD_LAYER || field == FIELD_HEAD) {
        look->corpus.example = NO_TOKEN;
        look->effect_sought = 0;
    }
    return true;
}

/* The number of the current choice; 0 is the default. */
static unsigned choice_of(const struct field_draft *draft, const struct field_row *row)
{
    const void *place = (const char *)draft + row->offset;
    unsigned choice = 0;
    if (row->kind == KIND_CHOICE)
        memcpy(&choice, place, sizeof choice);
    else if (row->kind == KIND_FLAG)
        choice = *(const bool *)place;
    return choice;
}

size_t field_chosen(const struct scene *scene, enum state_field field)
{
    static struct field_value value; /* too large for a stack; the session has one thread */
    const struct interventions *network = scene->data.network, none = {0};
    const struct field_draft draft = {*scene, network ? *network : none};
    const struct field_row *row = &table[field];
    size_t choice = 0;
    if (field == FIELD_ANSWERS)
        return answers_shown(&scene->look, &scene->data);
    if (row->kind != KIND_OWN)
        return choice_of(&draft, row);
    field_draft_write(&draft, field, &value);
    while (value.length > 0 && row->choices[choice] &&
           strcmp(row->choices[choice], value.text) != 0)
        choice++;
    return row->choices[choice] ? choice : NO_ROW;
}

/* Names are few and short; files and command lines ask once for each value. */
enum state_field field_named(const char *name)
{
    unsigned field = 0;
    while (field < FIELD_COUNT && strcmp(table[field].info.name, name) != 0)
        field++;
    return (enum state_field)field;
}

/* A switch without an argument says "on"; an alias says the value of the field that it stands
 * for. */
enum state_field field_set_by(enum state_field option, const char **value)
{
    const struct field_row *row = &table[option];
    const struct option_info *own = option_named(row->info.name);
    *value = row->kind == KIND_SAYS ? row->value : !own || own->argument ? NULL : "on";
    return row->kind == KIND_SAYS ? row->says : option;
}

bool field_is_on(const char *value)
{
    return value && strcmp(value, "on") == 0;
}

/* ---- Reading values ---- */

/* Two limits can be 0, and each has its own reason: the layer or the recording has no such
 * numbers. */
static enum status read_number(const struct scene *scene, enum state_field field, const char *value,
                               size_t *number, struct error *error)
{
    const char *name = table[field].info.name;
    const size_t limit = limit_of(scene, field);
    size_t read;
    if (limit == 0 && field == FIELD_NUMBER)
        return error_usage(error, "--number: layer %zu has no numbers of the stage %s",
                           scene->look.layer, stage_name(scene->look.stage));
    if (limit == 0)
        return error_usage(error, "--%s: expected queries and keys, found a recording without them",
                           name);
    if (!value_number(value, FIELD_NUMBER_MAX, &read))
        return value_bad(name, "a number from 0 up", value, error);
    if (read >= limit)
        return error_usage(error, "--%s: expected 0 to %zu, found %zu", name, limit - 1, read);
    *number = read;
    return STATUS_OK;
}

/* Each kind of field in one place. STATUS_USAGE with the option's name, STATUS_LIMIT for too long a
 * list. */
static enum status draft_read(struct field_draft *draft, enum state_field field, const char *value,
                              struct error *error)
{
    const struct field_row *row = &table[field];
    const char *missing = field_missing(&draft->scene, field);
    void *place = (char *)draft + row->offset;
    unsigned choice;
    switch (row->kind) {
    case KIND_NUMBER:
        return read_number(&draft->scene, field, value, place, error);
    case KIND_HEADS:
        return head_mask_read(value, draft->scene.data.head_count, place, error);
    case KIND_MASKS:
        return interventions_add_heads(place, row->info.name, value, &draft->scene.data.stacks,
                                       error);
    case KIND_TOKEN:
        return field_read_token(&draft->scene, field, value, error);
    case KIND_TEXT: /* too long a text is cut between characters: it can't be in a label anyway */
        format_cut(place, row->size, "%s", value);
        return STATUS_OK;
    case KIND_LIST:
    case KIND_OWN:
        return row->read(draft, value, error);
    default:
        break;
    }
    if (value_choice(row->info.name, row->choices, value, &choice, error) != STATUS_OK)
        return error->status;
    if (missing && choice > 0)
        return error_usage(error, "--%s: %s", row->info.name, missing);
    if (row->kind == KIND_CHOICE)
        memcpy(place, &choice, sizeof choice);
    else if (row->kind == KIND_FLAG)
        *(bool *)place = choice != 0; /* a switch, which opening the text reads, is kept nowhere */
    return STATUS_OK;
}

/* Heads and tokens can't be checked without a session. */
enum status field_check(enum state_field field, const char *value, struct error *error)
{
    struct field_draft draft = {.scene = {.data = {.layers = 0}}};
    const enum field_kind kind = table[field].kind;
    bool unknown = kind == KIND_LIST || kind == KIND_HEADS || kind == KIND_MASKS;
    return unknown ? STATUS_OK : draft_read(&draft, field, value, error);
}

/* Heads depend on --head, and the cursor's side on the tokens that are chosen. */
bool field_is_overruled(enum state_field field, const char *const given[FIELD_COUNT])
{
    return given[field] || (field == FIELD_HEADS && given[FIELD_HEAD]) ||
           (field == FIELD_OTHERS && (given[FIELD_HEADS] || given[FIELD_HEAD])) ||
           (field == FIELD_SIDE && (given[FIELD_SELECT] || given[FIELD_ATTENDED]));
}

/* The preconditions and side effects of a value. */
static enum status follow(struct scene *scene, enum state_field field,
                          const char *const values[FIELD_COUNT], struct error *error)
{
    struct look *look = &scene->look;
    const struct encoded *shown = scene->data.encoded, *one = shown;
    if (field == FIELD_FILTER && !scene_filter_fits(scene, look->filter))
        return error_usage(error, "--filter %s: expected two sentences, found %s",
                           filters[look->filter].name,
                           scene_is_pair(scene) ? "an empty one" : "one");
    /* a lesson's step may be of any model; what one attention has none of another may have */
    if (field == FIELD_SPECIAL && scene->data.encoded->site == SITE_ONLY &&
        scene_check_special(scene, error) != STATUS_OK)
        look->shape.special = SPECIAL_SHOWN;
    const struct map_source source =
        shown ? comparison_source(&scene->data) : (struct map_source){.model = NULL};
    if (field == FIELD_MAP && look->map != MAP_DIFFERENCE && source.trace &&
        map_check(&source, look->map, error) != STATUS_OK)
        return error->status; /* a difference may become one later */
    if (field == FIELD_METRIC && model_view_check(&scene->data, look->metric, error) != STATUS_OK)
        return error->status;
    look->ranked &= field != FIELD_METRIC;
    if (field == FIELD_ANSWERS && look->answers && scene->data.checkpoint &&
        answers_shown(look, &scene->data) != look->answers)
        return error_usage(
            error, "--answers %s: expected what this model says%s%s", answers_name(look->answers),
            scene->data.no_lens[0] ? ": " : ", such as ",
            scene->data.no_lens[0] ? scene->data.no_lens
                                   : answers_name(answers_shown(look, &scene->data)));
    if ((field == FIELD_ASKED || (field == FIELD_ALIGN && look->shape.said)) && shown &&
        shown->site == SITE_ONLY)
        return error_usage(error, "--%s: expected an encoder–decoder, found one stack of layers",
                           field_info(field)->name);
    if (field == FIELD_RANK && look->ranked) {
        if (shown && !scene_is_pinned(scene))
            return error_usage(error, "--rank: expected two tokens, --select and --attended");
        if (shown && !derive_map_ranks(look))
            return error_usage(error, "--rank: expected a map of heads, found %s",
                               map_infos[look->map].name);
        look_go_to_view(look, VIEW_MODEL);
        look->ranked = true;
    }
    if (field == FIELD_HEADS && look->heads)
        look->head = head_mask_first(look->heads);
    if (field == FIELD_HEAD && !values[FIELD_HEADS] && view_at(look->view)->heads == HEADS_CHOSEN)
        look->heads = head_mask_of(look->head);
    if (field == FIELD_ATTENDED && !values[FIELD_SIDE])
        look->side = SIDE_RIGHT;
    if (field == FIELD_ATTENDED && !values[FIELD_SELECT])
        look->from = NO_TOKEN; /* so that no query of the neuron view's choice is kept */
    if (field == FIELD_VIEW)
        look_go_to_view(look, look->view);
    if (field != FIELD_SITE || !shown || encoded_of_site(shown, look->site))
        return STATUS_OK;
    char sites[64] = "";
    for (; shown->site != SITE_ONLY && (one != shown || !*sites); one = one->next)
        format_add(sites, sizeof sites, "%s%s", *sites ? ", " : "", site_words[one->site].name);
    const char *mark = site_words[look->site].mark;
    return error_usage(error, "--site %s%s%s%s: expected an encoder–decoder%s, found %s",
                       site_words[look->site].name, *mark ? ", or --head " : "", mark,
                       *mark ? "L.H" : "", *sites ? "'s" : ", such as --model dates",
                       *sites ? sites : "a model with one attention");
}

enum status field_draft_take(struct field_draft *draft, enum state_field field,
                             const char *const values[FIELD_COUNT], struct error *error)
{
    const enum status status = draft_read(draft, field, values[field], error);
    return status == STATUS_OK ? follow(&draft->scene, field, values, error) : status;
}

/* One field at a time, as what a name means may depend on those before: words or pieces, and the
 * filter. On failure the network is as it was, and the earlier look is shown again. */
enum status fields_apply(struct session *session, enum field_part part,
                         const char *const values[FIELD_COUNT], enum state_field *failed,
                         struct error *error)
{
    const struct look before = session->state.look;
    struct field_draft draft = {.changes.temperature = 0};
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        if (!values[field] || table[field].info.part != part)
            continue;
        draft.scene = session_scene(session);
        if (field_draft_take(&draft, field, values, error) != STATUS_OK) {
            if (part == PART_LOOK)
                derive_show(session, &before);
            if (failed)
                *failed = field;
            return error->status;
        }
        if (field == FIELD_SPECIAL && strcmp(values[field], "shown") != 0 &&
            draft.scene.look.shape.special == SPECIAL_SHOWN)
            session_say(session, "%s", error->message);
        session->state.look = draft.scene.look;
        if (field == FIELD_VIEW || field == FIELD_SITE || field == FIELD_WHOLE_WORDS ||
            field == FIELD_SPECIAL || field == FIELD_MAP)
            derive_show(session, &draft.scene.look);
    }
    if (part == PART_LOOK)
        derive_show(session, &session->state.look);
    else
        session->state.source.changes = draft.changes;
    return STATUS_OK;
}

/* Field by field, as padding may differ; then what no field has a place for. */
bool look_equal(const struct look *a, const struct look *b)
{
    bool same = strcmp(a->find, b->find) == 0;
    for (const struct field_row *row = table; row < table + FIELD_COUNT; row++) {
        const size_t at = row->offset - offsetof(struct field_draft, scene.look);
        if (row->info.part == PART_LOOK && row->size > 0 && row->kind != KIND_TEXT)
            same &= memcmp((const char *)a + at, (const char *)b + at, row->size) == 0;
    }
    return same && a->detail == b->detail && a->threshold == b->threshold &&
           a->query_found == b->query_found && a->head_found == b->head_found &&
           a->effect_sought == b->effect_sought && a->difference_sought == b->difference_sought &&
           a->back->of == b->back->of && a->back->site == b->back->site &&
           a->back->layer == b->back->layer && a->back->head == b->back->head &&
           a->found.shown == b->found.shown && a->found.asked == b->found.asked &&
           a->found.token == b->found.token && a->found.at == b->found.at;
}

/* Bytes are compared and copied: every such field is a flag, a number or a text. */
void fields_copy(struct look *to, const struct look *from, enum field_reach reach,
                 const struct look *since)
{
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        const size_t at = table[field].offset - offsetof(struct field_draft, scene.look);
        const size_t size = table[field].size;
        if (field_is_look(field) && table[field].info.reach <= reach &&
            (!since || memcmp((const char *)from + at, (const char *)since + at, size) != 0))
            memcpy((char *)to + at, (const char *)from + at, size);
    }
}

/* ---- Writing values ---- */

/* A few fields are always written, because what they are by default depends on the view, the
 * terminal or the model. Heads of a layer are written as ranges, "0,2,5-7", those of all as
 * "0.1,2.3". */
void field_draft_write(const struct field_draft *draft, enum state_field field,
                       struct field_value *value)
{
    const struct field_row *row = &table[field];
    const struct scene *scene = &draft->scene;
    const void *place = (const char *)draft + row->offset;
    const size_t heads = scene->data.head_count;
    bool always =
        field == FIELD_VIEW || field == FIELD_SIDE || field == FIELD_STAGE ||
        field == FIELD_HEADS || field == FIELD_CORPUS_AXIS || field == FIELD_THEME ||
        (field == FIELD_SITE && scene->data.encoded && scene->data.encoded->site != SITE_ONLY);
    char list[HEAD_MASK_LIST];
    value->length = 0;
    value->text[0] = '\0';
    if (row->write)
        row->write(draft, value);
    else if (row->kind == KIND_NUMBER && *(const size_t *)place < limit_of(scene, field))
        field_value_add(value, "%zu", *(const size_t *)place);
    else if (row->kind == KIND_TEXT)
        field_value_add(value, "%s", (const char *)place);
    else if (row->kind == KIND_TOKEN && *(const size_t *)place != NO_TOKEN &&
             !(field == FIELD_SELECT && scene->look.query_found))
        /* by number, with a mark: the number might be another token's text */
        field_value_add(value, "#%zu", *(const size_t *)place);
    else if (row->kind == KIND_HEADS &&
             (always || *(const head_mask *)place != head_mask_all(heads))) {
        head_mask_write(*(const head_mask *)place, heads, list, sizeof list);
        field_value_add(value, "%s", list);
    } else if (row->kind == KIND_MASKS) {
        for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
            for (head_mask left = ((const head_mask *)place)[layer]; left; left &= left - 1)
                field_value_add(
                    value, "%s%s", value->length > 0 ? "," : "",
                    interventions_name(&scene->data.stacks, layer, head_mask_first(left)).text);
    } else if (row->choices && (always || choice_of(draft, row) != 0))
        field_value_add(value, "%s", row->choices[choice_of(draft, row)]);
}

bool field_write(const struct session *session, enum state_field field, struct field_value *value)
{
    const struct field_draft draft = {.scene = session_scene(session),
                                      .changes = session->state.source.changes};
    field_draft_write(&draft, field, value);
    return value->length > 0;
}
