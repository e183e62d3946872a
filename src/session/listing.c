/* listing.c: the rows of what lies over the picture. They come from the tables of actions, of
 * fields, of changes and of lessons: what is new there is here as well. */
#include "headlight/base/format.h"
#include "headlight/session/act.h"
#include "headlight/session/fields.h"
#include "headlight/session/overlay.h"
#include "headlight/session/panel.h"

#include <stdio.h>
#include <string.h>

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
    const bool all = listing->session->overlay.kind == OVERLAY_ALL;
    const char *value;
    for (size_t i = 0; (value = field_choice(field, i)); i++) {
        const struct overlay_row row = {.of = ROW_VALUE, .index = i, .field = field};
        struct overlay_row *added = add_row(listing, row, info->key);
        struct scene scene = session_scene(listing->session);
        struct error error;
        added->called = info->called;
        added->barred = !all && act_choose(&scene, field, i, &error) != STATUS_OK;
        format_cut(added->name, sizeof added->name, "%s%s%s", all ? info->name : "", all ? " " : "",
                   value);
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
        format_cut(added->name, sizeof added->name, "%s%s", all ? "lesson " : "",
                   all ? lesson->name : lesson->title);
        format_cut(added->about, sizeof added->about, "%s%s%2zu min", all ? lesson->title : "",
                   all ? ", " : "", lesson->minutes);
        if (lesson->done)
            format_add(added->about, sizeof added->about, "  done");
        else if (lesson->left_at > 0)
            format_add(added->about, sizeof added->about, "  left at %zu of %zu", lesson->left_at,
                       lesson->steps);
    }
}

void list_changes(struct listing *listing)
{
    struct overlay_row row;
    for (size_t i = 0; change_row(listing->session, i, listing->ascii, &row); i++)
        add_row(listing, row, ACTION_CHANGE);
}

/* What the help says of two actions in one line is said of each here. */
static const char *const own_words[ACTION_COUNT] = {
    [ACTION_TOKEN_PREVIOUS] = "the word or token above",
    [ACTION_TOKEN_NEXT] = "the word or token below",
    [ACTION_TOKEN_FIRST] = "the first token",
    [ACTION_TOKEN_LAST] = "the last token",
    [ACTION_PAGE_UP] = "ten tokens up",
    [ACTION_PAGE_DOWN] = "ten tokens down",
    [ACTION_QUERY_PREVIOUS] = "the attending token above",
    [ACTION_QUERY_NEXT] = "the attending token below",
    [ACTION_PIN] = "keep the token, the next makes a pair; in Model: open it",
    [ACTION_HEAD_DIGIT] = "the head of that number alone; again: all heads",
    [ACTION_MEAN] = "one map: the mean of heads or of layers",
    [ACTION_LIST] = "the strongest connections as a list",
    [ACTION_LESSON] = "the list of lessons; or leave one",
    [ACTION_LEFT] = "the layer before; in grids: to the left",
    [ACTION_RIGHT] = "the layer after; in grids: to the right",
    [ACTION_LAYER_PREVIOUS] = "the layer before, in any view",
    [ACTION_LAYER_NEXT] = "the layer after, in any view",
    [ACTION_HEAD_PREVIOUS] = "the head before",
    [ACTION_HEAD_NEXT] = "the head after",
    [ACTION_HEAD_TOGGLE] = "add this head to those that are drawn, or take it out",
    [ACTION_HEAD_ALL] = "all heads at once (multi-head), or none",
    [ACTION_CHANGE] = "the menu of changes to the network",
    [ACTION_RESTORE] = "undo all changes to the network",
    [ACTION_EDIT] = "type another text, or sentence",
    [ACTION_MASK] = "the model reads [MASK] in place of the token",
    [ACTION_UNDO] = "back: the last change of text, network or view is undone",
    [ACTION_REDO] = "forward again: what was undone is done (redo)",
    [ACTION_FIND] = "find a token",
    [ACTION_PALETTE] = "anything by its name",
    [ACTION_FIND_ALIKE] = "tokens that are alike to the model (embeddings of an index)",
    [ACTION_FIND_NEXT] = "the next one that is found, or text",
    [ACTION_FIND_PREVIOUS] = "the one that was found before, or text",
    [ACTION_VIEW_NEXT] = "the next view",
    [ACTION_VIEW_PREVIOUS] = "the view before",
    [ACTION_MORE] = "more lines",
    [ACTION_FEWER] = "fewer lines",
    [ACTION_LOWER] = "a lower threshold of lines",
    [ACTION_HIGHER] = "a higher threshold of lines",
    [ACTION_NUMBERS] = "numbers beside the tokens",
    [ACTION_MAP] = "what is shown of a head: weights, scores, rollout …",
    [ACTION_DIFFERENCE] = "the difference that the change makes",
    [ACTION_DIMENSION_PREVIOUS] = "the dimension before, or number",
    [ACTION_DIMENSION_NEXT] = "the dimension after, or number",
    [ACTION_METRIC] = "mark heads by a figure",
    [ACTION_SORT] = "sort heads by their figure",
    [ACTION_THEME] = "another theme: other colours (color)",
    [ACTION_PRESENT] = "for the projector: the view alone (zoom, font, fullscreen)",
    [ACTION_SAVE] = "save a picture (export, screenshot)",
    [ACTION_SAVE_STATE] = "save the state, to go on from later",
    [ACTION_SAVE_PAGE] = "save a web page (export)",
    [ACTION_COMMAND] = "the command line that draws this screen, to copy",
    [ACTION_REDRAW] = "draw all anew",
    [ACTION_QUIT] = "leave the program (exit)",
};

static const char *action_words(enum action action)
{
    return own_words[action] ? own_words[action] : action_info(action)->help;
}

void list_all(struct listing *listing)
{
    struct overlay_row row;
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_info(field)->key &&
            (field_aspect(field) != SHOWN_SURVEY || data_survey(&listing->session->data)))
            add_values(listing, field);
    for (size_t i = 0; change_row(listing->session, i, listing->ascii, &row); i++) {
        memcpy(row.about, row.name, sizeof row.about);
        strcpy(row.name, "network");
        row.sign = NULL;
        if (*row.about)
            add_row(listing, row, ACTION_CHANGE);
    }
    list_lessons(listing);
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        struct overlay_row *added =
            add_row(listing, (struct overlay_row){.of = ROW_ACTION, .index = action}, action);
        action_name(action, added->name);
        format_cut(added->about, sizeof added->about, "%s", action_words(action));
    }
}

/* ---- Help ---- */

#define USUAL 16 /* keys that come first */

static bool is_meant(const struct view *view, enum action action)
{
    const unsigned shown = action_info(action)->shown;
    return !shown || view->shown & shown || view_owns(view, action);
}

/* A blank row sets a part off from those above. */
static void add_heading(struct listing *listing, const char *text, const char *name)
{
    const struct overlay_row row = {.of = ROW_HEADING, .barred = true};
    if (listing->made > 0)
        add_row(listing, row, ACTION_COUNT);
    if (*text)
        format_cut(add_row(listing, row, ACTION_COUNT)->name, sizeof row.name, "%s%s", text, name);
}

/* With all of its keys, and what it does unless that is said. */
static struct overlay_row *add_action(struct listing *listing, enum action action,
                                      const char *words)
{
    const struct overlay_row row = {.of = ROW_ACTION, .index = action};
    struct overlay_row *added = add_row(listing, row, ACTION_COUNT);
    const char *key;
    size_t length;
    for (size_t i = 0; (key = action_key(listing->session->bindings, action, i, &length)); i++)
        format_add(added->keys, sizeof added->keys, "%s%.*s", i > 0 ? " " : "", (int)length, key);
    if (!*added->keys)
        strcpy(added->keys, "(none)");
    format_cut(added->name, sizeof added->name, "%s", words ? words : action_words(action));
    return added;
}

/* The footer's keys, in words that say more unless a key has another meaning in this view. */
static void add_hints(struct listing *listing, const char *hints)
{
    struct hint hint;
    while (listing->made <= USUAL && hint_next(&hints, &hint)) {
        enum action action;
        uint32_t key;
        int digit;
        const bool one = key_hinted(hint.keys, &key) == strlen(hint.keys);
        key = strcmp(hint.keys, "0-9") == 0 ? '0' : key;
        if (!action_of_key(NULL, key, &action, &digit))
            continue;
        const char *words = action_info(action)->help;
        const bool usual = strstr(words, hint.what) != NULL;
        words = !usual ? hint.what : one ? action_words(action) : words;
        struct overlay_row *row = add_action(listing, action, words);
        row->called = usual ? NULL : row->name;
        bindings_hint(listing->session->bindings, hint.keys, row->keys, sizeof row->keys);
    }
}

/* What an action means in this view, where the footer's hints, for keys that share their help too,
 * call it something else; NULL: what it always means. */
static const char *other_meaning(const struct listing *listing, enum action action)
{
    const size_t first = action - (size_t) !*action_info(action)->help;
    for (size_t i = 1; i <= USUAL && i < listing->made; i++)
        if (listing->all[i].index == first && listing->all[i].called)
            return listing->all[i].called;
    return NULL;
}

/* The keys to know, those of the footer first; what the picture shows; then all keys by groups. */
void list_help(struct listing *listing)
{
    static const enum action usual[] = {
        ACTION_VIEW_NEXT, ACTION_HEAD_DIGIT, ACTION_EDIT,   ACTION_PALETTE, ACTION_MAP,
        ACTION_CHANGE,    ACTION_UNDO,       ACTION_LESSON, ACTION_FIND,    ACTION_LIST,
        ACTION_MEAN,      ACTION_PRESENT,    ACTION_SAVE,   ACTION_CLEAR,   ACTION_THEME,
        ACTION_COMMAND,   ACTION_HELP,       ACTION_QUIT};
    const struct session *session = listing->session;
    const struct scene scene = session_scene(session);
    const struct view *view = scene_view(&scene);
    const struct overlay_row said = {.of = ROW_SAID, .barred = true};
    char views[64];
    add_heading(listing, "Keys to know in ", view->title);
    if (scene.data.trace)
        add_hints(listing, view->hints(&scene));
    for (size_t i = 0; i < sizeof usual / sizeof *usual && listing->made <= USUAL; i++) {
        size_t row = 1;
        while (row < listing->made && listing->all[row].index != usual[i])
            row++;
        if (row < listing->made || !is_meant(view, usual[i]))
            continue;
        add_action(listing, usual[i], NULL);
    }
    add_heading(listing, "", "");
    snprintf(add_row(listing, said, ACTION_COUNT)->name, sizeof said.name, "%s", view->meaning);
    snprintf(add_row(listing, said, ACTION_COUNT)->name, sizeof said.name,
             "mouse: %s · heads above, again: alone · wheel: ↑↓", view->mouse);
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        const struct action_info *info = action_info(action);
        const bool taken = panel_is_led(session) && action == ACTION_HEAD_TOGGLE;
        if (action == 0 || strcmp(info->group, action_info(action - 1)->group) != 0)
            add_heading(listing, info->group, "");
        const char *words = taken ? "the lesson goes on" : other_meaning(listing, action);
        struct overlay_row *row = add_action(listing, action, words);
        view_list(info->shown, action, views, sizeof views);
        row->barred = !is_meant(view, action);
        if (row->barred)
            format_cut(row->about, sizeof row->about, "only in %s", views);
    }
}
