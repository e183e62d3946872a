/* listing.c: the rows of what lies over the picture. They come from the tables of actions, of
 * fields, of changes and of lessons: what is new there is here as well. */
#include "headlight/session/act.h"
#include "headlight/session/overlay.h"
#include "headlight/session/panel.h"
#include "headlight/view/answers.h"
#include "headlight/view/comparison.h"

/* With a digit as its key, or in the list of all the key that leads to such a row. The last one
 * that there is room for is overwritten. */
static struct overlay_row *add_row(struct listing *listing, struct overlay_row row,
                                   enum action action)
{
    const struct session *session = listing->session;
    struct overlay_row *added = &listing->all[listing->made];
    size_t length;
    const char *key =
        action < ACTION_COUNT ? action_key(session->bindings, action, 0, &length) : NULL;
    *added = row;
    listing->made += listing->made + 1 < LISTING_MOST;
    if (row.of == ROW_ACTION || session->overlay.kind == OVERLAY_ALL)
        format_cut(added->keys, sizeof added->keys, "%.*s", key ? (int)length : 0, key ? key : "");
    else if ((row.of == ROW_VALUE || row.of == ROW_LESSON) && row.index < 9)
        snprintf(added->keys, sizeof added->keys, "%zu", row.index + 1);
    return added;
}

/* In a list of one field nobody needs its name. */
static void add_values(struct listing *listing, enum state_field field)
{
    const struct field_info *info = field_info(field);
    const struct option_info *option = option_named(info->name);
    const bool all = listing->session->overlay.kind == OVERLAY_ALL;
    const struct scene shown = session_scene(listing->session);
    const struct model *model = comparison_source(&shown.data).model;
    const char *value;
    for (size_t i = 0; (value = field_choice(field, i)); i++) {
        if ((field == FIELD_MAP && !map_is_of_model(model, (enum map_kind)i)) ||
            (field == FIELD_THEME && !all && theme_at(i)->mono)) /* of options alone */
            continue;
        const struct overlay_row row = {.of = ROW_VALUE, .index = i, .field = field};
        struct overlay_row *added = add_row(listing, row, info->key ? info->key : ACTION_COUNT);
        struct scene scene = session_scene(listing->session);
        struct error error;
        added->words = option ? option->called : NULL;
        added->barred = !all && act_choose(&scene, field, i, &error) != STATUS_OK;
        format_cut(added->name, sizeof added->name, "%s%s%s", all ? field_title(field) : "",
                   all ? " " : "", value);
        format_cut(added->about, sizeof added->about, "%s",
                   added->barred ? error.message : field_choice_about(field, i));
    }
}

void list_values(struct listing *listing)
{
    add_values(listing, listing->session->overlay.field);
}

/* How long each takes, and how far it was taken. */
void list_lessons(struct listing *listing)
{
    const struct teacher *teacher = listing->session->teacher;
    const bool all = listing->session->overlay.kind == OVERLAY_ALL;
    for (size_t i = 0; teacher && i < teacher->lesson_count; i++) {
        const struct panel_lesson *lesson = &teacher->lessons[i];
        const struct overlay_row row = {.of = ROW_LESSON, .index = i};
        struct overlay_row *added = add_row(listing, row, ACTION_LESSON);
        added->words = lesson->words;
        format_cut(added->name, sizeof added->name, "%s%s", all ? "lesson " : "",
                   all ? lesson->name : lesson->title);
        format_cut(added->about, sizeof added->about, "%s%s%2zu min", all ? lesson->title : "",
                   all ? ", " : "", lesson->minutes);
        if (lesson->model)
            format_add(added->about, sizeof added->about, "  opens %s", lesson->model);
        if (lesson->done)
            format_add(added->about, sizeof added->about, "  done");
        else if (lesson->left_at > 0)
            format_add(added->about, sizeof added->about, "  left at %zu of %zu", lesson->left_at,
                       lesson->steps);
    }
}

/* Those of the hub's cache behind the built-in ones; what can't be opened says why. */
static void list_models(struct listing *listing)
{
    const struct hub_list *list = &listing->session->models;
    for (size_t i = 0; i < BUILT_INS + list->count; i++) {
        const struct hub_model *model = i < BUILT_INS ? NULL : &list->model[i - BUILT_INS];
        const struct overlay_row row = {
            .of = ROW_MODEL, .index = i, .barred = model && *model->why};
        struct overlay_row *added = add_row(listing, row, ACTION_COUNT);
        format_cut(added->name, sizeof added->name, "model %s",
                   model ? model->name : built_in[i].name);
        format_cut(added->about, sizeof added->about, "%s",
                   !model        ? built_in[i].about
                   : *model->why ? model->why
                                 : model->family);
    }
}

void list_changes(struct listing *listing)
{
    struct overlay_row row;
    for (size_t i = 0; change_row(listing->session, i, listing->ascii, &row); i++)
        add_row(listing, row, ACTION_CHANGE);
}

/* A field of more than two values has a row that lists them, unless that is what the action of its
 * name does; one that is on or off has such an action. */
void list_all(struct listing *listing)
{
    struct overlay_row row;
    const struct data *data = &listing->session->data;
    const bool alone = data->encoded->next == data->encoded;
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        const struct field_info *info = field_info(field);
        if (!field_is_look(field) || info->moves || !field_choice(field, 0) ||
            field_is_on(field_choice(field, 1)) ||
            (alone && (field == FIELD_SITE || field == FIELD_ALIGN)) ||
            (field == FIELD_ANSWERS && !answers_several(data)) ||
            (field_aspect(field) == SHOWN_SURVEY && !data_survey(data)))
            continue;
        row = (struct overlay_row){
            .of = ROW_VALUE, .index = NO_ROW, .field = field, .option = option_named(info->name)};
        format_cut(row.name, sizeof row.name, "%s", field_title(field));
        format_cut(row.about, sizeof row.about, "%s", row.option ? row.option->help : "");
        if (field_choice(field, 2) && (!info->key || action_named(info->name) != info->key))
            add_row(listing, row, info->key ? info->key : ACTION_COUNT);
        add_values(listing, field);
    }
    for (size_t i = 0; change_row(listing->session, i, listing->ascii, &row); i++) {
        memcpy(row.about, row.name, sizeof row.about);
        strcpy(row.name, "network");
        row.sign = NULL;
        if (*row.about)
            add_row(listing, row, ACTION_CHANGE);
    }
    list_lessons(listing);
    list_models(listing);
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        struct overlay_row *added =
            add_row(listing, (struct overlay_row){.of = ROW_ACTION, .index = action}, action);
        action_name(action, added->name);
        format_cut(added->about, sizeof added->about, "%s", action_info(action)->help);
    }
}

/* ---- Help ---- */

#define USUAL 16 /* keys that come first */

/* A blank row sets a part off from those above. */
static void add_heading(struct listing *listing, const char *text, const char *name)
{
    const struct overlay_row row = {.of = ROW_HEADING, .barred = true};
    if (listing->made > 0)
        add_row(listing, row, ACTION_COUNT);
    if (*text)
        format_cut(add_row(listing, row, ACTION_COUNT)->name, sizeof row.name, "%s%s", text, name);
}

static struct overlay_row *add_action(struct listing *listing, enum action action,
                                      const char *words)
{
    const struct overlay_row row = {.of = ROW_ACTION, .index = action};
    struct overlay_row *added = add_row(listing, row, ACTION_COUNT);
    action_keys(listing->session->bindings, action, added->keys, sizeof added->keys);
    format_cut(added->name, sizeof added->name, "%s", words);
    return added;
}

/* Whether one of its keys leads to an action. */
static bool is_hint_of(const struct hint *hint, enum action action)
{
    size_t length;
    uint32_t key;
    for (const char *at = hint->keys; *(at += strspn(at, " ")); at += length) {
        enum action of;
        int digit;
        length = key_hinted(at, &key);
        key = strcmp(at, "0-9") == 0 ? '0' : key;
        if (action_of_key(NULL, key, &of, &digit) && of == action)
            return true;
    }
    return false;
}

/* The footer's keys; one alone is said in more words, unless it has another meaning in this view.
 */
static void add_hints(struct listing *listing, const char *hints)
{
    struct hint hint;
    while (listing->made <= USUAL && hint_next(&hints, &hint)) {
        enum action action = 0;
        while (action < ACTION_COUNT && !is_hint_of(&hint, action))
            action++;
        if (action == ACTION_COUNT)
            continue;
        const bool more = !strchr(hint.keys, ' ') && (unsigned char)*hint.keys < 0x80 &&
                          strstr(action_info(action)->help, hint.what);
        struct overlay_row *row =
            add_action(listing, action, more ? action_info(action)->help : hint.what);
        bindings_hint(listing->session->bindings, hint.keys, row->keys, sizeof row->keys);
    }
}

/* The keys to know, those of the footer first; what the picture shows; then all keys by groups. */
void list_help(struct listing *listing)
{
    static const enum action usual[] = {
        ACTION_GENERATE,  ACTION_SPECIAL, ACTION_VIEW_NEXT, ACTION_HEAD_DIGIT, ACTION_EDIT,
        ACTION_PALETTE,   ACTION_MAP,     ACTION_CHANGE,    ACTION_UNDO,       ACTION_LESSON,
        ACTION_FIND,      ACTION_LIST,    ACTION_MEAN,      ACTION_PRESENT,    ACTION_SAVE,
        ACTION_CLEAR,     ACTION_THEME,   ACTION_COMMAND,   ACTION_HELP,       ACTION_QUIT,
        ACTION_SAVE_PAGE, ACTION_RESTORE, ACTION_SAVE_STATE};
    const struct session *session = listing->session;
    const struct scene scene = session_scene(session);
    const struct view *view = scene_view(&scene);
    const struct overlay_row note = {.of = ROW_NOTE, .barred = true};
    const size_t first = scene.data.next ? 0 : 2; /* of others these are not what one needs first */
    struct error error;
    add_heading(listing, "Keys to know in ", view->title);
    const char *hints = scene.data.trace ? scene_hints(&scene) : "";
    add_hints(listing, hints);
    for (size_t i = first; i < LENGTH(usual) && listing->made <= USUAL; i++) {
        size_t row = 1;
        while (row < listing->made && listing->all[row].index != usual[i])
            row++;
        if (row < listing->made || act_check(session, usual[i], &error) != STATUS_OK)
            continue;
        add_action(listing, usual[i], action_info(usual[i])->help);
    }
    add_heading(listing, "", "");
    snprintf(add_row(listing, note, ACTION_COUNT)->name, sizeof note.name, "%s", view->meaning);
    snprintf(add_row(listing, note, ACTION_COUNT)->name, sizeof note.name,
             "mouse: %s · heads above, again: alone · wheel: ↑↓", view->mouse);
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        const struct action_info *info = action_info(action);
        size_t length = 0;
        const char *key = action_key(session->bindings, action, 0, &length);
        if (!key && !*info->keys)
            continue;
        const bool taken = panel_is_led(session) && action == ACTION_HEAD_TOGGLE;
        if (action == 0 || strcmp(info->group, action_info(action - 1)->group) != 0)
            add_heading(listing, info->group, "");
        const char *words = NULL, *at = hints; /* as its hint says where that says something else */
        struct hint hint;
        while (!words && hint_next(&at, &hint))
            if (is_hint_of(&hint, action))
                words = strstr(info->help, hint.what) ? info->help : hint.what;
        const enum state_field field = field_listed_by(&scene, action); /* of another name */
        const struct option_info *option = field < FIELD_COUNT && action != ACTION_VIEW_NEXT
                                               ? option_named(field_info(field)->name)
                                               : NULL;
        if (option && action_named(option->name) != action)
            words = option->help;
        struct overlay_row *row = add_action(listing, action,
                                             taken   ? "the lesson goes on"
                                             : words ? words
                                                     : info->help);
        row->barred = act_check(session, action, &error) != STATUS_OK;
        const bool named = row->barred && key && strncmp(error.message, key, length) == 0;
        if (row->barred)
            format_cut(row->about, sizeof row->about, "%s",
                       error.message + (named ? length + strlen(": ") : 0));
    }
}
