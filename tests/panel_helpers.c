#include "panel_helpers.h"

#include "headlight/session/derive.h"

struct fake_teacher fake;

static const struct panel_lesson lessons[] = {
    {"lines", "What a line means", 5, 6, 0, true, "", false},
    {"weight", "One weight by hand", 8, 9, 3, false, "", false},
    {"scale", "Why divide by √D", 6, 5, 0, false, "", false},
    {"jobs", "Heads have jobs", 7, 8, 0, false, "", false},
    {"order", "Dog bites man: what becomes of the order of words", 5, 5, 5, true, "", false},
    {"twice", "Time flies, fruit flies: the same word twice", 8, 8, 0, false, "", false},
    {"guess", "Guess the word", 10, 7, 0, false, "it was too tired", false},
    {"pairs", "Two sentences", 6, 6, 2, false, "", false},
    {"plain", "Attention without weights, and with blinkers", 6, 6, 0, false, "", false},
};

/* Of three lengths, with all that may be in a text. */
static const struct panel steps[] = {
    {.title = "One head, one sentence",
     .text =
         "Each line goes from a token on the left to one that it attends to on the right. *time* "
         "gives *flies* a weight of 0.418: nearly half of all it has. The brighter a line, the "
         "larger its weight.",
     .look = "the brightest line of all.",
     .attempt = "`↓` chooses a token, `Esc` none."},
    {.title = "Look at all heads",
     .text =
         "A layer has four heads, and each of them looks at the same sentence in its own way: one "
         "at the word before, one at the word after, one at what ends the sentence. Nobody told "
         "them to; it is what training made of them.\nSwitch them on and off, one after the "
         "other, and see which lines stay and which of them go.",
     .look = "the squares above the picture, one for each head, in the colour of its lines.",
     .attempt = "`a` brings all heads, `[` and `]` go through them, `←→` through the layers."},
    {.title = "Done", .text = "That is *all*."},
};

static void change(struct session *session)
{
    struct look look = session->state.look;
    look.layer = 1 - look.layer;
    if (fake.changes)
        derive_show(session, &look);
}

static void go(size_t step)
{
    fake.panel = steps[step];
    fake.panel.open = true;
    fake.panel.step = step;
    fake.panel.steps = sizeof steps / sizeof *steps;
}

static unsigned obey(void *session, enum teaching what, size_t lesson)
{
    fake.asked++;
    fake.what = what;
    fake.lesson = lesson;
    change(session);
    if (what == TEACH_BEGIN)
        go(0);
    else if (what == TEACH_LEAVE)
        fake.panel.open = false;
    return fake.bits;
}

static void note_shown(void *session)
{
    fake.shown++;
    change(session);
}

void fake_attend(struct session *session)
{
    fake = (struct fake_teacher){
        .teacher = {session, lessons, sizeof lessons / sizeof *lessons, obey, note_shown}};
    session->teacher = &fake.teacher;
    session->panel = &fake.panel;
}

void fake_begin(struct session *session, size_t step)
{
    fake_attend(session);
    go(step);
}
