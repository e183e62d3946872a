/* table.h: what a view shows as rows of a table, of which the first column says what kind of row it
 * is. Who writes the table says how a field is written (export_csv.c).
 *
 *     table_columns(table, "kind,layer,head,value");
 *     table_text(table, "figure");
 *     table_whole(table, 3);
 *     …
 *     table_end(table); */
#ifndef HEADLIGHT_VIEW_TABLE_H
#define HEADLIGHT_VIEW_TABLE_H

#include "headlight/view/scene.h"

#include <stdio.h>

struct table {
    FILE *stream;
    void (*write)(FILE *stream, const char *text); /* a field, without a separator */
    size_t top;                                    /* how many of the likeliest pieces are listed */
    bool inside;                                   /* the row has a field */
    bool begun;                                    /* there is a row of answers */
    bool pairs; /* answers have two columns more: without which other word, and what that adds */
};

/* The first row. */
void table_columns(struct table *table, const char *columns);

/* Fields of a row. NULL and NaN leave it empty; numbers are floats, and read back as the same. */
void table_text(struct table *table, const char *text);
void table_whole(struct table *table, size_t number);
void table_number(struct table *table, double number);
void table_end(struct table *table);

void table_empty(struct table *table, int fields);

/* A token has three fields: its number and its piece, as in the JSON, and what it is called on
 * screen; a word of several pieces the number and the piece of the first one. A token of a trace,
 * as it is; and one as a scene shows it. */
void table_token(struct table *table, const struct encoded *encoded, enum side side, size_t token);
void table_shown(struct table *table, const struct scene *scene, enum side side, size_t token);

/* The columns of two tokens, and what the numbers of the map on screen are called. */
#define TABLE_PAIR "from,from_piece,attending,to,to_piece,attended"
const char *table_value_name(const struct scene *scene);

/* A row of what the model says, into a table whose columns are these. */
#define TABLE_ANSWERS "kind,layer,token,token_piece,text,rank,id,piece,probability"
struct answer_row;
void table_answer(void *table, const struct answer_row *row);

/* Writes all that the view of a scene shows. STATUS_MEMORY, STATUS_UNSUPPORTED. */
typedef enum status table_writer(const struct scene *scene, struct table *table,
                                 struct error *error);

/* Those of several views, or too long for their files (tables.c): the map of the heads shown;
 * figures, effects or all maps of the model; what each layer says; the numbers of a stage; both
 * sides of a comparison. */
table_writer connections_table, model_table, words_table, steps_table, compare_table;

#endif
