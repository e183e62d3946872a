/* texts.c: a corpus as a sequence of records: a line, or the lines up to an empty one. Texts are
 * made of them as its format has it (texts_json.c, texts_table.c), and those that are not wanted
 * left out. Memory that a text takes is kept for the next. */
#include "headlight/survey/texts.h"

#include "headlight/base/memory.h"
#include "headlight/survey/texts_parts.h"
#include "headlight/text/unicode.h"

#include <errno.h>
#include <inttypes.h>
#include <strings.h>
#include <sys/stat.h>

struct texts_kind {
    const char *ending;
    texts_reader *read;
    const char *called; /* if a record has several lines: up to an empty one, */
    char opens;         /* or to the next that begins so */
    char separator; /* of a table's fields; a line end between quotes and commas ends no record */
};

/* A file, and the record that was read last. */
struct texts_source {
    char *path;                    /* as it is named in messages */
    const struct texts_kind *kind; /* NULL until the first record */
    bool columns;                  /* the user names some */
    FILE *stream;
    bool regular;    /* it can be read again */
    uint64_t size;   /* 0: not known */
    uint64_t offset; /* of what is read next */
    size_t line;     /* lines read */
    struct texts_record record;
};

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
               ? error_usage(
                     error,
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
        if (memory_grow(&record->bytes, &record->capacity, record->length + 2, 1, "a text",
                        error) != STATUS_OK)
            return error->status;
        record->bytes[record->length++] = letter;
        record->bytes[record->length] = '\0';
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

/* The next record, if any is left. STATUS_IO, STATUS_MEMORY; STATUS_UNSUPPORTED for what isn't
 * UTF-8 text. */
static enum status read_record(struct texts_source *source, bool *found, struct error *error)
{
    struct texts_record *record = &source->record;
    bool blank;
    do { /* the first line with something on it */
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
    if (!*found)
        return STATUS_OK;
    if (!source->kind && choose_kind(source, error) != STATUS_OK)
        return error->status;
    const struct texts_kind *kind = source->kind;
    const bool quotes = kind->separator == ',';
    bool quoted = quotes && ends_quoted(record, 0, false);
    for (bool more = kind->called || quoted; more;) {
        const size_t from = record->length;
        if (kind->opens && next_byte(source) == kind->opens)
            break;
        if (append_line(source, &more, &blank, error) != STATUS_OK)
            return error->status;
        quoted = quotes && ends_quoted(record, from, quoted);
        more &= quotes ? quoted : kind->opens || !blank;
    }
    record->repaired = !record->too_long && !unicode_valid(record->bytes, record->length);
    if (!record->repaired)
        return STATUS_OK;
    size_t length; /* readers are given strings */
    char *repaired = unicode_repair(record->bytes, record->length, &length);
    if (!repaired)
        return error_memory(error, "a text", 3 * record->length);
    free(record->bytes);
    record->bytes = repaired;
    record->length = length;
    record->capacity = length + 1;
    return STATUS_OK;
}

/* ---- The file ----------------------------------------------------------------------------- */

/* A file or, unless they are NULL, bytes in memory of that name. All of it is zero before.
 * STATUS_IO. */
static enum status open_source(struct texts_source *source, const char *path, struct text bytes,
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

/* Goes on at an offset, before which there are so many lines. STATUS_IO. */
static enum status seek_source(struct texts_source *source, uint64_t offset, size_t line,
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

/* A text's place in the order of hashes, which decides who is in a sample. */
struct draw {
    uint64_t hash, number;
};

struct corpus {
    struct texts_source source;
    struct texts_made made;
    struct corpus_choice choice;
    struct draw last;                  /* of a sample */
    uint64_t number;                   /* texts read */
    struct corpus_position *positions; /* of those that are wanted */
    size_t count, capacity;
};

/* ---- Texts -------------------------------------------------------------------------------- */

static bool is_of_one_text(enum status status)
{
    return status == STATUS_FORMAT || status == STATUS_LIMIT;
}

/* Of a sentence, the line that the error is about. */
enum status corpus_locate(const struct corpus *corpus, struct error *error)
{
    return error_set(error, error->status, "%s, line %zu: %s", corpus->source.path,
                     corpus->source.record.line + corpus->made.wrong_line, error->message);
}

/* The next text, wanted or not. */
static enum status read_text(struct corpus *corpus, bool *found, struct error *error)
{
    struct texts_source *source = &corpus->source;
    struct texts_made *made = &corpus->made;
    enum status status;
    do {
        status = read_record(source, found, error);
        if (status != STATUS_OK || !*found)
            return status;
        texts_clear(made);
        made->separator = source->kind->separator;
        if (memory_grow(&made->joined, &made->joined_room, source->record.length + 1, 1,
                        "the words of a text", error) != STATUS_OK)
            return error->status;
        status = source->record.too_long
                     ? error_set(error, STATUS_LIMIT,
                                 "expected a text of at most %zu MB, found a longer one",
                                 TEXTS_BYTES_MAX >> 20)
                     : source->kind->read(&source->record, made, error);
        made->text.line = source->record.line;
        made->text.number = corpus->number;
        made->text.repaired = source->record.repaired;
        if (made->id_length == 0) {
            made->id = made->number;
            made->id_length =
                (size_t)snprintf(made->number, sizeof made->number, "%" PRIu64, corpus->number);
        }
        made->id[made->id_length] = '\0';
        made->text.id = made->id;
        made->text.hash = corpus_hash(made->id, made->id_length, corpus->choice.seed);
        corpus->number += made->text.text_count > 0 || is_of_one_text(status);
        if (is_of_one_text(status) || status == STATUS_USAGE || status == STATUS_UNSUPPORTED)
            return corpus_locate(corpus, error);
        made->wrong_line = 0;
    } while (status == STATUS_OK && made->text.text_count == 0);
    return status;
}

/* ---- Which are wanted --------------------------------------------------------------------- */

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv; splitmix64: Steele, Lea and Flood 2014, "Fast
 * splittable pseudorandom number generators", figure 16. */
uint64_t corpus_hash(const char *id, size_t length, uint64_t seed)
{
    uint64_t hash = 0xCBF29CE484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)id[i]) * 0x100000001B3;
    hash += (seed + 1) * 0x9E3779B97F4A7C15;
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
    return hash ^ hash >> 31;
}

static int compare_draws(const void *left, const void *right)
{
    const struct draw *a = left, *b = right;
    return a->hash != b->hash ? (a->hash > b->hash) - (a->hash < b->hash)
                              : (a->number > b->number) - (a->number < b->number);
}

/* Leaves the least; returns how many. */
static size_t sort_out(struct draw *draws, size_t count, uint64_t sample)
{
    if (draws)
        qsort(draws, count, sizeof *draws, compare_draws);
    return count > sample ? (size_t)sample : count;
}

static enum status check_again(const struct corpus *corpus, const char *why, struct error *error)
{
    return corpus->source.regular
               ? STATUS_OK
               : error_usage(error, "%s: expected a file, as %s, found a pipe or a device",
                             corpus->source.path, why);
}

/* Reads the whole file for the last draw that is in the sample. The least draws so far are kept,
 * and others that came since they were sorted out last. */
static enum status draw_sample(struct corpus *corpus, struct error *error)
{
    const uint64_t sample = corpus->choice.sample;
    struct draw *draws = NULL;
    size_t count = 0, capacity = 0;
    bool found = true;
    enum status status = check_again(corpus, "a sample is drawn before it is read", error);
    while (found && (status == STATUS_OK || is_of_one_text(status))) {
        status = read_text(corpus, &found, error);
        if (!found || status != STATUS_OK)
            continue;
        if (count == capacity && count / 2 >= sample)
            count = sort_out(draws, count, sample);
        status = memory_grow(&draws, &capacity, count + 1, sizeof *draws, "a sample", error);
        if (status == STATUS_OK)
            draws[count++] = (struct draw){corpus->made.text.hash, corpus->made.text.number};
    }
    if (status == STATUS_OK) {
        count = sort_out(draws, count, sample);
        corpus->last =
            draws && count == sample ? draws[count - 1] : (struct draw){UINT64_MAX, UINT64_MAX};
        corpus->number = 0;
        status = seek_source(&corpus->source, 0, 0, error);
    }
    free(draws);
    return status;
}

/* ---- Open, next, close -------------------------------------------------------------------- */

/* Of columns that are named a NUL takes the comma's place. */
enum status corpus_open(const char *path, const struct corpus_choice *choice,
                        struct corpus **result, struct error *error)
{
    struct corpus *corpus = *result = memory_new(1, sizeof *corpus, 0, "texts", error);
    if (!corpus)
        return error->status;
    struct texts_made *made = &corpus->made;
    corpus->choice = *choice;
    corpus->source.columns = choice->columns != NULL;
    made->columns[0] = "a";
    made->columns[1] = "b";
    enum status status = open_source(&corpus->source, path, choice->bytes, error);
    if (status == STATUS_OK && choice->columns) {
        made->columns[0] = made->named = memory_print(error, "%s", choice->columns);
        made->columns[1] = made->named ? strchr(made->named, ',') : NULL;
        status = made->named ? STATUS_OK : error->status;
        if (made->columns[1])
            *(char *)made->columns[1]++ = '\0';
    }
    if (status == STATUS_OK && choice->sample > 0)
        status = draw_sample(corpus, error);
    if (status != STATUS_OK) {
        corpus_close(corpus);
        *result = NULL;
    }
    return status;
}

enum status corpus_next(struct corpus *corpus, const struct corpus_text **text, struct error *error)
{
    const struct corpus_choice *choice = &corpus->choice;
    *text = NULL;
    for (bool found;;) {
        const enum status status = read_text(corpus, &found, error);
        if (!found || (status != STATUS_OK && !is_of_one_text(status)))
            return status;
        const struct draw draw = {corpus->made.text.hash, corpus->made.text.number};
        if ((choice->parts > 1 && draw.hash % choice->parts != choice->part) ||
            (choice->sample > 0 && compare_draws(&draw, &corpus->last) > 0))
            continue;
        *text = &corpus->made.text;
        return status;
    }
}

/* ---- Back and forth ----------------------------------------------------------------------- */

enum status corpus_index(struct corpus *corpus, size_t *count, struct error *error)
{
    const struct corpus_text *text = NULL;
    enum status status = check_again(corpus, "texts are gone back to", error);
    corpus->count = *count = 0;
    for (bool more = status == STATUS_OK; more;) {
        status = corpus_next(corpus, &text, error);
        more = text != NULL;
        if (status != STATUS_OK && !is_of_one_text(status))
            return status;
        if (!text || status != STATUS_OK)
            continue;
        if (memory_grow(&corpus->positions, &corpus->capacity, corpus->count + 1,
                        sizeof *corpus->positions, "the positions of texts", error) != STATUS_OK)
            return error->status;
        corpus->positions[corpus->count++] = (struct corpus_position){
            corpus->source.record.offset, text->number, corpus->source.record.line - 1};
    }
    *count = corpus->count;
    return status;
}

enum status corpus_go(struct corpus *corpus, size_t index, struct error *error)
{
    return corpus_back(corpus, corpus->positions[index], error);
}

struct corpus_position corpus_here(const struct corpus *corpus)
{
    return (struct corpus_position){corpus->source.offset, corpus->number, corpus->source.line};
}

enum status corpus_back(struct corpus *corpus, struct corpus_position to, struct error *error)
{
    corpus->number = to.number;
    return seek_source(&corpus->source, to.offset, to.line, error);
}

/* ---- What is known of it ------------------------------------------------------------------ */

void corpus_progress(const struct corpus *corpus, uint64_t *read, uint64_t *all)
{
    *read = corpus->source.offset;
    *all = corpus->source.size;
}

const char *corpus_name(const struct corpus *corpus)
{
    const char *slash = strrchr(corpus->source.path, '/');
    return corpus->source.stream == stdin ? "-" : slash ? slash + 1 : corpus->source.path;
}

struct corpus_choice corpus_chosen(const struct corpus *corpus)
{
    return corpus->choice;
}

void corpus_close(struct corpus *corpus)
{
    if (!corpus)
        return;
    texts_free(&corpus->made);
    free(corpus->positions);
    if (corpus->source.stream && corpus->source.stream != stdin)
        fclose(corpus->source.stream);
    free(corpus->source.record.bytes);
    free(corpus->source.path);
    free(corpus);
}
