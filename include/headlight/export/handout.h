/* handout.h: a lesson as a page for a course, with a picture of every step.
 *
 *     struct handout handout = {lesson, "lines", NULL, {.session = &session}};
 *     handout_write(&handout, "course/lines", &error);
 *
 * The folder gets step-1.svg, step-2.svg, … and index.html, which shows them. */
#ifndef HEADLIGHT_EXPORT_HANDOUT_H
#define HEADLIGHT_EXPORT_HANDOUT_H

#include "headlight/export/export.h"
#include "headlight/lesson/lesson.h"
#include "headlight/session/panel.h"

/* The theme of its pictures unless another is asked for: paper is white. */
#define HANDOUT_THEME "light"

struct handout {
    const struct lesson *lesson;
    const char *name; /* as after --lesson */
    const char *const
        *values; /* [FIELD_COUNT] options of the session, for the page's footer; or NULL */

    /* The pictures' form, in the session's theme. Without columns, each is as wide as a page and as
     * tall as its tokens need. */
    struct output output;
};

/* Goes through the lesson and writes all files, or none. Makes the folder if necessary (its parent
 * must exist), whole. In one that is there, files are put into place once all are written, the page
 * last; other files in it stay. Afterwards the session shows the last step and has no teacher.
 * Settings that don't suit the model are named on the page. STATUS_IO, STATUS_MEMORY; errors of
 * player_show. */
enum status handout_write(const struct handout *handout, const char *path, struct error *error);

/* ---- The page ----
 *
 * It is valid HTML5 and well-formed XML, reads well without its style sheet, and loads nothing but
 * the pictures; on paper no step is split between pages. Strings may be any text, and are escaped;
 * paragraphs may have *emphasis* and `keys` (marks.h). The stream's owner checks for its errors. */

struct page_step {
    struct panel panel;
    const char *picture;     /* a file beside the page */
    const char *alternative; /* its text for those who don't see it */
    int width, height;       /* its pixels */
    const char *note;        /* a setting that doesn't suit the model, or empty */
};

/* An option of the command line: "lesson" and "lines"; `value` is NULL if it takes none. */
struct page_option {
    const char *name, *value;
};

/* The theme is that of the pictures. */
void page_begin(FILE *stream, const struct lesson *lesson, const struct theme *theme);
void page_step(FILE *stream, const struct page_step *step);

/* With the options, up to a name of NULL, that open the lesson, and those that make the page. */
void page_end(FILE *stream, const char *model, const struct page_option *lesson,
              const struct page_option *page);

#endif
