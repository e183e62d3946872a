/* bench.h: what the parts of the bench share: encoders, checkpoints with random weights, and how a
 * figure is taken from several runs.
 *
 *     struct sample sample = {.count = 0};
 *     while (sample_more(&sample, &effort)) {
 *         sample_begin(&sample);
 *         … what is measured …
 *         sample_end(&sample);
 *     } */
#pragma once

#include "headlight/model/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>

/* Says why and ends the bench; the checkpoint that it wrote is removed at exit. */
#define fail(...) (fprintf(stderr, "bench: " __VA_ARGS__), fputc('\n', stderr), exit(EXIT_FAILURE))

/* [CLS], two [SEP] and a word in each sentence. */
#define TOKENS_MIN 5
#define TOKENS_MAX 512

/* ---- Encoders ---- */

/* The built-in one, and others of the sizes of known ones. Letters as in config.h. */
struct encoder_shape {
    const char *name, *type;                                           /* type: "bert" */
    size_t layers, hidden, heads, feed_forward, vocabulary, positions; /* L H A F V */
    bool built_in;
    bool when_named; /* is left out unless asked for: a like one is measured anyway */
};

/* Writes a checkpoint with random weights into a temporary folder (TMPDIR), in place of the one
 * before, and returns its path; NULL for the built-in model. It is removed at any end but KILL. */
const char *checkpoint_write(const struct encoder_shape *shape);
void checkpoint_remove(void);

/* A sentence of so many words, each of which is one piece to every model here, the built-in one
 * included. The caller frees. */
char *sentence_of(size_t words);

/* ---- Figures ---- */

#define SAMPLE_MAX 200

struct sample {
    double times[SAMPLE_MAX]; /* milliseconds */
    size_t count;
    double started, total;
};

/* At least so many runs, and more while there is time left. */
struct effort {
    size_t least, most; /* runs, up to SAMPLE_MAX */
    double milliseconds;
};

bool sample_more(const struct sample *sample, const struct effort *effort);
void sample_begin(struct sample *sample);
void sample_end(struct sample *sample);

/* It was of so many at once, and the time is that of one. */
void sample_end_of(struct sample *sample, size_t count);

/* Takes in a time that was measured otherwise. */
void sample_add(struct sample *sample, double milliseconds);

/* What a row of the output is about; tokens and threads 0: does not depend on them. */
struct subject {
    const char *shape;
    size_t tokens, threads;
};

/* Prints a row with the median and the minimum of the times, in milliseconds. */
void sample_print(struct sample *sample, const struct subject *subject, const char *what);

/* Prints a row with one number. */
void number_print(const struct subject *subject, const char *what, double number, const char *unit);

/* ---- What is measured ---- */

struct efforts {
    struct effort part, pass, view, process;
};

/* Whole processes of the program: its memory, from its start to its end, and from its start to the
 * first screen and picture in a pseudo-terminal. `folder` as from checkpoint_write. */
void processes_measure(const char *program, const char *folder, const struct subject *subject,
                       const struct effort *effort);

/* MB that a process which computes a pass over a pair of `tokens` holds at most. */
void memory_measure(const char *program, const char *folder, const struct subject *subject);

/* A search in an index of so many vectors of 768 numbers, made in memory, which isn't measured
 * where there is too little of it. */
void search_measure(size_t vectors, const size_t *threads, size_t thread_count,
                    const struct effort *effort);

/* Inside this process, for a pair of subject->tokens tokens: the parts up to the picture, with each
 * of the numbers of threads. */
void parts_measure(const struct checkpoint *checkpoint, const struct subject *subject,
                   const size_t *threads, size_t thread_count, const struct efforts *efforts);
