/* texts_source.c: a corpus as a sequence of records: a line, or the lines up to an empty one. */
#include "headlight/survey/texts_parts.h"

#include "headlight/base/memory.h"
#include "headlight/text/unicode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- Kinds -------------------------------------------------------------------------------- */

enum { KIND_LINES, KIND_JSON, KIND_CONLLU, KIND_CSV, KIND_TSV, KIND_FASTA, KIND_COUNT };

static const struct texts_kind kinds[KIND_COUNT] = {
    [KIND_LINES] = {.ending = ".txt", .read = texts_read_line},
    [KIND_JSON] = {.ending = ".jsonl", .read = texts_read_json},
    [KIND_CONLLU] = {.ending = ".conllu", .read = texts_read_conllu, .called = "CoNLL-U"},
    [KIND_CSV] = {.ending = ".csv", .read = texts_read_row, .separator = ','},
    [KIND_TSV] = {.ending = ".tsv", .read = texts_read_row, .separator = '\t'},
    [KIND_FASTA] = {.ending = ".fasta", .read = texts_read_fasta, .called = "FASTA", .opens = '>'},
};

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

/* Of a .txt file every line is text, unless it is plain that it is one of CoNLL-2003, whose own are
 * called so. A table's kind is its name's: which columns it has is read from its first row. */
static enum status choose_kind(struct texts_source *source, struct error *error)
{
    const struct texts_record *record = &source->record;
    const char *line = record->length > 0 ? record->bytes : "", *path = source->path;
    const bool txt = ends_in(path, kinds[KIND_LINES].ending);
    for (size_t i = KIND_JSON; i < KIND_COUNT; i++)
        if (ends_in(path, kinds[i].ending))
            source->kind = &kinds[i];
    const char *list = line + strspn(line, " \t"); /* "[{", "[ \"", or nothing behind the bracket */
    const bool lists = *list == '[' && strchr("{\"\r\n", list[1 + strspn(list + 1, " \t")]);
    if (!txt && (lists || (ends_in(path, ".json") && *line != '{')))
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected a text a line, found JSON that isn't an object a line: jq "
                         "-c '.[]' FILE | headlight run -",
                         path);
    size_t tabs = 0;
    for (size_t i = 0; i < record->length; i++)
        tabs += line[i] == '\t';
    if (!source->kind)
        source->kind = &kinds[txt && !source->columns                        ? KIND_LINES
                              : *line == '{'                                 ? KIND_JSON
                              : *line == '>' && !texts_is_blank(line + 1, 1) ? KIND_FASTA
                              : source->columns ? (tabs > 0 ? KIND_TSV : KIND_CSV)
                              : tabs == 9 || strncmp(line, "# ", 2) == 0 ? KIND_CONLLU
                                                                         : KIND_LINES];
    if (strncmp(line, "-DOCSTART-", 10) == 0 ||
        (source->kind == &kinds[KIND_LINES] && ends_in(path, ".conll")))
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected a text a line, found a word a line, as in CoNLL-2003: make "
                         "of each sentence a line such as {\"words\":[\"a\",\"b\"],"
                         "\"tags\":[\"O\",\"O\"]}",
                         path);
    return source->columns && source->kind->called
               ? error_set(
                     error, STATUS_USAGE,
                     "%s: expected columns with names for --columns, as .csv, .tsv and .jsonl "
                     "have, found %s",
                     path, source->kind->called)
               : STATUS_OK;
}

/* ---- Bytes and lines ---------------------------------------------------------------------- */

/* Appends the next line with its end to the record. Of one that is too long the end is dropped. */
static enum status append_line(struct texts_source *source, bool *found, bool *blank,
                               struct error *error)
{
    struct texts_record *record = &source->record;
    *found = false;
    *blank = true;
    for (int byte = 0; byte != '\n' && (byte = getc_unlocked(source->stream)) != EOF;) {
        const char letter = (char)byte;
        source->offset++;
        *found = true;
        *blank = *blank && texts_is_blank(&letter, 1);
        record->too_long |= record->length == TEXTS_BYTES_MAX;
        if (record->too_long)
            continue;
        char *bytes =
            memory_grow(record->bytes, &record->room, record->length + 2, 1, "a text", error);
        if (!bytes)
            return error->status;
        record->bytes = bytes;
        bytes[record->length++] = letter;
        bytes[record->length] = '\0';
    }
    source->line += *found;
    return ferror(source->stream) ? error_set(error, STATUS_IO, "%s: cannot be read: %s",
                                              source->path, strerror(errno))
                                  : STATUS_OK;
}

enum status texts_begin(const char *source, const char *input, struct text *text,
                        struct error *error)
{
    if (strncmp(text->bytes, "\x1F\x8B", 2) == 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected UTF-8 text, found it compressed: zcat FILE | headlight %s",
                         source, input);
    if (strncmp(text->bytes, "\xFF\xFE", 2) == 0 || strncmp(text->bytes, "\xFE\xFF", 2) == 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected UTF-8 text, found it in UTF-16: make it UTF-8, as "
                         "iconv -f UTF-16 -t UTF-8 does",
                         source);
    if (strncmp(text->bytes, "\xEF\xBB\xBF", 3) == 0)
        *text = (struct text){text->bytes + 3, text->length - 3};
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
            struct text text = {record->bytes, record->length};
            if (texts_begin(source->path, "run -", &text, error) != STATUS_OK)
                return error->status;
            record->length = text.length;
            memmove(record->bytes, text.bytes, text.length + 1);
            blank = texts_is_blank(record->bytes, record->length);
        }
    } while (*found && blank);
    record->line = source->line;
    return STATUS_OK;
}

/* Whether a quote is open behind the record, as it was or wasn't at `from`. */
static bool ends_quoted(const struct texts_record *record, size_t from, bool quoted)
{
    const char *bytes = record->bytes;
    for (size_t i = from; i < record->length; i++) {
        if (bytes[i] != '"')
            continue;
        if (!quoted)
            quoted = i == 0 || bytes[i - 1] == ',';
        else if (bytes[i + 1] == '"')
            i++;
        else
            quoted = false;
    }
    return quoted;
}

/* Which is still there to be read; EOF at the end. */
static int next_byte(const struct texts_source *source)
{
    const int byte = getc_unlocked(source->stream);
    return byte == EOF ? EOF : ungetc(byte, source->stream);
}

enum status texts_source_read(struct texts_source *source, bool *found, struct error *error)
{
    const enum status status = find_record(source, found, error);
    if (status != STATUS_OK || !*found)
        return status;
    if (!source->kind && choose_kind(source, error) != STATUS_OK)
        return error->status;
    const struct texts_kind *kind = source->kind;
    const bool quotes = kind->separator == ',';
    bool quoted = quotes && ends_quoted(&source->record, 0, false);
    for (bool more = kind->called || quoted, blank; more;) {
        const size_t from = source->record.length;
        if (kind->opens && next_byte(source) == kind->opens)
            break;
        if (append_line(source, &more, &blank, error) != STATUS_OK)
            return error->status;
        quoted = quotes && ends_quoted(&source->record, from, quoted);
        more &= quotes ? quoted : kind->opens || !blank;
    }
    struct texts_record *record = &source->record;
    if (record->too_long || unicode_valid(record->bytes, record->length))
        return STATUS_OK;
    size_t length; /* readers are given strings */
    char *repaired = unicode_repair(record->bytes, record->length, &length);
    if (!repaired)
        return error_memory(error, "a text", 3 * record->length);
    free(record->bytes);
    record->bytes = repaired;
    record->length = length;
    record->room = length + 1;
    return STATUS_OK;
}

/* ---- The file ----------------------------------------------------------------------------- */

enum status texts_source_open(struct texts_source *source, const char *path, struct text bytes,
                              struct error *error)
{
    struct stat info;
    const bool input = strcmp(path, "-") == 0;
    source->path = memory_print(error, "%s", input ? "standard input" : path);
    if (!source->path)
        return error->status;
    if (bytes.bytes) {
        source->stream = fmemopen((char *)bytes.bytes, bytes.length, "rb");
        source->size = bytes.length;
        return source->stream ? STATUS_OK : error_memory(error, "texts", sizeof *source);
    }
    source->stream = input ? stdin : fopen(path, "rbe");
    if (!source->stream)
        return error_set(error, errno == ENOMEM ? STATUS_MEMORY : STATUS_IO,
                         "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(fileno(source->stream), &info) != 0)
        return error_set(error, STATUS_IO, "%s: cannot be examined: %s", source->path,
                         strerror(errno));
    if (S_ISDIR(info.st_mode))
        return error_set(error, STATUS_IO, "%s: expected a file, found a folder", source->path);
    source->regular = !input && S_ISREG(info.st_mode);
    source->size = source->regular ? (uint64_t)info.st_size : 0;
    return STATUS_OK;
}

enum status texts_source_seek(struct texts_source *source, uint64_t offset, size_t line,
                              struct error *error)
{
    /* what was read ahead may no longer be there */
    if (fflush(source->stream) != 0 || fseeko(source->stream, (off_t)offset, SEEK_SET) != 0)
        return error_set(error, STATUS_IO, "%s: cannot be read again: %s", source->path,
                         strerror(errno));
    source->offset = offset;
    source->line = line;
    return STATUS_OK;
}

void texts_source_close(struct texts_source *source)
{
    if (source->stream && source->stream != stdin)
        fclose(source->stream);
    free(source->record.bytes);
    free(source->path);
}
