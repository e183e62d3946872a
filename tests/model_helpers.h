/* model_helpers.h: what the tests of the model floor share: checkpoints taken apart and written
 * anew, folders that go away again. Every function fails the running test when it cannot do it. */
#pragma once

#include "headlight/base/file.h"
#include "headlight/base/mapping.h"
#include "headlight/lens/map.h"
#include "headlight/model/model.h"
#include "headlight/model/side.h"
#include "headlight/tensor/safetensors.h"
#include "numbers.h"

#include <stdint.h>

#define TINY_FOLDER "tests/vectors/tiny-bert"

/* Fails with the error's sentence unless a call went well. */
#define assert_ok(call, error)                                                                     \
    do {                                                                                           \
        if ((call) != STATUS_OK)                                                                   \
            ck_abort_msg("%s: %s", #call, (error).message);                                        \
    } while (0)

/* Fails unless a call failed with that status and a sentence that has `part` in it. */
#define assert_fails(call, expected_status, part, error)                                           \
    do {                                                                                           \
        ck_assert_int_eq(call, expected_status);                                                   \
        ck_assert_int_eq((error).status, expected_status);                                         \
        if (!strstr((error).message, part))                                                        \
            ck_abort_msg("expected \"%s\" in \"%s\"", part, (error).message);                      \
    } while (0)

/* A folder of its own under the system's place for temporary files. */
struct folder {
    char path[64];
};
void folder_make(struct folder *folder);
/* One below it, of a short name, which is not made. */
struct folder folder_below(const struct folder *folder, const char *name);
/* With the files in it. */
void folder_remove(const struct folder *folder);
char *in_folder(const struct folder *folder, const char *name); /* the caller's */
void folder_write(const struct folder *folder, const char *name, const void *bytes, size_t size);
/* How many names are in it, hidden ones too. */
int folder_count(const struct folder *folder);
void folder_copy(const struct folder *folder, const char *from, const char *name);

/* A tensor of a checkpoint that can be changed and written again. */
struct part {
    char name[128];
    char type[8];
    size_t rank;
    size_t shape[TENSOR_RANK_MAX];
    unsigned char *data; /* its own */
    size_t size;
};
struct parts {
    size_t count;
    struct part *part;
    const char *metadata; /* a JSON object, borrowed; NULL for that of PyTorch */
};
void parts_read(struct parts *parts, const char *path);
void parts_free(struct parts *parts);
/* A new part, all zero; type is F32, F16, …, and shape ends with 0. */
struct part *parts_add(struct parts *parts, const char *name, const char *type,
                       const size_t *shape);
struct part *parts_find(const struct parts *parts, const char *name);
void parts_drop(struct parts *parts, const char *name);
/* All whose names begin so; at least one. */
void parts_drop_all(struct parts *parts, const char *beginning);
/* Replaces `from` by `to` in every name that has it. */
void parts_rename(struct parts *parts, const char *from, const char *to);
/* Makes F32 tensors F16 or BF16, rounding to nearest even. */
void parts_narrow(struct parts *parts, const char *type);
/* Makes F16 and BF16 tensors F32. */
void parts_widen(struct parts *parts);
/* The tiny checkpoint's tensors, and its config.json in a new folder. */
void parts_take_tiny(struct parts *parts, struct folder *folder);
/* The tiny checkpoint with a classifier of texts, too, and one that finds answers to questions, in
 * a new folder. The labels are called like two of its pieces: cat and dog. */
void folder_make_several(struct folder *folder);
/* The parts from `first` on, `count` of them, with the data `shift` bytes off a multiple of 8. */
void parts_write(const struct parts *parts, size_t first, size_t count, size_t shift,
                 const struct folder *folder, const char *name);

/* The same for all of them, in memory of exactly its size, which is the caller's. */
unsigned char *parts_bytes(const struct parts *parts, size_t shift, size_t *size);

/* Half of the parts in each of two files, one.safetensors and two.safetensors, and their index. */
void parts_write_shards(const struct parts *parts, const struct folder *folder);
/* The sizes of the tiny checkpoint as a config.json, and more members (",\"name\":value"). */
void write_tiny_config(const struct folder *folder, const char *more);

/* A side with the words that its labels make, of at most 64 tokens; the last 16 are remembered. */
struct token_side labelled_side(size_t count, size_t boundary, const char *const *labels,
                                const bool *special);

/* That a file has these bytes. */
void assert_text(const char *path, const char *expected);

/* What a handler of INT does about files that are being written, in a copy of the program: the
 * program ends with it. */
void interrupt_copy(void);

struct effects;
struct prediction;
struct trace;

/* effects_measure (lens/effects.h) on a piece at a token. */
enum status effects_of_word(const struct model *model, const struct trace *trace, size_t token,
                            int32_t id, const struct watch *watch, struct effects **effects,
                            struct error *error);

/* The likeliest pieces at a token by a trace's own logits of words; 0 where it has none. */
size_t best_pieces(const struct trace *trace, size_t token, struct prediction *best, size_t count);

/* A masked score is minus infinity. */
static inline float map_value(const struct map *map, size_t layer, size_t head, size_t from,
                              size_t to)
{
    return map->values[layer][(head * map->rows + from) * map->columns + to];
}
