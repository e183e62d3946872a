/* views.h: what a view is: one row in a file of its own, from which options, keys, help, the bar
 * and snapshots take all that they say of it.
 *
 *     const struct view *view = scene_view(&scene);
 *     view_draw(&scene, canvas, area, &error); */
#pragma once

#include "headlight/view/actions.h"
#include "headlight/view/sentence.h"
#include "headlight/view/table.h"

/* Which heads a view draws. */
enum heads_shown {
    HEADS_CHOSEN, /* those that are on */
    HEADS_CURSOR, /* the one under the cursor alone */
    HEADS_ALL,    /* every head of every layer; the cursor is on one */
};

/* Which token is chosen on the left in a view that always has one, until the user chooses. */
enum query_kind {
    QUERY_NONE, /* none needs to be */
    QUERY_WORD, /* where an answer is asked for, or the first word */
    QUERY_LINE, /* that of the line that other views announce, of whichever head is shown */
};

/* A key that matters now, for the footer. */
struct hint {
    char keys[64], what[32]; /* room for the user's own keys, which have names */
};

/* Takes the first of some hints, "↑↓: row; Enter: pin". False after the last. */
bool hint_next(const char **hints, struct hint *hint);

/* What came of an action. */
enum acted {
    ACT_PASSED,    /* not handled: it means what it always means */
    ACT_DONE,      /* the look may have changed */
    ACT_REFUSED,   /* the error says why; STATUS_MEMORY: it could not be done */
    ACT_TO_CHOSEN, /* done; the head alone, to be seen in the view of the chosen heads */
    ACT_TO_ALL,    /* done; to be seen in the view of all heads */
};

/* A text of a corpus, a tab before the second of a pair. Two of its words are meant, which single
 * blanks join, and the weight between them as it was counted; or, with `to` NO_TOKEN, the token at
 * the place `from`. */
struct opened {
    const char *words, *id;
    size_t from, to;
    double weight;
};

/* All texts are constant. A view is drawn only once there is a trace; keys may come before that. */
struct view {
    const char *title;   /* on screen */
    const char *about;   /* what it is for, to choose it by; NULL: it has no name to be chosen by */
    const char *meaning; /* of what is on screen, in a line */
    const char *mouse;   /* what can be clicked in it */
    enum heads_shown heads;
    enum query_kind query;
    unsigned shown;         /* enum aspect: the parts of a picture that it shows */
    bool own_list;          /* its own list replaces that of the strongest connections */
    const enum action *own; /* what has a meaning of its own in it, up to ACTION_COUNT; or NULL */
    bool speaks;   /* shows what the layers say, and Enter puts a chosen answer into the text */
    bool compares; /* shows two passes, and may need some of its own */
    bool surveys;  /* shows what heads do over many texts */

    /* The view that stands for it in all that is NULL here: hints, legend. NULL: it
     * does. */
    const struct view *(*part)(const struct scene *scene);

    /* What fails while it is drawn, the canvas remembers. On a bare canvas as a figure for a paper:
     * its content at its full size, with what is needed to read it alone, and neither cursor nor
     * hints. */
    void (*draw)(const struct scene *scene, struct canvas *canvas, struct area area);

    /* Handles an action that has its own meaning in this view: changes the scene's look. NULL: none
     * has. */
    enum acted (*act)(struct scene *scene, enum action action, struct error *error);

    /* The text that Enter opens in the view of the chosen heads, and the two words to choose there;
     * false: Enter means what it always means. NULL: it always does. */
    bool (*opens)(const struct scene *scene, struct opened *opened);

    /* The keys that matter now, most important first, see hint_next; `keys` where they are always
     * the same. */
    const char *keys;
    const char *(*hints)(const struct scene *scene);

    /* Writes what the picture means, in the line above the last. NULL: none. */
    void (*legend)(const struct scene *scene, struct pen *pen);

    /* Writes what the picture shows as rows, see table.h. NULL: that is no table. */
    table_writer *table;

    /* Says in a sentence what the picture shows; nothing where there is none. */
    void (*says)(const struct scene *scene, struct sentence *sentence);
};

const struct view *view_at(enum view_kind kind);

/* As on the command line. */
const char *view_name(enum view_kind kind);

/* The first view that draws these heads. */
enum view_kind view_of_heads(enum heads_shown heads);

/* A scene with the view that the look chooses. */
struct scene view_scene(const struct look *look, const struct data *data);

/* Shows a view, on the layer that the look has. */
void look_go_to_view(struct look *look, enum view_kind kind);

/* Goes to a view, as keys and clicks do: the one that shows what the layers say opens on the
 * model's answer, and the others are found where they were left, unless another layer was chosen
 * there. */
void scene_go_to_view(struct scene *scene, enum view_kind kind);

/* Goes to a view, or to where the one that is shown, or the list in place of it, was opened from:
 * with the cursor where it was. Esc does that unless a token has been chosen since. */
void scene_open_view(struct scene *scene, enum view_kind kind);
void scene_go_back(struct scene *scene);

bool look_leads_back(const struct look *look);

/* Writes the names of the views that show an aspect, or have the action of their own:
 * "head, model or matrix". */
void view_list(unsigned aspect, enum action action, char *text, size_t size);

/* Whether an action is one of its `own`. */
bool view_owns(const struct view *view, enum action action);

/* What is shown: the chosen view, or in its place the list of what was found alike. */
const struct view *look_view(const struct look *look);
const struct view *scene_view(const struct scene *scene);

/* The same or, where another stands for it, its part; and that one's keys. */
const struct view *scene_part(const struct scene *scene);
const char *scene_hints(const struct scene *scene);

/* Asks where else in the corpus the chosen token looks alike, and shows the list; again by other
 * vectors. STATUS_USAGE says what lacks. */
enum status found_ask(struct scene *scene, struct error *error);

/* view->draw, with the list of the strongest connections beside it where it is wanted and fits. */
void view_draw(const struct scene *scene, struct canvas *canvas, struct area area);

/* What the picture shows, in a sentence without a full stop; cut where it doesn't fit. False, and
 * empty, where there is nothing to say, as before there is a trace. Cheap enough for a frame. */
bool view_sentence(const struct scene *scene, bool ascii, char *text, size_t size);

/* The rows of the views and of that list. */
#define VIEW(kind, name) extern const struct view name##_view;
VIEWS(VIEW)
#undef VIEW
extern const struct view found_view;

/* ---- The strongest connections: a list beside the head, matrix and model view ---- */

/* The columns of a view's area that the list takes, without the rule; 0: no room for both. */
int connections_columns(struct area area);

/* Draws the list in the area, and a rule in the column left of it. With a pair chosen it holds all
 * connections of the token and scrolls to the chosen one. */
void connections_draw(const struct scene *scene, struct canvas *canvas, struct area area);

/* ---- All heads of the model in an order ---- */

struct ranked_head {
    size_t layer, head;
    long key; /* what it is ranked by */
};

/* For qsort of what begins with one: those with the largest keys first, equal ones by layer, head.
 */
int ranking_compare(const void *a, const void *b);
