/* table.c: rows of cells. */
#include "headlight/view/table.h"

#include <math.h>

/* ---- Cells ---- */

struct table_cell table_text(const char *text)
{
    return (struct table_cell){.whole = NO_TOKEN, .number = NAN, .text = text};
}

struct table_cell table_whole(size_t number)
{
    return (struct table_cell){.whole = number, .number = NAN};
}

struct table_cell table_number(double number)
{
    return (struct table_cell){.whole = NO_TOKEN, .number = number};
}

struct table_cell table_token(const struct encoded *encoded, enum side side, size_t token)
{
    if (!encoded)
        return (struct table_cell){.whole = NO_TOKEN, .number = NAN, .is_token = true};
    return (struct table_cell){token, NAN, encoded_pieces(encoded, side)[token], true,
                               encoded->sides[side].labels[token]};
}

struct table_cell table_shown(const struct scene *scene, enum side side, size_t token)
{
    const size_t first = scene->data.attention->tokens[side].of[token].first;
    struct table_cell cell = table_token(scene->data.encoded, side, first);
    cell.label = scene_label(scene, side, token);
    return cell;
}

/* ---- Rows ---- */

void table_columns(struct table *table, const char *columns)
{
    fprintf(table->stream, "%s\n", columns);
}

void table_row(struct table *table, const struct table_cell *cells, size_t count)
{
    FILE *stream = table->stream;
    for (size_t i = 0; i < count; i++) {
        const struct table_cell *cell = &cells[i];
        fputs(i > 0 ? "," : "", stream);
        if (cell->whole != NO_TOKEN)
            fprintf(stream, "%zu", cell->whole);
        if (!isnan(cell->number))
            fprintf(stream, "%.9g", (double)(float)cell->number);
        fputs(cell->is_token ? "," : "", stream);
        if (cell->text)
            table->write(stream, cell->text);
        fputs(cell->is_token ? "," : "", stream);
        if (cell->label)
            table->write(stream, cell->label);
    }
    fputc('\n', stream);
}

/* ---- What several views write ---- */

const char *table_value_name(const struct scene *scene)
{
    const enum map_kind kind = scene->data.map->kind;
    return kind == MAP_WEIGHTS ? "weight" : map_infos[kind].name;
}

void table_connections(struct table *table, const struct scene *scene, const char *first)
{
    fprintf(table->stream, "%s" TABLE_PAIR ",%s\n", first, table_value_name(scene));
}
