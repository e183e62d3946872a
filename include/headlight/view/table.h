/* table.h: what a view shows as rows of a table, of which the first column says what kind of row it
 * is. What isn't known, NULL or NaN, is empty; numbers are floats, and read back as the same.
 *
 *     fputs("kind,layer,head,value\n", table->csv.stream);
 *     TABLE_ROW(table, CELL("figure"), CELL(3), CELL(1), CELL(0.5)); */
#pragma once

#include "headlight/text/csv.h"
#include "headlight/view/scene.h"

struct table {
    struct json_writer csv;
    size_t top; /* how many of the likeliest pieces are listed */
    bool begun; /* there is a row of answers */
    bool pairs; /* answers have two columns more: without which other word, and what that adds */
};

#define CELL(value)           JSON(NULL, value)
#define CELL_IF(given, value) JSON_IF(given, NULL, value)
#define TABLE_ROW(table, ...) json_object(&(table)->csv, NULL, __VA_ARGS__)

/* Three cells: a token's number, its piece as in the JSON, and what it is called on screen. One of
 * a trace, as it is (NULL: none); and one as a scene shows it, of which a word of several pieces
 * has the number and the piece of the first one. */
#define TABLE_TOKEN(encoded, side, token)                                                          \
    CELL_IF(encoded, token), CELL((encoded) ? encoded_pieces(encoded, side)[token] : NULL),        \
        CELL((encoded) ? (encoded)->sides[side].labels[token] : NULL)
#define TABLE_SHOWN(scene, side, token)                                                            \
    CELL(scene_piece(scene, side, token)),                                                         \
        CELL(encoded_pieces((scene)->data.encoded, side)[scene_piece(scene, side, token)]),        \
        CELL(scene_label(scene, side, token))

/* The columns of two tokens, the first of which a decoder reads, or says; what the numbers of the
 * map on screen are called; and the first row of a table of both, behind columns such as
 * "kind,layer,head,". */
#define TABLE_PAIR(attending) "from,from_piece," attending ",to,to_piece,attended"
static inline const char *table_pair(const struct scene *scene)
{
    return !scene_reading(scene)               ? TABLE_PAIR("attending")
           : scene->data.attention->shape.said ? TABLE_PAIR("says")
                                               : TABLE_PAIR("reads");
}

static inline const char *table_value_name(const struct scene *scene)
{
    const enum map_kind kind = scene->data.map->kind;
    return kind == MAP_WEIGHTS ? "weight" : map_infos[kind].name;
}

static inline void table_connections(struct table *table, const struct scene *scene,
                                     const char *first)
{
    fprintf(table->csv.stream, "%s%s,%s\n", first, table_pair(scene), table_value_name(scene));
}

/* Writes all that the view of a scene shows. STATUS_MEMORY, STATUS_UNSUPPORTED. */
typedef enum status table_writer(const struct scene *scene, struct table *table,
                                 struct error *error);

/* Those of several views, or too long for their files (tables.c): the map of the heads shown;
 * figures, effects or all maps of the model; what each layer says; the numbers of a stage; both
 * sides of a comparison; a survey's heads or relations. */
table_writer connections_table, model_table, words_table, steps_table, compare_table, corpus_table;
