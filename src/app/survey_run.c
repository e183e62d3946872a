/* survey_run.c: what a survey needs around it: the model that it is of, texts that go through it
 * together, files that are there already, files that are merged. */
#include "headlight/app/survey_run.h"

#include "headlight/app/texts_run.h"
#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/base/writer.h"
#include "headlight/model/batch.h"
#include "headlight/survey/survey_file.h"
#include "headlight/tensor/kernels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Which model, and how ------------------------------------------------------------------ */

/* Every piece and a line end, by their ids: of a WordPiece model the digest of its vocab.txt. */
static void digest_pieces(const struct tokenizer *tokenizer, char digest[SHA256_DIGITS + 1])
{
    struct sha256 hash;
    sha256_begin(&hash);
    for (size_t id = 0; id < tokenizer_size(tokenizer); id++) {
        const char *piece = tokenizer_piece(tokenizer, (int32_t)id);
        sha256_add(&hash, piece ? piece : "", piece ? strlen(piece) : 0);
        sha256_add(&hash, "\n", 1);
    }
    sha256_end(&hash, digest);
}

/* What else decides about the sums, in words: "sample 100 seed 7, double precision". */
static void describe(const struct options *options, char *words, size_t size)
{
    words[0] = '\0';
    if (options->choice.sample > 0)
        format_add(words, size, ", sample %" PRIu64 " seed %" PRIu64, options->choice.sample,
                   options->choice.seed);
    if (options->truncate)
        format_add(words, size, ", long texts truncated");
    if (options->precision == PRECISION_DOUBLE)
        format_add(words, size, ", double precision");
}

static enum status name_origin(const struct program *program, struct survey_origin *origin,
                               struct error *error)
{
    char model[SHA256_DIGITS + 1], pieces[SHA256_DIGITS + 1], words[120];
    model_digest(program->checkpoint.model, model);
    digest_pieces(program->checkpoint.tokenizer, pieces);
    describe(&program->options, words, sizeof words);
    const bool precise = program->options.precision == PRECISION_DOUBLE;
    origin->model = memory_print(error, "%s", program->checkpoint.name);
    origin->digest = memory_print(error, "%s", model);
    origin->tokenizer = memory_print(error, "%s", pieces);
    origin->kernels = memory_print(error, "%s", precise ? "double" : kernels_now()->name);
    origin->options = memory_print(error, "%s", *words ? words + 2 : "");
    return origin->model && origin->digest && origin->tokenizer && origin->kernels &&
                   origin->options
               ? STATUS_OK
               : error->status;
}

/* The one corpus of a survey that begins: the part of it that --shard says. */
static enum status name_corpus(const struct options *options, const struct corpus *texts,
                               struct survey *survey, struct error *error)
{
    struct survey_corpus *corpus = memory_new(1, sizeof *corpus, 0, "the survey", error);
    if (!corpus)
        return error->status;
    survey->corpora = corpus;
    survey->corpus_count = 1;
    corpus->parts = options->choice.parts > 0 ? options->choice.parts : 1;
    corpus->name = memory_print(error, "%s", corpus_name(texts));
    corpus->shards = memory_new(1, sizeof *corpus->shards, 0, "the survey", error);
    if (!corpus->name || !corpus->shards)
        return error->status;
    corpus->shards[corpus->shard_count++] = options->choice.part;
    return STATUS_OK;
}

static enum status begin_survey(const struct program *program, const struct corpus *texts,
                                struct survey **survey, struct error *error)
{
    const struct config *config = model_config(program->checkpoint.model);
    if (survey_new(config->layers, config->heads, survey, error) != STATUS_OK ||
        name_origin(program, &(*survey)->origin, error) != STATUS_OK ||
        name_corpus(&program->options, texts, *survey, error) != STATUS_OK)
        return error->status;
    return STATUS_OK;
}

/* ---- Texts -------------------------------------------------------------------------------- */

/* Texts wait until they are enough for a pass together. */
#define WAITING_MAX 512

struct waiting {
    struct encoding *encoding;
    struct survey_prepared *prepared;
    int32_t *ids; /* [2T]: ids, segments */
};

struct run {
    struct program *program;
    struct survey *survey;
    struct batch batch;
    struct waiting waiting[WAITING_MAX];
    size_t count, tokens; /* of those that wait */
};

static void take_weights(void *context, size_t text, const struct trace *trace, size_t layer,
                         size_t head)
{
    const struct run *run = context;
    survey_add_head(run->survey, run->waiting[text].prepared, layer, head,
                    trace->layer[layer].weights + head * trace->tokens * trace->tokens);
}

/* Sums that lack some heads of a text can't go on: whatever went wrong ends the run, though it may
 * be of one text alone. */
static enum status end_with(struct error *error)
{
    const struct error inner = *error;
    return texts_run_is_of_one(error->status)
               ? error_set(error, STATUS_UNSUPPORTED, "%s", inner.message)
               : error->status;
}

/* Finishes the texts that wait, in any case; computes them first if `wanted`. */
static enum status compute_waiting(struct run *run, bool wanted, struct error *error)
{
    struct batch_text texts[WAITING_MAX];
    struct error later;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < run->count; i++) {
        const struct waiting *text = &run->waiting[i];
        const size_t T = text->encoding->count;
        texts[i] = (struct batch_text){"a text", text->ids, text->ids + T, T};
    }
    if (wanted && run->count > 0)
        status = batch_run(&run->batch, texts, run->count, error);
    for (size_t i = 0; i < run->count; i++) {
        const bool fine = survey_finish(run->survey, run->waiting[i].prepared, &later) == STATUS_OK;
        if (!fine && status == STATUS_OK) {
            *error = later;
            status = later.status;
        }
        free(run->waiting[i].ids);
        free(run->waiting[i].encoding);
    }
    run->count = run->tokens = 0;
    return status == STATUS_OK ? STATUS_OK : end_with(error);
}

/* Owns the encoding from here on. */
static enum status wait_for_others(struct run *run, struct encoding *encoding,
                                   struct survey_prepared *prepared, struct error *error)
{
    const size_t T = encoding->count;
    struct waiting *text = &run->waiting[run->count++];
    *text = (struct waiting){encoding, prepared,
                             memory_new(2 * T, sizeof *text->ids, 0, "a text", error)};
    run->tokens += T;
    if (!text->ids)
        return error->status;
    for (size_t t = 0; t < T; t++) {
        text->ids[t] = encoding->tokens[t].id;
        text->ids[T + t] = encoding->tokens[t].type;
    }
    return run->count < WAITING_MAX && run->tokens < batch_rows()
               ? STATUS_OK
               : compute_waiting(run, true, error);
}

static enum status add_piece(void *context, const struct texts_piece *piece, struct error *error)
{
    struct run *run = context;
    struct survey_prepared *prepared;
    struct corpus_text text = *piece->text;
    memcpy(text.texts, piece->texts, sizeof text.texts);
    if (piece->windows > 1) /* whose words are what blanks separate */
        text.words = NULL;
    if (survey_prepare(run->survey, 0, &text, run->program->checkpoint.tokenizer, piece->encoding,
                       &prepared, error) != STATUS_OK) {
        free(piece->encoding);
        return end_with(error);
    }
    return wait_for_others(run, piece->encoding, prepared, error);
}

/* The sums of all texts; those that were passed over are counted. */
static enum status add_texts(struct run *run, struct corpus *corpus,
                             void (*say)(const char *message), struct error *error)
{
    struct texts_run texts = {.program = run->program,
                              .corpus = corpus,
                              .say = say,
                              .progress = isatty(STDERR_FILENO),
                              .context = run,
                              .act = add_piece};
    enum status status = texts_run(&texts, error);
    struct survey *survey = run->survey;
    survey->too_long = survey->corpora->too_long = (int64_t)texts.too_long;
    survey->refused = survey->corpora->refused = (int64_t)texts.refused;
    struct error later;
    if (compute_waiting(run, status == STATUS_OK, status == STATUS_OK ? error : &later) !=
            STATUS_OK &&
        status == STATUS_OK)
        status = error->status;
    return status == STATUS_OK ? survey_sort(survey, error) : status;
}

/* ---- Files -------------------------------------------------------------------------------- */

static enum status write_json(const struct survey *survey, const char *path, struct error *error)
{
    struct writer writer;
    if (writer_open_output(&writer, path, error) != STATUS_OK)
        return error->status;
    if (survey_write_json(survey, writer.stream, error) == STATUS_OK)
        return writer_commit(&writer, error);
    writer_abort(&writer);
    return error->status;
}

static enum status write_csv(const struct survey *survey, const char *path, struct error *error)
{
    struct writer writer;
    if (writer_open_output(&writer, path, error) != STATUS_OK)
        return error->status;
    survey_write_csv(survey, writer.stream);
    return writer_commit(&writer, error);
}

/* The file, if it has a name, and what else the options ask for. */
static enum status write_files(const struct options *options, const struct survey *survey,
                               const char *path, struct error *error)
{
    const char *json = options->files[FORMAT_JSON], *csv = options->files[FORMAT_CSV];
    if ((path && survey_write(survey, path, error) != STATUS_OK) ||
        (json && write_json(survey, json, error) != STATUS_OK) ||
        (csv && write_csv(survey, csv, error) != STATUS_OK))
        return error->status;
    return STATUS_OK;
}

/* Of the same model, options and part of the same corpus. */
static bool is_same(const struct survey *a, const struct survey *b, struct error *error)
{
    const struct survey_corpus *here = a->corpora, *there = b->corpora;
    if (survey_compare(a, b, error) != STATUS_OK)
        return false;
    return b->corpus_count == 1 && strcmp(here->name, there->name) == 0 &&
           here->parts == there->parts && there->shard_count == 1 &&
           here->shards[0] == there->shards[0];
}

/* Whether the file is there and whole. One that can't be read is made anew; one of something else
 * is an error. */
static enum status look_for_file(const struct survey *survey, const char *path, bool *found,
                                 struct error *error)
{
    struct survey *there;
    struct error why = {.status = STATUS_OK};
    *found = false;
    if (!file_exists(path) || survey_read(path, &there, &why) != STATUS_OK)
        return STATUS_OK;
    *found = is_same(survey, there, &why);
    survey_free(there);
    if (*found)
        return STATUS_OK;
    return error_set(error, STATUS_MISMATCH,
                     "%s: --resume expected a part of this survey, found another: %s", path,
                     why.status == STATUS_OK ? "it is of other texts" : why.message);
}

/* ---- Commands ----------------------------------------------------------------------------- */

static enum status make_survey(struct run *run, struct corpus *corpus,
                               void (*say)(const char *message), struct error *error)
{
    const struct options *options = &run->program->options;
    char note[600];
    bool found = false;
    if (begin_survey(run->program, corpus, &run->survey, error) != STATUS_OK ||
        (options->resume &&
         look_for_file(run->survey, options->survey, &found, error) != STATUS_OK))
        return error->status;
    if (found) {
        format_cut(note, sizeof note, "%s: is there, whole", options->survey);
        say(note);
        return STATUS_OK;
    }
    if (add_texts(run, corpus, say, error) != STATUS_OK)
        return error->status;
    return write_files(options, run->survey, options->survey, error);
}

enum status survey_run(struct program *program, void (*say)(const char *message),
                       struct error *error)
{
    const struct options *options = &program->options;
    struct corpus *corpus = NULL;
    struct run *run = memory_new(1, sizeof *run, 0, "the survey", error);
    if (!run)
        return error->status;
    run->program = program;
    run->batch = (struct batch){.model = program->checkpoint.model,
                                .take = {.context = run, .weights = take_weights},
                                .precision = options->precision};
    enum status status = corpus_open(options->corpus, &options->choice, &corpus, error);
    if (status == STATUS_OK)
        status = make_survey(run, corpus, say, error);
    batch_free(&run->batch);
    survey_free(run->survey);
    corpus_close(corpus);
    free(run);
    return status;
}

/* Names the shards that are not in it: "dev.conllu: lacks 2 of 4 shards: 1, 3". */
static bool say_lacking(const struct survey_corpus *corpus, void (*say)(const char *message))
{
    char note[300];
    size_t have = 0;
    const char *before = ": ";
    if (corpus->shard_count == corpus->parts)
        return false;
    format_cut(note, sizeof note, "%s: lacks %" PRIu64 " of %" PRIu64 " shards", corpus->name,
               corpus->parts - corpus->shard_count, corpus->parts);
    for (uint64_t part = 0; part < corpus->parts && strlen(note) < sizeof note - 30; part++) {
        if (have < corpus->shard_count && corpus->shards[have] == part) {
            have++;
            continue;
        }
        format_add(note, sizeof note, "%s%" PRIu64, before, part);
        before = ", ";
    }
    say(note);
    return true;
}

static enum status merge_file(struct survey **sum, const char *path, struct error *error)
{
    struct survey *survey;
    if (survey_read(path, &survey, error) != STATUS_OK)
        return error->status;
    if (!*sum) {
        *sum = survey;
        return STATUS_OK;
    }
    enum status status = survey_merge(*sum, survey, error);
    survey_free(survey);
    const struct error inner = *error;
    return status == STATUS_OK ? STATUS_OK
                               : error_set(error, status, "%s: %s", path, inner.message);
}

enum status survey_run_merge(struct program *program, void (*say)(const char *message),
                             struct error *error)
{
    const struct options *options = &program->options;
    struct survey *sum = NULL;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->path_count && status == STATUS_OK; i++)
        status = merge_file(&sum, options->paths[i], error);
    for (size_t i = 0; status == STATUS_OK && i < sum->corpus_count; i++)
        program->refused += say_lacking(&sum->corpora[i], say);
    if (status == STATUS_OK)
        status = write_files(options, sum, options->output, error);
    survey_free(sum);
    return status;
}

enum status survey_run_export(const struct options *options, struct error *error)
{
    struct survey *survey;
    if (survey_read(options->open, &survey, error) != STATUS_OK)
        return error->status;
    const enum status status = write_files(options, survey, NULL, error);
    survey_free(survey);
    return status;
}
