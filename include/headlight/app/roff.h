/* roff.h: text in the man macros of roff, in lines that both of its readers, groff and mandoc,
 * like.
 *
 *     struct roff roff = {.stream = stream};
 *     roff_request(&roff, ".TP");
 *     roff_write(&roff, ROFF_BOLD, "--lines");
 *     roff_end(&roff);
 *     roff_marked(&roff, "How *lines* are drawn; `L` lists the lessons.");
 *     roff_end(&roff);
 *
 * Whatever the text says, none of it is read as a request or an escape. Errors of the stream are
 * its owner's to find. */
#ifndef HEADLIGHT_APP_ROFF_H
#define HEADLIGHT_APP_ROFF_H

#include <stddef.h>
#include <stdio.h>

/* What is written is at most so many bytes a line, unless one word is longer. */
#define ROFF_COLUMNS 78

/* What is bold or italic is meant literally: a hyphen in it can be copied to a command line, and an
 * apostrophe is not a quotation mark. */
enum roff_font {
    ROFF_ROMAN,
    ROFF_BOLD,
    ROFF_ITALIC,
};

/* Begins with a stream alone. */
struct roff {
    FILE *stream;
    size_t column;  /* bytes of the line so far */
    char word[256]; /* that the next blank ends; a longer one is broken */
    size_t length;
};

/* Ends the line of text, and writes a request as it is. */
void roff_request(struct roff *roff, const char *request);

/* Begins a section: "SH", or a part of one: "SS". */
void roff_section(struct roff *roff, const char *macro, const char *title);

/* Goes on with the line of text; a blank may become the end of a line. */
void roff_write(struct roff *roff, enum roff_font font, const char *text);

/* The same for a text with marks (text/marks.h): *so* is italic, and `so` bold. */
void roff_marked(struct roff *roff, const char *text);

/* Ends the line of text. */
void roff_end(struct roff *roff);

/* A line that is kept as it is, with all its blanks. */
void roff_verbatim(struct roff *roff, const char *line);

#endif
