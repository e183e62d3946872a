/* table.h: what a view shows as rows of a table, of which the first column says what kind of row it
 * is. Who writes the table says how a field is written (export.c).
 *
 *     table_columns(table, "kind,layer,head,value");
 *     TABLE_ROW(table, table_text("figure"), table_whole(3), table_whole(1), table_number(0.5)); */
#pragma once

#include "headlight/view/scene.h"

#include <stdio.h>

struct table {
    FILE *stream;
    void (*write)(FILE *stream, const char *text); /* a field, without a separator */
    size_t top;                                    /* how many of the likeliest pieces are listed */
    bool begun;                                    /* there is a row of answers */
    bool pairs; /* answers have two columns more: without which other word, and what that adds */
};

/* The first row. */
void table_columns(struct table *table, const char *columns);

/* A cell. What is NULL, NO_TOKEN or NaN is empty; numbers are floats, and read back as the same. */
struct table_cell {
    size_t whole;
    double number;
    const char *text;
    bool is_token;     /* three fields: its number, its piece as in the JSON, */
    const char *label; /* and what it is called on screen */
};

struct table_cell table_text(const char *text);
struct table_cell table_whole(size_t number);
struct table_cell table_number(double number);

/* A token of a trace, as it is (NULL: none); and one as a scene shows it, of which a word of
 * several pieces has the number and the piece of the first one. */
struct table_cell table_token(const struct encoded *encoded, enum side side, size_t token);
struct table_cell table_shown(const struct scene *scene, enum side side, size_t token);

void table_row(struct table *table, const struct table_cell *cells, size_t count);
#define TABLE_ROW(table, ...)                                                                      \
    table_row(table, (const struct table_cell[]){__VA_ARGS__},                                     \
              sizeof((const struct table_cell[]){__VA_ARGS__}) / sizeof(struct table_cell))

/* The columns of two tokens, and what the numbers of the map on screen are called; and the first
 * row of a table of both, behind columns such as "kind,layer,head,". */
#define TABLE_PAIR "from,from_piece,attending,to,to_piece,attended"
const char *table_value_name(const struct scene *scene);
void table_connections(struct table *table, const struct scene *scene, const char *first);

/* Writes all that the view of a scene shows. STATUS_MEMORY, STATUS_UNSUPPORTED. */
typedef enum status table_writer(const struct scene *scene, struct table *table,
                                 struct error *error);

/* Those of several views, or too long for their files (tables.c): the map of the heads shown;
 * figures, effects or all maps of the model; what each layer says; the numbers of a stage; both
 * sides of a comparison; a survey's heads or relations. */
table_writer connections_table, model_table, words_table, steps_table, compare_table, corpus_table;
