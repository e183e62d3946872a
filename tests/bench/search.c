/* search.c: what a search in an index costs, once its vectors are in memory. */
#include "bench.h"

#include "headlight/base/memory.h"
#include "headlight/survey/index.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"

#include <string.h>

#define WIDTH 768
#define BEST  50

/* A file of one array in memory: halves of any sign between 1/32 and 1/16, as vectors of length one
 * have them. */
static unsigned char *make_vectors(size_t vectors, size_t *size)
{
    struct safetensors_header header;
    struct error error;
    uint64_t random = 88172645463325252u;
    const size_t shape[] = {vectors, WIDTH}, bytes = 2 * vectors * WIDTH;
    char *begin;
    safetensors_begin(&header);
    safetensors_add_tensor(&header, "layer.0", "F16", shape, 2);
    FILE *stream = open_memstream(&begin, size);
    if (!stream || safetensors_end(&header, stream, &error) != STATUS_OK || fclose(stream) != 0)
        fail("not enough memory");
    unsigned char *file = malloc(*size + bytes);
    if (!file)
        fail("not enough memory");
    memcpy(file, begin, *size);
    for (size_t at = *size; at < *size + bytes; at += sizeof random) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const uint64_t halves = (random & 0x83FF83FF83FF83FFu) | 0x2800280028002800u;
        memcpy(file + at, &halves, sizeof halves);
    }
    free(begin);
    *size += bytes;
    return file;
}

static void measure(const struct index *index, size_t threads, const struct effort *effort)
{
    const struct subject subject = {"index", index->tokens, threads};
    struct sample sample = {.count = 0};
    struct index_match matches[BEST];
    struct error error;
    float vector[WIDTH];
    for (size_t i = 0; i < WIDTH; i++)
        vector[i] = i % 2 ? 1 : -1;
    pool_set_size(threads);
    while (sample_more(&sample, effort)) {
        struct found found = {.space = index_space(0, NO_HEAD), .capacity = BEST, .best = matches};
        sample_begin(&sample);
        if (index_find(index, vector, WIDTH, &found, &error) != STATUS_OK)
            fail("%s", error.message);
        sample_end(&sample);
    }
    sample_print(&sample, &subject, "search of vectors of 768");
}

/* Equal cosines are told apart by tokens, of which there is no more than zeros. */
void search_measure(size_t vectors, const size_t *threads, size_t thread_count,
                    const struct effort *effort)
{
    const struct survey_key corpus = {.kind = ROW_SHARD, .names = {{"random", 6}}};
    struct index index = {.path = (char *)"memory", .tokens = vectors};
    struct error error;
    size_t size;
    if (memory_check(2.0 * WIDTH * (double)vectors, "it is left out", &error,
                     "bench: a search needs") != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return;
    }
    unsigned char *file = make_vectors(vectors, &size),
                  *tokens = calloc(vectors, sizeof(struct index_token));
    if (!tokens || safetensors_parse(file, size, "memory", &index.file, &error) != STATUS_OK)
        fail("not enough memory");
    if (survey_new(SITE_ONLY, 1, 1, &index.survey, &error) != STATUS_OK ||
        !survey_insert(index.survey, &corpus, &error))
        fail("%s", error.message);
    index.token_rows = tokens;
    for (size_t i = 0; i < thread_count; i++)
        measure(&index, threads[i], effort);
    safetensors_free(index.file);
    survey_free(index.survey);
    free(tokens);
    free(file);
}
