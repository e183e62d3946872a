/* find_run.c: --find-like: where else in a corpus a token's vector at a layer, or what a head made
 * of it, looks alike; with the parts of speech and the relations of those found, as exBERT's page
 * has it (Hoover et al. 2020), beside those of all tokens. */
#include "headlight/app/index_run.h"

#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/base/writer.h"
#include "headlight/draw/text.h"
#include "headlight/session/find.h"
#include "headlight/survey/index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BEST 50 /* as many as exBERT's page */

/* A token that was found. */
struct found {
    struct index_token token;
    const char *id, *words;
};

/* A part of speech or a relation: of how many of those found, and of all. */
struct tally {
    const char *name;
    uint64_t found, all;
};

struct search {
    struct program *program;
    struct index_space space;
    struct text text; /* of --find-like, */
    const char *name; /* and which of its tokens: */
    size_t token;
    char digest[SHA256_DIGITS + 1]; /* of the model */
    struct index **files;
    size_t file_count;
    uint64_t tokens; /* in all files */
    struct index_best best;
    struct found *found;    /* [best.count] */
    struct tally *names[2]; /* parts of speech, relations */
    size_t name_count[2];
    bool ascii;
};

/* ---- What is asked for --------------------------------------------------------------------- */

/* "L:TEXT#TOKEN"; the token may be "flies#2", the second one of the name. */
static enum status read_asked(struct search *search, const char *asked, struct error *error)
{
    const char *colon = index_read_space(asked, &search->space), *hash = strrchr(asked, '#');
    if (!colon || *colon != ':' || !hash || hash < colon || !hash[1])
        return error_set(error, STATUS_USAGE,
                         "--find-like: expected LAYER:TEXT#TOKEN or LAYER.HEAD:TEXT#TOKEN, such as "
                         "\"3:time flies#flies\", found \"%s\"",
                         asked);
    const char *before = hash;
    while (before > colon && before[-1] != '#' && before[-1] != ' ')
        before--;
    if (before > colon + 1 && before[-1] == '#' && before < hash &&
        strspn(hash + 1, "0123456789") == strlen(hash + 1))
        hash = before - 1;
    search->text = (struct text){colon + 1, (size_t)(hash - colon - 1)};
    search->name = hash + 1;
    return STATUS_OK;
}

/* The text goes the way of one on the command line. */
static enum status compute_vector(struct search *search, const float **vector, struct error *error)
{
    struct program *program = search->program;
    struct session *session = &program->session;
    program->texts[0] = search->text;
    program->text_count = 1;
    if (program_begin(program, error) != STATUS_OK ||
        session_compute(session, NULL, error) != STATUS_OK)
        return error->status;
    const struct scene scene = session_scene(session);
    const struct trace *trace = session->data.encoded->trace;
    const size_t shown = find_token(&scene, search->name, SIDE_LEFT);
    if (shown == NO_TOKEN)
        return error_set(error, STATUS_USAGE,
                         "--find-like: expected a token of \"%.*s\", found \"%s\"",
                         (int)search->text.length, search->text.bytes, search->name);
    search->token = scene.data.attention->tokens[SIDE_LEFT].of[shown].first;
    if (search->space.layer >= trace->layers ||
        (search->space.head != NO_HEAD && search->space.head >= trace->heads))
        return error_set(error, STATUS_USAGE,
                         "--find-like: expected a layer below %zu and a head below %zu",
                         trace->layers, trace->heads);
    *vector = index_vector(&search->space, trace, search->token);
    return STATUS_OK;
}

/* ---- Files --------------------------------------------------------------------------------- */

static enum status open_file(struct search *search, const char *path, struct error *error)
{
    struct index *index;
    if (index_open(path, &index, error) != STATUS_OK)
        return error->status;
    search->files[search->file_count++] = index;
    search->tokens += index->tokens;
    if (strcmp(index->survey->origin.digest, search->digest) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_MISMATCH, "%s: is of the model %s: --model names it", path,
                     index->survey->origin.model);
}

static enum status find(struct search *search, const char *open, struct error *error)
{
    const struct options *options = &search->program->options;
    const struct config *config = model_config(search->program->checkpoint.model);
    const float *vector = NULL;
    if (compute_vector(search, &vector, error) != STATUS_OK)
        return error->status;
    search->files = memory_new(1 + options->path_count, sizeof(void *), 0, "files", error);
    if (!search->files)
        return error->status;
    model_digest(search->program->checkpoint.model, search->digest);
    for (size_t i = 0; i <= options->path_count; i++)
        if (open_file(search, i == 0 ? open : options->paths[i - 1], error) != STATUS_OK)
            return error->status;
    search->best.room = size_min(options->top > 0 ? options->top : BEST, (size_t)search->tokens);
    search->best.matches =
        memory_new(search->best.room, sizeof *search->best.matches, 0, "what is found", error);
    for (size_t i = 0; i < search->file_count && search->best.matches; i++)
        if (index_find(search->files[i], &search->space, vector,
                       index_width(&search->space, config), &search->best, error) != STATUS_OK)
            return error->status;
    return search->best.matches ? STATUS_OK : error->status;
}

static enum status read_found(struct search *search, struct error *error)
{
    search->found = memory_new(search->best.count, sizeof *search->found, 0, "them", error);
    for (size_t i = 0; search->found && i < search->best.count; i++) {
        struct found *found = &search->found[i];
        if (index_read_token(search->best.matches[i].index, search->best.matches[i].token,
                             &found->token, &found->id, &found->words, error) != STATUS_OK)
            return error->status;
    }
    return search->found ? STATUS_OK : error->status;
}

/* ---- Names --------------------------------------------------------------------------------- */

static const char *name_of(const struct index *index, bool relations, int16_t name)
{
    if (name < 0)
        return NULL;
    return relations ? index->survey->relations[name].name : index->survey->pos[name];
}

/* Those found most often first. */
static int by_number(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    if (x->found != y->found)
        return x->found < y->found ? 1 : -1;
    if (x->all != y->all)
        return x->all < y->all ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* The tally of a name, which is added if it is new: there is room. */
static struct tally *tally_of(struct search *search, bool relations, const char *name)
{
    struct tally *names = search->names[relations];
    size_t i = 0;
    while (i < search->name_count[relations] && strcmp(names[i].name, name) != 0)
        i++;
    if (i == search->name_count[relations])
        names[search->name_count[relations]++].name = name;
    return &names[i];
}

static size_t names_of(const struct index *index, bool relations)
{
    return relations ? index->survey->relation_count : index->survey->pos_count;
}

/* `counts` has room for the names of any file. */
static enum status count_all(struct search *search, bool relations, uint64_t *counts,
                             struct error *error)
{
    for (size_t f = 0; f < search->file_count; f++) {
        const struct index *index = search->files[f];
        if (index_count_names(index, relations, counts, error) != STATUS_OK)
            return error->status;
        for (size_t i = 0; i < names_of(index, relations); i++)
            tally_of(search, relations, name_of(index, relations, (int16_t)i))->all += counts[i];
    }
    return STATUS_OK;
}

static enum status count_names(struct search *search, bool relations, struct error *error)
{
    size_t most = 0;
    for (size_t f = 0; f < search->file_count; f++)
        most += names_of(search->files[f], relations);
    uint64_t *counts = memory_new(most, sizeof *counts, 0, "names", error);
    search->names[relations] = memory_new(most, sizeof(struct tally), 0, "names", error);
    if (!counts || !search->names[relations]) {
        free(counts);
        return error->status;
    }
    const enum status status = count_all(search, relations, counts, error);
    free(counts);
    for (size_t i = 0; i < search->best.count; i++) {
        const struct index_token *token = &search->found[i].token;
        const char *name = name_of(search->best.matches[i].index, relations,
                                   relations ? token->relation : token->pos);
        if (name)
            tally_of(search, relations, name)->found++;
    }
    qsort(search->names[relations], search->name_count[relations], sizeof(struct tally), by_number);
    return status;
}

static const char *piece_of(const struct search *search, int32_t id)
{
    const struct tokenizer *tokenizer = search->program->checkpoint.tokenizer;
    return (size_t)id < tokenizer_size(tokenizer) ? tokenizer_piece(tokenizer, id) : NULL;
}

/* ---- As text ------------------------------------------------------------------------------- */

#define AROUND 30 /* columns of the text on both sides of a token */

static void write_safe(FILE *stream, const struct search *search, const char *text, size_t length)
{
    char part[512], safe[1024];
    format_cut(part, sizeof part, "%.*s", (int)size_min(length, sizeof part - 1), text);
    text_safe(part, search->ascii, safe, sizeof safe);
    fputs(safe, stream);
}

/* The beginning of the last AROUND columns before a byte, and the end of the first ones after it.
 */
static size_t around(const char *words, size_t at, ptrdiff_t step, bool ascii)
{
    size_t end = at;
    for (size_t next = at; step < 0 ? next > 0 : words[next] != '\0';) {
        do
            next += (size_t)step;
        while (((unsigned char)words[next] & 0xC0) == 0x80);
        const size_t first = step < 0 ? next : at;
        if (text_columns(words + first, step < 0 ? at - next : next - at, ascii) > AROUND)
            break;
        end = next;
    }
    return end;
}

/* The token in brackets, all of them below one another. */
static void write_match(FILE *stream, const struct search *search, size_t i)
{
    const struct index_match *match = &search->best.matches[i];
    const struct found *found = &search->found[i];
    const char *piece = piece_of(search, found->token.piece);
    const size_t from = (size_t)found->token.begin, to = (size_t)found->token.end;
    const size_t begin = around(found->words, from, -1, search->ascii);
    const size_t end = around(found->words, to, 1, search->ascii);
    fprintf(stream, "%.4f  %*s", (double)match->cosine,
            AROUND - text_columns(found->words + begin, from - begin, search->ascii), "");
    write_safe(stream, search, found->words + begin, from - begin);
    fputs(to > from ? "[" : "", stream);
    if (to > from)
        write_safe(stream, search, found->words + from, to - from);
    else /* a special token: [CLS] */
        write_safe(stream, search, piece ? piece : "", piece ? strlen(piece) : 0);
    fputs(to > from ? "]" : "", stream);
    write_safe(stream, search, found->words + to, end - to);
    fputs("  ", stream);
    write_safe(stream, search, found->id, strlen(found->id));
    fputc('\n', stream);
}

static void write_names(FILE *stream, const struct search *search, bool relations)
{
    if (search->name_count[relations] == 0)
        return;
    fprintf(stream, "\n%s, of those found and of all\n",
            relations ? "relations" : "parts of speech");
    for (size_t i = 0; i < search->name_count[relations]; i++) {
        const struct tally *tally = &search->names[relations][i];
        if (tally->found == 0)
            break;
        write_safe(stream, search, tally->name, strlen(tally->name));
        fprintf(stream, "%*s %3" PRIu64 " %5.1f %%  %5.1f %%\n",
                (int)(12 - size_min(12, strlen(tally->name))), "", tally->found,
                100.0 * (double)tally->found / (double)search->best.count,
                100.0 * (double)tally->all / (double)search->tokens);
    }
}

static void write_text(const struct search *search, FILE *stream)
{
    fprintf(stream, "layer %zu", search->space.layer);
    if (search->space.head != NO_HEAD)
        fprintf(stream, ", head %zu", search->space.head);
    fprintf(stream, ", token %zu of \"", search->token);
    write_safe(stream, search, search->text.bytes, search->text.length);
    fprintf(stream, "\": the %zu most alike of %" PRIu64 " tokens\n\n", search->best.count,
            search->tokens);
    for (size_t i = 0; i < search->best.count; i++)
        write_match(stream, search, i);
    write_names(stream, search, false);
    write_names(stream, search, true);
}

/* ---- As JSON and CSV ----------------------------------------------------------------------- */

static void write_name(FILE *stream, const char *name, const char *value)
{
    fprintf(stream, ",\"%s\":", name);
    json_write_text(stream, value);
}

static void write_json_match(FILE *stream, const struct search *search, size_t i)
{
    const struct index_match *match = &search->best.matches[i];
    const struct found *found = &search->found[i];
    const struct index_token *token = &found->token;
    fputs(i > 0 ? ",{\"cosine\":" : "{\"cosine\":", stream);
    json_write_float(stream, match->cosine);
    write_name(stream, "corpus", match->index->survey->corpora->name);
    write_name(stream, "id", found->id);
    fprintf(stream, ",\"number\":%" PRId64 ",\"place\":%d", index_text_number(match->index, token),
            (int)token->place);
    write_name(stream, "piece", piece_of(search, token->piece));
    write_name(stream, "pos", name_of(match->index, false, token->pos));
    write_name(stream, "relation", name_of(match->index, true, token->relation));
    write_name(stream, "text", found->words);
    fprintf(stream, ",\"begin\":%d,\"end\":%d}", (int)token->begin, (int)token->end);
}

static void write_json_names(FILE *stream, const struct search *search, bool relations)
{
    fprintf(stream, ",\"%s\":[", relations ? "relations" : "pos");
    for (size_t i = 0; i < search->name_count[relations]; i++) {
        const struct tally *tally = &search->names[relations][i];
        fputs(i > 0 ? ",{\"name\":" : "{\"name\":", stream);
        json_write_text(stream, tally->name);
        fprintf(stream, ",\"found\":%" PRIu64 ",\"all\":%" PRIu64 "}", tally->found, tally->all);
    }
    fputc(']', stream);
}

static void write_json(const struct search *search, FILE *stream)
{
    fprintf(stream, "{\"layer\":%zu,\"head\":", search->space.layer);
    fprintf(stream, search->space.head == NO_HEAD ? "null" : "%zu", search->space.head);
    fputs(",\"text\":", stream);
    json_write_string(stream, search->text.bytes, search->text.length);
    fprintf(stream, ",\"token\":%zu,\"tokens\":%" PRIu64 ",\"matches\":[", search->token,
            search->tokens);
    for (size_t i = 0; i < search->best.count; i++)
        write_json_match(stream, search, i);
    fputc(']', stream);
    write_json_names(stream, search, false);
    write_json_names(stream, search, true);
    fputs("}\n", stream);
}

static void write_csv(const struct search *search, FILE *stream)
{
    fputs("cosine,number,place,begin,end,corpus,id,piece,pos,relation,text\n", stream);
    for (size_t i = 0; i < search->best.count; i++) {
        const struct index_match *match = &search->best.matches[i];
        const struct found *found = &search->found[i];
        const struct index_token *token = &found->token;
        const char *const fields[] = {match->index->survey->corpora->name,
                                      found->id,
                                      piece_of(search, token->piece),
                                      name_of(match->index, false, token->pos),
                                      name_of(match->index, true, token->relation),
                                      found->words};
        json_write_float(stream, match->cosine);
        fprintf(stream, ",%" PRId64 ",%d,%d,%d", index_text_number(match->index, token),
                (int)token->place, (int)token->begin, (int)token->end);
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            fputc(',', stream);
            export_write_field(stream, fields[f] ? fields[f] : "");
        }
        fputc('\n', stream);
    }
}

/* ---- The run ------------------------------------------------------------------------------- */

static enum status write_file(const struct search *search, const char *path,
                              void (*write)(const struct search *search, FILE *stream),
                              struct error *error)
{
    struct writer writer;
    if (!path)
        return STATUS_OK;
    if (writer_open_output(&writer, path, error) != STATUS_OK)
        return error->status;
    write(search, writer.stream);
    return writer_commit(&writer, error);
}

static enum status write_files(const struct search *search, struct error *error)
{
    const struct options *options = &search->program->options;
    const char *json = options->files[FORMAT_JSON], *csv = options->files[FORMAT_CSV];
    if (write_file(search, json, write_json, error) != STATUS_OK ||
        write_file(search, csv, write_csv, error) != STATUS_OK)
        return error->status;
    return write_file(search, json || csv ? NULL : "-", write_text, error);
}

static enum status run(struct search *search, struct error *error)
{
    struct options *options = &search->program->options;
    const char *open = options->open;
    if (read_asked(search, options->find_like, error) != STATUS_OK)
        return error->status;
    options->open = NULL; /* no recording */
    if (program_load(search->program, NULL, error) != STATUS_OK ||
        find(search, open, error) != STATUS_OK || read_found(search, error) != STATUS_OK ||
        count_names(search, false, error) != STATUS_OK ||
        count_names(search, true, error) != STATUS_OK)
        return error->status;
    return write_files(search, error);
}

enum status find_run(struct program *program, bool ascii, struct error *error)
{
    struct search search = {.program = program, .ascii = ascii};
    const enum status status = run(&search, error);
    for (size_t i = 0; i < search.file_count; i++)
        index_close(search.files[i]);
    free(search.files);
    free(search.best.matches);
    free(search.found);
    free(search.names[0]);
    free(search.names[1]);
    return status;
}
