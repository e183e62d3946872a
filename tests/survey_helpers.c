/* survey_helpers.c: surveys for tests. */
#include "survey_helpers.h"

#include "headlight/base/format.h"
#include "headlight/survey/gather.h"
#include "headlight/survey/survey_file.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static char *copy(const char *text)
{
    char *result = strdup(text);
    ck_assert_ptr_nonnull(result);
    return result;
}

void survey_set_up(struct folder *folder, struct checkpoint *tiny)
{
    folder_make(folder);
    assert_ok(checkpoint_open(tiny, TINY_FOLDER, NULL, NULL, &error), error);
}

void survey_tear_down(struct folder *folder, struct checkpoint *tiny)
{
    checkpoint_close(tiny);
    folder_remove(folder);
}

struct survey_row *survey_test_row(struct survey *survey, enum survey_kind kind, const char *name,
                                   int64_t number, const char *second, int64_t last)
{
    const struct survey_key key = {.kind = kind,
                                   .names = {text_of_string(name), text_of_string(second)},
                                   .numbers = {number, last}};
    struct survey_row *row = survey_insert(survey, &key, &error);
    ck_assert_ptr_nonnull(row);
    return row;
}

int64_t *survey_test_numbers(const struct survey *survey, enum survey_kind kind, const char *name,
                             size_t head)
{
    for (size_t i = 0; i < survey_count(survey, kind); i++) {
        struct survey_row *row = survey_at(survey, kind, i);
        for (size_t n = 0; n < SURVEY_NAMES; n++)
            if (strcmp(row->key.names[n].bytes, name) == 0)
                return head == SIZE_MAX ? row->numbers : survey_of_head(row, head);
    }
    ck_abort_msg("%s", name);
}

struct survey *survey_begin(const struct checkpoint *checkpoint, const char *name, uint64_t part,
                            uint64_t parts)
{
    const struct config *config = &checkpoint->model->config;
    struct survey *survey;
    assert_ok(survey_new(SITE_ONLY, config->layers, config->heads, &survey, &error), error);
    survey->origin = (struct survey_origin){.model = copy("model"),
                                            .digest = copy("0123"),
                                            .tokenizer = copy("4567"),
                                            .kernels = copy("kernels"),
                                            .options = copy("options")};
    survey_test_row(survey, ROW_SHARD, name, (int64_t)part, "", (int64_t)parts);
    return survey;
}

struct trace *survey_pass(const struct model *model, const struct encoding *encoding)
{
    const size_t T = encoding->count;
    struct trace *trace;
    int32_t *ids = calloc(2 * T, sizeof *ids);
    ck_assert_ptr_nonnull(ids);
    for (size_t t = 0; t < T; t++) {
        ids[t] = encoding->tokens[t].id;
        ids[T + t] = encoding->tokens[t].type;
    }
    assert_ok(forward_prepare(model, NULL, ids, ids + T, T, false, &trace, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    free(ids);
    return trace;
}

void survey_add_text(struct survey *survey, const struct checkpoint *checkpoint,
                     const struct corpus_text *text)
{
    struct encoding *encoding;
    struct text_rows *rows;
    assert_ok(tokenizer_encode(checkpoint->tokenizer, text->texts, text->text_count, true,
                               &encoding, &error),
              error);
    if (encoding->count > checkpoint->model->config.positions) {
        survey_at(survey, ROW_SHARD, 0)->numbers[SURVEY_TOO_LONG]++;
        free(encoding);
        return;
    }
    assert_ok(survey_prepare(survey, text, checkpoint->tokenizer, encoding, NULL, &rows, &error),
              error);
    struct trace *trace = survey_pass(checkpoint->model, encoding);
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t a = 0; a < trace->heads; a++)
            survey_add_head(survey, rows, trace, l, a);
    free(trace);
    assert_ok(survey_finish(survey, rows, &error), error);
    free(encoding);
}

struct survey *survey_of(const struct checkpoint *checkpoint, const char *path, uint64_t first,
                         uint64_t part, uint64_t parts)
{
    const struct corpus_choice choice = {.part = part, .parts = parts};
    const struct corpus_text *text;
    struct corpus *corpus;
    assert_ok(corpus_open(path, &choice, &corpus, &error), error);
    struct survey *survey = survey_begin(checkpoint, corpus_name(corpus), part, parts);
    for (;;) {
        assert_ok(corpus_next(corpus, &text, &error), error);
        if (!text || text->number >= first)
            break;
        survey_add_text(survey, checkpoint, text);
    }
    corpus_close(corpus);
    return survey;
}

struct mapping survey_file(const struct survey *survey, struct folder *folder, const char *name)
{
    struct mapping mapping;
    char *path = in_folder(folder, name);
    assert_ok(survey_write(survey, path, &error), error);
    assert_ok(mapping_open(&mapping, path, &error), error);
    free(path);
    return mapping;
}

char *survey_as_json(const struct survey *survey)
{
    struct buffer buffer;
    ck_assert(buffer_open(&buffer));
    survey_write_json(survey, buffer.stream);
    char *json = buffer_close(&buffer);
    ck_assert_ptr_nonnull(json);
    return json;
}

const struct corpus_text *survey_next_text(const struct checkpoint *checkpoint,
                                           struct corpus *corpus, struct encoding **encoding)
{
    const struct corpus_text *text;

    for (;;) {
        assert_ok(corpus_next(corpus, &text, &error), error);
        if (!text)
            return NULL;
        assert_ok(tokenizer_encode(checkpoint->tokenizer, text->texts, text->text_count, true,
                                   encoding, &error),
                  error);
        if ((*encoding)->count <= checkpoint->model->config.positions)
            return text;
        free(*encoding);
    }
}

void survey_write_index(const struct checkpoint *checkpoint, const char *corpus, uint64_t part,
                        uint64_t parts, const struct index_space *spaces, size_t count,
                        const char *path)
{
    const struct corpus_choice choice = {.part = part, .parts = parts};
    const struct gather_plan plan = {
        .corpus = "first200.conllu", .part = part, .parts = parts, .options = "", .index = true};
    struct survey *survey;
    struct index_writer *writer;
    struct corpus *texts;
    struct encoding *encoding;
    const struct corpus_text *text;

    assert_ok(gather_begin(checkpoint, &plan, &survey, &error), error);
    assert_ok(index_new(checkpoint, survey, path, spaces, count, &writer, &error), error);
    assert_ok(corpus_open(corpus, &choice, &texts, &error), error);
    while ((text = survey_next_text(checkpoint, texts, &encoding)))
        assert_ok(index_add(writer, text, encoding, NULL, &error), error);
    corpus_close(texts);
    assert_ok(index_end(writer, &error), error);
    index_free(writer);
    survey_free(survey);
}
