/* Indexes: what is found against a search by hand in double precision, shards against the whole,
 * and files that are damaged. */
#include "faults.h"
#include "model_helpers.h"
#include "suites.h"
#include "survey_helpers.h"

#include "headlight/base/file.h"
#include "headlight/survey/gather.h"
#include "headlight/survey/index.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOP 50

static struct error error;
static struct folder folder;
static struct checkpoint tiny;

static void begin(void)
{
    survey_set_up(&folder, &tiny);
}

static void end(void)
{
    survey_tear_down(&folder, &tiny);
}

TESTS(.begin = begin, .end = end);

static struct index_space space_of(const char *text)
{
    struct index_space space;
    const char *rest = index_read_space(text, &space);
    ck_assert_msg(rest && !*rest, "%s", text);
    return space;
}

/* ---- Making them --------------------------------------------------------------------------- */

/* Both layers, and a head of the first. */
static struct index *make(const char *name, uint64_t part, uint64_t parts)
{
    const struct index_space spaces[] = {space_of("0"), space_of("1"), space_of("0.1")};
    struct index *index;
    char *path = in_folder(&folder, name);
    survey_write_index(&tiny, SURVEY_CORPUS, part, parts, spaces, COUNT(spaces), path);
    assert_ok(index_open(path, &index, &error), error);
    free(path);
    return index;
}

/* The vector of a token of the `number`-th text that isn't too long. */
static float *vector_of(const struct index_space *space, size_t number, size_t token)
{
    const struct corpus_choice choice = {.parts = 1};
    const size_t width = index_width(space, &tiny.model->config);
    float *vector = calloc(width, sizeof *vector);
    struct corpus *corpus;
    struct encoding *encoding = NULL;
    assert_ok(corpus_open(SURVEY_CORPUS, &choice, &corpus, &error), error);
    for (size_t i = 0; i <= number; i++) {
        free(encoding);
        ck_assert_ptr_nonnull(survey_next_text(&tiny, corpus, &encoding));
    }
    struct trace *trace = survey_pass(tiny.model, encoding);
    ck_assert_ptr_nonnull(vector);
    memcpy(vector, index_vector(space, trace, token), width * sizeof *vector);
    free(trace);
    free(encoding);
    corpus_close(corpus);
    return vector;
}

static struct found find(struct index *const *files, size_t count, const struct index_space *space,
                         const float *vector)
{
    struct found found = {
        .space = *space, .capacity = TOP, .best = calloc(TOP, sizeof *found.best)};
    ck_assert_ptr_nonnull(found.best);
    for (size_t i = 0; i < count; i++)
        assert_ok(
            index_find(files[i], vector, index_width(space, &tiny.model->config), &found, &error),
            error);
    return found;
}

/* ---- Against a search by hand -------------------------------------------------------------- */

static double cosine(const float *a, const float *b, size_t width)
{
    double product = 0, left = 0, right = 0;
    for (size_t i = 0; i < width; i++) {
        product += (double)a[i] * (double)b[i];
        left += (double)a[i] * (double)a[i];
        right += (double)b[i] * (double)b[i];
    }
    return product / sqrt(left * right);
}

static int downwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Of all tokens, each text computed by itself. */
static double *cosines_by_hand(const struct index_space *space, const float *vector, size_t tokens)
{
    const struct corpus_choice choice = {.parts = 1};
    const size_t width = index_width(space, &tiny.model->config);
    double *cosines = calloc(tokens, sizeof *cosines);
    struct corpus *corpus;
    struct encoding *encoding;
    size_t count = 0;
    ck_assert_ptr_nonnull(cosines);
    assert_ok(corpus_open(SURVEY_CORPUS, &choice, &corpus, &error), error);
    while (survey_next_text(&tiny, corpus, &encoding)) {
        struct trace *trace = survey_pass(tiny.model, encoding);
        for (size_t t = 0; t < trace->tokens; t++, count++) {
            ck_assert_uint_lt(count, tokens);
            cosines[count] = cosine(index_vector(space, trace, t), vector, width);
        }
        free(trace);
        free(encoding);
    }
    ck_assert_uint_eq(count, tokens);
    corpus_close(corpus);
    return cosines;
}

/* Each cosine is right within what F16 rounds, and none that is larger is missing. */
TEST(what_is_found_is_most_alike, .times = 3)
{
    static const char *const spaces[] = {"0", "1", "0.1"};
    const struct index_space space = space_of(spaces[_i]);
    struct index *whole = make("whole", 0, 1);
    float *vector = vector_of(&space, 7, 3);
    double *cosines = cosines_by_hand(&space, vector, whole->tokens);
    struct found found = find(&whole, 1, &space, vector);
    ck_assert_uint_eq(found.count, TOP);
    for (size_t i = 0; i < TOP; i++)
        ck_assert_double_eq_tol((double)found.best[i].cosine, cosines[found.best[i].at], 5e-4);
    qsort(cosines, whole->tokens, sizeof *cosines, downwards);
    ck_assert_double_eq_tol(cosines[0], 1, 1e-6);
    for (size_t i = 0; i < TOP; i++)
        ck_assert_double_eq_tol((double)found.best[i].cosine, cosines[i], 5e-4);
    free(cosines);
    free(found.best);
    free(vector);
    index_close(whole);
}

/* ---- Tokens -------------------------------------------------------------------------------- */

/* All of them in the order of the file, with what the corpus says of their words. */
TEST(a_token_is_told_with_its_text)
{
    const struct corpus_choice choice = {.parts = 1};
    struct index *whole = make("whole", 0, 1);
    struct index_match match = {.index = whole};
    const struct index_token *token = &match.token;
    struct corpus *corpus;
    struct encoding *encoding;
    const struct corpus_text *text;
    size_t named = 0;
    assert_ok(corpus_open(SURVEY_CORPUS, &choice, &corpus, &error), error);
    while ((text = survey_next_text(&tiny, corpus, &encoding))) {
        for (size_t t = 0; t < encoding->count; t++, match.at++) {
            const struct token *from = &encoding->tokens[t];
            assert_ok(index_read_token(&match, &error), error);
            ck_assert_str_eq(match.id, text->id);
            ck_assert_uint_eq(strlen(match.words), text->texts[0].length);
            ck_assert_mem_eq(match.words, text->texts[0].bytes, text->texts[0].length);
            ck_assert_int_eq(match.number, (int64_t)text->number);
            ck_assert_int_eq(token->piece, from->id);
            ck_assert_uint_eq((size_t)token->at, t);
            ck_assert_uint_eq((size_t)token->begin, from->span.start);
            ck_assert_uint_eq((size_t)token->end, from->span.end);
            ck_assert_int_eq(from->added, !match.pos);
            named += match.pos && match.relation;
        }
        free(encoding);
    }
    ck_assert_uint_eq(match.at, whole->tokens);
    ck_assert_uint_gt(named, whole->tokens / 2);
    match.at = 1;
    assert_ok(index_read_token(&match, &error), error);
    ck_assert_str_eq(match.words + token->begin, "From the AP comes this story :");
    ck_assert_str_eq(match.pos, "ADP");
    ck_assert_str_eq(match.relation, "case");
    corpus_close(corpus);
    index_close(whole);
}

/* ---- Shards -------------------------------------------------------------------------------- */

static void assert_same(struct index_match *a, struct index_match *b)
{
    assert_ok(index_read_token(a, &error), error);
    assert_ok(index_read_token(b, &error), error);
    ck_assert_mem_eq(&a->cosine, &b->cosine, sizeof a->cosine);
    ck_assert_str_eq(a->id, b->id);
    ck_assert_int_eq(a->token.at, b->token.at);
}

/* In any order, and with equal cosines: all first tokens are of the same embedding, but for what
 * they attend to; of a vector of zeros all are equal. */
TEST(shards_find_what_the_whole_does)
{
    const struct index_space space = space_of("1");
    struct index *whole = make("whole", 0, 1);
    struct index *shards[] = {make("2", 2, 3), make("0", 0, 3), make("1", 1, 3)};
    float *vector = vector_of(&space, 11, 5);
    ck_assert_uint_eq(whole->tokens, shards[0]->tokens + shards[1]->tokens + shards[2]->tokens);
    for (int zero = 0; zero < 2; zero++) {
        struct found one = find(&whole, 1, &space, vector);
        struct found several = find(shards, 3, &space, vector);
        ck_assert_uint_eq(several.count, TOP);
        for (size_t i = 0; i < TOP; i++)
            assert_same(&one.best[i], &several.best[i]);
        free(one.best);
        free(several.best);
        memset(vector, 0, index_width(&space, &tiny.model->config) * sizeof *vector);
    }
    for (size_t i = 0; i < 3; i++)
        index_close(shards[i]);
    free(vector);
    index_close(whole);
}

/* ---- Files --------------------------------------------------------------------------------- */

/* The file with a number of its first token replaced. */
static enum status open_damaged(const struct index *whole, size_t member, int32_t number)
{
    const char *path = "damaged";
    char *copy = malloc(whole->file->size), *name = in_folder(&folder, path);
    struct index *index = NULL;
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, whole->file->bytes, whole->file->size);
    memcpy(copy + (whole->token_rows - whole->file->bytes) + member, &number, sizeof number);
    folder_write(&folder, path, copy, whole->file->size);
    enum status status = index_open(name, &index, &error);
    if (status == STATUS_OK)
        status = index_read_token(&(struct index_match){.index = index}, &error);
    index_close(index);
    free(name);
    free(copy);
    return status;
}

TEST(damaged_files_are_refused)
{
    static const size_t members[] = {
        offsetof(struct index_token, text), offsetof(struct index_token, begin),
        offsetof(struct index_token, pos), offsetof(struct index_token, relation)};
    struct index *whole = make("whole", 0, 1);
    const char *bytes = (const char *)whole->file->bytes;
    char *path = in_folder(&folder, "damaged");
    struct index *index;
    for (size_t i = 0; i < COUNT(members); i++) {
        ck_assert_int_eq(open_damaged(whole, members[i], -16), STATUS_FORMAT);
        ck_assert_int_eq(open_damaged(whole, members[i], INT32_MAX), STATUS_FORMAT);
    }
    ck_assert_ptr_nonnull(strstr(error.message, "damaged: expected tokens of its texts, found"));
    ck_assert_int_eq(open_damaged(whole, offsetof(struct index_token, piece), -1), STATUS_FORMAT);
    for (size_t cut = 0; cut < whole->file->size; cut += whole->file->size / 37) {
        folder_write(&folder, "damaged", bytes, cut);
        ck_assert_int_ne(index_open(path, &index, &error), STATUS_OK);
        ck_assert_ptr_null(index);
        ck_assert_ptr_nonnull(strstr(error.message, path));
    }
    assert_fails(index_open(TINY_FOLDER "/model.safetensors", &index, &error), STATUS_FORMAT,
                 "expected an index, found other tensors: headlight index writes one", error);
    free(path);
    index_close(whole);
}

/* An infinity, and a number that makes a vector longer than 1: cosines would be none. */
TEST(vectors_that_are_not_of_length_1_are_refused, .times = 3)
{
    static const uint16_t wrong[] = {0x7C00 /* infinite */, 0xFC00, 0x5000 /* 32 */};
    const struct index_space space = space_of("0");
    const size_t width = index_width(&space, &tiny.model->config);
    struct index *whole = make("whole", 0, 1), *damaged;
    struct index_match match;
    struct found found = {.space = space, .capacity = 1, .best = &match};
    const size_t size = whole->file->size;
    const size_t at =
        (size_t)(safetensors_find(whole->file, space.name)->data - whole->file->bytes);
    unsigned char *bytes = malloc(size);
    float *vector = calloc(width, sizeof *vector);
    char *path = in_folder(&folder, "damaged");
    ck_assert(bytes && vector);
    memcpy(bytes, whole->file->bytes, size);
    memcpy(bytes + at, &wrong[_i], sizeof *wrong);
    folder_write(&folder, "damaged", bytes, size);
    assert_ok(index_open(path, &damaged, &error), error);
    vector[0] = 1;
    assert_fails(index_find(damaged, vector, width, &found, &error), STATUS_FORMAT,
                 "expected vectors of length 1", error);
    index_close(damaged);
    index_close(whole);
    free(bytes);
    free(vector);
    free(path);
}

/* What a file lacks, and what a model does. */
TEST(what_is_not_there_is_said)
{
    const struct index_space spaces[] = {space_of("3"), space_of("0.9"), space_of("1.1")};
    const struct gather_plan plan = {"first200.conllu", 0,   1, "", NULL, false, NULL, true,
                                     SITE_ONLY,         NULL};
    struct index *whole = make("whole", 0, 1);
    struct survey *survey;
    struct index_writer *writer;
    struct found found = {.space = spaces[2]};
    char *path = in_folder(&folder, "a");
    const float zeros[64] = {0};
    assert_fails(
        index_find(whole, zeros, index_width(&spaces[2], &tiny.model->config), &found, &error),
        STATUS_MISMATCH, "expected vectors \"head.1.1\"", error);
    assert_ok(gather_begin(&tiny, &plan, &survey, &error), error);
    for (size_t i = 0; i < 2; i++) {
        assert_fails(index_new(&tiny, survey, path, &spaces[i], 1, &writer, &error), STATUS_USAGE,
                     "--only: expected layers below 3", error);
        index_free(writer);
    }
    free(path);
    survey_free(survey);
    index_close(whole);
}

/* ---- Without memory, and killed ------------------------------------------------------------ */

static const struct index_space kept = {.layer = 0, .head = NO_HEAD, .name = "layer.0"};
static struct survey *begun;
static char *target;

/* A text of two words, whose annotation is new to the survey. */
static enum status add_one(struct index_writer *writer, struct error *failure)
{
    static const struct corpus_word words[] = {{{"the", 3}, {"DET", 3}, {"det", 3}, 1},
                                               {{"cat", 3}, {"NOUN", 4}, {"root", 4}, NO_WORD}};
    const struct corpus_text text = {.texts = {{"the cat", 7}},
                                     .text_count = 1,
                                     .id = "one",
                                     .number = 1,
                                     .words = words,
                                     .word_count = 2};
    struct encoding *encoding;
    if (tokenizer_encode(tiny.tokenizer, text.texts, 1, true, &encoding, failure) != STATUS_OK)
        return failure->status;
    return index_add(writer, &text, encoding, NULL, failure);
}

static enum status write_and_find(struct error *failure)
{
    const size_t width = index_width(&kept, &tiny.model->config);
    const struct gather_plan plan = {"one", 0, 1, "", NULL, false, NULL, true, SITE_ONLY, NULL};
    struct index_writer *writer = NULL;
    struct indexes indexes = {.count = 0};
    struct found *found = NULL;
    float vector[64] = {1};
    ck_assert_uint_le(width, COUNT(vector));
    enum status status = gather_begin(&tiny, &plan, &begun, failure);
    if (status == STATUS_OK)
        status = index_new(&tiny, begun, target, &kept, 1, &writer, failure);
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = add_one(writer, failure);
    if (status == STATUS_OK)
        status = index_end(writer, failure);
    index_free(writer);
    if (status == STATUS_OK)
        status = indexes_open(&indexes, target, NULL, 0, failure);
    if (status == STATUS_OK)
        status = found_new(&indexes, &kept, vector, width, TOP, &found, failure);
    ck_assert(status != STATUS_OK || found->count == 8);
    found_free(found);
    indexes_close(&indexes);
    survey_free(begun);
    begun = NULL;
    return status;
}

/* Of a file there is all or nothing. */
static void check_no_half(void)
{
    struct index *index;
    if (!file_named(target))
        return;
    assert_ok(index_open(target, &index, &error), error);
    index_close(index);
    ck_assert_int_eq(remove(target), 0);
}

TEST(without_memory_there_is_no_half_file, .skipped = !faults_work())
{
    target = in_folder(&folder, "target");
    faults_try(&(struct trial){.name = "write an index and search it",
                               .act = write_and_find,
                               .check_failed = check_no_half,
                               .stride = 8});
    free(target);
}

/* What a kill leaves, so that the folder can be removed. */
static void remove_temporary(void)
{
    DIR *directory = opendir(folder.path);
    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char *path = in_folder(&folder, entry->d_name);
        if (strncmp(entry->d_name, ".headlight-", 11) == 0)
            ck_assert_int_eq(unlink(path), 0);
        free(path);
    }
    closedir(directory);
}

/* At each write, and when it is moved to its place. */
TEST(a_kill_leaves_an_index_or_none, .skipped = !faults_work())
{
    static const enum fault_kind kinds[] = {FAULT_WRITE, FAULT_SYNC, FAULT_RENAME};
    target = in_folder(&folder, "target");
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const pid_t child = fork();
        int how;
        if (child == 0) {
            faults_begin(&(struct fault){.kind = kinds[i], .nth = 1, .kills = true});
            write_and_find(&error);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(child, &how, 0), child);
        ck_assert(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
        ck_assert(!file_named(target));
        remove_temporary();
        assert_ok(write_and_find(&error), error);
        ck_assert_int_eq(remove(target), 0);
    }
    free(target);
}
