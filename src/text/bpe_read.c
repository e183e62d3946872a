/* bpe_read.c: the files of a byte-level BPE, vocab.json and merges.txt. */
#include "headlight/base/json.h"
#include "headlight/base/size.h"
#include "headlight/text/bpe.h"

#include <stdlib.h>
#include <string.h>

/* ---- vocab.json ---- */

static enum status place_piece(const cJSON *item, struct piece *pieces, size_t count,
                               const char *name, struct error *error)
{
    size_t id;
    if (!json_is_size(item, &id))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a whole number as the id of the piece \"%.100s\", found "
                         "another value",
                         name, item->string);
    if (id >= count)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected the ids of its %zu pieces to be 0 to %zu, found %zu for "
                         "\"%.100s\"",
                         name, count, count - 1, id, item->string);
    if (pieces[id].bytes)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected an id of its own for each piece, found %zu for \"%.100s\" "
                         "and \"%.100s\"",
                         name, id, pieces[id].bytes, item->string);
    if (item->string[0] == '\0')
        return error_set(error, STATUS_FORMAT, "%s: expected no empty piece, found one of id %zu",
                         name, id);
    pieces[id] = (struct piece){item->string, strlen(item->string)};
    return STATUS_OK;
}

static enum status check_twice(const struct vocabulary *vocabulary, const char *name,
                               struct error *error)
{
    for (size_t id = 0; id < vocabulary_size(vocabulary); id++) {
        size_t length;
        const char *piece = vocabulary_piece(vocabulary, (int32_t)id, &length);
        int32_t found = vocabulary_find(vocabulary, piece, length);
        if ((size_t)found != id)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected each piece once, found \"%.100s\" with the ids %zu and "
                             "%ld",
                             name, piece, id, (long)found);
    }
    return STATUS_OK;
}

static enum status vocabulary_of_object(const cJSON *object, const char *name,
                                        struct vocabulary **vocabulary, struct error *error)
{
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, object) count++;
    struct piece *pieces = calloc(count > 0 ? count : 1, sizeof *pieces);
    if (!pieces)
        return error_memory(error, name, count * sizeof *pieces);
    enum status status = STATUS_OK;
    for (item = object->child; item && status == STATUS_OK; item = item->next)
        status = place_piece(item, pieces, count, name, error);
    if (status == STATUS_OK)
        status = vocabulary_of(pieces, count, name, vocabulary, error);
    free(pieces);
    return status;
}

enum status bpe_read_vocabulary(struct text text, const char *name, struct vocabulary **vocabulary,
                                struct error *error)
{
    cJSON *object;
    *vocabulary = NULL;
    if (json_parse_object(text.bytes, text.length, name, &object, error) != STATUS_OK)
        return error->status;
    enum status status = vocabulary_of_object(object, name, vocabulary, error);
    cJSON_Delete(object);
    if (status == STATUS_OK && (status = check_twice(*vocabulary, name, error)) != STATUS_OK) {
        free(*vocabulary);
        *vocabulary = NULL;
    }
    return status;
}

/* ---- merges.txt ---- */

static bool is_version(struct text line)
{
    static const char version[] = "#version";
    return line.length >= sizeof version - 1 &&
           memcmp(line.bytes, version, sizeof version - 1) == 0;
}

/* False unless the line is two pieces with one space between them. */
static bool split(struct text line, struct piece halves[2])
{
    const char *space = memchr(line.bytes, ' ', line.length);
    if (!space)
        return false;
    size_t left = (size_t)(space - line.bytes), right = line.length - left - 1;
    halves[0] = (struct piece){line.bytes, left};
    halves[1] = (struct piece){space + 1, right};
    return left > 0 && right > 0 && !memchr(space + 1, ' ', right);
}

/* Empty lines are passed over. */
static enum status read_lines(struct text text, const char *name, struct piece *merges,
                              size_t *count, struct error *error)
{
    for (size_t at = 0, number = 1; at < text.length; number++) {
        struct text line = text_take_line(text, &at);
        if (line.length == 0 || (number == 1 && is_version(line)))
            continue;
        if (!split(line, merges + 2 * *count))
            return error_set(error, STATUS_FORMAT,
                             "%s: expected two pieces with a space between them in line %zu, found "
                             "\"%.*s\"",
                             name, number, (int)size_min(line.length, 100), line.bytes);
        ++*count;
    }
    return STATUS_OK;
}

enum status bpe_read_merges(struct text text, const char *name, struct piece **merges,
                            size_t *count, struct error *error)
{
    size_t lines = 1, bytes;
    *merges = NULL;
    *count = 0;
    if (text.length == 0)
        return error_set(error, STATUS_FORMAT, "%s: expected a merge a line, found an empty file",
                         name);
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    bool fits = size_multiply(lines, 2 * sizeof **merges, &bytes);
    *merges = fits ? malloc(bytes) : NULL;
    if (!*merges)
        return error_memory(error, name, fits ? bytes : SIZE_MAX);
    if (read_lines(text, name, *merges, count, error) != STATUS_OK) {
        free(*merges);
        *merges = NULL;
        return error->status;
    }
    return STATUS_OK;
}
