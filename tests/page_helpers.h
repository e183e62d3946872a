/* page_helpers.h: the documentation as tests read it: README.md and the pages of assets/docs. Every
 * function fails the running test when it cannot do it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PAGES_MAX   32
#define README_PATH "README.md"
#define PAGES_PATH  "assets/docs"

struct page {
    char path[96];
    char *text;  /* as it is */
    char *prose; /* with blanks where a block is fenced, */
    char *plain; /* and also where backquotes are; all three of the same length */
};

extern struct page pages[PAGES_MAX]; /* README.md is the first */
extern size_t page_count;

void pages_read(void);
void pages_free(void);

/* "views.md" */
const struct page *page_named(const char *name);

/* Whether a page says so, wherever its lines break. With `numbers`, [8], each # stands for a
 * number, which is copied. */
bool page_says(const struct page *page, const char *text, char (*numbers)[16]);

/* The text between two backquotes, line ends made blanks. */
void page_each_span(const struct page *page,
                    void (*visit)(const struct page *page, const char *span));

/* Where a link or a picture leads. */
void page_each_link(const struct page *page,
                    void (*visit)(const struct page *page, const char *target));

/* What is written for a shell and names headlight: a span that begins with it, or a line that
 * begins with it or pipes into it, with the lines that it goes on in, of a block without a
 * language. In a "console" block a command stands behind "$ ", and what it prints below it:
 * `output`, else NULL. */
void page_each_command(const struct page *page,
                       void (*visit)(const struct page *page, const char *command,
                                     const char *output));

/* The rows of the table whose first line begins so, with two cells of each. */
void page_each_row(const struct page *page, const char *head,
                   void (*visit)(const struct page *page, const char *first, const char *second));

/* The text of the first block in that language; the caller's to free. */
char *page_block(const struct page *page, const char *language);

/* Whether a text has the name in backquotes. */
bool has_span(const char *text, const char *name);
