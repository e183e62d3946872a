/* find_run.c: headlight find: where else in a corpus a token's vector at a layer, or what a head
 * made of it, looks alike (survey/index.h), as text, JSON and CSV. */
#include "headlight/app/program.h"

#include "headlight/session/find.h"
#include "headlight/session/request.h"
#include "headlight/text/csv.h"

#include <inttypes.h>

struct search {
    struct program *program;
    struct index_space space;
    struct text text; /* of --like, and which of its tokens */
    size_t token;
    struct found *found;
};

/* "L:TEXT#TOKEN", where TOKEN may be "the#2"; the text, which may have "#", too, goes the way of
 * one on the command line. */
static enum status find(struct search *search, struct error *error)
{
    struct program *program = search->program;
    struct session *session = &program->session;
    const char *query = program->options.like, *hash = strrchr(query, '#');
    const char *colon = index_read_space(query, &search->space), *name = hash;
    if (hash && hash[1] && hash[1 + strspn(hash + 1, "0123456789")] == '\0')
        while (name > query && *--name != '#')
            continue;
    hash = name > query && name + 1 < hash ? name : hash;
    if (!colon || *colon != ':' || !hash || hash < colon || !hash[1])
        return error_usage(error,
                           "--like: expected LAYER:TEXT#TOKEN or LAYER.HEAD:TEXT#TOKEN, such as "
                           "\"3:time flies#flies\", found \"%s\"",
                           query);
    search->text = program->texts[0] = (struct text){colon + 1, (size_t)(hash - colon - 1)};
    program->text_count = 1;
    if (program_load(program, NULL, error) != STATUS_OK ||
        program_begin(program, error) != STATUS_OK || request_settle(session, error) != STATUS_OK)
        return error->status;
    const struct scene scene = session_scene(session);
    const struct trace *trace = session->data.trace;
    const size_t shown = find_token(&scene, hash + 1, SIDE_LEFT);
    if (shown == NO_TOKEN)
        return error_usage(error, "--like: expected a token of \"%.*s\", found \"%s\"",
                           (int)search->text.length, search->text.bytes, hash + 1);
    if (search->space.layer >= trace->layers ||
        (search->space.head != NO_HEAD && search->space.head >= trace->heads))
        return error_usage(error,
                           "--like: expected a layer below %zu and a head below %zu, found %.*s",
                           trace->layers, trace->heads, (int)strcspn(query, ":"), query);
    search->token = scene_piece(&scene, SIDE_LEFT, shown);
    return found_new(
        &program->indexes, &search->space, index_vector(&search->space, trace, search->token),
        index_width(&search->space, &program->checkpoint.model->config),
        program->options.out.top > 0 ? program->options.out.top : FIND_BEST, &search->found, error);
}

/* ---- As text ---- */

#define AROUND 30 /* columns of the text on both sides of a token */

/* The tokens in brackets, all of them below one another; a special one, [CLS], has its own. */
static void write_text(const void *what, FILE *stream)
{
    const struct search *search = what;
    const struct found *found = search->found;
    const bool ascii = search->program->ascii;
    if (search->space.head != NO_HEAD)
        fprintf(stream, "head %zu.%zu", search->space.layer, search->space.head);
    else
        fprintf(stream, "layer %zu", search->space.layer);
    fprintf(stream, ", token %zu of \"", search->token);
    text_write(stream, search->text.bytes, search->text.length, ascii);
    fprintf(stream, "\": the %zu most similar of %" PRIu64 " tokens\n\n", found->count,
            found->tokens);
    for (size_t i = 0; i < found->count; i++) {
        const struct index_match *match = &found->best[i];
        const bool word = match->token.end > match->token.begin;
        const struct tokenizer *tokenizer = search->program->checkpoint.tokenizer;
        const char *piece = tokenizer_piece(tokenizer, match->token.piece), *words = match->words;
        const size_t from = (size_t)match->token.begin, to = (size_t)match->token.end;
        const size_t begin = text_reach(words, from, -AROUND, ascii);
        fprintf(stream, "%.4f  %*s", (double)match->cosine,
                AROUND - text_columns(words + begin, from - begin, ascii), "");
        text_write(stream, words + begin, from - begin, ascii);
        fputs(word ? "[" : "", stream);
        text_write(stream, word ? words + from : piece, word ? to - from : strlen(piece), ascii);
        fputs(word ? "]" : "", stream);
        text_write(stream, words + to, text_reach(words, to, AROUND, ascii) - to, ascii);
        fputs("  ", stream);
        text_write(stream, match->id, strlen(match->id), ascii);
        fputc('\n', stream);
    }
    for (int relations = 0; relations < 2; relations++) {
        if (found->name_count[relations] > 0)
            fprintf(stream, "\n%s, of those found and of all\n",
                    relations ? "relations" : "parts of speech");
        for (size_t i = 0; i < found->name_count[relations]; i++) {
            const struct found_name *name = &found->names[relations][i];
            if (name->found == 0)
                break;
            text_write(stream, name->name, strlen(name->name), ascii);
            fprintf(stream, "%*s %3" PRIu64 " %5.1f %%  %5.1f %%\n",
                    (int)(12 - size_min(12, strlen(name->name))), "", name->found,
                    100.0 * (double)name->found / (double)found->count,
                    100.0 * (double)name->all / (double)found->tokens);
        }
    }
}

/* ---- As JSON and CSV ---- */

#define COLUMNS "cosine,number,place,begin,end,corpus,id,piece,pos,relation,text\n"

/* What isn't known is null, or empty. */
static void write_matches(const struct search *search, struct json_writer *json)
{
    for (size_t i = 0; i < search->found->count; i++) {
        const struct index_match *match = &search->found->best[i];
        const struct index_token *token = &match->token;
        const char *piece = tokenizer_piece(search->program->checkpoint.tokenizer, token->piece);
        json_object(json, NULL, JSON("cosine", match->cosine), JSON("number", match->number),
                    JSON("place", token->at), JSON("begin", token->begin), JSON("end", token->end),
                    JSON("corpus", survey_name(match->index->survey, ROW_SHARD, 0)),
                    JSON("id", match->id), JSON("piece", *piece ? piece : NULL),
                    JSON("pos", match->pos), JSON("relation", match->relation),
                    JSON("text", match->words));
    }
}

static void write_json(const void *what, FILE *stream)
{
    const struct search *search = what;
    const struct found *found = search->found;
    const size_t head = search->space.head;
    struct json_writer json = {.stream = stream};
    json_open(&json, NULL, "{");
    json_put(&json, JSON("layer", search->space.layer),
             head == NO_HEAD ? JSON_NULL("head") : JSON("head", head),
             JSON_OF("text", search->text.bytes, search->text.length), JSON("token", search->token),
             JSON("tokens", found->tokens));
    json_open(&json, "matches", "[");
    write_matches(search, &json);
    json_close(&json, "]");
    for (int relations = 0; relations < 2; relations++) {
        json_open(&json, relations ? "relations" : "pos", "[");
        for (size_t i = 0; i < found->name_count[relations]; i++) {
            const struct found_name *name = &found->names[relations][i];
            json_object(&json, NULL, JSON("name", name->name), JSON("found", name->found),
                        JSON("all", name->all));
        }
        json_close(&json, "]");
    }
    json_close(&json, "}\n");
}

static void write_csv(const void *what, FILE *stream)
{
    struct json_writer csv = csv_writer(stream);
    fputs(COLUMNS, stream);
    write_matches(what, &csv);
}

/* ---- The run ---- */

enum status find_run(struct program *program, struct error *error)
{
    struct search search = {.program = program};
    const char *json = program->options.files[FORMAT_JSON],
               *csv = program->options.files[FORMAT_CSV];
    enum status status = find(&search, error);
    if (status == STATUS_OK)
        status = writer_write(json, write_json, &search, error);
    if (status == STATUS_OK)
        status = writer_write(csv, write_csv, &search, error);
    if (status == STATUS_OK)
        status = writer_write(json || csv ? NULL : "-", write_text, &search, error);
    found_free(search.found);
    return status;
}
