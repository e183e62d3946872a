/* texts_source.c: a corpus as a sequence of records: a line, or the lines up to an empty one. */
#include "headlight/survey/texts_parts.h"

#include "headlight/base/memory.h"
#include "headlight/text/unicode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Kinds -------------------------------------------------------------------------------- */

enum { KIND_LINES, KIND_JSON, KIND_CONLLU, KIND_COUNT };

static const struct texts_kind kinds[KIND_COUNT] = {
    [KIND_LINES] = {".txt", texts_read_line, false},
    [KIND_JSON] = {".jsonl", texts_read_json, false},
    [KIND_CONLLU] = {".conllu", texts_read_conllu, true},
};

static const struct texts_kind *kind_by_name(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        const size_t ending = strlen(kinds[i].ending);
        if (length > ending && strcmp(path + length - ending, kinds[i].ending) == 0)
            return &kinds[i];
    }
    return NULL;
}

static const struct texts_kind *kind_by_line(const struct texts_record *record)
{
    size_t tabs = 0;
    for (size_t i = 0; i < record->length; i++)
        tabs += record->bytes[i] == '\t';
    if (record->bytes[0] == '{')
        return &kinds[KIND_JSON];
    return tabs == 9 || strncmp(record->bytes, "# ", 2) == 0 ? &kinds[KIND_CONLLU]
                                                             : &kinds[KIND_LINES];
}

/* ---- Bytes and lines ---------------------------------------------------------------------- */

/* Nothing is left in the chunk at the end of the file. */
static enum status refill(struct texts_source *source, struct error *error)
{
    ssize_t got;
    if (source->fd < 0)
        return STATUS_OK;
    source->bytes = source->chunk;
    do
        got = read(source->fd, source->chunk, sizeof source->chunk);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return error_set(error, STATUS_IO, "%s: cannot be read: %s", source->path, strerror(errno));
    source->start = 0;
    source->end = (size_t)got;
    return STATUS_OK;
}

/* Only what there is room for is kept of a record that is too long. */
static enum status append(struct texts_record *record, const char *bytes, size_t length,
                          struct error *error)
{
    record->too_long |= length > TEXTS_BYTES_MAX - record->length;
    if (record->too_long)
        return STATUS_OK;
    char *grown =
        memory_grow(record->bytes, &record->room, record->length + length + 1, 1, "a text", error);
    if (!grown)
        return error->status;
    record->bytes = grown;
    memcpy(grown + record->length, bytes, length);
    record->length += length;
    record->bytes[record->length] = '\0';
    return STATUS_OK;
}

/* Appends the next line with its end to the record. */
static enum status append_line(struct texts_source *source, bool *found, bool *blank,
                               struct error *error)
{
    *found = false;
    *blank = true;
    for (bool ended = false; !ended;) {
        if (source->start == source->end && refill(source, error) != STATUS_OK)
            return error->status;
        const char *part = source->bytes + source->start;
        size_t length = source->end - source->start;
        if (length == 0)
            break;
        const char *stop = memchr(part, '\n', length);
        ended = stop != NULL;
        length = ended ? (size_t)(stop - part) + 1 : length;
        if (append(&source->record, part, length, error) != STATUS_OK)
            return error->status;
        *blank = *blank && texts_is_blank(part, length);
        *found = true;
        source->start += length;
        source->offset += length;
    }
    source->line += *found;
    return STATUS_OK;
}

/* What a file begins with that isn't UTF-8 text, and what is to be done about it. */
static const struct {
    const char *bytes, *advice;
} foreign[] = {
    {"\xFF\xFE", "in UTF-16: make it UTF-8, as iconv -f UTF-16 -t UTF-8 does"},
    {"\xFE\xFF", "in UTF-16: make it UTF-8, as iconv -f UTF-16 -t UTF-8 does"},
    {"\x1F\x8B", "compressed: zcat FILE | headlight --texts -"},
    {"\x28\xB5\x2F\xFD", "compressed: zstdcat FILE | headlight --texts -"},
    {"\xFD\x37zXZ", "compressed: xzcat FILE | headlight --texts -"},
};

/* Takes the byte order mark off the first line. */
static enum status check_beginning(const struct texts_source *source, struct texts_record *record,
                                   struct error *error)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strncmp(record->bytes, foreign[i].bytes, strlen(foreign[i].bytes)) == 0)
            return error_set(error, STATUS_UNSUPPORTED, "%s: expected UTF-8 text, found it %s",
                             source->path, foreign[i].advice);
    if (strncmp(record->bytes, "\xEF\xBB\xBF", 3) == 0) {
        record->length -= 3;
        memmove(record->bytes, record->bytes + 3, record->length + 1);
    }
    return STATUS_OK;
}

/* The first line with something on it. */
static enum status find_record(struct texts_source *source, bool *found, struct error *error)
{
    struct texts_record *record = &source->record;
    bool blank;
    do {
        record->length = 0;
        record->too_long = false;
        record->offset = source->offset;
        if (append_line(source, found, &blank, error) != STATUS_OK)
            return error->status;
        if (source->line == 1 && *found && !record->too_long) {
            if (check_beginning(source, record, error) != STATUS_OK)
                return error->status;
            blank = texts_is_blank(record->bytes, record->length);
        }
    } while (*found && blank);
    record->line = source->line;
    return STATUS_OK;
}

/* Readers are given strings. */
static enum status make_valid(struct texts_record *record, struct error *error)
{
    size_t length, kept = 0;
    if (record->too_long || unicode_valid(record->bytes, record->length))
        return STATUS_OK;
    char *repaired = unicode_repair(record->bytes, record->length, &length);
    if (!repaired)
        return error_memory(error, "a text", 3 * record->length);
    for (size_t i = 0; i < length; i++)
        if (repaired[i] != '\0')
            repaired[kept++] = repaired[i];
    repaired[kept] = '\0';
    free(record->bytes);
    record->bytes = repaired;
    record->length = kept;
    record->room = length + 1;
    return STATUS_OK;
}

enum status texts_source_read(struct texts_source *source, bool *found, struct error *error)
{
    const enum status status = find_record(source, found, error);
    if (status != STATUS_OK || !*found)
        return status;
    if (!source->kind)
        source->kind = source->record.too_long ? &kinds[KIND_LINES] : kind_by_line(&source->record);
    for (bool more = source->kind->sentences, blank; more;) {
        if (append_line(source, &more, &blank, error) != STATUS_OK)
            return error->status;
        more &= !blank;
    }
    return make_valid(&source->record, error);
}

/* ---- The file ----------------------------------------------------------------------------- */

enum status texts_source_open(struct texts_source *source, const char *path, struct error *error)
{
    struct stat info;
    const bool input = strcmp(path, "-") == 0;
    source->path = memory_print(error, "%s", input ? "standard input" : path);
    if (!source->path)
        return error->status;
    source->fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0)
        return error_set(error, STATUS_IO, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(source->fd, &info) != 0)
        return error_set(error, STATUS_IO, "%s: cannot be examined: %s", source->path,
                         strerror(errno));
    if (S_ISDIR(info.st_mode))
        return error_set(error, STATUS_IO, "%s: expected a file, found a folder", source->path);
    source->regular = !input && S_ISREG(info.st_mode);
    source->size = source->regular ? (uint64_t)info.st_size : 0;
    source->kind = input ? NULL : kind_by_name(path);
    return STATUS_OK;
}

enum status texts_source_of_memory(struct texts_source *source, const char *name, struct text bytes,
                                   struct error *error)
{
    source->path = memory_print(error, "%s", name);
    source->fd = -1;
    source->bytes = bytes.bytes;
    source->size = source->end = bytes.length;
    source->kind = kind_by_name(name);
    return source->path ? STATUS_OK : error->status;
}

enum status texts_source_seek(struct texts_source *source, uint64_t offset, size_t line,
                              struct error *error)
{
    if (source->fd >= 0 && lseek(source->fd, (off_t)offset, SEEK_SET) < 0)
        return error_set(error, STATUS_IO, "%s: cannot be read again: %s", source->path,
                         strerror(errno));
    source->start = source->fd < 0 ? (size_t)offset : 0;
    source->end = source->fd < 0 ? (size_t)source->size : 0;
    source->offset = offset;
    source->line = line;
    return STATUS_OK;
}

void texts_source_close(struct texts_source *source)
{
    if (source->fd > STDIN_FILENO)
        close(source->fd);
    free(source->record.bytes);
    free(source->path);
}
