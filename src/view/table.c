/* table.c: fields and tokens of a table. */
#include "headlight/view/table.h"

#include "headlight/lens/answer_rows.h"

#include <math.h>

/* ---- Fields ---- */

void table_columns(struct table *table, const char *columns)
{
    fprintf(table->stream, "%s\n", columns);
}

static void begin_field(struct table *table)
{
    fputs(table->inside ? "," : "", table->stream);
    table->inside = true;
}

void table_text(struct table *table, const char *text)
{
    begin_field(table);
    if (text)
        table->write(table->stream, text);
}

void table_whole(struct table *table, size_t number)
{
    begin_field(table);
    fprintf(table->stream, "%zu", number);
}

void table_number(struct table *table, double number)
{
    begin_field(table);
    if (!isnan(number))
        fprintf(table->stream, "%.9g", (double)(float)number);
}

void table_end(struct table *table)
{
    fputc('\n', table->stream);
    table->inside = false;
}

void table_empty(struct table *table, int fields)
{
    while (fields-- > 0)
        table_text(table, NULL);
}

/* ---- Tokens ---- */

static void add_token(struct table *table, const struct encoded *encoded, enum side side,
                      size_t token, const char *label)
{
    table_whole(table, token);
    table_text(table, encoded_pieces(encoded, side)[token]);
    table_text(table, label);
}

void table_token(struct table *table, const struct encoded *encoded, enum side side, size_t token)
{
    add_token(table, encoded, side, token, encoded->sides[side].labels[token]);
}

void table_shown(struct table *table, const struct scene *scene, enum side side, size_t token)
{
    add_token(table, scene->data.encoded, side, scene->data.attention->tokens[side].of[token].first,
              scene_label(scene, side, token));
}

/* ---- Columns ---- */

const char *table_value_name(const struct scene *scene)
{
    const enum map_kind kind = scene->data.map->kind;
    return kind == MAP_WEIGHTS ? "weight" : map_info(kind)->name;
}

static void table_or_empty(struct table *table, size_t number, size_t none)
{
    if (number == none)
        table_empty(table, 1);
    else
        table_whole(table, number);
}

/* The first one comes after its columns. */
void table_answer(void *to, const struct answer_row *row)
{
    struct table *table = to;
    if (!table->begun)
        table_columns(table, table->pairs ? TABLE_ANSWERS ",paired,pair" : TABLE_ANSWERS);
    table->begun = true;
    table_text(table, row->kind);
    table_or_empty(table, row->layer, NO_TOKEN);
    if (row->encoded)
        table_token(table, row->encoded, SIDE_LEFT, row->token);
    else
        table_empty(table, 3);
    table_or_empty(table, row->rank, 0);
    table_or_empty(table, row->id, NO_TOKEN);
    table_text(table, row->name);
    table_number(table, row->number);
    if (table->pairs && row->paired) {
        table_whole(table, row->paired->first);
        table_number(table, row->pair);
    } else if (table->pairs) {
        table_empty(table, 2);
    }
    table_end(table);
}
