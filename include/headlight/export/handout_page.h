/* handout_page.h: the page of a lesson's handout, which shows pictures in its folder. It is valid
 * HTML5 and well-formed XML, reads well without its style sheet, and loads nothing but the
 * pictures; on paper no step is split between pages.
 *
 *     page_begin(stream, &head);
 *     page_step(stream, &step);       for each
 *     page_end(stream, &made);
 *
 * Strings may be any text, and are escaped; paragraphs may have *emphasis* and `keys` (marks.h).
 * The stream's owner checks for its errors. */
#ifndef HEADLIGHT_EXPORT_HANDOUT_PAGE_H
#define HEADLIGHT_EXPORT_HANDOUT_PAGE_H

#include "headlight/draw/theme.h"

#include <stdio.h>

struct page_head {
    const char *title, *about;
    size_t minutes, steps;
    const struct theme *theme; /* of the pictures and the page */
};

struct page_step {
    size_t number; /* from 1 */
    const char *title;
    const char *picture;        /* a file beside the page */
    const char *shows;          /* its alternative text */
    int width, height;          /* its pixels */
    const char *text;           /* paragraphs, separated by newlines; as look and attempt */
    const char *look, *attempt; /* NULL: nothing */
    const char *note;           /* a setting that doesn't suit the model, or empty */
};

/* An option of the command line: "lesson" and "lines"; `value` is NULL if it takes none. */
struct page_option {
    const char *name, *value;
};

/* How the handout was made, as options of headlight; a name of NULL ends them. */
struct page_made {
    const char *model;
    const struct page_option *lesson; /* open the lesson */
    const struct page_option *page;   /* make this page */
};

void page_begin(FILE *stream, const struct page_head *head);
void page_step(FILE *stream, const struct page_step *step);
void page_end(FILE *stream, const struct page_made *made);

#endif
