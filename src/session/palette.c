/* palette.c: lists over the picture, of which a line is chosen: everything that has a name,
 * filtered by what is typed, or the lessons or the maps alone. The lines come from the tables of
 * actions, of fields and of lessons: what is new there is here as well. */
#include "headlight/session/act.h"
#include "headlight/session/command.h"
#include "headlight/session/fields.h"
#include "headlight/session/panel.h"
#include "headlight/session/screen.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- Lines ---- */

/* The fields whose values have lines, each with the action that chooses among them by a key. */
static const struct {
    enum state_field field;
    enum action action;
} fields[] = {
    {FIELD_VIEW, ACTION_VIEW_NEXT}, {FIELD_MAP, ACTION_MAP},         {FIELD_METRIC, ACTION_METRIC},
    {FIELD_MEAN, ACTION_MEAN},      {FIELD_FILTER, ACTION_FILTER},   {FIELD_SHADE, ACTION_TONE},
    {FIELD_THEME, ACTION_THEME},    {FIELD_SPECIAL, ACTION_SPECIAL},
};

bool palette_field(enum action action, enum state_field *field)
{
    size_t i = 0;
    while (i < sizeof fields / sizeof *fields && fields[i].action != action)
        i++;
    *field = i < sizeof fields / sizeof *fields ? fields[i].field : FIELD_COUNT;
    return *field != FIELD_COUNT;
}

/* A value of a field, a change of the network, a lesson, or an action. */
struct entry {
    enum { OF_FIELD, OF_CHANGE, OF_LESSON, OF_ACTION } of;
    enum action action;     /* whose key is shown */
    enum state_field field; /* of a value, */
    size_t index;           /* which is its number; or the change's, or the lesson's */
    char name[80], about[160];
};

/* What the values are whose own table doesn't say so. */
static const char *const values_about[FIELD_COUNT][5] = {
    [FIELD_MEAN] = {"each head by itself", "one map: the mean of the heads that are on",
                    "one map: their mean over all layers, too"},
    [FIELD_FILTER] = {"every token may attend to every other", "within the first sentence",
                      "from the first sentence to the second", "from the second to the first",
                      "within the second sentence"},
    [FIELD_SHADE] = {"as bright as the weight", "weak weights brighter: by the root",
                     "by the share of the row's largest"},
    [FIELD_THEME] = {"for a dark terminal", "for a light terminal", "high contrast: strong colours",
                     "without colours", "for paper: dark on white"},
    [FIELD_SPECIAL] = {"[CLS] and [SEP] are there", "[CLS] and [SEP] are left out",
                       "left out, and the rest adds up to 1"},
};

/* The sentence of a value's own table where that has one. */
static const char *value_about(enum state_field field, size_t index)
{
    const char *about = field == FIELD_VIEW     ? view_at((enum view_kind)index)->about
                        : field == FIELD_MAP    ? map_info((enum map_kind)index)->meaning
                        : field == FIELD_METRIC ? metric_info((enum metric)index)->meaning
                                                : values_about[field][index];
    return about && *about ? about : option_named(field_info(field)->name)->help;
}

/* In a list of one kind nobody needs its name. */
static void describe_value(const struct session *session, struct entry *entry)
{
    const char *kind = session->list == LIST_ALL ? field_info(entry->field)->name : "";
    snprintf(entry->name, sizeof entry->name, "%s%s%s", kind, *kind ? " " : "",
             field_choice(entry->field, entry->index));
    snprintf(entry->about, sizeof entry->about, "%s", value_about(entry->field, entry->index));
}

/* How long it takes, and how far it was taken. */
static void describe_lesson(const struct session *session, struct entry *entry)
{
    const struct panel_lesson *lesson = &session->teacher->lessons[entry->index];
    const bool all = session->list == LIST_ALL;
    char state[40] = "";
    if (lesson->done)
        snprintf(state, sizeof state, "  done");
    else if (lesson->left_at > 0)
        snprintf(state, sizeof state, "  left at %zu of %zu", lesson->left_at, lesson->steps);
    snprintf(entry->name, sizeof entry->name, "%s%s", all ? "lesson " : "",
             all ? lesson->name : lesson->title);
    snprintf(entry->about, sizeof entry->about, "%s%s%2zu min%s", all ? lesson->title : "",
             all ? ", " : "", lesson->minutes, state);
}

/* What the help says of two actions in one line is said of each here, with words that it may be
 * looked for by. */
static const char *const own_words[ACTION_COUNT] = {
    [ACTION_TOKEN_PREVIOUS] = "the token above",
    [ACTION_TOKEN_NEXT] = "the token below",
    [ACTION_TOKEN_FIRST] = "the first token",
    [ACTION_TOKEN_LAST] = "the last token",
    [ACTION_PAGE_UP] = "ten tokens up",
    [ACTION_PAGE_DOWN] = "ten tokens down",
    [ACTION_QUERY_PREVIOUS] = "the attending token above",
    [ACTION_QUERY_NEXT] = "the attending token below",
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
    [ACTION_METRIC] = "mark heads by the next figure",
    [ACTION_SORT] = "sort heads by their figure",
    [ACTION_THEME] = "the next theme: other colours (color)",
    [ACTION_PRESENT] =
        "for the projector: the view alone, in large letters (zoom, font, fullscreen)",
    [ACTION_SAVE] = "save a picture (export, screenshot)",
    [ACTION_SAVE_STATE] = "save the state, to go on from later",
    [ACTION_SAVE_PAGE] = "save a web page (export)",
    [ACTION_COMMAND] = "the command line that draws this screen",
    [ACTION_REDRAW] = "draw all anew",
    [ACTION_QUIT] = "leave the program (exit)",
};

static void describe_action(struct entry *entry)
{
    const char *words = own_words[entry->action];
    action_name(entry->action, entry->name);
    snprintf(entry->about, sizeof entry->about, "%s",
             words ? words : action_info(entry->action)->help);
}

/* All of them by number; false past the last. */
static bool entry_at(const struct session *session, size_t number, struct entry *entry)
{
    const size_t lessons = session->teacher ? session->teacher->lesson_count : 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        for (size_t value = 0; field_choice(fields[i].field, value); value++)
            if (number-- == 0) {
                *entry = (struct entry){OF_FIELD, fields[i].action, fields[i].field, value, "", ""};
                describe_value(session, entry);
                return true;
            }
    if (number < MENU_LINES) {
        *entry = (struct entry){OF_CHANGE, ACTION_CHANGE, FIELD_COUNT, number, "network", ""};
        menu_describe_change(session, number, entry->about, sizeof entry->about);
        return true;
    }
    number -= MENU_LINES;
    *entry =
        (struct entry){.of = number < lessons ? OF_LESSON : OF_ACTION,
                       .action = number < lessons ? ACTION_LESSON : (enum action)(number - lessons),
                       .field = FIELD_COUNT,
                       .index = number};
    if (number >= lessons + ACTION_COUNT)
        return false;
    if (entry->of == OF_LESSON)
        describe_lesson(session, entry);
    else
        describe_action(entry);
    return true;
}

/* ---- What is typed ---- */

static bool palette_contains(const char *text, const char *word, size_t length)
{
    for (; *text; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

/* What newcomers type, and what that is called here; nothing: it may be left out. */
static const char *const called[][2] = {
    {"word", "token"},       {"turn", ""},
    {"disable", "off"},      {"ablate", "off"},
    {"mask", "causal"},      {"mode", "theme"},
    {"heatmap", "heat map"}, {"probability", "what the model says"},
    {"copy", "command line"}};

/* Whether it is part of a name or, if `about`, of what is said of it. */
static bool has_word(const struct entry *entry, bool about, const char *word, size_t length)
{
    return palette_contains(entry->name, word, length) ||
           (about && palette_contains(entry->about, word, length));
}

/* Whether every word that is typed is there, or what it is called here. */
static bool is_sought(const char *typed, const struct entry *entry, bool about)
{
    for (size_t length; *(typed += strspn(typed, " ")); typed += length) {
        length = strcspn(typed, " ");
        bool found = has_word(entry, about, typed, length);
        for (size_t i = 0; i < sizeof called / sizeof *called && !found; i++)
            found = strlen(called[i][0]) == length &&
                    strncasecmp(called[i][0], typed, length) == 0 &&
                    has_word(entry, about, called[i][1], strlen(called[i][1]));
        if (!found)
            return false;
    }
    return true;
}

static bool is_of_list(const struct session *session, const struct entry *entry)
{
    return session->list == LIST_ALL
               ? entry->of != OF_CHANGE || *entry->about
               : (session->list == LIST_MAPS ? entry->field == FIELD_MAP : entry->of == OF_LESSON);
}

/* A line of the list, names that match before words that do; false past the last. */
static bool line_at(const struct session *session, size_t line, struct entry *entry)
{
    const char *typed = session->prompt ? editor_text(session->prompt) : "";
    for (int about = 0; about < 2; about++)
        for (size_t i = 0; entry_at(session, i, entry); i++)
            if (is_of_list(session, entry) && is_sought(typed, entry, about) &&
                (!about || !is_sought(typed, entry, false)) && line-- == 0)
                return true;
    return false;
}

static size_t count_lines(const struct session *session)
{
    struct entry entry;
    size_t count = 0;
    while (line_at(session, count, &entry))
        count++;
    return count;
}

/* ---- Keys ---- */

#define TYPED_LIMIT 60 /* bytes */

/* The cursor begins on the first lesson that isn't done, or on the map that is shown. */
unsigned palette_open(struct session *session, enum session_list list)
{
    const struct teacher *teacher = session->teacher;
    size_t undone = 0, count = teacher ? teacher->lesson_count : 0;
    if (list == LIST_LESSONS && count == 0)
        return session_say(session, "there are no lessons here");
    while (undone < count && teacher->lessons[undone].done)
        undone++;
    palette_close(session);
    if (list == LIST_ALL && !(session->prompt = editor_new("", TYPED_LIMIT)))
        return session_lacks_memory(session, "the prompt", TYPED_LIMIT);
    session->list = list;
    session->line = list == LIST_MAPS                        ? session->state.look.map
                    : list == LIST_LESSONS && undone < count ? undone
                                                             : 0;
    return SESSION_REDRAW;
}

void palette_close(struct session *session)
{
    if (session->list == LIST_ALL) {
        editor_free(session->prompt);
        session->prompt = NULL;
    }
    session->list = LIST_NONE;
}

/* The number may come from a click, so it is checked. */
unsigned palette_choose(struct session *session, size_t line)
{
    struct entry entry;
    if (!line_at(session, line, &entry))
        return SESSION_REDRAW;
    palette_close(session);
    if (entry.of == OF_LESSON)
        return panel_ask(session, TEACH_BEGIN, entry.index);
    if (entry.of == OF_CHANGE)
        return menu_change(session, entry.index);
    if (entry.of == OF_FIELD)
        return session_set(session, entry.field, entry.index, entry.action);
    if (entry.action == ACTION_HEAD_DIGIT)
        return session_say(session, "a digit chooses the head of that number");
    return session_act(session, entry.action, 0);
}

/* It stops at the ends. The key that opened a list of one kind leads on in that of the maps, and
 * out of that of the lessons. */
static unsigned palette_act(struct session *session, enum action action, int digit)
{
    const size_t count = count_lines(session), last = count - (count > 0);
    int steps = action == ACTION_MAP && session->list == LIST_MAPS ? 1 : action_steps(action);
    if (action == ACTION_PIN)
        return palette_choose(session, session->line);
    if (action == ACTION_HEAD_DIGIT && digit > 0 && (size_t)digit <= count)
        return palette_choose(session, (size_t)digit - 1);
    if (action == ACTION_CLEAR || (action == ACTION_LESSON && session->list == LIST_LESSONS))
        palette_close(session);
    else if (steps == 0)
        return SESSION_PASSED;
    else if (steps < 0)
        session->line -= (size_t)-steps < session->line ? (size_t)-steps : session->line;
    else
        session->line +=
            (size_t)steps < last - session->line ? (size_t)steps : last - session->line;
    return SESSION_REDRAW;
}

static unsigned obey_editor(struct session *session, enum editor_result result)
{
    if (result == EDITOR_NO_MEMORY)
        return session_lacks_memory(session, "the prompt", TYPED_LIMIT);
    session->line = result == EDITOR_CHANGED ? 0 : session->line;
    return SESSION_REDRAW;
}

unsigned palette_paste(struct session *session, const char *text, size_t length)
{
    return obey_editor(session, editor_insert(session->prompt, text, length));
}

/* What is typed goes to the line of text, all but the keys that lead through the list. */
unsigned palette_key(struct session *session, uint32_t key)
{
    enum action action;
    int digit;
    if (session->list == LIST_COMMAND)
        return command_key(session, key);
    bool leads = action_of_key(NULL, key, &action, &digit) &&
                 (action_steps(action) != 0 || action == ACTION_PIN || action == ACTION_CLEAR);
    if (session->list == LIST_ALL && (!leads || (key >= ' ' && key < KEY_CODE_UP)))
        return obey_editor(session, editor_key(session->prompt, key));
    if (leads || action_of_key(session->bindings, key, &action, &digit))
        return palette_act(session, action, digit);
    return SESSION_PASSED;
}

/* ---- Drawing ---- */

#define LINES_MOST 16 /* so that the picture stays in sight */
#define GAP        2  /* columns beside and between the parts of a line */

/* Widths of the parts. */
struct columns {
    int key, name, about;
};

struct key_text {
    char text[BINDING_NAME_MAX];
};

#define DIGITS 9

/* Its number in a list of one kind, where a digit chooses. */
static struct key_text key_of(const struct session *session, const struct entry *entry)
{
    struct key_text own = {""};
    size_t length;
    const char *key = action_key(session->bindings, entry->action, 0, &length);
    if (session->list != LIST_ALL && entry->index < DIGITS)
        snprintf(own.text, sizeof own.text, "%zu", entry->index + 1);
    else if (session->list != LIST_ALL)
        return own;
    else if (key)
        snprintf(own.text, sizeof own.text, "%.*s", (int)length, key);
    return own;
}

/* Of all lines, so that they stay in place while something is typed. */
static struct columns palette_columns(const struct session *session, const struct canvas *canvas)
{
    struct columns columns = {0};
    struct entry entry;
    for (size_t i = 0; entry_at(session, i, &entry); i++) {
        if (!is_of_list(session, &entry))
            continue;
        int key = canvas_width(canvas, key_of(session, &entry).text);
        int name = canvas_width(canvas, entry.name), about = canvas_width(canvas, entry.about);
        columns.key = key > columns.key ? key : columns.key;
        columns.name = name > columns.name ? name : columns.name;
        columns.about = about > columns.about ? about : columns.about;
    }
    return columns;
}

/* The line under the cursor has a ground of its own. */
static void palette_draw_line(const struct session *session, struct canvas *canvas, struct area row,
                              const struct columns *columns, size_t line, const struct entry *entry)
{
    bool here = line == session->line;
    struct style style = here ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT);
    struct style key = style_bold(ROLE_TITLE), faint = style_of(ROLE_FAINT);
    const int end = row.x + row.columns - GAP;
    if (here) {
        style.back = key.back = faint.back = (struct ink){ROLE_CURSOR, 5};
        faint.fore = style.fore;
        canvas_fill(canvas, row, style);
    }
    int x = row.x + GAP, about = end - columns->about;
    canvas_text(canvas, row.y, x, columns->key, key, key_of(session, entry).text);
    x += columns->key + GAP;
    if (about < x + columns->name + GAP && session->list == LIST_ALL)
        about = x + columns->name + GAP;
    canvas_text(canvas, row.y, x, about - GAP - x, style, entry->name);
    canvas_text(canvas, row.y, about, end - about, faint, entry->about);
    canvas_mark(canvas, row, HIT_LINE, line);
}

/* As wide as its lines need, if there is room, and scrolled to the cursor. */
void palette_draw(const struct session *session, struct canvas *canvas, struct area area)
{
    static const char *const titles[] = {
        [LIST_LESSONS] = "lessons: ↑↓ and Enter, or a digit, Esc closes",
        [LIST_MAPS] = "maps: ↑↓ and Enter, or a digit, Esc closes",
        [LIST_ALL] = "everything by name: type a part of it, ↑↓ and Enter, Esc closes"};
    if (session->list == LIST_COMMAND)
        command_draw(session, canvas, area);
    if (session->list == LIST_NONE || session->list == LIST_COMMAND)
        return;
    const struct columns columns = palette_columns(session, canvas);
    const size_t count = count_lines(session);
    int rows = 1 + (count == 0 ? 1 : count < LINES_MOST ? (int)count : LINES_MOST);
    int narrow = canvas_width(canvas, titles[session->list]) + 2 * GAP;
    int wanted = columns.key + columns.name + columns.about + 4 * GAP;
    struct area row = list_draw(canvas, area, wanted > narrow ? wanted : narrow,
                                rows < area.rows - 1 ? rows : area.rows - 1, titles[session->list]);
    size_t seen = (size_t)row.rows - 1;
    size_t first = session->line >= seen ? session->line - seen + 1 : 0;
    struct entry entry;
    row.rows = 1;
    if (count == 0)
        canvas_text(canvas, row.y + 1, row.x + GAP, row.columns - GAP, style_of(ROLE_FAINT),
                    "nothing is called that: Backspace takes letters back");
    for (size_t i = first; i < first + seen && line_at(session, i, &entry); i++) {
        row.y++;
        palette_draw_line(session, canvas, row, &columns, i, &entry);
    }
}
