/* page.h: one HTML file to hand on, which shows the heads and answers the mouse and the keyboard,
 * offline, wherever it is opened. Its markup, style and script are those of assets/page; what they
 * show is JSON in it, which page.js reads.
 *
 *     page_open(&page, &output, true, &error);
 *     page_add(&page, &output, NULL, &error);      of each text, or of a step with its panel
 *     page_write(&page, stream, &error);
 *     page_free(&page); */
#pragma once

#include "headlight/export/export.h"
#include "headlight/lesson/player.h"

/* The most bytes of a page: browsers open more, but mails don't take it. */
#define PAGE_MOST 4000000

/* Which layers and heads of a site go in, and in how many bits a weight: 16, which show all digits
 * that the program itself shows, where all weights together stay small; else 8. */
struct page_parts {
    const struct encoded *encoded; /* borrowed; NULL: the text has no such site */
    size_t layers[CONFIG_LAYERS_MAX], layer_count;
    size_t heads[CONFIG_HEADS_MAX], head_count;
    bool fine;
};

/* Not to be moved while it is open. */
struct page {
    struct buffer data;      /* the JSON, up to the last text so far, */
    struct json_writer json; /* and what writes it */
    bool single;             /* there is one text */
    char title[400];
    char *still; /* SVG */
    size_t texts;
    const struct survey *survey; /* beside the texts; borrowed, or NULL */
};

/* For the session's model or recording; `single`: there will be one text. To be freed even after an
 * error. */
enum status page_open(struct page *page, const struct output *output, bool single,
                      struct error *error);

/* Adds the session's text, its weights and answers; of the first, the picture for readers without
 * scripts. Of a lesson's step the panel is written too, and its title stands in the list of texts
 * in place of the sentence; else it is NULL. STATUS_LIMIT: there is no room for it; STATUS_USAGE
 * for layers that there aren't. */
enum status page_add(struct page *page, const struct output *output, const struct panel *panel,
                     struct error *error);

/* STATUS_LIMIT names the size of what is too large. */
enum status page_write(struct page *page, FILE *stream, struct error *error);

/* Accepts one that is zeroed. */
void page_free(struct page *page);

/* ---- Between the files of the page ---- */

/* The members of a text before "answers"; its attentions are in "sites", and so are a protein's
 * contacts (page_text.c). STATUS_MEMORY. */
enum status page_write_text(const struct page_parts sites[SITE_COUNT + 1],
                            const struct output *output, struct json_writer *json,
                            struct error *error);

/* "answers":[…] (page_text.c). */
enum status page_write_answers(const struct output *output, struct json_writer *json,
                               struct error *error);

/* "survey":{…} (page_survey.c). STATUS_MEMORY. */
enum status page_write_survey(const struct survey *survey, struct json_writer *json,
                              struct error *error);

/* A JSON string as the screen shows it, invisible characters by their numbers. */
void page_write_shown(FILE *stream, const char *text, size_t length);
