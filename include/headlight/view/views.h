/* views.h: what a view is. There is one row a view, in the view's own file, and what is said of
 * views elsewhere (options, keys, help, the bar, snapshots) is read off these rows.
 *
 *     const struct view *view = scene_view(&scene);
 *     view_draw(&scene, canvas, area, &error); */
#ifndef HEADLIGHT_VIEW_VIEWS_H
#define HEADLIGHT_VIEW_VIEWS_H

#include "headlight/view/actions.h"
#include "headlight/view/scene.h"

/* Which heads a view draws. */
enum heads_shown {
    HEADS_CHOSEN, /* those that are on */
    HEADS_CURSOR, /* the one under the cursor alone */
    HEADS_ALL,    /* every head of every layer; the cursor is on one */
};

/* A key that matters now, for the footer. */
struct hint {
    const char *keys, *what; /* keys is NULL after the last one */
};

/* What came of an action. */
enum acted {
    ACT_PASSED,  /* it means nothing of its own here */
    ACT_DONE,    /* the look may have changed */
    ACT_REFUSED, /* the error says why; STATUS_MEMORY: it could not be done */
};

struct view {
    const char *title; /* on screen */
    enum heads_shown heads;
    unsigned shown; /* enum aspect: what of a picture it shows */
    bool own_list;  /* it has a list of its own in the place of the strongest connections */
    bool has_query; /* a token is always chosen on the left */

    /* Works out ahead, into data->thumbnails, what drawing on this canvas needs and later frames
     * need again; without it each frame works it out anew. STATUS_MEMORY. NULL: nothing. */
    enum status (*prepare)(const struct scene *scene, const struct canvas *canvas, struct area area,
                           struct data *data, struct error *error);

    /* STATUS_MEMORY. */
    enum status (*draw)(const struct scene *scene, struct canvas *canvas, struct area area,
                        struct error *error);

    /* What an action means here, if it is something of its own: it changes the scene's look. NULL:
     * nothing is. */
    enum acted (*act)(struct scene *scene, enum action action, struct error *error);

    /* What a click on something of its own means: it changes the look, and may be the same as an
     * action besides; else ACTION_COUNT. NULL: it has nothing of its own. */
    enum action (*click)(struct scene *scene, struct hit hit);

    /* The keys that matter now, most important first. */
    const struct hint *(*hints)(const struct scene *scene);

    /* The line above the last one: what is seen. NULL: none. */
    void (*legend)(const struct scene *scene, struct canvas *canvas, struct area area);
};

const struct view *view_at(enum view_kind kind);

/* As on the command line. */
const char *view_name(enum view_kind kind);

/* The first view that draws the chosen heads. */
enum view_kind view_of_heads(void);

/* Goes to a view. */
void look_go_to_view(struct look *look, enum view_kind kind);

/* Writes the names of the views that show an aspect: "head, model or matrix". */
void view_list(unsigned aspect, char *text, size_t size);

/* What is shown: the chosen view, or the ranking in its place. */
const struct view *scene_view(const struct scene *scene);

/* view->prepare and view->draw, with the list of the strongest connections beside it where that is
 * wanted and fits. STATUS_MEMORY. */
enum status view_prepare(const struct scene *scene, const struct canvas *canvas, struct area area,
                         struct data *data, struct error *error);
enum status view_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                      struct error *error);

/* The row of each kind, and that of the ranking, in its own file. */
#define VIEW(kind, name) extern const struct view name##_view;
VIEWS(VIEW)
#undef VIEW
extern const struct view ranking_view;

#endif
