/* handout_page.h: the page of a lesson's handout, which shows pictures that lie beside it. It is
 * valid HTML5 and well-formed XML, reads well without its style sheet, loads nothing but those
 * pictures, and on paper no step is torn apart.
 *
 *     page_begin(stream, &head);
 *     page_step(stream, &step);       for each
 *     page_end(stream, &made);
 *
 * Strings are outside text, made safe where they are written; *so* and `keys` in the paragraphs are
 * marks (marks.h). Errors of the stream are its owner's to find. */
#ifndef HEADLIGHT_EXPORT_HANDOUT_PAGE_H
#define HEADLIGHT_EXPORT_HANDOUT_PAGE_H

#include "headlight/draw/theme.h"

#include <stdio.h>

struct page_head {
    const char *title, *about;
    size_t minutes, steps;
    const struct theme *theme; /* of the pictures, whose ground and colours the page takes */
};

struct page_step {
    size_t number; /* from 1 */
    const char *title;
    const char *picture;        /* a file beside the page, */
    const char *shows;          /* what is to be seen in it, in words, */
    int width, height;          /* and its pixels */
    const char *text;           /* these three: paragraphs, with a newline between them */
    const char *look, *attempt; /* NULL: nothing */
    const char *note;           /* what is not as the lesson would have it; empty: all is */
};

/* An option of the command line: "lesson" and "lines"; one that takes no value has NULL. */
struct page_option {
    const char *name, *value;
};

/* How the handout was made, as options of headlight; a name of NULL ends them. */
struct page_made {
    const char *model;
    const struct page_option *lesson; /* lead through the lesson, */
    const struct page_option *page;   /* and made this */
};

void page_begin(FILE *stream, const struct page_head *head);
void page_step(FILE *stream, const struct page_step *step);
void page_end(FILE *stream, const struct page_made *made);

#endif
