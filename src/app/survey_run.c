/* survey_run.c: what a survey or an index needs around it: the model that it is of, texts that go
 * through it together, files that are there already, files that are merged. */

#include "headlight/app/texts_run.h"
#include "headlight/survey/gather.h"
#include "headlight/survey/question_sums.h"
#include "headlight/survey/survey_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Texts -------------------------------------------------------------------------------- */

struct run {
    struct program *program;
    enum site site;
    struct corpus *corpus;
    struct survey *survey;
    struct index_writer *index; /* or */
    struct gather *gather;
    struct question_plan plan;    /* and besides, of each text by itself */
    size_t unasked, unasked_line; /* texts without an answer to ask for, and the first of them */
    bool unused;                  /* some have links, which no attention is asked for */
};

/* A survey without texts of a corpus, the part of it that --shard says; an index begins as one. In
 * words it has what else decides about the sums, ", columns text, sample 100, seed 7"; of changes
 * of the network those that name tokens, as they were given. */
static enum status begin(struct run *run, struct error *error)
{
    static const enum state_field named[] = {FIELD_HIDE, FIELD_CUT, FIELD_MASK};
    const struct program *program = run->program;
    const struct options *options = &program->options;
    struct buffer words;
    if (!buffer_open(&words))
        return error_memory(error, "the survey", sizeof words);
    if (options->choice.columns)
        fprintf(words.stream, ", columns %s", options->choice.columns);
    if (options->choice.sample > 0)
        fprintf(words.stream, ", sample %" PRIu64, options->choice.sample);
    if (options->choice.seed > 0)
        fprintf(words.stream, ", seed %" PRIu64, options->choice.seed);
    if (options->truncate)
        fputs(", long texts truncated", words.stream);
    if (options_gave(options, "stride"))
        fprintf(words.stream, ", windows that share %zu tokens", options->stride);
    if (options->each_head)
        fputs(", each head", words.stream);
    if (options->against)
        fprintf(words.stream, ", against %s", program->against.name);
    for (size_t i = 0; i < LENGTH(named); i++)
        if (options->values[named[i]])
            fprintf(words.stream, ", %s %s", field_info(named[i])->name, options->values[named[i]]);
    char *described = buffer_close(&words);
    const struct gather_plan plan = {.site = run->site,
                                     .corpus = corpus_name(run->corpus),
                                     .part = options->choice.part,
                                     .parts = options->choice.parts,
                                     .options = described,
                                     .changes = &program->changes,
                                     .each_head = options->each_head,
                                     .against = options->against ? &program->against : NULL,
                                     .index = options->command == COMMAND_INDEX};
    const enum status status = described
                                   ? gather_begin(&program->checkpoint, &plan, &run->survey, error)
                                   : error_memory(error, "the survey", sizeof words);
    free(described);
    return status;
}

/* What lacks some heads or tokens of a text can't go on. */
static enum status add_piece(void *context, const struct texts_piece *piece, struct error *error)
{
    struct run *run = context;
    const struct interventions *changes = &run->program->changes;
    struct question_sums sums = {0};
    const struct corpus_text text = texts_piece_text(piece);
    const struct checkpoint *checkpoint = &run->program->checkpoint;
    const bool links = run->site == SITE_CROSS;
    struct encoding *target = NULL;
    enum status status = links ? survey_check_links(&text, error) : STATUS_OK;
    if (status == STATUS_OK && (links || run->site == SITE_DECODER))
        status = gather_encode_target(checkpoint, &text, run->plan.special, &target, error);
    if (status == STATUS_OK)
        status = texts_run_change(run->program, piece, error);
    if (status == STATUS_OK && run->gather && run->site == SITE_ONLY)
        status = question_sums_measure(&run->plan, &text, piece->encoding, &sums, error);
    if (status != STATUS_OK) {
        free(piece->encoding);
        free(target);
        return status;
    }
    run->unused |= run->site == SITE_ONLY && text.alignment.bytes;
    if (run->plan.each_head && !sums.effects && run->unasked++ == 0)
        run->unasked_line = text.line;
    question_sums_add(run->survey, &sums);
    question_sums_free(&sums);
    status = run->gather ? gather_add(run->gather, &text, piece->encoding, target, changes, error)
                         : index_add(run->index, &text, piece->encoding, changes, error);
    return texts_run_end_with(status, error);
}

/* All texts; those that were passed over are counted. Where all were, nothing is written, unless it
 * is a shard, which may get no other; none at all are a survey, too. */
static enum status add_texts(struct run *run, struct error *error)
{
    struct texts_run texts = {.program = run->program,
                              .corpus = run->corpus,
                              .progress = isatty(STDERR_FILENO),
                              .context = run,
                              .act = add_piece};
    if (texts_run(&texts, error) != STATUS_OK)
        return error->status;
    survey_count_refused(run->survey, texts.too_long, texts.refused);
    const bool none = texts.done > 0 && texts.done == texts.too_long + texts.refused;
    return !none || run->program->options.choice.parts > 1
               ? STATUS_OK
               : error_set(error, STATUS_FORMAT,
                           "%s: expected texts that can be used, found none: nothing is written",
                           corpus_name(run->corpus));
}

/* ---- Files -------------------------------------------------------------------------------- */

enum status survey_run_write(const struct options *options, const struct survey *survey,
                             const char *path, struct error *error)
{
    if ((path && survey_write(survey, path, error) != STATUS_OK) ||
        writer_write(options->files[FORMAT_JSON], survey_write_json, survey, error) != STATUS_OK)
        return error->status;
    return writer_write(options->files[FORMAT_CSV], survey_write_csv, survey, error);
}

/* Whether the file is there and whole. One that can't be read is made anew; one of something else,
 * be it of another model, other options or another part of a corpus, is an error. */
static enum status look_for_file(const struct survey *survey, const char *path, bool *found,
                                 struct error *error)
{
    struct survey *there;
    struct error why = {.status = STATUS_OK};
    *found = false;
    if (!file_exists(path) || survey_read(path, &there, &why) != STATUS_OK)
        return STATUS_OK;
    *found = survey_compare(survey, there, &why) == STATUS_OK &&
             survey_count(there, ROW_SHARD) == 1 &&
             survey_compare_keys(&survey_at(survey, ROW_SHARD, 0)->key,
                                 &survey_at(there, ROW_SHARD, 0)->key) == 0;
    survey_free(there);
    if (*found)
        return STATUS_OK;
    return error_set(error, STATUS_MISMATCH,
                     "%s: --keep expected a survey of the same, found another: %s", path,
                     why.status == STATUS_OK ? "it is of other texts" : why.message);
}

/* ---- Commands ----------------------------------------------------------------------------- */

/* A name that can't be written is refused before hours of texts instead of after. */
static enum status make_survey(struct run *run, struct error *error)
{
    struct program *program = run->program;
    const struct options *options = &program->options;
    struct writer writer;
    char note[600];
    bool found = false;
    run->plan = (struct question_plan){.checkpoint = &program->checkpoint,
                                       .against = options->against ? &program->against : NULL,
                                       .each_head = options->each_head,
                                       .special = !field_is_on(options->values[FIELD_RAW_TEXT]),
                                       .changes = &program->changes,
                                       .masked = &program->masked};
    if (question_plan_check(&run->plan, error) != STATUS_OK || begin(run, error) != STATUS_OK ||
        (options->resume &&
         look_for_file(run->survey, options->output, &found, error) != STATUS_OK))
        return error->status;
    if (found) {
        format_cut(note, sizeof note, "%s is already complete; kept as it is", options->output);
        program->say(note);
        return STATUS_OK;
    }
    if (writer_open(&writer, options->output, error) != STATUS_OK)
        return error->status;
    writer_abort(&writer);
    if (gather_new(&program->checkpoint, run->survey, &run->gather, error) != STATUS_OK ||
        add_texts(run, error) != STATUS_OK || gather_end(run->gather, error) != STATUS_OK)
        return error->status;
    format_cut(note, sizeof note,
               "no effects of %zu of %" PRId64
               " texts, the first in line %zu: they have nothing to "
               "ask for, such as a word that is one piece",
               run->unasked, survey_total(run->survey, SURVEY_TEXTS), run->unasked_line);
    if (run->unasked > 0)
        program->say(note);
    format_cut(note, sizeof note, "\"alignment\" is not used: %s has no cross-attention",
               program->checkpoint.name);
    if (run->unused)
        program->say(note);
    return survey_run_write(options, run->survey, options->output, error);
}

/* Of "3,7,5.1". */
static enum status make_index(struct run *run, struct error *error)
{
    const struct options *options = &run->program->options;
    struct index_space spaces[INDEX_SPACES_MAX];
    size_t count = 0;
    const char *at = options->out.layers;
    do
        at = index_read_space(at, &spaces[count++]);
    while (at && *at++ == ',' && count < INDEX_SPACES_MAX);
    if (!at || at[-1])
        return error_usage(error,
                           "--only: expected up to %d layers, and heads as layer.head, such as "
                           "3,7,5.1, found \"%s\"",
                           INDEX_SPACES_MAX, options->out.layers);
    if (begin(run, error) != STATUS_OK ||
        index_new(&run->program->checkpoint, run->survey, options->output, spaces, count,
                  &run->index, error) != STATUS_OK ||
        add_texts(run, error) != STATUS_OK)
        return error->status;
    return index_end(run->index, error);
}

enum status survey_run(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    struct run run = {.program = program};
    const char *site = options->values[FIELD_SITE];
    const bool one = !program->checkpoint.decoder;
    for (run.site = one ? SITE_ONLY : SITE_ENCODER; run.site < SITE_COUNT; run.site++)
        if (strcmp(site ? site : site_words[SITE_CROSS].name, site_words[run.site].name) == 0)
            break;
    if (one && site)
        return error_usage(error,
                           "--site %s: expected an encoder–decoder, such as --model dates, found a "
                           "model of one stack of layers",
                           site);
    enum status status = corpus_open(options->corpus, &options->choice, &run.corpus, error);
    if (status == STATUS_OK)
        status = texts_run_check(program, error);
    if (status == STATUS_OK)
        status =
            options->command == COMMAND_SURVEY ? make_survey(&run, error) : make_index(&run, error);
    gather_free(run.gather);
    index_free(run.index);
    survey_free(run.survey);
    corpus_close(run.corpus);
    return status;
}

/* Names the shards of the corpus of one, `have`, that are not there: "dev.conllu: lacks 2 of 4
 * shards: 1, 3". */
static bool say_lacking(const struct program *program, const struct survey *survey, size_t have)
{
    const struct survey_key *key = &survey_at(survey, ROW_SHARD, have)->key;
    const size_t end = survey_corpus_end(survey, have);
    const int64_t parts = key->numbers[1], missing = parts - (int64_t)(end - have);
    char note[300];
    const char *before = ": ";
    if (missing == 0)
        return false;
    format_cut(note, sizeof note, "%s: lacks %" PRId64 " of %" PRId64 " shards",
               key->names[0].bytes, missing, parts);
    for (int64_t part = 0; part < parts && strlen(note) < sizeof note - 30; part++) {
        if (have < end && survey_at(survey, ROW_SHARD, have)->key.numbers[0] == part) {
            have++;
            continue;
        }
        format_add(note, sizeof note, "%s%" PRId64, before, part);
        before = ", ";
    }
    program->say(note);
    return true;
}

enum status survey_run_merge(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    struct survey *sum = NULL, *other;
    enum status status = survey_read(options->paths[0], &sum, error);
    for (size_t i = 1; i < options->path_count && status == STATUS_OK; i++) {
        status = survey_read(options->paths[i], &other, error);
        if (status != STATUS_OK)
            break;
        status = survey_merge(sum, other, error);
        survey_free(other);
        if (status != STATUS_OK)
            error_set(error, status, "%s: %s", options->paths[i], error->message);
    }
    /* the name of a corpus doesn't tell that its texts are those of another */
    const size_t count = status == STATUS_OK ? survey_count(sum, ROW_SHARD) : 0;
    for (size_t i = 0; i < count * count && status == STATUS_OK; i++) {
        const struct survey_row *one = survey_at(sum, ROW_SHARD, i / count),
                                *same = survey_at(sum, ROW_SHARD, i % count);
        if (i / count < i % count && one->numbers[SURVEY_TEXTS] > 0 &&
            memcmp(one->numbers, same->numbers, (SURVEY_DIGEST + 1) * sizeof *one->numbers) == 0)
            status = error_set(error, STATUS_MISMATCH,
                               "%s: expected other texts than those of %s, found the same: leave "
                               "one of the surveys out",
                               same->key.names[0].bytes, one->key.names[0].bytes);
    }
    for (size_t i = 0; status == STATUS_OK && i < survey_count(sum, ROW_SHARD);
         i = survey_corpus_end(sum, i))
        program->refused += say_lacking(program, sum, i);
    if (status == STATUS_OK)
        status = survey_run_write(options, sum, options->output, error);
    survey_free(sum);
    return status;
}
