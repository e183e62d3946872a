/* overlay.c: what lies over the picture and takes keys. A kind is a row of one table: where its
 * rows come from (listing.c), and what its keys do besides moving the cursor. */
#include "headlight/session/overlay.h"

#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/history.h"
#include "headlight/session/pager.h"
#include "headlight/session/panel.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- The table ---- */

static const struct kind {
    const char *title, *hints;
    void (*list)(struct listing *listing);          /* NULL: there are no rows */
    size_t typed;                                   /* bytes of a line; 0: nothing can be typed */
    enum action key;                                /* which closes it, as it opened it; 0: none */
    enum { REFUSED, CLOSE, CLOSE_AND_GO_ON } other; /* what keys do that mean nothing in it */
} kinds[] = {
    [OVERLAY_LESSONS] = {.title = "lessons: ↑↓ and Enter, or a digit, Esc closes",
                         .hints = "↑↓: choose; Enter: do it; Esc: close",
                         .list = list_lessons,
                         .key = ACTION_LESSON},
    [OVERLAY_VALUES] = {.hints = "↑↓: choose; Enter: keep; Esc: back",
                        .list = list_values,
                        .other = CLOSE_AND_GO_ON},
    [OVERLAY_ALL] = {.title = "everything by name: type a part of it, ↑↓ and Enter, Esc closes",
                     .hints = "↑↓: choose; Enter: do it; Esc: close",
                     .list = list_all,
                     .typed = 60},
    [OVERLAY_CHANGES] = {.title = "change the network: a letter, Esc closes",
                         .hints = "↑↓: choose; Enter: do it; u: undo; Esc: close",
                         .list = list_changes},
    [OVERLAY_COMMAND] = {.title = "the command that draws this screen: Esc closes",
                         .hints = "↑↓: scroll; Esc: close",
                         .list = list_command,
                         .key = ACTION_COMMAND},
    [OVERLAY_HELP] = {.title = "keys: ↑↓ and Enter do one, ? shows all, any other closes",
                      .list = list_help,
                      .other = CLOSE},
    [OVERLAY_FIND] = {.hints = "Enter: keep; Esc: forget",
                      .typed = sizeof((struct look *)0)->find - 1},
    [OVERLAY_EDIT] = {.hints = "Enter: done; Esc: cancel; Tab: other text; ↑↓: earlier texts; "
                               "Ctrl-U: clear",
                      .typed = EDITOR_LIMIT},
};

static const struct kind *kind_of(const struct session *session)
{
    return &kinds[session->overlay.kind];
}

/* ---- What is typed ---- */

static bool has_word(const char *text, const char *word, size_t length)
{
    return text && scene_text_has(text_of_string(text), word, length);
}

/* Whether every word that is typed is part of the name or, if `about`, of what else is said. */
static bool is_sought(const char *typed, const struct overlay_row *row, bool about)
{
    const struct option_info *option = row->option;
    for (size_t length; *(typed += strspn(typed, " ")); typed += length) {
        length = strcspn(typed, " ");
        if (!has_word(row->name, typed, length) &&
            !(option && has_word(option->name, typed, length)) &&
            !(about &&
              (has_word(row->about, typed, length) || has_word(row->words, typed, length) ||
               (option && (has_word(option->called, typed, length) ||
                           has_word(option->help, typed, length))))))
            return false;
    }
    return true;
}

/* Names that match come before words that do. Valid until the next call: the session has one
 * thread, and they are too large for a stack. */
static const struct listing *listing_of(const struct session *session, const struct canvas *canvas)
{
    static struct listing rows;
    const char *typed = kind_of(session)->typed ? editor_text(session->overlay.lines[0]) : "";
    free(rows.text);
    rows.text = NULL;
    rows.session = session;
    rows.ascii = canvas && canvas_ascii(canvas);
    rows.columns = canvas ? canvas->columns : session->columns;
    rows.made = rows.count = 0;
    if (kind_of(session)->list)
        kind_of(session)->list(&rows);
    for (int about = 0; about < 2; about++)
        for (size_t i = 0; i < rows.made; i++)
            if (is_sought(typed, &rows.all[i], about) &&
                (!about || !is_sought(typed, &rows.all[i], false)))
                rows.listed[rows.count++] = &rows.all[i];
    return &rows;
}

/* Of the texts it is asked for. Else it filters the rows, or is looked for: the look keeps it, so
 * that views mark what is found and n repeats the search. The token under the cursor comes first:
 * typing on doesn't leave it while it still matches. */
static unsigned obey_editor(struct session *session, enum editor_result result)
{
    const struct kind *kind = kind_of(session);
    if (result == EDITOR_NO_MEMORY)
        return session_out_of_memory(session, "the text", kind->typed);
    if (result != EDITOR_CHANGED)
        return SESSION_REDRAW;
    if (session->overlay.kind == OVERLAY_EDIT)
        return edit_want(session);
    session->overlay.cursor = 0;
    if (session->overlay.kind != OVERLAY_FIND)
        return SESSION_REDRAW;
    struct look *look = &session->state.look;
    format_cut(look->find, sizeof look->find, "%s", editor_text(session->overlay.lines[0]));
    session->message[0] = '\0';
    const struct scene scene = session_scene(session);
    const size_t cursor = scene_token(&scene, look->side);
    if (look->find[0] && (cursor == NO_TOKEN || !scene_is_found(&scene, look->side, cursor)))
        pager_within(session, true);
    return SESSION_REDRAW;
}

unsigned overlay_paste(struct session *session, const char *text, size_t length)
{
    struct editor *editor = session->overlay.lines[session->overlay.line];
    const enum editor_result result = editor_insert(editor, text, length);
    if (result == EDITOR_MOVED)
        session_say(session, "%zu bytes are too many: there is room for %zu", length,
                    kind_of(session)->typed - editor_length(editor));
    return obey_editor(session, result);
}

/* ---- Opening and closing ---- */

bool overlay_covers(const struct session *session)
{
    return kind_of(session)->list;
}

const char *overlay_hints(const struct session *session)
{
    return kind_of(session)->hints;
}

static void free_lines(const struct overlay *overlay)
{
    editor_free(overlay->lines[0]);
    editor_free(overlay->lines[1]);
}

/* Closes what is on top: below it is what it was opened from, or nothing. What was tried in a list
 * of values is one step of undo. */
static void overlay_back(struct session *session)
{
    const bool values = session->overlay.kind == OVERLAY_VALUES;
    edit_forget(session);
    free_lines(&session->overlay);
    session->overlay = session->below[0];
    session->below[0] = session->below[1];
    session->below[1] = (struct overlay){.kind = OVERLAY_NONE};
    if (values)
        history_keep(session);
}

void overlay_close(struct session *session)
{
    while (session->overlay.kind)
        overlay_back(session);
}

/* Puts another one in front. */
static void overlay_open_above(struct session *session, const struct overlay *opened)
{
    if (session->overlay.kind) {
        free_lines(&session->below[1]);
        session->below[1] = session->below[0];
        session->below[0] = session->overlay;
    }
    session->overlay = *opened;
}

/* The cursor begins on the first lesson of this model that isn't done. An empty line stands in for
 * a text that isn't known; Esc needs the state in which the texts were. */
unsigned overlay_open(struct session *session, enum overlay_kind kind)
{
    const struct teacher *teacher = session->teacher;
    const size_t count = teacher ? teacher->lesson_count : 0;
    struct error error;
    struct overlay opened = {.kind = kind,
                             .cursor = kind == OVERLAY_CHANGES || kind == OVERLAY_HELP ||
                                               kind == OVERLAY_COMMAND
                                           ? NO_ROW
                                           : 0};
    if (kind == OVERLAY_LESSONS && count == 0)
        return session_say(session, "a picture has no list of lessons: --lesson NAME begins one");
    const struct texts *texts = &session->state.source.texts;
    bool failed = kind == OVERLAY_EDIT && !history_keep(session);
    for (size_t i = 0; kinds[kind].typed && i < (kind == OVERLAY_EDIT ? 2 : 1); i++) {
        const char *text = kind == OVERLAY_EDIT ? texts_at(texts, i) : "";
        if (text || i == 0)
            failed |= !(opened.lines[i] = editor_new(text ? text : "", kinds[kind].typed));
    }
    if (failed) {
        free_lines(&opened);
        return session_out_of_memory(session, "the text", kinds[kind].typed);
    }
    while (kind == OVERLAY_LESSONS && opened.cursor < count &&
           (teacher->lessons[opened.cursor].done || teacher->lessons[opened.cursor].model))
        opened.cursor++;
    opened.cursor = kind == OVERLAY_LESSONS && opened.cursor == count ? 0 : opened.cursor;
    if (kind == OVERLAY_FIND) /* an earlier text is forgotten */
        session->state.look.find[0] = '\0';
    if (kind == OVERLAY_ALL && session->interactive) { /* without a cache, or memory: none */
        hub_list_free(&session->models);
        hub_list(&session->models, &error);
    }
    opened.before = session->state.look;
    overlay_open_above(session, &opened);
    return SESSION_REDRAW;
}

/* ---- The cursor ---- */

/* What can't be chosen is passed over; where nothing can be, the rows are scrolled. A value is
 * shown as soon as the cursor is on it. */
static unsigned overlay_move(struct session *session, int steps, bool round)
{
    struct overlay *overlay = &session->overlay;
    const struct listing *rows = listing_of(session, NULL);
    const int count = (int)rows->count, way = steps < 0 ? -1 : 1;
    if (count == 0)
        return SESSION_REDRAW;
    const int from = overlay->cursor != NO_ROW ? (int)overlay->cursor
                     : steps < 0               ? count
                                               : (int)overlay->first - 1;
    int to = round ? (from + steps) % count : int_clamp(from + steps, 0, count - 1);
    for (int i = 0; i < 2 * count && rows->listed[to]->barred; i++) /* to the end, and back */
        to = round ? (to + 1) % count : int_clamp(to + (i < count ? way : -way), 0, count - 1);
    if (rows->listed[to]->barred) {
        overlay->first = (size_t)int_clamp((int)overlay->first + steps, 0, count - 1);
        return SESSION_REDRAW;
    }
    overlay->cursor = (size_t)to;
    if (overlay->kind != OVERLAY_VALUES)
        return SESSION_REDRAW;
    /* without memory for it, the old one is still shown */
    const unsigned bits = session_set(session, overlay->field, rows->listed[to]->index);
    const struct scene scene = session_scene(session);
    overlay->cursor = field_chosen(&scene, overlay->field);
    return bits;
}

unsigned overlay_open_values(struct session *session, unsigned field)
{
    const struct scene scene = session_scene(session);
    const size_t now = field_chosen(&scene, field);
    const struct overlay opened = {.kind = OVERLAY_VALUES,
                                   .cursor = now,
                                   .field = field,
                                   .before = session->state.look,
                                   .changes = session->state.source.changes};
    overlay_open_above(session, &opened);
    session->message[0] = '\0';
    const unsigned bits = overlay_move(session, 1, true);
    if (session->overlay.cursor != now)
        return bits;
    const struct listing *rows = listing_of(session, NULL);
    overlay_back(session);
    if (!session->message[0])
        session_say(session, "%s", rows->listed[now == 0 ? 1 : 0]->about);
    return bits;
}

/* A recording and a survey come with their own; one load follows another. */
static unsigned want_model(struct session *session, const char *name, size_t lesson)
{
    if (!session->interactive || session->recording || session->data.survey ||
        session->busy == REQUEST_LOAD)
        return session_say(session, "a model is opened from the shell: headlight --model %s", name);
    snprintf(session->wanted, sizeof session->wanted, "%s", name);
    session->wanted_lesson = lesson;
    return session_say(session, "opening %s", name) | SESSION_MODEL;
}

/* The number may come from a click, so it is checked. What is barred says why. */
unsigned overlay_choose(struct session *session, size_t number)
{
    const struct listing *rows = listing_of(session, NULL);
    const enum overlay_kind kind = session->overlay.kind;
    if (number >= rows->count)
        return SESSION_REDRAW;
    const struct overlay_row row = *rows->listed[number];
    const struct overlay chosen = session->overlay;
    session->overlay.kind = OVERLAY_NONE;
    const unsigned bits =
        row.of == ROW_VALUE && row.index == NO_ROW ? overlay_open_values(session, row.field)
        : row.of == ROW_VALUE                      ? session_set(session, row.field, row.index)
        : row.of == ROW_CHANGE                     ? change_make(session, row.index)
        : row.of == ROW_MODEL ? want_model(session, row.name + strlen("model "), 0)
        : row.of == ROW_LESSON && session->interactive && session->teacher->lessons[row.index].model
            ? want_model(session, session->teacher->lessons[row.index].model, row.index + 1)
        : row.of == ROW_LESSON ? panel_ask(session, TEACH_BEGIN, row.index)
        : row.of != ROW_ACTION ? SESSION_REDRAW
        : row.index == ACTION_HEAD_DIGIT
            ? session_say(session, "a digit chooses the head of that number")
        : row.index == ACTION_PRESENT && session->state.look.presented /* who asks for a zoom */
            ? session_say(session, "letters are as large as they fit; " SESSION_PRESENTED)
            : session_act(session, (enum action)row.index, 0);
    const struct overlay opened = session->overlay;
    const bool values = kind == OVERLAY_VALUES;
    session->overlay = chosen;
    if (values && !row.barred && session->below[0].kind == OVERLAY_CHANGES)
        overlay_back(session);
    else if (values ? !row.barred : kind != OVERLAY_CHANGES && !opened.kind)
        overlay_close(session);
    if (opened.kind) {
        overlay_open_above(session, &opened);
        session->overlay.key = kind == OVERLAY_CHANGES ? (uint32_t)row.keys[0] : 0;
    }
    return bits;
}

/* ---- Keys ---- */

#define PAGE 10 /* rows that PageUp and PageDown pass */

/* What is typed goes to the line of text, all but the keys that lead through the rows. A search
 * goes on in other texts, if this one hasn't got it. */
unsigned overlay_key(struct session *session, uint32_t key)
{
    const struct kind *kind = kind_of(session);
    struct overlay *overlay = &session->overlay;
    enum action action;
    int digit;
    const int page = (key == KEY_CODE_PAGE_DOWN) - (key == KEY_CODE_PAGE_UP);
    const bool edits = overlay->kind == OVERLAY_EDIT,
               lines = key == KEY_CODE_UP || key == KEY_CODE_DOWN,
               tab = key == KEY_CODE_TAB || key == KEY_CODE_BACK_TAB;
    const bool leads =
        page != 0 ||
        (action_of_key(NULL, key == '\n' ? '\r' : key, &action, &digit) &&
         (action == ACTION_PIN || action == ACTION_CLEAR ||
          (edits ? lines || tab : action_steps(action) != 0 && overlay->kind != OVERLAY_FIND)));
    if (kind->typed && (!leads || (key >= ' ' && key < KEY_CODE_UP)))
        return obey_editor(session, editor_key(overlay->lines[overlay->line], key));
    if (edits && (lines || tab))
        return tab ? edit_switch(session) : edit_recall(session, key == KEY_CODE_UP);
    if (edits && action == ACTION_PIN) {
        const unsigned bits = edit_finish(session);
        if (bits & SESSION_PASS)
            overlay_close(session);
        return bits;
    }
    const struct listing *rows = listing_of(session, NULL);
    for (size_t i = 0; !kind->typed && overlay->kind != OVERLAY_HELP && i < rows->count; i++)
        if (key > 0 && (uint32_t)rows->listed[i]->keys[0] == key)
            return overlay_choose(session, i);
    if (page != 0 || (!leads && !action_of_key(session->bindings, key, &action, &digit)))
        action = ACTION_COUNT;
    const int steps = action < ACTION_COUNT ? action_steps(action) : page * PAGE;
    const bool finds = overlay->kind == OVERLAY_FIND, values = overlay->kind == OVERLAY_VALUES;
    if (action == ACTION_CLEAR) {
        const bool network = values && field_is_network(overlay->field);
        if (network)
            session->state.source.changes = overlay->changes;
        else if (values || finds)
            derive_show(session, &overlay->before);
        overlay_back(session);
        session->message[0] = '\0';
        return SESSION_REDRAW | (edits ? history_go(session, 0) : network ? SESSION_PASS : 0);
    }
    if ((action == ACTION_UNDO || action == ACTION_REDO) && overlay->kind == OVERLAY_CHANGES)
        return session_act(session, action, 0);
    if (action == ACTION_PIN && kind->list && overlay->cursor != NO_ROW)
        return overlay_choose(session, overlay->cursor);
    if (action == ACTION_PIN || (kind->key && action == kind->key)) {
        overlay_close(session);
        return SESSION_REDRAW | (finds && pager_is_open(session) ? pager_find(session) : 0);
    }
    const enum action opens = values && !overlay->key ? field_info(overlay->field)->key : 0;
    if (values && (overlay->key ? key == overlay->key : opens && action == opens))
        return overlay_move(session, 1, true);
    if (values && session->below[0].kind == OVERLAY_CHANGES && steps == 0) {
        overlay_back(session); /* keeps it, and is a key of that menu */
        return overlay_key(session, key);
    }
    if (steps != 0)
        return overlay_move(session, steps, false);
    if (overlay->kind == OVERLAY_HELP && action == ACTION_HELP && overlay->first == 0) {
        overlay->cursor = NO_ROW;
        while (strcmp(rows->listed[overlay->first]->name, action_info(0)->group) != 0)
            overlay->first++;
        return SESSION_REDRAW;
    }
    if (kind->other != REFUSED && key != KEY_CODE_NONE)
        overlay_close(session);
    return kind->other == CLOSE ? SESSION_REDRAW : SESSION_PASSED;
}

/* ---- Drawing ---- */

#define ROWS_SEEN    16 /* so that the picture stays in sight */
#define PART_COLUMNS 16 /* of which rows are shown */
#define MARGIN       2  /* columns beside the box */
#define GAP          2  /* beside and between the parts of a row */

/* Widths of the parts of all rows, so that they stay in place while something is typed. */
struct columns {
    int key, sign, name, about;
};

/* The row under the cursor has a ground of its own. Where there is no room for all, the longer of
 * names and sentences are cut. */
static void draw_row(struct canvas *canvas, struct area area, const struct columns *columns,
                     const struct overlay_row *row, bool here)
{
    const bool strong = here || row->on || row->of == ROW_HEADING;
    const bool weak = row->barred && row->of != ROW_NOTE;
    struct style name = strong ? style_bold(ROLE_STRONG) : style_of(weak ? ROLE_FAINT : ROLE_TEXT);
    struct style key = weak ? style_of(ROLE_FAINT) : style_bold(ROLE_TITLE);
    struct style faint = style_of(ROLE_FAINT), sign = style_of(row->on ? ROLE_WARNING : ROLE_FAINT);
    const int end = area.x + area.columns - GAP;
    if (here) {
        name.back = key.back = faint.back = sign.back = (struct ink){ROLE_CURSOR, 5};
        faint.fore = name.fore;
        canvas_fill(canvas, area, name);
    }
    if (row->of ==
        ROW_NOTE) { /* a sentence, or what is marked with the mouse, and begins no word */
        canvas_text(canvas, area.y, area.x - (row->words ? MARGIN : 0), canvas->columns, name,
                    row->words ? row->words : row->name);
        return;
    }
    int x = area.x + GAP, about = end - columns->about;
    canvas_text(canvas, area.y, x, columns->key, key, row->keys);
    if (row->of != ROW_HEADING)
        x += columns->key + (columns->sign ? 1 : GAP);
    canvas_text(canvas, area.y, x, 1, sign, row->sign ? row->sign : "");
    x += columns->sign;
    if (about < x + columns->name + GAP && columns->about > columns->name)
        about = x + columns->name + GAP;
    if (row->barred && row->of == ROW_ACTION && end - about < canvas_width(canvas, row->about)) {
        canvas_text(canvas, area.y, x, end - x, faint, row->about); /* why alone */
        return;
    }
    canvas_text(canvas, area.y, x, (*row->about ? about - GAP : end) - x, name, row->name);
    canvas_text(canvas, area.y, about, end - about, faint, row->about);
}

/* As wide as its rows need, if there is room, and scrolled to the cursor. Above values that are
 * tried at once half of the picture stays free; the help takes all. No word beside it is seen in
 * part, and a strip too narrow for any is cleared. */
void overlay_draw(const struct session *session, struct canvas *canvas, struct area area)
{
    const struct overlay *overlay = &session->overlay;
    const bool command = overlay->kind == OVERLAY_COMMAND;
    if (!overlay_covers(session))
        return;
    const struct listing *rows = listing_of(session, canvas);
    struct columns columns = {0};
    for (const struct overlay_row *row = rows->all; row < rows->all + rows->made; row++)
        if (row->of != ROW_NOTE) {
            columns.key = int_max(columns.key, canvas_width(canvas, row->keys));
            columns.sign = int_max(columns.sign, row->sign ? 2 : 0);
            columns.name = int_max(columns.name, canvas_width(canvas, row->name));
            columns.about = int_max(columns.about, canvas_width(canvas, row->about));
        }
    const int count = (int)rows->count,
              cursor = int_min((int)overlay->cursor, int_max(count - 1, 0));
    const int most = command || overlay->kind == OVERLAY_HELP ? area.rows - 2
                     : overlay->kind == OVERLAY_VALUES        ? int_max(area.rows / 2, 4)
                                                              : int_min(ROWS_SEEN, area.rows - 2);
    const int seen = int_clamp(count, 1, most);
    const bool values = overlay->kind == OVERLAY_VALUES;
    char title[128];
    size_t length = overlay->key != 0; /* of the key that opened the list, and leads on in it */
    const enum action opens = values ? field_info(overlay->field)->key : 0;
    const char letter = (char)overlay->key,
               *key = length  ? &letter
                      : opens ? action_key(session->bindings, opens, 0, &length)
                              : NULL;
    if (values)
        snprintf(title, sizeof title, "%s: %.*s%s↑↓ to the next, Enter keeps it, Esc goes back",
                 field_title(overlay->field), (int)length, key ? key : "", length ? " or " : "");
    else
        snprintf(title, sizeof title, "%s", kind_of(session)->title);
    const int least = canvas_width(canvas, title) + 2 * GAP + (count > seen ? PART_COLUMNS : 0),
              wanted = columns.key + columns.sign + columns.name + columns.about + 4 * GAP;
    struct style style = style_bold(ROLE_STRONG);
    struct area row = {
        area.y + area.rows - 2 - seen, area.x + MARGIN, 1 + seen,
        int_min(command ? area.columns : int_max(wanted, least), area.columns - 2 * MARGIN)};
    style.back = ink_full(ROLE_CURSOR);
    const int end = row.x + row.columns, beside = area.columns - MARGIN - end;
    for (int y = int_max(row.y, 0); y < row.y + row.rows; y++) {
        const struct cell *at = canvas_at(canvas, y, end);
        int cut = beside < PART_COLUMNS ? beside + MARGIN : 0;
        while (cut < beside && isgraph((unsigned char)at[-1].text[0]) &&
               isgraph((unsigned char)at[cut].text[0]))
            cut++;
        canvas_fill(canvas, (struct area){y, end, 1, cut}, style_of(ROLE_TEXT));
    }
    canvas_fill(canvas, row, style_of(ROLE_TEXT));
    canvas_mark(canvas, row, (struct hit){.place = {HIT_NOTHING}});
    row.rows = 1;
    canvas_fill(canvas, row, style);
    canvas_text(canvas, row.y, row.x + GAP, row.columns - 2 * GAP, style, title);
    int first = int_min((int)overlay->first, count - seen);
    if (overlay->cursor != NO_ROW)
        first = int_max(int_min(first, cursor), cursor - seen + 1);
    if (count > seen) {
        snprintf(title, sizeof title, "  %d–%d of %d", first + 1, first + seen, count);
        style = (struct style){.fore = ink_full(ROLE_TEXT), .back = ink_full(ROLE_CURSOR)};
        canvas_text_right(canvas, row.y, row.x + row.columns - GAP, row.columns, style, title);
    }
    if (count == 0 && kind_of(session)->typed)
        canvas_text(canvas, row.y + 1, row.x + GAP, row.columns - GAP, style_of(ROLE_FAINT),
                    "nothing is called that: Backspace takes letters back");
    for (int i = first; i < int_min(first + seen, count); i++) {
        row.y++;
        draw_row(canvas, row, &columns, rows->listed[i], i == cursor);
        canvas_mark(canvas, row, hit_at(HIT_LINE, (size_t)i));
    }
}
