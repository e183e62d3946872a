/* teacher.c: obeys the keys of lessons. It knows which lesson is open and at which step, and keeps
 * the user's progress. The session calls it through struct teacher, as a floor above it can't be
 * named there. */
#include "headlight/lesson/teacher.h"

#include "headlight/base/size.h"
#include "headlight/lesson/progress.h"
#include "headlight/session/act.h"

#include <stdlib.h>

struct teacher_state {
    struct teacher teacher;  /* what the session calls */
    struct session *session; /* that it is attached to */
    size_t count;
    struct lesson **lessons;   /* [count+1], the last from a file; NULL: not read yet */
    struct panel_lesson *list; /* of the same; name and progress only, until the lesson is read */
    const struct lesson *open; /* one of `lessons`; NULL: none */
    size_t index, first;       /* of the open lesson: place in the list, `count` for a file; step to
                                * begin with */
    bool complained;           /* that progress can't be kept; once is enough */
    struct player player;      /* of the open lesson, once begun */
};

/* ---- Beginning and end ---- */

/* Reads a lesson unless it has been read. Reading all of them at every start would cost some
 * milliseconds. */
static enum status read_lesson_at(struct teacher_state *teacher, size_t index, const char *name,
                                  struct error *error)
{
    struct lesson **lesson = &teacher->lessons[index];
    struct panel_lesson *listed = &teacher->list[index];
    if (*lesson)
        return STATUS_OK;
    if (lessons_open(name, lesson, error) != STATUS_OK)
        return error->status;
    listed->title = (*lesson)->title;
    listed->minutes = (*lesson)->minutes;
    listed->steps = (*lesson)->count;
    listed->left_at = size_min(listed->left_at, listed->steps);
    return STATUS_OK;
}

/* Progress is read at once, the lessons when they are needed. */
enum status teacher_new(struct teacher_state **out, struct error *error)
{
    size_t count = lessons_count(), room = count + 1;
    struct teacher_state *teacher = calloc(1, sizeof *teacher);
    *out = NULL;
    if (!teacher)
        return error_memory(error, "the lessons", sizeof *teacher);
    teacher->lessons = calloc(room, sizeof(void *));
    teacher->list = calloc(room, sizeof *teacher->list);
    if (!teacher->lessons || !teacher->list) {
        teacher_free(teacher);
        return error_memory(error, "the lessons", count * sizeof *teacher->list);
    }
    teacher->index = teacher->count = count;
    for (size_t i = 0; i < count; i++)
        teacher->list[i].name = lessons_name(i);
    progress_read(teacher->list, count);
    *out = teacher;
    return STATUS_OK;
}

void teacher_free(struct teacher_state *teacher)
{
    if (!teacher)
        return;
    player_end(&teacher->player);
    for (size_t i = 0; teacher->lessons && i <= teacher->count; i++)
        lesson_free(teacher->lessons[i]);
    free(teacher->lessons);
    free(teacher->list);
    free(teacher);
}

/* By name or number, else a file, which is kept behind the linked ones. */
enum status teacher_open(struct teacher_state *teacher, const char *name, size_t step,
                         struct error *error)
{
    size_t index = lessons_find(name);
    if (read_lesson_at(teacher, index, name, error) != STATUS_OK)
        return error->status;
    const struct lesson *lesson = teacher->lessons[index];
    if (step >= lesson->count)
        return error_set(error, STATUS_USAGE, "--step: expected 1 to %zu, found %zu", lesson->count,
                         step + 1);
    teacher->open = lesson;
    teacher->index = index;
    teacher->first = step;
    return STATUS_OK;
}

const struct lesson *teacher_lesson(const struct teacher_state *teacher)
{
    return teacher->open;
}

/* The list shows titles and sizes, so all lessons are read. */
enum status teacher_list(struct teacher_state *teacher, const struct panel_lesson **lessons,
                         size_t *count, struct error *error)
{
    for (size_t i = 0; i < teacher->count; i++)
        if (read_lesson_at(teacher, i, teacher->list[i].name, error) != STATUS_OK)
            return error->status;
    *lessons = teacher->list;
    *count = teacher->count;
    return STATUS_OK;
}

/* ---- Progress ---- */

/* A finished lesson stays finished. Pictures and exports don't count as progress. */
static void note_progress(struct teacher_state *teacher, bool done)
{
    if (!teacher->session->interactive || teacher->index == teacher->count)
        return;
    struct panel_lesson *lesson = &teacher->list[teacher->index];
    size_t left_at = done || lesson->done ? 0 : teacher->player.step + 1;
    if (lesson->left_at == left_at && (lesson->done || !done))
        return;
    lesson->left_at = left_at;
    lesson->done |= done;
    struct error error;
    if (progress_write(lesson, &error) == STATUS_OK || error.status == STATUS_UNSUPPORTED ||
        teacher->complained)
        return;
    session_say(teacher->session, "%s", error.message);
    teacher->complained = true;
}

/* ---- Going through a lesson ---- */

/* Progress is noted once the step is shown; if it waits for a pass, teacher_update does that. */
static enum status go_to_step(struct teacher_state *teacher, size_t step, unsigned *bits,
                              struct error *error)
{
    enum status status = player_go(&teacher->player, step, bits, error);
    if (!teacher->player.awaits_pass)
        note_progress(teacher, false);
    return status;
}

/* Errors go to the session's message. */
static unsigned go_to_step_saying(struct teacher_state *teacher, size_t step)
{
    unsigned bits = SESSION_REDRAW;
    struct error error;
    if (go_to_step(teacher, step, &bits, &error) != STATUS_OK)
        session_say(teacher->session, "%s", error.message);
    return bits;
}

/* `bits` NULL: all at once. */
static enum status begin_first(struct teacher_state *teacher, unsigned *bits, struct error *error)
{
    player_end(&teacher->player);
    if (player_begin(&teacher->player, teacher->open, teacher->session, error) != STATUS_OK)
        return error->status;
    return bits ? go_to_step(teacher, teacher->first, bits, error)
                : player_show(&teacher->player, teacher->first, error);
}

/* The session must not report to the teacher what the teacher itself changes. */
enum status teacher_begin(struct teacher_state *teacher, unsigned *bits, struct error *error)
{
    teacher->session->teacher_at_work = true;
    enum status status = begin_first(teacher, bits, error);
    teacher->session->teacher_at_work = false;
    return status;
}

/* From the list, at the step where the lesson was left. */
static unsigned begin_listed(struct teacher_state *teacher, size_t index)
{
    const struct panel_lesson *lesson = &teacher->list[index];
    unsigned bits = SESSION_REDRAW;
    struct error error;
    enum status status = read_lesson_at(teacher, index, teacher->list[index].name, &error);
    if (status == STATUS_OK) {
        teacher->open = teacher->lessons[index];
        teacher->index = index;
        teacher->first = lesson->left_at > 0 ? lesson->left_at - 1 : 0;
        status = begin_first(teacher, &bits, &error);
    }
    if (status != STATUS_OK)
        session_say(teacher->session, "%s", error.message);
    return bits;
}

/* A pass that is still under way no longer belongs to a step. */
static void close_panel(struct teacher_state *teacher)
{
    teacher->player.panel.open = false;
    teacher->player.awaits_pass = false;
}

/* The space bar on the last step. Whatever is tried next should be of the network as it was
 * trained, so the lesson's changes are undone. */
static unsigned finish_lesson(struct teacher_state *teacher)
{
    struct panel *panel = &teacher->player.panel;
    const size_t next = teacher->index + 1;
    struct error error;
    bool more = next < teacher->count &&
                read_lesson_at(teacher, next, teacher->list[next].name, &error) == STATUS_OK;
    unsigned bits = SESSION_REDRAW;
    if (interventions_any(&teacher->session->state.source.changes))
        bits |= menu_undo(teacher->session);
    teacher->session->message[0] = '\0'; /* it would hide what Space does */
    note_progress(teacher, true);
    panel->over = true;
    panel->title = teacher->open->title;
    panel->text = panel->learnt ? panel->learnt : teacher->open->about;
    panel->look = panel->attempt = NULL;
    panel->next = more ? teacher->list[next].title : NULL;
    return bits;
}

/* After the end: the next lesson, if there is one. Else the panel stays: without it the next Space
 * would switch a head off. */
static unsigned begin_next(struct teacher_state *teacher)
{
    if (teacher->player.panel.next)
        return begin_listed(teacher, teacher->index + 1);
    return session_say(teacher->session, "The last lesson ends here: L leaves it");
}

/* The space bar: back to the step if the user has strayed, else on. */
static unsigned teacher_go_on(struct teacher_state *teacher)
{
    const struct player *player = &teacher->player;
    if (player->panel.over)
        return begin_next(teacher);
    if (player_is_away(player))
        return go_to_step_saying(teacher, player->step);
    if (player->step + 1 == player->lesson->count)
        return finish_lesson(teacher);
    return go_to_step_saying(teacher, player->step + 1);
}

/* Backspace: to the step before, or on the first one back to its state; from the end to the last.
 */
static unsigned go_back(struct teacher_state *teacher)
{
    const struct player *player = &teacher->player;
    if (player->panel.over)
        return go_to_step_saying(teacher, player->step);
    if (player->step > 0)
        return go_to_step_saying(teacher, player->step - 1);
    if (player_is_away(player))
        return go_to_step_saying(teacher, 0);
    return session_say(teacher->session, "this is the first step");
}

/* ---- Calls from the session ---- */

/* Without an open panel there is nothing to go through, but a lesson can still begin. */
static unsigned teacher_act(void *context, enum teaching what, size_t lesson)
{
    struct teacher_state *teacher = context;
    if (what == TEACH_BEGIN)
        return lesson < teacher->count ? begin_listed(teacher, lesson) : SESSION_REDRAW;
    if (!teacher->player.panel.open)
        return SESSION_UNCHANGED;
    switch (what) {
    case TEACH_ON:
        return teacher_go_on(teacher);
    case TEACH_BACK:
        return go_back(teacher);
    default: /* the picture stays as it is, to go on exploring from */
        if (!teacher->player.panel.over)
            session_say(teacher->session, "left at step %zu of %zu: L returns to it",
                        teacher->player.step + 1, teacher->player.lesson->count);
        close_panel(teacher);
        return SESSION_REDRAW;
    }
}

/* The message is written here, as the session doesn't know what lessons are. */
static bool teacher_show_list(void *context)
{
    struct teacher_state *teacher = context;
    const struct panel_lesson *lessons;
    struct error error;
    size_t count;
    if (teacher_list(teacher, &lessons, &count, &error) == STATUS_OK)
        return true;
    session_say(teacher->session, "%s", error.message);
    return false;
}

/* Called after everything that is shown anew: a pending step may now be complete, and the user may
 * have come back to it or left it. */
static void teacher_update(void *context)
{
    struct teacher_state *teacher = context;
    struct player *player = &teacher->player;
    struct error error;
    if (!player->lesson || (!player->awaits_pass && (!player->panel.open || player->panel.over)))
        return;
    bool pending = player_is_pending(player);
    if (pending && player_settle(player, &error) != STATUS_OK) /* a warning about a setting */
        session_say(teacher->session, "%s", error.message);
    if (pending && !player->awaits_pass)
        note_progress(teacher, false);
    player->panel.away = player_is_away(player);
}

void teacher_attend(struct teacher_state *teacher, struct session *session)
{
    teacher->session = session;
    teacher->teacher = (struct teacher){teacher,           teacher->list, teacher->count,
                                        teacher_show_list, teacher_act,   teacher_update};
    session->teacher = &teacher->teacher;
    session->panel = &teacher->player.panel;
}
