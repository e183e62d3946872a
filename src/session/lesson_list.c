/* lesson_list.c: the list of lessons over the picture: titles, durations and progress. The teacher
 * fills it in when it is opened. */
#include "headlight/session/act.h"
#include "headlight/session/panel.h"
#include "headlight/session/screen.h"

#include <stdio.h>

/* ---- Keys ---- */

/* The cursor starts on the first lesson that isn't done. */
unsigned lesson_menu_open(struct session *session)
{
    const struct teacher *teacher = session->teacher;
    size_t first = 0;
    if (!teacher || teacher->lesson_count == 0)
        return session_say(session, "there are no lessons here");
    if (!teacher->list(teacher->context))
        return SESSION_REDRAW;
    while (first < teacher->lesson_count && teacher->lessons[first].done)
        first++;
    session->lesson = first < teacher->lesson_count ? first : 0;
    session->lessons = true;
    return SESSION_REDRAW;
}

/* The index may come from a click, so it is checked. */
unsigned lesson_menu_begin(struct session *session, size_t lesson)
{
    if (lesson >= session->teacher->lesson_count)
        return SESSION_REDRAW;
    session->lessons = false;
    return panel_ask(session, TEACH_BEGIN, lesson);
}

/* It stops at the ends, and pages lead there. */
static size_t lesson_menu_move(const struct session *session, enum action action)
{
    size_t last = session->teacher->lesson_count - 1, at = session->lesson;
    if (action == ACTION_TOKEN_PREVIOUS)
        return at - (at > 0);
    if (action == ACTION_TOKEN_NEXT)
        return at + (at < last);
    return action == ACTION_TOKEN_LAST || action == ACTION_PAGE_DOWN ? last : 0;
}

/* A digit begins the lesson of that number, as the list shows it. */
unsigned lesson_menu_key(struct session *session, uint32_t key)
{
    enum action action;
    int digit;
    if (!action_of_key(NULL, key, &action, &digit))
        return SESSION_PASSED;
    if (action == ACTION_PIN)
        return lesson_menu_begin(session, session->lesson);
    if (action == ACTION_HEAD_DIGIT && digit > 0 && (size_t)digit <= session->teacher->lesson_count)
        return lesson_menu_begin(session, (size_t)digit - 1);
    if (action == ACTION_CLEAR || action == ACTION_LESSON)
        session->lessons = false;
    else if (action <= ACTION_PAGE_DOWN)
        session->lesson = lesson_menu_move(session, action);
    else
        return SESSION_PASSED;
    return SESSION_REDRAW;
}

/* ---- Drawing ---- */

#define LIST_TITLE   "lessons: ↑↓ and Enter, or a number, Esc closes"
#define LIST_MARGIN  2 /* columns beside a line */
#define LIST_MINUTES 6 /* columns of "99 min" */
#define LIST_NUMBER  4 /* columns of the numbers */

struct state_text {
    char text[40];
};

/* Empty for a lesson that wasn't begun. */
static struct state_text state_of(const struct panel_lesson *lesson)
{
    struct state_text state = {""};
    if (lesson->done)
        snprintf(state.text, sizeof state.text, "done");
    else if (lesson->left_at > 0)
        snprintf(state.text, sizeof state.text, "left at %zu of %zu", lesson->left_at,
                 lesson->steps);
    return state;
}

/* Widths of the columns: titles and lesson progress. */
struct columns {
    int title, state;
};

static struct columns lesson_columns(const struct teacher *teacher, bool ascii)
{
    struct columns columns = {0};
    for (size_t i = 0; i < teacher->lesson_count; i++) {
        int title = (int)text_width(teacher->lessons[i].title, ascii);
        int state = (int)text_width(state_of(&teacher->lessons[i]).text, ascii);
        columns.title = title > columns.title ? title : columns.title;
        columns.state = state > columns.state ? state : columns.state;
    }
    return columns;
}

/* Number, title, minutes, and how far it was taken; the line under the cursor has a ground of its
 * own. */
static void lesson_menu_draw_line(const struct session *session, struct canvas *canvas,
                                  struct area row, const struct columns *columns, size_t index)
{
    const struct panel_lesson *lesson = &session->teacher->lessons[index];
    bool here = index == session->lesson;
    struct style style = here ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT);
    struct style number = style_bold(ROLE_TITLE), faint = style_of(ROLE_FAINT);
    int end = row.x + row.columns - LIST_MARGIN, x = end - columns->state;
    int from = x - LIST_MARGIN - LIST_MINUTES;
    if (here) {
        style.back = number.back = faint.back = (struct ink){ROLE_CURSOR, 5};
        faint.fore = style.fore;
        canvas_fill(canvas, row, style);
    }
    canvas_print(canvas, row.y, row.x + LIST_MARGIN, LIST_NUMBER, number, "%zu", index + 1);
    canvas_text(canvas, row.y, row.x + LIST_MARGIN + LIST_NUMBER,
                from - row.x - LIST_MARGIN - LIST_NUMBER - 1, style, lesson->title);
    canvas_print(canvas, row.y, from, LIST_MINUTES, faint, "%2zu min", lesson->minutes);
    canvas_text(canvas, row.y, x, columns->state, lesson->done ? faint : style,
                state_of(lesson).text);
    canvas_mark(canvas, row, HIT_LESSON, index);
}

/* As wide as its longest title needs, if there is room. */
void lesson_menu_draw(const struct session *session, struct canvas *canvas, struct area area)
{
    if (!session->lessons)
        return;
    const struct columns columns = lesson_columns(session->teacher, canvas_ascii(canvas));
    int rows = 1 + (int)session->teacher->lesson_count;
    int narrow = (int)text_width(LIST_TITLE, canvas_ascii(canvas)) + 2 * LIST_MARGIN;
    int wanted = LIST_NUMBER + columns.title + LIST_MINUTES + columns.state + 4 * LIST_MARGIN;
    struct area row = list_draw(canvas, area, wanted > narrow ? wanted : narrow,
                                rows < area.rows - 1 ? rows : area.rows - 1, LIST_TITLE);
    size_t seen = (size_t)row.rows - 1; /* scrolled to the cursor */
    size_t first = session->lesson >= seen ? session->lesson - seen + 1 : 0;
    row.rows = 1;
    for (size_t i = first; i < first + seen; i++) {
        row.y++;
        lesson_menu_draw_line(session, canvas, row, &columns, i);
    }
}
